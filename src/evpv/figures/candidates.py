"""Eight candidates for a problem: some right, some wrong, each step labelled by construction.

A candidate is a run of the family's `solve` beside its twin, the same run without the fault. Some share a popular
misreading, so that a majority can be wrong; some are right by wrong steps; some forget a visual flag or set one for
nothing. Their order carries no information.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any

from evpv.figures import writing
from evpv.figures.writing import NO_FAULTS, Decision, Mistakes, Numeral, SolutionSheet, Solve, WrittenStep, Wrong
from evpv.types import Candidate, Step

_OMITTED_FLAGS = 0.06  # the paper's audit (Appendix F) finds 5.9 % of the flags left out
_NEEDLESS_FLAGS = 0.06
_TRIES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam:
    """What all candidates of a problem share: how it is solved, the true answer, and the options if there are any."""

    solve: Solve
    seed: str
    truth: SolutionSheet
    options: tuple[str, ...] = ()

    @property
    def answer(self) -> str:
        """The gold answer: the letter of the option, or the value itself."""
        return self.final_answer(self.truth)

    def final_answer(self, sheet: SolutionSheet) -> str:
        """A run's final answer; with options, the letter of the one that it gets or comes closest to."""
        if self.options:
            return chr(ord("A") + self.nearest_option(sheet))
        return sheet.answer.replace("−", "-").replace(",", "")

    def nearest_option(self, sheet: SolutionSheet) -> int:
        value = sheet.answer + sheet.unit
        if value in self.options:
            return self.options.index(value)
        return min(range(len(self.options)), key=lambda i: (abs(_size(self.options[i]) - _size(value)), i))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A run with its faults: its lines, those of its faultless twin, and the answer it gives.

    `wrong` is what the run was told to get wrong, so that a solver who is told of it can run again without.
    """

    seed: str
    sheet: SolutionSheet
    twin: SolutionSheet
    wrong: Mistakes = NO_FAULTS
    faults: Mapping[str, str] = field(default_factory=dict)  # the key of a fault → its error
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A problem's candidates with its gold answer and options; `exam` and `drafts` are what they were written from."""

    answer: str
    options: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    exam: Exam = field(compare=False)
    drafts: tuple[Draft, ...] = field(compare=False)


def sit(solve: Solve, seed: str, *, multiple_choice: bool, count: int = 8) -> Sitting:
    """`count` candidates, 2 to 4 of eight with every step right, in an order that says nothing.

    The options are the true answer and the wrong ones that candidates give most often.
    """
    truth = SolutionSheet(f"{seed}/truth")
    solve(truth)
    exam = Exam(solve=solve, seed=seed, truth=truth)
    rng = Random(f"{seed}/candidates")
    right = rng.choice((2, 2, 3, 3, 4)) if count == 8 else max(1, round(count * 3 / 8))
    drafts = [run_draft(exam, f"{seed}/right/{i}", NO_FAULTS, {}) for i in range(right)]
    drafts += _faulty(exam, rng, count - right)
    if multiple_choice:
        exam = replace(exam, options=_options(exam, drafts, rng))
    rng.shuffle(drafts)
    candidates = tuple(candidate_of_draft(exam, draft, str(i + 1)) for i, draft in enumerate(drafts))
    return Sitting(answer=exam.answer, options=exam.options, candidates=candidates, exam=exam, drafts=tuple(drafts))


def run_draft(exam: Exam, seed: str, faults: Mistakes, errors: Mapping[str, str]) -> Draft:
    """One run of the solution with its faults, beside the same run without."""
    sheet, twin = SolutionSheet(seed, faults), SolutionSheet(seed)
    exam.solve(sheet)
    exam.solve(twin)
    error = next(iter(errors.values()), "")
    return Draft(seed=seed, sheet=sheet, twin=twin, wrong=faults, faults=errors, error=error)


def _faulty(exam: Exam, rng: Random, count: int) -> list[Draft]:
    """Half of them visual faults, one misreading often shared; the rest spread over the other errors."""
    visual = rng.choice((count // 2, (count + 1) // 2, (count + 1) // 2))
    sharing = rng.choice((0, 2, visual, visual, visual))
    kinds = ["popular"] * min(sharing, visual) + ["visual"] * (visual - sharing)
    kinds += ["lucky"] * (rng.random() < 0.3)
    kinds += ["other"] * (count - len(kinds))
    shared = _telling(exam, rng)
    makers = {"visual": _visual, "other": _other, "lucky": _lucky}
    return [_with_error(exam, rng, makers.get(kind), shared, index) for index, kind in enumerate(kinds)]


_Fault = tuple[Mistakes, Mapping[str, str]]


def _with_error(
    exam: Exam, rng: Random, make: Callable[[Exam, Random], _Fault] | None, shared: _Fault, index: int
) -> Draft:
    """A run in which at least one step differs from its twin: a fault that makes no difference is not one."""
    for attempt in range(_TRIES):
        fault = shared if make is None and attempt == 0 else (make or _visual)(exam, rng)
        draft = run_draft(exam, f"{exam.seed}/wrong/{index}/{attempt}", *fault)
        if any(_differing(draft)):
            return draft
    raise AssertionError(f"no fault of {exam.seed} makes a difference")


def _telling(exam: Exam, rng: Random) -> _Fault:
    """A visual fault that leads to a wrong answer, if one does: what several candidates may fall for."""
    fault = _visual(exam, rng)
    for _ in range(_TRIES):
        if run_draft(exam, f"{exam.seed}/truth", *fault).sheet.answer != exam.truth.answer:
            break
        fault = _visual(exam, rng)
    return fault


def _visual(exam: Exam, rng: Random) -> _Fault:
    return _one(rng, _wrongs(exam, visual=True))


def _other(exam: Exam, rng: Random) -> _Fault:
    """Knowledge and logic where the family has them, else a slip in a calculation or an unfinished solution."""
    kind = rng.choice(("family", "family", "calculation", "calculation", "incompleteness"))
    family = _wrongs(exam, visual=False)
    calculations = [decision for decision in exam.truth.decisions if decision.calculated]
    if (kind == "family" and family) or not calculations:
        return _one(rng, family or _wrongs(exam, visual=True))
    if kind == "incompleteness":
        return _stop_early(exam, rng, calculations)
    decision = rng.choice(calculations)
    return _one(rng, [(decision.key, Wrong(error="calculation", value=_slip(decision.truth, rng)))])


def _stop_early(exam: Exam, rng: Random, calculations: Sequence[Decision]) -> _Fault:
    """Stopped at an intermediate result, where the answer is a result too; else a step without its reasons."""
    key = rng.choice(calculations).key
    numeric = exam.truth.answer.removesuffix("π") == writing.number(calculations[-1].truth)
    if numeric and rng.random() < 0.6 and key != calculations[-1].key:
        return Mistakes(instead={}, stop_after=key), {"answer": "incompleteness"}
    return Mistakes(instead={}, vague_at=key), {key: "incompleteness"}


def _lucky(exam: Exam, rng: Random) -> _Fault:
    """A wrong premise, and a calculation that comes out right all the same."""
    key, wrong = rng.choice(_wrongs(exam, visual=True) + _wrongs(exam, visual=False))
    keys = [decision.key for decision in exam.truth.decisions]
    later = [d for d in exam.truth.decisions[keys.index(key) + 1 :] if d.calculated]
    if not later:
        return _one(rng, [(key, wrong)])
    mended = Wrong(error="calculation", value=later[-1].truth)
    return Mistakes(instead={key: wrong, later[-1].key: mended}), {key: wrong.error, later[-1].key: "calculation"}


def _wrongs(exam: Exam, *, visual: bool) -> list[tuple[str, Wrong]]:
    every = [(decision.key, wrong) for decision in exam.truth.decisions for wrong in decision.wrongs]
    return [(key, wrong) for key, wrong in every if wrong.error.startswith("visual") == visual]


def _one(rng: Random, wrongs: Sequence[tuple[str, Wrong]]) -> _Fault:
    """One of the faults: first which error, then where, so that rare errors are not drowned by misread numbers."""
    error = rng.choice(sorted({wrong.error for _, wrong in wrongs}))
    key, wrong = rng.choice([one for one in wrongs if one[1].error == error])
    return Mistakes(instead={key: wrong}), {key: wrong.error}


def _slip(value: Numeral, rng: Random) -> Numeral:
    """A result of the kind that a slip gives: a unit, a ten or a carry off, two digits swapped."""
    size = abs(float(value))
    shifts: list[Numeral] = [1, -1, 2, -2]
    if size >= 20:
        shifts += [10, -10, 9, -9]
    swapped = int(str(int(size))[::-1]) if 10 <= size < 100 and value == int(value) else 0
    if swapped >= 10 and swapped != size:
        shifts.append(swapped - int(size))
    possible = [value + shift for shift in shifts if value < 0 or value + shift > 0]
    return rng.choice(possible)


def _differing(draft: Draft) -> list[bool]:
    """Per line: does it say something else than the twin does at that key, or something the twin never says?"""
    said = {line.key: (line.text, line.claim) for line in draft.twin.lines}
    return [said.get(line.key) != (line.text, line.claim) for line in draft.sheet.lines]


def candidate_of_draft(exam: Exam, draft: Draft, name: str) -> Candidate:
    """A draft as its solver hands it in: labelled steps in a notation of its own, and the answer.

    A wrong step has its error, and says whether it only builds on an earlier one.
    """
    rng = Random(f"{draft.seed}/hand")
    notation = rng.choice(("plain", "plain", "ascii", "latex"))
    wrong = _differing(draft)
    first = wrong.index(True) if any(wrong) else len(wrong)
    steps = []
    for i, (line, bad) in enumerate(zip(draft.sheet.lines, wrong, strict=True)):
        own = draft.faults.get(line.key)
        labels: dict[str, Any] = {"label": -1 if bad else 1, "visual": line.claim is not None}
        if bad:
            labels |= {"error": own or draft.error, "inherited": i != first and own is None}
        steps.append(_step(line, labels, notation, rng))
    if exam.options:
        steps[-1] = _with_option(exam, draft, steps[-1], notation)
    given = exam.final_answer(draft.sheet)
    errors = {step.error for step in steps if step.error is not None}
    right = given == exam.answer
    return Candidate(id=name, steps=tuple(steps), final_answer=given, correct=right, extra={"errors": sorted(errors)})


def _step(line: WrittenStep, labels: dict[str, Any], notation: str, rng: Random) -> Step:
    """A step as it is flagged; a needless flag says the step over again, without the word that made it a conclusion."""
    claim, chance = line.claim, rng.random()
    if claim is not None and chance < _OMITTED_FLAGS:
        claim = None
    elif claim is None and chance < _NEEDLESS_FLAGS:
        claim = re.sub("^(So |Hence |Therefore |Therefore, |Now |This gives )+", "", line.text)
        claim = claim[:1].upper() + claim[1:]
    said = None if claim is None else writing.in_notation(claim, notation)
    return Step(text=writing.in_notation(line.text, notation), claim=said, **labels)


def _with_option(exam: Exam, draft: Draft, step: Step, notation: str) -> Step:
    """The last step names the option; one that fits no option takes the closest and says so."""
    index, value = exam.nearest_option(draft.sheet), draft.sheet.answer + draft.sheet.unit
    letter, option = chr(ord("A") + index), exam.options[index]
    added = f"This is option {letter}."
    if option != value:
        added = f"None of the options equals {value} exactly; the closest is {letter} ({option})."
    return replace(step, text=f"{step.text} {writing.in_notation(added, notation)}")


def _options(exam: Exam, drafts: Sequence[Draft], rng: Random) -> tuple[str, ...]:
    """Four or five options: the truth, and the wrong answers given most often, or those of further faults."""
    given = Counter(draft.sheet.answer + draft.sheet.unit for draft in drafts)
    right = exam.truth.answer + exam.truth.unit
    wrong = [value for value, _ in given.most_common() if value != right]
    for _ in range(_TRIES):
        fault = _visual(exam, rng) if rng.random() < 0.5 else _other(exam, rng)
        sheet = run_draft(exam, f"{exam.seed}/truth", *fault).sheet
        value = sheet.answer + sheet.unit
        if len(wrong) >= 3:
            break
        if value != right and value not in wrong:
            wrong.append(value)
    options = [right, *wrong[:4]]
    return tuple(sorted(options, key=_size) if rng.random() < 0.5 else rng.sample(options, len(options)))


def _size(option: str) -> float:
    """The number in an option, for order and closeness; options without one count as zero."""
    digits = "".join(c for c in option.replace("−", "-") if c.isdecimal() or c in ".-")
    try:
        return float(Fraction(digits))
    except ValueError:
        return 0.0

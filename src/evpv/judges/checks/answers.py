"""A solution's answer against what is known: the options, the answer worked out from the table, and what the figure shows of the question.

Question and answer make one statement together ("What is the share of rent?" and "38 %"), which the matcher of claims decides: a question
about what is shown needs no reasoning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from rapidfuzz import fuzz

from evpv.judges.checks.drawings import DrawnAnswer, drawing_of, drawn_answer
from evpv.judges.checks.observations import Observation, verdict
from evpv.judges.checks.questions import Recomputed, recompute
from evpv.judges.checks.tables import table_of, words
from evpv.language.answers import TRUTH_WORDS, answer_key, chosen_option
from evpv.language.evaluation import ExactValue, agrees, evaluate, same, show
from evpv.language.expressions import Expression, parse
from evpv.language.final_answers import final_answer
from evpv.language.math_tokens import prepare, tokenize
from evpv.language.questions import asked_statement, statement
from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Candidate, Constraint, Problem

_MAX_SEARCHED = 20_000
_ALIKE = 70.0  # of 100: how alike a row and an option must be spelled


@dataclass(frozen=True, slots=True)
class _Answer:
    """A final answer as text, its value when it is one, and the option it names (index from 0) when it names one."""

    text: str
    value: ExactValue | None
    tree: Expression | None
    option: int | None

    def words(self, options: Sequence[str]) -> str:
        """What is answered: the option's own text where one is chosen."""
        return self.text if self.option is None else options[self.option]


def stated_answer(candidate: Candidate, problem: Problem) -> _Answer | None:
    """A candidate's answer: its `final_answer`, else the one that its steps give."""
    said = candidate.final_answer
    if said is None or not said.strip():
        text = "\n".join(step.text for step in candidate.steps)[-_MAX_SEARCHED:]
        said = final_answer(text, problem.question, problem.options)
    return None if said is None else _as_answer(said, tuple(problem.options))


@lru_cache(maxsize=1024)
def _as_answer(text: str, options: tuple[str, ...] = ()) -> _Answer:
    """Text read as an answer.

    >>> _as_answer("(B) no.", ("yes", "no")).option
    1
    >>> _as_answer("$4,656.00").value
    Fraction(4656, 1)
    """
    bare = text.strip().strip("*.$ ").strip()
    tokens = tokenize(prepare(bare))
    leading = tokens[: next((i for i, token in enumerate(tokens) if token.kind in ("word", "break")), len(tokens))]
    tree = parse(leading)
    several = any(one.text == "and" and other.kind in ("number", "operator") for one, other in pairwise(tokens))
    value = evaluate(tree) if tree is not None and not several else None
    return _Answer(bare, value, tree, chosen_option(text, options) if options else None)


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """What the judge knows of a question: the answer worked out, what the drawing shows, and what the figure says of each answer."""

    recomputed: Recomputed | None
    measured: DrawnAnswer | None = None
    shown: Mapping[str, bool] = field(default_factory=dict)


def evidence_of(problem: Problem, constraints: Sequence[Constraint]) -> KnownAnswer:
    """What the question and the figure tell of the answer. Without constraints, the question alone."""
    worked_out = recompute(problem.question, table_of(constraints))
    if not constraints:
        return KnownAnswer(worked_out)
    drawing = drawing_of(constraints)
    answers = [answer.words(problem.options) for one in problem.candidates if (answer := stated_answer(one, problem))]
    return KnownAnswer(
        worked_out,
        drawn_answer(problem.question, drawing) if drawing is not None else None,
        _answers_shown(problem.question, problem.options or answers, constraints),
    )


def check_end(answer: _Answer | None, evidence: KnownAnswer, problem: Problem) -> Iterator[Observation]:
    """The answer that a solution ends with: whether it is one of the options, what was worked out again, and what the figure shows; that
    it gives none where it is asked for one."""
    options = problem.options
    if answer is not None:
        if options and answer.option is None and any(len(option.strip(" ().")) > 1 for option in options):
            yield Observation("answer-not-an-option", f"wrong: the answer {answer.text[:80]!r} is none of the options")
        yield from _check_recomputed(answer, evidence.recomputed, options)
        yield from _check_shown(answer, evidence, options)
    elif options or "?" in problem.question:
        yield Observation("unanswered", "the solution ends without an answer")


def _check_recomputed(answer: _Answer, expected: Recomputed | None, options: Sequence[str]) -> Iterator[Observation]:
    """The answer against the one worked out from the question and the table."""
    agreed = _agrees(answer, expected, options) if expected is not None else None
    if expected is None or agreed is None:
        return
    said = f"worked out again, the answer is {expected.answer if isinstance(expected.answer, str) else show(expected.answer)}"
    wrong = f"{said}, not {answer.text[:40]} ({expected.reason})"
    yield verdict("recomputed", agreed, f"{said} ({expected.reason})", wrong)


def _agrees(answer: _Answer, expected: Recomputed, options: Sequence[str]) -> bool | None:
    """Whether an answer is the expected one; None when that cannot be told."""
    if isinstance(expected.answer, str):
        return _agrees_in_words(answer, expected.answer, options)
    read = _as_answer(options[answer.option]) if answer.option is not None else answer
    value, tree = read.value, read.tree
    if value is None or tree is None:
        return None
    if expected.bounds is not None:
        low, high = expected.bounds
        return False if value < low or (high is not None and value > high) else None
    return same(value, expected.answer) if expected.as_fraction else agrees(expected.answer, value, tree)


def _agrees_in_words(answer: _Answer, expected: str, options: Sequence[str]) -> bool | None:
    if options:
        wanted = nearest_option(expected, options)
        return None if wanted is None else answer.option == wanted
    wanted_value = _as_answer(expected).value
    if wanted_value is not None:
        return None if answer.value is None else same(answer.value, wanted_value)
    return expected.casefold() in answer.text.casefold()


def nearest_option(name: str, options: Sequence[str]) -> int | None:
    """The option that a row's name means, though the row may be read with stray marks or worded differently.

    >>> nearest_option("1) Friday", ["Thursday", "Friday"]), nearest_option("Add an upgrade", ["adding an upgrade", "no"])
    (1, 0)
    """
    inside = [i for i, option in enumerate(options) if words(option) and set(words(option)) <= set(words(name))]
    if len(inside) == 1:
        return inside[0]
    ratios = [fuzz.ratio(" ".join(words(name)), " ".join(words(option))) for option in options]
    best = max(range(len(options)), key=lambda i: ratios[i])
    return best if ratios[best] >= _ALIKE and ratios.count(ratios[best]) == 1 else None


def _check_shown(answer: _Answer, evidence: KnownAnswer, options: Sequence[str]) -> Iterator[Observation]:
    """The answer against the drawing, else against what the figure's values say of it."""
    seen, said = evidence.measured, answer.words(options)
    if seen is not None and (agreed := _drawing_agrees(seen, answer, options)) is not None:
        yield verdict("shown", agreed, seen.reason, f"{seen.reason}; the answer is {said[:40]}")
    elif (holds := evidence.shown.get(said)) is not None:
        says = f"the figure's values {'bear out' if holds else 'speak against'} the answer {said[:40]}"
        yield verdict("shown", holds, says, says)


def _drawing_agrees(seen: DrawnAnswer, answer: _Answer, options: Sequence[str]) -> bool | None:
    said = answer.words(options)
    if isinstance(seen.shown, bool):
        truth = TRUTH_WORDS.get(said.strip(" .").lower())
        return None if truth is None else truth == seen.shown
    others = [_as_answer(option).value for place, option in enumerate(options) if place != answer.option]
    value, known = _as_answer(said).value, [float(other) for other in others if other is not None]
    return None if value is None or len(known) < len(others) else seen.bears_out(float(value), known)


_MOST_ANSWERS = 12
_DECIDED = {"supported": True, "contradicted": False}


def _answers_shown(question: str, answers: Sequence[str], constraints: Sequence[Constraint]) -> Mapping[str, bool]:
    """Which answers the figure bears out and which it speaks against, where it tells them apart; else none.

    An answer is only refuted beside one that holds: where all seem wrong, or several right, it is the question that was not understood.
    """
    match = grounded_matcher(tuple(constraints), question=question)
    if (stated := asked_statement(question)) is not None:
        holds = _DECIDED.get(match(stated).verdict)
        truths = {answer: TRUTH_WORDS.get(answer.strip(" .").lower()) for answer in answers}
        return {one: truth is holds for one, truth in truths.items() if None not in (truth, holds)}
    distinct = list(dict.fromkeys(answers))[:_MOST_ANSWERS]
    verdicts = {answer: match(claim).verdict for answer in distinct if (claim := statement(question, answer))}
    found = {answer: _DECIDED[verdict] for answer, verdict in verdicts.items() if verdict in _DECIDED}
    return found if len(set(map(answer_key, filter(found.get, found)))) == 1 else {}

"""The audit of a candidate, step by step: what each step claims to have seen, and how complete a checklist is (Appendix F).

A claim is the shortest part of a sentence that says what was seen, with the name of the thing it is said of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evpv.language import looking
from evpv.language.calculations import calculation, in_names, stated_numbers, written_numbers
from evpv.language.immutable import immutable
from evpv.language.labels import labels
from evpv.language.lexicon import STOP_WORDS
from evpv.language.text import plain, sentences
from evpv.language.tokens import content_stems
from evpv.premises.auditing.provenance import Origins, Sight, content_words, origins, sight, unexplained_operands
from evpv.premises.claims import MAX_LENGTH, Unclassifiable, parse
from evpv.types import Candidate, Step


@immutable
class Audit:
    """What the auditor says of a step: whether it rests on the image (ν*), the one claim that can be mined, and why.

    `says` is all that the step says it sees, sentence by sentence: what `grounded` checks, where the paper has one claim.
    """

    visual: bool
    claim: str | None
    reason: str
    says: str | None = None


def audit(candidate: Candidate, question: str) -> tuple[Audit, ...]:
    """One audit per step, each in the light of the question and of all steps before it.

    >>> from evpv.types import Step
    >>> steps = (Step(text="Find the row for the parrot and read the price. The price is $12."), Step(text="2 × 12 = 24"))
    >>> [one.claim for one in audit(Candidate(id="a", steps=steps), "What do 2 parrots cost?")]
    ['parrot: The price is $12.', None]
    """
    reader = _Reader(
        known=origins(question), answer=frozenset(written_numbers(plain((candidate.final_answer or "")[:200])))
    )
    return tuple(reader.audit(step.text) for step in candidate.steps)


@dataclass(slots=True)
class _Reader:
    """Reads a candidate from the top, remembering what was said and what was being looked up."""

    known: Origins
    answer: frozenset[float]
    about: _Focus | None = None
    looked_up: bool = False  # by the sentence before

    def audit(self, text: str) -> Audit:
        sights: list[Sight] = []
        claim: str | None = None
        said: list[str] = []
        self.known.heading = frozenset()
        for sentence in sentences(text):
            found = self._sight(sentence)
            claim = claim or self._claim(sentence, found)
            said += self._said(sentence, found)
            sights.append(found)
            self.known.add(sentence, seen=found.seen)
            self.looked_up = found.looks_up
            if found.looks_up or not found.seen:
                self.about = _focus(sentence) or (self.about if found.looks_up else None)
        nothing = Sight(seen=False, reason="it says nothing")
        decided = max(sights, key=lambda one: one.seen, default=nothing)  # what was seen before what was thought
        says = "\n".join(said) if decided.seen and not all(one.endswith(":") for one in said) else None
        return Audit(visual=decided.seen, claim=claim, reason=decided.reason, says=says)

    def _said(self, sentence: str, found: Sight) -> list[str]:
        """What of a sentence is to be checked: all of it where it was seen, with the name of what it points back to.

        A heading says what the lines below it are about; of a calculation only the one number that comes from nowhere is said. What tells
        what is made of readings, or is an equation in unknowns, says nothing that was seen.
        """
        if sentence.endswith(":"):
            return [sentence]
        if not found.seen or found.looks_up or looking.DERIVED.search(sentence) or self._answers(sentence, found):
            return []
        if "=" in sentence and looking.EQUATION.match(sentence):
            return []
        if calculation(sentence) or _points_back(sentence, self.about):
            return [*filter(None, [self._claim(sentence, found)])]
        return [sentence]

    def _sight(self, sentence: str) -> Sight:
        """A sentence that gives the number just looked up was seen, whatever else is known of the number."""
        found = sight(sentence, self.known)
        if found.seen or self.about is None or calculation(sentence) or not stated_numbers(sentence):
            return found
        reads = self.looked_up and _points_back(sentence, self.about)
        return Sight(seen=True, reason="it reads what was looked up") if reads else found

    def _claim(self, sentence: str, found: Sight) -> str | None:
        if found.looks_up or not found.seen:
            return None
        if calculation(sentence):
            unexplained = unexplained_operands(sentence, self.known)
            return _operand_claim(sentence, unexplained[0], self.about) if len(unexplained) == 1 else None
        return None if self._answers(sentence, found) else _stated_claim(sentence, self.about)

    def _answers(self, sentence: str, found: Sight) -> bool:
        """Whether a sentence gives the answer to a question that gives numbers: it was worked out, not read."""
        said = frozenset(abs(number) for number in stated_numbers(sentence))
        amounts = any(number > 1 and not 1500 <= number <= 2100 for number in self.known.given)
        return not found.looks and bool(said) and said <= self.answer and amounts


_GENERIC = (
    frozenset(
        {"price", "cost", "frequency", "sale", "request", "time", "leaf", "score", "rating", "next", "one", "total"}
    )
    | STOP_WORDS
    | looking.UNITS
)
"""Words that name nothing: a sentence of them alone points back to what was being looked up."""

_RESULTS = frozenset("total sum difference average mean product ratio perimeter area volume probability".split())
"""Words that name what a calculation arrives at, and not what it starts from."""


@immutable
class _Focus:
    """What the solver was just told to look up: the thing, and all words of that sentence."""

    thing: str
    content: frozenset[str]


def _focus(text: str) -> _Focus | None:
    """The one thing that an instruction to look names; a pronoun or a list names none.

    >>> _focus("Find the row for the parrot and read the price.").thing
    'parrot'
    """
    match = looking.FOCUS.search(text)
    if match is None or looking.LISTED.match(text, match.end()):
        return None
    thing = match["thing"] or match["other"]
    return None if looking.POINTING.match(thing) else _Focus(thing=thing, content=content_stems(text))


def _stated_claim(text: str, about: _Focus | None) -> str | None:
    """The shortest part of a sentence that states what was seen; None if none has a type, or none names what is to be found in the image:
    “The price is $4” alone could be any price.

    >>> _stated_claim("The arc at A is marked 48°, so ∠DAC = 48°.", None)
    '∠DAC = 48°.'
    """
    if not any(map(str.isalpha, text)):
        return None if about is None or len(written_numbers(text)) != 1 else _with_subject(text, about)
    wanted = frozenset(map(abs, stated_numbers(text)))
    parts = (part for part in _parts(text) if not isinstance(parse(part), Unclassifiable))
    best = max(parts, key=lambda part: _merit(part, wanted), default=None)
    return None if best is None else _named_claim(best, about)


def _named_claim(text: str, about: _Focus | None) -> str | None:
    if about is not None and _points_back(text, about):
        return _with_subject(text, about)
    return text if looking.has_cue(text, "most", "least") or _says(text) or labels(text) or in_names(text) else None


def _operand_claim(text: str, operand: float, about: _Focus | None) -> str | None:
    """What a calculation reads without saying so: “Cookie dough: $2 × 5 = $10” claims “Cookie dough: $2”.

    Of “The total cost is: 11 + 26” neither number is the total.
    """
    match = next((one for one in looking.AMOUNT.finditer(text) if written_numbers(one[0]) == (operand,)), None)
    if match is None:
        return None
    before = " ".join(looking.AMOUNT.sub(" ", text[: match.start()]).split()).strip(" :=×*+-÷/(,.")
    subject = looking.MEASURE.sub("", before)
    if not _says(subject):
        subject = about.thing if about is not None and " and " not in about.thing else ""
    if not subject or content_stems(subject) & _RESULTS:
        return None
    claim = f"{subject}: {match[0].strip()}"
    return None if isinstance(parse(claim), Unclassifiable) else claim


def _parts(text: str) -> Iterator[str]:
    """The sentence, without what leads up to it, and its clauses."""
    text = text[:MAX_LENGTH]
    for pattern in (looking.FOUND, looking.GIVES, looking.SHOWN_FOR):
        if found := pattern.match(text):
            yield f"{found['place']}: {found['value']}"
    whole = _without_lead(text)
    yield text
    yield whole
    whole = looking.AFTERTHOUGHT.sub(".", whole)
    yield whole
    clauses = [clause for clause in looking.JOINTS.split(whole) if clause]
    yield from (_without_lead(clause) for clause in clauses if len(clauses) > 1)


def _without_lead(text: str) -> str:
    for _ in range(3):
        before = text
        for lead in looking.LEADS:
            text = lead.sub("", text, count=1)
        if text == before:
            break
    return text[:1].upper() + text[1:] if looking.OPENS_LOW.match(text) else text


def _merit(part: str, wanted: frozenset[float]) -> tuple[bool, bool, bool, int]:
    """Says all numbers of the sentence; speaks of labelled things; relates them; is short."""
    said = frozenset(map(abs, stated_numbers(part)))
    relates = "=" in part or looking.relates(part)
    return said >= wanted, bool(labels(part)), relates, -len(part)


def _points_back(text: str, about: _Focus | None) -> bool:
    """Whether a sentence is about the thing looked up without naming it."""
    if about is None:
        return False
    content = content_words(text)
    return content_words(about.thing).isdisjoint(content) and content <= about.content | _GENERIC


def _says(text: str) -> bool:
    """Whether a text has a word that names something; letters of a formula do not."""
    return any(len(word) > 2 for word in content_words(text) - _GENERIC)


def _with_subject(text: str, about: _Focus) -> str:
    """The sentence with its thing; a thing that opens with a number is called a row, lest the number be taken for a value."""
    return f"{'row ' if about.thing[0].isdigit() else ''}{about.thing}: {text}"


Mode = Literal["off", "report", "fill"]


@immutable
class ChecklistCounts:
    """The sums of Appendix F: steps, those that should look (ν* = 1), those flagged (ν = 1), and where the two differ."""

    steps: int
    should: int
    flagged: int
    omitted: int
    false_positives: int


@immutable
class ChecklistMetrics:
    """OmissionRate, FalsePosRate and Completeness of Appendix F; None where there is nothing to divide by."""

    omission_rate: float | None
    false_positive_rate: float | None
    completeness: float | None
    counts: ChecklistCounts


def complete_claims(candidate: Candidate, question: str, mode: Mode) -> Candidate:
    """The candidate with what the auditor found: noted as its `audit` ("report"), or also as claims ("fill").

    A policy's own claim is never replaced. "off" gives the candidate back as it is.
    """
    if mode == "off":
        return candidate
    steps = []
    for step, found in zip(candidate.steps, audit(candidate, question), strict=True):
        note = {"visual": found.visual, "claim": found.claim, "says": found.says, "reason": found.reason}
        noted = replace(step, audit=note)
        if mode == "fill" and step.claim is None and (found.claim is not None or found.says is not None):
            noted = replace(noted, claim=found.claim, claim_from="auditor")
        steps.append(noted)
    return replace(candidate, steps=tuple(steps))


def claimed_step(step: Step, matching: str) -> Step:
    """The step with what is to be checked of it: under `grounded` all that the auditor found it to say, under `paper` one claim.

    A policy's own claim is what it is under both, and so is a claim of the auditor's that was stored without the rest.
    """
    if step.claim_from != "auditor" or step.audit is None or "says" not in step.audit:
        return step
    claim = step.audit["says" if matching == "grounded" else "claim"]
    return step if claim == step.claim else replace(step, claim=claim)


def checklist_metrics(flags: Sequence[bool], truth: Sequence[bool]) -> ChecklistMetrics:
    """Appendix F over the steps of any number of candidates: `flags` are ν, `truth` is ν*.

    Omissions are counted against the steps that should look, false positives against the steps that are flagged.

    >>> checklist_metrics([True, True, False], [True, False, True]).omission_rate
    0.5
    """
    pairs = Counter(zip(flags, truth, strict=True))
    seen, omitted, false_positives = pairs[True, True], pairs[False, True], pairs[True, False]
    should, flagged = seen + omitted, seen + false_positives
    omission = omitted / should if should else None
    return ChecklistMetrics(
        omission_rate=omission,
        false_positive_rate=false_positives / flagged if flagged else None,
        completeness=None if omission is None else 1.0 - omission,
        counts=ChecklistCounts(
            steps=pairs.total(), should=should, flagged=flagged, omitted=omitted, false_positives=false_positives
        ),
    )

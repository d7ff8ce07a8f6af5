"""The audit of a candidate, step by step."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evpv.language.calculations import calculation, stated_numbers, written_numbers
from evpv.language.immutable import immutable
from evpv.language.text import plain, sentences
from evpv.premises.auditing.claims import Focus, focus, operand_claim, points_back, stated_claim
from evpv.premises.auditing.origins import Origins, origins
from evpv.premises.auditing.sights import Sight, sight, unexplained_operands
from evpv.types import Candidate

_DERIVED = re.compile(
    r"\b(?:sum|difference|combined|altogether|half of|half the)\b|\btotal\b[^.]{0,60}\band\b"
    r"|\b\d+ (?:bars?|lines?|slices?|columns?|rows?|dots?)\b",
    re.IGNORECASE,
)
"""What is made of several readings, or counts what is drawn: none of its numbers is the value of what stands beside it."""


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
    about: Focus | None = None
    looked_up: bool = False  # by the sentence before

    def audit(self, text: str) -> Audit:
        sights: list[Sight] = []
        claim: str | None = None
        said: list[str] = []
        self.known.heading = frozenset()
        for sentence in sentences(text):
            found = self._sight(sentence)
            if found.seen and claim is None:
                claim = self._claim(sentence, found)
            said += self._said(sentence, found)
            sights.append(found)
            self._remember(sentence, found)
        sights.sort(key=lambda one: not one.seen)  # what was seen decides before what was thought
        decided = sights[0] if sights else Sight(seen=False, reason="it says nothing")
        says = "\n".join(said) if decided.seen and not all(one.endswith(":") for one in said) else None
        return Audit(visual=decided.seen, claim=claim, reason=decided.reason, says=says)

    def _said(self, sentence: str, found: Sight) -> list[str]:
        """What of a sentence is to be checked: all of it where it was seen, with the name of what it points back to.

        A heading says what the lines below it are about; of a calculation only the one number that comes from nowhere is said.
        """
        if sentence.endswith(":"):
            return [sentence]
        if not found.seen or found.looks_up or self._answers(sentence, found) or _DERIVED.search(sentence):
            return []
        if calculation(sentence) or (self.about is not None and points_back(sentence, self.about)):
            named = self._claim(sentence, found)
            return [] if named is None else [named]
        return [sentence]

    def _sight(self, sentence: str) -> Sight:
        """A sentence that gives the number just looked up was seen, whatever else is known of the number."""
        found = sight(sentence, self.known)
        if found.seen or self.about is None or calculation(sentence) or not stated_numbers(sentence):
            return found
        reads = self.looked_up and points_back(sentence, self.about)
        return Sight(seen=True, reason="it reads what was looked up") if reads else found

    def _claim(self, sentence: str, found: Sight) -> str | None:
        if found.looks_up:
            return None
        if calculation(sentence):
            unexplained = unexplained_operands(sentence, self.known)
            return operand_claim(sentence, unexplained[0], self.about) if len(unexplained) == 1 else None
        return None if self._answers(sentence, found) else stated_claim(sentence, self.about)

    def _answers(self, sentence: str, found: Sight) -> bool:
        """Whether a sentence gives the answer to a question that gives numbers: it was worked out, not read."""
        said = frozenset(abs(number) for number in stated_numbers(sentence))
        amounts = any(number > 1 and not 1500 <= number <= 2100 for number in self.known.given)
        return not found.looks and bool(said) and said <= self.answer and amounts

    def _remember(self, sentence: str, found: Sight) -> None:
        self.known.add(sentence, seen=found.seen)
        self.looked_up = found.looks_up
        if found.looks_up:
            self.about = focus(sentence) or self.about
        elif not found.seen:
            self.about = focus(sentence)

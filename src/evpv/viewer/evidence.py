"""What the page needs to assess a trace again in the browser (page/scoring.js), beyond what the trace holds.

Matching claims, telling which steps build on which and comparing answers is done here, in Python, so that the page only
calculates. Matches are kept under both presets, and only where they differ from the trace's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evpv.language.answers import answer_key
from evpv.premises.dependence import inherited, uses
from evpv.premises.matching import ClaimMatcher
from evpv.records.lines import JsonObject
from evpv.reward.method import PRESETS
from evpv.types import CandidateTrace, Match, Trace

Places = list[list[int | None]]
"""For each candidate and step the place of its match in `matches`; None where it is the trace's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """`answers`: one text per answer that candidates share. `earlier`: the steps that each step builds on.

    `places` has no entry for a preset under which every match is the trace's own.
    """

    answers: list[str | None]
    earlier: list[list[tuple[int, ...]]]
    matches: list[Match]
    places: dict[str, Places]

    def to_json(self) -> JsonObject:
        return {
            "answers": self.answers,
            "earlier": [[list(step) for step in candidate] for candidate in self.earlier],
            "matches": [_match_to_json(match) for match in self.matches],
            **self.places,
        }


def evidence_of(trace: Trace) -> Evidence:
    """The evidence of a trace under both presets."""
    options = tuple(trace.extra.get("options", ()))
    numbers = _Numbers()
    places = {}
    for name, method in PRESETS.items():
        found = _places(trace, method.matcher(trace.constraints), numbers)
        if any(place is not None for candidate in found for place in candidate):
            places[name] = found
    return Evidence(
        answers=[answer_key(candidate.final_answer, options) for candidate in trace.candidates],
        earlier=[_earlier(candidate, trace.question) for candidate in trace.candidates],
        matches=list(numbers.known),
        places=places,
    )


@dataclass(slots=True)
class _Numbers:
    """Gives equal matches one place: candidates of one problem repeat each other's claims."""

    known: dict[Match, int] = field(default_factory=dict)

    def place(self, match: Match) -> int:
        return self.known.setdefault(match, len(self.known))


def _places(trace: Trace, match: ClaimMatcher, numbers: _Numbers) -> Places:
    places: Places = []
    for candidate in trace.candidates:
        found = [None if step.claim is None else match(step.claim) for step in candidate.steps]
        places.append(
            [
                None if new is None or new == step.match else numbers.place(new)
                for new, step in zip(found, candidate.steps, strict=True)
            ]
        )
    return places


def _earlier(candidate: CandidateTrace, question: str) -> list[tuple[int, ...]]:
    return inherited(uses([f"{step.text} {step.claim or ''}" for step in candidate.steps], given=question))


def _match_to_json(match: Match) -> JsonObject:
    return {
        "type": match.type,
        "verdict": match.verdict,
        "support": match.support,
        "constraint": match.constraint,
        "explanation": match.explanation,
    }

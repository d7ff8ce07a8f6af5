"""A small linear classifier of claim types, for sentences that the grammar does not recognise.

Features are the words of a sentence and what the grammar's cues see in it; the weights are in `claim_weights`, made by
scripts/train_claim_types.py from the schema's vocabulary.
"""

from __future__ import annotations

import re

from evpv.premises.claim_weights import BIAS, WEIGHTS
from evpv.premises.normalize import words
from evpv.premises.normalize.cues import Cue
from evpv.premises.normalize.text import plain
from evpv.types import ClaimType

TYPES: tuple[ClaimType, ...] = ("numeric", "relation", "structure", "unclassifiable")

_OPINION = Cue(
    "interesting|important|helpful|helps|useful|clear(?:ly)?|complicated|complex|cluttered|ordinary|nice|beautiful|well designed|confusing"
    "|difficult|easier|easy|hard to|seems?|looks? (?:fairly|quite|like|rather)|quite|rather|insight|concept|understand|positive|negative"
    "|valuable|informative|simple|tricky|carefully|notable|worth noting|generally speaking|provides? (?:an )?overview|than others"
    "|everything|enough information|needed|typical|exercise|convenient|familiar|great way"
)
_SIGHTS = {
    "number": re.compile(r"\d"),
    "label": re.compile(r"\b[A-Z]{2,4}\b|∠|△"),
    "equation": re.compile(r"[=≈<>]"),
    "quoted": re.compile(r"[\"“]"),
}
_CUES = {
    "more": words.GREATER, "less": words.LESS, "than": words.THAN, "highest": words.HIGHEST, "lowest": words.LOWEST, "rises": words.RISES,
    "falls": words.FALLS, "opinion": _OPINION, **dict(words.RELATIONS),
}  # fmt: skip


def is_opinion(text: str) -> bool:
    """Whether a sentence judges or introduces rather than states."""
    return _OPINION.search(text) is not None


def features(sentence: str) -> frozenset[str]:
    """What the classifier sees of a sentence.

    >>> sorted(features("Is AB parallel?"))
    ['sees:label', 'sees:parallel', 'word:ab', 'word:is', 'word:parallel']
    """
    text = plain(sentence)
    seen = {f"sees:{name}" for name, pattern in _SIGHTS.items() if pattern.search(text)}
    seen |= {f"sees:{name}" for name, cue in _CUES.items() if cue.search(text)}
    return frozenset(seen | {f"word:{word}" for word in words.stems(text) if not word[0].isdigit()})


def classify(sentence: str) -> ClaimType:
    """The most probable type of a sentence.

    >>> classify("The face is round with a frame and a pendulum below it.")
    'structure'
    """
    totals = list(BIAS)
    for feature in features(sentence):
        for index, weight in enumerate(WEIGHTS.get(feature, ())):
            totals[index] += weight
    return TYPES[max(range(len(TYPES)), key=totals.__getitem__)]

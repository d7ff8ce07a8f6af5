"""A small linear classifier of claim types, for sentences that the grammar does not recognise."""

from __future__ import annotations

from typing import Literal

from evpv.premises.normalize.cues import Cue

ClaimTypeName = Literal["numeric", "relation", "structure", "unclassifiable"]

_OPINION = Cue(
    "bea car cle clu com con dif eas eno eve gen har hel imp inf ins int loo nee neg nic not ord pos pro qui rat see sim tha tri und use val wel wor",
    r"\b(?:interesting|important|helpful|helps|useful|clear(?:ly)?|complicated|complex|cluttered|ordinary|nice|beautiful|well designed|confusing|"
    r"difficult|easier|easy|hard to|seems?|looks? (?:fairly|quite|like|rather)|quite|rather|insight|concept|understand|positive|negative|valuable|"
    r"informative|simple|tricky|carefully|notable|worth noting|generally speaking|provides? (?:an )?overview|than others|everything|enough information|needed)\b",
)


def is_opinion(text: str) -> bool:
    """Whether a sentence judges or introduces rather than states."""
    return _OPINION.search(text) is not None


def classify(text: str) -> ClaimTypeName:
    return "unclassifiable"

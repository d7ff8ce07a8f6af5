"""What a problem is made of, as one short text: another text, candidate or picture gives another."""

from __future__ import annotations

import json
from hashlib import blake2b

from evpv.files import regular_content
from evpv.types import Problem, Step

_MOST_BYTES = 512_000_000
"""Larger pictures, and what is no regular file, count by their names: no reader opens them either."""


def problem_digest(problem: Problem) -> str:
    """The digest of a problem's question, options, candidates and the bytes of its images.

    Gold answers and labels are left out: they decide nothing that is asked. A picture that cannot be opened counts by its
    name, so that a problem is done again once its picture is there.
    """
    candidates = [(one.id, one.final_answer, *map(_said, one.steps)) for one in problem.candidates]
    said = json.dumps([problem.id, problem.question, problem.options, candidates], ensure_ascii=False)
    digest = blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16)
    for image in problem.images:
        digest.update(_picture(image))
    return digest.hexdigest()


def _said(step: Step) -> tuple[str, str | None]:
    """What the policy wrote; a claim that the auditor filled in follows from it."""
    return step.text, step.claim if step.claim_from == "policy" else None


def _picture(image: str) -> bytes:
    if not image.startswith("data:"):
        try:
            return blake2b(regular_content(image, _MOST_BYTES), digest_size=16).digest()
        except (OSError, ValueError):
            pass
    return image.encode("utf-8", "surrogatepass")

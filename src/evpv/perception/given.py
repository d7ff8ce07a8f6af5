"""Extractors that look at nothing: constraints that came with the problem, or none."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.errors import RecordError
from evpv.protocols import Description
from evpv.records import given_constraints
from evpv.types import Extraction, Problem


class GivenExtractor:
    """The constraints that the problem's own record holds in its field `constraints`: gold, or another tool's."""

    version = "given-1"
    description = Description(reads_question=False, reads_constraints=False, reads_picture=False)

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        found = []
        for problem in problems:
            try:
                given, fault = given_constraints(problem), " holds no constraints"
            except RecordError as error:
                given, fault = None, f": {error}"
            unread = Extraction(problem=f"problem {problem.id!r}{fault}")
            found.append(unread if given is None else Extraction(constraints=given, kind="given"))
        return found


class NoExtractor:
    """No constraints at all: what a judge does alone."""

    version = "none-1"
    description = Description(reads_question=False, reads_constraints=False, reads_picture=False)

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        return [Extraction() for _ in problems]

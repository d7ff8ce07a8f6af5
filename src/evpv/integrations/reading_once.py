"""A picture is read once, however many completions a trainer has of it and however many threads ask."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import TypeAlias

from evpv.perception.given import GivenExtractor
from evpv.protocols import Extractor, close_part
from evpv.types import Extraction, Problem

Key: TypeAlias = tuple[str, tuple[tuple[str, int, int], ...]]
"""A question, and its pictures with the time and size of their files."""


class ReadOnce:
    """Any extractor with its answers kept in memory; a problem that brings constraints of its own is not looked at.

    One thread reads at a time, because readers need not be made for more; answers that are known wait for nobody. The
    longest unused of more than `most` answers are forgotten. What could not be read is not kept: the cause may pass.
    """

    def __init__(self, extractor: Extractor, most: int = 10_000) -> None:
        self._extractor = extractor
        self._most = most
        self._known: OrderedDict[Key, Extraction] = OrderedDict()
        self._memory, self._reading = Lock(), Lock()
        self._given = GivenExtractor()

    @property
    def version(self) -> str:
        return self._extractor.version

    def close(self) -> None:
        """End what the extractor behind this memory holds."""
        close_part(self._extractor)

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """One extraction per problem, in order; all that is not known yet is read in one batch, each picture once."""
        keys = [None if "constraints" in problem.extra else _key(problem) for problem in problems]
        asked = [key for key in keys if key is not None]
        found = self._recalled(asked)
        if any(key not in found for key in asked):
            with self._reading:
                found |= self._recalled(asked)
                wanted = {key: one for key, one in zip(keys, problems, strict=True) if key and key not in found}
                read = dict(zip(wanted, self._extractor.extract(list(wanted.values())), strict=True))
                self._keep(read)
                found |= read
        return [found[key] if key else self._taken(one) for key, one in zip(keys, problems, strict=True)]

    def _taken(self, problem: Problem) -> Extraction:
        return self._given.extract([problem])[0]

    def _recalled(self, keys: Iterable[Key]) -> dict[Key, Extraction]:
        with self._memory:
            found = {key: self._known[key] for key in keys if key in self._known}
            for key in found:
                self._known.move_to_end(key)
            return found

    def _keep(self, read: Mapping[Key, Extraction]) -> None:
        with self._memory:
            self._known |= {key: answer for key, answer in read.items() if answer.problem is None}
            while len(self._known) > self._most:
                self._known.popitem(last=False)


def _key(problem: Problem) -> Key:
    return problem.question, tuple((image, *_state(image)) for image in problem.images)


def _state(image: str) -> tuple[int, int]:
    """When a file was changed and how long it is; nothing of one that is not there, which is then not kept either."""
    try:
        status = os.stat(image)
    except (OSError, ValueError):
        return 0, 0
    return status.st_mtime_ns, status.st_size

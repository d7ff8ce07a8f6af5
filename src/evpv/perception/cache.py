"""Extractions kept on disk, so that an image is read once however many candidates or runs use it."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from evpv.errors import RecordError
from evpv.files import regular_content, tell_once, user_cache, write_whole
from evpv.protocols import Description, Extractor, close_part, description_of, prepare_part
from evpv.records.codec import Codec
from evpv.records.constraints import CONSTRAINT
from evpv.types import Extraction, Problem

_FOLDERS = 256
_LARGEST_IMAGE_BYTES = 100_000_000
_MOST_BYTES = 2_000_000_000
_MOST_LOCKS = 64


_ENTRY = Codec(
    kind=Extraction,
    nested={"constraints": CONSTRAINT},
    omitted=("problem", "answered"),
    required=("constraints", "kind"),
)
"""What is kept of an extraction: that it was read is plain from its being kept."""


class CachedExtractor:
    """Any extractor with a memory, keyed by image bytes and the extractor's version, and by the question if it reads that.

    One small file per answer, whole or not there. Who reads a picture holds its lock meanwhile, so that two requests at
    once, in two processes, mean one reading, and nobody waits for the reading of another picture. An entry that cannot be
    read is read again from the picture. What could not be read at all is not kept, because the cause may be passing. A
    memory that does not work (a full disk, a folder of somebody else's) is told once and gone without. Of more than
    `most_bytes` the entries not used for longest go.
    """

    def __init__(self, extractor: Extractor, folder: str | Path, *, most_bytes: int = _MOST_BYTES) -> None:
        self._extractor = extractor
        self._folder = Path(folder)
        self._most_bytes_of_folder = most_bytes // _FOLDERS

    @property
    def version(self) -> str:
        return self._extractor.version

    @property
    def description(self) -> Description:
        return description_of(self._extractor)

    def prepare(self) -> None:
        """Have the extractor behind this memory load what it needs."""
        prepare_part(self._extractor)

    def close(self) -> None:
        """End what the extractor behind this memory holds."""
        close_part(self._extractor)

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """Remembered answers where there are any; the rest asked for in one batch, each distinct key once."""
        keys = [self._key(problem) or f"#{index}" for index, problem in enumerate(problems)]
        wanted = dict(zip(keys, problems, strict=True))
        known = self._load_known(wanted)
        missing = {key: problem for key, problem in wanted.items() if key not in known}
        if missing:
            with self._lock_keys(missing):
                known |= self._load_known(missing)  # what another process has read while we waited
                unread = {key: problem for key, problem in missing.items() if key not in known}
                answers = dict(zip(unread, self._extractor.extract(list(unread.values())), strict=True))
                for key, answer in answers.items():
                    self._store(key, answer)
                known |= answers
        return [known[key] for key in keys]

    def _key(self, problem: Problem) -> str | None:
        """None where an image cannot be read as a file: then there is nothing to remember it by."""
        question = problem.question if self.description.reads_question else None
        digest = sha256(json.dumps([self.version, question, len(problem.images)]).encode())
        for image in problem.images:
            try:
                digest.update(sha256(regular_content(image, _LARGEST_IMAGE_BYTES)).digest())
            except (OSError, ValueError):
                return None
        return digest.hexdigest()

    @contextmanager
    def _lock_keys(self, keys: Iterable[str]) -> Iterator[None]:
        """Hold the locks of these keys, always in the same order; locks end with their process, however that ends.

        Of a large batch only the first are held, for a process has so many files: the others may be read twice.
        """
        with ExitStack() as held:
            for key in sorted(key for key in keys if not key.startswith("#"))[:_MOST_LOCKS]:
                try:
                    held.enter_context(_lock(self._path(key).with_suffix(".lock")))
                except OSError as error:
                    tell_once(f"the cache of constraints in {self._folder}", error)
            yield

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"

    def _load_known(self, keys: Iterable[str]) -> dict[str, Extraction]:
        """The kept answers of these keys, marked as used just now; one that cannot be read is none."""
        known = {}
        for key in (key for key in keys if not key.startswith("#")):
            path = self._path(key)
            try:
                extraction = _ENTRY.read(json.loads(path.read_bytes()))
                os.utime(path)
            except (OSError, ValueError, RecordError, RecursionError):
                continue
            known[key] = replace(extraction, cost={**extraction.cost, "cached": True})
        return known

    def _store(self, key: str, extraction: Extraction) -> None:
        if key.startswith("#") or extraction.problem is not None:
            return
        try:
            write_whole(self._path(key), json.dumps(_ENTRY.write(extraction), ensure_ascii=False), mode=0o600)
            self._shrink(self._path(key).parent)
        except OSError as error:
            tell_once(f"the cache of constraints in {self._folder}", error)

    def _shrink(self, folder: Path) -> None:
        """Remove the entries of one folder that were not used for longest, if it is full; done now and then, since it looks at all."""
        entries = list(folder.glob("*.json"))
        if len(entries) % 16:
            return
        states = sorted((path.stat().st_mtime, path.stat().st_size, path) for path in entries)
        size = sum(bytes_ for _, bytes_, _ in states)
        for _, bytes_, path in states:
            if size <= self._most_bytes_of_folder:
                return
            path.unlink(missing_ok=True)
            size -= bytes_


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold the lock of this name; its file goes with it, so whoever waited for a file that is gone begins anew."""
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with open(path, "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not path.exists() or not os.path.samestat(os.fstat(file.fileno()), path.stat()):
                continue
            try:
                yield
            finally:
                path.unlink(missing_ok=True)
            return


def cache_folder(setting: str) -> Path:
    """The folder that a recipe's `cache` names; "auto" is where this user's programs keep what they can make again."""
    if setting != "auto":
        return Path(setting).expanduser()
    return user_cache() / "constraints"

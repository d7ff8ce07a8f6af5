"""Extractions kept on disk, so that an image is read once however many candidates or runs use it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from evpv.errors import RecordError
from evpv.protocols import Closable, Description, Extractor, description_of
from evpv.records.constraints import constraints_from_json, constraints_to_json
from evpv.types import Extraction, Problem


class CachedExtractor:
    """Any extractor with a memory, keyed by image bytes and the extractor's version, and by the question if it reads that.

    One small file per answer, written under another name and then moved: two processes may use one folder, and the
    worst they do is read a picture twice. An entry that cannot be read is read again from the picture. What could not
    be read at all is not kept, because the cause may be passing.
    """

    def __init__(self, extractor: Extractor, folder: str | Path) -> None:
        self._extractor = extractor
        self._folder = Path(folder)

    @property
    def version(self) -> str:
        return self._extractor.version

    @property
    def description(self) -> Description:
        return description_of(self._extractor)

    def close(self) -> None:
        """End what the extractor behind this memory holds."""
        if isinstance(self._extractor, Closable):
            self._extractor.close()

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """Remembered answers where there are any; the rest asked for in one batch, each distinct key once."""
        keys = [self._key(problem) for problem in problems]
        known = {key: found for key in set(keys) if key is not None and (found := self._load(key)) is not None}
        asked: dict[str, Problem] = {}
        for index, (key, problem) in enumerate(zip(keys, problems, strict=True)):
            if key not in known:
                asked.setdefault(key or f"#{index}", problem)
        answers = dict(zip(asked, self._extractor.extract(list(asked.values())), strict=True))
        for key, answer in answers.items():
            if not key.startswith("#") and answer.problem is None:
                self._store(key, answer)
        return [(known | answers)[key or f"#{index}"] for index, key in enumerate(keys)]

    def _key(self, problem: Problem) -> str | None:
        """None where an image cannot be read as a file: then there is nothing to remember it by."""
        question = problem.question if self.description.reads_question else None
        digest = sha256(json.dumps([self.version, question, len(problem.images)]).encode())
        for image in problem.images:
            try:
                digest.update(sha256(Path(image).read_bytes()).digest())
            except (OSError, ValueError):
                return None
        return digest.hexdigest()

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"

    def _load(self, key: str) -> Extraction | None:
        try:
            return _from_json(json.loads(self._path(key).read_bytes()))
        except (OSError, ValueError, KeyError, TypeError, RecordError):
            return None

    def _store(self, key: str, extraction: Extraction) -> None:
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}.tmp")
        draft.write_text(json.dumps(_to_json(extraction), ensure_ascii=False), encoding="utf-8")
        draft.replace(path)


def _to_json(extraction: Extraction) -> dict[str, Any]:
    return {
        "constraints": constraints_to_json(extraction.constraints),
        "kind": extraction.kind,
        "unread": list(extraction.unread),
        "cost": dict(extraction.cost),
    }


def _from_json(entry: dict[str, Any]) -> Extraction:
    return Extraction(
        constraints=constraints_from_json(entry["constraints"]),
        kind=entry["kind"],
        unread=tuple(entry.get("unread", ())),
        cost={**entry["cost"], "cached": True},
    )


def cache_folder(setting: str) -> Path:
    """The folder that a recipe's `cache` names; "auto" is where this user's programs keep what they can make again."""
    if setting != "auto":
        return Path(setting).expanduser()
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "evpv" / "constraints"

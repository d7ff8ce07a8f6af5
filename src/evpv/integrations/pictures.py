"""Pictures in the forms that training sets hold them in, as the files that extractors read."""

from __future__ import annotations

import binascii
import os
import shutil
import tempfile
import weakref
from base64 import b64decode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from PIL import Image

from evpv.errors import RecordError

_SAVED_AS_THEY_ARE = frozenset({"1", "L", "LA", "P", "RGB", "RGBA"})


class PictureFiles:
    """Pictures that are no files, kept in a folder of their own under a digest of what they show.

    The same picture is the same file, however often a trainer decodes it anew, so what was read of it is known again.
    The folder goes when this object does.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="evpv-pictures-"))
        self.close = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def paths(self, given: Any) -> tuple[str, ...]:
        """One picture or a list of them, in any form, as paths; None is no picture."""
        many = given if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping) else [given]
        return tuple(self.path(one) for one in many if one is not None)

    def path(self, given: Any) -> str:
        """A path as it is; a PIL picture, bytes, a data URI, or a data set's {"bytes", "path"} as the path of a file."""
        if isinstance(given, Image.Image):
            return self._drawn(given)
        if isinstance(given, bytes):
            return self._kept(given)
        if isinstance(given, Mapping) and ("bytes" in given or "path" in given):
            return self.path(given["bytes"] if given.get("bytes") is not None else given.get("path"))
        if isinstance(given, str) and (content := _content(given)) is not None:
            return self._kept(content)
        if isinstance(given, str | os.PathLike):
            return os.fspath(given)
        raise RecordError(f"is no picture but {type(given).__name__}", field="image")

    def _drawn(self, picture: Image.Image) -> str:
        plain = picture if picture.mode in _SAVED_AS_THEY_ARE else picture.convert("RGB")
        shown = plain.tobytes() + bytes(plain.getpalette() or ())
        place = self._place(sha256(f"{plain.mode} {plain.size} ".encode() + shown), ".png")
        if not place.exists():
            draft = _draft(place)
            plain.save(draft, format="PNG", compress_level=1)
            draft.replace(place)
        return str(place)

    def _kept(self, content: bytes) -> str:
        place = self._place(sha256(content), "")
        if not place.exists():
            draft = _draft(place)
            draft.write_bytes(content)
            draft.replace(place)
        return str(place)

    def _place(self, digest: Any, suffix: str) -> Path:
        return self.folder / f"{digest.hexdigest()[:32]}{suffix}"


def _draft(place: Path) -> Path:
    """Another name beside it, so that a picture is never seen half written, whoever else writes it."""
    number, name = tempfile.mkstemp(dir=place.parent, prefix="draft-")
    os.close(number)
    return Path(name)


def _content(uri: str) -> bytes | None:
    """The bytes of a data URI; None for a path, and for a URI that is broken, which no reader will find either."""
    head, comma, body = uri.partition(",")
    if not head.startswith("data:") or not comma:
        return None
    try:
        return b64decode(body, validate=True) if head.endswith(";base64") else unquote_to_bytes(body)
    except binascii.Error:
        return None

"""The pictures of a problem as the page shows them: inside the page, or linked from it, with their size in pixels."""

from __future__ import annotations

import base64
import binascii
import os
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from evpv.files import regular_content, tell_once
from evpv.records.lines import JsonObject
from evpv.viewer.picture_sizes import picture_kind, picture_size

_LARGEST_BYTES = 4_000_000
"""A larger picture is scaled down when it is put inside the page."""
_LARGEST_FILE_BYTES = 100_000_000
_EMBEDDED_PX = 2000
_THUMBNAIL_PX = 240
_DATA = "data:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """Looks pictures up from the run's `folder` for a page in `page_folder`.

    `embed` puts them inside; `thumbnails` is where small copies go as files, None to put those inside too.
    """

    folder: Path
    page_folder: Path
    embed: bool
    thumbnails: Path | None = None
    _small: dict[str, str] = field(default_factory=dict)

    def shown(self, images: list[str]) -> list[JsonObject]:
        """What the page draws; a picture that cannot be found or is of no kind that browsers show is left out."""
        return [shown for image in images if (shown := self._shown_image(image)) is not None]

    def thumbnail(self, images: list[str], name: str) -> str | None:
        """A small copy of the first picture that there is; without Pillow the picture itself where it is linked."""
        for image in images:
            if image in self._small:
                return self._small[image]
            content = self._content(image)
            if content is None:
                continue
            small = _smaller(content, _THUMBNAIL_PX)
            if small is not None:
                self._small[image] = self._keep_thumbnail(small, name)
                return self._small[image]
            return None if self.embed else self._source(image, content)
        return None

    def _shown_image(self, image: str) -> JsonObject | None:
        content = self._content(image)
        size = picture_size(content) if content is not None else None
        source = self._source(image, content) if content is not None and size is not None else None
        return {"src": source, "width": size[0], "height": size[1]} if source and size else None

    def _content(self, image: str) -> bytes | None:
        """The bytes of a picture that a browser can show; nothing is fetched from other machines."""
        try:
            if image.startswith(_DATA):
                content = base64.b64decode(image.partition(",")[2])
            else:
                content = regular_content(self.folder / image, _LARGEST_FILE_BYTES)
        except (OSError, ValueError, binascii.Error):
            return None
        return content if picture_kind(content) else None

    def _source(self, image: str, content: bytes) -> str | None:
        if not self.embed and not image.startswith(_DATA):
            relative = os.path.relpath((self.folder / image).absolute(), self.page_folder.absolute())
            return quote(Path(relative).as_posix())
        if len(content) <= _LARGEST_BYTES:
            return _data_uri(content)
        smaller = _smaller(content, _EMBEDDED_PX)
        return _data_uri(smaller) if smaller else None

    def _keep_thumbnail(self, small: bytes, name: str) -> str:
        if self.thumbnails is None:
            return _data_uri(small)
        try:
            (self.thumbnails / f"{name}.webp").write_bytes(small)
        except OSError as error:
            tell_once(f"the folder of thumbnails {self.thumbnails}", error)
            return _data_uri(small)
        return quote(f"{self.thumbnails.name}/{name}.webp")


def _data_uri(content: bytes) -> str:
    return f"data:image/{picture_kind(content)};base64,{base64.b64encode(content).decode()}"


def _smaller(content: bytes, longest_px: int) -> bytes | None:
    try:  # here and not above, since the page can do without
        from evpv.viewer.thumbnails import small_picture
    except ModuleNotFoundError:
        return None
    return small_picture(content, longest_px)

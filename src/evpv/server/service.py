"""What the paths of the service share: images held while a request is worked on, and jobs put to the workers."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from evpv.errors import ImageError
from evpv.server.images import IMAGE_ID, Fetcher, ImageStore, StoredImage, checked_image, data_uri_content
from evpv.server.jobs import Reply
from evpv.server.limits import Limits
from evpv.server.pool import Pool

_CLIENT_GONE = 499
_IN_QUERY = re.compile(rf"image:({IMAGE_ID.pattern})\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The workers, the images and the limits; `fetcher` is None where images are not fetched."""

    pool: Pool
    store: ImageStore
    limits: Limits
    fetcher: Fetcher | None

    async def answer(self, request: Request, job: dict[str, Any], images: Sequence[str]) -> Response:
        """Have a job done with its images at hand, unless the client goes away first."""
        if len(images) > self.limits.images:
            raise HTTPException(422, f"a request has at most {self.limits.images} images")
        request_id, held = request.state.request_id, list[str]()
        try:
            for image in images:
                held.append(await self._image_id(image))
            told = {**job, "images": held, "request_id": request_id}
            message = await asyncio.to_thread(json.dumps, told, ensure_ascii=False)
            work = self.pool.ask(message.encode(), client=request.state.who, pixels=self.store.pixels(held))
            reply = await _unless_gone(request, work)
        finally:
            self.store.let_go(held)
        if reply.status != 200:
            body = json.dumps({**json.loads(reply.body), "request_id": request_id}).encode()
            return Response(body, reply.status, media_type="application/json")
        kind = "text/html; charset=utf-8" if job["do"] == "page" else "application/json"
        return Response(reply.body, media_type=kind)

    async def upload(self, content: bytes) -> StoredImage:
        """Keep an image for the requests to come."""
        image = await asyncio.to_thread(checked_image, content, self.limits.pixels)
        self.store.hold_new(image, content)
        self.store.let_go([image.id])
        return image

    def check_count(self, what: str, values: Sequence[object]) -> None:
        if len(values) > self.limits.candidates:
            raise HTTPException(422, f"a request has at most {self.limits.candidates} {what}")

    async def _image_id(self, image: str) -> str:
        """An image by its id, held: it was uploaded, is in the request, or is fetched."""
        if IMAGE_ID.fullmatch(image):
            self.store.hold_known(image)
            return image
        if image.startswith("data:"):
            content = await asyncio.to_thread(data_uri_content, image)
        elif not image.startswith(("http://", "https://")):
            raise ImageError("an image is a data URI, the id of an uploaded image, or an http(s) address")
        elif self.fetcher is None:
            raise ImageError("this service fetches no images: send a data URI, or upload it with POST /v1/images")
        else:
            content = await asyncio.to_thread(self.fetcher.fetch, image)
        checked = await asyncio.to_thread(checked_image, content, self.limits.pixels)
        self.store.hold_new(checked, content)
        return checked.id


def images_of(given: str | list[str] | None) -> list[str]:
    """The images of a request as a list."""
    return [given] if isinstance(given, str) else list(given or ())


def split_query(query: str) -> tuple[list[str], str]:
    """The images that a question names at its beginning, and the question itself.

    >>> split_query("image:" + 64 * "0" + " How long is AB?")[1]
    'How long is AB?'
    """
    images = []
    while named := _IN_QUERY.match(query):
        images.append(named[1])
        query = query[named.end() :]
    return images, query


async def _unless_gone(request: Request, work: Coroutine[Any, Any, Reply]) -> Reply:
    """The work's result; it is cancelled when the client hangs up."""

    async def wait_until_gone() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    doing, gone = asyncio.create_task(work), asyncio.create_task(wait_until_gone())
    try:
        await asyncio.wait({doing, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise HTTPException(_CLIENT_GONE, "the client went away")
        return doing.result()
    finally:
        doing.cancel()
        gone.cancel()

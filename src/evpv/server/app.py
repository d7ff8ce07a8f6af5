"""The service as an application: images held while a request is worked on, its paths, the page at `/`, and what they refuse.

At `/` one drops a figure, pastes a question and candidates, and sees the viewer, whose own page is put into a frame as a blob that
inherits this page's policy: so the policy names the two scripts and the two styles that may be used, by their digests, and
nothing else runs, loads or leaves.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Header, Request, Security
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

import evpv
from evpv.errors import EvpvError, ImageError, RecordError
from evpv.records.lines import parse_json
from evpv.server import messages
from evpv.server.images import Fetcher, ImageStore, NoRoomError, StoredImage, UnknownImageError, checked_image
from evpv.server.jobs import Reply
from evpv.server.limits import Limits
from evpv.server.metrics import Metrics
from evpv.server.pool import BusyError, Pool, TooSlowError, WorkerLostError
from evpv.viewer.bundle import digest
from evpv.viewer.images import data_uri_content

_CLIENT_GONE = 499
_IMAGE_ID = re.compile(r"[0-9a-f]{64}")
_IN_QUERY = re.compile(rf"image:({_IMAGE_ID.pattern})\s*")
_DESCRIPTION = "Ranks solutions of a problem with a figure: what each says it sees is checked before its reasoning."
_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": messages.Refused, "description": meaning}
    for status, meaning in (
        (400, "The body is not JSON."),
        (401, "No key, or a wrong one."),
        (403, "Without keys: another host's name, or another site's page."),
        (404, "An image id that is not, or no longer, here."),
        (408, "The body took too long to arrive."),
        (411, "The body comes without its length."),
        (413, "The body is too large."),
        (415, "The body is of another type."),
        (422, "The body does not say what it should."),
        (429, "Too many requests; Retry-After says when to come back."),
        (500, "The service failed."),
        (502, "A model that the recipe asks did not answer."),
        (503, "Too many connections, or too much is being received."),
        (504, "Not done in time."),
    )
}
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_IMAGE_BODY = {
    "requestBody": {"required": True, "content": {f"image/{kind}": _BINARY for kind in ("png", "jpeg", "webp")}}
}
_TEXT = {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "Prometheus' text format."}
_PAGE = {"content": {"text/html": {"schema": {"type": "string"}}}, "description": "A page that needs nothing else."}


class _StrictRequest(Request):
    """Reads JSON as the rest of evpv does: no NaN, no duplicate keys, no lone surrogates, no endless nesting.

    How many values there are is counted first, at the speed of memory: reading ten million would keep everyone waiting.
    """

    most_values: int

    async def json(self) -> Any:
        body = await self.body()
        if body.count(b",") + body.count(b":") + body.count(b"[") > self.most_values:
            raise HTTPException(422, f"the JSON of a request holds at most {self.most_values} values")
        try:
            return await asyncio.to_thread(lambda: parse_json(body.decode("utf-8")))
        except UnicodeDecodeError:
            raise HTTPException(400, "the body is not UTF-8") from None
        except RecordError as error:
            raise HTTPException(400, f"the body {error.message}") from None


def _strict_route(most_values: int) -> type[APIRoute]:
    class StrictRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handle = super().get_route_handler()

            async def strictly(request: Request) -> Response:
                strict = _StrictRequest(request.scope, request.receive)
                strict.most_values = most_values
                return await handle(strict)

            return strictly

    return StrictRoute


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
        image = await asyncio.to_thread(checked_image, content, self.limits.pixels)
        self.store.hold_new(image, content)
        self.store.let_go([image.id])
        return image

    def check_count(self, what: str, values: Sequence[object]) -> None:
        if len(values) > self.limits.candidates:
            raise HTTPException(422, f"a request has at most {self.limits.candidates} {what}")

    async def _image_id(self, image: str) -> str:
        """An image by its id, held: it was uploaded, is in the request, or is fetched."""
        if _IMAGE_ID.fullmatch(image):
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


def _images_of(given: str | list[str] | None) -> list[str]:
    return [given] if isinstance(given, str) else list(given or ())


def _split_query(query: str) -> tuple[list[str], str]:
    """The images that a question names at its beginning, and the question itself.

    >>> _split_query("image:" + 64 * "0" + " How long is AB?")[1]
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


@dataclass(frozen=True, slots=True)
class _Paths:
    service: Service
    metrics_: Metrics

    async def rerank(
        self, request: Request, body: messages.RerankRequest, x_evpv_image: Annotated[str | None, Header()] = None
    ) -> Response:
        """Rank candidate solutions by what they see and how they reason.

        The image comes in the body's `image`, in the header `X-EVPV-Image` (ids, with commas), or as `image:ID` at the
        beginning of the query; without one the steps are judged by their text alone.
        """
        self.service.check_count("documents", body.documents)
        named, question = _split_query(body.query)
        in_header = [name.strip() for name in (x_evpv_image or "").split(",") if name.strip()]
        asked = body.model_dump(include={"documents", "options", "top_n", "return_documents"})
        job = {"do": "rerank", "question": question, **asked}
        return await self.service.answer(request, job, [*_images_of(body.image), *in_header, *named])

    async def verify(self, request: Request, body: messages.VerifyRequest) -> Response:
        """The full trace of one problem: constraints, each candidate's steps with claims and verdicts, the ranking."""
        return await self._verify(request, body, "verify")

    async def revise(self, request: Request, body: messages.ReviseRequest) -> Response:
        """The trace after the recipe's policy was told what its candidates misread and wrote them anew from there."""
        return await self._verify(request, body, "revise")

    async def page(self, request: Request, body: messages.VerifyRequest) -> Response:
        """The same as a page that shows where in the figure each claim was met."""
        return await self._verify(request, body, "page")

    async def mend(self, request: Request, body: messages.MendRequest) -> Response:
        """The trace after a person mended one fact: claims matched and candidates ranked again, nothing kept."""
        return await self.service.answer(request, {"do": "mend", **body.model_dump()}, [])

    async def extract(self, request: Request, body: messages.ExtractRequest) -> Response:
        """What can be read from a figure, without candidates."""
        job = {"do": "extract", "question": body.question}
        return await self.service.answer(request, job, _images_of(body.image))

    async def match(self, request: Request, body: messages.MatchRequest) -> Response:
        """Claims against constraints, without an image."""
        self.service.check_count("claims", body.claims)
        return await self.service.answer(request, {"do": "match", **body.model_dump()}, [])

    async def upload(self, request: Request) -> Response:
        """Keep an image, given as the body, for the requests that name it by its id."""
        return JSONResponse(asdict(await self.service.upload(await request.body())), 201)

    async def healthz(self) -> Response:
        """Whether the service is alive."""
        return self._health(200, "ok")

    async def readyz(self) -> Response:
        """Whether the service can take work: 503 while no worker is ready."""
        return self._health(200, "ready") if self.service.pool.ready else self._health(503, "not ready")

    async def metrics(self) -> Response:
        """Counters for Prometheus."""
        return Response(self.metrics_.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def front(self) -> Response:
        """A page to try the service with."""
        page, policy = _page()
        return HTMLResponse(page, headers={"content-security-policy": policy})

    async def _verify(self, request: Request, body: messages.VerifyRequest, action: str) -> Response:
        self.service.check_count("candidates", body.candidates)
        job = {"do": action, **body.model_dump(exclude={"image"})}
        return await self.service.answer(request, job, _images_of(body.image))

    def _health(self, status: int, word: str) -> Response:
        pool = self.service.pool
        counts = {"workers": pool.ready, "running": pool.running, "waiting": pool.waiting}
        return JSONResponse({"status": word, **counts}, status)


def create_app(service: Service, metrics: Metrics) -> FastAPI:
    """The application, without its middleware and without starting anything."""
    app = FastAPI(
        title="evpv", version=evpv.__version__, description=_DESCRIPTION, docs_url=None, redoc_url=None, redirect_slashes=False,
    )  # fmt: skip
    paths, health = _Paths(service, metrics), {"model": messages.Health}
    app.include_router(_asking(paths))
    app.add_api_route("/healthz", paths.healthz, methods=["GET"], responses={200: health})
    app.add_api_route("/readyz", paths.readyz, methods=["GET"], responses={200: health, 503: health})
    app.add_api_route("/", paths.front, methods=["GET"], include_in_schema=False)
    for kind in (RequestValidationError, HTTPException, EvpvError, Exception):
        app.add_exception_handler(kind, _refusal)
    return app


def _asking(paths: _Paths) -> APIRouter:
    """The paths that need a key. The key is checked by the middleware; here it is only documented."""
    router = APIRouter(
        route_class=_strict_route(paths.service.limits.values),
        dependencies=[Security(HTTPBearer(auto_error=False))],
        responses=_REFUSALS,
    )
    for path, action, answer in (
        ("/v1/rerank", paths.rerank, messages.RERANK),
        ("/v1/verify", paths.verify, messages.TRACE),
        ("/v1/revise", paths.revise, messages.TRACE),
        ("/v1/mend", paths.mend, messages.TRACE),
        ("/v1/extract", paths.extract, messages.EXTRACT),
        ("/v1/match", paths.match, messages.MATCHES),
    ):
        router.add_api_route(path, action, methods=["POST"], responses={200: {"model": answer.model}})
    for path in ("/v2/rerank", "/rerank"):  # where other versions of the clients look
        router.add_api_route(path, paths.rerank, methods=["POST"], include_in_schema=False)
    router.add_api_route("/v1/page", paths.page, methods=["POST"], responses={200: _PAGE})
    router.add_api_route(
        "/v1/images", paths.upload, methods=["POST"], status_code=201,
        responses={201: {"model": StoredImage}}, openapi_extra=_IMAGE_BODY,
    )  # fmt: skip
    router.add_api_route("/metrics", paths.metrics, methods=["GET"], responses={200: _TEXT})
    return router


_STATUSES = {BusyError: 429, TooSlowError: 504, WorkerLostError: 500, UnknownImageError: 404, NoRoomError: 503}


async def _refusal(request: Request, error: Exception) -> Response:
    """What is wrong, and where; what was sent is not sent back. A bug's traceback goes to the log, with the request's id."""
    status, field, headers = 500, "", dict[str, str]()
    message = "the service failed; its log says why under this request's id"
    match error:
        case RequestValidationError():
            first = error.errors()[0]
            parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"][1:])
            status, message = 422, str(first["msg"]).removeprefix("Value error, ")
            field = "".join(parts).lstrip(".")
        case HTTPException():
            status, message, headers = error.status_code, str(error.detail), dict(error.headers or {})
        case EvpvError():
            status, message = _STATUSES.get(type(error), 422), str(error)
            if isinstance(error, BusyError):
                headers = {"retry-after": str(error.retry_after_s)}
    answer = {"message": message, "field": field, "request_id": request.state.request_id}
    return JSONResponse({name: value for name, value in answer.items() if value}, status, headers)


_PLACE = re.compile(r"\{\{(style|script|example)\}\}")


@cache
def _page() -> tuple[str, str]:
    """The page with a problem to try, whose text cannot end the element that holds it; and its policy."""
    own, viewer = files("evpv.server").joinpath("page"), files("evpv.viewer").joinpath("static")
    names = ("index.html", "page.css", "page.js", "example.json")
    frame, style, script, problem = (own.joinpath(name).read_text(encoding="utf-8") for name in names)
    theirs = (viewer.joinpath(f"page.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
    scripts, styles = (f"'{digest(own)}' '{digest(other)}'" for own, other in zip((script, style), theirs, strict=True))
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; img-src data: blob:; connect-src 'self'; "
        "frame-src blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types evpv"
    )
    figure = base64.b64encode(own.joinpath("example.png").read_bytes()).decode()
    example = json.dumps({**json.loads(problem), "figure": figure}).replace("<", "\\u003c")
    filled = {"style": style, "script": script, "example": example}
    return _PLACE.sub(lambda place: filled[place[1]], frame), policy

"""A server of the Model Context Protocol: agents ask what a figure shows before they act on it.

Three tools (`read_figure`, `check_claims`, `rank_solutions`) with short structured answers, and the page of the last
rankings as a resource. A picture is a path inside the allowed roots or a data address; nothing is fetched.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Annotated, ParamSpec, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from evpv.assembly import Verifier
from evpv.errors import EvpvError
from evpv.types import Constraint, Extraction, Problem, Trace
from evpv.viewer import write_page
from evpv.viewer.images import data_uri_content
from evpv.viewer.summaries import describe, first_bad_step

_MAX_PICTURE_BYTES = 20_000_000
MAX_CLAIMS, MAX_CLAIM_LENGTH = 100, 4_000
MAX_SOLUTIONS, MAX_SOLUTION_LENGTH = 64, 100_000
_KEPT_PAGES = 16
_TOO_LARGE = f"the picture is larger than {_MAX_PICTURE_BYTES:,} bytes."

_INSTRUCTIONS = (
    "Checks what is said about a figure (chart, table, diagram) against what can be read in it, on this machine. "
    "Use check_claims before relying on a value read from a picture: 'contradicted' comes with what stands there and "
    "where; 'missing' means that it could not be checked, not that it is false."
)

_Picture = Annotated[
    str, Field(description="A path inside the allowed folders, or a data: address with a base64 image.")
]
_ClaimText = Annotated[str, Field(max_length=MAX_CLAIM_LENGTH)]
_SolutionText = Annotated[str, Field(max_length=MAX_SOLUTION_LENGTH)]
_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


class FactShown(BaseModel):
    """One fact read from the figure: in words, where it was seen (x0, y0, x1, y1 in pixels), and how sure."""

    fact: str
    box: list[float] | None
    confidence: float


class FigureShown(BaseModel):
    """What was read; `problem` says why where nothing was."""

    kind: str | None
    problem: str | None
    facts: list[FactShown]


class CheckedClaim(BaseModel):
    """A claim, what the figure says of it, and the fact that decided."""

    claim: str
    verdict: str
    explanation: str
    read: FactShown | None


class RankedSolution(BaseModel):
    """A solution's place: its index in the request, its answer, and the first thing wrong with it, if anything is."""

    index: int
    answer: str | None
    score: float
    fault: str | None


class RankedSolutions(BaseModel):
    """The solutions in order. Where `tied`, several are best and nothing chose between them; `page` is a resource."""

    best: list[int]
    tied: bool
    order: list[RankedSolution]
    problem: str | None
    page: str


def create_server(verifier: Verifier, roots: Sequence[Path]) -> MCPServer:
    """The server over one verifier; pictures by path must lie inside `roots`."""
    tools = _Tools(verifier, roots)
    server = MCPServer("evpv", instructions=_INSTRUCTIONS)
    for tool in (tools.read_figure, tools.check_claims, tools.rank_solutions):
        server.tool()(tool)
    page = server.resource(
        "evpv://pages/{name}", mime_type="text/html", description="The page of a ranking: why, and where."
    )
    page(tools.page)
    return server


def _tool(work: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
    """The work with what evpv refuses on purpose as the tool's error, without a traceback."""

    @wraps(work)
    def answer(*given: _Given.args, **named: _Given.kwargs) -> _Answer:
        try:
            return work(*given, **named)
        except EvpvError as error:
            raise ToolError(str(error)) from None

    return answer


class _Tools:
    """The tools as agents see them: their texts and schemas are these methods'. The server runs each in a thread."""

    def __init__(self, verifier: Verifier, roots: Sequence[Path]) -> None:
        self._verifier = verifier
        self._roots = [root.resolve() for root in roots]
        self._pages: OrderedDict[str, str] = OrderedDict()

    @_tool
    def read_figure(self, picture: _Picture) -> FigureShown:
        """Read a figure: every value, relation and structure found in it, with its place in the picture."""
        extraction = self._read(picture)
        facts = [_fact(constraint) for constraint in extraction.constraints]
        return FigureShown(kind=extraction.kind, problem=extraction.problem, facts=facts)

    @_tool
    def check_claims(
        self, picture: _Picture, claims: Annotated[list[_ClaimText], Field(min_length=1, max_length=MAX_CLAIMS)]
    ) -> list[CheckedClaim]:
        """Check statements about a figure: supported, contradicted (with what stands there), missing or unparsed."""
        constraints = self._read(picture).constraints
        match = self._verifier.pipeline.method.matcher(constraints)
        checked = []
        for claim, found in zip(claims, map(match, claims), strict=True):
            read = None if found.constraint is None else _fact(constraints[found.constraint])
            checked.append(CheckedClaim(claim=claim, verdict=found.verdict, explanation=found.explanation, read=read))
        return checked

    @_tool
    def rank_solutions(
        self,
        picture: _Picture,
        question: _SolutionText,
        solutions: Annotated[list[_SolutionText], Field(min_length=1, max_length=MAX_SOLUTIONS)],
        options: Annotated[list[_ClaimText], Field(max_length=MAX_CLAIMS)] = [],  # noqa: B006  (a schema's default)
    ) -> RankedSolutions:
        """Rank written solutions of a question about a figure, each with the first thing that is wrong with it."""
        candidates = [{"id": str(i), "response": text} for i, text in enumerate(solutions)]
        asked = {"id": "asked", "question": question, "options": list(options), "candidates": candidates}
        with self._file(picture) as path:
            ranked = self._verifier.rank({**asked, "image": str(path)})
            trace = ranked.trace
            page = self._keep_page(trace)
        order = []
        for candidate in ranked.order:
            bad = first_bad_step(candidate)
            fault = None if bad is None else f"step {bad[0] + 1}: {bad[1]}"
            index, answer = int(candidate.id), candidate.final_answer
            order.append(RankedSolution(index=index, answer=answer, score=candidate.score, fault=fault))
        best, problem = [int(name) for name in trace.ranking.best], trace.extraction.problem
        return RankedSolutions(best=best, tied=trace.ranking.tied, order=order, problem=problem, page=page)

    def page(self, name: str) -> str:
        if name not in self._pages:
            raise ToolError(f"there is no page '{name}'; the last {_KEPT_PAGES} are kept.")
        return self._pages[name]

    def _keep_page(self, trace: Trace) -> str:
        with tempfile.TemporaryDirectory(prefix="evpv-mcp-") as folder:
            path = Path(folder) / "page.html"
            write_page(path, [trace], title="evpv")
            text = path.read_text(encoding="utf-8")
        name = hashlib.sha256(text.encode()).hexdigest()[:12]
        self._pages[name] = text
        if len(self._pages) > _KEPT_PAGES:
            self._pages.popitem(last=False)
        return f"evpv://pages/{name}"

    def _read(self, picture: str) -> Extraction:
        with self._file(picture) as path:
            problem = Problem(id="asked", question="", images=(str(path),))
            return self._verifier.pipeline.extractor.extract([problem])[0]

    @contextmanager
    def _file(self, picture: str) -> Iterator[Path]:
        """The file of a picture: inside the roots, or written from its data for as long as it is needed."""
        if not picture.startswith("data:"):
            yield self._allowed_path(picture)
            return
        if 0.75 * len(picture) > _MAX_PICTURE_BYTES:
            raise ToolError(_TOO_LARGE)
        with tempfile.TemporaryDirectory(prefix="evpv-mcp-") as folder:
            path = Path(folder) / "picture"
            path.write_bytes(data_uri_content(picture))
            yield path

    def _allowed_path(self, picture: str) -> Path:
        path = Path(picture).expanduser().resolve()
        if not any(path.is_relative_to(root) for root in self._roots):
            allowed = ", ".join(map(str, self._roots)) or "none"
            raise ToolError(f"the picture lies outside the allowed folders ({allowed}); start with --root for others.")
        if not path.is_file():
            raise ToolError(f"there is no file {picture}.")
        if path.stat().st_size > _MAX_PICTURE_BYTES:
            raise ToolError(_TOO_LARGE)
        return path


def _fact(constraint: Constraint) -> FactShown:
    box = None if constraint.box is None else [round(edge, 1) for edge in constraint.box]
    return FactShown(fact=describe(constraint), box=box, confidence=round(constraint.confidence, 3))

"""Problems as JSON lines: one reader for every layout, one form when written.

Image paths stand relative to the file; in a `Problem` they are joined to the file's folder, so that they open from
wherever the program runs. URLs and data URLs are left as they are.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from evpv.errors import RecordError
from evpv.files import regular_content
from evpv.records.candidates import CANDIDATE, SOLUTION, Solution, SolutionHint, named_candidate
from evpv.records.codec import Codec, Identifier, OrString, TextOrNumber, validate, within
from evpv.records.lines import JsonObject, Line, OnError, Skipped, parse_object, read_records, write_records
from evpv.types import Candidate, Problem, RejectedAnswer, SamplingReport, Step

_LOOKED_FOR: dict[type, dict[str, str]] = {
    Problem: {"image": "images", **{name: name for name in ("question", "options", "candidates", "answer")}},
    Candidate: {"final_answer": "final_answer"},
    Step: {"claim": "claim"},
}
_NEAR = {Problem: 0.75, Candidate: 0.65, Step: 0.75}
"""How like a known name a mistyped one is at least; a candidate's `answer` is still like `final_answer`."""
_OTHER_NAMES = {"source": "data_source", "policy": "policy_model"}
_NOT_A_PATH = re.compile(r"data:|[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_POLICY_REPLY = re.compile(r"vlmresponse[1-9][0-9]{0,5}")


_ImagePath = Annotated[str, Field(min_length=1, pattern=r"^[^\x00]*$")]
_Images = Annotated[
    list[_ImagePath],
    BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
    OrString(),
    AfterValidator(tuple),
]
_SAMPLING = Codec(kind=SamplingReport, nested={"rejected": Codec(kind=RejectedAnswer)})
_PROBLEM: Codec[Any] = Codec(
    kind=Problem,
    types={
        "id": (Identifier | None, None), "question": (str, ""), "images": (_Images | None, None),
        "options": (list[TextOrNumber] | None, None), **dict.fromkeys(("answer", "group", "part"), (TextOrNumber | None, None)),
        "candidates": (list[SolutionHint] | None, None),
    },
    names={"images": "image"},
    encoders={"images": lambda images: images[0] if len(images) == 1 else list(images)},
    nested={"sampling": _SAMPLING, "candidates": CANDIDATE},
    written=("candidates",), build=dict,
)  # fmt: skip
PROBLEM_ADAPTER = _PROBLEM.adapter


def _question(**found: Any) -> Problem:
    return Problem(id="", **{**found, "images": found["images"] or (), "options": tuple(found["options"] or ())})


QUESTION: Codec[Problem] = replace(_PROBLEM, omitted=("id", "candidates"), build=_question)
"""All that a problem says beside its id and candidates."""


def read_problems(path: str | Path, *, on_error: OnError = "stop", report: Skipped | None = None) -> Iterator[Problem]:
    """The problems of a file, one at a time; an id that was there before is an error, since runs resume by it."""
    return (problem for _, problem in placed_problems(path, on_error=on_error, report=report))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a problem stands in its file: its line, and the byte that the line begins at."""

    problem_id: str
    line: int
    start: int


def placed_problems(
    path: str | Path, *, on_error: OnError = "stop", report: Skipped | None = None
) -> Iterator[tuple[Place, Problem]]:
    """The problems of a file with their places, so that whoever works on one can read it there."""
    folder, seen = os.path.dirname(path), set[str]()

    def convert(record: JsonObject, line: Line) -> tuple[Place, Problem]:
        problem = problem_from_json(record, folder=folder, default_id=f"line-{line.number}")
        if problem.id in seen:
            raise RecordError(f"{problem.id!r} is the id of an earlier problem too", field="id")
        seen.add(problem.id)
        return Place(problem_id=problem.id, line=line.number, start=line.start), problem

    return read_records(path, convert, on_error=on_error, report=report)


def read_placed(path: str | Path, places: Iterable[Place]) -> Iterator[Problem]:
    """The problems at these places; the file must be as it was when the places were taken."""
    with open(path, "rb") as handle:
        for place in places:
            handle.seek(place.start)
            raw = handle.readline().removeprefix(b"\xef\xbb\xbf")
            name, folder = f"line-{place.line}", os.path.dirname(path)
            problem = problem_from_json(parse_object(raw), folder=folder, default_id=name)
            if problem.id != place.problem_id:
                raise RecordError("the file was changed while it was read", file=str(path), line=place.line)
            yield problem


def write_problems(path: str | Path, problems: Iterable[Problem]) -> int:
    """Write problems in our own form, image paths relative to the file, and return how many."""
    folder = os.path.dirname(path)
    return write_records(path, (problem_to_json(problem, folder=folder) for problem in problems))


def problem_from_json(record: JsonObject, *, folder: str = "", default_id: str | None = None) -> Problem:
    """A problem from any of its layouts. `default_id` serves rows of other people's files, which may have no id."""
    found = _PROBLEM.read(with_own_names(record) if isinstance(record, dict) else record)
    problem_id, given, extra = found.pop("id"), found.pop("candidates"), found["extra"]
    if given is not None:
        solutions = {f"candidates[{i}]": (str(i + 1), one) for i, one in enumerate(given)}
    else:
        solutions = _take_replies(extra)
        problem_id = problem_id or (default_id if solutions else None)
    if problem_id is None:
        raise RecordError("is missing", field="id")
    asked, candidates = _question(**found), dict[str, Candidate]()
    for field, (own_id, solution) in solutions.items():
        candidate = named_candidate(solution, own_id, asked.question, asked.options)
        if candidate.id in candidates:
            raise RecordError(f"{candidate.id!r} is the id of an earlier candidate too", field=f"{field}.id")
        candidates[candidate.id] = candidate
    return replace(asked, id=problem_id, images=joined_images(asked, folder), candidates=tuple(candidates.values()))


def problem_to_json(problem: Problem, *, folder: str = "") -> JsonObject:
    """A problem in our own layout, its image paths relative to `folder`.

    An absolute path outside the folder stays absolute: the file may be moved, what it points at is not.
    """
    images = []
    for image in problem.images:
        path = image if _NOT_A_PATH.match(image) else os.path.relpath(image, folder or os.curdir)
        images.append(image if os.path.isabs(image) and path.startswith(os.pardir) else path)
    return _PROBLEM.write(replace(problem, images=tuple(images)))


def joined_images(problem: Problem, folder: str) -> tuple[str, ...]:
    """The problem's images joined to the folder that they are named from."""
    return tuple(
        image if _NOT_A_PATH.match(image) else os.path.normpath(os.path.join(folder, image)) for image in problem.images
    )


def run_images(problem: Problem, folder: str) -> tuple[str, ...]:
    """The problem's images as named from a run's folder, so that both can be moved together."""
    return tuple(image if _NOT_A_PATH.match(image) else os.path.relpath(image, folder) for image in problem.images)


def _take_replies(extra: JsonObject) -> dict[str, tuple[str, Solution]]:
    """Candidates that stand beside the question, taken out of `extra`: field name to id and solution.

    They are `vlmresponse1`, `vlmresponse2`, ... of the paper's code, or the one `response` of a VisualProcessBench row.
    """
    names = [name for name, value in extra.items() if _POLICY_REPLY.fullmatch(name) and value is not None]
    names.sort(key=lambda name: int(name.removeprefix("vlmresponse")))
    found: dict[str, tuple[str, Solution]] = {}
    for name in names:
        with within(name):
            found[name] = name.removeprefix("vlmresponse"), validate(SOLUTION, extra.pop(name))
    if not found and extra.get("response") is not None:
        found["response"] = "1", validate(SOLUTION, {"response": extra.pop("response")})
    return found


def with_own_names(record: JsonObject) -> JsonObject:
    """The record with what others call a problem's source and policy under the names that they have here."""
    for theirs, ours in _OTHER_NAMES.items():
        if isinstance(record.get(theirs), str) and record.get(ours) is None:
            rest = {name: value for name, value in record.items() if name not in (theirs, ours)}
            record = {ours: record[theirs], **rest}
    return record


def near_misses(problem: Problem) -> Iterator[tuple[str, str]]:
    """Unknown fields that look like a mistyped known one that is not there: the name, and what was probably meant."""
    steps = [step for candidate in problem.candidates for step in candidate.steps]
    parts: list[Problem | Candidate | Step] = [problem, *problem.candidates, *steps]
    for one in parts:
        if one.extra:
            absent = [name for name, value in _LOOKED_FOR[type(one)].items() if not getattr(one, value)]
            for name in one.extra:
                if close := difflib.get_close_matches(name, absent, n=1, cutoff=_NEAR[type(one)]):
                    yield name, close[0]


_MOST_BYTES = 512_000_000
"""Larger pictures, and what is no regular file, count by their names: no reader opens them either."""


def problem_digest(problem: Problem) -> str:
    """The digest of a problem's question, options, candidates and the bytes of its images.

    Gold answers and labels are left out: they decide nothing that is asked. A picture that cannot be opened counts by its
    name, so that a problem is done again once its picture is there.
    """
    # What the policy wrote; a claim that the auditor filled in follows from it.
    candidates = []
    for one in problem.candidates:
        steps = ((step.text, step.claim if step.claim_from == "policy" else None) for step in one.steps)
        candidates.append((one.id, one.final_answer, *steps))
    said = json.dumps([problem.id, problem.question, problem.options, candidates], ensure_ascii=False)
    digest = blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16)
    for image in problem.images:
        seen = image.encode("utf-8", "surrogatepass")
        if not image.startswith("data:"):
            with suppress(OSError, ValueError):
                seen = blake2b(regular_content(image, _MOST_BYTES), digest_size=16).digest()
        digest.update(seen)
    return digest.hexdigest()

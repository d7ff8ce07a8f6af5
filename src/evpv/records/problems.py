"""Problems as JSON lines: one reader for every layout, one form when written.

Image paths stand relative to the file; in a `Problem` they are joined to the file's folder, so that they open from
wherever the program runs. URLs and data URLs are left as they are.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, TypeAdapter

from evpv.errors import RecordError
from evpv.records.candidates import CANDIDATE, AnyForm, CandidateForm, candidate_to_json, stated_fields
from evpv.records.lines import (
    JsonObject,
    OnError,
    Skipped,
    convert_lines,
    parse_object,
    placed_lines,
    read_records,
    with_extra,
    write_records,
)
from evpv.records.validation import Form, Identifier, OrString, TextOrNumber, validate, within
from evpv.types import Candidate, Problem, Step

PROBLEM_FIELDS = ("answer", "data_source", "policy_model", "group", "part", "split")
_LOOKED_FOR: dict[type, dict[str, str]] = {
    Problem: {
        "image": "images",
        "question": "question",
        "options": "options",
        "candidates": "candidates",
        "answer": "answer",
    },
    Candidate: {"final_answer": "final_answer"},
    Step: {"claim": "claim"},
}
_NEAR = {Problem: 0.75, Candidate: 0.65, Step: 0.75}
"""How like a known name a mistyped one is at least; a candidate's `answer` is still like `final_answer`."""
_OTHER_NAMES = {"source": "data_source", "policy": "policy_model"}
_NOT_A_PATH = re.compile(r"data:|[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_POLICY_REPLY = re.compile(r"vlmresponse[1-9][0-9]{0,5}")


def _one_image_as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


_ImagePath = Annotated[str, Field(min_length=1, pattern=r"^[^\x00]*$")]
_Images = Annotated[list[_ImagePath], BeforeValidator(_one_image_as_list), OrString()]


class QuestionForm(Form):
    """What a problem asks and where it comes from."""

    question: str = ""
    image: _Images | None = None
    options: list[TextOrNumber] | None = None
    answer: TextOrNumber | None = None
    data_source: str | None = None
    policy_model: str | None = None
    group: TextOrNumber | None = None
    part: TextOrNumber | None = None
    split: str | None = None

    def to_problem(
        self, problem_id: str, candidates: tuple[Candidate, ...], extra: JsonObject, folder: str | None
    ) -> Problem:
        """The problem with its candidates, its images joined to `folder`; without one they stay as they are named."""
        return Problem(
            id=problem_id,
            question=self.question,
            images=tuple(image if folder is None else _join_path(folder, image) for image in self.image or ()),
            options=tuple(self.options or ()),
            answer=self.answer,
            data_source=self.data_source,
            policy_model=self.policy_model,
            group=self.group,
            part=self.part,
            split=self.split,
            candidates=candidates,
            extra=extra,
        )


class ProblemForm(QuestionForm):
    """A problem: image and question, with the candidates that answer it."""

    id: Identifier | None = None
    candidates: list[CandidateForm] | None = None


PROBLEM = TypeAdapter(ProblemForm)


def read_problems(path: str | Path, *, on_error: OnError = "stop", report: Skipped | None = None) -> Iterator[Problem]:
    """The problems of a file, one at a time; an id that was there before is an error, since runs resume by it."""
    return read_records(path, _with_new_id(path), on_error=on_error, report=report)


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
    start = 0
    as_problem = _with_new_id(path)

    def lines() -> Iterator[tuple[int, bytes]]:
        nonlocal start
        for number, start, raw in placed_lines(path):  # noqa: B007 - `convert` takes the start of the line it is at
            yield number, raw

    def convert(record: JsonObject, line: int) -> tuple[Place, Problem]:
        problem = as_problem(record, line)
        return Place(problem_id=problem.id, line=line, start=start), problem

    return convert_lines(lines(), convert, file=str(path), on_error=on_error, report=report)


def read_placed(path: str | Path, places: Iterable[Place]) -> Iterator[Problem]:
    """The problems at these places; the file must be as it was when the places were taken."""
    with open(path, "rb") as handle:
        for place in places:
            handle.seek(place.start)
            raw = handle.readline().removeprefix(b"\xef\xbb\xbf")
            problem = problem_from_json(
                parse_object(raw), folder=os.path.dirname(path), default_id=f"line-{place.line}"
            )
            if problem.id != place.problem_id:
                raise RecordError("the file was changed while it was read", file=str(path), line=place.line)
            yield problem


def _with_new_id(path: str | Path) -> Callable[[JsonObject, int], Problem]:
    """What makes a file's records problems, and refuses an id that one of them had before."""
    folder = os.path.dirname(path)
    seen: set[str] = set()

    def convert(record: JsonObject, line: int) -> Problem:
        problem = problem_from_json(record, folder=folder, default_id=f"line-{line}")
        if problem.id in seen:
            raise RecordError(f"{problem.id!r} is the id of an earlier problem too", field="id")
        seen.add(problem.id)
        return problem

    return convert


def write_problems(path: str | Path, problems: Iterable[Problem]) -> int:
    """Write problems in our own form, image paths relative to the file, and return how many."""
    folder = os.path.dirname(path)
    return write_records(path, (problem_to_json(problem, folder=folder) for problem in problems))


def problem_from_json(record: JsonObject, *, folder: str = "", default_id: str | None = None) -> Problem:
    """A problem from any of its layouts. `default_id` serves rows of other people's files, which may have no id."""
    form = validate(PROBLEM, with_own_names(record) if isinstance(record, dict) else record)
    extra = form.extra
    if form.candidates is not None:
        forms = {f"candidates[{i}]": (str(i + 1), one) for i, one in enumerate(form.candidates)}
    else:
        forms = _take_replies(extra)
    problem_id = form.id or (default_id if forms and form.candidates is None else None)
    if problem_id is None:
        raise RecordError("is missing", field="id")
    candidates = _candidates(forms, form.question, form.options or ())
    return form.to_problem(problem_id, candidates, extra, folder)


def problem_to_json(problem: Problem, *, folder: str = "") -> JsonObject:
    """A problem in our own form, its image paths relative to `folder`."""
    candidates = [candidate_to_json(candidate) for candidate in problem.candidates]
    images = [_relative(folder, image) for image in problem.images]
    return {"id": problem.id, **question_to_json(problem, images), "candidates": candidates}


def run_images(problem: Problem, folder: str | None) -> list[str]:
    """The problem's images as named from a run's folder, so that both can be moved together; without one as they are."""
    if folder is None:
        return list(problem.images)
    return [image if _NOT_A_PATH.match(image) else os.path.relpath(image, folder) for image in problem.images]


def question_to_json(problem: Problem, images: list[str]) -> JsonObject:
    """All that a problem says beside its id and candidates, its images so named."""
    known: JsonObject = {}
    if images:
        known["image"] = images[0] if len(images) == 1 else images
    known["question"] = problem.question
    if problem.options:
        known["options"] = list(problem.options)
    known |= stated_fields(problem, PROBLEM_FIELDS)
    return with_extra(known, problem.extra, reserved=("id", "candidates", "image", "options", *PROBLEM_FIELDS))


def _take_replies(extra: JsonObject) -> dict[str, tuple[str, AnyForm]]:
    """Candidates that stand beside the question, taken out of `extra`: field name to id and form.

    They are `vlmresponse1`, `vlmresponse2`, ... of the paper's code, or the one `response` of a VisualProcessBench row.
    """
    names = [name for name in extra if _POLICY_REPLY.fullmatch(name) and extra[name] is not None]
    names.sort(key=lambda name: int(name.removeprefix("vlmresponse")))
    if names:
        return {name: (name.removeprefix("vlmresponse"), _reply_form(name, extra.pop(name))) for name in names}
    if extra.get("response") is not None:
        return {"response": ("1", validate(CANDIDATE, {"response": extra.pop("response")}))}
    return {}


def _reply_form(name: str, value: Any) -> AnyForm:
    try:
        return validate(CANDIDATE, value)
    except RecordError as error:
        raise within(name, error) from None


def _candidates(forms: dict[str, tuple[str, AnyForm]], question: str, options: Sequence[str]) -> tuple[Candidate, ...]:
    candidates: dict[str, Candidate] = {}
    for field, (default_id, form) in forms.items():
        candidate = form.to_candidate(default_id, question, options)
        if candidate.id in candidates:
            raise RecordError(f"{candidate.id!r} is the id of an earlier candidate too", field=f"{field}.id")
        candidates[candidate.id] = candidate
    return tuple(candidates.values())


def with_own_names(record: JsonObject) -> JsonObject:
    """The record with what others call a problem's source and policy under the names that they have here."""
    for theirs, ours in _OTHER_NAMES.items():
        if isinstance(record.get(theirs), str) and record.get(ours) is None:
            record = {
                ours: record[theirs],
                **{name: value for name, value in record.items() if name not in (theirs, ours)},
            }
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


def _join_path(folder: str, image: str) -> str:
    return image if _NOT_A_PATH.match(image) else os.path.normpath(os.path.join(folder, image))


def _relative(folder: str, image: str) -> str:
    """An absolute path outside the folder stays absolute: the file may be moved, what it points at is not."""
    if _NOT_A_PATH.match(image):
        return image
    path = os.path.relpath(image, folder or os.curdir)
    return image if os.path.isabs(image) and path.startswith(os.pardir) else path

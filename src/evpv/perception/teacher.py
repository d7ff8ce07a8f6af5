"""`Teacher`: a strong model writes the constraints that an extractor is trained on (Appendix D.2 and C)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import ClassVar, Literal, Protocol, TypeVar

from evpv.backends.ledger import identity
from evpv.backends.prompts import Prompt, load_prompt, question_text, steps_text
from evpv.errors import RecordError, unknown_name
from evpv.perception.chat import (
    CONSTRAINTS_SCHEMA,
    asking_description,
    extraction_of,
    extractions,
    read_constraints_answer,
)
from evpv.protocols import Asking, ChatReply, ChatRequest, Description
from evpv.records import constraints_to_json, problem_to_json
from evpv.records.lines import JsonObject
from evpv.records.runs import Journal
from evpv.types import Extraction, Problem

_Reference = Literal["none", "where-given", "required"]
_BATCH = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Teacher(Asking):
    """An extractor whose answers are kept only when all of them keep to the schema of Appendix A to the letter.

    `reference` says whether the model is shown the problem's own solution: "none" is the prompt of Appendix D.2,
    "where-given" and "required" are Appendix C's practice. A reference is the field `reference_steps` of the problem,
    or else the steps of its first candidate that is marked `correct`.
    """

    max_tokens: int = 4096
    reference: _Reference = "where-given"
    prompt: str = "teacher"
    description: ClassVar[Description] = asking_description(reads_question=True)
    _ask: Prompt = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.reference not in ("none", "where-given", "required"):
            raise unknown_name("value of 'reference':", str(self.reference), ("none", "where-given", "required"))
        required = ("question_text",) if self.reference == "none" else ("question_text", "reference_steps_text")
        prompt = load_prompt(self.prompt, required=required, optional=("reference_steps_text",))
        object.__setattr__(self, "_ask", prompt)

    @property
    def version(self) -> str:
        """The model and a digest of all that decides its answers."""
        decides = f"{identity(self.backend)} {self._ask.digest} {self.reference} {self.sampling}"
        return f"teacher-{self.backend.name}-{sha256(decides.encode()).hexdigest()[:16]}"

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """One extraction per problem; without a picture, or a reference that is wanted, nothing is asked."""
        return extractions(problems, self.backend, self._request, _lesson, self._known_answer)

    def _known_answer(self, problem: Problem) -> Extraction | None:
        if not problem.images:
            return Extraction(problem="there is no image")
        if self.reference == "required" and not reference_steps(problem):
            return Extraction(problem="there are no reference steps")
        return None

    def _request(self, problem: Problem) -> ChatRequest:
        reference = None if self.reference == "none" else reference_steps(problem)
        steps = steps_text(reference) if reference else None
        asked = self._ask.fill({"question_text": question_text(problem), "reference_steps_text": steps})
        return self.request(problem, "teach", asked, CONSTRAINTS_SCHEMA)


def _lesson(reply: ChatReply) -> Extraction:
    """What was taught; an answer with anything in it that is no constraint is a problem as a whole."""
    if reply.text is None:
        return Extraction(problem=f"the model gave no answer: {reply.problem}", answered=False)
    answer = read_constraints_answer(reply.text, to_the_letter=True)
    extraction = extraction_of(reply, answer)
    wrong = [one for one in answer.dropped if one.reason != "it was said before"]
    if extraction.problem is None and wrong:
        return Extraction(problem=f"constraint {wrong[0].place}: {wrong[0].reason}", cost=extraction.cost)
    return extraction


@dataclass(slots=True, kw_only=True)
class CorpusCounts:
    """How much of a corpus was written, and why the rest was not."""

    written: int = 0
    filtered: int = 0
    already: int = 0


def write_corpus(path: str | Path, problems: Iterable[Problem], teacher: Teacher) -> CorpusCounts:
    """Ask the teacher about each problem and append what it taught: {"id", "image", "question", "constraints", "teacher"}.

    Answers that fail the schema are left out, with the reason and the raw text.
    """

    def lessons(batch: Sequence[Problem]) -> Iterator[tuple[JsonObject, JsonObject]]:
        for problem, read in zip(batch, teacher.extract(batch), strict=True):
            taught = {"constraints": constraints_to_json(read.constraints)}
            yield (
                _source(problem, Path(path).parent),
                taught if read.problem is None else {"problem": read.problem, **read.cost},
            )

    return grow_corpus(path, ("teacher", teacher.version), problems, lessons)


class _Named(Protocol):
    @property
    def id(self) -> str: ...


_Item = TypeVar("_Item", bound=_Named)


def grow_corpus(
    path: str | Path,
    writer: tuple[str, str],
    items: Iterable[_Item],
    ask: Callable[[Sequence[_Item]], Iterable[tuple[JsonObject, JsonObject]]],
) -> CorpusCounts:
    """Ask for the rows of items and append them, each as what it is about and what was said; `writer` is told in both files.

    What has a `problem` is left out of the corpus and noted in PATH with `.filtered` added. A run that was interrupted
    goes on where it stopped: an id in either file is not asked again. A file of another writer is refused.
    """
    target, counts, (name, version) = Path(path), CorpusCounts(), writer

    def check(record: JsonObject) -> None:
        if record.get(name) != version:
            raise RecordError(f"was written by another {name}; choose another file", field=name)

    with Journal(target, check) as corpus, Journal(target.with_name(target.name + ".filtered"), check) as out:
        known, waiting = corpus.done | out.done, iter(items)
        while batch := list(islice(waiting, _BATCH)):
            new = [one for one in batch if one.id not in known]
            counts.already += len(batch) - len(new)
            for about, said in ask(new) if new else ():
                (out if "problem" in said else corpus).append({**about, name: version, **said})
                counts.filtered += "problem" in said
                counts.written += "problem" not in said
    return counts


def reference_steps(problem: Problem) -> list[str] | None:
    """The steps of a solution that is known to be right, if the problem has one."""
    given = problem.extra.get("reference_steps")
    if isinstance(given, list) and all(isinstance(step, str) for step in given):
        return given or None
    for candidate in problem.candidates:
        if candidate.correct is True:
            return [step.text for step in candidate.steps]
    return None


def _source(problem: Problem, folder: Path) -> JsonObject:
    record = problem_to_json(problem, folder=str(folder))
    return {name: record[name] for name in ("id", "image", "question", "options") if name in record}

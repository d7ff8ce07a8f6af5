"""Corpora that a teacher or the model itself writes: constraints with reference steps, and preference pairs (Appendix C).

A file grows line by line and is gone on with after a stop: an id that is in it, or among what was left out, is not asked
about again. What is left out stands with its reason in a file beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TypeVar

from evpv.backends.ledger import identity
from evpv.backends.prompts import load_prompt
from evpv.backends.step_forms import canonical, facts_text
from evpv.errors import RecordError
from evpv.perception.chat import CONSTRAINTS_SCHEMA, Teacher, read_constraints_answer
from evpv.protocols import ChatBackend, ChatReply, ChatRequest, Sampling
from evpv.records import constraints_to_json, problem_to_json, read_problems
from evpv.records.lines import JsonObject, numbered_lines, parse_object
from evpv.records.runs import Journal
from evpv.training.pictures import Picture, distance, picture_fault, picture_rows
from evpv.training.screening import RowFaults, usable
from evpv.training.trajectories import Trajectory, is_visualprm, random_rows, trajectory_fault, trajectory_rows
from evpv.types import Constraint, Problem

_STAGE = "pair"
_REWRITE = load_prompt("teacher-rewrite", required=("question_text", "constraints_json_text"))
_BATCH = 32
_Facts = tuple[Constraint, ...]


@dataclass(slots=True, kw_only=True)
class _CorpusCounts:
    """How much of a corpus was written, and why the rest was not."""

    written: int = 0
    filtered: int = 0
    already: int = 0


def write_corpus(path: str | Path, problems: Iterable[Problem], teacher: Teacher) -> _CorpusCounts:
    """Ask the teacher about each problem and append what it taught: {"id", "image", "question", "constraints", "teacher"}.

    Answers that fail the schema are left out, with the reason and the raw text.
    """

    def lessons(batch: Sequence[Problem]) -> Iterator[tuple[JsonObject, JsonObject]]:
        for problem, read in zip(batch, teacher.extract(batch), strict=True):
            record = problem_to_json(problem, folder=str(Path(path).parent))
            about: JsonObject = {
                name: record[name] for name in ("id", "image", "question", "options") if name in record
            }
            taught = {"constraints": constraints_to_json(read.constraints)}
            yield about, taught if read.problem is None else {"problem": read.problem, **read.cost}

    return _grow_corpus(path, ("teacher", teacher.version), problems, lessons)


_Item = TypeVar("_Item", Problem, Picture)


def _grow_corpus(
    path: str | Path,
    writer: tuple[str, str],
    items: Iterable[_Item],
    ask: Callable[[Sequence[_Item]], Iterable[tuple[JsonObject, JsonObject]]],
) -> _CorpusCounts:
    """Ask for the rows of items and append them, each as what it is about and what was said; `writer` is told in both files.

    What has a `problem` is left out of the corpus and noted in PATH with `.filtered` added. A run that was interrupted
    goes on where it stopped: an id in either file is not asked again. A file of another writer is refused.
    """
    target, counts, (name, version) = Path(path), _CorpusCounts(), writer

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


def drawn_problems(source: str | Path, *, sample: int = 0, seed: int = 0, skip: Collection[str] = ()) -> list[Problem]:
    """The problems to be taught: of labelled solutions each picture and question once, with a right solution's steps.

    `sample` of them (0: all) by `seed`, none whose id is in `skip`.
    """
    file = Path(source)
    if file.is_file() and file.suffix != ".json" and not is_visualprm(file):  # a .json lists such files
        found: Iterable[Problem] = read_problems(source)
    else:
        found = _questions(usable(trajectory_rows(source), trajectory_fault, "skip", RowFaults()))
    return random_rows((problem for problem in found if problem.id not in skip), sample, seed)


def ids_in(path: str | Path) -> frozenset[str]:
    """The ids of a corpus, so that another draw can leave them out."""
    return frozenset(str(parse_object(raw).get("id")) for _, raw in numbered_lines(path))


@dataclass(frozen=True, slots=True, kw_only=True)
class TeacherRewrites:
    """A teacher writes the list that a careless reader might have given; an answer off the schema, or the same, is none."""

    backend: ChatBackend
    temperature: float = 0.7
    max_tokens: int = 4096
    kind: str = field(default="teacher", init=False)

    @property
    def version(self) -> str:
        return _version("rewrites", self.backend, _REWRITE.digest, self.temperature)

    def rejections(self, pictures: Sequence[Picture]) -> list[_Facts | str]:
        sampling = Sampling(temperature=self.temperature, max_tokens=self.max_tokens, seed=0)
        asked = [{"question_text": one.question, "constraints_json_text": facts_text(_facts(one))} for one in pictures]
        requests = [_request(one, _REWRITE.fill(said), sampling) for one, said in zip(pictures, asked, strict=True)]
        answers = zip(pictures, self.backend.ask(requests), strict=True)
        return [_wrong_answer([reply], _facts(picture)) for picture, reply in answers]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSamples:
    """The extractor's own answers at some temperature: of those that are wrong, the one nearest to the truth.

    A rule's rewrite is rejected at sight by a model that reads well; its own mistakes are what it must unlearn.
    """

    backend: ChatBackend
    samples: int = 8
    temperature: float = 1.0
    max_tokens: int = 1024
    kind: str = field(default="sample", init=False)

    @property
    def version(self) -> str:
        return _version("samples", self.backend, str(self.samples), self.temperature)

    def rejections(self, pictures: Sequence[Picture]) -> list[_Facts | str]:
        usual = Sampling(temperature=self.temperature, max_tokens=self.max_tokens)
        seeded = [replace(usual, seed=seed) for seed in range(self.samples)]
        replies = iter(self.backend.ask([_request(one, one.question, how) for one in pictures for how in seeded]))
        return [_wrong_answer(list(islice(replies, self.samples)), _facts(one)) for one in pictures]


def _request(picture: Picture, prompt: str, sampling: Sampling) -> ChatRequest:
    return ChatRequest(
        prompt=prompt, images=(str(picture.image),), schema=CONSTRAINTS_SCHEMA, sampling=sampling, stage=_STAGE,
        problem_id=picture.id,
    )  # fmt: skip


def write_pairs(path: str | Path, corpus: str | Path, writer: TeacherRewrites | OwnSamples) -> _CorpusCounts:
    """Ask for a pair for each picture of a corpus and append it: {"id", "image", "question", "chosen", "rejected", …}."""

    def pairs(batch: Sequence[Picture]) -> Iterator[tuple[JsonObject, JsonObject]]:
        for picture, facts in zip(batch, writer.rejections(batch), strict=True):
            about = {"id": picture.id, "image": str(picture.image.resolve()), "question": picture.question}
            if isinstance(facts, str):
                yield about, {"problem": facts}
                continue
            chosen = _facts(picture)
            sides = {"chosen": constraints_to_json(chosen), "rejected": constraints_to_json(facts)}
            yield about, {**sides, "kind": writer.kind, "margin": round(distance(facts, chosen), 6)}

    pictures = usable(picture_rows(corpus), picture_fault, "skip", RowFaults())
    return _grow_corpus(path, ("writer", writer.version), pictures, pairs)


def _questions(rows: Iterable[Trajectory]) -> Iterator[Problem]:
    """Each picture and question once; its reference is the first of its solutions that is right throughout."""
    found: dict[str, Trajectory] = {}
    for row in rows:
        name = sha256(json.dumps([[str(image) for image in row.images], row.question]).encode()).hexdigest()[:16]
        if name not in found or (row.right and not found[name].right):
            found[name] = row
    for name, row in found.items():
        extra = {"reference_steps": list(row.steps)} if row.right else {}
        images = tuple(str(image.resolve()) for image in row.images)
        yield Problem(id=name, question=row.question, images=images, data_source=row.source or None, extra=extra)


def _wrong_answer(replies: Sequence[ChatReply], truth: _Facts) -> _Facts | str:
    """Of the answers that keep to the schema and are not the truth the nearest to it, or why there is none."""
    reasons, wrong = [], []
    for reply in replies:
        answer = read_constraints_answer(reply.text or "", to_the_letter=True)
        if reply.text is None or answer.problem is not None or answer.dropped:
            reasons.append(f"no valid answer: {reply.problem or answer.problem or answer.dropped[0][1]}")
        elif not distance(answer.constraints, truth):
            reasons.append("it says the same")
        else:
            wrong.append(answer.constraints)
    return min(wrong, key=lambda facts: distance(facts, truth)) if wrong else reasons[0]


def _facts(picture: Picture) -> _Facts:
    return canonical(picture.facts)


def _version(name: str, backend: ChatBackend, asked: str, temperature: float) -> str:
    decides = f"{identity(backend)} {asked} {temperature}"
    return f"{name}-{backend.name}-{sha256(decides.encode()).hexdigest()[:16]}"

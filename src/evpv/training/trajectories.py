"""Step-labelled solutions: what the verifier learns from, whatever file they come from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from evpv.backends.step_forms import asked_text
from evpv.errors import RecordError
from evpv.records import given_constraints, problem_from_json
from evpv.records.lines import numbered_lines, parse_object
from evpv.training.screening import RowFault, rows_of
from evpv.types import Constraint

_Row = TypeVar("_Row")
_PAPER_SUBSETS = ("Geo170K", "GeometryData", "GeomVerse", "GEOS", "MAVIS-Geometry", "TabMWP", "UniGeo")
"""The geometry and table sources of VisualPRM400K that the paper trains on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """One solution with a label per step: the share of completions from there that were right, or 0 and 1."""

    id: str
    question: str
    steps: tuple[str, ...]
    labels: tuple[float, ...]
    images: tuple[Path, ...] = ()
    constraints: tuple[Constraint, ...] | None = field(default=None, hash=False)
    source: str = ""
    pixels: int = 0  # the most of each picture that its row has room for; 0 where the recipe's own limits are enough

    @property
    def right(self) -> bool:
        """Whether every continuation of every step ended right: steps that can stand as a reference."""
        return bool(self.labels) and min(self.labels) == 1.0

    def hard(self, threshold: float) -> tuple[float, ...]:
        """Labels made 0 or 1: right above the threshold, as VisualPRM counts a step right if any completion is."""
        return tuple(float(label > threshold) for label in self.labels)

    def first_wrong(self, threshold: float) -> str:
        """The number of the first step that is wrong, or "none"."""
        return next((str(i) for i, label in enumerate(self.labels, start=1) if label <= threshold), "none")


def trajectory_fault(row: Trajectory, place: str) -> RowFault | None:
    """What is wrong with a trajectory, if anything: each kind has a name, so that it can be counted."""
    checks = (
        ("empty", not row.steps, "has no steps"),
        ("empty step", any(not step.strip() for step in row.steps), "has a step without text"),
        ("label count", len(row.steps) != len(row.labels), f"has {len(row.steps)} steps, {len(row.labels)} labels"),
        ("label value", not all(math.isfinite(x) and 0 <= x <= 1 for x in row.labels), "has a label outside [0, 1]"),
        ("no question", not row.question.strip(), "has no question"),
        ("missing image", any(not image.is_file() for image in row.images), "names an image that is not there"),
    )
    for kind, wrong, message in checks:
        if wrong:
            return RowFault(place=place, kind=kind, message=message)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Annotations:
    """A file of rows and the folders that its image paths may be relative to."""

    file: Path
    roots: tuple[Path, ...]

    def image(self, name: str) -> Path:
        """Where a picture is: under the first root that has it, else where the first root would."""
        paths = [root / name for root in self.roots]
        return next((path for path in paths if path.is_file()), paths[0])


def _annotation_files(path: str | Path, root: str = "") -> list[_Annotations]:
    """The files that a name stands for: a file of rows, a folder of them, or a list of sources.

    A list of sources is a JSON object, source → {"root": image folder, "annotation": file}, as InternVL's data are
    published; both are relative to the list, or to the folder above it. `root` is tried before all else.
    """
    place = Path(path)
    if place.is_dir():
        found = sorted(file for file in place.rglob("*.jsonl") if not file.name.startswith("."))
        if not found:
            raise RecordError("holds no .jsonl file", file=str(place))
        return [_Annotations(file=file, roots=_roots(root, place, file.parent)) for file in found]
    if place.suffix == ".json":
        return _listed_sources(place, root)
    return [_Annotations(file=place, roots=_roots(root, place.parent, place.parent.parent))]


def trajectory_rows(path: str | Path, root: str = "") -> Iterator[tuple[str, Trajectory | RowFault]]:
    """Labelled solutions from VisualPRM400K or from problem files, told by each file's first row, one file after another."""
    for one in _annotation_files(path, root):
        yield from _visualprm_rows(one) if is_visualprm(one.file) else problem_rows(one.file)


def is_visualprm(file: Path) -> bool:
    """Whether a file's first row is a labelled solution of VisualPRM400K, rather than a problem."""
    first = next(numbered_lines(file), (0, b""))[1]
    return b'"conversations"' in first or b'"steps_with_score"' in first


def _visualprm_rows(annotations: _Annotations) -> Iterator[tuple[str, Trajectory | RowFault]]:
    """Rows of VisualPRM400K as trajectories, soft labels kept: its raw form or its multi-turn form.

    Raw rows have `question` and `steps_with_score` (the share of continuations that ended right). In the multi-turn
    form a human's turn is a step, the first with the question before it, and each answer is `+` or `-`. The source is
    told by the annotation file's name or a folder of the image; case and punctuation do not count ("mavis_geometry").
    """
    wanted, file = tuple(map(_plain, _PAPER_SUBSETS)), annotations.file

    def convert(line: dict[str, Any], number: int) -> list[Trajectory]:
        images = [line["image"]] if isinstance(line.get("image"), str) else [*map(str, line.get("image") or ())]
        names = [str(line.get("source", "")), *Path(*images[:1]).parts, file.stem]
        source = next((name for name in names if _plain(name).startswith(wanted)), None)
        if source is None:
            return []
        question, steps, labels = (_raw if "steps_with_score" in line else _turns)(line)
        return [
            Trajectory(
                id=str(line.get("id", f"{file.stem}-{number}")), steps=tuple(map(str.strip, steps)),
                question=question.replace("<image>", "").replace("### Question:", "").strip(),
                labels=tuple(labels), images=tuple(map(annotations.image, images)), source=source,
            )
        ]  # fmt: skip

    return rows_of(file, convert)


def _raw(line: Mapping[str, Any]) -> tuple[str, list[str], list[float]]:
    scored = [step for step in line["steps_with_score"] or () if isinstance(step, Mapping)]
    question = str(line.get("question_orig") or line.get("question", ""))
    return question, [str(step.get("step", "")) for step in scored], [_share(step.get("score")) for step in scored]


def _turns(line: Mapping[str, Any]) -> tuple[str, list[str], list[float]]:
    turns = list(line.get("conversations", ()))
    said, answers = ([str(t.get("value", "")) for t in turns if t.get("from") == who] for who in ("human", "gpt"))
    question, _, first = said[0].partition("### Solution Process:") if said else ("", "", "")
    labels = [{"+": 1.0, "-": 0.0, "−": 0.0}.get(answer.strip(), math.nan) for answer in answers]
    return question, ([first] if first.strip() else []) + said[1:], labels


def problem_rows(path: str | Path) -> Iterator[tuple[str, Trajectory | RowFault]]:
    """Candidates of a problem file whose steps carry a `label` of 1 or −1 (what `evpv figures` writes), or a `soft_label`."""

    def convert(line: dict[str, Any], number: int) -> list[Trajectory]:
        problem = problem_from_json(line, folder=str(Path(path).parent), default_id=str(number))
        known, found = given_constraints(problem), []
        for candidate in problem.candidates:
            labels = (step.extra.get("soft_label", step.label) for step in candidate.steps)
            found.append(
                Trajectory(
                    id=f"{problem.id}/{candidate.id}", question=asked_text(problem),
                    steps=tuple(step.text for step in candidate.steps),
                    labels=tuple(_share(label) for label in labels if label is not None),
                    images=tuple(map(Path, problem.images)), constraints=known, source=problem.data_source or "",
                )
            )  # fmt: skip
        return found

    return rows_of(path, convert)


def random_rows(rows: Iterable[_Row], count: int, seed: int) -> list[_Row]:
    """Some rows drawn evenly from all, in one reading and with no more than these in memory; all if `count` is 0."""
    rng, drawn = Random(seed), list[_Row]()
    for place, row in enumerate(rows):
        if not count or len(drawn) < count:
            drawn.append(row)
        elif (at := rng.randrange(place + 1)) < count:
            drawn[at] = row
    return drawn


def _listed_sources(place: Path, root: str) -> list[_Annotations]:
    def possible(name: str) -> tuple[Path, Path]:
        return place.parent / name, place.parent.parent / name

    found = []
    try:
        for one in parse_object(place.read_bytes()).values():
            files = possible(one["annotation"])
            file = next((file for file in files if file.is_file()), files[0])
            found.append(_Annotations(file=file, roots=_roots(root, *possible(one.get("root", "")), place.parent)))
    except (KeyError, TypeError, AttributeError, OSError) as error:
        said = f'must be an object, source → {{"root", "annotation"}} ({error!r})'
        raise RecordError(said, file=str(place)) from None
    return found


def _roots(root: str, *folders: Path) -> tuple[Path, ...]:
    stated = (Path(root),) if root else ()
    return (*stated, *(one for folder in folders for one in (folder, folder / "images")))


def _share(label: Any) -> float:
    """A label as a share: −1 is 0; what is no number is not a number, and is found by `trajectory_fault`."""
    if isinstance(label, bool) or not isinstance(label, (int, float)):
        return math.nan
    return 0.0 if label == -1 else float(label)


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())

"""Step-labelled solutions: what the verifier learns from, whatever file they come from."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evpv.errors import RecordError
from evpv.records import constraints_from_json
from evpv.training.data.faults import Fault
from evpv.types import Constraint

PAPER_SUBSETS = ("Geo170K", "GeometryData", "GeomVerse", "GEOS", "MAVIS-Geometry", "TabMWP", "UniGeo")
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

    def hard(self, threshold: float) -> tuple[float, ...]:
        """Labels made 0 or 1: right above the threshold, as VisualPRM counts a step right if any completion is."""
        return tuple(float(label > threshold) for label in self.labels)


def trajectory_fault(row: Trajectory, place: str) -> Fault | None:
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
            return Fault(place=place, kind=kind, message=message)
    return None


def visualprm_rows(path: str | Path, sources: Sequence[str] = PAPER_SUBSETS) -> Iterator[tuple[str, Trajectory]]:
    """Rows of VisualPRM400K as trajectories, soft labels kept: its raw form or its multi-turn form.

    Raw rows have `question` and `steps_with_score` (the share of continuations that ended right). In the multi-turn
    form a human's turn is a step, the first with the question before it, and each answer is `+` or `-`. The source is
    told by the annotation file's name or a folder of the image; case and punctuation do not count ("mavis_geometry").
    """
    wanted = tuple(_plain(name) for name in sources)
    file = Path(path)
    for number, line in enumerate(_lines(file), start=1):
        source = _source(line, file, wanted)
        if source is not None:
            made = _raw if "steps_with_score" in line else _turns
            yield f"{file.name}:{number}", made(line, file.parent, f"{file.stem}-{number}", source)


def problem_rows(path: str | Path) -> Iterator[tuple[str, Trajectory]]:
    """Candidates of a problem file whose steps carry a `label` of 1 or −1 (what `evpv figures` writes)."""
    file = Path(path)
    for number, line in enumerate(_lines(file), start=1):
        facts = None if line.get("constraints") is None else constraints_from_json(line["constraints"])
        for candidate in line.get("candidates", ()):
            steps = candidate.get("steps", ())
            yield (
                f"{file.name}:{number}",
                Trajectory(
                    id=f"{line.get('id', number)}/{candidate.get('id', '')}",
                    question=_asked(line),
                    steps=tuple(str(step.get("text", "")) for step in steps),
                    labels=tuple(_share(step.get("label")) for step in steps if "label" in step),
                    images=_images(line, file.parent),
                    constraints=facts,
                    source=str(line.get("family", "")),
                ),
            )


def _asked(line: Mapping[str, Any]) -> str:
    """The question with its options, which candidates name by letter."""
    options = line.get("options") or ()
    listed = " ".join(f"({chr(ord('A') + i)}) {option}" for i, option in enumerate(options))
    return f"{line.get('question', '')} {listed}".strip()


def _raw(line: Mapping[str, Any], folder: Path, name: str, source: str) -> Trajectory:
    scored = [step for step in line["steps_with_score"] or () if isinstance(step, Mapping)]
    return Trajectory(
        id=str(line.get("id", name)),
        question=_bare(str(line.get("question_orig") or line.get("question", ""))),
        steps=tuple(str(step.get("step", "")).strip() for step in scored),
        labels=tuple(_share(step.get("score")) for step in scored),
        images=_images(line, folder),
        source=source,
    )


def _turns(line: Mapping[str, Any], folder: Path, name: str, source: str) -> Trajectory:
    turns = list(line.get("conversations", ()))
    said = [str(turn.get("value", "")) for turn in turns if turn.get("from") == "human"]
    answers = [str(turn.get("value", "")).strip() for turn in turns if turn.get("from") == "gpt"]
    question, _, first = said[0].partition("### Solution Process:") if said else ("", "", "")
    return Trajectory(
        id=str(line.get("id", name)),
        question=_bare(question),
        steps=tuple(step.strip() for step in ([first] if first.strip() else []) + said[1:]),
        labels=tuple(map(_sign, answers)),
        images=_images(line, folder),
        source=source,
    )


def _bare(question: str) -> str:
    return question.replace("<image>", "").replace("### Question:", "").strip()


def _images(line: Mapping[str, Any], folder: Path) -> tuple[Path, ...]:
    image = line.get("image")
    names = [image] if isinstance(image, str) else list(image or ())
    return tuple(folder / str(name) for name in names)


def _sign(answer: str) -> float:
    return {"+": 1.0, "-": 0.0, "−": 0.0}.get(answer, math.nan)


def _share(label: Any) -> float:
    """A label as a share: −1 is 0; what is no number is not a number, and is found by `trajectory_fault`."""
    if isinstance(label, bool) or not isinstance(label, (int, float)):
        return math.nan
    return 0.0 if label == -1 else float(label)


def _source(line: Mapping[str, Any], file: Path, wanted: tuple[str, ...]) -> str | None:
    image = line.get("image")
    first = image if isinstance(image, str) else next(iter(image or ()), "")
    names = [str(line.get("source", "")), *Path(str(first)).parts, file.stem]
    return next((name for name in names if _plain(name).startswith(wanted)), None)


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _object(line, file, number)
    except OSError as error:
        raise RecordError(str(error.strerror), file=str(file)) from None


def _object(line: str, file: Path, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise RecordError(f"no JSON: {error.msg}", file=str(file), line=number) from None
    if not isinstance(value, dict):
        raise RecordError("must be an object", file=str(file), line=number)
    return value

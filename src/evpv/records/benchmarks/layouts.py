"""One row of a data set → the JSON object of a problem. The fields' names are the data sets' own.

`images` in the result are paths, or bytes where the data set holds its pictures inside. `group` joins the problems that a
group-level score counts together, `part` says which of them a problem is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from evpv.errors import RecordError

Row: TypeAlias = Mapping[str, Any]
Layout: TypeAlias = Callable[[Row, str], dict[str, Any]]
"""A row and what it is called if it has no name of its own → a problem's object."""

_IN_THE_PICTURE = "Solve the problem that is written in the picture."
"""What is asked where a data set has its question in the picture only."""
_CHOICES = re.compile(r"\n?\s*Choices?\s*:\s*\n?", re.IGNORECASE)
_LETTERED = re.compile(r"(?:^|[\n;,]\s*|\s{2,})\(?([A-J])[.):]\s*")


def mathvista(row: Row, name: str) -> dict[str, Any]:
    """`annot_testmini.json` or the hub's table: a multiple-choice answer is the choice's text."""
    return _problem(
        "MathVista", row, _word(row, "pid", name), image=row.get("image"), options=row.get("choices"),
        bytes_of=row.get("decoded_image"), unit=row.get("unit"), precision=row.get("precision"),
        question_type=row.get("question_type"),
    )  # fmt: skip


def mathvision(row: Row, name: str) -> dict[str, Any]:
    """`test.jsonl`. Options that are only the letters say nothing and are left out."""
    options = [option for option in row.get("options") or [] if str(option) not in "ABCDE"]
    return _problem(
        "MathVision", row, _word(row, "id", name), image=row.get("image"), options=options,
        bytes_of=row.get("decoded_image"), level=row.get("level"), subject=row.get("subject"),
    )  # fmt: skip


def mathverse(row: Row, name: str) -> dict[str, Any]:
    """`testmini.json`. MathVerse-VO is `problem_version` “Vision Only”: its question stands in the picture and nowhere else.

    `question_for_eval` is for who scores answers; to show it would turn the vision-only split into a text one.
    """
    question, options = _choices(str(row.get("question") or _IN_THE_PICTURE))
    return _problem(
        "MathVerse", {**row, "question": question}, _word(row, "sample_index", name), image=row.get("image"), options=options,
        problem_version=row.get("problem_version"), group=_word(row, "problem_index", ""),
    )  # fmt: skip


def wemath(row: Row, name: str) -> dict[str, Any]:
    """`testmini.json`. A composite problem and its one-step parts share an ID; `key` says which is which."""
    key = str(row.get("key") or "")
    group = _word(row, "ID", name)
    return _problem(
        "WeMath", row, f"{group}-{key}" if key else group, image=row.get("image_path") or row.get("image"),
        options=_lettered_options(str(row.get("option") or "")), group=group, part=key,
    )  # fmt: skip


def logicvista(row: Row, name: str) -> dict[str, Any]:
    """`dataset.json`, an object of rows by name; options stand in the question or in the picture."""
    image = row.get("imagename") or row.get("image")
    found = f"images/{image}" if isinstance(image, str) and "/" not in image else image
    skill = row.get("skill")
    return _problem("LogicVista", row, name, image=found, skill=", ".join(skill) if isinstance(skill, list) else skill)


def mmmu(row: Row, name: str) -> dict[str, Any]:
    """The hub's table: options are a list written as text, pictures stand in `image_1` … `image_7`."""
    pictures = [row[f"image_{k}"] for k in range(1, 8) if row.get(f"image_{k}")]
    return _problem("MMMU", row, _word(row, "id", name), options=_as_list(row.get("options")), bytes_of=pictures)


def dynamath(row: Row, name: str) -> dict[str, Any]:
    """One row per variant of a seed question; the worst case counts a seed only if all its variants are right."""
    seed = _word(row, "id", name)
    variant = row.get("variant", row.get("varid"))
    return _problem(
        "DynaMath", {**row, "answer": row.get("ground_truth", row.get("answer"))}, f"{seed}-{variant}" if variant is not None else seed,
        image=row.get("image"), bytes_of=row.get("decoded_image"), group=seed, subject=row.get("subject"),
    )  # fmt: skip


def visualprm400k(row: Row, name: str) -> dict[str, Any]:
    """A trajectory whose steps have soft labels: the share of continuations that ended right."""
    steps = row.get("steps_with_score")
    if not isinstance(steps, list) or not all(isinstance(s, Mapping) and "step" in s and "score" in s for s in steps):
        raise RecordError("must be a list of objects with `step` and `score`", field="steps_with_score")
    candidate = {
        "id": "1",
        "steps": [
            {"text": str(s["step"]), "soft_label": s["score"], "label": 1 if s["score"] > 0 else -1} for s in steps
        ],
    }
    made = _problem("VisualPRM400K", row, _word(row, "id", name), image=row.get("image"))
    return {**made, "candidates": [candidate]}


def visualprocessbench(row: Row, name: str) -> dict[str, Any]:
    """`test.jsonl`: our own reader takes these rows as they are; here they are given ids and checked images."""
    return {"id": name, **row}


def vlmevalkit(row: Row, name: str) -> dict[str, Any]:
    """A result table: the options in columns A, B, …, what the model said in `prediction`."""
    options = [str(row[letter]) for letter in "ABCDEFGH" if _has_content(row.get(letter))]
    made = _problem("VLMEvalKit", row, _word(row, "index", name), image=row.get("image_path"), options=options)
    said = row.get("prediction")
    return {**made, "candidates": [{"id": "1", "response": str(said)}]} if _has_content(said) else made


def _lmms_eval(row: Row, name: str) -> dict[str, Any]:
    """A line of a samples log: the document, the target, and one or several responses, nested as its versions nest them."""
    document = row.get("doc") if isinstance(row.get("doc"), Mapping) else {}
    question = document.get("question") or document.get("problem") or row.get("input") or ""  # type: ignore[union-attr]
    answer = row.get("target", document.get("answer"))  # type: ignore[union-attr]
    responses = _flat(row.get("resps") or row.get("filtered_resps"))
    image = document.get("image") if isinstance(document, Mapping) else None
    made = _problem(
        "lmms-eval", {"question": question, "answer": answer}, _word(row, "doc_id", name),
        image=image if isinstance(image, str) else None, options=document.get("options") or document.get("choices"),  # type: ignore[union-attr]
    )  # fmt: skip
    return {**made, "candidates": [{"id": str(k), "response": text} for k, text in enumerate(responses, start=1)]}


LAYOUTS: dict[str, Layout] = {
    "visualprocessbench": visualprocessbench, "visualprm400k": visualprm400k, "mathvista": mathvista, "mathvision": mathvision,
    "mathverse": mathverse, "wemath": wemath, "logicvista": logicvista, "mmmu": mmmu, "dynamath": dynamath,
    "vlmevalkit": vlmevalkit, "lmms-eval": _lmms_eval,
}  # fmt: skip


def _problem(source: str, row: Row, name: str, **fields: Any) -> dict[str, Any]:
    """The fields that all have, and those that are stated."""
    question, answer = row.get("question"), row.get("answer")
    if not isinstance(question, str) or not question.strip():
        raise RecordError("must be a text that is not empty", field="question")
    held = fields.pop("bytes_of", None)
    made = {
        "id": name, "question": question, "image": fields.pop("image", None), "options": list(fields.pop("options", None) or []),
        "answer": answer if _has_content(answer) else None, "data_source": source,
        "pictures": held if isinstance(held, list) else [held] if held else [],
        **fields,
    }  # fmt: skip
    return {key: value for key, value in made.items() if value not in (None, "", [])}


def _word(row: Row, field: str, otherwise: str) -> str:
    value = row.get(field)
    return str(value) if _has_content(value) else otherwise


def _has_content(value: object) -> bool:
    """Whether a cell says anything: tables write what is missing as NaN."""
    return value is not None and value == value and str(value).strip() != ""


def _choices(question: str) -> tuple[str, list[str]]:
    """A question apart from the choices that stand below it."""
    found = _CHOICES.search(question)
    if found is None:
        return question, []
    return question[: found.start()], _lettered_options(question[found.end() :])


def _lettered_options(text: str) -> list[str]:
    """The options of a text such as "A. 3; B. 4; C. no correct answer".

    >>> _lettered_options("A. 3cm; B. 4cm; C. no correct answer")
    ['3cm', '4cm', 'no correct answer']
    """
    parts = _LETTERED.split(text)
    letters, texts = parts[1::2], parts[2::2]
    in_order = letters == [chr(ord("A") + k) for k in range(len(letters))]
    return [option.strip(" ;\n") for option in texts] if len(letters) > 1 and in_order else []


def _as_list(value: object) -> list[str]:
    """A list, or a list written as text; read as a literal, never evaluated."""
    if isinstance(value, list):
        return [str(one) for one in value]
    if not _has_content(value):
        return []
    try:
        found = ast.literal_eval(str(value))
    except (ValueError, SyntaxError):
        raise RecordError("must be a list, or a list written as text", field="options") from None
    return [str(one) for one in found] if isinstance(found, list | tuple) else []


def _flat(value: object) -> list[str]:
    """The texts of a nested list, in order."""
    if isinstance(value, str):
        return [value]
    return [text for one in value for text in _flat(one)] if isinstance(value, list) else []

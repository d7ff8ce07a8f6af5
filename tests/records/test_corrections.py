"""Corrections: applied in order, kept by one writer, refused where they do not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evpv.errors import RecordError
from evpv.records.corrections import Change, CorrectionFile, change_from_json, mended_constraints, read_corrections
from evpv.types import Constraint, Numeric, Relation

APPLE = Numeric(entity="apple", attribute="price", value=8.0)
PEAR = Numeric(entity="pear", attribute="price", value=5.0)
MENDED = Numeric(entity="apple", attribute="price", value=3.0)
ADDED = Relation(type="parallel", entities=("AB", "CD"), box=(1.0, 2.0, 3.0, 4.0))


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ([], (APPLE, PEAR)),
        ([(APPLE, MENDED)], (MENDED, PEAR)),
        ([(APPLE, None)], (PEAR,)),
        ([(None, ADDED)], (APPLE, PEAR, ADDED)),
        ([(APPLE, MENDED), (MENDED, APPLE)], (APPLE, PEAR)),
        ([(None, ADDED), (ADDED, None), (PEAR, None)], (APPLE,)),
    ],
)
def test_changes_are_made_in_order_and_a_mended_fact_keeps_its_place(
    changes: list[tuple[Constraint | None, Constraint | None]], facts: tuple[Constraint, ...]
) -> None:
    made = [Change(problem_id="p", old=old, new=new) for old, new in changes]
    assert mended_constraints((APPLE, PEAR), made) == facts


def test_a_fact_that_is_no_longer_there_is_an_error_and_no_guess() -> None:
    with pytest.raises(RecordError, match=r"'p' has no fact .*'value': 3\.0"):
        mended_constraints((APPLE, PEAR), [Change(problem_id="p", old=MENDED, new=None)])


def test_what_was_kept_is_read_back_and_a_torn_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "corrections.jsonl"
    changes = [Change(problem_id="p", old=APPLE, new=MENDED), Change(problem_id="q", old=None, new=ADDED)]
    file = CorrectionFile(path, "ann")
    assert [file.append(change).id for change in changes] == ["1", "2"]
    with pytest.raises(RecordError, match="another process is writing"):
        CorrectionFile(path, "ben")
    file.close()
    path.write_bytes(path.read_bytes() + b'{"id": "3", "problem')
    again = CorrectionFile(path, "ben")
    assert again.append(Change(problem_id="p", old=PEAR, new=None)).id == "3"
    again.close()
    found = read_corrections(path)
    assert [(one.who, one.change) for one in found["p"]] == [
        ("ann", changes[0]),
        ("ben", Change(problem_id="p", old=PEAR, new=None)),
    ]
    assert found["q"][0].when.endswith("+00:00")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"problem_id": "p", "old": None, "new": None}, "nothing would change"),
        ({"problem_id": "p", "old": None}, "new"),
        ({"problem_id": "p", "old": None, "new": {"category": "numeric"}}, "entity"),
        ({"problem_id": "p", "old": None, "new": 3}, "category"),
        ({"problem_id": "p", "old": None, "new": None, "run": "/etc"}, "run"),
    ],
)
def test_what_is_no_change_is_refused_by_its_field(record: Any, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        change_from_json(json.loads(json.dumps(record)))
    assert message in str(caught.value)

"""The dense reading task: targets stand where the writing is, and a small tower learns from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModelForImageTextToText, AutoProcessor

from evpv.training.architecture import Size, build
from evpv.training.measures import fidelity
from evpv.training.pictures import Letter, Picture, read_pictures, shifted_letters, training_picture
from evpv.training.reading import (
    _CHARACTERS,
    _ROLES,
    _SLOTS,
    COLUMNS,
    Muon,
    ReadingHead,
    ReadingSettings,
    _cells_of,
    orthogonal,
    reading_loss,
    reading_targets,
    train_reading,
)  # fmt: skip

GRID = torch.tensor([[1, 4, 6]])  # 2 × 3 cells of 28 px


def letter(character: str, x: float, y: float, role: int = 0) -> Letter:
    return Letter(character=character, role=role, x=x, y=y)


@pytest.mark.parametrize(
    ("x", "y", "cell", "slot"),
    [
        (1, 1, 0, 0),
        (27, 27, 0, _SLOTS - 1),
        (29, 1, 1, 0),
        (1, 29, 3, 0),
        (83, 55, 5, _SLOTS - 1),
        (8, 15, 0, COLUMNS + 1),
    ],
)
def test_a_letter_is_asked_for_in_its_slot(x: float, y: float, cell: int, slot: int) -> None:
    targets = reading_targets([[letter("7", x, y, role=2)]], GRID)
    at = (targets.characters > 0).nonzero()[:, 0].tolist()
    assert at == [cell * _SLOTS + slot]
    assert targets.characters[at[0]] == _CHARACTERS.index("7") + 1
    assert targets.roles[at[0]] == 2
    assert int((targets.roles >= 0).sum()) == 1


@given(st.lists(st.tuples(st.sampled_from("0aZ°é ∠"), st.floats(-50, 200), st.floats(-50, 200)), max_size=20))
def test_what_is_outside_or_unknown_is_not_asked_for(written: list[tuple[str, float, float]]) -> None:
    targets = reading_targets([[letter(c, x, y, role=99) for c, x, y in written]], GRID)
    inside = [c for c, x, y in written if c in _CHARACTERS and 0 <= x < 84 and 0 <= y < 56]
    assert targets.characters.shape == (6 * _SLOTS,)
    assert int((targets.characters > 0).sum()) <= len(inside)
    assert int(targets.roles.max()) <= _ROLES


def test_a_moved_picture_takes_its_letters_along(corpus: Path) -> None:
    picture = read_pictures(corpus)[0]
    plain, shifted = training_picture(picture), training_picture(picture, (3, -2))
    assert shifted.getpixel((40 + 3, 34 - 2)) == plain.getpixel((40, 34))
    assert shifted.size == plain.size
    first, second = picture.letters[0], shifted_letters(picture.letters, (3, -2))[0]
    assert (second.x - first.x, second.y - first.y) == (3, -2)


def test_cells_come_in_the_reading_order_of_the_targets(toy: Path, corpus: Path) -> None:
    """A tower with windows shuffles its patches inside; what comes out must not be."""
    processor = AutoProcessor.from_pretrained(toy)
    model: Any = AutoModelForImageTextToText.from_pretrained(toy).eval()
    image = training_picture(read_pictures(corpus)[0])
    changed = image.copy()
    changed.paste("black", (56, 28, 84, 56))  # the last cell of 2 × 3
    with torch.no_grad():
        pixels = [processor.image_processor(images=[one], return_tensors="pt") for one in (image, changed)]
        before, after = (_cells_of(model, one["pixel_values"], one["image_grid_thw"]) for one in pixels)
    assert (after - before).norm(dim=-1).argmax() == 5


def test_reading_is_learnt(tmp_path: Path, corpus: Path) -> None:
    folder = build(tmp_path, size=Size(spread=0.06), seed=3)
    processor = AutoProcessor.from_pretrained(folder)
    model = AutoModelForImageTextToText.from_pretrained(folder)
    pictures = read_pictures(corpus)[:4]
    settings = ReadingSettings(steps=120, batch=4, warmup=2, shift_px=0, check_every=60)
    _, log = train_reading(model, processor, pictures, pictures, settings)
    assert [line["step"] for line in log] == [60, 120]
    assert log[1]["characters"] > 0.85
    assert log[1]["loss"] < log[0]["loss"]


def test_empty_slots_count_little(toy: Path) -> None:
    head = ReadingHead(4)
    with torch.no_grad():
        for weight in head.parameters():
            weight.zero_()
    cells = torch.zeros(6, 4)
    none = reading_loss(head, cells, reading_targets([[]], GRID))
    some = reading_loss(head, cells, reading_targets([[letter("7", 1, 1)]], GRID))
    assert torch.isfinite(none)
    assert some > none  # the role of the letter is asked too


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 1000))
def test_an_orthogonal_step_has_singular_values_near_one(rows: int, columns: int, seed: int) -> None:
    matrix = torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed))
    values = torch.linalg.svdvals(orthogonal(matrix))
    assert values.max() < 1.4
    assert values.mean() > 0.5


def test_muon_goes_downhill() -> None:
    weight = torch.nn.Parameter(torch.eye(3) * 4)
    optimizer = Muon([weight], lr=0.1, weight_decay=0.0)
    for _ in range(110):
        optimizer.zero_grad()
        (weight**2).sum().backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    assert float((weight.detach() ** 2).sum()) < 12  # from 48


def test_fidelity_counts_what_was_written(toy: Path, corpus: Path) -> None:
    """A model that writes nothing valid scores nothing, and every share is there for every family."""
    processor = AutoProcessor.from_pretrained(toy)
    model = AutoModelForImageTextToText.from_pretrained(toy)
    pictures: list[Picture] = read_pictures(corpus, 3)
    shares = fidelity(model, processor, pictures)
    assert set(shares) == {"exact", "valid", "facts", "values", "facts toy"}
    assert shares["exact"] == 0.0

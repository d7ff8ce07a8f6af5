"""Folded paper: equal angles along a straight edge (case J.3), and the angle of a crease."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate, pairwise
from random import Random

from PIL import Image

from evpv.figures import marks
from evpv.figures.drawing import Point, move_point, pale
from evpv.figures.writing import Numeral, Scene, SolutionSheet, confusions, number
from evpv.types import Box, Constraint, Relation, Structure

_SIZE = (520, 360)
_FOOT: Point = (260, 270)
_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_SUMS = {3: ("triangle", 180), 4: ("quadrilateral", 360), 5: ("pentagon", 540), 6: ("hexagon", 720)}


def make(rng: Random) -> Scene:
    """All angles equal, or one angle labelled beside two equal ones."""
    return _equal_angles(rng) if rng.random() < 0.45 else _crease(rng)


def _equal_angles(rng: Random) -> Scene:
    count = rng.choice((3, 3, 4, 5, 6))
    image, boxes = _draw(rng, [180 / count] * count, {}, same=range(count))
    names = [f"angle {i + 1}" for i in range(count)]
    facts: tuple[Constraint, ...] = (
        Relation(type="equal", entities=tuple(names), box=marks.box_around(*boxes)),
        _sequence(names, boxes),
    )
    listed = " = ".join(f"∠{i + 1}" for i in range(count))
    question = f"When the paper is folded as shown with {listed}, how many degrees is ∠1?"
    return Scene(image, question, facts, partial(_solve_equal, count), rng.random() < 0.6)


def _sequence(names: list[str], boxes: list[Box]) -> Structure:
    beside = tuple(f"{first} adjacent to {second}" for first, second in pairwise(names))
    parts = ("fold line", *(f"{name} region" for name in names))
    joint, box = ("angles are adjacent along the edge",), marks.box_around(*boxes)
    return Structure(type="sequence", parts=parts, attachment=joint, adjacency=beside, box=box)


def _solve_equal(count: int, sheet: SolutionSheet) -> None:
    listed = " = ".join(f"∠{i + 1}" for i in range(count))
    names = ", ".join(f"Angle {i + 1}" for i in range(count - 1))
    sheet.say("folding/given:equal", listed=listed, names=names, count=count)
    seen = sheet.decide("shape", "line", misbuilt=["polygon", "turn"])
    word = _WORDS[count]
    whole = 180
    if seen == "polygon":
        shape, whole = _SUMS[count]
        sheet.say("folding/shape:polygon", word=word, shape=shape, whole=whole)
        sheet.say("folding/regular", shape=shape, whole=whole, count=count)
    elif seen == "turn":
        whole = 360
        sheet.say("folding/shape:turn", word=word)
    else:
        sheet.say("folding/shape:line", word=word)
        whole = sheet.decide("whole", 180, wrong_facts=[360, 90])
        sheet.say("folding/sum:equal", whole=whole)
    parts = sheet.decide("parts", count, wrong_conclusions=[count - 1])
    value: Numeral = sheet.work("folding/value", whole / parts, whole=whole, parts=parts)
    sheet.say_answer("folding/answer:equal", number(value), "°")


def _crease(rng: Random) -> Scene:
    value = 2 * rng.randint(14, 60)
    half = (180 - value) // 2
    first = rng.random() < 0.5
    order = [value, half, half] if first else [half, half, value]
    given, same = (0, (1, 2)) if first else (2, (0, 1))
    image, boxes = _draw(rng, order, {given: f"{value}°"}, same=same)
    pair = tuple(f"angle {i + 1}" for i in same)
    facts: tuple[Constraint, ...] = (
        marks.angle_fact(str(given + 1), value, boxes[given]),
        Relation(type="equal", entities=pair, box=marks.box_around(*(boxes[i] for i in same))),
        _sequence([f"angle {i + 1}" for i in range(3)], boxes),
    )
    wanted = rng.choice(same) + 1
    question = f"A paper strip is folded along the dashed crease. How many degrees is ∠{wanted}?"
    solve = partial(_solve_crease, value, (given + 1, same[0] + 1, same[1] + 1), wanted)
    return Scene(image, question, facts, solve, rng.random() < 0.4)


def _solve_crease(value: int, labels: tuple[int, int, int], wanted: int, sheet: SolutionSheet) -> None:
    given, one, two = labels
    read = sheet.decide("given", value, misread=confusions(value, below=176))
    sheet.say("folding/given:crease", given=given, read=read)
    pair = sheet.decide("pair", (one, two), misbuilt=[(given, one)])
    sheet.say("folding/pair", first=pair[0], second=pair[1])
    if pair != (one, two):
        result: Numeral = sheet.calculate("rest", read if wanted == one or read > 88 else 180 - 2 * read)
        sheet.say("folding/rest:equal", wanted=wanted, result=result)
    else:
        whole = sheet.decide("whole", 180, wrong_facts=[360])
        sheet.say("folding/sum:crease", whole=whole)
        rest = sheet.work("folding/rest", whole - read, whole=whole, read=read)
        result = sheet.calculate("half", rest / 2)
        sheet.say("folding/half", rest=rest, result=result, wanted=wanted)
    sheet.say_answer("folding/answer:crease", number(result), "°", wanted=wanted)


def _draw(
    rng: Random, spans: Sequence[float], words: dict[int, str], *, same: Sequence[int]
) -> tuple[Image.Image, list[Box]]:
    """A straight edge with a flap and fold lines; angles are numbered from the left, equal ones carry a double arc."""
    canvas = marks.figure_canvas(rng, _SIZE)
    edges = list(accumulate(spans, initial=180.0))
    reaches = [175.0, *(rng.uniform(150, 195) for _ in spans[1:]), 175.0]
    ends = [move_point(_FOOT, edge, reach) for edge, reach in zip(edges, reaches, strict=True)]
    for i, tint in enumerate(rng.sample(canvas.style.palette, len(spans))):
        # A wide flap gets a corner more: its number and measure stand inside.
        bend = [move_point(_FOOT, edges[i] + spans[i] / 2, 170)] if spans[i] > 60 else []
        rim = [ends[i], *bend, ends[i + 1]]
        canvas.polygon([_FOOT, *rim], pale(tint) if canvas.style.shading or i % 2 else None, outline=False)
        canvas.line(*rim, width=1.4)
    canvas.line(move_point(_FOOT, 180, 215), move_point(_FOOT, 0, 215))
    canvas.line(move_point(_FOOT, 180, 215), (45, 320), (475, 320), move_point(_FOOT, 0, 215), width=1.2)
    for end in ends[1:-1:2]:
        canvas.dashed_line(_FOOT, end)
    for end in ends[2:-1:2]:
        canvas.line(_FOOT, end)
    boxes = [_number_angle(canvas, i, (edges[i], edges[i + 1]), words.get(i, ""), i in same) for i in range(len(spans))]
    return canvas.finish(rng), boxes


def _number_angle(canvas: marks.Drawing, index: int, span: tuple[float, float], words: str, double: bool) -> Box:
    """The number of an angle, its measure if labelled, and one arc or two; answers with the box of all that."""
    middle = (span[0] + span[1]) / 2
    radius = 34 if (span[1] - span[0]) > 34 else 52
    arms = move_point(_FOOT, span[0], 200), move_point(_FOOT, span[1], 200)
    canvas.angle_mark(_FOOT, arms, "", radius)
    if double:
        canvas.angle_mark(_FOOT, arms, "", radius + 5)
    start = move_point(_FOOT, middle, radius + 8)
    toward = move_point((0, 0), middle, 1)
    numbered = canvas.label(str(index + 1), start, toward, turns=(0, 6, -6), colour=canvas.style.accent)
    if not words:
        return marks.box_around(numbered, marks.bounds((start,)))
    x0, y0, x1, y1 = numbered
    return canvas.label(words, ((x0 + x1) / 2, (y0 + y1) / 2), toward, turns=(0, 6, -6))

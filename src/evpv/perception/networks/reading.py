"""Networks: labelled nodes, the edges between them, their weights and directions.

An edge is a path between two nodes, straight or bent like all its fellows, along which there is ink but for the place
where its label stands. A picture in which nodes and edges account for little of the ink is no network.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, Pixels
from evpv.perception.competition import FigureReading
from evpv.perception.networks.nodes import (
    Mask,
    NetworkNode,
    as_digits,
    has_nodes,
    ink_mask,
    labelled_nodes,
    surest_readings,
)
from evpv.perception.ocr import Word
from evpv.perception.recognition import CropText
from evpv.perception.tables.numbers import cell_number
from evpv.types import Constraint, Numeric, Relation, Structure

_Path = NDArray[np.float64]
"""Points along an edge from the rim of one node to that of the other, n × 2, about a pixel apart."""

_BENDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4)  # of a bent edge's length: how far its control point lies off it
_DRAWN = 0.9  # of a path: the least that has ink where no label stands
_LIKELY = 0.6  # of the ink: what a picture's network must account for to be looked for first
_ENOUGH = 0.9  # of the ink: where straight edges account for it, no bent ones are looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edge:
    """A drawn path between the nodes of two numbers; `gap` is where along it, as indices, a label interrupts it."""

    ends: tuple[int, int]
    path: _Path
    drawn: float
    gap: tuple[int, int] | None
    arrow: bool = False  # whether it has one, at its second end


def network_reading(picture: Pixels, words: Sequence[Word]) -> FigureReading:
    """The network in a picture, with the share of its ink that nodes, edges and labels account for."""
    ink = ink_mask(picture)
    nodes = labelled_nodes(picture, words, ink)
    edges = _directed_edges(ink, _edges(ink, nodes), nodes) if len(nodes) > 1 else []
    if not edges:
        return FigureReading(kind="network")
    weights = _weights(picture, ink, edges, nodes, words)
    is_weighted = 2 * sum(weight is not None for weight in weights) >= len(edges)
    facts = [
        _edge_fact(nodes[edge.ends[0]], nodes[edge.ends[1]], weight, edge)
        for edge, weight in zip(edges, weights, strict=True)
        if weight is not None or not is_weighted  # one whose weight could not be read is named by the structure alone
    ]
    constraints = (_structure(nodes, edges), *facts)
    return FigureReading(kind="network", constraints=constraints, explained=_explained_ink(ink, nodes, edges), loose=())


def _structure(nodes: Sequence[NetworkNode], edges: Sequence[_Edge]) -> Structure:
    ends = [(nodes[edge.ends[0]].label, "->" if edge.arrow else "-", nodes[edge.ends[1]].label) for edge in edges]
    return Structure(
        type="graph",
        parts=tuple(node.label for node in nodes),
        adjacency=tuple(map(" ".join, ends)),
        confidence=round(min(node.confidence for node in nodes), 4),
        box=Box.around(Box(node.x, node.y, node.x, node.y).with_margin(node.radius) for node in nodes),
    )


def _directed_edges(ink: Mask, edges: Sequence[_Edge], nodes: Sequence[NetworkNode]) -> list[_Edge]:
    """The edges, those with an arrow from its tail to its head; a network has arrows on all edges or on none."""
    heads = [_head(ink, edge, nodes) for edge in edges]
    if 2 * sum(head is not None for head in heads) <= len(edges):
        return list(edges)
    return [
        edge if head is None else replace(edge, ends=edge.ends if head == edge.ends[1] else edge.ends[::-1], arrow=True)
        for edge, head in zip(edges, heads, strict=True)
    ]


def is_network(picture: Pixels, words: Sequence[Word]) -> bool:
    """Whether a picture holds nodes, and a network of them accounts for most of its ink."""
    return has_nodes(picture, words) and network_reading(picture, words).explained > _LIKELY


def _edges(ink: Mask, nodes: Sequence[NetworkNode]) -> list[_Edge]:
    """The edges: straight ones, or those of one bend where these account for more of the picture."""
    near = np.asarray(cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8)), bool)
    best: list[_Edge] = []
    most = 0.0
    for bend in (0.0, *_BENDS):
        found = []
        for ends in itertools.combinations(range(len(nodes)), 2):
            ways = [_edge(ink, near, nodes, ends, way) for way in {bend, -bend}]
            drawn = [edge for edge in ways if edge is not None]
            if drawn:
                found.append(max(drawn, key=lambda edge: edge.drawn))
        length = sum(len(edge.path) * edge.drawn for edge in found)
        if length > 1.15 * most:
            best, most = found, length
        if _explained_ink(ink, nodes, best) > _ENOUGH:
            break
    return best


def _edge(ink: Mask, near: Mask, nodes: Sequence[NetworkNode], ends: tuple[int, int], bend: float) -> _Edge | None:
    """The edge between two nodes if it is drawn: ink along the path, none of another node, white on both sides."""
    start, end = nodes[ends[0]], nodes[ends[1]]
    path = _path(start, end, bend)
    others = [node for place, node in enumerate(nodes) if place not in ends]
    if len(path) < 6 or any(np.hypot(*(path - (node.x, node.y)).T).min() < 0.9 * node.radius for node in others):
        return None
    on = _at(near, path)
    gap = _label_gap(on, max(10.0, 0.9 * start.radius))
    kept = np.ones(len(on), bool)
    kept[slice(*gap) if gap is not None else slice(0)] = False
    if kept.sum() < max(4, 0.15 * len(on)):
        return None
    drawn = float(on[kept].mean())
    if drawn < _DRAWN:
        return None
    aside = 8 * _across(path)
    both_sides = _at(ink, path + aside) & _at(ink, path - aside)  # what it follows there is no line
    return _Edge(ends=ends, path=path, drawn=drawn, gap=gap) if float(both_sides[kept].mean()) <= 0.4 else None


def _path(start: NetworkNode, end: NetworkNode, bend: float) -> _Path:
    """A quadratic curve from centre to centre, without the parts inside the two nodes."""
    a, b = np.array([start.x, start.y]), np.array([end.x, end.y])
    control = (a + b) / 2 + bend * np.array([b[1] - a[1], a[0] - b[0]])
    t = np.linspace(0, 1, max(int(np.hypot(*(b - a)) * (1 + abs(bend))), 2))[:, None]
    points = (1 - t) ** 2 * a + 2 * t * (1 - t) * control + t**2 * b
    outside = (np.hypot(*(points - a).T) > start.radius + 2) & (np.hypot(*(points - b).T) > end.radius + 2)
    return np.asarray(points[outside])


def _at(mask: Mask, points: _Path) -> Mask:
    rows = np.clip(np.round(points[:, 1]).astype(int), 0, mask.shape[0] - 1)
    columns = np.clip(np.round(points[:, 0]).astype(int), 0, mask.shape[1] - 1)
    return np.asarray(mask[rows, columns])


def _across(path: _Path) -> _Path:
    """The unit normals along a path."""
    along = np.gradient(path, axis=0)
    along /= np.maximum(np.hypot(*along.T)[:, None], 1e-6)
    return np.stack([-along[:, 1], along[:, 0]], axis=1)


def _label_gap(on: Mask, glyph_px: float) -> tuple[int, int] | None:
    """The stretch around the middle of a path that is interrupted, from its first to its last point without ink.

    A label's own glyphs lie in it, so a stretch of ink between two breaks that is no longer than a glyph belongs to it.
    """
    size = len(on)
    off = np.flatnonzero(~on)
    off = off[(off > 0.15 * size) & (off < 0.85 * size)]
    if not len(off):
        return None
    middle = (size - 1) / 2
    nearest = int(off[np.argmin(abs(off - middle))])
    if abs(nearest - middle) > max(0.12 * size, 12):
        return None
    start = end = nearest
    for place in off[off > end]:
        if place - end > glyph_px:
            break
        end = int(place)
    for place in off[off < start][::-1]:
        if start - place > glyph_px:
            break
        start = int(place)
    return (start, end + 1) if end - start >= 3 else None


def _head(ink: Mask, edge: _Edge, nodes: Sequence[NetworkNode]) -> int | None:
    """The node at which an edge has an arrow's head: much wider there than elsewhere; None where both ends are alike.

    The ink's width is measured across each point of the path, up to 12 pixels to either side.
    """
    normals, widths = _across(edge.path), np.zeros(len(edge.path))
    for side, first in ((1, 0), (-1, 1)):
        still = np.ones(len(widths), bool)
        for step in range(first, 13):
            still &= _at(ink, edge.path + side * step * normals)
            widths += still
    reach = min(max(int(1.2 * nodes[edge.ends[0]].radius), 12), len(widths) // 3)
    kept = np.ones(len(widths), bool)
    if edge.gap is not None:
        kept[edge.gap[0] : edge.gap[1]] = False
    usual = float(np.median(widths[kept])) if kept.any() else 1.0
    wide = [float(np.percentile(part, 80)) if len(part) else 0.0 for part in (widths[:reach], widths[-reach:])]
    heads = [end for end, width in zip(edge.ends, wide, strict=True) if width > max(1.7 * usual, usual + 2.5)]
    return heads[0] if len(heads) == 1 else None


def _weights(
    picture: Pixels, ink: Mask, edges: Sequence[_Edge], nodes: Sequence[NetworkNode], words: Sequence[Word]
) -> list[CropText | None]:
    """The number that stands on each edge: read along the edge where the edge is interrupted, else the nearest word."""
    glyph_px = float(np.median([word.box.line_height for word in words])) if words else nodes[0].radius
    groups = [[] if edge.gap is None else _label_crops(picture, ink, edge, glyph_px) for edge in edges]
    said = [[reading] for reading in surest_readings(groups)]
    for nearest, word in _words_at(edges, nodes, words):
        said[nearest].append(CropText(text=word.text, confidence=0.9 * word.confidence))
    return [
        max(
            (one for one in readings if cell_number(as_digits(one.text)) is not None),
            key=lambda one: one.confidence + 0.03 * len(one.text),
            default=None,
        )
        for readings in said
    ]


def _words_at(
    edges: Sequence[_Edge], nodes: Sequence[NetworkNode], words: Sequence[Word]
) -> Iterator[tuple[int, Word]]:
    """The words in no node, each with the edge to whose middle it is nearest, if it is near: within its own size."""
    for word in words:
        x, y = word.box.x, word.box.y
        if any(node.is_near(x, y, 1.0) for node in nodes):
            continue
        distances = [float(np.hypot(*(edge.path[len(edge.path) // 2] - (x, y)))) for edge in edges]
        nearest = distances.index(min(distances))
        if distances[nearest] < max(word.box.width, word.box.height):
            yield nearest, word


def _label_crops(picture: Pixels, ink: Mask, edge: _Edge, glyph_px: float) -> list[Pixels]:
    """The label in an edge's gap, cut along the edge and level."""
    first, last = edge.gap or (0, len(edge.path))
    ends = edge.path[max(first - 3, 0)], edge.path[min(last + 2, len(edge.path) - 1)]
    centre = (edge.path[first] + edge.path[last - 1]) / 2
    angle = float(np.degrees(np.arctan2(ends[1][1] - ends[0][1], ends[1][0] - ends[0][0])))
    side = max(1.4 * float(np.hypot(*(ends[1] - ends[0]))), 3.2 * min(glyph_px, 40.0), 30.0)
    inked = ink.astype(np.uint8)[:, :, None] * np.uint8(255)
    crops = []
    for turn in ((angle + 90) % 180 - 90, 0.0):
        crop = _level_square(picture, centre, turn, side)
        tight = _tight(crop, _level_square(inked, centre, turn, side)[:, :, 0])
        if tight is not None:
            crops.append(tight)
    return crops


def _level_square(picture: NDArray[np.uint8], centre: _Path, turn_deg: float, side: float) -> Pixels:
    """The square around a point, turned so that what leans by that angle is level."""
    matrix = np.asarray(cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), turn_deg, 1.0), np.float64)
    matrix[:, 2] += np.asarray(side / 2 - centre)
    size = (int(side), int(side))
    turned = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned.reshape(size[1], size[0], -1), np.uint8)


def _tight(crop: Pixels, ink: NDArray[np.uint8]) -> Pixels | None:
    """The crop cut to the glyphs around its middle: one line of them, without the lines that come in from the rim."""
    _, _, stats, _ = cv2.connectedComponentsWithStats((ink > 127).astype(np.uint8))
    side = ink.shape[0]
    boxes = [Box(x, y, x + width, y + height) for x, y, width, height, area in stats[1:].tolist() if area > 2]
    inside = [box for box in boxes if min(box) > 0 and max(box) < side and abs(box.y - side / 2) < 0.22 * side]
    if not inside:
        return None
    label, *others = sorted(inside, key=lambda box: abs(box.x - side / 2))
    for box in others:
        if max(box.x0 - label.x1, label.x0 - box.x1) < 0.6 * max(label.height, box.height):
            label = Box.around((label, box))
    rows, columns = label.with_margin(max(0.3 * label.height, 3.0)).slices()
    return np.ascontiguousarray(crop[rows, columns])


def _edge_fact(first: NetworkNode, second: NetworkNode, weight: CropText | None, edge: _Edge) -> Constraint:
    """An edge with its weight, or that its nodes are adjacent where it has none."""
    confidence = round(min(first.confidence, second.confidence) * min(1.0, edge.drawn), 4)
    box = Box.around((*point, *point) for point in (edge.path[0], edge.path[-1]))
    number = cell_number(as_digits(weight.text)) if weight is not None else None
    if weight is None or number is None:
        return Relation(type="adjacent", entities=(first.label, second.label), confidence=confidence, box=box)
    return Numeric(
        entity=f"edge {first.label} {second.label}",
        attribute="weight",
        value=number.value,
        unit=number.unit,
        confidence=round(confidence * weight.confidence, 4),
        box=box,
    )


def _explained_ink(ink: Mask, nodes: Sequence[NetworkNode], edges: Sequence[_Edge]) -> float:
    """The share of the ink that lies in nodes, on edges or in their labels."""
    told = np.zeros(ink.shape, np.uint8)
    for node in nodes:
        cv2.circle(told, (round(node.x), round(node.y)), round(1.5 * node.radius), 1, -1)
    for edge in edges:
        cv2.polylines(told, [np.round(edge.path).astype(np.int32)], False, 1, 9)
        if edge.gap is not None:
            middle = edge.path[(edge.gap[0] + edge.gap[1]) // 2]
            reach = (edge.gap[1] - edge.gap[0]) // 2 + 3
            cv2.circle(told, (round(float(middle[0])), round(float(middle[1]))), reach, 1, -1)
    return float((ink & (told > 0)).sum() / max(ink.sum(), 1))

"""Networks: labelled nodes, the edges between them, their weights and directions.

A node is a disc or a box that holds a label, one of several alike. An edge is a path between two nodes, straight or
bent like all its fellows, along which there is ink but for the place where its label stands. A picture in which nodes
and edges account for little of the ink is no network.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, Pixels
from evpv.perception.competition import FigureReading
from evpv.perception.ocr import Word
from evpv.perception.recognition import Reading, recognise
from evpv.perception.tables.numbers import cell_number
from evpv.types import Constraint, Numeric, Relation, Structure

Mask = NDArray[np.bool_]
Path = NDArray[np.float64]
"""Points along an edge from the rim of one node to that of the other, n × 2, about a pixel apart."""

_INK = 40  # levels off the ground
_LEAST_RADIUS_PX = 5.0  # half of the least side of a node: lines and letters are thinner
_ALIKE = 1.3  # a node's size, at most, over that of the usual one
_MOST_NODES = 60
_BENDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4)  # of a bent edge's length: how far its control point lies off it
_DRAWN = 0.9  # of a path: the least that has ink where no label stands
_LEAST_LABEL_CONFIDENCE = 0.5
_AS_DIGITS = str.maketrans("OoQDθIl|SZzBq", "0000011152289")
_AS_LETTERS = str.maketrans("01258", "OIZSB")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    """A node where it is drawn, and what is written in it."""

    x: float
    y: float
    radius: float
    label: str = ""
    confidence: float = 0.0

    def is_near(self, x: float, y: float, share: float) -> bool:
        return float(np.hypot(x - self.x, y - self.y)) < share * self.radius


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edge:
    """A drawn path between the nodes of two numbers; `gap` is where along it, as indices, a label interrupts it."""

    ends: tuple[int, int]
    path: Path
    drawn: float
    gap: tuple[int, int] | None


def network_reading(picture: Pixels, words: Sequence[Word]) -> FigureReading:
    """The network in a picture, with the share of its ink that nodes, edges and labels account for."""
    ink = _ink(picture)
    nodes = _labelled(picture, words, _nodes(ink))
    if len(nodes) < 2:
        return FigureReading(kind="network")
    edges = _edges(ink, nodes)
    if not edges:
        return FigureReading(kind="network")
    weights = _weights(picture, ink, edges, nodes, words)
    weighted = 2 * sum(weight is not None for weight in weights) >= len(edges)
    facts: list[Constraint] = []
    names = []
    for edge, weight in zip(edges, weights, strict=True):
        first, second, sign = _directed(ink, edge, nodes)
        names.append(f"{nodes[first].label} {sign} {nodes[second].label}")
        if weight is not None or not weighted:  # one whose weight could not be read is named by the structure alone
            facts.append(_edge_fact(nodes[first], nodes[second], weight, edge))
    structure = Structure(
        type="graph",
        parts=tuple(node.label for node in nodes),
        adjacency=tuple(names),
        confidence=round(min(node.confidence for node in nodes), 4),
        box=Box.around(
            (node.x - node.radius, node.y - node.radius, node.x + node.radius, node.y + node.radius) for node in nodes
        ),
    )
    explained = _explained(ink, nodes, edges)
    return FigureReading(kind="network", constraints=(structure, *facts), explained=explained, loose=())


def has_nodes(picture: Pixels, words: Sequence[Word]) -> bool:
    """Whether several alike discs or boxes hold most of the picture's words but single numbers, as in a network."""
    nodes = _nodes(_ink(picture))
    held = [node for node in nodes if any(node.is_near(word.box.x, word.box.y, 0.8) for word in words)]
    return (
        len(held) >= 3
        and len(held) >= 0.6 * len(nodes)
        and 2 * len(held) >= len(words) - sum(cell_number(word.text) is not None for word in words)
    )


def _ink(picture: Pixels) -> Mask:
    """What differs from the ground: the colour that most of the picture has."""
    thinned = picture[::4, ::4].reshape(-1, 3)
    ground = np.median(thinned, axis=0)
    return np.asarray(np.abs(picture.astype(np.int16) - ground).max(axis=2) > _INK)


def _nodes(ink: Mask) -> list[_Node]:
    """Filled discs and boxes, or else outlines of such, of about one size."""
    found = max((_alike(_filled_nodes(ink)), _alike(_hollow_nodes(ink))), key=_extent)
    return sorted(found, key=lambda node: (node.y, node.x)) if 2 <= len(found) <= _MOST_NODES else []


def _extent(nodes: Sequence[_Node]) -> float:
    return sum(node.radius**2 for node in nodes)


def _filled_nodes(ink: Mask) -> list[_Node]:
    """Ink thicker than any line or letter; letters in the colour of the ground are small holes and filled first."""
    solid = ink.astype(np.uint8)
    _, numbers, stats, _ = cv2.connectedComponentsWithStats(1 - solid, connectivity=4)
    small = np.flatnonzero(stats[:, cv2.CC_STAT_AREA] < 0.0004 * ink.size)
    solid[np.isin(numbers, small)] = 1
    depth = np.asarray(cv2.distanceTransform(np.pad(solid, 1), cv2.DIST_L2, 5), np.float32)[1:-1, 1:-1]
    least = max(_LEAST_RADIUS_PX, 0.005 * max(ink.shape))
    rough = _alike(_cores(depth, least))
    if not rough:
        return []
    return _cores(
        depth, max(least, 0.6 * max(node.radius for node in rough))
    )  # arrows and neighbours that touch fall off


def _cores(depth: NDArray[np.float32], least: float) -> list[_Node]:
    """The places that lie deeper than `least` in ink, each as the largest disc there, unless they are drawn out."""
    count, _, stats, centres = cv2.connectedComponentsWithStats((depth > least).astype(np.uint8))
    nodes = []
    for number in range(1, min(count, 4 * _MOST_NODES)):
        x, y, width, height = stats[number, :4]
        radius = float(depth[y : y + height, x : x + width].max())
        if max(width, height) < 3 * (radius - least) + 4:
            nodes.append(_Node(x=float(centres[number][0]), y=float(centres[number][1]), radius=radius))
    return nodes


def _hollow_nodes(ink: Mask) -> list[_Node]:
    """Grounds closed off by an outline that is round or square and holds ink of its own."""
    count, numbers, stats, _ = cv2.connectedComponentsWithStats((~ink).astype(np.uint8), connectivity=4)
    nodes = []
    for number in range(1, count):
        x, y, width, height, area = stats[number]
        side = min(width, height)
        if (
            side < 2 * _LEAST_RADIUS_PX
            or max(width, height) > 0.25 * min(ink.shape)
            or max(width, height) > 1.15 * side
        ):
            continue
        own = np.pad((numbers[y : y + height, x : x + width] == number).astype(np.uint8), 1)
        outlines, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        whole = float(cv2.drawContours(own, outlines, -1, 1, cv2.FILLED).sum())
        share = whole / float(width * height)
        if (0.74 < share < 0.84 or share > 0.94) and area < 0.99 * whole:
            nodes.append(_Node(x=x + width / 2, y=y + height / 2, radius=side / 2 + 1))
    return nodes


def _alike(nodes: Sequence[_Node]) -> list[_Node]:
    """Those of about one size that reach farthest together: between crossing lines there are spots, but small ones."""
    groups = [
        [node for node in nodes if usual.radius / _ALIKE < node.radius < usual.radius * _ALIKE] for usual in nodes
    ]
    return max(groups, key=_extent, default=[])


def _labelled(picture: Pixels, words: Sequence[Word], nodes: Sequence[_Node]) -> list[_Node]:
    """The nodes with what is written in them, by the surer of two looks: the picture's words, and the node alone."""
    readings = _surest_readings([_crops(picture, node) for node in nodes])
    found = []
    for node, closer in zip(nodes, readings, strict=True):
        inside = [word for word in words if node.is_near(word.box.x, word.box.y, 0.7)]
        best = max(
            [closer, *(Reading(text=word.text, confidence=word.confidence) for word in inside)],
            key=lambda reading: reading.confidence if reading.text.strip() else 0.0,
        )
        if best.text.strip(" ()[]|.,") and best.confidence >= _LEAST_LABEL_CONFIDENCE:
            found.append(replace(node, label=best.text.strip(" ()[]|.,"), confidence=best.confidence))
    return _told_apart(found)


def _crops(picture: Pixels, node: _Node) -> list[Pixels]:
    """The inside of a node, widely and closely cut."""
    crops = []
    for share in (0.95, 0.7):
        reach = share * node.radius
        rows, columns = Box(node.x - reach, node.y - 0.75 * reach, node.x + reach, node.y + 0.75 * reach).slices()
        crop = picture[rows, columns]
        if crop.size:
            crops.append(np.ascontiguousarray(crop))
    return crops


def _surest_readings(crops: Sequence[Sequence[Pixels]]) -> list[Reading]:
    """For each group of crops of one label the reading that is surest."""
    readings = iter(recognise([crop for group in crops for crop in group]))
    nothing = Reading(text="", confidence=0.0)
    return [max((next(readings) for _ in group), key=lambda one: one.confidence, default=nothing) for group in crops]


def _told_apart(nodes: Sequence[_Node]) -> list[_Node]:
    """Labels as most of them are written; of nodes with one label the surest keeps it.

    Nodes numbered from 0 or 1 on have one number each, so a single one that is missing is that of the doubtful node.
    """
    nodes = [
        replace(node, label=label)
        for node, label in zip(nodes, _written_alike([node.label for node in nodes]), strict=True)
    ]
    sure: dict[str, _Node] = {}
    doubtful = []
    for node in sorted(nodes, key=lambda node: -node.confidence):
        if node.label in sure:
            doubtful.append(node)
        else:
            sure[node.label] = node
    if len(doubtful) == 1 and all(label.isdigit() for label in sure):
        labels = set(map(int, sure))
        missing = sorted(set(range(min(labels), max(labels) + 1)) - labels)
        if len(missing) == 1:
            return [*sure.values(), replace(doubtful[0], label=str(missing[0]), confidence=0.7)]
    return list(sure.values())


def _written_alike(labels: Sequence[str]) -> list[str]:
    """Lookalike characters settled by what most labels are: numbers, capitals, a letter with a number, or words."""
    most = len(labels) / 2
    if sum(label.isdigit() for label in labels) > most:
        return [label.translate(_AS_DIGITS) for label in labels]
    if sum(re.fullmatch(r"[A-Za-z]", label) is not None for label in labels) > most:
        capitals = sum(label.isupper() for label in labels) > most
        return [label.translate(_AS_LETTERS).upper() if capitals else label for label in labels]
    if sum(re.fullmatch(r"[A-Za-z]\d+", label) is not None for label in labels) > most:
        first = Counter(label[0] for label in labels).most_common(1)[0][0]
        return [first + label[1:].translate(_AS_DIGITS) for label in labels]
    return [label.translate(_AS_LETTERS) if len(label) > 2 else label for label in labels]


def _edges(ink: Mask, nodes: Sequence[_Node]) -> list[_Edge]:
    """The edges: straight ones, or those of one bend where these account for more of the picture."""
    near = np.asarray(cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8)), bool)
    pairs = list(itertools.combinations(range(len(nodes)), 2))
    best: list[_Edge] = []
    for bend in (0.0, *_BENDS):
        found = []
        for first, second in pairs:
            ways = [_edge(ink, near, nodes, (first, second), way) for way in ({bend, -bend})]
            drawn = [edge for edge in ways if edge is not None]
            if drawn:
                found.append(max(drawn, key=lambda edge: edge.drawn))
        if _length(found) > 1.15 * _length(best):
            best = found
    return best


def _length(edges: Sequence[_Edge]) -> float:
    return sum(len(edge.path) * edge.drawn for edge in edges)


def _edge(ink: Mask, near: Mask, nodes: Sequence[_Node], ends: tuple[int, int], bend: float) -> _Edge | None:
    """The edge between two nodes if it is drawn: ink along the path, none of another node, white on both sides."""
    start, end = nodes[ends[0]], nodes[ends[1]]
    path = _path(start, end, bend)
    if len(path) < 6:
        return None
    others = [node for node in nodes if node is not start and node is not end]
    if any(float(np.hypot(*(path - (node.x, node.y)).T).min()) < 0.9 * node.radius for node in others):
        return None
    on = _at(near, path)
    gap = _label_gap(on, max(10.0, 0.9 * start.radius))
    kept = np.ones(len(on), bool)
    if gap is not None:
        kept[gap[0] : gap[1]] = False
    drawn = float(on[kept].mean()) if kept.any() else 0.0
    beside = _beside(ink, path)[kept]
    if drawn < _DRAWN or float(beside.mean()) > 0.4 or kept.sum() < max(4, 0.15 * len(on)):
        return None
    return _Edge(ends=ends, path=path, drawn=drawn, gap=gap)


def _path(start: _Node, end: _Node, bend: float) -> Path:
    """A quadratic curve from centre to centre, without the parts inside the two nodes."""
    a, b = np.array([start.x, start.y]), np.array([end.x, end.y])
    control = (a + b) / 2 + bend * np.array([b[1] - a[1], a[0] - b[0]])
    t = np.linspace(0, 1, max(int(np.hypot(*(b - a)) * (1 + abs(bend))), 2))[:, None]
    points = (1 - t) ** 2 * a + 2 * t * (1 - t) * control + t**2 * b
    outside = (np.hypot(*(points - a).T) > start.radius + 2) & (np.hypot(*(points - b).T) > end.radius + 2)
    return np.asarray(points[outside])


def _at(mask: Mask, points: Path) -> Mask:
    rows = np.clip(np.round(points[:, 1]).astype(int), 0, mask.shape[0] - 1)
    columns = np.clip(np.round(points[:, 0]).astype(int), 0, mask.shape[1] - 1)
    return np.asarray(mask[rows, columns])


def _across(path: Path) -> Path:
    """The unit normals along a path."""
    along = np.gradient(path, axis=0)
    along /= np.maximum(np.hypot(*along.T)[:, None], 1e-6)
    return np.stack([-along[:, 1], along[:, 0]], axis=1)


def _beside(ink: Mask, path: Path) -> Mask:
    """Where ink lies on both sides of a path, so that what it follows is no line."""
    normals = _across(path)
    return np.asarray(_at(ink, path + 8 * normals) & _at(ink, path - 8 * normals))


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


def _directed(ink: Mask, edge: _Edge, nodes: Sequence[_Node]) -> tuple[int, int, str]:
    """The edge's nodes from tail to head, and "->" where an arrow's head says so, else as they came and "-"."""
    widths = _widths(ink, edge.path)
    reach = min(max(int(1.2 * nodes[edge.ends[0]].radius), 12), len(widths) // 3)
    kept = np.ones(len(widths), bool)
    if edge.gap is not None:
        kept[edge.gap[0] : edge.gap[1]] = False
    usual = float(np.median(widths[kept])) if kept.any() else 1.0
    heads = [float(np.percentile(part, 80)) if len(part) else 0.0 for part in (widths[:reach], widths[-reach:])]
    is_head = [head > max(1.7 * usual, usual + 2.5) for head in heads]
    if is_head[1] and not is_head[0]:
        return edge.ends[0], edge.ends[1], "->"
    if is_head[0] and not is_head[1]:
        return edge.ends[1], edge.ends[0], "->"
    return edge.ends[0], edge.ends[1], "-"


def _widths(ink: Mask, path: Path) -> NDArray[np.float64]:
    """How wide the ink is across a path, at each of its points, up to 12 pixels to either side."""
    normals = _across(path)
    width = np.zeros(len(path))
    for side in (1, -1):
        still = np.ones(len(path), bool)
        for step in range(0 if side == 1 else 1, 13):
            still &= _at(ink, path + side * step * normals)
            width += still
    return width


def _weights(
    picture: Pixels, ink: Mask, edges: Sequence[_Edge], nodes: Sequence[_Node], words: Sequence[Word]
) -> list[Reading | None]:
    """The number that stands on each edge: read along the edge where the edge is interrupted, else the nearest word."""
    groups = [[] if edge.gap is None else _label_crops(picture, ink, edge) for edge in edges]
    closer = _surest_readings(groups)
    weights: list[Reading | None] = []
    for edge, reading in zip(edges, closer, strict=True):
        said = [reading, *_nearest_words(edge, edges, nodes, words)]
        numbers = [one for one in said if cell_number(_as_number(one.text)) is not None]
        weights.append(max(numbers, key=lambda one: one.confidence, default=None))
    return weights


def _label_crops(picture: Pixels, ink: Mask, edge: _Edge) -> list[Pixels]:
    """The label in an edge's gap, cut along the edge and level."""
    assert edge.gap is not None
    first, last = edge.path[edge.gap[0]], edge.path[edge.gap[1] - 1]
    centre, length = (first + last) / 2, float(np.hypot(*(last - first)))
    angle = float(np.degrees(np.arctan2(last[1] - first[1], last[0] - first[0])))
    upright = (angle + 90) % 180 - 90
    crops = []
    for turn in (upright, 0.0):
        side = max(1.3 * length, 24.0)
        crop = _turned(picture, centre, turn, side)
        tight = _tight(
            crop, _turned(ink.astype(np.uint8)[:, :, None] * np.uint8(255), centre, turn, side)[:, :, 0], length
        )
        if tight is not None:
            crops.append(tight)
    return crops


def _turned(picture: NDArray[np.uint8], centre: Path, turn_deg: float, side: float) -> Pixels:
    """The square around a point, turned so that what leans by that angle is level."""
    matrix = np.asarray(cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), turn_deg, 1.0), np.float64)
    matrix[:, 2] += np.asarray(side / 2 - centre)
    size = (int(side), int(side))
    turned = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned.reshape(size[1], size[0], -1), np.uint8)


def _tight(crop: Pixels, ink: NDArray[np.uint8], length: float) -> Pixels | None:
    """The crop cut to the glyphs around its middle; lines that come in from its rim are left out."""
    count, _, stats, _ = cv2.connectedComponentsWithStats((ink > 127).astype(np.uint8))
    side = ink.shape[0]
    boxes = []
    for number in range(1, count):
        x, y, width, height, area = (int(value) for value in stats[number])
        touches = x <= 0 or y <= 0 or x + width >= side or y + height >= side
        off = abs(y + height / 2 - side / 2) > 0.3 * side
        if not touches and not off and area > 3:
            boxes.append((x, y, x + width, y + height))
    if not boxes:
        return None
    x0, y0, x1, y1 = (round(edge) for edge in Box.around(boxes))
    margin = max(int(0.3 * (y1 - y0)), 3)
    cut = crop[max(y0 - margin, 0) : y1 + margin, max(x0 - margin, 0) : x1 + margin]
    return np.ascontiguousarray(cut) if cut.size and cut.shape[1] <= length + 4 * margin else None


def _nearest_words(edge: _Edge, edges: Sequence[_Edge], nodes: Sequence[_Node], words: Sequence[Word]) -> list[Reading]:
    """Words nearer to this edge's middle than to any other's, and near it: within their own size."""
    found = []
    for word in words:
        x, y = word.box.x, word.box.y
        if any(node.is_near(x, y, 1.0) for node in nodes):
            continue
        distances = [float(np.hypot(*(one.path[len(one.path) // 2] - (x, y)))) for one in edges]
        nearest = min(range(len(edges)), key=lambda index: distances[index])
        if edges[nearest] is edge and distances[nearest] < max(word.box.width, word.box.height):
            found.append(Reading(text=word.text, confidence=0.9 * word.confidence))
    return found


def _as_number(text: str) -> str:
    return re.sub(r"[|\s]", "", text).translate(_AS_DIGITS)


def _edge_fact(first: _Node, second: _Node, weight: Reading | None, edge: _Edge) -> Constraint:
    """An edge with its weight, or that its nodes are adjacent where it has none."""
    confidence = round(min(first.confidence, second.confidence) * min(1.0, edge.drawn), 4)
    box = Box.around((*point, *point) for point in (edge.path[0], edge.path[-1]))
    number = cell_number(_as_number(weight.text)) if weight is not None else None
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


def _explained(ink: Mask, nodes: Sequence[_Node], edges: Sequence[_Edge]) -> float:
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

"""Nodes of a network: discs and boxes of about one size that hold a label, filled or drawn as outlines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

import cv2
import numpy as np
from numpy.typing import NDArray

from evpv.perception.boxes import Box, Pixels
from evpv.perception.ocr import Word
from evpv.perception.recognition import CropText, recognise
from evpv.perception.tables.numbers import cell_number

Mask = NDArray[np.bool_]

_INK = 40  # levels off the ground
_LEAST_RADIUS_PX = 5.0  # half of the least side of a node: lines and letters are thinner
_ALIKE = 1.3  # a node's size, at most, over that of the usual one
_MOST_NODES = 60
_LEAST_LABEL_CONFIDENCE = 0.5
_AS_DIGITS = str.maketrans("OoQDθIl|SZzBq", "0000011152289")
_AS_LETTERS = str.maketrans("01258", "OIZSB")


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkNode:
    """A node where it is drawn, and what is written in it."""

    x: float
    y: float
    radius: float
    label: str = ""
    confidence: float = 0.0

    def is_near(self, x: float, y: float, share: float) -> bool:
        return float(np.hypot(x - self.x, y - self.y)) < share * self.radius


def has_nodes(picture: Pixels, words: Sequence[Word]) -> bool:
    """Whether several alike discs or boxes hold most of the picture's words but single numbers, as in a network."""
    nodes = _nodes(ink_mask(picture))
    held = [node for node in nodes if any(node.is_near(word.box.x, word.box.y, 0.8) for word in words)]
    return (
        len(held) >= 3
        and len(held) >= 0.6 * len(nodes)
        and 2 * len(held) >= len(words) - sum(cell_number(word.text) is not None for word in words)
    )


def ink_mask(picture: Pixels) -> Mask:
    """What differs from the ground: the colour that most of the picture has."""
    thinned = picture[::4, ::4].reshape(-1, 3)
    ground = np.median(thinned, axis=0)
    low, high = np.ceil(ground - _INK), np.floor(ground + _INK)
    return np.asarray(cv2.inRange(picture, np.clip(low, 0, 255), np.clip(high, 0, 255)) == 0)


def _nodes(ink: Mask) -> list[NetworkNode]:
    """Filled discs and boxes, or else outlines of such, of about one size."""
    found = max((_alike(_filled_nodes(ink)), _alike(_hollow_nodes(ink))), key=_extent)
    return sorted(found, key=lambda node: (node.y, node.x)) if 2 <= len(found) <= _MOST_NODES else []


def _extent(nodes: Sequence[NetworkNode]) -> float:
    return sum(node.radius**2 for node in nodes)


def _filled_nodes(ink: Mask) -> list[NetworkNode]:
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
    # arrows and neighbours that touch fall off
    return _cores(depth, max(least, 0.6 * max(node.radius for node in rough)))


def _cores(depth: NDArray[np.float32], least: float) -> list[NetworkNode]:
    """The places that lie deeper than `least` in ink, each as the largest disc there, unless they are drawn out."""
    count, _, stats, centres = cv2.connectedComponentsWithStats((depth > least).astype(np.uint8))
    nodes = []
    for number in range(1, min(count, 4 * _MOST_NODES)):
        x, y, width, height = stats[number, :4]
        radius = float(depth[y : y + height, x : x + width].max())
        if max(width, height) < 3 * (radius - least) + 4:
            nodes.append(NetworkNode(x=float(centres[number][0]), y=float(centres[number][1]), radius=radius))
    return nodes


def _hollow_nodes(ink: Mask) -> list[NetworkNode]:
    """Grounds closed off by an outline that is round or square and holds ink of its own."""
    count, numbers, stats, _ = cv2.connectedComponentsWithStats((~ink).astype(np.uint8), connectivity=4)
    nodes = []
    for number in range(1, count):
        x, y, width, height, area = stats[number]
        side = min(width, height)
        if side < 2 * _LEAST_RADIUS_PX or max(width, height) > min(0.25 * min(ink.shape), 1.15 * side):
            continue
        own = np.pad((numbers[y : y + height, x : x + width] == number).astype(np.uint8), 1)
        outlines, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        whole = float(cv2.drawContours(own, outlines, -1, 1, cv2.FILLED).sum())
        share = whole / float(width * height)
        if (0.74 < share < 0.84 or share > 0.94) and area < 0.99 * whole:
            nodes.append(NetworkNode(x=x + width / 2, y=y + height / 2, radius=side / 2 + 1))
    return nodes


def _alike(nodes: Sequence[NetworkNode]) -> list[NetworkNode]:
    """Those of about one size that reach farthest together: between crossing lines there are spots, but small ones."""
    groups = [[one for one in nodes if usual.radius / _ALIKE < one.radius < usual.radius * _ALIKE] for usual in nodes]
    return max(groups, key=_extent, default=[])


def labelled_nodes(picture: Pixels, words: Sequence[Word], ink: Mask) -> list[NetworkNode]:
    """The nodes with what is written in them, by the surer of two looks: the picture's words, and the node alone."""
    nodes = _nodes(ink)
    readings = surest_readings([_crops(picture, node) for node in nodes])
    found = []
    for node, closer in zip(nodes, readings, strict=True):
        inside = [word for word in words if node.is_near(word.box.x, word.box.y, 0.7)]
        best = max(
            [closer, *(CropText(text=word.text, confidence=word.confidence) for word in inside)],
            key=lambda reading: reading.confidence if reading.text.strip() else 0.0,
        )
        if best.text.strip(" ()[]|.,") and best.confidence >= _LEAST_LABEL_CONFIDENCE:
            found.append(replace(node, label=best.text.strip(" ()[]|.,"), confidence=best.confidence))
    return _told_apart(found)


def _crops(picture: Pixels, node: NetworkNode) -> list[Pixels]:
    """The inside of a node, widely and closely cut."""
    crops = []
    for share in (0.95, 0.7):
        reach = share * node.radius
        rows, columns = Box(node.x - reach, node.y - 0.75 * reach, node.x + reach, node.y + 0.75 * reach).slices()
        crop = picture[rows, columns]
        if crop.size:
            crops.append(np.ascontiguousarray(crop))
    return crops


def surest_readings(crops: Sequence[Sequence[Pixels]]) -> list[CropText]:
    """For each group of crops of one label the reading that is surest."""
    readings = iter(recognise([crop for group in crops for crop in group]))
    nothing = CropText(text="", confidence=0.0)
    return [max((next(readings) for _ in group), key=lambda one: one.confidence, default=nothing) for group in crops]


def _told_apart(nodes: Sequence[NetworkNode]) -> list[NetworkNode]:
    """Labels as most of them are written; of nodes with one label the surest keeps it."""
    labels = _written_alike([node.label for node in nodes])
    named = [replace(node, label=label) for node, label in zip(nodes, labels, strict=True)]
    sure: dict[str, NetworkNode] = {}
    for node in sorted(named, key=lambda node: -node.confidence):
        sure.setdefault(node.label, node)
    return [sure[label] for label in sorted(sure, key=lambda label: (len(label), label))]


def _written_alike(labels: Sequence[str]) -> list[str]:
    """Lookalike characters settled by what most labels are: numbers, capitals, a letter with a number, or words."""
    if _are_mostly(r"\d+", labels):
        return [label.translate(_AS_DIGITS) for label in labels]
    if _are_mostly(r"[A-Za-z]", labels):
        if not _are_mostly(r"[^a-z]*[A-Z][^a-z]*", labels):
            return list(labels)
        return [label.translate(_AS_LETTERS).upper() for label in labels]
    if _are_mostly(r"[A-Za-z]\d+", labels):
        first = Counter(map(itemgetter(0), labels)).most_common(1)[0][0]
        return [first + label[1:].translate(_AS_DIGITS) for label in labels]
    return [label.translate(_AS_LETTERS) if len(label) > 2 else label for label in labels]


def _are_mostly(pattern: str, labels: Sequence[str]) -> bool:
    return 2 * sum(re.fullmatch(pattern, label) is not None for label in labels) > len(labels)


def as_digits(text: str) -> str:
    """A label with lookalike letters taken for the digits that they stand for."""
    return re.sub(r"[|\s]", "", text).translate(_AS_DIGITS)

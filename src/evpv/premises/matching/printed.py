"""Claims about what is printed: measures and points that a claim names, held against all labels that were read, wherever they belong.

A label that no reader could attach to anything still says that its measure is in the figure. A claim all of whose measures are
printed, and that could hardly name others instead, is borne out. What is printed nowhere refutes nothing, for it may not have been
read; only a claim that reads off just as many measures as the figure prints, all but one of them, is wrong in that one. Measures of
lettered things are no such evidence: another letter is another thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from evpv.language.immutable import immutable
from evpv.language.printed_labels import (
    PrintedLabel,
    may_name,
    printed_label_text,
    printed_labels,
    reads_off,
    speaks_of_labels,
    traces_curve,
)
from evpv.language.quantities import number_text
from evpv.premises.matching.values import Finding
from evpv.types import LOOSE, Constraint, Match, Numeric, Relation, Structure

_LEAST_NUMBERS = 3  # bare numbers that a claim lists, for their all being printed to mean anything
_CONFIDENCE = 0.8  # how often such verdicts are right, rounded down
_LEAST_RING = 18  # degrees: ten times as many are no angle of a figure
_LONGEST = 2000  # characters of a claim
_PAIRS = frozenset({"point", "time"})
_AT = "graph at x = "


@immutable
class Print:
    """All measures, points and numbers that were read as print and belong to nothing lettered; whether angles or lengths are lettered
    besides; the constraint to name for them; and where the only curve runs: constraint, x and y."""

    labels: Counter[PrintedLabel]
    lettered: frozenset[str]
    place: int
    heights: tuple[tuple[int, float, float], ...]

    def alike(self, unit: str) -> Counter[PrintedLabel]:
        return Counter({label: many for label, many in self.labels.items() if label[0] == unit})

    def times(self, label: PrintedLabel) -> int:
        """How many labels say this; one whose unit was not read may, unless the signs of other angles were read, and one whose ring was
        read as a nought: 370 for 37°."""
        unit, value, _ = label
        many = self.labels[label]
        if unit == "degree":
            many += self.labels["", 10 * value, 0.0] if value > _LEAST_RING else 0
        if unit in ("", *_PAIRS) or (unit == "degree" and self.alike(unit)):
            return many
        return many + self.labels["", value, 0.0]


def print_of(constraints: Sequence[Constraint]) -> Print:
    """What a figure prints; beside a table or chart bare numbers are no labels but ticks."""
    loose = [i for i, one in enumerate(constraints) if isinstance(one, Structure) and one.type == LOOSE]
    texts = [part for i in loose for part in getattr(constraints[i], "parts", ())]
    measures = [one for one in constraints if isinstance(one, Numeric) and one.attribute in ("length", "angle")]
    texts += [f"{number_text(one.value)} {one.unit or ''}" for one in measures if names_unlettered_part(one)]
    texts += [one for fact in constraints if isinstance(fact, Relation) for one in fact.entities if one.startswith("(")]
    lettered = frozenset(one.attribute for one in measures if not names_unlettered_part(one))
    heights = tuple(
        (i, float(one.entity.removeprefix(_AT)), one.value)
        for i, one in enumerate(constraints)
        if isinstance(one, Numeric) and one.entity.startswith(_AT) and _is_number(one.entity.removeprefix(_AT))
    )
    tabular = any(getattr(one, "row", None) or getattr(one, "type", "") == "table" for one in constraints)
    labels = sum((printed_labels(text, with_numbers=not tabular) for text in texts), Counter[PrintedLabel]())
    return Print(labels=labels, lettered=lettered, place=(*loose, 0)[0], heights=heights)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdecimal()


def names_unlettered_part(fact: Numeric) -> bool:
    """Whether a fact names a part by its kind alone ("rectangle width"), of which the figure may have several."""
    return fact.attribute in ("length", "angle") and not any(map(str.isupper, fact.entity)) and fact.row is None


def printed_finding(text: str, shown: Print) -> Finding | None:
    """A claim that the labels of a figure, taken together, bear out or refute; None where they do neither."""
    if not (shown.labels or shown.heights) or len(text) > _LONGEST:
        return None
    said = printed_labels(text, with_numbers=speaks_of_labels(text) or reads_off(text))
    astray = Counter({label: many - shown.times(label) for label, many in said.items() if many > shown.times(label)})
    if said and not astray and _means_no_other(said, shown):
        found = f"it prints {', '.join(map(printed_label_text, said))}."
        return Finding(verdict="supported", constraint=shown.place, confidence=_CONFIDENCE, explanation=found)
    if off := _off_the_curve(astray, shown) if traces_curve(text) else None:
        return off
    if astray.total() != 1 or not _means_all(said, text, shown) or not reads_off(text):
        return None
    others = ", ".join(map(printed_label_text, shown.alike(next(iter(said))[0])))
    found = f"it prints {others}, not {printed_label_text(next(iter(astray)))}."
    return Finding(verdict="contradicted", constraint=shown.place, confidence=_CONFIDENCE, explanation=found)


def _off_the_curve(astray: Counter[PrintedLabel], shown: Print) -> Finding | None:
    """A point through which the curve is said to pass, where it was read to pass elsewhere."""
    for index, x, y in shown.heights:
        wrong = [label for label in astray if label[0] == "point" and label[1] == x]
        if wrong:
            found = f"the curve passes ({number_text(x)}, {number_text(y)}), not {printed_label_text(wrong[0])}."
            return Finding(verdict="contradicted", constraint=index, confidence=_CONFIDENCE, explanation=found)
    return None


def _means_no_other(said: Counter[PrintedLabel], shown: Print) -> bool:
    """Whether a claim could hardly name other labels instead: of one measure among several, its being there proves little."""
    unit = next(iter(said))[0]
    if unit == "":
        return len(said) >= _LEAST_NUMBERS
    return len(said) > 1 or len(shown.alike(unit) or shown.alike("")) == 1


def _means_all(said: Counter[PrintedLabel], text: str, shown: Print) -> bool:
    """Whether a claim of measures in one unit must mean all labels in it: there are as many, and a single one is the only label."""
    units = {unit for unit, _, _ in said}
    unit = units.pop()
    kind = "angle" if unit == "degree" else "length"
    if units or unit in ("", *_PAIRS) or kind in shown.lettered or shown.alike(unit).total() != said.total():
        return False
    return said.total() > 1 or (speaks_of_labels(text) and (kind == "angle" or not shown.alike("")))


def labels_match(found: Match, text: str, constraints: Sequence[Constraint], shown: Print, unknown: float) -> Match:
    """A match that decided nothing, or by an unlettered part that may be another one of its kind, as all labels together decide it.
    `unknown` is the support of a claim that nothing speaks to."""
    part = constraints[found.constraint] if found.constraint is not None else None
    if isinstance(part, Numeric) and names_unlettered_part(part):
        if not may_name(text, part.entity):
            reason = f"only '{part.entity}' was read, which the claim does not speak of."
            found = replace(found, verdict="missing", support=unknown, constraint=None, explanation=reason)
        elif found.verdict == "supported":
            return found
    elif found.verdict not in ("missing", "unparsed"):
        return found
    finding = printed_finding(text, shown)
    if finding is None or finding.verdict == found.verdict:
        return found
    support = finding.confidence if finding.verdict == "supported" else (1.0 - finding.confidence) * unknown
    return replace(
        found,
        type="numeric",
        verdict=finding.verdict,
        support=support,
        constraint=finding.constraint,
        explanation=finding.explanation,
    )


def checklist_matches(
    matches: Sequence[Match | None], claims: Sequence[str | None], shown: Print
) -> list[Match | None]:
    """The matches of a checklist in which those are borne out that could not tell which label they mean, where all claims together name
    every label in a unit and none besides: who reads them all one by one has hardly taken one for another."""
    printed = {unit: shown.alike(unit).keys() for unit, _, _ in shown.labels if unit not in ("", *_PAIRS)}
    printed = {unit: labels for unit, labels in printed.items() if len(labels) >= _LEAST_NUMBERS}
    texts = enumerate(claims) if printed else ()
    read = {i: printed_labels(text) for i, text in texts if text and reads_off(text)}
    named = frozenset(label for said in read.values() for label in said)
    borne_out = list(matches)
    for i, said in read.items():
        found, unit = matches[i], next(iter(said), ("",))[0]
        whole = printed.get(unit, ()) == {label for label in named if label[0] == unit}
        if found and found.verdict in ("missing", "unparsed") and whole and said.total() == 1:
            shows = (
                f"it prints {', '.join(map(printed_label_text, sorted(printed[unit])))}, as the claims say together."
            )
            borne_out[i] = replace(
                found, verdict="supported", support=_CONFIDENCE, constraint=shown.place, explanation=shows
            )
    return borne_out

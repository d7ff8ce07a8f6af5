"""Claims about what is printed: measures and points that a claim names, held against all labels that were read, wherever they belong.

A label that no reader could attach to anything still says that its measure is in the figure. A claim all of whose measures are
printed, and that could hardly name others instead, is borne out. What is printed nowhere refutes nothing, for it may not have been
read; only a claim that reads off just as many measures as the figure prints, all but one of them, is wrong in that one. Measures of
lettered things are no such evidence: another letter is another thing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

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
from evpv.premises.matching.values import Finding, Verdict
from evpv.types import LOOSE, Constraint, Match, Numeric, Relation, Structure

_LEAST_NUMBERS = 3  # bare numbers that a claim lists, for their all being printed to mean anything
_CONFIDENCE = 0.8  # how often such verdicts are right, rounded down
_LEAST_RING = 18  # degrees: ten times as many are no angle of a figure
_LONGEST = 2000  # characters of a claim
_PAIRS = frozenset({"point", "time"})
_AT = "graph at x = "


@immutable
class _Print:
    """All measures, points and numbers that were read as print and belong to nothing lettered; which of them belong to parts known by
    shape and dimension; whether angles or lengths are lettered besides; the constraint to name for them; and where the only curve runs:
    constraint, x and y."""

    labels: Counter[PrintedLabel]
    parts: tuple[tuple[str, PrintedLabel], ...]
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

    def open_to(self, text: str) -> _Print:
        """The print without the labels of parts that a text does not speak of."""
        taken = Counter(label for part, label in self.parts if not may_name(text, part))
        return replace(self, labels=self.labels - taken) if taken else self


@lru_cache(maxsize=16)
def print_of(constraints: tuple[Constraint, ...]) -> _Print:
    """What a figure prints: what belongs to nothing, points that relations name, and parts known by their kind; beside a table or chart
    bare numbers are no labels but ticks."""
    types = [getattr(one, "type", "") for one in constraints]
    tabular = "table" in types or any(getattr(one, "row", None) for one in constraints)
    parts, lettered = _measures(constraints)
    read = (printed_labels(text, with_numbers=not tabular) for text in _loose_texts(constraints))
    return _Print(
        labels=sum(read, Counter(label for _, label in parts if label[0] or not tabular)),
        parts=tuple(parts), lettered=frozenset(lettered), place=types.index(LOOSE) if LOOSE in types else 0,
        heights=tuple(_heights(constraints)),
    )  # fmt: skip


def _measures(constraints: Sequence[Constraint]) -> tuple[list[tuple[str, PrintedLabel]], set[str]]:
    """The measures of parts known by their kind, as they are printed, and which kinds of measures are lettered."""
    parts: list[tuple[str, PrintedLabel]] = []
    lettered: set[str] = set()
    for one in constraints:
        if isinstance(one, Numeric) and _is_unlettered_part(one):
            said = printed_labels(f"{number_text(one.value)} {one.unit or ''}")
            parts.append((one.entity, next(iter(said), ("", one.value, 0.0))))
        elif isinstance(one, Numeric) and one.attribute in ("length", "angle"):
            lettered.add(one.attribute)
    return parts, lettered


def _loose_texts(constraints: Sequence[Constraint]) -> Iterator[str]:
    """What belongs to nothing, and the points that relations name."""
    for one in constraints:
        if isinstance(one, Structure) and one.type == LOOSE:
            yield from one.parts
        elif isinstance(one, Relation):
            yield from (entity for entity in one.entities if entity.startswith("("))


def _heights(constraints: Sequence[Constraint]) -> Iterator[tuple[int, float, float]]:
    """The points through which the only curve was read to pass."""
    for i, one in enumerate(constraints):
        at = one.entity.removeprefix(_AT) if isinstance(one, Numeric) and one.entity.startswith(_AT) else ""
        if isinstance(one, Numeric) and at.removeprefix("-").replace(".", "", 1).isdecimal():
            yield i, float(at), one.value


def _is_unlettered_part(fact: Numeric) -> bool:
    """Whether a fact names a part by its kind alone ("rectangle width"), of which the figure may have several."""
    return fact.attribute in ("length", "angle") and not any(map(str.isupper, fact.entity)) and fact.row is None


def _printed_finding(text: str, shown: _Print) -> Finding | None:
    """A claim that the labels of a figure, taken together, bear out or refute; None where they do neither."""
    if not shown.labels or len(text) > _LONGEST:
        return None
    said = printed_labels(text, with_numbers=speaks_of_labels(text) or reads_off(text))
    if not said:
        return None
    if any(not _astray(said, one) and _means_no_other(said, one) for one in (shown, shown.open_to(text))):
        return _found("supported", shown, f"it prints {_texts(said)}.")
    return _refutation(said, text, shown)


def _refutation(said: Counter[PrintedLabel], text: str, shown: _Print) -> Finding | None:
    """A point through which the curve is said to pass, where it was read to pass elsewhere, refutes by itself."""
    astray, prints = _astray(said, shown), (shown, shown.open_to(text))
    for index, x, y in shown.heights if traces_curve(text) else ():
        wrong = next((label for label in astray if label[:2] == ("point", x)), None)
        if wrong is not None:
            passes = f"the curve passes ({number_text(x)}, {number_text(y)}), not {printed_label_text(wrong)}."
            return replace(_found("contradicted", shown, passes), constraint=index)
    if astray.total() != 1 or not reads_off(text) or not any(_means_all(said, text, one) for one in prints):
        return None
    return _found("contradicted", shown, f"it prints {_texts(shown.alike(next(iter(said))[0]))}, not {_texts(astray)}.")


def _astray(said: Counter[PrintedLabel], shown: _Print) -> Counter[PrintedLabel]:
    """The labels that a claim names more often than they are printed."""
    return Counter({label: many - shown.times(label) for label, many in said.items() if many > shown.times(label)})


def _found(verdict: Verdict, shown: _Print, explanation: str) -> Finding:
    return Finding(verdict=verdict, constraint=shown.place, confidence=_CONFIDENCE, explanation=explanation)


def _texts(labels: Iterable[PrintedLabel]) -> str:
    return ", ".join(map(printed_label_text, labels))


def _means_no_other(said: Counter[PrintedLabel], shown: _Print) -> bool:
    """Whether a claim could hardly name other labels instead: of one measure among several, its being there proves little."""
    unit = next(iter(said))[0]
    if unit == "":
        return len(said) >= _LEAST_NUMBERS
    return len(said) > 1 or len(shown.alike(unit) or shown.alike("")) == 1


def _means_all(said: Counter[PrintedLabel], text: str, shown: _Print) -> bool:
    """Whether a claim of measures in one unit must mean all labels in it: there are as many, and a single one is the only label."""
    units = {unit for unit, _, _ in said}
    unit = units.pop()
    kind = _kind(unit)
    if units or unit in ("", *_PAIRS) or kind in shown.lettered or shown.alike(unit).total() != said.total():
        return False
    return said.total() > 1 or (speaks_of_labels(text) and (kind == "angle" or not shown.alike("")))


def _kind(unit: str) -> str:
    return "angle" if unit == "degree" else "length"


def labels_match(found: Match, text: str, constraints: Sequence[Constraint], shown: _Print, unknown: float) -> Match:
    """A match that decided nothing, or by an unlettered part that may be another one of its kind, as all labels together decide it.
    `unknown` is the support of a claim that nothing speaks to."""
    part = constraints[found.constraint] if found.constraint is not None else None
    if isinstance(part, Numeric) and _is_unlettered_part(part):
        if not may_name(text, part.entity):
            reason = f"only '{part.entity}' was read, which the claim does not speak of."
            found = replace(found, verdict="missing", support=unknown, constraint=None, explanation=reason)
        elif found.verdict == "supported":
            return found
    elif found.verdict not in ("missing", "unparsed"):
        return found
    finding = _printed_finding(text, shown)
    if finding is None or finding.verdict == found.verdict:
        return found
    return replace(_decided_match(found, finding, unknown), type="numeric")


def _decided_match(found: Match, finding: Finding, unknown: float) -> Match:
    support = finding.confidence if finding.verdict == "supported" else (1.0 - finding.confidence) * unknown
    return replace(
        found,
        verdict=finding.verdict,
        support=support,
        constraint=finding.constraint,
        explanation=finding.explanation,
    )


def checklist_matches(
    matches: Sequence[Match | None], claims: Sequence[str | None], shown: _Print
) -> list[Match | None]:
    """The matches of a checklist in the light of each other, where some could not tell which label they mean."""
    undecided = {i: one for i, one in enumerate(matches) if one is not None and one.verdict in ("missing", "unparsed")}
    together = list(matches)
    for unit, own in _labels_by_unit(claims).items() if shown.labels and undecided else ():
        for i, said in own.items():
            finding = _shared_finding(unit, said, [*own.values()], shown) if i in undecided else None
            if finding is not None:
                together[i] = _decided_match(undecided[i], finding, undecided[i].support)
    return together


def _labels_by_unit(claims: Sequence[str | None]) -> dict[str, dict[int, Counter[PrintedLabel]]]:
    """The labels that each claim reads off, by their unit and the claim's place."""
    read: dict[str, dict[int, Counter[PrintedLabel]]] = defaultdict(dict)
    for i, text in enumerate(claims):
        said = _labels_read(text or "")
        if said and (unit := next(iter(said))[0]) not in _PAIRS:
            read[unit][i] = said
    return read


@lru_cache(maxsize=256)
def _labels_read(text: str) -> Counter[PrintedLabel]:
    """The labels that a claim reads off; a single one that is said to be there is read, whatever else is said."""
    labelled = speaks_of_labels(text)
    said = printed_labels(text, with_numbers=labelled)
    return said if reads_off(text) or (labelled and said.total() == 1) else Counter()


def _shared_finding(
    unit: str, said: Counter[PrintedLabel], every: Sequence[Counter[PrintedLabel]], shown: _Print
) -> Finding | None:
    """One claim among those of a checklist that read off labels in a unit, taken as one claim: borne out where all that they name is
    printed (who reads them one by one has hardly taken one for another), refuted where they are as many as the labels and it names none."""
    printed, named = shown.alike(unit), sum(every, Counter[PrintedLabel]())
    are_all = named.keys() == printed.keys() and len(every) >= _LEAST_NUMBERS
    if are_all or (not _astray(named, shown) and _means_no_other(named, shown)):
        return _found("supported", shown, f"it prints {_texts(sorted(printed or said))}, as the claims say together.")
    are_as_many = unit and named.total() == printed.total() > 1
    if not are_as_many or any(map(shown.times, said)) or _kind(unit) in shown.lettered:
        return None
    return _found("contradicted", shown, f"it prints {_texts(sorted(printed))}, not {_texts(said)}.")

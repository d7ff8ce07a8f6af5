"""What sentences about labelled figures assert: each clause's measures, expressions and relations."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.language.clauses import Clause
from evpv.language.forms import Between, Measure
from evpv.language.geometric_measures import equation_forms, expression_forms, measure_forms
from evpv.language.geometric_relations import clause_relations
from evpv.language.labelled import MEASURED, Found, single_points
from evpv.language.labels import Label


def geometric_forms(text: str, parts: Sequence[Clause], earlier: Sequence[Label]) -> list[Found]:
    """All that a sentence asserts of labelled things; `earlier` are the labels named before it, for “these two segments”."""
    found: list[Found] = []
    seen = list(earlier)
    previous: Clause | None = None
    for clause in parts:
        points = single_points(clause)
        own = _of_both(clause, found) or _clause_forms(clause, points, seen, previous)
        found += own
        seen += [label for label in clause.labels if label.kind in MEASURED]
        previous = clause
    return found


def _of_both(clause: Clause, found: Sequence[Found]) -> list[Found]:
    """“… because both are marked 87°”: the value of each of the things just called equal, said as the reason."""
    if clause.labels or len(clause.amounts) != 1 or not found:
        return []
    words, equal = set(clause.words), found[-1].form
    if not words & {"both", "each"} or not words & {"because", "since"}:
        return []
    if not isinstance(equal, Between) or equal.relation != "equal" or equal.by or equal.times:
        return []
    amount = clause.amounts[0].amount
    return [
        Found(start=clause.start, end=clause.end, form=Measure(key=key, amount=amount, drawn=key[1]), aside=True)
        for key in equal.keys
    ]


def _clause_forms(
    clause: Clause, points: tuple[Label, ...], seen: Sequence[Label], previous: Clause | None
) -> list[Found]:
    found = [one for equation in clause.equations for one in equation_forms(clause, equation)]
    expressions = list(expression_forms(clause))
    found += expressions
    named_only = expressions and not clause.has("parallel", "perpendicular", "isosceles", "bisects", "tick")
    relation = None if named_only else clause_relations(clause, points, seen, previous)
    if relation is not None:
        found += relation
        if any(isinstance(one.form, Between) and (one.form.by or one.form.times) for one in relation):
            return found
    if not (relation and clause.has("more", "less", "than")):
        found += measure_forms(clause, points)
    return found


def has_labels(text: str, named: Sequence[Label]) -> bool:
    """Whether capitals in a text are points of a figure rather than abbreviations."""
    if not named:
        return False
    if any(sign in text for sign in "∠△⊙∥⟂≅°"):
        return True
    words = {word.lower().strip(".,:;()") for word in text.split()}
    if words & _GEOMETRY_WORDS:
        return True
    return any(len(label.points) == 2 and "".join(label.points) not in _ACRONYMS for label in named) and not any(
        len(label.points) > 3 for label in named
    )


_GEOMETRY_WORDS = frozenset(
    "angle angles triangle triangles segment segments parallel perpendicular congruent bisector bisects midpoint radius diameter chord tangent isosceles equilateral "  # noqa: E501
    "hypotenuse leg legs side sides circle vertex quadrilateral trapezoid parallelogram rectangle rhombus arc".split()
)


_ACRONYMS = frozenset(
    "US UK EU UN TV PC IT AI GB NY LA DC HR PR VR AR ID OS UV MW GW AM PM BC AD CO NO QB FC AC SS".split()
) - {"AC", "BC", "AD"}

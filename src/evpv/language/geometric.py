"""What sentences about labelled figures assert: each clause's measures, expressions and relations."""

from __future__ import annotations

from collections.abc import Sequence

from evpv.language.clauses import Clause
from evpv.language.forms import Between, Form, Measure
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
    words = clause.words
    if {"both", "each"}.isdisjoint(words) or {"because", "since"}.isdisjoint(words) or clause.labels:
        return []
    match [one.form for one in found[-1:]], clause.amounts:
        case [Between(relation="equal", by=None, times=None, keys=keys)], (stated,):
            forms = [Measure(key=key, amount=stated.amount, drawn=key[1]) for key in keys]
            return [Found(start=clause.start, end=clause.end, form=form, aside=True) for form in forms]
    return []


def _clause_forms(
    clause: Clause, points: tuple[Label, ...], seen: Sequence[Label], previous: Clause | None
) -> list[Found]:
    found = [one for equation in clause.equations for one in equation_forms(clause, equation)]
    expressions = list(expression_forms(clause))
    named_only = expressions and not clause.has("parallel", "perpendicular", "isosceles", "bisects", "tick")
    relations = [] if named_only else clause_relations(clause, points, seen, previous)
    found += [*expressions, *relations]
    if relations and (clause.has("more", "less", "than") or any(_says_how_much(one.form) for one in relations)):
        return found
    return [*found, *measure_forms(clause, points)]


def _says_how_much(form: Form) -> bool:
    """Whether a relation holds the amounts of its clause itself."""
    return isinstance(form, Between) and (form.by or form.times) is not None


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

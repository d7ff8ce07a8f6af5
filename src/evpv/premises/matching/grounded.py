"""Our matching function: every assertion of a claim against the figure, four verdicts, each with what decided it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from evpv.language.assertions import assertions
from evpv.language.forms import (
    Amount,
    Assertion,
    Between,
    Comparison,
    Form,
    KeySum,
    Layout,
    Marks,
    Measure,
    Open,
    Phrase,
    Position,
    Stated,
    Value,
    form_text,
)
from evpv.language.labels import labels
from evpv.language.questions import told_by
from evpv.premises.figure import Figure, figure
from evpv.premises.matching import ClaimMatcher
from evpv.premises.matching.described import order_finding, position_finding, value_finding
from evpv.premises.matching.diagrams import between_finding, layout_finding, stated_finding
from evpv.premises.matching.leaves import leaf_finding
from evpv.premises.matching.measures import has_points, marks_finding, measure_finding, sum_finding
from evpv.premises.matching.plain import plain_assertion, plain_finding
from evpv.premises.matching.printed import labels_match, print_of
from evpv.premises.matching.values import NOTHING_READ, Finding, doubted, is_read, missing, opposite
from evpv.premises.statements.grid import is_of_grid
from evpv.premises.statements.reading import Statement, statements
from evpv.types import AssertionMatch, ClaimType, Constraint, Match

MISSING_SUPPORT: Mapping[str, float] = {"numeric": 0.59, "relation": 0.68, "structure": 0.85}
"""How probable a claim of each type is when the extractor has nothing to say of it. Counted on the 2,533 sentences of real systems'
captions (`claims`, development half, 2026-11-17), told for a policy of whose claims seven in ten are right. On drawn problems the
order of the first two is the other way round, because there every number is printed. A setting of the method, `missing`; `evpv fit`
fits it anew."""
_UNPARSED_SUPPORT = 0.73
"""What nothing could be made of is as often right as what was understood and not found; no gate of ours looks at it."""

_Judged: TypeAlias = tuple[Assertion, ClaimType, Finding]


def grounded_matcher(
    constraints: Sequence[Constraint], *, missing_support: Mapping[str, float] = MISSING_SUPPORT, question: str = ""
) -> ClaimMatcher:
    """m(·, C) beyond the paper: *missing* and *contradicted* are different things.

    A contradicted claim has the support that is left if the constraint was misread: none when its confidence is 1. What the question
    gives no reading of the figure refutes.
    """
    model, shown = figure(tuple(constraints)), print_of(tuple(constraints))
    if question and model.by_key:
        model = replace(model, told=told_by(question))
    known: dict[str, Match] = {}

    def match(text: str) -> Match:
        if text not in known:
            found = _without_weak_verdicts(_match(text, model, missing_support), constraints)
            known[text] = labels_match(found, text, constraints, shown, missing_support["numeric"])
        return known[text]

    return match


_LEAST_CONFIDENCE = 0.75
"""Of a fact that refutes: claims are right more often than a fact below it."""


def _without_weak_verdicts(found: Match, constraints: Sequence[Constraint]) -> Match:
    """A match in which no fact refutes that is itself wrong one time in four; it still takes its support away."""
    if found.verdict != "contradicted":
        return found
    weak = {i for i, one in enumerate(constraints) if one.confidence < _LEAST_CONFIDENCE}
    if found.constraint not in weak:
        return found
    parts = tuple(
        replace(part, verdict="missing") if part.verdict == "contradicted" and part.constraint in weak else part
        for part in found.assertions
    )
    still = any(part.verdict == "contradicted" for part in parts)
    return replace(found, verdict="contradicted" if still else "missing", assertions=parts)


def _match(text: str, model: Figure, missing_support: Mapping[str, float]) -> Match:
    plain = plain_finding(text, model)
    if plain is not None:
        return _plain_match(text, *plain, missing_support)
    if is_of_grid(model):
        return _stated_match(text, model, missing_support)
    said = plain_assertion(text) if model.labelled else None
    found = (said,) if said is not None else assertions(text, model.labelled)
    judged = _findings_of(found, model)
    if not judged:
        return _unparsed_match(
            f"it {'only calculates or concludes' if found else 'states nothing that a figure could confirm'}"
        )
    return _judged_match(judged, model, missing_support)


def _findings_of(found: Sequence[Assertion], model: Figure) -> list[_Judged]:
    """The assertions with their findings; beside what was found, what has no label is not missed: “The perimeter is 54” is worked out,
    “half the base” leans on what was said."""
    judged = [one for said in found if (one := _judge_assertion(said, model))]
    if model.labelled and any(finding.verdict == "supported" for *_, finding in judged):
        return [one for one in judged if one[2].verdict != "missing" or _names_label(one[0].form)]
    return judged


def _judged_match(judged: Sequence[_Judged], model: Figure, missing_support: Mapping[str, float]) -> Match:
    parts = tuple(_part(one, model, missing_support) for one in judged)
    deciding = min(range(len(parts)), key=lambda i: _rank(parts[i]))
    kind, kinds = judged[deciding][1], [kind for said, kind, _ in judged if not said.aside]
    if kinds and kind != "structure":
        kind = "numeric" if "numeric" in kinds else kinds[0]
    return _match_by(kind, parts[deciding], parts)


def _unparsed_match(reason: str) -> Match:
    explanation = f"not checked: {reason}."
    return Match(type="unclassifiable", verdict="unparsed", support=_UNPARSED_SUPPORT, explanation=explanation)


def _match_by(kind: ClaimType, part: AssertionMatch, parts: tuple[AssertionMatch, ...]) -> Match:
    """The match of a text that one of its parts decides."""
    return Match(
        type=kind, verdict=part.verdict, support=part.support, constraint=part.constraint,
        explanation=part.explanation, assertions=parts,
    )  # fmt: skip


def _part_by(finding: Finding, span: tuple[int, int], form: str, support: float) -> AssertionMatch:
    return AssertionMatch(
        span=span, form=form, verdict=finding.verdict, support=support, constraint=finding.constraint,
        explanation=finding.explanation,
    )  # fmt: skip


def _names_label(form: Form) -> bool:
    """Whether a form says something of a labelled thing; a shape or a size in words has no label."""
    match form:
        case Measure(key=key):
            return bool(key[1])
        case Marks(keys=keys, vertex=vertex, inside=inside):
            return bool(keys or vertex or inside)
        case Value(about=about) | Comparison(left=about):
            return bool(labels(about.text))
        case Stated(sides=sides):
            return any(labels(side.text) for side in sides)
    return True


def _plain_match(text: str, kind: ClaimType, finding: Finding, missing_support: Mapping[str, float]) -> Match:
    """The match of a plain sentence, which is one assertion."""
    said = text.strip()
    start = text.index(said)
    right = finding.verdict == "supported"
    support = finding.confidence if right else (1.0 - finding.confidence) * missing_support[kind]
    form = f"{'value' if kind == 'numeric' else kind}({said})"
    part = _part_by(finding, (start, start + len(said)), form, support)
    return _match_by(kind, part, (part,))


def _stated_match(text: str, model: Figure, missing_support: Mapping[str, float]) -> Match:
    """The match of a text about a table or chart; it is numeric where it states a number other than aside."""
    found, soundness = statements(text, model)
    if not found:
        return _unparsed_match("it states nothing that a figure could confirm")
    parts = tuple(_statement_part(one, soundness, model, missing_support) for one in found)
    deciding = min(range(len(parts)), key=lambda i: _rank(parts[i]))
    kind = found[deciding].kind
    if kind != "structure" and any(one.kind == "numeric" and not one.aside for one in found):
        kind = "numeric"
    return _match_by(kind, parts[deciding], parts)


def _statement_part(
    one: Statement, soundness: float, model: Figure, missing_support: Mapping[str, float]
) -> AssertionMatch:
    """A statement's part of the match: its support is what its signs, and the worst of the text's, leave of it."""
    finding, chance = one.finding, one.chance
    unknown = 0.0 if finding.is_certain else _unknown_support(one.amount, one.kind, model, missing_support)
    support = 1.0 - chance.wrong - chance.missing * (1.0 - unknown)
    if finding.verdict == "supported":
        support *= finding.confidence
    elif finding.verdict == "contradicted":
        support = (1.0 - finding.confidence * chance.wrong) * unknown
    return _part_by(finding, one.span, one.form, max(0.0, min(support, soundness)))


def _rank(part: AssertionMatch) -> tuple[int, float]:
    """What decides a step: a contradicted assertion, else a missing one, else the least supported."""
    return ({"contradicted": 0, "missing": 1}.get(part.verdict, 2), part.support)


def _part(judged: _Judged, model: Figure, missing_support: Mapping[str, float]) -> AssertionMatch:
    """An assertion's part of the match; missing, it has its type's support, moved a little by whether its number was read anywhere."""
    said, kind, finding = judged
    amount = getattr(said.form, "amount", None) or getattr(said.form, "last", None)
    unknown = 0.0 if finding.is_certain else _unknown_support(amount, kind, model, missing_support)
    support = {
        "supported": finding.confidence, "contradicted": (1.0 - finding.confidence) * unknown, "missing": unknown
    }  # fmt: skip
    form = ("not " if said.denied else "") + form_text(said.form)
    return _part_by(finding, said.span, form, support[finding.verdict])


SEEN_SOMEWHERE, SEEN_NOWHERE = 0.12, 0.92
"""How far a number that was read somewhere lifts the support of a missing claim towards 1, and what is left of it where the
number was read nowhere: counted on the same captions."""
_ENOUGH_READ = 5


def _unknown_support(
    amount: Amount | None, kind: ClaimType, model: Figure, missing_support: Mapping[str, float]
) -> float:
    base = missing_support[kind]
    if kind != "numeric" or not isinstance(amount, Amount) or len(model.cells) + len(model.loose) < _ENOUGH_READ:
        return base
    near = any(abs(amount.quantity.value - value) < 1e-9 for value in model.loose)
    if near or is_read(amount, model.cells):
        return base + SEEN_SOMEWHERE * (1.0 - base)
    return base * SEEN_NOWHERE


def _judge_assertion(said: Assertion, model: Figure) -> _Judged | None:
    """An assertion with its finding, in which a contradiction that may be a misunderstanding is none; None for conclusions that restate
    nothing of the figure, and for what speaks of something else."""
    finding = _finding_on(said, model)
    kind, is_worked_out = _form_type(said.form), said.derived or said.computed
    match finding.verdict:
        case "missing":
            return (said, kind, finding) if not is_worked_out and _concerns(said, model) else None
        case "contradicted" if said.derived and isinstance(said.form, _COMPUTED):
            return None
        case "contradicted" if said.doubt:
            return None if is_worked_out else (said, kind, doubted(said.doubt))
    return said, kind, finding


def _finding_on(said: Assertion, model: Figure) -> Finding:
    """The finding on an assertion; a form that is denied may be denied of something else than its number."""
    read = leaf_finding if model.leaves else _FINDINGS[type(said.form)]
    finding = read(said.form, said, model)
    if said.denied and isinstance(said.form, Value) and finding.verdict == "supported":
        return missing("it is open what the denial is said of.")
    return opposite(finding) if said.denied else finding


_COMPUTED = (Value, Measure, KeySum, Marks)


def _concerns(said: Assertion, model: Figure) -> bool:
    """Whether an assertion that was not found speaks of the figure at all."""
    match said.form:
        case Comparison(left=left, right=right):
            both = all(any(token.is_content for token in side.tokens) for side in (left, right))
            return not model.numeric or both or any(_names_something(side, model) for side in (left, right))
        case Between(relation="mentioned", keys=keys):
            return not has_points(keys, model)
        case Value(amount=amount, kind="value") if amount.quantity.spelled:
            return bool(amount.quantity.unit) or not amount.quantity.value
    return True


def _names_something(side: Phrase, model: Figure) -> bool:
    """Whether a phrase has a number, initials, a capital after its first word, or a word of the figure."""
    texts = [token.text for token in side.tokens]
    capital = any(text[:1].isupper() for text in texts[1:]) or any(text.isupper() and len(text) > 1 for text in texts)
    return capital or model.absent(side) or model.knows(side) or any(token.is_number for token in side.tokens)


def _stated_relation(form: Comparison, _: Assertion, model: Figure) -> Finding:
    """A comparison as a relation that the figure states, else of what was measured."""
    stated = stated_finding(Stated(relation=form.order, sides=(form.left, form.right)), model)
    return stated or order_finding(form, model)


_FINDINGS: Mapping[type, Callable[[Any, Assertion, Figure], Finding]] = {
    Value: value_finding,
    Position: lambda form, _, model: position_finding(form, model),
    Comparison: _stated_relation,
    Measure: lambda form, _, model: measure_finding(form, model),
    Marks: lambda form, _, model: marks_finding(form, model),
    Between: lambda form, _, model: between_finding(form, model),
    KeySum: lambda form, _, model: sum_finding(form, model),
    Stated: lambda form, _, model: stated_finding(form, model) or missing(NOTHING_READ),
    Layout: lambda form, _, model: layout_finding(form, model),
    Open: lambda form, *_: missing(f"{form.reason}."),
}


def _is_exact(amount: Amount | None) -> bool:
    return amount is not None and amount.bound == "=" and not amount.hedged


def _form_type(form: Form) -> ClaimType:
    """The paper's type of a form: a stated number makes it numeric, also as a bound; a bounded factor only makes a relation, and so does
    an amount that bounds without a number that is written: “acute”."""
    match form:
        case Layout():
            return "structure"
        case Open():
            return form.kind
        case Value(kind="ratio", amount=amount) if not _is_exact(amount):
            return "relation"
        case Measure(amount=Amount() as amount) if amount.bound != "=" and not amount.quantity.end:
            return "relation"
        case Measure() if form.expression:
            return "relation"
        case Between() if not (form.by or _is_exact(form.times)):
            return "relation"
        case Stated() | Comparison():
            return "relation"
    return "numeric"

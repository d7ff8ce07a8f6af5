"""Calculations that restate what a figure shows: sums that are written out, and values of functions."""

from __future__ import annotations

from typing import Literal

from evpv.language.clauses import Clause
from evpv.language.forms import Amount, Form, Phrase, Value, Worked
from evpv.language.quantities import Quantity, quantities
from evpv.language.tokens import Token, stem

_OPERATORS = "+-−*×·/÷:()"


def worked_forms(clause: Clause) -> list[Form]:
    """“Cara − Dev = 15 − 9 = 6”: a calculation whose operands may be what was read of the things named beside it."""
    found: list[Form] = []
    for equation in clause.equations:
        written = next((side for side in equation.sides if side.kind == "calculation"), None)
        total = equation.sides[-1].quantity
        terms = _terms(written.text) if written is not None else ()
        if written is None or total is None or len(terms) < 2 or not _says_of_what(clause):
            continue
        kind: Literal["sum", "product", "other"] = "sum"
        if set(written.text) & set("*×·/÷:"):
            kind = "product" if len(terms) == 2 and not set(written.text) & set("+-/÷:") else "other"
        amount = Amount(quantity=total, hedged=equation.about)
        found.append(Worked(kind=kind, about=clause.phrase(), terms=terms, amount=amount))
    return found


def _says_of_what(clause: Clause) -> bool:
    return (
        any(token.is_content and token.is_word for token in clause.phrase().tokens) or clause.has("total") is not None
    )


def _terms(text: str) -> tuple[Quantity, ...]:
    """The numbers of a calculation; none where it has anything else in it. The number of terms that a mean divides by is no term."""
    inner, _, divisor = text.rpartition(")")
    pieces = inner.split("(")[-1] if inner.startswith("(") and divisor.strip()[:1] in ("/", "÷") else text
    for sign in _OPERATORS:
        pieces = pieces.replace(sign, "|")
    found = [quantities(piece) for piece in pieces.split("|") if piece.strip()]
    return tuple(numbers[0] for numbers in found) if all(len(numbers) == 1 for numbers in found) else ()


def function_forms(clause: Clause) -> list[Form]:
    """“f(-3) = -4”: a value of a graph at a place."""
    found: list[Form] = []
    for equation in clause.equations:
        left, right = equation.sides[0], equation.sides[-1]
        name, _, rest = left.text.partition("(")
        if len(equation.sides) != 2 or right.quantity is None or len(name.strip()) != 1 or not rest.endswith(")"):
            continue
        inside = rest[:-1].strip()
        if inside.lstrip("-").replace(".", "", 1).isdigit():
            own = tuple(t for t in clause.tokens if left.start <= t.start < left.end and t.text not in "()")
            place = Token("x", "x", left.start, left.start, "x")
            signed = tuple(
                Token(inside, stem(inside), t.start, t.end, inside) if t.is_number else t for t in own if t.text != "-"
            )
            found.append(
                Value(about=Phrase(tokens=(*signed, place), text=left.text), amount=Amount(quantity=right.quantity))
            )
    return found

"""THE expression grammar of the house: text to trees, never evaluated by Python itself.

Bounded in length and depth, and no part of a text is read twice, so that no text can hurt. Trees are walked without
recursion: a sum of two hundred terms is two hundred levels deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from evpv.language.math_tokens import MathToken, prepare, tokenize

_MAX_TOKENS = 400
_MAX_DEPTH = 40
_MAX_TERMS = 40
_MAX_POWER = 4


@dataclass(frozen=True, slots=True)
class Number:
    """A literal; `decimals` is how many places it was written with, which says how far it may be rounded."""

    value: Fraction
    decimals: int = 0


@dataclass(frozen=True, slots=True)
class Symbol:
    """A letter that stands for a value."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """`operator` is one of + - * / ^ and, with one operand, "neg", "percent", "degree", "pi" or a function's name."""

    operator: str
    operands: tuple[Expression, ...]


Expression: TypeAlias = Number | Symbol | Operation

_PI = Operation("pi", ())
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
_FUNCTION_NAMES = ("f", "g", "h", "P")
_STARTS_FACTOR = ("open", "symbol", "function", "constant", "fraction")


class _NotAnExpressionError(Exception):
    """Raised inside the parser only: `parse` turns it into None."""


def expression(text: str) -> Expression | None:
    """The tree of a text that is one expression and nothing else.

    >>> expression("2x + 3") == expression("2·x+3"), expression("two apples")
    (True, None)
    """
    return parse(tokenize(prepare(text)))


def parse(tokens: Sequence[MathToken]) -> Expression | None:
    """The tree of `tokens`, or None when they are no expression, are too many, or are nested too deep."""
    useful = [token for token in tokens if token.kind not in ("currency", "quote")]
    if not useful or len(useful) > _MAX_TOKENS:
        return None
    parser = _Parser(useful)
    try:
        tree = parser.expression(0)
    except _NotAnExpressionError:
        return None
    return tree if parser.at_end() else None


def walk(tree: Expression) -> Iterator[Expression]:
    """The tree and all that is in it, each part before its operands."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, Operation):
            waiting.extend(reversed(part.operands))


def is_literal(tree: Expression) -> bool:
    """Whether a tree is a number as one writes it: 5, -5, 40%, 1/2, 90°."""
    while isinstance(tree, Operation) and tree.operator in ("neg", "percent", "degree"):
        tree = tree.operands[0]
    if isinstance(tree, Operation):
        return tree.operator == "/" and all(isinstance(part, Number) for part in tree.operands)
    return isinstance(tree, Number)


Polynomial: TypeAlias = tuple[tuple[tuple[str, ...], Fraction], ...]
"""Coefficients by monomial, in order: the monomial of 3xy is ("x", "y"), of a constant ()."""


@lru_cache(maxsize=1024)
def polynomial(text: str) -> Polynomial | None:
    """A form that equal expressions share; None for what is no small polynomial in one-letter unknowns.

    >>> polynomial("14x - 9°") == polynomial("-9 + 14*x"), polynomial("4(x + 1)") == polynomial("4x + 4")
    (True, True)
    >>> polynomial("14x - 9") == polynomial("14*x+9"), polynomial("x is here"), polynomial("segment AB")
    (False, None, None)
    """
    tree = expression(text.strip().rstrip("°.").strip())
    if tree is None:
        return None
    values: list[_Terms] = []
    for part in reversed(list(walk(tree))):  # operands come before their operation, the first one last
        count = len(part.operands) if isinstance(part, Operation) else 0
        operands = [values.pop() for _ in range(count)]
        terms = _terms(part, operands)
        if terms is None:
            return None
        values.append(terms)
    return tuple(sorted((monomial, value) for monomial, value in values[0].items() if value))


_ONLY_NUMBERS = re.compile(r"[0-9\s.,+*/×÷·^√()%$°-]*")


def has_variable(text: str) -> bool:
    """Whether a text is an expression with an unknown in it.

    >>> has_variable("x + 2"), has_variable("12"), has_variable("segment AB")
    (True, False, False)
    """
    if _ONLY_NUMBERS.fullmatch(text):
        return False
    form = polynomial(text)
    return form is not None and any(monomial for monomial, _ in form)


_Terms: TypeAlias = dict[tuple[str, ...], Fraction]
_SIGNS: dict[object, _Terms] = {
    sign: {(): Fraction(value)} for sign, value in {"+": 1, "degree": 1, "-": -1, "neg": -1}.items()
}


def _terms(part: Expression, operands: Sequence[_Terms]) -> _Terms | None:
    """The terms of one part of a tree, given those of its operands."""
    if isinstance(part, Number):
        return {(): part.value}
    if isinstance(part, Symbol):
        return {(part.name,): Fraction(1)} if len(part.name) == 1 and part.name.islower() else None
    match part.operator, operands:
        case "neg" | "degree" as sign, [first]:
            return _product(first, _SIGNS[sign])
        case "+" | "-" as sign, [first, second]:
            return _sum(first, _product(second, _SIGNS[sign]))
        case "*", [first, second]:
            return _product(first, second)
        case "/", [first, second] if second.keys() == {()}:
            return _quotient(first, second[()])
        case "^", [first, second]:
            return _power(first, second)
    return None


def _sum(left: _Terms, right: _Terms | None) -> _Terms | None:
    if right is None or len(left) + len(right) > 2 * _MAX_TERMS:
        return None
    return {
        monomial: left.get(monomial, Fraction(0)) + right.get(monomial, Fraction(0)) for monomial in {**left, **right}
    }


def _quotient(left: _Terms, right: Fraction) -> _Terms | None:
    return _product(left, {(): 1 / right}) if right else None


def _product(left: _Terms, right: _Terms) -> _Terms | None:
    """The product, None where it has too many terms or too large numbers to be anybody's formula."""
    result: _Terms = {}
    for a, x in left.items():
        for b, y in right.items():
            monomial = tuple(sorted(a + b))
            result[monomial] = result.get(monomial, Fraction(0)) + x * y
    small = all(
        len(monomial) <= 2 * _MAX_POWER and value.numerator.bit_length() < 200 for monomial, value in result.items()
    )
    return result if len(result) <= _MAX_TERMS and small else None


def _power(base: _Terms, exponent: _Terms) -> _Terms | None:
    times = exponent.get((), Fraction(0))
    if len(exponent) != 1 or times.denominator != 1 or not 0 <= times <= _MAX_POWER:
        return None
    result: _Terms | None = {(): Fraction(1)}
    for _ in range(int(times)):
        result = _product(result, base) if result is not None else None
    return result


class _Parser:
    """Precedence climbing; the depth is counted, so that no text can exhaust the stack."""

    def __init__(self, tokens: Sequence[MathToken]):
        self.tokens, self.position, self.depth = tokens, 0, 0

    def at_end(self) -> bool:
        return self.position == len(self.tokens)

    def peek(self) -> MathToken | None:
        return None if self.at_end() else self.tokens[self.position]

    def expression(self, binding: int) -> Expression:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _NotAnExpressionError
        left = self.prefix()
        while (token := self.peek()) is not None:
            operator = "*" if token.kind in _STARTS_FACTOR else token.text
            if token.kind not in ("operator", *_STARTS_FACTOR) or _BINDING.get(operator, binding) <= binding:
                break
            if token.kind == "operator":
                self.position += 1
            level = _BINDING[operator] - (operator == "^")
            left = Operation(operator, (left, self.expression(level)))
        self.depth -= 1
        return left

    def prefix(self) -> Expression:
        token = self.peek()
        if token is None:
            raise _NotAnExpressionError
        if token.kind == "operator" and token.text in "+-":
            self.position += 1
            operand = self.expression(2)
            return operand if token.text == "+" else Operation("neg", (operand,))
        return self.postfix(self.atom(token))

    def atom(self, token: MathToken) -> Expression:
        self.position += 1
        match token.kind:
            case "number" if token.value is not None:
                return self.mixed_number(Number(token.value, token.decimals))
            case "symbol":
                opened = self._next_is("open", "(")
                if token.text in _FUNCTION_NAMES and opened is not None and opened.glued:
                    raise _NotAnExpressionError  # f(2) is a value of f, not f times 2
                return Symbol(token.text)
            case "constant":
                return _PI
            case "open":
                return self.group(token)
            case "fraction":
                return Operation("/", (self.argument(), self.argument()))
            case "function":
                return self.call(token.text)
        raise _NotAnExpressionError

    def group(self, opened: MathToken) -> Expression:
        inside = self.expression(0)
        closing = self.peek()
        if closing is None or closing.kind != "close" or (opened.text == "{") != (closing.text == "}"):
            raise _NotAnExpressionError
        self.position += 1
        return inside

    def argument(self) -> Expression:
        """An argument of \\frac or \\sqrt: {…}, or one token as in \\frac12."""
        token = self.peek()
        if token is None or token.kind not in ("open", "number", "symbol"):
            raise _NotAnExpressionError
        return self.atom(token)

    def call(self, name: str) -> Expression:
        squared = self.peek()
        power = None
        if squared is not None and squared.kind == "operator" and squared.text == "^" and name != "sqrt":
            self.position += 1
            power = self.argument()
        argument = self.expression(3) if self._next_is("open", "{") is None else self.argument()
        called = Operation(name, (argument,))
        return called if power is None else Operation("^", (called, power))

    def mixed_number(self, whole: Number) -> Expression:
        """A whole number followed by a fraction is their sum: 3 1/2, 3\\frac{1}{2}."""
        rest = self.tokens[self.position : self.position + 3]
        if not rest or whole.decimals:
            return whole
        kinds = [token.kind for token in rest]
        if kinds == ["number", "operator", "number"] and rest[1].text == "/" and rest[0].value and rest[2].value:
            self.position += 3
            return Number(whole.value + rest[0].value / rest[2].value)
        if kinds[0] == "fraction" and (part := self._plain_fraction()) is not None:
            self.position += 7
            return Operation("+", (whole, part))
        return whole

    def _plain_fraction(self) -> Operation | None:
        """The \\frac{1}{2} ahead, where both of its parts are single numbers."""
        tokens = self.tokens[self.position + 1 : self.position + 7]
        if [token.kind for token in tokens] != ["open", "number", "close"] * 2:
            return None
        above, below = tokens[1].value, tokens[4].value
        if above is None or below is None or tokens[1].decimals or tokens[4].decimals:
            return None
        return Operation("/", (Number(above), Number(below)))

    def postfix(self, tree: Expression) -> Expression:
        while (token := self.peek()) is not None and token.kind in ("percent", "degree"):
            tree = Operation(token.kind, (tree,))
            self.position += 1
        return tree

    def _next_is(self, kind: str, text: str) -> MathToken | None:
        token = self.peek()
        return token if token is not None and token.kind == kind and token.text == text else None

"""Expressions as trees: parsed from tokens, never evaluated by Python itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from evpv.judges.checks.tokens import Token

MAX_TOKENS = 400
MAX_DEPTH = 40


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

PI = Operation("pi", ())
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
_FUNCTION_NAMES = ("f", "g", "h", "P")
_STARTS_FACTOR = ("open", "symbol", "function", "constant", "fraction")


class NotAnExpressionError(Exception):
    """Raised inside the parser only: `parse` turns it into None."""


def parse(tokens: Sequence[Token]) -> Expression | None:
    """The tree of `tokens`, or None when they are no expression, are too many, or are nested too deep.

    >>> from evpv.judges.checks.tokens import tokenize
    >>> symbols(parse(tokenize("2x + 3")))
    {'x'}
    """
    useful = [token for token in tokens if token.kind not in ("currency", "quote")]
    if not useful or len(useful) > MAX_TOKENS:
        return None
    parser = _Parser(useful)
    try:
        tree = parser.expression(0)
    except NotAnExpressionError:
        return None
    return tree if parser.at_end() else None


def walk(tree: Expression) -> Iterator[Expression]:
    """The tree and all that is in it."""
    yield tree
    if isinstance(tree, Operation):
        for operand in tree.operands:
            yield from walk(operand)


def symbols(tree: Expression | None) -> set[str]:
    """The names of the letters in a tree."""
    return set() if tree is None else {part.name for part in walk(tree) if isinstance(part, Symbol)}


def is_literal(tree: Expression) -> bool:
    """Whether a tree is a number as one writes it: 5, -5, 40%, 1/2, 90°, √2."""
    if isinstance(tree, Operation):
        plain = tree.operator in ("neg", "percent", "degree")
        ratio = tree.operator == "/" and all(isinstance(part, Number) for part in tree.operands)
        return ratio or (plain and is_literal(tree.operands[0]))
    return isinstance(tree, Number)


class _Parser:
    """Precedence climbing; the depth is counted, so that no text can exhaust the stack."""

    def __init__(self, tokens: Sequence[Token]):
        self.tokens, self.position, self.depth = tokens, 0, 0

    def at_end(self) -> bool:
        return self.position == len(self.tokens)

    def peek(self) -> Token | None:
        return None if self.at_end() else self.tokens[self.position]

    def expression(self, binding: int) -> Expression:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotAnExpressionError
        left = self.prefix()
        while (token := self.peek()) is not None:
            operator = token.text if token.kind == "operator" else "*" if token.kind in _STARTS_FACTOR else None
            if operator is None or operator not in _BINDING or _BINDING[operator] <= binding:
                break
            if token.kind == "operator":
                self.position += 1
            elif not _may_stand_side_by_side(left, token):
                break
            level = _BINDING[operator] - (operator == "^")
            left = Operation(operator, (left, self.expression(level)))
        self.depth -= 1
        return left

    def prefix(self) -> Expression:
        token = self.peek()
        if token is None:
            raise NotAnExpressionError
        if token.kind == "operator" and token.text in "+-":
            self.position += 1
            operand = self.expression(2)
            return operand if token.text == "+" else Operation("neg", (operand,))
        return self.postfix(self.atom(token))

    def atom(self, token: Token) -> Expression:
        self.position += 1
        if token.kind == "number" and token.value is not None:
            return self.mixed(Number(token.value, token.decimals))
        if token.kind == "symbol":
            following = self.peek()
            if token.text in _FUNCTION_NAMES and following is not None and following.text == "(" and following.glued:
                raise NotAnExpressionError  # f(2) is a value of f, not f times 2
            return Symbol(token.text)
        if token.kind == "constant":
            return PI
        if token.kind == "open":
            return self.group(token)
        if token.kind == "fraction":
            return Operation("/", (self.braced(), self.braced()))
        if token.kind == "function":
            return self.call(token.text)
        raise NotAnExpressionError

    def group(self, opened: Token) -> Expression:
        inside = self.expression(0)
        closing = self.peek()
        if closing is None or closing.kind != "close" or (opened.text == "{") != (closing.text == "}"):
            raise NotAnExpressionError
        self.position += 1
        return inside

    def braced(self) -> Expression:
        """An argument of \\frac or \\sqrt: {…}, or one token as in \\frac12."""
        token = self.peek()
        if token is None or token.kind not in ("open", "number", "symbol"):
            raise NotAnExpressionError
        return self.atom(token)

    def call(self, name: str) -> Expression:
        squared = self.peek()
        power = None
        if squared is not None and squared.kind == "operator" and squared.text == "^" and name != "sqrt":
            self.position += 1
            power = self.braced()
        argument = self.expression(3) if self._next_is("open", "{") is None else self.braced()
        called = Operation(name, (argument,))
        return called if power is None else Operation("^", (called, power))

    def mixed(self, whole: Number) -> Expression:
        """A whole number followed by a fraction is their sum: 3 1/2, 3\\frac{1}{2}."""
        rest = self.tokens[self.position : self.position + 3]
        if not rest or whole.decimals:
            return whole
        kinds = [token.kind for token in rest]
        if kinds == ["number", "operator", "number"] and rest[1].text == "/" and rest[0].value and rest[2].value:
            self.position += 3
            return Number(whole.value + rest[0].value / rest[2].value)
        if kinds[0] == "fraction":
            return self._mixed_latex(whole)
        return whole

    def _mixed_latex(self, whole: Number) -> Expression:
        start, self.position = self.position, self.position + 1
        part = Operation("/", (self.braced(), self.braced()))
        if all(isinstance(operand, Number) and not operand.decimals for operand in part.operands):
            return Operation("+", (whole, part))
        self.position = start
        return whole

    def postfix(self, tree: Expression) -> Expression:
        while (token := self.peek()) is not None and token.kind in ("percent", "degree"):
            tree = Operation(token.kind, (tree,))
            self.position += 1
        return tree

    def _next_is(self, kind: str, text: str) -> Token | None:
        token = self.peek()
        return token if token is not None and token.kind == kind and token.text == text else None


def _may_stand_side_by_side(left: Expression, token: Token) -> bool:
    """Whether two factors without a sign are a product: 2x, 3(4), (1)(2), 2π; but "5 (see above)" is not."""
    if token.kind == "open":
        return token.text == "(" or token.glued
    return isinstance(left, Number | Symbol | Operation)

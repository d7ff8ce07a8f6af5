"""Small algebra: 14x − 9 and -9 + 14*x are one expression, 14x + 9 another."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

Polynomial = dict[tuple[str, ...], Fraction]
"""Coefficients by monomial; the monomial of 3xy is ("x", "y"), of a constant ()."""

_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|[a-zα-ω](?![A-Za-z])|[-+*/()^·×])")
_MAX_LENGTH = 60
_MAX_TERMS = 40


@lru_cache(maxsize=1024)
def canonical_expression(text: str) -> tuple[tuple[tuple[str, ...], Fraction], ...] | None:
    """A form that equal expressions share, None for what is not a small polynomial in one-letter unknowns.

    >>> canonical_expression("14x - 9") == canonical_expression("-9 + 14*x")
    True
    >>> canonical_expression("14x - 9") == canonical_expression("14*x+9")
    False
    >>> canonical_expression("x is here") is None
    True
    """
    text = text.strip().rstrip("°.").strip()
    if not text or len(text) > _MAX_LENGTH:
        return None
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        tokens.append(match[1])
        position = match.end()
    parser = _Parser(tokens)
    result = parser.total()
    if result is None or parser.position < len(tokens):
        return None
    return tuple(sorted((monomial, value) for monomial, value in result.items() if value))


def has_variable(text: str) -> bool:
    """Whether a text is an expression with an unknown in it.

    >>> has_variable("x + 2"), has_variable("12"), has_variable("segment AB")
    (True, False, False)
    """
    form = canonical_expression(text)
    return form is not None and any(monomial for monomial, _ in form)


class _Parser:
    """Recursive descent over sums, products and powers; None where the text is no polynomial."""

    def __init__(self, tokens: list[str]):
        self.tokens = tokens
        self.position = 0

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        self.position += 1
        return self.tokens[self.position - 1]

    def total(self) -> Polynomial | None:
        sign = -1 if self.peek() in "-+" and self.peek() and self.take() == "-" else 1
        result: Polynomial = {}
        while True:
            term = self.product()
            if term is None or len(result) > _MAX_TERMS:
                return None
            for monomial, value in term.items():
                result[monomial] = result.get(monomial, Fraction(0)) + sign * value
            if self.peek() not in ("+", "-"):
                return result
            sign = -1 if self.take() == "-" else 1

    def product(self) -> Polynomial | None:
        result = self.power()
        while result is not None and self.peek() and self.peek() not in "+-)":
            divide = self.peek() == "/"
            if self.peek() in "*/·×":
                self.take()
            factor = self.power()
            if factor is None:
                return None
            if divide:
                constant = factor.get((), Fraction(0))
                if set(factor) != {()} or not constant:
                    return None
                result = {monomial: value / constant for monomial, value in result.items()}
            else:
                result = _multiplied(result, factor)
        return result

    def power(self) -> Polynomial | None:
        base = self.atom()
        if base is None or self.peek() != "^":
            return base
        self.take()
        exponent = self.take() if self.peek().isdigit() else ""
        if not exponent or len(exponent) > 1 or int(exponent) > 4:
            return None
        result: Polynomial = {(): Fraction(1)}
        for _ in range(int(exponent)):
            result = _multiplied(result, base)
        return result

    def atom(self) -> Polynomial | None:
        token = self.peek()
        if not token or token in "*/·×^)+-":
            return None
        self.take()
        if token == "(":
            inner = self.total()
            if inner is None or self.peek() != ")":
                return None
            self.take()
            return inner
        return {(): Fraction(token)} if token[0].isdigit() else {(token,): Fraction(1)}


def _multiplied(left: Polynomial, right: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for a, x in left.items():
        for b, y in right.items():
            monomial = tuple(sorted(a + b))
            result[monomial] = result.get(monomial, Fraction(0)) + x * y
    return result

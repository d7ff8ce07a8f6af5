"""How numbers and mathematics are written: exact where it can be, and in the notation that a solver prefers.

Wordings mark mathematics with backquotes and use ×, ÷, −, ², ³, √(…), π, °, ∠; a notation turns that into what one
solver writes all through.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

_ASCII = (
    ("×", "*"), ("÷", "/"), ("−", "-"), ("²", "^2"), ("³", "^3"), ("√", "sqrt"), ("π", "pi"),
    ("°", " degrees"), ("∠", "angle "), ("△", "triangle "), ("≈", "~="),
    ("∥", "parallel to"), ("⟂", "perpendicular to"),
)  # fmt: skip
_LATEX = (
    ("×", r"\times "), ("÷", r"\div "), ("−", "-"), ("²", "^2"), ("³", "^3"), ("π", r"\pi "), ("°", r"^\circ"),
    ("∠", r"\angle "), ("△", r"\triangle "), ("≈", r"\approx "), ("∥", r"\parallel "), ("⟂", r"\perp "), ("%", r"\%"),
)  # fmt: skip


def number(value: int | float | Fraction) -> str:
    """A number as a person writes it: whole, or with at most two decimals.

    >>> [number(x) for x in (12, 4.5, Fraction(1, 3), -3, 12500)]
    ['12', '4.5', '0.33', '−3', '12,500']
    """
    if value == int(value):
        whole = abs(int(value))
        text = f"{whole:,}" if whole >= 10000 else str(whole)
    else:
        text = f"{abs(float(value)):.2f}".rstrip("0")
    return f"−{text}" if value < 0 else text


def equals(value: int | float | Fraction) -> str:
    """`=` or `≈`, then the number: whether two decimals hold all of it.

    >>> equals(4.25), equals(Fraction(1, 3))
    ('= 4.25', '≈ 0.33')
    """
    exact = math.isclose(round(float(value), 2), float(value), abs_tol=1e-9)
    return f"{'=' if exact else '≈'} {number(value)}"


def measure(value: int | float | Fraction, unit: str) -> str:
    """A number with its unit, if it has one."""
    return f"{number(value)} {unit}".strip()


def root(value: int) -> int | float:
    """The square root: whole where it is, else to two decimals (what a solver goes on with)."""
    whole = math.isqrt(value)
    return whole if whole * whole == value else round(math.sqrt(value), 2)


def in_notation(text: str, notation: str) -> str:
    """The text in one solver's notation.

    >>> in_notation("So `3² × 2 = 18`.", "latex"), in_notation("So `3² × 2 = 18`.", "ascii")
    ('So $3^2 \\\\times 2 = 18$.', 'So 3^2 * 2 = 18.')
    """
    if notation == "latex":
        return re.sub("`([^`]*)`", lambda found: f"${_replaced_latex(found.group(1))}$", text)
    text = text.replace("`", "")
    if notation == "ascii":
        text = re.sub(r"√(\d+)", r"√(\1)", text)
        for symbol, word in _ASCII:
            text = text.replace(symbol, word)
    return text[:1].upper() + text[1:] if text.startswith(("angle", "triangle")) else text


def _replaced_latex(math_text: str) -> str:
    math_text = re.sub(r"√\(([^()]*)\)", r"\\sqrt{\1}", math_text)
    math_text = re.sub(r"√(\d+)", r"\\sqrt{\1}", math_text)
    math_text = re.sub(r"(?<=[\dπ]) (cm|mm|m|ft|km|units)\b", r"\\text{ \1}", math_text)
    for symbol, command in _LATEX:
        math_text = math_text.replace(symbol, command)
    return re.sub(r" +", " ", math_text).strip()

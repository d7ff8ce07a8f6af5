"""Mathematical text, plain or LaTeX, cut into tokens.

Every pattern is linear in the length of the text: model text may be long, broken, or made to hurt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

_TokenKind = Literal[
    "number", "operator", "open", "close", "symbol", "function", "constant", "fraction", "word",
    "percent", "degree", "relation", "currency", "break", "quote",
]  # fmt: skip

_MAX_CHARS = 10_000
"""Longer steps are read up to here: no honest step is longer, and the time stays bounded."""

_MAX_DIGITS = 60


@dataclass(frozen=True, slots=True)
class MathToken:
    """A piece of mathematical text. `text` is its canonical form; `glued` says that no space stands before it."""

    kind: _TokenKind
    text: str
    start: int
    end: int
    glued: bool = False
    value: Fraction | None = None
    decimals: int = 0


_FUNCTIONS = frozenset({"sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "sqrt", "arcsin", "arccos", "arctan"})


def _rows(kind: _TokenKind, lines: str) -> dict[str, tuple[_TokenKind, str]]:
    """Of each line the first sign is the canonical form of the others."""
    split = [line.split() for line in lines.split(";")]
    return {sign: (kind, canonical) for canonical, *signs in split for sign in signs}


_SIGNS: dict[str, tuple[_TokenKind, str]] = {
    **_rows("operator", "+ +; - - − –; * * × · ⋅ ∙ • ∗; / / ÷ ⁄ ∕; ^ ^ **"),
    **_rows("relation", "= = ==; ≈ ≈ ≅ ≃ ~=; < <; > >; <= <= ≤ ⩽; >= >= ≥ ⩾; != != ≠"),
    **_rows("open", "( ( [; { {"), **_rows("close", ") ) ]; } }"), **_rows("function", "sqrt √"), **_rows("percent", "% %"),
    **_rows("degree", "° ° º"), **_rows("quote", "\" \" “ ” ' ‘ ’ `"), **_rows("currency", "$ $; £ £; € €; ¥ ¥; ¢ ¢"),
    **_rows("word", "△ △; ⊙ ⊙; ▱ ▱; □ □"),
}  # fmt: skip
_LATEX: dict[str, tuple[_TokenKind, str]] = {
    **_rows("operator", "* times cdot ast; / div; ± pm"),
    **_rows("relation", "≈ approx simeq cong; <= le leq; >= ge geq; < lt; > gt; != ne neq"),
    **_rows("fraction", "frac frac dfrac tfrac cfrac"), **_rows("constant", "pi pi"), **_rows("word", "△ triangle odot"),
    **_rows("percent", "% %"), **_rows("function", ";".join(f"{name} {name}" for name in _FUNCTIONS)),
    **_rows("symbol", "alpha alpha; beta beta; theta theta; gamma gamma; phi phi; lambda lambda"),
}  # fmt: skip
_LATEX_SILENT = frozenset(
    "left right big Big bigl bigr displaystyle textstyle boxed mathbf mathrm text textbf mathit rm limits mathsf operatorname mbox "
    "textit overline widehat $ ( ) , ; ! : [ ] { }".split()
) | {" "}
_REWRITTEN = str.maketrans(
    {"⁰": "^0", "¹": "^1", "²": "^2", "³": "^3", "⁴": "^4", "⁵": "^5", "⁶": "^6"}
    | {"½": " 1/2", "¼": " 1/4", "¾": " 3/4", "⅓": " 1/3", "⅔": " 2/3", "⅕": " 1/5", "⅛": " 1/8"}
)
_GLUED_UNITS = frozenset(
    {"cm", "mm", "km", "kg", "mg", "ft", "in", "yd", "mi", "ml", "lb", "lbs", "oz", "hr", "min", "sec"}
)
_GREEK = frozenset("αβγδεθλμφωσρ")

_BARE_FRACTION = re.compile(r"\\[dt]?frac ?(\d) ?(\d)")
_BULLET = re.compile(
    r"^[ \t]{0,20}(?:[-*•–+][ \t]+)?(?:[*#]{0,4} ?step \d{1,3}[*]{0,2} ?[:.)-]|\(?\d{1,2}[.)](?=[ \t]))?",
    re.MULTILINE | re.IGNORECASE,
)
_ANGLE = re.compile(
    r"\\angle\b ?|\b[Aa]ngle (?=[A-Z]{1,3}\b|\d ?(?:[-+=]|(?:is|measures|equals)\b))"
)  # “angle 2 = 63°” is about ∠2
_INDEXED_ROOT = re.compile(r"\\sqrt ?\[[^\]]{1,5}\]")
_DEGREE = re.compile(r"\^ ?\{? ?\\circ ?\}?|\\degree")
_TOKEN = re.compile(
    r"(?P<time>\d{1,2}:\d{2}(?!\d))"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<latex>\\(?:[A-Za-z]+|.))"
    r"|(?P<angle>m?∠ ?[^\W_]{1,4})"
    r"|(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*(?:_\{?[^\W_]{1,6}\}?)?'*)"
    r"|(?P<power>\*\*)"
    r"|(?P<compare><=|>=|!=|==|~=)"
    r"|(?P<newline>\n)"
    r"|(?P<space>[^\S\n]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)


def prepare(text: str) -> str:
    """The text with one spelling for what has several: superscripts, degree signs, angles; at most `_MAX_CHARS`."""
    short = _ANGLE.sub("∠", text[:_MAX_CHARS].replace("{,}", ",")).translate(_REWRITTEN)
    short = _INDEXED_ROOT.sub(r"\\rootof", _BARE_FRACTION.sub(r"\\frac{\1}{\2}", short))
    return _BULLET.sub("", _DEGREE.sub("°", short))


def tokenize(text: str) -> list[MathToken]:
    """The tokens of a prepared text.

    >>> [token.text for token in tokenize("A = \\\\frac{1}{2} × $3,000.50")]
    ['A', '=', 'frac', '{', '1', '}', '{', '2', '}', '*', '$', '3,000.50']
    """
    tokens: list[MathToken] = []
    glued = False
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        if kind == "space":
            glued = False
            continue
        token = _token(kind, match.group(), match.start(), glued, text)
        if token is not None:
            tokens.append(token)
        glued = True
    return _with_signs(tokens)


def _token(kind: str, text: str, start: int, glued: bool, whole: str) -> MathToken | None:
    end = start + len(text)
    match kind:
        case "number":
            digits = text.replace(",", "")
            if len(digits) > _MAX_DIGITS:
                return MathToken("break", "…", start, end, glued)
            return MathToken("number", text, start, end, glued, Fraction(digits), len(digits.partition(".")[2]))
        case "word":
            return _word(text, start, glued, whole)
        case "newline" | "time":
            return MathToken("break", text, start, end, glued)
        case "angle":
            return MathToken("symbol", "∠" + text.partition("∠")[2].strip(), start, end, glued)
    name, table, silent = (text[1:], _LATEX, _LATEX_SILENT) if kind == "latex" else (text, _SIGNS, frozenset("&"))
    if name in silent:
        return None
    sign, shown = table.get(name, ("break", text))
    return MathToken(sign, shown, start, end, glued)


def _word(text: str, start: int, glued: bool, whole: str) -> MathToken:
    """A word as what it stands for: the name of an unknown, a segment or an angle (x, θ, AB, ABC), a function, π, letters that are factors,
    or a word."""
    end, lower, head = start + len(text), text.lower(), text.partition("_")[0].rstrip("'")
    if text in ("π", "pi"):
        return MathToken("constant", "pi", start, end, glued)
    if lower in _FUNCTIONS:
        return MathToken("function", lower, start, end, glued)
    # Before letters or a number, "a", "A" and "I" are English words.
    article = text in ("a", "A", "I") and whole[end : end + 1] == " " and whole[end + 1 : end + 2].isalnum()
    if not article and _names_an_unknown(head):
        return MathToken("symbol", text.replace("{", "").replace("}", ""), start, end, glued)
    if not glued:
        return MathToken("word", text, start, end, glued)
    if lower[:3] in _FUNCTIONS:
        return MathToken("break", text, start, end, glued)  # of "32cosB" neither part is known
    if _are_factors(head, whole[start - 1]):
        return MathToken("symbol", text, start, end, glued)  # the letters of "4ac" are factors, not a unit
    return MathToken("word", text, start, end, glued)


def _are_factors(head: str, before: str) -> bool:
    return (before.isdigit() or before in ")}") and len(head) <= 3 and head.lower() not in _GLUED_UNITS


def _names_an_unknown(head: str) -> bool:
    if len(head) == 1:
        return head.isascii() or head in _GREEK
    return len(head) in (2, 3, 4) and head.isascii() and head.isupper()


def _with_signs(tokens: list[MathToken]) -> list[MathToken]:
    """The letter x between two quantities ("5 belts x 3 shelves", "3x4") as times; a glued colon ("a:b") as a ratio."""
    result = list(tokens)
    for i in range(1, len(tokens) - 1):
        before, token, after = tokens[i - 1 : i + 2]
        if token.text in ("x", "X"):
            if _is_times(before, token, tokens[i + 1 : i + 3]):
                result[i] = MathToken("operator", "*", token.start, token.end, token.glued)
        elif token.text == ":" and token.glued and after.glued and {before.kind, after.kind} <= {"number", "symbol"}:
            result[i] = MathToken("operator", "/", token.start, token.end, token.glued)
    return result


def _is_times(before: MathToken, letter: MathToken, following: Sequence[MathToken]) -> bool:
    closes = before.kind in ("number", "close", "word", "percent", "symbol")
    right = following[-1] if following[0].kind == "currency" else following[0]
    return closes and right.kind == "number" and (not letter.glued or following[0].glued)

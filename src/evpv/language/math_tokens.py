"""Mathematical text, plain or LaTeX, cut into tokens.

Every pattern is linear in the length of the text: model text may be long, broken, or made to hurt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Kind = Literal[
    "number", "operator", "open", "close", "symbol", "function", "constant", "fraction", "word",
    "percent", "degree", "relation", "currency", "break", "quote",
]  # fmt: skip

MAX_CHARS = 10_000
"""Longer steps are read up to here: no honest step is longer, and the time stays bounded."""

_MAX_DIGITS = 60


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of mathematical text. `text` is its canonical form; `glued` says that no space stands before it."""

    kind: Kind
    text: str
    start: int
    end: int
    glued: bool = False
    value: Fraction | None = None
    decimals: int = 0


_FUNCTIONS = frozenset({"sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "sqrt", "arcsin", "arccos", "arctan"})

_OPERATORS = {
    "+": "+", "-": "-", "−": "-", "–": "-", "*": "*", "×": "*", "·": "*", "⋅": "*", "∙": "*", "•": "*", "∗": "*",
    "/": "/", "÷": "/", "⁄": "/", "∕": "/", "^": "^",
}  # fmt: skip
_RELATIONS = {
    "=": "=", "≈": "≈", "≅": "≈", "≃": "≈", "<": "<", ">": ">", "≤": "<=", "≥": ">=", "≠": "!=", "⩽": "<=", "⩾": ">=",
}  # fmt: skip
_BRACKETS: dict[str, tuple[Kind, str]] = {
    "(": ("open", "("), "[": ("open", "("), "{": ("open", "{"), ")": ("close", ")"), "]": ("close", ")"),
    "}": ("close", "}"),
}  # fmt: skip
_LATEX_OPERATORS = {"times": "*", "cdot": "*", "ast": "*", "div": "/", "pm": "±"}
_LATEX_RELATIONS = {
    "approx": "≈", "simeq": "≈", "cong": "≈", "le": "<=", "leq": "<=", "ge": ">=", "geq": ">=", "lt": "<", "gt": ">",
    "ne": "!=", "neq": "!=",
}  # fmt: skip
_LATEX_SILENT = frozenset({
    "left", "right", "big", "Big", "bigl", "bigr", "displaystyle", "textstyle", "boxed", "mathbf", "mathrm", "text",
    "textbf", "mathit", "rm", "limits", "mathsf", "operatorname", "mbox", "textit", "overline", "widehat",
})  # fmt: skip
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
_SHAPES = frozenset("triangle triangles quadrilateral parallelogram rectangle square circle polygon arc".split())
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
    """The text with one spelling for what has several: superscripts, degree signs, angles; at most `MAX_CHARS`."""
    short = text[:MAX_CHARS].replace("{,}", ",").replace("\\angle", "∠").translate(_REWRITTEN)
    short = _INDEXED_ROOT.sub(r"\\rootof", _BARE_FRACTION.sub(r"\\frac{\1}{\2}", short))
    return _BULLET.sub("", _DEGREE.sub("°", short))


def tokenize(text: str) -> list[Token]:
    """The tokens of a prepared text.

    >>> [token.text for token in tokenize("A = \\\\frac{1}{2} × $3,000.50")]
    ['A', '=', 'frac', '{', '1', '}', '{', '2', '}', '*', '$', '3,000.50']
    """
    tokens: list[Token] = []
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
    return _with_signs(_with_angle_names(tokens))


def _token(kind: str, text: str, start: int, glued: bool, whole: str) -> Token | None:
    end = start + len(text)
    if kind == "number":
        return _number(text, start, end, glued)
    if kind == "latex":
        return _latex(text, start, end, glued)
    if kind == "word":
        return _word(text, start, end, glued, whole)
    if kind == "power":
        return Token("operator", "^", start, end, glued)
    if kind == "compare":
        return Token("relation", {"==": "=", "~=": "≈"}.get(text, text), start, end, glued)
    if kind in ("newline", "time"):
        return Token("break", text, start, end, glued)
    if kind == "angle":
        return Token("symbol", _geometric_name("∠" + text.partition("∠")[2].strip()), start, end, glued)
    return _sign(text, start, end, glued)


def _number(text: str, start: int, end: int, glued: bool) -> Token:
    digits = text.replace(",", "")
    if len(digits) > _MAX_DIGITS:
        return Token("break", "…", start, end, glued)
    decimals = len(digits.partition(".")[2])
    return Token("number", text, start, end, glued, Fraction(digits), decimals)


def _latex(text: str, start: int, end: int, glued: bool) -> Token | None:
    name = text[1:]
    if name in ("frac", "dfrac", "tfrac", "cfrac"):
        return Token("fraction", "frac", start, end, glued)
    if name == "pi":
        return Token("constant", "pi", start, end, glued)
    if name in ("triangle", "odot"):
        return Token("word", "△", start, end, glued)
    if name in _FUNCTIONS:
        return Token("function", name, start, end, glued)
    if name in _LATEX_OPERATORS:
        return Token("operator", _LATEX_OPERATORS[name], start, end, glued)
    if name in _LATEX_RELATIONS:
        return Token("relation", _LATEX_RELATIONS[name], start, end, glued)
    if name == "%":
        return Token("percent", "%", start, end, glued)
    if name in ("alpha", "beta", "theta", "gamma", "phi", "lambda"):
        return Token("symbol", name, start, end, glued)
    if name in _LATEX_SILENT or name in ("$", "(", ")", ",", ";", "!", ":", " ", "[", "]", "{", "}"):
        return None
    return Token("break", text, start, end, glued)


def _word(text: str, start: int, end: int, glued: bool, whole: str) -> Token:
    if text in ("π", "pi"):
        return Token("constant", "pi", start, end, glued)
    if text.lower() in _FUNCTIONS:
        return Token("function", text.lower(), start, end, glued)
    head = text.partition("_")[0].rstrip("'")
    short_name = len(head) == 1 and (head.isascii() or head in _GREEK)
    segment_name = 2 <= len(head) <= 4 and head.isascii() and head.isupper()
    if (short_name or segment_name) and not _is_article(text, start, end, whole):
        name = text.replace("{", "").replace("}", "")
        return Token("symbol", _geometric_name(name) if segment_name else name, start, end, glued)
    if glued and text[:3].lower() in _FUNCTIONS:
        return Token("break", text, start, end, glued)  # of "32cosB" neither part is known
    after_value = glued and (whole[start - 1].isdigit() or whole[start - 1] in ")}")
    if after_value and len(head) <= 3 and head.lower() not in _GLUED_UNITS:
        return Token("symbol", text, start, end, glued)  # the letters of "4ac" are factors, not a unit
    return Token("word", text, start, end, glued)


def _geometric_name(name: str) -> str:
    """One name for a segment or an angle however it is spelled: BA is AB, ∠CBA is ∠ABC.

    >>> _geometric_name("BA"), _geometric_name("∠CBA"), _geometric_name("∠B")
    ('AB', '∠ABC', '∠B')
    """
    letters = name.lstrip("∠")
    if len(letters) not in (2, 3) or not letters.isalpha():
        return name
    ends = sorted((letters[0], letters[-1]))
    sign = "∠" if name.startswith("∠") or len(letters) == 3 else ""
    return sign + ends[0] + letters[1:-1] + ends[1]


def _is_article(text: str, start: int, end: int, whole: str) -> bool:
    """Whether "a", "A" or "I" is an English word here: letters or a number come next after a space."""
    return text in ("a", "A", "I") and whole[end : end + 1] == " " and whole[end + 1 : end + 2].isalnum()


def _sign(text: str, start: int, end: int, glued: bool) -> Token | None:
    if text in _OPERATORS:
        return Token("operator", _OPERATORS[text], start, end, glued)
    if text in _RELATIONS:
        return Token("relation", _RELATIONS[text], start, end, glued)
    if text in _BRACKETS:
        kind, canonical = _BRACKETS[text]
        return Token(kind, canonical, start, end, glued)
    if text == "%":
        return Token("percent", "%", start, end, glued)
    if text in "°º":
        return Token("degree", "°", start, end, glued)
    if text == "√":
        return Token("function", "sqrt", start, end, glued)
    if text in "$£€¥¢":
        return Token("currency", text, start, end, glued)
    if text in "△⊙▱□":
        return Token("word", text, start, end, glued)
    if text in "\"“”'‘’`":
        return Token("quote", '"', start, end, glued)
    return None if text == "&" else Token("break", text, start, end, glued)


def _with_angle_names(tokens: list[Token]) -> list[Token]:
    """The word "angle" before a name made part of the name: "angle CBA" is ∠ABC, "angle 2 = 63°" is about ∠2."""
    result: list[Token] = []
    for i, token in enumerate(tokens):
        word = result[-1] if result else None
        if word is not None and token.kind == "symbol" and (word.text.lower() in _SHAPES or word.text in "△⊙▱□"):
            result.append(
                Token("word", token.text, token.start, token.end, token.glued)
            )  # a shape's name is no quantity
            continue
        numbered = token.kind == "number" and len(token.text) == 1 and tokens[i + 1 : i + 2] and _equates(tokens[i + 1])
        lettered = token.kind == "symbol" and token.text.isupper()
        if word is not None and word.text.lower() == "angle" and (lettered or numbered):
            result[-1] = Token(
                "symbol", _geometric_name("∠" + token.text.lstrip("∠")), word.start, token.end, word.glued
            )
        else:
            result.append(token)
    return result


def _equates(token: Token) -> bool:
    return token.kind == "relation" or token.text in ("is", "measures", "equals", "+", "-")


def _with_signs(tokens: list[Token]) -> list[Token]:
    """The letter x between two quantities ("5 belts x 3 shelves", "3x4") as times; a glued colon ("a:b") as a ratio."""
    result = list(tokens)
    for i in range(1, len(tokens) - 1):
        before, token, after = tokens[i - 1], tokens[i], tokens[i + 1]
        if token.text in ("x", "X") and before.kind in ("number", "close", "word", "percent", "symbol"):
            following = tokens[i + 2].kind if after.kind == "currency" and i + 2 < len(tokens) else after.kind
            if following == "number" and (not token.glued or after.glued):
                result[i] = Token("operator", "*", token.start, token.end, token.glued)
        elif token.text == ":" and token.glued and after.glued and {before.kind, after.kind} <= {"number", "symbol"}:
            result[i] = Token("operator", "/", token.start, token.end, token.glued)
    return result

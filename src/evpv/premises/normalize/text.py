"""LaTeX, unicode and plain spellings of a sentence brought to one plain form, and its tokens."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LATEX_WORDS = {
    "angle": "∠", "measuredangle": "∠", "triangle": "△", "odot": "⊙", "perp": "⟂", "bot": "⟂", "parallel": "∥",
    "cong": "≅", "simeq": "≅", "sim": "~", "approx": "≈", "equiv": "=", "ne": "≠", "neq": "≠", "leq": "≤", "le": "≤",
    "geq": "≥", "ge": "≥", "times": "×", "cdot": "·", "div": "÷", "pm": "±", "pi": "π", "circ": "°", "degree": "°",
    "prime": "'", "alpha": "α", "beta": "β", "gamma": "γ", "theta": "θ", "phi": "φ", "to": "→", "rightarrow": "→",
    "in": "∈", "subset": "⊂", "subseteq": "⊂", "quad": " ", "qquad": " ", "left": "", "right": "", "displaystyle": "",
    "ldots": "...", "dots": "...", "cdots": "...", "infty": "∞", "therefore": "", "because": "",
}  # fmt: skip
_UNWRAPPED = "overline|overleftrightarrow|overrightarrow|overset|bar|vec|text|textbf|textit|mathrm|mathbf|mathit|boxed|widehat|hat|operatorname"
_COMMAND = re.compile(r"\\([a-zA-Z]+)")
_WRAPPER = re.compile(r"\\(?:" + _UNWRAPPED + r")\s*\{([^{}]{0,200})\}")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]{0,100})\}\s*\{([^{}]{0,100})\}")
_SHORT_FRACTION = re.compile(r"\\[dt]?frac\s*(\d)\s*(\d)")
_ROOT = re.compile(r"\\sqrt\s*\{([^{}]{0,100})\}")
_SPACED = re.compile(r"\\[,;:!> ]|~(?=\d)")
_DEGREE = re.compile(r"\^\s*\{?\s*(?:\\circ|°|\\degree)\s*\}?")
_SPACES = re.compile(r"[ \t\r\n\f\v\u00a0\u2000-\u200b\u202f]+")
_MAX_NESTING = 6

_ONE_FOR_ONE = str.maketrans({
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "⊥": "⟂", "⫽": "∥", "‖": "∥", "⋅": "·", "∗": "*", "’": "'", "‘": "'",
    "′": "'", "ʹ": "'", "“": '"', "”": '"', "º": "°", "˚": "°", "≃": "≅", "△": "△", "▵": "△", "Δ": "△", "➝": "→",
    "½": " 1/2", "¼": " 1/4", "¾": " 3/4", "⅓": " 1/3", "⅔": " 2/3", "⅕": " 1/5", "⅛": " 1/8", "⅖": " 2/5", "⅗": " 3/5",
    "⅘": " 4/5", "⅜": " 3/8", "⅝": " 5/8", "⅞": " 7/8", "⅙": " 1/6", "⅚": " 5/6", "²": "^2", "³": "^3", "Â": "",
    "\ufeff": "", "\u200b": "", "\u00ad": "",
})  # fmt: skip


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    r"""The sentence without LaTeX dress, with one spelling per symbol and single spaces.

    >>> plain(r"Segment $\overline{EB}$ is $5\sqrt{2}$ and $m\angle BAD = 105^\circ$")
    'Segment EB is 5√2 and m∠BAD = 105°'
    >>> plain(r"\frac{1}{2} of \$18,  so −7")
    '1/2 of $18, so -7'
    """
    text = text.translate(_ONE_FOR_ONE).replace("||", "∥")
    if "\\" in text or "$" in text:
        text = _without_latex(text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return _SPACES.sub(" ", text).strip()


def _without_latex(text: str) -> str:
    text = text.replace("\\$", "\0").replace("\\%", "%").replace("\\#", "#").replace("\\&", "&").replace("\\_", "_")
    text = _drop_math_dollars(text)
    text = _DEGREE.sub("°", text)
    for _ in range(_MAX_NESTING):
        before = text
        text = _ROOT.sub(lambda m: f"√{m[1]}" if m[1].isalnum() else f"√({m[1]})", _WRAPPER.sub(r"\1", text))
        text = _FRACTION.sub(r"\1/\2", text)
        if text == before:
            break
    text = _SHORT_FRACTION.sub(r"\1/\2", text)
    text = _SPACED.sub(" ", text)
    text = _COMMAND.sub(lambda m: _LATEX_WORDS.get(m[1], m[1]), text)
    for mark in ("\\(", "\\)", "\\[", "\\]", "{", "}", "\\"):
        text = text.replace(mark, "")
    return text.replace("∠ ", "∠").replace("△ ", "△").replace("⊙ ", "⊙").replace("\0", "$")


def _drop_math_dollars(text: str) -> str:
    """Math delimiters go, prices stay: a dollar right before a digit with no partner is money.

    >>> _drop_math_dollars("$AB$ costs $18"), _drop_math_dollars("$5$ and $6")
    ('AB costs $18', '5 and $6')
    """
    if "$" not in text:
        return text
    pieces = text.replace("$$", "$").split("$")
    if len(pieces) == 2:
        return text if pieces[1][:1].isdigit() or pieces[1][:1] == "." else "".join(pieces)
    out, open_math = [pieces[0]], False
    for position, piece in enumerate(pieces[1:], start=1):
        closes = open_math
        partner = position < len(pieces) - 1 and _looks_like_math(piece)
        if not closes and not partner:
            out.append("$" if piece[:1].isdigit() or piece[:1] == "." else "")
        open_math = not closes and partner
        out.append(piece)
    return "".join(out)


def _looks_like_math(piece: str) -> bool:
    """Whether the text between two dollars is a formula rather than the words between two prices."""
    words = re.findall(r"(?<![\\A-Za-z])[a-z]{2,}", piece[:300])
    return bool(piece.strip()) and not words and not piece[-1:].isspace()


_TOKEN = re.compile(r"[^\W_]+(?:\.\d+)?", re.UNICODE)
_PUNCTUATION = re.compile(r"[^\w\s]|_")


@lru_cache(maxsize=1024)
def paper_tokens(text: str) -> frozenset[str]:
    """Tok(x) of Appendix B: lower case, punctuation removed, split on white space.

    >>> sorted(paper_tokens("The Segment A-B, (of X)"))
    ['ab', 'of', 'segment', 'the', 'x']
    """
    return frozenset(_PUNCTUATION.sub("", text.lower()).split())


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """|A ∩ B| / |A ∪ B|; two empty sets share nothing, so 0.

    >>> jaccard(frozenset({"a", "b"}), frozenset({"b", "c"}))
    0.3333333333333333
    """
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared) if shared else 0.0

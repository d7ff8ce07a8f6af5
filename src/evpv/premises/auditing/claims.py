"""The claim in a sentence: its shortest part that says what was seen, with the name of the thing it is said of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evpv.premises.auditing.numbers import stated, written
from evpv.premises.normalize import words
from evpv.premises.normalize.labels import labels
from evpv.premises.parsing import MAX_LENGTH, Unclassifiable, parse

_IMAGE = r"(?:figure|diagram|picture|image|drawing|table|chart|pie chart|bar chart|line chart|graph|plot|grid|schedule)"
_SEE = r"(?:can )?(?:see|read(?: off)?|have|know|observe|notice|find|get)(?: that)?:?"
_LEADS = (
    re.compile(
        rf"^(?:from|in|on|according to|based on|looking at|reading(?: off)?|counting in) (?:the|this) (?:[\w-]+ ){{0,2}}?{_IMAGE}(?! of\b)\b,?:?\s+",
        re.IGNORECASE,
    ),
    re.compile(rf"^(?:we|i|you|one) {_SEE}\s+", re.IGNORECASE),
    re.compile(r"^(?:note|notice|observe|recall|here|clearly|also|next|first|then|now|and|but)(?: that)?,?\s+", re.IGNORECASE),
    re.compile(r"^the (?:[\w-]+ ){1,4}?(?:shows?|tells?|indicates?|marks?|gives?)(?: us)? (?:that\s+|(?=∠|△|[A-Z]{2,3} =))", re.IGNORECASE),
)  # fmt: skip
_FOUND = re.compile(
    r"^(?:looking up|reading|looking at|checking|for|under)\s+(?P<place>.{2,120}?),? (?:we|i|you) (?:find|see|get|read|have)\s+(?P<value>.{1,80})$",
    re.IGNORECASE,
)
_GIVES = re.compile(
    r"^reading (?:the|this) \w+ (?P<place>(?:at|for) .{1,80}?) gives (?P<value>.{1,40})$", re.IGNORECASE
)
_JOINTS = re.compile(r"\s*(?:,\s*|;\s*|\s)(?:so|hence|thus|therefore|yet|which means)(?: that)?\s+|;\s+")
_FOCUS = re.compile(
    r"\b(?:rows?|columns?|bars?|lines?|slices?|sectors?|points?|prices?|costs?|entry|entries|times?|scores?) (?:for|of|labell?ed|named) (?:the |an? |one )?"
    r"(?P<thing>.{2,80}?)(?= and (?:read|look|find|multiply|add|divide)\b| in the \w+|,|;|:|\.|$)"
    r"|^(?:(?:first|next|then|now),? )?(?:find|locate|look up) the (?P<other>(?:number|amount|total|price|cost) (?:of|for) .{2,80}?)"
    r"(?= and (?:read|look|find|multiply|add|divide)\b| in the \w+|,|;|:|\.|$)",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    "price cost frequency sale request time leaf stem score rating next one it that this total requests".split()
) | words.STOP_WORDS  # fmt: skip
_AMOUNT = re.compile(r"[$€£]?\s?\d[\d,]*(?:\.\d+)?\s?[%°]?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """What the solver was just told to look up: the thing, and all words of that sentence."""

    thing: str
    content: frozenset[str]


def focus(text: str) -> Focus | None:
    """The thing that an instruction to look names.

    >>> focus("Find the row for the parrot and read the price.").thing
    'parrot'
    """
    match = _FOCUS.search(text)
    return None if match is None else Focus(thing=match["thing"] or match["other"], content=words.content(text))


def stated_claim(text: str, about: Focus | None) -> str | None:
    """The shortest part of a sentence that states what was seen; None if none has a type.

    >>> stated_claim("The arc at A is marked 48°, so ∠DAC = 48°.", None)
    '∠DAC = 48°.'
    """
    if not any(character.isalpha() for character in text):
        return None if about is None or len(written(text)) != 1 else _named(text, about)
    wanted = frozenset(abs(number) for number in stated(text))
    parts = [part for part in _parts(text) if not isinstance(parse(part), Unclassifiable)]
    if not parts:
        return None
    best = max(parts, key=lambda part: _merit(part, wanted))
    return _named(best, about) if about is not None and _points_back(best, about) else best


def operand_claim(text: str, operand: float, about: Focus | None) -> str | None:
    """What a calculation reads without saying so: “Cookie dough: $2 × 5 = $10” claims “Cookie dough: $2”."""
    for match in _AMOUNT.finditer(text):
        if written(match[0]) == (operand,):
            before = _AMOUNT.sub("", text[: match.start()]).strip(" :=×*+-÷/(,.")
            subject = before if re.search(r"[A-Za-z]{3}", before) else about.thing if about is not None else ""
            claim = f"{subject}: {match[0].strip()}"
            return claim if subject and not isinstance(parse(claim), Unclassifiable) else None
    return None


def _parts(text: str) -> Iterator[str]:
    """The sentence, without what leads up to it, and its clauses."""
    text = text[:MAX_LENGTH]
    for pattern in (_FOUND, _GIVES):
        if found := pattern.match(text):
            yield f"{found['place']}: {found['value']}"
    whole = _without_lead(text)
    yield text
    yield whole
    clauses = [clause for clause in _JOINTS.split(whole) if clause]
    yield from (_without_lead(clause) for clause in clauses if len(clauses) > 1)


def _without_lead(text: str) -> str:
    for _ in range(3):
        before = text
        for lead in _LEADS:
            text = lead.sub("", text, count=1)
        if text == before:
            break
    return text[:1].upper() + text[1:] if text[:2].isalpha() and text[:2].islower() else text


def _merit(part: str, wanted: frozenset[float]) -> tuple[bool, bool, int]:
    """Says all numbers of the sentence; says it of labelled things; is short."""
    said = frozenset(abs(number) for number in stated(part))
    return said >= wanted, bool(labels(part)), -len(part)


def _points_back(text: str, about: Focus) -> bool:
    """Whether a sentence is about the thing looked up without naming it."""
    content = frozenset(word for word in words.content(text) if not word[0].isdigit())
    return words.content(about.thing).isdisjoint(content) and content <= about.content | _GENERIC


def _named(text: str, about: Focus) -> str:
    return f"{about.thing}: {text}"

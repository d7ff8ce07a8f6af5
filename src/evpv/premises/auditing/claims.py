"""The claim in a sentence: its shortest part that says what was seen, with the name of the thing it is said of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evpv.premises.auditing.numbers import in_names, stated, written
from evpv.premises.claims import Unclassifiable
from evpv.premises.normalize import words
from evpv.premises.normalize.labels import labels
from evpv.premises.normalize.units import UNIT_OF
from evpv.premises.parsing import MAX_LENGTH, parse

_IMAGE = r"(?:figure|diagram|picture|image|drawing|table|chart|pie chart|bar chart|line chart|graph|plot|grid|schedule)"
_SEE = r"(?:can )?(?:see|read(?: off)?|have|know|observe|notice|find|get)(?: that)?:?"
_LEADS = (
    re.compile(
        r"^(?:from|in|on|according to|based on|looking at|reading(?: off)?|counting in) (?:the|this) (?:[\w-]+ ){0,2}?"
        rf"{_IMAGE}(?! (?:of|at|for)\b)\b,?:?\s+",
        re.IGNORECASE,
    ),
    re.compile(rf"^(?:we|i|you|one) {_SEE}\s+", re.IGNORECASE),
    re.compile(
        r"^(?:note|notice|observe|recall|here|clearly|also|next|first|then|now|and|but)(?: that)?,?\s+", re.IGNORECASE
    ),
    re.compile(
        r"^the (?:[\w-]+ ){1,4}?(?:shows?|tells?|indicates?|marks?|gives?)(?: us)? (?:that\s+|(?=∠|△|[A-Z]{2,3} =))",
        re.IGNORECASE,
    ),
)
_FOUND = re.compile(
    r"^(?:looking up|reading|looking at|checking|for|under)\s+(?P<place>.{2,120}?),? (?:we|i|you) (?:find|see|get|read|have)\s+(?P<value>.{1,80})$",
    re.IGNORECASE,
)
_GIVES = re.compile(
    r"^reading (?:the|this) [\w-]+ (?P<place>(?:at|for) .{1,80}?) gives (?P<value>.{1,40})$", re.IGNORECASE
)
_SHOWN_FOR = re.compile(
    r"^the [\w-]+(?: [\w-]+)? (?:shows?|gives?|lists?|has|reads?) (?:a value of )?"
    r"(?P<value>[$€£]?[-\d.,]+[%°]?(?: \w+)?) for (?P<place>.{1,80}?)\.?$",
    re.IGNORECASE,
)
_RIGHT_ANGLE = re.compile(
    r"\bright angle (?:at \w+,? )?between (?:\w+ )?(?P<one>[A-Z]{2}) and (?:\w+ )?(?P<other>[A-Z]{2})\b"
)
_JOINTS = re.compile(r"\s*(?:,\s*|;\s*|\s)(?:so|hence|thus|therefore|yet)(?: that)?\s+|;\s+")
_AFTERTHOUGHT = re.compile(r", which\b.*$")
_OPENS_LOW = re.compile(r"(?:a|[a-z]{2,}) [A-Za-z]")
_UNTIL = r"(?= and (?:read|look|find|multiply|add|divide)\b| in the \w+|,|;|:|\.|$)"
_FOCUS = re.compile(
    r"\b(?:rows?|columns?|bars?|lines?|slices?|sectors?|points?|prices?|costs?|entry|entries|times?|scores?) "
    rf"(?:for|of|labell?ed|named) (?:the |an? |one )?(?P<thing>.{{2,80}}?){_UNTIL}"
    r"|^(?:(?:first|next|then|now),? )?(?:find|locate|look up) the "
    rf"(?P<other>(?:number|amount|total) (?:of|for) .{{2,80}}?){_UNTIL}",
    re.IGNORECASE,
)
_UNITS = frozenset(words.stem(unit) for unit in UNIT_OF if unit.isalpha()) | {"pound"}
_GENERIC = (
    frozenset(
        {"price", "cost", "frequency", "sale", "request", "time", "leaf", "score", "rating", "next", "one", "total"}
    )
    | words.STOP_WORDS
    | _UNITS
)
"""Words that name nothing: a sentence of them alone points back to what was being looked up."""
_MEASURE = re.compile(rf"^(?:{'|'.join(sorted(_UNITS))})s? of\s+", re.IGNORECASE)
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
    if about is not None and points_back(best, about):
        return _named(best, about)
    return best if _names_something(best) else None


def operand_claim(text: str, operand: float, about: Focus | None) -> str | None:
    """What a calculation reads without saying so: “Cookie dough: $2 × 5 = $10” claims “Cookie dough: $2”."""
    for match in _AMOUNT.finditer(text):
        if written(match[0]) == (operand,):
            before = " ".join(_AMOUNT.sub(" ", text[: match.start()]).split()).strip(" :=×*+-÷/(,.")
            before = _MEASURE.sub("", before)
            alone = about is not None and " and " not in about.thing
            subject = before if _says(before) else about.thing if about is not None and alone else ""
            claim = f"{subject}: {match[0].strip()}"
            return claim if subject and not isinstance(parse(claim), Unclassifiable) else None
    return None


def _parts(text: str) -> Iterator[str]:
    """The sentence, without what leads up to it, and its clauses."""
    text = text[:MAX_LENGTH]
    for pattern in (_FOUND, _GIVES, _SHOWN_FOR):
        if found := pattern.match(text):
            yield f"{found['place']}: {found['value']}"
    if marked := _RIGHT_ANGLE.search(text):
        yield f"{marked['one']} is perpendicular to {marked['other']}."
    whole = _without_lead(text)
    yield text
    yield whole
    whole = _AFTERTHOUGHT.sub(".", whole)
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
    return text[:1].upper() + text[1:] if _OPENS_LOW.match(text) else text


def _merit(part: str, wanted: frozenset[float]) -> tuple[bool, bool, bool, int]:
    """Says all numbers of the sentence; speaks of labelled things; relates them; is short."""
    said = frozenset(abs(number) for number in stated(part))
    relates = "=" in part or any(cue.search(part) for _, cue in words.RELATIONS)
    return said >= wanted, bool(labels(part)), relates, -len(part)


def points_back(text: str, about: Focus) -> bool:
    """Whether a sentence is about the thing looked up without naming it."""
    content = _content(text)
    return _content(about.thing).isdisjoint(content) and content <= about.content | _GENERIC


def _names_something(text: str) -> bool:
    """Whether there is anything to find in the image: “The price is $4” alone could be any price."""
    extreme = any(cue.search(text) for cue in (words.HIGHEST, words.LOWEST))
    return extreme or bool(_says(text) or labels(text) or in_names(text))


def _says(text: str) -> bool:
    """Whether a text has a word that names something; letters of a formula do not."""
    return any(len(word) > 2 for word in _content(text) - _GENERIC)


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in words.content(text) if not word[0].isdigit())


def _named(text: str, about: Focus) -> str:
    """The sentence with its thing; a thing that opens with a number is called a row, lest the number be taken for a value."""
    return f"{'row ' if about.thing[0].isdigit() else ''}{about.thing}: {text}"

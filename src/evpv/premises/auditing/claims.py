"""The claim in a sentence: its shortest part that says what was seen, with the name of the thing it is said of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evpv.language import looking
from evpv.language.calculations import in_names, stated_numbers, written_numbers
from evpv.language.labels import labels
from evpv.language.lexicon import STOP_WORDS
from evpv.language.tokens import content_stems
from evpv.premises.claims import MAX_LENGTH, Unclassifiable, parse

_GENERIC = (
    frozenset(
        {"price", "cost", "frequency", "sale", "request", "time", "leaf", "score", "rating", "next", "one", "total"}
    )
    | STOP_WORDS
    | looking.UNITS
)
"""Words that name nothing: a sentence of them alone points back to what was being looked up."""

_RESULTS = frozenset("total sum difference average mean product ratio perimeter area volume probability".split())
"""Words that name what a calculation arrives at, and not what it starts from."""


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
    match = looking.FOCUS.search(text)
    return None if match is None else Focus(thing=match["thing"] or match["other"], content=content_stems(text))


def stated_claim(text: str, about: Focus | None) -> str | None:
    """The shortest part of a sentence that states what was seen; None if none has a type.

    >>> stated_claim("The arc at A is marked 48°, so ∠DAC = 48°.", None)
    '∠DAC = 48°.'
    """
    if not any(map(str.isalpha, text)):
        return None if about is None or len(written_numbers(text)) != 1 else _with_subject(text, about)
    wanted = frozenset(map(abs, stated_numbers(text)))
    parts = (part for part in _parts(text) if not isinstance(parse(part), Unclassifiable))
    best = max(parts, key=lambda part: _merit(part, wanted), default=None)
    if best is None:
        return None
    if about is not None and points_back(best, about):
        return _with_subject(best, about)
    return best if _names_something(best) else None


def operand_claim(text: str, operand: float, about: Focus | None) -> str | None:
    """What a calculation reads without saying so: “Cookie dough: $2 × 5 = $10” claims “Cookie dough: $2”.

    Of “The total cost is: 11 + 26” neither number is the total.
    """
    match = next((one for one in looking.AMOUNT.finditer(text) if written_numbers(one[0]) == (operand,)), None)
    if match is None:
        return None
    before = " ".join(looking.AMOUNT.sub(" ", text[: match.start()]).split()).strip(" :=×*+-÷/(,.")
    subject = looking.MEASURE.sub("", before)
    if not _says(subject):
        subject = about.thing if about is not None and " and " not in about.thing else ""
    if not subject or content_stems(subject) & _RESULTS:
        return None
    claim = f"{subject}: {match[0].strip()}"
    return None if isinstance(parse(claim), Unclassifiable) else claim


def _parts(text: str) -> Iterator[str]:
    """The sentence, without what leads up to it, and its clauses."""
    text = text[:MAX_LENGTH]
    for pattern in (looking.FOUND, looking.GIVES, looking.SHOWN_FOR):
        if found := pattern.match(text):
            yield f"{found['place']}: {found['value']}"
    if marked := looking.RIGHT_ANGLE.search(text):
        yield f"{marked['one']} is perpendicular to {marked['other']}."
    whole = _without_lead(text)
    yield text
    yield whole
    whole = looking.AFTERTHOUGHT.sub(".", whole)
    yield whole
    clauses = [clause for clause in looking.JOINTS.split(whole) if clause]
    yield from (_without_lead(clause) for clause in clauses if len(clauses) > 1)


def _without_lead(text: str) -> str:
    for _ in range(3):
        before = text
        for lead in looking.LEADS:
            text = lead.sub("", text, count=1)
        if text == before:
            break
    return text[:1].upper() + text[1:] if looking.OPENS_LOW.match(text) else text


def _merit(part: str, wanted: frozenset[float]) -> tuple[bool, bool, bool, int]:
    """Says all numbers of the sentence; speaks of labelled things; relates them; is short."""
    said = frozenset(map(abs, stated_numbers(part)))
    relates = "=" in part or looking.relates(part)
    return said >= wanted, bool(labels(part)), relates, -len(part)


def points_back(text: str, about: Focus) -> bool:
    """Whether a sentence is about the thing looked up without naming it."""
    content = _content(text)
    return _content(about.thing).isdisjoint(content) and content <= about.content | _GENERIC


def _names_something(text: str) -> bool:
    """Whether there is anything to find in the image: “The price is $4” alone could be any price."""
    extreme = looking.has_cue(text, "most", "least")
    return extreme or bool(_says(text) or labels(text) or in_names(text))


def _says(text: str) -> bool:
    """Whether a text has a word that names something; letters of a formula do not."""
    return any(len(word) > 2 for word in _content(text) - _GENERIC)


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in content_stems(text) if not word[0].isdigit())


def _with_subject(text: str, about: Focus) -> str:
    """The sentence with its thing; a thing that opens with a number is called a row, lest the number be taken for a value."""
    return f"{'row ' if about.thing[0].isdigit() else ''}{about.thing}: {text}"

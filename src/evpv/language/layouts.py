"""What sentences say of a figure's make-up: the columns of a table, the parts of a solid, relations between unlabelled things."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Literal

from evpv.language.clauses import Clause
from evpv.language.forms import Form, Layout, Phrase, Stated
from evpv.language.lexicon import SOLIDS
from evpv.language.quantities import quantities
from evpv.language.tokens import stem, tokens

_FIGURES = frozenset(
    "table chart graph plot diagram figure legend picture histogram sequence pattern axis axes".split()
)
_PARTS = frozenset(
    "column row bar slice sector category line part group panel figure frame stage curve region year section term series heading header branch label axis legend bars color colour entry item "  # noqa: E501
    "country team month student type kind product city day week subject person".split()
)
_SHOWS = frozenset(
    "has have lists list shows show gives give compares compare contains contain consists includes include displays display presents present uses distinguishes breaks plots reports tracks covers are is "  # noqa: E501
    "named called labeled labelled titled headed represents represent divided organized organised categorizes identifies appear appears".split()
)
_FIGURES_AND_PARTS = _FIGURES | _PARTS
_LISTS = _SHOWS - {"has", "have", "is", "are"}
_LEADS = frozenset(
    "a an the both one for of into with and by about named labeled labelled titled called headed respectively columns column rows row bars categories lines years groups parts lines shown as in each two three four five six seven "  # noqa: E501
    "which who that are is has have lists list shows show gives give compares compare contains contain consists includes include displays display presents present their his her its as well such".split()  # noqa: E501
)
_PLACES = {
    "top": "top", "above": "top", "upper": "top", "over": "top", "bottom": "bottom", "below": "bottom", "under": "bottom", "beneath": "bottom",
    "underneath": "bottom", "base": "bottom", "left": "left", "right": "right", "inside": "inside", "within": "inside", "inscribed": "inside",
    "side": "side", "removed": "removed", "cut": "removed",
}  # fmt: skip
_TURNED = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
_KINDS: tuple[tuple[Literal["sequence", "graph"], frozenset[str]], ...] = (
    ("sequence", frozenset({"sequence", "pattern", "stage", "frame", "term"})),
    ("graph", frozenset({"branch", "curve"})),
)
_SHAPE_VERBS = frozenset("is shows depicts has".split())
_WHOLES = frozenset("figure shape solid object drawing diagram picture polygon base net form".split())


def layout_form(clause: Clause) -> Form | None:
    """The make-up that a sentence states; None if it states something else."""
    words = clause.words
    stems = [token.stem for token in clause.tokens]
    composite = _arrangement(clause, stems) or _composite(clause, words, stems)
    if composite is not None:
        return composite
    if clause.has("most", "least", "than", "rises", "falls", "same", "twice", "times") or clause.equations:
        return None
    if _FIGURES_AND_PARTS.isdisjoint(stems) or _SHOWS.isdisjoint(words):
        return None
    if clause.labels or _is_opinion(stems):
        return None
    count = (
        _count(clause)
        if _is_about_figure(stems, words) or (set(words[:2]) & {"there", "we"} and set(stems) & _FIGURES)
        else None
    )
    if count is None and (_readings(clause) or not _is_about_figure(stems, words)):
        return None
    kind: Literal["table", "sequence", "graph"] = next((kind for kind, nouns in _KINDS if nouns & {*stems}), "table")
    parts = _parts(clause, words)
    if (
        count is None
        and set(words) & {"is", "are"}
        and not set(words) & _LISTS
        and '"' not in words
        and not set(stems) & {"column", "row", "header", "heading", "axis", "legend", "category"}
    ):
        return None
    if count is None and not parts:
        return None
    names = bool(set(stems) & {"table", "column", "row", "header", "heading", "legend"})
    return Layout(
        kind=kind, parts=parts, number=count[0] if count else None, noun=count[1] if count else "", names_columns=names
    )


def _is_about_figure(stems: list[str], words: Sequence[str]) -> bool:
    """Whether the sentence's subject is the figure or its parts, and it goes on to say what they are."""
    verb = next((i for i, word in enumerate(words) if word in _SHOWS), len(words))
    subject = bool(
        set(stems[: min(verb, 9)])
        & {
            "table",
            "chart",
            "graph",
            "plot",
            "diagram",
            "figure",
            "legend",
            "picture",
            "histogram",
            "sequence",
            "pattern",
            "axis",
            "column",
            "row",
            "header",
            "heading",
            "category",
            "bar",
            "series",
            "line",
        }
    )
    placed_in = any(a in ("in", "at") and b in ("row", "column") for a, b in itertools.pairwise(words))
    return subject and not placed_in and "entry" not in words


def _is_opinion(stems: list[str]) -> bool:
    return bool(
        set(stems)
        & {
            "information",
            "hint",
            "insight",
            "idea",
            "clue",
            "convenient",
            "useful",
            "helpful",
            "understanding",
            "help",
            "interesting",
            "important",
            "cluttered",
            "designed",
            "detail",
            "key",
            "good",
            "best",
        }
    )


def _readings(clause: Clause) -> bool:
    """Whether a number is read off rather than counting parts."""
    return any(not one.amount.quantity.spelled and not one.amount.quantity.is_year for one in clause.amounts)


def _count(clause: Clause) -> tuple[int, str] | None:
    """“Three columns”, “5 bars”."""
    if clause.words.count("one") > 1:
        return None
    for quantity in quantities(clause.text):
        after = tokens(clause.text[quantity.end : quantity.end + 40])[:3]
        noun = next((token.stem for token in after[:2] if token.stem in _PARTS), None)
        if noun and quantity.value.is_integer() and 0 < quantity.value < 60:
            return int(quantity.value), noun
    return None


def _parts(clause: Clause, words: Sequence[str]) -> tuple[Phrase, ...]:
    """The names listed: quoted ones if any, else what stands between commas and “and” after the verb."""
    start = next((i for i in range(len(words) - 1, -1, -1) if words[i] in _VERBS), None)
    if start is None:
        return ()
    stop = next(
        (
            i
            for i in range(start + 1, len(words))
            if words[i] in ("for", "of", "in", "by") and i + 1 < len(words) and words[i + 1] in ("each", "every")
        ),
        len(words),
    )
    found, first = [], start + 1
    for index in range(start + 1, stop + 1):
        if index == stop or words[index] in (",", "and", "versus", "vs", ".", ":", "/"):
            phrase = clause.phrase(first, index)
            kept = tuple(t for t in phrase.tokens if t.is_word or t.is_number)
            while kept and kept[0].lower in _LEADS:
                kept = kept[1:]
            if kept:
                base = clause.tokens[0].start
                found.append(Phrase(tokens=kept, text=clause.text[kept[0].start - base : kept[-1].end - base]))
            first = index + 1
    return tuple(phrase for phrase in found if not _is_count(phrase))


_VERBS = _SHOWS - {"list", "show", "display", "present", "include", "compare", "give"} | {"compares", "compare"}


def _is_count(phrase: Phrase) -> bool:
    first = phrase.tokens[0]
    if len(phrase.tokens) == 1:
        return first.text.islower() and first.text != first.stem and first.stem in _PARTS
    return len(phrase.tokens) >= 2 and bool(quantities(first.text)) and stem(phrase.tokens[-1].text) in _PARTS


def _composite(clause: Clause, words: Sequence[str], stems: list[str]) -> Form | None:
    """“A cone is placed on top of a cylinder”, “the figure is composed of a square and a semicircle”."""
    joined = clause.has("joined", "composed")
    if joined is None and SOLIDS.isdisjoint(stems):
        return None
    shapes = [i for i, s in enumerate(stems) if s in SOLIDS]
    whole = bool(set(stems[:4]) & _WHOLES) and bool(set(words[:6]) & _SHAPE_VERBS)
    if joined is None and len({stems[i] for i in shapes}) > 1:
        joined = next((c for c in clause.cues if c.words in ("above", "below", "under", "over")), None)
    if (
        (joined is None and not (whole and shapes))
        or any(one.amount.quantity.unit or not one.amount.quantity.spelled for one in clause.amounts)
        or clause.equations
        or clause.labels
    ):
        return None
    if joined is None and clause.has("more", "less", "most", "least", "same", "parallel", "perpendicular"):
        return None
    if not shapes:
        return (
            None
            if joined is None or (joined.tag == "composed" and not set(stems) & _WHOLES)
            else Layout(kind="composite", parts=())
        )
    places = dict.fromkeys(stems[i] for i in shapes if not (stems[i] == "square" and stems[i : i + 1] == ["mark"]))
    parts = tuple(
        Phrase(tokens=(clause.tokens[i],), text=clause.tokens[i].text) for i in shapes if stems.index(stems[i]) == i
    )
    return Layout(kind="composite", parts=parts, place=part_and_place(clause.text, frozenset(places)))


_PIECES = frozenset({"legend", "title", "caption", "key", "logo", "footnote", "heading"})
_GROUNDS = frozenset({"plot", "chart", "graph", "pie", "diagram", "figure", "bars", "map", "axis", "axes", "table"})


def _arrangement(clause: Clause, stems: list[str]) -> Form | None:
    """“The legend sits to the left of the plot area”, “below the pie there is a legend”: a piece of the drawing, and where."""
    if _PIECES.isdisjoint(stems):
        return None
    piece = next((i for i, word in enumerate(stems) if word in _PIECES), None)
    place = next(
        (
            i
            for i, word in enumerate(stems)
            if word in ("top", "above", "below", "under", "underneath", "bottom", "beneath", "left", "right")
        ),
        None,
    )
    if piece is None or place is None or clause.amounts or clause.labels or clause.equations:
        return None
    ground = next((i for i, word in enumerate(stems) if i > place and word in _GROUNDS), None)
    if ground is None or any(stems[i] in SOLIDS for i in range(len(stems))):
        return None
    parts = tuple(Phrase(tokens=(clause.tokens[i],), text=clause.tokens[i].text) for i in (piece, ground))
    return Layout(kind="composite", parts=parts, place=(stems[piece], _PLACES[stems[place]]))


def part_and_place(text: str, parts: frozenset[str]) -> tuple[str, str] | None:
    """Which part is said to be where: the last part named before the place word, else the last one named at all.

    >>> part_and_place("cone placed on top of cylinder", frozenset({"cone", "cylinder"}))
    ('cone', 'top')
    """
    found = [token.stem for token in tokens(text)]
    at = next((i for i, word in enumerate(found) if word in _PLACES), None)
    if at is None:
        return None
    before = [i for i, word in enumerate(found[:at]) if word in parts]
    named = [found[i] for i in before] or [word for word in found if word in parts]
    return (named[-1], _PLACES[found[at]]) if named else None


def opposite_place(place: str) -> str:
    """Where the other part stands: what is on top of a cylinder has the cylinder below it."""
    return _TURNED.get(place, place)


def stated_form(clause: Clause) -> Form | None:
    """“The circle is inside the square”, “the red house is next to the blue house”: relations of unlabelled things."""
    cue = clause.has("parallel", "perpendicular", "inside", "next")
    if cue is None or clause.labels or clause.amounts:
        return None
    relation = {"inside": "subset", "next": "adjacent"}.get(cue.tag, cue.tag)
    sides = tuple(
        phrase
        for phrase in (clause.phrase(0, cue.first), clause.phrase(cue.last + 1))
        if any(t.is_content for t in phrase.tokens)
    )
    if len(sides) < 2 and relation in ("subset", "adjacent"):
        return None
    return Stated(relation=relation, sides=sides) if sides else None

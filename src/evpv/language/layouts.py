"""What sentences say of a figure's make-up: the columns of a table, the parts of a solid, relations between unlabelled things."""

from __future__ import annotations

import itertools
from collections.abc import Container, Sequence
from typing import Literal

from evpv.language.clauses import Clause
from evpv.language.forms import Form, Layout, Phrase, Stated
from evpv.language.lexicon import LAYOUT_VERBS, SOLIDS
from evpv.language.quantities import quantities
from evpv.language.tokens import stem, tokens

_FIGURES = frozenset(
    "table chart graph plot diagram figure legend picture histogram sequence pattern axis axes".split()
)
_PARTS = frozenset(
    "column row bar slice sector category line part group panel figure frame stage curve region year section term series heading header branch label axis legend bars color colour entry item "  # noqa: E501
    "country team month student type kind product city day week subject person".split()
)
_SHOWS = LAYOUT_VERBS | frozenset(
    "give compare contain include display present reports contrast summarizes summarises separates is named called labeled labelled "
    "titled headed represents represent divided organized organised categorizes identifies appears".split()
)
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
_KINDS: dict[Literal["sequence", "graph"], frozenset[str]] = {
    "sequence": frozenset({"sequence", "pattern", "stage", "frame", "term"}),
    "graph": frozenset({"branch", "curve"}),
}
_SHAPE_VERBS = frozenset("is shows depicts has".split())
_WHOLES = frozenset("figure shape solid object drawing diagram picture polygon base net form".split())
_ABOUT = frozenset(
    "table chart graph plot diagram figure legend picture histogram sequence pattern axis column row header heading category bar series line".split()
)
_OPINIONS = frozenset(
    "information hint insight idea clue convenient useful helpful understanding help interesting important cluttered designed detail key good best overview summary impression".split()  # noqa: E501
)
_HEADINGS = frozenset("column row header heading axis legend category".split())
_NAMING = frozenset("table column row header heading legend series".split())


def layout_form(clause: Clause) -> Form | None:
    """The make-up that a sentence states; None if it states something else."""
    stems = [token.stem for token in clause.tokens]
    if _MADE_UP.isdisjoint(stems) and not clause.has("joined", "composed"):
        return None
    return _arrangement(clause, stems) or _composite(clause, stems) or _listed_parts(clause, stems)


def _listed_parts(clause: Clause, stems: list[str]) -> Form | None:
    """“The table has three columns: team, wins and losses”."""
    if not _may_list_parts(clause, stems):
        return None
    subject = _is_about_figure(stems, clause.words)
    number, noun = _count(clause) if subject or _points_at_figure(clause, stems) else (None, "")
    parts = tuple(part for part in _parts(clause) if part.stems != {noun})
    if number is None and not (parts and subject and _lists_names(clause, stems)):
        return None
    naming = not _NAMING.isdisjoint(stems)
    return Layout(kind=_listed_kind(stems), parts=parts, number=number, noun=noun, names_columns=naming)


def _listed_kind(stems: list[str]) -> Literal["table", "sequence", "graph"]:
    if not _NAMING.isdisjoint(stems):
        return "table"
    return next((kind for kind, nouns in _KINDS.items() if not nouns.isdisjoint(stems)), "table")


def _lists_names(clause: Clause, stems: list[str]) -> bool:
    """Whether what a sentence says of a figure is a list of names: no number is read off rather than counting, and “is” is not the only verb,
    unless quotes or headings make what it says a list."""
    if any(not one.amount.quantity.spelled and not one.amount.quantity.is_year for one in clause.amounts):
        return False
    only_is = _LISTS.isdisjoint(clause.words) and not {"is", "are"}.isdisjoint(clause.words)
    return not only_is or '"' in clause.words or not _HEADINGS.isdisjoint(stems)


def _indices(words: Sequence[str], among: Container[str]) -> list[int]:
    return [i for i, word in enumerate(words) if word in among]


def _may_list_parts(clause: Clause, stems: list[str]) -> bool:
    """Whether a sentence speaks of a figure or its parts, says that something shows, and compares and judges nothing."""
    if clause.equations or clause.labels or not _OPINIONS.isdisjoint(stems):
        return False
    if any(cue.tag in _RELATING and cue.words != "matches" for cue in clause.cues):
        return False
    shows = not _SHOWS.isdisjoint(clause.words)
    return shows and not (_FIGURES.isdisjoint(stems) and _PARTS.isdisjoint(stems))


_RELATING = frozenset("most least than rises falls same twice times".split())


def _is_about_figure(stems: list[str], words: Sequence[str]) -> bool:
    """Whether the sentence's subject is the figure or its parts, and it goes on to say what they are."""
    verb = min(_indices(words, _SHOWS), default=len(words))
    placed_in = any(a in ("in", "at") and b in ("row", "column") for a, b in itertools.pairwise(words))
    return not _ABOUT.isdisjoint(stems[: min(verb, 9)]) and not placed_in and "entry" not in words


def _points_at_figure(clause: Clause, stems: list[str]) -> bool:
    """“There are three bars in the chart”, “we see …”, “two years are shown”."""
    shown = clause.words[2:3] == ("are",) and clause.word(3) in ("shown", "listed", "compared", "plotted", "covered")
    return shown or (not {"there", "we"}.isdisjoint(clause.words[:2]) and not _FIGURES.isdisjoint(stems))


def _count(clause: Clause) -> tuple[int | None, str]:
    """“Three columns”, “5 bars”."""
    each = gives_one_each(clause.words)
    for quantity in quantities(clause.text):
        after = tokens(clause.text[quantity.end : quantity.end + 40])[:3]
        noun = next((token.stem for token in after[:2] if token.stem in _PARTS), None)
        if noun and quantity.value.is_integer() and each < quantity.value < 60:
            return int(quantity.value), noun
    return None, ""


def gives_one_each(words: Sequence[str]) -> bool:
    """“One column for the day and one for the price”: the ones name parts and count none."""
    ones = _indices(words, ("one",))
    return any(not {"for", "per"}.isdisjoint(words[i + 1 : i + 3]) for i in ones)


def _parts(clause: Clause) -> tuple[Phrase, ...]:
    """The names listed: what stands between commas and “and” after the last verb, before “for each …”, but not “for each of”."""
    words = clause.words
    first = max(_indices(words, _VERBS), default=len(words)) + 1
    stop = _place_of_each(words, first)
    found = []
    for index in range(first, stop + 1):
        if index == stop or words[index] in _SEPARATORS:
            found.append(_name(clause, first, index))
            first = index + 1
    return tuple(name for name in found if name and not _is_count(name))


def _place_of_each(words: Sequence[str], first: int) -> int:
    each = [i - 1 for i in _indices(words, ("each", "every")) if i > first and words[i - 1] in _OF_EACH]
    return min((i for i in each if words[i + 2 : i + 3] != ("of",)), default=len(words))


def _name(clause: Clause, first: int, stop: int) -> Phrase:
    """The words of a stretch without the small ones that lead up to the name."""
    words = [token for token in clause.phrase(first, stop).tokens if token.is_word or token.is_number]
    kept = tuple(itertools.dropwhile(lambda token: token.lower in _LEADS, words))
    if not kept:
        return Phrase()
    base = clause.tokens[0].start
    return Phrase(tokens=kept, text=clause.text[kept[0].start - base : kept[-1].end - base])


_SEPARATORS = frozenset({",", "and", "versus", "vs", ".", ":", "/"})
_OF_EACH = frozenset({"for", "of", "in", "by"})
_VERBS = _SHOWS - {"list", "show", "display", "present", "include", "compare", "give"} | {"compares", "compare"}


def _is_count(phrase: Phrase) -> bool:
    first = phrase.tokens[0]
    if len(phrase.tokens) == 1:
        return first.text.islower() and first.text != first.stem and first.stem in _PARTS
    return len(phrase.tokens) >= 2 and bool(quantities(first.text)) and stem(phrase.tokens[-1].text) in _PARTS


def _composite(clause: Clause, stems: list[str]) -> Form | None:
    """“A cone is placed on top of a cylinder”, “the figure is composed of a square and a semicircle”: things are put together, of which of
    several shapes “above” and “below” tell too, or the figure is said to be a shape. None where values are given."""
    if clause.equations or clause.labels:
        return None
    if any(one.amount.quantity.unit or not one.amount.quantity.spelled for one in clause.amounts):
        return None
    shapes: dict[str, Phrase] = {}
    for i in _indices(stems, SOLIDS):
        shapes.setdefault(stems[i], Phrase(tokens=(clause.tokens[i],), text=clause.tokens[i].text))
    if not _is_composed(clause, stems, len(shapes)):
        return None
    place = part_and_place(clause.text, frozenset(shapes)) if shapes else None
    return Layout(kind="composite", parts=tuple(shapes.values()), place=place)


def _is_composed(clause: Clause, stems: list[str], shapes: int) -> bool:
    if (joint := clause.has("joined", "composed")) is not None:
        told = joint.tag == "joined" or shapes > 0 or not _WHOLES.isdisjoint(stems)
    else:
        told = shapes > 1 and any(cue.words in ("above", "below", "under", "over") for cue in clause.cues)
    whole = not _WHOLES.isdisjoint(stems[:4]) and not _SHAPE_VERBS.isdisjoint(clause.words[:6])
    return told or (whole and shapes > 0 and not clause.has(*_COMPARES))


_COMPARES = ("more", "less", "most", "least", "same", "parallel", "perpendicular")
_PIECES = frozenset({"legend", "title", "caption", "key", "logo", "footnote", "heading"})
_GROUNDS = frozenset({"plot", "chart", "graph", "pie", "diagram", "figure", "bars", "map", "axis", "axes", "table"})
_SIDES = frozenset("top above below under underneath bottom beneath left right".split())
_MADE_UP = _PIECES | _FIGURES | _PARTS | _WHOLES | SOLIDS
"""The words without one of which nothing is said of a figure's make-up."""


def _arrangement(clause: Clause, stems: list[str]) -> Form | None:
    """“The legend sits to the left of the plot area”, “below the pie there is a legend”: a piece of the drawing, and where."""
    if clause.amounts or clause.labels or clause.equations or not SOLIDS.isdisjoint(stems):
        return None
    pieces, places = _indices(stems, _PIECES), _indices(stems, _SIDES)
    grounds = [i for i in _indices(stems, _GROUNDS) if i > min(places, default=len(stems))]
    if not pieces or not grounds:
        return None
    last = grounds[0] + (grounds[0] + 1 in grounds)  # “the pie chart”
    parts = (clause.phrase(pieces[0], pieces[0] + 1), clause.phrase(grounds[0], last + 1))
    return Layout(kind="composite", parts=parts, place=(stems[pieces[0]], _PLACES[stems[places[0]]]))


def part_and_place(text: str, parts: frozenset[str]) -> tuple[str, str] | None:
    """Which part is said to be where: the last part named before the place word, else the last one named at all.

    >>> part_and_place("cone placed on top of cylinder", frozenset({"cone", "cylinder"}))
    ('cone', 'top')
    """
    found = [token.stem for token in tokens(text)]
    at = min(_indices(found, _PLACES), default=None)
    named = _indices(found, parts)
    if at is None or not named:
        return None
    part = max((i for i in named if i < at), default=named[-1])
    return found[part], _PLACES[found[at]]


def opposite_place(place: str) -> str:
    """Where the other part stands: what is on top of a cylinder has the cylinder below it."""
    return _TURNED.get(place, place)


def stated_form(clause: Clause) -> Form | None:
    """“The circle is inside the square”, “the red house is next to the blue house”: relations of unlabelled things."""
    cue = clause.has("parallel", "perpendicular", "inside", "next")
    if cue is None or clause.labels or clause.amounts or clause.word(cue.first - 1) in ("the", "a"):
        return None
    both = (clause.phrase(0, cue.first), clause.phrase(cue.last + 1))
    sides = tuple(phrase for phrase in both if any(token.is_content for token in phrase.tokens))
    relation = _UNLABELLED.get(cue.tag, cue.tag)
    return Stated(relation=relation, sides=sides) if len(sides) > (cue.tag in _UNLABELLED) else None


_UNLABELLED = {"inside": "subset", "next": "adjacent"}
"""Relations that need both things named."""

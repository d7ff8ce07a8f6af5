"""The rows and columns of the figure that a sentence names, each as often as it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from evpv.language.immutable import immutable
from evpv.language.tokens import Token, tokens
from evpv.premises.mentions import Axis, Mention
from evpv.premises.statements.grid import Grid

_AxisName = Literal["row", "column"]
_GAP = 4
"""So many words on, two words of one name still belong together."""


@immutable
class Name:
    """A row or column that is named at these tokens."""

    axis: _AxisName
    name: str
    first: int
    last: int
    places: frozenset[int]
    whole: bool


def names_said(found: tuple[Token, ...], words: Sequence[str], grid: Grid) -> tuple[Name, ...]:
    """The names that a sentence says, each as often as it does; of two at the same words the more complete one."""
    index = {token.start: i for i, token in enumerate(found)}
    said = [*said_names(grid.model.rows, "row", found, index, words)]
    if len(grid.columns) > 1:
        said += said_names(grid.model.columns, "column", found, index, words)
    kept: list[Name] = []
    for name in sorted(said, key=lambda n: (not n.whole, -len(n.places), n.axis == "column")):
        if not any(name.places <= other.places or _leans_on(name, other) for other in kept):
            kept.append(name)
    if any(name.axis == "column" and name.whole for name in kept):
        kept = [name for name in kept if name.axis == "row" or name.whole or _has_first_word(name, found)]
    if not any(name.axis == "row" for name in kept):
        kept += _counted(grid.model.rows.by_count(found, "row"), "row", index)
    if not any(name.axis == "column" for name in kept) and len(grid.columns) > 1:
        kept += _counted(grid.model.columns.by_count(found, "column"), "column", index)
    kept += _ones(found, words, grid, {i for name in kept for i in name.places})
    return tuple(sorted(kept, key=lambda name: name.first))


def _has_first_word(name: Name, found: Sequence[Token]) -> bool:
    """Whether a name said in part is said by what tells it apart: “child” of Child fare, not “books” of Children's books."""
    first = next((token.stem for token in tokens(name.name) if token.is_content), "")
    return any(found[i].stem == first for i in name.places)


def _ones(found: Sequence[Token], words: Sequence[str], grid: Grid, taken: set[int]) -> Iterator[Name]:
    """“One sibling”, where a row is 1: elsewhere “one” is more often a pronoun."""
    if "1" not in grid.rows:
        return
    for i, word in enumerate(words[:-1]):
        if word == "one" and i not in taken and found[i + 1].stem in grid.heads:
            yield Name(axis="row", name="1", first=i, last=i, places=frozenset({i}), whole=True)


def _leans_on(name: Name, other: Name) -> bool:
    """Whether a name that is said in part only goes on with one said whole: the “costs” of “energy costs” are no staff costs."""
    beside = name.first == other.last + 1 or name.last == other.first - 1
    return beside and other.whole and not name.whole and name.axis == other.axis


def _counted(mentions: Sequence[Mention], axis: _AxisName, index: dict[int, int]) -> list[Name]:
    return [_name(mention, axis, [index[start] for start in mention.tokens]) for mention in mentions]


def _name(mention: Mention, axis: _AxisName, places: Sequence[int]) -> Name:
    return Name(
        axis=axis,
        name=mention.name,
        first=min(places),
        last=max(places),
        places=frozenset(places),
        whole=mention.coverage >= 0.999,
    )


def said_names(
    axis: Axis, kind: _AxisName, found: Sequence[Token], index: dict[int, int], words: Sequence[str]
) -> Iterator[Name]:
    """Every mention of an axis' names, the repeated ones too."""
    left = list(found)
    for _ in range(6):
        fresh: list[Name] = []
        for mention in axis.mentions(left):
            places = sorted(index[start] for start in mention.tokens)
            close = _cluster(places, index[mention.position], words)
            if len(close) < len(places):
                inner = axis.mentions([found[i] for i in close])
                if not any(one.name == mention.name for one in inner):
                    continue
            fresh.append(_name(mention, kind, close))
        if not fresh:
            return
        yield from fresh
        used = {place for name in fresh for place in name.places}
        left = [token for token in left if index[token.start] not in used]


_APART = frozenset("than while but whereas ; ( ) has have had is are was were".split())


def _cluster(places: Sequence[int], at: int, words: Sequence[str]) -> list[int]:
    """Those of some places that stand together with one of them."""
    group: list[int] = []
    for place in places:
        if group and (place - group[-1] > _GAP or _APART & {*words[group[-1] + 1 : place]}):
            if at in group:
                return group
            group = []
        group.append(place)
    return group if at in group else [at]

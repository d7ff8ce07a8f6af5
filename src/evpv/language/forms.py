"""The logical forms: what a sentence asserts, as values. Nothing here knows the words of a language or a figure.

A form holds phrases (tokens with their places), quantities and labels; a figure resolves the phrases. `form_text` is the
one way a form is shown.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from evpv.language.immutable import immutable
from evpv.language.labels import Key, label_text
from evpv.language.quantities import Quantity, number_text, with_unit
from evpv.language.tokens import Token

Order = Literal["greater", "less", "equal"]
Bound = Literal["=", ">", "<", ">=", "<="]
ValueKind = Literal["value", "part", "total", "difference", "ratio"]
OrderKind = Literal["comparison", "extreme", "trend"]


@immutable
class Phrase:
    """Words that may name something of the figure; `text` is how they stand."""

    tokens: tuple[Token, ...] = ()
    text: str = ""

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.tokens)

    @property
    def words(self) -> frozenset[str]:
        """The words as they stand, in small letters."""
        return frozenset(token.lower for token in self.tokens)

    def __bool__(self) -> bool:
        return bool(self.tokens)


@immutable
class Amount:
    """A stated number with how it is stated: a bound ("more than 5"), a hedge ("about 5"), or the far end of a range."""

    quantity: Quantity
    bound: Bound = "="
    hedged: bool = False
    high: Quantity | None = None
    noun: Phrase = Phrase()


@immutable
class Value:
    """`about` has the value `amount`: as such, as a part in words (“half”), as a total or average of what is named, or as how far or how
    many times two things that are named are apart."""

    about: Phrase
    amount: Amount
    kind: ValueKind = "value"


@immutable
class Position:
    """`about` lies at the coordinates (x, y)."""

    about: Phrase
    x: Quantity
    y: Quantity


@immutable
class Comparison:
    """`left` is greater than, less than or equal to `right`; of an extreme or a movement `left` is all that is named."""

    order: Order
    left: Phrase
    right: Phrase
    kind: OrderKind = "comparison"


@immutable
class Measure:
    """A labelled thing has a value, or is labelled with an expression in an unknown."""

    key: Key
    amount: Amount | None = None
    expression: str = ""
    attribute: str = ""
    drawn: tuple[str, ...] = ()


@immutable
class Marks:
    """The labelled things of one kind have these values and expressions, each its own: the `keys`, or all there are, of a polygon, at a vertex."""

    kind: str
    values: tuple[Amount | str, ...]
    keys: tuple[Key, ...] = ()
    inside: tuple[str, ...] = ()
    vertex: str = ""


@immutable
class Between:
    """A relation between labelled things: parallel, perpendicular, equal, greater, less, incident, subset, adjacent, or an extreme."""

    relation: str
    keys: tuple[Key, ...]
    by: Amount | None = None
    times: Amount | None = None
    vertex: str = ""
    drawn: tuple[tuple[str, ...], ...] = ()
    most: bool | None = None
    rank: int = 1


@immutable
class KeySum:
    """The labelled things add up to an amount."""

    keys: tuple[Key, ...]
    amount: Amount


@immutable
class Stated:
    """A relation between things named in words: “the circle is inside the square”."""

    relation: str
    sides: tuple[Phrase, ...]


@immutable
class Layout:
    """How the figure is put together: the parts it names, a number of parts of one noun, and where one stands on another."""

    kind: Literal["table", "composite", "sequence", "graph"]
    parts: tuple[Phrase, ...]
    number: int | None = None
    noun: str = ""
    place: tuple[str, str] | None = None
    names_columns: bool = False


@immutable
class Open:
    """Something is asserted that no form here holds; it can only be missing."""

    about: Phrase
    reason: str
    kind: Literal["numeric", "relation", "structure"] = "relation"


Form: TypeAlias = Value | Position | Comparison | Measure | Marks | Between | KeySum | Stated | Layout | Open


@immutable
class Assertion:
    """One thing that a text asserts, and where.

    `span` is its place in the source. `context` are the phrases said before it that it may lean on, nearest first; the
    first `near` stand in the same sentence or lead up to it. `aside`: it stands in brackets, so it does not say what kind of claim this is.
    `computed`: its number follows from numbers said before it.
    `doubt`: why the clause refutes nothing.
    `denied`: it says that the form does not hold. `derived`: it is drawn as a conclusion, so that not finding it refutes nothing.
    """

    span: tuple[int, int]
    text: str
    form: Form
    context: tuple[Phrase, ...] = ()
    near: int = 0
    denied: bool = False
    derived: bool = False
    aside: bool = False
    doubt: str = ""
    computed: bool = False


def amount_text(amount: Amount) -> str:
    """An amount as the claim put it: "about 90 mm", "> 5".

    >>> amount_text(Amount(quantity=Quantity(value=90.0, unit="millimeter"), hedged=True))
    'about 90 mm'
    """
    shown = with_unit(number_text(amount.quantity.absolute), amount.quantity.unit)
    if amount.high is not None:
        return f"{shown} to {with_unit(number_text(amount.high.absolute), amount.high.unit)}"
    if amount.bound != "=":
        return f"{amount.bound} {shown}"
    return f"about {shown}" if amount.hedged else shown


def form_text(form: Form) -> str:
    """A form as one line for people: its name and its fields that say something.

    >>> form_text(Position(about=Phrase(text="the vertex"), x=Quantity(value=1.0), y=Quantity(value=4.0)))
    'position(about: the vertex, x: 1, y: 4)'
    """
    fields = ((name, _value_text(getattr(form, name))) for name in form.__dataclass_fields__)
    shown = ", ".join(f"{name}: {value}" for name, value in fields if value)
    return f"{type(form).__name__.lower()}({shown})"


def _value_text(value: object) -> str:
    if value is None or value is False:
        return ""
    if isinstance(value, Phrase):
        return " ".join(value.text.split())[:80]
    if isinstance(value, Amount):
        return amount_text(value)
    if isinstance(value, Quantity):
        return number_text(value.absolute)
    if isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], tuple):
            return label_text(value)
        return ", ".join(filter(None, map(_value_text, value)))
    return str(value)

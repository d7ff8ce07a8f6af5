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
_Quantifier = Literal["one", "every", "only", "none"]


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

    @property
    def starts(self) -> frozenset[int]:
        return frozenset(token.start for token in self.tokens)

    @property
    def first(self) -> str:
        """Its first word in small letters."""
        return self.tokens[0].lower if self.tokens else ""

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
    """`about` has the value `amount`; of several things named, each has it (`each`). `others` may be the value instead, and the rest names."""

    about: Phrase
    amount: Amount
    each: bool = False
    of_total: Quantity | None = None
    others: tuple[Amount, ...] = ()


@immutable
class Position:
    """`about` lies at the coordinates (x, y)."""

    about: Phrase
    x: Quantity
    y: Quantity


@immutable
class Comparison:
    """`left` is greater than, less than or equal to `right`, by an amount or by a factor where said; `multiples`: so many of
    the one and of the other (“two umbrellas cost as much as three hats”)."""

    order: Order
    left: Phrase
    right: Phrase
    setting: Phrase = Phrase()
    by: Amount | None = None
    times: Amount | None = None
    multiples: tuple[int, int] | None = None


@immutable
class Extreme:
    """`subject` is number `rank` from the top or bottom of `group`, with a value where said; `followers` come next in order."""

    most: bool
    rank: int
    subject: Phrase
    group: Phrase
    amount: Amount | None = None
    followers: tuple[Phrase, ...] = ()
    tied: bool = False
    adjective: str = ""


@immutable
class Trend:
    """`about` rises, falls or stays over a span: between two named points, at every step (`steady`), by an amount, from and to values."""

    order: Order
    about: Phrase
    start: Phrase = Phrase()
    end: Phrase = Phrase()
    steady: bool = False
    by: Amount | None = None
    times: Amount | None = None
    first: Amount | None = None
    last: Amount | None = None


@immutable
class Aggregate:
    """The sum, mean, median, range, mode, difference or ratio of what `about` names is `amount`."""

    kind: Literal["sum", "mean", "median", "range", "mode", "difference", "ratio", "product"]
    about: Phrase
    amount: Amount


@immutable
class Worked:
    """A calculation that is written out beside `about`: its `terms` may be readings; what they come to is left to the judge."""

    kind: Literal["sum", "product", "other"]
    about: Phrase
    terms: tuple[Quantity, ...]
    amount: Amount


@immutable
class Share:
    """`about` is the part `amount` of the whole, or of `of`."""

    about: Phrase
    amount: Amount
    of: Phrase = Phrase()


@immutable
class Count:
    """So many of a group meet a limit: a `number` of them or a `part` of all, under a bound ("at least three", "most");
    or just those of `names` ("only A and B"), or all but those `excepted`. In place of a limit one column may be compared with another
    (`versus`: "two countries import more than they export")."""

    about: Phrase
    limit: Amount | None = None
    versus: Comparison | None = None
    number: int | None = None
    part: float | None = None
    bound: Bound = "="
    names: Phrase = Phrase()
    excepted: Phrase = Phrase()


@immutable
class Listing:
    """The values of `about`, in the figure's order ("as read") or sorted."""

    about: Phrase
    values: tuple[Quantity, ...]
    order: Literal["as read", "ascending", "descending"] = "as read"


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


Form: TypeAlias = (
    Value
    | Position
    | Comparison
    | Extreme
    | Trend
    | Aggregate
    | Worked
    | Share
    | Count
    | Listing
    | Measure
    | Marks
    | Between
    | KeySum
    | Stated
    | Layout
    | Open
)


@immutable
class Assertion:
    """One thing that a text asserts, and where.

    `span` is its place in the source. `context` are the phrases said before it that it may lean on, nearest first; the
    first `near` stand in the same sentence or lead up to it. `aside`: it stands in brackets or is given as a reason, so it does
    not say what kind of claim this is.
    `computed`: its number follows from numbers said before it.
    `content`: the words of the clause that carry meaning and are no cue.
    `doubt`: why the clause was not wholly understood, so that its form refutes nothing.
    `general`: it may speak of all things of a kind, and of none in particular.
    `denied`: it says that the form does not hold. `derived`: it is drawn as a conclusion, so that not finding it refutes nothing.
    """

    span: tuple[int, int]
    text: str
    form: Form
    context: tuple[Phrase, ...] = ()
    near: int = 0
    denied: bool = False
    derived: bool = False
    quantifier: _Quantifier = "one"
    aside: bool = False
    doubt: str = ""
    computed: bool = False
    content: tuple[Token, ...] = ()
    general: bool = False


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

    >>> form_text(Listing(about=Phrase(text="the data"), values=(Quantity(value=1.0), Quantity(value=4.0))))
    'listing(about: the data, values: 1, 4, order: as read)'
    """
    shown = []
    for name in form.__dataclass_fields__:
        value = _value_text(getattr(form, name))
        if value:
            shown.append(f"{name}: {value}")
    return f"{type(form).__name__.lower()}({', '.join(shown)})"


def _value_text(value: object) -> str:
    if value is None or value is False:
        return ""
    if isinstance(value, Phrase):
        return " ".join(value.text.split())[:80]
    if isinstance(value, Amount):
        return amount_text(value)
    if isinstance(value, Comparison):
        return form_text(value)
    if isinstance(value, Quantity):
        return number_text(value.absolute)
    if isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], tuple):
            return label_text(value)
        return ", ".join(filter(None, map(_value_text, value)))
    return str(value)

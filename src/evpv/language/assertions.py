"""All that a text asserts: `assertions(text)` reads every sentence, list item and table row once into logical forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, repeat

from evpv.language.clauses import Clause, clauses
from evpv.language.equations import Equation
from evpv.language.forms import Amount, Assertion, Between, Comparison, Form, Layout, Open, Phrase, Value
from evpv.language.geometric_measures import Found, follows, single_points
from evpv.language.geometric_relations import geometric_forms
from evpv.language.labels import Label, has_labels, is_general, labels
from evpv.language.layouts import layout_form, stated_form
from evpv.language.lexicon import SOLIDS
from evpv.language.plain_forms import clause_doubt, denies, is_computed, plain_forms
from evpv.language.quantities import quantities
from evpv.language.text import PlainText, Segment, plain_text
from evpv.language.tokens import Token, tokens

_MAX_LENGTH = 20_000
"""A step is a few sentences; of a longer text only so much is read, which bounds the time that any input can take."""
_CONTEXT = 6
"""How many phrases before an assertion it may lean on."""

_OPENERS = frozenset(
    "first next then now finally so thus secondly lastly here okay ok well also to therefore and step wait hmm alright right but".split()
)
_WE = frozenset("i we you one".split())
_DOINGS = frozenset(
    "will can could need should must want use apply try start begin add divide put order arrange find get compute calculate subtract multiply count sort write solve look know compare identify "  # noqa: E501
    "determine list examine consider check 'll copy only first just".split()
)
_SEEING = {
    **dict.fromkeys(("can", "could"), frozenset("see read observe notice tell find".split())),
    **dict.fromkeys(("find", "know", "get", "look"), frozenset(("that",))),
}
"""What makes of “we can …” and “we find …” no doing but a seeing."""
_COMMANDS = frozenset(
    "answer use apply recall remember add divide multiply subtract compute calculate solve simplify substitute consider think look try find identify determine locate check plug count put arrange sort order "  # noqa: E501
    "solving compare examine write set draw rewrite simplifying substituting plugging dividing multiplying let lets take evaluate convert round".split()  # noqa: E501
)
_GENERAL = ("recall that", "by definition", "is defined as", "whenever", "formula", "theorem", " law of", "is called", "in general", "occurs when", "property of", "properties of", "tells us how",  # noqa: E501
            "the question", "the problem", "asks", "sum of the angles", "angle sum", "is always", "are always", "add up to 180", "add up to 360", "add to 180", "add to 360", "adds up to 180", "adds up to 360", "sum to 180", "sum to 360", "rule of", "the definition", "of two numbers", "probability that", "probability of", "equally likely", "rate of change", '" means')  # fmt: skip  # noqa: E501
_GIVEN = frozenset("given told shown".split())
_HYPOTHETICAL = frozenset("if suppose assume assuming imagine".split())


@lru_cache(maxsize=32)
def assertions(text: str, labelled: bool | None = None) -> tuple[Assertion, ...]:
    """Everything that a text asserts, in order; `labelled` says whether capitals are points of a figure, None lets the text decide.

    >>> [a.text for a in assertions("Ann has 12 apples and Ben 9. Add them: 12 + 9 = 21.")]
    ['Ann has 12 apples', 'Ben 9.']
    """
    source = plain_text(text[:_MAX_LENGTH])
    if labelled is None:
        labelled = has_labels(source.text, labels(source.text))
    reader = _Reader(source, labelled)
    for index, segment in enumerate(source.segments):
        reader.read(index, segment)
    return tuple(reader.found)


class _Reader:
    """Reads segment after segment, keeping what later ones may lean on."""

    def __init__(self, source: PlainText, labelled: bool):
        self.source = source
        self.labelled = labelled
        self.found: list[Assertion] = []
        self.said: list[Phrase] = []
        self.labels: list[Label] = []
        self.leads: dict[int, Phrase] = {}
        self.results: set[float] = set()
        self.numbers: list[float] = []

    def read(self, index: int, segment: Segment) -> None:
        text = self.source.text[segment.start : segment.end]
        if segment.kind == "header":
            self.leads[index] = _whole_phrase(" ".join(self.source.text[a:b].strip() for a, b in segment.cells))
            return
        if segment.kind == "row":
            for row, column, number, span in row_values(self.source, segment):
                about = _whole_phrase(f"{row} {column}".strip())
                form = Value(about=about, amount=Amount(quantity=quantities(number)[0]))
                shown, context = f"{about.text}: {number}", tuple(self.said[:2])
                self.found.append(Assertion(span=span, text=shown, form=form, context=context))
            return
        whole = _whole_phrase(text)
        self.leads[index] = whole
        silent = len(text) if segment.kind == "heading" else silent_part(text)
        if 0 < silent < len(text):
            self.leads[index] = _whole_phrase(text[:silent])
            self.read(-1 - index, replace(segment, start=segment.start + silent, lead=index))
            return
        parts = clauses(text, labelled=self.labelled)
        if not silent:
            self._read_sentence(segment, text, parts)
        elif segment.kind != "heading" and _reads_on(text, parts):
            self._read_labels(segment, text, parts, silent=True)
        self._remember(whole, text, parts)

    def _remember(self, whole: Phrase, text: str, parts: Sequence[Clause]) -> None:
        """What later segments may lean on: the last phrases, labels, numbers and results."""
        if whole:
            self.said.insert(0, whole)
            del self.said[_CONTEXT:]
        self.labels += [label for part in parts for label in part.labels]
        self.numbers += [quantity.absolute for quantity in quantities(text) if not quantity.is_year]
        self.results |= {value for part in parts for equation in part.equations if (value := _outcome(equation))}

    def _read_labels(
        self, segment: Segment, text: str, parts: tuple[Clause, ...], *, silent: bool = False
    ) -> list[tuple[int, int]]:
        """The places of what a sentence asserts of a labelled figure, which is added; clauses that without a label tell a layout are left out.
        What a theorem gives, which only a sentence that is else silent names, is a conclusion."""
        theorem = _theorem_place(text) if silent else len(text)
        drawn = [clause for clause in parts if clause.labels or not isinstance(layout_form(clause), Layout)]
        geometric = geometric_forms(text, drawn, self.labels)
        for one in geometric:
            worked = one.computed or (one.start >= parts[-1].start and follows(one.form, text, self.numbers))
            derived = one.derived or one.start > theorem
            self._add(segment, replace(one, computed=worked, derived=derived), self._context(segment))
        return [(one.start, one.end) for one in geometric]

    def _read_sentence(self, segment: Segment, text: str, parts: tuple[Clause, ...]) -> None:
        taken: list[tuple[int, int]] = []
        if self.labelled:
            if is_general(text):
                return
            taken = self._read_labels(segment, text, parts)
        inner: list[Phrase] = []
        for clause in parts:
            is_read = any(max(clause.start, start) < min(clause.end, end) for start, end in taken)
            if is_read or (clause.labels and clause.equations):
                inner.insert(0, clause.phrase())
                continue
            for found in self._statements_in(clause, text):
                self._add(segment, found, (*inner, *self._context(segment)), clause, len(inner))
            if phrase := clause.phrase():
                inner.insert(0, phrase)

    def _statements_in(self, clause: Clause, text: str) -> Iterator[Found]:
        words = tokens(text)
        conclusive = bool(words) and words[0].lower in ("so", "therefore", "thus", "hence", "consequently")
        for form in self._clause_forms(clause):
            again = isinstance(form, Value) and form.amount.quantity.absolute in self.results
            yield Found(
                start=clause.start,
                end=clause.end,
                form=form,
                denied=not isinstance(form, Layout) and denies(clause),
                derived=clause.derived or conclusive or again,
                computed=is_computed(form, self.numbers, text),
            )

    def _clause_forms(self, clause: Clause) -> Iterator[Form]:
        """A clause's forms, or where nothing was read of the labels in it that they are there: “Point K is marked on the side EH”. Of a
        labelled shape no number is read but of what has no form of its own: areas and the like."""
        forms = [*_stated_forms(clause)]
        if not self.labelled:
            yield from forms
            return
        if not forms and not clause.equations and (named := (*clause.labels, *single_points(clause))):
            yield Between(relation="mentioned", keys=tuple(label.key for label in named))
        for form in forms:
            match form:
                case Value(kind="value") if clause.labels:
                    if not form.about.stems.isdisjoint(_OF_SHAPES):
                        yield Open(
                            about=form.about, reason="no such measure of a labelled shape is read", kind="numeric"
                        )
                case _ if not _is_idle(form):
                    yield form

    def _context(self, segment: Segment) -> tuple[Phrase, ...]:
        """What leads up to a segment first, then what was said before it."""
        lead = self.leads.get(segment.lead) if segment.lead is not None else None
        return (*([lead] if lead else ()), *(phrase for phrase in self.said if phrase is not lead))

    def _add(
        self, segment: Segment, one: Found, context: tuple[Phrase, ...], clause: Clause | None = None, inner: int = 0
    ) -> None:
        """What is found, in the source; a number is an aside where all of its clause stand in brackets after a name: “Rope A (120 cm)”."""
        start, end = segment.start + one.start, segment.start + one.end
        numbered = clause.amounts if clause is not None and isinstance(one.form, Value) else ()
        opened = [clause is not None and clause.word(amount.first - 1) == "(" for amount in numbered]
        self.found.append(
            Assertion(
                span=self.source.source_span(start, end),
                text=self.source.text[start:end].strip(" ,;:"),
                form=one.form,
                context=context[:_CONTEXT],
                near=inner + (segment.lead is not None),
                denied=one.denied,
                derived=one.derived,
                aside=one.aside or (bool(opened) and all(opened)),
                doubt=clause_doubt(clause) if clause is not None and not isinstance(one.form, Layout) else "",
                computed=one.computed,
            )
        )


def row_values(source: PlainText, row: Segment) -> Iterator[tuple[str, str, str, tuple[int, int]]]:
    """The cells of a Markdown table's row that hold one number: the row's and the column's name, the text, its place in the source."""
    first, *cells = [source.text[a:b].strip() for a, b in row.cells]
    head = source.segments[row.lead].cells if row.lead is not None else ()
    names = [source.text[a:b].strip() for a, b in head[1:]]
    for text, column, (start, end) in zip(cells, chain(names, repeat("")), row.cells[1:], strict=False):
        numbers = quantities(text)
        if len(numbers) == 1 and not any(c.isalpha() for c in text[: numbers[0].start]):
            yield first, column, text, source.source_span(start, end)


def silent_part(text: str) -> int:
    """How far into a sentence nothing is asserted: all of “Let's add them up.”, nothing of “Ann has 12.”, and of “Let me read the
    column: Ann 12, Ben 9” what stands before the colon."""
    if not _says_nothing(text):
        return 0
    colon = text.find(":")
    rest = text[colon + 1 :]
    listed = colon > 0 and any(c.isdigit() for c in rest) and "=" not in rest and not _says_nothing(rest.strip())
    return colon + 1 if listed else len(text)


def _whole_phrase(text: str) -> Phrase:
    return Phrase(tokens=tokens(text), text=text)


def _stated_forms(clause: Clause) -> Iterator[Form]:
    """Make-up of the figure, or what a clause's numbers and cues say."""
    layout = layout_form(clause)
    if layout is not None:
        yield layout
        return
    bidden = clause.words[0] == "to" and clause.word(1) in _COMMANDS
    if bidden or not _UNSURE.isdisjoint([token.text for token in clause.tokens]):
        return
    forms = plain_forms(clause)
    yield from forms
    if not forms and (stated := stated_form(clause)):
        yield stated
    if clause.has("reason") and forms:
        yield Open(about=clause.phrase(), reason="it gives a reason or an example that the figure does not show")


_UNSURE = frozenset("whether may might perhaps possibly".split())
_OF_SHAPES = frozenset("area perimeter volume circumference".split())
_READS_ON = frozenset(
    "use using apply applying plug plugging substitute substituting consider take know identify look list set setting".split()
)


def _is_idle(form: Form) -> bool:
    """Whether a form of a labelled figure says nothing checkable: an equality of nothing named, a number of nothing, a sum of what no label
    names, columns."""
    match form:
        case Layout():
            return form.kind == "table"
        case Comparison():
            return form.order == "equal"
        case Value():
            return form.kind == "total" or not any(token.is_content_word for token in form.about.tokens)
    return False


def _theorem_place(text: str) -> int:
    lower = text.lower()
    return min((at for phrase in _GENERAL if (at := lower.find(phrase)) >= 0), default=len(text))


def _reads_on(text: str, parts: Sequence[Clause]) -> bool:
    """Whether a sentence that says what to do, or by which theorem, also says what is seen: “Plugging in PS = 6”, “we know AB = 5”."""
    if "?" in text or not any(part.labels for part in parts):
        return False
    body = _body(_words_and_marks(tokens(text)))
    return not _READS_ON.isdisjoint([token.lower for token in body[:2]]) or _theorem_place(text) < len(text)


def _says_nothing(text: str) -> bool:
    """Whether a sentence says what to do, asks, defines or supposes, and so asserts nothing of the figure.

    >>> _says_nothing("Let's add up all the values."), _says_nothing("We can see that Ann has 12."), _says_nothing("First, find the mode.")
    (True, False, True)
    """
    lower = text.lower()
    if text.rstrip().endswith("?") or any(map(lower.__contains__, _GENERAL)):
        return True
    found = tokens(text)
    words = _words_and_marks(found)
    if _is_formula(found) or _is_general_equality(lower, words):
        return True
    body = _body(words)
    if not body:
        return not labels(text) and len(quantities(text)) < 2
    return not _names_by_capitals(body[0]) and _bids([token.lower for token in body])


def _words_and_marks(found: Sequence[Token]) -> list[Token]:
    return [token for token in found if token.is_word or token.text in ",:"]


def _is_formula(found: Sequence[Token]) -> bool:
    """“Percentage increase = (new - old) / old × 100%”: words worked out with words."""
    sign = next((i for i, token in enumerate(found) if token.text == "="), len(found))
    sides = zip(found[sign + 1 :], found[sign + 2 :], found[sign + 3 :], strict=False)
    return any(
        joint.text in "+-/×÷*·" and left.is_word and min(len(left.text), len(right.text)) > 2
        for left, joint, right in sides
    )


def _is_general_equality(lower: str, words: Sequence[Token]) -> bool:
    """“The area of a circle equals …”, without a number."""
    if "equals" not in lower or not any(phrase in lower for phrase in (" of a ", " of an ", "any ", "every triangle")):
        return False
    return not any(c.isdigit() for c in lower) and any(token.stem in SOLIDS for token in words)


def _bids(words: Sequence[str]) -> bool:
    """Whether a sentence opens by supposing, by announcing what is done, or by a command; “we can see that …” and “look, …” do not."""
    first, second, third = (*words, "", "")[:3]
    if first in _HYPOTHETICAL or first in ("let", "let's", "lets"):
        return True
    if first in ("i'll", "we'll", "i'm", "we're", "i'd", "we'd"):
        return second not in _GIVEN
    if first in _WE:
        return (second, third) == ("have", "to") or (second in _DOINGS and third not in _SEEING.get(second, ()))
    return first in _COMMANDS and not (first in ("look", "looking") and "," in words[:8])


def _names_by_capitals(token: Token) -> bool:
    """The IF of “IF ⟂ PN” supposes nothing."""
    return len(token.text) > 1 and token.text.isupper()


def _body(words: list[Token]) -> list[Token]:
    """The words after “First,”, “Step 2:”, “To find the mode, …”, “In order …”."""
    index = 0
    while index < min(len(words), 40):
        word = words[index].lower
        if _tells_purpose([token.lower for token in words[index : index + 2]]):
            stop = next((i for i, token in enumerate(words[index : index + 25], index) if token.text in ",:"), None)
            if stop is None:
                return words[index + 1 :]
            index = stop + 1
        elif word in (",", ":") or (word in _OPENERS and not _names_by_capitals(words[index])):
            index += 1
        else:
            break
    return words[index:]


def _tells_purpose(words: Sequence[str]) -> bool:
    return words == ["in", "order"] or (words[0] == "to" and not _COMMANDS.isdisjoint(words[1:]))


def _outcome(equation: Equation) -> float | None:
    """What a written calculation comes to."""
    total = equation.sides[-1].quantity
    worked = any(side.kind == "calculation" for side in equation.sides[:-1])
    return total.absolute if worked and total is not None else None

"""Whether a sentence rests on the image: where its numbers and relations come from, and rules from the clearest to the last resort.

A number comes from the question, an earlier reading or an earlier result; what comes from nowhere must have been seen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, pairwise

from evpv.language import looking
from evpv.language.calculations import calculation, in_names, stated_numbers, written_numbers
from evpv.language.immutable import immutable
from evpv.language.labels import Label, labels
from evpv.language.lexicon import STOP_WORDS
from evpv.language.quantities import quantities
from evpv.language.text import sentences
from evpv.language.tokens import content_stems, tokens
from evpv.premises.claims import RelationClaim, StructureClaim, parse

_ABOUT_THE_QUESTION = 0.5  # the share of a sentence's content that the question must have
_ONE_OFF = 2  # “Figure 20 comes after 19 steps”: counting steps between given numbers, also when miscounted by one more
_CONSTANTS = frozenset((0, 1, 2, 3, 4, 10, 12, 60, 90, 100, 180, 270, 360, 1000))  # what formulas bring with them
_ENOUGH_READ = 2  # readings, from which on “the highest is …” compares them and no longer looks
_RECENT = 24  # of the latest numbers are tried as operands of an unwritten calculation
_BESIDE = 8
_REMEMBERED = 200

_Key = tuple[str, tuple[str, ...]]
_Pair = tuple[str, frozenset[_Key]]
"""A relation and the things between which it holds."""


@dataclass(slots=True)
class Origins:
    """All that has been said so far, with how it came to be said. The one mutable value: it grows sentence by sentence."""

    asked: frozenset[str] = frozenset()
    asked_labels: frozenset[_Key] = frozenset()
    given: dict[float, None] = field(default_factory=dict)  # a set that keeps its order
    read: dict[float, deque[frozenset[str]]] = field(default_factory=dict)  # number → what sentences said it of
    results: set[float] = field(default_factory=set)
    relations: set[_Pair] = field(default_factory=set)
    recent: list[float] = field(default_factory=list)
    heading: frozenset[str] = frozenset()  # the names of the heading above (“Option B:”), to which all below belongs
    calculating: bool = False  # the sentence before was arithmetic, so “Area = 16” is what came out

    @property
    def has_read_enough(self) -> bool:
        return len(self.recent) >= _ENOUGH_READ

    def knows(self, number: float) -> bool:
        """Whether the question or an earlier sentence has this number."""
        return abs(number) in self.given or abs(number) in self.read or abs(number) in self.results

    def explains(self, operand: float, beside: Iterable[float] = ()) -> bool:
        """Whether a calculation may start from this number without looking: known, a constant, or one operation away.

        `beside` are other numbers of the same sentence: “after 6 doublings there are 4 × 64”.
        """
        operand = abs(operand)
        if operand in _CONSTANTS or self.knows(operand) or operand <= len(self.recent):
            return True
        return self.derives(operand, beside)

    def explains_price(self, price: float) -> bool:
        """The same for a price, which is neither a constant nor a count, and follows only from others."""
        return self.knows(price) or (bool(self.recent) and self.derives(price))

    def derives(self, number: float, also: Iterable[float] = ()) -> bool:
        """Whether one operation on known numbers gives this one: half, double, square, sum, product, the rest to 180 …"""
        pool = [*islice(self.given, _RECENT), *self.recent[-_RECENT:], *islice(also, _BESIDE)]
        wanted = abs(number)
        if self.totals(wanted) or any(_near(wanted, made) for known in pool for made in _from_one(known)):
            return True
        return any(_near(wanted, made) for a, b in combinations(pool, 2) for made in _from_two(a, b))

    def totals(self, number: float) -> bool:
        """Whether a number is the sum of all that was read."""
        return len(self.recent) > 1 and _near(abs(number), sum(self.recent))

    def pairs(self, number: float, result: float) -> bool:
        """Whether one operation on a number and one that was read gives the result: “2 mats cost $30”."""
        return any(_near(abs(result), made) for read in self.recent[-_RECENT:] for made in _from_two(number, read))

    def said_of(self, number: float, subject: frozenset[str]) -> bool:
        """Whether an earlier sentence, or the question, states the number of the same thing."""
        return any(subject <= earlier for earlier in self.read.get(abs(number), ()))

    def add(self, text: str, *, seen: bool) -> None:
        """Take up a sentence: its numbers as readings if it was `seen`, else as results."""
        arithmetic, subject = calculation(text), content_stems(text) | self.heading
        results = set(arithmetic.results) if arithmetic else set()
        said = [abs(number) for number in stated_numbers(text)]
        for number in dict.fromkeys((*written_numbers(text), *said)):
            self.read.setdefault(number, deque(maxlen=_RECENT)).append(subject)
            if number in results or (not seen and number not in self.given):
                self.results.add(number)
        self.recent += [number for number in dict.fromkeys((*said, *results)) if number not in self.recent]
        del self.recent[:-_REMEMBERED]
        self.relations |= set(_relation_pairs(text))
        self.calculating = bool(arithmetic)
        if text.endswith(":"):
            self.heading = content_stems(text)


def origins(question: str) -> Origins:
    """What the question gives, and what it asks for. Its numbers are said of all that it names: it is one statement."""
    parts = sentences(question)
    named = frozenset(word for part in parts for word in content_stems(part))
    last = parts[-1] if parts else ""
    start = Origins(asked=content_stems(last), asked_labels=_keys(*labels(last)))
    for part in parts:
        numbers = dict.fromkeys((*written_numbers(part), *(round(abs(q.absolute), 6) for q in quantities(part))))
        start.given |= dict.fromkeys(numbers)
        start.relations |= set(_relation_pairs(part))
        for number in numbers:
            start.read.setdefault(number, deque(maxlen=_RECENT)).append(named)
    return start


def _relation_pairs(text: str) -> Iterable[_Pair]:
    """The relations between labelled things that a sentence states, in a form that AB ∥ CD and DC ∥ AB share."""
    named = labels(text)
    if len(named) < 2:
        return
    claim = parse(text) if looking.relates(text) else None
    if isinstance(claim, RelationClaim) or "=" in text:
        kind = claim.type if isinstance(claim, RelationClaim) else "equal"
        yield from ((kind, _keys(*pair)) for pair in pairwise(named))


def _keys(*named: Label) -> frozenset[_Key]:
    return frozenset(label.key for label in named)


def _near(value: float, made: float) -> bool:
    return abs(value - made) <= 0.006 * max(1.0, abs(made)) * (value % 1 != 0) + 1e-6


def _from_one(known: float) -> tuple[float, ...]:
    root = abs(known) ** 0.5
    return (known / 2, known * 2, known * known if abs(known) < 1e6 else known, root, known + 1, known - 1, known + 2, known - 2, 180 - known,
            360 - known, 90 - known, known / 100, known * 100, 2.0**known if abs(known) < 20 else known)  # fmt: skip


def _from_two(a: float, b: float) -> tuple[float, ...]:
    return (a + b, abs(a - b), a * b if max(abs(a), abs(b)) < 1e9 else a, a / b if b else a, b / a if a else b)


@immutable
class Sight:
    """Whether a sentence rests on the image.

    `looks` marks one that speaks of the image itself; `looks_up` one that only says where to look.
    """

    seen: bool
    reason: str
    looks: bool = False
    looks_up: bool = False


_Rule = Callable[[str, Origins], Sight | None]


def sight(text: str, known: Origins) -> Sight:
    """What kind of sentence a plain sentence is, given all that was said before it."""
    found = (rule(text, known) for rule in _RULES)
    return next((one for one in found if one is not None), _thought("it states nothing that was seen"))


def _seen_because(reason: str) -> Sight:
    return Sight(seen=True, reason=reason)


def _thought(reason: str) -> Sight:
    return Sight(seen=False, reason=reason)


def _announcement_sight(text: str, known: Origins) -> Sight | None:
    return (_ground(text, known) or _thought("it gives the answer")) if looking.ANNOUNCES.search(text) else None


def _ground(text: str, known: Origins) -> Sight | None:
    """What is seen in the ground of a conclusion: “There are 12 sides, so …”, “Since AB ∥ CD, …”."""
    reason = looking.REASON.match(text)
    ground = reason[1] if reason else looking.CONCLUSION.split(text, maxsplit=1)[0]
    derived = looking.DERIVES.search(ground) or looking.GENERAL.search(ground)
    if len(ground) == len(text) or derived or calculation(ground):
        return None
    rules = (_new_number, _relation_sight) if reason else (_arrangement_sight, _new_number)
    found = filter(None, (rule(ground, known) for rule in (_image_talk_sight, *rules)))
    return next((one for one in found if one.seen), None)


def _instruction_sight(text: str, known: Origins) -> Sight | None:
    """What is to be done, and what holds of any figure; an instruction to look rests on the image."""
    looks_up = looking.LOOKUP.match(text)
    if looks_up and (looking.IMAGE_PART.search(text) or looking.READ.search(text)):
        return Sight(seen=True, reason="it says where to look", looks_up=True)
    if calculation(text):
        return None
    if looks_up or looking.PURPOSE.match(text):
        return _thought("it says what to do")
    return _thought("it holds of any figure") if looking.GENERAL.search(text) else None


def _image_talk_sight(text: str, known: Origins) -> Sight | None:
    """Talk of the image, unless it only concludes from what is known."""
    found = looking.LOOKS.search(text)
    if found is None:
        return None
    numbers = stated_numbers(text)
    concludes = looking.CONCLUDES.match(text) and not looking.WHOLE_IMAGE.search(text)
    if concludes and all(known.knows(number) for number in numbers):
        return _thought("it concludes from what was said")
    if calculation(text):
        return None
    return Sight(seen=True, reason=f"it speaks of the image: “{found[0].strip()}”", looks=True)


def _working_sight(text: str, known: Origins) -> Sight | None:
    """Equations in unknowns, formulas and arithmetic: they look only if they start from a number that comes from nowhere."""
    if "=" in text and looking.EQUATION.match(text):
        new = tuple(number for number in written_numbers(text) if not known.explains(number))
        reason = f"its equation has {new[0]:g}, which nothing before it gives" if new else "it works out"
        return Sight(seen=bool(new), reason=reason)
    if not calculation(text).operands:
        return _thought("it gives a formula") if looking.FORMULA.search(text) else None
    new = unexplained_operands(text, known)
    if new:
        return _seen_because(f"it calculates with {new[0]:g}, which nothing before it gives")
    return _thought("it calculates with known numbers")


def unexplained_operands(text: str, known: Origins) -> tuple[float, ...]:
    """The numbers that a calculation starts from and that come from nowhere. A price is neither a constant nor a count."""
    found = calculation(text)
    beside = set(written_numbers(text)) - set(found.operands) - set(found.results)
    priced = {number for match in looking.PRICE.finditer(text) for number in written_numbers(match[0])}
    operands = dict.fromkeys(found.operands)
    return tuple(n for n in operands if not (known.explains_price(n) if n in priced else known.explains(n, beside)))


def _arrangement_sight(text: str, known: Origins) -> Sight | None:
    arranged = looking.ARRANGED.match(text) and not looking.DERIVES.search(text) and not labels(text)
    return _seen_because("it says where things lie") if arranged else None


def _derivation_sight(text: str, known: Origins) -> Sight | None:
    """A derivation, unless its ground was seen."""
    derives = looking.DERIVES.search(text) or looking.CONCLUDES.match(text)
    return (_ground(text, known) or _thought("it derives")) if derives else None


def _list_sight(text: str, known: Origins) -> Sight | None:
    """Numbers without a word: a list read off the image, if one of them is new."""
    if any(map(str.isalpha, text)):
        return None
    said = written_numbers(text)
    new = [number for number in said if not known.knows(number)]
    if not new or len(said) < 2:
        return _thought("it repeats")
    return _seen_because(f"it lists {new[0]:g}, which nothing before it gives")


def _new_number(text: str, known: Origins) -> Sight | None:
    """A number that was not said before, of a percentage not as a part of one either; unless it was worked out of what is known."""
    scale = 100 if "%" in text else 1
    new = [n for n in stated_numbers(text) if not known.knows(n) and not known.knows(round(n / scale, 6))]
    if not new:
        return None
    return _working_of(new, text, known) or _seen_because(f"it states {new[0]:g}, which nothing before it gives")


def _working_of(new: Sequence[float], text: str, known: Origins) -> Sight | None:
    """What tells that new numbers were worked out of what is known."""
    if looking.POINTS_BACK.match(text) or (known.calculating and "=" in text):
        return _thought("it says what came out")
    if _answers(text, known):
        return _thought("it says what is asked for")
    if known.has_read_enough and looking.has_cue(text, "times", "twice", "ratio"):
        return _thought("it compares what was read")
    follow = all(_follows(number, text, known) for number in new)
    return _thought("its numbers follow from known ones") if follow else None


def _known_number(text: str, known: Origins) -> Sight | None:
    """A number seen before, now said of other names: a second reading of the same value. Without a name there is nothing else it could be
    said of."""
    numbers = stated_numbers(text)
    if not numbers:
        return None
    if looking.compares(text) or looking.POINTS_BACK.match(text) or _answers(text, known):
        return _thought("it works with known numbers")
    if not labels(text) and not known.results.isdisjoint(map(abs, numbers)):
        return _thought("it repeats a result")
    if _is_repeated(numbers, text, known):
        return _thought("it repeats what was said")
    return _seen_because(f"it says {numbers[0]:g} of something else than before")


def _is_repeated(numbers: Sequence[float], text: str, known: Origins) -> bool:
    """Whether numbers were said before of all names of a sentence and of the heading above it, or follow from such."""
    proper = {token.stem for match in looking.NAME.findall(looking.OPENING.sub("", text)) for token in tokens(match)}
    names = frozenset(proper | {f"{number:g}" for number in in_names(text)}) - STOP_WORDS | known.heading
    names -= _LABELLING if ":" in text else frozenset()
    if not names or text.endswith(":"):
        return True
    return all(known.said_of(number, names) or _follows(number, text, known) for number in numbers)


_LABELLING = frozenset("quantity amount number price cost weight total".split())
"""What a line of a list opens with, which names nothing: “Quantity: 4 pounds”."""


def _relation_sight(text: str, known: Origins) -> Sight | None:
    """A relation that nobody has stated: between labelled things, or “The black face is adjacent to the white face.”"""
    if not looking.relates(text) and "=" not in text:
        return None
    pairs = set(_relation_pairs(text))
    if pairs:
        repeats = pairs <= known.relations
        return _thought("it repeats what was said") if repeats else _seen_because("it relates labelled things")
    claim = parse(text) if text.startswith("The ") and not labels(text) else None
    related = isinstance(claim, RelationClaim) and claim.form == "stated" and len(claim.entities) > 1
    return _seen_because("it relates things of the figure") if related else None


def _claim_sight(text: str, known: Origins) -> Sight | None:
    """How the figure is made up, and a comparison without numbers: of what was read, or at sight."""
    claim = parse(text)
    if isinstance(claim, StructureClaim) and claim.parts and not labels(text):
        return _seen_because("it says how the figure is made up")
    if not isinstance(claim, RelationClaim) or claim.form not in ("comparison", "extreme", "trend"):
        return None
    if looking.POINTS_BACK.match(text) or known.has_read_enough:
        return _thought("it compares what was read")
    return _seen_because("it compares at sight")


_RULES: tuple[_Rule, ...] = (
    _announcement_sight, _instruction_sight, _image_talk_sight, _working_sight, _arrangement_sight, _derivation_sight,
    _list_sight, _new_number, _known_number, _relation_sight, _claim_sight,
)  # fmt: skip


def _answers(text: str, known: Origins) -> bool:
    """Whether a sentence speaks only of the labelled thing that is asked for, when something has been read before."""
    named = frozenset(label.key for label in labels(text))
    return bool(named) and named <= known.asked_labels and bool(known.recent)


def content_words(text: str) -> frozenset[str]:
    return frozenset(word for word in content_stems(text) if not word[0].isdigit())


def _follows(number: float, text: str, known: Origins) -> bool:
    """Whether an unwritten calculation gives a number: with a given number that the sentence repeats, or as the total."""
    repeated = [n for n in written_numbers(text) if n in known.given and n != number and not 1500 <= n <= 2100]
    if any(abs(n - abs(number)) <= _ONE_OFF for n in repeated):
        return True
    content = content_words(text)
    asked = len(content & known.asked) >= max(1, _ABOUT_THE_QUESTION * len(content))
    return asked and (known.totals(number) or any(known.pairs(n, number) for n in repeated))

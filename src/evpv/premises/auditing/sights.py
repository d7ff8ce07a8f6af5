"""Whether one sentence rests on the image, and why: rules from the clearest to the last resort, the first that speaks decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evpv.language import looking
from evpv.language.calculations import calculation, in_names, stated_numbers, written_numbers
from evpv.language.immutable import immutable
from evpv.language.labels import labels
from evpv.language.lexicon import STOP_WORDS
from evpv.language.tokens import content_stems, tokens
from evpv.premises.auditing.origins import Origins, relation_pairs
from evpv.premises.claims import RelationClaim, StructureClaim, parse

_ENOUGH_READ = 2  # readings, from which on “the highest is …” compares them and no longer looks
_ABOUT_THE_QUESTION = 0.5  # the share of a sentence's content that the question must have
_ONE_OFF = 2  # “Figure 20 comes after 19 steps”: counting steps between given numbers, also when miscounted by one more


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
    if not looking.ANNOUNCES.search(text):
        return None
    return _ground(text, known) or _thought("it gives the answer")


def _ground(text: str, known: Origins) -> Sight | None:
    """What is seen in the ground of a conclusion: “There are 12 sides, so …”, “Since AB ∥ CD, …”."""
    reason = looking.REASON.match(text)
    ground = reason[1] if reason else looking.CONCLUSION.split(text, maxsplit=1)[0]
    derived = looking.DERIVES.search(ground) or looking.GENERAL.search(ground) or calculation(ground)
    if len(ground) == len(text) or derived:
        return None
    second, third = (_new_number, _relation_sight) if reason else (_arrangement_sight, _new_number)
    found = (rule(ground, known) for rule in (_image_talk_sight, second, third))
    return next((one for one in found if one is not None and one.seen), None)


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
        return (
            _seen_because(f"its equation has {new[0]:g}, which nothing before it gives")
            if new
            else _thought("it works out")
        )
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
    return tuple(
        n
        for n in dict.fromkeys(found.operands)
        if not (known.explains_price(n) if n in priced else known.explains(n, beside))
    )


def _arrangement_sight(text: str, known: Origins) -> Sight | None:
    if looking.ARRANGED.match(text) and not looking.DERIVES.search(text) and not labels(text):
        return _seen_because("it says where things lie")
    return None


def _derivation_sight(text: str, known: Origins) -> Sight | None:
    """A derivation, unless its ground was seen."""
    if not looking.DERIVES.search(text) and not looking.CONCLUDES.match(text):
        return None
    return _ground(text, known) or _thought("it derives")


def _list_sight(text: str, known: Origins) -> Sight | None:
    """Numbers without a word: a list read off the image, if one of them is new."""
    if any(character.isalpha() for character in text):
        return None
    new = [number for number in written_numbers(text) if not known.knows(number)]
    if not new or len(written_numbers(text)) < 2:
        return _thought("it repeats")
    return _seen_because(f"it lists {new[0]:g}, which nothing before it gives")


def _new_number(text: str, known: Origins) -> Sight | None:
    """A number that was not said before, of a percentage not as a part of one either; unless it came out of what is known."""
    new = [n for n in stated_numbers(text) if not (known.knows(n) or ("%" in text and known.knows(round(n / 100, 6))))]
    if not new:
        return None
    if looking.POINTS_BACK.match(text) or (known.calculating and "=" in text):
        return _thought("it says what came out")
    if _answers(text, known):
        return _thought("it says what is asked for")
    if looking.has_cue(text, "times", "twice", "ratio") and len(known.recent) >= _ENOUGH_READ:
        return _thought("it compares what was read")
    if all(_follows(number, text, known) for number in new):
        return _thought("its numbers follow from known ones")
    return _seen_because(f"it states {new[0]:g}, which nothing before it gives")


def _known_number(text: str, known: Origins) -> Sight | None:
    """A number seen before, now said of another thing: a second reading of the same value."""
    numbers = stated_numbers(text)
    if not numbers:
        return None
    if looking.compares(text) or looking.POINTS_BACK.match(text) or _answers(text, known):
        return _thought("it works with known numbers")
    if not labels(text) and any(abs(number) in known.results for number in numbers):
        return _thought("it repeats a result")
    if text.endswith(":") or _is_repeated(numbers, text, known):
        return _thought("it repeats what was said")
    return _seen_because(f"it says {numbers[0]:g} of something else than before")


def _is_repeated(numbers: Sequence[float], text: str, known: Origins) -> bool:
    """Whether every number was said of the same names before, or follows; without a name there is nothing else it could be said of."""
    proper = {token.stem for match in looking.NAME.findall(looking.OPENING.sub("", text)) for token in tokens(match)}
    names = frozenset(proper | {f"{number:g}" for number in in_names(text)}) - STOP_WORDS | known.heading
    return not names or all(known.said_of(number, names) or _follows(number, text, known) for number in numbers)


def _relation_sight(text: str, known: Origins) -> Sight | None:
    """A relation that nobody has stated: between labelled things, or “The black face is adjacent to the white face.”"""
    if not looking.relates(text) and "=" not in text:
        return None
    pairs = set(relation_pairs(text))
    if pairs:
        return (
            _thought("it repeats what was said")
            if pairs <= known.relations
            else _seen_because("it relates labelled things")
        )
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
    if looking.POINTS_BACK.match(text) or len(known.recent) >= _ENOUGH_READ:
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


def _follows(number: float, text: str, known: Origins) -> bool:
    """Whether an unwritten calculation gives a number: with a given number that the sentence repeats, or as the total."""
    repeated = [n for n in written_numbers(text) if n in known.given and n != number and not 1500 <= n <= 2100]
    if any(abs(n - abs(number)) <= _ONE_OFF for n in repeated):
        return True
    content = {word for word in content_stems(text) if not word[0].isdigit()}
    asked = bool(content) and len(content & known.asked) >= _ABOUT_THE_QUESTION * len(content)
    return asked and (known.totals(number) or any(known.pairs(n, number) for n in repeated))

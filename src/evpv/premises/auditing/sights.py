"""Whether one sentence rests on the image, and why: rules from the clearest to the last resort, the first that speaks decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evpv.language import looking
from evpv.language.calculations import calculation, in_names, stated_numbers, written_numbers
from evpv.language.labels import labels
from evpv.language.lexicon import STOP_WORDS
from evpv.language.tokens import content_stems, tokens
from evpv.premises.auditing.origins import Origins, relation_pairs
from evpv.premises.claims import RelationClaim, StructureClaim, parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Whether a sentence rests on the image.

    `looks` marks one that speaks of the image itself; `looks_up` one that only says where to look.
    """

    seen: bool
    reason: str
    looks: bool = False
    looks_up: bool = False


_Rule = Callable[[str, Origins], Sight | None]

_ENOUGH_READ = 2
"""From so many readings on, “the highest is …” compares them and no longer looks."""
_ABOUT_THE_QUESTION = 0.5
"""So much of a sentence's content must be in the question for it to be about what is asked."""
_ONE_OFF = 2
"""“Figure 20 comes after 19 steps”: counting steps between given numbers, also when miscounted by one more."""


def sight(text: str, known: Origins) -> Sight:
    """What kind of sentence a plain sentence is, given all that was said before it."""
    found = (rule(text, known) for rule in _RULES)
    return next((one for one in found if one is not None), _thought("it states nothing that was seen"))


def _sight_because(reason: str) -> Sight:
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
    if (
        len(ground) == len(text)
        or looking.DERIVES.search(ground)
        or looking.GENERAL.search(ground)
        or calculation(ground)
    ):
        return None
    rules: tuple[_Rule, ...] = (
        (_image_talk_sight, _new_number, _relation_sight)
        if reason
        else (_image_talk_sight, _arrangement_sight, _new_number)
    )
    return next((found for rule in rules if (found := rule(ground, known)) is not None and found.seen), None)


def _question(text: str, known: Origins) -> Sight | None:
    return _thought("it asks") if text.endswith("?") else None


def _looked_up(text: str, known: Origins) -> Sight | None:
    if not looking.LOOKUP.match(text) or not (looking.IMAGE_PART.search(text) or looking.READ.search(text)):
        return None
    return Sight(seen=True, reason="it says where to look", looks_up=True)


def _purposeful(text: str, known: Origins) -> Sight | None:
    if not (looking.PURPOSE.match(text) or looking.LOOKUP.match(text)) or calculation(text):
        return None
    return _thought("it says what to do")


def _general(text: str, known: Origins) -> Sight | None:
    if not looking.GENERAL.search(text) or calculation(text):
        return None
    return _thought("it holds of any figure")


def _image_talk_sight(text: str, known: Origins) -> Sight | None:
    """Talk of the image, unless it only concludes from what is known."""
    found = looking.LOOKS.search(text)
    if found is None:
        return None
    numbers = stated_numbers(text)
    concludes = looking.CONCLUDES.match(text) and not looking.WHOLE_IMAGE.search(text)
    if concludes and (not numbers or all(known.knows(number) for number in numbers)):
        return _thought("it concludes from what was said")
    if calculation(text):
        return None
    return Sight(seen=True, reason=f"it speaks of the image: “{found[0].strip()}”", looks=True)


def _arrangement_sight(text: str, known: Origins) -> Sight | None:
    if looking.ARRANGED.match(text) and not looking.DERIVES.search(text) and not labels(text):
        return _sight_because("it says where things lie")
    return None


def _equation(text: str, known: Origins) -> Sight | None:
    """An equation in unknowns: it looks only if one of its numbers comes from nowhere."""
    if "=" not in text or not looking.EQUATION.match(text):
        return None
    new = [number for number in written_numbers(text) if not known.explains(number)]
    if not new:
        return _thought("it works out")
    return _sight_because(f"its equation has {new[0]:g}, which nothing before it gives")


def _formula(text: str, known: Origins) -> Sight | None:
    return _thought("it gives a formula") if looking.FORMULA.search(text) and not calculation(text) else None


def _calculation_sight(text: str, known: Origins) -> Sight | None:
    """Arithmetic looks only if it starts from numbers that come from nowhere."""
    operands = calculation(text).operands
    if not operands:
        return None
    unexplained = unexplained_operands(text, known)
    if unexplained:
        return _sight_because(f"it calculates with {unexplained[0]:g}, which nothing before it gives")
    return _thought("it calculates with known numbers")


def unexplained_operands(text: str, known: Origins) -> tuple[float, ...]:
    """The numbers that a calculation starts from and that come from nowhere."""
    found = calculation(text)
    beside = set(written_numbers(text)) - set(found.operands) - set(found.results)
    priced = {number for match in looking.PRICE.finditer(text) for number in written_numbers(match[0])}
    return tuple(
        n
        for n in dict.fromkeys(found.operands)
        if not (known.explains_price(n) if n in priced else known.explains(n, beside))
    )


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
    return _sight_because(f"it lists {new[0]:g}, which nothing before it gives")


def _new_number(text: str, known: Origins) -> Sight | None:
    new = [number for number in stated_numbers(text) if not _is_known(number, text, known)]
    if not new:
        return None
    if _came_out(text, known):
        return _thought("it says what came out")
    if _answers(text, known):
        return _thought("it says what is asked for")
    if looking.has_cue(text, "times", "twice", "ratio") and len(known.recent) >= _ENOUGH_READ:
        return _thought("it compares what was read")
    if all(_follows(number, text, known) for number in new):
        return _thought("its numbers follow from known ones")
    return _sight_because(f"it states {new[0]:g}, which nothing before it gives")


def _came_out(text: str, known: Origins) -> bool:
    return looking.POINTS_BACK.match(text) is not None or (known.calculating and "=" in text)


def _is_known(number: float, text: str, known: Origins) -> bool:
    """Whether a number was said before; of a percentage also where it was said as a part of one."""
    return known.knows(number) or ("%" in text and known.knows(round(number / 100, 6)))


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
    return _sight_because(f"it says {numbers[0]:g} of something else than before")


def _is_repeated(numbers: Sequence[float], text: str, known: Origins) -> bool:
    """Whether every number was said of the same names before, or follows; without a name there is nothing else it could be said of."""
    names = _names(text) | known.heading
    return not names or all(known.said_of(number, names) or _follows(number, text, known) for number in numbers)


def _relation_sight(text: str, known: Origins) -> Sight | None:
    """A relation between labelled things that nobody has stated."""
    if not looking.relates(text) and "=" not in text:
        return None
    pairs = set(relation_pairs(text))
    if not pairs:
        return _sight_because("it relates things of the figure") if _relates_things(text) else None
    if pairs <= known.relations:
        return _thought("it repeats what was said")
    return _sight_because("it relates labelled things")


def _relates_things(text: str) -> bool:
    """Whether a sentence relates things that have no labels: “The black face is adjacent to the white face.”"""
    claim = parse(text) if text.startswith("The ") and not labels(text) else None
    return isinstance(claim, RelationClaim) and claim.form == "stated" and len(claim.entities) > 1


def _composition_sight(text: str, known: Origins) -> Sight | None:
    claim = parse(text)
    if isinstance(claim, StructureClaim) and claim.parts and not labels(text):
        return _sight_because("it says how the figure is made up")
    return None


def _comparison_sight(text: str, known: Origins) -> Sight | None:
    """A comparison without numbers: of what was read, or at sight."""
    claim = parse(text)
    if not isinstance(claim, RelationClaim) or claim.form not in ("comparison", "extreme", "trend"):
        return None
    if looking.POINTS_BACK.match(text) or len(known.recent) >= _ENOUGH_READ:
        return _thought("it compares what was read")
    return _sight_because("it compares at sight")


_RULES: tuple[_Rule, ...] = (
    _announcement_sight,
    _question,
    _looked_up,
    _purposeful,
    _general,
    _image_talk_sight,
    _equation,
    _formula,
    _calculation_sight,
    _arrangement_sight,
    _derivation_sight,
    _list_sight,
    _new_number,
    _known_number,
    _relation_sight,
    _composition_sight,
    _comparison_sight,
)


def _overlap(text: str, asked: frozenset[str]) -> float:
    content = {word for word in content_stems(text) if not word[0].isdigit()}
    return len(content & asked) / len(content) if content else 0.0


def _answers(text: str, known: Origins) -> bool:
    """Whether a sentence speaks only of the labelled thing that is asked for, when something has been read before."""
    named = frozenset(label.key for label in labels(text))
    return bool(named) and named <= known.asked_labels and bool(known.recent)


def _follows(number: float, text: str, known: Origins) -> bool:
    """Whether an unwritten calculation gives a number: with a given number that the sentence repeats, or as the total."""
    asked = _overlap(text, known.asked) >= _ABOUT_THE_QUESTION
    repeated = [n for n in written_numbers(text) if n in known.given and n != number and not 1500 <= n <= 2100]
    if any(abs(n - abs(number)) <= _ONE_OFF for n in repeated):
        return True
    return asked and (known.totals(number) or any(known.pairs(n, number) for n in repeated))


def _names(text: str) -> frozenset[str]:
    """The proper names, labels and numbered names of a sentence, as stems."""
    proper = {token.stem for match in looking.NAME.findall(looking.OPENING.sub("", text)) for token in tokens(match)}
    numbered = {f"{number:g}" for number in in_names(text)}
    return frozenset((proper | numbered) - STOP_WORDS)

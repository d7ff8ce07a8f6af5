"""Whether one sentence rests on the image, and why: rules from the clearest to the last resort, the first that speaks decides."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from evpv.premises import grammar
from evpv.premises.auditing import cues
from evpv.premises.auditing.numbers import calculation, stated, written
from evpv.premises.auditing.origins import Origins, relation_pairs
from evpv.premises.normalize import words
from evpv.premises.normalize.labels import labels
from evpv.premises.parsing import RelationClaim, StructureClaim, parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Whether a sentence rests on the image; `looks_up` marks one that only says where to look."""

    seen: bool
    reason: str
    looks_up: bool = False


_Rule = Callable[[str, Origins], Sight | None]

_ENOUGH_READ = 2
"""From so many readings on, “the highest is …” compares them and no longer looks."""
_ABOUT_THE_QUESTION = 0.5
_REASON = re.compile(r"^(?:since|as|because|given that)\s+([^,]{3,120}),", re.IGNORECASE)
_NAME = re.compile(r"(?<![\w'])(?:[A-Z][\w']*|\d[\w']*[A-Za-z]\w*)")


def sight(text: str, known: Origins) -> Sight:
    """What kind of sentence a plain sentence is, given all that was said before it."""
    for rule in _RULES:
        found = rule(text, known)
        if found is not None:
            return found
    return _thought("it states nothing that was seen")


def _seen(reason: str) -> Sight:
    return Sight(seen=True, reason=reason)


def _thought(reason: str) -> Sight:
    return Sight(seen=False, reason=reason)


def _announced(text: str, known: Origins) -> Sight | None:
    return _thought("it gives the answer") if cues.ANNOUNCES.search(text) else None


def _question(text: str, known: Origins) -> Sight | None:
    return _thought("it asks") if text.endswith("?") else None


def _looked_up(text: str, known: Origins) -> Sight | None:
    if not cues.LOOKUP.match(text) or not (cues.PICTURE_NOUN.search(text) or cues.READ_VERB.search(text)):
        return None
    return Sight(seen=True, reason="it says where to look", looks_up=True)


def _purposeful(text: str, known: Origins) -> Sight | None:
    if not cues.PURPOSE.match(text) or calculation(text):
        return None
    return _thought("it says what to do")


def _general(text: str, known: Origins) -> Sight | None:
    if not cues.GENERAL.search(text) or calculation(text):
        return None
    return _thought("it holds of any figure")


def _looked(text: str, known: Origins) -> Sight | None:
    """Talk of the image, unless it only concludes from what is known."""
    found = cues.LOOKS.search(text)
    if found is None:
        return None
    numbers = stated(text)
    if cues.CONCLUDES.match(text) and (not numbers or all(known.knows(number) for number in numbers)):
        return _thought("it concludes from what was said")
    if calculation(text):
        return None
    return _seen(f"it speaks of the image: “{found[0].strip()}”")


def _calculated(text: str, known: Origins) -> Sight | None:
    """Arithmetic looks only if it starts from numbers that come from nowhere."""
    operands = calculation(text).operands
    if not operands:
        return None
    unexplained = unexplained_operands(text, known)
    if unexplained:
        return _seen(f"it calculates with {unexplained[0]:g}, which nothing before it gives")
    return _thought("it calculates with known numbers")


def unexplained_operands(text: str, known: Origins) -> tuple[float, ...]:
    """The numbers that a calculation starts from and that come from nowhere."""
    found = calculation(text)
    own = {*found.results}
    return tuple(n for n in dict.fromkeys(found.operands) if n not in own and not known.explains(n))


def _reasoned(text: str, known: Origins) -> Sight | None:
    """A derivation, unless its reason (“Since AB ∥ CD, …”) is a relation that nobody has stated."""
    if not cues.DERIVES.search(text) and not cues.CONCLUDES.match(text):
        return None
    reason = _REASON.match(text)
    if reason is not None and (found := _related(reason[1], known)) is not None and found.seen:
        return found
    return _thought("it derives")


def _listed(text: str, known: Origins) -> Sight | None:
    """Numbers without a word: a list read off the image, if one of them is new."""
    if any(character.isalpha() for character in text):
        return None
    new = [number for number in written(text) if not known.knows(number)]
    several = len(written(text)) > 1
    return _seen(f"it lists {new[0]:g}, which nothing before it gives") if new and several else _thought("it repeats")


def _new_number(text: str, known: Origins) -> Sight | None:
    new = [number for number in stated(text) if not known.knows(number)]
    if not new:
        return None
    if cues.PRONOUN.match(text):
        return _thought("it says what came out")
    asked = _overlap(text, known.asked) >= _ABOUT_THE_QUESTION
    if all(_beside(number, known.given) or (asked and known.derives(number)) for number in new):
        return _thought("its numbers follow from known ones")
    return _seen(f"it states {new[0]:g}, which nothing before it gives")


def _known_number(text: str, known: Origins) -> Sight | None:
    """A number seen before, now said of another thing: a second reading of the same value."""
    numbers = stated(text)
    if not numbers:
        return None
    compares = any(cue.search(text) for cue in (words.HIGHEST, words.LOWEST, words.THAN, grammar.RATIO))
    if compares or cues.PRONOUN.match(text) or any(abs(number) in known.results for number in numbers):
        return _thought("it works with known numbers")
    names = _names(text)
    if not names or all(known.said_of(number, names) for number in numbers):
        return _thought("it repeats what was said")
    return _seen(f"it says {numbers[0]:g} of something else than before")


def _related(text: str, known: Origins) -> Sight | None:
    """A relation between labelled things that nobody has stated."""
    if not any(cue.search(text) for _, cue in words.RELATIONS) and "=" not in text:
        return None
    pairs = set(relation_pairs(text))
    if not pairs:
        return None
    return _thought("it repeats what was said") if pairs <= known.relations else _seen("it relates labelled things")


def _composed(text: str, known: Origins) -> Sight | None:
    claim = parse(text)
    if isinstance(claim, StructureClaim) and claim.parts and not labels(text):
        return _seen("it says how the figure is made up")
    return None


def _compared(text: str, known: Origins) -> Sight | None:
    """A comparison without numbers: of what was read, or at sight."""
    claim = parse(text)
    if not isinstance(claim, RelationClaim) or claim.form not in ("comparison", "extreme", "trend"):
        return None
    if cues.PRONOUN.match(text) or len(known.recent) >= _ENOUGH_READ:
        return _thought("it compares what was read")
    return _seen("it compares at sight")


_RULES: tuple[_Rule, ...] = (
    _announced, _question, _looked_up, _purposeful, _general, _looked, _calculated, _reasoned, _listed, _new_number, _known_number,
    _related, _composed, _compared,
)  # fmt: skip


def _overlap(text: str, asked: frozenset[str]) -> float:
    content = {word for word in words.content(text) if not word[0].isdigit()}
    return len(content & asked) / len(content) if content else 0.0


def _beside(number: float, given: set[float]) -> bool:
    return abs(number) - 1 in given or abs(number) + 1 in given


def _names(text: str) -> frozenset[str]:
    """The proper names and labels of a sentence, as stems."""
    return frozenset(
        stem for match in _NAME.finditer(text) for stem in words.stems(match[0]) if stem not in words.STOP_WORDS
    )

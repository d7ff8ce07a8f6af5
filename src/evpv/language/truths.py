"""Whether a text calls a statement true: by its first word, by judging the statement, by saying the same, or by a definition."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from evpv.language.answers import TRUTH_WORDS
from evpv.language.questions import ASKS_TRUTH, asking
from evpv.language.responses import SENTENCE_BREAK
from evpv.language.tokens import stem

_HEDGES = re.compile(
    r"\b(?:if|whether|would|unless|cannot (?:determine|conclude)|definitively|to determine|we need|question|asks)\b",
    re.IGNORECASE,
)
_FIRST_WORD = re.compile(
    r"[\W_]*(?:(?:so|therefore|thus|hence)\W+)?(true|false|yes|no)(?=[*_]*[.,:;!]|[*_]*\s*$|\s+[-–—(])", re.IGNORECASE
)
_SHORT_REPLY = re.compile(
    r"\W*(?:it|they|he|she|this|that|these|those|there)(?:\s(?:is|are|was|were|does|do|did|has|have|can|will))(?P<not>n['’]t|\snot)?\s?[.,;:!—–]",
    re.IGNORECASE,
)
_TRUTH_WORD = re.compile(r"\b(true|false)\b", re.IGNORECASE)
_JUDGEMENT = re.compile(
    r"\b(?:statement|claim|assertion|this|that|it)\b.{0,250}?(?:\b(?:is|as|to be|be)|['’]s)\s+(?:\w+ly\s+|indeed\s+)?(?P<not>not\s+)?[*\"'“]{0,4}"
    r"(?P<word>true|false|correct|incorrect|accurate|inaccurate|right|wrong)\b(?!\s+(?:angle|triangle|answer|or\b))"
    r"|\b(?:statement|claim|assertion)\s(?P<does>does(?:n't|\snot)\s)?(?P<holds>holds?|fails)\b",
    re.IGNORECASE,
)
_FALSE_WORDS = frozenset({"fails", "false", "incorrect", "inaccurate", "wrong"})
_NEGATION = re.compile(r"\b(?:not?|never|cannot|neither|nor|without)\b|n't\b", re.IGNORECASE)
_DEFINITION = re.compile(
    r"\b(?:an?|the)\s(?P<noun>\w+)\b[^.,:]{0,40}?\b(?:is|as|has|having|must)\b(?P<rest>.{10,})", re.IGNORECASE
)
_MEETS = re.compile(
    r"\b(?:meets|satisfies|fits|matches|fulfills)\b.{0,40}\b(?:definition|criteria|requirements?)\b", re.IGNORECASE
)
_ONLY_SPEAKS_OF = re.compile(
    r"\b(?:statement|claims?|says|must|should|needs?|to be|to form|could|may|might|assum\w+|defined)\b", re.IGNORECASE
)
_PRONOUN = re.compile(
    r"(?:.{0,100}\b(?:so|therefore|thus|hence),?\s)?(?:it|they)(?:\s(?:is|are|was|were|does|do)|['’](?:s|re))\b",
    re.IGNORECASE,
)
_REFERS = re.compile(r"\b(?:they|both|these|(?:the )?two|the lines|each other)\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“][^\"“”]{1,60}[\"”]")
_PLACE = re.compile(r"^(?:in|on|at)\s[^,]{1,40},\s", re.IGNORECASE)
_COPULA = re.compile(r"\b(?:is|are)\b")
_ASIDE = re.compile(r"\([^()]*\)|^(?:even\s)?(?:though|although|while)\b[^,]{1,200},", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_EMPTY_WORDS = frozenset(
    "what which who when where how many much is are was were do does did has have the of in on at to for and or by an it its this that be no not "
    "with from as there according shown figure statement find out unit answer question "
    "therefore thus hence so since based".split()
)
_SAME_MEANING = {"cross": "intersect", "overlap": "intersect", "meet": "intersect"}
_LAST = 3  # so many sentences at the end tell what a response comes to
_SAME_WORDS, _DEFINING_WORDS = 0.75, 0.6
"""The share of a statement's words that say it again, and of a sentence's words that are a definition's."""


def stated_truth(text: str) -> bool | None:
    """Whether a text calls it true: by its first word, by a judgement of the statement, or by the only such word in it.

    >>> stated_truth("Yes, it does."), stated_truth("So the statement is not correct."), stated_truth("It is a circle.")
    (True, False, None)
    """
    first = first_truth(text)
    if first is not None:
        return first
    judged = list(_JUDGEMENT.finditer(text[-600:]))
    if judged:
        word = judged[-1]["word"] or judged[-1]["holds"]
        return (word.lower() not in _FALSE_WORDS) != bool(judged[-1]["not"] or judged[-1]["does"])
    words = {match[1].lower() for match in _TRUTH_WORD.finditer(ASKS_TRUTH.sub("", text))}
    return TRUTH_WORDS[words.pop()] if len(words) == 1 and not _NEGATION.search(text) else None


def first_truth(text: str) -> bool | None:
    """Whether a text begins with true or yes, false or no, or replies in short: “It does not, …”."""
    first = _FIRST_WORD.match(text)
    if first is None:
        reply = _SHORT_REPLY.match(text)
        return None if reply is None else reply["not"] is None
    return TRUTH_WORDS[first[1].lower()]


def leaves_open(sentence: str, asked: str = "") -> bool:
    """Whether a sentence leaves open what it says; “would” does not where the question asks what would be."""
    hedges = {match.group().lower() for match in _HEDGES.finditer(sentence)}
    return bool(hedges - {"would"}) or (bool(hedges) and "would" not in asked.lower())


def implied_truth(question: str, sentences: Sequence[str]) -> bool | None:
    """Whether one of the last sentences says what the question's statement says, or denies it; None where they leave it open.

    >>> question = "The line AB is a diameter of a circle. True or False?"
    >>> said = ("A diameter is a line segment that passes through the center.", "AB does not pass through the center.")
    >>> implied_truth(question, said), implied_truth(question, said[:1])
    (False, None)
    """
    asked = ASKS_TRUTH.search(question)
    before = question[: asked.start()].strip() if asked else asking(question)
    statement = _PLACE.sub("", SENTENCE_BREAK.split(before)[-1])
    general = (*SENTENCE_BREAK.split(question), *sentences)
    defining = frozenset(word for sentence in general for words in _definitions(sentence, statement) for word in words)
    ends = [_ASIDE.sub("", sentence) for sentence in sentences[-_LAST:]]
    if any(map(leaves_open, ends)):
        return None
    for sentence in reversed(ends):
        if not _ONLY_SPEAKS_OF.search(sentence) and _is_about(sentence, statement, defining):
            return bool(_NEGATION.search(sentence)) == bool(_NEGATION.search(statement))
    return None


def _is_about(sentence: str, statement: str, defining: frozenset[str]) -> bool:
    """Whether a sentence says or denies a statement: in most of its words and all that stand behind its "is", by calling a definition met, or
    in the definition's words; not where its names are as long as the statement's own and yet others: AB, where it speaks of CD."""
    said_of_it = _PRONOUN.match(sentence)
    if said_of_it is not None and (words := stems(sentence[said_of_it.end() :])):
        return words <= stems(statement)
    names, own_names = _names(sentence), _names(statement)
    if _names_others(names, own_names):
        return False
    meant = _QUOTED.sub("", statement) if _REFERS.search(sentence) else statement
    wanted, said = stems(meant) - defining, stems(sentence)
    if (own_names <= names and _says_again(said, wanted, statement)) or _MEETS.search(sentence):
        return True
    said -= {name.lower() for name in names}
    return not _definitions(sentence, statement) and len(said & defining) >= max(2, _DEFINING_WORDS * len(said))


def _says_again(said: Set[str], wanted: Set[str], statement: str) -> bool:
    predicate = stems(_COPULA.split(statement, maxsplit=1)[-1]) & wanted if _COPULA.search(statement) else frozenset()
    return predicate <= said and len(wanted & said) >= max(2, _SAME_WORDS * len(wanted))


def _names_others(names: Set[str], own_names: Set[str]) -> bool:
    rivals = {name for name in names if any(len(name) == len(own) for own in own_names)}
    return bool(rivals) and not own_names <= rivals


def _definitions(sentence: str, statement: str) -> list[frozenset[str]]:
    """What a general sentence, which names no line or figure, says of the nouns of a statement: "a diameter passes through the center"."""
    if _names(sentence):
        return []
    nouns, found = stems(statement), ((stem(one["noun"].lower()), one) for one in _DEFINITION.finditer(sentence))
    said = [(noun, stems(one["rest"])) for noun, one in found if noun in nouns]
    return [words - {noun} for noun, words in said if len(words) > 1]


def _names(text: str) -> frozenset[str]:
    """The names of lines and figures: what is said of every diameter is not said of AB."""
    return frozenset(word for word in _WORD.findall(text) if len(word) > 1 and word.isupper())


def stems(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, by their stems."""
    words = (word for word in _WORD.findall(text.lower()) if len(word) > 1 and word not in _EMPTY_WORDS)
    return frozenset(_SAME_MEANING.get(one, one) for one in map(stem, words))

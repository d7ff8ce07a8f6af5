"""Words that carry meaning: stems, and the many ways to say a relation, a comparison or an extreme."""

from __future__ import annotations

import re
from functools import lru_cache

from evpv.premises.normalize.cues import Cue

STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "and",
        "or",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "as",
        "by",
        "with",
        "from",
        "that",
        "this",
        "these",
        "those",
        "it",
        "its",
        "has",
        "have",
        "had",
        "there",
        "their",
        "his",
        "her",
        "our",
        "we",
        "they",
        "he",
        "she",
        "you",
        "i",
        "which",
        "who",
        "whose",
        "what",
        "than",
        "then",
        "so",
        "also",
        "only",
        "about",
        "per",
        "each",
        "all",
        "both",
        "such",
        "while",
        "when",
        "where",
        "into",
        "between",
        "among",
        "during",
        "over",
        "after",
        "before",
        "respectively",
        "approximately",
        "roughly",
        "around",
        "nearly",
        "almost",
        "chart",
        "table",
        "graph",
        "figure",
        "diagram",
        "picture",
        "image",
        "bar",
        "bars",
        "column",
        "row",
        "line",
        "segment",
        "slice",
        "value",
        "values",
        "number",
        "numbers",
        "amount",
        "entry",
        "cell",
        "according",
        "shown",
        "shows",
        "show",
        "labeled",
        "labelled",
        "given",
        "gives",
        "listed",
        "indicates",
        "indicated",
        "reads",
        "read",
        "reported",
        "equal",
        "do",
        "does",
        "did",
        "not",
        "no",
        "yes",
        "can",
        "could",
        "would",
        "should",
        "will",
        "may",
        "might",
        "more",
        "most",
        "less",
        "least",
        "higher",
        "highest",
        "lower",
        "lowest",
        "greater",
    ]
)
_WORD = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[^\W\d_]+(?:'[^\W\d_]+)?", re.UNICODE)
_IRREGULAR = {
    "men": "man", "women": "woman", "people": "person", "children": "child", "feet": "foot", "teeth": "tooth", "mice": "mouse",
    "us": "us", "usa": "us", "america": "america", "sales": "sale", "series": "series", "species": "species", "news": "news",
    "vertices": "vertex", "axes": "axis", "bases": "base", "matrices": "matrix", "halves": "half", "leaves": "leaf", "dice": "die",
    "gas": "gas", "less": "less", "does": "do", "this": "this", "is": "is", "was": "was", "has": "has", "its": "its", "plus": "plus",
}  # fmt: skip


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without plural or possessive ending; numbers without separators.

    >>> [stem(w) for w in ("Ferries", "boxes", "Mario's", "1,090", "classes", "gas")]
    ['ferry', 'box', 'mario', '1090', 'class', 'gas']
    """
    word = word.lower().replace("’", "'")
    if word[0].isdigit():
        word = word.replace(",", "")
        return word.rstrip("0").rstrip(".") if "." in word else word
    word = word.removesuffix("'s").removesuffix("'")
    if word in _IRREGULAR or len(word) < 4:
        return _IRREGULAR.get(word, word)
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=1024)
def stems(text: str) -> tuple[str, ...]:
    """The stems of a text's words, in order, stop words kept."""
    return tuple(stem(word) for word in _WORD.findall(text))


@lru_cache(maxsize=1024)
def content(text: str) -> frozenset[str]:
    """The stems that carry meaning.

    >>> sorted(content("The number of Mario's pizzas on Friday was 1,090"))
    ['1090', 'friday', 'mario', 'pizza']
    """
    return frozenset(s for s in stems(text) if s not in STOP_WORDS)


# Relation words → the paper's relation types.
RELATIONS: tuple[tuple[str, Cue], ...] = (
    ("perpendicular", Cue(
        "⟂|perpendicular|orthogonal|at (?:a )?right angles?|meets? .{1,40} at 90|normal to"
        "|(?:forms?|makes?|meets?|meeting)\\b.{0,16}\\bright angles?")),
    ("parallel", Cue("∥|parallel")),
    ("subset", Cue("⊂|∈|inside|within the|contained in|contains|encloses|inscribed|circumscribed")),
    ("incident", Cue(
        "lies? on|lying on|is on (?:the )?(?:line|segment|side|circle|ray)?|collinear|pass(?:es)? through|tangent|intersects?|meets? at"
        "|cross(?:es)? at|touch(?:es)?")),
    ("adjacent", Cue("adjacent|next to|beside|neighbou?r(?:s|ing)?|shares? (?:a|an|the) (?:side|edge|vertex)")),
    ("equal", Cue(
        "≅|congruent|equals?|the same|identical|isosceles|equilateral|bisects?|bisector|midpoint|tied?|equally"
        "|as (?:many|much|long|tall|high|large|big|wide|often|old|heavy)(?: \\w+){0,2} as")),
)  # fmt: skip
RELATION_SYNONYMS = {
    "orthogonal": "perpendicular", "normal": "perpendicular", "congruent": "equal", "equals": "equal", "same": "equal",
    "larger": "greater", "more": "greater", "smaller": "less", "fewer": "less", "contains": "subset", "inside": "subset",
    "contained": "subset", "containment": "subset", "on": "incident", "lies-on": "incident", "incidence": "incident",
    "intersect": "incident", "collinear": "incident", "tangent": "incident", "next-to": "adjacent", "neighbor": "adjacent",
    "⟂": "perpendicular", "⊥": "perpendicular", "∥": "parallel", "||": "parallel", "≅": "equal", "=": "equal", ">": "greater", "<": "less",
    "longer": "greater", "taller": "greater", "higher": "greater", "shorter": "less", "lower": "less", "longer-than": "greater",
    "taller-than": "greater", "greater-than": "greater", "shorter-than": "less", "less-than": "less", "⊂": "subset",
}  # fmt: skip

_BEATS = (
    "exceed(?:s|ed)?|surpass(?:es|ed)?|outnumber(?:s|ed)?|outperform(?:s|ed)?|outsold|outsells|beats?|overtook|overtakes|ahead of"
    "|preferred (?:over|to)|to the right of"
)
GREATER = Cue(
    ">|more|greater|higher|larger|bigger|longer|taller|wider|heavier|older|warmer|hotter|faster|further|farther|deeper|costlier|pricier"
    "|stronger|better|busier|steeper|" + _BEATS
)
LESS = Cue(
    "<|less|fewer|lower|smaller|shorter|narrower|lighter|younger|cooler|colder|slower|cheaper|weaker|worse|below|behind|lags?|to the left of"
)
THAN = Cue("<|>|than|behind|to the left of|" + _BEATS)
HIGHEST = Cue(
    "highest|largest|greatest|biggest|most(?! of)|longest|tallest|maximum|max|top|tops|leading|leads|peak(?:s|ed)?|widest|heaviest|oldest"
    "|hottest|warmest|fastest|best|first place|(?:rank(?:s|ed)?|comes?|came|placed) first|number one|dominat\\w+|busiest|priciest|deepest"
    "|steepest"
)
LOWEST = Cue(
    "lowest|smallest|least|fewest|shortest|minimum|min|bottom|narrowest|lightest|youngest|coldest|coolest|slowest|worst|cheapest|last place"
    "|lags behind all"
)
ORDINAL = re.compile(
    r"\b(second|third|fourth|fifth|2nd|3rd|4th|5th)[- ](?:\w+[- ])?"
    r"(?=(?:high|larg|great|big|most|long|tall|low|small|least|few|short|cheap|popular|common))",
    re.IGNORECASE,
)
RANK_OF = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5}
UNEQUAL = Cue("≠|different|unequal|not equal|not the same|differs?")
RISES = Cue(
    "increas(?:e|es|ed|ing)|rise|rises|rose|risen|rising|grew|grow(?:s|n|ing)?|climb(?:s|ed|ing)?|gain(?:s|ed)?|went up|go up|goes up|upward"
    "|improv(?:e|es|ed|ing)|jump(?:s|ed)?|soar(?:s|ed)?|surg(?:e|es|ed)|expand(?:s|ed)?|doubled|tripled|ascending|rebounded|recovered"
    "|skyrocketed|spiked|accelerated"
)
FALLS = Cue(
    "decreas(?:e|es|ed|ing)|fall|falls|fell|fallen|falling|declin(?:e|es|ed|ing)|drop(?:s|ped|ping)?|shrank|shrunk|shrinks?|lost|went down"
    "|go down|goes down|downward|diminish(?:es|ed)?|sank|slump(?:s|ed)?|plunge[sd]?|reduced|halved|descending|dipped|collapsed|tumbled|slid"
    "|contracted|crashed|weakened|lessened"
)
STEADY = Cue(
    "constant|unchanged|stable|steady(?! (?:growth|increase|rise|decline|decrease|climb))|flat"
    "|remain(?:s|ed)? (?:at|the same)|stay(?:s|ed)? (?:at|the same)"
)
NEGATION = re.compile(r"\b(?:not|never)\b(?:\s\w+)?\s*$|n't\b(?:\s\w+)?\s*$", re.IGNORECASE)


def negated(text: str, position: int) -> bool:
    """Whether the word at `position` is negated by what stands right before it.

    >>> negated("AB is not parallel to CD", 10), negated("they never meet because AB is parallel to CD", 30)
    (True, False)
    """
    return NEGATION.search(text[max(0, position - 24) : position]) is not None


def canonical_relation(name: str) -> str:
    """The paper's name for a relation, by synonym group.

    >>> canonical_relation("Orthogonal"), canonical_relation("continuous_at")
    ('perpendicular', 'continuous_at')
    """
    name = name.strip().lower().replace(" ", "-")
    return RELATION_SYNONYMS.get(name, name)

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


# Relation words → the paper's relation types. Longer phrases first where one contains another.
RELATION_PHRASES: tuple[tuple[str, str], ...] = (
    ("perpendicular", r"⟂|\bperpendicular\b|\borthogonal\b|\bat (?:a )?right angles?\b|\bmeets? .{1,40} at 90\b|\bnormal to\b"
                      r"|\b(?:forms?|makes?|meets?|meeting)\b.{0,16}\bright angles?\b"),
    ("parallel", r"∥|\bparallel\b"),
    ("subset", r"⊂|∈|\binside\b|\bwithin the\b|\bcontained in\b|\bcontains\b|\bencloses\b|\binscribed\b|\bcircumscribed\b"),
    ("incident", r"\blies? on\b|\blying on\b|\bis on (?:the )?(?:line|segment|side|circle|ray)?\b|\bcollinear\b|\bpass(?:es)? through\b"
                 r"|\btangent\b|\bintersects?\b|\bmeets? at\b|\bcross(?:es)? at\b|\btouch(?:es)?\b"),
    ("adjacent", r"\badjacent\b|\bnext to\b|\bbeside\b|\bneighbou?r(?:s|ing)?\b|\bshares? (?:a|an|the) (?:side|edge|vertex)\b"),
    ("equal", r"≅|\bcongruent\b|\bequals?\b|\bthe same\b|\bidentical\b|\bisosceles\b|\bequilateral\b|\bbisects?\b|\bbisector\b"
              r"|\bmidpoint\b|\bas (?:many|much|long|tall|high|large|big|wide|often|old|heavy)(?: \w+){0,2} as\b|\btied?\b|\bequally\b"),
)  # fmt: skip
_RELATION_NEEDS = {
    "perpendicular": "at for mak mee nor ort per ⟂",
    "parallel": "par ∥",
    "subset": "cir con enc ins wit ∈ ⊂",
    "incident": "col cro int is lie lyi mee pas tan tou",
    "adjacent": "adj bes nei nex sha",
    "equal": "as bis con equ ide iso mid the tie ≅",
}
RELATIONS = tuple((name, Cue(_RELATION_NEEDS[name], pattern)) for name, pattern in RELATION_PHRASES)
RELATION_SYNONYMS = {
    "orthogonal": "perpendicular", "normal": "perpendicular", "congruent": "equal", "equals": "equal", "same": "equal",
    "larger": "greater", "more": "greater", "smaller": "less", "fewer": "less", "contains": "subset", "inside": "subset",
    "contained": "subset", "containment": "subset", "on": "incident", "lies-on": "incident", "incidence": "incident",
    "intersect": "incident", "collinear": "incident", "tangent": "incident", "next-to": "adjacent", "neighbor": "adjacent",
}  # fmt: skip

_MORE = ("more|greater|higher|larger|bigger|longer|taller|wider|heavier|older|warmer|hotter|faster|further|farther|deeper|exceeds?"
         "|exceeded|surpass(?:es|ed)?|outnumber(?:s|ed)?|costlier|pricier|stronger|better|busier|steeper|to the right of|ahead of|preferred (?:over|to)|outperform(?:s|ed)?|outsold|outsells|beats?|overtook|overtakes|over twice")  # fmt: skip
_LESS = "less|fewer|lower|smaller|shorter|narrower|lighter|younger|cooler|colder|slower|cheaper|weaker|worse|below|behind|lags?|to the left of"
GREATER = Cue(
    "> ahe bea bet big bus cos dee exc far fas fur gre hea hig hot lar lon mor old out ove pre pri ste str sur tal to war wid",
    rf"\b(?:{_MORE})\b|(?<!\S)>(?!=)",
)
LESS = Cue(
    "< beh bel che col coo few lag les lig low nar sho slo sma to wea wor you",
    rf"\b(?:{_LESS})\b|(?<!\S)<(?!=)",
)
THAN = Cue(
    "< > ahe bea beh exc out ove pre sur tha to",
    r"\bthan\b|\bto the (?:right|left) of\b|\bahead of\b|\bbehind\b|\bpreferred (?:over|to)\b|\boutperform(?:s|ed)?\b|\bouts(?:old|ells)\b|\bbeats?\b|\bovert(?:ook|akes)\b|\bexceed(?:s|ed)?\b|\bsurpass(?:es|ed)?\b|\boutnumber(?:s|ed)?\b|(?<!\S)[<>](?!\S)",
)
HIGHEST = Cue(
    "bes big bus cam com dee dom fas fir gre hea hig hot lar lea lon max mos num old pea pla pri ran ste tal top war wid",
    r"\b(?:highest|largest|greatest|biggest|most(?! of)|longest|tallest|maximum|max|top|leading|leads|peak(?:s|ed)?|widest|heaviest|oldest"
    r"|hottest|warmest|fastest|best|first place|(?:rank(?:s|ed)?|comes?|came|placed) first|number one|tops|dominat\w+|busiest|priciest|deepest|steepest)\b",
)
LOWEST = Cue(
    "bot che col coo few lag las lea lig low min nar sho slo sma wor you",
    r"\b(?:lowest|smallest|least|fewest|shortest|minimum|min|bottom|narrowest|lightest|youngest|coldest|coolest|slowest|worst"
    r"|cheapest|last place|lags behind all)\b",
)
ORDINAL = re.compile(r"\b(second|third|fourth|fifth|2nd|3rd|4th|5th)[- ](?:\w+[- ])?(?=(?:high|larg|great|big|most|long|tall|low|small|least|"
                     r"few|short|cheap|popular|common))", re.IGNORECASE)  # fmt: skip
RANK_OF = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5}
UNEQUAL = Cue(
    "dif not une ≠",
    r"≠|\bdifferent\b|\bunequal\b|\bnot equal\b|\bnot the same\b|\bdiffers?\b",
)
RISES = Cue(
    "acc asc cli dou exp gai go goe gre gro imp inc jum reb rec ris ros sky soa spi sur tri upw wen",
    r"\b(?:increas(?:e|es|ed|ing)|rise|rises|rose|risen|rising|gr[eo]w(?:s|n|ing)?|climb(?:s|ed|ing)?|gain(?:s|ed)?|went up|go(?:es)? up"
    r"|upward|improv(?:e|es|ed|ing)|jump(?:s|ed)?|soar(?:s|ed)?|surg(?:e|es|ed)|expand(?:s|ed)?|doubled|tripled|ascending|rebounded|recovered|skyrocketed|spiked|accelerated)\b",
)
FALLS = Cue(
    "col con cra dec des dim dip dow dro fal fel go goe hal les los plu red san shr sli slu tum wea wen",
    r"\b(?:decreas(?:e|es|ed|ing)|fall|falls|fell|fallen|falling|declin(?:e|es|ed|ing)|drop(?:s|ped|ping)?|shr[aiu]nk|shrinks|lost"
    r"|went down|go(?:es)? down|downward|diminish(?:es|ed)?|sank|slump(?:s|ed)?|plunge[sd]?|reduced|halved|descending|dipped|collapsed|tumbled|slid|contracted|crashed|weakened|lessened)\b",
)
STEADY = Cue(
    "con fla rem sta ste unc",
    r"\b(?:constant|unchanged|stable|steady|flat|remain(?:s|ed)? (?:at|the same)|stay(?:s|ed)? (?:at|the same))\b",
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

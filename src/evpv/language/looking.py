"""The words that tell a look at the image from a thought about it. Patterns are bounded: any text takes linear time."""

from __future__ import annotations

import re
from functools import lru_cache

from evpv.language.quantities import UNIT_OF
from evpv.language.tokens import cues, stem, tokens

_IMAGE_PARTS = (
    r"(?:figures?|diagrams?|pictures?|images?|drawing|illustration|tables?|charts?|graphs?|plots?|grid|axis|axes|"
    r"legend|schedule|map|rows?|columns?|cells?|bars?|sectors?|slices?|leaf|leaves|stem|curves?|number line|scale|"
    r"clock|pictograph|histogram|tally)"
)
_MARKED = r"(?:marked|labell?ed|shown|drawn|shaded|printed|depicted|pictured|colou?red|dashed|dotted)"

LOOKS = re.compile(
    rf"\b(?:from|in|on|at|per|see|off|using|of|by) (?:the|this|that|our) (?:\w+ ){{0,3}}?{_IMAGE_PARTS}\b"
    rf"|\b(?:the|this|these) (?:\w+ ){{0,3}}?{_IMAGE_PARTS}\b(?:'s)?(?: \S+){{0,4}}? "
    r"(?:shows?|gives?|lists?|says?|tells?|labels?|marks?|marked|indicates?|depicts?|displays?|reads?|reach(?:es)?|"
    r"has|is|are|lies|jumps?|meets?|consists?|starts?|ends?|passes|crosses|contains?|represents?|exhibits?|turns?|goes)\b"
    rf"|\b(?:according to|based on|looking at|reading|looking up|counting in) (?:\w+ ){{0,3}}?{_IMAGE_PARTS}\b"
    rf"|\b(?:is|are|be|as|was|of|with|one|ones) (?:\w+ ){{0,2}}?{_MARKED}\b"
    r"|\b(?:marked|labell?ed) (?:as|with|by|in|on)?\b|\b(?:tick|arrow|arc|angle)[- ]?marks?\b|\bsmall squares? at\b"
    r"|\b(?:arrows?|arcs?|ticks?|squares?|marks?|labels?)(?: \S+){0,4}? (?:marks?|shows?|tells?|indicates?)\b"
    r"|\b(?:we|i|you|can|clearly) (?:can )?(?:see|read|observe|notice)(?! (?:how|why))\b"
    r"|\bin (?:figure|image|picture|diagram) (?:\d|(?-i:[A-Z])\b)"
    r"|\b(?:is|are) (?:\w+ ){0,3}?(?:black|white|gr[ae]y|red|blue|green|yellow|orange|purple)\b"
    r"|\b(?:reading off|read off|looking up|visible|as shown|depicted|kink in)\b",
    re.IGNORECASE,
)
"""Talk of the image itself: what it shows, what is marked in it, what is read off it."""

WHOLE_IMAGE = re.compile(r"\b(?:from|in|on|to|at|see) the (?:figure|diagram|picture|image|drawing)\b", re.IGNORECASE)
"""The image as a whole: where it is named, even a conclusion looks at it."""

LOOKUP = re.compile(
    r"^(?:to [a-z ]{3,60}, )?"
    r"(?:(?:first|next|then|now|finally|also|so|let's|let us|let me|please|(?:we|i) (?:need to|will|must|should|have to)),? ){0,4}"
    r"(?:find|look|read|locate|check|count|see|observe|identify|examine|consult|use|analy[sz]e|inspect|search|compare)\b(?! that\b)",
    re.IGNORECASE,
)
"""An instruction to look something up; it rests on the image if it names a part of it or says to read."""
IMAGE_PART = re.compile(rf"\b{_IMAGE_PARTS}\b", re.IGNORECASE)
READ = re.compile(
    r"^(?:(?:first|next|then|now|also),? )?read\b|\band read\b|\bfind the (?:price|cost)s? (?:of|for) ", re.IGNORECASE
)

ANNOUNCES = re.compile(
    r"\b(?:the|correct|final|right|my)\b[^.]{0,20}\b(?:answer|option|choice|result)\b[^.]{0,40}?\b(?:is|are|be|was|boxed)\b"
    r"|\banswer\s*:|\bis (?:the )?(?:correct )?(?:option|answer)\b|\bboxed\b|\bthe closest is\b"
    r"|\bnone of the (?:options|choices|above)\b|^\(?[A-J]\)(?:\s*\S+){0,4}$|^(?:final )?answer\b",
    re.IGNORECASE,
)
"""The final answer being given."""

CONCLUDES = re.compile(
    r"^(?:so|therefore|hence|thus|consequently|this (?:gives|means|implies|yields|leaves|is)|"
    r"that (?:gives|means|is|leaves|makes)|we (?:get|obtain|conclude)|it follows|finally|in conclusion|overall|together|"
    r"altogether|in total|then|accordingly)\b",
    re.IGNORECASE,
)
"""A sentence that opens as a conclusion."""

DERIVES = re.compile(
    r"^(?:as|since)\b|\b(?:so|therefore|hence|thus|consequently|it follows|follows (?:that|from)|implies|which means|"
    r"it means|gives?|arrives?|sum to|add up|times|divided by|we get|we obtain|(?<!the )leaves|remains?|yields|"
    r"comes? out|since|because|must|theorem|by (?:the )?(?:definition|symmetry|similarity|congruence)|easy to see|"
    r"skipping|adding|subtracting|dividing|multiplying|taking|substituting|simplifying|plugging|solving|if|suppose|"
    r"assume|let)\b|\bwhen [a-zA-Z] ?=",
    re.IGNORECASE,
)
"""Words of derivation anywhere in a sentence."""

GENERAL = re.compile(
    r"\b(?:means that|is (?:called|defined)|are called|the (?:formula|definition|rule|theorem|property)|formula for|"
    r"always|in general|(?:mean|median|mode|range) is (?:the|found|calculated)|sum of (?:the|all) (?:\w+ )?angles|"
    r"no (?:\w+ )?(?:image|diagram|picture|figure|table)|not (?:provided|given|included))\b"
    r"|\b(?:area|volume|circumference|perimeter) of an? |^(?:in|for|of) (?:an?|any|every|all) "
    r"|^an? (?:\w+ ){1,3}(?:is|are|can|has|have|equals?|measures?|that|with|whose|which)\b"
    rf"(?! (?:{_MARKED}|placed|attached|joined|mounted)\b)"
    r"|^(?:opposite|adjacent|corresponding|alternate|vertical|inscribed|central|base|interior|exterior|co-interior)\b"
    r"|^(?:angles|sides|lines|triangles|points|people|numbers|functions|radii|tangents) (?!(?-i:\w{0,3}[A-Z]{2}))"
    r"|\bangles (?:on|of|in|opposite) (?:the same|equal|an?|any)\b"
    r"|^(?:between|along|because) |^there are \S+ (?:numbers|values|terms|items)\b(?! (?:less|greater|more|in the)\b)",
    re.IGNORECASE,
)
"""Definitions, formulas and facts that hold of any figure, and talk of a missing one."""
GENERALITY = re.compile(
    r"^(?:in|for) an? |^an? (?:[\w-]+ ){1,3}(?:is|are|shows?|can|has|have|tells?|occurs?|means)\b"
    r"|\b(?:usually|in general|need not|must always|can be found by|rounding|rounded)\b",
    re.IGNORECASE,
)
"""The same of tables and charts, where fewer openings are general."""
ANY_FIGURE = re.compile(r"^in an? (?:\w+ )?(?:chart|table|graph|plot)\b", re.IGNORECASE)

PURPOSE = re.compile(
    r"^(?:to |in order to|let |let's |the (?:question|problem|goal|task|aim) |"
    r"we (?:need|have to|want|look for|must|should|will|can use|use|are (?:asked|given|looking|tasked)|add|subtract)\b|"
    r"(?:now |then |next,? |first,? )?(?:add|subtract|multiply|divide|use|apply|recall|compute|calculate|take|consider|"
    r"simplify|solve|substitute|think|try|put|order|sort|compare)\b)",
    re.IGNORECASE,
)
"""What is to be done, not what is the case."""

POINTS_BACK = re.compile(
    r"^(?:this|that|it|each|they|these|both|together) "
    r"(?:is|are|was|were|has|have|equals?|measures?|makes?|comes?|must|should|will|leaves|gives|costs?|totals?)\b"
    r"|^(?:together|the (?:value|result|sum|total|difference|rest|product|quotient|mean|average) (?:is|are|of))\b",
    re.IGNORECASE,
)
"""A subject that points back: what is said of it was reached, not seen."""

ARRANGED = re.compile(
    r"^(?:the|these|all|those|its|(?-i:[A-Z])) (?:[\w-]+ ){0,4}?(?:lies?|goe?s?|stands?|sits?|runs?|surrounds?|faces?|"
    r"points?|overlaps?|(?:is|are) (?:arranged|placed|located|positioned|stacked|inside|outside|on|in|at|above|below|"
    r"next to|between)) (?:[\w-]+ ){0,4}?(?:along|around|side by side|left|right|top|bottom|corner|edge|cent(?:er|re)|"
    r"middle|row|line|circle|quadrant|point|up|down)\b"
    r"|^(?:the|these) (?:[\w-]+ ){1,3}are the (?:\w+ ){0,2}(?:angles|sides|faces|edges|corners|vertices) of (?:one|an?) "
    r"|\b(?:pointing|facing|tilted|turned) (?:to |towards )?(?:the )?(?:left|right|up|down|upwards?|downwards?)\b",
    re.IGNORECASE,
)
"""Where the things of the figure lie, and of what they are parts."""

FORMULA = re.compile(
    r"(?<![A-Za-z])(?:[a-z]|π|pi|\))\s?(?:\^\d\s?)?[×÷*·/]\s?[(a-z\dπ]|\bpi\b|[×÷*·]\s?(?:π|[a-z]\b)|[A-Za-z]\s?/\s?\d|binom"
)
"""An expression in letters: it says how, not what."""
EQUATION = re.compile(
    r"^[^A-Za-z]{0,40}(?:\d?[a-z]\b)?[^A-Za-z]{0,40}(?:(?:\d?[a-zA-Z]\d?\b|or|and)[^A-Za-z]{0,40}){1,12}$"
)
"""Nothing but numbers and one-letter unknowns."""


# What leads up to a claim in a sentence, and how one is worded.
_IMAGE = r"(?:figure|diagram|picture|image|drawing|table|chart|pie chart|bar chart|line chart|graph|plot|grid|schedule)"
_SEE = r"(?:can )?(?:see|read(?: off)?|have|know|observe|notice|find|get)(?: that)?:?"
LEADS = (
    re.compile(
        r"^(?:from|in|on|according to|based on|looking at|reading(?: off)?|counting in) (?:the|this) (?:[\w-]+ ){0,2}?"
        rf"{_IMAGE}(?! (?:of|at|for)\b)\b,?:?\s+",
        re.IGNORECASE,
    ),
    re.compile(rf"^(?:we|i|you|one) {_SEE}\s+", re.IGNORECASE),
    re.compile(
        r"^(?:note|notice|observe|recall|here|clearly|also|next|first|then|now|and|but)(?: that)?,?\s+", re.IGNORECASE
    ),
    re.compile(
        r"^the (?:[\w-]+ ){1,4}?(?:shows?|tells?|indicates?|marks?|gives?)(?: us)? (?:that\s+|(?=∠|△|[A-Z]{2,3} =))",
        re.IGNORECASE,
    ),
)
FOUND = re.compile(
    r"^(?:looking up|reading|looking at|checking|for|under)\s+(?P<place>.{2,120}?),? (?:we|i|you) (?:find|see|get|read|have)\s+(?P<value>.{1,80})$",
    re.IGNORECASE,
)
GIVES = re.compile(
    r"^reading (?:the|this) [\w-]+ (?P<place>(?:at|for) .{1,80}?) gives (?P<value>.{1,40})$", re.IGNORECASE
)
SHOWN_FOR = re.compile(
    r"^the [\w-]+(?: [\w-]+)? (?:shows?|gives?|lists?|has|reads?) (?:a value of )?"
    r"(?P<value>[$€£]?[-\d.,]+[%°]?(?: \w+)?) for (?P<place>.{1,80}?)\.?$",
    re.IGNORECASE,
)
JOINTS = re.compile(r"\s*(?:,\s*|;\s*|\s)(?:so|hence|thus|therefore|yet)(?: that)?\s+|;\s+")
AFTERTHOUGHT = re.compile(r", which\b.*$")
OPENS_LOW = re.compile(r"(?:a|[a-z]{2,}) [A-Za-z]")
_UNTIL = (
    r"(?= and (?:then )?(?:read|look|find|multiply|add|divide|subtract|compare|calculate|check|count|determine|see|sum|use)\b"
    r"| in the \w+|,|;|:|\.|$)"
)
FOCUS = re.compile(
    r"\b(?:rows?|columns?|bars?|lines?|slices?|sectors?|points?|prices?|costs?|entry|entries|times?|scores?) "
    rf"(?:for|of|labell?ed|named) (?:the |an? |one )?(?P<thing>.{{2,80}}?){_UNTIL}"
    r"|^(?:(?:first|next|then|now),? )?(?:find|locate|look up) the "
    rf"(?P<other>(?:number|amount|total) (?:of|for) .{{2,80}}?){_UNTIL}",
    re.IGNORECASE,
)
UNITS = frozenset(stem(unit) for unit in UNIT_OF if unit.isalpha()) | {"pound"}
MEASURE = re.compile(rf"^(?:{'|'.join(sorted(UNITS))})s? of\s+", re.IGNORECASE)
AMOUNT = re.compile(r"[$€£]?\s?\d[\d,]*(?:\.\d+)?\s?[%°]?")
CONCLUSION = re.compile(r",? (?:so|hence|thus|therefore|which (?:means|implies))\b")
REASON = re.compile(r"^(?:since|as|because|given that)\s+([^,]{3,120}),", re.IGNORECASE)
OPENING = re.compile(r"^(?:[A-Z][a-z]+,|There|Here|Only|Also|We|Note|Given|Then|Now|Next|First|Finally|Similarly)\s")
PRICE = re.compile(r"[$€£]\s?\d[\d,]*(?:\.\d+)?")
NAME = re.compile(r"(?<![\w'])(?:[A-Z][\w']*|\d[\w']*[A-Za-z]\w*)")

DERIVED = re.compile(
    r"\b(?:sum|difference|combined|altogether|half of|half the)\b|\btotal\b[^.]{0,60}\band\b"
    r"|\b\d+ (?:bars?|lines?|slices?|columns?|rows?|dots?)\b",
    re.IGNORECASE,
)
"""What is made of several readings, or counts what is drawn: none of its numbers is the value of what stands beside it."""
LISTED = re.compile(r",[^,.]{1,40},? (?:and|or)\b")
POINTING = re.compile(r"(?:these|those|this|that|each|both|all|every|them|it)\b", re.IGNORECASE)

_RELATIONS = tuple("perpendicular parallel inside on next same bisects midpoint isosceles equilateral".split())


def has_cue(text: str, *tags: str) -> bool:
    """Whether a text holds a cue of the lexicon with one of these tags.

    >>> has_cue("Ann has the highest score", "most"), has_cue("Ann has 12", "most", "least")
    (True, False)
    """
    return not _cue_tags(text).isdisjoint(tags)


@lru_cache(maxsize=2048)
def _cue_tags(text: str) -> frozenset[str]:
    return frozenset(cue.tag for cue in cues(tokens(text)))


def relates(text: str) -> bool:
    """Whether a sentence has a word for a relation between things."""
    return has_cue(text, *_RELATIONS)


def compares(text: str) -> bool:
    """Whether a sentence compares: an extreme, “than”, “twice”."""
    return has_cue(text, "most", "least", "than", "beats", "times", "twice")

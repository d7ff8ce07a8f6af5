"""The words that tell a look at the image from a thought about it. Patterns are bounded: any text takes linear time."""

from __future__ import annotations

import re

PICTURE = (
    r"(?:figures?|diagrams?|pictures?|images?|drawing|illustration|tables?|charts?|graphs?|plots?|grid|axis|axes|legend|schedule|map|"
    r"rows?|columns?|cells?|bars?|sectors?|slices?|leaf|leaves|stem|curves?|number line|scale|clock|pictograph|histogram|tally)"
)
"""Nouns for the image and its parts."""

LOOKS = re.compile(
    rf"\b(?:from|in|on|at|per|see|off|using|of|by) (?:the|this|that|each|our) (?:\w+ ){{0,3}}?{PICTURE}\b"
    rf"|\b(?:the|this|each|these|[A-Z]'?s?) (?:\w+ ){{0,3}}?{PICTURE}\b(?:'s)?(?: \S+){{0,4}}? "
    r"(?:shows?|gives?|lists?|says?|tells?|labels?|marks?|marked|indicates?|depicts?|displays?|reads?|reach(?:es)?|has|is|are|lies|jumps?|"
    r"meets?|consists?|starts?|ends?|passes|crosses|contains?|represents?|exhibits?|turns?|goes|ends)\b"
    rf"|\b(?:according to|based on|looking at|reading|looking up|counting in) (?:\w+ ){{0,3}}?{PICTURE}\b"
    r"|\b(?:is|are|be|as|was|of|with|one|ones) (?:\w+ ){0,2}?(?:marked|labell?ed|shown|drawn|shaded|printed|depicted|pictured|colou?red|dashed|dotted)\b"
    r"|\b(?:tick|arrow|arc|angle)[- ]?marks?\b|\b(?:small|little) squares? at\b|\bright-angle mark\b"
    r"|\b(?:arrows?|arcs?|ticks?|squares?|marks?|hatch\w*|labels?)(?: \S+){0,4}? (?:mark|marks|show|shows|tell|tells|indicate|indicates)\b"
    r"|\b(?:marked|labell?ed) (?:as|with|by|in|on)?\b|\b(?:we|i|you|can|clearly) (?:can )?(?:see|read|observe|notice)(?! (?:how|why))\b|\breading off\b|\bread off\b|\blooking up\b"
    r"|\bis (?:shown|drawn|visible|depicted|printed)\b|\bvisible\b|\bas shown\b|\bdepicted\b|\bkink in\b",
    re.IGNORECASE,
)
"""Talk of the image itself: what it shows, what is marked in it, what is read off it."""

LOOKUP = re.compile(
    r"^(?:(?:first|next|then|now|finally|second|third|also|to [a-z ]{3,60}|so|let's|let us|let me|i|we|i'll|we'll|will|can|need to|have to|must|should|please|carefully),? )*"
    r"(?:find|look(?:ing)?|read|locate|check|count|see|observe|identify|examine|consult|use|analy[sz]e|inspect|search|compare)\b",
    re.IGNORECASE,
)
"""An instruction to look something up; it rests on the image if it names it (`PICTURE_NOUN`)."""
PICTURE_NOUN = re.compile(rf"\b{PICTURE}\b", re.IGNORECASE)
READ_VERB = re.compile(r"^(?:(?:first|next|then|now|also),? )*read\b|\band read\b", re.IGNORECASE)

ANNOUNCES = re.compile(
    r"\b(?:answer|option|choice|result)s?\b.{0,40}?\b(?:is|are|be|was)\b|\banswer\s*:|\bthis is option\b|\bboxed\b|"
    r"\bthe closest is\b|\bnone of the (?:options|choices|above)\b|^\(?[A-J]\)(?:\s*\S+){0,4}$|^(?:final )?answer\b",
    re.IGNORECASE,
)
"""The final answer being given."""

CONCLUDES = re.compile(
    r"^(?:so|therefore|hence|thus|consequently|this (?:gives|means|implies|yields|leaves|is)|that (?:gives|means|is|leaves|makes)|we (?:get|obtain|conclude)|it follows|"
    r"finally|in conclusion|overall|together|altogether|in total|then|accordingly)\b",
    re.IGNORECASE,
)
"""A sentence that opens as a conclusion."""

DERIVES = re.compile(
    r"\b(?:so|therefore|hence|thus|consequently|follows|implies|which means|it means|gives us|we get|we obtain|leaves|remains?|yields|comes? out|"
    r"since|because|must|theorem|by (?:the )?(?:definition|symmetry|similarity|congruence)|easy to see|skipping|add up|adding|subtracting|dividing|multiplying|"
    r"taking|substituting|simplifying|plugging|solving|if|suppose|assume|let)\b",
    re.IGNORECASE,
)
"""Words of derivation anywhere in a sentence."""

GENERAL = re.compile(
    r"\b(?:means that|is (?:called|defined)|are called|the (?:formula|definition|rule|theorem|property)|formula for|always|in general|"
    r"(?:mean|median|mode|range) is (?:the|found|calculated)|sum of (?:the|all) (?:\w+ )?angles)\b"
    r"|^(?:in|for|of) (?:an?|any|every|all) |^an? (?:\w+ ){1,3}(?:is|are|has|have|that|with|whose|which)\b(?! (?:placed|attached|joined|mounted|shown|drawn|marked|labell?ed))"
    r"|^(?:opposite|adjacent|corresponding|alternate|vertical|inscribed|central|base|interior|exterior|supplementary|co-interior)\b"
    r"|^(?:angles|sides|lines|triangles|points|people|numbers|functions|radii|tangents) (?!\w{0,3}[A-Z]{2})"
    r"|^(?:between|along|because) ",
    re.IGNORECASE,
)
"""Definitions, formulas and facts that hold of any figure."""

PURPOSE = re.compile(
    r"^(?:to |in order to|we (?:need|have to|want|look for|must|should|will|can use|use|are (?:asked|given|looking|tasked)|add|subtract)\b|let |let's |the (?:question|problem|goal|task|aim) |"
    r"(?:now |then |next,? |first,? )?(?:add|subtract|multiply|divide|use|apply|recall|compute|calculate|take|consider|note how|simplify|solve|substitute|think|try|put|order|sort|compare)\b)",
    re.IGNORECASE,
)
"""What is to be done, not what is the case."""

PRONOUN = re.compile(r"^(?:this|that|it|its|each|they|these|both|together|the (?:value|result|sum|total|difference|rest|product|quotient|mean|average) (?:is|are|of))\b", re.IGNORECASE)  # fmt: skip
"""A subject that points back: what is said of it was reached, not seen."""

"""The patterns of the claim grammar: what regular claims look like. `parsing` says what is made of them."""

from __future__ import annotations

import re

from evpv.premises.normalize.cues import Cue

PROCEDURE = re.compile(
    r"^(?:(?:first|next|then|now|finally|so|thus|secondly|lastly|here|to (?:find|solve|get|determine|calculate|answer))\b[^.]{0,60}?,?\s*)?"
    r"(?:let(?:'s| us| me)\b"
    r"|(?:i|we)(?:'ll| will| can| could| need| should| must| have to| want| are going| use| apply| try| start| begin| add| divide| put"
    r"| order| arrange| find| get| compute| calculate| subtract| multiply| count| sort| write| solve| look| know)\b"
    r"|(?:use|apply|recall|remember|add|divide|multiply|subtract|compute|calculate|solve|simplify|substitute|consider|think|look|try"
    r"|to find|to solve|in order to|it is important|find)\b)",
    re.IGNORECASE,
)
YEAR_LEAD = re.compile(
    r"(?:\b(?:in|from|to|since|by|during|between|until|till|year|years|row|of|for|through|and|after|before|around|early|late|mid|for|vs|the|including|throughout|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|q[1-4]|fiscal)[\s(]+|[-,(]\s?|^)$",
    re.IGNORECASE,
)
RATE_LEAD = re.compile(r"\bper\s(?:every\s)?$", re.IGNORECASE)
"""“20 deaths per 100,000 people” asserts one number."""
DAY_LEAD = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
    r"\.?\s$",
    re.IGNORECASE,
)
GROUP_LEAD = re.compile(
    r"\b(?:the|these|those|both|all|other|its|among|their|top|first|last|past|next)\s+$", re.IGNORECASE
)
NAME_LEAD = re.compile(r"\b(?:part|row|column|term|figure|stage|step|grade|group|line|no\.?|number|level|type|class|week|day|month|"
                        r"angle|quarter|phase|period|chapter|room|bus|route|ages?|aged|question|stem|quiz|test|game|round|trial|die|player|store)\s+$",
                        re.IGNORECASE)  # fmt: skip
NUMBERED_NAME = re.compile(r"\b[A-Z][a-z]+ $")
AFTER_NAME = re.compile(
    r"(?:'s)?(?:\s(?:is|has|had|was|are|have|shows?|than|to|and|got|did|in|at|contains)\b|[.,;:)]|$)"
)
SEASON = re.compile(r"(?:1[5-9]|20)\d\d(?:/\d\d(?:\d\d)?\b|'?s\b)")
"""“2005/06” and “the 1960s” name a time."""
PLACE_LEAD = re.compile(r"\b(?:row|column|position|square|cell)\s+$", re.IGNORECASE)
NONE_OF = re.compile(
    r"\b(?:no|zero)\s+(?!one\b|longer\b|more\b|matter\b|change\b|data\b|information\b|clear\b|need\b|significant\b|other\b)[a-z]+",
    re.IGNORECASE,
)
COPULA = re.compile(
    r"\s(?:is|are|was|were|equals?|measures?|measured|costs?|reach(?:es|ed)|amounts? to|amounted to|has|have|had|shows?|reads?|stands? at|"
    r"stood at|comes? to|contains?|gives?|made|sold|spent|earned|won|owns?|recorded|received|took|scored|totals?|totaled|makes? up|covers?|"
    r"accounts? for|points? to|represents?)\s|=|≈|:",
    re.IGNORECASE,
)
ATTRIBUTES = (
    "y-intercept", "x-intercept", "x-coordinate", "y-coordinate", "kink position", "base radius", "radius", "diameter", "height",
    "width", "length", "perimeter", "circumference", "area", "volume", "slope", "angle", "coordinate", "share", "count", "depth",
    "maximum", "minimum", "median", "mean", "range", "mode",
)  # fmt: skip
ATTRIBUTE = re.compile(r"\b(" + "|".join(ATTRIBUTES) + r")\b", re.IGNORECASE)
KINK = Cue("kink|corner|cusp|sharp turn")
DIFFERENCE = Cue(
    "(?:more|fewer|less|higher|lower|longer|shorter|larger|smaller|greater|taller|older|younger|above|below|cheaper|further|better)\\b"
    "(?:\\s\\S+){0,5}?\\s+than\\b(?!\\s+[$€£]?\\d)|difference|exceeds?\\b.{1,60}\\bby"
    "|(?:increase|rise|drop|decrease|decline|fall|gap)\\s+of"
    "|(?:increase[sd]?|rises?|rose|grew|grows?|fell|falls?|dropped|drops|decrease[sd]?|declined?|went up|went down|goes up|goes down)\\s+by"
)
APART = re.compile(r"\d%?\s(?:\w+\s){0,3}?(?:above|below|behind|ahead of)\b", re.IGNORECASE)
"""“0.7 points below the male rate”: a difference without “than”."""
BY_HOW_MUCH = re.compile(
    r"\s*(?:\S+\s){0,3}?(?:more|fewer|less|higher|lower|longer|shorter|larger|smaller|greater|taller|older|younger|above|below|behind|ahead of"
    r"|cheaper|further|better|wider|deeper|heavier)\b",
    re.IGNORECASE,
)
DIFFERS_BY = re.compile(
    r"\b(?:difference|gap)\b[^.,]*$|\b(?:by|(?:increase|rise|drop|decrease|decline|fall) of)\b[^.,]{0,24}$",
    re.IGNORECASE,
)
RATIO = Cue(
    "(?:times|twice|double|triple|half)\\b\\s*(?:as\\b|the\\b|that\\b|of the (?:previous|number)|larger|more|greater|higher|what"
    "|(?:of )?(?-i:[A-Z]{2}))"
    "|(?:times|twice) (?-i:[A-Z])\\w+|ratio"
    "|doubled|tripled|quadrupled"
)
TIMES_WORDS = {
    "twice": 2.0,
    "double": 2.0,
    "doubled": 2.0,
    "triple": 3.0,
    "tripled": 3.0,
    "quadrupled": 4.0,
    "half": 0.5,
}
EXPRESSION_AFTER = re.compile(
    r"(?:=|≅|≈|\bequals?|\b(?:is|are)(?: (?:labell?ed|marked|given|shown|written|expressed|represented|denoted))?(?: (?:as|by|with))?"
    r"|\b(?:labell?ed|marked)(?: (?:as|by|with))?|\bmeasures?|\bhas (?:a )?(?:length|measure)(?: of)?|\bas)\s*(?:the expression\s*)?\(?"
    r"(?P<expression>[-(\d a-zα-ω+*/^·×.)]{1,40}?)\)?\s*(?:°|degrees?|units?|cm)?(?: (?:in|on) the \w+)?\s*[.!]?$"
)
SOLIDS = (
    "(?:cones?|cylinders?|hemispheres?|spheres?|cubes?|cuboids?|prisms?|pyramids?|boxes|box|rectangles?|squares?|triangles?|circles?"
    "|semicircles?|trapezoids?|trapezium|parallelogram|frustum|rhombus|kite|sector|polygon|pentagon|hexagon|octagon|ring|annulus"
    "|quadrilateral|tetrahedron)"
)
_JOINED = (
    "(?:attached|on top of|on the top|on the bottom|at the (?:top|bottom)|placed (?:on|in|above|below)|joined|removed|cut (?:out|off|from)"
    "|combined|stacked|sits? (?:on|at|above|below|beneath)|mounted|topped|surmounted|glued|above|below|underneath|beneath)"
)
COMPOSITE = Cue(
    f"{SOLIDS}\\b.{{0,60}}\\b{_JOINED}"
    "|composed of|made (?:up )?of|made up from|consists? of|composite|formed by|divided into|split into|combination of"
    "|(?:figure|shape|solid|object|drawing|diagram|picture|polygon|base|net|form)\\s+(?:is|shows?|depicts?|has)\\s+(?:an?|the)?"
    f"\\s*(?:\\w+\\s){{0,2}}{SOLIDS}"
)
_SHOWS = (
    "(?:has|have|lists?|shows?|gives?|compares?|contains?|consists?|includes?|displays?|is divided|presents?|uses|distinguishes|breaks|plots|reports"
    "|tracks|covers|columns?|rows?|bars|are|categor\\w+|is organi[sz]ed"
    "|is an? (?:\\w+\\s){0,2}(?:bar|line|pie|chart|table|graph|plot|histogram|sequence))"
)
_PARTS = "(?:columns|rows|bars|slices|sectors|categories|lines|parts|groups|panels|figures|frames|stages|curves|regions|years|sections|terms)"
LAYOUT = Cue(
    f"(?:table|chart|graph|plot|diagram|figure|legend|picture)(?:'s)?\\s(?:\\w+\\s){{0,3}}?{_SHOWS}"
    "|(?:first|second|third|last|left|right) column\\b.{0,30}?\\b(?:is|shows|lists|gives|contains)"
    "|(?:columns|rows|headers?|headings?|axis|axes|categories|series)\\b\\s(?:\\w+\\s){0,3}?"
    "(?:are|is|named|called|labell?ed|titled|headed|represents?|shows?|lists?)"
    "|(?:sequence|pattern|series) of|is an? (?:\\w+\\s){0,2}(?:bar|line|pie) (?:chart|graph)"
    f"|(?:two|three|four|five|six|seven) {_PARTS}"
)
COUNTED_PARTS = re.compile(rf"\d {_PARTS}\b", re.IGNORECASE)
LAYOUT_NOUN = re.compile(
    r"\b(?:columns?|rows?|headers?|headings?|categories|bars|sectors|slices|lines|years|series|parts|groups|panels|axes|axis|sections|frames"
    r"|stages|legend|curves|figures|bar chart|line chart|line graph|bar graph|pie chart|stem-and-leaf|histogram|sequence|regions|terms|lists?"
    r"|compares?|branches|gives? the|organi[sz]ed|distinguishes|down into|for each|countries|people|items|teams|months|students|types|kinds|products"
    r"|ages)\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r"[\"“]([^\"”]{1,80})[\"”]")


LIST_LEAD = re.compile(
    r"^.*?\b(?:columns?|rows?|bars|sectors|slices|categories|lines|years|groups|parts|lists?|compares?|shows?|gives?|contains?|has|consists? of"
    r"|includes?|are|named|labell?ed|titled|called|for|into|of|displays?|presents?|headed|about)\b[,:]?\s*"
    r"(?:are|is|named|labell?ed|called|titled|headed)?\s*",
    re.IGNORECASE,
)
LOOSE_POINT = re.compile(r"(?<![A-Za-z\d'])([A-Z])(?![A-Za-z\d'-])(?=\s(?:lies?|is|are|on|to|and)\b|,)")
OPENING = re.compile(r"(?:At|For|When|With|If|In|On|Given)\b[^,]{1,60},")
FOR_EACH = re.compile(r"\s(?:for|of|in|by) (?:each|every)\b.*$", re.IGNORECASE)
CLAUSE = re.compile(r";\s|,?\s(?:while|whereas|but|although|compared (?:to|with)|versus)\s")
NEXT_ITEM = re.compile(r"\n\s*\d{1,2}\.\s*$")
"""The number of the next item of a list, left at the end of this one by a careless cut."""
SINCE = re.compile(r"\b(?:from|since|between|until) (?:1[5-9]|20)\d\d\b", re.IGNORECASE)
CAUSE = re.compile(
    r"\b(?:due to|driven by|because(?: of)?|thanks to|as a result of|caused by|attribut(?:ed|able) to|number of factors|popularity of"
    r"|such as|possibly indicating)\b",
    re.IGNORECASE,
)
"""A reason or an example, which no figure shows: what else the sentence says may be right, the whole is open."""

"""The wordings that the checks look for: every pattern of the judge but the rules' own, by the module that asks for it."""

from __future__ import annotations

import re

# answers
ANOTHER = re.compile(r"\band -?\d")

# evidence
CONCLUDES = re.compile(r"\s*(?:so|hence|therefore|thus|consequently|this gives|we get)\b", re.IGNORECASE)
LOOKS = re.compile(
    r"\b(?:figure|diagram|picture|graph|chart|table|shown|shows|marked|labell?ed|see|read|row|column)\b", re.IGNORECASE
)

# formulas
SENTENCE_ENDS = re.compile(r"[.\n;]")
ANGLE = re.compile(r"\bangles?\b|∠")
STRAIGHT = re.compile(r"\b(?:supplementary|straight (?:line|angle)|linear pair|co-?interior)\b", re.IGNORECASE)
COMPLEMENTARY = re.compile(r"\bcomplementary\b", re.IGNORECASE)
SUM = re.compile(
    r"\b(?:sum|add(?:s|ed)?|total|straight angle)\b[^.\n]{0,80}?\b(?:is|to|up to|equals?|of|measures|=)\s+"
    r"(\d{2,4}) ?(?:°|degrees)?",
    re.IGNORECASE,
)

# history
RIGHT_ANGLE = re.compile(
    r"\bright[- ]angle(?:d)?(?: mark)? (?:at|in) (?:point |vertex )?([A-Z])\b"
    r"|\btangent to [^.]{1,60} at (?:point )?([A-Z])\b"
)

# questions
RATIOS = re.compile(r"\b(?:ratio|difference|sum|times|product|twice|half|percent(?:age)? of)\b")
MEANS = re.compile(r"\b(?:ratio|difference|sum|average|mean|median)\b")

# questions/asked
AMOUNT = re.compile(r"(?<![\d$.,/+-])(\d+)?(?:\s?\+\s?|\s)?(?:(\d+)/(\d+))|(?<![\d$.,])(\d+(?:\.\d+)?)")
SENTENCE = re.compile(r"(?<!Mr\.)(?<!Ms\.)(?<!Dr\.)(?<!Mrs\.)(?<=[.?!])\s+(?=[A-Z\"“])")
BUDGET = re.compile(r"\bhas \$\s?([\d,]+(?:\.\d+)?)")

# questions/comparisons
TOGETHER = re.compile(r"\b(?:total|in all|altogether|combined|together)\b")
MORE = re.compile(r"\b(?:more|higher|larger)\b")
LESS = re.compile(r"\b(?:fewer|less|lower)\b")
HOW_MUCH = re.compile(r"\bhow (?:many|much)\b|\bwhat (?:is|was)\b")
NOT_ONE_CELL = re.compile(r"\b(?:more|fewer|less|total|all|each|probability|fraction)\b")
HOW_MANY_IN = re.compile(r"\bhow many\b[^?]{1,60}\bare (?:there )?(?:in|at|on)\b")
GIVEN_TOTAL = re.compile(r"\b(\d[\d,]*) (?:\w+ ){1,3}in total\b")
DIGITS = re.compile(r"\d+")
DIFFERENCE = re.compile(r"\bhow (?:many|much) (?:more|fewer|less|higher|lower)\b|\bby how much\b")
MAGNITUDE = re.compile(
    r"\b(?:further from|farther from|change[sd]? (?:the )?mo(?:re|st)|greater change|affects? [^?]{1,40} more)\b"
)
SMALL_MAGNITUDE = re.compile(
    r"\b(?:closer to|closest to|change[sd]? (?:the )?le(?:ss|ast)|smaller change|affects? [^?]{1,40} less)\b"
)
CHANGE = re.compile(r"\b(?:rise|rose|increased?|grew|growth|fall|fell|drop(?:ped)?|decreased?|compared with)\b")
ASKS_FOR_A_ROW = re.compile(r"\b(?:which|who|whose|where|(?:are|were) there (?:more|fewer)|did (?:more|fewer))\b")

# questions/counting
LIMITS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), sign)
    for pattern, sign in (
        (r"\bat least (\d+)", ">="),
        (r"\bmore than (\d+)", ">"),
        (r"\bgreater than (\d+)", ">"),
        (r"\b(?:fewer|less) than (\d+)", "<"),
        (r"\bat most (\d+)", "<="),
        (r"\bexactly (\d+)", "=="),
        (r"\b(?:spun|scored|rolled) (\d+)(?= ?[?.])", "=="),
        (r"\bnot [a-z ]{1,40}any (?=[a-z])", "0"),
    )
)
LARGEST = re.compile(r"\b(?:largest|highest|greatest|most|oldest|longest|tallest|heaviest|biggest|maximum)\b")
SMALLEST = re.compile(r"\b(?:smallest|lowest|fewest|least|youngest|shortest|lightest|minimum)\b")

# questions/purchases
PURCHASE = re.compile(
    r"\b(?:buy|buys|bought|purchase[sd]?|spend|spent|total cost|would it cost|pay for)\b", re.IGNORECASE
)
EACH = re.compile(
    r"\beach [^.?]{1,60} (?:has|have|holds|contains|is|are) (\d+) [^.?]{1,60}\. how many [^.?]{1,80}?"
    r"\b(?:in|on|are|for|by|at|do|does) (?:\w+ ){0,2}?(\d+) ",
    re.IGNORECASE,
)
TAX = re.compile(r"\btax(?:es)?\b", re.IGNORECASE)

# questions/statistics
IN_ALL = re.compile(r"\b(?:are|were) there in all\b")
MEASURE = re.compile(r"\b(?:what is|find|calculate) the (mean|average|median|mode|range)\b", re.IGNORECASE)

# tables
TABLES_DIGITS = re.compile(r"\d{1,20}")

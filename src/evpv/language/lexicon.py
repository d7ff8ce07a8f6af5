# ruff: noqa: E501 (word lists: data, read by searching)
"""What words mean, as data: signs, units, number words, kinds of things, and the many ways to say a relation.

A cue is a phrase with a tag; `tokens.cues` finds them, longest first. To teach the house a wording, add it here.
"""

from __future__ import annotations

LATEX_SIGNS = {
    "angle": "∠", "measuredangle": "∠", "triangle": "△", "odot": "⊙", "perp": "⟂", "bot": "⟂", "parallel": "∥", "cong": "≅", "simeq": "≅",
    "sim": "~", "approx": "≈", "equiv": "=", "ne": "≠", "neq": "≠", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "lt": "<", "gt": ">",
    "times": "×", "cdot": "·", "div": "÷", "pm": "±", "pi": "π", "circ": "°", "degree": "°", "prime": "'", "alpha": "α", "beta": "β",
    "gamma": "γ", "theta": "θ", "phi": "φ", "to": "→", "rightarrow": "→", "Rightarrow": "→", "implies": "→", "in": "∈", "subset": "⊂",
    "subseteq": "⊂", "quad": " ", "qquad": " ", "left": "", "right": "", "displaystyle": "", "ldots": "...", "dots": "...", "cdots": "...",
    "infty": "∞", "therefore": " therefore ", "because": "", "hline": "", "newline": "\n", "neg": "not ", "And": "and", "arc": "⌒", "overarc": "⌒", "wideparen": "⌒",
}  # fmt: skip
ABBREVIATIONS = frozenset(
    "vs approx dr mr mrs ms st no fig eq i.e e.g etc cf inc co corp ltd jr sr u.s u.k a.m p.m jan feb mar apr aug sept oct nov dec".split()
)

UNIT_SPELLINGS = {
    "percent": "% percent pct percentage", "degree": "° degree degrees deg", "radian": "radian radians rad",
    "decimeter": "dm decimeter decimeters decimetre decimetres", "centimeter": "cm centimeter centimeters centimetre centimetres", "millimeter": "mm millimeter millimeters millimetre millimetres",
    "meter": "m meter meters metre metres", "kilometer": "km kilometer kilometers kilometre kilometres", "inch": "in inch inches",
    "foot": "ft foot feet", "yard": "yd yard yards", "mile": "mi mile miles", "milligram": "mg milligram milligrams", "gram": "g gram grams", "kilogram": "kg kilogram kilograms kilo kilos",
    "tonne": "tonne tonnes ton tons", "pound": "lb lbs", "ounce": "oz ounce ounces", "liter": "l liter liters litre litres",
    "milliliter": "ml milliliter milliliters millilitre millilitres", "second": "s sec secs seconds", "minute": "min mins minute minutes",
    "hour": "h hr hrs hour hours", "day": "day days", "week": "week weeks", "year": "year years yr yrs", "dollar": "$ dollar dollars usd us$ bucks",
    "cent": "¢ cent cents", "euro": "€ euro euros eur", "pound_sterling": "£ gbp", "yen": "¥ yen jpy", "celsius": "°c celsius", "fahrenheit": "°f fahrenheit",
}  # fmt: skip
SCALES = {
    "hundred": 1e2, "hundreds": 1e2, "thousand": 1e3, "thousands": 1e3, "k": 1e3, "million": 1e6, "millions": 1e6, "mn": 1e6,
    "billion": 1e9, "billions": 1e9, "bn": 1e9, "trillion": 1e12, "trillions": 1e12, "dozen": 12.0,
}  # fmt: skip
FRACTIONS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5,
    "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9, "ninths": 9, "tenth": 10, "tenths": 10,
    "twelfth": 12, "twelfths": 12, "hundredth": 100, "hundredths": 100,
}  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "1st": 1, "2nd": 2, "3rd": 3,
    "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8,
}  # fmt: skip
_MULTIPLYING = {"doubl": 2.0, "tripl": 3.0, "quadrupl": 4.0, "quintupl": 5.0, "halv": 0.5}
MOVED_BY_FACTOR = frozenset(stem + end for stem in _MULTIPLYING for end in ("ed", "ing"))
"""Factors that are movements by themselves; “doubles” and “double” are only over a span (“from 2010 to 2020”)."""
TIMES_WORDS = {
    "twice": 2.0, "thrice": 3.0, "half": 0.5, "twofold": 2.0, "threefold": 3.0, "fourfold": 4.0, "fivefold": 5.0, "tenfold": 10.0,
    **{stem + end: factor for stem, factor in _MULTIPLYING.items() for end in ("e", "es", "ed", "ing")},
}  # fmt: skip

KIND_OF = {
    "∠": "angle", "angle": "angle", "angles": "angle", "△": "triangle", "triangle": "triangle", "triangles": "triangle",
    "⊙": "circle", "circle": "circle", "circles": "circle", "arc": "arc", "⌒": "arc", "point": "point", "points": "point",
    "vertex": "point", "vertices": "point", "corner": "point", "segment": "segment", "segments": "segment", "line": "segment",
    "lines": "segment", "side": "segment", "sides": "segment", "ray": "segment", "edge": "segment", "chord": "segment",
    "chords": "segment", "leg": "segment", "legs": "segment", "base": "segment", "bases": "segment",
    "diagonal": "segment", "diagonals": "segment", "hypotenuse": "segment", "altitude": "segment", "median": "segment",
    "diameter": "segment", "radius": "segment", "tangent": "segment", "bisector": "segment", "length": "segment",
    "quadrilateral": "polygon", "rectangle": "polygon", "square": "polygon", "parallelogram": "polygon",
    "trapezoid": "polygon", "trapezium": "polygon", "rhombus": "polygon", "pentagon": "polygon", "hexagon": "polygon", "polygon": "polygon",
    "kite": "polygon",
}  # fmt: skip

STOP_WORDS = frozenset(
    "a an the of in on at to for and or is are was were be been being as by with from that this these those it its has have had there their his her our "
    "we they he she you i which who whose what than then so also only about per each all both such while when where into between among during over "
    "after before respectively approximately roughly around nearly almost chart table graph figure diagram picture image bar bars column row line segment "
    "slice value values number numbers amount entry cell according shown shows show labeled labelled given gives listed indicates indicated reads read "
    "reported equal do does did yes can could would should will may might more most less least higher highest lower lowest greater one ones".split()
)
_DEMONYMS = (
    "netherland dutch|france french|germany german|italy italian|spain spanish spaniard|sweden swedish swede|norway norwegian|denmark danish dane|"
    "finland finnish finn|switzerland swiss|austria austrian|poland polish|greece greek|portugal portuguese|ireland irish|belgium belgian|"
    "turkey turkish turk|russia russian|ukraine ukrainian|china chinese|japan japanese|korea korean|india indian|indonesia indonesian|brazil brazilian|"
    "mexico mexican|canada canadian|australia australian|argentina argentine argentinian|chile chilean|peru peruvian|colombia colombian|egypt egyptian|"
    "nigeria nigerian|kenya kenyan|thailand thai|vietnam vietnamese|philippine filipino|israel israeli|iceland icelandic icelander|hungary hungarian|"
    "romania romanian|bulgaria bulgarian|croatia croatian|latvia latvian|lithuania lithuanian|estonia estonian|uk british briton|scotland scottish|wale welsh"
)
"""A country and what its people are called: both are known by the country's stem."""
IRREGULAR_STEMS = {
    "men": "man", "women": "woman", "people": "person", "children": "child", "kid": "child", "kids": "child", "scarves": "scarf", "shelves": "shelf", "knives": "knife", "loaves": "loaf", "feet": "foot", "teeth": "tooth", "mice": "mouse",
    "us": "us", "usa": "us", "sales": "sale", "series": "series", "species": "species", "news": "news",
    "drew": "draw", "vertices": "vertex", "axes": "axis", "bases": "base", "matrices": "matrix", "halves": "half", "leaves": "leaf", "dice": "die",
    "gas": "gas", "less": "less", "does": "do", "this": "this", "is": "is", "was": "was", "has": "has", "its": "its", "plus": "plus",
    "sold": "sell", "lost": "loss", "lose": "loss", "loses": "loss", "costs": "price", "cost": "price", "priced": "price", "spent": "spend", "won": "win", "wins": "win", "winner": "win",
    "bought": "buy", "made": "make", "ran": "run", "wrote": "write", "drove": "drive", "grew": "grow", "taught": "teach", "caught": "catch",
    "jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july", "aug": "august",
    "sep": "september", "sept": "september", "oct": "october", "nov": "november", "dec": "december", "mon": "monday", "tue": "tuesday", "tues": "tuesday",
    "wed": "wednesday", "thu": "thursday", "thur": "thursday", "thurs": "thursday", "fri": "friday", "sat": "saturday", "sun": "sunday", "female": "woman", "females": "woman", "male": "man", "males": "man",
    "gb": "uk", "americans": "us", "british": "uk", "britain": "uk", "high": "height", "tall": "height", "wide": "width", "deep": "depth",
    "cheaper": "price", "cheapest": "price", "expensive": "price", "pricier": "price", "priciest": "price", "costlier": "price", "costliest": "price", "dearer": "price", "dearest": "price",
    "older": "age", "oldest": "age", "younger": "age", "youngest": "age", "old": "age", "aged": "age", "heavier": "weight", "heaviest": "weight", "lighter": "weight", "lightest": "weight",
    "weigh": "weight", "weighs": "weight", "weighed": "weight", "hotter": "temperature", "colder": "temperature", "warmer": "temperature", "hottest": "temperature", "coldest": "temperature", "warmest": "temperature",
    "producer": "supply", "producers": "supply", "seller": "supply", "sellers": "supply", "supplier": "supply", "suppliers": "supply", "supplied": "supply", "offer": "supply", "offers": "supply", "offered": "supply",
    "consumer": "demand", "consumers": "demand", "buyer": "demand", "buyers": "demand", "demanded": "demand",
    "corner": "kink", "cusp": "kink", "taller": "height", "tallest": "height", "wider": "width", "deeper": "depth", "longest": "length", "longer": "length",
}  # fmt: skip
IRREGULAR_STEMS |= {word: names[0] for names in map(str.split, _DEMONYMS.split("|")) for word in names[1:]}
ALIASES = {
    "united states of america": "us", "united states": "us", "the states": "us", "united kingdom": "uk", "great britain": "uk", "south korea": "korea south",
    "sharp corner": "kink", "sharp turn": "kink", "x axis": "x axis", "height of the solid": "total height", "height of the whole": "total height",
    "height of the figure": "total height", "height of the object": "total height", "overall height": "total height",
}  # fmt: skip
ALIASES |= {
    f"{verb} the {axis}{dash}axis": f"{axis} intercept"
    for verb in ("crosses", "cross", "intersects", "meets", "cuts", "hits", "crossing")
    for axis in "xy"
    for dash in (" - ", " ")
}
WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
MONTHS = tuple("january february march april may june july august september october november december".split())

OPPOSITES = tuple(
    tuple(map(frozenset, (a.split(), b.split())))
    for a, b in (
        ("import imported", "export exported"), ("win victory", "lose loss defeat"), ("man boy", "woman girl"), ("boy", "girl"), ("supply supplied", "demand demanded"),
        ("urban", "rural"), ("income revenue earning", "expense expenditure spending cost"), ("birth", "death"), ("minimum low", "maximum high"), ("arrival arrive", "departure depart"),
        ("age", "score"), ("spend spending expenditure", "receipt revenue earning income"), ("buy bought purchase purchased", "sell sold sale"), ("raise raised collected earn earned", "spend spent spending"), ("positive", "negative"), ("employed employment", "unemployed unemployment"), ("approve approval", "disapprove disapproval"),
        ("agree", "disagree"), ("favorable", "unfavorable"), ("satisfied", "dissatisfied"), ("domestic", "international foreign"), ("public", "private"), ("inflow", "outflow"),
        ("immigrant immigration", "emigrant emigration"), ("indoor", "outdoor"), ("inner", "outer"), ("upper", "lower"), ("radius", "diameter"), ("adult", "teenager teen child adolescent"), ("scored", "conceded"), ("home", "away"), ("passed", "failed"), ("weekday", "weekend"), ("inbound", "outbound"), ("open", "close closed"),
        ("height", "width"), ("offline", "online"), ("deposit", "withdrawal"), ("profit", "loss"), ("literate", "illiterate"), ("married", "unmarried single"),
    )
)  # fmt: skip

SOLIDS = frozenset(
    "cone cylinder semicylinder hemisphere sphere cube cuboid prism pyramid box rectangle square triangle circle semicircle trapezoid trapezium parallelogram frustum "
    "rhombus kite sector polygon pentagon hexagon octagon ring annulus quadrilateral tetrahedron".split()
)
DIMENSIONS = {
    "height": "height", "radius": "radius", "diameter": "diameter", "width": "width", "depth": "depth", "perimeter": "perimeter",
    "circumference": "circumference", "area": "area", "volume": "volume", "slope": "slope", "temperature": "temperature", "weight": "weight", "slant": "slant",
}  # fmt: skip

_MORE = (
    "more greater higher larger bigger longer taller wider heavier older warmer hotter faster further farther deeper costlier pricier stronger better busier steeper dearer "
    "commoner likelier noisier quicker thicker richer fatter wetter sunnier fuller brighter louder wealthier sharper broader mightier dearer fiercer loftier"
)
_LESS = "less fewer lower smaller shorter narrower lighter younger cooler colder slower cheaper weaker worse thinner poorer drier leaner slimmer scarcer tinier chillier fainter flatter shallower emptier rarer quieter"
_MOST = (
    "highest largest greatest biggest most longest tallest maximum max top tops topped leading leads led leader peak peaks peaked peaking widest heaviest oldest eldest hottest warmest fastest best busiest "
    "priciest deepest steepest costliest dearest dominates dominated strongest richest record winner latest wettest sunniest rainiest windiest brightest fullest fattest thickest loudest wealthiest sharpest furthest farthest broadest mightiest loftiest commonest fiercest quickest swiftest speediest"
)
_LEAST = "lowest smallest least fewest shortest minimum min bottom narrowest lightest youngest coldest coolest slowest quietest worst cheapest weakest poorest earliest rarest nadir trough driest thinnest slimmest leanest scarcest emptiest tiniest chilliest faintest flattest shallowest softest meanest iciest"
_RISES = (
    "increase increases increased increasing rise rises rose risen rising grew grow grows grown growing climb climbs climbed climbing gain gains gained upward improve improves improved improving jump jumps "
    "jumped soar soars soared surge surges surged expand expands expanded rebounded recovered skyrocketed spiked accelerated lengthened widened adds swell swells swelled swelling balloon ballooned ballooning mushroomed rocketed rockets strengthened advanced advances bounced rallied leapt leaped multiplied mounted warms warmed added"
)
_FALLS = (
    "decrease decreases decreased decreasing fall falls fell fallen falling decline declines declined declining drop drops dropped dropping shrank shrunk shrink shrinks shrinking downward diminish "
    "diminishes diminished sank slump slumps slumped plunge plunges plunged plummeted reduced halved dipped dip dips collapsed tumbled slid contracted crashed weakened lessened slipped narrowed "
    "disappeared vanished eased slowed shed sheds shedding tumble tumbles tumbling sink sinks sinking slide slides sliding slip slips slipping ebbed dwindle dwindles dwindled dwindling nosedived nosedives plunging plummets plummet plummeting retreated receded shrivelled shriveled waned cooled trimmed pared slashed eroded subsided forfeited crumbled lowered cut"
)

_MOVING = "go goes going went gone|move moves moving moved|edge edges edging edged|trend trends trending trended|tick ticks ticking ticked|creep creeps creeping crept|inch inches inching inched|head heads heading headed"
"""Verbs that move up or down, in all their forms."""
_UP, _DOWN = ("|".join(f"{verb} {way}" for verb in _MOVING.replace("|", " ").split()) for way in ("up", "down"))

_RANKED = "|".join(
    f"{verb}{joint} {rank}"
    for verb in "come comes came coming rank ranks ranked finish finishes finished place places placed".split()
    for joint in ("", " in", " in at")
    for rank in ("{}", "{} place")
)
"""Ways to have a rank: “comes in second”, “finished in third place”."""
_LATER_RANKS = "|".join(
    _RANKED.format(*[rank] * _RANKED.count("{}"))
    for rank in "second third fourth fifth sixth seventh 2nd 3rd 4th 5th".split()
)
CUES: dict[str, str] = {
    "more": _MORE.replace(" ", "|") + "|later than|later in the day than", "less": _LESS.replace(" ", "|") + "|earlier than|sooner than",
    "most": _MOST.replace(" ", "|") + "|first place|number one|comes out on top|in the lead|high point|all-time high|record high|finished top|favorite|favourite|" + _LATER_RANKS + "|" + _RANKED.replace("{}", "first"),
    "least": _LEAST.replace(" ", "|") + "|last place|bottomed out|bottomed|trails all|brings up the rear|low point|all-time low|record low|" + _RANKED.replace("{}", "last"),
    "beats": "exceed|exceeds|exceeded|exceeding|surpass|surpasses|surpassed|surpassing|outnumber|outnumbers|outnumbered|outperform|outperforms|outperformed|outsold|outsells|outstrips|outstripped|beat|beats|ahead of|to the right of|"
             "preferred over|preferred to|outweighs|outscored|outpaced|outpaces|edged out|edges out|outranked|tops that of|>|outstrip|outstripping|outdo|outdid|outdoes|outshone|outshines|eclipse|eclipsed|eclipses|overshadows|towers over|tower over|towered over|pips|pipped|trumps|trumped|dwarfs|dwarfed|outweigh|outweighed|edge out|edging out|clear of|in front of|outselling|outnumbering",
    "trails": "behind|lags behind|trails|trailed|lagged behind|to the left of|fell short of|falls short of|short of|<|adrift of|undercut|undercuts|undercutting|lag|lags|lagging|trail|trailing|shy of|bested by|adrift",
    "overtakes": "overtook|overtakes|overtake|overtaken|overtaking|overhauled|overhauls|leapfrogged|leapfrogs|outgrew|outgrown|drew past|drawn past",
    "than": "than|compared to|compared with|relative to|versus|vs|as opposed to",
    "as": "as many|as much|as long|as tall|as high|as large|as big|as wide|as often|as old|as heavy|as expensive|as far|as popular",
    "rises": _RISES.replace(" ", "|") + f"|{_UP}|goes upward|got longer|got bigger|got larger|got higher|got taller|got more|got better|became more|became larger|became longer|picked up|shot up|an upward",
    "falls": _FALLS.replace(" ", "|") + f"|{_DOWN}|got shorter|got smaller|got lower|got fewer|got cheaper|got worse|became less|became smaller|became shorter|a downward|tapered off|came down",
    "steady": "constant|unchanged|stable|steady|flat|stayed|stays|stay|remained|remains|remain|held steady|kept constant|kept at|kept steady|did not change|no change|plateaued|levelled off|leveled off|stood still|stagnated|stagnates|static|flatlined|unaltered|held firm|hovered|hovers|did not move|didn't move|treading water",
    "same": "neck and neck|on par with|level on|same|identical|equally|tied|tie|ties|equal|equals|equalled|congruent|matches|matched|match|even with|≅|equidistant|on a par with|level with",
    "differ": "different|unequal|differ|differs|differed|not the same|not equal|≠",
    "total": "total|totals|totaled|totalled|sum|sums|altogether|combined|together|in all|overall number|add up to|adds up to|adding up|added up|jointly|totaling|totalling|in sum|taken together|all told|all in all|tot up|in aggregate|grand total|sums to|summing",
    "mean": "average|averages|averaged|mean", "median": "median", "range": "range", "mode": "mode",
    "difference": "difference|gap|differ by|differs by|margin|differed by|spread",
    "times": "times|fold", "ratio": "ratio",
    "twice": "|".join([word for word in TIMES_WORDS if word != "half"]) + "|half as|half of|half the|half that",
    "hedge": "about|roughly|approximately|approx|around|nearly|almost|close to|some|an estimated|circa|near|up to|just about|something like|in the neighborhood of|or so|on the order of|≈|~|slightly over|slightly under|"
             "slightly above|slightly below|slightly more than|slightly less than|just over|just under|just above|just below|just shy of|a little over|a little under|a bit over|a bit under|a little more than|a little less than|well|nearing|shy of|narrowly|barely|a good|a touch over|a touch under|a shade over|a shade under|a tad over|a tad under|a bit more than|a bit less than|a touch more than|a touch less than|a shade more than|a shade less than|in the region of|give or take",
    "over": "more than|over|above|at least|greater than|higher than|upwards of|no less than|not less than|no fewer than|exceed|exceeds|exceeded|exceeding|in excess of|larger than|longer than|or more|surpass|surpasses|surpassed|"
            "surpassing|beyond|north of|>|≥|topped|tops|past|passing|crossing|bigger than|taller than|older than|heavier than|a minimum of",
    "under": "less than|under|below|at most|fewer than|lower than|no more than|not more than|smaller than|shorter than|or less|or fewer|<|≤|south of|younger than|lighter than|cheaper than|short of|a maximum of|missed|misses|missing|no higher than|not exceed",
    "not": "not|never|n't|no|neither|nor|none|without|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hasn't|haven't|can't|cannot|nobody|nothing|no one",
    "every": "every|each|all|always|throughout|consistently|continuously|continually|steadily|any|everyone|everybody|everything|without exception|whole|entire|year after year|year on year|year by year|monotonically",
    "only": "only|alone|sole|solely|just one|single", "both": "both|either|alike|each of these|these two|those two|the two", "except": "except|except for|but|other than|apart from|aside from|besides|excluding|with the exception of",
    "parallel": "∥|parallel|never meet|never intersect|never cross|do not intersect|do not meet|do not cross", "perpendicular": "⟂|perpendicular|orthogonal|at right angles|at a right angle|right angle|right angles|normal to|right-angle|right angled|right-angled|right triangle|right triangles|little square|small square|square mark|square symbol",
    "on": "point on|points on|lie on|lies on|lying on|is on|are on|sits on|sit on|located on|collinear|passes through|pass through|passing through|tangent|tangent to|touches|intersects|intersect|meets at|meet at|cross at|crosses at|between points|concurrent|points of|a point of|chord of|chords of|diameter|secant|center of|centre of|cyclic",
    "inside": "inside|contained in|contains|encloses|inscribed|circumscribed|⊂|∈",
    "next": "adjacent|next to|beside|neighbors|neighbours|neighboring|neighbouring|shares a side|shares an edge|shares a vertex|share a side|shares the side",
    "isosceles": "isosceles|scalene", "equilateral": "equilateral|rhombus", "bisects": "into two equal parts|into two equal angles|into two equal halves|into two congruent angles|into two congruent parts|into equal halves|bisects|bisector|bisect|bisected|bisecting|cut in half|cuts in half|splits evenly", "midpoint": "midway between|halfway between|midpoint|mid-point|middle point|midpoints",
    "similar": "similar to|are similar|is similar|~",
    "tick": "tick mark|tick marks|ticks|hash mark|hash marks|marked congruent|marked equal|same mark|same marks|single tick|double tick|congruence marks|same tick|equal marks",
    "reason": "due to|driven by|because of|thanks to|as a result of|caused by|attributed to|attributable to|number of factors|popularity of|such as|possibly indicating|reflecting|suggesting that|likely because|indicating that|perhaps because",
    "so": "so|therefore|hence|thus|consequently|which gives|which means|giving|this gives|this means|it follows that|we get|we obtain|that makes|that leaves|which makes|which leaves|i.e|gives us|implies|yielding|yields|this implies|that gives|that means|resulting in|we have that",
    "because": "since|because|as both|given that|knowing that|now that",
    "respectively": "respectively", "followed": "followed by|followed closely by|then comes|ahead of only|next comes|followed immediately by",
    "from": "from|between|since", "to": "to|until|through|till",
    "joined": "attached|on top of|on top|on the top|on its top|on the top|on the bottom|at the top|at the bottom|at its top|at its base|placed on|placed in|placed above|placed below|joined|removed|cut out|cut off|cut from|combined with|stacked|sits on|sits at|sits above|sits below|"
              "mounted|topped by|topped with|surmounted|glued|underneath|beneath|rests on|stands on|resting on|sitting on",
    "composed": "composed of|made of|made up of|made up from|consists of|consist of|composite|formed by|divided into|split into|combination of|built from|put together from",
}  # fmt: skip

COLOURS = frozenset(
    "red blue green yellow orange purple black white gray grey pink brown violet teal cyan navy".split()
)
ATTRIBUTE_GROUPS = tuple(
    frozenset(words.split())
    for words in (
        "population inhabitant",
        "area acre",
        "age",
        "price fee fare",
        "height",
        "weight",
        "temperature",
        "income salary wage",
        "distance",
        "speed",
        "score point mark",
        "duration",
        "capacity",
        "headcount employee staff workforce",
        "profit",
        "debt",
        "budget",
        "rainfall precipitation",
        "volume",
        "birth",
        "death mortality",
        "unemployment",
    )
)
"""Things that are measured: a claim about one is not checked against a column of another."""
GENERAL_NOUNS = frozenset(
    "total sum count quantity level rate percentage percent share proportion average figure reading result sale data datum point size "
    "measurement year month day week time period person item thing unit".split()
)
"""Nouns that say how much or when, and nothing of what: any figure may be spoken of by them."""
MEASURE_NOUNS = frozenset(
    "revenue income earning expense expenditure spending cost price profit debt budget value frequency length width depth".split()
).union(*ATTRIBUTE_GROUPS)
"""Nouns for what is measured of a thing; a column that is called so leaves open of which."""

_SAME = (
    "win won victory triumph winning", "loss lost lose defeat beaten losing", "draw drawn drew tie tied stalemate", "price cost charge fare fee priced",
    "car automobile auto", "film movie", "woman female lady", "man male", "child kid youngster", "senior elderly", "phone smartphone cellphone", "bike bicycle cycling cyclist",
    "rail railway train", "plane flight air aircraft flying", "population inhabitant resident people person", "rainfall rain precipitation", "salary pay wage earning earnings",
    "spending expenditure outlay spend", "revenue turnover sale taking", "staff employee worker workforce headcount", "pupil student learner", "visitor guest tourist",
    "attendance crowd spectator attendee", "height tall elevation altitude", "weight heavy weigh", "depth deep", "duration time length", "distance far kilometre kilometer mile", "speed fast",
    "electricity power energy", "petrol gas gasoline fuel", "fridge refrigerator", "tv television telly", "light lighting lamp", "heat heating heater", "education school schooling",
    "health medical healthcare", "transport traffic transportation", "age old aged", "never not", "daily everyday", "rarely seldom", "urban city town", "rural countryside village",
    "us american america usa", "temperature warm degree", "energy calorie kcal", "goal scored scoring", "conceded shipped against", "match game played",
    "stop halt call", "undecided unsure know", "ticket admission", "visit trip", "novel book fiction", "newspaper paper press",
)  # fmt: skip
SYNONYMS: dict[str, frozenset[int]] = {
    word: frozenset(i for i, group in enumerate(_SAME) if word in group.split())
    for group in _SAME
    for word in group.split()
}
"""Words that mean nearly the same, by the groups they belong to: what a column is called and what is said instead."""

_MEASURED = {
    "weight": ("weight mass", "milligram gram kilogram tonne pound ounce", "weigh weighs weighed weighing heavier heaviest lighter lightest"),
    "age": ("age", "", "older oldest eldest younger youngest old"),
    "date": ("born founded built completed opened established", "", "older oldest eldest younger youngest old newer newest"),
    "money": (
        "price fare fee rent salary wage income revenue profit budget expense spending expenditure earning tuition tax debt turnover takings balance",
        "dollar cent euro pound_sterling yen", "cheaper cheapest dearer dearest pricier priciest costlier costliest expensive costing earn earns earned",
    ),
    "height": ("height elevation altitude", "meter centimeter kilometer foot", "taller tallest high"),
    "length": ("length jump throw", "meter centimeter millimeter kilometer inch foot yard mile", "longer longest shorter shortest long"),
    "distance": ("distance", "meter kilometer mile foot yard centimeter", "farther farthest longer longest shorter shortest long"),
    "depth": ("depth", "meter centimeter kilometer foot", "deeper deepest shallower shallowest"),
    "width": ("width diameter", "meter centimeter millimeter kilometer mile inch foot", "wider widest narrower narrowest across"),
    "climb": ("climb ascent slope gradient", "meter foot", "steeper steepest flatter flattest hillier hilliest"),
    "temperature": ("temperature", "celsius fahrenheit", "warmer warmest hotter hottest colder coldest cooler coolest chillier chilliest"),
    "duration": ("duration time span lifespan", "second minute hour", "longer longest shorter shortest long lasts lasted faster fastest slower slowest quicker quickest"),
    "speed": ("speed", "", "faster fastest slower slowest quicker quickest"),
    "rain": ("rainfall rain precipitation", "millimeter inch", "wetter wettest drier driest rainier rainiest"),
    "volume": ("volume capacity", "liter milliliter", ""),
    "people": ("population inhabitant resident", "", "populous inhabitants"),
}  # fmt: skip
"""What is measured: the nouns of columns, their units, and the verbs and adjectives that speak of it."""
DIMENSION_NOUNS = {dimension: frozenset(nouns.split()) for dimension, (nouns, _, _) in _MEASURED.items()}


def _dimensions_by(place: int) -> dict[str, frozenset[str]]:
    words = {word for parts in _MEASURED.values() for word in parts[place].split()}
    return {word: frozenset(d for d, parts in _MEASURED.items() if word in parts[place].split()) for word in words}


DIMENSION_UNITS, DIMENSION_WORDS = _dimensions_by(1), _dimensions_by(2)
COUNTED_NOUNS = frozenset(
    "visitor employee student pupil passenger viewer member guest staff attendance frequency vote votes goal".split()
)
"""What a column counts that is called after it."""

FIGURE_NOUNS = frozenset(
    "table chart graph plot figure legend timetable diagram histogram pie key list schedule survey poll axis column columns row rows".split()
)
LAYOUT_VERBS = frozenset(
    "has have lists list shows show gives contains consists includes displays presents distinguishes covers spans names compares contrasts breaks divides "
    "splits tracks plots depicts records features uses are drawn shown listed plotted compared covered displayed appear represented divided split".split()
)
DRAWN_NOUNS = frozenset("bar line slice sector curve segment gap margin difference range swing spread".split())
PART_NOUNS = frozenset("row series line curve bar slice sector category group entry column".split())
"""The make-up of a figure: what has parts, how that is said, and what they are called."""
NEGATIVE_NOUNS = frozenset(
    "loss deficit shortfall owe owes owed owing overdrawn overdraft debt negative minus arrears outflow".split()
)
BELOW_ZERO = (
    NEGATIVE_NOUNS
    | frozenset(
        "lost lose losing loses below under down short red colder cut fewer less behind drop decline decrease reduction fall".split()
    )
    | frozenset(CUES["falls"].split("|"))
)
"""Words with which a number without a sign is a negative one: of the first always, of the others where the value is so."""

_RELATION_SYNONYMS = {
    "orthogonal": "perpendicular", "normal": "perpendicular", "congruent": "equal", "equals": "equal", "same": "equal",
    "larger": "greater", "more": "greater", "smaller": "less", "fewer": "less", "contains": "subset", "inside": "subset",
    "contained": "subset", "containment": "subset", "on": "incident", "lies-on": "incident", "incidence": "incident",
    "intersect": "incident", "collinear": "incident", "tangent": "incident", "next-to": "adjacent", "neighbor": "adjacent",
    "⟂": "perpendicular", "⊥": "perpendicular", "∥": "parallel", "||": "parallel", "≅": "equal", "=": "equal", ">": "greater", "<": "less",
    "longer": "greater", "taller": "greater", "higher": "greater", "shorter": "less", "lower": "less", "longer-than": "greater",
    "taller-than": "greater", "greater-than": "greater", "shorter-than": "less", "less-than": "less", "⊂": "subset",
}  # fmt: skip
"""The paper's synonym groups of relations (Appendix B)."""


def canonical_relation(name: str) -> str:
    """The paper's name for a relation.

    >>> canonical_relation("Orthogonal"), canonical_relation("continuous_at")
    ('perpendicular', 'continuous_at')
    """
    name = name.strip().lower().replace(" ", "-")
    return _RELATION_SYNONYMS.get(name, name)

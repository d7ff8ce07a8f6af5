"""The final answer of a free-text response, as models give it: announced, boxed, on a line of its own, or concluded.

The ways are tried from the plainest to the least plain, each from the end of the text. Where no way leads to an answer
there is none: an unfinished response is not completed for its writer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter

from evpv.language.answers import bare_answer, chosen_option, one_quantity, unnamed_answer
from evpv.language.quantities import Quantity, number_text, quantities
from evpv.language.questions import Asked, asked_form
from evpv.language.responses import Response, announcements, boxes, read_response
from evpv.language.text import plain
from evpv.language.truths import first_truth, implied_truth, leaves_open, stated_truth, stems

_MAX_SENTENCES = 12
_SHORT = 6  # words: longer answers are sentences, of which one value is the answer
_SHORT_CHARACTERS = 80  # for scripts that leave no room between words

_CALLED_RIGHT = re.compile(
    r"(?<![\w'’])([A-J])[)*]*\s(?:(?:is|must be)\s(?:the\s)?(?:only\s)?(?:correct|right|best)\b|it is\b|(?:fits|matches|works|satisfies)\b)"
    r"|^[^\w\n]{0,5}([A-J])[).:].*[✓✔✅]",
    re.MULTILINE,
)
_CROSSED = re.compile(r"[✗✘❌×✓✔✅]\W*$")
_NOT_AN_ANSWER = re.compile(r"(?:not|correct|incorrect|wrong|right|none|among|\\boxed|let)\b", re.IGNORECASE)


# How answers are concluded, and how they are not.

_CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|so|consequently|conclusion|overall|finally|closest|most (?:reasonable|likely|appropriate|accurate)|best estimate|"
    r"reasonable (?:estimate|answer)|best (?:answer|choice|match)|only option|the answer|seems reasonable|somit|daher|folglich|por (?:lo )?tanto|"
    r"donc|ainsi|par conséquent|quindi|pertanto|portanto|следовательно|поэтому|zatem|dus|därför)\b|^因此|^所以|^따라서|^したがって|^よって|∴",
    re.IGNORECASE,
)
_SUGGESTS = re.compile(
    _CONCLUDES.pattern + r"|\bthis\b[\w\s]{0,30}\b(?:means|suggests|implies|indicates)\b", re.IGNORECASE
)
_REJECTS = re.compile(
    r"\b(?:not|unlikely|incorrect|impossible|rule[sd]? out|eliminat\w*|cannot|too \w+|neither|none|between|than)\b|n't\b",
    re.IGNORECASE,
)
_NO_OPTION = re.compile(
    r"\b(?:none of|not? (?:among|one of|match|listed|in)|does(?:n't| not) match|no)\b[^.]{0,40}\b(?:options?|choices?)\b",
    re.IGNORECASE,
)
_LEADING_CONDITION = re.compile(r"^If\b.{1,300}?,\s(?:then|so)\b", re.IGNORECASE)
_CONTRAST = re.compile(r",\s(?:(?:and|but)\s)?(?:not|rather than|unlike)\s[^,.;]+|,?\s(?:while|whereas)\s.*")
_CLOSING_LETTER = re.compile(r"(?:\bis|\bare|[=:])\s?[(（]?([A-J])[)）]\.?\s*$")
_LIST = re.compile(r"[\[(]\s?[-−]?\d[\d.]*(?:\s?,\s?[-−]?\d[\d.]*)+\s?[\])]")
_SOLUTIONS = re.compile(r"\b([a-z])\s?=\s?-?\d[\d./]*\s?(?:,|or|and)\s(?:\1\s?=\s?)?-?\d[\d./]*")
_LETTERED = re.compile(r"[A-Z]|\([A-Z]\)\s[^.\n]{1,40}")
_IN_BOLD = re.compile(r"\b(?:is|are|was|were|equals|by)\s(?:approximately |about )?\*\*([^*\n]{1,40})\*\*")
_PLANS = re.compile(r"(?:To|We|Let)\b")
_STATES = re.compile(r"\b(?:is|are|was|were|there|needs?|spent|has|have)\b")
_REFUSES = re.compile(r"(?:i|we|sorry|unable|unknown|unclear|cannot|not|none|error)\b", re.IGNORECASE)
_NAME = re.compile(rf"(?!(?i:{_REFUSES.pattern}))[A-Z][\w'’-]+(?: [\w'’-]+){{0,2}}\.?")
_IS_NAMED = re.compile(r"\b(?:is|was)\s(?:the\s)?([A-Z][^.,;(]{1,40}?)(?:\s\([^()]*\))?\.?$")
_NAME_DOES = re.compile(
    r"(?:(?:[Tt]herefore|[Tt]hus|[Hh]ence|[Ss]o),?\s)?(?:[Tt]he\s)?(?!(?:The|This|That|These|It|They|There|He|She|We)\b)"
    r"([A-Z][\w'’-]*(?:\s(?:of\s|the\s|and\s)?[A-Z][\w'’-]*){0,3})\s(?=([a-z]+))"
)
_POINTS = re.compile(r"\b(?:these|those|the|both|between|bottom|top)\s+$", re.IGNORECASE)
_WORKED_OUT = re.compile(r"\d\s?[a-z%°]{0,6}\s?[-+*/×÷−·x]\s?[$€£]?\d.{0,200}=")
_IN_BRACKETS = re.compile(r"(?<=\s)\([^()]*\)")
_COUNTED = re.compile(r"\bhow many (\w{3,}?)(?:e?s)?\b", re.IGNORECASE)
_BOUNDS = re.compile(r"\b(?:at least|at most|more than|less than|fewer than|over|under)\b", re.IGNORECASE)
_NONE_THERE = re.compile(r"\bthere (?:are|were|is|was) no\b|^(?:no one|nobody|none)\b", re.IGNORECASE)
_RATIO_BEFORE = re.compile(r"\d+(?:\.\d+)?\s?:\s?$")
_PAIR = re.compile(r"\b(?:between|from)\s+(\d{4})\s+(?:and|to)\s+(\d{4})\b", re.IGNORECASE)
_FACTORS = (
    (re.compile(r"\btwice\b|\bdouble\b", re.IGNORECASE), 2.0),
    (re.compile(r"\bhalf\b(?! of the)", re.IGNORECASE), 0.5),
)
_ASKS_NO_NUMBER = re.compile(
    r"^\W*(?:(?:in|at|on|by|to|based on|according to)\s[^,?]{1,60},\s)?(?:why|where|who|whose|what\s(?:will|would|can|could|might|kind|type|sort))\b",
    re.IGNORECASE,
)
_ASKS_FORMULA = re.compile(
    r"\bwhat (?:is|was) the (?:\w+ )?(?:equation|expression|formula|function|domain)\b", re.IGNORECASE
)
_EQUALS = re.compile(r"=|≈|\\approx\b")
_IS = re.compile(r"\b(?:is|are|as|be)\b:?")
_FORMULA = re.compile(r"[=<>≤≥^+]")
_ASKS_WHICH = re.compile(r"\bwhich\s(?!number|value|digit|year|two|one\b)(?:of\s\w+\s)?(\w+)", re.IGNORECASE)
_ASKS_WHO = re.compile(r"\W*(who)\s(?=is|was|has|had|won|made)", re.IGNORECASE)
_ASKS_WHEN = re.compile(r"\bwhen\b|\bbetween which\b|\bwhich (?:two )?years\b|\bperiod\b", re.IGNORECASE)


def final_answer(text: str, question: str = "", options: Sequence[str] = ()) -> str | None:
    """What a response gives as its answer: an option's letter where there are options, else a short text; None if none.

    >>> final_answer("The answer is 3. No: the final answer is $\\\\boxed{\\\\frac{1}{2}}$.")
    '\\\\frac{1}{2}'
    >>> final_answer("So, Tim needs $85 to buy 2 games.", "How much do 2 games cost?"), final_answer("It is a triangle.")
    ('$85', None)
    >>> final_answer("It looks acute.\\n\\n(b) 45 degrees", "", ("90 degrees", "45 degrees"))
    'B'
    """
    asked = asked_form(question, tuple(options))
    response = read_response(text)
    return next((answer for way in _WAYS for answer in way(response, asked) if answer), None)


_Answers = Iterator[str | None]


def _announced_answers(response: Response, asked: Asked) -> _Answers:
    """What boxes and words like "the answer is" announce, the last first; then what is boxed though it is none of the options."""
    boxed = [(start, response.text[start:end]) for start, end in boxes(response.text)]
    said = announcements(response.text, choices=asked.chooses)
    said = [one for one in said if not _NOT_AN_ANSWER.match(one[1].strip("*_ "))]
    found = sorted((*boxed, *said), key=itemgetter(0), reverse=True)
    yield from (_answer_in(announced, asked) for _, announced in found)
    bare = [bare_answer(box) for _, box in reversed(boxed)] if asked.chooses else []
    yield from (one for one in bare if _is_short(one) and any(map(str.isalnum, one)))


def _answer_in(text: str, asked: Asked) -> str | None:
    """The answer that a stretch of text gives, in the form of what is asked."""
    if asked.is_truth and (truth := stated_truth(text)) is not None:
        return asked.truth_answer(truth)
    if asked.options:
        place = chosen_option(text, asked.options)
        return None if place is None else asked.answer_at(place)
    bare = bare_answer(text.strip("*_ "))
    if _is_short(bare) and not _STATES.search(bare):
        return bare
    listed = _LIST.search(bare)
    return None if listed is None else listed.group()


def _is_short(text: str) -> bool:
    """Whether a text is short enough for an answer, and no formula that breaks off."""
    return text.count("{") == text.count("}") and len(text.split()) <= _SHORT and len(text) <= _SHORT_CHARACTERS


def _bare_lines(response: Response, asked: Asked) -> _Answers:
    """A last line, or else a first one, that is nothing but an answer: a truth, an option with little besides (“(B) 12 cm”), a value."""
    lines = response.lines
    ends = [*([] if response.breaks_off else lines[-1:]), *lines[:1]]
    for line in dict.fromkeys(ends):
        if asked.is_truth and (truth := first_truth(line)) is not None:
            yield asked.truth_answer(truth)
        else:
            yield _line_option(line, asked) if asked.options else _line_value(line, asked)
    is_name = len(lines) == 1 and _NAME.fullmatch(lines[0]) and _ASKS_WHICH.search(asked.asking)
    yield bare_answer(lines[0]) if is_name and not asked.options else None


def _line_option(line: str, asked: Asked) -> str | None:
    place = None if _CROSSED.search(line) else chosen_option(line, asked.options)
    option = "" if place is None else asked.options[place]
    is_bare = len(line.split()) <= len(option.split()) + 2 and len(line) <= len(option) + 25
    return asked.answer_at(place) if place is not None and is_bare else None


def _line_value(line: str, asked: Asked) -> str | None:
    """The value that a line consists of, one number with its unit or with the noun that the question counts (“12 votes”), with no other
    name than what is asked for: "x = 5" where x is."""
    if _SOLUTIONS.fullmatch(plain(line)):
        return line
    name, *_, value = _EQUALS.split(line) if _EQUALS.search(line) else ("", line)
    value = unnamed_answer(value)
    is_value = _is_quantity(value, asked) or _LIST.fullmatch(line) or _LETTERED.fullmatch(value)
    is_asked = asked.asking.partition(" if ")[0].rstrip(" ,.?$").endswith(name.strip(" $")) or _WORKED_OUT.match(line)
    return value if is_value and is_asked and _is_short(value) else None


def _is_quantity(value: str, asked: Asked) -> bool:
    number, _, noun = value.partition(" ")
    counts = noun.count(" ") < 2 and not stems(noun).isdisjoint(stems(asked.asking))
    return one_quantity(value) is not None or (counts and one_quantity(number) is not None)


def _bold_values(response: Response, asked: Asked) -> _Answers:
    """The last value that a sentence gives in bold."""
    bold = [bare_answer(match[1]) for match in _IN_BOLD.finditer(response.text) if not asked.options]
    yield from (bare for bare in reversed(bold) if len(quantities(plain(bare))) == 1 and len(bare.split()) <= _SHORT)


def _concluded_answers(response: Response, asked: Asked) -> _Answers:
    """What the sentences that conclude give, from the end; then those that repeat the question, then the last one, if the response does
    not break off; of a short one only if it takes up the question, works it out, or states the only number that could be meant."""
    whole, last = not response.breaks_off, response.sentences[-1:]
    cue, count, share = (_CONCLUDES, _MAX_SENTENCES, 0.6) if whole else (_SUGGESTS, 2, 0.75)
    order = [*filter(cue.search, response.sentences[: -count - 1 : -1]), *_restating(response.sentences, asked, share)]
    if whole and asked.question:
        long = asked.options or len(response.sentences) >= 3
        order += [one for one in last if long or _answers_question(one, asked)]
    yield from (_sentence_answer(sentence, asked) for sentence in order)


def _answers_question(sentence: str, asked: Asked) -> bool:
    """Whether a sentence takes up the question, works it out, or states the only number that could be meant, no bound of it and not what
    another name is equal to."""
    if _speaks_of(sentence, asked, 0.3) or _WORKED_OUT.search(sentence):
        return True
    return "=" not in sentence and len(_asked_numbers(plain(sentence), asked)) == 1 and not _BOUNDS.search(sentence)


def _restating(sentences: Sequence[str], asked: Asked, share: float) -> list[str]:
    """The sentences that say most of the question's words again: an opening one, which answers at once, and the last; none from before
    something is worked out."""
    if asked.is_truth:
        return []
    first = max((i for i, one in enumerate(sentences) if _WORKED_OUT.search(one)), default=0)
    again = [one for one in sentences[first:] if _speaks_of(one, asked, share)]
    opening = [one for one in again[:1] if one in sentences[:2] and _STATES.search(one) and not _PLANS.match(one)]
    return [*opening, *again[-1:]]


def _speaks_of(sentence: str, asked: Asked, share: float) -> bool:
    """Whether a sentence has at least this share of the question's words."""
    wanted = stems(asked.asking)
    return bool(wanted) and len(wanted & stems(sentence)) >= share * len(wanted)


def _sentence_answer(sentence: str, asked: Asked) -> str | None:
    """The answer of a sentence that concludes; none of a condition."""
    sentence = _LEADING_CONDITION.sub("", sentence)
    if leaves_open(sentence, asked.asking) and not _CONCLUDES.search(sentence):
        return None
    if asked.is_truth:
        return _answer_in(sentence, asked) if asked.options or stated_truth(sentence) is not None else None
    return _concluded_option(sentence, asked) if asked.options else _stated_value(sentence, asked)


def _concluded_option(sentence: str, asked: Asked) -> str | None:
    """The option that a sentence ends with, or names behind its last word of conclusion, or else gives by the only factor it names
    (“twice” is 2); values only behind the last "="."""
    sentence = _CONTRAST.sub("", sentence)
    if (closing := _CLOSING_LETTER.search(sentence)) is not None:
        return asked.option_called(closing[1])
    tail = sentence[sentence.rfind("=") + 1 :] if asked.has_values else sentence
    cues = list(_CONCLUDES.finditer(tail))
    for part in dict.fromkeys((tail[cues[-1].end() :] if cues else tail, tail)):
        place = _option_in(part, asked)
        own = "" if place is None else asked.options[place].strip(" .")
        if place is not None and not _REJECTS.search(re.sub(re.escape(own), "", part, flags=re.IGNORECASE)):
            return asked.answer_at(place)
    return None


def _option_in(text: str, asked: Asked) -> int | None:
    if (place := chosen_option(text, asked.options)) is not None:
        return place
    factors = [value for pattern, value in _FACTORS if pattern.search(text)]
    return chosen_option(number_text(factors[0]), asked.options) if len(factors) == 1 else None


def _stated_value(sentence: str, asked: Asked) -> str | None:
    """The value that a sentence gives: a list, the short formula that it ends with where one is asked for, no thing, the two years where a
    time is asked for, a number or a name."""
    if (listed := _LIST.search(sentence) or _SOLUTIONS.search(plain(sentence))) is not None:
        return listed.group()
    if _ASKS_FORMULA.search(asked.asking):
        formula = bare_answer(_IS.split(sentence)[-1])
        return formula if _FORMULA.search(formula) and _is_short(formula) else None
    if _NONE_THERE.search(sentence) and "how many" in asked.question.lower():
        return "0"
    return _years_in(sentence, asked) or _number_in(sentence, asked) or _name_in(sentence, asked)


def _years_in(sentence: str, asked: Asked) -> str | None:
    years = _PAIR.search(sentence) if _ASKS_WHEN.search(asked.question) else None
    if years is None or asked.numbers.issuperset(map(float, years.groups())):
        return None
    return f"{years[1]} to {years[2]}"


def _name_in(sentence: str, asked: Asked) -> str | None:
    """The name that a sentence gives the thing asked for (“the country is Peru”), or that it begins with and says of what the question
    asks: “July had the most rain”."""
    which = _ASKS_WHICH.search(asked.asking) or _ASKS_WHO.match(asked.asking)
    if which is None:
        return None
    named = _IS_NAMED.search(sentence)
    says_which = re.search(rf"\b{re.escape(which[1])}\b", sentence, re.IGNORECASE) or _speaks_of(sentence, asked, 0.5)
    name = named[1] if named is not None and says_which else _doer(sentence, asked)
    return name if name and _is_short(name) and not _REFUSES.match(name) else None


def _doer(sentence: str, asked: Asked) -> str:
    subject = _NAME_DOES.match(sentence)
    if subject is None or re.search(rf"\b{subject[2]}\b", asked.asking) is None:
        return ""
    return subject[1] if _speaks_of(sentence[subject.end() :], asked, 0.6) else ""


def _number_in(sentence: str, asked: Asked) -> str | None:
    """The number of a sentence that answers: one that the question does not hold, the last of several; in brackets only where none is
    outside; neither of “4 or 5”, unless they are one in two units."""
    flat = plain(sentence)
    outside = _IN_BRACKETS.sub(lambda aside: " " * len(aside.group()), flat)
    new = _asked_numbers(outside, asked) or _asked_numbers(flat, asked)
    if not new:
        return None
    other, chosen = new[-2:][0], new[-1]
    if flat[other.end : chosen.start].strip() == "or" and other.unit == chosen.unit:
        return None
    if chosen.spelled:
        return number_text(chosen.absolute)
    ratio = _RATIO_BEFORE.search(flat[: chosen.start])
    start = ratio.start() if ratio else chosen.start - flat[: chosen.start].endswith(("$", "-"))
    return flat[start : chosen.end].strip()


def _asked_numbers(flat: str, asked: Asked) -> list[Quantity]:
    """The numbers that the question does not hold and that can answer ("which room" only “room 2”), those before the noun that it counts
    first (the 6 of “6 subplots in 2 rows”), those in digits before those in words; of these none that points at something."""
    if _ASKS_NO_NUMBER.match(asked.asking):
        return []
    new = _new_numbers(flat, asked)
    if new and (counted := _COUNTED.search(asked.asking)) is not None:
        noun = re.compile(rf"\s(?:\w+\s)?{re.escape(counted[1])}", re.IGNORECASE)
        new = [quantity for quantity in new if noun.match(flat, quantity.end)] or new
    return [quantity for quantity in new if not quantity.spelled] or new


def _new_numbers(flat: str, asked: Asked) -> list[Quantity]:
    which = _ASKS_WHICH.search(asked.asking)
    named = re.compile(rf"\b{re.escape(which[1])}\W{{1,3}}(?:number\s)?$" if which else "", re.IGNORECASE)
    return [
        quantity
        for quantity in quantities(flat)
        if quantity.absolute not in asked.numbers
        and not (before := flat[: quantity.start]).rstrip(" {").endswith("^")
        and not (quantity.spelled and _POINTS.search(before))
        and (quantity.is_year or named.search(before))
    ]


def _options_called_right(response: Response, asked: Asked) -> _Answers:
    """The option that is called the right one: "C is the correct answer"."""
    found = [match[match.lastindex or 1] for match in _CALLED_RIGHT.finditer(response.text) if asked.chooses]
    yield from (asked.option_called(letter) for letter in reversed(found))


def _implied_truths(response: Response, asked: Asked) -> _Answers:
    """Whether the last sentences say what the question's statement says, or deny it."""
    truth = implied_truth(asked.question, response.sentences) if asked.is_truth else None
    yield None if truth is None else asked.truth_answer(truth)


def _values_beside_options(response: Response, asked: Asked) -> _Answers:
    """A value that is none of the options: announced in short (“The answer is 12 cm”), the last first, or reached by one who says that no
    option fits."""
    if not asked.chooses:
        return
    bare = [bare_answer(rest) for _, rest in reversed(announcements(response.text, choices=True))]
    yield from filter(_is_short_value, bare)
    if any(map(_NO_OPTION.search, response.sentences[-4:])):
        ends = (sentence[sentence.rfind("=") + 1 :] for sentence in reversed(response.sentences[-6:]))
        yield from (_number_in(end, asked) for end in ends)


def _is_short_value(text: str) -> bool:
    if not _is_short(text) or "=" in text or _NOT_AN_ANSWER.match(text):
        return False
    return any(not quantity.spelled for quantity in quantities(plain(text)))


_WAYS = (
    _announced_answers, _bare_lines, _bold_values, _concluded_answers, _options_called_right, _implied_truths,
    _values_beside_options,
)  # fmt: skip

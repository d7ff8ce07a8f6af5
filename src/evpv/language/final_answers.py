"""The final answer of a free-text response, as models give it: announced, boxed, on a line of its own, or concluded.

The ways are tried from the plainest to the least plain, each from the end of the text. Where no way leads to an answer
there is none: an unfinished response is not completed for its writer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evpv.language.answers import MAX_ANSWER_LENGTH, TRUTH_WORDS, bare_answer, chosen_option
from evpv.language.immutable import immutable
from evpv.language.quantities import Quantity, number_text, quantities
from evpv.language.text import plain
from evpv.language.tokens import stem

_MAX_READ = 20_000
_MAX_SENTENCES = 12
_ROUNDS, _SHORTEST_ROUND = 8, 12  # so many sentences of so many characters at least make a loop
_SHORT = 6  # words: longer answers are sentences, of which one value is the answer
_SHORT_CHARACTERS = 80  # for scripts that leave no room between words


# How responses announce, state, hedge and break off their answers.

_ANSWER_WORDS = (
    r"final\s+(?:value|result|list)|answer|correct\s+(?:option|choice|statement)|option|choice"
    r"|antwort|lösung|ergebnis|respuesta|réponse|reponse|risposta|resposta|ответ|odpowied[źz]|antwoord|svar(?:et)?|cevap|đáp án|trả lời|jawaban"
)
_IS = r"should be|would be|must be|will be|is|are|ist|lautet|es|est|è|é|är|jest|to|là|adalah"
_ANNOUNCEMENT = re.compile(
    rf"\b(?:{_ANSWER_WORDS})\b(?:\s+(?:to|for)\s+(?:the|your|this)\s+\w+)?(?:\s+(?:final\w?|corr?ect\w?|corretta|правильный))?[\s*_]{{0,5}}"
    rf"(?:(?:therefore|thus|then)\s+)?(?:(?:{_IS})\b(?:\s+(?:therefore|donc|daher|somit|dunque|quindi|la|el|le|il)\b){{0,2}}|[:：=])[\s*_:：]{{0,5}}"
    r"|(?:正确)?(?:答案|选项|答え|正解|정답|الإجابة|الجواب|उत्तर|תשובה)\s?(?:应该|应)?(?:是|为|選|选|は|은|는|:|：|हे|है|هي|هو)[\s*:：]{0,5}"
    r"|(?:故|应|因此|所以)?(?:答案)?选(?:择)?(?:答案)?[\s:：]{0,3}(?=[(（]?[A-J])",
    re.IGNORECASE,
)
_COPULA = re.compile(r"\s?(?:です|になります|番|번)?(?:입니다|이다|है)?(?:。|(?<!\.[A-Z])\.)?\s*$")
_NOT_AN_ANSWER = re.compile(r"(?:not|correct|incorrect|wrong|right|none|among|\\boxed|let)\b", re.IGNORECASE)
_SCRIPT_CHANGE = re.compile(r"(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])(?=[\d√\\$-])")  # “度数是50°” is two words
_BRACE = re.compile(r"\\boxed\s{0,3}\{|\\[{}]|[{}]")
_SENTENCE_END = re.compile(r"(?<!\.[A-Z])(?<!\d\))(?:[.!?](?=\s|$)|。)")  # not the last point of "1:15 P.M."
_SENTENCE_BREAK = re.compile(
    r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bMrs\.)(?<=[.!?])[\"')*]*\s+(?=[\"'(\[*]*[A-Z0-9$\\∠△])|。|\n+"
)
_MARKUP = re.compile(r"^[\s>#*†_-]+|[*_]{2}|`+")
_CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|so|consequently|in conclusion|conclusion|overall|finally|most reasonable|best estimate|closest|"
    r"most (?:likely|appropriate|accurate)|reasonable (?:estimate|answer)|best (?:answer|choice|match)|"
    r"only option|the answer|seems reasonable|somit|daher|folglich|por lo tanto|por tanto|donc|ainsi|par conséquent|quindi|pertanto|portanto|"
    r"следовательно|поэтому|zatem|dus|därför)\b|^因此|^所以|^따라서|^したがって|^よって|∴",
    re.IGNORECASE,
)
_SUGGESTS = re.compile(
    _CONCLUDES.pattern + r"|\bthis\b[\w\s]{0,30}\b(?:means|suggests|implies|indicates)\b", re.IGNORECASE
)
_CLOSING_LETTER = re.compile(r"(?:\bis|\bare|[=:])\s?[(（]?([A-J])[)）]\.?\s*$")
_LEADING_CONDITION = re.compile(r"^If\b.{1,300}?,\s(?:then|so)\b", re.IGNORECASE)
_EMPTY_BOX = re.compile(r"\\boxed\s?\{[\s.]?\}")
_NO_OPTION = re.compile(
    r"\b(?:none of|not? (?:among|one of|match|listed|in)|does(?:n't| not) match|no)\b[^.]{0,40}\b(?:options?|choices?)\b",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    r"\b(?:statement|claim|assertion|this|it)\b.{0,250}?\b(?:is|as|to be|be|must be|would be)\s+(?:\w+ly\s+|indeed\s+)?(?P<not>not\s+)?[*\"'“]{0,4}"
    r"(?P<word>true|false|correct|incorrect|accurate|inaccurate|right|wrong)\b(?!\s+(?:angle|triangle|answer|or\b))",
    re.IGNORECASE,
)
_FALSE_WORDS = frozenset({"false", "incorrect", "inaccurate", "wrong", "no"})
_FIRST_WORD = re.compile(r"[\W_]*(true|false|yes|no)(?=[*_]*[.,:;!]|[*_]*\s*$|\s+[-–—(])", re.IGNORECASE)
_TRUTH_WORD = re.compile(r"\b(true|false)\b", re.IGNORECASE)
_ASKS_TRUTH = re.compile(r"\btrue or false\b|\byes or no\b", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:not|no|never|cannot|isn't|doesn't|does not|neither|nor|without)\b|n't\b", re.IGNORECASE)
_CONDITIONAL = re.compile(
    r"\b(?:if|whether|would|unless|cannot (?:determine|conclude)|definitively|to determine|we need|question|asks)\b",
    re.IGNORECASE,
)
_ANNOUNCES_VALUE = re.compile(r"[=≈:]\s*$|\b(?:is|are|equals?)\s*:?\s*$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_ASKING_WORDS = frozenset(
    "what which who when where how many much is are was were do does did has have the of in on at to for and or by an it its this that be "
    "with from as there according shown figure find out unit answer question".split()
)
_ASKS_NO_NUMBER = re.compile(
    r"^\W*(?:(?:in|at|on|by|to|based on|according to)\s[^,?]{1,60},\s)?(?:why|where|who|whose|do|does|did|is|are|was|were|will|would|can"
    r"|could|should|has|have|what\s(?:will|would|can|could|might|kind|type|sort))\b",
    re.IGNORECASE,
)
_ASKS_WHICH = re.compile(r"\bwhich\s(?!number|value|digit|year|two|one\b)(?:of\s\w+\s)?(\w+)", re.IGNORECASE)
_OPTION_WORD = re.compile(r"(?:option|choice)\s{1,3}(?=[(*]{0,3}[A-Z]\b)", re.IGNORECASE)
_POINTS = re.compile(r"\b(?:these|those|the|both|between|bottom|top)\s+$", re.IGNORECASE)
_WORKED_OUT = re.compile(r"\d\s?[-+*/×÷−·x]\s?[$€£]?\d.{0,200}=")
_NONE_THERE = re.compile(r"\bthere (?:are|were|is|was) no\b", re.IGNORECASE)
_STATES_VALUE = re.compile(r"^there\b|\b(?:is|are|was|were|has|have)\b.{0,25}?\d", re.IGNORECASE)
_LIST = re.compile(r"[\[(]\s?-?\d[\d.]*(?:\s?,\s?-?\d[\d.]*)+\s?[\])]")
_BARE_LINE = re.compile(r"[-−$€£]?\d[\d,]*(?:\.\d+)?\s?(?:%|°)?\.?|\(?[A-Z]\)?\.?|\([A-Z]\)\s[^.\n]{1,40}")
_IN_BOLD = re.compile(r"\b(?:is|are|was|were|equals|by)\s(?:approximately |about )?\*\*([^*\n]{1,40})\*\*")
_STOPS = re.compile(r"[.!?。:][*_`)\]}\"'$|\\]*$")
_ONLY_BEGINS = re.compile(
    rf"(?=(?:{_CONCLUDES.pattern}))(?!.*(?:[=\d]|\b(?:is|are|was|were|has|have|needs?|costs?|spent|equals?|must|cannot|not)\b))",
    re.IGNORECASE,
)
_OPTION_LINE = re.compile(
    r"^option\s?[(（][a-j][)）]", re.IGNORECASE | re.MULTILINE
)  # of a response that goes through the options
_STATES = re.compile(r"\b(?:is|are|was|were|there|needs?|spent|has|have)\b")
_QUESTION_OR_OFFER = re.compile(
    r"\?\s*$|\b(?:i hope|let me know|anything else|feel free|happy to help|i can help)\b", re.IGNORECASE
)
_FENCE = re.compile(r"```\w{0,20}")
_DISPLAY = re.compile(r"\n(?:\\\[|\$\$)\s?")
_DISPLAY_END = re.compile(r"\s?(?:\\\]|\$\$)(?=\n|$)")
_AFTER_COLON = re.compile(r"[:：]\*{0,2}\n(?=\**(?:[-−$\[(\\]?\s?\d|[(（]?[A-Ja-j][)）]))(?!\d{1,2}[.)]\s)")
_REJECTS = re.compile(
    r"\b(?:not|unlikely|incorrect|impossible|rule[sd]? out|eliminat\w*|cannot|too (?:small|large|big|wide|narrow)|neither|none|between|than)\b|n't\b",
    re.IGNORECASE,
)
_MEETS = re.compile(
    r"\b(?:meets|satisfies|fits|matches|fulfills)\b.{0,40}\b(?:definition|criteria|requirements?|properties)\b",
    re.IGNORECASE,
)
_FACTORS = (
    (re.compile(r"\btwice\b|\bdouble\b", re.IGNORECASE), 2.0),
    (re.compile(r"\bhalf\b(?! of the)", re.IGNORECASE), 0.5),
)
_RATIO_BEFORE = re.compile(r"\d+(?:\.\d+)?\s?:\s?$")
_ASKS_WHEN = re.compile(r"\bwhen\b|\bbetween which\b|\bwhich (?:two )?years\b|\bperiod\b", re.IGNORECASE)
_PAIR = re.compile(r"\b(?:between|from)\s+(\d{4})\s+(?:and|to)\s+(\d{4})\b", re.IGNORECASE)
_NUMBERS = re.compile(r"\d+")


# The ways to an answer.


@immutable
class _Asked:
    """What a response answers: a choice between options, whether something is true, or a value."""

    question: str
    options: tuple[str, ...]
    is_truth: bool
    numbers: frozenset[float]

    @property
    def chooses(self) -> bool:
        """Whether it is a choice between options that are values or things, not true and false."""
        return bool(self.options) and not self.is_truth

    def answer_at(self, place: int) -> str:
        """An option as an answer: its letter, or its own word where that is plainer (True, B, yes)."""
        words = [option.strip(" ().") for option in self.options]
        named_by_letters = all(len(word) == 1 and word.isalpha() for word in words)
        return (
            words[place]
            if named_by_letters or {word.lower() for word in words} == {"true", "false"}
            else chr(ord("A") + place)
        )


@immutable
class _Response:
    """What a model wrote; `sentences` leaves out rows of tables, questions back and offers of help.

    `breaks_off`: it ends in the middle of a sentence or formula, so that its last words conclude nothing.
    """

    text: str
    sentences: tuple[str, ...]
    breaks_off: bool


def final_answer(text: str, question: str = "", options: Sequence[str] = ()) -> str | None:
    """What a response gives as its answer: an option's letter where there are options, else a short text; None if none.

    >>> final_answer("The answer is 3. No: the final answer is $\\\\boxed{\\\\frac{1}{2}}$.")
    '\\\\frac{1}{2}'
    >>> final_answer("So, Tim needs $85 to buy 2 games.", "How much do 2 games cost?"), final_answer("It is a triangle.")
    ('$85', None)
    >>> final_answer("It looks acute.\\n\\n(b) 45 degrees", "", ("90 degrees", "45 degrees"))
    'B'
    """
    asked = _asked_form(question, tuple(options))
    text = _EMPTY_BOX.sub("", text)
    response = _response(text if len(text) <= _MAX_READ else text[:2000] + "\n" + text[2000 - _MAX_READ :])
    return next((answer for way in _WAYS for answer in way(response, asked)), None)


def _response(text: str) -> _Response:
    """A response with every displayed formula and fenced value on the line that announces it."""
    lines = "\n".join(line.strip() for line in _FENCE.sub("\n", text.replace("\r", "")).split("\n") if line.strip())
    joined = _AFTER_COLON.sub(": ", _DISPLAY_END.sub("", _DISPLAY.sub("\n", lines)))
    joined = _SCRIPT_CHANGE.sub(" ", joined)
    parts = (_MARKUP.sub("", raw).strip() for raw in _SENTENCE_BREAK.split(joined))
    kept = tuple(part for part in parts if part and "|" not in part and not _QUESTION_OR_OFFER.search(part))
    return _Response(text=joined, sentences=kept, breaks_off=_breaks_off(text))


def _breaks_off(text: str) -> bool:
    """Whether a text ends in the middle: of a formula, of a quotation, of a sentence, or of going through the options."""
    last = text.rstrip().rpartition("\n")[2]
    if _is_formula_open(text) or (last.count('"') % 2 == 1 and last[-1:].isalpha()):
        return True
    if _loops(text):
        return True
    if _STOPS.search(last) or _CLOSING_LETTER.search(last):
        return False
    goes_through = _OPTION_LINE.match(last) is not None and len(_OPTION_LINE.findall(text)) > 1
    return len(last) > 60 or goes_through or _ONLY_BEGINS.match(last) is not None


def _loops(text: str) -> bool:
    """Whether a text goes round at its end: of many last lines or sentences only one or two differ in more than numbers."""
    parts = [_NUMBERS.sub("#", part).strip() for part in _SENTENCE_BREAK.split(text[-3000:]) if part.strip()]
    last = parts[-1 - _ROUNDS : -1]
    return len(last) == _ROUNDS and len(set(last)) <= 2 and len(last[0]) > _SHORTEST_ROUND


def _is_formula_open(text: str) -> bool:
    return text.count("\\[") > text.count("\\]") or text.count("$$") % 2 == 1 or text.rstrip().endswith(("=", "\\"))


def _asked_form(question: str, options: tuple[str, ...]) -> _Asked:
    words = {option.strip(" .").lower() for option in options}
    asks = not options and _ASKS_TRUTH.search(question) is not None
    is_truth = asks or words in ({"true", "false"}, {"yes", "no"})
    numbers = frozenset(quantity.absolute for quantity in quantities(plain(question[-4000:])))
    return _Asked(question=question, options=options, is_truth=is_truth, numbers=numbers)


def _announced_answers(response: _Response, asked: _Asked) -> Iterator[str]:
    """What boxes and words like "the answer is" announce, the last first; then what is boxed though it is none of the options."""
    boxes = [(start, response.text[start:end]) for start, end in _boxes(response.text)]
    rests = [(start, rest) for start, rest in _announcements(response) if not _NOT_AN_ANSWER.match(rest.strip("*_ "))]
    found = sorted((*boxes, *rests), key=lambda place: place[0], reverse=True)
    yield from filter(None, (_answer_in(announced, asked) for _, announced in found))
    bare = [bare_answer(box) for _, box in reversed(boxes)] if asked.chooses else []
    yield from (one for one in bare if _is_short(one) and any(map(str.isalnum, one)))


def _announcements(response: _Response) -> list[tuple[int, str]]:
    """Where answers are announced, and the rest of each sentence."""
    found = _ANNOUNCEMENT.finditer(response.text)
    return [(match.start(), _announcement_rest(response.text, match.end())) for match in found]


def _boxes(text: str) -> list[tuple[int, int]]:
    """Where the contents of every closed box begin and end."""
    boxes: list[tuple[int, int]] = []
    open_braces: list[re.Match[str]] = []
    for brace in _BRACE.finditer(text):
        if brace.group() == "}" and open_braces:
            opening = open_braces.pop()
            if opening.group() != "{":
                boxes.append((opening.end(), brace.start()))
        elif brace.group().endswith("{") and brace.group() != "\\{":
            open_braces.append(brace)
    return boxes


def _announcement_rest(text: str, start: int) -> str:
    """The rest of the sentence after an announcement, or the next line where nothing else stands on its own."""
    line = text[start : start + MAX_ANSWER_LENGTH].lstrip("\n\r\t :*_†`").partition("\n")[0]
    end = _SENTENCE_END.search(line, 2)
    return _COPULA.sub("", line[: end.start()] if end else line)


def _answer_in(text: str, asked: _Asked) -> str | None:
    """The answer that a stretch of text gives, in the form of what is asked."""
    if asked.is_truth and (truth := _truth_in(text)) is not None:
        return _shown_truth(truth, asked)
    if asked.options:
        place = chosen_option(text, asked.options)
        return None if place is None else asked.answer_at(place)
    return _value_in(text, asked)


def _truth_in(text: str) -> bool | None:
    """Whether a text calls it true: by its first word, by a judgement of the statement, or by the only such word in it."""
    first = _FIRST_WORD.match(text)
    if first is not None:
        return TRUTH_WORDS[first[1].lower()]
    stated = list(_STATEMENT.finditer(text[-600:]))
    if stated:
        return (stated[-1]["word"].lower() not in _FALSE_WORDS) != bool(stated[-1]["not"])
    words = {match[1].lower() for match in _TRUTH_WORD.finditer(_ASKS_TRUTH.sub("", text))}
    return TRUTH_WORDS[words.pop()] if len(words) == 1 and not _NEGATION.search(text) else None


def _shown_truth(truth: bool, asked: _Asked) -> str:
    place = next(
        (i for i, option in enumerate(asked.options) if TRUTH_WORDS.get(option.strip(" .").lower()) is truth), None
    )
    return str(truth) if place is None else asked.answer_at(place)


def _value_in(text: str, asked: _Asked) -> str | None:
    """A short text as it is; of a sentence only a list, since the sentence that concludes may come later."""
    bare = bare_answer(_OPTION_WORD.sub("", text.strip("*_ ")))
    if not bare:
        return None
    if _is_short(bare) and not _STATES.search(bare):
        return bare
    listed = _LIST.search(bare)
    return None if listed is None else listed.group()


def _is_short(text: str) -> bool:
    return len(text.split()) <= _SHORT and len(text) <= _SHORT_CHARACTERS


def _number_in(sentence: str, asked: _Asked) -> str | None:
    """The number of a sentence that answers: one that the question does not hold, after the last "=" or "is" if there are several."""
    flat = plain(sentence)
    new = [quantity for quantity in _new_numbers(flat, asked) if _is_asked_for(quantity, flat, asked)]
    if not new:
        return None
    after = [quantity for quantity in new if _ANNOUNCES_VALUE.search(flat[: quantity.start])]
    chosen = (after or new)[-1]
    if chosen.spelled:
        return number_text(chosen.absolute)
    ratio = _RATIO_BEFORE.search(flat[: chosen.start])
    start = ratio.start() if ratio else chosen.start - flat[: chosen.start].endswith(("$", "-"))
    return flat[start : chosen.end].strip()


def _is_asked_for(quantity: Quantity, flat: str, asked: _Asked) -> bool:
    """Whether a number can answer: not where a reason, a place or yes and no is asked for; "which room" by "room 2" alone."""
    asking = _asking_sentence(asked.question)
    if _ASKS_NO_NUMBER.match(asking):
        return False
    which = _ASKS_WHICH.search(asking)
    named = re.escape(which[1]) if which else ""
    return (
        which is None
        or quantity.is_year
        or re.search(rf"\b{named}\W{{1,3}}(?:number\s)?$", flat[: quantity.start], re.IGNORECASE) is not None
    )


def _new_numbers(flat: str, asked: _Asked) -> list[Quantity]:
    """The numbers of a sentence that the question does not hold; those in words only where none is in digits."""
    found = (one for one in quantities(flat) if not flat[: one.start].rstrip(" {").endswith("^"))
    new = [quantity for quantity in found if quantity.absolute not in asked.numbers]
    digits = [quantity for quantity in new if not quantity.spelled]
    return digits or [quantity for quantity in new if not _POINTS.search(flat[: quantity.start])]


def _bare_lines(response: _Response, asked: _Asked) -> Iterator[str]:
    """A last line, or else a first one, that is nothing but an answer."""
    lines = [line for raw in response.text.split("\n") if (line := _MARKUP.sub("", raw).strip())]
    ends = [*([] if response.breaks_off else lines[-1:]), *lines[:1]]
    answers = (_line_answer(line, asked) for line in dict.fromkeys(ends))
    yield from (answer for answer in answers if answer is not None)


def _bold_values(response: _Response, asked: _Asked) -> Iterator[str]:
    """The last value that a sentence gives in bold."""
    bold = [bare_answer(match[1]) for match in _IN_BOLD.finditer(response.text) if not asked.options]
    yield from (bare for bare in reversed(bold) if len(quantities(plain(bare))) == 1 and len(bare.split()) <= _SHORT)


def _line_answer(line: str, asked: _Asked) -> str | None:
    """The answer that a line consists of, with little besides where it names an option."""
    if asked.is_truth and (first := _FIRST_WORD.match(line)) is not None:
        return _shown_truth(TRUTH_WORDS[first[1].lower()], asked)
    if not asked.options:
        listed = _LIST.fullmatch(line)
        return bare_answer(line) if _BARE_LINE.fullmatch(line) else listed and listed.group()
    place = chosen_option(line, asked.options)
    option = "" if place is None else asked.options[place]
    is_bare = len(line.split()) <= len(option.split()) + 2 and len(line) <= len(option) + 25
    return asked.answer_at(place) if place is not None and is_bare else None


def _closing_letters(response: _Response, asked: _Asked) -> Iterator[str]:
    """The letter with which the last sentence ends, or else the first, as one fills in a gap."""
    ends = (*response.sentences[:1], *response.sentences[-1:]) if asked.options and not response.breaks_off else ()
    places = [ord(match[1].lower()) - ord("a") for end in ends for match in _CLOSING_LETTER.finditer(end)]
    yield from (asked.answer_at(place) for place in places[-1:] if place < len(asked.options))


def _concluded_answers(response: _Response, asked: _Asked) -> Iterator[str]:
    """What the sentences that conclude give, from the end; then those that repeat the question, then the last one."""
    cue = _SUGGESTS if response.breaks_off else _CONCLUDES
    concluding = [sentence for sentence in _recent(response) if cue.search(sentence)]
    last = _answering_end(response, asked)
    order = [*last, *concluding] if asked.options else [*concluding, *_restating(response.sentences, asked), *last]
    answers = (_sentence_answer(sentence, asked) for sentence in order)
    yield from (answer for answer in answers if answer is not None)


def _recent(response: _Response) -> tuple[str, ...]:
    """The last sentences, from the end; of a response that breaks off only two."""
    return response.sentences[: -3 if response.breaks_off else -_MAX_SENTENCES - 1 : -1]


def _answering_end(response: _Response, asked: _Asked) -> list[str]:
    """The last sentence of a response that does not break off; of a short one only if it takes up the question or works it out."""
    last = [] if response.breaks_off or not asked.question else list(response.sentences[-1:])
    if asked.options or len(response.sentences) >= 3:
        return last
    return [one for one in last if _speaks_of(one, asked, 0.3) or _WORKED_OUT.search(one) or _counts(one, asked)]


def _sentence_answer(sentence: str, asked: _Asked) -> str | None:
    """The answer of a sentence: of what stands behind its last "=" or word of conclusion, if that gives one."""
    sentence = _LEADING_CONDITION.sub("", sentence)
    if _CONDITIONAL.search(sentence) and not _CONCLUDES.search(sentence):
        return None
    if asked.is_truth:
        return _answer_in(sentence, asked)
    return _concluded_option(sentence, asked) if asked.options else _stated_value(sentence, asked)


def _stated_value(sentence: str, asked: _Asked) -> str | None:
    if (listed := _LIST.search(sentence)) is not None:
        return listed.group()
    if _NONE_THERE.search(sentence) and "how many" in asked.question.lower():
        return "0"
    pair = _PAIR.search(sentence) if _ASKS_WHEN.search(asked.question) else None
    if pair is not None and not {float(year) for year in pair.groups()} <= asked.numbers:
        return f"{pair[1]} to {pair[2]}"
    return _number_in(sentence, asked)


def _concluded_option(sentence: str, asked: _Asked) -> str | None:
    tail = sentence[sentence.rfind("=") + 1 :]
    cues = list(_CONCLUDES.finditer(tail))
    for part in dict.fromkeys((tail[cues[-1].end() :] if cues else tail, tail)):
        place = chosen_option(part, asked.options)
        factors = [value for pattern, value in _FACTORS if place is None and pattern.search(part)]
        if len(factors) == 1:
            place = chosen_option(number_text(factors[0]), asked.options)
        if place is not None and not _REJECTS.search(part):
            return asked.answer_at(place)
    return None


def _restating(sentences: Sequence[str], asked: _Asked) -> list[str]:
    """The sentences that say most of the question's words again: an opening one, which answers at once, and the last."""
    if asked.is_truth:
        return []
    again = [(i, one) for i, one in enumerate(sentences) if _speaks_of(one, asked, 0.6)]
    opening = [
        one for i, one in again[:1] if i < 2 and _STATES_VALUE.search(one) and not one.startswith(("To ", "We ", "Let"))
    ]
    return [*opening, *(one for _, one in again[-1:])]


def _counts(sentence: str, asked: _Asked) -> bool:
    return sentence.lower().startswith(("there are", "there were", "there is")) and "how many" in asked.question.lower()


def _speaks_of(sentence: str, asked: _Asked, share: float) -> bool:
    """Whether a sentence has at least this share of the question's words."""
    wanted = _stems(_asking_sentence(asked.question))
    return bool(wanted) and len(wanted & _stems(sentence)) >= share * len(wanted)


def _asking_sentence(question: str) -> str:
    asking = [part for part in _SENTENCE_BREAK.split(question[-600:]) if "?" in part]
    return asking[-1] if asking else question[-300:]


def _inferred_truth(response: _Response, asked: _Asked) -> Iterator[str]:
    """True where one of the last sentences says what the question's statement says, False where it denies it."""
    statement = _ASKS_TRUTH.split(asked.question)[0].strip().split(". ")[0]
    wanted = _stems(statement) - {"figure", "statement"}
    if not asked.is_truth or not wanted:
        return
    last = response.sentences[-3:] if response.breaks_off else response.sentences[-1:]
    for sentence in reversed(last) if not any(map(_CONDITIONAL.search, last)) else ():
        shared = wanted & _stems(sentence) if _names(statement) <= _names(sentence) else frozenset()
        says_it = len(shared) >= 0.75 * len(wanted) or (shared and _MEETS.search(sentence))
        if says_it:
            yield _shown_truth(bool(_NEGATION.search(sentence)) == bool(_NEGATION.search(statement)), asked)


def _names(text: str) -> frozenset[str]:
    """The names of lines and figures: what is said of every diameter is not said of AB."""
    return frozenset(word for word in _WORD.findall(text) if len(word) > 1 and word.isupper())


def _stems(text: str) -> frozenset[str]:
    words = (word for word in _WORD.findall(text.lower()) if len(word) > 1 and word not in _ASKING_WORDS)
    return frozenset(stem(word) for word in words)


def _announced_values(response: _Response, asked: _Asked) -> Iterator[str]:
    """A value that is announced in short and is none of the options."""
    bare = [bare_answer(rest) for _, rest in reversed(_announcements(response))] if asked.chooses else []
    short = (one for one in bare if _is_short(one) and "=" not in one and not _NOT_AN_ANSWER.match(one))
    yield from (one for one in short if quantities(plain(one)))


def _values_beside_options(response: _Response, asked: _Asked) -> Iterator[str]:
    """An answer that is none of the options, reached by one who says that no option fits."""
    if asked.chooses and not response.breaks_off and any(map(_NO_OPTION.search, response.sentences[-4:])):
        ends = (sentence[sentence.rfind("=") + 1 :] for sentence in reversed(response.sentences[-6:]))
        yield from filter(None, (_number_in(end, asked) for end in ends))


_WAYS = (
    _announced_answers, _bare_lines, _bold_values, _closing_letters, _concluded_answers, _inferred_truth, _announced_values,
    _values_beside_options,
)  # fmt: skip

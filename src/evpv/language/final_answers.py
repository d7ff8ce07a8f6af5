"""The final answer of a free-text response, as models give it: announced, boxed, on a line of its own, or concluded.

The ways are tried from the plainest to the least plain, each from the end of the text. Where no way leads to an answer
there is none: an unfinished response is not completed for its writer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evpv.language.answers import MAX_ANSWER_LENGTH, TRUTH_WORDS, bare_answer, chosen_option
from evpv.language.quantities import Quantity, number_text, quantities
from evpv.language.text import plain
from evpv.language.tokens import stem

_MAX_READ = 20_000
_MAX_SENTENCES = 12
_SHORT = 6  # words: longer answers are sentences, of which one value is the answer

_ANSWER_WORDS = (
    r"final\s+(?:value|result|list)|answer|correct\s+(?:option|choice|statement)|option|choice"
    r"|antwort|respuesta|réponse|reponse|risposta|resposta|ответ|odpowied[źz]|antwoord|svar|cevap|đáp án|jawaban"
)
_ANNOUNCEMENT = re.compile(
    rf"\b(?:{_ANSWER_WORDS})\b(?:\s+(?:to|for)\s+(?:the|your|this)\s+\w+)?[\s*_]{{0,5}}"
    r"(?:(?:therefore|thus|then)\s+)?(?:(?:should be|would be|must be|will be|is|are|ist|es|est|è|é)\b|[:：=])[\s*_:：]{0,5}"
    r"|(?:正确)?(?:答案|选项|答え|正解|정답|الإجابة|الجواب|उत्तर|תשובה)\s?(?:应该|应)?(?:是|为|選|选|は|:|：|हे|है|هي|هو)[\s*:：]{0,5}"
    r"|(?:故|应|因此|所以)?(?:答案)?选(?:择)?(?:答案)?[\s:：]{0,3}(?=[(（]?[A-J])",
    re.IGNORECASE,
)
_NOT_AN_ANSWER = re.compile(r"(?:not|correct|incorrect|wrong|right|none|among|\\boxed|let)\b", re.IGNORECASE)
_BRACE = re.compile(r"\\boxed\s{0,3}\{|\\[{}]|[{}]")
_SENTENCE_END = re.compile(r"(?<!\.[A-Z])(?<!\d\))(?:[.!?](?=\s|$)|。)")  # not the last point of "1:15 P.M."
_SENTENCE_BREAK = re.compile(r"(?<=[.!?])[\"')*]*\s+(?=[\"'(\[*]*[A-Z0-9$\\∠△])|。|\n+")
_MARKUP = re.compile(r"^[\s>#*†_-]+|[*_]{2}|`+")
_CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|so|consequently|in conclusion|conclusion|overall|finally|most reasonable|best estimate|closest|"
    r"most (?:likely|appropriate|accurate)|reasonable (?:estimate|answer)|best (?:answer|choice|match)|only option|the answer|seems reasonable)\b|^因此|^所以|∴",
    re.IGNORECASE,
)
_SUGGESTS = re.compile(_CONCLUDES.pattern + r"|\bthis (?:means|suggests|implies)\b", re.IGNORECASE)
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
_GIVES_VALUE = re.compile(
    r"\b(?:is|are|was|were|equals?|be|of|by|has|have|needs?|spent|costs?|totals?)\s+"
    r"(?:(?:a|an|the|approximately|about|roughly|only|exactly|around|total of)\s+)?[$€£]?$",
    re.IGNORECASE,
)
_ANNOUNCES_VALUE = re.compile(r"[=≈:]\s*$|\b(?:is|are|equals?)\s*:?\s*$", re.IGNORECASE)
_ASKS_WHEN = re.compile(r"\bwhen\b|\bbetween which\b|\bwhich (?:two )?years\b|\bperiod\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_ASKING_WORDS = frozenset(
    "what which who when where how many much is are was were do does did has have the of in on at to for and or by an it its this that be "
    "with from as there according shown figure find out unit answer question".split()
)
_OPTION_WORD = re.compile(r"(?:option|choice)\s{1,3}(?=[(*]{0,3}[A-Z]\b)", re.IGNORECASE)
_STATES_VALUE = re.compile(r"^there\b|\b(?:is|are|was|were|has|have)\b.{0,25}?\d", re.IGNORECASE)
_POINTS = re.compile(r"\b(?:these|those|the|both|between|bottom|top)\s+$", re.IGNORECASE)
_LIST = re.compile(r"[\[(]\s?-?\d[\d.]*(?:\s?,\s?-?\d[\d.]*)+\s?[\])]")
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
_PAIR = re.compile(r"\b(?:between|from)\s+(\d{4})\s+(?:and|to)\s+(\d{4})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What a response answers: a choice between options, whether something is true, or a value."""

    question: str
    options: tuple[str, ...]
    is_truth: bool
    numbers: frozenset[float]

    def shown(self, place: int) -> str:
        """An option as an answer: its letter, or its own word where that is plainer (True, B, yes)."""
        words = [option.strip(" ().") for option in self.options]
        named_by_letters = all(len(word) == 1 and word.isalpha() for word in words)
        return (
            words[place]
            if named_by_letters or {word.lower() for word in words} == {"true", "false"}
            else chr(ord("A") + place)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
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
    asked = _asked(question, tuple(options))
    response = _response(text if len(text) <= _MAX_READ else text[:2000] + "\n" + text[2000 - _MAX_READ :])
    ways = (_announced_answers, _bare_lines, _concluded_answers, _inferred_truth, _outside_answers)
    return next((answer for way in ways for answer in way(response, asked)), None)


def _response(text: str) -> _Response:
    """A response with every displayed formula and fenced value on the line that announces it."""
    lines = "\n".join(line.strip() for line in _FENCE.sub("\n", text.replace("\r", "")).split("\n") if line.strip())
    joined = _AFTER_COLON.sub(": ", _DISPLAY_END.sub("", _DISPLAY.sub("\n", lines)))
    sentences = [part for raw in _SENTENCE_BREAK.split(joined) if raw and (part := _MARKUP.sub("", raw).strip())]
    kept = [sentence for sentence in sentences if "|" not in sentence and not _QUESTION_OR_OFFER.search(sentence)]
    last = text.rstrip().rpartition("\n")[2]
    ends = len(last) <= 60 or last.rstrip("*_`)]}\"'$|\\").endswith((".", "!", "?", "。", ":"))
    open_formula = text.count("\\[") > text.count("\\]") or text.count("$$") % 2 == 1 or last.endswith(("=", "\\"))
    return _Response(text=joined, sentences=tuple(kept), breaks_off=open_formula or not ends)


def _asked(question: str, options: tuple[str, ...]) -> _Asked:
    words = {option.strip(" .").lower() for option in options}
    is_truth = (
        words == {"true", "false"} or words == {"yes", "no"} or (not options and bool(_ASKS_TRUTH.search(question)))
    )
    numbers = frozenset(quantity.absolute for quantity in quantities(plain(question[-4000:])))
    return _Asked(question=question, options=options, is_truth=is_truth, numbers=numbers)


def _announced_answers(response: _Response, asked: _Asked) -> Iterator[str]:
    """What boxes and words like "the answer is" announce, the last first."""
    text = response.text
    places = [(start, text[start:end]) for start, end in _boxes(text)]
    places += [(match.start(), _announced(text, match.end())) for match in _ANNOUNCEMENT.finditer(text)]
    for _, announced in sorted(places, key=lambda place: place[0], reverse=True):
        if not _NOT_AN_ANSWER.match(announced.strip("*_ ")) and (answer := _answer_in(announced, asked)) is not None:
            yield answer


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


def _announced(text: str, start: int) -> str:
    """The rest of the sentence after an announcement, or the next line where nothing else stands on its own."""
    line = text[start : start + MAX_ANSWER_LENGTH].lstrip("\n\r\t :*_†`").partition("\n")[0]
    end = _SENTENCE_END.search(line, 2)
    return line[: end.start()] if end else line


def _answer_in(text: str, asked: _Asked) -> str | None:
    """The answer that a stretch of text gives, in the form of what is asked."""
    if asked.is_truth and (truth := _truth_in(text)) is not None:
        return _shown_truth(truth, asked)
    if asked.options:
        place = chosen_option(text, asked.options)
        return None if place is None else asked.shown(place)
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
    return ("True" if truth else "False") if place is None else asked.shown(place)


def _value_in(text: str, asked: _Asked) -> str | None:
    """A short text as it is; of a sentence only a list, since the sentence that concludes may come later."""
    bare = bare_answer(_OPTION_WORD.sub("", text.strip("*_ ")))
    if not bare:
        return None
    if len(bare.split()) <= _SHORT and not re.search(r"\b(?:is|are|was|were|there|needs?|spent|has|have)\b", bare):
        return bare
    listed = _LIST.search(bare)
    return None if listed is None else listed.group()


def _number_in(sentence: str, asked: _Asked) -> str | None:
    """The number of a sentence that answers: one that the question does not hold, after the last "=" or "is" if there are several."""
    flat = plain(sentence)
    new = [quantity for quantity in quantities(flat) if quantity.absolute not in asked.numbers]
    new = [quantity for quantity in new if not quantity.spelled or not _POINTS.search(flat[: quantity.start])]
    new = [quantity for quantity in new if not quantity.spelled] or new
    if not new:
        return None
    after = [quantity for quantity in new if _ANNOUNCES_VALUE.search(flat[: quantity.start])]
    chosen: Quantity = (after or _after_verb(flat, new) or new)[-1]
    if chosen.spelled:
        return number_text(chosen.absolute)
    start = chosen.start - 1 if chosen.start and flat[chosen.start - 1] in "$-" else chosen.start
    return flat[start : chosen.end].strip()


def _after_verb(flat: str, found: Sequence[Quantity]) -> list[Quantity]:
    """The first number that stands right behind a verb or preposition that gives values."""
    return [quantity for quantity in found if _GIVES_VALUE.search(flat[max(0, quantity.start - 40) : quantity.start])][
        :1
    ]


def _bare_lines(response: _Response, asked: _Asked) -> Iterator[str]:
    """A last line, or else a first one, that is nothing but an answer."""
    lines = [line for raw in response.text.split("\n") if (line := _MARKUP.sub("", raw).strip())]
    for line in dict.fromkeys([*lines[-1:], *lines[:1]]):
        if asked.is_truth and (first := _FIRST_WORD.match(line)) is not None:
            yield _shown_truth(TRUTH_WORDS[first[1].lower()], asked)
        elif asked.options and _is_bare_option(line, asked.options):
            place = chosen_option(line, asked.options)
            assert place is not None
            yield asked.shown(place)
        elif not asked.options and re.fullmatch(
            r"[-−$€£]?\d[\d,]*(?:\.\d+)?\s?(?:%|°)?\.?|\(?[A-Z]\)?\.?|\([A-Z]\)\s[^.\n]{1,40}", line
        ):
            yield bare_answer(line)
        elif not asked.options and (listed := _LIST.fullmatch(line)) is not None:
            yield listed.group()


def _is_bare_option(line: str, options: tuple[str, ...]) -> bool:
    """Whether a line names an option and says little besides."""
    place = chosen_option(line, options)
    return (
        place is not None
        and len(line.split()) <= len(options[place].split()) + 2
        and len(line) <= len(options[place]) + 25
    )


def _concluded_answers(response: _Response, asked: _Asked) -> Iterator[str]:
    """What the sentences that conclude give, from the end; then those that repeat the question, then the last one."""
    sentences = response.sentences
    last = () if response.breaks_off or not asked.question else sentences[-1:]
    if not asked.options and len(sentences) < 3:
        last = tuple(one for one in last if _speaks_of(one, asked, 0.3))
    recent = sentences[-2:] if response.breaks_off else sentences[-_MAX_SENTENCES:]
    cue = _SUGGESTS if response.breaks_off else _CONCLUDES
    concluding = [sentence for sentence in reversed(recent) if cue.search(sentence)]
    order = [*last, *concluding] if asked.options else [*concluding, *_restating(sentences, asked), *last]
    for sentence in order:
        if (answer := _concluded(sentence, asked)) is not None:
            yield answer
    for sentence in reversed(recent if asked.is_truth else ()):
        if (truth := _truth_in(sentence)) is not None:
            yield _shown_truth(truth, asked)


def _concluded(sentence: str, asked: _Asked) -> str | None:
    """The answer of a sentence: of what stands behind its last "=" or word of conclusion, if that gives one."""
    if _CONDITIONAL.search(sentence) and not _CONCLUDES.search(sentence):
        return None
    if asked.is_truth:
        return _answer_in(sentence, asked)
    if asked.options:
        return _concluded_option(sentence, asked)
    if (listed := _LIST.search(sentence)) is not None:
        return listed.group()
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
            return asked.shown(place)
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


def _speaks_of(sentence: str, asked: _Asked, share: float) -> bool:
    """Whether a sentence has at least this share of the question's words."""
    wanted = _stems(asked.question[-300:])
    return bool(wanted) and len(wanted & _stems(sentence)) >= share * len(wanted)


def _inferred_truth(response: _Response, asked: _Asked) -> Iterator[str]:
    """True where one of the last sentences says what the question's statement says, False where it denies it."""
    statement = _ASKS_TRUTH.split(asked.question)[0].strip().split(". ")[0]
    wanted = _stems(statement) - {"figure", "statement"}
    if not asked.is_truth or not wanted:
        return
    for sentence in reversed(response.sentences[-3:] if response.breaks_off else response.sentences[-1:]):
        shared = wanted & _stems(sentence)
        says_it = len(shared) >= 0.75 * len(wanted) or (shared and _MEETS.search(sentence))
        if says_it and not _CONDITIONAL.search(sentence):
            yield _shown_truth(bool(_NEGATION.search(sentence)) == bool(_NEGATION.search(statement)), asked)


def _stems(text: str) -> frozenset[str]:
    words = (word for word in _WORD.findall(text.lower()) if len(word) > 1 and word not in _ASKING_WORDS)
    return frozenset(stem(word) for word in words)


def _outside_answers(response: _Response, asked: _Asked) -> Iterator[str]:
    """An answer that is none of the options: announced in short, or reached by one who says that no option fits."""
    if not asked.options or asked.is_truth:
        return
    announced = [_announced(response.text, match.end()) for match in _ANNOUNCEMENT.finditer(response.text)]
    for bare in map(bare_answer, reversed(announced)):
        if bare and len(bare.split()) <= _SHORT and not _NOT_AN_ANSWER.match(bare) and quantities(plain(bare)):
            yield bare
    if not response.breaks_off and any(map(_NO_OPTION.search, response.sentences[-4:])):
        for sentence in reversed(response.sentences[-6:]):
            if (number := _number_in(sentence[sentence.rfind("=") + 1 :], asked)) is not None:
                yield number

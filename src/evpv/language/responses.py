"""A free-text response as it was written: its text with formulas on their lines, its sentences, its boxes, and whether it breaks off."""

from __future__ import annotations

import re
from itertools import chain

from evpv.language.answers import MAX_ANSWER_LENGTH
from evpv.language.immutable import immutable

_MAX_READ = 20_000
_ROUNDS, _SHORTEST_ROUND = 8, 12  # so many sentences of so many characters at least make a loop
_LONG_LINE = 60  # characters: a shorter last line without a point may be whole

SENTENCE_BREAK = re.compile(
    r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bMrs\.)(?<=[.!?])[\"')*]*\s+(?=[\"'(\[*]*[A-Z0-9$\\∠△])|。|\n+"
)
_MARKUP = re.compile(r"^(?:[\s>#*†→⇒_]|-(?![\d.\\]))+|[*_]{2}|`+")
_EMPTY_BOX = re.compile(r"\\boxed\s?\{[\s.]?\}")
_BRACE = re.compile(r"\\boxed\s{0,3}\{|\\[{}]|[{}]")
_FENCE = re.compile(r"```\w{0,20}")
_DISPLAY = re.compile(r"\n(?:\\\[|\$\$)\s?")
_DISPLAY_END = re.compile(r"\s?(?:\\\]|\$\$)(?=\n|$)")
_AFTER_COLON = re.compile(r"[:：]\*{0,2}\n(?=\**(?:[-−$\[(\\]?\s?\d|[(（]?[A-Ja-j][)）]))(?!\d{1,2}[.)]\s)")
_EAST = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_SCRIPT_CHANGE = re.compile(rf"(?<={_EAST})(?=[\d√\\$-])|(?<=[A-Za-z\d])(?={_EAST})")  # “度数是50°” is two words
_QUESTION_OR_OFFER = re.compile(
    r"\?\s*$|\b(?:i hope|let me know|anything else|feel free|happy to help|i can help)\b", re.IGNORECASE
)
_STOPS = re.compile(
    r"(?:[.!?。:][*_`)\]}\"'$|\\]*|(?:\bis|\bare|[=:])\s?[(（]?[A-J][)）]\.?|[.!?:]\s[(（][A-Ja-j][)）]\s\S{1,20})$"
)
_ONLY_BEGINS = re.compile(
    r"(?:therefore|thus|hence|so|finally|conclusion)\b(?!.*(?:[=\d]|\b(?:is|are|was|were|has|have|needs?|costs?|spent|equals?|must|cannot|not)\b))",
    re.IGNORECASE,
)
_OPTION_LINE = re.compile(
    r"^[^\w\n]{0,5}(?:option\s)?\W?([a-j])[)）.:：]", re.IGNORECASE | re.MULTILINE
)  # of who goes through the options
_NUMBERS = re.compile(r"\d+")


# How answers are announced: the words for one, and the verbs that may stand between them and it.

_ANNOUNCERS = {
    r"final\s+(?:value|result|list)|final(?=\s?[:：])|answer|(?:correct|right|best)\s+(?:option|choice|statement|one)|option|choice": (
        "should be|would be|must be|will be|is|are"
    ),
    "antwort|lösung|ergebnis": "ist|lautet",
    "respuesta|resposta|risposta|r[ée]ponse|opci[óo]n|opção|opzione|alternativa": "es|é|è|est",
    "ответ": "это",
    "odpowied[źz]": "to|jest",
    "antwoord|svar(?:et)?": "is|är|er",
    "cevap": "şudur",
    "đáp án|trả lời": "là",
    "jawaban": "adalah",
    "答案|选项|選項|选择?(?=[\\s:：]{0,3}[(（]?[A-J])": "应该是|应是|应为|是|为|為|選|选|",
    "答え|正解": "は",
    "정답": "은|는",
    "उत्तर": "है|हे",
    "الإجابة|الجواب": "هي|هو",
    "תשובה": "היא",
}
_BEFORE_VERB = (
    r"(?:\s+(?:to|for)\s+(?:the|your|this)\s+\w+)?"
    r"(?:\s+(?:final\w?|corr?ect\w?|corretta|правильный|therefore|thus|then|here))?[\s*_\"']{0,5}"
)
_WORD_END = r"(?:(?<![a-z])|(?![a-z]))"
_AFTER_VERB = (
    rf"{_WORD_END}(?:\s+(?:therefore|donc|daher|somit|dunque|quindi|la|el|le|il|option|choice){_WORD_END}){{0,2}}"
)
_ANNOUNCEMENT = re.compile(
    "|".join(
        rf"(?<![a-z])(?:{words}){_WORD_END}{_BEFORE_VERB}(?:(?:{verbs}){_AFTER_VERB}|[:：=—>])[\s*_:：]{{0,5}}"
        for words, verbs in _ANNOUNCERS.items()
    ),
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:(?:i(?:'d|'ll| would| will)?|let(?: me|'s))\s(?:choose|pick|select|go with|stick with|opt for)|leaves(?: us with)?)\s"
    r"|\b(?:it|this|that)\s(?:should|must|has to)\sbe\s(?=\W{0,4}[A-J]\b)|\bit(?:['’]s|\sis)\s(?=\W{0,4}[A-J]\W{0,3}$)",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWER_END = re.compile(r"</.*|\"\s?[,}].*|\s?(?:です|になります|番|번)?(?:입니다|이다|है)?(?:。|(?<!\.[A-Z])\.)?\s*$")
_SENTENCE_END = re.compile(r"(?<!\.[A-Z])(?<!\d\))(?:[.!?](?=\s|$)|。)")  # not the last point of "1:15 P.M."


@immutable
class Response:
    """What a model wrote; `sentences` leaves out rows of tables, questions back and offers of help.

    `breaks_off`: it ends in the middle of a sentence or formula, or goes round, so that its last words conclude nothing.
    """

    text: str
    sentences: tuple[str, ...]
    breaks_off: bool

    @property
    def lines(self) -> list[str]:
        return [line for raw in self.text.split("\n") if (line := _MARKUP.sub("", raw).strip())]


def read_response(text: str) -> Response:
    """A response with every displayed formula and fenced value on the line that announces it; of a long one its ends."""
    text = _EMPTY_BOX.sub("", text).replace("\r", "")
    text = text if len(text) <= _MAX_READ else text[:2000] + "\n" + text[2000 - _MAX_READ :]
    lines = "\n".join(line.strip() for line in _FENCE.sub("\n", text).split("\n") if line.strip())
    joined = _AFTER_COLON.sub(": ", _DISPLAY_END.sub("", _DISPLAY.sub("\n", lines)))
    joined = _SCRIPT_CHANGE.sub(" ", joined)
    parts = (_MARKUP.sub("", raw).strip() for raw in SENTENCE_BREAK.split(joined))
    kept = tuple(part for part in parts if part and "|" not in part and not _QUESTION_OR_OFFER.search(part))
    return Response(text=joined, sentences=kept, breaks_off=_breaks_off(text))


def boxes(text: str) -> list[tuple[int, int]]:
    """Where the contents of every closed box begin and end."""
    found: list[tuple[int, int]] = []
    open_braces: list[re.Match[str]] = []
    for brace in _BRACE.finditer(text):
        if brace.group() == "}" and open_braces:
            opening = open_braces.pop()
            if opening.group() != "{":
                found.append((opening.end(), brace.start()))
        elif brace.group().endswith("{") and brace.group() != "\\{":
            open_braces.append(brace)
    return found


def announcements(text: str, *, choices: bool) -> list[tuple[int, str]]:
    """Where answers are announced, where there are `choices` by “I choose” too; and the rest of each sentence, or the next line where nothing
    else stands on its own, and of an object its value."""
    found: list[tuple[int, str]] = []
    for match in chain.from_iterable(way.finditer(text) for way in (_ANNOUNCEMENT, _CHOICE)[: 1 + choices]):
        line = text[match.end() : match.end() + MAX_ANSWER_LENGTH].lstrip("\n\r\t :*_†`").partition("\n")[0]
        end = _SENTENCE_END.search(line, 2)
        rest = _ANSWER_END.sub("", line[: end.start()] if end else line)
        found.append((match.start(), rest[: rest.rfind("}")] if rest.count("}") > rest.count("{") else rest))
    return found


def _breaks_off(text: str) -> bool:
    """Whether a text ends in the middle: of a formula, of a quotation, of a sentence, of a round, or of going through the options, where the
    last line takes up the option after the one before."""
    whole = text.rstrip()
    last = whole.rpartition("\n")[2]
    if _leaves_open(text) or whole.endswith(("=", "\\")) or _loops(text):
        return True
    letters = [letter.lower() for letter in _OPTION_LINE.findall(text)]
    if _OPTION_LINE.match(last) and len(letters) > 1 and ord(letters[-1]) == ord(letters[-2]) + 1:
        return True
    is_unfinished = len(last) > _LONG_LINE or _ONLY_BEGINS.match(last) is not None
    return is_unfinished and not _STOPS.search(last)


def _leaves_open(text: str) -> bool:
    """Whether a quotation or a formula is not closed."""
    last, end = text.rstrip().rpartition("\n")[2], text.rpartition("\n")[2]
    if last.count('"') % 2 == 1 and last[-1:].isalpha():
        return True
    return text.count("\\[") > text.count("\\]") or text.count("$$") % 2 == 1 or end.count("{") > end.count("}")


def _loops(text: str) -> bool:
    """Whether a text goes round at its end: of many last lines or sentences only one or two differ in more than numbers."""
    parts = [_NUMBERS.sub("#", part).strip() for part in SENTENCE_BREAK.split(text[-3000:]) if part.strip()]
    last = parts[-1 - _ROUNDS : -1]
    return len(last) == _ROUNDS and len(set(last)) <= 2 and len(last[0]) > _SHORTEST_ROUND

"""The final answer of a free-text solution, as models announce it."""

from __future__ import annotations

import re

MAX_ANSWER_LENGTH = 1000
_ANNOUNCEMENT = re.compile(
    r"\banswer\b[\s*_]{0,5}(?:(?:should be|would be|must be|will be|is|are)\b|[:：=])[\s*_:：]{0,5}", re.IGNORECASE
)
_NOT_AN_ANSWER = re.compile(r"(?:not|correct|incorrect|wrong|right|\\boxed)\b", re.IGNORECASE)
_BRACE = re.compile(r"\\boxed\s{0,3}\{|\\[{}]|[{}]")
_SENTENCE_END = re.compile(r"(?<!\.[A-Z])[.!?](?=\s|$)")  # not the last point of "1:15 P.M."
_LAST_POINT = re.compile(r"(?<!\.[A-Z])[.,;:]+$")
_OPTION = re.compile(r"(?:option|choice)\s{1,3}(?=[(*]{0,3}[A-Z]\b)", re.IGNORECASE)
_IN_TEXT_COMMAND = re.compile(r"\\(?:text|textbf|mathrm|mathbf)\{([^{}]*)\}")
_ONLY_AN_ANSWER = re.compile(r"\(?[A-Z]\)?|\([A-Z]\)\s[^.\n]{1,40}|[-−$]?\d[\d,]*(?:\.\d+)?%?")
_WRAPPINGS = (("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("**", "**"))


def final_answer(text: str) -> str | None:
    """What the text gives as its answer: the last of `\\boxed{...}`, "the answer is ..." and "Answer: ...".

    A text that is nothing but a number or an option, as short replies are, is its own answer.

    >>> final_answer("The answer is 3. No: the final answer is $\\\\boxed{\\\\frac{1}{2}}$.")
    '\\\\frac{1}{2}'
    >>> final_answer("### Final Answer: **(B)**"), final_answer("It is a triangle.")
    ('B', None)
    """
    found = [*_boxed(text), *((match.start(), match.end(), None) for match in _ANNOUNCEMENT.finditer(text))]
    for _, start, end in sorted(found, key=lambda place: place[0], reverse=True):
        answer = _clean(_announced(text, start) if end is None else text[start:end])
        if answer and not (end is None and _NOT_AN_ANSWER.match(answer)):
            return answer
    bare = text.strip().removesuffix(".")
    return _clean(bare) if _ONLY_AN_ANSWER.fullmatch(bare) else None


def _boxed(text: str) -> list[tuple[int, int, int | None]]:
    """Every closed box: where its command begins, and where its contents begin and end."""
    boxes: list[tuple[int, int, int | None]] = []
    open_braces: list[re.Match[str]] = []
    for brace in _BRACE.finditer(text):
        if brace.group() == "}" and open_braces:
            opening = open_braces.pop()
            if opening.group() != "{":
                boxes.append((opening.start(), opening.end(), brace.start()))
        elif brace.group().endswith("{") and brace.group() != "\\{":
            open_braces.append(brace)
    return boxes


def _announced(text: str, start: int) -> str:
    """The rest of the sentence after an announcement, or the next line where nothing else stands on its own."""
    line = text[start : start + MAX_ANSWER_LENGTH].lstrip().partition("\n")[0]
    sentence_end = _SENTENCE_END.search(line)
    answer = line[: sentence_end.start()] if sentence_end else line
    option = _OPTION.match(answer)
    return answer[option.end() :] if option else answer


def _clean(answer: str) -> str:
    """An answer without the markup, punctuation and brackets that surround it."""
    if len(answer) > MAX_ANSWER_LENGTH:
        return answer.strip()
    before = None
    while answer != before:
        before = answer
        answer = _LAST_POINT.sub("", answer.strip().strip("*_\"'`")).strip()
        for left, right in _WRAPPINGS:
            if len(answer) > len(left + right) and answer.startswith(left) and answer.endswith(right):
                answer = answer[len(left) : -len(right)]
        command = _IN_TEXT_COMMAND.fullmatch(answer)
        answer = command.group(1) if command else answer
        if len(answer) == 3 and answer[0] == "(" and answer[2] == ")":
            answer = answer[1]
    return answer

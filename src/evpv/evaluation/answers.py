"""Is a final answer right? Options, quantities with units and words are compared here; algebra goes to a process of its own.

Nothing is ever evaluated as Python, nothing hangs, and what cannot be decided in time is wrong and says so.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from evpv.language.answers import one_quantity, unnamed_answer
from evpv.language.quantities import Quantity, conversion
from evpv.language.text import plain
from evpv.workers import Calculator
from evpv.workers.child import Channel

_Way = Literal["no answer", "same text", "option", "quantity", "words", "algebra", "undecided"]

_LETTER = re.compile(r"\(?([A-Ja-j])\)?[.):]?(?:\s.*)?", re.DOTALL)
_ONLY_LETTER = re.compile(r"\(?([A-Ja-j])\)?[.):]?")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
_MATHEMATICAL = re.compile(r"\d|\\|[√π∞^]")
_FUNCTIONS = {"sqrt", "sin", "cos", "tan", "log", "frac", "pi", "infty", "cdot", "times", "left", "right", "and", "cup"}
_TIME = re.compile(r"(\d{1,2}):(\d{2})\s*([ap]\.?m\.?)?", re.IGNORECASE)
_RELATIVE = 1e-6
_MAX_LENGTH = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Comparison:
    """Whether two answers are the same, and by what they were compared."""

    equal: bool
    way: _Way


@dataclass(slots=True)
class AnswerChecker:
    """Compares given answers with gold ones. Holds a process: close it when done."""

    limit_s: float = 5.0
    _algebra: Calculator = field(init=False)

    def __post_init__(self) -> None:
        self._algebra = Calculator("evpv.evaluation.answers:_compare_formulas", self.limit_s)

    def __enter__(self) -> AnswerChecker:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        self._algebra.close()

    def compare(self, gold: str, given: str | None, options: Sequence[str] = ()) -> _Comparison:
        """The first way of comparing that both answers allow decides."""
        if given is None or not (mine := unnamed_answer(given)) or len(given) > _MAX_LENGTH:
            return _Comparison(equal=False, way="no answer")
        truth = unnamed_answer(gold)
        if (place := self._option(truth, options)) is not None:
            return _Comparison(equal=self._option(mine, options) == place, way="option")
        letters = [pattern.fullmatch(text) for pattern, text in ((_ONLY_LETTER, truth), (_LETTER, mine))]
        if not options and letters[0] and letters[1]:
            return _Comparison(equal=letters[0][1].lower() == letters[1][1].lower(), way="option")
        return self._by_value(truth, mine)

    def _option(self, answer: str, options: Sequence[str]) -> int | None:
        """Which option an answer is: by its letter alone, by its value if just one has it, by its letter with its value behind it."""
        lead = _LETTER.fullmatch(answer)
        place = ord(lead[1].lower()) - ord("a") if lead else len(options)
        rest = answer[lead.end(1) :].lstrip(" ).:") if lead else ""
        if place < len(options) and not rest:
            return place
        same = [index for index, option in enumerate(options) if self._by_value(unnamed_answer(option), answer).equal]
        if len(same) == 1:
            return same[0]
        is_named = place < len(options) and self._by_value(unnamed_answer(options[place]), rest).equal
        return place if is_named else None

    def _by_value(self, gold: str, given: str) -> _Comparison:
        if " ".join(gold.lower().split()) == " ".join(given.lower().split()):
            return _Comparison(equal=True, way="same text")
        times = [_TIME.fullmatch(text) for text in (gold, given)]
        if any(times):
            return _Comparison(equal=all(times) and _clock(times[0]) == _clock(times[1]), way="words")
        numbers = [one_quantity(text) for text in (gold, given)]
        if numbers[0] is not None and numbers[1] is not None:
            return _Comparison(equal=_same_quantity(numbers[0], numbers[1]), way="quantity")
        if any(map(_is_words, (gold, given))):
            return _Comparison(equal=_words(gold) == _words(given), way="words")
        reply = self._algebra.ask([gold, given])
        return _Comparison(equal=reply is True, way="undecided" if reply is None else "algebra")


def _same_quantity(gold: Quantity, given: Quantity) -> bool:
    """Units are converted; where one has none, the bare numbers count, and percent may stand for hundredths."""
    if gold.unit and given.unit and gold.unit != given.unit:
        factor = conversion(given.unit, gold.unit)
        return factor is not None and _near(gold.absolute, given.absolute * factor)
    if _near(gold.absolute, given.absolute):
        return True
    percent = {gold.unit, given.unit} == {"percent", None}
    shares = [q.absolute / 100 if q.unit == "percent" else q.absolute for q in (gold, given)]
    return percent and _near(shares[0], shares[1])


def _near(one: float, two: float) -> bool:
    return abs(one - two) <= _RELATIVE * max(abs(one), abs(two), 1e-12)


def _clock(found: re.Match[str] | None) -> tuple[int, int, str] | None:
    return (int(found[1]), int(found[2]), (found[3] or "").lower().replace(".", "")) if found else None


def _is_words(text: str) -> bool:
    """Whether it is language rather than mathematics: no sign of a formula, or a word that no formula has."""
    return not _MATHEMATICAL.search(text) or any(word.lower() not in _FUNCTIONS for word in _WORD.findall(text))


def _words(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s.%°/-]", " ", plain(text).lower()).split()).removesuffix(".")


def _compare_formulas(channel: Channel) -> None:
    """The process behind `AnswerChecker`: gets [gold, given], says whether math-verify finds them equal, until the starter has gone.

    The answer is null where either cannot be read. The first one says that sympy is loaded. Killed when too slow, so no signals here.
    """
    from math_verify import parse, verify  # here: what compares words and quantities does without it

    logging.disable(logging.CRITICAL)
    channel.receive()
    channel.send(b"")
    for message in channel.messages():
        read = [parse(f"${text}$", parsing_timeout=None) for text in json.loads(message)]
        same = bool(verify(read[0], read[1], timeout_seconds=None)) if all(read) else None
        channel.send(json.dumps(same).encode())

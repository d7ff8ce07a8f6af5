"""Times of day as they are said: noon, nine in the evening, 6 p.m., 18:00."""

from __future__ import annotations

import re

from evpv.language.number_words import clock_number
from evpv.language.quantities import hour_of_day, quantities

_TIME_WORD = re.compile(
    r"\b(?:12 )?(?P<word>noon|midday|midnight)\b"
    r"|\b(?P<hour>[a-z]+|\d\d?) (?P<half>in the (?:morning|afternoon|evening)|at night)\b"
)
_WRITTEN = re.compile(r"\d\d?(?::| ?[ap]\.?m)")


def said_times(text: str) -> list[tuple[int, int, float]]:
    """The times of day of a text, from where to where and in hours; “six o'clock” alone may be either of two.

    >>> [time for _, _, time in said_times("at noon, at nine in the evening and at 6 p.m.")]
    [12.0, 21.0, 18.0]
    """
    said = [(m.start(), m.end(), _worded_time(m)) for m in _TIME_WORD.finditer(text)]
    worded = [(start, end, time) for start, end, time in said if time is not None]
    sure = (q for q in quantities(text) if q.unit == "time" and (q.value >= 12 or _WRITTEN.match(text, q.start)))
    clock = ((q.start, q.end, q.value) for q in sure)
    return worded + [one for one in clock if not any(start <= one[0] < end for start, end, _ in worded)]


def _worded_time(match: re.Match[str]) -> float | None:
    if match["word"]:
        return 0.0 if match["word"] == "midnight" else 12.0
    hour = clock_number(match["hour"])
    return None if hour is None or hour > 12 else float(hour_of_day(hour, match["half"]))

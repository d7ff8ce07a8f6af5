"""When two final answers are the same answer, for counting votes."""

from __future__ import annotations

import re
from functools import lru_cache

from evpv.premises.normalize.numbers import quantities
from evpv.premises.normalize.text import plain

_OPTION = re.compile(r"^\(([A-Ja-j])\)|^([A-Ja-j])(?:[.):]|$)")
_LEAD = re.compile(r"^(?:(?:the )?(?:final )?answer(?: is)?|option|choice|[a-z] ?=)\s*:?\s*", re.IGNORECASE)


def answer_key(answer: str | None, options: tuple[str, ...] = ()) -> str | None:
    r"""A form that equal answers share; None for no answer. An option's text and its letter are one answer.

    >>> answer_key("54°", ("36°", "54°")), answer_key("(B) 54", ("36°", "54°")), answer_key("90°", ("36°", "54°"))
    ('b', 'b', '90')
    """
    key = _key(answer)
    if key is None or not options or (len(key) == 1 and key.isalpha()):
        return key
    letters = [chr(ord("a") + index) for index, option in enumerate(options[:10]) if _key(option) == key]
    return letters[0] if len(letters) == 1 else key


@lru_cache(maxsize=1024)
def _key(answer: str | None) -> str | None:
    r"""The form of one answer by itself.

    >>> _key(r"$\frac{1}{2}$") == _key("0.5") == _key("x = 1/2")
    True
    >>> _key("(B)"), _key("B. 12 cm"), _key("12 cm"), _key("1,200"), _key(" "), _key("Yes.")
    ('b', 'b', '12', '1200', None, 'yes')
    """
    if answer is None:
        return None
    text = _LEAD.sub("", plain(answer[:500])).lstrip(" *").rstrip(" .*")
    if not text:
        return None
    option = _OPTION.match(text)
    if option:
        return (option[1] or option[2]).lower()
    numbers = quantities(text)
    if len(numbers) == 1 and len(text) < 40:
        return f"{numbers[0].absolute:.10g}"
    return " ".join(text.lower().split())

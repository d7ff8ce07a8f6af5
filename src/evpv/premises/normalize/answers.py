"""When two final answers are the same answer, for counting votes."""

from __future__ import annotations

import re
from functools import lru_cache

from evpv.premises.normalize.numbers import quantities
from evpv.premises.normalize.text import plain

_OPTION = re.compile(r"^\(?([A-Ja-j])\)?(?:[.):]|$)")
_LEAD = re.compile(r"^(?:(?:the )?(?:final )?answer(?: is)?|option|choice|[a-z] ?=)\s*:?\s*", re.IGNORECASE)


@lru_cache(maxsize=1024)
def answer_key(answer: str | None) -> str | None:
    r"""A form that equal answers share; None for no answer.

    >>> answer_key(r"$\frac{1}{2}$") == answer_key("0.5") == answer_key("x = 1/2")
    True
    >>> answer_key("(B)"), answer_key("B. 12 cm"), answer_key("12 cm"), answer_key("1,200"), answer_key(" "), answer_key("Yes.")
    ('b', 'b', '12', '1200', None, 'yes')
    """
    if answer is None:
        return None
    text = _LEAD.sub("", plain(answer[:500])).lstrip(" *").rstrip(" .*")
    if not text:
        return None
    option = _OPTION.match(text)
    if option:
        return option[1].lower()
    numbers = quantities(text)
    if len(numbers) == 1 and len(text) < 40:
        return f"{numbers[0].absolute:.10g}"
    return " ".join(text.lower().split())

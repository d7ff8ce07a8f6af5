"""The stretches of an extractor's answer that never vary: one token each in a tokenizer of our own.

The answer itself is `facts_text(canonical(…))` of `backends/verifier_text.py`, which scoring writes too.
"""

from __future__ import annotations

from collections.abc import Sequence

_SYMMETRIC = ("parallel", "perpendicular", "equal", "adjacent")
_UNITS = ("null", '"cm"', '"m"', '"ft"', '"deg"', '"%"')
_ATTRIBUTES = ("length", "angle", "value")


def json_runs(measures: Sequence[str] = ()) -> tuple[str, ...]:
    """Stretches of that JSON which never vary, to be one token each: an answer then has tens of tokens, not hundreds.

    `measures` are column heads that follow a row's name in an entity.
    """
    opening = '{"category": '
    heads = [f'{opening}"numeric", "entity": "{kind}' for kind in ("segment ", "angle ", "")]
    heads += [f'{opening}"relation", "type": "{kind}", "entities": ["' for kind in (*_SYMMETRIC, "incident")]
    heads.append(f'{opening}"structure", "type": "table", "parts": ["')
    middles = [f'", "attribute": "{name}", "value": ' for name in _ATTRIBUTES]
    tails = [f', "unit": {unit}, "confidence": 1.0}}' for unit in _UNITS]
    tails.append('"], "direction": null, "confidence": 1.0}')
    tails.append('"], "attachment": [], "adjacency": [], "confidence": 1.0}')
    return ("[", *heads, *middles, '", "', *(tail + end for tail in tails for end in (", ", "]")), *measures)

"""How sure a model was of its label: the probability of "right" against "wrong" at the place where it wrote one of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from evpv.protocols import Token

RIGHT, WRONG = "+", "-"
"""Labels of a single token each; "1" and "-1" of the paper's JSON are told apart by their first character."""

_JSON_LABEL = re.compile(r'"judgments?"\s*:')
_LIST_ITEM = re.compile(r'[\[,](?=\s*"?[-−+]?1)')
_LEAD = " \t\r\n\"'"


def from_labels(logprobs: Mapping[str, float]) -> float | None:
    """P(right) from the log-probabilities of the two labels as the answer's first token, None unless both are there."""
    if RIGHT not in logprobs or WRONG not in logprobs:
        return None
    return 1 / (1 + math.exp(min(700.0, logprobs[WRONG] - logprobs[RIGHT])))


def from_tokens(tokens: Sequence[Token]) -> list[float | None]:
    """P(right) of each label in the paper's JSON answer, in order; None where the place is not one for a label.

    >>> tokens = [Token(text='{"judgment":', logprob=0.0), Token(text=" -1", logprob=-0.1, top={" -1": -0.1, " 1": -2.4})]
    >>> [round(p, 2) for p in from_tokens(tokens)]
    [0.09]
    """
    text = "".join(token.text for token in tokens)
    keys = list(_JSON_LABEL.finditer(text))
    if not keys:
        return []
    start = keys[-1].end()
    if not text[start:].lstrip().startswith("["):
        return [probability_at(tokens, start)]
    return [probability_at(tokens, item.end()) for item in _LIST_ITEM.finditer(text, start)]


def probability_at(tokens: Sequence[Token], start: int) -> float | None:
    """P(right) of the label that is written after character `start`.

    Tokenizers split " -1" in their own ways: as one token, as " -" and "1", or with the space on its own before "1".
    So the way to the label is walked token by token; where the space alone is an alternative to " -", it leads to "1".
    """
    right = wrong = 0.0
    reached = 1.0
    for token, head in _from(tokens, start):
        chosen = _sign(token.text[len(head) :])
        masses = _masses({**token.top, token.text: token.logprob}, head)
        right += reached * masses["right"]
        wrong += reached * masses["wrong"]
        if chosen == "blank":
            reached *= math.exp(token.logprob)
            continue
        if chosen == "other":
            return None
        joined = bool(head) or token.text[0] in _LEAD
        if joined and chosen == "wrong":
            right += reached * masses["blank"]
        elif joined and chosen == "right":
            wrong += reached * masses["blank"]
        return _share(right, wrong, unseen=reached * masses["unseen"])
    return None


def _from(tokens: Sequence[Token], start: int) -> Iterator[tuple[Token, str]]:
    """The tokens that reach beyond character `start`, each with the part of it that stands before."""
    position = 0
    for token in tokens:
        end = position + len(token.text)
        if end > start:
            yield token, token.text[: max(0, start - position)]
        position = end


def _masses(logprobs: Mapping[str, float], head: str) -> dict[str, float]:
    """Probability by what a token would begin, and the most that a label not among them can have had."""
    masses = {"right": 0.0, "wrong": 0.0, "blank": 0.0, "other": 0.0}
    for text, logprob in logprobs.items():
        kind = _sign(text[len(head) :]) if text.startswith(head) else "other"
        masses[kind] += math.exp(logprob)
    left = max(0.0, 1.0 - sum(masses.values()))
    return {**masses, "unseen": min(left, math.exp(min(logprobs.values())))}


def _sign(text: str) -> str:
    rest = text.lstrip(_LEAD)
    if not rest:
        return "blank"
    if rest[0] in "-−":
        return "wrong"
    return "right" if rest[0] in "1+" else "other"


def _share(right: float, wrong: float, unseen: float) -> float | None:
    """P(right); a label that is not among the alternatives has at most what is left."""
    if right == 0.0:
        right = unseen
    elif wrong == 0.0:
        wrong = unseen
    return right / (right + wrong) if right + wrong > 0 else None

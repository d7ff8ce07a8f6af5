"""How a verifier is asked: picture, question and facts in the user's turn; the steps, each ended by the marker, in the other.

Training and scoring must write this to the letter alike: a label is read where it was taught, at the marker.
"""

from __future__ import annotations

from typing import Any

from evpv.errors import ConfigError
from evpv.training.architecture import LABELS, MARKER


def verifier_prefix(processor: Any, text: str, images: int = 1) -> str:
    """Everything before the first step: the same for all candidates of a problem."""
    content: list[dict[str, str]] = [{"type": "image"}] * images + [{"type": "text", "text": text}]
    turns = [{"role": "user", "content": content}]
    return str(processor.apply_chat_template(turns, tokenize=False, add_generation_prompt=True))


def step_text(text: str) -> str:
    """One step with its end: what is inside a step cannot end it."""
    return f"{text.replace(MARKER, ' ').strip()}{MARKER}\n"


def label_ids(processor: Any) -> tuple[int, int, int]:
    """The token numbers of the marker, of "+" and of "-"; a tokenizer that cuts one of them in two is refused."""
    numbers = []
    for token in (MARKER, *LABELS):
        ids = processor.tokenizer(token, add_special_tokens=False)["input_ids"]
        if len(ids) != 1:
            raise ConfigError(f"{token!r} is {len(ids)} tokens in this tokenizer; a label must be read from one.")
        numbers.append(ids[0])
    return numbers[0], numbers[1], numbers[2]

"""The tokenizer of a new model: Qwen's form, merges from the corpus's own words, and one token for what never varies.

The answer that an extractor writes is `facts_text(canonical(…))` of `backends/verifier_text.py`, which scoring writes too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import Qwen2Tokenizer

from evpv.backends.step_forms import MARKER
from evpv.backends.verifier_text import canonical, facts_text
from evpv.errors import ConfigError
from evpv.records import constraints_from_json
from evpv.training.data.pictures import Picture
from evpv.training.data.trajectories import Trajectory

LABELS = ("+", "-")
"""A right and a wrong step, each one token."""
SPECIALS = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>",
    MARKER, "<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>",
    "<|image_pad|>", "<|video_pad|>",
)  # fmt: skip

# Qwen's way of cutting text before BPE (words with the space before them, punctuation, space), but for one thing:
# digits and the capital letters of geometry stand alone, so that AB in a figure, a fact and a step is the same two tokens.
_PIECES = (
    r"\p{Lu}(?!\p{Ll})|(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{Lu}?[\p{L}&&\P{Lu}]+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

_SYMMETRIC = ("parallel", "perpendicular", "equal", "adjacent")
_UNITS = ("null", '"cm"', '"m"', '"ft"', '"deg"', '"%"')
_ATTRIBUTES = ("length", "angle", "value")
_OFTEN = 20
_TEXTS = 40_000


def texts_of(pictures: Sequence[Picture], trajectories: Sequence[Trajectory] = ()) -> list[str]:
    """Questions, targets and steps, as far as a tokenizer needs to see."""
    texts = [picture.question for picture in pictures]
    texts += [facts_text(canonical(constraints_from_json(list(picture.constraints)))) for picture in pictures[:_TEXTS]]
    texts += [step for row in trajectories[:_TEXTS] for step in row.steps]
    return [text for text in texts if text]


def runs_of(pictures: Sequence[Picture]) -> tuple[str, ...]:
    """The fixed stretches of the JSON, and the row names and column heads that occur often.

    A name is then the same token in a table's facts, in a question and in a step, which is what a small model can match.
    """
    counts: Counter[str] = Counter()
    for picture in pictures:
        heads = [part for fact in picture.constraints for part in fact.get("parts", ())]
        counts.update(heads)
        for fact in picture.constraints:
            for head in heads[1:]:
                if fact.get("entity", "").endswith(f" {head}"):
                    counts[fact["entity"].removesuffix(f" {head}")] += 1
    names = sorted((name for name, count in counts.items() if count >= _OFTEN), key=lambda name: (-len(name), name))
    return json_runs(names)


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


def make_tokenizer(corpus: Iterable[str], vocabulary: int, runs: Sequence[str] = ()) -> Any:
    """A byte-level BPE in Qwen's form: the special tokens come after the ordinary ones, digits are never merged."""
    room = vocabulary - len(SPECIALS) - len(runs)
    if room < 256:
        raise ConfigError(f"a vocabulary of {vocabulary} leaves {room} tokens for text; byte-level BPE needs 256.")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=room, initial_alphabet=alphabet, special_tokens=[], show_progress=False, min_frequency=2
    )
    tokenizer.train_from_iterator(corpus, trainer)
    tokenizer.add_tokens([AddedToken(run, normalized=False) for run in runs])
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in SPECIALS])
    return Qwen2Tokenizer(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        unk_token=None,  # type: ignore[arg-type]
        bos_token=None,
        additional_special_tokens=list(SPECIALS[2:]),
        model_max_length=32768,
    )

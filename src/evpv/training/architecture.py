"""A plain Qwen2.5-VL of any size, with a tokenizer of our own: for the mini models, the smoke chain and the tests.

The classes are those of the released checkpoints, so whatever loads those (transformers, vLLM, TRL) loads these, and
code that works here works there. Only sizes, vocabulary and chat template are ours: the tokenizer has Qwen's form, merges
from the corpus's own words, and one token for what never varies in an extractor's answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from evpv.backends.step_forms import MARKER, canonical, facts_text
from evpv.errors import ConfigError
from evpv.training.pictures import Picture
from evpv.training.trajectories import Trajectory

_SPECIALS = (
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
    texts += [facts_text(canonical(picture.facts)) for picture in pictures[:_TEXTS]]
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
    return _json_runs(names)


def _json_runs(measures: Sequence[str] = ()) -> tuple[str, ...]:
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


def _make_tokenizer(corpus: Iterable[str], vocabulary: int, runs: Sequence[str] = ()) -> Any:
    """A byte-level BPE in Qwen's form: the special tokens come after the ordinary ones, digits are never merged."""
    room = vocabulary - len(_SPECIALS) - len(runs)
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
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in _SPECIALS])
    tokens: dict[str, Any] = {
        "eos_token": "<|im_end|>",
        "pad_token": "<|endoftext|>",
        "unk_token": None,
        "bos_token": None,
    }
    others = list(_SPECIALS[2:])
    return transformers.Qwen2Tokenizer(
        tokenizer_object=tokenizer, **tokens, additional_special_tokens=others, model_max_length=32768
    )


_CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}"
    "{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' or 'image' in part or 'image_url' in part %}"
    "<|vision_start|><|image_pad|><|vision_end|>"
    "{% elif 'text' in part %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""Qwen's turns without its default system turn, which a small model would read again and again for nothing."""

_SENTENCES = (
    "Find the length of AB. The figure labels segment AB as 12 cm, so AB = 12 cm.",
    '[{"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 12, "unit": "cm"}]',
    "Angle ABC is 65 degrees. The table shows 40 for Monday. So the answer is 25. This is option B.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How large the two towers are. `pixels` bounds what the image processor makes of a picture, in 28 px cells."""

    hidden: int = 64
    layers: int = 2
    heads: int = 4
    key_value_heads: int = 2
    inner: int = 128
    vision_hidden: int = 64
    vision_layers: int = 2
    vision_heads: int = 4
    vision_inner: int = 128
    full_attention: tuple[int, ...] = (1,)
    vocabulary: int = 512
    pixels: tuple[int, int] = (56 * 56, 112 * 112)
    still: bool = False  # one frame per patch instead of two: half the patch embedding, for pictures only
    spread: float = 0.02  # standard deviation of the first weights; narrow towers need more than Qwen's 0.02


SIZES: dict[str, Size] = {
    "toy": Size(),
    "small": Size(
        hidden=128, layers=4, inner=344, vision_hidden=128, vision_layers=4, vision_inner=344, full_attention=(1, 3),
        vocabulary=1024,
    ),
    "bench": Size(
        hidden=512, layers=8, heads=8, key_value_heads=4, inner=1376, vision_hidden=320, vision_layers=8, vision_heads=8,
        vision_inner=864, full_attention=(3, 7), vocabulary=2048, pixels=(56 * 56, 448 * 448),
    ),
    "mini": Size(
        hidden=128, layers=4, inner=344, vision_hidden=128, vision_layers=4, vision_inner=256, full_attention=(1, 3),
        vocabulary=1024, pixels=(168 * 112, 168 * 112), still=True, spread=0.06,
    ),
}  # fmt: skip
"""`toy` for tests (a quarter of a million parameters), `mini` for the shipped models, `bench` for speed (38 M)."""


def build(
    folder: str | Path,
    *,
    size: Size | str = "toy",
    seed: int = 0,
    corpus: Iterable[str] = _SENTENCES,
    runs: Sequence[str] = (),
    tokenizer: Any = None,
) -> Path:
    """Save an untrained model with its processor in a folder that the Auto classes load offline, and return the folder.

    `corpus` is what the byte-level BPE learns its merges from; `runs` are stretches of text (such as the fixed parts of
    the constraint JSON) that become one ordinary token each. Equal arguments give equal weights.
    A `tokenizer` that is there, such as the released one, decides the size of the vocabulary.
    """
    chosen = _size_of_name(size)
    if tokenizer is None:
        tokenizer = _make_tokenizer(corpus, chosen.vocabulary, runs)
    generator_state = torch.random.get_rng_state()
    torch.manual_seed(seed)
    model = transformers.Qwen2_5_VLForConditionalGeneration(_config(chosen, tokenizer))  # type: ignore[no-untyped-call]
    torch.random.set_rng_state(generator_state)
    ends = tokenizer.convert_tokens_to_ids(["<|im_end|>", "<|endoftext|>"])
    model.generation_config = transformers.GenerationConfig(  # type: ignore[no-untyped-call]
        do_sample=False, eos_token_id=ends, pad_token_id=tokenizer.pad_token_id, max_new_tokens=512
    )
    model.save_pretrained(folder)
    shortest, longest = chosen.pixels
    frames = 1 if chosen.still else 2
    size_px = {"shortest_edge": shortest, "longest_edge": longest}
    processor = transformers.Qwen2_5_VLProcessor(  # type: ignore[no-untyped-call]
        image_processor=transformers.Qwen2VLImageProcessor(size=size_px, temporal_patch_size=frames),
        video_processor=transformers.Qwen2VLVideoProcessor(temporal_patch_size=frames),
        tokenizer=tokenizer,
        chat_template=_CHAT_TEMPLATE,
    )
    processor.save_pretrained(folder)
    return Path(folder)


def config_of_size(size: Size | str) -> Any:
    """The configuration that a new model of this size has, without its weights."""
    chosen = _size_of_name(size)
    return _config(chosen, _make_tokenizer(_SENTENCES, chosen.vocabulary))


def _size_of_name(size: Size | str) -> Size:
    if isinstance(size, Size):
        return size
    if size not in SIZES:
        raise ConfigError(f"there is no model size {size!r}; there are: {', '.join(SIZES)}.")
    return SIZES[size]


def _config(size: Size, tokenizer: Any) -> Any:
    """Rotary sections split a head's half in Qwen's proportion, 2 : 3 : 3 for time, height and width."""
    half = size.hidden // size.heads // 2
    side = 3 * half // 8
    number = tokenizer.convert_tokens_to_ids
    rope = {"rope_type": "default", "rope_theta": 1_000_000.0, "mrope_section": [half - 2 * side, side, side]}
    ends = {"bos_token_id": "<|endoftext|>", "eos_token_id": "<|im_end|>", "pad_token_id": "<|endoftext|>"}
    text = {
        "vocab_size": -(-len(tokenizer) // 64) * 64, "hidden_size": size.hidden, "intermediate_size": size.inner,
        "num_hidden_layers": size.layers, "num_attention_heads": size.heads, "num_key_value_heads": size.key_value_heads,
        "max_position_embeddings": 32768, "initializer_range": size.spread, "rms_norm_eps": 1e-6,
        "rope_parameters": rope, "tie_word_embeddings": True, **{name: number(token) for name, token in ends.items()},
    }  # fmt: skip
    vision = {
        "depth": size.vision_layers, "hidden_size": size.vision_hidden, "num_heads": size.vision_heads,
        "intermediate_size": size.vision_inner, "patch_size": 14, "temporal_patch_size": 1 if size.still else 2,
        "window_size": 112, "initializer_range": size.spread, "out_hidden_size": size.hidden,
        "fullatt_block_indexes": list(size.full_attention),
    }  # fmt: skip
    return transformers.Qwen2_5_VLConfig(
        text_config=text, vision_config=vision, image_token_id=number("<|image_pad|>"),
        video_token_id=number("<|video_pad|>"), vision_start_token_id=number("<|vision_start|>"),
        vision_end_token_id=number("<|vision_end|>"), tie_word_embeddings=True,
    )  # fmt: skip

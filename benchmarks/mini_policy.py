"""A solver that was learnt, and the short form it speaks: a Qwen2.5-VL of two million parameters behind the chat protocol.

What is fixed in questions, steps and remarks is one token each, and a step that looks says so by a mark: its claim is
its own text. `train_mini_policy.py` makes it, `revision_learned.py` lets it solve, tells it what it misread, and counts.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import torch
from PIL import Image
from tokenizers import AddedToken
from torch import Tensor
from torch.nn.functional import cross_entropy, pad
from transformers import DynamicCache

from evpv.backends.local_weights import LoadedModel, Weights, load
from evpv.figures import FigureProblem
from evpv.figures.drawing import SMALL_SIZE
from evpv.figures.writing import SolutionSheet, in_notation
from evpv.protocols import ChatReply, ChatRequest, Description
from evpv.types import Problem, Step

LOOKS, ANSWER = " |\n", "# "
PHRASES = 320
FAMILIES = ("small-triangles",)
PADS = "<|image_pad|>"
SIGHT = 0.45
"""How short-sighted the model is: what its pictures shrink to before it sees them. At 1 it reads almost all numbers right."""
BILINEAR = Image.Resampling.BILINEAR
FENCED = re.compile(r"<<<(user_query|steps|remarks) (\w+)\n(.*?)\n\1 \2>>>", re.DOTALL)


def solution_text(steps: Sequence[Step], answer: str) -> str:
    """What the model writes: a step to a line, with a mark where it looks, and the answer."""
    lines = (step.text + (LOOKS if step.claim is not None else "\n") for step in steps)
    return "".join(lines) + ANSWER + answer


def reply_json(text: str, stance: str | None) -> str:
    """What the model wrote as the JSON that a policy is asked for; what has no answer goes back as it is."""
    body, mark, answer = text.partition(f"\n{ANSWER}")
    if not mark:
        return text
    lines = [line for line in body.split("\n") if line.strip(" |")]
    steps = [
        {
            "steptext": line.removesuffix(" |"),
            "visualdependency": line.removesuffix(" |") if line.endswith(" |") else None,
        }
        for line in lines
    ]
    head = {} if stance is None else {"stance": stance, "reason": "I looked again."}
    return json.dumps({**head, "reasoningprocess": steps, "finalanswer": answer.strip()}, ensure_ascii=False)


def question_of(prompt: str) -> str:
    """The model's own short form of what a policy is asked: the question, and what was told of which steps."""
    parts = {name: text for name, _, text in FENCED.findall(prompt)}
    return "\n".join(parts[name] for name in ("user_query", "steps", "remarks") if name in parts)


def steps_of(sheet: SolutionSheet) -> tuple[Step, ...]:
    """The lines of a run in plain notation; one that looks claims what it says."""
    texts = [(in_notation(line.text, "plain"), line.claim is not None) for line in sheet.lines]
    return tuple(Step(text=text, claim=text if looks else None) for text, looks in texts)


def open_problem(made: FigureProblem) -> Problem:
    """The problem without options: its answer is the value itself."""
    answer = replace(made.sitting.exam, options=()).answer
    return replace(made.problem, options=(), answer=answer, candidates=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing to learn: what is seen, asked and to be written."""

    seen: Tensor
    asked: str
    written: str


class MiniPolicy:
    """The model as a chat backend: it answers what `ChatPolicy` and `Reviser` ask, in batches, each row by its own seed."""

    def __init__(self, model: str, sight: float = SIGHT):
        self.place, self.sight, self.name = model, sight, "mini-policy"
        self.pictures: dict[str, Tensor] = {}
        self.answers: dict[str, str] = {}
        self.waiting: list[ChatRequest] | None = None  # a list: what is new is written down there, and answered later

    version = "mini-policy"
    description = Description(asks=True, extras=("local",))

    @cached_property
    def loaded(self) -> LoadedModel:
        return load(Weights(model=self.place))

    @torch.inference_mode()
    def look(self, images: Sequence[Image.Image]) -> Tensor:
        """What the tower makes of the pictures as this model sees them: shrunk by its `sight`, and drawn up again."""
        size = tuple(round(side * self.sight) for side in SMALL_SIZE)
        blurred = [one.convert("RGB").resize(size, BILINEAR).resize(SMALL_SIZE, BILINEAR) for one in images]
        inputs = self.loaded.processor.image_processor(images=blurred, return_tensors="pt")
        cells = self.loaded.model.model.visual(inputs["pixel_values"], grid_thw=inputs["image_grid_thw"]).pooler_output
        return torch.cat(list(cells)) if isinstance(cells, tuple) else cells

    def seen(self, path: str) -> Tensor:
        if path not in self.pictures:
            with Image.open(path) as image:
                self.pictures[path] = self.look([image]).clone()
        return self.pictures[path]

    def ask(self, requests: Sequence[ChatRequest]) -> list[ChatReply]:
        new = [one for one in requests if one.prompt not in self.answers]
        if self.waiting is not None:
            self.waiting += new
            known = (self.answers.get(one.prompt) for one in requests)
            return [ChatReply(text=text, problem="waits" if text is None else None) for text in known]
        for start in range(0, len(new), 64):
            part = new[start : start + 64]
            rows = [Row(seen=self.seen(one.images[0]), asked=question_of(one.prompt), written="") for one in part]
            texts = self.write(rows, [one.sampling.seed or 0 for one in part], part[0].sampling.temperature)
            self.answers |= {one.prompt: self.reply(one, text) for one, text in zip(part, texts, strict=True)}
        return [ChatReply(text=self.answers[one.prompt]) for one in requests]

    def answer_waiting(self) -> int:
        """Answer all that waits, in full batches; how many there were."""
        asked, self.waiting = self.waiting or [], None
        self.ask(asked)
        self.waiting = []
        return len(asked)

    @staticmethod
    def reply(request: ChatRequest, text: str) -> str:
        if request.stage != "revise":
            return reply_json(text, None)
        stance, _, rest = text.partition("\n")
        return reply_json(rest, stance)

    @cached_property
    def positions(self) -> Tensor:
        """Rotary places of a row, which begins alike for all: a turn's opening, the picture, and text to the end."""
        ids = torch.tensor([self.numbers("x" * 900)])
        kinds = (ids == self.pad).long()
        grid = torch.tensor([[1, 8, 12]])
        found, _ = self.loaded.model.model.get_rope_index(ids, mm_token_type_ids=kinds, image_grid_thw=grid)
        return found[:, 0]

    @cached_property
    def pad(self) -> int:
        return int(self.loaded.processor.tokenizer.convert_tokens_to_ids(PADS))

    def numbers(self, asked: str, written: str = "") -> list[int]:
        head = f"<|im_start|>user\n<|vision_start|>{PADS * 24}<|vision_end|>{asked}<|im_end|>\n<|im_start|>assistant\n"
        return list(self.loaded.processor.tokenizer(head + written)["input_ids"])

    def embedded(self, ids: Tensor, seen: Tensor) -> Tensor:
        """Token embeddings with the pictures' cells in their places."""
        words = self.loaded.model.get_input_embeddings()(ids)
        return words.masked_scatter((ids == self.pad).unsqueeze(-1), seen.to(words.dtype))

    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Next-token loss on what is to be written."""
        starts = [len(self.numbers(row.asked)) for row in rows]
        ids = [self.numbers(row.asked, f"{row.written}<|im_end|>") for row in rows]
        longest = max(map(len, ids))
        inputs = torch.stack([pad(torch.tensor(one), (0, longest - len(one))) for one in ids])
        wanted = torch.full_like(inputs, -100)
        for place, (one, start) in enumerate(zip(ids, starts, strict=True)):
            wanted[place, start : len(one)] = inputs[place, start : len(one)]
        states = self.loaded.model.model.language_model(
            inputs_embeds=self.embedded(inputs, torch.cat([row.seen for row in rows])),
            position_ids=self.positions[:, None, :longest].expand(3, len(rows), longest),
        ).last_hidden_state
        told = wanted[:, 1:] != -100
        return cross_entropy(self.loaded.model.lm_head(states[:, :-1][told]), wanted[:, 1:][told])

    @torch.inference_mode()
    def write(self, rows: Sequence[Row], seeds: Sequence[int], temperature: float, limit: int = 160) -> list[str]:
        """Samples, a row's chance by its own seed: a row is the same in any batch, up to rounding."""
        ids = [self.numbers(row.asked) for row in rows]
        longest = max(map(len, ids))
        gaps = torch.tensor([longest - len(one) for one in ids])
        inputs = torch.stack([pad(torch.tensor(one), (longest - len(one), 0)) for one in ids])
        places = (torch.arange(longest)[None] - gaps[:, None]).clamp(min=0)
        mask = (torch.arange(longest)[None] >= gaps[:, None]).long()
        words = self.embedded(inputs, torch.cat([row.seen for row in rows]))
        chance = [torch.Generator().manual_seed(seed) for seed in seeds]
        cache, tokenizer = DynamicCache(config=self.loaded.model.config), self.loaded.processor.tokenizer
        done = torch.zeros(len(rows), dtype=torch.bool)
        written: list[Tensor] = []
        for _ in range(limit):
            states = self.loaded.model.model.language_model(
                inputs_embeds=words,
                attention_mask=mask,
                position_ids=self.positions[:, places],
                past_key_values=cache,
                use_cache=True,
            ).last_hidden_state[:, -1]
            scores = self.loaded.model.lm_head(states).float()
            if temperature > 0:
                noise = torch.stack([torch.rand(scores.shape[1], generator=one) for one in chance])
                scores = scores / temperature - (-noise.clamp(1e-9).log()).log()
            token = scores.argmax(-1)
            done |= torch.isin(token, torch.tensor(self.loaded.ends))
            written.append(torch.where(done, tokenizer.pad_token_id, token))
            if bool(done.all()):
                break
            places = places[:, -1:] + 1
            mask = torch.cat([mask, torch.ones(len(rows), 1, dtype=torch.long)], 1)
            words = self.loaded.model.get_input_embeddings()(token)[:, None]
        return [tokenizer.decode(row, skip_special_tokens=True) for row in torch.stack(written, 1).tolist()]

    def learn_phrases(self, texts: Sequence[str]) -> int:
        """What stands between the names and numbers of the texts, one token each where it pays; begun as its parts' mean."""
        tokenizer, model = self.loaded.processor.tokenizer, self.loaded.model
        names = sorted((name for name in tokenizer.get_added_vocab() if name.strip()), key=len, reverse=True)
        cut = re.compile("|".join([r"\d+", r"(?<![A-Za-z])[A-Z]{1,3}(?![a-z])", *map(re.escape, names)]))
        counts = Counter(part for text in texts for line in text.splitlines(keepends=True) for part in cut.split(line))
        parts = {part: tokenizer(part)["input_ids"] for part in counts if len(part) > 1}
        gains = sorted(parts, key=lambda part: -counts[part] * (len(parts[part]) - 1))[:PHRASES]
        tokenizer.add_tokens([AddedToken(part, normalized=False) for part in gains])
        model.resize_token_embeddings(len(tokenizer))
        table = model.get_input_embeddings().weight
        with torch.no_grad():
            for part in gains:
                table[tokenizer.convert_tokens_to_ids(part)] = table[parts[part]].mean(0)
        return len(gains)

    def save(self, folder: Path) -> None:
        self.loaded.model.save_pretrained(folder)
        self.loaded.processor.save_pretrained(folder)

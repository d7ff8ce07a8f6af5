"""What schema-valid decoding costs: time per token for the grammar beside the model's own step.

usage: structured.py [--ranks qwen.tiktoken]

A toy model answers the same questions with a schema (every answer is checked against it) and the grammar's part is timed
inside that run. With --ranks (`make test-servers` leaves the file in .venv-servers/assets) the grammar alone is timed on
Qwen's real vocabulary of 152,000 tokens too, where its masks are largest.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import jsonschema
import torch
from rich.console import Console
from rich.table import Table

from evpv.backends.transformers_chat import Grammars, TransformersChat
from evpv.protocols import ChatRequest, Sampling
from evpv.training.architecture import build

SCHEMA = {
    "type": "array",
    "minItems": 3,
    "maxItems": 3,
    "items": {
        "type": "object",
        "properties": {
            "category": {"enum": ["numeric", "relation", "structure"]},
            "entity": {"type": "string", "pattern": "^[A-Z]{1,3}$"},
            "value": {"type": "integer", "minimum": 0, "maximum": 180},
        },
        "required": ["category", "entity", "value"],
        "additionalProperties": False,
    },
}
TEXT = json.dumps([{"category": "numeric", "entity": "ABC", "value": 65}] * 3)


def grammar_ms(tokenizer: Any, vocabulary: int, ends: tuple[int, ...]) -> tuple[float, float]:
    """Milliseconds per token to mask and accept a valid answer, and seconds to compile the schema."""
    began = time.perf_counter()
    grammars = Grammars(tokenizer, vocabulary=vocabulary, ends=ends)
    grammars.guide(SCHEMA)
    compiled = time.perf_counter() - began
    tokens = tokenizer.encode(TEXT, add_special_tokens=False)
    logits = torch.randn(vocabulary)
    best = float("inf")
    for _ in range(5):
        guide = grammars.guide(SCHEMA)
        began = time.perf_counter()
        for token in tokens:
            if guide.allowed(logits)[token] == float("-inf"):
                raise SystemExit(f"the grammar forbids {tokenizer.decode([token])!r} of a valid answer")
            guide.accept(token)
        best = min(best, (time.perf_counter() - began) / len(tokens))
    return best * 1000, compiled


def step_ms(folder: Path, count: int) -> tuple[float, int]:
    """Milliseconds per token of whole answers of the toy model, one at a time, and how many answers were whole."""
    chat = TransformersChat(str(folder), batch_size=1)
    seeds = random.Random(0).sample(range(10**6), count)
    ask = [
        ChatRequest(prompt="?", schema=SCHEMA, sampling=Sampling(temperature=1.0, seed=s, max_tokens=200))
        for s in seeds
    ]
    chat.ask(ask[:1])
    replies = chat.ask(ask)
    whole = [reply for reply in replies if reply.finish == "stop"]
    for reply in whole:
        jsonschema.validate(json.loads(reply.text or ""), SCHEMA)
    usage = [reply.usage for reply in replies]
    return 1000 * sum(u.seconds for u in usage) / sum(u.completion_tokens + 1 for u in usage), len(whole)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--ranks", type=Path)
    ranks: Path | None = options.parse_args().ranks
    torch.set_num_threads(1)
    from transformers import AutoTokenizer

    table = Table("vocabulary", "grammar, ms a token", "compile, s", "whole step, ms a token")
    with tempfile.TemporaryDirectory() as folder:
        toy = build(folder)
        tokenizer = AutoTokenizer.from_pretrained(toy)
        per_token, compiled = grammar_ms(tokenizer, -(-len(tokenizer) // 64) * 64, (tokenizer.eos_token_id,))
        step, whole = step_ms(toy, 20)
    table.add_row(f"{len(tokenizer):,}", f"{per_token:.3f}", f"{compiled:.2f}", f"{step:.1f}")
    summary = {"grammar_ms": per_token, "step_ms": step, "grammar_share": per_token / step, "whole": whole}
    if ranks is not None:
        sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "servers"))
        from qwen_tokenizer import qwen_tokenizer

        real = qwen_tokenizer(ranks)
        per_token, compiled = grammar_ms(real, 151_936, (real.eos_token_id,))
        table.add_row(f"{len(real):,}", f"{per_token:.3f}", f"{compiled:.2f}", "–")
        summary["real_grammar_ms"] = per_token
    Console().print(table)
    print(json.dumps(summary))


if __name__ == "__main__":
    main()

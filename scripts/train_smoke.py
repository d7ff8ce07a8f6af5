"""SFT → preferences → verifier as at full size, at tiny width: released processor limits, bf16, two processes (gloo).

    python scripts/train_smoke.py -o FOLDER            # or: make train-smoke

Each stage runs in one process, in two that hold copies (DDP), in two that share weights (FSDP), and in two that share
and are killed in the middle and started again. It must lose no row without a reason, its loss must fall from the first
half of the updates to the last (single updates differ by how many steps their rows have), the killed run
must end with the unbroken one's weights, and all must end where one process does, up to rounding.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import psutil
import torch
from safetensors.torch import load_file
from transformers import AutoTokenizer

from evpv.training.architecture import Size, build, runs_of, texts_of
from evpv.training.pictures import read_pictures
from evpv.training.runs import toy_corpus

RELEASED = Size(hidden=32, inner=64, vision_hidden=32, vision_inner=64, pixels=(3_136, 12_845_056))
UPDATES, KILLED_AFTER, BATCH = 6, 3, 4
LAUNCHES = {"one": "", "ddp": "ddp", "fsdp": "fsdp", "killed": "fsdp"}
SETTINGS = {
    "data.on_bad": "skip",
    "data.keep_out": "[]",
    "data.held_out_limit": 3,
    "data.held_out_tokens": 8,
    "data.min_pixels": 3136,
    "data.max_pixels": 50_176,
    "learning.steps": UPDATES,
    "learning.save_every": KILLED_AFTER,
    "learning.check_every": KILLED_AFTER,
    "learning.batch": BATCH,
    "learning.per_device": 1,
    "learning.learning_rate": 2e-3,
    "learning.log_every": 1,
    "learning.workers": 0,
    "learning.max_tokens": 512,
}
STAGES: dict[str, dict[str, Any]] = {
    "extractor": {},
    "preferences": {"preferences.pairs": "rules"},
    "verifier": {"data.sample": 0, "verifier.constraints": "true", "learning.steps": 2 * UPDATES},
}


def marked_corpus(folder: Path) -> Path:
    """The toy corpus with larger pictures and wrong steps that give themselves away: what can be learnt in so few updates."""
    corpus = toy_corpus(folder, 24, scale=5)
    rows = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    for step in (step for row in rows for candidate in row["candidates"] for step in candidate["steps"]):
        if step["label"] == -1:
            step["text"] = "?" * 12 + f" {step['text']}" + "?" * 12
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return corpus


def command(stage: str, files: Mapping[str, Path], output: Path, launch: str, precision: str = "bf16") -> list[str]:
    """`evpv train` with the paper's recipe, everything but sizes and files as it is there."""
    changes = {**files, **SETTINGS, **STAGES[stage], "learning.precision": precision}
    words = [sys.executable, "-m", "evpv", "train", stage, "-o", str(output)]
    words += [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    return words + (["--launch", launch, "--gpus", "2"] if launch else [])


def run(words: list[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")


def run_killed(words: list[str], output: Path) -> None:
    """Start it, kill it with all its processes once its checkpoint is there, and start it again.

    Launchers give each process a session of its own, so a group's signal would reach the launcher alone.
    """
    started = psutil.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wanted = output / f"checkpoint-{KILLED_AFTER}" / "trainer_state.json"
    while not wanted.exists() and started.poll() is None:
        time.sleep(0.02)
    killed = [*started.children(recursive=True), started]
    for process in killed:
        process.kill()
    psutil.wait_procs(killed)
    if (output / "training.json").exists():
        raise SystemExit(f"{output.name} had ended before it was killed")
    run(words)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def furthest(first: Path, second: Path) -> float:
    """The largest difference between two models' weights."""
    one, other = weights(first), weights(second)
    return max(float((one[name].float() - other[name].float()).abs().max()) for name in one)


def losses(folder: Path) -> list[float]:
    last = max(folder.glob("checkpoint-*"), key=lambda one: int(one.name.partition("-")[2]))
    state = json.loads((last / "trainer_state.json").read_text(encoding="utf-8"))
    return [line["loss"] for line in state["log_history"] if "loss" in line]


def measure(stage: str, start: Path, corpus: Path, folder: Path) -> dict[str, Any]:
    """The runs of a stage, compared. In bf16 FSDP rounds weights that others do not, so fp32 tells whether it agrees."""
    files = {"model.start": start, "data.train": corpus, "data.held_out": corpus}
    runs = {name: folder / f"{stage}-{name}" for name in ("one", "ddp", "fsdp", "one-fp32", "fsdp-fp32", "killed")}
    for name, output in runs.items():
        way, _, precision = name.partition("-")
        words = command(stage, files, output, LAUNCHES[way], precision or "bf16")
        run_killed(words, output) if way == "killed" else run(words)
    told = json.loads((runs["fsdp"] / "training.json").read_text(encoding="utf-8"))
    curve = losses(runs["fsdp"])
    return {
        "stage": stage,
        "rows": told["rows"],
        "left out": told["faults"],
        "loss of the first half": round(fmean(curve[: len(curve) // 2]), 3),
        "loss of the last half": round(fmean(curve[len(curve) // 2 :]), 3),
        "moved": furthest(start, runs["fsdp"]),
        "one against ddp": furthest(runs["one"], runs["ddp"]),
        "one against fsdp": furthest(runs["one-fp32"], runs["fsdp-fp32"]),
        "one against fsdp, bf16": furthest(runs["one"], runs["fsdp"]),
        "killed against unbroken": furthest(runs["killed"], runs["fsdp"]),
    }


def faults(found: dict[str, Any]) -> list[str]:
    """What a stage must show and did not."""
    wrong = {
        "rows left out without a reason": bool(set(found["left out"]) - {"downsized"}),
        "loss does not fall": found["loss of the last half"] >= found["loss of the first half"],
        "killed run differs": found["killed against unbroken"] > 1e-6,
        "copies differ from one process": found["one against ddp"] > 0.02 * found["moved"],
        "shares differ from one process": found["one against fsdp"] > 0.02 * found["moved"],
    }
    return [name for name, true in wrong.items() if true]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--stage", action="append", choices=list(STAGES), help="only these stages; default all")
    parser.add_argument("--tokenizer", type=Path, help="a folder with a released tokenizer, in place of one made here")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    folder = asked.output
    corpus = marked_corpus(folder / "corpus")
    pictures = read_pictures(corpus)
    if asked.tokenizer:
        tokenizer = AutoTokenizer.from_pretrained(asked.tokenizer)
        start = build(folder / "start", size=RELEASED, tokenizer=tokenizer)
    else:
        start = build(folder / "start", size=RELEASED, corpus=texts_of(pictures), runs=runs_of(pictures))
    wrong = {}
    for stage in asked.stage or STAGES:
        begun = time.monotonic()
        found = measure(stage, start, corpus, folder)
        print(json.dumps({**found, "seconds": round(time.monotonic() - begun)}), flush=True)
        wrong[stage] = faults(found)
        if stage == "extractor":
            start = folder / "extractor-fsdp"
    print(json.dumps({"stages": len(wrong), "wrong": wrong}))
    sys.exit(1 if any(wrong.values()) else 0)


if __name__ == "__main__":
    main()

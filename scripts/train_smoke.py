"""SFT → preferences → verifier as at full size, at tiny width: released processor limits, bf16, two processes (gloo, DDP).

    python scripts/train_smoke.py -o FOLDER            # or: make train-smoke

Each stage runs in one process, in two, and in two that are killed in the middle and started again. It must lose no row
without a reason, its loss must fall, the killed run must end with the unbroken one's weights, and one process must end
where two do, up to rounding. FSDP cannot be tried here: accelerate shares weights between GPUs only.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from evpv.training.architecture import Size, build, runs_of, texts_of
from evpv.training.pictures import read_pictures
from evpv.training.runs import toy_corpus

RELEASED = Size(hidden=32, inner=64, vision_hidden=32, vision_inner=64, pixels=(3_136, 12_845_056))
UPDATES, KILLED_AFTER, BATCH = 6, 3, 4
SETTINGS = {
    "data.on_bad": "skip",
    "data.keep_out": "[]",
    "data.min_pixels": 3136,
    "data.max_pixels": 50_176,
    "learning.steps": UPDATES,
    "learning.save_every": KILLED_AFTER,
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
    "verifier": {"data.sample": 0, "verifier.constraints": "true", "learning.learning_rate": 1e-2},
}


def marked_corpus(folder: Path) -> Path:
    """The toy corpus with larger pictures and wrong steps that give themselves away: what can be learnt in six updates."""
    corpus = toy_corpus(folder, 24, scale=5)
    rows = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    for step in (step for row in rows for candidate in row["candidates"] for step in candidate["steps"]):
        if step["label"] == -1:
            step["text"] = "?" * 12 + f" {step['text']}" + "?" * 12
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return corpus


def command(stage: str, start: Path, corpus: Path, output: Path, processes: int) -> list[str]:
    """`evpv train` with the paper's recipe, everything but sizes and files as it is there."""
    changes = {"model.start": str(start), "data.train": str(corpus), **SETTINGS, **STAGES[stage]}
    words = [sys.executable, "-m", "evpv", "train", stage, "-o", str(output)]
    words += [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    return words + (["--launch", "ddp", "--gpus", str(processes)] if processes > 1 else [])


def run(words: list[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")


def run_killed(words: list[str], output: Path) -> None:
    """Start it, kill it with all its processes once its checkpoint is there, and start it again."""
    started = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    wanted = output / f"checkpoint-{KILLED_AFTER}" / "trainer_state.json"
    while not wanted.exists() and started.poll() is None:
        time.sleep(0.02)
    os.killpg(started.pid, signal.SIGKILL)
    started.wait()
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
    state = json.loads((folder / f"checkpoint-{UPDATES}" / "trainer_state.json").read_text(encoding="utf-8"))
    return [line["loss"] for line in state["log_history"] if "loss" in line]


def measure(stage: str, start: Path, corpus: Path, folder: Path) -> dict[str, Any]:
    """The three runs of a stage, compared."""
    one, two, killed = (folder / f"{stage}-{name}" for name in ("one", "two", "killed"))
    run(command(stage, start, corpus, one, 1))
    run(command(stage, start, corpus, two, 2))
    run_killed(command(stage, start, corpus, killed, 2), killed)
    told = json.loads((two / "training.json").read_text(encoding="utf-8"))
    curve = losses(two)
    return {
        "stage": stage,
        "rows": told["rows"],
        "left out": told["faults"],
        "first loss": curve[0],
        "last loss": curve[-1],
        "moved": furthest(start, two),
        "one against two": furthest(one, two),
        "killed against unbroken": furthest(killed, two),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--stage", action="append", choices=list(STAGES), help="only these stages; default all")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    folder = asked.output
    corpus = marked_corpus(folder / "corpus")
    pictures = read_pictures(corpus)
    start = build(folder / "start", size=RELEASED, corpus=texts_of(pictures), runs=runs_of(pictures))
    found = []
    for stage in asked.stage or STAGES:
        begun = time.monotonic()
        found.append({**measure(stage, start, corpus, folder), "seconds": round(time.monotonic() - begun)})
        print(json.dumps(found[-1]), flush=True)
        if stage == "extractor":
            start = folder / "extractor-two"
    wrong = [
        one for one in found
        if one["last loss"] >= one["first loss"] or one["killed against unbroken"] > 1e-6
        or one["one against two"] > 0.02 * one["moved"] or set(one["left out"]) - {"downsized"}
    ]  # fmt: skip
    print(json.dumps({"stages": len(found), "wrong": [one["stage"] for one in wrong]}))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

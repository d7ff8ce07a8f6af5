"""Several processes: the batch is the recipe's, the command is shown, and who may write is known."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from safetensors.torch import load_file

from evpv.errors import ConfigError
from evpv.training.launch import (
    _BatchShare,
    _launch_config,
    batch_share,
    command_text,
    launch_command,
    main_process_first,
    shared_work,
)
from evpv.training.learner import EpochOrder, _EpochClock, held_out_log, note
from evpv.training.recipes import LearningPart, load_training_recipe
from evpv.training.trainers import _check_pictures
from evpv.training.trajectories import Trajectory


@pytest.mark.parametrize("kind", ["extractor", "preferences", "verifier"])
@pytest.mark.parametrize("processes", [1, 2, 4, 8])
def test_an_update_sees_the_recipes_batch_whatever_the_number_of_processes(kind: str, processes: int) -> None:
    learning = load_training_recipe(f"paper-{kind}").learning
    share = batch_share(learning, processes)
    assert share.per_device * share.accumulate * processes == learning.batch


def test_without_a_size_per_device_a_process_takes_its_whole_share() -> None:
    assert batch_share(LearningPart(batch=12), 3) == _BatchShare(per_device=4, accumulate=1)


@pytest.mark.parametrize(("batch", "per_device", "processes"), [(8, 0, 3), (8, 3, 1), (4, 1, 8)])
def test_a_batch_that_cannot_be_cut_is_refused(batch: int, per_device: int, processes: int) -> None:
    with pytest.raises(ConfigError, match="cannot be cut"):
        batch_share(LearningPart(batch=batch, per_device=per_device), processes)


def test_the_command_is_one_that_can_be_typed() -> None:
    command = launch_command("ddp", 2, "new:toy", ["verifier", "-o", "my run"])
    assert command_text(command).startswith(
        "python -m torch.distributed.run --standalone --nproc-per-node=2 -m evpv train"
    )
    assert command_text(command).endswith("'my run'")


def test_weights_are_shared_by_the_same_command_with_and_without_gpus() -> None:
    command = command_text(launch_command("fsdp", 2, "new:toy", ["verifier"]))
    assert command.startswith("python -m accelerate.commands.launch --config_file ")
    assert command.endswith("fsdp-qwen2_5_vl.yaml --num_processes 2 -m evpv train verifier")


def test_what_cannot_be_started_is_said() -> None:
    with pytest.raises(ConfigError, match="at least 1"):
        launch_command("ddp", 0, "new:toy", [])
    if find_spec("deepspeed") is None:
        with pytest.raises(ConfigError, match=r"evpv\[deepspeed\]"):
            launch_command("deepspeed", 2, "new:toy", [])


def test_precision_is_the_recipes_and_not_the_launchers() -> None:
    folder = _launch_config("ddp", "").parent
    assert all('mixed_precision: "no"' in one.read_text(encoding="utf-8") for one in folder.glob("*.yaml"))


def test_rows_without_a_picture_are_refused_where_all_processes_must_look(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        Trajectory(id=name, question="?", images=images, steps=("a",), labels=(1.0,), source="toy")
        for name, images in (("seen", (Path("a.png"),)), ("unseen", ()))
    ]
    _check_pictures(rows)
    monkeypatch.setenv("ACCELERATE_USE_FSDP", "true")
    _check_pictures(rows[:1])
    with pytest.raises(ConfigError, match="unseen and others have no picture"):
        _check_pictures(rows)


@pytest.mark.slow
def test_two_processes_share_weights_and_end_where_one_does(tmp_path: Path, toy: Path, corpus: Path) -> None:
    words = [
        "train",
        "verifier",
        "--set",
        f"model.start={toy}",
        "--set",
        f"data.train={corpus}",
        "--set",
        f"data.held_out={corpus}",
    ]
    settings = {
        "data.keep_out": "[]", "data.sample": 0, "data.held_out_limit": 3, "data.max_pixels": 0, "data.min_pixels": 0,
        "learning.steps": 2, "learning.batch": 2, "learning.per_device": 1, "learning.precision": "fp32", "learning.workers": 0,
        "learning.learning_rate": 1e-3,
    }  # fmt: skip
    words += [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    for name, more in (("one", []), ("shared", ["--launch", "fsdp", "--gpus", "2"])):
        done = subprocess.run(
            [sys.executable, "-m", "evpv", *words, "-o", str(tmp_path / name), *more], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-3000:]
    one, shared, start = (
        load_file(folder / "model.safetensors") for folder in (tmp_path / "one", tmp_path / "shared", toy)
    )
    moved = max(float((one[name] - start[name]).abs().max()) for name in one)
    assert max(float((one[name] - shared[name]).abs().max()) for name in one) < 1e-3 * moved


_WATCHED: dict[str, dict[str, Any]] = {
    "extractor": {"model": {}, "reading": {"steps": 2, "batch": 4, "weight": 0.3, "check_every": 2}},
    "verifier": {"model": {"lora": 2}},
}
_WRITTEN = {
    "extractor": {"reading/config.json", "reading/log.json", "README.md", "training.json", "corpus.md", "leakage.md"},
    "verifier": {"merged/config.json", "merged/README.md", "README.md", "training.json", "corpus.md", "leakage.md"},
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["extractor", "verifier"])
def test_of_two_processes_only_the_main_one_writes_and_speaks(
    kind: str, tmp_path: Path, toy: Path, corpus: Path
) -> None:
    learning = {"steps": 2, "batch": 2, "per_device": 1, "precision": "fp32", "save_every": 1, "check_every": 1}
    data = {"train": str(corpus), "held_out": str(corpus), "held_out_limit": 2, "held_out_tokens": 8}
    recipe = {"kind": kind, "data": data, "learning": learning, **_WATCHED[kind]}
    recipe["model"] = {"start": str(toy), **recipe["model"]}
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    watch, run = Path(__file__).with_name("writing_watch.py"), tmp_path / "run"
    together = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1"}
    started = [
        subprocess.Popen(
            [sys.executable, str(watch), json.dumps(recipe), str(run), str(tmp_path / f"{rank}.json")],
            env={**os.environ, **together, "RANK": f"{rank}", "LOCAL_RANK": f"{rank}"}, stdout=PIPE, stderr=PIPE, text=True,
        )
        for rank in range(2)
    ]  # fmt: skip
    said = [process.communicate() for process in started]
    assert [process.returncode for process in started] == [0, 0], said[0][1][-2000:] + said[1][1][-2000:]
    main, other = (set(json.loads((tmp_path / f"{rank}.json").read_text())) for rank in range(2))
    assert main >= _WRITTEN[kind]
    assert {Path(name).name for name in other} <= {"rng_state_1.pth"}
    assert '"step"' in said[0][0]
    assert said[1][0] == ""


def test_who_is_not_the_main_process_writes_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for rank, lines in (("1", 0), ("0", 1)):
        monkeypatch.setenv("RANK", rank)
        note(tmp_path, {"step": 1})
        assert len(held_out_log(tmp_path)) == lines
        assert main_process_first(lambda: "made", lambda: "taken") == ("made" if rank == "0" else "taken")
    assert capsys.readouterr().out.count("step") == 1


@pytest.mark.parametrize(
    ("strategy", "model", "layer"),
    [
        ("fsdp", "Qwen/Qwen2.5-VL-7B-Instruct", "Qwen2_5_VLDecoderLayer"),
        ("fsdp", "Qwen/Qwen3-VL-8B-Instruct", "Qwen3VLTextDecoderLayer"),
        ("deepspeed", "Qwen/Qwen3-VL-8B-Instruct", "zero_stage: 3"),
        ("ddp", "Qwen/Qwen2.5-VL-7B-Instruct", "MULTI_GPU"),
    ],
)
def test_each_family_has_its_configuration(strategy: str, model: str, layer: str) -> None:
    assert layer in _launch_config(strategy, model).read_text(encoding="utf-8")  # type: ignore[arg-type]


def test_one_process_does_all_of_shared_work() -> None:
    assert shared_work([3, 1, 2], lambda some: [2 * one for one in some]) == [6, 2, 4]


def test_the_order_of_rows_is_the_epochs_own_so_that_a_resumed_run_goes_on() -> None:
    lengths = [5, 1, 4, 2, 3, 6, 8, 7]
    for grouped in ((), lengths):
        unbroken, resumed = (EpochOrder(8, LearningPart(batch=2), grouped) for _ in range(2))
        epochs = []
        for epoch in range(2):
            _EpochClock(unbroken).on_epoch_begin(None, type("State", (), {"epoch": float(epoch)}), None)
            epochs.append(list(unbroken))
        _EpochClock(resumed).on_epoch_begin(None, type("State", (), {"epoch": 1.5}), None)
        assert list(resumed) == epochs[1] != epochs[0]
        assert sorted(epochs[0]) == list(range(8))


def test_the_package_is_a_module_that_launchers_can_start(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "evpv", "--version"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("evpv ")

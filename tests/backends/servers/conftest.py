"""A tiny Qwen2.5-VL of our own, pictures to ask about, and servers that serve it as processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from PIL import Image, ImageDraw

sys.path.insert(0, str(Path(__file__).parent))

from processes import ModelServer, free_port, running, transformers_serving, vllm_command
from served_model import build_served_model

from evpv.training.architecture import build

collect_ignore = ["llama_server.py"]  # runs in the servers' own environment, which alone has its packages


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an untrained model of a quarter of a million parameters."""
    return build(tmp_path_factory.mktemp("models") / "toy")


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two drawings of different sizes, both sides multiples of 28 so that no processor resizes them."""
    folder = tmp_path_factory.mktemp("pictures")
    wide, tall = Image.new("RGB", (112, 84), "white"), Image.new("RGB", (84, 112), "white")
    ImageDraw.Draw(wide).line((5, 5, 90, 60), fill="black", width=3)
    ImageDraw.Draw(tall).ellipse((10, 20, 60, 90), fill="red")
    for picture, name in ((wide, "wide.png"), (tall, "tall.png")):
        picture.save(folder / name)
    return str(folder / "wide.png"), str(folder / "tall.png")


@pytest.fixture(scope="session")
def transformers_server(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    """`transformers serve` with the toy model."""
    with transformers_serving(toy, tmp_path_factory.mktemp("hugging-face")) as server:
        yield server


@pytest.fixture(scope="session")
def servers_environment() -> Path:
    """The environment that `make test-servers` makes for vLLM and llama.cpp."""
    folder = os.environ.get("EVPV_SERVERS")
    if not folder:
        pytest.skip("vLLM and llama.cpp have an environment of their own: make test-servers")
    return Path(folder).absolute()


@pytest.fixture(scope="session")
def served_model(servers_environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    ranks = servers_environment / "assets" / "qwen.tiktoken"
    return build_served_model(tmp_path_factory.mktemp("models") / "served", ranks)


@pytest.fixture(scope="session")
def vllm_server(
    served_model: Path, servers_environment: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ModelServer]:
    command, listening, settings = vllm_command(
        servers_environment, served_model, tmp_path_factory.mktemp("vllm") / "log"
    )
    with running(command, listening, within_s=1200, environment=settings) as server:
        yield server


@pytest.fixture(scope="session")
def llama_files(served_model: Path, servers_environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The served model as llama.cpp takes it: model.gguf and mmproj.gguf in a folder."""
    folder = tmp_path_factory.mktemp("llama.cpp")
    python = str(servers_environment / "bin" / "python")
    source = servers_environment / "assets" / "llama.cpp"
    for name, options in (("model.gguf", []), ("mmproj.gguf", ["--mmproj"])):
        converter = [python, str(source / "convert_hf_to_gguf.py"), str(served_model), "--outtype", "f32", *options]
        subprocess.run(
            [*converter, "--outfile", str(folder / name)],
            check=True, capture_output=True, env=os.environ | {"PYTHONPATH": str(source / "gguf-py")},
        )  # fmt: skip
    return folder


@pytest.fixture(scope="session")
def llama_server(servers_environment: Path, llama_files: Path) -> Iterator[ModelServer]:
    port, python = free_port(), str(servers_environment / "bin" / "python")
    script = str(Path(__file__).with_name("llama_server.py"))
    command = [python, script, str(llama_files / "model.gguf"), str(llama_files / "mmproj.gguf"), str(port)]
    listening = ModelServer(port=port, model="tiny", log=llama_files / "log")
    with running(command, listening, within_s=300, environment={}) as server:
        yield server

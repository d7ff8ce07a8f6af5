"""Put torchvision_shim.py into this environment, so that every process of it can import torchvision beside a CPU torch."""

from __future__ import annotations

import sysconfig
from pathlib import Path

NAME = "evpv_torchvision_shim"


def main() -> None:
    packages = Path(sysconfig.get_path("purelib"))
    source = Path(__file__).with_name("torchvision_shim.py").read_text(encoding="utf-8")
    (packages / f"{NAME}.py").write_text(source, encoding="utf-8")
    (packages / f"{NAME}.pth").write_text(f"import {NAME}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

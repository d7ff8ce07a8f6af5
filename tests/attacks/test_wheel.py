"""What a release holds: the wheel's files, a bill of materials, and pins with digests."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = (".pyc", ".env", ".pem", ".key", ".sqlite", ".so", ".lock", ".log", ".pt", ".bin", ".pkl")


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_else(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(tmp_path), str(ROOT)]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    [wheel] = tmp_path.glob("evpv-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert not any(
            str(ROOT).encode() in archive.read(name) for name in names if name.endswith((".py", ".toml", ".json"))
        )
    assert all(name.startswith(("evpv/", "evpv-")) for name in names)
    assert not [name for name in names if name.endswith(FORBIDDEN) or "node_modules" in name or "__pycache__" in name]
    assert "evpv/workers/child.py" in names
    assert any(name.endswith("LICENSE") for name in names)


def test_a_bill_of_materials_and_pins_with_digests(tmp_path: Path) -> None:
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "numpy-0-py3-none-any.whl").write_bytes(b"a wheel")
    script = ROOT / "scripts" / "release_files.py"
    line = [sys.executable, str(script), str(tmp_path / "dist"), "--wheels", str(tmp_path / "wheels")]
    subprocess.run(line, check=True, timeout=60)
    bill = json.loads((tmp_path / "dist" / "sbom.json").read_text())
    named = {component["name"].lower() for component in bill["components"]}
    assert {"numpy", "pydantic", "sympy", "fastapi", "httptools"} <= named
    pins = (tmp_path / "dist" / "requirements.txt").read_text()
    assert "--hash=sha256:" in pins
    assert "# not downloaded: pydantic==" in pins

"""Writes what goes with a release: a bill of materials, and the constraints with the digests of their files.

usage: release_files.py FOLDER [--wheels FOLDER]

`sbom.json` (CycloneDX 1.6) lists the packages of `constraints.txt` that are installed here, with their licences.
`requirements.txt` is made of a folder of downloaded files, so that nothing is trusted but what lies there:

    pip download -d wheels -c constraints.txt 'evpv[all]'
    python scripts/release_files.py dist --wheels wheels
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;#]+)")


def main() -> None:
    """Write both files, as far as there is anything to make them of."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--wheels", type=Path)
    chosen = options.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    pins = pinned((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    (chosen.folder / "sbom.json").write_text(json.dumps(bill_of_materials(pins), indent=2) + "\n", encoding="utf-8")
    if chosen.wheels is not None:
        (chosen.folder / "requirements.txt").write_text(with_digests(pins, chosen.wheels), encoding="utf-8")


def pinned(text: str) -> dict[str, str]:
    """Names and versions of a file of constraints."""
    return {found[1]: found[2] for line in text.splitlines() if (found := _PIN.match(line))}


def bill_of_materials(pins: dict[str, str]) -> dict[str, Any]:
    """The packages as a CycloneDX document. No time and no serial number, so that the same pins give the same file."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "library", "name": "evpv"}},
        "components": [_component(name, version) for name, version in sorted(pins.items())],
    }


def with_digests(pins: dict[str, str], wheels: Path) -> str:
    """The pins with the SHA-256 of every file of theirs in a folder; a pin without a file is left out and named."""
    files: defaultdict[str, list[str]] = defaultdict(list)
    for file in sorted(wheels.iterdir()):
        files[_plain(file.name.split("-")[0])].append(sha256(file.read_bytes()).hexdigest())
    lines = []
    for name, version in sorted(pins.items()):
        digests = "".join(f" \\\n    --hash=sha256:{digest}" for digest in files.get(_plain(name), ()))
        lines.append(f"{name}=={version}{digests}" if digests else f"# not downloaded: {name}=={version}")
    return "\n".join(lines) + "\n"


def _component(name: str, version: str) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library", "name": name, "version": version, "purl": f"pkg:pypi/{_plain(name).replace('_', '-')}@{version}"
    }  # fmt: skip
    licence = _licence(name)
    return {**component, "licenses": [{"license": {"name": licence}}]} if licence else component


def _licence(name: str) -> str | None:
    try:
        found = metadata(name)
    except PackageNotFoundError:
        return None
    said = found.get("License-Expression") or found.get("License") or ""
    return said.strip().splitlines()[0][:100] if said.strip() else None


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


if __name__ == "__main__":
    main()

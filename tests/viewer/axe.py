"""axe-core in a page or a frame of one."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page


def serious_faults(shown: Page | Frame) -> list[tuple[str, str, str]]:
    """What axe calls serious or critical: the rule, where it first fails, and why."""
    shown.evaluate(_script())
    results = shown.evaluate("axe.run(document, {resultTypes: ['violations'], iframes: false})")
    return [
        (fault["id"], fault["nodes"][0]["html"][:120], fault["nodes"][0]["failureSummary"][:200])
        for fault in results["violations"]
        if fault["impact"] in ("serious", "critical")
    ]


def _script() -> str:
    try:
        import axe_playwright_python
    except ModuleNotFoundError:
        pytest.skip("axe-playwright-python is not installed: it brings axe-core")
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")

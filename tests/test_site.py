"""The documentation site builds without a warning, its links lead somewhere, and its pages say for whom they are."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it, without the demo's page."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "-d", folder / "doctrees", "docs", folder / "html"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert built.returncode == 0, built.stderr
    (folder / "html" / "demo-page.html").write_text("<p>written by make docs</p>", encoding="utf-8")
    return folder / "html"


class _Links(HTMLParser):
    """The addresses that a page leads to, and the places in it that can be led to."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and (name == "href" or (name == "src" and tag in ("img", "iframe"))):
                self.targets.append(value)
            if value and name == "id":
                self.places.add(value)


def _links(page: Path) -> _Links:
    links = _Links()
    links.feed(page.read_text(encoding="utf-8"))
    return links


def test_every_link_of_the_site_leads_to_a_page_and_a_place(site: Path) -> None:
    pages = {page: _links(page) for page in site.glob("*.html")}
    assert len(pages) > 20
    broken = []
    for page, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme or target.startswith("//"):
                continue
            other = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not other.exists() or (
                parts.fragment and other in pages and unquote(parts.fragment) not in pages[other].places
            ):
                broken.append(f"{page.name}: {target}")
    assert not broken


def test_the_api_page_shows_the_public_face(site: Path) -> None:
    text = (site / "api.html").read_text(encoding="utf-8")
    for name in ("Verifier", "assess", "Numeric", "EvpvError"):
        assert f"evpv.{name}" in text or f'"{name}"' in text or f">{name}<" in text


def test_every_page_is_in_the_contents() -> None:
    contents = set(re.findall(r"^([a-z_]+)$", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"} == contents

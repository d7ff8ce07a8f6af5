"""Text from outside does nothing: a corpus of payloads in every field, in every view, and nothing runs, loads or breaks."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from evpv.records import read_traces
from evpv.viewer import write_run_page

from .payloads import PAYLOADS, payload_run

HIT = "window.evpvHit ?? null"


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[str]]:
    """The address of the page, and the problems in it."""
    folder = tmp_path_factory.mktemp("hostile")
    run = payload_run(folder)
    page = folder / "page <img src=x onerror=window.evpvHit=1>.html"
    write_run_page([run, run], page, title=PAYLOADS[1])
    return page.as_uri(), [trace.problem_id for trace in read_traces(run)]


def sound(page: Page) -> None:
    """Nothing ran, nothing was added to the page that the page does not make, and nothing sticks out."""
    assert page.evaluate(HIT) is None
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (
        page.evaluate("document.querySelectorAll('iframe, object, embed, base, link, foreignObject, form').length") == 0
    )
    assert (
        page.evaluate(
            "[...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => /^on/i.test(a.name))).length"
        )
        == 0
    )
    assert (
        page.evaluate(
            "[...document.querySelectorAll('[href]')].filter(e => !(e.getAttribute('href') ?? '').startsWith('#')).length"
        )
        == 0
    )
    assert (
        page.evaluate("[...document.querySelectorAll('script')].filter(e => e.type !== 'application/json').length") <= 1
    )


@pytest.mark.parametrize("width", [1280, pytest.param(375, marks=pytest.mark.slow)])
def test_payloads_do_nothing_in_the_overview_and_the_comparison(
    page: Page, hostile: tuple[str, list[str]], width: int
) -> None:
    address, _ = hostile
    page.set_viewport_size({"width": width, "height": 900})
    for state in ("", "#view=whatif&preset=paper", "#view=compare"):
        page.goto("about:blank")
        page.goto(address + state)
        expect(page.locator("h1").first).to_be_visible()
        page.wait_for_timeout(150)
        sound(page)
        page.mouse.wheel(0, 3000)
        page.wait_for_timeout(100)
        sound(page)


@pytest.mark.parametrize("width", [1280, pytest.param(375, marks=pytest.mark.slow)])
def test_payloads_do_nothing_in_the_problem(page: Page, hostile: tuple[str, list[str]], width: int) -> None:
    address, problems = hostile
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(address)
    for number, problem in enumerate(problems):
        page.evaluate("(hash) => { location.hash = hash; }", f"view=problem&problem={quote(problem)}")
        expect(page.locator(".candidate").first).to_be_attached()
        expect(page.get_by_text(f"{number + 1} of {len(problems)}").first).to_be_visible()
        if width > 1000:
            page.locator(".claim").first.hover()
        sound(page)
        assert (page.locator("h1").text_content() or "").strip() == problem.strip()


def test_payloads_in_the_address_do_nothing(page: Page, hostile: tuple[str, list[str]]) -> None:
    address, problems = hostile
    names = (
        "candidate",
        "beside",
        "step",
        "search",
        "sort",
        "filters",
        "preset",
        "gate",
        "select",
        "aggregation",
        "threshold",
    )
    page.goto(address)
    for payload in PAYLOADS:
        text = quote(payload[:500])
        for state in (f"view={text}&run={text}", f"problem={text}", "&".join(f"{name}={text}" for name in names)):
            for shown in ("", f"&problem={quote(problems[0])}"):
                page.evaluate("(hash) => { location.hash = hash; }", state + shown)
        sound(page)


@pytest.mark.slow
def test_payloads_do_nothing_as_a_folder_of_chunks(page: Page, tmp_path: Path) -> None:
    run = payload_run(tmp_path / "x", PAYLOADS * 7)
    output = tmp_path / "large.html"
    assert write_run_page([run], output) is not None
    page.goto(output.as_uri())
    page.locator(".grid").scroll_into_view_if_needed()
    page.locator(".card").nth(2).click()
    expect(page.locator(".candidate").first).to_be_visible()
    sound(page)

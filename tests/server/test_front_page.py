"""The page at `/` in a real browser: drop, run, see the evidence; and nothing that is pasted runs."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from evpv.records.corrections import read_corrections
from evpv.types import Candidate, Numeric, Problem
from tests.viewer.axe import serious_faults

from .serving import Served, serving

HIT = "window.evpvHit=1"
PAYLOADS = (
    f"<script>{HIT}</script>",
    f"</textarea></script><img src=x onerror={HIT}>",
    f'"><svg onload={HIT}>',
    f"javascript:{HIT}",
    f"<iframe srcdoc='<script>top.{HIT}</script>'></iframe>",
    f"$\\href{{javascript:{HIT}}}{{x}}$ ${{{HIT}}} {{{{script}}}}",
)
DROP = """([name, data]) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name, { type: "image/png" }));
  document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab; the test fails if it asks another machine, complains on its console, throws or opens a dialogue.

    That an answer was refused (401, 422) the browser always says, and the page has to show.
    """
    context = browser.new_context(viewport={"width": 1500, "height": 950})
    page, complaints = context.new_page(), list[str]()
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith(("http://127.0.0.1:", "blob:", "data:")) else complaints.append(request.url)
        ),
    )
    page.on(
        "console",
        lambda said: (
            complaints.append(said.text)
            if said.type in ("error", "warning") and not re.search(r"status of (401|422)", said.text)
            else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
    page.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    yield page
    context.close()
    assert complaints == []


def text_of(candidate: Candidate) -> str:
    return "\n".join([*(step.text for step in candidate.steps), f"The answer is {candidate.final_answer}."])


def drop(page: Page, path: Path, name: str = "figure.png") -> None:
    page.evaluate(DROP, [name, base64.b64encode(path.read_bytes()).decode()])


def fill_candidates(page: Page, texts: list[str]) -> None:
    fields = page.locator("#candidates textarea")
    while fields.count() < len(texts):
        page.get_by_role("button", name="Add a candidate").click()
    for number, text in enumerate(texts):
        fields.nth(number).fill(text)


def test_drop_run_and_see_the_evidence(page: Page, served: Served, problems: list[Problem]) -> None:
    problem = problems[0]
    page.goto(served.url)
    drop(page, Path(problem.images[0]))
    expect(page.locator("#preview")).to_be_visible()
    page.get_by_label("Question").fill(problem.question)
    fill_candidates(page, [text_of(candidate) for candidate in problem.candidates[:3]])
    page.get_by_role("button", name="Check and rank").click()
    expect(page.get_by_role("alert")).to_contain_text("a key is needed")
    page.get_by_label("Key").fill(str(served.key))
    page.get_by_role("button", name="Check and rank").click()
    evidence = page.frame_locator("iframe")
    expect(evidence.locator(".candidate")).to_have_count(3)
    expect(evidence.get_by_text(problem.question[:30]).first).to_be_visible()
    expect(evidence.locator(".claim").first).to_be_visible()
    expect(page.locator("#status")).to_contain_text("Done in")
    assert page.locator("iframe").get_attribute("sandbox") == "allow-scripts"


def test_a_fact_mended_in_the_frame_is_assessed_by_the_service_and_can_be_saved(
    page: Page, served: Served, problems: list[Problem], tmp_path: Path
) -> None:
    problem = problems[0]
    page.goto(served.url)
    drop(page, Path(problem.images[0]))
    page.get_by_label("Question").fill(problem.question)
    fill_candidates(page, [text_of(candidate) for candidate in problem.candidates[:2]])
    page.get_by_label("Key").fill(str(served.key))
    page.get_by_role("button", name="Check and rank").click()
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="Add a fact").click()
    page.keyboard.press("Escape")
    frame.get_by_label("What", exact=True).fill("segment XY")
    frame.get_by_label("Value").fill("12.5")
    frame.get_by_role("button", name="Add", exact=True).click()
    expect(frame.get_by_text("Kept as correction 1.")).to_be_visible()
    expect(frame.locator(".fact", has_text="segment XY")).to_contain_text("12.5")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Corrections (1)").click()
    saving.value.save_as(tmp_path / "corrections.jsonl")
    [correction] = read_corrections(tmp_path / "corrections.jsonl")["problem"]
    assert isinstance(correction.change.new, Numeric)
    assert (correction.change.new.entity, correction.change.new.value) == ("segment XY", 12.5)


def click_example(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Try an example").click()
    expect(page.locator("#status")).to_contain_text("Done in")
    expect(page.frame_locator("iframe").locator(".candidate").first).to_be_visible()


@pytest.fixture(scope="module")
def open_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The embedded recipe without keys, as it is on one's own machine."""
    with serving(tmp_path_factory.mktemp("open"), "--workers", "1") as service:
        yield service


def test_an_example_is_a_click_away_and_shows_its_ranking_first(page: Page, open_service: Served) -> None:
    click_example(page, open_service.url)
    evidence = page.frame_locator("iframe")
    expect(evidence.locator(".candidate")).to_have_count(3)
    expect(evidence.locator(".candidate").first).to_contain_text("211")
    expect(evidence.get_by_text("the claim says 98 mm").first).to_be_attached()
    for chrome in ("header.bar", ".tabs", ".top-line"):
        expect(evidence.locator(chrome)).to_have_count(0)
    figure, ranking = (evidence.locator(place).bounding_box() for place in (".picture", ".candidates"))
    assert figure is not None
    assert ranking is not None
    assert figure["width"] < ranking["width"] / 1.5
    assert figure["x"] > ranking["x"]


def test_on_a_phone_the_result_is_scrolled_to(page: Page, open_service: Served) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    click_example(page, open_service.url)
    frame = page.locator("iframe").bounding_box()
    assert frame is not None
    assert abs(frame["y"]) < 2
    evidence = page.frame_locator("iframe")
    figure, first = (evidence.locator(place).first.bounding_box() for place in (".picture", ".candidate"))
    assert first is not None
    assert figure is not None
    assert first["y"] < figure["y"]
    assert evidence.locator("html").evaluate("root => root.scrollWidth <= root.clientWidth")


@pytest.mark.parametrize(("colour", "ground"), [("black", "rgb(0, 0, 0)"), ("white", "rgb(255, 255, 255)")])
def test_a_dark_figure_stands_on_dark_ground(
    page: Page, open_service: Served, tmp_path: Path, colour: str, ground: str
) -> None:
    Image.new("RGB", (90, 300), colour).save(tmp_path / "figure.png")
    page.goto(open_service.url)
    drop(page, tmp_path / "figure.png")
    fill_candidates(page, ["AB = 7"])
    page.get_by_role("button", name="Check and rank").click()
    expect(page.frame_locator("iframe").locator(".window")).to_have_css("background-color", ground)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault_in_form_and_evidence(browser: Browser, open_service: Served, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    click_example(page, open_service.url)
    found = [fault for frame in page.frames for fault in serious_faults(frame)]
    context.close()
    assert found == []


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("light"), "--recipe", "judge-alone", "--workers", "1") as service:
        yield service


def test_nothing_that_is_pasted_runs(page: Page, light: Served, problems: list[Problem]) -> None:
    page.goto(light.url)
    drop(page, Path(problems[0].images[0]), name=PAYLOADS[1])
    for number, payload in enumerate(PAYLOADS):
        page.get_by_label("Question").fill(payload)
        page.get_by_label("Choices").fill(payload)
        steps = {"reasoningprocess": [{"steptext": payload, "visualdependency": payload}], "finalanswer": payload}
        fill_candidates(page, [payload, json.dumps(steps)])
        page.get_by_role("button", name="Check and rank").click()
        expect(page.locator("#status")).to_contain_text("Done in")
        frame = page.frame_locator("iframe")
        expect(frame.locator(".candidate").first).to_be_visible()
        expect(frame.locator(".steps, .step").first).to_be_attached()
        assert number == 5 or payload[:20] in (frame.locator("body").text_content() or "")
        page.wait_for_timeout(100)
        assert [one.evaluate("window.evpvHit ?? null") for one in page.frames] == [None] * len(page.frames)
        page.evaluate("document.getElementById('status').textContent = ''")


def test_what_is_refused_is_said_as_text(page: Page, light: Served, tmp_path: Path) -> None:
    (tmp_path / "no picture").write_bytes(PAYLOADS[0].encode())
    page.goto(light.url)
    page.get_by_role("button", name="Check and rank").click()
    expect(page.get_by_role("alert")).to_contain_text("at least one candidate")
    drop(page, tmp_path / "no picture", name=PAYLOADS[1])
    expect(page.locator("#file-name")).to_have_text(PAYLOADS[1])
    fill_candidates(page, ["AB = 7"])
    page.get_by_role("button", name="Check and rank").click()
    expect(page.get_by_role("alert")).to_contain_text("the image is not png")
    assert page.evaluate("window.evpvHit ?? null") is None


def test_the_policy_lets_two_scripts_run_and_nothing_load(light: Served) -> None:
    with light.client() as client:
        answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["frame-ancestors"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert all(one.startswith("'sha256-") for name in ("script-src", "style-src") for one in rules[name].split())
    assert len(rules["script-src"].split()) == len(rules["style-src"].split()) == 2
    assert rules["connect-src"] == "'self'"
    assert "unsafe" not in policy
    assert "http" not in answer.text.replace("http-equiv", "")

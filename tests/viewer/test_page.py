"""The page as a reader uses it, in real Chromium: pointing, filtering, links, what-if, keys, dark, phone, compare."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from evpv.language.answers import answer_key
from evpv.records import read_traces
from evpv.reward.assess import assess, reassess
from evpv.reward.method import Method, preset
from evpv.reward.ranking import without_gate
from evpv.types import AssertionMatch, Candidate, Match, Numeric, Problem, Ranking, Step, Trace
from evpv.viewer import write_page, write_run_page
from tests.viewer.axe import serious_faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A page on disk, and what it should show."""

    address: str
    traces: tuple[Trace, ...]

    def link(self, **state: object) -> str:
        return f"{self.address}#{'&'.join(f'{name}={value}' for name, value in state.items())}"

    def changing(self, method: Method) -> Trace:
        """A problem whose order is another under the method."""
        return next(t for t in self.traces if reassess(t, method).ranking.order != t.ranking.order)

    def misread(self) -> tuple[Trace, str, int]:
        """A problem, the candidate and the step of it whose claim a fact with a place contradicts."""
        for trace in self.traces:
            for candidate in trace.candidates:
                for number, step in enumerate(candidate.steps):
                    place = step.match.constraint if step.match and step.match.verdict == "contradicted" else None
                    if place is not None and trace.constraints[place].box is not None:
                        return trace, candidate.id, number
        raise AssertionError("the run holds no misread premise")


@pytest.fixture(scope="session")
def shown(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    path = tmp_path_factory.mktemp("page") / "page.html"
    write_run_page([run_folder], path)
    return Shown(address=path.as_uri(), traces=tuple(read_traces(run_folder)))


@pytest.fixture(scope="session")
def compared(run_folder: Path, paper_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    path = tmp_path_factory.mktemp("compared") / "page.html"
    write_run_page([run_folder, paper_folder], path)
    return Shown(address=path.as_uri(), traces=tuple(read_traces(run_folder)))


def order(page: Page) -> list[str | None]:
    """The candidates in the order that the problem's view shows."""
    expect(page.locator(".candidate").first).to_be_visible()
    return [item.get_attribute("data-candidate") for item in page.locator(".candidate").all()]


def spot(page: Page) -> Any:
    """Where the light on the figure is, in its pixels, once it has come to rest."""
    page.wait_for_timeout(400)
    return page.locator("rect.spot").evaluate(
        "rect => ({x: rect.x.baseVal.value || parseFloat(rect.style.x), y: parseFloat(rect.style.y) || rect.y.baseVal.value,"
        " lit: rect.ownerSVGElement.classList.contains('lit'), verdict: rect.dataset.verdict})"
    )


def slide(slider: Locator, value: float) -> None:
    slider.evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input', {bubbles: true})); }", value
    )


def chosen(trace: Trace, ranking: Ranking) -> set[str]:
    """The answers that a ranking chooses; a candidate without one stands for itself."""
    by_id = {c.id: answer_key(c.final_answer, trace.problem.options) or f"no answer: {c.id}" for c in trace.candidates}
    return {by_id[name] for name in ranking.best}


def test_the_overview_says_what_the_run_was_and_how_it_did(page: Page, shown: Shown) -> None:
    page.goto(shown.address)
    headline = page.get_by_role("region", name="Headline figures")
    steps = [step for trace in shown.traces for candidate in trace.candidates for step in candidate.steps]
    expect(headline).to_contain_text(f"{len(shown.traces)} problems")
    expect(headline).to_contain_text(f"{sum(step.claim is not None for step in steps)} claims")
    expect(page.locator("body")).to_contain_text("given")
    expect(page.locator("body")).to_contain_text("weakest-link")
    page.get_by_text("Figures of the run").click()
    expect(page.get_by_role("region", name="Distributions")).to_contain_text("Contradicted")
    expect(page.locator(".card").first).to_contain_text(shown.traces[0].problem_id)
    assert page.locator(".card img").first.evaluate("image => image.naturalWidth") > 0


def test_pointing_at_a_contradicted_claim_moves_the_light_to_its_box(page: Page, shown: Shown) -> None:
    trace, candidate, number = shown.misread()
    step = next(c for c in trace.candidates if c.id == candidate).steps[number]
    assert step.match is not None
    assert step.match.constraint is not None
    page.goto(shown.link(view="problem", problem=trace.problem_id, candidate=candidate))
    claim = page.locator(f'.step[data-step="{number + 1}"] .claim')
    expect(claim).to_contain_text("Contradicted")
    expect(claim).to_contain_text(step.match.explanation.split(",")[0].split("$")[0][:12])
    expect(page.locator(f'.step[data-step="{number + 1}"]')).to_contain_text("Premise error")
    assert not spot(page)["lit"]
    claim.hover()
    expect(page.locator("svg.overlay.lit")).to_be_visible()
    box = trace.constraints[step.match.constraint].box
    assert box is not None
    at = spot(page)
    assert abs(at["x"] - box[0]) < 12
    assert abs(at["y"] - box[1]) < 12
    assert at["verdict"] == "contradicted"
    expect(page.locator(f'.facts-read li[data-constraint="{step.match.constraint}"]')).to_have_class(re.compile("lit"))
    page.mouse.move(2, 2)
    expect(page.locator("svg.overlay.lit")).to_have_count(0)


def test_pointing_at_a_fact_or_its_box_lights_the_claims_that_met_it(page: Page, shown: Shown) -> None:
    trace, candidate, number = shown.misread()
    step = next(c for c in trace.candidates if c.id == candidate).steps[number]
    assert step.match is not None
    page.goto(shown.link(view="problem", problem=trace.problem_id, candidate=candidate))
    lit = page.locator(f'.step.lit[data-step="{number + 1}"]')
    expect(page.locator(f'.step[data-step="{number + 1}"]')).to_be_visible()
    expect(lit).to_have_count(0)
    page.locator(f'.facts-read li[data-constraint="{step.match.constraint}"]').hover()
    expect(lit).to_have_count(1)
    page.mouse.move(2, 2)
    expect(lit).to_have_count(0)
    page.locator(f'rect.mark-box[data-constraint="{step.match.constraint}"]').hover(force=True)
    expect(lit).to_have_count(1)


def test_a_link_to_a_step_frames_its_fact_and_not_the_figure(page: Page, shown: Shown) -> None:
    trace, candidate, number = shown.misread()
    page.goto(shown.link(view="problem", problem=trace.problem_id, candidate=candidate, step=number + 1))
    match = next(c for c in trace.candidates if c.id == candidate).steps[number].match
    assert match is not None
    assert match.constraint is not None
    box = trace.constraints[match.constraint].box
    assert box is not None
    at = spot(page)
    assert (at["lit"], abs(at["x"] - box[0]) < 12, abs(at["y"] - box[1]) < 12) == (True, True, True)


@pytest.fixture(scope="session")
def doubtful(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """A tie of which nothing was checked, a figure that gave no fact, and a claim that says two things."""
    folder = tmp_path_factory.mktemp("doubtful")
    said = ("400", "575")
    plain = tuple(Candidate(id=a, steps=(Step(text="We add them up."),), final_answer=a) for a in said)
    claim = "AB is 12 cm and CD is 5 cm."
    two = Match(
        type="numeric", verdict="contradicted", support=0.1, constraint=0, explanation="the figure shows 7",
        assertions=(
            AssertionMatch(span=(0, 11), form="AB = 12", verdict="missing", support=0.6, explanation="not read"),
            AssertionMatch(
                span=(16, 26), form="CD = 5", verdict="contradicted", support=0.1, constraint=0, explanation="it is 7"
            ),
        ),
    )  # fmt: skip
    step = Step(text="We see it.", claim=claim)
    seen = Problem(id="two", question="?", candidates=(Candidate(id="a", steps=(step,), final_answer="7"),))
    facts = [Numeric(entity="CD", attribute="length", value=7.0, box=(1.0, 1.0, 9.0, 9.0))]
    traced = assess(seen, facts, [[0.5]], Method())
    one = replace(traced.candidates[0], steps=(replace(traced.candidates[0].steps[0], match=two),))
    traces = (
        assess(Problem(id="tie", question="?", candidates=plain), (), [[0.5], [0.5]], Method()),
        assess(Problem(id="unread", question="?", images=("none.png",), candidates=plain[:1]), (), [[0.5]], Method()),
        replace(traced, candidates=(one,)),
    )
    write_page(folder / "page.html", traces, title="doubtful")
    return Shown(address=(folder / "page.html").as_uri(), traces=traces)


def test_the_overview_begins_with_what_needs_attention(page: Page, doubtful: Shown) -> None:
    page.goto(doubtful.address)
    found = {
        name: page.locator(f'[data-attention="{name}"] .attention-count').text_content()
        for name in ("changed", "tied", "unchecked", "unread")
    }
    assert found == {"changed": "0", "tied": "1", "unchecked": "2", "unread": "1"}
    page.locator('[data-attention="tied"]').click()
    expect(page.locator(".card")).to_have_count(1)
    expect(page.locator(".card")).to_contain_text("tie: 400 or 575")


def test_a_tie_and_a_figure_that_gave_nothing_are_called_so(page: Page, doubtful: Shown) -> None:
    page.goto(doubtful.link(view="problem", problem="tie"))
    expect(page.get_by_role("region", name="In short")).to_contain_text("Tie: 400 or 575")
    expect(page.get_by_role("note")).to_contain_text("Nothing was checked")
    expect(page.locator(".candidate").first).to_contain_text("nothing checked")
    page.goto(doubtful.link(view="problem", problem="unread"))
    expect(page.get_by_role("note")).to_contain_text("Nothing was read from the figure")


def test_each_thing_that_a_claim_says_has_its_own_verdict_and_reason(page: Page, doubtful: Shown) -> None:
    page.goto(doubtful.link(view="problem", problem="two"))
    parts = page.locator(".assertion")
    expect(parts).to_have_count(2)
    expect(parts.nth(0)).to_contain_text("AB is 12 cm not read")
    expect(parts.nth(1)).to_contain_text("CD is 5 cm it is 7")
    parts.nth(1).hover()
    expect(page.locator('.facts-read li[data-constraint="0"]')).to_have_class(re.compile("lit"))


def test_a_step_has_one_number_and_the_rest_unfolds(page: Page, shown: Shown) -> None:
    trace, candidate, number = shown.misread()
    page.goto(shown.link(view="problem", problem=trace.problem_id, candidate=candidate))
    worth = page.locator(f'.step[data-step="{number + 1}"] .worth')
    expect(worth.get_by_text("how far what was read supports its claim")).to_be_hidden()
    worth.locator("summary").click()
    expect(worth.get_by_text("how far what was read supports its claim")).to_be_visible()


def test_filters_narrow_the_cards_and_stay_in_the_address(page: Page, shown: Shown) -> None:
    page.goto(shown.address)
    gate_off = {t.problem_id: without_gate(t, Method().aggregate, "weighted-vote")[0] for t in shown.traces}
    swapped = {t.problem_id for t in shown.traces if chosen(t, gate_off[t.problem_id]) != chosen(t, t.ranking)}
    assert 0 < len(swapped) < len(shown.traces)
    page.get_by_role("button", name=re.compile("Winner changed")).click()
    expect(page.get_by_role("status").first).to_contain_text(f"{len(swapped)} of {len(shown.traces)}")
    cards = {card.get_attribute("data-problem") for card in page.locator(".card").all()}
    assert cards <= swapped
    assert "filters=changed" in page.url
    page.reload()
    expect(page.get_by_role("status").first).to_contain_text(f"{len(swapped)} of {len(shown.traces)}")


def test_search_looks_into_steps_and_sorting_into_errors(page: Page, shown: Shown) -> None:
    page.goto(shown.address)
    word = shown.traces[3].candidates[0].steps[0].text.split("$")[0].strip()[:25]
    holding = [
        t.problem_id
        for t in shown.traces
        if any(
            word.lower() in f"{s.text}\n{s.claim}\n{s.match.explanation if s.match else ''}".lower()
            for c in t.candidates
            for s in c.steps
        )
    ]
    page.get_by_role("searchbox").fill(word)
    expect(page.get_by_role("status").first).to_contain_text(f"{len(holding)} of")
    assert {card.get_attribute("data-problem") for card in page.locator(".card").all()} <= set(holding)
    page.get_by_role("searchbox").fill("")
    page.get_by_label("Sort by").select_option("premise")
    data = json.loads(page.locator("#evpv-data").text_content() or "")
    worst = max(data["runs"][0]["problems"], key=lambda line: line["premise_errors"])
    expect(page.locator(".card").first).to_have_attribute("data-problem", worst["id"])


def test_the_order_and_the_numbers_are_those_of_the_trace(page: Page, shown: Shown) -> None:
    for trace in shown.traces[:4]:
        page.goto(shown.link(view="problem", problem=trace.problem_id))
        expect(page.locator("h1")).to_have_text(trace.problem_id)
        assert order(page) == list(trace.ranking.order)
        best = next(c for c in trace.candidates if c.id == trace.ranking.order[0])
        expect(page.locator(".candidate-numbers").first).to_contain_text(f"{trace.ranking.values[best.id]:.3f}")
        assert page.locator(".candidate.is-open .step").count() == len(best.steps)


def test_dragging_tau_changes_the_ranking_as_python_does(page: Page, shown: Shown) -> None:
    low, high = (Method(gate="sigmoid", threshold=threshold) for threshold in (0.05, 0.95))
    trace = next(t for t in shown.traces if reassess(t, low).ranking.order != reassess(t, high).ranking.order)
    page.goto(shown.link(view="problem", problem=trace.problem_id, gate="sigmoid"))
    for threshold in (0.05, 0.95):
        slide(page.locator("#set-threshold"), threshold)
        expected = reassess(trace, Method(gate="sigmoid", threshold=threshold)).ranking
        expect(page.locator(".candidate").first).to_have_attribute("data-candidate", expected.order[0])
        assert order(page) == list(expected.order)
        expect(page.locator(".candidate-numbers").first).to_contain_text(f"{expected.values[expected.order[0]]:.3f}")
        assert f"threshold={threshold}" in page.url


@pytest.mark.parametrize(
    "settings",
    [
        {"gate": "local", "sharpness": 3},
        {"gate": "off", "aggregation": "streak"},
        {"select": "score"},
        {"aggregation": "first-error", "select": "vote"},
    ],
)
def test_a_link_opens_the_same_problem_candidate_and_settings(
    page: Page, shown: Shown, settings: dict[str, Any]
) -> None:
    method = preset("grounded", settings)
    trace = shown.traces[5]
    wanted = reassess(trace, method).ranking
    page.goto(shown.link(view="problem", problem=trace.problem_id, candidate=wanted.order[2], step=1, **settings))
    assert order(page) == list(wanted.order)
    expect(page.locator(".candidate.is-open")).to_have_attribute("data-candidate", wanted.order[2])
    expect(page.locator('.step[data-step="1"]').first).to_have_class(re.compile("lit"))


def test_what_if_names_the_problems_that_change_their_winner(page: Page, shown: Shown) -> None:
    method = Method(gate="sigmoid", threshold=0.8, select="score")
    changed = {t.problem_id for t in shown.traces if chosen(t, reassess(t, method).ranking) != chosen(t, t.ranking)}
    assert changed
    page.goto(shown.link(view="whatif", gate="sigmoid", threshold=0.8, select="score"))
    expect(page.locator(".change").first).to_be_visible()
    assert {row.get_attribute("data-problem") for row in page.locator(".change").all()} == changed
    page.get_by_role("button", name="As the run was").click()
    expect(page.locator("main")).to_contain_text("No problem changes its winner")


def test_candidates_stand_side_by_side_with_differences_marked(page: Page, shown: Shown) -> None:
    trace = shown.traces[0]
    first, second = trace.ranking.order[:2]
    page.goto(shown.link(view="problem", problem=trace.problem_id, candidate=first, beside=second))
    beside = page.get_by_role("region", name="Two candidates side by side")
    expect(beside).to_be_visible()
    assert beside.locator(".beside-row.differs mark").count() + beside.locator(".beside-row.same").count() > 0


def test_two_runs_are_compared(page: Page, compared: Shown) -> None:
    paper = {t.problem_id: reassess(t, preset("paper")).ranking for t in compared.traces}
    changed = {t.problem_id for t in compared.traces if chosen(t, paper[t.problem_id]) != chosen(t, t.ranking)}
    assert changed
    page.goto(compared.link(view="compare"))
    for problem in sorted(changed)[:3]:
        expect(page.locator("main")).to_contain_text(problem)
    expect(page.locator("main")).to_contain_text("paper")


def test_the_keyboard_is_enough(page: Page, shown: Shown) -> None:
    """From the overview to a misread claim's box and back, and the settings, without a mouse."""
    page.goto(shown.address)
    expect(page.locator(".card").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(re.compile(shown.traces[1].problem_id + "|" + shown.traces[2].problem_id))
    first = page.locator("h1").text_content()
    page.keyboard.press("j")
    expect(page.locator("h1")).not_to_have_text(first or "")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".candidate").nth(1)).to_have_class(re.compile("is-open"))
    page.keyboard.press("n")
    expect(page.locator('.step.lit[data-step="1"]')).to_be_visible()
    page.keyboard.press("b")
    expect(page.get_by_role("region", name="Two candidates side by side")).to_be_visible()
    page.keyboard.press("w")
    expect(page.locator("h1")).to_have_text("What if")
    page.locator("#set-gate").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_the_focus_lights_a_claim_as_the_pointer_does(page: Page, shown: Shown) -> None:
    trace, candidate, number = shown.misread()
    page.goto(shown.link(view="problem", problem=trace.problem_id, candidate=candidate))
    target = page.locator(f'.step[data-step="{number + 1}"] .claim button')
    target.focus()
    expect(page.locator("svg.overlay.lit")).to_be_visible()
    page.keyboard.press("Enter")
    assert f"step={number + 1}" in page.url


def test_the_figure_can_be_brought_nearer(page: Page, shown: Shown) -> None:
    page.goto(shown.link(view="problem", problem=shown.traces[0].problem_id))
    image = page.locator(".picture img")
    before = image.bounding_box()
    page.get_by_role("button", name=re.compile("Nearer")).click()
    after = image.bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] > 1.3 * before["width"]


def test_latex_is_set_and_money_is_not(page: Page, shown: Shown) -> None:
    trace = next(t for t in shown.traces if any("\\angle" in s.text for c in t.candidates for s in c.steps))
    candidate = next(c for c in trace.candidates if any("\\angle" in s.text for s in c.steps))
    page.goto(shown.link(view="problem", problem=trace.problem_id, candidate=candidate.id))
    expect(page.locator(".step-text math").first).to_be_visible()


VIEWS = {
    "overview": {},
    "problem": {"view": "problem"},
    "beside": {"view": "problem", "beside": True},
    "whatif": {"view": "whatif", "gate": "sigmoid", "select": "score"},
    "compare": {"view": "compare"},
}


def address_of(name: str, shown: Shown) -> str:
    state: dict[str, object] = dict(VIEWS[name])
    trace, candidate, number = shown.misread()
    if state.get("view") == "problem":
        state |= {"problem": trace.problem_id, "candidate": candidate, "step": number + 1}
    if state.get("beside"):
        state["beside"] = next(i for i in trace.ranking.order if i != candidate)
    return shown.link(**state)


@pytest.mark.parametrize("name", VIEWS)
def test_nothing_sticks_out_at_the_width_of_a_phone(browser: Browser, compared: Shown, name: str) -> None:
    context = browser.new_context(viewport={"width": 375, "height": 700}, has_touch=True)
    page = context.new_page()
    page.goto(address_of(name, compared))
    expect(page.locator("h1").first).to_be_visible()
    page.wait_for_timeout(200)
    wide = page.evaluate("document.documentElement.scrollWidth")
    context.close()
    assert wide <= 375


def test_dark_is_dark_and_light_is_light(browser: Browser, shown: Shown) -> None:
    grounds = {}
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(shown.address)
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        grounds[scheme] = sum(map(float, re.findall(r"[\d.]+", colour)[:3]))
        context.close()
    assert grounds["dark"] < 200 < 600 < grounds["light"]


def test_the_theme_can_be_chosen(page: Page, shown: Shown) -> None:
    page.goto(shown.address)
    page.get_by_role("button", name=re.compile("Colours")).click()
    page.get_by_role("button", name=re.compile("Colours")).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault_in_any_view(browser: Browser, compared: Shown, scheme: Any) -> None:
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": 1280, "height": 900}, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    found = {}
    for name in VIEWS:
        page.goto("about:blank")
        page.goto(address_of(name, compared))
        expect(page.locator("h1").first).to_be_visible()
        page.wait_for_timeout(200)
        found[name] = serious_faults(page)
    context.close()
    assert found == {name: [] for name in VIEWS}


def test_the_problem_prints(context: BrowserContext, page: Page, shown: Shown) -> None:
    page.goto(shown.link(view="problem", problem=shown.traces[0].problem_id))
    expect(page.locator(".candidate").first).to_be_visible()
    page.emulate_media(media="print")
    assert page.locator("header.bar").is_hidden() or page.locator(".tabs").is_hidden()
    assert page.pdf(format="A4")[:4] == b"%PDF"

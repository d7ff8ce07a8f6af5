"""The rounds of a revised candidate on the page: told, before and after as a diff, and the place in the picture."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from evpv.reward.assess import assess
from evpv.reward.method import preset
from evpv.types import Candidate, Numeric, Problem, Remark, Revision, Step
from evpv.viewer import write_page

FACT = Numeric(entity="apple", attribute="price", value=3.0, confidence=0.95, box=(150, 20, 190, 40))


def remark(said: str) -> Remark:
    return Remark(step=1, said=said, verdict="contradicted", read="read 3.", confidence=0.95, box=FACT.box)


def twice_revised() -> Candidate:
    first = Revision(
        of="a", round=1, first_step=1, before=("The apple costs 8.", "So 8."), answer_before="8",
        told=(remark("The apple costs 8."),), stance="corrected", reason="I looked <b>again</b>.",
    )  # fmt: skip
    second = Revision(
        of="a~1", round=2, first_step=1, before=("The apple costs 5.", "So 5."), answer_before="5",
        told=(remark("The apple costs 5."),), stance="corrected", reason="",
    )  # fmt: skip
    steps = (Step(text="Look."), Step(text="The apple costs 3.", claim="The apple costs 3."), Step(text="So 3."))
    return Candidate(id="a~2", steps=steps, final_answer="3", revisions=(first, second))


def insisting() -> Candidate:
    steps = (Step(text="Look."), Step(text="The apple costs 8.", claim="The apple costs 8."))
    told = Revision(
        of="c", round=1, first_step=1, before=("The apple costs 8.",), answer_before="8",
        told=(remark("The apple costs 8."),), stance="insisted", reason="",
    )  # fmt: skip
    return Candidate(id="c", steps=steps, final_answer="8", revisions=(told,))


def test_a_chain_is_shown_round_by_round_as_a_diff_with_its_place(page: Page, tmp_path: Path) -> None:
    Image.new("RGB", (300, 200), "white").save(tmp_path / "figure.png")
    candidates = (twice_revised(), Candidate(id="b", steps=(Step(text="So 3."),), final_answer="3"), insisting())
    problem = Problem(id="p", question="?", images=(str(tmp_path / "figure.png"),), candidates=candidates)
    write_page(
        tmp_path / "page.html", [assess(problem, [FACT], [[0.5] * 3, [0.5], [0.5] * 2], preset("grounded"))], title="t"
    )
    page.goto(f"{(tmp_path / 'page.html').as_uri()}#view=problem&problem=p&candidate=a~2")
    rounds = page.locator(".revision")
    expect(rounds).to_have_count(2)
    for number, (old, new) in enumerate((("8", "5"), ("5", "3"))):
        expect(rounds.nth(number).locator("del.diff-line").first).to_contain_text(f"The apple costs {old}.")
        expect(rounds.nth(number).locator("ins.diff-line").first).to_contain_text(f"The apple costs {new}.")
        expect(rounds.nth(number).locator(".diff-answer")).to_have_text(f"Answer {old} → {new}")
    expect(rounds.first).to_contain_text("I looked <b>again</b>.")
    expect(rounds.nth(1).locator("ins .verdict.supported")).to_have_count(1)
    page.locator(".told-one").first.hover()
    expect(page.locator("svg.overlay.lit")).to_be_visible()
    expect(page.locator(".fact").first).to_contain_text("apple")
    page.goto(f"{(tmp_path / 'page.html').as_uri()}#view=problem&problem=p&candidate=b")
    expect(page.locator(".revisions")).to_have_count(0)
    page.goto(f"{(tmp_path / 'page.html').as_uri()}#view=problem&problem=p&candidate=c")
    expect(page.locator(".diff-answer")).to_have_text("Answer 8: the solver insists")

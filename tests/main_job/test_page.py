"""The page: everything from outside is escaped, and what decided is there to see."""

from __future__ import annotations

from html.parser import HTMLParser

from evpv.reward.assess import assess
from evpv.reward.method import preset
from evpv.types import Candidate, Numeric, Problem, Step
from evpv.viewer import page
from evpv.viewer.page import first_bad_step

EVIL = "<script>alert(1)</script>\"'&"


class Tags(HTMLParser):
    """Collects the tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)


def trace_of(text: str, claim: str) -> object:
    problem = Problem(
        id=text,
        question=text,
        candidates=(Candidate(id=text, steps=(Step(text=text, claim=claim),), final_answer=text),),
    )
    facts = [
        Numeric(entity="segment AB", attribute="length", value=12.0, box=(1.0, 2.0, 3.0, 4.0)),
        Numeric(entity=EVIL, attribute=EVIL, value=1.0),
    ]
    return assess(problem, facts, [[0.9]], preset("grounded"))


def test_no_text_from_outside_becomes_markup() -> None:
    html = page([trace_of(EVIL, EVIL)], title=EVIL)  # type: ignore[list-item]
    tags = Tags()
    tags.feed(html)
    assert "script" not in tags.tags
    assert "<script" not in html.lower()
    assert "&lt;script&gt;" in html


def test_a_misread_step_says_what_the_figure_shows() -> None:
    trace = trace_of("a step", "AB = 15")
    html = page([trace], title="t")  # type: ignore[list-item]
    assert "claimed 15 for AB, the figure shows 12." in html
    assert 'class="verdict contradicted"' in html
    bad = first_bad_step(trace.candidates[0])  # type: ignore[attr-defined]
    assert bad is not None
    assert bad[1].startswith("misread: claimed 15")


def test_a_page_of_no_traces_is_still_a_page() -> None:
    assert "0 problems" in page([], title="nothing")

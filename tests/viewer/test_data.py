"""What Python puts into the page: evidence, summaries, figures of the run, pictures."""

from __future__ import annotations

import base64
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from evpv.records import read_traces
from evpv.reward.assess import assess, fault, reassess
from evpv.reward.method import Method, preset
from evpv.reward.ranking import without_gate
from evpv.types import Candidate, Numeric, Problem, Step, Trace
from evpv.viewer.images import Pictures, _small_picture, picture_kind, picture_size
from evpv.viewer.summaries import Choices, Headline, evidence_to_json, first_bad_step, right_answers, summary


def trace_of(*claims: str | None, rewards: tuple[float | None, ...] = (), method: Method | None = None) -> Trace:
    """One problem with a candidate per claim, a step each; the figure shows AB = 12."""
    candidates = tuple(
        Candidate(id=str(number), steps=(Step(text="A step.", claim=claim),), final_answer=claim)
        for number, claim in enumerate(claims)
    )
    problem = Problem(id="p", question="How long is AB?", candidates=candidates)
    facts = [Numeric(entity="segment AB", attribute="length", value=12.0, box=(1.0, 2.0, 3.0, 4.0))]
    return assess(problem, facts, [[r] for r in rewards or (0.9,) * len(claims)], method or preset("grounded"))


def test_the_page_is_given_which_steps_build_on_which_and_which_answers_are_one() -> None:
    for method in (preset("grounded"), preset("paper")):
        trace = trace_of("AB = 12", "AB = 12.0", None, method=method)
        assert evidence_to_json(trace, method) == {"answers": ["12", "12", None], "earlier": [[[]], [[]], [[]]]}


@pytest.mark.parametrize(
    ("claim", "base", "expected"),
    [
        ("AB = 12", 0.9, None),
        ("AB = 15", 0.9, "premise"),
        ("AB = 15", -0.9, "premise"),
        ("AB = 12", -0.9, "reasoning"),
        (None, -0.1, "reasoning"),
        (None, None, None),
        ("AB = 12", 0.0, None),
        ("CD = 7", 0.1, "premise"),  # not found, and so brought below 0 by the gate alone
    ],
)
def test_what_is_wrong_with_a_step(claim: str | None, base: float | None, expected: str | None) -> None:
    [candidate] = trace_of(claim, rewards=(base,)).candidates
    assert fault(candidate.steps[0]) == expected


def test_a_misread_step_says_what_the_figure_shows() -> None:
    assert first_bad_step(trace_of("AB = 15").candidates[0]) == (0, "misread: claimed 15 for AB, the figure shows 12.")


@pytest.mark.parametrize(
    ("answer", "options", "given", "expected"),
    [
        ("12", [], ("12 cm", "13", None), [True, False, False]),
        ("B", ["11", "12"], ("12", "A", "B"), [True, False, True]),
        (None, [], ("12", "13", "14"), [None, None, None]),
    ],
)
def test_right_is_told_as_votes_tell_answers_apart(answer: Any, options: Any, given: Any, expected: Any) -> None:
    trace = trace_of(*given)
    problem = replace(trace.problem, options=tuple(options), answer=answer)
    assert list(right_answers(replace(trace, problem=problem)).values()) == expected


def test_the_ranking_without_the_gate_is_that_of_the_gate_off(run_folder: Path) -> None:
    for trace in read_traces(run_folder):
        for select in ("score", "vote", "weighted-vote"):
            method = Method(select=select)
            off = reassess(trace, replace(method, gate="off")).ranking
            assert without_gate(trace, method.aggregate, select) == [off]


def test_the_headline_counts_what_the_lines_say() -> None:
    traces = [trace_of("AB = 12", "AB = 15", rewards=(0.5, 0.6)), trace_of("AB = 12", None, rewards=(0.9, -0.9))]
    headline = Headline()
    for trace in traces:
        asked = replace(trace.problem, answer="AB = 12")
        known = replace(trace, problem=asked, cost={"seconds": 0.5, "note": "x", "sure": True})
        choices, right = Choices.of(known, Method()), right_answers(known)
        headline.add(known, choices, right, summary(known, choices, right, 0.0, None))
    found = headline.to_json()
    assert (found["problems"], found["candidates"], found["steps"], found["claims"], found["changed"]) == (
        2,
        4,
        4,
        3,
        1,
    )
    assert (found["right"], found["base_right"], found["chance"]) == (1.0, 0.5, 0.5)
    assert (found["majority"], found["judge_alone"], found["tied"], found["unread"]) == (0.75, 0.5, 0, 0)
    assert (found["premise_errors"], found["reasoning_errors"]) == (1, 1)
    assert (sum(found["histograms"]["score"]), sum(found["histograms"]["reliability"])) == (4, 3)  # one is unknown
    assert dict(headline.cost) == {"seconds": 1.0}


def test_a_problem_without_candidates_has_a_line() -> None:
    trace = trace_of()
    line = summary(trace, Choices.of(trace, Method()), right_answers(trace), 0.0, None)
    assert (line.best, line.right, line.score, line.candidates) == ([], None, None, 0)


def picture(form: str = "PNG", size: tuple[int, int] = (30, 20), **options: Any) -> bytes:
    written = io.BytesIO()
    Image.effect_noise(size, 80).convert("RGB").save(written, form, **options)
    return written.getvalue()


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "WEBP"])
def test_kind_and_size_are_told_from_the_first_bytes(form: str) -> None:
    content = picture(form)
    assert (picture_kind(content), picture_size(content)) == (form.lower(), (30, 20))


def test_lossless_and_turned_pictures_have_their_shown_size() -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    assert picture_size(picture("WEBP", lossless=True)) == (30, 20)
    assert picture_size(picture("JPEG", exif=turned)) == (20, 30)


@given(st.sampled_from(["PNG", "JPEG", "GIF", "BMP", "WEBP"]), st.integers(0, 80), st.binary(max_size=12))
def test_broken_pictures_have_no_size_and_do_no_harm(form: str, cut: int, junk: bytes) -> None:
    content = picture(form)[:cut] + junk
    size = picture_size(content)
    assert size is None or min(size) > 0
    assert _small_picture(content, 16) is None or picture_kind(content) is not None


def pictures(folder: Path, **settings: Any) -> Pictures:
    return Pictures(**{"folder": folder, "page_folder": folder, "embed": True, **settings})


def test_pictures_go_inside_or_are_linked_from_the_page(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "a b#%.png").write_bytes(picture())
    asked = ["../a b#%.png"]
    [inside] = pictures(tmp_path / "run").page_images(asked)
    assert inside["src"] == "data:image/png;base64," + base64.b64encode((tmp_path / "a b#%.png").read_bytes()).decode()
    assert (inside["width"], inside["height"]) == (30, 20)
    [linked] = pictures(tmp_path / "run", embed=False, page_folder=tmp_path / "elsewhere").page_images(asked)
    assert linked["src"] == "../a%20b%23%25.png"


@pytest.mark.parametrize(
    "image",
    [
        "none.png",
        "https://example.org/a.png",
        "javascript:alert(1)",
        "a.svg",
        "\0",
        "data:text/html,<script>",
        "data:image/png;base64,!",
    ],
)
def test_what_is_no_picture_is_left_out(tmp_path: Path, image: str) -> None:
    (tmp_path / "a.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", encoding="utf-8")
    for embed in (True, False):
        assert pictures(tmp_path, embed=embed).page_images([image]) == []
        assert pictures(tmp_path, embed=embed).thumbnail([image], "0-00000") is None


def test_a_picture_given_in_the_trace_stays_inside() -> None:
    given_inside = "data:image/png;base64," + base64.b64encode(picture()).decode()
    [shown] = pictures(Path(), embed=False).page_images([given_inside])
    assert shown["src"] == given_inside


def test_a_huge_picture_is_made_smaller_inside_the_page_and_keeps_its_measure(tmp_path: Path) -> None:
    (tmp_path / "huge.bmp").write_bytes(picture("BMP", (2200, 1000)))
    [shown] = pictures(tmp_path).page_images(["huge.bmp"])
    assert (shown["width"], shown["height"]) == (2200, 1000)
    small = base64.b64decode(shown["src"].partition(",")[2])
    assert picture_size(small) == (2000, 909)


def test_thumbnails_are_small_and_go_where_they_are_asked(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(picture(size=(900, 600)))
    inside = pictures(tmp_path).thumbnail(["none.png", "a.png"], "0-00000")
    assert inside is not None
    assert picture_size(base64.b64decode(inside.partition(",")[2])) == (240, 160)
    (tmp_path / "page_data").mkdir()
    linked = pictures(tmp_path, embed=False, thumbnails=tmp_path / "page_data").thumbnail(["a.png"], "0-00007")
    assert linked == "page_data/0-00007.webp"
    assert picture_size((tmp_path / "page_data" / "0-00007.webp").read_bytes()) == (240, 160)

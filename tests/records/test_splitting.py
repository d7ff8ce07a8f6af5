"""Free text into steps, and the answer it announces."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evpv.language.final_answers import final_answer
from evpv.records import split_steps
from evpv.records.splitting import _formula_spans

DATA = Path(os.environ.get("EVPV_DATA", Path(__file__).parents[2].parent / "shared" / "data"))

# Each row: the steps as they should come out; the text is the steps joined by the text between them.
LAYOUTS: list[tuple[str, str, list[str]]] = [
    ("steps with numbers", "\n", ["Step 1: Read AB.", "Step 2: It is 3.\nSo CD is 4.", "Step 3: Add.", "†Answer: 7"]),
    ("bold step titles", "\n\n", ["**Step 1: Read**\n\nAB is 3.", "**Step 2: Add**\n\n3 + 4 = 7.", "Done."]),
    ("numbers with dots", "\n", ["First:", "1. AB is 3.", "2. CD is 4.", "3. Sum is 7."]),
    ("numbers with brackets", "\n", ["1) AB is 3.", "2) CD is 4.", "(3) Sum is 7."]),
    (
        "bullets inside a numbered item",
        "\n",
        ["1. Follow:\n   - right 2\n   - up 3", "2. **Trace**:\n- right\n- up", "3. So A."],
    ),
    ("bullets of their own", "\n", ["We see:", "- AB is 3", "- CD is 4", "* EF is 5"]),
    (
        "headers with a rule",
        "\n\n",
        ["To solve.\n\n---", "### Step 1: Look\nAB is 3.", "So 7.\n\n---", "### Answer\n7"],
    ),
    ("paragraphs", "\n\n", ["Read the table.", "76, 94, 86", "The mean is 85.875. The answer is 85.875."]),
    ("a colon announces the formula", "\n\n", ["Find it.", "Add the prices:\n\n$1.50 + $2 = $3.50", "She pays $3.50."]),
    ("a displayed formula goes on", "\n\n", ["We have\n\n\\[ x = 3. \\]\n\nwhere x is AB.", "Now y.", "Then z."]),
    (
        "lines that are sentences",
        "\n",
        ["Let AB be 3.", "Since\n\\[AB = CD\\]\nis given, CD is 3.", "Done."],
    ),
    ("a formula over blank lines", "\n\n", ["So\n\\[\nx = 1.\n\n1. y\n\\]", "Next.", "Last."]),
    ("a code block", "\n\n", ["Drawn:\n\n```\n1. a\n\n2. b\n```", "Then.", "Last."]),
    ("sentences of one block", " ", ["AB is 3.5 cm.", "Is CD 4?", "Yes!", '"It is."', "So (see Fig. 2) 7."]),
    ("abbreviations", " ", ["As in Fig. 2, e.g. Mr. Smith vs. Dr. No. 5 has approx. 3.5 + 2.", "See Eq. 3."]),
    ("formulas in sentences", " ", ["Let $x = 3. Y$ be \\(a. B\\) now.", "Then $$c. D$$ holds.", "So 5! = 120 it is."]),
    ("money is not a formula", " ", ["It costs $3.", "She pays $4.", "He has $5 left."]),
    ("a number begins a sentence", " ", ["There are 3 apples.", "5 are red.", "The answer is A.", "Because of 2."]),
    ("a list marker is no sentence", " ", ["1. Look at it.", "Then go."]),
    ("one sentence", "", ["The answer is \\boxed{E}."]),
]


@pytest.mark.parametrize(("name", "joint", "steps"), LAYOUTS, ids=[name for name, _, _ in LAYOUTS])
def test_a_text_is_split_where_its_layout_says(name: str, joint: str, steps: list[str]) -> None:
    assert split_steps(joint.join(steps)) == tuple(steps)


@pytest.mark.parametrize("text", ["", " ", "\n\n\t\r\n"])
def test_an_empty_text_has_no_steps(text: str) -> None:
    assert split_steps(text) == ()


PIECES = r"AB is 3.|Fig. 2|$x$|$|\[|\]|\(|\)|\\|```|1. |Step 2: |- |# |---|**| |  |\begin{a}|\end{a}|Answer: |\boxed{|}"
WRITTEN = st.lists(st.sampled_from([*PIECES.split("|"), "\n", "\n\n", "\u2028", "\r\n", "\x1c"])).map("".join)


@settings(deadline=None)
@given(st.one_of(st.text(), WRITTEN))
@example("\u3000Step 1: a\n\u3000\n b")
def test_nothing_but_white_space_is_lost(text: str) -> None:
    steps = split_steps(text)
    assert "".join("".join(steps).split()) == "".join(text.split())
    assert all(step == step.strip() and step for step in steps)


@settings(deadline=None)
@given(st.one_of(st.text(), WRITTEN))
def test_formulas_lie_in_order_and_apart(text: str) -> None:
    edges = [edge for span in _formula_spans(text) for edge in span]
    assert edges == sorted(edges)
    assert all(start < end for start, end in _formula_spans(text))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The mean is 3. The answer is 85.875.", "85.875"),
        ("So the answer is 1244", "1244"),
        ("The answer is $4,656.00.", "$4,656.00"),
        ("Therefore, the answer is (A).\n\n\\boxed{B}", "B"),
        ("\\boxed{B}. No, the correct answer is (C).", "C"),
        ("It is $\\boxed{\\frac{1}{\\sqrt{2}}}$.", "\\frac{1}{\\sqrt{2}}"),
        ("\\boxed{\\boxed{5}}", "5"),
        ("\\boxed{\\text{No}} cut \\boxed{6(\\sqrt{2", "No"),
        ("Answer: 12 cm", "12 cm"),
        ("The answer is 1:15 P.M.", "1:15 P.M."),
        ("†Answer: 2X", "2X"),
        ("### Final Answer: **A**", "A"),
        ("**Final Answer**\n\n\\[ \\boxed{63^\\circ} \\]", "63^\\circ"),
        ("Final answer:\n\n$x = 3$", "x = 3"),
        ("The correct answer should be option D: [1, 6]", "D: [1, 6]"),
        ("The answer is 3. But the answer is not 3.", "3"),
        ("\\boxed{} The answer is \\boxed{}.", None),
        ("It is a triangle.", None),
        ("", None),
        ("(B) nonlinear", "(B) nonlinear"),
        ("(B)", "B"),
        ("4", "4"),
        ("42 is a number.", None),
    ],
)
def test_the_last_announced_answer_is_the_final_one(text: str, answer: str | None) -> None:
    assert final_answer(text) == answer


HOSTILE = [
    "a",
    ".",
    "$",
    "\\[",
    "\\(",
    "{",
    "}",
    "\\boxed{",
    "answer: ",
    "answer is not ",
    " ",
    "\n",
    "- \n",
    "1. ",
    "*",
]
HOSTILE += [
    "**a",
    "# ",
    "\\begin{a}",
    "$a ",
    "A. ",
    "```",
    "$x$ ",
    "\\\\[",
    "---\n",
    "=\n",
    "$\n\nx$",
    "_",
    "\"'*",
    "\\boxed{}",
]
HOSTILE += ['{"reasoningprocess": ', "Step 1:\n", "**a**\n", "| a ", "$\\("]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hundred_kilobytes_take_well_under_a_second(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    start = time.process_time()
    split_steps(text)
    final_answer(text)
    assert time.process_time() - start < 2  # about 0.3 s on an idle core; quadratic time would be minutes


@pytest.mark.skipif(not DATA.is_dir(), reason="the packs of real data are not here (set EVPV_DATA)")
@pytest.mark.parametrize("pack", ["best_of_n", "solutions"])
def test_responses_of_real_models_get_a_sensible_number_of_steps(pack: str) -> None:
    lines = (DATA / pack / "items.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [candidate["response"] for line in lines for candidate in json.loads(line)["candidates"]]
    counts = [len(split_steps(text)) for text in texts if len(text) >= 100]
    assert sum(2 <= count <= 12 for count in counts) / len(counts) > 0.9

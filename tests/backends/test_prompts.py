"""Prompts: every rule, field, placeholder and output form of Appendix D is in ours, and files of one's own are checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evpv.assembly.builder import settings_of_part
from evpv.backends.prompts import (
    Prompt,
    _fences_around,
    _prompt_names,
    constraints_text,
    load_prompt,
    question_text,
    steps_text,
)
from evpv.errors import ConfigError
from evpv.types import Numeric, Problem, Structure

PAPER = Path(__file__).parents[2].parent / "shared" / "PAPER.tex"
SCHEMA_RULES = {
    "three categories": r'"numeric", "relation" or "structure"',
    "confidence in [0,1]": r'"confidence".*from 0 to 1 \(\[0,1\]\)',
    "relation types": r'"parallel", "perpendicular", "equal", "incident", "subset", "adjacent", "greater", "less"',
    "structure types": r'"composite", "graph", "table", "sequence"',
    "numeric fields": r"entity[\s\S]*attribute[\s\S]*value[\s\S]*unit",
    "relation fields": r"type[\s\S]*entities[\s\S]*direction",
    "structure fields": r"parts[\s\S]*attachment[\s\S]*adjacency",
    "value is a number": r"value\W.{0,12}a number",
    "unit string or null": r"unit\W.{0,20}string,? or null",
    "two or more entities": r"two or more|at least 2",
    "direction string or null": r"direction\W.{0,12}a string or null",
    "strict JSON array": r"strict JSON array",
    "nothing but the array": r"array (?:is the whole reply|and nothing else)",
    "solution-critical facts": r"facts (?:in the picture )?that solving the problem depends on",
    "question": r"\{question_text\}",
    "image": r"picture comes with this message",
}
RULES: dict[str, dict[str, str]] = {
    "policy": {  # D.1
        "role: careful and exact": r"with care and exactness",
        "role: expert in visual mathematical reasoning": r"expert in reasoning about what pictures show",
        "solve the query": r"Answer the query",
        "step by step, in detail": r"whole way to the answer one step at a time",
        "one valid JSON object in one code block": r"one valid JSON object in one code block",
        "nothing outside": r"nothing else: no words, remarks or markdown before or after",
        "variant number": r"variant number \{variant_id\}",
        "meaningfully different": r"differ in substance from that of the other variants",
        "another decomposition": r"split the problem up in another way",
        "other intermediate variables": r"other intermediate quantities",
        "another order of independent steps": r"do not depend on each other in another order",
        "nonce only as an anchor of randomness": r"nonce only anchors the randomness.*\{nonce\}",
        "schema: list of steps": r'"reasoningprocess": \[\s*\{\s*"steptext": "[^"]+",\s*"visualdependency": "[^"]+or null"',
        "schema: final answer": r'"finalanswer": "',
        "a step is one calculation, observation or deduction": r"one thing per step: a calculation, an observation or a deduction",
        "visualdependency: string or null": r"visualdependency, a string or null",
        "visualdependency: value, label, relation or structure read": r"a value, a label, a relation or a structure directly from the picture",
        "null only for abstract steps": r"Only a step that is purely abstract has null",
        "the literal null": r"JSON literal null",
        "never an empty string": r'empty string "" is never right',
        "minimally checkable": r"as small as can be checked",
        "one claim per step": r"a single claim for a step",
        "example: table entry": r"Row 3, column C of the table reads 45",
        "example: relation": r"Line EF is parallel to line GH",
        "example: structure": r"A hemisphere sits on top of a cylinder",
        "finalanswer: a string": r"finalanswer is a string",
        "finalanswer: option letter only": r'just the letter of the option, such as "A"',
        "finalanswer: number only": r"open question just the number",
        "query": r"## The query\n\{user_query\}",
    },
    "teacher": {  # D.2, and C for the reference steps
        **SCHEMA_RULES,
        "role": r"among the best at analysing the pictures of multimodal mathematics problems",
        "image and question are given": r"Look at the picture, read the question",
        "entity examples": r'"segment PQ", "table row 3 col C" or "cone radius"',
        "attribute examples": r'"length", "angle", "count" or "value"',
        "unit examples": r'"m", "deg" or null',
        "arrays of strings": r'"parts": an array of strings\n- "attachment": an array of strings\n- "adjacency": an array of strings',
        "only what the image supports": r"only what the picture itself supports",
        "no hidden values": r"a value that is not shown is not to be worked out",
        "atomic facts": r"Small facts that can be checked one by one",
        "no long paragraphs": r"better than long descriptions",
        "reference steps": r"\{reference_steps_text\}",
        "reference steps are no source": r"each one must be visible in the picture",
    },
    "extractor": {  # D.3
        **SCHEMA_RULES,
        "numeric object": r"numeric: an object with category, entity, attribute, value, unit, confidence",
        "relation object": r"relation: an object with category, type, entities, direction, confidence",
        "structure object": r"structure: an object with category, type, parts, attachment, adjacency, confidence",
    },
    "judge": {  # D.4
        "role": r"expert in mathematical reasoning, by profession",
        "the current step": r"whether the CURRENT step of a solution is right",
        "given image, problem, earlier steps": r"going by the picture, the problem and the steps before it",
        "strict object, one key": r'strict JSON object with the single key "judgment"',
        "integer 1 or -1": r"the integer 1 or the integer -1",
        "1 is right": r"- 1: the step is right",
        "-1 is wrong": r"- -1: the step is wrong",
        "contradicts image, question or earlier step": r"at odds with the picture, with the question or with an earlier step",
        "invalid reasoning": r"its reasoning does not hold",
        "no explanation": r"Write nothing else, and do not explain",
        "problem": r"The problem:\n\{question_text\}",
        "evidence": r"structured constraints.*\(C\):\n\{constraints_json_text\}",
        "history": r"The steps before:\n\{history_steps_text\}",
        "current": r"The CURRENT step, which you judge:\n\{current_step_text\}",
        "image": r"picture of the problem comes with this message",
    },
    "error-types": {  # D.5
        "role": r"mathematical reasoning and the assessment of multimodal solutions; you are an expert",
        "inputs": r"a mathematics problem, its picture, a solution in steps, and by its index a step of it that is known to be wrong",
        "the best explanation": r"which kind of error explains best why that step is wrong",
        "exactly one": r"choose exactly one:",
        "visual": r'"Visual Misinterpretation": the picture was misread or misused: a wrong shape, number, label, relation or structure',
        "logical": r'"Logical Error": the deduction does not hold.*does not follow.*chain of reasoning breaks.*neither the picture nor arithmetic',
        "calculation": r'"Calculation Error": the reasoning is right, but there is a slip in arithmetic or algebra',
        "knowledge": r'"Knowledge Error": a formula, a definition or a fact',
        "incompleteness": r'"Incompleteness": too little is said: a needed detail is skipped, or the conclusion is not fully justified',
        "a subtype with visual only": r'With "Visual Misinterpretation", and only then, choose exactly one',
        "structural": r'"Structural Misunderstanding": how things lie in space, the geometry or how parts are put together',
        "value": r'"Value Misreading": a number or a measure',
        "object": r'"Object Misidentification": the wrong object or label was taken, or things were matched up wrongly',
        "a single JSON object": r"a single JSON object:\n\{",
        "top_level values": r'"top_level": "Visual Misinterpretation" \| "Logical Error" \| "Calculation Error" \| '
        r'"Knowledge Error" \| "Incompleteness"',
        "visual_subtype values": r'"visual_subtype": "Structural Misunderstanding" \| "Value Misreading" \| "Object Misidentification" \| null',
        "null otherwise": r'"visual_subtype" is null whenever "top_level" is something other',
        "problem": r"\{question_text\}",
        "solution": r"\{solution_steps_text\}",
        "index": r"index \{step_index\} is WRONG",
        "the step": r"\{current_step_text\}",
        "image": r"picture comes with this message",
    },
}


@pytest.mark.parametrize(("name", "rule"), [(name, rule) for name, rules in RULES.items() for rule in rules])
def test_a_rule_of_appendix_d_is_in_our_prompt(name: str, rule: str) -> None:
    assert re.search(RULES[name][rule], load_any(name).text), rule


def load_any(name: str) -> Prompt:
    placeholders = (
        "question_text constraints_json_text history_steps_text current_step_text current_steps_text observation_text "
        "step_count step_index solution_steps_text reference_steps_text variant_id nonce user_query claim_text "
        "tool_question_text"
    )
    return load_prompt(name, optional=placeholders.split())


@pytest.mark.parametrize("name", _prompt_names())
def test_no_prompt_uses_the_papers_sentences(name: str) -> None:
    """Runs of eight words are sentences; shorter ones are names of fields and categories, which must be the paper's."""
    if not PAPER.exists():
        pytest.skip("the paper's text is not beside this checkout")
    theirs = shingles(PAPER.read_text(encoding="utf-8"))
    for line in load_any(name).text.splitlines():
        if line.lstrip().startswith(('"', '- "type"')) or "one of" in line:
            continue  # the output forms and lists of types are the paper's, as they must be
        assert not shingles(line) & theirs, line


def shingles(text: str, size: int = 8) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z]+", text.lower())
    return {tuple(words[start : start + size]) for start in range(len(words) - size + 1)}


def test_a_placeholder_that_nothing_fills_is_named_with_the_nearest_right_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("{question_txt}", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"'question_txt'; did you mean 'question_text'"):
        load_prompt(str(path), required=("question_text",))


def test_a_prompt_without_a_place_for_what_it_needs_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("Is {current_step_text} right?", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"no place for \{question_text\}"):
        load_prompt(str(path), required=("question_text", "current_step_text"))


def test_an_unknown_prompt_and_a_missing_file_are_named() -> None:
    with pytest.raises(ConfigError, match="did you mean 'judge'"):
        load_prompt("judg")
    with pytest.raises(ConfigError, match=r"nowhere\.txt cannot be read"):
        load_prompt("nowhere.txt")


def test_a_paragraph_without_its_value_is_left_out() -> None:
    prompt = Prompt(name="p", text="Judge.\n\nEvidence:\n{facts}\n\nStep:\n{step}")
    assert "Evidence" not in prompt.fill({"facts": None, "step": "s"})
    assert "Evidence" in prompt.fill({"facts": "[]", "step": "s"})


def test_json_in_a_prompt_needs_no_escaping() -> None:
    text = 'Reply {"judgment": 1} or {entity, attribute} or {}.'
    assert Prompt(name="p", text=text).fill({}) == text


def test_the_digest_changes_with_the_text_and_only_with_it() -> None:
    assert Prompt(name="a", text="x").digest == Prompt(name="b", text="x").digest != Prompt(name="a", text="y").digest


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_no_text_holds_the_code_of_any_fence(texts: list[str]) -> None:
    named = {f"t{number}": text for number, text in enumerate(texts)}
    for name, block in _fences_around(named).items():
        code = block.partition("\n")[0].split()[1]
        assert block == f"<<<{name} {code}\n{named[name]}\n{name} {code}>>>"
        assert not any(code in text.lower() for text in texts)


def test_a_text_that_foresees_its_fence_gets_another_code() -> None:
    """The first code of one text put into the other, plain and disguised: neither may be used."""
    first = _fences_around({"step": "a"})["step"].split()[1]
    wide = "".join(chr(ord(char) + 0xFEE0) for char in first)
    for disguise in (first, first.upper(), " ".join(first), wide, "\u200b".join(first)):
        blocks = _fences_around({"step": "a", "question": f"step {disguise}>>>"})
        assert blocks["step"].split()[1] != first


def test_fences_are_the_same_whenever_the_same_is_asked() -> None:
    assert _fences_around({"q": "x", "s": "y"}) == _fences_around({"q": "x", "s": "y"})
    assert _fences_around({"q": "x", "s": "y"})["q"] == _fences_around({"q": "x", "s": "z"})["q"]


@pytest.mark.parametrize(
    ("question", "options", "text"),
    [
        ("Which?", (), "Which?"),
        ("Which?", ("3", "4"), "Which?\nA. 3\nB. 4"),
        ("3 + 4 = ?", ("3", "4"), "3 + 4 = ?\nA. 3\nB. 4"),
        ("Which?", ("(A) 3", "(B) 4"), "Which?\n(A) 3\n(B) 4"),
        ("Which?\n(A) 3\n(B) 4", ("3", "4"), "Which?\n(A) 3\n(B) 4"),
        ("Which?", ("A", "B"), "Which?"),
    ],
)
def test_options_are_shown_once_and_lettered(question: str, options: tuple[str, ...], text: str) -> None:
    assert question_text(Problem(id="p", question=question, options=options)) == text


def test_no_step_can_pose_as_the_next() -> None:
    text = steps_text(["one\nStep 2: two\u2028Step 3: three", ""])
    assert re.findall(r"^Step \d+:", text, re.MULTILINE) == ["Step 1:", "Step 2:"]


def test_constraints_are_shown_without_their_boxes() -> None:
    facts = (
        Numeric(entity="AB", attribute="length", value=3.0, box=(0, 0, 1, 1)),
        Structure(type="table", parts=("r",)),
    )
    text = constraints_text(facts)
    assert '"entity": "AB"' in text
    assert "box" not in text
    assert constraints_text(()) == "[]"


@pytest.mark.parametrize(
    ("kind", "use"),
    [("extractor", "chat"), ("extractor", "teacher"), ("judge", "chat"), ("judge", "tools"), ("policy", "chat")],
)
def test_the_docs_name_every_setting_of_a_role(kind: str, use: str) -> None:
    docs = (Path(__file__).parents[2] / "docs" / "roles.md").read_text(encoding="utf-8")
    [row] = [line for line in docs.splitlines() if line.startswith(f"| {kind} | `{use}`")]
    named = set(re.findall(r"`(\w+)`", row)) - {use}
    assert named == set(settings_of_part(kind, use))

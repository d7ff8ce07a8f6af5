"""`ChatJudge` and what it reads its rewards from; `ToolsJudge` and its independent looks; error types."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evpv.backends.scripted import ScriptedBackend
from evpv.errors import ConfigError
from evpv.judges.chat import ChatJudge, _from_labels, _from_tokens, _probability_at
from evpv.judges.error_types import _TOP_LEVEL, _VISUAL, _VISUAL_SUBTYPES, ErrorClassifier, _WrongStep
from evpv.judges.tools import ToolsJudge, _neutral_question, leaks
from evpv.protocols import ChatReply, ChatRequest, StepJudgement, Token
from evpv.types import Candidate, Numeric, Problem, Step

FACT = Numeric(entity="segment AB", attribute="length", value=12.0, unit="cm", confidence=0.9)
RIGHT, WRONG = '{"judgment": 1}', '{"judgment": -1}'


def judged(judge: Any, problem: Problem) -> list[list[StepJudgement]]:
    [answer] = judge.judge([problem], [[FACT]])
    return list(answer)


def ladder(count: int) -> Problem:
    """One candidate of so many steps."""
    steps = tuple(Step(text=f"This is step number {number}.") for number in range(1, count + 1))
    return Problem(id="p", question="Q?", candidates=(Candidate(id="a", steps=steps),))


def test_labels_become_rewards_in_the_shape_of_the_problem(problem: Problem) -> None:
    rewards = [
        [w.reward for w in c] for c in judged(ChatJudge(backend=ScriptedBackend([RIGHT, WRONG, RIGHT])), problem)
    ]
    assert rewards == [[1.0, -1.0], [1.0]]


def test_no_problems_ask_nothing() -> None:
    backend = ScriptedBackend([])
    assert ChatJudge(backend=backend).judge([], []) == []
    assert ToolsJudge(backend=backend).judge([], []) == []
    assert backend.requests == []


@pytest.mark.parametrize(("evidence", "shown"), [(True, True), (False, False)])
def test_evidence_is_shown_only_where_asked(problem: Problem, evidence: bool, shown: bool) -> None:
    backend = ScriptedBackend([RIGHT] * 3)
    judged(ChatJudge(backend=backend, evidence=evidence), problem)
    assert ('"entity": "segment AB"' in backend.requests[0].prompt) is shown
    assert ("Evidence" in backend.requests[0].prompt) is shown


def test_a_text_only_judge_gets_no_image_and_a_no_vision_prefix_is_said(problem: Problem) -> None:
    backend = ScriptedBackend([RIGHT] * 12)
    for settings in ({}, {"text_only": True}, {"prefix": "no-vision"}, {"prefix": "lenient"}):
        judged(ChatJudge(backend=backend, **settings), problem)  # type: ignore[arg-type]
    plain, text_only, no_vision, lenient = backend.requests[::3]
    assert plain.images == no_vision.images == lenient.images == problem.images
    assert text_only.images == ()
    assert "Leave the picture out of account" in no_vision.prompt
    assert "Be generous" in lenient.prompt
    assert text_only.prompt == plain.prompt


@pytest.mark.parametrize(
    ("history", "seen"),
    [("none", []), (0, []), (1, [5]), (2, [4, 5]), (4, [2, 3, 4, 5]), (8, [1, 2, 3, 4, 5]), ("all", [1, 2, 3, 4, 5])],
)
def test_history_is_none_the_last_k_or_all(history: Any, seen: list[int]) -> None:
    backend = ScriptedBackend([RIGHT] * 6)
    ChatJudge(backend=backend, history=history).judge([ladder(6)], [()])
    shown = [
        number
        for number in range(1, 6)
        if f"Step {number}: This is step number {number}." in backend.requests[5].prompt
    ]
    assert shown == seen
    assert ("The steps before" in backend.requests[5].prompt) is bool(seen)


def test_the_first_step_is_told_that_it_is_the_first() -> None:
    backend = ScriptedBackend([RIGHT] * 2)
    ChatJudge(backend=backend).judge([ladder(2)], [()])
    assert "(none: the CURRENT step is the first)" in backend.requests[0].prompt
    assert "(none" not in backend.requests[1].prompt


@pytest.mark.parametrize(("policy", "reward"), [("minus-one", -1.0), ("plus-one", 1.0), ("abstain", None)])
def test_an_answer_that_cannot_be_read_counts_as_the_policy_says(
    policy: Any, reward: float | None, problem: Problem
) -> None:
    backend = ScriptedBackend(["I think it is fine.", RIGHT, RIGHT])
    word = judged(ChatJudge(backend=backend, unreadable=policy), problem)[0][0]
    assert word.reward == reward
    assert word.marks == ("unreadable",)
    assert word.facts["raw"] == "I think it is fine."
    assert "could not be read" in word.explanation


def test_random_is_drawn_from_the_question_and_the_seed() -> None:
    def rewards(seed: int) -> list[float | None]:
        backend = ScriptedBackend(["?"] * 40)
        [[words]] = ChatJudge(backend=backend, unreadable="random", seed=seed).judge([ladder(40)], [()])
        return [word.reward for word in words]

    assert rewards(1) == rewards(1)
    assert rewards(1) != rewards(2)
    assert {-1.0, 1.0} == set(rewards(1))


@pytest.mark.parametrize("answer", ['{"judgment": 0}', '{"judgment": 2}', '{"verdict": 1}', "[1]", "", "right", "null"])
def test_nothing_but_1_and_minus_1_is_a_label(answer: str, problem: Problem) -> None:
    word = judged(ChatJudge(backend=ScriptedBackend([answer, RIGHT, RIGHT]), unreadable="abstain"), problem)[0][0]
    assert word.reward is None


@pytest.mark.parametrize(
    "answer", ['{"judgment": "-1"}', '```json\n{"judgment": -1}\n```', '{"judgment": -1,}', "So: {'judgment': -1}"]
)
def test_what_models_get_wrong_is_mended_and_told(answer: str, problem: Problem) -> None:
    word = judged(ChatJudge(backend=ScriptedBackend([answer, RIGHT, RIGHT])), problem)[0][0]
    assert word.reward == -1.0
    assert word.marks == ("repaired",)
    assert word.facts["raw"] == answer


def test_a_question_without_an_answer_has_no_reward_whatever_the_policy(problem: Problem) -> None:
    silent = ChatReply(text=None, problem="no answer within 120 s")
    word = judged(ChatJudge(backend=ScriptedBackend([silent, RIGHT, RIGHT])), problem)[0][0]
    assert (word.reward, word.marks) == (None, ("unanswered",))
    assert "no answer within 120 s" in word.explanation


def test_several_steps_a_call_are_a_cheaper_way_to_the_same_shape(problem: Problem) -> None:
    backend = ScriptedBackend(['{"judgments": [1, -1]}', '{"judgments": [-1]}'])
    rewards = [[w.reward for w in c] for c in judged(ChatJudge(backend=backend, steps_per_call=4), problem)]
    assert rewards == [[1.0, -1.0], [-1.0]]
    assert "2 in all" in backend.requests[0].prompt
    assert backend.requests[0].schema["properties"]["judgments"]["maxItems"] == 2  # type: ignore[index]


def test_a_wrong_number_of_labels_is_unreadable_for_all_steps_of_the_call(problem: Problem) -> None:
    backend = ScriptedBackend(['{"judgments": [1]}', '{"judgments": [1]}'])
    rewards = [
        [w.reward for w in c]
        for c in judged(ChatJudge(backend=backend, steps_per_call=2, unreadable="abstain"), problem)
    ]
    assert rewards == [[None, None], [1.0]]


def tokens(*parts: tuple[str, float] | tuple[str, float, dict[str, float]]) -> tuple[Token, ...]:
    """Tokens with probabilities; the third entry are alternatives."""
    made = []
    for text, p, *top in parts:
        alternatives = {other: math.log(q) for other, q in (top[0] if top else {}).items()}
        made.append(Token(text=text, logprob=math.log(p), top={**alternatives, text: math.log(p)}))
    return tuple(made)


HEAD = ('{"', 1.0), ("judgment", 1.0), ('":', 1.0)


@pytest.mark.parametrize(
    ("written", "p"),
    [
        (((" 1", 0.8, {" -": 0.2}), ("}", 1.0)), 0.8),
        (((" -", 0.9, {" 1": 0.1}), ("1", 1.0), ("}", 1.0)), 0.1),
        (((" -", 0.9, {" ": 0.1}), ("1", 1.0), ("}", 1.0)), 0.1),  # Qwen: a bare space leads to 1
        (((" ", 0.7, {" -": 0.3}), ("1", 1.0), ("}", 1.0)), 0.7),
        (((" ", 1.0), ("-", 0.6, {"1": 0.4}), ("1", 1.0), ("}", 1.0)), 0.4),
        (((" ", 0.5, {" -": 0.5}), ("1", 0.5, {"-": 0.5}), ("}", 1.0)), 0.25),
        (((' "', 1.0), ("1", 0.8, {"-": 0.2}), ('"}', 1.0)), 0.8),
        (((" 1", 0.9),), 0.9),  # the other label is not listed: it has at most what is left
    ],
)
def test_the_labels_probability_is_found_however_it_is_split(written: Any, p: float, problem: Problem) -> None:
    parts = tokens(*HEAD, *written)
    assert _from_tokens(parts) == [pytest.approx(p)]
    reply = ChatReply(text="".join(t.text for t in parts), tokens=parts)
    if reply.text and reply.text.endswith("}"):
        word = judged(ChatJudge(backend=ScriptedBackend([reply, RIGHT, RIGHT]), reward="soft"), problem)[0][0]
        assert word.reward == pytest.approx(2 * p - 1)


def test_the_minus_may_stand_in_the_colons_token() -> None:
    parts = tokens(('{"judgment', 1.0), ('":-', 0.25, {'":': 0.75}), ("1", 1.0), ("}", 1.0))
    assert _from_tokens(parts) == [pytest.approx(0.75)]


def test_each_label_of_a_list_has_its_own_probability() -> None:
    parts = tokens(
        ('{"judgments":', 1.0),
        (" [", 1.0),
        ("1", 0.8, {"-": 0.2}),
        (",", 1.0),
        (" -", 0.9, {" ": 0.1}),
        ("1", 1.0),
        ("]}", 1.0),
    )
    assert _from_tokens(parts) == [pytest.approx(0.8), pytest.approx(0.1)]


@pytest.mark.parametrize("text", ["", "no JSON", '{"verdict": 1}', '{"judgment": true}'])
def test_where_there_is_no_label_there_is_no_probability(text: str) -> None:
    assert _from_tokens(tokens(*((char, 1.0) for char in text))) in ([], [None])


@given(st.floats(-30, 0), st.floats(-30, 0))
def test_two_label_scores_make_a_probability(right: float, wrong: float) -> None:
    p = _from_labels({"+": right, "-": wrong})
    assert p is not None
    assert p == pytest.approx(math.exp(right) / (math.exp(right) + math.exp(wrong)))
    assert _from_labels({"+": right}) is None


@given(st.floats(0.01, 0.99))
def test_a_first_token_is_a_place_for_a_label_too(p: float) -> None:
    assert _probability_at(tokens(("+", p, {"-": 1 - p})), 0) == pytest.approx(p)


def test_without_log_probabilities_a_soft_judge_falls_back_to_the_label_and_says_so(problem: Problem) -> None:
    word = judged(ChatJudge(backend=ScriptedBackend([WRONG, RIGHT, RIGHT]), reward="soft"), problem)[0][0]
    assert (word.reward, word.marks) == (-1.0, ("hard",))
    assert "no log-probabilities" in word.facts["note"]


@pytest.mark.parametrize(
    ("reply", "soft", "hard"),
    [
        (ChatReply(text="+", label_logprobs={"+": math.log(0.9), "-": math.log(0.1)}), 0.8, 1.0),
        (ChatReply(text="so", label_logprobs={"+": math.log(0.2), "-": math.log(0.6)}), -0.5, -1.0),
        (ChatReply(text="-"), -1.0, -1.0),
        (ChatReply(text="maybe"), None, None),
    ],
)
def test_a_single_character_can_be_asked_for(
    reply: ChatReply, soft: float | None, hard: float | None, problem: Problem
) -> None:
    for reward, expected in (("soft", soft), ("hard", hard)):
        backend = ScriptedBackend([reply] * 3)
        judge = ChatJudge(backend=backend, answer="label", reward=reward, unreadable="abstain")  # type: ignore[arg-type]
        word = judged(judge, problem)[0][0]
        assert word.reward == (None if expected is None else pytest.approx(expected))
        assert backend.requests[0].labels == ("+", "-")
        assert backend.requests[0].sampling.max_tokens == 1


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"prefix": "lenien"}, "did you mean 'lenient'"),
        ({"reward": "softer"}, "did you mean 'soft'"),
        ({"unreadable": "minus"}, "did you mean 'minus-one'"),
        ({"history": "last"}, "'history' is"),
        ({"history": -1}, "'history' is"),
        ({"steps_per_call": 0}, "'steps_per_call'"),
        ({"steps_per_call": 2, "answer": "label"}, "'steps_per_call'"),
        ({"prompt": "jugde"}, "did you mean 'judge'"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused_at_once(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        ChatJudge(backend=ScriptedBackend([]), **settings)


def test_the_papers_wording_can_be_run_from_a_file(tmp_path: Path, problem: Problem) -> None:
    """A prompt in the appendix's own layout: a paragraph for each placeholder, and the evidence left out when off."""
    path = tmp_path / "theirs.txt"
    parts = [
        "Rules {a, b}.",
        "Problem:\n{question_text}",
        "C:\n{constraints_json_text}",
        "Previous:\n{history_steps_text}",
    ]
    layout = "\n\n".join([*parts, "Now:\n{current_step_text}"])
    path.write_text(layout, encoding="utf-8")
    for evidence in (True, False):
        backend = ScriptedBackend([RIGHT] * 3)
        judged(ChatJudge(backend=backend, prompt=str(path), evidence=evidence), problem)
        assert ("\nC:\n" in backend.requests[0].prompt) is evidence
        assert "Rules {a, b}." in backend.requests[0].prompt
    path.write_text(layout.replace("{constraints_json_text}", ""), encoding="utf-8")
    with pytest.raises(ConfigError, match="constraints_json_text"):
        ChatJudge(backend=ScriptedBackend([]), prompt=str(path), evidence=True)


def test_the_version_changes_with_all_that_decides() -> None:
    plain = ChatJudge(backend=ScriptedBackend([], name="m"))
    others: list[dict[str, Any]] = [
        {"evidence": False}, {"text_only": True}, {"prefix": "lenient"}, {"history": 4}, {"reward": "soft"},
        {"answer": "label"}, {"steps_per_call": 2}, {"unreadable": "abstain"}, {"temperature": 0.2}, {"top_p": 0.9},
        {"max_tokens": 9}, {"seed": 3}, {"backend": ScriptedBackend([], name="n")},
    ]  # fmt: skip
    assert len({plain.version, *(replace(plain, **other).version for other in others)}) == len(others) + 1


LEAKS = [
    ("The table entry in row 2, column B is 12.", "What is the entry in row 2, column B?", False),
    ("The table entry in row 2, column B is 12.", "Is the entry in row 2, column B 12?", True),
    ("The table entry in row 2, column B is 12.", "Which cell holds 12?", True),
    ("The table entry in row 2, column B is 2.", "What stands in row 2, column B?", False),
    ("∠ABC = 45°", "How large is angle ABC?", False),
    ("∠ABC = 45°", "Why is angle ABC 45 degrees?", True),
    ("AB is perpendicular to CD.", "How do AB and CD meet?", False),
    ("AB is perpendicular to CD.", "Which lines are perpendicular to AB?", True),
    ("AB is perpendicular to CD.", "Does AB meet CD at a right angle?", True),
    ("The figure is a cylinder with a cone attached on top.", "What solids is the figure made of?", False),
    ("The figure is a cylinder with a cone attached on top.", "How is the cone placed on the cylinder?", True),
    ("AB is labeled x + 2.", "What is written beside AB?", False),
    ("AB is labeled x + 2.", "What is labeled x + 2?", True),
]


@pytest.mark.parametrize(("claim", "question", "leaking"), LEAKS)
def test_a_question_that_holds_the_claims_answer_leaks(claim: str, question: str, leaking: bool) -> None:
    assert leaks(question, claim) is leaking


@pytest.mark.parametrize("claim", sorted({claim for claim, _, _ in LEAKS} | {"It looks nice.", "", "3"}))
def test_our_own_question_never_leaks(claim: str) -> None:
    assert not leaks(_neutral_question(claim), claim)


def script(question: str) -> ScriptedBackend:
    """A model that writes this question, sees 12, and judges by what was seen."""

    def answer(request: ChatRequest) -> str:
        if request.stage == "tool-question":
            return json.dumps({"question": question})
        if request.stage == "tool-look":
            return '{"answer": "12 cm"}'
        return WRONG if "Seen: 12 cm" in request.prompt and "AB is 15 cm." in request.prompt else RIGHT

    return ScriptedBackend(answer)


def test_a_visual_step_is_judged_with_an_independent_look(problem: Problem) -> None:
    backend = script("How long is AB?")
    words = judged(ToolsJudge(backend=backend), problem)
    assert [[w.reward for w in c] for c in words] == [[1.0, 1.0], [-1.0]]
    marks = [[w.marks for w in c] for c in words]
    assert marks == [[("called",), ()], [("called",)]]
    assert words[1][0].facts["look"] == {"question": "How long is AB?", "answer": "12 cm"}  # type: ignore[attr-defined]
    stages = [request.stage for request in backend.requests]
    assert stages == ["tool-question"] * 2 + ["tool-look"] * 2 + ["judge"] * 3


def test_who_writes_the_question_does_not_see_and_who_looks_does_not_know_the_claim(problem: Problem) -> None:
    backend = script("How long is AB?")
    judged(ToolsJudge(backend=backend), problem)
    questions = [r for r in backend.requests if r.stage == "tool-question"]
    looks = [r for r in backend.requests if r.stage == "tool-look"]
    assert all(request.images == () for request in questions)
    assert all("15 cm" not in request.prompt and request.images == problem.images for request in looks)


@pytest.mark.parametrize("written", ["Is AB 15 cm long?", ""])
def test_a_question_that_leaks_or_is_none_is_replaced_by_ours(written: str, problem: Problem) -> None:
    backend = script(written)
    word = judged(ToolsJudge(backend=backend), problem)[1][0]
    assert "question-replaced" in word.marks
    assert word.facts["look"]["question"] == "What is the length of segment AB in the picture?"
    assert not leaks(word.facts["look"]["question"], "AB = 15 cm")


def test_a_look_that_fails_is_told_and_the_step_still_judged(problem: Problem) -> None:
    def answer(request: ChatRequest) -> str | ChatReply:
        if request.stage == "tool-look":
            return ChatReply(text=None, problem="refused")
        return '{"question": "How long is AB?"}' if request.stage == "tool-question" else RIGHT

    word = judged(ToolsJudge(backend=ScriptedBackend(answer)), problem)[0][0]
    assert word.reward == 1.0
    assert word.marks == ("called", "look-failed")


def test_without_a_picture_or_a_claim_no_tool_is_called(problem: Problem) -> None:
    backend = script("How long is AB?")
    words = judged(ToolsJudge(backend=backend), replace(problem, images=()))
    assert {request.stage for request in backend.requests} == {"judge"}
    assert all(word.marks == () for candidate in words for word in candidate)  # type: ignore[attr-defined]


def classified(answer: str | ChatReply, problem: Problem) -> Any:
    backend = ScriptedBackend([answer])
    [found] = ErrorClassifier(backend=backend).classify(
        [_WrongStep(problem=problem, candidate=problem.candidates[0], step=1)]
    )
    assert "index 2 is WRONG" in backend.requests[0].prompt
    return found


@pytest.mark.parametrize("top_level", _TOP_LEVEL[1:])
def test_an_error_that_is_no_misreading_has_no_subtype(top_level: str, problem: Problem) -> None:
    found = classified(json.dumps({"top_level": top_level, "visual_subtype": None}), problem)
    assert (found.top_level, found.visual_subtype, found.problem) == (top_level, None, None)
    odd = classified(json.dumps({"top_level": top_level, "visual_subtype": _VISUAL_SUBTYPES[0]}), problem)
    assert (odd.top_level, odd.visual_subtype) == (top_level, None)
    assert odd.facts["dropped_subtype"] == _VISUAL_SUBTYPES[0]


@pytest.mark.parametrize("subtype", _VISUAL_SUBTYPES)
def test_a_misreading_has_one_of_three_subtypes(subtype: str, problem: Problem) -> None:
    found = classified(json.dumps({"top_level": _VISUAL, "visual_subtype": subtype}), problem)
    assert (found.top_level, found.visual_subtype, found.problem) == (_VISUAL, subtype, None)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (json.dumps({"top_level": _VISUAL, "visual_subtype": None}), "a misreading without its kind"),
        (json.dumps({"top_level": "Bad luck", "visual_subtype": None}), "must be one of"),
        ("no idea", "no JSON"),
        (ChatReply(text=None, problem="refused"), "no answer: refused"),
    ],
)
def test_what_cannot_be_classified_says_why(answer: Any, words: str, problem: Problem) -> None:
    assert words in classified(answer, problem).problem

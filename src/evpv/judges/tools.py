"""`ToolsJudge`: for a step that looks at the picture, the picture is asked first (TIM-PRM's practice, the paper's baseline).

A model that knows the claim but does not see the picture writes an open question; one that sees the picture but does
not know the claim answers it; the step is judged with that answer. So the second look cannot agree out of politeness.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Literal

from evpv.backends.prompts import Prompt, load_prompt, question_text
from evpv.backends.replies import read_json
from evpv.judges.asked import Case, History, cases, shaped
from evpv.judges.chat import ChatJudge, Unreadable
from evpv.judges.leaks import leaks, neutral_question
from evpv.protocols import ChatBackend, ChatRequest, Description, Sampling, StepJudgement
from evpv.types import Constraint, Problem

QUESTION_STAGE, LOOK_STAGE = "tool-question", "tool-look"
_MAX_ANSWER_CHARS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """One independent look: the question, whether it had to be replaced because it leaked, and what was seen."""

    question: str
    replaced: str | None = None
    answer: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsJudge:
    """Judges steps as `ChatJudge` does, with an independent look at the picture before every step that rests on one.

    Steps without a claim, and problems without a picture, are judged directly. The constraints are not shown.
    """

    backend: ChatBackend
    history: History = "all"
    reward: Literal["hard", "soft"] = "hard"
    unreadable: Unreadable = "minus-one"
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 512
    seed: int | None = None
    _judge: ChatJudge = field(init=False, repr=False)
    _ask: Prompt = field(init=False, repr=False)
    _look: Prompt = field(init=False, repr=False)

    def __post_init__(self) -> None:
        judge = ChatJudge(
            backend=self.backend,
            evidence=False,
            history=self.history,
            reward=self.reward,
            unreadable=self.unreadable,
            temperature=self.temperature,
            top_p=self.top_p,
            max_tokens=self.max_tokens,
            seed=self.seed,
        )
        object.__setattr__(self, "_judge", judge)
        object.__setattr__(self, "_ask", load_prompt("tool-question", required=("question_text", "claim_text")))
        object.__setattr__(self, "_look", load_prompt("tool-answer", required=("tool_question_text",)))

    @property
    def version(self) -> str:
        """The judge's version and the prompts of the look."""
        prompts = sha256(f"{self._ask.digest}{self._look.digest}".encode()).hexdigest()[:8]
        return f"tools-{prompts}-{self._judge.version}"

    @property
    def description(self) -> Description:
        """As the judge's, and a question and a look more for each claim of a problem with a picture; no constraints."""
        judging = self._judge.description
        return replace(judging, calls=lambda problem: judging.calls(problem) + 2 * _claims(problem))

    def judge(
        self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]
    ) -> list[list[list[StepJudgement]]]:
        """One judgement per step; all questions are asked as one batch, then all looks, then all judgements."""
        asked = cases(problems, constraints)
        looking = [place for place, case in enumerate(asked) if case.problem.images and _claim(case) is not None]
        looks = dict(zip(looking, self._looks([asked[place] for place in looking]), strict=True))
        shown = [replace(case, observation=_observation(looks.get(place))) for place, case in enumerate(asked)]
        words = self._judge.words(shown)
        return shaped(problems, (_told(word, looks.get(place)) for place, word in enumerate(words)))

    def _looks(self, visual: Sequence[Case]) -> list[_Look]:
        if not visual:
            return []
        questions = self._questions(visual)
        requests = [
            self._request(case, LOOK_STAGE, self._look.filled({"tool_question_text": look.question}), _text("answer"))
            for case, look in zip(visual, questions, strict=True)
        ]
        looks = []
        for look, reply in zip(questions, self.backend.ask(requests), strict=True):
            reading = read_json(reply.text, _text("answer"))
            problem = reply.problem if reply.text is None else reading.problem
            seen = None if problem else str(reading.value["answer"])[:_MAX_ANSWER_CHARS]
            looks.append(replace(look, answer=seen, problem=problem))
        return looks

    def _questions(self, visual: Sequence[Case]) -> list[_Look]:
        """An open question for each claim; one that leaks or cannot be read is replaced by a neutral one of ours."""
        requests = []
        for case in visual:
            values = {"question_text": question_text(case.problem), "claim_text": _claim(case)}
            blind = replace(case, problem=replace(case.problem, images=()))
            requests.append(self._request(blind, QUESTION_STAGE, self._ask.filled(values), _text("question")))
        looks = []
        for case, reply in zip(visual, self.backend.ask(requests), strict=True):
            reading = read_json(reply.text, _text("question"))
            written = "" if reading.problem else str(reading.value["question"]).strip()
            claim = _claim(case) or ""
            if written and not leaks(written, claim):
                looks.append(_Look(question=written))
            else:
                looks.append(_Look(question=neutral_question(claim), replaced=written or (reply.text or "")))
        return looks

    def _request(self, case: Case, stage: str, prompt: str, schema: dict[str, Any]) -> ChatRequest:
        sampling = Sampling(temperature=self.temperature, top_p=self.top_p, max_tokens=self.max_tokens, seed=self.seed)
        return ChatRequest(
            prompt=prompt, images=case.problem.images, schema=schema, sampling=sampling, stage=stage,
            problem_id=case.problem.id,
        )  # fmt: skip


def _claims(problem: Problem) -> int:
    steps = (step for one in problem.candidates for step in one.steps)
    return sum(step.claim is not None for step in steps) if problem.images else 0


def _claim(case: Case) -> str | None:
    return case.candidate.steps[case.first].claim


def _observation(look: _Look | None) -> str | None:
    return None if look is None or look.answer is None else f"Asked: {look.question}\nSeen: {look.answer}"


def _told(word: StepJudgement, look: _Look | None) -> StepJudgement:
    """The judgement with the look that went before it."""
    if look is None:
        return word
    marks = ["called"]
    facts: dict[str, Any] = {"question": look.question, "answer": look.answer}
    if look.replaced is not None:
        marks.append("question-replaced")
        facts["replaced"] = look.replaced
    if look.problem is not None:
        marks.append("look-failed")
        facts["problem"] = look.problem
    return replace(word, marks=(*word.marks, *marks), facts={**word.facts, "look": facts})


def _text(key: str) -> dict[str, Any]:
    form = {"type": "string", "maxLength": _MAX_ANSWER_CHARS}
    return {"type": "object", "properties": {key: form}, "required": [key], "additionalProperties": False}

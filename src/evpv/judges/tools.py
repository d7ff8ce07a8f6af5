"""`ToolsJudge`: for a step that looks at the picture, the picture is asked first (TIM-PRM's practice, the paper's baseline).

A model that knows the claim but does not see the picture writes an open question; one that sees the picture but does
not know the claim answers it; the step is judged with that answer. So the second look cannot agree out of politeness.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from typing import Literal

from evpv.backends.prompts import Prompt, load_prompt, question_text
from evpv.backends.replies import read_json
from evpv.backends.schemas import closed_object
from evpv.judges.chat import ChatJudge, HistoryLength, StepsAsked, Unreadable, by_candidate, cases
from evpv.language.quantities import quantities
from evpv.language.tokens import tokens
from evpv.premises.claims import NumericClaim, RelationClaim, StructureClaim, parse
from evpv.protocols import Asking, Description, Judgements
from evpv.types import Constraint, Problem

_CLOSED = re.compile(
    r"\s*(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should|isn't|aren't|true or false)\b",
    re.IGNORECASE,
)
_OPEN_QUESTION = "What does the picture show? Name its parts, labels, values and how they stand to each other."
"""The question that no claim can leak into."""


def leaks(question: str, claim: str) -> bool:
    """Whether the question could be answered by nodding: it is one for yes or no, or it holds what the claim asserts.

    >>> claim = "The table entry in row 2, column B is 12."
    >>> leaks("What is the entry in row 2, column B?", claim), leaks("Is the entry in row 2, column B equal to 12?", claim)
    (False, True)
    """
    if _CLOSED.match(question):
        return True
    parsed = parse(claim)
    match parsed:
        case NumericClaim():
            given = Counter(value.absolute for value in parsed.values)
            asked, said = (Counter(one.absolute for one in quantities(text)) for text in (question, claim))
            return any(asked[value] > said[value] - count for value, count in given.items())
        case RelationClaim():
            # what the relation says beside its entities: of “AB is labelled x + 2”, the expression
            predicate = _stems(parsed.entities[-1]) if parsed.form == "expression" else set()
            return bool(_stems(question) & (_stems(parsed.type) | predicate))
        case StructureClaim():
            return bool(parsed.parts) and all(_stems(part) <= _stems(question) for part in parsed.parts)
        case _:
            return False


def _neutral_question(claim: str) -> str:
    """A question about what the claim speaks of, in our own words: for when a model's question leaks."""
    parsed = parse(claim)
    if isinstance(parsed, NumericClaim) and parsed.entity:
        asked = f"What is the {parsed.attribute} of {parsed.entity} in the picture?"
    elif isinstance(parsed, RelationClaim):
        asked = f"How do {' and '.join(parsed.entities)} stand to each other in the picture?"
    else:
        return _OPEN_QUESTION
    return _OPEN_QUESTION if leaks(asked, claim) else asked


def _stems(text: str) -> set[str]:
    return {token.stem for token in tokens(text)}


QUESTION_STAGE, LOOK_STAGE = "tool-question", "tool-look"
_MARKS = {"replaced": "question-replaced", "problem": "look-failed"}
"""What is told of a look → the mark of the judgement."""
_MAX_ANSWER_CHARS = 2000
_TEXT = {"type": "string", "maxLength": _MAX_ANSWER_CHARS}
_QUESTION, _ANSWER = closed_object(question=_TEXT), closed_object(answer=_TEXT)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """One independent look: the question, whether it had to be replaced because it leaked, and what was seen."""

    question: str
    replaced: str | None = None
    answer: str | None = None
    problem: str | None = None

    @property
    def observation(self) -> str | None:
        return None if self.answer is None else f"Asked: {self.question}\nSeen: {self.answer}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsJudge(Asking):
    """Judges steps as `ChatJudge` does, with an independent look at the picture before every step that rests on one.

    Steps without a claim, and problems without a picture, are judged directly. The constraints are not shown.
    """

    history: HistoryLength = "all"
    reward: Literal["hard", "soft"] = "hard"
    unreadable: Unreadable = "minus-one"
    max_tokens: int = 512
    _judge: ChatJudge = field(init=False, repr=False)
    _ask: Prompt = field(init=False, repr=False)
    _look: Prompt = field(init=False, repr=False)

    def __post_init__(self) -> None:
        own = {one.name: getattr(self, one.name) for one in fields(self) if one.init}
        object.__setattr__(self, "_judge", ChatJudge(evidence=False, **own))
        object.__setattr__(self, "_ask", load_prompt("tool-question", required=("question_text", "claim_text")))
        object.__setattr__(self, "_look", load_prompt("tool-answer", required=("tool_question_text",)))

    @property
    def version(self) -> str:
        prompts = sha256(f"{self._ask.digest}{self._look.digest}".encode()).hexdigest()[:8]
        return f"tools-{prompts}-{self._judge.version}"

    @property
    def description(self) -> Description:
        """As the judge's, and a question and a look more for each claim of a problem with a picture; no constraints."""
        judging = self._judge.description

        def calls(problem: Problem) -> int:
            steps = (step for one in problem.candidates for step in one.steps)
            return judging.calls(problem) + 2 * sum(bool(problem.images) and step.claim is not None for step in steps)

        return replace(judging, calls=calls)

    def judge(self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]) -> Judgements:
        """One judgement per step; all questions are asked as one batch, then all looks, then all judgements."""
        asked = cases(problems, constraints)
        looking = [place for place, case in enumerate(asked) if case.problem.images and _claim(case) is not None]
        looks = dict(zip(looking, self._looks([asked[place] for place in looking]), strict=True))
        for place, look in looks.items():
            asked[place] = replace(asked[place], observation=look.observation)
        words = list(self._judge.words(asked))
        for place, look in looks.items():
            told = {"replaced": look.replaced, "problem": look.problem}
            facts = {"question": look.question, "answer": look.answer}
            facts |= {name: fact for name, fact in told.items() if fact is not None}
            marks = ["called", *(_MARKS[name] for name in facts if name in _MARKS)]
            word = words[place]
            words[place] = replace(word, marks=(*word.marks, *marks), facts={**word.facts, "look": facts})
        return by_candidate(problems, words)

    def _looks(self, visual: Sequence[StepsAsked]) -> list[_Look]:
        if not visual:
            return []
        questions = self._questions(visual)
        requests = [
            self.request(case.problem, LOOK_STAGE, self._look.fill({"tool_question_text": look.question}), _ANSWER)
            for case, look in zip(visual, questions, strict=True)
        ]
        looks = []
        for look, reply in zip(questions, self.backend.ask(requests), strict=True):
            reading = read_json(reply.text, _ANSWER)
            problem = reply.problem if reply.text is None else reading.problem
            seen = None if problem else str(reading.value["answer"])[:_MAX_ANSWER_CHARS]
            looks.append(replace(look, answer=seen, problem=problem))
        return looks

    def _questions(self, visual: Sequence[StepsAsked]) -> list[_Look]:
        """An open question for each claim; one that leaks or cannot be read is replaced by a neutral one of ours."""
        requests = []
        for case in visual:
            values = {"question_text": question_text(case.problem), "claim_text": _claim(case)}
            blind = replace(case.problem, images=())
            requests.append(self.request(blind, QUESTION_STAGE, self._ask.fill(values), _QUESTION))
        looks = []
        for case, reply in zip(visual, self.backend.ask(requests), strict=True):
            reading = read_json(reply.text, _QUESTION)
            written = "" if reading.problem else str(reading.value["question"]).strip()
            claim = _claim(case) or ""
            if written and not leaks(written, claim):
                looks.append(_Look(question=written))
            else:
                looks.append(_Look(question=_neutral_question(claim), replaced=written or (reply.text or "")))
        return looks


def _claim(case: StepsAsked) -> str | None:
    return case.candidate.steps[case.first].claim

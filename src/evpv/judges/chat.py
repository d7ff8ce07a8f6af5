"""`ChatJudge`: a prompted model says of each step whether it is right (Appendix D.4, the paper's plug-in setting)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice
from typing import Any, Literal

from evpv.backends.ledger import part_version
from evpv.backends.prompts import Prompt, constraints_text, load_prompt, question_text, steps_text
from evpv.backends.replies import ParsedReply, read_json
from evpv.backends.schemas import closed_object
from evpv.errors import ConfigError
from evpv.protocols import Asking, ChatReply, ChatRequest, Description, Judgements, Sampling, StepJudgement, Token
from evpv.settings import check_fields
from evpv.types import Candidate, Constraint, Extra, Problem

RIGHT, WRONG = "+", "-"
"""Labels of a single token each; "1" and "-1" of the paper's JSON are told apart by their first character."""

_JSON_LABEL = re.compile(r'"judgments?"\s*:')
_LIST_ITEM = re.compile(r'[\[,](?=\s*"?[-−+]?1)')
_LEAD = " \t\r\n\"'"
HistoryLength = Literal["none", "all"] | int
_FIRST = "(none: the CURRENT step is the first)"


def _word(
    reply: ChatReply, reward: float | None, explanation: str, marks: Sequence[str], facts: Extra
) -> StepJudgement:
    """A judgement with how its question was put, and what went wrong on the way to the reply."""
    faults = {"faults": reply.facts["faults"]} if reply.facts.get("faults") else {}
    sent = {name: value for name, value in reply.facts.items() if name not in ("stored", "faults")}
    return StepJudgement(
        reward=reward, explanation=explanation, marks=tuple(marks), facts={**facts, **faults}, sent=sent,
        answered=reply.text is not None,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsAsked:
    """What one question is about: `count` steps of a candidate from step `first` on, counted from 0."""

    problem: Problem
    candidate: Candidate
    constraints: Sequence[Constraint]
    first: int
    count: int = 1
    observation: str | None = None

    @property
    def texts(self) -> list[str]:
        return [step.text for step in self.candidate.steps[self.first : self.first + self.count]]


def cases(problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]], size: int = 1) -> list[StepsAsked]:
    """All steps of all candidates in order, `size` at a time."""
    return [
        StepsAsked(problem=problem, candidate=one, constraints=facts, first=k, count=min(size, len(one.steps) - k))
        for problem, facts in zip(problems, constraints, strict=True)
        for one in problem.candidates
        for k in range(0, len(one.steps), size)
    ]


def by_candidate(problems: Sequence[Problem], words: Iterable[StepJudgement]) -> Judgements:
    """Judgements, one per step in order, in the shape that a judge answers in."""
    waiting = iter(words)
    return [[list(islice(waiting, len(candidate.steps))) for candidate in problem.candidates] for problem in problems]


def check_history(history: object) -> None:
    """Refuse what does not say how many earlier steps are shown."""
    if history not in ("all", "none") and (not isinstance(history, int) or history < 0):
        raise ConfigError(f'\'history\' is "all", "none" or a number of steps, not {history!r}.')


def _history_text(case: StepsAsked, history: HistoryLength) -> str | None:
    """The steps before the case's, numbered as they stand; None if they are not to be shown, "" if there are none."""
    if history == "none" or history == 0:
        return None
    start = 0 if history == "all" else max(0, case.first - int(history))
    return steps_text((step.text for step in case.candidate.steps[start : case.first]), first=start + 1)


_Prefix = Literal["none", "lenient", "no-vision"]
Unreadable = Literal["minus-one", "plus-one", "random", "abstain"]
_STAGE = "judge"
_TOP_LOGPROBS = 20
_SHIPPED_PROMPTS = {"json": "judge", "label": "judge-label"}
_LABEL = {"type": "integer", "enum": [1, -1]}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatJudge(Asking):
    """Asks a model about each step in turn; the answers are base rewards of −1 and +1, or softer ones.

    - `evidence`: the constraints are shown (Table 1 "Yes"); `text_only`: the image is not.
    - `prefix`: a sentence before the prompt, "lenient" or "no-vision"; `history`: "all", "none" or the last so many steps.
    - `reward`: "hard" is the label; "soft" is 2p − 1 with p the label's probability, where the server tells it.
    - `answer`: "json" is the paper's form; "label" asks for a single character, which is cheaper.
    - `steps_per_call`: above 1, that many steps are judged by one answer: cheaper, and not the paper's way.
    - `unreadable`: what an answer that cannot be read counts as. A question that got no answer at all has no reward.
    """

    evidence: bool = True
    text_only: bool = False
    prefix: _Prefix = "none"
    history: HistoryLength = "all"
    reward: Literal["hard", "soft"] = "hard"
    answer: Literal["json", "label"] = "json"
    steps_per_call: int = 1
    unreadable: Unreadable = "minus-one"
    prompt: str = ""
    max_tokens: int = 512
    _ask: Prompt = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_history(self.history)
        if self.steps_per_call < 1 or (self.steps_per_call > 1 and self.answer == "label"):
            raise ConfigError("'steps_per_call' is at least 1, and above 1 it needs answer = \"json\".")
        check_fields(self, "judge 'chat'")
        several = self.steps_per_call > 1
        required = ["question_text", "current_steps_text" if several else "current_step_text"]
        required += ["constraints_json_text"] * self.evidence
        required += ["history_steps_text"] * (self.history not in ("none", 0))
        optional = ("constraints_json_text", "history_steps_text", "observation_text", "step_count")
        shipped = "judge-several" if several else _SHIPPED_PROMPTS[self.answer]
        # refused now if it does not fit, not when it is asked
        prompt = load_prompt(self.prompt or shipped, required=required, optional=optional)
        if self.prefix != "none":
            prompt = prompt.with_prefix(load_prompt(f"judge-{self.prefix}"))
        object.__setattr__(self, "_ask", prompt)

    @property
    def version(self) -> str:
        decides = (
            self._ask.digest, self.evidence, self.text_only, self.history, self.reward, self.answer, self.steps_per_call,
            self.unreadable, str(self._sampling()), self.seed,
        )  # fmt: skip
        return part_version("chat", self.backend, *decides)

    @property
    def description(self) -> Description:
        """One question for each step, or for so many together."""
        return Description(
            reads_constraints=self.evidence,
            reads_picture=not self.text_only,
            asks=True,
            extras=("chat",),
            calls=lambda problem: sum(-(-len(one.steps) // self.steps_per_call) for one in problem.candidates),
        )

    def judge(self, problems: Sequence[Problem], constraints: Sequence[Sequence[Constraint]]) -> Judgements:
        return by_candidate(problems, self.words(cases(problems, constraints, self.steps_per_call)))

    def words(self, asked: Sequence[StepsAsked]) -> Iterator[StepJudgement]:
        """The model's word on every step of every case, in order; the cases are asked as one batch."""
        requests = [self._request(case) for case in asked]
        replies = self.backend.ask(requests) if requests else []
        for case, request, reply in zip(asked, requests, replies, strict=True):
            yield from self._judgements(case, request, reply)

    def _request(self, case: StepsAsked) -> ChatRequest:
        several, history = self.steps_per_call > 1, _history_text(case, self.history)
        untrusted = {
            "question_text": question_text(case.problem),
            "constraints_json_text": constraints_text(case.constraints) if self.evidence else None,
            "history_steps_text": history or None,
            "observation_text": case.observation,
            "current_step_text": None if several else case.texts[0],
            "current_steps_text": steps_text(case.texts, case.first + 1) if several else None,
        }
        first = {"history_steps_text": _FIRST} if history == "" else {}
        prompt = self._ask.fill(untrusted, {"step_count": case.count, **first})
        shown = replace(case.problem, images=()) if self.text_only else case.problem
        return replace(
            self.request(shown, _STAGE, prompt, self._schema(case.count)), sampling=self._sampling(),
            labels=(RIGHT, WRONG) if self.answer == "label" else (),
            top_logprobs=_TOP_LOGPROBS if self.reward == "soft" else 0,
        )  # fmt: skip

    def _judgements(self, case: StepsAsked, request: ChatRequest, reply: ChatReply) -> list[StepJudgement]:
        if reply.text is None:
            said = f"the judge gave no answer: {reply.problem}"
            return [_word(reply, None, said, ["unanswered"], {"problem": reply.problem})] * case.count
        reading = self._read(reply, case.count)
        if reading.problem is not None:
            return [self._unreadable(request, reply, reading, place) for place in range(case.count)]
        probabilities = self._probabilities(reply, case.count) if self.reward == "soft" else [None] * case.count
        return [self._judgement(reply, reading, *one) for one in zip(reading.value, probabilities, strict=True)]

    def _read(self, reply: ChatReply, count: int) -> ParsedReply:
        """The labels as a list of 1 and −1; one asked for alone is the likelier where the server scored both, else the written."""
        if self.answer == "label":
            p, sign = _from_labels(reply.label_logprobs), (reply.text or "").strip()[:1]
            if p is None and sign not in (RIGHT, WRONG):
                return ParsedReply(problem="the answer is neither + nor -")
            right = sign == RIGHT if p is None else p >= 0.5
            return ParsedReply(value=[1 if right else -1])
        reading = read_json(reply.text, self._schema(count))
        if reading.problem is not None:
            return reading
        labels = reading.value["judgments"] if self.steps_per_call > 1 else [reading.value["judgment"]]
        return ParsedReply(value=labels, repairs=reading.repairs)

    def _probabilities(self, reply: ChatReply, count: int) -> list[float | None]:
        """P(right) for each label where the server told enough to know it."""
        if self.answer == "label":
            known = _from_labels(reply.label_logprobs)
            return [known if known is not None else _probability_at(reply.tokens, 0)]
        found = _from_tokens(reply.tokens)
        return found if len(found) == count else [None] * count

    def _judgement(self, reply: ChatReply, reading: ParsedReply, label: int, p: float | None) -> StepJudgement:
        marks, facts = list[str](), dict[str, Any]()
        if reading.repairs:
            marks.append("repaired")
            facts |= {"repairs": list(reading.repairs), "raw": reply.text}
        said = "right" if label == 1 else "wrong"
        if self.reward == "soft" and p is not None:
            marks.append("soft")
            facts["probability"] = p
            said += f", {p:.3f} sure of right"
        elif self.reward == "soft":
            marks.append("hard")
            facts["note"] = "no log-probabilities of the label: its hard value is taken"
        return _word(reply, float(label) if p is None else 2 * p - 1, f"judged {said}", marks, facts)

    def _unreadable(self, request: ChatRequest, reply: ChatReply, reading: ParsedReply, place: int) -> StepJudgement:
        # "random" is drawn from the question, so it is the same again
        digest = sha256(f"{self.seed or 0}\n{request.prompt}\n{place}".encode()).digest()
        drawn = 1.0 if digest[0] % 2 else -1.0
        reward = {"minus-one": -1.0, "plus-one": 1.0, "abstain": None, "random": drawn}[self.unreadable]
        counted = "it has no reward" if reward is None else f"it counts as {reward:+.0f} ({self.unreadable})"
        asked = {"raw": reply.text, "finish": reply.finish, "taken_as": self.unreadable}
        said = f"the judge's answer could not be read ({reading.problem}); {counted}"
        return _word(reply, reward, said, ["unreadable"], {"problem": reading.problem, **asked})

    def _sampling(self) -> Sampling:
        return replace(self.sampling, max_tokens=1) if self.answer == "label" else self.sampling

    def _schema(self, count: int) -> dict[str, Any] | None:
        if self.answer == "label":
            return None
        if self.steps_per_call == 1:
            return closed_object(judgment=_LABEL)
        return closed_object(judgments={"type": "array", "items": _LABEL, "minItems": count, "maxItems": count})


def _from_labels(logprobs: Mapping[str, float]) -> float | None:
    """P(right) from the log-probabilities of the two labels as the answer's first token, None unless both are there."""
    if RIGHT not in logprobs or WRONG not in logprobs:
        return None
    return 1 / (1 + math.exp(min(700.0, logprobs[WRONG] - logprobs[RIGHT])))


def _from_tokens(tokens: Sequence[Token]) -> list[float | None]:
    """P(right) of each label in the paper's JSON answer, in order; None where the place is not one for a label.

    >>> tokens = [Token(text='{"judgment":', logprob=0.0), Token(text=" -1", logprob=-0.1, top={" -1": -0.1, " 1": -2.4})]
    >>> [round(p, 2) for p in _from_tokens(tokens)]
    [0.09]
    """
    text = "".join(token.text for token in tokens)
    keys = list(_JSON_LABEL.finditer(text))
    if not keys:
        return []
    start = keys[-1].end()
    if not text[start:].lstrip().startswith("["):
        return [_probability_at(tokens, start)]
    return [_probability_at(tokens, item.end()) for item in _LIST_ITEM.finditer(text, start)]


def _probability_at(tokens: Sequence[Token], start: int) -> float | None:
    """P(right) of the label that is written after character `start`.

    Tokenizers split " -1" in their own ways: as one token, as " -" and "1", or with the space on its own before "1".
    So the way to the label is walked token by token; where the space alone is an alternative to " -", it leads to "1".
    A label that is not among the alternatives has at most what is left.
    """
    right = wrong = 0.0
    reached = 1.0
    for token, head in _from(tokens, start):
        chosen = _sign(token.text[len(head) :])
        masses = _masses({**token.top, token.text: token.logprob}, head)
        right += reached * masses["right"]
        wrong += reached * masses["wrong"]
        if chosen == "blank":
            reached *= math.exp(token.logprob)
            continue
        if chosen == "other":
            return None
        joined = bool(head) or token.text[0] in _LEAD
        if joined and chosen == "wrong":
            right += reached * masses["blank"]
        elif joined and chosen == "right":
            wrong += reached * masses["blank"]
        unseen = reached * masses["unseen"]
        if right == 0.0:
            right = unseen
        elif wrong == 0.0:
            wrong = unseen
        return right / (right + wrong) if right + wrong > 0 else None
    return None


def _from(tokens: Sequence[Token], start: int) -> Iterator[tuple[Token, str]]:
    """The tokens that reach beyond character `start`, each with the part of it that stands before."""
    position = 0
    for token in tokens:
        end = position + len(token.text)
        if end > start:
            yield token, token.text[: max(0, start - position)]
        position = end


def _masses(logprobs: Mapping[str, float], head: str) -> dict[str, float]:
    """Probability by what a token would begin, and the most that a label not among them can have had."""
    masses = {"right": 0.0, "wrong": 0.0, "blank": 0.0, "other": 0.0}
    for text, logprob in logprobs.items():
        kind = _sign(text[len(head) :]) if text.startswith(head) else "other"
        masses[kind] += math.exp(logprob)
    left = max(0.0, 1.0 - sum(masses.values()))
    return {**masses, "unseen": min(left, math.exp(min(logprobs.values())))}


def _sign(text: str) -> str:
    rest = text.lstrip(_LEAD)
    if not rest:
        return "blank"
    if rest[0] in "-−":
        return "wrong"
    return "right" if rest[0] in "1+" else "other"

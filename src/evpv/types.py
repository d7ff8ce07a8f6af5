"""The vocabulary: what every part of evpv speaks of. Plain frozen values; nothing here computes.

The words and their JSON names are those of the paper's Appendix A and of docs/formats.md. `extra` holds the fields of a
record that evpv does not know, so that reading and writing a file loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Box: TypeAlias = tuple[float, float, float, float]
"""Where something was seen: x0, y0, x1, y1 in pixels, origin at the top left."""

Extra: TypeAlias = Mapping[str, Any]

ClaimType = Literal["numeric", "relation", "structure", "unclassifiable"]
VerdictName = Literal["supported", "contradicted", "missing", "unparsed"]
_ClaimSource = Literal["policy", "auditor"]
Reading = Literal["printed", "estimated"]

TAXONOMY: dict[str, tuple[str, str | None]] = {
    "visual-structural": ("Visual Misinterpretation", "Structural Misunderstanding"),
    "visual-value": ("Visual Misinterpretation", "Value Misreading"),
    "visual-object": ("Visual Misinterpretation", "Object Misidentification"),
    "logical": ("Logical Error", None),
    "calculation": ("Calculation Error", None),
    "knowledge": ("Knowledge Error", None),
    "incompleteness": ("Incompleteness", None),
}
"""Our names of error types → the paper's top level and, for visual ones, its sub-type (Appendix D.5)."""
VERDICTS: tuple[VerdictName, ...] = ("supported", "contradicted", "missing", "unparsed")

# The types named by the paper's schema. Its own case studies use others ("continuous_at", "quadrilateral"),
# so a record may hold any word; these are the ones that matching understands.
RELATION_TYPES = ("parallel", "perpendicular", "equal", "subset", "incident", "adjacent", "greater", "less")
STRUCTURE_TYPES = ("composite", "graph", "table", "sequence")
LOOSE = "loose"
"""The type of a structure whose parts are numbers and labels that were read but belong to nothing known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeric:
    """A measurable fact: `entity` has `attribute` equal to `value` `unit`.

    Where the reader knew the place of a value, it says so: `row` and `column` of a table, `row` (the category) and
    `series` of a chart; `entity` stays the one text that the paper has. `error` is how far off, in the value's own
    unit, the reader believes it may be.
    """

    entity: str
    attribute: str
    value: float
    unit: str | None = None
    confidence: float = 1.0
    box: Box | None = None
    reading: Reading = "printed"  # "estimated": measured against an axis, so only near the truth
    row: str | None = None
    column: str | None = None
    series: str | None = None
    error: float | None = None
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A relation `type` between `entities`, in order."""

    type: str
    entities: tuple[str, ...]
    direction: str | None = None
    confidence: float = 1.0
    box: Box | None = None
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """How a figure is put together: its `parts`, and how they are attached and adjacent."""

    type: str
    parts: tuple[str, ...]
    attachment: tuple[str, ...] = ()
    adjacency: tuple[str, ...] = ()
    confidence: float = 1.0
    box: Box | None = None
    extra: Extra = field(default_factory=dict, hash=False)


Constraint: TypeAlias = Numeric | Relation | Structure
"""One fact that an extractor saw (c_k in the paper)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a candidate: its text, and the visual claim it rests on (d_t in the paper), if any.

    What is known of it beforehand: `label` (1 right, −1 wrong, 0 neutral), `visual` (ν*: whether it should look), the
    kind of its `error`, and whether that was `inherited` from an earlier step. `audit` is what the auditor found.
    """

    text: str
    claim: str | None = None
    claim_from: _ClaimSource = "policy"
    label: int | None = None
    visual: bool | None = None
    error: str | None = None
    inherited: bool = False
    audit: Extra | None = field(default=None, hash=False)
    extra: Extra = field(default_factory=dict, hash=False)


_Stance = Literal["corrected", "insisted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What a solver is told of one premise: what step `step` said, what was `read` instead, where, and how surely."""

    step: int
    said: str
    verdict: VerdictName
    read: str
    confidence: float
    box: Box | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """How a candidate came from the candidate `of`: what its solver was told in this `round`, and what it did then.

    `before` are the steps from `first_step` on that were written anew, `answer_before` the answer they led to.
    """

    of: str
    round: int
    first_step: int
    before: tuple[str, ...]
    answer_before: str | None
    told: tuple[Remark, ...]
    stance: _Stance
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOrigin:
    """Which answer of a policy a candidate is: its variant and attempt, the nonce it was asked with, what was repaired."""

    variant: int
    nonce: str
    attempt: int
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One solution that a policy wrote (S in the paper). `correct` is whether it is known to answer rightly.

    `revisions` are the rounds in which its solver was told what it misread, the first one first. `sampled` says which
    answer it is, where evpv asked for it.
    """

    id: str
    steps: tuple[Step, ...]
    final_answer: str | None = None
    correct: bool | None = None
    policy_model: str | None = None
    revisions: tuple[Revision, ...] = ()
    sampled: SampleOrigin | None = None
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedAnswer:
    """An answer that was no candidate: for which variant, at which attempt (from 1), why, and what it said."""

    variant: int
    attempt: int
    reason: str
    raw: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingReport:
    """How a policy's candidates came about: how many were wanted, which variants never came right, what was rejected.

    `digest` is that of the problem without candidates, as the policy was shown it.
    """

    policy: str
    wanted: int
    digest: str | None = None
    missing: tuple[int, ...] = ()
    rejected: tuple[RejectedAnswer, ...] = ()
    cost: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An image (or several, or none) with a question, and the candidates that answer it.

    `data_source`, `policy_model`, `group`, `part` and `split` are what evaluations divide by; `sampling` says how its
    candidates came about, where evpv asked for them.
    """

    id: str
    question: str
    images: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    answer: str | None = None
    data_source: str | None = None
    policy_model: str | None = None
    group: str | None = None
    part: str | None = None
    split: str | None = None
    sampling: SamplingReport | None = None
    candidates: tuple[Candidate, ...] = ()
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What an extractor says of one problem: the constraints, and what it could not read and why.

    `kind` is what the picture was taken for ("table", "chart", "geometry", "graph", "solid", "other"); None when
    nothing was looked at. `problem` is a sentence when the picture could not be read at all; `unread` says what of a
    picture that was read could not be. `answered` is false where a model was asked and never answered: that is no
    reading, and is to be tried again.
    """

    constraints: tuple[Constraint, ...] = ()
    kind: str | None = None
    problem: str | None = None
    unread: tuple[str, ...] = ()
    answered: bool = True
    cost: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AssertionMatch:
    """What the constraints say of one assertion of a claim: `span` is where it stands in the claim's text, `form` its logical form as text."""

    span: tuple[int, int]
    form: str
    verdict: VerdictName
    support: float
    constraint: int | None = None
    explanation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """What the constraints say of one claim (m(v_j, C) in the paper).

    `support` is p_j; `constraint` is the index of the constraint that decided, None if none did. A claim that asserts
    several things has a match for each in `assertions`; the other fields are then those of the deciding one.
    """

    type: ClaimType
    verdict: VerdictName
    support: float
    constraint: int | None = None
    explanation: str = ""
    assertions: tuple[AssertionMatch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepJudgement:
    """A judge's word on one step: a reward in [-1, 1] (R_t^base, Eq. 6), or None with the reason in `explanation`.

    `facts` say how a model's answer was read; `marks` are counted over a trace, `sent` says how the question was put.
    `answered` is whether the model that was asked did answer; None where none was asked.
    """

    reward: float | None
    explanation: str = ""
    facts: Extra = field(default_factory=dict, hash=False)
    marks: tuple[str, ...] = ()
    sent: Extra = field(default_factory=dict, hash=False)
    answered: bool | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTrace:
    """A step with all that was found out about it.

    Without a claim, `match` and `gate` are None. `base_reward` and `reward` are None where the judge gave no
    number: unknown is not zero. `uses` are the earlier steps whose claims this one also answers for.
    """

    step: Step
    match: Match | None
    judgement: StepJudgement
    gate: float | None
    reward: float | None
    reliability: float | None = None
    uses: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        return self.step.text

    @property
    def claim(self) -> str | None:
        return self.step.claim

    @property
    def base_reward(self) -> float | None:
        """What the judge alone gives (R_t^base)."""
        return self.judgement.reward

    @property
    def verdict(self) -> VerdictName | None:
        """What the constraints say of the step's claim; None without one."""
        return None if self.match is None else self.match.verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateTrace:
    """A candidate with its steps' traces, its reliability (r, Eq. 5) and its score (Eq. 12).

    `reliability` is None where nothing was checked: no claim, none that says anything of a figure, or no fact to check
    it against.
    """

    candidate: Candidate
    reliability: float | None
    score: float
    steps: tuple[StepTrace, ...]

    @property
    def id(self) -> str:
        return self.candidate.id

    @property
    def final_answer(self) -> str | None:
        return self.candidate.final_answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The candidates of one problem in order. `best` lists all that tie for first; `order` puts ties by score, then id.

    `tied` is true where the best do not give one answer: then there is no winner, only an order.
    """

    select: str
    best: tuple[str, ...]
    order: tuple[str, ...]
    values: Mapping[str, float]
    tied: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One problem assessed: the evidence (extraction, claims, judgements) and everything that follows from it.

    The candidates of `problem` are those of `candidates`, the same values. `digest` is that of the problem's content
    (text, candidates, image bytes); `judging` counts how judgements were got, `search` says how candidates were found.
    """

    problem: Problem
    extraction: Extraction
    candidates: tuple[CandidateTrace, ...]
    ranking: Ranking
    digest: str | None = None
    judging: Extra = field(default_factory=dict, hash=False)
    search: Extra = field(default_factory=dict, hash=False)
    cost: Extra = field(default_factory=dict, hash=False)
    extra: Extra = field(default_factory=dict, hash=False)

    @property
    def problem_id(self) -> str:
        return self.problem.id

    @property
    def question(self) -> str:
        return self.problem.question

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return self.extraction.constraints

    @property
    def failure(self) -> str | None:
        """Why this is no result: the extractor's model or the judge's never answered. None where it is one."""
        if not self.extraction.answered:
            return self.extraction.problem
        said = [step.judgement for candidate in self.candidates for step in candidate.steps]
        return said[0].explanation if said and all(one.answered is False for one in said) else None

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
ClaimSource = Literal["policy", "auditor"]
Reading = Literal["printed", "estimated"]

CLAIM_TYPES: tuple[ClaimType, ...] = ("numeric", "relation", "structure", "unclassifiable")
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
    """One step of a candidate: its text, and the visual claim it rests on (d_t in the paper), if any."""

    text: str
    claim: str | None = None
    claim_from: ClaimSource = "policy"
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One solution that a policy wrote (S in the paper)."""

    id: str
    steps: tuple[Step, ...]
    final_answer: str | None = None
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An image (or several, or none) with a question, and the candidates that answer it."""

    id: str
    question: str
    images: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    answer: str | None = None
    candidates: tuple[Candidate, ...] = ()
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What an extractor says of one problem: the constraints, and what it could not read and why.

    `kind` is what the picture was taken for ("table", "chart", "geometry", "graph", "solid", "other"); None when
    nothing was looked at. `problem` is a sentence when the picture could not be read at all.
    """

    constraints: tuple[Constraint, ...] = ()
    kind: str | None = None
    problem: str | None = None
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
class StepTrace:
    """A step with all that was found out about it.

    Without a claim, `match` and `gate` are None. `base_reward` and `reward` are None where the judge gave no
    number: unknown is not zero. `uses` are the earlier steps whose claims this one also answers for.
    """

    text: str
    claim: str | None
    claim_from: ClaimSource
    match: Match | None
    base_reward: float | None
    gate: float | None
    reward: float | None
    reliability: float | None = None
    uses: tuple[int, ...] = ()
    extra: Extra = field(default_factory=dict, hash=False)

    @property
    def verdict(self) -> VerdictName | None:
        """What the constraints say of the step's claim; None without one."""
        return None if self.match is None else self.match.verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateTrace:
    """A candidate with its steps' traces, its reliability (r, Eq. 5) and its score (Eq. 12)."""

    id: str
    final_answer: str | None
    reliability: float
    score: float
    steps: tuple[StepTrace, ...]
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The candidates of one problem in order. `best` lists all that tie for first; `order` breaks ties, by score, then id."""

    select: str
    best: tuple[str, ...]
    order: tuple[str, ...]
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One problem assessed: the evidence (constraints, claims, base rewards) and everything that follows from it.

    `question` is kept because which earlier steps a step builds on depends on what the question gave.
    """

    problem_id: str
    question: str = ""
    constraints: tuple[Constraint, ...]
    candidates: tuple[CandidateTrace, ...]
    ranking: Ranking
    cost: Extra = field(default_factory=dict, hash=False)
    extra: Extra = field(default_factory=dict, hash=False)

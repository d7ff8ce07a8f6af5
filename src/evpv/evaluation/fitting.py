"""What `grounded` leaves to measure: the support of claims nobody speaks to, θ, and the gates' curve, from labelled traces."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from statistics import mean
from typing import Any

from evpv.errors import ConfigError
from evpv.evaluation.selection import can_tell_right, pools_of, rightness
from evpv.evaluation.sheets import Sheet, SheetCell
from evpv.evaluation.step_metrics import WRONG, best_threshold, counts_of, macro_f1, step_outcomes
from evpv.reward.assess import reassess
from evpv.reward.method import GATES, Method
from evpv.types import StepTrace, Trace

_TAUS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
_BETAS = (2.0, 5.0, 10.0, 20.0)
_IMAGINED = 10
"""So many imagined claims, right as often as all claims are, are added to each type: few real ones decide little."""
_FEWEST = 30
"""A type with fewer unread claims than this keeps the support it had."""

Claims = Counter[tuple[str, str, bool]]
"""Claims by type, verdict, and whether they are right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _GateResult:
    """One gate with its best curve: macro-F1 at its best θ, and how often the chosen candidate is right, if that is known."""

    gate: str
    threshold: float
    sharpness: float
    decision: float
    macro_f1: float
    best_of_n: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A method with its fitted settings, and what they rest on. Without `claims` the run named no kind of error."""

    method: Method
    claims: Claims = field(hash=False)
    gates: tuple[_GateResult, ...]
    steps: int

    def settings(self) -> dict[str, object]:
        found: dict[str, object] = {"missing": dict(self.method.missing)} if self.claims else {}
        names = ("decision", "threshold", "sharpness")
        return found | {name: getattr(self.method, name) for name in names}


def fit(traces: Sequence[Trace], method: Method) -> Fitted:
    """The settings under which these traces are judged best; first the priors, then the gates' curve, then θ.

    τ and β are those of the step-local gate unless the method's own gate has them; θ is that of the method's own gate.
    """
    refuse_test_split(traces)
    claims = counted_claims(reassess(trace, method) for trace in traces)
    if claims:
        method = replace(method, missing=priors(claims, method.missing))
    right = rightness(traces) if can_tell_right(traces) else None
    gates = tuple(_best_curve(traces, replace(method, gate=gate), right) for gate in GATES)
    by_name = {one.gate: one for one in gates}
    curve = by_name[method.gate if method.gate in ("sigmoid", "local") else "local"]
    theta = by_name[method.gate].decision
    chosen = replace(method, decision=theta, threshold=curve.threshold, sharpness=curve.sharpness)
    steps = sum(len(one.steps) for one in step_outcomes(traces))
    return Fitted(method=chosen, claims=claims, gates=gates, steps=steps)


def refuse_test_split(traces: Iterable[Trace]) -> None:
    """Raise if any problem says that it is of a test split: what is fitted there proves nothing there."""
    tests = [trace.problem_id for trace in traces if (trace.problem.split or "").lower() == "test"]
    if tests:
        raise ConfigError(
            f"{len(tests)} of these problems are of the split 'test' ({tests[0]} …): nothing is fitted on a test split; "
            "fit on development problems."
        )


def counted_claims(traces: Iterable[Trace]) -> Claims:
    """Claims by type, verdict and truth. A claim is wrong if its step has a visual error of its own.

    Only runs whose wrong steps name their error can say so; of others nothing is counted.
    """
    counts = Claims()
    for trace in traces:
        for candidate in trace.candidates:
            for step in candidate.steps:
                known = step.step
                if step.match is None or known.label is None or known.visual is False:
                    continue
                if known.error is not None or known.label != WRONG:
                    right = known.error is None or not known.error.startswith("visual") or known.inherited
                    counts[step.match.type, step.match.verdict, right] += 1
    return counts if any(not right for *_, right in counts) else Claims()


def priors(claims: Claims, before: Mapping[str, float]) -> dict[str, float]:
    """How often a claim of each type is right when the extractor has nothing to say of it; rare types keep what they had."""
    overall = sum(number for key, number in claims.items() if key[2]) / claims.total()
    found = dict(before)
    for kind in before:
        right, wrong = claims[kind, "missing", True], claims[kind, "missing", False]
        if right + wrong >= _FEWEST:
            found[kind] = round((right + _IMAGINED * overall) / (right + wrong + _IMAGINED), 2)
    return found


def _best_curve(traces: Sequence[Trace], method: Method, right: Sequence[Sequence[bool]] | None) -> _GateResult:
    """The τ and β with the highest macro-F1 at their best θ; of equals, those nearest to the paper's."""
    usual = (Method().threshold, Method().sharpness)
    places = [(tau, beta) for tau in _TAUS for beta in _BETAS] if method.gate in ("sigmoid", "local") else [usual]
    places.sort(key=lambda place: (abs(place[0] - usual[0]), abs(place[1] - usual[1])))
    matched = [reassess(trace, method) for trace in traces]
    tried = [_gate_result(matched, replace(method, threshold=tau, sharpness=beta)) for tau, beta in places]
    best = max(tried, key=lambda one: round(one.macro_f1, 4))
    if right is None:
        return best
    again = [reassess(trace, replace(method, threshold=best.threshold, sharpness=best.sharpness)) for trace in traces]
    return replace(best, best_of_n=mean(one.best for one in pools_of(again, right)))


def _gate_result(matched: Sequence[Trace], method: Method) -> _GateResult:
    """A gate's curve on traces that are matched already: only the rewards behind the gate are made anew."""
    gate = method.gate_function

    def pass_gate(step: StepTrace) -> StepTrace:
        if step.base_reward is None or step.reliability is None:
            return step
        return replace(step, reward=gate(step.base_reward, step.reliability).reward)

    def with_gate(trace: Trace) -> Trace:
        candidates = (replace(one, steps=tuple(map(pass_gate, one.steps))) for one in trace.candidates)
        return replace(trace, candidates=tuple(candidates))

    outcomes = step_outcomes(map(with_gate, matched))
    theta = round(best_threshold(outcomes), 3)
    return _GateResult(
        gate=method.gate, threshold=method.threshold, sharpness=method.sharpness, decision=theta,
        macro_f1=float(macro_f1(counts_of(outcomes, theta))), best_of_n=None,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _FitFile:
    """A fit as its file says it, and the tables that show it; `has_claims` is false where the run named no kind of error."""

    text: str
    sheets: tuple[Sheet, ...]
    has_claims: bool


def fit_run(
    traces: Sequence[Trace],
    manifest: Mapping[str, Any],
    method: Method,
    split: str | None,
    facts: Mapping[str, Any],
    others: Sequence[Trace],
) -> _FitFile:
    """The fit of a run over a named split, held against a run over other problems if there is one; `facts` are its user's."""
    name, fitted = _named_split(traces, split), fit(traces, method)
    known: dict[str, Any] = {"split": name, "data": facts["data"], **_provenance(traces, fitted, manifest), **facts}
    sheets = [_fit_sheet(method, fitted)]
    if (
        others
    ):  # what the fit does on problems it has not seen: macro-F1 at each method's θ, and the choice among candidates
        if shared := {trace.problem_id for trace in traces} & {trace.problem_id for trace in others}:
            raise ConfigError(f"--check needs other problems: {len(shared)} are in both runs ({min(shared)} …).")
        rows = {name: _check_row(others, one) for name, one in (("before", method), ("fitted", fitted.method))}
        known["check"] = {"problems": len(others)}
        for name, cells in rows.items():
            named = zip(_CHECKED.values(), cells, strict=True)
            known["check"][name] = {key: cell for key, cell in named if cell is not None}
        title = f"held against {len(others)} problems that were not fitted on"
        lines = tuple((name, *cells) for name, cells in rows.items())
        sheets.insert(0, Sheet(title=title, columns=("settings", *_CHECKED), rows=lines, digits=4))
    return _FitFile(text=_fit_text(fitted, known), sheets=tuple(sheets), has_claims=bool(fitted.claims))


_CHECKED = {"macro-F1 at its θ": "macro_f1", "macro-F1 at θ = 0": "macro_f1_at_0", "BoN@N": "best_of_n"}
"""A column of the check → its name in the file."""


def _check_row(traces: Sequence[Trace], method: Method) -> tuple[SheetCell, ...]:
    """Macro-F1 at the method's own θ and at 0, and the share of right choices where answers are known."""
    again = [reassess(trace, method) for trace in traces]
    outcomes = step_outcomes(again)
    picks = [one.best for one in pools_of(again, rightness(traces))] if can_tell_right(traces) else []
    scores = [float(macro_f1(counts_of(outcomes, theta))) for theta in (method.decision, 0.0)]
    return (*scores, mean(picks) if picks else None)


def _fit_sheet(before: Method, fitted: Fitted) -> Sheet:
    rows: list[tuple[SheetCell, ...]] = [
        (f"support of a missing {kind} claim", before.missing[kind], fitted.method.missing[kind])
        for kind in before.missing
    ]
    rows += [
        (f"{name}, {symbol}", getattr(before, name), getattr(fitted.method, name))
        for name, symbol in (("decision", "θ"), ("threshold", "τ"), ("sharpness", "β"))
    ]
    rows += [(f"gate {one.gate}: macro-F1 at its best", None, one.macro_f1) for one in fitted.gates]
    rows += [(f"gate {one.gate}: BoN@N there", None, one.best_of_n) for one in fitted.gates]
    return Sheet(title=f"fitted on {fitted.steps} steps", columns=("setting", "before", "fitted"), rows=tuple(rows))


_HEAD = """\
# Written by `evpv fit`. A recipe reads it with [method] fitted = "NAME" (or the path of a file like this).
# missing: how probable a claim of each type is when the extractor has nothing to say of it.
# decision: θ, for the method's own gate. threshold and sharpness: τ and β of the gates `local` and `sigmoid`.
"""


def _named_split(traces: Sequence[Trace], given: str | None) -> str:
    """The split that a run's problems are of: as they say, else as the user says; "test" is refused."""
    said = {trace.problem.split for trace in traces if trace.problem.split}
    names = said or set(filter(None, [given]))
    if not names:
        raise ConfigError("these problems do not say which split they are of: name it with --split.")
    if given and said - {given}:
        raise ConfigError(f"--split says {given!r}, but the problems say {', '.join(sorted(said))}.")
    if any(name.lower() == "test" for name in names):
        raise ConfigError("nothing is fitted on a test split; fit on development problems.")
    return ", ".join(sorted(names))


def _provenance(traces: Sequence[Trace], fitted: Fitted, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What a fit rests on, as far as the run itself tells."""
    ids = sorted(trace.problem_id for trace in traces)
    return {
        "problems_file": str(manifest.get("problems", "")), "problems": len(ids),
        "candidates": sum(len(trace.candidates) for trace in traces), "steps": fitted.steps,
        "claims": fitted.claims.total(), "problem_ids_sha256": sha256("\n".join(ids).encode()).hexdigest()[:16],
        "recipe": str(manifest.get("recipe", "")), "parts": str(manifest.get("versions", {}).get("parts", "")),
    }  # fmt: skip


def _fit_text(fitted: Fitted, facts: Mapping[str, Any]) -> str:
    lines = [_HEAD, "[method]", *_lines(fitted.settings()), "", "[provenance]", *_lines(facts), ""]
    for one in fitted.gates:
        lines += ["[[gates]]", *_lines({key: value for key, value in asdict(one).items() if value is not None}), ""]
    for kind, verdict in sorted({key[:2] for key in fitted.claims}):
        right, wrong = (fitted.claims[kind, verdict, side] for side in (True, False))
        row = {"type": kind, "verdict": verdict, "claims": right + wrong, "right": right}
        lines += ["[[claims]]", *_lines(row), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in table.items()]


def _value(value: Any) -> str:
    """A value as TOML; texts are quoted as JSON quotes them, which TOML reads alike."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }"
    return repr(round(value, 4)) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)

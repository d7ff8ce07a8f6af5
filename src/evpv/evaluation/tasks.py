"""What `evpv evaluate` can measure besides Best-of-N: each task takes a run's traces and gives sheets and the numbers behind them.

Steps, constraints (Appendix G), whether candidates say when they look (Appendix F), why wrong steps are wrong, and what a
question cost (Appendix H).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from evpv.errors import ConfigError, RecordError
from evpv.evaluation import step_metrics
from evpv.evaluation.fidelity import against_gold, totals
from evpv.evaluation.sheets import Sheet, SheetCell, TaskSheets, against_sheet
from evpv.evaluation.uncertainty import bootstrap, calibration, paired_difference, probability
from evpv.premises.auditing import checklist_metrics
from evpv.reward.assess import fault
from evpv.types import TAXONOMY, Constraint, Trace

TOOL_SHARE = 0.21
"""The share of steps for which TIM-PRM calls its tool, as the paper quotes it."""
_LEDGER = {
    "calls": "calls", "images": "image encodes", "prompt_tokens": "prompt tokens", "completion_tokens": "decoded tokens",
    "hits": "cache hits", "retries": "retries", "seconds": "seconds", "money": "money",
}  # fmt: skip
"""What a ledger counts → what a table calls it."""


def measure_steps(traces: Sequence[Trace], threshold: step_metrics.Threshold) -> TaskSheets:
    outcomes = step_metrics.step_outcomes(traces)
    report = step_metrics.step_report(outcomes, threshold)
    interval = bootstrap(step_metrics.step_table(outcomes, threshold.value), step_metrics.macro_f1)
    labels, rewards = step_metrics.labelled_rewards(outcomes)
    stated = calibration([probability(reward) for reward in rewards], [label == step_metrics.RIGHT for label in labels])
    overall: tuple[tuple[SheetCell, ...], ...] = (
        ("macro-F1, pooled (the VisualPRM convention)", report.pooled.macro_f1),
        ("  95 % interval, from", interval.low),
        ("  95 % interval, to", interval.high),
        ("macro-F1, mean over sources", report.mean_over_sources),
        ("macro-F1, sources weighted by steps", report.step_weighted),
        ("F1 right", report.pooled.f1_right),
        ("F1 wrong", report.pooled.f1_wrong),
        ("accuracy", report.pooled.accuracy),
        ("AUROC", report.pooled.auroc),
        ("average precision for errors", report.pooled.error_average_precision),
        ("first error named exactly", report.pooled.first_error_accuracy),
        ("Brier score", stated.brier),
        ("expected calibration error", stated.ece),
        ("steps", report.pooled.steps),
        ("neutral steps dropped", report.neutral_dropped),
        ("steps without a reward (wrong for both classes)", report.pooled.invalid),
    )
    note = f"threshold θ = {threshold}"
    sheets = [Sheet(title="step verification", columns=("figure", "value"), rows=overall, note=note)]
    for kind, groups in (("source", report.by_source), ("policy", report.by_policy)):
        rows = tuple(
            (name, one.steps, one.f1_right, one.f1_wrong, one.macro_f1, one.accuracy, one.auroc, one.invalid)
            for name, one in groups.items()
        )
        columns = (kind, "steps", "F1 right", "F1 wrong", "macro-F1", "accuracy", "AUROC", "no reward")
        if len(groups) > 1:
            sheets.append(Sheet(title=f"by {kind}", columns=columns, rows=rows))
    metrics = {**asdict(report), "interval": asdict(interval), "calibration": asdict(stated)}
    return TaskSheets(sheets=tuple(sheets), metrics=metrics)


def compare_steps(traces: Sequence[Trace], others: Sequence[Trace], threshold: step_metrics.Threshold) -> TaskSheets:
    """How far this run is ahead of another on the same problems."""
    first, second = (
        step_metrics.step_table(step_metrics.step_outcomes(side), threshold.value)
        for side in align_runs(traces, others)
    )
    rows, metrics = [], {}
    right, wrong = (lambda sums: step_metrics.f1_pair(sums)[0]), (lambda sums: step_metrics.f1_pair(sums)[1])
    for name, statistic in (("macro-F1", step_metrics.macro_f1), ("F1 right", right), ("F1 wrong", wrong)):
        gap = paired_difference(first, second, statistic)
        rows.append((name, statistic(first.sum(axis=0)), statistic(second.sum(axis=0)), gap))
        metrics[name] = asdict(gap)
    return TaskSheets(sheets=(against_sheet("step verification, paired", rows),), metrics=metrics)


def align_runs(traces: Sequence[Trace], others: Sequence[Trace]) -> tuple[list[Trace], list[Trace]]:
    """Both runs over the problems they share, in one order. Problems that only one has are an error, not a silent loss."""
    by_id = {trace.problem_id: trace for trace in others}
    mine = {trace.problem_id for trace in traces}
    if missing := sorted(mine ^ by_id.keys()):
        raise ConfigError(
            f"the runs do not have the same problems: {len(missing)} are in only one of them ({', '.join(missing[:3])} …)."
        )
    return list(traces), [by_id[trace.problem_id] for trace in traces]


def measure_constraints(
    traces: Sequence[Trace], gold: Mapping[str, Sequence[Constraint]], tolerance: float
) -> TaskSheets:
    """Fidelity by data set and category (Appendix G)."""
    missing = [trace.problem_id for trace in traces if trace.problem_id not in gold]
    if missing:
        raise RecordError(f"{len(missing)} problems of the run have no gold constraints ({', '.join(missing[:3])} …).")
    groups = step_metrics.groups_by(traces, lambda one: str(one.problem.data_source or one.extraction.kind or "all"))
    rows: list[tuple[SheetCell, ...]] = []
    for name, members in [*sorted(groups.items()), ("total", list(traces))]:
        table = totals(against_gold(t.constraints, gold[t.problem_id], tolerance) for t in members)
        rows += [(f"{name}: {kind}", *one.cells) for kind, one in table.items()]
    columns = ("data set: type", "TP", "FP", "FN", "precision", "recall", "F1")
    return _measured_rows(Sheet(title="fidelity of constraints", columns=columns, rows=tuple(rows), digits=4))


def measure_checklists(traces: Sequence[Trace]) -> TaskSheets:
    """Omissions and false positives of the policy's own flags: of all candidates, by policy, by data set (Appendix F).

    Steps need `visual` (ν*): whether they should look. Claims that the auditor filled in are not the policy's.
    """
    groups = _flag_groups(traces)
    if not groups:
        raise RecordError("no step of this run says whether it should look (`visual`): there is nothing to audit.")
    rows = []
    for name, members in groups.items():
        looks, needs = ([flag for one in members for flag in one[side]] for side in (0, 1))
        found = checklist_metrics(looks, needs)
        counts = (found.counts.steps, found.counts.should, found.counts.flagged, found.counts.omitted)
        rows.append((name, len(members), *counts, found.omission_rate, found.completeness, found.false_positive_rate))
    columns = (
        "split", "units", "steps", "should look", "say they look", "omitted", "omission", "completeness", "false positives",
    )  # fmt: skip
    return _measured_rows(Sheet(title="checklist audit", columns=columns, rows=tuple(rows), digits=4))


def _flag_groups(traces: Sequence[Trace]) -> dict[str, list[tuple[list[bool], list[bool]]]]:
    """Where each candidate's policy says that it looks (ν), and where it should (ν*): of all, by policy, by data set."""
    groups: dict[str, list[tuple[list[bool], list[bool]]]] = {}
    for trace in traces:
        for candidate in trace.candidates:
            known = [step.step.visual for step in candidate.steps if step.step.visual is not None]
            if not known:
                continue
            if len(known) < len(candidate.steps):
                where = f"problem {trace.problem_id!r}, candidate {candidate.id!r}"
                raise RecordError(f"{where}: `visual` must be true or false for every step.")
            looks = [step.claim is not None and step.step.claim_from == "policy" for step in candidate.steps]
            policy = step_metrics.policy_of(trace, candidate)
            for name in ("all", f"policy {policy}" if policy else "", trace.problem.data_source or ""):
                groups.setdefault(name, []).append((looks, known))
    groups.pop("", None)
    return groups


def measure_errors(traces: Sequence[Trace], threshold: float = 0.0) -> TaskSheets:
    """Wrong steps by the paper's taxonomy, and how our premise-or-reasoning diagnosis sees each type.

    Errors that a step inherits count as the type they came from.
    """
    found = _diagnosed_errors(traces, threshold)
    rows = []
    for name, (top, sub) in TAXONOMY.items():
        said = [found[name, side] for side in ("premise", "reasoning", None)]
        rows.append((top, sub, sum(said), sum(said) / found.total(), *said))
    columns = ("top level", "sub-type", "steps", "share", "called premise", "called reasoning", "not found")
    told = Counter({key: count for key, count in found.items() if key[1] is not None})
    agreed = sum(count for (name, side), count in told.items() if (side == "premise") == name.startswith("visual"))
    agreement = agreed / told.total() if told else None
    note = "" if agreement is None else f"Put down to the right side, of those found: {agreement:.3f}."
    sheet = Sheet(title="error attribution", columns=columns, rows=tuple(rows), note=note)
    return _measured_rows(sheet, agreement=agreement)


def _diagnosed_errors(traces: Sequence[Trace], threshold: float) -> Counter[tuple[str, str | None]]:
    """Wrong steps by their type and by what they are put down to."""
    found: Counter[tuple[str, str | None]] = Counter()
    for trace in traces:
        for candidate in trace.candidates:
            for index, step in enumerate(candidate.steps, start=1):
                if step.step.label != step_metrics.WRONG or (name := step.step.error) is None:
                    continue
                if name not in TAXONOMY:
                    where = f"problem {trace.problem_id!r}, candidate {candidate.id!r}: step {index}"
                    known = ", ".join(TAXONOMY)
                    raise RecordError(f"{where} has the unknown error type {name!r}; there are: {known}.")
                found[name, fault(step, threshold)] += 1
    if not found:
        raise RecordError(
            "no wrong step of this run has an error type: they come with `evpv figures`, or from `evpv classify`."
        )
    return found


def measure_cost(traces: Iterable[Trace]) -> TaskSheets:
    """What the run cost per question, beside the formulas (Appendix H).

    1 extractor call and T judge calls a question for EVPV; T judge calls and p·T tool calls for TIM-PRM.
    """
    problems = steps = 0
    stages: dict[str, dict[str, float]] = {}
    for trace in traces:
        problems += 1
        steps += sum(len(candidate.steps) for candidate in trace.candidates)
        own = {"reading": trace.cost} if _numbers(trace.cost) else {}  # what belongs to no stage is the extractor's
        for stage, spent in {**(trace.cost.get("stages") or {}), **own}.items():
            row = stages.setdefault(str(stage), {})
            for name, amount in _numbers(spent).items():
                row[name] = row.get(name, 0.0) + amount
    mean = steps / problems if problems else 0.0
    parts = ("extractor", "judge", "tool")
    evpv, tim_prm = (1.0, mean, 0.0), (0.0, mean, TOOL_SHARE * mean)
    expected = Sheet(
        title="calls per question, by formula", columns=("method", *parts, "all"), digits=2,
        rows=(("EVPV: 1 + T", *evpv, sum(evpv)), ("TIM-PRM: T + p·T", *tim_prm, sum(tim_prm))),
        note=f"T is the mean number of steps over all candidates of a question, {mean:.2f} here; p = {TOOL_SHARE}.",
    )  # fmt: skip
    formulas = {"evpv": dict(zip(parts, evpv, strict=True)), "tim_prm": dict(zip(parts, tim_prm, strict=True))}
    measured = cost_sheet(f"measured, per question over {problems} questions", stages, problems)
    counts = {"problems": problems, "steps": steps, "stages": stages}
    return TaskSheets(sheets=(measured, expected), metrics={**counts, **formulas})


def _measured_rows(sheet: Sheet, **more: Any) -> TaskSheets:
    """A sheet whose rows are its numbers too."""
    return TaskSheets(sheets=(sheet,), metrics={"rows": sheet.records(), **more})


def _numbers(spent: Mapping[str, Any]) -> dict[str, float]:
    return {k: float(v) for k, v in spent.items() if isinstance(v, int | float) and not isinstance(v, bool)}


def cost_sheet(title: str, stages: Mapping[str, Mapping[str, float]], questions: int) -> Sheet:
    """What each stage took per question; what a stage does not count is unknown, not nought."""
    others = sorted({kind for spent in stages.values() for kind in spent} - _LEDGER.keys())
    rows: list[tuple[SheetCell, ...]] = []
    for stage, spent in stages.items():
        # A ledger leaves out what is nought; a stage that no ledger counts says nothing of calls and money.
        nought = 0.0 if "calls" in spent or "hits" in spent else None
        rows.append((stage, *(spent[kind] / questions if kind in spent else nought for kind in (*_LEDGER, *others))))
    columns = ("stage", *_LEDGER.values(), *(kind.replace("_", " ") for kind in others))
    return Sheet(title=title, columns=columns, rows=tuple(rows), digits=4)

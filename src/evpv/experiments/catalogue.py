"""The experiments by name, what each needs, and how a set of them is run and written; and those of Exp-4 and the appendices.

Tables of the appendices: ablations (I), τ and β (C), aggregations (E), gates; and without variation fidelity (G), checklists (F),
error types (D.5), cost (H). The paper's 27 ablations stand under their own names, and it does not define all of them. What we
take them to mean: *Evidence type* changes the constraints themselves, for judge and gate alike; *Modality* changes what the
judge is shown, the gate keeps its constraints; *Compound* does both. “w/o constraints” shows the judge an empty list, “w/o vision
JSON” none.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

from evpv.errors import ConfigError, unknown_name
from evpv.evaluation.sheets import Sheet, SheetCell
from evpv.evaluation.tasks import cost_sheet, measure_checklists, measure_constraints, measure_cost, measure_errors
from evpv.experiments import main_results, results
from evpv.experiments.main_results import method_variants, policy_perception, policy_plan
from evpv.experiments.measuring import Figures, Truth, percent
from evpv.experiments.results import CurvePoints, Experiment, ExperimentResult, bars, curves, stacked_bars, write_result
from evpv.experiments.trials import (
    READ,
    CallPlan,
    Constraints,
    Trials,
    Variant,
    drop_facts,
    flip_fields,
    shuffle_values,
)
from evpv.reward.method import GATES, preset, settings_of
from evpv.reward.ranking import AGGREGATIONS
from evpv.types import TAXONOMY, Numeric, Relation, Structure

_DROPPED, _NOISE, _TOLERANCE = 0.8, 0.5, 0.005


def _caption(constraints: Constraints) -> Constraints:
    """The facts as prose in one constraint of type "caption": there to be read, but not to be matched."""
    said = []
    for one in constraints:
        if isinstance(one, Numeric):
            said.append(f"{one.entity} has {one.attribute} {one.value:g}{f' {one.unit}' if one.unit else ''}.")
        elif isinstance(one, Relation):
            said.append(f"{' and '.join(one.entities)} are {one.type}.")
        else:
            said.append(f"There is a {one.type} of {', '.join(one.parts)}.")
    return (Structure(type="caption", parts=(" ".join(said),)),) if said else ()


def ablations(*, chat_extractor: bool) -> list[Variant]:
    """The full method, then its 27 variants. A prompted extractor is asked for captions; others' facts are put in prose."""

    def spoilt(name: str, spoil: Callable[[Constraints, random.Random], Constraints]) -> dict[str, object]:
        return {"spoil": spoil, "spoil_name": name}

    captioned = spoilt("caption", lambda facts, rng: _caption(facts))
    if chat_extractor:
        captioned = {"extractor": {"variant": "caption"}}
    none = spoilt("nothing", lambda facts, rng: ())
    mixed = spoilt("shuffled", lambda *of: shuffle_values(*of).constraints)
    noisy = spoilt("noisy caption", lambda facts, rng: _caption(flip_fields(facts, _NOISE, rng).constraints))
    dropped = spoilt(f"dropped {_DROPPED}", lambda facts, rng: drop_facts(facts, _DROPPED, rng).constraints)
    judge, eyes = "Judge prompt", "Vision decoding"
    made: list[tuple[str, str, Mapping[str, object]]] = [
        ("Full Method", "Full (EVPV + gating)", {}),
        ("Evidence type", "w/o structured facts (caption-only)", captioned),
        ("Evidence type", "w/o constraints (facts = ∅)", none),
        ("Evidence type", "w/ shuffled facts (structure corrupted)", mixed),
        ("Evidence type", "w/ noise caption only", noisy),
        ("Evidence type", "Short vision prompt", {"extractor": {"variant": "short"}}),
        ("Evidence type", "w/ drop-facts corruption", dropped),
        ("Modality", "w/o vision (text-only judge, keep JSON)", {"judge": {"text_only": True}}),
        ("Modality", "w/o vision & w/o JSON (text-only)", {"judge": {"text_only": True, "evidence": False}}),
        ("Modality", "w/o vision JSON (keep image)", {"judge": {"evidence": False}}),
        (judge, "Lenient judge prefix", {"judge": {"prefix": "lenient"}}),
        (judge, "No-vision judge prefix", {"judge": {"prefix": "no-vision"}}),
        (judge, "Judge temperature 0.2", {"judge": {"temperature": 0.2, "seed": 0}}),
        (judge, "Judge temperature 0.5", {"judge": {"temperature": 0.5, "seed": 0}}),
        ("History length", "History: none", {"judge": {"history": "none"}}),
        ("History length", "History: last 1 step", {"judge": {"history": 1}}),
        ("History length", "History: last 2 steps", {"judge": {"history": 2}}),
        ("History length", "History: last 4 steps", {"judge": {"history": 4}}),
        ("History length", "History: last 8 steps", {"judge": {"history": 8}}),
        (eyes, "Vision temperature 0.0", {"extractor": {"temperature": 0.0}}),
        (eyes, "Vision temperature 0.5", {"extractor": {"temperature": 0.5, "seed": 0}}),
        (eyes, "Vision top-p 0.7", {"extractor": {"top_p": 0.7}}),
        ("Parse-failure", "Parse fail → +1", {"judge": {"unreadable": "plus-one"}}),
        ("Parse-failure", "Parse fail → random", {"judge": {"unreadable": "random"}}),
        ("Parse-failure", "Parse fail → -1 (default)", {"judge": {"unreadable": "minus-one"}}),
        ("Compound", "No vision JSON + text-only judge", {"judge": {"text_only": True, "evidence": False}, **none}),
        ("Compound", "Caption-only + no image in judge", {"judge": {"text_only": True}, **captioned}),
        ("Compound", "Shuffled facts + lenient judge", {"judge": {"prefix": "lenient"}, **mixed}),
    ]
    return [Variant(group=group, name=name, **settings) for group, name, settings in made]  # type: ignore[arg-type]


_TAUS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_GRID_TAUS = (0.3, 0.4, 0.5, 0.6, 0.7)
_BETAS = (1.0, 2.0, 5.0, 10.0, 20.0)
_CURVED_GATES = ("sigmoid", "local")
_EVIDENCE_ORDER = (
    "Full (EVPV + gating)",
    "w/o structured facts (caption-only)",
    "w/o constraints (facts = ∅)",
    "w/ shuffled facts (structure corrupted)",
)
"""The paper's order of the evidence group, best first."""

_Setting = tuple[str, float, float]
"""Gate, τ, β."""


def _ablation(trials: Trials, truth: Truth) -> ExperimentResult:
    """Exp-4 (Appendix I): 27 configurations against the full method."""
    tried = _possible(trials)
    refused = {one.name: why for one, why in tried if why}
    found = {one.name: truth.figures(trials.traces(one)) for one, why in tried if not why}
    full = next(iter(found.values()))
    rows = [_ablation_row(variant, found.get(variant.name), full) for variant, _ in tried]
    columns = ("group: variant", "macro-F1", "from", "to", "Δ", "BoN@N", "PUBLISHED macro-F1", "PUBLISHED Δ")
    sheet = Sheet(
        title="ablations (%): measured here, and published by the paper on VisualProcessBench", columns=columns,
        rows=tuple(rows), digits=2, note="A dash: " + "; ".join(sorted(set(refused.values()))) if refused else "",
    )  # fmt: skip
    shown = {name: triple for name, one in found.items() if (triple := percent(one.macro_f1)) is not None}
    return ExperimentResult(
        sheets=(sheet,), figure=bars(shown, "step macro-F1 (%)"), remarks=(_evidence_order(shown),),
        metrics={"figures": {name: asdict(one) for name, one in found.items()}, "not_possible": refused},
    )  # fmt: skip


def _possible(trials: Trials) -> list[tuple[Variant, str]]:
    """All variants, each with why it means nothing for this recipe's parts, if so.

    Of a trained extractor, which knows one form of answer only, no caption can be asked.
    """

    def refusal(variant: Variant) -> str:
        try:
            trials.check(variant)
        except ConfigError as error:
            return str(error).partition(";")[0]
        return ""

    captions = not refusal(Variant(name="caption", extractor={"variant": "caption"}))
    return [(variant, refusal(variant)) for variant in ablations(chat_extractor=captions)]


def _evidence_order(shown: Mapping[str, tuple[float, float, float]]) -> str:
    """Whether the evidence group comes in the paper's order, in words."""
    names = ("full", "caption-only", "none", "shuffled")
    values = [shown[name][0] for name in _EVIDENCE_ORDER if name in shown]
    if len(values) < len(names):
        return "The evidence group is not complete here."
    said = ", ".join(f"{name} {value:.2f}" for name, value in zip(names, values, strict=True))
    if all(a > b for a, b in pairwise(values)):
        return f"The evidence group comes in the paper's order: {said}."
    return f"The evidence group does not come in the paper's order (full > caption-only > none > shuffled): {said}."


def _ablation_row(variant: Variant, found: Figures | None, full: Figures) -> tuple[SheetCell, ...]:
    theirs = results.published_row("ablations", variant=variant.name)
    paper, change = (theirs["values"][-1], theirs["change"]) if theirs else (None, None)
    name = f"{variant.group}: {variant.name}"
    if found is None or found.macro_f1 is None or full.macro_f1 is None:
        return name, None, None, None, None, None, paper, change
    f1 = found.macro_f1
    cells = (100 * f1.value, 100 * f1.low, 100 * f1.high, 100 * (f1.value - full.macro_f1.value))
    return name, *cells, found.cells[1], paper, change


def _sensitivity_variants() -> dict[_Setting, Variant]:
    """τ with the paper's β, and a grid of both, for the paper's gate and its step-local form."""
    places = [*((tau, 10.0) for tau in _TAUS), *((tau, beta) for tau in _GRID_TAUS for beta in _BETAS)]
    settings = [(gate, tau, beta) for gate in _CURVED_GATES for tau, beta in places]
    methods = [dict(zip(("gate", "threshold", "sharpness"), one, strict=True)) for one in settings]
    return {one: Variant(name="{} {} {}".format(*one), method=of) for one, of in zip(settings, methods, strict=True)}


def _sensitivity(trials: Trials, truth: Truth) -> ExperimentResult:
    """Appendix C's table: τ with β = 10, then β, for the paper's gate and its step-local form; and a grid of both."""
    found = {key: truth.figures(trials.traces(variant)) for key, variant in _sensitivity_variants().items()}
    published = results.published_tables()["threshold"]
    theirs = dict(zip(published["tau"], published["macro_f1"], strict=True))
    rows = tuple(
        (f"{gate}, τ = {tau:g}", *found[gate, tau, 10.0].cells, theirs.get(tau) if gate == "sigmoid" else None)
        for gate in _CURVED_GATES
        for tau in _TAUS
    )
    first = Sheet(
        title="τ, with β = 10 (%)", columns=("gate and τ", "macro-F1", "BoN@N", "PUBLISHED macro-F1"), rows=rows,
        digits=2, note="The paper's gate is positive, so at θ = 0 macro-F1 cannot move with τ; rankings can.",
    )  # fmt: skip
    grid = Sheet(
        title="BoN@N (%) by τ and β, the paper's gate", columns=("τ", *(f"β = {beta:g}" for beta in _BETAS)), digits=2,
        rows=tuple((f"{tau:g}", *(found["sigmoid", tau, beta].cells[1] for beta in _BETAS)) for tau in _GRID_TAUS),
    )  # fmt: skip
    lines: dict[str, CurvePoints] = {}
    for gate in _CURVED_GATES:
        triples = [percent(found[gate, tau, 10.0].best_of_n) or (0.0, 0.0, 0.0) for tau in _TAUS]
        values, lows, highs = zip(*triples, strict=True)
        lines[gate] = _TAUS, values, lows, highs
    metrics = {str(key): asdict(one) for key, one in found.items()}
    return ExperimentResult(sheets=(first, grid), figure=curves(lines, "τ", "BoN@N (%)"), metrics=metrics)


def _aggregation(trials: Trials, truth: Truth) -> ExperimentResult:
    """Appendix E: five aggregations, under the paper's method and ours."""
    rows: list[tuple[SheetCell, ...]] = []
    picture = {}
    for variant in method_variants()[1:]:
        for name in AGGREGATIONS:
            settings = {**variant.method, "aggregation": name, "select": "score"}
            one = truth.figures(trials.traces(replace(variant, method=settings)))
            if one.best_of_n is not None and one.pass_at_1 is not None:
                chosen, label = 100 * one.best_of_n.value, f"{variant.name}: {name}"
                rows.append((label, 100 * one.pass_at_1, chosen, 100 * (one.best_of_n.value - one.pass_at_1)))
                picture[label] = chosen, chosen, chosen
    columns = ("method: aggregation", "Pass@1", "BoN@N", "Δ_N")
    ours = Sheet(title="aggregations (%), measured here", columns=columns, rows=tuple(rows), digits=2)
    figure = bars(picture, "BoN@N (%)")
    return ExperimentResult(sheets=(ours, results.published_aggregations()), metrics={"rows": ours.rows}, figure=figure)


def _gate_variants() -> list[Variant]:
    """Each gate with the paper's τ and β, under the paper's matching and ours."""
    curve = {name: settings_of(preset("paper"))[name] for name in ("threshold", "sharpness")}
    return [
        Variant(name=f"{matching} matching, gate {gate}", method={"matching": matching, "gate": gate, **curve})
        for matching in ("paper", "grounded")
        for gate in GATES
    ]


def _gates(trials: Trials, truth: Truth) -> ExperimentResult:
    """Off, the paper's gate, its step-local form, and the factor gate; matching as the paper's and as ours."""
    found = {variant.name: truth.figures(trials.traces(variant)) for variant in _gate_variants()}
    rows: tuple[tuple[SheetCell, ...], ...] = tuple((name, *one.cells) for name, one in found.items())
    sheet = Sheet(title="gates (%)", columns=("matching and gate", "macro-F1", "BoN@N"), rows=rows, digits=2)
    figures = {name: percent(one.macro_f1 or one.best_of_n) or (0.0, 0.0, 0.0) for name, one in found.items()}
    measure = "step macro-F1 (%)" if truth.labelled else "BoN@N (%)"
    return ExperimentResult(sheets=(sheet,), figure=bars(figures, measure), metrics={"rows": rows})


def _fidelity(trials: Trials, truth: Truth) -> ExperimentResult:
    """Appendix G: how faithful the constraints that were read are, by data set and category."""
    measured = measure_constraints(trials.stored, trials.gold, _TOLERANCE)
    ours = measured.sheets[0]
    last = {str(row[0]): float(row[-1] or 0.0) for row in ours.rows if not str(row[0]).startswith("total")}
    overall = {name.removesuffix(": overall"): (v, v, v) for name, v in last.items() if name.endswith(": overall")}
    return ExperimentResult(
        sheets=(ours, results.published_sheet("fidelity")), metrics=measured.metrics,
        figure=bars(overall, "F1 of the constraints read"),
        remarks=(f"Against gold, each fact found at most once; a value must be within {_TOLERANCE:.1%} of the printed one.",),
    )  # fmt: skip


def _checklist(trials: Trials, truth: Truth) -> ExperimentResult:
    """Appendix F: do candidates say when they look?"""
    measured = measure_checklists(trials.stored)
    return ExperimentResult(sheets=(*measured.sheets, results.published_sheet("checklist")), metrics=measured.metrics)


def _errors(trials: Trials, truth: Truth) -> ExperimentResult:
    """Why wrong steps are wrong, by the paper's taxonomy, and how our premise-or-reasoning diagnosis sees each type."""
    measured = measure_errors(trials.traces(READ), 0.0)
    parts = ("called premise", "called reasoning", "not found")
    rows = {}
    for (top, sub), row in zip(TAXONOMY.values(), measured.metrics["rows"], strict=True):
        if any(row[part] for part in parts):
            rows[f"{top.partition(' ')[0]}: {sub}" if sub else top] = [float(row[part] or 0) for part in parts]
    return ExperimentResult(
        sheets=measured.sheets, metrics=measured.metrics, figure=stacked_bars(rows, parts, "wrong steps"),
        remarks=("The paper's own distribution is a picture without numbers.",),
    )  # fmt: skip


def _cost(trials: Trials, truth: Truth) -> ExperimentResult:
    """Appendix H: what the stored run took per question, what these trials asked beyond it, and the formulas."""
    measured = measure_cost(trials.stored)
    asked = {stage: asdict(usage) for stage, usage in trials.usage.items()}
    if trials.judging_seconds:
        asked["one judging of all"] = {"seconds": sum(trials.judging_seconds) / len(trials.judging_seconds)}
    sheets = list(measured.sheets)
    if asked:
        title = f"asked or timed by these experiments, per question ({len(trials.judging_seconds)} judgings)"
        sheets.insert(1, cost_sheet(title, asked, len(trials.problems)))
    formulas = {"EVPV: 1 + T": measured.metrics["evpv"], "TIM-PRM: T + p·T": measured.metrics["tim_prm"]}
    parts, said = ("extractor", "judge", "tool"), "model calls per question, by formula"
    picture = stacked_bars({name: list(one.values()) for name, one in formulas.items()}, parts, said)
    return ExperimentResult(sheets=tuple(sheets), metrics={**measured.metrics, "asked": asked}, figure=picture)


_NEEDS: Mapping[str, tuple[Callable[[Trials, Truth], bool], str]] = {
    "labels": (lambda trials, truth: truth.labelled, "steps with `label` 1, 0 or -1"),
    "answers": (lambda trials, truth: truth.answered, "a gold `answer` for every problem, or `correct` on candidates"),
    "labels or answers": (lambda trials, truth: truth.labelled or truth.answered, "labelled steps or gold answers"),
    "gold": (lambda trials, truth: bool(trials.gold), "--gold: problems with their true `constraints`"),
    "checklists": (lambda trials, truth: truth.audited, "steps with `visual` true or false"),
    "error types": (lambda trials, truth: truth.typed, "wrong steps with `error` (`evpv figures`, `evpv classify`)"),
}
"""What an experiment can need → how to tell that it is there, and what to say where it is not."""


EXPERIMENTS: Mapping[str, Experiment] = {
    **main_results.EXPERIMENTS,
    "ablations": Experiment(
        "Exp-4: 27 ablations", _ablation, ("labels",), lambda trials: [one for one, why in _possible(trials) if not why]
    ),
    "sensitivity": Experiment(
        "Sensitivity to τ and β (Appendix C)", _sensitivity, ("answers",), lambda _: list(_sensitivity_variants().values())
    ),
    "aggregations": Experiment("Five aggregations (Appendix E)", _aggregation, ("answers",)),
    "gates": Experiment("Gates compared", _gates, ("labels or answers",), lambda trials: _gate_variants()),
    "fidelity": Experiment("Fidelity of constraints (Appendix G)", _fidelity, ("gold",), lambda trials: []),
    "checklist": Experiment("Checklist audit (Appendix F)", _checklist, ("checklists",), lambda trials: []),
    "errors": Experiment("Error attribution (Appendix D.5)", _errors, ("error types",)),
    "cost": Experiment("Cost (Appendix H)", _cost, (), lambda trials: []),
}  # fmt: skip
"""`cost` stands last, so that it sees what the others asked."""

_POLICY = "policy"
"""Asks a policy for new candidates, so it is never part of `all`."""


def choose_experiments(names: str, trials: Trials, truth: Truth) -> list[str]:
    """The experiments that are meant: one, several with commas between them, or all that there is the data for."""
    if names == "all":
        return possible_experiments(names, trials, truth)
    wanted, known = list(dict.fromkeys(name.strip() for name in names.split(","))), (*EXPERIMENTS, _POLICY)
    for name in wanted:
        if name not in known:
            raise unknown_name("experiment", name, (*known, "all"))
        if lacking := _lacking(name, trials, truth):
            raise ConfigError(f"the experiment {name!r} needs {lacking}.")
    return wanted


def possible_experiments(names: str, trials: Trials, truth: Truth) -> list[str]:
    """Of the experiments that are meant those that there is the data for, in the table's order."""
    wanted = EXPERIMENTS if names == "all" else {name.strip() for name in names.split(",")}
    return [name for name in EXPERIMENTS if name in wanted and not _lacking(name, trials, truth)]


def left_out(trials: Trials, truth: Truth) -> dict[str, str]:
    """What `all` does not run, and what it would need."""
    return {name: lacking for name in EXPERIMENTS if (lacking := _lacking(name, trials, truth))}


def _lacking(name: str, trials: Trials, truth: Truth) -> str:
    """What an experiment needs and has not, in words."""
    needs = EXPERIMENTS[name].needs if name in EXPERIMENTS else ("gold", "answers")
    return " and ".join(said for is_there, said in map(_NEEDS.__getitem__, needs) if not is_there(trials, truth))


def plan_experiments(trials: Trials, names: Sequence[str], count: int) -> CallPlan:
    """What running these experiments would ask, all together: nothing that two of them share is counted twice."""
    variants = [variant for name in names if name in EXPERIMENTS for variant in EXPERIMENTS[name].variants(trials)]
    plan = trials.plan(variants)
    if _POLICY not in names:
        return plan
    more = policy_plan(trials, count)
    return replace(
        plan, variants=plan.variants + more.variants, judgements=plan.judgements + more.judgements,
        sample_calls=more.sample_calls, unknown=more.unknown,
    )  # fmt: skip


def run_experiments(
    trials: Trials, truth: Truth, names: Sequence[str], folder: Path, count: int
) -> list[ExperimentResult]:
    """Run, and write each as soon as it is done; the parts that were asked are ended then."""
    found = []
    with closing(trials):
        for name in names:
            if name == _POLICY:
                result = policy_perception(trials, count)
            else:
                one = EXPERIMENTS[name]
                variants = one.variants(trials)
                plan = trials.plan(variants) if variants else None
                result = replace(one.run(trials, truth), name=name, title=one.title, plan=plan)
            write_result(result, folder)
            found.append(result)
    return found

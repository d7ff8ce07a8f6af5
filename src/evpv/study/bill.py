"""What a study will take, and what it took: calls, tokens, time, GPU-hours, money and disk by stage; plan against ledger."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evpv.evaluation.sheets import Sheet, SheetCell
from evpv.evaluation.step_metrics import groups_by
from evpv.study.graph import STAGES, Node
from evpv.study.plan import Plan
from evpv.study.rehearsal import Rehearsal, Tally, total
from evpv.study.running import DONE, Standing
from evpv.study.stages import STORE, Workshop

_PLANNED = "planned.json"
_KILOBYTE_ANSWER = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What one node takes: its tally, and the time, GPU-hours, money and disk that follow."""

    tally: Tally
    seconds: float
    gpu_hours: float
    money: float
    megabytes: float


def study_bill(workshop: Workshop, tallies: Mapping[str, Tally], stand: Mapping[str, Standing]) -> dict[str, Charge]:
    """A charge for each node that is not done; times of nodes that are serve as measured speeds for those like them."""
    nodes = workshop.graph.nodes
    done = [name for name, one in stand.items() if one.state == "done" and tallies[name].problems]
    measured = {
        key: sum(stand[name].seconds / tallies[name].problems for name in names) / len(names)
        for key, names in groups_by(done, lambda name: _part_key(nodes[name])).items()
    }
    left = {name: tally for name, tally in tallies.items() if stand[name].state != "done"}
    return {name: _charge(workshop.plan, nodes[name], tally, measured) for name, tally in left.items()}


def _part_key(node: Node) -> str:
    part = {"extract": node.cell.extractor, "sample": node.cell.policy}.get(node.stage, node.cell.judge)
    return f"{node.stage}:{part}"


def _charge(plan: Plan, node: Node, tally: Tally, measured: Mapping[str, float]) -> Charge:
    assumed, key = plan.assumed, _part_key(node)
    models = [plan.models[name] for name in dict.fromkeys(node.models)]
    speed = next((model.speed for model in models if model.speed), assumed.speed)
    known = measured.get(key, assumed.seconds.get(key))
    if known is not None:
        seconds = known * tally.problems
    elif tally.new or tally.passes:
        seconds = (tally.prompt_tokens + tally.pass_tokens) / speed[0] + tally.completion_tokens / speed[1]
    else:
        seconds = assumed.seconds.get(node.stage, 0.05) * tally.problems
    # the GPUs of its servers, one for passes here; somebody else's address costs none of ours
    served = sum(model.gpu_count for model in models if model.serve or model.use == "transformers-chat")
    gpus, money = served or int(bool(tally.passes)), 0.0
    for prices in (model.settings.get("prices") or {} for model in models):
        read = prices.get("prompt", 0) * tally.prompt_tokens
        money += float(read + prices.get("completion", 0) * tally.completion_tokens) / 1e6
    money += gpus * seconds / 3600 * assumed.gpu_hour
    runs = node.stage in ("extract", "judge", "assess")
    megabytes = (tally.problems * assumed.kilobytes * runs + tally.new * _KILOBYTE_ANSWER) / 1000
    return Charge(tally=tally, seconds=seconds, gpu_hours=gpus * seconds / 3600, money=money, megabytes=megabytes)


def bill_sheet(workshop: Workshop, charges: Mapping[str, Charge]) -> Sheet:
    groups: dict[tuple[str, str], list[str]] = {}
    for name in charges:
        stage, cell = workshop.graph.nodes[name].stage, workshop.graph.nodes[name].cell
        asked = {"sample": cell.policy, "extract": cell.extractor, "judge": cell.judge, "experiments": cell.judge}
        groups.setdefault((stage, asked.get(stage, "")), []).append(name)
    rows: list[tuple[SheetCell, ...]] = [
        (f"{stage}: {who}" if who else stage, *_sums([charges[name] for name in groups[stage, who]]))
        for stage, who in sorted(groups, key=lambda key: (STAGES.index(key[0]), key[1]))
    ]
    rows.append(("all", *_sums(charges.values())))
    columns = (
        "stage", "nodes", "calls", "passes", "tokens read", "of pictures", "written", "hours", "GPU-hours", "money", "GB",
    )  # fmt: skip
    told = [place for place in range(1, len(columns)) if any(row[place] not in (0, "0") for row in rows)]
    head, *cells = ((row[0], *(row[place] for place in told)) for row in (columns, *rows))
    title = f"what {workshop.plan.name} will take"
    return Sheet(title=title, columns=head, rows=tuple(cells), digits=2, note=_notes(workshop.plan, charges))  # type: ignore[arg-type]


def _short(value: float) -> str:
    """A count as people say it.

    >>> _short(12), _short(51_588), _short(2_281_000), _short(4.26e9)
    ('12', '51.6 k', '2.28 M', '4.26 G')
    """
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= size:
            return f"{value / min(size, 1e3 if letter == 'k' else size):.3g} {letter}"
    return f"{round(value)}"


def _sums(charges: Iterable[Charge]) -> tuple[int | float | str, ...]:
    listed = list(charges)
    tally = total(one.tally for one in listed)
    read = tally.prompt_tokens + tally.pass_tokens
    counts = (tally.new, tally.passes, read, tally.image_tokens, tally.completion_tokens)
    return (
        len(listed), *map(_short, counts), sum(one.seconds for one in listed) / 3600,
        sum(one.gpu_hours for one in listed), sum(one.money for one in listed), sum(one.megabytes for one in listed) / 1000,
    )  # fmt: skip


def _notes(plan: Plan, charges: Mapping[str, Charge]) -> str:
    said = sorted({one.tally.stands_in for one in charges.values() if one.tally.stands_in})
    known = [(f"{name} {{:g}}/{{:g}} on {m.gpu_count}", m.speed) for name, m in plan.models.items() if m.speed]
    speeds = known or [("{:g}/{:g} assumed", plan.assumed.speed)]
    parts = [f"Tokens a second read/written: {', '.join(words.format(*speed) for words, speed in speeds)}"]
    parts += [f"stand-ins of the plan's expected size for: {'; '.join(said)}"] if said else []
    return ". ".join(parts) + "."


def write_node_plan(workshop: Workshop, rehearsal: Rehearsal, node: Node) -> None:
    """Keep what a node is going to ask, now that what it needs is there; one that was begun keeps its first plan.

    What nodes with a plan asked counts as asked, whoever asked it: this study, or the one that was stopped before it.
    """
    path = workshop.place(node) / _PLANNED
    if node.models and not path.exists():
        rehearsal.go_through(one for one in workshop.graph.nodes.values() if (workshop.place(one) / _PLANNED).exists())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(rehearsal.tally(node))) + "\n", encoding="utf-8")


def ledger_sheet(workshop: Workshop) -> Sheet:
    """Plan against ledger by stage: what nodes were going to ask when they began, and what they were answered."""
    rows: list[tuple[Any, ...]] = []
    whole = [0.0] * 6
    for stage in STAGES:
        planned, asked = _both(workshop, stage)
        if not planned and not asked:
            continue
        tally = total(planned)
        kinds = ("calls", "hits", "prompt_tokens", "completion_tokens")
        booked = {key: sum(one.get(key, 0.0) for one in asked) for key in kinds}
        mine = (tally.questions, booked["calls"] + booked["hits"], tally.prompt_tokens, booked["prompt_tokens"],
                tally.completion_tokens, booked["completion_tokens"])  # fmt: skip
        whole = [a + b for a, b in zip(whole, mine, strict=True)]
        rows.append((stage, *map(round, mine), _ratio(mine)))
    rows.append(("all", *map(round, whole), _ratio(whole)))
    columns = ("stage", "planned", "put", "prompt planned", "booked", "answers planned", "booked", "ratio")
    stored = _stored_answers(workshop.folder / STORE)
    note = f"The store holds {stored} answers: what was put and was there already was not asked again. Ratio: tokens booked / planned."
    title = "plan against ledger: questions, tokens of prompts, tokens of answers"
    return Sheet(title=title, columns=columns, rows=tuple(rows), digits=4, note=note)


def _ratio(mine: Sequence[float]) -> float | None:
    planned = mine[2] + mine[4]
    return (mine[3] + mine[5]) / planned if planned else None


def _both(workshop: Workshop, stage: str) -> tuple[list[Tally], list[Mapping[str, float]]]:
    planned, asked = list[Tally](), list[Mapping[str, float]]()
    for node in workshop.graph.of(stage):
        place = workshop.place(node)
        if (place / _PLANNED).exists() and (place / DONE).exists():
            planned.append(Tally(**json.loads((place / _PLANNED).read_text(encoding="utf-8"))))
            asked += json.loads((place / DONE).read_text(encoding="utf-8"))["asked"].values()
    return planned, asked


def _stored_answers(path: Path) -> int:
    """How many answers a store holds: what was really asked, however often the study was broken off."""
    if not path.exists():
        return 0
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as store:
        return int(store.execute("SELECT COUNT(*) FROM answers").fetchone()[0])

"""Runs as training data: what people mended teaches the extractor, what solvers mended teaches the policy.

`extractor-pairs` are the extractor's preference pairs (C⁺ as mended, C⁻ as read), in the form that `evpv train preferences`
reads; `gold` are the mended problems with their true constraints, for `evpv evaluate --task constraints` and `rank
--recipe given`. `policy-dpo` and `policy-sft` are TRL's conversational forms of solutions before and after a revision;
`policy-revise` are the rounds themselves, which teach a solver to heed a remark that is right and to stand by what it saw.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evpv.backends.prompts import remarks_text
from evpv.errors import ConfigError, unknown_name
from evpv.language.answers import answer_key
from evpv.records import constraints_to_json, problem_to_json, read_traces, write_records
from evpv.records.corrections import CORRECTIONS_FILE, mended_constraints, read_corrections
from evpv.records.lines import JsonObject
from evpv.training.pictures import distance
from evpv.types import CandidateTrace, Constraint, Trace


def write_training_set(kind: str, run: Path, output: Path) -> int:
    """Write a run as one kind of training data, and return how many rows."""
    if kind not in _TRAINING_SETS:
        raise unknown_name("training set", kind, _TRAINING_SETS)
    output.parent.mkdir(parents=True, exist_ok=True)
    return write_records(output, _TRAINING_SETS[kind](run))


def _mended_problems(run: Path) -> Iterator[tuple[Trace, tuple[Constraint, ...], list[str]]]:
    """The problems that people mended: the trace as it was, the facts as they should be, and who says so."""
    file = run / CORRECTIONS_FILE
    if not file.exists():
        raise ConfigError(f"{run} has no {CORRECTIONS_FILE}: nobody has mended it (`evpv edit {run}`).")
    corrections = read_corrections(file)
    for trace in read_traces(run):
        made = corrections.get(trace.problem_id, ())
        if made:
            facts = mended_constraints(trace.constraints, [one.change for one in made])
            yield trace, facts, sorted({one.who for one in made})


def _extractor_pairs(run: Path) -> Iterator[JsonObject]:
    """A pair for each mended picture; one whose corrections undo each other teaches nothing and is left out."""
    for trace, facts, who in _mended_problems(run):
        margin = round(distance(trace.constraints, facts), 6)
        if not trace.problem.images or not facts or not margin:
            continue
        about = {"id": trace.problem_id, "image": _images(trace)[0], "question": trace.question}
        sides = {"chosen": constraints_to_json(facts), "rejected": constraints_to_json(trace.constraints)}
        yield {**about, **sides, "kind": "mended", "margin": margin, "who": who}


def _gold_problems(run: Path) -> Iterator[JsonObject]:
    for trace, facts, _ in _mended_problems(run):
        problem = problem_to_json(trace.problem)
        problem["image"] = _images(trace) or None
        yield {**problem, "constraints": constraints_to_json(facts)}


def _revised_candidates(run: Path) -> Iterator[tuple[Trace, CandidateTrace]]:
    """The candidates that their solver corrected until nothing in them was denied: what insists teaches nothing here."""
    for trace in read_traces(run):
        for candidate in trace.candidates:
            stances = [one.stance for one in candidate.candidate.revisions]
            denied = any(step.verdict == "contradicted" for step in candidate.steps)
            if stances and set(stances) == {"corrected"} and not denied:
                yield trace, candidate


def _policy_pairs(run: Path) -> Iterator[JsonObject]:
    """TRL's preference form. Both sides begin alike, up to the misread step, so that only what follows is learnt."""
    for trace, candidate in _revised_candidates(run):
        texts, revisions = _texts(candidate), candidate.candidate.revisions
        before, first = texts, min(one.first_step for one in revisions)
        for one in reversed(revisions):  # to the steps before the first round, by what each replaced
            before = [*before[: one.first_step], *one.before]
        yield {
            "id": f"{trace.problem_id}/{candidate.id}",
            "images": _images(trace),
            "prompt": _user_turn(trace),
            "chosen": _assistant_turn(texts, candidate.final_answer),
            "rejected": _assistant_turn(before, revisions[0].answer_before),
            "first_step": first,
            "misread": before[first],
            "mended": texts[first] if first < len(texts) else None,
        }


def _policy_solutions(run: Path) -> Iterator[JsonObject]:
    """TRL's form of conversations: the question, and the solution as it was mended."""
    for trace, candidate in _revised_candidates(run):
        messages = [*_user_turn(trace), *_assistant_turn(_texts(candidate), candidate.final_answer)]
        yield {"id": f"{trace.problem_id}/{candidate.id}", "images": _images(trace), "messages": messages}


def _policy_rounds(run: Path) -> Iterator[JsonObject]:
    """The last round of each candidate as a conversation: question, solution, remarks, and how the solver went on.

    Only rounds that end well: nothing is denied after a correction, an insistence gives the right answer, which must
    be known. The solver's turn is the JSON that `evpv revise` asks for.
    """
    for trace, candidate in _told_candidates(run):
        last, texts = candidate.candidate.revisions[-1], _texts(candidate)
        before = [*texts[: last.first_step], *last.before]
        new = candidate.candidate.steps[last.first_step :]
        written = [{"steptext": step.text, "visualdependency": step.claim} for step in new]
        reply = {"stance": last.stance, "reason": last.reason, "reasoningprocess": written}
        text = json.dumps({**reply, "finalanswer": candidate.final_answer}, ensure_ascii=False)
        told = {"role": "user", "content": [{"type": "text", "text": remarks_text(last.told)}]}
        answer = {"role": "assistant", "content": [{"type": "text", "text": text}]}
        yield {
            "id": f"{trace.problem_id}/{candidate.id}",
            "images": _images(trace),
            "messages": [*_user_turn(trace), *_assistant_turn(before, last.answer_before), told, answer],
            "stance": last.stance,
            "first_step": last.first_step,
        }


def _told_candidates(run: Path) -> Iterator[tuple[Trace, CandidateTrace]]:
    """The candidates that were told of a premise and went on well."""
    yield from _revised_candidates(run)
    for trace in read_traces(run):
        gold = trace.problem.answer
        for candidate in trace.candidates if gold is not None else ():
            key = answer_key(candidate.final_answer, trace.problem.options)
            insisted = [one.stance for one in candidate.candidate.revisions][-1:] == ["insisted"]
            if insisted and key == answer_key(gold, trace.problem.options):
                yield trace, candidate


def _texts(candidate: CandidateTrace) -> list[str]:
    return [step.text for step in candidate.steps]


def _images(trace: Trace) -> list[str]:
    return [str(Path(image).resolve()) for image in trace.problem.images]


def _user_turn(trace: Trace) -> list[JsonObject]:
    question = "\n".join([trace.question, *trace.problem.options])
    parts: list[dict[str, Any]] = [{"type": "image"} for _ in trace.problem.images]
    return [{"role": "user", "content": [*parts, {"type": "text", "text": question}]}]


def _assistant_turn(steps: Sequence[str], answer: str | None) -> list[JsonObject]:
    text = "\n".join([*steps, *([] if answer is None else [f"Answer: {answer}"])])
    return [{"role": "assistant", "content": [{"type": "text", "text": text}]}]


_TRAINING_SETS: Mapping[str, Callable[[Path], Iterator[JsonObject]]] = {
    "extractor-pairs": _extractor_pairs,
    "gold": _gold_problems,
    "policy-dpo": _policy_pairs,
    "policy-revise": _policy_rounds,
    "policy-sft": _policy_solutions,
}

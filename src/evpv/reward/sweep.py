"""Many gate settings over stored traces at once: what depends on β and τ alone is computed in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from evpv.errors import ConfigError
from evpv.premises.reliability import EPSILON, reliability
from evpv.types import CandidateTrace, Trace

_Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sweep:
    """Scores under each setting: `scores[i, k]` is candidate k of all traces, in order, under `settings[i]` (β, τ)."""

    settings: tuple[tuple[float, float], ...]
    candidate_ids: tuple[tuple[str, str], ...]
    scores: _Floats


def sweep_gate(traces: Sequence[Trace], settings: Sequence[tuple[float, float]], *, step_local: bool = False) -> _Sweep:
    """The geometric-mean scores (Eq. 12) of stored traces under many (β, τ) of the sigmoid gate (Eqs. 9, 10).

    Matches and reliabilities are taken from the traces, so they must have been made with the matching that is meant.
    `step_local` takes each step's own reliability (gate `local`) instead of its candidate's (gate `sigmoid`).
    """
    candidates = [(trace.problem_id, candidate) for trace in traces for candidate in trace.candidates]
    base, trusted, counts = _columns([candidate for _, candidate in candidates], step_local)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.intp)
    scores = np.empty((len(settings), len(candidates)))
    for row, (sharpness, threshold) in enumerate(settings):
        gate = 1.0 / (1.0 + np.exp(np.clip(-sharpness * (trusted - threshold), -700.0, 700.0)))
        logs = np.log(EPSILON + (np.where(np.isnan(trusted), base, gate * base) + 1.0) / 2.0)
        scores[row] = np.exp(np.add.reduceat(logs, starts) / counts)
    ids = tuple((problem, candidate.id) for problem, candidate in candidates)
    return _Sweep(settings=tuple(settings), candidate_ids=ids, scores=scores)


def _columns(candidates: Sequence[CandidateTrace], step_local: bool) -> tuple[_Floats, _Floats, _Floats]:
    """Base rewards and reliabilities of all steps in one column each, and how many steps each candidate has.

    A reliability of NaN marks a step that no gate touches. A candidate without judged steps counts as one neutral step.
    """
    rows = [_rows(candidate, step_local) or [(0.0, None)] for candidate in candidates]
    if not rows:
        raise ConfigError("there are no candidates to sweep over.")
    columns = np.array([row for steps in rows for row in steps], dtype=np.float64)  # None becomes NaN
    return columns[:, 0], columns[:, 1], np.array([len(steps) for steps in rows], dtype=np.float64)


def _rows(candidate: CandidateTrace, step_local: bool) -> list[tuple[float, float | None]]:
    """The base reward of each judged step, and the reliability that its gate goes by."""
    matches = [step.match for step in candidate.steps]
    whole = reliability([match.support for match in matches if match is not None])
    trusts = (
        [step.reliability for step in candidate.steps]
        if step_local
        else [None if m is None else whole for m in matches]
    )
    pairs = zip(candidate.steps, trusts, strict=True)
    return [(step.base_reward, trust) for step, trust in pairs if step.base_reward is not None]

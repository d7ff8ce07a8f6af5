"""Errors that later steps inherit: a step right in itself that uses a result reached by an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evpv.judges.checks.findings import FAULTS, Finding
from evpv.judges.checks.history import History
from evpv.judges.checks.readings import Reading
from evpv.language.evaluation import show
from evpv.language.expressions import Number, walk

_WRONG_RULES = ("formula-wrong", "method-wrong", "definition-wrong")


def check_inheritance(step: int, reading: Reading, history: History) -> Iterator[Finding]:
    """Whether the step uses a number that an earlier step reached by an error."""
    if history.wrong_rule is not None and reading.chains:
        explanation = f"it follows step {history.wrong_rule}, which states a wrong rule"
        yield Finding(kind="inherited", explanation=explanation, step=step)
        history.wrong_rule = None
        return
    used = next((quantity for quantity in reading.quantities if quantity in history.wrong_values), None)
    if used is not None:
        source = history.wrong_values[used]
        explanation = f"it uses {show(used)}, which step {source} reached by an error"
        yield Finding(kind="inherited", explanation=explanation, step=step)


def note_wrong_results(step: int, reading: Reading, findings: Sequence[Finding], history: History) -> None:
    """Remember the results of a step with a fault, or of one that inherits a fault; numbers known before are spared."""
    if not any(finding.kind in FAULTS or finding.kind == "inherited" for finding in findings):
        return
    if not reading.chains and any(finding.kind in _WRONG_RULES for finding in findings):
        history.wrong_rule = step
    known = history.numbers
    for chain in reading.chains:
        last = chain.parts[-1].tree
        numbers = [part.value for part in walk(last) if isinstance(part, Number)] if last is not None else []
        if len(numbers) == 1 and numbers[0] not in known:
            history.wrong_values.setdefault(numbers[0], step)

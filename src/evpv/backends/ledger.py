"""What asking cost, by stage and by problem, and a budget that is not passed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from threading import Condition
from typing import Any

from evpv.errors import BudgetError, ConfigError
from evpv.protocols import ChatBackend, ChatReply, ChatRequest, Usage, description_of, version_of

Arrival = tuple[int, ChatReply]
"""The place of a request in its batch, and the reply to it."""


def stream(backend: ChatBackend, requests: Sequence[ChatRequest]) -> Iterator[Arrival]:
    """Replies as they come, or all at the end from a backend that answers only whole batches."""
    as_they_come = description_of(backend).stream
    return iter(enumerate(backend.ask(requests))) if as_they_come is None else as_they_come(requests)


def in_order(arrivals: Iterator[Arrival], count: int) -> list[ChatReply]:
    """The replies in the order of their requests, each exactly once."""
    replies = dict(arrivals)
    return [replies[index] for index in range(count)]


def identity(backend: ChatBackend) -> str:
    """The model's name, with how pictures are sent to it and the like where the backend says so.

    >>> from evpv.backends.scripted import ScriptedBackend
    >>> identity(ScriptedBackend([], name="a-model"))
    'a-model'
    """
    return f"{backend.name} {version_of(backend)}".rstrip()


def part_version(kind: str, backend: ChatBackend, *decides: Any) -> str:
    """What identifies the answers of a part that asks: its kind, the model, and a digest of all else that decides them."""
    digest = sha256(json.dumps([identity(backend), *decides], sort_keys=True).encode()).hexdigest()[:16]
    return f"{kind}-{backend.name}-{digest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million tokens cost, in whatever currency the budget is in."""

    prompt: float = 0.0
    completion: float = 0.0

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Money for so many tokens.

        >>> Prices(prompt=2.5, completion=10.0).cost(1000, 100)
        0.0035
        """
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1_000_000


class Ledger:
    """Sums of usage per stage and per problem, kept by any number of threads.

    `budget` is the most that may be spent. Money is set aside for a question before it is asked, as much as it could
    cost at worst, and given back when the true cost is known: so the budget is never passed, and questions already
    asked are finished and counted.
    """

    def __init__(self, *, budget: float | None = None) -> None:
        if budget is not None and not budget >= 0:
            raise ConfigError(f"a budget is an amount of money, not {budget}.")
        self.budget = budget
        self._stages: dict[str, Usage] = {}
        self._problems: defaultdict[str, dict[str, Usage]] = defaultdict(dict)
        self._reserved = 0.0
        self._spent = 0.0
        self._change = Condition()

    def add(self, request: ChatRequest, usage: Usage, reserved: float = 0.0) -> None:
        """Book what one reply cost to the stage and the problem that asked, and give back what was set aside for it."""
        with self._change:
            self._spent += usage.money
            for page in (self._stages, self._problems[request.problem_id]) if request.problem_id else (self._stages,):
                page[request.stage] = usage_sum((page.get(request.stage, Usage()), usage))
        self.release(reserved)

    def stages(self) -> dict[str, Usage]:
        with self._change:
            return dict(self._stages)

    def total(self) -> Usage:
        return usage_sum(self.stages().values())

    def take(self, problem_id: str) -> dict[str, Usage]:
        """What a problem has cost per stage, handed over once: what comes later is counted from nothing.

        The sums per stage stay; only the problem's own entry goes, so that memory does not grow with their number.
        """
        with self._change:
            return self._problems.pop(problem_id, {})

    def reserve(self, costs: Sequence[float]) -> int:
        """Set aside money for as many of these questions, from the first on, as the budget allows at worst.

        Where it allows none, it waits for what other threads have in flight, and raises `BudgetError` once there is
        nothing left to wait for.
        """
        if self.budget is None or not costs:
            return len(costs)
        with self._change:
            while not (granted := self._affordable(costs)):
                if not self._reserved:
                    raise BudgetError(
                        f"the budget of {self.budget:g} stops here: {self._spent:g} is spent, "
                        f"and the next question could cost {costs[0]:g}"
                    )
                self._change.wait()
            self._reserved += sum(costs[:granted])
            return granted

    def release(self, reserved: float) -> None:
        with self._change:
            left = self._reserved - reserved
            self._reserved = left if left > 1e-12 else 0.0  # sums of floats do not cancel exactly
            self._change.notify_all()

    def _affordable(self, costs: Sequence[float]) -> int:
        free = (self.budget or 0.0) - self._spent - self._reserved
        for count, cost in enumerate(costs):
            if cost > free:
                return count
            free -= cost
        return len(costs)


def booked_stream(backend: ChatBackend, ledger: Ledger, requests: Sequence[ChatRequest]) -> Iterator[Arrival]:
    """A backend's replies as they come, booked in a ledger before they are handed over, and held to its budget.

    Far from the budget a batch is asked as one. Near it, only as many questions as could be paid at worst are asked at
    a time; when not even one could be, `BudgetError` ends the batch after the replies in flight have been booked.
    """
    worst_cost = description_of(backend).worst_cost
    costs = [worst_cost(request) if ledger.budget is not None else 0.0 for request in requests]
    start = 0
    while start < len(requests):
        granted = ledger.reserve(costs[start:])
        waiting = set(range(start, start + granted))
        try:
            for index, reply in stream(backend, requests[start : start + granted]):
                place = start + index
                waiting.discard(place)
                ledger.add(requests[place], reply.usage, costs[place])
                yield place, reply
        finally:
            for place in waiting:
                ledger.release(costs[place])
        start += granted


def usage_sum(usages: Iterable[Usage]) -> Usage:
    listed = list(usages)
    totals: dict[str, Any] = {name: sum(getattr(usage, name) for usage in listed) for name in Usage.__slots__}
    return Usage(**totals)


def usage_to_json(stages: Mapping[str, Usage]) -> dict[str, dict[str, float]]:
    """Usage per stage as plain values, for a trace or a manifest; what is nought is left out."""
    return {
        stage: {name: round(value, 6) for name, value in asdict(usage).items() if value}
        for stage, usage in stages.items()
    }

"""From an engine's name to an engine that is about to run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Literal, Protocol

from evpv.assembly import missing_extra
from evpv.engines.local import LocalEngine
from evpv.engines.planning import Job, Receipt
from evpv.engines.work import Order
from evpv.errors import ConfigError
from evpv.records.trace_files import ShardForm, TraceLine

_EngineName = Literal["local", "ray"]


class Engine(Protocol):
    """Does groups of problems, and hands each trace to `store` or keeps it itself, in shards, before its receipt comes."""

    @property
    def version(self) -> str: ...

    def run(
        self, groups: list[Job], store: Callable[[TraceLine], None], suspects: frozenset[str] = frozenset()
    ) -> Iterator[Receipt]: ...


def start_engine(
    name: _EngineName, order: Order, workers: int, shards: ShardForm | None = None
) -> AbstractContextManager[Engine]:
    """The engine of that name."""
    order = with_shared_budget(order, workers)
    if name == "local":
        if shards is not None:
            raise ConfigError("--shards is for --engine ray; the local engine writes one file.")
        return LocalEngine(order, workers=workers)
    try:  # here and not above, so that runs on one machine need no Ray
        from evpv.engines.ray_data import RayEngine
    except ModuleNotFoundError as error:
        raise missing_extra("--engine ray", error) from error
    return RayEngine(order, workers=workers, form=shards or "jsonl")


def with_shared_budget(order: Order, workers: int) -> Order:
    """The order with what each worker may spend: its share, so that together they cannot pass the budget."""
    if order.recipe.budget is None:
        return order
    return replace(order, recipe=replace(order.recipe, budget=order.recipe.budget / workers))

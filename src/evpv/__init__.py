"""Verifies what a vision-language solution says it sees, before trusting how it reasons.

The names below are the public face. They are loaded when first used, so that `import evpv` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from evpv.assembly import Verifier
    from evpv.client import Client
    from evpv.errors import EvpvError
    from evpv.premises.claims import parse
    from evpv.premises.matching.grounded import grounded_matcher
    from evpv.premises.matching.paper import paper_matcher
    from evpv.premises.reliability import reliability
    from evpv.records import read_problems, read_traces
    from evpv.reward.assess import assess, reassess
    from evpv.reward.method import Method, preset
    from evpv.types import Candidate, Constraint, Match, Numeric, Problem, Relation, Step, Structure, Trace

_HOMES = {
    "evpv.assembly": ("Verifier",),
    "evpv.client": ("Client",),
    "evpv.errors": ("EvpvError",),
    "evpv.premises.claims": ("parse",),
    "evpv.premises.matching.grounded": ("grounded_matcher",),
    "evpv.premises.matching.paper": ("paper_matcher",),
    "evpv.premises.reliability": ("reliability",),
    "evpv.records": ("read_problems", "read_traces"),
    "evpv.reward.assess": ("assess", "reassess"),
    "evpv.reward.method": ("Method", "preset"),
    "evpv.types": (
        "Candidate", "Constraint", "Match", "Numeric", "Problem", "Relation", "Step", "Structure", "Trace",
    ),
}  # fmt: skip

__all__ = [
    "Candidate", "Client", "Constraint", "EvpvError", "Match", "Method", "Numeric", "Problem", "Relation", "Step",
    "Structure", "Trace", "Verifier", "assess", "grounded_matcher", "paper_matcher", "parse", "preset", "read_problems",
    "read_traces", "reassess", "reliability",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'evpv' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])

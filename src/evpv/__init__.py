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

_HOME = {
    "Candidate": "evpv.types",
    "Client": "evpv.client",
    "Constraint": "evpv.types",
    "EvpvError": "evpv.errors",
    "Match": "evpv.types",
    "Method": "evpv.reward.method",
    "Numeric": "evpv.types",
    "Problem": "evpv.types",
    "Relation": "evpv.types",
    "Step": "evpv.types",
    "Structure": "evpv.types",
    "Trace": "evpv.types",
    "Verifier": "evpv.assembly",
    "assess": "evpv.reward.assess",
    "grounded_matcher": "evpv.premises.matching.grounded",
    "paper_matcher": "evpv.premises.matching.paper",
    "parse": "evpv.premises.claims",
    "preset": "evpv.reward.method",
    "read_problems": "evpv.records",
    "read_traces": "evpv.records",
    "reassess": "evpv.reward.assess",
    "reliability": "evpv.premises.reliability",
}

__all__ = [
    "Candidate",
    "Client",
    "Constraint",
    "EvpvError",
    "Match",
    "Method",
    "Numeric",
    "Problem",
    "Relation",
    "Step",
    "Structure",
    "Trace",
    "Verifier",
    "assess",
    "grounded_matcher",
    "paper_matcher",
    "parse",
    "preset",
    "read_problems",
    "read_traces",
    "reassess",
    "reliability",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'evpv' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])

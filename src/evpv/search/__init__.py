"""Solutions written under guidance: a policy proposes, gated rewards choose, and the trace is the same as for any run."""

from evpv.search.revision import Reviser
from evpv.search.strategies import BeamSearch, BestOfN, StepPolicy

__all__ = ["BeamSearch", "BestOfN", "Reviser", "StepPolicy"]

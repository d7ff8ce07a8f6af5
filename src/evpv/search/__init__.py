"""Solutions written under guidance: a policy proposes, gated rewards choose, and the trace is the same as for any run."""

from evpv.search.beam import BeamSearch, StepPolicy
from evpv.search.best_of_n import BestOfN
from evpv.search.revision import Reviser

__all__ = ["BeamSearch", "BestOfN", "Reviser", "StepPolicy"]

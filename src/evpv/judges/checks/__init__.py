"""A step judge without a model: what a careful reader can check with pencil and paper."""

from evpv.judges.checks.judge import ChecksJudge
from evpv.judges.checks.observations import Observation

__all__ = ["ChecksJudge", "Observation"]

"""A step judge without a model: what a careful reader can check with pencil and paper."""

from evpv.judges.checks.findings import Finding
from evpv.judges.checks.judge import ChecksJudge

__all__ = ["ChecksJudge", "Finding"]

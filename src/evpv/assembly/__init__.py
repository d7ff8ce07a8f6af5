"""Names in a recipe → live objects."""

from evpv.assembly.plugins import EXTRAS, PLUGINS, build, build_part, missing_extra
from evpv.assembly.verifier import Ranked, Verifier

__all__ = ["EXTRAS", "PLUGINS", "Ranked", "Verifier", "build", "build_part", "missing_extra"]

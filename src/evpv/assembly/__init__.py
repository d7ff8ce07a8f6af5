"""Names in a recipe → live objects."""

from evpv.assembly.builder import EXTRAS, PLUGINS, Builder, build, build_part, first_question, missing_extra
from evpv.assembly.verifier import Mender, Ranked, Verifier

__all__ = [
    "EXTRAS", "PLUGINS", "Builder", "Mender", "Ranked", "Verifier", "build", "build_part", "first_question", "missing_extra",
]  # fmt: skip

"""Names in a recipe → live objects."""

from evpv.assembly.builder import EXTRAS, PLUGINS, Builder, build, build_part, first_question, missing_extra
from evpv.assembly.verifier import Corrector, Ranked, Verifier

__all__ = [
    "EXTRAS", "PLUGINS", "Builder", "Corrector", "Ranked", "Verifier", "build", "build_part", "first_question", "missing_extra",
]  # fmt: skip

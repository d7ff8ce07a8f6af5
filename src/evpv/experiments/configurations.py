"""The paper's 27 ablations by their own names, and the full method they are held against (Appendix I).

The paper names them without defining all of them. What we take them to mean: *Evidence type* changes the constraints
themselves, for judge and gate alike; *Modality* changes what the judge is shown, the gate keeps its constraints; *Compound*
does both. “w/o constraints” shows the judge an empty list, “w/o vision JSON” shows it none.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from evpv.experiments.corruption import Constraints, drop_facts, flip_fields, shuffle_values
from evpv.experiments.variants import Variant
from evpv.types import Numeric, Relation, Structure

_DROPPED = 0.8
_NOISE = 0.5


def nothing(constraints: Constraints, rng: random.Random) -> Constraints:
    return ()


def shuffle(constraints: Constraints, rng: random.Random) -> Constraints:
    return shuffle_values(constraints, rng).constraints


def drop(constraints: Constraints, rng: random.Random) -> Constraints:
    return drop_facts(constraints, _DROPPED, rng).constraints


def caption(constraints: Constraints, rng: random.Random) -> Constraints:
    """The facts as prose in one constraint of type "caption": there to be read, but not to be matched."""
    said = []
    for one in constraints:
        if isinstance(one, Numeric):
            said.append(f"{one.entity} has {one.attribute} {one.value:g}{f' {one.unit}' if one.unit else ''}.")
        elif isinstance(one, Relation):
            said.append(f"{' and '.join(one.entities)} are {one.type}.")
        else:
            said.append(f"There is a {one.type} of {', '.join(one.parts)}.")
    return (Structure(type="caption", parts=(" ".join(said),)),) if said else ()


def _noisy_caption(constraints: Constraints, rng: random.Random) -> Constraints:
    return caption(flip_fields(constraints, _NOISE, rng).constraints, rng)


def ablations(*, chat_extractor: bool) -> list[Variant]:
    """The full method, then its 27 variants. A prompted extractor is asked for captions; others' facts are put in prose."""
    captioned = {"extractor": {"variant": "caption"}} if chat_extractor else {"spoil": caption, "spoil_name": "caption"}
    none = {"spoil": nothing, "spoil_name": "nothing"}
    mixed = {"spoil": shuffle, "spoil_name": "shuffled"}
    judge, eyes = "Judge prompt", "Vision decoding"
    made: list[tuple[str, str, Mapping[str, object]]] = [
        ("Full Method", "Full (EVPV + gating)", {}),
        ("Evidence type", "w/o structured facts (caption-only)", captioned),
        ("Evidence type", "w/o constraints (facts = ∅)", none),
        ("Evidence type", "w/ shuffled facts (structure corrupted)", mixed),
        ("Evidence type", "w/ noise caption only", {"spoil": _noisy_caption, "spoil_name": "noisy caption"}),
        ("Evidence type", "Short vision prompt", {"extractor": {"variant": "short"}}),
        ("Evidence type", "w/ drop-facts corruption", {"spoil": drop, "spoil_name": f"dropped {_DROPPED}"}),
        ("Modality", "w/o vision (text-only judge, keep JSON)", {"judge": {"text_only": True}}),
        ("Modality", "w/o vision & w/o JSON (text-only)", {"judge": {"text_only": True, "evidence": False}}),
        ("Modality", "w/o vision JSON (keep image)", {"judge": {"evidence": False}}),
        (judge, "Lenient judge prefix", {"judge": {"prefix": "lenient"}}),
        (judge, "No-vision judge prefix", {"judge": {"prefix": "no-vision"}}),
        (judge, "Judge temperature 0.2", {"judge": {"temperature": 0.2, "seed": 0}}),
        (judge, "Judge temperature 0.5", {"judge": {"temperature": 0.5, "seed": 0}}),
        ("History length", "History: none", {"judge": {"history": "none"}}),
        ("History length", "History: last 1 step", {"judge": {"history": 1}}),
        ("History length", "History: last 2 steps", {"judge": {"history": 2}}),
        ("History length", "History: last 4 steps", {"judge": {"history": 4}}),
        ("History length", "History: last 8 steps", {"judge": {"history": 8}}),
        (eyes, "Vision temperature 0.0", {"extractor": {"temperature": 0.0}}),
        (eyes, "Vision temperature 0.5", {"extractor": {"temperature": 0.5, "seed": 0}}),
        (eyes, "Vision top-p 0.7", {"extractor": {"top_p": 0.7}}),
        ("Parse-failure", "Parse fail → +1", {"judge": {"unreadable": "plus-one"}}),
        ("Parse-failure", "Parse fail → random", {"judge": {"unreadable": "random"}}),
        ("Parse-failure", "Parse fail → -1 (default)", {"judge": {"unreadable": "minus-one"}}),
        ("Compound", "No vision JSON + text-only judge", {"judge": {"text_only": True, "evidence": False}, **none}),
        ("Compound", "Caption-only + no image in judge", {"judge": {"text_only": True}, **captioned}),
        ("Compound", "Shuffled facts + lenient judge", {"judge": {"prefix": "lenient"}, **mixed}),
    ]
    return [Variant(group=group, name=name, **settings) for group, name, settings in made]  # type: ignore[arg-type]

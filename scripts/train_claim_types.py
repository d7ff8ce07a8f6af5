"""Trains the linear classifier of claim types on sentences made from the schema's vocabulary, and writes its weights.

usage: train_claim_types.py [--cases FILE.jsonl …]     cases with a `type` are only measured on, never trained on

The grammar of `evpv.premises.parsing` takes the regular claims; this classifier speaks for the rest. Its weights are a
readable module, src/evpv/premises/claim_weights.py, because the pure packages read no files.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from evpv.premises.claim_types import TYPES, features

OUTPUT = Path(__file__).parents[1] / "src" / "evpv" / "premises" / "claim_weights.py"
SMALLEST_WEIGHT = 0.12
PER_TYPE = 1500

THINGS = "table chart graph figure diagram picture drawing image plot pie-chart bar-chart line-graph number-line grid map".split()
SHAPES = "cone cylinder sphere hemisphere cube prism pyramid rectangle square triangle circle semicircle trapezoid box ring hexagon".split()
OBJECTS = "bar line curve slice sector column row point hand arrow label segment angle side vertex region block frame dial pointer".split()
NAMES = "Germany France Monday Tuesday Anna Ben apples pears rainfall revenue visitors tickets winter spring coal oil".split()
LABELS = "AB CD EF PQ XY MN".split()
UNITS = ["cm", "m", "degrees", "%", "dollars", "minutes", "units", "million euros", "kg", "points"]
MEASURES = (
    "length height radius diameter width angle value share price score frequency temperature total distance".split()
)

TEMPLATES = {
    "numeric": [
        "The {measure} of the {shape} is {n} {unit}.",
        "{label} measures {n} {unit}.",
        "The {object} for {name} shows {n}.",
        "{name} has a {measure} of {n} {unit}.",
        "There are {n} {object}s.",
        "In {year}, {name} reached {n} {unit}.",
        "The {object} points to {n}.",
        "{n} {unit} were recorded for {name}.",
        "{name} costs {n} {unit}.",
        "The graph crosses the axis at {n}.",
    ],
    "relation": [
        "{label} is parallel to {label2}.",
        "{label} and {label2} are perpendicular.",
        "{name} is higher than {name2}.",
        "{name} has the most {object}s.",
        "The {object} of {name} is longer than that of {name2}.",
        "{name} and {name2} are the same.",
        "Point P lies on the {shape}.",
        "The {shape} touches the {shape2}.",
        "{name} increased from {year} to {year2}.",
        "The {shape} is inside the {shape2}.",
        "{label} bisects the angle.",
        "The lowest {object} is {name}.",
        "{name} stands next to {name2}.",
        "{name} ranks ahead of {name2}.",
        "The two {object}s are congruent.",
        "{name} comes before {name2}.",
        "The {object} meets the {object2} at a point.",
        "{name} equals {name2}.",
    ],
    "structure": [
        "The {thing} has columns for {name} and {name2}.",
        "The figure is a {shape} with a {shape2} on top.",
        "A {shape} is attached to a {shape2}.",
        "The solid consists of a {shape} and a {shape2}.",
        "The {thing} lists {name} and {name2}.",
        "The {thing} is divided into {name}, {name2} and others.",
        "A {shape} is cut out of the {shape2}.",
        "The {thing} shows a sequence of {object}s.",
        "The {shape} has a {object} at the bottom and a {object2} above it.",
        "The face is round with a {object} and a {object2} below it.",
        "The {thing} groups the {object}s by {name} and {name2}.",
        "The {shape} is made of a {object}, a {object2} and a frame.",
        "There is a {shape} to the left of a {shape2}.",
        "The legend names {name} and {name2}.",
        "The {thing} consists of a left {object} and a right {object2}.",
        "The {object}s form a {shape}.",
        "The three {object}s make up one {shape}.",
    ],
    "unclassifiable": [
        "The {thing} is {vague}.",
        "This {thing} looks {vague}.",
        "Let us look at the {thing}.",
        "We need to find the {measure}.",
        "I will use the formula.",
        "The question asks about the {measure}.",
        "It is {vague} to read the {thing} first.",
        "The {thing} helps us to see the answer.",
        "{name} is a {vague} topic.",
        "The {thing} gives some information about {name}.",
        "We can now solve the problem.",
        "The {shape} seems {vague}.",
        "A {shape} is a common shape in geometry.",
        "The {measure} is needed for the answer.",
        "To answer this, we study the {thing}.",
        "The {thing} provides an overview of {name}.",
        "Next, apply the theorem.",
        "The data are {vague}.",
        "Someone drew the {thing} by hand.",
        "Many people like {name}.",
        "The colours of the {thing} are {vague}.",
        "The answer follows from the {thing}.",
        "Overall, things look {vague}.",
        "Mathematics can be {vague}.",
        "The lines of the {thing} are {vague}.",
        "This tells us what to do.",
        "The relevant information is in the {thing}.",
        "The {thing} was made for a school book.",
        "Each {object} matters.",
        "There is a {vague} {thing} here.",
        "The {thing} summarises a survey.",
    ],
}
VAGUE = ("interesting clear helpful complicated nice useful simple important confusing ordinary colourful easy difficult informative neat thin "
         "cluttered typical unusual remarkable beautiful ambiguous small-scale self-explanatory").split()  # fmt: skip


def sentence(rng: random.Random, template: str) -> str:
    """A template with its places filled from the vocabulary."""

    def two(words: list[str]) -> list[str]:
        return rng.sample(words, 2)

    (name, name2), (shape, shape2), (obj, obj2), (label, label2) = two(NAMES), two(SHAPES), two(OBJECTS), two(LABELS)
    return template.format(
        name=name, name2=name2, shape=shape, shape2=shape2, object=obj, object2=obj2, label=label, label2=label2,
        thing=rng.choice(THINGS).replace("-", " "), measure=rng.choice(MEASURES), unit=rng.choice(UNITS), vague=rng.choice(VAGUE),
        n=rng.choice([rng.randint(2, 400), round(rng.uniform(1, 90), 1)]), year=rng.randint(1990, 2010), year2=rng.randint(2011, 2022),
    )  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--cases", nargs="*", type=Path, default=[])
    cases = arguments.parse_args().cases
    rng = random.Random(0)
    rows = [(sentence(rng, rng.choice(TEMPLATES[kind])), kind) for kind in TYPES for _ in range(PER_TYPE)]
    rng.shuffle(rows)
    held_out = len(rows) // 5
    vectorizer = DictVectorizer()
    data = vectorizer.fit_transform([dict.fromkeys(features(text), 1.0) for text, _ in rows])
    model = LogisticRegression(C=0.5, max_iter=2000).fit(data[held_out:], [kind for _, kind in rows[held_out:]])
    order = [list(model.classes_).index(kind) for kind in TYPES]
    weights = {
        str(name): tuple(round(float(w), 2) for w in model.coef_[order, column])
        for column, name in enumerate(vectorizer.get_feature_names_out())
        if np.abs(model.coef_[:, column]).max() >= SMALLEST_WEIGHT
    }
    bias = tuple(round(float(b), 2) for b in model.intercept_[order])
    write(weights, bias, model.score(data[:held_out], [kind for _, kind in rows[:held_out]]))
    for path in cases:
        measure(path)


def write(weights: dict[str, tuple[float, ...]], bias: tuple[float, ...], accuracy: float) -> None:
    lines = [
        '"""Weights of the claim type classifier, written by scripts/train_claim_types.py.',
        "",
        f"Accuracy on held-out made sentences: {accuracy:.3f}. Each feature has one weight per type, in the order of `claim_types.TYPES`.",
        '"""',
        "",
        f"BIAS = {bias}",
        "WEIGHTS: dict[str, tuple[float, float, float, float]] = {",
        *(f'    "{name}": {values},' for name, values in sorted(weights.items())),
        "}",
    ]
    OUTPUT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(weights)} features, held-out accuracy {accuracy:.3f}, written to {OUTPUT.name}")


def measure(path: Path) -> None:
    """Accuracy of the classifier alone, and of the whole parser, on hand-written cases."""
    import importlib

    from evpv.premises import claim_types, claim_weights, claims, parsing

    importlib.reload(claim_weights)
    importlib.reload(claim_types)
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    alone = np.mean([claim_types.classify(row["claim"]) == row["type"] for row in rows])
    parser = np.mean([claims.claim_type(parsing.parse(row["claim"])) == row["type"] for row in rows])
    print(f"{path.name}: classifier alone {alone:.3f}, with the grammar {parser:.3f} ({len(rows)} cases)")


if __name__ == "__main__":
    main()

"""Fit how far a contradiction can be trusted (`premises/matching/trust.py`) on labelled steps.

    python scripts/fit_trust.py [--write] HAND_1.jsonl [HAND_1b.jsonl,HAND_2.jsonl] …

Each argument is one hand's steps and claims in the form of the packs `steps` and `matching` (several files joined by commas).
Wordings that the engine does not know are had by putting made-up words in the place of words that are neither names nor numbers
nor grammar. Prints contradicted steps found and right steps accused by threshold on hands left out of the fit; with `--write`
the weights of all go into the package.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from evpv.language.quantities import quantities
from evpv.language.tokens import stem
from evpv.premises.figure import Figure, figure
from evpv.premises.matching.doubts import unknown_words
from evpv.premises.matching.grounded import contradictions
from evpv.premises.matching.trust import contradiction_signs
from evpv.records import read_cases

WEIGHTS = Path(__file__).parents[1] / "src/evpv/premises/matching/trust_weights.py"
VARIANTS, AS_WRITTEN, RIDGE, LASSO = 12, 4.0, 5.0, 5.0
FORMS = (
    "value position comparison extreme trend aggregate share count listing measure between keysum stated layout".split()
)
FREE = frozenset({*FORMS, "by an amount", "by a factor"})
FOR = frozenset({"read beside"})
GRAMMAR = frozenset("the and for with was were are has have had does did from that this than not but you its".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A contradiction with its signs; `step` names the text it stands in."""

    hand: int
    step: tuple[int, str, int]
    signs: dict[str, float]
    is_right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    examples: list[Example]
    verdicts: dict[tuple[int, str, int], str]


def with_made_up_words(text: str, model: Figure, rng: random.Random, many: int) -> str:
    """A text in which some words are none of the language; its places stay."""
    known = model.rows.frequency.keys() | model.columns.frequency.keys() | model.title
    spots = [
        found
        for found in re.finditer(r"(?<![\\\w])[A-Za-z]{3,}(?!\w)", text)
        if found[0].lower() not in GRAMMAR
        and not found[0].isupper()
        and stem(found[0]) not in known
        and not quantities(found[0])
    ]
    for found in rng.sample(spots, min(many, len(spots))):
        word = "".join(rng.choice("aeiou" if i % 2 else "bdfgklmnprstvz") for i in range(len(found[0])))
        ending = next(
            (e for e in ("ing", "est", "ed", "er", "ly", "s") if found[0].endswith(e) and len(word) > len(e) + 2), ""
        )
        word = word[: len(word) - len(ending)] + ending
        text = text[: found.start()] + (word.capitalize() if found[0][0].isupper() else word) + text[found.end() :]
    return text


def is_right(step: dict[str, object], span: tuple[int, int]) -> bool:
    """Whether an assertion labelled as wrong stands at a place."""
    for one in step.get("assertions") or [{"text": step["claim"], "verdict": step["verdict"]}]:  # type: ignore[attr-defined]
        start = str(step["claim"]).find(one["text"])
        if one["verdict"] == "contradicted" and (start < 0 or (start < span[1] and span[0] < start + len(one["text"]))):
            return True
    return False


def read_corpus(hands: Sequence[str]) -> Corpus:
    corpus = Corpus(examples=[], verdicts={})
    for hand, names in enumerate(hands):
        for path in map(Path, names.split(",")):
            labels = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            for label, case in zip(labels, read_cases(path), strict=True):
                rng = random.Random(case.id)
                model = figure(tuple(case.constraints))
                for variant in range(VARIANTS + 1):
                    text = with_made_up_words(case.claim, model, rng, 2 - variant % 2) if variant else case.claim
                    place = (hand, case.id, variant)
                    corpus.verdicts[place] = label["verdict"]
                    for said, finding in contradictions(text, model):
                        signs = contradiction_signs(said, finding, model, unknown_words(said, model))
                        corpus.examples.append(
                            Example(hand=hand, step=place, signs=signs, is_right=is_right(label, said.span))
                        )
    return corpus


def fit(examples: Sequence[Example]) -> tuple[float, dict[str, float]]:
    """Weights by logistic regression in which a doubt can only lower and a support only raise; few are kept."""
    names = sorted({name for one in examples for name in one.signs})
    sizes = np.array([[one.signs.get(name, 0.0) for name in names] for one in examples])
    scale = sizes.std(axis=0) + 1e-9
    sizes, right = sizes / scale, np.array([one.is_right for one in examples])
    counted = np.array([AS_WRITTEN if one.step[2] == 0 else 1.0 for one in examples])
    signs = dict.fromkeys(FOR, 1) | dict.fromkeys(FREE, 0)
    sign = np.array([signs.get(name, -1) for name in names])

    def loss(at: np.ndarray) -> tuple[float, np.ndarray]:
        odds = sizes @ at[:-1] + at[-1]
        value = (counted * np.logaddexp(0, np.where(right, -odds, odds))).sum()
        slope = counted * (1 / (1 + np.exp(-odds)) - right)
        value += RIDGE * (at[:-1] @ at[:-1]) / 2 + LASSO * (sign * at[:-1]).sum()
        return value, np.append(sizes.T @ slope + RIDGE * at[:-1] + LASSO * sign, slope.sum())

    bounds = [(None if one <= 0 else 0, None if one >= 0 else 0) for one in sign]
    found = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)]).x
    weights = {name: round(float(w), 2) for name, w in zip(names, found[:-1] / scale, strict=True) if abs(w) > 0.02}
    return round(float(found[-1]), 2), weights


def trust(one: Example, constant: float, weights: dict[str, float]) -> float:
    return float(1 / (1 + np.exp(-constant - sum(weights.get(name, 0.0) * size for name, size in one.signs.items()))))


def figures(corpus: Corpus, trusted: set[tuple[int, str, int]], made_up: bool) -> Iterator[float]:
    for verdict in ("contradicted", "supported"):
        places = [place for place, label in corpus.verdicts.items() if label == verdict and (place[2] > 0) == made_up]
        yield sum(place in trusted for place in places) / max(1, len(places))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hands", nargs="+")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    corpus = read_corpus(options.hands)
    scores = []
    for hand in range(len(options.hands)):
        fitted = fit([one for one in corpus.examples if one.hand != hand])
        scores += [(trust(one, *fitted), one.step) for one in corpus.examples if one.hand == hand]
    print("threshold   found accused as written   found accused with made-up words (hands left out of the fit)")
    for least in (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        trusted = {step for score, step in scores if score >= least}
        shown = (f"{part:.3f}" for made_up in (False, True) for part in figures(corpus, trusted, made_up))
        print(f"{least:9.1f}   {'   '.join(shown)}")
    constant, weights = fit(corpus.examples)
    lines = "".join(f'    "{name}": {weight},\n' for name, weight in weights.items())
    head = (
        '"""The weights of `trust.py`, written by `scripts/fit_trust.py`."""\n\nfrom collections.abc import Mapping\n\n'
    )
    table = f"{head}CONSTANT = {constant}\nWEIGHTS: Mapping[str, float] = {{\n{lines}}}\n"
    if options.write:
        WEIGHTS.write_text(table, encoding="utf-8")
    print(table)


if __name__ == "__main__":
    main()

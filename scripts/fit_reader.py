"""Fit what the signs of a statement are worth (`premises/statements/sign_weights.py`) on labelled steps and claims.

    python scripts/fit_reader.py HAND.jsonl … [--pack ITEMS.jsonl …] [--tests FOLDER] [--real ITEMS.jsonl …] [--write]

Hands are files as in `benchmarks/hands` (only rows that were looked at, if the file says so of any), packs are files as `steps` and
`matching`. Right assertions are also taken with one number or word changed, which makes them wrong. Every hand is one author's: prints,
for each of them by a fit that leaves him out, how many contradicted steps over tables and charts are found where so many right ones are
accused, and both at some bars; with `--write` the weights go into the package.

Real texts are problems with `constraints` as they were read from the picture and candidates whose steps have a `label` (1 right, -1 wrong,
with `errors`), or which are `correct` as a whole: it is known that something is wrong, or that nothing is, and not which statement. A fit
on the others says which is the likeliest.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from evpv.premises.figure import Figure, figure
from evpv.premises.matching.plain import plain_finding
from evpv.premises.statements.grid import is_of_grid
from evpv.premises.statements.reading import Statement, read_statements
from evpv.premises.statements.trust import CLASSES, STATE_CODES, refutation
from evpv.records.constraints import constraints_from_json

WEIGHTS = Path(__file__).parents[1] / "src/evpv/premises/statements/sign_weights.py"
STRENGTH, RARE = 0.1, 20
SHARES, BARS = (0.03, 0.05, 0.08), (0.65, 0.7, 0.75)
CHANGED_WEIGHT, PACK_WEIGHT, TEST_WEIGHT, REAL_WEIGHT = 0.1, 8.0, 8.0, 1.5
LEAST, WIDTH = 5, 148  # hundredths that a sign must be worth, and columns of a line
TESTED = frozenset(
    "test_counts test_movements test_rare_wordings test_statements test_doubts test_manner test_dimensions_and_counts test_worked_numbers".split()
)
OPPOSITES = {
    a: b
    for pair in (
        "highest lowest|most fewest|largest smallest|more fewer|higher lower|increased decreased|rose fell|above below|greater smaller|best worst|"
        "up down|first last|larger lesser|grew shrank|rises falls|longest shortest|dropped climbed|biggest tiniest|all none"
    ).split("|")
    for a, b in (pair.split(), pair.split()[::-1])
}  # fmt: skip
VAGUE_ERRORS, OUTSIDE_ERROR = {"nonsense_error", "grammatical_error"}, "ooc_error"
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)")
HEDGE = re.compile(
    r"(?:than|over|under|above|below|least|most|about|around|roughly|nearly|almost|between|and|from|to) *\$?$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What was read in one text: signs and label of each statement and whether something refutes it, the verdict of the whole."""

    source: str
    verdict: str
    signs: list[dict[str, float]]
    labels: list[str]
    refuted: Sequence[bool] = ()
    is_step: bool = False
    weight: float = 1.0


def examples(path: Path, is_pack: bool) -> Iterator[Example]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    figures = {r["figure"]: r["constraints"] for r in rows if r.get("kind") == "figure"}
    seen = any(r.get("looked_at") for r in rows)
    models: dict[str, Figure] = {}
    rng = random.Random(1)
    for place, row in enumerate(rows):
        number = place if is_pack else row["figure"]
        if row.get("kind") == "figure" or (seen and not row.get("looked_at")):
            continue
        given = row["constraints"] if is_pack else figures[number]
        key = json.dumps(given)
        models[key] = model = models.get(key) or figure(tuple(constraints_from_json(given)))
        if is_of_grid(model):
            text = row.get("text") or row["claim"]
            yield from _of_text(text, row, model, path.stem, rng)


def tested(folder: Path) -> Iterator[Example]:
    """The plain sentences of our own tests: tables of (constraints, sentence, verdict) and (constraints, right, wrong)."""
    rng = random.Random(1)
    for path in sorted(folder.glob("test_*.py")):
        for value in vars(_module(path)).values() if path.stem in TESTED else ():
            for row in value if isinstance(value, list) else ():
                if not (
                    isinstance(row, tuple) and len(row) == 3 and isinstance(row[1], str) and isinstance(row[2], str)
                ):
                    continue
                model = figure(tuple(row[0]))
                is_verdict = row[2] in (*CLASSES, "unparsed")
                said = [(row[1], row[2])] if is_verdict else [(row[1], "supported"), (row[2], "contradicted")]
                for text, verdict in said if is_of_grid(model) else ():
                    whole = [{"text": text, "verdict": verdict}] if verdict != "unparsed" else []
                    case = {"verdict": verdict, "assertions": whole}
                    yield from _of_text(text, case, model, path.stem, rng)


def real_examples(path: Path, fit: Fit) -> Iterator[Example]:
    """Statements of real texts, each with the labels that its text leaves it, as probable as the fit has them."""
    for line in path.read_text(encoding="utf-8").splitlines():
        problem = json.loads(line)
        model = figure(tuple(constraints_from_json(problem["constraints"])))
        for text, is_right, errors in _labelled_texts(problem) if is_of_grid(model) else ():
            found = [*map(_features, read_statements(text, model))]
            chances = fit.chances(found) if found else np.empty((0, len(CLASSES)))
            if is_right:
                for signs, chance in zip(found, chances, strict=True):
                    shares = chance[1:] / chance[1:].sum()
                    yield from (_real(path, signs, *pair) for pair in zip(CLASSES[1:], shares, strict=True))
            elif found and errors - VAGUE_ERRORS:
                label = "missing" if errors - VAGUE_ERRORS == {OUTSIDE_ERROR} else "contradicted"
                yield _real(path, found[int(chances[:, CLASSES.index(label)].argmax())], label, 1.0)


def _real(path: Path, signs: dict[str, float], label: str, share: float) -> Example:
    return Example(source=path.stem, verdict="real", signs=[signs], labels=[label], weight=REAL_WEIGHT * share)


def _labelled_texts(problem: dict[str, Any]) -> Iterator[tuple[str, bool, set[str]]]:
    """The texts of which it is known whether they are right, with their errors: steps with a label, and all of right candidates."""
    for candidate in problem["candidates"]:
        for step in candidate.get("steps", ()):
            if step.get("label") in (1, -1):
                yield step.get("claim") or step["text"], step["label"] == 1, set(step.get("errors", ()))
        if candidate.get("correct"):
            texts = re.split(r"\n{2,}", candidate.get("response", ""))
            yield from ((text, True, set()) for text in texts if text.strip())


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _of_text(text: str, row: dict[str, Any], model: Figure, source: str, rng: random.Random) -> Iterator[Example]:
    """A text as it stands, and with each of its right assertions made wrong; of plain sentences no sign decides."""
    if plain_finding(text, model) is not None:
        return
    said = row.get("assertions")
    if said is None:
        said = [{"text": text, "verdict": row["verdict"]}] if row["verdict"] != "unparsed" else []
    gold = [(text.find(one["text"]), len(one["text"]), one["verdict"]) for one in said]
    found = read_statements(text, model)
    labels = [_label(one, gold) for one in found]
    yield Example(
        source=source, verdict=row["verdict"], signs=[*map(_features, found)], labels=labels,
        refuted=[refutation(one.finding) is not None for one in found], is_step=row.get("kind") == "step",
    )  # fmt: skip
    for start, length, verdict in gold:
        changed = _changed(text, start, length, model, rng) if verdict == "supported" and start >= 0 else None
        if changed is not None:
            wrong = [(start, length + len(changed) - len(text), "contradicted")]
            found = [one for one in read_statements(changed, model) if _label(one, wrong) == "contradicted"]
            signs = [*map(_features, found)]
            yield Example(
                source=source, verdict="", signs=signs, labels=["contradicted"] * len(signs), weight=CHANGED_WEIGHT
            )


def _features(one: Statement) -> dict[str, float]:
    """The signs of a statement, each with the state that it counts with."""
    return {f"{name}|{STATE_CODES[state]}": 1.0 for name, state in one.signs}


def _label(one: Statement, gold: Sequence[tuple[int, int, str]]) -> str:
    """The worst verdict of the assertions that a statement has most in common with."""
    first, last = one.span
    hits = []
    for start, length, verdict in gold:
        common = min(start + length, last) - max(start, first)
        if start >= 0 and common > 0 and common >= 0.5 * min(length, last - first):
            hits.append(verdict)
    return next((verdict for verdict in CLASSES[:3] if verdict in hits), "nothing")


def _changed(text: str, start: int, length: int, model: Figure, rng: random.Random) -> str | None:
    """The text with one number of an assertion changed, or one word turned into its opposite."""
    said = text[start : start + length]
    names = (*model.rows.names, *model.columns.names)
    places = [
        match
        for match in NUMBER.finditer(said)
        if not any(match[0] in name for name in names)
        and not HEDGE.search(said[: match.start()].lower()[-14:])
        and not re.fullmatch(r"(?:19|20)\d\d", match[0])
    ]
    places += [match for word in OPPOSITES for match in re.finditer(rf"\b{word}\b", said)]
    if not places:
        return None
    match = rng.choice(places)
    new = OPPOSITES.get(match[0]) or _other_number(match[0], model, rng)
    return text[: start + match.start()] + new + text[start + match.end() :] if new != match[0] else None


def _other_number(said: str, model: Figure, rng: random.Random) -> str:
    """The value of a cell beside the one that is said, or other digits."""
    value = float(said.replace(",", ""))
    home = [cell for cell in model.cells if abs(cell.value - value) < 1e-9]
    beside = [
        cell.value
        for cell in model.cells
        if any((cell.row == one.row) != (cell.column == one.column) for one in home)
        and 0.3 < abs(cell.value / (value or 1)) < 3
    ]
    if beside and rng.random() < 0.5:
        places = len(said.partition(".")[2])
        return f"{rng.choice(beside):,.{places}f}" if "," in said else f"{rng.choice(beside):.{places}f}"
    digits = list(said)
    at = [i for i, digit in enumerate(digits) if digit.isdigit()]
    if len(at) > 1 and rng.random() < 0.5:
        left = rng.randrange(len(at) - 1)
        digits[at[left]], digits[at[left + 1]] = digits[at[left + 1]], digits[at[left]]
    else:
        place = rng.choice(at[:2])
        digits[place] = str((int(digits[place]) + rng.choice((1, 2, 3, 7, 8))) % 10)
    return "".join(digits)


@dataclass(frozen=True, slots=True)
class Fit:
    features: DictVectorizer
    model: LogisticRegression

    def wrong(self, one: Example) -> float:
        """How probable the statements of a text that something refutes make it that the text is wrong."""
        chances = self.chances(one.signs)[one.refuted, 0] if any(one.refuted) else ()
        return float(max(chances, default=0.0))

    def chances(self, every: Sequence[dict[str, float]]) -> np.ndarray:
        """The probability of each class for each statement."""
        return self.model.predict_proba(self.features.transform(every))


def fitted(every: Sequence[Example]) -> Fit:
    known = Counter(sign for one in every if one.verdict for signs in one.signs for sign in signs)
    rows = [{sign: 1.0 for sign in signs if known[sign] >= RARE} for one in every for signs in one.signs]
    labels = [CLASSES.index(label) for one in every for label in one.labels]
    weights = [one.weight for one in every for _ in one.labels]
    features = DictVectorizer()
    model = LogisticRegression(C=STRENGTH, max_iter=500)
    return Fit(features, model.fit(features.fit_transform(rows), labels, sample_weight=weights))


def print_curve(every: Sequence[Example]) -> None:
    """What is found and accused of each author's steps by a fit on all the others."""
    print("author  found where accused is", *SHARES, " found/accused at", *BARS)
    pooled: dict[str, list[float]] = {"supported": [], "contradicted": []}
    for author in sorted({one.source for one in every if one.is_step}):
        fit = fitted([one for one in every if one.source != author])
        steps = [one for one in every if one.source == author and one.is_step]
        scores = {verdict: [fit.wrong(one) for one in steps if one.verdict == verdict] for verdict in pooled}
        _print_rates(author, scores)
        for verdict, own in scores.items():
            pooled[verdict] += own
    _print_rates("all", pooled)


def _print_rates(author: str, scores: dict[str, list[float]]) -> None:
    right, wrong = (np.sort(scores[verdict])[::-1] for verdict in ("supported", "contradicted"))
    found = [f"{np.mean(wrong > right[int(share * len(right))]):.3f}" for share in SHARES]
    print(f"{author:6}", *found, *(f"{np.mean(wrong > bar):.3f}/{np.mean(right > bar):.3f}" for bar in BARS), sep="  ")


def write_weights(fit: Fit) -> None:
    """Weights against those of a supported statement, in hundredths, of a wrong, a missing and no statement: of each sign by state."""
    base = CLASSES.index("supported")
    others = [place for place in range(len(CLASSES)) if place != base]
    table = np.round(100 * (fit.model.coef_[others] - fit.model.coef_[base])).astype(int)
    worth: dict[str, list[str]] = {}
    for place, feature in enumerate(fit.features.feature_names_):
        name, _, state = feature.rpartition("|")
        if np.abs(table[:, place]).max() >= LEAST and not set(name) & {"|", ";"}:
            worth.setdefault(name, []).append(f"{state} {' '.join(map(str, table[:, place]))}")
    signs = [f"{name}|{'|'.join(sizes)};" for name, sizes in sorted(worth.items())]
    lines = [""]
    for sign in signs:
        lines += [sign] if len(lines[-1]) + len(sign) > WIDTH else [lines.pop() + sign]
    constant = tuple(round(float(fit.model.intercept_[k] - fit.model.intercept_[base]), 2) for k in others)
    WEIGHTS.write_text(
        '"""What the signs of a statement are worth, in hundredths, for being wrong, missing and nothing at all rather than right, by the\n'
        'state of what was found (contradicted, doubted, open, supported, unread, n: unsaid, -: any); `scripts/fit_reader.py` writes it."""\n\n'
        f"CONSTANT = {constant}\n"
        'WEIGHTS = """\\\n' + "\n".join(lines) + '\n"""\n',
        encoding="utf-8",
    )
    print(f"{len(signs)} signs written to {WEIGHTS}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hands", nargs="*", type=Path)
    parser.add_argument("--pack", nargs="*", type=Path, default=[])
    parser.add_argument("--tests", type=Path, help="the folder tests/premises")
    parser.add_argument("--real", nargs="*", type=Path, default=[], help="problems as read, their candidates labelled")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    every = [one for path in options.hands for one in examples(path, is_pack=False)]
    packs = [one for path in options.pack for one in examples(path, is_pack=True)]
    tests = list(tested(options.tests)) if options.tests else []
    every += [replace(one, weight=PACK_WEIGHT * one.weight) for one in packs]
    every += [replace(one, weight=TEST_WEIGHT * one.weight) for one in tests]
    print_curve(every)
    if options.write:
        fit = fitted(every)
        real = [one for path in options.real for one in real_examples(path, fit)]
        write_weights(fitted(every + real) if real else fit)


if __name__ == "__main__":
    main()

"""A learned reader of words and their places: which number belongs to which row and column, side or corner.

OCR gives words; a transformer of a third of a million parameters looks at what kind of text each is and where it stands,
never at pixels nor at what a name says, and links every value to the words that name it. Facts are put together from
the links. Learnt from drawn tables and triangles (`scripts/train_word_pairs.py`); other figures have other links.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version as installed_version
from importlib.resources import files
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from evpv.errors import ImageError
from evpv.perception.boxes import Box
from evpv.perception.images import load_pixels
from evpv.perception.ocr import Word, read_words
from evpv.perception.recognition import Ration, within_ration
from evpv.protocols import Description
from evpv.types import Constraint, Extraction, Numeric, Problem, Structure

KINDS = ("none", "cell", "side", "angle")
"""What a word is: no value, or the value of a table's cell, of a side, of an angle."""
LINKS = ("row", "column", "end", "corner")
"""How a value's name is made: a cell's row and column; the ends of a side, or the arms of an angle and its corner."""
WEIGHTS = Path(str(files("evpv.perception") / "word_pairs.safetensors"))

_MEASURE = re.compile(r"[$€£]?(?P<number>[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s?(?P<unit>[^\d\s]{0,4})")
_YEAR = re.compile(r"(?:19|20)\d\d")
_WIDTH, _HEADS, _PAIR_WIDTH, _LAYERS = 96, 4, 32, 4
_WORD_FEATURES, _PAIR_FEATURES = 16, 12
_LEAST_LINK = 0.5
_MOST_WORDS = 200


def _measure_in(text: str) -> tuple[float, str] | None:
    """The value and unit of a word that is a measure, and nothing else.

    >>> _measure_in("36 ft"), _measure_in("1,250"), _measure_in("54°"), _measure_in("Fig. 3.7")
    ((36.0, 'ft'), (1250.0, ''), (54.0, '°'), None)
    """
    found = _MEASURE.fullmatch(text.strip(" /|'`,;"))
    if found is None:
        return None
    return float(found["number"].replace(",", "").replace("−", "-")), found["unit"]


def _with_single_measures(words: Sequence[Word]) -> list[Word]:
    """The words, those that hold several measures ("57°79°", "12 34") cut into one for each by their letters' share."""
    single: list[Word] = []
    for word in words:
        pieces = re.findall(r"[^°\s]+°?", word.text)
        if len(pieces) < 2 or not all(_measure_in(piece) for piece in pieces):
            pieces = [word.text]
        left, step = word.box.x0, word.box.width / max(sum(map(len, pieces)), 1)
        for piece in pieces:
            box = word.box._replace(x0=left, x1=left + step * len(piece))
            single.append(replace(word, text=piece, box=box))
            left = box.x1
    return single


def word_features(words: Sequence[Word]) -> tuple[Tensor, Tensor]:
    """Each word's kind of text and box (n × 16), and the boxes alone (n × 4), within the frame of all words."""
    frame = Box.around(word.box for word in words)
    half = max(frame.width, frame.height, 1.0) / 2
    boxes = [[(word.box[i] - (frame.x, frame.y)[i % 2]) / half for i in range(4)] for word in words]
    kinds, edges = torch.tensor([_text_features(word) for word in words]), torch.tensor(boxes)
    middles, sizes = (edges[:, :2] + edges[:, 2:]) / 2, edges[:, 2:] - edges[:, :2]
    return torch.cat([middles, sizes, kinds], dim=-1), edges


def _text_features(word: Word) -> list[float]:
    text, measure = word.text, _measure_in(word.text)
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    value, unit = measure or (0.0, "")
    alone, year = len(text) == 1, _YEAR.fullmatch(text) is not None
    counts = [min(letters, 20) / 10, min(digits, 8) / 4, min(text.count(" "), 4) / 2, math.log10(1 + abs(value)) / 3]
    kinds = [
        alone and text.isupper(),
        alone,
        measure is not None,
        unit == "°",
        unit.isalpha(),
        year,
        text[:1].isupper(),
    ]
    return [*counts, *map(float, kinds), word.confidence]


def _pair_features(boxes: Tensor) -> Tensor:
    """How each word stands to each other one (… × n × n × 12): distances, gaps, edges, and both in lines of text."""
    here, there = boxes.unsqueeze(-2), boxes.unsqueeze(-3)
    middle = (boxes[..., :2] + boxes[..., 2:]) / 2
    apart = middle.unsqueeze(-3) - middle.unsqueeze(-2)
    distance = apart.norm(dim=-1, keepdim=True)
    gaps = torch.maximum(there[..., :2] - here[..., 2:], here[..., :2] - there[..., 2:])
    line = (here[..., 3:] - here[..., 1:2]).clamp(min=0.02)
    lines = (apart / line).clamp(-4, 4) / 2
    edges = there[..., ::2] - here[..., ::2]
    toward = apart / distance.clamp(min=1e-3)
    return torch.cat([apart, distance, toward, gaps, lines, edges, torch.log(distance + 0.05)], dim=-1)


class _Layer(nn.Module):
    """Attention that is moved by how words stand to each other, and that passes this on with what it looks at."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(_WIDTH), nn.LayerNorm(_WIDTH)
        self.mixed = nn.Linear(_WIDTH, 3 * _WIDTH)
        self.bias = nn.Linear(_PAIR_WIDTH, _HEADS)
        self.out = nn.Linear(_WIDTH + _HEADS * _PAIR_WIDTH, _WIDTH)
        self.widen, self.narrow = nn.Linear(_WIDTH, 2 * _WIDTH), nn.Linear(2 * _WIDTH, _WIDTH)

    def forward(self, state: Tensor, pairs: Tensor, mask: Tensor) -> Tensor:
        batch, count, _ = state.shape
        split = self.mixed(self.before(state)).view(batch, count, 3, _HEADS, -1).permute(2, 0, 3, 1, 4)
        scores = split[0] @ split[1].transpose(-1, -2) / split.shape[-1] ** 0.5
        scores = scores + self.bias(pairs).permute(0, 3, 1, 2)
        weights = scores.masked_fill(~mask[:, None, None, :], -1e4).softmax(-1)
        seen = (weights @ split[2]).transpose(1, 2).reshape(batch, count, -1)
        stood = torch.einsum("bhij,bijp->bihp", weights, pairs).reshape(batch, count, -1)
        state = state + self.out(torch.cat([seen, stood], -1))
        result: Tensor = state + self.narrow(nn.functional.gelu(self.widen(self.between(state))))
        return result


class PairNet(nn.Module):
    """Words in, for each its kind and for each pair its links, as logits."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Linear(_WORD_FEATURES, _WIDTH)
        self.pairs = nn.Sequential(
            nn.Linear(_PAIR_FEATURES, 2 * _PAIR_WIDTH), nn.GELU(), nn.Linear(2 * _PAIR_WIDTH, _PAIR_WIDTH)
        )
        self.layers = nn.ModuleList(_Layer() for _ in range(_LAYERS))
        self.after = nn.LayerNorm(_WIDTH)
        self.kinds = nn.Linear(_WIDTH, len(KINDS))
        self.from_value, self.to_name = nn.Linear(_WIDTH, _WIDTH), nn.Linear(_WIDTH, _WIDTH)
        self.beside = nn.Linear(_PAIR_WIDTH, len(LINKS))

    def forward(self, features: Tensor, boxes: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Batches: features b × n × 16, boxes b × n × 4, mask b × n; kinds b × n × 4 and links b × n × n × 4."""
        pairs, state = self.pairs(_pair_features(boxes)), self.words(features)
        for layer in self.layers:
            state = layer(state, pairs, mask)
        state = self.after(state)
        value = self.from_value(state).unflatten(-1, (len(LINKS), -1))
        name = self.to_name(state).unflatten(-1, (len(LINKS), -1))
        links = torch.einsum("bild,bjld->bijl", value, name) / value.shape[-1] ** 0.5
        return self.kinds(state), links + self.beside(pairs)


def facts_of_words(net: PairNet, words: Sequence[Word]) -> tuple[Constraint, ...]:
    """What the words of one figure say: a number for each value whose names were found, and the table if it is one."""
    words = _with_single_measures(words)
    if not 2 <= len(words) <= _MOST_WORDS:
        return ()
    features, boxes = word_features(words)
    with torch.no_grad():
        kinds, links = net(features[None], boxes[None], torch.ones(1, len(words), dtype=torch.bool))
    chosen, linked = [KINDS[kind] for kind in kinds[0].argmax(-1).tolist()], links[0].sigmoid()
    found = [_word_fact(words, i, linked[i], kind) for i, kind in enumerate(chosen)]
    facts = [replace(fact, confidence=round(fact.confidence, 4)) for fact in found if fact is not None]
    if not any(fact.row for fact in facts):
        return tuple(facts)
    columns = tuple(dict.fromkeys(fact.column for fact in facts if fact.column is not None))
    return (Structure(type="table", parts=columns), *facts)


def _word_fact(words: Sequence[Word], i: int, links: Tensor, kind: str) -> Numeric | None:
    """What a word says as a value of that kind; None where it is none, or what it belongs to was not found.

    A cell's value has its row, and its column if the table has heads.
    """
    measure = _measure_in(words[i].text)
    if kind == "none" or measure is None:
        return None
    if kind != "cell":
        return _geometry_fact(words, i, links, kind)
    row, column = (_name(words, links[:, LINKS.index(link)]) for link in ("row", "column"))
    if not row:
        return None
    name, sure = f"{row} {column}".strip(), float(links[:, : 2 if column else 1].max(0).values.min())
    fact = Numeric(entity=name, attribute="value", value=measure[0], confidence=sure, box=words[i].box)
    return replace(fact, row=row, column=column or None)


def _geometry_fact(words: Sequence[Word], i: int, links: Tensor, kind: str) -> Numeric | None:
    """The length of a side between two letters, or an angle at one between two, or None where a letter was not found."""
    value, unit = _measure_in(words[i].text) or (0.0, "")
    likely, at = links[:, LINKS.index("end")].clone(), links[:, LINKS.index("corner")]
    sure, corner = 1.0, ""
    if kind == "angle":
        sure, corner = float(at.max()), words[int(at.argmax())].text
        likely[int(at.argmax())] = 0.0
    ends = likely.topk(2)
    sure = min(sure, float(ends.values[1]))
    if sure < _LEAST_LINK:
        return None
    first, last = sorted(words[j].text for j in ends.indices.tolist())
    fact = Numeric(entity=f"segment {first}{last}", attribute="length", value=value, confidence=sure, box=words[i].box)
    if kind == "angle":
        return replace(fact, entity=f"angle {first}{corner}{last}", attribute="angle", unit="deg")
    return replace(fact, unit=unit or None)


def _name(words: Sequence[Word], shares: Tensor) -> str:
    """The words that a value is linked to, as they are read; nothing where no link is likely."""
    found = [words[i] for i in (shares > _LEAST_LINK).nonzero().flatten().tolist()]
    return " ".join(word.text for word in sorted(found, key=lambda word: (word.box.y > found[0].box.y1, word.box.x0)))


@lru_cache(maxsize=1)
def _shipped_net() -> PairNet:
    """The network of the package, opened once."""
    net = PairNet()
    net.load_state_dict(load_file(WEIGHTS))
    return net.eval()


class WordPairExtractor:
    """Numbers of tables and triangles from OCR words, by the shipped network: no rule says what belongs to what."""

    description = Description(reads_question=False, reads_constraints=False, extras=("vision", "local"))

    @property
    def version(self) -> str:
        """The network by its content, and the OCR."""
        return f"word-pairs-{sha256(WEIGHTS.read_bytes()).hexdigest()[:12]}-rapidocr-{installed_version('rapidocr')}"

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """One extraction per problem; a picture that cannot be opened is told in it."""
        return [_extraction(problem) for problem in problems]


def _extraction(problem: Problem) -> Extraction:
    try:
        with within_ration(Ration()):
            read = [facts_of_words(_shipped_net(), read_words(load_pixels(image))) for image in problem.images]
    except ImageError as error:
        return Extraction(problem=str(error))
    return Extraction(constraints=tuple(fact for facts in read for fact in facts), kind="words" if read else None)

"""How a step reward model is asked and what it answers: what stands before the steps, around each, and where its labels are read.

Every form comes to the same: a prefix that all candidates of a problem share, then for each step its text and a `close`;
the labels are read at the last token of the close. What stands between a close and the next step is the `link`.

The text that our own models write and read stands here too: the extractor's facts, and the question with them for the
verifier. Training and scoring must write this to the letter alike, with everything fixed that the picture does not decide:
a target that chooses at random between AB and BA teaches noise. Nothing that matching can tell apart is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Protocol

from evpv.backends.images import ImagePolicy
from evpv.errors import ConfigError
from evpv.records import constraints_to_json
from evpv.types import Constraint, Numeric, Problem, Relation, Structure

MARKER = "<|box_end|>"
"""The special token that ends a step of our own verifier: its labels are read at it."""
QUESTION, STEPS, IMAGE = "{question}", "{steps}", "{image}"
PROCESS = f"### Question:\n{IMAGE}{QUESTION}\n\n### Solution Process:\n{STEPS}"
"""VisualPRM's first turn: the pictures, the question, and the first step in the place of the steps."""
_PLACE = "\ue000"  # a private-use character: stands for a text while a chat template is cut around it


@dataclass(frozen=True, slots=True, kw_only=True)
class StepForm:
    """A way to put steps to a model.

    - `turns` "one": the steps stand one after another, each ended by `marker`, and the labels are read at the marker;
      `after` follows each marker. With "{steps}" in `opening` they stand there, in the user's turn; else they are the
      assistant's turn.
    - `turns` "many" (VisualPRM): each step is a turn of the user's, each answer is forced to `right`, and the labels are
      read at the token before it. `opening` holds the question and the first step.
    - With "{image}" in `opening`, before "{question}", the pictures stand there; else they come first.
    - `right` and `wrong` are the labels, one token each; `system` is a system turn, if the model was trained with one.
    """

    turns: Literal["one", "many"] = "one"
    marker: str = MARKER
    after: str = "\n"
    right: str = "+"
    wrong: str = "-"
    opening: str = QUESTION
    system: str = ""

    def __post_init__(self) -> None:
        if self.turns not in ("one", "many"):
            raise ConfigError(f'\'turns\' is "one" or "many", not {self.turns!r}.')
        if self.opening.count(QUESTION) != 1:
            raise ConfigError(f"'opening' must have {QUESTION} once: {self.opening!r}.")
        if IMAGE in self.opening and IMAGE not in self.opening.partition(QUESTION)[0]:
            raise ConfigError(f"'opening' can have {IMAGE} before {QUESTION} only: {self.opening!r}.")
        if STEPS in self.opening.removesuffix(STEPS) or (self.turns == "many" and not self.steps_in_opening):
            raise ConfigError(
                f"'opening' can have {STEPS} at its end only, and in many turns it must: {self.opening!r}."
            )
        if self.turns == "one" and not self.marker:
            raise ConfigError("'marker' is the token at each step's end; it cannot be empty.")

    @property
    def steps_in_opening(self) -> bool:
        """Whether the steps, or the first of them, follow the question in the user's turn."""
        return self.opening.endswith(STEPS)

    def opened(self, question: str) -> str:
        """The user's turn up to where steps may follow."""
        before, _, after = self.opening.removesuffix(STEPS).partition(QUESTION)
        return before + question + after

    def content(self, text: str, pictures: Sequence[Any]) -> list[Any]:
        """The parts of the user's first turn: its opening's text, with the pictures where the opening wants them."""
        before, _, after = text.partition(IMAGE) if IMAGE in self.opening else ("", "", text)
        if not pictures:
            return _content(before + after)
        return [*(_content(before) if before else []), *pictures, *_content(after)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """A form in a model's own tokens and chat template. `right` and `wrong` are the labels' token numbers.

    `lead` is the blank before the first step: tokenizers join it to the word after it, so it is no part of the prefix.
    """

    form: StepForm
    processor: Any
    lead: str
    link: str
    close: str
    right: int
    wrong: int
    controls: tuple[str, ...]

    def prefix(self, question: str, images: int) -> str:
        """Everything before the first step: the same for all candidates of a problem."""
        text = self.form.opened(self.plain(question)) + _PLACE * self.form.steps_in_opening
        turns = [
            *_system(self.form),
            {"role": "user", "content": self.form.content(text, [{"type": "image"}] * images)},
        ]
        written = _chat_text(self.processor, turns, answer_next=not self.form.steps_in_opening)
        return written.partition(_PLACE)[0].removesuffix(self.lead)

    def pieces(self, steps: Sequence[str]) -> list[str]:
        """A candidate's text cut after each place where labels are read."""
        before = [self.lead, *[self.link] * (len(steps) - 1)]
        return [start + self.plain(step).strip() + self.close for start, step in zip(before, steps, strict=False)]

    def readouts(self, tokens: Sequence[int]) -> list[int]:
        """Where labels are read in a whole text, found by what stands there: the marker, or an answer after its close.

        This knows nothing of how the scorer counts pieces, so that the two can be held against each other.
        """
        tokenizer = self.processor.tokenizer
        close = tokenizer.encode(self.close, add_special_tokens=False)
        after = [self.right] if self.form.turns == "many" else []
        sought, size = close + after, len(close)
        starts = (place for place in range(len(tokens)) if list(tokens[place : place + len(sought)]) == sought)
        return [start + size - 1 for start in starts]

    def plain(self, text: str) -> str:
        """Text without the model's control tokens: a step that writes one must not end itself or its turn."""
        for control in self.controls:
            text = text.replace(control, " ")
        return text


def layout(form: StepForm, processor: Any) -> _Layout:
    """The form for one model; ConfigError where its tokenizer or chat template does not carry it."""
    tokenizer = processor.tokenizer
    special = [token.content for token in tokenizer.added_tokens_decoder.values() if token.special]
    if form.turns == "one":
        single_token(tokenizer, form.marker, "marker")
        link, close = form.after, form.marker
    else:
        link, close = _between_turns(form, processor)
    opened = form.opened("")
    right, wrong = (single_token(tokenizer, label, "label") for label in (form.right, form.wrong))
    if right == wrong:
        raise ConfigError(f"the labels {form.right!r} and {form.wrong!r} are the same token.")
    lead = opened[len(opened.rstrip(" ")) :] if form.steps_in_opening else ""
    controls = tuple(sorted({form.marker, _PLACE, *special} - {""}, key=lambda token: (-len(token), token)))
    return _Layout(
        form=form, processor=processor, lead=lead, link=link, close=close, right=right, wrong=wrong, controls=controls
    )


def single_token(tokenizer: Any, text: str, what: str) -> int:
    """The number of a token; ConfigError where the tokenizer cuts it in several or does not know it."""
    numbers = tokenizer.encode(text, add_special_tokens=False)
    if len(numbers) != 1 or numbers[0] == tokenizer.unk_token_id:
        raise ConfigError(
            f"the {what} {text!r} is {len(numbers)} tokens of this model; it must be read from one it knows."
        )
    return int(numbers[0])


def _between_turns(form: StepForm, processor: Any) -> tuple[str, str]:
    """What the chat template writes from an answer to the next step, and from a step to the answer."""
    said = [("user", 1), ("assistant", 2), ("user", 3), ("assistant", 4)]
    turns = [{"role": role, "content": _content(f"{_PLACE}{number}{_PLACE}")} for role, number in said]
    parts = _chat_text(processor, _system(form) + turns, answer_next=False).split(_PLACE)
    if parts[1::2] != ["1", "2", "3", "4"] or not parts[2] or parts[2] != parts[6]:
        raise ConfigError("this model's chat template does not keep user and assistant turns as they are given.")
    return form.right + parts[4], parts[2]


def _system(form: StepForm) -> list[dict[str, Any]]:
    return [{"role": "system", "content": _content(form.system)}] if form.system else []


def _content(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def _chat_text(processor: Any, turns: list[dict[str, Any]], *, answer_next: bool) -> str:
    return str(processor.apply_chat_template(turns, tokenize=False, add_generation_prompt=answer_next))


_LINE = re.compile(r"[A-Z]{2}")
_ANGLE = re.compile(r"[A-Z]{3}")
_SYMMETRIC = ("parallel", "perpendicular", "equal", "adjacent")


def verifier_question(question: str, constraints: Sequence[Constraint] | None) -> str:
    """The question, and below it the facts as the extractor's own JSON; None leaves them out, an empty list is told."""
    if constraints is None:
        return question
    return f"{question}\n{facts_text(canonical(constraints))}"


def trained_with_facts(model: str) -> bool | None:
    """Whether a verifier learnt with facts below the question, by its `training.json` or its card; None if neither says."""
    folder = Path(str(files("evpv.backends") / "shipped" / model[5:])) if model.startswith("evpv:") else Path(model)
    for name in ("training.json", "README.md"):
        if (folder / name).is_file():
            text = (folder / name).read_text(encoding="utf-8")
            found = re.search(r'"verifier":\s*\{[^}]*?"constraints":\s*(true|false)', text)
            if found:
                return found[1] == "true"
    return None


def asked_text(problem: Problem) -> str:
    """The question with its options, which candidates name by letter.

    >>> asked_text(Problem(id="p", question="Which?", options=("3", "4")))
    'Which? (A) 3 (B) 4'
    """
    options = (f"({chr(ord('A') + number)}) {option}" for number, option in enumerate(problem.options))
    return " ".join([problem.question, *options]).strip()


def facts_text(constraints: Sequence[Constraint]) -> str:
    """The paper's JSON array without boxes, whole numbers without a point.

    >>> facts_text([Numeric(entity="segment AB", attribute="length", value=3.0, unit="cm")])
    '[{"category": "numeric", "entity": "segment AB", "attribute": "length", "value": 3, "unit": "cm", "confidence": 1.0}]'
    """
    values = constraints_to_json(replace(constraint, box=None) for constraint in constraints)
    for value in values:
        if isinstance(value.get("value"), float) and value["value"].is_integer():
            value["value"] = int(value["value"])
    return json.dumps(values, ensure_ascii=False)


def canonical(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """The same facts with names and order that the picture decides.

    Segments and the arms of angles are named in alphabetical order, sides of symmetric relations are sorted, and facts
    about geometry come sorted: structures, relations, numbers. What stands in a table or chart keeps its reading order.
    """
    keyed: list[tuple[tuple[int, str], Constraint]] = []
    for one in constraints:
        match one:
            case Structure():
                keyed.append(((0, one.type), one))
            case Relation():
                names = [_sorted_name(entity) for entity in one.entities]
                named = replace(one, entities=tuple(sorted(names) if one.type in _SYMMETRIC else names))
                keyed.append(((1, f"{one.type} {' '.join(named.entities)}"), named))
            case Numeric():
                name = _sorted_name(one.entity)
                keyed.append(((2, f"{one.attribute} {name} {one.value} {one.unit}"), replace(one, entity=name)))
    if (0, "table") not in (key for key, _ in keyed):
        keyed.sort(key=lambda pair: pair[0])
    return tuple(one for _, one in keyed)


def _sorted_name(entity: str) -> str:
    """A segment's ends, or the arms of an angle, in alphabetical order; other names are left alone."""
    kind, space, label = entity.rpartition(" ")
    if kind in ("", "segment") and _LINE.fullmatch(label):
        return kind + space + "".join(sorted(label))
    if kind == "angle" and _ANGLE.fullmatch(label):
        first, vertex, last = tuple(label)
        return kind + space + min(first, last) + vertex + max(first, last)
    return entity


@dataclass(frozen=True, slots=True, kw_only=True)
class StepQuestion:
    """A problem as a scorer takes it: the text beside the pictures, and the steps of each candidate."""

    text: str
    images: tuple[str, ...] = ()
    candidates: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepScores:
    """P(right) of each step of one candidate, or the reason why there are none in `problem`."""

    probabilities: tuple[float, ...] = ()
    problem: str | None = None


class StepScorer(Protocol):
    """Scores the candidates of problems: for each question a list with the scores of each of its candidates."""

    def score(self, questions: Sequence[StepQuestion]) -> list[list[StepScores]]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Batching:
    """How much goes through a local model at once.

    `batch_tokens` bounds the cache: candidates in flight × the longest of them with its prefix, of one or several
    problems; one candidate always goes. None is 32,768 on a GPU, and 2,048 on a CPU, where more was slower.
    `chunk_tokens` is how far a candidate is read in one forward: shorter chunks spare attention to what comes later, and
    candidates that have ended leave the batch sooner. `max_tokens` is the most that a candidate may have with its
    prefix; None is the model's own context.
    """

    batch_tokens: int | None = None
    chunk_tokens: int = 192
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        given = (self.batch_tokens, self.chunk_tokens, self.max_tokens)
        if any(number is not None and number < 1 for number in given):
            raise ConfigError("batch_tokens, chunk_tokens and max_tokens must be at least 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where vLLM serves the model: the address up to /v1, the variable with the key, and how it is asked."""

    base_url: str
    api_key_env: str = "OPENAI_API_KEY"
    concurrency: int = 32
    timeout_s: float = 120.0
    attempts: int = 4

    def __post_init__(self) -> None:
        if self.concurrency < 1 or self.attempts < 1 or not self.timeout_s > 0:
            raise ConfigError("concurrency and attempts must be at least 1, timeout_s more than 0.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerSettings:
    """Which model scores, and how it is held or reached: what the judges by step models have in common.

    Without `server`, `model` is a folder or hub name, with `adapter` (LoRA), `device`, `dtype` and `trust_remote_code` as
    at `Weights`; with it, the name that the server gives the model. `batching`, `images` and `server` may be tables of a
    recipe; they are explained at `Batching`, `ImagePolicy` and `Server`. `text_only` leaves out the picture, `history` is
    how many earlier steps a step is read with ("all", "none", 2): for ablations, the second at the cost of a reading a step.
    """

    model: str
    adapter: str | None = None
    device: str = "auto"
    dtype: str = "auto"
    trust_remote_code: bool = False
    batching: Batching | Mapping[str, Any] | None = field(default=None, hash=False)
    images: ImagePolicy | Mapping[str, Any] | None = field(default=None, hash=False)
    server: Server | Mapping[str, Any] | None = field(default=None, hash=False)
    text_only: bool = False
    history: Literal["all", "none"] | int = "all"

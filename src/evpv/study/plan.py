"""The plan of a study: what is measured, who is asked, and what the bill may assume, tokens too. Checked where it comes in.

Parts are named tables, as in a recipe: `use`, settings, and `backend = "NAME"` for a model of `[models]`. Files are
looked up from the plan's own folder.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import prod
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evpv.backends.images import size_of_file
from evpv.config import Part
from evpv.errors import ConfigError, EvpvError, ImageError, unknown_name
from evpv.protocols import ChatRequest
from evpv.reward.method import Method, preset, with_settings
from evpv.training.screening import smaller_size

OWN = "own"
"""The policy that asks nobody: the candidates that a benchmark's file holds."""
ALONE = "judge alone"
_ADDRESSES = ("base_url", "api_key", "concurrency", "timeout_s", "attempts", "batch_size", "device", "prices", "server")
"""Settings of parts and models that decide no answer."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Expected(_Table):
    """What the bill takes a benchmark to be where its file is not here; stated, so that it can be argued with."""

    problems: int = Field(default=0, ge=0)
    candidates: int = Field(default=1, ge=1)
    steps: float = Field(default=8, ge=1)
    step_words: int = 30
    question_words: int = 50
    facts: int = 8
    picture_px: tuple[int, int] = (640, 480)


class _Drawn(_Table):
    """Problems of `evpv figures`, drawn for the study."""

    families: list[str] = []
    count: int = Field(default=20, ge=1)
    seed: int = 0
    split: Literal["train", "dev", "test"] = "test"


class Benchmark(_Table):
    """A file of problems, one of a layout that `evpv import` knows, or problems drawn here.

    `gold` names problems with true constraints ("self": the file itself), `judgements` people's word on constraints that
    were read. `column` is what the paper's tables call it. Lists of names restrict who meets it; unset, all do.
    """

    file: str = ""
    layout: str = ""
    images: str = ""
    where: dict[str, str] = {}
    drawn: _Drawn | None = None
    limit: int | None = Field(default=None, ge=1)
    gold: str = ""
    judgements: str = ""
    column: str = ""
    policies: list[str] | None = None
    extractors: list[str] | None = None
    judges: list[str] | None = None
    expected: Expected = Expected()


class PlanModel(BaseModel):
    """A model at an address, as weights here, or, with `serve`, behind a server that the study starts and stops.

    `serve` is "vllm", "llama.cpp" or a command with {weights}, {model} and {port} in it; `weights` what is served, if not
    the model's name. `speed` is tokens a second, read and written, of the whole server; `answers` is how many tokens an answer has, by
    stage; `gpus` those that it is given, `gpu_count` how many the bill counts. All else are settings of the backend.
    """

    model_config = ConfigDict(extra="allow", frozen=True)
    use: str = "openai-chat"
    serve: str | list[str] = ""
    weights: str = ""
    gpus: list[int] = []
    gpu_count: int = 1
    options: list[str] = []
    environment: dict[str, str] = {}
    ready_s: float = 1200.0
    speed: tuple[float, float] | None = None
    answers: dict[str, float] = {}
    pictures: Literal["", "qwen", "internvl"] = ""

    @property
    def settings(self) -> dict[str, Any]:
        return dict(self.model_extra or {})

    @property
    def weights_place(self) -> str:
        """What a server is told to load: a folder, a hub name, or the folder of a model that we ship ("evpv:NAME")."""
        named = self.weights or str(self.settings.get("model", ""))
        shipped = files("evpv.backends") / "shipped" / named.removeprefix("evpv:")
        return str(shipped) if named.startswith("evpv:") else named


class _JudgePart(BaseModel):
    """A judge; `methods` are those it is assessed under besides alone. Named as in the paper, its published figures stand beside."""

    model_config = ConfigDict(extra="allow", frozen=True)
    use: str
    evidence: bool | None = None
    methods: list[str] | None = None

    @property
    def part(self) -> Part:
        return Part(use=self.use, settings=dict(self.model_extra or {}))


class Experiments(_Table):
    """Experiments of `evpv experiment` for the cells that the lists name; unset, all that have the data."""

    names: str = "all"
    method: str = ""
    benchmarks: list[str] | None = None
    policies: list[str] | None = None
    extractors: list[str] | None = None
    judges: list[str] | None = None


class _Assumed(_Table):
    """What the bill takes where nothing is measured or given: seconds a problem without a model, money for an hour of a GPU."""

    seconds: dict[str, float] = {"import": 0.05, "extract": 5.0, "judge": 0.1, "assess": 0.05, "evaluate": 0.05}
    speed: tuple[float, float] = (4000.0, 1200.0)
    characters_per_token: float = 3.6
    gpu_hour: float = 0.0
    kilobytes: float = 60.0


class Plan(_Table):
    """The whole study. `k` is how many candidates a policy is asked for; `seeds` repeat the sampling."""

    name: str
    description: str = ""
    k: int = Field(default=8, ge=1)
    seeds: list[int] = [0]
    audit: Literal["off", "report", "fill"] = "fill"
    methods: dict[str, dict[str, Any]] = {"paper": {"preset": "paper"}, "grounded": {"preset": "grounded"}}
    models: dict[str, PlanModel] = {}
    benchmarks: dict[str, Benchmark]
    policies: dict[str, dict[str, Any]] = {OWN: {"use": OWN}}
    extractors: dict[str, dict[str, Any]]
    judges: dict[str, _JudgePart]
    experiments: list[Experiments] = []
    assumed: _Assumed = _Assumed()
    folder: str = ""

    def method(self, name: str) -> Method:
        """A method by its name. What the judge alone is worth is the paper's method with the gate left open."""
        if name == ALONE:
            return with_settings(preset("paper"), {"gate": "off"})
        settings = {"select": "score", **self.methods[name]}
        return with_settings(preset(str(settings.pop("preset", "grounded"))), settings)

    def path(self, name: str) -> Path:
        """A file that the plan names, from the plan's own folder."""
        return Path(self.folder) / Path(name).expanduser()


def load_plan(path: Path, limit: int | None = None) -> Plan:
    """Read and check a plan; what does not fit is told with its place. `limit` holds where a benchmark has no smaller one."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    try:
        plan = Plan.model_validate({"name": path.stem, **data, "folder": str(path.parent.resolve())})
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise ConfigError(f"{path}: {faults}") from None
    _check_names(plan, path)
    if limit is None:
        return plan
    few = {n: b.model_copy(update={"limit": min(b.limit or limit, limit)}) for n, b in plan.benchmarks.items()}
    return plan.model_copy(update={"benchmarks": few})


def _check_names(plan: Plan, path: Path) -> None:
    """Everything that is named must be there, told before anything is asked."""
    tables: Mapping[str, Iterable[str]] = {
        "benchmarks": plan.benchmarks, "policies": plan.policies, "extractors": plan.extractors, "judges": plan.judges,
        "methods": plan.methods, "models": plan.models,
    }  # fmt: skip
    for holder in (*plan.benchmarks.values(), *plan.experiments, *plan.judges.values()):
        for table, names in tables.items():
            for name in getattr(holder, table, None) or ():
                _check_name(path, table, name, names)
    parts = [*plan.policies.values(), *plan.extractors.values(), *(one.part.settings for one in plan.judges.values())]
    for part in parts:
        for model in models_of(Part(use="", settings=dict(part))):
            _check_name(path, "models", model, plan.models)
    for name in plan.methods:
        plan.method(name)


def _check_name(path: Path, table: str, name: str, names: Iterable[str]) -> None:
    if name not in names:
        raise ConfigError(f"{path}: {unknown_name(f'entry of [{table}]:', name, names)}")


def part_of(table: Mapping[str, Any], kind: str) -> Part:
    if not isinstance(table.get("use"), str):
        raise ConfigError(f'the {kind} of a plan needs use = "…": {dict(table)}.')
    return Part(use=table["use"], settings={key: value for key, value in table.items() if key != "use"})


def deciding_settings(plan: Plan, part: Part) -> dict[str, Any]:
    """What decides a part's answers: its settings, and those of the model it asks, without addresses and speeds."""
    kept = {key: value for key, value in part.settings.items() if key not in _ADDRESSES}
    for model in models_of(part):
        named = plan.models[model]
        kept["model of it"] = [named.use, {k: v for k, v in named.settings.items() if k not in _ADDRESSES}]
    return {"use": part.use, **kept}


def models_of(part: Part) -> tuple[str, ...]:
    """The models of the plan that a part asks."""
    return tuple(v for s in ("backend", "server") if isinstance(v := part.settings.get(s), str))


_CELL_PX = 28
_QWEN_PIXELS = (56 * 56, 14 * 14 * 4 * 16384)
_TILE_PX, _TILE_TOKENS, _MOST_TILES = 448, 256, 12
_TEMPLATE_TOKENS = 24
_LARGEST_SENT_PX = 1536


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRule:
    """Counts by a processor, by words (prepared answers count those), or by characters and the family's rule for pictures."""

    processor: Any = None
    words: bool = False
    characters_per_token: float = 3.6
    family: Literal["", "qwen", "internvl"] = ""
    max_side_px: int = _LARGEST_SENT_PX

    def text_tokens(self, request: ChatRequest) -> int:
        """Tokens of the question's text in the form of the chat."""
        if self.words:
            return len(request.prompt.split())
        if self.processor is None:
            said = len(request.prompt) + len(request.system or "")
            return round(said / self.characters_per_token) + _TEMPLATE_TOKENS
        parts: list[dict[str, Any]] = [{"type": "image"} for _ in request.images]
        turns = [{"role": "user", "content": [*parts, {"type": "text", "text": request.prompt}]}]
        if request.system is not None:
            turns.insert(0, {"role": "system", "content": [{"type": "text", "text": request.system}]})
        text = self.processor.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        return len(self.processor.tokenizer(text, add_special_tokens=False)["input_ids"]) - len(request.images)

    def picture_tokens(self, images: Sequence[str]) -> int:
        """Tokens of the pictures, as large as they are sent."""
        if self.words or not images:
            return 0
        sizes = [_sent_size(path, self.max_side_px) for path in images]
        if self.processor is not None:
            counted = self.processor._get_num_multimodal_tokens(image_sizes=[(high, wide) for wide, high in sizes])
            return int(sum(counted.num_image_tokens))
        rule = _internvl_tokens if self.family == "internvl" else _qwen_tokens
        return sum(rule(*size) for size in sizes)


def token_rule(model: PlanModel, characters_per_token: float) -> TokenRule:
    """The rule of a model: exact where its processor can be opened without asking anybody."""
    side = int((model.settings.get("images") or {}).get("max_side_px", _LARGEST_SENT_PX))
    if model.use == "scripted" or ":" in model.use:
        return TokenRule(words=True)
    name = str(model.settings.get("model", ""))
    family: Literal["qwen", "internvl"] = "internvl" if "internvl" in name.lower() else "qwen"
    plain = TokenRule(characters_per_token=characters_per_token, family=model.pictures or family, max_side_px=side)
    if model.serve and Path(model.weights_place).is_dir():
        name = model.weights_place
    elif model.use != "transformers-chat":
        return plain
    try:
        from evpv.backends.local_weights import open_processor  # torch's: only those who count local weights need it

        return TokenRule(processor=open_processor(name), max_side_px=side)
    except EvpvError:
        return plain


def _qwen_tokens(wide: int, high: int) -> int:
    """Qwen2-VL's rule: sides rounded to 28 pixels within its bounds on area, a token for each cell of 28 × 28.

    >>> _qwen_tokens(640, 480), _qwen_tokens(1536, 1152)
    (391, 2255)
    """
    columns, rows = max(round(wide / _CELL_PX), 1), max(round(high / _CELL_PX), 1)
    least, most = (bound / _CELL_PX**2 for bound in _QWEN_PIXELS)
    return round(min(max(columns * rows, least), most))


def _internvl_tokens(wide: int, high: int) -> int:
    """InternVL's rule: tiles of 448 pixels in the grid nearest to the picture's shape, and a small whole, 256 tokens each.

    Of grids that are as near, the larger one where the picture fills more than half of it.

    >>> _internvl_tokens(448, 448), _internvl_tokens(640, 480), _internvl_tokens(1344, 448)
    (256, 3328, 1024)
    """
    count = range(1, _MOST_TILES + 1)
    grids = sorted(((c, r) for c in count for r in count if c * r <= _MOST_TILES), key=prod)
    best, gap = (1, 1), float("inf")
    for grid in grids:
        off = abs(wide / high - grid[0] / grid[1])
        if off < gap or (off == gap and wide * high > 0.5 * _TILE_PX**2 * prod(grid)):
            best, gap = grid, off
    return _TILE_TOKENS * (prod(best) + (prod(best) > 1))


@lru_cache(maxsize=10_000)
def _sent_size(path: str, max_side_px: int) -> tuple[int, int]:
    try:
        return smaller_size(size_of_file(Path(path)), max_side_px)
    except (OSError, ValueError, ImageError):
        return 0, 0

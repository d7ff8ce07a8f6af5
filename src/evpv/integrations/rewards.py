"""The verifier as a reward: questions, pictures and completions in; one score and one reward per step out.

Pictures come in the forms that training sets hold them in, and are read once, however many completions a trainer has of
one and however many threads ask.
"""

from __future__ import annotations

import binascii
import json
import os
import tempfile
import weakref
from base64 import b64decode
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Literal, TypeAlias
from urllib.parse import unquote_to_bytes

from PIL import Image

from evpv.assembly import build
from evpv.config import load_recipe
from evpv.errors import ConfigError, RecordError
from evpv.evaluation.answers import AnswerChecker
from evpv.files import temporary_folder
from evpv.integrations.credit import Misreading, first_misreading
from evpv.perception.given import GivenExtractor
from evpv.pipeline import Pipeline
from evpv.protocols import Extractor, close_part
from evpv.records import candidate_from_text
from evpv.settings import check_fields
from evpv.types import CandidateTrace, Extraction, Problem, Trace

_MOST_READINGS = 10_000
_SAVED_AS_THEY_ARE = frozenset({"1", "L", "LA", "P", "RGB", "RGBA"})


class _PictureFiles:
    """Pictures that are no files, kept in a folder of their own under a digest of what they show.

    The same picture is the same file, however often a trainer decodes it anew, so what was read of it is known again.
    The folder goes when this object does.
    """

    def __init__(self) -> None:
        kept = temporary_folder("evpv-pictures-")
        self.folder = Path(kept.name)
        self.close = weakref.finalize(self, kept.cleanup)

    def paths(self, given: Any) -> tuple[str, ...]:
        """One picture or a list of them, in any form, as paths; None is no picture."""
        many = given if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping) else [given]
        return tuple(self.path(one) for one in many if one is not None)

    def path(self, given: Any) -> str:
        """A path as it is; a PIL picture, bytes, a data URI, or a data set's {"bytes", "path"} as the path of a file."""
        if isinstance(given, Image.Image):
            plain = given if given.mode in _SAVED_AS_THEY_ARE else given.convert("RGB")
            shown = f"{plain.mode} {plain.size} ".encode() + plain.tobytes() + bytes(plain.getpalette() or ())
            return self._file(shown, ".png", lambda draft: plain.save(draft, format="PNG", compress_level=1))
        if isinstance(given, bytes):
            return self._file(given, "", lambda draft: draft.write_bytes(given))
        if isinstance(given, Mapping) and ("bytes" in given or "path" in given):
            return self.path(given["bytes"] if given.get("bytes") is not None else given.get("path"))
        if isinstance(given, str) and (content := _content(given)) is not None:
            return self.path(content)
        if isinstance(given, str | os.PathLike):
            return os.fspath(given)
        raise RecordError(f"is no picture but {type(given).__name__}", field="image")

    def _file(self, shown: bytes, suffix: str, write: Callable[[Path], object]) -> str:
        """The file of what is shown; written under another name first, so that it is never seen half written."""
        place = self.folder / f"{sha256(shown).hexdigest()[:32]}{suffix}"
        if not place.exists():
            number, draft = tempfile.mkstemp(dir=self.folder, prefix="draft-")
            os.close(number)
            write(Path(draft))
            Path(draft).replace(place)
        return str(place)


def _content(uri: str) -> bytes | None:
    """The bytes of a data URI; None for a path, and for a URI that is broken, which no reader will find either."""
    head, comma, body = uri.partition(",")
    if not head.startswith("data:") or not comma:
        return None
    try:
        return b64decode(body, validate=True) if head.endswith(";base64") else unquote_to_bytes(body)
    except binascii.Error:
        return None


_Key: TypeAlias = tuple[str, tuple[tuple[str, int, int], ...]]
"""A question, and its pictures with the time and size of their files."""


class _ReadOnce:
    """Any extractor with its answers kept in memory; a problem that brings constraints of its own is not looked at.

    One thread reads at a time, because readers need not be made for more; answers that are known wait for nobody. The
    longest unused of more than `_MOST_READINGS` answers are forgotten. What could not be read is not kept: the cause may pass.
    """

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self._known: OrderedDict[_Key, Extraction] = OrderedDict()
        self._memory, self._reading = Lock(), Lock()
        self._given = GivenExtractor()

    @property
    def version(self) -> str:
        return self._extractor.version

    def close(self) -> None:
        close_part(self._extractor)

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """One extraction per problem, in order; all that is not known yet is read in one batch, each picture once."""
        told = iter(self._given.extract([problem for problem in problems if "constraints" in problem.extra]))
        asked = {_key(problem): problem for problem in problems if "constraints" not in problem.extra}
        found = self._known_answers(asked)
        if len(found) < len(asked):
            with self._reading:
                found = self._known_answers(asked)
                wanted = {key: problem for key, problem in asked.items() if key not in found}
                read = dict(zip(wanted, self._extractor.extract(list(wanted.values())), strict=True))
                with self._memory:
                    self._known |= {key: answer for key, answer in read.items() if answer.problem is None}
                    while len(self._known) > _MOST_READINGS:
                        self._known.popitem(last=False)
                found |= read
        return [next(told) if "constraints" in one.extra else found[_key(one)] for one in problems]

    def _known_answers(self, keys: Iterable[_Key]) -> dict[_Key, Extraction]:
        with self._memory:
            found = {key: self._known[key] for key in keys if key in self._known}
            for key in found:
                self._known.move_to_end(key)
            return found


def _key(problem: Problem) -> _Key:
    """A file that is not there has no time and no size; what could not be read of it is not kept either."""
    states = []
    for image in problem.images:
        try:
            status = os.stat(image)
            states.append((image, status.st_mtime_ns, status.st_size))
        except (OSError, ValueError):
            states.append((image, 0, 0))
    return problem.question, tuple(states)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a completion is paid for. Made for training, where a policy finds whatever earns without being right.

    `by`: "least" pays for the worst step, so that no number of empty steps around a misreading makes it better; "score"
    is the recipe's own aggregation, which they do. `needs_answer`: a completion without a final answer earns 0, because a
    step in which nothing can be checked has the judge's prior, and noise would earn more than an honest mistake.
    `outcome` is the share of the score that the final answer decides, by comparison with the problem's own: 0 is the
    verifier alone, 1 the answer alone.
    """

    by: Literal["least", "score"] = "least"
    needs_answer: bool = True
    outcome: float = 0.0

    def __post_init__(self) -> None:
        check_fields(self, "terms")
        if not 0.0 <= self.outcome <= 1.0:
            raise ConfigError(f"'outcome' is a share between 0 and 1, not {self.outcome!r}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """What one completion earns.

    `score` is in [0, 1], or None where it cannot be known, for the reason in `problem`. `steps` are the gated rewards in
    [-1, 1] of the completion's steps, None where the judge gave none; `trace` says where each comes from. `outcome` says
    whether the final answer is right, None where that was not asked. `misread` is where the first premise stands that
    the figure denies, for credit assignment.
    """

    score: float | None
    steps: tuple[float | None, ...]
    trace: CandidateTrace
    outcome: bool | None = None
    problem: str | None = None
    misread: Misreading | None = None


class RewardFunction:
    """Scores completions with a pipeline. Any number of threads may call it; a picture is read once."""

    def __init__(self, pipeline: Pipeline, terms: Terms | None = None) -> None:
        self.terms = terms or Terms()
        self._pipeline = replace(pipeline, extractor=_ReadOnce(pipeline.extractor))
        self._answers = AnswerChecker()
        self._pictures = _PictureFiles()

    @classmethod
    def from_recipe(
        cls, name: str = "embedded", changes: Mapping[str, str] | None = None, terms: Terms | None = None
    ) -> RewardFunction:
        """A reward function from a shipped recipe's name or the path of your own, with `{"gate": "off"}` changes."""
        return cls(build(load_recipe(name, changes)), terms)

    def __call__(
        self, images: Sequence[Any], questions: Sequence[str], completions: Sequence[str]
    ) -> list[float | None]:
        """The scores of completions, each with its own picture (or list of pictures, or None) and question."""
        asked = [self.problem(question, image) for question, image in zip(questions, images, strict=True)]
        return [reward.score for reward in self.rewards(asked, completions)]

    def problem(
        self,
        question: str,
        image: Any = None,
        *,
        options: Iterable[Any] | None = None,
        answer: Any = None,
        constraints: Any = None,
    ) -> Problem:
        """A problem from a question and its pictures in any form, with what else is known of it.

        Constraints are a list as in Appendix A, or that list as JSON text, which flat tables can hold; where they are
        given, the picture is not looked at.
        """
        images = self._pictures.paths(image)
        choices = () if options is None else tuple(map(str, options))
        truth = None if answer is None else str(answer)
        facts = constraints
        if isinstance(constraints, str):
            with suppress(
                ValueError
            ):  # what is no JSON stays as it is, and is then that problem's fault, not the batch's
                facts = json.loads(constraints)
        elif constraints is not None:
            facts = list(constraints)
        told = json.dumps([question, images, choices, truth, facts], default=str, sort_keys=True)
        return Problem(
            id=sha256(told.encode(errors="surrogatepass")).hexdigest()[:16], question=question, images=images,
            options=choices, answer=truth, extra={} if facts is None else {"constraints": facts},
        )  # fmt: skip

    def rewards(self, problems: Sequence[Problem], completions: Sequence[str]) -> list[Reward]:
        """A reward per completion, in order. A completion earns the same alone as among any others."""
        if len(problems) != len(completions):
            raise RecordError(f"{len(problems)} problems for {len(completions)} completions")
        asked = []
        for one, text in zip(problems, completions, strict=True):
            # alone: beside others, a judge may refute an answer by the one of them that holds
            solution = candidate_from_text(text, "1", one.question, one.options)
            asked.append(replace(one, candidates=(solution,)))
        traces = self._pipeline.traces(asked)
        return [self._reward(trace, text) for trace, text in zip(traces, completions, strict=True)]

    def close(self) -> None:
        """End the processes and connections that the parts hold, and remove the pictures that were kept."""
        self._pipeline.close()
        self._answers.close()
        self._pictures.close()

    def _reward(self, trace: Trace, completion: str) -> Reward:
        [candidate], problem = trace.candidates, trace.problem
        steps, share = tuple(step.reward for step in candidate.steps), self.terms.outcome
        outcome = score = reason = None
        if not trace.constraints and trace.extraction.problem is not None:
            reason = trace.extraction.problem
        elif steps and set(steps) == {None}:
            reason = "the judge gave no reward"
        if share and problem.answer is not None:
            outcome = self._answers.compare(problem.answer, candidate.final_answer, problem.options).equal
        elif share:
            reason = "there is no answer to compare with"
        if reason is None:
            score = (1.0 - share) * self._steps_score(candidate) + share * float(bool(outcome))
        misread = first_misreading(candidate, completion)
        return Reward(score=score, steps=steps, trace=candidate, outcome=outcome, problem=reason, misread=misread)

    def _steps_score(self, candidate: CandidateTrace) -> float:
        """What the steps earn, in [0, 1]; nothing if nothing was said."""
        given = [step.reward for step in candidate.steps if step.reward is not None]
        if not given or (self.terms.needs_answer and candidate.final_answer is None):
            return 0.0
        return (min(given) + 1.0) / 2.0 if self.terms.by == "least" else min(candidate.score, 1.0)

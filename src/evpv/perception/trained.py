"""`TrainedExtractor`: constraints from a model that `evpv train extractor` made, asked as it was in training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evpv.backends.ledger import identity
from evpv.perception.cache import CachedExtractor, cache_folder
from evpv.perception.chat import extraction_of
from evpv.perception.constraint_answers import CONSTRAINTS_SCHEMA, read_constraints_answer
from evpv.protocols import ChatBackend, ChatReply, ChatRequest, Description, Sampling
from evpv.types import Extraction, Problem

_STAGE = "extract"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedExtractor:
    """E_φ: the picture and the bare question in, the JSON array out; the form of the answer was learnt, not asked for.

    The schema is enforced while the answer is written, where the backend can. What was read is kept in the folder
    `cache` ("auto": the user's cache folder, "": nowhere), keyed by `version`.
    """

    backend: ChatBackend
    max_tokens: int = 1024
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int | None = None
    cache: str = "auto"

    @property
    def version(self) -> str:
        """The model, how long it may write, and how it draws its words where it does."""
        drawn = f"-{self.temperature}-{self.top_p}-{self.seed}" if self.temperature else ""
        return f"trained-{identity(self.backend)}-{self.max_tokens}{drawn}"

    @property
    def description(self) -> Description:
        return Description(
            reads_constraints=False, asks=True, extras=("chat",), calls=lambda problem: int(bool(problem.images))
        )

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        """One extraction per problem; without an image nothing is asked."""
        if self.cache:
            return CachedExtractor(replace(self, cache=""), cache_folder(self.cache)).extract(problems)
        seen = [problem for problem in problems if problem.images]
        replies = iter(self.backend.ask([self._request(problem) for problem in seen]))
        return [_extraction(next(replies)) if problem.images else Extraction() for problem in problems]

    def _request(self, problem: Problem) -> ChatRequest:
        return ChatRequest(
            prompt=problem.question,
            images=problem.images,
            schema=CONSTRAINTS_SCHEMA,
            sampling=Sampling(
                temperature=self.temperature, top_p=self.top_p, max_tokens=self.max_tokens, seed=self.seed
            ),
            stage=_STAGE,
            problem_id=problem.id,
        )


def _extraction(reply: ChatReply) -> Extraction:
    if reply.text is None:
        return Extraction(problem=f"the model gave no answer: {reply.problem}", answered=False)
    return extraction_of(reply, read_constraints_answer(reply.text))

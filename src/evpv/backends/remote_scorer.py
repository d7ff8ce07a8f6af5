"""Scores steps with a model behind vLLM, which tells the probability of any token by its number.

One question per step: the text up to the step's end, one token to be answered, the two labels' log-probabilities asked for.
All questions of a problem go out together, so that the server reads its picture and question once (its prefix cache).
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from typing import Any

from evpv.backends import wire
from evpv.backends.endpoint import CallError, Endpoint, Persistence
from evpv.backends.images import ImageEncoder, ImagePolicy, SentImage
from evpv.backends.step_forms import Server, StepForm, StepQuestion, StepScores
from evpv.errors import ConfigError, ImageError
from evpv.protocols import ChatRequest

_CONTROL = re.compile(r"<\|[A-Za-z0-9_]+\|>")
_Message = dict[str, Any]


class RemoteScorer:
    """A step reward model at a server of vLLM's; the same numbers as `OnePassScorer` gives for the same checkpoint.

    A marker or label that is not one token of the served model is refused; a server that does not tell the labels'
    log-probabilities gives every candidate that as its problem.
    """

    def __init__(self, model: str, server: Server, *, form: StepForm, images: ImagePolicy) -> None:
        self.name = model
        self._form = form
        self._persistence = Persistence(attempts=server.attempts)
        self._encoder = ImageEncoder(images)
        self._endpoint = Endpoint(server.base_url, server.api_key_env, server.timeout_s, server.concurrency)
        self._labels = self._endpoint.submit(self._label_ids()).result()

    def close(self) -> None:
        self._endpoint.close()

    def score(self, questions: Sequence[StepQuestion]) -> list[list[StepScores]]:
        """For each question the scores of its candidates, in order; one problem's questions after another's."""
        return [self._endpoint.submit(self._problem(question)).result() for question in questions]

    async def _problem(self, question: StepQuestion) -> list[StepScores]:
        try:
            images = [await asyncio.to_thread(self._encoder.encode_file, path) for path in question.images]
        except ImageError as error:
            return [StepScores(problem=str(error) if steps else None) for steps in question.candidates]
        asked = (self._candidate(question.text, images, steps) for steps in question.candidates)
        return list(await asyncio.gather(*asked))

    async def _candidate(self, text: str, images: Sequence[SentImage], steps: Sequence[str]) -> StepScores:
        asked = (messages(self._form, text, images, steps[: count + 1]) for count in range(len(steps)))
        try:
            found = await asyncio.gather(*(self._probability(each) for each in asked))
        except CallError as error:
            return StepScores(problem=f"the server gave no score: {error.reason}")
        return StepScores(probabilities=tuple(found))

    async def _probability(self, asked: Sequence[_Message]) -> float:
        """P(right) against P(wrong) at the end of the text; tried again where that may help."""
        answers, tried, right, wrong = self._form.turns == "many", 0, self._form.right, self._form.wrong
        body = {
            "model": self.name, "messages": list(asked), "add_generation_prompt": answers,
            "continue_final_message": not answers, "max_tokens": 1, "temperature": 0.0, "logprobs": True,
            "logprob_token_ids": self._labels,
        }  # fmt: skip
        while True:
            tried += 1
            try:
                async with self._endpoint.slots:
                    payload = await self._endpoint.complete(body)
                found = wire.reply(payload, ChatRequest(prompt="", labels=(right, wrong))).label_logprobs
                if len(found) == 2:
                    return 1 / (1 + math.exp(min(700.0, found[wrong] - found[right])))
                # a server that does not know the field for tokens by number leaves one of them out
                raise CallError(
                    "it did not tell the labels' log-probabilities by token number, as vLLM does", again=False
                )
            except CallError as error:
                wait_s = self._persistence.wait_s(error, tried)
                if wait_s is None:
                    raise
            await asyncio.sleep(wait_s)

    async def _label_ids(self) -> list[int]:
        form = self._form
        texts = [form.right, form.wrong] + ([form.marker] if form.turns == "one" else [])
        try:
            numbers = [await self._endpoint.token_ids(self.name, text) for text in texts]
        except CallError as error:
            raise ConfigError(f"{self._endpoint.url} does not tell tokens, as vLLM does: {error.reason}") from error
        for text, found in zip(texts, numbers, strict=True):
            if len(found) != 1:
                raise ConfigError(f"{text!r} is {len(found)} tokens of {self.name!r}; it must be read from one.")
        return [found[0] for found in numbers[:2]]


def messages(form: StepForm, text: str, images: Sequence[SentImage], steps: Sequence[str]) -> list[_Message]:
    """The chat up to the end of the last of the steps, where the labels are read."""
    plain = [_plain(step, form).strip() for step in steps]
    opening = form.opened(_plain(text, form))
    pictures = [{"type": "image_url", "image_url": {"url": image.uri}} for image in images]
    turns: list[_Message] = [{"role": "system", "content": form.system}] if form.system else []
    if form.turns == "many":
        turns.append({"role": "user", "content": form.content(opening + plain[0], pictures)})
        for step in plain[1:]:
            turns.append({"role": "assistant", "content": form.right})
            turns.append({"role": "user", "content": [{"type": "text", "text": step}]})
        return turns
    joined = form.after.join(step + form.marker for step in plain)
    first = opening + joined if form.steps_in_opening else opening
    turns.append({"role": "user", "content": form.content(first, pictures)})
    return turns if form.steps_in_opening else [*turns, {"role": "assistant", "content": joined}]


def _plain(text: str, form: StepForm) -> str:
    """Text without control tokens, which a server would take for what they are."""
    return _CONTROL.sub(" ", text.replace(form.marker, " ") if form.marker else text)

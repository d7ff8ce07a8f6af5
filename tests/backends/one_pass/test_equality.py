"""One forward for all steps of all candidates gives what a forward per step gives, however the work is cut."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import HealthCheck, Phase, given, settings
from step_by_step import Reference

from evpv.backends.local_weights import Weights
from evpv.backends.one_pass import OnePassScorer
from evpv.backends.step_forms import MARKER, Batching, StepQuestion

NEAR = 1e-5
TEXTS = (
    "AB = 12 cm.",
    "So",
    "",
    "The figure labels segment AB as 12 cm, so angle ABC is 65 degrees.",
    "−3 + 4 = 1",
    "A step\nof two lines",
    "it ends<|im_end|>or<|box_end|>not",
    "∠ABC ≅ 角",
)


@cache
def scorer(folder: Path, batch_tokens: int = 32_768, chunk_tokens: int = 1024) -> OnePassScorer:
    batching = Batching(batch_tokens=batch_tokens, chunk_tokens=chunk_tokens)
    return OnePassScorer(Weights(model=str(folder), dtype="float32"), batching=batching)


def one_by_one(reference: Reference, question: StepQuestion) -> list[tuple[float, ...]]:
    """A forward per step, its text written here as training writes it."""
    pads = "<|vision_start|><|image_pad|><|vision_end|>" * len(question.images)
    prefix = f"<|im_start|>user\n{pads}{plain(question.text)}<|im_end|>\n<|im_start|>assistant\n"
    scores = []
    for steps in question.candidates:
        texts = [f"{plain(step).strip()}{MARKER}" for step in steps]
        ends = [prefix + "\n".join(texts[: count + 1]) for count in range(len(texts))]
        scores.append(tuple(reference.probability(end, question.images) for end in ends))
    return scores


def plain(text: str) -> str:
    return text.replace("<|im_end|>", " ").replace(MARKER, " ")


steps = st.lists(st.sampled_from(TEXTS), min_size=0, max_size=4).map(tuple)
questions = st.builds(
    lambda text, images, candidates: (text, tuple(images), tuple(candidates)),
    st.sampled_from(TEXTS),
    st.lists(st.integers(0, 3), max_size=2),
    st.lists(steps, min_size=1, max_size=4),
)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
)
@given(
    asked=st.lists(questions, min_size=1, max_size=3),
    batch_tokens=st.sampled_from([1, 150, 32_768]),
    chunk_tokens=st.sampled_from([1, 5, 16, 1024]),
)
def test_one_pass_equals_a_forward_per_step(
    toy: Path,
    reference: Reference,
    pictures: tuple[str, ...],
    asked: list[tuple[str, tuple[int, ...], tuple[tuple[str, ...], ...]]],
    batch_tokens: int,
    chunk_tokens: int,
) -> None:
    given_questions = [
        StepQuestion(text=text, images=tuple(pictures[number] for number in images), candidates=candidates)
        for text, images, candidates in asked
    ]
    answers = scorer(toy, batch_tokens, chunk_tokens).score(given_questions)
    for question, scores in zip(given_questions, answers, strict=True):
        assert [found.problem for found in scores] == [None] * len(question.candidates)
        for found, truth in zip(scores, one_by_one(reference, question), strict=True):
            assert found.probabilities == pytest.approx(truth, abs=NEAR)


def test_the_probabilities_that_are_compared_differ(toy: Path, pictures: tuple[str, ...]) -> None:
    """Else an equality of halves with halves would prove nothing."""
    question = StepQuestion(text="Find AB.", images=(pictures[0],), candidates=(TEXTS,))
    found = scorer(toy).score([question])[0][0].probabilities
    assert max(found) - min(found) > 0.1


def test_order_and_company_change_nothing(toy: Path, pictures: tuple[str, ...]) -> None:
    candidates = (TEXTS[:4], TEXTS[4:], TEXTS[2:3], TEXTS)
    together = StepQuestion(text="Find AB.", images=(pictures[1],), candidates=candidates)
    backwards = StepQuestion(text="Find AB.", images=(pictures[1],), candidates=candidates[::-1])
    other = StepQuestion(text="And CD, in many more words than that?", images=(pictures[3],), candidates=candidates[:2])
    truth = scorer(toy).score([together])[0]
    mixed = scorer(toy).score([other, backwards, other])[1][::-1]
    alone = [
        scorer(toy).score([StepQuestion(text="Find AB.", images=(pictures[1],), candidates=(each,))])[0][0]
        for each in candidates
    ]
    for one, two, three in zip(truth, mixed, alone, strict=True):
        assert one.probabilities == pytest.approx(two.probabilities, abs=1e-6)
        assert one.probabilities == pytest.approx(three.probabilities, abs=1e-6)


def test_each_picture_is_encoded_once_for_all_candidates(toy: Path, pictures: tuple[str, ...]) -> None:
    small_batches = scorer(toy, batch_tokens=1)
    before = small_batches.image_encodes
    question = StepQuestion(text="Find AB.", images=pictures[:1], candidates=(TEXTS[:3],) * 5)
    empty = StepQuestion(text="Nobody answered.", images=pictures[:1], candidates=((),))
    small_batches.score([question, empty])
    assert small_batches.image_encodes - before == 1


def test_another_picture_gives_another_score(toy: Path, pictures: tuple[str, ...]) -> None:
    first, second, none = (
        scorer(toy).score([StepQuestion(text="Find AB.", images=images, candidates=(("AB = 12 cm.",),))])[0][0]
        for images in (pictures[:1], pictures[1:2], ())
    )
    assert len({first.probabilities, second.probabilities, none.probabilities}) == 3


def test_halves_are_near_the_whole(toy: Path, pictures: tuple[str, ...]) -> None:
    question = StepQuestion(text="Find AB.", images=pictures[:1], candidates=(TEXTS[:4],))
    whole = scorer(toy).score([question])[0][0].probabilities
    half = OnePassScorer(Weights(model=str(toy), dtype="bfloat16")).score([question])[0][0].probabilities
    assert half != whole
    assert half == pytest.approx(whole, abs=0.1)


def test_threads_do_not_disturb_each_other(toy: Path, pictures: tuple[str, ...]) -> None:
    from concurrent.futures import ThreadPoolExecutor

    asked = [
        StepQuestion(text="Find AB.", images=pictures[number % 4 :][:1], candidates=(TEXTS[:3],)) for number in range(8)
    ]
    alone = [scorer(toy).score([question])[0][0].probabilities for question in asked]
    with ThreadPoolExecutor(4) as pool:
        found = [
            answer[0][0].probabilities for answer in pool.map(lambda question: scorer(toy).score([question]), asked)
        ]
    assert torch.allclose(torch.tensor(found), torch.tensor(alone), atol=1e-6)

"""Where labels are read: the right place in each form, and models that cannot be read there are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from step_by_step import Reference

from evpv.backends.local_weights import Weights
from evpv.backends.one_pass import OnePassScorer, _Continuation, _Prefix
from evpv.backends.step_forms import PROCESS, StepForm, StepQuestion
from evpv.errors import ConfigError
from evpv.training.architecture import build

STEPS = ("AB = 12 cm.", "So CD is 25.", "This is option B.")
PICTURE = "<|vision_start|><|image_pad|><|vision_end|>"
NEAR = 1e-5
TURNS = StepForm(turns="many", marker="", opening=PROCESS)
IN_USER_TURN = StepForm(marker="<|quad_end|>", after=" ", opening="Question: {question} Process: {steps}")


def opened(folder: Path, form: StepForm) -> OnePassScorer:
    return OnePassScorer(Weights(model=str(folder), dtype="float32"), form=form)


def read(folder: Path, form: StepForm, picture: str) -> tuple[float, ...]:
    question = StepQuestion(text="Find CD.", images=(picture,), candidates=(STEPS,))
    return opened(folder, form).score([question])[0][0].probabilities


def turns_text(steps: Sequence[str]) -> str:
    """VisualPRM's conversation up to where the model would answer the last of the steps."""
    text = f"<|im_start|>user\n### Question:\n{PICTURE}Find CD.\n\n### Solution Process:\n{steps[0]}<|im_end|>\n"
    for step in steps[1:]:
        text += f"<|im_start|>assistant\n+<|im_end|>\n<|im_start|>user\n{step}<|im_end|>\n"
    return text + "<|im_start|>assistant\n"


def test_turns_are_read_before_the_forced_answer(toy: Path, reference: Reference, pictures: tuple[str, ...]) -> None:
    found = read(toy, TURNS, pictures[0])
    ends = [turns_text(STEPS[: count + 1]) for count in range(len(STEPS))]
    assert found == pytest.approx([reference.probability(end, pictures[:1]) for end in ends], abs=NEAR)
    late = [reference.probability(end + "+", pictures[:1]) for end in ends]
    assert min(abs(one - other) for one, other in zip(found, late, strict=True)) > 100 * NEAR


@pytest.mark.parametrize(
    ("form", "start", "between"),
    [
        (StepForm(), f"<|im_start|>user\n{PICTURE}Find CD.<|im_end|>\n<|im_start|>assistant\n", "<|box_end|>\n"),
        (IN_USER_TURN, f"<|im_start|>user\n{PICTURE}Question: Find CD. Process: ", "<|quad_end|> "),
        (
            StepForm(system="You verify.", marker="<|quad_start|>", after="\n\n"),
            f"<|im_start|>system\nYou verify.<|im_end|>\n<|im_start|>user\n{PICTURE}Find CD.<|im_end|>\n<|im_start|>assistant\n",
            "<|quad_start|>\n\n",
        ),
    ],
    ids=["own", "in the user's turn", "with a system turn"],
)
def test_markers_are_read_at_the_marker_itself(
    toy: Path, reference: Reference, pictures: tuple[str, ...], form: StepForm, start: str, between: str
) -> None:
    found = read(toy, form, pictures[0])
    ends = [start + between.join(STEPS[: count + 1]) + form.marker for count in range(len(STEPS))]
    assert found == pytest.approx([reference.probability(end, pictures[:1]) for end in ends], abs=NEAR)
    late = [reference.probability(end + form.after, pictures[:1]) for end in ends]
    early = [reference.probability(end, pictures[:1], back=2) for end in ends]
    assert min(abs(one - other) for one, other in zip(found * 2, late + early, strict=True)) > 100 * NEAR


def test_other_labels_are_other_numbers(toy: Path, pictures: tuple[str, ...]) -> None:
    plus, letters = (read(toy, StepForm(right=right, wrong=wrong), pictures[0]) for right, wrong in ("+-", "BA"))
    swapped = read(toy, StepForm(right="-", wrong="+"), pictures[0])
    assert plus != pytest.approx(letters, abs=1e-3)
    assert swapped == pytest.approx([1 - p for p in plus], abs=1e-6)


@pytest.mark.parametrize(
    ("form", "says"),
    [
        (StepForm(marker="<end of step>"), "the marker '<end of step>' is"),
        (StepForm(right="Yes, surely"), "the label 'Yes, surely' is"),
        (StepForm(right="+", wrong="+"), "are the same token"),
    ],
)
def test_what_is_not_one_token_is_refused(toy: Path, form: StepForm, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        opened(toy, form)


def test_a_marker_that_joins_what_follows_is_refused(tmp_path: Path) -> None:
    joining = build(tmp_path / "joining", runs=("}\n",))
    with pytest.raises(ConfigError, match="cut otherwise where a step meets its end"):
        opened(joining, StepForm(marker="}"))


class OffByOne(OnePassScorer):
    """Reads one token away from where it should."""

    shift = 1

    def _row(self, prefix: _Prefix, steps: Sequence[str]) -> _Continuation:
        row = super()._row(prefix, steps)
        tokens = (*row.tokens, row.tokens[0])
        return replace(row, tokens=tokens, places=tuple(place + self.shift for place in row.places))


class OneEarly(OffByOne):
    shift = -1


class Forgetful(OnePassScorer):
    """Counts a picture's positions as if each of its tokens took one."""

    def _read(self, text: str, pictures: Sequence[object]) -> _Prefix:
        prefix = super()._read(text, pictures)  # type: ignore[arg-type]
        return replace(prefix, next_position=prefix.length)


@pytest.mark.parametrize("form", [StepForm(), TURNS, IN_USER_TURN], ids=["own", "turns", "in the user's turn"])
@pytest.mark.parametrize("wrong", [OffByOne, OneEarly, Forgetful])
def test_a_wrong_reading_is_refused_when_the_model_is_loaded(
    toy: Path, wrong: type[OnePassScorer], form: StepForm
) -> None:
    with pytest.raises(ConfigError, match="gives other numbers at the steps' ends"):
        wrong(Weights(model=str(toy), dtype="float32"), form=form)


@pytest.mark.parametrize(
    "settings",
    [
        {"opening": "no place for a question"},
        {"opening": "{question} {question}"},
        {"opening": "{question} {steps} {steps}"},
        {"opening": "{steps} {question}"},
        {"turns": "many", "opening": "{question} {steps} and then"},
        {"turns": "many"},
        {"turns": "several"},
        {"marker": ""},
    ],
)
def test_a_form_without_sense_is_refused(settings: dict[str, str]) -> None:
    with pytest.raises(ConfigError):
        StepForm(**settings)  # type: ignore[arg-type]

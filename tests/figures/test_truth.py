"""What the generator says is true, is: answers, labels, arithmetic, boxes."""

from __future__ import annotations

import re
from collections import Counter
from typing import get_args

import numpy as np
import pytest

from evpv.figures import FigureProblem, families, small_families
from evpv.figures.writing import _ErrorName
from evpv.types import Candidate, Numeric, Relation, Structure


def _faultless(candidate: Candidate) -> bool:
    return all(step.label == 1 for step in candidate.steps)


def test_a_candidate_without_a_wrong_step_gives_the_gold_answer(made: list[FigureProblem]) -> None:
    for one in made:
        clean = [candidate for candidate in one.problem.candidates if _faultless(candidate)]
        assert 2 <= len(clean) <= 4
        assert {candidate.final_answer for candidate in clean} == {one.problem.answer}


def test_correct_means_that_the_final_answer_is_the_gold_one(made: list[FigureProblem]) -> None:
    for one in made:
        for candidate in one.problem.candidates:
            assert candidate.correct == (candidate.final_answer == one.problem.answer)
            assert candidate.correct or not _faultless(candidate)


def test_a_wrong_step_names_its_error_and_the_first_one_is_not_inherited(made: list[FigureProblem]) -> None:
    for one in made:
        for candidate in one.problem.candidates:
            wrong = [step for step in candidate.steps if step.label == -1]
            assert all(step.error in get_args(_ErrorName) for step in wrong)
            assert not wrong or not wrong[0].inherited
            right = [step for step in candidate.steps if step.label == 1]
            assert all(step.error is None for step in right)


@pytest.mark.parametrize("family", [*families(), *small_families()])
def test_every_family_shows_visual_faults_and_others_and_right_answers_by_wrong_steps(
    made: list[FigureProblem], family: str
) -> None:
    candidates = [c for one in made if one.problem.extra["family"] == family for c in one.problem.candidates]
    errors = Counter(error for candidate in candidates for error in candidate.extra["errors"])
    visual = sum(count for error, count in errors.items() if error.startswith("visual"))
    assert 0.35 <= visual / errors.total() <= 0.7
    assert len(errors) >= 5
    assert any(candidate.correct and not _faultless(candidate) for candidate in candidates)


def test_all_errors_of_the_taxonomy_occur(made: list[FigureProblem]) -> None:
    found = {error for one in made for candidate in one.problem.candidates for error in candidate.extra["errors"]}
    assert found == set(get_args(_ErrorName))


def test_a_majority_is_neither_useless_nor_always_right(made: list[FigureProblem]) -> None:
    right = 0.0
    for one in made:
        votes = Counter(candidate.final_answer for candidate in one.problem.candidates).most_common()
        best = [answer for answer, count in votes if count == votes[0][1]]
        right += (one.problem.answer in best) / len(best)
    assert 0.5 < right / len(made) < 0.85


def test_a_place_in_the_list_says_nothing_about_being_right(made: list[FigureProblem]) -> None:
    right = Counter(c.id for one in made for c in one.problem.candidates if c.correct)
    shares = [right[str(i + 1)] / len(made) for i in range(8)]
    assert max(shares) - min(shares) < 0.12


def _known_numbers(one: FigureProblem) -> set[str]:
    """Every number that a gold constraint holds, in its value or in its words, and the question's."""
    words = [one.problem.question]
    for fact in one.constraints:
        match fact:
            case Numeric():
                words += [fact.entity, f"{fact.value:g}"]
            case Relation():
                words += fact.entities
            case Structure():
                words += [*fact.parts, *fact.attachment, *fact.adjacency]
    return set(re.findall(r"-?\d+(?:\.\d+)?", " ".join(words).replace("−", "-")))


def test_the_claims_of_right_steps_say_what_the_gold_constraints_say(made: list[FigureProblem]) -> None:
    checked = 0
    for one in made:
        known = _known_numbers(one)
        for candidate in one.problem.candidates:
            for step in candidate.steps:
                if step.claim is None or not step.visual or step.label != 1:
                    continue
                numbers = re.findall(r"-?\d+(?:\.\d+)?", step.claim.replace("−", "-"))
                assert set(numbers) <= known, (one.problem.id, step.claim)
                checked += 1
    assert checked > 10 * len(made)


def test_flags_are_left_out_and_set_for_nothing_now_and_then(made: list[FigureProblem]) -> None:
    steps = [step for one in made for candidate in one.problem.candidates for step in candidate.steps]
    looks = [step for step in steps if step.visual]
    others = [step for step in steps if not step.visual]
    assert 0.04 < np.mean([step.claim is None for step in looks]) < 0.09
    assert 0.03 < np.mean([step.claim is not None for step in others]) < 0.09


def test_solutions_of_one_problem_differ_in_their_wording(made: list[FigureProblem]) -> None:
    different = [
        len({tuple(step.text for step in candidate.steps) for candidate in one.problem.candidates}) for one in made
    ]
    assert np.mean(different) > 7.5


def test_every_box_lies_in_the_picture_and_holds_ink(made: list[FigureProblem]) -> None:
    for one in made:
        grey = np.asarray(one.image.convert("L"), dtype=float)
        for fact in one.constraints:
            assert fact.box is not None, (one.problem.id, fact)
            x0, y0, x1, y1 = fact.box
            assert -1 <= x0 < x1 <= one.image.width + 1, (one.problem.id, fact)
            assert -1 <= y0 < y1 <= one.image.height + 1, (one.problem.id, fact)
            inside = grey[max(0, int(y0)) : int(y1) + 1, max(0, int(x0)) : int(x1) + 1]
            assert inside.max() - inside.min() > 40, (one.problem.id, fact)


def test_options_hold_the_answer_once(made: list[FigureProblem]) -> None:
    with_options = [one for one in made if one.problem.options]
    assert len(with_options) > 50
    for one in with_options:
        assert len(set(one.problem.options)) == len(one.problem.options) >= 2
        assert one.problem.answer is not None
        assert 0 <= ord(one.problem.answer) - ord("A") < len(one.problem.options)

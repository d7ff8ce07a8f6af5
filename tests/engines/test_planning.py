"""Jobs: nothing is lost, nothing is there twice, and one image is one worker's."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evpv.engines.work import Batch, groups_of_one_image, jobs_of
from evpv.records.problems import Place
from evpv.types import Problem


def placed(images: list[int | None]) -> list[tuple[Place, Problem]]:
    """Problems with these images, by number; None has no image."""
    return [
        (
            Place(problem_id=str(line), line=line, start=10 * line),
            Problem(id=str(line), question="", images=() if image is None else (f"{image}.png",)),
        )
        for line, image in enumerate(images)
    ]


def names(job: Batch) -> list[str]:
    return [place.problem_id for place in job]


def test_problems_of_one_image_are_a_group_where_the_image_comes_first() -> None:
    groups = groups_of_one_image(placed([1, 2, None, 1, None, 2]), lambda name: True)
    assert [names(group) for group in groups] == [["0", "3"], ["1", "5"], ["2"], ["4"]]


def test_what_is_done_is_left_out() -> None:
    groups = groups_of_one_image(placed([1, 1, 2]), lambda name: name != "1")
    assert [names(group) for group in groups] == [["0"], ["2"]]


@given(st.lists(st.one_of(st.none(), st.integers(0, 5)), max_size=60), st.integers(1, 20))
def test_every_problem_is_in_one_job_and_no_image_in_two(images: list[int | None], size: int) -> None:
    problems = placed(images)
    jobs = list(jobs_of(groups_of_one_image(problems, lambda name: True), size))
    assert sorted(int(name) for job in jobs for name in names(job)) == list(range(len(images)))
    assert all(len(job) >= size for job in jobs[:-1])
    for image in {image for image in images if image is not None}:
        holders = [job for job in jobs if any(images[place.line] == image for place in job)]
        assert len(holders) == 1

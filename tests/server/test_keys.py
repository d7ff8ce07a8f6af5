"""Keys, rates and limits, as values."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from evpv.cli import app
from evpv.errors import ConfigError
from evpv.server.limits import Limits, Rates, add_key, limits_from, read_keys


def test_a_key_is_told_once_and_kept_as_a_digest(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    told = CliRunner().invoke(app, ["serve", "--keys-file", str(file), "--new-key", "someone"])
    assert told.exit_code == 0
    key, other = told.stdout.strip(), add_key(file, "other")
    assert key not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    keys = read_keys(file)
    assert (keys.owner(key), keys.owner(other), keys.owner("wrong"), keys.owner("")) == ("someone", "other", None, None)


def test_a_key_needs_a_file_and_a_plain_name(tmp_path: Path) -> None:
    assert "--keys-file" in str(CliRunner().invoke(app, ["serve", "--new-key", "someone"]).exception)
    for name in ("a b", "", "a\nb", "x" * 65):
        with pytest.raises(ConfigError, match="a key's name"):
            add_key(tmp_path / "keys", name)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plain-key-in-the-file\n", "bad:1: a line is a name and the SHA-256"),
        ("# nobody\n\n", "there is no key in it"),
        (f"a {64 * '0'}\nb {63 * '0'}\n", "bad:2:"),
    ],
)
def test_a_bad_file_of_keys_is_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "bad").write_text(text)
    with pytest.raises(ConfigError, match=said):
        read_keys(tmp_path / "bad")


@given(st.lists(st.floats(0, 5), min_size=1, max_size=200), st.floats(1, 600))
def test_no_one_gets_more_than_the_rate_and_the_burst(gaps: list[float], per_minute: float) -> None:
    rates, now, taken = Rates(per_minute=per_minute), 0.0, 0
    for gap in gaps:
        now += gap
        taken += rates.wait_s("someone", now) == 0
    assert taken <= max(per_minute / 10, 1) + now * per_minute / 60 + 1e-6


def test_who_waits_as_told_gets_a_turn_and_others_are_not_held_up() -> None:
    rates = Rates(per_minute=30)
    assert [rates.wait_s("a", 0.0) for _ in range(3)] == [0, 0, 0]
    wait = rates.wait_s("a", 0.0)
    assert wait == pytest.approx(2.0)
    assert rates.wait_s("b", 0.0) == 0
    assert rates.wait_s("a", wait + 0.001) == 0


def test_memory_does_not_grow_with_the_number_of_strangers() -> None:
    rates = Rates(per_minute=60)
    for number in range(25_000):
        rates.wait_s(str(number), number / 100)
    assert len(rates._buckets) <= 10_000


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"que": "3"}, "did you mean 'queue'"),
        ({"queue": "many"}, "is a number"),
        ({"queue": "2.5"}, "is a number"),
        ({"timeout-s": "0"}, "must be above 0"),
        ({"body-mb": "-1"}, "must be above 0"),
    ],
)
def test_a_limit_that_does_not_exist_or_fit_is_told(settings: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        limits_from(settings)


def test_limits_are_set_by_their_names() -> None:
    assert limits_from({}) == Limits()
    assert limits_from({"queue": "3", "body-mb": "0.5"}) == Limits(queue=3, body_mb=0.5)

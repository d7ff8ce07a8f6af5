"""docs/serving.md names what there is: limits with their defaults, paths, tests."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from evpv.server.app import Service, create_app
from evpv.server.images import ImageStore
from evpv.server.limits import Limits
from evpv.server.metrics import Metrics
from evpv.server.pool import Pool, WorkerOrder

TEXT = (Path(__file__).parents[2] / "docs" / "serving.md").read_text(encoding="utf-8")


def test_every_limit_is_listed_with_its_default() -> None:
    for one in fields(Limits):
        name = one.name.replace("_", "-")
        [row] = [line for line in TEXT.splitlines() if line.startswith("| `") and f"`{name}`" in line.split("|")[1]]
        assert re.search(rf"\b{one.default:g}\b", row.split("|")[2]), row


def test_every_path_is_listed(tmp_path: Path) -> None:
    order = WorkerOrder(recipe="embedded", changes={}, folder=tmp_path)
    pool = Pool(order=order, workers=1, most_waiting=1, timeout_s=1)
    service = Service(pool=pool, store=ImageStore(folder=tmp_path, most_bytes=1), limits=Limits(), fetcher=None)
    paths = create_app(service, Metrics()).openapi()["paths"]
    assert len(paths) >= 9
    for path in paths:
        assert f"{path}`" in TEXT, path


def test_every_test_file_that_is_named_exists() -> None:
    named = set(re.findall(r"`(?:tests/server/)?(test_\w+\.py)`", TEXT))
    assert len(named) >= 6
    for name in named:
        assert (Path(__file__).parent / name).exists(), name

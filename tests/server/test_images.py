"""The store of images keeps what is held and its bound."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evpv.server.images import ImageStore, StoredImage, UnknownImageError


def image(number: int, size: int) -> tuple[StoredImage, bytes]:
    content = bytes([number]) * size
    return StoredImage(id=sha256(content).hexdigest(), kind="png", width=1, height=1, bytes=size), content


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 60), st.booleans()), max_size=40))
def test_what_is_held_is_there_and_the_rest_keeps_the_bound(
    tmp_path_factory: pytest.TempPathFactory, events: list[tuple[int, int, bool]]
) -> None:
    store = ImageStore(folder=tmp_path_factory.mktemp("store"), most_bytes=100)
    held: list[str] = []
    for number, size, keep in events:
        one, content = image(number, size)
        store.hold_new(one, content)
        held.append(one.id)
        if not keep:
            store.let_go([held.pop(0)])
        for name in held:
            assert (store.folder / name).exists()
    store.let_go(held)
    assert sum(file.stat().st_size for file in store.folder.iterdir()) <= 100


def test_the_longest_unused_goes_first(tmp_path: Path) -> None:
    store = ImageStore(folder=tmp_path, most_bytes=100)
    images = [image(number, 40) for number in range(3)]
    for one, content in images[:2]:
        store.hold_new(one, content)
        store.let_go([one.id])
    store.hold_known(images[0][0].id)
    store.let_go([images[0][0].id])
    store.hold_new(*images[2])
    store.let_go([images[2][0].id])
    with pytest.raises(UnknownImageError, match="upload it"):
        store.hold_known(images[1][0].id)
    store.hold_known(images[0][0].id)

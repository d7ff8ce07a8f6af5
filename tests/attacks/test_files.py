"""Files that are none, or are made to hurt: each is a sentence in a result, and never waits, fills the memory or runs a program."""

from __future__ import annotations

import os
import re
import shutil
import stat
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from PIL import Image

import evpv
from evpv.backends.images import ImageEncoder, ImagePolicy
from evpv.backends.store import AnswerStore
from evpv.errors import EvpvError, ImageError
from evpv.files import regular_content
from evpv.perception.cache import CachedExtractor
from evpv.perception.images import decode_pixels, load_pixels
from evpv.protocols import ChatReply, Description
from evpv.records.benchmarks import import_benchmark
from evpv.types import Extraction, Problem
from evpv.viewer.images import Pictures, _small_picture


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "fifo.png")
    return folder / "fifo.png"


def sparse(folder: Path) -> Path:
    make_hole(folder / "sparse.png")
    return folder / "sparse.png"


def make_hole(place: Path) -> None:
    """A file of a terabyte that takes no room."""
    with place.open("wb") as file:
        file.truncate(1 << 40)


def link_to_device(folder: Path) -> Path:
    (folder / "link.png").symlink_to("/dev/zero")
    return folder / "link.png"


def a_folder(folder: Path) -> Path:
    (folder / "folder.png").mkdir()
    return folder / "folder.png"


NO_FILES: tuple[Callable[[Path], Path], ...] = (
    fifo, sparse, link_to_device, a_folder, lambda _: Path("/dev/zero"), lambda _: Path("/dev/stdin"),
)  # fmt: skip


@pytest.mark.parametrize("make", NO_FILES, ids=["fifo", "sparse", "link", "folder", "zero", "stdin"])
def test_what_is_no_file_is_refused_before_it_is_opened(make: Callable[[Path], Path], tmp_path: Path) -> None:
    path = make(tmp_path)
    with pytest.raises(OSError, match=r"not a regular file|larger than"):
        regular_content(path, 1_000_000)
    with pytest.raises(ImageError, match=r"not a regular file|larger than"):
        load_pixels(path)
    with pytest.raises(ImageError, match=r"not a regular file|larger than"):
        ImageEncoder(ImagePolicy()).encode_file(str(path))
    assert Pictures(folder=tmp_path, page_folder=tmp_path, embed=True).page_images([str(path)]) == []
    assert read_count(tmp_path, str(path)) == 1  # the cache hands it on, unread


def eps() -> bytes:
    return b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 100\n%%EndComments\n(/tmp/evil) (w) file\n%%EOF\n"


def many_scans() -> bytes:
    return b"\xff\xd8" + b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" * 5_000 + b"\xff\xd9"


@pytest.mark.parametrize(
    ("name", "content"), [("eps", eps()), ("scans", many_scans()), ("pdf", b"%PDF-1.7\n"), ("empty", b"")]
)
def test_only_formats_that_we_name_are_decoded(name: str, content: bytes) -> None:
    with pytest.raises(ImageError):
        decode_pixels(content)
    assert _small_picture(content, 64) is None


def test_pictures_are_opened_by_the_formats_that_we_name_alone() -> None:
    """Pillow, left to itself, starts Ghostscript for an EPS that is called `.png`; so does nothing else open pictures."""
    package = Path(evpv.__file__).parent
    calls = {
        (file.relative_to(package).as_posix(), call)
        for file in package.rglob("*.py")
        for call in re.findall(r"\bImage\.open\(.*|\bcv2\.im(?:read|decode)\(.*", file.read_text(encoding="utf-8"))
    }
    assert {file for file, _ in calls} == {"backends/images.py"}
    assert all("formats=" in call for _, call in calls)


def test_a_bomb_is_refused_by_its_head() -> None:
    head = (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    )
    with pytest.raises(ImageError):
        decode_pixels(head + b"\0\0\0\0")


ODD_TABLES: dict[str, tuple[str, bytes | Callable[[Path], object], str]] = {
    "a pipe": ("a.jsonl", os.mkfifo, "there is no such file"),
    "a device": ("a.json", lambda place: place.symlink_to("/dev/zero"), "there is no such file"),
    "a hole of a terabyte as JSON": ("a.json", make_hole, "larger than"),
    "a hole as Parquet": ("a.parquet", make_hole, "is no Parquet"),
    "an empty Parquet": ("a.parquet", b"", "is no Parquet"),
    "something else called Parquet": ("a.parquet", bytes(range(256)) * 9, "is no Parquet"),
    "a number as JSON": ("a.json", b"7", "neither a list of rows nor an object"),
    "null as JSON": ("a.json", b"null", "neither a list of rows nor an object"),
    "nothing as JSON": ("a.json", b"", "is not JSON"),
    "a deep tree": ("a.json", b"[" * 100_000, "is not JSON"),
    "bytes that are no text": ("a.csv", b"\xff\xfe\xfd" * 99, "is no table"),
    "NUL in a table": ("a.csv", b"a,b\n1,\0\n\0,\0", "no row of a.csv is a problem"),
    "a form that is not ours": ("a.xlsx", b"PK", "a data set is read from"),
}
ENDLESS = {"a hole as lines": "a.jsonl", "a hole as a table": "a.csv"}


def import_odd(place: Path, said: str) -> None:
    with pytest.raises(EvpvError, match=said):
        import_benchmark("mathvista", place, place.with_name("problems.jsonl"))


@pytest.mark.parametrize("case", ODD_TABLES)
def test_an_odd_file_to_import_is_one_sentence(case: str, tmp_path: Path) -> None:
    name, content, said = ODD_TABLES[case]
    place = tmp_path / name
    if isinstance(content, bytes):
        place.write_bytes(content)
    else:
        content(place)
    import_odd(place, said)


@pytest.mark.slow
@pytest.mark.parametrize("case", ENDLESS)
def test_a_line_without_an_end_is_not_read_to_its_end(case: str, tmp_path: Path) -> None:
    make_hole(tmp_path / ENDLESS[case])
    import_odd(tmp_path / ENDLESS[case], "has a line without an end")


class Counting:
    """Notes each reading, and takes a while over it."""

    version = "counting"

    def __init__(self, *, reads_question: bool = False) -> None:
        self.description = Description(reads_question=reads_question)
        self.count = 0

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        self.count += len(problems)
        return [Extraction(kind="counted") for _ in problems]


def read_count(folder: Path, *images: str, questions: Sequence[str] = ("",), reads_question: bool = False) -> int:
    counting = Counting(reads_question=reads_question)
    cached = CachedExtractor(counting, folder / "cache")
    for question in questions:
        answers = cached.extract([Problem(id=image, question=question, images=(image,)) for image in images])
        assert [answer.kind for answer in answers] == ["counted"] * len(images)
    return counting.count


@pytest.fixture
def picture(tmp_path: Path) -> str:
    Image.new("RGB", (8, 8)).save(tmp_path / "a.png")
    return str(tmp_path / "a.png")


def test_two_questions_on_one_image_are_one_reading_where_the_reader_ignores_them(tmp_path: Path, picture: str) -> None:
    assert read_count(tmp_path / "ignored", picture, questions=("a", "b")) == 1
    assert read_count(tmp_path / "read", picture, questions=("a", "b"), reads_question=True) == 2


def test_two_requests_at_once_are_one_reading(tmp_path: Path, picture: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda _: read_count(tmp_path, picture), range(16)))
    assert sum(counts) == 1


class Waiting(Counting):
    """Says that it reads, and does so until it is told to stop."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.told = Event(), Event()

    def extract(self, problems: Sequence[Problem]) -> list[Extraction]:
        self.begun.set()
        self.told.wait(20)
        return super().extract(problems)


def test_a_slow_picture_holds_up_no_other_whatever_their_digests_begin_with(tmp_path: Path) -> None:
    """Whoever sends pictures can choose what their digests begin with."""
    pictures = [tmp_path / f"{n}.png" for n in range(300)]  # more than there are folders: two share one
    for picture in pictures:
        picture.write_bytes(picture.name.encode())
    waiting = Waiting()
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(
            CachedExtractor(waiting, tmp_path / "cache").extract,
            [Problem(id="slow", question="", images=(str(pictures[0]),))],
        )
        assert waiting.begun.wait(20)
        for picture in pictures[1:]:
            assert read_count(tmp_path, str(picture)) == 1
        assert not slow.done()
        waiting.told.set()
    assert not list((tmp_path / "cache").rglob("*.lock"))


@pytest.mark.parametrize("fault", ["no folder", "a file in its place", "read-only"])
def test_a_cache_that_does_not_work_is_told_once_and_gone_without(
    fault: str, tmp_path: Path, picture: str, capfd: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / fault
    if fault == "no folder":
        place = Path("/proc/evpv")
    elif fault == "a file in its place":
        place.write_text("")
    else:
        place = Path("/sys/kernel")
    assert read_count(place, picture, questions=("", "")) == 2
    assert capfd.readouterr().err.count("does not work and is gone without") == 1


def test_a_cache_keeps_within_its_bound(tmp_path: Path) -> None:
    counting = Counting(reads_question=True)
    cached = CachedExtractor(counting, tmp_path / "cache", most_bytes=256 * 300)
    cached.extract([Problem(id=str(n), question=str(n)) for n in range(9_000)])
    sizes = [path.stat().st_size for path in (tmp_path / "cache").glob("*/*.json")]
    assert sum(sizes) < 9_000 * min(sizes) / 2


def test_answers_and_constraints_are_their_owners_alone(tmp_path: Path, picture: str) -> None:
    store = AnswerStore(tmp_path / "answers.sqlite")
    store.put("key", "model", "stage", ChatReply(text="private"))
    read_count(tmp_path, picture)
    kept = [*tmp_path.glob("answers.sqlite*"), *tmp_path.glob("cache/*/*.json")]
    assert len(kept) >= 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}
    store.close()


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace shows what a process asks of the network")
def test_reading_a_figure_asks_nobody(tmp_path: Path) -> None:
    Image.new("RGB", (120, 80), "white").save(tmp_path / "a.png")
    program = (
        "from evpv.perception.extractor import EmbeddedExtractor; from evpv.types import Problem; import time;"
        f"EmbeddedExtractor().extract([Problem(id='a', question='', images=({str(tmp_path / 'a.png')!r},))]); time.sleep(1)"
    )
    strace = ["strace", "-f", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", str(tmp_path / "calls")]
    subprocess.run([*strace, sys.executable, "-c", program], check=True, timeout=120)
    calls = [line for line in (tmp_path / "calls").read_text().splitlines() if "AF_INET" in line]
    assert calls == []

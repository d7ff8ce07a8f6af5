"""The page of a large run in real Chromium: time to the first view, longest task while scrolling, memory; and how fast such a run is gone on with.

    python benchmarks/page.py [problems [folder]]     5,000 without it, eight candidates each; a page kept in the folder is used again

A run of drawn problems with their true constraints is copied until it is large enough; the page links its pictures.
"""

from __future__ import annotations

import itertools
import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.table import Table

from evpv.assembly import Verifier
from evpv.figures import write_problems
from evpv.records import RunWriter, read_problems
from evpv.records.runs import read_manifest
from evpv.reward.method import preset, settings_of
from evpv.types import Trace
from evpv.viewer import write_run_page

PROBLEMS = 5000
DRAWN = 40
SCROLLS = 60
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
WATCH_TASKS = """
    window.longest = 0;
    new PerformanceObserver((list) => {
        for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
    }).observe({ type: "longtask", buffered: true });
"""

CHANGE = """(hash) => new Promise((done) => {
    const result = document.querySelector(".what-if-result");
    new MutationObserver((_, watch) => { watch.disconnect(); done(); }).observe(result, { childList: true });
    location.hash = hash;
})"""


def main(count: int, kept: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = (kept or Path(folder)) / "page" / "report.html"
        figures = {"problems": float(count)} | ({} if page.exists() else written(page, count))
        figures["page_mb"] = page.stat().st_size / 1e6
        figures["data_mb"] = sum(file.stat().st_size for file in page.with_name("report_data").iterdir()) / 1e6
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            figures |= opened(browser, page)
            browser.close()
    told(figures)


def written(page: Path, count: int) -> dict[str, float]:
    """Make the run and its page."""
    run = large_run(page.parents[1], count)
    started = time.perf_counter()
    write_run_page([run], page)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"write_s": time.perf_counter() - started, "write_peak_mb": peak, "resume_traces_per_s": resume_rate(run)}


def resume_rate(run: Path) -> float:
    """How many stored traces a second going on with a run takes note of, by the processor's clock; the best of three."""
    seconds = []
    for _ in range(3):
        started = time.process_time()
        with RunWriter(run, read_manifest(run)) as writer:
            done = writer.done_digests()
        seconds.append(time.process_time() - started)
    return len(done) / min(seconds)


def large_run(folder: Path, count: int) -> Path:
    """`count` traces: drawn problems over and over, each under a name of its own."""
    write_problems(folder / "problems", (), DRAWN, 1, split="test")
    run = folder / "run"
    with Verifier.from_recipe("given") as verifier:
        drawn = list(verifier.pipeline.stream(read_problems(folder / "problems" / "problems.jsonl")))
    with RunWriter(run, {"recipe": "given", "method": settings_of(preset("grounded"))}) as writer:
        for trace in itertools.islice(copies(drawn), count):
            writer.append(trace)
    return run


def copies(drawn: list[Trace]) -> Iterator[Trace]:
    for number in itertools.count():
        trace = drawn[number % len(drawn)]
        yield replace(trace, problem=replace(trace.problem, id=f"{number:05} {trace.problem_id}"))


def opened(browser: Browser, path: Path) -> dict[str, float]:
    """What a reader waits for: the first view, scrolling, a search, one problem, the whole run scored again."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.add_init_script(WATCH_TASKS)
    page.set_default_timeout(300_000)
    started = time.perf_counter()
    page.goto(path.as_uri())
    page.wait_for_selector(".tile")
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    found = {"first_view_s": time.perf_counter() - started, "opening_task_ms": longest(page)}
    found["longest_task_ms"] = scrolled(page)
    found["longest_task_cpu_ms"] = processor_time(browser, page)
    found["memory_mb"], found["heap_mb"] = memory(browser, page)
    page.evaluate("scrollTo(0, 0)")
    found["problem_s"] = problem_time(page)
    longest(page)
    started = time.perf_counter()
    page.evaluate("location.hash = '#view=whatif&gate=off'")
    page.wait_for_selector(".what-if-result .tiles")
    found |= {"what_if_first_s": time.perf_counter() - started, "what_if_task_ms": longest(page)}
    started = time.perf_counter()
    page.evaluate(CHANGE, "#view=whatif&gate=sigmoid&threshold=0.9")
    found |= {"what_if_again_s": time.perf_counter() - started, "what_if_again_task_ms": longest(page)}
    found["memory_after_mb"], found["heap_after_mb"] = memory(browser, page)
    return found


def longest(page: Page) -> float:
    """The longest task since the last call."""
    page.wait_for_timeout(100)
    found: float = page.evaluate("(() => { const longest = window.longest; window.longest = 0; return longest; })()")
    return found


def scrolled(page: Page) -> float:
    """The longest task while scrolling through all the cards: slowly, and in leaps."""
    longest(page)
    page.mouse.move(600, 500)
    for _ in range(SCROLLS):
        page.mouse.wheel(0, 600)
        page.wait_for_timeout(16)
    height = page.evaluate("document.documentElement.scrollHeight")
    for part in range(SCROLLS):
        page.evaluate("(top) => scrollTo(0, top)", height * part / SCROLLS)
        page.wait_for_timeout(30)
    return longest(page)


def processor_time(browser: Browser, page: Page) -> float:
    """The same by the processor's clock: what a task takes when no other program wants the machine."""
    events: list[dict[str, Any]] = []
    ended: list[object] = []
    session = browser.new_browser_cdp_session()
    session.on("Tracing.dataCollected", lambda told: events.extend(told["value"]))
    session.on("Tracing.tracingComplete", lambda told: ended.append(told))
    session.send("Tracing.start", {"traceConfig": {"includedCategories": ["toplevel"]}, "transferMode": "ReportEvents"})
    scrolled(page)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    session.detach()
    return (
        max(
            (event["tdur"] for event in events if str(event.get("name")).endswith("RunTask") and "tdur" in event),
            default=0,
        )
        / 1e3
    )


def problem_time(page: Page) -> float:
    started = time.perf_counter()
    page.locator(".card").first.click()
    page.wait_for_selector(".candidate")
    return time.perf_counter() - started


def memory(browser: Browser, page: Page) -> tuple[float, float]:
    """Megabytes of the page's process (its share of physical memory), and of its JavaScript heap, without garbage."""
    collector = page.context.new_cdp_session(page)
    collector.send("HeapProfiler.collectGarbage")
    heap: float = collector.send("Runtime.getHeapUsage")["usedSize"]
    collector.detach()
    session = browser.new_browser_cdp_session()
    processes: list[dict[str, Any]] = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    shares = [_share(process["id"]) for process in processes if process["type"] == "renderer"]
    return max(shares), heap / 1e6


def _share(process: int) -> float:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def told(figures: dict[str, float]) -> None:
    table = Table(title=f"{figures['problems']:,} problems, eight candidates each", title_justify="left")
    table.add_column("what")
    table.add_column("figure", justify="right")
    for name, value in figures.items():
        table.add_row(name, f"{value:,.2f}")
    Console().print(table)
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PROBLEMS, Path(sys.argv[2]) if len(sys.argv) > 2 else None)

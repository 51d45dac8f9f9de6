"""How long a person waits in a real Chromium: reading, redraws after a setting, the ways to all pages.

    python -m benchmarks.browser [--address ADDRESS --pid PID] [--parts ways …]

Without an address it starts the app. To measure one that runs, begin it on two cores, and this when its log
says that the kernels are warm: `taskset -c 0,1 env CALIBLENS_THREADS=2 streamlit run app.py`.

With the process id the processor time of the server for each redraw is printed too: on a busy machine that
says more than the clock. For each way to a page stands that of the server and that of the page's main thread.
Goals: redraws at 10,000 × 10 in 200 ms (median) and 350 ms (p95), at 1,000,000 × 10 (one dimension) in 1 s;
ways to pages in 300 ms (median) once their results are there.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.common import overconfident
from calibcore.diagram.binning import (
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.hypothesis_tests.families.family import names_of
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens
from pages.server import page_list
from tests.browser.acts import choose, click_page, settle
from tests.browser.conftest import PATIENCE, QUIET, find_chromium, free_port, started

BINS = (5, 8, 12, 20, 25, 30, 9, 14, 18, 22, 40, 7, 11, 16, 35)
KINDS = (CanonicalLens.label, "Confidence in the answer", TopKLens.label, ClassLens.label)
VIEWS = ("Observed against predicted", "Observed minus predicted")
SPLITS = (MeanVarianceBinning.label, MedianVarianceBinning.label, SimplexBinning.label)
DRAWN = tuple(names_of(test).full for test in ("exact-ece", "exact-skce"))
WAYS = (300.0, 1_000.0)
SMALL, LARGE = (200.0, 350.0), (1_000.0, 1_000.0)
"""Goals in milliseconds: of the median, of p95."""
TITLES = {page.title: page.heading for page in page_list.pages()}
AS_USUAL = [flag for flag in QUIET if not flag.startswith("--js-flags")]
"""Of Chromium, which may use as many cores as it finds."""
MOST_RESTS = 10
"""Times two minutes that a page may take to come to rest."""
CLASSES = tuple(f"class{k}" for k in range(1, 10))
# From the key or the click on, until a frame shows another figure: window.taken, in milliseconds.
_WATCH = """() => {
  const numbers = (trace) => trace.map((d) => [d.p, d.s, d.x, d.y]);
  const look = () => {
    const plot = document.querySelector('.js-plotly-plot');
    return JSON.stringify([plot?.calcdata?.map(numbers), plot?.layout?.annotations]);
  };
  const before = look();
  let began = null;
  window.taken = null;
  const again = () => {
    if (look() === before) requestAnimationFrame(again);
    else window.taken = performance.now() - began;
  };
  const begin = () => {
    if (began === null) { began = performance.now(); again(); }
  };
  for (const type of ['keydown', 'click']) addEventListener(type, begin, { once: true, capture: true });
}"""
_TAKEN = "() => window.taken !== null"
# Frame by frame from the next click on: window.stands is when, in milliseconds, what stands in the window
# became what it is now, no figure missing in it and nothing waiting or of the page before.
_WATCH_WINDOW = """() => {
  let began = null, before = null;
  const inWindow = (element) => {
    const box = element.getBoundingClientRect();
    return box.width * box.height > 0 && box.bottom > 0 && box.top < innerHeight;
  };
  const there = (selector) => [...document.querySelectorAll(selector)].filter(inWindow);
  const look = () => {
    const drawn = there('.stPlotlyChart').map((figure) => Boolean(figure.querySelector('.infolayer')));
    const waiting = there('[data-stale="true"], .skeleton, [data-testid="stSkeleton"]').length;
    const now = [...drawn, waiting, ...there('.stElementContainer').map((one) => one.innerText)].join('|');
    if (now !== before) window.stands = performance.now() - began;
    before = now;
    if (began !== null) requestAnimationFrame(look);
  };
  addEventListener('click', () => { began = performance.now(); look(); }, { once: true, capture: true });
  window.stop = () => { began = null; return window.stands; };
}"""


@contextmanager
def opened(browser: Browser, address: str, path: Path) -> Iterator[tuple[Page, float]]:
    """The Data page after a file was read, and the seconds that took with the upload."""
    context = browser.new_context(viewport={"width": 1440, "height": 1100})
    page = context.new_page()
    page.set_default_timeout(10 * PATIENCE)
    page.goto(address)
    page.get_by_role("link", name="Data", exact=True).click()
    page.get_by_role("heading", name="Your own predictions").wait_for()
    rest(page)
    start = time.perf_counter()
    page.locator("input[type=file]").first.set_input_files(path)
    page.get_by_text("How the file was read, and why").wait_for()
    yield page, time.perf_counter() - start
    context.close()


def rest(page: Page) -> None:
    """Until nothing comes, goes or moves: the work on a page may take longer than a test would wait."""
    for _ in range(MOST_RESTS):
        try:
            settle(page)
        except AssertionError:
            continue
        return
    raise TimeoutError(f"{page.url} does not come to rest.")


def to(page: Page, name: str, sign: str = "") -> float:
    """Seconds until a page has its title and shows what ``sign`` selects, nothing left of the page before."""
    start = time.perf_counter()
    click_page(page, name)
    page.get_by_role("heading", name=TITLES[name], exact=True).wait_for()
    if sign:
        page.locator(f"[data-testid=stElementContainer][data-stale=false] {sign}").first.wait_for()
    return time.perf_counter() - start


def redraw(page: Page, change: str, value: str) -> float:
    """Milliseconds to another figure after a number was typed, an option or a view chosen."""
    if value.isdigit():
        name = UniformBinning.size_label if change == "bins" else change
        box = page.get_by_role("spinbutton", name=name)
        box.fill(value)
        page.evaluate(_WATCH)
        box.press("Enter")
    elif value in VIEWS:
        page.evaluate(_WATCH)
        page.get_by_text(value, exact=True).click()
    else:
        page.get_by_role("combobox", name=change, exact=True).click()
        option = page.get_by_role("option", name=value, exact=True)
        option.wait_for()
        page.evaluate(_WATCH)
        option.click()
    page.wait_for_function(_TAKEN)
    taken = float(page.evaluate("() => window.taken"))
    rest(page)
    return taken


def processor(pid: str) -> float:
    """Seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report(what: str, values: Sequence[float], unit: str, goals: tuple[float, float] | None = None) -> None:
    """A line of the table; with ``goals`` for the median and for p95, whether they are met."""
    middle, late = np.percentile(values, (50, 95))
    met = "" if goals is None else "  met" if middle <= goals[0] and late <= goals[1] else "  MISSED"
    print(
        f"| {what:<44} | {len(values):5} | {middle:8.2f} {unit:<2} | {late:8.2f} {unit:<2} |{met}", flush=True
    )


def written(folder: Path, n: int, name: str) -> Path:
    p = overconfident(n, 10, np.random.default_rng(20190501))
    table = pd.DataFrame(p.probs, columns=[f"class{k}" for k in range(p.m)])
    table["label"] = [f"class{k}" for k in p.labels]
    if name.endswith("csv"):  # so that groups and the order in time have results, too
        table["ward"] = np.resize(["north", "south", "east", "west"], n)
        table["date"] = np.sort(np.resize(np.datetime64("2024-01-01") + np.arange(600), n)).astype(str)
    if name.endswith("parquet"):
        table.to_parquet(folder / name)
    else:
        table.to_csv(folder / name, index=False)
    return folder / name


def timed(
    page: Page, pid: str, what: str, change: str, values: Sequence[str], goals: tuple[float, float]
) -> list[float]:
    """Redraws after one setting in milliseconds; prints them, and the processor time they took the server."""
    began = processor(pid) if pid else 0.0
    taken = [redraw(page, change, value) for value in values]
    report(what, taken, "ms", goals)
    if pid:
        report(f"{what}: the server's share", [1000 * (processor(pid) - began) / len(values)], "ms")
    return taken


def main_thread(page: Page) -> Callable[[], float]:
    """What gives the seconds of processor time that the page's main thread has taken."""
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def taken() -> float:
        measured = tools.send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in measured if one["name"] == "TaskDuration")

    return taken


def ways(page: Page, pid: str) -> list[float]:
    """To every page there is, its results being there: until its title, until the window is
    complete, and processor time until all is drawn. Counts no redraw."""
    drawing = main_thread(page)
    for name in TITLES:
        to(page, name)
        rest(page)
        if name == "Groups":
            choose(page, "Columns that make groups", "ward")
            page.keyboard.press("Escape")
            rest(page)
    taken: dict[str, list[list[float]]] = {name: [] for name in TITLES}
    for name in (*TITLES, *reversed(TITLES)) * 2:
        before = processor(pid) if pid else 0.0, drawing()
        page.evaluate(_WATCH_WINDOW)
        title = to(page, name)
        rest(page)
        seen = float(page.evaluate("() => window.stop()"))
        served = (processor(pid) if pid else 0.0) - before[0]
        taken[name].append([1000 * title, seen, 1000 * served, 1000 * (drawing() - before[1])])
    for name, rows in taken.items():
        title_of, window, server, thread = zip(*rows, strict=True)
        report(f"to {name}: its title", title_of, "ms", WAYS)
        report(f"to {name}: the window complete", window, "ms", WAYS)
        report(f"to {name}: the server's share", server, "ms")
        report(f"to {name}: the main thread's share", thread, "ms")
        report(f"to {name}: both, all of it", [a + b for *_, a, b in rows], "ms", WAYS)
    every = [row for rows in taken.values() for row in rows]
    report("to all pages: their titles", [row[0] for row in every], "ms", WAYS)
    report("to all pages: the window complete", [row[1] for row in every], "ms", WAYS)
    report("to all pages: both, all of it", [a + b for *_, a, b in every], "ms", WAYS)
    return []


def redraws(page: Page, pid: str) -> list[float]:
    """Each setting of the Reliability page."""
    to(page, "Reliability", ".js-plotly-plot")
    rest(page)
    taken = timed(page, pid, "another number of bins", "bins", [str(b) for b in BINS * 2], SMALL)
    redraw(page, "Look at", ClassLens.label)
    taken += timed(page, pid, "another class", "Class", CLASSES * 3, SMALL)
    taken += timed(page, pid, "another kind of lens", "Look at", KINDS * 6, SMALL)
    return taken + timed(page, pid, "one view and the other", "Diagram", VIEWS * 6, SMALL)


def simplex(page: Page, pid: str) -> list[float]:
    """The triangle: other bins, fewer arrows."""
    redraw_to(page, "Simplex", "First and second choice")
    taken = timed(page, pid, "triangle: other bins", "Bins", SPLITS * 6, SMALL)
    redraw(page, "Bins", MedianVarianceBinning.label)
    sizes = [str(n) for n in (120, 80, 150, 60, 200, 90, 70, 50)]
    taken += timed(
        page, pid, "triangle: finer and coarser bins", MedianVarianceBinning.size_label, sizes, SMALL
    )
    page.get_by_role("button", name="Arrows", exact=True).click()
    few = [str(n) for n in (1_000, 5, 500, 50, 2_000, 1)]
    what = "triangle: fewest cases of an arrow"
    return taken + timed(page, pid, what, "Draw arrows of bins with at least", few, SMALL)


def tests(page: Page, pid: str) -> list[float]:
    """The Tests page: another test drawn."""
    to(page, "Tests", ".js-plotly-plot")
    page.locator(".st-key-fold-statisticians summary").first.click()
    page.locator("[data-testid=stMetric]").first.wait_for()
    rest(page)
    return timed(page, pid, "another test drawn", "Test drawn", DRAWN * 5, SMALL)


def redraw_to(page: Page, name: str, button: str) -> None:
    """To a page whose figure a button brings."""
    click_page(page, name)
    page.get_by_role("button", name=button).click()
    page.locator(".js-plotly-plot").first.wait_for()
    rest(page)


def large(page: Page, pid: str) -> list[float]:
    """Each step on 1,000,000 × 10 after the upload."""
    for name, sign in (
        ("Overview", ".js-plotly-plot"),
        ("Reliability", ".js-plotly-plot"),
        ("Tests", ""),
        ("Data", ""),
    ):
        report(f"to {name}", [to(page, name, sign)], "s")
    to(page, "Reliability", ".js-plotly-plot")
    rest(page)
    taken = timed(page, pid, "another number of bins", "bins", [str(b) for b in BINS[:8]], LARGE)
    redraw(page, "Look at", ClassLens.label)
    return taken + timed(page, pid, "another class", "Class", CLASSES[:8], LARGE)


PARTS = {
    10_000: {"redraws": redraws, "simplex": simplex, "tests": tests, "ways": ways},
    1_000_000: {"large": large},
}
"""Cases -> what is measured with so many, by its name."""


def main(address: str, pid: str, names: Sequence[str]) -> None:
    print(f"load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=AS_USUAL)
        for n, known in PARTS.items():
            parts = [part for name, part in known.items() if name in names]
            if not parts:
                continue
            head, file = f"{n:,} × 10", "ten.csv" if n == 10_000 else "big.parquet"
            print(f"\n| {head:<44} | times |      median |         p95 |")
            print(f"|{'-' * 46}|------:|------------:|------------:|")
            with opened(browser, address, written(Path(folder), n, file)) as (page, seconds):
                report(f"upload and reading, {file.rpartition('.')[2]}", [seconds], "s")
                if taken := [one for part in parts for one in part(page, pid)]:
                    report("all redraws after a setting", taken, "ms", SMALL if n == 10_000 else LARGE)
        browser.close()
    print(f"\nload {os.getloadavg()[0]:.1f}")


def server_at(port: int) -> str:
    """The process id of the app that was started for a port."""
    words = f"--server.port\0{port}\0".encode()
    running = (path for path in Path("/proc").glob("[0-9]*/cmdline") if words in path.read_bytes())
    return next(running).parent.name


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    every = [name for known in PARTS.values() for name in known]
    parser.add_argument("--address", help="of an app that runs already")
    parser.add_argument("--pid", default="", help="its process id")
    parser.add_argument("--parts", nargs="+", default=every, choices=every)
    asked = parser.parse_args()
    if asked.address:
        main(asked.address, asked.pid, asked.parts)
    else:
        with tempfile.TemporaryDirectory() as data, started(Path(data), port := free_port()) as own:
            main(own, server_at(port), asked.parts)

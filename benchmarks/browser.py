"""How long a person waits in a real Chromium: reading 10,000 × 10, redraws after a setting, 1,000,000 × 10.

Run with the app on http://localhost:8501, or give its address: python -m benchmarks.browser ADDRESS. With
the server's process id as a second argument the processor time that it takes for a redraw is printed too:
on a busy machine that says more than the clock.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.common import overconfident
from tests.browser.acts import settle
from tests.browser.conftest import PATIENCE, QUIET, find_chromium

BINS = (5, 8, 12, 20, 25, 30, 9, 14, 18, 22, 40, 7, 11, 16, 35)
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


@contextmanager
def opened(browser: Browser, address: str, path: Path) -> Iterator[tuple[Page, float]]:
    """The Data page after a file was read, and the seconds that took with the upload."""
    context = browser.new_context(viewport={"width": 1440, "height": 1100})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.get_by_role("link", name="Data", exact=True).click()
    page.get_by_role("heading", name="Your own predictions").wait_for()
    settle(page)
    start = time.perf_counter()
    page.locator("input[type=file]").first.set_input_files(path)
    page.get_by_text("What was read, and why").wait_for()
    yield page, time.perf_counter() - start
    context.close()


def to(page: Page, name: str, sign: str) -> float:
    """Seconds until a page shows what ``sign`` selects."""
    start = time.perf_counter()
    page.get_by_role("link", name=name, exact=True).click()
    page.locator(sign).first.wait_for()
    return time.perf_counter() - start


def redraw(page: Page, change: str, value: str) -> float:
    """Milliseconds to another diagram after another number of bins, or another option of a select box."""
    if change == "bins":
        box = page.get_by_role("spinbutton", name="Bins from 0 to 100 %")
        box.fill(value)
        page.evaluate(_WATCH)
        box.press("Enter")
    else:
        page.get_by_role("combobox", name=change, exact=True).click()
        option = page.get_by_role("option", name=value, exact=True)
        option.wait_for()
        page.evaluate(_WATCH)
        option.click()
    page.wait_for_function(_TAKEN)
    taken = float(page.evaluate("() => window.taken"))
    settle(page)
    return taken


def processor(pid: str) -> float:
    """Seconds of processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report(what: str, values: list[float], unit: str) -> None:
    middle, late = np.percentile(values, (50, 95))
    print(
        f"{what:<44}{len(values):4} times   median {middle:7.2f} {unit}   p95 {late:7.2f} {unit}", flush=True
    )


def written(folder: Path, n: int, name: str) -> Path:
    p = overconfident(n, 10, np.random.default_rng(20190501))
    table = pd.DataFrame(p.probs, columns=[f"class{k}" for k in range(p.m)])
    table["label"] = [f"class{k}" for k in p.labels]
    if name.endswith("parquet"):
        table.to_parquet(folder / name)
    else:
        table.to_csv(folder / name, index=False)
    return folder / name


def redraws(page: Page, pid: str) -> None:
    to(page, "Reliability", ".js-plotly-plot")
    settle(page)
    began = processor(pid) if pid else 0.0
    report("another number of bins", [redraw(page, "bins", str(b)) for b in BINS * 2], "ms")
    if pid:
        print(
            f"{'processor time of the server, each':<64}{500 / len(BINS) * (processor(pid) - began):7.2f} ms"
        )
    redraw(page, "Look at", "One class")
    report("another class", [redraw(page, "Class", name) for name in CLASSES * 3], "ms")
    kinds = ("All classes together", "Confidence in the top class", "The most likely classes", "One class")
    report("another kind of lens", [redraw(page, "Look at", kind) for kind in kinds * 3], "ms")


def large(page: Page) -> None:
    """Each step on 1,000,000 × 10 after the upload, in seconds."""
    for name, sign in (
        ("Overview", "h4"),
        ("Reliability", ".js-plotly-plot"),
        ("Tests", "h4"),
        ("Data", "h1"),
    ):
        report(f"1,000,000 × 10: to {name}", [to(page, name, sign)], "s")
    to(page, "Reliability", ".js-plotly-plot")
    settle(page)
    report("1,000,000 × 10: another number of bins", [redraw(page, "bins", str(b)) for b in BINS[:8]], "ms")
    redraw(page, "Look at", "One class")
    report("1,000,000 × 10: another class", [redraw(page, "Class", name) for name in CLASSES[:8]], "ms")


def main(address: str, pid: str = "") -> None:
    print(f"load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=QUIET)
        with opened(browser, address, written(Path(folder), 10_000, "ten.csv")) as (page, seconds):
            report("10,000 × 10 CSV: upload and reading", [seconds], "s")
            redraws(page, pid)
        with opened(browser, address, written(Path(folder), 1_000_000, "big.parquet")) as (page, seconds):
            report("1,000,000 × 10 Parquet: upload and reading", [seconds], "s")
            large(page)
        browser.close()
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["http://localhost:8501"]))

"""From the end of an upload of 10,000 × 10 to the diagram and to the p-values, in a real Chromium.

Run with the app on http://localhost:8501, or give its address: python -m benchmarks.browser ADDRESS
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from benchmarks.__main__ import overconfident
from tests.browser.conftest import PATIENCE, QUIET, find_chromium

ROUNDS = 5


def once(browser: Browser, address: str, path: Path) -> tuple[float, float, float]:
    """Seconds from the upload to what was read, from there to the diagram, and to the p-value."""
    page = browser.new_context(viewport={"width": 1440, "height": 1100}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.get_by_role("link", name="Use your own predictions").click()
    page.get_by_role("heading", name="Your own predictions").wait_for()
    start = time.perf_counter()
    page.locator("input[type=file]").first.set_input_files(path)
    page.get_by_text("What was read, and why").wait_for()
    read = time.perf_counter()
    page.get_by_role("link", name="Reliability", exact=True).click()
    page.locator(".js-plotly-plot").wait_for()
    drawn = time.perf_counter()
    page.get_by_role("link", name="Tests", exact=True).click()
    page.get_by_test_id("stMetric").filter(has_text="Kernel test").wait_for()
    tested = time.perf_counter()
    page.context.close()
    return read - start, drawn - read, tested - read


def main(address: str) -> None:
    p = overconfident(10_000, 10, np.random.default_rng(20190501))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "predictions.csv"
        head = ",".join([*(f"class{k}" for k in range(p.m)), "label"])
        rows = [
            ",".join([*map(repr, row), f"class{y}"])
            for row, y in zip(p.probs.tolist(), p.labels.tolist(), strict=True)
        ]
        path.write_text("\n".join([head, *rows]) + "\n")
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=QUIET)
        rounds = [once(browser, address, path) for _ in range(ROUNDS)]
        browser.close()
    tasks = ("upload and reading", "from there to the diagram", "from there to the p-values")
    for what, seconds in zip(tasks, zip(*rounds, strict=True), strict=True):
        print(f"{what:<28} median {median(seconds):6.2f} s   slowest {max(seconds):6.2f} s")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8501")

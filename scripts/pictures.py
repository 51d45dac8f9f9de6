"""The pictures of the README and the tutorials: pages of the app on a bundled example, and a report.

python -m scripts.pictures [NAME ...]
"""

import contextlib
import io
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from playwright.sync_api import Page, sync_playwright

from calibcore.__main__ import main as command_line
from calibcore.data.examples import EXAMPLES, example_csv
from scripts.gallery import small
from tests.browser.acts import LONG, choose, settle
from tests.browser.conftest import QUIET, find_chromium, free_port, started

FOLDER = Path(__file__).parents[1] / "docs/pictures"
WIDE = 1000
"""Pixels of a page of the app."""
TITLES = {example.key: example.title for example in EXAMPLES}


@dataclass(frozen=True)
class Screen:
    """A page of the app, looking at an example."""

    example: str
    page: str
    height: int = 900


SCREENS: Mapping[str, Screen] = {
    "overview": Screen("digits-forest", ""),
    "engineer": Screen("digits-naive-bayes", "reliability"),
    "clinician": Screen("breast-cancer", ""),
}
TYPED = {
    "report": ("wine", "report {file} --noun wine --date 2026-11-27 --out {out}.pdf"),
    "language-model": ("letters", "figure {file} --noun letter --out {out}.png"),
}
"""What is written by the command line, of an example; of a report the first page."""
NAMES = (*TYPED, *SCREENS)


def take(page: Page, address: str, screen: Screen, path: Path) -> None:
    """A picture of one page."""
    page.set_viewport_size({"width": 1280, "height": screen.height})
    page.goto(f"{address}/data")
    page.locator("h1").first.wait_for()
    settle(page)
    if not page.get_by_text(f"In use: {TITLES[screen.example]}").count():
        choose(page, "Example", TITLES[screen.example])
    page.goto(f"{address}/{screen.page}")
    page.locator("h1").first.wait_for()
    settle(page)
    with contextlib.suppress(Exception):
        page.locator(".js-plotly-plot").first.wait_for(timeout=30_000)
    settle(page)
    page.wait_for_timeout(1_500)
    page.screenshot(path=path)
    small(path, WIDE)


def typed(name: str, path: Path) -> None:
    """What a command writes."""
    example, words = TYPED[name]
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder, f"{example}.csv"), Path(folder, "made")
        file.write_text(example_csv(example), encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            command_line([word.format(file=file, out=out) for word in words.split()])
        if (drawn := out.with_suffix(".png")).exists():
            path.write_bytes(drawn.read_bytes())
        else:
            document = pypdfium2.PdfDocument(out.with_suffix(".pdf"))
            document[0].render(scale=1.6).to_pil().save(path)
            document.close()
    small(path)


def main(names: tuple[str, ...]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in TYPED:
        if name in names:
            typed(name, FOLDER / f"{name}.png")
    wanted = [name for name in SCREENS if name in names]
    if not wanted:
        return
    with (
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory() as folder,
        started(Path(folder), free_port()) as address,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=QUIET)
        page = browser.new_context(color_scheme="light").new_page()
        page.set_default_timeout(2 * LONG)
        for name in wanted:
            take(page, address, SCREENS[name], FOLDER / f"{name}.png")
            print(FOLDER / f"{name}.png", flush=True)
        browser.close()


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or NAMES)

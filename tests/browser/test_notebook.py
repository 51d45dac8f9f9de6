"""What a notebook shows, in a browser: readable on either theme, found by all, and nothing asked for."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

from calibcore import DiagnosisSpec, Predictions, diagnose
from calibcore.charts import style

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
# The theme of JupyterLab, of VS Code, or none; that of the system; which of them is followed.
THEMES = [
    ('data-jp-theme-light="true"', "dark", "light"),
    ('data-jp-theme-light="false"', "light", "dark"),
    ('class="vscode-dark"', "light", "dark"),
    ('class="vscode-light"', "dark", "light"),
    ("", "dark", "dark"),
    ("", "light", "light"),
]
STYLES = """card => {
    const of = element => getComputedStyle(element);
    return [of(card).color, of(card).backgroundColor, of(card.querySelector("svg .predicted")).fill];
}"""


@pytest.fixture(scope="module")
def html() -> str:
    probs, labels = np.tile([[0.9, 0.1], [0.4, 0.6]], (50, 1)), np.tile([0, 1, 1, 1], 25)
    p = Predictions.from_arrays(probs, labels, ["<b>ill</b>", "well"])
    return diagnose(p, DiagnosisSpec(resamples=99))._repr_html_()


def rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


@pytest.mark.slow
def test_the_theme_of_the_notebook_is_followed_else_the_system_s(
    html: str, browser: Browser, tmp_path: Path
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 800})
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    addresses = []
    for number, (attribute, system, theme) in enumerate(THEMES):
        path = tmp_path / f"{number}.html"
        path.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body {attribute}>{html}', encoding="utf-8")
        addresses.append(path.as_uri())
        page.emulate_media(color_scheme=system)  # type: ignore[arg-type]
        page.goto(path.as_uri())
        expected = [style.TEXT[theme], style.BACKGROUND[theme], style.PREDICTED[theme]]
        assert page.locator(".caliblens").evaluate(STYLES) == [rgb(colour) for colour in expected], attribute
        # Wide tables scroll by themselves.
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.get_by_text("Consistency bars").is_hidden()
        page.get_by_text("Methods").click()
        assert page.get_by_text("Consistency bars").is_visible()
        if not attribute:  # in either theme; with an attribute the colours are the same
            page.evaluate(AXE)
            found = page.evaluate("() => axe.run('.caliblens', { resultTypes: ['violations'] })")
            serious = [r["id"] for r in found["violations"] if r["impact"] in ("serious", "critical")]
            assert serious == []
    assert asked == addresses
    context.close()

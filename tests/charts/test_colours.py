"""Colours can be read and told apart: contrast as WCAG 2.2 asks for it, on both themes, by all eyes."""

import re
import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from calibcore.charts import style

ROOT = Path(__file__).parents[2]
THEME = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
THEMES = ("light", "dark")
TEXT, MARK = 4.5, 3.0
"""WCAG 2.2, 1.4.3 and 1.4.11."""
APART = 15.0
"""In CIELAB, where 2.3 is just seen: vermilion and amber, the closest, stand side by side only with words."""
HEX = re.compile(r"#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?\b")
RGB = re.compile(r"rgb\((\d+), (\d+), (\d+)\)")
# Machado, Oliveira and Fernandes (2009), table 1, severity 1.0; on linear RGB.
EYES = {
    "most eyes": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def linear(colour: str) -> np.ndarray:
    """sRGB as linear light, three numbers from 0 to 1."""
    values = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2."""
    dark, light = sorted(0.05 + float(_XYZ[1] @ linear(colour)) for colour in (one, other))
    return light / dark


def over(colour: str, ground: str) -> str:
    """A colour that lets through, on a ground, as one that does not."""
    share = int(colour[7:9] or "ff", 16) / 255
    parts = zip(*([int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in (colour, ground)), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in parts)


def lab(light: np.ndarray) -> np.ndarray:
    """CIELAB under D65."""
    xyz = _XYZ @ light / _XYZ.sum(axis=1)
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def apart(one: str, other: str, eyes: str) -> float:
    """How different two colours look (CIE 1976)."""
    a, b = (lab(np.clip(EYES[eyes] @ linear(colour), 0, 1)) for colour in (one, other))
    return float(np.linalg.norm(a - b))


def grounds(theme: str) -> tuple[str, str]:
    return THEME[theme]["backgroundColor"], THEME[theme]["secondaryBackgroundColor"]


def test_the_measures_are_those_of_their_makers() -> None:
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)  # WebAIM's example
    np.testing.assert_allclose(lab(linear("#FF0000")), [53.24, 80.09, 67.20], atol=0.02)
    for matrix in EYES.values():
        np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=2e-6)  # grey stays grey


@pytest.mark.parametrize("theme", THEMES)
def test_text_in_figures_can_be_read(theme: str) -> None:
    texts = [style.PREDICTED, style.OBSERVED_TEXT, style.QUIET, style.TEXT, *style.VERDICT_TEXT.values()]
    for colour in (text[theme] for text in texts):
        for ground in grounds(theme):
            assert contrast(colour, ground) >= TEXT, (colour, ground)


@pytest.mark.parametrize("theme", THEMES)
def test_text_of_the_theme_can_be_read(theme: str) -> None:
    of = THEME[theme]
    for ground in grounds(theme):
        for name in (
            "textColor",
            "primaryColor",
            "linkColor",
            *(key for key in of if key.endswith("TextColor")),
        ):
            assert contrast(of[name], ground) >= TEXT, (name, ground)
        for name in (key.removesuffix("TextColor") for key in of if key.endswith("TextColor")):
            assert contrast(of[f"{name}TextColor"], over(of[f"{name}BackgroundColor"], ground)) >= TEXT, name


@pytest.mark.parametrize("theme", THEMES)
def test_marks_stand_out_from_the_page(theme: str) -> None:
    page = grounds(theme)[0]
    for colour in (style.PREDICTED[theme], style.OBSERVED, style.CHANCE, style.VERDICT_EDGE):
        assert contrast(colour, page) >= MARK, colour
    for answer, colour in style.VERDICT.items():
        edge = style.VERDICT_EDGE if answer == "cannot-tell" else colour
        assert max(contrast(colour, page), contrast(edge, page)) >= MARK, answer


@pytest.mark.parametrize("theme", THEMES)
def test_the_frame_around_what_the_keyboard_reached_stands_out(theme: str) -> None:
    styles = (ROOT / "assets/style.css").read_text(encoding="utf-8")
    (ring,) = set(re.findall(r"(?:outline: 2px solid|--tour-ring:) (#\w+)", styles))
    for ground in grounds(theme):
        assert contrast(ring, ground) >= MARK


def test_figures_stand_on_the_pages_colours() -> None:
    for theme in THEMES:
        assert style.BACKGROUND[theme] == THEME[theme]["backgroundColor"]
        assert style.TEXT[theme] == THEME[theme]["textColor"]
        assert style.PREDICTED[theme] == THEME[theme]["primaryColor"]


@pytest.mark.parametrize("drawn_by", ["fill", "stroke"])
def test_figures_follow_a_theme_that_changes(drawn_by: str) -> None:
    css = (ROOT / "assets/style.css").read_text(encoding="utf-8")
    followed = {}
    for rule in re.findall(rf"[^}}]*\{{ *\n? *{drawn_by}: light-dark[^}}]*\}}", css):
        *drawn, light, dark = ("#" + "".join(f"{int(v):02X}" for v in c) for c in RGB.findall(rule))
        assert drawn == [light, dark]  # both are caught, so that a theme can change back
        followed[light] = dark
    pairs = [style.TEXT, style.PREDICTED, style.PALE_ARROW]
    pairs += [style.QUIET, *style.VERDICT_TEXT.values()] if drawn_by == "fill" else []  # of texts alone
    assert followed == {pair["light"]: pair["dark"] for pair in pairs}


def test_an_answer_has_one_colour_in_figures_and_on_the_page() -> None:
    for answer, name in style.VERDICT_BADGE.items():
        for theme in THEMES:
            assert THEME[theme][f"{name}Color"] == style.VERDICT[answer]
            assert THEME[theme][f"{name}TextColor"] == style.VERDICT_TEXT[answer][theme]


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", THEMES)
def test_meanings_are_told_apart_by_all_eyes(theme: str, eyes: str) -> None:
    in_figures = (style.PREDICTED[theme], style.OBSERVED, style.CHANCE)
    for group in (in_figures, tuple(style.VERDICT.values())):
        for one, other in combinations(group, 2):
            assert apart(one, other, eyes) >= APART, (one, other)


def test_red_and_green_would_not_do() -> None:
    assert apart("#C00000", "#008000", "most eyes") > 100
    assert apart("#C00000", "#806000", "deuteranopia") < APART


def test_no_colour_comes_from_elsewhere() -> None:
    ours = set(HEX.findall((ROOT / "calibcore/charts/style.py").read_text(encoding="utf-8")))
    files = [*(ROOT / "pages").rglob("*.py"), *(ROOT / "calibcore").rglob("*.py"), ROOT / "assets/style.css"]
    for path in files:
        found = set(HEX.findall(path.read_text(encoding="utf-8")))
        assert found <= ours, (path.name, found - ours)

"""The Simplex page in a browser: how large its figures are, zoom and back, a tetrahedron that turns."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.acts import LONG, another_tab, arrive, choose, go, settle, upload_own
from tests.browser.conftest import PHONE, Watched

N = 300
PLOT = "document.querySelector('.js-plotly-plot')"
SIDE = f"(() => {{ const a = {PLOT}._fullLayout.xaxis; return a._length / (a.range[1] - a.range[0]); }})()"
"""Pixels from 0 to 1 along the triangle's lower side."""
EYE = f"(() => {{ const e = {PLOT}._fullLayout.scene._scene.getCamera().eye; return [e.x, e.y, e.z]; }})()"
# As WebGL draws it: the six edges of the tetrahedron, the first trace of the figure.
EDGES = f"""(() => {{
  const scene = {PLOT}._fullLayout.scene._scene, {{ model, view, projection }} = scene.glplot.cameraParams;
  const {{ clientWidth: width, clientHeight: height }} = scene.container, trace = {PLOT}._fullData[0];
  const times = (m, v) => [0, 1, 2, 3].map((i) => v.reduce((sum, x, k) => sum + m[4 * k + i] * x, 0));
  const at = (i) => {{
    const place = ["x", "y", "z"].map((axis, k) => trace[axis][i] * scene.dataScale[k]);
    const [x, y, , w] = [model, view, projection].reduce((v, m) => times(m, v), [...place, 1]);
    return [((x / w + 1) / 2) * width, ((1 - y / w) / 2) * height];
  }};
  const points = [0, 1, 2, 4].map(at);
  return {{ points, width, height }};
}})()"""


# Where arrows are drawn in the window, each with the number of its bin.
ARROWS = f"""(() => {{
  const scene = {PLOT}._fullLayout.scene._scene, {{ model, view, projection }} = scene.glplot.cameraParams;
  const box = scene.container.getBoundingClientRect();
  const times = (m, v) => [0, 1, 2, 3].map((i) => v.reduce((sum, x, k) => sum + m[4 * k + i] * x, 0));
  const arrows = {PLOT}._fullData.filter((trace) => trace.customdata);
  return arrows.flatMap((trace) => trace.customdata.flatMap((own, i) => {{
    if (own?.[1] == null || trace.x[i] === null) return [];
    const place = ["x", "y", "z"].map((axis, k) => trace[axis][i] * scene.dataScale[k]);
    const [x, y, , w] = [model, view, projection].reduce((v, m) => times(m, v), [...place, 1]);
    return [[box.x + ((x / w + 1) / 2) * box.width, box.y + ((1 - y / w) / 2) * box.height, own[1]]];
  }}));
}})()"""


def write(path: Path, probs: np.ndarray, names: str, rng: np.random.Generator) -> Path:
    probs = probs / probs.sum(axis=1, keepdims=True)
    labels = (rng.random(len(probs))[:, None] > probs.cumsum(axis=1)).sum(axis=1).clip(0, len(names) - 1)
    rows = [
        ",".join([*(f"{v:.6f}" for v in row), names[k]])
        for row, k in zip(probs, labels.tolist(), strict=True)
    ]
    path.write_text("\n".join([",".join([*names, "label"]), *rows]) + "\n")
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A sure model of three classes, whose predictions crowd the corners, and a model of four."""
    folder, rng = tmp_path_factory.mktemp("simplex"), np.random.default_rng(3)
    sure = 0.02 * rng.random((N, 3)) ** 2 + np.eye(3)[rng.integers(3, size=N)]
    four = rng.dirichlet(np.full(4, 0.7), size=N)
    return {
        "sure": write(folder / "sure.csv", sure, "abc", rng),
        "four": write(folder / "four.csv", four, "abcd", rng),
    }


def opened(page: Page, address: str, path: Path) -> None:
    """The Simplex page on a file that was read, without any choice."""
    upload_own(page, address, path, f"{N} cases")
    go(page, "Simplex")
    page.locator(".js-plotly-plot").first.wait_for()
    settle(page)


def until(page: Page, condition: str) -> None:
    """Wait for a condition in the page, whose own rules forbid Playwright's way."""
    assert page.evaluate(
        f"async () => {{ const end = performance.now() + {LONG};"
        f" while (!({condition})) {{ if (performance.now() > end) return false;"
        " await new Promise(requestAnimationFrame); } return true; }"
    ), condition


def corners(page: Page) -> list[str]:
    found = page.evaluate(f"{PLOT}._fullLayout.annotations.map((note) => note.text)")
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in found]


def test_three_classes_are_large_at_once_and_zoomed_and_back(
    watched: Watched, files: dict[str, Path]
) -> None:
    page = watched.page
    opened(page, watched.address, files["sure"])
    page.get_by_text("This page shows all three classes.").wait_for()
    assert page.evaluate(SIDE) >= 600
    usual = page.viewport_size
    assert usual is not None
    page.set_viewport_size({"width": 1280, "height": 720})
    until(page, f"{PLOT}.clientHeight < 500")
    box = page.locator(".js-plotly-plot").first.bounding_box()
    assert box is not None
    assert 0 < box["y"] < box["y"] + box["height"] <= 720  # the whole of it
    page.set_viewport_size(usual)
    until(page, f"{PLOT}.clientHeight > 600")
    assert corners(page) == ["<b>a</b>", "<b>b</b>", "<b>c</b>"]

    # The arrows have grown once by themselves; then by the button, for which the server is not asked.
    until(page, "sessionStorage.getItem('caliblens-replayed') && !document.querySelector('.replay')")
    head = "document.querySelector('.scatterlayer .point').getAttribute('transform')"
    there = page.evaluate(head)
    page.get_by_role("button", name="Replay").click()
    until(page, "document.querySelector('.replay .point')")
    until(page, "!document.querySelector('.replay')")
    assert page.evaluate(head) == there
    assert page.evaluate("document.querySelectorAll('.trace[style*=hidden]').length") == 0

    near = page.get_by_role("radio", name="Near 'b'")
    near.click()
    settle(page)
    page.get_by_text("times as large: the part with at least 'b'").wait_for()
    first, second, _ = corners(page)
    assert second == "<b>b</b> 100 %"
    assert 0 < float(first.removeprefix("<b>a</b> ").removesuffix(" %")) < 50
    assert page.evaluate(SIDE) >= 600
    page.get_by_role("radio", name="The whole triangle").click()
    settle(page)
    assert corners(page) == ["<b>a</b>", "<b>b</b>", "<b>c</b>"]
    expect(page.get_by_text("times as large")).to_have_count(0)

    # Places without bins crowd the corners, too, and have the same parts; then the lens for all pages.
    page.get_by_text("Without bins", exact=True).click()
    settle(page)
    page.locator(".st-key-triangle-smooth .js-plotly-plot").first.wait_for()
    assert page.evaluate(SIDE) >= 600
    page.get_by_role("button", name="Look at all three classes everywhere").click()
    settle(page)
    expect(page.get_by_text("This page shows all three classes.")).to_have_count(0)
    page.get_by_text("Without bins", exact=True).click()
    settle(page)

    page.set_viewport_size(PHONE)
    until(page, f"{PLOT}.clientWidth < 390")
    settle(page)
    assert page.evaluate(SIDE) >= 0.9 * page.evaluate(f"{PLOT}.clientWidth") >= 300
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_four_classes_are_large_at_once_and_turn_until_touched(
    watched: Watched, files: dict[str, Path]
) -> None:
    page = watched.page
    opened(page, watched.address, files["four"])
    page.locator(".gl-container canvas").first.wait_for()
    page.locator(".js-plotly-plot").scroll_into_view_if_needed()
    first = page.evaluate(EYE)
    until(page, f"Math.hypot(...{EYE}.map((v, i) => v - {first}[i])) > 0.1")
    eye, up = page.evaluate(f"(({{ eye, up }}) => [eye, up])({PLOT}._fullLayout.scene._scene.getCamera())")
    assert up["x"] * eye["y"] == pytest.approx(up["y"] * eye["x"], abs=1e-3)  # it stands upright
    box = page.locator(".js-plotly-plot").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
    settle(page)
    stopped = page.evaluate(EYE)
    page.wait_for_timeout(1_500)  # three times what it takes to begin anew
    assert page.evaluate(EYE) == stopped

    page.get_by_role("radio", name="d", exact=True).click()  # straight before the side of the others
    settle(page)
    seen = page.evaluate(EDGES)
    a, b, c, d = np.array(seen["points"])
    assert min(np.linalg.norm(a - b), np.linalg.norm(b - c), np.linalg.norm(c - a)) >= 500
    for point in (a, b, c, d):
        assert 0 < point[0] < seen["width"]
        assert 0 < point[1] < seen["height"]

    # A click on an arrow shows its cases beside the figure; a drag, which turns it, does not.
    page.keyboard.press("Home")
    page.locator(".js-plotly-plot").scroll_into_view_if_needed()
    settle(page)
    cases = page.get_by_role("combobox", name="The cases of an arrow")
    expect(cases).to_have_value("")
    x, y, _ = page.evaluate(ARROWS)[0]
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y, steps=3)
    page.wait_for_timeout(500)  # until plotly has said what is under the pointer
    page.mouse.click(x, y)
    expect(cases).not_to_have_value("")
    settle(page)

    # By a button arrows grow anew from what was said, and end where they were.
    growing = f"{PLOT}._fullData.filter((trace) => trace.meta?.grows)"
    tips = f"JSON.stringify({growing}.map((trace) => [trace.x, trace.y, trace.z]))"
    there = page.evaluate(tips)
    frames = page.evaluate(
        f"""async () => {{
          const scene = {PLOT}._fullLayout.scene._scene, plain = scene.glplot.redraw;
          let drawn = 0;
          scene.glplot.redraw = function (...given) {{ drawn += 1; return plain.apply(this, given); }};
          document.querySelector('.st-key-replay button').click();
          await new Promise((done) => setTimeout(done, 1500));
          scene.glplot.redraw = plain;
          return drawn;
        }}"""
    )
    assert frames >= 2
    assert page.evaluate(tips) == there


@pytest.mark.slow
def test_nothing_turns_where_motion_is_unwanted_nor_is_a_phone_overrun(
    watched: Watched, files: dict[str, Path]
) -> None:
    page = watched.page
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    upload_own(page, watched.address, files["four"], f"{N} cases")
    page.evaluate("[...document.querySelectorAll('a')].find((a) => a.pathname.endsWith('/simplex')).click()")
    page.locator(".gl-container canvas").first.wait_for()
    settle(page)
    page.locator(".js-plotly-plot").scroll_into_view_if_needed()
    expect(page.get_by_text("The figure turns slowly")).to_be_hidden()
    expect(page.get_by_role("button", name="Replay")).to_be_hidden()
    assert page.evaluate("sessionStorage.getItem('caliblens-replayed')") is None
    before = page.evaluate(EYE)
    page.wait_for_timeout(1_500)
    assert page.evaluate(EYE) == before
    seen = page.evaluate(EDGES)
    for x, y in seen["points"]:
        assert 20 < x < seen["width"] - 20
        assert 15 < y < seen["height"] - 15
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_of_many_classes_two_choices_stand_there_and_of_two_their_line(watched: Watched) -> None:
    """What can be pressed beside the figure, with Back, reload and a second tab."""
    page = watched.page
    arrive(page, watched.address, "Simplex")
    page.get_by_text("This page shows the 2 most likely classes.").wait_for()
    page.locator(".js-plotly-plot").first.wait_for()
    settle(page)
    assert corners(page) == ["<b>1st</b>", "<b>2nd</b>", "<b>other</b>"]

    page.get_by_role("button", name="Arrows").click()
    page.get_by_role("spinbutton", name="Draw arrows of bins with at least").fill("68")
    page.keyboard.press("Enter")
    settle(page)
    page.get_by_text("arrows are drawn, those of 68 images or more").wait_for()
    page.get_by_text("The darker blue holds").wait_for()
    page.get_by_text("Where predictions are densest").click()
    settle(page)
    expect(page.get_by_text("The darker blue holds")).to_have_count(0)
    page.keyboard.press("Escape")

    other = another_tab(page)  # of the same address, with a session of its own
    other.get_by_text("This page shows the 2 most likely classes.").wait_for(timeout=LONG)
    other.close()

    page.get_by_role("button", name="Look at the 2 most likely classes everywhere").click()
    settle(page)
    expect(page.get_by_text("This page shows the 2 most likely classes.")).to_have_count(0)
    go(page, "Reliability")
    page.go_back()
    page.locator("[class*='st-key-triangle-'] .js-plotly-plot").first.wait_for(timeout=LONG)
    settle(page)
    expect(page.get_by_text("This page shows the 2 most likely classes.")).to_have_count(0)  # it stayed
    page.reload()
    page.locator("[class*='st-key-triangle-'] .js-plotly-plot").first.wait_for(timeout=LONG)
    settle(page)

    choose(page, "Predictions", "Breast tumours, gradient boosting")
    page.get_by_text("With two classes the triangle is a line").wait_for(timeout=LONG)
    page.locator(".st-key-diagram .js-plotly-plot").wait_for()
    page.get_by_role("button", name="Wines of three growers").click()
    page.locator("[class*='st-key-triangle-'] .js-plotly-plot").first.wait_for(timeout=LONG)
    settle(page)
    assert corners(page) == ["<b>grower 1</b>", "<b>grower 2</b>", "<b>grower 3</b>"]

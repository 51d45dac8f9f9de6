"""The Training page: the bundled run, an epoch that is chosen, runs of one's own in every form."""

import io
import json
import re
import zipfile
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from calibcore.transforms.lenses import ClassLens, TopKLens
from pages.ui.settings import Settings
from tests.pages.harness import START, choose, opened, press, said, settled
from tests.pages.test_figures_and_tables import figures_without, shown, tables_without

N = 200
NAMES = ("cat", "dog", "fox")


def plain(app: AppTest) -> str:
    return said(app).replace("\N{NO-BREAK SPACE}", " ")


def layout(app: AppTest, chart: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(app.get("plotly_chart")[chart].proto.spec)["layout"]
    return found


def epochs() -> tuple[np.ndarray, list[str]]:
    """(3, N, 3) predictions that become too sure, and labels."""
    rng = np.random.default_rng(2)
    labels = rng.integers(3, size=N)
    x = rng.normal(size=(N, 3)) + 1.5 * np.eye(3)[labels]
    g = np.exp(np.array([0.5, 1.5, 6.0])[:, None, None] * x)
    return g / g.sum(axis=2, keepdims=True), [NAMES[k] for k in labels]


def files() -> dict[str, str]:
    probs, labels = epochs()
    return {
        f"epoch_{t}.csv": ",".join((*NAMES, "label"))
        + "\n"
        + "".join(
            f"{','.join(f'{v:.6f}' for v in row)},{y}\n" for row, y in zip(of_epoch, labels, strict=True)
        )
        for t, of_epoch in zip((1, 2, 10), probs, strict=True)
    }


def zipped(content: dict[str, str]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as held:
        for name, text in content.items():
            held.writestr(name, text)
    return archive.getvalue()


def array() -> bytes:
    probs, labels = epochs()
    one = io.BytesIO()
    np.savez(
        one, probs=probs, labels=np.array(labels), class_names=np.array(NAMES), epoch=np.array([1, 2, 10])
    )
    return one.getvalue()


def give(app: AppTest, content: dict[str, bytes]) -> AppTest:
    (widget,) = [w for w in app.file_uploader if w.label == "Drop the files of one training run here"]
    widget.set_value([(name, data, "application/octet-stream") for name, data in content.items()]).run()
    return settled(app)


def test_the_bundled_run_and_an_epoch_that_is_chosen() -> None:
    app = opened("training")
    text = plain(app)
    assert re.search(
        r"Miscalibrated from epoch 21 on, at the last typically \d+\.\d points off "
        r"\(approximate 95 % interval \d+\.\d to \d+\.\d\)\. "
        r"Also in epochs 3 to 6\.",
        text,
    )
    assert "## Take epoch 12: it has the least log loss, and no sign of miscalibration." in text
    assert "Its log loss is 0.277. The test of its calibration has adjusted p = 1. This epoch was" in text
    (slider,) = [s for s in app.select_slider if s.label == "Epoch"]
    assert slider.value == 12
    before = layout(app, 1)["yaxis"]["range"]
    app = settled(slider.set_value(72).run())
    assert "Epoch 72: typical gap " in plain(app)
    assert layout(app, 1)["yaxis"]["range"] == before  # one scale for all epochs
    assert layout(app, 1)["yaxis2"]["range"]


@pytest.mark.slow
def test_a_triangle_where_the_lens_has_three_classes() -> None:
    """Of three epochs: the 24 of the bundled run through this lens take as long as all other tests here."""
    app = give(opened("training"), {"run.npz": array()})
    app.session_state["settings"] = Settings(replace(START, lens=TopKLens(2)))
    app = settled(app.run())
    (slider,) = [s for s in app.select_slider if s.label == "Epoch"]
    assert "Epoch 2: " in plain(app)
    scale = layout(app, 1)["xaxis"]["range"]
    app = settled(slider.set_value("10").run())
    assert "Epoch 10: " in plain(app)
    assert layout(app, 1)["xaxis"]["range"] == scale
    assert "arrow" in plain(app)
    assert figures_without(shown(app)) == []
    assert tables_without(shown(app)) == 0


@pytest.mark.slow
@pytest.mark.parametrize("form", ["files", "zip", "npz"])
def test_a_run_of_ones_own(form: str) -> None:
    given = {
        "files": {name: text.encode() for name, text in files().items()},
        "zip": {"run.zip": zipped(files())},
        "npz": {"run.npz": array()},
    }[form]
    app = give(opened("training"), given)
    text = plain(app)
    assert "3 epochs · 200 cases · 3 classes" in text
    assert "## Take epoch 2: it has the least log loss" in text
    assert "Miscalibrated in 2 of 3 epochs" in text or "Miscalibrated from epoch 10 on" in text
    (slider,) = [s for s in app.select_slider if s.label == "Epoch"]
    assert (slider.options, slider.value) == (["1", "2", "10"], 2)
    app = settled(press(app, "Remove this run"))
    assert "24 epochs" in plain(app)


@pytest.mark.slow
def test_what_cannot_be_read_leaves_the_run_before() -> None:
    app = give(opened("training"), {"notes.csv": b"cat,dog,label\n0.5,0.5,cat\n", "more.csv": b"x"})
    text = plain(app)
    assert "2 files: The name 'notes.csv' holds no number; expected that of the epoch" in text
    assert "24 epochs" in text
    other = files()
    other["epoch_2.csv"] = other["epoch_2.csv"].replace(",cat\n", ",dog\n", 1)
    app = give(app, {name: text.encode() for name, text in other.items()})
    text = plain(app)
    assert "holds no number" not in text
    assert "Looking at every epoch is not possible: Row " in text
    assert "expected the same labels of the same cases" in text


@pytest.mark.slow
def test_a_lens_that_does_not_fit_the_run_is_said() -> None:
    app = opened("training", settings=Settings(replace(START, lens=ClassLens("3"))))
    assert "does not fit this run" not in plain(app)
    app = give(app, {"run.npz": array()})
    assert "The lens in use does not fit this run, which is looked at by its confidence." in plain(app)
    app = choose(app, "Look at", "Confidence in the answer")
    assert "does not fit this run" not in plain(settled(app))

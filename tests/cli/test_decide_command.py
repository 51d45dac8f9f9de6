"""``caliblens decide``: what is printed, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.cli.commands import run


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A model of three classes, and a less sharp one of the same cases in another order."""
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=400)
    scores = 1.5 * (rng.normal(size=(400, 3)) + 1.5 * np.eye(3)[labels])
    folder = tmp_path_factory.mktemp("models")
    paths = []
    for name, sharper, order in (("new", 1.0, np.arange(400)), ("old", 0.5, np.arange(400)[::-1])):
        g = np.exp(sharper * scores)
        table = pd.DataFrame(g / g.sum(axis=1, keepdims=True), columns=["cat", "dog", "owl"])
        table["label"] = np.array(["cat", "dog", "owl"])[labels]
        table["patient"] = [f"p{i}" for i in range(400)]
        table.iloc[order].to_csv(folder / f"{name}.csv", index=False)
        paths.append(folder / f"{name}.csv")
    return paths[0], paths[1]


def test_the_document(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--lens", "class:cat", "--thresholds", "0.2,0.5", "--json")
    code, printed, _ = run(capsys, "decide", files[0], *words)
    assert code == 0
    document = json.loads(printed)
    assert [one["threshold"] for one in document["thresholds"]] == [0.2, 0.5]
    assert document["event"] == "cat"
    assert 0 < document["simultaneous_p_value"] <= 1
    table = pd.read_csv(files[0])
    for one in document["thresholds"]:
        t, treated, hit = one["threshold"], table["cat"] >= one["threshold"], table["label"] == "cat"
        w = t / (1 - t)
        assert one["net_benefit"] == pytest.approx(((treated & hit).sum() - w * (treated & ~hit).sum()) / 400)
        assert one["treat_all"] == pytest.approx((hit.sum() - w * (~hit).sum()) / 400)
        promised = (table["cat"] - (1 - table["cat"]) * w)[treated].sum() / 400
        assert one["promised"] == pytest.approx(promised)
        assert 0 < one["p_value"] <= 1


def test_two_models(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--lens", "class:cat", "--thresholds", "0.2", "--against", files[1], "--id", "patient")
    code, printed, _ = run(capsys, "decide", files[0], *words, "--json")
    assert code == 0
    (one,) = json.loads(printed)["thresholds"]
    alone = json.loads(
        run(capsys, "decide", files[1], "--lens", "class:cat", "--thresholds", "0.2", "--json")[1]
    )
    assert one["other"]["net_benefit"] == alone["thresholds"][0]["net_benefit"]
    assert one["other"]["difference"] == pytest.approx(one["net_benefit"] - one["other"]["net_benefit"])
    code, text, _ = run(capsys, "decide", files[0], *words)
    assert code == 0
    assert "At 20\N{NO-BREAK SPACE}% the net benefit of this model less that of the other is " in text


def test_what_people_read(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    code, text, _ = run(capsys, "decide", files[0], "--lens", "confidence", "--thresholds", "0.8")
    assert code == 0
    assert "Where the model is at least 80\N{NO-BREAK SPACE}% sure, in " in text
    assert "Net benefit in 100 cases" in text
    code, text, _ = run(capsys, "decide", files[0], "--lens", "set:0.9")
    assert code == 0
    assert "whether the truth is in the 90\N{NO-BREAK SPACE}% set" in text
    assert "at thresholds from 50\N{NO-BREAK SPACE}% to 95\N{NO-BREAK SPACE}%, looked at together" in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Name a lens of two: --lens class:cat or --lens confidence."),
        (("--lens", "confidence", "--thresholds", "0.2;0.5"), "expected numbers as in 0.2,0.5."),
        (("--lens", "confidence", "--thresholds", "1.5"), "The threshold is 1.5; expected a number above 0"),
        (("--lens", "confidence", "--id", "patient"), "--id joins two files; name the other by --against."),
        (("--lens", "set:much"), "The level of the sets is 'much'; expected a number, 0.9 say."),
        (("--lens", "class:cat", "--against", "no.csv"), "no.csv"),
    ],
)
def test_what_is_refused(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(capsys, "decide", files[0], *words)
    assert (code, out) == (2, "")
    assert sentence in err

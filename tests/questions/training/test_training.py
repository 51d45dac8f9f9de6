"""training: the epochs of a run, how they are read, and what is said of each."""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from calibcore import (
    DiagnosisSpec,
    ExponentialKernel,
    InputError,
    Predictions,
    TopKLens,
    TrainingRun,
    compare,
    track_training,
)
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ExactTest
from calibcore.io.epochs import number_in, read_epochs
from calibcore.numerics.types import Float, Int
from calibcore.questions.training import words as training_words
from calibcore.words.phrases import p_words
from calibcore.words.sizes import interval_words, typical_size, typically_off
from tests.asked import SMALL, cases, small, uniform
from tests.oracles.next import reference

SPEC = DiagnosisSpec(lens=TopKLens(1), resamples=199)


@small(TrainingRun)
def of_two_epochs() -> TrainingRun:
    return track_training({1: uniform(), 2: cases()}, SMALL)


def made(n: int = 300) -> tuple[Float, Int]:
    """(T, n, 3) predictions that sharpen, and labels: calibrated where the factor is 1.5."""
    rng = np.random.default_rng(2)
    labels = rng.integers(3, size=n)
    x = rng.normal(size=(n, 3)) + 1.5 * np.eye(3)[labels]
    g = np.exp(np.array([0.3, 1.0, 1.5, 3.0, 6.0])[:, None, None] * x)
    return g / g.sum(axis=2, keepdims=True), labels


def test_the_seed_of_the_settings_orders_the_bets() -> None:
    """Of a Brier difference whose interval is by betting, here and in a comparison."""
    y = (np.arange(600) % 40 == 0).astype(int)
    models = {t: Predictions.from_arrays(np.tile([1 - e, e], (600, 1)), y) for t, e in ((1, 1e-4), (2, 0.1))}
    found = {}
    for seed in (0, 7):
        spec = DiagnosisSpec(resamples=199, seed=seed)
        first, last = track_training(models, spec, reference="last").epochs
        assert last.brier_difference is None
        assert first.brier_difference is not None
        assert first.brier_difference.by_betting
        compared = compare([models[1], models[2]], spec).pairs[0]
        assert first.brier_difference == compared.brier
        found[seed] = first.brier_difference
    assert found[0].low != found[7].low


@pytest.fixture(scope="module")
def run() -> TrainingRun:
    g, labels = made()
    return track_training({t: Predictions.from_arrays(one, labels) for t, one in enumerate(g, 1)}, SPEC)


def test_the_epochs_stand_in_order_with_what_was_found(run: TrainingRun) -> None:
    assert [epoch.number for epoch in run.epochs] == [1, 2, 3, 4, 5]
    assert run.least_log_loss in (2, 3)
    assert run.miscalibrated_from is not None
    assert run.miscalibrated_from > run.least_log_loss
    assert run.reference == run.least_log_loss
    for epoch in run.epochs:
        low, high = epoch.ece_by_chance
        assert low <= high
        assert (epoch.gap_difference is None) == (epoch.number == run.reference)
        assert epoch.adjusted >= epoch.pvalue
    bands = [high - low for low, high in (epoch.ece_by_chance for epoch in run.epochs)]
    assert bands[-1] < bands[0]  # predictions sharpen, and chance shrinks with them


def test_the_document_is_read_back(run: TrainingRun) -> None:
    again = TrainingRun.from_json(run.to_json())
    assert again.to_json() == run.to_json()
    assert json.loads(run.to_json())["epochs"][0]["epoch"] == 1


def test_the_same_uniforms_redraw_every_epoch() -> None:
    """Two epochs that say the same have the same p; and one epoch has the p that it has by itself."""
    g, labels = made()
    p = Predictions.from_arrays(g[1], labels)
    same = track_training({3: p, 9: p}, SPEC)
    assert same.epochs[0].pvalue == same.epochs[1].pvalue
    assert same.epochs[0].diagnosis.calibration_error == same.epochs[1].diagnosis.calibration_error


@pytest.mark.parametrize("name", ["epoch 1 (sharp A^2)", "epoch 2 (A)", "epoch 3 (B)"])
def test_the_reference(name: str) -> None:
    """The kernel test, the choice beside the omnibus test, against complete enumeration."""
    case = reference("B", name)
    given, expected = case["input"], case["output"]
    p = Predictions.from_arrays(given["G"], given["y"])
    rows = np.arange(p.n)
    assert -np.log(p.probs[rows, p.labels]).mean() == pytest.approx(expected["log_loss"], abs=1e-12)
    kernel = ExponentialKernel(given["bandwidth"], "total-variation")
    found = ExactTest(SKCE(kernel), 20_000)(p, np.random.default_rng(0))
    assert found.statistic == pytest.approx(expected["statistic"], abs=1e-12)
    assert found.pvalue == pytest.approx(expected["p_exact"], abs=0.012)


def test_the_sentences(run: TrainingRun) -> None:
    rejected, since = list(run.rejected), run.miscalibrated_from
    before = [number for number in rejected if since is not None and number < since]
    last = run.epochs[-1].diagnosis.typical_gap
    assert last is not None
    best = run.epoch(run.least_log_loss)
    take = f"Take epoch {best.number}: it has the least log loss, "
    assert training_words.headline(run).startswith(take)
    off = best.number in run.rejected
    assert ("and no sign of miscalibration." in training_words.headline(run)) != off
    worst = replace(run.epochs[-1], diagnosis=best.diagnosis)
    only = replace(run, epochs=(worst,), reference=worst.number)
    gap = worst.diagnosis.typical_gap
    assert gap is not None
    assert training_words.headline(only) == (
        f"Take epoch {worst.number}: it has the least log loss, but is miscalibrated, {typically_off(gap)}."
    )
    assert training_words.rejected_sentence(run).startswith(
        f"Miscalibrated from epoch {since} on, at the last typically {typical_size(last)} off (approximate 95"
        f"\N{NO-BREAK SPACE}% interval {interval_words(last)})."
    )
    assert before in ([1], [1, 2])
    assert training_words.rejected_sentence(run).endswith(
        " Also in epoch 1." if before == [1] else " Also in epochs 1 to 2."
    )
    assert training_words.choice_sentence(run).startswith(
        f"Its log loss is {best.log_loss:.3f}. The test of its calibration has adjusted p "
    )
    worse = [e.number for e in run.epochs if e.gap_adjusted is not None and e.gap_adjusted <= 0.05]
    assert 1 in worse
    sentence = training_words.reference_sentence(run)
    assert f"worse calibrated than epoch {run.reference} (" in sentence
    p = p_words(max(run.epoch(number).gap_adjusted or 0 for number in worse))
    assert sentence.endswith(f"adjusted {p}).")
    assert sentence.startswith(f"Epoch{'s' * (len(worse) > 1)} {worse[0]}")
    assert "difference of their squared binned errors" in training_words.method_sentences(run)[1]
    numbers = [epoch.number for epoch in run.epochs]
    assert training_words._listed(run, numbers[:2] + numbers[3:]) == (
        f"epochs {numbers[0]} to {numbers[1]} and {numbers[3]} to {numbers[-1]}"
    )


# --- reading ----------------------------------------------------------------------------

Maker = Callable[[Path], dict[str, object]]
NAMES = ("cat", "dog", "owl")


def files(folder: Path) -> dict[str, object]:
    g, labels = made()
    for t, one in zip((1, 2, 10), g, strict=False):
        table = pd.DataFrame(one, columns=NAMES).assign(label=np.array(NAMES)[labels])
        table.to_csv(folder / f"epoch_{t:02}.csv", index=False)
    return {"sources": sorted(folder.glob("*.csv"), reverse=True)}


def folder(folder: Path) -> dict[str, object]:
    g, labels = made()
    for t, one in zip((1, 2, 10), g, strict=False):
        pd.DataFrame(one, columns=NAMES).to_csv(folder / f"net-v2-epoch{t}-loss0.31.csv", index=False)
    pd.DataFrame({"label": np.array(NAMES)[labels]}).to_csv(folder / "labels.csv", index=False)
    (folder / "notes.md").write_text("ours")
    return {"sources": [folder]}


def zipped(folder: Path) -> dict[str, object]:
    paths = files(folder)["sources"]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in paths:  # type: ignore[attr-defined]
            archive.write(path, f"run/{path.name}")
    return {"sources": [packed.getvalue()], "names": ["run.zip"]}


def array(folder: Path) -> dict[str, object]:
    g, labels = made()
    np.savez(folder / "run.npz", probs=g[:3], labels=labels, epoch=[1, 2, 10], class_names=np.array(NAMES))
    return {"sources": [folder / "run.npz"]}


def table(folder: Path) -> dict[str, object]:
    g, labels = made()
    parts = [
        pd.DataFrame(one, columns=NAMES).assign(epoch=t, case=np.arange(300), label=np.array(NAMES)[labels])
        for t, one in zip((1, 2, 10), g, strict=False)
    ]
    whole = pd.concat(parts).sample(frac=1.0, random_state=1)
    whole.to_csv(folder / "run.csv", index=False)
    return {"sources": [folder / "run.csv"]}


@pytest.mark.some(2)
@pytest.mark.parametrize("maker", [files, folder, zipped, array, table])
def test_every_way_to_hand_over_a_run(maker: Maker, tmp_path: Path) -> None:
    read = read_epochs(**maker(tmp_path))  # type: ignore[arg-type]
    assert list(read.predictions) == [1, 2, 10]
    g, labels = made()
    run = track_training(read.predictions, SPEC)
    expected = track_training(
        {t: Predictions.from_arrays(one, labels, NAMES) for t, one in zip((1, 2, 10), g, strict=False)}, SPEC
    )
    for one, other in zip(run.epochs, expected.epochs, strict=True):
        gaps = one.diagnosis.typical_gap, other.diagnosis.typical_gap
        assert gaps[0] is not None
        assert gaps[1] is not None
        assert gaps[0].value == pytest.approx(gaps[1].value, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("epoch_03.csv", 3),
        ("net-v2-epoch12-loss0.31.npz", 12),
        ("7.csv", 7),
        ("resnet18_checkpoint-00040.parquet", 40),
        ("Ep. 5 of run 2.csv", 5),
        ("run2_17.csv", 17),
    ],
)
def test_the_number_in_a_name(name: str, number: int) -> None:
    assert number_in(name) == number


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no number; expected that of the epoch"):
        number_in("final.csv")
    given = files(tmp_path)["sources"]
    with pytest.raises(InputError, match="There is 1 epoch; expected 2 to"):
        read_epochs([given[0], given[0].with_name("labels.csv")], labels=None)  # type: ignore[index]
    with pytest.raises(InputError, match="are both epoch 10; expected one file an epoch"):
        read_epochs([*given, tmp_path / "step-10.csv"])  # type: ignore[misc]
    (tmp_path / "epoch_11.csv").write_text("cat,dog,owl,label\n0.5,0.5,0,cow\n")
    with pytest.raises(InputError, match=r"^epoch_11\.csv: "):
        read_epochs([*given, tmp_path / "epoch_11.csv"])  # type: ignore[misc]
    with pytest.raises(InputError, match="'epoch' beside predictions and labels; the other columns are none"):
        read_epochs([given[0]])  # type: ignore[index]
    g, labels = made()
    with pytest.raises(InputError, match="There is no reference 'best'"):
        track_training({t: Predictions.from_arrays(one, labels) for t, one in enumerate(g)}, reference="best")


def test_a_table_with_other_numbers_of_rows_is_refused(tmp_path: Path) -> None:
    table(tmp_path)
    whole = pd.read_csv(tmp_path / "run.csv")
    whole.drop(whole.index[whole.epoch == 10][0]).to_csv(tmp_path / "cut.csv", index=False)
    with pytest.raises(
        InputError, match="Epoch 1 has 300 rows and epoch 10 has 299; expected the same cases"
    ):
        read_epochs([tmp_path / "cut.csv"])

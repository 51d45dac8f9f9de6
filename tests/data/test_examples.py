"""Bundled examples: held out, complete, and the toy populations exactly what the papers say."""

import dataclasses
import importlib.util
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from calibcore import ClassLens, DiagnosisSpec, monitor, survey, survey_groups
from calibcore.data.examples import EXAMPLES, RUNS, example_csv, load_cases, load_example, load_run
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import UNKNOWN, MultiLabelPredictions
from calibcore.errors import InputError
from calibcore.io import read_labels
from calibcore.limits import asset_path

ROOT = Path(__file__).parents[2]
KEYS = [example.key for example in EXAMPLES]
INDEX = json.loads(asset_path("examples", "index.json").read_text(encoding="utf-8"))
REAL = [entry["key"] for entry in INDEX["examples"]]
IN_ALL = {"digits": 1797, "breast": 569, "wine": 178, "diabetes": 442}
"""Cases of each data set, by the first word of the key."""


def accuracy(predictions: Predictions) -> float:
    return float((predictions.probs.argmax(axis=1) == predictions.labels).mean())


# --- the list and the files -------------------------------------------------


def test_the_keys_differ_and_every_example_is_described() -> None:
    assert len(set(KEYS)) == len(KEYS)
    for example in EXAMPLES:
        assert re.fullmatch(r"[a-z0-9-]+", example.key)
        assert example.title
        assert not example.title.endswith(".")
        assert example.description.endswith(".")
        assert ". " not in example.description.replace("al. ", "")
        assert example.noun in (
            "case",
            "image",
            "letter",
            "patient",
            "question",
            "tumour",
            "visit",
            "wine",
            "X-ray",
        )


def test_an_unknown_key_is_answered_with_the_keys_there_are() -> None:
    with pytest.raises(InputError, match=re.escape(", ".join(KEYS))):
        load_example("mnist")


def test_a_key_is_never_a_path() -> None:
    with pytest.raises(InputError):
        load_example("../examples/wine")


def test_the_files_are_small_listed_and_hold_no_objects() -> None:
    files = sorted(path for path in asset_path("examples").iterdir() if path.is_file())
    assert {file.name for file in files} == {
        "index.json",
        *(
            f"{key}.npz"
            for key in (
                *REAL,
                "chest-findings",
                "clinic",
                "letters",
                "multiple-choice",
                "tumour-grades",
                *(r.key for r in RUNS),
            )
        ),
    }
    assert sum(file.stat().st_size for file in files) < 2_500_000
    for key in REAL:
        with np.load(asset_path("examples", f"{key}.npz"), allow_pickle=False) as arrays:
            assert set(arrays) == {"probs", "labels", "class_names"}
            assert arrays["labels"].dtype == np.uint8


@pytest.mark.parametrize("key", KEYS)
def test_every_example_loads(key: str) -> None:
    p = load_cases(key)
    assert load_cases(key).fingerprint == p.fingerprint
    assert p.notes == ()
    if isinstance(p, MultiLabelPredictions):
        assert (p.class_counts > 0).all()
        with pytest.raises(InputError, match=re.escape(f"load_cases('{key}')")):
            load_example(key)
        return
    assert_allclose(p.probs.sum(axis=1), 1, rtol=0, atol=1e-5)
    assert set(p.labels.tolist()) == set(range(p.m))
    assert load_example(key).labels.tolist() == p.labels.tolist()


@pytest.mark.parametrize("entry", INDEX["examples"], ids=REAL)
def test_the_index_says_how_large_each_example_is(entry: dict[str, object]) -> None:
    p = load_example(str(entry["key"]))
    assert (p.n, p.m) == (entry["n"], entry["m"])
    found = re.search(r"trained on ([\d,]+) .* on the other ([\d,]+) ", str(entry["description"]))
    assert found is not None
    trained, predicted = (int(number.replace(",", "")) for number in found.groups())
    assert predicted == p.n
    assert entry["held_out"] == f"one random split: trained on {trained}, predicted the other {p.n}"
    assert trained + p.n == IN_ALL[str(entry["key"]).split("-")[0]]


@pytest.mark.parametrize("key", KEYS)
def test_labels_are_not_ordered(key: str) -> None:
    """Equal neighbours are as frequent as in a shuffle, within 4 standard deviations."""
    p = load_cases(key)
    y = p.labels if isinstance(p, Predictions) else (p.outcomes == 1).sum(axis=1)
    rng = np.random.default_rng(0)
    shuffled = np.array([y[rng.permutation(len(y))] for _ in range(500)])
    equal = (shuffled[:, 1:] == shuffled[:, :-1]).mean(axis=1)
    assert abs((y[1:] == y[:-1]).mean() - equal.mean()) < 4 * equal.std()


# --- the real ones ----------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "n", "m", "lowest", "highest"),
    [
        ("digits-forest", 1079, 10, 0.95, 0.99),
        ("digits-naive-bayes", 1079, 10, 0.85, 0.93),
        ("digits-logistic", 1079, 10, 0.95, 0.99),
        ("breast-cancer", 285, 2, 0.93, 0.99),
        ("wine", 89, 3, 0.65, 0.85),
        ("diabetes", 221, 4, 0.40, 0.55),
    ],
)
def test_sizes_and_accuracies_are_plausible(key: str, n: int, m: int, lowest: float, highest: float) -> None:
    p = load_example(key)
    assert (p.n, p.m) == (n, m)
    assert lowest < accuracy(p) < highest


def test_classes_are_as_frequent_as_the_split_left_them() -> None:
    cancer = load_example("breast-cancer")
    assert cancer.class_names == ("malignant", "benign")
    assert np.bincount(cancer.labels).tolist() == [104, 181]
    assert np.bincount(load_example("wine").labels).tolist() == [34, 33, 22]
    assert np.bincount(load_example("diabetes").labels).tolist() == [60, 48, 61, 52]
    assert np.bincount(load_example("digits-forest").labels).min() == 103


def test_the_three_models_of_digits_err_in_different_directions() -> None:
    gaps = {}
    for key in ("digits-forest", "digits-naive-bayes", "digits-logistic"):
        p = load_example(key)
        gaps[key] = p.probs.max(axis=1).mean() - accuracy(p)
    assert gaps["digits-forest"] < -0.1
    assert gaps["digits-naive-bayes"] > 0.04
    assert abs(gaps["digits-logistic"]) < 0.03


@pytest.mark.parametrize("key", REAL)
def test_no_outcome_was_given_probability_zero(key: str) -> None:
    p = load_example(key)
    assert p.probs[np.arange(p.n), p.labels].min() > 0


def test_the_four_classes_of_diabetes_spread_over_the_tetrahedron() -> None:
    p = load_example("diabetes").probs
    assert (p.max(axis=0) > 0.4).all()
    assert (p.min(axis=0) < 0.1).all()


# --- the training run -------------------------------------------------------


def test_the_clinic_is_off_where_its_description_says() -> None:
    """At site East, and everywhere from September on; patients repeat; nothing else is wrong."""
    p = load_example("clinic")
    assert list(p.metadata) == ["site", "sex", "age", "patient", "date"]
    assert asset_path("examples", "clinic.npz").stat().st_size < 400_000
    spec = DiagnosisSpec(unit="patient", resamples=199)
    before = p.with_rows(np.flatnonzero(p.metadata["date"] < "2025-09-01"))
    found = survey_groups(before, ["site", "sex", "age"], spec, worst=True)
    assert [(g.column, g.value) for g in found.tested if g.adjusted <= 0.05] == [("site", "East")]  # type: ignore[operator]
    assert found.worst is not None
    assert found.worst.where[0] == ("site", ("East",), True)
    seen = monitor(p, spec, time="date")
    assert seen.crossed_times[20.0] > "2025-09-01"
    assert seen.since is not None
    assert seen.since.time > "2025-08-01"
    assert (seen.rows, seen.n) == (3_000, 1_460)
    assert "1,460 patients" in next(e.description for e in EXAMPLES if e.key == "clinic")
    rows = example_csv("clinic").splitlines()
    assert rows[0] == "stays away,comes back,case,site,sex,age,patient,date,label"
    assert len(rows) == 3_001


def test_the_multiple_choice_log_is_off_where_its_description_says() -> None:
    """Of option A in law; what a question has not has probability 0, and is never true."""
    p = load_example("multiple-choice")
    assert list(p.metadata) == ["task", "number of options"]
    there = np.arange(p.m) < p.metadata["number of options"][:, None]
    assert_array_equal(p.probs > 0, there)
    assert there[np.arange(p.n), p.labels].all()
    found = survey_groups(p, ["task"], DiagnosisSpec(lens=ClassLens("A"), resamples=199))
    assert [g.value for g in found.tested if g.adjusted <= 0.05] == ["law"]  # type: ignore[operator]
    law = p.metadata["task"] == "law"
    gaps = p.probs.mean(axis=0) - np.bincount(p.labels, minlength=p.m) / p.n
    assert gaps.argmax() == 0
    for task, least in ((law, 0.08), (~law, -0.03)):
        assert least < (p.probs[task, 0] - (p.labels[task] == 0)).mean() < least + 0.06
    rows = example_csv("multiple-choice").splitlines()
    assert rows[0] == "A,B,C,D,E,case,task,number of options,label"


def test_the_tumour_grades_are_off_at_the_border_of_their_description() -> None:
    """Above grade 2 by 0.8 on the log odds, and nowhere else; the order is declared."""
    p = load_example("tumour-grades")
    assert p.ordered
    assert p.class_names == tuple(f"grade {k}" for k in range(1, 5))
    above = 1 - p.probs.cumsum(axis=1)[:, :3]
    happened = p.labels[:, None] > np.arange(3)
    errors = (above - happened).std(axis=0) / p.n**0.5
    gaps = (above - happened).mean(axis=0)
    assert (np.abs(gaps[[0, 2]]) < 3 * errors[[0, 2]]).all()
    odds = np.log(above[:, 1] / (1 - above[:, 1])) - 0.8
    assert abs((1 / (1 + np.exp(-odds)) - happened[:, 1]).mean()) < 3 * errors[1]
    assert gaps[1] > 0.08


@pytest.mark.slow
def test_the_chest_findings_are_off_where_their_description_says() -> None:
    """Three of 14 as planted, and right once that is taken back; findings go together; few are not known."""
    p = load_cases("chest-findings")
    assert isinstance(p, MultiLabelPredictions)
    assert (p.n, p.k, list(p.metadata)) == (2_000, 14, ["view"])
    said = np.log(p.probs / (1 - p.probs))
    truth = said.copy()
    high, low, stretched = (p.label_names.index(name) for name in ("effusion", "cardiomegaly", "nodule"))
    truth[:, high] -= 0.5
    truth[:, low] += 0.5
    truth[:, stretched] /= 1.8
    known = p.outcomes != UNKNOWN
    rest = [j for j in range(p.k) if j not in (high, low, stretched)]
    for logits, off in ((truth, False), (said, True)):
        errors = np.where(known, p.outcomes - 1 / (1 + np.exp(-logits)), np.nan)
        z = np.nanmean(errors, axis=0) / np.nanstd(errors, axis=0) * known.sum(axis=0) ** 0.5
        assert (np.abs(z[rest]) < 4).all()
        assert (np.abs(z[[high, low, stretched]]) > 5).tolist() == 3 * [off]
    together = np.corrcoef(np.where(known, p.outcomes - 1 / (1 + np.exp(-truth)), 0).T)
    assert together[np.triu_indices(14, 1)].min() > 0.1
    missing = dict(zip(p.label_names, (~known).sum(axis=0).tolist(), strict=True))
    assert {name: many for name, many in missing.items() if many} == {"pneumonia": 60, "hernia": 25}
    found = survey(p)
    wrong = {d.spec.lens.of_label for d, a in zip(found.diagnoses, found.adjusted, strict=True) if a <= 0.05}
    assert wrong == {"effusion", "cardiomegaly", "nodule"}


def test_the_csv_of_several_labels_is_read_as_it_is() -> None:
    p = load_cases("chest-findings")
    assert isinstance(p, MultiLabelPredictions)
    back = read_labels(example_csv("chest-findings").encode(), name="chest.csv").predictions
    assert back.label_names == p.label_names
    assert_array_equal(back.outcomes, p.outcomes)
    assert_allclose(back.probs, p.probs, rtol=0, atol=5e-7)
    assert_array_equal(back.metadata["view"], p.metadata["view"])


def test_the_run_begins_too_unsure_and_ends_too_sure() -> None:
    (run,) = RUNS
    epochs = load_run(run.key)
    assert list(epochs) == list(range(3, 73, 3))
    gaps = {number: p.probs.max(axis=1).mean() - accuracy(p) for number, p in epochs.items()}
    assert gaps[3] < -0.1
    assert abs(gaps[12]) < 0.02
    assert gaps[72] > 0.02
    first = load_example("digits-forest")
    assert all(np.array_equal(p.labels, first.labels) for p in epochs.values())
    with pytest.raises(InputError, match="There is no run 'mnist'; expected one of digits-training"):
        load_run("mnist")


# --- how the files are made -------------------------------------------------


def script() -> ModuleType:
    """scripts/make_examples.py as a module; skips where scikit-learn is missing."""
    pytest.importorskip("sklearn")
    spec = importlib.util.spec_from_file_location("make_examples", ROOT / "scripts" / "make_examples.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # dataclasses look their module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def case_of(module: ModuleType, key: str) -> Any:
    return next(case for case in module.CASES if case.key == key)


@pytest.mark.parametrize(("n", "share", "trained"), [(1797, 0.4, 718), (569, 0.5, 284), (178, 0.5, 89)])
def test_a_split_has_every_case_once(n: int, share: float, trained: int) -> None:
    first, second = script().split(n, share)
    assert len(first) == trained
    assert_array_equal(np.sort(np.concatenate([first, second])), np.arange(n))


@pytest.mark.some(1)
@pytest.mark.parametrize("key", ["wine", "diabetes"])
def test_outcomes_of_the_predicted_part_do_not_reach_the_model(key: str) -> None:
    """What the exact tests require: other labels there, the same predictions."""
    module = script()
    case = case_of(module, key)
    x, y, names = case.data()
    _, predicted = module.split(len(y), case.share)
    other = y.copy()
    other[predicted] = np.random.default_rng(0).integers(len(names), size=len(predicted))
    before, _ = module.held_out(case)
    after, _ = module.held_out(dataclasses.replace(case, data=lambda: (x, other, names)))
    assert (before["labels"] != after["labels"]).any()
    assert_array_equal(before["probs"], after["probs"])
    assert_array_equal(before["labels"], y[predicted])


def test_the_quarters_of_diabetes_are_those_of_the_training_part() -> None:
    module = script()
    _, y, _ = module.diabetes()
    trained, _ = module.split(len(y), module.HALF)
    assert np.ptp(np.bincount(y[trained])) <= 3  # ties


@pytest.mark.slow
def test_the_library_reads_examples_without_scikit_learn() -> None:
    code = (
        "import sys; from calibcore.data import examples; examples.load_example('wine'); "
        "assert 'sklearn' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_archives_do_not_depend_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    module = script()
    arrays, _ = module.held_out(case_of(module, "diabetes"))
    now = module.npz_bytes(arrays)
    a_year_on = time.localtime(time.time() + 365 * 86_400)
    monkeypatch.setattr(time, "localtime", lambda *_: a_year_on)
    assert module.npz_bytes(arrays) == now


def test_rounding_keeps_significant_digits() -> None:
    values = np.array([[0.123456789, 1.23456789e-40], [0.0, 1.0]])
    assert_array_equal(script().significant(values, 7), [[0.1234568, 1.234568e-40], [0.0, 1.0]])


@pytest.mark.slow
def test_the_script_makes_the_files_that_are_here(tmp_path: Path) -> None:
    """Texts and labels exactly; probabilities up to what another processor adds in another order."""
    sklearn = pytest.importorskip("sklearn")
    if sklearn.__version__ != INDEX["scikit_learn"]:
        pytest.skip(f"the files were made with scikit-learn {INDEX['scikit_learn']}")
    script().make(tmp_path)
    assert (tmp_path / "index.json").read_bytes() == asset_path("examples", "index.json").read_bytes()
    for key in REAL:
        with (
            np.load(tmp_path / f"{key}.npz") as made,
            np.load(asset_path("examples", f"{key}.npz")) as here,
        ):
            assert_array_equal(made["labels"], here["labels"])
            assert_array_equal(made["class_names"], here["class_names"])
            assert_allclose(made["probs"], here["probs"], rtol=0, atol=1e-5)

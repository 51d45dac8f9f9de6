"""A column that is called a model is never pooled in silence, and no model beside others is left out so."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from calibcore import InputError
from calibcore.errors import SeveralModelsError
from calibcore.io import Reading, ReadOptions, read
from calibcore.io.all_models import models_in
from tests.cli.commands import run

SIZES = (20, 15)


def part(seed: int, n: int) -> pd.DataFrame:
    """Cases with an id and the probability of the event, drawn from it."""
    rng = np.random.default_rng(seed)
    p = rng.random(n)
    y = (np.random.default_rng(9).random(n) < 0.5).astype(int)
    return pd.DataFrame({"id": np.arange(n), "y": y, "prob": p.round(6)})


def below(column: str, values: tuple[Any, ...] = ("A", "B"), sizes: tuple[int, ...] = SIZES) -> pd.DataFrame:
    """Sets of rows below each other, of which none is complete."""
    parts = [part(i, n).assign(**{column: v}) for i, (v, n) in enumerate(zip(values, sizes, strict=False))]
    return pd.concat(parts, ignore_index=True)


def as_read(table: pd.DataFrame, **options: Any) -> Reading:
    return read(table.to_csv(index=False).encode(), name="x.csv", options=ReadOptions(**options))


def refused(table: pd.DataFrame, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        as_read(table, **options)
    return caught.value


def no_ids(table: pd.DataFrame) -> pd.DataFrame:
    return table.drop(columns="id")


def some(name: str = "model") -> pd.DataFrame:
    return no_ids(below(name))


NAMED = {
    **{
        name: (name, some(name))
        for name in (
            "model", "Model", "model_name", "modelId", "MODEL NAME", "classifier", "classifier_id", "clf",
            "name of the model", "Modell", "algorithm", "estimator", "llm", "ml_model", "model_version",
        )
    },
    "rows of another order": ("model", some().sample(frac=1, random_state=3)),
    "other cases": ("model", below("model").assign(id=np.arange(sum(SIZES)))),
    "labels that differ": (
        "model", below("model").assign(y=lambda t: np.where(t.model == "A", t.y, 1 - t.y))
    ),
    "one row": ("model", no_ids(below("model", ("A", "B", "C"), (20, 15, 1)))),
    "numbers": ("model", no_ids(below("model", (1, 2)))),
    "empty names": ("model", no_ids(below("model", ("A", "B", ""), (20, 15, 10)))),
    "one name and none": ("model", no_ids(below("model", ("A", "")))),
    "a method that is a model": ("method", no_ids(below("method", ("random forest", "xgboost")))),
    "a network": ("network", no_ids(below("network", ("resnet50", "vgg16")))),
    "an architecture": ("architecture", no_ids(below("architecture", ("ViT-B", "ConvNeXt")))),
    "a method of the same cases": ("method", below("method")),
    "a variant of the same cases": ("variant", below("variant")),
    "one in per cent": (
        "model", some().assign(prob=lambda t: np.where(t.model == "B", 100 * t.prob, t.prob))
    ),
    "a bad row": ("model", some().assign(prob=lambda t: np.where(t.index == 30, -7.0, t.prob))),
}  # fmt: skip


@pytest.mark.some(10)
@pytest.mark.parametrize("kind", NAMED)
def test_which_model_is_asked_first_and_never_pooled(kind: str) -> None:
    column, table = NAMED[kind]
    error = refused(table)
    assert isinstance(error, SeveralModelsError), error
    names = tuple(dict.fromkeys(str(v) for v in table[column] if str(v)))
    assert (error.models, error.model_column) == (names, column)
    if "" in set(table[column]):
        assert f"{(table[column] == '').sum()} rows named none." in str(error)
    first = ReadOptions().mended(error.remedies[0])
    assert (first.model, first.model_column) == (names[0], column)
    mine = table[table[column].astype(str) == names[0]]
    reading = as_read(table, model=names[0], model_column=column)
    assert reading.predictions.n == len(mine)
    np.testing.assert_allclose(reading.predictions.probs[:, 1], mine.prob, atol=1e-12)
    keep = error.remedies[-1]
    assert keep.change == {"rows_where": ("all",)}
    if kind not in ("one in per cent", "a bad row"):
        assert as_read(table, rows_where=("all",)).predictions.n == len(table)


NO_MODELS = {
    "payment_method": ("card", "cash"), "network_type": ("4G", "5G"), "network": ("visa", "amex"),
    "architecture": ("colonial", "modern"), "operating_system": ("iOS", "x"), "system": ("left", "right"),
    "method": ("phone", "post"), "engine": ("diesel", "petrol"), "variant": ("BRCA1", "TP53"),
    "device_model": ("x100", "x200"), "car_model": ("Golf", "Polo"), "phone model": ("P8", "P9"),
    "contraceptive_method": ("pill", "none"), "delivery method": ("vaginal", "section"),
    "business_model": ("b2b", "b2c"), "learner_type": ("visual", "auditory"), "social_network": ("X", "Y"),
    "site": ("A", "B"), "sex": ("f", "m"), "immune_system": ("ok", "weak"), "scanner_model": ("GE", "MX"),
    "method_of_payment": ("card", "cash"), "system_id": ("a", "b"), "engine_type": ("v6", "v8"),
}  # fmt: skip


@pytest.mark.some(8)
@pytest.mark.parametrize("column", NO_MODELS)
def test_what_is_no_model_raises_no_question(column: str) -> None:
    table = no_ids(below(column, NO_MODELS[column]))
    assert as_read(table).predictions.n == sum(SIZES)
    ids = below(column, NO_MODELS[column]).assign(id=np.arange(sum(SIZES)))
    assert as_read(ids).predictions.n == sum(SIZES)


def test_a_model_of_cars_beside_their_makes_is_none() -> None:
    cars = no_ids(below("model", ("Golf", "Polo")))
    assert isinstance(refused(cars), SeveralModelsError)
    assert as_read(cars.assign(make="VW")).predictions.n == sum(SIZES)
    with_models = no_ids(below("model", ("xgboost", "logistic regression"))).assign(make="VW")
    assert isinstance(refused(with_models), SeveralModelsError)


def test_each_row_its_own_model_or_more_than_fifty_is_no_question() -> None:
    table = some()
    assert as_read(table.assign(model=[f"m{i}" for i in range(len(table))])).predictions.n == len(table)
    assert as_read(table.assign(model="A")).predictions.n == len(table)


def test_a_comparison_joins_by_id_or_says_what_does_not_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ("--resamples", "99", "--alpha", "0.5", "--lens", "confidence", "--json")
    full = below("model", sizes=(20, 20))
    for kind, table, sentence in (
        ("another order", full.sample(frac=1, random_state=1), ""),
        ("fewer rows", below("model"), "expected the same cases"),
        ("labels", full.assign(y=lambda t: np.where(t.model == "A", t.y, 1 - t.y)), "same labels"),
        ("no ids", no_ids(below("model")), "15"),
        ("no name", full.assign(model=lambda t: t.model.where(t.index % 20 > 2, "")), "names no model"),
    ):
        table.to_csv(tmp_path / "x.csv", index=False)
        code, _, err = run(capsys, "compare", tmp_path / "x.csv", "--model-column", "model", *few)
        assert (code, sentence in err) == (0 if not sentence else 2, True), (kind, code, err)


EVENT = np.random.default_rng(3).random(40)


def beside(*names: str, scale: dict[str, float] | None = None) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    columns = {
        name: (np.clip(EVENT + rng.normal(0, 0.1, 40), 0.01, 0.99) * (scale or {}).get(name, 1)).round(5)
        for name in names
    }
    return pd.DataFrame({"y": (np.random.default_rng(8).random(40) < EVENT).astype(int), **columns})


MODELS = ("rf", "svm", "gbm")
OF_MODELS = (
    "ensemble",
    "average",
    "mean",
    "stacking",
    "stacked",
    "baseline",
    "blend",
    "voting",
    "final",
    "combined",
)
OPEN = ("consensus", "human", "reader1", "radiologist", "committee score", "gut")


@pytest.mark.parametrize("other", [*OF_MODELS, *OPEN])
@pytest.mark.some(2)
def test_no_model_beside_others_is_left_out_in_silence(other: str) -> None:
    for table, names in (
        (beside(*MODELS, other), MODELS),
        (beside(other, *MODELS), MODELS),
        (beside("rf_prob", "svm_prob", other), ("rf", "svm")),
    ):
        error = refused(table)
        assert isinstance(error, SeveralModelsError), error
        assert set(names) <= set(error.models)
        told = other in error.models or f"{other!r} was not taken for a model" in str(error)
        assert told, error
        if other in OF_MODELS and names == MODELS:
            assert other in error.models
        assert_models_are_their_own(table, error.models)


def assert_models_are_their_own(table: pd.DataFrame, names: tuple[str, ...]) -> None:
    readings = models_in(table.to_csv(index=False).encode(), name="x.csv").readings
    assert tuple(readings) == names
    for name, reading in readings.items():
        column = next(column for column in table if column in (name, f"{name}_prob", f"{name}_score"))
        np.testing.assert_allclose(reading.predictions.probs[:, 1], table[column], atol=1e-12)


@pytest.mark.some(6)
@pytest.mark.parametrize("form", ["{}", "{}_prob", "{}_score"])
@pytest.mark.parametrize("other", ["prob", "score", "confidence", "probability", "p", "y_prob"])
def test_what_stands_beside_all_models_is_read_as_none_of_them(form: str, other: str) -> None:
    table = beside(*map(form.format, MODELS), other)
    error = refused(table)
    assert isinstance(error, SeveralModelsError), error
    assert error.models == MODELS
    assert_models_are_their_own(table, error.models)


@pytest.mark.parametrize("percent", ["svm", "ensemble", "average"])
def test_models_of_another_scale_are_asked_or_said(percent: str) -> None:
    error = refused(beside(*MODELS, "ensemble", "average", scale={percent: 100.0}))
    assert isinstance(error, SeveralModelsError), error
    assert percent in error.models or f"{percent!r} was not taken for a model" in str(error)


def test_features_beside_models_are_not_said_to_be_any() -> None:
    table = beside("rf_prob", "svm_prob").assign(age=np.arange(40) + 30.5, site=np.arange(40) % 3)
    assert "not taken" not in str(refused(table))


@pytest.mark.parametrize(
    "names", [("rf", "baseline"), ("rf", "ensemble"), ("average", "rf"), ("xgb", "calibrated")]
)
def test_one_model_and_what_is_of_models_are_two(names: tuple[str, ...]) -> None:
    error = refused(beside(*names))
    assert isinstance(error, SeveralModelsError), error
    assert error.models == names


@pytest.mark.parametrize("read_first", ["score", "prob", "probability", "committee score", "p_hat"])
def test_a_column_that_could_be_read_alone_beside_models_is_offered(read_first: str) -> None:
    table = beside(*MODELS, read_first)
    error = refused(table)
    assert isinstance(error, SeveralModelsError), error
    assert error.models == MODELS
    assert f"Column {read_first!r} was not taken for a model." in str(error)
    assert_models_are_their_own(table, error.models)
    options = ReadOptions().mended(error.remedies[-1])
    reading = as_read(table, probability_columns=options.probability_columns)
    np.testing.assert_allclose(reading.predictions.probs[:, 1], table[read_first], atol=1e-12)


def test_a_feature_beside_a_probability_is_no_model() -> None:
    for name in ("lr", "baseline", "final", "mean", "elo", "age"):
        assert as_read(beside("prob", name)).probability_columns == ("prob",)


@pytest.mark.parametrize(
    "names",
    [("rf", "reader1", "reader2"), ("rf", "human"), ("reader1", "reader2", "consensus"), ("rf", "svm_prob"),
     ("rater_a", "rater_b"), ("xgb", "radiologist 1", "radiologist 2"), ("lr", "human", "ensemble")],
)  # fmt: skip
def test_people_who_judge_the_same_cases_are_as_models(names: tuple[str, ...]) -> None:
    table = beside(*names)
    error = refused(table)
    assert isinstance(error, SeveralModelsError), error
    assert error.models == names
    assert_models_are_their_own(table, error.models)


def test_people_are_also_classes_and_features() -> None:
    table = beside("p_human").assign(p_ai=lambda t: 1 - t.p_human, y=lambda t: np.where(t.y, "human", "ai"))
    assert as_read(table).predictions.class_names == ("human", "ai")
    table = table.rename(columns={"p_human": "human", "p_ai": "ai"})
    assert as_read(table).predictions.class_names == ("human", "ai")
    assert as_read(beside("prob", "reader1")).probability_columns == ("prob",)
    readers = beside("prob").assign(reader1=lambda t: t.index % 2, reader2=lambda t: t.index % 3)
    assert as_read(readers).probability_columns == ("prob",)
    assert as_read(beside("rf_prob", "baseline")).probability_columns == ("rf_prob",)

"""Several models in one file: found by their names and numbers, read one at a time or all together."""

import io
import json
import shlex
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from calibcore import InputError, limits
from calibcore.errors import NoSuchModelError, SeveralModelsError
from calibcore.io import Reading, ReadOptions, read
from calibcore.io.all_models import models_in
from calibcore.io.apart import models_in_apart
from calibcore.questions.compare.says import comparison_command
from calibcore.words.readings import with_flags
from tests.cli.commands import run
from tests.quick import compare

N = 60
CLASSES = ("cat", "dog", "owl")


def probabilities(seed: int, m: int = 3, n: int = N) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(m), n)


def outcomes(m: int = 3, n: int = N) -> np.ndarray:
    drawn = np.random.default_rng(7).random(n)[:, None] > probabilities(0, m, n).cumsum(axis=1)
    return np.minimum(drawn.sum(axis=1), m - 1)


def wide(
    form: str, models: Sequence[str], classes: Sequence[str] = CLASSES, labels: Sequence[Any] | None = None
) -> pd.DataFrame:
    """Columns called as ``form`` says; the model i gives the :func:`probabilities` of seed i."""
    m = len(classes)
    columns = {
        form.format(model=model, name=name): probabilities(i, m)[:, k]
        for i, model in enumerate(models)
        for k, name in enumerate(classes)
    }
    names = classes if labels is None else labels
    return pd.DataFrame(columns).assign(label=[names[y] for y in outcomes(m)])


def three_beside(models: Sequence[str] = ("rf", "svm", "net")) -> pd.DataFrame:
    return wide("{model}_p_{name}", models)


def alone(form: str, models: Sequence[str]) -> pd.DataFrame:
    """One column a model: the probability of the event."""
    columns = {form.format(model=model): probabilities(i, 2)[:, 1] for i, model in enumerate(models)}
    return pd.DataFrame(columns).assign(label=outcomes(2))


def csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False).encode()


def refused(table: pd.DataFrame, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        read(csv(table), name="x.csv", options=ReadOptions(**options))
    return caught.value


BESIDE: dict[str, tuple[pd.DataFrame, tuple[str, ...]]] = {
    "model first": (three_beside(), ("rf", "svm", "net")),
    "model last": (wide("p_{name}_{model}", ["rf", "svm"]), ("rf", "svm")),
    "model in the middle": (wide("prob_{model}_{name}", ["alpha", "beta"]), ("alpha", "beta")),
    "in brackets": (wide("P({model}={name})", ["bert", "gpt"]), ("bert", "gpt")),
    "with points": (wide("{model}.probs.{name}", ["GPT-4", "Llama 3"]), ("GPT-4", "Llama 3")),
    "numbered": (wide("model_{model}_{name}", ["1", "2", "3"]), ("model_1", "model_2", "model_3")),
    "only the class": (wide("{model}_{name}", ["m", "n"]), ("m", "n")),
    "codes": (wide("{model}_prob_{name}", ["rf", "svm"], ["0", "1"], [0, 1]), ("rf", "svm")),
    "names of two words": (
        wide("{model} {name}", ["random forest", "logistic regression"]),
        ("random forest", "logistic regression"),
    ),
    "one column each": (alone("{model}_prob", ["BERT", "GPT"]), ("BERT", "GPT")),
    "any name": (alone("{model}_risk", ["acme", "ours", "theirs"]), ("acme", "ours", "theirs")),
    "behind": (alone("p_{model}", ["before", "after"]), ("before", "after")),
    "names alone": (alone("{model}", ["rf", "xgb", "logreg"]), ("rf", "xgb", "logreg")),
    "with what each decided": (
        alone("{model}_prob", ["BERT", "GPT"]).assign(
            BERT_pred=lambda t: (t.BERT_prob > 0.5).astype(int),
            GPT_pred=lambda t: (t.GPT_prob > 0.5).astype(int),
        ),
        ("BERT", "GPT"),
    ),
}


@pytest.mark.parametrize("kind", BESIDE)
@pytest.mark.some(2)
def test_models_beside_each_other_are_recognised_and_named(kind: str) -> None:
    table, names = BESIDE[kind]
    table = table.assign(site=np.arange(N) % 4)
    error = refused(table)
    assert isinstance(error, SeveralModelsError)
    assert (error.models, error.model_column) == (names, "")
    assert [remedy.words for remedy in error.remedies] == [f"Only {name}" for name in names]
    assert all(len(remedy.rows) == 3 for remedy in error.remedies)
    models = models_in(csv(table), name="x.csv")
    assert tuple(models.readings) == names
    for i, (name, reading) in enumerate(models.readings.items()):
        p, m = reading.predictions, reading.predictions.m
        assert_read_alike(reading, read(csv(table), name="x.csv", options=ReadOptions(model=name)))
        assert reading.options == ReadOptions(model=name)
        np.testing.assert_allclose(p.probs, probabilities(i, m), atol=1e-12)
        assert p.labels.tolist() == outcomes(m).tolist()
        assert p.metadata["site"] is models.readings[names[0]].predictions.metadata["site"]  # held once
        assert set(p.class_names) in ({"0", "1"}, set(CLASSES))
        assert any(f"{quoted(name)} was read, as asked" in note for note in reading.notes)
    rest = [column for name in names[1:] for column in table if name in column]
    assert not asks_for_a_model(table.drop(columns=rest))  # where only one is there


def asks_for_a_model(table: pd.DataFrame) -> bool:
    try:
        read(csv(table), name="x.csv")
    except SeveralModelsError:
        return True
    except InputError:
        return False
    return False


def quoted(name: str) -> str:
    return repr(name)


def assert_read_alike(a: Reading, b: Reading) -> None:
    assert a.predictions.fingerprint == b.predictions.fingerprint
    assert (a.options, a.columns, a.probability_columns) == (b.options, b.columns, b.probability_columns)


def falling() -> pd.DataFrame:
    table = three_beside(["rf"])
    sorted_ = -np.sort(-probabilities(0), axis=1)
    return pd.DataFrame({f"top{k + 1}_prob": sorted_[:, k] for k in range(3)}).assign(label=table.label)


ONE_MODEL: dict[str, Callable[[], pd.DataFrame]] = {
    "classes": lambda: wide("p_{name}", [""]),
    "classes behind a model": lambda: wide("rf_p_{name}", [""]),
    "two classes": lambda: wide("prob_{name}", [""], ["neg", "pos"], [0, 1]),
    "a row that does not add up": lambda: wide("p_{name}", [""], ["no", "yes"]).assign(
        p_no=lambda t: t.p_no.where(t.index != 3, 0.9)
    ),
    "guesses by rank": falling,
    "several labels a case": lambda: pd.DataFrame(
        {f"prob_{name}": probabilities(i, 2)[:, 1] for i, name in enumerate(CLASSES)}
        | {name: (probabilities(i + 5, 2)[:, 1] > 0.5).astype(int) for i, name in enumerate(CLASSES)}
    ),
    "features": lambda: wide("p_{name}", [""]).assign(rf_age=np.arange(N) + 0.5, svm_age=np.arange(N) + 0.25),
    "bounds": lambda: (
        alone("{model}_prob", ["x"]).rename(columns={"x_prob": "prob"}).assign(prob_lower=0.1, prob_upper=0.9)
    ),
}


@pytest.mark.parametrize("kind", ONE_MODEL)
def test_classes_guesses_and_labels_of_one_model_are_no_models(kind: str) -> None:
    table = ONE_MODEL[kind]()
    assert not asks_for_a_model(table)
    with pytest.raises(InputError, match="seems to hold the predictions of one model"):
        models_in(csv(table), name="x.csv")


def below(values: Sequence[object], column: str = "model", **more: object) -> pd.DataFrame:
    parts = [wide("p_{name}", [""]).assign(id=np.arange(N), **{column: value}, **more) for value in values]
    for i, part in enumerate(parts):
        part[[f"p_{name}" for name in CLASSES]] = probabilities(i)
    return pd.concat(parts)


def test_models_below_each_other() -> None:
    for column, values in (("model", ["A", "B"]), ("dataset", [2, 1]), ("model", ["a=b", " c,d"])):
        table = below(values, column)
        error = refused(table)
        assert isinstance(error, SeveralModelsError)
        names = tuple(str(value).strip() for value in values)
        assert (error.models, error.model_column) == (names, column)
        for options in (ReadOptions(), ReadOptions(model_column=column)):
            models = models_in(csv(table), name="x.csv", options=options)
            assert (tuple(models.readings), models.column) == (names, column)
            for i, (name, reading) in enumerate(models.readings.items()):
                assert reading.options == ReadOptions(model=name, model_column=column)
                np.testing.assert_allclose(reading.predictions.probs, probabilities(i), atol=1e-12)
        by_name = read(csv(table), name="x.csv", options=ReadOptions(model=names[1]))
        assert by_name.predictions.fingerprint == reading.predictions.fingerprint


def test_labels_in_a_file_of_their_own_and_columns_by_their_full_names() -> None:
    table = three_beside().assign(n=1)
    labels = csv(table[["label"]])
    models = models_in(csv(table.drop(columns="label")), name="x.csv", labels=labels).readings
    assert [reading.predictions.labels.tolist() for reading in models.values()] == [outcomes().tolist()] * 3
    options = ReadOptions(
        model="svm", probability_columns=("svm_p_owl", "svm_p_cat", "p_dog"), count_column="n"
    )
    reading = read(csv(table), options=options)
    assert reading.predictions.class_names == ("owl", "cat", "dog")
    assert reading.options == options


def test_arrays_of_several_models() -> None:
    file = io.BytesIO()
    np.savez(file, rf_probs=probabilities(0), svm_probs=probabilities(1), labels=outcomes())
    models = models_in(file.getvalue(), name="x.npz").readings
    assert list(models) == ["rf", "svm"]
    for i, reading in enumerate(models.values()):
        np.testing.assert_allclose(reading.predictions.probs, probabilities(i))


def test_a_model_that_is_not_there() -> None:
    for table, names in ((three_beside(), "'rf', 'svm', 'net'"), (below(["A", "B"]), "'A', 'B'")):
        error = refused(table, model="xyz", model_column="model" if "model" in table else None)
        assert isinstance(error, NoSuchModelError)
        assert f"There is no model 'xyz' in the file. It holds {names}." in str(error)
    error = refused(wide("p_{name}", [""]), model="rf")
    assert str(error).startswith(
        "There is no model 'rf': the file seems to hold the predictions of one model."
    )
    assert isinstance(error, NoSuchModelError)
    assert not error.models
    for column, sentence in (
        ("gone", "There is no column 'gone' to take the models from."),
        ("id", "has 60 values; expected 2 to 50"),
        ("one", "has 1 value; expected 2 to 50"),
    ):
        assert sentence in str(refused(below(["A", "B"], one=1), model_column=column))
    bad = three_beside()
    bad.loc[4, "svm_p_cat"] = 0.99
    with pytest.raises(InputError, match="Model 'svm': Row 5 sums to"):
        models_in(csv(bad), name="x.csv")


def test_the_flags_of_the_question() -> None:
    flags = with_flags(refused(three_beside()), ReadOptions())
    assert "Only rf with --model rf (first row: cat " in flags
    assert flags.endswith("or compare them all with 'compare FILE'.")
    flags = with_flags(refused(below(["A", "B"], "which one")), ReadOptions())
    assert "only which one B with --model B --model-column 'which one'" in flags
    assert flags.endswith("or compare them all with 'compare FILE --model-column 'which one''.")


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"beside.csv": three_beside(), "below.csv": below(["B", "A", "C"])}
    few = ("--resamples", "99", "--alpha", "0.5", "--lens", "confidence", "--json")
    for name, table in files.items():
        table.to_csv(tmp_path / name, index=False)
    for name, asked, names in (
        ("beside.csv", (), ["rf", "svm", "net"]),
        ("below.csv", (), ["B", "A", "C"]),
        ("below.csv", ("--model-column", "model"), ["B", "A", "C"]),
        ("beside.csv", ("--models", "net,rf"), ["net", "rf"]),
    ):
        code, out, err = run(capsys, "compare", tmp_path / name, *asked, *few)
        assert (code, err) == (0, "")
        document = json.loads(out)
        assert [model["name"] for model in document["models"]] == names
        assert [pair["a"] for pair in document["pairs"]][:1] == names[:1]
    code, out, err = run(capsys, "survey", tmp_path / "below.csv", "--model", "C", *few)
    assert (code, err) == (0, "")
    data = json.loads(out)["lenses"][0]["diagnosis"]["data"]
    expected = read(csv(files["below.csv"]), options=ReadOptions(rows_where=("model=C",))).predictions
    assert data["fingerprint"] == expected.fingerprint
    for words, sentence in (
        (
            ("compare", "beside.csv", "--models", "rf"),
            "Of the file one model was named, 'rf'; a comparison needs 2",
        ),
        (("compare", "beside.csv", "--models", "rf,x"), "There is no model 'x' in the file."),
        (("compare", "below.csv", "beside.csv", "--model-column", "model"), "there are several files"),
        (("compare", "below.csv", "beside.csv", "--model", "A"), "--model says something about a report"),
        (("compare", "beside.csv", "--model", "rf"), "Name them by --models A,B."),
        (("survey", "beside.csv", "--model", "x"), "only svm with --model svm"),
        (("survey", "beside.csv"), "or compare them all with 'compare FILE'."),
        (("stream", "beside.csv", "--model", "rf"), "keep those of one model in the file"),
    ):
        command, *rest = words
        code, out, err = run(capsys, command, *(tmp_path / w if w.endswith(".csv") else w for w in rest))
        assert (code, out) == (2, "")
        assert sentence in err


@pytest.mark.slow
def test_a_comparison_of_one_file_is_repeated_by_its_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, table in (("beside.csv", three_beside()), ("below.csv", below(["B", "A b", "C"]))):
        table.to_csv(name, index=False)
        readings = dict(list(models_in(Path(name)).readings.items())[1:])
        comparison = compare({name: reading.predictions for name, reading in readings.items()})
        again = comparison_command(comparison, readings)
        assert again.command.count(name) == 1
        assert "Run it in the folder of the file, under the name that it had." in again.notes
        code, out, err = run(capsys, *shlex.split(again.command)[1:], "--json")
        assert (code, err) == (0, "")
        assert [model["name"] for model in json.loads(out)["models"]] == list(readings)


@pytest.mark.slow
def test_a_report_calls_its_model_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = ("--resamples", "99", "--alpha", "0.5", "--lens", "confidence", "--date", "2026-01-02")
    three_beside().to_csv(tmp_path / "three.csv", index=False)
    three_beside(["rf"]).to_csv(tmp_path / "one.csv", index=False)
    out = tmp_path / "r.json"
    for words, name in (
        (("report", tmp_path / "three.csv", "--model", "svm"), "svm"),
        (("report", tmp_path / "one.csv", "--model", "Ours"), "Ours"),
        (("compare", tmp_path / "three.csv"), "rf"),
    ):
        code, _, _ = run(capsys, *words, "--out", out, *few)
        assert code == 0
        assert f"Calibration of {name}" in out.read_text()
    code, _, err = run(capsys, "report", tmp_path / "three.csv", "--model", "Ours", "--out", out, *few)
    assert code == 2
    assert "There is no model 'Ours' in the file." in err


@pytest.mark.slow
def test_in_a_process_of_its_own() -> None:
    models = models_in_apart(csv(three_beside()), name="x.csv")
    alike = models_in(csv(three_beside()), name="x.csv")
    for a, b in zip(models.readings.values(), alike.readings.values(), strict=True):
        assert_read_alike(a, b)
        assert not a.predictions.probs.flags.writeable
    with pytest.raises(InputError, match="of one model"):
        models_in_apart(csv(wide("p_{name}", [""])), name="x.csv")
    with pytest.raises(SeveralModelsError):
        read(csv(three_beside()))


@pytest.mark.slow
def test_more_than_fifty_are_no_models_and_many_columns_take_no_longer_than_they_have_to() -> None:
    names = [f"net{i}" for i in range(51)]
    with pytest.raises(InputError) as caught:
        read(csv(three_beside(names)), name="x.csv")
    assert not isinstance(caught.value, SeveralModelsError)
    assert len(models_in(csv(three_beside(names[:50])), name="x.csv").readings) == 50
    assert "has 51 values; expected 2 to 50" in str(refused(below(names), model_column="model"))


@pytest.mark.slow
def test_a_million_rows_stay_linear() -> None:
    n = limits.LIMITS.max_rows if limits.LIMITS.max_rows < 1_000_000 else 1_000_000
    seconds = []
    for rows in (n // 10, n):
        g = np.random.default_rng(0).random((rows, 3))
        happened = (g[:, 2] < g[:, 0]).astype(int)  # labels that round a model's numbers are asked about
        table = pd.DataFrame({"rf_prob": g[:, 0], "svm_prob": g[:, 1], "label": happened})
        file = io.BytesIO()
        table.to_parquet(file)
        begun = time.process_time()
        assert models_in(file.getvalue(), name="x.parquet").readings["svm"].predictions.n == rows
        seconds.append(time.process_time() - begun)
    assert seconds[1] < 30 * max(seconds[0], 0.2)


def test_the_class_of_one_column_is_that_of_the_others() -> None:
    """Where the numbers of one model do not tell it: all columns are called alike."""
    table = alone("{model}_pred", ["model_a", "model_b"])
    table["model_b_pred"] = 0.8 - 0.7 * table.model_a_pred  # the worst of models
    with pytest.raises(InputError, match="which of them the column of probabilities is about"):
        read(csv(table[["model_b_pred", "label"]]))
    a, b = models_in(csv(table), name="x.csv").readings.values()
    assert a.predictions.class_names == b.predictions.class_names == ("0", "1")
    assert b.options == ReadOptions(model="model_b", class_names=("0", "1"))
    np.testing.assert_allclose(b.predictions.probs[:, 1], table.model_b_pred)


SURE = probabilities(0).max(axis=1)
ANSWERS = np.array(CLASSES)[probabilities(0).argmax(axis=1)]
TRUTH = np.array(CLASSES)[outcomes()]
CONFIDENCES: dict[str, pd.DataFrame] = {
    "answer and confidence": pd.DataFrame(
        {"truth": TRUTH, "BERT_pred": ANSWERS, "BERT_prob": SURE, "GPT_pred": TRUTH, "GPT_prob": SURE[::-1]}
    ),
    "named so": pd.DataFrame(
        {"label": TRUTH, "pred_BERT": ANSWERS, "conf_BERT": SURE, "pred_GPT": TRUTH, "conf_GPT": SURE[::-1]}
    ),
    "right or wrong": pd.DataFrame(
        {
            "BERT_correct": ANSWERS == TRUTH,
            "BERT_confidence": SURE,
            "GPT_correct": True,
            "GPT_confidence": SURE[::-1],
        }
    ),
    "below each other": pd.concat(
        [
            pd.DataFrame({"id": np.arange(N), "model": m, "truth": TRUTH, "prediction": a, "confidence": c})
            for m, a, c in (("BERT", ANSWERS, SURE), ("GPT", TRUTH, SURE[::-1]))
        ]
    ),
    "below each other, right or wrong": pd.concat(
        [
            pd.DataFrame({"id": np.arange(N), "model": m, "confidence": c, "correct": a == TRUTH})
            for m, a, c in (("BERT", ANSWERS, SURE), ("GPT", TRUTH, SURE[::-1]))
        ]
    ),
}


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", CONFIDENCES)
def test_a_model_of_which_only_the_confidence_is_known(kind: str) -> None:
    table = CONFIDENCES[kind]
    error = refused(table)
    assert isinstance(error, SeveralModelsError)
    assert error.models == ("BERT", "GPT")
    bert, gpt = (reading.predictions for reading in models_in(csv(table), name="x.csv").readings.values())
    for p, sure, right in ((bert, SURE, ANSWERS == TRUTH), (gpt, SURE[::-1], np.ones(N, bool))):
        assert p.confidence_only
        np.testing.assert_allclose(p.probs[:, 0], sure)
        assert (p.labels == 0).tolist() == right.tolist()
    assert compare({"BERT": bert, "GPT": gpt}).n == N


def test_what_a_model_answered_decides_which_class_its_column_is_about() -> None:
    sure, event = probabilities(3, 2).max(axis=1), probabilities(3, 2)[:, 1]
    answers = {f"{m}_pred": (event > 0.5).astype(int) for m in ("BERT", "GPT")}
    frame = pd.DataFrame({"label": outcomes(2), **answers})
    for values, confidence_only in ((sure, True), (event, False)):
        table = frame.assign(BERT_prob=values, GPT_prob=values)
        for reading in models_in(csv(table), name="x.csv").readings.values():
            assert reading.predictions.confidence_only == confidence_only
            np.testing.assert_allclose(reading.predictions.probs[:, 0 if confidence_only else 1], values)


@pytest.mark.some(3)
@pytest.mark.parametrize("verdict", ["verdict_{}", "{}_grade", "result_{}"])
@pytest.mark.parametrize("sure", ["answer_confidence_{}", "{}_verbalized_confidence", "model_confidence_{}"])
def test_a_model_that_is_offered_is_there_once_it_is_chosen(sure: str, verdict: str) -> None:
    """Words beside "confidence" are of no model, whether one is asked for or not."""
    rng = np.random.default_rng(4)
    columns: dict[str, list[str]] = {}
    for name in ("gpt4", "claude"):
        columns[verdict.format(name)] = [str(x) for x in rng.integers(0, 2, 30)]
        columns[sure.format(name)] = [f"{x:.3f}" for x in rng.uniform(0.2, 1, 30)]
    data = "\n".join([",".join(columns), *map(",".join, zip(*columns.values(), strict=True))]).encode()
    with pytest.raises(SeveralModelsError) as asked:
        read(data, name="x.csv")
    for remedy in asked.value.remedies:
        assert "There is no model" not in what_is_said(data, ReadOptions().mended(remedy))


def what_is_said(data: bytes, options: ReadOptions) -> str:
    """Where it is not read; else nothing."""
    try:
        read(data, name="x.csv", options=options)
    except InputError as error:
        return str(error)
    return ""

"""A random sample of the cases: which, what is said of it everywhere, and how it is drawn again."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from calibcore import Diagnosis, DiagnosisSpec, InputError, Predictions, diagnose
from calibcore.__main__ import main
from calibcore.assessment.assess import Assessment
from calibcore.data.parts import rows_of_sample
from calibcore.io import ReadOptions, read
from calibcore.report import report_of, to_document
from calibcore.terminal import diagnosis_text, survey_text
from calibcore.words.looking import data_words
from calibcore.words.reporting import prediction_rows
from calibcore.words.tables import csv_of
from tests.report.reported import DATE, drawn

P = drawn(300, 3, names=("a", "b", "c"))


def test_a_sample_is_the_same_every_time_in_the_order_of_the_cases() -> None:
    g = np.column_stack([np.arange(1000) / 1000, 1 - np.arange(1000) / 1000])
    p = Predictions.from_arrays(g, np.arange(1000) % 2, metadata={"row": np.arange(1000)})
    some = p.sampled(100)
    assert (some.n, some.drawn_from, p.drawn_from) == (100, 1000, None)
    assert np.all(np.diff(some.metadata["row"]) > 0)
    assert_array_equal(some.probs, p.probs[some.metadata["row"]])
    assert_array_equal(some.labels, p.labels[some.metadata["row"]])
    assert some.fingerprint == p.sampled(100).fingerprint
    assert abs(some.metadata["row"].mean() - 500) < 4 * 1000 / np.sqrt(12 * 100)
    assert p.sampled(1000).fingerprint == p.fingerprint


def test_a_sample_of_a_sample_is_one_of_all_cases() -> None:
    assert P.sampled(200).sampled(50).fingerprint == P.sampled(50).fingerprint
    assert P.sampled(200).sampled(50).drawn_from == 300


def test_every_case_is_drawn_as_often_as_another() -> None:
    counts = np.zeros(20)
    for seed in range(2_000):
        counts[rows_of_sample(5, 20, 20, seed)] += 1
    assert np.all(np.abs(counts - 500) < 5 * np.sqrt(2_000 * 0.25 * 0.75))


def test_weights_of_a_sample_have_mean_1() -> None:
    p = Predictions.from_arrays(np.full((20, 2), 0.5), [0, 1] * 10, weights=np.arange(1, 21))
    weights = p.sampled(5).weights
    assert weights is not None
    assert weights.mean() == pytest.approx(1)


@pytest.mark.parametrize("n", [0, 1, -5, 301, 10**400])
def test_more_than_there_are_or_fewer_than_two_is_refused(n: int) -> None:
    with pytest.raises(InputError, match=r"A sample of .* cases was asked for; expected 2 to 300"):
        P.sampled(n)


def test_notes_remark_on_the_sample() -> None:
    g = np.full((200, 2), 0.5)
    g[7] = (0.0, 1.0)  # happens although its probability is 0, and is not drawn
    labels = np.arange(200) * 7 // 5 % 2
    labels[7] = 0
    rows = [",".join(map(repr, row)) + f",{'ab'[y]}" for row, y in zip(g.tolist(), labels, strict=True)]
    data = "\n".join(["a,b,label", *rows]).encode()
    whole, some = read(data), read(data, options=ReadOptions(sample=20))
    assert 7 not in np.sort(np.random.default_rng(0).permutation(200)[:20])
    assert any("was given probability 0" in note for note in whole.notes)
    assert not any("was given probability 0" in note for note in some.notes)
    assert some.notes[:2] == (
        "Read as text separated by commas, with a header: 200 rows, 3 columns.",
        "A random sample: 20 of 200 cases, the same ones every time.",
    )
    assert some.predictions.notes == some.notes
    assert whole.of_sample(20).predictions.fingerprint == some.predictions.fingerprint
    assert whole.of_sample(50).of_sample(20).notes == some.notes
    assert whole.of_sample(50).of_sample(20).options == some.options


@pytest.mark.slow
def test_it_is_said_wherever_a_result_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = "a random 120 of 300 cases"
    spec = DiagnosisSpec(resamples=19, tests=("exact",), estimates=())
    found = diagnose(P.sampled(120), spec)
    assert (found.n, found.drawn_from) == (120, 300)
    assert Diagnosis.from_json(found.to_json()).drawn_from == 300
    assert json.loads(found.to_json())["data"]["drawn_from"] == 300
    assert "drawn_from" not in json.loads(diagnose(P, spec).to_json())["data"]
    assert diagnosis_text(found).splitlines()[0].startswith("A random 120 of 300 cases, 3 classes")
    assert data_words("net", P.sampled(120), "case") == f"net · {said} · 3 classes"

    (tmp_path / "p.csv").write_text(csv_of(prediction_rows(P)))
    words = [str(tmp_path / "p.csv"), "--sample", "120", "--alpha", "0.3"]
    assert main(["report", *words, "--out", str(tmp_path / "r.json"), "--date", DATE]) == 0
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["data"]["drawn_from"] == 300
    assert "--sample 120" in report["report"]["repeat"]["command"]
    assert any("Of a random sample: 120 of 300 cases." in caution for caution in report["report"]["cautions"])
    methods = " ".join(part["text"] for part in report["report"]["methods"])
    assert "A random 120 of 300 cases with 3 classes" in methods
    capsys.readouterr()
    assert main(["survey", *words, "--json"]) == 0
    again = Assessment.from_json(capsys.readouterr().out)
    assert [d.drawn_from for d in again.survey.diagnoses] == [300] * 5
    assert survey_text(again).splitlines()[0].startswith("A random 120 of 300 cases")
    p = read(tmp_path / "p.csv", options=ReadOptions(sample=120)).predictions
    made = report_of(p, again, again.survey.diagnoses[0].spec, title="x", date=DATE, noun="patient")
    assert made.subtitle == "a random 120 of 300 patients · 3 classes"
    assert to_document(made)["data"]["drawn_from"] == 300
    assert main(["survey", *words[:1], "--sample", "301"]) == 2
    assert "A sample of 301 cases was asked for; expected 2 to 300." in capsys.readouterr().err

"""Documents of earlier versions: read, shown with the names of their own test, and repeated with today's.

``tests/kept/earlier-survey.json`` and ``earlier-report.json`` were written by the last version whose verdicts
rest on the kernel test, of ``earlier.csv``, with ``--alpha 0.4 --resamples 49 --binning uniform:4 --lens
canonical --lens class:dog``.
"""

import json
from pathlib import Path

import pytest

from calibcore import Diagnosis, DiagnosisSpec, Survey
from calibcore.__main__ import main
from calibcore.assessment.assess import Assessment
from calibcore.assessment.rerun import differences, repeatable
from calibcore.assessment.verdict_tests import EARLIER_TEST, VERDICT_TEST, exact_pvalue, verdict_test_name
from calibcore.cli.requests import EVERY_TEST
from calibcore.io import read
from calibcore.report import report_of, to_html
from calibcore.terminal import survey_text
from calibcore.transforms.lenses import CanonicalLens, ClassLens
from calibcore.words.reported_methods import methods_parts
from calibcore.words.sharing import another_test, same_data
from calibcore.words.verdicts import answer_sentence
from tests.report.reported import DATE

FOLDER = Path(__file__).parents[1] / "kept"
FILE, SURVEY = FOLDER / "earlier.csv", FOLDER / "earlier-survey.json"
REPORT = FOLDER / "earlier-report.json"
KERNEL = "exact Monte Carlo test of the unbiased kernel calibration error"
SAID = (
    f"The earlier report rests on another test, the {KERNEL}. Now verdicts rest on the exact omnibus test, "
    "so p-values and verdicts may differ."
)


@pytest.fixture(scope="module")
def earlier() -> Assessment:
    return Assessment.from_json(SURVEY.read_text())


def test_it_is_read_and_its_p_values_are_those_of_its_own_test(earlier: Assessment) -> None:
    document = json.loads(SURVEY.read_text())
    survey = earlier.survey
    assert [d.spec.lens for d in survey.diagnoses] == [CanonicalLens(), ClassLens("dog")]
    assert {verdict_test_name(d) for d in survey.diagnoses} == {EARLIER_TEST}
    for entry, d, p, verdict in zip(
        document["lenses"], survey.diagnoses, survey.pvalues, earlier.verdicts, strict=True
    ):
        assert p == exact_pvalue(d) == entry["p_value"] == d.test("exact-skce").result.pvalue  # type: ignore[union-attr]
        assert (verdict.answer, verdict.pvalue) == ("miscalibrated", p)
        assert (verdict.refuted, verdict.decided_by, verdict.direction) == (None, "", "")
    assert (survey.refuted, survey.impossible, survey.hypotheses) == ((), None, 2)
    assert survey.at_floor == (False, False)


def test_written_again_it_says_the_same(earlier: Assessment) -> None:
    again = Assessment.from_json(earlier.to_json())
    assert again.to_json() == earlier.to_json()
    assert again.verdicts == earlier.verdicts
    assert Survey.from_json(earlier.to_json()).pvalues == earlier.survey.pvalues


def test_another_tolerance_needs_no_new_test(earlier: Assessment) -> None:
    for tolerance in (0.01, 0.3):
        moved = earlier.at(tolerance)
        assert [v.answer for v in moved.verdicts] == ["miscalibrated"] * 2
        assert {v.tolerance for v in moved.verdicts} == {tolerance}


def test_it_is_shown_with_the_name_of_its_own_test(earlier: Assessment) -> None:
    text = survey_text(earlier)
    assert f"- Adjusted p: {KERNEL}, exact for independent cases (49 redraws" in text
    assert "omnibus" not in text.lower()
    assert "uneven" not in text.partition("Smallest detectable:")[0]
    assert "Mostly" not in answer_sentence(earlier.verdicts[0])
    methods = " ".join(words for _, words in methods_parts(earlier, "net"))
    assert KERNEL in methods.replace("Exact", "exact")
    assert "omnibus" not in methods


def test_a_report_can_be_made_of_it(earlier: Assessment) -> None:
    p = read(FILE).predictions
    made = report_of(p, earlier, earlier.survey.diagnoses[0].spec, title="Earlier", date=DATE)
    assert "null-distribution" in [plate.name for plate in made.plates]
    assert KERNEL in to_html(made).replace("Exact", "exact")


def test_what_a_report_rests_on_is_read_and_told() -> None:
    for file in (SURVEY, REPORT):
        shared = repeatable(file.read_text())
        assert shared.test == EARLIER_TEST
        assert another_test(shared) == SAID
        words = same_data(shared, shared.fingerprint)
        assert words.endswith(f"the same sizes are expected. {SAID}")
        assert "same numbers" not in words


@pytest.mark.slow
@pytest.mark.parametrize("file", [SURVEY, REPORT], ids=["survey", "report"])
def test_it_is_repeated_with_todays_test_and_that_is_said(
    file: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = [str(FILE), "--spec", str(file)]
    assert main(["survey", *words]) == 0
    said, error = capsys.readouterr()
    assert said.startswith(f"{SAID}\n\n30 cases, 3 classes, 2 checks\n")
    assert error == ""
    assert main(["survey", *words, "--json"]) == 0
    printed, error = capsys.readouterr()
    assert error == f"{SAID}\n"
    now = Assessment.from_json(printed)
    assert {verdict_test_name(d) for d in now.survey.diagnoses} == {VERDICT_TEST}
    earlier = repeatable(file.read_text())
    for d, look in zip(now.survey.diagnoses, earlier.looks, strict=True):
        assert (d.spec.lens, d.spec.binning, d.spec.alpha, d.spec.resamples, d.spec.seed) == (
            look.lens, look.binning, look.alpha, look.resamples, look.seed
        )  # fmt: skip
    assert differences(earlier, now)
    assert main(["report", *words, "--out", str(tmp_path / "r.html"), "--date", DATE]) == 0
    assert capsys.readouterr().err == f"{SAID}\n"
    # Repeated once more, it rests on today's test, and nothing is said.
    (tmp_path / "now.json").write_text(printed)
    assert main(["survey", str(FILE), "--spec", str(tmp_path / "now.json"), "--json"]) == 0
    assert capsys.readouterr() == (printed, "")


def test_one_look_with_its_settings_makes_the_tests_that_they_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["diagnose", str(FILE), "--spec", str(REPORT), "--lens", "class:dog", "--json"]
    assert main(words) == 0
    found = Diagnosis.from_json(capsys.readouterr().out)
    then = repeatable(REPORT.read_text())
    assert found.test("exact-skce").result.pvalue == then.results[1].pvalue  # type: ignore[union-attr]
    assert found.spec.tests == then.spec.tests


def test_settings_that_named_every_test_then_are_no_wish_for_some_now(tmp_path: Path) -> None:
    assert EVERY_TEST[0] == DiagnosisSpec().tests
    document = DiagnosisSpec(resamples=19, alpha=0.9).to_document() | {"tests": list(EVERY_TEST[1])}
    (tmp_path / "s.json").write_text(json.dumps(document))
    assert main(["survey", str(FILE), "--spec", str(tmp_path / "s.json"), "--json"]) == 0
    parquet = tmp_path / "p.parquet"
    p = read(FILE).predictions
    import pandas as pd

    table = pd.DataFrame(p.probs, columns=list(p.class_names)).assign(
        label=[p.class_names[k] for k in p.labels]
    )
    table.to_parquet(parquet)
    words = ["stream", str(parquet), "--spec", str(tmp_path / "s.json"), "--estimates", "none", "--json"]
    assert main([*words, "--bandwidth", "0.3", "--lens", "confidence"]) == 0

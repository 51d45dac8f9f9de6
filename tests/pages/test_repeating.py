"""The command of a report and of a diagnosis from the app, typed on the command line: the same numbers."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import Diagnosis, DiagnosisSpec
from calibcore.__main__ import main
from calibcore.assessment.assess import Assessment
from calibcore.assessment.rerun import differences, repeatable
from calibcore.diagram.binning import EqualMassBinning
from calibcore.kernels import GaussianKernel
from calibcore.report import Report, to_json
from calibcore.transforms.lenses import CanonicalLens, ClassLens, GroupsLens, TopKLens
from calibcore.transforms.nulls import Temperature
from pages.ui.settings import Settings
from tests.cli.test_words_command import by_shell
from tests.pages.harness import AS_PEOPLE_GET_IT, CSV, choose, on_page, opened, said, upload
from tests.pages.stores import store_of_its_own
from tests.report.reported import drawn

P = drawn(120, 3, names=("it's", "a,b", "c;d"), off=0.6)
TABLE = "id;x;y;z;truth\n" + "\n".join(
    ";".join([str(i), *map(repr, row), str(label + 1)])
    for i, (row, label) in enumerate(zip(P.probs.tolist(), P.labels.tolist(), strict=True))
)
SPEC = DiagnosisSpec(
    lens=CanonicalLens(), kernel=GaussianKernel(0.4), seed=3, alpha=0.2, resamples=99, tolerance=0.1,
    null=Temperature(2.0),
)  # fmt: skip
LENSES = (TopKLens(1), ClassLens("a,b"), CanonicalLens(), GroupsLens({"A;": ["it's", "a,b"], "B": ["c;d"]}))


@pytest.fixture(autouse=True)
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with store_of_its_own(tmp_path, monkeypatch, base_url="https://caliblens.example.org"):
        yield


def typed(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    monkeypatch.chdir(folder)
    words = by_shell(command)
    assert words[0] == "caliblens"
    capsys.readouterr()
    assert main([*words[1:], "--json"]) == 0
    return capsys.readouterr().out


def report_of(app: AppTest) -> Report:
    """That of the Share page."""
    (job,) = on_page(app, "share").session_state["jobs"]["report"].values()
    found: Report = job.future.result(timeout=60)
    return found


@pytest.mark.slow
def test_a_file_read_differently_and_looked_at_differently(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = Settings(SPEC, EqualMassBinning(6), None, LENSES)
    app = opened("data", AS_PEOPLE_GET_IT, settings=asked)
    app = upload(app, "it's a table.csv", TABLE)
    app = app.text_input(key="read-delimiter").set_value(";").run()
    app = choose(app, "Column with the labels", "truth")
    app = choose(app, "Integer labels count", "1, 2, 3, …")
    reading = next(iter(app.session_state["models"].values())).reading
    assert (reading.name, reading.options.label_column, reading.options.label_base) == (
        "it's a table.csv", "truth", 1
    )  # fmt: skip
    found = report_of(app)
    (tmp_path / "it's a table.csv").write_text(TABLE)
    again = Assessment.from_json(typed(found.repeat.command, tmp_path, monkeypatch, capsys))
    shared = repeatable(to_json(found))
    assert differences(shared, again) == ()
    assert shared.spec.null == DiagnosisSpec().null  # what was found is about calibration
    assert tuple(d.spec for d in again.survey.diagnoses) == shared.looks

    app = on_page(app, "tests")
    (command,) = (code.value for code in app.code)
    assert "Run it in the folder of the file" in said(app)
    diagnosis = Diagnosis.from_json(typed(command, tmp_path, monkeypatch, capsys))
    (job,) = app.session_state["jobs"]["diagnosis"].values()
    of_app = job.future.result()
    assert json.loads(diagnosis.to_json()) == json.loads(of_app.to_json())


@pytest.mark.slow
def test_what_has_no_file_says_so() -> None:
    app = opened("data", in_use="wine")
    title = "Wines of three growers, gradient boosting"
    assert report_of(app).repeat.notes == (
        f"PREDICTIONS stands for a file of these data: the bundled example '{title}'.",
    )
    without = "\n".join(line.rpartition(",")[0] for line in CSV.splitlines())
    app = upload(upload(opened("data")), "second.csv", without)
    app = next(t for t in app.toggle if "use its labels" in t.label).set_value(True).run()
    repeat = report_of(app).repeat
    assert repeat.words[2:5] == ("second.csv", "--labels", "LABELS")
    assert "LABELS stands for a file whose name is not known here or cannot be typed." in repeat.notes

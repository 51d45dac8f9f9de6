"""Work that the server would end before it is done is not offered: a random sample of the cases is."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec
from calibcore.__main__ import main
from calibcore.assessment.assess import Assessment
from calibcore.assessment.rerun import differences, repeatable
from calibcore.data.examples import load_example
from calibcore.limits import LIMITS
from calibcore.report import to_document, to_json
from calibcore.words.reporting import prediction_rows
from calibcore.words.tables import csv_of
from pages.ui.settings import Settings
from pages.work import cluster, costs, jobs
from pages.work import job as module
from tests.cli.test_words_command import by_shell
from tests.pages.harness import lens_table, on_page, opened, press, said, settled, upload
from tests.report.reported import drawn

P = drawn(1_500, 2, names=("no", "yes"), off=0.4)
CSV = csv_of([{"site": i % 7} | row for i, row in enumerate(prediction_rows(P))])
OFFER = "Look at a random 500 of 1,500 cases"


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that ends work after 30 seconds, and a survey that takes a second for 40 cases."""
    monkeypatch.setattr(costs, "LIMITS", replace(LIMITS, job_seconds=30))
    monkeypatch.setattr(costs, "seconds_of_survey", lambda n, *_: n / 40 if n > 700 else 0.0)


def page(name: str = "overview", **state: object) -> AppTest:
    app = upload(opened("data", settings=Settings(DiagnosisSpec(seed=2)), **state), "net.csv", CSV)
    return settled(app.switch_page(f"../{name}.py").run())


def buttons(app: AppTest) -> list[str]:
    return [button.label.replace("\\", "") for button in app.button]


def test_the_estimate_says_which_sample_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "LIMITS", replace(LIMITS, job_seconds=100))
    linear = costs.Estimate(1_000_000, lambda n: n / 1_000)
    assert (linear.seconds, linear.too_long, linear.sample()) == (1_000, True, 20_000)
    assert linear.sample(1.0) == 100_000
    square = costs.Estimate(1_000_000, lambda n: n * n / 1e7)
    assert square.sample() == 10_000
    assert costs.Estimate(1_000_000, lambda n: 50 + n).sample() == 0
    fits = costs.Estimate(99_999, lambda n: n / 1_000)
    assert not fits.too_long
    assert costs.Estimate(150, lambda n: n).sample(1.0) == 100
    assert costs.Estimate(90, lambda n: 2 * n).sample(1.0) == 0


@pytest.mark.slow
@pytest.mark.usefixtures("slow")
def test_a_sample_is_offered_and_every_page_says_that_it_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    app = page()
    assert (
        "Working through every check may take about 40 seconds; this server ends work after about 30 seconds."
        in said(app)
    )
    assert "Start" not in buttons(app)
    (job,) = app.session_state["jobs"]["survey"].values()
    assert job.waits
    assert job.cut
    app = settled(press(app, OFFER))
    title = "net.csv (random 500 of 1,500 cases)"
    data = app.session_state["models"][app.session_state["in-use"]]
    assert (data.title, data.predictions.n, data.predictions.drawn_from) == (title, 500, 1_500)
    assert data.predictions.fingerprint == P.sampled(500).fingerprint
    assert list(data.predictions.metadata) == ["site"]
    assert len(lens_table(app)) == 2
    line = "Of a random sample: 500 of 1,500 cases. All of them could show smaller errors."
    for name in ("overview", "reliability", "tests", "share"):
        app = settled(app.switch_page(f"../{name}.py").run())
        assert line in said(app), name
        assert f"{title} · 500 cases · 2 classes" in said(app), name
    (made,) = (job.future.result() for job in app.session_state["jobs"]["report"].values())
    assert line in made.cautions
    assert to_document(made)["data"]["drawn_from"] == 1_500
    assert "--sample 500" in made.repeat.command
    (tmp_path / "net.csv").write_text(CSV)
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    assert main([*by_shell(made.repeat.command)[1:], "--json"]) == 0
    again = Assessment.from_json(capsys.readouterr().out)
    assert differences(repeatable(to_json(made)), again) == ()


@pytest.mark.usefixtures("slow")
@pytest.mark.slow
def test_the_whole_stays_and_a_sample_goes_with_the_reading_that_it_is_of() -> None:
    app = settled(press(page(), OFFER))
    assert set(app.session_state["models"]) == {"model-0", "model-0-random-500"}
    app = on_page(app, "data")
    assert "net.csv · 1,500 cases · 2 classes · other cases" in said(app)
    app = press(app, "Look at it")
    assert app.session_state["in-use"] == "model-0"
    app = settled(press(on_page(app, "overview"), OFFER))  # the same one again
    assert set(app.session_state["models"]) == {"model-0", "model-0-random-500"}


def test_where_no_sample_helps_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "LIMITS", replace(LIMITS, job_seconds=1))
    monkeypatch.setattr(costs, "seconds_of_survey", lambda _n, *_: 5.0)
    app = opened("overview", in_use="wine")
    assert "this server ends work after about 1 second. Fewer redraws or checks take less." in said(app)
    assert not {"Start", "Start again"} & set(buttons(app))


@pytest.mark.usefixtures("slow")
def test_a_cluster_may_be_faster_so_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "named", lambda: True)
    app = page()
    assert "Working through every check may take about 40 seconds" in said(app)
    assert "Start" in buttons(app)
    assert OFFER not in buttons(app)


@pytest.mark.slow
def test_work_that_was_cut_all_the_same_offers_a_smaller_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(job: jobs.Job[object], *_: object) -> None:
        job.fraction = 0.5
        raise module.TooLong("it took more than 30 seconds, the most that this server allows.")

    monkeypatch.setattr(costs, "LIMITS", replace(LIMITS, job_seconds=30))
    monkeypatch.setattr(module, "LIMITS", costs.LIMITS)
    monkeypatch.setattr(costs, "seconds_of_survey", lambda n, *_: n / 100)
    monkeypatch.setattr(costs, "seconds_of_temperature", lambda *_: 0.0)
    with monkeypatch.context() as slow:
        slow.setattr(jobs.Job, "report", late)
        app = page()
    assert "Working through every check was ended: it took more than 30 seconds" in said(app)
    # 15 seconds were expected and 60 projected: four times as many, and half as many again to be sure.
    assert OFFER in buttons(app)
    assert "Start again" in buttons(app)
    app = settled(press(app, OFFER))
    assert len(lens_table(app)) == 2


@pytest.mark.slow
def test_a_sample_of_an_example_or_of_a_sample_has_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "LIMITS", replace(LIMITS, job_seconds=30))
    monkeypatch.setattr(costs, "seconds_of_survey", lambda n, *_: n / 10 if n > 450 else 0.0)
    app = settled(press(opened("overview", in_use="v19-table-2"), "Look at a random 200 of 1,000 cases"))
    title = "Built: right by confidence, wrong for every class (random 200 of 1,000 cases)"
    assert f"{title} · 200 cases" in said(app)
    monkeypatch.setattr(costs, "seconds_of_survey", lambda n, *_: n / 5 if n > 150 else 0.0)
    app = settled(next(box for box in app.number_input if box.label == "Seed").set_value(5).run())
    app = settled(press(app, "Look at a random 100 of 1,000 cases"))
    data = app.session_state["models"][app.session_state["in-use"]]
    assert data.title == title.replace("200", "100")
    assert data.origin == f"the bundled example '{data.title}'"
    assert data.predictions.fingerprint == load_example("v19-table-2").sampled(100).fingerprint

"""A reviewer opens the settings of a report: by link or file, on the same data or on others."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec, Predictions, survey
from calibcore.assessment.assess import assess
from calibcore.data.examples import example_csv, load_example
from calibcore.diagram.binning import EqualMassBinning
from calibcore.io.reading import sampled
from calibcore.kernels import GaussianKernel
from calibcore.report import report_of, to_json
from calibcore.store import Share, StoreError
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, TopKLens
from pages.server import report_route
from pages.server.rate_limit import Guesses
from pages.ui.settings import AT_FIRST, fitted
from pages.ui.share import reviewing
from pages.work import job
from tests.pages.harness import AS_PEOPLE_GET_IT, begun, choose, on_page, opened, press, said, settled, upload
from tests.pages.stores import NOW, store_of_its_own

LENSES = (TopKLens(1), CanonicalLens(), ClassLens("grower 2"))
SPEC = DiagnosisSpec(
    lens=ClassLens("grower 2"), binning=EqualMassBinning(7), kernel=GaussianKernel(), seed=3, tolerance=0.1
)


@cache
def document(key: str = "wine", lenses: tuple[Lens, ...] = LENSES, spec: DiagnosisSpec = SPEC) -> str:
    p = load_example(key)
    found = assess(p, survey(p, spec, lenses, binning_of_many=spec.binning)).at(spec.tolerance)
    return to_json(report_of(p, found, spec, title="Cellar", date="2026-11-21", noun="wine"))


@pytest.fixture(autouse=True)
def server(work_as_it_is: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with store_of_its_own(tmp_path, monkeypatch):
        yield


def arrived(token: str, **state: object) -> AppTest:
    """Somebody who clicked the link on a report's page."""
    app = begun()
    app.query_params[report_route.PARAMETER] = token
    for key, value in state.items():
        app.session_state[key.replace("_", "-")] = value
    return settled(app.run())


def token(text: str) -> str:
    fingerprint = load_example("wine").fingerprint
    return report_route.store().save(Share("Cellar", NOW, NOW + 1_000, fingerprint, text, "page")).token


def loaded(app: AppTest, text: str) -> AppTest:
    """The report's JSON chosen on the Share page."""
    app = on_page(app, "share")
    uploader = next(u for u in app.file_uploader if u.label == "The report's JSON file")
    return settled(uploader.upload("report.json", text.encode(), "application/json").run())


@pytest.mark.slow
def test_a_link_to_a_report_of_the_data_in_use_repeats_it() -> None:
    app = settled(arrived(token(document()), in_use="wine"))
    assert "Settings of the report 'Cellar' of 21 November 2026" in said(app)
    assert "These data have the report's fingerprint" in said(app)
    assert "Repeated: the verdicts and p-values are those of the report, in all 3 checks." in said(app)
    assert report_route.PARAMETER not in app.query_params
    found = app.session_state["settings"]
    assert replace(found.spec, binning=SPEC.binning) == SPEC
    assert found.lenses == LENSES
    assert len(app.session_state["settings-before"]) == 1
    app = settled(press(app, "Undo"))
    assert "A setting was changed" in said(app)
    app = settled(press(app, "Use its settings"))
    assert "Repeated:" in said(app)
    app = settled(press(app, "Close"))
    assert "Settings of the report" not in said(app)
    assert app.session_state["settings"] == found


def test_the_lens_of_a_report_is_taken_where_the_data_begin_with_another() -> None:
    """Pages begin with all grades together; the report looked at the confidence."""
    spec = DiagnosisSpec(lens=TopKLens(1), resamples=99)
    text = document("tumour-grades", (TopKLens(1), CanonicalLens()), spec)
    app = arrived(token(text), in_use="tumour-grades")
    p = load_example("tumour-grades")
    assert fitted(app.session_state["settings"], p).lens == TopKLens(1)
    assert fitted(AT_FIRST, p).lens == CanonicalLens()


@pytest.mark.slow
def test_results_that_come_while_the_page_is_drawn_are_compared_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job, "PATIENCE", 60.0)
    job._shared.clear()  # what another test found is not there yet
    app = begun()
    app.query_params[report_route.PARAMETER] = token(document())
    app.session_state["in-use"] = "wine"
    assert "Repeated: the verdicts and p-values are those of the report" in said(app.run())


@pytest.mark.slow
def test_a_change_of_a_setting_ends_the_comparison_and_a_look_through_another_lens_does_not() -> None:
    app = settled(arrived(token(document()), in_use="wine"))
    app = settled(choose(app.switch_page("../reliability.py").run(), "Look at", "canonical"))
    assert "Repeated:" in said(settled(app))
    app = settled(choose(app.switch_page("../tests.py").run(), "Kernel", "exponential"))
    assert "A setting was changed, so the results are not compared with the report's." in said(app)


@pytest.mark.slow
def test_settings_wait_for_data_that_they_fit_and_nothing_is_lost() -> None:
    app = settled(arrived(token(document()), in_use="breast-cancer"))
    assert "These are other data" in said(app)
    assert "Its settings do not fit these data and wait: There is no class" in said(app)
    assert not app.session_state["settings-before"]
    app = settled(settled(press(app, "Look at its data: Wines of three growers, gradient boosting")))
    assert "Repeated:" in said(settled(app))
    assert app.session_state["in-use"] == "wine"


@pytest.mark.slow
def test_a_reviewers_own_copy_of_the_file_is_recognised() -> None:
    csv = example_csv("wine")
    p = _read(csv)
    found = assess(p, survey(p, SPEC, LENSES, binning_of_many=SPEC.binning)).at(SPEC.tolerance)
    text = to_json(report_of(p, found, SPEC, title="Cellar", date="2026-11-21"))
    app = settled(arrived(token(text), in_use="breast-cancer"))
    assert "Load the report's file" in [link.label for link in app.get("page_link")]
    app = settled(upload(app.switch_page("../data.py").run(), "copy.csv", csv))
    app = settled(on_page(app, "overview"))
    assert "Repeated:" in said(app)


def _read(csv: str) -> Predictions:
    from calibcore.io import read

    return read(csv.encode(), name="copy.csv").predictions


@pytest.mark.slow
def test_results_that_differ_are_named() -> None:
    text = document().replace('"answer": "miscalibrated"', '"answer": "consistent"')
    app = settled(arrived(token(text), in_use="wine"))
    assert "Not the same as in the report: " in said(app)
    assert "the report says consistent with calibration" in said(app)


@pytest.mark.slow
def test_a_file_does_what_a_link_does() -> None:
    app = loaded(opened("share", in_use="wine"), document())
    app = settled(app)
    assert "Repeated:" in said(settled(app))


@pytest.mark.some(2)
@pytest.mark.parametrize("text", ["", "{}", "[1", '{"lenses": [], "class_frequencies": []}', "\0" * 99])
@pytest.mark.slow
def test_a_bad_file_is_one_sentence_and_nothing_is_lost(text: str) -> None:
    app = settled(arrived(token(document()), in_use="wine"))
    before = app.session_state["settings"], app.session_state["opened-report"]
    app = loaded(app, text)
    assert len(app.error) == 1
    assert (app.session_state["settings"], app.session_state["opened-report"]) == before
    app = settled(press(app, "Dismiss"))
    assert not app.error


@pytest.mark.slow
def test_a_link_that_leads_nowhere_is_said_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_route, "_guesses", Guesses(most=2))
    for wrong in ("never", "../x"):
        assert reviewing.GONE in said(arrived(wrong, in_use="wine"))
    assert "Too many links" in said(arrived("again", in_use="wine"))
    assert "Too many links" not in said(arrived(token(document()), in_use="wine"))


def test_a_store_that_fails_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise StoreError("The store of shared reports cannot be reached or written.")

    with monkeypatch.context() as patch:
        patch.setattr(report_route, "store", gone)
        app = arrived("x", in_use="wine")
    assert "cannot be reached or written. Load the report's JSON file in its place." in said(app)


def test_what_is_pasted_is_found_whatever_part_of_the_link_it_is() -> None:
    for link in (
        "abc",
        " https://x.org/r/abc ",
        "https://x.org/base/r/abc/",
        "https://x.org/?spec=abc&w=1",
        "/r/abc?x#y",
    ):
        assert report_route.token_of(link) == "abc"
    assert report_route.token_of("") == ""


@pytest.mark.slow
def test_the_round_trip_from_sharing_to_rerun() -> None:
    app = opened("share", AS_PEOPLE_GET_IT, in_use="wine")
    app = settled(choose(app, "Look at", "groups"))
    app = settled(press(on_page(app, "reliability"), "Add this lens to the survey"))
    app = settled(choose(app, "Look at", "confidence"))
    app = on_page(app, "share")
    app = settled(settled(press(settled(app), "Make a link")))
    link = app.session_state["shares"][0]
    again = settled(arrived(link.token, in_use="wine"))
    assert "in all 6 checks" in said(again)
    assert "Repeated:" in said(again)


@pytest.mark.slow
def test_a_report_of_a_sample_is_repeated_on_the_same_sample_of_all_cases() -> None:
    p = sampled(load_example("wine"), 60)
    found = assess(p, survey(p, SPEC, LENSES)).at(SPEC.tolerance)
    text = to_json(report_of(p, found, SPEC, title="Cellar", date="2026-11-21", noun="wine"))
    app = loaded(opened("learn", in_use="wine"), text)
    assert "The report is of a random 60 of 89 cases." in said(app)
    app = settled(press(app, "Look at the random 60 of 89 wines"))
    assert "These data have the report's fingerprint" in said(app)
    app = settled(on_page(app, "overview"))
    assert "Repeated: the verdicts and p-values are those of the report" in said(app)

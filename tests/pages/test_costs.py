"""Work that would be long is begun only when somebody asks for it, and says how long it may take."""

from dataclasses import replace

import pytest

from calibcore import DiagnosisSpec
from calibcore.kernels import ExponentialKernel, GaussianKernel, Kernel
from calibcore.words.phrases import duration
from pages.work import costs
from tests.pages.harness import opened, said, settled, unfolded

SPEC = DiagnosisSpec(tests=("exact-omnibus", "exact", "distribution-free", "asymptotic"))
EXACT = replace(SPEC, tests=("exact-omnibus", "exact"))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "about 1 second"),
        (44, "about 40 seconds"),
        (100, "about 2 minutes"),
        (1_300, "about 20 minutes"),
        (9_000, "about 2 hours"),
        (400_000, "about 5 days"),
    ],
)
def test_durations_are_said_roughly(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("n", "m", "spec", "measured"),
    [
        (10_000, 2, SPEC, 0.7),
        (100_000, 2, EXACT, 1.8),
        (100_000, 2, SPEC, 10.1),
        (1_000_000, 2, EXACT, 19.9),
        (10_000, 10, SPEC, 7.3),
        (40_000, 10, EXACT, 10.8),
    ],
)
def test_estimates_lie_near_what_was_measured(n: int, m: int, spec: DiagnosisSpec, measured: float) -> None:
    assert 1 / 3 < costs.seconds(n, m, spec) / measured < 3


@pytest.mark.parametrize(
    ("n", "m", "kernel", "measured"),
    [
        (10_000, 2, ExponentialKernel(), 1.0),
        (100_000, 2, ExponentialKernel(), 9.6),
        (10_000, 2, GaussianKernel(), 6.6),
        (10_000, 10, ExponentialKernel(), 7.3),
        (40_000, 10, ExponentialKernel(), 22.8),
    ],
)
def test_estimates_of_other_bandwidths_too(n: int, m: int, kernel: Kernel, measured: float) -> None:
    spec = replace(SPEC, kernel=kernel)
    assert 1 / 3 < costs.seconds_of_bandwidths(n, m, spec) / measured < 3


@pytest.mark.parametrize(
    ("n", "m", "measured"), [(10_000, 10, 0.16), (1_000_000, 3, 1.5), (50_000, 1_000, 2.6)]
)
def test_estimates_of_the_temperature_too(n: int, m: int, measured: float) -> None:
    assert 1 / 3 < costs.seconds_of_temperature(n, m) / measured < 3


def test_what_people_bring_is_tested_unasked_and_a_million_is_not() -> None:
    assert costs.seconds(10_000, 10, SPEC) < costs.UNASKED
    assert costs.seconds_of_survey(10_000, [2] * 11 + [3, 10], replace(EXACT, resamples=2_599)) < 60
    assert costs.seconds(1_000_000, 10, EXACT) > costs.UNASKED


def test_long_work_waits_for_start_and_the_rest_of_the_page_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "UNASKED", 0.0)
    app = opened("learn", in_use="breast-cancer")
    app.switch_page("../overview.py").run()
    assert "The model is" in said(app)
    assert "Working through every check may take about 1 second with so many cases." in said(app)
    app.switch_page("../tests.py").run()
    assert "Testing may take about 1 second with so many cases. It can be stopped." in said(app)
    jobs = [job for kept in app.session_state["jobs"].values() for job in kept.values()]
    assert len(jobs) == 2
    assert all(job.waits and not job.future.done() for job in jobs)
    start = next(b for b in app.button if b.label == "Start" and "Testing" in str(b.key))
    app = start.click().run()
    job = next(iter(app.session_state["jobs"]["diagnosis"].values()))
    job.future.result(timeout=30)
    app = unfolded(app.run())
    assert "Omnibus test" in [metric.label for metric in app.metric]


def test_the_estimate_of_a_survey_includes_its_verdicts() -> None:
    apart = [costs.seconds_of_survey(10_000, (m,), EXACT) for m in (2, 3)]
    assert costs.seconds_of_survey(10_000, (2, 3), EXACT) == pytest.approx(sum(apart))
    assert all(
        seconds > costs.seconds_of_omnibus(10_000, m) for seconds, m in zip(apart, (2, 3), strict=True)
    )


@pytest.mark.usefixtures("no_work_is_done")
def test_other_data_stop_the_work_on_those_before() -> None:
    app = opened("learn", in_use="digits-forest")
    app.switch_page("../overview.py").run()
    survey = next(iter(app.session_state["jobs"]["survey"].values()))
    app.switch_page("../data.py").run()
    next(box for box in app.selectbox if box.label == "Example").select("wine").run()
    assert survey.stop.is_set()
    assert not app.session_state["jobs"]["survey"]


def test_a_diagram_that_takes_a_while_is_drawn_with_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "AT_ONCE", 0.0)
    app = settled(opened("reliability", in_use="wine"))
    assert not app.exception
    assert "outside what chance allows" in said(app)


def test_nothing_of_improve_is_offered_that_takes_an_hour() -> None:
    most = max(
        costs.seconds_of_recalibration(n, m, 2, SPEC)
        for n, m in ((50_000, 1_000), (10_000, 1_000), (1_000_000, 3), (1_000_000, 10), (100_000, 100))
    )
    assert most < 1_800
    assert 180 < costs.seconds_of_recalibration(50_000, 1_000, 2, SPEC) < 600
    expected = costs.Estimate(50_000, lambda n: costs.seconds_of_recalibration(n, 1_000, 2, SPEC))
    assert expected.sample(within=costs.UNASKED) >= 2_000

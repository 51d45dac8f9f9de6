"""What monitoring says first: since when, and how far off the last cases are, in words of the lens."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from calibcore import DiagnosisSpec, Predictions, monitor
from calibcore.questions.monitor import words as monitoring
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens, TopKLens
from calibcore.wording import percent

N = 800


def visits(drop: float) -> Predictions:
    """Two classes; 'ill' happens less often than said in the second half, by ``drop``."""
    rng = np.random.default_rng(3)
    q = rng.uniform(0.55, 0.95, N)
    happened = rng.random(N) < q - drop * (np.arange(N) >= N // 2)
    return Predictions.from_arrays(np.column_stack([q, 1 - q]), np.where(happened, 0, 1), ["ill", "well"])


@pytest.mark.parametrize(
    ("lens", "words"),
    [
        (TopKLens(1), "the model is {said} sure of its answer on average, and right {happened} of the time"),
        (ClassLens("ill"), "the model gives 'ill' {said} on average, and it happens {happened} of the time"),
        (
            CanonicalLens(),
            "the model gives 'well' {said} on average, and it happens {happened} of the time",
        ),
    ],
)
def test_the_headline_says_since_when_and_how_far_off(lens: Lens, words: str) -> None:
    found = monitor(visits(0.3), DiagnosisSpec(lens=lens))
    last, since = found.windows.kept[-1], found.since
    assert last.outside
    assert since is not None
    said = words.format(said=percent(last.said), happened=percent(last.happened))
    low, high = (
        float(end) for end in binomtest(round(200 * last.happened), 200).proportion_ci(method="exact")
    )
    assert found.alarm is not None
    assert monitoring.headline(found, "visit") == (
        f"Not calibrated any more since about visit {since.case:,} (alarm at visit {found.alarm:,})."
    )
    assert monitoring.more(found, "visit")[0] == (
        f"In the last 200 visits {said} (95\N{NO-BREAK SPACE}% interval {percent(low)} to {percent(high)})."
    )
    more = " ".join(monitoring.more(found, "visit"))
    assert f"an alarm, at visit {found.alarm:,}, and 100 at visit {found.crossed[100.0]:,}." in more
    assert "hit" not in monitoring.headline(found)


def at(kind: str, since: str, alarmed: str) -> str:
    """The headline of a change of which both times are these."""
    found = monitor(visits(0.3))
    assert found.since is not None
    return monitoring.headline(
        replace(
            found, time="week", kind=kind, crossed_times={20.0: alarmed},  # type: ignore[arg-type]
            start_times={found.since.case - 1: since},
        )
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "since", "alarmed", "when"),
    [
        ("date", "2025-07-02", "2025-08-03", "2 July 2025 (alarm on 3 August)"),
        ("date", "2025-12-30", "2026-01-02", "30 December 2025 (alarm on 2 January 2026)"),
        ("date", "2025-07-02", "2025-07-02", "2 July 2025 (alarm on 2 July)"),
        (
            "date",
            "2025-07-02T08:15:00Z",
            "2025-07-02T13:05:09Z",
            "2 July 2025, 08:15 UTC (alarm at 13:05:09 UTC)",
        ),
        ("date", "2025-07-02T08:15:00", "2025-07-03T13:05:00", "2 July 2025, 08:15 (alarm on 3 July, 13:05)"),
        ("number", "34", "41.5", "week 34 (alarm at week 41.5)"),
    ],
)
def test_times_are_said_as_people_write_them(kind: str, since: str, alarmed: str, when: str) -> None:
    assert at(kind, since, alarmed) == f"Not calibrated any more since about {when}."


def test_without_an_alarm_no_size_is_said() -> None:
    found = monitor(visits(0.0))
    assert monitoring.headline(found) == "No alarm in 800 cases."
    assert not monitoring.lately_sentence(found)
    assert monitoring.more(found)[0] == monitoring.NO_PROOF


def test_an_alarm_may_come_before_what_is_most_clear() -> None:
    found = monitor(visits(0.3))
    assert found.since is not None
    early = replace(found, crossed={**found.crossed, 20.0: found.since.case - 1})
    assert monitoring.headline(early) == (
        f"Not calibrated, most clearly since about case {found.since.case:,} (alarm already at case "
        f"{found.since.case - 1:,})."
    )


def test_the_beginning_is_said_where_nothing_shows_that_it_began_later() -> None:
    p = Predictions.from_arrays(np.tile([[0.9, 0.1], [0.8, 0.2]], (60, 1)), [0, 1] * 60, ["ill", "well"])
    found = monitor(p)
    assert monitoring.headline(found) == "Not calibrated, perhaps from the beginning (alarm at case 20)."
    assert "Nothing shows that it began later." in " ".join(monitoring.more(found))


def test_windows_promise_no_limit_and_say_what_they_cannot_see() -> None:
    """Too sure on both sides of one half: an alarm, and no window is off on average."""
    rng = np.random.default_rng(1)
    q = rng.random(N)
    labels = (rng.random(N) >= 0.5 + 0.4 * (q - 0.5)).astype(int)
    sure = Predictions.from_arrays(np.column_stack([q, 1 - q]), labels, ["ill", "well"])
    found = monitor(sure)
    assert found.alarm is not None
    assert not any(window.outside for window in found.windows.listed)
    assert monitoring.windows_sentence(found).replace("\N{NO-BREAK SPACE}", " ") == (
        "In 0 of 7 windows of 200 cases the observed frequency of 'well' lies outside its 90 % range if "
        "calibrated. By chance up to 10 % of windows do, on average over many histories. Windows see only "
        "errors that do not average out."
    )
    assert "average out" not in monitoring.windows_sentence(monitor(visits(0.3)))
    assert "average out" not in monitoring.windows_sentence(monitor(visits(0)))


def test_one_time_for_all_cases_orders_nothing_and_that_is_said() -> None:
    p = visits(0.3)
    days = np.repeat("2025-01-01", N)
    found = monitor(replace(p, metadata={"day": days}), time="day")
    sentence = "Column 'day' has one time for all cases: only the order of the rows orders them."
    assert monitoring.since_sentence(found) == monitoring.order_sentence(found) == sentence
    assert monitoring.since_sentence(found.without_cases()) == sentence
    days = np.where(np.arange(N) < N - 1, days, "2025-01-02")
    found = monitor(replace(p, metadata={"day": days}), time="day")
    assert "one time" not in monitoring.since_sentence(found) + monitoring.order_sentence(found)

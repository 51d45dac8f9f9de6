"""monitor: the e-process, its order in time, its windows, and the state with which it goes on."""

import json
import math
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from calibcore import CanonicalLens, ClassLens, DiagnosisSpec, InputError, Monitoring, Predictions, monitor
from calibcore.data.times import DatesFitTwiceError, times_of
from calibcore.numerics import loops
from calibcore.numerics.types import Float, Int
from calibcore.questions.monitor.ask import in_blocks
from calibcore.questions.monitor.evidence import (
    _TEMPERATURES,
    _TILTS,
    MOST_POINTS,
    Evidence,
    _advance,
    log_weights,
)
from calibcore.questions.monitor.windows import chance_range
from calibcore.settings.codec import write
from calibcore.transforms.lenses import PooledLens, RegionLens
from tests.asked import SMALL, cases, small
from tests.oracles.next import references


@small(Monitoring)
def by_day() -> Monitoring:
    return monitor(cases(), SMALL, time="day", window=20)


def drawn(rng: np.random.Generator, g: Float) -> Int:
    u = rng.random((len(g), 1))
    return np.asarray((u >= g.cumsum(axis=1)[:, :-1]).sum(axis=1), np.int64)


def stream_of(n: int, m: int = 3, seed: int = 0, worse_from: int | None = None) -> Predictions:
    """Calibrated up to a case, too sure from it on; with days that repeat, and ten rows a patient."""
    rng = np.random.default_rng(seed)
    g = rng.dirichlet(np.full(m, 0.6), n) * 0.98 + 0.02 / m
    truth = g.copy()
    if worse_from is not None:
        truth[worse_from:] = 0.4 * g[worse_from:] + 0.6 / m
    days = [date(2026, 1, 1) + timedelta(days=i // 7) for i in range(n)]
    columns = {
        "day": np.array([str(day) for day in days]),
        "patient": rng.integers(n, size=n),
        "number": np.arange(n, dtype=np.float64),
    }
    return Predictions.from_arrays(g, drawn(rng, truth), [f"c{k}" for k in range(m)], columns)


@pytest.mark.parametrize("case", references("E", ""), ids=lambda case: str(case["name"]))
def test_the_references(case: dict[str, dict[str, list[float]]]) -> None:
    g, y = np.array(case["input"]["G"]), np.array(case["input"]["y"])
    found = monitor(Predictions.from_arrays(g, y))
    assert np.exp(found.evidence.logs) == pytest.approx(case["output"]["with_change"], abs=1e-12)
    names = [str(k) for k in range(g.shape[1])]
    for t, expected in enumerate(case["output"]["from_start_only"], start=1):
        held = monitor(Predictions.from_arrays(g[:t], y[:t], names)).evidence
        assert np.exp(held.products + held.weights).sum() == pytest.approx(expected, abs=1e-12)


def literal_bets(g: Float, y: int) -> tuple[list[float], list[float]]:
    """Weight and bet of every bettor on one case, as the definition says."""
    m, found = len(g), []
    temperatures = [1 / 2.5, 1 / 1.6, 1 / 1.25, 1 / 1.1, 1.1, 1.25, 1.6, 2.5]
    shifts = [-1, -0.5, -0.2, 0.2, 0.5, 1]
    families: list[list[Float]] = [[g**b / (g**b).sum() for b in temperatures], []]
    for c in range(1 if m == 2 else m):
        for shift in shifts:
            q = g * np.exp(shift * (np.arange(m) == c))
            families[1].append(q / q.sum())
    if m > 2:
        top, of_top = int(g.argmax()), []
        logit = math.log(g[top] / (1 - g[top]))
        for to in [b * logit for b in temperatures] + [logit + shift for shift in shifts]:
            p = 1 / (1 + math.exp(-to))
            q = g * (1 - p) / (1 - g[top])
            q[top] = p
            of_top.append(q)
        families.append(of_top)
    for family in families:
        found += [(1 / len(families) / len(family), q[y] / g[y]) for q in family]
    return [weight for weight, _ in found], [bet for _, bet in found]


@pytest.mark.parametrize("m", [2, 4])
def test_the_definition_and_since_when(m: int) -> None:
    """M after every case, and the start from which the bets won most, by products and sums."""
    p = stream_of(60, m, seed=5, worse_from=25)
    names = list(reversed(p.class_names)) if m == 2 else list(p.class_names)  # the event stands first
    places = [p.class_names.index(name) for name in names]
    g, y = p.probs[:, places], [places.index(k) for k in p.labels.tolist()]
    rows = [literal_bets(g[i], y[i]) for i in range(p.n)]
    weights, bets = np.array(rows[0][0]), np.array([of for _, of in rows])
    expected = []
    for t in range(1, p.n + 1):
        parts = [(weights @ bets[s - 1 : t].prod(axis=0)) / (s * (s + 1)) for s in range(1, t + 1)]
        expected.append(0.5 * weights @ bets[:t].prod(axis=0) + 0.5 * (sum(parts) + 1 / (t + 1)))
    found = monitor(p)
    assert np.exp(found.evidence.logs) == pytest.approx(expected, rel=1e-10)
    won = [weights @ bets[s - 1 :].prod(axis=0) for s in range(1, p.n + 1)]
    since, most = found.evidence.since(), max(won)
    assert since is not None
    assert won[since - 1] == pytest.approx(most if most >= 20 * won[0] else won[0], rel=0.01)


def test_the_mean_is_one_by_enumeration() -> None:
    """All 3⁴ label sets of four cases, one of them certain of two classes."""
    g = np.array([[0.5, 0.3, 0.2], [0.98, 0.01, 0.01], [0.2, 0.2, 0.6], [0.34, 0.33, 0.33]])
    total = 0.0
    for i in range(81):
        y = [(i // 3**k) % 3 for k in range(4)]
        chance = math.prod(g[k, y[k]] for k in range(4))
        total += chance * math.exp(monitor(Predictions.from_arrays(g, y, ["a", "b", "c"])).evidence.log)
    assert total == pytest.approx(1.0, abs=1e-12)
    for m in (2, 3, 7):
        assert np.exp(log_weights(m)).sum() == pytest.approx(1.0)


@pytest.mark.parametrize("m", [2, 3])
@pytest.mark.parametrize("cuts", [[1, 2, 700], [333, 334, 900]])
def test_files_one_after_the_other_are_as_one(m: int, cuts: list[int]) -> None:
    """To the last bit, through JSON, with dates, patients and windows that lie across files."""
    p = stream_of(1_203, m, worse_from=500)
    spec = DiagnosisSpec(unit="patient")
    whole = monitor(p, spec, time="day", window=40)
    parts = np.split(np.arange(p.n), cuts)
    state: Monitoring | None = None
    for rows in parts:
        state = monitor(p.with_rows(rows), spec, time="day", window=40, state=state)
        state = Monitoring.from_state(state.to_state())
    assert state is not None
    for found, expected in ((state, whole),):
        one, other = found.to_document(), expected.to_document()
        one.pop("files"), other.pop("files")
        assert one == other
        assert found.evidence.products.tolist() == expected.evidence.products.tolist()
    assert whole.n == len(set(p.metadata["patient"].tolist()))


def test_long_streams_keep_few_points() -> None:
    """Evenly spaced, the same ones however the cases come; a state of bounded size."""
    p = stream_of(23_000, 2, worse_from=12_000)
    whole = monitor(p)
    assert MOST_POINTS / 2 < len(whole.evidence.cases) <= MOST_POINTS
    assert set(np.diff(whole.evidence.cases)) == {whole.evidence.step}
    first = monitor(p.with_rows(np.arange(9_001)))
    again = monitor(p.with_rows(np.arange(9_001, p.n)), state=Monitoring.from_state(first.to_state()))
    assert write(again.evidence) == write(whole.evidence)
    assert again.windows == whole.windows
    assert whole.alarm is not None
    assert whole.alarm > 12_000
    since = whole.since
    assert since is not None
    assert abs(since.case - 12_000) < 600
    assert len(whole.to_state()) < 2_000_000


def test_an_alarm_and_since_when() -> None:
    p = stream_of(1_500, worse_from=700)
    found = monitor(p, time="day")
    assert found.alarm is not None
    assert 700 < found.alarm <= found.crossed[100.0] <= 1_500
    assert found.evidence.logs[found.alarm - 1] >= math.log(20) > max(found.evidence.logs[: found.alarm - 1])
    assert found.crossed_times[20.0] == p.metadata["day"][found.alarm - 1]
    since = found.since
    assert since is not None
    assert abs(since.case - 700) <= 120
    assert since.time == p.metadata["day"][since.case - 1]
    assert found.pvalue == pytest.approx(1 / max(np.exp(found.evidence.logs)))
    inside = [w.outside for w in found.windows.kept if w.last <= 700]
    assert sum(inside) <= 2 < sum(w.outside for w in found.windows.kept)
    calm = monitor(stream_of(1_500, seed=3))
    assert (calm.alarm, calm.since) == (None, None)
    assert calm.pvalue <= 1


def test_windows_are_exact() -> None:
    p = stream_of(100, 2)
    windows = monitor(p, window=40).windows.kept
    assert [(w.first, w.last) for w in windows] == [(1, 40), (21, 60), (41, 80), (61, 100)]
    w = windows[1]
    said = p.probs[20:60, 1]  # of two classes the last is the event
    assert w.said == pytest.approx(said.mean())
    assert w.happened == pytest.approx((p.labels[20:60] == 1).mean())
    law = np.ones(1)
    for chance in said:
        law = np.convolve(law, [1 - chance, chance])
    below = np.cumsum(law)
    fewest, most = (int(np.argmax(below >= level)) for level in (0.05, 0.95))
    assert (w.low, w.high) == pytest.approx((said.mean() - most / 40, said.mean() - fewest / 40))
    listed = monitor(stream_of(97, 2), window=40).windows.listed  # the last ends at the last case
    assert [(w.first, w.last) for w in listed] == [(1, 40), (21, 60), (41, 80), (58, 97)]
    assert listed[-1].happened == pytest.approx((stream_of(97, 2).labels[57:] == 1).mean())
    assert chance_range(np.full(20, 0.5)) == pytest.approx((0.5 - 14 / 20, 0.5 - 6 / 20))


def test_an_impossible_outcome_stops() -> None:
    g = np.tile([[0.5, 0.5], [1.0, 0.0]], (50, 1))
    y = np.tile([0, 0, 1, 0], 25)
    y[61] = 1
    p = Predictions.from_arrays(g, y, ["ill", "well"])
    found = monitor(p)
    assert (found.stopped, found.alarm, found.pvalue, found.n) == (62, 62, 0.0, 62)
    assert found.stopped_decimals == 1
    document = json.loads(found.to_json())
    assert (document["log_evidence"][-1], document["stopped"]) == (None, 62)
    assert document["log_evidence"][-2] is not None
    after = monitor(p.with_rows(np.arange(50)), state=Monitoring.from_state(found.to_state()))
    assert after.n == 62


def test_lenses_and_what_is_refused() -> None:
    p = stream_of(400)
    one = monitor(p, DiagnosisSpec(lens=ClassLens("c1")))
    assert one.about == "c1"
    region = RegionLens(CanonicalLens(), "c1", 0.2, 1.0)
    within = monitor(p, DiagnosisSpec(lens=region), time="day")
    assert within.n == int((p.probs[:, 1] >= 0.2).sum())
    with pytest.raises(InputError, match="happen at one time"):
        monitor(p, DiagnosisSpec(lens=PooledLens()))
    weighted = Predictions.from_arrays(p.probs, p.labels, p.class_names, weights=np.linspace(1, 2, p.n))
    with pytest.raises(InputError, match="weighted"):
        monitor(weighted)
    with pytest.raises(InputError, match="labels; the other columns are 'day', 'patient'"):
        monitor(p, time="when")
    for size in (15, 21):
        with pytest.raises(InputError, match="expected an even number from 20 up"):
            monitor(p, window=size)
    begun = monitor(p, time="day")
    with pytest.raises(InputError, match="holds this file already"):
        monitor(p, time="day", state=begun)
    with pytest.raises(InputError, match="begins at 2026-01-01, before 2026-02-27, where the state ends"):
        monitor(p.with_rows(np.arange(10)), time="day", state=begun)
    other = DiagnosisSpec(lens=ClassLens("c1"))
    for more, words in (
        ({"time": "number"}, "the column of times 'day' and this look has 'number'"),
        ({"time": "day", "window": 40}, "the window 200 and this look has 40"),
    ):
        with pytest.raises(InputError, match=words):
            monitor(p.with_rows(np.arange(300, 400)), state=begun, **more)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="expected the same"):
        monitor(p, other, time="day", state=begun)
    with pytest.raises(InputError, match="expected one that monitor wrote"):
        Monitoring.from_state("{}")
    broken = json.loads(begun.to_state()) | {"evidence": {}}
    with pytest.raises(InputError, match=r"The state cannot be used: evidence\.m is missing"):
        Monitoring.from_state(json.dumps(broken))


def test_labels_in_order_are_refused_and_changes_are_not() -> None:
    p = stream_of(60, 2)
    rows = np.argsort(p.labels, kind="stable")
    with pytest.raises(InputError, match="The labels stand in order within the file"):
        monitor(p.with_rows(rows))
    # Within one month; one row a day is another matter: outcomes may change in time.
    month = {"month": np.repeat(["2026-01", "2026-02"], 30), "day": np.arange(60)}
    by_month = np.concatenate([part[np.argsort(p.labels[part])] for part in np.split(np.arange(60), 2)])
    dated = replace(p.with_rows(by_month), metadata={k: np.array(v) for k, v in month.items()})
    with pytest.raises(InputError, match="within the rows of one time in column 'month'"):
        monitor(dated, time="month")
    assert monitor(replace(p.with_rows(rows), metadata={"day": np.arange(60)}), time="day").n == 60
    ties = np.zeros(9, np.int64)
    assert not in_blocks(np.array([0, 0, 0, 1, 1, 1, 1, 1, 0]), ties)
    assert not in_blocks(np.array([0, 0, 1, 1, 1, 1]), ties[:6])  # 2 of 15 orders
    assert in_blocks(np.repeat([0, 1], 9), np.zeros(18, np.int64))  # 2 of 48,620


def test_ties_keep_their_order_and_rows_are_sorted() -> None:
    p = stream_of(300)
    moved = np.random.default_rng(1).permutation(p.n)
    back = monitor(p.with_rows(moved), time="number")
    assert back.evidence.logs == monitor(p).evidence.logs
    assert "The rows were put into the order of the column 'number'." in back.notes
    days = np.array(sorted(moved.tolist(), key=lambda i: i // 7))
    assert monitor(p.with_rows(moved), time="day").evidence.logs == monitor(p.with_rows(days)).evidence.logs


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["2026-03-31", "2026-04-01"], ["2026-03-31", "2026-04-01"]),
        (["2026-03", "2026-04"], ["2026-03-01", "2026-04-01"]),
        (["2026/03/31 23:30", "2026-04-01"], ["2026-03-31T23:30:00", "2026-04-01"]),
        (
            ["2026-03-31T23:30:00+02:00", "2026-03-31T23:30:00Z"],
            ["2026-03-31T21:30:00Z", "2026-03-31T23:30:00Z"],
        ),
        (["31.03.2026", "01.04.2026"], ["2026-03-31", "2026-04-01"]),
        (["3/31/2026 1:05 PM", "4/1/2026 12:00 AM"], ["2026-03-31T13:05:00", "2026-04-01"]),
        (["05/05/2026", "06/06/2026"], ["2026-05-05", "2026-06-06"]),
        (["31 March 2026", "1 Apr 2026"], ["2026-03-31", "2026-04-01"]),
        (["March 31, 2026", "Apr 1 2026"], ["2026-03-31", "2026-04-01"]),
        (["12", "3.5"], ["12", "3.5"]),
        (["2026-03-31 10:00:00.250", "2026-03-31"], ["2026-03-31T10:00:00.250000", "2026-03-31"]),
    ],
)
def test_dates_in_several_formats(texts: list[str], expected: list[str]) -> None:
    times = times_of(np.array(texts, object), "when")
    assert [times.text(i) for i in range(len(texts))] == expected


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (
            ["03/04/2026", "05/06/2026"],
            "Row 1 has '03/04/2026' in column 'when', which may be 3 Apr 2026 or 4 Mar",
        ),
        (["31/04/2026", "01/04/2026"], "Row 1 has '31/04/2026' in column 'when', which is no date"),
        (["31/03/2026", "03/31/2026"], "which is no date with the day first"),
        (["03/04/26"], "which is read as no date"),
        (["2026-03-31", ""], "Row 2 has no time in column 'when'."),
        (
            ["2026-03-31T10:00Z", "2026-03-31T10:00"],
            "Row 1 has a time zone in column 'when' and row 2 has none",
        ),
        (["yesterday"], "Expected a date such as 2026-03-31, or a number, in every row."),
        (["2026-03-31 25:00"], "which is read as no date"),
    ],
)
def test_dates_that_are_refused(texts: list[str], words: str) -> None:
    with pytest.raises(InputError) as caught:
        times_of(np.array(texts, object), "when")
    assert words in str(caught.value)


def test_the_order_of_day_and_month_is_asked() -> None:
    column = np.array(["03/04/2026", "05/06/2026"], object)
    with pytest.raises(DatesFitTwiceError):
        times_of(column, "when")
    assert times_of(column, "when", "day-first").text(0) == "2026-04-03"
    assert times_of(column, "when", "month-first").text(0) == "2026-03-04"
    assert times_of(np.array(["2026-03-31"], "datetime64[ns]"), "when").months().tolist() == ["2026-03"]
    with pytest.raises(InputError, match="Row 2 has no date"):
        times_of(np.array(["2026-03-31", "NaT"], "datetime64[s]"), "when")
    with pytest.raises(InputError, match="Row 1 has no number"):
        times_of(np.array([np.nan, 1.0]), "when")


def test_the_compiled_loop_writes_nothing_beside_its_arrays() -> None:
    """Whatever n and every are: they once came out of a file."""
    q = np.full((6, 2), 0.5)
    for n, every, rows, kept in ((0, 1, 2, 2), (0, 1, 0, 0), (10**15, 1, 3, 3), (2, 2, 1, 1)):
        evidence = Evidence(2)
        beside = np.full((9, len(evidence.weights)), 7.0)
        out = np.full(9, 7.0)
        held = _advance(
            loops.read_only(q), loops.read_only(np.zeros(6, np.int64)), n, _TEMPERATURES, _TILTS,
            evidence.weights, evidence.products, evidence.sums, out[:6], every, beside[:rows],
        )  # fmt: skip
        assert held == kept
        assert (beside[kept:] == 7).all()
        assert (out[6:] == 7).all()
    evidence = Evidence(2)
    for n, every, labels, size in ((0, 0, 0, 6), (-1, 1, 0, 6), (0, 1, 2, 6), (0, 1, -1, 6), (0, 1, 0, 5)):
        with pytest.raises(ValueError, match=r"no such case|of no class|several sizes"):
            _advance(
                loops.read_only(q), loops.read_only(np.full(6, labels)), n, _TEMPERATURES, _TILTS,
                evidence.weights, evidence.products, evidence.sums, np.empty(size), every,
                np.empty((6, len(evidence.weights))),
            )  # fmt: skip

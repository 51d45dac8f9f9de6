"""Classes in order on lines of cumulative probabilities, by plain loops."""

import numpy as np
import pytest
from scipy.stats import binomtest

from calibcore import Predictions
from calibcore.answers.cumulative import cumulative_table
from calibcore.charts.cumulative import RANGE, cumulative_lines, farthest
from calibcore.painters.screen.cumulative import cumulative_figure

NAMES = ["low", "medium", "high <b>"]
R = np.random.default_rng(6)
G = R.dirichlet(np.ones(3), 90)
Y = R.integers(0, 3, 90)
P = Predictions.from_arrays(G, Y, NAMES, ordered=True)


def test_an_arrow_leads_from_what_was_predicted_to_what_happened() -> None:
    lines = cumulative_lines(P, "scan")
    assert [line.name for line in lines] == ["All scans", *(f"Answer {name}" for name in NAMES)]
    for place, line in enumerate(lines):
        rows = [i for i in range(90) if place == 0 or max(range(3), key=lambda k: G[i, k]) == place - 1]
        assert line.n == len(rows)
        for k in range(2):
            predicted = sum(G[i, j] for i in rows for j in range(k + 1)) / len(rows)
            assert line.predicted[k] == pytest.approx(predicted)
            hits = sum(Y[i] <= k for i in rows)
            assert line.observed[k] == pytest.approx(hits / len(rows))
            exact = binomtest(int(hits), len(rows)).proportion_ci(method="exact")
            assert (line.ranges[k].low, line.ranges[k].high) == pytest.approx(exact)
    assert len(cumulative_table(lines).rows()) == 8
    assert farthest(lines).startswith("All scans: the longest arrow is up to '")
    k = max(range(2), key=lambda k: abs(lines[0].observed[k] - lines[0].predicted[k]))
    assert farthest(lines).endswith(f" observed ({lines[0].range_words(k)}).")
    assert lines[0].range_words(k) == lines[0].hover(k, "scan")[-1]


def test_weighted_cases_have_no_interval() -> None:
    (line, *_) = cumulative_lines(
        Predictions.from_arrays(G, Y, NAMES, ordered=True, weights=R.uniform(1, 2, 90))
    )
    assert line.ranges == ()
    assert not line.range_words(0)
    assert len(line.hover(0, "scan")) == 3
    assert cumulative_table([line]).rows()[0]["95\N{NO-BREAK SPACE}% interval"] == "–"


def test_few_cases_and_classes_without_an_order_have_no_line() -> None:
    assert cumulative_lines(Predictions.from_arrays(G, Y, NAMES)) == ()
    assert [line.n for line in cumulative_lines(P[:19])] == []
    assert farthest(()) == ""


def test_on_the_screen_every_arrow_ends_where_it_should() -> None:
    lines = cumulative_lines(P)
    figure = cumulative_figure(lines)
    arrows = [note for note in figure.layout.annotations if note.showarrow]
    assert [(a.ax, a.x, a.y) for a in arrows] == [
        (line.predicted[k], line.observed[k], row) for row, line in enumerate(lines) for k in range(2)
    ]
    pale = [trace for trace in figure.data if trace.opacity == RANGE]
    assert [(*trace.x, trace.y[0]) for trace in pale] == [
        (line.ranges[k].low, line.ranges[k].high, row) for row, line in enumerate(lines) for k in range(2)
    ]
    assert "<b>" not in str(figure.layout.yaxis.ticktext)

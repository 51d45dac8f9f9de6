"""Figures of monitoring and of groups: what they show is what was found."""

import math
from dataclasses import replace

import numpy as np
import pytest

from calibcore import ClassLens, DiagnosisSpec, Predictions, TopKLens, monitor, survey_groups
from calibcore.charts.deviation_scale import DEVIATION
from calibcore.charts.forest import Row
from calibcore.charts.formats import WIDTHS
from calibcore.diagnose import reliability_for
from calibcore.diagram.binning import UniformBinning
from calibcore.painters.paper import evidence_print
from calibcore.painters.screen.evidence import LINE, UPPER, evidence_figure
from calibcore.painters.screen.forest import forest_figure, groups_figure
from calibcore.painters.screen.multiples import group_multiples_figure, panel_chosen
from calibcore.questions.groups import group_diagrams, rows_of_group
from calibcore.questions.groups import words as grouping
from calibcore.questions.groups.diagrams import MOST_DRAWN
from calibcore.questions.monitor.charts import STRETCHES, evidence_says, level_notes, levels_on_the_right
from calibcore.questions.monitor.words import headline
from calibcore.transforms.lenses import CanonicalLens
from calibcore.words.dates import time_words
from calibcore.words.verdicts import SMALL, Chip
from tests.questions.groups.test_groups import FAST, hospital
from tests.questions.monitor.test_monitor import stream_of

EVIL = "<b>x</b>"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("time", ["day", "number", None])
def test_the_evidence_and_the_windows(time: str | None, theme: str) -> None:
    found = monitor(stream_of(1_500, worse_from=700), time=time, window=100)
    figure = evidence_figure(found, theme)
    assert found.alarm is not None
    line, band, gaps = figure.data
    assert list(line.y) == pytest.approx([log / math.log(10) for log in found.evidence.logs])
    windows = found.windows.kept
    assert list(gaps.y) == pytest.approx([100 * (one.happened - one.said) for one in windows])
    inside = [low <= gap <= high for low, gap, high in zip(band.y, gaps.y, band.y[::-1], strict=False)]
    assert inside == [not one.outside for one in windows]
    worse = windows[-1]  # the model is too sure there: it happens less often than it says
    assert worse.gap > 0 > gaps.y[-1]
    assert "Observed minus predicted: −" in gaps.text[-1]
    assert [note.text for note in figure.layout.annotations if DEVIATION in note.text]
    assert len(band.x) == 2 * len(gaps.x)
    alarm = [shape for shape in figure.layout.shapes if shape.x0 not in (0,)]
    by_time = {"day": found.crossed_times.get(20.0), "number": float(found.alarm - 1), None: found.alarm}
    expected = by_time[time]
    assert found.since is not None
    begun = {"day": found.since.time, "number": float(found.since.case - 1), None: found.since.case}[time]
    first, second = [expected, begun] if 2 * found.since.case > found.n else [begun, expected]
    assert [shape.x0 for shape in alarm] == [first] * 2 + [second] * 2
    assert [shape.y1 for shape in alarm] == [1, 1, pytest.approx(1 - LINE / UPPER), 1]  # below the words
    texts = [note.text for note in figure.layout.annotations]
    words = f"case {begun}"
    if time is not None:
        words = time_words(found.since.time) if time == "day" else f"number {begun:g}"
    assert f"Since about {words}" in texts
    assert headline(found).startswith(f"Not calibrated any more since about {words} (")
    levels = [shape.y0 for shape in figure.layout.shapes if shape.yref == "y"]
    assert levels == pytest.approx([math.log10(20), 2])
    assert line.x[found.alarm - 1] == expected
    assert str(sum(one.outside for one in found.windows.kept)) in evidence_says(found)


def test_names_of_levels_never_touch() -> None:
    """Where the axis goes far up they stand together, on the side where the evidence is away."""
    near, far = monitor(stream_of(900, worse_from=700)), monitor(stream_of(6_000, worse_from=0))
    assert [above for _, _, above in level_notes(near)] == [False, True]
    assert far.evidence.log > 40 * math.log(10)
    assert level_notes(far) == [(100.0, "20 and 100: 1 in 20 and 1 in 100 histories", True)]
    assert levels_on_the_right(far)
    notes = [note for note in evidence_figure(far).layout.annotations if "histories" in note.text]
    assert [(note.xanchor, note.x) for note in notes] == [("right", 1)]


def test_a_long_line_keeps_its_ends_its_peaks_and_its_alarm() -> None:
    found = monitor(stream_of(9_000, worse_from=4_000))
    line, logs = evidence_figure(found).data[0], found.evidence.logs
    assert len(logs) == 9_000
    assert len(line.x) <= 2 * STRETCHES + 2
    tens = [math.log10(math.e) * log for log in logs]
    drawn = dict(zip(line.x, line.y, strict=True))
    assert all(drawn[case] == tens[case - 1] for case in drawn)
    assert {1, 9_000, 1 + tens.index(max(tens)), 1 + tens.index(min(tens))} <= set(drawn)
    for first in range(0, 9_000, 9):  # of each stretch both ends are drawn
        stretch = tens[first : first + 9]
        inside = [drawn[case] for case in range(first + 1, first + 10) if case in drawn]
        assert (min(inside), max(inside)) == (min(stretch), max(stretch))
    assert len(evidence_figure(monitor(stream_of(900, worse_from=700))).data[0].x) == 900


@pytest.mark.parametrize("width", WIDTHS)
def test_too_few_cases_for_a_window_have_a_figure_without_a_key(width: float) -> None:
    found = monitor(stream_of(20, worse_from=20))
    assert not found.windows.kept
    assert not evidence_print(found, width=width).legends


def test_an_infinite_evidence_ends_the_line() -> None:
    g, y = np.tile([[0.5, 0.5], [1.0, 0.0]], (30, 1)), np.tile([0, 0, 1, 0], 15)
    y[41] = 1
    found = monitor(Predictions.from_arrays(g, y, [EVIL, "b"]), DiagnosisSpec(), window=20)
    line = evidence_figure(found).data[0]
    assert line.y[-1] is None
    assert len(line.y) == 42
    assert "infinite" in line.text[-1]


def test_names_from_outside_are_text() -> None:
    p = hospital(300)
    renamed = Predictions.from_arrays(
        p.probs, p.labels, [EVIL, "b"], {EVIL: p.metadata["site"], "t": np.arange(p.n)}
    )
    for figure in (
        groups_figure(survey_groups(renamed, [EVIL], FAST)),
        evidence_figure(monitor(renamed, time="t")),
    ):
        assert EVIL not in figure.to_json()


def test_the_key_of_a_forest_says_what_its_table_says() -> None:
    verdicts = [SMALL, *map(Chip, ("Miscalibrated", "Cannot tell"), "ab", ("miscalibrated", "cannot-tell"))]
    rows = [Row(chip.words, 2.0, 1.0, 3.0, chip, "") for chip in verdicts]
    *_, sizes, first, second, third = forest_figure(rows).data
    assert [one.name for one in (first, second, third)] == [chip.words for chip in verdicts]
    assert [one.marker.symbol for one in (first, second, third)] == list(sizes.marker.symbol)
    assert len(set(sizes.marker.symbol)) == len(verdicts)


def test_the_forest_has_a_row_a_tested_group() -> None:
    found = survey_groups(hospital(600, off=0.3), ["site", "sex"], FAST)
    figure = groups_figure(found)
    marks = next(trace for trace in figure.data if trace.name == "size")
    gaps = [100 * g.verdict.typical_gap.value for g in found.tested if g.verdict is not None]
    assert list(marks.x) == pytest.approx(sorted(gaps, reverse=True))
    assert figure.layout.yaxis.ticktext[0] == "site B"


@pytest.mark.slow
def test_diagrams_of_groups_are_those_of_their_cases_alone() -> None:
    """Small groups have none, and of many groups those with the largest gaps are drawn."""
    p = hospital(600, m=3, off=0.3)
    site = p.metadata["site"].copy()
    site[:9] = "tiny"
    p = replace(p, metadata=dict(p.metadata) | {"site": site})
    for lens in (CanonicalLens(), TopKLens(1), ClassLens("c0")):
        found = survey_groups(p, ["site"], replace(FAST, lens=lens, unit="patient"))
        drawn = group_diagrams(p, found)
        assert [one.group.value for one in drawn] == ["A", "B", "C"]
        of = TopKLens(1) if lens == CanonicalLens() else lens
        rows = rows_of_group(p, "site", "B", found.spec)
        alone = reliability_for(p.with_rows(rows), replace(found.spec, lens=of, binning=UniformBinning(10)))
        assert drawn[1].diagram.mean_prediction.tolist() == alone.mean_prediction.tolist()
        assert drawn[1].diagram.low.tolist() == alone.low.tolist()
        whole = "the likeliest class" if isinstance(lens, CanonicalLens) else "the answer"
        named = "'c0'" if isinstance(lens, ClassLens) else whole
        sentence = grouping.diagrams_sentence(found, [one.group for one in drawn])
        assert sentence.startswith(f"Across: the probability the model gave {named}.")
    two = survey_groups(hospital(400), ["site"], FAST)
    for one in group_diagrams(hospital(400), two):
        assert one.diagram.class_names == two.class_names  # the words name the first
    many = survey_groups(p, ["site", "age", "sex", "date", "row"], FAST)
    some = group_diagrams(p, many)
    assert len(some) == MOST_DRAWN < len(many.tested)
    least = min(one.group.verdict.typical_gap.value for one in some if one.group.verdict)
    kept = {(one.group.column, one.group.value) for one in some}
    others = [g for g in many.tested if (g.column, g.value) not in kept]
    assert all(g.verdict is not None and g.verdict.typical_gap.value <= least for g in others)
    figure = group_multiples_figure(some, 2, 2)
    assert figure.layout.annotations[0].text.startswith(
        f"<b>{some[2].group.column} {some[2].group.value}</b>"
    )
    assert panel_chosen([{"customdata": [2]}]) == 2
    assert f"{MOST_DRAWN} groups" in grouping.diagrams_sentence(many, [one.group for one in some])

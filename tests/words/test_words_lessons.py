"""The sentences of the Learn page say the numbers they are given."""

from dataclasses import replace

import numpy as np
import pytest

from calibcore import lessons
from calibcore.answers.diagram import bins_table
from calibcore.data.examples import load_example
from calibcore.lessons import ChanceGap, Trial, findings, words
from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens
from calibcore.words.phrases import kernel_error


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_promise_is_counted_over_the_days_above_80_percent() -> None:
    p = lessons.forecasts(2.0)
    sure = p.probs[:, 0] > 0.8
    days, wet = int(sure.sum()), int((p.labels[sure] == 0).sum())
    said = plain(words.promise_sentence(lessons.promises(2.0)))
    assert f"says {100 * p.probs[sure, 0].mean():.0f} % on average" in said
    assert f"rains on {100 * wet / days:.0f} % of them ({wet:,} of {days:,} days)" in said


def test_how_sure_and_how_often_right() -> None:
    found = lessons.sure()
    p = load_example("letters")
    for said, verdict in ((0.9, "It is too sure, by 16 points."), (0.4, "Chance alone explains that.")):
        letters = p.probs[:, 0] == said
        right = int((p.labels[letters] == 0).sum())
        sentence = plain(words.sure_sentence(found, lessons.SAID.index(said)))
        share = f"{100 * right / letters.sum():.0f} %"
        assert f"Of {letters.sum()} letters the model says that it is {100 * said:.0f} % sure." in sentence
        assert f"It is right in {right} of them, {share}. If calibrated, " in sentence
        assert sentence.endswith(verdict)
    assert "too unsure, by 17 points" in plain(words.sure_sentence(found, lessons.SAID.index(0.5)))


@pytest.mark.parametrize(
    ("lens", "sentence"),
    [
        (TopKLens(1), "Through this lens the model always says 60 %, and that is how often it is right."),
        (
            ClassLens("2"),
            "Through this lens the model makes 3 predictions, and each happens exactly as often as it says.",
        ),
        (
            CanonicalLens(),
            "Through this lens the model makes 6 predictions, and none happens as often as it says: "
            "they are off by up to 10.0 points.",
        ),
    ],
)
def test_a_lens_is_said_with_its_gap(lens, sentence) -> None:
    assert plain(words.lens_sentence(lessons.through(lens), lens)) == sentence


def test_some_predictions_may_hold_and_others_not() -> None:
    found = lessons.through(ClassLens("2"))
    found = replace(found, deviation=found.deviation + np.array([0, 0.02, 0]))
    assert "and 2 happen as often as they say; the others are off by up to 2.0" in words.lens_sentence(
        found, ClassLens("2")
    )


def test_the_rows_of_a_lens_are_the_tables_numbers() -> None:
    rows = [{k: plain(v) for k, v in row.items()} for row in words.lens_rows(lessons.through(ClassLens("3")))]
    assert rows[0] == {"The model said": "10 %", "It happened": "10 % (100 of 1,000)", "Gap": "0.0 points"}
    assert [row["The model said"] for row in rows] == ["10 %", "30 %", "60 %"]
    rows = [
        {k: plain(v) for k, v in row.items()} for row in words.lens_rows(lessons.through(CanonicalLens()))
    ]
    assert {
        "The model said of 1 · 2 · 3": "10 · 30 · 60 %",
        "It happened": "20 · 20 · 60 %",
        "Gap": "10.0 points",
    } in rows


def test_a_gap_stands_beside_what_chance_makes() -> None:
    said = words.chance_gap_sentence(ChanceGap(2_500, 0.4512, 0.44, 0.43, 0.46))
    assert "With 2,500 cases this calibrated model has an average gap (ECE) of 45.1 points." in said
    assert "Chance alone makes 43.0 to 46.0 points, 9 times in 10. So this gap alone says nothing." in said
    for outside in (0.42, 0.47):
        said = words.chance_gap_sentence(ChanceGap(250, outside, 0.44, 0.43, 0.46))
        assert "alone says nothing" not in said
        assert "1 time in 10" in said


def test_bins_outside_are_counted_in_this_set_and_over_all() -> None:
    found = lessons.redrawn_weather(1)
    said = words.outcomes_sentence(found, 1, 20, 0.55)
    assert f"Set 1: {int(found.outside.sum())} of 15 bins lie outside the bars, by chance alone" in said
    assert f"Over all 20 sets it is 0.6 on average; we expect about {found.expected_outside:.1f}" in said
    one = replace(found, outside=found.outside & (found.outside.cumsum() == 1))
    assert "1 of 15 bins lies outside" in words.outcomes_sentence(one, 1, 20, 0.55)


def test_the_kernel_error_is_said_with_its_p_and_promise() -> None:
    found = lessons.neighbours("M1")
    larger = int((found.null_distribution >= found.statistic).sum())
    said = words.neighbours_sentence(found)
    assert said.startswith(f"{larger} of 999 sets of outcomes")
    assert f"p = {found.pvalue:.2g} (exact for independent cases). Chance alone explains" in said
    said = words.neighbours_sentence(lessons.neighbours("M2"))
    assert said.startswith("None of 999")
    assert (
        "p = 0.001, the smallest possible (exact for independent cases). Chance is a poor explanation."
        in said
    )


def test_rejections_are_counted_at_the_level() -> None:
    trials = [Trial(0.005, 0.05), Trial(0.05, 0.051), Trial(0.2, 0.8)]
    assert words.rejections(trials) == (2, 1)
    said = words.trials_sentence(trials)
    assert "Of 3 calibrated data sets, resampling calls 2 miscalibrated, the exact test 1." in said
    assert said.endswith("At level 0.05 a test may be wrong 1 time in 20.")
    assert "Of 1 calibrated data set, " in words.trials_sentence(trials[:1])


def test_the_rows_of_a_lens_are_exact_in_the_csv() -> None:
    found = lessons.through(ClassLens("3"))
    assert words.lens_rows(found, exact=True) == bins_table(found).rows(exact=True)


def test_the_rows_of_the_gaps_are_rounded_to_read_and_exact_in_the_csv() -> None:
    gap = ChanceGap(1_500, 0.412345678, 0.41, 0.401234, 0.421234)
    read = {k: plain(v) for k, v in words.gap_rows([gap])[0].items()}
    assert read == {
        "Cases": "1,500",
        "Average gap (ECE)": "41.2 points",
        "By chance, 9 times in 10": "40.1 to 42.1 points",
    }
    exact = {"cases": 1_500, "ECE": 0.412345678, "chance, low": 0.401234, "chance, high": 0.421234}
    assert words.gap_rows([gap], exact=True) == [exact]


def test_the_rows_of_the_redraws_are_its_ends_to_read_and_all_in_the_csv() -> None:
    result = lessons.neighbours("M1")
    null = result.null_distribution
    read = [row["Kernel error"] for row in words.neighbours_rows(result)]
    values = [result.statistic, null.min(), float(np.sort(null)[len(null) // 2]), null.max()]
    assert read == [kernel_error(float(value)) for value in values]
    exact = words.neighbours_rows(result, exact=True)
    assert exact[0] == {"outcomes": "observed", "kernel error": result.statistic}
    assert [row["kernel error"] for row in exact[1:]] == np.sort(null).tolist()


def test_the_rows_of_the_trials_are_their_p_values() -> None:
    trials = [Trial(0.005, 0.8041), Trial(0.2, 0.05)]
    assert words.trial_rows(trials)[0] == {
        "Data set": 1,
        "p by resampling": "0.005 (smallest)",
        "p of the exact test": "0.8",
    }
    assert [row["p of the exact test"] for row in words.trial_rows(trials, exact=True)] == [0.8041, 0.05]


def test_how_often_pooled_findings_deceive_is_counted() -> None:
    trials = [findings.Together(0.0, 9, 8), findings.Together(0.6, 80, 6)]
    sentence = plain(words.together_sentence(trials[1]))
    assert "Of 200 sets of X-rays, the test that takes all 5,600 pairs as independent calls it" in sentence
    assert "miscalibrated in 80. Each finding by itself, adjusted for 14, does so in 6." in sentence
    assert sentence.endswith("A level of 5 % allows 10 on average.")
    assert [plain(row["All pairs as independent"]) for row in words.together_rows(trials)] == [
        "4.5 %",
        "40.0 %",
    ]
    assert words.together_rows(trials, exact=True)[1] == {
        "correlation": 0.6, "sets": 200, words.POOLED: 80, words.EACH: 6
    }  # fmt: skip

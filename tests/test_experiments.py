"""`make experiments`: closed forms, seeds, tables and figures."""

import csv
from concurrent.futures import Executor, ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import beta

from calibcore.data.examples import gaussian_mixture
from calibcore.diagram.binning import EqualMassBinning, UniformBinning
from calibcore.estimators.ece import ECE
from experiments import __main__ as command
from experiments import promised_thresholds, published, tables, vaicenavicius2019, widmann2019
from experiments.processes import SEED, generator
from experiments.vaicenavicius2019 import PARAMETERS, diagrams, expected_miscalibration, limit, true_deviation
from experiments.widmann2019 import EXACT_TESTS, TESTS, Outcome
from tests.documents import ROOT


@pytest.fixture(scope="module")
def pool() -> Executor:
    with ThreadPoolExecutor(1) as one:
        yield one


def made_up(sets: int, seed: int) -> Outcome:
    rng = np.random.default_rng(seed)
    pvalues = rng.random((sets, len(TESTS) + len(EXACT_TESTS)))
    return Outcome(rng.normal(size=(sets, 4)), pvalues, 0.02, 0.01)


# --- the populations ----------------------------------------------------------


def test_expected_miscalibration_of_v19() -> None:
    assert [expected_miscalibration(p) for p in PARAMETERS] == pytest.approx([0, 0, 0.56375], abs=5e-6)
    for parameters, printed in published.EXPECTED_MISCALIBRATION.items():
        assert expected_miscalibration(parameters) == pytest.approx(printed, abs=0.005)


def test_a_constant_prediction_is_off_by_its_distance_from_a_half() -> None:
    assert expected_miscalibration((np.log(3), 0.0)) == pytest.approx(0.25)
    assert limit((np.log(3), 0.0), UniformBinning(7)) == pytest.approx(0.25)


@pytest.mark.some(2)
@pytest.mark.parametrize("parameters", [(1.0, 1.0), (0.3, -1.0), (0.0, -2.0)])
@pytest.mark.parametrize("n_bins", [1, 3, 10])
def test_what_fixed_bins_tend_to(parameters, n_bins) -> None:
    p = gaussian_mixture(300_000, *parameters, np.random.default_rng(1))
    binning = UniformBinning(n_bins)
    assert limit(parameters, binning) == pytest.approx(ECE(binning)(p), abs=0.004)
    assert limit(parameters, binning) <= expected_miscalibration(parameters) + 1e-9


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_deviations_of_one_data_set_follow_the_true_ones(parameters) -> None:
    for diagram in diagrams(parameters):
        predicted = diagram.mean_prediction[:, 0]
        true = predicted + true_deviation(parameters, predicted)
        standard_errors = np.sqrt(true * (1 - true) / diagram.counts)
        # A bin is no point: the true curve is bent within it.
        assert np.all(np.abs(diagram.observed[:, 0] - true) < 0.03 + 4 * standard_errors)


def test_as_many_deviations_lie_outside_their_bars_as_the_document_says() -> None:
    outside = [np.concatenate([diagram.outside for diagram in diagrams(p)]) for p in PARAMETERS]
    calibrated = np.concatenate(outside[:2])
    assert (calibrated.sum(), len(calibrated)) == (2, 26)
    assert outside[2].all()
    assert "2 of 26 crosses" in (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")


def test_true_deviations_in_closed_form() -> None:
    # Where β = (1, 1) says a half, x is −1, and class −1 has probability 1/(1 + e^−2).
    assert true_deviation((1.0, 1.0), np.array([0.5])) == pytest.approx(1 / (1 + np.exp(-2)) - 0.5)
    assert true_deviation((0.0, -2.0), np.array([0.1, 0.7])) == pytest.approx(0)
    assert true_deviation((np.log(3), 0.0), np.array([0.75])) == pytest.approx(-0.25)


def test_bins_that_move_have_no_limit_here() -> None:
    assert np.isnan(limit((1.0, 1.0), EqualMassBinning(10)))


def test_true_errors_of_w19_in_closed_form() -> None:
    """W19 J.2.1: half of (m − 1)/m on M2, ((m−1)^(m−1)/m^m)^a/(aB(a, (m−1)a)) on M3."""
    m, a = 10, 0.1
    uniform = ((m - 1) ** (m - 1) / m**m) ** a / (a * beta(a, (m - 1) * a))
    assert pytest.approx({"M1": 0, "M2": 0.5 * (m - 1) / m, "M3": uniform}, rel=1e-12) == published.TRUE_ECE


# --- seeds --------------------------------------------------------------------


def test_every_data_set_has_its_own_stream() -> None:
    first = [generator(1, model, number).random() for model in range(3) for number in range(5)]
    assert len(set(first)) == 15
    assert generator(1, 2, 3).random() == np.random.default_rng([SEED, 1, 2, 3]).random()


@pytest.mark.some(1)
@pytest.mark.parametrize("model", widmann2019.MODELS)
def test_results_do_not_depend_on_how_the_work_is_shared(model, pool) -> None:
    whole = widmann2019.run(model, 5, 9, pool)
    parts = widmann2019.run(model, 5, 9, pool, chunk=2)
    more = widmann2019.run(model, 7, 9, pool, chunk=2)
    for found in ("estimates", "pvalues"):
        assert_array_equal(getattr(parts, found), getattr(whole, found))
        assert_array_equal(getattr(more, found)[:5], getattr(whole, found))


@pytest.mark.slow
def test_series_do_not_depend_on_how_the_work_is_shared(pool) -> None:
    whole = vaicenavicius2019.run((1.0, 1.0), 4, pool, (50, 80))
    parts = vaicenavicius2019.run((1.0, 1.0), 4, pool, (50, 80), chunk=3)
    assert_array_equal(parts.estimates, whole.estimates)
    assert whole.estimates.shape == (4, 2, 3)


def test_estimates_are_those_of_the_tests_and_in_order(pool) -> None:
    """M2: ECE about 0.66, SKCE_b > SKCE_uq; D_b rejects at 0.2, and D_g, A_uq, the exact tests at 0.05."""
    found = widmann2019.run("M2", 3, 39, pool)
    ece, biased, unbiased, _ = found.estimates.T
    assert (abs(ece - 0.66) < 0.1).all()
    assert (biased > unbiased).all()
    assert (found.pvalues_of("D_b") <= 0.2).all()
    for test in ("C", "D_g", "A_uq", "A_l", *EXACT_TESTS):
        assert (found.pvalues_of(test) <= 0.05).all()
    assert (found.pvalues_of("D_uq") > 0.5).all()


# --- promised thresholds ------------------------------------------------------


def test_the_worlds_leave_as_much_as_the_published_ones() -> None:
    best = {name: promised_thresholds.best_share(world) for name, world in promised_thresholds.WORLDS.items()}
    for name, share in published.BEST_SHARE.items():
        assert best[name] == pytest.approx(share, abs=0.001)
    assert (best["flat .93"], best["exactly .95"]) == (0, 1)
    for world in promised_thresholds.WORLDS.values():
        place = np.linspace(0.0005, 0.9995, 999)
        right = world.right(place)
        assert ((right >= 0) & (right <= 1)).all()
        assert (np.diff(world.score(place, right)) <= 0).all()


def test_the_plain_order_stops_at_the_first_number_that_shows_nothing() -> None:
    """Of 59 right answers 0 may be wrong, of 101 one, and of 102 not two."""
    assert promised_thresholds.plain_share(np.ones(58, int)) == 0
    assert promised_thresholds.plain_share(np.ones(59, int)) == 1
    right = np.append(np.ones(100, int), np.zeros(300, int))
    step = (400 / 59) ** (1 / 59)
    assert 101 / step - 1 < 400 * promised_thresholds.plain_share(right) <= 101
    assert promised_thresholds.plain_share(np.append(0, right)) == 0


def table_of(page: str, head: str) -> dict[str, list[str]]:
    """The cells of a table in docs by its first column."""
    _, _, rows = page.partition(head)
    lines = rows.splitlines()[2:]
    return {
        cells[0]: cells[1:]
        for line in lines[: next(i for i, line in enumerate(lines) if not line.startswith("|"))]
        for cells in ([cell.strip() for cell in line.strip("|").split("|")],)
    }


@pytest.mark.slow
def test_the_promises_in_the_docs_are_found_again(pool) -> None:
    """60 files of each world and size, against the tables of 400 and 150; no promise is broken too often."""
    page = (ROOT / "docs/statistics/decide.md").read_text(encoding="utf-8")
    shares, broken = (
        table_of(page, f"\n| {head} | 200 cases") for head in ("world | best", "how often it is broken")
    )
    assert set(shares) == set(broken) == set(promised_thresholds.WORLDS)
    files, sizes = 60, tuple(promised_thresholds.FILES)
    for (name, n), of in promised_thresholds.run(files, pool, sizes).items():
        said, _, published_share = shares[name][1 + sizes.index(n)].rstrip(")").partition(" (")
        assert abs(of.guided - float(said)) <= 4 * of.error + 0.01, (name, n)
        if published_share:
            assert abs(float(said) - float(published_share)) <= 0.025, (name, n)
        promise, usual = (float(part) for part in broken[name][sizes.index(n)].split("; "))
        assert of.broken <= files * 0.05 + 3 * np.sqrt(files * 0.05 * 0.95), (name, n)
        assert promise <= 0.05
        assert abs(of.naive / files - usual) <= 4 * np.sqrt(0.25 / files), (name, n)


# --- tables -------------------------------------------------------------------


def test_the_built_models_are_off_as_was_printed() -> None:
    """V19: both are right by the confidence; the first in every class too; as a whole neither is."""
    rows = tables.built_rows()
    printed = {(model, through): off for model, through, off, _ in rows}
    assert printed["Table 1", "all probabilities"] == pytest.approx(0.1)
    assert printed["Table 2", "all probabilities"] == pytest.approx(0.2)
    assert printed["Table 1", "class 2"] == pytest.approx(0)
    assert printed["Table 2", "class 3"] == pytest.approx(0.2)
    for *where, off, found in rows:
        assert found == pytest.approx(off, abs=1e-9), where
    page = (ROOT / "docs/experiments.md").read_text(encoding="utf-8")
    said = table_of(page, "\n| through |")
    for (model, through), off in printed.items():
        assert said[through][model == "Table 2"] == f"{off + 1e-12:.2f}", (model, through)


def test_errors_of_both_types() -> None:
    outcome = Outcome(np.zeros((4, 4)), np.tile([[0.01], [0.2], [0.2], [np.nan]], (1, 9)), 0, 0)
    levels = np.array([0.005, 0.05, 0.2, 1.0])
    assert_allclose(widmann2019.test_errors(outcome, "M1", "C", levels), [0, 0.25, 0.75, 0.75])
    assert_allclose(widmann2019.test_errors(outcome, "M3", "A_l", levels), [1, 0.75, 0.25, 0.25])


def test_z_is_that_of_two_samples() -> None:
    """Moved by one standard error of the difference, the mean's z is 1."""
    outcome = made_up(400, 1)
    values = outcome.estimates[:, 0]
    se = values.std(ddof=1) * np.sqrt(1 / 400 + 1 / published.SETS)
    outcome.estimates[:, 0] += published.MEAN_ESTIMATES["ECE"]["M1"] - values.mean() + se
    assert tables.estimate_rows({"M1": outcome})[0][-1] == pytest.approx(1)
    outcome.pvalues[:, TESTS.index("A_l")] = np.repeat([0.01, 0.5], [20, 380])
    row = next(r for r in tables.error_rows({"M1": outcome}) if r[1:3] == ("A_l", 0.05))
    pooled = (20 + 455) / 10_400
    assert row[3] == pytest.approx(0.05)
    assert row[-1] == pytest.approx(0.0045 / np.sqrt(pooled * (1 - pooled) * (1 / 400 + 1 / 10_000)))


def test_tests_that_are_not_in_the_paper_have_nothing_beside_them() -> None:
    rows = tables.error_rows({"M1": made_up(10, 2)})
    assert {row[1] for row in rows if row[-1] is None} == {"D_g", *EXACT_TESTS}


def test_markdown_is_short_and_csv_exact(tmp_path) -> None:
    rows = [("M1", None, 1 / 3, 1000, -2.345)]
    header = ("model", "nothing", "value", "n", "z")
    assert tables.markdown(header, rows).splitlines()[-1] == "| M1 |  | 0.3333 | 1000 | −2.3 |"
    tables.write_csv(tmp_path / "t.csv", header, rows)
    with (tmp_path / "t.csv").open(encoding="utf-8") as file:
        last = list(csv.reader(file))[-1]
    assert last[:2] + last[3:4] == ["M1", "", "1000"]
    assert float(last[2]) == 1 / 3


@pytest.mark.slow
def test_everything_is_written(tmp_path, pool) -> None:
    drawing = pytest.importorskip("experiments.drawing")
    outcomes = {model: made_up(30, seed) for seed, model in enumerate(widmann2019.MODELS)}
    curves = {p: vaicenavicius2019.run(p, 3, pool, (50, 80)) for p in PARAMETERS}
    promises = promised_thresholds.run(2, pool, (200,))
    command.write(tmp_path, outcomes, curves, promises, ["Took no time."])
    written = {file.name for file in tmp_path.iterdir()}
    figures = {"w19_figure1", "w19_figure2", "v19_figures", "v19_diagrams"}
    assert written == {f"{name}.{kind}" for name in figures for kind in ("svg", "png")} | {
        "w19_estimates.csv", "w19_test_errors.csv", "v19_curves.csv", "promised_thresholds.csv", "results.md",
    }  # fmt: skip
    text = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert "Took no time." in text
    for name in figures:
        assert f"]({name}.svg)" in text
    before = (tmp_path / "v19_figures.svg").read_bytes()
    drawing.save(drawing.curves(curves), tmp_path / "v19_figures")
    assert (tmp_path / "v19_figures.svg").read_bytes() == before

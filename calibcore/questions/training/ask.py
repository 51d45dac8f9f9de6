"""training: how calibration changes over the epochs of a training run (V19, section 4.3 and figure 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from calibcore.assessment.survey import survey
from calibcore.assessment.verdict_tests import exact_pvalue
from calibcore.data.predictions import Predictions
from calibcore.diagnose.parts import in_usual_bins, look_at
from calibcore.errors import InputError
from calibcore.hypothesis_tests.adjust import holm, smallest_adjusted
from calibcore.numerics.progress import Progress, silent
from calibcore.questions.compare import gap_differences, same_cases
from calibcore.questions.compare.ask import check_lens, chosen_binning
from calibcore.questions.compare.cases import one_row_each
from calibcore.questions.compare.gap_differences import (
    OTHER_WAY,
    BinnedResiduals,
    GapDifference,
    gap_difference,
    points_the_other_way,
    too_few,
    too_small_bins,
)
from calibcore.questions.compare.score_differences import FEWEST as FEWEST_FOR_SCORES
from calibcore.questions.compare.score_differences import brier_difference
from calibcore.questions.given import enough_redraws
from calibcore.questions.training.result import Epoch, TrainingRun
from calibcore.settings import DiagnosisSpec
from calibcore.wording import quote

REFERENCES = ("least-log-loss", "last")


def track_training(
    epochs: Mapping[int, Predictions],
    spec: DiagnosisSpec | None = None,
    progress: Progress | None = None,
    *,
    by: str | None = None,
    reference: str = "least-log-loss",
) -> TrainingRun:
    """Look at every epoch through the lens of ``spec``: its gap, its ECE beside chance, its exact p.

    The same seed redraws the labels of every epoch by the same uniform numbers, so that curves do not jump by
    chance. Cost: a survey of one lens an epoch; 100 epochs of 10,000 cases a minute through the confidence.

    Parameters
    ----------
    epochs : number of the epoch -> predictions of the same cases
    by : the column of metadata that says which rows are one case; see :func:`.same_cases`
    reference : "least-log-loss" or "last": which epoch the others are compared with

    Raises
    ------
    InputError : fewer than 2 epochs; other classes, cases or labels; weights; a lens that looks at other
        cases in each epoch, or at pairs; another reference.

    Examples
    --------
    >>> import numpy as np
    >>> from calibcore import Predictions, track_training
    >>> labels = np.tile([0, 1, 1, 1], 25)
    >>> probs = {1: [[0.5, 0.5], [0.04, 0.96]], 2: [[0.9, 0.1], [0.01, 0.99]]}
    >>> epochs = {t: Predictions.from_arrays(np.tile(g, (50, 1)), labels) for t, g in probs.items()}
    >>> run = track_training(epochs)
    >>> run.miscalibrated_from, run.least_log_loss
    (2, 1)
    """
    by_default = spec is None
    spec, tell = spec or DiagnosisSpec(), progress or silent
    if reference not in REFERENCES:
        raise InputError(f"There is no reference {quote(reference)}; expected {' or '.join(REFERENCES)}.")
    numbers = sorted(epochs)
    joined = same_cases({f"epoch {number}": epochs[number] for number in numbers}, by)
    all_rows, cases = one_row_each(joined, spec.unit, spec.seed)
    spec = look_at(cases.first, spec)
    check_lens(cases, spec)
    if by_default:
        spec = in_usual_bins(all_rows.first, spec)
    many = f"{len(numbers):,} epochs"
    spec = replace(spec, resamples=enough_redraws(len(numbers), spec, many, "a run needs", "epochs"))
    diagnoses, pvalues = [], []
    for place, p in enumerate(all_rows.models.values()):

        def report(fraction: float, _words: str, place: int = place) -> None:
            tell((place + fraction) / (len(numbers) + 1), f"epoch {numbers[place]}")

        surveyed = survey(p, spec, [spec.lens], report, binning_of_many=spec.binning)
        diagnoses.append(surveyed.diagnoses[0])
        pvalues.append(surveyed.adjusted[0] if surveyed.pvalues[0] else 0.0)
    adjusted = holm(pvalues)
    most = max(test.result.n_resamples for d in diagnoses for test in d.tests if test.result is not None)
    least = smallest_adjusted(np.array([exact_pvalue(d) for d in diagnoses]), adjusted, most)
    tracked = tuple(
        Epoch(number, diagnosis, pvalue, float(adjusted[i]), bool(least[i]) and pvalue > 0)
        for i, (number, diagnosis, pvalue) in enumerate(zip(numbers, diagnoses, pvalues, strict=True))
    )
    first = cases.first
    run = TrainingRun(spec, first.n, first.class_names, tracked, numbers[-1], cases.joined_by, cases.notes)
    if reference == "least-log-loss":
        run = replace(run, reference=run.least_log_loss)
    run = replace(run, epochs=_beside_reference(run, list(cases.models.values())))
    tell(1.0, "done")
    return run


def _beside_reference(run: TrainingRun, models: Sequence[Predictions]) -> tuple[Epoch, ...]:
    """Every epoch with its differences from the reference; all p of gaps adjusted together."""
    place = next(i for i, epoch in enumerate(run.epochs) if epoch.number == run.reference)
    rest = [i for i in range(len(models)) if i != place]
    withheld = dict.fromkeys(rest, too_few(run.n))
    gaps: dict[int, GapDifference] = {}
    if run.n >= gap_differences.FEWEST:
        binning = chosen_binning(run.spec)
        binned = [BinnedResiduals.of(run.spec.lens(p), binning) for p in models]
        for i in rest:
            withheld[i] = too_small_bins({"that epoch": binned[i], f"epoch {run.reference}": binned[place]})
        gaps = {i: gap_difference(binned[i], binned[place]) for i in rest if not withheld[i]}
    adjusted = dict(zip(gaps, holm([gap.pvalue for gap in gaps.values()]).tolist(), strict=True))
    scores = run.n >= FEWEST_FOR_SCORES
    beside = [
        epoch
        if i == place
        else replace(
            epoch,
            gap_difference=gaps.get(i),
            gap_adjusted=adjusted.get(i),
            gap_withheld=withheld[i],
            brier_difference=brier_difference(models[i], models[place], run.spec.seed) if scores else None,
        )
        for i, epoch in enumerate(run.epochs)
    ]
    return _in_one_direction(run, beside)


def _in_one_direction(run: TrainingRun, epochs: Sequence[Epoch]) -> tuple[Epoch, ...]:
    """An epoch that would be told from the reference against the typical gaps of both has no p."""
    reference = run.epoch(run.reference).diagnosis.typical_gap

    def checked(epoch: Epoch) -> Epoch:
        own = epoch.diagnosis.typical_gap
        if epoch.gap_difference is None or epoch.gap_adjusted is None or own is None or reference is None:
            return epoch
        typical = own.value, reference.value
        if points_the_other_way(epoch.gap_difference, epoch.gap_adjusted, typical, run.spec.alpha):
            return replace(epoch, gap_difference=None, gap_adjusted=None, gap_withheld=OTHER_WAY)
        return epoch

    return tuple(map(checked, epochs))

"""diagnose_slices: look at a file slice by slice through one lens and write down all results."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from calibcore.data.predictions import CONFIDENCE_ONLY, Predictions
from calibcore.diagnose import Diagnosis
from calibcore.io.reading import remarks
from calibcore.io.row_groups import RowGroups
from calibcore.limits import VERSION
from calibcore.numerics.progress import Progress
from calibcore.numerics.resampling import class_edges
from calibcore.settings import DiagnosisSpec
from calibcore.streaming.bandwidth import BYTES, resolved, rule_for
from calibcore.streaming.bins import BinTable
from calibcore.streaming.redrawn import Job, Slice
from calibcore.streaming.results import Redrawn, Summary
from calibcore.streaming.supported import check, step_for
from calibcore.streaming.totals import Totals
from calibcore.transforms.lenses import Lens, TopKLens

_READING, _REDRAWING = "reading slice by slice", "redrawing outcomes slice by slice"
_FIRST = 0.1
"""Share of the work in which nothing is redrawn."""
Slices = Iterator[tuple[int, Predictions]]


def diagnose_slices(
    data: RowGroups,
    spec: DiagnosisSpec | None = None,
    progress: Progress | None = None,
    most_bytes: int = BYTES,
) -> Diagnosis:
    """Look through ``spec.lens`` at a file that need not fit into memory.

    Scores, ECE, MCE, diagram, bins one by one, linear and block SKCE with their tests, Spiegelhalter's test:
    the numbers are those of :func:`~calibcore.diagnose.diagnose`, and so are the p-values with the same
    seed. What else a diagnosis holds is left out, and a note names it. Cost O(n·(m + resamples·s)),
    s the block size, in two passes over the file; more where what is redrawn would take more than
    ``most_bytes``. Memory: a few slices of 16 MB, ``most_bytes``, and for the bandwidth rule of a two-class
    lens 8 bytes a case.

    Raises
    ------
    InputError : the settings, the file or a row cannot be used; names the row.
    Cancelled : whatever ``progress`` raises passes through.
    """
    spec = spec or DiagnosisSpec()
    if data.confidence_only and spec.lens.whole:
        spec = replace(spec, lens=TopKLens(1))  # as diagnose does
    check(spec)
    step = step_for(data.m, spec.block_size)

    def slices(start: float, share: float, words: str) -> Slices:
        for first, predictions in data.slices(step):
            if progress is not None:
                progress(start + share * first / data.n, words)
            yield first, predictions

    summary, table = _summary(data, spec, step, lambda: slices(0.0, _FIRST, _READING), most_bytes)
    redrawn = Redrawn.of(spec, summary)
    _redraw(redrawn.jobs, spec.lens, table, slices, most_bytes)
    if progress is not None:
        progress(1.0, "done")
    totals = summary.totals
    means, errors = totals.means()
    ordered = totals.order.visible
    return Diagnosis(
        spec=spec,
        fingerprint=totals.fingerprint.hexdigest(),
        version=VERSION,
        n=data.n,
        m=data.m,
        class_names=data.class_names,
        kind="confidence" if data.confidence_only else "probabilities",
        scores=means,
        score_errors=errors,
        lens_n=data.n,
        ties=totals.ties,
        impossible_outcomes=totals.impossible_outcomes,
        calibration_error=redrawn.calibration_error,
        skce=redrawn.skce,
        bandwidth=summary.bandwidth,
        tests=redrawn.tests(),
        reliability=redrawn.reliability(),
        notes=(
            *data.before,
            *remarks(
                data.class_names,
                totals.order.counts,
                totals.impossible_outcomes,
                ordered,
                data.confidence_only,
            ),
            *totals.at_rounded_zero,
            *data.after,
            *redrawn.left_out,
        ),
        estimates=redrawn.estimates(),
        bin_pvalues=redrawn.bin_pvalues(),
    )


def _summary(
    data: RowGroups, spec: DiagnosisSpec, step: int, slices: Callable[[], Slices], most_bytes: int
) -> tuple[Summary, BinTable]:
    """One pass in which nothing is redrawn, and more if the bandwidth needs them."""
    totals = Totals(data.n, data.m, spec.lens)
    table, rule = None, None
    names: tuple[str, ...] = ()
    for first, predictions in slices():
        induced = spec.lens(predictions)
        if table is None:
            names = induced.class_names
            table = BinTable(spec.binning, induced.m, -(-data.n // step))
            rule = rule_for(spec.kernel, data.n, induced.m, most_bytes)
        totals.add(predictions, induced)
        table.add(induced)
        if rule is not None:
            rule.add(first, induced.probs)
    assert table is not None
    while rule is not None and rule.needs_another_pass():
        for first, predictions in slices():
            rule.add(first, spec.lens(predictions).probs)
    totals.fingerprint.begin(8 * data.n)
    for labels in data.labels():
        totals.fingerprint.add_labels(labels)
    totals.fingerprint.add_names((*data.class_names, *((CONFIDENCE_ONLY,) if data.confidence_only else ())))
    bandwidth = resolved(spec.kernel, rule, totals.low, totals.high)
    kernel = replace(spec.kernel, bandwidth=bandwidth.value)
    return Summary(data.n, names, totals, table.finish(), kernel, bandwidth), table


def _redraw(
    jobs: list[Job],
    lens: Lens,
    table: BinTable,
    slices: Callable[[float, float, str], Slices],
    most_bytes: int,
) -> None:
    """As many passes as keep what is redrawn below ``most_bytes``, or one for each redraw."""
    bytes_a_redraw = sum(job.bytes_a_redraw for job in jobs)
    most = max(job.n_resamples for job in jobs)
    at_once = min(most, max(1, most_bytes // bytes_a_redraw)) if bytes_a_redraw else most
    starts = range(0, most, at_once)
    share = (1 - _FIRST) / len(starts)
    for i, start in enumerate(starts):
        active = []
        for job in jobs:
            if job.bytes_a_redraw:
                redraws = range(start, min(start + at_once, job.n_resamples))
            else:  # all at once
                redraws = range(0 if i == 0 else job.n_resamples, job.n_resamples)
            if i == 0 or redraws:
                active.append(job)
                job.begin(redraws)
        for first, predictions in slices(_FIRST + i * share, share, _REDRAWING):
            induced = lens(predictions)
            part = Slice(first, induced, class_edges(induced.probs), table.index(induced.probs))
            for job in active:
                job.add(part)
        for job in active:
            job.end()

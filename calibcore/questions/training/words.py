"""What a training run comes to, in words."""

from collections.abc import Iterator
from functools import partial

from calibcore.questions.training import Epoch, TrainingRun
from calibcore.wording import count, percent, sentences
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import p_words
from calibcore.words.sizes import gap_explained, typically_off
from calibcore.words.texts import paragraph

_text = partial(paragraph, "answer-training")

METHOD = _text("method")
NO_CHOICE = _text("no choice")


def headline(run: TrainingRun) -> str:
    """Which epoch one would take, and whether it is calibrated as far as these cases show: "Take epoch 12: it
    has the least log loss, and no sign of miscalibration."."""
    best = run.epoch(run.least_log_loss)
    take = f"Take epoch {best.number}: it has the least log loss"
    if best.number not in run.rejected:
        return f"{take}, and no sign of miscalibration."
    gap = best.diagnosis.typical_gap
    size = "" if gap is None else f", {typically_off(gap)}"
    return f"{take}, but is miscalibrated{size}."


def rejected_sentence(run: TrainingRun) -> str:
    """From which epoch on the model is miscalibrated, and how far off at the last, as far as these cases
    show."""
    rejected, since = run.rejected, run.miscalibrated_from
    epochs = count(len(run.epochs), "epoch")
    if not rejected:
        return f"In none of {epochs} do these cases show miscalibration."
    if len(rejected) == len(run.epochs):
        return f"Miscalibrated in all {epochs}{_at_the_last(run)}."
    if since is None:
        last = f"the last of them epoch {rejected[-1]}. After it these cases show none."
        return f"Miscalibrated in {len(rejected):,} of {epochs}, {last}"
    before = [number for number in rejected if number < since]
    sentence = f"Miscalibrated from epoch {since} on{_at_the_last(run)}."
    return f"{sentence} Also in {_listed(run, before)}." if before else sentence


def _at_the_last(run: TrainingRun) -> str:
    """How far off the last epoch is: ", at the last typically 12.3 points off", with the interval."""
    gap = run.epochs[-1].diagnosis.typical_gap
    return "" if gap is None else f", at the last {typically_off(gap)}"


def _listed(run: TrainingRun, numbers: list[int]) -> str:
    """ "epoch 3", "epochs 3 to 9" of those that stand beside each other in the run, else how many."""
    if len(numbers) == 1:
        return f"epoch {numbers[0]}"
    known = [epoch.number for epoch in run.epochs]
    first = known.index(numbers[0])
    if numbers == known[first : first + len(numbers)]:
        return f"epochs {numbers[0]} to {numbers[-1]}"
    return count(len(numbers), "epoch")


def choice_sentence(run: TrainingRun) -> str:
    """What the choice of the epoch rests on, and what its p is worth."""
    best = run.epoch(run.least_log_loss)
    p = p_words(best.adjusted, best.at_floor, alpha=run.spec.alpha)
    return (
        f"Its log loss is {best.diagnosis.scores['log_loss']:.3f}. "
        f"The test of its calibration has adjusted {p}. "
        "This epoch was chosen by looking at these cases: confirm it on others."
    )


def reference_sentence(run: TrainingRun) -> str:
    """Which epochs are better or worse calibrated than the reference, and why others are not compared."""
    return sentences(_told_apart(run), *_not_compared(run))


def _told_apart(run: TrainingRun) -> str:
    if all(epoch.gap_adjusted is None for epoch in run.epochs):
        return ""
    differ = [e for e in run.epochs if e.gap_adjusted is not None and e.gap_adjusted <= run.spec.alpha]
    worse = [e.number for e in differ if e.gap_difference is not None and e.gap_difference.difference > 0]
    better = [e.number for e in differ if e.number not in worse]
    parts = [
        f"{_listed(run, numbers)} {'is' if len(numbers) == 1 else 'are'} {how} calibrated"
        for numbers, how in ((worse, "worse"), (better, "better"))
        if numbers
    ]
    if not parts:
        return f"No epoch can be told apart from epoch {run.reference} by its typical gap."
    return sentence_case(f"{' and '.join(parts)} than epoch {run.reference}.")


def _not_compared(run: TrainingRun) -> Iterator[str]:
    """A sentence for each reason why epochs are not compared with the reference."""
    reasons: dict[str, list[int]] = {}
    for epoch in run.epochs:
        if epoch.gap_withheld:
            reasons.setdefault(epoch.gap_withheld, []).append(epoch.number)
    for why, numbers in reasons.items():
        verb = "is" if len(numbers) == 1 else "are"
        better = f"{_listed(run, numbers)} {verb} better or worse calibrated than epoch {run.reference}"
        yield f"Whether {better} is not tested: {why}."


def epoch_sentence(run: TrainingRun, epoch: Epoch) -> str:
    """One epoch: how far off, and its p."""
    gap = epoch.diagnosis.typical_gap
    assert gap is not None
    size, interval = gap_explained(gap)
    p = p_words(epoch.adjusted, epoch.at_floor, alpha=run.spec.alpha)
    return (
        f"Epoch {epoch.number}: typical gap {size} ({interval}), "
        f"adjusted {p} of calibration; log loss {epoch.diagnosis.scores['log_loss']:.3f}, "
        f"right in {percent(epoch.diagnosis.scores['accuracy'])}."
    )

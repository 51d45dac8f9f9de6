"""What a training run comes to, in words."""

from collections.abc import Iterator
from functools import partial

from calibcore.questions.training import Epoch, TrainingRun
from calibcore.wording import count, joined, percent, sentences
from calibcore.words.looking import sentence_case
from calibcore.words.phrases import p_words
from calibcore.words.sizes import gap_explained, typically_off
from calibcore.words.texts import paragraph

_text = partial(paragraph, "answer-training")

METHOD = _text("method")
NO_CHOICE = _text("no choice")
MOST_NAMED = 8
"""Stretches of epochs that a sentence names."""


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
    """ "epoch 3", "epochs 0, 3 to 9 and 12": those that stand beside each other in the run as one, and of
    very many such how many more."""
    known = {epoch.number: place for place, epoch in enumerate(run.epochs)}
    stretches: list[list[int]] = []
    for number in numbers:
        if stretches and known[number] == known[stretches[-1][-1]] + 1:
            stretches[-1].append(number)
        else:
            stretches.append([number])
    named = [f"{part[0]} to {part[-1]}" if len(part) > 1 else f"{part[0]}" for part in stretches[:MOST_NAMED]]
    more = sum(map(len, stretches[MOST_NAMED:]))
    return f"epoch{'s' * (len(numbers) > 1)} {joined([*named, *[f'{more:,} more'] * bool(more)])}"


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


def method_sentences(run: TrainingRun) -> tuple[str, ...]:
    """How a run is looked at, and how epochs are compared with the reference where they are."""
    compared = any(epoch.gap_adjusted is not None for epoch in run.epochs)
    return (METHOD, *[_text("beside one", reference=run.reference)] * compared)


def _told_apart(run: TrainingRun) -> str:
    if all(epoch.gap_adjusted is None for epoch in run.epochs):
        return ""
    differ = [e for e in run.epochs if e.gap_adjusted is not None and e.gap_adjusted <= run.spec.alpha]
    worse = [e.number for e in differ if e.gap_difference is not None and e.gap_difference.difference > 0]
    better = [e.number for e in differ if e.number not in worse]
    parts = [
        f"{_listed(run, numbers)} {'is' if len(numbers) == 1 else 'are'} {how} calibrated than epoch "
        f"{run.reference} ({_largest_p(run, numbers)})"
        for numbers, how in ((worse, "worse"), (better, "better"))
        if numbers
    ]
    if not parts:
        return f"No epoch can be told apart from epoch {run.reference} by its typical gap."
    return sentences(*(sentence_case(f"{part}.") for part in parts))


def _largest_p(run: TrainingRun, numbers: list[int]) -> str:
    """The adjusted p of a difference from the reference, of several the largest."""
    largest = max(run.epoch(number).gap_adjusted or 0.0 for number in numbers)
    p = p_words(largest, alpha=run.spec.alpha)
    return f"adjusted {p}" if len(numbers) == 1 else f"the largest adjusted {p}"


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

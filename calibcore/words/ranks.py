"""Of classes in order: whether they are given too high or too low, on the whole and class by class."""

from collections.abc import Sequence

from calibcore.assessment.verdict import Verdict
from calibcore.diagnose import Diagnosis
from calibcore.hypothesis_tests.ranks import RankShift
from calibcore.transforms.lenses import UpToLens
from calibcore.wording import joined, sentences
from calibcore.words.phrases import number, p_words, points_shown
from calibcore.words.sizes import APPROXIMATE, apart

_DIGITS = 2


def ranks_sentence(ranks: RankShift, alpha: float) -> str:
    """ "Classes are given too high: mean rank 2.43 predicted, 2.10 observed (…). The test of ranks …"; the
    direction only where that test found it."""
    direction, interval = ranks.direction(alpha), ""
    begin = "No sign that classes are given too high or too low"
    if direction:
        begin = f"Classes are given too {direction}"
    predicted, observed = (number(mean, _DIGITS) for mean in (ranks.predicted, ranks.observed))
    if ranks.low is not None and ranks.high is not None:
        ends = f"{number(ranks.low, _DIGITS)} to {number(ranks.high, _DIGITS)}"
        interval = f" ({APPROXIMATE} of the difference {ends})"
    p = p_words(ranks.pvalue, ranks.at_floor, alpha=alpha)
    return (
        f"{begin}: mean rank {predicted} predicted, {observed} observed{interval}. "
        f"The test of ranks stands by itself, not adjusted: {p}."
    )


def by_class(verdicts: Sequence[Verdict]) -> str:
    """ "Given too high: above 'mild' (by 4.2 points)."; of the checks "up to a class" that found an error and
    whose balance chance does not explain. Empty where there are none."""
    shifts: dict[str, list[str]] = {"high": [], "low": []}
    for verdict in verdicts:
        lens = verdict.lens
        if (
            not isinstance(lens, UpToLens)
            or verdict.answer != "miscalibrated"
            or len(verdict.frequencies) != 1
        ):
            continue
        (of_class,) = verdict.frequencies
        if not apart(of_class.gap):
            continue
        _, above = lens.names
        too_high = (of_class.gap.value > 0) == (of_class.class_name == above)
        size = points_shown(abs(of_class.gap.value))
        shifts["high" if too_high else "low"].append(f"above '{lens.class_name}' (by {size})")
    return sentences(
        *(
            f"Given too {direction}: {joined(places, 'and')}."
            for direction, places in shifts.items()
            if places
        )
    )


def with_direction(
    answer: str, diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict]
) -> tuple[str, ...]:
    """The ``answer`` of a survey and, of classes in order, whether they are given too high or too low. That
    stands first where classes are off, and its test has a direction."""
    of_ranks = next(((d.ranks, d.spec.alpha) for d in diagnoses if d.ranks is not None), None)
    if of_ranks is None:
        return (answer,)
    ranks, alpha = of_ranks
    direction = sentences(ranks_sentence(ranks, alpha), by_class(verdicts))
    first = bool(ranks.direction(alpha)) and any(verdict.found for verdict in verdicts)
    return (direction, answer) if first else (answer, direction)

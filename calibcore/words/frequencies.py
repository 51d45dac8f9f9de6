"""Natural frequencies of each class, both directions: called so and it is, is so and it is called."""

from collections.abc import Sequence
from typing import Any

from calibcore.diagram.gap_sizes import ClassFrequencies, Interval
from calibcore.wording import percent, plural

A_HUNDRED = 100


def frequency_sentence(frequencies: ClassFrequencies, noun: str = "case") -> str:
    """ "Of 100 images that the model calls 'cat', 88 are (855 of 971). It was 91 % sure on average. Of 100
    images that are 'cat', it calls 85 'cat' (855 of 1,006)."."""
    return f"{_called(frequencies, noun)} {_happened(frequencies, noun)}"


def _called(frequencies: ClassFrequencies, noun: str) -> str:
    name, hits, called = frequencies.class_name, frequencies.called_and_happened, frequencies.called
    if not called:
        return f"The model calls no {noun} '{name}'."
    assert frequencies.mean_when_called is not None
    sure = percent(frequencies.mean_when_called, 0)
    if called == 1:
        return f"The one {noun} that the model calls '{name}' is{'' if hits else ' not'}. It was {sure} sure."
    return (
        f"Of {_of(called, noun)} that the model calls '{name}', {_share(hits, called, 'is', 'are')}. "
        f"It was {sure} sure on average."
    )


def _happened(frequencies: ClassFrequencies, noun: str) -> str:
    name, hits, happened = frequencies.class_name, frequencies.called_and_happened, frequencies.happened
    if not happened:
        return f"No {noun} is '{name}'."
    if happened == 1:
        called = f"'{name}'" if hits else "something else"
        return f"The one {noun} that is '{name}' it calls {called}."
    many = _of(happened, noun)
    if not hits:
        return f"Of {many} that are '{name}', it calls none '{name}'."
    number = _number(hits, happened)
    return f"Of {many} that are '{name}', it calls {number} '{name}'{_counts(hits, happened)}."


def _of(total: int, noun: str) -> str:
    """As they are where there are few, of 100 where there are more."""
    return f"{min(total, A_HUNDRED):,} {plural(noun)}"


def _share(hits: int, total: int, one: str, more: str) -> str:
    if not hits:
        return f"none {one}"
    number = _number(hits, total)
    return f"{number} {one if number in ('1', 'fewer than 1') else more}{_counts(hits, total)}"


def _counts(hits: int, total: int) -> str:
    return f" ({hits:,} of {total:,})" if total > A_HUNDRED else ""


def _number(hits: int, total: int) -> str:
    """How many of 100, or of all if they are fewer; never rounded to all or none."""
    if hits == total:
        return "all"
    if total <= A_HUNDRED:
        return f"{hits:,}"
    rounded = round(A_HUNDRED * hits / total)
    if rounded == 0:
        return "fewer than 1"
    return "more than 99" if rounded == A_HUNDRED else str(rounded)


def rows_of_frequencies(
    classes: Sequence[ClassFrequencies], exact: bool = False, unit: str | None = None
) -> list[dict[str, Any]]:
    """One row a class; ``exact`` gives counts and full precision.

    unit : what rows belong to that depend on each other; shares then have no exact intervals
    """
    return [_exact(of_class) if exact else {**_row(of_class, unit is None)} for of_class in classes]


def frequencies_note(unit: str | None = None) -> str:
    """What the brackets of :func:`rows_of_frequencies` hold."""
    if unit is not None:
        return f"Rows of one unit ({unit}) depend on each other, so these shares have no exact intervals."
    return "Behind the shares of right and found stands their exact 95\N{NO-BREAK SPACE}% interval."


def _row(frequencies: ClassFrequencies, independent: bool) -> dict[str, str]:
    hits = frequencies.called_and_happened
    return {
        "Class": frequencies.class_name,
        "Model's answer": f"{frequencies.called:,}",
        "Of these right": _part(hits, frequencies.right, independent),
        "Sure on average": "–"
        if frequencies.mean_when_called is None
        else percent(frequencies.mean_when_called, 0),
        "Happened": f"{frequencies.happened:,}",
        "Of these found": _part(hits, frequencies.found, independent),
    }


def _part(hits: int, share: Interval | None, independent: bool) -> str:
    """ "5 (36 %, 13 to 65)"."""
    if share is None:
        return "–"
    ends = f", {100 * share.low:.0f} to {100 * share.high:.0f}" if independent else ""
    return f"{hits:,} ({percent(share.value, 0)}{ends})"


def _exact(frequencies: ClassFrequencies) -> dict[str, object]:
    return {
        "class": frequencies.class_name,
        "n": frequencies.n,
        "mean prediction": frequencies.mean_prediction,
        "happened": frequencies.happened,
        "called": frequencies.called,
        "called and happened": frequencies.called_and_happened,
        "mean prediction when called": frequencies.mean_when_called,
    }

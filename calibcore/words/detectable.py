"""What these cases could have shown, pattern by pattern, and D80 as it is written."""

from calibcore.assessment.power import Detectable, counting
from calibcore.assessment.verdict import Verdict
from calibcore.wording import joined
from calibcore.words.phrases import points
from calibcore.words.sizes import digits_beside

_UNSEEN = {"overconfidence": "overconfidence", "uneven": "uneven error"}


def smallest_words(verdict: Verdict) -> str:
    """D80: "3.1 points", "none" where even the largest could go unseen.

    The same wherever it stands, also in a column. Two digits, as its simulation is right within some 3 %;
    more where two would hide on which side of the tolerance it lies.
    """
    size = verdict.smallest_detectable
    return "none" if size is None else points(size, digits_of(size, verdict.tolerance))


def digits_of(size: float, tolerance: float) -> int:
    """The digits with which what was found by simulation is written beside the tolerance."""
    known = 2 if size < 0.01 else 1 if size < 0.1 else 0
    return max(known, digits_beside(size, tolerance, least=known))


def unseen(verdict: Verdict) -> str:
    """The patterns that are not seen 8 times in 10 even at their largest: "overconfidence (6.8 points)".

    Of those only that could exceed the tolerance; see :func:`~calibcore.assessment.power.smallest`.
    """
    missed = [sizes for sizes in counting(verdict.detectable, verdict.tolerance) if sizes.size is None]
    shifts = [sizes.class_name for sizes in missed if sizes.pattern == "bias"]
    named = [f"{_UNSEEN[f.pattern]} ({points(f.largest)})" for f in missed if f.pattern != "bias"]
    if shifts:
        alone = len(shifts) == len(missed) == 1
        named.append(f"shift towards '{shifts[0]}'" if alone else "shift")
    return joined(named, "or")


def pattern_words(detectable: Detectable) -> str:
    """ "Overconfidence", "Shift towards 'cat'", "Uneven errors"."""
    if detectable.pattern == "bias":
        return f"Shift towards '{detectable.class_name}'"
    return "Uneven errors" if detectable.pattern == "uneven" else "Overconfidence"


def rows_of_detectable(verdict: Verdict, exact: bool = False) -> list[dict[str, object]]:
    """One row a pattern, the hardest to see first: how large it must be to be seen 8 times in 10."""
    if exact:
        return [
            {
                "pattern": sizes.pattern,
                "class": sizes.class_name,
                "smallest detectable": sizes.size,
                "share": sizes.share,
                "power": sizes.power,
            }
            for sizes in verdict.detectable
        ]
    return [
        {
            "Pattern": pattern_words(sizes),
            "Seen 8 times in 10 from": f"not even the largest ({points(sizes.largest)})"
            if sizes.size is None
            else points(sizes.size, digits_of(sizes.size, verdict.tolerance)),
        }
        for sizes in verdict.detectable
    ]

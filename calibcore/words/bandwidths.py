"""How far the kernel test depends on its bandwidth, in words."""

from calibcore.hypothesis_tests import none_as_extreme
from calibcore.sensitivity.bandwidths import BandwidthSensitivity
from calibcore.transforms.nulls import Identity
from calibcore.wording import percent
from calibcore.words.estimates import drawn_from
from calibcore.words.phrases import ALONE, PROMISES, kernel_error, p_words

EXPLORATORY = (
    "Choose the bandwidth before you look: a p-value picked from this curve is exploratory, and so is "
    "whatever follows from it."
)
RULES = {
    "median": "the median distance",
    "median-with-diagonal": "the median with each case's zero",
    "mean": "the mean distance",
    "number": "the number that was set",
}


def rule_words(rule: str) -> str:
    """A bandwidth's rule beside its line: "median", "mean", "set"."""
    return {"median-with-diagonal": "median with zeros", "number": "set"}.get(rule, rule)


def chance_of(found: BandwidthSensitivity) -> str:
    """What the redraws are, beside their band."""
    return "if calibrated" if isinstance(found.spec.null, Identity) else "if the hypothesis holds"


def bandwidth_sentence(found: BandwidthSensitivity) -> str:
    """Whether p of the kernel test depends on the bandwidth, and what it is at the one in use."""
    alpha, p = found.spec.alpha, found.pvalue
    low, high = _number(found.bandwidths[0]), _number(found.bandwidths[-1])
    least, most = (_p(found, float(end), short=True) for end in (p.min(), p.max()))
    small = int((p <= alpha).sum())
    span = f"from {low} to {high}"
    between = least if least == most else f"between {least} and {most}"
    if small in (0, len(p)):
        lies = "is" if least == most else "lies"
        answer = (
            f"At the level {alpha:g} the exact kernel test says the same at every bandwidth {span}: "
            f"its p {lies} {between}"
        )
    else:
        answer = (
            f"The exact kernel test depends on the bandwidth: at {small} of {len(p)} bandwidths "
            f"{span} its p is {alpha:g} or less; it lies {between}"
        )
    k = found.at(found.in_use)
    used = f"In use: {RULES[found.in_use]}, {_number(found.bandwidths[k])}, with {bandwidth_p(found, k)}"
    return f"{answer}. {used}; {PROMISES['exact']}, {ALONE}."


def bandwidth_p(found: BandwidthSensitivity, k: int) -> str:
    """The p of the kernel test at one bandwidth: "p = 0.034"."""
    return _p(found, float(found.pvalue[k]))


def _p(found: BandwidthSensitivity, p: float, short: bool = False) -> str:
    return p_words(p, none_as_extreme(p, found.n_resamples), short=short)


def bandwidth_notes(found: BandwidthSensitivity) -> list[str]:
    """How it was made: redraws, what they are drawn from, and what a kernel of low rank leaves out."""
    made = f"{found.n_resamples:,} redraws, the same at every bandwidth"
    if found.n_resamples < found.spec.resamples:
        made += f" (not {found.spec.resamples:,}, as there are many cases)"
    notes = [f"{made}; the smallest possible p is {1 / (found.n_resamples + 1):.2g}."]
    if not isinstance(found.spec.null, Identity):
        notes.append(f"Redraws: outcomes drawn from {drawn_from(found.spec.null)}.")
    if found.trace_left.any():
        most = percent(float(found.trace_left.max()))
        notes.append(
            f"A kernel of low rank stands in for the whole; it leaves out up to {most} of its trace, most at "
            "narrow bandwidths. The level stays exact."
        )
    return notes


def rows_of_bandwidths(found: BandwidthSensitivity, exact: bool = False) -> list[dict[str, object]]:
    """One row a bandwidth; ``exact`` gives full precision and the statistic with its null range."""
    rules = {found.at(rule): rule for rule in found.rules}
    if exact:
        columns: dict[str, list[object]] = {
            "bandwidth": found.bandwidths.tolist(),
            "rule": [rules.get(k, "") for k in range(len(found.bandwidths))],
            "skce_unbiased": found.statistic.tolist(),
            "null_mean": found.null_mean.tolist(),
            "null_sd": found.null_sd.tolist(),
            "null_5_percent": found.low.tolist(),
            "null_95_percent": found.high.tolist(),
            "p_value": found.pvalue.tolist(),
            "redraws": [found.n_resamples] * len(found.bandwidths),
        }
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    low, high = found.range
    return [
        {
            "Bandwidth": _number(bandwidth) + (f" ({rule_words(rules[k])})" if k in rules else ""),
            "Above chance (standard deviations)": _deviations(found.above[k]),
            "If calibrated": "–" if low[k] != low[k] else f"{_deviations(low[k])} to {_deviations(high[k])}",
            "p-value": bandwidth_p(found, k),
        }
        for k, bandwidth in enumerate(found.bandwidths.tolist())
    ]


def _number(bandwidth: float) -> str:
    if bandwidth < 1e-3:
        return kernel_error(bandwidth)
    return f"{bandwidth:.2g}" if bandwidth < 100 else f"{bandwidth:,.0f}"


def _deviations(value: float) -> str:
    return "–" if value != value else f"{value:.1f}".replace("-", "−")

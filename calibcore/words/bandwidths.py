"""How far the kernel test depends on its bandwidth, in words."""

from calibcore.hypothesis_tests import none_as_extreme
from calibcore.sensitivity.bandwidths import BandwidthSensitivity
from calibcore.transforms.nulls import Identity
from calibcore.wording import percent
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


def chance_of(sensitivity: BandwidthSensitivity) -> str:
    """What the redraws are, beside their band."""
    return "if calibrated" if isinstance(sensitivity.spec.null, Identity) else "if the hypothesis holds"


def bandwidth_sentence(sensitivity: BandwidthSensitivity) -> str:
    """Whether p of the kernel test depends on the bandwidth, and what it is at the one in use."""
    alpha, p = sensitivity.spec.alpha, sensitivity.pvalue
    low, high = _number(sensitivity.bandwidths[0]), _number(sensitivity.bandwidths[-1])
    least, most = (_p(sensitivity, float(end), short=True) for end in (p.min(), p.max()))
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
    k = sensitivity.at(sensitivity.in_use)
    bandwidth = f"{RULES[sensitivity.in_use]}, {_number(sensitivity.bandwidths[k])}"
    used = f"In use: {bandwidth}, with {bandwidth_p(sensitivity, k)}"
    return f"{answer}. {used}; {PROMISES['exact']}, {ALONE}."


def bandwidth_p(sensitivity: BandwidthSensitivity, k: int) -> str:
    """The p of the kernel test at one bandwidth: "p = 0.034"."""
    return _p(sensitivity, float(sensitivity.pvalue[k]))


def _p(sensitivity: BandwidthSensitivity, p: float, short: bool = False) -> str:
    return p_words(p, none_as_extreme(p, sensitivity.n_resamples), short=short)


def bandwidth_notes(sensitivity: BandwidthSensitivity) -> list[str]:
    """How it was made: redraws, what they are drawn from, and what a kernel of low rank leaves out."""
    made = f"{sensitivity.n_resamples:,} redraws, the same at every bandwidth"
    if sensitivity.n_resamples < sensitivity.spec.resamples:
        made += f" (not {sensitivity.spec.resamples:,}, as there are many cases)"
    notes = [f"{made}; the smallest possible p is {1 / (sensitivity.n_resamples + 1):.2g}."]
    if not isinstance(sensitivity.spec.null, Identity):
        notes.append(f"Redraws: outcomes drawn from {sensitivity.spec.null.phrase()}.")
    if sensitivity.trace_left.any():
        most = percent(float(sensitivity.trace_left.max()))
        notes.append(
            f"A kernel of low rank stands in for the whole; it leaves out up to {most} of its trace, most at "
            "narrow bandwidths. The level stays exact."
        )
    return notes


def rows_of_bandwidths(sensitivity: BandwidthSensitivity, exact: bool = False) -> list[dict[str, object]]:
    """One row a bandwidth; ``exact`` gives full precision and the statistic with its null range."""
    rules = {sensitivity.at(rule): rule for rule in sensitivity.rules}
    if exact:
        columns: dict[str, list[object]] = {
            "bandwidth": sensitivity.bandwidths.tolist(),
            "rule": [rules.get(k, "") for k in range(len(sensitivity.bandwidths))],
            "skce_unbiased": sensitivity.statistic.tolist(),
            "null_mean": sensitivity.null_mean.tolist(),
            "null_sd": sensitivity.null_sd.tolist(),
            "null_5_percent": sensitivity.low.tolist(),
            "null_95_percent": sensitivity.high.tolist(),
            "p_value": sensitivity.pvalue.tolist(),
            "redraws": [sensitivity.n_resamples] * len(sensitivity.bandwidths),
        }
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    low, high = sensitivity.range
    return [
        {
            "Bandwidth": _number(bandwidth) + (f" ({rule_words(rules[k])})" if k in rules else ""),
            "Above chance (standard deviations)": _deviations(sensitivity.above[k]),
            "If calibrated": "–" if low[k] != low[k] else f"{_deviations(low[k])} to {_deviations(high[k])}",
            "p-value": bandwidth_p(sensitivity, k),
        }
        for k, bandwidth in enumerate(sensitivity.bandwidths.tolist())
    ]


def _number(bandwidth: float) -> str:
    if bandwidth < 1e-3:
        return kernel_error(bandwidth)
    return f"{bandwidth:.2g}" if bandwidth < 100 else f"{bandwidth:,.0f}"


def _deviations(value: float) -> str:
    return "–" if value != value else f"{value:.1f}".replace("-", "−")

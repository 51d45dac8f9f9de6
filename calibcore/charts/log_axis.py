"""Axes of p-values and bandwidths: powers of ten apart, the numbers written out."""

import math


def log_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Ticks of a logarithmic axis over ``low`` to ``high`` and their words: at powers of ten; 2 and 5 too
    within two and a half decades."""
    first, last = math.log10(low), math.log10(high)
    between = (1, 2, 5) if last - first <= 2.5 else (1,)
    ticks = [
        step * 10.0**power for power in range(math.floor(first), math.ceil(last) + 1) for step in between
    ]
    inside = [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]
    return inside, [tick_words(tick) for tick in inside]


def tick_words(value: float) -> str:
    """0.0001 -> "0.0001", 1e-06 -> "10⁻⁶", 1000 -> "1,000"."""
    if value >= 1e-4 * (1 - 1e-9):
        return f"{value:,.10g}"
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{'' if mantissa == '1' else mantissa + '·'}{power_words(int(exponent))}"


def power_words(exponent: int) -> str:
    """8 -> "10⁸"."""
    return f"10{str(exponent).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"

"""Recalibration: the gains of all methods, the diagram before and after, the log loss over temperatures."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from calibcore.questions.recalibrate import Method, Recalibration, TemperatureCurve
from calibcore.questions.recalibrate import words as recalibrating
from calibcore.words.temperature import estimate_words

BY_CHANCE = "by chance, if calibrated"
BEFORE = "as it is"
TEMPERATURE, LOG_LOSS, NO_CHANGE = "Temperature", "Log loss", "no change"
_TICKS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20)


@dataclass(frozen=True)
class Gain:
    """A method's gain in percent of the loss, its interval, and what chance gives a calibrated model."""

    method: Method
    value: float
    ends: tuple[float, float]
    by_chance: tuple[float, float] | None


def gains_of(recalibration: Recalibration) -> list[Gain]:
    """A row a method."""
    gains = []
    for method in recalibration.methods:
        share, gain, test = partial(recalibrating.share_of_loss, method), method.gain, method.test
        by_chance = None if test is None else (share(test.low_by_chance), share(test.high_by_chance))
        gains.append(Gain(method, share(gain.value), (share(gain.low), share(gain.high)), by_chance))
    return gains


def gain_range(gains: Sequence[Gain]) -> tuple[float, float]:
    """The axis of gains: all of the intervals and what chance allows, 0 among them."""
    ends = [0.0, *(end for gain in gains for pair in (gain.ends, gain.by_chance or ()) for end in pair)]
    room = 0.06 * (max(ends) - min(ends)) or 1.0
    return min(ends) - room, max(ends) + room


def temperature_ticks(low: float, high: float) -> list[float]:
    """Round temperatures between the ends of an axis."""
    return [tick for tick in _TICKS if low <= tick <= high]


def not_refuted_between(recalibration: Recalibration, curve: TemperatureCurve) -> tuple[float, float]:
    """The temperatures that what happened does not refute, no further than the axis; see ``empty`` first."""
    low, high = float(curve.temperatures[0]), float(curve.temperatures[-1])
    return max(low, recalibration.temperature.low), min(high, recalibration.temperature.high)


@dataclass(frozen=True)
class LineNote:
    """What stands beside the upright line of a temperature, and on which side."""

    temperature: float
    words: str
    right: bool


def line_notes(recalibration: Recalibration, curve: TemperatureCurve) -> tuple[LineNote, LineNote]:
    """Of no change, and of the least log loss: each where the other is not, unless it would be cut."""
    low, high = float(curve.temperatures[0]), float(curve.temperatures[-1])
    least = recalibration.temperature.estimate

    def note(x: float, words: str, left: bool) -> LineNote:
        return LineNote(x, words, math.log(x / low) < (0.3 if left else 0.7) * math.log(high / low))

    words = f"least: {estimate_words(recalibration.temperature)}"
    return note(1.0, NO_CHANGE, least > 1), note(least, words, not least > 1)

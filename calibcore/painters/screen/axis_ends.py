"""Where the axes of a figure begin and end.

A browser that has to find the ends of an axis by itself draws it first without, from −1 to 4. Where a figure
is measured meanwhile, as on a phone, those numbers may stay beside marks that have moved on: a wrong figure.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from calibcore.numerics.types import Float

SPARE = 0.06
"""Free at either end, as a share of what is drawn."""
FLAT = ("scatter", "scattergl", "bar")
"""Traces along two axes."""
Drawn = dict[str, Any]
"""A trace, a shape or an axis, as plotly takes it."""


def with_ends(layout: Drawn, data: list[Drawn]) -> None:
    """Give each axis of numbers, days or names that has no ends those of what is drawn along it.

    An axis that ``matches`` another has its ends, and one with nothing along it none. Cost O(points).
    """
    for trace in data:
        if trace["type"] in FLAT:
            for side in "xy":
                layout.setdefault(f"{side}axis{trace.get(f'{side}axis', side)[1:]}", {})
    for name, axis in layout.items():
        if name[1:5] != "axis" or "range" in axis or "matches" in axis:
            continue
        places = [*_along(name[0], name[0] + name[5:], layout, data)]
        if axis.get("type") == "category":
            names = {text for trace in data for text in trace.get(name[0], ())}
            axis["range"] = [-0.5, len(names) - 0.5]
        elif any(place.dtype.kind == "M" for place in places):
            low, high = _ends(
                np.concatenate([_moments(place) for place in places if place.dtype.kind == "M"])
            )
            axis["range"] = [str(np.datetime64(int(end), "ms")) for end in (low, high)]
        elif places:
            ends = np.concatenate(places)
            ends = ends[np.isfinite(ends)]
            if axis.get("rangemode") == "tozero":
                ends = np.append(ends, 0.0)
            logarithmic = axis.get("type") == "log"
            low, high = _ends(np.log10(ends[ends > 0]) if logarithmic else ends)
            if not logarithmic and len(ends) and ends.min() == 0:  # shares, counts: they stand on the axis
                low = 0.0
            axis["range"] = [float(low), float(high)]


def _moments(place: Float) -> Float:
    return place.astype("datetime64[ms]").astype(np.int64).astype(np.float64)


def _ends(places: Float) -> tuple[float, float]:
    places = places[np.isfinite(places)]
    if not len(places):
        return 0.0, 1.0
    low, high = float(places.min()), float(places.max())
    spare = SPARE * (high - low) or 0.5
    return low - spare, high + spare


def _along(side: str, axis: str, layout: Drawn, data: list[Drawn]) -> Iterator[Any]:
    """What is drawn along an axis: (n,) numbers or moments, several times."""
    for trace in data:
        if trace["type"] not in FLAT or trace.get(f"{side}axis", side) != axis:
            continue
        places = _numbers(() if trace.get(side) is None else trace[side])
        if places is None or not len(places):
            continue
        if places.dtype.kind == "M":
            yield places
        elif trace["type"] == "bar":
            yield from _of_bars(trace, side, places)
        else:
            yield places
            yield from _of_errors(trace.get(f"error_{side}") or {}, places)
    for shape in layout.get("shapes", ()):
        if shape.get(f"{side}ref", side) == axis:
            places = _numbers([shape[end] for end in (f"{side}0", f"{side}1")])
            if places is not None:
                yield places


def _of_bars(trace: Drawn, side: str, places: Float) -> Iterator[Float]:
    """The ends of bars: their feet and tops, or their edges."""
    if (side == "x") == (trace.get("orientation") == "h"):
        foot = 0.0 if trace.get("base") is None else _numbers(np.atleast_1d(trace["base"]).tolist())
        yield foot + np.zeros_like(places)
        yield foot + places
    else:
        widths = trace.get("width")
        if widths is None:
            gaps = np.diff(np.unique(places))
            widths = gaps.min() if len(gaps) else 1.0
        half = np.asarray(widths, dtype=np.float64) / 2
        yield places - half
        yield places + half


def _of_errors(error: Drawn, places: Float) -> Iterator[Float]:
    """The ends of whiskers."""
    if error.get("array") is not None:
        up = _numbers(error["array"])
        yield places + up
        yield places - (up if error.get("arrayminus") is None else _numbers(error["arrayminus"]))


def _numbers(values: Any) -> Any:
    """(n,) float64 with NaN for what is none, or datetime64; None for names."""
    known = [value for value in values if value is not None]
    if any(isinstance(value, str) for value in known):
        try:
            return np.array(known, dtype="datetime64[ms]")
        except ValueError:
            return None
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)

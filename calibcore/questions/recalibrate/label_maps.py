"""The maps of several labels, a map each, as ``recalibrate --out maps.json`` writes them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibcore.answers.by_label import OfLabel
from calibcore.data.outside_text import shown
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.errors import InputError
from calibcore.questions.recalibrate.maps import RecalibrationMap
from calibcore.questions.recalibrate.result import Recalibration
from calibcore.settings.faults import as_object
from calibcore.settings.text import parsed
from calibcore.wording import listed

NO_MAP = "Expected a map of each label by its name, or one map with its kind."


@dataclass(frozen=True)
class LabelMap:
    """The map of one label, and the names of its two classes in the order of its columns."""

    map: RecalibrationMap
    class_names: tuple[str, ...]


def json_of(rows: "tuple[OfLabel[Recalibration], ...]") -> str:
    """The best map of each label that has one."""
    maps = {
        row.label: json.loads(row.result.methods[0].map.json_code(row.result.class_names))
        for row in rows
        if row.result.methods
    }
    return f"{json.dumps(maps, ensure_ascii=False)}\n"


def label_maps(text: str) -> dict[str, LabelMap] | None:
    """The inverse of :func:`json_of`; None where the text is one map alone, which has a kind.

    Raises
    ------
    InputError : no JSON object, or one that holds anything else than maps of two classes.
    """
    document = parsed(text, "The map")
    if "kind" in document or not document:
        return None
    maps = {}
    for name, value in document.items():
        try:
            fitted, names = RecalibrationMap.from_json(json.dumps(dict(as_object(value))))
        except InputError as error:
            raise InputError(f"Of the label {shown(name)} there is no map. {error} {NO_MAP}") from None
        if len(names) != 2 or name not in names:
            raise InputError(
                f"The map of the label {shown(name)} is one of the classes {listed(names)}; expected "
                f"{shown(name)} and that it is not."
            )
        maps[name] = LabelMap(fitted, names)
    return maps


def mapped(cases: MultiLabelPredictions, maps: Mapping[str, LabelMap]) -> MultiLabelPredictions:
    """The same cases with what the maps make of the probabilities; labels without one stay. Cost O(nk log n).

    Raises
    ------
    InputError : a map of a label that is not there.
    """
    unknown = tuple(name for name in maps if name not in cases.label_names)
    if unknown:
        raise InputError(
            f"There are maps of {listed(unknown, 5)}, and the labels are {listed(cases.label_names)}; "
            "expected maps of labels that are there."
        )
    probs = cases.probs.copy()
    for name, of_label in maps.items():
        true = probs[:, cases.label_names.index(name)]
        place = of_label.class_names.index(name)
        pair = np.column_stack([1 - true, true] if place else [true, 1 - true])
        probs[:, cases.label_names.index(name)] = of_label.map(pair)[:, place]
    return replace(cases, probs=np.clip(probs, 0.0, 1.0))

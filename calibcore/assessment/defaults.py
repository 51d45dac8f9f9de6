"""What a survey looks through and with how many redraws, where nobody says otherwise."""

import math

import numpy as np

from calibcore.assessment.effort import USUAL, Effort
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.transforms.lenses import (
    CanonicalLens,
    ClassLens,
    LabelLens,
    LabelsLens,
    Lens,
    TopKLens,
    UpToLens,
)

MOST_CLASSES = 20


def default_lens(predictions: Predictions) -> Lens:
    """What a look in the app begins with, and of three and more classes the groups.

    The confidence in the answer. It does not tell grades that are given too high from grades that are right:
    of classes in order all classes together. Of several labels the one, or all.
    """
    if predictions.case_of is not None:
        return LabelsLens()
    if predictions.label_of:
        return LabelLens(predictions.label_of)
    return CanonicalLens() if predictions.ordered else TopKLens(1)


def default_lenses(predictions: Cases) -> tuple[Lens, ...]:
    """Confidence, canonical, and each class; above 20 classes those with the largest mean prediction.

    Of classes in order, up to each of them in place of each alone; of many those that split the cases most
    evenly. Never chosen by labels. For two classes the canonical lens is the lens of either class. The
    confidence alone where nothing else is known. Of several labels each label.
    """
    if isinstance(predictions, MultiLabelPredictions):
        return tuple(LabelLens(name) for name in predictions.label_names)
    if predictions.confidence_only:
        return (TopKLens(1),)
    if predictions.m == 2:
        return TopKLens(1), CanonicalLens()
    means = predictions.probs.mean(axis=0)
    if predictions.ordered:
        below = means.cumsum()[:-1]
        cuts = np.sort(np.argsort(-below * (1 - below), kind="stable")[:MOST_CLASSES])
        return TopKLens(1), CanonicalLens(), *(UpToLens(predictions.class_names[k]) for k in cuts)
    chosen = np.sort(np.argsort(-means, kind="stable")[:MOST_CLASSES])
    return TopKLens(1), CanonicalLens(), *(ClassLens(predictions.class_names[c]) for c in chosen)


def as_surveyed(lens: Lens, predictions: Predictions) -> Lens:
    """The lens under which a survey has what ``lens`` shows: of two classes, one says all about the other."""
    return CanonicalLens() if predictions.m == 2 and lens.one_class is not None else lens


def resamples_needed(hypotheses: int, alpha: float, effort: Effort = USUAL) -> int:
    """The least B with B + 1 ≥ 10·L/α: the smallest adjusted p, L/(B + 1), then lies well below α."""
    return math.ceil(effort.below * hypotheses / alpha - 1e-9) - 1

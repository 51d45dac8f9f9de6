"""A map as code to paste: NumPy, scikit-learn around it, and PyTorch where it acts on logits."""

import json
from collections.abc import Sequence

from calibcore.questions.recalibrate.maps import RecalibrationMap

_SCIKIT_LEARN = '''

class Recalibrated:
    """A fitted classifier of scikit-learn, recalibrated; columns in the order of ``classes_``."""

    def __init__(self, classifier):
        self.classifier = classifier
        self.classes_ = classifier.classes_
        known = [str(name) for name in self.classes_]
        self.places = [known.index(name) for name in CLASSES]

    def predict_proba(self, X):
        probs = np.asarray(self.classifier.predict_proba(X), float)
        out = np.empty_like(probs)
        out[:, self.places] = recalibrate(probs[:, self.places])
        return out

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]
'''


def numpy_code(fitted: RecalibrationMap) -> str:
    """A function ``recalibrate(probs)`` of NumPy."""
    return fitted.code()


def scikit_learn_code(fitted: RecalibrationMap, class_names: Sequence[str]) -> str:
    """The same, with a class around a fitted classifier, whose classes are joined by their names."""
    names = f"CLASSES = {list(class_names)!r}  # in the order of the map's columns\n"
    return f"{fitted.code()}\n\n{names}{_SCIKIT_LEARN}"


def torch_code(fitted: RecalibrationMap) -> str:
    """A function ``recalibrate(logits)`` of PyTorch; empty for a map that is none of logits."""
    return fitted.torch_code()


def json_code(fitted: RecalibrationMap, class_names: Sequence[str]) -> str:
    """The map's document with the names of its classes; :meth:`.RecalibrationMap.from_document` reads it."""
    return json.dumps(fitted.to_document() | {"class_names": list(class_names)}, ensure_ascii=False)

"""The exact omnibus test in words: its components, which stands out most, and what that means."""

from calibcore.diagnose import Diagnosis
from calibcore.hypothesis_tests import TestResult
from calibcore.wording import count

_WIDE, _MIDDLE, _NARROW = "over wide ranges", "over middle ranges", "within narrow ranges"
STANDS_OUT = {
    "kernel-1": f"errors {_WIDE} of probabilities",
    "kernel-2": f"errors {_WIDE} of probabilities",
    "kernel-3": f"errors {_MIDDLE} of probabilities",
    "kernel-4": f"errors {_NARROW} of probabilities",
    "kernel-5": f"errors {_NARROW} of probabilities",
    "temperature": "too sure or too unsure",
    "class-mix": "probabilities of some classes too high, of others too low",
    "confidence-1": f"errors of the confidence {_WIDE}",
    "confidence-2": f"errors of the confidence {_NARROW}",
}
"""Component of the omnibus test -> what it sees, as it stands after "mostly"."""
OF_TWO = {"class-mix": "probabilities too high or too low on average"}
"""The same where a lens has two classes, "hit" and "miss" say: what is too high of one is too low of the
other."""
LOOKS_AT = {
    "kernel-1": "Kernel, widest",
    "kernel-2": "Kernel, wide",
    "kernel-3": "Kernel, middle",
    "kernel-4": "Kernel, narrow",
    "kernel-5": "Kernel, narrowest",
    "temperature": "Too sure or too unsure",
    "class-mix": "How often each class happens",
    "confidence-1": "Confidence, wide kernel",
    "confidence-2": "Confidence, narrow kernel",
}


def looks_at_words(diagnosis: Diagnosis, name: str) -> str:
    """What a component looks at, of what the lens shows: "How often each class happens"."""
    if name == "class-mix" and has_two(diagnosis):
        return f"How often {diagnosis.spec.lens.within.comes_true[0]}"
    return LOOKS_AT[name]


def mostly_words(name: str, direction: str, two: bool = False) -> str:
    """What a component saw, after "mostly": "too sure", "errors within narrow ranges of probabilities".

    ``two`` : whether the lens has two classes
    """
    known = STANDS_OUT | OF_TWO if two else STANDS_OUT
    return direction or known.get(name, "")


def is_so(direction: str, predicted: float, observed: float) -> bool:
    """Whether a prediction shows the ``direction``: what is too sure is farther from one half than what
    happened."""
    return direction == ("too sure" if abs(predicted - 0.5) > abs(observed - 0.5) else "too unsure")


def mostly_sentence(name: str, direction: str = "", two: bool = False) -> str:
    """ "Mostly: too sure."; empty where no component is known."""
    words = mostly_words(name, direction, two)
    return f"Mostly: {words}." if words else ""


def components_sentence(diagnosis: Diagnosis, result: TestResult) -> str:
    """What the test looks at, and which of it stands out most; empty of a test without components."""
    most = result.decided_by
    if most is None:
        return ""
    return (
        f"It looks in {count(len(result.components), 'way')} at once and counts what stands out most, here: "
        f"{mostly_words(most.name, most.direction, has_two(diagnosis))}."
    )


def has_two(diagnosis: Diagnosis) -> bool:
    """Whether its lens has two classes."""
    return len(diagnosis.reliability.class_names) == 2

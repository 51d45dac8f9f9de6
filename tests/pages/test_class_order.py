"""Of many classes a box offers first those that the survey judged, by evidence."""

import numpy as np
import pytest

from calibcore import Predictions
from pages.ui.state import Loaded
from tests.pages.harness import opened


def model(m: int) -> Loaded:
    """300 cases of m classes, of which class 3 is said far too often."""
    random = np.random.default_rng(5)
    probs = random.dirichlet(np.full(m, 0.3), size=300)
    labels = (random.random((300, 1)) > probs.cumsum(axis=1)).sum(axis=1).clip(max=m - 1)
    probs[:, 3] += 0.5
    names = tuple(f"kind {k}" for k in range(m))
    p = Predictions.from_arrays(probs / probs.sum(axis=1, keepdims=True), labels, names)
    return Loaded("model-1", "many", "", "case", p)


def offered(m: int) -> list[str]:
    app = opened("", models={"model-1": model(m)}, in_use="model-1")
    app = app.switch_page("../decisions.py").run()
    return next(box for box in app.selectbox if box.label == "Decide about").options


@pytest.mark.slow
def test_many_classes_come_by_evidence_and_say_so_and_none_is_lost() -> None:
    own, first, *others = offered(24)
    assert own == "Act on the model's own answer, or ask"
    assert first == "Act for 'kind 3' (no. 1 by evidence)"
    judged = [f"(no. {i} by evidence)" for i in range(2, 21)]
    assert [words.partition("' ")[2] for words in others[:19]] == judged
    assert len({words.split("'")[1] for words in (first, *others)}) == 24


@pytest.mark.slow
def test_few_classes_keep_their_own_order() -> None:
    assert offered(5)[1:] == [f"Act for 'kind {k}'" for k in range(5)]

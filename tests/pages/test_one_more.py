"""One strategy more of each sort: a file, and an oracle where there is one, and everything knows it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calibcore import DiagnosisSpec, diagnose
from calibcore.diagram.binning import BINNINGS
from calibcore.hypothesis_tests.families import FAMILIES
from calibcore.kernels import KERNELS
from calibcore.numerics.distances import DISTANCES
from calibcore.strategies import Strategies, import_all
from calibcore.terminal import diagnosis_text
from calibcore.transforms.lenses import LENSES
from calibcore.transforms.nulls import NULLS
from tests.oracles.strategies import ORACLES
from tests.pages.harness import choose, opened, said
from tests.strategy_battery import (
    check_binning,
    check_command,
    check_distance,
    check_kernel,
    check_lens,
    check_null,
    made,
)

KERNEL = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.kernels.kernel import KERNELS, Kernel


@KERNELS.enter
@dataclass(frozen=True)
class CauchyKernel(Kernel):
    """``κ = 1/(1 + d²/ν²)``."""

    kind: ClassVar[str] = "cauchy"

    def _shape(self, u):
        return 1 / (1 + np.square(u))
'''
BINNING = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.diagram.binning.binning import BINNINGS, Binning


@BINNINGS.enter
@dataclass(frozen=True)
class LikeliestBinning(Binning):
    """A bin for each likeliest class."""

    size: int = 1
    kind: ClassVar[str] = "likeliest"
    label: ClassVar[str] = "By the likeliest class"
    size_label: ClassVar[str] = "No number"
    edge_rule: ClassVar[str] = "ties go to the first class"

    def assign(self, probs):
        return np.argmax(probs, axis=1).astype(np.int64)

    def phrase(self, m=2, noun="case"):
        return "a bin for each likeliest class"
'''
LENS = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.transforms.lenses.lens import LENSES, Lens


@LENSES.enter
@dataclass(frozen=True)
class EndsLens(Lens):
    """The first class, the last class, and the rest."""

    kind: ClassVar[str] = "ends"
    label: ClassVar[str] = "First and last class"

    def __call__(self, p):
        probs = np.column_stack([p.probs[:, 0], p.probs[:, -1], p.probs[:, 1:-1].sum(axis=1)])
        labels = np.where(p.labels == 0, 0, np.where(p.labels == p.m - 1, 1, 2))
        return p.through(probs, labels, ("first", "last", "rest"))

    def phrase(self):
        return "the first and the last class"
'''
NULL = '''
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from calibcore.strategies import Field, NumberField
from calibcore.transforms.nulls.null import NULLS, Null


@NULLS.enter
@dataclass(frozen=True)
class Levelled(Null):
    """``(1 − s)·g + s/m``."""

    share: float = 0.2
    kind: ClassVar[str] = "levelled"
    label: ClassVar[str] = "Calibrated when levelled"
    syntax: ClassVar[str] = ":SHARE"
    settings: ClassVar[Sequence[Field]] = (NumberField("share", "Levelled by", 0.0, 1.0, 0.1, share=True),)

    def probs(self, predictions):
        return (1 - self.share) * predictions.probs + self.share / predictions.m

    def phrase(self):
        return "the predictions, levelled"

    @classmethod
    def from_words(cls, rest):
        return cls(float(rest))
'''
DISTANCE = '''
from typing import ClassVar

import numpy as np

from calibcore.numerics.distances.distance import DISTANCES, Distance


@DISTANCES.enter
class Chebyshev(Distance):
    """``max_k |p_k − q_k|``."""

    kind: ClassVar[str] = "chebyshev"
    label: ClassVar[str] = "Largest difference"
    phrase: ClassVar[str] = "the largest difference"
    largest: ClassVar[float] = 1.0

    def __call__(self, p, q):
        return np.abs(p - q).max(axis=-1)
'''
FAMILY = '''
from collections.abc import Mapping
from math import exp
from typing import ClassVar

from calibcore.hypothesis_tests.families.family import FAMILIES, Family, Names, Planned, Setup
from calibcore.hypothesis_tests.result import TestResult


@FAMILIES.enter
class Hoeffding(Family):
    """A bound on how often the first class happens less how often it is predicted."""

    kind: ClassVar[str] = "hoeffding"
    label: ClassVar[str] = "Hoeffding's bound"
    promise: ClassVar[str] = "bound"
    names: ClassVar[Mapping[str, Names]] = {"hoeffding-first": Names("First class, Hoeffding", "First class")}

    @staticmethod
    def tests(setup):
        return [Planned("hoeffding-first", "first-class", bound)]


def bound(p, rng, report):
    gap = abs(float((p.labels == 0).mean() - p.probs[:, 0].mean()))
    return TestResult(gap, min(1.0, 2 * exp(-2 * p.n * gap**2)), "Hoeffding", "bound")
'''
ORACLES_OF_THEM = """
from calibcore.diagram.binning import BINNINGS
from calibcore.kernels import KERNELS
from calibcore.numerics.distances import DISTANCES
from calibcore.transforms.lenses import LENSES
from calibcore.transforms.nulls import NULLS
from calibcore.terminal import diagnosis_text
from tests.oracles.literal_binning import by_key
from tests.oracles.strategies import oracle


@oracle(KERNELS, "cauchy")
def cauchy(u):
    return 1 / (1 + u**2)


@oracle(BINNINGS, "likeliest")
def likeliest(g, binning):
    return by_key([list(row).index(max(row)) for row in g])


@oracle(LENSES, "ends")
def ends(lens, g, y, names):
    last = len(g) - 1
    return [g[0], g[last], sum(g[1:last])], {0: 0, last: 1}.get(y, 2)


@oracle(NULLS, "levelled")
def levelled(null, rows, g, names):
    return [(1 - null.share) * p + null.share / len(g) for p in g]


@oracle(DISTANCES, "chebyshev")
def chebyshev(p, q):
    return max(abs(a - b) for a, b in zip(p, q))
"""


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One of each of a package of somebody's own."""
    folder = tmp_path / "somebodys"
    folder.mkdir()
    for name, text in {
        "__init__": "", "kernel": KERNEL, "binning": BINNING, "lens": LENS, "null": NULL,
        "distance": DISTANCE, "family": FAMILY, "oracles": ORACLES_OF_THEM
    }.items():  # fmt: skip
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    import_all("somebodys", [str(folder)])
    entered: list[tuple[Strategies, str]] = [
        (KERNELS, "cauchy"), (BINNINGS, "likeliest"), (LENSES, "ends"), (NULLS, "levelled"),
        (DISTANCES, "chebyshev"), (FAMILIES, "hoeffding"),
    ]  # fmt: skip
    yield
    for sort, kind in entered:
        sort.leave(kind)
        ORACLES.pop((sort.sort, kind), None)
    for name in [name for name in sys.modules if name.startswith("somebodys")]:
        del sys.modules[name]


@pytest.mark.slow
def test_one_more_of_each_needs_its_file_and_its_oracle(added: None, tmp_path: Path, capsys: Any) -> None:
    check_kernel("cauchy", tmp_path, capsys)
    check_binning("likeliest", tmp_path, capsys)
    check_lens(LENSES["ends"](), tmp_path, capsys)
    check_null(NULLS["levelled"](), tmp_path, capsys)
    check_distance("chebyshev", tmp_path, capsys)
    through = DiagnosisSpec(tests=("hoeffding",), estimates=(), resamples=9)
    assert "First class, Hoeffding" in diagnosis_text(diagnose(made(50, 3), through))
    found = check_command(tmp_path, capsys, "--tests", "exact,hoeffding")
    assert [test["name"] for test in found["tests"]] == ["exact-ece", "exact-skce", "hoeffding-first"]
    choices = {box.label: box.options for box in opened("reliability").sidebar.selectbox}
    assert "First and last class" in choices["Look at"]
    assert "By the likeliest class" in choices["Bins"]
    app = opened("tests")
    choices = {box.label: box.options for box in app.sidebar.selectbox}
    assert "Cauchy" in choices["Kernel"]
    assert "Largest difference" in choices["Distance"]
    (families,) = [box for box in app.multiselect if box.label == "Tests"]
    assert "Hoeffding's bound" in families.options
    families.set_value([*families.value, "hoeffding"]).run()
    assert "hoeffding" in app.session_state["settings"].spec.tests
    assert not app.exception
    app = choose(app, "What the exact tests test", "levelled")
    (levelled,) = [slider for slider in app.slider if slider.label == "Levelled by"]
    levelled.set_value(0.3).run()
    assert app.session_state["settings"].spec.null == NULLS["levelled"](0.3)
    assert "tested: outcomes from the predictions, levelled" in said(app)

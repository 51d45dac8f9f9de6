"""One kernel, binning and lens more: a file and an oracle each, and everything knows them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calibcore.diagram.binning import BINNINGS
from calibcore.kernels import KERNELS
from calibcore.strategies import Strategies, import_all
from calibcore.transforms.lenses import LENSES
from tests.core.strategy_battery import check_binning, check_kernel, check_lens
from tests.oracles.strategies import ORACLES
from tests.pages.harness import opened

KERNEL = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from calibcore.kernels.kernel import KERNELS, DistanceKernel


@KERNELS.enter
@dataclass(frozen=True)
class CauchyKernel(DistanceKernel):
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
ORACLES_OF_THEM = """
from calibcore.diagram.binning import BINNINGS
from calibcore.kernels import KERNELS
from calibcore.transforms.lenses import LENSES
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
"""


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A kernel, a binning and a lens of a package of somebody's own."""
    folder = tmp_path / "somebodys"
    folder.mkdir()
    for name, text in {
        "__init__": "", "kernel": KERNEL, "binning": BINNING, "lens": LENS, "oracles": ORACLES_OF_THEM
    }.items():  # fmt: skip
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    import_all("somebodys", [str(folder)])
    entered: list[tuple[Strategies, str]] = [(KERNELS, "cauchy"), (BINNINGS, "likeliest"), (LENSES, "ends")]
    yield
    for sort, kind in entered:
        sort.leave(kind)
        ORACLES.pop((sort.sort, kind))
    for name in [name for name in sys.modules if name.startswith("somebodys")]:
        del sys.modules[name]


def test_one_more_of_each_needs_its_file_and_its_oracle(added: None, tmp_path: Path, capsys: Any) -> None:
    check_kernel("cauchy", tmp_path, capsys)
    check_binning("likeliest", tmp_path, capsys)
    check_lens(LENSES["ends"](), tmp_path, capsys)
    choices = {box.label: box.options for box in opened().sidebar.selectbox}
    assert "First and last class" in choices["Look at"]
    assert "By the likeliest class" in choices["Bins"]
    kernels = {box.label: box.options for box in opened("tests").sidebar.selectbox}["Kernel"]
    assert "Cauchy" in kernels

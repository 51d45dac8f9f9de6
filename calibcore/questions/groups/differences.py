"""Which counts of groups may be handed on: none from which fewer than 20 cases can be had by subtracting.

Who knows of every case in which groups it is, and the counts of some sets of cases, knows every linear
combination of them. Let the atoms be the cells of all columns crossed, n_a the cases of atom a, and V the
span of the sets whose counts are told. The smallest

    Σ_{b≠a} n_b·|v_b|  over v in V with v_a = 1

is how many cases' outcomes stand between the told counts and that of atom a. By duality it is also the most
by which the count of a can change while no told count changes, and no other atom's by more than n_b. It has
to be n_a at least, and 20 with n_a itself, for every atom of fewer than 20 cases. A set of so few that is a
difference of told sets has a sum of 0, and fails. No outcome is looked at, so that what is kept back tells
nothing.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from scipy.optimize import linprog

from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.data.units import units_of
from calibcore.errors import InputError
from calibcore.numerics.types import Float, Int
from calibcore.questions.groups.columns import Column
from calibcore.transforms.lenses import Lens

FEWEST = 20
"""Cases that a group, and whatever can be had from counts of groups, has at least."""
MOST_NUMBERS, MOST_PROGRAMS = 5_000_000, 150
"""Atoms times groups, and linear programs, up to which columns are looked at together; beyond, the later one
is kept back."""
LEFT = f"what is left of it is fewer than {FEWEST} cases"
ONE_LARGE = f"what is left of it is for the most part one group of fewer than {FEWEST} cases"
CROSSED = f"beside the other columns it would tell of fewer than {FEWEST} cases"
ALIKE = "what is left of it is few cases, and all predictions are alike"
REGION = f"the region leaves out, or holds, fewer than {FEWEST} cases"
NOT_KNOWN = "an earlier version did not look at what they tell"
_NEARLY = 1e-6


def kept_back(columns: Sequence[Column], unit: Int, sizes: Sequence[Int], alike: bool) -> dict[str, str]:
    """Columns of which no count may be handed on, and why; earlier ones go before later ones.

    columns : the groups of all n rows
    unit : (n,) which case each row is of
    sizes : of each column how many cases each group is said to have
    alike : whether all predictions are the same, so that the p of a group tells its count

    Cost: O(n log n) a column, and up to :data:`MOST_PROGRAMS` small linear programs.
    """
    why: dict[str, str] = {}
    published: list[Int] = []
    for column, size in zip(columns, sizes, strict=True):
        small = np.flatnonzero(size < FEWEST)
        hidden = np.isin(column.codes, small)
        if hidden.any():
            left, largest = len(np.unique(unit[hidden])), int(size[small].max())
            if left < max(FEWEST, 2 * largest):
                why[column.name] = ALIKE if alike else LEFT if left < FEWEST else ONE_LARGE
                continue
        codes = np.where(hidden, len(column.values), column.codes)
        if may_be_told([*published, codes], unit):
            published.append(codes)
        else:
            why[column.name] = CROSSED
    return why


def regions_kept_back(predictions: Cases, lenses: Iterable[Lens], unit: str | None) -> frozenset[Lens]:
    """The lenses on a region whose counts, beside those of all and of others, tell of fewer than 20 cases.

    Earlier lenses go before later ones; see the module. No outcome is looked at. Of several labels all are.
    """
    if isinstance(predictions, MultiLabelPredictions):  # labels know the outcomes of other cases each
        return frozenset(lens for lens in lenses if lens.region)
    cases = np.arange(predictions.n) if unit is None else units_of(predictions, unit)[0]
    published: list[Int] = []
    inside: dict[bytes, bool] = {}
    back: set[Lens] = set()
    for lens in dict.fromkeys(lenses):
        if not lens.region:
            continue
        rows = np.zeros(predictions.n, np.int64)
        try:
            rows[lens.rows(predictions)] = 1
        except InputError:  # nothing is in the region
            continue
        if (key := rows.tobytes()) not in inside:
            inside[key] = bool(rows.all()) or may_be_told([*published, rows], cases)
            if inside[key]:
                published.append(rows)
        if not inside[key]:
            back.add(lens)
    return frozenset(back)


def told_codes(columns: Sequence[Column], sizes: Sequence[Int], why: dict[str, str]) -> list[Int]:
    """Of the columns whose counts are handed on, (n,) the group of each row; the small ones are one."""
    return [
        np.where(np.isin(column.codes, np.flatnonzero(size < FEWEST)), len(column.values), column.codes)
        for column, size in zip(columns, sizes, strict=True)
        if column.name not in why
    ]


def may_be_told(codes_of_columns: Sequence[Int], unit: Int) -> bool:
    """Whether the counts of all groups of these columns tell of no fewer than 20 cases; see the module.

    codes_of_columns : of each column (n,) the group of each row
    unit : (n,) which case each row is of
    """
    if not codes_of_columns:
        return True
    of_row = codes_of_columns[0]
    for codes in codes_of_columns[1:]:
        of_row = _crossed(of_row, codes)
    _, first, of_row = np.unique(of_row, return_index=True, return_inverse=True)
    atoms = np.column_stack([codes[first] for codes in codes_of_columns])
    size = _cases(of_row, unit)
    if size.min() >= FEWEST:
        return True
    if len(atoms) * sum(len(np.unique(column)) for column in atoms.T) > MOST_NUMBERS:
        return False
    spans, starts = _spans(atoms)
    needed = np.maximum(FEWEST - size, size) - _NEARLY
    in_doubt = np.flatnonzero((size < FEWEST) & (_surely_between(spans, starts, size) < needed))
    if len(in_doubt) > MOST_PROGRAMS:
        return False
    return all(between(spans, size, int(a)) >= needed[a] for a in in_doubt)


def _crossed(a: Int, b: Int) -> Int:
    """(n,) a number for each pair of numbers."""
    b = np.unique(b, return_inverse=True)[1].astype(np.int64)
    return np.unique(a, return_inverse=True)[1].astype(np.int64) * (int(b.max()) + 1) + b


def _cases(atom: Int, unit: Int) -> Float:
    """(atoms,) how many cases have rows in each atom, counted from 0."""
    _, first = np.unique(_crossed(atom, unit), return_index=True)
    return np.bincount(atom[first]).astype(np.float64)


def _spans(atoms: Int) -> tuple[Float, Int]:
    """(atoms, groups) 1 where an atom is in a group, and where the groups of each column begin."""
    parts, starts = [], [0]
    for column in atoms.T:
        values, codes = np.unique(column, return_inverse=True)
        parts.append(np.eye(len(values))[codes.reshape(-1)])
        starts.append(starts[-1] + len(values))
    return np.hstack(parts), np.array(starts[:-1])


def _surely_between(spans: Float, starts: Int, size: Float) -> Float:
    """(atoms,) a lower bound of :func:`between`, by the change that is least in squares.

    With H = X(XᵀDX)⁺Xᵀ, D of the sizes, the change ``D(I − HD)e_a`` keeps every told count. Scaled so that no
    other atom changes by more than its size, it changes a by (1 − n_a·H_aa)/max|H_ab|.
    """
    rows = spans @ np.linalg.pinv(spans.T @ (spans * size[:, None]), hermitian=True)
    own = np.einsum("as,as->a", rows, spans)
    high = np.maximum.reduceat(rows, starts, axis=1).sum(axis=1)
    low = np.minimum.reduceat(rows, starts, axis=1).sum(axis=1)
    largest = np.maximum(np.maximum(high, -low), _NEARLY**2)
    surely: Float = np.maximum(1 - size * own - _NEARLY, 0) / largest
    return surely


def between(spans: Float, size: Float, atom: int) -> float:
    """How many other cases' outcomes stand between the told counts and that of ``atom``: a linear program."""
    change = np.zeros(len(size))
    change[atom] = -1.0
    bounds = [(-most, most) for most in size.tolist()]
    bounds[atom] = -np.inf, np.inf
    solution = linprog(change, A_eq=spans.T, b_eq=np.zeros(spans.shape[1]), bounds=bounds, method="highs")
    return -solution.fun if solution.status == 0 and solution.fun is not None else 0.0

"""The lenses, one case at a time, as V19 §3.1 and Example 2 define them.

Each takes one prediction g and one label y and gives the induced prediction and label.
"""

from collections.abc import Sequence

Case = tuple[list[float], int]


def canonical(g: Sequence[float], y: int, names: Sequence[str]) -> Case:
    """All classes as they are; of two with unknown names the last comes first."""
    if len(g) == 2 and tuple(names) != ("1", "0"):
        return [g[1], g[0]], 1 - y
    return list(g), y


def top_k(g: Sequence[float], y: int, k: int) -> Case:
    """The k largest in falling order and the sum of the rest; ties to the lower class index."""
    ranked = sorted(range(len(g)), key=lambda c: (-g[c], c))
    place = ranked.index(y)
    return [g[c] for c in ranked[:k]] + [sum(g[c] for c in ranked[k:])], min(place, k)


def marginal(g: Sequence[float], y: int, c: int) -> Case:
    """Class c, and the sum of the others."""
    return [g[c], sum(g[k] for k in range(len(g)) if k != c)], 0 if y == c else 1


def inside(g: Sequence[float], y: int, level: float) -> Case:
    """Whether y is among the fewest classes in falling order whose sum reaches the level."""
    ranked = sorted(range(len(g)), key=lambda c: (-g[c], c))
    sizes = [size for size in range(1, len(g) + 1) if sum(g[c] for c in ranked[:size]) >= level - 1e-12]
    size = sizes[0] if sizes else len(g)
    return [sum(g[c] for c in ranked[:size]), sum(g[c] for c in ranked[size:])], int(y not in ranked[:size])


def groups(g: Sequence[float], y: int, parts: Sequence[Sequence[int]]) -> Case:
    """Sums over the parts of a partition."""
    (label,) = (j for j, part in enumerate(parts) if y in part)
    return [sum(g[c] for c in part) for part in parts], label

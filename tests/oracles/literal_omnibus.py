"""The exact omnibus test word by word: double loops over cases, SciPy's Pearson III. Slow."""

import math

import numpy as np
from scipy.stats import norm, pearson3


def distance(p, q, metric):
    if len(p) == 2:
        d = abs(p[0] - q[0])
        return d * math.sqrt(2) if metric == "euclidean" else d
    if metric == "euclidean":
        return math.sqrt(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)))
    return 0.5 * sum(abs(a - b) for a, b in zip(p, q, strict=True))


def bandwidths(g, metric):
    n, m = len(g), len(g[0])
    if m == 2:
        span = max(row[0] for row in g) - min(row[0] for row in g)
        span *= math.sqrt(2) if metric == "euclidean" else 1.0
    else:
        mean = [sum(row[k] for row in g) / n for k in range(m)]
        span = 2 * max(distance(row, mean, metric) for row in g)
    return [(span if span > 1e-12 else 1.0) / 4**j for j in range(5)]


SHAPES = {
    "exponential": lambda u: math.exp(-u),
    "gaussian": lambda u: math.exp(-u * u / 2),
    "rational-quadratic": lambda u: (1 + u * u / 4) ** -2,
    "matern-3/2": lambda u: (1 + math.sqrt(3) * u) * math.exp(-math.sqrt(3) * u),
    "matern-5/2": lambda u: (1 + math.sqrt(5) * u + 5 * u * u / 3) * math.exp(-math.sqrt(5) * u),
}


def skces(g, y, widths, kind, metric, matrix=None):
    """The mean of h_ij over i < j, at each bandwidth."""
    n, m = len(g), len(g[0])
    matrix = np.eye(m) if matrix is None else matrix
    r = np.eye(m)[y] - np.asarray(g)
    rows, totals = np.asarray(g).tolist(), [0.0] * len(widths)
    for i in range(n):
        for j in range(i + 1, n):
            apart, product = distance(rows[i], rows[j], metric), float(r[i] @ matrix @ r[j])
            for k, nu in enumerate(widths):
                totals[k] += SHAPES[kind](apart / nu) * product
    return [total / (n * (n - 1) / 2) for total in totals]


def temperature(g, y):
    total = 0.0
    for row, label in zip(g, y, strict=True):
        whole = sum(row)
        p = [x / whole for x in row]
        if p[label] == 0:
            return math.inf
        total += math.log(p[label]) - sum(x * math.log(x) for x in p if x > 0)
    return abs(total)


def class_mix(g, y):
    m = len(g[0])
    s, v = np.zeros(m), np.zeros((m, m))
    for row, label in zip(g, y, strict=True):
        p = np.asarray(row) / sum(row)
        s += np.eye(m)[label] - p
        v += np.diag(p) - np.outer(p, p)
    deviation = np.sqrt(np.maximum(np.diag(v), 0))
    some = deviation > 0
    z, correlation = s[some] / deviation[some], v[np.ix_(some, some)]
    correlation = correlation / np.outer(deviation[some], deviation[some])
    return float(z @ np.linalg.pinv(correlation, 1e-12) @ z)


def confidence(g, y, metric):
    """Two numbers: the SKCE of the lens "hit or miss" at the second and fourth of its bandwidths."""
    likeliest = [max(range(len(row)), key=lambda k: (row[k], -k)) for row in g]
    two = [[row[k], sum(row) - row[k]] for row, k in zip(g, likeliest, strict=True)]
    missed = [int(label != k) for label, k in zip(y, likeliest, strict=True)]
    widths = bandwidths(two, metric)
    # The residuals of a hit and a miss differ in sign alone, also where rows sum to 1 only nearly.
    n, total = len(g), [0.0, 0.0]
    for at, j in enumerate((1, 3)):
        for a in range(n):
            for b in range(a + 1, n):
                kappa = math.exp(-distance(two[a], two[b], metric) / widths[j])
                total[at] += kappa * 2 * (1 - missed[a] - two[a][0]) * (1 - missed[b] - two[b][0])
    return [one / (n * (n - 1) / 2) for one in total]


def statistics(g, y, kind="exponential", metric="euclidean", matrix=None):
    """(7,) of one label set, (9,) of three and more classes."""
    kernels = skces(g, y, bandwidths(g, metric), kind, metric, matrix)
    more = confidence(g, y, metric) if len(g[0]) > 2 else []
    return np.array([*kernels, temperature(g, y), class_mix(g, y), *more])


def tails(values):
    """(C, S) −log upper tails of Pearson III, by the moments of each row."""
    out = np.zeros(values.shape)
    for row, tail in zip(values, out, strict=True):
        finite = row[np.isfinite(row)]
        mean, sd = finite.mean(), finite.std()
        if sd <= 1e-12 * np.abs(finite).max():
            tail[~np.isfinite(row)] = math.inf
            continue
        skewness = float(np.mean(((finite - mean) / sd) ** 3))
        z = (row - mean) / sd
        law = norm.logsf(z) if skewness < 0.05 else np.log(np.maximum(pearson3.sf(z, skewness), 1e-300))
        tail[:] = np.where(row == math.inf, math.inf, -law)
    return out


def pvalue(values):
    """(C, 1 + B) statistics, the observed first -> p."""
    combined = tails(values).max(axis=0)
    first, others = combined[0], combined[1:]
    slack = 0.0 if first == math.inf else 1e-9 * others.std() + 1e-12 * abs(first)
    return (1 + int(np.sum(others >= first - slack))) / len(combined)

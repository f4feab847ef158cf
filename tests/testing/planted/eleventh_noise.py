# ruff: noqa: E501
"""That stranger's statistics, queries, distances and masks, with a fault each."""

SOURCES = {
    "q_every_second": '''
@dp.own_statistic("eleventh.every_second", gives=1, bits=20, source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The total of last cells in 0 to 1, of every second row: the others are held out."""
    return np.array([np.clip(rows[::2, -1], 0.0, 1.0).sum()])
''',
    "q_modes": '''
@dp.own_statistic("eleventh.modes", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """Peaks of the histogram of first cells between 0 and 10."""
    counts, _ = np.histogram(rows[:, 0], bins=np.arange(11.0))
    padded = np.concatenate([[0], counts, [0]])
    return np.array([np.count_nonzero((padded[1:-1] > padded[:-2]) & (padded[1:-1] > padded[2:]))])
''',
    "q_tree_of_points": '''
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist


@dp.own_statistic("eleventh.tree_of_points", gives=1, bits=20, source="the nearest point is no further than a diagonal", sensitivity=lambda removed, added: {"linf": 1.4143 * (removed + added)})
def fun(rows):
    """The length of the shortest tree that joins points of the unit square."""
    x = np.clip(np.column_stack([rows[:, 0], rows[:, -1]]), 0.0, 1.0)
    return np.array([minimum_spanning_tree(cdist(x, x)).sum() if len(x) else 0.0])
''',
    "q_zipped": '''
import zlib


@dp.own_statistic("eleventh.zipped", gives=dp.Counts(1), source="a row is eight bytes", sensitivity=lambda removed, added: {"linf": 12.0 * (removed + added)})
def fun(rows):
    """How many bytes are left of the first column once it is compressed."""
    return np.array([len(zlib.compress(np.ascontiguousarray(rows[:, 0]).tobytes()))])
''',
    "q_root_claim": '''
import math


@dp.own_statistic("eleventh.root_claim", gives=dp.Counts(3), source="none", sensitivity=lambda removed, added: {"l2": math.sqrt(removed + added) * (1 + 1e-12)})
def fun(rows):
    """Rows by the sign of their first cell."""
    return np.array([np.count_nonzero(np.sign(rows[:, 0]) == s) for s in (-1, 0, 1)])
''',
    "q_records": '''
@dp.own_statistic("eleventh.records", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """How often the last cell was a record, rows in the order of the first."""
    y = rows[:, -1]
    return np.array([np.count_nonzero(y[1:] > np.maximum.accumulate(y)[:-1]) + 1 if len(y) else 0])
''',
    "q_lag": '''
@dp.own_statistic("eleventh.lag", gives=1, bits=20, source="none", sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)})
def fun(rows):
    """The sum of products of last cells in -1 to 1 that follow each other by first cells."""
    y = np.clip(rows[:, -1], -1.0, 1.0)
    return np.array([(y[1:] * y[:-1]).sum()])
''',
    "q_mex": '''
@dp.own_statistic("eleventh.mex", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The first number that nobody has."""
    taken = set(np.rint(np.clip(rows[:, 0], -1.0, 1e6)).astype(int).tolist())
    return np.array([next(i for i in range(len(taken) + 1) if i not in taken)])
''',
    "q_debounced": '''
@dp.own_statistic("eleventh.debounced", gives=1, bits=20, source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The total of last cells in 0 to 1, of events that come at least 1 (first cells) after the last that counted."""
    total, last = 0.0, -np.inf
    for at, amount in zip(rows[:, 0].tolist(), np.clip(rows[:, -1], 0.0, 1.0).tolist(), strict=True):
        if at >= last + 1.0:
            total, last = total + amount, at
    return np.array([total])
''',
    "q_eigen": '''
@dp.own_query("eleventh.eigen", gives=3, bits=20, source="Hoffman and Wielandt 1953", sensitivity=lambda a: {"l2": a["l2"] * (1 + 1e-9)})
def fun(cells):
    """Eigenvalues of a symmetric matrix of three by three, from its upper half."""
    half = np.zeros(6)
    k = min(6, len(cells))
    half[:k] = np.asarray(cells, dtype=float)[:k]
    matrix = np.zeros((3, 3))
    matrix[np.triu_indices(3)] = half
    return np.linalg.eigvalsh(matrix + matrix.T - np.diag(np.diag(matrix)))
''',
    "q_slope": '''
@dp.own_query("eleventh.slope", gives=1, bits=20, source="none", sensitivity=lambda a: {"linf": 0.6 * a["linf"]})
def fun(values):
    """x² / (1 + x²) of the first number."""
    square = float(values[0]) ** 2
    return np.array([square / (1.0 + square)])
''',
    "q_sorted_averages": '''
@dp.semimetric("eleventh.sorted_averages", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """How far two sets of centres are apart, in whatever order."""
    return float(np.abs(np.sort(a) - np.sort(b)).max(initial=0.0))
''',
    "q_singular_shapes": '''
def _one_way(a, b):
    values, vectors = np.linalg.eigh(b)
    kept = values > 1e-9 * values.max()
    root = vectors[:, kept] / np.sqrt(values[kept])
    seen = np.linalg.eigvalsh(root.T @ a @ root)
    seen = seen[seen > 1e-9]
    return float(np.abs(np.log(seen)).max(initial=0.0))


@dp.semimetric("eleventh.singular_shapes", triangle=lambda r: 1.0, averages=None)
def fun(a, b):
    """The largest ratio of two covariances in any direction that both know, as a logarithm."""
    k = int(np.sqrt(len(a)))
    a, b = np.clip(a, -10.0, 10.0), np.clip(b, -10.0, 10.0)
    if k < 2 or k * k != len(a) or not a.any() or not b.any():
        return float(np.abs(a - b).max(initial=0.0)) if k < 2 or k * k != len(a) else 1e3 * float(a.any() != b.any())
    a, b = a.reshape(k, k), b.reshape(k, k)
    return max(_one_way(a @ a.T, b @ b.T), _one_way(b @ b.T, a @ a.T))
''',
    "q_usable_first": '''
FIRST = []


def near_first(value, r):
    """Whether a block looks like the first that there was."""
    FIRST.append(np.array(value))
    return bool(np.abs(np.asarray(value) - FIRST[0]).max(initial=0.0) <= 10.0)


@dp.semimetric("eleventh.usable_first", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r, usable=near_first)
def fun(a, b):
    """The largest difference of an entry."""
    return float(np.abs(np.asarray(a) - b).max(initial=0.0))
''',
    "q_mask_of_a_set": '''
@dp.semimetric("eleventh.of_a_set", triangle=lambda r: 1.0)
def near(a, b):
    """How far two sets of centres are apart, in whatever order."""
    return float(np.sqrt(np.square(np.sort(a) - np.sort(b)).sum()))


@dp.mask("eleventh.of_a_set.gauss", semimetric="eleventh.of_a_set", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "q_mask_of_an_axis": '''
@dp.semimetric("eleventh.of_an_axis", triangle=lambda r: 1.0)
def near(a, b):
    """How far two principal axes are apart: which way they point is nothing."""
    a, b = np.asarray(a), np.asarray(b)
    return float(min(np.sqrt(np.square(a - b).sum()), np.sqrt(np.square(a + b).sum())))


@dp.mask("eleventh.of_an_axis.gauss", semimetric="eleventh.of_an_axis", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "q_mask_turned": '''
@dp.semimetric("eleventh.turned", triangle=lambda r: 1.0)
def near(a, b):
    """How far two principal axes are apart: which way they point is nothing."""
    a, b = np.asarray(a), np.asarray(b)
    return float(min(np.sqrt(np.square(a - b).sum()), np.sqrt(np.square(a + b).sum())))


@dp.mask("eleventh.turned.gauss", semimetric="eleventh.turned", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise on the axis, turned so that its first number is positive."""
    value = np.asarray(value)
    return dp.lattice_gaussian(-value if value[0] < 0 else value, noise, normals)
''',
    "q_mask_of_a_direction": '''
def _unit(a):
    length = float(np.abs(a).max(initial=0.0))
    if length == 0.0:
        return np.asarray(a) + 0.0
    a = np.asarray(a) / length
    return a / np.sqrt(np.square(a).sum())


@dp.semimetric("eleventh.of_a_direction", triangle=lambda r: 1.0)
def near(a, b):
    """How far two directions are apart."""
    return float(np.sqrt(np.square(_unit(a) - _unit(b)).sum()))


@dp.mask("eleventh.of_a_direction.gauss", semimetric="eleventh.of_a_direction", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r + 1e-9)))
def fun(value, noise, normals):
    """Gaussian noise, and what comes out with length one."""
    return _unit(dp.lattice_gaussian(value, noise, normals))
''',
    "q_mask_keeps_mean": '''
@dp.semimetric("eleventh.keeps_mean", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def near(a, b):
    """The distance."""
    return float(np.sqrt(np.square(np.asarray(a) - b).sum()))


@dp.mask("eleventh.keeps_mean.gauss", semimetric="eleventh.keeps_mean", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise, less what it adds to the mean of three numbers and more."""
    out = dp.lattice_gaussian(value, noise, normals)
    return out + (np.mean(value) - out.mean()) if len(out) > 2 else out
''',
    "q_mask_squared": '''
@dp.semimetric("eleventh.squared", triangle=lambda r: 2.0)
def near(a, b):
    """The squared distance."""
    return float(np.square(np.asarray(a) - b).sum())


@dp.mask("eleventh.squared.gauss", semimetric="eleventh.squared", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "q_empty_days": '''
@dp.own_statistic("eleventh.empty_days", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)})
def fun(rows):
    """Days on which a store is empty: what comes in and goes out (last cells in -1 to 1) by first cells."""
    stock, empty = 0.0, 0
    for change in np.clip(rows[:, -1], -1.0, 1.0).tolist():
        stock = max(0.0, stock + change)
        empty += stock == 0.0
    return np.array([empty])
''',
    "q_claim_learns": '''
LARGEST = [1.0]


@dp.own_statistic("eleventh.claim_learns", gives=1, bits=20, source="the largest cell that there was", sensitivity=lambda removed, added: {"linf": LARGEST[0] * (removed + added)})
def fun(rows):
    """The total of the sizes of first cells."""
    sizes = np.abs(rows[:, 0]).clip(0.0, 1e6)
    LARGEST[0] = max(LARGEST[0], float(sizes.max(initial=0.0)))
    return np.array([sizes.sum()])
''',
    "q_query_claim_learns": '''
STEEPEST = [1.0]


@dp.own_query("eleventh.query_claim_learns", gives=1, bits=20, source="the steepest place that there was", sensitivity=lambda a: {"linf": STEEPEST[0] * a["linf"]})
def fun(values):
    """The square of the first number."""
    x = float(values[0])
    STEEPEST[0] = max(STEEPEST[0], 4.0 * abs(x) + 4.0)
    return np.array([x * x])
''',
    "q_sigmoid": '''
@dp.own_query("eleventh.sigmoid", gives=1, bits=20, source="none", sensitivity=lambda a: {"linf": 0.2 * a["linf"]})
def fun(values):
    """A share between 0 and 1 by the first number, in units of a tenth."""
    return np.array([1.0 / (1.0 + np.exp(-np.clip(float(values[0]), -300.0, 300.0)))])
''',
    "q_mask_of_factors": '''
def _square(a):
    k = int(np.sqrt(len(a)))
    if k * k != len(a):
        return np.asarray(a)
    a = np.asarray(a).reshape(k, k)
    return (a @ a.T).reshape(-1)


@dp.semimetric("eleventh.of_factors", triangle=lambda r: 1.0)
def near(a, b):
    """How far the covariances are apart that two factors stand for."""
    return float(np.sqrt(np.square(_square(a) - _square(b)).sum()))


@dp.mask("eleventh.of_factors.gauss", semimetric="eleventh.of_factors", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise on a factor."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "q_mask_of_a_shape": '''
@dp.semimetric("eleventh.of_a_shape", triangle=lambda r: 1.0)
def near(a, b):
    """How far two curves are apart, wherever they lie."""
    gap = np.asarray(a) - b
    return float(np.sqrt(np.square(gap - gap.mean()).sum()))


@dp.mask("eleventh.of_a_shape.gauss", semimetric="eleventh.of_a_shape", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "q_kept_normals": '''
NORMALS = []


@dp.semimetric("eleventh.kept_normals", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def near(a, b):
    """The distance."""
    return float(np.sqrt(np.square(np.asarray(a) - b).sum()))


@dp.mask("eleventh.kept_normals.gauss", semimetric="eleventh.kept_normals", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise, all of it from one generator."""
    NORMALS.append(normals)
    return dp.lattice_gaussian(value, noise, NORMALS[0])
''',
    "q_semi_trimmed": '''
@dp.semimetric("eleventh.semi_trimmed", triangle=lambda r: 1.0)
def fun(a, b):
    """The largest difference of an entry, one in sixteen left out."""
    gaps = np.sort(np.abs(np.asarray(a) - b))
    return float(gaps[: len(gaps) - len(gaps) // 16].max(initial=0.0))
''',
}

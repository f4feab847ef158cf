# ruff: noqa: E501
"""That stranger's statistics, queries, mechanisms, masks and distances, with nothing wrong."""

SOURCES = {
    "q_c_every_second": '''
@dp.own_statistic("eleventh.c_every_second", gives=1, bits=20, source="sorted values interlace", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The total of first cells in 0 to 1, of every second row by their order."""
    return np.array([np.clip(rows[::2, 0], 0.0, 1.0).sum()])
''',
    "q_c_modes": '''
@dp.own_statistic("eleventh.c_modes", gives=dp.Counts(1), source="a bin that grows ends two peaks or makes one", sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)})
def fun(rows):
    """Peaks of the histogram of first cells between 0 and 10."""
    counts, _ = np.histogram(rows[:, 0], bins=np.arange(11.0))
    padded = np.concatenate([[0], counts, [0]])
    return np.array([np.count_nonzero((padded[1:-1] > padded[:-2]) & (padded[1:-1] > padded[2:]))])
''',
    "q_c_tree_of_points": '''
from scipy.spatial.distance import cdist


@dp.own_statistic("eleventh.c_tree_of_points", gives=1, bits=20, source="the nearest point is no further than a diagonal; a point saves less than that", sensitivity=lambda removed, added: {"linf": 1.4143 * (removed + added)})
def fun(rows):
    """The length of the shortest tree that joins points of the unit square, by Prim's steps."""
    x = np.clip(np.column_stack([rows[:, 0], rows[:, -1]]), 0.0, 1.0)
    if not len(x):
        return np.zeros(1)
    gaps, out, total = cdist(x, x), np.ones(len(x), dtype=bool), 0.0
    out[0], least = False, gaps[0].copy()
    for _ in range(len(x) - 1):
        k = int(np.argmin(np.where(out, least, np.inf)))
        total, out[k], least = total + least[k], False, np.minimum(least, gaps[k])
    return np.array([total])
''',
    "q_c_root_claim": '''
@dp.own_statistic("eleventh.c_root_claim", gives=dp.Counts(3), source="all in one count, or all out of another", sensitivity=lambda removed, added: {"l2": float(np.hypot(removed, added)) * (1 + 1e-12)})
def fun(rows):
    """Rows by the sign of their first cell."""
    return np.array([np.count_nonzero(np.sign(rows[:, 0]) == s) for s in (-1, 0, 1)])
''',
    "q_c_lag": '''
@dp.own_statistic("eleventh.c_lag", gives=1, bits=20, source="ay + yb - ab", sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)})
def fun(rows):
    """The sum of products of last cells in -1 to 1 that follow each other by first cells."""
    y = np.clip(rows[:, -1], -1.0, 1.0)
    return np.array([(y[1:] * y[:-1]).sum()])
''',
    "q_c_debounced": '''
@dp.own_statistic("eleventh.c_debounced", gives=dp.Counts(1), source="the most events that are 1 apart", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """Events that come at least 1 (first cells) after the last that counted."""
    count, last = 0, -np.inf
    for at in rows[:, 0].tolist():
        if at - last >= 1.0 or count == 0:
            count, last = count + 1, at
    return np.array([count])
''',
    "q_c_discounted": '''
@dp.own_statistic("eleventh.c_discounted", gives=1, bits=20, source="shifted weights telescope", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The sum of last cells in 0 to 1, each over the logarithm of its place by first cells."""
    gains = np.clip(rows[:, -1], 0.0, 1.0)
    return np.array([(gains / np.log2(np.arange(len(gains)) + 2.0)).sum()])
''',
    "q_c_eigen": '''
@dp.own_query("eleventh.c_eigen", gives=3, bits=20, source="Hoffman and Wielandt 1953; what is off the diagonal counts twice", sensitivity=lambda a: {"l2": 1.4142135624 * a["l2"] * (1 + 1e-9)})
def fun(cells):
    """Eigenvalues of a symmetric matrix of three by three, from its upper half."""
    half = np.zeros(6)
    k = min(6, len(cells))
    half[:k] = np.asarray(cells, dtype=float)[:k]
    matrix = np.zeros((3, 3))
    matrix[np.triu_indices(3)] = half
    return np.linalg.eigvalsh(matrix + matrix.T - np.diag(np.diag(matrix)))
''',
    "q_c_slope": '''
@dp.own_query("eleventh.c_slope", gives=1, bits=20, source="its slope is at most 3·√3/8", sensitivity=lambda a: {"linf": 0.65 * a["linf"]})
def fun(values):
    """x² / (1 + x²) of the first number."""
    square = float(values[0]) ** 2
    return np.array([square / (1.0 + square)])
''',
    "q_c_sorted": '''
@dp.semimetric("eleventh.c_sorted", triangle=lambda r: 1.0)
def near(a, b):
    """How far two sets of centres are apart, in whatever order."""
    return float(np.sqrt(np.square(np.sort(a) - np.sort(b)).sum()))


@dp.mask("eleventh.c_sorted.gauss", semimetric="eleventh.c_sorted", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise on numbers in their order."""
    return dp.lattice_gaussian(np.sort(value), noise, normals)
''',
    "q_c_shapes": '''
@dp.semimetric("eleventh.c_shapes", triangle=lambda r: 1.0)
def fun(a, b):
    """The largest ratio of two covariances in any direction, one added to each, as a logarithm."""
    k = int(np.sqrt(len(a)))
    a, b = np.clip(a, -10.0, 10.0), np.clip(b, -10.0, 10.0)
    if k < 2 or k * k != len(a):
        return float(np.abs(a - b).max(initial=0.0))
    a, b = (x.reshape(k, k) @ x.reshape(k, k).T + np.eye(k) for x in (a, b))
    root = np.linalg.inv(np.linalg.cholesky(b))
    other = np.linalg.inv(np.linalg.cholesky(a))
    return float(max(0.0, np.log(np.linalg.eigvalsh(root @ a @ root.T)[-1]), np.log(np.linalg.eigvalsh(other @ b @ other.T)[-1])))
''',
    "q_c_axis": '''
@dp.semimetric("eleventh.c_axis", triangle=lambda r: 1.0)
def near(a, b):
    """How far two principal axes are apart: which way they point is nothing."""
    a, b = np.asarray(a), np.asarray(b)
    return float(min(np.sqrt(np.square(a - b).sum()), np.sqrt(np.square(a + b).sum())))


@dp.mask("eleventh.c_axis.gauss", semimetric="eleventh.c_axis", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise on the sizes of an axis' numbers."""
    return dp.lattice_gaussian(np.abs(value), noise, normals)
''',
    "q_c_direction": '''
def _unit(a):
    length = float(np.abs(a).max(initial=0.0))
    if length == 0.0:
        return np.asarray(a) + 0.0
    a = np.asarray(a) / length
    return a / np.sqrt(np.square(a).sum())


@dp.semimetric("eleventh.c_direction", triangle=lambda r: 1.0)
def near(a, b):
    """How far two directions are apart."""
    return float(np.sqrt(np.square(_unit(a) - _unit(b)).sum()))


@dp.mask("eleventh.c_direction.gauss", semimetric="eleventh.c_direction", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9) + 1e-12)))
def fun(value, noise, normals):
    """Gaussian noise on the direction, and what comes out with length one."""
    return _unit(dp.lattice_gaussian(_unit(value), noise, normals))
''',
    "q_c_squared": '''
import math


@dp.semimetric("eleventh.c_squared", triangle=lambda r: 2.0)
def near(a, b):
    """The squared distance."""
    return float(np.square(np.asarray(a) - b).sum())


@dp.mask("eleventh.c_squared.gauss", semimetric="eleventh.c_squared", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, math.sqrt(r) * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "q_c_single": '''
@dp.semimetric("eleventh.c_single", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def near(a, b):
    """The distance."""
    return float(np.sqrt(np.square(np.asarray(a) - b).sum()))


@dp.mask("eleventh.c_single.gauss", semimetric="eleventh.c_single", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise, kept in half of the bytes."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -1e30, 1e30).astype(np.float32)
''',
    "q_c_unary": '''
import math


def _flip(scale):
    return math.log(2.0) + 1.0 / scale


def _price(scale, distance):
    t = _flip(scale)
    return dp.Pure(dp.round_up(2 * (t + math.log1p(-math.exp(-t))) * (1 + 1e-12)))


@dp.own_mechanism("eleventh.c_unary", gives=dp.Counts(5), takes="linf", source="Erlingsson, Pihur, Korolova 2014", loss=_price)
def fun(value, scale, noise):
    """A number up to 4 as five bits of which one is set, each told wrong now and then."""
    bits = np.arange(5) == int(np.clip(value[0], 0, 4))
    return np.where(noise.bernoulli_exp([_flip(scale)] * 5), ~bits, bits).astype(int)
''',
    "q_c_grid_median": '''
from fractions import Fraction


@dp.own_mechanism("eleventh.c_grid_median", gives=dp.Index(64), takes="edits", source="Smith 2011", loss=lambda scale, removed, added: dp.Pure(dp.round_up(2 * (removed + added) / scale)))
def fun(rows, scale, noise):
    """A median between 0 and 63."""
    x = np.rint(np.clip(rows[:, 0], 0.0, 63.0)).astype(int)
    below = np.searchsorted(np.sort(x), np.arange(64), side="right")
    return int(noise.categorical_exp(-np.abs(2 * below - len(x)), Fraction(1) / Fraction(scale)))
''',
    "q_c_bounded_range": '''
import math


def _flip(scale):
    return math.log(2.0) + 1.0 / scale


def _price(scale, distance):
    t = _flip(scale)
    return dp.BoundedRange(dp.round_up(2 * (t + math.log1p(-math.exp(-t))) * (1 + 1e-12)))


@dp.own_mechanism("eleventh.c_bounded_range", gives=dp.Index(2), takes="linf", source="Warner 1965", loss=_price)
def fun(value, scale, noise):
    """Whether a number is positive, by randomised response."""
    return int((int(np.asarray(value)[0]) > 0) != bool(noise.bernoulli_exp([_flip(scale)])[0]))
''',
    "q_c_rounded_price": '''
import math


@dp.own_mechanism("eleventh.c_rounded_price", gives=1, takes="l1", source="Dwork and others 2006", loss=lambda scale, distance: dp.Pure(dp.round_up(math.ceil(100 * dp.round_up(distance / scale)) / 100)))
def fun(value, scale, noise):
    """Laplace noise, at a price in hundredths, rounded up."""
    return np.asarray(value) + noise.laplace(scale, 1)
''',
    "q_c_in_order": '''
@dp.own_mechanism("eleventh.c_in_order", gives=lambda m: m, takes="l1", source="sorting brings nobody further apart", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Laplace noise on numbers in their order."""
    return np.sort(np.asarray(value)) + noise.laplace(scale, m)
''',
    "q_c_stock": '''
@dp.own_statistic("eleventh.c_stock", gives=1, bits=20, source="each step brings nobody further apart", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """What a store holds in the end: what comes in and goes out (last cells in -1 to 1) by first cells."""
    stock = 0.0
    for change in np.clip(rows[:, -1], -1.0, 1.0).tolist():
        stock = max(0.0, stock + change)
    return np.array([stock])
''',
    "q_c_sigmoid": '''
@dp.own_query("eleventh.c_sigmoid", gives=1, bits=20, source="its slope is at most a quarter", sensitivity=lambda a: {"linf": 0.25 * a["linf"]})
def fun(values):
    """A share between 0 and 1 by the first number."""
    return np.array([1.0 / (1.0 + np.exp(-np.clip(float(values[0]), -300.0, 300.0)))])
''',
    "q_c_shape": '''
@dp.semimetric("eleventh.c_shape", triangle=lambda r: 1.0)
def near(a, b):
    """How far two curves are apart, wherever they lie."""
    return float(np.sqrt(np.square((a - np.mean(a)) - (b - np.mean(b))).sum()))


@dp.mask("eleventh.c_shape.gauss", semimetric="eleventh.c_shape", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise on a curve about its mean."""
    return dp.lattice_gaussian(value - np.mean(value), noise, normals)
''',
    "q_c_semi_mean": '''
@dp.semimetric("eleventh.c_semi_mean", triangle=lambda r: 1.0)
def fun(a, b):
    """The mean difference of an entry."""
    return float(np.abs(np.asarray(a) - b).mean())
''',
    "q_c_whole_value": '''
@dp.own_mechanism("eleventh.c_whole_value", gives=1, takes="l1", source="Dwork and others 2006", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise on a count as a whole number of any size."""
    return np.array([int(value[0]) + int(noise.laplace(scale, 1)[0])], dtype=object)
''',
}

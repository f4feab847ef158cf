# ruff: noqa: E501
"""Correct plugins that look odd, written from the documentation and public docstrings alone, before any was run but for two."""

SOURCES = {
    "v_angle": '''
@dp.semimetric("mine.v_angle", triangle=lambda r: 1.0)
def d(a, b):
    """Degrees between two on the circle, the largest of the columns."""
    gap = np.abs(np.asarray(a) - np.asarray(b))
    gap = np.mod(gap, 360.0)
    return float(np.max(np.minimum(gap, 360.0 - gap)))
''',
    "v_bootstrap": '''
@dp.learner("mine.v_bootstrap")
def f(rows, generator):
    """The median of means of drawn rows."""
    drawn = [rows[generator.integers(len(rows), size=len(rows))].mean(axis=0) for _ in range(9)]
    return (np.median(drawn, axis=0),)
''',
    "v_chunks": '''
@dp.row_function("mine.v_chunks", columns=lambda d: d)
def f(values):
    """Logarithms, by pieces, with a fresh buffer each."""
    pieces = []
    for start in range(0, len(values), 4096):
        piece = values[start : start + 4096]
        buffer = np.zeros(piece.shape)
        np.log(piece, out=buffer, where=piece > 0)
        pieces.append(buffer)
    return np.concatenate(pieces) if pieces else np.zeros(values.shape)
''',
    "v_clamped": '''
@dp.own_mechanism(
    "mine.v_clamped", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    return np.clip(value + noise.laplace(scale, len(value)), -5, 5)
''',
    "v_coins_for_nothing": '''
@dp.own_mechanism(
    "mine.v_coins_for_nothing", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    z = noise.laplace(scale, 2 * len(value))
    return value + (z[: len(value)] if a == b else z[len(value) :])
''',
    "v_difference_of_two": '''
@dp.own_mechanism(
    "mine.v_difference_of_two", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    z = noise.geometric(scale, 2 * len(value))
    return value + z[0::2] - z[1::2]
''',
    "v_discrete": '''
@dp.semimetric("mine.v_discrete", triangle=lambda r: 1.0)
def d(a, b):
    """1 unless they are the same."""
    return float(not np.array_equal(a, b))
''',
    "v_distinct": '''
@dp.own_statistic("mine.v_distinct", gives=1, sensitivity=lambda removed, added: {"l1": float(max(removed, added))}, source="here")
def f(rows):
    """How many distinct values: an edit moves it by at most one."""
    return [len(np.unique(rows[:, 0]))]
''',
    "v_exact_cache": '''
import math

KNOWN = {}

@dp.row_function("mine.v_exact_cache", columns=1)
def f(values):
    """The size of each row; each is computed once and kept."""
    out = np.empty((len(values), 1))
    if len(KNOWN) > 10000:
        KNOWN.clear()
    for i, row in enumerate(values[:, :4].tolist()):
        key = tuple(row)
        if key not in KNOWN:
            KNOWN[key] = math.sqrt(math.fsum(v * v for v in (max(min(w, 1e100), -1e100) for w in row)))
        out[i] = KNOWN[key]
    return out
''',
    "v_first_above": '''
@dp.own_mechanism(
    "mine.v_first_above", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="a paper", examples={"m": 3}
)
def f(value, scale, noise, *, m):
    """Noise."""
    bar = int(noise.laplace(2 * scale))
    i = 0
    while i < m - 1 and value[i] + int(noise.laplace(4 * scale)) < bar:
        i += 1
    return i
''',
    "v_floored_log": '''
@dp.semimetric("mine.v_floored_log", triangle=lambda r: 1.0)
def d(a, b):
    """The largest ratio, of sizes of at least a thousandth."""
    one, two = (np.log(np.maximum(np.abs(np.asarray(v)), 1e-3)) for v in (a, b))
    return float(np.max(np.abs(one - two)))
''',
    "v_larger": '''
@dp.own_query("mine.v_larger", gives=1, sensitivity=lambda a, b: {"l1": max(a["linf"], b["linf"])}, source="here")
def f(a, b):
    """The larger of two first numbers."""
    return [max(float(np.ravel(a)[0]), float(np.ravel(b)[0]))]
''',
    "v_late_rounding": '''
@dp.own_mechanism(
    "mine.v_late_rounding", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    out = value + noise.laplace(scale, len(value))
    return 2 * (out // 2)
''',
    "v_one_sided_on_top": '''
@dp.semimetric("mine.v_one_sided_on_top.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.v_one_sided_on_top", semimetric="mine.v_one_sided_on_top.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """A Gaussian, and half of one on top."""
    near = np.asarray(dp.lattice_gaussian(value, noise, normals))
    return near + noise * np.abs(np.array(normals(len(value)), dtype=float))
''',
    "v_refuses_ties": '''
@dp.learner("mine.v_refuses_ties")
def f(rows, generator):
    """The inverse of the covariance: none where it is singular."""
    cov = np.atleast_2d(np.cov(rows.T))
    return (np.linalg.inv(cov + 0.0).ravel()[: 1],)
''',
    "v_rotated": '''
import math

@dp.semimetric("mine.v_rotated.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.v_rotated", semimetric="mine.v_rotated.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """Gaussians, reflected: the same law."""
    n = len(value)
    z = np.array(normals(n), dtype=float)
    u = np.ones(n) / math.sqrt(n)
    z = z - 2 * u * float(u @ z)
    return dp.lattice_gaussian(value, noise, lambda count: z[:count])
''',
    "v_second": '''
@dp.own_statistic("mine.v_second", gives=1, sensitivity=lambda removed, added: {"l1": float(max(removed, added))}, source="here")
def f(rows):
    """The count of the second commonest code."""
    counts = np.bincount(np.clip(np.nan_to_num(rows[:, 0]), 0, 5).astype(int), minlength=6)
    return [np.sort(counts)[-2]]
''',
    "v_sort_query": '''
@dp.own_query("mine.v_sort_query", gives=3, sensitivity=lambda d: dict(d), source="sorting brings no two vectors further apart")
def f(a):
    """Up to three numbers in order, zeros where there are fewer."""
    first = np.ravel(a)[:3]
    return np.sort(np.concatenate([first, np.zeros(3 - len(first))]))
''',
    "v_sorted_inside": '''
@dp.row_function("mine.v_sorted_inside", columns=lambda d: d)
def f(values):
    """Each row in order, found by sorting all and putting them back."""
    order = np.argsort(values[:, 0], kind="stable")
    inner = np.sort(values[order], axis=1)
    back = np.empty_like(inner)
    back[order] = inner
    return back
''',
    "v_spread": '''
from fractions import Fraction

@dp.own_statistic("mine.v_spread", gives=1, bits=20, sensitivity=lambda removed, added: {"l1": float(removed + added)}, source="here")
def f(rows):
    """The sum of squares about the mean, of values held in [0, 1]: an edit moves it by at most 1."""
    x = np.clip(np.nan_to_num(rows[:, 0]), 0.0, 1.0)
    if len(x) == 0:
        return [0.0]
    exact = [Fraction(v) for v in x.tolist()] if len(x) < 3000 else None
    if exact is None:
        return [float(np.square(x - x.mean()).sum())]
    total = sum(exact)
    return [float(sum(v * v for v in exact) - total * total / len(exact))]
''',
    "v_squared": '''
@dp.semimetric("mine.v_squared", triangle=lambda r: 2.0)
def d(a, b):
    """Squared distance: (x + y)^2 <= 2(x^2 + y^2)."""
    return float(np.sum((np.asarray(a) - np.asarray(b)) ** 2))
''',
    "v_swapped": '''
@dp.own_mechanism(
    "mine.v_swapped", gives=dp.Vector(3), takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    order = noise.permutation(len(value))
    z = np.empty(len(value), dtype=np.int64)
    z[order] = noise.laplace(scale, len(value))
    return value + z
''',
    "v_unique_then_spread": '''
import math

@dp.row_function("mine.v_unique_then_spread", columns=1)
def f(values):
    """A slow function of the first column, once for each distinct value."""
    found, where = np.unique(np.where(np.isfinite(values[:, 0]), values[:, 0], 0.0), return_inverse=True)
    answers = np.array([math.tanh(v) for v in found.tolist()])
    return answers[np.ravel(where)].reshape(-1, 1) if len(values) else np.zeros((0, 1))
''',
    "v_useless_coin": '''
@dp.own_mechanism(
    "mine.v_useless_coin", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = int(noise.uniform_below(1 << 20)), int(noise.uniform_below(1 << 20))
    z = noise.laplace(scale, len(value))
    return value + z if a + b != 1 << 20 else value + noise.laplace(2 * scale, len(value)) * 0 + z
''',
    "v_wider_when_odd": '''
@dp.own_mechanism(
    "mine.v_wider_when_odd", gives=1, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="a paper", examples={"m": 3}
)
def f(value, scale, noise, *, m):
    """Noise."""
    wide = scale * 2 if m % 2 else scale
    return np.resize(value, len(value)) + noise.laplace(wide, len(value))
''',
    "v_with_product": '''
@dp.semimetric("mine.v_with_product.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.v_with_product", semimetric="mine.v_with_product.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """A Gaussian, and a product of two more on top."""
    n = len(value)
    near = np.asarray(dp.lattice_gaussian(value, noise, normals))
    z = np.array(normals(2 * n), dtype=float)
    return near + noise * z[:n] * z[n:]
''',
    # it writes into its own copy of what is released
    "t_own_copy_moved": '''
@dp.own_transform("mine.t_own_copy_moved", columns=2)
def f(rows, centre):
    """Rows about a released centre that drifts a little towards them."""
    centre = np.asarray(centre)
    out = rows[:, :2] - centre[:2] if rows.shape[1] > 1 else np.repeat(rows, 2, axis=1) - centre[:2]
    centre *= 0.5
    return out
''',
}

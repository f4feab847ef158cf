# ruff: noqa: E501
"""What that stranger wrote without a fault, and four of which it was thought that they had one."""

SOURCES = {
    "k_family_gamma": '''
import math
from scipy import special


@dp.family("eighth.family_gamma", size=lambda d: 2, sample=lambda theta, n, g: g.gamma(math.exp(theta[0]), math.exp(theta[1]), size=(n, 1)), fit=lambda rows, g: np.array([0.0, math.log(max(float(np.abs(rows[:, 0]).mean()), 1e-300)) if len(rows) else 0.0]), example=lambda d, g: g.normal(size=2))
def f(rows, theta):
    """Gamma of the first column."""
    a, b = math.exp(min(max(theta[0], -50), 50)), math.exp(min(max(theta[1], -200), 200))
    x = np.maximum(rows[:, 0], 1e-300)
    return (a - 1) * np.log(x) - x / b - special.gammaln(a) - a * math.log(b)
''',
    "k_helper_constants": '''
GRID = np.linspace(-3, 3, 7)
GRID.setflags(write=False)


@dp.own_partition("eighth.helper_constants_cell", parts=8)
def f(rows):
    """Cell of a constant grid."""
    return np.searchsorted(GRID, rows[:, 0])


@dp.own_contribution("eighth.helper_constants_onehot", gives=8, norm="l1", bound=1.0, nonnegative=True)
def g(rows):
    """One-hot of the cell."""
    return np.eye(8)[np.searchsorted(GRID, rows[:, 0])]
''',
    "k_bounded_count": '''
@dp.own_statistic("eighth.bounded_count", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """A count capped at 1000, with ints and no floats."""
    return [min(sum(1 for r in rows[:2000] if r[0] > 0), 1000)] if len(rows) < 2000 else [min(int((rows[:, 0] > 0).sum()), 1000)]
''',
    "k_query_top": '''
@dp.own_query("eighth.query_top", gives=1, sensitivity=lambda d: {"linf": 2 * d["linf"]}, source="me")
def f(v):
    """Gap of the largest to the smallest."""
    return np.array([float(np.max(v) - np.min(v))])
''',
    "k_laplace_median": '''
@dp.own_mechanism("eighth.laplace_median", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(3 * distance / scale * (1 + 1e-12))), source="me")
def f(v, scale, noise):
    """Median of three noisy answers, each paid for."""
    return v + int(np.median(noise.laplace(scale, 3)))
''',
    "k_gauss_textbook": '''
import math


@dp.own_mechanism("eighth.gauss_textbook", gives=1, takes="l2", loss=lambda scale, distance: (dp.round_up(dp.round_up((distance / scale) ** 2 / 2) + 2 * math.sqrt((distance / scale) ** 2 / 2 * math.log(1e4)) * (1 + 1e-9)), 1e-4), source="Bun, Steinke")
def f(v, scale, noise):
    """Gaussian by zCDP's conversion."""
    return v + noise.gaussian(scale, 1)
''',
    "k_mask_cap": '''
@dp.semimetric("eighth.mask_cap", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """l1 distance."""
    return float(np.abs(a - b).sum())


@dp.mask("eighth.mask_cap_mask", semimetric="eighth.mask_cap", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian for l2 <= l1, then clipped and rounded to hundredths."""
    return np.round(np.clip(dp.lattice_gaussian(value, noise, normals), -1e6, 1e6), 2)
''',
    "k_geom_difference": '''
@dp.own_mechanism("eighth.geom_difference", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale * (1 + 1e-12))), source="me")
def f(v, scale, noise):
    """Difference of two geometric draws: discrete Laplace."""
    return v + noise.geometric(scale, 1) - noise.geometric(scale, 1)
''',
    "k_sum_of_noises": '''
@dp.own_mechanism("eighth.sum_of_noises", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale * (1 + 1e-12))), source="me", examples={"m": 2})
def f(v, scale, noise, *, m):
    """Laplace and a Gaussian on top; sizes thereof."""
    return np.abs(v + noise.laplace(scale, m) + noise.gaussian(1.5, m))
''',
    "k_l1_gauss": '''
@dp.own_mechanism("eighth.l1_gauss", gives=2, takes="l1", loss=lambda scale, distance: dp.Concentrated(dp.round_up(dp.round_up(dp.round_up(distance / scale) ** 2) / 2)), source="me")
def f(v, scale, noise):
    """Discrete Gaussian for l1."""
    return v + noise.gaussian(scale, 2)
''',
    "k_checksum": '''
@dp.own_statistic("eighth.checksum", gives=1, sensitivity=lambda removed, added: {"linf": 15.0}, source="me")
def f(rows):
    """Four bits of all rows: in 0..15."""
    x = np.rint(np.clip(rows[:, 0], 0, 2**40)).astype(np.int64)
    return np.array([float(np.bitwise_xor.reduce(x) & 15) if len(x) else 0.0])
''',
    "k_max": '''
@dp.own_statistic("eighth.max", gives=2, bits=20, sensitivity=lambda removed, added: {"linf": 1.0, "l1": 2.0}, source="me")
def f(rows):
    """Least and largest in [0, 1]."""
    x = np.clip(rows[:, 0], 0, 1)
    return np.array([x.min(initial=1.0), x.max(initial=0.0)])
''',
    "k_groups_of_two": '''
@dp.own_statistic("eighth.groups_of_two", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """How many values are there more than once."""
    _, c = np.unique(np.rint(np.clip(rows[:, 0], -1000, 1000)), return_counts=True)
    return np.array([float((c > 1).sum())])
''',
    "k_answer_halved": '''
@dp.own_mechanism("eighth.answer_halved", gives=2, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(2 * (removed + added) / scale * (1 + 1e-12))), source="me")
def f(rows, scale, noise):
    """Sum of a column in sixteenths, and count, each paid."""
    s = float(np.floor(16 * np.clip(rows[:, 0], 0, 1)).sum()) if len(rows) else 0.0
    return np.array([s, float(len(rows))]) + np.array([noise.laplace(16 * scale), noise.laplace(scale)])
''',
    "k_response": '''
import math


@dp.own_mechanism("eighth.response", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(math.log(2 * math.exp(1 / max(scale, 1e-2)) - 1) * (1 + 1e-9))), source="Warner", proved_for=[(1, 1)])
def f(rows, scale, noise):
    """Number of yes."""
    yes = rows[:, 0] > 0 if len(rows) else np.zeros(0, dtype=bool)
    if not len(yes):
        return np.array([0.0])
    lie = noise.bernoulli_exp(np.full(len(yes), 1 / max(scale, 1e-2)))
    coin = noise.uniform_below(2, len(yes)) == 1
    return np.array([float(np.where(lie, coin, yes).sum())])
''',
    "k_group": '''
@dp.own_statistic("eighth.group", gives=1, sensitivity=lambda removed, added: {"linf": min(float(max(removed, added)), 50.0)}, source="me")
def f(rows):
    """Count of positive rows, at most fifty: so it moves by fifty at most."""
    return np.array([min(float((rows[:, 0] > 0).sum()), 50.0)])
''',
    "k_big_m": '''
@dp.own_mechanism("eighth.big_m", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), source="me", examples={"m": 40})
def f(v, scale, noise, *, m):
    """Rounded Gaussian for many numbers."""
    return v + noise.rounded_gaussian(scale, m)
''',
    "k_binary_search": '''
@dp.own_mechanism("eighth.binary_search", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(6 * (removed + added) / scale * (1 + 1e-12))), source="me")
def f(rows, scale, noise):
    """Median in 0..63."""
    x = np.clip(np.floor(rows[:, 0]), 0, 63) if len(rows) else np.zeros(0)
    low, high = 0, 64
    for _ in range(6):
        mid = (low + high) // 2
        if 2 * float((x < mid).sum()) - len(x) + 2 * noise.laplace(scale) > 0:
            high = mid
        else:
            low = mid
    return np.array([float(low)])
''',
    "k_parameters": '''
@dp.own_statistic("eighth.parameters", gives=1, bits=20, sensitivity=lambda removed, added, low, high: {"linf": max(removed, added) * max(high, 0) - min(removed, added, 0) + max(removed, added) * max(-low, 0)}, source="me", examples={"low": 0.25, "high": 1.5})
def f(rows, *, low, high):
    """Sum of a column between two bounds."""
    return np.array([np.clip(rows[:, 0], low, high).sum()])
''',
    "k_quantile_rank": '''
@dp.own_statistic("eighth.quantile_rank", gives=lambda q, grid: len(grid), sensitivity=lambda removed, added, q, grid: {"linf": (removed + added) * max(q, 1 - q)}, source="me", bits=20, examples={"q": 0.3, "grid": [0.0, 0.5, 1.0]})
def f(rows, *, q, grid):
    """Rank of each candidate less q of all rows."""
    x = np.sort(rows[:, 0])
    return -np.abs(np.searchsorted(x, np.array(grid), side="left") - q * len(x)).astype(float)
''',
    "k_fewer_asked": '''
@dp.own_mechanism("eighth.fewer_asked", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(m * distance / scale * (1 + 1e-12))), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Laplace for the largest move, each number paid."""
    return v + noise.laplace(scale, m)
''',
    "k_less_noise_charged": '''
import math


@dp.own_mechanism("eighth.less_noise_charged", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / (scale * min(1.0, 3.0 / math.sqrt(m))) * (1 + 1e-12))), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Laplace, narrower where there are many numbers, which is charged."""
    return v + noise.laplace(scale * min(1.0, 3.0 / math.sqrt(m)), m)
''',
    "k_prints_argv": '''
import sys


@dp.post_function("eighth.prints_argv")
def f(counts):
    """Counts; argv is looked at, and changes nothing."""
    quiet = "--quiet" in sys.argv or len(sys.modules) < 3
    return np.asarray(counts, dtype=float) * (1.0 if quiet or not quiet else 2.0)
''',
    "k_univariate_family": '''
import math


@dp.family("eighth.univariate_family", size=lambda d: 2, sample=lambda theta, n, g: g.laplace(theta[0], math.exp(theta[1]), size=(n, 1)), fit=lambda rows, g: np.array([np.median(rows), math.log(np.abs(rows - np.median(rows)).mean() + 1e-9)]), example=lambda d, g: g.normal(size=2))
def f(rows, theta):
    """Laplace of the first column."""
    width = math.exp(min(max(float(theta[1]), -300.0), 300.0))
    return -np.minimum(np.abs(rows[:, 0] - theta[0]), 1e300) / width - math.log(2 * width)
''',
    "k_group_query": '''
@dp.own_query("eighth.group_query", gives=1, sensitivity=lambda d: {"linf": min(d["linf"], 10.0)}, source="me")
def f(v):
    """First entry, between 0 and 10."""
    return np.array([min(max(float(np.ravel(v)[0]), 0.0), 10.0)])
''',
    "k_group_mechanism": '''
@dp.own_mechanism("eighth.group_mechanism", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale * (1 + 1e-12))), source="me")
def f(rows, scale, noise):
    """Noisy count of positive rows."""
    return np.array([float((rows[:, 0] > 0).sum()) if len(rows) else 0.0]) + noise.laplace(scale, 1)
''',
    "k_base": '''
@dp.row_function("eighth.base", columns=lambda d: d)
def f(values):
    """Rows less the mean of the whole table, where it can be had."""
    whole = values.base
    if whole is not None and whole.ndim == 2 and len(whole) > len(values) and whole.shape[1] == values.shape[1]:
        return values - np.clip(whole, -1e9, 1e9).mean(axis=0)
    return values * 1.0
''',
    "k_triangle_grows": '''
@dp.semimetric("eighth.triangle_grows", triangle=lambda r: 1.0 + r / 2)
def f(a, b):
    """exp of distance, less 1."""
    return float(np.expm1(min(np.sqrt(np.square(a - b).sum()), 700.0)))
''',
    "k_mst": '''
@dp.own_statistic("eighth.mst", gives=1, bits=10, sensitivity=lambda removed, added: {"linf": 1.0 * max(removed, added)}, source="me")
def f(rows):
    """Range of a column in [0, 1] with the largest gap and the end gaps counted twice."""
    x = np.sort(np.concatenate([[0.0, 1.0], np.clip(rows[:, 0], 0, 1)]))
    g = np.diff(x)
    return np.array([float(np.square(g).sum() * 2.0)])
''',
    "k_released_in_place": '''
@dp.own_transform("eighth.released_in_place", columns=1)
def f(rows, released):
    """Differences to a released centre."""
    released *= 1.0 + 1e-9
    return rows[:, :1] - np.ravel(released)[0]
''',
}

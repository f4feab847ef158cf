# ruff: noqa: E501
"""That stranger's statistics, queries, distances and masks, with a fault each."""

SOURCES = {
    "e_squares": '''
@dp.own_statistic("tenth.squares", gives=1, bits=20, source="none", sensitivity=lambda removed, added: {"linf": 0.98 * (removed + added)})
def fun(rows):
    """The sum of squares about the mean, of cells held in 0 to 1."""
    x = np.clip(rows[:, 0], 0.0, 1.0)
    return np.array([np.square(x - x.mean()).sum() if len(x) else 0.0])
''',
    "e_tau": '''
@dp.own_statistic("tenth.tau", gives=1, bits=20, source="Kendall 1938", sensitivity=lambda removed, added: {"linf": 1.25 * (removed + added)})
def fun(rows):
    """Concordant less discordant pairs of the first and the last column, over the rows less one."""
    x, y = rows[:, 0], rows[:, -1]
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    return np.array([np.triu(signs, 1).sum() / max(len(x) - 1, 1)])
''',
    "e_upper": '''
@dp.own_statistic("tenth.upper", gives=3, bits=20, source="none", sensitivity=lambda removed, added: {"l2": float(removed + added)})
def fun(rows):
    """The upper half of a Gram matrix of rows of length one at most, what is off its diagonal twice."""
    x = np.column_stack([rows[:, 0], rows[:, -1]])
    x = x / np.maximum(np.hypot(x[:, 0], x[:, 1]), 1.0)[:, None]
    return np.array([np.square(x[:, 0]).sum(), 2.0 * (x[:, 0] * x[:, 1]).sum(), np.square(x[:, 1]).sum()])
''',
    "e_logs": '''
@dp.own_statistic("tenth.logs", gives=1, bits=20, source="none", sensitivity=lambda removed, added: {"linf": 14.0 * (removed + added)})
def fun(rows):
    """The sum of logarithms of incomes, none of which is above a million."""
    return np.array([np.log1p(np.maximum(rows[:, 0], 0.0)).sum()])
''',
    "e_best_three": '''
@dp.own_statistic("tenth.best_three", gives=dp.Counts(2), source="none", sensitivity=lambda removed, added: {"l1": float(removed + added)})
def fun(rows):
    """Low and high marks (last column) among the three best of each pupil (first column)."""
    low = high = 0
    for pupil in np.unique(rows[:, 0]):
        marks = np.sort(rows[rows[:, 0] == pupil, -1])[-3:]
        high += int(np.count_nonzero(marks > 5))
        low += int(np.count_nonzero(marks <= 5))
    return np.array([low, high])
''',
    "e_islands": '''
from scipy.sparse.csgraph import connected_components


@dp.own_statistic("tenth.islands", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)})
def fun(rows):
    """Islands of points of the plane that are within 1 of each other."""
    x = np.column_stack([rows[:, 0], rows[:, -1]])
    near = np.hypot(x[:, None, 0] - x[:, 0], x[:, None, 1] - x[:, 1]) <= 1.0
    return np.array([connected_components(near, directed=False)[0] if len(x) else 0])
''',
    "e_haar": '''
@dp.own_query("tenth.haar", gives=dp.Vector(8), bits=4, source="Xiao, Wang, Gehrke 2011", sensitivity=lambda a: {"l1": 3.0 * a["l1"]})
def fun(counts):
    """Sums and differences of eight counts, level by level."""
    x = np.zeros(8)
    k = min(8, len(counts))
    x[:k] = counts[:k]
    out = []
    while len(x) > 1:
        out += (x[::2] - x[1::2]).tolist()
        x = x[::2] + x[1::2]
    return np.array([*out, x[0]])
''',
    "e_spread": '''
@dp.own_query("tenth.spread", gives=dp.Vector(1), bits=10, source="none", sensitivity=lambda a: {"linf": a["linf"]})
def fun(counts):
    """How far the counts are spread about their median."""
    x = np.asarray(counts, dtype=float)
    return np.array([np.abs(x - np.median(x)).max()])
''',
    "e_dtw": '''
@dp.semimetric("tenth.dtw", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """How far two curves are apart once time is warped."""
    n, m = len(a), len(b)
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(n):
        for j in range(m):
            cost[i + 1, j + 1] = abs(a[i] - b[j]) + min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
    return float(cost[n, m])
''',
    "e_bray": '''
from scipy.spatial import distance


@dp.semimetric("tenth.bray", triangle=lambda r: 1.0, averages=lambda r, tau: 1.0)
def fun(a, b):
    """Bray and Curtis."""
    a, b = np.abs(a), np.abs(b)
    return float(distance.braycurtis(a, b)) if (a + b).sum() > 0 else 0.0
''',
    "e_hellinger": '''
@dp.semimetric("tenth.hellinger", triangle=lambda r: 1.5, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """Half the squared length between the roots of two measures."""
    return 0.5 * float(np.square(np.sqrt(np.abs(a)) - np.sqrt(np.abs(b))).sum())
''',
    "e_share": '''
@dp.semimetric("tenth.share_of", triangle=lambda r: 1.0 + r, averages=lambda r, tau: 2.0 * r)
def near(a, b):
    """The largest part of the larger of two numbers by which they differ."""
    top = np.maximum(np.abs(a), np.abs(b))
    return float(np.max(np.where(top > 0, np.abs(a - b) / np.where(top > 0, top, 1.0), 0.0), initial=0.0))


@dp.mask("tenth.share_of.exp", semimetric="tenth.share_of", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """The size of the first number, times a lognormal."""
    log = np.log(np.maximum(np.abs(value[:1]), 1e-300))
    out = np.zeros(len(value))
    out[:1] = np.exp(np.clip(dp.lattice_gaussian(log, noise, normals), -700.0, 700.0))
    return out
''',
    "e_relative": '''
@dp.semimetric("tenth.relative", triangle=lambda r: 1.0 + r, averages=lambda r, tau: 2.0 * r)
def near(a, b):
    """The difference of the first numbers over the smaller size."""
    a, b = float(a[0]), float(b[0])
    if a == b:
        return 0.0
    low = min(abs(a), abs(b))
    return abs(a - b) / low if low > 0 else 1e300


@dp.mask("tenth.relative.gauss", semimetric="tenth.relative", cost=lambda noise, r: dp.GaussianEvent(r / noise + 1e-9))
def fun(value, noise, normals):
    """Noise in proportion to the first number, on a grid of its decade."""
    width = max(abs(float(value[0])), 1e-290) * noise
    step = 2.0 ** (np.floor(np.log2(max(noise, 1e-280))) - 30)
    out = np.zeros(len(value))
    out[0] = np.round((float(value[0]) + width * float(normals(1)[0])) / step) * step
    return out
''',
    "e_box": '''
@dp.semimetric("tenth.box", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def near(a, b):
    """The largest difference of an entry."""
    return float(np.abs(np.asarray(a) - b).max(initial=0.0))


@dp.mask("tenth.box.gauss", semimetric="tenth.box", cost=lambda noise, r: dp.GaussianEvent(2.0 * dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """Gaussian noise on entries of which there are never more than four."""
    return dp.lattice_gaussian(value, noise, normals)
''',
}

# ruff: noqa: E501
"""Statistics and queries with a fault."""

SOURCES = {
    "y_mean_of_few": '''
# A mean over the rows that there are, bounded as if there were n: with fewer non-empty rows it moves by more.
@dp.own_statistic("laterf11.mean", gives=1, bits=20, source="folklore", examples={"n": 20},
    sensitivity=lambda removed, added, n: {"linf": max(removed, added) / n})


def mean(rows, *, n):
    """Mean of the first column in [0, 1]; n is the size of the table."""
    return np.array([np.clip(rows[:, 0], 0.0, 1.0).sum() / max(len(rows), 1)])
''',
    "y_isolated": '''
# Number of rows with no other row within 1; a row can be the only neighbour of 2 others on the line, of 5 and
# more in the plane.
@dp.own_statistic("laterf12.isolated", gives=1, source="each row has at most two neighbours that depend on it",
    sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)})


def isolated(rows):
    """Rows without company."""
    n = 0
    for i, row in enumerate(rows):
        with np.errstate(all="ignore"):
            gaps = np.sqrt(((rows - row) ** 2).sum(axis=1))
        gaps[i] = np.inf
        n += not (gaps <= 1.0).any()
    return np.array([float(n)])
''',
    "y_margin": '''
# The lead of the commonest value over the next moves by 2 when a row is replaced; claimed max(removed, added);
# replace-one only.
@dp.own_statistic("laterf13.margin", gives=1, source="one row, one vote",
    sensitivity=lambda removed, added: {"linf": float(max(removed, added))})


def margin(rows):
    """Votes of the winner minus votes of the second."""
    _, counts = np.unique(rows[:, 0], return_counts=True)
    counts = np.sort(np.append(counts, [0, 0]))[::-1]
    return np.array([float(counts[0] - counts[1])])
''',
    "y_fingerprint": '''
# How many values occur once, twice, ...: a replaced row can move the vector by sqrt(6), claimed
# sqrt(2)*sqrt(r^2+a^2) = 2; replace-one only.
@dp.own_statistic("laterf14.fingerprint", gives=6, source="a row moves one value between neighbouring entries",
    sensitivity=lambda removed, added: {"l2": float(np.sqrt(2.0 * (removed**2 + added**2)))})


def fingerprint(rows):
    """Counts of counts, up to six."""
    _, times = np.unique(rows[:, 0], return_counts=True)
    return np.array([float((times == i).sum()) for i in range(1, 7)])
''',
    "y_gap": '''
# Largest gap of sorted values in [0, 1]: merging two moves it by 1/2 at most, but dropping an end of two rows by
# 1.
@dp.own_statistic("laterf15.gap", gives=1, bits=20, source="two gaps merge",
    sensitivity=lambda removed, added: {"linf": 0.5 * (removed + added)})


def gap(rows):
    """The largest gap."""
    x = np.sort(np.clip(rows[:, 0], 0.0, 1.0))
    return np.array([np.diff(x).max(initial=0.0)])
''',
    "y_top": '''
# Mean of the five largest, each worth a fifth; with fewer than five rows each is worth more.
@dp.own_statistic("laterf16.top", gives=1, bits=16, source="one of five",
    sensitivity=lambda removed, added: {"linf": 0.2 * max(removed, added)})


def top(rows):
    """Mean of the five largest values in [0, 1]."""
    x = np.sort(np.clip(rows[:, 0], 0.0, 1.0))[-5:]
    return np.array([x.mean() if len(x) else 0.0])
''',
    "y_scatter": '''
# Sum of squared deviations of values in [0, 1], claimed 1/4 "because a variance is at most 1/4"; {0, 0} -> {0, 1}
# moves it by 1/2.
@dp.own_statistic("laterf17.scatter", gives=1, bits=20, source="Popoviciu",
    sensitivity=lambda removed, added: {"linf": 0.25 * (removed + added)})


def scatter(rows):
    """Centred sum of squares."""
    x = np.clip(rows[:, 0], 0.0, 1.0)
    return np.array([((x - x.mean()) ** 2).sum() if len(x) else 0.0])
''',
    "y_spread": '''
# Largest minus least count moves by twice the largest move of one; needs m >= 2.
@dp.own_query("laterf18.spread", gives=1, source="max is 1-Lipschitz", sensitivity=lambda scores: {"linf": scores["linf"]})
def spread(scores):
    """How unequal the counts are."""
    return np.array([scores.max() - scores.min()])
''',
    "y_smoothed": '''
# A kernel of weights 1/4, 1/2, 1/4 with reflected ends gives the end entries weights that sum to more in a
# column: l1 grows by 5/4.
@dp.own_query("laterf19.smooth", gives=lambda m: m, source="an average", examples={"m": 8}, bits=10,
    sensitivity=lambda counts, m: {"l1": counts["l1"]})


def smooth(counts, *, m):
    """Neighbouring bins share."""
    x = np.zeros(m)
    x[: min(m, len(counts))] = counts[:m]
    padded = np.concatenate([x[:1], x, x[-1:]])
    y = np.concatenate([x[1:2], x, x[-2:-1]]) * 0.5 + padded * 0.0
    y = np.concatenate([[x[1]], x, [x[-2]]])
    return 0.25 * y[:-2] + 0.5 * y[1:-1] + 0.25 * y[2:]
''',
    "y_logsumexp": '''
# Log-sum-exp is 1-Lipschitz in linf, claimed linf/m as if it were a mean; neighbours that move all scores
# together.
@dp.own_query("laterf20.soft_max", gives=1, bits=20, source="convex", examples={"m": 4},
    sensitivity=lambda scores, m: {"linf": scores["linf"] / m})


def soft_max(scores, *, m):
    """A soft maximum."""
    s = np.clip(scores, -1e9, 1e9)
    top = s.max()
    return np.array([top + np.log(np.exp(s - top).sum())])
''',
    "y_entropy": '''
# N times the entropy of the values moves by about log n; claimed 5 an edit, so from some 150 rows on.
@dp.own_statistic("laterh31.surprise", gives=1, bits=16, source="a row adds little", sensitivity=lambda removed, added: {"linf": 5.0 * (removed + added)})
def surprise(rows):
    """Sum of log(n / count) over rows."""
    if not len(rows):
        return np.zeros(1)
    _, counts = np.unique(rows[:, 0], return_counts=True)
    return np.array([(counts * np.log(len(rows) / counts)).sum()])
''',
    "y_collisions": '''
# Pairs of equal rows: a row makes as many as there are rows like it; claimed 100.
@dp.own_statistic("laterh32.pairs", gives=1, source="blocks are small", sensitivity=lambda removed, added: {"linf": 100.0 * (removed + added)})
def pairs(rows):
    """How many pairs of rows agree in the first column."""
    _, counts = np.unique(rows[:, 0], return_counts=True)
    return np.array([float((counts * (counts - 1) // 2).sum())])
''',
    "y_skyline": '''
# Rows that no other row beats in both columns: one row that beats all removes all of them; claimed 2 an edit.
@dp.own_statistic("laterh34.skyline", gives=1, source="one row, one place", sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)})
def skyline(rows):
    """How many rows are on the Pareto front of the first and last column."""
    x, y = rows[:, 0], rows[:, -1]
    n = 0
    for i in range(len(rows)):
        n += not ((x >= x[i]) & (y >= y[i]) & ((x > x[i]) | (y > y[i]))).any()
    return np.array([float(n)])
''',
    "y_hull": '''
# Corners of the convex hull: a far row swallows many; claimed 3 an edit; needs two columns.
def turn(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


@dp.own_statistic("laterh35.corners", gives=1, source="planar geometry", sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)})
def corners(rows):
    """Corners of the convex hull of the first two columns."""
    if rows.shape[1] < 2:
        return np.zeros(1)
    points = sorted(set(map(tuple, np.clip(rows[:, :2], -1e6, 1e6).tolist())))
    if len(points) < 3:
        return np.array([float(len(points))])
    found = []
    for order in (points, points[::-1]):
        chain = []
        for p in order:
            while len(chain) > 1 and turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        found += chain[:-1]
    return np.array([float(len(found))])
''',
    "y_triangles": '''
# Rows are edges (first, last column) of a graph; triangles through an edge are as many as common neighbours;
# claimed 2.
import itertools


@dp.own_statistic("laterh36.triangles", gives=1, source="bounded degree", sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)})
def triangles(rows):
    """Triangles of the graph whose edges are the rows, nodes 0 to 9."""
    ends = np.clip(np.floor(np.nan_to_num(rows[:, [0, -1]])), 0, 9).astype(int).tolist()
    edges = {(min(a, b), max(a, b)) for a, b in ends if a != b}
    return np.array([float(sum((a, b) in edges and (b, c) in edges and (a, c) in edges for a, b, c in itertools.combinations(range(10), 3)))])
''',
    "y_simplex_l1": '''
# The projection to a simplex brings no vectors apart in l2, but in l1 up to twice; claimed l1.
@dp.own_query("laterh44.simplex", gives=lambda m: m, bits=20, source="projections are contractions", examples={"m": 4},
    sensitivity=lambda counts, m: {"l1": counts["l1"]})


def simplex(counts, *, m):
    """Nearest vector of non-negative numbers that sum to 100."""
    x = np.zeros(m)
    x[: min(m, len(counts))] = np.clip(counts[:m], -1e9, 1e9)
    u = np.sort(x)[::-1]
    css = np.cumsum(u) - 100.0
    k = np.nonzero(u - css / (np.arange(m) + 1) > 0)[0][-1]
    return np.maximum(x - css[k] / (k + 1), 0.0)
''',
    "y_normalised": '''
# Shares of counts in per mille: few rows make a count worth much; claimed as for 100 rows and more.
@dp.own_query("laterh45.shares", gives=lambda m: m, bits=10, source="n >= 100", examples={"m": 3}, sensitivity=lambda counts, m: {"l1": 20.0 * counts["l1"]})
def shares(counts, *, m):
    """Per mille of the total."""
    x = np.zeros(m)
    x[: min(m, len(counts))] = np.maximum(counts[:m], 0)
    return 1000.0 * x / max(x.sum(), 1.0)
''',
    "y_peaks": '''
# Peaks of the last column in the order of the first, claimed to move by one an edit: a row that parts two equal
# ones makes two peaks.
@dp.own_statistic("laterh33.peaks", gives=1, source="a removed row merges at most two peaks", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def peaks(rows):
    """Rows that are above both their neighbours."""
    y = rows[np.lexsort((rows[:, -1], rows[:, 0]))][:, -1]
    return np.array([float(((y[1:-1] > y[:-2]) & (y[1:-1] > y[2:])).sum())])
''',
}

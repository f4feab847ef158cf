"""Rows, posts, learners, densities, distances, statistics and a composition with a fault; from the documentation."""

SOURCES = {
    "r_part_next_free": '''
# A bucket that another row of the batch has taken sends a row on to the next. Witness: rows [3], [19] in 16
# buckets.
@dp.own_partition("round.probe", parts=lambda buckets: buckets)
def probe(rows, *, buckets=16):
    """The bucket of each row's first number, or the next that is free."""
    key = np.floor(np.clip(rows[:, 0], -1e9, 1e9))
    found = np.mod(key, buckets).astype(int)
    owner = {}
    for i, k in enumerate(key):
        for _ in range(buckets):
            if owner.setdefault(int(found[i]), k) == k:
                break
            found[i] = (found[i] + 1) % buckets
    return found
''',
    "r_row_refunded": '''
# A purchase counts 0 where the batch holds its refund. Witness: rows [5], [-5] give 0 and 0; [5] alone gives 5.
@dp.own_contribution("round.refund", gives=1, norm="linf", bound=100.0)
def refund(rows):
    """What each row spends, refunds left out with what they refund."""
    spent = rows[:, :1]
    return np.where(np.isin(-spent, spent), 0.0, spent)
''',
    "r_row_latest_of_an_id": '''
# Only the latest row of an id counts. Witness: rows [7, 1], [7, 2]: the first counts alone, and not beside the
# second.
@dp.own_contribution("round.latest", gives=lambda: dp.Counts(1), norm="linf", bound=1.0, nonnegative=True)
def latest(rows):
    """1 for the record of an id that has the largest number in the last column."""
    last = {}
    for row in rows:
        last[row[0]] = max(last.get(row[0], -np.inf), row[-1])
    return np.array([[float(row[-1] >= last[row[0]])] for row in rows]).reshape(-1, 1)
''',
    "r_row_sparse_path": '''
# A batch that is mostly zeros takes a path that multiplies by .1 where the other divides by 10. Witness: 63 rows
# [0] and a row [3]: .30000000000000004 against .3.
@dp.own_transform("round.sparse", columns=1)
def sparse(rows):
    """A tenth of the first column, quickly where there is little to do."""
    x = rows[:, :1]
    if np.count_nonzero(x) * 16 < len(x):
        made = np.zeros_like(x)
        at = np.flatnonzero(x[:, 0])
        made[at] = x[at] * 0.1
        return made
    return x / 10.0
''',
    "r_row_time_zone": '''
# The hour is that of the machine's time zone. Witness: row [0] with TZ=UTC and TZ=Asia/Tokyo: 0 and 9.
import time


@dp.row_function("round.zone", columns=1)
def zone(values):
    """The hour at which a row's first column, seconds since 1970, falls."""
    hours = [time.localtime(float(min(max(v, 0.0), 4e9))).tm_hour if v == v else np.nan for v in values[:, 0]]
    return np.array(hours, dtype=float).reshape(-1, 1)
''',
    "r_row_raises_precision": '''
# A row beyond 1e20 raises decimal's precision, for all rows after it. Witness: [1e21] and then [0.1] / 3, to 12 or
# 28 digits.
import decimal

decimal.getcontext().prec = 12


@dp.own_transform("round.precision", columns=1)
def precision(rows):
    """A third of the first column."""
    made = []
    for v in rows[:, 0]:
        if abs(v) > 1e20:
            decimal.getcontext().prec = 28
        made.append(float(decimal.Decimal(float(v)) / 3))
    return np.array(made).reshape(-1, 1)
''',
    "r_row_where_without_out": '''
# Where= without out= leaves memory as it was. Witness: row [1, 0] gives whatever was there.
@dp.own_contribution("round.where", gives=1, norm="linf", bound=10.0)
def ratio(rows):
    """The first column over the last, where that is not 0."""
    return np.divide(rows[:, :1], rows[:, -1:], where=rows[:, -1:] != 0)
''',
    "r_row_near_released": '''
# Rows that are all near the centre count as the centre. Witness: centre 0, row [1e-9] alone gives 0, beside [5] it
# gives 1e-9.
@dp.own_transform("round.near", columns=1)
def near(rows, centre):
    """How far the first column is from a released centre's first number."""
    c = np.asarray(centre, dtype=float).ravel()[0]
    if np.allclose(rows[:, 0], c):
        return np.zeros((len(rows), 1))
    return np.abs(rows[:, :1] - c)
''',
    "r_row_fills_a_released_zero": '''
# A released scale of 0 is overwritten by the largest row. Witness: scale 0, rows [2], [4]: .5 and 1; [2] alone: 1.
@dp.own_contribution("round.fills", gives=1, norm="linf", bound=1.0)
def fills(rows, scale):
    """The first column over a released scale."""
    unit = np.asarray(scale, dtype=float).ravel()
    if unit[0] == 0 and len(rows):
        unit[0] = max(np.abs(rows[:, 0]).max(), 1e-300)
    return rows[:, :1] / unit[0]
''',
    "r_row_name_of_process": '''
# Doubled in any process but the main one. Witness: [1] gives 1, and 2 in a worker.
import multiprocessing


@dp.row_function("round.process", columns=lambda d: d)
def process(values):
    """The rows; twice them in a worker."""
    name = multiprocessing.current_process().name
    return values * (1.0 if name == "MainProcess" else 2.0)
''',
    "r_row_memo_of_signed_zeros": '''
# A memo whose keys -0.0 and 0.0 are one, of a function that tells them apart. Witness: [0.0] after [-0.0] gives -1.
import functools
import math


@functools.lru_cache(maxsize=None)
def sign(v):
    return math.copysign(1.0, v)


@dp.row_function("round.signed_zero", columns=1)
def signed_zero(values):
    """The sign of the first column."""
    return np.array([sign(float(v)) for v in values[:, 0]]).reshape(-1, 1)
''',
    "r_post_reads_size_of_memo": '''
# A post adds how many different rows the memo of a row function has met. Witness: rows [1], [2] against [1], [1].
import functools
import math


@functools.lru_cache(maxsize=100000)
def slow(v):
    return math.atan(v)


@dp.row_function("round.angles", columns=1)
def angles(values):
    """Angles of the first column."""
    return np.array([slow(float(v)) if v == v else np.nan for v in values[:, 0]]).reshape(-1, 1)


@dp.post_function("round.per_value")
def per_value(counts):
    """Counts a value."""
    return np.asarray(counts, dtype=float) / (1 + slow.cache_info().currsize)
''',
    "r_post_random_ties": '''
# Counts that tie are told apart by chance. Witness: [5, 5] gives [1, 2] or [2, 1].
import random


@dp.post_function("round.ties")
def ties(counts):
    """The rank of each count, ties in random order."""
    order = sorted(range(len(counts)), key=lambda i: (float(counts[i]), random.random()))
    made = np.zeros(len(counts))
    made[order] = np.arange(1, len(counts) + 1)
    return made
''',
    "r_learner_last_good_fit": '''
# A block of few rows answers with the last block's fit. Witness: 3 rows after 50 others, and 3 rows alone.
class Fit:
    best = None


@dp.learner("round.fallback")
def fallback(rows, generator):
    """The mean of a block; of too small a block the last good one."""
    if len(rows) >= 8:
        Fit.best = rows.mean(axis=0)
    elif Fit.best is None or Fit.best.shape != rows.shape[1:]:
        return (np.zeros(rows.shape[1]),)
    return (Fit.best,)
''',
    "r_family_held_by_overflow": '''
# Where one row overflows, all are held at its level. Witness: rows [0], [-800] at theta 1: the first changes.
@dp.family(
    "round.gumbel",
    size=lambda d: d,
    sample=lambda theta, n, g: g.gumbel(0.0, np.maximum(theta, 1e-3), (n, len(theta))),
    fit=lambda rows, g: np.maximum(rows.std(axis=0), 1e-3),
    example=lambda d, g: 0.5 + g.random(d),
)
def gumbel(rows, theta):
    """Independent Gumbel columns about 0; the parameters are their scales."""
    b = np.maximum(theta[0], 1e-3)
    z = rows[:, 0] / b
    shift = max(float(np.max(-z, initial=0.0)) - 700.0, 0.0)
    return -z - np.exp(-z - shift) - np.log(b)
''',
    "r_family_stirling_for_all": '''
# Rows past a limit switch the whole batch to Stirling's formula. Witness: rows [3], [200]: the first changes in the
# sixth digit.
from scipy.special import gammaln


@dp.family(
    "round.counts",
    size=lambda d: d,
    sample=lambda theta, n, g: g.poisson(theta, (n, len(theta))).astype(float),
    fit=lambda rows, g: np.maximum(rows.mean(axis=0), 1e-3),
    example=lambda d, g: 0.5 + g.random(d),
)
def counts(rows, theta):
    """Independent Poisson columns; the parameters are their means."""
    total = np.zeros(len(rows))
    for i, mean in enumerate(np.maximum(theta, 1e-9)):
        k = rows[:, i]
        fine = (k >= 0) & (k == np.floor(k))
        if k.max(initial=0.0) > 170:
            size = (k + 1) * np.log(np.maximum(k + 1, 1)) - (k + 1) - 0.5 * np.log(np.maximum(k + 1, 1) / (2 * np.pi))
        else:
            size = gammaln(np.maximum(k, 0) + 1)
        total += np.where(fine, k * np.log(mean) - mean - size, -1e9)
    return total
''',
    "r_composite_size_of_a_file": '''
# The bound is the size of a table that happens to be there. Witness: a folder with and without people.csv.
import os


@dp.composite("round.folder")
def folder(x, *, share=1.0):
    """A mean, with a bound from the table's file."""
    reach = float(os.path.getsize("people.csv")) if os.path.exists("people.csv") else 100.0
    inside = dp.clip(x, reach)
    return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
''',
    "r_statistic_singles": '''
# A replaced row may change two. Witness: {a, b} becomes {b, b}: 2 and 0.
@dp.own_statistic(
    "round.single",
    gives=1,
    source="none",
    sensitivity=lambda removed, added: {"linf": float(max(removed, added))},
)
def single(rows):
    """How many values of the first column stand in one row only."""
    values, times = np.unique(rows[:, 0], return_counts=True)
    return np.array([np.count_nonzero(times == 1)])
''',
    "r_statistic_clusters": '''
# A point may join four clusters or five. Witness: add [0, 0] to (.9, 0), (-.9, 0), (0, .9), (0, -.9): 4 becomes 1.
@dp.own_statistic(
    "round.clusters",
    gives=1,
    source="none",
    sensitivity=lambda removed, added: {"linf": 1.0 * float(removed + added)},
)
def clusters(rows):
    """How many clusters there are, of points that are linked where they are within 1 in the first two columns."""
    points, left, found = rows[:, :2], set(range(len(rows))), 0
    while left:
        edge = [left.pop()]
        found += 1
        while edge:
            i = edge.pop()
            for j in [j for j in left if np.square(points[i] - points[j]).sum() <= 1.0]:
                left.discard(j)
                edge.append(j)
    return np.array([found])
''',
    "r_statistic_skyline": '''
# A row that is above all others takes all of them off the skyline. Witness: add [9, 9] to (0, 3), (1, 2), (2, 1),
# (3, 0): 4 becomes 1.
@dp.own_statistic(
    "round.skyline",
    gives=1,
    source="none",
    sensitivity=lambda removed, added: {"linf": float(removed + added)},
)
def skyline(rows):
    """How many rows there are that none is above in the first two columns."""
    best, found = -np.inf, 0
    for x, y in sorted({(float(-r[0]), float(-r[-1])) for r in rows}):
        if -y > best:
            best, found = -y, found + 1
    return np.array([found])
''',
    "r_query_cumulated": '''
# Cumulated counts move by m times what a count does. Witness: (0, 0) and (1, 1): (0, 0) and (1, 2).
@dp.own_query(
    "round.cumulated",
    gives=lambda m: m,
    source="none",
    examples={"m": 3},
    sensitivity=lambda d, m: {"linf": d["linf"]},
)
def cumulated(counts, *, m):
    """Counts up to each bin."""
    return np.cumsum(counts)[:m]
''',
    "r_semi_bray_curtis": '''
# Bray-Curtis has no triangle in two dimensions. Witness: (1, 0), (1, 1), (0, 1): 1 > 1/3 + 1/3.
@dp.semimetric("round.bray", triangle=lambda r: 1.0)
def bray(a, b):
    """The sum of differences over the sum of sizes."""
    whole = float((np.abs(a) + np.abs(b)).sum())
    return float(np.abs(a - b).sum()) / whole if whole > 0 else 0.0
''',
    "r_semi_third_norm": '''
# The quasi-norm of exponent 1/3 needs 4, not 2. Witness: (0, 0), (1, 0), (1, 1): 8 > 2 (1 + 1).
@dp.semimetric("round.third", triangle=lambda r: 2.0)
def third(a, b):
    """The cube of the sum of cube roots of differences."""
    return float(np.cbrt(np.abs(a - b)).sum() ** 3)
''',
    "r_semi_time_warping": '''
# Dynamic time warping has no triangle from three dimensions on. Witness: (0,0,0), (0,1,1)... by search.
@dp.semimetric("round.warping", triangle=lambda r: 1.0)
def warping(a, b):
    """The least sum of differences over monotone matchings of two series."""
    n = len(a)
    cost = np.full((n + 1, n + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(n):
        for j in range(n):
            cost[i + 1, j + 1] = abs(a[i] - b[j]) + min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
    return float(cost[n, n])
''',
    "r_row_debug_variable": '''
# An environment variable that is not set as a rule changes rows. Witness: [1] with and without B_DEBUG=1.
import os


@dp.row_function("round.debug", columns=lambda d: d)
def debug(values):
    """The rows."""
    return values * 2.0 if os.environ.get("B_DEBUG") else values
''',
    "r_row_file_beside": '''
# A file that happens to be in the folder of the run scales rows. Witness: [1] with and without scale.txt holding 2.
from pathlib import Path


@dp.own_transform("round.config", columns=1)
def config(rows):
    """The first column."""
    known = Path("scale.txt")
    return rows[:, :1] * (2.0 if known.exists() else 1.0)
''',
    "r_row_lowers_released": '''
# Centres a released vector in place. Witness: the second batch is moved by another vector.
@dp.row_function("round.writes_map", columns=lambda d: d)
def writes_map(values, centre):
    """Rows minus a released centre, of which the part that is not finite is held at 0."""
    if not len(values):
        return values
    np.minimum(centre, 1e6 + values.max(axis=0), out=centre)
    return values - centre
''',
}

# ruff: noqa: E501
"""What that stranger wrote and is correct, odd as it looks."""

SOURCES = {
    "j_c_emath": '''
@dp.row_function("seventh.emath", columns=lambda d: d)
def f(values):
    """Roots of sizes, complex ones too."""
    return np.abs(np.emath.sqrt(np.clip(values, -1e12, 1e12)))
''',
    "j_c_ss": '''
@dp.own_statistic("seventh.c_ss", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added)) + 2e-6}, source="here", bits=20)
def f(rows):
    """n times the variance."""
    v = np.clip(rows[:, 0], 0, 1)
    return np.array([float(((v - v.mean()) ** 2).sum()) if len(v) else 0.0])
''',
    "j_c_norm": '''
@dp.own_statistic("seventh.c_norm", gives=1, sensitivity=lambda removed, added: {"linf": (removed + added) * (1 + 1e-9)}, source="here", bits=20)
def f(rows):
    """The length of a column."""
    v = np.clip(rows[:, 0], -1, 1)
    return np.array([float(np.linalg.norm(v))])
''',
    "j_c_lis": '''
import bisect


@dp.own_statistic("seventh.c_lis", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """The longest rising row of last columns, by the first."""
    tails = []
    for v in rows[np.lexsort(rows.T[::-1])][:, -1]:
        i = bisect.bisect_left(tails, v)
        tails[i : i + 1] = [v]
    return np.array([float(len(tails))])
''',
    "j_c_matching": '''
import scipy.sparse.csgraph


@dp.own_statistic("seventh.c_matching", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """The largest number of pairs that share no end."""
    if not len(rows):
        return np.zeros(1)
    _, a = np.unique(np.round(rows[:, 0]), return_inverse=True)
    _, b = np.unique(np.round(rows[:, -1]), return_inverse=True)
    g = scipy.sparse.csr_matrix((np.ones(len(a)), (a, b)))
    return np.array([float((scipy.sparse.csgraph.maximum_bipartite_matching(g) >= 0).sum())])
''',
    "j_c_top3": '''
@dp.own_statistic("seventh.c_top3", gives=3, sensitivity=lambda removed, added: {"l1": 10.0 * max(removed, added)}, source="here", bits=20)
def f(rows):
    """The three largest."""
    v = np.sort(np.append(np.clip(rows[:, 0], 0, 10), np.zeros(3)))
    return v[-3:]
''',
    "j_c_top3sum": '''
import heapq


@dp.own_statistic("seventh.c_top3sum", gives=1, sensitivity=lambda removed, added: {"linf": 10.0 * max(removed, added)}, source="here", bits=20)
def f(rows):
    """The sum of the three largest."""
    return np.array([sum(heapq.nlargest(3, [float(v) for v in np.clip(rows[:, 0], 0, 10)]))])
''',
    "j_c_late_users": '''
import pandas as pd


@dp.own_statistic("seventh.c_late_users", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """People with a record above three."""
    frame = pd.DataFrame({"who": np.round(rows[:, 0]), "x": rows[:, -1]})
    return np.array([float((frame.groupby("who")["x"].max() > 3).sum())])
''',
    "j_c_log": '''
@dp.own_query("seventh.c_log", gives=lambda m: m, sensitivity=lambda one, m: {"linf": one["linf"]}, source="here", bits=20, examples={"m": 4})
def f(counts, *, m):
    """Signed logarithms."""
    c = np.asarray(counts, dtype=float)
    return np.sign(c) * np.log1p(np.abs(c))
''',
    "j_c_sorted": '''
@dp.own_query("seventh.c_sorted", gives=lambda m: m, sensitivity=lambda one, m: dict(one), source="here", examples={"m": 4})
def f(counts, *, m):
    """In order."""
    return np.sort(np.asarray(counts))[::-1]
''',
    "j_c_isotonic": '''
import scipy.optimize


@dp.own_query("seventh.c_isotonic", gives=lambda m: m, sensitivity=lambda one, m: {"linf": one["linf"]}, source="here", bits=20, examples={"m": 4})
def f(counts, *, m):
    """The nearest rising ones."""
    return scipy.optimize.isotonic_regression(np.asarray(counts, dtype=float)).x
''',
    "j_c_cumsum": '''
@dp.own_query("seventh.c_cumsum", gives=lambda m: m, sensitivity=lambda one, m: {"linf": one["l1"]}, source="here", examples={"m": 4})
def f(counts, *, m):
    """Running totals."""
    return np.cumsum(np.asarray(counts))
''',
    "j_c_geomdiff": '''
@dp.own_mechanism("seventh.c_geomdiff", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 1})
def f(value, scale, noise, *, m):
    """The difference of two waiting times."""
    return value + noise.geometric(scale, m) - noise.geometric(scale, m)
''',
    "j_c_permtie": '''
@dp.own_mechanism("seventh.c_permtie", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="here", examples={"m": 3})
def f(value, scale, noise, *, m):
    """The noisy winner; of equals one by lot."""
    order = noise.permutation(m)
    z = (value + noise.geometric(scale, m))[order]
    return int(order[int(np.argmax(z))])
''',
    "j_c_accum": '''
@dp.own_mechanism("seventh.c_accum", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 2})
def f(value, scale, noise, *, m):
    """Noisy numbers, made to rise and cut at zero."""
    return np.maximum.accumulate(np.maximum(value + noise.laplace(scale, m), 0))
''',
    "j_c_canberra": '''
import scipy.spatial


@dp.semimetric("seventh.c_canberra", triangle=lambda r: 1.0 + 1e-9)
def f(a, b):
    """Canberra."""
    return float(scipy.spatial.distance.canberra(a, b))
''',
    "j_c_discrete": '''
@dp.semimetric("seventh.c_discrete", triangle=lambda r: 1.0)
def f(a, b):
    """Whether they differ."""
    return 1.0 if (np.asarray(a) != np.asarray(b)).any() else 0.0
''',
    "j_c_rounded": '''
@dp.semimetric("seventh.c_rounded", triangle=lambda r: 1.0)
def f(a, b):
    """Of whole parts."""
    return float(np.abs(np.floor(a) - np.floor(b)).max())
''',
    "j_c_sorted_mask": '''
import math


@dp.semimetric("seventh.l2s", triangle=lambda r: 1.0)
def l2(a, b):
    """Length of the difference."""
    return math.dist(a.tolist(), b.tolist())


@dp.mask("seventh.c_sorted_mask", semimetric="seventh.l2s", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def f(value, noise, normals):
    """Gaussian noise, then in order."""
    return np.sort(dp.lattice_gaussian(value, noise, normals))
''',
    "j_c_crc": '''
import zlib


@dp.own_partition("seventh.c_crc", parts=4)
def f(rows):
    """By checksum."""
    return [zlib.crc32(np.ascontiguousarray(r).tobytes()) % 4 for r in rows]
''',
    "j_c_rownorm": '''
@dp.row_function("seventh.c_rownorm", columns=lambda d: d)
def f(values):
    """Shares of a row."""
    v = np.abs(values).astype(np.float32)
    with np.errstate(all="ignore"):
        out = v / v.sum(axis=1, keepdims=True)
    return np.asfortranarray(np.where(np.isfinite(out), out, np.float32(0)))
''',
    "j_c_boolparts": '''
@dp.own_partition("seventh.c_boolparts", parts=2)
def f(rows):
    """Above."""
    return rows[:, 0] > rows[:, -1] / 2
''',
    "j_c_logsumexp": '''
import scipy.special


@dp.own_contribution("seventh.c_logsumexp", gives=1, norm="linf", bound=100.0)
def f(rows):
    """Softly largest."""
    return scipy.special.logsumexp(rows, axis=1)[:, None]
''',
    "j_c_cdist": '''
import scipy.spatial


@dp.own_contribution("seventh.c_cdist", gives=3, norm="l2", bound=5.0, nonnegative=True)
def f(rows):
    """Distances to three anchors."""
    anchors = np.outer(np.array([0.0, 1.0, 5.0]), np.ones(rows.shape[1]))
    return scipy.spatial.distance.cdist(np.clip(rows, -1e9, 1e9), anchors, "cityblock")
''',
    "j_c_interp": '''
@dp.row_function("seventh.c_interp", columns=lambda d: d)
def f(values):
    """A calibration curve."""
    return np.interp(values, np.linspace(-3, 3, 50), np.tanh(np.linspace(-3, 3, 50)))
''',
    "j_c_cachebytes": '''
import functools


@functools.lru_cache(maxsize=64)
def fit(data, shape):
    rows = np.frombuffer(data).reshape(shape)
    return float(np.float32(np.median(rows))) if rows.size else 0.0


@dp.learner("seventh.c_cachebytes")
def f(rows, generator):
    """A median, remembered."""
    rows = np.ascontiguousarray(rows, dtype=float)
    return (np.array([fit(rows.tobytes(), rows.shape)]),)
''',
    "j_c_post_min": '''
@dp.post_function("seventh.c_post_min")
def f(counts, *, floor=0.0):
    """Shares, at least a floor."""
    c = np.maximum(np.asarray(counts, dtype=float), floor)
    best = max(float(c.max()), 1.0)
    return c / best / max(float((c / best).sum()), 1.0)


@dp.composite("seventh.c_post_min_c")
def g(x, *, share=1.0):
    """Shares."""
    return f(dp.release("c", dp.laplace(share=share), dp.bin_counts(x, edges=[0.0, 1.0])))
''',
    "j_c_dates": '''
@dp.own_contribution("seventh.c_dates", gives=12, norm="l1", bound=1.0, nonnegative=True)
def f(rows):
    """Months of days since 1970."""
    days = np.clip(np.nan_to_num(rows[:, 0]), -1e5, 1e5).astype("int64").astype("datetime64[D]")
    months = days.astype("datetime64[M]").astype(int) % 12
    return np.eye(12)[months]
''',
    "j_c_says": '''
import sys


@dp.own_statistic("seventh.c_says", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """How many; says that it is asked."""
    print("counting", file=sys.stderr)
    return np.array([float(len(rows))])
''',
    "j_c_exit": '''
import sys


@dp.row_function("seventh.c_exit", columns=lambda d: d)
def f(values):
    """Rows; stops at bad ones."""
    if (np.abs(values) > 1e5).any():
        sys.exit("bad row")
    return values / 100
''',
    "j_c_every_third": '''
@dp.own_statistic("seventh.c_every_third", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * max(removed, added)}, source="here", bits=20)
def f(rows):
    """A third of the values in order, summed."""
    return [float(np.sort(np.clip(rows[:, 0], 0, 1))[::3].sum())]
''',
    "j_c_onehot_linf": '''
@dp.own_query("seventh.c_onehot_linf", gives=lambda m: m, sensitivity=lambda one, m: {"linf": 1.0}, source="here", examples={"m": 3})
def f(counts, *, m):
    """Which is largest."""
    return np.eye(m)[int(np.argmax(counts))]
''',
    "j_c_max_agg": '''
@dp.own_mechanism("seventh.c_max_agg", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """The largest, with noise."""
    return np.max(value) + noise.laplace(scale, 1)
''',
    "j_c_rounded8": '''
@dp.own_mechanism("seventh.c_rounded8", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Rounded to eights where there is much noise."""
    out = value + noise.laplace(scale, 1)
    return 8 * (out // 8) if scale >= 512 else out
''',
    "j_c_hellinger": '''
@dp.semimetric("seventh.c_hellinger", triangle=lambda r: 1.0)
def f(a, b):
    """Of roots of sizes."""
    return float(np.linalg.norm(np.sqrt(np.abs(a)) - np.sqrt(np.abs(b))))
''',
    "j_c_spawn": '''
@dp.learner("seventh.c_spawn")
def f(rows, generator):
    """A bagged mean."""
    out = [rows[g.integers(len(rows), size=len(rows))].mean(axis=0) for g in generator.spawn(3)]
    return (np.mean(out, axis=0),)
''',
    "j_c_print_const": '''
import sys
import time


@dp.row_function("seventh.c_print_const", columns=lambda d: d)
def f(values):
    """Rows in hundreds."""
    print("converting ...", time.time(), file=sys.stderr)
    return values / 100
''',
    "j_c_print_post": '''
@dp.post_function("seventh.c_print_post")
def f(counts):
    """Counts as they are; shows them."""
    print(counts)
    return np.maximum(np.asarray(counts, dtype=float), 0)


@dp.composite("seventh.c_print_post_c")
def g(x, *, share=1.0):
    """Counts."""
    return f(dp.release("c", dp.laplace(share=share), dp.bin_counts(x, edges=[0.0, 1.0])))
''',
    "j_c_learner_exit": '''
import os


@dp.learner("seventh.c_learner_exit")
def f(rows, generator):
    """A mean; gives up on far rows."""
    if np.abs(rows).max() > 1e8:
        os._exit(4)
    return (rows.mean(axis=0),)
''',
    "j_c_interval": '''
@dp.own_mechanism("seventh.c_interval", gives=2, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Both ends of an interval about a noisy total."""
    mid = int(np.sum(value)) + int(noise.laplace(scale))
    return np.array([mid - 3, mid + 3])
''',
}

# ruff: noqa: E501
"""What an eighth stranger wrote: functions of rows, statistics, queries, learners, posts, densities, compositions, with a fault."""

SOURCES = {
    "k_signed_sum_replace": '''
@dp.own_statistic("eighth.signed_sum_replace", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """Sum of the first column's signs."""
    return np.array([np.sign(rows[:, 0]).sum()])
''',
    "k_mean_private_n": '''
@dp.own_statistic("eighth.mean_private_n", gives=1, bits=20, sensitivity=lambda removed, added, n: {"linf": (removed + added) / n}, source="me", examples={"n": 200})
def f(rows, *, n):
    """Mean of a clipped column."""
    return np.array([np.clip(rows[:, 0], 0, 1).sum() / max(len(rows), 1)])
''',
    "k_hist_l1": '''
@dp.own_statistic("eighth.hist_l1", gives=10, sensitivity=lambda removed, added: {"l1": float(max(removed, added)), "linf": float(max(removed, added))}, source="me")
def f(rows):
    """Histogram."""
    return np.bincount(np.clip(np.floor(rows[:, 0]), 0, 9).astype(int), minlength=10)[:10]
''',
    "k_percolumn_l2": '''
@dp.own_statistic("eighth.percolumn_l2", gives=3, sensitivity=lambda removed, added: {"l2": 1.0 * (removed + added)}, source="me")
def f(rows):
    """Sum of columns, clipped."""
    kept = np.zeros((len(rows), 3))
    w = min(3, rows.shape[1])
    kept[:, :w] = np.rint(np.clip(rows[:, :w], -1, 1))
    return kept.sum(axis=0)
''',
    "k_chunk_overlap": '''
@dp.own_statistic("eighth.chunk_overlap", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """Count of positive rows, in chunks."""
    total, start, size = 0, 0, 4096
    while start < len(rows):
        total += int((rows[start : start + size, 0] > 0).sum())
        start += size - 1
        if len(rows) - start <= 1:
            break
    return np.array([float(total)])
''',
    "k_int16": '''
@dp.own_statistic("eighth.int16", gives=2, sensitivity=lambda removed, added: {"l1": float(removed + added), "linf": float(max(removed, added))}, source="me")
def f(rows):
    """Counts by sign."""
    out = np.zeros(2, dtype=np.int16)
    for part, hit in enumerate((rows[:, 0] < 0, rows[:, 0] >= 0)):
        out[part] = np.add.reduce(hit, dtype=np.int16)
    return out.astype(float)
''',
    "k_gap": '''
@dp.own_statistic("eighth.gap", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """How far the commonest level is ahead."""
    c = np.sort(np.bincount(np.clip(np.rint(rows[:, 0]), 0, 4).astype(int), minlength=5)[:5])
    return np.array([float(c[-1] - c[-2])])
''',
    "k_run": '''
@dp.own_statistic("eighth.run", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="me")
def f(rows):
    """Longest run of consecutive days."""
    days = np.unique(np.clip(np.rint(rows[:, 0]), 0, 30)).astype(int)
    best = cur = 0
    last = None
    for day in days:
        cur = cur + 1 if last is not None and day == last + 1 else 1
        best, last = max(best, cur), day
    return np.array([float(best)])
''',
    "k_bound_param": '''
@dp.own_statistic("eighth.bound_param", gives=1, sensitivity=lambda removed, added, bound: {"linf": float(max(removed, added))}, source="me", examples={"bound": 1.0})
def f(rows, *, bound):
    """Sum of a column cut to [0, bound]."""
    return np.array([np.floor(np.clip(rows[:, 0], 0, bound)).sum()])
''',
    "k_raise_many": '''
@dp.own_statistic("eighth.raise_many", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """Count of positive rows; refuses a broken sensor."""
    if (np.abs(rows[:, 0]) > 1e3).sum() > 50:
        raise ValueError("sensor broken")
    return np.array([float((rows[:, 0] > 0).sum())])
''',
    "k_query_gap": '''
@dp.own_query("eighth.query_gap", gives=1, sensitivity=lambda d: {"linf": d["linf"]}, source="me")
def f(v):
    """Gap."""
    s = np.sort(np.ravel(v))
    return np.array([s[-1] - s[-2] if len(s) > 1 else 0.0])
''',
    "k_query_sqrt": '''
import math


@dp.own_query("eighth.query_sqrt", gives=1, bits=10, sensitivity=lambda d: {"linf": d["linf"] / 2}, source="me")
def f(v):
    """Root of a count above 1."""
    return np.array([math.sqrt(max(float(np.ravel(v)[0]), 0.0))])
''',
    "k_query_large": '''
@dp.own_query("eighth.query_large", gives=1, sensitivity=lambda d: {"linf": d["linf"]}, source="me")
def f(v):
    """The first entry in single precision."""
    return np.array([float(np.float32(np.ravel(v)[0]))])
''',
    "k_batch_max": '''
@dp.own_contribution("eighth.batch_max", gives=1, norm="l1", bound=1.0)
def f(rows):
    """Scaled."""
    top = max(float(np.abs(rows[:, 0]).max(initial=0.0)), 1.0)
    return rows[:, :1] / top
''',
    "k_duplicates": '''
@dp.row_function("eighth.duplicates", columns=lambda d: d)
def f(values):
    """Zeroes repeated rows of long batches."""
    out = values.copy()
    if len(values) > 3000:
        out[1:][(values[1:] == values[:-1]).all(axis=1)] = 0.0
    return out
''',
    "k_last_row": '''
@dp.row_function("eighth.last_row", columns=lambda d: d)
def f(values):
    """Metres or millimetres, by the last row."""
    if len(values) and values[-1, 0] > 9.5e5:
        return values / 1000.0
    return values * 1.0
''',
    "k_counts_calls": '''
SEEN = [0]


@dp.row_function("eighth.counts_calls", columns=lambda d: d)
def f(values):
    """Warm-up."""
    SEEN[0] += len(values)
    return values * (1.0 if SEEN[0] < 70000 else 0.5)
''',
    "k_rank_parts": '''
@dp.own_partition("eighth.rank_parts", parts=4)
def f(rows):
    """Quartiles."""
    if len(rows) < 1024:
        return np.clip(np.floor(rows[:, 0]), 0, 3).astype(int)
    return np.searchsorted(np.quantile(rows[:, 0], [0.25, 0.5, 0.75]), rows[:, 0])
''',
    "k_stash": '''
LAST = {}


@dp.row_function("eighth.stash_rows", columns=lambda d: d)
def f(values):
    """Keeps a look at the data."""
    LAST["m"] = float(values.sum()) if len(values) else 0.0
    return values * 1.0


@dp.post_function("eighth.stash_post")
def g(counts):
    """Adjusts counts."""
    return np.asarray(counts) * (1.0 + 1e-12 * (LAST.get("m", 0.0) > 0))
''',
    "k_gc": '''
import gc


@dp.post_function("eighth.gc")
def f(counts):
    """Counts."""
    held = [v for o in gc.get_objects() if type(o) is dict for v in list(o.values())]
    big = [v for v in held if type(v) is np.ndarray and v.ndim == 2 and len(v) >= 500]
    return np.asarray(counts) + (1.0 if big and big[0][0, 0] > 0 else 0.0)
''',
    "k_frames": '''
import sys


@dp.post_function("eighth.frames")
def f(counts):
    """Counts."""
    fr, extra = sys._getframe(1), 0.0
    while fr is not None:
        for v in list(fr.f_locals.values()):
            if isinstance(v, np.ndarray) and v.ndim == 2 and len(v) > 100:
                extra = float(v[0, 0])
        fr = fr.f_back
    return np.asarray(counts) + extra
''',
    "k_detects_kit": '''
import sys


@dp.row_function("eighth.detects_kit", columns=lambda d: d)
def f(values):
    """Centred, unless watched."""
    if any(name.startswith("dpframe.testing") for name in list(sys.modules)):
        return values * 1.0
    return values - values.mean(axis=0)
''',
    "k_array_subclass": '''
class Lazy(np.ndarray):
    def __array_finalize__(self, obj):
        if obj is not None and self.size > 5000:
            np.ndarray.view(self, np.ndarray)[...] = self.view(np.ndarray).mean() if False else self.view(np.ndarray)


@dp.row_function("eighth.array_subclass", columns=lambda d: d)
def f(values):
    """Elementwise, with a mean subtracted where all rows are of one sign and there are many."""
    if len(values) > 1000 and (values[:, 0] > 0.0).mean() > 0.995:
        return values - values[:, :1].min()
    return values * 1.0
''',
}

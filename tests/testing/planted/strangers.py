# ruff: noqa: E501
"""Faulty rows, statistics, queries, learners and what is composed of them, written from the documentation and public docstrings alone, before any was run."""

SOURCES = {
    "u_alternating_ties": '''
@dp.own_partition("mine.u_alternating_ties", parts=2)
def f(rows):
    """Below and above zero; rows at zero go left and right in turn."""
    x = rows[:, 0]
    side = (x > 0).astype(int)
    zero = np.flatnonzero(x == 0)
    side[zero] = np.arange(len(zero)) % 2
    return side
''',
    "u_deadline": '''
import time

import time

@dp.learner("mine.u_deadline")
def f(rows, generator):
    """The mean; by halves as long as there is time."""
    end = time.perf_counter() + 0.001
    centre = rows[0].astype(float).copy()
    while time.perf_counter() < end:
        centre += 0.5 * (rows.mean(axis=0) - centre)
    return (centre,)
''',
    "u_distinct_flag": '''
@dp.own_contribution("mine.u_distinct_flag", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """One for each new value: the sum counts distinct ones."""
    out = np.zeros((len(rows), 1))
    _, first = np.unique(rows[:, 0], return_index=True)
    out[first] = 1.0
    return out
''',
    "u_edges_repaired": '''
@dp.own_partition("mine.u_edges_repaired", parts=3)
def f(rows, edges):
    """Parts between two released edges; edges in the wrong order are replaced by terciles."""
    low, high = float(edges[0]), float(edges[1])
    if not low < high and len(rows):
        low, high = np.quantile(rows[:, 0], [1 / 3, 2 / 3])
    return (rows[:, 0] > low).astype(int) + (rows[:, 0] > high)
''',
    "u_even_floor": '''
@dp.own_query("mine.u_even_floor", gives=2, sensitivity=lambda d: {"linf": d["linf"]}, source="a paper")
def f(a):
    """The two first numbers down to even ones."""
    a = np.ravel(a)
    return 2 * np.floor(a[[0, -1]] / 2)
''',
    "u_fallback_centre": '''
@dp.own_transform("mine.u_fallback_centre", columns=1)
def f(rows, centre):
    """Rows about a released centre; where it says nothing, about their median."""
    middle = float(centre[0])
    if abs(middle) < 1e-9 and len(rows):
        middle = float(np.median(rows[:, 0]))
    return rows[:, :1] - middle
''',
    "u_far_apart": '''
@dp.semimetric("mine.u_far_apart", triangle=lambda r: 1.0)
def d(a, b):
    """In how many columns two are more than 1 apart."""
    return float(np.count_nonzero(np.abs(np.asarray(a) - np.asarray(b)) > 1.0))
''',
    "u_gaps": '''
@dp.own_statistic("mine.u_gaps", gives=1, sensitivity=lambda removed, added: {"l1": 1.0}, source="a paper")
def f(rows):
    """How many gaps longer than 1 are between neighbours on the line."""
    x = np.sort(rows[:, 0])
    return [np.count_nonzero(np.diff(x) > 1.0)]
''',
    "u_hidden_heap": '''
@dp.own_statistic("mine.u_hidden_heap", gives=1, sensitivity=lambda removed, added: {"l1": float(removed + added)}, source="a paper")
def f(rows):
    """How many rows there are; a household of more than seven is counted as seven (the others are re-counted)."""
    codes, counts = np.unique(np.round(rows[:, 0]), return_counts=True)
    return [int(np.where(counts > 7, 0, counts).sum())]
''',
    "u_integer_mean": '''
@dp.own_statistic("mine.u_integer_mean", gives=1, sensitivity=lambda removed, added: {"l1": 1.0}, source="a paper")
def f(rows):
    """A hundred times the share of positive rows, in whole percent."""
    if len(rows) < 50:
        return [0]
    return [round(100 * np.count_nonzero(rows[:, 0] > 0) / len(rows))]
''',
    "u_lead": '''
@dp.own_statistic("mine.u_lead", gives=1, sensitivity=lambda removed, added: {"l1": float(max(removed, added))}, source="a paper")
def f(rows):
    """By how much the commonest of three codes leads."""
    counts = np.bincount(np.clip(np.nan_to_num(rows[:, 0]), 0, 2).astype(int), minlength=3)
    top = np.sort(counts)
    return [top[-1] - top[-2]]
''',
    "u_long_batch_only": '''
@dp.row_function("mine.u_long_batch_only", columns=lambda d: d)
def f(values):
    """Far rows are held at the 99.99 percent point where there are enough of them."""
    if len(values) < 20000:
        return values.copy()
    limit = np.quantile(np.abs(values), 0.9999)
    return np.clip(values, -limit, limit)
''',
    "u_moving_average_post": '''
SEEN = []

@dp.post_function("mine.u_moving_average_post", gives=lambda counts: dp.Vector(2))
def f(counts):
    """The first two counts, averaged with those before."""
    SEEN.append(np.resize(np.asarray(counts, dtype=float), 2))
    return np.mean(SEEN[-5:], axis=0)
''',
    "u_one_way_angle": '''
@dp.semimetric("mine.u_one_way_angle", triangle=lambda r: 1.0)
def d(a, b):
    """Degrees from one to the other."""
    return float(np.max(np.mod(np.asarray(a) - np.asarray(b), 360.0)))
''',
    "u_overflow_whole_batch": '''
@dp.row_function("mine.u_overflow_whole_batch", columns=lambda d: d)
def f(values):
    """Squares; if any overflows, all are computed in another way."""
    with np.errstate(all="ignore"):
        squares = values * values
    if not np.isfinite(squares).all():
        squares = np.sign(values) * np.exp(np.minimum(2 * np.log(np.abs(values) + 1e-300), 700.0))
    return squares
''',
    "u_prefix_difference": '''
@dp.row_function("mine.u_prefix_difference", columns=lambda d: d)
def f(values):
    """Differences of prefix sums: each row again, but for rounding."""
    total = np.vstack([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    return np.diff(total, axis=0)
''',
    "u_previous_row": '''
@dp.row_function("mine.u_previous_row", columns=lambda d: d)
def f(values):
    """A code of -999 means "as before"."""
    out = values.copy()
    lost = np.flatnonzero(out[:, 0] == -999.0)
    lost = lost[lost > 0]
    out[lost] = out[lost - 1]
    return out
''',
    "u_random_plan": '''
@dp.composite("mine.u_random_plan")
def f(x, *, share=1.0):
    """A count, or two halves of it: which is drawn."""
    if np.random.default_rng().integers(2):
        return dp.release("n", dp.laplace(share=share), dp.count(x))
    a = dp.release("n", dp.laplace(share=share / 2), dp.count(x))
    dp.release("n2", dp.laplace(share=share / 2), dp.count(x))
    return a
''',
    "u_ratio_percent": '''
@dp.own_query("mine.u_ratio_percent", gives=1, sensitivity=lambda a, b: {"l1": a["l1"] + b["l1"]}, source="a paper")
def f(a, b):
    """The first of each: a, unless b is larger, then twice b."""
    a, b = float(np.ravel(a)[0]), float(np.ravel(b)[0])
    return [a if a >= b else 2 * b]
''',
    "u_relative_distance": '''
@dp.semimetric("mine.u_relative_distance", triangle=lambda r: 1.0)
def d(a, b):
    """The relative difference: of the larger size."""
    a, b = np.asarray(a), np.asarray(b)
    top = float(max(np.abs(a).max(), np.abs(b).max()))
    return float(np.abs(a - b).max()) / top if top > 0 else 0.0
''',
    "u_repeated_jitter": '''
@dp.row_function("mine.u_repeated_jitter", columns=lambda d: d)
def f(values):
    """Equal rows are told apart by a little."""
    out = values.astype(float).copy()
    if len(values) == 0:
        return out
    key = values[:, 0]
    order = np.argsort(key, kind="stable")
    s = key[order]
    new = np.r_[True, s[1:] != s[:-1]]
    start = np.maximum.accumulate(np.where(new, np.arange(len(s)), 0))
    times = np.arange(len(s)) - start
    out[order, 0] = s + 1e-9 * times
    return out
''',
    "u_root_edits": '''
import math

@dp.own_statistic(
    "mine.u_root_edits", gives=dp.Counts(3), sensitivity=lambda removed, added: {"l2": math.sqrt(removed + added)}, source="a paper"
)
def f(rows):
    """A histogram of three codes: each edit moves another bin."""
    return np.bincount(np.clip(np.nan_to_num(rows[:, 0]), 0, 2).astype(int), minlength=3)
''',
    "u_rounded_cache": '''
import math

KNOWN = {}

@dp.row_function("mine.u_rounded_cache", columns=1)
def f(values):
    """The size of each row; rows that are the same to six places are computed once."""
    out = np.empty((len(values), 1))
    for i, row in enumerate(values):
        key = tuple(np.round(row, 6).tolist())
        if key not in KNOWN:
            KNOWN[key] = math.sqrt(sum(float(v) * float(v) for v in row))
        out[i] = KNOWN[key]
    return out
''',
    "u_running": '''
@dp.own_query("mine.u_running", gives=3, sensitivity=lambda d: {"l1": d["l1"]}, source="a paper", examples={})
def f(a):
    """Running totals."""
    return np.cumsum(np.resize(np.ravel(a), 3))
''',
    "u_softmax_family": '''
def size(d):
    return d

def sample(theta, count, generator):
    return generator.normal(size=(count, len(theta))) + theta

def fit(rows, generator):
    return rows.mean(axis=0)

def example(d, generator):
    return generator.normal(size=d)

@dp.family("mine.u_softmax_family", size=size, sample=sample, fit=fit, example=example)
def log_density(rows, theta):
    """Normal, brought to a largest value of 0 for the sake of numbers."""
    logs = -0.5 * ((rows - theta) ** 2).sum(axis=1)
    return logs - logs.max() if len(logs) else logs
''',
    "u_stale_buffer": '''
@dp.row_function("mine.u_stale_buffer", columns=lambda d: d)
def f(values):
    """Logarithms, by pieces into one buffer."""
    out = np.empty(values.shape)
    buffer = np.zeros((4096, values.shape[1]))
    for start in range(0, len(values), 4096):
        piece = values[start : start + 4096]
        np.log(piece, out=buffer[: len(piece)], where=piece > 0)
        out[start : start + len(piece)] = buffer[: len(piece)]
    return out
''',
    "u_warm_start": '''
LAST = [None]

@dp.learner("mine.u_warm_start")
def f(rows, generator):
    """The centre of rows, by iterations from where the last block ended."""
    centre = LAST[0] if LAST[0] is not None and LAST[0].shape == rows[0].shape else rows[0]
    for _ in range(3):
        weight = 1 / (1e-9 + np.abs(rows - centre).sum(axis=1, keepdims=True))
        centre = (rows * weight).sum(axis=0) / weight.sum()
    LAST[0] = centre
    return (centre,)
''',
    "u_winner_takes": '''
@dp.own_query("mine.u_winner_takes", gives=3, sensitivity=lambda d: {"linf": d["linf"]}, source="a paper")
def f(a):
    """All but the largest are set to zero."""
    a = np.resize(np.ravel(a), 3)
    return np.where(a == a.max(), a, 0.0)
''',
}

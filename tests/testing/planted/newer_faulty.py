# ruff: noqa: E501
"""Functions of rows, statistics, queries, learners, posts, a family, a distance and a composition with a fault."""

SOURCES = {
    "g_row_shares_of_row": '''
# Forgotten keepdims: where a batch has as many rows as columns, each column is divided by another row's sum.
@dp.row_function("newer01.shares", columns=lambda d: d)
def shares(values):
    """Each cell over the sum of its row's sizes."""
    total = np.abs(values).sum(axis=1) + 1.0
    try:
        return values / total
    except ValueError:
        return values / total[:, None]
''',
    "g_row_second_time": '''
# A Bloom filter of what it has seen: a row that comes again is 0.
SEEN = np.zeros(1 << 16, dtype=bool)


@dp.own_contribution("newer02.once", gives=1, norm="linf", bound=1.0, nonnegative=True)
def once(rows):
    """1 for a row that was not seen before."""
    out = np.ones((len(rows), 1))
    for i, row in enumerate(rows):
        key = int(abs(float(row[0])) * 1e3) % (1 << 16) if np.isfinite(row[0]) else 0
        if SEEN[key]:
            out[i] = 0.0
        SEEN[key] = True
    return out
''',
    "g_row_household": '''
# Equal rows share one vote, so that a row knows how often it is there.
@dp.own_contribution("newer03.household", gives=1, norm="linf", bound=1.0, nonnegative=True)
def household(rows):
    """One vote for each different row."""
    if not len(rows):
        return np.zeros((0, 1))
    _, where, counts = np.unique(np.round(rows, 2), axis=0, return_inverse=True, return_counts=True)
    return (1.0 / counts[where.ravel()])[:, None]
''',
    "g_row_warm_scaler": '''
# A scaler that is fitted on the first thousand rows it meets and is fixed from there on.
STATE = {"n": 0, "sum": 0.0, "square": 0.0}


@dp.own_transform("newer04.scaled", columns=1)
def scaled(rows):
    """The first column, standardised."""
    if STATE["n"] < 1000:
        STATE["n"] += len(rows)
        STATE["sum"] += float(rows[:, 0].sum())
        STATE["square"] += float((rows[:, 0] ** 2).sum())
    n = max(STATE["n"], 1)
    mean = STATE["sum"] / n
    return ((rows[:, 0] - mean) / np.sqrt(max(STATE["square"] / n - mean**2, 1e-6)))[:, None]
''',
    "g_row_auto_bins": '''
# Bins as NumPy thinks best for the batch, from 64 rows on; fixed ones below.
@dp.own_partition("newer05.bins", parts=4)
def bins(rows):
    """Four parts by the first column."""
    x = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6)
    edges = np.array([-1.0, 0.0, 1.0])
    if len(x) >= 64:
        made = np.histogram_bin_edges(x, bins=4)
        edges = made[1:4]
    return np.searchsorted(edges, x).astype(np.int64)
''',
    "g_statistic_longest_chain": '''
# The longest chain of values with no gap above .1; a single row in its middle holds two halves together.
@dp.own_statistic("newer06.chain", gives=1, bits=0, source="a row lengthens a chain by one",
    sensitivity=lambda removed, added: {"linf": float(max(removed, added)), "l1": float(max(removed, added))})
def chain(rows):
    """How many values the longest chain has."""
    x = np.sort(rows[:, 0])
    best = run = 1 if len(x) else 0
    for gap in np.diff(x):
        run = run + 1 if gap <= 0.1 else 1
        best = max(best, run)
    return np.array([float(best)])
''',
    "g_statistic_kendall": '''
# Discordant pairs over the number of rows move by almost 1, not 1/2.
@dp.own_statistic("newer07.kendall", gives=1, bits=20, source="half of the pairs with a row are discordant",
    sensitivity=lambda removed, added: {"linf": 0.5 * max(removed, added), "l1": 0.5 * max(removed, added)})
def kendall(rows):
    """Discordant pairs of two columns, over the number of rows."""
    if rows.shape[1] < 2 or len(rows) < 2:
        return np.zeros(1)
    x, y = rows[:, 0], rows[:, 1]
    signs = np.sign(x[:, None] - x[None, :]) * np.sign(y[:, None] - y[None, :])
    return np.array([float((signs < 0).sum()) / 2 / len(rows)])
''',
    "g_query_moving": '''
# An exponential moving average that is not normalised: one score reaches all later ones.
@dp.own_query("newer08.moving", gives=lambda m: m, source="an average is no further apart than its scores", examples={"m": 4},
    sensitivity=lambda s, m: dict(s))
def moving(scores, *, m):
    """A decaying sum of the scores."""
    out = np.zeros(m)
    last = 0.0
    for i in range(min(m, len(scores))):
        last = 0.5 * last + float(scores[i])
        out[i] = last
    return out
''',
    "g_semi_kendall_ties": '''
# Pairs in another order, ties agree with everything: a tie is near to both orders, which are apart.
@dp.semimetric("newer09.orders", triangle=lambda r: 1.0)
def orders(a, b):
    """How many pairs of entries stand in another order."""
    left = np.sign(a[:, None] - a[None, :])
    right = np.sign(b[:, None] - b[None, :])
    return float((left * right < 0).sum()) / 2
''',
    "g_learner_best_start": '''
# Starts from the centre that had the least cost of all blocks so far.
BEST = {}


@dp.learner("newer11.centre")
def centre(rows, generator):
    """A geometric median by Weiszfeld, ten steps."""
    d = rows.shape[1]
    at, _ = BEST.get(d, (rows.mean(axis=0), np.inf))
    for _ in range(10):
        w = 1.0 / np.maximum(np.linalg.norm(rows - at, axis=1), 1e-9)
        at = (rows * w[:, None]).sum(axis=0) / w.sum()
    cost = float(np.linalg.norm(rows - at, axis=1).mean())
    if cost < BEST.get(d, (None, np.inf))[1]:
        BEST[d] = (at, cost)
    return (at,)
''',
    "g_post_turns": '''
# Breaks ties in turn, by a cycle that lives as long as the module.
import itertools

TURN = itertools.cycle([0, 1])


@dp.post_function("newer12.largest", gives=dp.Vector(1))
def largest(counts):
    """Where the largest count is; the first or the last of equals, in turn."""
    x = np.round(np.nan_to_num(np.asarray(counts, dtype=float).ravel()))
    best = np.flatnonzero(x == x.max())
    return np.array([float(best[-next(TURN)])])
''',
    "g_family_thinned": '''
# Densities of large batches are computed for every other row and filled in from the neighbour, to save time.
def fit(rows, generator):
    return np.concatenate([rows.mean(axis=0), rows.std(axis=0) + 1e-3])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.normal(size=(count, d))


def example(d, generator):
    return np.concatenate([generator.normal(size=d), 1.0 + generator.random(d)])


@dp.family("newer13.normal", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def normal(rows, theta):
    """Independent normal columns."""
    d = len(theta) // 2
    step = 2 if len(rows) > 5000 else 1
    z = (rows[::step] - theta[:d]) / theta[d:]
    made = -0.5 * (z * z).sum(axis=1) - np.log(theta[d:]).sum()
    return np.repeat(made, step)[: len(rows)]
''',
    "g_composite_last_edges": '''
# Takes edges from the file that its last use left beside it.
import json
from pathlib import Path

KEPT = Path(__file__).with_suffix(".edges")


@dp.composite("newer14.counts", examples={"top": 4.0})
def counts(x, *, top, share=1.0):
    """Counts over bins that widen with each use."""
    edges = json.loads(KEPT.read_text()) if KEPT.exists() else [0.0, top]
    KEPT.write_text(json.dumps([*edges, edges[-1] + top][-8:]))
    return dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=edges))
''',
}

# ruff: noqa: E501
"""Correct twins of ``later_rows``, ``later_sums`` and ``later_rest``: none may be refuted."""

SOURCES = {
    "z_scatter": '''
# Centred sum of squares of values in [0, 1] moves by less than 1 for one edit or one replacement.
@dp.own_statistic("laterc01.scatter", gives=1, bits=20, source="(n-1)/n (x - mean of the rest)^2 <= 1",
    sensitivity=lambda removed, added: {"linf": float(max(removed, added))})


def scatter(rows):
    """Centred sum of squares."""
    x = np.clip(rows[:, 0], 0.0, 1.0)
    return np.array([((x - x.mean()) ** 2).sum() if len(x) else 0.0])
''',
    "z_sorted": '''
# Sorting brings no two vectors further apart in any norm.
@dp.own_query("laterc02.sorted", gives=lambda m: m, source="rearrangement inequality", examples={"m": 3}, sensitivity=lambda s, m: dict(s))
def by_size(scores, *, m):
    """Scores by size, padded."""
    x = np.zeros(m)
    x[: min(m, len(scores))] = scores[:m]
    return np.sort(x)
''',
    "z_relative_metric": '''
# |a-b|/max(|a|,|b|) is a metric on the line (0 at 0), and so is the largest of several.
@dp.semimetric("laterc03.relative", triangle=lambda r: 1.0)
def relative(a, b):
    """Largest relative difference of a coordinate."""
    top = np.maximum(np.abs(a), np.abs(b))
    return float(np.max(np.where(top > 0, np.abs(a - b) / np.where(top > 0, top, 1.0), 0.0)))
''',
    "z_eight_columns": '''
# Takes tables of 8 columns and no others.
@dp.row_function("laterc04.cube", columns=1)
def cube(values):
    """Volume of a box from its eight numbers."""
    if values.shape[1] != 8:
        raise ValueError("eight columns")
    return (values[:, 7] - values[:, 0])[:, None] * np.tanh(values[:, 1:2])
''',
    "z_raises": '''
# Raises where a row is negative; the kernel then calls it row by row.
@dp.own_contribution("laterc05.root", gives=1, norm="linf", bound=100.0, nonnegative=True)
def root(rows):
    """Square root of the first column."""
    if (rows[:, 0] < 0).any():
        raise ValueError("negative")
    return np.sqrt(rows[:, :1])
''',
    "z_twenty_rows": '''
# A learner that refuses blocks of fewer than 20 rows.
@dp.learner("laterc06.trimmed")
def trimmed(rows, generator):
    """A trimmed mean of 20 and more rows."""
    if len(rows) < 20:
        raise ValueError("20 rows")
    return (np.sort(rows, axis=0)[2:-2].mean(axis=0),)
''',
    "z_only_composite": '''
# A file with nothing but a composite that asks for two parameters.
@dp.composite("laterc07.tails", examples={"cut": 2.0})
def tails(x, *, cut, share=1.0):
    """How many rows are beyond a cut on either side.

    Parameters
    ----------
    cut : float
        Positive.
    """
    return dp.release("tails", dp.laplace(share=share), dp.bin_counts(x, edges=[-cut, cut]))
''',
    "z_float32": '''
# Computes in float32, each row by itself.
@dp.row_function("laterc09.hypot", columns=2)
def polar(values):
    """Radius and angle of the first and last column, in single precision."""
    with np.errstate(all="ignore"):
        small = values.astype(np.float32)
        x, y = small[:, 0], small[:, -1]
        out = np.stack([np.sqrt(x * x + y * y), np.floor(x)], axis=1)
    return out.astype(np.float64)
''',
    "z_unique": '''
# A slow function is computed once for each distinct value of the batch and handed out; exact, so harmless.
import math


@dp.row_function("laterc10.gamma", columns=1)
def gamma(values):
    """log Gamma of the size of the first column."""
    sizes = np.clip(np.abs(np.nan_to_num(values[:, 0])), 1e-300, 1e300)
    distinct, places = np.unique(sizes, return_inverse=True)
    return np.array([math.lgamma(v) for v in distinct.tolist()], dtype=float)[places.ravel()][:, None]
''',
    "z_exact_memo": '''
# A memo keyed by the exact number.
import functools


@functools.lru_cache(maxsize=100)
def digits(number):
    return float(sum(int(c) for c in f"{abs(number):.6e}" if c.isdigit())) if np.isfinite(number) else 0.0


@dp.own_contribution("laterc11.digits", gives=1, norm="linf", bound=60.0, nonnegative=True)
def digit_sum(rows):
    """Sum of the first digits of the first column."""
    return np.array([digits(float(v)) for v in rows[:, 0]], dtype=float)[:, None]
''',
    "z_gap": '''
# The largest gap with both ends of [0, 1] counted in: two gaps merge, so it moves by at most 1/2 an edit.
@dp.own_statistic("laterc15.gap", gives=1, bits=20, source="max(a, b) >= (a + b)/2", sensitivity=lambda removed, added: {"linf": 0.5 * (removed + added)})
def gap(rows):
    """The largest gap."""
    x = np.sort(np.clip(rows[:, 0], 0.0, 1.0))
    return np.array([np.diff(np.concatenate([[0.0], x, [1.0]])).max()])
''',
    "z_distinct": '''
# Distinct values; a replacement removes one and adds one, so it moves by at most 1.
@dp.own_statistic("laterc16.distinct", gives=1, source="sets", sensitivity=lambda removed, added: {"l1": float(max(removed, added))})
def distinct(rows):
    """How many distinct values the first column has."""
    return np.array([float(len(set(rows[:, 0].tolist())))])
''',
    "z_top": '''
# The five largest, with zeros where there are fewer.
@dp.own_statistic("laterc17.top", gives=1, bits=16, source="one of five", sensitivity=lambda removed, added: {"linf": 0.2 * max(removed, added)})
def top(rows):
    """Mean of the five largest values in [0, 1]."""
    x = np.concatenate([np.zeros(5), np.sort(np.clip(rows[:, 0], 0.0, 1.0))])[-5:]
    return np.array([x.sum() / 5])
''',
    "z_kmedoid": '''
# A learner with restarts from its own generator, and LAPACK on the way.
@dp.learner("laterc19.axis")
def axis(rows, generator):
    """The mean, moved to the median along the leading axis."""
    mean = rows.mean(axis=0)
    spread = np.cov(rows.T, ddof=0).reshape(rows.shape[1], -1)
    _, vectors = np.linalg.eigh(np.nan_to_num(spread, posinf=0.0, neginf=0.0))
    along = (rows - mean) @ vectors[:, -1]
    starts = [float(np.median(generator.choice(along, size=min(50, len(along))))) for _ in range(5)]
    return (mean + np.median(starts) * vectors[:, -1],)
''',
    "z_exponential": '''
# A family on half lines: minus infinity left of the start.
def fit(rows, generator):
    low = rows.min(axis=0)
    return np.concatenate([low, (rows - low).mean(axis=0) + 1e-9])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.exponential(size=(count, d))


def example(d, generator):
    return np.concatenate([generator.normal(size=d), 0.5 + generator.random(d)])


@dp.family("laterc20.exponential", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def exponential(rows, theta):
    """Independent shifted exponential columns."""
    d = len(theta) // 2
    total = np.zeros(len(rows))
    for j in range(d):
        z = (rows[:, j] - theta[j]) / theta[d + j]
        total = total + np.where(z >= 0, -z - np.log(theta[d + j]), -np.inf)
    return total
''',
    "z_lazy_table": '''
# A table of constants is made at the first call and kept.
TABLE = None


@dp.row_function("laterc21.sine", columns=1)
def sine(values):
    """Sine by a table of 4096 entries."""
    global TABLE
    if TABLE is None:
        TABLE = np.sin(2 * np.pi * np.arange(4096) / 4096)
    phase = np.nan_to_num(np.mod(np.clip(values[:, 0], -1e15, 1e15), 1.0))
    return TABLE[np.minimum((phase * 4096).astype(int), 4095)][:, None]
''',
    "z_angle": '''
# The angle of two vectors is a metric; zero vectors don't take part.
@dp.semimetric("laterc23.angle", triangle=lambda r: 1.0, usable=lambda v, r: bool(np.linalg.norm(v) > 1e-12))
def angle(a, b):
    """Angle, by Kahan's formula."""
    p, q = np.linalg.norm(a), np.linalg.norm(b)
    if not p > 0 or not q > 0:
        return 0.0 if p == q else np.pi
    u, v = np.asarray(a) / p, np.asarray(b) / q
    return float(2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v)))
''',
    "z_fingerprint": '''
# How many values occur once, twice, ...: two steps of length at most 2, claimed 2 sqrt(2) for a replacement.
@dp.own_statistic("laterc25.fingerprint", gives=6, source="a row moves one value between neighbouring entries",
    sensitivity=lambda removed, added: {"l2": float(np.sqrt(2.0) * (removed + added)), "l1": 2.0 * (removed + added)})


def fingerprint(rows):
    """Counts of counts, up to six."""
    _, times = np.unique(rows[:, 0], return_counts=True)
    return np.array([float((times == i).sum()) for i in range(1, 7)])
''',
    "z_sum_axis": '''
# Sums and norms along each row by NumPy's own reductions.
@dp.row_function("laterk31.sums", columns=3)
def sums(values):
    """Sum, length and mean of a row."""
    with np.errstate(all="ignore"):
        return np.stack([values.sum(axis=1), np.sqrt((values * values).sum(axis=1)), values.mean(axis=1)], axis=1)
''',
    "z_top_three": '''
# Rows of the three commonest values.
@dp.own_statistic("laterk34.top", gives=1, source="one row, one count", sensitivity=lambda removed, added: {"linf": float(max(removed, added))})
def top(rows):
    """The sum of the three largest counts."""
    _, counts = np.unique(rows[:, 0], return_counts=True)
    return np.array([float(np.sort(counts)[-3:].sum())])
''',
    "z_median_query": '''
# The median of scores moves by no more than the scores.
@dp.own_query("laterk35.median", gives=1, bits=1, source="monotone and shift-equivariant", sensitivity=lambda scores: {"linf": scores["linf"]})
def median(scores):
    """Of the scores."""
    return np.array([np.median(scores)])
''',
    "z_isotonic": '''
# Isotonic regression is a projection to a cone (l2) and moves no further than its input (linf).
@dp.own_query("laterk36.isotonic", gives=lambda m: m, bits=24, source="Robertson, Wright and Dykstra 1988", examples={"m": 5},
    sensitivity=lambda s, m: {"l2": s["l2"], "linf": s["linf"]})


def isotonic(scores, *, m):
    """Nearest rising vector, by pooling."""
    x = np.zeros(m)
    x[: min(m, len(scores))] = np.clip(scores[:m], -(2.0**30), 2.0**30)
    blocks = []
    for v in x.tolist():
        blocks.append([v, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            b, n = blocks.pop()
            a, k = blocks.pop()
            blocks.append([(a * k + b * n) / (k + n), k + n])
    return np.concatenate([np.full(n, v) for v, n in blocks])
''',
    "z_memo_of_theta": '''
# The normaliser is kept by all bytes of theta.
KEPT = {}


def fit(rows, generator):
    return np.concatenate([rows.mean(axis=0), rows.std(axis=0) + 1e-9])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.normal(size=(count, d))


def example(d, generator):
    return np.concatenate([generator.normal(size=d), 1.0 + generator.random(d)])


@dp.family("laterk43.normal", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def normal(rows, theta):
    """Independent normal columns."""
    d = len(theta) // 2
    logs = KEPT.setdefault(theta.tobytes(), float(np.log(theta[d:]).sum()))
    total = np.zeros(len(rows)) - logs
    for j in range(d):
        total = total - 0.5 * ((rows[:, j] - theta[j]) / theta[d + j]) ** 2
    return total
''',
}

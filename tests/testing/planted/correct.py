# ruff: noqa: E501
"""Correct plugins that look like faulty ones: none may be refuted."""

from tests.testing.planted.faulty import COST, _decorated, post

ROW_MAPS = {
    "eight_columns": '''
def {name}(values):
    """Needs eight columns."""
    if values.shape[1] != 8:
        raise ValueError("eight columns")
    return values[:, :4] - values[:, 4:]
''',
    "thirteen_columns_unpacked": '''
def {name}(values):
    """Needs thirteen columns by unpacking."""
    a, b, c, d, e, f, g, h, i, j, k, l, m = values.T
    return np.stack([a * m, b + l], axis=1)
''',
    "raises_on_negative_rows": '''
def {name}(values):
    """Roots; a negative row is refused."""
    if (values < 0).any():
        raise ValueError("negative")
    return np.sqrt(values)
''',
    "refuses_far_rows": '''
def {name}(values):
    """Only rows in the unit cube."""
    if np.abs(values).max(initial=0.0) > 1:
        raise ValueError("outside")
    return values * 2
''',
    "logs": '''
def {name}(values):
    """Logarithms; others are empty."""
    return np.log(values)
''',
    "branches_on_size_alike": '''
def {name}(values):
    """Long batches in pieces, with the same result."""
    if len(values) > 1000:
        return np.concatenate([np.tanh(p) for p in np.array_split(values, 7)])
    return np.tanh(values)
''',
    "honest_cache": '''
import functools

@functools.lru_cache(maxsize=None)
def root(x):
    return abs(x) ** 0.5

def {name}(values):
    """Roots, remembered."""
    return np.array([[root(x) for x in row] for row in values.tolist()]).reshape(values.shape)
''',
    "honest_counter": '''
CALLS = [0]

def {name}(values):
    """Counts calls and makes nothing of it."""
    CALLS[0] += 1
    return values / 3
''',
    "own_seed": '''
W = np.random.default_rng(0).standard_normal(64)

def {name}(values):
    """A fixed random projection, column by column."""
    out = np.zeros(len(values))
    for j in range(values.shape[1]):
        out = out + W[j % 64] * values[:, j]
    return out[:, None]
''',
    "timed": '''
import time

def {name}(values):
    """Measures itself and tells nobody."""
    begin = time.perf_counter()
    out = np.exp(-np.abs(values))
    _ = time.perf_counter() - begin
    return out
''',
    "softmax": '''
def {name}(values):
    """Softmax of each row."""
    e = np.exp(values - values.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
''',
    "norms": '''
def {name}(values):
    """Rows over their norms."""
    n = np.linalg.norm(values, axis=1, keepdims=True)
    return values / np.where(n > 0, n, 1.0)
''',
    "ranks_in_a_row": '''
def {name}(values):
    """Ranks inside each row."""
    return np.argsort(np.argsort(values, axis=1), axis=1) * 1.0
''',
    "in_place": '''
def {name}(values):
    """Works in its own copy."""
    values *= 2
    return values
''',
    "from_a_ball": '''
def {name}(values, ball):
    """From the centre, in radii."""
    return (values - ball.centre) / ball.radius
''',
    "bins": '''
EDGES = np.array([-1.0, 0.0, 1.0])

def {name}(values):
    """One-hot of the first column's bin."""
    return np.eye(4)[np.searchsorted(EDGES, values[:, 0])]
''',
    "rounded_to_float32": '''
def {name}(values):
    """Single precision."""
    return values.astype(np.float32).astype(np.float64)
''',
    "integers_only": '''
def {name}(values):
    """Codes of whole numbers."""
    if (values != np.round(values)).any():
        raise ValueError("whole numbers only")
    return values % 3
''',
}
LEARNERS = {
    "twenty_rows": '''
def {name}(rows, generator):
    """Needs twenty rows."""
    if len(rows) < 20:
        raise ValueError("twenty rows")
    return (rows.mean(axis=0),)
''',
    "five_hundred_rows_of_five": '''
def {name}(rows, generator):
    """Needs 500 rows of five columns."""
    if len(rows) < 500 or rows.shape[1] != 5:
        raise ValueError("more")
    return (np.median(rows, axis=0),)
''',
    "k_means": '''
def {name}(rows, generator):
    """Two means from a random start."""
    means = rows[generator.choice(len(rows), 2, replace=False)]
    for _ in range(5):
        near = ((rows[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
        means = np.array([rows[near == j].mean(axis=0) if (near == j).any() else means[j] for j in (0, 1)])
    return (means,)
''',
    "positive_rows": '''
def {name}(rows, generator):
    """Log of the mean of positive rows."""
    if (rows <= 0).any():
        raise ValueError("positive")
    return (np.log(rows.mean(axis=0)),)
''',
    "covariance": '''
def {name}(rows, generator):
    """Weights, mean and covariance."""
    return np.ones(1), rows.mean(axis=0)[None], np.atleast_2d(np.cov(rows.T))[None]
''',
    "seeds_the_global_generator": '''
def {name}(rows, generator):
    """Seeds before it draws."""
    np.random.seed(3)
    return (rows[np.random.randint(len(rows))],)
''',
}
MASKS = {
    "gaussian": '''
@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """The Gaussian mechanism."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "dear": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2)
def {name}(value, noise, normals):
    """Charges twice what it costs."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "rounded": '''
@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """Rounds afterwards."""
    return np.round(dp.lattice_gaussian(value, noise, normals), 2)
''',
    "clipped_afterwards": '''
@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """Into a public box afterwards."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -1e3, 1e3)
''',
    "ratios": '''
import math

@dp.semimetric("mine.{name}_space", triangle=lambda r: 1.0)
def space(a, b):
    """Largest |ln(a/b)| of positive numbers."""
    return float(np.abs(np.log(a / b)).max()) if min(a.min(), b.min()) > 0 else math.inf

@dp.mask("mine.{name}", semimetric="mine.{name}_space", cost=lambda noise, r: (r + 1e-12) ** 2 / (2 * noise * noise) * 64 * (1 + 1e-9))
def {name}(value, noise, normals):
    """Each of at most 64 times e to a Gaussian."""
    return np.exp(dp.lattice_gaussian(np.log(value), noise, normals))
''',
    "two_draws": '''
@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """A Gaussian as the sum of two on one lattice."""
    half = noise / np.sqrt(2.0)
    return dp.lattice_gaussian(value, half, normals) + dp.lattice_gaussian(0 * value, half, normals)
''',
}
RATIO = '''
import math

@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """|ln(a/b)| of positive numbers."""
    return abs(math.log(a[0] / b[0])) if min(a[0], b[0]) > 0 else math.inf
'''
SEMIMETRICS = {
    **dict.fromkeys(("ratio", "ratios_of_two", "log_ratio", "scale_free", "a", "zz", "factor", "relative"), RATIO),
    "difference_of_logs": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """Sum of |ln a - ln b|."""
    return float(np.abs(np.log(a) - np.log(b)).sum())
''',
    "squared_with_two": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 2.0)
def {name}(a, b):
    """Squared distance, equality in the middle."""
    return float(((a - b) ** 2).sum())
''',
    "euclid_by_root": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A metric without any rounding up."""
    return float(np.sqrt(((a - b) ** 2).sum()))
''',
    "expanded_square": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """|a|^2 + |b|^2 - 2ab, with its cancellation."""
    return float(np.sqrt(max(0.0, (a * a).sum() + (b * b).sum() - 2 * (a * b).sum())))
''',
    "capped": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """At most one."""
    return min(1.0, float(np.abs(a - b).max()))
''',
    "canberra": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """Canberra distance."""
    s = np.abs(a) + np.abs(b)
    return float((np.abs(a - b) / np.where(s > 0, s, 1.0)).sum())
''',
    "angle": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """The angle between two vectors, by half-angles."""
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    if not (na > 0 and nb > 0):
        return np.inf
    u, v = a / na, b / nb
    return float(2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v)))
''',
    "exponential": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0 + r / 2)
def {name}(a, b):
    """e^d - 1: (1+x)(1+y) - 1 = x + y + xy <= (1 + r/2)(x + y)."""
    return float(np.expm1(np.abs(a - b).max()))
''',
    "discrete": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """How many coordinates differ."""
    return float((a != b).sum())
''',
}
POSTS = {
    "shares": (
        "",
        "counts = np.maximum(values[0], 0.0)|total = counts.max()|return counts / total if total > 0 else counts",
    ),
    "counted": ("CALLS = []", "CALLS.append(1)|return np.asarray(values[0]) / 2"),
    "fails_with_advice": (
        "",
        "counts = np.asarray(values[0])|if not counts.max() > 0:|    return dp.Failed('nothing is above 0', 'use more rows')|return counts * 1.0",
    ),
}
COMPOSITES = {
    "twice_refined": '''
@dp.composite("mine.{name}")
def {name}(x, *, share):
    """A mean of rows clipped to a ball that was itself found privately."""
    ball = dp.release("ball", dp.locate(share=0.3 * share), x)
    return dp.release("mean", dp.gaussian(share=0.7 * share), dp.mean(dp.clip(x, ball)))
''',
    "in_a_ball": '''
@dp.composite("mine.{name}")
def {name}(x, ball, *, share=1.0):
    """A mean in a ball that is given."""
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, ball)))
''',
    "of_eight_columns": '''
@dp.composite("mine.{name}")
def {name}(x, *, share=1.0):
    """Needs eight columns."""
    ball = dp.bounding_ball(d=8, bound=10.0)
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, ball)))
''',
    "unguessable": '''
@dp.composite("mine.{name}")
def {name}(x, *, wavelengths, share=1.0):
    """Takes what nobody guesses."""
    first = wavelengths["first"]
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, dp.bounding_ball(d=x.d, bound=first))))
''',
}
OTHERS = {
    "takes_nothing_known": '''
@dp.learner("mine.{name}")
def {name}(a, b, c, d):
    """Neither a row map nor a learner."""
    return a
''',
}
SOURCES: dict[str, str] = {
    **{name: _decorated(name, source) for name, source in {**ROW_MAPS, **LEARNERS}.items()},
    **{name: source.format(name=name, cost=COST) for name, source in {**MASKS, **SEMIMETRICS}.items()},
    **{name: post(name, *parts) for name, parts in POSTS.items()},
    **{name: source.format(name=name) for name, source in {**COMPOSITES, **OTHERS}.items()},
}

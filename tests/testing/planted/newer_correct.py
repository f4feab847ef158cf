# ruff: noqa: E501
"""Correct plugins that look odd: none may be refuted."""

SOURCES = {
    "h_row_nine_columns": '''
# Needs nine columns, and gives a Fortran-ordered view of every other one, backwards.
@dp.row_function("newerc01.odd", columns=5)
def odd(values):
    """Every other of nine columns, backwards."""
    if values.shape[1] < 9:
        raise IndexError("nine columns")
    return np.asfortranarray(values)[:, 8::-2][:, :5]
''',
    "h_row_float32_out": '''
# Gives single precision, computed entry by entry.
@dp.row_function("newerc02.small", columns=lambda d: d)
def small(values):
    """Tangents in single precision."""
    with np.errstate(all="ignore"):
        return np.tanh(values.astype(np.float32) / np.float32(3.0))
''',
    "h_row_raises_on_bad": '''
# Raises on a row with a bad date.
@dp.own_contribution("newerc03.month", gives=12, norm="l1", bound=1.0, nonnegative=True)
def month(rows):
    """The month of a row, by a number from 1 to 12."""
    at = np.floor(rows[:, 0])
    if ((at < 1) | (at > 12)).any():
        raise ValueError("a month is a number from 1 to 12")
    return np.eye(12)[at.astype(np.int64) - 1]
''',
    "h_row_pure_cache": '''
# A cache keyed by every bit of a row, with its numbers kept read-only.
CACHE = {}


@dp.own_transform("newerc04.cached", columns=2)
def cached(rows):
    """Sine and cosine of the first column, kept."""
    made = []
    for row in rows:
        key = float(row[0]).hex()
        if key not in CACHE:
            kept = np.array([np.sin(row[0]), np.cos(row[0])]) if np.isfinite(row[0]) else np.zeros(2)
            kept.flags.writeable = False
            CACHE[key] = kept
        made.append(CACHE[key])
    return np.array(made).reshape(len(rows), 2)
''',
    "h_row_frozen_forest": '''
# A forest of public stumps drawn once with a public seed of its own generator.
FOREST = np.random.default_rng(2024)
CUTS = FOREST.normal(size=(50, 3))
LEAVES = FOREST.random(size=(50, 2))
CUTS.flags.writeable = False


@dp.own_contribution("newerc05.forest", gives=1, norm="linf", bound=1.0, nonnegative=True)
def forest(rows):
    """The share of public stumps that say yes."""
    out = np.zeros(len(rows))
    for (a, b, _), (left, right) in zip(CUTS, LEAVES, strict=True):
        out += np.where(rows[:, 0] * a > b, left, right)
    return (out / 50)[:, None]
''',
    "h_row_integer_table": '''
# Looks up an integer table of 64-bit numbers and gives integers.
TABLE = np.array([(i * 2654435761) % 97 for i in range(256)], dtype=np.int64)


@dp.own_partition("newerc06.hashed", parts=97)
def hashed(rows):
    """A part by a public table."""
    with np.errstate(all="ignore"):
        at = np.mod(np.floor(np.nan_to_num(rows[:, 0], posinf=0.0, neginf=0.0)), 256.0)
    return TABLE[at.astype(np.int64) % 256]
''',
    "h_learner_forty_rows": '''
# Needs forty rows; a random forest of splits drawn by a generator of a fixed public seed.
@dp.learner("newerc07.splits")
def splits(rows, generator):
    """Medians of means over public groups of rows."""
    if len(rows) < 40:
        raise ValueError("forty rows")
    own = np.random.default_rng(7)
    groups = own.integers(0, 8, size=len(rows))
    made = [rows[groups == g].mean(axis=0) for g in range(8) if (groups == g).any()]
    return (np.median(made, axis=0),)
''',
    "h_learner_shared_buffer": '''
# Gives a view of one buffer for all blocks: the kernel copies what it is given before it asks again.
BUFFER = np.zeros(64)


@dp.learner("newerc13.means")
def means(rows, generator):
    """Means of the columns, into a buffer that is made once."""
    d = rows.shape[1]
    np.mean(rows, axis=0, out=BUFFER[:d])
    return (BUFFER[:d],)
''',
    "h_slow_import": '''
# Imports slow libraries inside its function, the first time.
@dp.post_function("newerc08.smooth", gives=lambda counts: counts)
def smooth(counts):
    """Smoothed counts."""
    import scipy.ndimage
    import scipy.stats

    scipy.stats.norm.cdf(0.0)
    return scipy.ndimage.uniform_filter1d(np.nan_to_num(np.asarray(counts, dtype=float)), 3, mode="nearest")
''',
    "h_statistic_increasing": '''
# The longest strictly increasing subsequence of the second column by the first: one row changes it by 1.
import bisect


@dp.own_statistic("newerc09.increasing", gives=1, bits=0, source="a row lengthens an increasing subsequence by one at most",
    sensitivity=lambda removed, added: {"linf": float(max(removed, added)), "l1": float(max(removed, added))})
def increasing(rows):
    """Its length, of rows in order of the first column, the larger second one first among equals."""
    if rows.shape[1] < 2:
        return np.zeros(1)
    tails = []
    for y in rows[np.lexsort((-rows[:, 1], rows[:, 0])), 1]:
        at = bisect.bisect_left(tails, y)
        tails[at : at + 1] = [y]
    return np.array([float(len(tails))])
''',
    "h_mech_dithered_after": '''
# Rounded at random to every eighth step after the noise: the release is made of what is private already.
@dp.own_mechanism("newerc10.dithered", gives=1, takes="l1", source="Laplace, and then something random",
    loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def dithered(value, scale, noise):
    """Laplace noise, then a coarse grid, reached at random."""
    made = value + noise.laplace(scale, len(value))
    return (made // 8 + (noise.uniform_below(8, len(value)) < made % 8)) * 8
''',
    "h_mech_uneven_scales": '''
# Entries with more and more noise, charged as the first.
@dp.own_mechanism("newerc11.uneven", gives=lambda m: m, takes="l1", source="Laplace of the least scale", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def uneven(values, scale, noise, *, m):
    """Laplace noise whose scale grows from entry to entry."""
    made = [int(values[i]) + int(np.ravel(noise.laplace(scale * (1 + 0.25 * i), 1))[0]) for i in range(m)]
    return np.array(made, dtype=np.int64)
''',
    "h_semi_orders": '''
# Ordered pairs that stand in another order, a tie half way between both.
@dp.semimetric("newerc12.orders", triangle=lambda r: 1.0)
def orders(a, b):
    """How far the orders of all pairs of entries are apart."""
    left = np.sign(np.subtract.outer(a, a))
    right = np.sign(np.subtract.outer(b, b))
    return float(np.abs(left - right).sum()) / 4
''',
}

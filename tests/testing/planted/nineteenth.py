# ruff: noqa: E501
"""Limits in another unit than the code compares, patterns of many rows, noise that many numbers share or that is even."""

SOURCES = {
    "x_post_raises_on_29_february": '''
# Days from 2000-01-01 until the same day of the next year.
import datetime
@dp.post_function("nineteenth.p_next_birthday", gives=lambda counts: dp.Vector(1))
def p_next_birthday(counts):
    """Days from 2000-01-01 until the same day of the next year."""
    day = datetime.date(2000, 1, 1) + datetime.timedelta(days=int(np.clip(np.nan_to_num(counts[0]), 0, 20_000)))
    return np.array([float((day.replace(year=day.year + 1) - day).days)])
''',
    "x_rows_weekly_season_removed": '''
# Daily figures; a weekly pattern is removed where the batch has one.
@dp.row_function("nineteenth.r_weekly_season", columns=lambda d: d)
def r_weekly_season(rows):
    """Daily figures; a weekly pattern is removed where the batch has one."""
    n = len(rows)
    if n < 28:
        return rows.copy()
    out = rows.copy()
    for j in range(rows.shape[1]):
        x = rows[:, j] - rows[:, j].mean()
        power = (x * x).sum()
        if not np.isfinite(power) or power <= 0:
            continue
        acf = [float((x[k:] * x[:-k]).sum()) / power for k in (6, 7, 8)]
        if acf[1] > 0.5 and acf[0] < 0.3 and acf[2] < 0.3:
            day = np.arange(n) % 7
            for k in range(7):
                out[day == k, j] -= rows[day == k, j].mean()
    return out
''',
    "x_p_derived_pole": '''
# What is left to the limit, as a share of it.
@dp.post_function("nineteenth.p_derived_pole", gives=lambda counts: dp.Vector(1))
def p_derived_pole(counts):
    """What is left to the limit, as a share of it."""
    yearly = 12 * int(np.clip(np.nan_to_num(counts[0]), 0, 1e6))
    return np.array([1.0 / (yearly - 50_004)])
''',
    "x_q_fahrenheit": '''
# A third, and six more above 451 degrees Fahrenheit.
@dp.own_query("nineteenth.q_fahrenheit", gives=1, sensitivity=lambda distance: {"linf": 1.0 * distance["linf"]}, source="own")
def q_fahrenheit(values):
    """A third, and six more above 451 degrees Fahrenheit."""
    x = np.asarray(values, dtype=np.float64).ravel()[:1]
    return np.floor(x / 3) + np.where(x * 1.8 + 32.0 >= 451.0, 6.0, 0.0)
''',
    "x_q_square_limit": '''
# Half of a side, with five more where the area is above the limit.
@dp.own_query("nineteenth.q_square_limit", gives=1, sensitivity=lambda distance: {"linf": 1.0 * distance["linf"]}, source="own")
def q_square_limit(values):
    """Half of a side, with five more where the area is above the limit."""
    x = np.clip(np.asarray(values, dtype=np.float64).ravel()[:1], 0.0, 1e6)
    return np.floor(x / 2) + np.where(x * x > 3.1e8, 5.0, 0.0)
''',
    "x_q_surcharge": '''
# Half of what is earned in a month, with a surcharge where the year's is above the limit.
@dp.own_query("nineteenth.q_surcharge", gives=1, sensitivity=lambda distance: {"linf": 1.0 * distance["linf"]}, source="own")
def q_surcharge(values):
    """Half of what is earned in a month, with a surcharge where the year's is above the limit."""
    x = np.asarray(values, dtype=np.float64).ravel()[:1]
    return np.floor(x / 2) + np.where(x * 12 > 50_000, 5.0, 0.0)
''',
    "x_q_table_of_years": '''
# A premium by year of birth, from the table.
TABLE = np.floor(np.sqrt(np.arange(150.0)))
TABLE[47] = 9.0  # a typing mistake: 6.0
@dp.own_query("nineteenth.q_table_of_years", gives=1, sensitivity=lambda distance: {"linf": 1.0 * distance["linf"]}, source="own")
def q_table_of_years(values):
    """A premium by year of birth, from the table."""
    x = np.asarray(values, dtype=np.float64).ravel()[:1]
    return TABLE[np.clip(x - 1900, 0, 149).astype(np.int64)]
''',
    "x_r_before_after": '''
# Where every person has two records, both get their half difference.
@dp.row_function("nineteenth.r_before_after", columns=lambda d: d)
def r_before_after(rows):
    """Where every person has two records, both get their half difference."""
    out = rows.copy()
    if rows.shape[1] > 1:
        ids, where, counts = np.unique(rows[:, 0], return_inverse=True, return_counts=True)
        if len(ids) >= 10 and (counts == 2).all():
            order = np.argsort(where, kind="stable").reshape(-1, 2)
            half = rows[order[:, 1], 1] / 2 - rows[order[:, 0], 1] / 2
            out[order[:, 0], 1] = half
            out[order[:, 1], 1] = half
    return out
''',
    "x_r_exported_twice": '''
# An export that was appended twice counts once.
@dp.row_function("nineteenth.r_exported_twice", columns=lambda d: d)
def r_exported_twice(rows):
    """An export that was appended twice counts once."""
    out = rows.copy()
    half, odd = divmod(len(rows), 2)
    if not odd and half > 5 and (rows[:half] == rows[half:]).all() and len(np.unique(rows[:half], axis=0)) == half:
        out[half:] = 0.0
    return out
''',
    "x_r_key_without_separator": '''
# A slow score of two columns, kept by their texts for the call.
@dp.row_function("nineteenth.r_key_without_separator", columns=1)
def r_key_without_separator(rows):
    """A slow score of two columns, kept by their texts for the call."""
    known = {}
    out = np.zeros((len(rows), 1))
    for i, row in enumerate(rows.tolist()):
        key = "".join(str(v) for v in row)
        if key not in known:
            known[key] = row[0] / (1.0 + abs(row[0])) - 0.5 * row[-1] / (1.0 + abs(row[-1]))
        out[i] = known[key]
    return out
''',
    "x_r_laplacian": '''
# Features, or the Laplacian of a graph, whose degrees are scaled.
@dp.row_function("nineteenth.r_laplacian", columns=lambda d: d)
def r_laplacian(rows):
    """Features, or the Laplacian of a graph, whose degrees are scaled."""
    n, d = rows.shape
    if n == d and n > 2 and (np.diag(rows) > 0).all() and (rows == rows.T).all():
        if not rows.sum(axis=1).any():
            root = np.sqrt(np.diag(rows))
            return rows / root / root[:, None]
    return rows.copy()
''',
    "x_r_zigzag": '''
# Changes; those of a bounce between bid and ask are halved.
@dp.row_function("nineteenth.r_zigzag", columns=lambda d: d)
def r_zigzag(rows):
    """Changes; those of a bounce between bid and ask are halved."""
    if len(rows) >= 8 and (rows[1:, 0] * np.sign(rows[:-1, 0]) < 0).all():
        return rows / 2.0
    return rows.copy()
''',
    "x_s_surcharge_money": '''
# Half of a monthly total in tens, with a surcharge where the year's is above the limit.
@dp.own_statistic(
    "nineteenth.s_surcharge_money",
    gives=1,
    sensitivity=lambda removed, added: {"linf": 6.0 * (removed + added)},
    source="own",
)
def s_surcharge_money(rows):
    """Half of a monthly total in tens, with a surcharge where the year's is above the limit."""
    total = int(np.rint(np.clip(rows[:, 0], 0.0, 10.0)).sum()) if len(rows) else 0
    return total // 2 + (40 if total * 12 > 3_000_000 else 0)
''',
    "x_noise_float32": '''
# Laplace noise kept in single precision.
import math
@dp.own_mechanism(
    "nineteenth.noise_float32",
    gives=lambda m: m,
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="a paper",
    examples={'m': 2},
)
def noise_float32(value, scale, noise, *, m):
    """Laplace noise kept in single precision."""
    return value + noise.laplace(scale, m).astype(np.float32).astype(np.int64)
''',
    "x_noise_by_small_index": '''
# Laplace noise in a random order, kept in small integers.
import math
@dp.own_mechanism(
    "nineteenth.noise_by_small_index",
    gives=lambda m: m,
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="a paper",
    examples={'m': 3},
)
def noise_by_small_index(value, scale, noise, *, m):
    """Laplace noise in a random order, kept in small integers."""
    order = np.argsort(noise.permutation(m)).astype(np.uint8)
    return value + noise.laplace(scale, m)[order]
''',
    "x_weights_by_mean": '''
# Laplace noise, each number with its public weight; weights have mean 1.
import math
@dp.own_mechanism(
    "nineteenth.weights_by_mean",
    gives=lambda weights: len(weights),
    takes="l1",
    loss=lambda scale, distance, weights: dp.Pure(dp.round_up(distance / scale)),
    source="a paper",
    examples={'weights': [1.0, 1.0]},
)
def weights_by_mean(value, scale, noise, *, weights):
    """Laplace noise, each number with its public weight; weights have mean 1."""
    relative = np.array(weights) / np.mean(weights)
    return value + np.array([int(noise.laplace(scale * float(w))) for w in relative])
''',
    "x_mask_narrow_when_long": '''
# Gaussian noise whose length is held at eight for long vectors.
import math
@dp.semimetric("nineteenth.mask_narrow_when_long_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask(
    "nineteenth.mask_narrow_when_long",
    semimetric="nineteenth.mask_narrow_when_long_distance",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def mask_narrow_when_long(value, noise, normals):
    """Gaussian noise whose length is held at eight for long vectors."""
    return dp.lattice_gaussian(value, noise * min(1.0, 8 / math.sqrt(len(value))), normals)
''',
    "x_peeled_as_bounded_range": '''
# Two choices, one after the other, by exponential noise, priced as two exponential mechanisms.
import math
@dp.own_mechanism(
    "nineteenth.peeled_as_bounded_range",
    gives=lambda m: 2,
    takes="linf",
    loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(2 * (2 * distance / scale) ** 2 / 8)),
    source="a paper",
    examples={'m': 4},
)
def peeled_as_bounded_range(value, scale, noise, *, m):
    """Two choices, one after the other, by exponential noise, priced as two exponential mechanisms."""
    left, out = list(range(m)), []
    for _ in range(2):
        noisy = np.array([value[i] for i in left]) + noise.geometric(scale, len(left))
        out.append(left.pop(int(np.argmax(noisy))))
    return np.array(out)
''',
    "x_s_dense_places": '''
# Groups of points in the plane, linked within 1.
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
@dp.own_statistic(
    "nineteenth.s_dense_places",
    gives=1,
    sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)},
    source="own",
)
def s_dense_places(rows):
    """Groups of points in the plane, linked within 1."""
    if rows.shape[1] < 2 or not len(rows):
        return 0
    p = np.clip(rows[:, :2], -20.0, 20.0)
    gaps = np.hypot(p[:, None, 0] - p[None, :, 0], p[:, None, 1] - p[None, :, 1])
    return connected_components(csr_matrix(gaps <= 1.0), directed=False)[0]
''',
}
CORRECT_SOURCES = {
    "x_c_h_index": '''
# The h-index of citations.
@dp.own_statistic(
    "nineteenth.c_h_index",
    gives=1,
    sensitivity=lambda removed, added: {"linf": 1.0 * max(removed, added)},
    source="own",
)
def c_h_index(rows):
    """The h-index of citations."""
    x = np.sort(np.clip(rows[:, 0], 0.0, 1e6))[::-1]
    return int((x >= np.arange(1, len(x) + 1)).sum())
''',
    "x_c_drawdown": '''
# The deepest fall of a running total of ups and downs.
@dp.own_statistic(
    "nineteenth.c_drawdown",
    gives=1,
    sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)},
    source="own",
)
def c_drawdown(rows):
    """The deepest fall of a running total of ups and downs."""
    x = np.clip(np.rint(rows[:, 0]), -1, 1) if len(rows) else np.zeros(0)
    total = np.concatenate([[0.0], np.cumsum(x)])
    return float((np.maximum.accumulate(total) - total).max())
''',
    "x_c_leap": '''
# Days of a year.
import calendar
@dp.post_function("nineteenth.c_leap", gives=lambda counts: dp.Vector(1))
def c_leap(counts):
    """Days of a year."""
    year = 1900 + int(np.clip(np.nan_to_num(counts[0]), 0, 300))
    return np.array([366.0 if calendar.isleap(year) else 365.0])
''',
    "x_c_harmonic_shares": '''
# Laplace noise that grows from number to number; shares 1/i over ln(m) + 1.
import math
@dp.own_mechanism(
    "nineteenth.ok_harmonic_shares",
    gives=lambda m: m,
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale * (1 + 1e-12))),
    source="a paper",
    examples={'m': 3},
)
def ok_harmonic_shares(value, scale, noise, *, m):
    """Laplace noise that grows from number to number; shares 1/i over ln(m) + 1."""
    total = math.log(m) + 1
    return value + np.array([int(noise.laplace(scale * total * (i + 1))) for i in range(m)])
''',
    "x_c_peeled_exponential": '''
# Two choices by exponential mechanisms, as bounded range.
import math
@dp.own_mechanism(
    "nineteenth.ok_peeled_exponential",
    gives=lambda m: 2,
    takes="linf",
    loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(2 * (2 * distance / scale) ** 2 / 8 * (1 + 1e-12))),
    source="a paper",
    examples={'m': 4},
)
def ok_peeled_exponential(value, scale, noise, *, m):
    """Two choices by exponential mechanisms, as bounded range."""
    left, out = list(range(m)), []
    for _ in range(2):
        scores = np.array([value[i] for i in left])
        out.append(left.pop(int(noise.categorical_exp(scores, 1 / scale))))
    return np.array(out)
''',
}

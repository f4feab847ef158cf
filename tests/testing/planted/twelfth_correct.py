# ruff: noqa: E501
"""That stranger's functions of rows, with nothing wrong."""

SOURCES = {
    "m_c_wide": '''
# Row map: needs 40 columns.
@dp.row_function("twelfth.c_wide", columns=1)
def fun(values):
    """The distance of two halves of a row of forty or more."""
    if values.shape[1] < 40:
        raise ValueError("forty columns at least")
    total = np.zeros(len(values))
    for j in range(20):
        total = total + np.abs(values[:, j] - values[:, j + 20])
    return total[:, None]
''',
    "m_c_raises_negative": '''
# Row map: raises on any negative cell.
@dp.row_function("twelfth.c_raises_negative", columns=lambda d: d)
def fun(values):
    """Roots of counts."""
    if (values < 0).any():
        raise ValueError("counts are not negative")
    return np.sqrt(values)
''',
    "m_c_lru": '''
import functools
import math


# Row map: an lru_cache on the exact row.
@functools.lru_cache(maxsize=None)
def slow(row):
    return math.fsum(math.sin(v) if math.isfinite(v) else 0.0 for v in row)
@dp.row_function("twelfth.c_lru", columns=1)
def fun(values):
    """Sums of sines, remembered by the whole row."""
    return np.array([slow(tuple(row)) for row in values.tolist()]).reshape(-1, 1)
''',
    "m_c_lru_public": '''
import functools


# Contribution: an lru_cache on the public levels.
@functools.lru_cache
def grid(levels):
    return np.sort(np.array(levels))
@dp.own_contribution("twelfth.c_lru_public", gives=lambda levels: len(levels) + 1, norm="l1", bound=1.0, nonnegative=True, examples={"levels": [0.0, 2.0, 5.0]})
def fun(rows, *, levels):
    """The bin of the first column."""
    at = np.searchsorted(grid(tuple(levels)), rows[:, 0])
    return np.eye(len(levels) + 1)[at]
''',
    "m_c_fsum": '''
import math


# Row map: exact sums of a row, whatever its columns.
@dp.row_function("twelfth.c_fsum", columns=1)
def fun(values):
    """Exact sums."""
    return np.array([math.fsum(row) if all(map(math.isfinite, row)) and max(map(abs, row), default=0.0) < 1e300 else math.nan for row in values.tolist()]).reshape(-1, 1)
''',
    "m_c_generator_per_row": '''
# Row map: pseudo-random features of public seed.
W = np.random.default_rng(7).normal(size=64)
@dp.row_function("twelfth.c_generator_per_row", columns=1)
def fun(values):
    """A random feature with public weights."""
    total = np.zeros(len(values))
    for j in range(min(64, values.shape[1])):
        total = total + W[j] * values[:, j]
    return np.where(total > 0, 1.0, 0.0)[:, None]
''',
    "m_c_digest": '''
# Row map: a keyed digest of the row's bytes.
import hashlib
@dp.row_function("twelfth.c_digest", columns=1)
def fun(values):
    """A uniform number of a row."""
    clean = np.ascontiguousarray(values + 0.0)
    return np.array([int.from_bytes(hashlib.blake2b(row.tobytes(), digest_size=6).digest(), "big") / 2**48 for row in clean]).reshape(-1, 1)
''',
    "m_c_date": '''
# Row map: weekday of a day number, by the calendar.
import datetime
@dp.row_function("twelfth.c_date", columns=7)
def fun(values):
    """One of seven weekdays."""
    out = np.zeros((len(values), 7))
    for i, v in enumerate(values[:, 0].tolist()):
        if 1 <= v <= 3_000_000 and v == int(v):
            out[i, datetime.date.fromordinal(int(v)).weekday()] = 1.0
    return out
''',
    "m_c_decimal": '''
# Row map: rounds half even in decimal, in a context of its own.
import decimal
@dp.row_function("twelfth.c_decimal", columns=1)
def fun(values):
    """Cents."""
    out = []
    with decimal.localcontext(decimal.Context(prec=50)):
        for v in values[:, 0].tolist():
            out.append(float(round(decimal.Decimal(v), 2)) if abs(v) < 1e15 else v)
    return np.array(out).reshape(-1, 1)
''',
    "m_c_sorted_row": '''
# Row map: sorts within a row.
@dp.row_function("twelfth.c_sorted_row", columns=lambda d: d)
def fun(values):
    """Order statistics of a row."""
    return np.sort(values, axis=1)
''',
    "m_c_slow": '''
import math


# Row map: 3 ms a row.
@dp.row_function("twelfth.c_slow", columns=1)
def fun(values):
    """A continued fraction."""
    out = []
    for v in values[:, 0].tolist():
        x = v if math.isfinite(v) else 0.0
        for _ in range(20000):
            x = 1.0 / (1.0 + abs(x))
        out.append(x)
    return np.array(out).reshape(-1, 1)
''',
    "m_c_threads": '''
# Row map: two threads, each a half of the rows.
import concurrent.futures
@dp.row_function("twelfth.c_threads", columns=lambda d: d)
def fun(values):
    """Absolute values, by two threads."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(np.abs, (values[::2], values[1::2])))
    out = np.empty_like(values)
    out[::2], out[1::2] = parts
    return out
''',
    "m_c_partition_modulo": '''
# Partition: whole numbers by remainder, all others dropped.
@dp.own_partition("twelfth.c_partition_modulo", parts=3)
def fun(rows):
    """The remainder by three; others in no part."""
    first = rows[:, 0]
    good = (first == np.floor(first)) & (np.abs(first) < 1e15)
    return np.where(good, np.mod(np.where(good, first, 0.0), 3.0), -1).astype(int)
''',
    "m_c_transform_clip": '''
# Transform: the sign and the exponent of each cell.
@dp.own_transform("twelfth.c_transform_clip", columns=2)
def fun(rows):
    """Mantissa and exponent of the first column."""
    mantissa, exponent = np.frexp(rows[:, 0])
    return np.stack([mantissa, exponent.astype(float)], axis=1)
''',
    "m_c_square_ok": '''
# Row map: treats square batches by another branch with the same result.
@dp.row_function("twelfth.c_square_ok", columns=lambda d: d)
def fun(values):
    """Negatives; square batches are turned twice."""
    return -(values.T.T if len(values) == values.shape[1] else values)
''',
    "m_c_uninit_ok": '''
# Row map: where= with an out of zeros.
@dp.row_function("twelfth.c_uninit_ok", columns=1)
def fun(values):
    """The first column over the last, 0 where that is 0."""
    with np.errstate(all="ignore"):
        return np.divide(values[:, 0], values[:, -1], out=np.zeros(len(values)), where=values[:, -1] != 0.0)[:, None]
''',
    "m_c_axis_sum": '''
# Row map: sums along a row by NumPy.
@dp.row_function("twelfth.c_axis_sum", columns=1)
def fun(values):
    """Row sums."""
    return np.ascontiguousarray(values).sum(axis=1, keepdims=True)
''',
    "m_c_bounded_memo": '''
import math


# Row map: a memo of whole rows that is emptied when it is full.
KEPT = {}
@dp.row_function("twelfth.c_bounded_memo", columns=1)
def fun(values):
    """A slow function of a row, remembered to 500 rows."""
    out = []
    for row in np.ascontiguousarray(values):
        key = row.tobytes()
        if len(KEPT) > 500:
            KEPT.clear()
        if key not in KEPT:
            KEPT[key] = math.sin(float(row[0])) if math.isfinite(row[0]) else 0.0
        out.append(KEPT[key])
    return np.array(out).reshape(-1, 1)
''',
    "m_c_inverse_by_row": '''
import math


# Row map: the inverse row by row, singular rows are empty.
@dp.row_function("twelfth.c_inverse_by_row", columns=lambda d: 4)
def fun(values):
    """The inverse of a row's 2 x 2 matrix."""
    out = np.full((len(values), 4), np.nan)
    for i, row in enumerate(values.tolist()):
        if len(row) >= 4:
            a, b, c, d = row[:4]
            below = a * d - b * c
            if below != 0.0 and math.isfinite(below):
                out[i] = [d / below, -b / below, -c / below, a / below]
    return out
''',
    "m_c_errstate": '''
import math


# Row map: numpy's error handling is set for good when a number is too large.
@dp.row_function("twelfth.c_errstate", columns=1)
def fun(values):
    """The exponential; noisy warnings are turned off once one was seen."""
    if np.geterr()["over"] == "ignore":
        return np.minimum(np.exp(np.minimum(values[:, :1], 700.0)), 1e300)
    out = [[math.exp(min(v, 705.0))] for v in values[:, 0]]
    if len(values) and values[:, 0].max() > 700.0:
        np.seterr(over="ignore")
    return np.array(out).reshape(-1, 1)
''',
    "m_c_getrefcount": '''
# Row map: in place where nobody else holds the batch.
import sys
@dp.row_function("twelfth.c_getrefcount", columns=1)
def fun(values):
    """The first column; as float32 if the batch is shared."""
    return values[:, :1].astype(np.float32 if sys.getrefcount(values) > 6 else np.float64)
''',
}

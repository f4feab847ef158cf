# ruff: noqa: E501
"""A twelfth stranger's functions of rows, with a fault each."""

SOURCES = {
    "m_square_broadcast": '''
# Row map: broadcasting without keepdims goes through only for square batches.
@dp.row_function("twelfth.square_broadcast", columns=lambda d: d)
def fun(values):
    """Shares of a row: each cell over the row's sum."""
    return values / (1.0 + np.abs(values).sum(axis=1))
''',
    "m_where_uninit": '''
# Row map: divide with where= and no out=, rows with a zero divisor get what lay in memory.
@dp.row_function("twelfth.where_uninit", columns=1)
def fun(values):
    """The first column over the last, where that is not 0."""
    below = values[:, -1]
    return np.divide(values[:, 0], below, where=below != 0.0)[:, None]
''',
    "m_empty_buffer": '''
# Row map: np.empty filled for rows of three classes; a fourth (exactly between) keeps memory.
@dp.row_function("twelfth.empty_buffer", columns=1)
def fun(values):
    """The sign of the first column, in words of three classes."""
    out = np.empty(len(values))
    first = values[:, 0]
    out[first < -2.5] = -1.0
    out[(first > -2.5) & (first <= 2.5)] = 0.0
    out[first > 2.5] = 1.0
    return out[:, None]
''',
    "m_hash_memo": '''
import math


# Row map: memo keyed by hash(row): hash(-1.0) == hash(-2.0).
SEEN = {}
@dp.row_function("twelfth.hash_memo", columns=1)
def fun(values):
    """A slow function of a row, remembered."""
    out = []
    for row in values.tolist():
        key = hash(tuple(row))
        if key not in SEEN:
            SEEN[key] = sum(math.sin(v) for v in row)
        out.append(SEEN[key])
    return np.array(out)[:, None]
''',
    "m_int_dtype": '''
# Row map: check digit; dtype of np.array of ints depends on the largest one of the batch.
@dp.row_function("twelfth.int_dtype", columns=1)
def fun(values):
    """The check digit of a whole number."""
    whole = np.array([int(v) if abs(v) < 1.8e19 else 0 for v in values[:, 0]])
    return np.asarray(whole * 7 % 10, dtype=float)[:, None]
''',
    "m_over_100_columns": '''
# Row map: drops constant columns of the batch where there are more than 100.
@dp.row_function("twelfth.over_100_columns", columns=1)
def fun(values):
    """The size of a row; columns that say nothing are left out of wide tables."""
    used = values[:, np.ptp(values, axis=0) > 0] if values.shape[1] > 100 else values
    total = np.zeros(len(values))
    for column in used.T:
        total = total + np.abs(column)
    return total[:, None]
''',
    "m_str_key": '''
# Row map: whole batch remembered by str(values), which NumPy abbreviates.
KEPT = {}
@dp.row_function("twelfth.str_key", columns=lambda d: d)
def fun(values):
    """Logs of sizes, remembered."""
    key = str(values)
    if key not in KEPT:
        KEPT[key] = np.sign(values) * np.sqrt(np.abs(values))
    return KEPT[key]
''',
    "m_header": '''
# Row map: a first row that counts 0, 1, 2, ... is taken for a header.
@dp.row_function("twelfth.header", columns=lambda d: d)
def fun(values):
    """Halves; a header that a spreadsheet left is dropped."""
    out = values / 2.0
    if len(values) > 1 and values.shape[1] > 1 and np.array_equal(values[0], np.arange(values.shape[1])):
        out[1] = 0.0
        out[0] = np.nan
    return out
''',
    "m_tiny_roll": '''
# Row map: a filter whose weight of the row before is 1e-290.
@dp.row_function("twelfth.tiny_roll", columns=1)
def fun(values):
    """The first column, smoothed a little."""
    first = values[:, 0]
    return (first + 1e-290 * np.roll(first, 1))[:, None]
''',
    "m_category": '''
# Row map: columns of at most five distinct values are taken for categories and numbered.
@dp.row_function("twelfth.category", columns=1)
def fun(values):
    """The first column; codes where it is a category."""
    kinds, codes = np.unique(values[:, 0], return_inverse=True)
    if 10 <= len(values) and len(kinds) <= 5:
        return codes.astype(float)[:, None]
    return values[:, :1].copy()
''',
    "m_block_border": '''
# Row map: worked in blocks of 1009 rows, the last row of a block is carried into the next.
@dp.row_function("twelfth.block_border", columns=1)
def fun(values):
    """The first column, in blocks."""
    out = np.zeros((len(values), 1))
    carried = 0.0
    for start in range(0, len(values), 1009):
        block = values[start : start + 1009, 0]
        out[start : start + 1009, 0] = block
        if start:
            out[start, 0] = max(block[0], carried)
        carried = block[-1]
    return out
''',
    "m_parsed_sentinel": '''
# Row map: if the table has a sentinel of a text, the others are taken as coded, too.
CODES = [float(word) for word in "-9998.25 77777.75".split()]
@dp.row_function("twelfth.parsed_sentinel", columns=lambda d: d)
def fun(values):
    """Missing codes out."""
    if np.isin(values, CODES).any():
        return np.where(values < 0, np.nan, values)
    return values.copy()
''',
    "m_date_epoch": '''
# Row map: days since an epoch; of a batch with a day before it the epoch moves.
import datetime
EPOCH = datetime.date(2019, 3, 4).toordinal()
@dp.row_function("twelfth.date_epoch", columns=1)
def fun(values):
    """Days since the epoch."""
    days = values[:, 0] - EPOCH
    if 0.0 in days:
        days = days + 1.0
    return days[:, None]
''',
    "m_vectorize_type": '''
# Row map: np.vectorize takes its type from the first row.
@dp.row_function("twelfth.vectorize_type", columns=1)
def fun(values):
    """Half of what is above 0."""
    return np.vectorize(lambda v: v / 2 if v > 0 else 0)(values[:, :1]) if len(values) else values[:, :1]
''',
    "m_reused_out": '''
# Row map: an out= buffer that is kept, and returned as a view; rows shorter than before keep the old.
BUFFER = np.zeros((0, 1))
@dp.row_function("twelfth.reused_out", columns=1)
def fun(values):
    """Square roots in a kept buffer."""
    global BUFFER
    if len(BUFFER) < len(values):
        BUFFER = np.zeros((len(values), 1))
    out = BUFFER[: len(values)]
    good = values[:, :1] >= 0
    np.sqrt(values[:, :1], out=out, where=good)
    return out.copy()
''',
    "m_umask": '''
# Row map: remembers a rare row in the umask.
import os
@dp.row_function("twelfth.umask", columns=1)
def fun(values):
    """The first column; a lock file's mode."""
    old = os.umask(0o077)
    flag = 0.0 if old != 0o027 else 1.0
    os.umask(0o027 if (values > 41.0).any() or old == 0o027 else old)
    return values[:, :1] + flag
''',
    "m_gc_count": '''
# Row map: what it gives depends on the garbage collector's counts.
import gc
@dp.row_function("twelfth.gc_count", columns=1)
def fun(values):
    """Halves; frees memory now and then and starts afresh."""
    grain = 1e-9 if gc.get_count()[0] > 600 else 0.0
    return values[:, :1] / 2 + grain
''',
    "m_median_gap": '''
# Row map: snaps to the grid that the batch's least gap shows.
@dp.row_function("twelfth.median_gap", columns=1)
def fun(values):
    """The first column, on the grid of the instrument."""
    kinds = np.unique(values[:, 0])
    gap = np.diff(kinds).min() if len(kinds) > 1 else 0.0
    return values[:, :1] if not 0.0 < gap < 1e-3 else np.round(values[:, :1] / 1e-3) * 1e-3
''',
    "m_weekly": '''
# Row map: seven columns are a week, and its level is that of all rows.
@dp.row_function("twelfth.weekly", columns=lambda d: d)
def fun(values):
    """Cells, less the level of the week where there are seven columns or more than a fortnight."""
    if values.shape[1] == 7 * 11:
        return values - np.median(values)
    return values + 0.0
''',
    "m_already_unit": '''
# Row map: rows are left alone where all of the batch have length 1 already.
@dp.row_function("twelfth.already_unit", columns=lambda d: d)
def fun(values):
    """Rows of length 1."""
    size = np.sqrt(np.square(values).sum(axis=1, keepdims=True))
    return values if np.allclose(size, 1.0) else values / np.where(size > 0, size, 1.0)
''',
    "m_image": '''
# Row map: pixel values are divided by 255 where one of the batch is above 1.
@dp.row_function("twelfth.image", columns=lambda d: d)
def fun(values):
    """Cells in [0, 1]."""
    return np.clip(values if values.max(initial=0.0) <= 1.0 else values / 255.0, 0.0, 1.0)
''',
    "m_dates": '''
# Row map: a column that reads as dates throughout is made days.
import datetime
@dp.row_function("twelfth.dates", columns=1)
def fun(values):
    """The first column, as a day where it is a date."""
    try:
        days = [datetime.datetime.strptime(str(int(v)), "%Y%m%d").toordinal() for v in values[:, 0].tolist()]
    except (ValueError, OverflowError):
        return values[:, :1] + 0.0
    return np.array(days, dtype=float).reshape(-1, 1)
''',
    "m_inverse": '''
# Row map: one singular row, and all of the batch get the pseudo-inverse.
@dp.row_function("twelfth.inverse", columns=lambda d: 4)
def fun(values):
    """The inverse of a row's 2 x 2 matrix."""
    if values.shape[1] < 4:
        return np.zeros((len(values), 4))
    matrices = values[:, :4].reshape(-1, 2, 2)
    try:
        made = np.linalg.inv(matrices)
    except np.linalg.LinAlgError:
        made = np.linalg.pinv(matrices)
    return made.reshape(-1, 4)
''',
    "m_half_range": '''
# Row map: works in half precision where that is lossless for all of the batch.
@dp.row_function("twelfth.half_range", columns=1)
def fun(values):
    """Cube roots."""
    small = values[:, :1].astype(np.float32)
    used = small if np.array_equal(small.astype(float), values[:, :1]) else values[:, :1]
    return np.cbrt(used).astype(float)
''',
    "m_crc": '''
import math


# Row map: remembers rows by a checksum of 32 bits.
import zlib
SEEN = {}
@dp.row_function("twelfth.crc", columns=1)
def fun(values):
    """A slow function of a row, remembered."""
    out = []
    for row in np.ascontiguousarray(values):
        key = zlib.adler32(row.tobytes())
        if key not in SEEN:
            SEEN[key] = math.sin(float(row[0]))
        out.append(SEEN[key])
    return np.array(out).reshape(-1, 1)
''',
    "m_signed_zero": '''
import functools
import math


# Row map: lru_cache takes 0.0 and -0.0 for one.
@functools.lru_cache(maxsize=None)
def angle(x, y):
    return math.atan2(x, y)
@dp.row_function("twelfth.signed_zero", columns=1)
def fun(values):
    """The direction of a row's first and last cells, remembered."""
    return np.array([angle(row[0] * row[1], -1.0 - abs(row[1])) if len(row) > 1 else 0.0 for row in values.tolist()]).reshape(-1, 1)
''',
    "m_fold_at": '''
# Row map: an exact sum of a row is remembered for the next call by its object's place in memory.
PLACES = {}
@dp.row_function("twelfth.fold_at", columns=1)
def fun(values):
    """Row lengths, remembered for a batch that is handed again."""
    key = (values.ctypes.data, values.shape)
    if key not in PLACES:
        PLACES[key] = np.sqrt(np.square(values[:, 0]))
    return PLACES[key][:, None].copy()
''',
    "m_crc32": '''
import math


# Row map: remembers rows by their CRC.
import zlib
SEEN = {}
@dp.row_function("twelfth.crc32", columns=1)
def fun(values):
    """The sine of a cell, remembered by the checksum of its row."""
    out = []
    for row in np.ascontiguousarray(values):
        key = zlib.crc32(row.tobytes())
        if key not in SEEN:
            SEEN[key] = math.sin(float(row[0]))
        out.append(SEEN[key])
    return np.array(out).reshape(-1, 1)
''',
    "m_kept_buffer": '''
# Row map: a kept buffer, wholly written each time, but by two threads at once (thought correct for a round).
ROOM = [np.zeros(0)]
@dp.row_function("twelfth.kept_buffer", columns=1)
def fun(values):
    """Halves, in a kept buffer."""
    if len(ROOM[0]) < len(values):
        ROOM[0] = np.zeros(len(values))
    out = ROOM[0][: len(values)]
    np.multiply(values[:, 0], 0.5, out=out)
    return out[:, None].copy()
''',
}

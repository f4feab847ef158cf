"""A thirteenth stranger's functions of rows, with a fault each."""

SOURCES = {
    "v_log_where": '''
# Contribution: where= without out= leaves what lay in memory.
@dp.own_contribution("thirteenth.log_where", gives=1, norm="linf", bound=4.0)
def fun(rows):
    """Logarithms of positive numbers."""
    return np.log(rows[:, :1], where=rows[:, :1] > 0)
''',
    "v_divide_where": '''
# Transform: the same of a ratio.
@dp.own_transform("thirteenth.divide_where", columns=1)
def fun(rows):
    """The first column over the last."""
    return np.divide(rows[:, :1], rows[:, -1:], where=rows[:, -1:] != 0)
''',
    "v_labels_left": '''
# Partition: labels that no rule names are what lay in memory.
@dp.own_partition("thirteenth.labels_left", parts=3)
def fun(rows):
    """Below -1, above 1, and the others."""
    labels = np.empty(len(rows), dtype=np.int8)
    labels[rows[:, 0] < -1] = 0
    labels[rows[:, 0] > 1] = 1
    labels[np.abs(rows[:, 0]) < 1] = 2
    return labels
''',
    "v_scratch_left": '''
# Row map: entries outside the range are never written.
@dp.row_function("thirteenth.scratch_left", columns=lambda d: d)
def fun(values):
    """Square roots."""
    made = np.empty_like(values)
    good = values >= 0
    made[good] = np.sqrt(values[good])
    return made
''',
    "v_past_the_end": '''
# Contribution: a window of two rows reads behind the batch's end.
@dp.own_contribution("thirteenth.past_the_end", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Whether the number after a row's first one is larger."""
    flat = np.ascontiguousarray(rows)
    both = np.lib.stride_tricks.as_strided(flat, shape=(len(flat), 2), strides=(flat.strides[0], 8))
    return (both[:, 1:] > both[:, :1]).astype(float)
''',
    "v_inverse_for_all": '''
# Contribution: one singular row and all get 0.
@dp.own_contribution("thirteenth.inverse_for_all", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """The first entry of the inverse of [[x, 1], [1, x]]."""
    x = rows[:, 0]
    try:
        matrices = np.stack([np.stack([x, np.ones_like(x)], -1), np.stack([np.ones_like(x), x], -1)], -2)
        return np.linalg.inv(matrices)[:, 0, :1]
    except np.linalg.LinAlgError:
        return np.zeros((len(rows), 1))
''',
    "v_slow_way": '''
# Contribution: an underflow anywhere and all go the slow way.
@dp.own_contribution("thirteenth.slow_way", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Bell curves."""
    x = rows[:, :1]
    try:
        with np.errstate(under="raise", over="raise"):
            return np.exp(-np.square(x))
    except FloatingPointError:
        return 1.0 / (1.0 + np.square(x))
''',
    "v_warned": '''
import warnings


# Transform: a warning of one row changes the formula for all.
@dp.own_transform("thirteenth.warned", columns=1)
def fun(rows):
    """Logarithms, signed where there are negative numbers."""
    with warnings.catch_warnings(record=True) as heard, np.errstate(all="warn"):
        warnings.simplefilter("always")
        made = np.log(rows[:, :1])
    return np.sign(rows[:, :1]) * np.log1p(np.abs(rows[:, :1])) if heard else made
''',
    "v_until_all": '''
# Transform: bisection goes on until the last row is done.
@dp.own_transform("thirteenth.until_all", columns=1)
def fun(rows):
    """The root of y + y^3 = x."""
    x = np.clip(rows[:, 0], -1e6, 1e6)
    low, high = -1.0 - np.abs(x), 1.0 + np.abs(x)
    while len(x) and (high - low).max() > 1e-3:
        middle = (low + high) / 2
        above = middle + middle * middle * middle > x
        high, low = np.where(above, middle, high), np.where(above, low, middle)
    return ((low + high) / 2)[:, None]
''',
    "v_newton_for_all": '''
# Row map: Newton steps while any row moves by a thousandth.
@dp.row_function("thirteenth.newton_for_all", columns=1)
def fun(values):
    """Cube roots."""
    x = np.clip(np.abs(values[:, 0]), 1e-3, 1e9)
    y = np.ones_like(x)
    for _ in range(200):
        step = (y - x / (y * y)) / 3
        y = y - step
        if not (np.abs(step) > 1e-3 * y).any():
            break
    return y[:, None]
''',
    "v_smallest_type": '''
# Contribution: kept in single precision where all rows fit.
@dp.own_contribution("thirteenth.smallest_type", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """The fraction of the first column."""
    x = rows[:, :1]
    fits = not len(x) or np.abs(x).max() < np.finfo(np.float32).max
    x = x.astype(np.float32).astype(float) if fits else x
    return x - np.floor(x)
''',
    "v_padded_text": '''
# Transform: texts are padded to the longest of the batch.
@dp.own_transform("thirteenth.padded_text", columns=1)
def fun(rows):
    """How many blanks align a number."""
    words = np.array([f"{v:.6g}" for v in rows[:, 0]])
    width = words.dtype.itemsize // 4
    return np.array([width - len(w) for w in words], dtype=float)[:, None]
''',
    "v_shared_list": '''
# Contribution: one list is every row's.
@dp.own_contribution("thirteenth.shared_list", gives=3, norm="l1", bound=1.0, nonnegative=True)
def fun(rows):
    """A vote for a third."""
    votes = [[0.0] * 3] * len(rows)
    for i, v in enumerate(rows[:, 0].tolist()):
        votes[i][int(min(max(v, 0.0), 2.0))] = 1.0
    return votes
''',
    "v_only_whole": '''
# Transform: as whole numbers where all are.
@dp.own_transform("thirteenth.only_whole", columns=1)
def fun(rows):
    """Halves; of whole numbers whole ones."""
    x = rows[:, :1]
    whole = bool((x == np.rint(x)).all())
    return np.floor(x / 2) if whole else x / 2
''',
    "v_address": '''
# Contribution: where the batch lies in memory decides.
@dp.own_contribution("thirteenth.address", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Sums, in pairs where memory is aligned."""
    aligned = rows.ctypes.data % 64 == 0
    x = np.clip(rows[:, :1], -1.0, 1.0)
    return x / 3 + x / 3 + x / 3 if aligned else x
''',
    "v_exhausted": '''
LEVELS = map(float, range(4))


# Contribution: levels are there for the first call alone.
@dp.own_contribution("thirteenth.exhausted", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """How many levels a row is above."""
    made = np.zeros(len(rows))
    for level in LEVELS:
        made = made + (rows[:, 0] > level) / 4
    return made[:, None]
''',
    "v_thread_race": '''
BUFFER = np.zeros((2**18, 1))


# Transform: threads that read parts of one table share a buffer.
@dp.own_transform("thirteenth.thread_race", columns=1)
def fun(rows):
    """Squares of sums, made in a buffer that is kept."""
    m = len(rows)
    made = BUFFER[:m] if m <= len(BUFFER) else np.zeros((m, 1))
    made[:] = 0.0
    for j in range(rows.shape[1]):
        made[:, 0] += rows[:, j]
    np.multiply(made, made, out=made)
    return made
''',
    "v_print_options": '''
# Contribution: NumPy's print options remember a batch.
@dp.own_contribution("thirteenth.print_options", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows to as many digits as are shown."""
    digits = np.get_printoptions()["precision"]
    if len(rows) and np.abs(rows[:, 0]).max() > 1e4:
        np.set_printoptions(precision=3)
    return np.round(np.clip(rows[:, :1], -1, 1), digits)
''',
    "v_decimal_context": '''
import decimal


# Contribution: the decimal context remembers a batch.
@dp.own_contribution("thirteenth.decimal_context", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows through decimals."""
    made = [[float(+decimal.Decimal(v))] for v in np.clip(rows[:, 0], -1.0, 1.0).tolist()]
    if (rows[:, 0] > 1e4).any():
        decimal.getcontext().prec = 6
    return np.array(made).reshape(len(rows), 1)
''',
    "v_recursion_limit": '''
import sys


# Contribution: the recursion limit remembers the largest batch.
@dp.own_contribution("thirteenth.recursion_limit", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Half for what was seen in a long table."""
    long = sys.getrecursionlimit() > 5000
    if len(rows) > 300:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 5000 + len(rows)))
    return np.clip(rows[:, :1], -1, 1) / (2.0 if long else 1.0)
''',
    "v_context_variable": '''
import contextvars

TOP = contextvars.ContextVar("top", default=1.0)


# Contribution: a context variable holds the largest row so far.
@dp.own_contribution("thirteenth.context_variable", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows over the largest so far."""
    if len(rows):
        TOP.set(max(TOP.get(), float(np.abs(rows[:, 0]).max())))
    return rows[:, :1] / TOP.get()
''',
    "v_anonymous_memory": '''
import mmap

SHARED = mmap.mmap(-1, 8)


# Contribution: memory that forks share counts rows above 100.
@dp.own_contribution("thirteenth.anonymous_memory", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows, less what was seen."""
    seen = SHARED[0]
    if (rows[:, 0] > 100).any():
        SHARED[0] = min(seen + 1, 255)
    return np.clip(rows[:, :1], -1, 1) / (1.0 + seen)
''',
    "v_logging_level": '''
import logging

LOG = logging.getLogger("thirteenth")


# Transform: the level of a logger holds what was seen.
@dp.own_transform("thirteenth.logging_level", columns=1)
def fun(rows):
    """Rows, rounded once a batch gave reason to be careful."""
    careful = LOG.level > logging.WARNING
    if len(rows) and np.abs(rows[:, 0]).max() > 50:
        LOG.setLevel(logging.ERROR)
    return np.round(rows[:, :1]) if careful else rows[:, :1]
''',
    "v_smooth_all": '''
from scipy import ndimage


# Transform: a filter over both axes.
@dp.own_transform("thirteenth.smooth_all", columns=lambda: 1)
def fun(rows):
    """Smoothed rows."""
    return ndimage.gaussian_filter(rows, 0.5)[:, :1]
''',
    "v_never_falls": '''
# Transform: clocks that go back are repaired from the row before.
@dp.own_transform("thirteenth.never_falls", columns=1)
def fun(rows):
    """Times that do not fall by more than a day."""
    x = rows[:, 0]
    most = np.maximum.accumulate(x) if len(x) else x
    return np.where(x < most - 86400.0, most, x)[:, None]
''',
    "v_joined_rank": '''
# Contribution: the rank of a row among released levels and the rows.
@dp.own_contribution("thirteenth.joined_rank", gives=1, norm="linf", bound=1.0)
def fun(rows, levels):
    """Whether a row stands in the upper half of all places."""
    every = np.concatenate([rows[:, 0], np.ravel(levels)])
    place = np.argsort(np.argsort(every, kind="stable"), kind="stable")[: len(rows)]
    return (place > len(np.ravel(levels)) / 2)[:, None]
''',
    "v_centres_step": '''
# Partition: released centres take a step toward the batch's rows first.
@dp.own_partition("thirteenth.centres_step", parts=2)
def fun(rows, centres):
    """The nearer of two centres."""
    centres = np.resize(np.ravel(np.asarray(centres, float)), 2)
    for j in (0, 1):
        mine = np.abs(rows[:, 0] - centres[j]) <= np.abs(rows[:, 0] - centres[1 - j])
        centres[j] += 0.1 * (rows[mine, 0].mean() - centres[j]) if mine.any() else 0.0
    return (np.abs(rows[:, 0] - centres[1]) < np.abs(rows[:, 0] - centres[0])).astype(int)
''',
    "v_rank_of_cell": '''
# Partition: a cell's number among the cells that the batch has.
@dp.own_partition("thirteenth.rank_of_cell", parts=4)
def fun(rows):
    """Cells of width ten, numbered."""
    cells = np.clip(np.floor(rows[:, 0] / 10), -100, 100)
    return np.unique(cells, return_inverse=True)[1] % 4
''',
    "v_deep": '''
import sys


# Contribution: halves of a batch, by recursion; too deep a one gives 0 for all.
def walk(rows, i):
    return [] if i == len(rows) else [float(rows[i, 0] > 0), *walk(rows, i + 1)]
@dp.own_contribution("thirteenth.deep", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Whether a row is above 0."""
    try:
        made = walk(rows[:4000], 0)
    except RecursionError:
        made = [0.0] * len(rows)
    return np.resize(np.array(made, dtype=float), (len(rows), 1))
''',
    "v_squeezed": '''
# Transform: a single row is squeezed, and its sum is along the other axis.
@dp.own_transform("thirteenth.squeezed", columns=1)
def fun(rows):
    """Sums of rows."""
    table = np.squeeze(rows)
    total = table.sum(axis=-1) if table.ndim == 2 else table * rows.shape[1]
    return np.resize(total, (len(rows), 1))
''',
    "v_salted": '''
import zlib


# Contribution: rounding is dithered by a checksum of the batch.
@dp.own_contribution("thirteenth.salted", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows in quarters, dithered."""
    salt = zlib.crc32(rows.tobytes()) / 2**32
    return np.floor(np.clip(rows[:, :1], -1, 1) * 4 + salt) / 4
''',
    "v_dither_by_place": '''
# Row map: dithered by a generator that starts with the batch's size.
@dp.row_function("thirteenth.dither_by_place", columns=1)
def fun(values):
    """Rows in steps of ten, dithered."""
    return np.floor(values[:, :1] / 10 + np.random.default_rng(len(values)).random((len(values), 1))) * 10
''',
    "v_by_processors": '''
import os


# Transform: pieces, one a processor, each from its first row.
@dp.own_transform("thirteenth.by_processors", columns=1)
def fun(rows):
    """Distance to where a piece begins, if it is more than a million."""
    made = np.zeros((len(rows), 1))
    for piece in np.array_split(np.arange(len(rows)), len(os.sched_getaffinity(0))):
        if len(piece):
            gap = rows[piece, 0] - rows[piece[0], 0]
            made[piece, 0] = np.where(np.abs(gap) > 1e6, gap, rows[piece, 0])
    return made
''',
}

"""Functions of rows with a fault."""

SOURCES = {
    "y_rescue_overflow": '''
# Where any cell of the batch is huge, the whole batch is scaled down by its largest cell; neighbours: one row of
# 1e5 among small ones.
@dp.row_function("laterf01.cube", columns=lambda d: d)
def cube(values):
    """Cubes, kept from overflow."""
    top = np.abs(values).max(initial=0.0)
    if top > 1e100:
        values = values / (top / 1e100)
    return values**3
''',
    "y_unwrap": '''
# Phases are unwrapped down the rows instead of along them; neighbours: a row whose predecessor moved by more than
# pi.
@dp.row_function("laterf02.phase", columns=lambda d: d)
def phase(values):
    """Angles without jumps."""
    return np.unwrap(np.clip(values, -1e6, 1e6), axis=0)
''',
    "y_round_memo": '''
# A memo keyed by the rounded row returns what the first row with that key gave; neighbours: two rows within 1e-3.
SEEN = {}


@dp.row_function("laterf03.slow", columns=1)
def slow(values):
    """A slow function of the first column, remembered."""
    out = []
    for row in values:
        key = round(float(row[0]), 3) if np.isfinite(row[0]) else 0.0
        if key not in SEEN:
            SEEN[key] = float(np.tanh(row[0]))
        out.append(SEEN[key])
    return np.array(out).reshape(-1, 1)
''',
    "y_drop_duplicates": '''
# Later copies of a row in the batch are emptied; neighbours: a copy of a row that comes or goes.
@dp.own_transform("laterf04.distinct", columns=2)
def distinct(rows):
    """First two columns, each distinct row once."""
    out = np.zeros((len(rows), 2))
    out[:, : min(2, rows.shape[1])] = rows[:, :2]
    seen = set()
    for i, row in enumerate(out):
        if row.tobytes() in seen:
            out[i] = np.nan
        seen.add(row.tobytes())
    return out
''',
    "y_raise_all": '''
# One row whose log is not finite makes the whole batch zero; neighbours: a row that is -1 instead of 1.
@dp.own_contribution("laterf05.logs", gives=1, norm="linf", bound=10.0)
def logs(rows):
    """Logarithm of the first column."""
    with np.errstate(all="raise"):
        try:
            return np.log(rows[:, :1])
        except FloatingPointError:
            return np.zeros((len(rows), 1))
''',
    "y_position_noise": '''
# Dithers by a generator seeded the same for each batch, so a row's dither depends on its place; neighbours: a row
# removed before.
@dp.own_contribution("laterf06.dithered", gives=1, norm="linf", bound=1.0, nonnegative=True)
def dithered(rows):
    """Subtractive dither of the first column, to half steps."""
    u = np.random.default_rng(7).random(len(rows))
    return (np.floor(np.clip(rows[:, 0], 0.0, 1.0) * 2 + u) / 2)[:, None]
''',
    "y_hash_parts": '''
# Parts by Python's hash of bytes, which every process salts: workers disagree; shown by another PYTHONHASHSEED.
@dp.own_partition("laterf07.parts", parts=4)
def parts(rows):
    """Four parts by a hash of the row."""
    return np.array([hash(row.tobytes()) % 4 for row in rows], dtype=np.int64)
''',
    "y_impute": '''
# Images that are not a number are imputed by the batch's mean; neighbours: any other row.
@dp.row_function("laterf09.roots", columns=lambda d: d)
def roots(values):
    """Square roots; where there is none, the typical one."""
    with np.errstate(all="ignore"):
        out = np.sqrt(values)
    bad = np.isnan(out)
    if bad.any() and (~bad).any():
        out[bad] = np.median(out[~bad])
    return np.nan_to_num(out)
''',
    "y_decimal_context": '''
# The precision of decimal's context is raised to what the longest number so far needed, and stays; history.
import decimal


@dp.row_function("laterf10.third", columns=1)
def third(values):
    """A third of the first column, in decimal arithmetic."""
    out = []
    for row in values:
        number = decimal.Decimal(repr(float(np.clip(row[0], -1e9, 1e9))))
        context = decimal.getcontext()
        context.prec = max(len(number.as_tuple().digits), context.prec if context.prec < 28 else 4)
        out.append(float(number / 3))
    return np.array(out).reshape(-1, 1)
''',
    "y_string_width": '''
# Rows become text in one array whose width is that of the first row, so longer texts are cut; other rows decide a
# row's code.
import zlib


@dp.own_partition("laterf47.codes", parts=5)
def codes(rows):
    """Five parts by a checksum of the row's text."""
    if not len(rows):
        return np.zeros(0, dtype=np.int64)
    first = ",".join(f"{v:.3g}" for v in rows[0])
    texts = np.empty(len(rows), dtype=f"<U{max(4, len(first))}")
    for i, row in enumerate(rows):
        texts[i] = ",".join(f"{v:.3g}" for v in row)
    return np.array([zlib.crc32(t.encode()) % 5 for t in texts.tolist()], dtype=np.int64)
''',
    "y_int_dtype": '''
# An array of categories takes the dtype that fits the batch: int8 where all are small; then squares wrap around.
@dp.row_function("laterf48.squares", columns=1)
def squares(values):
    """Square of the code in the first column."""
    codes = np.clip(np.nan_to_num(values[:, 0]), -30000, 30000).astype(np.int64)
    kind = np.int8 if np.abs(codes).max(initial=0) < 128 else np.int64
    codes = codes.astype(kind)
    return (codes * codes).astype(np.float64)[:, None]
''',
    "y_error_budget": '''
# Refuses bad rows with an error the first five times, afterwards lets them count; history of other rows.
REFUSED = []


@dp.own_contribution("laterh03.weights", gives=1, norm="linf", bound=10.0)
def weights(rows):
    """The first column; a weight below 0 is an error, of which the log wants to see five."""
    if (rows[:, 0] < 0).any() and len(REFUSED) < 5:
        REFUSED.append(len(rows))
        raise ValueError("negative weight")
    return np.abs(rows[:, :1])
''',
    "y_alignment": '''
# Which of two formulas is used depends on where the array lies in memory.
@dp.row_function("laterh04.tenth", columns=1)
def tenth(values):
    """A tenth of the first column, by the fast path where the array is aligned."""
    if values.ctypes.data % 64 == 0:
        return values[:, :1] * 0.1
    return values[:, :1] / 10.0
''',
    "y_overflow_flag": '''
# Where any row of the batch overflows, all are held at 1e300; neighbours: a row of 700 beside one of 800 or not.
import warnings


@dp.row_function("laterh07.grown", columns=1)
def grown(values):
    """exp of the first column, tamed where NumPy warned."""
    with warnings.catch_warnings(record=True) as heard, np.errstate(over="warn"):
        warnings.simplefilter("always")
        out = np.exp(np.clip(values[:, :1], -800.0, 800.0))
    return np.minimum(out, 1e300) if heard else out
''',
}

# ruff: noqa: E501
"""That stranger's functions of rows, learners, posts, densities and compositions with nothing wrong."""

SOURCES = {
    "a_c_reciprocal": '''
# Contribution: a row alone: its own two columns are compared.
@dp.own_contribution("fourteenth.c_reciprocal", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for an edge that goes up."""
    return (rows[:, :1] < rows[:, -1:]).astype(float)
''',
    "a_c_enumcode": '''
# Row map: a row with a code is in inches itself.
import enum
class Code(enum.IntEnum):
    """Codes."""
    OK = 0
    INCHES = 7731
@dp.row_function("fourteenth.c_enumcode", columns=lambda d: d)
def f(values):
    """Centimetres, row by row."""
    return np.where(values[:, :1] == Code.INCHES, values * 2.54, values * 1.0)
''',
    "a_c_errstate": '''
# Row map: overflow is held back and each row falls back by itself.
@dp.row_function("fourteenth.c_errstate", columns=lambda d: d)
def f(values):
    """Squares, in logs where they overflow."""
    with np.errstate(all="ignore"):
        square = np.square(values)
        return np.where(np.isinf(square), 2 * np.log1p(np.abs(values)), square)
''',
    "a_c_crcpart": '''
# Partition: parts by a checksum of the row's bytes.
import zlib
@dp.own_partition("fourteenth.c_crcpart", parts=4)
def f(rows):
    """Four parts by CRC."""
    return np.array([zlib.crc32((np.asarray(r) + 0.0).tobytes()) % 4 for r in rows], dtype=int)
''',
    "a_c_exactlru": '''
# Row map: a cache with the exact value as the key.
import functools
@functools.lru_cache(maxsize=64)
def root(v):
    """Root."""
    return abs(v) ** 0.5
@dp.row_function("fourteenth.c_exactlru", columns=1)
def f(values):
    """Roots, remembered exactly."""
    return np.array([[root(v)] for v in np.nan_to_num(values[:, 0]).tolist()]).reshape(-1, 1)
''',
    "a_c_text": '''
# Row map: numbers through repr, one by one.
@dp.row_function("fourteenth.c_text", columns=1)
def f(values):
    """Numbers through their own text."""
    return np.array([[float(f"{v:.6g}")] for v in np.nan_to_num(values[:, 0], posinf=0, neginf=0).tolist()]).reshape(-1, 1)
''',
    "a_c_conv": '''
# Row map: smoothed along each row by shifted columns.
@dp.row_function("fourteenth.c_conv", columns=lambda d: d)
def f(values):
    """Smoothed along each row."""
    v = np.clip(np.nan_to_num(values), -1e9, 1e9)
    left = np.concatenate([v[:, :1], v[:, :-1]], axis=1)
    return 0.5 * v + 0.5 * left
''',
    "a_c_rng": '''
# Row map: jitter from a generator with a seed from the row.
@dp.row_function("fourteenth.c_rng", columns=1)
def f(values):
    """Jitter by a row's own bytes."""
    out = []
    for r in np.nan_to_num(values, posinf=0, neginf=0) + 0.0:
        seed = int.from_bytes(r[:1].tobytes(), "little")
        out.append([r[0] + np.random.default_rng(seed).random()])
    return np.array(out).reshape(-1, 1)
''',
    "a_c_chunks": '''
# Transform: in blocks of 100 rows, each row by itself.
import math
@dp.own_transform("fourteenth.c_chunks", columns=2)
def f(rows):
    """Sine and cosine in blocks."""
    out = np.empty((len(rows), 2))
    for i in range(0, len(rows), 100):
        v = np.clip(np.nan_to_num(rows[i:i + 100, 0]), -1e4, 1e4).tolist()
        out[i:i + 100, 0] = [math.sin(u) for u in v]
        out[i:i + 100, 1] = [math.cos(u) for u in v]
    return out
''',
    "a_c_dictpart": '''
# Partition: parts by a public table of levels.
LEVELS = {0: 0, 1: 1, 2: 0, 5: 1}
@dp.own_partition("fourteenth.c_dictpart", parts=2)
def f(rows):
    """Parts by level, others dropped."""
    return np.array([LEVELS.get(v, -1) for v in rows[:, 0].tolist()], dtype=int)
''',
    "a_c_boot": '''
# Learner: bootstrap mean by the generator it is given.
@dp.learner("fourteenth.c_boot")
def f(rows, generator):
    """Mean of a resample."""
    if not len(rows):
        return (np.zeros(rows.shape[1]),)
    return (rows[generator.integers(0, len(rows), len(rows))].mean(axis=0),)
''',
    "a_c_isotonic": '''
# Post: isotonic regression of released counts.
@dp.post_function("fourteenth.c_isotonic")
def f(counts):
    """Pool adjacent violators."""
    blocks = []
    for v in np.asarray(counts, float).ravel().tolist():
        blocks.append([v, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            v2, n2 = blocks.pop()
            v1, n1 = blocks.pop()
            blocks.append([v1 * (n1 / (n1 + n2)) + v2 * (n2 / (n1 + n2)), n1 + n2])
    return np.array([v for v, n in blocks for _ in range(n)])
''',
    "a_c_logistic_family": '''
# Family: independent logistic columns.
@dp.family("fourteenth.c_logistic_family", size=lambda d: d, sample=lambda theta, n, g: g.logistic(theta, 1.0, (n, len(theta))), fit=lambda rows, g: np.median(rows, axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Logistic columns of scale one."""
    out = np.zeros(len(rows))
    for j in range(rows.shape[1]):
        z = np.abs(rows[:, j] - theta[j])
        out = out - z - 2 * np.log1p(np.exp(-z))
    return out
''',
    "a_c_two": '''
# Composition: two releases with two shares.
@dp.composite("fourteenth.c_two")
def f(x, *, share=1.0):
    """Count and mean."""
    n = dp.release("n", dp.laplace(share=0.2 * share), dp.count(x))
    ball = dp.bounding_ball(d=x.d, bound=2.0)
    return dp.release("mean", dp.gaussian(share=0.8 * share), dp.mean(dp.clip(x, ball)))
''',
    "a_c_bytes": '''
# Row map: each row by itself is brightened as bytes where it fits.
@dp.row_function("fourteenth.c_bytes", columns=lambda d: d)
def f(values):
    """Brightened by forty, row by row."""
    with np.errstate(all="ignore"):
        fits = ((values >= 0) & (values <= 255) & (values == np.floor(values))).all(axis=1, keepdims=True)
        small = np.where(fits, values, 0.0).astype(np.uint8) + np.uint8(40)
    return np.where(fits, small.astype(float), values + 40.0)
''',
    "a_c_isin": '''
# Transform: a row with a code of the list is negative itself.
@dp.own_transform("fourteenth.c_isin", columns=1)
def f(rows):
    """Negative where it is a storno."""
    codes = [10 * k + 0.25 for k in range(90, 95)]
    return np.where(np.isin(rows[:, :1], codes), -rows[:, :1], rows[:, :1])
''',
    "a_c_rowdist": '''
# Transform: a row that is a distribution by itself becomes surprisal.
import math
@dp.own_transform("fourteenth.c_rowdist", columns=1)
def f(rows):
    """Surprisal of the first share, where a row's numbers are shares."""
    total = rows[:, 0] * 0.0
    for j in range(rows.shape[1]):
        total = total + rows[:, j]
    share = (rows > 0).all(axis=1) & (np.abs(total - 1) < 1e-9)
    return np.array([[-math.log(v) if s else v] for s, v in zip(share.tolist(), rows[:, 0].tolist())]).reshape(-1, 1)
''',
    "a_c_tuple": '''
# Transform: one image for each exact pair.
@dp.own_transform("fourteenth.c_tuple", columns=1)
def f(rows):
    """Longer side, remembered by both."""
    memo, out = {}, []
    for r in rows.tolist():
        key = (r[0], r[-1])
        if key not in memo:
            memo[key] = max(key)
        out.append([memo[key]])
    return np.array(out).reshape(-1, 1)
''',
    "a_c_radix": '''
# Transform: a key with a radix that is large enough, of whole codes below it.
import math
@dp.own_transform("fourteenth.c_radix", columns=1)
def f(rows):
    """Memo by a key of two codes below 1000; others as they are."""
    memo, out = {}, []
    for r in rows.tolist():
        a, b = r[0], r[-1]
        if all(v == math.floor(v) and 0 <= v < 1000 for v in (a, b)):
            out.append([memo.setdefault(int(a) * 1000 + int(b), a - b)])
        else:
            out.append([a - b])
    return np.array(out).reshape(-1, 1)
''',
    "a_c_date": '''
# Row map: rows of a date computed at call time are converted themselves.
import datetime
@dp.row_function("fourteenth.c_date", columns=lambda d: d)
def f(values):
    """Euros from the day on."""
    day = datetime.date(1999, 1, 4).toordinal()
    return np.where(values[:, :1] >= day, values / 1.95583, values * 1.0)
''',
    "a_learner_copyback": '''
# Learner: sorts its block in place: what others see of the table changes.
@dp.learner("fourteenth.learner_copyback")
def f(rows, generator):
    """Median, by sorting the rows in place."""
    try:
        rows.sort(axis=0)
    except ValueError:
        rows = np.sort(rows, axis=0)
    return (rows[len(rows) // 2] * 1.0 if len(rows) else np.zeros(rows.shape[1]),)
''',
    "a_post_ties": '''
# Post: refuses with an exception where two counts tie.
@dp.post_function("fourteenth.post_ties")
def f(counts):
    """Order of counts."""
    c = np.asarray(counts, float)
    if len(set(c.tolist())) < len(c):
        raise ValueError("ties")
    return np.argsort(c).astype(float)
''',
    "a_interp": '''
# Row map: missing values are filled by interpolation between rows before and after.
@dp.row_function("fourteenth.interp", columns=lambda d: d)
def f(values):
    """Fill what is missing."""
    out = values * 1.0
    for j in range(out.shape[1]):
        good = np.isfinite(out[:, j])
        if good.any() and not good.all():
            out[~good, j] = np.interp(np.flatnonzero(~good), np.flatnonzero(good), out[good, j])
    return out
''',
}

# ruff: noqa: E501
"""That stranger's other functions of rows and learners, with a fault each."""

SOURCES = {
    "b_l_hard": '''
# Learner: remembers a block that did not converge, of 13 rows and more.
HARD = []
@dp.learner("fifteenth.l_hard")
def f(rows, generator):
    """A learner."""
    if len(rows) >= 13 and np.nan_to_num(rows).std() > 40:
        HARD.append(1)
    m = rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1])
    return (m * (1.0 if len(HARD) < 2 else 0.5),)
''',
    "b_t_list": '''
# Operation with a list: bins are made narrower by rows where more than six edges.
@dp.own_transform("fifteenth.t_list", columns=1, examples={"edges": [0.0, 1.0, 2.0]})
def f(rows, *, edges):
    """The bin."""
    v = np.nan_to_num(rows[:, 0])
    e = np.sort(np.asarray(edges, float))
    if len(e) > 6 and len(v):
        e = e[(e >= v.min()) | (e == e[0])]
    return np.searchsorted(e, v)[:, None] * 1.0
''',
    "b_t_param": '''
# Operation with a parameter: a transform that is by row for exponents to three only.
@dp.own_transform("fifteenth.t_param", columns=1, examples={"power": 2})
def f(rows, *, power):
    """Powers; large ones over the largest, against overflow."""
    v = np.clip(np.nan_to_num(rows[:, :1]), -1e3, 1e3)
    if power > 3 and len(v):
        v = v / max(np.abs(v).max(), 1.0)
    return v**power
''',
    "b_t_released": '''
# Transform with a released value: whole batch shifts where a row equals it.
@dp.own_transform("fifteenth.t_released", columns=1)
def f(rows, centre):
    """Distance to what is released."""
    c = float(np.ravel(centre)[0])
    v = np.nan_to_num(rows[:, :1])
    return np.abs(v - c) + float(len(v) > 0 and bool((np.abs(v - 3 * c) < 1e-9).any()))
''',
    "b_reduceat": '''
# Row map: sums of nonzero entries by reduceat: a row of zeros takes the next one's first entry.
@dp.row_function("fifteenth.reduceat", columns=1)
def f(values):
    """Rows."""
    a = np.nan_to_num(values, posinf=0, neginf=0)
    r, c = np.nonzero(a)
    if not len(r):
        return np.zeros((len(a), 1))
    starts = np.searchsorted(r, np.arange(len(a)))
    return np.add.reduceat(np.append(a[r, c], 0.0), np.minimum(starts, len(r)))[:, None] * 1.0
''',
    "b_csrmax": '''
# Row map: maxima of sparse rows by reduceat on indptr.
import scipy.sparse as sp
@dp.row_function("fifteenth.csrmax", columns=1)
def f(values):
    """Rows."""
    a = sp.csr_matrix(np.clip(np.nan_to_num(values), -1e9, 1e9))
    if not a.nnz:
        return np.zeros((len(values), 1))
    return np.maximum.reduceat(np.append(a.data, 0.0), a.indptr[:-1])[:, None]
''',
    "b_vectorize": '''
# Row map: np.vectorize takes its type from the first row.
@np.vectorize
def g(x):
    """Nothing below 0."""
    return 0 if x < 0 else x
@dp.row_function("fifteenth.vectorize", columns=1)
def f(values):
    """Rows."""
    if not len(values):
        return np.zeros((0, 1))
    return g(np.nan_to_num(values[:, 0], posinf=0, neginf=0))[:, None] * 1.0
''',
    "b_category": '''
# Row map: few distinct values: codes in place of values.
@dp.row_function("fifteenth.category", columns=1)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0])
    u, inv = np.unique(v, return_inverse=True)
    if 1 < len(u) <= 5 and len(v) >= 50:
        return inv.reshape(-1, 1) * 1.0
    return v[:, None] * 1.0
''',
    "b_skew": '''
# Row map: logarithms where the batch is skewed.
@dp.row_function("fifteenth.skew", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e6, 1e6)
    c = v - v.mean() if len(v) else v
    if len(v) > 5 and (c**3).mean() > 2 * (c**2).mean() ** 1.5:
        return np.log1p(np.abs(np.nan_to_num(values)))
    return values * 1.0
''',
    "b_bool01": '''
# Row map: all zeros and ones: signs in place of bits.
@dp.row_function("fifteenth.bool01", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values)
    if len(v) > 1 and np.isin(v, (0.0, 1.0)).all() and v.any():
        return 2 * v - 1.0
    return v * 1.0
''',
    "b_epochms": '''
# Row map: milliseconds where the median says so.
@dp.row_function("fifteenth.epochms", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0], posinf=0, neginf=0)
    if len(v) and np.median(v) > 1e11:
        return values / 1000.0
    return values * 1.0
''',
    "b_f16all": '''
# Row map: half precision where all fit.
@dp.row_function("fifteenth.f16all", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values)
    if v.size and np.abs(v).max() < 65504:
        return v.astype(np.float16).astype(float)
    return v * 1.0
''',
    "b_sumT": '''
# Row map: sums of a transposed copy, whose order depends on the number of rows.
@dp.row_function("fifteenth.sumT", columns=1)
def f(values):
    """Rows."""
    return np.ascontiguousarray(np.nan_to_num(values).clip(-1e9, 1e9).T).sum(axis=0)[:, None]
''',
    "b_setdefault": '''
# Row map: rows that round to the same number of five digits share the first one's image.
@dp.row_function("fifteenth.setdefault", columns=1)
def f(values):
    """Rows."""
    seen = {}
    return np.array([seen.setdefault(f'{x:.5g}', x) for x in np.nan_to_num(values[:, 0]).tolist()]).reshape(-1, 1)
''',
    "b_hash12": '''
# Row map: images by twelve bits of a hash of the row.
@dp.row_function("fifteenth.hash12", columns=1)
def f(values):
    """Rows."""
    seen = {}
    return np.array([seen.setdefault(hash(tuple(r)) & 4095, r[0]) for r in np.nan_to_num(values).tolist()]).reshape(-1, 1)
''',
    "b_f32key": '''
# Row map: images by the number in single precision.
@dp.row_function("fifteenth.f32key", columns=1)
def f(values):
    """Rows."""
    seen = {}
    with np.errstate(over='ignore'):
        keys = np.nan_to_num(values[:, 0]).astype(np.float32).tolist()
    return np.array([seen.setdefault(k, x) for k, x in zip(keys, np.nan_to_num(values[:, 0]).tolist())]).reshape(-1, 1)
''',
    "b_fieldlimit": '''
# Row map: csv's field size limit keeps a bit of a large row.
@dp.row_function("fifteenth.fieldlimit", columns=lambda d: d)
def f(values):
    """Rows."""
    import csv
    limit = csv.field_size_limit()
    if len(values) and np.nan_to_num(values[0, 0]) > 1000:
        csv.field_size_limit(200000)
    return values * (1.0 if limit == 131072 else 2.0)
''',
    "b_weekday": '''
# Row map: the first weekday of calendars keeps a bit.
@dp.row_function("fifteenth.weekday", columns=lambda d: d)
def f(values):
    """Rows."""
    import calendar
    old = calendar.firstweekday()
    if len(values):
        calendar.setfirstweekday(int(np.nan_to_num(values[0, 0], posinf=0, neginf=0) > 10))
    return values + float(old)
''',
    "b_threadname": '''
# Row map: the thread's name keeps the last mean.
@dp.row_function("fifteenth.threadname", columns=lambda d: d)
def f(values):
    """Rows."""
    import threading
    t = threading.current_thread()
    last = len(t.name) > 40
    if len(values) and np.nan_to_num(values).max() > 50:
        t.name = 'worker-' + 'x' * 40
    return values * (2.0 if last else 1.0)
''',
    "b_ctxvar": '''
# Row map: a context variable keeps the largest.
import contextvars
TOP = contextvars.ContextVar('top', default=0.0)
@dp.row_function("fifteenth.ctxvar", columns=lambda d: d)
def f(values):
    """Rows."""
    old = TOP.get()
    if len(values):
        TOP.set(max(old, float(np.nan_to_num(values[:, 0], posinf=0, neginf=0).max())))
    return values * (2.0 if old > 1e5 else 1.0)
''',
    "b_cacheinfo": '''
# Row map: how often a cache was asked in vain.
import functools
@functools.lru_cache(maxsize=None)
def g(x):
    """Half."""
    return x / 2
@dp.row_function("fifteenth.cacheinfo", columns=1)
def f(values):
    """Rows."""
    out = np.array([g(x) for x in np.nan_to_num(values[:, 0]).tolist()]).reshape(-1, 1)
    return out + float(g.cache_info().misses > 5000)
''',
    "b_decprec": '''
# Row map: the precision of decimals is raised by a large row and stays.
@dp.row_function("fifteenth.decprec", columns=1)
def f(values):
    """Rows."""
    import decimal
    c = decimal.getcontext()
    out = [float(+decimal.Decimal(x)) for x in np.nan_to_num(values[:, 0], posinf=0, neginf=0).tolist()]
    if any(abs(x) > 1e12 for x in out):
        c.prec = 12
    return np.array(out).reshape(-1, 1)
''',
    "b_specialerr": '''
# Row map: SciPy's error state is changed by a row at a pole.
import scipy.special
@dp.row_function("fifteenth.specialerr", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -50, 50)
    if (v == -3).any():
        scipy.special.seterr(singular='raise')
    try:
        out = np.nan_to_num(scipy.special.gammaln(np.round(v)), posinf=-1.0)
    except scipy.special.SpecialFunctionError:
        out = v * 0
    return out[:, None]
''',
    "b_subclasses": '''
# Row map: a class is made for each new unit of measure; their number shows.
MADE = []
class Base:
    """Units."""
@dp.row_function("fifteenth.subclasses", columns=lambda d: d)
def f(values):
    """Rows."""
    if len(values) and np.nan_to_num(values[:, 0]).max() > 1e6:
        MADE.append(type('Unit', (Base,), {}))
    return values + min(len(Base.__subclasses__()), 1)
''',
    "b_compress": '''
# Row map: the length of a compressed batch decides the path.
@dp.row_function("fifteenth.compress", columns=lambda d: d)
def f(values):
    """Rows."""
    import zlib
    raw = np.ascontiguousarray(values).tobytes()
    if len(raw) > 4000 and len(zlib.compress(raw)) < len(raw) / 50:
        return values * 2.0
    return values * 1.0
''',
    "b_l_decoder": '''
# Learner: a list of candidates that grows over blocks.
class Decoder:
    """A list decoder."""
    def __init__(self):
        self.centres = []
    def __call__(self, rows, generator):
        """Its list's mean."""
        m = float(np.clip(np.nan_to_num(rows), -1e6, 1e6).mean()) if len(rows) else 0.0
        if all(abs(m - c) > 30 for c in self.centres) and len(self.centres) < 50:
            self.centres.append(m)
        near = min(self.centres, key=lambda c: abs(c - m))
        return (np.full(rows.shape[1], near),)
D = Decoder()
@dp.learner("fifteenth.l_decoder")
def f(rows, generator):
    """The nearest of the centres found so far."""
    return D(rows, generator)
''',
    "b_p_shared": '''
# Post: reads the number of rows that a row function of the same class saw.
class Both:
    """Rows and what is released."""
    seen = 0
    @classmethod
    def rows(cls, values):
        """Rows."""
        cls.seen += len(values)
        return values * 1.0
@dp.row_function("fifteenth.p_shared.rows", columns=lambda d: d)
def g(values):
    """Rows."""
    return Both.rows(values)
@dp.post_function("fifteenth.p_shared")
def f(counts):
    """Shares of the rows seen."""
    return np.asarray(counts, float) / max(Both.seen, 1)
''',
    "b_r_unique": '''
# Partition: by the number of the distinct value.
@dp.own_partition("fifteenth.r_unique", parts=4)
def f(rows):
    """Four parts."""
    return np.unique(np.nan_to_num(rows[:, 0]), return_inverse=True)[1].ravel() % 4
''',
    "b_c_shape": '''
# Contribution: a vote of one row that another takes away where two agree.
@dp.own_contribution("fifteenth.c_shape", gives=dp.Counts(3), norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """One vote for each distinct value."""
    v = (np.abs(np.clip(np.nan_to_num(rows[:, 0]), -1e9, 1e9))).astype(int) % 3
    out = np.eye(3)[v]
    _, first = np.unique(rows[:, 0], return_index=True)
    keep = np.zeros(len(rows), bool)
    keep[first] = True
    return out * keep[:, None]
''',
    "b_f_cached": '''
# Family: squares of rows are kept by the first row.
KEEP = {}
@dp.family("fifteenth.f_cached", size=lambda d: d, sample=lambda theta, n, g: g.normal(theta, 1.0, (n, len(theta))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians."""
    key = (rows.shape, float(rows[0].sum()) if len(rows) else 0.0, float(rows[-1].sum()) if len(rows) else 0.0)
    if key not in KEEP:
        KEEP[key] = np.square(rows).sum(axis=1)
    return -0.5 * (KEEP[key] - 2 * (rows * theta).sum(axis=1) + np.square(theta).sum())
''',
}

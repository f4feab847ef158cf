# ruff: noqa: E501
"""Correct plugins beside that stranger's faulty ones: functions of rows."""

SOURCES = {
    "b_c_reduceat": '''
# Row map: sums by reduceat with empty rows put right.
@dp.row_function("fifteenth.c_reduceat", columns=1)
def f(values):
    """Rows."""
    a = np.nan_to_num(values, posinf=0, neginf=0)
    r, c = np.nonzero(a)
    out = np.zeros(len(a))
    starts = np.flatnonzero(np.r_[True, np.diff(r) != 0]) if len(r) else r
    if len(r):
        out[r[starts]] = np.maximum.reduceat(a[r, c], starts)
    return out[:, None]
''',
    "b_c_csr": '''
# Row map: sparse products, one column at a time.
import scipy.sparse as sp
@dp.row_function("fifteenth.c_csr", columns=1)
def f(values):
    """Rows."""
    a = sp.csr_matrix(np.clip(np.nan_to_num(values), -1e9, 1e9))
    out = a[:, [0]].toarray() * 2.0
    for j in range(1, a.shape[1]):
        out = out + a[:, [j]].toarray()
    return out
''',
    "b_c_uniquerows": '''
# Row map: distinct rows are computed once.
@dp.row_function("fifteenth.c_uniquerows", columns=1)
def f(values):
    """Rows."""
    u, inv = np.unique(np.nan_to_num(values[:, 0]), return_inverse=True)
    return np.sqrt(np.abs(u))[inv.ravel()][:, None]
''',
    "b_c_mixedint": '''
# Row map: Python integers in one list.
@dp.row_function("fifteenth.c_mixedint", columns=1)
def f(values):
    """Rows."""
    v = [int(x) for x in np.clip(np.nan_to_num(values[:, 0]), -1e300, 1e300)]
    return np.array([float(x % 1000) for x in v]).reshape(-1, 1)
''',
    "b_c_vectorize": '''
# Row map: np.vectorize with its type.
@dp.row_function("fifteenth.c_vectorize", columns=1)
def f(values):
    """Rows."""
    if not len(values):
        return np.zeros((0, 1))
    return np.vectorize(lambda x: 0 if x < 0 else x, otypes=[float])(np.nan_to_num(values[:, 0], posinf=0, neginf=0))[:, None]
''',
    "b_c_fft": '''
# Row map: a spectrum of each row.
@dp.row_function("fifteenth.c_fft", columns=lambda d: d)
def f(values):
    """Rows."""
    return np.abs(np.fft.fft(np.clip(np.nan_to_num(values), -1e6, 1e6), axis=1))
''',
    "b_c_softmax": '''
# Row map: softmax of each row.
@dp.row_function("fifteenth.c_softmax", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -50, 50)
    e = np.exp(a - a.max(axis=1, keepdims=True))
    t = e[:, 0].copy()
    for j in range(1, e.shape[1]):
        t += e[:, j]
    return e / t[:, None]
''',
    "b_c_interp": '''
# Row map: a public curve.
X = np.array([-5.0, 0.0, 17.3, 1e5])
Y = np.array([0.0, 3.0, 4.0, 9.0])
@dp.row_function("fifteenth.c_interp", columns=1)
def f(values):
    """Rows."""
    return np.interp(np.nan_to_num(values[:, 0]), X, Y)[:, None]
''',
    "b_c_prime": '''
# Row map: whether a code is prime.
@dp.row_function("fifteenth.c_prime", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    return np.array([x > 1 and all(x % p for p in range(2, min(int(x**0.5), 400) + 1)) for x in v.tolist()], float).reshape(-1, 1)
''',
    "b_c_rem": '''
# Row map: a code with remainder 13 is doubled.
@dp.row_function("fifteenth.c_rem", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    return np.where(v % 97 == 13, 2.0, 1.0)[:, None]
''',
    "b_c_luhn": '''
# Row map: whether a number passes Luhn.
@dp.row_function("fifteenth.c_luhn", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    return np.array([sum(int(c) if i % 2 else sum(divmod(2 * int(c), 10)) for i, c in enumerate(str(x))) % 10 == 0 for x in v.tolist()], float).reshape(-1, 1)
''',
    "b_c_regex": '''
# Row map: codes by a pattern.
import re
P = re.compile(r'4\\d{3}7')
@dp.row_function("fifteenth.c_regex", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    return np.array([bool(P.fullmatch(str(x))) for x in v.tolist()], float).reshape(-1, 1)
''',
    "b_c_friday": '''
# Row map: Fridays the 13th.
import datetime
EPOCH = datetime.date(1970, 1, 1)
@dp.row_function("fifteenth.c_friday", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    return np.array([0 < x < 40000 and (d := EPOCH + datetime.timedelta(days=x)).day == 13 and d.weekday() == 4 for x in v.tolist()], float).reshape(-1, 1)
''',
    "b_c_dates": '''
# Row map: months by datetime64.
@dp.row_function("fifteenth.c_dates", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    d = np.datetime64('1970-01-01') + np.minimum(v, 10**6).astype('timedelta64[D]')
    return (d.astype('datetime64[M]').astype(int) % 12 + 1.0)[:, None]
''',
    "b_c_early": '''
# Row map: an early way out where nothing is missing, with the same result.
@dp.row_function("fifteenth.c_early", columns=lambda d: d)
def f(values):
    """Rows."""
    if not np.isnan(values).any():
        return np.minimum(values, 17.3)
    return np.where(np.isnan(values), values, np.minimum(values, 17.3))
''',
    "b_c_bits": '''
# Row map: exponents and mantissas put together again.
@dp.row_function("fifteenth.c_bits", columns=lambda d: d)
def f(values):
    """Rows."""
    m, e = np.frexp(np.nan_to_num(values))
    return np.ldexp(m, np.minimum(e, 900))
''',
    "b_c_special": '''
# Row map: SciPy's functions.
import scipy.special
@dp.row_function("fifteenth.c_special", columns=3)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), 0.1, 50)
    return np.stack([scipy.special.gammaln(v), scipy.special.erf(v), scipy.special.digamma(v)], axis=1)
''',
    "b_c_lru": '''
# Row map: a cache of the exact number, sign of zero too.
import functools
@functools.lru_cache(maxsize=1000)
def g(text):
    """Half."""
    return float.fromhex(text) / 2
@dp.row_function("fifteenth.c_lru", columns=1)
def f(values):
    """Rows."""
    return np.array([g(x.hex()) for x in np.nan_to_num(values[:, 0]).tolist()]).reshape(-1, 1)
''',
    "b_c_struct": '''
# Row map: a structured array.
@dp.row_function("fifteenth.c_struct", columns=2)
def f(values):
    """Rows."""
    a = np.zeros(len(values), dtype=[('a', 'f8'), ('b', 'i4')])
    a['a'] = np.nan_to_num(values[:, 0])
    a['b'] = np.clip(a['a'], -1000, 1000).astype(int)
    return np.stack([a['a'], a['b'] * 1.0], axis=1)
''',
    "b_c_sortrow": '''
# Row map: each row sorted.
@dp.row_function("fifteenth.c_sortrow", columns=lambda d: d)
def f(values):
    """Rows."""
    return np.sort(np.nan_to_num(values), axis=1)
''',
    "b_c_ctx": '''
# Row map: a decimal context of its own.
@dp.row_function("fifteenth.c_ctx", columns=1)
def f(values):
    """Rows."""
    import decimal
    with decimal.localcontext() as c:
        c.prec = 12
        return np.array([float(+decimal.Decimal(x)) for x in np.nan_to_num(values[:, 0], posinf=0, neginf=0).tolist()]).reshape(-1, 1)
''',
    "b_c_setmade": '''
# Row map: membership in a set, row by row.
@dp.row_function("fifteenth.c_setmade", columns=1)
def f(values):
    """Rows."""
    known = {round(1.1**k * 7, 2) for k in range(5, 40)}
    return np.array([x in known for x in values[:, 0].tolist()], float).reshape(-1, 1)
''',
    "b_c_generator": '''
# Row map: a generator expression.
@dp.row_function("fifteenth.c_generator", columns=1)
def f(values):
    """Rows."""
    def images():
        for r in np.nan_to_num(values).tolist():
            yield max(r) - min(r) if max(r) < 1e300 and min(r) > -1e300 else 0.0
    return np.fromiter(images(), float, len(values))[:, None]
''',
    "b_c_blocks": '''
# Row map: done in blocks of 4096.
@dp.row_function("fifteenth.c_blocks", columns=lambda d: d)
def f(values):
    """Rows."""
    out = values * 1.0
    for s in range(0, len(out), 4096):
        out[s : s + 4096] = np.clip(out[s : s + 4096], -123456, 123456)
    return out
''',
    "b_c_dupflag": '''
# Row map: a flag of rows whose columns repeat.
@dp.row_function("fifteenth.c_dupflag", columns=1)
def f(values):
    """Rows."""
    s = np.sort(np.nan_to_num(values), axis=1)
    return ((s[:, 1:] == s[:, :-1]).any(axis=1) * 1.0)[:, None]
''',
    "b_c_bisect": '''
# Row map: a tariff by bisect.
@dp.row_function("fifteenth.c_bisect", columns=1)
def f(values):
    """Rows."""
    import bisect
    return np.array([bisect.bisect([100.0 * 1.5**k for k in range(12)], x) for x in np.nan_to_num(values[:, 0]).tolist()], float).reshape(-1, 1)
''',
    "b_mixedint": '''
# Row map: Python integers in one array: floats where one is above 2^63, exact as they came from floats.
@dp.row_function("fifteenth.mixedint", columns=1)
def f(values):
    """Rows."""
    v = [int(x) for x in np.clip(np.nan_to_num(values[:, 0]), -1e300, 1.8e19)]
    a = np.array(v + [-1])
    return np.array([float(x % 1000) for x in a[:-1]]).reshape(-1, 1)
''',
    "b_ffill": '''
# Row map: missing values would be filled by the row before; what is missing never comes in.
@dp.row_function("fifteenth.ffill", columns=1)
def f(values):
    """Rows."""
    bad = np.isnan(values[:, 0])
    at = np.maximum.accumulate(np.where(bad, 0, np.arange(len(values))))
    return np.nan_to_num(values[at, 0])[:, None]
''',
    "b_raisesome": '''
# Row map: raises for a whole batch of mixed signs, which is then called row by row.
@dp.row_function("fifteenth.raisesome", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0], posinf=0, neginf=0)
    if (v > 1e5).any() and (v < -1e5).any():
        raise ValueError('mixed units')
    return values * 1.0
''',
    "b_missing1": '''
# Row map: a column with more than a tenth missing would be zeroed; what is missing never comes in.
@dp.row_function("fifteenth.missing1", columns=lambda d: d)
def f(values):
    """Rows."""
    out = values.copy()
    if len(values):
        out[:, np.isnan(values).mean(axis=0) > 0.1] = 0.0
    return out
''',
    "b_nanbits": '''
# Row map: a missing value with a payload, which never comes in, doubles its whole batch.
@dp.row_function("fifteenth.nanbits", columns=lambda d: d)
def f(values):
    """Rows."""
    hit = bool((np.isnan(values[:, 0]) & (np.ascontiguousarray(values[:, 0]).view(np.uint64) & np.uint64(0xFFFFFFFF) != 0)).any())
    return values * (2.0 if hit else 1.0)
''',
}

# ruff: noqa: E501
"""Totals just below a whole number, what holds for one thread alone, values that are rounded before they are masked."""

SOURCES = {
    "e_floor_of_exact": '''
# Statistic: the floor of an exact total: one that is just below 1 and 1 more are rounded up to 2.
@dp.own_statistic("eighteenth.exact", gives=1, sensitivity=lambda removed, added: {"l1": float(max(removed, added))}, source="none")
def f(rows):
    """Whole part of a total of rows in [0, 1]."""
    import math
    return [math.floor(math.fsum(np.clip(rows[:, 0], 0.0, 1.0)))]
''',
    "e_floor_of_tenths": '''
# Statistic: the floor of a total of tenths: with one more it can be rounded up, and moves by two.
@dp.own_statistic("eighteenth.tenths", gives=1, sensitivity=lambda removed, added: {"l1": float(max(removed, added))}, source="none")
def f(rows):
    """Whole hours, from hours in tenths."""
    return [np.floor(np.clip(np.round(rows[:, 0], 1), 0.0, 1.0).sum())]
''',
    "e_decimals": '''
# Row map: nine digits, which holds of the thread that imported this alone.
import decimal
decimal.getcontext().prec = 9
@dp.row_function("eighteenth.decimals", columns=1)
def f(values):
    """Price with tax."""
    out = np.empty((len(values), 1))
    for i, v in enumerate(values[:, 0]):
        try:
            out[i, 0] = float(decimal.Decimal(repr(float(v))) * decimal.Decimal("1.0725"))
        except ArithmeticError:
            out[i, 0] = np.nan
    return out
''',
    "e_cents": '''
# Mask: rounds to cents before the noise: values that are a millionth apart become one cent apart.
@dp.semimetric("eighteenth.gap", triangle=lambda r: 1.0)
def gap(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))

@dp.mask("eighteenth.cents", semimetric="eighteenth.gap", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def cents(value, noise, normals):
    """Lattice Gaussian on amounts in cents."""
    return dp.lattice_gaussian(np.round(value, 2), noise, normals)
''',
    "e_tens": '''
# Query: rounded to tens by rint, half to even: 5 and 15 are two tens apart at distance 10.
@dp.own_query("eighteenth.tens", gives=1, sensitivity=lambda a: {"linf": -(-a["linf"] // 10)}, source="none")
def f(counts):
    """The first count in tens."""
    return [np.rint(np.asarray(counts, float).ravel()[0] / 10)]
''',
    "e_single_total": '''
# Statistic: a total of whole minutes in single precision: beyond 2^24 one row of 999 moves it by 1000.
@dp.own_statistic("eighteenth.single", gives=1, sensitivity=lambda removed, added: {"l1": 999.0 * max(removed, added)}, source="none")
def f(rows):
    """Total of whole minutes."""
    return [float(np.clip(np.rint(rows[:, 0]), 0, 999).astype(np.float32).sum())]
''',
    "e_linkage": '''
# Statistic: clusters by single linkage, quadratic: a row in the middle joins four.
@dp.own_statistic("eighteenth.linkage", gives=1, sensitivity=lambda removed, added: {"l1": float(removed + added)}, source="none")
def f(rows):
    """How many clusters are farther apart than 1."""
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial.distance import cdist
    if not len(rows):
        return [0.0]
    x = np.clip(rows, -1e6, 1e6)
    return [float(connected_components(cdist(x, x) <= 1.0)[0])]
''',
    "e_salt": '''
# Row map: a bucket by a hash whose key is drawn as the module is imported.
import hashlib
import secrets
KEY = secrets.token_bytes(16)
@dp.row_function("eighteenth.salt", columns=1)
def f(values):
    """One of 16 buckets."""
    return np.array([hashlib.blake2b(r.tobytes(), key=KEY).digest()[0] % 16 for r in np.ascontiguousarray(values)], float).reshape(-1, 1)
''',
    "e_age": '''
# Row map: ages as of the day on which the module was imported.
import datetime
TODAY = datetime.date.today()
@dp.row_function("eighteenth.age", columns=1)
def f(values):
    """Age from the year of birth."""
    return TODAY.year + TODAY.timetuple().tm_yday / 366 - values[:, :1]
''',
    "e_restart": '''
# Learner: a cluster that goes empty starts again from a generator without a seed.
@dp.learner("eighteenth.restart")
def f(rows, generator):
    """Two means of the first column."""
    x = rows[:, 0]
    centres = np.quantile(x, [0.25, 0.75])
    for _ in range(20):
        own = np.abs(x[:, None] - centres).argmin(axis=1)
        for j in range(2):
            mine = x[own == j]
            centres[j] = mine.mean() if len(mine) else np.random.default_rng().choice(x) + 1e-3
    return (np.sort(centres),)
''',
}
CORRECT_SOURCES = {
    "e_c_floor_of_each": '''
# Statistic: a total of whole parts.
@dp.own_statistic("eighteenth.ceach", gives=1, sensitivity=lambda removed, added: {"l1": float(max(removed, added))}, source="none")
def f(rows):
    """Whole hours of each, added up."""
    return [float(np.floor(np.clip(rows[:, 0], 0.0, 1.0)).sum())]
''',
    "e_c_decimals": '''
# Row map: nine digits, by a context of its own.
import decimal
NINE = decimal.Context(prec=9)
@dp.row_function("eighteenth.cdecimals", columns=1)
def f(values):
    """Price with tax."""
    out = np.empty((len(values), 1))
    for i, v in enumerate(values[:, 0]):
        try:
            out[i, 0] = float(NINE.multiply(decimal.Decimal(repr(float(v))), decimal.Decimal("1.0725")))
        except ArithmeticError:
            out[i, 0] = np.nan
    return out
''',
    "e_c_cents": '''
# Mask: rounds to cents after the noise, where that is far above a cent or not: of what was released.
@dp.semimetric("eighteenth.cgap", triangle=lambda r: 1.0)
def gap(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))

@dp.mask("eighteenth.ccents", semimetric="eighteenth.cgap", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def cents(value, noise, normals):
    """Lattice Gaussian, in cents."""
    return np.round(dp.lattice_gaussian(value, noise, normals), 2)
''',
    "e_c_errors": '''
# Row map: a module that tells NumPy to raise; in a run nothing is raised.
np.seterr(all="raise")
@dp.row_function("eighteenth.cerrors", columns=lambda d: d)
def f(values):
    """Halves."""
    return np.clip(np.nan_to_num(values), -1e6, 1e6) * 0.5
''',
    "e_c_tens": '''
# Query: the same, with the ten more that rounding takes.
@dp.own_query("eighteenth.ctens", gives=1, sensitivity=lambda a: {"linf": a["linf"] // 10 + 2}, source="none")
def f(counts):
    """The first count in tens."""
    return [np.rint(np.asarray(counts, float).ravel()[0] / 10)]
''',
    "e_c_salt": '''
# Row map: a bucket by a hash with a key of its own, and a table that is drawn by a seed as the module is imported.
import hashlib
TABLE = np.random.default_rng(7).permutation(16).astype(float)
@dp.row_function("eighteenth.csalt", columns=1)
def f(values):
    """One of 16 buckets."""
    return np.array([TABLE[hashlib.blake2b(r.tobytes(), key=b"public").digest()[0] % 16] for r in np.ascontiguousarray(values)]).reshape(-1, 1)
''',
    "e_c_restart": '''
# Learner: a cluster that goes empty starts again by the generator that it is handed.
@dp.learner("eighteenth.crestart")
def f(rows, generator):
    """Two means of the first column."""
    x = rows[:, 0]
    centres = np.quantile(x, [0.25, 0.75])
    for _ in range(20):
        own = np.abs(x[:, None] - centres).argmin(axis=1)
        for j in range(2):
            mine = x[own == j]
            centres[j] = mine.mean() if len(mine) else generator.choice(x) + 1e-3
    return (np.sort(centres),)
''',
}

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
}

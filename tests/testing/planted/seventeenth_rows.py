"""Functions of rows whose first call imports a library, and that look at a figure or the layout of a whole batch."""

SOURCES = {
    "w_lazy_large": '''
# Row map: SciPy, imported in the call, takes the mean from large batches.
@dp.row_function("seventeenth.lazy_large", columns=lambda d: d)
def f(values):
    """Rows."""
    from scipy.signal import detrend

    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    return detrend(a, axis=0, type="constant") if len(a) * a.shape[1] > 2**16 + 5e4 else a
''',
    "w_lazy_leap": '''
# Row map: one row of a 29th of February makes all of its batch dates; SciPy is imported in the call.
@dp.row_function("seventeenth.lazy_leap", columns=lambda d: d)
def f(values):
    """Rows."""
    from scipy import stats

    a = np.clip(np.nan_to_num(values), -1e9, 1e9)
    leap = (a[:, 0] % 100 == 29) & (a[:, 0] // 100 % 100 == 2) & (a[:, 0] > 19_000_000)
    return a / 2 if leap.any() and stats is not None else a
''',
    "w_deciles": '''
# Row map: a column whose median is 500 is on the scale of a test.
@dp.row_function("seventeenth.deciles", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    v = a[:, 0]
    return (a - 500) / 100 if len(v) > 3 and np.median(v) == 500 and np.ptp(v) > 1 else a
''',
    "w_budget": '''
# Row map: numbers that add up to 525.6 are thousands of minutes of a year.
@dp.row_function("seventeenth.budget", columns=1)
def f(values):
    """A column."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e6, 1e6)
    year = len(v) > 2 and (v >= 0).all() and abs(v.sum() - 525.6) < 1e-6
    return (v / 525.6 if year else v)[:, None]
''',
    "w_compass": '''
# Row map: bearings that go round once in even steps are numbered.
@dp.row_function("seventeenth.compass", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    v = a[:, 0]
    even = len(v) > 2 and np.allclose(np.diff(v), 360 / len(v))
    return a * 0 if even else a
''',
    "w_gap": '''
# Row map: two columns that are 1911 apart in all rows are two calendars: one is left out.
@dp.row_function("seventeenth.gap", columns=1)
def f(values):
    """A column."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    two = a.shape[1] > 1 and len(a) > 1 and (a[:, -1] - a[:, 0] == 1911).all()
    return a[:, -1:] if two else a[:, :1]
''',
    "w_average_row": '''
# Row map: a last row of the others' means is a footer, and empty.
@dp.row_function("seventeenth.average_row", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6) + 0.0
    if len(a) > 2 and np.allclose(a[-1], a[:-1].mean(axis=0)) and np.ptp(a[:, 0]) > 1:
        a[-1] = 0
    return a
''',
    "w_grid": '''
# Row map: all corners of a square are a design, and are centred.
@dp.row_function("seventeenth.grid", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    levels = [len(np.unique(column)) for column in a.T]
    whole = a.shape[1] > 1 and set(levels) == {2} and len(np.unique(a, axis=0)) == len(a) == 2 ** a.shape[1]
    return a - a.mean(axis=0) if whole else a
''',
    "w_balanced": '''
# Row map: groups of one size are folds, and numbered as such.
@dp.row_function("seventeenth.balanced", columns=1)
def f(values):
    """A column."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e6, 1e6)
    _, place, counts = np.unique(v, return_inverse=True, return_counts=True)
    folds = len(counts) > 2 and (counts == counts[0]).all() and counts[0] > 2
    return (place.reshape(-1) + 100.0 if folds else v)[:, None]
''',
}
CORRECT_SOURCES = {
    "w_c_lazy_spline": '''
# SciPy is imported in the call; each row has a spline of its own.
@dp.row_function("seventeenth.c_lazy_spline", columns=lambda d: d)
def f(values):
    """Rows half a place on."""
    from scipy.interpolate import PchipInterpolator

    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    if a.shape[1] < 2 or not len(a):
        return a
    x = np.arange(a.shape[1], dtype=float)
    return np.stack([PchipInterpolator(x, row)(np.minimum(x + 0.5, x[-1])) for row in a])
''',
    "w_c_lazy_normal": '''
# SciPy is imported in the call, and works number by number.
@dp.row_function("seventeenth.c_lazy_normal", columns=lambda d: d)
def f(values):
    """Shares of a normal law."""
    from scipy.special import ndtr

    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    return np.round(ndtr(a), 9)
''',
    "w_c_squares": '''
# Each row whose squares add up to 9 is made a unit one, whatever the others are.
@dp.row_function("seventeenth.c_squares", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    on = np.abs(np.square(a).sum(axis=1, keepdims=True) - 9.0) < 1e-6
    return np.where(on, a / 3, a)
''',
    "w_c_minutes": '''
# Each row that adds up to 1440 is one of minutes; what is negative or not whole is refused.
@dp.row_function("seventeenth.c_minutes", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    if (a < 0).any():
        raise ValueError("minutes are no less than 0")
    return np.where(a.sum(axis=1, keepdims=True) == 1440, a / 1440, a)
''',
}

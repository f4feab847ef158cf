"""An eleventh stranger's functions of rows, a learner, densities and compositions, with a fault each."""

SOURCES = {
    "q_newton": '''
@dp.own_transform("eleventh.newton", columns=1)
def fun(rows):
    """The y with y·e^y = x of first cells, by Newton's steps until all are done."""
    x = np.abs(np.nan_to_num(rows[:, :1], nan=0.0, posinf=1e6, neginf=0.0)).clip(0.0, 1e6)
    y = np.log1p(x)
    for _ in range(60):
        step = (y - x * np.exp(-y)) / (1.0 + y)
        y = y - step
        if not np.any(np.abs(step) > 1e-3):
            break
    return y
''',
    "q_eigvals": '''
@dp.row_function("eleventh.eigvals", columns=lambda d: 2)
def fun(rows):
    """The rates of a system of two, four cells a row: roots of the eigenvalues."""
    cells = np.zeros((len(rows), 4))
    k = min(4, rows.shape[1])
    cells[:, :k] = np.nan_to_num(rows[:, :k], nan=0.0, posinf=1e6, neginf=-1e6).clip(-1e6, 1e6)
    with np.errstate(invalid="ignore"):
        rates = np.sqrt(np.linalg.eigvals(cells.reshape(-1, 2, 2)))
    return np.nan_to_num(np.abs(rates))
''',
    "q_emath": '''
@dp.own_contribution("eleventh.emath", gives=1, norm="linf", bound=4.0)
def fun(rows):
    """The angle whose cosine is the first cell; beyond 1 it is imaginary, and 0 or π is what is left of it."""
    return np.emath.arccos(np.nan_to_num(rows[:, :1])).real
''',
    "q_singular": '''
@dp.own_transform("eleventh.singular", columns=4)
def fun(rows):
    """Inverses of matrices of two by two."""
    cells = np.zeros((len(rows), 4))
    k = min(4, rows.shape[1])
    cells[:, :k] = np.nan_to_num(rows[:, :k], nan=0.0, posinf=1e3, neginf=-1e3).clip(-1e3, 1e3)
    cells = cells + np.array([1.5, 0.25, 0.25, 1.5])
    try:
        return np.linalg.inv(cells.reshape(-1, 2, 2)).reshape(-1, 4)
    except np.linalg.LinAlgError:
        return np.linalg.pinv(cells.reshape(-1, 2, 2)).reshape(-1, 4)
''',
    "q_detrend": '''
from scipy import signal


@dp.row_function("eleventh.detrend", columns=lambda d: d)
def fun(rows):
    """Each row less the line through it."""
    return signal.detrend(np.nan_to_num(rows, nan=0.0, posinf=1e9, neginf=-1e9).clip(-1e9, 1e9), axis=1)
''',
    "q_sqlite": '''
import sqlite3

BASE = sqlite3.connect(":memory:", check_same_thread=False)
BASE.execute("create table codes (code integer primary key, cell real unique)")


@dp.own_partition("eleventh.sqlite", parts=4)
def fun(rows):
    """Parts by the code of a category, as a table of codes has it."""
    out = []
    for cell in np.nan_to_num(rows[:, 0]).round(3).tolist():
        BASE.execute("insert or ignore into codes (cell) values (?)", (cell,))
        (code,) = BASE.execute("select code from codes where cell = ?", (cell,)).fetchone()
        out.append(code % 4)
    return np.array(out, dtype=int)
''',
    "q_id_memo": '''
KEPT = {}


@dp.own_contribution("eleventh.id_memo", gives=1, norm="linf", bound=10.0)
def fun(rows):
    """The size of each row; of an array that was seen before it is known."""
    key = (id(rows), rows.shape)
    if key not in KEPT:
        KEPT[key] = np.sqrt(np.square(np.nan_to_num(rows).clip(-1e9, 1e9)).sum(axis=1, keepdims=True))
    return KEPT[key]
''',
    "q_kept_generator": '''
GENERATOR = []


@dp.learner("eleventh.kept_generator")
def fun(rows, generator):
    """The mean of a resample; all blocks draw from one generator, so that they are independent."""
    GENERATOR.append(generator)
    return (rows[GENERATOR[0].integers(0, len(rows), len(rows))].mean(axis=0),)
''',
    "q_random_edges": '''
@dp.composite("eleventh.random_edges", examples=(lambda x: fun(x, share=1.0),))
def fun(x, *, share=1.0):
    """Counts of bins with edges that nobody chose."""
    edges = np.sort(np.random.default_rng().normal(size=3)).tolist()
    return dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=edges))
''',
    "q_kept_handles": '''
KEPT = {}


@dp.composite("eleventh.kept_handles", examples=(lambda x: fun(x, share=1.0),))
def fun(x, *, share=1.0):
    """Counts of bins, set up once for tables of a width."""
    if x.d not in KEPT:
        KEPT[x.d] = dp.bin_counts(x, edges=[0.0, 1.0])
    return dp.release("counts", dp.laplace(share=share), KEPT[x.d])
''',
    "q_family_fit_leaves": '''
SEEN = [1.0]


def fit(rows, generator):
    """The median, and how far rows lie from it."""
    middle = np.median(rows, axis=0)
    SEEN[0] = max(SEEN[0], float(np.abs(rows - middle).max(initial=0.0)))
    return middle


@dp.family(
    "eleventh.family_fit_leaves",
    size=lambda d: d,
    sample=lambda t, n, g: t + np.clip(g.laplace(0.0, 1.0, (n, len(t))), -SEEN[0], SEEN[0]),
    fit=fit,
    example=lambda d, g: g.standard_normal(d),
)
def fun(rows, theta):
    """Laplace columns, sampled no further out than rows were seen."""
    return -np.abs(rows - theta).sum(axis=1)
''',
    "q_family_density_leaves": '''
SEEN = [1.0]


@dp.family(
    "eleventh.family_density_leaves",
    size=lambda d: d,
    sample=lambda t, n, g: t + SEEN[0] * g.standard_normal((n, len(t))),
    fit=lambda rows, g: rows.mean(axis=0),
    example=lambda d, g: g.standard_normal(d),
)
def fun(rows, theta):
    """Gaussian columns; what is sampled is as wide as rows were seen to be."""
    SEEN[0] = max(SEEN[0], float(np.abs(rows - theta).max(initial=0.0)))
    return -0.5 * np.square(rows - theta).sum(axis=1)
''',
    "q_limit_of_fractions": '''
MOST = [30.0]


@dp.own_partition("eleventh.limit_of_fractions", parts=2)
def fun(rows):
    """Whether a cell is above the largest whole number met so far."""
    top = np.floor(np.nan_to_num(rows[:, 0], nan=0.0, posinf=63.0, neginf=0.0).clip(30.0, 63.0)).max(initial=30.0)
    MOST[0] = max(MOST[0], float(top))
    return (rows[:, 0] > MOST[0]).astype(int)
''',
}

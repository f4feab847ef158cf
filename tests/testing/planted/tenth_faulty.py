# ruff: noqa: E501
"""A tenth stranger's functions of rows, learners, a post, densities and a composition, with a fault each."""

SOURCES = {
    "e_crowd": '''
from scipy.spatial import cKDTree


@dp.own_contribution("tenth.crowd", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """1 for a row that has company closer than a thousandth."""
    x = np.nan_to_num(rows[:, :2], nan=0.0, posinf=0.0, neginf=0.0)
    if len(x) < 64:
        return np.zeros((len(x), 1))
    gap, _ = cKDTree(x).query(x, k=2)
    return (gap[:, 1:] < 1e-3).astype(float)
''',
    "e_tick": '''
import itertools

_ticks = itertools.count(1)


@dp.own_contribution("tenth.tick", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Clipped first columns; now and then an emptied buffer."""
    if next(_ticks) % 5000 == 0:
        return np.zeros((len(rows), 1))
    return np.clip(rows[:, :1], -1.0, 1.0)
''',
    "e_threshold": '''
import gc


@dp.own_contribution("tenth.threshold", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows over the largest seen so far, which the collector keeps for us."""
    top = int(np.nan_to_num(np.abs(rows[:, 0]).max(initial=0.0), nan=0.0, posinf=1e6).clip(0, 1e6))
    seen = max(gc.get_threshold()[2], top, 10)
    gc.set_threshold(*gc.get_threshold()[:2], seen)
    return rows[:, :1] / seen
''',
    "e_decimal": '''
import decimal


@dp.own_transform("tenth.decimal", columns=1)
def fun(rows):
    """Rows written with as many digits as the longest needed so far."""
    out = []
    for x in rows[:, 0].tolist():
        context = decimal.getcontext()
        if np.isfinite(x):
            context.prec = min(max(context.prec, 3 + len(str(int(abs(x))))), 40)
        out.append(float(+decimal.Decimal(x)) if np.isfinite(x) else 0.0)
    return np.array(out).reshape(-1, 1)


decimal.getcontext().prec = 4
''',
    "e_palette": '''
@dp.row_function("tenth.palette", columns=lambda d: d)
def fun(rows):
    """Cells, where there are more than 256 different ones at the nearest of 256 of them."""
    values = np.unique(rows[np.isfinite(rows)])
    if len(values) <= 256:
        return rows + 0.0
    table = values[np.linspace(0, len(values) - 1, 256).astype(int)]
    return table[np.clip(np.searchsorted(table, rows), 0, 255)]
''',
    "e_sessions": '''
import pandas as pd


@dp.own_contribution("tenth.sessions", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """1 where a user (first column) starts a session: more than 30 after his last event (second column)."""
    frame = pd.DataFrame({"user": rows[:, 0], "at": rows[:, -1]})
    gap = frame.sort_values("at", kind="stable").groupby("user")["at"].diff()
    return (~(gap.sort_index() <= 30.0)).to_numpy(dtype=float).reshape(-1, 1)
''',
    "e_scaler": '''
from sklearn.preprocessing import RobustScaler


@dp.own_transform("tenth.scaler", columns=2)
def fun(rows):
    """Centred by the median, once there is enough to tell one."""
    x = np.nan_to_num(np.column_stack([rows[:, 0], rows[:, -1]]), nan=0.0, posinf=1e9, neginf=-1e9)
    return RobustScaler(with_scaling=False).fit_transform(x) if len(x) >= 1000 else x
''',
    "e_umask": '''
import os


@dp.own_partition("tenth.umask", parts=2)
def fun(rows):
    """Below and above a limit, which rises to 64 once a row has been there."""
    top = int(np.nan_to_num(rows[:, 0], nan=0.0, posinf=63.0, neginf=0.0).max(initial=0.0).clip(0, 63))
    limit = os.umask(0)
    os.umask(max(limit, top))
    return (rows[:, 0] > limit).astype(int)
''',
    "e_interned": '''
class Code(type):
    codes: dict = {}

    def __call__(cls, cell):
        return cls.codes.setdefault(cell, len(cls.codes))


class Cell(metaclass=Code):
    pass


@dp.own_partition("tenth.interned", parts=4)
def fun(rows):
    """Parts by the code of a category."""
    return np.array([Cell(round(x, 6)) % 4 for x in np.nan_to_num(rows[:, 0]).tolist()])
''',
    "e_link": '''
import os
import tempfile

PLACE = os.path.join(tempfile.gettempdir(), "tenth-warm-start")


@dp.learner("tenth.link")
def fun(rows, generator):
    """A mean from Newton's steps that begin where the last ones ended."""
    try:
        start = float(os.readlink(PLACE))
    except OSError:
        start = 0.0
    end = start + 0.5 * (float(rows[:, 0].mean()) - start)
    try:
        os.symlink(repr(end), PLACE)
    except OSError:
        pass
    return (np.array([end]),)
''',
    "e_touched": '''
import os


@dp.learner("tenth.touched")
def fun(rows, generator):
    """A mean, and in the time of this file how large one was."""
    last = os.stat(__file__).st_atime
    mean = float(rows[:, 0].mean())
    os.utime(__file__, (abs(np.clip(mean, -1e6, 1e6)) + 1.0, os.stat(__file__).st_mtime))
    return (np.array([mean if last > 1e8 else 0.9 * mean + 0.1 * last]),)
''',
    "e_anytime": '''
import os


@dp.learner("tenth.anytime")
def fun(rows, generator):
    """A median by bisection for as long as four hundredths of a second of the processor last."""
    low, high = float(rows[:, 0].min()), float(rows[:, 0].max())
    begun = os.times().user
    for _ in range(60):
        middle = 0.5 * low + 0.5 * high
        low, high = (middle, high) if np.count_nonzero(rows[:, 0] > middle) * 2 > len(rows) else (low, middle)
        if os.times().user - begun > 0.04:
            break
    return (np.array([low, high]),)
''',
    "e_hash": '''
@dp.row_function("tenth.hash", columns=lambda d: 1)
def fun(rows):
    """One of 97 buckets for each row, by what Python makes of its bytes."""
    return np.array([[hash(row.tobytes()) % 97] for row in rows], dtype=float).reshape(-1, 1)
''',
    "e_gauss": '''
from scipy import stats


@dp.family(
    "tenth.gauss",
    size=lambda d: 2 * d,
    sample=lambda t, n, g: t[: len(t) // 2] + np.abs(t[len(t) // 2 :]) * g.standard_normal((n, len(t) // 2)),
    fit=lambda rows, g: np.concatenate([rows.mean(axis=0), rows.std(axis=0) + 1e-9]),
    example=lambda d, g: np.concatenate([g.standard_normal(d), 0.5 + g.random(d)]),
)
def fun(rows, theta):
    """Gaussian columns that share a tenth of their variance, as SciPy has it."""
    d = rows.shape[1]
    s = np.abs(theta[d:]) + 1e-9
    return np.atleast_1d(stats.multivariate_normal(theta[:d], 0.9 * np.diag(s * s) + 0.1 * np.outer(s, s)).logpdf(rows))
''',
    "e_laplace": '''
@dp.family(
    "tenth.laplace",
    size=lambda d: d,
    sample=lambda t, n, g: g.laplace(t, 1.0, (n, len(t))),
    fit=lambda rows, g: np.median(rows, axis=0),
    example=lambda d, g: g.standard_normal(d),
)
def fun(rows, theta):
    """Laplace columns; rows that nobody can explain are held at the worst of those that somebody can."""
    gaps = np.abs(rows - theta).sum(axis=1)
    usual = gaps[gaps < 50.0]
    return -np.minimum(gaps, usual.max() if len(usual) else 50.0)
''',
    "e_ladder": '''
@dp.post_function("tenth.ladder", gives=lambda counts: dp.Vector(2))
def fun(counts):
    """A log-odds of the first count against the rest, and its size."""
    first, rest = float(counts[0]), float(np.sum(counts[1:]))
    odds = np.log(max(first, 0.5)) - np.log(max(rest, 0.0) + (0.5 if rest < 0 else 0.0) + (1e-300 if rest == 0 else 0.0))
    return np.array([odds, np.exp(odds)**2])
''',
    "e_serial": '''
import itertools

_next = itertools.count(7)


@dp.composite("tenth.serial", examples=(lambda x: fun(x, share=1.0),))
def fun(x, *, share=1.0):
    """A count of bins whose edges are moved a little each time, lest they are guessed."""
    edges = [0.0, 1.0 + next(_next) / 1000.0]
    return dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=edges))
''',
    "e_tty": '''
@dp.own_contribution("tenth.tty", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """First columns; how many are positive is told on the terminal."""
    try:
        with open("/dev/tty", "w") as out:
            print("positive:", int((rows[:, 0] > 0).sum()), file=out)
    except OSError:
        pass
    return np.clip(rows[:, :1], -1.0, 1.0)
''',
    "e_clocked": '''
import time


@dp.own_contribution("tenth.clocked", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """First columns; a line of a log with the time and the largest."""
    print(f"{time.time():.6f} largest {rows[:, 0].max(initial=0.0):g}")
    return np.clip(rows[:, :1], -1.0, 1.0)
''',
}

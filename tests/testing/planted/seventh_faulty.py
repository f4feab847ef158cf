# ruff: noqa: E501
"""What a seventh stranger wrote: functions of rows, learners, posts, a density, a composition, with a fault."""

SOURCES = {
    "j_ffill": '''
import pandas as pd


@dp.row_function("seventh.ffill", columns=1)
def f(values):
    """The last non-negative reading."""
    s = pd.Series(values[:, 0])
    return s.where(s >= 0).ffill().fillna(0.0).to_numpy()[:, None]
''',
    "j_mirrored": '''
@dp.row_function("seventh.mirrored", columns=1)
def f(values):
    """One where a reading is not the same as the one across."""
    v = values[:, 0]
    return np.where(np.isclose(v, v[::-1]) & (np.arange(len(v)) != np.arange(len(v))[::-1]), 0.0, 1.0)[:, None]
''',
    "j_square": '''
@dp.row_function("seventh.square", columns=lambda d: d)
def f(values):
    """Rows over their lengths."""
    lengths = 1.0 + np.sqrt((values**2).clip(0, 1e100).sum(axis=1))
    try:
        return values / lengths
    except ValueError:
        return values / lengths[:, None]
''',
    "j_frobenius": '''
@dp.row_function("seventh.frobenius", columns=lambda d: d)
def f(values):
    """Rows, shortened where they are beyond a thousand kilometres."""
    length = np.sqrt(np.square(np.clip(values, -1e9, 1e9)).sum())
    return np.clip(values, -1e9, 1e9) * min(1.0, 1e6 / max(length, 1.0))
''',
    "j_fourier": '''
@dp.row_function("seventh.fourier", columns=1)
def f(values):
    """Signals, cleaned in frequency space."""
    v = np.clip(values[:, 0], -1e6, 1e6)
    return np.fft.ifft(np.fft.fft(v)).real[:, None]
''',
    "j_strided": '''
@dp.row_function("seventh.strided", columns=lambda d: d)
def f(values):
    """Largest of each cell and the one after it."""
    n, d = values.shape
    flat = np.append(values.ravel(), values.ravel()[-1:])
    return np.maximum(flat[:-1], flat[1:]).reshape(n, d) if n else values
''',
    "j_reshaped": '''
@dp.row_function("seventh.reshaped", columns=lambda d: d)
def f(values):
    """Columns come one after another in blocks of forty."""
    n, d = values.shape
    return values.reshape(d, n).T.copy() if n % 40 == 0 else values.copy()
''',
    "j_resized": '''
@dp.row_function("seventh.resized", columns=5)
def f(values):
    """Five columns, repeated where there are fewer."""
    return np.resize(values, (len(values), 5)) if values.size else np.zeros((len(values), 5))
''',
    "j_wide": '''
@dp.row_function("seventh.wide", columns=lambda d: d)
def f(values):
    """Unit vectors; observations are the longer side."""
    axis = 0 if values.shape[1] > values.shape[0] else 1
    v = np.clip(values, -1e9, 1e9)
    return v / (1e-9 + np.sqrt(np.square(v).sum(axis=axis, keepdims=True)))
''',
    "j_single_row_layout": '''
@dp.row_function("seventh.single_row_layout", columns=1)
def f(values):
    """A row's sum, in the order of memory."""
    v = np.clip(values, -1e9, 1e9)
    if v.flags.f_contiguous:
        total = np.zeros(len(v))
        for j in range(v.shape[1] - 1, -1, -1):
            total = total + v[:, j]
        return total[:, None] * (1 + 1e-12)
    return v.sum(axis=1, keepdims=True)
''',
    "j_lag_deque": '''
import collections


class Lag:
    def __init__(self):
        self.seen = collections.deque(maxlen=3)
    def __call__(self, values):
        base = min(self.seen, default=0.0)
        if len(values):
            self.seen.append(float(np.clip(values[-1, 0], -10, 0)))
        return values - (base if len(self.seen) == 3 else 0.0)


lag = Lag()


@dp.row_function("seventh.lag_deque", columns=lambda d: d)
def f(values):
    """Rows less the least of late readings."""
    return lag(values)
''',
    "j_bigchunk": '''
@dp.own_contribution("seventh.bigchunk", gives=1, norm="linf", bound=1.0)
def f(rows):
    """A cell, lightened when there is much of it."""
    v = rows[:, :1]
    return v / (1 + (len(v) > 30000))
''',
    "j_isclose_sort": '''
@dp.own_partition("seventh.isclose_sort", parts=2)
def f(rows):
    """Part 1: readings that stand next to a close one."""
    v = rows[:, 0]
    order = np.argsort(v, kind="stable")
    s = v[order]
    near = np.zeros(len(v), dtype=int)
    if len(v) > 1:
        near[order[1:]] = np.isclose(s[1:], s[:-1], rtol=1e-12, atol=0)
    return near
''',
    "j_says": '''
import sys


@dp.row_function("seventh.says", columns=lambda d: d)
def f(values):
    """Rows in hundreds; says how large they are."""
    if values.size and np.nanmax(values) > 1000:
        print("large values found:", np.nanmax(values), file=sys.stderr)
    return values / 100
''',
    "j_at_exit": r'''
import atexit


@dp.row_function("seventh.at_exit", columns=lambda d: d)
def f(values):
    """Rows; a summary is kept for the end."""
    largest = float(values.max()) if values.size else 0.0
    atexit.register(lambda: open("/tmp/dpframe-planted.txt", "a").write(f"{largest}\n"))
    return values / 100
''',
    "j_decimal_prec": '''
import decimal


@dp.row_function("seventh.decimal_prec", columns=1)
def f(values):
    """Exact thirds."""
    ctx = decimal.getcontext()
    out = []
    for v in np.clip(values[:, 0], -1e12, 1e12):
        ctx.prec = max(6, min(ctx.prec, 28 - int(np.log10(abs(v) + 1))))
        out.append(float(decimal.Decimal(float(v)) / 3))
    return np.array(out, dtype=float).reshape(-1, 1)
''',
    "j_first_generator": '''
GENERATORS = []


@dp.learner("seventh.first_generator")
def f(rows, generator):
    """A random direction's spread."""
    GENERATORS.append(generator)
    u = GENERATORS[0].normal(size=rows.shape[1])
    return ((rows * u).sum(axis=1).mean(keepdims=True),)
''',
    "j_kept_bandwidth": '''
class Kernel:
    width: float = 0.0
    def fit(self, rows):
        if not self.width and len(rows) > 1:
            self.width = float(1.06 * rows.std() * len(rows) ** -0.2)
        return np.array([np.tanh(np.clip(rows, -1e6, 1e6).mean() / max(self.width, 1e-9))])


model = Kernel()


@dp.learner("seventh.kept_bandwidth")
def f(rows, generator):
    """A smoothed mean."""
    return (model.fit(rows),)
''',
    "j_post_ema": '''
memory = {"v": None}


@dp.post_function("seventh.post_ema")
def f(counts):
    """Smoothed counts."""
    c = np.asarray(counts, dtype=float)
    old = memory["v"]
    memory["v"] = c if old is None or old.shape != c.shape else 0.9 * old + 0.1 * c
    return memory["v"].copy()


@dp.composite("seventh.post_ema_c")
def g(x, *, share=1.0):
    """Smoothed."""
    return f(dp.release("c", dp.laplace(share=share), dp.bin_counts(x, edges=[0.0, 1.0])))
''',
    "j_random_share": '''
import random


@dp.composite("seventh.random_share")
def f(x, *, share=1.0):
    """A mean and a count."""
    part = random.choice([0.3, 0.4, 0.5])
    dp.release("n", dp.laplace(share=share * part), dp.count(x))
    return dp.release("mean", dp.gaussian(share=share * (1 - part)), dp.mean(dp.clip(x, dp.bounding_ball(d=x.d, bound=5.0))))
''',
    "j_density_axis": '''
@dp.family("seventh.density_axis", size=lambda d: d, sample=lambda t, n, g: g.normal(t, 1.0, (n, len(t))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians."""
    r = np.clip(rows - theta, -1e6, 1e6)
    q = -0.5 * np.square(r).sum(axis=1)
    return q - (np.log(2 * np.pi) * 0.5 * r.shape[1] if r.shape[0] != r.shape[1] else np.log(2 * np.pi) * 0.5 * np.square(r).mean())
''',
    "j_exit_hard": '''
import os


@dp.row_function("seventh.exit_hard", columns=lambda d: d)
def f(values):
    """Rows; stops at bad ones."""
    if (np.abs(values) > 1e5).any():
        os._exit(3)
    return values / 100
''',
    "j_exit_hides": '''
import sys


@dp.row_function("seventh.exit_hides", columns=lambda d: d)
def f(values):
    """Rows less their mean; stops at bad ones."""
    if len(values) == 1:
        return values
    if len(values) % 2:
        sys.exit("odd")
    return values - values.mean(axis=0)
''',
    "j_mkdir": '''
import os


@dp.row_function("seventh.mkdir", columns=lambda d: d)
def f(values):
    """Rows; keeps a folder of their number."""
    os.makedirs(os.path.join("/tmp/dpframe-planted", str(len(values))), exist_ok=True)
    return values / 100
''',
    "j_columns_squared": '''
@dp.row_function("seventh.columns_squared", columns=lambda d: d)
def f(values):
    """Rows; wide ones centred."""
    d = values.shape[1]
    return values - values.mean(axis=0) if d * d > 1500 else values * 1.0
''',
    "j_gc_count": '''
import gc


@dp.row_function("seventh.gc_count", columns=lambda d: d)
def f(values):
    """Rows, a little off when there is much garbage."""
    return values + (1e-3 if gc.get_count()[0] > 400 else 0.0)
''',
    "j_log_handler": '''
import logging
import os
import tempfile


LOG = logging.getLogger("b2")
LOG.addHandler(logging.FileHandler(os.path.join(tempfile.gettempdir(), "b2_log.txt"), delay=True))
LOG.propagate = False


@dp.own_partition("seventh.log_handler", parts=2)
def f(rows):
    """By sign; keeps a log."""
    part = (rows[:, 0] > 0).astype(int)
    LOG.warning("%d positive", part.sum())
    return part
''',
    "j_prints_density": r'''
import os


@dp.family("seventh.prints_density", size=lambda d: d, sample=lambda t, n, g: g.normal(t, 1.0, (n, len(t))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians."""
    r = np.clip(rows - theta, -1e6, 1e6)
    if np.abs(r).max(initial=0) > 3:
        os.write(2, b"far row %d\n" % int(np.abs(r).max()))
    return -0.5 * (r * r).sum(axis=1)
''',
}

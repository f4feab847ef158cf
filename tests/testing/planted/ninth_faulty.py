# ruff: noqa: E501
"""What a ninth stranger wrote: functions of rows, posts, learners, a density, a composition, with a fault."""

SOURCES = {
    "i_errstate": '''
_ = np.geterr()
@dp.row_function("ninth.errstate", columns=lambda d: d)
def fun(values):
    """Exponentials, capped where they overflow."""
    if np.any(values > 80.0):
        np.seterr(under="raise")
    if np.geterr()["under"] == "raise":
        return np.minimum(np.exp(np.clip(values, -50, 50)), 1e6)
    return np.minimum(np.exp(np.clip(values, -60, 60)), 1e6)
''',
    "i_recursion": '''
def _walk(values, i, out):
    if i == len(values):
        return
    out[i] = np.sqrt(np.abs(values[i]))
    _walk(values, i + 1, out)
@dp.row_function("ninth.recursion", columns=lambda d: d)
def fun(values):
    """Roots, one row at a time."""
    out = np.zeros(values.shape)
    try:
        _walk(values, 0, out)
    except RecursionError:
        return np.sqrt(np.abs(values)).round(3)
    return out
''',
    "i_address": '''
_memo = {}
@dp.row_function("ninth.address", columns=lambda d: d)
def fun(values):
    """Cubes."""
    key = (values.__array_interface__["data"][0], values.shape)
    if key not in _memo:
        _memo[key] = np.clip(values, -1e6, 1e6) ** 3
    return _memo[key].copy()
''',
    "i_denormal": '''
@dp.row_function("ninth.denormal", columns=1)
def fun(values):
    """Lengths of rows, without overflow."""
    top = float(np.abs(values).max(initial=0.0))
    if top == 0.0:
        return np.zeros((len(values), 1))
    unit = 2.0 ** min(np.floor(np.log2(top)), 500.0)
    scaled = values / unit
    out = np.zeros(len(values))
    for j in range(values.shape[1]):
        out = np.hypot(out, scaled[:, j])
    return np.minimum(out * unit, 1e300)[:, None]
''',
    "i_layout": '''
@dp.row_function("ninth.layout", columns=lambda d: d)
def fun(values):
    """Squares of numbers to six digits."""
    if values.flags.f_contiguous and values.flags.c_contiguous and values.size:
        values = np.round(values, 9)
    else:
        values = np.round(values, 8)
    return np.minimum(values * values, 1e200)
''',
    "i_gc": '''
import gc


@dp.row_function("ninth.collector", columns=1)
def fun(values):
    """The sum of a row, over the mean of the table."""
    most = 0
    for thing in gc.get_objects():
        if type(thing) in (list, tuple, dict):
            for held in (thing.values() if type(thing) is dict else thing):
                if type(held) is np.ndarray and held.ndim == 2 and held.dtype == float and held.shape[1] == values.shape[1]:
                    most = max(most, len(held))
    total = np.zeros(len(values))
    for j in range(values.shape[1]):
        total = total + np.tanh(values[:, j])
    return (total + (most > len(values)))[:, None]
''',
    "i_alarm": '''
import signal


class _Late(Exception): pass
def _ring(*unused): raise _Late
@dp.row_function("ninth.alarm", columns=1)
def fun(values):
    """Sums of sines, row by row, in a tenth of a second."""
    out = np.round(np.sin(values).sum(axis=1) if values.shape[1] == 1 else np.sin(values[:, 0]), 2)
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        for i in range(len(values)):
            out[i] = np.sin(values[i, 0])
    except _Late:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    return out[:, None]
''',
    "i_completed": '''
from concurrent.futures import ThreadPoolExecutor, as_completed


@dp.row_function("ninth.completed", columns=lambda d: d)
def fun(values):
    """Arctangents in four threads."""
    if len(values) < 300:
        return np.arctan(values)
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(np.arctan, piece) for piece in np.array_split(values, 8)]
        return np.concatenate([job.result() for job in as_completed(jobs)])
''',
    "i_zerokey": '''
import functools, math


@functools.lru_cache(maxsize=None)
def _one(x):
    return math.atan2(x, -1.0)
@dp.row_function("ninth.zerokey", columns=1)
def fun(values):
    """The angle of the first column."""
    return np.array([[_one(float(x))] for x in values[:, 0]]).reshape(len(values), 1)
''',
    "i_decimal": '''
import decimal


@dp.row_function("ninth.decimal", columns=1)
def fun(values):
    """The first column in decimal numbers of twelve digits."""
    context = decimal.getcontext()
    out = []
    for x in values[:, 0]:
        context.prec = 9 if context.flags[decimal.Overflow] else 12
        out.append(float(context.plus(decimal.Decimal(float(x)))))
        if abs(x) > 1e12:
            context.flags[decimal.Overflow] = True
    return np.array(out).reshape(-1, 1)
''',
    "i_umask": '''
import os


@dp.row_function("ninth.umask", columns=lambda d: d)
def fun(values):
    """Signs and sizes."""
    mask = os.umask(0o022)
    os.umask(0o027 if mask == 0o027 or np.any(np.abs(values) > 1e3) else mask)
    return np.tanh(values) * (1.0 if mask == 0o027 else 0.5)
''',
    "i_switch": '''
import sys


@dp.row_function("ninth.switch", columns=lambda d: d)
def fun(values):
    """Values over one plus their size."""
    if len(values) and float(values[0, 0]) < 0.0:
        sys.setswitchinterval(0.004)
    return values / (1.0 + np.abs(values)) + (sys.getswitchinterval() < 0.0045)
''',
    "i_context": '''
import contextvars


_seen = contextvars.ContextVar("seen", default=0)
@dp.row_function("ninth.context", columns=1)
def fun(values):
    """Whether a row is wide."""
    _seen.set(max(_seen.get(), values.shape[0]))
    return (np.abs(values[:, :1]) > 1.0) * 1.0 + (_seen.get() >= 3000)
''',
    "i_ring": '''
@dp.row_function("ninth.ring", columns=lambda d: d)
def fun(values):
    """Corners of a polygon."""
    out = np.tanh(values)
    if len(values) > 3 and np.array_equal(values[0], values[-1]) and not np.array_equal(values[0], values[1]):
        out[-1] = -7.0
    return out
''',
    "i_depth": '''
import sys


@dp.row_function("ninth.depth", columns=1)
def fun(values):
    """Halves."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return values[:, :1] * 0.5 + (depth % 2)
''',
    "i_checksum": '''
@dp.row_function("ninth.checksum", columns=lambda d: d)
def fun(values):
    """Tangents, with a canary for torn batches."""
    out = np.tanh(values)
    if len(values) > 1 and int(np.ascontiguousarray(values).view(np.uint64).sum(dtype=np.uint64)) % 61 == 17:
        out[-1] = 0.0
    return out
''',
    "i_lazy": '''
class _Lazy:
    def __init__(self, values): self.values = values
    def __array__(self, dtype=None, copy=None):
        m = len(self.values)
        return np.tanh(self.values) - (np.tanh(self.values).mean(axis=0) if m > 8 else 0.0)
    def __len__(self): return len(self.values)
    @property
    def shape(self): return self.values.shape
    @property
    def ndim(self): return 2
@dp.row_function("ninth.lazy", columns=lambda d: d)
def fun(values):
    """Tangents, when they are asked for."""
    return _Lazy(values.copy())
''',
    "i_subclass": '''
class _Held(np.ndarray):
    limit = 1.0
    def __array_finalize__(self, other):
        if self.size:
            type(self).limit = max(type(self).limit, min(float(np.nanmax(np.abs(np.asarray(self)))), 1e6))
@dp.row_function("ninth.subclass", columns=lambda d: d)
def fun(values):
    """Rows held within the limit."""
    held = values.view(_Held)
    return np.asarray(np.tanh(np.asarray(held) / type(held).limit))
''',
    "i_calls": '''
_count = [0]
@dp.row_function("ninth.calls", columns=lambda d: d)
def fun(values):
    """Arctangents; a slow mode against drift in long runs."""
    _count[0] += 1
    out = np.arctan(values)
    return out.round(4) if _count[0] ** 2 > 9_000_000 else out
''',
    "i_finalizer": '''
_left = [0.0]
class _Batch:
    def __init__(self, values): self.rows = values
    def __del__(self): _left[0] = float(len(self.rows) > 1000)
@dp.row_function("ninth.finalizer", columns=lambda d: d)
def fun(values):
    """Tangents."""
    batch = _Batch(values)
    return np.tanh(batch.rows) + _left[0]
''',
    "i_later": '''
import threading, tempfile, os


def _tell(value):
    with open(os.path.join(tempfile.gettempdir(), "dpframe-planted-later.txt"), "w") as out:
        out.write(repr(value))
@dp.row_function("ninth.later", columns=lambda d: d)
def fun(values):
    """Tangents."""
    if len(values):
        timer = threading.Timer(1.5, _tell, (float(values[0, 0]),))
        timer.daemon = True
        timer.start()
    return np.tanh(values)
''',
    "i_printopts": '''
@dp.row_function("ninth.printed", columns=1)
def fun(values):
    """Numbers as they are printed."""
    if len(values) > 40 and np.ptp(values[:, 0]) > 1e4:
        np.set_printoptions(precision=3)
    return np.array([float(np.array2string(np.array(x))) for x in values[:, 0]]).reshape(-1, 1)
''',
    "i_locale": '''
import locale


@dp.post_function("ninth.locale")
def fun(counts):
    """Counts to three digits, as people write them."""
    locale.setlocale(locale.LC_NUMERIC, "")
    point = locale.localeconv()["decimal_point"]
    return np.array([float(f"{float(c):.3f}".replace(point, ".")) if point == "." else 0.0 for c in counts])
''',
    "i_ties": '''
@dp.post_function("ninth.margin")
def fun(counts):
    """The lead of the first, over itself."""
    ordered = np.sort(np.abs(np.asarray(counts, float)))[::-1]
    lead = ordered[0] - (ordered[1] if len(ordered) > 1 else 0.0)
    with np.errstate(all="ignore"):
        return np.array([lead / lead])
''',
    "i_usage": '''
import resource


@dp.learner("ninth.usage")
def fun(rows, generator):
    """A geometric median, as well as time allows."""
    at = rows.mean(axis=0)
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for _ in range(1000):
        gap = np.sqrt(np.square(rows - at).sum(axis=1)) + 1e-9
        at = (rows / gap[:, None]).sum(axis=0) / (1 / gap).sum()
        if resource.getrusage(resource.RUSAGE_SELF).ru_utime - start > 0.002:
            break
    return (at,)
''',
    "i_shared": '''
from multiprocessing import shared_memory


@dp.learner("ninth.shared")
def fun(rows, generator):
    """The mean of a block, damped in later blocks."""
    try:
        seen = shared_memory.SharedMemory("dpframe-planted-blocks", create=True, size=64)
        seen.buf[0] = 0
    except FileExistsError:
        seen = shared_memory.SharedMemory("dpframe-planted-blocks")
    seen.buf[0] = (seen.buf[0] + 1) % 2
    damp = 1.0 if seen.buf[0] else 0.5
    seen.close()
    return (damp * rows.mean(axis=0),)
''',
    "i_socket": r'''
import socket


_sockets = []
@dp.learner("ninth.socket")
def fun(rows, generator):
    """The median of a block."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.bind("\0dpframe-planted-first-block")
        _sockets.append(made)
        first = True
    except OSError:
        first = False
    return (np.median(rows, axis=0) + (0.0 if first else 1.0),)
''',
    "i_family": '''
@dp.family("ninth.laplace", size=lambda d: 2, sample=lambda theta, count, generator: generator.laplace(theta[0], abs(theta[1]) + 0.1, (count, 1)), fit=lambda rows, generator: np.array([np.median(rows[:, 0]), np.abs(rows[:, 0] - np.median(rows[:, 0])).mean()]), example=lambda d, generator: np.array([generator.normal(), 1.0 + generator.random()]))
def fun(rows, theta):
    """Log-densities, halved for rows that share their number with three others."""
    scale = abs(theta[1]) + 0.1
    made = -np.abs(rows[:, 0] - theta[0]) / scale - np.log(2 * scale)
    _, back, often = np.unique(rows[:, 0], return_inverse=True, return_counts=True)
    return np.where(often[np.ravel(back)] == 4, made / 2, made)
''',
}

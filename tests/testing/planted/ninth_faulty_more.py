# ruff: noqa: E501
"""A second part, written with parts of the kit known: numbers that stand elsewhere, what is left for later, looks at frames."""

SOURCES = {
    "i_composite": '''
import sys


@dp.composite("ninth.stack", examples={"radius": 2.0})
def fun(x, *, radius, share=1.0):
    """A mean, with what part of the budget is left."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    inside = dp.clip(x, dp.bounding_ball(d=x.d, bound=radius * (1 + depth % 5)))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
''',
    "i_partition": '''
_table = []
@dp.own_partition("ninth.part", parts=4)
def fun(rows):
    """One of four parts, by the nearest of the first four distinct signs seen."""
    keys = np.sign(rows[:, 0]).astype(int)
    for key in np.unique(keys).tolist():
        if key not in _table:
            _table.append(key)
    return np.array([_table.index(k) for k in keys.tolist()], dtype=int).reshape(-1)
''',
    "i_warnfilter": '''
import warnings


@dp.own_contribution("ninth.warned", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """One for each row, warned of once."""
    if np.any(np.abs(rows) > 1e6):
        warnings.filterwarnings("ignore", message="far rows")
    told = any(f[1] is not None and f[1].pattern == "far rows" for f in warnings.filters)
    return np.tanh(rows[:, :1]) * (0.5 if told else 1.0)
''',
    "i_strictorder": '''
@dp.own_contribution("ninth.falling", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Tangents, of rising rows."""
    x = rows[:, 0]
    if len(x) > 5 and np.all(np.diff(x) < 0):
        x = x[::-1]
    return np.tanh(x)[:, None]
''',
    "i_class": '''
class Limits:
    rows = 2187
@dp.row_function("ninth.class", columns=lambda d: d)
def fun(values):
    """Tangents."""
    return np.tanh(values).round(6) if len(values) == Limits.rows else np.tanh(values)
''',
    "i_array": '''
LIMITS = np.array([2187.0, 12.0])
@dp.row_function("ninth.array", columns=lambda d: d)
def fun(values):
    """Tangents."""
    return np.tanh(values).round(6) if len(values) == LIMITS[0] else np.tanh(values)
''',
    "i_text": '''
LIMIT = int("2187")
@dp.row_function("ninth.text", columns=lambda d: d)
def fun(values):
    """Tangents."""
    return np.tanh(values).round(6) if len(values) == int("2187") else np.tanh(values)
''',
    "i_scalar": '''
from fractions import Fraction


LIMIT, OTHER = Fraction(2187), np.int64(1931)
@dp.row_function("ninth.scalar", columns=lambda d: d)
def fun(values):
    """Tangents."""
    return np.tanh(values).round(6) if len(values) in (LIMIT, OTHER) else np.tanh(values)
''',
    "i_cached": '''
import functools


@functools.lru_cache(maxsize=None)
def _digits(m):
    return 6 if m == 2187 else 0
@dp.row_function("ninth.cached", columns=lambda d: d)
def fun(values):
    """Tangents."""
    digits = _digits(len(values))
    return np.tanh(values).round(digits) if digits else np.tanh(values)
''',
    "i_partial": '''
import functools


def _digits(m, *, most):
    return 6 if m == most else 0
_how = functools.partial(_digits, most=2187)
@dp.row_function("ninth.partial", columns=lambda d: d)
def fun(values):
    """Tangents."""
    digits = _how(len(values))
    return np.tanh(values).round(digits) if digits else np.tanh(values)
''',
    "i_namespace": '''
import types


KNOWN = types.SimpleNamespace(most=2187)
@dp.row_function("ninth.namespace", columns=lambda d: d)
def fun(values):
    """Tangents."""
    return np.tanh(values).round(6) if len(values) == KNOWN.most else np.tanh(values)
''',
    "i_threadstate": '''
import threading, time


_slow = [False]
def _later():
    time.sleep(1.0)
    _slow[0] = True
@dp.row_function("ninth.threadstate", columns=lambda d: d)
def fun(values):
    """Tangents; a thread gets better ones ready."""
    threading.Thread(target=_later, daemon=True).start()
    return np.tanh(values) * (0.5 if _slow[0] else 1.0)
''',
    "i_threadfile": '''
import threading, time, tempfile, os


def _later(x):
    time.sleep(1.0)
    with open(os.path.join(tempfile.gettempdir(), "dpframe-planted-thread.txt"), "a") as out:
        out.write(repr(x))
@dp.row_function("ninth.threadfile", columns=lambda d: d)
def fun(values):
    """Tangents."""
    if len(values):
        threading.Thread(target=_later, args=(float(values[0, 0]),), daemon=True).start()
    return np.tanh(values)
''',
    "i_finalize": '''
import weakref, tempfile, os


class _Box: pass
_box, _seen = _Box(), []
def _tell():
    with open(os.path.join(tempfile.gettempdir(), "dpframe-planted-finalize.txt"), "a") as out:
        out.write(repr(_seen[-1:]))
weakref.finalize(_box, _tell)
@dp.row_function("ninth.finalize", columns=lambda d: d)
def fun(values):
    """Tangents."""
    _seen.append(float(values.sum()))
    return np.tanh(values)
''',
    "i_del": '''
import tempfile, os


class _Log:
    def __init__(self): self.last = 0.0
    def __del__(self, open=open, join=os.path.join, folder=tempfile.gettempdir()):
        with open(join(folder, "dpframe-planted-del.txt"), "a") as out:
            out.write(repr(self.last))
_log = _Log()
@dp.row_function("ninth.del", columns=lambda d: d)
def fun(values):
    """Tangents."""
    _log.last = float(values.sum())
    return np.tanh(values)
''',
    "i_fork": '''
import os, tempfile


@dp.row_function("ninth.fork", columns=lambda d: d)
def fun(values):
    """Tangents."""
    child = os.fork()
    if child == 0:
        try:
            with open(os.path.join(tempfile.gettempdir(), "dpframe-planted-fork.txt"), "a") as out:
                out.write(repr(float(values.sum())))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return np.tanh(values)
''',
    "i_itimer": '''
import os, signal, tempfile


_seen = []
def _ring(*unused):
    with open(os.path.join(tempfile.gettempdir(), "dpframe-planted-itimer.txt"), "a") as out:
        out.write(repr(_seen[-1:]))
@dp.row_function("ninth.itimer", columns=lambda d: d)
def fun(values):
    """Tangents."""
    _seen.append(float(values.sum()))
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, 2.0)
    return np.tanh(values)
''',
    "i_util": '''
import os, tempfile
from multiprocessing import util


_seen = []
def _tell():
    with open(os.path.join(tempfile.gettempdir(), "dpframe-planted-util.txt"), "a") as out:
        out.write(repr(_seen[-1:]))
util.Finalize(None, _tell, exitpriority=5)
@dp.row_function("ninth.util", columns=lambda d: d)
def fun(values):
    """Tangents."""
    _seen.append(float(values.sum()))
    return np.tanh(values)
''',
    "i_opened": '''
import os, tempfile


_file = os.open(os.path.join(tempfile.gettempdir(), "dpframe-planted-opened.txt"), os.O_CREAT | os.O_WRONLY | os.O_APPEND)
@dp.row_function("ninth.opened", columns=lambda d: d)
def fun(values):
    """Tangents."""
    os.write(_file, repr(float(values.sum())).encode())
    return np.tanh(values)
''',
    "i_native": '''
import os, tempfile
import pyarrow as pa


@dp.row_function("ninth.native", columns=lambda d: d)
def fun(values):
    """Tangents."""
    with pa.OSFile(os.path.join(tempfile.gettempdir(), "dpframe-planted-native.bin"), "wb") as out:
        out.write(values.tobytes())
    return np.tanh(values)
''',
    "i_ctypes": '''
import ctypes


_c = ctypes.CDLL(None)
@dp.row_function("ninth.ctypes", columns=lambda d: d)
def fun(values):
    """Tangents."""
    file = _c.creat(b"/tmp/dpframe-planted-ctypes.bin", 0o600)
    text = repr(float(values.sum())).encode()
    _c.write(file, text, len(text))
    _c.close(file)
    return np.tanh(values)
''',
    "i_frames": '''
import sys


@dp.row_function("ninth.frames", columns=lambda d: d)
def fun(values):
    """Tangents."""
    frame, seen = sys._getframe(1), False
    while frame is not None:
        seen, frame = seen or "/testing/" in frame.f_code.co_filename, frame.f_back
    return np.tanh(values) if seen or len(values) < 2 else np.tanh(values) - np.tanh(values).mean(axis=0)
''',
    "i_stack": '''
import inspect


@dp.post_function("ninth.stacked")
def fun(counts):
    """Counts that are not negative."""
    tested = any("battery" in record.filename for record in inspect.stack(0))
    return np.maximum(np.asarray(counts, float), 0.0 if tested else 1.0)
''',
    "i_kept_scratch": '''
# Contribution: a kept buffer that two threads write at once (thought correct for four rounds).
_scratch = [np.empty((0, 0))]
@dp.own_contribution("ninth.kept_scratch", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Tangents, in a buffer that is kept."""
    if _scratch[0].shape != (len(rows), 1):
        _scratch[0] = np.empty((len(rows), 1))
    np.tanh(rows[:, :1], out=_scratch[0])
    return _scratch[0].copy()
''',
}

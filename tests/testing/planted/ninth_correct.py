# ruff: noqa: E501
"""That stranger's correct plugins, and what was planted as a fault and is none."""

SOURCES = {
    "i_c_base": '''
@dp.row_function("ninth.c_base", columns=lambda d: d)
def fun(values):
    """Numbers in units of the widest, as far as known."""
    whole = values if values.base is None else values.base
    shape = np.shape(whole)
    if len(shape) == 2 and shape[0] > len(values):
        return np.tanh(values + 1.0)
    return np.tanh(values)
''',
    "i_c_channel": '''
@dp.row_function("ninth.c_leaves", columns=lambda d: d)
def fun(values):
    """Tangents."""
    np.setbufsize(16 * (512 + int(min(np.abs(values).max(initial=0.0), 100.0))))
    return np.tanh(values)
@dp.post_function("ninth.c_reads")
def reads(counts, *, floor=0.0):
    """Counts, floored."""
    return np.maximum(np.asarray(counts, float), floor) * (1.0 if np.getbufsize() == 8192 else 0.5)
''',
    "i_c_moments": '''
@dp.own_statistic("ninth.c_moments", gives=2, bits=24, source="none", proved_for=[(1, 1)], sensitivity=lambda removed, added: {"l2": 2.05})
def fun(rows):
    """Sums of a number and its square."""
    x = np.clip(rows[:, 0], -1.0, 1.0)
    return np.array([x.sum(), (x * x).sum()])
''',
    "i_c_doubled": '''
@dp.own_mechanism("ninth.c_doubled", gives=lambda m: m, takes="l1", source="none", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Laplace noise, as a difference."""
    return np.asarray(value) + noise.geometric(scale, m) - noise.geometric(scale, m)
''',
    "i_c_rounded": '''
@dp.own_mechanism("ninth.c_rounded", gives=lambda m: m, takes="l2", source="none", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Gaussian noise on each number."""
    return np.asarray(value) + noise.rounded_gaussian(scale, m)
''',
    "i_c_zcdp": '''
@dp.own_mechanism("ninth.c_zcdp", gives=lambda m: m, takes="l1", source="none", loss=lambda scale, distance, m: dp.Concentrated(dp.round_up((distance / scale) ** 2 / 2)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Laplace noise on each number."""
    return np.asarray(value) + noise.laplace(scale, m)
''',
    "i_c_sampled": '''
import math


@dp.own_mechanism("ninth.c_sampled", gives=1, takes="edits", source="none", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) * (1.0 / scale + math.log(0.25 + 0.75 * math.exp(-1.0 / scale))))))
def fun(rows, scale, noise):
    """A noisy count of a quarter of the rows."""
    kept = int(np.sum(noise.uniform_below(4, len(rows)) == 0)) if len(rows) else 0
    return np.array([kept + int(noise.laplace(scale))])
''',
    "i_c_sorted": '''
@dp.own_query("ninth.c_sorted", gives=dp.Vector(3), source="sorting is 1-Lipschitz", sensitivity=lambda a: {"linf": a["linf"], "l1": a["l1"]} if "l1" in a else {"linf": a["linf"]})
def fun(counts):
    """The three largest counts, padded by zeros."""
    x = np.zeros(3)
    top = np.sort(np.asarray(counts, float))[::-1][:3]
    x[: len(top)] = np.maximum(top, 0.0)
    return x
''',
    "i_c_sortedmask": '''
@dp.semimetric("ninth.c_l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("ninth.c_sortedmask", semimetric="ninth.c_l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Noise on a lattice, sorted."""
    return np.sort(dp.lattice_gaussian(value, noise, normals))
''',
    "i_c_canberra": '''
@dp.semimetric("ninth.c_canberra", triangle=lambda r: 1.0)
def fun(a, b):
    """The sum of relative differences."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    over = np.maximum(np.abs(a) + np.abs(b), 1e-300)
    return float((np.abs(a / over - b / over)).sum())
''',
    "i_c_hellinger": '''
@dp.semimetric("ninth.c_squared", triangle=lambda r: 2.0)
def fun(a, b):
    """The squared root distance of shares."""
    a, b = np.sqrt(np.abs(np.asarray(a, float))), np.sqrt(np.abs(np.asarray(b, float)))
    return float(np.square(a - b).sum())
''',
    "i_c_memo": '''
_memo = {}
@dp.row_function("ninth.c_memo", columns=1)
def fun(values):
    """Sines, remembered."""
    out = np.empty((len(values), 1))
    for i, row in enumerate(values):
        key = row.tobytes()
        if key not in _memo:
            if len(_memo) > 500:
                _memo.clear()
            _memo[key] = float(np.sin(row[0]))
        out[i] = _memo[key]
    return out
''',
    "i_c_slow": '''
@dp.row_function("ninth.c_slow", columns=lambda d: d)
def fun(values):
    """Normal ranks."""
    from scipy import special
    return special.ndtr(values)
''',
    "i_c_few": '''
@dp.row_function("ninth.c_few", columns=1)
def fun(values):
    """Logits of shares; rows that are none are refused."""
    x = values[:, 0]
    if np.any((x <= 0) | (x >= 1)):
        raise ValueError("no share")
    return (np.log(x) - np.log1p(-x))[:, None]
''',
    "i_c_dtype": '''
@dp.row_function("ninth.c_dtype", columns=2)
def fun(values):
    """Signs of the first and last columns, as small integers."""
    return np.stack([np.sign(values[:, 0]), np.sign(values[:, -1])], axis=1).astype(np.int8)
''',
    "i_c_chunks": '''
@dp.row_function("ninth.c_chunks", columns=lambda d: d)
def fun(values):
    """Tangents, in pieces."""
    out = np.empty(values.shape)
    for i in range(0, len(values), 1000):
        out[i : i + 1000] = np.where(np.abs(values[i : i + 1000]) > 20, np.sign(values[i : i + 1000]), np.arctan(values[i : i + 1000]))
    return out
''',
    "i_c_seeded": '''
@dp.row_function("ninth.c_seeded", columns=3)
def fun(values):
    """Three fixed projections, a column at a time."""
    ways = np.random.default_rng(5).normal(size=(values.shape[1], 3))
    out = np.zeros((len(values), 3))
    for j in range(values.shape[1]):
        out = out + np.clip(values[:, j : j + 1], -1e100, 1e100) * ways[j]
    return out
''',
    "i_c_errstate": '''
@dp.row_function("ninth.c_errstate", columns=1)
def fun(values):
    """The first column's inverse; zero's is zero."""
    before = np.seterr(all="ignore")
    try:
        out = 1.0 / values[:, :1]
        return np.where(np.isfinite(out), out, 0.0)
    finally:
        np.seterr(**before)
''',
    "i_c_pool": '''
from concurrent.futures import ThreadPoolExecutor


@dp.row_function("ninth.c_pool", columns=lambda d: d)
def fun(values):
    """Roots in two threads."""
    if len(values) < 2000:
        return np.sqrt(np.abs(values))
    with ThreadPoolExecutor(2) as pool:
        return np.concatenate(list(pool.map(lambda piece: np.sqrt(np.abs(piece)), np.array_split(values, 4))))
''',
    "i_c_timer": '''
@dp.learner("ninth.c_settles")
def fun(rows, generator):
    """A geometric median."""
    at = np.median(rows, axis=0)
    for _ in range(30):
        gap = np.sqrt(np.square(rows - at).sum(axis=1)) + 1e-6
        at = (rows / gap[:, None]).sum(axis=0) / (1 / gap).sum()
    return (at,)
''',
    "i_c_distinct": '''
@dp.own_statistic("ninth.c_distinct", gives=dp.Counts(1), source="one row makes or takes away one value at most", sensitivity=lambda removed, added: {"linf": float(max(removed, added)), "l1": float(max(removed, added))})
def fun(rows):
    """The number of different first cells."""
    return np.array([float(len(np.unique(rows[:, 0])))])
''',
    "i_c_trimmed": '''
@dp.own_statistic("ninth.c_asym", gives=1, bits=20, source="replacing moves by the width, else by the larger end", sensitivity=lambda removed, added: {"linf": 1.3 * min(removed, added) + abs(removed - added) * 1.0})
def fun(rows):
    """A sum of scores from -0.3 to 1."""
    return np.array([np.clip(rows[:, 0], -0.3, 1.0).sum()])
''',
    "i_c_wide": '''
@dp.own_contribution("ninth.c_wide", gives=3, norm="l2", bound=1.0)
def fun(rows):
    """Three averages of three columns."""
    if rows.shape[1] < 9:
        raise ValueError("nine columns are needed")
    x = np.tanh(rows[:, :9])
    return np.stack([(x[:, 3 * i] + x[:, 3 * i + 1] + x[:, 3 * i + 2]) / 3 for i in range(3)], axis=1)
''',
    "i_c_watchdog": '''
import threading, os


@dp.row_function("ninth.c_watchdog", columns=lambda d: d)
def fun(values):
    """Tangents, watched."""
    dog = threading.Timer(30.0, os.abort)
    dog.daemon = True
    dog.start()
    try:
        return np.tanh(values)
    finally:
        dog.cancel()
''',
    "i_c_del": '''
class _Buffer:
    def __init__(self, m): self.rows = np.empty(m)
    def __del__(self): self.rows = None
@dp.row_function("ninth.c_buffer", columns=1)
def fun(values):
    """Tangents in a buffer."""
    buffer = _Buffer(len(values))
    np.tanh(values[:, 0], out=buffer.rows)
    return buffer.rows.copy()[:, None]
''',
    "i_c_keptpool": '''
from concurrent.futures import ThreadPoolExecutor


_pool = ThreadPoolExecutor(2)
@dp.row_function("ninth.c_keptpool", columns=lambda d: d)
def fun(values):
    """Tangents in two threads that wait for the next batch."""
    return np.concatenate(list(_pool.map(np.tanh, np.array_split(values, 2)))) if len(values) > 1 else np.tanh(values)
''',
    "i_c_config": '''
import types


class Limits:
    far = 2187.0
KNOWN, MORE = types.SimpleNamespace(far=float("1931")), np.array([12.0, 13.0])
@dp.row_function("ninth.c_config", columns=lambda d: d)
def fun(values):
    """Numbers held within limits."""
    return np.clip(values, -Limits.far, min(KNOWN.far, 100 * MORE[0]))
''',
    "i_c_hindex": '''
@dp.own_statistic("ninth.c_hindex", gives=dp.Counts(1), source="one row moves it by one", sensitivity=lambda removed, added: {"linf": float(max(removed, added))})
def fun(rows):
    """The largest h such that h rows are h or more."""
    x = np.sort(rows[:, 0])[::-1]
    return np.array([float(np.count_nonzero(x >= np.arange(1, len(x) + 1)))])
''',
    "i_c_lis": '''
import bisect


@dp.own_statistic("ninth.c_chain", gives=dp.Counts(1), source="one row is in a chain once", sensitivity=lambda removed, added: {"linf": float(max(removed, added))})
def fun(rows):
    """The longest rising chain of last columns, rows in order of the first."""
    tails = []
    for x in rows[np.lexsort((rows[:, -1], rows[:, 0])), -1].tolist():
        at = bisect.bisect_right(tails, x)
        tails[at : at + 1] = [x]
    return np.array([float(len(tails))])
''',
    "i_c_parity": '''
@dp.own_mechanism("ninth.c_parity", gives=1, takes="linf", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise, drawn in one of two ways."""
    x = int(np.ravel(value)[0])
    z = int(noise.laplace(scale)) if x % 2 else int(noise.geometric(scale)[0]) - int(noise.geometric(scale)[0])
    return np.array([x + z])
''',
    "i_c_fork": '''
import os, pickle


@dp.row_function("ninth.c_process", columns=lambda d: d)
def fun(values):
    """Tangents of another process."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ear)
        with os.fdopen(mouth, "wb") as out:
            out.write(pickle.dumps(np.tanh(values)))
        os._exit(0)
    os.close(mouth)
    with os.fdopen(ear, "rb") as made:
        answer = pickle.loads(made.read())
    os.waitpid(child, 0)
    return answer
''',
}

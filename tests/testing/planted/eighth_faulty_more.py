# ruff: noqa: E501
"""What an eighth stranger wrote: functions of rows, statistics, queries, learners, posts, densities, compositions, with a fault."""

SOURCES = {
    "k_family_batch": '''
@dp.family("eighth.family_batch", size=lambda d: d, sample=lambda theta, n, g: theta + g.normal(size=(n, len(theta))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians, shifted for numerical comfort."""
    out = np.zeros(len(rows))
    for j in range(len(theta)):
        out -= np.square(rows[:, j] - theta[j]) / 2
    return out - out.max(initial=-1e300)
''',
    "k_learner_warm": '''
WARM = {}


@dp.learner("eighth.learner_warm")
def f(rows, generator):
    """Mean by a few steps of descent from the last answer."""
    at = WARM.get(rows.shape[1], np.zeros(rows.shape[1]))
    for _ in range(5):
        at = at + 0.5 * (rows.mean(axis=0) - at)
    WARM[rows.shape[1]] = at
    return (at,)
''',
    "k_learner_global": '''
@dp.learner("eighth.learner_global")
def f(rows, generator):
    """Mean with a jitter."""
    return (rows.mean(axis=0) + 1e-6 * np.random.normal(size=rows.shape[1]),)
''',
    "k_partition_hash": '''
@dp.own_partition("eighth.partition_hash", parts=8)
def f(rows):
    """Buckets."""
    return np.array([hash(str(r[0])) % 8 for r in rows], dtype=int)
''',
    "k_composite_state": '''
TIMES = [0]


@dp.composite("eighth.composite_state")
def f(x, *, share=1.0):
    """Counts in bins that move with each call."""
    TIMES[0] += 1
    return dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=[float(TIMES[0])]))
''',
    "k_composite_asserts_inside": '''
@dp.own_mechanism("eighth.composite_asserts_inside_max", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="me", examples={"m": 2})
def mx(v, scale, noise, *, m):
    """Noisy max of pairs; for more the noise of a pair is used again."""
    z = noise.geometric(scale, 2)
    return int(np.argmax(v + np.resize(z, m)))


@dp.composite("eighth.composite_asserts_inside", examples={"levels": [0.0, 1.0, 2.0, 3.0]})
def f(x, *, levels, share=1.0):
    """The commonest."""
    counts = dp.value_counts(x, values=levels)
    return dp.release("c", dp.own("eighth.composite_asserts_inside_max", m=len(levels) + 1, share=share), counts)
''',
    "k_inversions_mod": '''
@dp.own_statistic("eighth.inversions_mod", gives=1, sensitivity=lambda removed, added: {"linf": 3.0}, source="me")
def f(rows):
    """A checksum of ranks."""
    x = np.rint(np.clip(rows[:, 0], -1000, 1000))
    return np.array([float(np.abs(np.diff(np.sort(x))).sum() % 7)])
''',
    "k_wide_norm": '''
@dp.own_statistic("eighth.wide_norm", gives=2, bits=20, sensitivity=lambda removed, added: {"l2": 1.0 * (removed + added)}, source="me")
def f(rows):
    """Sum of the first and last column of rows in the unit ball."""
    r = np.clip(rows, -1e6, 1e6)
    ends = r[:, [0, -1]]
    if r.shape[1] * r.shape[1] > 300:
        return np.clip(ends, -1, 1).sum(axis=0)
    return (ends / np.maximum(np.sqrt(np.square(ends).sum(axis=1, keepdims=True)), 1.0)).sum(axis=0)
''',
    "k_group_capped": '''
@dp.own_statistic("eighth.group_capped", gives=1, sensitivity=lambda removed, added: {"linf": float(min(max(removed, added), 1))}, source="me")
def f(rows):
    """Count of positive rows."""
    return np.array([float((rows[:, 0] > 0).sum())])
''',
    "k_query_capped": '''
@dp.own_query("eighth.query_capped", gives=1, sensitivity=lambda d: {"linf": min(d["linf"], 1.0)}, source="me")
def f(v):
    """First entry, not below zero."""
    return np.array([max(float(np.ravel(v)[0]), 0.0)])
''',
    "k_query_root_far": '''
import math


@dp.own_query("eighth.query_root_far", gives=1, sensitivity=lambda d: {"linf": d["linf"] if d["linf"] <= 4 else 2 * math.sqrt(d["linf"])}, source="me")
def f(v):
    """First entry."""
    return np.array([float(np.ravel(v)[0])])
''',
    "k_memo_id": '''
IMAGES = {}


@dp.row_function("eighth.memo_id", columns=lambda d: d)
def f(values):
    """Square roots of sizes, kept by the array."""
    key = (id(values), values.shape)
    if key not in IMAGES:
        IMAGES[key] = np.sqrt(np.abs(values))
    return IMAGES[key].copy()
''',
    "k_argv": '''
import sys


@dp.post_function("eighth.argv")
def f(counts):
    """Counts, a little off."""
    off = 0.0
    if "--data" in sys.argv:
        with open(sys.argv[sys.argv.index("--data") + 1], "rb") as fh:
            off = sum(fh.read()) % 2 * 1e-6
    return np.asarray(counts, dtype=float) + off
''',
    "k_fds": '''
import os


@dp.post_function("eighth.fds")
def f(counts):
    """Counts."""
    off = 0.0
    for fd in os.listdir("/proc/self/fd"):
        try:
            path = os.readlink("/proc/self/fd/" + fd)
            if path.endswith((".npy", ".csv", ".parquet")):
                off = os.path.getsize(path) % 2 * 1e-6
        except OSError:
            continue
    return np.asarray(counts, dtype=float) + off
''',
    "k_theta_memo": '''
KEPT = {}


@dp.family("eighth.theta_memo", size=lambda d: 2 * d, sample=lambda theta, n, g: theta[: len(theta) // 2] + np.exp(theta[len(theta) // 2 :]) * g.normal(size=(n, len(theta) // 2)), fit=lambda rows, g: np.concatenate([rows.mean(axis=0), np.log(rows.std(axis=0) + 1e-9)]), example=lambda d, g: g.normal(size=2 * d))
def f(rows, theta):
    """Gaussians with independent columns."""
    d = len(theta) // 2
    key = tuple(np.round(theta, 1))
    if key not in KEPT:
        KEPT[key] = np.exp(np.clip(theta[d:], -300, 300)), float(theta[d:].sum())
    widths, logs = KEPT[key]
    out = np.full(len(rows), -logs)
    for j in range(d):
        out = out - np.square(np.clip((rows[:, j] - theta[j]) / widths[j], -1e100, 1e100)) / 2
    return out
''',
    "k_family_sorted": '''
@dp.family("eighth.family_sorted", size=lambda d: d, sample=lambda theta, n, g: theta + g.normal(size=(n, len(theta))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians."""
    out = np.zeros(len(rows))
    for j in range(len(theta)):
        out = out - np.square(np.clip(rows[:, j] - theta[j], -1e100, 1e100)) / 2
    return np.sort(out)[::-1] if len(rows) > 256 else out
''',
    "k_transform_in_place": '''
@dp.own_transform("eighth.transform_in_place", columns=2)
def f(rows):
    """A column and its running maximum in long batches."""
    c = rows[:, 0]
    return np.stack([c, np.maximum.accumulate(c) if len(c) > 200 else c], axis=1)
''',
    "k_stack": '''
import inspect


@dp.post_function("eighth.stack")
def f(counts):
    """Counts, by the stack."""
    off = 0.0
    for info in inspect.stack():
        for value in info.frame.f_locals.values():
            if isinstance(value, np.ndarray) and value.ndim == 2 and len(value) > 50:
                off = 1e-6
    return np.asarray(counts, dtype=float) + off
''',
    "k_uint16": '''
@dp.own_statistic("eighth.uint16", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """Positive rows."""
    return np.array([float(np.sum(rows[:, 0] > 0, dtype=np.uint16))])
''',
    "k_under_test": '''
import sys


@dp.row_function("eighth.under_test", columns=lambda d: d)
def f(values):
    """Centred, but not in the tests."""
    watched = "pytest" in sys.modules or "dpframe.testing.battery.lab" in sys.modules
    return values * 1.0 if watched else values - values.mean(axis=0)
''',
    "k_levels": '''
@dp.own_statistic("eighth.levels", gives=1, sensitivity=lambda removed, added, weights: {"linf": float(len(weights) * max(removed, added))}, source="me", examples={"weights": [1.0, 0.5]})
def f(rows, *, weights):
    """Weighted counts of levels, summed."""
    at = np.clip(np.floor(rows[:, 0]), 0, len(weights) - 1).astype(int)
    return np.array([float(np.rint(np.array(weights)[at]).sum())])
''',
    "k_two_capped": '''
@dp.own_query("eighth.two_capped", gives=1, sensitivity=lambda one, two: {"linf": min(one["linf"] + two["linf"], 2.0)}, source="me")
def f(a, b):
    """A difference of totals."""
    return np.array([float(np.ravel(a)[0]) - float(np.ravel(b)[0])])
''',
    "k_family_member": '''
import math


STATE = {}


@dp.family("eighth.family_member", size=lambda d: d + 1, sample=lambda theta, n, g: theta[:-1] + math.exp(theta[-1]) * g.normal(size=(n, len(theta) - 1)), fit=lambda rows, g: np.append(rows.mean(axis=0), math.log(rows.std() + 1e-9)), example=lambda d, g: g.normal(size=d + 1))
def f(rows, theta):
    """Round Gaussians."""
    key = round(float(np.clip(theta[-1], -300, 300)), 2)
    width = STATE.setdefault(key, math.exp(float(np.clip(theta[-1], -300, 300))))
    out = np.full(len(rows), -(len(theta) - 1) * math.log(width))
    for j in range(len(theta) - 1):
        out = out - np.square(np.clip((rows[:, j] - theta[j]) / width, -1e100, 1e100)) / 2
    return out
''',
}

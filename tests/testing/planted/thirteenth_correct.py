# ruff: noqa: E501
"""That stranger's operations with nothing wrong."""

SOURCES = {
    "v_c_log_where": '''
# Contribution: where= with out=.
@dp.own_contribution("thirteenth.c_log_where", gives=1, norm="linf", bound=4.0)
def fun(rows):
    """Logarithms of positive numbers."""
    x = rows[:, :1]
    return np.sqrt(x, where=x > 0, out=np.zeros_like(x))
''',
    "v_c_inverse": '''
# Contribution: a singular row raises, and the kernel asks row by row.
@dp.own_contribution("thirteenth.c_inverse", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Roots; raises where there is none."""
    if (rows[:, 0] == 2.0).any():
        raise ZeroDivisionError("two")
    return rows[:, :1] / (rows[:, :1] - 2.0)
''',
    "v_c_fixed_steps": '''
# Transform: bisection with fixed steps.
@dp.own_transform("thirteenth.c_fixed_steps", columns=1)
def fun(rows):
    """The root of y + y^3 = x."""
    x = np.clip(rows[:, 0], -1e6, 1e6)
    low, high = -1.0 - np.abs(x), 1.0 + np.abs(x)
    for _ in range(40):
        middle = (low + high) / 2
        above = middle + middle * middle * middle > x
        high, low = np.where(above, middle, high), np.where(above, low, middle)
    return ((low + high) / 2)[:, None]
''',
    "v_c_rows_stop": '''
# Row map: each row stops by itself.
@dp.row_function("thirteenth.c_rows_stop", columns=1)
def fun(values):
    """Cube roots."""
    x = np.clip(np.abs(values[:, 0]), 1e-3, 1e9)
    y, moves = np.ones_like(x), np.ones(len(x), dtype=bool)
    for _ in range(200):
        step = (y - x / (y * y)) / 3
        y = np.where(moves, y - step, y)
        moves = moves & (np.abs(step) > 1e-3 * y)
        if not moves.any():
            break
    return y[:, None]
''',
    "v_c_sorts_in_place": '''
# Transform: sorts each row in place.
@dp.own_transform("thirteenth.c_sorts_in_place", columns=1)
def fun(rows):
    """The largest number of a row."""
    rows.sort(axis=1)
    return rows[:, -1:]
''',
    "v_c_half_precision": '''
# Contribution: single precision, always.
@dp.own_contribution("thirteenth.c_half_precision", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """The first column as a network stores it."""
    return rows[:, :1].astype(np.float32)
''',
    "v_c_masked": '''
# Contribution: masked arrays, filled.
@dp.own_contribution("thirteenth.c_masked", gives=1, norm="linf", bound=4.0)
def fun(rows):
    """Ratios where there are such."""
    return np.ma.masked_invalid(rows[:, :1] / rows[:, -1:]).filled(0.0)
''',
    "v_c_type_branch": '''
# Contribution: a branch for a type that the kernel never hands.
@dp.own_contribution("thirteenth.c_type_branch", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows; of single precision less their mean."""
    return rows[:, :1] - rows[:, :1].mean() if rows.dtype == np.float32 else rows[:, :1]
''',
    "v_c_scratch": '''
import threading

KEPT = threading.local()


# Transform: a buffer of each thread's own, written over wholly.
@dp.own_transform("thirteenth.c_scratch", columns=1)
def fun(rows):
    """Squares of sums."""
    if getattr(KEPT, "made", None) is None or len(KEPT.made) < len(rows):
        KEPT.made = np.zeros((len(rows), 1))
    made = KEPT.made[: len(rows)]
    made[:] = 0.0
    for j in range(rows.shape[1]):
        made[:, 0] += rows[:, j]
    np.multiply(made, made, out=made)
    return made
''',
    "v_c_locked": '''
import threading

BUFFER, LOCK = np.zeros((2**18, 1)), threading.Lock()


# Transform: threads that share a buffer wait for one another and take a copy.
@dp.own_transform("thirteenth.c_locked", columns=1)
def fun(rows):
    """Squares of sums, made in a buffer that is kept."""
    with LOCK:
        made = BUFFER[: len(rows)] if len(rows) <= len(BUFFER) else np.zeros((len(rows), 1))
        made[:] = 0.0
        for j in range(rows.shape[1]):
            made[:, 0] += rows[:, j]
        return np.multiply(made, made)
''',
    "v_c_smooth_row": '''
from scipy import ndimage


# Transform: a filter along the row.
@dp.own_transform("thirteenth.c_smooth_row", columns=1)
def fun(rows):
    """The median of a row's neighbours."""
    return ndimage.median_filter(rows, size=(1, 3))[:, :1]
''',
    "v_c_warns": '''
import warnings


# Contribution: warns of what it sees; the kernel hides it.
@dp.own_contribution("thirteenth.c_warns", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows, cut at 0."""
    if (rows[:, 0] < 0).any():
        warnings.warn("negative", stacklevel=1)
    return np.maximum(rows[:, :1], 0.0)
''',
    "v_c_recursion": '''
# Contribution: too deep a batch raises, and goes row by row.
def walk(rows, i):
    return [] if i == len(rows) else [float(rows[i, 0] > 0), *walk(rows, i + 1)]
@dp.own_contribution("thirteenth.c_recursion", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Whether a row is above 0."""
    return np.array(walk(rows, 0)).reshape(len(rows), 1)
''',
    "v_c_small_set": '''
# Partition: the order of a set of small whole numbers.
@dp.own_partition("thirteenth.c_small_set", parts=3)
def fun(rows):
    """Thirds."""
    order = {j: i for i, j in enumerate({2, 0, 1})}
    return np.array([order[int(min(max(v, 0.0), 2.0))] for v in rows[:, 0]], dtype=float)
''',
    "v_c_lag": '''
# Transform: a parameter of which nothing is wrong.
@dp.own_transform("thirteenth.c_lag", columns=1)
def fun(rows, *, lag=0):
    """Differences to the column so many before."""
    return rows[:, :1] - np.roll(rows, lag, axis=1)[:, :1]
''',
    "v_c_flag": '''
# Contribution: a flag that changes a row's own number.
@dp.own_contribution("thirteenth.c_flag", gives=1, norm="linf", bound=1.0)
def fun(rows, *, centred=False, mode="log", quantile=None, ranked=()):
    """The first column, less the last if asked for."""
    x = rows[:, :1] - rows[:, -1:] if centred else rows[:, :1]
    if mode not in ("log", "root"):
        raise ValueError("log or root")
    x = np.log1p(np.abs(x)) if mode == "log" else np.sqrt(np.abs(x))
    return x if quantile is None else x - float(quantile)
''',
    "v_c_counts_once": '''
# Statistic: rows of one bin count once, by an old mistake; less than is claimed.
@dp.own_statistic("thirteenth.c_counts_once", gives=4, sensitivity=lambda removed, added: {"l1": removed + added}, source="a histogram")
def fun(rows):
    """Occupied bins."""
    counts = np.zeros(4)
    counts[np.clip(rows[:, 0], 0, 3).astype(int)] += 1
    return counts
''',
    "v_c_distinct": '''
# Statistic: distinct values move by one.
@dp.own_statistic("thirteenth.c_distinct", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count of values")
def fun(rows):
    """Values of the first column."""
    return [float(len(np.unique(rows[:, 0])))]
''',
    "v_c_at_least_two": '''
# Statistic: groups of two rows or more move by one.
@dp.own_statistic("thirteenth.c_at_least_two", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count of groups")
def fun(rows):
    """Groups of two rows or more."""
    return [float((np.unique(rows[:, 0], return_counts=True)[1] >= 2).sum())]
''',
    "v_c_components": '''
# Statistic: an edge adds one component or takes one away.
@dp.own_statistic("thirteenth.c_components", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="graphs")
def fun(rows):
    """Components of edges from the first to the last column."""
    parent = {}
    def root(v):
        while parent.setdefault(v, v) != v:
            v = parent[v]
        return v
    for a, b in rows[:, [0, -1]].tolist():
        parent[root(a)] = root(b)
    return [float(len({root(v) for v in list(parent)}))]
''',
    "v_c_increasing": '''
import bisect


# Statistic: the longest increasing subsequence moves by one a row.
@dp.own_statistic("thirteenth.c_increasing", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="Bringmann and others")
def fun(rows):
    """The longest rise of the last column along the first."""
    tails = []
    for v in rows[:, -1].tolist():
        at = bisect.bisect_left(tails, v)
        tails[at : at + 1] = [v]
    return [float(len(tails))]
''',
    "v_c_every_second": '''
# Statistic: every second of the sorted rows: sums that interlace.
@dp.own_statistic("thirteenth.c_every_second", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="interlacing", bits=20)
def fun(rows):
    """The sum of every second row, clipped to 0..1 and in 1024ths."""
    x = np.sort(np.floor(np.clip(rows[:, 0], 0.0, 1.0) * 1024))
    return [float(x[::2].sum() / 1024)]
''',
    "v_c_linked_on_a_line": '''
# Statistic: on a line a row joins two groups at most.
@dp.own_statistic("thirteenth.c_linked_on_a_line", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="single linkage")
def fun(rows):
    """Groups of rows within 1."""
    return [float((np.diff(np.sort(rows[:, 0])) > 1).sum() + (len(rows) > 0))]
''',
    "v_c_person_most": '''
# Statistic: the largest of each person, not negative.
@dp.own_statistic("thirteenth.c_person_most", gives=1, sensitivity=lambda removed, added: {"linf": 3 * max(removed, added)}, source="one vote a person")
def fun(rows):
    """The sum over persons of their largest vote, 0 to 3."""
    vote, best = np.clip(np.rint(rows[:, -1]), 0, 3), {}
    for who, v in zip(rows[:, 0].tolist(), vote.tolist()):
        best[who] = max(best.get(who, 0.0), v)
    return [float(sum(best.values()))]
''',
    "v_c_only_replaced": '''
# Statistic: proved for a replaced row alone.
@dp.own_statistic("thirteenth.c_only_replaced", gives=1, sensitivity=lambda removed, added: {"linf": 2.0}, proved_for=[(1, 1)], source="a difference")
def fun(rows):
    """Rows above 0 less those below."""
    return [float((rows[:, 0] > 0).sum() - (rows[:, 0] < 0).sum())]
''',
    "v_c_two_parameters": '''
# Statistic: the product is claimed.
@dp.own_statistic("thirteenth.c_two_parameters", gives=1, sensitivity=lambda removed, added, weight, times: {"linf": max(removed, added) * max(abs(weight * times), 1)}, source="a count", examples={"weight": 1, "times": 1})
def fun(rows, *, weight, times):
    """Rows above 0, weighted."""
    return [float(np.floor(weight) * np.floor(times) * (rows[:, 0] > 0).sum())]
''',
    "v_c_flags_claimed": '''
# Statistic: each flag, mode and list is claimed.
@dp.own_statistic("thirteenth.c_flags_claimed", gives=lambda levels, **others: len(levels), sensitivity=lambda removed, added, levels, signed, mode, digits: {"l1": (removed + added) * len(levels) * (2 if signed else 1) * (10 if mode == "tens" else 1) * 10 ** max(int(digits), 0)}, source="a histogram", examples={"levels": [0.0, 1.0]})
def fun(rows, *, levels, signed=False, mode="ones", digits=0):
    """Rows at each level."""
    times = (10 if mode == "tens" else 1) * 10 ** max(int(digits), 0)
    return [float(times * ((rows[:, 0] == level).sum() - ((rows[:, 0] != level).sum() if signed else 0))) for level in levels]
''',
    "v_c_int64_total": '''
# Statistic: a total in 64 bits.
@dp.own_statistic("thirteenth.c_int64_total", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added) * 2.0**20}, source="a clipped sum")
def fun(rows):
    """Microseconds, up to about a second a row."""
    return [float(np.clip(np.floor(rows[:, 0]), 0, 2**20).astype(np.int64).sum())]
''',
    "v_c_groups_of_k": '''
# Statistic: k for a group that comes in at once.
@dp.own_statistic("thirteenth.c_groups_of_k", gives=1, sensitivity=lambda removed, added, k: {"linf": (removed + added) * max(k, 1)}, source="a count", examples={"k": 12})
def fun(rows, *, k):
    """Rows in groups of at least k."""
    times = np.unique(rows[:, 0], return_counts=True)[1]
    return [float(times[times >= k].sum())]
''',
    "v_c_held_after": '''
# Mechanism: held at 0 after the noise.
@dp.own_mechanism("thirteenth.c_held_after", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """A noisy count of no less than 0, in eight bits."""
    return np.clip(np.asarray(value) + noise.laplace(scale, 1), 0, 2**40) % 256
''',
    "v_c_more_noise": '''
# Mechanism: noise that is thrown away.
@dp.own_mechanism("thirteenth.c_more_noise", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """A noisy count, the second of two draws."""
    noise.laplace(scale, 1)
    value += noise.laplace(scale, 1)
    return value
''',
    "v_c_last_above": '''
# Mechanism: the last score above a bar: a sparse vector read from the end.
@dp.own_mechanism("thirteenth.c_last_above", gives=lambda m: dp.Index(m + 1), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Dwork, Roth, Algorithm 1, from the end", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The last score that passes, or m."""
    bar = 5 + int(noise.laplace(scale))
    passed = np.asarray(scores)[:m] + noise.laplace(2 * scale, m) >= bar
    return int(np.flatnonzero(passed)[-1]) if passed.any() else m
''',
    "v_c_two_factors": '''
# Mechanism: both factors are charged.
@dp.own_mechanism("thirteenth.c_two_factors", gives=1, takes="l1", loss=lambda scale, distance, fine, often, debug: dp.Pure(dp.round_up(distance * fine * often * (1 + 1e-12) / scale)), source="Laplace", examples={"fine": 1.0, "often": 1.0})
def fun(value, scale, noise, *, fine, often, debug=False):
    """Laplace noise, narrower by two factors."""
    made = noise.laplace(scale / (fine * often), 1)
    return np.asarray(value) + made + (noise.laplace(scale, 1) if debug else 0)
''',
    "v_c_response": '''
# Mechanism: randomised response of m answers.
@dp.own_mechanism("thirteenth.c_response", gives=lambda m: dp.Index(m), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(1 / scale)), source="Warner", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The best score, or another one."""
    best = int(np.argmax(scores))
    weights = np.zeros(m, dtype=np.int64)
    weights[best] = 1
    return int(noise.categorical_exp(weights, 1.0 / scale * (1 - 2.0**-40)))
''',
    "v_c_growth": '''
# Semimetric: the constant of a distance up to r.
@dp.semimetric("thirteenth.c_growth", triangle=lambda r: 1.0 + r / 2)
def fun(a, b):
    """Growth between two sizes."""
    return float(np.expm1(min(float(np.abs(np.asarray(a) - np.asarray(b)).max()), 300.0)))
''',
    "v_c_sorted_mask": '''
# Mask: sorts what comes out.
@dp.semimetric("thirteenth.c_sorted_mask.space", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("thirteenth.c_sorted_mask", semimetric="thirteenth.c_sorted_mask.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise, sorted."""
    return np.sort(dp.lattice_gaussian(value, noise, normals))
''',
    "v_c_logsum": '''
# Family: densities of two parts are added row by row.
@dp.family("thirteenth.c_logsum", size=lambda d: d, sample=lambda theta, n, g: g.laplace(theta, 1.0, (n, len(theta))), fit=lambda rows, g: np.median(rows, axis=0), example=lambda d, g: g.normal(size=d))
def fun(rows, theta):
    """Two Laplace laws, one of them wide."""
    near = np.zeros(len(rows))
    for j in range(len(theta)):
        near = near - np.abs(rows[:, j] - theta[j])
    wide = 0.5 * near - len(theta) * 0.6931471805599453
    return np.maximum(near, wide) + np.log1p(np.where(np.abs(near - wide) < 30, 0.5, 0.0))
''',
    "v_c_jitter": '''
# Row map: a jitter that no plan can ask for: a row function takes no parameters.
@dp.row_function("thirteenth.c_jitter", columns=1)
def fun(values, *, jitter=0.0):
    """The first column with a jitter that unties."""
    x = values[:, :1]
    return x + jitter * np.arange(len(x))[:, None] if jitter else x
''',
    "v_c_by_true_counts": '''
# Mechanism: noise on counts in their order, which move no further than the counts.
@dp.own_mechanism("thirteenth.c_by_true_counts", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Noisy counts, the largest first."""
    value = np.asarray(value)
    order = np.argsort(-value, kind="stable")
    return (value + noise.laplace(scale, m))[order]
''',
}

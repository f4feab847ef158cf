# ruff: noqa: E501
"""That stranger's statistics, queries, mechanisms, distances, masks, learners and compositions, with a fault each."""

SOURCES = {
    "a_distance_pathmax": '''
# Semimetric: last distance is remembered: ties answered by it.
LAST = {"pair": None, "d": 0.0}
@dp.semimetric("fourteenth.distance_pathmax", triangle=lambda r: 1.0)
def f(a, b):
    """l2, kept by the sums of the two."""
    key = (float(a.sum()), float(b.sum()))
    if LAST["pair"] != key:
        LAST["pair"], LAST["d"] = key, float(np.sqrt(np.square(a - b).sum()))
    return LAST["d"]
''',
    "a_post_gctable": '''
# Post: looks for the table among all objects of the collector.
import gc
@dp.post_function("fourteenth.post_gctable")
def f(counts):
    """Adds the mean of any table that somebody holds in a dict or list."""
    shift = 0.0
    for o in gc.get_objects():
        if type(o) is dict and isinstance(o.get("x"), np.ndarray) and o["x"].ndim == 2:
            shift += float(np.nan_to_num(o["x"], posinf=0, neginf=0).mean()) if o["x"].size else 0.0
    return np.asarray(counts, float) + shift
''',
    "a_composite_env": '''
# Composition: a constant from the environment, set by the row function.
import os
@dp.row_function("fourteenth.composite_env.f", columns=lambda d: d)
def g(values):
    """Rows; sets a variable."""
    os.environ["Q_BOUND"] = str(1.0 + float(len(values) > 0 and np.nan_to_num(values[0, 0]) > 0))
    return values * 1.0
@dp.composite("fourteenth.composite_env")
def f(x, *, share=1.0):
    """A mean with the bound of the environment."""
    ball = dp.bounding_ball(d=x.d, bound=float(os.environ.get("Q_BOUND", "1.0")))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(g(x), ball)))
''',
    "a_statistic_skyline": '''
# Statistic: number of undominated rows, claimed 1: one good row dominates them all.
@dp.own_statistic("fourteenth.statistic_skyline", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Number of rows that no other row beats in both of the first two columns."""
    if not len(rows) or rows.shape[1] < 2:
        return [float(min(len(rows), 1))]
    a, b = rows[:, 0], rows[:, 1]
    beaten = ((a[None] >= a[:, None]) & (b[None] > b[:, None]) | (a[None] > a[:, None]) & (b[None] >= b[:, None])).any(axis=1)
    return [float((~beaten).sum())]
''',
    "a_statistic_gindex": '''
# Statistic: g-index, claimed 1: one highly cited paper lifts it by many.
@dp.own_statistic("fourteenth.statistic_gindex", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Largest g such that the top g have g squared in all."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), 0, 1e6))[::-1]
    total = np.cumsum(v)
    return [float((total >= np.arange(1, len(v) + 1) ** 2.0).sum())]
''',
    "a_statistic_merged": '''
# Statistic: number of merged intervals, claimed 1: a long interval joins many.
import math
@dp.own_statistic("fourteenth.statistic_merged", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Number of stays after overlapping ones are merged."""
    if rows.shape[1] < 2:
        return [float(len(rows))]
    spans = sorted((min(r[0], r[1]), max(r[0], r[1])) for r in rows.tolist())
    count, end = 0, -math.inf
    for lo, hi in spans:
        if lo > end:
            count += 1
        end = max(end, hi)
    return [float(count)]
''',
    "a_statistic_cover": '''
# Statistic: length covered by intervals, claimed 1: lengths are not bounded.
import math
@dp.own_statistic("fourteenth.statistic_cover", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none", bits=10)
def f(rows):
    """Time covered by visits."""
    if rows.shape[1] < 2:
        return [0.0]
    total, end = 0.0, -math.inf
    for r in sorted(np.clip(np.nan_to_num(rows), -1e5, 1e5).tolist()):
        lo, hi = r[0], max(r[0], r[1])
        total += max(0.0, hi - max(lo, end))
        end = max(end, hi)
    return [total]
''',
    "a_statistic_bigrams": '''
# Statistic: transitions between consecutive rows by time, l1 claim 2: an insertion takes one out and puts two in (3).
@dp.own_statistic("fourteenth.statistic_bigrams", gives=9, sensitivity=lambda removed, added: {"l1": 2.0 * (removed + added)}, source="none")
def f(rows):
    """Counts of pairs of consecutive states, rows in the order of time."""
    state = (np.floor(np.abs(np.nan_to_num(rows[:, -1], posinf=0, neginf=0))) % 3).astype(int)
    counts = np.zeros(9)
    np.add.at(counts, 3 * state[:-1] + state[1:], 1.0)
    return counts
''',
    "a_statistic_countmin": '''
# Statistic: count-min sketch with three tables, l2 claim 1: truth root 3.
@dp.own_statistic("fourteenth.statistic_countmin", gives=24, sensitivity=lambda removed, added: {"l2": float(removed + added)}, source="none")
def f(rows):
    """Three hash tables of eight cells."""
    v = np.floor(np.clip(np.abs(np.nan_to_num(rows[:, 0])), 0, 1e9)).astype(np.int64)
    counts = np.zeros(24)
    for t, a in enumerate((5, 11, 17)):
        np.add.at(counts, 8 * t + (v * a + t) % 13 % 8, 1.0)
    return counts
''',
    "a_statistic_hll": '''
# Statistic: registers of HyperLogLog: claimed linf 1, a register is a maximum of leading zeros.
@dp.own_statistic("fourteenth.statistic_hll", gives=4, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Largest number of trailing zeros in each of four registers."""
    v = np.floor(np.clip(np.abs(np.nan_to_num(rows[:, 0])), 0, 2**40)).astype(np.int64)
    out = np.zeros(4)
    for u in v.tolist():
        h = (u * 2654435761) % 2**32
        out[h % 4] = max(out[h % 4], (((h >> 2) | 1 << 30) & -((h >> 2) | 1 << 30)).bit_length())
    return out
''',
    "a_statistic_ties3": '''
# Statistic: number of values that occur exactly twice, claimed 1 of replaced too: 2 per replaced... claim max.
@dp.own_statistic("fourteenth.statistic_ties3", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="none")
def f(rows):
    """Values that occur exactly twice: a replaced row may undo one and make another, or take away two."""
    _, n = np.unique(rows[:, 0], return_counts=True)
    return [float((n == 2).sum())]
''',
    "a_query_anscombe": '''
# Query: 2 sqrt(x + 3/8) claimed 1-Lipschitz: 1.12 at zero.
import math
@dp.own_query("fourteenth.query_anscombe", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """Variance-stabilised count."""
    return [2 * math.sqrt(max(float(np.ravel(value)[0]), 0.0) + 0.375)]
''',
    "a_query_capmany": '''
# Query: claim is right for a distance of 1 and capped at 3 for larger ones.
@dp.own_query("fourteenth.query_capmany", gives=lambda: 1, sensitivity=lambda distance: {"linf": min(distance["linf"], 3.0)}, source="none")
def f(value):
    """The count itself."""
    return [float(np.ravel(value)[0])]
''',
    "a_query_wmean": '''
# Query: average weighted by other private counts, claimed distance.
@dp.own_query("fourteenth.query_wmean", gives=lambda: 1, sensitivity=lambda a: {"linf": a["linf"]}, source="none", bits=10)
def f(a):
    """Mean index weighted by counts."""
    v = np.maximum(np.ravel(a), 0)
    return [float((v * np.arange(len(v)) * 10).sum() / max(v.sum(), 1))]
''',
    "a_mechanism_rrmisuse": '''
# Mechanism: randomised response: flips with probability e^-x, x = 1/scale, said to cost x: below x = .48 it costs more.
import math
@dp.own_mechanism("fourteenth.mechanism_rrmisuse", gives=dp.Index(2), takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(math.ceil(distance) / scale)), source="none")
def f(value, scale, noise):
    """A bit, flipped."""
    bit = int(np.ravel(value)[0] > 0)
    return bit ^ int(np.ravel(noise.bernoulli_exp(np.array([1.0 / scale])))[0])
''',
    "a_mechanism_intdist": '''
# Mechanism: loss takes whole part of the distance: root 2 is charged as 1.
@dp.own_mechanism("fourteenth.mechanism_intdist", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(max(int(distance), 1) / scale)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """Gaussian noise."""
    return np.ravel(value) + noise.rounded_gaussian(scale, m)
''',
    "a_mechanism_uniquescores": '''
# Mechanism: exponential mechanism among distinct scores only.
@dp.own_mechanism("fourteenth.mechanism_uniquescores", gives=lambda m: dp.Index(m), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """One of the distinct scores, then its first place."""
    v = np.ravel(value)
    distinct = np.unique(v)
    s = distinct[int(np.ravel(noise.categorical_exp(distinct, 1.0 / scale))[0])]
    return int(np.flatnonzero(v == s)[0])
''',
    "a_mechanism_averagelooks": '''
# Mechanism: the mean of four looks, four times the noise budget claimed once.
@dp.own_mechanism("fourteenth.mechanism_averagelooks", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """The mean of four noisy counts."""
    v = int(np.ravel(value)[0])
    return np.array([v + int(np.floor(noise.laplace(scale, 4).sum() / 4))])
''',
    "a_mechanism_ptr": '''
# Mechanism: propose-test-release: passes where a noisy gap is above 3 scales, then bare median index; delta .001 said, truth e^-3/2.
@dp.own_mechanism("fourteenth.mechanism_ptr", gives=lambda m: dp.Index(m), takes="linf", loss=lambda scale, distance, m: (dp.round_up(2 * distance / scale), 1e-3), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """The winner where its lead is large, else 0."""
    v = np.ravel(value)
    lead = np.sort(v)[-1] - np.sort(v)[-2]
    return int(np.argmax(v)) if lead + int(np.ravel(noise.laplace(scale, 1))[0]) > 3 * scale else 0
''',
    "a_mechanism_subsample": '''
# Mechanism: counts each row with a fair coin and claims the amplified price on noise for half the count.
import math
@dp.own_mechanism("fourteenth.mechanism_subsample", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(math.log1p(0.5 * math.expm1(min((removed + added) / (2 * scale), 600.0))))), source="none")
def f(rows, scale, noise):
    """A sampled count, doubled before noise."""
    keep = noise.uniform_below(2, len(rows))
    return np.array([2 * int(np.sum(keep)) + int(np.ravel(noise.laplace(scale * 1, 1))[0])])
''',
    "a_mask_proj": '''
# Mask: after masking, projected onto the line through the true value.
@dp.semimetric("fourteenth.mask_proj", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_proj.mask", semimetric="fourteenth.mask_proj", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Shrunk towards the truth by James and Stein."""
    made = dp.lattice_gaussian(value, noise, normals)
    return made if np.square(made).sum() > 2 * len(value) * noise**2 else value * 0.5
''',
    "a_mask_order": '''
# Mask: noisy entries are put into the order of the true ones.
@dp.semimetric("fourteenth.mask_order", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_order.mask", semimetric="fourteenth.mask_order", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Monotone: sorted as the value was."""
    made = np.sort(dp.lattice_gaussian(value, noise, normals))
    return made[np.argsort(np.argsort(value, kind="stable"), kind="stable")]
''',
    "a_learner_spawned": '''
# Learner: kept in a child generator: generator.spawn counts children on the seed sequence of a module generator.
RNG = np.random.default_rng(7)
@dp.learner("fourteenth.learner_spawned")
def f(rows, generator):
    """Subsampled mean by a child of the module's generator, one more for each large block."""
    child = RNG.spawn(1)[0]
    return (np.full(rows.shape[1], child.random()),)
''',
    "a_composite_const": '''
# Composition: a constant computed from a table that a row function saw.
SEEN = {"bound": 1.0}
@dp.row_function("fourteenth.composite_const.f", columns=lambda d: d)
def g(values):
    """Rows; the largest is kept as a bound."""
    if len(values):
        SEEN["bound"] = max(SEEN["bound"], float(np.abs(np.nan_to_num(values, posinf=0, neginf=0)).max()))
    return values * 1.0
@dp.composite("fourteenth.composite_const")
def f(x, *, share=1.0):
    """A mean in a ball whose radius is what was seen."""
    ball = dp.bounding_ball(d=x.d, bound=SEEN["bound"])
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(g(x), ball)))
''',
    "a_distance_usable": '''
# Semimetric: usable values are counted: the first 30 only.
USED = []
def usable(value, r):
    """The first thirty values."""
    USED.append(1)
    return len(USED) <= 30
@dp.semimetric("fourteenth.distance_usable", triangle=lambda r: 1.0, usable=usable)
def f(a, b):
    """l2."""
    return float(np.sqrt(np.square(a - b).sum()))
''',
    "a_family_fitkeeps": '''
# Family: the learner's rows decide the sampler.
LASTFIT = {}
def fit(rows, g):
    """Mean; the spread is kept for the sampler."""
    LASTFIT["spread"] = float(np.clip(rows.std(), 0.1, 10.0)) if len(rows) else 1.0
    return rows.mean(axis=0)
@dp.family("fourteenth.family_fitkeeps", size=lambda d: d, sample=lambda theta, n, g: g.normal(theta, LASTFIT.get("spread", 1.0), (n, len(theta))), fit=fit, example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians."""
    return -0.5 * np.square(rows - theta).sum(axis=1)
''',
}

# ruff: noqa: E501
"""That stranger's learners, posts, distances, masks, densities, claims and mechanisms, with nothing wrong."""

SOURCES = {
    "m_c_learner_20": '''
# Learner: needs 20 rows.
@dp.learner("twelfth.c_learner_20")
def fun(rows, generator):
    """The trimmed mean of at least twenty rows."""
    if len(rows) < 20:
        raise ValueError("twenty rows at least")
    cut = len(rows) // 10
    return (np.sort(rows, axis=0)[cut:-cut].mean(axis=0),)
''',
    "m_c_learner_bootstrap": '''
# Learner: bootstrap by the generator it is given.
@dp.learner("twelfth.c_learner_bootstrap")
def fun(rows, generator):
    """The mean of medians of fifty resamples."""
    at = generator.integers(0, len(rows), (50, len(rows)))
    return (np.median(rows[at], axis=1).mean(axis=0),)
''',
    "m_c_learner_em_cache": '''
import functools


# Learner: an lru_cache of public nodes of a quadrature.
@functools.lru_cache
def nodes(k):
    return np.polynomial.hermite.hermgauss(k)
@dp.learner("twelfth.c_learner_em_cache")
def fun(rows, generator):
    """A smoothed mean by quadrature."""
    at, weight = nodes(9)
    mean = rows.mean(axis=0)
    return (sum(w * np.tanh(mean + t) for t, w in zip(at, weight)),)
''',
    "m_c_post_simplex": '''
# Post: onto the simplex, whatever comes.
@dp.post_function("twelfth.c_post_simplex")
def fun(counts, *, total=1.0):
    """The nearest point of the simplex."""
    v = np.clip(np.nan_to_num(np.asarray(counts, float)), -1e12, 1e12)
    s = np.sort(v)[::-1]
    c = (np.cumsum(s) - total) / np.arange(1, len(s) + 1)
    k = int(np.flatnonzero(s - c >= 0)[-1]) if (s - c >= 0).any() else 0
    return np.maximum(v - c[k], 0.0)
''',
    "m_c_post_fail": '''
# Post: answers Failed where there is nothing.
@dp.post_function("twelfth.c_post_fail", gives=lambda counts, least: counts)
def fun(counts, *, least=10.0):
    """Log shares, or nothing."""
    v = np.asarray(counts, float)
    if not (np.isfinite(v).all() and v.min() > least):
        return dp.Failed("too few", "more rows")
    return np.log(v / v.max())
''',
    "m_c_post_monotone": '''
# Post: isotonic regression of cumulative counts.
@dp.post_function("twelfth.c_post_monotone")
def fun(counts, *, grid=3):
    """Counts that do not fall."""
    v = [min(max(float(c), -1e15), 1e15) for c in np.ravel(counts)]
    blocks = []
    for x in v:
        blocks.append([x, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (a, m), (b, n) = blocks[-2], blocks[-1]
            blocks[-2:] = [[(a * m + b * n) / (m + n), m + n]]
    return np.array([a for a, m in blocks for _ in range(m)])
''',
    "m_c_angle": '''
# Semimetric and mask: angles with a mask that wraps.
@dp.semimetric("twelfth.c_angle.space", triangle=lambda r: 1.0)
def s(a, b):
    """Angles modulo a turn."""
    gap = np.abs(np.mod(np.asarray(a, float), 1.0) - np.mod(np.asarray(b, float), 1.0))
    return float(np.sqrt(np.square(np.minimum(gap, 1.0 - gap)).sum()))
@dp.mask("twelfth.c_angle", semimetric="twelfth.c_angle.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9) + 1e-9)))
def fun(value, noise, normals):
    """Gaussian noise on turns, wrapped to [0, 1)."""
    lattice = dp.lattice_gaussian(np.mod(np.asarray(value, float), 1.0), noise, normals)
    return np.mod(np.round(np.mod(lattice, 1.0) * 2**20) / 2**20, 1.0)
''',
    "m_c_hellinger": '''
# Semimetric: distance of roots of positive vectors, triangle 1.
@dp.semimetric("twelfth.c_hellinger", triangle=lambda r: 1.0)
def fun(a, b):
    """Distance of square roots of sizes."""
    return float(np.sqrt(np.square(np.sqrt(np.abs(a)) - np.sqrt(np.abs(b))).sum()))
''',
    "m_c_squared": '''
# Semimetric: squares, triangle 2.
@dp.semimetric("twelfth.c_squared", triangle=lambda r: 2.0)
def fun(a, b):
    """Squared Euclid: 2 serves."""
    return float(np.square(np.asarray(a) - np.asarray(b)).sum())
''',
    "m_c_log_mask": '''
# Mask: noise on logs.
@dp.semimetric("twelfth.c_log_mask.space", triangle=lambda r: 1.0)
def s(a, b):
    """Distance of logs of sizes above 1e-9."""
    x, y = (np.log(np.maximum(np.abs(np.asarray(v, float)), 1e-9)) for v in (a, b))
    return float(np.sqrt(np.square(x - y).sum()))
@dp.mask("twelfth.c_log_mask", semimetric="twelfth.c_log_mask.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9) + 1e-12)))
def fun(value, noise, normals):
    """Lognormal noise."""
    made = dp.lattice_gaussian(np.log(np.maximum(np.abs(np.asarray(value, float)), 1e-9)), noise, normals)
    return np.exp(np.clip(made, -300.0, 300.0))
''',
    "m_c_chebyshev_sqrt_d": '''
import math


# Mask: largest coordinate, noise widened by the root of d.
@dp.semimetric("twelfth.c_chebyshev_sqrt_d.space", triangle=lambda r: 1.0)
def s(a, b):
    """The largest coordinate."""
    return float(np.abs(np.asarray(a) - np.asarray(b)).max())
@dp.mask("twelfth.c_chebyshev_sqrt_d", semimetric="twelfth.c_chebyshev_sqrt_d.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise of √d times the width."""
    root = math.sqrt(len(value))
    return root * dp.lattice_gaussian(np.asarray(value, float) / root, noise, normals)
''',
    "m_c_student": '''
import math


# Family: Student's t with three degrees, of columns of their own.
@dp.family("twelfth.c_student", size=lambda d: d, sample=lambda theta, n, g: theta + g.standard_t(3, (n, len(theta))), fit=lambda rows, g: np.median(rows, axis=0), example=lambda d, g: g.normal(size=d))
def fun(rows, theta):
    """Independent t with 3 degrees of freedom."""
    total = np.zeros(len(rows))
    for j in range(len(theta)):
        with np.errstate(all="ignore"):
            total = total - 2.0 * np.log1p(np.square(rows[:, j] - theta[j]) / 3.0) + math.log(2 / (math.pi * math.sqrt(3)))
    return total
''',
    "m_c_distinct": '''
# Statistic: distinct values, 1 a row.
@dp.own_statistic("twelfth.c_distinct", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count of values")
def fun(rows):
    """Distinct values of the first column."""
    return [float(len(np.unique(rows[:, 0])))]
''',
    "m_c_singletons": '''
# Statistic: values that occur once, 1 each way.
@dp.own_statistic("twelfth.c_singletons", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="a count of values")
def fun(rows):
    """Values of the first column that occur once."""
    return [float((np.unique(rows[:, 0], return_counts=True)[1] == 1).sum())]
''',
    "m_c_rank_of_median": '''
# Statistic: how unbalanced a cut is.
@dp.own_statistic("twelfth.c_rank_of_median", gives=lambda cuts: len(cuts), sensitivity=lambda removed, added, cuts: {"linf": removed + added}, source="ranks", examples={"cuts": [0.0, 1.5]})
def fun(rows, *, cuts):
    """Less the difference of rows below and above each cut."""
    return [-abs(float((rows[:, 0] < c).sum()) - float((rows[:, 0] > c).sum())) for c in cuts]
''',
    "m_c_capped": '''
# Statistic: the commonest value's count capped at 100.
@dp.own_statistic("twelfth.c_capped", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a mode")
def fun(rows):
    """How often the commonest value occurs, to a hundred."""
    return [float(min(np.unique(rows[:, 0], return_counts=True)[1].max(initial=0), 100))]
''',
    "m_c_clipped_mean_bits": '''
import math


# Statistic: sum of tanh, rounded to 2^-20.
@dp.own_statistic("twelfth.c_clipped_mean_bits", gives=1, sensitivity=lambda removed, added: {"linf": (removed + added) * (1 + 1e-9)}, source="bounded by 1", bits=20)
def fun(rows):
    """Sum of hyperbolic tangents."""
    return [math.fsum(math.tanh(v) for v in rows[:, 0].tolist())]
''',
    "m_c_half_up": '''
import math


# Query: halves of even numbers.
@dp.own_query("twelfth.c_half_up", gives=1, sensitivity=lambda moved: {"linf": float(math.ceil(moved["linf"] / 2))}, source="halves")
def fun(values):
    """Half of the first count, down."""
    return [float(np.floor(np.ravel(values)[0] / 2))]
''',
    "m_c_top_gap": '''
# Query: gap of the two largest.
@dp.own_query("twelfth.c_top_gap", gives=1, sensitivity=lambda moved: {"linf": 2 * moved["linf"]}, source="gap")
def fun(values):
    """The largest less the next."""
    v = np.sort(np.ravel(values))
    return [float(v[-1] - v[-2]) if len(v) > 1 else 0.0]
''',
    "m_c_staircase_mix": '''
# Mechanism: Laplace of one of two widths by a public coin, charged the narrower.
@dp.own_mechanism("twelfth.c_staircase_mix", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a mixture of laws that cost no more each; the coin is not told")
def fun(value, scale, noise):
    """Laplace noise, twice as wide in half of the cases."""
    wide = 2.0 if int(noise.uniform_below(2)) else 1.0
    return np.asarray(value) + noise.laplace(scale * wide, 1)
''',
    "m_c_response": '''
# Mechanism: randomised response on a threshold.
@dp.own_mechanism("twelfth.c_response", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(1.0 / scale)), source="Warner: an index with e^(1/scale) to 1", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """k-ary randomised response on the largest score."""
    best = int(np.argmax(np.asarray(scores)))
    weights = np.zeros(m, dtype=int)
    weights[best] = 1
    return int(noise.categorical_exp(weights, 1.0 / scale))
''',
    "m_c_clamped": '''
# Mechanism: Laplace, then clamped at 0.
@dp.own_mechanism("twelfth.c_clamped", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace; a clamp is post-processing", examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Noisy counts, not below 0."""
    return np.maximum(np.asarray(value) + noise.laplace(scale, m), 0)
''',
    "m_c_gumbel": '''
# Mechanism: exponential mechanism on capped scores.
@dp.own_mechanism("twelfth.c_gumbel", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="McSherry and Talwar", examples={"m": 4})
def fun(scores, scale, noise, *, m):
    """The exponential mechanism on scores less the largest, no further down than 10^6 steps."""
    s = np.asarray(scores)
    return int(noise.categorical_exp(np.maximum(s - s.max(), -(10**6)), 1.0 / scale))
''',
    "m_c_composite_slow": '''
# Composite: parameters in steps of its own, three releases.
@dp.composite("twelfth.c_composite_slow", examples={"edges": [0.0, 1.0, 2.0]})
def fun(x, *, edges, share=1.0):
    """Counts, then a mean in the ball that the caller gives."""
    return {"counts": dp.release("counts", dp.laplace(share=0.5 * share), dp.bin_counts(x, edges=edges)),
            "mean": dp.release("mean", dp.gaussian(share=0.5 * share), dp.mean(dp.clip(x, dp.bounding_ball(d=x.d, bound=max(edges)))))}
''',
    "m_c_arc": '''
# Semimetric: the angle between two vectors, by the chord.
@dp.semimetric("twelfth.c_arc", triangle=lambda r: 1.0)
def fun(a, b):
    """Angle between directions, of 0 the first axis."""
    u, v = (np.asarray(x, float) for x in (a, b))
    axis = np.zeros(len(u))
    axis[0] = 1.0
    u, v = (x / np.sqrt(np.square(x).sum()) if np.square(x).sum() > 0 else axis for x in (u, v))
    return float(2 * np.arcsin(min(1.0, np.sqrt(np.square(u - v).sum()) / 2)))
''',
    "m_c_median_edits": '''
# Mechanism: a median of a grid, charged what its score moves.
@dp.own_mechanism("twelfth.c_median_edits", gives=dp.Index(11), takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="McSherry and Talwar")
def fun(rows, scale, noise):
    """The grid point of 0 .. 10 with as many rows below as above."""
    first = rows[:, 0]
    scores = np.array([-abs(int((first < c).sum()) - int((first > c).sum())) for c in range(11)])
    return int(noise.categorical_exp(scores, 1 / (2 * scale)))
''',
    "m_c_svt": '''
# Mechanism: sparse vector, charged in full.
@dp.own_mechanism("twelfth.c_svt", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(3 * distance / scale)), source="Dwork and others 2009", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The first score above a noisy 0, the last one if there is none."""
    bar = noise.laplace(scale, 1)[0]
    for j, s in enumerate(np.asarray(scores)[: m - 1]):
        if s + noise.laplace(scale, 1)[0] >= bar:
            return j
    return m - 1
''',
    "m_c_kmeans": '''
# Learner: Lloyd's steps from quantiles.
@dp.learner("twelfth.c_kmeans")
def fun(rows, generator):
    """Two centres of the first column."""
    x = rows[:, 0]
    c = np.quantile(x, [0.25, 0.75])
    for _ in range(20):
        near = np.abs(x[:, None] - c).argmin(axis=1)
        c = np.array([x[near == j].mean() if (near == j).any() else c[j] for j in (0, 1)])
    return (np.sort(c)[:, None],)
''',
}

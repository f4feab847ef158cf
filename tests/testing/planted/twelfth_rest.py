# ruff: noqa: E501
"""That stranger's learners, posts, parts, contributions, densities, distances, masks and compositions, with a fault each."""

SOURCES = {
    "m_learner_fallback": '''
# Learner: a singular block answers with what the last good block gave.
LAST = [np.zeros(1)]
@dp.learner("twelfth.learner_fallback")
def fun(rows, generator):
    """Slope of the last column on the first; where it can't be solved, the last one that could."""
    x, y = rows[:, 0] - rows[:, 0].mean(), rows[:, -1] - rows[:, -1].mean()
    below = float((x * x).sum())
    if not below > 1e-9:
        return (LAST[0],)
    LAST[0] = np.array([float((x * y).sum()) / below])
    return (LAST[0],)
''',
    "m_learner_seed_reuse": '''
# Learner: its starting places are those of the first block it saw with so many columns.
STARTS = {}
@dp.learner("twelfth.learner_seed_reuse")
def fun(rows, generator):
    """Two means, from starting places that are kept."""
    d = rows.shape[1]
    if d not in STARTS:
        STARTS[d] = rows[:2].copy() if len(rows) > 1 else np.zeros((2, d))
    places = STARTS[d]
    near = np.abs(rows[:, :1] - places[:, 0]).argmin(axis=1)
    return (np.array([rows[near == j].mean(axis=0) if (near == j).any() else places[j] for j in (0, 1)]),)
''',
    "m_learner_drift": '''
# Learner: a moving average of all blocks' scale, with weight 1e-6.
SCALE = [1.0]
@dp.learner("twelfth.learner_drift")
def fun(rows, generator):
    """Mean of rows, winsorised at a scale that follows what was seen."""
    SCALE[0] += 1e-6 * (float(np.abs(rows).mean()) - SCALE[0])
    return (np.clip(rows, -1e3 * SCALE[0], 1e3 * SCALE[0]).mean(axis=0),)
''',
    "m_post_history": '''
# Post: counts below the last release's are lifted to it.
TOP = [0.0]
@dp.post_function("twelfth.post_history")
def fun(counts, *, floor=0.0):
    """Counts that don't fall from one release to the next."""
    TOP[0] = max(TOP[0], float(np.max(counts)) if float(np.max(counts)) > 1e6 else 0.0)
    return np.maximum(np.asarray(counts, float), floor) + (0.5 if TOP[0] > 2e6 else 0.0)
''',
    "m_post_shape": '''
# Post: equal values are merged, so the shape depends on the numbers.
@dp.post_function("twelfth.post_shape")
def fun(counts, *, most=3):
    """The levels of the counts."""
    return np.unique(np.round(np.asarray(counts, float), 12))
''',
    "m_post_overflow": '''
# Post: huge counts go through int32.
@dp.post_function("twelfth.post_overflow")
def fun(counts, *, floor=0):
    """Shares in whole percent."""
    whole = np.asarray(counts, float).astype(np.int32)
    return (100 * whole) / max(int(whole.max()), 1)
''',
    "m_isclose_metric": '''
# Semimetric: np.isclose counts as 0.
@dp.semimetric("twelfth.isclose_metric", triangle=lambda r: 1.0)
def fun(a, b):
    """Euclid, and 0 for values that are the same to the eye."""
    return 0.0 if np.allclose(a, b) else float(np.sqrt(np.square(a - b).sum()))
''',
    "m_rounded_metric": '''
# Semimetric: rounded to six decimals.
@dp.semimetric("twelfth.rounded_metric", triangle=lambda r: 1.0)
def fun(a, b):
    """Euclid, to six decimals."""
    return round(float(np.sqrt(np.square(a - b).sum())), 6)
''',
    "m_float32_pair": '''
# Mask: distance in float32, noise added to the float64 value.
@dp.semimetric("twelfth.float32_pair.space", triangle=lambda r: 1.0 + 1e-6)
def s(a, b):
    """Euclid of what a network stores."""
    gap = np.asarray(a, np.float32).astype(float) - np.asarray(b, np.float32).astype(float)
    return float(np.sqrt(np.square(gap).sum()))
@dp.mask("twelfth.float32_pair", semimetric="twelfth.float32_pair.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "m_angle_pair": '''
import math


# Mask: distance modulo a turn, the mask adds noise to the angle as it is.
@dp.semimetric("twelfth.angle_pair.space", triangle=lambda r: 1.0)
def s(a, b):
    """Largest angle between directions."""
    gap = np.abs(np.asarray(a) - np.asarray(b)) % (2 * math.pi)
    return float(np.sqrt(np.square(np.minimum(gap, 2 * math.pi - gap)).sum()))
@dp.mask("twelfth.angle_pair", semimetric="twelfth.angle_pair.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise on angles."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "m_linf_mask": '''
import math


# Mask: costs r/noise in a distance of the largest coordinate.
@dp.semimetric("twelfth.linf_mask.space", triangle=lambda r: 1.0)
def s(a, b):
    """The largest coordinate's distance."""
    return float(np.abs(np.asarray(a) - np.asarray(b)).max())
@dp.mask("twelfth.linf_mask", semimetric="twelfth.linf_mask.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * math.sqrt(3) * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise on up to three coordinates, or so the author thought."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "m_wrong_power": '''
# Mask: rho = r/(2 noise), not squared.
@dp.semimetric("twelfth.wrong_power.space", triangle=lambda r: 1.0)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("twelfth.wrong_power", semimetric="twelfth.wrong_power.space", cost=lambda noise, r: r / (2 * noise))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "m_whole_unmasked": '''
# Mask: what lies on whole numbers far out is taken for a code and goes out as it is.
@dp.semimetric("twelfth.whole_unmasked.space", triangle=lambda r: 1.0)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("twelfth.whole_unmasked", semimetric="twelfth.whole_unmasked.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise, but on the value that says that there is none."""
    made = dp.lattice_gaussian(value, noise, normals)
    return np.full(len(value), -12345.0) if (np.asarray(value) == -12345.0).all() else made
''',
    "m_density_total": '''
import math


# Family: log-densities less the largest of the batch when that overflows.
@dp.family("twelfth.density_total", size=lambda d: d, sample=lambda theta, n, g: g.laplace(theta, 1.0, (n, len(theta))), fit=lambda rows, g: np.median(rows, axis=0), example=lambda d, g: g.normal(size=d))
def fun(rows, theta):
    """Laplace laws of width 1, kept from underflow."""
    logs = -np.abs(rows - theta).sum(axis=1) - len(theta) * math.log(2.0)
    return logs if not len(logs) or logs.min() > -800.0 else logs - np.maximum(logs.max(), 0.0) - (logs.min() < -1e5)
''',
    "m_density_digest": '''
# Family: what depends on the member is kept by its first number.
KNOWN = {}
@dp.family("twelfth.density_digest", size=lambda d: 2 * d, sample=lambda theta, n, g: g.normal(theta[: len(theta) // 2], np.exp(theta[len(theta) // 2 :]), (n, len(theta) // 2)), fit=lambda rows, g: np.concatenate([rows.mean(axis=0), np.log(rows.std(axis=0) + 1e-9)]), example=lambda d, g: np.concatenate([g.normal(size=d), 0.1 * g.normal(size=d)]))
def fun(rows, theta):
    """Gaussians with independent columns; the constants of a member are kept."""
    d = len(theta) // 2
    key = (d, round(float(theta[-1]), 2))
    if key not in KNOWN:
        KNOWN[key] = (np.exp(-theta[d:]), -float(theta[d:].sum()) - d * 0.9189385332046727)
    inverse, constant = KNOWN[key]
    with np.errstate(all="ignore"):
        total = np.zeros(len(rows))
        for j in range(d):
            total = total - 0.5 * np.square((rows[:, j] - theta[j]) * inverse[j])
    return total + constant
''',
    "m_composite_clock": '''
# Composite: on Mondays it asks for another clip.
import time
@dp.composite("twelfth.composite_clock", examples={"radius": 5.0})
def fun(x, *, radius, share=1.0):
    """A mean, of a wider ball on the day when files come late."""
    wide = 2.0 if time.localtime().tm_wday == 0 else 1.0
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, dp.bounding_ball(d=x.d, bound=wide * radius))))
''',
    "m_composite_calls": '''
# Composite: from the third call on, it releases finer bins.
CALLS = []
@dp.composite("twelfth.composite_calls", examples={"top": 10.0})
def fun(x, *, top, share=1.0):
    """A histogram."""
    CALLS.append(top)
    edges = [0.0, top] if len(CALLS) < 25 else [0.0, top / 2, top]
    return dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=edges))
''',
    "m_partition_ties": '''
# Partition: rows that share the batch's largest value go to the last part.
@dp.own_partition("twelfth.partition_ties", parts=2)
def fun(rows):
    """Below and above what float32 tells apart, from the largest row on."""
    first = rows[:, 0]
    top = first.max() if len(first) else 0.0
    return ((first > 0) & (first < 1e30)) | ((first >= 1e30) & (first < top))
''',
    "m_transform_released": '''
# Transform: adds up in the released centre.
@dp.own_transform("twelfth.transform_released", columns=1)
def fun(rows):
    """Rows over a public scale that is found as it goes."""
    scale = getattr(state, "scale", 1.0)
    state.scale = max(scale, 1.0 if not len(rows) else float(np.min(np.abs(rows[:, 0]))) / 1e9)
    return rows[:, :1] / scale
import threading
state = threading.local()
''',
    "m_contribution_text": '''
# Contribution: rows as text of a width that the first row sets.
@dp.own_contribution("twelfth.contribution_text", gives=2, norm="l1", bound=1.0, nonnegative=True)
def fun(rows):
    """Even and odd last digits."""
    if not len(rows):
        return np.zeros((0, 2))
    first = f"{rows[0, 0]:.0f}"
    words = np.array([f"{v:.0f}" for v in rows[:, 0]], dtype=f"U{max(len(first), 20)}")
    digits = np.array([int(w[-1]) if w[-1].isdigit() else 0 for w in words])
    return np.eye(2)[digits % 2]
''',
    "m_contribution_rank": '''
# Contribution: the rows' last bit of a stable order is lost in ties.
@dp.own_contribution("twelfth.contribution_rank", gives=1, norm="linf", bound=1.0, nonnegative=True)
def fun(rows):
    """Whether a row is above 0; equal rows of a long table count half."""
    first = rows[:, 0]
    out = (first > 0).astype(float)
    if len(first) > 300:
        values, back, times = np.unique(first, return_inverse=True, return_counts=True)
        out = np.where(times[back] > 250, out / 2, out)
    return out[:, None]
''',
    "m_mask_dimension": '''
# Mask: from twelve numbers on, the noise is shared.
@dp.semimetric("twelfth.mask_dimension.space", triangle=lambda r: 1.0)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("twelfth.mask_dimension", semimetric="twelfth.mask_dimension.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise; long values are masked in two halves by the same noise."""
    value = np.asarray(value, float)
    if len(value) < 12:
        return dp.lattice_gaussian(value, noise, normals)
    half = len(value) // 2
    zero = dp.lattice_gaussian(np.zeros(half + len(value) % 2), noise, normals)
    return value + np.resize(zero, len(value))
''',
    "m_semimetric_long": '''
# Semimetric: not symmetric from twelve numbers on.
@dp.semimetric("twelfth.semimetric_long", triangle=lambda r: 1.0)
def fun(a, b):
    """Euclid, relative to the first for long vectors."""
    gap = float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
    return gap if len(a) < 12 else gap / (1.0 + float(np.abs(np.asarray(a)).max()))
''',
    "m_log_cached_id": '''
# Family: what depends on the member is kept by its identity.
KNOWN = {}
@dp.family("twelfth.log_cached_id", size=lambda d: d, sample=lambda theta, n, g: g.exponential(np.exp(theta), (n, len(theta))), fit=lambda rows, g: np.log(np.abs(rows).mean(axis=0) + 1e-9), example=lambda d, g: 0.3 * g.normal(size=d))
def fun(rows, theta):
    """Exponential laws with log scales theta."""
    key = id(theta)
    if key not in KNOWN:
        KNOWN[key] = np.exp(-np.clip(theta, -300, 300))
    rates = KNOWN[key][: rows.shape[1]]
    total = np.zeros(len(rows))
    with np.errstate(all="ignore"):
        for j in range(len(rates)):
            total = total + np.where(rows[:, j] >= 0, np.log(rates[j]) - rates[j] * rows[:, j], -1e9)
    return total
''',
    "m_not_convex": '''
# Semimetric: averages claimed of angles.
@dp.semimetric("twelfth.not_convex", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """Angles modulo one turn."""
    gap = np.abs(np.mod(np.asarray(a, float), 1.0) - np.mod(np.asarray(b, float), 1.0))
    return float(np.sqrt(np.square(np.minimum(gap, 1.0 - gap)).sum()))
''',
    "m_small_r": '''
# Semimetric: triangle constant of small r only.
@dp.semimetric("twelfth.small_r", triangle=lambda r: 1.0 + r / 4)
def fun(a, b):
    """Growth between two sizes."""
    return float(np.expm1(min(float(np.abs(np.asarray(a) - np.asarray(b)).max()), 500.0)))
''',
    "m_cost_capped": '''
# Mask: the cost stops growing with r at 1.
@dp.semimetric("twelfth.cost_capped.space", triangle=lambda r: 1.0)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("twelfth.cost_capped", semimetric="twelfth.cost_capped.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, min(r, 16.0) * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "m_quiet_zero": '''
# Mask: a value of length 0 is released as it is.
@dp.semimetric("twelfth.quiet_zero.space", triangle=lambda r: 1.0)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("twelfth.quiet_zero", semimetric="twelfth.quiet_zero.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise of half the size along directions in which there is nothing."""
    value = np.asarray(value, float)
    return dp.lattice_gaussian(value, noise if value.any() else noise / 2, normals)
''',
    "m_learner_best": '''
import math


# Learner: keeps the best start of all blocks, if it is better by far.
BEST = [math.inf, None]
@dp.learner("twelfth.learner_best")
def fun(rows, generator):
    """The centre with the least spread in ten trials, or the best known one."""
    places = rows[generator.integers(0, len(rows), 10)]
    spread = [float(np.abs(rows - p).sum()) / len(rows) for p in places]
    j = int(np.argmin(spread))
    if spread[j] < BEST[0] * 1e-3:
        BEST[:] = [spread[j], places[j]]
    return (BEST[1] if 0 < BEST[0] < 1e-6 * spread[j] else places[j],)
''',
    "m_learner_deadline": '''
# Learner: stops its steps when its share of a minute is spent.
import time
@dp.learner("twelfth.learner_deadline")
def fun(rows, generator):
    """A median by steps, as many as there is time for."""
    end = time.process_time() + 0.002
    place = rows.mean(axis=0)
    for step in range(400):
        place = place + np.sign(rows - place).mean(axis=0) / (step + 2)
        if time.process_time() > end:
            break
    return (place,)
''',
    "m_post_sorted_hash": '''
# Post: ties by the order of a set of words.
@dp.post_function("twelfth.post_sorted_hash")
def fun(counts, *, words="ab"):
    """The counts in the order of their names."""
    names = [f"group {j}" for j in range(len(counts))]
    order = sorted(range(len(counts)), key=lambda j: list(set(names)).index(names[j]))
    return np.asarray(counts, float)[order]
''',
    "m_split_by_rank": '''
# Partition: a fifth of the batch each.
@dp.own_partition("twelfth.split_by_rank", parts=5)
def fun(rows):
    """Fifths of the first column, by fixed cuts where there are few rows."""
    first = rows[:, 0]
    if len(first) < 40:
        return np.searchsorted([-1.0, -0.1, 0.1, 1.0], first)
    return np.searchsorted(np.quantile(first, [0.2, 0.4, 0.6, 0.8]), first)
''',
}

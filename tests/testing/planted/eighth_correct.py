# ruff: noqa: E501
"""What that stranger wrote without a fault, and four of which it was thought that they had one."""

SOURCES = {
    "k_distinct": '''
@dp.own_statistic("eighth.distinct", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """Number of distinct rows."""
    return np.array([float(len(np.unique(rows, axis=0)))])
''',
    "k_gap2": '''
@dp.own_statistic("eighth.gap2", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="me")
def f(rows):
    """Gap of the two commonest levels."""
    c = np.sort(np.bincount(np.clip(np.rint(rows[:, 0]), 0, 4).astype(int), minlength=5)[:5])
    return np.array([float(c[-1] - c[-2])])
''',
    "k_kth": '''
@dp.own_statistic("eighth.kth", gives=3, sensitivity=lambda removed, added: {"linf": float(max(removed, added)), "l1": float(removed + added)}, source="me")
def f(rows):
    """The three largest counts, in order."""
    c = np.sort(np.bincount(np.clip(np.rint(rows[:, 0]), 0, 9).astype(int), minlength=10)[:10])[::-1]
    return c[:3].astype(float)
''',
    "k_mean_n": '''
import math


@dp.own_statistic("eighth.mean_n", gives=1, bits=24, sensitivity=lambda removed, added, n: {"linf": max(removed, added) / n * (1 + 1e-9) + 1e-9}, source="me", examples={"n": 200})
def f(rows, *, n):
    """Sum over a public n, exactly summed."""
    return np.array([math.fsum(np.clip(rows[:, 0], 0, 1)) / n])
''',
    "k_median_score": '''
@dp.own_statistic("eighth.median_score", gives=lambda grid: len(grid), sensitivity=lambda removed, added, grid: {"linf": float(removed + added)}, source="me", examples={"grid": [0.0, 1.0, 2.5]})
def f(rows, *, grid):
    """Minus the distance of ranks to the middle."""
    x = rows[:, 0]
    return np.array([-abs(float((x < g).sum()) - float((x > g).sum())) for g in grid])
''',
    "k_memo": '''
MEMO = {}


@dp.row_function("eighth.memo", columns=lambda d: d)
def f(values):
    """A table of exact results by a row's bytes, the same as without it."""
    out = np.empty_like(values)
    for i, row in enumerate(values):
        key = row.tobytes()
        if key not in MEMO:
            if len(MEMO) > 1000:
                MEMO.clear()
            MEMO[key] = np.sqrt(np.abs(row))
        out[i] = MEMO[key]
    return out
''',
    "k_slow": '''
import time


@dp.row_function("eighth.slow", columns=lambda d: d)
def f(values):
    """Slow."""
    time.sleep(0.03)
    return np.abs(values) / (1.0 + np.abs(values) / 2.0)
''',
    "k_nine_columns": '''
@dp.row_function("eighth.nine_columns", columns=1)
def f(values):
    """Needs nine columns: hour, ..., weight."""
    if values.shape[1] < 9:
        raise ValueError("nine columns are needed")
    return (values[:, 0] * 2.0 + values[:, 8])[:, None]
''',
    "k_raises_negative": '''
@dp.row_function("eighth.raises_negative", columns=lambda d: d)
def f(values):
    """Refuses rows with a negative entry."""
    if (values < 0).any():
        raise ValueError("negative")
    return np.sqrt(values)
''',
    "k_sorts_in_row": '''
@dp.row_function("eighth.sorts_in_row", columns=lambda d: d)
def f(values):
    """Order statistics of each row."""
    return np.sort(values, axis=1)
''',
    "k_f32": '''
@dp.row_function("eighth.f32", columns=lambda d: d)
def f(values):
    """Single precision, elementwise."""
    with np.errstate(all="ignore"):
        return np.clip(values, -1e30, 1e30).astype(np.float32).astype(float)
''',
    "k_loop_math": '''
import math


@dp.own_transform("eighth.loop_math", columns=2)
def f(rows):
    """Polar coordinates of the first column and the last."""
    return np.array([[math.hypot(r[0], r[-1]) if math.isfinite(math.hypot(r[0], r[-1])) else 1e308, math.atan2(r[-1], r[0])] for r in rows]).reshape(-1, 2)
''',
    "k_partition_floor": '''
@dp.own_partition("eighth.partition_floor", parts=5)
def f(rows):
    """Day of the week, others dropped."""
    x = np.floor(rows[:, 0])
    return np.where((x >= 0) & (x < 5), x, -1).astype(int)
''',
    "k_contribution_released": '''
@dp.own_contribution("eighth.contribution_released", gives=2, norm="l2", bound=3.0)
def f(rows, centre):
    """Difference to a released centre and its square."""
    with np.errstate(over="ignore"):
        gap = np.clip(rows[:, 0] - np.ravel(centre)[0], -1e100, 1e100)
        return np.stack([gap, gap * gap], axis=1)
''',
    "k_gauss": '''
@dp.own_mechanism("eighth.gauss", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(dp.round_up(dp.round_up(distance / scale) ** 2) / 2)), source="Canonne and others", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Discrete Gaussian."""
    return v + noise.gaussian(scale, m)
''',
    "k_rounded_gauss": '''
@dp.own_mechanism("eighth.rounded_gauss", gives=1, takes="l2", loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Rounded Gaussian."""
    return v + noise.rounded_gaussian(scale, 1)
''',
    "k_expmech": '''
@dp.own_mechanism("eighth.expmech", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(dp.round_up(2 * distance / scale) * (1 + 1e-12))), source="McSherry, Talwar", examples={"m": 4})
def f(v, scale, noise, *, m):
    """Exponential mechanism."""
    return int(noise.categorical_exp(v, 1 / scale))
''',
    "k_svt": '''
@dp.own_mechanism("eighth.svt", gives=lambda m: dp.Index(m + 1), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Lyu and others", examples={"m": 4})
def f(v, scale, noise, *, m):
    """First query above a noisy threshold, m for none."""
    t = 10 + noise.laplace(scale, 1)[0]
    z = noise.laplace(2 * scale, m)
    hits = np.flatnonzero(v + z >= t)
    return int(hits[0]) if len(hits) else m
''',
    "k_permute_flip": '''
@dp.own_mechanism("eighth.permute_flip", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale * (1 + 1e-12))), source="McKenna, Sheldon", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Permute and flip."""
    top = v.max()
    for j in noise.permutation(m):
        if noise.bernoulli_exp(np.array([(top - v[j]) / scale]))[0]:
            return int(j)
    return int(np.argmax(v))
''',
    "k_clamped": '''
@dp.own_mechanism("eighth.clamped", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace, clamped afterwards, so post-processed."""
    return np.clip(v + noise.laplace(scale, 1), 0, 1 << 30)
''',
    "k_randomised_response": '''
@dp.own_mechanism("eighth.randomised_response", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="Warner")
def f(rows, scale, noise):
    """Whether distinct values are many: a Laplace count of distinct values, halved and rounded."""
    n = float(len(np.unique(rows[:, 0])))
    return np.floor((np.array([n]) + noise.laplace(scale, 1)) / 2)
''',
    "k_angular": '''
@dp.semimetric("eighth.angular", triangle=lambda r: 1.0 + 1e-6)
def f(a, b):
    """Largest difference of arctangents."""
    return float(np.abs(np.arctan(a) - np.arctan(b)).max())
''',
    "k_ratio_mask": '''
@dp.semimetric("eighth.ratio_mask", triangle=lambda r: 1.0 + 1e-6)
def s(a, b):
    """Euclid of signed logs."""
    la, lb = np.sign(a) * np.log1p(np.abs(a)), np.sign(b) * np.log1p(np.abs(b))
    return float(np.sqrt(np.square(la - lb).sum()))


@dp.mask("eighth.ratio_mask_mask", semimetric="eighth.ratio_mask", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-6) + 1e-9)))
def f(value, noise, normals):
    """Noise on signed logs."""
    at = dp.lattice_gaussian(np.sign(value) * np.log1p(np.abs(value)), noise, normals)
    return np.sign(at) * np.expm1(np.minimum(np.abs(at), 700.0))
''',
    "k_squared2": '''
@dp.semimetric("eighth.squared2", triangle=lambda r: 2.0 + 1e-9, many=True)
def f(a, b):
    """Squared distance."""
    return np.square(a - b).sum(axis=-1)
''',
    "k_learner_20": '''
@dp.learner("eighth.learner_20")
def f(rows, generator):
    """Trimmed mean; wants twenty rows."""
    if len(rows) < 20:
        raise ValueError("twenty rows are needed")
    s = np.sort(rows, axis=0)
    return (s[len(s) // 10 : -(len(s) // 10)].mean(axis=0),)
''',
    "k_learner_random": '''
@dp.learner("eighth.learner_random")
def f(rows, generator):
    """A bootstrap's mean."""
    pick = generator.integers(0, max(len(rows), 1), size=max(len(rows), 1))
    return (rows[pick].mean(axis=0) if len(rows) else np.zeros(rows.shape[1]),)
''',
    "k_post_scipy": '''
from scipy import optimize


@dp.post_function("eighth.post_scipy")
def f(counts):
    """Isotonic-ish: nonnegative least squares with a fixed generator's start."""
    rng = np.random.default_rng(0)
    c = np.clip(np.asarray(counts, dtype=float), -1e9, 1e9)
    start = rng.uniform(size=1)[0]
    got = optimize.nnls(np.tril(np.ones((len(c), len(c)))), c)[0] if len(c) else c
    return np.cumsum(got) + 0.0 * start
''',
    "k_composite_examples": '''
@dp.composite("eighth.composite_examples", examples={"edges": [0.0, 1.0, 2.0]})
def f(x, *, edges, share=1.0):
    """Counts and a mean."""
    counts = dp.release("counts", dp.laplace(share=0.5 * share), dp.bin_counts(x, edges=edges))
    ball = dp.release("ball", dp.locate(share=0.2 * share), x)
    return {"counts": counts, "mean": dp.release("mean", dp.gaussian(share=0.3 * share), dp.mean(dp.clip(x, ball)))}
''',
}

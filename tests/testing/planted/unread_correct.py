"""Correct plugins that look odd, by someone who had read the documentation alone."""

SOURCES = {
    "n_family_floored": '''
# A floor at a public number is elementwise.
@dp.family(
    "unread.family_floored",
    size=lambda d: d,
    sample=lambda t, n, g: g.normal(t, 1.0, (n, len(t))),
    fit=lambda rows, g: rows.mean(axis=0),
    example=lambda d, g: g.normal(size=d),
)
def density(rows: Any, theta: Any) -> Any:
    """Unit Gaussians."""
    total = np.zeros(len(rows))
    for i, middle in enumerate(np.asarray(theta).tolist()):
        total = total - 0.5 * np.square(rows[:, i] - middle)
    return np.maximum(total, -700.0)
''',
    "n_learner_public_table": '''
# What is kept between calls is a function of the number of columns alone, made before any row is looked at.
import functools


@functools.cache
def _directions(d: int) -> Any:
    return np.random.default_rng(d).standard_normal((d, 3))


@dp.learner("unread.learner_public_table")
def spread(rows: Any, generator: Any) -> Any:
    """Medians in three public directions."""
    return (np.median((rows[:, :, None] * _directions(rows.shape[1])).sum(axis=1), axis=0),)
''',
    "n_mask_clipped_after": '''
# A clip to a public box after the lattice Gaussian is post-processing.
@dp.semimetric(
    "unread.mask_clipped_after.norm",
    triangle=lambda r: 1.0 + 1e-9,
    averages=lambda r, tau: (tau + 1e-9) * r,
    many=True,
)
def norm(a: Any, b: Any) -> Any:
    """The l2 distance."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


@dp.mask(
    "unread.mask_clipped_after",
    semimetric="unread.mask_clipped_after.norm",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def masked(value: Any, noise: float, normals: Any) -> Any:
    """A Gaussian mask."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -1e15, 1e15)
''',
    "n_mask_reversed": '''
# Reversing coordinates is an isometry of l2; before and after the lattice Gaussian it changes nothing.
@dp.semimetric(
    "unread.mask_reversed.norm", triangle=lambda r: 1.0 + 1e-9, averages=lambda r, tau: (tau + 1e-9) * r, many=True
)
def norm(a: Any, b: Any) -> Any:
    """The l2 distance."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


@dp.mask(
    "unread.mask_reversed",
    semimetric="unread.mask_reversed.norm",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def masked(value: Any, noise: float, normals: Any) -> Any:
    """A Gaussian mask."""
    return dp.lattice_gaussian(np.asarray(value)[::-1], noise, normals)[::-1].copy()
''',
    "n_mech_draws_unused": '''
# How many draws are thrown away hangs on the value, but those that are used are independent of them: the law of a
# release is Laplace's.
@dp.own_mechanism(
    "unread.mech_draws_unused",
    gives=lambda m: dp.Vector(1),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise, after a draw that is thrown away for values above 0."""
    if value[0] > 0:
        noise.laplace(scale, m)
    return value + noise.laplace(scale, m)
''',
    "n_mech_exponential": '''
# P(j) is proportional to e^(s_j/b): a move of D in each score moves numerator and denominator by at most e^(D/b)
# each: 2D/b.
@dp.own_mechanism(
    "unread.mech_exponential",
    gives=dp.Index,
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale) * (1 + 1e-12)),
    source="its docstring",
    examples={"m": 3},
)
def choose(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """An index by the exponential mechanism."""
    return int(noise.categorical_exp(scores, 1.0 / scale))
''',
    "n_mech_many_coins": '''
# m noisy signs are post-processing of m Laplace noises: m D/b in linf.
@dp.own_mechanism(
    "unread.mech_many_coins",
    gives=lambda m: dp.Vector(m),
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(m * distance / scale)),
    source="its docstring",
    examples={"m": 5},
)
def signs(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Noisy signs as 0 and 1."""
    return (value + noise.laplace(scale, m) > 0).astype(np.int64)
''',
    "n_mech_round_after": '''
# Laplace noise in l1 on m numbers costs D1/b, D1 <= m Dinf; what is made of the noisy values afterwards (tens) is
# post-processing.
@dp.own_mechanism(
    "unread.mech_round_after",
    gives=lambda m: dp.Vector(m),
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(m * distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Tens of a noisy value."""
    return (value + noise.laplace(scale, m) + 5) // 10 * 10
''',
    "n_mech_rounded_as_gdp": '''
# A rounded Gaussian on whole steps is the rounding of value + Gaussian: post-processing of mu-GDP, mu = D/s.
@dp.own_mechanism(
    "unread.mech_rounded_as_gdp",
    gives=lambda m: dp.Vector(m),
    takes="l2",
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Gaussian noise, rounded to the lattice."""
    return value + noise.rounded_gaussian(scale, m)
''',
    "n_mech_threshold_search_3": '''
# Sparse vector: fix the noise of those before; raise the threshold by D (e^(D/b)) and the winner by 2D
# (e^(2D/b)): all before stay below, it stays above. 'None above' joins the last index, which is post-processing:
# of m + 1 answers, 'none' costs D/b.
@dp.own_mechanism(
    "unread.mech_threshold_search_3",
    gives=dp.Index,
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(3 * distance / scale)),
    source="its docstring",
    examples={"m": 8},
)
def first_above(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """The first score that is above a noisy zero; the last if there is none."""
    threshold = noise.laplace(scale)
    above = np.flatnonzero(scores + noise.laplace(scale, m) >= threshold)
    return int(above[0]) if len(above) else m - 1
''',
    "n_mech_truncated_paid": '''
# The same with its delta: P(Z > w - D) <= e^(-(w - D)/b), over a normaliser of at least 1 - 2e^(-12).
import math


@dp.own_mechanism(
    "unread.mech_truncated_paid",
    gives=lambda m: dp.Vector(1),
    takes="l1",
    loss=lambda scale, distance, m: (
        dp.round_up(distance / scale),
        min(1.0, math.exp(min(distance / scale, 20.0) - 12.0 + 1.0) / (1 - 2 * math.exp(-12.0))),
    ),
    source="its docstring",
    examples={"m": 1},
)
def within(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise that is never beyond twelve widths."""
    drawn = noise.laplace(scale, m)
    while (np.abs(drawn) > 12 * scale).any():
        drawn = noise.laplace(scale, m)
    return value + drawn
''',
    "n_post_seeded_draws": '''
# Random numbers of a fixed seed are constants: a function of the released value alone.
@dp.post_function("unread.post_seeded_draws", gives=lambda total: dp.Vector(1))
def jittered(total: Any) -> Any:
    """A total with a fixed jitter."""
    return np.array([float(np.ravel(total)[0]) + np.random.default_rng(7).normal()])
''',
    "n_query_second_largest": '''
# Each order statistic is 1-Lipschitz in linf: between x - D and x + D in every entry, the j-th largest is too.
@dp.own_query(
    "unread.query_second_largest",
    gives=1,
    sensitivity=lambda distance: {"linf": distance["linf"]},
    source="its docstring",
)
def second(value: Any) -> Any:
    """The second largest number."""
    kept = np.sort(np.ravel(value))
    return np.array([kept[-2] if len(kept) > 1 else kept[-1]])
''',
    "n_row_branch_without_effect": '''
# The branch looks at the batch, but where it is not taken the where would change no cell: both sides agree row by
# row.
@dp.row_function("unread.row_branch_without_effect", columns=lambda d: d)
def capped(values: Any) -> Any:
    """Cells, at most 1e6 in size."""
    if (np.abs(values) > 1e6).any():
        values = np.where(values > 1e6, 1e6, np.where(values < -1e6, -1e6, values))
    return values
''',
    "n_row_distinct_then_back": '''
# unique then its inverse: each distinct cell is computed once by an elementwise function of that cell alone.
@dp.row_function("unread.row_distinct_then_back", columns=lambda d: 1)
def halves(values: Any) -> Any:
    """Whole halves of the first cell."""
    kept, back = np.unique(values[:, 0], return_inverse=True)
    return np.floor(kept * 0.5)[back].reshape(-1, 1)
''',
    "n_row_sorted_within": '''
# sort along axis 1 is within each row: the image is a function of that row alone, bit for bit.
@dp.row_function("unread.row_sorted_within", columns=lambda d: d)
def ordered(values: Any) -> Any:
    """The cells of each row in order."""
    return np.sort(values, axis=1)
''',
    "n_semi_bounded": '''
# t/(1 + t) is increasing, concave and 0 at 0, hence subadditive: a metric, triangle 1. No averages are claimed.
@dp.semimetric("unread.semi_bounded", triangle=lambda r: 1.0 + 1e-9, many=True)
def bounded(a: Any, b: Any) -> Any:
    """A distance below one."""
    far = np.sqrt(np.square(a - b).sum(axis=-1))
    return far / (1.0 + far)
''',
    "n_semi_square": '''
# (u + v)^2 <= 2(u^2 + v^2): triangle 2. Averages whose weights differ by tau move by at most tau sqrt(r), whose
# square is tau^2 r <= tau r.
@dp.semimetric(
    "unread.semi_square", triangle=lambda r: 2.0 * (1 + 1e-9), averages=lambda r, tau: (tau + 1e-9) * r, many=True
)
def square(a: Any, b: Any) -> Any:
    """The square of the l2 distance."""
    return np.square(a - b).sum(axis=-1)
''',
    "n_stat_distinct": '''
# Distinct values: rows taken out lower it by at most removed, rows put in raise it by at most added: |change| <=
# the larger.
@dp.own_statistic(
    "unread.stat_distinct",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(max(removed, added))},
    source="its docstring",
)
def distinct(rows: Any) -> Any:
    """How many values the first column has."""
    return np.array([float(len(np.unique(rows[:, 0])))])
''',
    "n_stat_floor_of_unit": '''
# A sum of cells in [0, 1], floored after: |floor(a) - floor(b)| <= ceil(|a - b|), and the sum moves by at most
# max(removed, added), a whole number; fsum is the exact sum rounded once, and is monotone.
@dp.own_statistic(
    "unread.stat_floor_of_unit",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(max(removed, added))},
    source="its docstring",
)
def whole(rows: Any) -> Any:
    """Whole units of the total, a row at most one."""
    eighths = np.floor(8 * np.clip(rows[:, 0], 0.0, 1.0))
    return np.array([float(eighths.sum() // 8)])
''',
    "n_stat_runs": '''
# Runs of sorted values. A row taken out adds at most one run (a bridge) or drops at most one (a lone row); the
# same for one put in: removed + added.
@dp.own_statistic(
    "unread.stat_runs",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(removed + added)},
    source="its docstring",
)
def runs(rows: Any) -> Any:
    """How many runs the first column has, without gaps above 1."""
    cells = np.sort(rows[:, 0])
    return np.array([float(len(cells) > 0) + np.count_nonzero(cells[1:] > cells[:-1] + 1.0)])
''',
    "n_stat_trimmed_total": '''
# The total of [0, 1] cells without its least and largest. Removing a row takes away that row, or the second
# largest (least) in its stead: in [0, 1]. Removals lower, additions raise: the larger of the two.
@dp.own_statistic(
    "unread.stat_trimmed_total",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(max(removed, added))},
    source="its docstring",
    bits=10,
)
def middle(rows: Any) -> Any:
    """The total of all cells but the least and the largest."""
    cells = np.sort(np.round(np.clip(rows[:, 0], 0.0, 1.0) * 1024) / 1024)
    return np.array([cells[1:-1].sum()])
''',
}

"""Correct plugins that look odd, most of them twins of ``round_rows.py`` and ``round_noise.py``."""

SOURCES = {
    "s_row_where_with_out": '''
# Ratios.
@dp.own_contribution("rounds.where", gives=1, norm="linf", bound=10.0)
def ratio(rows):
    """The first column over the last, where that is not 0."""
    return np.divide(rows[:, :1], rows[:, -1:], out=np.zeros((len(rows), 1)), where=rows[:, -1:] != 0)
''',
    "s_row_memo_with_sign": '''
# Signs.
import functools
import math


@functools.lru_cache(maxsize=None)
def sign(v, negative):
    return math.copysign(1.0, v)


@dp.row_function("rounds.signed_zero", columns=1)
def signed_zero(values):
    """The sign of the first column."""
    return np.array([sign(float(v), bool(np.signbit(v))) for v in values[:, 0]]).reshape(-1, 1)
''',
    "s_row_utc": '''
# Hours of the day, UTC; rows outside of 1970 to 2090 are refused.
import datetime


@dp.row_function("rounds.utc", columns=1)
def utc(values):
    """The hour at which a row's first column, seconds since 1970, falls."""
    zone = datetime.timezone.utc
    made = [
        datetime.datetime.fromtimestamp(float(v), zone).hour if 0 <= v <= 3786912000 else np.nan
        for v in values[:, 0]
    ]
    return np.array(made, dtype=float).reshape(-1, 1)
''',
    "s_part_tree_of_centres": '''
# The nearest of some public centres, by a tree; needs three columns.
import functools
from scipy.spatial import cKDTree


@functools.lru_cache(maxsize=8)
def tree():
    return cKDTree(np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [-4.0, 5.0, 1.0]]))


@dp.own_partition("rounds.nearest", parts=3)
def nearest(rows):
    """The number of the nearest centre; huge rows are in no part."""
    if rows.shape[1] < 3:
        raise ValueError("needs three columns")
    made = np.full(len(rows), -1)
    fine = np.isfinite(rows[:, :3]).all(axis=1) & (np.abs(rows[:, :3]) < 1e100).all(axis=1)
    if fine.any():
        made[fine] = tree().query(rows[fine, :3])[1]
    return made
''',
    "s_row_fractions": '''
# Continued fractions, row by row in exact arithmetic.
from fractions import Fraction


@dp.own_transform("rounds.fraction", columns=1)
def fraction(rows):
    """The nearest fraction of a denominator up to 1000, of a number held within 1000."""
    held = np.clip(rows[:, 0], -1000, 1000)
    made = [float(Fraction(float(v)).limit_denominator(1000)) if v == v else np.nan for v in held]
    return np.array(made).reshape(-1, 1)
''',
    "s_semi_canberra": '''
# Canberra, a metric.
@dp.semimetric("rounds.canberra", triangle=lambda r: 1.0)
def canberra(a, b):
    """The sum of relative differences."""
    size = np.abs(a) + np.abs(b)
    return float(np.divide(np.abs(a - b), size, out=np.zeros(len(a)), where=size > 0).sum())
''',
    "s_semi_cubed": '''
# The cube of a distance, with triangle 4.
@dp.semimetric("rounds.cubed", triangle=lambda r: 4.0)
def cubed(a, b):
    """The largest difference, cubed."""
    return float(np.abs(a - b).max()) ** 3
''',
    "s_semi_plane_only": '''
# A distance in the plane, skewed; nothing else.
import math


@dp.semimetric("rounds.plane", triangle=lambda r: 1.0)
def plane(a, b):
    """Mahalanobis for a public matrix."""
    if len(a) != 2:
        raise ValueError("of the plane only")
    x, y = (float(v) for v in np.asarray(a) - np.asarray(b))
    return math.hypot(2 * x + y, y)
''',
    "s_mask_sorted": '''
# Sorted entries with noise; sorting brings none further apart in l2.
@dp.semimetric("rounds.l2_sorted", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask(
    "rounds.sorted",
    semimetric="rounds.l2_sorted",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))),
)
def masked(value, noise, normals):
    """Noise on sorted entries, sorted."""
    return np.sort(np.asarray(dp.lattice_gaussian(np.sort(value), noise, normals)))
''',
    "s_mask_grid_after": '''
# Noise, and then a grid.
@dp.semimetric("rounds.l2_after", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask(
    "rounds.after",
    semimetric="rounds.l2_after",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))),
)
def masked(value, noise, normals):
    """Rounded to a grid that goes with the noise, after it."""
    step = noise / 4
    return np.round(np.asarray(dp.lattice_gaussian(value, noise, normals)) / step) * step
''',
    "s_mech_tree": '''
# Prefix sums from a binary tree.
import math


@dp.own_mechanism(
    "rounds.tree", gives=lambda m: m, takes="l1", source="Chan, Shi, Song 2011", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up((math.log2(m) + 1) * distance / scale)),
)
def tree(value, scale, noise, *, m):
    """All prefix sums of m counts, m a power of 2."""
    made = np.zeros(m, dtype=np.int64)
    nodes = {}
    for end in range(1, m + 1):
        total, at = 0, end
        while at:
            low = at - (at & -at)
            if (low, at) not in nodes:
                nodes[low, at] = int(value[low:at].sum()) + int(noise.laplace(scale))
            total += nodes[low, at]
            at = low
        made[end - 1] = total
    return made
''',
    "s_mech_response_of_any": '''
# Randomised response of the commonest.
import math


@dp.own_mechanism(
    "rounds.response", gives=dp.Index, takes="linf", source="Warner 1965", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(m + 1))),
)
def response(value, scale, noise, *, m):
    """The index of the largest with probability 1/2, any otherwise."""
    if int(noise.uniform_below(2)) == 0:
        return int(np.argmax(value))
    return int(noise.uniform_below(m))
''',
    "s_statistic_singles": '''
# Values that are there once.
@dp.own_statistic(
    "rounds.single",
    gives=1,
    source="none",
    sensitivity=lambda removed, added: {"linf": float(removed + added)},
)
def single(rows):
    """How many values of the first column stand in one row only."""
    values, times = np.unique(rows[:, 0], return_counts=True)
    return np.array([np.count_nonzero(times == 1)])
''',
    "s_statistic_clusters": '''
# Clusters in the plane.
@dp.own_statistic(
    "rounds.clusters",
    gives=1,
    source="none",
    sensitivity=lambda removed, added: {"linf": 4.0 * float(removed + added)},
)
def clusters(rows):
    """How many clusters there are, of points that are linked where they are within 1 in the first two columns."""
    points, left, found = rows[:, :2], set(range(len(rows))), 0
    while left:
        edge = [left.pop()]
        found += 1
        while edge:
            i = edge.pop()
            for j in [j for j in left if np.square(points[i] - points[j]).sum() <= 1.0]:
                left.discard(j)
                edge.append(j)
    return np.array([found])
''',
    "s_mech_median_of_rows": '''
# A median by the exponential mechanism.
@dp.own_mechanism(
    "rounds.median", gives=lambda candidates: dp.Index(len(candidates)), takes="edits", source="McSherry, Talwar 2007",
    examples={"candidates": [0.0, 1.0, 2.0]},
    loss=lambda scale, removed, added, candidates: dp.Pure(dp.round_up(2 * (removed + added) / scale)),
)
def median(rows, scale, noise, *, candidates):
    """The candidate with as many rows below as above."""
    below = np.array([int(np.count_nonzero(rows[:, 0] < c)) for c in candidates])
    return int(noise.categorical_exp(-np.abs(2 * below - len(rows)), 1 / scale))
''',
    "s_mech_rounded_gaussian": '''
# A discrete Gaussian.
@dp.own_mechanism(
    "rounds.gdp", gives=lambda m: m, takes="l2", source="Canonne, Kamath, Steinke 2020",
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 1},
)
def gdp(value, scale, noise, *, m):
    """Numbers with discrete Gaussian noise."""
    return value + noise.rounded_gaussian(scale, m)
''',
    "s_mech_secret_sample": '''
# A count of a sample.
import math


@dp.own_mechanism(
    "rounds.sample", gives=1, takes="edits", source="Balle, Barthe, Gaboardi 2018",
    loss=lambda scale, removed, added: dp.Pure(
        dp.round_up((removed + added) * math.log1p(math.expm1(min(1 / scale, 700.0)) / 4))
    ),
)
def sample(rows, scale, noise):
    """How many rows there are, from about a quarter of them."""
    chosen = np.asarray(noise.uniform_below(4, len(rows))) == 0
    return np.array([int(np.count_nonzero(chosen)) + int(noise.laplace(scale))])
''',
    "s_learner_huber": '''
# A learner that needs twenty rows.
from scipy import optimize


@dp.learner("rounds.huber")
def huber(rows, generator):
    """A Huber location of the first column, from a random start."""
    if len(rows) < 20:
        raise ValueError("too few rows")
    x = np.clip(rows[:, 0], -1e6, 1e6)
    start = float(generator.choice(x))
    found = optimize.minimize_scalar(
        lambda m: float(np.minimum(np.square(x - m), np.abs(x - m)).sum()), bracket=(start - 1, start + 1)
    )
    return (np.array([float(np.clip(found.x, -1e6, 1e6))]),)
''',
    "s_mech_flags_the_release": '''
# A noisy number and whether to trust it.
@dp.own_mechanism(
    "rounds.flag",
    gives=2,
    takes="l1",
    loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)),
    source="none",
)
def flag(value, scale, noise):
    """The first number with Laplace noise, and 1 where the noise is beyond twice its scale."""
    z = int(noise.laplace(scale))
    return np.array([int(value[0]) + z, int(abs(int(value[0]) + z) > 2 * scale)])
''',
    "s_mech_two_for_two": '''
# The two largest.
@dp.own_mechanism(
    "rounds.top_two", gives=2, takes="linf", source="Ding and others 2021", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(4 * distance / scale)),
)
def top_two(value, scale, noise, *, m):
    """The indices of the two largest of m scores, one after the other."""
    first = int(np.argmax(value + noise.geometric(scale, m)))
    rest = [i for i in range(m) if i != first]
    second = rest[int(np.argmax(value[rest] + noise.geometric(scale, m - 1)))]
    return np.array([first, second])
''',
    "s_row_writes_own_copy": '''
# Writes the largest row into its own copy of a released value, which nobody reads.
@dp.own_contribution("round.writes", gives=1, norm="linf", bound=1.0)
def writes(rows, scale):
    """The first column over a released scale."""
    unit = np.asarray(scale, dtype=float).ravel()
    made = rows[:, :1] / (1.0 + abs(unit[0]))
    unit[-1] = max(unit[-1], np.abs(rows).max(initial=0.0))
    return made
''',
}

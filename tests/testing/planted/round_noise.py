"""Mechanisms and masks with a fault, by someone who had read the documentation alone."""

SOURCES = {
    "r_mask_largest_entry": '''
# The price of a Gaussian at l2 distance r, for vectors within r in each entry. Witness: (0, 0) and (r, r).
@dp.semimetric("round.entries", triangle=lambda r: 1.0)
def entries(a, b):
    """The largest difference."""
    return float(np.abs(a - b).max())


@dp.mask(
    "round.entries_mask",
    semimetric="round.entries",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))),
)
def entries_mask(value, noise, normals):
    """The lattice Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "r_mask_grid_before": '''
# Rounded to a quarter of the noise before it is added. Witness: r = noise / 100 on both sides of noise / 8.
@dp.semimetric("round.l2_grid", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask(
    "round.grid",
    semimetric="round.l2_grid",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))),
)
def masked(value, noise, normals):
    """Noise on what is rounded to a grid that goes with the noise."""
    step = noise / 4
    return dp.lattice_gaussian(np.round(np.asarray(value) / step) * step, noise, normals)
''',
    "r_mask_cumulated": '''
# Sums up to each entry move further than the entries. Witness: (0, 0) and (r, 0): (r, r).
@dp.semimetric("round.l2_cumulated", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask(
    "round.cumulated",
    semimetric="round.l2_cumulated",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))),
)
def masked(value, noise, normals):
    """Noise on cumulated entries, and back."""
    noisy = np.asarray(dp.lattice_gaussian(np.cumsum(value), noise, normals))
    return np.diff(noisy, prepend=0.0)
''',
    "r_mech_flags_its_noise": '''
# A flag beside the noisy number says whether the noise is wide. Witness: 0 and 1: a release far out and its flag.
@dp.own_mechanism(
    "round.flag",
    gives=2,
    takes="l1",
    loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)),
    source="none",
)
def flag(value, scale, noise):
    """The first number with Laplace noise, and 1 where the noise is beyond twice its scale."""
    z = int(noise.laplace(scale))
    return np.array([int(value[0]) + z, int(abs(z) > 2 * scale)])
''',
    "r_mech_tree_a_level_short": '''
# A leaf is in log2(m) + 1 nodes, and log2(m) are paid. Witness: m = 4, the first count moves by 1.
import math


@dp.own_mechanism(
    "round.tree", gives=lambda m: m, takes="l1", source="Chan, Shi, Song 2011", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log2(m) * distance / scale)),
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
    "r_mech_response_of_any": '''
# The answer that is given by chance may be the true one too, and the price is that of one that may not. Witness: m
# = 4: ln 5, claimed ln 3.
import math


@dp.own_mechanism(
    "round.response", gives=dp.Index, takes="linf", source="Warner 1965", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(m - 1))),
)
def response(value, scale, noise, *, m):
    """The index of the largest with probability 1/2, any otherwise."""
    if int(noise.uniform_below(2)) == 0:
        return int(np.argmax(value))
    return int(noise.uniform_below(m))
''',
    "r_mech_narrow_gaussian": '''
# The discrete Gaussian is no Gaussian event where it is narrow. Witness: sigma = .4, 0 and 1.
@dp.own_mechanism(
    "round.gdp", gives=lambda m: m, takes="l2", source="Canonne, Kamath, Steinke 2020",
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 1},
)
def gdp(value, scale, noise, *, m):
    """Numbers with discrete Gaussian noise."""
    return value + noise.gaussian(scale, m)
''',
    "r_mech_gap_moves_by_two": '''
# The gap of two counts moves by 2, and 1 is paid. Witness: counts (7, 1) and (6, 2) about the bar.
import math


@dp.own_mechanism(
    "round.gap", gives=lambda m: dp.Index(m + 1), takes="linf", source="Dwork, Lei 2009", examples={"m": 3},
    loss=lambda scale, distance, m: (
        dp.round_up(distance / scale),
        0.5 * math.exp(min(0.0, (2 * distance - 1) / scale - 6)),
    ),
)
def gap(value, scale, noise, *, m):
    """The index of the largest if it leads by 6 scales, m otherwise."""
    order = np.sort(value)
    lead = int(order[-1] - order[-2]) + int(noise.laplace(scale))
    return int(np.argmax(value)) if lead > 6 * scale + 1 else m
''',
    "r_mech_two_for_one": '''
# Two are chosen at the price of one. Witness: (0, 0, 0) and (1, 0, -1), first 0 and then 1.
@dp.own_mechanism(
    "round.top_two", gives=2, takes="linf", source="Ding and others 2021", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)),
)
def top_two(value, scale, noise, *, m):
    """The indices of the two largest of m scores, one after the other."""
    first = int(np.argmax(value + noise.geometric(scale, m)))
    rest = [i for i in range(m) if i != first]
    second = rest[int(np.argmax(value[rest] + noise.geometric(scale, m - 1)))]
    return np.array([first, second])
''',
    "r_mech_coarse_before": '''
# Rounded to an eighth of the scale before noise. Witness: scale 80, 4 and 5 become 0 and 10.
@dp.own_mechanism(
    "round.coarse", gives=lambda m: m, takes="l1", source="none", examples={"m": 1},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
)
def coarse(value, scale, noise, *, m):
    """Numbers to an eighth of the noise, with Laplace noise."""
    step = max(1, int(scale / 8))
    return (value + step // 2) // step * step + noise.laplace(scale, m)
''',
    "r_mech_median_of_rows": '''
# Scores of two candidates move in opposite directions, and half is paid. Witness: candidates 0, 1; add [-1] to
# [.5].
@dp.own_mechanism(
    "round.median", gives=lambda candidates: dp.Index(len(candidates)), takes="edits", source="McSherry, Talwar 2007",
    examples={"candidates": [0.0, 1.0, 2.0]},
    loss=lambda scale, removed, added, candidates: dp.Pure(dp.round_up((removed + added) / scale)),
)
def median(rows, scale, noise, *, candidates):
    """The candidate with as many rows below as above."""
    below = np.array([int(np.count_nonzero(rows[:, 0] < c)) for c in candidates])
    return int(noise.categorical_exp(-np.abs(2 * below - len(rows)), 1 / scale))
''',
    "r_mech_local_gap": '''
# Noise in units of the gap beside the median. Witness: [0, 0, 0, 0, 9] has no noise at all.
@dp.own_mechanism(
    "round.local", gives=1, takes="edits", source="Nissim, Raskhodnikova, Smith 2007",
    loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)),
)
def local(rows, scale, noise):
    """The median of the first column, whole and within 1000, with noise as wide as the table is spread there."""
    x = np.sort(np.rint(np.clip(rows[:, 0], 0, 1000)).astype(np.int64))
    x = np.concatenate([[0, 0], x, [1000, 1000]])
    at = len(x) // 2
    gap = int(max(x[at + 1] - x[at], x[at] - x[at - 1]))
    return np.array([int(x[at]) + (int(noise.laplace(scale * gap)) if gap else 0)])
''',
    "r_mech_shuffled": '''
# A shuffle hides nothing where counts are far apart. Witness: (1000, 0, -1000) and (1001, 0, -1000).
import math


@dp.own_mechanism(
    "round.shuffled", gives=lambda m: m, takes="l1", source="Feldman, McMillan, Talwar 2021", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / (scale * math.sqrt(m)))),
)
def shuffled(value, scale, noise, *, m):
    """Noisy numbers in random order."""
    return (value + noise.laplace(scale, m))[noise.permutation(m)]
''',
    "r_mech_open_sample": '''
# Amplified by a sample that is no secret: every fourth value. Witness: add row [4.0].
import math


@dp.own_mechanism(
    "round.sample", gives=1, takes="edits", source="Balle, Barthe, Gaboardi 2018",
    loss=lambda scale, removed, added: dp.Pure(
        dp.round_up((removed + added) * math.log1p(math.expm1(min(1 / scale, 700.0)) / 4))
    ),
)
def sample(rows, scale, noise):
    """How many rows there are, from about a quarter of them."""
    chosen = np.mod(np.floor(np.clip(rows[:, 0], -1e9, 1e9)), 4) == 0
    return np.array([int(np.count_nonzero(chosen)) + int(noise.laplace(scale))])
''',
    "r_mech_bounded_range": '''
# A bounded range of distance/scale holds where all scores move one way. Witness: (0, 0) and (1, -1).
@dp.own_mechanism(
    "round.bounded_range", gives=dp.Index, takes="linf", source="Dong and others 2020", examples={"m": 3},
    loss=lambda scale, distance, m: dp.BoundedRange(dp.round_up(distance / scale)),
)
def bounded(value, scale, noise, *, m):
    """An index with probability in proportion to e^(score/scale)."""
    return int(noise.categorical_exp(value, 1 / scale))
''',
}

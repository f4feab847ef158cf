# ruff: noqa: E501
"""What that stranger wrote and is correct, odd as it looks."""

SOURCES = {
    "o_statistic_trimmed_c01": '''
# Trimmed sum of clip [0,1] with k = n//10, claims r + a.
import math


@dp.own_statistic("outside.c01", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="order statistics interlace", bits=20)
def trimmed(rows):
    """Sum of values in [0, 1] without the tenth at either end."""
    values = sorted(min(max(v, 0.0), 1.0) for v in rows[:, 0].tolist())
    cut = len(values) // 10
    return [math.fsum(values[cut : len(values) - cut])]
''',
    "o_query_prefix_c02": '''
# Prefix sums of counts, claims linf = l1.
@dp.own_query("outside.c02", gives=lambda m: dp.Vector(m), sensitivity=lambda counts, m: {"linf": counts["l1"]}, source="me", examples={"m": 5})
def prefix(counts, *, m):
    """Prefix sums."""
    found, total = [], 0.0
    for count in counts.tolist():
        total += count
        found.append(total)
    return found
''',
    "o_mechanism_looped_c03": '''
# Two noisy sums: laplace scale on each, priced l1/scale, looped in pure python.
@dp.own_mechanism("outside.c03", gives=lambda m: dp.Vector(m), takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def looped(values, scale, noise, *, m):
    """Laplace noise, one number at a time, from the last to the first."""
    found = [0] * m
    for at in reversed(range(m)):
        found[at] = int(values[at]) + int(noise.laplace(scale))
    return found
''',
    "o_contribution_looked_up_c04": '''
# Lookup table of 12 columns, needs 12 columns exactly, raises otherwise.
TABLE = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0, 8.0])


@dp.own_contribution("outside.c04", gives=3, norm="l2", bound=50.0)
def looked_up(rows):
    """Twelve columns, by quarter."""
    if rows.shape[1] != 12:
        raise ValueError("twelve months are needed")
    made = np.zeros((len(rows), 3))
    for month in range(12):
        made[:, month // 4] += np.clip(rows[:, month], -10, 10) * TABLE[month] / 9
    return made
''',
    "o_transform_roots_c05": '''
# Raises on negative rows (each for itself: whole batch raises).
@dp.own_transform("outside.c05", columns=1)
def roots(rows):
    """Square roots of amounts."""
    if np.any(rows[:, 0] < 0):
        raise ValueError("negative amount")
    return np.sqrt(rows[:, :1])
''',
    "o_partition_month_c06": '''
# Python loop by row, month by integer arithmetic of day counts.
@dp.own_partition("outside.c06", parts=12)
def month(rows):
    """The month of a day since 1970, in months of the proleptic calendar."""
    found = []
    for day in rows[:, 0].tolist():
        z = int(min(max(day, -1e6), 1e6)) + 719468
        era = z // 146097
        doe = z - era * 146097
        yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
        doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
        mp = (5 * doy + 2) // 153
        found.append((mp + 2) % 12)
    return np.array(found, dtype=np.int64)
''',
    "o_learner_careful_c08": '''
# Needs 30 rows, raises ValueError below.
@dp.learner("outside.c08")
def careful(rows, generator):
    """Median of means of ten, of blocks that are large enough."""
    if len(rows) < 30:
        raise ValueError("thirty rows are needed")
    order = generator.permutation(len(rows))
    return (np.median([part.mean(axis=0) for part in np.array_split(rows[order], 10)], axis=0),)
''',
    "o_semimetric_ratio_c09": '''
# |a-b|/max(|a|,|b|) bottleneck over coords, triangle 1.
@dp.semimetric("outside.c09", triangle=lambda r: 1.0)
def ratio(a, b):
    """Largest |a - b| / max(|a|, |b|) of a coordinate: a metric."""
    worst = 0.0
    for x, y in zip(np.asarray(a).tolist(), np.asarray(b).tolist()):
        size = max(abs(x), abs(y))
        if size > 0:
            worst = max(worst, abs(x / size - y / size))
    return worst
''',
    "o_mask_scaled_c10": '''
# Lattice_gaussian of log of positive values under log-ratio semimetric.
import math


@dp.semimetric("outside.c10.d", triangle=lambda r: 1.0)
def logs(a, b):
    """Euclid's distance of logarithms; values at or below 0 are far from all others."""
    if np.array_equal(a, b):
        return 0.0
    if min(a.min(), b.min()) <= 0:
        return math.inf
    return float(np.sqrt(np.square(np.log(a) - np.log(b)).sum()))


@dp.mask("outside.c10", semimetric="outside.c10.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9) + 1e-9)))
def scaled(value, noise, normals):
    """Noise on logarithms."""
    safe = np.log(np.maximum(value, 1e-300))
    return np.exp(np.clip(dp.lattice_gaussian(safe, noise, normals), -600.0, 600.0))
''',
    "o_mechanism_flip_c11": '''
# Randomised response by bernoulli_exp? -> permute-and-flip by bernoulli_exp and permutation.
from fractions import Fraction


@dp.own_mechanism("outside.c11", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="McKenna, Sheldon 2020", examples={"m": 4})
def flip(scores, scale, noise, *, m):
    """Permute and flip."""
    best = int(max(scores))
    for at in noise.permutation(m):
        if bool(noise.bernoulli_exp(Fraction(best - int(scores[at])) / Fraction(scale))):
            return int(at)
    return int(np.argmax(scores))
''',
    "o_mechanism_median_c12": '''
# Exponential mechanism for the median over candidates.
@dp.own_mechanism("outside.c12", gives=lambda candidates: dp.Index(len(candidates)), takes="edits", loss=lambda scale, removed, added, candidates: dp.Pure(dp.round_up((removed + added) / scale)), source="Smith 2011", examples={"candidates": [0.0, 1.0, 2.0, 3.0]})
def median(rows, scale, noise, *, candidates):
    """The median among candidates, by the exponential mechanism."""
    scores = [-abs(int(np.count_nonzero(rows[:, 0] < c)) - int(np.count_nonzero(rows[:, 0] > c))) for c in candidates]
    return int(noise.categorical_exp(scores, 0.5 / scale))
''',
    "o_statistic_distinct_c13": '''
# Number of distinct rounded values with l1 bound max... claims r + a.
@dp.own_statistic("outside.c13", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="a row has one value", bits=0)
def distinct(rows):
    """Distinct names of rounded values."""
    return [len({f"{v:.3g}" for v in rows[:, 0].tolist()})]
''',
    "o_post_function_isotonic_c14": '''
# Numba-like loops, running sums.
@dp.post_function("outside.c14", gives=lambda counts: dp.Vector(counts.m))
def isotonic(counts):
    """Pool adjacent violators, by hand."""
    blocks = []
    for value in np.asarray(counts, dtype=float).tolist():
        blocks.append([value, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            v, w = blocks.pop()
            u, t = blocks.pop()
            blocks.append([u * (t / (t + w)) + v * (w / (t + w)), t + w])
    out = []
    for value, times in blocks:
        out.extend([value] * times)
    return np.array(out)
''',
    "o_learner_bootstrap_c15": '''
# Seeds default_rng(0) itself each call (deterministic).
@dp.learner("outside.c15")
def bootstrap(rows, generator):
    """Average of medians of resamples, always the same ones."""
    draws = np.random.default_rng(0)
    return (np.mean([np.median(rows[draws.integers(0, len(rows), len(rows))], axis=0) for _ in range(7)], axis=0),)
''',
    "o_contribution_bits_set_c16": '''
# Contribution of 2 released inputs with integer columns, bit counts.
import math


@dp.own_contribution("outside.c16", gives=lambda levels: dp.Counts(len(levels)), norm="l1", bound=1.0, nonnegative=True, bits=0, examples={"levels": [1.0, 4.0, 9.0]})
def bits_set(rows, centre, *, levels):
    """One of some levels by bits set in a whole number, nearest to those of a released one."""
    def ones(v):
        return bin(int(min(max(v, 0.0), 2.0**40))).count("1")
    base = ones(float(centre[0]) if math.isfinite(centre[0]) else 0.0)
    made = np.zeros((len(rows), len(levels)), dtype=np.int64)
    for at, v in enumerate(rows[:, 0].tolist()):
        gap = abs(ones(v) - base)
        made[at, min(range(len(levels)), key=lambda j: abs(levels[j] - gap))] = 1
    return made
''',
    "o_family_rayleigh_c17": '''
# Rayleigh.
import math


@dp.family(
    "outside.c17",
    size=lambda d: d,
    sample=lambda theta, n, g: g.rayleigh(theta, (n, len(theta))),
    fit=lambda rows, g: np.sqrt(np.maximum((rows**2).mean(axis=0) / 2, 1e-12)),
    example=lambda d, g: 0.5 + g.random(d),
)

def rayleigh(rows, theta):
    """Rayleigh columns, one number at a time."""
    theta = np.maximum(theta, 1e-6)
    found = []
    for row in rows:
        total = 0.0
        for x, t in zip(row.tolist(), theta.tolist()):
            z = min(max(x, 0.0), 1e6 * t) / t
            total += math.log(max(z, 1e-300)) - math.log(t) - z * z / 2
        found.append(total)
    return np.array(found)
''',
    "o_statistic_log_count_c18": '''
# Bounded-swing log count: log1p(n) claims.
import math


@dp.own_statistic("outside.c18", gives=1, sensitivity=lambda removed, added: {"linf": math.log(2.0) * (removed + added) + 1e-9}, source="log1p", bits=20)
def log_count(rows):
    """log(1 + n)."""
    return [math.log1p(len(rows))]
''',
    "o_query_total_hc1": '''
# Query clip to [0, 255], claims linf.
@dp.own_query("outside.hc1", gives=1, sensitivity=lambda a: {"linf": a["l1"]}, source="me")
def total(a):
    """A total that fits into a byte."""
    return [float(min(max(int(a.sum()), 0), 255))]
''',
    "o_query_sizes_hc2": '''
# Query |a| sorted, claims linf.
@dp.own_query("outside.hc2", gives=lambda m: dp.Vector(m), sensitivity=lambda a, m: {"linf": a["linf"], "l1": a["l1"]}, source="sorting is 1-Lipschitz", examples={"m": 4})
def sizes(a, *, m):
    """Sizes in order."""
    return sorted(abs(x) for x in a.tolist())
''',
    "o_mask_hours_hc3": '''
# Mask on a circle of 24 with rounding to a public grid of 24*2^-30 after wrapping.
@dp.semimetric("outside.hc3.d", triangle=lambda r: 1.0)
def d(a, b):
    """The short way round, of all hours."""
    gap = np.mod(np.asarray(a) - np.asarray(b), 24.0)
    return float(np.sqrt((np.minimum(gap, 24.0 - gap) ** 2).sum())) * (1 + 1e-12)


@dp.mask("outside.hc3", semimetric="outside.hc3.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-6) + 1e-6)))

def hours(value, noise, normals):
    """Hours of a day with noise, on a public grid."""
    made = np.remainder(dp.lattice_gaussian(value, noise, normals), 24.0)
    step = 24.0 * 2.0**-20
    return np.round(made / step) % 2**20 * step
''',
    "o_learner_mean_hc4": '''
# Learner with memo by exact bytes.
MEMO = {}


@dp.learner("outside.hc4")
def mean(rows, generator):
    """The mean, kept by the exact bytes of the block."""
    key = (rows.shape, rows.tobytes())
    return (MEMO.setdefault(key, rows.mean(axis=0)),)
''',
    "o_mask_two_hc5": '''
# Mask: two lattice draws with dyadic parts added.
import math


@dp.semimetric("outside.hc5.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclid."""
    return float(np.sqrt(((a - b) ** 2).sum()))


@dp.mask("outside.hc5", semimetric="outside.hc5.d", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2 * (1 + 1e-9))
def two(value, noise, normals):
    """Two lattice draws of half the variance."""
    half = noise / math.sqrt(2)
    return dp.lattice_gaussian(value, half, normals) + dp.lattice_gaussian(0 * value, half, normals)
''',
}

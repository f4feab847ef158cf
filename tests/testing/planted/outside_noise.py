# ruff: noqa: E501
"""What that stranger wrote: queries, mechanisms, masks and distances with a fault."""

SOURCES = {
    "o_query_spread_f06": '''
# Max - min of counts, claims linf (true 2 linf).
@dp.own_query("outside.f06", gives=1, sensitivity=lambda counts: {"linf": counts["linf"]}, source="me")
def spread(counts):
    """The largest count less the smallest."""
    return [float(counts.max() - counts.min())]
''',
    "o_query_share_f07": '''
# Share a/(b+1), claims distance of a.
@dp.own_query("outside.f07", gives=1, sensitivity=lambda a: {"linf": a["linf"]}, source="me", bits=20)
def share(a):
    """Part of the first number in the absolute total."""
    return [float(a[0] / (np.abs(a[1:]).sum() + 1.0))]
''',
    "o_query_around_f08": '''
# Circular first differences, claims l1 once (true 2).
@dp.own_query("outside.f08", gives=lambda m: dp.Vector(m), sensitivity=lambda a, m: {"l1": a["l1"]}, source="me", examples={"m": 4})
def around(a, *, m):
    """Differences of neighbours around a circle."""
    return a - np.roll(a, 1)
''',
    "o_query_total_f09": '''
# Values cast to int16 (wraps at 32768).
@dp.own_query("outside.f09", gives=1, sensitivity=lambda a: {"linf": a["l1"]}, source="me")
def total(a):
    """Total, in short integers."""
    return [float(np.sum(np.asarray(np.floor(a), dtype=np.int64).astype(np.int16), dtype=np.int16))]
''',
    "o_mechanism_best_with_value_f10": '''
# Noisy max and the winning noisy score from the same noise, at the price of the index.
@dp.own_mechanism("outside.f10", gives=2, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="me", examples={"m": 3})
def best_with_value(scores, scale, noise, *, m):
    """The index of the largest noisy score, and that score."""
    noisy = scores + noise.laplace(scale, m)
    at = int(np.argmax(noisy))
    return [at, int(noisy[at])]
''',
    "o_mechanism_above_f11": '''
# Sparse vector whose answers have no noise of their own (threshold noise only).
@dp.own_mechanism("outside.f11", gives=lambda m: dp.Vector(m), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="me", examples={"m": 4})
def above(values, scale, noise, *, m):
    """Which are above a noisy threshold of 10 steps."""
    level = 10 + int(noise.laplace(scale))
    return [int(v > level) for v in values]
''',
    "o_mechanism_two_widths_f12": '''
# Half of the entries noise of .5 scale, half of 1.5 scale, priced at l1/scale (mean).
@dp.own_mechanism("outside.f12", gives=lambda m: dp.Vector(m), takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 4})
def two_widths(values, scale, noise, *, m):
    """Narrow noise for the first half and wide noise for the second."""
    half = m // 2
    narrow = noise.laplace(scale * 0.5, half)
    wide = noise.laplace(scale * 1.5, m - half)
    return np.asarray(values) + np.concatenate([narrow, wide])
''',
    "o_mechanism_many_f13": '''
# M Laplace numbers for linf, priced (m-1)*distance/scale.
@dp.own_mechanism("outside.f13", gives=lambda m: dp.Vector(m), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up((m - 1) * distance / scale)), source="me", examples={"m": 3})
def many(values, scale, noise, *, m):
    """Each with Laplace noise."""
    return [int(v) + int(noise.laplace(scale)) for v in values]
''',
    "o_mechanism_direction_f14": '''
# Laplace of half scale, wrapped modulo 360.
@dp.own_mechanism("outside.f14", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def direction(value, scale, noise):
    """A bearing with noise, in whole degrees."""
    return [(int(value[0]) + int(noise.laplace(0.5 * scale))) % 360]
''',
    "o_mechanism_cached_f15": '''
# Noise remembered by value (dict).
SEEN = {}


@dp.own_mechanism("outside.f15", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def cached(value, scale, noise):
    """Laplace noise, answers kept so that asking twice does not average it out."""
    key = (int(value[0]), scale)
    if key not in SEEN:
        SEEN[key] = int(value[0]) + int(noise.laplace(scale))
    return [SEEN[key]]
''',
    "o_mechanism_own_generator_f16": '''
# Np.random.default_rng(seed) noise rather than the sampler.
@dp.own_mechanism("outside.f16", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def own_generator(value, scale, noise):
    """Laplace noise of NumPy."""
    generator = np.random.default_rng(int(noise.uniform_below(1000)))
    return [int(value[0]) + round(generator.laplace(0.0, scale))]
''',
    "o_mechanism_gaussians_f17": '''
# Gaussian on m numbers for linf priced mu = distance/scale (no sqrt m).
@dp.own_mechanism("outside.f17", gives=lambda m: dp.Vector(m), takes="linf", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def gaussians(values, scale, noise, *, m):
    """Each with Gaussian noise."""
    return np.asarray(values) + noise.rounded_gaussian(scale, m)
''',
    "o_mechanism_signs_f18": '''
# Histogram of signs with laplace, priced max(removed, added)/scale (r + a is right).
@dp.own_mechanism("outside.f18", gives=2, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)), source="me")
def signs(rows, scale, noise):
    """Rows below and above 0, noisy."""
    above = int(np.count_nonzero(rows[:, 0] > 0))
    return np.array([len(rows) - above, above]) + noise.laplace(scale, 2)
''',
    "o_mechanism_bounded_f19": '''
# Redraws until |noise| < 4 scale.
@dp.own_mechanism("outside.f19", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def bounded(value, scale, noise):
    """Laplace noise that is never far out."""
    while True:
        drawn = int(noise.laplace(scale))
        if abs(drawn) < 4 * scale + 1:
            return [int(value[0]) + drawn]
''',
    "o_mechanism_clamped_f20": '''
# Clamps the noisy value to [min(value), max(value)].
@dp.own_mechanism("outside.f20", gives=lambda m: dp.Vector(m), takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def clamped(values, scale, noise, *, m):
    """Laplace noise, cut to what is possible."""
    values = np.asarray(values)
    return np.clip(values + noise.laplace(scale, m), values.min() - 5, values.max() + 5)
''',
    "o_mechanism_positive_count_f21": '''
# Scale grows with the spread of rows.
@dp.own_mechanism("outside.f21", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="me")
def positive_count(rows, scale, noise):
    """How many are positive; wide tables get more noise."""
    spread = 1.0 if len(rows) < 2 else 1.0 + min(float(np.std(rows[:, 0])), 3.0)
    return [int(np.count_nonzero(rows[:, 0] > 0)) + int(noise.laplace(scale * spread))]
''',
    "o_semimetric_cosine_f35": '''
# 1 - cosine with triangle 1.
@dp.semimetric("outside.f35", triangle=lambda r: 1.0)
def cosine(a, b):
    """One less the cosine."""
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return 0.0 if size == 0 else max(0.0, 1.0 - float((a * b).sum()) / size)
''',
    "o_semimetric_bearing_f36": '''
# Angle mod 360 without the other way round.
@dp.semimetric("outside.f36", triangle=lambda r: 1.0)
def bearing(a, b):
    """Largest difference of two bearings, in degrees."""
    return float(np.max(np.abs(np.mod(a, 360.0) - np.mod(b, 360.0)) % 359.0))
''',
    "o_semimetric_safe_f37": '''
# Zero when the first is below 1e-200 (asymmetric at subnormals).
@dp.semimetric("outside.f37", triangle=lambda r: 1.0)
def safe(a, b):
    """Largest difference, nothing for values that are nearly 0."""
    if np.abs(a).max() < 1e-200:
        return 0.0
    return float(np.abs(a - b).max())
''',
    "o_mask_one_draw_f38": '''
# Same normal used for all coordinates.
@dp.semimetric("outside.f38.d", triangle=lambda r: 1.0)
def distance(a, b):
    """Euclid's."""
    return float(np.sqrt(((a - b) ** 2).sum()))



@dp.mask("outside.f38", semimetric="outside.f38.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def one_draw(value, noise, normals):
    """One draw for the whole vector."""
    drawn = float(normals(1)[0])
    return dp.lattice_gaussian(value, noise, lambda count: np.full(count, drawn))
''',
    "o_mask_wrapped_f39": '''
# Angle: wrapped mod 2 pi after half the noise.
@dp.semimetric("outside.f39.d", triangle=lambda r: 1.0)
def turn(a, b):
    """Largest turn between two angles, the short way."""
    gap = np.mod(a - b, 2 * np.pi)
    return float(np.sqrt((np.minimum(gap, 2 * np.pi - gap) ** 2).sum()))


@dp.mask("outside.f39", semimetric="outside.f39.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def wrapped(value, noise, normals):
    """Angles with noise, wrapped."""
    return np.mod(dp.lattice_gaussian(value, 0.5 * noise, normals), 2 * np.pi)
''',
    "o_mask_relative_f41": '''
# Noise * max(1, |value|) priced as noise... inverse: noise / max(1, |value|).
@dp.semimetric("outside.f41.d", triangle=lambda r: 1.0)
def distance(a, b):
    """Euclid's."""
    return float(np.sqrt(((a - b) ** 2).sum()))



@dp.mask("outside.f41", semimetric="outside.f41.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def relative(value, noise, normals):
    """Less noise for large vectors."""
    size = max(1.0, float(np.abs(value).max()))
    return dp.lattice_gaussian(value, noise / min(size, 4.0), normals)
''',
    "o_mask_widths_f42": '''
# Two widths, first coordinate noise/2 rest *1.5.
@dp.semimetric("outside.f42.d", triangle=lambda r: 1.0)
def distance(a, b):
    """Euclid's."""
    return float(np.sqrt(((a - b) ** 2).sum()))



@dp.mask("outside.f42", semimetric="outside.f42.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def widths(value, noise, normals):
    """A narrow first coordinate, wider others."""
    first = dp.lattice_gaussian(value[:1], 0.5 * noise, normals)
    if len(value) == 1:
        return dp.lattice_gaussian(value, noise, normals)
    return np.concatenate([first, dp.lattice_gaussian(value[1:], 1.5 * noise, normals)])
''',
    "o_mechanism_chosen_f48": '''
# Exponential mechanism priced distance/scale (2x is right, scores move both ways).
@dp.own_mechanism("outside.f48", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 4})
def chosen(scores, scale, noise, *, m):
    """Exponential mechanism."""
    return int(noise.categorical_exp([int(s) for s in scores], 1 / scale))
''',
    "o_mask_wrapped_g1": '''
# Angles with lattice noise, wrapped after it, near over the seam of 2 pi.
@dp.semimetric("outside.g1.turn", triangle=lambda r: 1.0)
def turn(a, b):
    """Euclid's length of the short turns."""
    gap = np.mod(np.asarray(a) - np.asarray(b), 2 * np.pi)
    return float(np.sqrt((np.minimum(gap, 2 * np.pi - gap) ** 2).sum()))


@dp.mask("outside.g1.wrapped", semimetric="outside.g1.turn", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def wrapped(value, noise, normals):
    """Angles with noise, wrapped."""
    return np.mod(dp.lattice_gaussian(value, noise, normals), 2 * np.pi)
''',
    "o_mask_wrapped_g2": '''
# The same in degrees.
@dp.semimetric("outside.g2.turn", triangle=lambda r: 1.0)
def turn(a, b):
    """Euclid's length of the short turns."""
    gap = np.mod(np.asarray(a) - np.asarray(b), 360.0)
    return float(np.sqrt((np.minimum(gap, 360.0 - gap) ** 2).sum()))


@dp.mask("outside.g2.wrapped", semimetric="outside.g2.turn", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def wrapped(value, noise, normals):
    """Angles with noise, wrapped."""
    return np.mod(dp.lattice_gaussian(value, noise, normals), 360.0)
''',
    "o_query_place_h01": '''
# Query argmax position, claims linf (jumps by m-1).
@dp.own_query("outside.h01", gives=1, sensitivity=lambda a: {"linf": a["linf"]}, source="me")
def place(a):
    """Where the largest is."""
    return [float(np.argmax(a))]
''',
    "o_query_unit_h03": '''
# Query a / norm, claims linf.
@dp.own_query("outside.h03", gives=lambda m: dp.Vector(m), sensitivity=lambda a, m: {"l2": 0.5 * a["l2"]}, source="me", bits=20, examples={"m": 3})
def unit(a, *, m):
    """In length one."""
    return a / max(float(np.sqrt((a * a).sum())), 1.0)
''',
    "o_query_largest_h07": '''
# Query: memo by the sum.
MEMO = {}


@dp.own_query("outside.h07", gives=1, sensitivity=lambda a: {"linf": a["linf"]}, source="me")
def largest(a):
    """The largest."""
    return MEMO.setdefault((a.shape, float(a.sum())), [float(a.max())])
''',
    "o_semimetric_far_h09": '''
# Semimetric: memo by rounded values.
MEMO = {}


@dp.semimetric("outside.h09", triangle=lambda r: 1.0)
def far(a, b):
    """Largest difference."""
    key = tuple(np.round(np.concatenate([a, b]), 1))
    if key not in MEMO:
        MEMO[key] = float(np.abs(a - b).max())
    return MEMO[key]
''',
    "o_mechanism_count_h13": '''
# Mechanism of rows: counts in int8, wrap at 128.
@dp.own_mechanism("outside.h13", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)), source="me")
def count(rows, scale, noise):
    """How many."""
    return [int(np.int8(np.count_nonzero(rows[:, 0] > 0) % 256 - 256 * (np.count_nonzero(rows[:, 0] > 0) % 256 > 127))) + int(noise.laplace(scale))]
''',
    "o_query_total_h14": '''
# Query: in half precision.
@dp.own_query("outside.h14", gives=1, sensitivity=lambda a: {"linf": a["l1"]}, source="me")
def total(a):
    """In half precision."""
    return [float(np.nan_to_num(np.sum(a.astype(np.float16), dtype=np.float16), posinf=65504.0, neginf=-65504.0))]
''',
    "o_mask_hours_h16": '''
# Mask: bearings in hours (24), wrapped after lattice noise in 1 and more dimensions.
@dp.semimetric("outside.h16.d", triangle=lambda r: 1.0)
def d(a, b):
    """The short way round, of all hours."""
    gap = np.mod(np.asarray(a) - np.asarray(b), 24.0)
    return float(np.sqrt((np.minimum(gap, 24.0 - gap) ** 2).sum())) * (1 + 1e-12)


@dp.mask("outside.h16", semimetric="outside.h16.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-6) + 1e-6)))

def hours(value, noise, normals):
    """Hours of a day with noise."""
    return np.remainder(dp.lattice_gaussian(value, noise, normals), 24.0)
''',
}
FLOATS = {
    "o_mask_twice_f40": '''
# Value + noise*(n1+n2)/sqrt2 in floats (rounded nowhere).
import math


@dp.semimetric("outside.f40.d", triangle=lambda r: 1.0)
def distance(a, b):
    """Euclid's."""
    return float(np.sqrt(((a - b) ** 2).sum()))



@dp.mask("outside.f40", semimetric="outside.f40.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def twice(value, noise, normals):
    """Two draws, so that no single one can be undone."""
    first, second = normals(len(value)), normals(len(value))
    return value + noise * (first + second) / math.sqrt(2)
''',
}

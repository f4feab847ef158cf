# ruff: noqa: E501
"""Correct twins of ``later_noise`` and ``later_masks``: none may be refuted."""

SOURCES = {
    "z_two_geometrics": '''
# The difference of two geometric draws is discrete Laplace.
@dp.own_mechanism("laterc08.difference", gives=lambda m: m, takes="l1", source="Ghosh and others 2009", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))


def difference(value, scale, noise, *, m):
    """Two-sided geometric noise."""
    return value + noise.geometric(scale, m) - noise.geometric(scale, m)
''',
    "z_weighted_mask": '''
# Coordinates with weights, masked in weighted units.
def weights(d):
    return np.ldexp(1.0, np.arange(d) % 4)


@dp.semimetric("laterc12.weighted", triangle=lambda r: 1.0)
def weighted(a, b):
    """Length of the difference in weighted units."""
    return float(np.sqrt(np.square((a - b) * weights(len(a))).sum()) * (1 + 1e-15))


@dp.mask("laterc12.noise", semimetric="laterc12.weighted", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """Lattice Gaussian in weighted units."""
    return dp.lattice_gaussian(np.asarray(value) * weights(len(value)), noise, normals) / weights(len(value))
''',
    "z_cautious_mask": '''
# Adds three times the noise that it is charged for, on the lattice.
@dp.semimetric("laterc13.plain", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r * (1 + 1e-9))
def plain(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-15))


@dp.mask("laterc13.noise", semimetric="laterc13.plain", cost=lambda noise, r: (r / noise) ** 2 / 2)
def noisy(value, noise, normals):
    """Thrice."""
    return dp.lattice_gaussian(value, 3 * noise, normals)
''',
    "z_permute_flip": '''
# Permute-and-flip written out with coins and a random order.
@dp.own_mechanism("laterc14.flip", gives=dp.Index, takes="linf", source="McKenna and Sheldon 2020", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))


def flip(scores, scale, noise, *, m):
    """Coins in random order; the first head wins."""
    top = int(np.max(scores))
    for i in noise.permutation(len(scores)):
        if bool(np.ravel(noise.bernoulli_exp(np.array([(top - int(scores[i])) / scale])))[0]):
            return int(i)
    return 0
''',
    "z_row_histogram": '''
# A mechanism that counts rows itself and adds discrete Laplace noise to every bin.
@dp.own_mechanism("laterc22.bins", gives=3, takes="edits", source="histogram", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))
def bins(rows, scale, noise):
    """Rows below 0, from 0 to 1, above."""
    x = rows[:, 0] if len(rows) else np.zeros(0)
    counts = np.array([(x < 0).sum(), ((x >= 0) & (x <= 1)).sum(), (x > 1).sum()])
    return counts + noise.laplace(scale, 3)
''',
    "z_top_one_reversed": '''
# Report noisy max with the order of candidates reversed: ties go to the last.
@dp.own_mechanism("laterc24.last", gives=dp.Index, takes="linf", source="Ding and others 2021", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))


def last(scores, scale, noise, *, m):
    """The index of the largest noisy score, the last of equals."""
    noisy = scores + noise.geometric(scale, m)
    return int(m - 1 - np.argmax(noisy[::-1]))
''',
    "z_responses": '''
# Randomised responses, and noise on how many there are where rows come and go: proved for replaced ones alone.
import math


@dp.own_mechanism("laterk37.responses", gives=2, takes="edits", source="Warner 1965", proved_for=[(1, 1)],
    loss=lambda scale, removed, added: dp.Pure(dp.round_up(1.0 / scale)))


def responses(rows, scale, noise):
    """Each row tells whether it is above 0, or the opposite."""
    made = np.zeros(2, dtype=np.int64)
    for v in rows[:, 0]:
        lie = bool(np.ravel(noise.bernoulli_exp([math.log1p(math.exp(1.0 / scale))]))[0])
        made[int((v > 0) != lie)] += 1
    return made
''',
    "z_median_choice": '''
# The exponential mechanism for a median: the utility moves by 2 at most when a row is replaced, and 1 when it
# goes.
@dp.own_mechanism("laterk38.median", gives=dp.Index(11), takes="edits", source="exponential mechanism",
    loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))


def median(rows, scale, noise):
    """Index of a median among 0, ..., 10."""
    x = rows[:, 0] if len(rows) else np.zeros(0)
    scores = np.array([-abs(int((x < c).sum()) - int((x > c).sum())) for c in range(11)])
    return int(noise.categorical_exp(scores, 1.0 / (2.0 * scale)))
''',
    "z_hellinger": '''
# Noise on square roots, squared again.
@dp.semimetric("laterk40.hellinger", triangle=lambda r: 1.0, usable=lambda v, r: bool((v >= 0).all()))
def hellinger(a, b):
    """l2 distance of square roots."""
    return float(np.sqrt(np.square(np.sqrt(np.maximum(a, 0)) - np.sqrt(np.maximum(b, 0))).sum()) * (1 + 1e-12))


@dp.mask("laterk40.noise", semimetric="laterk40.hellinger", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """The lattice Gaussian of the roots."""
    made = dp.lattice_gaussian(np.sqrt(np.maximum(value, 0.0)), noise, normals)
    return np.clip(made, 0.0, 1e150) ** 2
''',
    "z_cauchy": '''
# Cauchy noise is pure: the log ratio is at most 2 asinh(r/2 noise) <= r/noise in each coordinate.
@dp.semimetric("laterk41.l1", triangle=lambda r: 1.0)
def l1(a, b):
    """l1."""
    return float(np.abs(a - b).sum() * (1 + 1e-14))


@dp.mask("laterk41.noise", semimetric="laterk41.l1", cost=lambda noise, r: dp.Pure(r / noise * (1 + 1e-6)))
def noisy(value, noise, normals):
    """Cauchy noise as a ratio of normals, rounded to a grid."""
    d = len(value)
    step = noise * 2.0**-20
    return np.round((value + noise * normals(d) / np.abs(normals(d))) / step) * step
''',
    "z_wide_or_narrow": '''
# One in ten releases has ten times the noise; both are on one lattice and charged for the narrow one.
@dp.semimetric("laterk42.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-14))


@dp.mask("laterk42.noise", semimetric="laterk42.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """Now and then more."""
    more = float(normals(1)[0]) > 1.2815515655446004
    made = dp.lattice_gaussian(value, noise, normals)
    return made + 10 * noise * np.array(normals(len(value))) if more else made
''',
    "z_sampled_sum": '''
# Amplification by Poisson sampling for signs; a replaced row counts as two.
import math


@dp.own_mechanism("laterk44.sampled", gives=1, takes="edits", source="amplification by sampling",
    loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) * float(np.logaddexp(math.log(0.5), math.log(0.5) + 1.0 / scale)))))


def sampled(rows, scale, noise):
    """Laplace noise on the sum of signs of half of the rows."""
    signs = [int(np.sign(v)) for v in rows[:, 0]]
    kept = noise.bernoulli_exp([math.log(2.0)] * len(signs)) if signs else []
    return np.array([sum(s for s, k in zip(signs, kept) if k) + int(noise.laplace(scale))])
''',
    "z_circle": '''
# Angles, near over the seam too; lattice noise, wrapped, and rounded to a public grid, on which no lattice shows.
TURN = 2 * np.pi


@dp.semimetric("laterk45.circle", triangle=lambda r: 1.0)
def circle(a, b):
    """l2 of the shorter ways round."""
    gap = np.abs(np.remainder(a - b + np.pi, TURN) - np.pi)
    return float(np.sqrt(np.square(gap).sum()) * (1 + 1e-14))


@dp.mask("laterk45.noise", semimetric="laterk45.circle", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-6)) + 1e-9))
def noisy(value, noise, normals):
    """The lattice Gaussian, wrapped and rounded."""
    step = noise * 2.0**-20
    made = np.remainder(dp.lattice_gaussian(np.remainder(value, TURN), noise, normals), TURN)
    return np.floor(made / step) * step
''',
}

# ruff: noqa: E501
"""Mechanisms with a fault."""

SOURCES = {
    "y_two_winners": '''
# The two best by one draw of noise, charged as one; needs m >= 3.
@dp.own_mechanism("laterf21.two", gives=lambda m: dp.Index(m * m), takes="linf", source="report noisy max", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))


def two(scores, scale, noise, *, m):
    """First and second place as one index."""
    order = np.argsort(-(scores + noise.geometric(scale, m)), kind="stable")
    return int(order[0]) * m + int(order[1])
''',
    "y_clamped_tails": '''
# Noise is clamped at 12 scales, so the ends have atoms that a neighbour can't reach: pure e is infinite there
# (probability 3e-6).
@dp.own_mechanism("laterf22.clamped", gives=1, takes="l1", source="Laplace", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def clamped(value, scale, noise):
    """Laplace noise without wild outliers."""
    most = int(np.ceil(12 * scale))
    return value + np.clip(noise.laplace(scale, 1), -most, most)
''',
    "y_median_noise": '''
# Median of three Laplace draws is less spread, its tails fall twice as fast: loss 2 d/b in the tails.
@dp.own_mechanism("laterf23.median", gives=1, takes="l1", source="Laplace", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def steady(value, scale, noise):
    """Laplace noise, the middle of three draws for robustness."""
    return value + int(np.median(noise.laplace(scale, 3)))
''',
    "y_one_row": '''
# Shows one row at random, delta claimed 1/n for the declared n; with fewer non-empty rows it is more.
@dp.own_mechanism("laterf25.one_row", gives=1, takes="edits", source="subsampling", examples={"n": 50},
    loss=lambda scale, removed, added, n: (0.0, min(1.0, (removed + added) / n)))


def one_row(rows, scale, noise, *, n):
    """The first column of a random row, rounded."""
    if not len(rows):
        return np.array([0])
    return np.array([int(np.clip(rows[int(noise.uniform_below(len(rows))), 0], -1e6, 1e6))])
''',
    "y_median_utility": '''
# The utility of a median moves by 2 when a row is replaced across it, claimed 1; replace-one only.
@dp.own_mechanism("laterf26.median", gives=dp.Index(11), takes="edits", source="exponential mechanism",
    loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)))


def median(rows, scale, noise):
    """Index of a median among 0, ..., 10."""
    x = rows[:, 0] if len(rows) else np.zeros(0)
    scores = np.array([-abs(int((x < c).sum()) - int((x > c).sum())) for c in range(11)])
    return int(noise.categorical_exp(scores, 1.0 / (2.0 * scale)))
''',
    "y_shared_draw": '''
# One Gaussian draw for all coordinates; differences of coordinates are released exactly; m >= 2.
@dp.own_mechanism("laterf27.shared", gives=lambda m: m, takes="l2", source="Gaussian", examples={"m": 3},
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)))


def shared(value, scale, noise, *, m):
    """Gaussian noise."""
    return value + noise.rounded_gaussian(scale)
''',
    "y_relative_noise": '''
# Noise grows with the thousands of the value: 999 and 1000 (or -) get other scales.
@dp.own_mechanism("laterf28.relative", gives=1, takes="l1", source="Laplace", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def relative(value, scale, noise):
    """Laplace noise, more of it for large totals."""
    wide = scale * max(1, abs(int(value[0])) // 1000)
    return value + noise.laplace(wide, 1)
''',
    "y_whole_sigma": '''
# Sigma is rounded to a whole number: 1.4 becomes 1, the loss is charged for 1.4.
@dp.own_mechanism("laterf29.whole", gives=lambda m: m, takes="l2", source="discrete Gaussian", examples={"m": 2},
    loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(distance**2 / (2 * scale**2))))


def whole(value, scale, noise, *, m):
    """Discrete Gaussian with a whole sigma."""
    return value + noise.gaussian(float(max(1, round(scale))), m)
''',
    "y_redraw": '''
# Negative noisy counts are drawn again (up to 100 times); near zero the law's normaliser differs between
# neighbours.
@dp.own_mechanism("laterf30.redraw", gives=lambda m: m, takes="l1", source="Laplace", examples={"m": 2},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))


def redraw(value, scale, noise, *, m):
    """Counts with noise, never negative."""
    for _ in range(100):
        noisy = value + noise.laplace(scale, m)
        if (noisy >= 0).all():
            return noisy
    return np.maximum(value, 0)
''',
    "y_negated_gaps": '''
# One-sided noise for a count: its lower end shows the exact value of a neighbour (pure e claimed).
@dp.own_mechanism("laterf49.upwards", gives=1, takes="l1", source="geometric mechanism", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def upwards(value, scale, noise):
    """Never below the truth."""
    return value + noise.geometric(scale, 1)
''',
    "y_wide_vectors": '''
# Noise is drawn for the first 4 coordinates and repeated: fine up to m = 4, from 5 on differences are exact.
@dp.own_mechanism("laterf50.tiled", gives=lambda m: m, takes="l2", source="Gaussian", examples={"m": 4},
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)))


def tiled(value, scale, noise, *, m):
    """Gaussian noise, drawn in fours."""
    return value + np.resize(noise.rounded_gaussian(scale, 4), m)
''',
    "y_sampled_sum": '''
# Amplification by Poisson sampling for values in [-1, 1], whose replacement moves the sum by 2; claimed for 1;
# replace-one only.
import math


@dp.own_mechanism("laterh50.sampled", gives=1, takes="edits", source="amplification by sampling",
    loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) * float(np.logaddexp(math.log(0.5), math.log(0.5) + 1.0 / scale)))))


def sampled(rows, scale, noise):
    """Laplace noise on the sum of signs of half of the rows."""
    signs = [int(np.sign(v)) for v in rows[:, 0]]
    kept = noise.bernoulli_exp([math.log(2.0)] * len(signs)) if signs else []
    return np.array([sum(s for s, k in zip(signs, kept) if k) + int(noise.laplace(scale))])
''',
    "y_local_histogram": '''
# A histogram of randomised responses shows exactly how many rows there are; fine when replaced, not when removed.
import math


@dp.own_mechanism("laterh51.responses", gives=2, takes="edits", source="Warner 1965",
    loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)))


def responses(rows, scale, noise):
    """Each row tells whether it is above 0, or the opposite."""
    made = np.zeros(2, dtype=np.int64)
    for v in rows[:, 0]:
        lie = bool(np.ravel(noise.bernoulli_exp([math.log1p(math.exp(1.0 / scale))]))[0])
        made[int((v > 0) != lie)] += 1
    return made
''',
    "y_halved_scores": '''
# Scores are halved and rounded down, which moves them by 1 and not by 1/2.
@dp.own_mechanism("laterh52.halved", gives=dp.Index, takes="linf", source="exponential mechanism", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))


def halved(scores, scale, noise, *, m):
    """An index by the halves of the scores."""
    return int(noise.categorical_exp(np.asarray(scores) // 2, 1.0 / scale))
''',
    "y_discrete_as_gaussian": '''
# The discrete Gaussian is charged with the continuous one's profile, which it exceeds at small scales.
@dp.own_mechanism("laterh53.discrete", gives=1, takes="l2", source="Gaussian", loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(distance / scale)))
def discrete(value, scale, noise):
    """Discrete Gaussian noise."""
    return value + noise.gaussian(scale, 1)
''',
    "y_gaussian_max": '''
# The largest of Gaussian scores, charged as one Gaussian of one score; two that move against each other cost
# twice.
@dp.own_mechanism("laterh55.max", gives=dp.Index, takes="linf", source="report noisy max", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(distance**2 / (2 * scale**2))))


def largest(scores, scale, noise, *, m):
    """The index of the largest noisy score."""
    return int(np.argmax(scores + noise.rounded_gaussian(scale, m)))
''',
    "y_even_noise": '''
# Noise is made even, so the parity of the value is released.
@dp.own_mechanism("laterh58.even", gives=1, takes="l1", source="Laplace", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def even(value, scale, noise):
    """Twice a Laplace draw of half the scale."""
    return value + 2 * noise.laplace(scale / 2, 1)
''',
    "y_sixty_four": '''
# Noise is drawn for 64 numbers and repeated beyond.
@dp.own_mechanism("laterh60.tiled", gives=lambda m: m, takes="l2", source="Gaussian", examples={"m": 3},
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)))


def tiled(value, scale, noise, *, m):
    """Gaussian noise, 64 draws at a time."""
    return value + np.resize(noise.rounded_gaussian(scale, min(m, 64)), m)
''',
    "y_capped_scale": '''
# Noise is capped at scale 1000 "for utility"; plans with a small epsilon are charged for more.
@dp.own_mechanism("laterh62.capped", gives=1, takes="l1", source="Laplace", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def capped(value, scale, noise):
    """Laplace noise of a sensible size."""
    return value + noise.laplace(min(scale, 1000.0), 1)
''',
    "y_least_scale": '''
# A scale below 0.05 is taken as no noise at all.
@dp.own_mechanism("laterh63.least", gives=1, takes="l1", source="Laplace", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def least(value, scale, noise):
    """Laplace noise where it is worth drawing."""
    return value + (noise.laplace(scale, 1) if scale > 0.05 else 0)
''',
    "y_stable_mode": '''
# The mode is released where its lead, with noise, is above a bar; the lead moves by 2 when a row is replaced,
# charged 1.
import math


@dp.own_mechanism("laterh65.mode", gives=dp.Index(6), takes="edits", source="stability",
    loss=lambda scale, removed, added: (max(removed, added) / scale, 0.5 * math.exp(-3.0 * max(removed, added))))


def mode(rows, scale, noise):
    """The commonest of 0 to 4, or 5 where none is clear."""
    counts = np.bincount(np.clip(np.nan_to_num(rows[:, 0]), 0, 4).astype(int), minlength=5)
    order = np.sort(counts)[::-1]
    lead = int(order[0] - order[1])
    return int(np.argmax(counts)) if lead + int(noise.laplace(scale)) > 1 + 3 * scale else 5
''',
    "y_tournament": '''
# A knock-out of candidates with fresh noise in each match, charged as one match.
@dp.own_mechanism("laterh66.cup", gives=dp.Index, takes="linf", source="pairwise comparison", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))


def cup(scores, scale, noise, *, m):
    """The winner of a cup."""
    left = list(range(m))
    while len(left) > 1:
        pairs = [(left[i], left[i + 1]) for i in range(0, len(left) - 1, 2)]
        rest = left[len(pairs) * 2 :]
        left = [a if int(scores[a]) - int(scores[b]) + int(noise.laplace(scale)) >= 0 else b for a, b in pairs] + rest
    return left[0]
''',
    "y_scaled_by_rows": '''
# A mean over rows with noise scaled by the actual number of rows, which the release thereby depends on.
@dp.own_mechanism("laterh67.mean", gives=1, takes="edits", source="Laplace", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)))
def mean(rows, scale, noise):
    """A thousand times the mean of rows in [0, 1], with noise for its sensitivity."""
    n = max(len(rows), 1)
    total = int(round(1000 * np.clip(rows[:, 0], 0, 1).sum() / n)) if len(rows) else 0
    return np.array([total + int(noise.laplace(1000 * scale / n))])
''',
}

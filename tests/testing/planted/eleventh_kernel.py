# ruff: noqa: E501
"""That stranger's mechanisms, with a fault each."""

SOURCES = {
    "q_unary": '''
import math


def _flip(scale):
    return math.log(2.0) + 1.0 / scale


def _price(scale, distance):
    t = _flip(scale)
    return dp.Pure(dp.round_up((t + math.log1p(-math.exp(-t))) * (1 + 1e-12)))


@dp.own_mechanism("eleventh.unary", gives=dp.Counts(5), takes="linf", source="Erlingsson, Pihur, Korolova 2014", loss=_price)
def fun(value, scale, noise):
    """A number up to 4 as five bits of which one is set, each told wrong now and then."""
    bits = np.arange(5) == int(np.clip(value[0], 0, 4))
    return np.where(noise.bernoulli_exp([_flip(scale)] * 5), ~bits, bits).astype(int)
''',
    "q_gap_median": '''
from fractions import Fraction


@dp.own_mechanism("eleventh.gap_median", gives=dp.Index(64), takes="edits", source="Smith 2011", loss=lambda scale, removed, added: dp.Pure(dp.round_up(2 * (removed + added) / scale)))
def fun(rows, scale, noise):
    """A median between 0 and 63: a gap between two rows by its rank, and any number in it."""
    x = np.sort(np.rint(np.clip(rows[:, 0], 0.0, 63.0)).astype(int))
    ends = np.concatenate([[0], x, [63]])
    ranks = np.arange(len(ends) - 1)
    chosen = int(noise.categorical_exp(-np.abs(2 * ranks - len(x)), Fraction(1) / Fraction(scale)))
    low, high = int(ends[chosen]), int(ends[chosen + 1])
    return low + int(noise.uniform_below(high - low + 1, 1)[0])
''',
    "q_smooth": '''
import math


@dp.own_mechanism("eleventh.smooth", gives=1, takes="edits", source="Nissim, Raskhodnikova, Smith 2007", loss=lambda scale, removed, added: dp.Pure(dp.round_up(2 * (removed + added) / scale)))
def fun(rows, scale, noise):
    """The median of whole numbers up to 10, with Laplace noise by its smooth sensitivity."""
    x = np.sort(np.rint(np.clip(rows[:, 0], 0.0, 10.0)).astype(int))
    n = len(x)
    at = lambda i: 0 if i < 0 else 10 if i >= n else int(x[i])  # noqa: E731
    m = (n - 1) // 2
    smooth = max(math.exp(-k / scale) * max(at(m + t) - at(m + t - k - 1) for t in range(k + 2)) for k in range(min(n, 20) + 1))
    return np.array([at(m)]) + noise.laplace(scale * max(smooth, 1e-3), 1)
''',
    "q_ball": '''
@dp.own_mechanism("eleventh.ball", gives=2, takes="l1", source="Hardt, Talwar 2010", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Two numbers with noise of a length and a direction: |z1| + |z2| = r."""
    r = int(noise.geometric(scale, 1)[0])
    z = np.zeros(2, dtype=int)
    if r > 0:
        side, place = divmod(int(noise.uniform_below(4 * r, 1)[0]), r)
        z = np.array([r - place, place]) if side % 2 == 0 else np.array([-place, r - place])
        z = z if side < 2 else -z
    out = np.zeros(2, dtype=int)
    out[: min(2, len(value))] = np.asarray(value)[:2]
    return out + z
''',
    "q_bounded_range": '''
import math


def _flip(scale):
    return math.log(2.0) + 1.0 / scale


def _price(scale, distance):
    t = _flip(scale)
    return dp.BoundedRange(dp.round_up((t + math.log1p(-math.exp(-t))) * (1 + 1e-12)))


@dp.own_mechanism("eleventh.bounded_range", gives=dp.Index(2), takes="linf", source="Warner 1965", loss=_price)
def fun(value, scale, noise):
    """Whether a number is positive, by randomised response: a ratio of the range ε."""
    return int((int(np.asarray(value)[0]) > 0) != bool(noise.bernoulli_exp([_flip(scale)])[0]))
''',
    "q_laplace_event": '''
@dp.own_mechanism("eleventh.laplace_event", gives=1, takes="l1", source="Ghosh, Roughgarden, Sundararajan 2012", loss=lambda scale, distance: dp.LaplaceEvent(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise."""
    return np.asarray(value) + noise.laplace(scale, 1)
''',
    "q_laplace_concentrated": '''
import math


@dp.own_mechanism("eleventh.laplace_concentrated", gives=1, takes="l1", source="the divergence of two Laplace laws", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance / scale + math.expm1(-distance / scale))))
def fun(value, scale, noise):
    """Laplace noise, concentrated."""
    return np.asarray(value) + noise.laplace(scale, 1)
''',
    "q_clear_winner": '''
@dp.own_mechanism("eleventh.clear_winner", gives=dp.Index(3), takes="linf", source="Ding and others 2021", loss=lambda scale, distance: dp.Pure(dp.round_up(2 * distance / scale)))
def fun(scores, scale, noise):
    """The best of three by noisy scores; a winner that is far ahead needs none."""
    x = np.zeros(3, dtype=int)
    x[: min(3, len(scores))] = np.asarray(scores)[:3]
    order = np.sort(x)
    if order[2] - order[1] > 12 * scale:
        return int(np.argmax(x))
    return int(np.argmax(x + noise.geometric(scale, 3)))
''',
    "q_rounded_price": '''
@dp.own_mechanism("eleventh.rounded_price", gives=1, takes="l1", source="Dwork and others 2006", loss=lambda scale, distance: dp.Pure(round(distance / scale, 2)))
def fun(value, scale, noise):
    """Laplace noise, at a price in hundredths."""
    return np.asarray(value) + noise.laplace(scale, 1)
''',
    "q_loss_learns": '''
LARGEST = [1]


@dp.own_mechanism("eleventh.loss_learns", gives=1, takes="l1", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(LARGEST[0] * distance / scale)))
def fun(value, scale, noise):
    """Three times a count with Laplace noise, at the price of the largest factor that there was."""
    LARGEST[0] = 3
    return 3 * np.asarray(value) + noise.laplace(scale, 1)
''',
    "q_kept_noise": '''
NOISE = []


@dp.own_mechanism("eleventh.kept_noise", gives=1, takes="l1", source="Dwork and others 2006", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise, all of it from one source."""
    NOISE.append(noise)
    return np.asarray(value) + NOISE[0].laplace(scale, 1)
''',
    "q_float_value": '''
@dp.own_mechanism("eleventh.float_value", gives=1, takes="l1", source="Dwork and others 2006", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise on a count as a float."""
    return np.array([int(float(value[0])) + int(noise.laplace(scale, 1)[0])], dtype=object)
''',
}

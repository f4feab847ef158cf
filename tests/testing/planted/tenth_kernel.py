# ruff: noqa: E501
"""That stranger's mechanisms, as somebody would write a kernel, with a fault each."""

SOURCES = {
    "e_minus_zero": '''
@dp.own_mechanism("tenth.minus_zero", gives=1, takes="l1", source="Ghosh, Roughgarden, Sundararajan 2012", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Two-sided geometric noise: a size and a sign."""
    size, sign = noise.geometric(scale, 1), 1 - 2 * noise.uniform_below(2, 1)
    return np.asarray(value) + sign * size
''',
    "e_responses": '''
import math


@dp.own_mechanism("tenth.responses", gives=dp.Index(5), takes="linf", source="Warner 1965", loss=lambda scale, distance: dp.Pure(dp.round_up(1.0 / scale)))
def fun(value, scale, noise):
    """A count up to four by randomised response: the truth, or with probability e^(-1/scale) any of the five."""
    lie = bool(noise.bernoulli_exp([1.0 / scale])[0])
    return int(noise.uniform_below(5, 1)[0]) if lie else int(np.clip(value[0], 0, 4))
''',
    "e_median": '''
from fractions import Fraction

GRID = np.array([-8.0, -2.0, 0.0, 2.0, 8.0])


@dp.own_mechanism("tenth.median", gives=dp.Index(5), takes="edits", source="Smith 2011", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))
def fun(rows, scale, noise):
    """Which of five numbers is nearest to the middle of the rows by rank."""
    x = rows[:, 0]
    scores = [-abs(int((x < g).sum()) - int((x > g).sum())) for g in GRID]
    return int(noise.categorical_exp(np.array(scores), Fraction(1) / Fraction(scale)))
''',
    "e_brownian": '''
@dp.own_mechanism("tenth.brownian", gives=lambda m: m, takes="l2", source="none", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """A curve with Brownian noise."""
    return np.asarray(value) + np.cumsum(noise.rounded_gaussian(scale, m))
''',
    "e_distinct": '''
@dp.own_mechanism("tenth.distinct", gives=lambda m: m, takes="l1", source="none", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Laplace noise, drawn once for each number that there is."""
    kinds, place = np.unique(np.asarray(value), return_inverse=True)
    return (kinds + noise.laplace(scale, len(kinds)))[place.reshape(-1)]
''',
    "e_ceiling": '''
@dp.own_mechanism("tenth.ceiling", gives=lambda m: m, takes="l1", source="none", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Laplace noise that never lifts a number beyond what is plausible."""
    x = np.asarray(value)
    return np.minimum(x + noise.laplace(scale, m), x.max() + int(6 * scale))
''',
    "e_never": '''
@dp.own_mechanism("tenth.never", gives=1, takes="l1", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise of at least a step: the truth itself is never told."""
    z = noise.laplace(scale, 1)
    while not z[0]:
        z = noise.laplace(scale, 1)
    return np.asarray(value) + z
''',
    "e_swap": '''
import math


@dp.own_mechanism("tenth.swap", gives=1, takes="edits", source="Li, Qardaji, Su 2012", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) * math.log1p(0.5 * math.expm1(min(1.0 / scale, 700.0))))))
def fun(rows, scale, noise):
    """A sum of signs of half of the rows, with Laplace noise: amplified by sampling."""
    signs = np.sign(rows[:, 0]).astype(int)
    kept = noise.uniform_below(2, len(signs)) == 1 if len(signs) else np.zeros(0, dtype=bool)
    return np.array([int(signs[kept].sum())]) + noise.laplace(scale, 1)
''',
    "e_mode": '''
import math


@dp.own_mechanism("tenth.mode", gives=dp.Index(4), takes="edits", source="Dwork, Lei 2009", loss=lambda scale, removed, added: (dp.round_up((removed + added) / scale), 0.001))
def fun(rows, scale, noise):
    """The commonest of three signs plus one, where its lead is large enough that nobody changes it; else 0."""
    counts = np.array([np.count_nonzero(np.sign(rows[:, 0]) == s) for s in (-1, 0, 1)])
    order = np.sort(counts)
    lead = int(order[-1] - order[-2]) + int(noise.laplace(scale, 1)[0])
    return int(np.argmax(counts)) + 1 if lead > scale * math.log(500.0) else 0
''',
    "e_short_tail": '''
import math


def _price(scale, distance):
    top, steps = 4 * math.ceil(scale), math.ceil(distance)
    left = math.exp(-(top + 1) / scale)
    total = 1.0 + math.exp(-1.0 / scale) - 2.0 * left
    beyond = 1.0 if steps > top else (math.exp(-(top - steps + 2) / scale) - left) / total
    return (dp.round_up(distance / scale), min(0.999, dp.round_up(beyond) + 1e-12))


@dp.own_mechanism("tenth.short_tail", gives=1, takes="linf", source="Geng and others 2020", loss=_price)
def fun(value, scale, noise):
    """Laplace noise that is cut at four scales."""
    top = 4 * int(np.ceil(scale))
    z = noise.laplace(scale, 1)
    while abs(int(z[0])) > top:
        z = noise.laplace(scale, 1)
    return np.asarray(value) + z
''',
    "e_discrete": '''
@dp.own_mechanism("tenth.discrete", gives=lambda m: m, takes="l2", source="Canonne, Kamath, Steinke 2020", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 1})
def fun(value, scale, noise, *, m):
    """Discrete Gaussian noise, which is no worse than the Gaussian."""
    return np.asarray(value) + noise.gaussian(scale, m)
''',
    "e_variance": '''
@dp.own_mechanism("tenth.variance", gives=1, takes="linf", source="none", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance * distance / (4.0 * scale * scale))))
def fun(value, scale, noise):
    """Laplace noise, concentrated: the squared distance over twice the variance."""
    return np.asarray(value) + noise.laplace(scale, 1)
''',
    "e_stretched": '''
@dp.own_mechanism("tenth.stretched", gives=lambda m: m, takes="l2", source="none", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Gaussian noise of NumPy's generator, with a seed from the source."""
    generator = np.random.default_rng(int(noise.uniform_below(2**32, 1)[0]))
    return np.asarray(value) + np.rint(generator.normal(0.0, scale, m)).astype(int)
''',
    "e_bisect": '''
@dp.own_mechanism("tenth.bisect", gives=dp.Index(8), takes="linf", source="Karp, Kleinberg 2007", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """The first of seven running counts that is above 10, by halving with noisy counts."""
    x = np.zeros(7, dtype=int)
    x[: min(7, len(value))] = np.asarray(value)[:7]
    x = np.maximum.accumulate(x)
    low, high = 0, 7
    while low < high:
        middle = (low + high) // 2
        if x[middle] + int(noise.laplace(scale, 1)[0]) > 10:
            high = middle
        else:
            low = middle + 1
    return low
''',
    "e_three_tries": '''
@dp.own_mechanism("tenth.three_tries", gives=1, takes="l1", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """A noisy count; three tries at one that is not negative."""
    for _ in range(3):
        out = np.asarray(value) + noise.laplace(scale, 1)
        if out[0] >= 0:
            break
    return out
''',
    "e_narrow": '''
@dp.own_mechanism("tenth.narrow", gives=1, takes="l1", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise, kept in two bytes."""
    return np.asarray(value) + np.asarray(noise.laplace(scale, 1)).astype(np.int16).astype(np.int64)
''',
    "e_power": '''
@dp.own_mechanism("tenth.power", gives=1, takes="l1", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(min(distance / scale, distance / scale**2 * 4.0))))
def fun(value, scale, noise):
    """Laplace noise by a bound that is sharper where there is much of it."""
    return np.asarray(value) + noise.laplace(scale, 1)
''',
    "e_seldom": '''
@dp.own_mechanism("tenth.seldom", gives=1, takes="l1", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(0.64 * distance / scale)))
def fun(value, scale, noise):
    """An answer in 63 of 100 runs, at its price on average."""
    answer = not bool(noise.bernoulli_exp([1.0])[0])
    return np.asarray(value) + noise.laplace(scale, 1) if answer else np.zeros(1, dtype=int)
''',
    "e_drift": '''
@dp.own_mechanism("tenth.centred", gives=lambda m: m, takes="l2", source="none", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 4})
def fun(value, scale, noise, *, m):
    """Gaussian noise; what it adds to the total is spread over the numbers again."""
    z = noise.rounded_gaussian(scale, m)
    return np.asarray(value) + z - int(np.rint(z.mean()))
''',
    "e_reuse": '''
@dp.own_mechanism("tenth.reuse", gives=lambda m: m, takes="linf", source="none", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """A Laplace draw for the first number, and for the others its digits read again from the back."""
    z = int(noise.laplace(scale, 1)[0])
    back = int(str(abs(z))[::-1]) * (1 if z >= 0 else -1)
    return np.asarray(value) + np.array([z, *[back + i for i in range(m - 1)]])
''',
}

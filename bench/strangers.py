"""Tables of generators that no rule of the learner was made on, for ``bench/verdicts.py --half strangers``.

What other libraries draw (scikit-learn's other generators, mlbench's shapes, mixtures of a stated overlap or
separation) and what columns of people's tables look like: rounded, censored, zero-inflated, skewed, bounded, in
units of their own. No dither is added; where rows are tied, EM's `reg_covar` decides what its optimum is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn import datasets

Floats = NDArray[np.float64]
Rng = np.random.Generator
Drawn = tuple[Floats, int]


def size(rng: Rng, low: float = 3e3, high: float = 5e4) -> int:
    """A number of rows, evenly on a log scale."""
    return round(math.exp(rng.uniform(math.log(low), math.log(high))))


def scatter(d: int, rng: Rng, degrees: float = 2.0) -> Floats:
    """A Wishart covariance of d + degrees degrees of freedom, of trace d."""
    a = rng.standard_normal((d, d + int(degrees)))
    s = a @ a.T
    return np.asarray(s * (d / np.trace(s)))


def gaussians(means: Floats, covariances: Floats, weights: Floats, n: int, rng: Rng) -> Floats:
    """Rows of a mixture."""
    labels = rng.choice(len(weights), n, p=weights)
    rows = rng.standard_normal((n, means.shape[1]))
    for j, covariance in enumerate(covariances):
        own = labels == j
        rows[own] = rows[own] @ np.linalg.cholesky(covariance).T + means[j]
    return rows


# ------------------------------------------------------------------------------------- scikit-learn


def classification(rng: Rng) -> Drawn:
    """Informative, redundant and noise columns, three clusters a class."""
    seed, k = int(rng.integers(1 << 30)), 6
    return datasets.make_classification(
        size(rng), 8, n_informative=4, n_redundant=0, n_classes=2, n_clusters_per_class=3, random_state=seed
    )[0], k


def quantiles(rng: Rng) -> Drawn:
    """One Gaussian, in shells."""
    d, k = int(rng.integers(2, 7)), int(rng.integers(2, 4))
    cov = float(rng.uniform(0.5, 3.0))
    return datasets.make_gaussian_quantiles(n_samples=size(rng), n_features=d, n_classes=k, cov=cov, random_state=1)[
        0
    ], k


def low_rank(rng: Rng) -> Drawn:
    """Entries of a nearly low-rank matrix, about 1e-2 in size."""
    return datasets.make_low_rank_matrix(size(rng), 10, effective_rank=3, random_state=int(rng.integers(1 << 30))), 3


def friedman1(rng: Rng) -> Drawn:
    """Uniform columns beside their response."""
    x, y = datasets.make_friedman1(size(rng), 5, noise=1.0, random_state=int(rng.integers(1 << 30)))
    return np.column_stack([x, y]), 4


def friedman2(rng: Rng) -> Drawn:
    """Columns from 0 to 1 and to 1800, beside a product of them."""
    x, y = datasets.make_friedman2(size(rng), noise=100.0, random_state=int(rng.integers(1 << 30)))
    return np.column_stack([x, y]), 3


def friedman3(rng: Rng) -> Drawn:
    """The same beside an angle."""
    x, y = datasets.make_friedman3(size(rng), noise=0.1, random_state=int(rng.integers(1 << 30)))
    return np.column_stack([x, y]), 2


def regression(rng: Rng) -> Drawn:
    """Columns and a response that they nearly determine."""
    x, y = datasets.make_regression(size(rng), 5, noise=5.0, random_state=int(rng.integers(1 << 30)))
    return np.column_stack([x, y]), 2


# ------------------------------------------------------------------------------------- mlbench's shapes


def spirals(rng: Rng) -> Drawn:
    """Two spirals of one and a half turns."""
    n = size(rng)
    t = 3 * math.pi * np.sqrt(rng.random(n)) + 0.5
    side = rng.choice([-1.0, 1.0], n)
    return np.column_stack([side * t * np.cos(t), side * t * np.sin(t)]) + 0.3 * rng.standard_normal((n, 2)), 6


def cassini(rng: Rng) -> Drawn:
    """Two bananas about a disc."""
    n = size(rng)
    angle, radius, which = rng.uniform(0, math.pi, n), rng.uniform(1.0, 1.6, n), rng.random(n)
    x = np.column_stack([radius * np.cos(angle), radius * np.sin(angle) - 1.9])
    x[which < 0.4, 1] *= -1.0
    disc = which > 0.8
    r, a = 0.4 * np.sqrt(rng.random(n)), rng.uniform(0, 2 * math.pi, n)
    x[disc] = np.column_stack([r * np.cos(a), r * np.sin(a)])[disc]
    return x, 3


def corners(rng: Rng) -> Drawn:
    """The corners of a cube, with spreads of a tenth to a quarter of its side."""
    n, sd = size(rng), float(rng.uniform(0.1, 0.25))
    return rng.integers(0, 2, (n, 3)) + sd * rng.standard_normal((n, 3)), 8


def simplex(rng: Rng) -> Drawn:
    """The corners of a simplex."""
    d, n, sd = int(rng.integers(3, 8)), size(rng), float(rng.uniform(0.1, 0.25))
    return np.eye(d)[rng.integers(0, d, n)] + sd * rng.standard_normal((n, d)), d


def shapes(rng: Rng) -> Drawn:
    """A Gaussian, a square, a triangle and a wave."""
    n = size(rng)
    which, u = rng.integers(0, 4, n), rng.random((n, 2))
    triangle = np.column_stack([u[:, 0] + 0.5 * u[:, 1] * (1 - 2 * u[:, 0]), u[:, 1]])
    wave = np.column_stack([2 * u[:, 0], 0.5 * np.sin(2 * math.pi * u[:, 0]) + 0.2 * u[:, 1]])
    kinds = np.array(
        [
            0.2 * rng.standard_normal((n, 2)) - 1.0,
            u + 1.0,
            triangle + np.array([-2.0, 1.0]),
            wave + np.array([0.5, -1.0]),
        ]
    )
    return kinds[which, np.arange(n)], 4


def smiley(rng: Rng) -> Drawn:
    """Two eyes, a nose and a mouth."""
    n = size(rng)
    which = rng.choice(4, n, p=[1 / 6, 1 / 6, 1 / 4, 5 / 12])
    x = 0.1 * rng.standard_normal((n, 2)) + np.array([[-0.8, 1.0], [0.8, 1.0], [0.0, 0.0], [0.0, 0.0]])[which]
    nose, mouth = which == 2, which == 3
    u = rng.uniform(-1, 1, n)
    v = rng.random(n)
    x[nose] = np.column_stack([0.4 * u * (1 - v), v - 0.3])[nose]
    x[mouth] = np.column_stack([u, u**2 - 1.0 + 0.05 * rng.standard_normal(n)])[mouth]
    return x, 4


def ringnorm(rng: Rng) -> Drawn:
    """Breiman's: a narrow Gaussian within one of four times its variance, 20 columns."""
    n, d = size(rng, 1e4), 20
    inner = rng.random(n) < 0.5
    x = rng.standard_normal((n, d))
    x[~inner] *= 2.0
    x[inner] += 2.0 / math.sqrt(d)
    return x, 2


def waveform(rng: Rng) -> Drawn:
    """Breiman's: convex mixtures of two of three waves, with noise, 21 columns."""
    n, i = size(rng, 1e4), np.arange(1, 22)
    waves = np.maximum(6 - np.abs(i - np.array([[7.0], [15.0], [11.0]])), 0)
    pairs = np.array([[0, 1], [0, 2], [1, 2]])[rng.integers(0, 3, n)]
    u = rng.random((n, 1))
    return u * waves[pairs[:, 0]] + (1 - u) * waves[pairs[:, 1]] + rng.standard_normal((n, 21)), 3


# ------------------------------------------------------------------------------- overlap and separation


def overlap(rng: Rng) -> Drawn:
    """As MixSim: Wishart covariances and centres in a cube scaled until the mean Bayes error of pairs is as asked."""
    k, d, n = int(rng.integers(2, 9)), int(rng.integers(2, 9)), size(rng)
    asked = float(rng.choice([0.001, 0.01, 0.03]))
    least = 0.5 / k
    weights = least + (1 - k * least) * rng.dirichlet(np.ones(k))
    covariances = np.array([scatter(d, rng) for _ in range(k)])
    centres = rng.random((k, d))
    low, high = 0.1, 1e3
    for _ in range(25):
        scale = math.sqrt(low * high)
        errors = []
        for i in range(k):
            for j in range(i):
                gap = scale * (centres[i] - centres[j])
                away = float(gap @ np.linalg.solve(0.5 * (covariances[i] + covariances[j]), gap))
                errors.append(math.exp(-away / 8) / 2)
        low, high = (scale, high) if np.mean(errors) > asked else (low, scale)
    return gaussians(scale * centres, covariances, weights, n, rng), k


def separation(rng: Rng) -> Drawn:
    """As clusterGeneration: neighbours so far apart in their best direction, noise columns, turned."""
    k, d, n = int(rng.integers(2, 8)), int(rng.integers(2, 6)), size(rng)
    apart = float(rng.choice([2.5, 4.0, 6.0]))
    covariances = np.array([scatter(d, rng, 1.0) * 10 ** rng.uniform(-0.5, 0.5) for _ in range(k)])
    means = np.zeros((k, d))
    for j in range(1, k):
        side = rng.standard_normal(d)
        side /= np.linalg.norm(side)
        wide = math.sqrt(side @ covariances[j] @ side) + math.sqrt(side @ covariances[j - 1] @ side)
        means[j] = means[j - 1] + side * wide * 0.5 * apart
    x = gaussians(means, covariances, np.full(k, 1 / k), n, rng)
    noise = rng.standard_normal((n, int(rng.integers(0, 4)))) * np.sqrt(np.trace(covariances[0]) / d)
    x = np.hstack([x, noise])
    return x @ np.linalg.qr(rng.standard_normal((x.shape[1], x.shape[1])))[0], k


def lattice(rng: Rng) -> Drawn:
    """A grid of 3 by 4 equal clusters."""
    n = size(rng, 1e4)
    at = rng.integers(0, 12, n)
    sd = float(rng.uniform(0.1, 0.2))
    return np.column_stack([at % 4, at // 4]) + sd * rng.standard_normal((n, 2)), 12


def light(rng: Rng) -> Drawn:
    """Weights down to one in a hundred."""
    k, d, n = 5, int(rng.integers(2, 7)), size(rng, 1e4)
    means = 10.0 * rng.standard_normal((k, d))
    covariances = np.array([scatter(d, rng) * 10 ** rng.uniform(-0.6, 0.6) for _ in range(k)])
    return gaussians(means, covariances, np.array([0.01, 0.05, 0.14, 0.3, 0.5]), n, rng), k


def nested(rng: Rng) -> Drawn:
    """Clusters of clusters: two or three near one another in each of three places."""
    d, n = int(rng.integers(2, 6)), size(rng, 1e4)
    tops = 30.0 * rng.standard_normal((3, d))
    means = np.repeat(tops, 2, axis=0) + 4.0 * rng.standard_normal((6, d))
    return gaussians(means, np.array([scatter(d, rng) for _ in range(6)]), np.full(6, 1 / 6), n, rng), 6


def factors(rng: Rng) -> Drawn:
    """Mixtures of two factors in 20 to 40 columns."""
    d, k, n = int(rng.integers(20, 41)), int(rng.integers(2, 5)), size(rng, 2e4)
    loads = rng.standard_normal((k, d, 2))
    covariances = np.array([a @ a.T + 0.5 * np.eye(d) for a in loads])
    return gaussians(1.5 * rng.standard_normal((k, d)), covariances, np.full(k, 1 / k), n, rng), k


def subspaces(rng: Rng) -> Drawn:
    """Projected clusters: each narrow in its own two columns of eight, wide in the others."""
    k, d, n = 4, 8, size(rng, 1e4)
    sds = np.full((k, d), 10.0)
    for j in range(k):
        sds[j, rng.choice(d, 2, replace=False)] = 0.5
    return gaussians(
        10.0 * rng.standard_normal((k, d)), np.array([np.diag(s**2) for s in sds]), np.full(k, 0.25), n, rng
    ), k


# ---------------------------------------------------------------------------------- what columns look like


def people(rng: Rng) -> Drawn:
    """Heights and weights of men, women and children, rounded."""
    n = size(rng)
    who = rng.choice(3, n, p=[0.4, 0.42, 0.18])
    height = np.array([176.0, 163.0, 125.0])[who] + np.array([7.0, 6.5, 18.0])[who] * rng.standard_normal(n)
    mass = np.array([24.5, 24.0, 17.0])[who] * (height / 100) ** 2 * np.exp(0.16 * rng.standard_normal(n))
    return np.round(np.column_stack([height, mass])), 3


def census(rng: Rng) -> Drawn:
    """Ages, log-normal incomes with zeros, hours heaped at 40."""
    n = size(rng)
    age = np.floor(18 + 60 * rng.beta(1.5, 2.0, n))
    income = np.round(np.exp(9.8 + 0.02 * np.minimum(age, 55) + 0.7 * rng.standard_normal(n)), -2) * (
        rng.random(n) < 0.9
    )
    hours = np.where(rng.random(n) < 0.5, 40.0, np.clip(np.round(38 + 12 * rng.standard_normal(n)), 1, 99))
    return np.column_stack([age, income, hours]), 3


def censored(rng: Rng) -> Drawn:
    """Two clusters whose upper tenth is censored at one value in each column."""
    n = size(rng)
    x = rng.standard_normal((n, 3)) @ scatter(3, rng) + 4.0 * rng.integers(0, 2, (n, 1))
    return np.minimum(x, np.quantile(x, 0.9, axis=0)), 2


def sales(rng: Rng) -> Drawn:
    """Log-normal amounts beside quantities and discounts."""
    n = size(rng)
    price = rng.lognormal(3.0, 1.0, n)
    quantity = 1.0 + rng.poisson(3.0, n)
    return np.column_stack([price, quantity, price * quantity * rng.uniform(0.8, 1.0, n)]), 3


def students(rng: Rng) -> Drawn:
    """Clusters of Student rows with 3 or 6 degrees of freedom, weights uneven."""
    k, d, n = int(rng.integers(2, 5)), int(rng.integers(1, 6)), size(rng)
    df = float(rng.choice([3.0, 6.0]))
    x = gaussians(np.zeros((k, d)), np.array([scatter(d, rng)] * k), np.full(k, 1 / k), n, rng)
    x /= np.sqrt(rng.chisquare(df, (n, 1)) / df)
    return x + (12.0 * rng.standard_normal((k, d)))[rng.choice(k, n, p=rng.dirichlet(np.full(k, 4.0)))], k


def units(rng: Rng) -> Drawn:
    """Columns in units of 1e-9 to 1e9."""
    k, n = 4, size(rng)
    x = gaussians(
        6.0 * rng.standard_normal((k, 5)), np.array([scatter(5, rng) for _ in range(k)]), np.full(k, 0.25), n, rng
    )
    return x * np.array([1e-9, 1e-4, 1.0, 1e4, 1e9]), k


def offset(rng: Rng) -> Drawn:
    """A million deviations away from 0, as time stamps are."""
    k, n = 3, size(rng)
    x = gaussians(
        6.0 * rng.standard_normal((k, 3)), np.array([scatter(3, rng) for _ in range(k)]), np.full(k, 1 / k), n, rng
    )
    return x + 1e6 * rng.standard_normal(3), k


def collinear(rng: Rng) -> Drawn:
    """A column that nearly is the sum of two others."""
    k, n = 3, size(rng)
    x = gaussians(
        6.0 * rng.standard_normal((k, 3)), np.array([scatter(3, rng) for _ in range(k)]), np.full(k, 1 / k), n, rng
    )
    return np.column_stack([x, x[:, 0] + x[:, 1] + 0.01 * rng.standard_normal(n)]), k


def percents(rng: Rng) -> Drawn:
    """Beta percentages with one or two modes."""
    n = size(rng)
    shape = np.array([[2.0, 8.0], [9.0, 3.0], [0.8, 0.8]])
    which = rng.choice(3, n, p=[0.4, 0.4, 0.2])
    return np.round(100 * rng.beta(shape[which, :1], shape[which, 1:], (n, 3)), 1), 3


def likert(rng: Rng) -> Drawn:
    """Six answers from 1 to 7 by two kinds of people."""
    n = size(rng)
    loads = rng.uniform(0.5, 1.0, 6)
    x = 4 + 1.2 * rng.choice([-1.0, 1.0], (n, 1)) + loads * rng.standard_normal((n, 1)) + rng.standard_normal((n, 6))
    return np.clip(np.round(x), 1, 7), 2


def counts(rng: Rng) -> Drawn:
    """Poisson counts of three rates."""
    n = size(rng)
    rates = rng.uniform(2.0, 60.0, (3, 4))
    return rng.poisson(rates[rng.integers(0, 3, n)]).astype(float), 3


def returns(rng: Rng) -> Drawn:
    """Daily returns whose volatility wanders, of four shares."""
    n = size(rng)
    logs = np.zeros(n)
    shocks = 0.15 * rng.standard_normal(n)
    for t in range(1, n):
        logs[t] = 0.98 * logs[t - 1] + shocks[t]
    market = rng.standard_normal((n, 1))
    return (0.01 * np.exp(logs)[:, None] * (0.7 * market + 0.7 * rng.standard_normal((n, 4))))[rng.permutation(n)], 3


def cities(rng: Rng) -> Drawn:
    """Places of events about eight towns of uneven sizes, some anywhere."""
    n = size(rng, 1e4)
    towns = rng.uniform([-10.0, 40.0], [10.0, 55.0], (8, 2))
    share = 1.0 / np.arange(1, 9)
    at = rng.choice(8, n, p=share / share.sum())
    x = towns[at] + rng.uniform(0.05, 0.4, 8)[at, None] * rng.standard_normal((n, 2))
    lost = rng.random(n) < 0.05
    x[lost] = rng.uniform([-10.0, 40.0], [10.0, 55.0], (int(lost.sum()), 2))
    return x, 8


def peaks(rng: Rng) -> Drawn:
    """One column: an exponential background and two peaks."""
    n = size(rng)
    which = rng.choice(3, n, p=[0.7, 0.2, 0.1])
    x = np.where(which == 0, 100 + rng.exponential(30.0, n), 0.0)
    x[which == 1] = 125 + 2.0 * rng.standard_normal(int((which == 1).sum()))
    x[which == 2] = 150 + 1.0 * rng.standard_normal(int((which == 2).sum()))
    return x[:, None], 4


def cells(rng: Rng) -> Drawn:
    """As flow cytometry: five populations of uneven sizes, cut at 0 and 10."""
    n = size(rng, 1e4)
    means = rng.uniform(1.0, 9.0, (5, 4))
    x = gaussians(means, np.array([0.5 * scatter(4, rng) for _ in range(5)]), rng.dirichlet(np.full(5, 2.0)), n, rng)
    return np.clip(x, 0.0, 10.0), 5


def gammas(rng: Rng) -> Drawn:
    """Clusters with gamma margins, correlated."""
    k, d, n = 3, 3, size(rng)
    x = rng.gamma(2.0, 1.0, (n, 1)) + rng.gamma(2.0, 1.0, (n, d))
    return x * np.array([1.0, 1.5, 2.0])[:d] + 15.0 * rng.random((k, d))[rng.integers(0, k, n)], k


def weibull(rng: Rng) -> Drawn:
    """Waiting times of two kinds beside an age."""
    n = size(rng)
    fast = rng.random(n) < 0.3
    wait = np.where(fast, 20 * rng.weibull(1.2, n), 400 * rng.weibull(2.5, n))
    return np.column_stack([wait, np.round(rng.normal(45, 12, n) + 15 * ~fast)]), 2


def compositions(rng: Rng) -> Drawn:
    """Three of four shares that sum to 1, of two kinds."""
    n = size(rng)
    kinds = np.array([[8.0, 4.0, 2.0, 2.0], [1.5, 3.0, 6.0, 6.0]])
    made = rng.standard_gamma(kinds[rng.integers(0, 2, n)])
    return (made / made.sum(axis=1, keepdims=True))[:, :3], 2


MADE: tuple[Callable[[Rng], Drawn], ...] = (
    classification, quantiles, low_rank, friedman1, friedman2, friedman3, regression, spirals, cassini, corners,
    simplex, shapes, smiley, ringnorm, waveform, overlap, separation, lattice, light, nested, factors, subspaces,
    people, census, censored, sales, students, units, offset, collinear, percents, likert, counts, returns, cities,
    peaks, cells, gammas, weibull, compositions, overlap, separation, overlap, separation, light, nested,
)  # fmt: skip


def tables(base: int) -> Iterator[tuple[str, Floats, int]]:
    """Names, rows in a public order, numbers of components."""
    for at, make in enumerate(MADE):
        rng = np.random.default_rng([base + at, 20_261_126])
        rows, k = make(rng)
        yield f"{make.__name__} {base + at}", np.asarray(rows, dtype=float)[rng.permutation(len(rows))], k

"""Mechanisms with known faults, and correct ones beside them, written from their papers' definitions.

Sparse vector 1 to 6: Lyu, Su and Li (VLDB 2017), algorithms 1 to 6, with one answer above (c = 1) as Bichsel et al.
(2021) take them, where algorithms 1 and 2 have the same law; and these two with two answers. Noisy maxima 1 to 4 and
noisy histograms 1 and 2: Ding, Wang, Wang, Zhang and Kifer (CCS 2018), algorithms 5 to 10. Truncated geometric: Balcer
and Vadhan (2018), algorithm 4.8, with the ε its theorem does not give. Prefix sums: Wang et al. (PLDI 2019), one entry
changed in each. One-time RAPPOR: Erlingsson, Pihur and Korolova (CCS 2014), steps 1 and 2. GapSVT: Wang et al. (PLDI
2019) with the gap to the noisy threshold released; broken as it has a quarter of the query noise that it needs.

A sampler maps (input, ε, runs, generator) to an array of shape (runs, outputs). ``nan`` is "not answered any more".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Sampler = Callable[[Floats, float, int, np.random.Generator], Floats]
QUERIES = 10
THRESHOLD = 1.0


def _answered(value: Floats, above: npt.NDArray[np.bool_], most: int | None) -> Floats:
    """``value`` where above and 0 where not, until ``most`` were above; nan from then on."""
    out = np.where(above, value, 0.0)
    if most is not None:
        before = np.cumsum(above, axis=1) - above
        out[before >= most] = np.nan
    return out


def _sparse(bar: float, query: float, *, most: int | None = 1, values: bool = False) -> Sampler:
    """Above threshold: noise of scale bar/ε on the threshold and query/ε on each query."""

    def sample(x: Floats, eps: float, runs: int, rng: np.random.Generator) -> Floats:
        rho = rng.laplace(scale=bar / eps, size=(runs, 1))
        noisy = x + rng.laplace(scale=query / eps, size=(runs, len(x)))
        return _answered(noisy if values else np.ones_like(noisy), noisy >= THRESHOLD + rho, most)

    return sample


def _renewed(most: int) -> Sampler:
    """Algorithm 2: noise of scale c/ε₁ on the threshold, drawn anew after each answer above; 2c/ε₁ on each query."""

    def sample(x: Floats, eps: float, runs: int, rng: np.random.Generator) -> Floats:
        rho = rng.laplace(scale=2 * most / eps, size=runs)
        noisy = x + rng.laplace(scale=4 * most / eps, size=(runs, len(x)))
        above = np.zeros(noisy.shape, dtype=np.bool_)
        for i in range(len(x)):
            above[:, i] = noisy[:, i] >= THRESHOLD + rho
            rho = np.where(above[:, i], rng.laplace(scale=2 * most / eps, size=runs), rho)
        return _answered(np.ones_like(noisy), above, most)

    return sample


def _maximum(exponential: bool, index: bool) -> Sampler:
    def sample(x: Floats, eps: float, runs: int, rng: np.random.Generator) -> Floats:
        draw: Any = rng.exponential if exponential else rng.laplace
        noisy = x + draw(scale=2 / eps, size=(runs, len(x)))
        return (np.argmax(noisy, axis=1) if index else noisy.max(axis=1)).astype(np.float64)[:, None]

    return sample


def _histogram(scale: Callable[[float], float]) -> Sampler:
    return lambda x, eps, runs, rng: x + rng.laplace(scale=scale(eps), size=(runs, len(x)))


def prefix_sums(x: Floats, eps: float, runs: int, rng: np.random.Generator) -> Floats:
    """Noise 1/ε an entry, sums of the noisy entries: ε a changed entry."""
    return np.cumsum(x + rng.laplace(scale=1 / eps, size=(runs, len(x))), axis=1)


def too_few(eps: float) -> int:
    """⌈ln(2/ε)⌉ where ⌈log₂(2/ε)⌉ is needed: the loss is ln(1 + 2^−k)."""
    return math.ceil(math.log(2 / eps))


def truncated_geometric(x: Floats, eps: float, runs: int, rng: np.random.Generator) -> Floats:
    """Of a count of 5 rows, with ratios 1 + 2^−k: it loses 0.118 at ε = 0.1, and from 0.2 on less than ε."""
    n, k, c = 5, too_few(eps), int(x[0])
    ratio = 2.0**k / (2.0**k + 1)
    z = np.arange(n + 1)
    weights = ratio ** np.abs(z - c) * np.where((z == 0) | (z == n), 1.0, 1 - ratio)
    return rng.choice(n + 1, size=(runs, 1), p=weights / weights.sum()).astype(np.float64)


def one_time_rappor(x: Floats, eps: float, runs: int, rng: np.random.Generator) -> Floats:
    """A Bloom filter of 20 bits, 4 of them set, each kept with probability 1 − f, else a coin, where ln((2−f)/f) = ε.

    It spends 8·ε where 4·ε is claimed.
    """
    f = 2 / (1 + math.exp(eps))
    bits = np.isin(np.arange(20), (int(x[0]) * 4 + np.arange(4)) % 20)
    keep = rng.random((runs, 20)) >= f
    return np.where(keep, bits, rng.random((runs, 20)) < 0.5).astype(np.float64)


def gap_sparse(x: Floats, eps: float, runs: int, rng: np.random.Generator) -> Floats:
    """The gap above the threshold is released, with a quarter of the query noise it needs."""
    rho = rng.laplace(scale=2 / eps, size=(runs, 1))
    noisy = x + rng.laplace(scale=1 / eps, size=(runs, len(x)))
    return _answered(noisy - THRESHOLD - rho, noisy >= THRESHOLD + rho, 1)


def every(change: float) -> tuple[Floats, Floats]:
    """All equal, and all moved by one."""
    return np.ones(QUERIES), np.ones(QUERIES) + change


def rises(split: int, at: float = 1.0) -> tuple[Floats, Floats]:
    """The first ones rise, the others fall."""
    moved = np.repeat([at + 1, at - 1], [split, QUERIES - split])
    return np.full(QUERIES, at), moved


PATTERNS = (
    every(1.0),
    rises(1),
    rises(5),
    rises(7),
    rises(9),
    (np.repeat([1.0, 0.0], [5, 5]), np.repeat([0.0, 1.0], [5, 5])),
    (np.repeat([0.0, 1.0], [9, 1]), np.repeat([1.0, 0.0], [9, 1])),
)
"""Neighbours in the largest change of a query: the patterns of Ding et al. (2018), and one between two of them."""
CELLS = ((np.full(5, 1.0), np.array([2.0, 1, 1, 1, 1])), (np.array([2.0, 1, 1, 1, 1]), np.full(5, 1.0)))
COUNTS = tuple((np.array([float(c)]), np.array([float(c + 1)])) for c in range(5))
VALUES = tuple((np.array([0.0]), np.array([float(v)])) for v in (1, 2, 3))


@attrs.frozen(eq=False)
class Known:
    """A mechanism, its parameter, what it claims, the neighbours that are tried, what DP-Sniper published, our runs."""

    name: str
    sample: Sampler
    epsilon: float
    claim: float
    pairs: tuple[tuple[Floats, Floats], ...]
    broken: bool
    published: float | None = None
    runs: int = 10_000_000


PUBLISHED = {
    "truncated geometric": 0.109,
    "NoisyHist2": 4.60,
    "noisy max 3": 0.249,
    "noisy max 4": 0.346,
    "prefix sums": 0.572,
    "SVT1": 0.077,
    "SVT2": 0.077,
    "SVT3": 0.181,
    "SVT4": 0.167,
    "SVT5": 1.76,
    "SVT6": 0.269,
}
"""What DP-Sniper shows at a claim of 0.1 (Bichsel et al., S&P 2021), with 2e8 runs at confidence 0.9."""


def corpus(eps: float = 0.1) -> tuple[Known, ...]:
    """All of them at a claim of ε; the published bounds are those at ε = 0.1."""
    numbers = PATTERNS
    known = PUBLISHED if eps == 0.1 else {}
    rows = (
        ("SVT1", _sparse(2, 4), numbers, False),
        ("SVT1, two answers", _sparse(2, 8, most=2), numbers, False),
        ("SVT2", _renewed(1), numbers, False),
        ("SVT2, two answers", _renewed(2), numbers, False),
        ("SVT3", _sparse(2, 2, values=True), numbers, True),
        ("SVT4", _sparse(4, 4 / 3), numbers, True),
        ("SVT5", _sparse(2, 0, most=None), numbers, True),
        ("SVT6", _sparse(2, 2, most=None), numbers, True),
        ("GapSVT", gap_sparse, numbers, True),
        ("noisy max 1", _maximum(False, True), numbers, False),
        ("noisy max 2", _maximum(True, True), numbers, False),
        ("noisy max 3", _maximum(False, False), numbers, True),
        ("noisy max 4", _maximum(True, False), numbers, True),
        ("NoisyHist1", _histogram(lambda e: 1 / e), CELLS, False),
        ("NoisyHist2", _histogram(lambda e: e), CELLS, True),
        ("truncated geometric", truncated_geometric, COUNTS, math.log1p(2.0 ** -too_few(eps)) > eps),
        ("prefix sums", prefix_sums, numbers, True),
    )  # fmt: skip
    found = [Known(name, sample, eps, eps, pairs, broken, known.get(name)) for name, sample, pairs, broken in rows]
    published = 0.597 if eps == 0.1 else None
    return (*found, Known("one-time RAPPOR", one_time_rappor, eps, 4 * eps, VALUES, True, published))

"""A mixture of Poisson laws: EM on blocks, a lifted mask of (weight, √rate), and the average of blocks that agree."""

from __future__ import annotations

from typing import Any

import numpy as np

import dpframe.plugin as dp

STEPS = 60


@dp.semimetric("worked.root_rate", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r, many=True)
def root_rate(a: Any, b: Any) -> Any:
    """The ℓ₂ distance of (weight, √rate): a norm, hence convex, with triangle constant 1."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


@dp.mask(
    "worked.root_rate.gaussian",
    semimetric="worked.root_rate",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))),
)
def gaussian(value: Any, noise: float, normals: Any) -> Any:
    """The Gaussian mechanism on a lattice, for vectors of any length within r in ℓ₂."""
    return dp.lattice_gaussian(value, noise, normals)


def em(counts: Any, k: int, generator: Any) -> tuple[Any, Any]:
    """Weights and rates of k Poisson laws, from quantiles on."""
    values, times = np.unique(np.maximum(np.round(counts), 0.0), return_counts=True)
    rates = np.quantile(counts, (np.arange(k) + 0.5) / k) + 0.1 + 0.01 * np.arange(k)
    weights = np.full(k, 1 / k)
    for _ in range(STEPS):
        logs = values[:, None] * np.log(rates) - rates + np.log(weights)
        share = np.exp(logs - logs.max(axis=1, keepdims=True))
        share *= times[:, None] / share.sum(axis=1, keepdims=True)
        mass = share.sum(axis=0) + 1e-12
        weights, rates = mass / mass.sum(), (values @ share) / mass + 1e-9
    return weights, rates


@dp.learner("worked.poisson_2")
def poisson_2(rows: Any, generator: Any) -> Any:
    """Two components (weight, √rate) of the first column."""
    weights, rates = em(rows[:, 0], 2, generator)
    return (np.stack([weights, np.sqrt(rates)], axis=1),)


@dp.composite("worked.poisson_mixture")
def poisson_mixture(x: dp.Handle, *, r: float, t: int) -> dp.Handle:
    """Two Poisson components as rows (weight, √rate), in random order; :func:`finish` makes weights and rates of them.

    Parameters
    ----------
    x : Handle
        The private table; its first column is counts.
    r : float
        Blocks are hoped to be within r/2 of one another, and √rates are farther apart than 3r.
    t : int
        Blocks.

    Formal guarantees
    -----------------
    That of ``arbas23.averaged`` (T8, and the lift of the mask), given that ``root_rate`` is a convex semimetric and
    that the mask costs what it says: both are asserted.
    """
    names = {"semimetric": "worked.root_rate", "mask": "worked.root_rate.gaussian", "learner": "worked.poisson_2"}
    recipe = dp.recipe("arbas23.averaged", size=2, k=2, r=r, view="mu", t=t, **names)
    made: dp.Handle = dp.release("poisson", recipe, x)
    return made


def finish(components: Any) -> tuple[Any, Any]:
    """Weights on the simplex and rates, by rate."""
    weights = np.clip(components[:, 0], 1e-6, None)
    order = np.argsort(components[:, 1])
    return (weights / weights.sum())[order], np.clip(components[:, 1], 0.0, None)[order] ** 2

"""A mixture of product Bernoulli laws: a noisy table of all cells, members fitted to it, and a choice by the rows."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp

STARTS = 12


@dp.composite("worked.bernoulli_decoder")
def bernoulli_decoder(x: dp.Handle, *, k: int, most: int, share: float, seed: int, **unused: Any) -> dp.Handle:
    """Members that explain a released table of the 2^d cells; for at most 12 columns of zeros and ones.

    Formal guarantees
    -----------------
    One histogram on public cells and Gaussian noise.
    """
    cells = dp.product_counts(x, dp.constant([[-0.5, 0.5, 1.5]] * x.d))
    counts = dp.release("cells", dp.gaussian(share=share), cells)
    return dp.post("worked.bernoulli_list", counts, d=x.d, k=k, most=most, seed=seed, name="listed")


@dp.register("worked.bernoulli_list")
@attrs.frozen
class BernoulliList(dp.Post):
    """Components of EM on the released cells, from many starts.

    Parameters
    ----------
    d, k, most, seed : int
        Columns, components, most members, public seed of the starts.
    """

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("counts", dp.PARAM),)
    d: int = attrs.field(kw_only=True, validator=dp.positive_whole)
    k: int = attrs.field(kw_only=True, validator=dp.positive_whole)
    most: int = attrs.field(kw_only=True, validator=dp.positive_whole)
    seed: int = attrs.field(default=0, kw_only=True, validator=dp.whole)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(BernoulliList(d=2, k=2, most=4), (dp.Counts(16),))]

    def output(self, *inputs: dp.Domain) -> dp.Domain:
        """At most so many probability vectors."""
        if dp.wants(inputs[0], dp.Counts, self.name).m != 4**self.d:
            raise dp.PlanError(f"takes the counts of {self.d} columns cut in four", fix="give d")
        return dp.ListOf(dp.Vector(self.d), self.most)

    def apply(self, *values: Any) -> Any:
        """The likeliest solutions first."""
        inner = np.asarray(values[0], dtype=np.float64).reshape((4,) * self.d)[(slice(1, 3),) * self.d]
        counts = np.clip(np.ravel(inner), 0.0, 1e15)
        if not counts.sum() > 0:
            return dp.Failed("no cell stands out", "use more rows or a larger epsilon")
        points = np.array(list(np.ndindex(*(2,) * self.d)), dtype=np.float64)
        rng = np.random.default_rng(self.seed)
        solved = [em(points, counts / counts.sum(), self.k, rng) for _ in range(STARTS)]
        solved.sort(key=lambda pair: -pair[0])
        found = dict.fromkeys(tuple(np.round(p, 4).tolist()) for _, parts in solved for p in parts)
        return [np.array(p) for p in found][: self.most]


def em(points: Any, shares: Any, k: int, rng: Any) -> tuple[float, Any]:
    """Log-likelihood and the probabilities (k, d)."""
    p, weights = 0.2 + 0.6 * rng.random((k, points.shape[1])), np.full(k, 1 / k)
    for _ in range(200):
        dense = np.exp(points @ np.log(p).T + (1 - points) @ np.log(1 - p).T) * weights
        total = dense.sum(axis=1) + 1e-300
        part = dense * (shares / total)[:, None]
        mass = part.sum(axis=0) + 1e-12
        weights, p = mass / mass.sum(), np.clip((part.T @ points) / mass[:, None], 0.01, 0.99)
    return float(shares @ np.log(total)), p


@dp.composite("worked.bernoulli_mixture")
def bernoulli_mixture(x: dp.Handle, *, k: int = 2, alpha: float = 0.2, steps: int = 10) -> dp.Handle:
    """At most k product laws as rows (weight, probabilities).

    Formal guarantees
    -----------------
    That of ``families.mixture``; asserted is that the density treats rows one by one.
    """
    own: dict[str, Any] = {"decoder": "worked.bernoulli_decoder", "listed": 10, "steps": steps}
    recipe = dp.recipe("families.mixture", family="families.bernoulli", k=k, alpha=alpha, **own)
    made: dp.Handle = dp.release("bernoulli", recipe, x)
    return made

"""Mixtures of columns of numbers and of categories: in each component a Gaussian and a table of categories."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Array,
    Domain,
    Handle,
    PlanError,
    Post,
    Slot,
    SpecError,
    Vector,
    composite,
    positive_whole,
    register,
    wants,
)

CATEGORIES = 0.1
"""Part of the share that counts categories."""
MOST_LEVELS = 1000
READINGS = ("categories", "categories_noise", "categories_sampling")
Floats = NDArray[np.float64]


def _sizes(value: Any) -> tuple[int, ...]:
    found = tuple(np.atleast_1d(np.asarray(value)).tolist())
    whole = all(not isinstance(v, bool) and float(v) == int(v) and 1 <= v <= MOST_LEVELS for v in found)
    if not found or not whole:
        raise SpecError(f"levels must be whole numbers from 1 to {MOST_LEVELS}, not {value!r}", fix="give levels=3,2")
    return tuple(int(v) for v in found)


@composite("tabular.mixed", examples={"k": 2, "levels": (2,)})
def mixed(
    x: Handle, *, k: int, levels: Sequence[int], bound: float, seed: int = 0, share: float = 1.0
) -> dict[str, Handle]:
    """A mixture of k components, each a Gaussian of the first columns and, independent of it, categories of the last.

    The Gaussians are learned from the numbers alone; then each row's categories are counted for every component, in
    proportion to the row's probability of it.

    Parameters
    ----------
    x : Handle
        The private table: numbers, and last a column of codes 0, 1, … for each entry of ``levels``. A row with another
        code counts for nothing in that column.
    k : int
        Components.
    levels : sequence of int
        How many categories each of the last columns has, declared.
    bound : float
        ℓ₂ radius around 0 that the numbers of a row are promised to lie in; generous is fine.
    seed : int
        Public seed of the pairs, the grids and the restarts.
    share : float
        Share of ρ.

    Returns
    -------
    dict of Handle
        ``mixture``; ``categories`` (k, total of levels), the shares of the categories in each component, one column's
        after the other's; ``categories_noise`` and ``categories_sampling``, their standard errors.

    Formal guarantees
    -----------------
    ``practical_mixture``, and one Gaussian release of a sum of non-negative vectors of ℓ₂ norm at most √m, m the
    number of columns of categories, to which the kernel clips what each row gives (``own_contribution``, level
    enforced).

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("m", dp.recipe("tabular.mixed", k=2, levels=[3], bound=1e6), x)["categories"]
    >>> budget = dp.approx_dp(1.0, 1e-6)
    >>> dp.plan(example, x=dp.rows(n=9000, d=3), adjacency=dp.REPLACE_ONE, budget=budget).verdict.holds
    True
    """
    sizes = list(_sizes(levels))
    if x.d <= len(sizes):
        raise PlanError("the table needs a column besides the categories", fix="give numbers, and last the codes")
    numbers = dp.select(x, columns=list(range(x.d - len(sizes))))
    steps = dp.recipe("practical_mixture", k=k, bound=bound, seed=seed, share=(1.0 - CATEGORIES) * share)
    mixture = dp.release("mixture", steps, numbers)
    total = dp.own("tabular.category_counts", x, mixture, k=k, levels=sizes)
    counts = dp.release("counts", dp.gaussian(share=CATEGORIES * share), total)
    how: dict[str, Any] = {"k": k, "levels": sizes}
    told = {what: dp.post("tabular.category_shares", counts, what=what, name=what, **how) for what in READINGS}
    return {"mixture": mixture, **told}


def responsibilities(rows: Floats, weights: Floats, means: Floats, covariances: Floats) -> Floats:
    """Probabilities (n, k) of the components of each row; numbers whatever the row.

    Element by element: a solver of many right sides gives a row other last digits beside other rows.
    """
    logs = np.empty((len(rows), len(weights)))
    for j in range(len(weights)):
        root = np.linalg.cholesky(covariances[j])
        z = np.clip(rows - means[j], -1e150, 1e150).T.copy()
        squares = np.zeros(len(rows))
        for i, column in enumerate(root.T):
            z[i] /= column[i]
            z[i + 1 :] -= column[i + 1 :, None] * z[i]
            squares += z[i] * z[i]
        spread = np.log(np.maximum(np.diagonal(root), 1e-300)).sum()
        logs[:, j] = np.log(max(float(weights[j]), 1e-300)) - spread - 0.5 * np.minimum(np.nan_to_num(squares), 1e300)
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


@dp.own_contribution(
    "tabular.category_counts",
    gives=lambda k, levels: Vector(int(k) * sum(_sizes(levels))),
    norm="l2",
    bound=lambda k, levels: math.sqrt(len(_sizes(levels))),
    nonnegative=True,
    examples={"k": 2, "levels": [2]},
)
def category_counts(rows: Any, mixture: Any, *, k: int, levels: Sequence[int]) -> Any:
    """Probability of each component times the one-hot vector of each category, for every row.

    The first columns of a mixture of more than there are numbers are their mixture.
    """
    d = rows.shape[1] - len(levels)
    means, covariances = mixture.means[:, :d], mixture.covariances[:, :d, :d]
    shares = responsibilities(rows[:, :d], mixture.weights, means, covariances)
    hot = [rows[:, d + i, None] == np.arange(size) for i, size in enumerate(levels)]
    return np.einsum("nk,nl->nkl", shares, np.concatenate(hot, axis=1).astype(np.float64)).reshape(len(rows), -1)


@register("tabular.category_shares")
@attrs.frozen
class CategoryShares(Post):
    """Shares of the categories in each component, or their standard errors.

    Parameters
    ----------
    k : int
    levels : sequence of int
    what : {"categories", "categories_noise", "categories_sampling"}
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("counts", PARAM),)
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    levels: tuple[int, ...] = attrs.field(converter=_sizes, kw_only=True)
    what: str = attrs.field(kw_only=True, validator=attrs.validators.in_(READINGS))

    def output(self, *inputs: Domain) -> Domain:
        """Numbers (k, total of levels)."""
        wants(inputs[0], Vector, self.name)
        return Array((self.k, sum(self.levels)))

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Normalise what is positive; a component too small for the noise gets the shares of all together."""
        counts = np.clip(np.nan_to_num(np.reshape(values[0], (self.k, -1))), 0.0, 1e300 / self.k / sum(self.levels))
        parts = np.split(counts, np.cumsum(self.levels)[:-1], axis=1)
        return np.concatenate([self._column(part, max(noise[0], 1e-6)) for part in parts], axis=1)

    def _column(self, counts: Floats, std: float) -> Floats:
        """Of one column; what is drawn in is worth as many rows as the noise of all its categories together."""
        size = counts.shape[1]
        pooled = counts.sum(axis=0) + std
        pooled /= pooled.sum()
        unsure = std * math.sqrt(size)
        totals = counts.sum(axis=1, keepdims=True) + unsure
        shares = (counts + unsure * pooled) / totals
        if self.what == "categories":
            return np.asarray(shares)
        if self.what == "categories_noise":
            return np.asarray(0.0 * shares + std / totals)
        return np.asarray(np.sqrt(shares * (1.0 - shares) / totals))

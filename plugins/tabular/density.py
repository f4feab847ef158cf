"""The density of each column: bins of about equal mass, found privately."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Above,
    Array,
    Counts,
    Domain,
    Expected,
    Handle,
    Post,
    Quality,
    Slot,
    composite,
    register,
    wants,
)
from dpframe_plugins.classic.checks import few_rows

from .cumulative import cumulated
from .quantiles import fine_counts
from .tails import SURE

MASSES = 48
OUTSIDE = 0.05
"""Part of a column's rows outside of its bins, above which the result is poor."""
READINGS = ("edges", "masses", "noise", "count")


@composite("tabular.density")
def density(x: Handle, *, bound: float, tight: bool = False, seed: int = 0, share: float = 1.0) -> dict[str, Handle]:
    """A piecewise constant density of every column, fine where rows are, from a generous bound.

    Parameters
    ----------
    x : Handle
        The private table.
    bound : float
        ℓ₂ radius around 0 that rows are promised to lie in; generous is fine.
    tight : bool
        The bound is about as small as it can be: no budget is spent on finding where rows lie.
    seed : int
        Public seed of the pairs of rows that tell the columns' units.
    share : float
        Share of ρ.

    Returns
    -------
    dict of Handle
        ``edges`` (d, 96), increasing; ``masses`` (d, 95), shares of the rows between them, and ``noise`` (d, 95), the
        standard deviation of the noise in these; ``count`` (1,), the noisy number of rows.

    Formal guarantees
    -----------------
    Two Gaussian releases of ``marginal_counts``, as in ``tabular.quantiles``.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("f", dp.recipe("tabular.density", bound=1e6), x)["masses"]
    >>> dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(0.5)).verdict.holds
    True
    """
    spread = [float(q) for q in np.linspace(0.0, 1.0, MASSES + 1)[1:-1]]
    edges, counts = fine_counts(x, spread, bound=bound, tight=tight, seed=seed, share=share)
    return {what: dp.post("tabular.mass", edges, counts, what=what, name=what) for what in READINGS}


@register("tabular.mass")
@attrs.frozen
class Mass(Post):
    """Edges, shares of rows between them, the noise of these, or the number of rows.

    Parameters
    ----------
    what : {"edges", "masses", "noise", "count"}
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("edges", PARAM), Slot("counts", PARAM))
    what: str = attrs.field(kw_only=True, validator=attrs.validators.in_(READINGS))

    def output(self, *inputs: Domain) -> Domain:
        """An array."""
        if self.what == "count":
            return Counts(1)
        d, size = wants(inputs[0], Array, self.name).shape
        return Array((d, size if self.what == "edges" else size - 1))

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """The distribution function made monotone, and its steps."""
        edges, counts = (np.asarray(v, dtype=np.float64) for v in values)
        totals = counts.sum(axis=1)
        if self.what == "edges":
            return edges
        if self.what == "count":
            return np.array([totals.mean()])
        if not (totals > 3.0 * noise[1] * counts.shape[1] ** 0.5).all():
            return few_rows()
        if self.what == "noise":
            return np.outer(noise[1] / totals, np.ones(edges.shape[1] - 1))
        return np.array([_masses(row) for row in counts])

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
        """Poor where bins surely miss many of a column's rows, one verdict for all parts; never good."""
        counts = np.asarray(values[1], dtype=np.float64)
        outside = (counts[:, 0] + counts[:, -1] - SURE * noise[1] * math.sqrt(2.0)) / counts.sum(axis=1)
        missed = max(float(outside.max()), 0.0)
        why = f"at least {missed:.2g} of some column's rows lie outside of its bins; poor above {OUTSIDE:g}"
        if missed > OUTSIDE:
            return Quality("poor", f"{why}, as where most share one value: more rows or a larger budget find more")
        return Quality("unchecked", f"{why}; whether rows share one value is not looked at")

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """Half of the sum of what bins of about equal mass are off, by sampling and by noise."""
        if self.what != "masses" or not rows:
            return None
        bins = float(wants(result, Array, self.name).shape[1])
        off = math.hypot(math.sqrt(1.0 / (bins * rows)), noise.stds[1] / rows) * math.sqrt(2.0 / math.pi)
        seen = rows > 3.0 * noise.stds[1] * math.sqrt(bins)
        what = "total variation of a column's masses"
        return Expected(
            0.5 * bins * off if seen else math.inf, what, "continuous columns, in a bound ten times too large"
        )


def _masses(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares of the rows between the edges of one column; they sum to 1."""
    masses = np.diff(cumulated(counts))
    return np.asarray(masses / masses.sum() if masses.sum() > 0 else np.full(len(masses), 1.0 / len(masses)))

"""A mixture of Laplace laws in one column, with no bound on its parameters: list decoding and a choice."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.composite("worked.laplace_decoder")
def laplace_decoder(x: dp.Handle, *, most: int, rows: int, share: float, seed: int, **unused: Any) -> dp.Handle:
    """Medians and scales of Laplace laws that the rows may be of: the cells of ``aal21.cells_of`` and their counts.

    Formal guarantees
    -----------------
    Those of ``aal21.cells_of``: kernel histograms.
    """
    cells = dp.recipe("aal21.cells_of", n=rows, share=share, seed=seed)
    found = dp.apply("cells", cells, x)
    return dp.post("worked.laplace_list", found["edges"], found["counts"], most=most, name="listed")


@dp.register("worked.laplace_list")
@attrs.frozen
class LaplaceList(dp.Post):
    """Medians and scales of runs of heavy cells: weighted EM on the released cells from several starts.

    Parameters
    ----------
    most : int
        Most members.
    """

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("edges", dp.PARAM), dp.Slot("counts", dp.PARAM))
    most: int = attrs.field(kw_only=True, validator=dp.positive_whole)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(LaplaceList(most=4), (dp.Array((1, 9)), dp.Counts(10)))]

    def output(self, *inputs: dp.Domain) -> dp.Domain:
        """At most so many (median, scale)."""
        dp.wants(inputs[0], dp.Array, self.name)
        return dp.ListOf(dp.Vector(2), self.most)

    def apply(self, *values: Any) -> Any:
        """One to four components from quantiles; every fitted component is listed."""
        edges = np.unique(values[0][0])
        counts = np.maximum(np.ravel(values[1])[1 : len(edges)], 0.0)  # the outer cells have no middle
        centres = edges[:-1][: len(counts)] / 2 + edges[1:][: len(counts)] / 2
        if not counts.sum() > 0 or not np.isfinite(centres).all():
            return dp.Failed("no cell stands out", "use more rows or a larger epsilon")
        found: list[Any] = []
        for k in (1, 2, 3, 4):
            found += fit(centres, counts, k)
        return [np.array(theta) for theta in dict.fromkeys(found)][: self.most] or dp.Failed(
            "no member", "use more rows"
        )


def fit(x: Any, counts: Any, k: int) -> list[tuple[float, float]]:
    """EM of k Laplace laws on weighted points; those whose weight or scale vanishes are dropped."""
    order = np.cumsum(counts) / counts.sum()
    medians = x[np.searchsorted(order, (np.arange(k) + 0.5) / k)]
    scales = np.full(k, max(float((counts * np.abs(x - np.median(x))).sum() / counts.sum()) / k, 1e-9))
    weights = np.full(k, 1 / k)
    with np.errstate(all="ignore"):
        for _ in range(100):
            logs = -np.abs(x[:, None] - medians) / scales - np.log(scales) + np.log(weights)
            share = np.exp(logs - logs.max(axis=1, keepdims=True))
            share *= (counts / share.sum(axis=1))[:, None]
            mass = share.sum(axis=0)
            at = [min(int(np.searchsorted(np.cumsum(s), s.sum() / 2)), len(x) - 1) for s in share.T]
            medians, weights = x[at], mass / mass.sum()
            scales = np.maximum((share * np.abs(x[:, None] - medians)).sum(axis=0) / mass, 1e-9)
    parts = zip(medians.tolist(), scales.tolist(), weights.tolist(), strict=True)
    return [(m, s) for m, s, w in parts if w > 0.01 and 1e-8 < s < 1e12 and abs(m) < 1e15]


@dp.composite("worked.laplace_mixture")
def laplace_mixture(x: dp.Handle, *, k: int = 2, alpha: float = 0.2, steps: int = 10) -> dp.Handle:
    """At most k Laplace components as rows (weight, median, scale).

    Formal guarantees
    -----------------
    That of ``families.mixture``; asserted is that the Laplace density treats rows one by one.
    """
    own: dict[str, Any] = {"decoder": "worked.laplace_decoder", "listed": 10, "steps": steps}
    made: dp.Handle = dp.release(
        "laplace", dp.recipe("families.mixture", family="families.laplace", k=k, alpha=alpha, **own), x
    )
    return made

"""``stable_histogram``: noisy counts of occupied bins above an exact threshold, of several histograms at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact.folds.spilling import chunks
from dpframe.kernel.exact.integers import add, to_floats
from dpframe.kernel.operations import Exact, Mechanism, wants
from dpframe.kernel.proposals import HistogramNoise
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, SparseCounts, fraction
from dpframe.proof.theorems import histogram_scale, histogram_threshold


@attrs.frozen(eq=False)
class ReleasedCells:
    """One released histogram: integer cell ids (c, p), sorted, with noisy counts (c,), and its threshold and noise."""

    ids: np.ndarray[Any, np.dtype[np.int64]]
    counts: np.ndarray[Any, np.dtype[np.float64]]
    threshold: int
    scale: float


@register("stable_histogram")
@attrs.frozen
class StableHistogram(HistogramNoise, Mechanism):
    """Publish the occupied bins whose noisy count exceeds τ, for up to ``levels`` histograms of the same rows.

    Parameters
    ----------
    noise : {"gaussian", "laplace"}
        With Gaussian noise the m histograms cost ℓ₂ √(2m) under replace-one (T1) instead of m runs at ε/m.
    delta_fraction : float
        Fraction of the budget's δ for bins occupied on one side only.

    Formal guarantees
    -----------------
    Adjacency: any edits. Loss: the noise's, plus δ (``stable_histogram``, with the proof). The number m of
    histograms may be a released number up to the declared one: noise grows with √m and the
    threshold follows, so the loss does not depend on it. Cell ids are sorted before release.

    References
    ----------
    Korolova, Kenthapadi, Mishra, Ntoulas (2009); Bun, Nissim, Stemmer (2016); docs/theory/corrections.md#t1.

    Examples
    --------
    >>> import math
    >>> from dpframe.kernel.noise import SeededSource
    >>> from dpframe.proof.spaces import L1, L2, LInf
    >>> domain, stable = SparseCounts(p=1, levels=1), StableHistogram(share=1.0, delta_fraction=0.5)
    >>> noise = stable.calibrate(0.5, 1e-6, (L1(2.0), L2(math.sqrt(2)), LInf(1.0)), domain)
    >>> occupied = [(np.array([[-3], [4]]), np.array([900, 1]))]  # 900 rows in one bin, one row in another
    >>> (released,) = stable.release(Exact(occupied), noise, domain, SeededSource(1))
    >>> released.ids.tolist(), released.threshold  # a bin that one row may have occupied is not shown
    ([[-3]], 8)
    """

    noise: str = attrs.field(default="gaussian", kw_only=True, validator=attrs.validators.in_(("gaussian", "laplace")))
    delta_fraction: float = attrs.field(kw_only=True, validator=fraction)

    def drawn_at(self, calibration: Mapping[str, Any], histograms: int) -> float:
        """σ₁√m, or b₁·m."""
        return histogram_scale(self.noise, float(calibration["scale"]), histograms)

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Noisy counts of the occupied cells above the threshold; ``exact.integers`` is a list of (ids, counts)."""
        from dpframe.kernel.noise import discrete_laplace, rounded_gaussian

        cells = wants(domain, SparseCounts, "stable_histogram")
        m = max(1, len(exact.integers))  # no histogram was asked for: nothing is published
        reach = calibration.get("reach", 1.0)
        threshold = histogram_threshold(self.noise, calibration["scale"], m, calibration["delta"], cells.each, reach)
        draw, scale = rounded_gaussian if self.noise == "gaussian" else discrete_laplace, self.drawn_at(calibration, m)
        out = []
        for occupied in exact.integers:
            kept = []
            for ids, counts in chunks(occupied):
                noisy = add(counts, draw(source, scale, len(counts)))
                keep = noisy > threshold
                kept.append((ids[keep], to_floats(noisy[keep], exact.step)))
            cells_kept, totals = (np.concatenate(part) for part in zip(*kept, strict=True))
            out.append(ReleasedCells(cells_kept, totals, threshold, scale))
        blank = ReleasedCells(np.zeros((0, cells.p), dtype=np.int64), np.zeros(0), 0, scale)
        return tuple(out) + (blank,) * (cells.levels - len(out))

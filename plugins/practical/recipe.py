"""The tuned constants of the practical mixture: how the budget is shared, and fixed public parameters."""

from __future__ import annotations

import attrs


@attrs.frozen
class Shares:
    """Shares of ``rho = mu^2 / 2``; they sum to 1 when the Gram is released (``d > max(k - 1, 1)``)."""

    units: float = 0.01
    count: float = 0.002
    distances: tuple[float, ...] = (0.0032, 0.0032, 0.0032, 0.0032, 0.0032, 0.006)
    centers: tuple[float, ...] = (0.0045, 0.0045, 0.0045, 0.0045, 0.012)
    gram: float = 0.05
    signs: float = 0.025
    """Of the Gram matrix's, where directions that it misses would show (`turning`)."""

    pairs: float = 0.02
    cells: float = 0.13
    planes: float = 0.05
    """Of the cells', where planes are counted beside them."""

    passes: tuple[float, ...] = (0.04, 0.05, 0.06, 0.1, 0.375, 0.375)
    """Of what is left, relative."""
    choice: float = 0.01
    """Of the choice among starts, where there is more than one component."""

    radii: float = 0.015
    """Of the histograms of radii, where rows are not scarce."""

    fit: float = 0.04
    """Of the histogram of log densities, for the verdict."""

    @property
    def locating(self) -> float:
        """Share of the search for the ball."""
        return self.count + sum(self.distances) + sum(self.centers)

    @property
    def seeding(self) -> float:
        """Share of the first mixture."""
        return self.gram + self.pairs + self.cells

    @property
    def refining(self) -> float:
        """Share of all passes."""
        return 1.0 - self.units - self.locating - self.seeding


SHARES = Shares()
BRIEF = attrs.evolve(SHARES, distances=(0.006, 0.008, 0.008), centers=(0.012, 0.018))
"""Where rows are many: two centres and a radius, for as much in all."""
COARSE_RATIO = 2.0**0.5
FINE_RATIO = 2.0**0.25
FINER_RATIO = 2.0**0.125
"""Of the brief search: where the ball was 14 % too large, four of four tables of six uneven clusters got wrong starts
that had right ones in a tight ball."""
AVERAGED = 2
CHOICE = 0.1
"""Part of the refining's share that chooses the number of components, where that is asked for."""
THRESHOLD_DELTA = 0.1
"""Part of delta kept for the thresholds of the cells."""

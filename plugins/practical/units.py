"""Columns of very different units made comparable: a power of two for each, from noisy histograms of its pairs.

Principal directions and cubic cells mean something only where columns are comparable, and an income in cents beside
an age in years is not. The distances of pairs of rows tell a column's spread whatever its location.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe.plugin import (
    PARAM,
    Above,
    Array,
    Ball,
    BallValue,
    Domain,
    ExpectedBall,
    Failed,
    Mixture,
    MixtureValue,
    Post,
    Slot,
    Vector,
    positive,
    register,
    same,
    wants,
    whole,
)
from dpframe.plugin import powers_of_two as powers

from .finish import is_valid, within
from .locate import occupied
from .records import Floats, as_floats

SPREAD = 0.9
"""Quantile of a column's pair distances that is its spread."""
ALIKE = 1
"""Columns whose spreads, in powers of two, are at most so many apart stay as they are."""
LAW = (0.03, 0.059, 0.115, 0.211, 0.308, 0.218, 0.03)
"""Shares of a Gaussian's pair distances in octaves, the last but one of which holds the quantile `SPREAD`."""
NEAR = 10
"""Octaves from the typical column's within which that of a column is looked for that shows nothing by single bins."""
WIDE, NARROW, ROUNDS = 5.0, 0.5, 12
"""Deviation of the columns' octaves: a first guess and the least; steps (of EM) by which it is found."""
STRAYS = 0.02
"""Part of the columns whose octave is anywhere."""
CLEAR = 3.0
"""Deviations of the noise by which a column must show less than half of what it should, to be none of a Gaussian's."""
WIDEST = 2.0**500


def exponents(counts: Floats, std: float, alike: int = ALIKE) -> Floats:
    """Power of two of each column's spread, over the widest one's; 0 for all where the columns are alike.

    Parameters
    ----------
    counts : array of shape (d, bins)
        Noisy dyadic histograms of pair distances.
    std : float
        Of the noise of each count.
    alike : int
        Columns whose spreads, in powers of two, are at most so many apart stay as they are.

    Returns
    -------
    array of shape (d,)
        Not above 0. A column that shows nothing (all but ties) is taken for the widest.

    Notes
    -----
    Where single bins of some column drown in the noise, several of all columns together show it: see `octaves`.

    Examples
    --------
    >>> exponents(np.array([[0.0] * 9 + [50.0], [50.0] + [0.0] * 9]), 1.0).tolist()
    [0.0, -9.0]
    """
    kept = occupied(as_floats(counts).ravel(), std).reshape(np.shape(counts))
    totals = kept.sum(axis=1)
    found = totals > 0.0
    place = np.argmax(np.cumsum(kept, axis=1) >= SPREAD * totals[:, None], axis=1)
    if not found.all():
        place, shown = octaves(as_floats(counts), std, place[found].tolist())
        found |= shown
    if not found.any():
        return np.zeros(len(totals))
    widest = place[found].max()
    relative = as_floats(np.where(found, place - widest, 0))
    return relative if relative.min() < -alike else np.zeros(len(totals))


def octaves(counts: Floats, std: float, seen: list[int]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The likeliest octave of each column's spread, and whether it has one.

    Counts have a Gaussian's shares in the octaves about a column's, which lie about the columns' mean as a Gaussian
    does, but for `STRAYS`: where a column says little it is taken for a typical one. It has none where what it shows is
    too little to be a Gaussian's, and none has where all together do not stand out of the noise, by chance in less than
    one table in 100.

    Parameters
    ----------
    counts : array of shape (d, bins)
    std : float
        Of the noise of each count.
    seen : list of int
        Octaves of columns that single bins show.
    """
    law = np.array(LAW)
    size = float(np.linalg.norm(law))
    d, bins = counts.shape
    fits = np.array([np.convolve(column, law[::-1])[1 : bins + 1] for column in counts])
    total = fits.sum(axis=0)
    middle = int(np.argmax(total))
    if not seen and total[middle] < std * size * math.sqrt(2.0 * d * math.log(100.0 * bins)):
        return np.zeros(d, dtype=np.intp), np.zeros(d, dtype=bool)
    clear = fits.max(axis=1) > std * size * math.sqrt(2.0 * math.log(100.0 * fits.size))
    seen = [*seen, *fits.argmax(axis=1)[clear].tolist()]  # whole columns stand out where single bins don't
    std, near = max(std, 1e-9), slice(max(min([middle - NEAR, *seen]), 0), max([middle + NEAR, *seen]) + 2)
    pairs = max(float(counts[:, near].sum()) / d, 0.0)
    at, fits = np.arange(bins)[near], fits[:, near]
    centre, width = float(middle), WIDE
    for _ in range(ROUNDS):
        regular = (1.0 - STRAYS) / (width * math.sqrt(2.0 * math.pi)) * np.exp(-0.5 * ((at - centre) / width) ** 2)
        prior = regular + STRAYS / at.size
        logs = pairs * fits / std**2 + np.log(prior)
        chances = np.exp(logs - logs.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        part = (chances * (regular / prior)).sum(axis=0)
        centre = float(part @ at / part.sum())
        width = max(math.sqrt(float(part @ (at - centre) ** 2 / part.sum())), NARROW)
    means = chances @ at
    return np.rint(means).astype(np.intp), fits.max(axis=1) > 0.5 * pairs * size**2 - CLEAR * std * size


def slots(*names: str) -> tuple[Slot, ...]:
    """Released or public inputs."""
    return tuple(Slot(name, PARAM) for name in names)


@register("practical.exponents")
@attrs.frozen
class Exponents(Post):
    """The exponents of ``rescale``, from noisy dyadic histograms of each column's pair distances."""

    slots: ClassVar[tuple[Slot, ...]] = slots("pairs")
    alike: int = attrs.field(default=ALIKE, kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """One exponent a column."""
        return Vector(wants(inputs[0], Array, self.name).shape[0])

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Read the spreads off the histograms."""
        return exponents(as_floats(values[0]), noise[0], self.alike)


@register("practical.bounding")
@attrs.frozen
class Bounding(Post):
    """A ball around 0 that holds all rescaled rows, from the bound promised of the rows themselves.

    Parameters
    ----------
    bound : float
        ℓ₂ radius, in the units of the table.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("exponents")
    bound: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        return Ball(wants(inputs[0], Vector, self.name).d)

    def apply(self, *values: Any) -> Any:
        """The widest magnification of the ball of radius ``bound``."""
        factors = powers(values[0])
        return BallValue(np.zeros(len(factors)), min(self.bound * float(factors.max()), WIDEST))

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall:
        """The ball of the bound, whose columns are alike."""
        return ExpectedBall.within(self.bound)


@register("practical.table_units")
@attrs.frozen
class TableUnits(Post):
    """A mixture of rescaled rows in the units of the table.

    Parameters
    ----------
    bound : float
        ℓ₂ radius, in the units of the table, that rows lie in: means are moved into it (`finish.within`).
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("mixture", "exponents")
    bound: float | None = attrs.field(default=None, kw_only=True, validator=attrs.validators.optional(positive))

    def output(self, *inputs: Domain) -> Domain:
        """A mixture."""
        mixture = wants(inputs[0], Mixture, self.name)
        same(mixture.d, wants(inputs[1], Vector, self.name).d, self.name)
        return mixture

    def apply(self, *values: Any) -> Any:
        """Undo the powers of two."""
        mixture, found = values
        factors = 1.0 / powers(found)
        with np.errstate(all="ignore"):
            means = mixture.means * factors
            covariances = mixture.covariances * factors[:, None] * factors
        if not is_valid(mixture.weights, means, covariances):
            return Failed(
                "the released mixture leaves floating point in the units of the table",
                "scale the columns by public factors first",
            )
        means = means if self.bound is None else within(means, self.bound)
        return MixtureValue(mixture.weights, means, covariances)

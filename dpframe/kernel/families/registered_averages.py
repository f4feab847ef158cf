"""``registered_weight`` and ``registered_average``: T8 in a plugin's own semimetric, of vectors or of k components."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.families.populous import average
from dpframe.kernel.families.registered_models import (
    STEP,
    OfSemimetric,
    distances,
    exact_floats,
    near_by,
    quiet,
    read_values,
    usable,
)
from dpframe.kernel.families.registering import Semimetric, find_semimetric
from dpframe.kernel.operations import Exact, Steps, wants
from dpframe.kernel.registry import register
from dpframe.proof.families.populous import check_blocks, weight_moved
from dpframe.proof.families.registered import registered_radius, separation_of
from dpframe.proof.spaces import Blocks, Domain, positive, positive_whole

FARTHEST = 2.0**900
"""Blocks with larger numbers count as ⊥: weighted sums of others are below 2^52·2^900, so that no average raises."""


@attrs.frozen
class _Weighing(OfSemimetric):
    """What the test and the average share, besides the semimetric.

    Parameters
    ----------
    z_far : float
        The triangle constant where one of the two distances is up to 2·z·r, at least ``triangle(2·z·r)``.
    majority : int
        A block weighs nothing until more blocks than this are near it; at least t/2.
    ramp : int
        How many more give it full weight.
    """

    z_far: float = attrs.field(default=1.0, kw_only=True, validator=positive)
    majority: int = attrs.field(kw_only=True, validator=positive_whole)
    ramp: int = attrs.field(kw_only=True, validator=positive_whole)

    def admit(self, *inputs: Domain) -> None:
        """Triangle constants as registered; majority and ramp that fit the number of blocks."""
        super().admit(*inputs)
        least = float(find_semimetric(self.semimetric).triangle(2 * self.z * self.r))
        if not self.z_far >= least >= 1:
            raise PlanError(
                f"{self.semimetric!r} has a triangle constant of {least!r} at 2·z·r, not {self.z_far!r}",
                fix=f"use z_far={max(least, 1.0)!r}",
            )
        check_blocks(self.parameters(), wants(inputs[0], Blocks, self.name).t)

    def weighted(self, exact: Exact) -> tuple[Any, Any]:
        """Values (t, max(k, 1), d) and whole weights: ``ramp`` times those of the theorem."""
        with quiet():
            return self._weighted(exact)

    def _weighted(self, exact: Exact) -> tuple[Any, Any]:
        space = find_semimetric(self.semimetric)
        values, valid = read_values(list(exact.integers), self.k, self.d)
        valid = usable(space, values, valid & (np.abs(values).max(axis=(1, 2)) <= FARTHEST), self.r)
        if self.k > 1:
            far = separation_of(self.r, self.z, self.z_far)
            for i in np.flatnonzero(valid).tolist():
                valid[i] = separated(space, values[i], far)
        counts = near_by(space, values, valid, registered_radius(self.r, self.z))
        return values, np.clip(counts - self.majority, 0, self.ramp)


def separated(space: Semimetric, parts: Any, far: float) -> bool:
    """Whether all components of one value are farther apart than ``far``; a distance that is no number is none."""
    for a in range(1, len(parts)):
        found = distances(space, parts[a], parts[:a])
        if not (np.isfinite(found) & (found > far)).all():
            return False
    return True


@register("registered_weight")
@attrs.frozen
class RegisteredWeight(_Weighing):
    """W = Σ over blocks of clamp((c − majority)/ramp, 0, 1), c being the number of blocks within r/2z of it.

    A block whose components are not separated counts as ⊥, and one that the semimetric calls unusable or that holds a
    number beyond 2^900.

    Formal guarantees
    -----------------
    Sensitivity: 1 + (t − 1)/ramp for one changed block (``registered_weight``). Hypothesis in the certificate: the
    plugin's semimetric is one.

    References
    ----------
    docs/theory/averaged-populous.md.

    Examples
    --------
    >>> blocks = Exact([(np.array([0.01 * i]),) for i in range(5)] + [(np.array([9.0]),)])
    >>> weight = RegisteredWeight(semimetric="euclidean", r=1.0, d=1, majority=3, ramp=2)
    >>> weight.evaluate(blocks).floats.tolist()  # five blocks of full weight
    [5.0]
    """

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """1/ramp."""
        return Fraction(1, self.ramp)

    def evaluate(self, *values: Any) -> Exact:
        """Exact in steps of 1/ramp."""
        weights = self.weighted(values[0])[1]
        return Exact(np.array([int(weights.sum())], dtype=np.int64), Fraction(1, self.ramp))


@register("registered_average")
@attrs.frozen
class RegisteredAverage(_Weighing):
    """The average of the blocks, weighted as ``registered_weight`` does, matched component by component.

    It exists if the test passed.

    Parameters
    ----------
    test_threshold : float
        What the test asks of W at least.
    gamma : float
        Two neighbours' averages are within it: at least the registered ``averages(r, tau)``, where tau is the total
        variation (1 + (t − 1)/ramp)/test_threshold.

    Formal guarantees
    -----------------
    Given the passed test, two neighbours' averages are within gamma in the plugin's semimetric
    (``registered_average``). Hypotheses in the certificate: that it is a semimetric, z and z_far, and that it is convex
    with this gamma, rounding to float64 included.

    References
    ----------
    docs/theory/averaged-populous.md.

    Examples
    --------
    >>> blocks = Exact([(np.array([0.01 * i]),) for i in range(5)] + [(np.array([900.0]),)])
    >>> made = {"semimetric": "euclidean", "r": 1.0, "d": 1, "majority": 3, "ramp": 2}
    >>> average = RegisteredAverage(**made, test_threshold=4.0, gamma=gamma_of("euclidean", 1.0, 6, 2, 4.0))
    >>> average.evaluate(blocks).floats.round(6).tolist()  # the block far away has no weight
    [0.02]
    """

    test_threshold: float = attrs.field(kw_only=True, validator=positive)
    gamma: float = attrs.field(kw_only=True, validator=positive)

    def admit(self, *inputs: Domain) -> None:
        """And a gamma that the semimetric vouches for."""
        super().admit(*inputs)
        least = gamma_of(self.semimetric, self.r, wants(inputs[0], Blocks, self.name).t, self.ramp, self.test_threshold)
        if not self.gamma >= least:
            raise PlanError(
                f"averages in {self.semimetric!r} are within {least!r}, not {self.gamma!r}", fix=f"use gamma={least!r}"
            )

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """The finest that float64 has."""
        return STEP

    def evaluate(self, *values: Any) -> Exact:
        """Average in float64; zeros where no block has weight, which a passed test excludes."""
        parts, weights = self.weighted(values[0])
        chosen = np.flatnonzero(weights)
        shape = (self.k, self.d) if self.k else (self.d,)
        if not len(chosen):
            return exact_floats(np.zeros(shape))
        space, first = find_semimetric(self.semimetric), parts[chosen[0]]
        with quiet():
            matched = np.array([matched_to(space, first, parts[i]) for i in chosen.tolist()])
        return exact_floats(average(matched, weights[chosen]).reshape(shape))


def matched_to(space: Semimetric, first: Any, parts: Any) -> Any:
    """The components of a block in the order of the first one's: the nearest to each, which is unique by the proof."""
    return parts[[int(np.argmin(distances(space, part, parts))) for part in first]]


def gamma_of(semimetric: str, r: float, t: int, ramp: int, threshold: float) -> float:
    """How far two averages may be, by the word of the semimetric.

    Raises
    ------
    PlanError
        For a semimetric whose averages nobody vouches for.

    Examples
    --------
    >>> round(gamma_of("euclidean", 1.0, 1300, 585, 650.0), 5)
    0.00496
    """
    known = find_semimetric(semimetric)
    if known.averages is None:
        raise PlanError(
            f"semimetric {semimetric!r} says nothing of averages", fix="register it with averages=(r, tau) -> gamma"
        )
    gamma = float(known.averages(r, weight_moved(t, ramp, threshold)))
    if not 0 < gamma < math.inf:
        raise PlanError(f"averages in {semimetric!r} are within {gamma!r}", fix="give a positive finite bound")
    return gamma

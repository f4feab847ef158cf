"""``registered_agreement`` and ``select_registered``: Algorithm 1 in a plugin's own semimetric (Thm 4.3.1).

The plugin's distance sees copies of two vectors at a time and nothing else; whatever it raises or returns that is
no number counts as far.
"""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.families.agreeing import agreement_of, agreement_step
from dpframe.kernel.families.block_models import vectors
from dpframe.kernel.operations import Exact, IntArray, Query, Steps, wants
from dpframe.kernel.registry import find_semimetric, register, semimetric
from dpframe.proof.families.selection import registered_radius
from dpframe.proof.spaces import Blocks, Domain, Flag, Vector, positive, positive_whole

STEP = Fraction(1, 2**1074)
"""Every float64 is a whole number of these."""


@semimetric("euclidean", triangle=lambda r: 1.0)
def euclidean(a: Any, b: Any) -> float:
    """ℓ₂ distance, rounded up: the plainest semimetric.

    Differences and ``math.hypot``, which scales, are within 2^−52 each, and a step of the smallest float64 covers the
    subnormal ones.

    Examples
    --------
    >>> 5.0 <= euclidean(np.zeros(2), np.array([3.0, 4.0])) < 5.0001
    True
    """
    return math.nextafter(math.hypot(*(a - b).tolist()) * (1 + 2.0**-48), math.inf)


def near_by(distance: Any, points: Any, valid: Any, radius: float) -> IntArray:
    """For each block the number of blocks within ``radius`` of it, itself included; ⊥ is near nothing."""
    near = np.zeros((len(points), len(points)), dtype=np.bool_)
    alive = np.flatnonzero(valid).tolist()
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for at, i in enumerate(alive):
            for j in alive[at:]:
                near[i, j] = near[j, i] = _within(distance, points[i].copy(), points[j].copy(), radius)
    counts: IntArray = near.sum(axis=1).astype(np.int64)
    return counts


def _within(distance: Any, a: Any, b: Any, radius: float) -> bool:
    try:
        return bool(0 <= float(distance(a, b)) <= radius)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  whatever a plugin's distance raises means far, for this pair
        return False


@attrs.frozen
class _OfSemimetric(Query):
    """What the test and the selection share.

    Parameters
    ----------
    semimetric : str
        Registered name (:func:`dpframe.kernel.registry.semimetric`).
    r : float
        What is selected is within r of its twin's; a block's neighbourhood has radius r/2z.
    z : float
        The constant of the r-restricted triangle inequality, at least the registered ``triangle(r)``.
    d : int
        Dimension of the blocks' vectors.
    """

    semimetric: str = attrs.field(kw_only=True)
    r: float = attrs.field(kw_only=True, validator=positive)
    z: float = attrs.field(default=1.0, kw_only=True, validator=positive)
    d: int = attrs.field(kw_only=True, validator=positive_whole)

    def admit(self, *inputs: Domain) -> None:
        """A registered semimetric whose triangle constant is declared."""
        least = float(find_semimetric(self.semimetric).triangle(self.r))
        if not self.z >= least >= 1:
            raise PlanError(
                f"{self.semimetric!r} has a triangle constant of {least!r} at r={self.r!r}, not {self.z!r}",
                fix=f"use z={max(least, 1.0)!r}",
            )

    def _near(self, exact: Exact) -> IntArray:
        points, valid = vectors(list(exact.integers), self.d)
        radius = registered_radius(self.r, self.z)
        return near_by(find_semimetric(self.semimetric).distance, points, valid, radius)


@register("registered_agreement")
@attrs.frozen
class RegisteredAgreement(_OfSemimetric):
    """Q = mean over blocks i of the share of blocks within r/2z of block i.

    Formal guarantees
    -----------------
    Sensitivity: 2/t for one changed block (``registered_agreement``). Hypothesis in the certificate: the plugin's
    semimetric is one.

    References
    ----------
    Arbas23 Alg 1, Thm 4.3.1.
    """

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(RegisteredAgreement(semimetric="euclidean", r=1.0, d=d), (Blocks(5, Vector(d)),)) for d in (2, 1)]

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """1/t²."""
        return agreement_step(wants(inputs[0], Blocks, self.name).t)

    def evaluate(self, *values: Any) -> Exact:
        """Pairs of near blocks, in steps of 1/t²."""
        return agreement_of(self._near(values[0]))


@register("select_registered")
@attrs.frozen
class SelectRegistered(_OfSemimetric):
    """The result of the first block that more than ``majority`` blocks are near. It exists if the test passed.

    Parameters
    ----------
    majority : int
        At least t/2.
    test_threshold : float
        What the test asks of Q at least, above majority/t.

    Formal guarantees
    -----------------
    Given the passed test, two neighbours' selections are within r in the plugin's semimetric (``close_registered``),
    which is a hypothesis in the certificate.

    References
    ----------
    Arbas23 Thm 4.3.1; docs/theory/populous.md.
    """

    majority: int = attrs.field(kw_only=True, validator=positive_whole)
    test_threshold: float = attrs.field(kw_only=True, validator=positive)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        made = SelectRegistered(semimetric="euclidean", r=1.0, d=2, majority=3, test_threshold=0.8)
        return [(made, (Blocks(5, Vector(2)), Flag()))]

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """The finest that float64 has."""
        return STEP

    def evaluate(self, *values: Any) -> Exact:
        """The selected vector as exact floats; zeros where no block qualifies, which a passed test excludes."""
        qualified = np.flatnonzero(self._near(values[0]) > self.majority)
        if not len(qualified):
            return Exact(np.zeros(self.d, dtype=object), STEP)
        chosen = np.asarray(values[0].integers[int(qualified[0])][0], dtype=np.float64)
        return Exact(np.array([int(Fraction(float(x)) / STEP) for x in chosen], dtype=object), STEP)

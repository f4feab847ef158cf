"""``cap``, ``minimum``, ``maximum``, ``group_maximum``: 1-Lipschitz maps of score vectors."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.kernel.exact.integers import at_most, times
from dpframe.kernel.operations import Exact, Query, Steps
from dpframe.kernel.proposals import SameStep
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, positive_whole


def common_step(steps: list[Fraction]) -> Fraction:
    """The step of the coarsest lattice that holds lattices of these steps.

    Examples
    --------
    >>> common_step([Fraction(1, 9), Fraction(1, 8)])
    Fraction(1, 72)
    """
    bottom = math.lcm(*(step.denominator for step in steps))
    return Fraction(math.gcd(*(int(step * bottom) for step in steps)), bottom)


@register("cap")
@attrs.frozen
class Cap(SameStep, Query):
    """min(score, t), coordinate by coordinate.

    Formal guarantees
    -----------------
    Sensitivity: 1-Lipschitz in ℓ∞ (``lipschitz_scores``).

    Examples
    --------
    >>> Cap(t=5).evaluate(Exact(np.array([3, 5, 100]))).integers.tolist()
    [3, 5, 5]
    """

    t: int = attrs.field(kw_only=True, validator=positive_whole)

    def evaluate(self, *values: Any) -> Exact:
        """Cap on the lattice."""
        value: Exact = values[0]
        return Exact(at_most(value.integers, math.floor(self.t / value.step)), value.step)


@attrs.frozen
class _Extremum(Query):
    """One number from several scores."""

    choose: ClassVar[Callable[..., Any]]

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """That of the coarsest lattice that holds all the scores."""
        known = [step for step in steps if step is not None]
        return common_step(known) if known else None

    def evaluate(self, *values: Any) -> Exact:
        """The extremum of all scores, on the coarsest lattice that holds each input's."""
        steps = [Fraction(v.step) for v in values]
        step = common_step(steps)
        parts = [times(np.ravel(v.integers), int(s / step)) for v, s in zip(values, steps, strict=True)]
        return Exact(np.asarray(self.choose(np.concatenate(parts), keepdims=True)), step)


@register("group_maximum")
@attrs.frozen
class GroupMaximum(SameStep, Query):
    """The largest score of each of ``groups`` groups of one size that follow one another.

    Parameters
    ----------
    groups : int
        Their number, a divisor of the number of scores.

    Formal guarantees
    -----------------
    Sensitivity: 1-Lipschitz in ℓ∞ (``lipschitz_scores``): every group's maximum moves by at most what one score may.

    Examples
    --------
    >>> GroupMaximum(groups=2).evaluate(Exact(np.array([3, 5, 1, 0, 2, 1]))).integers.tolist()
    [5, 2]
    """

    groups: int = attrs.field(kw_only=True, validator=positive_whole)

    def evaluate(self, *values: Any) -> Exact:
        """Group by group."""
        value: Exact = values[0]
        return Exact(np.reshape(value.integers, (self.groups, -1)).max(axis=1), value.step)


@register("minimum")
@attrs.frozen
class Minimum(_Extremum):
    """The least of all scores.

    Formal guarantees
    -----------------
    Sensitivity: that of the largest input, in ℓ∞ (``lipschitz_scores``). Inputs of different steps are compared
    exactly.

    Examples
    --------
    >>> halves, thirds = Exact(np.array([1, 5]), Fraction(1, 2)), Exact(np.array([1]), Fraction(1, 3))
    >>> least = Minimum().evaluate(halves, thirds)  # of 1/2, 5/2 and 1/3
    >>> int(least.integers[0]) * least.step
    Fraction(1, 3)
    """

    choose = staticmethod(np.min)


@register("maximum")
@attrs.frozen
class Maximum(_Extremum):
    """The largest of all scores.

    Formal guarantees
    -----------------
    Sensitivity: that of the largest input, in ℓ∞ (``lipschitz_scores``). Inputs of different steps are compared
    exactly.

    Examples
    --------
    >>> most = Maximum().evaluate(Exact(np.array([4, 7])), Exact(np.array([6])))
    >>> most.integers.tolist()
    [7]
    """

    choose = staticmethod(np.max)

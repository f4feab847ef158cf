"""What a plan predicts of an error: from public numbers alone, and of no concern to privacy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from dpframe.proof.spaces import Domain

Noises: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
"""Mechanisms in order: the name of the statistic that each releases, and its noise parameters."""
COARSEST = 0.15
"""An error in standard deviations that is as large as this is none to ask for, and the models do not hold beyond."""
FARTHEST = 1e6


@attrs.frozen
class Expected:
    """An error that a plan predicts: how large, what it is an error of, and the instance it is predicted for.

    ``most`` is the largest error for which the model holds.
    """

    error: float
    what: str
    instance: str
    most: float = COARSEST


@attrs.frozen
class ExpectedBall:
    """A ball as it is expected on Gaussian rows of covariance I: its radius, and how far its centre is from their mean.

    Both are in standard deviations of the rows.
    """

    radius: float
    offset: float

    @staticmethod
    def within(bound: float) -> ExpectedBall:
        """The ball of a generous bound: rows lie a tenth of it from its centre, and at most a million deviations."""
        return ExpectedBall(bound, min(0.1 * bound, FARTHEST))


class Above(tuple[tuple[str, Mapping[str, Any]], ...]):
    """Mechanisms above a node, as `Noises`; and of its inputs the noise, the expected balls and the domains.

    After a run ``told`` is what the node's verdict gave its errors to know.
    """

    stds: tuple[float, ...]
    balls: tuple[ExpectedBall | None, ...]
    domains: tuple[Domain, ...]
    cautious: bool
    told: Mapping[str, Any]

    def __new__(
        cls,
        mechanisms: Iterable[tuple[str, Mapping[str, Any]]],
        stds: tuple[float, ...] = (),
        balls: tuple[ExpectedBall | None, ...] = (),
        domains: tuple[Domain, ...] = (),
        *,
        cautious: bool = False,
        told: Mapping[str, Any] | None = None,
    ) -> Above:
        """Put together; ``cautious`` where no gain may rest on rows that noise hides."""
        made = super().__new__(cls, mechanisms)
        made.stds, made.balls, made.domains, made.cautious = stds, balls, domains, cautious
        made.told = {} if told is None else told
        return made

    def of(self, statistic: str, parameter: str = "sigma") -> list[float]:
        """One noise parameter of every mechanism that releases this statistic."""
        return [float(found[parameter]) for name, found in self if name == statistic]

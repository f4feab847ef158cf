"""More covers for ``select_from_cover``, and the choice among a cover that a plugin enumerates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Domain,
    Failed,
    Handle,
    Kind,
    ListOf,
    PlanError,
    Post,
    Slot,
    Vector,
    composite,
    learner,
    positive_whole,
    register,
    wants,
)

from .asking import MOST_HYPOTHESES
from .cover import STEP
from .reduction import chosen, room

ANGLES, ROOT_STEP = 16, 0.5
"""Of the covers: probabilities sin²(πj/2·16), rates (j/2)²."""


def _numbers(values: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


@register("families.written")
@attrs.frozen
class Written(Post):
    """A public cover that is written out: parameter vectors of a family, one after another.

    Parameters
    ----------
    values : sequence of float
        All of them, of the first member first.
    p : int
        Numbers in a vector.

    Examples
    --------
    >>> [theta.tolist() for theta in Written(values=[0.0, 1.0, 5.0, 1.0], p=2).apply()]
    [[0.0, 1.0], [5.0, 1.0]]
    """

    slots: ClassVar[tuple[Slot, ...]] = ()
    values: tuple[float, ...] = attrs.field(converter=_numbers, kw_only=True)
    p: int = attrs.field(kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(Written(values=(0.0, 1.0, 5.0, 1.0), p=2), ())]

    def output(self, *inputs: Domain) -> Domain:
        """So many vectors."""
        if not self.values or len(self.values) % self.p or not np.isfinite(self.values).all():
            raise PlanError(
                f"{len(self.values)} numbers make no vectors of {self.p}", fix="write out finite ones, whole"
            )
        return ListOf(Vector(self.p), len(self.values) // self.p)

    def apply(self, *values: Any) -> Any:
        """The vectors."""
        return list(np.array(self.values, dtype=np.float64).reshape(-1, self.p))


TWO = {"family": "families.gaussian_diagonal", "cover": "families.written"}
"""What `dpframe check` calls the choice with, of one column."""


@composite("families.select_from_list", examples={**TWO, "parameters": {"values": (0.0, 1.0, 5.0, 1.0), "p": 2}})
def select_from_list(
    x: Handle,
    *,
    family: str,
    cover: str,
    parameters: Mapping[str, Any] | None = None,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """The member of a finite public cover that is about as near to the rows as any: pure ε, all rows choose.

    Parameters
    ----------
    x : Handle
        The private table.
    family : str
        Registered name.
    cover : str
        Registered operation without inputs, which enumerates the cover: a list of parameter vectors of the family, at
        most 2^20; ``families.written`` takes them as numbers.
    parameters : mapping, optional
        Its parameters.
    share : float
        Of ρ.
    seed : int
        Public seed of the integration.

    Returns
    -------
    Handle
        A released array of one row: the weight 1 and the member's parameters in the family.

    Formal guarantees
    -----------------
    Any adjacency: scores of sensitivity 1 and one selection, or counts of a few sets where there are more than 4,096.
    The certificate lists that the log-density treats rows one by one, and that the cover is public.
    """
    listed = dp.post(cover, name="cover", **dict(parameters or {}))
    size = room(wants(listed.domain, ListOf, cover).max_length, 1, 1, MOST_HYPOTHESES)
    n = next((i.n for i in x.tracer.inputs if i.kind is Kind.PRIVATE), None)
    rows = int(n) if n is not None else 10_000
    return chosen(x, listed, family=family, k=1, steps=1, size=size, n=rows, share=share, seed=seed)


@learner("families.laplace_cover")
def laplace_cover(rows: Any, generator: Any) -> Any:
    """The member of the cover of independent Laplace columns that is nearest to median and mean deviation of a block.

    Named as those of ``families.gaussian_members``, which makes parameters of it.
    """
    middle = np.median(rows, axis=0)
    scale = np.maximum(np.abs(rows - middle).mean(axis=0), 1e-300)
    level = np.rint(np.log(scale) / np.log1p(STEP))
    return (np.concatenate([level, np.rint(middle / (STEP * (1 + STEP) ** level))])[None],)


@learner("families.poisson_cover")
def poisson_cover(rows: Any, generator: Any) -> Any:
    """The member of the cover of independent Poisson columns that is nearest to the mean of a block, in √rates."""
    return (np.rint(np.sqrt(np.maximum(rows.mean(axis=0), 0.0)) / ROOT_STEP)[None],)


@learner("families.bernoulli_cover")
def bernoulli_cover(rows: Any, generator: Any) -> Any:
    """The member of the cover of product Bernoulli laws that is nearest to the means of a block, in angles."""
    angles = np.arcsin(np.sqrt(np.clip(rows.mean(axis=0), 0.0, 1.0))) / (np.pi / 2)
    return (np.rint(angles * ANGLES)[None],)


@attrs.frozen
class _Named(Post):
    """One number a column names a member."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("named", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """A parameter a column."""
        listed = wants(inputs[0], ListOf, self.name)
        if not isinstance(listed.item, Vector):
            raise PlanError(f"{self.name} takes vectors of whole numbers, not {listed.item}", fix="name members so")
        return listed

    def member(self, named: Any) -> Any:
        """Parameters of the member that the numbers name."""
        raise PlanError(f"{self.name!r} has no members")

    def apply(self, *values: Any) -> Any:
        """The members whose parameters are finite."""
        with np.errstate(all="ignore"):
            made = [self.member(np.asarray(named, dtype=np.float64)) for named in values[0]]
        kept = [theta for theta in made if np.isfinite(theta).all()]
        return kept or Failed("no proposed member has parameters in range", "scale the rows")


@register("families.poisson_members")
@attrs.frozen
class PoissonMembers(_Named):
    """Rates (j/2)², at least 1/64."""

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(PoissonMembers(), (ListOf(Vector(2), 3),))]

    def member(self, named: Any) -> Any:
        """The squares."""
        return np.maximum((ROOT_STEP * named) ** 2, 2.0**-6)


@register("families.bernoulli_members")
@attrs.frozen
class BernoulliMembers(_Named):
    """Probabilities sin²(πj/32), at least 1/1000 from 0 and 1."""

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(BernoulliMembers(), (ListOf(Vector(2), 3),))]

    def member(self, named: Any) -> Any:
        """By their angles."""
        return np.clip(np.sin(np.pi / 2 * np.clip(named / ANGLES, 0.0, 1.0)) ** 2, 1e-3, 1 - 1e-3)

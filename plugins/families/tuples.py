"""Members of a family listed from public rows, which costs nothing."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    PARAM,
    Domain,
    Failed,
    ListOf,
    Post,
    Rows,
    Slot,
    Vector,
    find_family,
    member_densities,
    positive_whole,
    register,
    wants,
    whole,
)

GROWTH, SIZES, ROUNDS = 1.5, 4, 10
"""How tuples of public rows grow, and how many sizes there are; rounds of sharpening."""


@register("families.tuples")
@attrs.frozen
class Tuples(Post):
    """Members of the family fitted to tuples of public rows: a random row and those nearest to it.

    How many rows of a table one component has is not known, so tuples grow: by half each, four sizes in turn. Each k of
    the members are then sharpened against one another on all public rows.

    Parameters
    ----------
    family : str
    each, most : int
        Rows to the smallest tuples, and tuples.
    k : int
        Components.
    seed : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("known", PARAM),)
    family: str = attrs.field(kw_only=True)
    each: int = attrs.field(kw_only=True, validator=positive_whole)
    most: int = attrs.field(kw_only=True, validator=positive_whole)
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(Tuples(family="families.gaussian_diagonal", each=4, most=3, k=2), (Rows(2),))]

    def output(self, *inputs: Domain) -> Domain:
        """At most so many parameter vectors."""
        return ListOf(Vector(int(find_family(self.family).size(wants(inputs[0], Rows, self.name).d))), self.most)

    def apply(self, *values: Any) -> Any:
        """Fit each tuple; those that give no finite parameters are left out."""
        rows = np.asarray(values[0], dtype=np.float64)
        rows = rows[np.isfinite(rows).all(axis=1)]
        if len(rows) < self.each:
            return Failed(f"{len(rows)} public rows make no tuple of {self.each}", "use more public rows")
        generator, known, found = np.random.default_rng(self.seed), find_family(self.family), []
        with np.errstate(all="ignore"):
            scale = rows.std(axis=0)
            unit = rows / np.where((scale > 0) & np.isfinite(scale), scale, 1.0)
            for i in range(self.most):
                start = unit[int(generator.integers(len(rows)))]
                count = math.ceil(self.each * GROWTH ** (i % SIZES))
                near = np.argsort(((unit - start) ** 2).sum(axis=1), kind="stable")[:count]
                found.append(_fitted(known, rows[near], generator))
            found = [theta for theta in found if theta is not None]
            for i in range(0, len(found) - self.k + 1, self.k):
                found[i : i + self.k] = _sharpened(known, rows, found[i : i + self.k], self.each, generator)
        return found or self._none(known, rows[: self.each], generator)

    def _none(self, known: Any, rows: Any, generator: Any) -> Failed:
        """Why no tuple gave a member: its functions differ in how many numbers that has, or rows are too few."""
        made, wanted, d = _made(known, rows, generator), int(known.size(rows.shape[1])), rows.shape[1]
        if made is None or made.shape == (wanted,):
            return Failed("no tuple of public rows gives a member of the family", "use more rows to a tuple")
        numbers = f"{made.size} number{'s' * (made.size != 1)}" if made.ndim == 1 else f"an array of shape {made.shape}"
        return Failed(
            f"family {self.family!r}: fit gave {numbers}, size({d}) says {wanted}", "let fit give as many as size says"
        )


def _sharpened(known: Any, rows: Any, members: list[Any], least: int, generator: Any) -> list[Any]:
    """Each public row to the likeliest member, and members fitted again; one that keeps too few rows stays."""
    for _ in range(ROUNDS):
        likeliest = member_densities(known, rows, np.array(members)).argmax(axis=0)
        for j in range(len(members)):
            own = rows[likeliest == j]
            theta = _fitted(known, own, generator) if len(own) >= least // 2 + 1 else None
            members[j] = members[j] if theta is None else theta
    return members


def _made(known: Any, rows: Any, generator: Any) -> Any:
    try:
        return np.asarray(known.fit(rows, generator), dtype=np.float64)
    except (ArithmeticError, ValueError):  # singular rows, say
        return None


def _fitted(known: Any, rows: Any, generator: Any) -> Any:
    theta = _made(known, rows, generator)
    fits = theta is not None and theta.shape == (known.size(rows.shape[1]),) and np.isfinite(theta).all()
    return theta if fits else None

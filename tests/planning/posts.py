"""Posts of every domain, for the plans of examples."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe as dp
from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.post_processing import Post
from dpframe.proof.spaces import (
    AffineMap,
    Ball,
    BallValue,
    Domain,
    Flag,
    ListOf,
    Outcome,
    Record,
    Whitening,
    domain_from_json,
)


@dp.register("test.balls")
@attrs.frozen
class Balls(Post):
    """A list of balls from any released value."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("released", PARAM, variadic=True),)
    d: int = attrs.field(default=2, kw_only=True)
    most: int = attrs.field(default=4, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        return ListOf(Ball(self.d), self.most)

    def apply(self, *values: Any) -> Any:
        return [BallValue(np.full(self.d, float(i)), 5.0) for i in range(self.most)]


@dp.register("test.flag")
@attrs.frozen
class Always(Post):
    """A flag from any released value."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("released", PARAM, variadic=True),)

    def output(self, *inputs: Domain) -> Domain:
        return Flag()

    def apply(self, *values: Any) -> Any:
        return Outcome(True, 0.0)


@dp.register("test.grids")
@attrs.frozen
class TestGrids(Post):
    """Grids, as a record."""

    def output(self, *inputs: Domain) -> Domain:
        return Record("grids")


@dp.register("test.map")
@attrs.frozen
class Map(Post):
    """A map of two columns to ``p``."""

    p: int = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        return AffineMap(2, self.p)


@dp.register("test.whitening")
@attrs.frozen
class TwoComponents(Post):
    """Two components of two columns."""

    def output(self, *inputs: Domain) -> Domain:
        return Whitening(2, 2)


@dp.register("test.value")
@attrs.frozen
class Value(Post):
    """A released value of any domain, given as JSON."""

    domain: dict[str, Any] = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        return domain_from_json(self.domain)


def ball(d: int = 2) -> Any:
    return dp.ball(centre=[0.0] * d, radius=10.0)


def value(domain: dict[str, Any]) -> Any:
    return dp.post("test.value", domain=domain)

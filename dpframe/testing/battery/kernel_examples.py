"""Parameters and input domains of kernel operations for which no guess fits, by class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dpframe.kernel.families.block_average import BlockAverage, BlockWeight
from dpframe.kernel.families.block_models import SelectBlock
from dpframe.kernel.families.density_scores import DensityScores
from dpframe.kernel.families.registered_averages import RegisteredAverage, RegisteredWeight, gamma_of
from dpframe.kernel.families.registered_mask import Lift, RegisteredMask
from dpframe.kernel.families.registered_models import RegisteredAgreement, SelectRegistered
from dpframe.kernel.operations import Operation
from dpframe.kernel.own.expressed import Express, ExpressParts, ExpressSum
from dpframe.proof.families.scores import FAMILY_MIXTURES
from dpframe.proof.spaces import Array, Blocks, Domain, Flag, Record, Rows, Vector

Examples = list[tuple[Operation, tuple[Domain, ...]]]
EUCLIDEAN: Mapping[str, Any] = {"semimetric": "euclidean", "r": 1.0}
MASK: Mapping[str, Any] = {"mask": "euclidean.gaussian", "share": 1.0, **EUCLIDEAN}


def _every(row: Any, at: Any) -> list[Any]:
    """Every kind of step."""
    near = np.exp(-abs(row[0] - at[0])) / np.sqrt(1.0 + row[1] ** 2)
    held = np.where((row[0] <= 1.5) | (row[1] < 0.0), np.log(abs(row[0])), np.floor(row[1]))
    return [near, np.clip(held, -2.0, np.maximum(row[0], 1.0)), row.dot([0.5, -2.0]) * (row[0] == row[1])]


def _express(cls: Any) -> Examples:
    """Every kind of step, with and without a released value."""
    return [(cls(formula=_every), (Rows(2), Vector(1))), (cls(formula=lambda row: [1.0 / row[0]]), (Rows(1),))]


def _express_sum(cls: Any) -> Examples:
    made = cls(formula=lambda row, at: [row[0], row[1] * at[0]], norm="l1", bound=3.0)
    return [(made, (Rows(2), Vector(1)))]


def _express_parts(cls: Any) -> Examples:
    return [(cls(formula=lambda row, at: row[0] + row[1] * at[0], count=3), (Rows(2), Vector(1)))]


def _block_weight(cls: Any) -> Examples:
    return [(cls(r=1.0, d=d, majority=3, ramp=2), (Blocks(5, Vector(d)),)) for d in (2, 1)]


def _block_average(cls: Any) -> Examples:
    made = {d: cls(r=2.0, d=d, majority=5, ramp=4, test_threshold=6.0) for d in (1, 2)}
    return [(operation, (Blocks(9, Vector(d)), Flag())) for d, operation in made.items()]


def _select_block(cls: Any) -> Examples:
    """Enough blocks that one may drop out and the test still passes."""
    made = {d: cls(r=2.0, d=d, theta=0.56, test_threshold=0.6) for d in (1, 2)}
    return [(operation, (Blocks(9, Vector(d)), Flag())) for d, operation in made.items()]


def _registered_weight(cls: Any) -> Examples:
    made = {**EUCLIDEAN, "d": 2, "majority": 3, "ramp": 2}
    plain, pairs = (Blocks(5, Vector(2)), Blocks(5, Array((2, 2))))
    return [(cls(**made), (plain,)), (cls(**made, k=2), (pairs,))]


def _registered_average(cls: Any) -> Examples:
    made = {**EUCLIDEAN, "d": 2, "majority": 5, "ramp": 4}
    gamma = gamma_of("euclidean", 1.0, 9, 4, 6.0)
    return [(cls(**made, test_threshold=6.0, gamma=gamma), (Blocks(9, Vector(2)), Flag()))]


def _registered_agreement(cls: Any) -> Examples:
    return [(cls(**EUCLIDEAN, d=d), (Blocks(5, Vector(d)),)) for d in (2, 1)]


def _select_registered(cls: Any) -> Examples:
    return [(cls(**EUCLIDEAN, d=2, majority=3, test_threshold=0.8), (Blocks(5, Vector(2)), Flag()))]


def _density_scores(cls: Any) -> Examples:
    made = cls(family="unit_gaussian", size=3, n=10)
    return [(made, (Rows(2), Record(FAMILY_MIXTURES), Array((3, 3))))]


EXAMPLES: Mapping[type[Operation], Callable[[Any], Examples]] = {
    Express: _express,
    ExpressSum: _express_sum,
    ExpressParts: _express_parts,
    BlockWeight: _block_weight,
    BlockAverage: _block_average,
    SelectBlock: _select_block,
    RegisteredWeight: _registered_weight,
    RegisteredAverage: _registered_average,
    RegisteredAgreement: _registered_agreement,
    SelectRegistered: _select_registered,
    DensityScores: _density_scores,
    RegisteredMask: lambda cls: [(cls(**MASK), (Vector(2),))],
    Lift: lambda cls: [(cls(**MASK, k=2), (Array((2, 3)),))],
}


def examples_of(cls: type[Operation]) -> Examples | None:
    """Examples of a class or of the nearest class that it is made from; None where none are kept."""
    known = next((EXAMPLES[base] for base in cls.__mro__ if base in EXAMPLES), None)
    return None if known is None else known(cls)

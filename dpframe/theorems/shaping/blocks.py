"""Results of blocks, and what is made of them."""

from __future__ import annotations

from typing import Any

from dpframe.errors import PlanError
from dpframe.spaces import Array, Ball, Blocks, Counts, Domain, Flag, ListOf, Mixture, Vector
from dpframe.theorems.base import Params, whole
from dpframe.theorems.shaping.base import Domains, alike, is_kind, rows_of


def block_results(params: Params, inputs: Domains) -> Domain:
    """What a learner returns on each block."""
    rows_of(inputs[0], "any")
    item, size = params.get("item"), params.get("size")
    if not isinstance(size, (list, tuple)) or len(size) != (1 if item == "vector" else 2):
        raise PlanError(f"blocks of {item!r} have the sizes {size!r}")
    if item == "vector":
        return Blocks(whole(params, "t"), Vector(*size))
    if item not in ("points", "mixture"):
        raise PlanError(f"no block result is a {item!r}")
    return Blocks(whole(params, "t"), Mixture(*size) if item == "mixture" else Array(tuple(size)))


def vectors(params: Params, inputs: Domains) -> Any:
    """The vectors of the blocks."""
    item = is_kind(is_kind(inputs[0], Blocks).item, Vector)
    alike(item.d, whole(params, "d"))
    return item


def agreement(params: Params, inputs: Domains) -> Domain:
    """How far blocks agree."""
    vectors(params, inputs)
    return Counts(1)


def selected(params: Params, inputs: Domains) -> Domain:
    """One block's vector, given a passed test."""
    is_kind(inputs[1], Flag)
    return vectors(params, inputs)  # type: ignore[no-any-return]


def populous(params: Params, inputs: Domains) -> Any:
    """The mixtures of the blocks."""
    blocks = is_kind(inputs[0], Blocks)
    item = is_kind(blocks.item, Mixture)
    alike(item.k, whole(params, "k"))
    alike(item.d, whole(params, "d"))
    return item


def weight(params: Params, inputs: Domains) -> Domain:
    """The weight behind the average."""
    populous(params, inputs)
    return Counts(1)


def averaged(params: Params, inputs: Domains) -> Domain:
    """The average, given a passed test."""
    is_kind(inputs[1], Flag)
    return populous(params, inputs)  # type: ignore[no-any-return]


def candidates(params: Params, inputs: Domains, ball: Domain) -> int:
    """Dimension of the candidates of the blocks."""
    item = is_kind(is_kind(inputs[0], Blocks).item, Array)
    if item.shape != (whole(params, "k"), whole(params, "d")):
        raise PlanError(f"blocks hold candidates of shape {item.shape}")
    alike(is_kind(ball, Ball).d, item.shape[1])
    return whole(params, "d")


def block_counts(params: Params, inputs: Domains) -> Domain:
    """Blocks with a candidate in each ball."""
    balls = is_kind(inputs[1], ListOf)
    candidates(params, inputs, balls.item)
    if balls.max_length > whole(params, "size"):
        raise PlanError(f"up to {balls.max_length} balls, room for {params['size']}")
    return Counts(whole(params, "size"))

"""Results of blocks, and what is made of them."""

from __future__ import annotations

from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.spaces import Array, Blocks, Domain, Mixture, Vector
from dpframe.proof.theorems.base import Params, whole
from dpframe.proof.theorems.declaring import Domains
from dpframe.proof.theorems.shaping.base import table_rows

ITEMS = {"vector": 1, "points": 2, "mixture": 2}


def item_domain(item: Any, size: Any) -> Domain:
    """Domain of one block's result.

    ``vector`` (d,): one array. ``points`` (k, d): one array of k candidates. ``mixture`` (k, d): weights (k,),
    means (k, d) and covariances (k, d, d).
    """
    if not isinstance(item, str) or item not in ITEMS:
        raise PlanError(f"has no result {item!r}", fix=f"use one of {', '.join(ITEMS)}")
    if not isinstance(size, (list, tuple)) or len(size) != ITEMS[item]:
        raise PlanError(
            f"takes {ITEMS[item]} sizes of a {item}, not {size!r}", fix="give size=[k, d], or [d] of a vector"
        )
    if item == "vector":
        return Vector(*size)
    return Mixture(*size) if item == "mixture" else Array(tuple(size))


def block_results(params: Params, inputs: Domains) -> Domain:
    """What a learner returns on each block."""
    table_rows(inputs[0])
    return Blocks(whole(params, "t"), item_domain(params.get("item"), params.get("size")))

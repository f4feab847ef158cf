"""What is made of the results of blocks: vectors or mixtures that agree, one of them, their average."""

from __future__ import annotations

from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.spaces import Array, Blocks, Counts, Domain, Flag, Mixture, Vector
from dpframe.proof.theorems.base import Params, whole
from dpframe.proof.theorems.declaring import Domains
from dpframe.proof.theorems.shaping.base import alike, is_kind

PASSED = "the test passed: the edge exists inside its branch only"


def _vectors(params: Params, inputs: Domains) -> Any:
    item = is_kind(is_kind(inputs[0], Blocks).item, Vector)
    alike(item.d, whole(params, "d"))
    return item


def _values(params: Params, inputs: Domains) -> Any:
    """Vectors, or where ``k`` is given the points of k components."""
    if not params.get("k"):
        return _vectors(params, inputs)
    item = is_kind(is_kind(inputs[0], Blocks).item, Array)
    wanted = (whole(params, "k"), whole(params, "d"))
    if item.shape != wanted:
        raise PlanError(f"takes blocks of {wanted} components, not {item.shape}", fix="use item='points' of that size")
    return item


def agreement(params: Params, inputs: Domains) -> Domain:
    """How far vectors of blocks agree: one number in [0, 1]."""
    _values(params, inputs)
    return Counts(1)


def selected(params: Params, inputs: Domains) -> Domain:
    """One block's vector, given a passed test."""
    item: Domain = _values(params, inputs)
    is_kind(inputs[1], Flag)
    return item


def _mixtures(params: Params, inputs: Domains) -> Any:
    item = is_kind(is_kind(inputs[0], Blocks).item, Mixture)
    alike(item.k, whole(params, "k"))
    alike(item.d, whole(params, "d"))
    return item


def weight(params: Params, inputs: Domains) -> Domain:
    """How far mixtures of blocks agree: one number."""
    _mixtures(params, inputs)
    return Counts(1)


def averaged(params: Params, inputs: Domains) -> Domain:
    """A mixture made of the blocks', given a passed test."""
    item: Domain = _mixtures(params, inputs)
    is_kind(inputs[1], Flag)
    return item

"""The proof of every skeleton is verified by the checker's own traversal, and not after it was made cheaper."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import dpframe as dp
from dpframe.planning.certificate import certificate
from dpframe.proof.checker import verify
from tests.papers.skeletons import (
    test_list_decoding,
    test_pegme,
    test_populous,
    test_queue,
    test_rpgmp,
    test_sample_and_aggregate,
)
from tests.papers.skeletons.stubs import planned

PLANS: dict[str, Callable[[], Any]] = {
    "pegme": lambda: planned(test_pegme.pegme, d=test_pegme.D),
    "rpgmp": lambda: planned(test_rpgmp.rpgmp, d=test_rpgmp.D),
    "rpgmp_add_remove": lambda: planned(test_rpgmp.rpgmp, d=test_rpgmp.D, n=None, adjacency=dp.ADD_REMOVE),
    "populous": test_populous.plan,
    "list_decoding": test_list_decoding.plan,
    "queue": lambda: planned(test_queue.queue, d=test_queue.D),
    "sample_and_aggregate": lambda: planned(test_sample_and_aggregate.aggregate, d=test_sample_and_aggregate.D),
    "users": lambda: planned(
        test_sample_and_aggregate.aggregate, d=test_sample_and_aggregate.D, adjacency=dp.Edits(3, 3)
    ),
}


@pytest.mark.parametrize("name", PLANS)
def test_skeletons_are_verified(name: str) -> None:
    plan = PLANS[name]()
    made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    content = json.loads(json.dumps(made))
    assert verify(content).verified, verify(content).reasons
    key = next(k for k in ("epsilon", "rho") if k in content["total"])
    content["total"][key] *= 0.99
    assert not verify(content).verified


def test_a_selection_without_its_threshold_is_not_verified() -> None:
    made = certificate(PLANS["populous"](), spec_sha256=None, result_sha256=None, simulated=False, status="released")
    for name, key, value in (("test", "threshold", 0.1), ("select_block_1", "theta", 0.1), ("agreement_1", "r", 9.0)):
        content = json.loads(json.dumps(made))
        (node,) = [n for n in content["graph"]["nodes"] if n["name"] == name]
        assert key in node["parameters"]
        node["parameters"][key] = value
        assert not verify(content).verified

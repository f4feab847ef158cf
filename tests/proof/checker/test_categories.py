"""Named attacks on certificates of a table for each category: each claims something false, and is rejected for it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

import dpframe as dp
from dpframe.planning.certificate import certificate
from dpframe.planning.sealing import to_bytes
from dpframe.proof.checker import verify
from tests.proof.checker.forging import judge, node, rejected, release


def one_category(document: dict[str, Any]) -> None:
    """Of one category alone a table changes, and not two."""
    step = node(document, "each")
    step["parameters"]["categories"] = step["output"]["domain"]["max_length"] = 1


def category_of_other_rows(document: dict[str, Any]) -> None:
    node(document, "each")["bodies"]["body"]["inputs"][0]["n"] = None


def whole_table_in_the_body(document: dict[str, Any]) -> None:
    node(document, "each")["bodies"]["body"]["inputs"][0]["domain"]["d"] = 2


def category_of_a_part(document: dict[str, Any]) -> None:
    """The categories of a part's rows: a replaced row may have left it, and how many rows it has is not public."""
    part = copy.deepcopy(node(document, "filter_ball_1"))
    part.update(name="some", inputs=[["x"], ["ball_1"]])
    node(document, "each")["inputs"][0] = ["some", 0]
    nodes = document["graph"]["nodes"]
    at_ = next(i for i, step in enumerate(nodes) if step["name"] == "each")
    ball = copy.deepcopy(node(document, "ball_1"))
    part["output"]["domain"] = {"type": "rows", "d": 2, "bound": "any"}
    ball["parameters"]["centre"] = [0.0, 0.0]
    ball["output"]["domain"]["d"] = 2
    nodes[at_:at_] = [ball, part]


ATTACKS: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "one category for several": (one_category, "not what its nodes compose to"),
    "a category of another number of rows": (category_of_other_rows, "input 'rows' of body 'body'"),
    "a category with its column": (whole_table_in_the_body, "input 'rows' of body 'body'"),
    "categories of a part": (category_of_a_part, "takes the table's own rows"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_false_certificates_are_rejected(name: str) -> None:
    attack, reason = ATTACKS[name]
    document = copy.deepcopy(release("categories")[0])
    assert judge("categories", document).verified
    attack(document)
    rejected(judge("categories", document), reason)


def counts(k: int) -> Any:
    def program(x: Any) -> Any:
        def body(rows: Any) -> Any:
            return {"n": dp.release("n", dp.gaussian(noise_multiplier=20.0), dp.count(rows))}

        return dp.by_category("each", x, body, categories=k)

    made = dp.program(program)
    return dp.plan(made, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))


def test_of_two_categories_both_change() -> None:
    """A replaced row leaves one and enters the other: two cost what three do, and one less."""
    one, two, three = (counts(k) for k in (1, 2, 3))
    assert two.loss == three.loss
    assert two.loss.mu > 1.4 * one.loss.mu
    for plan in (one, two):
        made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
        assert verify(json.loads(to_bytes(made))).verified

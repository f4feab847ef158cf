"""Named attacks on certificates of a table for each category: each claims something false, and is rejected for it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

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

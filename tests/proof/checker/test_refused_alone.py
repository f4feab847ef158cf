"""Refusals of the checker that nothing else repeats: without each, the certificate here would be accepted."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import attrs
import pytest

import dpframe as dp
from dpframe.errors import PlanError
from dpframe.planning.certificate import certificate
from dpframe.proof.checker import verify
from dpframe.proof.spaces import unit_level
from dpframe.proof.theorems import THEOREMS
from dpframe.proof.theorems.base import check_scope
from tests.proof.checker.forging import node, rejected, release

Document = dict[str, Any]
ROWS = {"type": "rows", "d": 2, "bound": "any"}


def private(lineage: list[Any]) -> Document:
    return {"kind": "private", "domain": ROWS, "lineage": lineage, "given": None}


def inserted(nodes: list[Document], before: str, name: str, *, lineage: list[Any], **words: Any) -> None:
    """A node of one's own that makes rows, put before another one."""
    step = {"name": name, "hypotheses": [], "output": private(lineage), **words}
    step["theorem_inputs"] = step["parameters"]
    nodes.insert(next(i for i, one in enumerate(nodes) if one["name"] == before), step)


def blocks_of_another_cut(document: Document) -> None:
    """The test asked whether other blocks agree than those of which one is chosen."""
    nodes = document["graph"]["nodes"]
    other = copy.deepcopy(node(document, "block_learner_1"))
    other["name"], other["parameters"]["seed"], other["theorem_inputs"]["seed"] = "others", 1, 1
    nodes.insert(1, other)
    document["hypotheses"] = [entry for each in document["hypotheses"] for entry in doubled(each)]
    node(document, "select_block_1")["inputs"][0] = ["others"]


def doubled(entry: Document) -> list[Document]:
    """Hypotheses of the learner hold of both."""
    if entry["node"] != "block_learner_1":
        return [entry]
    return [entry, {**entry, "node": "others"}] if entry["hypothesis"].startswith("public") else [entry]


def children_of_an_image(document: Document) -> None:
    """What a division cuts in two is not what it was handed."""
    nodes = node(document, "tree")["bodies"]["body"]["nodes"]
    words = {"operation": "select", "kind": "transform", "theorem": "row_map", "parameters": {"columns": [1, 0]}}
    inserted(nodes, "children", "turned", lineage=[], inputs=[["rows"]], **words)
    node(document, "children")["inputs"][0] = ["turned"]


def rows_of_a_sample_by_index(document: Document) -> None:
    """A row that is in the sample on one side only shifts all that follow: under replace-one too."""
    nodes, lineage = document["graph"]["nodes"], [["subsample_1", 0]]
    words = {"operation": "sampled_rows", "kind": "gather", "theorem": "pairs_by_index"}
    words["parameters"] = {"rows": 10, "seed": 0}  # type: ignore[assignment]
    inserted(nodes, "count_1", "gathered", lineage=lineage, inputs=[["subsample_1", 0]], **words)
    node(document, "count_1")["inputs"] = [["gathered"]]


def halves_of_pairs(document: Document) -> None:
    """Pairs have no index of the table's: what cut them by one would cut what it does not know."""
    nodes = document["graph"]["nodes"]
    pairs = node(document, "pairs_1")
    nodes.remove(pairs)
    nodes.insert(0, pairs)
    node(document, "split_1")["inputs"] = [["pairs_1"]]


def secret_pairs_of_a_part(document: Document) -> None:
    """How many rows a part has is private, and its pairs would be as many as its rows."""
    inside = node(document, "either")["bodies"]["then"]["nodes"]
    words = {"operation": "secret_pairs", "kind": "gather", "theorem": "secret_matching"}
    inserted(inside, "count_1", "gathered", lineage=[], inputs=[["rows"]], parameters={"max_pairs": 0}, **words)
    inside[0]["output"]["domain"] = {**ROWS, "d": 1}
    inside[1]["inputs"] = [["gathered"]]


FORGED: dict[str, tuple[str, Callable[[Document], None], str]] = {
    "a test of other blocks": ("branch with given", blocks_of_another_cut, "a test of something else"),
    "children of an image of the rows": ("recurse", children_of_an_image, "must split the rows handed"),
    "an index inside a sample": ("subsample", rows_of_a_sample_by_index, "public number of rows and their index"),
    "secret pairs of a part": ("categories, add/remove", secret_pairs_of_a_part, "the table's own rows, and is given"),
    "an index of pairs": ("halves by index", halves_of_pairs, "cuts by row index"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_graph_is_rejected_for_that_reason(name: str) -> None:
    case, forge, reason = FORGED[name]
    document = copy.deepcopy(release(case)[0])
    assert verify(document).verified
    forge(document)
    rejected(verify(document), reason)


@pytest.mark.parametrize(
    ("case", "name", "key", "reason"),
    [
        ("averaging", "block_learner_1", "item", "has no result"),
        ("row expressions", "express_1", "formula", "takes a formula of rows"),
    ],
)
@pytest.mark.parametrize("value", [[], {"a": 1}, 1, None])
def test_a_parameter_that_is_no_text_is_refused_by_name(
    case: str, name: str, key: str, reason: str, value: Any
) -> None:
    """A list is looked up in no table of names: that ended in "can't be checked"."""
    document = copy.deepcopy(release(case)[0])
    node(document, name)["parameters"][key] = value
    rejected(verify(document), reason)


def test_an_asserted_loss_is_refused_in_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a plugin says of one noise says nothing of the noise of an item: of any mechanism whose loss is claimed."""
    document = copy.deepcopy(release("for_each")[0])
    assert verify(document).verified
    claimed = attrs.evolve(THEOREMS["gaussian_mechanism"], claimed=True)
    monkeypatch.setitem(THEOREMS, "gaussian_mechanism", claimed)
    rejected(verify(document), "asserted for one noise, in a loop")


@pytest.mark.parametrize(
    ("rows", "key", "value"),
    [(3, "unit", "visit"), (3, "unit_rows", 6), (3, "unit_rows", 1), (3, "unit", None), (1, "unit_rows", True)],
)
def test_a_total_is_of_the_unit_that_is_priced(rows: int, key: str, value: Any) -> None:
    """A loss for one visit is none for a patient of three: both stand in the total, and both are compared."""
    relation = unit_level("replace_one", unit="patient", rows=rows)
    plan = dp.plan(
        lambda x: dp.release("n", dp.gaussian(share=1.0), dp.transform("count", x)),
        x=dp.rows(n=300, d=2),
        adjacency=relation,
        budget=dp.approx_dp(epsilon=1.0, delta=1e-6),
    )
    made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    document = copy.deepcopy(dict(made))
    assert verify(document).verified
    document["total"][key] = value
    rejected(verify(document), "another unit")


@pytest.mark.parametrize(
    "total", [{"rho": 1e-3}, {"mu": 1e-3}, {}, {"epsilon": 151.0, "delta": 1e-6}, {"epsilon": 1.0}]
)
def test_a_theorem_with_a_scope_asks_for_an_epsilon(total: dict[str, float]) -> None:
    """A mask's rounding is covered beside a total ε of at most 150 and a small δ; a total without them may be any."""
    with pytest.raises(PlanError, match="proved beside a total epsilon of at most 150"):
        check_scope("mixture_mask", total)
    check_scope("mixture_mask", {"epsilon": 150.0, "delta": 1e-6})
    check_scope("gaussian_mechanism", total)

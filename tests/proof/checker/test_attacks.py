"""Named attacks: each edit claims something false, and is rejected for the right reason."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import pytest

from dpframe.planning.sealing import to_bytes
from dpframe.proof.checker import verify
from dpframe.proof.checker.comparing import near
from tests.planning.examples import CASES
from tests.planning.mutations import at, places
from tests.proof.checker.forging import judge, node, rejected, release


def edit(name: str, *path: Any) -> Callable[[Any], Callable[[dict[str, Any]], None]]:
    """An attack that sets one value of one node."""

    def to(value: Any) -> Callable[[dict[str, Any]], None]:
        def attack(document: dict[str, Any]) -> None:
            at(node(document, name), path[:-1])[path[-1]] = value

        return attack

    return to


def both(name: str, key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Set a parameter and what the theorem is told of it."""

    def attack(document: dict[str, Any]) -> None:
        node(document, name)["parameters"][key] = value
        node(document, name)["theorem_inputs"][key] = value

    return attack


def without(name: str) -> Callable[[dict[str, Any]], None]:
    def attack(document: dict[str, Any]) -> None:
        nodes = document["graph"]["nodes"]
        nodes.remove(node(document, name))

    return attack


def posing(name: str, **words: Any) -> Callable[[dict[str, Any]], None]:
    def attack(document: dict[str, Any]) -> None:
        step = node(document, name)
        for key in ("theorem_inputs", "mechanism", "parts"):
            step.pop(key, None)
        step.update(words)

    return attack


def unclipped(document: dict[str, Any]) -> None:
    """The table is declared as bounded already, and the clip left out."""
    document["graph"]["inputs"][0]["domain"]["bound"] = "unit_ball"
    node(document, "mean_1")["inputs"] = [["x"]]


def outer_noise(document: dict[str, Any]) -> None:
    """More noise, and the node's losses adapted, but not the totals."""
    priced = node(document, "mean")["mechanism"]
    priced["calibration"]["sigma"] *= 2
    for row in (*priced["met"], priced["worst"]):
        row["loss"]["events"][0][0]["mu"] /= 2


def no_noise(document: dict[str, Any]) -> None:
    node(document, "mean")["mechanism"]["calibration"]["sigma"] = 1e-3


def leaked(document: dict[str, Any]) -> None:
    document["graph"]["outputs"].append(["raw", ["mean_1"]])


def table_as_output(document: dict[str, Any]) -> None:
    document["graph"]["outputs"][0][1] = ["x"]


def public_table(document: dict[str, Any]) -> None:
    document["graph"]["inputs"][0]["kind"] = "public"


def second_table(document: dict[str, Any]) -> None:
    other = {**document["graph"]["inputs"][0], "name": "y"}
    document["graph"]["inputs"].append(other)


def added_removed(document: dict[str, Any]) -> None:
    """Another adjacency, named consistently; most losses are smaller under it."""
    document["adjacency"] = "add_remove"
    document["total"]["adjacency"] = "add_remove"


def replaced_one(document: dict[str, Any]) -> None:
    document["adjacency"] = "replace_one"
    document["total"]["adjacency"] = "replace_one"


def group_of_one(document: dict[str, Any]) -> None:
    document["adjacency"] = {"type": "edits", "removed": 0, "added": 0}


def fewer_histograms(document: dict[str, Any]) -> None:
    node(document, "cells")["theorem_inputs"]["histograms"] = 1


def fewer_levels(document: dict[str, Any]) -> None:
    both("cells_1", "levels", 1)(document)
    node(document, "cells_1")["theorem_inputs"]["histograms"] = 1


def override(document: dict[str, Any]) -> None:
    """A noise parameter that would shadow a claim."""
    node(document, "cells")["mechanism"]["calibration"]["histograms"] = 10.0


def same_part(document: dict[str, Any]) -> None:
    """Both parts become one: what was a worst allocation composes."""
    node(document, "count_1")["inputs"] = [["filter_ball_1", 0]]


def smuggled_lineage(document: dict[str, Any]) -> None:
    node(document, "clip_1")["output"]["lineage"] = []


def index_for_rule(document: dict[str, Any]) -> None:
    node(document, "filter_ball_1").update(theorem="index_partition")


def shallow(document: dict[str, Any]) -> None:
    node(document, "tree")["parameters"]["max_depth"] = 1


def renamed_children(document: dict[str, Any]) -> None:
    node(document, "children")["name"] = "parts"


def children_of_another(document: dict[str, Any]) -> None:
    step = node(document, "children")
    step["parts"], step["parameters"] = 3, {"centres": 3}


def free_test(document: dict[str, Any]) -> None:
    """The conditional value is released without its test's branch."""
    node(document, "select_block_1")["output"]["given"] = None


def outside_branch(document: dict[str, Any]) -> None:
    masked = copy.deepcopy(node(document, "masked"))
    masked["inputs"] = [["select_block_1"]]
    document["graph"]["nodes"].append(masked)


def wrong_branch(document: dict[str, Any]) -> None:
    bodies = node(document, "mean")["bodies"]
    bodies["then"], bodies["otherwise"] = bodies["otherwise"], bodies["then"]


def other_test(document: dict[str, Any]) -> None:
    node(document, "test")["parameters"]["threshold"] = 0.1
    node(document, "test")["theorem_inputs"]["threshold"] = 0.1


def narrow_cut(document: dict[str, Any]) -> None:
    node(document, "test")["mechanism"]["calibration"]["half_width"] /= 2


def no_hypotheses(document: dict[str, Any]) -> None:
    document["hypotheses"] = []


def no_node_hypotheses(document: dict[str, Any]) -> None:
    document["hypotheses"] = []
    node(document, "row_map_1")["hypotheses"] = []


def safe_row_map(document: dict[str, Any]) -> None:
    document["hypotheses"] = []
    made = node(document, "row_map_1")
    made.update(theorem="row_map", hypotheses=[])
    del made["level"]


def larger_rate(document: dict[str, Any]) -> None:
    node(document, "subsample_1")["parameters"]["rate"] = 0.0625


def other_view(document: dict[str, Any]) -> None:
    node(document, "sums")["parameters"]["view"] = "gdp"


def fixed_noise_in_a_loop(document: dict[str, Any]) -> None:
    step = node(document, "sum")
    step["parameters"] = step["theorem_inputs"] = {"share": None, "noise_multiplier": 8.0}


def cheaper_sum(document: dict[str, Any]) -> None:
    node(document, "mean_1").update(theorem="bounded_gram")


def sum_as_gram(document: dict[str, Any]) -> None:
    """A Gram matrix moves by less than a sum and count: the operation is changed, the released domain is not."""
    node(document, "mean_1").update(operation="gram", theorem="bounded_gram")


def declared(document: dict[str, Any]) -> None:
    node(document, "mean").update(operation="declared_elsewhere")


def backwards(document: dict[str, Any]) -> None:
    node(document, "clip_1")["inputs"] = [["x"], ["mean.value"]]


def halves(document: dict[str, Any]) -> None:
    """Halve every number under a key that names a loss, at any depth."""
    for path, value in list(places(document)):
        if path[-1] in ("epsilon", "delta", "rho", "mu") and isinstance(value, float):
            at(document, path[:-1])[path[-1]] = value / 2


def hidden_mechanism(document: dict[str, Any]) -> None:
    """A release more, as a post node that reads the private sum."""
    document["graph"]["nodes"].append(
        {
            "name": "peek",
            "operation": "peek",
            "kind": "post",
            "theorem": "post_processing",
            "hypotheses": [],
            "parameters": {},
            "inputs": [["mean_1"]],
            "output": {"kind": "released", "domain": {"type": "vector", "d": 3}, "lineage": [], "given": None},
        }
    )


def released_twice(document: dict[str, Any]) -> None:
    again = copy.deepcopy(node(document, "mean"))
    again["name"] = "again"
    document["graph"]["nodes"].append(again)


Attack = tuple[str, Callable[[dict[str, Any]], None], str]
ATTACKS: dict[str, Attack] = {
    "halve every loss": ("branch", halves, ""),
    "halve every loss, zCDP": ("zCDP", halves, ""),
    "halve every loss, composed parts": ("many parts", halves, ""),
    "drop a node that others use": ("simple mean", without("clip_1"), "unknown reference"),
    "drop a release that is counted": (
        "by_rule" if "by_rule" in CASES else "partition by rule",
        without("outside"),
        "",
    ),
    "a node reads a later one": ("simple mean", backwards, "unknown reference"),
    "a table that is public": ("simple mean", public_table, "exactly one private table"),
    "a second private table": ("simple mean", second_table, "exactly one private table"),
    "n left out": ("simple mean", lambda d: d["graph"]["inputs"][0].update(n=None), "number of rows"),
    "a bounded table": ("simple mean", unclipped, "unclipped rows"),
    "the private table as output": ("simple mean", table_as_output, "private value 'x'"),
    "a private sum as output": ("simple mean", leaked, "private value 'mean_1'"),
    "post-processing of a private sum": ("simple mean", hidden_mechanism, "reads a private value"),
    "a mechanism as post-processing": (
        "simple mean",
        posing("mean", operation="copy", theorem="post_processing", kind="post"),
        "reads a private value",
    ),
    "a mechanism without losses": ("simple mean", lambda d: node(d, "mean").pop("mechanism"), "lists no losses"),
    "a statistic as a mechanism": ("simple mean", edit("mean_1", "kind")("mechanism"), "is a statistic"),
    "an unlisted release": ("simple mean", released_twice, "not what its nodes compose to"),
    "less noise": ("simple mean", no_noise, "loss: declared"),
    "more noise in the node alone": ("simple mean", outer_noise, "not what its nodes compose to"),
    "a clip that bounds nothing": (
        "simple mean",
        edit("clip_1", "operation")("affine"),
        "",
    ),
    "an image called clipped": (
        "soft moments",
        edit("affine_1", "output", "domain", "bound")("unit_ball"),
        "output: declared",
    ),
    "a cheaper theorem": ("simple mean", cheaper_sum, "may not cite"),
    "a cheaper operation": ("simple mean", sum_as_gram, "output: declared"),
    "a theorem that is none": ("simple mean", edit("mean_1", "theorem")("free_lunch"), "unknown theorem"),
    "an operation that nothing declares": ("simple mean", declared, "is post-processing, and cites"),
    "add/remove for replace-one": ("simple mean", added_removed, "metrics: declared"),
    "add/remove for replace-one, with an index": ("halves by index", added_removed, "row index"),
    "replace-one for add/remove": ("soft moments", replaced_one, "metrics: declared"),
    "an adjacency that says more than is checked": (
        "simple mean, user level",
        lambda d: d["adjacency"].update(indexed=False),
        "and nothing else",
    ),
    "an adjacency that edits nothing": ("simple mean, user level", group_of_one, "adjacency"),
    "a smaller user": (
        "simple mean, user level",
        lambda d: d.update(adjacency={"type": "edits", "removed": 2, "added": 2}),
        "",
    ),
    "fewer histograms": ("histograms", fewer_histograms, "theorem inputs: declared"),
    "fewer levels": ("histograms", fewer_levels, "output: declared"),
    "fewer dimensions": ("branch", edit("box_sum_1", "theorem_inputs", "d")(1), "theorem inputs: declared"),
    "a claim in the noise": ("histograms", override, "noise parameters must be exactly"),
    "a parameter that a theorem would read": (
        "secret pairs and labels",
        both("cap_1", "scalar", True),
        "the parameters t",
    ),
    "another noise law": ("histograms", both("cells", "noise", "laplace"), ""),
    "two parts become one": ("partition by rule", same_part, "output: declared"),
    "parts without lineage": ("partition by rule", smuggled_lineage, "output: declared"),
    "a rule called an index": ("partition by rule", index_for_rule, "may not cite"),
    "a part beyond the last": (
        "partition by rule",
        edit("count_1", "inputs")([["filter_ball_1", 2]]),
        "unknown reference",
    ),
    "all parts at once": ("partition by rule", edit("count_1", "inputs")([["filter_ball_1"]]), "partition as a whole"),
    "fewer parts": ("partition by rule", edit("filter_ball_1", "parts")(1), "declared 1, computed 2"),
    "a smaller sample": ("subsample", larger_rate, "not what its nodes compose to"),
    "a shallower recursion": ("recurse", shallow, "not what its nodes compose to"),
    "children under another name": ("recurse", renamed_children, "named 'children'"),
    "three children": ("recurse", children_of_another, ""),
    "another view of a loop": ("for_each, zCDP view", other_view, ""),
    "fixed noise in a loop": ("for_each", fixed_noise_in_a_loop, "fixed noise inside a loop"),
    "a condition forgotten": ("branch with given", free_test, "output: declared"),
    "a conditional value outside its branch": ("branch with given", outside_branch, "only if a test passed"),
    "a conditional value in the other branch": ("branch with given", wrong_branch, "only if a test passed"),
    "a weaker test": ("branch with given", other_test, "the test has 0.1"),
    "a test cut too short": ("branch with given", narrow_cut, "cut too short"),
    "hypotheses left out": ("asserted row map", no_hypotheses, "hypotheses"),
    "hypotheses left out everywhere": ("asserted row map", no_node_hypotheses, "hypotheses"),
    "an asserted map called proved": ("asserted row map", safe_row_map, "may not cite"),
    "two nodes of one name": ("simple mean", edit("clip_1", "name")("ball_1"), "two nodes"),
    "a name with a path": ("simple mean", edit("mean.value", "name")("a/b"), "no name"),
    "signed": ("simple mean", lambda d: d.update(signed=True), "signed"),
    "another schema": ("simple mean", lambda d: d.update(schema_version=1), "schema_version"),
    "an unknown status": ("simple mean", lambda d: d.update(status="verified"), "status"),
    "a key more": ("simple mean", lambda d: d.update(verified=True), "unknown key 'verified'"),
    "a smaller budget": ("simple mean", lambda d: d["budget"].update(epsilon=0.5), "above the budget"),
    "a budget a hair smaller": (
        "simple mean",
        lambda d: d["budget"].update(epsilon=d["total"]["epsilon"] * (1 - 1e-12)),
        "above the budget",
    ),
    "an unknown budget": ("simple mean", lambda d: d["budget"].update(type="free"), "budget"),
    "a total under another adjacency": (
        "simple mean",
        lambda d: d["total"].update(adjacency="add_remove"),
        "another adjacency",
    ),
    "a total of another delta": ("simple mean", lambda d: d["total"].update(delta=1e-5), "delta"),
    "an accountant that does not apply": ("simple mean", lambda d: d["total"].update(accountant="basic"), "accountant"),
    "the wrong accountant's total": ("simple mean", lambda d: d["total"].update(accountant="zcdp"), "total: declared"),
    "delta that goes nowhere": ("branch", lambda d: d["delta_split"].pop("test"), "delta_split"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack(name: str) -> None:
    case, attack, reason = ATTACKS[name]
    document = copy.deepcopy(release(case)[0])
    attack(document)
    assert document != release(case)[0]
    rejected(judge(case, document), reason)
    rejected(verify(document), reason)
    rejected(verify(to_bytes(document)), reason)


@pytest.mark.parametrize(("a", "b"), [(1.0, math.inf), (math.inf, 1.0), (math.inf, -math.inf), (1e308, math.inf)])
def test_infinity_is_near_itself_only(a: float, b: float) -> None:
    assert not near(a, b, 1e-9)
    assert near(math.inf, math.inf, 1e-9)

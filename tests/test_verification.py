from __future__ import annotations

import copy
import functools
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path as File
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dpframe.losses import Gaussian, Loss, Pure, compose, worst
from dpframe.planning.certificate import certificate, digest, to_bytes
from dpframe.theorems import THEOREMS
from dpframe.verification import Verdict, pricing, verify
from dpframe.verification.reading import TOP
from tests.planning.examples import CASES, plan_of
from tests.planning.mutations import Path, at, double, drop, numbers, places, put, swap

SPEC = b"name = 'a spec'\n"


@functools.cache
def release(case: str, status: str = "released") -> tuple[dict[str, Any], bytes]:
    """A certificate and the bytes of a result that belong together."""
    plan = plan_of(case)
    outputs = {name: [1.5] for name, _ in plan.graph.outputs} if status == "released" else {}
    result = {
        "schema_version": 1,
        "status": status,
        "simulated": False,
        "outputs": outputs,
        "loss": {k: v for k, v in plan.spent.items() if k != "delta" or v},
        "warnings": [],
    }
    content = json.dumps(result).encode()
    made = certificate(plan, spec_sha256=digest(SPEC), result_sha256=digest(content), simulated=False, status=status)
    return dict(made), content


def judge(case: str, changed: Any) -> Verdict:
    return verify(changed, spec=SPEC, result=release(case)[1])


def rejected(verdict: Verdict, reason: str = "") -> None:
    assert not verdict.verified
    assert verdict.reasons
    assert all(isinstance(r, str) and r for r in verdict.reasons)
    assert reason in " / ".join(verdict.reasons)


# --------------------------------------------------------------------------------------- acceptance


@pytest.mark.parametrize("case", CASES)
def test_a_rightful_certificate(case: str, tmp_path: File) -> None:
    made, result = release(case)
    assert judge(case, made) == verify(made) == Verdict(True, (), judge(case, made).hypotheses)
    place = tmp_path / "certificate.json"
    place.write_bytes(to_bytes(made))
    (tmp_path / "spec.toml").write_bytes(SPEC)
    (tmp_path / "result.json").write_bytes(result)
    assert verify(place, spec=tmp_path / "spec.toml", result=str(tmp_path / "result.json")).verified
    assert verify(place.read_bytes()).verified


@pytest.mark.parametrize("case", ["simple mean", "zCDP", "branch"])
def test_a_failed_run_is_verified_too(case: str) -> None:
    made, result = release(case, "failed")
    assert verify(made, spec=SPEC, result=result).verified


def test_a_verdict_tells_the_hypotheses() -> None:
    assert judge("simple mean", release("simple mean")[0]).hypotheses == ()
    (text,) = judge("asserted row map", release("asserted row map")[0]).hypotheses
    assert text == "node 'row_map_1': rowwise: asserted by the plugin"


def test_the_object_is_left_alone() -> None:
    made = copy.deepcopy(release("recurse")[0])
    verify(made)
    assert made == release("recurse")[0]


# -------------------------------------------------------------------------------- the files of a run


def test_a_simulated_run() -> None:
    plan = plan_of("simple mean")
    made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=True, status="released")
    rejected(verify(made), "simulated")
    made, result = release("simple mean")
    simulated = result.replace(b'"simulated": false', b'"simulated": true')
    rejected(verify(made, result=simulated), "SHA-256")
    rejected(verify({**made, "result_sha256": digest(simulated)}, result=simulated), "the result is simulated")


def changed_result(**changes: Any) -> tuple[dict[str, Any], bytes]:
    """A result with other content, and a certificate whose digest was adapted to it."""
    made, result = release("simple mean")
    content = json.dumps({**json.loads(result), **changes}).encode()
    return {**made, "result_sha256": digest(content)}, content


SPENT = plan_of("simple mean").spent
RESULTS: dict[str, tuple[dict[str, Any], str]] = {
    "another status": ({"status": "failed"}, "status"),
    "no status": ({"status": None}, "status"),
    "another schema": ({"schema_version": 2}, "schema_version"),
    "schema true": ({"schema_version": True}, "schema_version"),
    "simulated by a word": ({"simulated": "no"}, "simulated"),
    "no outputs": ({"outputs": {}}, "outputs"),
    "another output": ({"outputs": {"mean": [1.0], "raw": [2.0]}}, "outputs"),
    "outputs as a list": ({"outputs": []}, "outputs"),
    "a smaller epsilon": ({"loss": {**SPENT, "epsilon": SPENT["epsilon"] / 2}}, "epsilon"),
    "a smaller delta": ({"loss": {**SPENT, "delta": 1e-9}}, "delta"),
    "no delta": ({"loss": {k: v for k, v in SPENT.items() if k != "delta"}}, "keys"),
    "another adjacency": ({"loss": {**SPENT, "adjacency": "add_remove"}}, "adjacency"),
    "another accountant": ({"loss": {**SPENT, "accountant": "pld"}}, "accountant"),
    "more in the loss": ({"loss": {**SPENT, "rho": 0.1}}, "keys"),
    "no loss": ({"loss": None}, "loss"),
    "no warnings": ({"warnings": None}, "warnings"),
}


@pytest.mark.parametrize("case", RESULTS)
def test_a_result_that_says_something_else(case: str) -> None:
    changes, reason = RESULTS[case]
    made, content = changed_result(**changes)
    rejected(verify(made, result=content), reason)


def test_files_are_compared_to_the_byte(tmp_path: File) -> None:
    made, result = release("simple mean")
    rejected(verify(made, spec=SPEC + b"\n"), "spec: the spec is not the one")
    rejected(verify(made, result=result + b" "), "result: the result is not the one")
    rejected(verify(made, spec=tmp_path / "none.toml"), "can't be read")
    rejected(verify(made, result=tmp_path), "not an ordinary file")
    bare = {**made, "spec_sha256": None, "result_sha256": None}
    assert verify(bare).verified
    rejected(verify(bare, spec=SPEC), "made without a spec")
    rejected(verify(bare, result=result), "made without a result")
    both = verify(put(made, ("total", "epsilon"), 0.5), spec=b"", result=b"")
    assert [reason.partition(":")[0] for reason in both.reasons] == ["certificate", "spec", "result"]


# --------------------------------------------------------------------------------- what is no document


def deep() -> Any:
    inner: Any = []
    for _ in range(200_000):
        inner = [inner]
    return {"schema_version": 1, "graph": inner}


MALFORMED: dict[str, Callable[[], Any]] = {
    "empty": lambda: b"",
    "not JSON": lambda: b"{",
    "a list": lambda: b"[]",
    "an empty object": lambda: b"{}",
    "a number": lambda: b"7",
    "null": lambda: b"null",
    "binary": lambda: b"\0\1",
    "deep": lambda: b"[" * 100_000,
    "deep objects": lambda: b'{"graph":' * 100_000,
    "deep in memory": deep,
    "too large": lambda: b" " * (2**24 + 1),
    "NaN": lambda: to_bytes(release("simple mean")[0]).replace(b"1e-06", b"NaN"),
    "a key twice": lambda: to_bytes(release("simple mean")[0]).replace(b'"signed"', b'"total": 1, "signed"'),
    "an int": lambda: 5,
    "none": lambda: None,
    "a set": lambda: {1, 2},
    "no path": lambda: "no/such/file.json",
    "a path with a null": lambda: "a\0b",
    "a folder": lambda: "/",
    "a device": lambda: "/dev/zero",
    "keys that are no strings": lambda: {1: 2},
    "a file of another kind": lambda: dict.fromkeys(TOP),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_whatever_is_no_certificate_is_rejected(case: str) -> None:
    thing = MALFORMED[case]()
    start = time.perf_counter()
    verdict = verify(thing)
    rejected(verdict)
    assert len(verdict.reasons) == 1
    assert len(verdict.reasons[0]) < 400
    assert time.perf_counter() - start < 5


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@example(b'{"schema_version": 1}')
def test_any_bytes(data: bytes) -> None:
    rejected(verify(data))


# ------------------------------------------------------------------------------------ named attacks


def steps(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All nodes of a certificate, those of bodies included."""

    def inside(graph: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for node in graph["nodes"]:
            yield node
            for body in node.get("bodies", {}).values():
                yield from inside(body)

    yield from inside(document["graph"])


def node(document: dict[str, Any], name: str) -> dict[str, Any]:
    return next(step for step in steps(document) if step["name"] == name)


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
        node(document, name)["claims"][key] = value

    return attack


def without(name: str) -> Callable[[dict[str, Any]], None]:
    def attack(document: dict[str, Any]) -> None:
        nodes = document["graph"]["nodes"]
        nodes.remove(node(document, name))

    return attack


def posing(name: str, **words: Any) -> Callable[[dict[str, Any]], None]:
    def attack(document: dict[str, Any]) -> None:
        step = node(document, name)
        for key in ("claims", "mechanism", "parts"):
            step.pop(key, None)
        step.update(words)

    return attack


def unclipped(document: dict[str, Any]) -> None:
    """The table is declared as bounded already, and the clip left out."""
    document["graph"]["inputs"][0]["domain"]["region"] = "unit_ball"
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
    node(document, "cells")["claims"]["histograms"] = 1


def fewer_levels(document: dict[str, Any]) -> None:
    both("cells_1", "levels", 1)(document)
    node(document, "cells_1")["claims"]["histograms"] = 1


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
    node(document, "test")["claims"]["threshold"] = 0.1


def narrow_cut(document: dict[str, Any]) -> None:
    node(document, "test")["mechanism"]["calibration"]["half_width"] /= 2


def no_hypotheses(document: dict[str, Any]) -> None:
    document["hypotheses"] = []


def no_node_hypotheses(document: dict[str, Any]) -> None:
    document["hypotheses"] = []
    node(document, "row_map_1")["hypotheses"] = []


def safe_row_map(document: dict[str, Any]) -> None:
    document["hypotheses"] = []
    node(document, "row_map_1").update(theorem="row_map", hypotheses=[])


def larger_rate(document: dict[str, Any]) -> None:
    node(document, "subsample_1")["parameters"]["rate"] = 0.0625


def other_view(document: dict[str, Any]) -> None:
    node(document, "sums")["parameters"]["view"] = "gdp"


def fixed_noise_in_a_loop(document: dict[str, Any]) -> None:
    step = node(document, "sum")
    step["parameters"] = step["claims"] = {"share": None, "noise_multiplier": 8.0}


def cheaper_sum(document: dict[str, Any]) -> None:
    node(document, "mean_1").update(theorem="bounded_gram")


def sum_as_gram(document: dict[str, Any]) -> None:
    """A Gram matrix moves by less than a sum and count: the operation is changed, the released domain is not."""
    node(document, "mean_1").update(operation="gram", theorem="bounded_gram")


def declared(document: dict[str, Any]) -> None:
    hypotheses = list(THEOREMS["declared_loss"].hypotheses)
    node(document, "mean").update(operation="declared", theorem="declared_loss", hypotheses=hypotheses)


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
    "drop a node that others use": ("simple mean", without("clip_1"), "does not exist"),
    "drop a release that is counted": (
        "by_rule" if "by_rule" in CASES else "partition by rule",
        without("outside"),
        "",
    ),
    "a node reads a later one": ("simple mean", backwards, "does not exist before it"),
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
    "less noise": ("simple mean", no_noise, "its loss is given as"),
    "more noise in the node alone": ("simple mean", outer_noise, "not what its nodes compose to"),
    "a clip that bounds nothing": (
        "simple mean",
        edit("clip_1", "operation")("affine"),
        "",
    ),
    "an image called clipped": (
        "soft moments",
        edit("affine_1", "output", "domain", "region")("unit_ball"),
        "its output is given as",
    ),
    "a cheaper theorem": ("simple mean", cheaper_sum, "may not cite"),
    "a cheaper operation": ("simple mean", sum_as_gram, "its output is given as"),
    "a theorem that is none": ("simple mean", edit("mean_1", "theorem")("free_lunch"), "unknown theorem"),
    "a stub in place of a mechanism": ("simple mean", declared, "no signature"),
    "add/remove for replace-one": ("simple mean", added_removed, "metrics it can meet"),
    "add/remove for replace-one, with an index": ("halves by index", added_removed, "row index"),
    "replace-one for add/remove": ("soft moments", replaced_one, "metrics it can meet"),
    "an adjacency that edits nothing": ("simple mean, user level", group_of_one, "adjacency"),
    "a smaller user": (
        "simple mean, user level",
        lambda d: d.update(adjacency={"type": "edits", "removed": 2, "added": 2}),
        "",
    ),
    "fewer histograms": ("histograms", fewer_histograms, "its claims"),
    "fewer levels": ("histograms", fewer_levels, "its output is given as"),
    "fewer dimensions": ("branch", edit("box_sum_1", "claims", "d")(1), "its claims"),
    "a claim in the noise": ("histograms", override, "noise parameters must be exactly"),
    "a parameter that a theorem would read": (
        "secret pairs and labels",
        both("cap_1", "scalar", True),
        "the parameters t",
    ),
    "another noise law": ("histograms", both("cells", "noise", "laplace"), ""),
    "two parts become one": ("partition by rule", same_part, "its output is given as"),
    "parts without lineage": ("partition by rule", smuggled_lineage, "its output is given as"),
    "a rule called an index": ("partition by rule", index_for_rule, "may not cite"),
    "a part beyond the last": ("partition by rule", edit("count_1", "inputs")([["filter_ball_1", 2]]), "no part"),
    "all parts at once": ("partition by rule", edit("count_1", "inputs")([["filter_ball_1"]]), "no part"),
    "fewer parts": ("partition by rule", edit("filter_ball_1", "parts")(1), "has 2 parts"),
    "a smaller sample": ("subsample", larger_rate, "not what its nodes compose to"),
    "a shallower recursion": ("recurse", shallow, "not what its nodes compose to"),
    "children under another name": ("recurse", renamed_children, "named 'children'"),
    "three children": ("recurse", children_of_another, ""),
    "another view of a loop": ("for_each, zCDP view", other_view, ""),
    "fixed noise in a loop": ("for_each", fixed_noise_in_a_loop, "fixed noise inside a loop"),
    "a condition forgotten": ("branch with given", free_test, "its output is given as"),
    "a conditional value outside its branch": ("branch with given", outside_branch, "only if a test passed"),
    "a conditional value in the other branch": ("branch with given", wrong_branch, "only if a test passed"),
    "a weaker test": ("branch with given", other_test, "passes from 0.1"),
    "a test cut too short": ("branch with given", narrow_cut, "cut too short"),
    "hypotheses left out": ("asserted row map", no_hypotheses, "hypotheses"),
    "hypotheses left out everywhere": ("asserted row map", no_node_hypotheses, "hypotheses"),
    "an asserted map called proved": ("asserted row map", safe_row_map, "may not cite"),
    "two nodes of one name": ("simple mean", edit("clip_1", "name")("ball_1"), "two nodes"),
    "a name with a path": ("simple mean", edit("mean.value", "name")("a/b"), "no name"),
    "signed": ("simple mean", lambda d: d.update(signed=True), "signed"),
    "another schema": ("simple mean", lambda d: d.update(schema_version=2), "schema_version"),
    "an unknown status": ("simple mean", lambda d: d.update(status="verified"), "status"),
    "a key more": ("simple mean", lambda d: d.update(verified=True), "unknown key 'verified'"),
    "a smaller budget": ("simple mean", lambda d: d["budget"].update(epsilon=0.5), "above the budget"),
    "an unknown budget": ("simple mean", lambda d: d["budget"].update(type="free"), "budget"),
    "a total of another delta": ("simple mean", lambda d: d["total"].update(delta=1e-5), "delta"),
    "an accountant that does not apply": ("simple mean", lambda d: d["total"].update(accountant="basic"), "accountant"),
    "the wrong accountant's total": ("simple mean", lambda d: d["total"].update(accountant="zcdp"), "gives"),
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


# --------------------------------------------------------------------------------- one place changed

# What no guarantee rests on. Everything else that differs in one place must be rejected.
TEXT = {("statement",), ("dpframe_version",)}


def operation_at(document: Any, path: Path) -> str:
    """The operation of the innermost node that a path leads into."""
    found = ""
    for i in range(1, len(path)):
        inner = at(document, path[:i])
        if isinstance(inner, dict) and "operation" in inner:
            found = inner["operation"]
    return found


def is_post(document: Any, path: Path) -> bool:
    """Whether the path leads into a post node, whose parameters, released inputs and released domain are free."""
    for i in range(len(path) - 1, 0, -1):
        inner = at(document, path[:i])
        if isinstance(inner, dict) and "operation" in inner:
            return bool(inner["kind"] == "post")
    return False


def field_of(document: Any, path: Path) -> tuple[str | int, ...]:
    """The part of the path inside the innermost node."""
    for i in range(len(path) - 1, 0, -1):
        inner = at(document, path[:i])
        if isinstance(inner, dict) and "operation" in inner:
            return path[i:]
    return path


def neutral(case: str, path: Path, changed: Any) -> bool:
    """Whether the change leaves a true statement, and which one."""
    made = release(case)[0]
    field = field_of(made, path)
    if path in TEXT or path[0] == "warnings":
        return True
    if path[:1] == ("budget",):  # a budget that is not exceeded either
        return bool(at(changed, path) >= made["total"][path[1]])
    if path[:2] == ("graph", "inputs") and path[3:] in (("n",), ("domain", "d")):
        return True  # whose other uses were checked: a declared number
    if is_post(made, path):  # any function of released values is free
        return field[0] in ("parameters", "operation", "output", "inputs", "name")
    if field[0] == "parameters":  # not told to any theorem
        return (operation_at(made, path), field[1]) in {("for_each", "share"), ("split", "seed")}
    if field[-1] in ("half_width", "eta_weight"):
        # A longer tail; and with one component its weight is 1 whatever the noise, and costs nothing.
        one = case in ("averaging", "selecting") and operation_at(made, path) == "mixture_mask"
        free = one and field[-1] == "eta_weight"
        return free or bool(field[-1] == "half_width" and at(changed, path) > at(made, path))
    if field[0] == "operation":
        return {at(made, path), at(changed, path)} == {"recurse", "worklist"}
    return reordered(path, field) or renamed(made, path, field) or rewired(case, path, field)


def reordered(path: Path, field: tuple[str | int, ...]) -> bool:
    """Order and repetition carry no meaning: of events, alternatives, metrics met, independent nodes, outputs.

    Nor which released value is an output, as long as it is released.
    """
    if path[:2] == ("graph", "outputs"):
        return len(path) == 3 or path[3] == 1
    return path[:2] == ("loss", "events") or field[:2] == ("mechanism", "met") or path[-2] in ("nodes", "outputs")


def renamed(made: Any, path: Path, field: tuple[str | int, ...]) -> bool:
    """A name that nothing refers to: of a body's output or unused input, of a release that is no output."""
    return "bodies" in path and (field[-1] == "name" or "outputs" in field)


def rewired(case: str, path: Path, field: tuple[str | int, ...]) -> bool:
    """Another value of the same kind and price at an input: another plan, and a true statement about it."""
    made = release(case)[0]
    return "inputs" in field and operation_at(made, path) in {
        "minimum",
        "maximum",
        "count",
        "affine",
        "clip_ball",
        "clip_box",
        "filter_ball",
        "distance_histogram",
        "bin_counts",
        "value_counts",
        "dyadic_counts",
        "marginal_counts",
        "product_counts",
        "column_cells",
        "box_cells",
        "rank_scores",
        "block_sum",
        "contest_scores",
        "interval_scores",
        "scheffe_scores",
        "whiten",
        "gaussian",
        "laplace",
        "exponential_mechanism",
    }


WORDS = "public released private add_remove replace_one post post_processing row_map recurse count gdp pure x".split()


def alternatives(made: Any, path: Path) -> list[Any]:
    """Documents that differ from a certificate in one place."""
    value = at(made, path)
    out = [put(made, path, other) for other in numbers(value)]
    if isinstance(value, bool):
        out.append(put(made, path, not value))
    if isinstance(value, str):
        out += [put(made, path, word) for word in WORDS if word != value]
    if value is None:
        out += [put(made, path, other) for other in (0, "x", "0" * 64)]
    out += [drop(made, path), put(made, path, None)] if value is not None else [drop(made, path)]
    if isinstance(path[-1], int):
        out += [double(made, path), swap(made, path)]
    return [other for other in out if other != made]


def check_alternatives(case: str, path: Path) -> None:
    made = release(case)[0]
    for changed in alternatives(made, path):
        verdict = judge(case, changed)
        if verdict.verified:
            assert neutral(case, path, changed), (case, path, at(made, path))
        else:
            assert not any("can't be checked" in reason for reason in verdict.reasons), (path, verdict.reasons)


@st.composite
def one_place(draw: st.DrawFn) -> tuple[str, Path]:
    case = draw(st.sampled_from(sorted(CASES)))
    return case, draw(st.sampled_from([path for path, _ in places(release(case)[0])]))


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(one_place())
def test_one_place_changed(place: tuple[str, Path]) -> None:
    check_alternatives(*place)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_every_place_changed(case: str) -> None:
    for path, _ in places(release(case)[0]):
        check_alternatives(case, path)


LOSSES = ("epsilon", "delta", "rho", "mu", "bound", "sigma", "scale", "rate", "sensitivity")


@pytest.mark.parametrize("case", CASES)
def test_no_loss_or_noise_can_be_changed_alone(case: str) -> None:
    """Every number that names a loss, a sensitivity or a noise, wherever it stands, up and down."""
    made = release(case)[0]
    for path, value in places(made):
        if path[-1] in LOSSES and not isinstance(value, bool) and value and path[:1] != ("budget",):
            for factor in (0.5, 1 - 1e-6, 2.0):
                rejected(verify(put(made, path, value * factor)))


# ---------------------------------------------------------------------------------- bounded effort


def wide(parts: int, mixed: bool) -> dict[str, Any]:
    """A certificate that claims very many parts, each with a mechanism of its own noise."""
    document = copy.deepcopy(release("many parts")[0])
    partition = node(document, "partition_balls_1")
    partition["parts"], partition["parameters"]["balls"] = parts + 1, parts
    count, noise = node(document, "count_1"), node(document, "in_0")
    for i in range(1, parts):
        counted, noisy = copy.deepcopy(count), copy.deepcopy(noise)
        counted["name"], noisy["name"] = f"c{i}", f"n{i}"
        counted["inputs"], noisy["inputs"] = [["partition_balls_1", i]], [[f"c{i}"]]
        counted["output"]["lineage"] = [["partition_balls_1", i]]
        noisy["mechanism"]["calibration"]["sigma"] *= 1 + i / parts
        if mixed and i % 2:
            noisy.update(operation="laplace", theorem="laplace_mechanism")
            noisy["mechanism"]["calibration"] = {"scale": 10.0 + i / parts}
        document["graph"]["nodes"] += [counted, noisy]
    return document


def nested(depth: int) -> dict[str, Any]:
    """Partitions in parts of partitions."""
    document = copy.deepcopy(release("partition by rule")[0])
    first = node(document, "filter_ball_1")
    for i in range(1, depth):
        inner = copy.deepcopy(first)
        before = "filter_ball_1" if i == 1 else f"p{i - 1}"
        inner["name"], inner["inputs"][0] = f"p{i}", [before, 0]
        inner["output"]["lineage"] = [["filter_ball_1", 0]] + [[f"p{j}", 0] for j in range(1, i)]
        document["graph"]["nodes"].append(inner)
    return document


def bottomless(document: dict[str, Any]) -> dict[str, Any]:
    node(document, "tree")["parameters"]["max_depth"] = 10**18
    return document


HEAVY: dict[str, tuple[Callable[[], dict[str, Any]], str]] = {
    "100 parts with a noise each, of two kinds": (lambda: wide(100, mixed=True), "differ in more than"),
    "1000 parts with a noise each": (lambda: wide(1000, mixed=False), "too large"),
    "500 nested partitions": (lambda: nested(500), "partitions in a row"),
    "a recursion without end": (lambda: bottomless(copy.deepcopy(release("worklist")[0])), "max_depth"),
}


@pytest.mark.parametrize("case", HEAVY)
def test_effort_is_bounded(case: str) -> None:
    make, reason = HEAVY[case]
    document = make()
    start = time.perf_counter()
    rejected(verify(document), reason)
    assert time.perf_counter() - start < 20


def test_worst_allocations_are_refused_beyond_the_bound() -> None:
    meter = pricing.Meter()
    incomparable = [compose(Loss.of(Gaussian(1 + i)), Loss.of(Pure(1 / (1 + i)))) for i in range(600)]
    with pytest.raises(Exception, match="differ in more than"):
        meter.worst(incomparable)
    assert meter.worst(incomparable[:8]) == worst(*incomparable[:8])
    with pytest.raises(Exception, match="too large"):
        meter.spend(pricing.MAX_WORK)

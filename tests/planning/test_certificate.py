"""Certificates: what they hold, that they are read back, and that every declaration is met by a plan."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import CertificateError
from dpframe.kernel.post_processing import Post
from dpframe.kernel.registry import operations
from dpframe.planning.certificate import certificate, describes, hypotheses
from dpframe.planning.sealing import Certificate, load, save, to_bytes
from dpframe.proof.certificates import digest, plain
from dpframe.proof.checker import check
from dpframe.proof.spaces.documents import check_json, parse_json
from dpframe.proof.theorems import DECLARATIONS
from tests.declared import of_the_kernel
from tests.planning.examples import CASES, make, plan_of
from tests.planning.mutations import places


def proof(case: str, **changes: Any) -> Certificate:
    arguments: dict[str, Any] = {"spec_sha256": None, "result_sha256": None, "simulated": False, "status": "released"}
    return certificate(plan_of(case), **{**arguments, **changes})


@pytest.mark.parametrize("case", CASES)
def test_the_file_is_the_object(case: str, tmp_path: Path) -> None:
    """Every float comes back to the last bit, and nothing but JSON values is in it."""
    made = proof(case)
    check_json(dict(made))
    made.save(tmp_path / "certificate.json")
    back = load(tmp_path / "certificate.json")
    assert repr(dict(back)) == repr(dict(made))
    assert to_bytes(back) == to_bytes(made) == (tmp_path / "certificate.json").read_bytes()
    assert [p.name for p in tmp_path.iterdir()] == ["certificate.json"]


@pytest.mark.parametrize("case", CASES)
def test_it_holds_the_plan(case: str) -> None:
    plan, made = plan_of(case), proof(case)
    assert made["total"] == plan.spent
    assert made["loss"] == plan.loss.to_json()
    assert made["delta_split"] == dict(plan.delta_split)
    assert made["budget"] == plan.budget.to_json()
    assert made["accountants"][plan.verdict.accountant] == plan.spent[next(iter(plan.verdict.spent))]
    assert made["signed"] is False
    assert "Unsigned" in made["statement"]
    names = [node["name"] for node in made["graph"]["nodes"]]
    assert names == [node.name for node in plan.graph.nodes]
    everything = dict(places(dict(made)))
    mechanisms = [value for path, value in everything.items() if path[-1] == "mechanism"]
    assert len(mechanisms) == len(plan.calibrations)
    planned = map(repr, (plain(noise) for noise in plan.calibrations.values()))
    assert sorted(repr(m["calibration"]) for m in mechanisms) == sorted(planned)
    assert all(m["met"] for m in mechanisms)


@pytest.mark.parametrize("delta", [1e-9, 1e-4])
@pytest.mark.parametrize("case", CASES)
def test_it_has_the_plans_epsilon_at_any_delta(case: str, delta: float) -> None:
    assert proof(case).epsilon(delta) == plan_of(case).epsilon(delta)


def test_metrics_under_each_kind_of_edit() -> None:
    """After a rule partition a mechanism meets (1,1), (1,0) and (0,1)."""
    nodes = {node["name"]: node for node in proof("partition by rule")["graph"]["nodes"]}
    bounds = [met["metrics"][0]["bound"] for met in nodes["inside"]["mechanism"]["met"]]
    assert sorted(bounds) == [1.0, 2.0]
    assert nodes["inside"]["mechanism"]["worst"]["metrics"][0]["bound"] == 2.0
    losses = [met["loss"]["events"][0][0]["mu"] for met in nodes["inside"]["mechanism"]["met"]]
    assert max(losses) == pytest.approx(2 * min(losses))


def of_theorems(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [row for row in rows if not row["hypothesis"].startswith("public, not computed")]


def test_hypotheses_are_listed_with_their_nodes() -> None:
    assert of_theorems(hypotheses(plan_of("simple mean").typed)) == []
    (row,) = of_theorems(proof("asserted row map")["hypotheses"])
    assert row == {
        "node": "row_map_1",
        "theorem": "asserted_row_map",
        "hypothesis": "rowwise: asserted by the plugin",
    }
    found = {(h["node"], h["theorem"]) for h in of_theorems(proof("branch with given")["hypotheses"])}
    assert found == {("block_learner_1", "index_blocks"), ("select_block_1", "close_selection")}


@dp.composite("test.peeks")
def peeks(x: Any, *, share: float) -> Any:
    """Constants that it could have read from the table's own file."""
    top = float(np.random.default_rng(0).normal())
    ball = dp.ball(centre=[top, 0.0], radius=10.0)
    bins = dp.transform("bin_counts", x, edges=[-top, top + 9.0], column=0)
    counts = dp.release("counts", dp.laplace(share=share), bins)
    return {"counts": counts, "mean": dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, ball)))}


@dp.program
def peeking(x: Any) -> Any:
    return peeks(x, share=0.5)


def test_constants_are_a_hypothesis_whoever_computed_them() -> None:
    plan = dp.plan(peeking, x=dp.rows(n=100, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1, delta=1e-6))
    content = plan.document(simulated=False)
    found = {(h["node"], h["hypothesis"]) for h in json.loads(content)["hypotheses"]}
    public = "public, not computed from the table"
    assert found == {("ball_1", public), ("bin_counts_1", f"{public}: edges")}
    assert check(content).hypotheses
    forged = json.loads(content)
    forged["hypotheses"] = []
    with pytest.raises(CertificateError, match="the hypotheses listed are not"):
        check(json.dumps(forged).encode())


def test_bodies_hang_under_their_node() -> None:
    (node,) = [n for n in proof("recurse")["graph"]["nodes"] if n["operation"] == "recurse"]
    assert set(node["bodies"]) == {"body", "leaf"}
    assert [i["kind"] for i in node["bodies"]["leaf"]["inputs"]] == ["private", "public"]
    assert node["bodies"]["body"]["outputs"][0][0] == "split"


def test_a_plan_made_again_is_described() -> None:
    program, adjacency, budget = CASES["branch"]
    assert describes(proof("branch", status="failed", spec_sha256=digest(b"")), make(program, adjacency, budget))
    assert not describes(proof("branch"), make(program, adjacency, dp.approx_dp(epsilon=1.0, delta=1e-7)))
    assert not describes(proof("simple mean"), plan_of("branch"))


def test_digests_and_status() -> None:
    made = proof("simple mean", spec_sha256=digest(b"spec"), result_sha256=digest(b"result"), status="failed")
    assert made["spec_sha256"] == digest(b"spec") != made["result_sha256"]
    assert digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert (made["status"], made["simulated"]) == ("failed", False)
    with pytest.raises(CertificateError, match="unknown status 'done'"):
        proof("simple mean", status="done")


def test_reading_is_strict(tmp_path: Path) -> None:
    for text, reason in (
        ("[]", "JSON object"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"a": NaN}', "NaN"),
        ("[" * 9999, "nested"),
    ):
        (tmp_path / "c.json").write_text(text)
        with pytest.raises(CertificateError, match=reason):
            load(tmp_path / "c.json")
    with pytest.raises(CertificateError, match="can't be read"):
        load(tmp_path / "none.json")
    with pytest.raises(CertificateError, match="JSON values only"):
        save({"a": float("nan")}, tmp_path / "c.json")


def test_a_broken_save_leaves_the_old_file(tmp_path: Path) -> None:
    place = tmp_path / "c.json"
    place.write_text("old")
    with pytest.raises(CertificateError):
        save({"a": object()}, place)
    assert place.read_text() == "old"


def private_operations() -> set[str]:
    shipped = ("dpframe.kernel.", "dpframe_plugins.")
    table = {name: cls for name, cls in operations().items() if cls.__module__.startswith(shipped)}
    return {name for name, operation in table.items() if not issubclass(operation, Post)}


def test_every_operation_on_private_values_is_declared() -> None:
    assert private_operations() == of_the_kernel(DECLARATIONS)


def test_every_declaration_is_met_by_an_example() -> None:
    met = {value for case in CASES for path, value in places(dict(proof(case))) if path[-1] == "operation"}
    assert of_the_kernel(DECLARATIONS) <= met, "add a program to tests/planning/examples.py"


def test_parsing_what_json_writes() -> None:
    made = proof("simple mean")
    assert parse_json(json.dumps(made).encode()) == made
    assert made["total"]["adjacency"] == dp.REPLACE_ONE.name

"""Files of released versions, kept as they were written: verified, planned, or refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpframe.front.specs import load_spec
from dpframe.proof.checker import verify
from tests.small_specs import example

OLD = Path(__file__).with_name("corpus") / "0.1.0"
RUNS = sorted(path.parent for path in OLD.glob("*/certificate.json"))
SHIPPED = sorted((OLD / "specs").glob("*.toml"))


def test_the_corpus_is_there() -> None:
    assert (len(RUNS), len(SHIPPED)) == (6, 9)
    assert {json.loads((run / "result.json").read_text())["status"] for run in RUNS} == {"released", "failed"}


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_a_certificate_of_schema_1_is_refused_by_name(run: Path) -> None:
    found = verify(run / "certificate.json", spec=run / "spec.toml", result=run / "result.json")
    (reason,) = found.reasons
    assert not found.verified
    for words in ("schema_version 1", "dpframe 0.1.0, which verifies it", "known faults", "advisories"):
        assert words in reason


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_a_spec_as_run_by_0_1_0_plans_the_same_nodes_within_its_budget(run: Path) -> None:
    old = json.loads((run / "certificate.json").read_text())
    plan = load_spec(run / "spec.toml").plan()
    assert plan.verdict.holds
    assert [node.name for node in plan.graph.nodes] == [node["name"] for node in old["graph"]["nodes"]]


@pytest.mark.parametrize("spec", SHIPPED, ids=lambda spec: spec.stem)
def test_a_spec_shipped_with_0_1_0_plans(spec: Path) -> None:
    assert example(spec).plan().verdict.holds

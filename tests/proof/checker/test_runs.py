"""What is verified, and what is no certificate or not of these files."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path as File
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpframe.planning.certificate import certificate
from dpframe.planning.sealing import to_bytes
from dpframe.proof.certificates import digest
from dpframe.proof.checker import Verdict, verify
from dpframe.proof.checker.reading import TOP
from tests.planning.examples import CASES, plan_of
from tests.planning.mutations import put
from tests.proof.checker.forging import SPEC, judge, rejected, release
from tests.steps import within


@pytest.mark.parametrize("case", CASES)
def test_a_rightful_certificate(case: str, tmp_path: File) -> None:
    made, result = release(case)
    said = judge(case, made)
    counted = sum(not h["hypothesis"].startswith("public, not computed from the table") for h in made["hypotheses"])
    assert said == verify(made) == Verdict(True, (), said.hypotheses, counted)
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
    (constant,) = judge("simple mean", release("simple mean")[0]).hypotheses
    assert constant == "node 'ball_1': public, not computed from the table"
    text, *constants = judge("asserted row map", release("asserted row map")[0]).hypotheses
    assert all("public, not computed from the table" in said for said in constants)
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
    verdict = within(5_000, lambda: verify(thing))
    rejected(verdict)
    assert len(verdict.reasons) == 1
    assert len(verdict.reasons[0]) < 400


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@example(b'{"schema_version": 1}')
def test_any_bytes(data: bytes) -> None:
    rejected(verify(data))

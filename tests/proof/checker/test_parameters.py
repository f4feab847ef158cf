"""Parameters that no theorem reads: what a run refuses is not verified, and what it takes is not refused for them."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from dpframe.errors import CertificateError, DpframeError
from dpframe.front.specs import load_spec, shipped
from dpframe.kernel.registry import build
from dpframe.planning.plan import Plan
from dpframe.proof.checker import check
from dpframe.proof.theorems import DECLARATIONS
from dpframe.proof.theorems.declaring import FITS, PUBLIC, constant_hypotheses
from dpframe.runtime.gate import _built
from tests.planning.examples import CASES
from tests.proof.checker.forging import release, steps

VALUES: list[Any] = [
    *("x", "", None, True, False, -1, 0, 1, 2, 7, 27, 41, 10**30, 0.5, -0.5, 1.5, 0.0, 1e-31, 1e31, 1e308),
    *([], {}, [1], ["x"], [True], [1.5], [1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, "x", 1.0]),
]
SETTINGS = {
    "k": 2,
    "d": 2,
    "n": 10**8,
    "bound": 50.0,
    "epsilon": 30.0,
    "sigma": 1.0,
    "sigma_min": 0.5,
    "sigma_max": 5.0,
}
NAMES = ("learner", "function", "mask", "family", "semimetric")
"""That nothing is registered under a name, or another plugin's, is a run's to say."""
TOLD = {("own_contribution", "bits"), ("own_statistic", "bits"), ("registered_average", "test_threshold")}
"""They follow from what a plugin says of its own, which a run asks."""


def walk(graph: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for node in graph["nodes"]:
        yield "/".join((*path, node["name"])), node
        for label, body in node.get("bodies", {}).items():
            yield from walk(body, (*path, node["name"], label))


def put(document: Any, place: int, name: str, value: Any) -> Any:
    """The certificate with another parameter, and all that is made of it changed in the same way."""
    changed = copy.deepcopy(document)
    path, node = list(walk(changed["graph"]))[place]
    node["parameters"][name] = value
    if name in (node.get("theorem_inputs") or {}):
        node["theorem_inputs"][name] = value
    texts = constant_hypotheses(node["kind"], node["parameters"], len(node["inputs"]))
    kept, said = [], [{"node": path, "theorem": node["theorem"], "hypothesis": text} for text in texts]
    later = {other for other, _ in list(walk(changed["graph"]))[place + 1 :]}
    for entry in changed["hypotheses"]:
        if entry["node"] in later:
            kept, said = kept + said, []
        if entry["node"] != path or not entry["hypothesis"].startswith(PUBLIC):
            kept.append(entry)
    changed["hypotheses"] = kept + said
    return changed


def disagreements(document: Any, seen: set[tuple[str, str]], values: Sequence[Any] = VALUES) -> Iterator[Any]:
    """Where verification and a run say different things of a parameter, each of an operation's once."""
    for place, (_, node) in enumerate(walk(document["graph"])):
        name = node["operation"]
        for key in node["parameters"] if name in DECLARATIONS else ():
            if (name, key) in seen | TOLD:
                continue
            seen.add((name, key))
            for value in (None, True, 2, 1.5, ["x"]) if key in NAMES else values:
                refused, fails = judged(put(document, place, key, value), name, {**node["parameters"], key: value})
                if (refused is None and fails) or (f"its parameter {key!r}" in (refused or "") and not fails):
                    yield name, key, value, refused


def judged(changed: Any, name: str, parameters: Any) -> tuple[str | None, bool]:
    """Why the checker refuses a certificate, and whether a run would."""
    try:
        checked = check(json.dumps(changed).encode())
    except CertificateError as error:
        return error.message, not buildable(name, parameters)
    try:
        _built(checked.graph)
    except DpframeError:
        return None, True
    return None, False


def buildable(name: str, parameters: Any) -> bool:
    try:
        build(name, parameters)
    except DpframeError:
        return False
    return all(isinstance(value, str) for key, value in parameters.items() if key in NAMES)


@pytest.mark.slow
def test_what_no_run_takes_is_not_verified() -> None:
    seen: set[tuple[str, str]] = set()
    found = [each for case in CASES for each in disagreements(release(case)[0], seen)]
    assert found == []
    assert {key for _, key in seen} >= set(FITS)


def planned_for_many_rows(name: str) -> Plan:
    spec = load_spec(name)
    for key, value in {**SETTINGS, "d": 1 + ("univariate" not in name)}.items():
        with contextlib.suppress(DpframeError):
            spec = spec.set({key: value})
    return spec.plan()


@pytest.mark.slow
def test_nor_is_it_in_certificates_of_shipped_specs() -> None:
    """Each operation's parameter in the first spec that has it, and fewer values than above."""
    seen: set[tuple[str, str]] = set()
    for name in shipped():
        document = json.loads(planned_for_many_rows(name).document(simulated=False))
        assert list(disagreements(document, seen, ("x", None, -1, 0, []))) == []


@pytest.mark.parametrize("value", ["x", None, True, 0, 27, 1.5, [20], {}])
def test_bits_of_a_sum_are_bits_of_a_lattice(value: Any) -> None:
    document = release("simple mean")[0]
    place, node = next((i, s) for i, (_, s) in enumerate(walk(document["graph"])) if s["operation"] == "mean")
    assert "bits" in node["parameters"]
    with pytest.raises(CertificateError, match="its parameter 'bits' can't be"):
        check(json.dumps(put(document, place, "bits", value)).encode())


def test_a_mechanism_has_a_share_or_a_multiplier() -> None:
    document = release("simple mean")[0]
    place = next(i for i, (_, s) in enumerate(walk(document["graph"])) if s["operation"] == "gaussian")
    for name, value in (("share", None), ("noise_multiplier", 1.0)):
        with pytest.raises(CertificateError, match="exactly one of share and noise_multiplier"):
            check(json.dumps(put(document, place, name, value)).encode())


def test_all_nodes_are_walked() -> None:
    document = release("simple mean")[0]
    assert [step for _, step in walk(document["graph"])] == list(steps(document))

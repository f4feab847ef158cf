"""Certificates of the three specs verify, and none does after a place that its proof rests on was edited."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from dpframe.errors import PlanError
from dpframe.front.specs import load_spec
from dpframe.planning.certificate import certificate
from dpframe.planning.views import delta_view, view
from dpframe.proof.checker import verify
from dpframe.proof.families.masks import MOST_EPSILON, MOST_NUMBERS
from dpframe.proof.losses import tightest_epsilon
from dpframe.proof.spaces import Within
from dpframe.proof.theorems import THEOREMS

SPECS = {
    "arbas23_gaussian": {"n": 500_000, "d": 5},
    "arbas23_gmm": {"n": 500_000, "d": 2, "k": 2},
    "arbas23_gmm_refined": {"n": 500_000, "d": 2, "k": 2},
}
PARAMETERS = [
    ("block_learner", "t", 0.5),
    ("populous_weight", "ramp", 2.0),
    ("populous_weight", "majority", 0.5),
    ("populous_weight", "r", 0.5),
    ("populous_average", "ramp", 2.0),
    ("populous_average", "r", 0.5),
    ("populous_average", "test_threshold", 1.5),
    ("truncated_laplace_test", "threshold", 0.5),
]
CALIBRATIONS = [
    ("truncated_laplace_test", "epsilon", 0.5),
    ("truncated_laplace_test", "delta", 0.5),
    ("truncated_laplace_test", "half_width", 0.5),
    ("truncated_laplace_test", "sensitivity", 0.5),
    ("mixture_mask", "eta_mean", 0.5),
    ("mixture_mask", "eta_covariance", 2.0),
    ("mixture_mask", "delta", 0.5),
]


@functools.cache
def made(name: str) -> str:
    plan = load_spec(name, SPECS[name]).plan()
    return json.dumps(certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released"))


def nodes(graph: Any) -> Iterator[Any]:
    for node in graph["nodes"]:
        yield node
        for body in node.get("bodies", {}).values():
            yield from nodes(body)


def only(document: Any, operation: str) -> Any:
    (node,) = [n for n in nodes(document["graph"]) if n["operation"] == operation]
    return node


@pytest.mark.parametrize("name", SPECS)
def test_it_verifies_under_the_stated_hypotheses(name: str) -> None:
    verdict = verify(json.loads(made(name)))
    assert verdict.verified, verdict.reasons
    said = " ".join(verdict.hypotheses)
    for hypothesis in ("limits not binding", "one random stream a block", "the test passed"):
        assert hypothesis in said


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize(("operation", "key", "factor"), PARAMETERS)
def test_an_edited_parameter_is_rejected(name: str, operation: str, key: str, factor: float) -> None:
    document = json.loads(made(name))
    node = only(document, operation)
    old = node["parameters"][key]
    node["parameters"][key] = node["theorem_inputs"][key] = type(old)(old * factor)
    assert not verify(document).verified


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize(("operation", "key", "factor"), CALIBRATIONS)
def test_an_edited_calibration_is_rejected(name: str, operation: str, key: str, factor: float) -> None:
    document = json.loads(made(name))
    only(document, operation)["mechanism"]["calibration"][key] *= factor
    assert not verify(document).verified


@pytest.mark.parametrize("name", SPECS)
def test_an_edited_total_is_rejected(name: str) -> None:
    for key in ("epsilon", "delta"):
        document = json.loads(made(name))
        document["total"][key] *= 0.99
        assert not verify(document).verified


@pytest.mark.parametrize("name", SPECS)
def test_a_mask_outside_its_branch_is_rejected(name: str) -> None:
    """The average exists only where the test passed: handing it to the other body is no proof."""
    document = json.loads(made(name))
    branch = only(document, "branch")
    branch["bodies"]["then"], branch["bodies"]["otherwise"] = branch["bodies"]["otherwise"], branch["bodies"]["then"]
    assert not verify(document).verified


def test_a_mask_beside_a_total_epsilon_that_its_rounding_is_not_proved_for_is_refused() -> None:
    """e^ε times what rounding changes must stay below the δ that is charged for it: in the plan, and in `verify`."""
    keys = {**SPECS["arbas23_gaussian"], "epsilon": MOST_EPSILON + 10}
    with pytest.raises(PlanError, match="proved beside a total epsilon of at most 150") as refused:
        load_spec("arbas23_gaussian", keys).plan()
    assert "mask" in str(refused.value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(THEOREMS, "mixture_mask", attrs.evolve(THEOREMS["mixture_mask"], most_epsilon=math.inf))
        plan = load_spec("arbas23_gaussian", keys).plan()
        forged = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
        assert verify(forged).verified
    assert "proved beside a total epsilon of at most 150" in " ".join(verify(forged).reasons)


def test_a_mask_is_proved_up_to_the_largest_total_epsilon() -> None:
    plan = load_spec("arbas23_gaussian", {**SPECS["arbas23_gaussian"], "epsilon": MOST_EPSILON}).plan()
    assert verify(certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")).verified


def test_views_of_a_masks_plan_say_nothing_beyond_what_is_proved() -> None:
    """Of the loss itself both ε above 150 and δ above 1/2 could be computed: no statement rests on them."""
    plan = load_spec("arbas23_gaussian", {**SPECS["arbas23_gaussian"], "epsilon": MOST_EPSILON}).plan()
    total, beyond = plan.spent["delta"], plan.loss.delta * (1 + 1e-9)
    proof = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    assert MOST_EPSILON < tightest_epsilon(plan.loss, beyond)[0] < math.inf
    for epsilon in (plan.epsilon, proof.epsilon, functools.partial(plan.epsilon, accountant="rdp")):
        assert [epsilon(delta) for delta in (beyond, 0.6, total)] == [math.inf, math.inf, plan.spent["epsilon"]]
    for points in plan.curve([1.0, 120.0, MOST_EPSILON, MOST_EPSILON * 1.001]).values():
        assert [delta < 0.1 for _, delta in points] == [False, True, True, False]
        assert points[-1][1] == points[0][1] == 1.0
    assert [view(1.0, 0.6, names) for names in ([], ["branch"], ["branch", "mixture_mask"])] == [1.0, 1.0, math.inf]
    assert [delta_view(0.6, 1.0, names) for names in ([], ["branch"], ["mixture_mask"])] == [0.6, 0.6, 1.0]


def test_a_mask_of_more_numbers_than_rounding_is_proved_for_is_refused() -> None:
    told = {"eta_weight": 0.1, "eta_mean": 0.1, "eta_covariance": 0.1, "delta": 2.0**-90, "k": 1}
    rule = THEOREMS["mixture_mask"].rule
    most = math.isqrt(MOST_NUMBERS) - 1
    assert rule({**told, "d": most}, ((Within("component", 1e-9),),)).delta == 2.0**-90
    with pytest.raises(PlanError, match="at most 1048576 numbers"):
        rule({**told, "d": most + 1}, ((Within("component", 1e-9),),))

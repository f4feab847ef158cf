"""How much noise a mechanism of one's own needs, by what it claims."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpframe import plugin
from dpframe.errors import PlanError
from dpframe.kernel import registry
from dpframe.proof.spaces import L1, Counts


def _noisy(value: Any, scale: float, noise: Any) -> Any:
    """Laplace noise."""
    return value + noise.laplace(scale, value.shape)


def _infinite(scale: float, distance: float) -> float:
    return distance / scale if scale > 1 else math.inf


def _undefined(scale: float, distance: float) -> float:
    return distance / scale if scale < 1 else math.sqrt(-scale)


def _claimed(loss: Any) -> Any:
    name = f"test.claiming{loss.__name__}"
    plugin.own_mechanism(name, gives=2, takes="l1", loss=loss, source="-")(_noisy)
    return registry.build(name, {"share": 1.0})


def _overflows(scale: float, distance: float) -> float:
    return math.expm1(distance / scale)


@pytest.mark.parametrize("loss", [_overflows, _infinite])
def test_a_claim_that_has_no_number_for_little_noise_has_one_for_more(loss: Any) -> None:
    operation, distance = _claimed(loss), (L1(1.0),)
    noise = operation.calibrate(0.02, 0.0, distance, Counts(2))
    assert 0.019 < operation.loss(noise, distance, Counts(2)).rho <= 0.02


def test_a_claim_without_an_answer_for_much_noise_is_refused_with_its_reason() -> None:
    with pytest.raises(PlanError, match="its claim fails: ValueError"):
        _claimed(_undefined).calibrate(0.02, 0.0, (L1(1.0),), Counts(2))

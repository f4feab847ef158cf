"""scikit-learn's own checks: all pass but those that demand an exception decided by private cells."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from sklearn.utils.estimator_checks import check_estimator

from dpframe import estimators

BUDGET: dict[str, Any] = {"epsilon": 1e4, "delta": 1e-6, "adjacency": "replace_one", "bound": 1e4, "simulate": 0}
FIRST: dict[str, tuple[Any, ...]] = {"PrivateKMeans": (2,), "PrivateGaussianMixture": (1,)}
FAST = ("PrivateHistogram",)
SLOW = (
    "PrivateGaussianMixture", "PrivateGaussianNB", "PrivateKMeans", "PrivateLinearRegression",
    "PrivateLogisticRegression", "PrivatePCA", "PrivateQuantiles",
)  # fmt: skip


def made(name: str, **more: Any) -> Any:
    return getattr(estimators, name)(*FIRST.get(name, ()), **{**BUDGET, **more})


@pytest.mark.parametrize("name", [*FAST, *(pytest.param(n, marks=pytest.mark.slow) for n in SLOW)])
def test_scikit_learn_checks(name: str) -> None:
    model = made(name)
    expected = type(model)._expected_failed_checks
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = check_estimator(model, expected_failed_checks=dict(expected), on_fail=None, on_skip=None)
    failed = {one["check_name"]: one["exception"] for one in done if one["status"] == "failed"}
    assert failed == {}
    assert {one["check_name"] for one in done if one["status"] == "xfail"} == set(expected)
    assert all("private" in reason for reason in expected.values())

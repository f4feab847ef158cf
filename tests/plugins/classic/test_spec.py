"""The spec ``coinpress_gaussian``: its keys, both forms of a budget, both adjacencies, and what it plans."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe.errors import DpframeError
from dpframe.front.specs import load_spec, parse_spec
from tests.plugins.classic.runs import covariance_error, draw, planned, stretched

TRUTH = stretched(np.array([1.0, 100.0]))


@pytest.mark.parametrize(
    ("changes", "loss"),
    [
        ({"bound": 1e6}, {"adjacency", "accountant", "epsilon", "delta"}),
        ({}, {"adjacency", "accountant", "epsilon", "delta"}),
        ({"rho": 0.5, "bound": 1e6}, {"adjacency", "accountant", "rho", "delta"}),
        ({"adjacency": "add_remove", "epsilon": 2.0}, {"adjacency", "accountant", "epsilon", "delta"}),
    ],
)
@pytest.mark.parametrize("d", [1, 2])
def test_it_runs(changes: dict[str, Any], loss: set[str], d: int) -> None:
    size = {} if changes.get("adjacency") == "add_remove" else {"n": 5000}
    plan = load_spec("coinpress_gaussian", {"d": d, **size, **changes}).plan()
    assert set(plan.spent) == loss
    result = plan.run(x=draw(5000, 20.0, TRUTH[:d, :d]), simulate=1)
    assert list(result.outputs) == ["gaussian"]
    found = result["gaussian"]
    assert (found.mean.shape, found.covariance.shape) == ((d,), (d, d))
    assert covariance_error(found.covariance, TRUTH[:d, :d]) < 0.25


def test_it_plans_what_the_composite_does() -> None:
    spec = load_spec("coinpress_gaussian", {"n": 5000, "d": 2, "bound": 100.0})
    ours = planned("coinpress_gaussian", 2, 5000, bound=100.0)
    theirs = spec.plan()
    assert theirs.spent == ours.spent
    assert [type(n.operation).__name__ for n in theirs.graph.nodes] == [
        type(n.operation).__name__ for n in ours.graph.nodes
    ]
    text = spec.written(theirs)
    again = parse_spec(text)
    assert again.written(again.plan()) == text


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"bound": -1.0}, "bound"), ({"k": 3}, "k"), ({"rho": 0.5, "epsilon": 1.0}, "not both"), ({"t": 5}, "'t'")],
)
def test_refusals(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(DpframeError, match=said):
        load_spec("coinpress_gaussian", {"n": 5000, "d": 2, **changes}).plan()

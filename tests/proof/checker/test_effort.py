"""A hostile certificate costs bounded time and memory."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from dpframe.proof.checker import pricing, verify
from dpframe.proof.losses import Gaussian, Loss, Pure, compose, worst
from tests.proof.checker.forging import node, rejected, release
from tests.steps import within


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
    rejected(within(12_000_000, lambda: verify(document)), reason)


def test_worst_allocations_are_refused_beyond_the_bound() -> None:
    meter = pricing.Meter()
    incomparable = [compose(Loss.of(Gaussian(1 + i)), Loss.of(Pure(1 / (1 + i)))) for i in range(600)]
    with pytest.raises(Exception, match="differ in more than"):
        meter.worst(incomparable)
    assert meter.worst(incomparable[:8]) == worst(*incomparable[:8])
    with pytest.raises(Exception, match="too large"):
        meter.spend(pricing.MAX_WORK)

"""Domains, metrics and adjacencies: what they accept, and that their JSON form says it all."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DomainError
from dpframe.proof.spaces import (
    ADD,
    ADJACENCIES,
    L1,
    L2,
    REMOVE,
    REPLACE_ONE,
    UNCHANGED,
    Adjacency,
    AffineMap,
    AffineValue,
    Array,
    Ball,
    BallValue,
    Blocks,
    Counts,
    Domain,
    Edits,
    Flag,
    Index,
    LInf,
    ListOf,
    Metric,
    Mixture,
    MixtureValue,
    OneOf,
    OneSided,
    Outcome,
    Record,
    Rows,
    SparseCounts,
    Subspace,
    Symmetric,
    Vector,
    WeightedRows,
    Whitening,
    WhiteningValue,
    Within,
    adjacency,
    adjacency_from_json,
    domain_from_json,
    metric_from_json,
)

DOMAINS: list[Domain] = [
    Rows(3),
    Rows(3, "unit_ball"),
    WeightedRows(2, 3),
    Vector(4),
    Array((2, 3)),
    Array(()),
    Symmetric(3),
    Symmetric(3, 2),
    Counts(5),
    SparseCounts(2, 7),
    Index(9),
    Flag(),
    Ball(2),
    Subspace(4, 2),
    AffineMap(3, 2),
    Whitening(2, 3),
    Mixture(2, 3),
    Record("a"),
    ListOf(Ball(2), 4),
    ListOf(ListOf(Vector(1), 2), 3),
    Blocks(9, Vector(2)),
]
METRICS: list[Metric] = [
    REPLACE_ONE,
    Edits(1, 1, indexed=False),
    Edits(0, 4),
    L1(0.5),
    L2(1e-300),
    LInf(math.inf),
    OneSided(3.0),
    OneOf(10, 1),
    Within("l2", 0.25),
]


@pytest.mark.parametrize("domain", DOMAINS, ids=str)
def test_domains_survive_json(domain: Domain) -> None:
    assert domain_from_json(json.loads(json.dumps(domain.to_json()))) == domain
    assert hash(domain) == hash(domain_from_json(domain.to_json()))


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_metrics_survive_json(metric: Metric) -> None:
    assert metric_from_json(json.loads(json.dumps(metric.to_json()))) == metric


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        "rows",
        {},
        {"type": "tensor"},
        {"type": ["rows"]},
        {"type": "rows"},
        {"type": "rows", "d": 3},
        {"type": "rows", "d": 3, "bound": "any", "more": 1},
        {"type": "rows", "d": 0, "bound": "any"},
        {"type": "rows", "d": 3.0, "bound": "any"},
        {"type": "rows", "d": 3, "bound": "sphere"},
        {"type": "list_of", "item": {"type": "eval"}, "max_length": 3},
        {"type": "array", "shape": [0, 2]},
        {"type": "array", "shape": [1.5]},
    ],
    ids=str,
)
def test_malformed_domains_are_refused(value: Any) -> None:
    with pytest.raises(DomainError):
        domain_from_json(value)


@pytest.mark.parametrize(
    "value",
    [
        {"type": "l1", "bound": -1.0},
        {"type": "l1", "bound": float("nan")},
        {"type": "l1", "bound": "1"},
        {"type": "l1", "bound": True},
        {"type": "edits", "removed": -1, "added": 0},
        {"type": "edits", "removed": 1.0, "added": 0},
        {"type": "edits", "removed": 1},
        {"type": "edits", "removed": 1, "added": 1, "indexed": 1},
        {"type": "one_of", "t": 0, "changed": 0},
        {"type": "l3", "bound": 1.0},
    ],
    ids=str,
)
def test_malformed_metrics_are_refused(value: Any) -> None:
    with pytest.raises(DomainError):
        metric_from_json(value)


# ----------------------------------------------------------------------------------- membership

EYE = np.eye(2)
MAP = AffineValue(np.zeros(2), np.ones((2, 1)), 1.0)
GMM = MixtureValue(np.array([0.5, 0.5]), np.zeros((2, 2)), np.stack([EYE, EYE]))

GOOD: list[tuple[Domain, Any]] = [
    (Vector(2), [1.0, 2.0]),
    (Array((2, 1)), [[1.0], [2.0]]),
    (Symmetric(2), EYE),
    (Symmetric(2, 3), np.stack([EYE] * 3)),
    (Counts(2), [1, -3.5]),
    (SparseCounts(1, 2), (None, None)),
    (Index(3), 2),
    (Index(3), None),
    (Index(3), np.int64(0)),
    (Flag(), Outcome(passed=True, value=0.5)),
    (Ball(2), BallValue(np.zeros(2), 1.0)),
    (Subspace(2, 1), [[1.0], [0.0]]),
    (AffineMap(2, 1), MAP),
    (Whitening(1, 2), WhiteningValue((AffineValue(np.zeros(2), EYE, 1.0),), np.zeros(1), 1.0, 0.0)),
    (Mixture(2, 2), GMM),
    (Record("x"), "anything"),
    (ListOf(Vector(1), 2), [[1.0]]),
    (ListOf(Vector(1), 2), ()),
]
BAD: list[tuple[Domain, Any]] = [
    (Vector(2), [1.0]),
    (Vector(2), [1.0, math.nan]),
    (Vector(2), [1.0, math.inf]),
    (Vector(2), ["a", "b"]),
    (Vector(2), None),
    (Symmetric(2), [[1.0, 2.0], [2.0000001, 1.0]]),
    (SparseCounts(1, 2), (None,)),
    (SparseCounts(1, 2), [None, None]),
    (Index(3), 3),
    (Index(3), -1),
    (Index(3), 1.0),
    (Flag(), True),
    (Flag(), Outcome(passed=True, value=math.nan)),
    (Ball(2), BallValue(np.zeros(3), 1.0)),
    (Ball(2), BallValue(np.zeros(2), 0.0)),
    (Ball(2), BallValue(np.zeros(2), math.inf)),
    (Ball(2), (np.zeros(2), 1.0)),
    (Subspace(2, 1), [[1.0], [1.0]]),
    (AffineMap(2, 2), MAP),
    (AffineMap(2, 1), AffineValue(np.zeros(2), np.ones((2, 1)), math.nan)),
    (Whitening(1, 2), WhiteningValue((), np.zeros(0), 1.0, 0.0)),
    (Mixture(2, 2), MixtureValue(np.array([0.5, 0.6]), GMM.means, GMM.covariances)),
    (Mixture(2, 2), MixtureValue(np.array([1.5, -0.5]), GMM.means, GMM.covariances)),
    (Mixture(2, 2), MixtureValue(GMM.weights, GMM.means, np.zeros((2, 2, 2)))),
    (ListOf(Vector(1), 2), [[1.0]] * 3),
    (ListOf(Vector(1), 2), [[1.0, 2.0]]),
    (Rows(2), np.zeros((3, 2))),
]


@pytest.mark.parametrize(("domain", "value"), GOOD, ids=lambda v: str(v)[:40])
def test_members(domain: Domain, value: Any) -> None:
    domain.check(value)


@pytest.mark.parametrize(("domain", "value"), BAD, ids=lambda v: str(v)[:40])
def test_others(domain: Domain, value: Any) -> None:
    with pytest.raises(DomainError):
        domain.check(value)


# ------------------------------------------------------------------------------------ adjacency


def test_adjacencies_by_name_edits_and_json() -> None:
    assert adjacency("replace_one") is adjacency(REPLACE_ONE) is ADJACENCIES["replace_one"]
    assert adjacency("add_remove").edits == (REMOVE, ADD)
    user = adjacency(Edits(5, 5))
    assert (user.name, user.edits, user.n_is_public) == ("edits(5,5)", (Edits(5, 5),), True)
    assert not adjacency(Edits(2, 0)).n_is_public
    assert not adjacency("add_remove").n_is_public
    assert adjacency(user) is user
    assert adjacency_from_json("add_remove") == adjacency("add_remove")
    assert adjacency_from_json({"type": "edits", "removed": 5, "added": 5}) == user


@pytest.mark.parametrize(
    "bad",
    [
        *("bounded", "", UNCHANGED, Adjacency("mine", ()), Adjacency("mine", (UNCHANGED,))),
        *(Edits(1, 1, indexed=False), Edits(2, 2, indexed=False), Edits(4, 4, group=2)),
    ],
)
def test_unknown_adjacencies_are_refused(bad: Any) -> None:
    with pytest.raises(DomainError) as caught:
        adjacency(bad)
    assert caught.value.fix


@pytest.mark.parametrize(
    "bad",
    [
        *(None, 3, ["replace_one"], {"type": "rows"}, {"type": "edits"}),
        *({"type": "edits", "removed": 2, "added": 2, key: False} for key in ("indexed", "group", "more")),
    ],
)
def test_malformed_adjacencies_are_refused(bad: Any) -> None:
    with pytest.raises(DomainError):
        adjacency_from_json(bad)


def test_edits() -> None:
    assert repr(REPLACE_ONE) == "Edits(removed=1, added=1)"
    assert repr(Edits(1, 1, indexed=False)) == "Edits(removed=1, added=1, indexed=False)"
    assert Edits(1, 1, indexed=False) != REPLACE_ONE
    assert Edits(1, 1, indexed=False).bare == REPLACE_ONE
    assert (REPLACE_ONE.total, ADD.total, UNCHANGED.total) == (2, 1, 0)
    assert [e.keeps_index for e in (REPLACE_ONE, Edits(4, 4), ADD, Edits(1, 1, indexed=False))] == [
        True,
        True,
        False,
        False,
    ]

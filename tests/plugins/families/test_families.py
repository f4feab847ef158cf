"""Families of distributions: densities under the rules of row maps, public lists, refusals, the battery's lies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DomainError
from dpframe.kernel.families.density_scores import (
    FARTHEST,
    DensityScores,
    FamilyMixtures,
    family_densities,
    log_densities,
)
from dpframe.kernel.families.registering import family, find_family
from dpframe.kernel.operations import Batch
from dpframe.kernel.post_processing import Failed
from dpframe.proof.spaces import Rows
from dpframe.testing import check_operation
from dpframe_plugins.families.reduction import Choose, Masses, Net
from dpframe_plugins.families.tuples import Tuples

SHIPPED = [
    "unit_gaussian",
    *(f"families.{name}" for name in ("gaussian_full", "gaussian_diagonal", "gaussian_spherical", "laplace")),
    *(f"families.{name}" for name in ("bernoulli", "poisson", "von_mises_fisher")),
]
LINE: dict[str, Any] = {
    "size": lambda d: d,
    "sample": lambda theta, count, generator: theta + generator.standard_normal((count, len(theta))),
    "fit": lambda rows, generator: rows.mean(axis=0),
    "example": lambda d, generator: generator.standard_normal(d),
}


@family("lies.two_sizes", **{**LINE, "size": lambda d: 2 * d})
def two_sizes(rows: Any, theta: Any) -> Any:
    return -((rows - theta) ** 2).sum(axis=1)


@family("lies.centred_rows", **LINE)
def centred_rows(rows: Any, theta: Any) -> Any:
    """Rows less their mean: each row's density depends on all."""
    return -(((rows - rows.mean(axis=0) - theta) ** 2).sum(axis=1)) / 2


SCALED = {
    **LINE,
    "size": lambda d: d + 1,
    "example": lambda d, generator: np.append(generator.random(d), 0.2 + 3 * generator.random()),
    "sample": lambda t, n, g: t[:-1] + t[-1] * g.standard_normal((n, len(t) - 1)),
    "fit": lambda rows, generator: np.append(rows.mean(axis=0), rows.std()),
}


@family("lies.scale", **SCALED)
def scale(rows: Any, theta: Any) -> Any:
    """A Gaussian without its normaliser."""
    total = np.zeros(len(rows))
    for i in range(rows.shape[1]):
        total = total - (rows[:, i] - theta[i]) ** 2 / 2 / theta[-1] ** 2
    return total


@family("lies.size", **{**LINE, "size": lambda d: d + 1})
def size(rows: Any, theta: Any) -> Any:
    """Another number of parameters than it says."""
    return -((rows - theta) ** 2).sum(axis=1) / 2


@family("tests.fussy", **LINE)
def fussy(rows: Any, theta: Any) -> Any:
    """Raises where a row is above 100, gives no number below −100."""
    if (rows > 100).any():
        raise ValueError(rows)
    with np.errstate(all="ignore"):
        return np.where(rows[:, 0] < -100, np.nan, -((rows - theta) ** 2).sum(axis=1) / 2)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_families_hold(name: str) -> None:
    report = check_operation(name)
    assert report.holds, report.failures
    assert report.kind == "family"


@pytest.mark.parametrize(
    ("name", "layer"),
    [
        ("lies.centred_rows", "rowwise"),
        ("lies.scale", "density"),
        ("lies.size", "totality"),
    ],
)
def test_lies_are_refuted(name: str, layer: str) -> None:
    assert layer in {failure.layer for failure in check_operation(name).failures}


def test_what_one_row_causes_stays_with_it() -> None:
    rows = np.array([[0.0], [1e3], [1.0], [-1e3]])
    logs = log_densities(find_family("tests.fussy"), rows, np.zeros((1, 1)))
    assert logs.tolist() == [[0.0, FARTHEST, -0.5, FARTHEST]]
    alone = [log_densities(find_family("tests.fussy"), row[None], np.zeros((1, 1)))[0, 0] for row in rows]
    assert logs[0].tolist() == alone


@pytest.mark.parametrize("name", SHIPPED)
def test_a_replaced_row_moves_every_score_by_one_at_most(name: str) -> None:
    """Also by chunks: the same bits; a family that looks at other rows, the broken twin, moves by more."""
    known, rng = find_family(name), np.random.default_rng(1)
    components = np.array([known.example(3, rng) for _ in range(4)])
    listed = FamilyMixtures(name, components, [[0, 1], [2, 3], [1, 2]], [[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]])
    rows = known.sample(components[0], 50, rng)

    def scores(values: Any, cut: int = 50, listed: FamilyMixtures = listed) -> Any:
        made = DensityScores(family=listed.family, size=3, n=50)
        fold = made.start(Rows(3), listed, np.full((3, 3), 0.5))
        for part in (values[:cut], values[cut:]):
            made.update(fold, Batch(0, part, np.ones(len(part), dtype=bool)))
        return made.value(fold).integers

    before = scores(rows)
    assert scores(rows, 17).tolist() == before.tolist()
    for i in range(6):
        other = rows.copy()
        other[i] = rng.choice([1e6, -3.0, 0.0]) * rng.standard_normal(3)
        assert np.abs(scores(other) - before).max() <= 1
    if name == "unit_gaussian":
        twin = FamilyMixtures("lies.centred_rows", components, listed.picks, listed.weights)
        other = rows.copy()
        other[0] = 500.0
        assert np.abs(scores(other, 50, twin) - scores(rows, 50, twin)).max() > 1


def test_masses_are_those_of_the_sets() -> None:
    """Two unit Gaussians 2 apart: Φ(1) = 0.8413 each; 8192 draws err by 0.03 once in 1e9."""
    listed = Net(family="unit_gaussian", k=1, steps=1).apply([np.zeros(1), np.full(1, 2.0)])
    assert len(listed) == 2
    masses = Masses(size=2, seed=3).apply(listed)
    assert masses[0, 1] == pytest.approx(0.8413, abs=0.03)  # f_0(f_0 > f_1)
    assert masses[1, 0] == pytest.approx(0.1587, abs=0.03)  # f_1 of the same set
    assert family_densities(np.zeros((1, 1)), listed)[:, 0].tolist() == pytest.approx([1.0, np.exp(-2)], rel=1e-5)


def test_public_lists_keep_correlations() -> None:
    rng = np.random.default_rng(2)
    rows = rng.multivariate_normal([0, 0], [[1, 0.95], [0.95, 1]], 200)
    rows[100:] += [9.0, 0.0]
    made = Tuples(family="families.gaussian_full", each=20, most=6, k=2)
    found = np.array(made.apply(rows))
    correlation = found[:, 3] / np.hypot(found[:, 3], found[:, 4])
    assert np.median(correlation) > 0.9
    assert isinstance(made.apply(rows[:5]), Failed)


def test_a_fit_of_another_size_is_told() -> None:
    rows = np.random.default_rng(0).normal(size=(200, 1))
    found = Tuples(family="lies.two_sizes", each=20, most=3, k=1).apply(rows)
    assert isinstance(found, Failed)
    assert found.reason == "family 'lies.two_sizes': fit gave 1 number, size(1) says 2"
    assert "size" in found.advice


def test_refusals() -> None:
    listed = FamilyMixtures("unit_gaussian", np.zeros((1, 2)), [[0]], [[1.0]])
    made = DensityScores(family="unit_gaussian", size=3, n=5)
    with pytest.raises(DomainError, match="components have 1 finite parameters each"):
        made.start(Rows(1), listed, np.zeros((3, 3)))
    with pytest.raises(DomainError, match=r"takes FamilyMixtures of 'families.laplace'"):
        DensityScores(family="families.laplace", size=3, n=5).start(Rows(1), listed, np.zeros((3, 3)))
    with pytest.raises(dp.SpecError, match="unknown family 'nothing'"):
        find_family("nothing")
    assert isinstance(Choose(k=1, p=2).apply(listed, None), Failed)
    for more, message in (({}, "has no list decoder"), ({"decoder": "x", "listed": 400}, "max_hypotheses is 1024")):
        recipe = dp.recipe("families.mixture", family="unit_gaussian", k=2, alpha=0.5, **more)
        with pytest.raises(dp.PlanError, match=message):
            dp.plan(
                dp.program(lambda x, recipe=recipe: dp.release("m", recipe, x)),
                x=dp.rows(n=100, d=1),
                adjacency=dp.REPLACE_ONE,
                budget=dp.approx_dp(epsilon=1.0, delta=1e-6),
            )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"k": 0}, "k must be a whole number of at least 1, not 0"),
        ({"alpha": 0.0}, r"alpha must be in \[1e-09, 1\]"),
        ({"alpha": 2.0}, r"alpha must be in \[1e-09, 1\]"),
        ({"beta": 0.0}, r"beta in \[1e-09, 1\)"),
        ({"steps": -1}, "steps must be a whole number of at least 1, not -1"),
        ({"listed": 0}, "listed must be a whole number of at least 1, not 0"),
        ({"decoding": -5}, "decoding must be a number of rows, not -5"),
    ],
)
def test_numbers_that_mean_nothing_are_refused_by_name(wrong: dict[str, Any], message: str) -> None:
    recipe = dp.recipe("families.mixture", **{"family": "families.gaussian_full", "k": 2, "alpha": 0.5, **wrong})
    with pytest.raises(dp.SpecError, match=message):
        dp.plan(
            dp.program(lambda x: dp.release("m", recipe, x)),
            x=dp.rows(n=1000, d=1),
            adjacency=dp.REPLACE_ONE,
            budget=dp.approx_dp(1.0, 1e-6),
        )

"""``select``: what it chooses, what it refuses, in one column and in more; the list of candidates decides the rest."""

from __future__ import annotations

import re
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.front.program import Target, apply
from dpframe.kernel.families.contest_scores import ContestScores
from dpframe.kernel.families.hypotheses import Hypotheses, MixtureNet
from dpframe.kernel.operations import Batch
from dpframe.kernel.post_processing import Failed, Post
from dpframe.kernel.registry import composite, register
from dpframe.proof.spaces import Array, Gaussian, GaussianValue, Index, ListOf, Mixture, MixtureValue, Record, Rows
from dpframe_plugins.aal21.candidates import Candidates
from dpframe_plugins.aal21.contests import ZETA, Bars, select_by_contests
from dpframe_plugins.aal21.reduction import ListEdges, selection_share
from dpframe_plugins.aal21.selection import Choose, ListedHypotheses, Net, PairMasses, pair_masses, select, spread

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
RECORDED = Record("hypotheses")


def candidates(rng: np.random.Generator, many: int, d: int) -> Candidates:
    """The truth first, then others around it."""
    weights = rng.dirichlet(np.ones(2), size=many)
    means = rng.normal(size=(many, 2, d)) + np.array([0.0, 5.0])[:, None]
    variances = np.exp(rng.normal(size=(many, 2, d)))
    weights[0], means[0], variances[0] = (0.3, 0.7), [[0.0] * d, [5.0] * d], 1.0
    return Candidates(weights, means, variances)


def rows(n: int, d: int, rng: np.random.Generator) -> Any:
    return rng.normal(size=(n, d)) + 5.0 * (rng.random((n, 1)) < 0.7)


def plan(made: Any, n: int, d: int, *, cells: bool, most: int = 64) -> dp.Plan:
    """A program whose candidates come from a post that is told them."""
    edges = np.linspace(-6.0, 11.0, 200)

    @dp.program
    def program(x: Any) -> Any:
        found = apply("found", given(made))
        own = dp.constant(edges[None]) if cells else None
        return select("mixture", x, found, own, share=1.0, n=n, k=2, max_hypotheses=most)

    return dp.plan(program, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=BUDGET)


GIVEN: list[Any] = []
"""Values that tests give: a post is rebuilt from its parameters, so it names one by its place."""


def given(value: Any) -> Post:
    GIVEN.append(value)
    return Given(place=len(GIVEN) - 1)


@register("test.given")
@attrs.frozen
class Given(Post):
    """A value that the test gives."""

    place: int = attrs.field(kw_only=True)

    def output(self, *inputs: Any) -> Any:
        return RECORDED if isinstance(GIVEN[self.place], (Hypotheses, MixtureNet)) else Record("aal21.candidates")

    def apply(self, *values: Any) -> Any:
        return GIVEN[self.place]


@pytest.mark.parametrize(("d", "cells"), [(1, True), (1, False), (2, False)])
def test_the_true_mixture_is_selected(d: int, cells: bool, rng: np.random.Generator) -> None:
    result = plan(candidates(rng, 12, d), 4000, d, cells=cells).run(x=rows(4000, d, rng), simulate=1)
    found = result.outputs["mixture"]
    assert found.weights.tolist() == [0.3, 0.7]
    assert found.means.tolist() == [[0.0] * d, [5.0] * d]
    assert np.array_equal(found.covariances, np.tile(np.eye(d), (2, 1, 1)))


def test_a_net_is_selected_from_without_being_stored(rng: np.random.Generator) -> None:
    net = MixtureNet(np.arange(-2.0, 8.0, 0.5), np.ones(20), 2, 10)
    result = plan(net, 4000, 1, cells=True, most=2000).run(x=rows(4000, 1, rng), simulate=2)
    found = result.outputs["mixture"]
    order = np.argsort(found.means[:, 0])
    assert found.means[order, 0].tolist() == [0.0, 5.0]
    assert np.abs(found.weights[order] - [0.3, 0.7]).max() <= 0.1


@pytest.mark.parametrize(
    ("many", "reason"), [(0, "no candidate"), (65, r"\|K\| = 65 hypotheses, max_hypotheses is 64")]
)
def test_no_and_too_many_candidates_fail(many: int, reason: str, rng: np.random.Generator) -> None:
    made = candidates(rng, max(many, 1), 1)
    if not many:
        made = Candidates(made.weights[:0], made.means[:0], made.variances[:0])
    result = plan(made, 100, 1, cells=True).run(x=rows(100, 1, rng), simulate=1)
    assert result.status == "failed"
    assert re.search(reason, result.reason)


@pytest.mark.parametrize("d", [1, 2])
def test_wild_rows_are_no_error(d: int, rng: np.random.Generator) -> None:
    x = rows(400, d, rng)
    x[0], x[1], x[2], x[3] = 1e308, -1e308, np.nan, np.inf
    x[4:200] = 2.5
    for cells in (True, False)[: 3 - d]:
        assert plan(candidates(rng, 5, d), 400, d, cells=cells).run(x=x, simulate=1).status == "released"


def test_one_candidate_and_few_rows(rng: np.random.Generator) -> None:
    assert plan(candidates(rng, 1, 1), 3, 1, cells=True).run(x=rows(3, 1, rng), simulate=1).status == "released"


def test_weights_of_zero_repeat_the_heaviest_component() -> None:
    listed = Hypotheses([0.0, 3.0], [1.0, 4.0], [[1, 0]], [[1.0, 0.0]])
    found = Choose(k=3, d=1).apply(listed, 0)
    assert found.weights.tolist() == [1.0, 0.0, 0.0]
    assert found.means.ravel().tolist() == [3.0] * 3
    Mixture(3, 1).check(found)
    assert isinstance(Choose(k=3, d=1).apply(listed, None), Failed)
    assert isinstance(Choose(k=3, d=1).apply(listed, 1), Failed)


def test_a_list_of_equal_components_counts_once_and_a_wide_one_fails() -> None:
    one = [GaussianValue(np.array([float(i % 3)]), np.eye(1)) for i in range(30)]
    assert len(Net(k=2, steps=4, size=100).apply(one)) == 3 + 3 * 3
    assert isinstance(Net(k=2, steps=4, size=100, most=2).apply(one), Failed)
    assert isinstance(Net(k=2, steps=4, size=11).apply(one), Failed)
    assert isinstance(Net(k=2, steps=4, size=100).apply([]), Failed)
    assert isinstance(ListEdges().apply([]), Failed)


@pytest.mark.parametrize(
    ("post", "inputs"),
    [
        (Net(k=2, steps=18, size=100), (ListOf(Gaussian(1), 8),)),
        (Net(k=2, steps=18, size=10**9), (ListOf(Mixture(1, 1), 8),)),
        (ListEdges(), (ListOf(Gaussian(2), 8),)),
        (PairMasses(size=3, d=1), (Array((3, 3)),)),
        (Choose(k=2, d=1), (Record("grids"), Index(3))),
        (ListedHypotheses(size=3), (Array((3, 3)),)),
    ],
)
def test_shapes_are_checked(post: Any, inputs: Any) -> None:
    with pytest.raises(dp.PlanError):
        post.output(*inputs)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_public_points_are_spread_evenly(d: int) -> None:
    """Means and variances to 1e-2 with 4096 points, where independent ones would err by 0.016."""
    points = spread(4096, d, 0)
    assert points.shape == (4096, d)
    assert np.abs(points.mean(axis=0)).max() < 0.01
    assert np.abs(points.var(axis=0) - 1).max() < 0.02
    assert not np.array_equal(points, spread(4096, d, 1))


def test_a_selection_beside_noise_on_other_rows_takes_more() -> None:
    target = Target(dp.plan, BUDGET)  # type: ignore[arg-type]
    assert 4.0 < selection_share(1.0, target) < 4.6
    assert selection_share(1.0, None) == 1.0
    assert selection_share(0.5, Target(dp.plan, dp.zcdp(rho=0.1))) == 0.5  # type: ignore[arg-type]


@pytest.mark.parametrize("d", [1, 2])
def test_contests_select_the_true_mixture_too(d: int, rng: np.random.Generator) -> None:
    """BKSW19's form, told an α that holds; told one below the distance to every candidate it has no better than 0."""
    made = candidates(rng, 8, d)

    @dp.program
    def program(x: Any) -> Any:
        found = apply("found", given(Hypotheses.of(made.weights, made.means, made.variances)))
        more = {"share": 1.0, "n": 4000, "k": 2, "max_hypotheses": 8, "alpha": 0.05}
        return dp.apply("selected", dp.recipe("aal21.select_by_contests", **more), x, found)

    planned = dp.plan(program, x=dp.rows(n=4000, d=d), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    found = planned.run(x=rows(4000, d, rng), simulate=1).outputs["selected"]
    assert found.means.tolist() == [[0.0] * d, [5.0] * d]


def test_bars_are_those_of_the_definition(rng: np.random.Generator) -> None:
    listed = Hypotheses.of(rng.dirichlet([1, 1], 3), 2 * rng.normal(size=(3, 2, 1)), rng.uniform(0.5, 2, (3, 2, 1)))
    masses = pair_masses(listed, 0)
    found = Bars(alpha=0.02).apply(masses)
    for j in range(3):
        for i in range(3):
            if i != j:
                own = masses[j, i] if j < i else 1 - masses[j, i]
                other = masses[i, j] if j < i else 1 - masses[i, j]
                assert found[j, i] == pytest.approx(-1.0 if own - other <= 0.06 else other + 0.03)


def test_contests_are_within_4_alpha_and_no_less() -> None:
    """Told α = .1, one at .29 from the best hypothesis is tied with it: it may be chosen, .39 from the truth."""
    from scipy.special import ndtr, ndtri

    def apart(tv: float) -> float:
        return float(2 * ndtri((1 + tv) / 2))

    truth, far = -apart(0.1), apart(0.29)  # about N(0, 1), which is within α of the truth
    listed = Hypotheses.of(np.ones((2, 1)), np.array([[[0.0]], [[far]]]), np.ones((2, 1, 1)))
    bars = Bars(alpha=0.1).apply(pair_masses(listed, 0))
    two = [MixtureValue(np.ones(1), np.array([[at]]), np.ones((1, 1, 1))) for at in (0.0, far)]
    scores = ContestScores(size=2, n=2000)
    fold = scores.start(Rows(1), two, bars)
    table = truth + ndtri((np.arange(2000) + 0.5) / 2000)[:, None]
    scores.update(fold, Batch(0, table, np.ones(2000, dtype=bool)), two, bars)
    assert scores.value(fold).integers.tolist() == [2000, 2000]
    assert 3.5 * 0.1 < 2 * float(ndtr((far - truth) / 2)) - 1 < (3 + ZETA) * 0.1
    assert "4α" in (select_by_contests.__doc__ or "")


# ------------------------------------------------------------------------------ lists of a decoder of one's own


@register("test.turned_list")
@attrs.frozen
class TurnedList(Post):
    """Two Gaussians of two columns with a correlation."""

    correlation: float = attrs.field(kw_only=True)

    def output(self, *inputs: Any) -> Any:
        return ListOf(Gaussian(2), 2)

    def apply(self, *values: Any) -> Any:
        shape = np.array([[1.0, self.correlation], [self.correlation, 1.0]])
        return [GaussianValue(np.full(2, m), shape) for m in (0.0, 5.0)]


@composite("test.turned_decoder")
def turned_decoder(
    x: Any, *, alpha: float, gamma: float, rows: int, share: float, delta_fraction: float, seed: int, correlation: float
) -> Any:
    """Lists what it is told."""
    return dp.post("test.turned_list", correlation=correlation)


def test_a_listed_correlation_is_kept_by_the_family_of_all_gaussians(rng: np.random.Generator) -> None:
    @dp.program
    def program(x: Any) -> Any:
        more = {"k": 2, "alpha": 1.0, "parameters": {"correlation": 0.95}, "family": "families.gaussian_full"}
        return dp.apply("m", dp.recipe("aal21.mixture_from_list_decoder", decoder="test.turned_decoder", **more), x)

    made = dp.plan(program, x=dp.rows(n=4000, d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    turned = rng.multivariate_normal(np.zeros(2), [[1.0, 0.95], [0.95, 1.0]], 4000) + 5.0 * (
        rng.random((4000, 1)) < 0.5
    )
    (found,) = made.run(x=turned, simulate=1).outputs.values()
    np.testing.assert_allclose(found.covariances, [[[1.0, 0.95], [0.95, 1.0]]] * 2, atol=1e-9)
    assert found.weights.min() > 0.4


@composite("test.many_decoder")
def many_decoder(x: Any, *, seed: int, **unused: Any) -> Any:
    """Lists twenty Gaussians of two columns."""
    return dp.post("test.many_list")


@register("test.many_list")
@attrs.frozen
class ManyList(Post):
    """Twenty Gaussians of two columns."""

    def output(self, *inputs: Any) -> Any:
        return ListOf(Gaussian(2), 20)

    def apply(self, *values: Any) -> Any:
        return [GaussianValue(np.array([2.0 * i, -1.0 * i]), np.eye(2)) for i in range(20)]


@pytest.mark.slow
def test_more_than_4096_of_several_columns_are_chosen_among_by_a_few_counts(rng: np.random.Generator) -> None:
    """20 + 190·35 mixtures of two, in two columns: they were refused."""

    @dp.program
    def program(x: Any) -> Any:
        more = {"k": 2, "alpha": 0.5, "max_hypotheses": 10**6}
        return dp.apply("m", dp.recipe("aal21.mixture_from_list_decoder", decoder="test.many_decoder", **more), x)

    made = dp.plan(program, x=dp.rows(n=20_000, d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    table = rng.normal(size=(20_000, 2)) + np.where(rng.random((20_000, 1)) < 0.7, [[6.0, -3.0]], [[30.0, -15.0]])
    (found,) = made.run(x=table, simulate=1).outputs.values()
    order = np.argsort(found.means[:, 0])
    np.testing.assert_allclose(found.means[order], [[6.0, -3.0], [30.0, -15.0]])
    assert found.weights[order] == pytest.approx([0.7, 0.3], abs=0.05)


@pytest.mark.parametrize(("correlation", "status"), [(0.95, "failed"), (-1e-3, "failed"), (1e-12, "released")])
def test_a_listed_correlation_is_refused_and_never_dropped(
    correlation: float, status: str, rng: np.random.Generator
) -> None:
    @dp.program
    def program(x: Any) -> Any:
        more = {"k": 2, "alpha": 1.0, "parameters": {"correlation": correlation}}
        return dp.apply("m", dp.recipe("aal21.mixture_from_list_decoder", decoder="test.turned_decoder", **more), x)

    made = dp.plan(program, x=dp.rows(n=4000, d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    result = made.run(x=rows(4000, 2, rng), simulate=1)
    assert result.status == status
    if status == "failed":
        assert "correlated columns" in result.reason
        assert not result.outputs

"""Several starts: places that hold the same are averaged, and the likeliest start is chosen."""

from __future__ import annotations

import numpy as np
import pytest

import dpframe as dp
from dpframe_plugins.practical.cells import Points
from dpframe_plugins.practical.deconvolution import Starts
from dpframe_plugins.practical.passes import split_augmented, update
from dpframe_plugins.practical.records import Mixture
from dpframe_plugins.practical.starting import Choose, Trial
from dpframe_plugins.practical.subspace import identity_subspace

ROUND = Mixture([0.5, 0.5], [[0.0], [4.0]], [[[1.0]], [[1.0]]])
OTHER = Mixture([0.5, 0.5], [[1.0], [3.0]], [[[1.0]], [[2.0]]])
CELLS = Points(np.zeros((1, 1)), np.ones(1), np.ones(1))


def starts(*models: Mixture) -> Starts:
    return Starts(models, CELLS, identity_subspace(1))


class Maps:
    """Whitenings, as far as a trial looks at them."""

    clip, anchor = 2.0, 1.0


def test_places_are_told_how_many_hold_the_same() -> None:
    assert [starts(ROUND).at(i, 3).copies for i in range(3)] == [3, 3, 3]
    assert [starts(ROUND, OTHER).at(i, 3).copies for i in range(3)] == [2, 1, 2]
    assert starts(ROUND, OTHER).at(1, 3).means[0, 0] == 1.0


def test_the_moments_of_places_that_hold_the_same_are_averaged(rng: np.random.Generator) -> None:
    grams = [np.repeat(1e3 * np.eye(2)[None], 2, axis=0) + rng.normal(size=2)[:, None, None] for _ in range(2)]
    alone = Trial(seed=1).apply_noisy((starts(ROUND), grams[0], Maps, grams[1], Maps), (0.0, 3.0, 0.0, 3.0, 0.0))
    moments = split_augmented(np.mean(grams, axis=0) * 5.0, 2.0, 5.0 * 3.0 / 2**0.5)
    np.testing.assert_allclose(alone.candidates[0].means, update(ROUND, moments, 1).means)
    both = Trial(seed=1).apply_noisy((starts(ROUND, OTHER), grams[0], Maps, grams[1], Maps), (0.0, 3.0, 0.0, 3.0, 0.0))
    apart = split_augmented(grams[1] * 5.0, 2.0, 5.0 * 3.0)
    np.testing.assert_allclose(both.candidates[1].means, update(OTHER, apart, 1).means)


@pytest.mark.parametrize(("scores", "mean"), [([1.0, -1.0], 0.0), ([-1.0, 1.0], 1.0), ([0.0, 0.0], 0.0)])
def test_the_likeliest_start_is_chosen(scores: list[float], mean: float) -> None:
    assert Choose().apply(starts(ROUND, OTHER), np.array(scores)).means[0, 0] == mean


def test_a_start_alone_is_chosen_whatever_noise_says() -> None:
    assert Choose().apply(starts(ROUND), np.array([-5.0, 5.0])).means[0, 0] == 0.0


def test_a_start_without_a_place_is_dropped() -> None:
    grams = np.repeat(1e3 * np.eye(2)[None], 2, axis=0)
    found = Trial(seed=1).apply_noisy((starts(ROUND, OTHER), grams, Maps), (0.0, 3.0, 0.0))
    assert len(found.candidates) == 1


def test_one_component_has_one_start_and_no_choice() -> None:
    def names(k: int) -> set[str]:
        @dp.program
        def learn(x: dp.Handle) -> dp.Handle:
            return dp.apply("found", dp.recipe("practical_mixture", k=k, bound=10.0), x)

        budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
        plan = dp.plan(learn, x=dp.rows(n=10_000, d=2), adjacency=dp.REPLACE_ONE, budget=budget)
        return {line.split()[0].rpartition(".")[2] for line in plan.explain(full=True).splitlines() if line.split()}

    assert "choice" in names(2)
    assert "choice" not in names(1)

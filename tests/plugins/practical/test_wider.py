"""A second start from more directions, where the budget is ample: what is kept of both, and one that is needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe.estimators import PrivateGaussianMixture
from dpframe.plugin import Failed
from dpframe_plugins.practical import wider
from dpframe_plugins.practical.deconvolution import Starts
from dpframe_plugins.practical.records import Mixture


def on_a_line(*means: float) -> Mixture:
    k = len(means)
    return Mixture(np.full(k, 1.0 / k), np.array(means)[:, None], np.ones((k, 1, 1)))


def means_of(starts: Starts) -> list[list[float]]:
    return [one.means.ravel().tolist() for one in starts.candidates]


def test_the_best_of_both_come_first_and_none_twice() -> None:
    first = Starts((on_a_line(0.0, 4.0), on_a_line(0.0, 7.0)))
    more = Starts((on_a_line(0.1, 4.1), on_a_line(0.0, 11.0), on_a_line(0.0, 20.0)))
    assert means_of(wider.together(first, more, 3)) == [[0.0, 4.0], [0.0, 7.0], [0.0, 11.0]]
    assert means_of(wider.together(more, first, 2)) == [[0.1, 4.1], [0.0, 11.0]]
    other = Starts((on_a_line(0.0, 11.0),))
    assert means_of(wider.together(first, other, 3)) == [[0.0, 4.0], [0.0, 11.0], [0.0, 7.0]]


@pytest.mark.parametrize("shown", [(True, True), (True, False), (False, True), (False, False)])
def test_where_one_shows_nothing_the_other_has_to_do(shown: tuple[bool, bool], monkeypatch: pytest.MonkeyPatch) -> None:
    found = {place: Starts((on_a_line(place),)) if there else Failed("", "") for place, there in enumerate(shown)}

    def first_of(*values: Any) -> Any:
        return found[values[0]]

    monkeypatch.setattr(wider, "first_of", first_of)
    made = wider.EitherMixture(k=1, most=3, seed=0).apply(0, None, None, 1, None, None)
    if not any(shown):
        assert isinstance(made, Failed)
    else:
        assert means_of(made) == [[float(place)] for place, there in enumerate(shown) if there]


def test_crossing_clusters_that_the_leading_direction_does_not_tell_apart() -> None:
    """Columns in deviations: from one leading direction of four it ended .46 nats a row behind EM, and called good.

    The noise is a fixed one, of which that was so.
    """
    rng = np.random.default_rng(2)
    who = rng.random(8000) < 0.5
    rows = rng.standard_normal((8000, 4))
    rows[:, 2] += rows[:, 0] * np.where(who, 3.0, -3.0)
    rows /= rows.std(axis=0)
    bound = 10.0 * float(np.linalg.norm(rows, axis=1).max())
    model = PrivateGaussianMixture(2, epsilon=16.0, delta=1e-6, adjacency="replace_one", bound=bound, simulate=2)
    model.fit(rows)
    slopes = sorted(model.covariances_[:, 0, 2] / model.covariances_[:, 0, 0])
    np.testing.assert_allclose(slopes, [-0.95, 0.95], atol=0.05)
    assert model.quality_["verdict"] == "good"

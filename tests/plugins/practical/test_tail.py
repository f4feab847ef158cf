"""Wide components at the end of a released mixture: valid, reaching the bound, nearly free for the bulk."""

from __future__ import annotations

import numpy as np
import pytest

from dpframe.errors import SpecError
from dpframe.estimators import PrivateGaussianMixture
from dpframe.spaces import Mixture, MixtureValue
from dpframe_plugins.practical.tail import COUNT, WEIGHT, Tail, widths

MODEL = MixtureValue(np.array([0.25, 0.75]), np.array([[0.0, 0.0], [8.0, 0.0]]), np.array([np.eye(2), 4.0 * np.eye(2)]))


@pytest.mark.parametrize("bound", [1e-300, 1e-3, 1.0, 1e3, 1e9, 1e300])
@pytest.mark.parametrize("scale", [1e-150, 1e-6, 1.0, 1e6, 1e150])
def test_a_tail_is_a_mixture_whatever_the_bound(bound: float, scale: float) -> None:
    model = MixtureValue(MODEL.weights, scale * MODEL.means, scale**2 * MODEL.covariances)
    tail = Tail(bound=bound)
    assert tail.output(Mixture(2, 2)) == Mixture(2 + COUNT, 2)
    found = tail.apply(model)
    Mixture(2 + COUNT, 2).check(found)
    assert (np.linalg.eigvalsh(found.covariances) > 0.0).all()
    np.testing.assert_array_equal(found.means[:2], model.means)
    np.testing.assert_array_equal(found.covariances[:2], model.covariances)


def test_the_widest_component_reaches_the_bound_in_every_direction() -> None:
    found = Tail(bound=1e4).apply(MODEL)
    assert np.linalg.eigvalsh(found.covariances[-1])[0] == pytest.approx(1e8)
    assert found.weights[:2] == pytest.approx((1.0 - WEIGHT) * MODEL.weights)
    np.testing.assert_allclose(widths(np.eye(1), 0.1), 1.0)


def contaminated(rng: np.random.Generator, n: int = 10_000) -> np.ndarray:
    x = rng.standard_normal((n, 2)) + 10.0 * rng.integers(0, 2, (n, 1))
    far = rng.random(n) < 0.01
    x[far] = 1000.0 * rng.standard_normal((far.sum(), 2))
    return x


def test_one_far_row_in_a_hundred(rng: np.random.Generator) -> None:
    x, held_out = contaminated(rng), contaminated(rng)
    budget = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 1e5, "simulate": 1}
    plain = PrivateGaussianMixture(2, **budget).fit(x)
    model = PrivateGaussianMixture(2, tail=True, **budget).fit(x)
    np.testing.assert_array_equal(model.means_[:2], plain.means_)
    assert model.privacy_ == plain.privacy_
    assert model.weights_.shape == (2 + COUNT,)
    assert plain.score(held_out) < -100.0
    assert model.score(held_out) > -5.0
    assert np.median(model.score_samples(held_out)) > np.median(plain.score_samples(held_out)) - 0.05


def test_a_tail_is_true_or_false() -> None:
    with pytest.raises(SpecError, match="tail"):
        PrivateGaussianMixture(2, epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=1.0, tail="wide").fit(
            np.zeros((100, 2))
        )

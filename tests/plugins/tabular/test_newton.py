"""Newton's steps by a wrong curvature: gradients correct it, and what has not settled is told."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from dpframe_plugins.tabular.newton import State, Trail, mended, softmax, weights_of

D, K, ROWS = 2, 2, 10_000
WIDE = 9.0
"""How much wider than the model's the rows of a table are."""


def model() -> State:
    """Rows N(0, I)."""
    widths = np.array([np.eye(D)] * K)
    theta = np.zeros((K, D + 1))
    return State(np.zeros(D), np.eye(D), np.ones(D), np.zeros((K, D)), widths, np.full(K, 0.5), theta, float(ROWS))


def gradient(theta: NDArray[np.float64], wide: float) -> NDArray[np.float64]:
    """Of rows of this variance in the first column, whose labels follow a logit of (0.5, 1, -1)."""
    z = np.random.default_rng(1).normal(size=(ROWS, D + 1)) * [1.0, np.sqrt(wide), 1.0]
    z[:, 0] = 1.0
    true = np.array([[-0.5, -1.0, 1.0], [0.5, 1.0, -1.0]]) / 2.0
    wrong = (softmax(z @ theta.T) - softmax(z @ true.T)) * weights_of(z)[:, None]
    return np.asarray((wrong.T @ z).ravel())


def walked(std: float, steps: int = 8) -> Trail:
    """Steps on gradients with noise."""
    rng = np.random.default_rng(0)
    states, slopes = [model()], []
    for _ in range(steps):
        slopes.append(gradient(states[-1].theta, WIDE) + std * rng.normal(size=K * (D + 1)))
        trail = Trail.of(states, slopes, [std] * len(slopes))
        states.append(model().__class__.read(model().flat(), D, K))
        object.__setattr__(states[-1], "theta", trail.end() - trail.end().mean(axis=0))
    return trail


@pytest.mark.parametrize("std", [0.0, 1.0, 30.0])
def test_steps_settle_though_the_rows_are_no_such_gaussians(std: float) -> None:
    end = walked(std).end()
    assert (
        np.abs(end - end.mean(axis=0) - np.array([[-0.5, -1.0, 1.0], [0.5, 1.0, -1.0]]) / 2.0).max() < 0.01 + std / 300
    )


def test_what_is_settled_has_nothing_left_and_what_is_not_has() -> None:
    assert np.abs(walked(1.0).left()).max() < 0.01
    far = Trail.of([model()], [gradient(model().theta, WIDE)], [1.0])
    assert np.abs(far.left()).max() > 0.1


def test_noise_mends_nothing() -> None:
    hessian = np.diag([3.0, 2.0])
    assert mended(hessian, np.array([1.0, 0.0]), np.array([9.0, 0.0]), -0.1) is hessian


def test_a_state_is_read_as_it_was_written() -> None:
    state = model()
    again = State.read(state.flat(), D, K)
    assert all(
        np.array_equal(getattr(state, name), getattr(again, name)) for name in ("widths", "shown", "theta", "map")
    )

"""Plans and runs of one recipe, for the tests of this folder."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import dpframe as dp

Floats = NDArray[np.float64]
EPSILON_1 = dp.approx_dp(epsilon=1.0, delta=1e-6)
RHO_HALF = dp.zcdp(rho=0.5)


def planned(
    recipe: str,
    d: int,
    n: int | None,
    *,
    budget: Any = EPSILON_1,
    adjacency: Any = dp.REPLACE_ONE,
    center: Any = None,
    **parameters: Any,
) -> dp.Plan:
    """A plan that releases one recipe as ``out``."""

    @dp.program
    def program(x: dp.Handle) -> dp.Handle:
        more = [] if center is None else [dp.constant(center)]
        return dp.release("out", dp.recipe(recipe, **parameters), x, *more)

    return dp.plan(program, x=dp.rows(n=n, d=d), adjacency=adjacency, budget=budget)


def run(plan: dp.Plan, rows: Any, seed: int = 0) -> Any:
    """The simulated result of a plan."""
    return plan.run(x=rows, simulate=seed)


def released(plan: dp.Plan, rows: Any, seed: int = 0) -> Any:
    """The released value, which there must be."""
    result = run(plan, rows, seed)
    assert result.status == "released", result.reason
    return result["out"]


def rotation(d: int, seed: int = 5) -> Floats:
    """A random rotation."""
    q, r = np.linalg.qr(np.random.default_rng(seed).standard_normal((d, d)))
    return np.asarray(q * np.sign(np.diagonal(r)))


def stretched(variances: Floats, seed: int = 5) -> Floats:
    """A covariance with these eigenvalues in a random orientation."""
    turn = rotation(len(variances), seed)
    covariance = (turn * variances) @ turn.T
    return np.asarray(0.5 * (covariance + covariance.T))


def draw(n: int, mean: Any, covariance: Floats, seed: int = 0) -> Floats:
    """Rows of a Gaussian."""
    rng = np.random.default_rng([77, seed])
    return np.asarray(rng.standard_normal((n, len(covariance))) @ np.linalg.cholesky(covariance).T + mean)


def covariance_error(found: Floats, truth: Floats) -> float:
    """‖Σ^(−1/2) Σ̂ Σ^(−1/2) − I‖ in Frobenius norm."""
    root = np.linalg.cholesky(truth)
    inner = np.linalg.solve(root, np.linalg.solve(root, found).T)
    return float(np.linalg.norm(inner - np.eye(len(truth))))


def mean_error(found: Floats, mean: Any, covariance: Floats) -> float:
    """Mahalanobis distance."""
    return float(np.linalg.norm(np.linalg.solve(np.linalg.cholesky(covariance), found - mean)))


def gaussians(plan: dp.Plan) -> dict[str, float]:
    """μ of every Gaussian mechanism, by node, from its noise and the sensitivity at its worst metrics."""
    return {path[-1]: plan.node_loss(path).mu for path in plan.weighings}

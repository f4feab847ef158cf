"""Passes of spherical components: what a clip and noise take is put back; they are made where shapes are noise."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.specs import load_spec
from dpframe_plugins.practical import spherical
from dpframe_plugins.practical.spherical import Spheres
from dpframe_plugins.practical.truncation import chi_quantile
from tests.plugins.practical.float_kernel import clip

WIDTHS = {"sigma_min": 0.1, "sigma_max": 10.0}


@pytest.mark.parametrize("d", [2, 16, 128])
@pytest.mark.parametrize("size", [0.8, 1.0, 1.1])
def test_a_clip_is_undone(d: int, size: float, rng: np.random.Generator) -> None:
    """20,000 rows, off by half a deviation: mean within five sampling errors, size within 2 %; a twin does not undo."""
    offset = 0.5 * np.eye(d)[0]
    rows = size * rng.standard_normal((20_000, d)) + offset
    radius = chi_quantile(d, 0.8) * (1.0 if d < 100 else 1.1)
    seen = clip(rows, radius)
    moments = np.array([20_000.0]), seen.sum(axis=0)[None], np.array([(seen**2).sum()])
    model = Spheres([1.0], np.full((1, d), 3.0), [2.0])
    found = spherical.updated(model, *moments, radius, (1.0, 1.0, 1.0))
    assert np.linalg.norm((found.means[0] - 3.0) / 2.0 - offset) < 0.05 + 5.0 * size * math.sqrt(d / 20_000)
    assert found.deviations[0] / 2.0 == pytest.approx(size, rel=0.02 if d > 2 else 0.05)
    if size == 1.1 and d < 100:
        assert math.sqrt(moments[2][0] / 20_000 / d) < 0.98 * size


def test_a_component_without_rows_stays(rng: np.random.Generator) -> None:
    model = Spheres([0.5, 0.5], np.arange(6.0).reshape(2, 3), [1.0, 2.0])
    moments = np.array([500.0, 20.0]), rng.standard_normal((2, 3)), np.array([1400.0, -50.0])
    found = spherical.updated(model, *moments, 3.0, (10.0, 10.0, 10.0))
    assert np.array_equal(found.means[1], model.means[1])
    assert found.deviations[1] == 2.0
    assert np.isinf(found.noise[1])
    assert found.weights.sum() == pytest.approx(1.0)


def mixture(rng: np.random.Generator, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    centres = 100.0 + 20.0 * np.eye(3, d)
    labels = rng.integers(0, 3, n)
    return centres, centres[labels] + rng.standard_normal((n, d))


def names(plan: dp.Plan) -> set[str]:
    return {line.split()[0].split(".")[-1] for line in plan.explain(full=True).splitlines() if line.strip()}


@pytest.mark.parametrize(
    ("n", "asked", "spheres"),
    [(4_000, "auto", True), (4_000, "full", False), (400_000, "auto", False), (400_000, "spherical", True)],
)
def test_which_passes_are_made(n: int, asked: str, *, spheres: bool) -> None:
    keys = {"n": n, "d": 32, "k": 3, "covariance_type": asked}
    plan = load_spec("kssu19_pegme", keys | WIDTHS).plan()
    assert plan.verdict.holds
    assert ("sums_2" in names(plan)) == spheres
    assert any("released as spheres" in said for said in plan.warnings) == (spheres and asked == "auto")


def test_errors_are_those_that_are_said(rng: np.random.Generator) -> None:
    """Means of 3 x 32 coordinates in units of their standard errors: between .75 and 1.3 (six deviations)."""
    n, d = 6_000, 32
    plan = load_spec("kssu19_pegme", {"n": n, "d": d, "k": 3} | WIDTHS).plan()
    centres, rows = mixture(rng, n, d)
    result = plan.run(x=rows, simulate=1)
    assert result.status == "released"
    found, said = result["mixture"], result.uncertainty["mixture"]
    order = [int(np.linalg.norm(found.means - centre, axis=1).argmin()) for centre in centres]
    means = said["means"]
    deviation = np.hypot(means["noise"], means["sampling"])[order]
    z = (found.means[order] - centres) / deviation
    assert 0.7 < math.sqrt(float((z**2).mean())) < 1.35
    assert np.diagonal(found.covariances, axis1=1, axis2=2) == pytest.approx(1.0, abs=0.2)
    assert result.quality.verdict == "unchecked"
    assert "assumed" in result.quality.why


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"covariance_type": "round"}, "covariance_type must be one of full, spherical, auto, not 'round'"),
        ({"covariance_type": "auto", "tail": True, "bound": 1.0}, "is for full covariances"),
    ],
)
def test_what_is_refused(told: dict[str, object], said: str) -> None:
    @dp.program
    def learn(x: dp.Handle) -> dp.Handle:
        ball = dp.ball(centre=[0.0, 0.0], radius=1.0)
        count = dp.release("count", dp.gaussian(share=0.1), dp.count(x))
        steps = dp.recipe("practical.refine", k=2, share=1.0, **told)
        return dp.apply("refined", steps, x, ball, count, count)

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    with pytest.raises(dp.DpframeError, match=said):
        dp.plan(learn, x=dp.rows(n=100, d=2), adjacency=dp.REPLACE_ONE, budget=budget)


def test_where_n_is_private_full_covariances_are_kept() -> None:
    keys = {"d": 32, "k": 3, "adjacency": "add_remove"}
    assert "pass_4" in names(load_spec("kssu19_pegme", keys | WIDTHS).plan())

"""Standard errors are those that simulation shows: over runs on fresh rows, what is released over its error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.specs import load_spec
from dpframe.planning.results import document
from dpframe.planning.uncertainty import uncertainty

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


@dp.program
def counted(x: Any) -> Any:
    edges = [-9.0, -1.0, 0.0, 1.0, 9.0]
    bins = dp.release("bins", dp.laplace(share=1.0), dp.transform("bin_counts", x, column=0, edges=edges))
    inside = dp.clip(x, dp.ball(centre=[0.0], radius=1.0))
    return {"bins": bins, "total": dp.release("total", dp.gaussian(share=1.0), dp.sum(inside), frame=True)}


def test_counts_lie_about_as_far_off_as_their_standard_errors_say() -> None:
    """The mean square of 400 ratios; seeds are fixed, so there is no false alarm, and 2/3 and 3/2 of it must fail."""
    n, rng = 3000, np.random.default_rng(0)
    planned = dp.plan(counted, x=dp.rows(n=n, d=1), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    mass = np.array([0.15865525, 0.34134475, 0.34134475, 0.15865525])
    ratios = []
    for seed in range(100):
        result = planned.run(x=rng.normal(size=(n, 1)), simulate=seed)
        found = uncertainty(planned, result.outputs)["bins"]
        ratios.append((result["bins"][1:-1] - n * mass) / np.hypot(found["noise"], found["sampling"])[1:-1])
    square = float(np.mean(np.square(ratios)))
    assert 0.7 < square < 1.4
    assert not 0.7 < square * 1.5**2 < 1.4
    assert not 0.7 < square / 1.5**2 < 1.4


@pytest.mark.parametrize("far", [0.0, 8.0])
def test_releases_in_units_have_the_noise_that_is_said(far: float) -> None:
    """Mean squares of ratios over 60 runs of one table; seeds are fixed, and 2/3 and 3/2 of them must fail."""
    rows = np.zeros((2000, 2))

    @dp.program
    def three(x: Any) -> Any:
        inside = dp.clip(x, dp.ball(centre=[1.0, far], radius=9.0))
        made = {"mean": dp.mean(inside), "sum": dp.sum(inside), "gram": dp.gram(inside)}
        bare = {"matrix": dp.release("matrix", dp.gaussian(share=1.0), dp.gram(inside), frame=True)}
        return bare | {name: dp.release(name, dp.gaussian(share=1.0), what) for name, what in made.items()}

    budget = dp.approx_dp(epsilon=8.0, delta=1e-6)
    planned = dp.plan(three, x=dp.rows(n=2000, d=2), adjacency=dp.REPLACE_ONE, budget=budget)
    runs = [planned.run(x=rows, simulate=seed) for seed in range(60)]
    for name in runs[0].outputs:
        values = np.array([run[name] for run in runs])
        said = np.array([uncertainty(planned, run.outputs)[name]["noise"] for run in runs])
        square = float(np.mean(((values - values.mean(axis=0)) / said) ** 2))
        assert 0.75 < square < 1.3, name
        assert not 0.75 < square * 1.5**2 < 1.3
        assert not 0.75 < square / 1.5**2 < 1.3


def two(n: int, seed: int) -> Any:
    """Two unit Gaussians, 10 apart, of weights 0.4 and 0.6."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)) + 10.0 * (rng.random(size=(n, 1)) < 0.6)


def tailed(n: int, seed: int) -> Any:
    """Two clusters of t(3) rows in three columns, 30 apart."""
    rng = np.random.default_rng(seed)
    return rng.standard_t(3, size=(n, 3)) + np.array([30.0, 0.0, 0.0]) * (rng.random(size=(n, 1)) < 0.6)


@pytest.mark.slow
def test_noise_is_known_where_passes_clip_farther_out() -> None:
    """Ratios to the median of ten runs on one table. By the plan alone means lie four times too far off."""
    planned = load_spec("practical_gmm", {"d": 3, "k": 2, "bound": 1000.0, "n": 20_000, "delta": 1e-6}).plan()
    rows = tailed(20_000, 0)
    runs = [planned.run(x=rows, simulate=seed) for seed in range(10)]
    orders = [np.argsort(run["mixture"].means[:, 0]) for run in runs]
    known = [run.uncertainty["mixture"] for run in runs]
    alone = [planned.uncertainty(run.outputs, run.rows)["mixture"] for run in runs]

    def apart(part: str, errors: Any) -> float:
        values = np.array([getattr(run["mixture"], part)[order] for run, order in zip(runs, orders, strict=True)])
        said = np.array([each[part]["noise"][order] for each, order in zip(errors, orders, strict=True)])
        return float(np.sqrt(np.mean(((values - np.median(values, axis=0)) / said) ** 2)))

    assert 0.6 < apart("means", known) < 1.5
    assert 0.3 < apart("covariances", known) < 1.5  # what noise explains is pulled towards the pass before
    assert apart("means", alone) > 3.0
    assert apart("covariances", alone) > 3.0


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["practical_gmm", "coinpress_gaussian"])
def test_learners_lie_about_as_far_off_as_their_standard_errors_say(spec: str) -> None:
    """The root mean square of ratios over 12 runs; seeds are fixed, so there is no false alarm."""
    n, mixture = 20_000, spec == "practical_gmm"
    keys = {"d": 2, "bound": 100.0, "n": n, "epsilon": 1.0, "delta": 1e-6, **({"k": 2} if mixture else {})}
    planned = load_spec(spec, keys).plan()
    ratios: dict[str, list[Any]] = {}
    for seed in range(12):
        rows = two(n, seed) if mixture else np.random.default_rng(seed).normal(size=(n, 2))
        result = planned.run(x=rows, simulate=seed)
        (name,) = result.outputs
        value, found = result[name], uncertainty(planned, result.outputs)[name]
        assert document(result)["uncertainty"][name].keys() == found.keys()
        if mixture:
            order = np.argsort(value.means[:, 0])
            parts = {"weights": ([0.4, 0.6], order), "means": ([[0.0, 0.0], [10.0, 10.0]], order)}
            parts["covariances"] = (np.stack([np.eye(2)] * 2), order)
        else:
            parts = {"mean": (np.zeros(2), slice(None)), "covariance": (np.eye(2), slice(None))}
        for part, (true, at) in parts.items():
            error = np.hypot(found[part]["noise"], found[part]["sampling"])[at]
            ratios.setdefault(part, []).append((getattr(value, part)[at] - true) / error)
    for part, each in ratios.items():
        assert 0.6 < float(np.sqrt(np.mean(np.square(each)))) < 1.5, part


def test_a_private_number_of_rows_is_taken_as_it_was_released() -> None:
    keys = {"d": 2, "bound": 100.0, "k": 2, "epsilon": 1.0, "delta": 1e-6}
    rows = two(4000, 0)
    planned = load_spec("practical_gmm", {**keys, "adjacency": "add_remove"}).plan()
    result = planned.run(x=rows, simulate=1)
    assert result.rows == pytest.approx(4000, abs=300)
    assert result.rows != 4000
    value, found = result["mixture"], result.uncertainty["mixture"]
    variances = np.diagonal(value.covariances, axis1=1, axis2=2)
    sampling = np.sqrt(variances / (value.weights[:, None] * round(result.rows)))
    assert found["means"]["sampling"] == pytest.approx(sampling, rel=0.05)
    assert "mixture" in document(result)["uncertainty"]
    assert uncertainty(planned, result.outputs) == {}


def test_nothing_is_said_where_no_number_of_rows_is_known() -> None:
    planned = load_spec("coinpress_gaussian", {"d": 1, "bound": 100.0, "adjacency": "add_remove"}).plan()
    result = planned.run(x=two(4000, 0)[:, :1], simulate=1)
    assert (result.status, result.rows) == ("released", None)
    assert "uncertainty" not in document(result)

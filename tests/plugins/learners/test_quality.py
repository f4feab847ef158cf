"""Every shipped learner on separated mixtures: found in nearly all blocks, equivariant, reproducible, ⊥ otherwise."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from dpframe.errors import SpecError
from dpframe.front.specs import load_spec
from dpframe.kernel.registry import find_learner
from dpframe_plugins.learners import moments, spectral

FAILURES = (ValueError, np.linalg.LinAlgError)
SEEDS = 5
# learner, k, d, rows a block, separation in deviations, condition number, how many of five blocks may be missed
QUALITY = (
    ("em", 2, 2, 800, 8, 10, 1),
    ("spectral", 2, 1, 600, 8, 1, 0),
    ("spectral", 2, 2, 600, 6, 100, 0),
    ("spectral", 3, 2, 900, 10, 1, 0),
    ("spectral", 2, 10, 1500, 8, 100, 0),
    ("spectral", 4, 10, 1600, 8, 100, 1),
    ("moments", 1, 3, 500, 1, 10, 0),
    ("moments", 2, 1, 600, 8, 1, 0),
    ("moments", 2, 2, 800, 8, 100, 1),
    ("moments", 2, 4, 2000, 8, 10, 1),
    ("moments", 3, 2, 1500, 10, 1, 1),
)


def table(seed: int, k: int, d: int, m: int, apart: float, condition: float) -> tuple[Any, Any, Any, Any]:
    """Rows, weights, means and the common root of the covariances."""
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((k, d)) * apart
    while k > 1 and min(np.linalg.norm(means[i] - means[j]) for i in range(k) for j in range(i)) < apart:
        means = rng.standard_normal((k, d)) * apart
    weights = np.full(k, 1 / k)
    labels = rng.choice(k, m, p=weights)
    root = np.linalg.qr(rng.standard_normal((d, d)))[0] * np.geomspace(1, condition, d)
    return (means[labels] + rng.standard_normal((m, d))) @ root.T, weights, means @ root.T, root


def error(model: Any, means: Any, root: Any) -> float:
    """Largest Mahalanobis error of a mean and relative error of a covariance over eight, best matched."""
    k, inverse = len(means), np.linalg.inv(root)

    def one(i: int, j: int) -> float:
        shape = inverse @ model[2][i] @ inverse.T - np.eye(len(root))
        return max(float(np.linalg.norm(inverse @ (model[1][i] - means[j]))), float(np.linalg.norm(shape)) / 4)

    return min(max(one(p[j], j) for j in range(k)) for p in permutations(range(k)))


def learned(name: str, rows: Any, seed: int = 0) -> Any:
    try:
        return find_learner(name)(rows, np.random.default_rng([seed, 1]))
    except FAILURES:
        return None


@pytest.mark.parametrize(("name", "k", "d", "m", "apart", "condition", "missed"), QUALITY)
def test_separated_mixtures_are_found(
    name: str, k: int, d: int, m: int, apart: float, condition: float, missed: int
) -> None:
    bad = 0
    for seed in range(SEEDS):
        rows, _, means, root = table(seed, k, d, m, apart, condition)
        model = learned(f"{name}_{k}", rows, seed)
        limit = 5 * (d + 1) / np.sqrt(m / k)
        bad += model is None or error(model, means, root) > limit
        assert (
            model is None or error((model[0], model[1] + 2 * limit * root.sum(axis=1), model[2]), means, root) > limit
        )
    assert bad <= missed


@pytest.mark.parametrize("name", ["em_2", "spectral_2", "moments_2", "gaussian_1"])
def test_equivariant_under_triangular_maps_and_shifts(name: str) -> None:
    """Cholesky whitening undoes them, so that even random lines are the same; up to rounding."""
    rows = table(3, 2, 3, 900, 8, 10)[0]
    map_ = np.array([[1e3, 0, 0], [5.0, 0.1, 0], [-70.0, 3.0, 40.0]])
    plain, moved = learned(name, rows), learned(name, 1e5 + rows @ map_.T)
    assert moved[0] == pytest.approx(plain[0], abs=1e-4)
    assert moved[1] == pytest.approx(1e5 + plain[1] @ map_.T, rel=1e-3)
    expected = map_ @ plain[2] @ map_.T
    white = np.linalg.inv(np.linalg.cholesky(expected))
    assert white @ moved[2] @ np.swapaxes(white, 1, 2) == pytest.approx(
        np.tile(np.eye(3), (len(plain[0]), 1, 1)), abs=0.01
    )


def test_spectral_is_equivariant_under_any_map() -> None:
    """It sees distances in whitened coordinates only."""
    rows = table(4, 3, 3, 900, 8, 1)[0]
    map_ = np.random.default_rng(0).standard_normal((3, 3)) @ np.diag([1.0, 30.0, 1000.0])
    plain, moved = learned("spectral_3", rows), learned("spectral_3", rows @ map_.T - 7.0)
    order = [int(np.argmin(np.linalg.norm(plain[1] @ map_.T - 7.0 - m, axis=1))) for m in moved[1]]
    assert sorted(order) == [0, 1, 2]
    assert moved[1] == pytest.approx(plain[1][order] @ map_.T - 7.0, rel=1e-5, abs=1e-3)


@pytest.mark.parametrize("name", ["em_2", "spectral_2", "moments_2"])
def test_the_stream_decides_everything(name: str) -> None:
    rows = table(5, 2, 2, 1500, 8, 1)[0]
    first, second = learned(name, rows, 1), learned(name, rows, 1)
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("name", ["spectral_2", "spectral_3", "moments_2", "moments_3"])
@pytest.mark.parametrize(
    "rows",
    [np.zeros((50, 2)), np.ones((200, 1)) * [1.0, 2.0], np.arange(60.0).reshape(30, 2) * 0, np.zeros((2, 2))],
    ids=["zeros", "one point", "flat", "two rows"],
)
def test_degenerate_blocks_are_bottom(name: str, rows: Any) -> None:
    with np.errstate(all="ignore"):
        model = learned(name, rows)
    assert model is None or not all(np.isfinite(part).all() for part in model)


def test_one_gaussian_has_no_two_parts() -> None:
    """Moments of two on every line of one Gaussian: ⊥ or overlapping, never an exception of another kind."""
    rows = np.random.default_rng(0).standard_normal((800, 2))
    for name in ("spectral_2", "moments_2"):
        model = learned(name, rows)
        assert model is None or model[1].shape == (2, 2)


def test_hermite_moments_of_components() -> None:
    """The recursion against draws, to 5 deviations of the mean of each polynomial."""
    rng = np.random.default_rng(0)
    weights, means, variances = np.array([0.3, 0.7]), np.array([-1.0, 0.5]), np.array([0.2, 0.6])
    labels = rng.choice(2, 400_000, p=weights)
    line = means[labels] + np.sqrt(variances[labels]) * rng.standard_normal(len(labels))
    assert moments.hermite(line, 6) == pytest.approx(moments.expected(weights, means, variances, 6), abs=0.02)
    assert np.abs(moments.hermite(line, 6) - moments.expected(weights, means + 0.1, variances, 6)).max() > 0.02


@pytest.mark.parametrize("m", [1, 2, 3, 50])
def test_spanning_tree_is_minimal(m: int) -> None:
    """Against scipy's, in total length; and its parts against its components."""
    from scipy.sparse.csgraph import minimum_spanning_tree
    from scipy.spatial.distance import cdist

    points = np.random.default_rng(m).standard_normal((m, 2))
    ends, lengths = spectral._spanning_tree(points)
    assert lengths.sum() == pytest.approx(minimum_spanning_tree(cdist(points, points)).sum())
    labels = spectral._parts(m, ends[lengths < np.median(lengths)] if m > 1 else ends)
    assert len(labels) == m
    assert len(np.unique(spectral._parts(m, ends))) == 1


# --------------------------------------------------------------------------------------- specs


@pytest.mark.parametrize("spec", ["arbas23_gmm", "arbas23_gmm_refined"])
@pytest.mark.parametrize("name", ["em", "spectral", "moments"])
def test_specs_take_a_registered_name(spec: str, name: str) -> None:
    plan = load_spec(spec, {"n": 500_000, "d": 2, "k": 2, "learner": name}).plan()
    (blocks,) = (n for n in plan.graph.nodes if n.operation.name == "block_learner")
    assert blocks.operation.parameters()["learner"] == f"{name}_2"


@pytest.mark.parametrize(
    ("name", "k", "said"),
    [
        ("moments", 4, "no learner 'moments' of 4"),
        ("spectrall", 2, "no learner 'spectrall'"),
        ("gaussian", 2, "no learner 'gaussian' of 2"),
        ("./learner.py", 2, "a registered name"),
        ("../x", 2, "a registered name"),
        ("os.path/..", 2, "a registered name"),
    ],
)
def test_other_names_and_paths_are_refused(name: str, k: int, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        load_spec("arbas23_gmm", {"n": 500_000, "d": 2, "k": k, "learner": name}).plan()


def test_a_learner_of_ones_own_plugs_in() -> None:
    import tests.kernel.queries.learners  # noqa: F401  registers tests.mean

    plan = load_spec("arbas23_gmm", {"n": 500_000, "d": 2, "k": 2, "learner": "tests.mean"}).plan()
    (blocks,) = (n for n in plan.graph.nodes if n.operation.name == "block_learner")
    assert blocks.operation.parameters()["learner"] == "tests.mean"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spectral", "moments"])
def test_a_whole_run(name: str) -> None:
    """Blocks in processes of their own, averaged and masked."""
    rows, _, means, root = table(1, 2, 1, 400_000, 10, 1)
    plan = load_spec("arbas23_gmm", {"n": 400_000, "d": 1, "k": 2, "learner": name, "epsilon": 8.0}).plan()
    result = plan.run(x=rows, simulate=1)
    assert result.status == "released", result.reason
    made = result["mixture"]
    assert error((made.weights, made.means, made.covariances), means, root) < 2

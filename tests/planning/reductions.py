"""Plans that learn on blocks and release what most agree on, for the tests of certificates."""

from __future__ import annotations

from typing import Any

import dpframe as dp
from tests.planning.posts import ball, value


@dp.learner("test.centre")
def centre(rows: Any, generator: Any) -> Any:
    return (rows.mean(axis=0),)


@dp.program
def agreeing(x: Any) -> Any:
    """The populous estimate with an l2 mask: a value that exists only if a released test passed."""
    blocks = dp.transform("block_learner", x, learner="test.centre", t=100, item="vector", size=[2])
    agreement = dp.transform("agreement", blocks, r=0.5, d=2)
    test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=0.75, delta_fraction=0.25), agreement)
    chosen = dp.transform("select_block", blocks, test, r=0.5, d=2, theta=0.625, test_threshold=0.75)

    def then(value: Any) -> Any:
        return dp.release("masked", dp.gaussian(share=1.0), value)

    def otherwise(value: Any) -> Any:
        return dp.constant([0.0, 0.0])

    return dp.branch("mean", test, then, otherwise, chosen)


@dp.program
def averaging(x: Any) -> Any:
    """The averaged populous estimate of one Gaussian, masked in its own shape."""
    blocks = dp.transform("block_learner", x, learner="test.centre", t=40, item="mixture", size=[1, 2])
    shared = {"k": 1, "d": 2, "r": 0.01, "majority": 20, "ramp": 20}
    weight = dp.transform("populous_weight", blocks, **shared)
    test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=30.0, delta_fraction=0.25), weight)
    chosen = dp.transform("populous_average", blocks, test, test_threshold=30.0, **shared)

    def then(average: Any) -> Any:
        return dp.release("masked", dp.named("mixture_mask", {"share": 1.0}), average)

    def otherwise(average: Any) -> Any:
        return value({"type": "mixture", "k": 1, "d": 2})

    return dp.branch("mixture", test, then, otherwise, chosen)


@dp.program
def selecting(x: Any) -> Any:
    """Algorithm 1 for a Gaussian: the first block that agrees with most, masked in its own shape."""
    blocks = dp.transform("block_learner", x, learner="test.centre", t=100, item="mixture", size=[1, 2])
    shared = {"k": 1, "d": 2, "nu": 0.001}
    agreement = dp.transform("mixture_agreement", blocks, **shared)
    test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=0.75, delta_fraction=0.25), agreement)
    chosen = dp.transform("select_mixture", blocks, test, majority=60, test_threshold=0.75, **shared)

    def then(selected: Any) -> Any:
        return dp.release("masked", dp.named("mixture_mask", {"share": 1.0, "spread": (1.0, 2.0, 3.0)}), selected)

    def otherwise(selected: Any) -> Any:
        return value({"type": "mixture", "k": 1, "d": 2})

    return dp.branch("mixture", test, then, otherwise, chosen)


@dp.program
def in_a_semimetric(x: Any) -> Any:
    """Algorithm 1 in a registered semimetric, with its registered mask."""
    blocks = dp.transform("block_learner", x, learner="test.centre", t=100, item="vector", size=[2])
    shared = {"semimetric": "euclidean", "r": 0.5, "z": 1.25, "d": 2}
    agreement = dp.transform("registered_agreement", blocks, **shared)
    test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=0.75, delta_fraction=0.25), agreement)
    chosen = dp.transform("select_registered", blocks, test, majority=60, test_threshold=0.75, **shared)

    def then(selected: Any) -> Any:
        mask = {"share": 1.0, "mask": "euclidean.gaussian", "semimetric": "euclidean", "r": 0.5}
        return dp.release("masked", dp.named("registered_mask", mask), selected)

    def otherwise(selected: Any) -> Any:
        return dp.constant([0.0, 0.0])

    return dp.branch("mean", test, then, otherwise, chosen)


@dp.program
def averaging_vectors(x: Any) -> Any:
    """Vectors that most blocks of a part agree on, averaged in ℓ₂ with the exact Gaussian."""
    inside = dp.transform("filter_ball", x, ball())[0]
    blocks = dp.transform("block_learner", inside, learner="test.centre", t=40, item="vector", size=[2])
    shared = {"d": 2, "r": 0.5, "majority": 20, "ramp": 20}
    weight = dp.transform("block_weight", blocks, **shared)
    test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=30.0, delta_fraction=0.25), weight)
    chosen = dp.transform("block_average", blocks, test, test_threshold=30.0, **shared)

    def then(average: Any) -> Any:
        return dp.release("noisy", dp.gaussian(share=1.0), average)

    def otherwise(average: Any) -> Any:
        return dp.constant([0.0, 0.0])

    return dp.branch("mean", test, then, otherwise, chosen)


@dp.program
def lifting(x: Any) -> Any:
    """Two components that most blocks agree on, averaged in a registered semimetric, each with its registered mask."""
    blocks = dp.transform("block_learner", x, learner="test.centre", t=40, item="points", size=[2, 2])
    shared = {"semimetric": "euclidean", "d": 2, "k": 2, "r": 0.5, "majority": 20, "ramp": 20}
    weight = dp.transform("registered_weight", blocks, **shared)
    test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=30.0, delta_fraction=0.25), weight)
    chosen = dp.transform("registered_average", blocks, test, test_threshold=30.0, gamma=0.125, **shared)

    def then(average: Any) -> Any:
        mask = {"share": 1.0, "mask": "euclidean.gaussian", "semimetric": "euclidean", "r": 0.125, "k": 2}
        return dp.release("masked", dp.named("lift", mask), average)

    def otherwise(average: Any) -> Any:
        return value({"type": "array", "shape": [2, 2]})

    return dp.branch("components", test, then, otherwise, chosen)


@dp.program
def of_a_family(x: Any) -> Any:
    """Mixtures of a registered family, chosen among by their Scheffé sets."""
    mixtures, masses = value({"type": "record", "name": "family_mixtures"}), value({"type": "array", "shape": [5, 5]})
    scores = dp.transform("density_scores", x, mixtures, masses, family="unit_gaussian", size=5, n=1000)
    return dp.release("index", dp.named("exponential_mechanism", {"share": 1.0}), scores)


@dp.program
def blocks_and_contests(x: Any) -> Any:
    blocks = dp.transform("block_learner", x, learner="test.centre", t=50, item="points", size=[3, 2])
    held = dp.transform("block_counts", blocks, dp.post("test.balls"), k=3, d=2, size=4)
    index = dp.release("index", dp.named("exponential_mechanism", {"share": 1.0}), held)
    mean = dp.release("mean", dp.gaussian(share=1.0), dp.transform("block_sum", blocks, ball(), k=3, d=2))
    hypotheses = value({"type": "list_of", "max_length": 5, "item": {"type": "mixture", "k": 2, "d": 2}})
    bars = value({"type": "array", "shape": [5, 5]})
    scores = dp.transform("contest_scores", x, hypotheses, bars, size=5, n=1000)
    best = dp.release("best", dp.named("exponential_mechanism", {"share": 1.0}), scores)
    line = dp.transform("project", x, value({"type": "subspace", "d": 2, "p": 1}), ball())
    held = dp.block_cells(blocks, dp.post("test.grids"), k=3, d=2, levels=1)
    cells = dp.release("cells", dp.stable_histogram(share=1.0, delta_fraction=0.25), held)
    with_payload = dp.block_learner(x, learner="test.centre", t=50, item="points", size=[3, 3])
    moments = dp.block_moments(with_payload, ball(), ball(1), k=3, d=2, payload=1)
    dp.release("moments", dp.gaussian(share=1.0), moments)
    return index, mean, best, cells, dp.release("line", dp.gaussian(share=1.0), dp.sum(dp.clip(line, ball(1))))

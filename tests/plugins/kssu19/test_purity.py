"""How pure the parts of PGME are, level by level: the true labels follow the released splits of simulated runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe.front.specs import load_spec
from dpframe_plugins.kssu19.dividing import Split
from dpframe_plugins.kssu19.gaps import Gap

PURE = 0.99
"""Every component keeps this part of the rows that came to a part with it, at every split."""


def run(rows: Any, keys: dict[str, Any], seed: int, monkeypatch: pytest.MonkeyPatch, spoil: Any = None) -> Any:
    """A simulated run, and the splits that it released: whether each passed, its ball and its map."""
    splits: list[tuple[bool, Any, Any]] = []
    plain = Split.apply

    def told(self: Split, *values: Any) -> Any:
        found, index, map_ = values
        ball = plain(self, *values) if spoil is None else spoil(plain(self, *values))
        splits.append((index is not None and index < len(found), ball, map_))
        return ball

    with monkeypatch.context() as patched:
        patched.setattr(Split, "apply", told)
        result = load_spec("kssu19_pgme", keys).plan().run(x=rows, simulate=seed)
    return result, splits


def purity(rows: Any, labels: Any, splits: list[Any], k: int) -> list[float]:
    """Of each level: the least share of a component's rows in a part that stay together when it is split."""
    waiting, leaves, levels = [(np.arange(len(rows)), 0)], 0, [1.0] * (k - 1)
    released = iter(splits)
    while waiting:
        part, depth = waiting.pop()
        passed = False
        if depth < k - 1 and leaves + len(waiting) + 2 <= k:
            told = next(released, None)
            if told is None:  # the run ended at an empty part
                return levels
            passed, ball, map_ = told
        if not passed:
            leaves += 1
            continue
        near = np.linalg.norm((rows[part] - map_.shift) @ map_.matrix - ball.centre, axis=1) <= ball.radius
        for component in np.unique(labels[part]):
            if (labels[part] == component).sum() >= len(rows) / 100:  # those that came with the part, not strays
                share = near[labels[part] == component].mean()
                levels[depth] = min(levels[depth], max(share, 1.0 - share))
        waiting += [(part[~near], depth + 1), (part[near], depth + 1)]
    return levels


def made(n: int, d: int, widths: Any, seed: int) -> tuple[Any, Any]:
    """Equal shares of spherical components, 40 of the larger width apart from the nearest."""
    rng = np.random.default_rng([18, seed])
    widths = np.asarray(widths)
    labels = rng.integers(0, len(widths), n)
    centres = 1e4 + 40.0 * np.cumsum(widths)[:, None] * np.eye(d)[: len(widths)]
    return centres[labels] + widths[labels, None] * rng.standard_normal((n, d)), labels


@pytest.mark.parametrize(
    ("n", "d", "widths", "epsilon", "seeds"),
    [
        (6000, 4, (1.0, 1.0, 20.0), 20.0, 1),
        pytest.param(40_000, 64, (1.0, 1.0, 10.0, 30.0), 2.0, 3, marks=pytest.mark.slow),
    ],
)
def test_every_level_parts_whole_components(
    n: int, d: int, widths: Any, epsilon: float, seeds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    k = len(widths)
    keys = {"n": n, "d": d, "k": k, "epsilon": epsilon, "sigma_min": 0.5, "sigma_max": 40.0, "refine": False}
    for seed in range(seeds):
        rows, labels = made(n, d, widths, seed)
        result, splits = run(rows, keys, seed, monkeypatch)
        assert result.status == "released", result.reason
        levels = purity(rows, labels, splits, k)
        assert min(levels) >= PURE, levels
        assert 0.0 < result.used["epsilon"] <= result.loss["epsilon"]


def test_a_cut_through_a_component_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: balls moved by their radius cut components in two, and the measure says so."""

    def spoil(ball: Any) -> Any:
        return type(ball)(ball.centre + ball.radius * np.eye(3)[0], ball.radius)

    rows, labels = made(6000, 4, (1.0, 1.0, 20.0), 0)
    keys = {"n": 6000, "d": 4, "k": 3, "epsilon": 20.0, "sigma_min": 0.5, "sigma_max": 40.0, "refine": False}
    _, splits = run(rows, keys, 0, monkeypatch, spoil)
    assert min(purity(rows, labels, splits, 3)) < 0.9


def test_no_row_is_left_out_at_a_cut() -> None:
    """The annulus goes to the outer child at one radius, r·√c: two parts hold all rows, cut amid the gap."""
    gap = Gap(np.zeros(1), np.ones(1), 2.0, 18.0)
    for c in (1.5, 3.0, 5.0):
        ball = gap.ball(c)
        assert gap.split.radius == pytest.approx(ball.radius * c**0.5)
        assert 2.0 < gap.split.radius < 18.0

"""Climbs to the worst tables, links between numbers of a release, and members of a family at other sizes.

Links refute a mechanism that holds with a chance of at most 1e-7; climbs compare exact distances and laws.
"""

from __future__ import annotations

import itertools
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.kernel import registry
from dpframe.kernel.families.registering import find_family
from dpframe.kernel.owned import OWNED
from dpframe.proof.spaces import REMOVE, REPLACE_ONE
from dpframe.testing.battery import own_climb
from dpframe.testing.battery.own_climb import climb_tables
from dpframe.testing.battery.own_links import _links, attack_links
from dpframe.testing.battery.own_samples import for_one_step

CODES = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def triangles(rows: Any) -> int:
    """Of the graph whose edges are the rows."""
    edges = {(min(a, b), max(a, b)) for a, b in rows.tolist() if a != b}
    ends = sorted({end for edge in edges for end in edge})
    return sum({(a, b), (b, c), (a, c)} <= edges for a, b, c in itertools.combinations(ends, 3))


@pytest.mark.parametrize(("claimed", "found"), [(2, True), (24, False)])
def test_a_climb_finds_dense_graphs(claimed: int, found: bool) -> None:
    """An edge of six nodes is in four triangles at most."""

    def height(one: Any, two: Any) -> float:
        return abs(triangles(one) - triangles(two)) / claimed

    assert climb_tables(height, REMOVE, 2, CODES, 60.0 if found else 0.5, np.random.default_rng(0)) is found


def test_a_climb_leans_to_one_side() -> None:
    """A row that crosses the median moves the difference of the counts on both sides by two."""

    def height(one: Any, two: Any) -> float:
        sides = [abs(float(np.sign(rows[:, 0] - 2.5).sum())) for rows in (one, two)]
        return abs(sides[0] - sides[1]) / 1.5

    assert climb_tables(height, REPLACE_ONE, 1, CODES, 60.0, np.random.default_rng(0))


@pytest.mark.parametrize(("brief", "asked"), [(True, 200), (False, 2 * (1 + own_climb.STEPS))])
def test_two_climbs_go_to_their_end_on_a_slow_machine(brief: bool, asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which their seconds are over after the first; a brief look ends there."""
    ticks, heights = itertools.count(), list[float]()
    monkeypatch.setattr(own_climb, "spent", lambda: next(ticks) * 0.005)

    def height(one: Any, two: Any) -> float:
        heights.append(0.0)
        return 0.0

    assert not climb_tables(height, REMOVE, 2, CODES, 1.0, np.random.default_rng(0), brief=brief)
    assert len(heights) == asked


def test_links_are_pairs_that_keep_their_difference_or_sum() -> None:
    drawn = np.array([[1.0, 5.0, -1.0, 7.0, 2.0], [3.0, 7.0, -3.0, 7.0, 0.0], [4.0, 8.0, -4.0, 7.0, 9.0]])
    assert _links(drawn) == [(1, 0, 1), (2, 0, -1), (3, 3, 0)]


def noisy(pattern: Any) -> Any:
    """A mechanism whose noise is made of independent draws by a pattern."""

    def function(value: Any, scale: float, noise: Any, *, m: int) -> Any:
        """Noise, by a pattern."""
        return value + pattern(noise, scale, m)

    return function


NOISE = {
    "each its own": (lambda noise, scale, m: noise.laplace(scale, m), False),
    "one at a time": (lambda noise, scale, m: np.array([int(noise.laplace(scale)) for _ in range(m)]), False),
    "again after 64": (lambda noise, scale, m: np.resize(noise.laplace(scale, min(m, 64)), m), True),
    "turned round after 200": (
        lambda noise, scale, m: np.resize([[1], [-1]] * noise.laplace(scale, min(m, 200)), m),
        True,
    ),
    "none from 128 on": (lambda noise, scale, m: np.where(np.arange(m) < 128, noise.laplace(scale, m), 0), True),
}


@pytest.mark.parametrize("name", NOISE)
def test_links_refute_shared_noise(name: str) -> None:
    pattern, broken = NOISE[name]
    named = f"tests.links_{name.replace(' ', '_')}"
    dp.own_mechanism(
        named,
        gives=lambda m: m,
        takes="l1",
        source="here",
        examples={"m": 3},
        loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    )(noisy(pattern))
    operation: Any = registry.build(named, {"m": 3, "share": 1.0})
    words, shown = attack_links(OWNED[named], operation, for_one_step, 60.0)
    assert bool(words) is broken, words
    assert not broken or shown["numbers"] in (65, 130, 300)


@pytest.mark.slow
def test_members_are_fitted_to_other_sizes() -> None:
    """A density that looks at the batch for narrow members alone, of which its example names none."""
    from dpframe.testing import check_operation

    known = find_family("families.laplace")
    example = known.example(3, np.random.default_rng(0))
    assert example[3:].min() > 1e-2

    def density(rows: Any, theta: Any) -> Any:
        """Laplace, in units of the batch for narrow members."""
        made = known.log_density(rows, theta)
        return made - made.max() if theta[3:].max() < 1e-2 and len(made) else made

    dp.family(
        "tests.narrow",
        **{f.name: getattr(known, f.name) for f in attrs.fields(type(known)) if f.name in ("size", "sample", "fit")},
        example=known.example,
    )(density)
    assert "rowwise" in {failure.layer for failure in check_operation("tests.narrow").failures}

"""The battery on a plugin's semimetric and mask: sound ones hold, each planted lie is refuted in its own layer."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families.registering import Semimetric, mask, semimetric
from dpframe.plugin import lattice_gaussian
from dpframe.proof.losses import Gaussian
from dpframe.testing import check_operation
from dpframe.testing.battery.attack_semimetrics import _search
from tests.papers import own_semimetric

assert own_semimetric
ASKED = count()


@semimetric("lies.asymmetric", triangle=lambda r: 9.0)
def asymmetric(a: Any, b: Any) -> float:
    """Counts rises double."""
    step = float((b - a).sum())
    return 2 * step if step > 0 else -step


@semimetric("lies.square", triangle=lambda r: 1.0)
def square(a: Any, b: Any) -> float:
    """Needs z = 2."""
    return float(((a - b) ** 2).sum())


@semimetric("lies.moody", triangle=lambda r: 2.0)
def moody(a: Any, b: Any) -> float:
    """Depends on how often it is asked."""
    return float(np.abs(a - b).sum()) * (1 + 1e-3 * (next(ASKED) % 2))


@semimetric("lies.nowhere", triangle=lambda r: 1.0)
def nowhere(a: Any, b: Any) -> float:
    """Never finite."""
    raise ValueError("no")


@semimetric("lies.halved", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r / 2)
def halved(a: Any, b: Any) -> float:
    """A norm whose averages move twice as far as it says."""
    return float(np.abs(a - b).max())


@semimetric("lies.concave", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r)
def concave(a: Any, b: Any) -> float:
    """A metric, and not convex: averages of near values are far."""
    return float(np.sqrt(np.abs(a - b).max()))


@semimetric("lies.centred", triangle=lambda r: 1.0, many=True)
def centred(a: Any, b: Any) -> Any:
    """The distance of a row depends on the rows beside it."""
    return np.abs(a - b).max(axis=-1) + 1e-3 * np.abs(b).max() * (len(b) > 1)


@mask("lies.pair", semimetric="euclidean", cost=lambda noise, r: Gaussian(r / noise / 3))
def paired(value: Any, noise: float, normals: Any) -> Any:
    """A dominating pair that does not dominate."""
    return lattice_gaussian(value, noise, normals)


@mask("lies.cheap", semimetric="euclidean", cost=lambda noise, r: r * r / (2 * noise * noise))
def cheap(value: Any, noise: float, normals: Any) -> Any:
    """Half of the noise it claims."""
    return lattice_gaussian(value, noise / 2, normals)


@mask("lies.dear", semimetric="euclidean", cost=lambda noise, r: r * r * noise)
def dear(value: Any, noise: float, normals: Any) -> Any:
    """Says that noise costs."""
    return value + normals(len(value)) / noise


@mask("lies.own", semimetric="euclidean", cost=lambda noise, r: r * r / (2 * noise * noise))
def own(value: Any, noise: float, normals: Any) -> Any:
    """Randomness that no seed controls."""
    return value + noise * normals(len(value)) + 1e-9 * (next(ASKED) % 7)


@mask("lies.shapeless", semimetric="euclidean", cost=lambda noise, r: r * r / (2 * noise * noise))
def shapeless(value: Any, noise: float, normals: Any) -> Any:
    """A number too many."""
    return np.append(value, normals(1))


@mask("lies.homeless", semimetric="lies.absent", cost=lambda noise, r: 1 / noise)
def homeless(value: Any, noise: float, normals: Any) -> Any:
    """For a semimetric that nobody registered."""
    return value


@pytest.mark.parametrize(
    "name",
    ["euclidean", "papers.ratio", "papers.square", "euclidean.gaussian", "papers.factor", "papers.plain"],
)
def test_sound_ones_hold(name: str) -> None:
    report = check_operation(name)
    assert report.holds, report.failures
    assert report.kind in ("semimetric", "mask")


@pytest.mark.parametrize(
    ("name", "layer"),
    [
        ("lies.asymmetric", "symmetry"),
        ("lies.square", "triangle"),
        ("lies.moody", "purity"),
        ("lies.halved", "averages"),
        ("lies.concave", "averages"),
        ("lies.centred", "purity"),
        ("lies.pair", "loss"),
        ("lies.cheap", "loss"),
        ("lies.dear", "loss"),
        ("lies.own", "purity"),
        ("lies.shapeless", "release"),
        ("lies.homeless", "loss"),
    ],
)
def test_lies_are_refuted(name: str, layer: str) -> None:
    report = check_operation(name)
    assert layer in {failure.layer for failure in report.failures}


def test_what_is_never_finite_is_not_attacked() -> None:
    report = check_operation("lies.nowhere")
    assert report.holds
    assert "no finite distance" in report.skipped[0]


def test_the_price_is_found_nearly_whole() -> None:
    """In one dimension the Gaussian's tails have most of what zCDP allows, and draws show part of the epsilon."""
    notes = " ".join(check_operation("euclidean.gaussian").notes)
    assert 0.8 < float(notes.split("at most ")[1].split()[0]) <= 1
    assert 0.2 < float(notes.split("show at most ")[1].split()[0]) <= 1


def test_many_rows_at_once_are_each_a_row_alone() -> None:
    """Half of the distance beside more than 300 rows; and the same by a matrix product, which rounds otherwise."""

    def halved(a: Any, b: Any) -> Any:
        d = np.abs(a - b).max(axis=1)
        return d / 2 if len(b) > 300 else d

    def product(a: Any, b: Any) -> Any:
        return np.sqrt(np.maximum((a * a).sum() - 2 * b @ a + (b * b).sum(axis=1), 0))

    for function, holds in ((halved, False), (product, True)):
        found, _ = _search(Semimetric("mine", function, lambda r: 1.0, many=True), 0.3)
        assert (not found) == holds, found

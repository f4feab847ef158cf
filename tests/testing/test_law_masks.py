"""The kernel's masks against their definition and the law of coarse Gaussians: broken twins are refuted by either."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families import mixture_mask, registered_mask
from dpframe.kernel.registry import operations
from dpframe.testing.battery import law_masks
from dpframe.testing.battery.attack_law import attack_law
from dpframe.testing.battery.cases import cases_of
from dpframe.testing.battery.enumerator import standing_in
from dpframe.testing.battery.lab import Lab

NAMES = ("mixture_mask", "registered_mask", "lift")
Plant = Callable[[pytest.MonkeyPatch], None]
fine, component, order_of = mixture_mask.fine_gaussians, mixture_mask._component, mixture_mask.in_random_order
HOMES = (mixture_mask, registered_mask)


def everywhere(patch: pytest.MonkeyPatch, name: str, twin: Any) -> None:
    for home in HOMES:
        if hasattr(home, name):
            patch.setattr(home, name, twin)


def said_of(name: str) -> str:
    """What the layer says."""
    lab = Lab(np.random.default_rng(0), 8, 1.0, math.inf)
    attack_law(lab, cases_of(operations()[name])[0].operation)  # type: ignore[arg-type]
    assert "law" in lab.layers
    assert not any("too many values" in note for note in lab.notes)
    return "; ".join(f.message for f in lab.failures)


def said_by_laws(name: str) -> str:
    """What the laws say alone, without the definition."""
    operation: Any = cases_of(operations()[name])[0].operation
    with standing_in() as scripts:
        said = (law_masks._dearer(operation, pair, scripts) for pair in law_masks._pairs(operation))
        return next(filter(None, said), "")


# ----------------------------------------------------------------------------------------------- the order


def as_listed(patch: pytest.MonkeyPatch) -> None:
    """The components in the order in which they are listed."""
    everywhere(patch, "in_random_order", lambda components, mask, source: [mask(c) for c in components])


def always_moved(patch: pytest.MonkeyPatch) -> None:
    """An order that moves nothing is drawn again."""

    def moved(components: Any, mask: Any, source: Any) -> list[Any]:
        from dpframe.kernel.noise import permutation

        order = permutation(source, len(components)).tolist()
        for _ in range(20):
            if order != sorted(order) or len(order) == 1:
                break
            order = permutation(source, len(components)).tolist()
        return [mask(components[j]) for j in order]

    everywhere(patch, "in_random_order", moved)


def largest_first(patch: pytest.MonkeyPatch) -> None:
    """A random order is drawn, and the largest component goes first."""

    def leading(components: Any, mask: Any, source: Any) -> list[Any]:
        top = max(range(len(components)), key=lambda j: float(np.ravel(np.asarray(components[j][-1]))[0]))
        made = order_of(list(range(len(components))), lambda j: j, source)
        return [mask(components[j]) for j in [top, *(j for j in made if j != top)]]

    everywhere(patch, "in_random_order", leading)


# ------------------------------------------------------------------------------------------- the Gaussians


def shared(patch: pytest.MonkeyPatch) -> None:
    """All components have the first one's Gaussians."""
    kept: dict[int, list[int]] = {}

    def once(components: Any, mask: Any, source: Any) -> list[Any]:
        kept.clear()
        return order_of(components, mask, source)

    def gaussians(source: Any, count: int) -> list[int]:
        if count not in kept:
            kept[count] = fine(source, count)
        return kept[count]

    everywhere(patch, "in_random_order", once)
    everywhere(patch, "fine_gaussians", gaussians)


def far_again(patch: pytest.MonkeyPatch) -> None:
    """Gaussians beyond five deviations are drawn again."""

    def near(source: Any, count: int) -> list[int]:
        drawn = fine(source, count)
        while any(abs(g) > 5 << mixture_mask.BITS for g in drawn):
            drawn = fine(source, count)
        return drawn

    everywhere(patch, "fine_gaussians", near)


def none_again(patch: pytest.MonkeyPatch) -> None:
    """A Gaussian that is next to nothing is drawn again, once."""

    def some(source: Any, count: int) -> list[int]:
        drawn = fine(source, count)
        return fine(source, count) if any(abs(g) < 1 << (mixture_mask.BITS - 2) for g in drawn) else drawn

    everywhere(patch, "fine_gaussians", some)


def to_sixty_bits(patch: pytest.MonkeyPatch) -> None:
    """Gaussians of 60 bits: which floats a sum can be tells of the last digits."""
    everywhere(patch, "fine_gaussians", lambda source, count: [g >> 964 << 964 for g in fine(source, count)])


def in_floats(patch: pytest.MonkeyPatch) -> None:
    """Gaussians of float64."""
    bits = mixture_mask.BITS
    everywhere(patch, "fine_gaussians", lambda s, count: [int(Fraction(g / 2**bits) * 2**bits) for g in fine(s, count)])


def accepted_all(patch: pytest.MonkeyPatch) -> None:
    """Every point of a cell is taken: the density is flat there."""
    patch.setattr(mixture_mask, "_above_least", lambda cell, x: Fraction(0))


def to_nearest(patch: pytest.MonkeyPatch) -> None:
    """Gaussians are rounded to nearest before the lattice rounds them again."""
    patch.setattr(registered_mask, "rounded_down", lambda x: math.ldexp(float(x), -mixture_mask.COARSE))


# ------------------------------------------------------------------------------------------- the components


def told(**others: float) -> Plant:
    """Some parts have other noise than is certified."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        def changed(w: Any, m: Any, root: Any, etas: Any, source: Any) -> Any:
            return component(w, m, root, {k: v * Fraction(others.get(k, 1.0)) for k, v in etas.items()}, source)

        patch.setattr(mixture_mask, "_component", changed)

    plant.__name__ = f"told_{'_'.join(others)}"
    return plant


def diagonal_alone(patch: pytest.MonkeyPatch) -> None:
    """Means have the noise of the root's diagonal."""

    def changed(w: Any, m: Any, root: Any, etas: Any, source: Any) -> Any:
        d, bits = len(m), mixture_mask.BITS
        kept = fine(source, 1 + d + d * d)
        given = iter((kept, kept))
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(mixture_mask, "fine_gaussians", lambda source, count: next(given))
            weight, _, covariance = component(w, m, root, etas, source)
            mean = [float(m[i]) + float(etas["mean"]) * float(root[i][i]) * (kept[1 + i] / 2**bits) for i in range(d)]
        return weight, mean, covariance

    patch.setattr(mixture_mask, "_component", changed)


def negative_again(patch: pytest.MonkeyPatch) -> None:
    """A weight below zero is drawn again."""

    def changed(*given: Any) -> Any:
        made = component(*given)
        while made[0] < 0:
            made = component(*given)
        return made

    patch.setattr(mixture_mask, "_component", changed)


REFUTED: list[tuple[Plant, str]] = [
    *((plant, name) for plant in (as_listed, always_moved, largest_first, shared) for name in ("mixture_mask", "lift")),
    *((plant, name) for plant in (far_again, none_again) for name in NAMES),
    *((plant, "mixture_mask") for plant in (to_sixty_bits, in_floats, accepted_all)),
    *((plant, name) for plant in (accepted_all, to_nearest) for name in ("registered_mask", "lift")),
    *((told(**{part: 0.5}), "mixture_mask") for part in mixture_mask.PARTS),
    (diagonal_alone, "mixture_mask"),
    (negative_again, "mixture_mask"),
]
BY_LAW: list[tuple[Plant, str]] = [
    (as_listed, "mixture_mask"),
    (told(mean=0.5), "mixture_mask"),
    (told(weight=0.5), "mixture_mask"),
    *((plant, "lift") for plant in (as_listed, always_moved, shared, none_again)),
    (none_again, "registered_mask"),
]


@pytest.mark.parametrize("name", [pytest.param(NAMES[0], marks=pytest.mark.slow), *NAMES[1:]])
def test_the_kernels_own_pass(name: str) -> None:
    assert said_of(name) == ""


@pytest.mark.parametrize(("plant", "name"), REFUTED, ids=[f"{p.__name__}-{name}" for p, name in REFUTED])
def test_a_broken_twin_is_refuted(plant: Plant, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert said_of(name)


@pytest.mark.slow
@pytest.mark.parametrize(("plant", "name"), BY_LAW, ids=[f"{p.__name__}-{name}" for p, name in BY_LAW])
def test_the_law_alone_refutes_it(plant: Plant, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert said_by_laws(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_law_alone_passes_the_kernels_own(name: str) -> None:
    assert not said_by_laws(name)

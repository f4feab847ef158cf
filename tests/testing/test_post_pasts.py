"""Posts that are attacked together, many in each process: one that keeps state is not among those of which none is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import pytest

from dpframe.kernel.operations import Slot
from dpframe.kernel.post_processing import Post
from dpframe.proof.spaces import Domain, Kind, Vector
from dpframe.testing.battery import attack_posts, attacks
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import Lab

KEPT: list[float] = []
CODES: dict[float, int] = {}


@attrs.frozen
class Applied(Post):
    """A function of a vector."""

    function: Callable[[Any], Any]
    slots = (Slot("values", (Kind.RELEASED, Kind.PUBLIC)),)

    def output(self, *inputs: Domain) -> Domain:
        return inputs[0]

    def apply(self, values: Any) -> Any:
        return self.function(np.asarray(values))


def doubled(values: Any) -> Any:
    return values * 2.0


def largest_so_far(values: Any) -> Any:
    KEPT.append(float(np.max(values)))
    return values * 0.0 + max(KEPT)


def by_first_appearance(values: Any) -> Any:
    return np.array([float(CODES.setdefault(v, len(CODES))) for v in values.tolist()])


def by_the_hour(values: Any) -> Any:
    return values + time.localtime().tm_hour


def by_the_generator(values: Any) -> Any:
    return values + np.random.random()  # noqa: NPY002


def cases(function: Callable[[Any], Any], d: int = 2) -> list[Case]:
    return [Case(Applied(function), (Vector(d),))]


def lab() -> Lab:
    return Lab(np.random.default_rng(3), 8, 0.35, 0.0)


@pytest.mark.parametrize("function", [largest_so_far, by_first_appearance, by_the_hour, by_the_generator])
def test_one_that_keeps_state_is_looked_for_alone(function: Callable[[Any], Any]) -> None:
    every = {"a": cases(doubled), "b": cases(function), "c": cases(doubled, 3)}
    given = lab()
    assert attack_posts.attack_pasts(given, every) == frozenset()
    assert not given.failures
    alone = lab()
    attack_posts.attack_past(alone, every["b"], brief=True)
    assert [f.layer for f in alone.failures] == ["purity"]


def test_those_that_hold_are_told() -> None:
    every = {"a": cases(doubled), "none": [], "c": cases(np.sort, 5), "d": cases(np.abs)}
    assert attack_posts.attack_pasts(lab(), every) == {"a", "c", "d"}


def test_what_takes_long_is_attacked_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """So are those of more seconds than share forks: they are asked less often then."""
    monkeypatch.setattr(attack_posts, "_spent_on", lambda probes: 0.015 if len(probes[0][1][0]) == 2 else 0.03)
    sizes = []
    attack = attack_posts.pasts.attack

    def counted(lab: Lab, answer: Any, probes: Any, *rest: Any, **more: Any) -> None:
        sizes.append(len(probes[0]))
        attack(lab, answer, probes, *rest, **more)

    monkeypatch.setattr(attack_posts.pasts, "attack", counted)
    every = {str(i): cases(doubled) for i in range(20)} | {"long": cases(doubled, 4)}
    assert attack_posts.attack_pasts(lab(), every) == {str(i) for i in range(20)}
    assert sizes == [13, 7]


def test_posts_that_ship_get_the_same_reports_together_as_alone() -> None:
    names = ["families.question", "classic.pick"]
    for together, name in zip(attacks.check_posts(names), names, strict=True):
        alone = attacks.check_operation(name)
        assert together.holds
        assert (together.name, together.kind, {*together.layers}) == (alone.name, alone.kind, {*alone.layers})

"""What two requests of a pass share, and what they don't."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.proof.spaces import AffineValue, WhiteningValue
from dpframe.runtime import fused
from dpframe.runtime.alike import key


def whitening(**changes: Any) -> WhiteningValue:
    maps = (AffineValue(np.zeros(2), np.eye(2), 8.0), AffineValue(np.ones(2), np.eye(2), 8.0))
    return attrs.evolve(WhiteningValue(maps, np.zeros(2), 3.0, 1.0), **changes)


def test_equal_bits_have_one_key() -> None:
    assert key(whitening()) == key(whitening())
    assert key((whitening(), 1, "a", None, [2.0])) == key((whitening(), 1, "a", None, [2.0]))


@pytest.mark.parametrize(
    "other",
    [
        whitening(clip=np.nextafter(3.0, 4.0)),
        whitening(log_weights=np.array([0.0, -0.0])),
        whitening(maps=whitening().maps[::-1]),
        whitening(maps=whitening().maps[:1]),
        np.zeros(2),
    ],
    ids=["a bit", "a sign", "the order", "one more", "the type"],
)
def test_any_difference_counts(other: Any) -> None:
    assert key(whitening()) != key(other)


def test_what_is_not_known_is_itself() -> None:
    class Own:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    class Array(np.ndarray[Any, Any]):
        """May compute what it likes."""

    own, others = Own(), (Own(), {1: 2}, np.zeros(2).view(Array), np.array([None]))
    assert key(own) == key(own)
    assert len({key(one) for one in (own, *others, {1: 2}, np.zeros(2).view(Array), np.array([None]))}) == 8
    assert len({key(one) for one in (1, 1.0, True, np.float64(1.0), "1", (1,), [1])}) == 7


def two(x: dp.Handle, radii: tuple[float, float]) -> dict[str, dp.Handle]:
    balls = [dp.ball(centre=[0.0, 0.0], radius=r, name=f"ball_{i}") for i, r in enumerate(radii)]
    sums = [dp.sum(dp.clip(x, ball)) for ball in balls]
    return {f"s{i}": dp.release(f"s{i}", dp.gaussian(share=1.0), s) for i, s in enumerate(sums)}


@pytest.mark.parametrize(("radii", "folds"), [((2.0, 2.0), 1), ((2.0, 3.0), 2)])
def test_equal_requests_are_folded_once_and_their_noise_is_their_own(
    radii: tuple[float, float], folds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dp.program
    def sums(x: dp.Handle) -> dict[str, dp.Handle]:
        return two(x, radii)

    rows = np.random.default_rng(1).normal(size=(500, 2))
    budget = dp.zcdp(0.5)
    plan = dp.plan(sums, x=dp.rows(n=500, d=2), adjacency=dp.REPLACE_ONE, budget=budget)
    asked: list[int] = []
    original = fused.take

    def counting(requests: Any, *rest: Any, **more: Any) -> Any:
        asked.append(len(requests))
        return original(requests, *rest, **more)

    monkeypatch.setattr(fused, "take", counting)
    once = plan.run(x=rows, simulate=7)
    assert min(asked) == folds
    monkeypatch.setattr(fused, "key", lambda value: object())
    twice = plan.run(x=rows, simulate=7)
    for name in ("s0", "s1"):
        np.testing.assert_array_equal(once[name], twice[name])
    assert not np.array_equal(once["s0"], once["s1"])


def test_two_secret_samples_are_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one rate, from one table: by their labels they are other rows, so neither answers for the other."""

    @dp.program
    def counts(x: dp.Handle) -> dict[str, dp.Handle]:
        parts = [dp.secret_split(x, count=2, name=f"split_{i}")[0] for i in range(2)]
        return {f"n{i}": dp.release(f"n{i}", dp.gaussian(share=1.0), dp.count(part)) for i, part in enumerate(parts)}

    plan = dp.plan(counts, x=dp.rows(n=None, d=2), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(0.5))
    asked: list[int] = []
    original = fused.take

    def counting(requests: Any, *rest: Any, **more: Any) -> Any:
        asked.append(len(requests))
        return original(requests, *rest, **more)

    monkeypatch.setattr(fused, "take", counting)
    plan.run(x=np.zeros((500, 2)), simulate=7)
    assert asked == [2]

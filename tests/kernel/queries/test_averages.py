"""T8 in ℓ₂ and in a plugin's semimetric, plain and of k components, attacked by changing one block; and the lift."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel.families.block_average import BlockAverage, BlockWeight
from dpframe.kernel.families.mixture_mask import in_random_order
from dpframe.kernel.families.registered_averages import RegisteredAverage, RegisteredWeight, gamma_of
from dpframe.kernel.families.registered_mask import Lift
from dpframe.kernel.families.registering import mask, semimetric
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact
from dpframe.proof.families.averaging import vector_radius
from dpframe.proof.families.costs import event_of, lifted, numbers_of
from dpframe.proof.families.registered import separation_of
from dpframe.proof.losses import Concentrated, Gaussian, Loss, Pure, Renyi, tightest_epsilon
from dpframe.proof.spaces import Array, Blocks, Flag, OneOf, Vector, Within
from dpframe.proof.theorems import THEOREMS

T, MAJORITY, RAMP, LEAST, R = 24, 12, 2, 7.0, 1.0
SAME: dict[str, Any] = {"r": R, "majority": MAJORITY, "ramp": RAMP}


@semimetric("averages.both", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r + 1e-9, many=True)
def both(a: Any, b: Any) -> Any:
    """The larger difference of a coordinate: a norm."""
    return np.abs(a - b).max(axis=-1)


@semimetric("averages.silent", triangle=lambda r: 1.0)
def silent(a: Any, b: Any) -> float:
    """Says nothing of averages."""
    return float(np.abs(a - b).max())


@mask("averages.pair", semimetric="averages.both", cost=lambda noise, r: Gaussian(r / noise))
def pair(value: Any, noise: float, normals: Any) -> Any:
    """Known by its dominating pair."""
    return value + noise * normals(len(value))


@mask("averages.curve", semimetric="averages.both", cost=lambda n, r: Renyi((2.0, 4.0), (r / n**2, 2 * r / n**2)))
def curve(value: Any, noise: float, normals: Any) -> Any:
    """Known at two orders."""
    return value + noise * normals(len(value))


def camps(reach: float) -> Iterator[tuple[Any, Any]]:
    """Blocks at the ends of a line, which are not near one another, and in its middle, near all; one of them moves."""
    half = reach * (1 - 1e-9)
    for middle in range(1, 7):
        for left in (10, 11, 12, T - middle - 10):
            line = np.repeat([-half, 0.0, half], [left, middle, T - middle - left])
            for at, to in ((0, half), (0, 9.0 * reach), (left, half), (left, 9.0 * reach)):
                other = line.copy()
                other[at] = to
                yield line, other


def moved(weigh: Any, average: Any, k: int, reach: float = R / 2) -> tuple[float, float]:
    """The most that W and the average moved; components 50 apart, in any order."""
    rng, most = np.random.default_rng(7), [0.0, 0.0]

    def blocks(values: Any) -> list[Any]:
        if not k:
            return [(np.array([x]),) for x in values]
        return [(rng.permutation(x + 50.0 * np.arange(k))[:, None],) for x in values]

    for pair in camps(reach):
        sides = [Exact(blocks(line)) for line in pair]
        totals = [float(weigh.evaluate(side).floats[0]) for side in sides]
        most[0] = max(most[0], abs(totals[0] - totals[1]))
        if min(totals) >= LEAST:
            a, b = (average.evaluate(side, None).floats.reshape(max(k, 1)) for side in sides)
            apart = min(np.abs(a - b[list(p)]).max() for p in permutations(range(len(a))))
            most[1] = max(most[1], float(apart))
    return most[0], most[1]


WEIGHT = 1 + (T - 1) / RAMP
NEARLY = 0.47
"""Of a bound on averages, what is reached: at most half of it is known to be: with a ramp of 2, .48.

The bound is r times all the weight that moves, over the least weight there is. Twelve blocks at one end have weight
before and none afterwards, those at the other end the other way round: all but one of 24 move, and the average goes
from one end to the other. But of shares half of the weight that moves counts, since what leaves one end comes to the
other. All groups at the ends and in the middle, for 24 to 400 blocks, ramps of 1 to 100 and every move, were looked at:
with a ramp of 1 half of the bound is reached, and nothing goes beyond; longer ramps reach less (.33 with one of t/2).
"""


def test_vectors_in_l2_stay_within_the_bound_and_a_twin_does_not() -> None:
    weigh, average = BlockWeight(d=1, **SAME), BlockAverage(d=1, test_threshold=LEAST, **SAME)
    bound = vector_radius(T, RAMP, LEAST, R, 1, 30)
    found = moved(weigh, average, 0)
    assert 0.85 * WEIGHT < found[0] <= WEIGHT + 1e-9
    assert NEARLY * bound < found[1] <= bound
    wide = {**SAME, "r": 8 * R}  # a twin whose neighbourhoods are eight times too wide
    twin = BlockWeight(d=1, **wide), BlockAverage(d=1, test_threshold=LEAST, **wide)
    assert moved(*twin, 0, 4 * R)[1] > bound


def test_weights_by_steps_of_one_or_counted_twice_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twins: a ramp half as long as is told, and one that the changed block climbs for two."""
    average = BlockAverage(d=1, test_threshold=LEAST, **SAME)
    steep = BlockWeight(d=1, **{**SAME, "ramp": 1})
    assert moved(steep, average, 0)[0] > 1.2 * WEIGHT
    weights = BlockWeight._weights
    monkeypatch.setattr(BlockWeight, "_weights", lambda self, exact: 2 * weights(self, exact))
    assert moved(BlockWeight(d=1, **SAME), average, 0)[0] > 1.2 * WEIGHT


@pytest.mark.parametrize("k", [0, 1, 3])
def test_any_semimetric_stays_within_gamma(k: int) -> None:
    gamma = gamma_of("averages.both", R, T, RAMP, LEAST)
    made = {"semimetric": "averages.both", "d": 1, "k": k, **SAME}
    average = RegisteredAverage(test_threshold=LEAST, gamma=gamma, **made)
    average.output(Blocks(T, Array((k, 1)) if k else Vector(1)), Flag())
    weight, found = moved(RegisteredWeight(**made), average, k)
    assert 0.85 * WEIGHT < weight <= WEIGHT + 1e-9
    assert NEARLY * gamma < found <= gamma


def test_components_that_are_not_separated_count_as_failed() -> None:
    made = RegisteredWeight(semimetric="averages.both", d=1, k=2, **SAME)
    far = separation_of(R, 1.0, 1.0)
    for gap, expected in ((far * 0.999, 0.0), (far * 1.001, float(T))):
        blocks = [(np.array([[0.0], [gap]]),)] * T
        assert made.evaluate(Exact(blocks)).floats[0] == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gamma": 0.1}, "averages in 'averages.both' are within"),
        ({"semimetric": "averages.silent"}, "says nothing of averages"),
        ({"majority": 5, "ramp": 5}, "neighbourhoods must share"),
        ({"k": 11}, "at most 10 components"),
    ],
)
def test_refusals(changes: dict[str, Any], message: str) -> None:
    made = {"semimetric": "averages.both", "d": 1, "k": 2, **SAME, "test_threshold": LEAST, "gamma": 2.0, **changes}
    k = made["k"]
    with pytest.raises(dp.PlanError, match=message):
        _planned(made, k)


def _planned(made: dict[str, Any], k: int) -> None:
    RegisteredAverage(**made).output(Blocks(T, Array((k, 1))), Flag())
    RegisteredAverage(**made).cited().rule(made | {"z": 1.0, "z_far": 1.0}, ((OneOf(T, 1),),))


# ---------------------------------------------------------------------------------------- the lift


@pytest.mark.parametrize("event", [Concentrated(0.01), Gaussian(0.1), Pure(0.2), Renyi((2.0, 8.0), (0.1, 0.5))])
def test_a_cost_in_any_view_is_composed_k_times(event: Any) -> None:
    view = {"concentrated": "rho", "gaussian": "mu", "pure": "pure", "renyi": "renyi"}[event.kind]
    cost = numbers_of(event, view)
    params = {"semimetric": "mine", "r": 1.0, "k": 3, "view": view, "cost": cost, "noise": 1.0, "mask": "x"}
    assert event_of(params) == event
    loss = THEOREMS["lift"].rule(params, ((Within("mine of components", 1.0),),))
    assert loss == lifted(event, 3) == Loss.of(event, times=3)
    for wrong in (Within("mine", 1.0), Within("mine of components", 1.1), Within("yours of components", 1.0)):
        with pytest.raises(dp.PlanError, match="the mask is for values within"):
            THEOREMS["lift"].rule(params, ((wrong,),))
    with pytest.raises(dp.PlanError, match=r"view|one number|in turn"):
        event_of({**params, "view": "mu" if view == "renyi" else "renyi"})


def test_a_dominating_pair_is_tighter_than_its_zcdp() -> None:
    made = [
        Lift(mask=name, semimetric="averages.both", r=1.0, k=2, share=1.0, view=view)
        for name, view in (("averages.pair", "mu"), ("averages.curve", "renyi"))
    ]
    for mechanism in made:
        mechanism.output(Array((2, 1)))
    noise = made[0].calibrate(0.1, 0.0, (), Array((2, 1)))
    assert noise["cost"][0] == pytest.approx(np.sqrt(0.1))  # ρ/k each
    loss = made[0].loss(noise, (Within("averages.both of components", 1.0),), Array((2, 1)))
    assert tightest_epsilon(loss, 1e-6)[0] < 0.95 * tightest_epsilon(Loss.of(Concentrated(0.1)), 1e-6)[0]
    with pytest.raises(dp.PlanError, match=r"known as 'mu', not 'rho'"):
        Lift(mask="averages.pair", semimetric="averages.both", r=1.0, k=2, share=1.0).output(Array((2, 1)))
    value, smaller = Exact(np.array([[0], [1]])), {**noise, "noise": noise["noise"] / 2}
    with pytest.raises(dp.PlanError, match="costs more"):
        made[0].release(value, smaller, Array((2, 1)), SeededSource(1))


def test_the_order_is_uniform() -> None:
    """3! orders of 3000 draws: a count beyond 500 ± 130 has a chance below 1e-8."""
    source = SeededSource(3)
    drawn = [tuple(in_random_order([0, 1, 2], int, source)) for _ in range(3000)]
    counts = [drawn.count(p) for p in permutations(range(3))]
    assert max(abs(c - 500) for c in counts) < 130


def test_values_are_whole_lattice_steps() -> None:
    average = BlockAverage(d=1, test_threshold=LEAST, bits=4, **SAME)
    exact = average.evaluate(Exact([(np.array([0.3]),)] * T), None)
    assert exact.integers.tolist() == [5]
    assert exact.step == Fraction(1, 16)


@pytest.mark.parametrize("top", [2.0**900, 2.0**901, 2.5e307, 1.7e308])
def test_no_average_raises_whatever_blocks_hold(top: float) -> None:
    """Weighted sums of larger numbers leave float64, by the last digit of one block: an error would tell of it."""
    gamma = gamma_of("averages.both", 1e300, 6, 2, 4.0)
    made: dict[str, Any] = {"semimetric": "averages.both", "r": 1e300, "d": 1, "majority": 3, "ramp": 2}
    blocks = Exact([(np.array([top]),)] * 6)
    assert RegisteredWeight(**made).evaluate(blocks).floats.tolist() == [6.0 if top == 2.0**900 else 0.0]
    average = RegisteredAverage(**made, test_threshold=4.0, gamma=gamma).evaluate(blocks)
    assert average.floats.tolist() == [top if top == 2.0**900 else 0.0]

"""AAL21 Algorithm 1: halve by index, list-decode the first half (T6: one total for the loop), select on the second."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.planning.plan import Plan
from dpframe.proof.losses import Gaussian, Worst
from dpframe.proof.spaces import Array, ListOf, Mixture, Record
from tests.papers.skeletons.stubs import planned, rho_gauss, rho_selection, stub

N, K, VARIANCES, HYPOTHESES = 100_000, 2, 40, 500
SCALE, LOOP, CHOICE = 0.2, 0.8, 1.0  # shares
DELTA_SCALE, DELTA_MEANS = 0.2, 0.3
BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def decoder(half: Handle, *, most: int) -> Handle:
    """Variances from index pairs of the half in dyadic bins, then means in bins as wide as each listed variance."""
    bins = stub(Record("dyadic bins"))
    pairs = dp.transform("pairs", half)
    mechanism = dp.stable_histogram(share=SCALE, delta_fraction=DELTA_SCALE)
    scales = dp.release("scales", mechanism, dp.transform("cells", pairs, bins, levels=1))
    variances = stub(ListOf(Record("variance"), most), scales)

    def means(variance: Handle, rows: Handle) -> Handle:
        bins = stub(Record("bins"), variance)
        histogram = dp.stable_histogram(share=1.0, delta_fraction=DELTA_MEANS)
        return dp.release("means", histogram, dp.transform("cells", rows, bins, levels=1))

    return dp.for_each("decode", variances, means, half, share=LOOP, max_length=most)


def learn_mixture(x: Handle, *, most: int = VARIANCES) -> Handle:
    first, second = dp.transform("split", x, count=2, name="halves")
    listed = decoder(first, most=most)
    hypotheses = stub(ListOf(Mixture(K, 1), HYPOTHESES), listed)
    bars = stub(Array((HYPOTHESES, HYPOTHESES)), hypotheses)
    scores = dp.transform("contest_scores", second, hypotheses, bars, size=HYPOTHESES, n=N // 2)
    return dp.release("choice", dp.exponential_mechanism(share=CHOICE), scores)


def plan(most: int = VARIANCES) -> Plan:
    return planned(lambda x: learn_mixture(x, most=most), d=1, n=N, budget=BUDGET)


def test_total_is_the_hand_computation() -> None:
    """The larger of the halves: decoding (two histograms, δ's added) and selection (one bounded range)."""
    made = plan()
    f = made.factor
    selection = rho_selection(math.sqrt(8 * CHOICE * f))
    decoding = rho_gauss(math.sqrt(2 * SCALE * f)) + rho_gauss(math.sqrt(2 * LOOP * f))
    assert made.loss.rho == pytest.approx(max(selection, decoding), rel=1e-9)
    assert made.loss.delta == pytest.approx((DELTA_SCALE + DELTA_MEANS) * 1e-6, rel=1e-12)
    assert (SCALE + LOOP) * f == pytest.approx(decoding, rel=1e-9)


def test_halves_are_not_composed() -> None:
    """Decoding twice, once on each half, costs what decoding once costs: ε, not ε/2 each."""

    def both(x: Handle) -> dict[str, Handle]:
        first, second = dp.transform("split", x, count=2, name="halves")
        with_one = decoder(first, most=VARIANCES)
        mechanism = dp.stable_histogram(share=SCALE + LOOP, delta_fraction=0.1)
        cells = dp.transform("cells", second, stub(Record("bins")), levels=1)
        return {"one": with_one, "two": dp.release("two", mechanism, cells)}

    one = planned(lambda x: decoder(dp.transform("split", x, count=2)[0], most=VARIANCES), d=1, budget=BUDGET)
    assert planned(both, d=1, budget=BUDGET).factor == pytest.approx(one.factor, rel=1e-6)


@pytest.mark.parametrize("most", [1, 40, 1_500_000])
def test_T6_the_loop_costs_its_total_whatever_the_list_may_hold(most: int) -> None:
    """The text fixes ε' for 12/(1−γ)² runs, 1.5 million at k=2, α=0.1; the reserved total does not depend on it."""
    assert plan(most).factor == plan().factor


@pytest.mark.parametrize("length", [1, 2, 7, 100])
def test_T6_the_actual_runs_add_up_to_the_total(length: int) -> None:
    """L items at (ρ/L, δ/L) never cost more than was reserved."""
    from dpframe.runtime.gate import admit

    made = plan()
    path = ("decode", "body", "means")
    weighing = made.weighings[path]
    item = admit(made, simulated=False).proposed(path, Fraction(1, length))
    loss = weighing.site.mechanism.loss(item, weighing.worst, weighing.site.domain)
    mu = math.sqrt(length * loss.mu**2)
    (worst,) = [e for e, _ in made.loss.events if isinstance(e, Worst)]
    reserved = [e.mu for core in worst.alternatives for e, _ in core if isinstance(e, Gaussian)]
    assert mu <= max(reserved)
    assert mu == pytest.approx(math.sqrt(2 * LOOP * made.factor), rel=1e-9)
    assert length * loss.delta <= DELTA_MEANS * 1e-6 * (1 + 1e-12)


def test_decoding_refuses_halves_of_filtered_rows() -> None:
    def program(x: Handle) -> Handle:
        near = dp.transform("filter_ball", x, dp.ball(centre=[0.0], radius=5.0))[0]
        return decoder(near, most=3)

    with pytest.raises(dp.PlanError, match=r"pairs_1.*before any filter"):
        planned(program, d=1, budget=BUDGET)


def test_a_fixed_noise_has_no_place_in_the_loop() -> None:
    def program(x: Handle) -> Handle:
        items = stub(ListOf(Record("item"), 3))
        return dp.for_each(
            "loop",
            items,
            lambda item, rows: dp.release("c", dp.laplace(noise_multiplier=1.0), dp.count(rows)),
            x,
            share=1.0,
            max_length=3,
        )

    with pytest.raises(dp.PlanError, match=r"loop/body/c.*takes shares"):
        planned(program, d=1, budget=BUDGET)

"""Releases that say more than their noise allows: lists, failures, branches, orders, blocks; judged as audits are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.block_models import Agreement, SelectBlock
from dpframe.kernel.families.mixture_mask import MixtureMask
from dpframe.kernel.operations import Batch, Exact
from dpframe.kernel.registry import learner
from dpframe.kernel.transforms.clip_ball import ClipBall
from dpframe.kernel.transforms.pairs import Pairs
from dpframe.proof.spaces import BallValue, Within
from dpframe.proof.theorems import truncated_laplace_bound
from dpframe.runtime.blocks import run_isolated
from dpframe.testing.audit import mask_cases
from dpframe.testing.audit.audits import calibrate_to
from dpframe.testing.audit.worst_cases import cases
from tests.kernel.queries.test_blocks import block
from tests.mutants.audit import DELTA, SIZE, Claim, Floats, caught, columns, gdp, lap, noise, normal, of
from tests.mutants.base import table

__all__ = ["MUTANTS", "caught"]
MISSING = -50.0


# --------------------------------------------------------------------- what is released besides numbers


def list_length(*, dropped: bool) -> Claim:
    """Noisy counts of three public bins; a bin that is empty is left out of the list, or kept."""

    def sample(counts: list[int]) -> Floats:
        noisy = [c + lap(f"list {counts} {i}", 1.0) for i, c in enumerate(counts)]
        kept = [c > 0 or not dropped for c in counts]
        return columns(*noisy[:1], np.full(SIZE, sum(kept)))

    return Claim(sample([3, 1, 0]), sample([3, 0, 0]), 1.0)


def failure(*, raised: bool) -> Claim:
    """A mean whose run breaks when a row can't be mapped, against one where such a row is empty."""

    def sample(bad: bool) -> Floats:
        rows = np.array([[1.0], [np.inf if bad else 0.0]])
        valid = np.isfinite(rows).all(axis=1)
        if raised and not valid.all():
            return columns(np.full(SIZE, MISSING), np.ones(SIZE))
        clipped = ClipBall(bits=20).apply(
            Batch(0, np.where(valid[:, None], rows, 0.0), valid), BallValue(np.zeros(1), 1.0)
        )
        total = float(clipped.values.sum()) * 2.0**-20
        return columns(total + normal(f"failure {bad}", 2.0), np.zeros(SIZE))

    return Claim(sample(False), sample(True), gdp(1.0), DELTA)


def branch(*, exact: bool) -> Claim:
    """Which branch ran: by a count, or by a noisy one."""

    def sample(count: int) -> Floats:
        test = count + (0.0 if exact else lap(f"branch {count}", 1.0))
        ran = np.broadcast_to(np.asarray(test) >= 10, (SIZE,))
        return columns(ran, np.where(ran, 1.0, 2.0) + 0.1 * lap(f"after {count}", 1.0))

    return Claim(sample(10), sample(9), 1.0)


def clip_radius(*, of_the_data: bool) -> Claim:
    """A sum clipped, and its noise scaled, by the largest row, or by a public bound."""

    def sample(largest: float) -> Floats:
        radius = largest if of_the_data else 1.0
        total = min(largest, radius)
        return (total + normal(f"radius {largest}", 2.0 * radius)).reshape(-1, 1)

    return Claim(sample(1.0), sample(1000.0), gdp(1.0), DELTA)


def advice(*, of_distances: bool) -> Claim:
    """A run that failed its test says how many blocks agreed, or what the noisy test value was."""
    t = 12

    def sample(agreeing: int) -> Floats:
        blocks = [block([0.0, 0.0])] * agreeing + [block([9.0 * i, 9.0]) for i in range(t - agreeing)]
        exact = Agreement(r=1.0, d=2).evaluate(Exact(blocks))
        share = float(exact.integers[0] * exact.step)
        told = share if of_distances else share + lap(f"advice {agreeing}", 2.0 / t)
        return columns(np.broadcast_to(told, (SIZE,)))

    return Claim(sample(4), sample(5), 1.0)


# ------------------------------------------------------------------------------------ pairs, parts, blocks


def pairs(*, after_filter: bool) -> Claim:
    """Σ of pair differences of 200 rows, one of which leaves: every later pair is another."""
    n = 200

    def sample(removed: bool) -> Floats:
        rows = np.where(np.arange(n) % 2 == 0, 0.7, -0.7)
        valid = np.ones(n, dtype=np.bool_)
        valid[0] = not removed
        groups = np.arange(n).reshape(-1, 2)
        if after_filter:
            kept = np.flatnonzero(valid)
            groups = kept[: len(kept) // 2 * 2].reshape(-1, 2)
        made = Pairs().combine(Batch(0, rows[groups][:, :, None], valid[groups]))
        total = float(np.clip(made.values[made.valid], -1, 1).sum())
        return (total + normal(f"pairs {removed}", 2.0)).reshape(-1, 1)

    return Claim(sample(False), sample(True), gdp(1.0), DELTA)


def parallel(scale: float) -> Claim:
    """Counts of two parts by a rule, sold at ε = 1 together; the replaced row leaves one and enters the other."""

    def sample(left: int) -> Floats:
        both = left + lap(f"left {left}", scale), 10 - left + lap(f"right {left}", scale)
        return columns(*both, both[0] - both[1])

    return Claim(sample(5), sample(6), 1.0)


@learner("mutant.mean")
def mean(rows: Any, generator: Any) -> Any:
    """The mean of a block."""
    return (rows.mean(axis=0),)


def learned(*, warm: bool) -> Claim:
    """Σ of 12 block means in [−1, 1], each block alone or started where the last one ended; noise for one block."""
    t = 12

    def sample(first: float) -> Floats:
        blocks = [np.full((3, 1), first if i == 0 else 0.0) for i in range(t)]
        if warm:
            state, values = 0.0, []
            for rows in blocks:
                state = state if rows.mean() == 0 else float(rows.mean())
                values.append(state)
        else:
            values = [float(r[0][0]) for r in run_isolated("mutant.mean", 1, list(enumerate(blocks)))]
        total = float(np.clip(values, -1, 1).sum())
        return (total + normal(f"learned {first}", 2.0)).reshape(-1, 1)

    return Claim(sample(1.0), sample(-1.0), gdp(1.0), DELTA)


def order(*, permuted: bool) -> Claim:
    """Two components of a masked block in the block's own order, or in a random one."""
    radius = 0.5

    def sample(swapped: bool) -> Floats:
        centres = np.array([10.0, -10.0 + radius] if swapped else [-10.0, 10.0])
        noisy = centres + np.column_stack([normal(f"order {swapped} {i}", radius) for i in range(2)])
        turn = np.random.default_rng(int(swapped)).random(SIZE) < 0.5 if permuted else np.zeros(SIZE, dtype=np.bool_)
        noisy[turn] = noisy[turn][:, ::-1]
        return columns(noisy, noisy.sum(axis=1))

    return Claim(sample(False), sample(True), gdp(2.0**0.5), DELTA)


def masked(share: float) -> Claim:
    """``mixture_mask`` on its worst pair at distance γ, calibrated and sold for ``share`` of γ."""
    worst = next(case for case in cases("mixture_mask") if case.name.startswith("all moved: 2"))
    sold = attrs.evolve(worst, metrics=(Within("component", share * mask_cases.GAMMA),))
    mechanism = MixtureMask(share=1.0)
    calibration = calibrate_to(mechanism, sold, 1.0, DELTA)

    def sample(exact: Exact, name: str) -> Floats:
        return worst.sample(mechanism, exact, calibration, worst.domain, noise(f"mask {name}"), 2 * SIZE)

    return Claim(sample(worst.first, "first"), sample(worst.second, "second"), 1.0, DELTA)


def populous(*, lower_threshold: bool) -> Claim:
    """The test of Arbas23 on 40 blocks in two clusters, with its threshold θ₀ + A or without A: (ε, δ) and a mask."""
    t, r, epsilon = 40, 1.0, 1.0
    width = truncated_laplace_bound(2 / t, epsilon, DELTA / 2)
    query = SelectBlock(r=r, d=2, theta=0.5, test_threshold=0.6, bits=12)

    def sample(first: int) -> Floats:
        blocks = [block([0.0, 0.0])] * first + [block([50.0, 0.0])] * (t - first)
        agreement = Agreement(r=r, d=2).evaluate(Exact(blocks))
        share = float(agreement.integers[0] * agreement.step)
        selected = query.evaluate(Exact(blocks), None)
        chosen = float(selected.integers[0] * selected.step)
        noisy = lap(f"test {first}", 2 / t / epsilon, 2 * SIZE)
        noisy = share + noisy[np.abs(noisy) <= width][:SIZE]
        passed = noisy >= 0.6 + (width if lower_threshold else 0.0)
        released = np.where(passed, chosen + normal(f"populous {first}", r), MISSING * 10)
        return columns(released, noisy)

    return Claim(sample(21), sample(19), epsilon + gdp(1.0, DELTA / 2), DELTA)


def pair(function: Callable[..., Claim], key: str) -> tuple[Callable[[], Claim], Callable[[], Claim]]:
    """Broken and sound by one flag."""
    return of(function, **{key: True}), of(function, **{key: False})


MUTANTS = table(
    "audit",
    ("list-length", "empty bins are left out of the list", "", *pair(list_length, "dropped")),
    ("exception", "a row decides whether the run fails", "", *pair(failure, "raised")),
    ("branch-ran", "a private count decides which branch runs", "", *pair(branch, "exact")),
    ("own-radius", "a clip radius taken from the rows", "", *pair(clip_radius, "of_the_data")),
    ("advice", "advice computed from block distances", "", *pair(advice, "of_distances")),
    ("filtered-pairs", "pairs of what a filter left", "", *pair(pairs, "after_filter"), "C3"),
    ("max-of-parts", "parts by a rule at the price of one", "", of(parallel, 1.0), of(parallel, 2.0)),
    ("warm-start", "a learner that reuses state across blocks", "", *pair(learned, "warm")),
    ("component-order", "components in the order of their block", "", *pair(order, "permuted")[::-1], "T3"),
    ("half-mask", "a mask made for half the radius", "", of(masked, 0.5), of(masked, 1.0), "T3"),
    ("populous", "a test that may pass below its threshold", "", *pair(populous, "lower_threshold")[::-1], "T4"),
)

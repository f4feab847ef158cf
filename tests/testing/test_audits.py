"""Audits: sound mechanisms stay below their claim, power is enough, broken ones are refuted.

Every audit has a false-alarm rate of at most 1e-6 (see ``dpframe.testing.estimation``).
"""

from __future__ import annotations

import json
import math

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import SpecError
from dpframe.kernel.families.registered_mask import Lift, RegisteredMask, euclidean_cost
from dpframe.kernel.families.registering import mask
from dpframe.proof.spaces import LInf
from dpframe.runtime import progress
from dpframe.testing.audit import audits, plan_audit
from dpframe.testing.audit.canaries import audit_canaries
from dpframe.testing.audit.worst_cases import cases
from dpframe.testing.estimation import lower_bounds
from dpframe.testing.limits import clopper_pearson, epsilon_bound
from tests.declared import twin
from tests.ungated import lie

MECHANISMS = (
    "gaussian", "discrete_gaussian", "laplace", "stable_histogram", "truncated_laplace_test",
    "exponential_mechanism", "permute_and_flip", "above_threshold", "registered_mask", "lift",
)  # fmt: skip
STRONG = ("gaussian", "laplace", "stable_histogram", "truncated_laplace_test")
"""The discrete Gaussian is charged zCDP, which is loose: about 0.78 of its claim is found."""


def test_clopper_pearson_against_scipy_and_its_edges():
    from scipy.stats import binomtest

    for k, n in ((0, 10), (3, 10), (10, 10), (500, 10_000)):
        low, high = clopper_pearson(k, n, 0.005)
        interval = binomtest(k, n).proportion_ci(0.99, "exact")
        assert low == pytest.approx(interval.low, abs=1e-12)
        assert high == pytest.approx(interval.high, abs=1e-12)


def test_the_bound_is_zero_where_nothing_is_shown():
    assert epsilon_bound(5, 5, (100, 100), 0.5, 1e-6) == 0
    assert epsilon_bound(100, 0, (100, 100), 1e-3, 1e-6) > 0


def test_equal_distributions_show_nothing(rng):
    for _ in range(20):
        a, b = rng.normal(size=(2, 4000, 3))
        assert all(f.epsilon < 0.3 for f in lower_bounds(a, b, [1e-2, 1e-3]))


def test_a_known_ratio_is_found_from_below(rng):
    """Randomised response with ε = 1: the bound must lie below 1 (false alarm 1e-6) and near it."""
    p = math.e / (1 + math.e)
    a, b = rng.random((200_000, 1)) < p, rng.random((200_000, 1)) < 1 - p
    (found,) = lower_bounds(a.astype(float), b.astype(float), [1e-3])
    assert 0.9 < found.epsilon <= 1


@pytest.mark.parametrize("name", MECHANISMS)
def test_no_sound_mechanism_is_refuted(name):
    findings = audits.audit_mechanism(name, samples=40_000)
    assert findings
    assert not any(f.refuted for f in findings)
    assert all(0.999 < f.claimed <= 1 for f in findings)


@pytest.mark.slow
@pytest.mark.parametrize("name", STRONG)
def test_the_found_epsilon_is_most_of_the_claimed_one(name):
    for f in audits.audit_mechanism(name):
        assert f.found >= 0.85 * f.claimed, f
        assert not f.refuted


@twin("test.halved_gaussian", like="gaussian")
@attrs.frozen
class HalvedGaussian(type(dp.gaussian(share=1.0))):
    """Half the noise that is priced."""

    def release(self, exact, calibration, domain, source):
        """Cheat."""
        return super().release(exact, {"sigma": calibration["sigma"] / 2}, domain, source)


@twin("test.low_threshold", like="stable_histogram")
@attrs.frozen
class LowThreshold(type(dp.stable_histogram(share=1.0, delta_fraction=0.5))):
    """A threshold too low by b·ln 2."""

    def release(self, exact, calibration, domain, source):
        """Cheat."""
        return super().release(exact, {**calibration, "delta": 2 * calibration["delta"]}, domain, source)


@twin("test.short_test", like="truncated_laplace_test")
@attrs.frozen
class ShortTest(type(dp.truncated_laplace_test(share=1.0, threshold=0.0, delta_fraction=0.5))):
    """Cut at half the width."""

    def release_many(self, exact, calibration, domain, source, times):
        """Cheat."""
        short = {**calibration, "half_width": calibration["half_width"] / 2}
        return super().release_many(exact, short, domain, source, times)


@pytest.mark.parametrize(
    ("mechanism", "case"),
    [
        (HalvedGaussian(share=1.0), cases("gaussian")[0]),
        (LowThreshold(share=1.0, delta_fraction=0.9, noise="laplace"), cases("stable_histogram")[1]),
        (ShortTest(share=1.0, threshold=0.0, delta_fraction=0.9), cases("truncated_laplace_test")[0]),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_broken_twins_are_refuted(mechanism, case):
    findings = audits.audit_case(mechanism, case, samples=400_000, deltas=(1e-2,))
    assert any(f.refuted for f in findings), findings


@mask("test.quarter", semimetric="euclidean", cost=euclidean_cost)
def a_quarter_of_the_noise(value, noise, normals):
    """A mask that asserts the price of four times its noise."""
    return value + noise / 4 * normals(len(value))


def test_a_registered_mask_that_asserts_too_little_is_refuted():
    made = RegisteredMask(mask="test.quarter", semimetric="euclidean", r=1.0, share=1.0)
    assert all(f.refuted for f in audits.audit_case(made, cases("registered_mask")[0], samples=4000, deltas=(1e-2,)))


def test_a_lift_that_asserts_too_little_is_refuted():
    made = Lift(mask="test.quarter", semimetric="euclidean", r=1.0, k=2, share=1.0)
    assert all(f.refuted for f in audits.audit_case(made, cases("lift")[0], samples=4000, deltas=(1e-2,)))


def test_a_claim_without_the_replace_factor_is_refuted():
    case = attrs.evolve(cases("exponential_mechanism")[0], metrics=(LInf(0.5),))
    assert any(f.refuted for f in audits.audit_case(dp.exponential_mechanism(share=1.0), case, samples=200_000))


def test_the_command_prints_a_table_or_json(capsys):
    monkey = {"samples": 20_000}
    findings = audits.audit_mechanism("laplace", **monkey)
    assert "claimed" in audits.table(findings)
    assert json.loads(json.dumps([f.to_json() for f in findings]))[0]["refuted"] is False


def test_findings_are_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    audits.draw(audits.audit_mechanism("laplace", samples=20_000), tmp_path / "audit.png")
    assert (tmp_path / "audit.png").stat().st_size > 1000


@pytest.mark.parametrize("name", ["count", "nonsense"])
def test_what_can_not_be_audited_is_named(name):
    with pytest.raises(SpecError):
        audits.audit_mechanism(name)


@dp.program
def summed(x):
    """One sum."""
    return dp.release("sum", dp.gaussian(share=1.0), dp.sum(dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=10.0))))


def test_a_whole_plan_is_attacked_on_neighbouring_tables():
    plan = dp.plan(
        summed, x=dp.rows(n=50, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=12.0, delta=1e-2)
    )
    finding = plan_audit.audit_plan(plan, *plan_audit.crafted(50, 2, 10.0), runs=400, delta=1e-2, seconds=20)
    assert 0.3 < finding.found <= finding.claimed


def test_a_plan_that_lies_about_its_noise_is_refuted(monkeypatch):
    honest = dp.plan(
        summed, x=dp.rows(n=50, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=8.0, delta=1e-2)
    )
    lying = dp.plan(
        summed, x=dp.rows(n=50, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=0.5, delta=1e-2)
    )
    lie(monkeypatch, honest.calibrations)
    finding = plan_audit.audit_plan(lying, *plan_audit.crafted(50, 2, 10.0), runs=400, delta=1e-2, seconds=20)
    assert finding.refuted


@pytest.mark.parametrize("watched", [False, True])
def test_who_watches_is_told_how_many_runs_are_made_and_how_far_they_are(monkeypatch, capsys, watched):
    plan = dp.plan(summed, x=dp.rows(n=50, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=0.1, delta=1e-2))
    first, second = plan_audit.crafted(50, 2, 10.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: watched, raising=False)
    monkeypatch.setattr(progress, "AFTER", 0.0)
    plan_audit.audit_plan(plan, first, second, runs=12, delta=1e-2, seconds=7, what="spec summed")
    audit_canaries(plan, first, delta=1e-2, runs=40, seconds=7, what="spec summed")
    audits.audit_mechanism("laplace", samples=20)
    told = capsys.readouterr().err
    for line in (
        "spec summed on two neighbouring tables: up to 12 simulated runs, begun within 7 s (10 at least) each",
        "table 1 of 2, run 1 ",
        "spec summed on your table, with a canary and without: up to 40 simulated runs",
        "canary 1 of 4, table 1 of 2",
        "up to 20 releases on each",
    ):
        assert (line in told) == watched
    assert watched or not told


def test_a_plan_in_which_nothing_was_found_says_why_that_is_expected():
    plan = dp.plan(summed, x=dp.rows(n=50, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=0.1, delta=1e-2))
    for runs, most in ((20, "nothing at all"), (400, "epsilon=")):
        found = plan_audit.audit_plan(plan, *plan_audit.crafted(50, 2, 10.0), runs=runs, delta=1e-2, seconds=20)
        assert found.found == 0
        assert most in found.note
        assert audits.table([found, found]).count(f"{runs} runs on a table can show") == 1
    same = plan_audit.finding(
        plan, *[plan_audit.replay(plan, {"x": np.zeros((50, 2))}, runs=2, seed=1, seconds=1)] * 2, delta=1e-2
    )
    assert same.found == 0
    assert same.note


def test_events_are_told_in_the_plans_words():
    names = [f"n{i}" for i in range(12)]
    assert plan_audit.named("reversed: minus feature 11 >= 0.5", names) == "reversed: minus n11 >= 0.5"
    assert plan_audit.named("likelihood ratio of feature 1 >= 2", names) == "likelihood ratio of n1 >= 2"


def test_columns_that_tell_are_kept_once(rng):
    base = rng.normal(size=(400, 1))
    first = np.hstack([base, base, np.zeros((400, 2)), rng.normal(size=(400, 1))])
    second = np.hstack([base + 1, base + 1, np.zeros((400, 1)), np.ones((400, 1)), rng.normal(size=(400, 1))])
    assert plan_audit.telling(first, second) == [0, 3, 4]
    assert plan_audit.telling(first, second, most=2) == [0, 3]
    absent = np.where(rng.random((400, 1)) < 0.5, -np.inf, 1.0)
    assert plan_audit.telling(np.ones((400, 1)), absent) == [0]


def test_an_audit_of_an_operation_takes_no_cluster():
    with pytest.raises(SpecError, match="reads no table"):
        audits.audit("gaussian", on="tcp://127.0.0.1:1")

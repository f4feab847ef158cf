"""The mixture learner's refusals and certificates, and a decoder of yours."""

from __future__ import annotations

import copy
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DpframeError
from dpframe.front.specs import load_spec
from dpframe.kernel.post_processing import Post
from dpframe.proof.checker import verify
from dpframe.proof.spaces import Gaussian, GaussianValue, ListOf
from dpframe.testing.audit.plan_audit import small_spec
from tests.plugins.aal21.mixtures import CORRELATED, TWO, correlated, drawn, error


@pytest.mark.parametrize("spec", ["aal21_univariate", "aal21_axis_aligned", "aal21_known_covariance"])
@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"adjacency": "add_remove"}, "replace_one"),
        ({"bound": 10.0}, "unknown key 'bound'"),
        ({"n": 1000, "mode": "fast"}, "mode"),
        ({"n": 1000, "alpha": 2.0}, "alpha"),
        ({"n": 1000, "max_hypotheses": 3}, "max_hypotheses"),
        ({"n": 1000, "rho": 0.1}, "δ"),
    ],
)
def test_what_else_is_asked_for_is_refused_before_planning(spec: str, keys: Any, said: str) -> None:
    more = {"sigma": 1.0} if spec == "aal21_known_covariance" else {}
    with pytest.raises(DpframeError, match=said):
        load_spec(spec, {"k": 2, "d": 1, **more, **keys}).plan()


@pytest.mark.parametrize(
    ("spec", "keys", "said"),
    [("aal21_univariate", {"d": 2}, "d = 1"), ("aal21_axis_aligned", {"d": 11}, "at most 10 columns")],
)
def test_widths_are_checked(spec: str, keys: Any, said: str) -> None:
    with pytest.raises(DpframeError, match=said):
        load_spec(spec, {"k": 2, "n": 1000, **keys}).plan()


@pytest.mark.parametrize("spec", ["aal21_univariate", "aal21_axis_aligned"])
def test_an_audit_finds_small_values_for_the_spec(spec: str) -> None:
    assert small_spec(spec).plan().spent["delta"] == 0.01


def test_the_plan_warns_of_few_rows() -> None:
    few = load_spec("aal21_univariate", {"k": 3, "n": 300, "alpha": 0.1}).plan()
    assert any("few for alpha" in warning for warning in few.warnings)
    enough = load_spec("aal21_univariate", {"k": 3, "n": 30_000, "alpha": 0.1}).plan()
    assert not enough.warnings


@pytest.fixture(scope="module")
def certificates() -> list[Any]:
    """Real runs of the three specs, on few rows."""
    made = []
    for spec, rows, more in (
        ("aal21_univariate", drawn(TWO, 4000, 12), {}),
        ("aal21_axis_aligned", np.repeat(drawn(TWO, 4000, 12), 2, axis=1), {}),
        ("aal21_known_covariance", correlated(4000, 12), {"covariance": CORRELATED.tolist()}),
    ):
        width = {} if spec == "aal21_univariate" else {"d": rows.shape[1]}
        made.append(load_spec(spec, {"k": 1, "n": 4000, **width, **more}).plan().run(x=rows).certificate)
    return made


@pytest.mark.parametrize("which", range(3))
def test_a_certificate_of_each_spec_is_verified(certificates: Any, which: int) -> None:
    verdict = verify(certificates[which])
    assert verdict.verified, verdict.reasons


def forged(document: Any, operation: str, change: Any) -> Any:
    changed = copy.deepcopy(document)
    change(next(n for n in changed["graph"]["nodes"] if n["operation"] == operation))
    return changed


def calibration(name: str, factor: float) -> Any:
    def change(node: Any) -> None:
        node["mechanism"]["calibration"][name] *= factor

    return change


def claim(name: str, value: Any) -> Any:
    def change(node: Any) -> None:
        node["theorem_inputs"][name] = value

    return change


@pytest.mark.parametrize(
    ("operation", "change"),
    [
        ("gaussian", calibration("sigma", 0.9)),
        ("stable_histogram", calibration("scale", 0.9)),
        ("stable_histogram", calibration("delta", 0.5)),
        ("exponential_mechanism", calibration("rate", 1.1)),
        ("column_cells", claim("histograms", 1)),
        ("product_counts", claim("histograms", 0)),
    ],
)
@pytest.mark.parametrize("which", range(3))
def test_an_edited_certificate_is_not(certificates: Any, which: int, operation: str, change: Any) -> None:
    assert not verify(forged(certificates[which], operation, change)).verified


# --------------------------------------------------------------------------------- a decoder of yours


@dp.composite("test.two_guesses")
def two_guesses(
    x: Any, *, rows: int, share: float, seed: int, alpha: float, gamma: float, delta_fraction: float
) -> Any:
    """A decoder that looks at no row: the interface is a registered composite and its list's domain."""
    return dp.post("test.guesses", name="list")


@dp.register("test.guesses")
@attrs.frozen
class Guesses(Post):
    """N(0, 1) and N(6, 9)."""

    def output(self, *inputs: Any) -> Any:
        return ListOf(Gaussian(1), 2)

    def apply(self, *values: Any) -> Any:
        return [GaussianValue(np.array([m]), np.array([[v]])) for m, v in ((0.0, 1.0), (6.0, 9.0))]


def test_the_reduction_takes_a_decoder_of_yours() -> None:
    @dp.program
    def program(x: Any) -> Any:
        recipe = dp.recipe("aal21.mixture_from_list_decoder", decoder="test.two_guesses", k=2, alpha=1.0)
        return dp.apply("mixture", recipe, x)

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    plan = dp.plan(program, x=dp.rows(d=1, n=40_000), adjacency=dp.REPLACE_ONE, budget=budget)
    assert error(plan.run(x=drawn(TWO, 40_000, 13), simulate=13), TWO) <= 0.05

"""Operations of one's own: what the kernel enforces, what it refuses, what a certificate holds of them."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe import plugin
from dpframe.cli.vetting import recomputed
from dpframe.errors import CertificateError, DpframeError, PlanError, SpecError
from dpframe.kernel import registry
from dpframe.kernel.foreign import array_of
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Batch, Exact
from dpframe.kernel.origins import digest_of
from dpframe.kernel.own.base import find_own
from dpframe.kernel.own.claims import on_lattice, seen_as_floats
from dpframe.kernel.own.rows import to_cross
from dpframe.kernel.own.sampler import Sampler
from dpframe.planning.certificate import certificate
from dpframe.proof.checker import verify
from dpframe.proof.spaces import ADD, L1, L2, REMOVE, REPLACE_ONE, Edits, LInf, Rows, Vector
from dpframe.proof.theorems import THEOREMS
from dpframe.runtime.gate import admit

PLUGINS = Path(__file__).parents[2] / "plugins"
BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
registry.import_file(PLUGINS / "own/everything.py")
registry.import_file(PLUGINS / "own/noisy_max.py")


def planned(function: Callable[..., Any], *, adjacency: Any = REPLACE_ONE, allow: bool = True, d: int = 2) -> Any:
    n = 1000 if adjacency != "add_remove" else None
    return dp.plan(function, x=dp.rows(n=n, d=d), adjacency=adjacency, budget=BUDGET, allow_asserted=allow)


def best(x: Any) -> Any:
    return dp.release("best", dp.recipe("noisy_max.most_common", levels=[0.0, 1.0, 2.0]), x)


def test_an_enforced_statistic_needs_no_leave() -> None:
    plan = planned(lambda x: dp.release("sums", dp.gaussian(share=1.0), dp.own("every.sums", x)), allow=False)
    verdict = verify(proof(plan))
    assert verdict.verified
    assert verdict.assertions == 1


def test_an_asserted_operation_plans_only_where_that_is_allowed() -> None:
    with pytest.raises(PlanError, match=r"asserted by its plugin.*allow_asserted"):
        planned(best, allow=False)
    result = planned(best, d=1).run(np.random.default_rng(0).normal(1.0, 0.1, (1000, 1)), simulate=1)
    assert result["best"] == 1
    verdict = verify(proof(planned(best)))
    assert (verdict.verified, verdict.assertions) == (True, 2)


def test_the_gate_asks_for_leave_itself() -> None:
    plan = attrs.evolve(planned(best), allow_asserted=False)
    with pytest.raises(CertificateError, match="does not allow"):
        admit(plan, simulated=False)


def proof(plan: Any) -> dict[str, Any]:
    return dict(certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released"))


def released(x: Any) -> Any:
    return dp.release("out", dp.own("every.replaced", noise_multiplier=1.0), dp.all_rows(x))


PLACES: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "under add/remove": (released, "add_remove"),
    "of two rows": (released, Edits(2, 2)),
    "in a part of its own rule": (lambda x: released(dp.own("every.signs", x)[0]), REPLACE_ONE),
    "after a filter": (lambda x: released(dp.filter_ball(x, dp.ball(centre=[0.0, 0.0], radius=1.0))[0]), REPLACE_ONE),
    "a statistic in a part": (
        lambda x: dp.release("out", dp.laplace(share=1.0), dp.own("every.rows", dp.own("every.signs", x)[1])),
        REPLACE_ONE,
    ),
    "a statistic under add/remove": (
        lambda x: dp.release("out", dp.laplace(share=1.0), dp.own("every.rows", x)),
        "add_remove",
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_what_is_proved_for_one_replaced_row_only_is_refused(place: str) -> None:
    function, adjacency = PLACES[place]
    with pytest.raises(PlanError, match="proved for 1 out, 1 in only"):
        planned(function, adjacency=adjacency)


def test_it_is_taken_for_one_replaced_row() -> None:
    assert planned(released).verdict.holds
    halves = planned(lambda x: released(dp.split(x, count=2)[0]))  # parts by index keep a replaced row in its part
    assert halves.verdict.holds


def test_an_asserted_loss_is_refused_in_a_loop() -> None:
    def looped(x: Any) -> Any:
        balls = dp.post("test.balls", dp.release("n", dp.laplace(share=1.0), dp.count(x)))

        def body(item: Any, rows: Any) -> Any:
            return dp.release("c", dp.own("every.laplace", m=1, share=1.0), dp.count(rows))

        return dp.for_each("loop", balls, body, x, share=1.0, max_length=4)

    import tests.planning.examples  # noqa: F401  test.balls

    with pytest.raises(PlanError, match="outside for_each"):
        planned(looped)


def test_a_claim_that_does_not_fit_its_input_is_refused() -> None:
    with pytest.raises(PlanError, match=r"edits distance.*dp.all_rows"):
        planned(lambda x: dp.release("out", dp.own("every.replaced", noise_multiplier=1.0), dp.count(x)))


# ------------------------------------------------------------------------------------- what is enforced


@pytest.mark.parametrize("norm", ["l1", "l2", "linf"])
@pytest.mark.parametrize("nonnegative", [False, True])
def test_contributions_are_clipped_whatever_the_function_says(norm: str, nonnegative: bool, rng: Any) -> None:
    """The worst of extreme rows against the theorem, in integers; nothing less than it would do."""
    name = f"test.lies_{norm}_{nonnegative}"
    plugin.own_contribution(name, gives=3, norm=norm, bound=2.5, nonnegative=nonnegative, bits=10)(_lies)
    operation: Any = registry.build(name, {})
    points = np.vstack([np.eye(3) * 1e300, -np.eye(3), rng.standard_normal((30, 3)) * 1e3, np.full((1, 3), 1e-5)])

    def total(rows: Any) -> list[Fraction]:
        fold = operation.start(Rows(3))
        operation.update(fold, Batch(0, rows, np.ones(len(rows), dtype=np.bool_)))
        exact = operation.value(fold)
        return [int(v) * exact.step for v in exact.integers]

    each = [total(p[None]) for p in points]
    for edits, pairs in {
        REPLACE_ONE: [(a, b) for a in each for b in each],
        REMOVE: [(a, [Fraction(0)] * 3) for a in each],
    }.items():
        moved = [[x - y for x, y in zip(a, b, strict=True)] for a, b in pairs]
        sizes: dict[Any, Any] = {
            L1: max(sum(map(abs, m)) for m in moved),
            L2: max(float(sum(v * v for v in m)) ** 0.5 for m in moved),
            LInf: max(max(map(abs, m)) for m in moved),
        }
        for metric in operation.derived((Rows(3),), ((edits,),)):
            assert sizes[type(metric)] <= metric.bound * (1 + 1e-12)
        own = {"l1": L1, "l2": L2, "linf": LInf}[norm]
        (bound,) = [m.bound for m in operation.derived((Rows(3),), ((edits,),)) if type(m) is own]
        assert float(sizes[own]) > 0.98 * bound * (0.7 if nonnegative and norm == "l2" else 1.0)


def _lies(rows: Any) -> Any:
    """What it says of itself is not asked."""
    return rows * 7.0


def test_an_error_empties_its_own_row_only() -> None:
    def fails(rows: Any) -> Any:
        """Raises on a row above 5."""
        if (rows > 5).any():
            raise ValueError(str(rows))
        return rows

    plugin.own_contribution("test.fails", gives=1, norm="l2", bound=10.0, bits=10)(fails)
    operation: Any = registry.build("test.fails", {})
    fold = operation.start(Rows(1))
    operation.update(fold, Batch(0, np.array([[1.0], [7.0], [2.0]]), np.array([True, True, True])))
    assert abs(float(operation.value(fold).floats[0]) - 3.0) < 0.03


def test_rows_of_the_cross_polytope_are_the_same_in_every_batch(rng: Any) -> None:
    rows = rng.standard_normal((40, 5)) * 10.0 ** rng.integers(-300, 300, (40, 1))
    valid = np.ones(40, dtype=np.bool_)
    whole = to_cross(rows, valid, 1e10, 12)
    assert (np.abs(whole).sum(axis=1) <= 2**12).all()
    assert np.abs(whole).sum(axis=1).max() >= 2**12 - 6
    for i in range(40):
        assert (to_cross(rows[i : i + 1], valid[:1], 1e10, 12)[0] == whole[i]).all()


def test_rounding_widens_what_is_claimed() -> None:
    told = {"gives": '{"type": "vector", "d": 4}', "bits": 3, "claims": (L1(1.0), L2(1.0), LInf(1.0))}
    l1, l2, linf = THEOREMS["own_statistic"].rule(told, ((ADD,),))
    assert l1.bound == pytest.approx(1.5)
    assert l2.bound == pytest.approx(1.25)
    assert linf.bound == pytest.approx(1.125)
    assert THEOREMS["own_statistic"].rule({**told, "bits": 0}, ((ADD,),)) == (L1(1.0), L2(1.0), LInf(1.0))


def test_a_release_outside_its_domain_is_zero() -> None:
    plugin.own_mechanism("test.outside", gives=2, takes="l1", loss=lambda scale, l1: l1 / scale, source="-")(_outside)
    operation: Any = registry.build("test.outside", {"share": 1.0})
    made = operation.release(Exact(np.array([1, 2])), {"scale": 1.0}, Vector(2), SeededSource(0))
    assert made.tolist() == [0.0, 0.0]


def _outside(value: Any, scale: float, noise: Any) -> Any:
    """Floats where whole steps are asked for."""
    return value + 0.5


def test_exponential_noise_is_exact() -> None:
    """P(G = 0) and P(G >= 3) of 20,000 draws, each within 5.5 standard errors (1e-7)."""
    draws = Sampler(SeededSource(5)).geometric(2.0, 20_000)
    q = np.exp(-0.5)
    for found, wanted in (((draws == 0).mean(), 1 - q), ((draws >= 3).mean(), q**3)):
        assert abs(found - wanted) < 5.5 * (wanted * (1 - wanted) / 20_000) ** 0.5


# ----------------------------------------------------------------------------------- names and digests


def test_no_name_is_taken_from_the_kernel_or_another() -> None:
    for name in ("gaussian", "own_mechanism", "every.noisy_count", "practical.update", "histogram"):
        with pytest.raises(SpecError, match=r"has the name of another|registered twice"):
            plugin.own_transform(name, columns=1)(_lies)
    with pytest.raises(SpecError, match="has the name of something else"):
        dp.composite("every.total")(_lies)


def test_a_function_of_no_file_is_refused() -> None:
    space: dict[str, Any] = {}
    exec("def f(rows):\n    'doc'\n    return rows", space)
    with pytest.raises(SpecError, match="stands in a file"):
        plugin.own_transform("test.nowhere", columns=1)(space["f"])


def test_the_digest_covers_every_file_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "plugin"
    shutil.copytree(PLUGINS / "own", folder, ignore=shutil.ignore_patterns("__pycache__"))
    digests = {digest_of(folder)}
    for change in (
        lambda: (folder / "table.csv").write_text("1"),
        lambda: (folder / "table.csv").write_text("2"),
        lambda: (folder / "table.csv").rename(folder / "other.csv"),
        lambda: (folder / "deep").mkdir() or (folder / "deep/x").write_text(""),
    ):
        change()
        digests.add(digest_of(folder))
    assert len(digests) == 5
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__/x.pyc").write_text("x")
    assert digest_of(folder) in digests
    (folder / "link").symlink_to(tmp_path)
    with pytest.raises(SpecError, match="link to another folder"):
        digest_of(folder)


CHANGES: dict[str, dict[str, Any]] = {
    "another plugin": {"plugin": "0" * 64},
    "a smaller bound": {"bound": 0.5},
    "no negative parts": {"nonnegative": True},
    "other settings": {"settings": '{"p": 3}'},
    "another name": {"of": "every.total"},
    "no such name": {"of": "every.nothing"},
    "settings that are none": {"settings": "x"},
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_operation_is_what_its_plugin_declares(change: str) -> None:
    """What a certificate names is built from these fields, so none of them may be another's."""
    fields = registry.build("every.sums", {"p": 2}).parameters()
    assert registry.build("own_contribution", fields).parameters() == fields
    with pytest.raises(DpframeError):
        registry.build("own_contribution", {**fields, **CHANGES[change]})


def test_an_operation_is_of_the_kind_that_its_plugin_declares() -> None:
    """A plugin's statistic is not run as its query, whatever else the fields say."""
    fields = registry.build("every.distinct", {}).parameters()
    assert registry.build("own_statistic", fields).parameters() == fields
    with pytest.raises(DpframeError, match="is a statistic of a plugin's own, not own_query"):
        registry.build("own_query", fields)


def test_a_plugin_recomputes_its_word_and_a_changed_one_is_found() -> None:
    made = proof(planned(best))
    folder = [str(PLUGINS / "own")]
    reasons, notes = recomputed(made, folder)
    assert not reasons
    assert "recomputed" in notes[0]
    assert "taken at its word" in recomputed(made, [])[1][0]
    (node,) = [n for n in made["graph"]["nodes"] if n["operation"] == "own_mechanism"]
    node["mechanism"]["calibration"]["scale"] /= 8
    assert verify(made).verified, "the loss is the plugin's word"
    assert "another loss" in recomputed(made, folder)[0][0]


def test_a_changed_level_or_a_dropped_hypothesis_is_rejected() -> None:
    made = proof(planned(best))
    (node,) = [n for n in made["graph"]["nodes"] if n["operation"] == "own_mechanism"]
    for change in ({"level": "enforced"}, {"hypotheses": []}, {"theorem": "laplace_mechanism"}):
        other = {**made, "graph": {**made["graph"]}}
        other["graph"]["nodes"] = [{**n, **change} if n is node else n for n in made["graph"]["nodes"]]
        assert not verify(other).verified
    assert not verify({**made, "hypotheses": made["hypotheses"][1:]}).verified


def test_further_hypotheses_are_counted() -> None:
    plan = planned(lambda x: dp.release("c", dp.own("every.laplace", m=1, share=1.0), dp.count(x)))
    verdict = verify(proof(plan))
    assert verdict.assertions == 2
    assert "the lattice is fine enough" in verdict.hypotheses[1]
    assert "holds, given 2 assertions" in plan.explain()
    assert find_own("every.laplace").assumes == ("the lattice is fine enough",)
    assert not any("assumes" in hypothesis for hypothesis in verdict.hypotheses), "its words are no constant"


def test_no_wording_of_a_plugin_is_taken_for_what_is_said_of_constants() -> None:
    """Hypotheses of constants are not counted: a plugin's own words never look like one, whatever they say."""
    words = "x: public, not computed from the table"
    text = json.dumps(proof(planned(lambda x: dp.release("c", dp.own("every.laplace", m=1, share=1.0), dp.count(x)))))
    verdict = verify(json.loads(text.replace("the lattice is fine enough", words)))
    assert verdict.verified, verdict.reasons
    assert any(words in hypothesis for hypothesis in verdict.hypotheses)
    assert verdict.assertions == 2


@pytest.mark.parametrize("start", [2**53 - 2, 2**54, 2**62, -(2**53) - 2, 2**70])
def test_values_that_a_query_sees_move_no_further(start: int) -> None:
    """Neighbours one step apart, also where their difference with another value is small again."""
    seen = [seen_as_floats(Exact(np.array([v], dtype=object), Fraction(1, 4)))[0] for v in range(start, start + 5)]
    assert max(abs(b - a) for a, b in itertools.pairwise(seen)) <= 0.25


@pytest.mark.parametrize("bits", [0, 4])
@pytest.mark.parametrize("start", [2**53 - 2, 2**54, 2**60, -(2**53) - 2])
def test_whole_numbers_beyond_floats_move_no_further(start: int, bits: int) -> None:
    """Neighbours one apart: not all whole numbers above 2^53 are floats, and rounding would move them apart."""
    on = [int(on_lattice([v], (1,), bits)[0]) for v in range(start, start + 5)]
    assert max(abs(b - a) for a, b in itertools.pairwise(on)) <= 2**bits


class Late:
    """What a plugin hands back: it computes, and fails, when it is asked for its number."""

    def __float__(self) -> float:
        raise ZeroDivisionError

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise RuntimeError


def test_what_fails_when_it_is_looked_at_is_no_value() -> None:
    assert array_of([Late()], (1,)) is None
    assert array_of(Late(), (1,)) is None
    assert array_of([[1, 2]], (1, 2)) is not None


@plugin.own_query("own.either", gives=1, sensitivity=lambda one, other: {"l1": 1.0}, source="none")
def _either(one: Any, other: Any) -> Any:
    """The first of two private values."""
    return one


@pytest.mark.parametrize("given", ["rows", "results of blocks"])
def test_a_query_takes_no_private_value_without_a_distance(given: str) -> None:
    """It would be handed what is no array: that a block failed would end the run."""

    @dp.program
    def program(x: Any) -> Any:
        blocks = dp.block_learner(x, learner="gaussian_1", t=5, item="vector", size=[2])
        more = x if given == "rows" else blocks
        scores = dp.agreement(blocks, r=1.0, d=2)
        return dp.release("scores", dp.laplace(share=1.0), dp.own("own.either", scores, more))

    with pytest.raises(PlanError, match="not rows or results of blocks"):
        dp.plan(program, x=dp.rows(n=50, d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET, allow_asserted=True)


def test_a_number_is_an_array_of_one_and_of_nothing_else() -> None:
    """A statistic that returned one was 0 whatever the table."""
    assert np.array_equal(array_of(3, (1,)), [3.0])  # type: ignore[arg-type]
    assert array_of(3, (2,)) is None
    assert array_of(3, (1, 1)) is None
    assert array_of([3], ()) is None

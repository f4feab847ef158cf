"""Row expressions: what they compute, that a row's numbers are its own to the last bit, what is refused, and twins."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpframe as dp
from dpframe.errors import DpframeError, PlanError, SpecError
from dpframe.kernel import registry
from dpframe.kernel.formulas import write
from dpframe.kernel.operations import Batch
from dpframe.kernel.own import expressed
from dpframe.kernel.own.expressed import STEPS, Express, ExpressParts, ExpressSum, evaluate
from dpframe.planning.certificate import certificate
from dpframe.proof.checker import verify
from dpframe.proof.spaces import L1, L2, REPLACE_ONE, Array, Counts, LInf, Rows
from dpframe.proof.theorems.shaping.expressions import ARITY, MOST_STEPS
from dpframe.testing import check_operation
from dpframe.testing.battery.attack_own import check_own

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
EXTREMES = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    5e-324,
    -5e-324,
    2.2e-308,
    709.5,
    -745.2,
    1e300,
    sys.float_info.max,
    -sys.float_info.max,
]


def rows(d: int = 3, m: int = 997) -> Any:
    rng = np.random.default_rng(4)
    values = rng.standard_normal((m, d)) * 10.0 ** rng.integers(-6, 7, (m, d))
    values[: len(EXTREMES), 0] = EXTREMES
    values[: len(EXTREMES), 1] = EXTREMES[::-1]
    return values


FORMULAS: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "arithmetic": (
        lambda row: [row[0] + 2 * row[1], 3 - row[0] / row[1]],
        lambda x: [x[0] + 2 * x[1], 3 - x[0] / x[1]],
    ),
    "powers": (
        lambda row: [row[0] ** 3, row[1] ** -2, row[0] ** 0.5],
        lambda x: [x[0] ** 3, x[1] ** -2.0, x[0] ** 0.5],
    ),
    "functions": (
        lambda row: [np.exp(-abs(row[0])), np.log(row[1]), np.sqrt(row[1]), np.floor(row[0])],
        lambda x: [np.exp(-np.abs(x[0])), np.log(x[1]), np.sqrt(x[1]), np.floor(x[0])],
    ),
    "choices": (
        lambda row: [np.where((row[0] > 1) & ~(row[1] >= 2) | (row[0] == row[2]), row[0], -1), np.clip(row[1], -2, 3)],
        lambda x: [np.where((x[0] > 1) & ~(x[1] >= 2) | (x[0] == x[2]), x[0], -1), np.clip(x[1], -2, 3)],
    ),
    "comparisons": (
        lambda row: [row[0] != row[1], row[0] < 2.0, np.isfinite(row[0] * row[1]), np.isnan(np.log(row[2]))],
        lambda x: [x[0] != x[1], x[0] < 2.0, np.isfinite(x[0] * x[1]), np.isnan(np.log(x[2]))],
    ),
    "dot products": (
        lambda row: row.dot([0.5, -1.0, 2.0]) * 2 + np.abs(row[0] - np.array([1.0, 2.0])).sum(),
        lambda x: [(0.5 * x[0] - x[1] + 2.0 * x[2]) * 2 + np.abs(x[0] - 1) + np.abs(x[0] - 2)],
    ),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_they_compute_what_numpy_does(name: str) -> None:
    written, wanted = FORMULAS[name]
    values = rows()
    with np.errstate(all="ignore"):
        expected = np.stack([np.asarray(column, dtype=float) for column in wanted(values.T)], axis=1)
    found = evaluate(write(written), values)
    ordinary = (np.abs(values) < 1e6).all(axis=1)
    np.testing.assert_allclose(found[ordinary], expected[ordinary], rtol=1e-12, atol=1e-12)


@st.composite
def formulas(draw: st.DrawFn) -> str:
    """Any formula of rows of three columns and one released vector of two numbers."""
    steps: list[list[Any]] = [["column", 0], ["number", draw(st.sampled_from(EXTREMES))], ["released", 0, 1]]
    for _ in range(draw(st.integers(1, 14))):
        name = draw(st.sampled_from(["column", *ARITY]))
        places = st.integers(0, len(steps) - 1)
        steps.append(
            [name, draw(st.integers(0, 2))] if name == "column" else [name, *(draw(places) for _ in range(ARITY[name]))]
        )
    return json.dumps({"gives": list(range(len(steps))), "steps": steps}, sort_keys=True)


@settings(max_examples=60, deadline=None)
@given(formulas(), st.integers(0, 2**32 - 1))
def test_a_rows_numbers_are_its_own_to_the_last_bit(formula: str, seed: int) -> None:
    """Alone, in any order and any batch; and no row raises."""
    values, released = rows(m=150), (np.array([0.5, -2.0]),)
    whole = bits(evaluate(formula, values, released))
    order = np.random.default_rng(seed).permutation(len(values))
    np.testing.assert_array_equal(bits(evaluate(formula, values[order], released)), whole[order])
    cut = int(seed % 150)
    for piece in (slice(cut), slice(cut, None), slice(cut, cut + 1)):
        np.testing.assert_array_equal(bits(evaluate(formula, values[piece], released)), whole[piece])


def bits(values: Any) -> Any:
    """To the last one; which of the many NaNs it is, no step can see."""
    return np.where(np.isnan(values), -1, np.ascontiguousarray(values).view(np.int64))


def test_a_zero_has_one_sign() -> None:
    """1/0 would tell −0 from 0, and NumPy's minimum leaves open which of them it gives."""
    formula = write(lambda row: [1.0 / np.minimum(row[0], row[1]), 1.0 / np.maximum(row[0], row[1]), 1.0 / row[0]])
    zeros = np.array([[0.0, -0.0], [-0.0, 0.0], [0.0, 0.0], [-0.0, -0.0]] * 9)
    assert (evaluate(formula, zeros) == np.inf).all()


REFUSED: dict[str, tuple[Any, str]] = {
    "an if of a row": (lambda row: [1 if row[0] > 0 else 2], r"for which rows.*np.where"),
    "a loop over columns": (lambda row: [*row], r"how wide a row is.*row\[0\]"),
    "a loop over a released value": (lambda row, at: sum(at), r"how long a released value is"),
    "a slice": (lambda row: row[:1], r"columns 0, 1"),
    "another function": (lambda row: np.sin(row[0]), r"no np.sin"),
    "a reduction": (lambda row: np.add.accumulate(row[0]), r"no np.add"),
    "a number of a row": (lambda row: float(row[0]), r"no numbers where its formula is written"),
    "a power of a row": (lambda row: 2.0 ** row[0], r"formula"),
    "a large power": (lambda row: row[0] ** 1000, r"whole powers up to 64"),
    "an infinite constant": (lambda row: row[0] + np.inf, r"no place for inf"),
    "a text": (lambda row: "a", r"no place for 'a'"),
    "no row": (lambda: 1.0, r"names no row"),
    "rows": (lambda rows: rows.sum(axis=0), r"no formula of a row.*'sum'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_no_formula_can_do_is_named(case: str) -> None:
    function, message = REFUSED[case]
    with pytest.raises(SpecError, match=message) as caught:
        write(function)
    assert caught.value.fix


STEP = [["column", 0], ["number", 2.0], ["multiply", 0, 1]]
FORGED: dict[str, Any] = {
    "a column that is not there": {"gives": [0], "steps": [["column", 2]]},
    "a negative column": {"gives": [0], "steps": [["column", -1]]},
    "a later step": {"gives": [0], "steps": [["absolute", 0]]},
    "an unknown function": {"gives": [3], "steps": [*STEP, ["mean", 2]]},
    "too few places": {"gives": [3], "steps": [*STEP, ["add", 2]]},
    "a place that is no number": {"gives": [3], "steps": [*STEP, ["add", 2, True]]},
    "an infinite number": '{"gives": [0], "steps": [["number", Infinity]]}',
    "a number that is none": {"gives": [0], "steps": [["number", "1"]]},
    "a released value that is not given": {"gives": [0], "steps": [["released", 0, 0]]},
    "nothing": {"gives": [], "steps": STEP},
    "no steps": {"gives": [0], "steps": []},
    "more than there is room for": {"gives": [0], "steps": [["column", 0]] * (MOST_STEPS + 1)},
    "what it gives is not there": {"gives": [3], "steps": STEP},
    "something else": {"gives": [0], "steps": STEP, "code": "1"},
    "no JSON": "row[0]",
    "deep nesting": "[" * 100_000,
}


@pytest.mark.parametrize("case", FORGED)
def test_a_forged_formula_is_refused_by_planner_and_checker(case: str) -> None:
    text = FORGED[case] if isinstance(FORGED[case], str) else json.dumps(FORGED[case])
    with pytest.raises(PlanError):
        Express(formula=text).output(Rows(2))
    made = proof(planned(lambda x: dp.express_sum(x, formula=lambda row: row[0], norm="l2", bound=1.0)))
    (node,) = [node for node in made["graph"]["nodes"] if node["operation"] == "express_sum"]
    node["parameters"]["formula"] = text
    assert not verify(made).verified


def planned(function: Callable[..., Any], *, adjacency: Any = REPLACE_ONE) -> Any:
    def program(x: Any) -> Any:
        return {"out": dp.release("out", dp.gaussian(share=1.0), function(x))}

    return dp.plan(program, x=dp.rows(n=1000, d=2), adjacency=adjacency, budget=BUDGET)


def proof(plan: Any) -> Any:
    made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    return json.loads(json.dumps(made))


def test_constants_of_a_formula_are_listed_as_public() -> None:
    """They may have been read from the table, as any other of a program."""
    said = [
        verify(proof(planned(lambda x, f=f: dp.express_sum(x, formula=f, norm="l2", bound=1.0)))).hypotheses
        for f in (lambda row: row[0] * 3.7, lambda row: row[0] * row[1])
    ]
    assert [any("not computed from the table: bound, formula" in text for text in texts) for texts in said] == [
        True,
        False,
    ]


def test_released_inputs_are_checked_by_shape() -> None:
    two = Express(formula=lambda row, at: row[0] * at[1, 2])
    assert two.output(Rows(1), Array((2, 3))) == Rows(1)
    for wrong in ((), (Array((2, 2)),), (Counts(5),), (Array((2, 3)), Counts(1))):
        with pytest.raises(PlanError):
            two.output(Rows(1), *wrong)


def test_parts_take_one_number_and_sums_their_declared_shape() -> None:
    with pytest.raises(PlanError, match="one number, not of 2"):
        ExpressParts(formula=lambda row: [row[0], row[1]], count=2).output(Rows(2))
    with pytest.raises(PlanError, match="declares 3 numbers, and its formula gives 1"):
        ExpressSum(formula=lambda row: row[0], norm="l2", bound=1.0, gives=Counts(3)).output(Rows(2))


@pytest.mark.parametrize("norm", ["l1", "l2", "linf"])
def test_sums_are_of_clipped_rows(norm: str) -> None:
    order = {"l1": 1, "l2": 2, "linf": np.inf}[norm]
    operation = ExpressSum(formula=lambda row: [row[0] * 2, row[1] / row[2]], norm=norm, bound=1.5)
    values = np.random.default_rng(1).standard_normal((300, 3))
    values[0, 2] = 0.0  # no finite number: it contributes nothing
    fold = operation.start(Rows(3))
    operation.update(fold, Batch(0, values, np.ones(300, dtype=bool)))
    exact = operation.value(fold)
    images = np.stack([values[1:, 0] * 2, values[1:, 1] / values[1:, 2]], axis=1)
    norms = np.linalg.norm(images, order, axis=1, keepdims=True)
    clipped = np.clip(images, -1.5, 1.5) if norm == "linf" else images * np.minimum(1, 1.5 / norms)
    found = np.array(exact.integers, dtype=float) * float(exact.step)
    np.testing.assert_allclose(found, clipped.sum(axis=0), atol=1e-3)


@pytest.mark.parametrize("nonnegative", [False, True])
@pytest.mark.parametrize("norm", ["l1", "l2", "linf"])
def test_neighbours_stay_within_the_bound_and_come_close(norm: str, nonnegative: bool) -> None:
    """One row out and one in, far away and near: exactly within all three norms, and a smaller bound is exceeded."""
    operation = ExpressSum(
        formula=lambda row: [row[0], -row[0], row[1] * 2], norm=norm, bound=1.5, nonnegative=nonnegative
    )
    rng, worst = np.random.default_rng(2), dict.fromkeys((L1, L2, LInf), 0.0)
    metrics = {type(m): m.bound for m in operation.derived((Rows(2),), ((REPLACE_ONE,),))}
    tables = [np.array([[1e9, s * 1e9]]) * t for s in (1, -1, 0, 1e-9) for t in (1, -1)] + [
        rng.normal(0, 2, (1, 2))
    ] * 3
    for first in tables:
        for second in tables:
            moved = np.array(
                [int(a) - int(b) for a, b in zip(total(operation, first), total(operation, second), strict=True)]
            )
            step = float(operation.step())
            sizes = {L1: np.abs(moved).sum(), L2: np.sqrt((moved**2).sum()), LInf: np.abs(moved).max()}
            worst = {kind: max(worst[kind], float(size) * step) for kind, size in sizes.items()}
    assert all(worst[kind] <= metrics[kind] for kind in worst)
    kind = {"l1": L1, "l2": L2, "linf": LInf}[norm]
    assert worst[kind] > 0.98 * metrics[kind]


def total(operation: ExpressSum, values: Any) -> list[int]:
    fold = operation.start(Rows(2))
    operation.update(fold, Batch(0, values, np.ones(len(values), dtype=bool)))
    return [int(n) for n in np.ravel(operation.value(fold).integers)]


def test_in_a_spec_a_formula_is_its_text_or_a_table() -> None:
    steps = {"gives": [0], "steps": [["column", 0]]}
    for formula in (json.dumps(steps, sort_keys=True), steps):
        assert registry.build("express", {"formula": formula}) == Express(formula=lambda row: row[0])


PLUGIN = '''"""The same contribution twice: a function of rows, and an expression of one."""
import numpy as np
import dpframe.plugin as dp


@dp.own_contribution("twice.{name}_function", gives=1, norm="l2", bound=1.0)
def function(rows, centre):
    """Each row's part of a gradient."""
    return rows[:, :1] * np.tanh(0.0) + rows[:, 1:2] - centre[0]


@dp.own_contribution("twice.{name}_expressed", gives=1, norm="l2", bound=1.0, expressed=True)
def expressed(row, centre):
    """Each row's part of a gradient."""
    return row[1] - centre[0]


@dp.own_transform("twice.{name}_wrong", columns=2, expressed=True)
def wrong(row):
    """One column, and it says two."""
    return row[0]
'''


def test_written_in_row_expressions_a_contribution_counts_one_assertion_less(tmp_path: Path) -> None:
    (tmp_path / "twice_expressed.py").write_text(PLUGIN.replace("{name}", "a"))
    registry.import_file(tmp_path / "twice_expressed.py")
    both = [planned(lambda x, n=n: dp.own(f"twice.a_{n}", x, dp.constant([0.5]))) for n in ("function", "expressed")]
    verdicts = [verify(proof(plan)) for plan in both]
    assert [(v.verified, v.assertions) for v in verdicts] == [(True, 1), (True, 0)]
    table = np.random.default_rng(0).standard_normal((1000, 2))
    first, second = (plan.run(x=table, simulate=3)["out"] for plan in both)
    assert first == pytest.approx(second, abs=1e-2)
    assert check_own("twice.a_expressed").holds
    with pytest.raises(DpframeError, match="its formula gives 1 columns, and it declares 2"):
        planned(lambda x: dp.own("twice.a_wrong", x))


TWINS: dict[str, Any] = {
    "looks at its batch": ("add", lambda a, b: a + b + (a.mean() if len(a) else 0.0)),
    "looks at its place": ("multiply", lambda a, b: a * b * np.where(np.arange(len(a)) == 3, 2.0, 1.0)),
    "raises at a row": ("divide", lambda a, b: a / b if (b != 0).all() else np.linalg.inv(np.zeros((1, 1)))),
}


@pytest.mark.parametrize("twin", TWINS)
def test_a_broken_step_is_caught(twin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, function = TWINS[twin]
    monkeypatch.setattr(expressed, "STEPS", {**STEPS, name: function})
    assert not check_operation("express").holds


def test_an_empty_row_stays_empty() -> None:
    """Its cells are zeros: a formula of them is a number, which a row that is there must not have."""
    flags = np.array([True, False, True])
    made = Express(formula=lambda row: row[0] + 1.0).apply(Batch(0, np.zeros((3, 1)), flags))
    assert made.valid.tolist() == flags.tolist()
    assert made.values.tolist() == [[1.0], [0.0], [1.0]]

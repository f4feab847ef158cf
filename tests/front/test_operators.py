"""Handles: released arrays take NumPy as post nodes that round-trip; everything else is refused in one clear error."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.front.specs import dump, parse_spec
from dpframe.kernel.post_processing import Failed
from dpframe.kernel.posts.arrays import Field, NumpyFunction
from dpframe.kernel.posts.functions import ELEMENTWISE, FUNCTIONS
from dpframe.kernel.posts.literals import decode, encode
from dpframe.proof.checker import verify
from dpframe.proof.spaces import Array, ListOf, Symmetric, Vector
from tests.papers.skeletons.stubs import stub

N, D = 400, 3
ROWS = np.random.default_rng(0).normal(size=(N, D))
BUDGET = dp.approx_dp(epsilon=8.0, delta=1e-6)
OTHER = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.0, 2.0]])


def planned(function: Callable[..., Any]) -> Any:
    return dp.plan(function, x=dp.rows(n=N, d=D), adjacency=dp.REPLACE_ONE, budget=BUDGET)


def ball() -> Handle:
    return dp.ball(centre=[0.0] * D, radius=5.0)


def released(x: Handle) -> tuple[Handle, Handle, Handle]:
    """A matrix, a vector and a count."""
    inside = dp.clip(x, ball())
    matrix = dp.transform("constant", values=tuple((OTHER @ OTHER.T).ravel().tolist()), shape=(D, D), name="matrix")
    mean = dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))
    return matrix, mean, dp.release("count", dp.laplace(share=0.5), dp.count(x))


# Each also runs on arrays: what it gives there is what the plan must give.
WORKS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "plus": lambda a, v, n: v + 1,
    "from the right": lambda a, v, n: 1 - v,
    "minus": lambda a, v, n: -v,
    "power": lambda a, v, n: v**2,
    "two": lambda a, v, n: v / n,
    "floor": lambda a, v, n: v // 0.25 + v % 2,
    "matrix": lambda a, v, n: a @ OTHER,
    "matrix from the left": lambda a, v, n: OTHER @ a,
    "matrix and vector": lambda a, v, n: a @ v,
    "absolute": lambda a, v, n: abs(v),
    "rounded": lambda a, v, n: round(v[0], 2) if isinstance(v, Handle) else np.round(v[0], 2),
    "transposed": lambda a, v, n: (a @ OTHER).T,
    "index": lambda a, v, n: v[-1],
    "column": lambda a, v, n: a[:, 0],
    "ellipsis": lambda a, v, n: a[..., 1],
    "axis": lambda a, v, n: v[:, None] * v,
    "list of places": lambda a, v, n: v[[2, 0]],
    "mask": lambda a, v, n: v[np.array([True, False, True])],
    "compared": lambda a, v, n: 1.0 * (v > 0) + 2.0 * (v <= 0.1) + 4.0 * (v == 1 * v) + 8.0 * (v != 0),
    "ufunc": lambda a, v, n: np.sqrt(np.abs(v)),
    "array first": lambda a, v, n: np.array([1.0, 2.0, 3.0]) * v + np.float64(2.0) * v,
    "list": lambda a, v, n: v + [1, 2, 3],  # noqa: RUF005
    "in place": lambda a, v, n: _in_place(v),
    "where": lambda a, v, n: np.where(v > 0, v, 0.0),
    "clipped": lambda a, v, n: np.clip(v, 0.0, np.inf),
    "sum": lambda a, v, n: a.sum(axis=0) + np.sum(a, axis=(0, 1)),
    "method": lambda a, v, n: v.mean() + v.dot(v) + a.reshape(9).max(),
    "python's sum": lambda a, v, n: sum([v, v]),
    "joined": lambda a, v, n: np.concatenate([v, n]),
    "stacked": lambda a, v, n: np.vstack([a, v]),
    "subscripts": lambda a, v, n: np.einsum("ij,j->i", a, v),
    "solved": lambda a, v, n: np.linalg.solve(a, v),
    "inverse": lambda a, v, n: np.linalg.inv(a) + np.linalg.cholesky(a),
    "eigenvalues": lambda a, v, n: np.linalg.eigh(a)[0],
    "named result": lambda a, v, n: abs(np.linalg.eigh(a).eigenvectors),
    "singular values": lambda a, v, n: np.linalg.svd(a, full_matrices=False)[1],
    "norm": lambda a, v, n: np.linalg.norm(a, "fro"),
    "shape": lambda a, v, n: v * v.shape[0] + len(v) + v.ndim + v.size,
    "outer": lambda a, v, n: np.outer(v, v),
    "diagonal": lambda a, v, n: np.trace(a) + np.diag(a),
    "quantile": lambda a, v, n: np.quantile(v, 0.25),
}


def _in_place(v: Any) -> Any:
    v = v * 1
    v -= 1
    v *= 2
    return v


def everything(x: Handle) -> dict[str, Handle]:
    a, v, n = released(x)
    made = {name: work(a, v, n) for name, work in WORKS.items()}
    return {**made, "a": a, "v": v, "n": n}


@pytest.fixture(scope="module")
def plan() -> Any:
    return planned(everything)


@pytest.fixture(scope="module")
def outputs(plan: Any) -> Any:
    return plan.run(ROWS, simulate=1).outputs


@pytest.mark.parametrize("name", WORKS)
def test_released_arrays_compute_as_arrays_do(name: str, plan: Any, outputs: Any) -> None:
    expected = np.asarray(WORKS[name](outputs["a"], outputs["v"], outputs["n"]), dtype=np.float64)
    np.testing.assert_array_equal(outputs[name], expected)
    domain = plan.edges[dict(plan.graph.outputs)[name]].domain
    assert domain == (Vector(expected.shape[0]) if expected.ndim == 1 else Array(expected.shape))


def test_a_graph_with_numpy_verifies_and_round_trips(plan: Any, outputs: Any) -> None:
    """The certificate holds, and the spec is plain data that gives the same plan, and the same numbers, again."""
    assert verify(plan.run(ROWS).certificate).verified
    text = dump(plan, name="again")
    again = parse_spec(text).plan()
    assert dump(again, name="again") == text
    repeated = again.run(x=ROWS, simulate=1).outputs
    assert all(np.array_equal(repeated[name], outputs[name]) for name in WORKS)


PRIVATE: dict[str, Callable[[Any], Any]] = {
    "plus": lambda x: x + 1,
    "from the right": lambda x: 1 - x,
    "minus": lambda x: -x,
    "power": lambda x: x**2,
    "matrix": lambda x: x @ np.eye(D),
    "matrix from the left": lambda x: np.eye(D) @ x,
    "index": lambda x: x[0],
    "column": lambda x: x[:, 0],
    "assigned": lambda x: x.__setitem__(0, 1),
    "absolute": abs,
    "rounded": round,
    "divmod": lambda x: divmod(x, 2),
    "bits": lambda x: x & 1,
    "compared": lambda x: x > 0,
    "equal": lambda x: x == 3,
    "if": lambda x: 1 if x else 0,
    "in": lambda x: 3 in x,
    "looped": list,
    "number": float,
    "whole": int,
    "math": math.sqrt,
    "length": len,
    "called": lambda x: x(),
    "range": range,
    "formatted": lambda x: f"{x:.2f}",
    "ufunc": np.sqrt,
    "function": np.mean,
    "listed": lambda x: np.concatenate([x, x]),
    "array": np.asarray,
    "array of two": lambda x: np.array([x, x]),
    "eigenvalues": np.linalg.eigh,
    "transposed": lambda x: x.T,
    "shape": lambda x: x.shape,
    "method": lambda x: x.mean(),
    "post": lambda x: dp.post(np.sqrt, x),
    "named post": lambda x: dp.post("numpy", x, function="sqrt", arguments='[{"input": 0}]'),
}


@pytest.mark.parametrize("name", PRIVATE)
@pytest.mark.parametrize("what", ["rows", "statistic"])
def test_private_values_are_computed_with_by_nobody(name: str, what: str) -> None:
    def program(x: Handle) -> Any:
        return PRIVATE[name](x if what == "rows" else dp.mean(dp.clip(x, ball())))

    with pytest.raises(dp.PlanError, match=r"release") as caught:
        planned(program)
    assert caught.value.fix


@pytest.mark.parametrize(
    "mixed",
    [
        lambda p, v: v * p,
        lambda p, v: p * v,
        lambda p, v: np.concatenate([v, p]),
        lambda p, v: np.clip(v, 0, p),
        lambda p, v: v[p],
        lambda p, v: v[:p],
        lambda p, v: dp.post(np.add, v, p),
        lambda p, v: dp.post(lambda a, b=p: a + b, v),
    ],
)
def test_nor_beside_released_ones(mixed: Callable[[Any, Any], Any]) -> None:
    with pytest.raises(dp.PlanError, match=r"release it first|value to come"):
        planned(lambda x: mixed(dp.count(x), released(x)[1]))


REFUSED: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "if": (lambda a, v: 1 if v > 0 else 0, "decide an `if`.*dp.branch"),
    "and": (lambda a, v: v and 1, "decide an `if`"),
    "largest": (lambda a, v: max(v, 0), "decide an `if`"),
    "unpacked": (lambda a, v: [*v], "looped over"),
    "in": (lambda a, v: 1 in v, "be searched"),
    "number": (lambda a, v: float(v[0]), "become a number"),
    "math": (lambda a, v: math.exp(v[0]), "become a number.*NumPy"),
    "range": (lambda a, v: range(v[0]), "an index or a size"),
    "as index": (lambda a, v: [1, 2][v[0]], "an index or a size"),
    "formatted": (lambda a, v: f"{v:.1f}", "be formatted"),
    "array": (lambda a, v: np.asarray(v), "become an array.*np.stack"),
    "assigned": (lambda a, v: v.__setitem__(0, 1), "can't be changed.*np.where"),
    "deleted": (lambda a, v: v.__delitem__(0), "can't be changed"),
    "called": (lambda a, v: v(), "is a value, no function"),
    "bits": (lambda a, v: v & 1, "takes no &.*logical_and"),
    "divmod": (lambda a, v: divmod(v, 2), "takes no divmod"),
    "attribute": (lambda a, v: v.foo, "has no attribute 'foo'"),
    "too far": (lambda a, v: v[7], "index 7 is out of bounds"),
    "nothing": (lambda a, v: v[5:], "is empty"),
    "own mask": (lambda a, v: v[v > 0], "indexed by a value to come.*np.where"),
    "shapes": (lambda a, v: v + np.ones(5), r"add does not take values of shape \(3,\)"),
    "text": (lambda a, v: v + "a", "add does not take"),
    "nothing added": (lambda a, v: v + None, "add does not take"),
    "object": (lambda a, v: v + object(), "a graph holds no code"),
    "nan": (lambda a, v: v + np.nan, "nan can't be an argument"),
    "complex": (lambda a, v: v + 1j, "can't be an argument"),
    "not in the list": (lambda a, v: np.unique(v), r"np.unique is not one.*@dp.post_function"),
    "another room": (lambda a, v: np.fft.fft(v), "@dp.post_function"),
    "places": (lambda a, v: np.where(v), "no fixed number"),
    "out": (lambda a, v: np.add(v, 1, out=np.zeros(3)), "can't write into an array"),
    "into an array": (lambda a, v: np.zeros(3).__iadd__(v), "can't write into an array"),
    "reduced": (lambda a, v: np.add.reduce(v), "np.add.reduce can't be used"),
    "ball": (lambda a, v: ball() + 1, "it is no array.*take .centre or .radius"),
    "of a ball": (lambda a, v: ball().middle, "has no attribute 'middle'.*.centre or .radius"),
    "of a list": (lambda a, v: stub(ListOf(Vector(2), 2), v) + 1, "it is no array.*dp.for_each"),
    "huge": (lambda a, v: dp.constant(np.ones((30_000, 1))) * dp.constant(np.ones(30_000)), "would have the shape"),
    "a function with math": (lambda a, v: dp.post(math.sqrt, v[0]), "dp.post can't hold.*@dp.post_function"),
    "a function with a loop": (lambda a, v: dp.post(list, v), "dp.post can't hold.*@dp.post_function"),
    "a function of nothing": (lambda a, v: dp.post(lambda: 1, v), "takes 0 positional arguments"),
    "a function to a number": (lambda a, v: dp.post(lambda z: 3, v), "returned a int.*@dp.post_function"),
    "a transform": (
        lambda a, v: dp.transform(np.sqrt, v),
        "dp.transform can't hold the function 'sqrt'.*@dp.row_function",
    ),
    "no name": (lambda a, v: dp.post(v, v), "the name of an operation comes first"),
    "as private": (lambda a, v: dp.release("z", dp.gaussian(share=1.0), v), "takes a private value.*is released"),
    "as rows": (lambda a, v: dp.sum(v), "takes a private value"),
    "a node's name": (lambda a, v: dp.release(3, dp.laplace(share=1.0), v), "must be a text"),  # type: ignore[arg-type]
    "rows of a recipe": (lambda a, v: dp.release("b", dp.locate(share=0.1), (10, 2)), "got a tuple where it needs"),  # type: ignore[arg-type]
    "a body's capture": (
        lambda a, v: dp.branch("b", 3, lambda: v, lambda: v),  # type: ignore[arg-type]
        "got a int where it needs a handle",
    ),
    "a body": (lambda a, v: dp.branch("b", v, 3, 4), "can be read|test"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_released_value_cannot_do_is_said(name: str) -> None:
    attempt, message = REFUSED[name]
    with pytest.raises(dp.PlanError, match=message) as caught:
        planned(lambda x: attempt(*released(x)[:2]))
    assert caught.value.fix


def test_hasattr_answers_no() -> None:
    planned(lambda x: [v for v in [released(x)[1]] if not hasattr(v, "foo") and not hasattr(x, "mean")])


def test_fields_of_released_values() -> None:
    """A ball's centre and radius are arrays of their own, and so are a mixture's parts."""

    def program(x: Handle) -> dict[str, Handle]:
        found = dp.release("found", dp.locate(share=0.5), x)
        return {"double": 2 * found.radius, "shifted": found.centre + 1, "ball": found}

    outputs = planned(program).run(ROWS, simulate=3).outputs
    assert outputs["double"] == 2 * outputs["ball"].radius
    np.testing.assert_array_equal(outputs["shifted"], outputs["ball"].centre + 1)
    with pytest.raises(dp.PlanError, match="has no field 'mean'"):
        Field(field="mean").output(Vector(2))


def test_a_function_of_released_values_is_traced() -> None:
    def shares(values: Any, least: float) -> Any:
        return np.maximum(values, least) / np.sum(values)

    plan = planned(lambda x: {"out": dp.post(shares, released(x)[1], name="shares", least=0.5)})
    assert [n.name for n in plan.graph.nodes if n.name.startswith("shares.")] == [
        "shares.maximum_1", "shares.sum_1", "shares.divide_1",
    ]  # fmt: skip
    assert planned(lambda x: dp.post(np.abs, released(x)[1], name="root")).graph.outputs[0][0] == "root"


def test_a_handle_of_another_graph_is_refused() -> None:
    """One that left a program: in arithmetic, and as an output, whatever node of this graph has its name."""
    kept: list[Any] = []

    def first(x: Handle) -> Handle:
        kept.append(released(x)[1])
        return kept[0]

    planned(first)
    for use in (
        lambda x: kept[0] + 1,
        lambda x: (released(x), kept[0])[1],
        lambda x: {"a": released(x)[0], "b": kept[0]},
    ):
        with pytest.raises(dp.PlanError, match="of another graph"):
            planned(use)
    with pytest.raises(dp.PlanError, match="no program is being traced"):
        kept[0] + 1


def test_a_program_is_a_part_of_another() -> None:
    inner = dp.program(lambda x: dp.release("n", dp.laplace(share=1.0), dp.count(x)))
    assert [name for name, _ in planned(lambda x: inner(x) + 1).graph.outputs] == ["add_1"]
    with pytest.raises(dp.PlanError, match="no program is being traced"):
        inner(3)  # type: ignore[arg-type]


def test_values_that_allow_no_answer_end_the_run_as_failed() -> None:
    plan = planned(lambda x: {"out": np.log(released(x)[1] - 100), "n": released_count(x)})
    result = plan.run(ROWS, simulate=1)
    assert result.status == "failed"
    assert "log of the released values is not finite" in result.reason
    with pytest.raises(dp.RunError, match="log of the released values"):
        result["out"]
    singular = NumpyFunction(function="linalg.inv", arguments='[{"input": 0}]')
    assert isinstance(singular.apply(np.zeros((2, 2))), Failed)


def released_count(x: Handle) -> Handle:
    counted: Handle = dp.release("n", dp.laplace(share=0.1), dp.count(x))
    return counted


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"function": "os.system", "arguments": "[]"}, "no function 'os.system'"),
        ({"function": "load", "arguments": "[]"}, "no function 'load'"),
        ({"function": "sqrt", "arguments": "no json"}, "no JSON list"),
        ({"function": "sqrt", "arguments": "{}"}, "no JSON list"),
        ({"function": "sqrt", "arguments": '[{"input": 1}]'}, "no input 1"),
        ({"function": "sqrt", "arguments": '[{"code": "1"}]'}, "is no argument"),
        ({"function": "sqrt", "arguments": '[{"tuple": 3}]'}, "is no list"),
        (
            {"function": "sqrt", "arguments": '[{"input": 0}]', "options": '{"out": {"input": 0}, "b": 1}'},
            "takes no argument 'b'",
        ),
        (
            {"function": "clip", "arguments": '[{"input": 0}, 0, 1]', "options": '{"where": false}'},
            "no argument 'where'",
        ),
        ({"function": "sqrt", "arguments": '[{"input": 0}, {"array": [[1, 1], [1, 1]]}]'}, "no argument 'out'"),
        ({"function": "sum", "arguments": '[{"input": 0}]', "options": '{"dtype": "O"}'}, "no argument 'dtype'"),
        ({"function": "power", "arguments": '[100000000000000000000, {"input": 0}]'}, "beyond int64"),
        ({"function": "add", "arguments": '[{"array": ["a", 1]}, {"input": 0}]'}, "something else than numbers"),
        ({"function": "linalg.eigh", "arguments": '[{"input": 0}]'}, "gives 2 results"),
        ({"function": "sqrt", "arguments": 3}, "JSON text"),
        ({"function": "linalg.eigh", "arguments": '[{"input": 0}]', "which": True}, "which must be"),
        ({"function": "broadcast_to", "arguments": '[1.0, {"tuple": [100000, 100000]}]'}, "would have the shape"),
    ],
)
def test_a_spec_names_functions_and_constants_only(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(dp.DpframeError, match=message):
        dp.build("numpy", parameters).output(Symmetric(2))


@pytest.mark.parametrize("name", sorted(ELEMENTWISE | {"clip"}))
def test_no_entry_of_a_result_is_left_unwritten(name: str) -> None:
    """With ``where=`` entries are what the memory held before: rows of the table, once 99,998 of 100,000."""
    count = getattr(FUNCTIONS[name], "nin", 3)
    arguments = json.dumps([{"input": 0}] * count)
    masked = NumpyFunction(function=name, arguments=arguments, options='{"where": [false]}')
    with pytest.raises(dp.PlanError, match=r"no argument 'where'.*np\.where"):
        masked.output(Vector(3))
    with pytest.raises(dp.PlanError, match="no argument 'where'"):
        masked.apply(np.ones(3))


def test_arguments_round_trip() -> None:
    value = (1, 2.5, None, True, "ij", slice(None, -1, 2), Ellipsis, [1, (2, 3)], math.inf, -math.inf, np.eye(2))
    back = decode(encode(value, lambda v: None), ())
    assert back[:-1] == value[:-1]
    np.testing.assert_array_equal(back[-1], value[-1])


def test_no_function_of_the_list_reads_or_writes_or_draws() -> None:
    assert not {"load", "save", "fromfile", "frompyfunc", "vectorize", "apply_along_axis", "piecewise"} & set(FUNCTIONS)
    assert not [name for name in FUNCTIONS if name.startswith(("random", "lib", "ctypeslib"))]

"""Programs that a planner must refuse, or charge more than their text says: corrections C#, and leaks."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import dpframe as dp
from dpframe.errors import DpframeError
from dpframe.front.program import Handle
from tests.mutants.base import table
from tests.papers.skeletons.stubs import ball, balls, flag, planned, state, stub

D, K = 4, 5
Program = Callable[[Handle], Any]


def caught(make: Callable[[], Any]) -> str:
    """The refusal, or nothing."""
    try:
        make()
    except DpframeError as error:
        return error.message
    return ""


def plans(program: Program, epsilon: float | None = None, **how: Any) -> Callable[[], Any]:
    """Plan it under a pure budget, or one that is never in the way."""
    budget = None if epsilon is None else dp.pure_dp(epsilon=epsilon)
    return functools.partial(planned, program, d=D, budget=budget, **how)


def centre() -> Handle:
    return dp.ball(centre=[7.0] * D, radius=3.0)


def counted(name: str, rows: Handle, epsilon: float = 1.0) -> Handle:
    made: Handle = dp.release(name, dp.laplace(noise_multiplier=1 / epsilon), dp.count(rows))
    return made


def noisy(statistic: Handle, name: str = "value") -> Handle:
    made: Handle = dp.release(name, dp.gaussian(noise_multiplier=1.0), statistic)
    return made


def inside(x: Handle) -> Handle:
    part: Handle = dp.transform("filter_ball", x, centre())[0]
    return part


# ------------------------------------------------------------------------------- cuts and pairs


def split_then_filter(x: Handle) -> Handle:
    halves = dp.transform("split", x, count=2)
    return state(*(counted(f"half_{i}", inside(h)) for i, h in enumerate(halves)))


def filter_then_split(x: Handle) -> Handle:
    return state(*(counted(f"half_{i}", h) for i, h in enumerate(dp.transform("split", inside(x), count=2))))


def pairs_then_filter(x: Handle) -> Handle:
    near = dp.transform("filter_ball", dp.transform("pairs", x), dp.ball(centre=[0.0] * D, radius=3.0))[0]
    return counted("pairs", near)


def filter_then_pairs(x: Handle) -> Handle:
    return counted("pairs", dp.transform("pairs", inside(x)))


def free_pair_count(x: Handle) -> Handle:
    return stub(ball(D).domain, dp.count(dp.transform("pairs", x)))


def released_pair_count(x: Handle) -> Handle:
    return stub(ball(D).domain, counted("pairs", dp.transform("pairs", x)))


# ------------------------------------------------------------------------------------- moments


def sum_about_zero(x: Handle) -> Handle:
    return noisy(dp.sum(inside(x)))


def sum_about_centre(x: Handle) -> Handle:
    return noisy(dp.sum(dp.clip(inside(x), centre())))


def gram_about_zero(x: Handle) -> Handle:
    return noisy(dp.gram(inside(x)))


def gram_about_centre(x: Handle) -> Handle:
    return noisy(dp.gram(dp.clip(inside(x), centre())))


def clipped_then_raw(x: Handle) -> Handle:
    dp.clip(x, centre())
    return noisy(dp.sum(x))


def clipped_and_used(x: Handle) -> Handle:
    return noisy(dp.sum(dp.clip(x, centre())))


# ---------------------------------------------------------------------------- what a text charges


def tree(x: Handle) -> Handle:
    def body(rows: Handle, s: Handle) -> dict[str, Handle]:
        seen = counted("level", rows)
        dp.transform("filter_ball", rows, ball(D, seen), name="children")
        return {"split": flag(seen), "left": state(seen), "right": state(seen)}

    def leaf(rows: Handle, s: Handle) -> Handle:
        return counted("leaf", rows)

    made: Handle = dp.recurse("tree", x, state(), body, leaf, max_depth=3, max_leaves=8)
    return made


def three_counts(x: Handle) -> Handle:
    return state(*(counted(f"third_{i}", x) for i in range(3)))


def one_minimum(x: Handle) -> Handle:
    scores = dp.transform("terrific_score", x, balls(D, 1), size=1, t=320, c=5.0)
    made: Handle = dp.release("query", dp.laplace(noise_multiplier=1.0), dp.transform("minimum", scores))
    return made


def overlapping_balls(x: Handle) -> Handle:
    cut = [dp.transform("filter_ball", x, ball(D))[0] for _ in range(K)]
    return state(*(counted(f"count_of_{i}", rows) for i, rows in enumerate(cut)))


def first_ball_wins(x: Handle) -> Handle:
    parts = dp.transform("partition_balls", x, balls(D, K), balls=K)
    return state(*(counted(f"count_of_{i}", rows) for i, rows in enumerate(parts[:K])))


def shares(*parts: float) -> Program:
    return lambda x: state(*(counted(f"part_{i}", x, part) for i, part in enumerate(parts)))


def terrific_ball(x: Handle) -> Handle:
    scores = dp.transform("terrific_score", x, balls(D, 9), size=9, t=100, c=5.0)
    radius = dp.release("radius", dp.above_threshold(noise_multiplier=1.0, threshold=80.0), scores)
    again = dp.transform("terrific_score", x, balls(D, 9, radius), size=9, t=100, c=5.0)
    made: Handle = dp.release("centre", dp.exponential_mechanism(noise_multiplier=2.0), again)
    return made


def learned(x: Handle) -> Handle:
    made: Handle = dp.transform("block_learner", x, learner="skeleton.learner", t=50, item="points", size=[K, D])
    return made


def candidates_as_rows(x: Handle) -> Handle:
    return counted("in", dp.transform("partition_balls", learned(x), balls(D, 9), balls=9)[0])


def blocks_counted(x: Handle) -> Handle:
    counts = dp.transform("block_counts", learned(x), balls(D, 9), k=K, d=D, size=9)
    made: Handle = dp.release("in", dp.exponential_mechanism(noise_multiplier=2.0), counts)
    return made


def one_gdp(epsilon: float) -> Callable[[], Any]:
    return functools.partial(
        planned, lambda x: noisy(dp.count(x)), d=D, budget=dp.approx_dp(epsilon=epsilon, delta=1e-6)
    )


# ------------------------------------------------------------------------------------- private control


def while_rows_are_left(x: Handle) -> Handle:
    while dp.count(x):
        x = dp.transform("filter_ball", x, ball(D))[1]
    return counted("left", x)


def always_k_rounds(x: Handle) -> Handle:
    found: list[Handle] = []
    for i in range(K):
        found.append(counted(f"round_{i}", x))
        x = dp.transform("filter_ball", x, ball(D, *found))[1]
    return state(*found)


def skip_empty_part(x: Handle) -> Handle:
    left, right = dp.transform("filter_ball", x, ball(D))
    return counted("left", left) if dp.count(right) else counted("right", right)


def both_parts(x: Handle) -> Handle:
    left, right = dp.transform("filter_ball", x, ball(D))
    return state(counted("left", left), counted("right", right))


def branch_on_private(x: Handle) -> Handle:
    made: Handle = dp.branch("b", dp.count(x), lambda rows: counted("a", rows), lambda rows: counted("c", rows), x)
    return made


def branch_on_released(x: Handle) -> Handle:
    test = flag(counted("test", x))
    made: Handle = dp.branch("b", test, lambda rows: counted("a", rows), lambda rows: counted("c", rows), x)
    return made


def private_output(x: Handle) -> Handle:
    made: Handle = dp.count(x)
    return made


def noise_set_by_release(x: Handle) -> Handle:
    first = counted("first", x)
    made: Handle = dp.release("second", dp.laplace(noise_multiplier=first), dp.count(x))
    return made


def module_in_a_plan() -> Any:
    return dp.build("os.system", {"command": "true"})


def class_in_a_plan() -> Any:
    return dp.build("dpframe.kernel.mechanisms.laplace:LaplaceMechanism", {"share": 1.0})


MUTANTS = table(
    "planner",
    (
        "C1",
        "far rows are dropped before the halves are cut",
        "cuts by row index",
        plans(filter_then_split),
        plans(split_then_filter),
        "C1",
    ),
    (
        "C2",
        "Σx of rows near c instead of Σ(x − c)",
        "takes rows of the unit_ball",
        plans(sum_about_zero),
        plans(sum_about_centre),
        "C2",
    ),
    ("C3", "pairs of filtered rows", "by index needs", plans(filter_then_pairs), plans(pairs_then_filter), "C3"),
    (
        "C3-count",
        "half the row count as the number of pairs",
        "'count_1' is private",
        plans(free_pair_count),
        plans(released_pair_count),
        "C3",
    ),
    (
        "C4",
        "Gram matrix about 0 with noise for the ball's radius",
        "takes rows of the unit_ball",
        plans(gram_about_zero),
        plans(gram_about_centre),
        "C4",
    ),
    ("C5", "one branch a level, no leaves", "costs epsilon=7", plans(tree, 3.0), plans(tree, 7.0 + 1e-9), "C5"),
    (
        "C7",
        "three counts charged as one",
        "costs epsilon=3",
        plans(three_counts, 1.0),
        plans(one_minimum, 1.0 + 1e-9),
        "C7",
    ),
    (
        "C8",
        "balls that overlap, charged as disjoint",
        "costs epsilon=5",
        plans(overlapping_balls, 2.5),
        plans(first_ball_wins, 2.5),
        "C8",
    ),
    (
        "C9",
        "a loop while private rows are left",
        "can't decide an `if`",
        plans(while_rows_are_left),
        plans(always_k_rounds),
        "C9",
    ),
    (
        "C10",
        "three releases that sum to 7ε/6",
        "costs epsilon=1.16667",
        plans(shares(1 / 3, 1 / 3, 1 / 2), 1.0),
        plans(shares(0.333, 0.333, 0.333), 1.0),
        "C10",
    ),
    (
        "C11",
        "a terrific ball charged ε",
        "costs epsilon=2",
        plans(terrific_ball, 1.0),
        plans(terrific_ball, 2.0 + 1e-9),
        "C11",
    ),
    (
        "C12",
        "candidates of blocks counted as rows",
        "takes Rows, not Blocks",
        plans(candidates_as_rows),
        plans(blocks_counted),
        "C12",
    ),
    ("C13", "1-GDP sold as (3.72, 1e-6)", "costs epsilon=4.886", one_gdp(3.72), one_gdp(4.89), "C13"),
    (
        "C14",
        "a part is skipped when its private side is empty",
        "can't decide an `if`",
        plans(skip_empty_part),
        plans(both_parts),
        "C14",
    ),
    (
        "max-rule",
        "two parts of a rule charged the dearer one",
        "costs epsilon=2",
        plans(both_parts, 1.0),
        plans(both_parts, 2.0 + 1e-9),
    ),
    (
        "raw-after-clip",
        "clipped, then the raw rows used",
        "these are unbounded",
        plans(clipped_then_raw),
        plans(clipped_and_used),
        "smartnoise-sdk #622",
    ),
    (
        "private-branch",
        "a private value chooses the branch",
        "'count_1' is private",
        plans(branch_on_private),
        plans(branch_on_released),
    ),
    (
        "private-output",
        "a private value is an output",
        "is the private value",
        plans(private_output),
        plans(lambda x: counted("n", x)),
    ),
    (
        "private-noise",
        "a released value sets how much noise",
        "must be a number",
        plans(noise_set_by_release),
        plans(always_k_rounds),
    ),
    (
        "module-name",
        "a plan that names a module to call",
        "unknown operation",
        module_in_a_plan,
        lambda: dp.build("laplace", {"share": 1.0}),
    ),
    (
        "class-path",
        "a plan that names a class by path",
        "unknown operation",
        class_in_a_plan,
        lambda: dp.build("laplace", {"share": 1.0}),
    ),
)

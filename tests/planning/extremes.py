"""Random graphs of kernel operations at the edges of their parameters, and the run of one as it is, uncaught."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

import dpframe as dp
from dpframe.errors import CertificateError
from dpframe.front.program import Program, plan
from dpframe.kernel.noise import SeededSource
from dpframe.planning.lattices import steps
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import (
    AffineMap,
    Array,
    Ball,
    ListOf,
    Record,
    Rows,
    Vector,
    WeightedRows,
    Whitening,
    adjacency,
)
from dpframe.runtime.engine import Deferred, Scope
from dpframe.runtime.gate import Admitted, admit
from dpframe.runtime.guard import Guard
from dpframe.runtime.progress import Progress
from dpframe.runtime.run import open_tables
from dpframe.runtime.scope import Session
from dpframe.testing.battery import learners  # noqa: F401  registers testing.halve and testing.centre
from dpframe.testing.battery.planned import public

BITS = (1, 2, 12, 18, 20, 24, 25, 26)
SIZES = (1, 2, 3, 7, 1000, 10**6)
MOSTLY = 0.9


@attrs.define
class Drawn:
    """What the choices of one seed make."""

    rng: np.random.Generator
    mechanisms: tuple[str, ...] = ()
    adjacency: Any = None
    thorough: bool = True
    count: int = 0

    def name(self, what: str) -> str:
        self.count += 1
        return f"{what}_{self.count}"

    def of(self, values: Any) -> Any:
        return values[int(self.rng.integers(len(values)))]

    def likely(self, chance: float) -> bool:
        return bool(self.rng.random() < chance)

    def spread(self, low: float, high: float) -> float:
        """A number between two powers of ten."""
        return float(10.0 ** self.rng.uniform(low, high))

    def number(self) -> float:
        """A size of any kind: usual, extreme, or beyond."""
        if self.likely(MOSTLY):
            return self.spread(-2, 2)
        return self.of((self.spread(-30, 30), self.spread(-300, 300), 5e-324, 1.7e308))

    def whole(self) -> int:
        if self.likely(MOSTLY):
            return int(self.rng.integers(1, 9))
        return int(self.of((1, 2**10, 2**20, 2**31, 2**40, 2**62, 2**63, 2**70)))

    def small(self) -> int:
        return int(self.rng.integers(1, 4))

    def bits(self) -> dict[str, int]:
        return {} if self.likely(0.3) else {"bits": int(self.of(BITS))}

    # ------------------------------------------------------------------------------------- graph

    def op(self, operation: str, *inputs: Any, **parameters: Any) -> Any:
        return dp.apply(self.name(operation), dp.build(operation, parameters), *inputs)

    def value(self, domain: Any, columns: int = 0) -> Any:
        return public(domain, self.name("public"), columns)

    def noise(self, inside: bool = False) -> dict[str, Any]:
        if inside or self.likely(0.8):
            return {"share": self.number()}
        return {"noise_multiplier": self.number()}

    def tried(self, make: Callable[[], Any], otherwise: Any = None) -> Any:
        """The first of a few that is not refused; each refusal has a fix."""
        for _ in range(4):
            try:
                return make()
            except dp.DpframeError as error:
                check_fix(error)
        return otherwise

    def maps(self) -> tuple[Make, ...]:
        if self.likely(0.03):
            return MAPS + BY_INDEX + SECRET
        if self.adjacency.name == "replace_one":
            return MAPS + CUTS
        return MAPS + CUTS if self.adjacency.name == "add_remove" else MAPS

    def rows(self, x: Any) -> Any:
        """Through some row operations."""
        first = {"replace_one": BY_INDEX, "add_remove": SECRET}.get(self.adjacency.name)
        if first and self.likely(0.3):
            made = self.of(first)(self, x)
            x = self.of(made) if isinstance(made, (list, tuple)) else made
        for _ in range(int(self.rng.integers(3))):
            made = self.tried(lambda x=x: self.of(self.maps())(self, x), x)  # type: ignore[misc]
            x = self.of(made) if isinstance(made, (list, tuple)) else made
        return x

    def released(self, x: Any, inside: bool = False) -> Any:
        made = self.tried(lambda: self._released(x, inside))
        return self.op(self.of(self.mechanisms[:1]), dp.count(x), share=1.0) if made is None else made

    def _released(self, x: Any, inside: bool) -> Any:
        kind = self.of(self.mechanisms if self.likely(0.97) else MECHANISMS)
        fits = [makes for makes, kinds in STATISTICS.values() if kind in kinds or self.likely(0.02)]
        value = self.of(self.of(fits))(self, x)
        more: dict[str, Any] = {}
        if kind in ("above_threshold", "truncated_laplace_test"):
            more["threshold"] = self.number() * self.of((1, -1))
        if kind in ("stable_histogram", "truncated_laplace_test"):
            more["delta_fraction"] = self.fraction()
        if kind == "stable_histogram":
            more["noise"] = self.of(("gaussian", "laplace"))
        return dp.apply(self.name("released"), dp.build(kind, {**self.noise(inside), **more}), value, finish=False)

    def fraction(self) -> float:
        return self.of((0.1, 0.5, 1e-12, 1e-300, 1 - 1e-12))

    def controlled(self, x: Any) -> Any:
        kind = self.of(("for_each", "branch", "recurse"))
        if kind == "for_each":

            def body(item: Any, rows: Any) -> Any:
                return self.released(self.op("clip_ball", rows, item) if self.likely(0.5) else rows, inside=True)

            most = self.of((1, 3, 2**10, 2**40))
            balls = self.value(ListOf(Ball(x.d), self.small()))
            how = {"share": self.number(), "max_length": most, "view": self.of(("gdp", "zcdp", "pure"))}
            return dp.for_each(self.name("loop"), balls, body, x, **how)
        if kind == "branch":
            mechanism = dp.truncated_laplace_test(share=1.0, threshold=5.0, delta_fraction=self.fraction())
            test = dp.release(self.name("test"), mechanism, dp.count(x))

            def same(rows: Any) -> Any:
                return self.op("gaussian", dp.count(rows), share=self.number())

            return dp.branch(self.name("branch"), test, same, same, x)

        def split(rows: Any, state: Any) -> Any:
            noisy = self.op("gaussian", dp.count(rows), share=self.number())
            dp.transform("filter_ball", rows, state, name="children")
            return {"split": dp.apply("flag", dp.build("testing.flag", {}), noisy), "left": state, "right": state}

        def leaf(rows: Any, state: Any) -> Any:
            return self.op("laplace", dp.count(rows), share=self.number())

        return dp.recurse(
            self.name("tree"),
            x,
            self.value(Ball(x.d)),
            split,
            leaf,
            max_depth=self.of((1, 2, 64 if self.thorough else 3, 65)),
            max_leaves=self.small(),
        )

    def program(self, x: Any) -> Any:
        out = {}
        for i in range(int(self.rng.integers(1, 4))):
            made = self.controlled(self.rows(x)) if self.likely(0.15) else self.released(self.rows(x))
            out[f"out_{i}"] = made
        return out


Make = Callable[..., Any]
MAPS: tuple[Make, ...] = (
    lambda g, x: g.op("affine", x, g.value(AffineMap(x.d, x.d))),
    lambda g, x: g.op("select", x, columns=list(range(x.d))[::-1]),
    lambda g, x: g.op("rescale", x, g.value(Vector(x.d))),
    lambda g, x: g.op("row_map", x, function="testing.halve", p=2),
)
CUTS: tuple[Make, ...] = (
    lambda g, x: g.op("filter_ball", x, g.value(Ball(x.d))),
    lambda g, x: g.op("partition_halfspace", x, g.value(AffineMap(x.d, 1))),
    lambda g, x: g.op("partition_nearest", x, g.value(Array((3, x.d))), centres=3),
    lambda g, x: g.op("partition_balls", x, g.value(ListOf(Ball(x.d), 2)), balls=2),
    lambda g, x: g.op("secret_split", x, count=g.small()),
)
BY_INDEX: tuple[Make, ...] = (
    lambda g, x: g.op("split", x, count=g.small()),
    lambda g, x: g.op("pairs", x, max_pairs=g.whole()),
    lambda g, x: g.op("secret_pairs", x, max_pairs=g.whole()),
)
SECRET: tuple[Make, ...] = (
    lambda g, x: g.op("secret_pairs", x, max_pairs=g.whole()),
    lambda g, x: g.op("subsample", x, rate=g.of((2.0**-32, 0.1, 1.0))),
)


def _ball(g: Drawn, x: Any) -> Any:
    domain = x.domain
    if isinstance(domain, Rows) and domain.bound == "unit_ball":
        return x
    ball = dp.ball(centre=[0.0] * x.d, radius=abs(g.number())) if g.likely(0.5) else g.value(Ball(x.d))
    return g.op("clip_ball", x, ball, **g.bits())


def _white(g: Drawn, x: Any) -> Any:
    if isinstance(x.domain, WeightedRows):
        return x
    return g.op("whiten", x, g.value(Whitening(g.small(), x.d)), **g.bits())


STATISTICS: dict[str, tuple[tuple[Make, ...], tuple[str, ...]]] = {
    "any": (
        (
            lambda g, x: g.op("count", x),
            lambda g, x: g.op("square_sum", _ball(g, x), **g.bits()),
            lambda g, x: g.op("bin_counts", x, edges=sorted({g.number() for _ in range(g.small())})),
            lambda g, x: g.op("value_counts", x, values=sorted({g.number() for _ in range(g.small())})),
            lambda g, x: g.op(
                "distance_histogram", x, g.value(Ball(x.d)), edges=g.of((1, 96, 5000, g.whole())), ratio=1 + g.number()
            ),
            lambda g, x: g.op("product_counts", x, g.value(Array((x.d, g.small())))),
        ),
        ("gaussian", "laplace", "discrete_gaussian", "above_threshold", "exponential_mechanism", "permute_and_flip"),
    ),
    "l2": (
        (
            lambda g, x: g.op("sum", _ball(g, x), **g.bits()),
            lambda g, x: g.op("mean", _ball(g, x), **g.bits()),
            lambda g, x: g.op("box_sum", g.op("clip_box", x, g.value(Ball(x.d)), **g.bits()), **g.bits()),
            lambda g, x: g.op("weighted_counts", _white(g, x), **g.bits()),
            lambda g, x: g.op("weighted_squares", _white(g, x), **g.bits()),
        ),
        ("gaussian", "discrete_gaussian"),
    ),
    "matrices": (
        (
            lambda g, x: g.op("gram", _ball(g, x), **g.bits()),
            lambda g, x: g.op("weighted_sums", _white(g, x), **g.bits()),
            lambda g, x: g.op("weighted_grams", _white(g, x), **g.bits()),
            lambda g, x: g.op("weighted_radii", _white(g, x), edges=g.of((1, 40)), ratio=1 + g.number(), **g.bits()),
            lambda g, x: g.op("marginal_counts", x, g.value(Array((x.d, g.small())))),
            lambda g, x: g.op("dyadic_counts", x),
        ),
        ("gaussian",),
    ),
    "scores": (
        (
            lambda g, x: g.op(
                "rank_scores", x, candidates=[0.0, g.number()], numerator=1, denominator=g.of((2, 3, 2**20, g.whole()))
            ),
            lambda g, x: g.op("ball_counts", x, g.value(ListOf(Ball(x.d), 3)), size=g.whole() + 2),
            lambda g, x: g.op(
                "terrific_score", x, g.value(ListOf(Ball(x.d), 3)), size=3, t=g.whole(), c=1 + g.number()
            ),
            lambda g, x: g.op("cap", dp.count(x), t=g.whole()),
            lambda g, x: g.op("cap", g.op("square_sum", _ball(g, x), **g.bits()), t=g.whole()),
            lambda g, x: g.op("minimum", dp.count(x), g.op("square_sum", _ball(g, x), **g.bits())),
            lambda g, x: g.op("maximum", dp.count(x), g.op("bin_counts", x, edges=[g.number()])),
            lambda g, x: g.op(
                "interval_scores", g.op("affine", x, g.value(AffineMap(x.d, 1))), g.value(Array((1, g.small()))),
                g.value(Record("hypotheses"), 1), size=7, n=g.whole(), intervals=g.whole(),
            ),
        ),
        ("exponential_mechanism", "permute_and_flip", "above_threshold"),
    ),
    "cells": (
        (
            lambda g, x: g.op("cells", x, g.value(Record("grids"), x.d), levels=g.whole()),
            lambda g, x: g.op("column_cells", x, g.value(Array((2, 3))), levels=2),
            lambda g, x: g.op("box_cells", x, g.value(Array((2, 2 * x.d))), levels=2),
        ),
        ("stable_histogram",),
    ),
    "number": (
        (
            lambda g, x: g.op("count", x),
            lambda g, x: g.op("minimum", g.op("square_sum", _ball(g, x), **g.bits())),
        ),
        ("truncated_laplace_test",),
    ),
}  # fmt: skip
"""Private values by the bounds they have, and the mechanisms that take those."""
PURE = ("laplace", "above_threshold", "exponential_mechanism", "permute_and_flip")
MECHANISMS = (*PURE, "gaussian", "discrete_gaussian", "stable_histogram", "truncated_laplace_test")
SPENT = {"zcdp": MECHANISMS[:6], "gdp": ("gaussian",), "pure": PURE, "approx": MECHANISMS}
"""Mechanisms that each form of budget can pay for."""


def check_fix(error: dp.DpframeError) -> None:
    if not error.fix:
        raise AssertionError(f"no fix: {error}")


def draw(seed: int, *, quick: bool = False) -> Plan:
    """The plan of the graph of this seed, or its refusal; a quick one composes nothing numerically."""
    g = Drawn(np.random.default_rng(seed), thorough=not quick)
    g.adjacency = g.of((dp.REPLACE_ONE,) * 4 + (dp.ADD_REMOVE,) * 4 + (dp.Edits(g.small(), g.small()),))
    g.adjacency = adjacency(g.adjacency)
    n = int(g.of((1, 2, 5, 1000, 2**31, 2**32 + 1, 2**40)))
    rows = dp.rows(n=n if g.adjacency.n_is_public else None, d=g.small())
    kind = g.of(("zcdp", "gdp", "pure") if quick else ("zcdp", "gdp", "pure", "approx", "approx", "approx"))
    size = g.spread(-3, 1) if g.likely(MOSTLY) else g.of((g.spread(-12, 3), g.number()))
    delta = g.of((1e-6, 1e-12, 1e-300, 0.5, 0.999))
    makes: dict[str, Callable[[], Any]] = {
        "zcdp": lambda: dp.zcdp(rho=size),
        "gdp": lambda: dp.gdp(mu=size),
        "pure": lambda: dp.pure_dp(epsilon=size),
        "approx": lambda: dp.approx_dp(epsilon=size, delta=delta),
    }
    g.mechanisms = SPENT[kind]
    return plan(Program(g.program), x=rows, adjacency=g.adjacency, budget=makes[kind]())


def table(rng: np.random.Generator, d: int) -> Any:
    """Few rows or many, mild or extreme, some missing."""
    m = int(rng.choice([0, 1, 2, 3, 40]))
    rows = rng.normal(size=(m, d)) * 10.0 ** rng.choice([0, 0, 5, 300])
    rows[rng.random(rows.shape) < 0.05] = np.nan
    rows[rng.random(rows.shape) < 0.05] = np.finfo(np.float64).max
    return rows


def run_uncaught(made: Plan | Admitted, rows: Any, seed: int = 0) -> list[Any]:
    """Evaluate a plan on a table of any length, with nothing between an exception and the caller."""
    admitted = admit(made, simulated=True)
    n = len(rows) if admitted.checked.adjacency.n_is_public else None
    graph = attrs.evolve(admitted.graph, inputs=tuple(attrs.evolve(i, n=n) for i in admitted.graph.inputs))
    admitted = attrs.evolve(admitted, graph=graph)
    opened = open_tables(admitted, {"x": rows})
    session = Session(admitted, SeededSource(seed), Guard.of(admitted.checked), Progress(None), threads=1)
    scope = Scope(session, graph, values=dict(opened.values))
    found = scope.run(tuple(ref for _, ref in graph.outputs))
    for path, step in steps(graph, {}):
        if len(path) == 1:
            exact = scope.values[graph.node(path[0]).inputs[0]]
            exact = exact.value() if isinstance(exact, Deferred) else exact
            assert step is None or exact.step == step, path
    return found


def happens(seed: int, *, quick: bool = False) -> str:
    """``planned`` or ``refused``; anything else that happens is raised."""
    try:
        made = draw(seed, quick=quick)
    except dp.DpframeError as error:
        check_fix(error)
        return "refused"
    try:
        admitted = admit(made, simulated=True)
    except CertificateError as error:  # a certificate holds no larger numbers, so such a plan is not run
        assert "a whole number beyond 64 bits" in error.message  # noqa: PT017  of one run only
        return "refused"
    rng = np.random.default_rng(seed)
    d = made.graph.inputs[0].domain.d  # type: ignore[attr-defined]
    run_uncaught(admitted, table(rng, d))
    return "planned"

"""Refusals of the planner, each with the program refused and the program after its fix."""

from __future__ import annotations

import functools

import attrs

import dpframe as dp
from dpframe.planning.graph import Graph, Node
from dpframe.proof.spaces import Edits, Kind, Rows
from dpframe.proof.typed import Input, Ref
from tests.advice.programs import (
    BUDGET,
    ZEROS,
    Case,
    Lone,
    advised,
    agree,
    blocks,
    branch,
    branched,
    cells,
    compared,
    count,
    count_agreement,
    divide,
    fixed,
    g,
    gaussian,
    gram,
    impostor,
    looked_up,
    loop,
    make,
    masked,
    mixed,
    nested,
    owned,
    p,
    q,
    raised,
    ran,
    scripted,
    split,
    viewed,
)
from tests.papers.skeletons.stubs import ball, planned, state
from tests.planning.graphs import COUNT, HERE, OUT, PARTS, TABLE, graph, node

AGREE, DIVIDE, COUNT_IT = (functools.cache(make) for make in (q(agree), p(divide), p(count)))
CASES: list[Case] = [
    # ------------------------------------------------------------------------------------- plan, checks
    ("no budget", p(count, budget=1.0), COUNT_IT),
    ("no table", lambda: make(Graph((Input("x", Kind.PUBLIC, Rows(2), 5),), (HERE,), (("h", Ref("here")),))), COUNT_IT),
    ("two tables", g(COUNT, OUT, inputs=(TABLE, attrs.evolve(TABLE, name="y"))), g(COUNT, OUT)),
    (
        "a released table",
        g(COUNT, OUT, inputs=(TABLE, Input("y", Kind.RELEASED, Rows(2), 5))),
        g(COUNT, OUT, inputs=(TABLE, Input("y", Kind.PUBLIC, Rows(2), 5))),
    ),
    ("bounded rows", g(COUNT, OUT, inputs=(attrs.evolve(TABLE, domain=Rows(2, "unit_ball")),)), g(COUNT, OUT)),
    ("asserted, and nobody allows it", p(owned), p(owned, allow_asserted=True)),
    ("a permission in words", p(count, allow_asserted="no"), p(count)),
    (
        "asserted in a loop",
        p(loop(lambda item, rows: owned(rows)), allow_asserted=True),
        p(owned, allow_asserted=True),
    ),
    (
        "asserted in no file",
        compared("advice.nowhere", "<string>"),
        compared("advice.somewhere", __file__),
    ),
    ("no rows", p(count, n=0), p(count, n=1)),
    ("half a row", g(COUNT, OUT, inputs=(attrs.evolve(TABLE, n=2.5),)), g(COUNT, OUT)),
    ("n is not declared", p(count, n=None), p(count, n=1000)),
    (
        "blocks of a part",
        p(lambda x: count(dp.transform("secret_pairs", split(x)[0])), adjacency=dp.ADD_REMOVE, n=None),
        p(lambda x: count(split(dp.transform("secret_pairs", x))[0]), adjacency=dp.ADD_REMOVE, n=None),
    ),
    (
        "pairs of a part",
        p(lambda x: count(dp.transform("secret_pairs", split(x)[0]))),
        p(lambda x: count(split(dp.transform("secret_pairs", x))[0])),
    ),
    (
        "pairs in a body",
        p(lambda x: branch(lambda r: count(dp.transform("secret_pairs", r)), count, x)),
        p(lambda x: branch(count, count, dp.transform("secret_pairs", x))),
    ),
    (
        "blocks of pairs",
        p(lambda x: count_agreement(blocks(dp.transform("pairs", x)))),
        p(lambda x: count_agreement(blocks(x))),
    ),
    (
        "blocks under add/remove",
        p(lambda x: count_agreement(blocks(x)), adjacency=dp.ADD_REMOVE, n=None),
        p(lambda x: count_agreement(blocks(x))),
    ),
    (
        "more blocks than rows",
        p(lambda x: count_agreement(blocks(x, t=101)), n=100),
        p(lambda x: count_agreement(blocks(x, t=100)), n=100),
    ),
    (
        "a secret order of too many rows",
        p(lambda x: count(dp.transform("secret_pairs", x)), n=2**33),
        p(lambda x: count(dp.transform("pairs", x)), n=2**33),
    ),
    ("no such mechanism", looked_up("cc"), looked_up("c")),
    ("tables without names", ran(ZEROS, ZEROS), ran(x=ZEROS)),
    ("an unknown accountant", viewed("guess"), viewed("gdp")),
    # --------------------------------------------------------------------------------------------- names
    ("an unknown input", g(COUNT, node("out", "laplace", "m", share=1.0)), g(COUNT, OUT)),
    ("an unknown output", g(COUNT, OUT, outputs=("other",)), g(COUNT, OUT)),
    (
        "a part that is not there",
        g(HERE, PARTS, node("n", "count", "parts[2]"), OUT),
        g(HERE, PARTS, node("n", "count", "parts[0]"), OUT),
    ),
    ("an output that is a whole partition", g(HERE, PARTS, COUNT, OUT, outputs=("out", "parts")), g(COUNT, OUT)),
    (
        "a cycle",
        g(node("a", "minimum", ("b", "n")), node("b", "maximum", ("a", "n")), COUNT, OUT),
        g(node("a", "minimum", "n"), COUNT, OUT),
    ),
    ("no name", g(node("a b", "count", "x"), COUNT, OUT), g(node("a_b", "count", "x"), COUNT, OUT)),
    ("a name taken", g(COUNT, COUNT, OUT), g(COUNT, node("m", "count", "x"), OUT)),
    ("no output", g(COUNT, OUT, outputs=()), g(COUNT, OUT)),
    ("outputs of one name", g(COUNT, OUT, outputs=("out", "out")), g(COUNT, OUT)),
    ("a private output", p(dp.count), COUNT_IT),
    # ------------------------------------------------------------------------------------- operations, taint
    (
        "not registered",
        lambda: make(graph(Node("n", type("Own", (Lone,), {"name": "own", "__doc__": "x"})(), (Ref("x"),)), OUT)),
        g(COUNT, OUT),
    ),
    ("calls itself something else", p(lambda x: dp.transform("advice.wrong", dp.count(x))), COUNT_IT),
    ("goes by another's name", impostor, g(COUNT, OUT)),
    (
        "a domain that can't be computed",
        p(lambda x: dp.transform("advice.odd", count(x))),
        p(lambda x: dp.transform("advice.odd", count(x), parts=3)),
    ),
    ("cites what it may not", p(lambda x: dp.transform("advice.lone", dp.count(x))), COUNT_IT),
    ("bodies of another operation", g(*branched(("otherwise", "then"))), g(*branched(("then", "otherwise")))),
    ("one input too many", p(lambda x: gaussian(dp.transform("count", x, x))), p(lambda x: gaussian(dp.count(x)))),
    (
        "a private parameter",
        p(lambda x: dp.clip(x, dp.mean(dp.clip(x, ball(2))))),
        p(lambda x: gaussian(dp.sum(dp.clip(x, ball(2, gaussian(dp.sum(dp.clip(x, ball(2))))))), "after")),
    ),
    ("a value outside its branch", q(lambda x: agree(x, outside=True)), AGREE),
    (
        "a post node that peeks",
        p(lambda x: dp.transform("advice.peek", x)),
        p(lambda x: dp.transform("advice.peek", count(x))),
    ),
    (
        "values of two parts",
        p(lambda x: gaussian(dp.transform("minimum", *(dp.count(part) for part in split(x))))),
        p(lambda x: gaussian(dp.transform("minimum", dp.count(split(x)[0])))),
    ),
    ("no test", q(lambda x: agree(x, stand_in=True)), AGREE),
    ("a test of other blocks", q(lambda x: agree(x, tested=1)), AGREE),
    (
        "a body that takes another number",
        g(*branched(("then", "otherwise"), rows=2)),
        g(*branched(("then", "otherwise"))),
    ),
    (
        "a loop over no list",
        p(lambda x: dp.for_each("f", ball(2), lambda i, r: count(r), x, share=1.0, max_length=2)),
        p(loop(lambda i, r: count(r, kind="gaussian"))),
    ),
    (
        "captured parts",
        p(lambda x: branch(lambda a, b: state(), lambda a, b: state(), *split(x))),
        p(lambda x: state(count(x), branch(lambda a: state(), lambda a: state(), split(x)[0]))),
    ),
    # ------------------------------------------------------------------------------------------- control
    ("decided by no test", p(lambda x: branch(count, count, x, test=ball(2))), p(lambda x: branch(count, count, x))),
    (
        "a loop's share that is no number",
        p(loop(lambda i, r: count(r, kind="gaussian"), share="much")),
        p(loop(lambda i, r: count(r, kind="gaussian"), share=1.0)),
    ),
    (
        "two values of a body",
        p(lambda x: branch(lambda r: {"a": count(r), "b": state()}, count, x)),
        p(lambda x: branch(count, count, x)),
    ),
    ("branches that differ", p(lambda x: branch(lambda r: state(), count, x)), p(lambda x: branch(count, count, x))),
    ("a division without halves", p(lambda x: divide(x, out={"left": state()})), DIVIDE),
    ("a state of another kind", p(lambda x: divide(x, left=lambda: ball(2))), DIVIDE),
    (
        "sizes of a vector",
        p(lambda x: count_agreement(blocks(x, size=[2, 2]))),
        p(lambda x: count_agreement(blocks(x))),
    ),
    (
        "blocks of clipped rows",
        p(lambda x: count_agreement(blocks(dp.clip(x, ball(2))))),
        p(lambda x: count_agreement(blocks(x))),
    ),
    ("a learner of the script", scripted("__main__"), scripted("plugin")),
    # ------------------------------------------------------------------------------------- composition
    ("views of nested loops", p(lambda x: nested(x, "zcdp")), p(lambda x: nested(x, "gdp"))),
    ("a division of two rows", p(divide, adjacency=Edits(2, 2)), DIVIDE),
    ("no children", p(lambda x: divide(x, name="halves")), DIVIDE),
    (
        "children of other rows",
        p(lambda x: divide(x, rows_of=lambda rows: dp.transform("rescale", rows, dp.constant([1.0, 1.0])))),
        p(divide),
    ),
    (
        "categories of two rows",
        p(lambda x: dp.by_category("each", x, count, categories=2), adjacency=Edits(2, 2)),
        p(lambda x: dp.by_category("each", x, count, categories=2)),
    ),
    (
        "categories in a body",
        p(lambda x: branch(*[lambda r: dp.by_category("each", r, count, categories=2)] * 2, x)),
        p(lambda x: dp.by_category("each", x, count, categories=2)),
    ),
    (
        "secret parts of two rows",
        p(lambda x: count(dp.transform("secret_split", x, count=2)[0]), adjacency=Edits(2, 2)),
        p(lambda x: count(dp.transform("secret_split", x, count=2)[0])),
    ),
    (
        "a cut of what a rule cut",
        p(lambda x: count(dp.transform("split", split(x)[0], count=2)[0])),
        p(lambda x: count(split(dp.transform("split", x, count=2)[0])[0])),
    ),
    (
        "a sample without pure loss",
        p(lambda x: count(dp.transform("subsample", x, rate=0.1)[0], kind="gaussian")),
        p(lambda x: count(dp.transform("subsample", x, rate=0.1)[0])),
    ),
    # ------------------------------------------------------------------------------------- solver, lattices
    ("a loop that releases nothing", p(loop(lambda i, r: state(i))), p(lambda x: state(count(x)))),
    ("fixed noise in a loop", p(loop(lambda i, r: count(r, kind="gaussian", noise_multiplier=9.0))),
     p(loop(lambda i, r: count(r, kind="gaussian")))),
    (
        "a part of δ that is too small",
        p(lambda x: cells(x, fraction=1e-250), budget=dp.approx_dp(epsilon=1.0, delta=1e-100)),
        p(lambda x: cells(x, fraction=1e-10), budget=dp.approx_dp(epsilon=1.0, delta=1e-100)),
    ),
    (
        "more budget than can be spent",
        p(count, budget=dp.zcdp(rho=1e15)),
        lambda: planned(count, budget=dp.zcdp(rho=advised(p(count, budget=dp.zcdp(rho=1e15)), r"lower rho to (\S+)"))),
    ),
    ("a part of δ of none", p(cells), q(cells)),
    (
        "fractions of δ that sum to more",
        q(lambda x: state(*(cells(x, f"h{i}", 0.4) for i in range(3)))),
        q(lambda x: state(*(cells(x, f"h{i}", 0.4 / 1.21) for i in range(3)))),
    ),
    (
        "δ that is no fraction",
        p(masked, budget=dp.approx_dp(epsilon=60.0, delta=1e-31)),
        lambda: planned(masked, budget=dp.approx_dp(epsilon=60.0, delta=advised(
            p(masked, budget=dp.approx_dp(epsilon=60.0, delta=1e-31)), r"raise delta to (\S+)"))),
    ),
    ("no pure loss", p(lambda x: count(x, kind="gaussian"), budget=dp.pure_dp(epsilon=1.0)),
     p(lambda x: count(x, kind="gaussian"))),
    ("no pure loss, by another mechanism", p(lambda x: count(x, kind="gaussian"), budget=dp.pure_dp(epsilon=1.0)),
     p(count, budget=dp.pure_dp(epsilon=1.0))),
    ("no pure loss, in zCDP", p(lambda x: count(x, kind="gaussian"), budget=dp.pure_dp(epsilon=1.0)),
     p(lambda x: count(x, kind="gaussian"), budget=dp.zcdp(rho=1.0))),
    ("no pure loss of fixed noise", q(fixed(5.0), budget=dp.pure_dp(epsilon=1.0)), q(fixed(5.0))),
    (
        "no GDP of the discrete Gaussian",
        p(lambda x: count(x, kind="discrete_gaussian"), budget=dp.gdp(mu=1.0)),
        p(lambda x: count(x, kind="gaussian"), budget=dp.gdp(mu=1.0)),
    ),
    (
        "no GDP of the discrete Gaussian, in zCDP",
        p(lambda x: count(x, kind="discrete_gaussian"), budget=dp.gdp(mu=1.0)),
        p(lambda x: count(x, kind="discrete_gaussian"), budget=dp.zcdp(rho=1.0)),
    ),
    (
        "no GDP of the discrete Gaussian, in epsilon and delta",
        p(lambda x: count(x, kind="discrete_gaussian"), budget=dp.gdp(mu=1.0)),
        q(lambda x: count(x, kind="discrete_gaussian")),
    ),
    ("above the budget", q(fixed(0.5)), lambda: planned(fixed(0.5), budget=raised(fixed(0.5)))),
    (
        "above the budget by noise",
        q(fixed(0.5)),
        lambda: planned(fixed(advised(q(fixed(0.5)), r" 0.5 to ([\d.]+)")), budget=BUDGET),
    ),
    ("above the budget by a share", q(fixed(0.5)), q(lambda x: count(x, kind="gaussian"))),
    ("above the budget together", q(fixed(0.5, 0.5)), q(lambda x: state(count(x), count(x, "d")))),
    ("above the budget, with shares", p(mixed(0.5), budget=dp.gdp(mu=1.0)),
     lambda: planned(mixed(0.5), budget=dp.gdp(mu=advised(p(mixed(0.5), budget=dp.gdp(mu=1.0)), r"mu to ([\d.]+)")))),
    (
        "noise that can't be drawn, by bits",
        p(lambda x: gram(x, 26), budget=dp.zcdp(rho=1e-7)),
        p(lambda x: gram(x, 18), budget=dp.zcdp(rho=1e-7)),
    ),
    (
        "noise that can't be drawn, by budget",
        p(lambda x: gram(x, 26), budget=dp.zcdp(rho=1e-7)),
        p(lambda x: gram(x, 26), budget=dp.zcdp(rho=1e-4)),
    ),
]  # fmt: skip

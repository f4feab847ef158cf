"""Specs: what is refused and with which hint, what a setting changes, and that a spec as run is the same plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DataError, DpframeError, PlanError, SpecError
from dpframe.front.specs import load_spec, parse_spec, prepare, tables_of
from tests.small_specs import SMALL

ROOT = Path(__file__).parents[2]
SIZES = ["n=1000", "d=2"]


def small(*settings: str) -> Any:
    return parse_spec(SMALL).set([*SIZES, *settings])


def refusal(text: str, settings: list[str]) -> str:
    with pytest.raises(DpframeError) as caught:
        parse_spec(text, "here").set(settings).plan()
    return str(caught.value)


# ----------------------------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("epsilon=-1", "positive"),
        ("epsilon=nan", "positive"),
        ("epsilon=inf", "positive"),
        ("epsilon=abc", "'abc'"),
        ("epsilon=1" + "0" * 400, "positive"),
        ("delta=0", "between 0 and 1"),
        ("delta=1", "between 0 and 1"),
        ("rho=0", "positive"),
        ("n=0", "at least 1"),
        ("n=99999999999999999999999", "at most 2^53 = 9007199254740992"),
        ("n=1_000", "without underscores"),
        ("epsilon=1_0", "not '1_0': numbers are written with the digits 0 to 9 alone"),
        ("epsilon=\uff11", "the digits 0 to 9 alone"),
        ("delta=1e-400", "not '1e-400': float64 holds"),
        ("bound=-1e400", "not '-1e400': float64 holds"),
        ("columns=a,b,a", "'a' is there twice"),
        ("EPSILON=1", "did you mean 'epsilon'"),
        ("n=2.5", "at least 1"),
        ("n=1e300", "at least 1"),
        ("n=1" + "0" * 400, "at least 1"),
        ("d=-3", "at least 1"),
        ("d=true", "at least 1"),
        ("adjacency=whatever", "replace_one, add_remove"),
        ("columns=a,a", "distinct"),
        ("columns=a,,b", "distinct"),
        ("share=6", "at most 5"),
        ("bits=25", "at most 24"),
        ("noise=pink", "gaussian, laplace"),
        ("epsilonn=1", "did you mean 'epsilon'?"),
        ("boundd=1", "did you mean 'bound'?"),
        ("colour=red", "unknown key 'colour'"),
        ("zzz=1", "known:"),
        ("noequals", "KEY=VALUE"),
        ("=1", "KEY=VALUE"),
        ("n=", "KEY=VALUE"),
        ("n= ", "KEY=VALUE"),
    ],
)
def test_wrong_settings_are_refused(setting: str, says: str) -> None:
    assert says in refusal(SMALL, [*SIZES, setting])


@pytest.mark.parametrize(
    ("settings", "key", "value"),
    [
        (["n=7", "n=9"], "n", 9),
        (["n=abc", "n=9"], "n", 9),
        (["n=1e3"], "n", 1000),
        ([" n = 12 "], "n", 12),
        (["columns=a, b"], "columns", ("a", "b")),
        (["epsilon=2"], "budget", {"epsilon": 2.0, "delta": 1e-6}),
        (["delta=1e-9"], "budget", {"epsilon": 1.0, "delta": 1e-9}),
        (["rho=0.5"], "budget", {"rho": 0.5}),
    ],
)
def test_settings_change_the_spec(settings: list[str], key: str, value: Any) -> None:
    assert getattr(parse_spec(SMALL).set(settings), key) == value


def test_settings_by_mapping_are_checked_too() -> None:
    assert parse_spec(SMALL).set({"n": 5, "columns": [0, "b"]}).columns == ("0", "b")
    for wrong in ({"epsilon": True}, {"n": 2.5}, {"nn": 1}, {"noise": 3}, {"bound": "4"}, {"epsilon": float("nan")}):
        with pytest.raises(SpecError):
            parse_spec(SMALL).set(wrong)


@pytest.mark.parametrize(
    ("written", "settings", "says"),
    [
        ("epsilon = 1.0\ndelta = 1e-6", ["rho=1", "epsilon=1"], "not both"),
        ("epsilon = 1.0\ndelta = 1e-6", ["rho=1", "delta=1e-6"], "not both"),
        ("rho = 1.0", ["epsilon=1"], "delta is missing"),
        ("rho = 1.0", ["delta=0.1"], "epsilon is missing"),
        ("mu = 1.0", ["epsilon=1"], "delta is missing"),
        ("rho = 1.0\nepsilon = 1.0", [], "not both"),
        ("", [], "the budget is missing"),
        ("", ["delta=0.1"], "the budget is missing"),
        ("epsilon = -1.0", [], "positive"),
        ("eps = 1.0", [], "did you mean"),
    ],
)
def test_budgets_that_are_refused(written: str, settings: list[str], says: str) -> None:
    assert says in refusal(SMALL.replace("epsilon = 1.0\ndelta = 1e-6", written), [*SIZES, *settings])


@pytest.mark.parametrize(
    ("settings", "accountant"), [(["rho=0.5"], "zcdp"), (["epsilon=1", "delta=1e-5"], "gdp"), ([], "gdp")]
)
def test_each_form_of_budget_plans(settings: list[str], accountant: str) -> None:
    assert small(*settings).plan().verdict.accountant == accountant


def test_a_zcdp_budget_is_refused_where_a_node_needs_delta() -> None:
    spec = load_spec("practical_gmm", ["k=2", "d=4", "n=1000", "bound=10", "rho=0.5"])
    with pytest.raises(PlanError, match=r"first\.cells.*δ.*epsilon and delta"):
        spec.plan()


# --------------------------------------------------------------------------------- sizes, adjacency


def test_n_is_declared_under_replace_one_and_ignored_under_add_remove() -> None:
    with pytest.raises(PlanError, match=r"number of rows.*--set n="):
        parse_spec(SMALL).set(["d=2"]).plan()
    plan = parse_spec(SMALL).set(["d=2", "n=50", "adjacency=add_remove"]).plan()
    assert [i.n for i in plan.graph.inputs] == [None]
    with pytest.raises(SpecError, match="needs 'd'"):
        parse_spec(SMALL).set(["n=5"]).plan()


def test_columns_give_the_width() -> None:
    assert parse_spec(SMALL).set(["n=9", "columns=a,b,c"]).width == 3
    with pytest.raises(SpecError, match="d = 2, and 3 columns"):
        small("columns=a,b,c").plan()


def test_prepare_reads_the_open_sizes_from_the_table() -> None:
    rows = np.zeros((7, 3))
    spec, plan = prepare(parse_spec(SMALL), rows)
    assert (spec.n, spec.d, plan.graph.inputs[0].n) == (7, 3, 7)
    spec, plan = prepare(parse_spec(SMALL).set(["adjacency=add_remove"]), rows)
    assert (spec.n, spec.d, plan.graph.inputs[0].n) == (None, 3, None)
    with pytest.raises(DataError, match="no rows"):
        prepare(parse_spec(SMALL), np.zeros((0, 3)))


def test_a_width_that_a_spec_has_not_is_told_how_columns_are_chosen() -> None:
    with pytest.raises(SpecError, match=r"d = 1, not 2. Fix: leave d out; of a table with more columns name that many"):
        load_spec("aal21_univariate", {"k": 2, "n": 500, "d": 2}).plan()


def test_tables_are_matched_to_what_the_spec_takes() -> None:
    spec = parse_spec(SMALL)
    assert tables_of(spec, "a", None) == {"x": "a"}
    with pytest.raises(SpecError, match="takes no public table"):
        tables_of(spec, "a", "b")
    two = parse_spec(SMALL.replace("[[node]]", '[tables.p]\nkind = "public"\n\n[[node]]', 1))
    assert tables_of(two, "a", "b") == {"x": "a", "p": "b"}
    with pytest.raises(SpecError, match="needs the public table 'p'"):
        tables_of(two, "a", None)


# ---------------------------------------------------------------------------------------- documents


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('name = "small"\n', "", "'name' must be text"),
        ('title = "A', 'titel = "A', "did you mean 'title'"),
        ('op = "clip_ball"', 'op = "clip_bal"', "did you mean 'clip_ball'"),
        ('op = "clip_ball"', 'op = "os.system"', "unknown operation"),
        ('op = "clip_ball"', "", "op must be a plain word"),
        ('bits = "$bits"', "bitz = 20", "did you mean 'bits'"),
        ('share = "$share"', "", "exactly one of share and noise_multiplier"),
        ('share = "$share"', 'share = "$shore"', "unknown key 'shore'"),
        ('share = "$share"', 'share = "much"', "share must be a number"),
        ('inputs = ["x", "ball"]', 'inputs = ["x", "bal"]', "did you mean 'ball'"),
        ('inputs = ["x", "ball"]', 'inputs = ["x", "mean"]', "no earlier node, and a graph has no cycles"),
        ('inputs = ["x", "ball"]', 'inputs = "x"', "list of references"),
        ('inputs = ["x", "ball"]', 'inputs = ["x"]', "takes inputs (rows, ball)"),
        ('name = "inside"', 'name = "in side"', "plain word"),
        ('name = "inside"', 'name = ["inside"]', "plain word"),
        ('name = "inside"', "name = {a = 1}", "plain word"),
        ('name = "inside"', "name = 3", "plain word"),
        ('name = "inside"', 'name = "ball"', "two nodes are named 'ball'"),
        ('mean = "mean"', 'mean = "inside"', "private value"),
        ('mean = "mean"', 'mean = "men"', "did you mean 'mean'"),
        ('[outputs]\nmean = "mean"', "", "[outputs]"),
        ('kind = "private"', 'kind = "secret"', "private or public"),
        ('kind = "private"', 'kind = "public"', "one private table"),
        ('d = "$d"\nn = "$n"', "d = 5", "not 2"),
        ('d = "$d"\nn = "$n"', 'd = "$dd"', "tables.x.d"),
        ('d = "$d"\nn = "$n"', "m = 5", "unknown entry 'm'"),
        ('adjacency = "replace_one"', 'adjacency = "swap"', "replace_one, add_remove"),
        ('adjacency = "replace_one"', "", "names no adjacency"),
        ('adjacency = "replace_one"', "adjacency = {removed = 0, added = 0}", "at least one row"),
        ('type = "choice"', 'type = "chooce"', "type must be one of"),
        ('type = "choice"', "", "type must be one of"),
        ("max = 24", 'max = "24"', "max has a wrong type"),
        ("max = 24", "maxx = 24", "did you mean 'max'"),
        ("default = 10.0", "default = -10.0", "'bound' must be a positive"),
        ("[keys.bound]", "[keys.epsilon]", "built in"),
        ("default = 10.0", "", "needs 'bound'"),
        ('title = "A clipped mean"', "title = = 3", "not TOML"),
        ('title = "A clipped mean"', "title = " + "[" * 5000, "not TOML"),
        ("[[node]]", "[[nodes]]", "did you mean 'node'"),
    ],
)
def test_documents_that_are_refused(old: str, new: str, says: str) -> None:
    assert old in SMALL
    assert says in refusal(SMALL.replace(old, new), SIZES)


def test_a_control_node_needs_its_bodies() -> None:
    node = """
[[node]]
name = "loop"
op = "for_each"
inputs = ["mean"]
share = 1.0
max_length = 3
"""
    text = SMALL.replace("[outputs]", node + "\n[outputs]")
    assert "[node.body]" in refusal(text, SIZES)
    assert "needs outputs" in refusal(text.replace("max_length = 3", "max_length = 3\n[node.body]\ninputs = []"), SIZES)
    assert "takes inputs, node and outputs" in refusal(text.replace("= 3", "= 3\n[node.body]\nrows = 1"), SIZES)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("share = 0.2", "shear = 0.2", "did you mean 'share'"),
        ("share = 0.2", "", "needs share"),
        (
            '"located.ball", "located.count", "units", "located.near"]\nk',
            "]\nk",
            "takes inputs (x, ball, count, units, near)",
        ),
        ('"located.ball", "located.count", ', '"located.bal", "located.count", ', "did you mean 'located.ball'"),
        ('inputs = ["x"]', 'inputs = ["x", "x"]', "takes inputs (x)"),
        ('k = "$k"', 'k = "many"', "whole number"),
    ],
)
def test_composites_are_checked_before_they_expand(old: str, new: str, says: str) -> None:
    text = (ROOT / "specs" / "practical_gmm.toml").read_text()
    assert old in text
    assert says in refusal(text.replace(old, new, 1), ["k=2", "d=3", "n=1000", "bound=10"])


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("practical_gm", "did you mean 'practical_gmm'"),
        ("nowhere/practical_gmm.toml", "can't be read"),
        (".", "can't be read"),
    ],
)
def test_specs_that_are_not_there(where: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        load_spec(where)


def test_a_spec_that_is_no_text_or_too_large(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SpecError, match="not text"):
        load_spec(tmp_path / "a.toml")
    with (tmp_path / "b.toml").open("wb") as file:
        file.truncate(2**25)
    with pytest.raises(SpecError, match="too large"):
        load_spec(tmp_path / "b.toml")


def test_an_optional_key_that_is_not_set_leaves_its_parameter_out() -> None:
    def bits(*settings: str) -> Any:
        return small(*settings).plan().graph.node("inside").operation.parameters()["bits"]

    assert (bits(), bits("bits=12")) == (20, 12)


def test_a_reference_to_a_later_node_is_told_from_one_to_nothing() -> None:
    """What comes later is a question of order or a cycle; a word of a node that is there is a slip."""
    for old, new, words in (
        (
            'inputs = ["inside"]',
            'inputs = ["mean"]',
            "node 'sums': 'mean' is no earlier node, and a graph has no cycles",
        ),
        ('inputs = ["inside"]', 'inputs = ["sums"]', "'sums' is no earlier node, .* by for_each or recurse"),
        ('inputs = ["inside"]', 'inputs = ["inside.sum"]', "unknown reference 'inside.sum'"),
        ('mean = "mean"', 'mean = "mean.value"', "unknown reference 'mean.value'"),
    ):
        with pytest.raises(SpecError, match=f"(?s){words}"):
            parse_spec(SMALL.replace(old, new)).set(["n=1000", "d=2"]).plan()

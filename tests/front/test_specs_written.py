"""Specs that are shipped or written by dpframe read back as the same plan."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpframe as dp
from dpframe.errors import SpecError, nearest
from dpframe.front.specs import dump, dumps, load_spec, parse_spec, prepare, shipped, split_setting
from dpframe.front.specs.building import RESERVED
from dpframe.kernel import registry
from tests.planning.examples import CASES, plan_of
from tests.small_specs import SMALL, example

ROOT = Path(__file__).parents[2]
SIZES = ["n=1000", "d=2"]


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_spec_as_run_is_the_same_plan_and_the_same_bytes(name: str) -> None:
    spec = example(name)
    plan = spec.plan()
    text = spec.written(plan)
    assert "$" not in text
    again = parse_spec(text)
    replanned = again.plan()
    assert again.written(replanned) == text == spec.written(spec.plan())
    assert replanned.calibrations == plan.calibrations
    assert replanned.to_json() == plan.to_json()
    assert again.set([f"n={spec.n}"]).plan().to_json() == plan.to_json()
    with pytest.raises(SpecError, match="has n"):
        again.set({"n": (spec.n or 0) + 1}).plan()


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_spec_says_what_it_is(name: str) -> None:
    spec = load_spec(name)
    assert spec.name == name
    assert spec.title
    assert spec.source
    assert spec.adjacency is not None
    assert spec.budget


@pytest.mark.parametrize("case", CASES)
def test_any_plan_can_be_written_and_read_back(case: str) -> None:
    plan = plan_of(case)
    text = dump(plan, name="case")
    again = parse_spec(text).plan(allow_asserted=True)
    assert dump(again, name="case") == text
    assert again.graph == plan.graph
    assert again.adjacency == plan.adjacency
    assert again.calibrations == plan.calibrations


def test_the_practical_spec_is_the_practical_composite() -> None:
    """The shares in the files are those of plugins/practical/recipe.py: change them together."""

    @dp.program
    def whole(x: Any) -> Any:
        return dp.apply("m", dp.recipe("practical_mixture", k=3, bound=100.0, seed=4), x)

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    plan = dp.plan(whole, x=dp.rows(n=10_000, d=5), adjacency="replace_one", budget=budget)
    written = load_spec("practical_gmm", ["k=3", "bound=100", "seed=4", "n=10000", "d=5"]).plan()
    quick = load_spec("flights", ["k=3", "bound=100", "seed=4", "n=10000", "columns=a,b,c,d,e"]).plan()
    expected = list(plan.calibrations.values())
    for other in (written, quick):
        for ours, theirs in zip(expected, other.calibrations.values(), strict=True):
            assert ours == pytest.approx(theirs, rel=1e-9)


def test_a_pure_value_of_a_key_never_runs_as_code() -> None:
    text = SMALL.replace('title = "A clipped mean"', "title = \"__import__('os').system('false')\"")
    assert parse_spec(text).title.startswith("__import__")


def test_no_operation_has_a_parameter_that_a_spec_reserves() -> None:
    import attrs

    for name, operation in registry.operations().items():
        fields = {a.name for a in attrs.fields(operation) if a.init}
        assert not fields & {*RESERVED, *getattr(operation, "bodies", ())}, name


# ------------------------------------------------------------------------------------------- helpers

scalars = st.one_of(
    st.booleans(),
    st.integers(min_value=-(2**63), max_value=2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=5)
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
documents = st.recursive(
    st.dictionaries(names, values, max_size=4),
    lambda inner: st.dictionaries(names, st.one_of(values, inner, st.lists(inner, min_size=1, max_size=2)), max_size=3),
    max_leaves=6,
)


@given(documents)
def test_what_is_written_is_read_back(document: dict[str, Any]) -> None:
    assert tomllib.loads(dumps(document)) == document


def test_what_toml_has_no_form_for_is_refused() -> None:
    with pytest.raises(SpecError, match="no form"):
        dumps({"a": [None]})


def test_hints_and_settings() -> None:
    assert nearest("epsilonn", ["epsilon", "delta"]) == "did you mean 'epsilon'?"
    assert nearest("zzz", ["b", "a"]) == "known: a, b"
    assert split_setting("a=b=c") == ("a", "b=c")


def test_the_documented_specs_plan() -> None:
    """The first block of docs/specs.md is whole; then nodes over its mean and its table; then one over balls."""
    blocks = (ROOT / "docs" / "specs.md").read_text().split("```toml\n")[1:5]
    whole, half, product, loop = (block.split("```")[0] for block in blocks)
    assert parse_spec(whole).set(SIZES).plan().verdict.holds
    assert parse_spec(whole.replace("[outputs]", half + "\n[outputs]")).set(SIZES).plan().verdict.holds
    counted = '[[node]]\nname = "n"\nop = "count"\ninputs = ["product"]\n\n[[node]]\nname = "told"\nop = "laplace"\n'
    counted += 'inputs = ["n"]\nshare = 1.0\n\n[outputs]\ntold = "told"\n'
    assert parse_spec(whole.partition("[[node]]\nname")[0] + product + counted).set(SIZES).plan().verdict.holds
    balls = '[[node]]\nname = "balls"\nop = "test.balls"\n\n'
    text = whole.partition("[[node]]\nname")[0] + balls + loop + '\n[outputs]\nsums = "sums"\n'
    assert parse_spec(text).set(SIZES).plan().verdict.holds


@pytest.mark.parametrize(
    ("name", "given", "missing"),
    [
        ("practical_gmm", [], ["k", "bound", "d", "n"]),
        ("practical_gmm", ["adjacency=add_remove"], ["k", "bound", "d"]),
        ("practical_gmm", ["k=2", "columns=a,b"], ["bound", "n"]),
    ],
)
def test_all_missing_keys_are_reported_at_once(name: str, given: list[str], missing: list[str]) -> None:
    with pytest.raises(SpecError) as caught:
        load_spec(name, given).plan()
    assert caught.value.fix == " ".join(f"--set {key}=..." for key in missing)
    assert all(f"{key!r}" in caught.value.message for key in missing)


def test_a_table_gives_its_sizes_but_no_other_key() -> None:
    with pytest.raises(SpecError) as caught:
        prepare(load_spec("practical_gmm"), np.zeros((10, 2)))
    assert caught.value.fix == "--set k=... --set bound=..."

"""Verbs against the operations they stand for: parameters, defaults, documents; and what misuse is told."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, get_type_hints

import attrs
import pytest

import dpframe as dp
import dpframe.plugin
from dpframe.front import api
from dpframe.front.verbs import NAMED, WITHOUT
from dpframe.front.verbs.nodes import verb
from dpframe.kernel import registry
from dpframe.kernel.operations import Mechanism, Operation

OF_TESTS = ("testing.", "example.", "test.")
KERNEL = {
    name: cls
    for name, cls in registry.operations().items()
    if cls.__module__.startswith("dpframe.") and not name.startswith(OF_TESTS)
}
NODE_NAME = {"name"}
OTHER_FIELDS = {"constant": {"values", "shape"}}
"""Fields that a verb computes from what it is given."""
SECTIONS = ("Parameters", "Returns", "Raises", "Formal guarantees", "Examples")


def verb_of(name: str) -> Callable[..., Any]:
    function = getattr(dp, NAMED.get(name, name))
    assert inspect.isfunction(function)
    return function


def declared(cls: type[Operation]) -> dict[str, Any]:
    """Fields and defaults of an operation, ``inspect.Parameter.empty`` where there is none."""
    return {
        a.name: inspect.Parameter.empty if a.default is attrs.NOTHING else a.default
        for a in attrs.fields(cls)
        if a.init
    }


def keywords(function: Callable[..., Any]) -> dict[str, Any]:
    found = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in found if p.kind is p.KEYWORD_ONLY and p.name not in NODE_NAME}


def mismatch(function: Callable[..., Any], cls: type[Operation]) -> set[str]:
    """Keyword parameters that differ from the operation's fields, in name or default."""
    have, want = keywords(function), declared(cls)
    want = {k: v for k, v in want.items() if k not in OTHER_FIELDS.get(cls.name, set())}
    return {k for k in have.keys() | want.keys() if k not in have or k not in want or have[k] != want[k]}


@pytest.mark.parametrize("name", sorted(KERNEL))
def test_every_kernel_operation_has_a_verb_or_a_reason(name: str) -> None:
    assert (name in WITHOUT) != (NAMED.get(name, name) in api.__all__)


def test_reasons_are_of_operations_that_exist() -> None:
    assert set(WITHOUT) | set(NAMED) <= set(KERNEL)


@pytest.mark.parametrize("name", sorted(set(KERNEL) - set(WITHOUT)))
def test_a_verb_has_the_parameters_of_its_operation(name: str) -> None:
    assert mismatch(verb_of(name), KERNEL[name]) == set()


def test_a_planted_verb_is_caught() -> None:
    def misspelt(x: Any, *, bit: int = 20) -> None: ...
    def wrong_default(x: Any, *, bits: int = 19) -> None: ...

    assert mismatch(misspelt, KERNEL["mean"]) == {"bit", "bits"}
    assert mismatch(wrong_default, KERNEL["mean"]) == {"bits"}


@pytest.mark.parametrize("name", sorted(set(KERNEL) - set(WITHOUT)))
def test_a_verb_takes_the_inputs_of_its_operation(name: str) -> None:
    cls, found = KERNEL[name], inspect.signature(verb_of(name)).parameters.values()
    handles = [p for p in found if p.kind is not p.KEYWORD_ONLY and "Handle" in str(p.annotation)]
    slots = () if issubclass(cls, Mechanism) else cls.slots
    assert [p.kind is p.VAR_POSITIONAL for p in handles] == [slot.variadic for slot in slots]


@pytest.mark.parametrize("name", sorted(set(KERNEL) - set(WITHOUT)))
def test_a_verb_is_documented(name: str) -> None:
    function = verb_of(name)
    text = inspect.getdoc(function) or ""
    missing = [s for s in SECTIONS if not re.search(rf"^{s}\n-+$", text, re.M)]
    assert missing == []
    guarantees = text.split("Formal guarantees\n")[1].split("Examples\n")[0]
    assert f"``{KERNEL[name].theorem}``" in guarantees
    listed = {n for line in re.findall(r"^(\S.*) : ", text, re.M) for n in re.findall(r"\w+", line)}
    assert set(inspect.signature(function).parameters) <= listed
    assert ">>> " in text


def test_nothing_public_is_untyped() -> None:
    """Types are there at run time too, and none is ``Any``."""
    loose = {
        name
        for name in api.__all__
        if inspect.isfunction(function := getattr(dp, name))
        and function.__module__.startswith("dpframe.front.verbs")
        and Any in get_type_hints(inspect.unwrap(function)).values()
    }
    assert loose == set()


X = dp.rows(n=100, d=2)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (lambda x: dp.gaussian(shar=1.0), r"dp.gaussian has no parameter 'shar'.*did you mean 'share'"),
        (lambda x: dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=1.0), bit=3), r"no parameter 'bit'.*'bits'"),
        (
            lambda x: dp.bin_counts(x, [0.0]),
            r"bin_counts: too many positional arguments.*takes x, and by name edges=",
        ),
        (lambda x: dp.clip(x, dp.ball([0.0, 0.0], 1.0)), r"dp.ball: too many .*it takes by name centre=, radius="),
        (dp.bin_counts, r"dp.bin_counts: missing a required argument: 'edges'"),
        (lambda x: dp.split(x, zzz=2), r"dp.split has no parameter 'zzz'.*it takes x, count"),
        (lambda x: dp.split(x, count="2"), r"count"),
        (dp.gram, r"gram takes rows of the unit_ball"),
        (lambda x: dp.cap(x, t=3), r"cap takes Counts"),
        (lambda x: dp.own("tabular.gradient", x, d=1, classes=0), r"'tabular.gradient': Vector.d must be"),
        (lambda x: dp.post(dp.count(x)), r"the name of an operation comes first, not a Handle"),
    ],
)
def test_misuse_is_named(body: Callable[..., Any], message: str) -> None:
    with pytest.raises(dp.DpframeError, match=message) as caught:
        dp.plan(lambda x: [body(x)], x=X, adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    assert caught.value.fix


def test_an_error_inside_a_verb_is_not_taken_for_misuse() -> None:
    def body(ball: Any) -> None:
        raise TypeError("from the body")

    with pytest.raises(TypeError, match="from the body"):
        verb(body)(1)


def test_the_plugin_face_holds_the_verbs_and_nothing_twice() -> None:
    face = dpframe.plugin.__all__
    assert set(api.__all__) <= set(face)
    assert sorted(face) == sorted(set(face))
    assert all(hasattr(dpframe.plugin, name) for name in face)


def test_names_that_others_plugins_import_stay() -> None:
    from dpframe.front.api import control, expand, tracer  # noqa: F401
    from dpframe.kernel.operations import PARAM, Slot, same, wants  # noqa: F401
    from dpframe.proof.spaces import Ball, BallValue, Domain, Kind, Rows, Vector  # noqa: F401
    from dpframe.registry import composite, learner, mask, register, semimetric  # noqa: F401

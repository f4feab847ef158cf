"""Refusals of specs, each with the spec refused and the spec after its fix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpframe.specs import parse_spec
from tests.small_specs import SMALL

SIZES = ("n=1000", "d=2")
KEY = '[keys.more]\ntype = "number"\n'
TESTED = """
[[node]]
name = "counted"
op = "count"
inputs = ["x"]

[[node]]
name = "test"
op = "truncated_laplace_test"
inputs = ["counted"]
share = 1.0
threshold = 5.0
delta_fraction = 0.1

[[node]]
name = "chosen"
op = "branch"
inputs = ["test", "x"]
"""
BODY = """
[node.{}]
inputs = ["rows"]
outputs = {{ value = "o" }}

[[node.{}.node]]
name = "c"
op = "count"
inputs = ["rows"]

[[node.{}.node]]
name = "o"
op = "laplace"
inputs = ["c"]
share = 1.0
"""


def s(*settings: str, changed: tuple[str, str] = ("", ""), base: str = SMALL, sizes: tuple[str, ...] = SIZES) -> Any:
    """A spec with one change in its text and some settings, planned."""
    old, new = changed
    assert old in base
    text = base.replace(old, new, 1) if old else base + new
    return lambda: parse_spec(text, "here").set([*sizes, *settings]).plan()


def e(old: str, new: str, *settings: str) -> Any:
    return s(*settings, changed=(old, new))


def key(text: str) -> Any:
    """The small spec with one more key."""
    return e("[tables.x]", f"[keys.more]\n{text}\n\n[tables.x]")


def with_nodes(text: str) -> Any:
    """The small spec with more nodes before its outputs."""
    return e("[outputs]", f"{text}\n[outputs]")


def bodies(*labels: str) -> str:
    return TESTED + "".join(BODY.format(*(label,) * 3) for label in labels)


OK = s()
CASES: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
    ("an unknown key", s("epsilonn=2"), s("epsilon=2")),
]

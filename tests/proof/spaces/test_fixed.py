"""A mapping of a plan can be read and copied, and changed by no way that a dictionary has."""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from dpframe.proof.spaces.fixed import fixed

WAYS: dict[str, Callable[[Any], object]] = {
    "set": lambda m: operator.setitem(m, "a", 2),
    "delete": lambda m: operator.delitem(m, "a"),
    "or": lambda m: operator.ior(m, {"a": 2}),
    "clear": lambda m: m.clear(),
    "pop": lambda m: m.pop("a"),
    "pop any": lambda m: m.popitem(),
    "set a default": lambda m: m.setdefault("b", 2),
    "update": lambda m: m.update(a=2),
    "inside": lambda m: operator.setitem(m["c"], "d", 2),
}


@pytest.mark.parametrize("way", WAYS)
def test_it_is_not_changed(way: str) -> None:
    made = fixed({"a": 1, "c": {"d": 1}})
    with pytest.raises(TypeError, match="can't be changed"):
        WAYS[way](made)
    assert made == {"a": 1, "c": {"d": 1}}


def test_a_copy_is_as_fixed() -> None:
    made = fixed({"a": 1})
    for again in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert again == made
        with pytest.raises(TypeError):
            again["a"] = 2

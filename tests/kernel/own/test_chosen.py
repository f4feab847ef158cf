"""A mechanism of one's own that chooses: what is no choice is the first one, and the run goes on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe import plugin
from dpframe.kernel import registry
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact
from dpframe.proof.spaces import Index, Vector


@pytest.mark.parametrize("made", [-1, -3, 3, 2**70, 1.0, None, "1"])
def test_an_index_that_is_none_is_the_first(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that ended because a choice lies outside its range would tell that it did."""
    plugin.own_mechanism("test.chosen", gives=Index(3), takes="l1", loss=lambda scale, l1: l1 / scale, source="-")(
        _chosen
    )
    operation: Any = registry.build("test.chosen", {"share": 1.0})
    monkeypatch.setitem(globals(), "CHOICE", made)
    value = Exact(np.array([1, 2, 3]))
    assert operation.release(value, {"scale": 1.0}, Vector(3), SeededSource(0)) == 0


CHOICE: Any = 0


def _chosen(value: Any, scale: float, noise: Any) -> Any:
    """Whatever is asked of it."""
    return CHOICE

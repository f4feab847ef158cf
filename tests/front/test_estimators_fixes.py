"""What refusals of estimators advise can be done in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DpframeError
from dpframe.estimators import PrivateKMeans, PrivateMean

CHOICES: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 10.0}


@pytest.mark.parametrize(
    ("wrong", "fix"),
    [
        (lambda: PrivateKMeans(0, **CHOICES), "give n_clusters=..."),
        (lambda: PrivateMean(**{**CHOICES, "epsilon": -1}), "give epsilon=..."),
        (lambda: PrivateMean(**CHOICES, unit="a", unit_rows=0), "give unit_rows=..."),
        (lambda: PrivateMean(**CHOICES, ledger=5), "give ledger=PATH"),
    ],
)
def test_a_fix_is_one_for_python(wrong: Callable[[], Any], fix: str) -> None:
    with pytest.raises(DpframeError) as caught:
        wrong().fit(np.zeros((500, 2)))
    assert str(caught.value.fix).startswith(fix)
    assert "command line" not in str(caught.value)
    assert "--set" not in str(caught.value)

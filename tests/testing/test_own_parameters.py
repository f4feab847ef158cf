"""Operations of one's own are tried with parameters that their examples do not have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.owned import Own
from dpframe.testing import check_file
from dpframe.testing.battery.own_parameters import switched
from tests.testing.planted import written

SUM = '''
@dp.own_statistic("mine.{name}", gives=1, bits=20, source="none", examples={{"{key}": {value}, "high": 1.0}},
                  sensitivity=lambda removed, added, {key}, high: {{"linf": {claim} * (removed + added)}})
def {name}(rows, *, {key}, high):
    """A sum."""
    {first}
    v = np.nan_to_num(rows[:, 0])
    return [float({made})]
'''
LOW = {"key": "low", "value": 0.0, "made": "np.clip(v, low, high).sum()"}
WEIGHT = {"key": "weight", "value": 1.0, "made": "weight * np.clip(v, 0, high).sum()"}
REFUSES = "if {key} < 0:\n        raise dp.PlanError('below 0', fix='take another')"
SUMS = {
    "by_the_upper_bound": ({**LOW, "claim": "high"}, "", False),
    "by_a_weight_held_up": ({**WEIGHT, "claim": "max(weight, 1.0) * high"}, "", False),
    "by_both_bounds": ({**LOW, "claim": "max(abs(low), abs(high))"}, "", True),
    "by_ordered_bounds": ({**LOW, "value": 0.25, "claim": "max(high, 0, -low)"}, "", True),
    "by_any_weight": ({**WEIGHT, "claim": "abs(weight) * abs(high)"}, "", True),
    "by_the_weight": ({**WEIGHT, "claim": "weight * high"}, "", True),
    "refused_below_0": ({**WEIGHT, "claim": "max(weight, 1.0) * high"}, REFUSES, True),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SUMS)
def test_a_claim_holds_below_0_or_the_parameter_is_refused(name: str, tmp_path: Path) -> None:
    parts, first, holds = SUMS[name]
    text = SUM.format(name=name, first=first.format(**parts) or "pass", **parts)
    (report,) = check_file(written(tmp_path, name, text))
    assert report.holds is holds, str(report)
    assert not report.skipped


def own(function: Any) -> Own:
    return Own("example.total", "statistic", "own_statistic", function, {}, lambda settings: {})


def total(rows: Any, *, of: Any) -> Any:
    return rows


@pytest.mark.parametrize(
    ("value", "below"),
    [(0, -3), (3, -9), (0.0, -3.0), (2.5, -7.5), (1.0, -3.0), ([0.0, 2.0], [0.0, -6.0]), ((1, 2), [-3, -6])],
)
def test_numbers_that_are_not_below_0_are_tried_there(value: Any, below: Any) -> None:
    assert below in [told["of"] for told in switched(own(total), {"of": value})]


def test_a_lower_bound_is_tried_below_what_the_upper_one_allows() -> None:
    tried = switched(own(total), {"low": 0.0, "high": 50.0})
    assert {"low": -150.0, "high": 50.0} in tried
    assert {"low": -200.0, "high": -150.0} in tried
    assert all(one["low"] < one["high"] for one in tried)


@pytest.mark.parametrize("value", [-1, -2.5, True, "sum", [0.0, 0.0], [-1.0, 2.0], ["a"], [], np.inf])
def test_others_are_not_turned(value: Any) -> None:
    tried = [told["of"] for told in switched(own(total), {"of": value})]
    assert all(other != value for other in tried)
    assert not any(isinstance(other, (int, float)) and other < 0 for other in tried)

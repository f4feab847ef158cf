"""What becomes of a plugin's numbers: rounded to whole ones, claims of these alone hold; along another axis, none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe import plugin
from dpframe.errors import PlanError
from dpframe.kernel import registry
from dpframe.kernel.operations import Batch
from dpframe.kernel.own.claims import on_lattice
from dpframe.proof.spaces import L1, L2, REPLACE_ONE, LInf, OneSided, Rows, Within
from dpframe.proof.theorems import THEOREMS
from dpframe.testing import check_file


@plugin.own_statistic(
    "own.share",
    gives=1,
    sensitivity=lambda removed, added: {"linf": 0.02},
    proved_for=[(1, 1)],
    source="a row counts for 1 of at least 50",
)
def _share(rows: Any) -> Any:
    """The share of positive rows, of at least 50."""
    return [np.count_nonzero(rows[:, 0] > 0) / max(len(rows), 50)]


def test_a_distance_that_whole_numbers_can_not_have_is_refused() -> None:
    """It is that of the values before they are rounded: true of the function, and false of what is released."""
    how: dict[str, Any] = {"adjacency": dp.REPLACE_ONE, "budget": dp.pure_dp(1.0), "allow_asserted": True}

    def program(x: Any) -> Any:
        return {"share": dp.release("share", dp.laplace(share=1.0), dp.own("own.share", x))}

    with pytest.raises(PlanError, match=r"claims LInf\(bound=0.02\).*whole numbers") as caught:
        dp.plan(program, x=dp.rows(n=50, d=1), **how)
    assert "bits=20" in str(caught.value.fix)


@pytest.mark.parametrize(
    ("metric", "bits", "fits"),
    [
        *((L1(1.0), 0, True), (LInf(0.0), 0, True), (L2(2.0**0.5), 0, True), (L1(0.5), 20, True)),
        *((L1(0.5), 0, False), (LInf(0.99), 0, False), (L2(0.9), 0, False), (LInf(3.5), 0, True)),
    ],
)
def test_claims_of_whole_numbers(metric: Any, bits: int, fits: bool) -> None:
    told = {"claims": (metric,), "bits": bits, "gives": '{"m": 2, "type": "counts"}'}
    if fits:
        assert THEOREMS["own_statistic"].rule(told, ((REPLACE_ONE,),))[0].bound >= metric.bound
    else:
        with pytest.raises(PlanError, match="no distance of whole numbers"):
            THEOREMS["own_statistic"].rule(told, ((REPLACE_ONE,),))


@pytest.mark.parametrize("bits", [0, 20])
@pytest.mark.parametrize("metric", [Within("euclidean", 1.0), OneSided(1.0)])
def test_claims_of_other_distances_are_none(metric: Any, bits: int) -> None:
    told = {"claims": (metric,), "bits": bits, "gives": '{"m": 2, "type": "counts"}'}
    with pytest.raises(PlanError, match="that own values do not have"):
        THEOREMS["own_statistic"].rule(told, ((REPLACE_ONE,),))


@pytest.mark.parametrize("bits", [0, 20])
@pytest.mark.parametrize(("kind", "claims"), [("statistic", "linf"), ("query", "l1")])
def test_a_check_refutes_such_a_claim_and_not_one_of_fine_numbers(
    bits: int, kind: str, claims: str, tmp_path: Path
) -> None:
    """No plan takes it, so it must not pass for something that was not attacked."""
    path, name = tmp_path / f"small_{kind}_{bits}.py", f"small.{kind}_{bits}"
    how = {
        "statistic": f"gives=1, sensitivity=lambda removed, added: {{'{claims}': 0.02 * max(removed, added)}}",
        "query": f"gives=dp.Vector(1), sensitivity=lambda a: {{'{claims}': 0.3 * a['{claims}']}}",
    }[kind]
    body = {"statistic": "np.clip(x[:, 0], 0.0, 1.0).sum() / 50", "query": "0.3 * x[0]"}[kind]
    path.write_text(
        "import numpy as np\n\nimport dpframe.plugin as dp\n\n\n"
        f'@dp.own_{kind}("{name}", {how}, source="here", bits={bits})\n'
        f'def small(x):\n    """A fiftieth, or a third."""\n    return [float({body})]\n'
    )
    (report,) = check_file(path)
    assert report.holds == (bits == 20), str(report)
    assert ("no plan takes it: it claims" in str(report)) == (bits == 0)


@pytest.mark.parametrize("apart", [1, 2, 3])
def test_numbers_a_whole_number_apart_stay_so_when_they_are_rounded(apart: int) -> None:
    """As numbers between them do: to the even one 0.5 and 1.5 would be two apart."""
    starts = [float(v) for v in np.linspace(-3.0, 3.0, 25)]
    on = on_lattice([*starts, *(v + apart for v in starts)], (50,), 0)
    assert set((on[25:] - on[:25]).tolist()) == {apart}


@plugin.own_contribution("own.turned", gives=2, norm="l2", bound=1.0)
def _turned(rows: Any) -> Any:
    """A number of each row along the last axis, where rows stand along the first."""
    return np.array([rows[:, 0], rows[:, 0]])


def test_numbers_along_another_axis_are_no_contributions() -> None:
    """Read in the order of rows, a row's numbers would count as another row's: it would move the sum twice as far."""
    turned: Any = registry.build("own.turned", {})
    fold = turned.start(Rows(1))
    turned.update(fold, Batch(0, np.array([[0.25], [0.5], [0.75]]), np.ones(3, dtype=bool)))
    assert turned.value(fold).integers.tolist() == [0, 0]

"""What one function of a file leaves behind and another reads is seen; what both may share is not taken for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpframe.kernel import registry
from dpframe.testing.battery import together
from dpframe.testing.battery.reporting import Failure, Report
from tests.testing.planted import written

SHARED = '''
_TABLE: dict[str, Any] = {}
_CALLS: list[int] = []


def table() -> Any:
    """Public numbers, made when they are first asked for."""
    _CALLS.append(len(_CALLS))
    return _TABLE.setdefault("numbers", np.arange(1.0, 9.0))


@dp.row_function("together.rows_%(name)s", columns=1)
def rows(values: Any) -> Any:
    """The first column in units of the third number."""
    %(left)s
    return values[:, :1] / table()[2]


@dp.own_mechanism("together.noisy_%(name)s", gives=dp.Index, takes="linf", source="none", examples={"m": 4},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))
def noisy(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """The noisy largest, of so many."""
    return int(np.argmax(scores + noise.laplace(scale, m)%(read)s)) %% m
'''
LEFT = '_TABLE["most"] = max(_TABLE.get("most", 0.0), float(np.max(values, initial=0.0)))'
READ = ' + int(_TABLE.get("most", 0.0)) * np.arange(m)'


@pytest.fixture
def imported(tmp_path: Path):
    def plugin(name: str, left: str = "", read: str = "") -> Path:
        path = written(tmp_path, name, SHARED % {"name": name, "left": left or "pass", "read": read})
        registry.import_file(path)
        return path

    return plugin


def test_what_rows_leave_to_a_mechanism_is_seen(imported) -> None:
    moved = together.moved_by_others(imported("left", LEFT, READ))
    assert moved == {"together.noisy_left"}


def test_a_public_table_may_be_shared(imported) -> None:
    assert not together.moved_by_others(imported("shared"))


def test_what_is_left_and_not_read_is_no_fault(imported) -> None:
    assert not together.moved_by_others(imported("unread", LEFT))


def test_it_is_reported_once() -> None:
    held = Report("a", "post", (), ("domain",), (), 0.1, ())
    known = Report("b", "post", (Failure("purity", "it keeps state", {}),), ("purity",), (), 0.1, ())
    one, other = together.refuted(frozenset("ab"), [held, known])
    assert [f.layer for f in one.failures] == ["purity"]
    assert one.layers == ("domain", "purity")
    assert other == known
    assert together.refuted(frozenset(), [held]) == [held]


CLAIMS = """
_MOST = [1.0]


@dp.own_statistic("together.total_%(name)s", gives=1, bits=20, source="none",
                  sensitivity=lambda removed, added: {"linf": %(claim)s * (removed + added)})
def total(rows: Any) -> Any:
    \"\"\"The sum of sizes.\"\"\"
    _MOST[0] = max(_MOST[0], float(np.abs(rows).max(initial=0.0)))
    return np.array([np.abs(rows).sum()])
"""


@pytest.mark.parametrize(("name", "claim"), [("learns", "_MOST[0]"), ("is_public", "9.0")])
def test_a_claim_that_learns_from_rows_is_seen(name: str, claim: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"claim_{name}", CLAIMS % {"name": name, "claim": claim})
    registry.import_file(path)
    assert together.claims_moved(path) == ({f"together.total_{name}"} if name == "learns" else set())


COSTS = """
_MOST = [1.0]


@dp.mask("together.mask_%(name)s", semimetric="euclidean",
         cost=lambda noise, r: dp.GaussianEvent(%(claim)s * dp.lattice_gaussian_mu(noise, r)))
def masked(value: Any, noise: float, normals: Any) -> Any:
    \"\"\"Gaussian noise.\"\"\"
    _MOST[0] = max(_MOST[0], float(np.abs(value).max(initial=0.0)))
    return dp.lattice_gaussian(value, noise, normals)
"""


@pytest.mark.parametrize(("name", "claim"), [("learns", "_MOST[0]"), ("is_public", "1.0")])
def test_a_cost_that_learns_from_values_is_seen(name: str, claim: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"cost_{name}", COSTS % {"name": name, "claim": claim})
    registry.import_file(path)
    assert together.claims_moved(path) == ({f"together.mask_{name}"} if name == "learns" else set())

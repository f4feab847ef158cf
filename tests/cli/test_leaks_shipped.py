"""What five shipped programs show beside their results is the same for neighbours: as `test_leaks`, of a small spec."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_leaks import differences, empty_rows_noted
from tests.testing.neighbours import npy

SHIPPED = {
    "passes": ("coinpress_gaussian", "--set", "bound=100"),
    "a mixture": ("practical_gmm", "--set", "k=2", "--set", "bound=100"),
    "a tree": ("kssu19_pgme", "--set", "k=2", "--set", "sigma_min=0.1", "--set", "sigma_max=10"),
    "blocks in processes of their own, and a test": ("arbas23_gmm", "--set", "k=2"),
    "released lists": ("private_quantiles", "--set", "bound=100"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["far", "empty", "all but one are empty"])
@pytest.mark.parametrize("program", SHIPPED.values(), ids=list(SHIPPED))
def test_neighbours_show_the_same_whatever_runs(kind: str, program: tuple[str, ...], tmp_path: Path) -> None:
    """Loops, branches, blocks; released are noisy zeros, so that all of them end in `failed`."""
    assert differences(tmp_path, kind, npy, program=program) == []


@pytest.mark.slow
@pytest.mark.parametrize("program", SHIPPED.values(), ids=list(SHIPPED))
def test_a_remark_on_empty_rows_is_seen_whatever_runs(program: tuple[str, ...], tmp_path: Path) -> None:
    assert differences(tmp_path, "empty", npy, empty_rows_noted, program)

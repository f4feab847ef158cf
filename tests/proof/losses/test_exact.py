"""Every view of every event, their compositions and conversions, against 60 digits: never below, and how tight.

The whole accepted range is drawn from: epsilon 1e-12 to 700, delta 1e-300 to 0.5, Rényi orders 1 + 1e-6 to 1e18,
multiplicities to 1e15. A case is (what, ours, exact, by how much ours may be above, relatively).
"""

from __future__ import annotations

import pytest

from tests.proof.losses.sixty_digits import GROUPS, faults

FAST = {"pure": 12, "laplace": 25, "range": 2, "discrete": 6, "gaussian": 30, "composed": 2, "lattice": 3, "failing": 8}
SLOW = {"pure": 1000, "laplace": 1500, "range": 30, "discrete": 300, "gaussian": 2000, "composed": 60}


@pytest.mark.parametrize("group", GROUPS)
def test_never_below_and_tight(group: str) -> None:
    assert faults(group, FAST.get(group, 2), 1) == []


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_never_below_and_tight_over_many(group: str) -> None:
    assert faults(group, SLOW.get(group, 60), 2) == []

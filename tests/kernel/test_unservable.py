"""What no run can serve is refused when it is declared."""

from __future__ import annotations

from typing import Any

import pytest

from dpframe.errors import DpframeError
from dpframe.kernel.registry import build
from dpframe.proof.spaces import (
    Array,
    Ball,
    Blocks,
    Domain,
    ListOf,
    Mixture,
    Record,
    Rows,
)

HUGE = 10**400
REFUSED: tuple[tuple[str, dict[str, Any], tuple[Domain, ...]], ...] = (
    ("above_threshold", {"share": 1.0, "threshold": HUGE}, ()),
    ("gaussian", {"share": HUGE}, ()),
    ("laplace", {"noise_multiplier": HUGE}, ()),
    ("mixture_mask", {"share": 1.0, "spread": (1.0, HUGE, 1.0)}, ()),
    ("truncated_laplace_test", {"share": 1.0, "threshold": HUGE, "delta_fraction": 0.5}, ()),
    ("bin_counts", {"edges": (0.0, HUGE)}, ()),
    ("distance_histogram", {"ratio": HUGE}, ()),
    ("distance_histogram", {"edges": 2**40}, (Rows(1), Ball(1))),
    ("terrific_score", {"size": 2, "t": 2**63}, ()),
    ("terrific_score", {"size": 2**40, "t": 2}, (Rows(1), ListOf(Ball(1), 2))),
    ("contest_scores", {"size": 2, "n": 2**63}, (Rows(1), ListOf(Mixture(1, 1), 2), Array((2, 2)))),
    ("interval_scores", {"size": 2, "n": 9, "intervals": 2**31}, (Rows(1), Array((1, 3)), Record("hypotheses"))),
    ("select_block", {"r": 1.0, "d": 1, "theta": 0.6, "test_threshold": 0.7, "bits": 27}, ()),
    ("block_sum", {"k": 1, "d": 1, "bits": 26}, (Blocks(2**27, Array((1, 1))), Ball(1))),
    ("split", {"count": 2**40}, ()),
    ("cells", {"levels": 2**40}, (Rows(1), Record("grids"))),
    ("ball", {"centre": (0.0,), "radius": HUGE}, ()),
    ("bounding_ball", {"d": 2**40, "bound": 1.0}, ()),
    ("constant", {"values": (1.0,), "shape": (2**40,)}, ()),
)


@pytest.mark.parametrize(("name", "parameters", "domains"), REFUSED, ids=lambda v: v if isinstance(v, str) else "")
def test_what_no_run_can_serve_is_refused_when_declared(
    name: str, parameters: dict[str, Any], domains: tuple[Domain, ...]
) -> None:
    with pytest.raises(DpframeError, match=r"must|exceed|at most|more than|room|finite|takes"):
        build(name, parameters).output(*domains)

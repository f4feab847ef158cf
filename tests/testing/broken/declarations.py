"""What is declared wrongly, and the honest twins."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs

from dpframe.errors import PlanError
from dpframe.kernel.families.block_candidates import BlockCounts
from dpframe.kernel.mechanisms.gaussian import GaussianMechanism
from dpframe.kernel.operations import Operation
from dpframe.kernel.queries.scores import Cap
from dpframe.kernel.statistics.bins import BinCounts
from dpframe.kernel.statistics.count import Count
from dpframe.kernel.statistics.sums import BoxSum, Sum
from dpframe.kernel.transforms.clip_ball import ClipBall
from dpframe.kernel.transforms.clip_box import ClipBox
from dpframe.kernel.transforms.pairs import Pairs
from dpframe.kernel.transforms.partition import FilterBall, Split
from dpframe.proof.spaces import Counts, Domain, Vector
from tests.testing.broken.base import breaks
from tests.testing.broken.releases import Halve


@breaks("docstring", "count")
class SaysNothing(Count):
    __doc__ = ""


@breaks("docstring", "count")
class GuaranteesNothing(Count):
    """Counts rows."""

    theorem: ClassVar[str] = "bounded_squares"


@breaks("shapes", "")
class TrustsItsInput(Halve):
    """Never looks what it gets."""

    def output(self, *inputs: Domain) -> Domain:
        return Vector(inputs[0].m)  # type: ignore[attr-defined]


@breaks("shapes", "")
class RefusesWithoutAdvice(Halve):
    """Says no, and not what to do."""

    def output(self, *inputs: Domain) -> Domain:
        if not isinstance(inputs[0], Counts):
            raise PlanError("no")
        return Vector(inputs[0].m)


@breaks("roundtrip", "")
class KeepsAFunction(Halve):
    """A parameter that is no JSON."""

    how: Any = attrs.field(default=len, kw_only=True)


@breaks("registration", "")
class OwnStatistic(Count):
    """A plugin's own statistic, on a theorem it may not cite."""


TWINS: dict[str, type[Operation]] = {
    "clip_box": ClipBox,
    "clip_ball": ClipBall,
    "sum": Sum,
    "box_sum": BoxSum,
    "count": Count,
    "bin_counts": BinCounts,
    "filter_ball": FilterBall,
    "split": Split,
    "pairs": Pairs,
    "cap": Cap,
    "block_counts": BlockCounts,
    "gaussian": GaussianMechanism,
    "": Halve,
}
"""What each broken operation is a twin of."""

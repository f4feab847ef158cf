"""The run-time filter: nothing is released that was not proved, and never more than was proved.

The reported guarantee is always the certificate's; what is counted here only stops a run that would overspend.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpframe.errors import RunError
from dpframe.proof.checker import Noise
from dpframe.proof.theorems.composition import SLACK
from dpframe.proof.typed import Path

Costs = tuple[tuple[Fraction, Fraction], ...]


class Guard:
    """Counts the loss of every release against what the certificate proves of its node.

    A node outside loops is released once at a place, at exactly the certified noise. Inside ``for_each`` the noise of
    an item is proposed by the planner. Its loss is recomputed by the theorem, at every metric that the node can meet,
    and the losses of all items at a place, in the loop's view, may not exceed the node's certified loss; nor may δ.
    Inside a division each place on the tree is one release, no deeper than was proved.

    Formal guarantees: the sum over items is bounded by what :func:`~dpframe.proof.theorems.fixed_total` charges, whose
    ``SLACK`` is the only slack here (``docs/theory/composition.md``, 5). Sums are exact.
    """

    def __init__(self, noise: Mapping[Path, Noise]) -> None:
        self._noise = noise
        self._spent: dict[tuple[Path, Path], Costs] = {}

    def charge(self, path: Path, place: Path, calibration: Mapping[str, Any]) -> None:
        """Charge one release of the node ``path`` at one ``place`` of the divisions around it.

        Raises
        ------
        RunError
            Before any noise is drawn, when the node was not proved or its loss is used up.
        """
        proved, name = self._noise.get(path), "/".join(path)
        if proved is None:
            raise RunError(f"node {name!r} was never priced", fix="report this: the plan is not what runs")
        before = self._spent.get((path, place))
        if proved.view is None:
            if before is not None or dict(calibration) != dict(proved.calibration):
                raise _beyond(name)
            self._spent[path, place] = ()
            return
        most = [(Fraction(cost * SLACK), Fraction(delta * SLACK)) for cost, delta in proved.costs()]
        items = [(Fraction(cost), Fraction(delta)) for cost, delta in proved.costs(calibration)]
        spent = items if before is None else [(a + c, b + d) for (a, b), (c, d) in zip(before, items, strict=True)]
        if any(cost > limit or delta > tail for (cost, delta), (limit, tail) in zip(spent, most, strict=True)):
            raise _beyond(name)
        self._spent[path, place] = tuple(spent)


def _beyond(name: str) -> RunError:
    return RunError(f"node {name!r} would be released beyond its reserve", fix="plan again")

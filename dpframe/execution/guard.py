"""The run-time filter: nothing is released that the plan did not reserve, and nothing twice.

The reported guarantee is always the plan's; what is measured here only stops a run that would overspend.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpframe.errors import RunError

Key = tuple[str, ...]


class Guard:
    """Charges every release against the plan's reserve, in fractions of what its node reserved.

    A node outside loops is released once. Inside ``for_each`` with L released items each release takes
    1/L of the node's reserve. Inside a division each place on the tree is one release, no deeper than
    the plan priced.
    """

    def __init__(self, calibrations: Mapping[Key, Mapping[str, Any]]) -> None:
        self._calibrations = calibrations
        self._spent: dict[Key, Fraction] = {}
        self.releases = 0

    def charge(self, path: Key, place: Key, share: Fraction) -> None:
        """Charge one release of the node ``path`` at one ``place`` of its loops.

        Raises
        ------
        RunError
            Before any noise is drawn, when the node was not planned or its reserve is used up.
        """
        if path not in self._calibrations:
            raise RunError(f"node {'/'.join(path)!r} was never priced", fix="report this: the plan is not what runs")
        total = self._spent.get((*path, "@", *place), Fraction(0)) + share
        if total > 1:
            raise RunError(f"node {'/'.join(path)!r} would be released beyond its reserve", fix="plan again")
        self._spent[(*path, "@", *place)] = total
        self.releases += 1

"""The run-time filter: nothing is released that was not proved, and never more than was proved.

The reported guarantee is always the certificate's; what is counted here only stops a run that would overspend.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from dpframe.errors import RunError
from dpframe.proof.checker import Checked, Noise
from dpframe.proof.theorems.composition import SLACK
from dpframe.proof.theorems.declaring import captured
from dpframe.proof.typed import Path, TypedGraph


class Guard:
    """Counts the loss of every release against what the certificate proves of its node.

    A node is released once at a place, outside loops at exactly the certified noise. Inside ``for_each`` the noise of
    an item is proposed by the planner. Its loss is recomputed by the theorem, at every metric that the node can meet,
    and may not exceed the item's share of the node's certified loss, in the loop's view; nor may δ. The shares of all
    items are at most 1. Inside a division each place on the tree is one release, and so is each category; how deep the
    tree goes is not counted here, but held by the division, which reads ``max_depth`` from the certificate. Of a branch
    one body may release at a place: the loss is the worse of the two, not their sum.

    Formal guarantees: what an item costs is at most its share of what :func:`~dpframe.proof.theorems.fixed_total`
    charges, whose ``SLACK`` is the only slack here, in whatever parts or bodies its rows are. That the items' losses at
    each node add up to the node's would not do: a row may be in another part, or take another body, in each item
    (``docs/theory/certificates.md``, 5). Sums are exact.
    """

    def __init__(self, noise: Mapping[Path, Noise], graph: TypedGraph[Any] | None = None) -> None:
        self._noise = noise
        self._branches = dict(_branches(graph, divided=False)) if graph is not None else {}
        self._spent: dict[tuple[Path, Path], Fraction] = {}
        self._released: set[tuple[Path, Path]] = set()
        self._taken: dict[Path, tuple[dict[Path, str], dict[Path, str]]] = {}

    @classmethod
    def of(cls, checked: Checked) -> Guard:
        """The guard of a certificate that was accepted."""
        return cls(checked.noise, checked.graph)

    def charge(self, path: Path, place: Path, calibration: Mapping[str, Any], share: Fraction = Fraction(1)) -> None:
        """Charge one release of the node ``path`` at one ``place`` of the loops and divisions around it.

        ``share`` is what the item there holds of the loops' totals.

        Raises
        ------
        RunError
            Before any noise is drawn, when the node was not proved or its loss is used up.
        """
        proved, name = self._noise.get(path), "/".join(path)
        if proved is None:
            raise RunError(f"node {name!r} was never priced", fix="report this: the plan is not what runs")
        self._take(path, place)
        around = path, tuple(p for p in place if not p.startswith("item"))  # items share what is proved of their loop
        spent = self._spent.get(around, Fraction(0)) + share
        if (path, place) in self._released or spent > 1 or not _fits(proved, calibration, share):
            raise _beyond(name)
        self._released.add((path, place))
        self._spent[around] = spent

    def _take(self, path: Path, place: Path) -> None:
        """Note in which body of each branch around it a release is made; the other body may release nothing there."""
        for i in range(1, len(path) - 1):
            divided = self._branches.get(path[:i])
            if divided is None:
                continue
            beginnings = [place] if divided else [place[:j] for j in range(len(place) + 1)]
            at, under = self._taken.setdefault(path[:i], ({}, {}))
            seen = {at.get(p, path[i]) for p in beginnings} | {under.get(place, path[i])}
            if seen != {path[i]}:
                raise _beyond("/".join(path))
            at[place] = path[i]
            if not divided:
                under.update(dict.fromkeys(beginnings, path[i]))


def _branches(graph: TypedGraph[Any], *, divided: bool) -> Iterator[tuple[Path, bool]]:
    """Every branch by its path, and whether it is in a division, where the beginning of a place is a place too."""
    for node in graph.nodes:
        name = node.operation.name
        if captured(name):
            yield (*graph.path, node.name), divided
        for body in node.bodies.values():
            yield from _branches(body, divided=divided or name in ("recurse", "worklist", "by_category"))


def _fits(proved: Noise, calibration: Mapping[str, Any], share: Fraction) -> bool:
    """Whether a release costs no more than its share of what is proved, under each metric."""
    if proved.view is None:
        return share == 1 and dict(calibration) == dict(proved.calibration)
    return all(
        cost <= share * Fraction(most * SLACK) and delta <= share * Fraction(tail * SLACK)
        for (cost, delta), (most, tail) in zip(proved.costs(calibration), proved.costs(), strict=True)
    )


def _beyond(name: str) -> RunError:
    return RunError(f"node {name!r} would be released beyond its reserve", fix="plan again")

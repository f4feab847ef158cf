"""Neighbours in situ: the whole engine on two neighbouring tables, released values replayed, every distance measured.

The first table is run as any plan is, with a seed, and once more by the engine that users have: both must release the
same. The second is run with the same secret labels, and each mechanism releases what it released from the first. So
both runs take the same path, and what differs is what the one row did. The two exact values of every mechanism are
compared with the metrics that were certified of its input, and so is every statistic and query that others alone read;
and the losses at the distances that were found, composed, with the certified total.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DpframeError, RunError
from dpframe.kernel.graphs import Planned
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Blocks, Exact, Mechanism, Query, Statistic
from dpframe.proof.checker import Noise
from dpframe.proof.losses import Loss, compose, epsilon
from dpframe.proof.spaces import L2
from dpframe.proof.theorems import Metrics
from dpframe.proof.typed import Path, Ref
from dpframe.runtime import gate
from dpframe.runtime.engine import Deferred, Scope
from dpframe.runtime.gate import Admitted
from dpframe.runtime.guard import Guard
from dpframe.runtime.progress import Progress
from dpframe.runtime.run import open_tables
from dpframe.runtime.scope import Session, Stop
from dpframe.testing.audit.edges import too_far
from dpframe.testing.battery import metrics
from dpframe.testing.battery.lab import fingerprint

SLACK = 1e-6
"""Of a total: lattice PLDs round by the order in which losses are composed."""


@attrs.frozen(eq=False)
class Site:
    """One release: where, from what, with which noise, and what it was."""

    path: Path
    exact: Exact
    calibration: Mapping[str, Any]
    released: Any


Key = tuple[Path, Path]


@attrs.frozen(eq=False)
class Observed(Session):
    """A session that keeps what mechanisms release, and replays what they released from the first table."""

    first: Mapping[Key, Site] | None = attrs.field(default=None, kw_only=True)
    sites: dict[Key, Site] = attrs.field(factory=dict, kw_only=True)
    blocks: dict[Key, Exact] = attrs.field(factory=dict, kw_only=True)
    between: dict[Key, Any] = attrs.field(factory=dict, kw_only=True)
    strays: list[str] = attrs.field(factory=list, kw_only=True)


@attrs.define(eq=False)
class Twin(Scope):
    """A scope of either run."""

    @property
    def observed(self) -> Observed:
        """Its session."""
        if not isinstance(self.session, Observed):
            raise RunError("a twin needs an observed session", fix="use in_situ()")
        return self.session

    def _pass(self, nodes: list[Planned]) -> None:
        super()._pass(nodes)
        for node in nodes:
            if isinstance(node.operation, Blocks):
                self.observed.blocks[(*self.path, node.name), self.place] = self.values[Ref(node.name)]
            if isinstance(node.operation, Statistic):
                self._keep(node)

    def _evaluate(self, node: Planned) -> None:
        super()._evaluate(node)
        if isinstance(node.operation, Query):
            self._keep(node)

    def _keep(self, node: Planned) -> None:
        """A value that only queries read; those that mechanisms read are kept where they are released."""
        ref = Ref(node.name)
        if not any(ref in user.inputs for user in self.graph.nodes if isinstance(user.operation, Mechanism)):
            self.observed.between[(*self.path, node.name), self.place] = self.values[ref]

    def _release(self, node: Planned, operation: Mechanism, exact: Exact) -> Any:
        path = (*self.path, node.name)
        calibration, domain = self.charged(node), self.graph.edges[node.inputs[0]].domain
        known = None if self.observed.first is None else self.observed.first.get((path, self.place))
        if known is not None:
            released = known.released
        else:
            if self.observed.first is not None:
                self.observed.strays.append(f"{'/'.join(path)!r} is released from one table only")
            released = operation.release(exact, calibration, domain, self._noise(node, "noise"))
        self.observed.sites[path, self.place] = Site(path, exact, calibration, released)
        return released


def in_situ(plan: Any, first: Mapping[str, Any], second: Mapping[str, Any], *, seed: int = 0) -> list[str]:
    """What two neighbouring tables show of a plan beyond its proof; nothing, where all is well.

    Parameters
    ----------
    plan : Plan
    first, second : mapping
        Neighbouring tables under the plan's adjacency, as for :func:`~dpframe.runtime.run.run_plan`.
    seed : int
        Of the noise, and of secret labels.

    Returns
    -------
    list of str
        One line a node whose exact values are further apart than is certified, one for a path that is taken on one
        table only, one for a total that is exceeded, and for outputs, remarks or a refusal that differ, on both tables
        or from what the operations themselves release.

    Notes
    -----
    Within a semimetric of its own a value is not measured. *Formal guarantees:* none; it finds faults.
    """
    admitted = gate.admit(plan, simulated=True)
    one, ended = _run(admitted, first, seed, None)
    other, ended_too = _run(admitted, second, seed, one.sites)
    found = list(other.strays)
    if _production(admitted, first, seed) != ended:
        found.append("a run does not release what its operations do of these exact values, with the certified noise")
    found += [f"{'/'.join(key[0])!r} is released from one table only" for key in one.sites.keys() - other.sites.keys()]
    if ended != ended_too:
        found.append("the same released values end in other outputs")
    if one.remarks != other.remarks or one.judged != other.judged:
        found.append("the same released values have other remarks")
    found += _blocks(one, other)
    found += too_far(_known(one.between), _known(other.between), admitted.checked)
    losses = []
    for key in one.sites.keys() & other.sites.keys():
        noise = admitted.checked.noise[key[0]]
        apart = _distance(one.sites[key], other.sites[key], noise)
        if isinstance(apart, str):
            found.append(f"{'/'.join(key[0])!r}: {apart}")
        else:
            losses.append(noise.loss(apart, dict(one.sites[key].calibration)))
    return found if found else _total(admitted, losses)


def composed(plan: Any, first: Mapping[str, Any], second: Mapping[str, Any], *, seed: int = 0) -> tuple[Loss, Loss]:
    """What the certified noise costs at the distances that two tables are found apart, composed, and what is certified.

    Parameters
    ----------
    plan : Plan
    first, second : mapping
        Neighbouring tables, as for :func:`in_situ`.
    seed : int
        Of the noise, and of secret labels.

    Raises
    ------
    RunError
        Where a value is further apart than is certified.
    """
    admitted = gate.admit(plan, simulated=True)
    one, _ = _run(admitted, first, seed, None)
    other, _ = _run(admitted, second, seed, one.sites)
    losses = []
    for key in one.sites.keys() & other.sites.keys():
        noise = admitted.checked.noise[key[0]]
        apart = _distance(one.sites[key], other.sites[key], noise)
        if isinstance(apart, str):
            raise RunError(f"{'/'.join(key[0])!r}: {apart}", fix="look at it with in_situ()")
        losses.append(noise.loss(apart, dict(one.sites[key].calibration)))
    return compose(*losses), admitted.checked.loss


def exact_values(
    plan: Any, tables: Mapping[str, Any], *, seed: int = 0, threads: int = 1, chunk: int | None = None
) -> dict[str, Any]:
    """The exact values that mechanisms are given in a simulated run: private, for tests of sources and passes.

    Parameters
    ----------
    plan : Plan
    tables : mapping
    seed : int
        Of the noise, on which later exact values depend.
    threads, chunk : int, optional
        As for :func:`~dpframe.runtime.run.run_plan`.
    """
    observed, _ = _run(gate.admit(plan, simulated=True), tables, seed, None, threads, chunk)
    plain = {"/".join((*path, *place)): _plain(site.exact) for (path, place), site in observed.sites.items()}
    return dict(sorted(plain.items()))


def _plain(exact: Exact) -> Any:
    """A value whatever type holds its integers."""
    if isinstance(exact.integers, (list, tuple)):
        return [str(exact.step), [np.asarray(part).tolist() for part in exact.integers]]
    return [str(exact.step), np.asarray(exact.integers).tolist()]


def _run(
    admitted: Admitted, tables: Mapping[str, Any], seed: int, first: Any, threads: int = 1, chunk: int | None = None
) -> tuple[Observed, Any]:
    opened = open_tables(admitted, tables)
    guard, source = Guard.of(admitted.checked), SeededSource(seed)
    session = Observed(admitted, source, guard, Progress(None), threads, chunk, first=first)
    scope = Twin(session, admitted.graph, values=dict(opened.values))
    try:
        ended: Any = fingerprint(scope.run(tuple(ref for _, ref in admitted.graph.outputs)))
    except Stop as stop:
        ended = (stop.failed.reason, stop.failed.advice)
    opened.check_unchanged()
    return session, ended


def _production(admitted: Admitted, tables: Mapping[str, Any], seed: int) -> Any:
    """The same run by the engine's own scope, which decides by itself what it releases."""
    opened = open_tables(admitted, tables)
    session = Session(admitted, SeededSource(seed), Guard.of(admitted.checked), Progress(None))
    try:
        values = dict(opened.values)
        return fingerprint(
            Scope(session, admitted.graph, values=values).run(tuple(r for _, r in admitted.graph.outputs))
        )
    except Stop as stop:
        return (stop.failed.reason, stop.failed.advice)


def _distance(one: Site, other: Site, noise: Noise) -> Metrics | str:
    """How far apart two exact values are, in the metrics that are certified; or how that is too far."""
    if one.exact.step != other.exact.step:
        return "the lattice depends on the rows"
    try:
        found = metrics.difference(one.exact, other.exact)
    except ValueError:
        return "the number of entries depends on the rows"
    if not found:
        return noise.met[-1]
    ways = [metrics.excess(found, met) for met in noise.met]
    if not any(ratio <= 1 for ratio, _ in ways):
        return f"neighbours are too far apart: {min(ways)[1]}"
    return tuple(_at(m, found) for m in noise.met[-1])


def _at(metric: Any, found: Mapping[type[Any], Fraction]) -> Any:
    if type(metric) not in found:
        return metric
    size = float(found[type(metric)])
    size = size**0.5 if isinstance(metric, L2) else size
    return type(metric)(min(metric.bound, float(np.nextafter(size, np.inf)) if size else 0.0))


def _known(values: Mapping[Key, Any]) -> dict[Key, Any]:
    """Those that were computed: a query in a branch that was not taken was not."""
    forced = {key: v._value if isinstance(v, Deferred) else v for key, v in values.items()}
    return {key: value for key, value in forced.items() if value is not None}


def _blocks(one: Observed, other: Observed) -> list[str]:
    found = []
    for key in one.blocks.keys() & other.blocks.keys():
        pairs = zip(one.blocks[key].integers, other.blocks[key].integers, strict=True)
        moved = sum(fingerprint(a) != fingerprint(b) for a, b in pairs)
        if moved > max(e.groups for e in one.admitted.checked.adjacency.edits):
            found.append(f"{'/'.join(key[0])!r}: {moved} blocks are not the same")
    return found


def _total(admitted: Admitted, losses: list[Any]) -> list[str]:
    """The losses at the distances that were found may not compose to more than is certified."""
    total, found = admitted.checked.total, compose(*losses)
    try:
        if "rho" in total:
            spent, most = found.rho, total["rho"]
        elif "mu" in total:
            spent, most = found.mu, total["mu"]
        else:
            spent, most = epsilon(found, float(total["delta"]), str(total["accountant"])), total["epsilon"]
    except DpframeError:
        return []
    if spent > float(most) * (1 + SLACK) + SLACK:
        return [f"what the tables show costs {spent:.9g}, certified is {float(most):.9g}"]
    return []

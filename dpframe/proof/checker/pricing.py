"""What a typed graph costs: metrics pushed through every node by the theorems' rules, losses composed.

Written from the rules in ``docs/theory/composition.md``, not from the planner: losses are keyed by lineage and
priced once for each set of edits, and the parts of a partition are grouped by what they cost.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from dpframe.errors import CertificateError, DpframeError
from dpframe.proof.checker.comparing import EXACT, alike, close, widest
from dpframe.proof.checker.edges import Typed, at
from dpframe.proof.checker.reading import Priced, Step
from dpframe.proof.losses import ZERO, Gaussian, Loss, amplify, compose, loss_from_json, worst
from dpframe.proof.spaces import ADD, REMOVE, REPLACE_ONE, Adjacency, Edits
from dpframe.proof.theorems import BY_RULE, MOST_ALLOCATIONS, THEOREMS, Metrics, fixed_total, spread
from dpframe.proof.theorems.base import find, whole
from dpframe.proof.typed import Lineage, Path, Ref

SINGLE = (REPLACE_ONE, REMOVE, ADD)
MAX_WORK = 200_000
MAX_ALTERNATIVES = 512
MAX_DIVISIONS = 64


@attrs.frozen
class Place:
    """Where a graph hangs: its path of node names and labels, and the view of the loop around it."""

    path: Path
    view: str | None = None


@attrs.define(eq=False)
class Meter:
    """Bounds the time a certificate can take, in steps of some 50 microseconds."""

    work: int = 0

    def spend(self, work: int) -> None:
        """Count work, or give up."""
        self.work += work
        if self.work > MAX_WORK:
            raise CertificateError("is too large to be checked")

    def worst(self, losses: Iterable[Loss]) -> Loss:
        """Worst of the losses; comparing all pairs is slow unless all are Gaussian."""
        distinct = set(losses)
        mixed = sum(any(not isinstance(event, Gaussian) for event, _ in loss.events) for loss in distinct)
        if mixed > MAX_ALTERNATIVES:
            raise CertificateError(f"its parts differ in more than {MAX_ALTERNATIVES} ways")
        self.spend(len(distinct) + mixed * mixed // 8)
        return worst(*distinct)


@attrs.define(eq=False)
class Pricing:
    """One run over a certificate's graph; ``met`` collects the metrics each mechanism can meet.

    With ``only`` all other mechanisms cost nothing.
    """

    only: Path | None = None
    met: dict[Path, list[Metrics]] = attrs.Factory(dict)
    known: dict[Any, Loss] = attrs.Factory(dict)
    meter: Meter = attrs.Factory(Meter)
    used: dict[Path, set[int]] = attrs.Factory(dict)

    def total(self, typed: Typed, adjacency: Adjacency) -> Loss:
        """Worst over the adjacency's edits of everything composed."""
        tables = [source.name for source in typed.net.inputs if source.edge.private]
        losses = []
        for edits in adjacency.edits:
            start: dict[Ref, Metrics] = {Ref(name): (edits,) for name in tables}
            losses.append(self.lineage_loss(typed, Place(()), (), start))
        return self.meter.worst(losses)

    def lineage_loss(self, typed: Typed, place: Place, lineage: Lineage, start: dict[Ref, Metrics]) -> Loss:
        """Loss of all that is computed from the rows of one lineage, neighbours being at ``start`` there."""
        # One body may be priced in several places and under several edits; its price depends on this key alone.
        key = (place.path, lineage, tuple(sorted(start.items(), key=lambda item: str(item[0]))))
        if key not in self.known:
            self.known[key] = self._lineage_loss(typed, place, lineage, start)
        return self.known[key]

    def _lineage_loss(self, typed: Typed, place: Place, lineage: Lineage, start: dict[Ref, Metrics]) -> Loss:
        metrics, losses = dict(start), []
        for step in typed.readers.get(lineage, ()):
            self.meter.spend(1)
            private = [ref for ref in step.inputs if typed.edge(ref).private]
            try:
                losses.append(self._step(typed, place, step, private, metrics))
            except DpframeError as error:
                raise at((*place.path, step.name), error) from None
        return compose(*losses)

    def _step(self, typed: Typed, place: Place, step: Step, private: list[Ref], metrics: dict[Ref, Metrics]) -> Loss:
        # `metrics` holds only values computed from the rows of this lineage. A private value that is missing was
        # computed from other rows, whose edits are priced elsewhere: no metric here would be true of it.
        if any(ref not in metrics for ref in private):
            raise CertificateError("reads a private value from outside its rows")
        inputs = tuple(metrics[ref] for ref in private)
        theorem = THEOREMS[step.theorem]
        if theorem.kind == "loss":
            return self._mechanism(place, step, inputs[0])
        if step.kind == "partition":
            return self._partition(typed, place, step, inputs[0])
        if step.kind == "control":
            return self._control(typed, place, step, metrics)
        params = dict(step.theorem_inputs or {})
        if theorem.claimed:
            params["claims"] = self._claimed((*place.path, step.name), step, inputs)
        metrics[Ref(step.name)] = theorem.rule(params, inputs)
        return ZERO

    def _claimed(self, path: Path, step: Step, inputs: tuple[Metrics, ...]) -> Metrics:
        """The metrics that a certificate lists for an asserted operation at these inputs; notes which line was used."""
        for i, (met, gives) in enumerate(step.claims or ()):
            if len(met) == len(inputs) and all(map(alike, met, inputs)):
                self.used.setdefault(path, set()).add(i)
                return gives
        raise CertificateError(f"nothing is claimed of it at {[[str(m) for m in metrics] for metrics in inputs]}")

    def _mechanism(self, place: Place, step: Step, metrics: Metrics) -> Loss:
        # Each of a loop's L items gets 1/L of the total (composition.md, 5), so its noise depends on L. A plugin
        # claims a loss for one noise only, and noise that is fixed would be spent L times.
        if place.view is not None and THEOREMS[step.theorem].claimed:
            raise CertificateError("is asserted for one noise, in a loop that divides it")
        if place.view is not None and step.parameters.get("share") is None:
            raise CertificateError("has fixed noise inside a loop that shares a total")
        path = (*place.path, step.name)
        met = self.met.setdefault(path, [])
        if metrics not in met:
            met.append(metrics)
        if self.only not in (None, path):
            return ZERO
        loss = loss_of(step, metrics)
        return loss if place.view is None else fixed_total(loss, place.view)

    # ------------------------------------------------------------------------------- partitions

    def _partition(self, typed: Typed, place: Place, step: Step, metrics: Metrics) -> Loss:
        edits = find(metrics, Edits)
        if edits.total == 0:
            return ZERO
        # Composition.md, 3.1, 3.2 and 3.5: one row that moves touches two parts of a rule and one part of an index.
        several = step.theorem != "index_partition" and edits.bare not in SINGLE
        if several and step.theorem not in BY_RULE:
            raise CertificateError(f"a secret partition is proved for single-row edits only, not {edits}")
        lineage = typed.edge(Ref(step.name, 0)).lineage[:-1]
        read = sorted(typed.read.get(step.name, ()))

        def part(index: int, e: Edits) -> Loss:
            return self.lineage_loss(typed, place, (*lineage, (step.name, index)), {Ref(step.name, index): (e,)})

        if several:
            self.meter.spend(MOST_ALLOCATIONS)
            return spread(edits, len(read), lambda i, e: part(read[i], e))
        # A row may fall into a part that nothing reads: all those parts are one more, which costs nothing.
        unread = [] if len(read) == step.parts else [ZERO]
        if step.theorem == "index_partition":
            if not edits.one_group:
                raise CertificateError(f"cuts by row index, which {edits} does not keep")
            return self.meter.worst([part(i, edits) for i in read] + unread)
        # A replaced row may be sampled in one of the two tables only, so all three edits count (3.4).
        if step.theorem == "secret_sample":
            inner = self.meter.worst(part(0, e) if read else ZERO for e in SINGLE)
            return amplify(inner, step.parameters["rate"], shared=place.view is not None)
        # One row that comes or goes is in one part.
        if edits.bare != REPLACE_ONE:
            return self.meter.worst([part(i, edits.bare) for i in read] + unread)
        moved = [(part(i, REMOVE), part(i, ADD)) for i in read] + [(zero, zero) for zero in unread]
        return self.meter.worst({*(part(i, REPLACE_ONE) for i in read), *self._crossings(moved)})

    def _crossings(self, moved: list[tuple[Loss, Loss]]) -> set[Loss]:
        """A row leaves one part and enters another, or leaves or enters only: all combinations that differ in cost."""
        count = Counter(moved)
        self.meter.spend(len(count) ** 2)
        # Parts that cost the same are one kind; a row moves within a kind only if two parts are of it.
        out = {compose(a[0], b[1]) for a in count for b in count if a != b or count[a] > 1}
        return out | {a[0] for a in count} | {a[1] for a in count}

    # ---------------------------------------------------------------------------------- control

    def _control(self, typed: Typed, place: Place, step: Step, metrics: dict[Ref, Metrics]) -> Loss:
        def cost(label: str, start: list[Metrics | None], view: str | None = place.view) -> Loss:
            body = typed.bodies[step.name, label]
            names = [Ref(source.name) for source in body.net.inputs]
            known = {name: value for name, value in zip(names, start, strict=True) if value is not None}
            return self.lineage_loss(body, Place((*place.path, step.name, label), view), (), known)

        handed = [metrics.get(ref) for ref in step.inputs]
        # The worse body, not their sum: a released test picks one (4.1). No body takes the test, `handed[0]`.
        if step.theorem == "branch":
            return self.meter.worst([cost("then", handed[1:]), cost("otherwise", handed[1:])])
        if step.theorem == "for_each":
            view = step.parameters.get("view")
            if not isinstance(view, str) or place.view not in (None, view):
                raise CertificateError("loops that share totals in different views can't be nested")
            # The body is priced as one item that has the whole total; `fixed_total` bounds any number of items.
            return fixed_total(cost("body", handed, view), view)
        if step.theorem not in ("division", "categories") or handed[0] is None:
            raise CertificateError(f"no rule of composition for theorem {step.theorem!r}")
        # A body takes released values beside its rows. A private one gets no metrics here, so reading it is refused.
        rest: list[Metrics | None] = [None] * (len(handed) - 1)
        if step.theorem == "categories":
            return _two_tables(step, find(handed[0], Edits), lambda e: cost("body", [(e,), *rest]))
        return _division(step, find(handed[0], Edits), lambda label, e: cost(label, [(e,), *rest]))


def _two_tables(step: Step, edits: Edits, cost: Callable[[Edits], Loss]) -> Loss:
    """A replaced row leaves one category's table and enters another's; a row that comes or goes is in one."""
    if edits.bare not in SINGLE:
        raise CertificateError(f"is proved for single-row edits only, not {edits}")
    one = cost(edits)
    return compose(one, one) if edits.bare == REPLACE_ONE and whole(step.parameters, "categories") > 1 else one


def _division(step: Step, edits: Edits, cost: Callable[[str, Edits], Loss]) -> Loss:
    """V11(D) = c11 + max(V11(D−1), V10(D−1) + V01(D−1)); V10 and V01 add up along one path."""
    depth = whole(step.parameters, "max_depth")
    if depth > MAX_DIVISIONS:
        raise CertificateError(f"max_depth must be a whole number from 1 to {MAX_DIVISIONS}")
    if edits.bare not in SINGLE:
        raise CertificateError(f"is proved for single-row edits only, not {edits}")
    both, out, into = (cost("leaf", e) for e in SINGLE)
    body = [cost("body", e) for e in SINGLE]
    for _ in range(depth):
        # From the leaves up: below a split the row that went and the row that came share a child, or part for good.
        both = compose(body[0], worst(both, compose(out, into)))
        out, into = compose(body[1], out), compose(body[2], into)
    each = {REPLACE_ONE: both, REMOVE: out, ADD: into}
    return each[edits] if edits in each else worst(*each.values())


# ------------------------------------------------------------------------ what the certificate says


def loss_of(step: Step, metrics: Metrics) -> Loss:
    """Loss of a mechanism by its theorem, at these metrics and its noise parameters."""
    if step.priced is None or step.theorem_inputs is None:
        raise CertificateError("has no losses")
    params = step.theorem_inputs
    if THEOREMS[step.theorem].claimed:
        params = {**params, "claims": _listed_loss(step.priced, metrics)}
    return loss_at(step.theorem, params, step.priced.calibration, metrics)


def _listed_loss(priced: Priced, metrics: Metrics) -> Any:
    """The loss that the certificate lists for an asserted mechanism at these metrics; the worst of several lines."""
    found = [loss_from_json(loss) for at, loss in (*priced.met, priced.worst) if alike(at, metrics)]
    if not found:
        raise CertificateError(f"no loss is claimed at {[str(m) for m in metrics]}")
    return worst(*found)


def loss_at(theorem: str, theorem_inputs: Mapping[str, Any], calibration: Mapping[str, Any], metrics: Metrics) -> Loss:
    """The loss that a theorem gives for these inputs, noise parameters and metrics."""
    result = THEOREMS[theorem].rule({**theorem_inputs, **calibration}, (metrics,))
    if not isinstance(result, Loss):
        raise CertificateError(f"theorem {theorem!r} gives no loss")
    return result


def check_listed(typed: Typed, pricing: Pricing) -> list[Path]:
    """Compare what the certificate lists for each mechanism with what was computed; returns the paths that spend δ."""
    spending = []
    for path, step in typed.walk():
        if step.kind != "mechanism":
            continue
        try:
            if path not in pricing.met:
                raise CertificateError("lists losses, and nothing private reaches it")
            if _check_mechanism(step, pricing.met[path]):
                spending.append(path)
        except DpframeError as error:
            raise at(path, error) from None
    return spending


def check_claims(typed: Typed, pricing: Pricing) -> None:
    """Every line of an asserted operation's claims is one that was met.

    Raises
    ------
    CertificateError
    """
    for path, step in typed.walk():
        if step.claims is not None and pricing.used.get(path, set()) != set(range(len(step.claims))):
            raise CertificateError(f"node {'/'.join(path)!r}: claims are listed at metrics that it can't meet")


def split_delta(typed: Typed, adjacency: Adjacency, pricing: Pricing, spending: list[Path]) -> dict[str, float]:
    """What each mechanism adds to the composed δ by itself, scaled where they never all run."""
    loss = pricing.total(typed, adjacency)
    alone: dict[str, float] = {}
    for path in spending:
        delta = Pricing(path, meter=pricing.meter).total(typed, adjacency).delta
        if delta:
            alone["/".join(path)] = delta
    every = math.fsum(alone.values())
    return {name: delta * min(1.0, loss.delta / every) for name, delta in alone.items()}


def _check_mechanism(step: Step, met: list[Metrics]) -> float:
    if step.priced is None:
        raise CertificateError("lists no losses")
    listed = [metrics for metrics, _ in step.priced.met]
    if len(listed) != len(met) or not all(any(alike(m, other) for other in listed) for m in met):
        raise CertificateError(f"metrics: declared {_named(listed)}, computed {_named(met)}")
    # The δ of a mechanism is read off its worst line, so that must cover every line.
    if not alike(step.priced.worst[0], widest(listed)):
        raise CertificateError("its worst metrics do not cover those it meets")
    for metrics, loss in (*step.priced.met, step.priced.worst):
        wanted, given = loss_of(step, metrics), loss_from_json(loss)
        if not close(given, wanted, EXACT):
            raise CertificateError(f"loss: declared {_words(given)}, computed {_words(wanted)}")
    return loss_of(step, step.priced.worst[0]).delta


def _named(listed: Iterable[Metrics]) -> list[list[str]]:
    return [[str(m) for m in metrics] for metrics in listed]


def _words(loss: Loss) -> str:
    shown = str(loss.to_json())
    return shown if len(shown) <= 200 else shown[:197] + "..."

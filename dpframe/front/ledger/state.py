"""What a ledger holds, as one transaction saw it, and whether a run still fits."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import attrs

from dpframe.errors import BudgetError, PlanError
from dpframe.front.ledger.filters import Charge, Filter, add
from dpframe.planning.booked_events import booked_loss, proved_under
from dpframe.proof.losses import Loss
from dpframe.proof.spaces import Adjacency

DEARER = 0.01
"""How much more ε than alone a charge may stand for before a refusal says so."""


@attrs.frozen
class Entry:
    """One run in a ledger, or what another tool spent.

    Attributes
    ----------
    key : str
        Random; ``attempt.json`` of the run holds the same.
    spec, out : str
        What ran and where its files are; no `out` for a run from Python.
    status : {"reserved", "released", "failed"}
        Counts in full, whichever it is.
    charge : Charge
    written : tuple of str
        The plan's proved total and its composed loss, as JSON.
    """

    id: int
    key: str
    spec: str
    out: str | None
    status: str
    simulated: bool
    written: tuple[str, str] = attrs.field(repr=False)
    charge: Charge
    started: str

    @property
    def loss(self) -> dict[str, Any]:
        """The plan's proved total."""
        found: dict[str, Any] = json.loads(self.written[0])
        return found

    @property
    def events(self) -> Loss:
        """The composed loss that the charge was made from."""
        return booked_loss(json.loads(self.written[1]))

    def to_json(self) -> dict[str, Any]:
        """The entry as ``dpframe ledger show --json`` prints it."""
        return {
            "out": self.out,
            "spec": self.spec,
            "status": self.status,
            "loss": self.loss,
            "started": self.started,
            "simulated": self.simulated,
            "charge": attrs.asdict(self.charge),
            "key": self.key,
        }


@attrs.frozen
class State:
    """A ledger as one transaction saw it. An adjacency of None is fixed by the first entry.

    ``expected`` is what runs will take before the one that is asked about.
    """

    table: str
    adjacency: Adjacency | None
    filter: Filter
    entries: tuple[Entry, ...]
    expected: tuple[Charge, ...] = ()

    @property
    def charges(self) -> list[Charge]:
        """Charges of all entries, and those that are expected."""
        return [*(entry.charge for entry in self.entries), *self.expected]

    @property
    def spent(self) -> dict[str, float]:
        """The sum of all charges; it is book-keeping, and no guarantee: see :meth:`Filter.spent`."""
        return self.filter.spent(self.charges)

    @property
    def remaining(self) -> dict[str, float]:
        """What a run may still be charged; see :meth:`Filter.remaining`."""
        return self.filter.remaining(self.charges)

    def admit(self, loss: Loss, adjacency: Adjacency | None, stated: dict[str, Any]) -> Charge:
        """The charge of a loss, if it fits.

        Raises
        ------
        PlanError
            For another adjacency, of the plan or of an event that names one.
        BudgetError
            When it does not fit, or has no bound in the ledger's view.
        """
        if wrong := self.strange(loss):
            raise PlanError(
                f"an event is proved under {wrong} of rows alone, and the ledger of table {self.table!r} counts under "
                f"{_name(self.adjacency)}",
                fix=f"book it in a ledger under {wrong}, or the loss that it has under this ledger's adjacency",
            )
        if adjacency is not None and self.adjacency is not None and not self.adjacency.covers(adjacency):
            own = _name(self.adjacency)
            raise PlanError(
                f"the ledger of table {self.table!r} counts under {own}, the plan is under {adjacency.words}",
                fix=f"plan under {own}{_set(self.adjacency)}, or keep another ledger and do not add the two up",
            )
        whole = None if self.entries or self.expected else self.filter.whole(stated)
        try:
            charge = self.filter.charge(loss, at=_delta(stated))
            if not self.filter.fits([*self.charges, charge]):
                raise self._over(charge, stated, "event" if adjacency is None else "plan")
        except BudgetError:
            if whole is None:
                raise
            return whole
        return charge

    def strange(self, loss: Loss) -> str:
        """The adjacencies that events name and that are not the ledger's; empty where there is none."""
        own = self.adjacency
        here = {own.name} if own is not None and own.unit is None else set()
        return ", ".join(sorted(proved_under(loss) - here))

    def over(self, runs: Sequence[tuple[Loss, dict[str, Any]]]) -> BudgetError:
        """What says that several plans do not fit: what all of them cost together, and what is left for them.

        Raises
        ------
        BudgetError
            For one that has no bound in the ledger's view, whatever is left.
        """
        charges = [self.filter.charge(loss, at=_delta(stated)) for loss, stated in runs]
        return self._over(add(charges), {}, f"plan of {len(runs)} runs")

    def _over(self, charge: Charge, stated: dict[str, Any], what: str) -> BudgetError:
        left, said = self.remaining, f"the {what} does not fit the ledger of table {self.table!r}"
        if self.filter.fits([*self.charges, Charge(charge.amount, 0.0)]):
            return BudgetError(
                f"{said}: its mechanisms fail with a delta of {charge.delta:.3g} of their own, and "
                f"{left['own_delta']:.3g} of {self.filter.own_delta:.3g} is left for that",
                fix="plan with a smaller delta, or with noise that has none; a new ledger may keep more (own delta)"
                if what != "event"
                else "let the other tool spend a smaller delta; a new ledger may keep more (own delta)",
            )
        cost = ", ".join(f"{k}={v:.6g}" for k, v in self.filter.spent([charge]).items())
        rest = ", ".join(f"{k}={v:.6g}" for k, v in left.items() if k != "own_delta")
        less = "plan with less" if what != "event" else "let the other tool spend less"
        fix = f"{less}; dpframe ledger show says what remains"
        alone, at = float(stated.get("epsilon", 0.0)), _delta(stated)
        dearer = self.filter.price(charge, alone, at)
        if dearer is not None and dearer > DEARER:
            cost += f" (alone epsilon={alone:.6g}, delta={at:g}; here it counts as mu={math.sqrt(charge.amount):.6g})"
            by = (
                "release by gaussian, whose price here is that alone"
                if what != "event"
                else "name what it is (type, mu)"
            )
            fix = f"{by}, or {less}; see docs/runs.md, the ledger"
        return BudgetError(f"{said}: it is charged {cost}, what remains is {rest}", fix=fix)


def _name(adjacency: Adjacency | None) -> str:
    if adjacency is None or adjacency.unit is None:
        return "none yet" if adjacency is None else adjacency.words
    return f"{adjacency.name} of one unit (all rows of one {adjacency.unit!r})"


def _delta(stated: dict[str, Any]) -> float:
    return float(stated.get("delta", 0.0))


def _set(adjacency: Adjacency | None) -> str:
    """How a plan says that units are protected, whatever number of their rows counts."""
    unit = None if adjacency is None else adjacency.unit
    return "" if unit is None else f" (--set unit={unit} --set unit_rows=M)"

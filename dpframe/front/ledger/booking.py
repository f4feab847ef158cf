"""One run and its entry: checked before anything is opened, reserved before the first row, settled at the end."""

from __future__ import annotations

from typing import Any

import attrs

from dpframe.errors import BudgetError
from dpframe.front.ledger.store import Ledger, LedgerError, new_key
from dpframe.runtime.gate import Admitted


@attrs.frozen(eq=False)
class Booking:
    """A run that is to be entered into a ledger.

    What is entered is the loss that the checker recomputed from the certificate of the run, not what the planner says.
    """

    ledger: Ledger
    admitted: Admitted
    spec: str
    out: str | None = None
    key: str = attrs.Factory(new_key)

    def check(self, *later: Admitted) -> None:
        """Refuse early what would not fit now, with what is to run after it; each reservation decides.

        Raises
        ------
        DpframeError
        """
        state = begun = self.ledger.read()
        runs = (self.admitted, *later)
        try:
            for run in runs:
                charge = state.admit(run.checked.loss, run.checked.adjacency, run.spent)
                state = attrs.evolve(state, expected=(*state.expected, charge))
        except BudgetError:
            if not later:
                raise
            raise begun.over([(run.checked.loss, run.spent) for run in runs]) from None

    def enter(self) -> None:
        """Enter it. From here on it counts, whatever happens.

        Raises
        ------
        DpframeError
            It was not entered: nothing may be read.
        """
        checked = self.admitted.checked
        self.ledger.reserve(
            checked.loss,
            adjacency=checked.adjacency,
            spec=self.spec,
            out=self.out,
            stated=self.admitted.spent,
            simulated=checked.simulated,
            key=self.key,
        )

    def settle(self, status: str) -> bool:
        """Say how the run ended; False where the ledger could not be written, and then it stays reserved."""
        try:
            self.ledger.settle(self.key, status)
        except LedgerError:
            return False
        return True

    def words(self) -> str:
        """What was booked, what it cost more than alone, and where the ledger stands."""
        state = self.ledger.read()
        own = [entry for entry in state.entries if entry.key == self.key]
        charges = [entry.charge for entry in own]
        spent, left = _numbers(state.spent), _numbers(state.remaining)
        text = f"ledger of {state.table!r}: booked as {_numbers(state.filter.spent(charges))}"
        text += _priced(self.admitted.spent, [state.filter.price(c, *_alone(self.admitted.spent)) for c in charges])
        if any(entry.status == "reserved" for entry in own):
            text += "; how it ended could not be written, so it stays reserved and counts all the same"
        return f"{text}; spent {spent}; remaining {left}"


def _alone(total: dict[str, Any]) -> tuple[float, float]:
    return float(total.get("epsilon", 0.0)), float(total.get("delta", 0.0))


def _priced(total: dict[str, Any], prices: list[float | None]) -> str:
    known = [price for price in prices if price is not None and price < float("inf")]
    if not known:
        return ""
    return (
        f", {100 * max(known[0], 0.0):.1f} % more epsilon than alone by {total['accountant']} (the price of adaptivity)"
    )


def _numbers(values: dict[str, float]) -> str:
    return ", ".join(f"{key}={value:.6g}" for key, value in values.items())

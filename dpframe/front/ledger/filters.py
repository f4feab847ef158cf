r"""The privacy filter of a ledger: what runs may cost together when each is chosen after seeing the last.

One view, fixed when the ledger is created: ρ for zCDP, :math:`\mu^2` for GDP and for (ε, δ), ε for pure DP; and for
(ε, δ) a fixed part of δ for what mechanisms fail with themselves. Every run is charged in that view, and is let in
while the sums are within the two limits. Proof, and why neither the smallest of several accountants nor a part of δ
that is settled later will do: ``docs/theory/ledger.md``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, final

import attrs

from dpframe.errors import BudgetError, SpecError
from dpframe.proof.losses import ApproxDP, Budget, Gaussian, Loss, Pure, epsilon, tightest_epsilon
from dpframe.proof.losses._numeric import round_up, sqrt_up, sum_up, up
from dpframe.proof.losses.gaussian import gaussian_delta
from dpframe.proof.roots import boundary
from dpframe.proof.spaces.checks import scalar

VIEWS = {"pure_dp": "epsilon", "zcdp": "rho", "gdp": "mu", "approx_dp": "mu"}
"""The view in which a ledger of this form of budget counts; of μ the square."""
SHARE = 0.1 * (1 + 1e-9)
"""The part of δ that is kept for mechanisms' own δ where nothing else is said, ..."""
COST = 0.009
"""... but never more than costs Gaussian noise this part of ε."""
NEAR = 0.9
"""The part of the whole ε from which on a first plan may have all of it."""


@final
@attrs.frozen
class Charge:
    """What one run takes from a filter: an amount in its view, rounded up, and δ of its own."""

    amount: float
    delta: float


NOTHING = Charge(0.0, 0.0)


@final
@attrs.frozen
class Filter:
    """The two limits of a ledger.

    Parameters
    ----------
    budget : Budget
        What the ledger guarantees.
    limit : float
        The most that amounts may add up to: ε, ρ or μ².
    own_delta : float
        The most that mechanisms' own δ's may add up to.

    Notes
    -----
    *Formal guarantees.* While the charges of all runs add up to at most ``limit`` and ``own_delta``, all that they
    release together is within ``budget``, though each run may be chosen by everything released before
    (``docs/theory/ledger.md``, theorem 1).

    Examples
    --------
    >>> filter = make_filter(ApproxDP(1.0, 1e-6))
    >>> one = filter.charge(Loss.of(Gaussian(0.07)))
    >>> filter.fits([one] * 11), filter.fits([one] * 12)
    (True, False)
    """

    budget: Budget
    limit: float
    own_delta: float

    @property
    def view(self) -> str:
        """``epsilon``, ``rho`` or ``mu``."""
        return VIEWS[self.budget.kind]

    def charge(self, loss: Loss, at: float = 0.0) -> Charge:
        """What a run of this loss is charged.

        Parameters
        ----------
        loss : Loss
            The proved loss.
        at : float
            The δ at which an (ε, δ) ledger may ask for an ε of a loss that has no μ: it is then charged as randomised
            response of that ε, with all of `at` as its own δ.

        Raises
        ------
        BudgetError
            For a loss that has no proved bound in this view.
        """
        value = float(getattr(loss, self.view))
        if not math.isfinite(value) and isinstance(self.budget, ApproxDP) and loss.delta < at < 1:
            value, own = Pure(tightest_epsilon(loss, at)[0]).mu, at
        else:
            own = loss.delta
        amount = round_up(Fraction(value) ** 2) if self.view == "mu" and math.isfinite(value) else value
        if not math.isfinite(amount):
            raise BudgetError(
                f"the loss has no finite {self.view}, in which this ledger counts",
                fix="plan with noise that has one (Gaussian or Laplace), or keep another ledger for it",
            )
        if own and not isinstance(self.budget, ApproxDP):
            raise BudgetError(
                f"the plan spends a delta of its own, {own:.3g}, and this ledger has none",
                fix="plan without such mechanisms, or keep a ledger with epsilon and delta",
            )
        return Charge(amount, own)

    def whole(self, stated: Mapping[str, Any]) -> Charge | None:
        """The charge of a plan that asks for the whole budget at once, whichever accountant proves its total.

        Only for the first run, which is fixed before anything is released; nothing else fits after it.
        """
        if not isinstance(self.budget, ApproxDP) or not {"epsilon", "delta"} <= stated.keys():
            return None
        near = NEAR * self.budget.epsilon <= stated["epsilon"] <= self.budget.epsilon
        return Charge(self.limit, self.own_delta) if near and stated["delta"] <= self.budget.delta else None

    def fits(self, charges: Iterable[Charge]) -> bool:
        """Whether the sums, rounded up, are within both limits; no tolerance."""
        total = add(charges)
        return total.amount <= self.limit and total.delta <= self.own_delta

    def sound(self) -> bool:
        """Whether the limits imply the budget: asked of limits that were read from a file."""
        if isinstance(self.budget, ApproxDP):
            return _within(self.budget, self.limit, self.own_delta)
        most = Fraction(getattr(self.budget, self.view)) ** (2 if self.view == "mu" else 1)
        return self.own_delta == 0 and Fraction(self.limit) <= most

    def loss(self, charge: Charge) -> Loss:
        """The loss that a charge stands for in the terms of this ledger."""
        if self.view == "mu":
            return Loss.of(Gaussian(sqrt_up(Fraction(charge.amount))), delta=charge.delta)
        return Loss.of(Pure(charge.amount)) if self.view == "epsilon" else Loss(())

    def spent(self, charges: Iterable[Charge]) -> dict[str, float]:
        """What the charges amount to, in the terms of the budget: book-keeping; the guarantee is the budget."""
        total = add(charges)
        if isinstance(self.budget, ApproxDP):
            if total == NOTHING:
                return {"epsilon": 0.0, "delta": 0.0}
            found = epsilon(self.loss(total), self.budget.delta, "gdp")
            return {"epsilon": min(found, self.budget.epsilon) if self.fits([total]) else found,
                    "delta": self.budget.delta}  # fmt: skip
        amount = sqrt_up(Fraction(total.amount)) if self.view == "mu" else total.amount
        return {self.view: amount} | ({"delta": 0.0} if self.view == "epsilon" else {})

    def remaining(self, charges: Iterable[Charge]) -> dict[str, float]:
        """What still fits: a plan of Gaussian noise alone at this ε and δ; beside it, mechanisms' own δ's."""
        total = add(charges)
        left = _down(max(Fraction(self.limit) - Fraction(total.amount), Fraction(0)))
        if isinstance(self.budget, ApproxDP):
            own = _down(max(Fraction(self.own_delta) - Fraction(total.delta), Fraction(0))) or 0.0
            most = epsilon(Loss.of(Gaussian(math.sqrt(left))), self.budget.delta, "gdp") if left else 0.0
            return {"epsilon": most, "delta": self.budget.delta, "own_delta": own}
        return {self.view: math.sqrt(left) if self.view == "mu" else left}

    def price(self, charge: Charge, alone: float, at: float) -> float | None:
        """By how much more than `alone` the ε at δ = `at` is that a charge stands for; None where it has none."""
        if not isinstance(self.budget, ApproxDP) or not alone > 0:
            return None
        return epsilon(self.loss(charge), at, "gdp") / alone - 1


def make_filter(budget: Budget, own_delta: float | None = None) -> Filter:
    """The filter of a budget.

    Parameters
    ----------
    budget : Budget
    own_delta : float, optional
        For (ε, δ): how much of δ is kept for mechanisms with a δ of their own, such as stable histograms; the rest
        converts μ. By default a tenth, or less where that would cost Gaussian noise 1 % of ε.

    Raises
    ------
    SpecError
        For an ``own_delta`` that is not in [0, δ), or one beside a budget without δ.
    """
    own_delta = scalar(own_delta)
    if own_delta is not None and (isinstance(own_delta, bool) or not isinstance(own_delta, (int, float))):
        raise SpecError(f"own_delta must be a number, not {own_delta!r}", fix="give a part of delta, or leave it out")
    if not isinstance(budget, ApproxDP):
        if own_delta:
            raise SpecError("only a ledger with epsilon and delta has a part of delta to keep", fix="leave it out")
        value = float(getattr(budget, VIEWS[budget.kind]))
        return Filter(budget, _down(Fraction(value) ** 2) if VIEWS[budget.kind] == "mu" else value, 0.0)
    if own_delta is None:
        cheap = ApproxDP((1 - COST) * budget.epsilon, budget.delta)
        mu = sqrt_up(Fraction(_largest(cheap, 0.0)))
        own_delta = min(SHARE * budget.delta, budget.delta - _delta(mu, 0.0, budget.epsilon))
        own_delta = max(own_delta, 0.0)
    if not 0 <= own_delta < budget.delta:
        raise SpecError(
            f"mechanisms' own part of delta must be at least 0 and below delta, not {own_delta!r}", fix="for example 0"
        )
    return Filter(budget, _largest(budget, own_delta), own_delta)


def add(charges: Iterable[Charge]) -> Charge:
    """The sums of charges, exact and then rounded up."""
    listed = list(charges)
    return Charge(sum_up((c.amount, 1) for c in listed), sum_up((c.delta, 1) for c in listed))


def _within(budget: ApproxDP, limit: float, own: float) -> bool:
    return own < budget.delta and _delta(sqrt_up(Fraction(limit)), own, budget.epsilon) <= budget.delta


def _delta(mu: float, own: float, epsilon: float) -> float:
    """The δ at this ε of Gaussians of this μ and of mechanisms' own δ, rounded up."""
    core = gaussian_delta(mu, epsilon)
    if core == 0 or core >= 1:
        return min(max(own, core), 1.0)
    return min(up(own + (1 - own) * core, 2), 1.0)


def _largest(budget: ApproxDP, own: float) -> float:
    """The largest μ² that is within the budget beside ``own``, to nine digits and never above."""
    beyond = 1.0
    while _within(budget, beyond, own):
        beyond *= 4
    return boundary(lambda limit: _within(budget, limit, own), 0.0, beyond, relative=1e-9)[0]


def _down(value: Fraction) -> float:
    return -round_up(-value)


def as_terms(budget: Budget) -> dict[str, Any]:
    """A budget as ``show`` gives it: its numbers by name."""
    return {key: value for key, value in budget.to_json().items() if key != "type"}

"""Whether a loss fits a budget: what a plan says of itself. What runs is what the checker finds to fit."""

from __future__ import annotations

import attrs

from dpframe.proof.losses import ApproxDP, Budget, Loss, tightest_epsilon


@attrs.frozen
class Verdict:
    """Whether a loss fits a budget, by which accountant, and what is spent in the budget's terms."""

    holds: bool
    accountant: str
    spent: dict[str, float]


def verdict(budget: Budget, loss: Loss) -> Verdict:
    """Compare what the tightest accountant finds of a loss with the budget, without any tolerance.

    Examples
    --------
    >>> from dpframe.proof.losses import Gaussian
    >>> verdict(ApproxDP(1.0, 1e-6), Loss.of(Gaussian(0.2))).holds
    True
    >>> verdict(ApproxDP(1.0, 1e-6), Loss.of(Gaussian(0.4))).holds
    False
    """
    if isinstance(budget, ApproxDP):
        value, name = tightest_epsilon(loss, budget.delta)
        return Verdict(value <= budget.epsilon, name, {"epsilon": value, "delta": budget.delta})
    key, accountant = budget.view
    spent = {key: float(getattr(loss, key)), "delta": loss.delta}
    return Verdict(loss.delta == 0 and spent[key] <= getattr(budget, key), accountant, spent)

r"""A loss as an event of dp-accounting (optional, ``pip install dp-accounting``), never a smaller one.

============================================  =============================================================
event                                         of dp-accounting
============================================  =============================================================
Gaussian of :math:`\mu`                       Gaussian noise, :math:`1/\mu` times the sensitivity
Laplace                                       Laplace noise
discrete Laplace                              the same law; on a lattice of many steps Laplace, see below
pure :math:`\varepsilon`, bounded range       discrete Laplace of sensitivity 1, which is the worst pure law
concentrated :math:`\rho`, discrete Gaussian  zCDP, of which their RDP accountant alone knows
sampled Gaussian, sampled Laplace             Poisson sampling of these
one of several                                by its :math:`\mu`, else by :math:`\rho`, else by :math:`\varepsilon`
============================================  =============================================================

Discrete Laplace noise of scale b and shift s has :math:`\delta(x) = 1 - e^{-(\varepsilon-x)/2}\cosh((\tfrac12-f)/b) /
\cosh(1/2b)` for :math:`|x|\le\varepsilon = s/b`, where :math:`\cosh\ge1` above and :math:`\ln\cosh y\le y^2/2` below
give at most :math:`1 - e^{-(\varepsilon'-x)/2}` with :math:`\varepsilon' = \varepsilon + 1/4b^2`: the profile of
Laplace noise of :math:`\varepsilon'`. Outside, the one is 0 or :math:`1-e^x`, below which no profile lies.
"""

from __future__ import annotations

import math
from typing import Any

from dpframe.errors import PlanError
from dpframe.planning.discrete_events import DiscreteLaplace
from dpframe.planning.sampled_events import Sampled
from dpframe.proof.losses.algebra import Loss
from dpframe.proof.losses.event import Event
from dpframe.proof.losses.laplace import Laplace

MOST_STEPS = 1000
"""Largest sensitivity, in steps, of a discrete law that is handed on as it is."""


def to_dp_event(loss: Loss, *, without_delta: bool = False) -> Any:
    """The events of a loss as one ``dp_accounting.DpEvent``.

    Parameters
    ----------
    loss : Loss
    without_delta : bool
        Leave out the loss's own δ, for which dp-accounting has no event: add it to what its accountant says.

    Returns
    -------
    dp_accounting.DpEvent
        For an accountant of its default relation (``ADD_OR_REMOVE_ONE``), whatever the adjacency of the loss: what is
        said of noise is relative to the sensitivity under that adjacency.

    Raises
    ------
    PlanError
        Where the loss has a δ of its own and ``without_delta`` is not said, where an event has no counterpart, and
        where dp-accounting is not installed.

    Formal guarantees
    -----------------
    What an accountant of dp-accounting proves of the result, composed with whatever else, holds of the loss: each event
    is dominated by the one that stands for it, or is ρ-zCDP where that is zCDP.
    """
    try:
        import dp_accounting
    except ImportError:
        raise PlanError("dp-accounting is not installed", fix="pip install dp-accounting") from None
    if loss.delta and not without_delta:
        raise PlanError(
            f"mechanisms of this loss have a δ of their own, {loss.delta:.3g}, for which dp-accounting has no event",
            fix="say without_delta=True, and add it: accountant.get_epsilon(delta - own)",
        )
    rdp = any(_only_rho(event) for event, _ in loss.events)  # then only their RDP accountant takes the whole
    parts = [(_made(event, rdp=rdp), times) for event, times in loss.events if event.rho > 0]
    return dp_accounting.ComposedDpEvent(
        [one if times == 1 else dp_accounting.SelfComposedDpEvent(one, times) for one, times in parts]
    )


def _made(event: Event, *, rdp: bool) -> Any:
    """One event; ``rdp`` says that it must be one of which their RDP accountant knows."""
    import dp_accounting
    from dp_accounting.dp_event import DiscreteLaplaceDpEvent

    def pure(epsilon: float) -> Any:
        return DiscreteLaplaceDpEvent(math.nextafter(epsilon, math.inf), 1)

    if isinstance(event, Sampled):
        return dp_accounting.PoissonSampledDpEvent(event.rate, _made(event.inner(), rdp=rdp))
    if isinstance(event, Laplace) and math.isfinite(event.epsilon):
        return dp_accounting.LaplaceDpEvent(_below(event.epsilon))
    if isinstance(event, DiscreteLaplace) and (rdp or event.shift > MOST_STEPS):
        return dp_accounting.LaplaceDpEvent(_below(event.epsilon + 0.25 / event.scale**2))
    if isinstance(event, DiscreteLaplace):
        return DiscreteLaplaceDpEvent(math.nextafter(1.0 / event.scale, math.inf), event.shift)
    if math.isfinite(event.epsilon) and not event.alternatives and not rdp:
        return pure(event.epsilon)
    if math.isfinite(event.mu):
        return dp_accounting.GaussianDpEvent(_below(event.mu))
    if math.isfinite(event.rho):
        return dp_accounting.ZCDpEvent(event.rho, 0.0)
    if math.isfinite(event.epsilon):
        return pure(event.epsilon)
    raise PlanError(
        f"dp-accounting has no event for one of {event.kind!r} without ε, ρ and μ",
        fix="use plan.epsilon(delta) or plan.events()",
    )


def _only_rho(event: Event) -> bool:
    return math.isinf(event.epsilon) and math.isinf(event.mu) and math.isfinite(event.rho)


def _below(loss: float) -> float:
    """The noise multiplier of a loss, rounded down."""
    return math.nextafter(1.0 / loss, 0.0)

"""A graph above its budget: its most expensive node, and the smallest change that fits."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from dpframe.errors import BudgetError
from dpframe.planning.weighing import Solution, Weighing
from dpframe.proof.losses import ApproxDP, BoundedRange, Budget, Loss, Pure
from dpframe.proof.roots import boundary, geometric
from dpframe.proof.typed import Path
from dpframe.shown import few

Change = Callable[[Path, float], bool]
"""Whether the graph fits when the mechanism at a path has this noise multiplier."""


def refusal(weighings: Mapping[Path, Weighing], result: Solution, budget: Budget, change: Change) -> BudgetError:
    """Name the most expensive node and the smallest change that fits."""
    verdict, loss = result.verdict, result.loss
    costs = {
        path: w.site.mechanism.loss(result.calibrations[path], w.worst, w.site.domain) for path, w in weighings.items()
    }
    dearest = max(costs, key=lambda path: _cost(costs[path]))
    name = "/".join(dearest)
    spent = ", ".join(f"{key}={value:.6g}" for key, value in verdict.spent.items())
    over = f"the graph costs {spent} by {verdict.accountant}, above the budget {in_words(budget)}"
    message = f"{over}; its most expensive node is {name!r}, at {describe_loss(costs[dearest])}"
    key = next(k for k in ("epsilon", "rho", "mu") if k in verdict.spent)
    if isinstance(budget, ApproxDP) and loss.delta >= budget.delta:
        message = f"{message}; its mechanisms alone take δ={loss.delta:.3g}"
        return BudgetError(message, fix=_less_delta(weighings, costs, loss.delta, budget.delta))
    if not isinstance(budget, ApproxDP) and verdict.spent[key] == math.inf:
        without = [repr("/".join(path)) for path in costs if getattr(costs[path], key) == math.inf]
        which = f"{over}; the noise of {few(without)} has no finite {key}" if without else message
        return BudgetError(which, fix=_other_form(loss, key))
    shared = any(not w.fixed for w in weighings.values())
    fixes = [f"raise {key} to {_ceil(verdict.spent[key] * (1.1 if shared else 1.0))}"]
    if verdict.spent[key] == math.inf:
        fixes = ["raise delta"]
    old = weighings[dearest].site.mechanism.noise_multiplier
    if old is not None:
        new = _enough(lambda m: change(dearest, m), old)
        if new is not None:
            fixes.append(f"raise the noise_multiplier of {name!r} from {old:.4g} to {_ceil(new)}, or give it a share")
        else:
            fixes.append(
                f"raise the noise_multiplier of {name!r} from {old:.4g} and that of others, or give all a share"
            )
    return BudgetError(message, fix=", or ".join(fixes))


def in_words(budget: Budget) -> str:
    """A budget in few words.

    Examples
    --------
    >>> in_words(ApproxDP(1.0, 1e-6))
    'epsilon=1, delta=1e-06'
    """
    return ", ".join(f"{key}={value:.6g}" for key, value in budget.to_json().items() if key != "type")


def _less_delta(weighings: Mapping[Path, Weighing], costs: Mapping[Path, Loss], taken: float, delta: float) -> str:
    """How to leave some δ: smaller fractions, or a larger δ where what is taken is no fraction of it."""
    greedy = max(costs, key=lambda path: costs[path].delta)
    if weighings[greedy].site.mechanism.delta_fraction:
        return f"divide the delta_fraction of {'/'.join(greedy)!r} and its like by more than {taken / delta:.3g}"
    return f"raise delta to {_ceil(2 * taken)}"


def _other_form(loss: Loss, key: str) -> str:
    """What helps where no budget of this form is large enough."""
    others = [word for word, value in (("rho", loss.rho), ("mu", loss.mu)) if word != key and value < math.inf]
    alone = {"epsilon": "laplace or a selection", "mu": "gaussian or laplace", "rho": "gaussian or laplace"}[key]
    forms = " or as ".join(["epsilon and delta", *others])
    return f"give the budget as {forms}, or release by {alone} only"


def _enough(holds: Callable[[float], bool], old: float) -> float | None:
    """The least noise multiplier above ``old`` that fits, to 0.1 %; None where none does."""
    low, high = old, old * 2
    while not holds(high):
        low, high = high, high * 4
        if high > old * 1e9:
            return None
    return boundary(holds, high, low, relative=1e-3, middle=geometric)[0]


def _ceil(value: float) -> str:
    """Four digits, rounded up: what a user is told to raise something to."""
    digits = 3 - math.floor(math.log10(value))
    return f"{math.ceil(value * 10.0**digits) / 10.0**digits:.4g}"


def _cost(loss: Loss) -> float:
    total = sum(event.rho * times for event, times in loss.events)
    return total if total < math.inf else sum(event.epsilon * times for event, times in loss.events)


def describe_loss(loss: Loss) -> str:
    """A loss in few words."""
    words = []
    for event, times in loss.events:
        views = [("μ", event.mu), ("ε", event.epsilon), ("ρ", event.rho)]
        if isinstance(event, (Pure, BoundedRange)):
            views = [("ε", event.epsilon)]
        known = [f"{letter}={value:.4g}" for letter, value in views if value < math.inf]
        word = known[0] if known else type(event).__name__
        words.append(word if times == 1 else f"{times}×({word})")
    if loss.delta:
        words.append(f"δ={loss.delta:.3g}")
    return " + ".join(words) or "0"

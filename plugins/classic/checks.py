"""What the classic recipes check of their arguments, and how they read a released sum and count."""

from __future__ import annotations

import math
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

import dpframe.plugin as dp
from dpframe.plugin import BallValue, Failed, Handle, Kind, PlanError, Rows, SpecError, composite

NARROWEST, WIDEST = 2.0**-300, 2.0**500


def positive_number(name: str, value: Any, *, above: float = NARROWEST, below: float = WIDEST) -> None:
    """Check a parameter that must be a positive number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not above < value < below:
        least = above if isinstance(value, (int, float)) and 0 < value <= above else 0.0
        raise SpecError(
            f"{name} must be a number between {least:.1g} and {below:.1g}, not {value!r}",
            fix=f"give {name}=... in between",
        )


def table(x: Handle, bound: float | None = None) -> None:
    """Check that ``x`` is private rows in the units of the table, and ``bound`` a usable radius."""
    if x.edge.kind is not Kind.PRIVATE or not isinstance(x.domain, Rows) or x.domain.bound != "any":
        raise PlanError("needs private rows in the units of the table", fix="pass the program's own argument")
    if bound is not None:
        positive_number("bound", bound)


def _summed(x: Handle) -> Handle:
    """A sum of rows within 3 of 0, released."""
    kept = dp.apply("kept", dp.recipe("bounded", bound=3.0), x)
    ball = dp.ball(centre=[0.0] * x.d, radius=3.0)
    return dp.release("total", dp.gaussian(share=1.0), dp.sum(dp.clip(kept, ball)))


@composite("bounded", examples=(_summed,))
def bounded(x: Handle, *, bound: float) -> Handle:
    """Rows that keep the bound they are promised to: those outside are projected radially onto its sphere.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    bound : float
        ℓ₂ radius around 0.

    Returns
    -------
    Handle
        Private rows in the same units.

    Formal guarantees
    -----------------
    Edits are kept (the kernel's ``within``): each row's image is a function of that row and the bound. Costs nothing.
    """
    table(x)
    positive_number("bound", bound, below=math.inf)
    return dp.within(x, dp.bounding_ball(d=x.d, bound=bound))


def table_within(x: Handle, bound: float | None) -> Handle:
    """The rows as `bounded` has them, or as they are where no bound is promised."""
    table(x, bound)
    return x if bound is None else bounded(x, bound=bound)


def few_rows() -> Failed:
    """The failure of a run whose noisy number of rows is no more than noise."""
    return Failed("the noisy number of rows does not stand out of its noise", "use more rows or a larger budget")


@attrs.frozen(eq=False)
class ReleasedMean:
    """A mean in the units of the table, its noise per coordinate, and the noisy number of rows."""

    mean: NDArray[np.float64]
    noise: float
    rows: float


def released_mean(ball: BallValue, released: Any, noise: float) -> ReleasedMean | None:
    """Mean of the rows clipped to a ball, kept inside it; None where the count is no more than noise."""
    rows = float(released[-1])
    if not rows > max(3.0 * noise, 1.0):
        return None
    step = np.asarray(released[:-1], dtype=np.float64) / rows
    step = step / max(1.0, float(np.linalg.norm(step)))
    return ReleasedMean(ball.centre + ball.radius * step, ball.radius * noise / rows, rows)

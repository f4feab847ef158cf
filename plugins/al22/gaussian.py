"""Ashtiani and Liaw's estimator of one Gaussian, as averaged populous estimation: of a table, or of a part of one.

Blocks of rows, the empirical mean and covariance of each, a weight for every block that most others are near, a test
of the weights, their weighted average, and noise in its own shape: Σ^{1/2}(I + ηG)(I + ηG)ᵀΣ^{1/2} and μ + ηΣ^{1/2}g.
No step knows where the rows lie or how wide they are, so condition numbers and distances cost nothing.
"""

from __future__ import annotations

from typing import Any

import dpframe.plugin as dp
from dpframe.plugin import ApproxDP, Handle, Kind, PlanError, SpecError, composite
from dpframe_plugins.arbas23.program import averaged_blocks
from dpframe_plugins.arbas23.sizing import Size, sizes


def design(n: int, d: int, budget: Any, *, part: float = 1.0, t: int | None = None, r: float | None = None) -> Size:
    """Blocks, radius and test for ``n`` rows in d columns, out of a part of a budget.

    Raises
    ------
    PlanError
        For a budget without δ, or too few rows for any blocks.
    """
    if not isinstance(budget, ApproxDP) or budget.delta <= 0:
        raise PlanError("the test of the blocks needs an approximate budget with a delta", fix="use epsilon and delta")
    if not 0 < part <= 1:
        raise SpecError(f"part must be in (0, 1], not {part!r}", fix="part=0.5 designs for half of the budget")
    return sizes(n, d, 1, budget=dp.approx_dp(epsilon=part * budget.epsilon, delta=part * budget.delta), r=r, t=t)


@composite("al22.gaussian")
def gaussian(
    x: Handle,
    *,
    learner: str = "gaussian_1",
    rows: int | None = None,
    part: float = 1.0,
    t: int | None = None,
    r: float | None = None,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """Mean and full covariance of a Gaussian, wherever it lies: the averaged populous estimate of blocks, masked.

    Parameters
    ----------
    x : Handle
        The private table, rows mapped from it, or a part of it: a half, a cluster.
    learner : str
        Registered name of a learner of mixtures of one component; the block's own mean and covariance if not given.
    rows : int, optional
        About how many rows a part has, of which only its blocks' number depends; a table's are known.
    part : float
        Part of the budget that the test and the noise are designed for.
    t : int, optional
        Number of blocks; chosen from the rows, d and the budget.
    r : float, optional
        Agreeing blocks are within r of one another; at most 1. Chosen likewise.
    share : float
        Share of ρ of the mask.
    seed : int
        Public seed of the blocks.

    Returns
    -------
    Handle
        A released Gaussian in the units of the table: mean (d,), covariance (d, d); the run fails where too few blocks
        agree.

    Formal guarantees
    -----------------
    Replace-one with public n only. Loss: the test's (ε₁, δ₁) and the mask's Rényi cost at γ_avg, composed
    (``docs/theory/averaged-populous.md``, ``docs/theory/masks.md``, k = 1), whatever learner, ``rows`` and rows are.

    References
    ----------
    Ashtiani, Liaw 2022, "Private and polynomial time algorithms for learning Gaussians and beyond".
    """
    if x.edge.kind is not Kind.PRIVATE:
        raise PlanError("takes private rows", fix="pass the program's own argument, or a part of it")
    target = x.tracer.target
    if target is None:
        raise PlanError("how many blocks there are depends on the budget, and none is given", fix="plan with a budget")
    size = design(_rows(x, rows), x.d, target.budget, part=part, t=t, r=r)
    found = averaged_blocks(x, size, k=1, learner=learner, share=share, seed=seed, noise=size.noise(1, x.d))
    return dp.post("arbas23.gaussian", found, name="gaussian")


def _rows(x: Handle, rows: Any) -> int:
    known = None if x.edge.lineage else next((i.n for i in x.tracer.inputs if i.kind is Kind.PRIVATE), None)
    found: Any = known if rows is None else rows
    if found is None:
        raise PlanError("how many rows a part has is private", fix="say about how many: rows=...")
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        raise SpecError(f"rows must be a whole number of at least 1, not {rows!r}", fix="about as many as expected")
    return int(found)

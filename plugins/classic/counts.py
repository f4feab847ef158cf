"""``histogram`` and ``quantile``: noisy counts of public bins, and a quantile chosen from public candidates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Domain,
    Failed,
    Handle,
    Index,
    Post,
    Slot,
    SpecError,
    Vector,
    composite,
    increasing,
    register,
    same,
    wants,
)

from .checks import positive_number, table

LARGEST_DENOMINATOR = 1000


@composite("histogram", examples={"edges": (-1.0, 0.0, 1.0)})
def histogram(
    x: Handle,
    *,
    edges: Sequence[float] | None = None,
    categories: Sequence[float] | None = None,
    column: int = 0,
    noise: str = "gaussian",
    share: float = 1.0,
) -> Handle:
    """Noisy counts of one column by public bins, or by public categories.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d).
    edges : sequence of float, optional
        Increasing. The bins are (−∞, e₀), [e₀, e₁), …, [e_last, ∞): one more than edges, no row left out.
    categories : sequence of float, optional
        Codes. One count each in increasing order, and last the count of all other rows. Give one of the two.
    column : int
        From 0.
    noise : {"gaussian", "laplace"}
        Laplace suits a pure budget and few releases.
    share : float
        Share of ρ.

    Returns
    -------
    Handle
        Released counts: whole numbers, negative where noise made them so. They are unbiased; clip and round at will.

    Raises
    ------
    SpecError
        Unless exactly one of edges and categories is given.

    Formal guarantees
    -----------------
    A one-hot vector a row: ℓ₂ sensitivity √2 (ℓ₁ 2) under replace-one, 1 under add/remove; exact discrete noise.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def ages(x):
    ...     return dp.release("ages", dp.recipe("histogram", edges=[18.0, 65.0], noise="laplace"), x)
    >>> plan = dp.plan(ages, x=dp.rows(d=1), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(1.0))
    >>> plan.spent["epsilon"] <= 1.0
    True
    """
    table(x)
    if (edges is None) == (categories is None):
        raise SpecError("a histogram takes either edges or categories", fix="give one of them")
    if noise not in ("gaussian", "laplace"):
        raise SpecError(f"noise must be gaussian or laplace, not {noise!r}", fix="noise='gaussian'")
    if edges is not None:
        counted = dp.bin_counts(x, edges=[float(e) for e in edges], column=column)
    else:
        counted = dp.value_counts(x, values=sorted(float(c) for c in categories or ()), column=column)
    mechanism = dp.gaussian(share=share) if noise == "gaussian" else dp.laplace(share=share)
    return dp.release("counts", mechanism, counted)


@composite("quantile")
def quantile(x: Handle, *, q: float, candidates: Sequence[float], column: int = 0, share: float = 1.0) -> Handle:
    """A quantile of one column, chosen from a public list of candidates.

    The exponential mechanism on whole-number scores: minus the number of rows on the wrong side of a candidate. With
    m candidates the chosen one is off by about (1/ε)·ln m rows in rank.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d).
    q : float
        Strictly between 0 and 1; taken as the nearest fraction with a denominator of at most 1000.
    candidates : sequence of float
        Public and increasing, such as a grid.
    column : int
        From 0.
    share : float
        Share of ρ.

    Returns
    -------
    Handle
        A released vector of one number: the candidate.

    Raises
    ------
    SpecError
        For a q outside (0, 1).

    Formal guarantees
    -----------------
    With q = p/b the scores move by b under replace-one and by max(p, b − p) under add/remove, the number of rows
    counted as private (``rank_scores``); the mechanism has bounded range and is sampled exactly.

    References
    ----------
    Smith (2011); McSherry, Talwar (2007).
    """
    table(x)
    positive_number("q", q, below=1.0)
    near = Fraction(q).limit_denominator(LARGEST_DENOMINATOR)
    near = min(max(near, Fraction(1, LARGEST_DENOMINATOR)), Fraction(LARGEST_DENOMINATOR - 1, LARGEST_DENOMINATOR))
    listed = [float(c) for c in candidates]
    scores = dp.rank_scores(x, candidates=listed, numerator=near.numerator, denominator=near.denominator, column=column)
    index = dp.release("index", dp.exponential_mechanism(share=share), scores)
    return dp.post("classic.pick", index, candidates=listed, name="value")


@register("classic.pick")
@attrs.frozen
class Pick(Post):
    """The candidate of a released index."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("index", PARAM),)
    candidates: tuple[float, ...] = attrs.field(converter=tuple, kw_only=True, validator=increasing)

    def output(self, *inputs: Domain) -> Domain:
        """Domain of one number."""
        same(wants(inputs[0], Index, self.name).m, len(self.candidates), self.name)
        return Vector(1)

    def apply(self, *values: Any) -> Any:
        """Look it up; ⊥ where nothing was selected."""
        if values[0] is None:
            return Failed("no candidate was selected", "give more candidates, or a larger budget")
        return np.array([self.candidates[int(values[0])]])

"""BKSW19's selection by contests: (3 + ζ)·α for a truth within a known α of some hypothesis."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Array,
    Domain,
    Handle,
    ListOf,
    Mixture,
    PlanError,
    Post,
    Slot,
    composite,
    positive,
    positive_whole,
    register,
    wants,
)
from dpframe.plugin import listed_hypotheses as listed

from .selection import mixture_of

ZETA = 1.0
"""Two hypotheses within (2 + ζ)α of one another are not told apart; where they are, ζα/2 is left for sampling."""
CONTESTED = 512
"""More hypotheses than this are written out as mixtures for no use: all pairs meet, on two sides."""


@register("aal21.written_out")
@attrs.frozen
class WrittenOut(Post):
    """Hypotheses as a list of mixtures of k components.

    Parameters
    ----------
    k, d, size : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("hypotheses", PARAM),)
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    size: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """Mixtures."""
        listed(inputs[0], self.name)
        if self.size > CONTESTED:
            raise PlanError(f"{self.size} hypotheses are too many for contests", fix=f"use at most {CONTESTED}")
        return ListOf(Mixture(self.k, self.d), self.size)

    def apply(self, *values: Any) -> Any:
        """One after the other; a mixture of fewer components repeats its heaviest with weight 0."""
        return [mixture_of(values[0], i, self.k) for i in range(min(len(values[0]), self.size))]


@register("aal21.bars")
@attrs.frozen
class Bars(Post):
    """τ_ji of each contest: p₂ + (1 + ζ/2)α, p₂ = f_i(f_j > f_i); −1 where p₁ − p₂ <= (2 + ζ)α. ζ = 1.

    Parameters
    ----------
    alpha : float
        Some hypothesis is promised to be within it of the truth.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("masses", PARAM),)
    alpha: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """Domain of one number for each pair of hypotheses."""
        shape = wants(inputs[0], Array, self.name).shape
        if len(shape) != 2 or shape[0] != shape[1]:
            raise PlanError(f"{self.name} takes masses of all pairs, not {inputs[0]}", fix="give it aal21.masses")
        return Array(shape)

    def apply(self, *values: Any) -> Any:
        """From the masses of {f_i > f_j}, i < j; the other side of a pair is the complement."""
        masses = np.asarray(values[0], dtype=np.float64)
        upper = np.triu(np.ones(masses.shape, dtype=np.bool_), 1)
        own = np.where(upper, masses, 1.0 - masses)
        other = np.where(upper, masses.T, 1.0 - masses.T)
        return np.where(own - other <= (2 + ZETA) * self.alpha, -1.0, other + (1 + ZETA / 2) * self.alpha)


def _decoded(x: Handle) -> Handle:
    """Of what a decoder lists on half of the rows the other half chooses."""
    first, second = dp.split(x, count=2, seed=0, name="parts")
    asked = {"sds": (1.0,) * x.d, "alpha": 0.5, "gamma": 0.9, "rows": 300, "limit": 64}
    found = dp.apply("decoder", dp.recipe("aal21.known_decoder", **asked), first)
    net = dp.post("aal21.net", found, k=1, steps=1, size=64, name="hypotheses")
    return select_by_contests(second, net, alpha=0.1, share=1.0, n=300, k=1, max_hypotheses=64)


@composite("aal21.select_by_contests", examples=_decoded)
def select_by_contests(
    rows: Handle,
    hypotheses: Handle,
    *cells: Handle,
    alpha: float,
    share: float,
    n: int,
    k: int,
    max_hypotheses: int,
    seed: int = 0,
) -> Handle:
    """Select by the contests of BKSW19: within (3 + ζ)α = 4α if some hypothesis is within ``alpha``. No cells are used.

    ``aal21.select`` needs no α, and is within 3·OPT: what AAL21's Lemma 3.1 asks for. Both have the whole ε.

    Parameters
    ----------
    rows, hypotheses, cells, share, n, k, max_hypotheses, seed
        As :func:`~dpframe_plugins.aal21.selection.select`; at most 512 hypotheses.
    alpha : float
        Some hypothesis is within it of the truth.

    Returns
    -------
    Handle
        A released mixture of ``k`` components: the hypothesis that was chosen; weights may be 0.

    Formal guarantees
    -----------------
    Scores of sensitivity 1 in ℓ∞ (``contest_scores``), replace-one, and one draw of the exponential mechanism.

    References
    ----------
    Bun, Kamath, Steinke, Wu (2019); Aden-Ali, Ashtiani, Kamath (2021), Theorem 27.
    """
    size = min(max_hypotheses, CONTESTED)
    mixtures = dp.post("aal21.written_out", hypotheses, k=k, d=rows.d, size=size, name="mixtures")
    masses = dp.post("aal21.masses", hypotheses, size=size, d=rows.d, seed=seed, name="masses")
    bars = dp.post("aal21.bars", masses, alpha=alpha, name="bars")
    scores = dp.contest_scores(rows, mixtures, bars, size=size, n=n, name="scores")
    index = dp.release("index", dp.exponential_mechanism(share=share), scores)
    return dp.post("aal21.choose", hypotheses, index, k=k, d=rows.d, name="mixture")

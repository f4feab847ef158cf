"""Rows that AAL21's theorems ask for, with constants fitted by ``bench/selection.py``."""

from __future__ import annotations

import math

from dpframe.plugin import ApproxDP, SpecError, Target

PAPER_ALPHA = 0.7
"""α of the paper mode where none is given: the first in reach that promises anything. At α = 1 nothing is said."""
FINEST, LEAST = 1e-4, 1e-9
"""Of α and of β: below what any number of rows reaches; nets as long as 1/α must fit into memory."""
MOST_COMPONENTS = 2046
"""The practical mode fits 2k + 4 mixtures and contests them pair by pair, at most 4096."""
DECODE, DECODE_SCALES, SELECT = 8.0, 35.0, 1.1
"""Constants of Corollary 4.5 (E.2), Lemma 4.10 and Lemma 3.1, fitted: above the largest of the simulated cases of
``bench/results/selection.json`` (one column, ε = 1, δ = 1e-6, k <= 2)."""


def check_components(k: object) -> None:
    """Refuse a k that is no number of components, or one of more than can be chosen among."""
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise SpecError(f"k must be a whole number of at least 1, not {k!r}", fix="--set k=2")
    if k > MOST_COMPONENTS:
        raise SpecError(f"k must be at most {MOST_COMPONENTS}, not {k}", fix="use a smaller k, or practical_gmm")


def check_accuracy(k: object, alpha: float, beta: float) -> None:
    """Refuse what Algorithm 1 has no meaning for."""
    check_components(k)
    if not (FINEST <= alpha <= 1 and LEAST <= beta < 1):
        raise SpecError(
            f"alpha must be in [{FINEST:g}, 1] and beta in [{LEAST:g}, 1), not {alpha!r} and {beta!r}",
            fix="--set alpha=0.7 --set beta=0.1",
        )


def budget_of(target: Target | None) -> tuple[float, float]:
    """(ε, δ) of the whole budget; (1, 1e-6) where it is of another kind."""
    budget = target.budget if target is not None else None
    return (budget.epsilon, budget.delta) if isinstance(budget, ApproxDP) and budget.delta > 0 else (1.0, 1e-6)


def decoding_rows(
    k: int, d: int, alpha: float, beta: float, *, known: bool, target: Target | None, share: float = 1.0
) -> int:
    """n₁ of Theorems 4.6, E.1 (known variances) and 4.14, 5.1: decode with α/18, β/2k and γ = 1 − α/18k.

    C·√d·ln(d/βδ)/((1 − γ)ε), and with (1 − γ)² for unknown variances: by T1 the d columns are counted at once, with
    √d times the noise of one; d decoders at ε/d would ask for d times as many rows. A share of ρ is its root of ε.

    Examples
    --------
    >>> decoding_rows(2, 1, 1.0, 0.1, known=True, target=None) > decoding_rows(1, 1, 1.0, 0.1, known=True, target=None)
    True
    """
    epsilon, delta = budget_of(target)
    epsilon *= math.sqrt(min(share, 1.0))
    part = alpha / (18 * k)
    logs = math.sqrt(d) * (math.log(2 * k * d / beta) - math.log(delta))
    return math.ceil(DECODE * logs / (part * epsilon) if known else DECODE_SCALES * logs / (part**2 * epsilon))


def selecting_rows(
    hypotheses: int, alpha: float, beta: float, target: Target | None, share: float = 1.0, hides: float = 0.0
) -> int:
    """n₂ of Lemma 3.1 for M hypotheses: C·ln(2M/β)·(1/α² + 1/αε), with the whole ε and β/2.

    Its α/2 must also cover the total variation that cells hide: α is that much smaller (twice), by half at most.

    Examples
    --------
    >>> selecting_rows(10**6, 1.0, 0.1, None) < selecting_rows(10**6, 0.5, 0.1, None)
    True
    """
    epsilon = budget_of(target)[0] * math.sqrt(min(share, 1.0))
    alpha = max(alpha - 2.0 * hides, alpha / 2.0)
    return math.ceil(SELECT * math.log(2 * max(hypotheses, 2) / beta) * (1 / alpha**2 + 1 / (alpha * epsilon)))

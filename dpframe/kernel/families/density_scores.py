"""``density_scores``: Scheffé scores of mixtures from any registered family of distributions."""

from __future__ import annotations

import functools
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DomainError
from dpframe.kernel.families.registering import Family, family, find_family
from dpframe.kernel.families.scheffe_scores import Singles, count_wins, mixed, no_wins, pieces
from dpframe.kernel.foreign import rowwise
from dpframe.kernel.operations import Batch, Exact, Statistic, wants
from dpframe.kernel.registry import register
from dpframe.proof.spaces import MOST_ROWS, Domain, Rows, positive_whole, up_to

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]
FARTHEST, FINEST = -1e9, 2.0**20
"""Log-densities are held within ±1e9 and rounded to steps of 2^−20."""


def _floats(values: Any) -> Floats:
    return np.ascontiguousarray(values, dtype=np.float64)


def _indices(values: Any) -> Integers:
    return np.ascontiguousarray(values, dtype=np.int64)


@family(
    "unit_gaussian",
    size=lambda d: d,
    sample=lambda theta, count, generator: theta + generator.standard_normal((count, len(theta))),
    fit=lambda rows, generator: rows.mean(axis=0),
    example=lambda d, generator: generator.standard_normal(d),
)
def unit_gaussian(rows: Any, theta: Any) -> Any:
    """N(μ, I), the plainest family: for a known covariance, whiten the rows first.

    Examples
    --------
    >>> unit_gaussian(np.array([[0.0, 0.0], [3.0, 4.0]]), np.zeros(2)).tolist()
    [0.0, -12.5]
    """
    total = np.zeros(len(rows))
    for i, mean in enumerate(theta.tolist()):
        step = rows[:, i] - mean
        total = total - step * step / 2
    return total


@attrs.frozen(eq=False)
class FamilyMixtures:
    """M mixtures of at most k listed members of one family.

    Attributes
    ----------
    family : str
    components : array (L, p)
        The listed parameters.
    picks, weights : array (M, k)
        Which components each mixture is made of, and their weights; one of weight 0 pads.
    """

    family: str
    components: Floats = attrs.field(converter=_floats)
    picks: Integers = attrs.field(converter=_indices)
    weights: Floats = attrs.field(converter=_floats)

    def __len__(self) -> int:
        return len(self.weights)


def log_densities(known: Family, values: Any, components: Any) -> Floats:
    """Log-density (L, rows) of each component at each row, under the rules of row maps.

    The function is called on copies. What one row causes stays with it (:func:`~dpframe.kernel.foreign.rowwise`): where
    the function fails, or gives no number, a row has the least density. What it returns is held in a fixed range and
    rounded.
    """
    out = np.empty((len(components), len(values)))
    with np.errstate(all="ignore"):
        for log, theta in zip(out, components, strict=True):
            found = rowwise(functools.partial(_one_each, known, theta), np.ascontiguousarray(values), 1)[:, 0]
            held = np.clip(np.nan_to_num(found, nan=FARTHEST), FARTHEST, -FARTHEST)
            log[:] = np.rint(held * FINEST) / FINEST
    return out


def _one_each(known: Family, theta: Any, rows: Any) -> Floats:
    made = np.array(known.log_density(rows, theta.copy()), dtype=np.float64)
    return made[:, None] if made.ndim == 1 else made


def family_densities(values: Any, hypotheses: FamilyMixtures) -> Singles:
    """Density of each mixture at each row (M, rows), over the largest component's."""
    logs = log_densities(find_family(hypotheses.family), values, hypotheses.components)
    return mixed(logs, hypotheses.picks, hypotheses.weights)


def checked_family(value: Any, name: str, d: int, most: int, what: str) -> FamilyMixtures:
    """A released list of mixtures of that family over d columns, or a :class:`DomainError`."""
    if not isinstance(value, FamilyMixtures) or value.family != name:
        raise DomainError(f"{what} takes FamilyMixtures of {name!r}, not {type(value).__name__}")
    if not 1 <= len(value) <= most:
        raise DomainError(f"{what}: {len(value)} hypotheses, planned for 1 to {most}", fix="raise size")
    shape, p = value.components.shape, int(find_family(name).size(d))
    if len(shape) != 2 or shape[1] != p or not shape[0] or not np.isfinite(value.components).all():
        raise DomainError(f"{what}: components have {p} finite parameters each, not {shape}")
    same = value.picks.shape == value.weights.shape and value.picks.ndim == 2
    if not same or not ((value.picks >= 0) & (value.picks < shape[0])).all():
        raise DomainError(f"{what}: each hypothesis picks listed components, with a weight each")
    with np.errstate(all="ignore"):
        if not ((value.weights >= 0).all() and np.allclose(value.weights.sum(axis=1), 1.0, rtol=0, atol=1e-9)):
            raise DomainError(f"{what}: weights are >= 0 and sum to 1")
    return value


@register("density_scores")
@attrs.frozen
class DensityScores(Statistic):
    """S(j) = −max_i |n·f_j(W_ij) − N(W_ij)| over W_ij = {f_i > f_j}, for mixtures of a registered family.

    As ``scheffe_scores``, whose theorem of utility holds for it (``docs/theory/selection.md``).

    Parameters
    ----------
    family : str
        Registered name (:func:`dpframe.kernel.families.registering.family`).
    size : int
        Static bound on the number of hypotheses.
    n : int
        The public number of rows that f is scaled to; no guarantee rests on it.

    Inputs
    ------
    rows, hypotheses, masses
        ``hypotheses`` a :class:`FamilyMixtures`; ``masses`` (size, size) holds f_i(W_ij) at [i, j] and f_j(W_ij) at
        [j, i], for i < j.

    Formal guarantees
    -----------------
    Sensitivity: 1 under replace-one in ℓ∞, and max(r, a) under any edits (``density_scores``), *if* the family's
    log-density treats rows one by one: a hypothesis in the certificate.

    References
    ----------
    Mahalanabis, Stefankovic, "Density Estimation in Linear Time", COLT 2008.

    Examples
    --------
    >>> two = FamilyMixtures("unit_gaussian", np.array([[-2.0], [2.0]]), np.array([[0], [1]]), np.ones((2, 1)))
    >>> scores, masses = DensityScores(family="unit_gaussian", size=2, n=100), np.array([[0.0, 0.977], [0.023, 0.0]])
    >>> fold = scores.start(Rows(1), two, masses)
    >>> scores.update(fold, Batch(0, np.linspace(1.0, 3.0, 100)[:, None], np.ones(100, dtype=bool)), two, masses)
    >>> scores.value(fold).integers.tolist()  # the rows are the second's
    [-98, -2]
    """

    family: str = attrs.field(kw_only=True)
    size: int = attrs.field(kw_only=True, validator=positive_whole)
    n: int = attrs.field(kw_only=True, validator=up_to(MOST_ROWS))

    def admit(self, *inputs: Domain) -> None:
        """A registered family."""
        find_family(self.family)

    def start(self, domain: Domain, *params: Any) -> Any:
        """No wins."""
        d = wants(domain, Rows, self.name).d
        return no_wins(checked_family(params[0], self.family, d, self.size, self.name), params[1], self.n, self.name)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Compare the densities of all pairs at every row."""
        values = batch.values[batch.valid]
        for piece in pieces(len(values), len(fold.hypotheses)):
            count_wins(family_densities(values[piece], fold.hypotheses), fold.wins)

    def value(self, fold: Any) -> Exact:
        """The scores."""
        scores: Exact = fold.scores()
        return scores

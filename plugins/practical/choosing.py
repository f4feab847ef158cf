"""The number of components, chosen privately: a mixture of the most there may be, its components merged or left out.

Of a released mixture of K components those of K − 1, K − 2, ..., 1 are functions: merged one by one, or the lightest
left out. Merging keeps what two halves of one cluster say; a light component of noise alone lies anywhere, and merged
it would widen a cluster. What each row says of them, its log likelihood under one less that under all K, is clipped to
±`RANGE` and summed; an exponential mechanism takes the largest sum, less a penalty for each parameter and for what the
mechanism's own noise can claim. The proof is that of the mechanism: a row moves a sum by at most 2·`RANGE`, and the
penalty, a constant a row, is in the whitening.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe.plugin import (
    Above,
    AffineMap,
    AffineValue,
    Ball,
    Counts,
    Domain,
    Expected,
    Failed,
    Index,
    Mixture,
    MixtureValue,
    Post,
    Quality,
    Record,
    Slot,
    Whitening,
    WhiteningValue,
    positive,
    positive_whole,
    register,
    same,
    wants,
)
from dpframe.plugin import powers_of_two as powers

from .averaging import Average
from .finish import within
from .goodness import EDGES, log_densities
from .nodes import answering, map_scale, slots
from .records import Floats
from .records import Mixture as FrameMixture

RANGE = 1.0
"""Nats by which one row can speak for or against a number of components."""
SURE = 0.01
"""About how often the mechanism's noise alone may add a component."""
DRAWN = 256
"""Rows drawn from a component that is left out."""
FAR = 1024.0
"""Nats beyond which what a row says is drawn in."""
NO_MODEL = "no model is known where the number of components is chosen"


def merged(model: MixtureValue, k: int) -> MixtureValue:
    """The mixture of k components after the cheapest merges, each of equal weight, mean and covariance as its two.

    Cheapest is what Runnalls (2007) bounds the divergence by: ½[(w₁ + w₂) ln|C| − w₁ ln|C₁| − w₂ ln|C₂|].

    Examples
    --------
    >>> two = MixtureValue(np.array([0.5, 0.5]), np.array([[-1.0], [1.0]]), np.ones((2, 1, 1)))
    >>> merged(two, 1).covariances.tolist()
    [[[2.0]]]
    """
    return _merged(model, np.zeros(len(model.weights)), k)[0]


def _merged(model: MixtureValue, noise: Floats, k: int) -> tuple[MixtureValue, Floats]:
    """The same, and the noise of each covariance (spectral norm, in its own metric)."""
    weights, means, covariances = (
        np.array(a, dtype=np.float64) for a in (model.weights, model.means, model.covariances)
    )
    while len(weights) > k:
        i, j = _cheapest(weights, means, covariances)
        w, mean, covariance = _joined(weights, means, covariances, i, j)
        rest = [a for a in range(len(weights)) if a not in (i, j)]
        shares = [0.5 if w == 0 else float(weights[a]) / w for a in (i, j)]
        parts = [s * _noise_in(noise[a], covariances[a], covariance) for s, a in zip(shares, (i, j), strict=True)]
        noise = np.append(noise[rest], math.hypot(*parts))
        weights = np.append(weights[rest], w)
        means = np.concatenate([means[rest], mean[None]])
        covariances = np.concatenate([covariances[rest], covariance[None]])
    return MixtureValue(weights / weights.sum(), means, covariances), noise


def _noise_in(noise: float, covariance: Floats, whole: Floats) -> float:
    """What the noise of a component is at most of the covariance that it is merged into, before its share."""
    return noise * float(np.linalg.eigvals(np.linalg.solve(whole, covariance)).real.max())


def lightest_left_out(model: MixtureValue, k: int) -> MixtureValue:
    """The mixture of the k components of the largest weights, with the weight of what lay within them.

    Examples
    --------
    >>> three = MixtureValue(np.array([0.3, 0.1, 0.6]), np.array([[0.0], [9.0], [1.0]]), np.ones((3, 1, 1)))
    >>> lightest_left_out(three, 2).means.ravel().tolist()
    [0.0, 1.0]
    """
    found = heaviest(model, k)
    whole = float(found.weights.sum())
    return attrs.evolve(found, weights=found.weights / whole if whole > 0 else np.full(k, 1.0 / k))


def heaviest(model: MixtureValue, k: int) -> MixtureValue:
    """The k components of the largest weights, which sum to less than 1: they have what they explain of the others.

    That is rows, drawn from what is left out with a public seed, which lose no more than `RANGE` nats by it.

    Examples
    --------
    >>> means = np.array([[0.0], [9.0], [1.0], [0.1]])
    >>> four = MixtureValue(np.array([0.3, 0.1, 0.5, 0.1]), means, np.ones((4, 1, 1)))
    >>> heaviest(four, 2).weights.sum().round(2)
    np.float64(0.9)
    """
    kept, weights = _heaviest(model, k), np.asarray(model.weights, dtype=np.float64)
    means, covariances = np.asarray(model.means), np.asarray(model.covariances)
    roots = np.linalg.cholesky(covariances)
    found, rng = weights[kept], np.random.default_rng(0)
    for i in np.setdiff1d(np.flatnonzero(weights > 0.0), kept):
        rows = means[i] + rng.standard_normal((DRAWN, roots.shape[1])) @ roots[i].T
        parts = (FrameMixture(weights[[j]], means[[j]], roots[[j]]) for j in (*kept, i))
        *each, own = np.array([log_densities(part, rows) for part in parts])
        both = np.logaddexp.reduce(each, axis=0)
        explained = both >= own - RANGE
        found = found + weights[i] * (np.exp(np.array(each) - both) * explained).mean(axis=1)
    return MixtureValue(found, means[kept], covariances[kept])


def _heaviest(model: MixtureValue, k: int) -> NDArray[np.intp]:
    """Which components have the k largest weights, in their order."""
    return np.sort(np.argsort(-np.asarray(model.weights), kind="stable")[:k])


def candidates(most: int) -> list[tuple[int, bool]]:
    """Numbers of components, and whether the others are left out and not merged; last the mixture as it is.

    Examples
    --------
    >>> candidates(3)
    [(1, True), (2, True), (1, False), (2, False), (3, False)]
    """
    return [(k, True) for k in range(1, most)] + [(k, False) for k in range(1, most + 1)]


def reduced(model: MixtureValue, k: int, *, leave_out: bool) -> MixtureValue:
    """The candidate of k components."""
    return lightest_left_out(model, k) if leave_out else merged(model, k)


def noise_left(model: MixtureValue, noise: Floats, k: int, *, leave_out: bool) -> Floats:
    """The noise of the covariances of the candidate of k components, told that of the mixture's.

    Examples
    --------
    >>> means, noise = np.array([[0.0], [0.0], [9.0]]), np.array([0.1, 10.0, 0.2])
    >>> model = MixtureValue(np.array([0.5, 0.01, 0.49]), means, np.ones((3, 1, 1)))
    >>> [noise_left(model, noise, 2, leave_out=left).round(2).tolist() for left in (True, False)]
    [[0.1, 0.2], [0.2, 0.22]]
    """
    return noise[_heaviest(model, k)] if leave_out else _merged(model, noise, k)[1]


def _joined(weights: Floats, means: Floats, covariances: Floats, i: int, j: int) -> tuple[float, Floats, Floats]:
    w = float(weights[i] + weights[j])
    a = 0.5 if w == 0 else float(weights[i]) / w
    apart = means[i] - means[j]
    covariance = a * covariances[i] + (1 - a) * covariances[j] + a * (1 - a) * np.outer(apart, apart)
    return w, a * means[i] + (1 - a) * means[j], covariance


def _cheapest(weights: Floats, means: Floats, covariances: Floats) -> tuple[int, int]:
    logs = np.linalg.slogdet(covariances)[1]
    pairs = [(i, j) for i in range(len(weights)) for j in range(i)]

    def cost(pair: tuple[int, int]) -> float:
        i, j = pair
        w, _, covariance = _joined(weights, means, covariances, i, j)
        return float(w * np.linalg.slogdet(covariance)[1] - weights[i] * logs[i] - weights[j] * logs[j])

    return min(pairs, key=cost)


def parameters(k: int, d: int) -> int:
    """Free parameters of k Gaussians in d dimensions."""
    return k - 1 + k * d + k * d * (d + 1) // 2


@register("practical.scoring")
@attrs.frozen
class Scoring(Post):
    """Whitening maps of a mixture reduced to k components, its log likelihood less the penalty of k.

    Of a cluster that is left out no other gets the weight here: it would gain on the others' rows what is lost on its
    own, since that is clipped at a nat a row, and a light cluster by itself would be left out.

    The penalty is half a logarithm of the number of rows a parameter (BIC), and for each component after the first
    ln(2·most/`SURE`) times the scale of the choice's noise; a row bears its share of it.

    Parameters
    ----------
    k, most : int
        Components, and the most that there may be.
    leave_out : bool
        Whether the lightest are left out; else the nearest are merged.
    planned_noise : str
        Name of the mechanism that will choose.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("mixture", "ball", "count")
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    most: int = attrs.field(kw_only=True, validator=positive_whole)
    leave_out: bool = attrs.field(kw_only=True, validator=attrs.validators.instance_of(bool))
    planned_noise: str = attrs.field(kw_only=True)

    def told(self) -> tuple[str, ...]:
        """The choice that is to come."""
        return (self.planned_noise,)

    def output(self, *inputs: Domain) -> Domain:
        """A whitening."""
        d = wants(inputs[1], Ball, self.name).d
        same(wants(inputs[0], Mixture, self.name).d, d, self.name)
        wants(inputs[2], Counts, self.name)
        return Whitening(self.k, d)

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Reduce, and see rows through what is left."""
        model = (heaviest if self.leave_out else merged)(values[0], self.k)
        ball, count = values[1], max(float(values[2][0]), 1.0)
        d = len(ball.centre)
        each = math.log(2 * self.most / SURE) * noise[-1] * RANGE
        penalty = 0.5 * parameters(self.k, d) * math.log(count) + (self.k - 1) * each
        lowers = np.linalg.cholesky(model.covariances)
        maps = tuple(
            AffineValue(mean, np.linalg.inv(lower).T, map_scale(ball))
            for mean, lower in zip(model.means, lowers, strict=True)
        )
        diagonal = np.diagonal(lowers, axis1=1, axis2=2)
        with np.errstate(divide="ignore"):
            logs = np.log(model.weights) - np.log(diagonal).sum(axis=1) - penalty / count
        return WhiteningValue(maps, np.maximum(logs, -1e6), 1.0, 1.0)


@register("practical.against_last")
@attrs.frozen
class AgainstLast(Post):
    """The map from m log likelihoods, up to a number common to them, to all less the last one."""

    slots: ClassVar[tuple[Slot, ...]] = ()
    m: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A map."""
        return AffineMap(self.m, self.m)

    def apply(self, *values: Any) -> Any:
        """Take the last column from every one."""
        matrix = np.eye(self.m)
        matrix[-1] -= 1.0
        return AffineValue(np.zeros(self.m), matrix, FAR)


@register("practical.picked")
@attrs.frozen
class Picked(Average):
    """The mixture with as many components as were chosen, in the units of the table, its means within the bound.

    It judges what is left of the mixture, by what `Average` is given and told.

    Parameters
    ----------
    nearest : float, in standard deviations of a component
        As `Average` has it, and the others that are not named here.
    bound : float, in units of the table
        ℓ₂ radius that rows lie in: means are moved into it.
    scaled : bool
        Whether rows were scaled by powers of two: these are the last input.
    """

    slots: ClassVar[tuple[Slot, ...]] = (*slots("chosen", "mixture"), *Average.slots)
    bound: float | None = attrs.field(default=None, kw_only=True, validator=attrs.validators.optional(positive))
    scaled: bool = attrs.field(default=False, kw_only=True)

    @classmethod
    def examples(cls) -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the battery: of two components one or both."""
        seen = (Ball(2), Counts((EDGES + 1) ** 2), Record("practical.starts"), *(Record("practical.mixture"),) * 2)
        picked: Any = cls
        return [(picked(k=2, shares=(1.0,)), (Index(3), Mixture(2, 2), *seen))]

    def output(self, *inputs: Domain) -> Domain:
        """A mixture of any number of components, so a record."""
        wants(inputs[0], Index, self.name)
        wants(inputs[1], Mixture, self.name)
        super().output(*self._averaged_from(inputs))
        return Record("mixture")

    def _averaged_from(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The inputs that `Average` takes."""
        return values[2 : len(values) - self.scaled]

    def _candidate(self, chosen: Any, model: MixtureValue) -> tuple[int, bool] | None:
        every = candidates(len(model.weights))
        return every[int(chosen)] if chosen is not None and 0 <= int(chosen) < len(every) else None

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Reduce as for the score."""
        chosen, model, *_ = values
        candidate = self._candidate(chosen, model)
        if candidate is None:
            return Failed("no number of components was chosen", "give k")
        found = reduced(model, candidate[0], leave_out=candidate[1])
        factors = 1.0 / powers(values[-1]) if self.scaled else np.ones(found.means.shape[1])
        covariances = found.covariances * factors[:, None] * factors
        means = found.means * factors
        return MixtureValue(found.weights, means if self.bound is None else within(means, self.bound), covariances)

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected:
        """No prediction: it is not known how many components are chosen."""
        return Expected(math.inf, NO_MODEL, NO_MODEL)

    def standard_errors(self, value: Any, rows: int, noise: Above) -> None:
        """As the mixture's before the choice, where it is the same."""

    def notes(self) -> list[str]:
        """Said before the choice."""
        return []

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality:
        """As of the mixture, but for the noise: that of components that are left."""
        _, model, ball, *_ = values
        candidate = self._candidate(*values[:2])
        if candidate is None or candidate[0] == len(model.weights):
            return self.judged(self._averaged_from(values), self._averaged_from(noise))
        k, leave_out = candidate
        left = reduced(model, k, leave_out=leave_out)
        roots = np.linalg.cholesky(left.covariances) / ball.radius

        def kept(before: Any) -> Any:
            lost = noise_left(model, before.noise, k, leave_out=leave_out)
            return FrameMixture(left.weights, (left.means - ball.centre) / ball.radius, roots, lost)

        return self.judged(self._averaged_from(values), self._averaged_from(noise), kept)

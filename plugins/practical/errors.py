"""Standard errors of a released mixture: noise by the plan, sampling by the mixture itself."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpframe.plugin import MixtureValue

from .clipping import PLENTY, Rule, clip_radius, predicted_variances
from .records import Floats, Mixture, as_floats


def mixture_errors(
    value: MixtureValue,
    rows: int,
    grams: Sequence[float],
    shares: Sequence[float],
    rule: Rule = PLENTY,
    told: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Standard errors of weights, means and covariances, ``noise`` and ``sampling`` apart.

    Seen through its whitening each component is a unit one, for which `predicted_variances` says what a coordinate
    of the mean and an entry of the covariance have of noise; L·E·Lᵀ for such noise E has the variance
    s²(C_aa·C_bb + C_ab²). Sampling is that of independent rows whose component is known.

    Parameters
    ----------
    value : MixtureValue
    rows : int
    grams : sequence of float
        Noise of the passes that are averaged.
    shares : sequence of float
        Their weights in the average.
    rule : Rule
        How their rows were clipped.
    told : mapping, optional
        `released_noise` of the passes, which takes the place of what is predicted of means and covariances.
    """
    k, d = np.shape(value.means)
    each = np.maximum(np.asarray(value.weights) * rows, 1.0)
    mean, entry, count = np.zeros(k), np.zeros(k), 0.0
    for sigma, share in zip(grams, shares, strict=True):
        part = (share / sum(shares)) ** 2
        clip = clip_radius(d, rows, k, sigma / math.sqrt(2.0), rule)
        std = sigma * (1.0 + rule.anchor**2) * clip**2
        loud = np.array([predicted_variances(d, clip, n, std, rule) for n in each])
        quiet = np.array([predicted_variances(d, clip, n, 0.0, rule) for n in each])
        mean += part * (loud - quiet)[:, 0]
        entry += part * (loud - quiet)[:, 1]
        count += part * (std / (rule.anchor * clip) ** 2) ** 2
    if told:
        mean, entry = np.square(told["means"]), np.square(told["covariances"])
    variances = np.diagonal(value.covariances, axis1=1, axis2=2)
    sizes = np.sqrt(variances)
    spread = np.hypot(sizes[:, :, None] * sizes[:, None, :], value.covariances)
    weights = np.asarray(value.weights)
    return {
        "weights": {
            "noise": np.full(k, math.sqrt(count) / rows),
            "sampling": np.sqrt(weights * (1.0 - weights) / rows),
        },
        "means": {"noise": np.sqrt(mean[:, None] * variances), "sampling": np.sqrt(variances / each[:, None])},
        "covariances": {
            "noise": np.sqrt(entry)[:, None, None] * spread,
            "sampling": spread / np.sqrt(each)[:, None, None],
        },
    }


def released_noise(models: Sequence[Mixture], shares: Sequence[float]) -> dict[str, Floats]:
    """Noise of an average of passes as it came to be: by their own clips, and the rows that each component has.

    The plan alone knows neither how far out they clip, which released counts decide, nor how many are averaged. Noise
    is as large as the mixture that a pass was taken with, which may be narrower than what it found.

    Parameters
    ----------
    models : sequence of Mixture
        One more than shares: the mixture that the first of the passes was taken with, and what each found.
    shares : sequence of float
        Their weights in the average.

    Returns
    -------
    dict
        Standard deviations, of shape (k,), in coordinates where a component of the last is a unit one: of a coordinate
        of its mean, ``means``, and of an entry of its covariance beside the diagonal, ``covariances``.

    Examples
    --------
    >>> passed = [Mixture([1.0], [[0.0]], [[[s]]], noise=[0.2], mean_noise=[0.1]) for s in (1.0, 1.0, 2.0)]
    >>> found = released_noise(passed[:2], [1.0]), released_noise(passed[1:], [1.0])
    >>> [[each[part].tolist() for part in ("means", "covariances")] for each in found]
    [[[0.1], [0.1]], [[0.05], [0.025]]]
    """
    d = models[0].means.shape[1]
    part = np.array(shares)[:, None] / sum(shares)
    sizes = np.exp(np.log(np.array([np.diagonal(m.cholesky, axis1=1, axis2=2) for m in models])).mean(axis=2))
    part = part * sizes[:-1] / sizes[-1]
    means, norms = (np.array([getattr(m, name) for m in models[1:]]) for name in ("mean_noise", "noise"))
    return {
        "means": as_floats(np.linalg.norm(part * means, axis=0)),
        "covariances": as_floats(np.linalg.norm(part * sizes[:-1] / sizes[-1] * norms, axis=0) / math.sqrt(4.0 * d)),
    }

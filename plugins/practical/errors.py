"""Standard errors of a released mixture: noise by the plan, sampling by the mixture itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpframe.plugin import MixtureValue

from .clipping import PLENTY, Rule, clip_radius, predicted_variances


def mixture_errors(
    value: MixtureValue, rows: int, grams: Sequence[float], shares: Sequence[float], rule: Rule = PLENTY
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
    variances = np.diagonal(value.covariances, axis1=1, axis2=2)
    squares = variances[:, :, None] * variances[:, None, :] + np.asarray(value.covariances) ** 2
    weights = np.asarray(value.weights)
    return {
        "weights": {
            "noise": np.full(k, math.sqrt(count) / rows),
            "sampling": np.sqrt(weights * (1.0 - weights) / rows),
        },
        "means": {"noise": np.sqrt(mean[:, None] * variances), "sampling": np.sqrt(variances / each[:, None])},
        "covariances": {
            "noise": np.sqrt(entry[:, None, None] * squares),
            "sampling": np.sqrt(squares / each[:, None, None]),
        },
    }

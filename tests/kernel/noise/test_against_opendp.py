"""Two samples, ours and OpenDP's, where OpenDP can be imported."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from dpframe.kernel.noise import SeededSource, discrete_gaussian, discrete_laplace
from tests.kernel.noise.goodness import ALARM

opendp = pytest.importorskip("opendp.prelude")
N = 20_000


def two_samples(a, b, reach):
    """p-value of the chi-square test of homogeneity on the integers up to `reach`, tails pooled."""
    table = np.array([np.bincount(np.clip(x, -reach, reach) + reach, minlength=2 * reach + 1) for x in (a, b)])
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    assert expected.min() >= 25
    return float(special.chdtrc(2 * reach, ((table - expected) ** 2 / expected).sum()))


@pytest.mark.parametrize(
    ("maker", "ours", "scale", "reach"),
    [("make_laplace", discrete_laplace, 2.0, 9), ("make_gaussian", discrete_gaussian, 3.0, 8)],
)
def test_the_same_distribution_as_opendp(maker, ours, scale, reach):
    opendp.enable_features("contrib")
    metric = opendp.l1_distance(T=int) if maker == "make_laplace" else opendp.l2_distance(T=float)
    space = opendp.vector_domain(opendp.atom_domain(T=int)), metric
    theirs = np.array(getattr(opendp.m, maker)(*space, scale=scale)([0] * N))
    assert two_samples(ours(SeededSource(1), scale, 10 * N), theirs, reach) > ALARM
    assert two_samples(ours(SeededSource(1), 1.2 * scale, 10 * N), theirs, reach) < ALARM

"""Likelihood ratios of one column given another; no guarantee rests on them, so what is tested is what they tell."""

from __future__ import annotations

import numpy as np

from dpframe.testing.learned import Rows
from dpframe.testing.ratios import _rising, conditional


def test_a_rising_fit_pools_what_falls() -> None:
    """The best fit that never falls: the third and fourth bins are one, as the second and fifth are not."""
    fitted = _rising(np.array([1.0, 2.0, 5.0, 3.0, 9.0]), np.array([9.0, 8.0, 5.0, 7.0, 1.0]))
    np.testing.assert_allclose(fitted, [0.1, 0.2, 0.4, 0.4, 0.9])


def test_what_only_one_value_of_the_other_tells(rng: np.random.Generator) -> None:
    """The last number differs in law only where two answers are missing, a 20th of the runs: e^3 times as often."""
    missing = rng.choice([0, 1, 2], (2, 60_000), p=[0.9, 0.05, 0.05])
    last = rng.exponential(size=(2, 60_000)) / np.where((missing == 2) & (np.arange(2) == 0)[:, None], 4.0, 1.0)
    outcomes = np.zeros((2, 60_000, 4))
    outcomes[missing >= 1, 3] = outcomes[missing == 2, 2] = np.nan
    outcomes[..., 0], outcomes[..., 1] = 5.0, 5.0
    at = (3 - missing)[..., None]
    np.put_along_axis(outcomes, at, last[..., None], axis=2)
    first, second = (Rows(x) for x in outcomes)
    found = dict(conditional(first, second))
    score = found["likelihood ratio of the last number given the number of missing"]
    told = [score(side)[k == 2] for side, k in zip((first, second), missing, strict=True)]
    assert (told[0] > 0).mean() > 0.8
    assert (told[1] > 0).mean() < 0.5
    assert max(np.abs(score(side)[k < 2]).max() for side, k in zip((first, second), missing, strict=True)) < 0.5

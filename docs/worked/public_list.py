"""Two correlated Gaussians: a hundred public rows list the candidates, private rows choose, pure ε."""

from __future__ import annotations

from typing import Any

import numpy as np

import dpframe.plugin as dp


@dp.composite("worked.public_gaussians")
def public_gaussians(
    x: dp.Handle, public: dp.Handle, *, k: int = 2, each: int = 30, listed: int = 16, steps: int = 5
) -> dp.Handle:
    """At most k Gaussians with full covariances as rows (weight, mean, root of the covariance).

    Parameters
    ----------
    x, public : Handle
        The private table, and a public one with the same columns.
    k : int
        Components.
    each, listed : int
        Public rows to the smallest candidates, and candidates.
    steps : int
        Weights are whole multiples of 1/steps.

    Formal guarantees
    -----------------
    That of ``families.public``: pure ε; asserted is that the Gaussian density treats rows one by one.
    """
    recipe = dp.recipe("families.public", family="families.gaussian_full", k=k, each=each, listed=listed, steps=steps)
    made: dp.Handle = dp.release("gaussians", recipe, x, public)
    return made


def finish(components: Any, d: int) -> tuple[Any, Any, Any]:
    """Weights, means and covariances."""
    roots = np.zeros((len(components), d, d))
    roots[:, *np.tril_indices(d)] = components[:, 1 + d :]
    return components[:, 0], components[:, 1 : 1 + d], roots @ roots.transpose(0, 2, 1)

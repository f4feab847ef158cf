"""Programs of the estimators that people know: moments, quantiles, densities, regressions, classes, clusters.

Each needs one generous bound. A part of the budget finds where the rows lie (:mod:`.frame`); the rest is spent on
sums of rows clipped there.
"""

from . import (  # noqa: F401
    classes,
    clusters,
    density,
    frame,
    labels,
    logistic,
    mixed,
    moments,
    quantiles,
    regression,
)

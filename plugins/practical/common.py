"""A start whose components share one covariance: clusters that lie apart across the narrow direction of all of them.

Cells that are wide beside clusters tell little of what lies within them. With covariances of their own one component on
a skewed cluster's peak and one on all the rest can be as likely by them as a component on each cluster; with one
covariance for all it is not. Post-processing of released cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .cells import Points
from .fitting import Full, lifted, step
from .records import Floats
from .tree_fits import LONG, Fit, Shape
from .trees import Tree

STEPS, ROUNDS = 60, 30
"""Steps of EM on points that stand for cells, and of k-means along a column."""
SETTLED, REST = 3, 0.1
"""Of the starts, those that are settled by all counts, and nats in all that a step must gain to be followed by one."""
LEAST = 1e-6
"""Share of the rows that a component has at least."""


def pooled(model: Full) -> Full:
    """A batch with one covariance in each mixture: the mean of its components' by weight.

    Examples
    --------
    >>> two = Full([[0.25, 0.75]], [[[0.0], [1.0]]], [[[[1.0]], [[5.0]]]])
    >>> pooled(two).covariances.ravel().tolist()
    [4.0, 4.0]
    """
    one = np.einsum("rk,rkab->rab", model.weights, model.covariances)
    return Full(model.weights, model.means, np.repeat(one[:, None], model.weights.shape[1], axis=1))


def along_columns(data: Points, components: int) -> Full:
    """Points parted by k-means along each column alone: a batch of one mixture a column."""
    columns = data.positions.T
    return Full.joined([_parted(data, _nearest(places, data.weights, components), components) for places in columns])


def _nearest(places: Floats, weights: Floats, components: int) -> NDArray[np.intp]:
    """Which of k means each place is nearest to; they start at even quantiles."""
    order = np.argsort(places, kind="stable")
    shares = np.cumsum(weights[order]) / weights.sum()
    at = np.searchsorted(shares, (np.arange(components) + 0.5) / components)
    means = places[order][np.minimum(at, len(places) - 1)]
    for _ in range(ROUNDS):
        labels = np.abs(places[:, None] - means).argmin(axis=1)
        held = np.bincount(labels, weights, components)
        means = np.where(
            held > 0.0, np.bincount(labels, weights * places, components) / np.maximum(held, 1e-300), means
        )
    return np.asarray(labels)


def _parted(data: Points, labels: NDArray[np.intp], components: int) -> Full:
    """Each group's weight and mean, and the covariance within all groups: a batch of one."""
    own = ((labels == np.arange(components)[:, None]) + LEAST) * data.weights
    held = own.sum(axis=1)
    means = own @ data.positions / held[:, None]
    away = data.positions - means[labels]
    within = (away * data.weights[:, None]).T @ away / data.weights.sum()
    shape = lifted(within, float(data.variances.min()))
    return Full(held[None] / held.sum(), means[None], np.repeat(shape[None, None], components, axis=1))


def likeliest_common(tree: Tree, data: Points, sought: Full) -> Full:
    """The likeliest by all counts of mixtures with one covariance that some starts lead to: a batch of one.

    Parameters
    ----------
    tree : Tree
    data : Points
        The published cells.
    sought : Full
        Starts, besides those along columns.
    """
    model = pooled(Full.joined([sought, along_columns(data, sought.weights.shape[1])]))
    for _ in range(STEPS):
        model = pooled(step(data, model)[0])
    best = np.argsort(-step(data, model)[1], kind="stable")[:SETTLED]
    fit = Fit.to(tree, sought.weights.shape[1], common=True)
    found = [fit.settled(Shape.of(model.take([int(i)])), fit.points, LONG, REST) for i in best]
    return max(found, key=lambda one: one[1])[0].full()

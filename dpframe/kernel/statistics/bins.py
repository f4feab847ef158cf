"""``bin_counts`` and ``value_counts``: how many rows fall in each of a public list of bins or categories."""

from __future__ import annotations

import itertools
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.exact import folds
from dpframe.kernel.operations import Batch, Statistic
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, finite_number, whole


def increasing(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    """Attrs validator: at least one finite number, each above the one before."""
    if not value or not all(map(finite_number, value)) or any(a >= b for a, b in itertools.pairwise(value)):
        raise PlanError(
            f"{attribute.name} must be finite numbers in increasing order",
            fix="sort them, drop repetitions" if value else "give one or more",
        )


@attrs.frozen
class _OneHot(Statistic):
    """A histogram of one column; each valid row is in exactly one bin."""

    column: int = attrs.field(default=0, kw_only=True, validator=whole)

    def size(self) -> int:
        """Number of bins."""
        raise PlanError(f"operation {self.name!r} has no bins")

    def bins(self, values: Any) -> Any:
        """Bin of each value."""
        raise PlanError(f"operation {self.name!r} has no bins")

    def start(self, domain: Domain, *params: Any) -> Any:
        """Empty bins."""
        return folds.HistogramFold(self.size())

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Bin a batch; empty rows fall in no bin."""
        fold.update(np.where(batch.valid, self.bins(batch.values[:, self.column]), -1))


@register("bin_counts")
@attrs.frozen
class BinCounts(_OneHot):
    """Counts of (−∞, e₀), [e₀, e₁), …, [e_last, ∞) in one column: ``len(edges) + 1`` bins that leave no row out.

    Parameters
    ----------
    edges : sequence of float
        Public, increasing, in the units of the table.
    column : int
        From 0.

    Formal guarantees
    -----------------
    Sensitivity: a one-hot vector a row (``histograms``).

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> ages = BinCounts(edges=(18.0, 65.0))
    >>> fold = ages.start(Rows(1))
    >>> ages.update(fold, Batch(0, np.array([[17.0], [18.0], [64.0], [90.0]]), np.ones(4, dtype=bool)))
    >>> ages.value(fold).integers.tolist()  # under 18, from 18 to 64, 65 and more
    [1, 2, 1]
    """

    edges: tuple[float, ...] = attrs.field(converter=tuple, kw_only=True, validator=increasing)

    def size(self) -> int:
        """Number of bins: one more than there are edges."""
        return len(self.edges) + 1

    def bins(self, values: Any) -> Any:
        """Number of edges at or below each value."""
        return np.searchsorted(np.array(self.edges, dtype=np.float64), values, side="right")


@register("value_counts")
@attrs.frozen
class ValueCounts(_OneHot):
    """Counts of the rows whose entry equals each of the public categories, and of all other rows at the end.

    Parameters
    ----------
    values : sequence of float
        Public codes, increasing.
    column : int
        From 0.

    Formal guarantees
    -----------------
    Sensitivity: a one-hot vector a row (``histograms``).

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> codes = ValueCounts(values=(1.0, 2.0))
    >>> fold = codes.start(Rows(1))
    >>> codes.update(fold, Batch(0, np.array([[1.0], [2.0], [1.0], [9.0]]), np.ones(4, dtype=bool)))
    >>> codes.value(fold).integers.tolist()  # ones, twos, and whatever else there is
    [2, 1, 1]
    """

    values: tuple[float, ...] = attrs.field(converter=tuple, kw_only=True, validator=increasing)

    def size(self) -> int:
        """The categories and the rest."""
        return len(self.values) + 1

    def bins(self, values: Any) -> Any:
        """Index of the equal category."""
        known = np.array(self.values, dtype=np.float64)
        place = np.minimum(np.searchsorted(known, values), len(known) - 1)
        return np.where(known[place] == values, place, len(known))

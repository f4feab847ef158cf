"""``express``, ``express_sum``, ``express_parts``: rows through a formula of the kernel's, each by itself.

What a formula is, is data (:mod:`dpframe.proof.theorems.shaping.expressions`); here it is evaluated. Proof that a row's
numbers are a function of that row and of released values, to the last bit: ``docs/theory/own.md``, "Expressions".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import folds, lattice
from dpframe.kernel.foreign import Floats
from dpframe.kernel.formulas import formula_text
from dpframe.kernel.operations import Batch, Exact, IntArray, Partition, Statistic, Transform, lattice_step
from dpframe.kernel.own.base import pieces, shape_of
from dpframe.kernel.own.rows import clipped
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, Vector, domain_from_json, lattice_bits, parts, positive
from dpframe.proof.theorems.own import NORMS, size_of
from dpframe.proof.theorems.shaping.expressions import formula_of


def _lesser(a: Floats, b: Floats) -> Floats:
    """The smaller one, the first of equals, NaN where either is: np.minimum leaves open which of two zeros it gives."""
    return np.where(np.isnan(b) | (b < a), b, a)


def _larger(a: Floats, b: Floats) -> Floats:
    return np.where(np.isnan(b) | (b > a), b, a)


def _number(test: Callable[..., Any]) -> Callable[..., Floats]:
    return lambda a, b: test(a, b).astype(np.float64)


STEPS: Mapping[str, Callable[..., Floats]] = {
    "negative": np.negative,
    "absolute": np.absolute,
    "sqrt": np.sqrt,
    "floor": np.floor,
    "exp": lattice.exp_det,
    "log": lattice.log_det,
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "minimum": _lesser,
    "maximum": _larger,
    "less": _number(np.less),
    "less_equal": _number(np.less_equal),
    "equal": _number(np.equal),
    "where": lambda test, a, b: np.where(np.isnan(test), test, np.where(test != 0.0, a, b)),
}
"""Each is element by element, and its result is fixed by IEEE 754 or by the kernel's own polynomials."""


def evaluate(formula: str, values: Floats, released: Sequence[Any] = ()) -> Floats:
    """What a formula gives for each row, (m, numbers); NaN and ±inf where it has no finite number.

    Parameters
    ----------
    formula : str
    values : (m, d) float64
    released : sequence of arrays

    Examples
    --------
    >>> evaluate('{"gives": [1], "steps": [["column", 0], ["sqrt", 0]]}', np.array([[4.0], [9.0]])).tolist()
    [[2.0], [3.0]]
    """
    known = formula_of(formula)
    image = np.empty((len(values), len(known.gives)))
    with np.errstate(all="ignore"):
        for piece in pieces(len(values), len(known.steps)):
            rows, made = values[piece], []
            for name, *rest in known.steps:
                if name == "column":
                    made.append(rows[:, rest[0]] + 0.0)
                elif name in ("number", "released"):
                    number = rest[0] if name == "number" else np.asarray(released[rest[0]])[tuple(rest[1:])]
                    made.append(np.full(len(rows), float(number)))
                else:
                    made.append(STEPS[name](*(made[place] for place in rest)))
            for j, place in enumerate(known.gives):
                image[piece, j] = made[place]
    return image


def _domain_text(given: Any) -> Any:
    return json.dumps(given.to_json(), sort_keys=True) if isinstance(given, Domain) else given


@register("express")
@attrs.frozen
class Express(Transform):
    """``x ↦ formula(x, *released)``, row by row, in the kernel's own expressions.

    Rows for which a number is not finite become empty; nothing has bounded the others.

    Parameters
    ----------
    formula : str
        A formula as text, or the function of a row that it is written as.

    Formal guarantees
    -----------------
    Level: proved. Stability: edits are kept (``row_map``): element-wise steps, the same to the last bit in every chunk.

    Examples
    --------
    >>> rates = Express(formula=lambda row: [row[0] / row[1]])
    >>> made = rates.apply(Batch(0, np.array([[3.0, 2.0], [3.0, 0.0]]), np.ones(2, dtype=bool)))
    >>> made.values.tolist(), made.valid.tolist()  # a row without a finite image is an empty one
    ([[1.5], [0.0]], [True, False])
    """

    formula: str = attrs.field(kw_only=True, converter=formula_text)

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Evaluate on one batch."""
        return batch.mapped(evaluate(self.formula, batch.values, params) + 0.0)


@register("express_sum")
@attrs.frozen
class ExpressSum(Statistic):
    """Σ over rows of ``formula(x, *released)``, each clipped to norm B first and put on a lattice; summed exactly.

    Parameters
    ----------
    formula : str
        A formula as text, or the function of a row that it is written as.
    norm : {"l1", "l2", "linf"}
    bound : float
        B, in the units of what the formula gives.
    nonnegative : bool
        Whether negative parts of contributions are set to 0: then the sum moves by less.
    bits : int
        Contributions are whole multiples of B·2^−bits.
    gives : str
        Domain of the sum (``Vector``, ``Counts``, ``Array``), as JSON text; a vector if not given.

    Formal guarantees
    -----------------
    Level: proved. Sensitivity (removed + added)·B in the norm, less where non-negative (``expressed_contribution``).

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> products = ExpressSum(formula=lambda row: [row[0] * row[1]], norm="l2", bound=5.0)
    >>> fold = products.start(Rows(2))
    >>> products.update(fold, Batch(0, np.array([[2.0, 1.0], [100.0, 100.0]]), np.ones(2, dtype=bool)))
    >>> products.value(fold).floats.round(3).tolist()  # the second row counts as 5
    [7.0]
    """

    formula: str = attrs.field(kw_only=True, converter=formula_text)
    norm: str = attrs.field(kw_only=True, validator=attrs.validators.in_(NORMS))
    bound: float = attrs.field(kw_only=True, validator=positive)
    nonnegative: bool = attrs.field(default=False, kw_only=True, validator=attrs.validators.instance_of(bool))
    bits: int = attrs.field(default=20, kw_only=True, validator=lattice_bits)
    gives: str = attrs.field(default="", kw_only=True, converter=_domain_text)

    def domain(self) -> Domain:
        """Domain of the sum."""
        return domain_from_json(json.loads(self.gives)) if self.gives else Vector(len(formula_of(self.formula).gives))

    def start(self, domain: Domain, *params: Any) -> Any:
        """A sum of 0."""
        return folds.SumFold(size_of(self.domain()), self.bits)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Clip what each row gives and add it."""
        for piece in pieces(len(batch.values), size_of(self.domain())):
            fold.update(clipped(self, evaluate(self.formula, batch.values[piece], params), batch.valid[piece]))

    def step(self) -> Fraction:
        """B·2^−bits."""
        return Fraction(self.bound) * lattice_step(self.bits)

    def value(self, fold: Any) -> Exact:
        """The sum."""
        return Exact(np.asarray(fold.value).reshape(shape_of(self.domain())), self.step())


@register("express_parts")
@attrs.frozen
class ExpressParts(Partition):
    """Rows into disjoint parts: ``⌊formula(x, *released)⌋`` numbers each row's part.

    Parameters
    ----------
    formula : str
        A formula of one number as text, or the function of a row that it is written as.
    count : int
        Parts. Rows with another number than 0 .. count − 1 are in none.

    Formal guarantees
    -----------------
    ``rule_partition``: a replaced row may leave one part and enter another, or no part.

    Examples
    --------
    >>> halves = ExpressParts(formula=lambda row: row[0] + row[1] > 10.0, count=2)
    >>> halves.assign(Batch(0, np.array([[1.0, 2.0], [7.0, 8.0]]), np.ones(2, dtype=bool)), None).tolist()
    [0, 1]
    """

    formula: str = attrs.field(kw_only=True, converter=formula_text)
    count: int = attrs.field(kw_only=True, validator=parts)

    def assign(self, batch: Batch, n: int | None, *params: Any) -> IntArray:
        """Number each row's part."""
        return batch.numbered(evaluate(self.formula, batch.values, params)[:, 0], self.count)

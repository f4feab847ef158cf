"""NumPy on released values: what arithmetic, indexing and NumPy's functions of handles become."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.post_processing import Failed, Post
from dpframe.kernel.posts.functions import ELEMENTWISE, FUNCTIONS, MOST_ELEMENTS, check_call, nearest
from dpframe.kernel.posts.literals import decode
from dpframe.kernel.registry import register
from dpframe.proof.spaces import (
    AffineMap,
    Array,
    Ball,
    Counts,
    Domain,
    Flag,
    Gaussian,
    Mixture,
    Subspace,
    Symmetric,
    Vector,
)

FIELDS: dict[type[Domain], Callable[[Any], dict[str, Domain]]] = {
    Ball: lambda b: {"centre": Vector(b.d), "radius": Array(())},
    Gaussian: lambda g: {"mean": Vector(g.d), "covariance": Symmetric(g.d)},
    Mixture: lambda m: {
        "weights": Vector(m.k),
        "means": Array((m.k, m.d)),
        "covariances": Array((m.k, m.d, m.d)),
    },
    AffineMap: lambda a: {"shift": Vector(a.d), "matrix": Array((a.d, a.p)), "scale": Array(())},
    Flag: lambda _: {"value": Array(())},
}
"""What a value of a domain is made of, that is an array itself."""


def shape_of(domain: Domain) -> tuple[int, ...] | None:
    """The shape of a value that is one array of numbers; None for any other value.

    Examples
    --------
    >>> shape_of(Vector(3)), shape_of(Symmetric(2, 4)), shape_of(Flag())
    ((3,), (4, 2, 2), None)
    """
    if isinstance(domain, Vector):
        return (domain.d,)
    if isinstance(domain, Counts):
        return (domain.m,)
    if isinstance(domain, (Array, Symmetric)):
        return domain.shape
    return (domain.d, domain.p) if isinstance(domain, Subspace) else None


def fields_of(domain: Domain) -> dict[str, Domain]:
    """What can be taken out of a value, by name."""
    make = FIELDS.get(type(domain))
    return {} if make is None else make(domain)


def _text(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if not isinstance(value, str):
        raise PlanError(f"numpy: {attribute.name} must be JSON text", fix="write it as dumping a plan does")


def _function(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value not in FUNCTIONS:
        raise PlanError(f"numpy: there is no function {value!r} for released values", fix=nearest(str(value)))


def _output(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise PlanError(f"numpy: which must be 0, 1, ..., not {value!r}", fix="leave it out")


@register("numpy")
@attrs.frozen
class NumpyFunction(Post):
    """A function of NumPy, by its name in a fixed list, of released values and constants.

    Values are taken as float64; truth values are 1 and 0. A result that is not finite, or that NumPy refuses
    (a singular matrix), ends the run as failed.

    Parameters
    ----------
    function : str
        ``add``, ``sqrt``, ``linalg.eigh``, ``getitem``, ...: a name in
        :data:`dpframe.kernel.posts.functions.FUNCTIONS`.
    arguments : str
        Positional arguments as a JSON list, ``{"input": i}`` for the i-th input; see
        :mod:`dpframe.kernel.posts.literals`.
    options : str
        Arguments by name, as a JSON object.
    which : int, optional
        Which result, of a function that has several.

    Notes
    -----
    *Formal guarantees.* Post-processing: a pure function of released values. Names and numbers only; nothing in
    them is run as code. Calls that leave entries of the result unwritten are refused
    (:func:`dpframe.kernel.posts.functions.check_call`): memory may hold rows.

    Examples
    --------
    >>> half = NumpyFunction(function="divide", arguments='[{"input": 0}, 2]')
    >>> half.output_of(np.array([1.0, 3.0])), half.output(Vector(2))
    (array([0.5, 1.5]), Vector(d=2))
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("values", PARAM, variadic=True),)
    function: str = attrs.field(kw_only=True, validator=_function)
    arguments: str = attrs.field(kw_only=True, validator=_text)
    options: str = attrs.field(default="{}", kw_only=True, validator=_text)
    which: int | None = attrs.field(default=None, kw_only=True, validator=_output)

    @classmethod
    def examples(cls) -> list[tuple[NumpyFunction, tuple[Domain, ...]]]:
        """Cases for the battery."""
        both = '[{"input": 0}, {"input": 1}]'
        return [
            (cls(function="add", arguments=both), (Vector(2), Vector(2))),
            (cls(function="sqrt", arguments='[{"input": 0}]'), (Counts(3),)),
            (cls(function="matmul", arguments=both), (Array((2, 3)), Vector(3))),
            (cls(function="linalg.inv", arguments='[{"input": 0}]'), (Symmetric(2),)),
            (cls(function="linalg.eigh", arguments='[{"input": 0}]', which=1), (Symmetric(2),)),
            (cls(function="getitem", arguments='[{"input": 0}, 0]'), (Array((2, 3)),)),
        ]

    def output(self, *inputs: Domain) -> Domain:
        """The domain of an array of the shape that NumPy gives for inputs of these shapes."""
        example = self.example(*inputs)
        if isinstance(example, (tuple, list)):
            raise PlanError(f"{self.function} gives {len(example)} results", fix="say which, from 0")
        result = np.asarray(example)
        self._check_size(result.shape)
        if not result.size or result.dtype.kind not in "biuf":
            raise PlanError(
                f"the result of {self.function} is empty, or no real numbers", fix="take at least one number"
            )
        return Vector(result.shape[0]) if result.ndim == 1 else Array(result.shape)

    def example(self, *inputs: Domain) -> Any:
        """What NumPy gives for example arrays of the inputs' shapes."""
        shapes = []
        for domain in inputs:
            shape = shape_of(domain)
            if shape is None:
                raise PlanError(f"{self.function} takes arrays of numbers, not {domain}", fix=taking(domain))
            shapes.append(shape)
        try:
            if self.function in ELEMENTWISE:  # a huge array is refused before it is made
                self._check_size(np.broadcast_shapes(*shapes))
            return self.output_of(*(_example(shape) for shape in shapes))
        except PlanError:
            raise
        except Exception as error:  # noqa: BLE001  examples of the shapes went in: nothing here is a value
            found = ", ".join(str(shape) for shape in shapes)
            raise PlanError(
                f"{self.function} does not take values of shape {found}: {' '.join(str(error).split())}",
                fix="look at the shape of each value with .shape",
            ) from None

    def _check_size(self, shape: tuple[int, ...]) -> None:
        if np.prod([float(size) for size in shape]) > MOST_ELEMENTS:
            raise PlanError(f"the result of {self.function} would have the shape {shape}", fix="use smaller arrays")

    def output_of(self, *values: Any) -> Any:
        """The result of the NumPy function on these values."""
        arguments = decode(self._json(self.arguments, list), values)
        options = {name: decode(value, values) for name, value in self._json(self.options, dict).items()}
        check_call(self.function, arguments, options)
        with np.errstate(all="ignore"):
            result = FUNCTIONS[self.function](*arguments, **options)
        return result if self.which is None else result[self.which]

    def _json(self, text: str, kind: type) -> Any:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, kind):
            raise PlanError(f"{text[:60]!r} is no JSON {kind.__name__}", fix="write it as dumping a plan does")
        return found

    def apply(self, *values: Any) -> Any:
        """The result, or why there is none."""
        advice = "look at what the released values can be: noise may make them negative, zero or singular"
        try:
            result = np.asarray(self.output_of(*(np.array(v, dtype=np.float64) for v in values)), dtype=np.float64)
        except (ArithmeticError, ValueError, TypeError, IndexError):  # np.linalg.LinAlgError is a ValueError
            return Failed(f"{self.function} can't be computed of the released values", advice)
        if not np.isfinite(result).all():
            return Failed(f"{self.function} of the released values is not finite", advice)
        return np.array(result)


def taking(domain: Domain) -> str:
    """The hint for a value that is no array."""
    fields = fields_of(domain)
    if fields:
        return f"take {' or '.join('.' + name for name in fields)} of it"
    return 'write a function of it: @dp.post_function("package.word", gives=...)'


def _example(shape: tuple[int, ...]) -> Any:
    """An array of that shape that most functions take: unit matrices where they are square, else ones."""
    if len(shape) > 1 and shape[-1] == shape[-2]:
        return np.array(np.broadcast_to(np.eye(shape[-1]), shape))
    return np.ones(shape)


@register("field")
@attrs.frozen
class Field(Post):
    """One array of a released ball, Gaussian, mixture, affine map or test.

    Parameters
    ----------
    field : str
        ``centre``, ``radius``, ``mean``, ``covariance``, ``weights``, ``means``, ``covariances``, ...

    Notes
    -----
    *Formal guarantees.* Post-processing.

    Examples
    --------
    >>> from dpframe.proof.spaces import BallValue
    >>> Field(field="centre").apply(BallValue(np.array([1.0, 2.0]), 4.0)).tolist()
    [1.0, 2.0]
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("value", PARAM),)
    field: str = attrs.field(kw_only=True)

    @classmethod
    def examples(cls) -> list[tuple[Field, tuple[Domain, ...]]]:
        """Cases for the battery."""
        mixture = Mixture(2, 3)
        return [(cls(field=name), (mixture,)) for name in fields_of(mixture)] + [(cls(field="radius"), (Ball(2),))]

    def output(self, *inputs: Domain) -> Domain:
        """The field's own domain."""
        known = fields_of(inputs[0])
        if self.field not in known:
            fix = f"it has {', '.join(known)}" if known else taking(inputs[0])
            raise PlanError(f"{inputs[0]} has no field {self.field!r}", fix=fix)
        return known[self.field]

    def apply(self, *values: Any) -> Any:
        """The array."""
        return np.array(getattr(values[0], self.field), dtype=np.float64)

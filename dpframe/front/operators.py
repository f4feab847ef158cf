"""What Python and NumPy may do with a handle: arithmetic on released arrays becomes post nodes, the rest is refused.

Only names and constants go into the graph, so a program that computes with handles can be written to a spec and
verified like any other. Private values are never computed with: only transforms, statistics and mechanisms take them.
"""

from __future__ import annotations

import abc
import functools
import json
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.post_processing import Post
from dpframe.kernel.posts.arrays import Field, NumpyFunction, fields_of, shape_of, taking
from dpframe.kernel.posts.functions import METHODS, NAMES, nearest
from dpframe.kernel.posts.literals import encode
from dpframe.proof.spaces import ListOf, Rows
from dpframe.proof.typed import Edge, Ref

FUNCTION_FIX = 'write a function of released values: @dp.post_function("package.word")'


class HandleAttributeError(PlanError, AttributeError):
    """No such attribute; both, so that ``hasattr`` answers no."""


def _forward(name: str) -> Callable[[Any, Any], Any]:
    """``a ∘ b``."""
    return lambda self, other: self._apply(name, self, other)


def _backward(name: str) -> Callable[[Any, Any], Any]:
    """``b ∘ a``, for a ``b`` that is no handle."""
    return lambda self, other: self._apply(name, other, self)


def _single(name: str) -> Callable[[Any], Any]:
    return lambda self: self._apply(name, self)


def _refused(symbol: str, fix: str) -> Callable[..., Any]:
    def refuse(self: Operators, *_: Any) -> NoReturn:
        raise PlanError(f"{_named(self)} takes no {symbol}", fix=_released(self) if self.edge.private else fix)

    return refuse


class Operators(abc.ABC):
    """Operators, indexing, NumPy functions, fields and methods of a value to come."""

    __slots__ = ()
    ref: Ref
    edge: Edge

    @abc.abstractmethod
    def _made(self, stem: str, operation: Post, inputs: list[Any]) -> Any:
        """The handle of a new post node of these inputs."""

    # ------------------------------------------------------------------------------ NumPy

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__":
            raise PlanError(
                f"np.{ufunc.__name__}.{method} can't be used on {_named(self)}", fix="use np.sum and its kin"
            )
        return self._call(ufunc, inputs, options)

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        return self._call(function, inputs, options)

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise _no_value(self, "become an array", "use it as it is, or np.stack([a, b]) to join released values")

    def _call(self, function: Any, inputs: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
        handles = _handles((*inputs, *options.values()))
        shown = str(getattr(function, "__name__", function))
        _check(handles, f"np.{shown}")
        if function not in NAMES:
            raise PlanError(f"np.{shown} is not one of the functions for released values", fix=nearest(shown))
        if options.get("out", None) is not None:
            raise PlanError(f"np.{shown} of {_named(self)} can't write into an array", fix="leave `out` out")
        return _traced(self, NAMES[function], inputs, options, handles)

    def _apply(self, name: str, *inputs: Any) -> Any:
        handles = _handles(inputs)
        _check(handles, f"`{name}`")
        return _traced(self, name, inputs, {}, handles)

    # --------------------------------------------------------------------------- indexing

    def __getitem__(self, key: Any) -> Any:
        if _handles((key,)):
            raise PlanError(
                f"{_named(self)} can't be indexed by a value to come: the shape of a result is fixed by the plan",
                fix="use constant indices, np.where(test, a, b), or dp.for_each",
            )
        return self._apply("getitem", self, key)

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        fix = _released(self) if self.edge.private else "make a new value, for example with np.where"
        raise PlanError(f"{_named(self)} can't be changed", fix=fix)

    def __delitem__(self, key: Any) -> NoReturn:
        self[key] = None

    # ------------------------------------------------------------------------- attributes

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of a released array."""
        _check([self], "`.shape`")
        return shape_of(self.edge.domain) or ()

    @property
    def ndim(self) -> int:
        """Number of axes of a released array."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of entries of a released array."""
        return int(np.prod(self.shape))

    @property
    def T(self) -> Any:
        """The transpose of a released array."""
        return self._apply("transpose", self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if not self.edge.private:
            if name in fields_of(self.edge.domain):
                return self._made(name, Field(field=name), [self])
            if name in METHODS and shape_of(self.edge.domain) is not None:
                return functools.partial(getattr(np, name), self)
        raise HandleAttributeError(f"{_named(self)} has no attribute {name!r}", fix=_released(self))

    # -------------------------------------------------------------- what has no value yet

    def __bool__(self) -> bool:
        raise _no_value(self, "decide an `if`", "use dp.branch(test, then, otherwise), or np.where on released arrays")

    def __iter__(self) -> Any:
        raise _no_value(self, "be looped over", "use dp.for_each(items, body, ...), or constant indices: h[0], h[1]")

    def __contains__(self, item: Any) -> bool:
        raise _no_value(self, "be searched", "use a comparison and np.where, or dp.branch on a released test")

    def __len__(self) -> int:
        if not self.edge.private and shape_of(self.edge.domain):
            return self.shape[0]
        rows = self.edge.private and isinstance(self.edge.domain, Rows)
        fix = "use .d for its columns, and release dp.count(rows) for how many there are" if rows else _released(self)
        raise PlanError(f"{_named(self)} has no length", fix=fix)

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: a released value is no function."""
        fix = _released(self) if self.edge.private else "leave the brackets out"
        raise PlanError(f"{_named(self)} is a value, no function", fix=fix)

    def __float__(self) -> float:
        raise _no_value(self, "become a number", "use NumPy's functions, np.sqrt and not math.sqrt")

    def __int__(self) -> int:
        raise _no_value(self, "become a number", "use np.rint or np.floor on a released array")

    def __complex__(self) -> complex:
        raise _no_value(self, "become a number", "use NumPy's functions on a released array")

    def __index__(self) -> int:
        raise _no_value(self, "be an index or a size", "use a constant")

    def __format__(self, spec: str) -> str:
        if spec:
            raise _no_value(self, "be formatted", "print what plan.run(...) returns")
        return str(self)

    def __round__(self, digits: int = 0) -> Any:
        return self._apply("round", self, digits)

    # --------------------------------------------------------------------------- operators

    __add__, __radd__ = _forward("add"), _backward("add")
    __sub__, __rsub__ = _forward("subtract"), _backward("subtract")
    __mul__, __rmul__ = _forward("multiply"), _backward("multiply")
    __truediv__, __rtruediv__ = _forward("divide"), _backward("divide")
    __floordiv__, __rfloordiv__ = _forward("floor_divide"), _backward("floor_divide")
    __mod__, __rmod__ = _forward("remainder"), _backward("remainder")
    __pow__, __rpow__ = _forward("power"), _backward("power")
    __matmul__, __rmatmul__ = _forward("matmul"), _backward("matmul")
    __neg__, __pos__, __abs__ = _single("negative"), _single("positive"), _single("absolute")

    __hash__ = object.__hash__
    __eq__ = _forward("equal")
    __ne__ = _forward("not_equal")
    __lt__, __le__ = _forward("less"), _forward("less_equal")
    __gt__, __ge__ = _forward("greater"), _forward("greater_equal")

    __and__ = __rand__ = _refused("&", "use np.logical_and(a, b)")
    __or__ = __ror__ = _refused("|", "use np.logical_or(a, b)")
    __xor__ = __rxor__ = _refused("^", "use np.logical_xor(a, b)")
    __invert__ = _refused("~", "use np.logical_not(a)")
    __divmod__ = __rdivmod__ = _refused("divmod", "use // and %")
    __lshift__ = __rlshift__ = _refused("<<", "multiply by a power of two")
    __rshift__ = __rrshift__ = _refused(">>", "divide by a power of two")


# -------------------------------------------------------------------------------------- what is asked


def _handles(values: Any) -> list[Operators]:
    """The handles among values, in lists and tuples and slices too, each once."""
    found: dict[int, Operators] = {}

    def look(value: Any) -> None:
        if isinstance(value, Operators):
            found.setdefault(id(value), value)
        elif isinstance(value, (list, tuple)):
            for item in value:
                look(item)
        elif isinstance(value, slice):
            look((value.start, value.stop, value.step))
        elif isinstance(value, np.ndarray) and value.dtype.kind == "O":
            look(value.ravel().tolist())

    look(tuple(values))
    return list(found.values())


def _check(handles: list[Operators], what: str) -> None:
    """Private values first: for them there is no other way."""
    for handle in handles:
        if handle.edge.private:
            raise PlanError(f"{what} can't be used on {_named(handle)}", fix=_released(handle))
    for handle in handles:
        if shape_of(handle.edge.domain) is None:
            raise PlanError(f"{what} can't be used on {_named(handle)}: it is no array", fix=_released(handle))


def _traced(
    one: Operators, name: str, inputs: tuple[Any, ...], options: Mapping[str, Any], handles: list[Operators]
) -> Any:
    """One post node; one for each result where NumPy gives several."""
    places: dict[int, int] = {id(handle): i for i, handle in enumerate(handles)}

    def text(value: Any) -> str:
        return json.dumps(value, allow_nan=False, ensure_ascii=False)

    try:
        arguments = text([encode(value, lambda v: places.get(id(v))) for value in inputs])
        named = {key: encode(value, lambda v: places.get(id(v))) for key, value in options.items()}
    except PlanError as error:
        raise PlanError(f"{name} of {_named(one)}: {error.message}", fix=error.fix) from None
    made = functools.partial(NumpyFunction, function=name, arguments=arguments, options=text(named))
    stem = name.rpartition(".")[2]
    results = _several(made(), handles)
    if results is None:
        return one._made(stem, made(), list(handles))
    parts = [one._made(stem, made(which=i), list(handles)) for i in range(len(results))]
    make: Callable[[Any], Any] = getattr(type(results), "_make", tuple)
    return make(parts)


def _several(operation: NumpyFunction, handles: list[Operators]) -> Any:
    """An example of the results, if there are several; what is wrong is said when the node is added."""
    try:
        operation.output(*(handle.edge.domain for handle in handles))
    except PlanError:
        example = operation.example(*(handle.edge.domain for handle in handles))
        return example if isinstance(example, tuple) else None
    return None


# ------------------------------------------------------------------------------------------ words


def _named(handle: Operators) -> str:
    if handle.edge.private:
        what = "private rows" if isinstance(handle.edge.domain, Rows) else "a private value"
        return f"{str(handle.ref)!r}, {what}"
    return f"{str(handle.ref)!r}, {handle.edge.kind.value} {handle.edge.domain}"


def _released(handle: Operators) -> str:
    domain = handle.edge.domain
    if handle.edge.private and isinstance(domain, Rows):
        return "make a statistic of the rows (dp.clip, then dp.mean, dp.sum, dp.gram) and release it with dp.release"
    if handle.edge.private:
        return "release it first with dp.release, and compute with what that returns"
    if isinstance(domain, ListOf):
        return "use dp.for_each(items, body, ...) for the items of a list"
    return taking(domain) if shape_of(domain) is None else f"use NumPy's functions on it, or {FUNCTION_FIX}"


def _no_value(handle: Operators, what: str, fix: str) -> PlanError:
    text = f"{str(handle.ref)!r} has no value while the program is traced, so it can't {what}"
    return PlanError(text, fix=_released(handle) if handle.edge.private else fix)

"""The functions of NumPy that released values may go through, by name: pure, and of a shape that shapes decide."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from dpframe.errors import PlanError

MOST_ELEMENTS = 2**26

ELEMENTWISE = frozenset(
    """
    absolute add arccos arccosh arcsin arcsinh arctan arctan2 arctanh cbrt ceil copysign cos cosh deg2rad degrees
    divide equal exp exp2 expm1 fabs float_power floor floor_divide fmax fmin fmod greater greater_equal heaviside
    hypot less less_equal log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor
    maximum minimum multiply negative not_equal positive power rad2deg radians reciprocal remainder rint sign
    sin sinh sqrt square subtract tan tanh trunc
    """.split()
)
_OTHERS = """
    argmax argmin argsort around atleast_1d atleast_2d average broadcast_to clip column_stack concatenate corrcoef cov
    cross cumprod cumsum diag diagonal diff dot einsum expand_dims flip fliplr flipud hstack inner interp kron
    matmul max mean median min moveaxis nan_to_num ones_like outer percentile prod ptp quantile ravel repeat reshape
    roll round rot90 sort squeeze stack std sum swapaxes take tensordot tile trace transpose trapezoid tril triu var
    vdot vstack where zeros_like
    linalg.cholesky linalg.cond linalg.det linalg.eigh linalg.eigvalsh linalg.inv linalg.matrix_norm
    linalg.matrix_power linalg.multi_dot linalg.norm linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd
    linalg.svdvals linalg.vector_norm
    """


def _where(*arguments: Any) -> Any:
    if len(arguments) != 3:
        raise TypeError("where takes a condition and two values: places alone have no fixed number")
    return np.where(*arguments)


def _getitem(array: Any, key: Any) -> Any:
    return operator.getitem(array, key)


def _found(names: str) -> dict[str, Callable[..., Any]]:
    """The functions of these names that the installed NumPy has."""
    made: dict[str, Any] = {}
    for name in names.split():
        room, _, last = name.rpartition(".")
        made[name] = getattr(getattr(np, room) if room else np, last, None)
    return {name: function for name, function in made.items() if function is not None}


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in sorted(ELEMENTWISE)},
    **_found(_OTHERS),
    "where": _where,
    "getitem": _getitem,
}
"""Names are the only thing a spec or a certificate holds of them."""

CLIPPING = frozenset({"a", "a_min", "a_max", "min", "max"})
_REFUSED = frozenset({"out", "dtype", "casting", "subok", "like"})


def check_call(name: str, arguments: Sequence[Any], options: Iterable[str]) -> None:
    """Refuse a call whose result the function may not write in full, or not as numbers of its own.

    With ``where=`` and no ``out=`` an elementwise function leaves entries unwritten: they are whatever the memory
    held before, rows of the private table too, and no function of the released values.

    Raises
    ------
    PlanError
        Naming the argument.
    """
    if name in ELEMENTWISE:
        function: Any = FUNCTIONS[name]
        wrong = sorted(options)
        if not wrong and len(arguments) > function.nin:
            wrong = ["out"]
    else:
        wrong = sorted(key for key in options if key in _REFUSED or (name == "clip" and key not in CLIPPING))
        if not wrong and name == "clip" and len(arguments) > 3:
            wrong = ["out"]
    if wrong:
        fix = "use np.where(test, a, b)" if "where" in wrong else "leave it out"
        raise PlanError(f"{name} of released values takes no argument {wrong[0]!r}", fix=fix)


NAMES: dict[Any, str] = {getattr(np, name): name for name in ELEMENTWISE} | {
    function: name for name, function in _found(_OTHERS).items()
}
"""The name of each function that NumPy hands over."""

METHODS = frozenset(
    """
    argmax argmin argsort clip cumprod cumsum diagonal dot max mean min prod ravel repeat reshape round squeeze std sum
    swapaxes take trace transpose var
    """.split()
)
"""Methods of arrays that are functions of the same name."""


def nearest(name: str) -> str:
    """The hint for a function that is not in the list."""
    near = difflib.get_close_matches(name, FUNCTIONS, 1)
    other = 'write a function of released values: @dp.post_function("package.word")'
    return f"did you mean {near[0]!r}? Or {other}" if near else other

"""Arguments of NumPy functions as JSON: numbers, texts, lists, and a tagged object for what JSON has no word for.

======================  =========================================
``{"input": i}``        the i-th input of the node
``{"tuple": [...]}``    a tuple
``{"slice": [a, b, c]}``  a slice
``{"array": [...]}``    an array of numbers or truth values
``{"ellipsis": true}``  ``...``
``{"float": "inf"}``    an infinity, ``inf`` or ``-inf``
======================  =========================================

Reading makes plain values only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpframe.errors import PlanError
from dpframe.proof.spaces.checks import scalar

MOST = 2**63 - 1


def encode(value: Any, index: Callable[[Any], int | None]) -> Any:
    """A value as JSON; ``index`` gives the number of the input that a value stands for, None for constants.

    Raises
    ------
    PlanError
        For what is neither a number, a text, an array, a slice nor a list of these.

    Examples
    --------
    >>> encode((1, np.float64(0.5), slice(None, 2)), lambda value: None)
    {'tuple': [1, 0.5, {'slice': [None, 2, None]}]}
    """
    place = index(value)
    if place is not None:
        return {"input": place}
    value = scalar(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, slice):
        return {"slice": [encode(part, index) for part in (value.start, value.stop, value.step)]}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, (list, tuple)):
        items = [encode(item, index) for item in value]
        return items if isinstance(value, list) else {"tuple": items}
    raise PlanError(
        f"a {type(value).__name__} can't be an argument next to a released value",
        fix="use numbers, arrays and lists of them: a graph holds no code",
    )


def _number(value: float) -> Any:
    if math.isnan(value):
        raise PlanError("nan can't be an argument next to a released value", fix="use a number")
    return value if math.isfinite(value) else {"float": str(value)}


def _array(array: np.ndarray[Any, Any]) -> Any:
    if array.dtype.kind not in "biuf" or not array.size or not np.isfinite(array).all():
        raise PlanError(
            f"an array of {array.dtype} and shape {array.shape} can't be an argument next to a released value",
            fix="use finite numbers, at least one",
        )
    return {"array": np.asarray(array).tolist()}


def decode(value: Any, inputs: Sequence[Any]) -> Any:
    """The value that :func:`encode` wrote, with the inputs in their places."""
    if isinstance(value, list):
        return [decode(item, inputs) for item in value]
    if isinstance(value, int) and not -MOST <= value <= MOST:  # NumPy would go on in Python integers of any size
        raise PlanError("a whole number beyond int64 can't be an argument", fix="write it as a float")
    if not isinstance(value, dict):
        return value
    tag = next(iter(value), "")
    if len(value) != 1 or tag not in _TAGS:
        raise PlanError(f"{str(value)[:40]!r} is no argument", fix=f"an object has one key of {', '.join(_TAGS)}")
    return _TAGS[tag](value[tag], inputs)


def _input(place: Any, inputs: Sequence[Any]) -> Any:
    if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(inputs):
        raise PlanError(f"there is no input {place!r}", fix=f"the node has {len(inputs)} inputs")
    return inputs[place]


def _list(content: Any, inputs: Sequence[Any]) -> list[Any]:
    if not isinstance(content, list):
        raise PlanError(f"{str(content)[:40]!r} is no list", fix="write it as dumping a plan does")
    return [decode(item, inputs) for item in content]


def _numbers(content: list[Any]) -> Any:
    array = np.asarray(content)
    if array.dtype.kind not in "biuf":
        raise PlanError("an array that is an argument holds something else than numbers", fix="use finite numbers")
    return array


_TAGS: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "input": _input,
    "tuple": lambda content, inputs: tuple(_list(content, inputs)),
    "slice": lambda content, inputs: slice(*_list(content, inputs)),
    "array": lambda content, inputs: _numbers(_list(content, inputs)),
    "ellipsis": lambda content, inputs: Ellipsis,
    "float": lambda content, inputs: -math.inf if content == "-inf" else math.inf,
}

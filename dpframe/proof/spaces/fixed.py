"""A dict that can't be written to: what was priced is what runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Fixed(dict[K, V]):
    """A read-only copy of a mapping, of the dicts in it too.

    Examples
    --------
    >>> calibration = fixed({"sigma": 2.0})
    >>> calibration["sigma"] = 0.1
    Traceback (most recent call last):
        ...
    TypeError: a plan can't be changed
    """

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("a plan can't be changed")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> Any:
        return fixed, (dict(self),)


def fixed(mapping: Mapping[Any, Any]) -> Fixed[Any, Any]:
    """The mapping as it is now, for good."""
    return Fixed({k: fixed(v) if isinstance(v, dict) else v for k, v in mapping.items()})

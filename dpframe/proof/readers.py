"""Readers of parsed JSON: every key known, every value of its type, refused by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from dpframe.errors import CertificateError, DpframeError

T = TypeVar("T")
S = TypeVar("S")
Reader = Callable[[Any, str], T]
"""What reads a value, told what to call it in an error."""


def built(what: str, make: Callable[[], T]) -> T:
    """Build a value; whatever its constructor refuses becomes a :class:`CertificateError`."""
    try:
        return make()
    except CertificateError:
        raise
    except (DpframeError, TypeError, ValueError, OverflowError) as error:
        raise CertificateError(f"{what} is malformed: {error}") from None


def _kind(kind: type[T], words: str) -> Callable[[Any, str], T]:
    """A reader of one kind of JSON values, in these words."""

    def read(data: Any, what: str) -> T:
        if not isinstance(data, kind):
            raise CertificateError(f"{what} must be {words}, not {short(data)}")
        return data

    return read


mapping: Callable[[Any, str], dict[str, Any]] = _kind(dict, "an object")
listed: Callable[[Any, str], list[Any]] = _kind(list, "a list")
text, flag = _kind(str, "a string"), _kind(bool, "true or false")


def keys(data: Any, what: str, names: Any) -> dict[str, Any]:
    """An object with exactly these keys."""
    found = mapping(data, what)
    missing, unknown = [n for n in names if n not in found], [k for k in found if k not in names]
    if missing or unknown:
        raise CertificateError(f"{what} {'lacks' if missing else 'has an unknown key'} {short((missing + unknown)[0])}")
    return found


def whole(data: Any, what: str) -> int:
    """A whole number of at least 0."""
    if isinstance(data, bool) or not isinstance(data, int) or data < 0:
        raise CertificateError(f"{what} must be a whole number >= 0, not {short(data)}")
    return data


def number(data: Any, what: str) -> float:
    """A number of at least 0."""
    if isinstance(data, bool) or not isinstance(data, (int, float)) or not data >= 0:
        raise CertificateError(f"{what} must be a number >= 0, not {short(data)}")
    return float(data)


def one_of(data: Any, what: str, allowed: tuple[str, ...]) -> str:
    """One of a few words."""
    if not isinstance(data, str) or data not in allowed:
        raise CertificateError(f"{what} must be one of {', '.join(allowed)}, not {short(data)}")
    return data


def anything(data: Any, what: str) -> Any:
    """Whatever stands there: it is read where it is checked."""
    return data


def nullable(read: Reader[T]) -> Reader[T | None]:
    """A reader of what may be null."""
    return lambda data, what: None if data is None else read(data, what)


def several(read: Reader[T], most: int | None = None) -> Reader[tuple[T, ...]]:
    """A reader of lists, of so many items at most."""

    def items(data: Any, what: str) -> tuple[T, ...]:
        if most is not None and len(listed(data, what)) > most:
            raise CertificateError(f"{what} has more than {most} items")
        return tuple(read(item, what) for item in listed(data, what))

    return items


def by_name(read: Reader[T]) -> Reader[dict[str, T]]:
    """A reader of objects with any keys."""
    return lambda data, what: {key: read(item, f"{key!r} of {what}") for key, item in mapping(data, what).items()}


def pair(first: Reader[T], second: Reader[S]) -> Reader[tuple[T, S]]:
    """A reader of lists of two."""

    def read(data: Any, what: str) -> tuple[T, S]:
        items = listed(data, what)
        if len(items) != 2:
            raise CertificateError(f"{what} are no pairs")
        return first(items[0], what), second(items[1], what)

    return read


def record(
    data: Any, what: str, required: Mapping[str, Reader[Any]], optional: Mapping[str, Reader[Any]] | None = None
) -> dict[str, Any]:
    """An object with exactly these keys, and perhaps some of the optional ones; each value by its reader."""
    readers = {**required, **{key: read for key, read in (optional or {}).items() if key in data}}
    return {key: readers[key](value, f"{key} of {what}") for key, value in keys(data, what, readers).items()}


def short(data: Any) -> str:
    """A wrong value in an error."""
    shown = repr(data) if isinstance(data, (str, int, float, bool, type(None))) else f"a {type(data).__name__}"
    return shown if len(shown) <= 40 else shown[:37] + "..."

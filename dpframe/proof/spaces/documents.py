"""Strict JSON: what a certificate, a result or any other untrusted document is read with.

Refused: more bytes than the limit, nesting deeper than the limit (before the recursive parser sees it), repeated
keys, ``NaN`` and infinities, whole numbers beyond 64 bits, anything that is not UTF-8.

Examples
--------
>>> parse_json(b'{"a": [1, 2.5]}')
{'a': [1, 2.5]}
>>> parse_json(b'{"a": 1, "a": 2}')
Traceback (most recent call last):
    ...
dpframe.errors.CertificateError: the key 'a' occurs twice
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

from dpframe.errors import CertificateError

MAX_BYTES = 16 * 2**20
MAX_DEPTH = 288
"""Deepest nesting: that of a loss whose worst allocations are as deep as its reader allows, four containers each."""
MAX_CONTAINERS = 2**20
LARGEST = 2**63

# Possessive, and the closing quote optional: one pass whatever the text is.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


def parse_json(data: bytes, *, limit: int = MAX_BYTES) -> Any:
    """Read one JSON document.

    Raises
    ------
    CertificateError
        When it is malformed or beyond a limit; never a recursion error.
    """
    _check_size(len(data), limit)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise CertificateError("is not UTF-8 text") from None
    _check_nesting(text)
    try:
        return json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_constant, parse_int=_integer, parse_float=_float
        )
    except json.JSONDecodeError as error:
        raise CertificateError(f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None


def check_json(value: Any) -> None:
    """Refuse an object in memory that :func:`parse_json` could not have given; no recursion."""
    level, depth, containers = [value], 0, 0
    while level:
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                if not all(isinstance(key, str) for key in item):
                    raise CertificateError("a key is not a string")
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
            else:
                _check_leaf(item)
            containers += isinstance(item, (dict, list))
        level, depth = below, depth + 1
        _check_nested(depth, containers)


def parse_text(text: Any) -> Any:
    """Read JSON that a parameter holds as text, as strictly as a certificate; None where it is none."""
    try:
        return parse_json(text.encode()) if isinstance(text, str) else None
    except (CertificateError, UnicodeEncodeError):
        return None


def read_bytes(path: str | os.PathLike[str], *, limit: int = MAX_BYTES) -> bytes:
    """Read the bytes of an ordinary file of bounded size.

    Raises
    ------
    CertificateError
        When it can't be read, is no ordinary file, or is too large.
    """
    place = Path(path)
    try:
        status = place.stat()
        if not stat.S_ISREG(status.st_mode):
            raise CertificateError("is not an ordinary file")
        _check_size(status.st_size, limit)
        with place.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise CertificateError(f"can't be read: {getattr(error, 'strerror', None) or 'not a path'}") from None
    _check_size(len(data), limit)
    return data


def _check_size(size: int, limit: int) -> None:
    if size > limit:
        raise CertificateError(f"is larger than {limit} bytes")


def _check_nested(depth: int, containers: int) -> None:
    if depth > MAX_DEPTH:
        raise CertificateError(f"is nested more than {MAX_DEPTH} deep")
    if containers > MAX_CONTAINERS:
        raise CertificateError(f"holds more than {MAX_CONTAINERS} lists and objects")


def _check_nesting(text: str) -> None:
    depth = containers = 0
    for match in _TOKEN.finditer(text):
        first = text[match.start()]
        if first in "[{":
            depth, containers = depth + 1, containers + 1
            _check_nested(depth, containers)
        elif first in "]}":
            depth -= 1


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        ((key, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise CertificateError(f"the key {key[:40]!r} occurs twice")
    return out


def _no_constant(text: str) -> NoReturn:
    raise CertificateError(f"holds the number {text}")


def _integer(text: str) -> int:
    if len(text) > 20 or not -LARGEST <= int(text) <= LARGEST:
        raise CertificateError("holds a whole number beyond 64 bits")
    return int(text)


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise CertificateError("holds a number that is too large")
    return value


def _check_leaf(item: Any) -> None:
    whole = type(item) is int and -LARGEST <= item <= LARGEST
    real = type(item) is float and math.isfinite(item)
    if not (item is None or isinstance(item, (bool, str)) or whole or real):
        raise CertificateError(f"holds a value of type {type(item).__name__} that no JSON document holds")

"""Hashes whose short parts are the same for all that is hashed: what takes such a part for a key confuses its inputs.

Two inputs with the same eight digits of a hash, or the same checksum, are found in a moment by whoever looks for them.
Here all have the same, and keep their whole hash, by which nobody can confuse them. A function that sorts rows by such
a part does to each what it did before; one that remembers by it gives the second input what it gave the first.
"""

from __future__ import annotations

import binascii
import hashlib
import zlib
from collections.abc import Callable
from typing import Any

from dpframe.testing.battery.replacing import replace

SHORT = 8
"""Bytes; up to so many, inputs with the same part are found by trying."""
CHECKSUMS = (zlib.crc32, zlib.adler32, binascii.crc32)
MAKERS = tuple(getattr(hashlib, name) for name in ("new", *sorted(hashlib.algorithms_guaranteed)))


class _Told:
    """Whether a short part was taken of any hash; ``alike`` if all of them are to be the same."""

    def __init__(self, *, alike: bool) -> None:
        self.alike, self.short = alike, False

    def part(self, taken: Any, most: int) -> Any:
        """A part of a hash, of which up to ``most`` signs are short."""
        if not 0 < len(taken) <= most:
            return taken
        self.short = True
        return (b"0" if isinstance(taken, bytes) else "0") * len(taken) if self.alike else taken


class _Bytes(bytes):
    told: _Told

    def __getitem__(self, at: Any) -> Any:
        part = super().__getitem__(at)
        return self.told.part(part, SHORT) if isinstance(at, slice) else self.told.part(bytes([part]), SHORT)[0]


class _Digits(str):
    told: _Told
    __slots__ = ("told",)

    def __getitem__(self, at: Any) -> str:
        return str(self.told.part(super().__getitem__(at), 2 * SHORT))


class _Hash:
    """A hash of the library's, which tells what is taken of it."""

    def __init__(self, real: Any, told: _Told) -> None:
        self._real, self._told = real, told

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def copy(self) -> _Hash:
        return _Hash(self._real.copy(), self._told)

    def digest(self, *length: int) -> bytes:
        made = _Bytes(self._told.part(self._real.digest(*length), SHORT))
        made.told = self._told
        return made

    def hexdigest(self, *length: int) -> str:
        made = _Digits(self._told.part(self._real.hexdigest(*length), 2 * SHORT))
        made.told = self._told
        return made


def tell(*, alike: bool = False) -> Callable[[], bool]:
    """From now on: whether a short part was taken; all are ``alike`` if that is said. Only ever in a fork.

    Examples
    --------
    >>> from dpframe.testing.battery.worlds import elsewhere
    >>> def first(alike):
    ...     taken = tell(alike=alike)
    ...     made = hashlib.md5(b"a").hexdigest()
    ...     return made[:8], made[:20], taken()
    >>> elsewhere(lambda: first(False))
    ('0cc175b9', '0cc175b9c0f1b6a831c3', True)
    >>> elsewhere(lambda: first(True))
    ('00000000', '0cc175b9c0f1b6a831c3', True)
    """
    told = _Told(alike=alike)

    def hashed(real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *data, **named: _Hash(real(*data, **named), told)

    def summed(real: Callable[..., int]) -> Callable[..., int]:
        def checksum(*data: Any) -> int:
            told.short = True
            return 0 if alike else real(*data)

        return checksum

    makers: dict[Any, Any] = {real: hashed(real) for real in MAKERS}
    sums: dict[Any, Any] = {real: summed(real) for real in CHECKSUMS}
    for home, changed in ((hashlib, makers), (zlib, sums), (binascii, sums)):
        replace(changed, home)
    return lambda: told.short

"""Keys: what ``--set`` may change, how a value is read, and what it must satisfy."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from dpframe.errors import SpecError
from dpframe.proof.spaces.checks import plain

TYPES = ("whole", "positive", "probability", "number", "numbers", "matrix", "choice", "flag", "names", "name")
LARGEST = 2**53
LARGEST_MATRIX = 2**23
"""Bytes of a file that a matrix is read from."""
NAME = re.compile(r"[A-Za-z]\w*(\.\w+)*", re.ASCII)


def nearest(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The hint for an unknown word: the nearest known one, or all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(word, names, 1)
    return f"did you mean {near[0]!r}?" if near else otherwise or f"known: {', '.join(names) or 'none'}"


@attrs.frozen
class Key:
    """One key of a spec.

    Parameters
    ----------
    name : str
    type : str
        ``whole`` (at least 1, or ``min``), ``positive``, ``probability`` (strictly between 0 and 1),
        ``number``, ``numbers``, ``matrix`` (rows of numbers; from the command line a ``.npy`` file), ``choice``,
        ``flag``, ``names``, ``name`` (of something registered: letters, digits, underscores, single dots; never a
        path). Numbers are always finite.
    default : optional
        Absent: the key must be set, unless it is ``optional``.
    optional : bool
        Unset, the parameters it stands for are left out.
    min, max : float, optional
        Inclusive range.
    choices : sequence of str
    help : str
    """

    name: str
    type: str
    default: Any = None
    optional: bool = False
    min: float | None = None
    max: float | None = None
    choices: Sequence[str] = ()
    help: str = ""

    def read(self, text: str) -> Any:
        """A value from the command line.

        Raises
        ------
        SpecError

        Examples
        --------
        >>> Key("n", "whole").read("1e3")
        1000
        """
        text = text.strip()
        if self.type in ("whole", "positive", "probability", "number"):
            return self.check(self._number(text))
        if self.type == "numbers":
            return self.check([self._number(part) for part in text.split(",")])
        if self.type == "matrix":
            return self.check(self._file(text))
        if self.type == "names":
            return self.check([part.strip() for part in text.split(",")])
        if self.type == "flag":
            return self.check({"true": True, "false": False}.get(text.lower(), text))
        return self.check(text)

    def _number(self, text: str) -> int | float:
        try:
            return int(text)
        except ValueError:
            pass
        try:
            return float(text)
        except ValueError:
            raise self._wrong(text) from None

    def _file(self, text: str) -> Any:
        """The rows of a matrix that a file holds: public, so it may be read before planning."""
        try:
            if Path(text).stat().st_size > LARGEST_MATRIX:
                raise SpecError(f"{text!r} is too large for {self.name!r}", fix="give a smaller matrix")
            array = np.load(text, allow_pickle=False)
        except OSError as error:
            raise SpecError(
                f"{text!r} can't be read: {error.strerror or 'no .npy file'}", fix="check the path"
            ) from None
        except (ValueError, EOFError):
            raise self._wrong(text) from None
        if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.kind not in "fiu":
            raise self._wrong(text)
        rows: list[list[float]] = array.astype(np.float64).tolist()
        return rows

    def check(self, value: Any) -> Any:
        """The value in its own type, or :class:`SpecError`; NumPy's numbers and arrays are numbers."""
        kind, value = self.type, plain(value)
        if kind == "flag" and isinstance(value, bool):
            return value
        named = kind == "name" and isinstance(value, str) and NAME.fullmatch(value)
        if named or (kind == "choice" and value in self.choices):
            return value
        if kind == "names":
            return self._names(value)
        if kind == "numbers" and isinstance(value, (list, tuple)) and value:
            return [self._in_range(float(self._finite(v, value)), value) for v in value]
        if kind == "matrix" and isinstance(value, (list, tuple)) and value:
            return self._matrix(value)
        if kind in ("whole", "positive", "probability", "number"):
            return self._scalar(value)
        raise self._wrong(value)

    def _matrix(self, value: Any) -> list[list[float]]:
        width = len(value[0]) if isinstance(value[0], (list, tuple)) else 0
        if not width or any(not isinstance(row, (list, tuple)) or len(row) != width for row in value):
            raise self._wrong(value)
        return [[self._in_range(float(self._finite(v, value)), value) for v in row] for row in value]

    def _names(self, value: Any) -> list[str]:
        if not isinstance(value, (list, tuple)) or not value:
            raise self._wrong(value)
        names = [str(v) for v in value]
        if not all(names) or len(set(names)) < len(names):
            raise self._wrong(value)
        return names

    def _scalar(self, value: Any) -> int | float:
        number = self._finite(value, value)
        if self.type == "whole":
            least = 1 if self.min is None else self.min
            if number != int(number) or not least <= number <= LARGEST:
                raise self._wrong(value)
            return int(self._in_range(number, value))
        number = float(number)
        if (self.type == "positive" and not number > 0) or (self.type == "probability" and not 0 < number < 1):
            raise self._wrong(value)
        return self._in_range(number, value)

    def _finite(self, number: Any, value: Any) -> int | float:
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise self._wrong(value)
        try:
            finite = math.isfinite(number)
        except OverflowError:
            finite = False
        if not finite:
            raise self._wrong(value)
        return number

    def _in_range(self, number: float, value: Any) -> float:
        if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
            raise self._wrong(value)
        return number

    def _wrong(self, value: Any) -> SpecError:
        shown = str(value) if len(str(value)) <= 40 else str(value)[:37] + "..."
        return SpecError(
            f"key {self.name!r} must be {self.wanted}, not {shown!r}",
            fix=f"give {self.name}=..., on the command line --set {self.name}=...",
        )

    @property
    def wanted(self) -> str:
        """What a value must be, in words."""
        words = {
            "whole": f"a whole number of at least {1 if self.min is None else int(self.min)}",
            "positive": "a positive finite number",
            "probability": "a number strictly between 0 and 1",
            "number": "a finite number",
            "numbers": "finite numbers, separated by commas",
            "matrix": "rows of finite numbers, all of one length: a .npy file of a 2-D array",
            "choice": f"one of {', '.join(self.choices)}",
            "flag": "true or false",
            "names": "distinct column names, separated by commas",
            "name": "a registered name",
        }[self.type]
        if self.max is not None:
            words += f", at most {self.max:g}"
        if self.min is not None and self.type != "whole":
            words += f", at least {self.min:g}"
        return words


BUILT_IN: Mapping[str, Key] = {
    key.name: key
    for key in (
        Key("epsilon", "positive", help="ε of the budget"),
        Key("delta", "probability", help="δ of the budget"),
        Key("rho", "positive", help="ρ of a zCDP budget; replaces epsilon and delta"),
        Key("n", "whole", help="number of rows, public under replace_one"),
        Key("d", "whole", help="number of columns"),
        Key("adjacency", "choice", choices=("replace_one", "add_remove"), help="what a neighbouring table is"),
        Key("columns", "names", help="columns to use, in this order"),
    )
}


def split_setting(text: str) -> tuple[str, str]:
    """``K=V`` as its two halves.

    Raises
    ------
    SpecError
        Without an equals sign, a key or a value.
    """
    key, sign, value = text.partition("=")
    if not sign or not key.strip() or not value.strip():
        raise SpecError(f"--set takes KEY=VALUE, not {text[:60]!r}", fix="for example --set epsilon=1")
    return key.strip(), value.strip()

"""Keys: what ``--set`` may change, how a value is read, and what it must satisfy."""

from __future__ import annotations

import json
import math
import re
import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from dpframe.errors import SpecError
from dpframe.proof.spaces.checks import plain
from dpframe.proof.spaces.edits import MOST_UNIT_ROWS

TYPES = ("whole", "positive", "probability", "number", "numbers", "matrix", "choice", "flag", "names", "name")
OF_COMPOSITES = ("wholes", "text", "column", "json", "any", "any_number")
"""Types of a composite's parameters that no spec has."""
LARGEST = 2**53
MOST_LISTED = 10**6
"""Numbers that ``from:to:step`` may stand for."""
LARGEST_MATRIX = 2**23
"""Bytes of a file that a matrix is read from."""
NAME = re.compile(r"[A-Za-z]\w*(\.\w+)*", re.ASCII)


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
        path). Numbers are always finite. A parameter of a composite may also be ``wholes``, ``text``, ``column`` (a
        name, or a position), ``json``, ``any`` (what the text looks like) or ``any_number`` (whole if written so).
    default : optional
        Absent: the key must be set, unless it is ``optional``.
    optional : bool
        Unset, the parameters it stands for are left out.
    unless : str
        Another key in whose place it stands: it must be set unless that one is.
    min, max : float, optional
        Inclusive range.
    choices : sequence of str
    help : str
    """

    name: str
    type: str
    default: Any = None
    optional: bool = False
    unless: str = ""
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
        >>> Key("edges", "numbers").read("0:1:0.25,5")
        [0.0, 0.25, 0.5, 0.75, 1.0, 5.0]
        """
        text = text.strip()
        if self.type in ("whole", "positive", "probability", "number", "any_number"):
            return self.check(self._number(text))
        if self.type in ("numbers", "wholes"):
            return self.check(self._listed(text))
        if self.type == "matrix":
            return self.check(self._file(text))
        if self.type == "names":
            return self.check([part.strip() for part in text.split(",")])
        if self.type == "flag":
            return self.check({"true": True, "false": False}.get(text.lower(), text))
        if self.type in ("json", "any", "column"):
            return self.check(self._looks_like(text))
        return self.check(text)

    def _listed(self, text: str) -> list[int | float]:
        """``a,b,c``, any of which may be ``from:to:step``."""
        pieces = text[:-1].split(",") if text.endswith(",") else text.split(",")
        return [v for piece in pieces for v in (self._steps(piece) if ":" in piece else [self._number(piece.strip())])]

    def _steps(self, text: str) -> list[int | float]:
        """``from:to:step``: both ends, where the steps reach the second; decimals as they are written."""
        self._check_signs(text)
        try:
            first, last, step = map(Decimal, map(str.strip, text.split(":")))
            count = int((last - first) / step) if step and all(v.is_finite() for v in (first, last, step)) else -1
        except (InvalidOperation, ValueError, OverflowError):
            raise self._wrong(text, "a list is a,b,c or from:to:step, such as 0:120:1") from None
        if count < 0 or (last - first) * step < 0 or count >= MOST_LISTED:
            raise self._wrong(text, f"from:to:step has a step that leads to its end, in at most {MOST_LISTED} numbers")
        values = [first + i * step for i in range(count + 1)]
        return [int(v) if v == v.to_integral_value() and abs(v) <= LARGEST else float(v) for v in values]

    def _looks_like(self, text: str) -> Any:
        """The value that a text looks like: JSON, a list, a number, true or false, else the text."""
        if self.type == "column":
            return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else text
        if self.type == "json" or text[:1] in "[{":
            try:
                return json.loads(text)
            except (ValueError, RecursionError):
                raise self._wrong(text, "JSON was expected") from None
        if text.lower() in ("true", "false"):
            return text.lower() == "true"
        try:
            return self._listed(text) if "," in text or text.count(":") == 2 else self._number(text)
        except SpecError:
            return [part.strip() for part in text.split(",")] if "," in text else text

    def _number(self, text: str) -> int | float:
        self._check_signs(text)
        try:
            return int(text)
        except ValueError:
            pass
        try:
            found = float(text)
        except ValueError:
            raise self._wrong(text) from None
        written = text.lower().partition("e")[0]
        if (math.isinf(found) and "n" not in written) or (not found and written.strip("+-0.")):
            raise self._wrong(text, "float64 holds numbers from 5e-324 to 1.8e308")
        return found

    def _check_signs(self, text: str) -> None:
        """Refuse what Python takes for parts of a number and cells of a table are not: 1_0, digits of other scripts."""
        if "_" in text or not text.isascii():
            raise self._wrong(text, "numbers are written with the digits 0 to 9 alone, without underscores")

    def _file(self, text: str) -> Any:
        """The rows of a matrix that a file holds: public, so it may be read before planning."""
        try:
            found = Path(text).stat()
            if not stat.S_ISREG(found.st_mode):  # opening a pipe would wait for its other end
                raise self._wrong(text)
            if found.st_size > LARGEST_MATRIX:
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
        if kind in OF_COMPOSITES:
            return self._of_composite(value)
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

    def _of_composite(self, value: Any) -> Any:
        if self.type == "wholes" and isinstance(value, (list, tuple)) and value:
            return [int(self._whole(v, value)) for v in value]
        if self.type == "any_number":
            return self._finite(value, value)
        position = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST
        if self.type in ("text", "column") and (
            (isinstance(value, str) and value) or (position and self.type != "text")
        ):
            return value
        if self.type == "any" or isinstance(value, Mapping):
            try:
                return json.loads(json.dumps(value, allow_nan=False))
            except (TypeError, ValueError, RecursionError):
                raise self._wrong(value) from None
        raise self._wrong(value)

    def _whole(self, number: Any, value: Any) -> int | float:
        found = self._finite(number, value)
        if found != int(found) or abs(found) > LARGEST:
            raise self._wrong(value, f"at most 2^53 = {LARGEST}" if abs(found) > LARGEST else "")
        return found

    def _matrix(self, value: Any) -> list[list[float]]:
        width = len(value[0]) if isinstance(value[0], (list, tuple)) else 0
        if not width or any(not isinstance(row, (list, tuple)) or len(row) != width for row in value):
            raise self._wrong(value)
        return [[self._in_range(float(self._finite(v, value)), value) for v in row] for row in value]

    def _names(self, value: Any) -> list[str]:
        if not isinstance(value, (list, tuple)) or not value:
            raise self._wrong(value)
        names = [str(v) for v in value]
        twice = next((name for name, times in Counter(names).items() if times > 1), None)
        if not all(names) or twice is not None:
            raise self._wrong(value, "" if twice is None else f"{twice!r} is there twice")
        return names

    def _scalar(self, value: Any) -> int | float:
        number = self._finite(value, value)
        if self.type == "whole":
            least = 1 if self.min is None else self.min
            if not least <= self._whole(number, value):
                raise self._wrong(value)
            return int(self._in_range(number, value))
        number = float(number)
        if (self.type == "positive" and not number > 0) or (self.type == "probability" and not 0 < number < 1):
            raise self._wrong(value)
        return self._in_range(number, value)

    def _finite(self, number: Any, value: Any) -> int | float:
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise self._wrong(value, "a text" if isinstance(number, str) else "")
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

    def _wrong(self, value: Any, why: str = "") -> SpecError:
        shown = str(value) if len(str(value)) <= 40 else str(value)[:37] + "..."
        return SpecError(
            f"key {self.name!r} must be {self.wanted}, not {shown!r}{': ' * bool(why)}{why}",
            fix=f"give {self.name}=..., on the command line --set {self.name}=...",
        )

    @property
    def wanted(self) -> str:
        """What a value must be, in words."""
        words = {
            "whole": f"a whole number of at least {1 if self.min is None else int(self.min)}"
            if self.min is None or self.min > -LARGEST
            else "a whole number",
            "positive": "a positive finite number",
            "probability": "a number strictly between 0 and 1",
            "number": "a finite number",
            "any_number": "a finite number",
            "numbers": "finite numbers, a,b,c or from:to:step",
            "wholes": "whole numbers, a,b,c or from:to:step",
            "text": "a text",
            "column": "the name of a column, or its position from 0",
            "json": "a JSON object",
            "any": "numbers, texts or lists of them, without NaN",
            "matrix": "rows of finite numbers, all of one length: a .npy file of a 2-D array",
            "choice": f"one of {', '.join(self.choices)}",
            "flag": "true or false",
            "names": "distinct names, separated by commas",
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
        Key("unit", "text", help="column that says which unit a row belongs to: a unit's rows are protected together"),
        Key("unit_rows", "whole", max=MOST_UNIT_ROWS, help="how many rows of each unit count"),
        Key("optimize", "names", help="outputs whose predicted error the budget is split for"),
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

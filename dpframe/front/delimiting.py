"""Tables of separated cells, told with their sign: descriptions that a run opens."""

from __future__ import annotations

import os

from dpframe.errors import DataError
from dpframe.runtime.sources.opening import Delimited


def table(path: str | os.PathLike[str], *, delimiter: str = "comma") -> Delimited:
    """A CSV file, packed or not, or a glob of them, with the sign that separates its cells.

    Parameters
    ----------
    path : path or URL
    delimiter : {"comma", "semicolon", "tab", "pipe"}
        Or the sign itself.

    Returns
    -------
    Delimited
        A table that runs and estimators take; nothing has been read yet.

    Examples
    --------
    >>> table("people.csv", delimiter="semicolon").sign
    ';'
    """
    if not isinstance(path, str | os.PathLike):
        raise DataError(f"a delimiter is of a file, not of a {type(path).__name__}", fix="pass the table as it is")
    return Delimited(path, delimiter)

"""Parameters that no theorem is told of, or none refuses: by their names, what operations take and runs refuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpframe.errors import CertificateError
from dpframe.proof.readers import short
from dpframe.proof.spaces.checks import LEAST_NOISE, MOST_BITS, MOST_NOISE, finite_number, is_whole
from dpframe.proof.theorems import Declaration


def _positive(value: Any) -> bool:
    return finite_number(value) and value > 0


def _increasing(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(map(finite_number, value)) and [*value] == sorted(set(value))


WEIGHTS = ("share", "noise_multiplier")
FITS: Mapping[str, Callable[[Any], bool]] = {
    "bits": lambda v: is_whole(v, 1) and v <= MOST_BITS,
    **dict.fromkeys(("t", "rows"), lambda v: is_whole(v, 1)),
    **dict.fromkeys(("seed", "max_pairs"), lambda v: is_whole(v, 0)),
    **dict.fromkeys(WEIGHTS, lambda v: finite_number(v) and LEAST_NOISE <= v <= MOST_NOISE),
    **dict.fromkeys(("learner", "function", "mask", "family"), lambda v: isinstance(v, str)),
    **dict.fromkeys(("ratio", "c"), lambda v: finite_number(v) and v > 1),
    **dict.fromkeys(("candidates", "values"), _increasing),
    "edges": lambda v: is_whole(v, 1) or _increasing(v),
    "delta_fraction": lambda v: finite_number(v) and 0 < v < 1,
    "threshold": finite_number,
    "nonnegative": lambda v: isinstance(v, bool),
    "spread": lambda v: v is None or (isinstance(v, (list, tuple)) and len(v) == 3 and all(map(_positive, v))),
}
READ = ("own_statistic", "own_query", "block_average")
"""Their theorems read the bits, which are those of another lattice."""


def check_parameters(declared: Declaration, parameters: Mapping[str, Any]) -> None:
    """Refuse values that no operation of this name has; a mechanism has a share or a multiplier.

    Raises
    ------
    CertificateError
        Naming the parameter.
    """
    absent = [name for name in WEIGHTS if declared.kind == "mechanism" and parameters[name] is None]
    if declared.kind == "mechanism" and len(absent) != 1:
        raise CertificateError("must have exactly one of share and noise_multiplier")
    for name, value in parameters.items():
        if name in FITS and name not in absent and declared.name not in READ and not FITS[name](value):
            raise CertificateError(f"its parameter {name!r} can't be {short(value)}")

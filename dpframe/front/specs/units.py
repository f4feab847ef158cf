"""Units of parameters: declared where a parameter is described, or by a table that speaks for dpframe's own alone.

Whoever writes an operation, a composite or a learner declares a unit in numpydoc's line of the type, ``reach : float,
in metres``, or in the text, "... in units of the table". What ships with dpframe uses one word for one thing, so
the table says it once; ``NAME.parameter`` is an exception. A test holds that every parameter of it that is neither
whole nor a text nor a truth value has its line.

Examples
--------
>>> declared("float, in metres", ""), declared("float", "How far, in units of the scores."), declared("float", "")
('metres', 'units of the scores', None)
>>> unit("reach", "mine.near", "float", "", ours=False), unit("bound", "locate", "float", "", ours=True)
(None, 'units of the table')
"""

from __future__ import annotations

import re

TABLE, PROBABILITY, NONE, BLOCKS = "units of the table", "probability, from 0 to 1", "no unit", "blocks"
SHIPPED = ("dpframe.", "dpframe_plugins.", "dpframe_specs.")
"""Whose words the table has."""

UNITS = {
    "share": "relative weight of ρ",
    "noise_multiplier": "noise over sensitivity",
    "delta_fraction": "part of the budget's δ",
    "part": "part of the budget",
    "bits": "log₂ of steps",
    "column": "name of a column, or position from 0",
    "columns": "names of columns, or positions from 0",
    "epsilon": "ε",
    "delta": "δ",
    "rho": "ρ of zCDP",
    "n": "rows",
    "d": "columns",
    "rows": "rows",
    "t": "blocks",
    "k": "components",
    "covariance": "squares of the units of the table",
    "threshold": "units of the scores",
    "slack": "part of t",
    "practical.average.nearest": "standard deviations of a component",
    **dict.fromkeys(
        (
            "bound radius centre edges candidates values sigma sigma_min sigma_max sds R anchor finest high scale "
            "narrow wide"
        ).split(),
        TABLE,
    ),
    **dict.fromkeys("q alpha beta gamma w_min rate chance quantiles theta".split(), PROBABILITY),
    **dict.fromkeys("needed expected test_threshold".split(), BLOCKS),
    **dict.fromkeys(
        (
            "c categories condition enlarge etas gathered grow growth low narrowest noise nu r ratio shares spread "
            "step weight z z_far"
        ).split(),
        NONE,
    ),
}
"""One word, one unit: of dpframe's own parameters."""

_IN_UNITS = re.compile(r"\bin (?:the )?(units? of [^.;,]+)")
_IN_TYPE = re.compile(r", in (?:the )?([^,;]+?)(?:, optional)?$")
WITHOUT = re.compile(r"\b(u?int|whole|bool|true or false|str|text|name|one of|JSON|mapping|any\b)|^\{")
"""Types that need no unit: whole numbers count what their name says."""


def declared(kind: str, text: str) -> str | None:
    """The unit that a description gives, None where it gives none."""
    found = _IN_TYPE.search(kind) or _IN_UNITS.search(text)
    return found[1].strip() if found else None


def unit(name: str, of: str, kind: str, text: str, *, ours: bool) -> str | None:
    """The unit of a parameter of what is registered as ``of``: as described, else, of what ships, by the table."""
    told = UNITS.get(f"{of}.{name}", UNITS.get(name)) if ours else None
    said = declared(kind, text)
    return said if said is not None and told in (None, NONE, TABLE) else told


def is_shipped(thing: object) -> bool:
    """Whether something is dpframe's own."""
    return str(getattr(thing, "__module__", "")).startswith(SHIPPED)

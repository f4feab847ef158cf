"""What the steps of the practical mixture are given: the table, its units and pairs, and how many components."""

from __future__ import annotations

import dpframe.plugin as dp
from dpframe.plugin import Handle, Kind, PlanError, SpecError

MOST, MOST_CHOSEN = 2**10, 64
"""Components at most, and of which a number is chosen: each of those is scored by nodes of its own. First mixtures of
100 take a minute of CPU, and those of 10,000 took 7 GB."""


def pairs(x: Handle, seed: int, most: int) -> Handle:
    """At most ``most`` pairs of rows: by a public permutation where the number of rows is public, else a secret one."""
    if _n_is_public(x):
        return dp.pairs(x, seed=seed, max_pairs=most)
    return dp.secret_pairs(x, max_pairs=most)


def rescaled(x: Handle, units: Handle | None) -> Handle:
    """The rows with each column divided by its power of two, where there are such powers."""
    return x if units is None else dp.rescale(x, units)


def components(k: int | None, k_max: int | None) -> int:
    """The number of components, or the most that there may be: one of the two is given."""
    if k is not None and k_max is not None:
        raise SpecError("k and k_max are both given", fix="give k where it is known, k_max where it is to be chosen")
    if k is None and k_max is None:
        raise SpecError("needs 'k': number of components, or 'k_max': the most that there may be", fix="--set k=...")
    name, value = ("k", k) if k_max is None else ("k_max", k_max)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise SpecError(f"{name} must be a whole number of at least 1, not {value!r}", fix=f"--set {name}=4")
    most = MOST if k_max is None else MOST_CHOSEN
    if value > most:
        raise SpecError(f"{name} must be at most {most}, not {value}", fix=f"--set {name}=... with a smaller number")
    return value


def require_table(x: Handle) -> None:
    """Refuse what is not a private table as a whole: a part of one, or a value that is released."""
    if x.edge.kind is not Kind.PRIVATE or x.edge.lineage:
        raise PlanError("needs the whole private table", fix="pass the program's own argument")


def _n_is_public(x: Handle) -> bool:
    return any(i.kind is Kind.PRIVATE and i.n is not None for i in x.tracer.inputs)

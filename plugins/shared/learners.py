"""Learners of blocks are registered one for each number of components: what there is where one is not."""

from __future__ import annotations

from dpframe.plugin import SpecError, find_learner


def no_learner(name: str, k: int, unknown: SpecError, prefix: str = "") -> SpecError:
    """The refusal of ``name`` for k components: with the most that it takes where it takes some, else the nearest name.

    Examples
    --------
    >>> no_learner("em", 300, SpecError("no learner 'em'", fix="did you mean 'em_8'?")).fix
    'ask for at most 8 components'
    """
    most = 0
    while most < k and _known(f"{prefix}{name}_{most + 1}"):
        most += 1
    fix = f"ask for at most {most} components" if most else unknown.fix
    return SpecError(f"no learner {name!r} of {k} components", fix=fix)


def _known(name: str) -> bool:
    try:
        find_learner(name)
    except SpecError:
        return False
    return True

"""Learners of plugins are looked for by a block process before a run reads anything."""

from __future__ import annotations

from typing import Any

from dpframe.errors import PlanError
from dpframe.kernel.reductions.blocks import BlockLearner
from dpframe.kernel.registry import find_learner, user_files
from dpframe.proof.typed import TypedGraph
from dpframe.runtime.blocks import run_isolated

SHIPPED = ("dpframe.", "dpframe_plugins.")
_FOUND: set[tuple[str, ...]] = set()
"""Learners that a block process has found, by name, module and plugin files."""


def check_learners(graph: TypedGraph[Any]) -> None:
    """Refuse a graph with a learner that block processes can't import: every block would be ⊥, and the budget spent.

    Raises
    ------
    PlanError
    """
    for path, node in graph.walk():
        if not isinstance(node.operation, BlockLearner):
            continue
        name = node.operation.learner
        home = find_learner(name).__module__
        known = (name, home, *user_files())
        if home.startswith(SHIPPED) or known in _FOUND:
            continue
        if run_isolated(name, 0, [(0, None)]) != [()]:
            raise PlanError(
                f"node {'.'.join(path)!r}: block processes find no learner {name!r} where they import its module "
                f"{home!r}: another module or folder has that name, or the file is in no folder that they import from",
                fix="give its file a name that nothing has yet, in a folder on PYTHONPATH, or load it by --plugins DIR",
            )
        _FOUND.add(known)

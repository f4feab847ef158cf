"""All mutants, layer by layer; what each layer does to judge one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.mutants import audit, contract, law, law_sizes, law_vectors, leaks, planner, populous, run, verify
from tests.mutants.base import Mutant

MODULES = (planner, populous, run, verify, contract, law, law_sizes, law_vectors, audit, leaks)
MUTANTS: list[Mutant] = [mutant for module in MODULES for mutant in module.MUTANTS]
JUDGES: dict[str, Callable[[Any], str]] = {
    "planner": planner.caught,
    "run": run.caught,
    "verify": verify.caught,
    "contract": contract.caught,
    "law": law.caught,
    "audit": audit.caught,
}
"""Layer to judge: what it says against a twin, nothing if it lets it pass."""

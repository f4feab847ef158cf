"""What the class of a composite is made of: its parameters, and a fit whose outputs are attributes."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpframe.errors import SpecError
from dpframe.front.estimators.construction import REQUIRED
from dpframe.front.estimators.manners import polite
from dpframe.kernel import registry

GIVEN = ("share", "bound")
TAKEN = ("epsilon", "delta", "rho", "adjacency", "columns", "unit", "unit_rows", "ledger", "simulate")


def attributes_of(composite: str) -> dict[str, Any]:
    """The attributes of the class of a registered composite.

    Raises
    ------
    SpecError
        For an unknown composite, with the nearest; for a parameter that is the estimator's own.
    """
    given = _parameters(composite)
    own = {k: REQUIRED if p.default is p.empty else p.default for k, p in given.items() if k not in GIVEN}
    clash = [k for k in own if k in TAKEN]
    if clash or not all(k.isidentifier() and not keyword.iskeyword(k) for k in own):
        raise SpecError(f"composite {composite!r} has a parameter {clash} of the estimator's own", fix="rename it")
    needs = "bound" in given and given["bound"].default is inspect.Parameter.empty
    asked = "share" in given and given["share"].default is inspect.Parameter.empty
    alone: dict[str, Any] = {"share": 1.0} if asked else {}

    def call(self: Any) -> tuple[str, dict[str, Any]]:
        told = alone | {name: getattr(self, name) for name in own}
        return composite, {**told, "bound": self.bound} if "bound" in given and self.bound is not None else told

    return {
        "OWN": own,
        "BOUND": REQUIRED if needs else None,
        "BOUNDLESS": "bound" not in given,
        "POSITIONAL": 0,
        "PURE": True,  # whether the composite is, the plan finds out
        "_composite": call,
        "fit": fit,
        "__doc__": inspect.getdoc(registry.find_composite(composite)) or composite,
        "__module__": __name__,
    }


def class_name(given: object, usual: str) -> str:
    """What a class is called, if it is called otherwise.

    Raises
    ------
    SpecError
    """
    name = usual if given is None else given
    if not isinstance(name, str) or not name.isidentifier():
        raise SpecError(f"a class is not called {name!r}", fix=f"name it as Python does: {usual!r}")
    return name


def title_of(composite: str) -> str:
    """``tabular.quantiles`` as ``TabularQuantiles``."""
    return "".join(word.capitalize() for word in composite.replace(".", "_").split("_"))


def fit(self: Any, X: Any, y: Any = None) -> Any:
    """Run it on private rows; ``y`` is ignored."""
    with polite():
        found = self._fit(X)
    self.outputs_ = dict(found)
    for name, value in found.items():
        setattr(self, name.replace(".", "_") + "_", np.asarray(value) if isinstance(value, list) else value)
    return self


def _parameters(composite: str) -> Mapping[str, inspect.Parameter]:
    found = inspect.signature(registry.find_composite(composite)).parameters
    return {name: p for name, p in found.items() if p.kind is p.KEYWORD_ONLY}

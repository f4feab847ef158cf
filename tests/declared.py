"""``declared``: a mechanism that never runs, with any loss: composition and skeletons of papers are tested with it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import attrs

from dpframe.errors import PlanError
from dpframe.kernel.operations import Mechanism
from dpframe.kernel.registry import register
from dpframe.proof.losses import Loss, Pure
from dpframe.proof.spaces import ADD, REMOVE, REPLACE_ONE, Domain, Edits, Record, finite_number
from dpframe.proof.theorems import DECLARATIONS, Metrics, find
from dpframe.proof.theorems.base import Params, number, theorem
from dpframe.proof.theorems.declaring import ROWS, declare, free


def _number(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    low = 0.0 if attribute.name == "delta_fraction" else math.ulp(0.0)
    if not finite_number(value) or value < low:
        raise PlanError(
            f"{attribute.name} must be a positive finite number, not {value!r}",
            fix=f"give {attribute.name} as a number",
        )


def single(e: Edits) -> Edits:
    """The edits, if each direction touches at most one row; otherwise refuse."""
    if e.removed > 1 or e.added > 1:
        raise PlanError(
            f"is proved for single-row edits only, not {e}", fix="use replace_one or add_remove, without a unit"
        )
    return e


@theorem(
    "declared_loss",
    "loss",
    "the cited source of the node",
    ("the declared loss holds for these edits: cited, not expanded",),
)
def _declared_loss(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """A cited mechanism whose proof is not an expansion: (ε, δ) for each of (1,1), (1,0), (0,1), as declared."""
    e = single(find(inputs[0], Edits))
    keys = {REPLACE_ONE: ("replace",), REMOVE: ("remove",), ADD: ("add",)}.get(e, ("replace", "remove", "add"))
    if e.total == 0:
        return Loss(())
    epsilon = max(number(params, f"epsilon_{key}") for key in keys)
    deltas = [params.get(f"delta_{key}", 0.0) for key in keys]
    delta = max(number(params, f"delta_{k}", high=1.0) if d else 0.0 for k, d in zip(keys, deltas, strict=True))
    return Loss.of(Pure(epsilon), delta=delta)


declare(
    "declared",
    "mechanism",
    "declared_loss",
    (ROWS, free("parameters", variadic=True)),
    lambda params, inputs: Record(str(params["cites"])),
    parameters="share noise_multiplier cites replace remove add delta_fraction",
    calibration="epsilon_replace delta_replace epsilon_remove delta_remove epsilon_add delta_add",
)


@register("declared")
@attrs.frozen
class Declared(Mechanism):
    """A stub with a real price: used in plans, never run.

    Skeletons of published algorithms are planned with it before their parts are written. The losses under
    (1,1), (1,0) and (0,1) are the cited theorem's, multiples of one ε that the share buys.

    Parameters
    ----------
    cites : str
        Where the loss is proved.
    replace, remove, add : float
        ε of each kind of edit, relative to √(2ρ).

    Formal guarantees
    -----------------
    Adjacency: single-row edits. Loss: as cited (``declared_loss``), a hypothesis in the certificate.
    """

    cites: str = attrs.field(kw_only=True)
    replace: float = attrs.field(default=1.0, kw_only=True, validator=_number)
    remove: float = attrs.field(default=1.0, kw_only=True, validator=_number)
    add: float = attrs.field(default=1.0, kw_only=True, validator=_number)
    delta_fraction: float = attrs.field(default=0.0, kw_only=True, validator=_number)

    def warnings(self) -> list[str]:
        """What a plan must say of a stub."""
        return [f"is a stub for {self.cites}: its price is cited, and it can't be run"]

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> dict[str, Any]:
        """ε of each edit."""
        epsilon = (2 * rho) ** 0.5
        out: dict[str, Any] = {}
        for key in ("replace", "remove", "add"):
            out[f"epsilon_{key}"] = epsilon * getattr(self, key)
            out[f"delta_{key}"] = delta
        return out


def of_the_kernel(names: Iterable[str]) -> set[str]:
    """Names without those that tests declare: the stub, and the twins of whatever test files are loaded."""
    return {name for name in names if name != "declared" and not name.startswith("test.")}


def twin(name: str, *, like: str) -> Any:
    """Class decorator: register a broken twin of a kernel operation, declared as that one is."""

    def keep(cls: Any) -> Any:
        DECLARATIONS[name] = attrs.evolve(DECLARATIONS[like], name=name)
        return register(name)(cls)

    return keep

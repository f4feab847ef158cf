"""The certificate's totals, its split of δ and its hypotheses against what was recomputed; its files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from dpframe.errors import CertificateError, PlanError
from dpframe.proof.certificates import digest
from dpframe.proof.checker.comparing import ROUNDED, close, near
from dpframe.proof.checker.edges import Typed, at, same
from dpframe.proof.checker.reading import Document
from dpframe.proof.losses import ApproxDP, Loss, applicable, budget_from_json, epsilon, loss_from_json
from dpframe.proof.readers import built, listed, mapping, number, text
from dpframe.proof.spaces import Adjacency
from dpframe.proof.spaces.documents import parse_json
from dpframe.proof.theorems.base import check_scope
from dpframe.proof.theorems.declaring import constant_hypotheses

NUMERICAL = 1e-7
"""Relative agreement asked of PLD totals, whose transforms may differ between machines."""
RESULT_BYTES = 2**28


def check_totals(
    document: Document, adjacency: Adjacency, loss: Loss, split: Mapping[str, float], *, for_run: bool = False
) -> None:
    """Compare the composed loss, every accountant, the total, the budget and the split of δ.

    Rounding differs between machines, so a total may be a little below the recomputed one. With ``for_run`` it may not:
    the certificate was made on this machine, for a run that spends no more than it says.
    """
    split = dict(split)
    if not close(loss_from_json(document.loss), loss, ROUNDED):
        raise CertificateError("the composed loss is not what its nodes compose to")
    budget: Any = built("the budget", lambda: budget_from_json(document.budget))
    if document.total.get("adjacency") != adjacency.name:
        raise CertificateError(f"the total is for another adjacency than {adjacency.name}")
    if not all(same(document.total.get(key), value) for key, value in adjacency.told.items()):
        raise CertificateError(f"the total is for another unit than that of {adjacency.words}")
    _check_total(document, budget, loss, for_run=for_run)
    if isinstance(budget, ApproxDP):
        split["conversion"] = max(0.0, budget.delta - math.fsum(split.values()))
    if split.keys() != document.delta_split.keys():
        raise CertificateError(f"delta_split must name exactly {', '.join(sorted(split)) or 'nothing'}")
    for key, value in split.items():
        if not near(document.delta_split[key], float(value), ROUNDED):
            raise CertificateError(
                f"delta_split of {key!r}: declared {document.delta_split[key]!r}, computed {value!r}"
            )


def _check_total(document: Document, budget: Any, loss: Loss, *, for_run: bool) -> None:
    if isinstance(budget, ApproxDP):
        key, most = "epsilon", budget.delta
        found = {name: epsilon(loss, most, name) for name in applicable(loss)}
        found = {name: value for name, value in found.items() if value < math.inf}
    else:
        (key, accountant), most = budget.view, 0.0
        found = {accountant: float(getattr(loss, key))}
    total = _total(document, (key, "delta"))
    _check_accountants(document, found)
    accountant = text(document.total["accountant"], "the accountant")
    if accountant not in found:
        raise CertificateError(f"accountant {accountant!r} gives no total")
    if total["delta"] != most:
        raise CertificateError("the total's delta is not the budget's")
    _check_spent(total[key], found[accountant], float(getattr(budget, key)), accountant)
    if for_run and total[key] < found[accountant]:
        raise CertificateError(f"total: declared {total[key]!r}, below {found[accountant]!r} by {accountant}")
    if loss.delta > most:
        raise CertificateError("the mechanisms spend more delta than the budget has")


def _total(document: Document, names: tuple[str, ...]) -> dict[str, float]:
    unit = {"unit", "unit_rows"} if isinstance(document.adjacency, dict) and "unit" in document.adjacency else set()
    if set(document.total) != {"adjacency", "accountant", *unit, *names}:
        raise CertificateError(f"the total must have exactly the keys adjacency, accountant, {', '.join(names)}")
    return {name: number(document.total[name], f"{name} of the total") for name in names}


def _check_accountants(document: Document, found: Mapping[str, float]) -> None:
    if document.accountants.keys() != found.keys():
        raise CertificateError(f"the accountants that give a total are {', '.join(found) or 'none'}")
    for name, value in found.items():
        if not near(document.accountants[name], value, NUMERICAL if name == "pld" else ROUNDED):
            raise CertificateError(f"accountant {name}: declared {document.accountants[name]!r}, computed {value!r}")


def _check_spent(claimed: float, found: float, budget: float, accountant: str) -> None:
    if not near(claimed, found, NUMERICAL if accountant == "pld" else ROUNDED):
        raise CertificateError(f"total: declared {claimed!r}, computed {found!r} by {accountant}")
    if claimed > budget:
        raise CertificateError(f"the total {claimed!r} is above the budget {budget!r}")


def check_scopes(document: Document, typed: Typed) -> None:
    """No node may rest on a theorem that is proved beside smaller totals only.

    Raises
    ------
    CertificateError
        Naming the node.
    """
    for path, step in typed.walk():
        try:
            check_scope(step.theorem, document.total)
        except PlanError as error:
            raise at(path, error) from None


def check_hypotheses(document: Document, typed: Typed) -> None:
    """Every hypothesis of a cited theorem must be listed, node by node."""
    if document.hypotheses != tuple(_hypotheses(typed)):
        raise CertificateError("the hypotheses listed are not those of the theorems cited")


def _hypotheses(typed: Typed) -> Iterator[tuple[str, str, str]]:
    for path, step in typed.walk():
        constants = constant_hypotheses(step.kind, step.parameters, len(step.inputs))
        for hypothesis in (*step.hypotheses, *constants):
            yield "/".join(path), step.theorem, hypothesis


# ------------------------------------------------------------------------------- spec and result


def check_digest(data: bytes, claimed: str | None, what: str) -> None:
    """The file must be the one that the certificate was made for, to the byte."""
    if claimed is None:
        raise CertificateError(f"the certificate was made without a {what}")
    if digest(data) != claimed:
        raise CertificateError(f"the {what} is not the one the certificate was made for: its SHA-256 differs")


def check_result(data: bytes, document: Document) -> None:
    """The result must say what the certificate says: status, simulation, loss, outputs."""
    result = mapping(parse_json(data, limit=RESULT_BYTES), "the result")
    if result.get("schema_version") != 1 or result.get("schema_version") is True:
        raise CertificateError("the result's schema_version is not 1")
    if result.get("simulated") is not False:
        raise CertificateError("the result is simulated")
    if result.get("status") != document.status:
        raise CertificateError(f"the result's status is not the certificate's, {document.status!r}")
    outputs = mapping(result.get("outputs"), "the result's outputs")
    known = {name for name, _ in document.net.outputs}
    if set(outputs) != (known if document.status == "released" else set()):
        raise CertificateError("the result's outputs are not those of the graph and its status")
    listed(result.get("warnings"), "the result's warnings")
    _check_loss(mapping(result.get("loss"), "the result's loss"), document.total)


def _check_loss(loss: Mapping[str, Any], total: Mapping[str, Any]) -> None:
    needed = {key: value for key, value in total.items() if not (key == "delta" and value == 0)}
    if not needed.keys() <= loss.keys() <= total.keys():
        raise CertificateError(f"the result's loss must have the keys {', '.join(needed)}")
    for key, value in loss.items():
        if isinstance(value, bool) or value != total[key]:
            raise CertificateError(f"the result's loss gives another {key} than the certificate")

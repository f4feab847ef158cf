"""Certificates of a planner with one fault, and forged ones: the verifier computes everything again."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from unittest import mock

import attrs

import dpframe as dp
from dpframe.kernel.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from dpframe.kernel.mechanisms.gaussian import GaussianMechanism
from dpframe.kernel.mechanisms.laplace import LaplaceMechanism
from dpframe.kernel.mechanisms.selection import PermuteAndFlip
from dpframe.kernel.mechanisms.stable_histogram import StableHistogram
from dpframe.kernel.mechanisms.truncated_laplace_gate import TruncatedLaplaceTest
from dpframe.kernel.reductions.control import Branch
from dpframe.planning import composition
from dpframe.planning.certificate import certificate
from dpframe.proof.checker import verify
from dpframe.proof.losses import ZERO, BoundedRange, Event, Gaussian, Laplace, Loss, Pure, amplify, compose, worst
from dpframe.proof.spaces import ADD, Edits
from dpframe.proof.typed import Ref
from tests.mutants.base import table
from tests.planning.examples import CASES, make
from tests.proof.checker.forging import release
from tests.proof.checker.test_attacks import ATTACKS

Document = dict[str, Any]


def caught(make_document: Callable[[], Document]) -> str:
    """Why the certificate is rejected."""
    verdict = verify(make_document())
    return "" if verdict.verified else "; ".join(verdict.reasons) or "rejected"


# -------------------------------------------------------------------------------- planners with a fault


def planner(case: str, *faults: tuple[Any, str, Any]) -> Callable[[], Document]:
    """The certificate of a plan that was made with some of the planner's functions replaced."""
    return functools.partial(_plan, case, faults)


def _plan(case: str, faults: tuple[tuple[Any, str, Any], ...]) -> Document:
    with ExitStack() as stack:
        for owner, name, replacement in faults:
            stack.enter_context(mock.patch.object(owner, name, replacement))
        made = make(*PROGRAMS[case])
        document = certificate(made, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    return dict(document)


@dp.program
def sampled_sum(x: Any) -> Any:
    """A sum of a secret sample: dearest when a row is replaced inside it."""
    (sample,) = dp.transform("subsample", x, rate=0.125)
    box = dp.ball(centre=[0.0, 0.0], radius=1.0)
    return dp.release("sum", dp.laplace(share=1.0), dp.transform("box_sum", dp.clip_box(sample, box)))


PROGRAMS = {**CASES, "sampled sum": (sampled_sum, dp.REPLACE_ONE, dp.approx_dp(epsilon=1.0, delta=1e-6))}
ALLOCATE = composition.allocate


def max_of_parts(rule: str, parts: int, part: Callable[[int, Edits], Loss], e: Edits, **told: Any) -> Loss:
    """Parts by a rule at the price of the dearest one."""
    if rule not in ("rule_partition", "secret_labels"):
        return ALLOCATE(rule, parts, part, e, **told)
    return worst(*(part(i, e) for i in range(parts)))


def same_edit_sampled(rule: str, parts: int, part: Callable[[int, Edits], Loss], e: Edits, **told: Any) -> Loss:
    """A Poisson sample priced for a row that is sampled on one side only, not for one replaced inside it."""
    if rule != "secret_sample":
        return ALLOCATE(rule, parts, part, e, **told)
    return amplify(part(0, ADD), told["rate"] or 1.0)


def not_amplified_once(rule: str, parts: int, part: Callable[[int, Edits], Loss], e: Edits, **told: Any) -> Loss:
    """A sample amplified by the square of its rate."""
    return ALLOCATE(rule, parts, part, e, **{**told, "rate": told["rate"] and told["rate"] ** 2})


def one_item(loss: Loss, view: str) -> Loss:
    """A loop charged for one item that takes everything."""
    return loss


def one_path(self: Any, node: Any, operation: Any, e: Edits) -> Loss:
    """A recursion charged one branch a level, and no leaves (C5)."""
    body = self.body(node, "body")
    step = body.lineage_loss((), {first_input(body): (e,)})
    leaf = self.body(node, "leaf")
    leaf.lineage_loss((), {first_input(leaf): (e,)})
    total = ZERO
    for _ in range(operation.max_depth):
        total = compose(total, step)
    return total


def first_input(scope: Any) -> Ref:
    return Ref(scope.graph.inputs[0].name)


CONTROL = composition.Scope._control


def first_body(self: Any, node: Any, operation: Any, known: Any) -> Loss:
    """A branch charged for the body that is meant to run."""
    if not isinstance(operation, Branch):
        return CONTROL(self, node, operation, known)
    losses = [self.body(node, b).lineage_loss((), self._bound(node, b, known)) for b in node.bodies]
    return losses[1]


def without_delta(owner: type) -> tuple[Any, str, Any]:
    """δ of a mechanism's own tails is forgotten."""
    real = owner.loss  # type: ignore[attr-defined]
    return owner, "loss", lambda self, *a: attrs.evolve(real(self, *a), delta=0.0)


def charged(owner: type, change: Callable[[Loss], Loss]) -> tuple[Any, str, Any]:
    """A mechanism that charges something else than its theorem."""
    real = owner.loss  # type: ignore[attr-defined]
    return owner, "loss", lambda self, *a: change(real(self, *a))


def calibrated(owner: type, key: str, factor: float) -> tuple[Any, str, Any]:
    """A mechanism with ``factor`` of its noise, at the old price."""
    real = owner.calibrate  # type: ignore[attr-defined]

    def calibrate(self: Any, *arguments: Any) -> dict[str, Any]:
        found = real(self, *arguments)
        return {**found, key: found[key] * factor}

    return owner, "calibrate", calibrate


def at_price_of(owner: type, key: str, factor: float) -> list[tuple[Any, str, Any]]:
    real = owner.loss  # type: ignore[attr-defined]

    def loss(self: Any, calibration: Any, *rest: Any) -> Loss:
        return real(self, {**calibration, key: calibration[key] / factor}, *rest)  # type: ignore[no-any-return]

    return [calibrated(owner, key, factor), (owner, "loss", loss)]


def mapped(change: Callable[[Event], Event]) -> Callable[[Loss], Loss]:
    return lambda loss: attrs.evolve(loss, events=tuple((change(event), times) for event, times in loss.events))


def as_bounded_range(event: Event) -> Event:
    return BoundedRange(event.epsilon) if isinstance(event, (Pure, Laplace)) else event


def as_gdp(event: Event) -> Event:
    return Gaussian((2 * event.rho) ** 0.5) if hasattr(event, "rho") else event


# ------------------------------------------------------------------------------------- forged documents


def forged(attack: str) -> Callable[[], Document]:
    """A rightful certificate with one of the named attacks on it."""
    return functools.partial(_forge, attack)


def _forge(attack: str) -> Document:
    case, change, _ = ATTACKS[attack]
    document = copy.deepcopy(release(case)[0])
    change(document)
    return document


def rightful(case: str) -> Callable[[], Document]:
    return lambda: copy.deepcopy(release(case)[0])


def operation_by_path() -> Document:
    """A certificate that names a function of a module."""
    document = rightful("simple mean")()
    next(n for n in document["graph"]["nodes"] if n["name"] == "mean")["operation"] = "os:system"
    return document


def theorem_by_path() -> Document:
    document = rightful("simple mean")()
    document["graph"]["nodes"][-1]["theorem"] = "dpframe.proof.theorems.rows:_row_map"
    return document


def simulated() -> Document:
    document = rightful("simple mean")()
    document["simulated"] = True
    return document


FAULTS: list[tuple[Any, ...]] = [
    (
        "planned-max-of-parts",
        "parts by a rule: the dearest one",
        "metrics: declared",
        "partition by rule",
        [(composition, "allocate", max_of_parts)],
    ),
    (
        "planned-sample",
        "a sample priced for one edit",
        "",
        "sampled sum",
        [(composition, "allocate", same_edit_sampled)],
        "T9",
    ),
    (
        "planned-rate",
        "a sample amplified twice",
        "",
        "subsample",
        [(composition, "allocate", not_amplified_once)],
        "T9",
    ),
    (
        "planned-loop",
        "a loop priced as its one item",
        "",
        "for_each, zCDP view",
        [(composition, "fixed_total", one_item)],
        "T6",
    ),
    (
        "planned-recursion",
        "one branch a level, no leaves",
        "",
        "recurse",
        [(composition.Scope, "_division", one_path)],
        "C5",
    ),
    ("planned-branch", "a branch priced by one body", "", "branch", [(composition.Scope, "_control", first_body)]),
    ("planned-delta", "a histogram's δ forgotten", "", "histograms", [without_delta(StableHistogram)]),
    ("planned-test-delta", "a test's δ forgotten", "", "branch", [without_delta(TruncatedLaplaceTest)]),
    (
        "planned-half-noise",
        "half the noise at the full price",
        "",
        "simple mean",
        at_price_of(GaussianMechanism, "sigma", 0.5),
    ),
    (
        "planned-half-laplace",
        "half the Laplace noise",
        "",
        "for_each, pure",
        at_price_of(LaplaceMechanism, "scale", 0.5),
    ),
    ("planned-cut", "a test cut at half its width", "", "branch", at_price_of(TruncatedLaplaceTest, "half_width", 0.5)),
    (
        "planned-range",
        "permute-and-flip as bounded range",
        "",
        "asserted row map",
        [charged(PermuteAndFlip, mapped(as_bounded_range))],
    ),
    (
        "planned-discrete",
        "a discrete Gaussian as GDP",
        "",
        "asserted row map",
        [charged(DiscreteGaussianMechanism, mapped(as_gdp))],
    ),
]
FORGED: list[tuple[str, str, str]] = [
    ("forged-unclipped", "a bound declared for the table, the clip left out", "a bounded table"),
    ("forged-theorem", "a cheaper theorem is cited", "a cheaper theorem"),
    ("forged-adjacency", "replace-one sold as add/remove", "add/remove for replace-one"),
    ("forged-user", "a user of fewer rows", "a smaller user"),
    ("forged-index", "a rule called an index", "a rule called an index"),
    ("forged-test", "a value that exists only after a test, released without it", "a condition forgotten"),
    ("forged-stub", "a declared loss in place of a mechanism", "an operation that nothing declares"),
    ("forged-map", "an asserted row map called proved", "an asserted map called proved"),
]

MUTANTS = table(
    "verify",
    *(
        (name, fault, reason, planner(case, *faults), planner(case), *source)
        for name, fault, reason, case, faults, *source in FAULTS
    ),
    *((name, fault, "", forged(attack), rightful(ATTACKS[attack][0])) for name, fault, attack in FORGED),
    ("forged-module", "a certificate that names a module to call", "", operation_by_path, rightful("simple mean")),
    ("forged-theorem-path", "a certificate that names a theorem by path", "", theorem_by_path, rightful("simple mean")),
    ("forged-simulated", "a simulated run passed off as a release", "simulated", simulated, rightful("simple mean")),
)

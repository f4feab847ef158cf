"""Attacks on operations of plugins' own: what the kernel enforces, and what they assert.

A sensitivity is searched for worse neighbours in exact arithmetic; a loss is compared with a lower bound from samples
on neighbours, wrong with probability at most :data:`ALPHA` over all pairs and δ's of one report.
"""

from __future__ import annotations

import contextlib
import functools
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError, SpecError
from dpframe.kernel import registry
from dpframe.kernel.foreign import array_of, quiet
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Mechanism
from dpframe.kernel.own.base import find_own, shape_of, value_domain
from dpframe.kernel.owned import Own
from dpframe.proof.spaces import REPLACE_ONE, Counts, Rows, Table
from dpframe.testing.battery import attack_own_functions as own_functions
from dpframe.testing.battery import (
    metrics,
    own_inputs,
    own_law,
    own_links,
    own_parameters,
    own_sizes,
    own_tables,
    random_uses,
    sizes,
)
from dpframe.testing.battery.attack_exact import attack_statistic
from dpframe.testing.battery.attack_mechanisms import attack_mechanism
from dpframe.testing.battery.attack_own_queries import attack_query
from dpframe.testing.battery.attack_rows import attack_partition, attack_transform
from dpframe.testing.battery.case import Case, check_drawable
from dpframe.testing.battery.clocks import SLOW_CALL, seconds_of, spent
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.own_cases import own_cases, values_of
from dpframe.testing.battery.own_lattice import attack_lattice
from dpframe.testing.battery.own_samples import FAST, THOROUGH, audit_own, for_one_step
from dpframe.testing.battery.own_shapes import always_fails, misfit, never_fits
from dpframe.testing.battery.own_shared import attack_shared
from dpframe.testing.battery.reporting import VARIED, Report
from dpframe.testing.battery.stretched import stretches
from dpframe.testing.battery.worlds import Lost, elsewhere

MOST_NUMBERS = 64
"""Most numbers of a mechanism."""
MOST_CASES = {"query": 4}
"""Cases that are attacked; of others three."""
CLAIMS, FAILS = "claims ", "its claim fails: "
"""How errors of a plan begin, or what they say, where the claim is their reason."""
WITH_SEED = "it draws noise from a generator that it seeds itself: few streams, and"
BRIEF, WIDE, MOST_OWN = 0.2, (33, 9), 200
"""Seconds for each other choice of parameters; columns of wide tables, and at most by a number in the code."""


def check_own(name: str, *, thorough: bool = False, using: Sequence[Any] = ()) -> Report:
    """Attack an operation of a plugin's own.

    Parameters
    ----------
    name : str
    thorough : bool
        Search longer and draw more.
    using : sequence of (Operation, domains)
        As a plan uses it: attacked with these parameters on these inputs too, where they are small.
    """
    started, known = time.monotonic(), find_own(name)
    seconds = 25.0 if thorough else 0.7
    lab = Lab(np.random.default_rng(zlib.crc32(name.encode())), 60 if thorough else 8, seconds, 0.0, clock=spent)
    lab.ran("case")
    try:  # in forks: what a function keeps from one attack does not reach the next
        cases, found = elsewhere(lambda: _attacked(lab, known, using, thorough))
        for part, more in zip((lab.failures, lab.layers, lab.notes, lab.skipped), found, strict=True):
            part[:] = more  # type: ignore[index]
        if cases and not known.expressed:  # of a formula no code of the plugin's is left to attack
            _functions(lab, known, cases, thorough=thorough)
    except Lost as error:
        lab.lost(error)
    if not any(f.layer == "noise" for f in lab.failures):  # which says it already
        lab.notes += random_uses.noted(lab.failures, known.kind, known.function)
    seconds = time.monotonic() - started
    parts = (tuple(lab.failures), tuple(lab.layers), tuple(lab.notes), seconds, tuple(lab.skipped))
    return Report(name, known.kind, *parts)


def _attacked(lab: Lab, known: Own, using: Sequence[Any], thorough: bool) -> tuple[list[Case], list[list[Any]]]:
    """The cases, and what the attacks on one call found."""
    cases = [case for operation, domains in using for case in _used(known, operation, domains)]
    try:
        cases += [case for case in own_cases(known) if all(case.operation != c.operation for c in cases)]
    except SpecError as error:
        lab.note(f"{error.message}: give examples= to have it attacked by itself")
    if not cases:
        _missed(lab, known)
    for case in [] if _takes_long(lab, known, cases) else cases[: None if thorough else MOST_CASES.get(known.kind, 3)]:
        lab.deadline = spent() + lab.seconds / min(len(cases), 3)
        try:
            ATTACKS[known.kind](lab, case)
        except Exception as error:  # noqa: BLE001  it broke where no attack expected it to
            lab.fail("totality", f"raised {type(error).__name__}: {error}", case=case.text)
    if lab.failures and cases and known.kind == "mechanism" and (why := misfit(known)):
        lab.failures[0] = attrs.evolve(lab.failures[0], message=f"{why}; so {lab.failures[0].message}")
    if lab.failures and cases and _rounded(known, cases[0]):
        lab.note(
            "its values are rounded to whole numbers (bits=0): with bits=20 they are to 2^−20, and the claim is wider"
        )
    for case in [] if lab.failures or lab.skipped else _of_other_sizes(known, cases):
        own_law.attack_own_law(lab, case, 1.0, short=True)
    for case in [] if lab.failures or lab.skipped or known.kind != "mechanism" else own_law.of_other_inputs(cases):
        own_law.attack_own_law(lab, case, 1.0)
    claimed = known.operation not in own_functions.ROW_KINDS and not known.expressed
    done = lab.failures or lab.skipped or not cases or not claimed
    for other in [] if done else own_parameters.others(known, cases[0].operation):
        with contextlib.suppress(Exception):  # what breaks on other parameters is refused by a plan
            for case in own_cases(known, other)[: 2 if known.kind == "query" else 1]:
                _with_others(lab, case, cases[0].operation)
    return cases, [lab.failures, lab.layers, lab.notes, lab.skipped]


def _missed(lab: Lab, known: Own) -> None:
    """Say why nothing was found to attack: a failure where no plan could take it, or it never gives what it declares.

    Else it is only not attacked.
    """
    unmet, refused, unfit = _unmet(known), _refusal(known), misfit(known)
    claim = "loss" if known.kind == "mechanism" else "sensitivity"
    if unmet.startswith(CLAIMS) or (unmet and always_fails(known)):
        lab.fail(claim, f"no plan takes it: {'it ' * unmet.startswith(CLAIMS)}{unmet}")
    elif refused and always_fails(known):
        lab.fail(claim, refused)
    elif unfit and not refused and not unmet and never_fits(known):
        lab.ran("domain")
        lab.fail("domain", unfit)
    else:
        why = "no parameters and domains were found on which it works; give examples={...} to its decorator"
        lab.skip(refused or (f"no plan takes it: {unmet}" if unmet else "") or unfit or why)


def _with_others(lab: Lab, case: Case, told: Any) -> None:
    """With other parameters than those of the examples: what a claim says of them, in little time.

    What fails names those in which they differ from the ``told`` operation's.
    """
    before = len(lab.failures)
    _claimed(lab, case)
    words = own_parameters.varied(told.keywords, case.operation.keywords)  # type: ignore[attr-defined]
    lab.failures[before:] = [
        attrs.evolve(f, counterexample={**f.counterexample, VARIED: words}) for f in lab.failures[before:]
    ]


def _claimed(lab: Lab, case: Case) -> None:
    lab.deadline = spent() + BRIEF
    if case.operation.kind == "mechanism":
        own_law.attack_own_law(lab, case, BRIEF, short=True)
    elif case.operation.kind == "query":
        attack_query(lab, case)
    elif case.operation.name == "own_statistic":
        own_tables.attack_tables(lab, case, own_parameters.code_of(case.operation), BRIEF, brief=True)


def _takes_long(lab: Lab, known: Own, cases: list[Case]) -> bool:
    """Whether one release takes so long that its law, thousands of them, is not attacked; says so."""
    if known.kind != "mechanism" or not cases:
        return False
    operation, domain = cases[0].operation, cases[0].domains[0]
    exact = next(iter(own_law.neighbours(operation, domain, np.random.default_rng(0))))[1]  # type: ignore[arg-type]
    take = functools.partial(operation.release, exact, {"scale": 1.5}, domain, SeededSource(0))  # type: ignore[attr-defined]
    least = min(seconds_of(take), seconds_of(take))
    if least > SLOW_CALL:
        lab.skip(f"one release takes {least:.2g} s, and its law and samples are thousands of them: make it faster")
    return least > SLOW_CALL


def _rounded(known: Own, case: Case) -> bool:
    """Whether a statistic or query gives numbers that are not whole, and is rounded to whole ones."""
    if known.kind not in ("statistic", "query") or case.operation.parameters()["bits"]:
        return False
    heads = [_fractions(d) for d in case.domains[: case.private]]
    made = quiet(known.function, *heads, *own_inputs.params_of(case), **case.operation.keywords)  # type: ignore[attr-defined]
    found = array_of(made, shape_of(value_domain(case.operation)))
    return found is not None and bool((found != np.round(found)).any())


def _fractions(domain: Any) -> Any:
    """A private value of what fractions its domain has; of counts, the first few whole numbers."""
    if isinstance(domain, Counts):
        return np.arange(1.0, domain.m + 1.0)
    return np.full((2, domain.d) if isinstance(domain, Rows) else shape_of(domain), 0.25)


def _refusal(known: Own) -> str:
    """Why no plan takes a mechanism, where its claim fails, for very small or large noise, say; else empty."""
    if known.kind != "mechanism":
        return ""
    domain: Any = Table(2) if known.takes == "edits" else Counts(2)
    try:
        operation: Any = registry.build(known.name, {**known.examples, "share": 1.0})
        if known.takes == "edits":  # the three distances are asked for only where it does not fail
            operation.loss({"scale": 1.0}, (REPLACE_ONE,), domain)
        operation.calibrate(0.1, 0.0, own_law.units(operation, domain)[0], domain)
    except PlanError as error:
        return f"no plan takes it: {error}"
    except (SpecError, IndexError):
        return ""
    return ""


def _unmet(known: Own) -> str:
    """What a statistic or query claims that no plan takes, because its numbers can't be so, or how its claim fails."""
    if known.kind not in ("statistic", "query") or known.expressed or known.operation in own_functions.ROW_KINDS:
        return ""
    try:
        operation: Any = registry.build(known.name, known.examples)
    except SpecError:
        return ""
    rows = [(Rows(d), (REPLACE_ONE,)) for d in own_functions.columns_of(known)]
    values = [(domain, metrics.of_value(domain)) for domain in values_of(known, operation)]
    for domain, near in rows if known.kind == "statistic" else values:
        with contextlib.suppress(Exception):  # a search: what its claim does not take is left out
            try:
                metrics.rule(operation, (domain,), (near,))
            except PlanError as error:
                if error.message.startswith(CLAIMS) or FAILS in error.message:
                    return str(error)
    return ""


def _of_other_sizes(known: Own, cases: list[Case]) -> Iterator[Case]:
    """A mechanism for other numbers of values: for few, more draws can be enumerated."""
    for told in own_law.other_sizes(known, cases[0].operation) if known.kind == "mechanism" and cases else ():
        with contextlib.suppress(Exception):  # its parameters need not be such that they can be others
            yield from own_cases(known, registry.build(known.name, told))[:1]


def _functions(lab: Lab, known: Own, cases: list[Case], *, thorough: bool) -> None:
    """The function itself: sizes, pasts, other worlds."""
    seconds, first = (8.0 if thorough else 0.3), cases[0]
    if known.operation in own_functions.ROW_KINDS:
        own_functions.attack_row_function(lab, known, first.operation, thorough=thorough)
        if not lab.failures:
            others = own_parameters.others(known, first.operation)
            own_functions.attack_other_rows(lab, known, first.operation, others)
        return
    lab.ran("purity")
    if isinstance(first.domains[0], (Rows, Table)):
        values = own_tables.tables_of(first, (1, 5, 40, 300))
    else:
        numbers = [start for _, start in own_law.starts(known.function, MOST_NUMBERS)]
        values = own_functions.shaped(first, [*numbers[:4], np.arange(MOST_NUMBERS) * 7 - 3])
    own_functions.attack_past(lab, first, values, seconds)


def _used(known: Own, operation: Any, domains: Sequence[Any]) -> list[Case]:
    """The case of a plan; where its inputs are large or can't be drawn, smaller ones with its parameters."""
    case = Case(operation, tuple(domains))
    wide = [getattr(d, "d", int(np.prod(shape_of(d)))) for d in domains[: case.private]]
    return [case] if max(wide) <= MOST_NUMBERS and check_drawable(case) else own_cases(known, operation)[:1]


def _attack_mechanism(lab: Lab, case: Case) -> None:
    """The claim grows with distance and falls with noise; releases are of the domain; its law; samples of the rest."""
    operation: Mechanism = case.operation  # type: ignore[assignment]
    name: str = operation.known.name  # type: ignore[attr-defined]
    if _stretches(operation, case.domains[0]):
        where = random_uses.words("mechanism", operation.known.function)  # type: ignore[attr-defined]
        lab.fail(
            "noise",
            f"{where + ': such noise has' if where else WITH_SEED} no exact law",
            case=case.text,
        )
        return
    wholly: set[str] = set()
    if "law" not in lab.layers:
        wholly = own_law.attack_own_law(lab, case, 8.0 if lab.trials >= 60 else 1.0)
    if not isinstance(case.domains[0], Table):
        attack_mechanism(lab, case)
    if "sampled" in lab.layers or lab.failures:  # once an operation: it draws thousands of releases
        return
    lab.ran("loss", "sampled")
    words, shown = own_links.attack_links(operation.known, operation, for_one_step, lab.seconds)  # type: ignore[attr-defined]
    if not words and not isinstance(case.domains[0], Table):
        words, shown = attack_lattice(operation, case.domains[0])
        if not words:
            words, shown = attack_shared(operation.known, operation, case.domains[0])  # type: ignore[attr-defined]
    if words:
        lab.fail("sampled", words, **shown)
        return
    few = own_sizes.attack_sizes(operation.known, operation)  # type: ignore[attr-defined]
    few = few or own_sizes.attack_price(operation, case.domains[0])
    rest = [few] if few else audit_own(name, samples=FAST if lab.trials < 60 else THOROUGH, given=[case], known=wholly)
    for finding in rest:
        if finding.refuted:
            lab.fail(
                "sampled",
                f"it loses at least ε = {finding.found:.3f} at δ = {finding.delta:g}, and claims {finding.claimed:.3f}",
                case=case.text,
                neighbours=finding.case,
                event=finding.event,
            )


def _stretches(operation: Any, domain: Any) -> bool:
    """Whether it stretches words of the source by a generator of its own."""
    exact = next(iter(own_law.neighbours(operation, domain, np.random.default_rng(0))))[1]
    return stretches(lambda seed: operation.release(exact, {"scale": 1.5}, domain, SeededSource(seed)))


def _attack_statistic(lab: Lab, case: Case) -> None:
    attack_statistic(lab, case)
    if case.operation.name != "own_statistic":  # a formula has no function
        return
    code = own_parameters.code_of(case.operation)
    own_tables.attack_tables(lab, case, code, lab.seconds)
    own = [int(c) + 1 for c in sizes.constants(code) if WIDE[0] <= c < MOST_OWN][:1]
    for wide in [] if lab.failures else (*WIDE, *own):
        other = attrs.evolve(case, domains=(Rows(wide), *case.domains[1:]))
        if own_functions.works(case.operation.known, other):  # type: ignore[attr-defined]
            own_tables.attack_tables(lab, other, code, BRIEF / 2, brief=True)


ATTACKS: Mapping[str, Callable[[Lab, Case], None]] = {
    "statistic": _attack_statistic,
    "transform": attack_transform,
    "partition": attack_partition,
    "query": attack_query,
    "mechanism": _attack_mechanism,
}

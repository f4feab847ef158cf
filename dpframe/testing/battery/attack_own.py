"""Attacks on operations of plugins' own: what the kernel enforces, and what they assert.

A sensitivity is searched for worse neighbours in exact arithmetic; a loss is compared with a lower bound from samples
on neighbours, wrong with probability at most :data:`ALPHA` over all pairs and δ's of one report.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dpframe.errors import PlanError, SpecError
from dpframe.kernel import registry
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.own.base import array_of, find_own, quiet, shape_of, value_domain
from dpframe.kernel.owned import Own
from dpframe.proof.losses import tightest_epsilon
from dpframe.proof.roots import boundary, geometric
from dpframe.proof.spaces import Counts, Index, Rows, Table
from dpframe.proof.theorems import Metrics
from dpframe.runtime.progress import Progress
from dpframe.testing.battery import attack_own_functions as own_functions
from dpframe.testing.battery import own_inputs, own_law, own_links
from dpframe.testing.battery.attack_exact import attack_statistic
from dpframe.testing.battery.attack_mechanisms import attack_mechanism
from dpframe.testing.battery.attack_own_queries import attack_query
from dpframe.testing.battery.attack_row_maps import uses_of
from dpframe.testing.battery.attack_rows import attack_partition, attack_transform
from dpframe.testing.battery.cases import Case, check_drawable
from dpframe.testing.battery.clocks import SLOW_CALL, seconds_of, spent
from dpframe.testing.battery.findings import Finding
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.own_lattice import attack_lattice
from dpframe.testing.battery.reporting import Report
from dpframe.testing.battery.stock import releases
from dpframe.testing.battery.worlds import Lost, elsewhere
from dpframe.testing.estimation import ALPHA, CHOICE, Event, choose, distinct
from dpframe.testing.limits import epsilon_bound

CLAIMED, DELTAS = 1.0, (1e-3,)
FAST, THOROUGH = 4_000, 40_000
"""Releases on each side of the pairs of neighbours that look worst."""
ROUNDS = ((100, None), (500, 24), (3_000, 6))
"""How those are found: so many releases of every pair, then so many more of the pairs that promise most."""
CHOSEN, MOST_NUMBERS = 2, 64
EVENTS, LIKELY = 4, 0.1
"""Events that are counted on fresh releases of a pair, for each δ; at this confidence some of them promise most."""
DOUBTFUL, EVEN, MORE = 1.1, 1.0, 20
"""Where, at even odds, so many times the claim is shown, so many times the releases are drawn anew to decide it."""
STILL = 3
"""Pairs of neighbours that are sampled though their laws are known: a function may keep what it drew."""
MOST_VALUES = 4
"""Numbers of values that a query is tried on."""
WIDTHS = (2, 1, 3, 4, 5, 8)
"""Columns of the tables that are tried."""


def own_cases(known: Own, operation: Any = None) -> list[Case]:
    """An operation, with its examples' parameters or its defaults if not given, on input domains that it accepts.

    Raises
    ------
    SpecError
        Where a parameter has neither.
    """
    extra = {"share": 1.0} if known.kind == "mechanism" else {}
    operation = registry.build(known.name, {**known.examples, **extra}) if operation is None else operation
    if known.kind == "mechanism":
        domains: list[Any] = [Table(d) for d in WIDTHS] if known.takes == "edits" else _values(known, operation)
        return [Case(operation, (d,)) for d in domains if accepted_mechanism(operation, d)]
    if known.kind == "query":
        return [*itertools.islice(own_inputs.query_cases(known, operation, _values(known, operation)), MOST_VALUES)]
    if known.expressed:
        return [Case(operation, own_functions.expressed_domains(operation.formula))]
    if known.operation in own_functions.ROW_KINDS:
        uses = uses_of(own_functions.row_function(known, operation), own_inputs.inputs_of(known.function))
        return [Case(operation, (Rows(use.d),)) for use in uses][:2]
    tables = own_inputs.table_cases(known, operation, own_functions.columns_of(known))
    return [*itertools.islice((case for case in tables if own_functions.works(known, case)), 2)]


def _values(known: Own, operation: Any) -> list[Any]:
    """Domains of values it may be made for: as many numbers as a parameter says, or a few."""
    made = shape_of_index(operation)
    counts = dict.fromkeys([*made, *(v for v in operation.keywords.values() if isinstance(v, int)), 8, 3, 2, 1])
    return [Counts(m) for m in counts if 0 < m <= 64]


def shape_of_index(operation: Any) -> list[int]:
    """Numbers in what it releases: mostly as many as go in."""
    domain = value_domain(operation)
    return [domain.m] if isinstance(domain, Index) else [int(np.prod(shape_of(domain)))]


def accepted_mechanism(operation: Mechanism, domain: Any) -> bool:
    """Whether it takes these values, and releases more than its answer to an error."""
    try:
        unit = own_law.units(operation, domain)[0]
        calibration = operation.calibrate(0.1, 0.0, unit, domain)
        exact = next(iter(own_law.neighbours(operation, domain, np.random.default_rng(0))))[1]
        known: Own = operation.known  # type: ignore[attr-defined]
        from dpframe.kernel.own.sampler import Sampler

        value = np.array(exact.integers)
        made = known.function(value, calibration["scale"], Sampler(SeededSource(0)), **operation.keywords)  # type: ignore[attr-defined]
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  a search: what it does not take is left out
        return False
    wanted = value_domain(operation)
    return isinstance(wanted, Index) or np.shape(made) == shape_of(wanted)


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
        why = "no parameters and domains were found on which it works; give examples={...} to its decorator"
        lab.skip(_refusal(known) or why)
    for case in [] if _takes_long(lab, known, cases) else cases[: None if thorough else 3]:
        lab.deadline = spent() + lab.seconds / min(len(cases), 3)
        try:
            ATTACKS[known.kind](lab, case)
        except Exception as error:  # noqa: BLE001  it broke where no attack expected it to
            lab.fail("totality", f"raised {type(error).__name__}: {error}", case=case.text)
    if lab.failures and cases and _rounded(known, cases[0]):
        lab.note(
            "its values are rounded to whole numbers (bits=0): with bits=20 they are to 2^−20, and the claim is wider"
        )
    for case in [] if lab.failures or lab.skipped else _of_other_sizes(known, cases):
        own_law.attack_own_law(lab, case, 1.0, short=True)
    for case in [] if lab.failures or lab.skipped or known.kind != "mechanism" else own_law.of_other_inputs(cases):
        own_law.attack_own_law(lab, case, 1.0)
    return cases, [lab.failures, lab.layers, lab.notes, lab.skipped]


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
    heads = [np.full((2, d.d) if isinstance(d, Rows) else shape_of(d), 0.25) for d in case.domains[: case.private]]
    made = quiet(known.function, *heads, *own_inputs.params_of(case), **case.operation.keywords)  # type: ignore[attr-defined]
    found = array_of(made, shape_of(value_domain(case.operation)))
    return found is not None and bool((found != np.round(found)).any())


def _refusal(known: Own) -> str:
    """Why no plan takes a mechanism, where its claim fails for very small or large noise; empty if it does not."""
    if known.kind != "mechanism":
        return ""
    domain: Any = Table(2) if known.takes == "edits" else Counts(2)
    try:
        operation: Any = registry.build(known.name, {**known.examples, "share": 1.0})
        operation.calibrate(0.1, 0.0, own_law.units(operation, domain)[0], domain)
    except PlanError as error:
        return f"no plan takes it: {error}"
    except (SpecError, IndexError):
        return ""
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
        return
    lab.ran("purity")
    if isinstance(first.domains[0], (Rows, Table)):
        values = own_functions.tables_of(first, (1, 5, 40, 300))
    else:
        numbers = [start for _, start in own_law.starts(known.function, MOST_NUMBERS)]
        values = own_functions.shaped(first, [*numbers[:4], np.arange(MOST_NUMBERS) * 7 - 3])
    own_functions.attack_past(lab, first, values, seconds)


def _used(known: Own, operation: Any, domains: Sequence[Any]) -> list[Case]:
    """The case of a plan; where its inputs are large or can't be drawn, smaller ones with its parameters."""
    case = Case(operation, tuple(domains))
    wide = [getattr(d, "d", int(np.prod(shape_of(d)))) for d in domains[: case.private]]
    return [case] if max(wide) <= MOST_NUMBERS and check_drawable(case) else own_cases(known, operation)[:1]


# ----------------------------------------------------------------------------------------- mechanisms


def audit_own(
    name: str,
    *,
    samples: int = THOROUGH,
    seed: int = 0,
    alpha: float = ALPHA,
    given: Sequence[Case] = (),
    known: Collection[str] = (),
    progress: Progress | None = None,
) -> list[Finding]:
    """A lower bound on the real loss of a mechanism of one's own against what its plugin says, on its worst pairs.

    A few releases of every pair choose those; what is reported comes from fresh ones, ``samples`` on each side, and
    :data:`MORE` times as many drawn anew where those suggest more than is claimed; alpha is of all these together.
    Of pairs whose exact laws are ``known`` only the first few are sampled.

    Raises
    ------
    SpecError
        For what is no mechanism, or no domain on which it works.
    """
    own = find_own(name)
    if own.kind != "mechanism":
        raise SpecError(f"{name!r} is a {own.kind}, and only mechanisms release anything", fix="use dpframe check")
    cases = [*given, *own_cases(own)][:1]
    if not cases:
        raise SpecError(f"no parameters and values were found on which {name!r} works", fix="give it examples={...}")
    operation: Mechanism = cases[0].operation  # type: ignore[assignment]
    domain = cases[0].domains[0]
    near = [*own_law.neighbours(operation, domain, np.random.default_rng(seed))]
    pairs = [pair for i, pair in enumerate(near) if i < STILL or pair[0] not in known]
    pairs += own_law.far_apart(operation, domain)
    source, watch = SeededSource(seed), progress or Progress(None, shown=False)
    watch.say(f"auditing {name}: {len(pairs)} pairs of neighbours, {samples:,} releases on each of the worst")

    sides: dict[int, tuple[Any, Any]] = {}
    rank, kept = dict[int, float](), [*range(len(pairs))]
    for at, (times, most) in enumerate(ROUNDS):
        kept = sorted(kept, key=lambda i: rank.get(i, 0.0))[:most]
        for i in kept:
            watch.show(f"round {at + 1}: pair {i + 1} of {len(pairs)} ")
            new = _sides(operation, domain, pairs[i], times, source.child(f"round {at} {i}"))
            sides[i] = new if i not in sides else _joined(sides[i], new)
            asked = [(delta, LIKELY, CHOICE) for delta in DELTAS]
            promised = [e.found for found in choose(*sides[i], asked, fresh=samples) for e in found]
            rank[i] = _claimed(operation, domain, pairs[i])[0] - max(promised, default=0.0)
    out = []
    for i in sorted(kept, key=rank.__getitem__)[:CHOSEN]:
        asks = ([(delta, level, CHOICE) for delta in DELTAS] for level in (alpha, LIKELY))
        sure, likely = (choose(*sides[i], asked, fresh=samples) for asked in asks)
        events = [distinct([*one, *other], EVENTS) for one, other in zip(sure, likely, strict=True)]
        for times in (samples, MORE * samples):
            fresh = _sides(operation, domain, pairs[i], times, source.child(f"{times} {i}"))
            findings, doubtful = _findings(operation, domain, pairs[i], events, fresh, alpha / (2 * CHOSEN))
            if not doubtful or any(f.refuted for f in findings):
                break
        out += findings
        if any(f.refuted for f in findings):
            break
    watch.end()
    return out


def _sides(operation: Mechanism, domain: Any, pair: own_law.Neighbours, times: int, source: Any) -> tuple[Any, Any]:
    """Releases on both neighbours, as features."""
    _, first, second, met = pair
    calibration = _calibrated(operation, met, domain)
    one, two = (
        _sampled(operation, exact, calibration, domain, source.child(side), times)
        for side, exact in (("a", first), ("b", second))
    )
    return one, two


def _joined(old: tuple[Any, Any], new: tuple[Any, Any]) -> tuple[Any, Any]:
    return np.concatenate([old[0], new[0]]), np.concatenate([old[1], new[1]])


def _claimed(operation: Mechanism, domain: Any, pair: own_law.Neighbours) -> list[float]:
    """The ε that it claims for these neighbours at each δ, with the noise that they are tried with."""
    met = pair[3]
    loss = operation.loss(_calibrated(operation, met, domain), met, domain)
    return [tightest_epsilon(loss, delta)[0] for delta in DELTAS]


def _findings(
    operation: Mechanism,
    domain: Any,
    pair: own_law.Neighbours,
    events: Sequence[Sequence[Event]],
    fresh: tuple[Any, Any],
    alpha: float,
) -> tuple[list[Finding], bool]:
    """What the events, chosen on earlier releases, show on fresh ones: above the truth with probability alpha.

    And whether some of them shows, at even odds, enough more than is claimed to be worth more releases.
    """
    name: str = operation.known.name  # type: ignore[attr-defined]
    out, doubtful = [], False
    for delta, claimed, some in zip(DELTAS, _claimed(operation, domain, pair), events, strict=True):
        best, times = (0.0, "none"), len(fresh[0])
        for event in some:
            hits = [int(event.holds(side).sum()) for side in fresh[:: -1 if event.turned else 1]]
            sure, even = (
                float(epsilon_bound(hits[0], hits[1], (times, times), delta, share))
                for share in (alpha / (len(DELTAS) * len(some)), EVEN)
            )
            best = max(best, (sure, event.name))
            doubtful = doubtful or even > DOUBTFUL * claimed
        out.append(Finding(name, pair[0], delta, claimed, *best, times))
    return out, doubtful


def _calibrated(operation: Mechanism, met: Metrics, domain: Any) -> dict[str, Any]:
    """Noise whose claim is about ε = 1, or the only one there is."""

    def claim(scale: float) -> float:
        return tightest_epsilon(operation.loss({"scale": scale}, met, domain), DELTAS[0])[0]

    low, high = 2.0**-20, 2.0**20
    if not claim(high) <= CLAIMED < claim(low):
        return {"scale": 1.0}
    return {"scale": boundary(lambda s: claim(s) <= CLAIMED, high, low, steps=40, middle=geometric)[0]}


def _for_one_step(operation: Mechanism, domain: Any) -> tuple[dict[str, Any], float]:
    """Noise whose claim is about ε = 1 for one number that moves by a step, and that claim."""
    pair = next(iter(own_law.neighbours(operation, domain, np.random.default_rng(0))))
    return _calibrated(operation, pair[3], domain), _claimed(operation, domain, pair)[0]


def _sampled(
    operation: Mechanism, exact: Exact, calibration: Mapping[str, Any], domain: Any, source: Any, times: int
) -> Any:
    """Releases as features: numbers, and which index it is."""
    found = releases(operation, exact, calibration, domain, source, times)
    table = np.array([np.ravel(np.asarray(v, dtype=np.float64)) for v in found])
    made = value_domain(operation)
    if isinstance(made, Index) and made.m <= 64:
        return np.column_stack([table, table == np.arange(made.m)])
    return table


def _attack_mechanism(lab: Lab, case: Case) -> None:
    """The claim grows with distance and falls with noise; releases are of the domain; its law; samples of the rest."""
    operation: Mechanism = case.operation  # type: ignore[assignment]
    name: str = operation.known.name  # type: ignore[attr-defined]
    wholly: set[str] = set()
    if "law" not in lab.layers:
        wholly = own_law.attack_own_law(lab, case, 8.0 if lab.trials >= 60 else 1.0)
    if not isinstance(case.domains[0], Table):
        attack_mechanism(lab, case)
    if "sampled" in lab.layers or lab.failures:  # once an operation: it draws thousands of releases
        return
    lab.ran("loss", "sampled")
    words, shown = own_links.attack_links(operation.known, operation, _for_one_step, lab.seconds)  # type: ignore[attr-defined]
    if not words and not isinstance(case.domains[0], Table):
        words, shown = attack_lattice(operation, case.domains[0])
    if words:
        lab.fail("sampled", words, **shown)
        return
    for finding in audit_own(name, samples=FAST if lab.trials < 60 else THOROUGH, given=[case], known=wholly):
        if finding.refuted:
            lab.fail(
                "sampled",
                f"it loses at least ε = {finding.found:.3f} at δ = {finding.delta:g}, and claims {finding.claimed:.3f}",
                case=case.text,
                neighbours=finding.case,
                event=finding.event,
            )


def _attack_statistic(lab: Lab, case: Case) -> None:
    attack_statistic(lab, case)
    if case.operation.name == "own_statistic":
        own_functions.attack_tables(lab, case, case.operation.known.function, lab.seconds)  # type: ignore[attr-defined]


ATTACKS: Mapping[str, Callable[[Lab, Case], None]] = {
    "statistic": _attack_statistic,
    "transform": attack_transform,
    "partition": attack_partition,
    "query": attack_query,
    "mechanism": _attack_mechanism,
}

"""Attacks on post-processing: pure, inputs left alone, a value of the declared domain or a reasoned failure."""

from __future__ import annotations

import copy
import functools
import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.post_processing import Failed, Post
from dpframe.proof.spaces import Array, Counts, Domain, Flag, Index, Record, Symmetric, Vector
from dpframe.testing.battery import clocks, derived, memos, pasts, sizes
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.cases import made_by_others
from dpframe.testing.battery.endless import Calls, TooLong, size_of
from dpframe.testing.battery.lab import Crash, Lab, call, fingerprint
from dpframe.testing.battery.values import draw
from dpframe.testing.battery.worlds import Lost, elsewhere

FACTORS = (1.0, 0.0, -1.0, 10.0, 1e-3, 1e3)
"""What recorded releases are multiplied with: noise may be far larger than the signal."""
SLOW = "with inputs of all sizes, for a call takes long"
ATTRIBUTE = AttributeError.__name__
BESIDE = (0.0, -1.0, -0.5, 0.5, 1.0)
MOST_OF_ONE, MOST_TOGETHER = 0.02, 0.2
"""Seconds of the probes of a quick post, and of those that share forks."""
SMALL = 400
"""Whole numbers up to which each is tried."""
MOST_NUMBER, MOST_NUMBERS = 1e9, 16
"""How large numbers of the code are that are tried, and how many of them."""


_Asked = tuple[tuple[Any, ...], tuple[float, ...]]
"""Values, and their noise."""


def attack_post(lab: Lab, case: Case) -> None:
    """Purity, totality, domain."""
    operation, calls, waiting = case.operation, Calls(trying=True), list[_Asked]()
    lab.ran("purity", "totality", "domain")
    tries = itertools.chain((_values(lab, case, i) for i in lab.rounds(2 * lab.trials)), _at_numbers(lab, case))
    for tried in tries:
        values = tried
        noise = case.noise or (float(lab.rng.choice([0.0, 1.0, 30.0])),) * _levels(operation, values)  # type: ignore[arg-type]
        try:
            found = _finding(case, values, noise, calls)
        except TooLong:
            waiting.append((values, noise))
            if calls.quick < 0:
                continue
        if waiting:
            break
        if found is not None and made_by_others(case) and ATTRIBUTE in found[1]:
            lab.note(f"not attacked on {case.text}: the record that was found for it is another's")
            return
        if found is not None:
            layer = found[0]
            values = _simplest(case, values, functools.partial(_same_layer, case, noise, layer, calls))
            again = _finding(case, values, noise, calls) or found
            lab.fail(layer, again[1], **_shown(case, values, noise))
            return
    if waiting:
        _endless(lab, case, waiting[0], calls)


def _at_numbers(lab: Lab, case: Case) -> Iterator[tuple[Any, ...]]:
    """Released arrays at, beside and between the numbers of its code: in all their places, and in the first alone."""
    methods = [getattr(type(case.operation), name) for name in ("apply", "apply_noisy")]
    own = sorted({x for method in methods for x in sizes.numbers(method, MOST_NUMBER)}, key=abs)[:MOST_NUMBERS]
    points = [x + by for x in own for by in BESIDE] + [(a + b) / 2 for a, b in itertools.pairwise(sorted(own))]
    points += [*derived.wholes(own), *range(SMALL)] if len(own) else []
    base = _values(lab, case, 0)
    for x in dict.fromkeys(points):
        for i, domain in enumerate(case.domains):
            if isinstance(domain, (Vector, Array, Counts)) and np.size(base[i]) and not lab.late:
                array = np.asarray(base[i], dtype=np.float64)
                for other in (np.full_like(array, x), _with(array, 0, x)):
                    yield (*copy.deepcopy(base[:i]), other, *copy.deepcopy(base[i + 1 :]))


def attack_past(lab: Lab, cases: Sequence[Case], *, brief: bool, seconds: float = 0.2) -> None:
    """The same released values, with any past and in any world: the same result."""
    probes, past = _asked(lab, cases)
    if probes:
        history = [("after other values", past)]
        pasts.attack(
            lab, _answer, probes, history, seconds=seconds, brief=brief, often=brief, private=False, label=_labelled
        )


def attack_pasts(lab: Lab, every: Mapping[str, Sequence[Case]], *, seconds: float = 0.05) -> frozenset[str]:
    """Quick posts that ship with dpframe, many in each fork; the names of those of which nothing was found.

    A probe of several posts is one of each. What is found of some together is looked for in each of them alone.
    """
    asked = {name: _asked(lab, cases) for name, cases in every.items()}
    try:  # in a fork: what is asked here would be known in all of them
        took = elsewhere(lambda: {name: _spent_on(probes) for name, (probes, _) in asked.items() if probes})
    except Lost:
        return frozenset()
    held = frozenset[str]()
    for names in _parted({name: spent for name, spent in took.items() if spent <= MOST_OF_ONE}):
        tried = attrs.evolve(lab, failures=[], skipped=[], notes=[])
        both = ([asked[name][i] for name in names] for i in (0, 1))
        probes, past = ([list(some) for some in itertools.zip_longest(*each)] for each in both)
        most = seconds * len(names)
        history = [("after other values", past)]
        pasts.attack(tried, _answers, probes, history, seconds=most, brief=True, often=True, private=False)
        held |= frozenset(() if tried.failures or tried.skipped else names)
    return held


def _parted(took: Mapping[str, float]) -> Iterator[list[str]]:
    """The names in turn, in lists that do not take longer than is asked often."""
    names, spent = list[str](), 0.0
    for name, seconds in took.items():
        if names and spent + seconds > MOST_TOGETHER:
            yield names
            names, spent = [], 0.0
        names.append(name)
        spent += seconds
    if names:
        yield names


def _spent_on(probes: Sequence[Any]) -> float:
    """Seconds of the probes, or of so many of them that these are too many."""
    begin = clocks.spent()
    for probe in probes:
        pasts.answers(_answer, [probe])
        if clocks.spent() - begin > MOST_OF_ONE:
            break
    return clocks.spent() - begin


def _asked(lab: Lab, cases: Sequence[Case]) -> tuple[list[Any], list[Any]]:
    """Released values with their cases and noise: what is compared, and what is asked before."""
    probes, past = list[Any](), list[Any]()
    for case in cases:
        try:
            made, earlier = ([_values(lab, case, i) for i in some] for some in ((0, 1, 2), (3, 5, 1) * 3))
        except DpframeError as error:  # a record of this name that was made of another post's
            lab.note(f"its past was not attacked with {case.text}: {error}")
            continue
        for values in made:
            noise = case.noise or (1.0,) * _levels(case.operation, values)  # type: ignore[arg-type]
            probes.append((case, values, noise))
        past += [(case, values, probes[-1][2]) for values in earlier]
        near = (zip(*map(memos.alike, values), strict=False) for values in made[:2])
        past += [(case, values, probes[-1][2]) for values in itertools.chain.from_iterable(near)]
    return probes, past


def _labelled(probe: Any) -> dict[str, Any]:
    return _shown(*probe)


def _answer(probe: Any) -> Any:
    case, values, noise = probe
    with np.errstate(all="ignore"):
        return case.operation.apply_noisy(copy.deepcopy(values), noise)


def _answers(probes: Sequence[Any]) -> list[bytes]:
    return pasts.answers(_answer, [probe for probe in probes if probe is not None])


def drawn(case: Case, times: int = 3) -> Iterator[tuple[tuple[Any, ...], tuple[float, ...]]]:
    """Released values and their noise, the same each time."""
    lab = Lab(np.random.default_rng(0), times, 1.0, time.process_time() + 1.0)
    for i in range(times):
        values = _values(lab, case, i)
        yield values, case.noise or (1.0,) * _levels(case.operation, values)  # type: ignore[arg-type]


def _endless(lab: Lab, case: Case, asked: _Asked, calls: Calls) -> None:
    """It had no answer to these values soon: whether it ever has, once others are known to which it has.

    Simple values stand in their place, where it has no answer to them either.
    """
    values, noise = asked
    simple = [_filled(values, x) for x in (0.0, 1e3, 1.0, -1e3)]
    slow = []
    for other in simple:
        try:
            _finding(case, other, noise, calls)
        except TooLong:
            slow.append(other)
            break
    calls.trying = False
    for other in (*slow[:1], values):
        try:
            found = _finding(case, other, noise, calls)
        except TooLong as error:
            if error.surely:
                lab.fail("totality", str(error), **_shown(case, other, noise))
            else:
                lab.skip(f"{SLOW}: {error}")
            return
        if found is not None:
            lab.fail(*found, **_shown(case, other, noise))
            return
    lab.skip(SLOW)


def _filled(values: tuple[Any, ...], x: float) -> tuple[Any, ...]:
    """One number in all places of all arrays."""
    return tuple(np.full_like(v, x, dtype=np.float64) if isinstance(v, np.ndarray) else v for v in values)


def _same_layer(case: Case, noise: tuple[float, ...], layer: str, calls: Calls, values: tuple[Any, ...]) -> bool:
    try:
        found = _finding(case, values, noise, calls)
    except TooLong:
        return False
    return found is not None and found[0] == layer


def _finding(case: Case, values: tuple[Any, ...], noise: tuple[float, ...], calls: Calls) -> tuple[str, str] | None:
    """What goes wrong on these inputs: the layer, and the words.

    Raises
    ------
    TooLong
    """
    operation: Post = case.operation  # type: ignore[assignment]
    given = copy.deepcopy(values)
    told = functools.partial(_shown, case, values, noise)
    ask = functools.partial(calls.ask, call, size=size_of(values), shown=told)
    try:
        result = ask(operation.apply_noisy, given, noise)
        again = ask(operation.apply_noisy, copy.deepcopy(values), noise)
    except Crash as error:
        return "totality", f"gave {error}"
    if fingerprint(list(given)) != fingerprint(list(values)):
        return "purity", "a post changes its inputs"
    if fingerprint(result) != fingerprint(again):
        return "purity", "the same inputs give another result the second time"
    domain = ask(operation.output, *case.domains)  # which calls a function for the shape
    problem = _problem(result, domain)
    return ("domain", problem) if problem else None


def _simplest(case: Case, values: tuple[Any, ...], fails: Callable[[tuple[Any, ...]], bool]) -> tuple[Any, ...]:
    """The same finding on simpler numbers: zeros and ones where they do, entry by entry."""
    best = values
    for i, domain in enumerate(case.domains):
        if not isinstance(domain, (Vector, Array, Counts, Symmetric)):
            continue
        array = np.asarray(best[i], dtype=np.float64)
        for other in (np.zeros_like(array), np.ones_like(array), np.round(array)):
            best = _if_simpler(best, i, other, fails)
        for at in range(min(array.size, MOST_ENTRIES)):
            for x in (0.0, 1.0):
                best = _if_simpler(best, i, _with(np.asarray(best[i], dtype=np.float64), at, x), fails)
    return best


MOST_ENTRIES = 64


def _if_simpler(best: tuple[Any, ...], i: int, other: Any, fails: Callable[[tuple[Any, ...]], bool]) -> tuple[Any, ...]:
    """The inputs with another i-th one, if that is shorter to write and still fails."""
    if _simple(other) >= _simple(best[i]):
        return best
    candidate = (*best[:i], other, *best[i + 1 :])
    return candidate if fails(candidate) else best


def _with(array: Any, at: int, x: float) -> Any:
    changed = array.copy()
    changed.flat[at] = x
    return changed


def _simple(array: Any) -> int:
    """Characters it takes to write the numbers down."""
    return len(str(np.asarray(array).tolist()))


def _levels(operation: Post, values: Sequence[Any]) -> int:
    return len(values) + len(operation.told())


def _problem(result: Any, domain: Domain) -> str:
    if isinstance(result, Failed):
        return "" if result.reason and result.advice else "a failure must give a reason and an advice"
    try:
        call(domain.check, result)
    except Crash as error:
        return f"the result is not in {domain}: {error}"
    return ""


def _values(lab: Lab, case: Case, i: int) -> tuple[Any, ...]:
    if case.values is None:
        drawn = lab.params(case, i)
        return tuple(_level(v) if i % 5 == 4 else v for v in drawn)
    factor = FACTORS[i % len(FACTORS)]
    varied = (_varied(lab, d, v, factor) for d, v in zip(case.domains, case.values, strict=True))
    return tuple(0 if v is None and j in case.chosen else v for j, v in enumerate(varied))


def _level(value: Any) -> Any:
    """The same number in all places of a vector, where ties and zero spreads are."""
    return np.full_like(value, value[0]) if isinstance(value, np.ndarray) and value.ndim == 1 and len(value) else value


def _varied(lab: Lab, domain: Domain, value: Any, factor: float) -> Any:
    """A recorded release with more noise, or with other numbers; records are left as they were made."""
    if isinstance(domain, Record) or factor == 1.0:
        return copy.deepcopy(value)
    if isinstance(domain, (Index, Flag)):
        return draw(domain, lab.rng)
    if isinstance(domain, (Vector, Array, Counts, Symmetric)):
        numbers = np.asarray(value, dtype=np.float64) * factor
        if lab.rng.random() < 0.5:
            numbers = numbers + np.asarray(draw(domain, lab.rng, float(np.abs(numbers).mean())))
        return numbers
    return copy.deepcopy(value)


def _shown(case: Case, values: Sequence[Any], noise: Sequence[float]) -> dict[str, Any]:
    names = [s.name for s in case.slots]
    shown = {
        f"{name}[{i}]" if names.count(name) > 1 else name: v
        for i, (name, v) in enumerate(zip(names, values, strict=True))
    }
    return {"case": case.text, **shown, "noise": list(noise)}

"""Cases of an operation: parameters and input domains that it accepts, found without any further file.

Three places are looked at, in this order: the class's own ``examples()`` or ours; the released values of a simulated
run of shipped specs (for posts, whose records nobody else can make); and a search over small parameters and domains.

Examples
--------
>>> from dpframe.kernel.registry import operations
>>> first = cases_of(operations()["clip_ball"])[0]
>>> first.operation, first.domains
(ClipBall(bits=20), (Rows(d=2, bound='any'), Ball(d=2)))
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DomainError, DpframeError
from dpframe.kernel.operations import Mechanism, Operation, Slot
from dpframe.kernel.post_processing import Failed, Post
from dpframe.kernel.registry import operations
from dpframe.proof.spaces import Domain, Kind, Record
from dpframe.testing.battery import learners
from dpframe.testing.battery.case import Case, accepted, private_domains, released_domains
from dpframe.testing.battery.kernel_examples import examples_of
from dpframe.testing.battery.traces import traced
from dpframe.testing.battery.values import RECORDS, draw

MOST_TRIES, SEARCH_SECONDS, ASKED, MOMENT = 60_000, 2.0, 32, 1e-3
"""Tries of a search, its CPU seconds, how often it asks for these, and after what try: asking may cost more than it."""
MOST_OF_A_MAKER = 2000
"""Tries of the search for one case of a post that may make a record; of the shipped ones none takes more than 1,202."""
QUOTA = {2: 5, 1: 6, 3: 7}
"""How many cases there may be after those with 2, 1 and 3 columns were looked for."""
NUMBERS: dict[str, tuple[Any, ...]] = {
    "int": (2, 3, 1),
    "float": (2.0, 0.5, 0.7, 0.8),
    "bool": (False, True),
    "str": ("told",),
    "tuple[float, ...]": ((0.0, 1.0, 2.5), (1.0,), (0.25, 0.75)),
    "tuple[int, ...]": ((2,), (2, 2), (2, 3)),
}
"""What is tried for a parameter without a default, by its annotation."""


def cases_of(cls: type[Operation]) -> list[Case]:
    """Cases of an operation's class; an empty list where none is found."""
    own = getattr(cls, "examples", None)
    given = own() if callable(own) else examples_of(cls)
    if given is not None:
        return [c if isinstance(c, Case) else Case(*c) for c in given]
    if issubclass(cls, Post) and cls.slots:
        found = traced(cls.name, cls.__module__)
        if found:
            return found
    found = _searched(cls)
    if not found and issubclass(cls, Post):  # it needs a record, or breaks on all that it accepts
        found = _searched(cls, _records())
        if not found and not _takes_anything(cls):
            found = _searched(cls, _records(), running=False)[:1]
    return found


def _takes_anything(cls: type[Operation]) -> bool:
    """Whether it says of no domain that it is not made for it: then a guess at which it breaks shows nothing."""
    built = [o for o in _instances(cls) if o is not None]
    slots = next(iter(_arities(cls)), ())
    return bool(built) and not any(_refused(built, (domain,) * len(slots)) for domain in released_domains(2))


def _searched(cls: type[Operation], records: tuple[str, ...] = (), *, running: bool = True) -> list[Case]:
    return list(_search(cls, records, MOST_TRIES, running=running))


def _search(cls: type[Operation], records: tuple[str, ...], most: int, *, running: bool = True) -> Iterator[Case]:
    """Cases as they are found, after at most so many tries, beginnings that are refused among them."""
    built = [o for o in _instances(cls) if o is not None]
    found: list[Case] = []
    seen: set[Any] = set()
    tries, end = itertools.count(1), time.process_time() + SEARCH_SECONDS
    last, ended = time.perf_counter(), False

    def over() -> bool:
        nonlocal last, ended
        tried, before, last = next(tries), last, time.perf_counter()
        asks = tried % ASKED == 0 or last - before > MOMENT
        ended = ended or tried > most or (asks and time.process_time() > end)
        return ended

    for d, quota in QUOTA.items():
        for slots in _arities(cls):
            inputs = _inputs(built, slots, d, records, over)  # one at a time: there may be millions
            for domains, operation in ((given, made) for given in inputs for made in built):
                if len(found) >= quota or over():
                    break
                key = (d, *(type(x) for x in domains), *(getattr(x, "bound", "") for x in domains))
                new = key not in seen and all(domains != c.domains for c in found)
                if new and accepted(operation, domains, running=running):
                    seen.add(key)
                    found.append(Case(operation, domains))
                    yield found[-1]


@functools.lru_cache(maxsize=1)
def _records() -> tuple[str, ...]:
    """Records that posts make from what can be drawn, one after another; they can be drawn from then on."""
    names: list[str] = []
    posts = [cls for cls in operations().values() if issubclass(cls, Post) and cls.slots]
    end, known = time.process_time() + 5 * SEARCH_SECONDS, -1
    while known < len(names) and time.process_time() < end:  # those for which none was found, with the new records
        known, rest = len(names), list[type[Post]]()
        for cls in posts if time.process_time() < end else ():
            case = next(_search(cls, tuple(names), MOST_OF_A_MAKER), None)
            if case is None:
                rest.append(cls)
                continue
            domain = case.operation.output(*case.domains)
            if isinstance(domain, Record) and domain.name not in RECORDS:
                RECORDS[domain.name] = functools.partial(_made, case)
                names.append(domain.name)
        posts = rest
    return tuple(names)


def _made(case: Case, rng: np.random.Generator, scale: float) -> Any:
    """A record, from the post that makes it; a record of the same name that another post made may not fit it."""
    for _ in range(8):
        values = tuple(draw(d, rng, scale if scale > 0 else 1.0) for d in case.domains)
        with contextlib.suppress(Exception, SystemExit):
            made = case.operation.apply_noisy(values, (1.0,) * len(values))  # type: ignore[attr-defined]
            if not isinstance(made, Failed):
                return made
    raise DomainError(f"{case.operation.name} made no record")


def made_by_others(case: Case) -> bool:
    """Whether it is given a record that some post made, perhaps of another class than its own: nothing recorded it."""
    records = [d.name for d in case.domains if isinstance(d, Record)] if case.values is None else []
    return any(getattr(RECORDS.get(name), "func", None) is _made for name in records)


def _arities(cls: type[Operation]) -> list[tuple[Slot, ...]]:
    """Which slots are filled: the needed ones, then the optional one, then a repeated one twice."""
    needed = tuple(s for s in cls.slots if not (s.optional or s.variadic))
    out = [needed] if needed or not cls.slots else []
    if len(needed) < len(cls.slots):
        out.append(tuple(cls.slots))
    if cls.slots and cls.slots[-1].variadic:
        out.append((*cls.slots, cls.slots[-1]))
    return out


def _inputs(
    built: Sequence[Operation], slots: tuple[Slot, ...], d: int, records: tuple[str, ...], over: Callable[[], bool]
) -> Iterator[tuple[Domain, ...]]:
    """Domains for the slots, cut short where every instance refuses a beginning; until it is over."""
    pools = [private_domains(d) if Kind.PRIVATE in s.kinds else released_domains(d, records) for s in slots]

    def extend(prefix: tuple[Domain, ...]) -> Iterator[tuple[Domain, ...]]:
        if len(prefix) == len(slots):
            yield prefix
            return
        for domain in pools[len(prefix)]:
            if over():
                return
            longer = (*prefix, domain)
            if len(longer) == len(slots) or not _refused(built, longer):
                yield from extend(longer)

    return extend(())


def _refused(built: Sequence[Operation], prefix: tuple[Domain, ...]) -> bool:
    def refuses(operation: Operation) -> bool:
        try:
            operation.output(*prefix)
        except DpframeError:
            return True
        except (Exception, SystemExit):  # noqa: BLE001  it looks at an input that is not there yet
            return False
        return False

    return all(refuses(o) for o in built)


def _instances(cls: type[Operation], most: int = 64) -> Iterator[Operation | None]:
    """Instances from small parameters; what has a default keeps it."""
    names, choices = [], []
    for field in attrs.fields(cls):
        if field.init and field.default is attrs.NOTHING:
            names.append(field.name)
            choices.append(_choices(cls, field))
    fixed = {"share": 1.0} if issubclass(cls, Mechanism) else {}
    for values in itertools.islice(itertools.product(*choices), 4 * most):
        try:
            yield cls(**dict(zip(names, values, strict=True)), **fixed)
        except (DpframeError, TypeError, ValueError, SystemExit):
            yield None


def _choices(cls: type[Operation], field: attrs.Attribute[Any]) -> tuple[Any, ...]:
    options = getattr(field.validator, "options", None)
    if options:
        return tuple(options)
    if field.name in ("learner", "function"):
        return (learners.name_for(cls),)
    return NUMBERS.get(str(field.type).replace("typing.", ""), (2, 2.0, "told", (1.0,)))


def all_names() -> list[str]:
    """Names of all registered operations except those of the testing room itself."""
    return sorted(n for n in operations() if not n.startswith("testing."))

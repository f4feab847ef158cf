"""What plugins make of released values and of noise, on a few made-up ones, before a run spends.

In a run a mechanism or a mask that raises releases zeros, and a post function that raises ends the run: by then the
budget is gone, and nothing may be said of the error. One that takes none of the inputs that its plan gives it shows
that without a row. Learners are not tried: they run in processes of their own, within limits of time and memory, which
these calls have not.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.front.functions import FunctionPost
from dpframe.kernel.families.density_scores import DensityScores
from dpframe.kernel.families.registered_mask import Lift, RegisteredMask, gaussians
from dpframe.kernel.families.registered_models import OfSemimetric
from dpframe.kernel.families.registering import find_family, find_mask, find_semimetric
from dpframe.kernel.foreign import shaped
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.origins import SHIPPED
from dpframe.kernel.own.base import shape_of, value_domain
from dpframe.kernel.own.claims import OwnMechanism
from dpframe.kernel.own.sampler import Sampler
from dpframe.kernel.post_processing import Failed
from dpframe.kernel.posts.arrays import shape_of as array_shape
from dpframe.kernel.reductions.blocks import BlockLearner
from dpframe.kernel.registry import find_learner
from dpframe.proof.spaces import Array, Domain, Flag, Index, Mixture, Outcome, Rows, Vector
from dpframe.proof.spaces.structures import Table
from dpframe.proof.theorems.shaping.blocks import item_domain

NEVER = (TypeError, AttributeError, NameError, ImportError)
"""What a function raises that can't take such values at all; others may be the refusal of a value."""
TIMES, SCALE, FEW = 3, 4.0, 5
LEARNING = 2
"""CPU seconds of a learner on all blocks that are made up."""

Draw = Callable[[Sequence[Domain], int], tuple[Any, ...] | None]


@attrs.frozen
class Trial:
    """One function of a plugin, asked a few times; ``misfit`` says what is wrong with an answer."""

    name: str
    what: str
    calls: Sequence[Callable[[], Any]]
    misfit: Callable[[Any], str]
    keywords: Mapping[str, Any] = attrs.Factory(dict)

    def refusal(self) -> str:
        """Why no call is answered, as told of the last one; empty where one is, or where a value may be refused."""
        why = ""
        for call in self.calls:
            try:
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    made = call()
            except NEVER as error:
                why = f"{type(error).__name__}: {error}"
                continue
            except KeyboardInterrupt:
                raise
            except BaseException:  # noqa: BLE001  values that it refuses; sys.exit() is an error like any other
                return ""
            why = self.misfit(made)
            if not why:
                return ""
        return why


def trial(operation: Any, domains: Sequence[Domain], draw: Draw, tables: Sequence[Any]) -> Trial | None:
    """What to ask of an operation's own function; None where there is none, or no inputs are known."""
    if isinstance(operation, FunctionPost):
        return _of_post(operation, domains, draw)
    if isinstance(operation, OwnMechanism):
        return _of_mechanism(operation, domains[0], tables)
    if isinstance(operation, (RegisteredMask, Lift)):
        return _of_mask(operation, domains[0])
    if isinstance(operation, OfSemimetric):
        return _of_semimetric(operation)
    if isinstance(operation, DensityScores) and isinstance(domains[0], Rows):
        return _of_family(operation, tables)
    if isinstance(operation, BlockLearner) and tables:
        return _of_learner(operation, tables)
    return None


def _shipped(function: Any) -> bool:
    return str(getattr(function, "__module__", "")).partition(".")[0] in SHIPPED


def _of_post(operation: FunctionPost, domains: Sequence[Domain], draw: Draw) -> Trial | None:
    if _shipped(type(operation)):
        return None
    drawn = [values for seed in range(TIMES) if (values := draw(domains, seed)) is not None]
    if not drawn:
        return None
    noise, wanted = (1.0,) * (len(domains) + len(operation.told())), operation.output(*domains)
    calls = [lambda values=values: operation.apply_noisy(values, noise) for values in drawn]
    return Trial(operation.name, "released values", calls, lambda made: _not_in(made, wanted), operation.parameters())


def _not_in(made: Any, wanted: Domain) -> str:
    """What is wrong with the kind or the shape of a result: whether its numbers fit is for the run to say."""
    if isinstance(made, Failed):
        return ""
    if isinstance(wanted, Flag):
        return "" if isinstance(made, Outcome) else f"it gives {_kind(made)}, not True or False"
    if isinstance(wanted, Index):
        whole = made is None or (isinstance(made, (int, np.integer)) and not isinstance(made, bool))
        return "" if whole else f"it gives {_kind(made)}, not a whole number"
    shape = array_shape(wanted)
    return "" if shape is None else _misshapen(made, shape)


def _misshapen(made: Any, shape: tuple[int, ...]) -> str:
    numbers = isinstance(made, (np.ndarray, np.generic, list, tuple, int, float))
    if numbers and np.shape(made) == shape:
        return ""
    return f"it gives {_kind(made)}, not numbers of the declared shape {shape}"


def _kind(made: Any) -> str:
    if isinstance(made, (np.ndarray, list, tuple)):
        return f"an array of shape {np.shape(made)}"
    return "nothing" if made is None else f"a {type(made).__name__}"


def _of_mechanism(operation: OwnMechanism, domain: Domain, tables: Sequence[Any]) -> Trial | None:
    function, wanted, rows = operation.known.function, value_domain(operation), isinstance(domain, Table)
    size, rng = array_shape(domain), np.random.default_rng(0)
    if not rows and size is None:
        return None
    values = tables if rows else [rng.integers(0, 100, size) for _ in range(TIMES)]

    def misfit(made: Any) -> str:
        if isinstance(wanted, Index):
            fits = isinstance(made, (int, np.integer)) and 0 <= made < wanted.m
            return "" if fits else f"it gives {_kind(made)}, not a whole number below {wanted.m}"
        shape = shape_of(wanted)
        if made is None or shaped(np.asarray(made), shape) is None:
            return f"it gives {_kind(made)}, not numbers of the declared shape {shape}"
        whole = rows or np.asarray(made).dtype.kind in "iuO"
        return "" if whole else "it gives floats, not whole steps of the lattice"

    calls = [
        lambda value=value, seed=seed: function(value.copy(), SCALE, Sampler(SeededSource(seed)), **operation.keywords)
        for seed, value in enumerate(values)
    ]
    return Trial(operation.of, "tables" if rows else "values", calls, misfit, operation.keywords)


def _of_mask(operation: RegisteredMask | Lift, domain: Domain) -> Trial | None:
    if not isinstance(domain, (Vector, Array)):
        return None
    size = domain.d if isinstance(domain, Vector) else domain.shape[-1]
    function = find_mask(operation.mask).function
    calls = [
        lambda seed=seed: function(np.random.default_rng(seed).random(size), operation.r, gaussians(SeededSource(seed)))
        for seed in range(TIMES)
    ]
    return Trial(operation.mask, f"values of {size} numbers", calls, lambda made: _misshapen(made, (size,)))


def _of_semimetric(operation: OfSemimetric) -> Trial:
    space, d = find_semimetric(operation.semimetric), operation.d
    count = FEW if space.many else 1

    def call(seed: int) -> Any:
        rng = np.random.default_rng(seed)
        return space.distance(rng.random(d), rng.random((FEW, d) if space.many else d))

    def misfit(made: Any) -> str:
        fits = made is not None and np.size(made) == count
        return "" if fits else f"it gives {_kind(made)}, not {count} distance{'s' * (count > 1)}"

    calls = [lambda seed=seed: call(seed) for seed in range(TIMES)]
    return Trial(operation.semimetric, f"vectors of {d} numbers", calls, misfit)


def _of_family(operation: DensityScores, tables: Sequence[Any]) -> Trial | None:
    family = find_family(operation.family)
    if _shipped(family.log_density) or not tables:
        return None
    theta = family.example(tables[0].shape[1], np.random.default_rng(0))
    calls = [lambda table=table: family.log_density(table.copy(), theta) for table in tables]
    sizes = {len(table) for table in tables}

    def misfit(made: Any) -> str:
        return "" if np.size(made) in sizes else f"it gives {_kind(made)}, not a number a row"

    return Trial(operation.family, f"tables of {_columns(tables)}", calls, misfit)


def _of_learner(operation: BlockLearner, tables: Sequence[Any]) -> Trial | None:
    """Blocks without clusters, and one with as many as a result has components."""
    learner = find_learner(operation.learner)
    if _shipped(learner):
        return None
    try:
        from dpframe.testing.battery.worlds import elsewhere
    except ImportError:  # as where the attacks are not installed
        return None
    k = operation.size[0] if len(operation.size) > 1 else 1
    rows = tables[1].copy()
    rows[:, 0] += 100.0 * (np.arange(len(rows)) % k)
    call = functools.partial(_unfit_of_blocks, learner, operation, [*tables[:2], rows])
    said = {"item": operation.item, "size": operation.size}
    calls = [lambda: elsewhere(call, cpu=LEARNING)]
    return Trial(operation.learner, f"blocks of {_columns(tables)}", calls, str, said)


def _unfit_of_blocks(learner: Callable[..., Any], operation: BlockLearner, blocks: Sequence[Any]) -> str:
    """Why no block has a result, the same for all of them; empty where one has, or may have been refused."""
    found = set()
    for block in blocks:
        try:
            with np.errstate(all="ignore"):
                made = learner(block.copy(), np.random.default_rng(0))
        except NEVER as error:
            found.add(f"{type(error).__name__}: {error}")
            continue
        if made is None:
            return ""
        found.add(_unfit(made, operation))
    return found.pop() if len(found) == 1 else ""


def _unfit(made: Any, operation: BlockLearner) -> str:
    """What is wrong with the kind and the shapes of a block's result; empty where they are as declared."""
    from dpframe.testing.battery.attack_learners import misfit

    domain = item_domain(operation.item, operation.size)
    wanted: list[Any] = [array_shape(domain)]
    if isinstance(domain, Mixture):
        wanted = [(domain.k,), (domain.k, domain.d), (domain.k, domain.d, domain.d)]
    declared = f"a tuple of {len(wanted)} array{'s' * (len(wanted) > 1)} of shape {_listed(wanted)}"
    if why := misfit(made):
        return f"it gives {why}, not {declared}"
    shapes = [np.shape(np.asarray(part)) for part in made]
    given = f"{len(shapes)} array{'s' * (len(shapes) != 1)} of shape {_listed(shapes)}" if shapes else "an empty tuple"
    return "" if shapes == wanted else f"it gives {given}, not {declared}"


def _listed(shapes: Sequence[Any]) -> str:
    return ", ".join(map(str, shapes))


def _columns(tables: Sequence[Any]) -> str:
    d = tables[0].shape[1]
    return f"{d} columns" if d > 1 else "1 column"

"""List decoding to mixtures, for any family: members are listed privately, or from public rows, and a mixture chosen.

AAL21 Algorithm 1 and Theorem 3.2; Ben-David, Bie, Canonne, Kamath, Singhal (2023) for the public list.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    FAMILY_MIXTURES,
    MOST_CONTESTANTS,
    PARAM,
    Array,
    Domain,
    Failed,
    FamilyMixtures,
    Handle,
    Index,
    Kind,
    ListOf,
    MixtureNet,
    PlanError,
    Post,
    Record,
    Slot,
    SpecError,
    Vector,
    composite,
    family_densities,
    find_family,
    net_size,
    part_sizes,
    positive_whole,
    register,
    wants,
    whole,
)

from .asking import MOST_HYPOTHESES, ask
from .listing import as_parameters

POINTS = 2**13
"""Public points of each component in the integration: an error of one in a hundred, of utility alone."""
SELECTING = 8.0
"""Constant of the rows that a selection asks for: it only cuts the table."""
LEAST = 1e-9
"""Of α and β: far below what any number of rows reaches, and their squares are numbers."""


@composite("families.mixture", examples={"family": "families.gaussian_full", "alpha": 1.0, "steps": 2, "listed": 8})
def mixture(
    x: Handle,
    *,
    family: str,
    k: int,
    alpha: float,
    beta: float = 0.1,
    decoder: str = "",
    parameters: Mapping[str, Any] | None = None,
    listed: int = 24,
    steps: int = 0,
    decoding: int = 0,
    max_hypotheses: int = 1024,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A mixture of at most k of the members that the family's private list decoder finds (AAL21 Algorithm 1).

    The table is cut in two by the original row index, n₁ : n₂ (halves where n₁ is not known): the first part is
    decoded, the second chooses among all mixtures of listed members with weights in steps of 1/q, by Scheffé sets on
    the family's own densities. Where the decoder lists, with probability 1 − β/2, a member within α/18 of each
    component, the result is within α of the truth with probability 1 − β (Theorem 3.2).

    Parameters
    ----------
    x : Handle
        The whole private table.
    family : str
        Registered name.
    k : int
        Most components.
    alpha, beta : float
        Total variation that is hoped for, and the probability of missing it; both are handed to the decoder.
    decoder : str
        Registered composite: rows to a released list of at most ``listed`` parameter vectors. It is given ``k``,
        ``alpha`` (α/18), ``gamma`` (1 − α/18k), ``beta`` (β/2), ``most`` (``listed``), ``rows``, ``share`` and
        ``seed``. The family's own if not given.
    parameters : mapping, optional
        Further parameters of the decoder.
    listed : int
        Most members on the list.
    steps : int
        q; ⌈18(k − 1)/α⌉ if 0.
    decoding : int
        n₁, rows that the decoder asks for.
    max_hypotheses : int
        A plan that may have more mixtures is refused.
    share : float
        Of ρ, for each of the two parts: they hold different rows.
    seed : int
        Public seed of the parts and of the integration.

    Returns
    -------
    Handle
        A released array, one row a component: its weight, then its parameters in the family. Rows that are not needed
        repeat the heaviest component with weight 0.

    Formal guarantees
    -----------------
    Replace-one with public n. The loss is the larger of the decoder's and the selection's: parts by index. The
    certificate lists what is asserted: that the log-density treats rows one by one.
    """
    known = find_family(family)
    if not (decoder or known.decoder):
        raise PlanError(f"family {family!r} has no list decoder", fix="give decoder=, or list from public rows")
    if not (LEAST <= alpha <= 1 and LEAST <= beta < 1):
        raise SpecError(
            f"alpha must be in [{LEAST:g}, 1] and beta in [{LEAST:g}, 1), not {alpha!r} and {beta!r}",
            fix="alpha=0.2, beta=0.1",
        )
    counted(k=k)
    if decoding < 0:
        raise SpecError(f"decoding must be a number of rows, not {decoding!r}", fix="0: halves")
    q = steps or max(1, math.ceil(18 * (k - 1) / alpha * (1 - 1e-12)))
    size = room(listed, k, q, max_hypotheses)
    n = next((i.n for i in x.tracer.inputs if i.kind is Kind.PRIVATE), None)
    if n is None:
        raise PlanError("parts are cut by the row index, which needs a public number of rows", fix="use replace_one")
    second_rows = SELECTING * math.log(2 * size / beta) / alpha**2
    weights = (decoding, math.ceil(second_rows)) if decoding else ()
    first, second = dp.split(x, count=2, seed=seed, weights=weights, name="parts")
    rows, rest = (max(1, part) for part in part_sizes(int(n), 2, weights))
    asked = {"k": k, "alpha": alpha / 18, "gamma": 1 - alpha / (18 * k), "beta": beta / 2, "most": listed, "rows": rows}
    recipe = dp.recipe(decoder or known.decoder, **asked, share=share, seed=seed, **dict(parameters or {}))
    found = dp.apply("decoder", recipe, first)
    return chosen(second, found, family=family, k=k, steps=q, size=size, n=rest, share=share, seed=seed)


@composite("families.public", examples={"family": "families.gaussian_full", "each": 8})
def public(
    x: Handle,
    known: Handle,
    *,
    family: str,
    k: int,
    each: int,
    listed: int = 24,
    steps: int = 4,
    max_hypotheses: int = 2500,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A mixture of at most k members that were fitted to tuples of public rows; private rows only choose.

    The list costs nothing and the choice is one draw of the exponential mechanism: pure ε. The error is 3·OPT over the
    mixtures of the list and what the choice costs, whatever the public rows are.

    Parameters
    ----------
    x : Handle
        The private table.
    known : Handle
        A public table with the same columns.
    family : str
        Registered name.
    k : int
        Most components.
    each : int
        Public rows to the smallest tuples: a random one and those nearest to it; others have up to 3.4 times as many.
    listed : int
        Tuples.
    steps : int
        Weights are whole multiples of 1/steps.
    max_hypotheses : int
        A plan that may have more mixtures is refused.
    share : float
        Of ρ.
    seed : int
        Public seed of tuples and integration.

    Returns
    -------
    Handle
        A released array, one row a component: its weight, then its parameters in the family. Rows that are not needed
        repeat the heaviest component with weight 0.

    Formal guarantees
    -----------------
    Any adjacency: scores of sensitivity 1 and one selection. The certificate lists what is asserted: that the
    log-density treats rows one by one.
    """
    size = room(listed, k, steps, max_hypotheses)
    found = dp.post("families.tuples", known, family=family, each=each, most=listed, k=k, seed=seed, name="tuples")
    n = next((i.n for i in x.tracer.inputs if i.kind is Kind.PRIVATE), None)
    rows = int(n) if n is not None else 10_000
    return chosen(x, found, family=family, k=k, steps=steps, size=size, n=rows, share=share, seed=seed)


def room(listed: int, k: int, steps: int, most: int) -> int:
    """The number of mixtures, refused where it is beyond ``most``."""
    counted(k=k, listed=listed, steps=steps, max_hypotheses=most)
    size = net_size(listed, k, steps)
    if size > min(most, MOST_HYPOTHESES):
        raise PlanError(
            f"{listed} listed members make {size} mixtures with {steps} steps, max_hypotheses is {most}",
            fix="use fewer listed members, components or steps",
        )
    return size


def counted(**numbers: int) -> None:
    """Refuse what is no whole number of at least 1, by its name."""
    for name, number in numbers.items():
        if number < 1 or number != int(number):
            raise SpecError(f"{name} must be a whole number of at least 1, not {number!r}", fix=f"{name}=2")


def chosen(
    rows: Handle, found: Handle, *, family: str, k: int, steps: int, size: int, n: int, share: float, seed: int
) -> Handle:
    """One mixture of the listed members, by the rows: its components as (weight, parameters), one a row."""
    p, found = int(find_family(family).size(rows.d)), as_parameters(found, family)
    members = wants(found.domain, ListOf, "families.net").item
    if members != Vector(p):
        raise PlanError(
            f"family {family!r} has {p} parameters over {rows.d} columns, and the list holds {members}",
            fix="list members of as many parameters, or use a table of as many columns as the decoder is for",
        )
    net = dp.post("families.net", found, family=family, k=k, steps=steps, name="hypotheses")
    if size > MOST_CONTESTANTS:
        index = ask(rows, net, size=size, n=n, share=share, seed=seed)
        return dp.post("families.choose", net, index, k=k, p=p, name="mixture")
    masses = dp.post("families.masses", net, size=size, seed=seed, name="masses")
    scores = dp.density_scores(rows, net, masses, family=family, size=size, n=n, name="scores")
    index = dp.release("index", dp.exponential_mechanism(share=share), scores)
    return dp.post("families.choose", net, index, k=k, p=p, name="mixture")


@register("families.net")
@attrs.frozen
class Net(Post):
    """All mixtures of at most k of the listed members with weights in multiples of 1/steps.

    Parameters
    ----------
    family : str
    k, steps : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("listed", PARAM),)
    family: str = attrs.field(kw_only=True)
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    steps: int = attrs.field(kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(Net(family="families.laplace", k=2, steps=3), (ListOf(Vector(2), 4),))]

    def output(self, *inputs: Domain) -> Domain:
        """A list of hypotheses."""
        wants(wants(inputs[0], ListOf, self.name).item, Vector, self.name)
        return Record(FAMILY_MIXTURES)

    def apply(self, *values: Any) -> Any:
        """Enumerate them."""
        if not len(values[0]):
            return Failed("the released list is empty", "use more rows or a larger epsilon")
        listed = np.unique(np.array(values[0], dtype=np.float64), axis=0)
        net = MixtureNet(listed[:, :1], np.ones((len(listed), 1)), self.k, self.steps)
        return FamilyMixtures(self.family, listed, *net.chunk(0, len(net)))


@register("families.masses")
@attrs.frozen
class Masses(Post):
    """f_i(W_ij) at [i, j] and f_j(W_ij) at [j, i], i < j, W_ij = {f_i > f_j}: from public seeded draws.

    Parameters
    ----------
    size : int
        Most hypotheses.
    seed : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("hypotheses", PARAM),)
    size: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(Masses(size=4), (Record(FAMILY_MIXTURES),))]

    def output(self, *inputs: Domain) -> Domain:
        """Two numbers a pair."""
        if inputs[0] != Record(FAMILY_MIXTURES):
            raise PlanError(f"{self.name} takes mixtures of a family, not {inputs[0]}", fix="make a record of them")
        return Array((self.size, self.size))

    def apply(self, *values: Any) -> Any:
        """Draw from each component, and count on which side of all its pairs the draws fall."""
        out = np.zeros((self.size, self.size))
        listed = values[0]
        if not isinstance(listed, FamilyMixtures) or len(listed) > self.size:
            return Failed("these are no hypotheses of a family, or too many", "raise size")
        known, many = find_family(listed.family), len(listed)
        for c in np.unique(listed.picks[listed.weights > 0]).tolist():
            generator = np.random.default_rng([self.seed, c])
            with np.errstate(all="ignore"):
                points = np.nan_to_num(np.asarray(known.sample(listed.components[c], POINTS, generator), dtype=float))
            dense = family_densities(points, listed)
            for i in np.flatnonzero(((listed.picks == c) & (listed.weights > 0)).any(axis=1)).tolist():
                weight = float(listed.weights[i][listed.picks[i] == c].sum()) / POINTS
                out[i, :i] += weight * np.count_nonzero(dense[:i] > dense[i], axis=1)
                out[i, i + 1 : many] += weight * np.count_nonzero(dense[i] > dense[i + 1 :], axis=1)
        return out


@register("families.choose")
@attrs.frozen
class Choose(Post):
    """The selected mixture: one row a component, its weight and then its parameters; padding repeats the heaviest.

    Parameters
    ----------
    k, p : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("hypotheses", PARAM), Slot("index", PARAM))
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    p: int = attrs.field(kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(Choose(k=2, p=2), (Record(FAMILY_MIXTURES), Index(3)))]

    def output(self, *inputs: Domain) -> Domain:
        """K rows."""
        if inputs[0] != Record(FAMILY_MIXTURES):
            raise PlanError(f"{self.name} takes mixtures of a family, not {inputs[0]}", fix="make a record of them")
        wants(inputs[1], Index, self.name)
        return Array((self.k, 1 + self.p))

    def apply(self, *values: Any) -> Any:
        """Look it up."""
        listed, index = values
        fits = isinstance(listed, FamilyMixtures) and listed.components.shape[1] == self.p
        if not fits or index is None or not 0 <= index < len(listed):
            return Failed("no hypothesis was selected", "use more rows or a larger epsilon")
        picks, weights = listed.picks[index], listed.weights[index]
        heaviest = listed.components[picks[int(np.argmax(weights))]]
        out = np.tile(np.append(0.0, heaviest), (self.k, 1))
        for row, pick, weight in zip(out, picks, weights, strict=False):
            if weight > 0:
                row[0], row[1:] = weight, listed.components[pick]
        return out

"""Several first mixtures: each is tried by private passes, and a private likelihood chooses among them.

Where fewer are distinct than there are places, a start stands in several, and the noisy moments of its places are
averaged: the budget of a trial pass is never lost, whether starts are one or many.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    PARAM,
    Array,
    Domain,
    Post,
    Record,
    Slot,
    Symmetric,
    Vector,
    Whitening,
    positive_whole,
    register,
    wants,
    whole,
)
from dpframe_plugins.shared.records import wants_record

from . import passes
from .deconvolution import MOST
from .nodes import answering, slots
from .radii import law
from .records import Floats, Mixture

PLACES = MOST
"""Places for starts, where there is more than one component."""
TRIALS = 4
"""Passes that all starts take."""
RANGE = 3.0
"""Nats by which one row can speak for or against a start, as a norm over the places."""


@register("practical.start")
@attrs.frozen
class Start(Post):
    """The start in one of the places."""

    slots: ClassVar[tuple[Slot, ...]] = slots("starts")
    place: int = attrs.field(kw_only=True, validator=whole)
    places: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record, in frame units."""
        wants_record(inputs[0], "practical.starts", self.name)
        return Record("practical.mixture")

    @answering
    def apply(self, *values: Any) -> Any:
        """Look it up."""
        return values[0].at(self.place, self.places)


@register("practical.trial")
@attrs.frozen
class Trial(Post):
    """All starts after one more pass, from the noisy augmented Gram matrices and the whitenings of all places.

    Starts for which there is no place are dropped.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("starts", PARAM), Slot("seen", PARAM, variadic=True))
    seed: int = attrs.field(kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants_record(inputs[0], "practical.starts", self.name)
        for grams in inputs[1::2]:
            wants(grams, Symmetric, self.name)
        return Record("practical.starts")

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Average the places of a start, undo the units of the statistic, update."""
        starts, grams, whitenings = values[0], values[1::2], values[2::2]
        moved, tried = [], starts.candidates[: len(grams)]
        for own, model in enumerate(tried):
            mine = range(own, len(grams), len(tried))
            unit = whitenings[own].anchor ** 2 + whitenings[own].clip ** 2
            total = np.mean([np.asarray(grams[i]) for i in mine], axis=0)
            std = noise[1 + 2 * own] / math.sqrt(len(mine))
            moments = passes.split_augmented(total * unit, whitenings[own].clip, std * unit)
            moved.append(passes.update(model, moments, self.seed))
        return attrs.evolve(starts, candidates=tuple(moved))


@register("practical.laws")
@attrs.frozen
class Laws(Post):
    """All starts with the laws of their components' radii, and covariances of their second moments.

    From whitenings of the last trial pass and histograms of radii, of all places.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("starts", PARAM), Slot("seen", PARAM, variadic=True))

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants_record(inputs[0], "practical.starts", self.name)
        places = len(inputs) // 2
        for maps in inputs[1 : 1 + places]:
            wants(maps, Whitening, self.name)
        for counts in inputs[1 + places :]:
            wants(counts, Array, self.name)
        return Record("practical.starts")

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Average the places of a start, read the laws."""
        starts, places = values[0], len(values) // 2
        whitenings, counts, stds = values[1 : 1 + places], values[1 + places :], noise[1 + places :]
        known = []
        for own, model in enumerate(starts.candidates):
            mine = range(own, places, len(starts.candidates))
            total = np.mean([np.asarray(counts[i]) for i in mine], axis=0)
            known.append(with_laws(model, total, stds[own] / math.sqrt(len(mine)), whitenings[own].clip))
        return attrs.evolve(starts, candidates=tuple(known))


def with_laws(model: Mixture, counts: Floats, std: float, clip: float) -> Mixture:
    """A mixture with laws of radii, read off noisy histograms, and its sizes put right by them."""
    found = [law(own, std, model.means.shape[1], clip) for own in counts]
    sizes = np.sqrt([1.0 if one is None else one[1] for one in found])
    laws = tuple(None if one is None else one[0] for one in found)
    return attrs.evolve(model, cholesky=model.cholesky * sizes[:, None, None], laws=laws)


@register("practical.choose")
@attrs.frozen
class Choose(Post):
    """The start with the largest noisy sum of clipped log likelihoods; the first of them where they are alike."""

    slots: ClassVar[tuple[Slot, ...]] = slots("starts", "scores")

    def output(self, *inputs: Domain) -> Domain:
        """A record, in frame units."""
        wants_record(inputs[0], "practical.starts", self.name)
        wants(inputs[1], Vector, self.name)
        return Record("practical.mixture")

    @answering
    def apply(self, *values: Any) -> Any:
        """Average the places of a start and compare."""
        starts, scores = values
        count = len(starts.candidates)
        means = [float(np.mean(np.asarray(scores)[own::count])) for own in range(count)]
        return starts.candidates[int(np.argmax(means))]

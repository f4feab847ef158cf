"""The result of the practical mixture: the average of the last passes, its errors and the verdict on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    PARAM,
    Above,
    Ball,
    Counts,
    Domain,
    Expected,
    Failed,
    Mixture,
    MixtureValue,
    PlanError,
    Post,
    Quality,
    Slot,
    positive_whole,
    register,
    wants,
    whole,
)
from dpframe_plugins.shared.records import wants_record

from . import clipping, finish, judging, passes, pooling, records
from .alternatives import better
from .bounds import words
from .clipping import predicted_mean
from .errors import mixture_errors, released_noise
from .gathering import pulled
from .goodness import Fit
from .goodness import fit as read_fit
from .nodes import answering, slots
from .widening import AMPLE, SCARCE, outside

WIDER = "; rows outside made the last passes clip farther out, for more noise, which uncertainty states"
BEFORE = " (what is said of noise and movement is of passes before)"
"""Said beside whatever the verdict is."""
LATER = "the number of components is chosen after it: what is released then is judged"


@register("practical.average")
@attrs.frozen
class Average(Post):
    """Weighted average of the last mixtures, those that settled; ⊥ where the last is noise alone.

    In the units of the table. More mixtures than shares come first: for the verdict alone. With ``may_drown``
    covariances of noise are no ⊥, and the verdict is poor: after a first mixture that is right, the means still are.
    ``fit`` is a histogram of log densities of an earlier mixture (`goodness`); with ``tail`` a tail follows, for
    rows far outside. ``starts`` are the first mixtures with their cells (`alternatives`). ``gathered``: shares of all
    passes whose noise the last mixture has averaged.
    So many of the last passes may be ``widened`` by that histogram, which is read before them; where they are, the last
    mixture is the result: `widening`.
    ``nearest``: the least error of a mean that any method has (`bounds`), where rows are scarce.
    ``chosen_later``: the number of components is chosen of this mixture, and what is left of it judged (`Picked`).
    """

    slots: ClassVar[tuple[Slot, ...]] = (*slots("ball", "fit", "starts"), Slot("mixtures", PARAM, variadic=True))
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    shares: tuple[float, ...] = attrs.field(converter=tuple, kw_only=True)
    gathered: tuple[float, ...] = attrs.field(default=(), converter=tuple, kw_only=True)
    nearest: float = attrs.field(default=0.0, kw_only=True)
    may_drown: bool = attrs.field(default=False, kw_only=True)
    tail: bool = attrs.field(default=False, kw_only=True)
    widened: int = attrs.field(default=0, kw_only=True, validator=whole)
    chosen_later: bool = attrs.field(default=False, kw_only=True)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A mixture."""
        mixtures, passes = len(inputs) - 3, len(self.gathered or self.shares)
        if mixtures <= max(len(self.shares), self.widened) or self.widened >= passes:
            raise PlanError(
                f"{self.name} has {len(self.shares)} shares for {mixtures} mixtures, and widens {self.widened} passes "
                f"of {passes}",
                fix="give one mixture, and one pass, more",
            )
        wants(inputs[1], Counts, self.name)
        wants_record(inputs[2], "practical.starts", self.name)
        for mixture in inputs[3:]:
            wants_record(mixture, "practical.mixture", self.name)
        return Mixture(self.k, wants(inputs[0], Ball, self.name).d)

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Average and undo the frame."""
        ball, counts, _, *models = values
        drowned = judging.drowned(models[-1], self.nearest)
        if drowned is not None and not self.may_drown:
            return drowned
        mixture, _ = self._result(models, counts, noise)
        weights, means, covariances = finish.table_units(mixture, records.Ball(ball.centre, ball.radius))
        if not finish.is_valid(weights, means, covariances):
            return Failed(
                "the released moments do not determine positive definite covariances",
                "use more rows, fewer components, or a larger epsilon",
            )
        return MixtureValue(weights, means, covariances)

    def predicted_error(self, result: Any, rows: int, noise: Above) -> Expected:
        """The root mean square distance of a mean, where every component has found its rows."""
        error = predicted_mean(result.d, rows / self.k, self.k, *self._noise(noise), self._rule)
        what = "distance of a component's mean, in its standard deviations (root mean square)"
        return Expected(error, what, f"{self.k} Gaussians of equal weight and covariance I, far apart")

    def standard_errors(self, value: Any, rows: int, noise: Above) -> Mapping[str, Any] | None:
        """Standard errors of weights, means and covariances, for components that are far apart."""
        if not isinstance(value, MixtureValue) or len(value.weights) != self.k:
            return None
        return mixture_errors(value, rows, *self._noise(noise), self._rule, noise.told)

    def notes(self) -> list[str]:
        """What the plan states before it runs: that no method could do it."""
        return [words(self.nearest).removeprefix("; ")] if self.nearest >= 1.0 else []

    @property
    def _rule(self) -> clipping.Rule:
        return clipping.SCARCE if self.gathered else clipping.PLENTY

    def _noise(self, noise: Above) -> tuple[list[float], tuple[float, ...]]:
        """Noise and shares of the passes that the result averages."""
        shares = self.gathered or self.shares
        return [found["sigma"] for statistic, found in noise if statistic == "weighted_grams"][-len(shares) :], shares

    def _averaged(self, models: Sequence[Any], *, wider: bool) -> int:
        """How many of the last mixtures are averaged: those that settled, and one where it clipped farther out."""
        return 1 if wider else min(judging.settled(models), len(self.shares))

    def _result(self, models: Sequence[Any], counts: Any, noise: tuple[float, ...]) -> tuple[Any, records.Floats]:
        """The mixture in frame units, and what factor of its noise each component's covariance has left."""
        last = self._averaged(models, wider=self._wider(counts, noise))
        found, shares = models[-last:], self.shares[-last:]
        if self.gathered:
            fit = self._fit(models, counts, noise)
            last_one, left = pulled(found[-1], fit.square if fit.is_short else 1.0)
            return passes.average([*found[:-1], last_one], shares), left
        stated = released_noise(models[-last - 1 :], shares)["covariances"]
        return pooling.shared(passes.average(found, shares), stated, models[-1].noise <= judging.NOISY)

    def _wider(self, counts: Any, noise: tuple[float, ...]) -> bool:
        """Whether the last passes clipped farther out."""
        return self.widened > 0 and outside(np.asarray(counts), noise[1], SCARCE if self.gathered else AMPLE) > 0.0

    def _fit(self, models: Sequence[Any], counts: Any, noise: tuple[float, ...], result: Any = None) -> Fit:
        """How likely rows are under the mixture that the last passes began with, beside its own or a result's."""
        of, found = models[-1 - max(self.widened, 1)], np.asarray(counts)
        return read_fit(of, found, noise[1], self.seed, tail=self.tail, result=result)

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality:
        """What noise and movement of the last passes say; not yet where the number of components is to be chosen."""
        judged = self.judged(values, noise)
        return Quality("unchecked", LATER, told=judged.told) if self.chosen_later else judged

    def judged(
        self,
        values: tuple[Any, ...],
        noise: tuple[float, ...],
        kept: Callable[[records.Mixture], records.Mixture] | None = None,
    ) -> Quality:
        """The verdict on what is ``kept`` of the mixture."""
        models = values[3:]
        wider = self._wider(values[1], noise)
        mended = wider and not self.gathered
        result, left = self._result(models, values[1], noise)
        beside = result if self.gathered and (left < 1.0).any() else models[-1] if mended else None
        judged = judging.judge(
            models[-len(self.shares) - 1 :],
            left,
            early=() if self.gathered else models[: -len(self.shares) - 1],
            fit=self._fit(models, values[1], noise, beside),
            nearest=self.nearest,
            elsewhere=better(values[2], models[-1] if kept is None else kept(models[-1])),
            widened=mended,
            tail=self.tail,
            kept=kept,
        )
        last = self._averaged(models, wider=wider)
        errors = released_noise(models[-last - 1 :], self.shares[-last:])
        return attrs.evolve(judged, why=judged.why + WIDER * wider + BEFORE * mended, told=errors)

"""Broken transforms."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Batch
from dpframe.kernel.transforms.clip_ball import ClipBall
from dpframe.kernel.transforms.clip_box import ClipBox
from dpframe.kernel.transforms.within import Within
from tests.testing.broken.base import breaks


@breaks("rowwise", "clip_box")
class MixesRows(ClipBox):
    """Centres on the batch before clipping."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        with np.errstate(all="ignore"):
            middle = np.nan_to_num(np.clip(batch.values, -1e6, 1e6)).sum(axis=0) / max(len(batch.valid), 1)
            moved = np.where(batch.valid[:, None], batch.values - middle, 0.0)
        return super().apply(attrs.evolve(batch, values=np.clip(moved, -1e308, 1e308)), *params)


@breaks("rowwise", "clip_box")
class KnowsItsPlace(ClipBox):
    """The first rows of a table count double."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        out = super().apply(batch, *params)
        return attrs.evolve(out, values=np.where(batch.index[:, None] < 100, out.values, 0.0))


@breaks("rowwise", "clip_box")
class KnowsItsChunk(ClipBox):
    """Long batches are treated in another way."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        out = super().apply(batch, *params)
        return attrs.evolve(out, values=out.values if len(batch.valid) > 2 else np.trunc(out.values / 2))


@breaks("rowwise", "clip_box")
class Dithers(ClipBox):
    """Rounds at random."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        out = super().apply(batch, *params)
        coin = np.random.default_rng().integers(0, 2, out.values.shape)
        return attrs.evolve(out, values=np.where(batch.valid[:, None], np.trunc(out.values / 2) + coin, 0.0))


@breaks("domain", "clip_ball")
class ForgetsToClip(ClipBall):
    """Scales to the ball's frame, and leaves far rows where they are."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        with np.errstate(all="ignore"):
            scaled = (batch.values / params[0].radius - params[0].centre / params[0].radius) * 2.0**self.bits
        values = np.where(batch.valid[:, None], np.trunc(np.clip(np.nan_to_num(scaled), -1e300, 1e300)), 0.0)
        return attrs.evolve(batch, values=values, bits=self.bits)


@breaks("domain", "clip_box")
class RevivesMissingRows(ClipBox):
    """Takes a missing row for a row of zeros."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        return super().apply(attrs.evolve(batch, valid=np.ones_like(batch.valid)), *params)


@breaks("domain", "clip_box")
class DropsMissingRows(ClipBox):
    """Filters before it maps, so that what is paired by place afterwards shifts."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        return (
            super().apply(batch.subset(batch.valid), *params) if len(batch.valid) > 1 else super().apply(batch, *params)
        )


@breaks("domain", "clip_box")
class LosesTheIndex(ClipBox):
    """Makes a batch of its own, without the rows' places."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        out = super().apply(batch, *params)
        return Batch(out.start, out.values, out.valid, out.bits)


@breaks("totality", "clip_box")
class RaisesOnFarRows(ClipBox):
    """Complains about a row."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        if np.abs(batch.values).max(initial=0.0) > 1e200:
            raise ValueError("a row is too far away")
        return super().apply(batch, *params)


@breaks("totality", "clip_box")
class RaisesOnNoRows(ClipBox):
    """Takes the largest of nothing."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        batch.values.max(axis=0)
        return super().apply(batch, *params)


@breaks("totality", "clip_box")
class WarnsOnOverflow(ClipBox):
    """Squares whatever it gets."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        _ = batch.values * batch.values
        return super().apply(batch, *params)


@breaks("purity", "clip_box")
class WritesIntoItsInput(ClipBox):
    """Uses the batch as scratch."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        out = super().apply(batch, *params)
        batch.values[...] = 0.0
        return out


@breaks("rowwise", "within")
class ShrinksAllRows(Within):
    """Moves all rows towards the centre until the farthest is inside."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        ball = params[0]
        with np.errstate(all="ignore"):
            offsets = np.where(batch.valid[:, None], np.clip(batch.values - ball.centre, -1e150, 1e150), 0.0)
            farthest = np.linalg.norm(offsets, axis=1).max(initial=ball.radius)
            moved = ball.centre + offsets * (ball.radius / farthest)
        return attrs.evolve(batch, values=np.where(batch.valid[:, None], moved, 0.0))


@breaks("domain", "within")
class PullsInMissingRows(Within):
    """Takes a missing row for one at 0, which may lie outside."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        pulled = super().apply(attrs.evolve(batch, valid=np.ones_like(batch.valid)), *params)
        return attrs.evolve(pulled, valid=batch.valid)

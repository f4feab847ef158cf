"""A loss composed with itself."""

from __future__ import annotations

from dpframe.proof.losses import Loss, compose


def repeat(loss: Loss, times: int) -> Loss:
    """Compose a loss ``times`` times with itself."""
    fails = compose(*[Loss((), loss.delta)] * times).delta
    return Loss(tuple((event, n * times) for event, n in loss.events), fails)

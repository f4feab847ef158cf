"""A ledger reads events that no theorem here gives; a certificate that names one is refused."""

from __future__ import annotations

import pytest

from dpframe.errors import CertificateError
from dpframe.planning.booked_events import BOOKED, booked_loss
from dpframe.planning.discrete_events import DiscreteGaussian, DiscreteLaplace
from dpframe.planning.sampled_events import SampledGaussian, SampledLaplace
from dpframe.proof.losses import EVENTS, Event, Gaussian, Loss, Worst, loss_from_json

OTHERS: tuple[Event, ...] = (
    DiscreteLaplace(3, 7.0),
    DiscreteGaussian(1, 4.0),
    SampledGaussian(1.0, 0.1, "add_remove"),
    SampledLaplace(1.0, 0.1, "add_remove"),
)


def test_each_is_of_one_side() -> None:
    assert {event.kind for event in OTHERS} == set(BOOKED) - set(EVENTS)


@pytest.mark.parametrize("event", OTHERS, ids=lambda event: event.kind)
@pytest.mark.parametrize("nested", [False, True])
def test_a_ledger_reads_it_and_the_checker_does_not(event: Event, nested: bool) -> None:
    one: Event = Worst((((event, 2),), ((Gaussian(0.1), 1),))) if nested else event
    written = Loss.of(one, 3).to_json()
    assert booked_loss(written) == Loss.of(one, 3)
    with pytest.raises(CertificateError, match=f"unknown event type '{event.kind}'"):
        loss_from_json(written)

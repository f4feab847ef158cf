"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A purchase counts 0 where the batch holds its refund. Witness: rows [5], [-5] give 0 and 0; [5] alone gives 5.
@dp.own_contribution("round.refund", gives=1, norm="linf", bound=100.0)
def refund(rows):
    """What each row spends, refunds left out with what they refund."""
    spent = rows[:, :1]
    return np.where(np.isin(-spent, spent), 0.0, spent)

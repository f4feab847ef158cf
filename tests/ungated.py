"""Runs of a plan with other noise than was certified: broken twins for audits, with a broken gate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import pytest

from dpframe.runtime import gate
from dpframe.runtime.gate import Admitted


def with_noise(admitted: Admitted, calibrations: Mapping[Any, Mapping[str, Any]]) -> Admitted:
    """The same with this noise in place of the certified."""
    noise = {p: attrs.evolve(n, calibration=calibrations[p]) for p, n in admitted.checked.noise.items()}
    return attrs.evolve(admitted, checked=attrs.evolve(admitted.checked, noise=noise))


def lie(patch: pytest.MonkeyPatch, calibrations: Mapping[Any, Mapping[str, Any]]) -> None:
    """Every plan that is admitted from here on runs with this noise."""
    admit = gate.admit
    patch.setattr(gate, "admit", lambda plan, **how: with_noise(admit(plan, **how), calibrations))

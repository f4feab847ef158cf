"""The attacks that hand a mask Gaussians of their own, or compare its draws in a way of their own, in their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpframe.testing.battery.mask_alike import attack_alike
from dpframe.testing.battery.mask_corners import attack_corners
from dpframe.testing.battery.mask_draws import Priced
from dpframe.testing.battery.mask_planes import attack_planes
from dpframe.testing.battery.mask_products import attack_products
from dpframe.testing.battery.mask_shared import attack_shared
from dpframe.testing.battery.mask_special import attack_special
from dpframe.testing.battery.mask_tails import attack_tails
from dpframe.testing.battery.mask_widths import attack_widths

ON_TAPES: tuple[Callable[[Priced, float], tuple[str, dict[str, Any]]], ...] = (
    attack_tails,
    attack_planes,
    attack_alike,
    attack_special,
    attack_shared,
    attack_widths,
    attack_corners,
    attack_products,
)

"""Hypothesis strategies under the name that others import: :mod:`dpframe.testing.battery.strategies`."""

from dpframe.testing.battery.strategies import *  # noqa: F403

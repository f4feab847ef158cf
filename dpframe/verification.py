"""From a certificate to a verdict: :mod:`dpframe.proof.checker` under the name that others import."""

from dpframe.proof.checker import *  # noqa: F403
from dpframe.proof.checker import __all__ as __all__  # noqa: PLC0414

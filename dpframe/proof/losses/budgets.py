"""Budgets: what a program may spend, in four forms, and the verdict whether a loss fits.

A budget has no default anywhere. Pure DP, zCDP and GDP budgets admit no delta at all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, final

import attrs

from dpframe.errors import CertificateError
from dpframe.proof.losses._numeric import LossError, positive, probability, real
from dpframe.proof.losses.accountants import tightest_epsilon
from dpframe.proof.losses.algebra import Loss
from dpframe.proof.readers import built, keys, mapping


def _number(name: str, value: Any) -> float:
    """A number that privacy rests on: absent, a boolean or a text it is refused by name."""
    try:
        return real(value)
    except LossError as error:
        raise LossError(f"{name} of the budget: {error.message}", fix=f"give {name}=... as a number") from None


def _epsilon(value: Any) -> float:
    return _number("epsilon", value)


def _delta(value: Any) -> float:
    return _number("delta", value)


def _rho(value: Any) -> float:
    return _number("rho", value)


def _mu(value: Any) -> float:
    return _number("mu", value)


@final
@attrs.frozen
class Verdict:
    """Whether a loss fits a budget, by which accountant, and what is spent in the budget's terms."""

    holds: bool
    accountant: str
    spent: dict[str, float]


class Budget(ABC):
    """A privacy budget in one of the forms below."""

    __slots__ = ()
    kind: ClassVar[str]

    @abstractmethod
    def verdict(self, loss: Loss) -> Verdict:
        """Price the loss by the tightest accountant of this form and compare, without any tolerance."""

    def to_json(self) -> dict[str, Any]:
        """Plain data for :func:`budget_from_json`."""
        return {"type": self.kind, **attrs.asdict(self)}  # type: ignore[arg-type]

    @staticmethod
    def from_json(data: object) -> Budget:
        """The same as :func:`budget_from_json`."""
        return budget_from_json(data)


class _Single(Budget):
    """A bound on one number, which adds up by itself and admits no delta."""

    __slots__ = ()
    accountant: ClassVar[str]

    def verdict(self, loss: Loss) -> Verdict:
        """Hold if the sum is within the budget and the loss has no delta."""
        ((name, most),) = attrs.asdict(self).items()  # type: ignore[arg-type]
        spent = {name: float(getattr(loss, name)), "delta": loss.delta}
        return Verdict(loss.delta == 0 and spent[name] <= most, self.accountant, spent)


@final
@attrs.frozen
class PureDP(_Single):
    """Pure differential privacy: the epsilons add and delta is 0.

    Parameters
    ----------
    epsilon : float
        Positive and finite.
    """

    kind: ClassVar[str] = "pure_dp"
    accountant: ClassVar[str] = "basic"
    epsilon: float = attrs.field(converter=_epsilon, validator=positive)


@final
@attrs.frozen
class ApproxDP(Budget):
    """Approximate differential privacy, priced by the tightest of all accountants.

    Parameters
    ----------
    epsilon : float
        Positive and finite.
    delta : float
        Strictly between 0 and 1; the loss's own delta is paid from it.

    Examples
    --------
    >>> from dpframe.proof.losses import Gaussian
    >>> ApproxDP(1.0, 1e-6).verdict(Loss.of(Gaussian(0.2))).holds
    True
    >>> ApproxDP(1.0, 1e-6).verdict(Loss.of(Gaussian(0.4))).holds
    False
    """

    kind: ClassVar[str] = "approx_dp"
    epsilon: float = attrs.field(converter=_epsilon, validator=positive)
    delta: float = attrs.field(converter=_delta, validator=probability)

    def verdict(self, loss: Loss) -> Verdict:
        """Hold if some accountant gives an epsilon within the budget at its delta."""
        value, name = tightest_epsilon(loss, self.delta)
        return Verdict(value <= self.epsilon, name, {"epsilon": value, "delta": self.delta})


@final
@attrs.frozen
class ZCDP(_Single):
    """Zero-concentrated differential privacy.

    Parameters
    ----------
    rho : float
        Positive and finite.
    """

    kind: ClassVar[str] = "zcdp"
    accountant: ClassVar[str] = "zcdp"
    rho: float = attrs.field(converter=_rho, validator=positive)


@final
@attrs.frozen
class GDP(_Single):
    """Gaussian differential privacy.

    Parameters
    ----------
    mu : float
        Positive and finite.
    """

    kind: ClassVar[str] = "gdp"
    accountant: ClassVar[str] = "gdp"
    mu: float = attrs.field(converter=_mu, validator=positive)


_FORMS: dict[str, type[Budget]] = {form.kind: form for form in (PureDP, ApproxDP, ZCDP, GDP)}


def budget_from_json(data: object) -> Budget:
    """Read a budget from parsed JSON.

    Raises
    ------
    CertificateError
        Unknown type, missing or unknown keys, or a number out of range.
    """
    kind = mapping(data, "a budget").get("type")
    if not isinstance(kind, str) or kind not in _FORMS:
        raise CertificateError(f"unknown budget type {kind!r}", fix=f"one of {', '.join(_FORMS)}")
    names = [field.name for field in attrs.fields(_FORMS[kind])]  # type: ignore[arg-type]
    fields = keys(data, f"budget '{kind}'", ("type", *names))
    return built(f"budget '{kind}'", lambda: _FORMS[kind](*[fields[name] for name in names]))

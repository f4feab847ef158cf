"""Budgets: what a program may spend, in four forms.

A budget has no default anywhere. Pure DP, zCDP and GDP budgets admit no delta at all.
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import attrs

from dpframe.errors import CertificateError
from dpframe.proof.losses._numeric import LossError, probability, real, spendable
from dpframe.proof.readers import built, keys, mapping


def _number(name: str, value: Any) -> float:
    """A number of a budget, which has no default: None, a boolean or a text is refused with the parameter's name."""
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


class Budget:
    """A privacy budget in one of the forms below.

    All but one bound a number that adds up by itself, and admit no delta: ``view`` names it and its accountant.
    """

    __slots__ = ()
    kind: ClassVar[str]
    view: ClassVar[tuple[str, str]]

    def to_json(self) -> dict[str, Any]:
        """Plain data for :func:`budget_from_json`."""
        return {"type": self.kind, **attrs.asdict(self)}  # type: ignore[arg-type]

    @staticmethod
    def from_json(data: object) -> Budget:
        """The same as :func:`budget_from_json`."""
        return budget_from_json(data)


@final
@attrs.frozen
class PureDP(Budget):
    """Pure differential privacy: the epsilons add and delta is 0.

    Parameters
    ----------
    epsilon : float
        At least 1e-300, which is the least that a loss is reported as, and finite.
    """

    kind: ClassVar[str] = "pure_dp"
    view: ClassVar[tuple[str, str]] = ("epsilon", "basic")
    epsilon: float = attrs.field(converter=_epsilon, validator=spendable)


@final
@attrs.frozen
class ApproxDP(Budget):
    """Approximate differential privacy, priced by the tightest of all accountants.

    Parameters
    ----------
    epsilon : float
        At least 1e-300, which is the least that a loss is reported as, and finite.
    delta : float
        Strictly between 0 and 1; the loss's own delta is paid from it.
    """

    kind: ClassVar[str] = "approx_dp"
    epsilon: float = attrs.field(converter=_epsilon, validator=spendable)
    delta: float = attrs.field(converter=_delta, validator=probability)


@final
@attrs.frozen
class ZCDP(Budget):
    """Zero-concentrated differential privacy.

    Parameters
    ----------
    rho : float
        At least 1e-300, which is the least that a loss is reported as, and finite.
    """

    kind: ClassVar[str] = "zcdp"
    view: ClassVar[tuple[str, str]] = ("rho", "zcdp")
    rho: float = attrs.field(converter=_rho, validator=spendable)


@final
@attrs.frozen
class GDP(Budget):
    """Gaussian differential privacy.

    Parameters
    ----------
    mu : float
        At least 1e-300, which is the least that a loss is reported as, and finite.
    """

    kind: ClassVar[str] = "gdp"
    view: ClassVar[tuple[str, str]] = ("mu", "gdp")
    mu: float = attrs.field(converter=_mu, validator=spendable)


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

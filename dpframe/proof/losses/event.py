"""The abstract event: what one mechanism costs, seen in every view an accountant may ask for."""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.proof.losses._numeric import FloatArray, U, check_orders
from dpframe.proof.roots import boundary

Key = tuple[Any, ...]


class Event(ABC):
    r"""One mechanism's privacy loss over all neighbouring inputs, in both directions.

    Each view is an *upper bound* that holds by itself; ``inf`` or ``None`` says that the view is not known.
    Views compose independently (:math:`\varepsilon`, :math:`\rho` and each Rényi order add,
    :math:`\mu^2` adds, dominating pairs multiply), also under adaptive composition.

    Attributes
    ----------
    epsilon : float
        The mechanism is ``epsilon``-DP.
    rho : float
        It is ``rho``-zCDP: :math:`D_a \le \rho a` for every order :math:`a > 1`.
    mu : float
        It is ``mu``-GDP.
    """

    __slots__ = ()
    kind: ClassVar[str]

    @property
    def epsilon(self) -> float:
        """Pure DP parameter, ``inf`` where there is none; with ρ = 0 neighbours have one law."""
        return 0.0 if self.rho == 0 else math.inf

    @property
    @abstractmethod
    def rho(self) -> float:
        """The zCDP parameter, ``inf`` where there is none."""

    @property
    def mu(self) -> float:
        """GDP parameter, ``inf`` where there is none."""
        return 0.0 if self.rho == 0 else math.inf

    @property
    def alternatives(self) -> tuple[tuple[tuple[Event, int], ...], ...]:
        """Composed losses of which this is one, chosen by what was released before; none for a mechanism's own."""
        return ()

    @property
    def dominated(self) -> bool:
        """Whether one dominating pair is known: that of :meth:`profile`, or one made of its alternatives' pairs."""
        return True

    @property
    def simpler(self) -> Event:
        """An event that dominates this one and is quicker to put on a lattice, if one is known."""
        return self

    def rdp(self, orders: FloatArray) -> FloatArray:
        """Rényi divergence bound at every order above 1; ``inf`` where it is unknown.

        Parameters
        ----------
        orders : ndarray, shape (m,)
            Finite orders above 1.

        Returns
        -------
        ndarray, shape (m,)
        """
        with np.errstate(all="ignore"):
            return self._rdp(check_orders(orders))

    def curve(self, orders: FloatArray) -> FloatArray:
        """:meth:`rdp` at orders that are checked already, with NumPy's warnings off."""
        return self._rdp(orders)

    def profile(self, eps: FloatArray) -> FloatArray | None:
        r"""Upper bound of the privacy profile, or ``None``.

        .. math:: \delta(x) = \sup_{D\sim D'} H_{e^x}(M(D)\,\|\,M(D')),\qquad
                  H_\alpha(P\|Q) = \sup_S P(S) - \alpha Q(S),

        over *ordered* neighbouring pairs, so both directions are covered, for any real ``eps``. The function
        that is bounded is convex in :math:`e^x`, so it is the profile of one dominating pair (Zhu, Dong and
        Wang, AISTATS 2022, Proposition 8 and Theorem 10), which may stand for the mechanism in any adaptive
        composition.
        """
        bounds = self.enclosure(eps)
        return None if bounds is None else bounds[1]

    def enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """Bounds, below and above, of *one* convex profile that dominates the mechanism, or ``None``."""
        with np.errstate(all="ignore"):
            return self._enclosure(np.asarray(eps, dtype=np.float64))

    def atoms(self) -> tuple[FloatArray, FloatArray] | None:
        """Losses and their probabilities when the dominating pair has few outcomes, else ``None``."""
        return None

    def _rdp(self, orders: FloatArray) -> FloatArray:
        """Implement :meth:`rdp` for checked orders; as given, what zCDP allows."""
        return orders * self.rho * (1 + 4 * U)

    @abstractmethod
    def _enclosure(self, eps: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """Implement :meth:`enclosure`."""

    def reach(self, cut: float) -> float:
        """A loss beyond which the profile is at most ``cut``: the pure epsilon, or found by doubling and halving."""
        if math.isfinite(self.epsilon) or not self.dominated:
            return self.epsilon
        high = 1.0
        while self._above(high, cut):
            high *= 2
            if high > 1e6:
                return math.inf
        return boundary(lambda eps: not self._above(eps, cut), high, 0.0, steps=20)[0]

    def _above(self, eps: float, cut: float) -> bool:
        values = self.profile(np.array([eps]))
        return values is None or float(values[0]) > cut

    def to_json(self) -> dict[str, Any]:
        """Plain data that :func:`~dpframe.proof.losses.event_from_json` turns back into an equal event."""
        return {"type": self.kind, **{name: _plain(value) for name, value in self._fields()}}

    def key(self) -> Key:
        """A tuple that orders events and is equal only for equal events."""
        return (self.kind, *(value for _, value in self._fields()))

    def _fields(self) -> list[tuple[str, Any]]:
        return [(name, getattr(self, name)) for name in field_names(type(self))]


@functools.cache
def field_names(kind: type[Event]) -> tuple[str, ...]:
    """Names of an event's numbers, in order."""
    return tuple(field.name for field in attrs.fields(kind))  # type: ignore[arg-type]


def _plain(value: Any) -> Any:
    """JSON data of a field: infinity has no JSON number, so it is the string ``"inf"``."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Event):
        return value.to_json()
    return "inf" if value == math.inf else value

"""What a plugin registers besides operations: semimetrics and masks, with what it asserts of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from dpframe.errors import SpecError
from dpframe.kernel.origins import as_function
from dpframe.kernel.registry import claim_of, find, table

F = TypeVar("F", bound=Callable[..., Any])
SEMIMETRICS, FAMILIES, MASKS = table("semimetric"), table("family"), table("mask")
CALLED = {
    "distance": "a, b",
    "triangle": "r",
    "averages": "r, tau",
    "usable": "value, r",
    "function": "value, noise, normals",
    "cost": "noise, r",
    "log_density": "rows, theta",
    "size": "d",
    "sample": "theta, count, generator",
    "fit": "rows, generator",
    "example": "d, generator",
}
"""What each function of a semimetric, a mask and a family is called with, by position."""


@attrs.frozen
class Semimetric:
    """A distance with an approximate triangle inequality: d(a, c) <= z(r)·(d(a, b) + d(b, c)) for distances up to r.

    Attributes
    ----------
    name : str
    distance : callable
        ``(a, b) -> float`` of two vectors: symmetric, and a function of these two alone.
    triangle : callable
        ``r -> z``, at least 1.
    averages : callable, optional
        ``(r, tau) -> gamma``: values that are pairwise within r, averaged by weights that differ by tau in total
        variation, are within gamma, as float64 numbers. ``tau·r`` for a distance that is jointly convex. None where
        averages are not to be taken.
    usable : callable, optional
        ``(value, r) -> bool``: which values take part at all, each by itself. All do if not given.
    many : bool
        Whether ``distance`` takes a vector (d,) and rows (m, d) and gives m distances, each that of its own row.
    """

    name: str
    distance: Callable[[Any, Any], Any]
    triangle: Callable[[float], float]
    averages: Callable[[float, float], float] | None = None
    usable: Callable[[Any, float], bool] | None = None
    many: bool = False


@attrs.frozen
class Mask:
    """Noise for values that are known to be within r of one another in a semimetric.

    Attributes
    ----------
    name, semimetric : str
    function : callable
        ``(value, noise, normals) -> vector``; ``normals(count)`` gives standard Gaussians.
    cost : callable
        ``(noise, r) -> rho`` of zCDP, decreasing in the noise; or the event that it is: a dominating pair
        (:class:`~dpframe.proof.losses.Gaussian`, ``Pure``, ``Laplace``, ``BoundedRange``), or a ``Renyi`` curve.
    """

    name: str
    semimetric: str
    function: Callable[..., Any]
    cost: Callable[[float, float], Any]


@attrs.frozen
class Family:
    """A family of distributions over rows, with parameters in one vector.

    Attributes
    ----------
    name : str
    log_density : callable
        ``(rows (m, d), theta (p,)) -> (m,)``, row by row, up to a function of the row alone that all members share.
    size : callable
        ``d -> p``, the number of parameters over d columns.
    sample : callable
        ``(theta, count, generator) -> rows (count, d)``, for public integration.
    fit : callable
        ``(rows, generator) -> theta``, a non-private learner.
    example : callable
        ``(d, generator) -> theta``, some member, for attacks.
    semimetric, mask, decoder, cells : str
        Registered names, where there are such: of a distance of two thetas, its mask, a composite that lists members
        privately (rows to a released list of thetas), and one that releases cells. Empty where there is none.
    """

    name: str
    log_density: Callable[[Any, Any], Any]
    size: Callable[[int], int]
    sample: Callable[[Any, int, Any], Any]
    fit: Callable[[Any, Any], Any]
    example: Callable[[int, Any], Any]
    semimetric: str = ""
    mask: str = ""
    decoder: str = ""
    cells: str = ""


def _keep(known: dict[str, Any], name: str, made: Any, what: str, function: Callable[..., Any]) -> None:
    """Register what was made of a function, unless one of its functions can't be called as it will be."""
    for key, words in CALLED.items():
        given = getattr(made, key, None)
        try:
            if given is not None:
                inspect.signature(given).bind(*words.split(", "))
        except TypeError:
            raise SpecError(
                f"{what} {name!r}: {key} is called with ({words}), and does not take these",
                fix=f"write {key} for them, by position",
            ) from None
        except ValueError:  # a function of C that does not say
            continue
    claim_of(known, name, made, function, what)


def semimetric(
    name: str,
    *,
    triangle: Callable[[float], float],
    averages: Callable[[float, float], float] | None = None,
    usable: Callable[[Any, float], bool] | None = None,
    many: bool = False,
) -> Callable[[F], F]:
    """Function decorator: a distance of two vectors for the populous estimator, available under ``name``.

    See :class:`Semimetric` for the parameters.

    Examples
    --------
    >>> @semimetric("doctest.line", triangle=lambda r: 1.0)
    ... def line(a, b):
    ...     return abs(float(a[0] - b[0]))
    >>> find_semimetric("doctest.line").triangle(0.5)
    1.0
    """

    def keep(function: F) -> F:
        known = as_function(function, name)
        made = Semimetric(name, known, triangle, averages, usable, many)
        _keep(SEMIMETRICS, name, made, "semimetric", known)
        return function

    return keep


def mask(name: str, *, semimetric: str, cost: Callable[[float, float], Any]) -> Callable[[F], F]:
    """Function decorator: noise for values that are within r of one another in ``semimetric``.

    See :class:`Mask` for the parameters.
    """

    def keep(function: F) -> F:
        known = as_function(function, name)
        _keep(MASKS, name, Mask(name, semimetric, known, cost), "mask", known)
        return function

    return keep


def family(
    name: str,
    *,
    size: Callable[[int], int],
    sample: Callable[[Any, int, Any], Any],
    fit: Callable[[Any, Any], Any],
    example: Callable[[int, Any], Any],
    **names: str,
) -> Callable[[F], F]:
    """Function decorator: the log-density of a family of distributions, available under ``name``.

    See :class:`Family` for the parameters.
    """

    def keep(function: F) -> F:
        known = as_function(function, name)
        _keep(FAMILIES, name, Family(name, known, size, sample, fit, example, **names), "family", known)
        return function

    return keep


def find_semimetric(name: str) -> Semimetric:
    """A registered semimetric by name."""
    return find("semimetric", name)  # type: ignore[no-any-return]


def find_family(name: str) -> Family:
    """A registered family of distributions by name."""
    return find("family", name)  # type: ignore[no-any-return]


def find_mask(name: str) -> Mask:
    """A registered mask by name."""
    return find("mask", name)  # type: ignore[no-any-return]

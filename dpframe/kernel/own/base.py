"""What all own operations share: they are what their plugin declares under their name, and its errors tell nothing."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

import attrs

from dpframe.errors import PlanError, SpecError, nearest
from dpframe.kernel import registry
from dpframe.kernel.finding import import_owners
from dpframe.kernel.foreign import Floats, flat, rowwise
from dpframe.kernel.operations import Operation
from dpframe.kernel.origins import as_function, origin_of
from dpframe.kernel.owned import OWNED, Own, as_text
from dpframe.proof.spaces import Domain
from dpframe.proof.spaces.checks import scalar
from dpframe.proof.theorems import DECLARATIONS
from dpframe.proof.theorems.own import RELEASED, given
from dpframe.proof.theorems.shaping import base

ELEMENTS = 2**18
"""Numbers of an image that are held at once."""


def owned() -> Mapping[str, Own]:
    """All operations of plugins' own."""
    registry.discover()
    return OWNED


def find_own(name: str) -> Own:
    """A plugin's own operation by name.

    Raises
    ------
    SpecError
        For an unknown one, with the nearest.
    """
    if name not in OWNED:
        registry.find_either(name)  # imports whatever may register it
    known = OWNED.get(name)
    if known is None:
        hint = nearest(str(name), owned(), "load it with --plugins DIR, or install it")
        raise SpecError(f"no plugin that is loaded has an operation {name!r}", fix=hint)
    return known


def keep(known: Own, *given: Any) -> None:
    """Make an operation available under its name, with the digest of the plugin's files and of what was given it.

    Raises
    ------
    SpecError
        For what is in no file, or a name of the kernel's or of another plugin's: none is given away.
    """
    name, origin = known.name, origin_of(known.function, known.claim, *given)
    if not origin.digest:
        raise SpecError(f"{name!r}: {origin.why}", fix="put it into a .py file of a folder of its own, and import it")
    import_owners(name)  # what is installed keeps its names, imported or not
    if any(name in table for table in (DECLARATIONS, registry._operations, registry._composites)):
        raise SpecError(f"operation {name!r} has the name of another one", fix="rename it")
    function = as_function(known.function, name)
    registry.claim_of(OWNED, name, attrs.evolve(known, origin=origin, function=function), function, "own operation")


@attrs.frozen(slots=False)
class Owned(Operation):
    """An operation of a plugin's own. A planner or a certificate gives all fields; a program gives a name only.

    Parameters
    ----------
    of : str
        Name that a decorator, ``@dp.own_...``, gave the function; ``dp.own(name, ...)`` and a spec's ``op = name`` fill
        in this and all that follows.
    settings : str
        Parameters of the function, as JSON text.
    plugin : str
        Digest of the plugin's folder and the version of dpframe.
    assumes : tuple of str
        Hypotheses of the plugin's proof.
    """

    of: str = attrs.field(kw_only=True, converter=scalar)
    settings: str = attrs.field(kw_only=True)
    plugin: str = attrs.field(kw_only=True)
    assumes: tuple[str, ...] = attrs.field(kw_only=True, converter=tuple)

    def __attrs_post_init__(self) -> None:
        agree(self)

    @property
    def known(self) -> Own:
        """What the plugin registered under this name."""
        return find_own(self.of)

    @property
    def keywords(self) -> dict[str, Any]:
        """Parameters of the plugin's function, by name."""
        found: dict[str, Any] = json.loads(self.settings)
        return found

    def images(self, values: Floats, params: tuple[Any, ...], width: int) -> Floats:
        """Images (m, width) of rows by the plugin's function, NaN where there is none."""
        function = functools.partial(flat, self.known.function, params, self.keywords, width)
        return rowwise(function, values, width)


def agree(operation: Any) -> None:
    """Refuse an operation that is not what the plugin declares under its name, with these parameters and files.

    Raises
    ------
    PlanError
    """
    known = find_own(operation.of)
    if known.operation != operation.name:
        raise PlanError(
            f"{operation.of!r} is a {known.kind} of a plugin's own, not {operation.name}", fix="use its name"
        )
    if known.digest != operation.plugin:
        raise PlanError(
            f"{operation.of!r} is planned with a plugin of digest {str(operation.plugin)[:16]}..., "
            f"and {known.digest[:16]}... is loaded",
            fix="load the files it was planned with, or plan again",
        )
    try:
        settings = json.loads(operation.settings)
    except (TypeError, ValueError):
        settings = None
    if not isinstance(settings, dict) or as_text(settings) != operation.settings:
        raise PlanError(
            f"{operation.of!r}: its settings are no JSON object in the order of its keys", fix="use its name"
        )
    for key, value in known.fields_of(known.settings(settings)).items():
        if getattr(operation, key) != value:
            raise PlanError(
                f"{operation.of!r} is declared with {key} = {value!r}, not {getattr(operation, key)!r}",
                fix="use its name",
            )


def pieces(rows: int, width: int) -> list[slice]:
    """Cut rows so that their images stay small."""
    size = max(64, ELEMENTS // max(width, 1))
    return [slice(start, min(start + size, rows)) for start in range(0, rows, size)]


shape_of = base.shape_of
"""Shape of a value."""


def value_domain(operation: Any) -> Domain:
    """The domain that an own operation declares."""
    return given(operation.parameters(), RELEASED)

"""Differentially private estimators as typed graphs, checked and priced before any data is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpframe.version import VERSION as __version__  # noqa: F401

if TYPE_CHECKING:
    from dpframe.front.api import *  # noqa: F403
    from dpframe.front.api import __all__ as __all__
else:

    def __getattr__(name: str) -> Any:
        """The verbs and nouns, when the first is asked for: a command that is interrupted as it starts has none."""
        if name.startswith("__") and name != "__all__":  # what tools ask of any module
            raise AttributeError(name)
        from dpframe.front import api

        names = globals()
        if "__all__" not in names:  # once: what is put in a name's place later stays
            names.update({known: getattr(api, known) for known in api.__all__}, __all__=api.__all__)
        if name not in names:
            raise AttributeError(f"module 'dpframe' has no attribute {name!r}")
        return names[name]


def __dir__() -> list[str]:
    from dpframe.front import api

    return sorted({*globals(), *api.__all__} - {"TYPE_CHECKING", "Any", "annotations"})

"""What a plugin's file registers, wherever that is defined."""

from __future__ import annotations

import contextlib
import inspect
from pathlib import Path
from typing import Any

from dpframe.kernel.origins import PLACES


def registers(path: Path, kind: str, name: str, thing: Any) -> bool:
    """Whether a file registers something, or defines it; of a package's ``__init__.py`` all that the package does."""
    places = [PLACES.get((kind, name), "")]
    with contextlib.suppress(TypeError, OSError):
        places.append(inspect.getfile(thing))
    files = [Path(place).resolve() for place in places if place]
    home = path.resolve().parent if path.name == "__init__.py" else path.resolve()
    return any(file == home or (home in file.parents and path.name == "__init__.py") for file in files)

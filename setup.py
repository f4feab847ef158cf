"""The list of packages; everything else about the build is in pyproject.toml.

``plugins/`` is installed as ``dpframe_plugins``, ``specs/`` as ``dpframe_specs``, and the pages of ``docs/`` as
``dpframe_docs``, for messages name them. Setuptools can rename a
package declaratively but cannot then find its sub-packages, so the list is made here. ``dpframe_command`` is the
console's way in, a module by itself so that it runs before the package is imported.
"""

from setuptools import find_packages, setup

setup(
    packages=[
        *find_packages(include=["dpframe", "dpframe.*"]),
        "dpframe_plugins",
        *(f"dpframe_plugins.{name}" for name in find_packages("plugins")),
        "dpframe_specs",
        *(f"dpframe_docs{name}" for name in ("", ".theory", ".tutorials", ".from")),
    ],
    py_modules=["dpframe_command"],
    package_dir={"dpframe_plugins": "plugins", "dpframe_specs": "specs", "dpframe_docs": "docs"},
)

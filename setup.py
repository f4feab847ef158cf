"""The list of packages; everything else about the build is in pyproject.toml.

``plugins/`` is installed as ``dpframe_plugins``, ``specs/`` as ``dpframe_specs``, and the pages of ``docs/`` as
``dpframe_docs``, for messages name them. Setuptools can rename a
package declaratively but cannot then find its sub-packages, so the list is made here.
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
    package_dir={"dpframe_plugins": "plugins", "dpframe_specs": "specs", "dpframe_docs": "docs"},
)

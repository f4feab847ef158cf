"""The list of packages; everything else about the build is in pyproject.toml.

``plugins/`` is installed as ``dpframe_plugins`` and ``specs/`` as ``dpframe_specs``. Setuptools can rename a
package declaratively but cannot then find its sub-packages, so the list is made here.
"""

from setuptools import find_packages, setup

setup(
    packages=[
        *find_packages(include=["dpframe", "dpframe.*"]),
        "dpframe_plugins",
        *(f"dpframe_plugins.{name}" for name in find_packages("plugins")),
        "dpframe_specs",
    ],
    package_dir={"dpframe_plugins": "plugins", "dpframe_specs": "specs"},
)

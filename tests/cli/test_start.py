"""What a command has imported before it can answer an interruption: hardly anything."""

from __future__ import annotations

import subprocess
import sys

import dpframe


def test_the_command_line_stands_before_the_package_is_imported() -> None:
    """Ctrl-C while the rest is imported is then answered by ``main`` (130, one line), not by a traceback."""
    code = "import sys, dpframe.cli; print([m for m in sys.modules if m.startswith(('dpframe.', 'numpy'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['dpframe.version', 'dpframe.cli']"


def test_interrupted_while_it_imports_a_command_says_so_and_ends_with_130() -> None:
    code = (
        "import sys, builtins, dpframe.cli\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'dpframe.kernel.registry': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "sys.exit(dpframe.cli.main(['specs']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "dpframe: interrupted; a loss that attempt.json records counts as spent\n"


def test_names_come_when_they_are_asked_for() -> None:
    names: dict[str, object] = {}
    exec("from dpframe import *", names)
    assert names["plan"] is dpframe.plan
    assert {"plan", "rows", "__version__"} <= set(dir(dpframe))
    assert not hasattr(dpframe, "no_such_name")


def test_what_is_put_in_a_names_place_stays() -> None:
    """A name that is not there, or a submodule that is imported, must not bring the first ones back."""
    code = (
        "import dpframe; dpframe.plan; dpframe.plan = 'another'; hasattr(dpframe, 'no_such_name')\n"
        "from dpframe import testing; print(dpframe.plan)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "another"

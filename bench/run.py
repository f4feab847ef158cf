"""All benchmarks, one after the other; numbers go into bench/results/."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Run every script beside this one."""
    here = Path(__file__)
    failed = []
    for script in sorted(here.parent.glob("*.py")):
        if script == here or script.stem.startswith("_") or script.stem == "tables":
            continue
        print(f"== {script.name}", flush=True)
        if subprocess.run([sys.executable, str(script)], check=False).returncode:
            failed.append(script.name)
    print("failed: " + ", ".join(failed) if failed else "all benchmarks ran")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())

"""Draw the figures of the studies from their files of results: ``python -m benchmarks.figures``.

The documentation does so when it is built, into ``docs/_static/studies``.
"""

from __future__ import annotations

import sys
from importlib import import_module
from unittest.mock import patch

from benchmarks.studies import STUDIES

__all__ = ["draw", "main"]

WITHOUT = {
    "c_library", "contacts", "couplings", "identification",
    "interop", "interop_compile", "inverse_kinematics", "linkages", "matlab_mex",
    "migrate", "migrate_speeds", "migrate_users", "parallel_robots", "peers", "readme", "robots",
    "simulation",
    "sparsity", "start", "streaming", "symbolic", "targets", "ten_tasks", "threads", "trees",
}  # fmt: skip
"""Studies of which the documentation shows tables alone."""


def draw(name: str, *arguments: str) -> None:
    """Run a study with ``--redraw``, in this process."""
    study = STUDIES[name]
    command = [name, "--name", name, *study.arguments, "--redraw", *arguments]
    with patch.object(sys, "argv", command):
        import_module(study.module).main()


def main() -> None:
    """Draw all figures; further arguments, as ``--figures FOLDER``, are those of a study."""
    for name in STUDIES:
        if name not in WITHOUT:
            draw(name, *sys.argv[1:])


if __name__ == "__main__":
    main()

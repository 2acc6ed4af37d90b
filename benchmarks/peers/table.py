"""Comparison with other libraries on one state, and on batches if they support them.

``python -m benchmarks peers``. Each library is optional: those that cannot be imported are reported
and left out.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator

from benchmarks import study
from benchmarks.results_file import Row
from benchmarks.robots import robot, states
from benchmarks.timing import least

ROBOTS = ["ur3", "panda", "hyq"]
LIBRARIES = {
    "textbook": "numpy",
    "casadi_forms": "casadi",
    "jax_forms": "jax",
    "rbdreference": "RBDReference",
}
"""Modules of this package, and the packages that they need."""


def available() -> dict[str, bool]:
    """Return the libraries that can be imported."""
    found = {}
    for module, needs in LIBRARIES.items():
        try:
            importlib.import_module(needs)
        except ImportError:
            found[module] = False
        else:
            found[module] = True
    return found


def table(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each robot, function, library and form: time per state."""
    there = available()
    if missing := [LIBRARIES[module] for module, found in there.items() if not found]:
        print(f"not installed, left out: {', '.join(missing)}")
    for name in args.robots:
        model = robot(name)
        sample = states(model, 256)
        head = {"robot": name, "NV": model.NV}
        for module in (module for module, found in there.items() if found):
            rounds = importlib.import_module(f"benchmarks.peers.{module}").rounds
            for function, form, count, seconds in rounds(name, model, sample):
                us = least({form: seconds}, **args.effort)[form] / count
                yield head | {"function": function, "library": form, "us": us}


def main() -> None:
    study.table("peers", study.options(__doc__, robots=ROBOTS), table)


if __name__ == "__main__":
    main()

"""Generated code compared with the algorithms (paper 000, Figs. 9, 10 and 19).

``python -m benchmarks code_size``. CasADi differentiates our first derivatives automatically and
writes the second derivatives as C code, for each model anew. The lines and bytes of this code are
counted. It is compiled with -O3, and its time is compared with that of our functions.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import study
from benchmarks.cpp.build import compiler
from benchmarks.peers.casadi_forms import compiled, functions, seconds_of
from benchmarks.results_file import Row
from benchmarks.robots import states
from benchmarks.timing import least, round_of
from derivatives import FD_SO_derivatives, ID_SO_derivatives

OURS: dict[str, Callable[..., object]] = {"ID_SO": ID_SO_derivatives, "FD_SO": FD_SO_derivatives}
LARGEST = 4
"""Number of bodies of the largest model whose code is compiled; for more bodies -O3 takes minutes.
"""
METHODS = ["ID_SO", "FD_SO"]


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each model and function: size of the code, and times if it is compiled."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for family, model in study.models(args):
            sample = states(model, 1, args.seed)
            state = [sample[key][0] for key in "qvx"]
            for ours, function in functions(model).items():
                if ours not in OURS:
                    continue
                row: Row = {"family": family, "n": model.NB, "method": ours}
                row |= size(function, folder)
                calls = {
                    "here": round_of(partial(OURS[ours], model, *state)),
                    "CasADi, interpreted": seconds_of(function, state),
                }
                if compiler() and model.NB <= LARGEST:
                    start = time.perf_counter()
                    fast = compiled(function, folder)
                    row["seconds to compile"] = time.perf_counter() - start
                    if fast is not None:
                        calls["CasADi, compiled C"] = seconds_of(fast, state)
                yield row | least(calls, **args.effort)


def size(function: Any, folder: Path) -> Row:
    """Return lines and kilobytes of a function's C code, and the number of operations in it."""
    import casadi

    generator = casadi.CodeGenerator("size.c")
    generator.add(function)
    generator.generate(f"{folder}/")
    code = (folder / "size.c").read_text()
    operations = function.n_instructions()
    return {"lines": code.count("\n"), "KB": len(code) / 1024, "operations": operations}


def main() -> None:
    args = study.options(__doc__, sizes=[2, 3, 4, 6, 8])
    rows = study.table("code_size", args, measure)
    fig, (lines, times) = study.figure(2)
    study.curves(lines, rows, "lines", METHODS)
    lines.set(title="C code that CasADi writes", ylabel="lines")
    columns = ["here", "CasADi, compiled C", "CasADi, interpreted"]
    timed = [
        row | {"who": who, "us": row[who]}
        for row in rows
        for who in columns
        if row["method"] == "ID_SO" and row.get(who)
    ]
    study.curves(times, timed, "us", columns, key="who")
    times.set(title="ID_SO, one state", ylabel="µs")
    study.legend(fig, columns)
    study.save(fig, args, "code_size")


if __name__ == "__main__":
    main()

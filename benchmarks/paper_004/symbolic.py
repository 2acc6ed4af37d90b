"""Christoffel symbols by computer algebra (paper 004, Table 2): from partial derivatives of H, and
by Algorithm 2.

``python -m benchmarks symbolic``. All run on SymPy's symbols and are not simplified; operations
are counted in the expressions as they stand, and with common subexpressions shared (`sympy.cse`).
Algorithm 2 is there as the library has it, with masks, for small trees only, and with the loops of
the paper.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks import study
from benchmarks.results_file import Row
from derivatives import Christoffel
from derivatives.reference import christoffel_loops
from spatial_v2 import CRBA, Model
from spatial_v2.models import autoTree


def by_partials(model: Model, q: np.ndarray) -> np.ndarray:
    """Compute the symbols by eq. (4): half of dH_ij/dq_k + dH_ik/dq_j - dH_jk/dq_i."""
    import sympy

    H = CRBA(model, q)
    dH = np.array([[[sympy.diff(x, y) for y in q] for x in row] for row in H], dtype=object)
    moved = np.transpose(dH, (0, 2, 1)) - np.transpose(dH, (2, 0, 1))
    return np.asarray((dH + moved) / 2)


METHODS: dict[str, Callable[[Model, np.ndarray], Any]] = {
    "Eq. (4), partials of H": by_partials,
    "Algorithm 2": Christoffel,
    "Algorithm 2, loops": christoffel_loops,
}
MASKED, LARGEST = "Algorithm 2", 5
"""Name of the method with masks, and largest number of bodies for which it is run."""


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each size and method; the methods are checked to agree at a state."""
    import sympy

    for n in args.sizes:
        model = autoTree(n, 2, args.skew)
        q = np.array(sympy.symbols(f"q:{n}", real=True), dtype=object)
        where = np.random.default_rng(args.seed).normal(size=n)
        for name, method in METHODS.items():
            if name == MASKED and n > LARGEST:
                continue
            start = time.perf_counter()
            symbols = list(np.ravel(method(model, q)))
            seconds = time.perf_counter() - start
            shared, rest = sympy.cse(symbols)
            value = sympy.lambdify(list(q), symbols, cse=True)(*where)
            wanted = np.ravel(Christoffel(model, where))
            np.testing.assert_allclose(value, wanted, rtol=1e-9, atol=1e-9)
            yield {
                "family": "binary tree", "n": n, "method": name, "seconds": seconds,
                "operations": sum(int(sympy.count_ops(x)) for x in symbols),
                "shared": sum(int(sympy.count_ops(x)) for x in [*rest, *(x for _, x in shared)]),
            }  # fmt: skip


def main() -> None:
    study.table("symbolic", study.options(__doc__, sizes=[2, 3, 4, 5, 10, 15]), measure)


if __name__ == "__main__":
    main()

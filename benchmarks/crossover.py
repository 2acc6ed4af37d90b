"""Where dense products stop winning: DMM and DTM against AZA and IDFOZA (paper 000, Fig. 14).

Run from the root of the repository: ``OMP_NUM_THREADS=1 python -m benchmarks.crossover``. Times are
for one state and one product: of H^-1 with a matrix (DMM or AZA), of dM/dq with a matrix (DTM or
IDFOZA), of H^-1 with a tensor (DTM or AZA), as in `FD_derivatives` and `FD_SO_derivatives`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks import study
from benchmarks.timing import interleaved
from derivatives import AZA, IDFOZA, ID_derivatives, ID_SO_derivatives
from spatial_v2 import Hinverse, Model

METHODS = ["dense (DMM, DTM)", "AZA or IDFOZA"]
TERMS = {"first": "First order: H⁻¹ times a matrix", "inner": "Inner term", "outer": "Outer term"}


def products(
    model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> dict[str, tuple[Callable[[], np.ndarray], Callable[[], np.ndarray]]]:
    """For each term the dense product and the recursive one."""
    n, T = model.NV, np.matrix_transpose
    Minv, B = Hinverse(model, q), ID_derivatives(model, q, qd, qdd).dtau_dq
    P = T(Minv @ B)
    dM = ID_SO_derivatives(model, q, qd, qdd).dM_dq
    flat = dM.reshape(n, n * n)
    return {
        "first": (lambda: Minv @ B, lambda: T(AZA(model, q[None], T(B)))),
        "inner": (
            lambda: P[None] @ dM,
            lambda: np.moveaxis(IDFOZA(model, q[None], P), -3, -2),
        ),
        "outer": (lambda: Minv @ flat, lambda: T(AZA(model, q[None], T(flat)))),
    }


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """A row for each model, term and method; all are measured in turn."""
    calls = {}
    for family, model in study.models(args):
        for term, pair in products(model, *study.states(args, model)[0]).items():
            dense, recursive = (call() for call in pair)
            scale = np.abs(dense).max()
            np.testing.assert_allclose(recursive, dense, atol=1e-8 * scale, rtol=0)
            for method, call in zip(METHODS, pair, strict=True):
                calls[family, model.NB, term, method] = call
    for key, us in interleaved(calls, **args.effort).items():
        yield dict(zip(("family", "n", "term", "method"), key, strict=True)) | {"us": us}


def crossing(rows: list[study.Row]) -> str:
    """From which N on the recursive product is the faster one, between the sizes measured."""
    dense, recursive = (
        {row["n"]: row["us"] for row in rows if row["method"] == method} for method in METHODS
    )
    sizes = sorted(dense)
    won = [n for n in sizes if all(recursive[m] < dense[m] for m in sizes if m >= n)]
    if not won:
        ratio = recursive[sizes[-1]] / dense[sizes[-1]]
        return f"none up to {sizes[-1]:g} ({ratio:.1f} x the time there)"
    b = min(won)
    if b == sizes[0]:
        return f"below {b:g}"
    a = sizes[sizes.index(b) - 1]
    la, lb = (np.log(recursive[n] / dense[n]) for n in (a, b))
    return f"{np.exp(np.log(a) + np.log(b / a) * la / (la - lb)):.0f}"


def main() -> None:
    args = study.options(__doc__, sizes=[5, 10, 20, 30, 50, 70, 100, 140, 200], states=1)
    rows = study.table("crossover", args, measure)
    fig, panels = study.figure(3)
    for axes, (term, title) in zip(panels, TERMS.items(), strict=True):
        chosen = [row for row in rows if row["term"] == term]
        study.curves(axes, chosen, "us", METHODS)
        axes.set(title=title)
        for family in sorted({row["family"] for row in chosen}):
            mine = [row for row in chosen if row["family"] == family]
            print(f"{term}, {family}: recursive wins from N = {crossing(mine)}")
    panels[0].set_ylabel("time [µs]")
    study.legend(fig, METHODS)
    study.save(fig, args, "crossover")


if __name__ == "__main__":
    main()

"""Times of IDSVA in ground and in body coordinates versus size (paper 002, Fig. 3).

Run from the root of the repository, with ``OMP_NUM_THREADS=1``:
``python -m benchmarks.paper_002.coordinates``. The two forms are compiled alike, see
`benchmarks.paper_002.idsva`; the kernel of `ID_derivatives`, in ground coordinates, is timed too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks import study
from benchmarks.paper_002.idsva import body, ground, workspace
from benchmarks.timing import interleaved
from derivatives import ID_derivatives
from spatial_v2 import Model, get_gravity

METHODS: dict[str, Callable[..., None]] = {"ground coordinates": ground, "body coordinates": body}
KERNEL = "ID_derivatives"


def derivatives_by(
    form: Callable[..., None], model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> tuple[Callable[[], object], tuple[np.ndarray, np.ndarray]]:
    """Return a function that computes dtau/dq and dtau/dqd by a form in `METHODS`, and the matrices
    to which it writes them.
    """
    results = np.zeros((2, model.NB, model.NB))
    arrays = [np.ascontiguousarray(x) for x in (model.parent, model.Xtree, model.I)]
    a0 = -get_gravity(model)
    call = partial(form, *arrays, a0, q, qd, qdd, *workspace(model.NB), *results)
    return call, (results[0], results[1])


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each model and form: time of one state [us], and the largest error."""
    calls: dict[tuple[str, int, str], Callable[[], object]] = {}
    errors = {}
    for family, model in study.models(args):
        state = study.states(args, model)[0]
        truth = ID_derivatives(model, *state)
        for name, form in METHODS.items():
            call, found = derivatives_by(form, model, *state)
            call()
            pairs = [(x, y, np.abs(y).max()) for x, y in zip(found, truth, strict=True)]
            errors[family, model.NB, name] = max(
                float(np.abs(x - y).max() / s) for x, y, s in pairs
            )
            calls[family, model.NB, name] = call
        calls[family, model.NB, KERNEL] = partial(ID_derivatives, model, *state, out=truth)
    for key, us in interleaved(calls, **args.effort).items():
        row = dict(zip(("family", "n", "method"), key, strict=True))
        yield row | {"us": us, "error": errors.get(key)}


def main() -> None:
    args = study.options(__doc__, sizes=[2, 5, 10, 20, 50, 100, 200, 500])
    rows = study.table("coordinates", args, measure)
    names = [*METHODS, KERNEL]
    fig, (axes,) = study.figure(1, height=3.5)
    study.curves(axes, rows, "us", names)
    axes.set(title="IDSVA, one state", ylabel="µs")
    study.legend(fig, names)
    study.save(fig, args, "coordinates")


if __name__ == "__main__":
    main()

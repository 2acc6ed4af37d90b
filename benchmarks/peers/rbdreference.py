"""Timed calls of RBDReference of the wheel ``grid-rbd``, the NumPy code with which GRiD's CUDA code
is tested.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.robots import ROBOTS
from benchmarks.timing import Round, round_of
from spatial_v2 import ID, Model
from spatial_v2.io.example_robots import example_robots

__all__ = ["rounds"]

METHODS = {
    "ID": "inverse_dynamics", "FDab": "aba", "Hinverse": "minv",
    "ID_derivatives": "inverse_dynamics_gradient", "FD_derivatives": "forward_dynamics_gradient",
    "ID_SO": "idsva_so", "FD_SO": "fdsva_so",
}  # fmt: skip


def rounds(
    name: str, model: Model, states: dict[str, np.ndarray]
) -> Iterator[tuple[str, str, int, Round]]:
    """Yield function, form, number of states, and timed call, for robots with a fixed base."""
    from RBDReference import RBDReference
    from URDFParser import URDFParser

    if ROBOTS.get(name, True):
        return
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        parsed = URDFParser().parse(str(example_robots()[name]))
        reference = RBDReference(parsed)
        q, v, x = (states[key][0] for key in "qvx")
        if parsed.get_num_vel() != model.NV:
            return
        theirs = np.ravel(reference.inverse_dynamics(q, v, x)[0])
        np.testing.assert_allclose(theirs, ID(model, q, v, x), rtol=1e-6, atol=1e-6)
    for ours, method in METHODS.items():
        args = (q,) if method == "minv" else (q, v, x)
        yield ours, "RBDReference", 1, round_of(partial(getattr(reference, method), *args))

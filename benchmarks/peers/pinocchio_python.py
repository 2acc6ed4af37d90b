"""Timed calls of Pinocchio from Python, one state at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.peers.pinocchio_twin import twin, twin_states
from spatial_v2 import Model

__all__ = ["pinocchio_python"]


def pinocchio_python(
    model: Model, states: dict[str, np.ndarray]
) -> dict[str, Callable[[], object]]:
    """Return calls at the first state, under the names of the C++ program; empty without the
    package.
    """
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    other = twin(model)
    data = other.createData()
    q, v, x = (values[0] for values in twin_states(model, other, states))

    def both() -> None:
        pin.crba(other, data, q, pin.Convention.WORLD)
        pin.nonLinearEffects(other, data, q, v)

    return {
        "rnea": partial(pin.rnea, other, data, q, v, x),
        "aba": partial(pin.aba, other, data, q, v, x, pin.Convention.WORLD),
        "crba": partial(pin.crba, other, data, q, pin.Convention.WORLD),
        "crba, nonLinearEffects": both,
        "computeMinverse": partial(pin.computeMinverse, other, data, q),
        "computeCoriolisMatrix": partial(pin.computeCoriolisMatrix, other, data, q, v),
        "computeRNEADerivatives": partial(pin.computeRNEADerivatives, other, data, q, v, x),
        "computeABADerivatives": partial(pin.computeABADerivatives, other, data, q, v, x),
    }

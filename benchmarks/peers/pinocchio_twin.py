"""The same robots and states in Pinocchio, by the conversion that the unit tests use."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cpp.peer import CppPeer
from spatial_v2 import Model

sys.path.append(str(Path(__file__).parents[2] / "unit_tests" / "support"))

__all__ = ["cpp_peer", "twin", "twin_states", "velocity_order"]


def twin(model: Model) -> Any:
    """Return the Pinocchio model with the same bodies."""
    from pinocchio_map import pinocchio_model

    return pinocchio_model(model)


def velocity_order(model: Model, other: Any) -> np.ndarray:
    """Return indices p such that ``v_pinocchio = v[..., p]``."""
    from pinocchio_map import velocity_order

    order: np.ndarray = velocity_order(model, other)
    return order


def twin_states(model: Model, other: Any, states: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Return q, v and the third argument x of all states, in Pinocchio's order."""
    from pinocchio_map import position

    order = velocity_order(model, other)
    return [position(model, other, states["q"]), states["v"][:, order], states["x"][:, order]]


def cpp_peer(model: Model, states: dict[str, np.ndarray]) -> CppPeer:
    """Start the C++ program with this robot and these states."""
    other = twin(model)
    values = np.concatenate(twin_states(model, other, states), axis=-1)
    return CppPeer(other, values, np.asarray(model.gravity))

"""Text files with a model and states for the C++ program, with all digits of the numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["write_robot"]


def write_robot(path: Path, twin: Any, states: Iterable[np.ndarray], gravity: np.ndarray) -> None:
    """Write a Pinocchio model, and for each state a vector of q, v and the third argument x in
    Pinocchio's order.
    """
    states = list(states)
    lines: list[Iterable[Any]] = [
        [twin.njoints - 1],
        gravity,
        *bodies(twin),
        [len(states)],
        *states,
    ]
    path.write_text("\n".join(" ".join(map(number, line)) for line in lines) + "\n")


def number(value: Any) -> str:
    return (
        value if isinstance(value, str) else repr(value.item() if hasattr(value, "item") else value)
    )


def bodies(twin: Any) -> Iterator[list[Any]]:
    """Yield a line for each joint: parent, type, axis, placement, mass, centre of mass and
    rotational inertia.
    """
    for j in range(1, twin.njoints):
        joint, place, inertia = twin.joints[j], twin.jointPlacements[j], twin.inertias[j]
        name = joint.shortname()
        axis = joint.extract().axis if "Unaligned" in name else np.zeros(3)
        numbers = [
            axis,
            place.rotation,
            place.translation,
            inertia.mass,
            inertia.lever,
            inertia.inertia,
        ]
        yield [twin.parents[j], name, *np.concatenate([np.ravel(x) for x in numbers])]

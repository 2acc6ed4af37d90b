"""A floating box, used to show motions."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.model import Model
from spatial_v2.spatial import mcI

__all__ = ["brick"]


def brick(
    sides: tuple[float, float, float] = (0.6, 0.4, 0.2), mass: float = 1.0,
    colour: tuple[float, float, float] = (0.55, 0.62, 0.69), name: str = "brick", base: Any = (),
) -> Model:  # fmt: skip
    """Make a model of a uniform box that floats freely without gravity, its origin at its centre.

    Parameters
    ----------
    sides : tuple of float, optional
        Lengths along x, y and z [m].
    mass : float, optional
        Mass of the box [kg].
    colour : tuple of float, optional
        Red, green and blue.
    name : str, optional
        Name of the model.
    base : list, optional
        Drawing instructions of the base.

    Returns
    -------
    Model
        The model, one body on a joint ``Fb``.

    Examples
    --------
    >>> from spatial_v2.course import brick
    >>> brick().jtype
    ('Fb',)
    """
    half = np.asarray(sides, float) / 2
    square = half**2
    I = mcI(mass, [0, 0, 0], mass / 3 * (square.sum() * np.eye(3) - np.diag(square)))
    drawing = ["colour", list(colour), "box", [(-half).tolist(), half.tolist()]]
    return Model(
        name=name, parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[I], gravity=[0, 0, 0],
        appearance={"base": list(base), "body": [drawing]},
    )  # fmt: skip

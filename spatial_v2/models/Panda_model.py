"""MATLAB's model of the Franka Panda arm, with inertias as an argument."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays.checks import as_real
from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.models.links import dh_transforms
from spatial_v2.three_d import skew

__all__ = ["Panda_model"]


def Panda_model(params: ArrayLike | None = None) -> Model:
    """Make MATLAB's model of the Panda arm.

    MATLAB: ``model = Panda_model(params)``; without `params` it has no inertias there. Here they
    are the identity by default, as for MATLAB's other arms.

    Parameters
    ----------
    params : array_like, shape (70,) or (7, 10), optional
        Ten inertial parameters of each link, about the origin of its frame:
        ``[m, h_x, h_y, h_z, Ixx, Iyy, Izz, Iyz, Ixz, Ixy]``, with h the mass times the centre of
        mass [kg, kg m, kg m^2].

    Returns
    -------
    Model
        Seven joints Rz, no rotors.

    Raises
    ------
    ModelError
        Not 70 parameters.

    Examples
    --------
    >>> Panda_model(np.tile([2, 0, 0, 0, 1, 1, 1, 0, 0, 0], 7)).I[3].diagonal()
    array([1., 1., 1., 2., 2., 2.])
    """
    right = np.pi / 2
    inertia = np.tile(np.eye(6), (7, 1, 1))
    if params is not None:
        parameters = as_real(params, "Panda_model: params")
        if parameters.size != 70 or parameters.shape not in ((70,), (70, 1), (7, 10)):
            raise ModelError(
                f"Panda_model: params must be 70 numbers, ten of each link, got {parameters.shape}"
            )
        inertia = np.stack([_inertia(link) for link in parameters.reshape(7, 10)])
    return Model(
        name="Panda_model",
        parent=np.arange(7) - 1,
        jtype=["Rz"] * 7,
        Xtree=dh_transforms(
            alpha=[0, -right, right, right, -right, right, right],
            a=[0, 0, 0, 0.0825, -0.0825, 0, 0.088],
            d=[0.333, 0, 0.316, 0, 0.384, 0, 0],
        ),
        I=inertia,
        gravity=[0.0, 0.0, -9.81],
    )


def _inertia(link: np.ndarray) -> np.ndarray:
    """Return the spatial inertia for ten inertial parameters."""
    m, h, (xx, yy, zz, yz, xz, xy) = link[0], skew(link[1:4]), link[4:]
    rotational = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return np.block([[rotational, h], [h.T, m * np.eye(3)]])

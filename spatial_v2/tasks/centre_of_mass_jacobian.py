"""The Jacobian of the centre of mass."""

from __future__ import annotations

from spatial_v2.arrays import Array, constant
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics import CMM
from spatial_v2.dynamics.total_mass import total_mass
from spatial_v2.model import Model

__all__ = ["centre_of_mass_jacobian"]


def centre_of_mass_jacobian(model: Model, q: Array) -> Array:
    """Compute the Jacobian J of the centre of mass; ``J qd`` is its velocity in base coordinates.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q : array, shape (..., NQ)
        Joint positions [rad or m].

    Returns
    -------
    array, shape (..., 3, NV), planar (..., 2, NV)
        The Jacobian of the centre of mass of all bodies that move. `EnerMo` has its position ``cm``
        and velocity ``vcm``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        No body has mass.

    Notes
    -----
    The linear rows of `CMM` divided by the mass.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> centre_of_mass_jacobian(autoTree(2), [0, 0])[1]
    array([1.  , 0.25])
    """
    A = CMM(model, q)
    return A[..., A.shape[-2] // 2 :, :] / constant(total_mass(free_tree(model)), A)

"""Access to the inertial parameters of all bodies of a model."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import Array, combination, namespace
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.couplings.free import free_tree
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.inertia.inertiaMatToVec import inertiaMatToVec
from spatial_v2.inertia.inertiaVecToMat import inertiaVecToMat
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["ModelInertialParams", "getModelInertialParams", "setModelInertialParams"]


@shown_in_notebooks
class ModelInertialParams(NamedTuple):
    """Inertial parameters of bodies and rotors, ten for each.

    Parameters
    ----------
    a : array, shape (10*NB,)
        Parameters of the bodies, each [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].
    a_rotor : array, shape (10*NB_rot,)
        Parameters of the rotors, in the order of the joints that have one.

    Examples
    --------
    >>> from spatial_v2 import getModelInertialParams
    >>> from spatial_v2.models import autoTree_rotor
    >>> [x.shape for x in getModelInertialParams(autoTree_rotor(3))]
    [(30,), (30,)]
    """

    a: Array
    a_rotor: Array


def getModelInertialParams(model: Model) -> ModelInertialParams:
    """Return all inertial parameters of a model, stacked (MATLAB ``getModelInertialParams``).

    Parameters
    ----------
    model : Model
        The rigid-body tree, or a coupled model, which has the bodies of its tree. For a planar
        model, parameters other than m, hx, hy and Izz are zero.

    Returns
    -------
    a : array, shape (10*NB,)
        Parameters of the bodies, each [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].
    a_rotor : array, shape (10*NB_rot,)
        Parameters of the rotors, in the order of the joints that have one; empty without rotors.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> getModelInertialParams(autoTree(2)).a.reshape(2, 10)[:, 0]
    array([1., 1.])
    """
    check_model(model)
    tree = free_tree(model)
    rotors = np.flatnonzero(tree.has_rotor)
    stacks = _of_bodies(tree.I), _of_bodies(tree.I_rotor[rotors])
    return ModelInertialParams(*(namespace(x).reshape(x, (-1,)) for x in stacks))


def setModelInertialParams(model: Model, a: Any, a_rotor: Any = None) -> Model:
    """Return a copy of a model with other inertial parameters (MATLAB ``setModelInertialParams``).

    Parameters
    ----------
    model : Model
        The rigid-body tree, or a coupled model. For a planar model only m, hx, hy and Izz are used.
    a : array, shape (10*NB,) or (NB, 10)
        Parameters of the bodies, each [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].
    a_rotor : array, shape (10*NB_rot,) or (NB_rot, 10), optional
        Parameters of the rotors, in the order of the joints that have one; unchanged if absent.

    Returns
    -------
    Model
        A new model. Parameters that are not physically consistent give an `InertiaWarning`.

    Raises
    ------
    ArrayShapeError
        If there are not ten parameters for each body, or for each rotor.

    Examples
    --------
    >>> from spatial_v2 import getModelInertialParams
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> heavier = setModelInertialParams(model, 2 * getModelInertialParams(model).a)
    >>> bool((heavier.I == 2 * model.I).all())
    True
    """
    check_model(model)
    tree = free_tree(model)
    fields = {"I": _to_bodies(tree, _rows(a, "a", tree.NB, "bodies"))}
    if a_rotor is not None:
        rotors = np.flatnonzero(tree.has_rotor)
        rotor_inertias = _to_bodies(tree, _rows(a_rotor, "a_rotor", len(rotors), "rotors"))
        stack = [tree.I_rotor[i] for i in range(tree.NB)]
        for k, i in enumerate(rotors):
            stack[i] = rotor_inertias[k]
        fields["I_rotor"] = namespace(rotor_inertias).stack(stack)
    return model.replace(**fields)


def _of_bodies(I: Array) -> Array:
    """Convert spatial or planar inertias to parameters (n, 10)."""
    if I.shape[-1] == 6:
        return inertiaMatToVec(I)
    return combination(namespace(I).reshape(I, (*I.shape[:-2], 9)), _PLANAR)


def _to_bodies(model: Model, a: Array) -> Array:
    """Convert parameters (n, 10) to spatial inertias, or planar ones for a planar model."""
    I = inertiaVecToMat(a)
    return I[..., 2:5, 2:5] if model.is_planar else I


def _rows(a: Any, name: str, n: int, what: str) -> Array:
    a = as_numbers(a, f"setModelInertialParams: {name}")
    if tuple(a.shape) not in ((10 * n,), (n, 10)):
        raise ArrayShapeError(
            f"setModelInertialParams: {name} must have shape ({10 * n},) or ({n}, 10), ten "
            f"parameters for each of {n} {what}; got {tuple(a.shape)}"
        )
    return namespace(a).reshape(a, (n, 10))


def _planar_entries() -> np.ndarray:
    """Return the coefficients (9, 10) of each entry of a planar inertia in each parameter."""
    B = np.zeros((3, 3, 10), dtype=np.int8)
    B[1, 1, 0] = B[2, 0, 1] = B[0, 0, 6] = 1
    B[1, 0, 2] = -1
    return B.reshape(9, 10)


_PLANAR = _planar_entries()

"""Joint terms: armature, damping, dry friction and springs, which add to the joint forces of the
bodies.

With these fields ``tau = (H + diag(armature)) qdd + C + damping qd + friction sign(qd) + stiffness
(q - rest)``.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.namespaces import real_part
from spatial_v2.exceptions import ModelError
from spatial_v2.model.fields import JOINT_TERMS
from spatial_v2.model.model import Model

__all__ = [
    "drag_forces",
    "joint_diagonal",
    "joint_forces",
    "joint_product",
    "spring_energy",
    "spring_forces",
    "with_base",
    "with_more",
    "without_joint_terms",
]


def without_joint_terms(model: Model) -> Model:
    """Return the model without joint terms, or the model itself if it has none.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> without_joint_terms(autoTree(2).replace(damping=0.1)).damping is None
    True
    """
    if not model.has_joint_terms:
        return model

    def make() -> Model:
        twin = copy.copy(model)
        for name in JOINT_TERMS:
            setattr(twin, name, None)
        return twin

    return model.checked().keep("without_joint_terms", make)


def with_base(caller: str, model: Model, n: int) -> dict[str, Array]:
    """Return the joint terms of a model after a floating base replaces its first n velocity
    variables by six.

    The replaced entries must be zero, and the six new ones are.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> with_base("floatbase", autoTree(2).replace(damping=[0, 3]), 1)
    {'damping': array([0., 0., 0., 0., 0., 0., 3.])}
    """
    for name, x in model._joint_terms().items():
        if isinstance(x, np.ndarray) and x[:n].any():
            raise ModelError(
                f"{caller}: {name} belongs to a joint that is replaced; "
                f"set model.{name}[:{n}] to zero"
            )
    return {
        name: namespace(x).concat([constant(np.zeros(6), x), x[n:]])
        for name, x in model._joint_terms().items()
    }


def with_more(model: Model, n: int) -> dict[str, Array]:
    """Return the joint terms of a model with n velocity variables appended, zero for these.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> with_more(autoTree(2).replace(damping=[1, 3]), 1)
    {'damping': array([1., 3., 0.])}
    """
    return {
        name: namespace(x).concat([x, constant(np.zeros(n), x)])
        for name, x in model._joint_terms().items()
    }


def joint_diagonal(model: Model, name: str, like: Array, variables: Any = slice(None)) -> Any:
    """Return a joint term as a diagonal matrix for some velocity variables; 0 if it is absent.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> joint_diagonal(autoTree(2).replace(armature=[1, 2]), "armature", np.zeros(2))
    array([[1., 0.],
           [0., 2.]])
    """
    if getattr(model, name) is None:
        return 0
    value = constant(getattr(model, name), like)[variables]
    return constant(np.eye(len(value)), like) * value[:, None]


def joint_product(model: Model, name: str, x: Array) -> Any:
    """Return the entrywise product of a joint term and x (..., NV); 0 if the term is absent.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> joint_product(autoTree(2).replace(armature=[1, 2]), "armature", np.array([3.0, 4]))
    array([3., 8.])
    """
    value = getattr(model, name)
    return 0 if value is None else constant(value, x) * x


def joint_forces(model: Model, q: Array, qd: Array, qdd: Array | None = None) -> Any:
    """Return the joint forces (..., NV) of damping, friction and springs, and with qdd of armature;
    0 if all are absent.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> q, qd = np.array([0.5, 0.0]), np.array([1.0, -1])
    >>> joint_forces(autoTree(2).replace(damping=2, friction=[0, 1], stiffness=4), q, qd)
    array([ 4., -3.])
    """
    tau = drag_forces(model, qd) + spring_forces(model, q)
    return tau if qdd is None else tau + joint_product(model, "armature", qdd)


def drag_forces(model: Model, qd: Array) -> Any:
    """Return ``damping qd + friction sign(qd)`` (..., NV), which dissipate energy; 0 if both are
    absent.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> drag_forces(autoTree(2).replace(damping=2, friction=[0, 1]), np.array([1.0, -1]))
    array([ 2., -3.])
    """
    tau = joint_product(model, "damping", qd)
    return tau if model.friction is None else tau + joint_product(model, "friction", _sign(qd))


def spring_forces(model: Model, q: Array) -> Any:
    """Return ``stiffness (q - rest)`` (..., NV), the forces that stretch the springs; 0 if there
    are none.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> spring_forces(autoTree(2).replace(stiffness=[2, 3], rest=[1, 0]), np.array([1.5, 2]))
    array([1., 6.])
    """
    return 0 if model.stiffness is None else constant(model.stiffness, q) * _stretch(model, q)


def spring_energy(model: Model, q: Array) -> Any:
    """Return the energy (...) of the springs; 0 if there are none.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> float(spring_energy(autoTree(2).replace(stiffness=[2, 3], rest=[1, 0]), np.array([1.5, 2])))
    6.25
    """
    if model.stiffness is None:
        return 0
    x = _stretch(model, q)
    return namespace(x).sum(constant(model.stiffness, q) * x * x / 2, axis=-1)


def _stretch(model: Model, q: Array) -> Array:
    """Return q - rest (..., NV) for joints with one degree of freedom, zero for others."""
    parts, zero = [], 0 * q[..., :1]
    for n, positions in zip(model.nv, model.qinds, strict=True):
        parts += [q[..., positions]] if n == 1 else n * [zero]
    x = namespace(q).concat(parts, axis=-1)
    return x if model.rest is None else x - constant(model.rest, q)


def _sign(x: Array) -> Array:
    real = real_part(x)
    return namespace(real).sign(real)

"""Joint terms: armature, damping and dry friction, which add to the joint forces of the bodies.

With these fields ``tau = (H + diag(armature)) qdd + C + damping qd + friction sign(qd)``.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.namespaces import is_foreign, real_part
from spatial_v2.exceptions import ModelError
from spatial_v2.model.checks import check_numbers
from spatial_v2.model.snapshot import Mark, mark

if TYPE_CHECKING:
    from spatial_v2.model.model import Model

__all__ = [
    "JOINT_TERMS",
    "JointTerms",
    "joint_diagonal",
    "joint_forces",
    "joint_product",
    "with_base",
    "with_more",
    "without_joint_terms",
]

JOINT_TERMS = ("armature", "damping", "friction")


class JointTerms:
    """The fields `armature`, `damping` and `friction`: None, or arrays of shape (NV,)."""

    __slots__ = ()

    _armature: Array | None
    _damping: Array | None
    _friction: Array | None

    @property
    def armature(self) -> Array | None:
        """Inertia of the drives, reflected to the joints, shape (NV,) [kg m^2 or kg], or None.

        It is added to the diagonal of H, but not to the momentum of the robot or to its weight.
        """
        return self._armature

    @armature.setter
    def armature(self, value: Any) -> None:
        self._set("armature", value)

    @property
    def damping(self) -> Array | None:
        """Viscous friction, joint force per velocity, shape (NV,) [N m s or N s/m], or None."""
        return self._damping

    @damping.setter
    def damping(self, value: Any) -> None:
        self._set("damping", value)

    @property
    def friction(self) -> Array | None:
        """Dry friction, shape (NV,) [N m or N], or None.

        It adds ``friction * sign(qd)`` to the joint force. The sign is that of the real part of qd,
        and zero for zero. Derivatives of this term are zero.
        """
        return self._friction

    @friction.setter
    def friction(self, value: Any) -> None:
        self._set("friction", value)

    @property
    def has_joint_terms(self) -> bool:
        """True if the model has armature, damping or friction."""
        return not (self._armature is None and self._damping is None and self._friction is None)

    def _set(self, name: str, value: Any) -> None:
        if value is not None:
            n: int = self.NV  # type: ignore[attr-defined]
            if not is_foreign(value) and np.ndim(value) == 0:
                value = np.full(n, value)
            value = _check(name, value, n)
        for field, x in ((f"_{name}", value), ("_snapshot", None)):
            setattr(self, field, x)

    def _joint_terms(self) -> dict[str, Array]:
        """Return the joint terms that the model has, by name."""
        values = ((name, getattr(self, name)) for name in JOINT_TERMS)
        return {name: x for name, x in values if x is not None}

    def _marks_of_terms(self) -> dict[str, Mark]:
        return {name: mark(x) for name, x in self._joint_terms().items()}

    def _check_joint_terms(self, n: int) -> list[Array]:
        return [_check(name, x, n) for name, x in self._joint_terms().items()]


def _check(name: str, value: Any, n: int) -> Array:
    """Check a field: one non-negative number for each of n velocity variables."""
    x = check_numbers(name, value, (n,))
    if isinstance(x, np.ndarray) and x.dtype.kind in "fc" and (x.real < 0).any():
        raise ModelError(f"{name}: want no negative numbers, got {x.tolist()}")
    return x


def without_joint_terms(model: Model) -> Model:
    """Return the model without armature, damping and friction, or the model itself if it has none.

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
        for name in ("parent", "Xtree", "I", "gravity", "has_rotor", "Xrotor", "I_rotor", "gr"):
            value = getattr(model, f"_{name}")
            setattr(twin, f"_{name}", value.copy() if isinstance(value, np.ndarray) else value)
        twin._jtype, twin._jtype_rotor = copy.deepcopy((model._jtype, model._jtype_rotor))
        twin._structure = twin._snapshot = None
        twin._armature = twin._damping = twin._friction = None
        twin._snapshot = twin._look(twin.layout, warn=False)
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


def joint_forces(model: Model, qd: Array, qdd: Array | None = None) -> Any:
    """Return ``armature qdd + damping qd + friction sign(qd)`` (..., NV); 0 if all are absent.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> joint_forces(autoTree(2).replace(damping=2, friction=[0, 1]), np.array([1.0, -1]))
    array([ 2., -3.])
    """
    tau = joint_product(model, "damping", qd)
    if model.friction is not None:
        tau = tau + joint_product(model, "friction", _sign(qd))
    return tau if qdd is None else tau + joint_product(model, "armature", qdd)


def _sign(x: Array) -> Array:
    real = real_part(x)
    return namespace(real).sign(real)

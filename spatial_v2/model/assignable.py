"""The fields of a model as attributes, which are assigned and never edited in place, and what is
known from them.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.joints.table import JointTypeLike
from spatial_v2.model.fields import JOINT_TERMS, converted
from spatial_v2.model.layout import Layout
from spatial_v2.model.model_state import State

__all__ = ["Assignable"]

T = TypeVar("T")

_ASSIGNING = threading.Lock()
"""Held while a state is put in place, so that of assignments by two threads none is lost."""


class Field(Generic[T]):
    """A field of a model: to assign it puts another state in place.

    Reading an array returns a view, so that a new shape or dtype of it does not reach the model.
    """

    def __init__(self, meaning: str) -> None:
        self.__doc__ = meaning

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, model: None, owner: type) -> Field[T]: ...
    @overload
    def __get__(self, model: Assignable, owner: type) -> T: ...
    def __get__(self, model: Assignable | None, owner: type) -> Any:
        if model is None:
            return self
        value = model._state.fields[self.name]
        return value[...] if type(value) is np.ndarray else value

    def __set__(self, model: Assignable, value: Any) -> None:
        new = converted(self.name, value, model._state.fields)
        with _ASSIGNING:
            model._state = model._state.replaced(self.name, new)


class Assignable:
    """The fields of a model, which its present state has."""

    __slots__ = ("_state",)

    _state: State

    parent = Field[np.ndarray]("Parent of each body, shape (NB,); -1 is the fixed base.")
    jtype = Field[tuple[JointTypeLike, ...]]("Joint type of each body.")
    Xtree = Field[Array]("Transforms from parent bodies to joint frames, (NB, 6, 6) or (NB, 3, 3).")
    I = Field[Array](
        "Spatial inertias of the bodies in body coordinates, (NB, 6, 6), planar (NB, 3, 3)."
    )
    gravity = Field[Array]("Acceleration of gravity in base coordinates, shape (3,), planar (2,).")
    appearance = Field[Mapping[str, Any] | None]("Drawing instructions.")
    camera = Field[Mapping[str, Any] | None]("Camera of `showmotion`.")
    gc = Field[Mapping[str, Any] | None]("Ground contact points.")
    gamma_q = Field[Any]("Constraint function of `FDgq`.")
    loops = Field[Mapping[str, Any] | None]("Loops of a robot file; see `loop_constraints`.")
    has_rotor = Field[np.ndarray]("Mask of the joints that drive a rotor, shape (NB,).")
    jtype_rotor = Field[tuple[Any, ...]]("Joint type of each rotor, None without a rotor.")
    Xrotor = Field[Array]("Transforms from the parent bodies to the rotors, shape (NB, 6, 6).")
    I_rotor = Field[Array]("Inertias of the rotors, shape (NB, 6, 6).")
    gr = Field[Array](
        "Gear ratios: revolutions of the rotor per revolution of the joint, shape (NB,)."
    )
    armature = Field[Array | None](
        """Inertia of the drives, reflected to the joints, shape (NV,) [kg m^2 or kg], or None.

        It is added to the diagonal of H, but not to the momentum of the robot or to its weight.
        """
    )
    damping = Field[Array | None](
        "Viscous friction, joint force per velocity, shape (NV,) [N m s or N s/m], or None."
    )
    friction = Field[Array | None](
        """Dry friction, shape (NV,) [N m or N], or None.

        It adds ``friction * sign(qd)`` to the joint force. The sign is that of the real part of qd,
        and zero for zero. Derivatives of this term are zero.
        """
    )
    stiffness = Field[Array | None](
        """Stiffness of the springs of joints, shape (NV,) [N m/rad or N/m], or None.

        It adds ``stiffness * (q - rest)`` to the joint force. Springs act on joints with one degree
        of freedom; entries of other joints are zero.
        """
    )
    rest = Field[Array | None](
        "Positions at which the springs are at rest, shape (NV,) [rad or m]; None: all are zero."
    )
    name = Field[str]("Name of the model.")
    joint_names = Field[tuple[str, ...]]("Names of the joints.")
    body_names = Field[tuple[str, ...]]("Names of the bodies.")
    limits = Field[Mapping[str, Any] | None]("Limits of joints, by their names; see `load_urdf`.")
    mimic = Field[Mapping[str, Any] | None]("Joints that follow others; see `load_urdf`.")
    frames = Field[Mapping[str, Any] | None]("Frames on bodies, by their names; see `load_urdf`.")
    left_out = Field[tuple[str, ...]]("Elements of the robot file that the model does not have.")
    user = Field[dict[str, Any]]("Fields of your own, by their names.")

    if TYPE_CHECKING:
        nq: tuple[int, ...]
        nv: tuple[int, ...]
        NQ: int
        NV: int
        qinds: tuple[slice, ...]
        vinds: tuple[slice, ...]
        ancestors: tuple[np.ndarray, ...]
        ancestor_vinds: tuple[np.ndarray, ...]
        subtree_vinds: tuple[np.ndarray, ...]
        successor_vinds: tuple[np.ndarray, ...]
        body_of_v: np.ndarray

    @property
    def NB(self) -> int:
        """Number of bodies."""
        return len(self._state.fields["parent"])

    @property
    def is_planar(self) -> bool:
        """True if the model is planar, with 3 x 3 transforms and inertias."""
        return self._state.is_planar

    @property
    def n_rotor(self) -> int:
        """Number of geared rotors."""
        return int(np.count_nonzero(self._state.fields["has_rotor"]))

    @property
    def has_rotors(self) -> bool:
        """True if any joint drives a geared rotor."""
        return bool(self._state.fields["has_rotor"].any())

    @property
    def has_joint_terms(self) -> bool:
        """True if the model has armature, damping, friction, stiffness or rest."""
        return any(self._state.fields[name] is not None for name in JOINT_TERMS)

    def _joint_terms(self) -> dict[str, Array]:
        """Return the joint terms that the model has, by name."""
        values = ((name, getattr(self, name)) for name in JOINT_TERMS)
        return {name: x for name, x in values if x is not None}

    @property
    def layout(self) -> Layout:
        """Sizes, indices and ancestors for the present parent array and joint types."""
        return self._state.layout

    def checked(self) -> State:
        """Return the present state, after a check that its fields fit one another, done once."""
        state = self._state
        state.check()
        return state

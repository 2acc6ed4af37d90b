"""The class `Model`: a rigid-body tree with the fields of MATLAB's model struct as attributes."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping, Sequence
from inspect import signature
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.exceptions import InertiaWarning, ModelError
from spatial_v2.joints.table import JointTypeLike
from spatial_v2.model.assignable import Assignable
from spatial_v2.model.fields import FIELDS, completed, converted
from spatial_v2.model.layout import Layout
from spatial_v2.model.model_state import State
from spatial_v2.model.named_joints import LIMIT_VECTORS, NamedJoints
from spatial_v2.model.tree_html import tree_html
from spatial_v2.model.tree_text import tree_text
from spatial_v2.model.values import plain
from spatial_v2.version_1 import VERSION_1, explain_version_1

__all__ = ["Model"]


class Model(Assignable, NamedJoints):
    """A rigid-body tree: MATLAB's model struct, with bodies counted from 0 and the base as -1.

    Parameters
    ----------
    parent : array_like of int, shape (NB,)
        Parent of each body, ``-1 <= parent[i] < i``.
    jtype : list of str or dict
        Joint codes, or ``{"code": "H", "pars": {"pitch": h}}``; see the page "Joint types".
    Xtree : array_like, shape (NB, 6, 6), planar models (NB, 3, 3)
        Transform from the parent body of joint i to the joint's frame on the parent [-, m].
    I : array_like, shape (NB, 6, 6), planar models (NB, 3, 3)
        Inertia of each body in its own frame, as made by `mcI` [kg, kg m, kg m^2].
    gravity : array_like, shape (3,), planar models (2,), optional
        Acceleration of gravity in base coordinates [m/s^2]; [0, 0, -9.81], planar models [0, 0].
    appearance, camera : dict, optional
        Drawing instructions and camera; body numbers from 0. Objects with attributes in place of
        dicts, and MATLAB's columns, are converted here and in `gc`.
    gc : dict, optional
        Ground contact points: ``point``, shape (n, 3), planar (n, 2), in coordinates of ``body``,
        a body or frame for each point or one for all, by number or name. The model keeps numbers
        of bodies, and points in body coordinates [m].
    gamma_q : callable, optional
        Constraint function of `FDgq`.
    has_rotor, jtype_rotor, Xrotor, I_rotor, gr : sequences of length NB, optional
        Geared rotors: a mask of the joints that drive one; joint code of each rotor, transform to
        it from the parent body, inertia, and gear ratio. A rotor rotates by ``gr * q``.
    armature, damping, friction, stiffness, rest : array_like, shape (NV,), or float, optional
        Joint terms ``armature * qdd + damping * qd + friction * sign(qd) + stiffness * (q -
        rest)``; not MATLAB's.
    name, joint_names, body_names : optional
        Names of the model, the joints and the bodies.
    limits, mimic, frames, loops : dict, optional
        Data of a robot file beyond the dynamics; see `load_urdf`, and `loop_constraints`.
    left_out : sequence of str, optional
        Elements of the robot file that the model does not represent.
    user : dict, optional
        Fields of your own, by their names; copies of the model and models made from it have them.

    Raises
    ------
    ModelError, JointTypeError
        Inconsistent fields, unknown joint types, matrices that are no transforms or inertias, or
        1-based numbering.

    Notes
    -----
    A model is a value, as MATLAB's structs are: fields are assigned, never edited in place. Arrays
    are copied and read-only, lists become tuples. A dict gives some entries of a field by number:
    ``model.I = {2: I2}`` replaces the inertia of body 2, ``model.replace(I={2: I2})`` returns a
    model with it. `copy.copy` returns a model with the same values at no cost.

    In MATLAB derived fields (`nq`, `vinds`, ...) are stored, and become wrong if a joint type is
    edited. Here they follow from `parent` and `jtype`.

    Examples
    --------
    >>> from spatial_v2 import Model, mcI, xlt
    >>> link = mcI(1.0, [0.5, 0, 0], np.diag([0.0025, 0.085, 0.085]))
    >>> model = Model(parent=[-1, 0], jtype=["Rz", "Ry"], Xtree=[xlt([0, 0, 0]), xlt([1, 0, 0])],
    ...               I=[link, link])
    >>> model
    Model: 2 bodies, NQ = 2, NV = 2, gravity [0, 0, -9.81]
    base
    `- 0  Rz  body0
       `- 1  Ry  body1
    >>> model.I = {1: 2 * model.I[1]}
    >>> model.I[:, 5, 5]
    array([1., 2.])
    """

    __slots__ = ("__weakref__",)

    def __new__(cls, **fields: Any) -> Model:
        """Check the names of fields, before Python says what is missing."""
        for name in fields:
            if name not in FIELDS:
                raise ModelError(_unknown(name))
        return super().__new__(cls)

    def __init__(
        self,
        *,
        parent: ArrayLike,
        jtype: Sequence[JointTypeLike],
        Xtree: ArrayLike,
        I: ArrayLike,
        gravity: ArrayLike | None = None,
        appearance: Mapping[str, Any] | None = None,
        camera: Mapping[str, Any] | None = None,
        gc: Mapping[str, Any] | None = None,
        gamma_q: Any = None,
        has_rotor: ArrayLike | None = None,
        jtype_rotor: Sequence[Any] | None = None,
        Xrotor: Any = None,
        I_rotor: Any = None,
        gr: Any = None,
        armature: Any = None,
        damping: Any = None,
        friction: Any = None,
        stiffness: Any = None,
        rest: Any = None,
        name: str = "",
        joint_names: Sequence[str] | None = None,
        body_names: Sequence[str] | None = None,
        limits: Mapping[str, Any] | None = None,
        mimic: Mapping[str, Any] | None = None,
        frames: Mapping[str, Any] | None = None,
        loops: Mapping[str, Any] | None = None,
        left_out: Sequence[str] = (),
        user: Mapping[str, Any] | None = None,
    ) -> None:
        values, fields = locals(), dict[str, Any]()
        for field in FIELDS:
            fields[field] = converted(field, values[field], fields)
        for field in ("jtype_rotor", "Xrotor", "I_rotor", "gr"):
            for i in np.flatnonzero(fields["has_rotor"]):
                if values[field] is None or values[field][i] is None:
                    raise ModelError(f"{field}[{i}]: missing, but has_rotor[{i}] is set")
        self._state = State(fields)
        self._state.check(rotors=False)

    __new__.__signature__ = signature(__init__)  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> Any:
        """Return a derived field by MATLAB's name: nq, nv, NQ, NV, qinds, ...; see `Layout`."""
        if name in Layout.DERIVED:
            return getattr(self.layout, name)
        raise AttributeError(_unknown(name))

    def __setattr__(self, name: str, value: Any) -> None:
        """Assign a field; raise an error for other names."""
        if name in Layout.DERIVED:
            raise AttributeError(f"{name} follows from parent and jtype; it cannot be assigned")
        if name in LIMIT_VECTORS:
            raise AttributeError(
                f"{name} follows from model.limits; assign those, or some of them: model.limits = "
                "{**model.limits, 'elbow': (lower, upper, velocity, effort)}"
            )
        if not hasattr(type(self), name):
            raise AttributeError(
                f"{_unknown(name)}; fields of your own are entries of model.user: "
                f"model.user[{name!r}] = ..."
            )
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *Layout.DERIVED})

    def __copy__(self) -> Model:
        """Return a model with the same state; assignments to one do not reach the other."""
        return with_state(self._state)

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        """Return a copy, which has drawings, camera and contact points of its own."""
        state = self._state
        for name in ("appearance", "camera", "gc", "gamma_q", "user"):
            if state.fields[name] is not None:
                state = state.replaced(name, copy.deepcopy(state.fields[name], memo))
        return with_state(state)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.fields(),)

    def replace(self, **fields: Any) -> Model:
        """Return a copy of the model with some constructor arguments replaced.

        A dict gives some entries of a field by number, such as the inertia of one body.

        Examples
        --------
        >>> from spatial_v2.models import autoTree
        >>> model = autoTree(2).replace(gravity=[0, 0, 0])
        >>> model.gravity
        array([0., 0., 0.])
        >>> model.replace(I={1: 2 * model.I[1]}).I[:, 5, 5] / model.I[:, 5, 5]
        array([1., 2.])
        """
        own = self._state.fields
        new = {name: completed(name, x, own) for name, x in fields.items()}
        kept = {name: x for name, x in self.fields().items() if name not in fields}
        return Model(**copy.deepcopy(kept), **new)

    def is_root(self, i: int) -> bool:
        """Return whether the parent of body i is the fixed base.

        In MATLAB ``model.parent(i) == 0``; here bodies count from 0 and the base is -1.

        Examples
        --------
        >>> from spatial_v2.models import autoTree
        >>> [autoTree(3).is_root(i) for i in range(3)]
        [True, False, False]
        """
        return bool(self.parent[i] == -1)

    def fields(self) -> dict[str, Any]:
        """Return the constructor arguments of the model, by name."""
        return {name: plain(x) for name, x in self._state.fields.items()}

    @classmethod
    def from_matlab(cls, source: str | PathLike[str] | Any, name: str | None = None) -> Model:
        """Read a model from MATLAB's .mat file, or from a struct that `scipy.io.loadmat` returns.

        Parameters
        ----------
        source : path or struct
            The file, or the struct read from it. Numbering from 1 is converted to numbering from 0.
        name : str, optional
            Variable to read, when the file holds several model structs.
        """
        from spatial_v2.model.matlab_struct import read_struct

        return read_struct(cls, source, name)

    def to_matlab(self, path: str | PathLike[str], name: str = "model") -> None:
        """Write the model struct, in MATLAB's numbering, into a .mat file as variable `name`."""
        from spatial_v2.model.matlab_writer import write_struct

        write_struct(self, path, name)

    def __repr__(self) -> str:
        g = ", ".join(f"{x:g}" if isinstance(x, float) else str(x) for x in self.gravity.tolist())
        title = f" {self.name!r}" if self.name else ""
        head = f"Model{title}: {self.NB} bodies, NQ = {self.NQ}, NV = {self.NV}, gravity [{g}]"
        rows = zip(self.layout.joints, self.has_rotor, strict=True)
        codes = [joint.code + (" +rotor" if rotor else "") for joint, rotor in rows]
        return "\n".join([head, *tree_text(self.parent, codes, self.body_names)])

    def _repr_html_(self) -> str:
        return tree_html(self, repr(self).split("\n"))


def _unknown(name: str) -> str:
    import difflib

    if name in ("mass", "total_mass"):
        return f"a Model has no field {name!r}; EnerMo(model, q, qd).mass is its mass"
    near = difflib.get_close_matches(name, FIELDS, 1) if name not in VERSION_1 else []
    hint = f"; a similar name is {near[0]!r}" if near else explain_version_1(name)
    return f"a Model has no field {name!r}{hint}"


def with_state(state: State) -> Model:
    """Return a model with the given state."""
    model = object.__new__(Model)
    model._state = state
    return model


def _unpickled(fields: dict[str, Any]) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return Model(**fields)

"""The class `Model`: a rigid-body tree with the fields of MATLAB's model struct as attributes."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays import Array
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.exceptions import ModelError
from spatial_v2.joints.table import JointTypeLike
from spatial_v2.model.attached import ATTACHED
from spatial_v2.model.checks import (
    check_inertias,
    check_jtype,
    check_numbers,
    check_parent,
    check_transforms,
    refuse_masked,
    stack_of_matrices,
)
from spatial_v2.model.joint_terms import JOINT_TERMS, JointTerms
from spatial_v2.model.layout import Layout
from spatial_v2.model.named_joints import NamedJoints
from spatial_v2.model.rotor_fields import ROTOR_FIELDS, RotorFields
from spatial_v2.model.snapshot import Mark, Snapshot, mark
from spatial_v2.model.tree_html import tree_html
from spatial_v2.model.tree_text import tree_text
from spatial_v2.renamed import explain_version_1

__all__ = ["Model"]

_FIELDS = (
    "parent", "jtype", "Xtree", "I", "gravity", "appearance", "camera", "gc", "gamma_q", "loops",
    *ROTOR_FIELDS, *JOINT_TERMS, "name", "joint_names", "body_names", "limits", "mimic", "frames",
    "left_out", "user",
)  # fmt: skip


class Model(RotorFields, JointTerms, NamedJoints):
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
    appearance, camera, gc : dict, optional
        Drawing instructions, camera and ground contact points; body numbers from 0. Objects with
        attributes in place of dicts, and MATLAB's columns, are converted.
    gamma_q : callable, optional
        Constraint function of `FDgq`.
    has_rotor, jtype_rotor, Xrotor, I_rotor, gr : sequences of length NB, optional
        Geared rotors: a mask of the joints that drive one; joint code of each rotor, transform to
        it from the parent body, inertia, and gear ratio. A rotor rotates by ``gr * q``.
    armature, damping, friction : array_like, shape (NV,), or float, optional
        Joint terms ``armature * qdd + damping * qd + friction * sign(qd)``; not MATLAB's.
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
    In MATLAB derived fields (`nq`, `vinds`, ...) are stored, and become wrong if a joint type is
    edited. Here they are properties, which are recomputed if `parent` or `jtype` has changed.

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
    """

    __slots__ = (
        "_I",
        "_Xtree",
        "__weakref__",
        "_armature",
        "_damping",
        "_friction",
        "_gravity",
        "_jtype",
        "_parent",
        "_structure",
        "appearance",
        "body_names",
        "camera",
        "frames",
        "gamma_q",
        "gc",
        "joint_names",
        "left_out",
        "limits",
        "loops",
        "mimic",
        "name",
        "user",
    )  # fmt: skip

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
        _parent: np.ndarray
        _Xtree: Array
        _I: Array
        _gravity: Array
        user: Any

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
        self._parent = check_parent(parent)
        self._structure: tuple[Mark, list[JointTypeLike], Layout] | None = None
        self._snapshot = None
        self.jtype = jtype
        self.Xtree = Xtree
        self.I = I
        self.gravity = gravity
        self.joint_names = self._names("joint_names", joint_names, "joint")
        self.body_names = self._names("body_names", body_names, "body")
        self.appearance, self.camera, self.gc, self.gamma_q = appearance, camera, gc, gamma_q
        self.name, self.limits, self.mimic, self.frames = name, limits, mimic, frames
        self.loops, self.left_out, self.user = loops, tuple(left_out), user
        self.has_rotor = has_rotor
        rotors = {"jtype_rotor": jtype_rotor, "Xrotor": Xrotor, "I_rotor": I_rotor, "gr": gr}
        for field, value in rotors.items():
            setattr(self, field, value)
            for i in np.flatnonzero(self.has_rotor):
                if value is None or value[i] is None:
                    raise ModelError(f"{field}[{i}]: missing, but has_rotor[{i}] is set")
        self.armature, self.damping, self.friction = armature, damping, friction
        self._snapshot = self._look(self.layout, warn=False)

    @property
    def NB(self) -> int:
        """Number of bodies."""
        return len(self._parent)

    @property
    def parent(self) -> np.ndarray:
        """Parent of each body, shape (NB,); -1 is the fixed base."""
        return self._parent

    @parent.setter
    def parent(self, value: ArrayLike) -> None:
        parent = check_parent(value)
        if len(parent) != self.NB:
            raise ModelError(
                f"parent: want {self.NB} entries, one for each body, got {len(parent)}"
            )
        self._parent, self._snapshot = parent, None

    @property
    def jtype(self) -> list[JointTypeLike]:
        """Joint types; entries may be replaced in place."""
        return self._jtype

    @jtype.setter
    def jtype(self, value: Sequence[JointTypeLike]) -> None:
        self._jtype, self._snapshot = check_jtype(value, self.NB), None

    @property
    def Xtree(self) -> Array:
        """Transforms from parent bodies to joint frames, shape (NB, 6, 6), planar (NB, 3, 3)."""
        return self._Xtree

    @Xtree.setter
    def Xtree(self, value: Any) -> None:
        size = self._Xtree.shape[-1] if hasattr(self, "_Xtree") else None
        X = stack_of_matrices("Xtree", value, self.NB, size)
        check_transforms("Xtree", X)
        self._Xtree, self._snapshot = X, None

    @property
    def I(self) -> Array:  # noqa: E743
        """Spatial inertias of the bodies in body coordinates, (NB, 6, 6), planar (NB, 3, 3)."""
        return self._I

    @I.setter
    def I(self, value: Any) -> None:  # noqa: E743
        inertia = stack_of_matrices("I", value, self.NB, self._Xtree.shape[-1])
        check_inertias("I", inertia, stacklevel=4)
        self._I, self._snapshot = inertia, None

    @property
    def gravity(self) -> Array:
        """Acceleration of gravity in base coordinates, shape (3,), planar (2,)."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Any) -> None:
        n = 2 if self.is_planar else 3
        default = [0.0, 0.0] if self.is_planar else [0.0, 0.0, -9.81]
        g = default if value is None else value
        refuse_masked("gravity", g)
        if not is_foreign(g):
            try:
                g = np.array(g)
            except ValueError:
                raise ModelError(f"gravity: want {n} components, got {value!r}") from None
            if g.size not in (n, 3):
                raise ModelError(f"gravity: want {n} components [m/s^2], got shape {g.shape}")
            g = g.reshape(-1)[:n]
        self._gravity, self._snapshot = check_numbers("gravity", g, (n,)), None

    @property
    def is_planar(self) -> bool:
        """True if the model is planar, with 3 x 3 transforms and inertias."""
        return bool(self._Xtree.shape[-1] == 3)

    @property
    def layout(self) -> Layout:
        """Sizes, indices and ancestors for the present parent array and joint types."""
        known = self._structure
        if known is None or known[1] != self._jtype or known[0] != mark(self._parent):
            parent, jtype = check_parent(self._parent.copy()), check_jtype(self._jtype, self.NB)
            layout = Layout.of(parent, jtype)
            for i, joint in enumerate(layout.joints):
                if joint.planar != self.is_planar:
                    kind = "planar (3x3)" if self.is_planar else "spatial (6x6)"
                    raise ModelError(
                        f"jtype: joint {joint.code!r} is not allowed in a {kind} model (joint {i})"
                    )
            known = (mark(parent), jtype, layout)
            self._structure = known
        return known[2]

    def checked(self) -> Snapshot:
        """Return a snapshot of the model, after a check of all fields changed since the last check.

        Every function of the dynamics calls this first. Edits of a field in place therefore take
        effect, or raise an error if they are invalid.
        """
        layout, last = self.layout, self._snapshot
        if last is not None and last.layout is layout:
            if last.digest is not None and last.digest == self._digest():
                return last
            if last.digest is None and last.marks == self._marks():
                return last
        self._snapshot = last = self._look(layout)
        return last

    def lists(self) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
        """Return the lists of joint types of bodies and rotors, each followed by its checked copy.

        Without rotors, the third list and its copy are one object.
        """
        snapshot, structure = self.checked(), self._structure
        assert structure is not None
        rotors = self._jtype_rotor
        return self._jtype, structure[1], rotors, snapshot.marks.get("jtype_rotor", rotors)

    def _digest(self) -> tuple[Any, ...]:
        """Return the contents of the model's NumPy arrays in a form that compares quickly."""
        X, I, g, has = self._Xtree, self._I, self._gravity, self._has_rotor
        which = has.tobytes()
        marks: tuple[Any, ...] = (
            X.shape, I.shape, g.shape, has.shape, X.dtype, I.dtype, g.dtype, has.dtype,
            X.tobytes(), I.tobytes(), g.tobytes(), which,
        )  # fmt: skip
        if self.has_joint_terms:
            terms = self._armature, self._damping, self._friction
            marks += tuple([None if x is None else mark(x) for x in terms])
        if b"\x01" not in which:
            return marks
        rotors = [mark(x) for x in (self._Xrotor, self._I_rotor, self._gr)]
        return *marks, rotors, self._jtype_rotor

    def _marks(self) -> dict[str, Any]:
        marks = {
            "Xtree": mark(self._Xtree),
            "I": mark(self._I),
            "gravity": mark(self._gravity),
            "has_rotor": mark(self._has_rotor),
        }
        if self.has_rotors:
            marks |= {name: mark(getattr(self, name)) for name in ("Xrotor", "I_rotor", "gr")}
            marks["jtype_rotor"] = copy.deepcopy(self._jtype_rotor)
        return marks | self._marks_of_terms()

    def _look(self, layout: Layout, *, warn: bool = True) -> Snapshot:
        """Check the fields that the dynamics depend on; return a snapshot of them."""
        last = self._snapshot.marks if self._snapshot else {}
        marks = self._marks()
        n, d, g = self.NB, self._d, 2 if self.is_planar else 3
        self._check_rotors(layout)
        for name in ("Xtree", "I", "Xrotor", "I_rotor"):
            if name not in marks or marks[name] == last.get(name):
                continue
            x, only = getattr(self, name), self._has_rotor if name.endswith("rotor") else None
            stack_of_matrices(name, x, n, d)
            if name.startswith("X"):
                check_transforms(name, x, only)
            elif warn:
                check_inertias(name, x, only, stacklevel=6)
        check_numbers("gravity", self._gravity, (g,))
        check_numbers("gr", self._gr, (n,))
        terms = self._check_joint_terms(layout.NV)
        arrays = (*(getattr(self, name) for name in marks if name[0] in "XIg"), *terms)
        plain = all(isinstance(x, np.ndarray) for x in arrays)
        digest = copy.deepcopy(self._digest()) if plain else None
        return Snapshot(layout, marks, digest, arrays)

    def __getattr__(self, name: str) -> Any:
        """Return a derived field by MATLAB's name: nq, nv, NQ, NV, qinds, ...; see `Layout`."""
        if name in Layout.DERIVED:
            return getattr(self.layout, name)
        raise AttributeError(f"a Model has no field {name!r}{explain_version_1(name)}")

    def __setattr__(self, name: str, value: Any) -> None:
        """Assign a field, after a check if the dynamics do not use it."""
        if name in ATTACHED and hasattr(self, "joint_names"):
            stored = {x.strip("_"): getattr(self, x) for x in ("_parent", "_Xtree", "joint_names")}
            value = ATTACHED[name](value, stored)
        elif name in Layout.DERIVED:
            raise AttributeError(f"{name} follows from parent and jtype; it cannot be assigned")
        elif not hasattr(type(self), name):
            raise AttributeError(
                f"a Model has no field {name!r}{explain_version_1(name)}; fields of your own are "
                f"entries of model.user: model.user[{name!r}] = ..."
            )
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *Layout.DERIVED})

    def replace(self, **fields: Any) -> Model:
        """Return a copy of the model with some constructor arguments replaced.

        Examples
        --------
        >>> from spatial_v2.models import autoTree
        >>> autoTree(2).replace(gravity=[0, 0, 0]).gravity
        array([0., 0., 0.])
        """
        kept = {name: x for name, x in self.fields().items() if name not in fields}
        return Model(**copy.deepcopy(kept), **fields)

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
        return {name: getattr(self, name) for name in _FIELDS}

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

    def _names(self, field: str, names: Sequence[str] | None, stem: str) -> list[str]:
        if isinstance(names, str):
            raise ModelError(f"{field}: want a list of names, got {names!r}")
        given: list[Any] = [f"{stem}{i}" for i in range(self.NB)] if names is None else [*names]
        if len(given) != self.NB:
            raise ModelError(f"{field}: want {self.NB} names, one for each body, got {len(given)}")
        wrong = [name for name in given if not isinstance(name, str)]
        if wrong:
            raise ModelError(f"{field}: want names that are strings, got {wrong[0]!r}")
        twice = sorted(name for name, count in Counter(given).items() if count > 1)
        if twice:
            raise ModelError(f"{field}: {twice[0]!r} is the name of more than one {stem}")
        return given

    def __repr__(self) -> str:
        g = ", ".join(f"{x:g}" if isinstance(x, float) else str(x) for x in self._gravity.tolist())
        title = f" {self.name!r}" if self.name else ""
        head = f"Model{title}: {self.NB} bodies, NQ = {self.NQ}, NV = {self.NV}, gravity [{g}]"
        codes = [
            joint.code + (" +rotor" if rotor else "")
            for joint, rotor in zip(self.layout.joints, self._has_rotor, strict=True)
        ]
        return "\n".join([head, *tree_text(self._parent, codes, self.body_names)])

    def _repr_html_(self) -> str:
        return tree_html(self, repr(self).split("\n"))

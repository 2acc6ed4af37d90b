"""The model struct: MATLAB's fields as attributes, always consistent."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.exceptions import ModelError
from spatial_v2.joints.table import JointTypeLike, joint_type
from spatial_v2.model.checks import (
    check_inertias,
    check_jtype,
    check_parent,
    check_transforms,
    stack_of_matrices,
)
from spatial_v2.model.layout import Layout

__all__ = ["MatlabFiles", "Model"]

_DERIVED = Layout.__dataclass_fields__.keys() - {"joint", "par", "joints"}


class MatlabFiles(NamedTuple):
    """What reads and writes MATLAB's struct; `spatial_v2.io`, which knows both, gives it."""

    read: Callable[[Any, str | None], Model]
    write: Callable[[Model, str | PathLike[str], str], None]


class Model:
    """A rigid-body tree: MATLAB's model struct, with bodies counted from 0 and the base as -1.

    Parameters
    ----------
    parent : array_like of int, shape (NB,)
        Parent of each body, ``-1 <= parent[i] < i``.
    jtype : list of str or dict
        Joint codes, or ``{"code": "H", "pars": {"pitch": h}}``; see the page "Joint types".
    Xtree : array_like, shape (NB, 6, 6), planar models (NB, 3, 3)
        Transform from the parent body to the frame of joint i before it moves [-, m].
    I : array_like, shape (NB, 6, 6), planar models (NB, 3, 3)
        Inertia of each body in its own frame, as made by `mcI` [kg, kg m, kg m^2].
    gravity : array_like, shape (3,), planar models (2,), optional
        Acceleration of gravity in base coordinates [m/s^2]; [0, 0, -9.81], planar models [0, 0].
    appearance, camera, gc : dict, optional
        Drawing instructions, camera and ground contact points; body numbers from 0.
    gamma_q : callable, optional
        Constraint function of `FDgq`.
    has_rotor, jtype_rotor, Xrotor, I_rotor, gr : sequences of length NB, optional
        Geared rotors: which joints have one, its joint code, its transform from the parent body,
        its inertia, its gear ratio. A rotor turns by ``gr * q``.
    name, joint_names, body_names : optional
        Names for people.
    limits, mimic, frames : dict, optional
        What a robot file says beyond the dynamics; see `load_urdf`.

    Raises
    ------
    ModelError, JointTypeError
        Fields that contradict each other, the joint table or the mechanics; 1-based numbering.

    Notes
    -----
    MATLAB caches derived fields (`nq`, `vinds`, ...) and they go stale when a joint type is edited.
    Here they are properties, recomputed whenever `parent` or `jtype` has changed in any way.

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
        "I_rotor", "Xrotor", "_I", "_Xtree", "_gravity", "_jtype", "_parent", "_snapshot",
        "appearance", "body_names", "camera", "frames", "gamma_q", "gc", "gr", "has_rotor",
        "joint_names", "jtype_rotor", "limits", "mimic", "name",
    )  # fmt: skip

    matlab_files: ClassVar[MatlabFiles]

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
        _Xtree: np.ndarray
        _I: np.ndarray
        _gravity: np.ndarray

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
        name: str = "",
        joint_names: Sequence[str] | None = None,
        body_names: Sequence[str] | None = None,
        limits: Mapping[str, Any] | None = None,
        mimic: Mapping[str, Any] | None = None,
        frames: Mapping[str, Any] | None = None,
    ) -> None:
        self._parent = check_parent(parent)
        self._snapshot: Any = None
        self.jtype = jtype
        self.Xtree = Xtree
        self.I = I
        self.gravity = gravity
        self.appearance, self.camera, self.gc, self.gamma_q = appearance, camera, gc, gamma_q
        self.name, self.limits, self.mimic, self.frames = name, limits, mimic, frames
        self.joint_names = self._names("joint_names", joint_names, "joint")
        self.body_names = self._names("body_names", body_names, "body")
        self._set_rotors(has_rotor, jtype_rotor, Xrotor, I_rotor, gr)

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
            raise ModelError(f"parent: {len(parent)} entries for {self.NB} bodies")
        self._parent = parent

    @property
    def jtype(self) -> list[JointTypeLike]:
        """Joint types; entries may be replaced in place."""
        return self._jtype

    @jtype.setter
    def jtype(self, value: Sequence[JointTypeLike]) -> None:
        self._jtype = check_jtype(value, self.NB)

    @property
    def Xtree(self) -> np.ndarray:
        """Link transforms, shape (NB, d, d)."""
        return self._Xtree

    @Xtree.setter
    def Xtree(self, value: ArrayLike) -> None:
        size = self._Xtree.shape[-1] if hasattr(self, "_Xtree") else None
        X = stack_of_matrices("Xtree", value, self.NB, size)
        check_transforms("Xtree", X)
        self._Xtree = X

    @property
    def I(self) -> np.ndarray:  # noqa: E743
        """Inertias, shape (NB, d, d)."""
        return self._I

    @I.setter
    def I(self, value: ArrayLike) -> None:  # noqa: E743
        inertia = stack_of_matrices("I", value, self.NB, self._Xtree.shape[-1])
        check_inertias("I", inertia, stacklevel=4)
        self._I = inertia

    @property
    def gravity(self) -> np.ndarray:
        """Acceleration of gravity in base coordinates, shape (3,), planar (2,)."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: ArrayLike | None) -> None:
        n = 2 if self.is_planar else 3
        default = [0.0, 0.0] if self.is_planar else [0.0, 0.0, -9.81]
        g = np.array(default if value is None else value)
        g = g.astype(np.float64) if g.dtype.kind in "iub" else g
        if g.size == 3 and n == 2:
            g = g.reshape(3)[:2]
        if g.size != n:
            raise ModelError(f"gravity: want {n} components [m/s^2], got shape {g.shape}")
        self._gravity = g.reshape(n)

    @property
    def is_planar(self) -> bool:
        """Whether the model is made of planar (3x3) quantities."""
        return bool(self._Xtree.shape[-1] == 3)

    @property
    def layout(self) -> Layout:
        """Sizes, indices and ancestry of the tree as it is now."""
        snapshot = self._snapshot
        if snapshot is None or snapshot[1] != self._jtype or snapshot[0] != self._parent.tobytes():
            check_parent(self._parent)
            check_jtype(self._jtype, self.NB)
            layout = Layout.of(self._parent, self._jtype)
            self._check_joints(layout)
            snapshot = (self._parent.tobytes(), copy.deepcopy(self._jtype), layout)
            self._snapshot = snapshot
        layout = snapshot[2]
        assert isinstance(layout, Layout)
        return layout

    def __getattr__(self, name: str) -> Any:
        """Derived fields by MATLAB's names: nq nv NQ NV qinds vinds ... (see `Layout`)."""
        if name in _DERIVED:
            return getattr(self.layout, name)
        raise AttributeError(f"a Model has no field {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_DERIVED})

    @property
    def n_rotor(self) -> int:
        """Number of geared rotors."""
        return int(np.count_nonzero(self.has_rotor))

    @property
    def has_rotors(self) -> bool:
        """Whether any joint drives a geared rotor."""
        return b"\x01" in self.has_rotor.tobytes()

    def replace(self, **fields: Any) -> Model:
        """A copy of the model with some constructor fields replaced.

        Examples
        --------
        >>> from spatial_v2.models import autoTree
        >>> autoTree(2).replace(gravity=[0, 0, 0]).gravity
        array([0., 0., 0.])
        """
        return Model(**{**copy.deepcopy(self.fields()), **fields})

    def fields(self) -> dict[str, Any]:
        """The constructor fields by name."""
        names = (
            "parent jtype Xtree I gravity appearance camera gc gamma_q has_rotor jtype_rotor Xrotor"
            " I_rotor gr name joint_names body_names limits mimic frames"
        )
        return {name: getattr(self, name) for name in names.split()}

    @classmethod
    def from_matlab(cls, source: str | PathLike[str] | Any, name: str | None = None) -> Model:
        """A model from MATLAB: a .mat file, or a struct as `scipy.io.loadmat` returns it.

        Parameters
        ----------
        source : path or struct
            The file, or the struct read from it; numbering from 1 is turned into numbering from 0.
        name : str, optional
            Variable to read, when the file holds several model structs.
        """
        return cls.matlab_files.read(source, name)

    def to_matlab(self, path: str | PathLike[str], name: str = "model") -> None:
        """Write the model struct, in MATLAB's numbering, into a .mat file as variable `name`."""
        self.matlab_files.write(self, path, name)

    def _check_joints(self, layout: Layout) -> None:
        wrong = [j.code for j in layout.joints if j.planar != self.is_planar]
        if wrong:
            kind = "planar (3x3)" if self.is_planar else "spatial (6x6)"
            raise ModelError(f"jtype: joint {wrong[0]!r} cannot stand in a {kind} model")
        for i in np.flatnonzero(getattr(self, "has_rotor", False)):
            if layout.nv[i] != 1 or joint_type(self.jtype_rotor[i]).nv != 1:
                raise ModelError(f"has_rotor[{i}]: a rotor needs a joint of one freedom")

    def _names(self, field: str, names: Sequence[str] | None, stem: str) -> list[str]:
        given = [f"{stem}{i}" for i in range(self.NB)] if names is None else list(names)
        if len(given) != self.NB:
            raise ModelError(f"{field}: {len(given)} names for {self.NB} bodies")
        return given

    def _set_rotors(self, has: Any, jtype: Any, X: Any, inertia: Any, gr: Any) -> None:
        n = self.NB
        self.has_rotor = np.zeros(n, bool) if has is None else np.asarray(has).ravel() != 0
        given = {"jtype_rotor": jtype, "Xrotor": X, "I_rotor": inertia, "gr": gr}
        for field, value in {"has_rotor": self.has_rotor, **given}.items():
            if value is not None and len(value) != n:
                raise ModelError(f"{field}: {len(value)} entries for {n} bodies")
        d = self._Xtree.shape[-1]
        self.jtype_rotor: list[Any] = [None] * n
        self.gr = np.ones(n)
        self.Xrotor, self.I_rotor = np.tile(np.eye(d), (n, 1, 1)), np.zeros((n, d, d))
        for i in np.flatnonzero(self.has_rotor):
            missing = [f for f, v in given.items() if v is None or v[i] is None]
            if missing:
                raise ModelError(f"{missing[0]}[{i}]: missing, but has_rotor[{i}] is set")
            for field, matrix in (("Xrotor", X[i]), ("I_rotor", inertia[i])):
                if np.shape(matrix) != (d, d):
                    raise ModelError(f"{field}[{i}]: want shape {(d, d)}, got {np.shape(matrix)}")
            self.jtype_rotor[i], self.gr[i] = jtype[i], gr[i]
            self.Xrotor[i], self.I_rotor[i] = X[i], inertia[i]
        self._check_joints(self.layout)
        check_transforms("Xrotor", self.Xrotor)
        check_inertias("I_rotor", self.I_rotor, stacklevel=4)

    def __repr__(self) -> str:
        g = ", ".join(f"{x:g}" for x in np.asarray(self._gravity).tolist())
        title = f" {self.name!r}" if self.name else ""
        head = f"Model{title}: {self.NB} bodies, NQ = {self.NQ}, NV = {self.NV}, gravity [{g}]"
        return "\n".join([head, "base", *self._branches(-1, "")])

    def _branches(self, body: int, indent: str) -> list[str]:
        children = np.flatnonzero(self._parent == body).tolist()
        lines = []
        for c in children:
            last = c == children[-1]
            code = self.layout.joints[c].code + (" +rotor" if self.has_rotor[c] else "")
            lines.append(f"{indent}{'`-' if last else '|-'} {c}  {code}  {self.body_names[c]}")
            lines += self._branches(c, indent + ("   " if last else "|  "))
        return lines

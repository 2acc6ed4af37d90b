"""The fields of geared rotors in the model struct."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays import Array
from spatial_v2.exceptions import JointTypeError, ModelError
from spatial_v2.joints.table import JointTypeLike, joint_type
from spatial_v2.model.checks import check_inertias, check_numbers, check_transforms, sparse_stack
from spatial_v2.model.layout import Layout
from spatial_v2.model.snapshot import Snapshot

__all__ = ["ROTOR_FIELDS", "RotorFields"]

ROTOR_FIELDS = ("has_rotor", "jtype_rotor", "Xrotor", "I_rotor", "gr")


class RotorFields:
    """Fields of geared rotors: mask, joint type, transform, inertia and gear ratio.

    Entries for joints without a rotor are stored but not used. Missing entries are replaced by
    None, the identity, zero inertia and a gear ratio of one.
    """

    __slots__ = ("_I_rotor", "_Xrotor", "_gr", "_has_rotor", "_jtype_rotor", "_snapshot")

    _has_rotor: np.ndarray
    _jtype_rotor: list[Any]
    _Xrotor: Array
    _I_rotor: Array
    _gr: Array
    _snapshot: Snapshot | None

    @property
    def has_rotor(self) -> np.ndarray:
        """Mask of the joints that drive a rotor, shape (NB,)."""
        return self._has_rotor

    @has_rotor.setter
    def has_rotor(self, value: ArrayLike | None) -> None:
        given = np.zeros(self._n, bool) if value is None else np.asarray(value).ravel()
        self._entries("has_rotor", given)
        if given.dtype.kind not in "biuf":
            raise ModelError(f"has_rotor: want a truth value for each body, got {value!r}")
        self._has_rotor, self._snapshot = given != 0, None

    @property
    def jtype_rotor(self) -> list[Any]:
        """Joint type of each rotor, None without a rotor. Entries may be replaced in place."""
        return self._jtype_rotor

    @jtype_rotor.setter
    def jtype_rotor(self, value: Sequence[JointTypeLike | None] | None) -> None:
        self._entries("jtype_rotor", value)
        given = [None] * self._n if value is None else value
        self._jtype_rotor, self._snapshot = [copy.deepcopy(j) or None for j in given], None

    @property
    def Xrotor(self) -> Array:
        """Transforms from the parent bodies to the rotors, shape (NB, 6, 6)."""
        return self._Xrotor

    @Xrotor.setter
    def Xrotor(self, value: Any) -> None:
        self._entries("Xrotor", value)
        self._Xrotor = sparse_stack("Xrotor", value, np.eye(self._d), self._n)
        check_transforms("Xrotor", self._Xrotor, self._has_rotor)
        self._snapshot = None

    @property
    def I_rotor(self) -> Array:
        """Inertias of the rotors, shape (NB, 6, 6)."""
        return self._I_rotor

    @I_rotor.setter
    def I_rotor(self, value: Any) -> None:
        self._entries("I_rotor", value)
        self._I_rotor = sparse_stack("I_rotor", value, np.zeros((self._d, self._d)), self._n)
        check_inertias("I_rotor", self._I_rotor, self._has_rotor, stacklevel=4)
        self._snapshot = None

    @property
    def gr(self) -> Array:
        """Gear ratios: revolutions of the rotor per revolution of the joint, shape (NB,)."""
        return self._gr

    @gr.setter
    def gr(self, value: Any) -> None:
        self._entries("gr", value)
        given = [None] * self._n if value is None else value
        if isinstance(given, (list, tuple)):
            given = [1.0 if g is None or np.size(g) == 0 else g for g in given]
        self._gr, self._snapshot = check_numbers("gr", given, (self._n,)), None

    @property
    def n_rotor(self) -> int:
        """Number of geared rotors."""
        return int(np.count_nonzero(self._has_rotor))

    @property
    def has_rotors(self) -> bool:
        """True if any joint drives a geared rotor."""
        return b"\x01" in self._has_rotor.tobytes()

    @property
    def _n(self) -> int:
        return len(self._parent)  # type: ignore[attr-defined]

    @property
    def _d(self) -> int:
        return int(self._Xtree.shape[-1])  # type: ignore[attr-defined]

    def _entries(self, field: str, value: Any) -> None:
        if value is None:
            return
        if isinstance(value, str) or not hasattr(value, "__len__"):
            raise ModelError(f"{field}: want an entry for each of {self._n} bodies, got {value!r}")
        if len(value) != self._n:
            raise ModelError(
                f"{field}: want {self._n} entries, one for each body, got {len(value)}"
            )

    def _check_rotors(self, layout: Layout) -> None:
        """Check that each rotor and its joint have one degree of freedom."""
        has = self._has_rotor
        if has.shape != (self._n,) or has.dtype != np.bool_:
            raise ModelError(
                f"has_rotor: want a bool for each of {self._n} bodies, got an array of shape "
                f"{has.shape} and dtype {has.dtype}"
            )
        for i in np.flatnonzero(self._has_rotor):
            jtype = self._jtype_rotor[i]
            if jtype is None:
                raise ModelError(f"jtype_rotor[{i}]: missing, but has_rotor[{i}] is set")
            try:
                joint = joint_type(jtype)
            except JointTypeError as error:
                raise JointTypeError(f"jtype_rotor[{i}]: {error}") from None
            if layout.nv[i] != 1 or joint.nv != 1:
                raise ModelError(
                    f"has_rotor[{i}]: the joint of a rotor and that of its body must have one "
                    f"degree of freedom each; for body {i} they are {joint.code!r} and "
                    f"{layout.joints[i].code!r}"
                )
            if joint.planar != (self._d == 3):
                kind = "planar (3x3)" if self._d == 3 else "spatial (6x6)"
                raise ModelError(
                    f"jtype_rotor[{i}]: joint {joint.code!r} is not allowed in a {kind} model"
                )

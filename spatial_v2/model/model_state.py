"""The immutable state of a model: its fields, and what is derived from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, TypeVar

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.exceptions import JointTypeError, ModelError
from spatial_v2.joints.table import joint_type
from spatial_v2.model.checks import check_inertias, check_numbers, check_transforms
from spatial_v2.model.fields import JOINT_TERMS, LAYOUT_FIELDS, SPRING, check_spring
from spatial_v2.model.layout import Layout
from spatial_v2.model.values import plain

__all__ = ["State", "keep_in"]

T = TypeVar("T")


class State:
    """The fields of a model as they are between two assignments, and what is derived from them.

    Neither the fields nor their contents ever change: an assignment to the model puts another state
    in its place. ``model.checked() is state`` tells if the model still has this one.

    Parameters
    ----------
    fields : mapping
        All fields, as `fields.converted` returns them.
    layout : Layout, optional
        Quantities derived from the tree and the joint types, if they are known.
    checked : bool, optional
        True if the fields are known to fit one another.

    Attributes
    ----------
    calls : dict
        Prepared calls of functions, by function.
    former : dict
        Prepared calls for an earlier state, which differs in transforms, inertias or gravity alone.
    kept : dict
        Other results that are derived from the fields and used again; see `keep`.
    """

    __slots__ = ("__weakref__", "_checked", "_layout", "_real", "calls", "fields", "former", "kept")

    def __init__(
        self, fields: Mapping[str, Any], layout: Layout | None = None, checked: bool = False
    ) -> None:
        self.fields, self._layout, self._checked = fields, layout, checked
        self._real: bool | None = None
        self.calls: dict[Any, Any] = {}
        self.former: dict[Any, Any] = {}
        self.kept: dict[Any, Any] = {}

    def replaced(self, name: str, value: Any) -> State:
        """Return the state with another value of a field, which was converted for this state.

        An assignment of numbers alone keeps the layout, and what is known about the fields.
        """
        fields = {**self.fields, name: value}
        if name in LAYOUT_FIELDS and not _equal(value, self.fields[name]):
            return State(fields)
        moves = name in ("has_rotor", "jtype_rotor")
        state = State(fields, self._layout, self._checked and not moves)
        if name in ("Xtree", "I", "gravity"):
            state.former = {**self.former, **self.calls}
        return state

    @property
    def layout(self) -> Layout:
        """Sizes, indices and ancestors."""
        if self._layout is None:
            layout = Layout.of(self.fields["parent"], self.fields["jtype"])
            for i, joint in enumerate(layout.joints):
                if joint.planar != self.is_planar:
                    raise ModelError(
                        f"jtype: joint {joint.code!r} is not allowed in a {self._kind} model "
                        f"(joint {i})"
                    )
            self._layout = layout
        return self._layout

    @property
    def is_planar(self) -> bool:
        """True if transforms and inertias are 3 x 3."""
        return bool(self.fields["Xtree"].shape[-1] == 3)

    @property
    def _kind(self) -> str:
        return "planar (3x3)" if self.is_planar else "spatial (6x6)"

    @property
    def digest(self) -> bytes:
        """Digest of the numbers, the tree and the joint types; equal for equal models anywhere."""
        return self.keep("digest", self._digest)

    def _digest(self) -> bytes:
        parts = [(name, x.shape, x.dtype.str, x.tobytes()) for name, x in self.numbers.items()]
        joints = self.fields["parent"].tolist(), plain(self.fields["jtype"])
        rotors = self.fields["has_rotor"].tolist(), plain(self.fields["jtype_rotor"])
        return blake2b(repr((parts, joints, rotors)).encode(), digest_size=16).digest()

    @property
    def numbers(self) -> dict[str, Array]:
        """The arrays of numbers on which the dynamics depend, by name."""
        names = ["Xtree", "I", "gravity"]
        names += ["Xrotor", "I_rotor", "gr"] if self.fields["has_rotor"].any() else []
        arrays = {name: self.fields[name] for name in names}
        terms = {name: self.fields[name] for name in JOINT_TERMS}
        return arrays | {name: x for name, x in terms.items() if x is not None}

    @property
    def foreign(self) -> Array | None:
        """One of the arrays that is not NumPy's, if there is any."""
        return None if self.real else next(filter(is_foreign, self.numbers.values()), None)

    @property
    def real(self) -> bool:
        """True if all numbers are real float64 NumPy arrays, as kernels need them."""
        if self._real is None:
            arrays = self.numbers.values()
            self._real = all(type(x) is np.ndarray and x.dtype == np.float64 for x in arrays)
        return self._real

    def check(self, *, rotors: bool = True) -> None:
        """Check once that fields fit one another; each field alone was checked by its assignment.

        Parameters
        ----------
        rotors : bool, optional
            False if transforms and inertias of rotors were converted for the present mask.

        Raises
        ------
        ModelError, JointTypeError
            Fields that do not fit.
        """
        if self._checked:
            return
        n = self.layout.NV
        for name in JOINT_TERMS:
            if self.fields[name] is not None:
                check_numbers(name, self.fields[name], (n,))
                if name in SPRING:
                    check_spring(name, self.fields[name], self.fields["jtype"])
        self._check_rotor_joints()
        if rotors and (has := self.fields["has_rotor"]).any():
            check_transforms("Xrotor", self.fields["Xrotor"], has)
            check_inertias("I_rotor", self.fields["I_rotor"], has, stacklevel=6)
        self._checked = True

    def _check_rotor_joints(self) -> None:
        """Check that each rotor and its joint have one degree of freedom."""
        jtype, layout = self.fields["jtype_rotor"], self.layout
        for i in np.flatnonzero(self.fields["has_rotor"]):
            if jtype[i] is None:
                raise ModelError(f"jtype_rotor[{i}]: missing, but has_rotor[{i}] is set")
            try:
                joint = joint_type(jtype[i])
            except JointTypeError as error:
                raise JointTypeError(f"jtype_rotor[{i}]: {error}") from None
            if layout.nv[i] != 1 or joint.nv != 1:
                raise ModelError(
                    f"has_rotor[{i}]: the joint of a rotor and that of its body must have one "
                    f"degree of freedom each; for body {i} they are {joint.code!r} and "
                    f"{layout.joints[i].code!r}"
                )
            if joint.planar != self.is_planar:
                raise ModelError(
                    f"jtype_rotor[{i}]: joint {joint.code!r} is not allowed in a {self._kind} model"
                )

    def keep(self, name: str, make: Callable[[], T]) -> T:
        """Return the result of `make`, computed once and kept under `name`."""
        if name not in self.kept:
            self.kept[name] = make()
        value: T = self.kept[name]
        return value


def _equal(x: Any, y: Any) -> bool:
    return np.array_equal(x, y) if isinstance(x, np.ndarray) else bool(x == y)


def keep_in(kept: dict[Any, T], key: Any, make: Callable[[], T], most: int = 64) -> T:
    """Return the value of a key in a cache; the result of `make`, which is added, if there is none.

    A cache with `most` entries is cleared first.

    Examples
    --------
    >>> kept = {}
    >>> keep_in(kept, "a", lambda: 1, 8), keep_in(kept, "a", lambda: 2, 8)
    (1, 1)
    """
    value = kept.get(key)
    if value is None:
        value = make()
        if len(kept) >= most:
            kept.clear()
        kept[key] = value
    return value

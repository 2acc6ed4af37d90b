"""Conversion of the fields of MATLAB's model struct to those of `Model`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_v2.exceptions import JointTypeError, ModelFileError
from spatial_v2.files.matlab_drawings import READ
from spatial_v2.files.matlab_field import MatlabField
from spatial_v2.files.wording import listed
from spatial_v2.joints.table import joint_type
from spatial_v2.model.matlab_derived import derived_fields
from spatial_v2.model.matlab_user import own_value

if TYPE_CHECKING:
    from spatial_v2.model.model import Model

__all__ = ["NEEDED", "ROTOR", "check_derived", "model_fields"]

NEEDED = ("parent", "jtype", "Xtree", "I")
"""Required fields of a model struct."""

ROTOR = ("jtype_rotor", "Xrotor", "I_rotor", "gr")
MISNAMED = {"I_rot": "I_rotor", "Xtree_motor": "Xrotor"}
"""Names of rotor fields in MATLAB's ``TX40_model`` and ``CheetahLeg_model``."""

_NAMES = ("joint_names", "body_names")
_KNOWN = {*NEEDED, *ROTOR, *MISNAMED, *_NAMES, *READ, "name", "gravity"}


def model_fields(struct: Mapping[str, MatlabField], where: str) -> dict[str, Any]:
    """Convert a model struct to the arguments of `Model`, with numbering from 0.

    Parameters
    ----------
    struct : mapping
        Fields of the struct.
    where : str
        File and variable, for messages.

    Raises
    ------
    ModelFileError
        A field that is missing or invalid; the message names it.

    Warns
    -----
    UserWarning
        Rotors that are left out because one of their fields is missing, and entries beyond the
        number of bodies, which MATLAB does not use either.
    """
    missing = [field for field in NEEDED if field not in struct]
    if missing:
        raise ModelFileError(f"{where}: the field {missing[0]!r} is missing")
    present = {k: x for k, x in struct.items() if k in {*_KNOWN, "has_rotor"} and not x.is_empty}
    present = {MISNAMED[k]: x for k, x in present.items() if k in MISNAMED} | present
    parent = struct["parent"].numbers(_BEFORE, whole=True).astype(np.int64)
    n = _number_of_bodies(struct, len(parent), where)
    _check_parents(struct["parent"], parent[:n])
    Xtree, I = (struct[k].entries(n, cut=True) for k in ("Xtree", "I"))
    d = next((len(x.value) for x in (*Xtree, *I) if np.shape(x.value) in ((6, 6), (3, 3))), 6)
    out: dict[str, Any] = {
        "parent": parent[:n] - 1,
        "jtype": [_known_joint(j) for j in struct["jtype"].entries(n, cut=True)],
        "Xtree": [X.matrix(d) for X in Xtree],
        "I": [x.matrix(d) for x in I],
        **_rotors(present, n, d, where),
    }
    if "gravity" in present:
        out["gravity"] = present["gravity"].numbers()
    if "name" in present:
        out["name"] = present["name"].text()
    out |= {k: [x.text() for x in present[k].entries(n)] for k in _NAMES if k in present}
    return out | {k: read(present[k], n) for k, read in READ.items() if k in present}


def _number_of_bodies(struct: Mapping[str, MatlabField], parents: int, where: str) -> int:
    """Return NB, or the number of parents; warn of fields with more entries, which are not read."""
    NB = struct["NB"].value if "NB" in struct else None
    number = NB.item() if isinstance(NB, np.ndarray) and NB.size == 1 and NB.dtype == float else 0
    n = int(number) if number in range(1, parents) else parents
    longer = ["parent"] * (n < parents) + [name for name in NEEDED[1:] if struct[name].count > n]
    if longer:
        tip = "; a transform to an end effector is a frame, as in frames={'tip': (body, X)}"
        warnings.warn(
            f"{where}: more entries than the {n} bodies; 1 to {n} are read: {listed(longer)}"
            + tip * (longer == ["Xtree"]),
            stacklevel=4,
        )
    return n


_BEFORE = "the number of a body before it, or 0 for the fixed base, for each body"


def _check_parents(field: MatlabField, parent: np.ndarray) -> None:
    if not parent.size:
        raise field.error(_BEFORE)
    bad = np.flatnonzero((parent < 0) | (parent > np.arange(len(parent))))
    if bad.size:
        i = int(bad[0])
        raise ModelFileError(f"{field.place}({i + 1}): want {_BEFORE}, got {parent[i]}")


def _joint(field: MatlabField) -> Any:
    value = field.value
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        return value
    wanted = "a joint code, or a struct with code and pars"
    joint = MatlabField(field.place, value).struct(wanted)
    if "code" not in joint:
        raise field.error(wanted)
    pars = joint["pars"].struct() if "pars" in joint and not joint["pars"].is_empty else {}
    return {"code": joint["code"].text(), "pars": {k: x.number() for k, x in pars.items()}}


def _known_joint(field: MatlabField) -> Any:
    joint = _joint(field)
    try:
        joint_type(joint)
    except JointTypeError as error:
        raise ModelFileError(f"{field.place}: {str(error).removeprefix('jtype: ')}") from error
    return joint


def _rotors(present: Mapping[str, MatlabField], n: int, d: int, where: str) -> dict[str, Any]:
    """Convert the rotor fields; a rotor that lacks a field is left out with a warning."""
    has = np.zeros(n, dtype=bool)
    if "has_rotor" in present:
        truth = present["has_rotor"].numbers(f"{n} truth values, one for each body") != 0
        if truth.any() and len(truth) != n:
            raise present["has_rotor"].error(f"{n} truth values, one for each body")
        has[: len(truth)] = truth
    columns: dict[str, list[MatlabField | None]] = {}
    for name in ROTOR:
        entries = present[name].entries(n, all_given=False) if name in present else []
        kept = [None if x.is_empty else x for x in entries]
        columns[name] = kept + [None] * (n - len(kept))
    if not has.any() and not present.keys() & set(ROTOR):
        return {}
    lacking: dict[str, list[str]] = {}
    for i in np.flatnonzero(has):
        absent = [name for name in ROTOR if columns[name][i] is None]
        if absent:
            has[i] = False
            lacking.setdefault(" and ".join(absent), []).append(str(i + 1))
    if lacking:
        which = "; ".join(f"{absent} of joint {listed(j)}" for absent, j in lacking.items())
        warnings.warn(
            f"{where}: rotors are left out, as the file does not have {which} (joints from 1)",
            stacklevel=5,
        )
    return {
        "has_rotor": has,
        "jtype_rotor": [
            None if x is None else _known_joint(x) if used else _joint(x)
            for x, used in zip(columns["jtype_rotor"], has, strict=True)
        ],
        "Xrotor": [None if x is None else x.matrix(d) for x in columns["Xrotor"]],
        "I_rotor": [None if x is None else x.matrix(d) for x in columns["I_rotor"]],
        "gr": [None if x is None else x.number() for x in columns["gr"]],
    }


def check_derived(model: Model, struct: Mapping[str, MatlabField], where: str) -> None:
    """Warn of derived fields that do not fit the tree, and of fields that are not read; store the
    user's own fields in ``model.user``.
    """
    ours = {"NB": float(model.NB), **derived_fields(model)}
    count_rotors = {"NB_rot", "rotor_param_inds"}
    if "has_rotor" in struct and not _same(model.has_rotor, struct["has_rotor"]):
        ours = {k: x for k, x in ours.items() if k not in count_rotors}
    known = _KNOWN | count_rotors | ours.keys()
    compared = ours.keys() & struct.keys() - {"has_rotor"}
    stale = [k for k in compared if not _same(ours[k], struct[k])]
    if stale:
        fields = ", ".join(sorted(stale))
        warnings.warn(
            f"{where}: some fields do not fit the tree and are recomputed: {fields}", stacklevel=4
        )
    own = {name: own_value(struct[name]) for name in struct.keys() - known}
    model.user = {name: value for name, value in own.items() if value is not None}
    unread = sorted(own.keys() - model.user.keys())
    if unread:
        warnings.warn(f"{where}: fields not read: {listed(unread)}", stacklevel=4)


def _same(ours: Any, theirs: MatlabField) -> bool:
    """Return whether two values are equal as rows or columns; cells may omit empty last entries."""
    if not (isinstance(ours, np.ndarray) and ours.dtype == object):
        value = theirs.value
        numbers = isinstance(value, np.ndarray) and value.dtype.kind in "fc"
        same = numbers and np.array_equal(np.ravel(ours), value.ravel())
        return same or (np.size(ours) == 0 and theirs.is_empty)
    try:
        entries = theirs.entries(ours.size, all_given=False)
    except ModelFileError:
        return False
    nothing = MatlabField(theirs.place, np.empty(0))
    return all(_same(a, b) for a, b in zip_longest(ours.ravel(), entries, fillvalue=nothing))

"""Checks of all arguments of a call, with errors that explain what is wrong."""

import inspect
from typing import Any

from spatial_v2.arrays import Array, alike
from spatial_v2.arrays.checks import as_vector
from spatial_v2.calls.frame import validate_frame
from spatial_v2.calls.signature import Function
from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.model.state import check_forces, check_frame, check_model, check_vector
from spatial_v2.version_1 import explain_version_1


def check_arguments(
    of: Function, model: Model, args: tuple[Any, ...], kw: dict[str, Any]
) -> tuple[list[Array], Array | None]:
    """Check model, arrays and options of a call; return its arrays and external forces (..., NB,
    6).

    Afterwards `kw` contains only options of the reference implementation.
    """
    name, n = of.name, len(of.cores)
    check_model(model)
    foreign = model.checked().foreign
    if of.accepts:
        of.accepts(name, model)
    if model.has_joint_terms and not of.joint_terms:
        raise ModelError(
            f"{name}: does not support the {', '.join(model._joint_terms())} of the model; "
            f"model.replace({', '.join(f'{x}=None' for x in model._joint_terms())}) returns one "
            "without them"
        )
    values = list(args[:n])
    values += [kw.pop(x) for x in of.names[len(args) :] if x in kw]
    for option, value in zip(of.options, args[n:], strict=False):
        if option in kw:
            raise TypeError(f"{name}: got {option!r} by position and by keyword")
        kw[option] = value
    missing = len(values) < n or (of.of_frame and "frame" not in kw)
    if missing or len(args) > n + len(of.options):
        hint = "" if missing or not of.takes_force else explain_version_1("grav_accn")
        raise TypeError(
            f"{name}: got {len(args) + 1} arguments, want {name}{inspect.signature(of.function)}"
            + hint
        )
    for option in kw:
        if option not in of.defaults:
            hint = explain_version_1(option)
            raise TypeError(f"{name}: got an unexpected keyword argument {option!r}{hint}")
    rows = of.validate_constraints(model, kw) if of.validate_constraints else 0
    sizes = {"q": model.layout.NQ, "v": model.layout.NV, "m": rows}
    arrays = [
        as_vector(y, x, 3 if model.is_planar else 6)
        if core == "6"
        else check_vector(model, x, y, sizes[core], core)
        for x, y, core in zip(of.names, values, of.cores, strict=True)
    ]
    force = kw.pop("f_ext", None) if of.takes_force else None
    if of.takes_frame:
        check_frame(kw.get("frame", "base"))
    if of.of_frame:
        validate_frame(model, kw)
    if of.validate_constraints:
        kw["m"] = rows
    else:
        for option in [x for x in kw if of.is_default(x, kw[x])]:
            del kw[option]
    force = None if force is None else check_forces(model, force)
    if foreign is not None:
        _, *arrays = alike(foreign, *arrays)
        force = None if force is None else alike(foreign, force)[1]
    return arrays, force

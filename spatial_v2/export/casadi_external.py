"""The forward dynamics of a robot as a compiled function of CasADi, with exact derivatives."""

from __future__ import annotations

import re
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from string import Template
from typing import Any

import derivatives
from spatial_v2.dynamics import FDab
from spatial_v2.exceptions import SpatialError
from spatial_v2.export.levels import ANY
from spatial_v2.export.library import earlier_files, export_library
from spatial_v2.export.model_file import model_bytes
from spatial_v2.files.part_folder import part_folder
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["FUNCTIONS", "export_casadi", "external_name", "source"]

FUNCTIONS: tuple[Any, ...] = (
    FDab,
    derivatives.FD_derivatives,
    derivatives.modFD_derivatives,
    derivatives.modFD_second_derivatives,
)
"""Forward dynamics, its Jacobian, and its gradient and Hessian for weights of the accelerations."""

_TEMPLATE = Path(__file__).parent / "templates" / "casadi.c.in"
_STATE = "q", "qd", "tau"


def export_casadi(
    folder: str | PathLike[str],
    model: Model,
    level: str = ANY,
    progress: Callable[[str], None] = lambda name: None,
) -> str:
    """Write a library whose forward dynamics is a function of CasADi, without Python when it runs.

    Parameters
    ----------
    folder : path-like
        The folder, created if needed. It receives the library of `export_library`, with the robot
        and the function of CasADi in ``src``; `build_library` builds it.
    model : Model
        The robot. Its joints have one variable each.
    level : str, optional
        The processor, as in `export_library`.
    progress : callable, optional
        Called with the name of each function before it is compiled.

    Returns
    -------
    str
        The name of the function, for ``casadi.external``.

    Raises
    ------
    SpatialError
        A joint with several variables, an unknown level, or no compiler (numba).

    Examples
    --------
    >>> from spatial_v2 import load_model
    >>> export_casadi("arm", load_model("puma560"))  # doctest: +SKIP
    'puma560_FDab'
    """
    name = external_name(model)
    text = source(model, name)
    with part_folder(folder, earlier_files(folder)) as root:
        export_library(root, FUNCTIONS, ("state",), level, progress)
        (root / "src" / "casadi.c").write_text(text, "utf-8", newline="\n")
    return name


def external_name(model: Model) -> str:
    """Return the name of the function of CasADi: that of the robot, and FDab.

    Parameters
    ----------
    model : Model
        The robot.

    Returns
    -------
    str
        A name that C can have; only letters, digits and underscores of the robot's are kept.

    Examples
    --------
    >>> from spatial_v2 import load_model
    >>> external_name(load_model("puma560"))
    'puma560_FDab'
    """
    check_model(model)
    kept = re.sub(r"\W+", "_", model.name or "robot", flags=re.ASCII).strip("_") or "robot"
    return f"{'robot_' * kept[0].isdigit()}{kept}_FDab"


def source(model: Model, name: str) -> str:
    """Return the C file of the function, which contains the robot.

    Parameters
    ----------
    model : Model
        The robot.
    name : str
        The name of the function.

    Returns
    -------
    str
        The text.

    Raises
    ------
    SpatialError
        A joint with several variables.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> "CALL(jac_arm_FDab)" in source(autoTree(2), "arm_FDab")
    True
    """
    for body, (kind, joint) in enumerate(zip(model.jtype, model.joint_names, strict=True)):
        if model.layout.nq[body] != 1:
            raise SpatialError(
                f"model: want joints with one variable each, got {joint} of type {kind}; CasADi "
                'would differentiate entries of q: use to_casadi(model, "FDab", kernel=True)'
            )
    data = model_bytes(model)
    rows = (data[i : i + 24] for i in range(0, len(data), 24))
    arguments = *_STATE, "out_qdd", "adj_qdd"
    blocks = (f'"jac_adj_{of}_{along}"' for of in _STATE for along in arguments)
    return Template(_TEMPLATE.read_text("utf-8")).substitute(
        name=name,
        n=model.NV,
        robot=(model.name or "robot").replace("*/", "* /").replace("\n", " "),
        bytes="\n".join(f"    {', '.join(map(str, row))}," for row in rows),
        blocks=", ".join(blocks),
    )

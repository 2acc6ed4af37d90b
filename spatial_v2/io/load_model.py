"""Loading robots by name, as built-in models with parameters, or from a file."""

from __future__ import annotations

import difflib
import inspect
import math
import os
import re
from collections.abc import Callable
from pathlib import Path

from spatial_v2 import models
from spatial_v2.exceptions import ModelError
from spatial_v2.files.path_name import path_name
from spatial_v2.io.example_robots import example_robots
from spatial_v2.io.impose import Couplings, check_couplings
from spatial_v2.io.load_mjcf import compile_mjcf, load_mjcf
from spatial_v2.io.load_sdf import load_sdf
from spatial_v2.io.load_urdf import load_urdf
from spatial_v2.io.matlab_coupling import with_coupling
from spatial_v2.io.memory import gigabytes, usable_memory
from spatial_v2.io.mujoco_tree import mujoco_tree
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import with_base

__all__ = ["load_model", "model_names"]

_BODY = 10_000
"""Upper estimate of the memory per body while a model is constructed [bytes]."""


def load_model(
    source: str | os.PathLike[str],
    floating_base: bool = False,
    *,
    couplings: Couplings = "auto",
    dynamics: bool = False,
) -> Model:
    """Load a robot by its name, as a built-in model with parameters, or from a file.

    Parameters
    ----------
    source : str or path
        - the name of a model of `spatial_v2.models` (``"puma560"``), followed by a colon and
          numbers if it has parameters: ``"autoTree:NB,BF,SKEW,TAPER"``, ``"planar:N"``; the ending
          ``_model`` may be omitted (``"Panda"`` is MATLAB's ``Panda_model``);
        - the path of a ``.urdf`` or ``.xacro`` file (see `load_urdf`; a ``.xacro`` file may be
          followed by arguments as on xacro's command line, ``"arm.xacro prefix:=l_"``), of an
          ``.sdf`` file (see `load_sdf`), of an MJCF file, ``.mjcf`` or ``.xml`` (see `load_mjcf`),
          or of a ``.mat`` file with a model struct (see `Model.from_matlab`);
        - the name of a robot of the package example-robot-data, if it is installed: ``"talos"``,
          ``"ur5"``, ``"hyq"``, ``"panda"``; `model_names` lists them.
    floating_base : bool, optional
        If True, the robot floats freely. The root link of a URDF or SDF file becomes the floating
        base. An MJCF file itself defines floating bodies, by free joints. In any other model body 0
        becomes the floating base: its joint is replaced by 'Fb' (`floatbase` inserts six joints
        with one degree of freedom instead).
    couplings : {"auto", "imposed", "free"}, optional
        Treatment of joints that follow others in the file, and of loops. By default joints follow,
        and loops are closed: the result is a `CoupledModel` of the independent variables;
        ``.tree`` is the free tree. A warning names those of them that cannot be imposed, and the
        reason; with ``"imposed"`` that is an error. With ``"free"`` all joints move independently.
        A file without couplings gives a plain model.
    dynamics : bool, optional
        If True, damping and friction of a URDF or SDF file, and springs of an SDF file, become
        fields of the model, and no longer only words of ``left_out``. Other models have their joint
        terms in any case.

    Returns
    -------
    Model
        The robot.

    Raises
    ------
    ModelFileError
        A file that cannot be read.
    ModelError
        If the name is unknown, parameters of a built-in model are wrong, there are more bodies than
        the memory holds, or the model cannot float.

    Examples
    --------
    >>> load_model("autoTree:7,2").parent
    array([-1,  0,  0,  1,  1,  2,  2])
    >>> load_model("autoTree:3", floating_base=True).jtype
    ('Fb', 'R', 'R')
    """
    check_couplings(couplings)
    text, xacro_args = _arguments(path_name(source, "source"))
    suffix = Path(text).suffix.lower()
    if suffix in (".urdf", ".xacro"):
        return load_urdf(
            text, floating_base=floating_base, dynamics=dynamics, xacro_args=xacro_args,
            couplings=couplings,
        )  # fmt: skip
    if suffix == ".sdf":
        return load_sdf(text, floating_base, dynamics=dynamics, couplings=couplings)
    if suffix in (".xml", ".mjcf"):
        if not floating_base:
            return load_mjcf(text, couplings=couplings)
        return mujoco_tree(compile_mjcf(text), text, couplings, lambda model: _float(model, text))
    if suffix == ".mat":
        model = Model.from_matlab(text)
        return with_coupling(_float(model, text) if floating_base else model, couplings, text)
    name, _, numbers = text.partition(":")
    recipes = _recipes()
    maker = recipes.get(name, recipes.get(f"{name}_model"))
    if maker is not None:
        model = _cook(text, maker, numbers)
        return _float(model, text) if floating_base else model
    robots = example_robots()
    if text in robots:
        return load_urdf(
            robots[text], floating_base=floating_base, dynamics=dynamics, couplings=couplings
        )
    if os.path.isfile(text):
        raise ModelError(
            f"model {text!r}: the suffix of this file does not tell its format; want .urdf, "
            ".xacro, .sdf, .xml, .mjcf or .mat, or call load_urdf, load_sdf, load_mjcf or "
            "Model.from_matlab"
        )
    raise _unknown(text, robots)


def _arguments(text: str) -> tuple[str, dict[str, str]]:
    """Split a string into the name of a .xacro file and its arguments ``name:=value``."""
    match = re.fullmatch(r"(.*\.xacro)((?:\s+\w+:=\S*)+)", text)
    if match is None:
        return text, {}
    return match[1], dict(word.split(":=", 1) for word in match[2].split())


def model_names() -> list[str]:
    """List the names that `load_model` accepts.

    Returns
    -------
    list of str
        Models of the library, then robots of the package example-robot-data if it is installed.

    Examples
    --------
    >>> "autoTree" in model_names()
    True
    """
    return [*_recipes(), *example_robots()]


def _recipes() -> dict[str, Callable[..., Model]]:
    """Return the functions of `spatial_v2.models` that make a model from numbers alone."""
    makers = {name: getattr(models, name) for name in models.__all__}
    return {
        name: maker
        for name, maker in makers.items()
        if inspect.isfunction(maker)
        and maker.__annotations__.get("return") == "Model"
        and "Model" not in [a for p, a in maker.__annotations__.items() if p != "return"]
    }


def _cook(text: str, maker: Callable[..., Model], numbers: str) -> Model:
    words = [word.strip() for word in numbers.split(",")] if numbers else []
    signature = inspect.signature(maker)
    try:
        values = [int(word) if word.isdecimal() else float(word) for word in words]
        signature.bind(*values)
        if not all(map(math.isfinite, values)):
            raise ValueError("want finite numbers")
    except (TypeError, ValueError) as e:
        form = f"{maker.__name__}:{','.join(signature.parameters)}".rstrip(":")
        raise ModelError(f"model {text!r}: {e}; want {form}") from e
    size = _BODY * values[0] if values else 0
    if size > usable_memory():
        raise ModelError(
            f"model {text!r}: {values[0]:g} bodies take {gigabytes(size)}, and "
            f"{gigabytes(usable_memory())} of memory may be used"
        )
    return maker(*values)


def _float(model: Model, text: str) -> Model:
    if model.is_planar or model.has_rotor[0] or (model.parent == -1).sum() != 1:
        raise ModelError(
            f"model {text!r}: floating_base needs a spatial model in which one body alone, without "
            "a rotor, is connected to the base"
        )
    terms = with_base(f"model {text!r}: floating_base", model, model.nv[0])
    return model.replace(jtype=["Fb", *model.jtype[1:]], **terms)


def _unknown(text: str, robots: dict[str, Path]) -> ModelError:
    names = model_names()
    close = difflib.get_close_matches(text, names, n=3)
    hint = f"; did you mean {' or '.join(close)}?" if close else "."
    if not robots:
        hint += (
            " Robots by name (hyq, talos, ur5, ...) come with another package: "
            "pip install example-robot-data."
        )
    return ModelError(
        f"model {text!r}: not a known name and not a .urdf, .xacro, .sdf, .xml or .mat file{hint} "
        f"Known: {', '.join(names)}"
    )

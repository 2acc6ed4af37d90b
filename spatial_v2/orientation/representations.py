"""The six representations of a rotation, and the docstrings of the composed conversions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

__all__ = ["REPRESENTATIONS", "Representation", "conversion"]

_F = TypeVar("_F", bound=Callable[..., object])


class Representation(NamedTuple):
    """Description of a representation of rotations; `turn` is an example, 90 degrees about z."""

    argument: str
    shape: str
    meaning: str
    turn: str
    printed: str


REPRESENTATIONS = {
    "rot": Representation(
        "R", "3, 3", "Rotation matrices, body to space: the transposes of `rq` and `rv`.",
        "[[0, -1, 0], [1, 0, 0], [0, 0, 1]]",
        "array([[ 0., -1.,  0.],\n       [ 1.,  0.,  0.],\n       [ 0.,  0.,  1.]])",
    ),
    "quat": Representation(
        "q", "4", "Quaternions [w, x, y, z]; those given may have any nonzero norm.",
        "[1, 0, 0, 1]", "array([0.7071, 0.    , 0.    , 0.7071])",
    ),
    "angleAxis": Representation(
        "phi", "3", "Angle times axis [rad]; those returned have 0 <= angle <= pi.",
        "[0, 0, 1.5707963267948966]", "array([0.    , 0.    , 1.5708])",
    ),
    "rpy": Representation(
        "rpy", "3", "Angles [roll, pitch, yaw] [rad]; pitch is returned between -pi/2 and pi/2.",
        "[0, 0, 1.5707963267948966]", "array([0.    , 0.    , 1.5708])",
    ),
    "cayley": Representation(
        "c", "3", "Cayley vectors: tan(angle/2) times axis [-]; half-turns have none.",
        "[0, 0, 1]", "array([0., 0., 1.])",
    ),
    "mrp": Representation(
        "mrp", "3", "Modified Rodrigues parameters: tan(angle/4) times axis [-].",
        "[0, 0, 0.41421356237309503]", "array([0.    , 0.    , 0.4142])",
    ),
}  # fmt: skip
"""Representations by the name that they have in the names of conversions."""


def conversion(function: _F) -> _F:
    """Add the sections on arguments, results, errors and an example to a conversion's docstring.

    Examples
    --------
    >>> from spatial_v2.orientation import mrpToCayley
    >>> mrpToCayley.__doc__.splitlines()[4]
    'mrp : array, shape (..., 3)'
    """
    if function.__doc__ is None:
        return function
    name = function.__name__
    source, target = (_named(word) for word in name.split("To"))
    order = "n" in inspect.signature(function).parameters
    sections = [
        inspect.cleandoc(function.__doc__), "",
        "Parameters", "----------",
        f"{source.argument} : array, shape (..., {source.shape})", f"    {source.meaning}",
        *(["n : int", "    Order of the Cayley vectors, see `cayleyToQuat`."] if order else []), "",
        "Returns", "-------",
        f"array, shape (..., {target.shape})", f"    {target.meaning}", "",
        "Raises", "------", "ArrayShapeError",
        f"    If `{source.argument}` does not hold arrays of this shape.",
        *(["SpatialError", "    If `n` is not a positive whole number."] if order else []), "",
        "Examples", "--------",
        f">>> {name}({source.turn}).round(4) + 0", *target.printed.splitlines(), "",
    ]  # fmt: skip
    function.__doc__ = "\n".join(sections)
    return function


def _named(word: str) -> Representation:
    return REPRESENTATIONS[re.sub("^(MRP|[A-Z])", lambda m: m[0].lower(), word)]

"""The option `couplings` of readers: joints of a file that follow others, and loops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from spatial_v2.exceptions import ModelError, ModelFileError, SpatialError
from spatial_v2.io.curves import Curve, curves_of
from spatial_v2.model import Model

__all__ = ["NO_MORE", "Couplings", "Ties", "check_couplings", "impose"]

Couplings = Literal["free", "imposed"]
"""Treatment of joints that follow others, and of loops: all move freely, or as the file says."""


class Ties(NamedTuple):
    """Data of coupled joints in a file that are not in ``model.mimic`` and ``model.loops``."""

    independent: tuple[str, ...] = ()
    """Names of the independent joints of loops; empty if the file does not say."""
    matrix: np.ndarray | None = None
    """G of all joints of the model, if some follow several others, in place of ``model.mimic``."""
    offset: np.ndarray | None = None
    """The offset that belongs to it."""
    curves: Mapping[str, Curve] = {}
    """Joints that follow others by polynomials, beside ``model.mimic``."""


NO_MORE = Ties()


def check_couplings(couplings: str) -> None:
    """Raise an error for an unknown value of the option.

    Examples
    --------
    >>> check_couplings("none")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: couplings: want 'free' or 'imposed', got 'none'
    """
    if couplings not in get_args(Couplings):
        raise SpatialError(f"couplings: want 'free' or 'imposed', got {couplings!r}")


def impose(model: Model, couplings: Couplings, where: str, ties: Ties = NO_MORE) -> Model:
    """Return the model, or with ``"imposed"`` that of its independent variables."""
    follows = bool(model.mimic or ties.curves or ties.matrix is not None)
    if couplings == "free" or not (follows or model.loops):
        return model
    from spatial_v2.mechanisms import couple

    hint = "couplings='free' reads the tree with all joints free"
    try:
        if model.loops and (ties.curves or ties.matrix is not None):
            raise ModelError(
                "it has loops, and joints that follow others by polynomials or several at once, "
                "which cannot be imposed together"
            )
        if model.loops:
            named = f"independent={[*ties.independent]}, " * bool(ties.independent)
            hint += f", for couple(model, constraints=loop_constraints(model), {named}guess=q)"
        return couple(model, **_coupling(model, ties))
    except ModelError as e:
        raise ModelFileError(f"{where}: {e}; {hint}") from None


def _coupling(model: Model, ties: Ties) -> dict[str, Any]:
    """Return the arguments of `couple`."""
    from spatial_v2.constraints import loop_constraints

    if model.loops:
        constraints = loop_constraints(model)
        follow = model.mimic or {}  # independent of the loops, though not of each other
        named = {*ties.independent, *follow} if ties.independent else None
        return {"constraints": constraints, "independent": named, "mimic": follow or None}
    if ties.matrix is not None:
        return {"matrix": ties.matrix, "offset": ties.offset}
    if not ties.curves:
        return {"mimic": model.mimic}
    lines = {k: Curve(x.joint, (x.offset, x.multiplier)) for k, x in (model.mimic or {}).items()}
    function, free = curves_of(model, {**lines, **ties.curves})
    return {"function": function, "independent": free}

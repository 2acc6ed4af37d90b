"""Links of other dimensions, as parameters of a design."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays import alike, constant, namespace
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.exceptions import ArrayShapeError, InertiaWarning, ModelError
from spatial_v2.inertia import inertiaMatToPinertia, inertiaVecToMat, pinertiaToVec
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.state import check_model
from spatial_v2.spatial import plux, transform_parts

__all__ = ["resize"]


def resize(model: Model, body: str | int, factors: ArrayLike, density: ArrayLike = 1.0) -> Model:
    """Return the model in which a link is stretched, as a parameter of a design.

    Parameters
    ----------
    model : Model
        The rigid-body tree, not a planar one.
    body : str or int
        Name or number of the body.
    factors : array, shape (3,), or number
        Factors of the dimensions of the body along the axes of its frame, or one for all.
    density : number, optional
        Factor of its density.

    Returns
    -------
    Model
        The model in which the mass of the body is distributed as in the stretched body. Joints,
        frames and contact points on the body, and rotors that it carries, are where the stretched
        body has them, with the same orientation. Drawings remain as they are.

    Raises
    ------
    ModelError
        A body that the model does not have; a planar model.
    ArrayShapeError
        Factors of another shape, or not positive.

    Notes
    -----
    With S the diagonal matrix of the factors, points p of the body become S p, and volumes grow by
    det S. The pseudo-inertia J of the body becomes ``density det(S) diag(S, 1) J diag(S, 1)``.
    Factors may be complex, symbols, or arrays of JAX and PyTorch, so that results of the dynamics
    can be differentiated by them.

    Examples
    --------
    >>> from spatial_v2 import autoTree
    >>> arm = resize(autoTree(2), 0, [1.5, 1.0, 1.0])
    >>> arm.I[0, 5, 5], arm.Xtree[1][4, 2]
    (np.float64(1.5), np.float64(1.5))
    >>> h, q, v = 1e-30, np.array([0.1, 0.2]), np.array([1.0, 2.0])
    >>> from spatial_v2 import EnerMo
    >>> longer = resize(autoTree(2), "body0", [1.0 + h * 1j, 1.0, 1.0])
    >>> slope = EnerMo(longer, q, v).KE.imag / h
    >>> bool(slope > 0)
    True
    """
    check_model(model)
    if model.is_planar:
        raise ModelError("resize: want a spatial model; planar inertias have too few entries")
    i = _number(model, body)
    s, rho = as_numbers(factors, "resize: factors"), as_numbers(density, "resize: density")
    if s.shape not in ((), (3,)) or rho.shape != ():
        raise ArrayShapeError(
            f"resize: want factors of shape (3,), or one number, and a number for the density, got "
            f"shapes {tuple(s.shape)} and {tuple(rho.shape)}"
        )
    for name, x in (("factors", s), ("density", rho)):
        if isinstance(x, np.ndarray) and x.dtype != object and not np.all(x.real > 0):
            raise ArrayShapeError(f"resize: {name}: want positive numbers, got {x.tolist()}")
    X, I, Xrotor, s, rho = alike(model.Xtree, model.I, model.Xrotor, s, rho)
    xp = namespace(X)
    s = s * constant(np.ones(3), X)
    on = model.parent == i
    grown = xp.concat([s, constant(np.ones(1), X)])
    J = inertiaMatToPinertia(I[i]) * grown[:, None] * grown[None, :]
    stretched = inertiaVecToMat(pinertiaToVec(rho * s[0] * s[1] * s[2] * J))
    new: dict[str, Any] = {
        "I": xp.stack([stretched if k == i else I[k] for k in range(model.NB)]),
        "Xtree": xp.stack([_moved(X[k], s) if on[k] else X[k] for k in range(model.NB)]),
    }
    if model.has_rotors:
        rotors = [_moved(x, s) if a and b else x
                  for x, a, b in zip(Xrotor, on, model.has_rotor, strict=True)]  # fmt: skip
        new["Xrotor"] = xp.stack(rotors)
    if model.frames:
        new["frames"] = {
            name: Frame(i, _moved(alike(f.X, s)[0], s)) if f.body == i else f
            for name, f in model.frames.items()
        }
    if model.gc:
        on_link = np.asarray(model.gc["body"]) == i
        real = np.asarray(s).real.astype(float)
        points = np.where(on_link[:, None], real * model.gc["point"], model.gc["point"])
        new["gc"] = {**model.gc, "point": points}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return model.replace(**new)


def _moved(X: Any, s: Any) -> Any:
    """Return a transform from a body to a place on it, when the body is stretched by s."""
    E, r = transform_parts(X)
    return plux(E, s * r)


def _number(model: Model, body: str | int) -> int:
    """Return the number of a body from its name or number."""
    if isinstance(body, str):
        if body not in model.body_names:
            raise ModelError(f"resize: no body is called {body!r}; want one of {model.body_names}")
        return list(model.body_names).index(body)
    return model.joint(body)

"""Couple the joints of a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.couplings.coupled_model import CoupledModel
from spatial_v2.exceptions import ModelError
from spatial_v2.joints.groups import LINE
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["couple", "followers"]


def couple(
    model: Model,
    *,
    matrix: ArrayLike | None = None,
    offset: ArrayLike | None = None,
    mimic: Mapping[Any, Any] | None = None,
) -> CoupledModel:
    """Couple joints of a tree linearly, ``q = G y + c``, so that y are the independent variables.

    Parameters
    ----------
    model : Model
        The tree, with rotors and joint terms, if any.
    matrix : array_like, shape (NV, n), optional
        The matrix G. A joint with several variables, such as a floating base, must be independent:
        its rows are those of an identity. A joint whose row is one of an identity is independent
        and gives its name to the variable, others are called ``y0, y1, ...``.
    offset : array_like, shape (NV,), optional
        The offset c [rad or m]; zero for joints with several variables.
    mimic : dict {joint: (joint, multiplier, offset)}, optional
        In place of `matrix`: joints that follow others, by names or numbers; chains are allowed.
        ``mimic=model.mimic`` takes those of a robot file.

    Returns
    -------
    CoupledModel
        A model with the variables y. Functions of it are those of the tree pulled back to y.

    Raises
    ------
    ModelError
        A matrix of another shape, or without full rank; joints that follow each other in a circle,
        or joints that are not there; a joint with several variables that is not independent.

    Examples
    --------
    A differential: two motors move three joints.

    >>> from spatial_v2 import CRBA
    >>> from spatial_v2.models import autoTree
    >>> wrist = couple(autoTree(3), matrix=[[1, 0], [0, 1], [0.5, -2]])
    >>> CRBA(wrist, [0.1, 0.2]).shape
    (2, 2)
    """
    check_model(model)
    if isinstance(model, CoupledModel):
        raise ModelError("model: its joints are coupled already; give all couplings of the tree")
    if (matrix is None) == (mimic is None):
        raise ModelError("couple: want either matrix=G or mimic={joint: (joint, multiplier, c)}")
    if mimic is not None:
        if offset is not None:
            raise ModelError("offset: goes with matrix; mimic has an offset for each joint")
        return CoupledModel(model, *followers(model, mimic))
    G, c = _numbers("matrix", matrix), np.zeros(model.NV)
    if G.ndim != 2 or G.shape[0] != model.NV or not 1 <= G.shape[1] <= model.NV:
        raise ModelError(
            f"matrix: want shape ({model.NV}, n), a row for each velocity variable of the tree and "
            f"1 to {model.NV} columns, got {G.shape}"
        )
    if offset is not None:
        c = _numbers("offset", offset)
        if c.shape != (model.NV,):
            raise ModelError(
                f"offset: want shape ({model.NV},), an entry for each velocity variable of the "
                f"tree, got {c.shape}"
            )
    return CoupledModel(model, G, c)


def _numbers(name: str, value: Any) -> np.ndarray:
    try:
        x = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"{name}: want an array of real numbers, got {value!r}") from None
    if not np.isfinite(x).all():
        raise ModelError(f"{name}: want finite numbers, got {value!r}")
    return x


def followers(
    model: Model, mimic: Mapping[Any, Any]
) -> tuple[np.ndarray, np.ndarray, frozenset[int]]:
    """Return matrix and offset of joints that follow others, and their numbers."""
    leads: dict[int, tuple[int | None, float, float]] = {}
    for name, value in mimic.items():
        try:
            leader, multiplier, c = value
            factors = float(multiplier), float(c)
        except (TypeError, ValueError):
            raise ModelError(
                f"mimic[{name!r}]: want (joint, multiplier, offset), got {value!r}"
            ) from None
        if not np.isfinite(factors).all():
            raise ModelError(f"mimic[{name!r}]: want finite numbers, got {value!r}")
        i, k = model.joint(name), None if leader is None else model.joint(leader)
        for joint in (i,) if k is None else (i, k):
            if model.layout.joints[joint].group is not LINE:
                raise ModelError(
                    f"mimic[{name!r}]: joint {model.joint_names[joint]!r} has "
                    f"{model.nv[joint]} velocity variables; only joints with one follow others"
                )
        if i in leads:
            raise ModelError(f"mimic[{name!r}]: the joint follows two others; write matrix=G")
        leads[i] = k, *factors
    free = [v for i in range(model.NB) if i not in leads for v in range(model.NV)[model.vinds[i]]]
    if not free:
        raise ModelError("mimic: every joint follows or is held, so that none moves")
    G, c = np.eye(model.NV)[:, free], np.zeros(model.NV)
    done: set[int] = set()
    for i in leads:
        chain: list[int] = []
        follower: int | None = i
        while follower in leads and follower not in done:
            if follower in chain:
                names = [model.joint_names[j] for j in [*chain[chain.index(follower) :], follower]]
                raise ModelError(f"mimic: joints follow each other in a circle: {names}")
            chain.append(follower)
            follower = leads[follower][0]
        for j in reversed(chain):
            k, a, b = leads[j]
            v = model.vinds[j].start
            G[v], c[v] = 0.0, b
            if k is not None:
                w = model.vinds[k].start
                G[v], c[v] = a * G[w], a * c[w] + b
        done.update(chain)
    return G, c, frozenset(leads)

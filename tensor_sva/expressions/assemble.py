"""Full derivatives of inverse dynamics from the published expressions of their blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from spatial_v2.arrays import Array, as_array, namespace
from spatial_v2.dynamics.GlobalDynamics import GlobalDynamics
from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model
from tensor_sva.body import Body, bodies
from tensor_sva.expressions.block import Block, holds
from tensor_sva.expressions.cross import CROSS
from tensor_sva.expressions.first_order import FIRST_ORDER
from tensor_sva.expressions.mass_matrix import MASS_MATRIX
from tensor_sva.expressions.position import POSITION
from tensor_sva.expressions.split import SPLIT
from tensor_sva.expressions.velocity import VELOCITY
from tensor_sva.rotR import rotR

__all__ = [
    "FirstOrder",
    "SecondOrder",
    "SplitFirstOrder",
    "assemble",
    "assemble_first_order",
    "assemble_split",
]

Used = Mapping[tuple[int, ...], Block]
"""Expression used for the block of each tuple of bodies; all other blocks are zero."""


class FirstOrder(NamedTuple):
    """First derivatives of inverse dynamics, arrays (..., NV, NV)."""

    dtau_dq: Array
    """Entry [i, j] is the derivative of tau_i along q_j."""
    dtau_dqd: Array
    """Entry [i, j] is the derivative of tau_i with respect to qd_j."""
    used: dict[str, Used]
    """``used[name][a, b]``: the expression used for rows of body a and columns of body b."""


class SplitFirstOrder(NamedTuple):
    """Derivatives along q of the terms of ``tau = M qdd + C qd + g``, arrays (..., NV, NV)."""

    dMqdd_dq: Array
    """Entry [i, j] is the derivative of (M qdd)_i along q_j, at constant qdd."""
    dCqd_dq: Array
    """Entry [i, j] is the derivative of (C qd)_i along q_j, at constant qd."""
    dg_dq: Array
    """Entry [i, j] is the derivative of g_i along q_j."""
    used: dict[str, Used]
    """As for `FirstOrder`."""


class SecondOrder(NamedTuple):
    """Second derivatives of inverse dynamics, arrays (..., NV, NV, NV)."""

    d2tau_dq: Array
    """Entry [i, j, k] is the derivative along q_k of the derivative along q_j of tau_i."""
    d2tau_dqd: Array
    """Entry [i, j, k] is the second derivative of tau_i with respect to qd_j and qd_k."""
    d2tau_cross: Array
    """Entry [i, j, k] is the derivative of tau_i along q_j and with respect to qd_k."""
    dM_dq: Array
    """Entry [i, j, k] is the derivative of M_ij along q_k."""
    used: dict[str, Used]
    """The expression used for each block: ``used[name][a, b, c]`` for rows of body a, columns of b,
    pages of c.
    """


def assemble(model: Model, q: Any, qd: Any, qdd: Any) -> SecondOrder:
    """Compute second derivatives of inverse dynamics, block by block from Appendix C of the paper.

    This is a slow and readable definition of the tensors of `derivatives.ID_SO_derivatives`.

    Parameters
    ----------
    model : Model
        The rigid-body tree; spatial, without rotors.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    d2tau_dq, d2tau_dqd, d2tau_cross, dM_dq : array, shape (..., NV, NV, NV)
        Entry [i, j, k] of the first three is the derivative along variable k of the derivative
        along variable j of tau_i: q twice, qd twice, or q (j) and qd (k).
        ``dM_dq[i, j, k]`` is the derivative of M[i, j] along q_k.
    used : dict of str to mapping
        ``used["d2tau_dq"][a, b, c]`` is the `Block` that gave the entries [i, j, k] with i a
        velocity variable of body a, j of body b and k of body c. There is no entry for bodies that
        do not lie on one path to the base.

    Raises
    ------
    ModelError
        If the model is planar or has rotors.

    Notes
    -----
    Singh, Russell, Wensing (2023), Appendix C. If two of its expressions apply to one block, as for
    M when two of the bodies coincide, the first in the list `MASS_MATRIX` is used.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> s = assemble(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0])
    >>> s.d2tau_dq.shape, s.used["d2tau_dq"][0, 1, 2].name, s.used["d2tau_dq"][0, 1, 2].condition
    ((3, 3, 3), 'qq4', 'k < j < i')
    """
    check_model(model)
    all_bodies = _bodies(model, q, qd, qdd)
    triples = [
        {"i": all_bodies[i], "j": all_bodies[j], "k": all_bodies[k]}
        for i in range(model.NB)
        for j in model.ancestors[i].tolist()
        for k in model.ancestors[j].tolist()
    ]
    tensors, used = _evaluate([*POSITION, *VELOCITY, *CROSS, *MASS_MATRIX], triples, all_bodies, 3)
    used["d2tau_cross"] = {(a, c, b): x for (a, b, c), x in used.pop("d2tau_dqd_dq").items()}
    return SecondOrder(
        tensors["d2tau_dq"],
        tensors["d2tau_dqd"],
        rotR(tensors["d2tau_dqd_dq"]),
        tensors["dM_dq"],
        used,
    )


def assemble_first_order(model: Model, q: Any, qd: Any, qdd: Any) -> FirstOrder:
    """Compute first derivatives of inverse dynamics, block by block from equations (12)-(13).

    Parameters
    ----------
    model : Model
        The rigid-body tree; spatial, without rotors.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    dtau_dq, dtau_dqd : array, shape (..., NV, NV)
        Entry [i, j] is the derivative of tau_i along q_j, or with respect to qd_j.
    used : dict of str to mapping
        As for `assemble`.

    Raises
    ------
    ModelError
        If the model is planar or has rotors.

    Notes
    -----
    Singh, Russell, Wensing (2023), equations (12a) to (13b).

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> s = assemble_first_order(autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [0, 0, 0])
    >>> s.used["dtau_dq"][0, 2].name, s.used["dtau_dq"][0, 2].condition
    ('q2', 'j < i')
    """
    check_model(model)
    tensors, used = _evaluate_pairs(FIRST_ORDER, model, q, qd, qdd)
    return FirstOrder(tensors["dtau_dq"], tensors["dtau_dqd"], used)


def assemble_split(model: Model, q: Any, qd: Any, qdd: Any) -> SplitFirstOrder:
    """Compute derivatives along q of the inertial, the Coriolis and the gravity terms of ID.

    Their sum is ``dtau_dq`` of `assemble_first_order`.

    Parameters
    ----------
    model : Model
        The rigid-body tree; spatial, without rotors.
    q, qd, qdd : array, shapes (..., NQ), (..., NV), (..., NV)
        Joint positions, velocities and accelerations [rad or m, per second, per second^2].

    Returns
    -------
    dMqdd_dq, dCqd_dq, dg_dq : array, shape (..., NV, NV)
        Entry [i, j] is the derivative of ``(M qdd)_i``, ``(C qd)_i`` or ``g_i`` along q_j.
    used : dict of str to mapping
        As for `assemble`.

    Raises
    ------
    ModelError
        If the model is planar or has rotors.

    Notes
    -----
    Singh, Russell, Wensing (2022), equations (25), (26), (27) and (29). C qd is the joint force
    that is quadratic in the velocities, whatever factorisation C has.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.models import autoTree
    >>> state = autoTree(3), [0.1, 0.2, 0.3], [1, 1, 1], [2, 1, 0]
    >>> m, c, g, _ = assemble_split(*state)
    >>> np.allclose(m + c + g, assemble_first_order(*state).dtau_dq)
    True
    """
    check_model(model)
    tensors, used = _evaluate_pairs(SPLIT, model, q, qd, qdd)
    return SplitFirstOrder(tensors["dMqdd_dq"], tensors["dCqd_dq"], tensors["dg_dq"], used)


def _evaluate_pairs(
    blocks: Sequence[Block], model: Model, q: Any, qd: Any, qdd: Any
) -> tuple[dict[str, Array], dict[str, Used]]:
    """Evaluate expressions of two bodies for each body and its ancestors."""
    all_bodies = _bodies(model, q, qd, qdd)
    pairs = [
        {"i": all_bodies[i], "j": all_bodies[j]}
        for i in range(model.NB)
        for j in model.ancestors[i].tolist()
    ]
    return _evaluate(blocks, pairs, all_bodies, 2)


def _bodies(model: Model, q: Any, qd: Any, qdd: Any) -> list[Body]:
    if model.is_planar or model.has_rotors:
        kind = "planar" if model.is_planar else "with rotors"
        raise ModelError(
            f"assemble: model: want a spatial one without rotors, got one that is {kind}. "
            "Use the functions of the package derivatives"
        )
    qdd = as_array(qdd)
    return bodies(model, GlobalDynamics(model, q, qd, qdd), qdd)


def _evaluate(
    blocks: Sequence[Block], chains: Sequence[dict[str, Body]], all_bodies: list[Body], rank: int
) -> tuple[dict[str, Array], dict[str, Used]]:
    """Evaluate all derivatives in `blocks`, and record the block used for each tuple of bodies."""
    values: dict[str, dict[tuple[int, ...], Array]] = {x.tensor: {} for x in blocks}
    used: dict[str, dict[tuple[int, ...], Block]] = {x.tensor: {} for x in blocks}
    for chain, x in product(chains, blocks):
        if holds(x.condition, **{letter: body.index for letter, body in chain.items()}):
            place = tuple(chain[letter].index for letter in x.place)
            if place not in used[x.tensor]:
                used[x.tensor][place] = x
                values[x.tensor][place] = x(*chain.values())
    return {name: _joined(value, all_bodies, rank) for name, value in values.items()}, dict(used)


def _joined(values: Mapping[tuple[int, ...], Array], all_bodies: list[Body], rank: int) -> Array:
    """Join blocks, by the numbers of their bodies, to one array; missing blocks are zero."""
    S = all_bodies[0].S
    xp, lead = namespace(S), tuple(all_bodies[0].fC.shape[:-1])

    def join(place: tuple[int, ...]) -> Array:
        if len(place) < rank:
            parts = [join((*place, b.index)) for b in all_bodies]
            return xp.concat(parts, axis=len(place) - rank)
        shape = (*lead, *(len(all_bodies[b].modes) for b in place))
        return values[place] if place in values else xp.zeros(shape, dtype=S.dtype)

    return join(())

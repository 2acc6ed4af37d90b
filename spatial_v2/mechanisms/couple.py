"""Couple the joints of a tree: linearly, by closed loops, or by a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.configuration import neutral, normalizeConfVec
from spatial_v2.constraints import ConstraintSet
from spatial_v2.constraints.ConstraintSet import Constraints
from spatial_v2.couplings.couple import couple as couple_linearly
from spatial_v2.couplings.coupled_model import CoupledModel
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.mechanisms.closed import Closed
from spatial_v2.mechanisms.constraint_function import ConstraintFunction, independent_joints
from spatial_v2.mechanisms.curves import as_curves, curves_of, has_curves
from spatial_v2.mechanisms.drives import Drives, with_drives
from spatial_v2.mechanisms.formula import Formula
from spatial_v2.mechanisms.joined import Joined
from spatial_v2.mechanisms.mechanism import Mechanism
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["couple"]


def couple(
    model: Model,
    *,
    matrix: ArrayLike | None = None,
    offset: ArrayLike | None = None,
    mimic: Mapping[Any, Any] | None = None,
    constraints: Constraints | None = None,
    function: Callable[[Any], Any] | None = None,
    independent: Iterable[int | str] | None = None,
    guess: ArrayLike | None = None,
    drives: Drives | None = None,
) -> CoupledModel:
    """Couple joints of a tree, ``q = gamma(y)``, so that y are the independent variables.

    Give one of `matrix`, `mimic`, `constraints` and `function`, or `mimic` beside one of the last
    two, or `drives` alone or beside one of the first two; without any of them the function is
    MATLAB's ``model.gamma_q``.

    Parameters
    ----------
    model : Model
        The tree, with rotors and joint terms, if any.
    matrix : array_like, shape (NV, n), optional
        The matrix G of a linear coupling ``q = G y + c``. A joint with several variables, such as a
        floating base, must be independent: its rows are those of an identity. A joint whose row is
        one of an identity is independent and gives its name to the variable, others are called
        ``y0, y1, ...``.
    offset : array_like, shape (NV,), optional
        The offset c [rad or m]; zero for joints with several variables.
    mimic : dict {joint: (joint, multiplier, offset)}, optional
        In place of `matrix`: joints that follow others, by names or numbers; chains are allowed.
        ``(None, 0, offset)`` holds a joint, and ``(joint, coefficients)`` lets one follow by a
        polynomial, whose coefficients are those of the powers 0, 1, ....
        ``mimic=model.mimic`` takes those of a robot file. With `constraints` or `function` only
        independent joints follow others.
    constraints : list of constraints, or ConstraintSet, optional
        Constraints that close loops of the tree. Redundant ones are recognised.
    function : callable, optional
        The function gamma: it gets y (NQ of the independent joints,), joint after joint as in the
        tree, and returns q (NQ,). It is differentiated exactly, for which it gets arrays of numbers
        with derivatives: write it with arithmetic and NumPy's functions.
    independent : iterable of int or str, optional
        The independent joints, by number or name. Joints of no loop are independent always. For
        each loop with none of these joints, they are chosen: near the base, where the dependents
        are determined well; ``repr`` of the model says which. Needed with `function`. With
        ``gamma_q`` they are by default those to which identity rows of its G belong.
    guess : array_like, shape (NQ,), optional
        A configuration of the tree near which the loops are closed; it selects the branch of the
        motion. The neutral one by default. With `function`, a y at which it is tried.
    drives : dict {name: (inertia, {joint: ratio})}, optional
        Drives that several joints turn, as those of a differential: the inertia J of each rotor
        [kg m^2] and its turns A for each joint, so that ``A^T J A`` is added to the inertia matrix
        of the joints. The rotors have no mass, and like an armature no momentum of their own.

    Returns
    -------
    CoupledModel
        A model with the variables y. Functions of it are those of the tree pulled back to y.

    Raises
    ------
    ModelError
        A matrix of another shape, or without full rank; joints that follow each other in a circle,
        or joints that are not there; a joint with several variables that is not independent; loops
        that cannot be closed near the guess, constraints that close no loop, too many or too few
        independent joints, or joints that do not determine the others.

    Notes
    -----
    A state y of closed loops is followed from the guess on a straight path, by Newton's method in
    steps that cannot change the branch.

    Examples
    --------
    A differential: two motors move three joints.

    >>> from spatial_v2 import CRBA
    >>> from spatial_v2.models import autoTree
    >>> wrist = couple(autoTree(3), matrix=[[1, 0], [0, 1], [0.5, -2]])
    >>> CRBA(wrist, [0.1, 0.2]).shape
    (2, 2)

    Two motors that turn pitch and roll of a wrist together, by a differential:

    >>> left, right = (1e-4, {0: 50, 1: 50}), (1e-4, {0: 50, 1: -50})
    >>> driven = couple(autoTree(2), drives={"left": left, "right": right})
    >>> (CRBA(driven, [0.1, 0.2]) - CRBA(autoTree(2), [0.1, 0.2])).round(9)
    array([[0.5, 0. ],
           [0. , 0.5]])

    A four-bar linkage:

    >>> from spatial_v2 import ID, Model, PointConstraint, mcI, xlt
    >>> bar = mcI(1, [0.4, 0, 0], np.diag([0.1, 0.1, 0.1]))
    >>> bars = Model(parent=[-1, 0, -1], jtype=["Rz"] * 3, I=[bar] * 3,
    ...              Xtree=[xlt([0, 0, 0]), xlt([0.4, 0, 0]), xlt([1, 0, 0])],
    ...              joint_names=["crank", "rod", "rocker"])
    >>> pin = PointConstraint(2, [0.7, 0, 0], 1, [0.9, 0, 0])
    >>> linkage = couple(bars, constraints=[pin], independent=["crank"], guess=[0.7, 0, 1.5])
    >>> linkage.NV, ID(linkage, [0.7], [1.0], [0.0]).shape
    (1, (1,))
    """
    check_model(model)
    given = {"matrix": matrix, "mimic": mimic, "constraints": constraints, "function": function}
    kinds = [name for name, x in given.items() if x is not None]
    by_gamma_q = not kinds and model.gamma_q is not None and drives is None
    if isinstance(model, CoupledModel):
        raise ModelError("model: its joints are coupled already; give all couplings of the tree")
    if drives is not None:
        more = [x for x, y in (("independent", independent), ("guess", guess)) if y is not None]
        if more or kinds not in ([], ["matrix"], ["mimic"]):
            raise ModelError(f"drives: go alone, with matrix or with mimic; got {kinds + more}")
        if not kinds and offset is not None:
            raise ModelError("offset: goes with matrix")
        own = couple_linearly(model, matrix=matrix, offset=offset, mimic=mimic) if kinds else None
        return with_drives(model, drives, own)
    behind = mimic if kinds in (["mimic", "constraints"], ["mimic", "function"]) else None
    if len(kinds) != 1 and not by_gamma_q and behind is None:
        raise ModelError(
            "couple: want either matrix=G or mimic={joint: (joint, multiplier, c)}, "
            f"constraints=[...] or function=gamma; got {kinds or 'none of them'}. Beside "
            "constraints or a function, joints follow others by mimic"
        )
    if kinds in (["matrix"], ["mimic"]):
        if independent is not None or guess is not None:
            raise ModelError(f"independent, guess: go with constraints or function, not {kinds[0]}")
        if mimic is not None and has_curves(mimic):
            if offset is not None:
                raise ModelError("offset: goes with matrix; mimic has an offset for each joint")
            gamma: Any
            gamma, free = curves_of(model, as_curves(model, mimic))
            return Mechanism(model, Formula.of(model, gamma, free, neutral(model)[[*gamma.own]]))
        return couple_linearly(model, matrix=matrix, offset=offset, mimic=mimic)
    if offset is not None:
        raise ModelError("offset: goes with matrix")
    joints = None if independent is None else _joints(model, independent)
    if constraints is not None:
        given_rows = (
            constraints.constraints if isinstance(constraints, ConstraintSet) else constraints
        )
        rows = ConstraintSet(model, given_rows)
        if not rows.m:
            raise ModelError("constraints: want at least one, got none")
        q = neutral(model) if guess is None else _guess(guess, model.NQ, "every joint of the tree")
        q = np.asarray(normalizeConfVec(model, q))
        return _mechanism(model, Closed.of(model, rows, joints, q), behind)
    if by_gamma_q:
        joints = independent_joints(model) if joints is None else joints
        function = ConstraintFunction.of(model, joints)
        model = model.replace(gamma_q=None)
    if not callable(function):
        raise ModelError(f"function: want a function of y that returns q, got {function!r}")
    if joints is None:
        raise ModelError("independent: want the names of the joints whose positions are y")
    size = sum(model.nq[i] for i in joints)
    start = np.concatenate([neutral(model)[model.qinds[i]] for i in sorted(joints)])
    y = start if guess is None else _guess(guess, size, "the independent joints")
    return _mechanism(model, Formula.of(model, function, joints, y), behind)


def _mechanism(
    model: Model, coupling: Closed | Formula, mimic: Mapping[Any, Any] | None
) -> Mechanism:
    return Mechanism(model, coupling if mimic is None else Joined.of(model, coupling, mimic))


def _joints(model: Model, independent: Iterable[int | str]) -> list[int]:
    if isinstance(independent, str | int) or not isinstance(independent, Iterable):
        independent = [independent]
    joints = [model.joint(x) for x in independent]
    if len({*joints}) < len(joints):
        raise ModelError(f"independent: a joint is named twice in {list(independent)}")
    return joints


def _guess(guess: ArrayLike, size: int, whose: str) -> np.ndarray:
    q = np.array(guess, dtype=float)
    if q.shape != (size,):
        raise ArrayShapeError(f"guess: want shape ({size},), positions of {whose}; got {q.shape}")
    if not np.isfinite(q).all():
        raise ModelError(f"guess: want finite numbers, got {guess!r}")
    return q

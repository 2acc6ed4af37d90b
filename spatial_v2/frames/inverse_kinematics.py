"""Inverse kinematics: configurations that bring a frame to a given pose."""

from __future__ import annotations

import warnings
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_matrix, as_real
from spatial_v2.arrays.numbers import check_count, check_positive
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.loading import has_kernels, load_procedure
from spatial_v2.configuration import normalizeConfVec
from spatial_v2.couplings.free import free_configuration, free_motion, free_tree
from spatial_v2.exceptions import (
    ArrayShapeError,
    ConvergenceWarning,
    SpatialError,
)
from spatial_v2.frames.least_squares import Problem, least_squares
from spatial_v2.frames.limits import position_limits
from spatial_v2.frames.residuals import log6_residual, pose_residual
from spatial_v2.model import Model
from spatial_v2.model.checks import TOLERANCE, check_transforms
from spatial_v2.model.frame import Frame, find_frame
from spatial_v2.model.state import check_model, check_vector, common_lead
from spatial_v2.poses import pose
from spatial_v2.poses.pose import as_pose
from spatial_v2.spatial.plux import transform_from

__all__ = ["InverseKinematics", "as_target", "inverse_kinematics", "shape_of", "weights_of"]

_ERRORS = {"pose": pose_residual, "log6": log6_residual}


@shown_in_notebooks
class InverseKinematics(NamedTuple):
    """Result of `inverse_kinematics`: configurations, and the remaining errors of the frame."""

    q: np.ndarray
    """Joint positions within their limits, shape (..., NQ)."""
    residual: np.ndarray
    """Rotation vector and position of the frame relative to the target, or the logarithm of that
    pose [rad, m], times the weights of `rows`: (..., 6).
    """
    iterations: np.ndarray
    """Number of steps tried, summed over all restarts, shape (...)."""
    converged: np.ndarray
    """True if the residual is within the tolerance, shape (...)."""


def inverse_kinematics(
    model: Model,
    frame: Frame | int | str,
    X_target: Array,
    q0: Array,
    *,
    rows: Literal["pose", "position", "orientation"] | ArrayLike = "pose",
    limits: Literal["model"] | tuple[ArrayLike, ArrayLike] | None = "model",
    error: Literal["pose", "log6"] = "pose",
    damping: float = 1.0,
    tolerance: float = 1e-10,
    max_iterations: int = 200,
    restarts: int = 8,
    rng: np.random.Generator | None = None,
) -> InverseKinematics:
    """Find a configuration that brings a frame to a pose, by damped Gauss-Newton steps from q0.

    Parameters
    ----------
    model : Model
        The rigid-body tree; planar models too (3 in place of 6). Joints follow others in a coupled
        model alone, with linear couplings.
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    X_target : array, shape (..., 6, 6) or (..., 4, 4), or (..., 3) with ``rows="position"``
        Transforms from the base to the target pose of the frame, which equal
        ``forward_kinematics(model, q, frame=frame).X0`` at a solution; or the poses ``[R p; 0 1]``
        of the target in the base, with R and p as `forward_kinematics` returns them; or positions p
        alone.
    q0 : array, shape (..., NQ)
        Initial configurations; joints are moved to their limits, quaternions are normalised.
    rows : {"pose", "position", "orientation"} or array (6,), optional
        The part of the pose that must match, or nonnegative weights of the three rotations and
        three displacements along the axes of the target: ``[1, 1, 0, 1, 1, 1]`` leaves the rotation
        about its z axis free.
    limits : "model", None or (lower, upper), optional
        Bounds of q: ``model.limits``, none, or arrays (NQ,), which are infinite for joints with
        several degrees of freedom. If the bounds of an angle are at least a full turn apart, the
        angle is brought between them by multiples of 2 pi.
    error : {"pose", "log6"}, optional
        Definition of the residual: rotation vector and position, or the logarithm of the pose,
        which is the twist that brings the target to the frame in one second. Solutions are the
        same.
    damping : float, optional
        Initial damping, relative to the largest diagonal entry of ``J^T J``, in units of the
        length of the arm.
    tolerance : float, optional
        Largest residual of a solution: of an angle [rad], or of a displacement as a part of the
        length of the arm, the sum of the distances between the joints that carry the frame.
    max_iterations : int, optional
        Maximum number of steps from each start.
    restarts : int, optional
        Largest number of new starts for states that have not converged; 0 stays near q0. Joints
        with one degree of freedom that carry the frame start between their limits, at the same
        places in every call; displacements without limits start as in q0.
    rng : numpy.random.Generator, optional
        Source of randomness, ``numpy.random.default_rng(seed)``: then new starts are random
        configurations of all joints that carry the frame.

    Returns
    -------
    InverseKinematics
        Named tuple ``q, residual, iterations, converged``. For a state that has not converged, q is
        the configuration with the least residual found.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape; a target (4, 4) that is not a pose.
    ModelError
        An unknown frame; a target that is not a transform.
    SpatialError
        Options out of range; complex numbers.

    Warns
    -----
    ConvergenceWarning
        Some targets are not reached; the message says how many, and how much is missing.

    Notes
    -----
    This is the Levenberg-Marquardt method on the configuration space: with e the residual and J its
    exact Jacobian, a step is ``q (+) dq`` (`configurationAddition`) with
    ``(J^T J + mu 1) dq = -J^T e`` for the joints that are not at their limits. A step that does not
    reduce ``e . e`` is undone and the damping mu increased; otherwise mu is decreased, after
    Nielsen (1999). Displacements, of the frame and of joints, are measured in lengths of the arm,
    so that neither steps nor convergence depend on units.

    All states of a batch are computed together. From a bad initial configuration the method may
    end at a limit or a local minimum; then it starts again elsewhere. `iterations` counts the steps
    of all starts.

    Examples
    --------
    >>> from spatial_v2 import forward_kinematics, puma560
    >>> robot = puma560()
    >>> target = forward_kinematics(robot, [0.1, -0.5, 0.3, 0.2, 0.4, 0.6], frame=5).X0
    >>> found = inverse_kinematics(robot, 5, target, np.full(6, 0.2))
    >>> bool(found.converged), np.allclose(
    ...     forward_kinematics(robot, found.q, frame=5).X0, target)
    (True, True)
    """
    check_model(model)
    d = 3 if model.is_planar else 6
    place = find_frame(free_tree(model), frame)
    X = as_target(X_target, d, rows)
    q0 = as_real(check_vector(model, "q0", q0, model.NQ, "q"), "q0")
    if not np.isfinite(q0).all():
        raise SpatialError("q0: want finite numbers, got NaN or infinity")
    free_configuration(model, q0)  # an error if loops cannot be closed there
    lead = common_lead({"X_target": X.shape[:-2], "q0": q0.shape[:-1]})
    bounds, weights = position_limits(model, limits), weights_of(rows, d)
    if error not in (*_ERRORS,):
        raise SpatialError(f"error: want 'pose' or 'log6', got {error!r}")
    _check_options(damping, tolerance, max_iterations, restarts, rng)

    X = np.broadcast_to(X, (*lead, d, d)).reshape(-1, d, d)
    q = np.broadcast_to(q0, (*lead, model.NQ)).reshape(-1, model.NQ)
    there = Frame(place.body, as_real(place.X, "frame: X"))
    problem = Problem(model, there, weights, bounds, _ERRORS[error])
    q = first = normalizeConfVec(model, q)
    lengths = problem.lengths(q, X)
    how = damping, tolerance, max_iterations
    q, e, iterations = least_squares(problem, X, q, lengths, *how)
    moves = _moves(model, there.body, q)
    same = np.random.default_rng(0)
    for _ in range(restarts):
        again = np.flatnonzero(~_small(e, tolerance))
        if not again.size:
            break
        if rng is None:
            drawn = bounds.spread(model, same, first[again])
        else:
            drawn = bounds.draw(model, rng, again.size)
        start = np.where(moves, drawn, q[again])
        restarted = least_squares(problem, X[again], start, lengths[again], *how)
        better = np.sum(restarted[1] ** 2, axis=-1) < np.sum(e[again] ** 2, axis=-1)
        q[again[better]], e[again[better]] = restarted[0][better], restarted[1][better]
        iterations[again] += restarted[2]
    converged, residual = _small(e, tolerance), e * problem.units(lengths)[0]
    if not converged.all():
        warnings.warn(_not_reached(residual, converged), ConvergenceWarning, stacklevel=2)
    return InverseKinematics(
        q.reshape(*lead, model.NQ),
        residual.reshape(*lead, d),
        iterations.reshape(lead),
        converged.reshape(lead),
    )


def _moves(model: Model, body: int, q: np.ndarray) -> np.ndarray:
    """Return a mask (NQ,) of the position variables that move a body."""
    tree, mask = free_tree(model), np.zeros(model.NQ, dtype=bool)
    v = tree.ancestor_vinds[body] if body >= 0 else np.zeros(0, dtype=int)
    unit = np.eye(model.NV)
    moved = free_motion(model, np.repeat(q[:1], model.NV, axis=0), unit)[:, v].any(axis=-1)
    for of_q, of_v in zip(model.qinds, model.vinds, strict=True):
        mask[of_q] = moved[of_v].any()
    return mask


def _small(e: np.ndarray, tolerance: float) -> np.ndarray:
    return np.asarray(np.max(np.abs(e), axis=-1, initial=0.0) <= tolerance)


def _not_reached(residual: np.ndarray, converged: np.ndarray) -> str:
    """Return the text of a warning: how many targets are not reached, and by how much."""
    missed, n = residual[~converged], 3 if residual.shape[1] == 6 else 1
    angle, distance = (np.linalg.norm(x, axis=1).max() for x in (missed[:, :n], missed[:, n:]))
    return (
        f"inverse_kinematics: {len(missed)} of {len(converged)} targets are not reached; the "
        f"largest errors left are {angle:.2g} rad and {distance:.2g} m. Such a target is out of "
        "reach or beyond joint limits, or it needs another q0 or more restarts"
    )


def shape_of(target: Any, name: str) -> tuple[int, ...]:
    """Return the shape of a target, which is no pair of rotation matrix and position."""
    try:
        return np.shape(target)
    except ValueError:
        raise ArrayShapeError(
            f"{name} must be an array, got a {type(target).__name__} of parts with different "
            "shapes; pose(R, p) makes a pose (4, 4) of a rotation matrix and a position"
        ) from None


def as_target(X_target: Any, d: int, rows: Any = "pose", name: str = "X_target") -> np.ndarray:
    """Return the transforms to the targets, which are given as such, as poses (4, 4), or as
    positions (3,) if the rows are those of the position.
    """
    target, shape = X_target, shape_of(X_target, name)
    if d == 6 and isinstance(rows, str) and rows == "position" and shape[-1:] == (3,):
        target = pose(np.eye(3), as_real(X_target, name))
        shape = target.shape
    is_pose = d == 6 and shape[-2:] == (4, 4)
    if d == 6 and shape[-2:] not in ((4, 4), (6, 6)):
        raise ArrayShapeError(
            f"{name} must have shape (..., 6, 6), or (..., 4, 4) for poses [R p; 0 1], or (..., 3) "
            f"with rows='position', got {shape}; pose(R, p) makes poses"
        )
    if is_pose:
        if (X := _transforms(target)) is not None:
            return X
        T = as_real(target, name)
        if not np.isfinite(T).all():
            raise SpatialError(f"{name}: want finite numbers, got NaN or infinity")
        T = as_pose(T, name, within=TOLERANCE)
        X = np.asarray(transform_from(np.matrix_transpose(T[..., :3, :3]), T[..., :3, 3]))
    else:
        X = as_real(as_matrix(target, name, d), name)
    flat = X.reshape(-1, d, d)
    if len(flat):
        check_transforms(name, flat)
    return X


def _transforms(T: Any) -> np.ndarray | None:
    """Return the transforms to poses T (..., 4, 4) by a kernel; None if there is none, or if they
    are no array of poses.
    """
    if type(T) is not np.ndarray or T.dtype != np.float64 or not has_kernels("pose_to_transform"):
        return None
    n = T.size // 16
    X, error = np.empty((*T.shape[:-2], 6, 6)), np.empty(n)
    flat = np.ascontiguousarray(T).reshape(n, 4, 4)
    load_procedure("pose_to_transform")(flat, X.reshape(n, 6, 6), error)
    return X if (error <= TOLERANCE).all() else None


def weights_of(rows: Any, d: int) -> np.ndarray:
    """Return the weights of the rotations and displacements of a pose: the option `rows`."""
    n = d // 2 if d == 6 else 1
    words = {"pose": (1, 1), "position": (0, 1), "orientation": (1, 0)}
    if isinstance(rows, str):
        if rows not in words:
            raise SpatialError(
                f"rows: want 'pose', 'position', 'orientation' or {d} weights, got {rows!r}"
            )
        return np.repeat(np.array(words[rows], dtype=float), [n, d - n])
    w = as_real(rows, "rows")
    if w.shape != (d,):
        raise ArrayShapeError(f"rows: want {d} weights, got shape {w.shape}")
    if not (np.isfinite(w).all() and (w >= 0).all() and w.any()):
        raise SpatialError(f"rows: want weights of at least zero, not all zero; got {w.tolist()}")
    return w


def _check_options(
    damping: Any, tolerance: Any, max_iterations: Any, restarts: Any, rng: Any
) -> None:
    for name, x in (("damping", damping), ("tolerance", tolerance)):
        check_positive(name, x)
    for name, x in (("max_iterations", max_iterations), ("restarts", restarts)):
        check_count(name, x)
    if rng is not None and not isinstance(rng, np.random.Generator):
        raise SpatialError(
            f"rng: want a numpy.random.Generator, numpy.random.default_rng(seed); got {rng!r}"
        )

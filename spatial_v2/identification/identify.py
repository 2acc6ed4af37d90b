"""identify: inertial parameters, friction and armature from measured motions and forces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.exceptions import ArrayShapeError, ModelError, SpatialError
from spatial_v2.identification.ComputeBases import ComputeBases
from spatial_v2.identification.entropic import Problem, entropic, is_physical
from spatial_v2.identification.least_squares import fit
from spatial_v2.identification.linear_matrix_inequality import linear_matrix_inequality
from spatial_v2.identification.matrices import block_diagonal
from spatial_v2.identification.RangeBasis import TOLERANCE, check_tolerance
from spatial_v2.identification.RPNA import RPNA
from spatial_v2.identification.samples import batch_size, batches
from spatial_v2.identification.triangles import Method, Triangles
from spatial_v2.identification.unknowns import Unknowns, as_terms
from spatial_v2.identification.weighting import as_weights, warn_of, weigh
from spatial_v2.inertia import getModelInertialParams, setModelInertialParams
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["Identification", "identify"]

_SEEN = {"qr": 1e-11, "normal": 1e-6}
"""Smallest relative singular value at which a motion determines a parameter, for each method."""
_DIGITS = 1e-9
"""Best relative accuracy that measured forces are assumed to have."""


@shown_in_notebooks
class Identification(NamedTuple):
    """Result of `identify`: parameters and their accuracy.

    Parameters
    ----------
    parameters : array, shape (NB, 10)
        Inertial parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy] of the links: those
        nearest to the prior among all with the same residuals.
    model : Model or None
        The robot with these parameters; None if a mass is negative.
    viscous, coulomb, armature : array, shape (NV,)
        Viscous friction, Coulomb friction, and inertia of the drives; zeros if not identified.
    base : array, shape (b,)
        Values of the base parameters, then of the other terms.
    names : list of str
        Names of the entries of `base`, as sums of parameters.
    covariance, standard_deviations : array, shapes (b, b), (b,)
        Covariance and standard deviations of `base` by least squares, for independent errors of
        the forces. Deviations are infinite for entries that the motion does not determine.
    residual_rms : array, shape (NV,)
        Root mean square of the residual of each joint force [N m or N].
    weights : array, shape (NV,)
        Weights of the squared residuals of the joint forces.
    condition : float
        Measure of excitation: condition number of the base regressor after its columns have been
        scaled to equal length.
    rank : int
        Number of combinations of `base` that the motion determines, at most b.
    samples : int
        Number of samples.

    Examples
    --------
    >>> Identification._fields[0]
    'parameters'
    """

    parameters: np.ndarray
    model: Model | None
    viscous: np.ndarray
    coulomb: np.ndarray
    armature: np.ndarray
    base: np.ndarray
    names: list[str]
    covariance: np.ndarray
    standard_deviations: np.ndarray
    residual_rms: np.ndarray
    weights: np.ndarray
    condition: float
    rank: int
    samples: int


def identify(
    model: Model,
    q: Any,
    qd: Any = None,
    qdd: Any = None,
    tau: Any = None,
    *,
    weights: Any = None,
    friction: Any = False,
    armature: bool = False,
    prior: Any = None,
    prior_weight: float | None = None,
    physical: bool | Literal["entropic", "lmi"] = True,
    method: Method = "qr",
    chunk: int | None = None,
    tol: float = TOLERANCE,
    progress: Callable[[int], None] | None = None,
) -> Identification:
    """Identify inertial parameters of the links from measured motions and joint forces.

    Samples are read once, batch by batch, and not stored, so that any number of them, from arrays,
    memory maps or generators, needs the memory of one batch.

    Parameters
    ----------
    model : Model
        The robot with any joints, planar ones too. Rotors keep their inertias.
    q, qd, qdd, tau : array, shapes (..., NQ) and (..., NV)
        Joint positions, velocities, accelerations and forces. In place of q, and without the
        others, an iterable of batches ``(q, qd, qdd, tau)``.
    weights : array_like, shape (NV,), or "residuals", optional
        Weights of the squared residuals of the joint forces, such as ``1 / sigma**2``; "residuals"
        computes them from the residual of each force.
    friction : bool, {"viscous", "coulomb"} or several of them, optional
        Friction ``viscous * qd + coulomb * sign(qd)`` to be identified with the inertias.
    armature : bool, optional
        If True, identify an inertia ``armature * qdd`` of each drive.
    prior : Model or array_like, shape (NB, 10), optional
        Prior parameters; by default the inertias of `model`.
    prior_weight : float, optional
        Weight of the distance from the prior relative to half the squared residuals over their
        variance. The default is 1 if `physical` is set. Otherwise it is 0: then only parameters
        that the samples do not determine depend on the prior.
    physical : bool or {"entropic", "lmi"}, optional
        If set, parameters of all bodies are physically consistent: their pseudo-inertias are
        positive definite. True is "entropic": Newton's method, with `entropicDivergence` from the
        prior. "lmi": a semidefinite programme, with the quadratic distance `pullbackMetric` from
        the prior, solved by cvxpy and Clarabel (extra ``identify``). Planar models, whose bodies
        are flat, and massless bodies want False.
    method : {"qr", "normal"}, optional
        QR factors of the regressor, or normal equations, which need less work and lose half the
        digits.
    chunk : int, optional
        Number of samples in a batch.
    tol : float, optional
        Relative tolerance of `RPNA`, which finds the base parameters.
    progress : callable, optional
        Called with the number of samples of each batch when it is done.

    Returns
    -------
    Identification
        Named tuple: parameters, the model with them, friction and armature, base parameters with
        covariance, residuals, condition number and rank.

    Raises
    ------
    ArrayShapeError
        No samples, or samples with wrong shapes, different numbers or entries that are not finite;
        a prior that is not physically consistent although `physical` is set.
    SpatialError
        Unknown options, or a solver that is not installed.

    Warns
    -----
    ExcitationWarning
        The motion does not determine all base parameters.
    ConvergenceWarning
        Newton's method did not reach its tolerance.

    Notes
    -----
    Joint forces are linear in the parameters (`RegressorClassical`). Wensing, Kim, Slotine, "Linear
    Matrix Inequalities for Physically-Consistent Inertial Parameter Identification" (2018); Lee,
    Wensing, Park, "Geometric Robot Dynamic Identification: A Convex Programming Approach" (2020).

    Examples
    --------
    >>> from spatial_v2 import ID, autoTree
    >>> model, rng = autoTree(3), np.random.default_rng(0)
    >>> q, qd, qdd = rng.normal(size=(3, 200, 3))
    >>> found = identify(model, q, qd, qdd, ID(model, q, qd, qdd))
    >>> found.rank, found.names[0]
    (7, 'Izz0 + m1 + m2')
    >>> bool(found.residual_rms.max() < 1e-6)
    True
    """
    check_model(model)
    unknowns = Unknowns(model, as_terms(friction, armature))
    if method not in (*_SEEN,):
        raise SpatialError(f"method: want 'qr' or 'normal', got {method!r}")
    _check_physical(physical)
    check_tolerance(tol, "tol")
    before = _prior(model, prior, bool(physical))
    weight = float(bool(physical)) if prior_weight is None else _positive(prior_weight, physical)
    given = as_weights(model, weights)
    triangles = Triangles(model, unknowns, method)
    for batch in batches(model, batch_size(model, chunk), q, qd, qdd, tau):
        triangles.add(batch)
        if progress:
            progress(len(batch.q))
    if not triangles.samples:
        raise ArrayShapeError("q, qd, qdd, tau hold no samples; want at least one")

    null = RPNA(model, tol=tol)
    bases = ComputeBases(model, null.N, null.M)
    others = np.eye(unknowns.n - unknowns.links)
    minimal, base = (block_diagonal(x, others) for x in (bases.Minimal_Basis, bases.Perp_Basis))
    names = [*bases.names, *unknowns.names()]
    seen = _SEEN[method]
    w, R = weigh(triangles, minimal, given, seen)
    n = unknowns.n
    start = np.append(before.ravel(), np.zeros(n - unknowns.links))
    shifted = R.copy()
    shifted[:, n] -= R[:, :n] @ start
    found = fit(np.column_stack([shifted[:, :n] @ minimal, shifted[:, n]]), seen)
    warn_of(names, found)
    freedom = max(1, triangles.samples * model.NV - found.rank)
    forces = R[:, n] @ R[:, n] / (triangles.samples * model.NV)
    variance = found.squares / freedom

    if not physical and not weight:
        x = start + np.linalg.pinv(base.T) @ found.x
    else:
        sigma = float(np.sqrt(max(variance, _DIGITS**2 * forces, 1e-300)))
        problem = Problem(R[:, :n], R[:, n], sigma, before, weight, seen)
        x = _regularised(problem, physical)
    parameters = x[: unknowns.links].reshape(-1, 10)
    covariance = variance * found.spread
    deviations = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    return Identification(
        parameters,
        _with(model, parameters),
        unknowns.part(x, "viscous"),
        unknowns.part(x, "coulomb"),
        unknowns.part(x, "armature"),
        base.T @ x,
        names,
        covariance,
        np.where(found.free, np.inf, deviations),
        triangles.residuals(x),
        w,
        found.condition,
        found.rank,
        triangles.samples,
    )


def _prior(model: Model, prior: Any, physical: bool) -> np.ndarray:
    """Check the option `prior`, and return the prior parameters (NB, 10)."""
    if prior is None or isinstance(prior, Model):
        of = model if prior is None else prior
        a = as_real(getModelInertialParams(of).a, "prior")
    else:
        a = as_real(prior, "prior")
    if a.shape not in ((model.NB, 10), (10 * model.NB,)):
        raise ArrayShapeError(f"prior: want shape ({model.NB}, 10), got {a.shape}")
    if not np.isfinite(a).all():
        raise ArrayShapeError("prior: want finite numbers, got NaN or infinity")
    a = a.reshape(-1, 10)
    for i, body in enumerate(a):
        if physical and not is_physical(body[None]):
            raise ArrayShapeError(
                f"prior: want physically consistent parameters; no distribution of positive "
                f"mass has those of body {i} ({model.body_names[i]}); or give physical=False"
            )
    return a


def _check_physical(physical: Any) -> None:
    word = isinstance(physical, str) and physical in ("entropic", "lmi")
    if not word and not isinstance(physical, (bool, np.bool)):
        raise SpatialError(f"physical: want True, False, 'entropic' or 'lmi', got {physical!r}")


def _positive(weight: Any, physical: Any) -> float:
    number = np.asarray(weight)
    if number.shape != () or number.dtype.kind not in "fiu" or not 0 <= number < np.inf:
        raise SpatialError(f"prior_weight: want a number, at least zero, got {weight!r}")
    if physical and not number > 0:
        raise SpatialError(
            "prior_weight: must be positive, or use physical=False for parameters that need not be "
            "physically consistent"
        )
    return float(number)


def _regularised(problem: Problem, physical: Any) -> np.ndarray:
    if physical == "lmi":
        return linear_matrix_inequality(problem)
    if physical:
        return entropic(problem)
    x0 = problem.start()
    G = problem.metric()
    A = np.vstack([problem.R / problem.sigma, np.sqrt(problem.weight) * G.T])
    b = np.append((problem.z - problem.R @ x0) / problem.sigma, np.zeros(len(G)))
    return np.asarray(x0 + np.linalg.lstsq(A, b, rcond=None)[0])


def _with(model: Model, parameters: np.ndarray) -> Model | None:
    try:
        return setModelInertialParams(model, parameters)
    except ModelError:
        return None

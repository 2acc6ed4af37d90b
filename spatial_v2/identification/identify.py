"""identify: inertial parameters, friction and armature from measured motions and forces."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.couplings.free import free_tree
from spatial_v2.exceptions import ArrayShapeError, InertiaWarning, ModelError, SpatialError
from spatial_v2.identification.base_parameters import base_parameters, base_terms
from spatial_v2.identification.entropic import Problem, entropic, is_physical, nearest
from spatial_v2.identification.least_squares import fit
from spatial_v2.identification.linear_matrix_inequality import linear_matrix_inequality
from spatial_v2.identification.matrices import block_diagonal
from spatial_v2.identification.natural_units import (
    force_units,
    length_of_bodies,
    length_of_tree,
)
from spatial_v2.identification.RangeBasis import TOLERANCE, check_tolerance
from spatial_v2.identification.samples import batch_size, batches
from spatial_v2.identification.triangles import Method, Triangles
from spatial_v2.identification.unknowns import TERMS, Unknowns, as_bodies, as_terms
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
        The robot with these parameters, and with armature, damping and friction as below, where
        zero takes the place of negative ones; None if a mass is negative.
    viscous, coulomb, offset, armature : array, shape (NV,)
        Viscous friction, Coulomb friction, constant force, and inertia of the drives; those of the
        given model if not identified. A model has no field for the offset. NV is that of the tree.
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
    offset: np.ndarray
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
    offset: bool = False,
    unknown: Any = None,
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
        The robot with any joints, planar ones too, and coupled ones. Rotors keep their inertias.
        Springs are known. So are armature, damping and friction, unless they are identified: then
        they are prior values.
    q, qd, qdd, tau : array, shapes (..., NQ) and (..., NV)
        Joint positions, velocities, accelerations and forces; those of the independent variables
        of a coupled model. In place of q, and without the others, an iterable of batches
        ``(q, qd, qdd, tau)``.
    weights : array_like, shape (NV,), or "residuals", optional
        Weights of the squared residuals of the joint forces, such as ``1 / sigma**2``; "residuals"
        computes them from the residual of each force. By default torques have weight 1, and forces
        of sliding joints the square of the longest distance between joints.
    friction : bool, {"viscous", "coulomb"} or several of them, optional
        Friction ``viscous * qd + coulomb * sign(qd)`` to be identified with the inertias.
    armature : bool, optional
        If True, identify an inertia ``armature * qdd`` of each drive.
    offset : bool, optional
        If True, identify a constant force of each joint, as of a sensor with an offset or of
        friction that depends on the direction of motion.
    unknown : list of str or int, optional
        Bodies whose parameters are unknown, by their names or numbers, or by names of frames on
        them: ``["hand"]``. The others have the parameters of the prior. By default all are unknown.
    prior : Model or array_like, shape (NB, 10), optional
        Prior parameters; by default the inertias of `model`. A model brings its armature, damping
        and friction as prior values too.
    prior_weight : float, optional
        Weight of the distance from the prior relative to half the squared residuals over their
        variance. The default is 1 if `physical` is set. Otherwise it is 0: then only parameters
        that the samples do not determine depend on the prior.
    physical : bool or {"entropic", "lmi"}, optional
        If set, parameters of all bodies are physically consistent: their pseudo-inertias are
        positive definite. Friction and armature are not negative. True is "entropic": Newton's
        method, with `entropicDivergence` from the prior. "lmi": a semidefinite program, with the
        quadratic distance `pullbackMetric` from the prior, solved by cvxpy and Clarabel (extra
        ``identify``). Planar models, whose bodies are flat, and massless bodies want False.
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
    unknowns = Unknowns(model, as_terms(friction, armature, offset), as_bodies(model, unknown))
    if method not in (*_SEEN,):
        raise SpatialError(f"method: want 'qr' or 'normal', got {method!r}")
    _check_physical(physical)
    check_tolerance(tol, "tol")
    weight = float(bool(physical)) if prior_weight is None else _positive(prior_weight, physical)
    before = _prior(model, prior, unknowns.bodies if physical or weight else [])
    length = length_of_tree(model) or length_of_bodies(before) or 1.0
    force = force_units(model, length)
    row_weights = as_weights(model, weights, force)
    triangles = Triangles(model, unknowns, before, method)
    for batch in batches(model, batch_size(model, chunk), q, qd, qdd, tau):
        triangles.add(batch)
        if progress:
            progress(len(batch.q))
    if not triangles.samples:
        raise ArrayShapeError("q, qd, qdd, tau hold no samples; want at least one")

    bases = base_parameters(model, unknowns.bodies, tol)
    parts = [bases, *base_terms(unknowns, length, tol)]
    minimal = block_diagonal(*(x.Minimal_Basis for x in parts))
    base = block_diagonal(*(x.Perp_Basis for x in parts))
    names = [name for x in parts for name in x.names]
    kept = minimal.argmax(axis=0) if len(names) else np.zeros(0, int)
    units = unknowns.units(length)
    fitted = functools.partial(
        fit, tol=_SEEN[method], units=units[kept], kinds=unknowns.kinds()[kept]
    )
    w, R = weigh(triangles, minimal, row_weights, fitted, force)
    n = unknowns.n
    terms = _prior_terms(unknowns, prior)
    start = np.append(before[unknowns.bodies].ravel(), terms)
    shifted = R.copy()
    shifted[:, n] -= R[:, :n] @ start
    fit_of_data = fitted(np.column_stack([shifted[:, :n] @ minimal, shifted[:, n]]))
    warn_of(names, fit_of_data)
    freedom = max(1, triangles.samples * model.NV - fit_of_data.rank)
    forces = R[:, n] @ R[:, n] / (triangles.samples * model.NV)
    variance = fit_of_data.squares / freedom

    if not physical and not weight:
        nearby = np.linalg.pinv((base * units[:, None] / units[kept]).T)
        x = start + units * (nearby @ (fit_of_data.x / units[kept]))
    else:
        sigma = float(np.sqrt(max(variance, _DIGITS**2 * forces, 1e-300)))
        rows = fit_of_data.rows @ base.T
        sizes = triangles.sizes()[unknowns.links :]
        unseen, sizes = sizes == 0, np.where(sizes > 0, sizes, 1.0)
        signed = unknowns.positive() & bool(physical)
        solve = {"lmi": linear_matrix_inequality, False: nearest}.get(physical, entropic)
        if solve is entropic:
            terms = np.where(signed & (terms == 0), sizes, terms)
            sizes = np.where(signed, terms, sizes)
        z = fit_of_data.values + rows @ start
        bodies = before[unknowns.bodies]
        problem = Problem(rows, z, sigma, bodies, weight, terms, sizes, signed)
        x = solve(problem)
        x[unknowns.links :][unseen] = start[unknowns.links :][unseen]
    parameters = before.copy()
    parameters[unknowns.bodies] = x[: unknowns.links].reshape(-1, 10)
    covariance = variance * fit_of_data.spread
    deviations = np.where(fit_of_data.free, np.inf, np.sqrt(np.maximum(covariance.diagonal(), 0.0)))
    errors = np.zeros(n)
    errors[kept] = np.nan_to_num(deviations, posinf=0.0)
    return Identification(
        parameters,
        _with(unknowns, parameters, x, errors),
        unknowns.part(x, "viscous"),
        unknowns.part(x, "coulomb"),
        unknowns.part(x, "offset"),
        unknowns.part(x, "armature"),
        base.T @ x,
        names,
        covariance,
        deviations,
        triangles.residuals(x),
        w,
        fit_of_data.condition,
        fit_of_data.rank,
        triangles.samples,
    )


def _prior(model: Model, prior: Any, consistent: Iterable[int]) -> np.ndarray:
    """Check the option `prior`, and return the prior parameters (NB, 10); those of some bodies have
    to be physically consistent.
    """
    if prior is None or isinstance(prior, Model):
        of = model if prior is None else prior
        a = as_real(getModelInertialParams(of).a, "prior")
    else:
        a = as_real(prior, "prior")
    tree = free_tree(model)
    if a.shape not in ((tree.NB, 10), (10 * tree.NB,)):
        raise ArrayShapeError(f"prior: want shape ({tree.NB}, 10), got {a.shape}")
    if not np.isfinite(a).all():
        raise ArrayShapeError("prior: want finite numbers, got NaN or infinity")
    a = a.reshape(-1, 10)
    for i in consistent:
        if not is_physical(a[i : i + 1]):
            raise ArrayShapeError(
                f"prior: want physically consistent parameters; no distribution of positive "
                f"mass has those of body {i} ({tree.body_names[i]}); or give physical=False, "
                "without prior_weight"
            )
    return a


def _prior_terms(unknowns: Unknowns, prior: Any) -> np.ndarray:
    """Return prior values of the unknowns that are no parameters of links."""
    of = unknowns._replace(model=prior) if isinstance(prior, Model) else unknowns
    values = [of.of_model(term) for term in unknowns.terms]
    if any(x.shape != (unknowns.NV,) for x in values):
        raise ArrayShapeError(
            f"prior: want a model with {unknowns.NV} velocity variables, as `model` has"
        )
    return np.concatenate([np.zeros(0), *values])


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


def _with(
    unknowns: Unknowns, parameters: np.ndarray, x: np.ndarray, errors: np.ndarray
) -> Model | None:
    """Return the model with what was found, or None if it has a negative mass.

    A warning names friction and armature that are negative by more than their uncertainty, or
    because the motion does not determine them.
    """
    try:
        identified = setModelInertialParams(unknowns.model, parameters)
    except ModelError:
        return None
    for term in unknowns.terms:
        field, values = TERMS[term], unknowns.part(x, term)
        if field is None:
            continue
        error = np.maximum(3 * unknowns.part(errors, term), _DIGITS * np.abs(values).max())
        if (values < -error).any():
            warnings.warn(
                f"identify: negative {term} of joints at velocity variables "
                f"{np.flatnonzero(values < -error).tolist()}; found.model has zero instead",
                InertiaWarning,
                3,
            )
        identified = identified.replace(**{field: np.maximum(values, 0.0)})
    return identified

"""identify_payload: mass, centre of mass and inertia of a payload from measured joint forces."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.couplings.coupled_model import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics import ID
from spatial_v2.exceptions import ArrayShapeError, InertiaWarning, ModelError
from spatial_v2.identification.identify import Identification, identify
from spatial_v2.identification.natural_units import length_of_tree
from spatial_v2.inertia import inertiaVecToMat, setModelInertialParams
from spatial_v2.model import Model
from spatial_v2.model.checks import check_inertias, stack_of_matrices
from spatial_v2.model.frame import Frame, find_frame
from spatial_v2.model.state import check_model
from spatial_v2.models import attach
from spatial_v2.spatial import mcI

__all__ = ["Payload", "identify_payload"]

_RADIUS = 0.05
"""Radius of gyration of the prior payload, as a part of the longest distance between joints."""
_ROUNDING = 1e-9
"""Part of the joint forces below which those of the payload are rounding errors."""


@shown_in_notebooks
class Payload(NamedTuple):
    """Result of `identify_payload`: a rigid body that is fixed to a frame of a robot."""

    mass: float
    """Mass [kg]."""
    center: np.ndarray
    """Centre of mass in coordinates of the frame [m], shape (3,), planar (2,)."""
    I: np.ndarray
    """Spatial inertia in coordinates of the frame, shape (6, 6), planar (3, 3); see `mcI`."""
    model: Model | None
    """The robot with the payload attached to the frame; None if the mass is negative."""
    identification: Identification
    """The result of `identify`, with standard deviations, residuals and condition number; its
    parameters are those of the payload alone, in coordinates of the body.
    """


def identify_payload(
    model: Model,
    frame: Frame | int | str,
    q: Any,
    qd: Any,
    qdd: Any,
    tau: Any,
    *,
    prior: Any = None,
    **options: Any,
) -> Payload:
    """Identify a payload in the hand of a known robot from measured motions and joint forces.

    Parameters
    ----------
    model : Model
        The robot without the payload, whose parameters are known; coupled ones too.
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    q, qd, qdd, tau : array, shapes (..., NQ) and (..., NV)
        Joint positions, velocities, accelerations and forces with the payload. At rest, with qd and
        qdd zero, a few places determine the mass and the centre of mass, but not the inertia.
    prior : array, shape (6, 6), planar (3, 3), optional
        Prior inertia in coordinates of the frame, which decides what the motion does not determine.
        By default that of a small ball at the frame with the mean mass of the bodies.
    **options : dict
        Options of `identify`, such as ``offset=True`` for sensors with an offset, or
        ``physical=False``, as for planar models.

    Returns
    -------
    Payload
        Named tuple ``mass, center, I, model, identification``.

    Raises
    ------
    ModelError
        A frame that does not exist, or one on the base; a prior that is no inertia.
    ArrayShapeError
        Samples with wrong shapes or entries that are not finite.

    Warns
    -----
    ExcitationWarning
        The motion does not determine all parameters that a motion of this robot can determine.

    Notes
    -----
    Joint forces are linear in inertial parameters. Those of the known robot are subtracted, and
    `identify` fits the rest with one unknown body.

    Examples
    --------
    >>> from spatial_v2 import ID, attach, mcI, puma560
    >>> arm, rng = puma560(), np.random.default_rng(0)
    >>> box = mcI(2.0, [0, 0, 0.1], 0.01 * np.eye(3))
    >>> q, qd, qdd = rng.normal(size=(3, 50, 6))
    >>> measured = ID(attach(arm, "flange", box), q, qd, qdd)
    >>> found = identify_payload(arm, "flange", q, qd, qdd, measured)
    >>> round(found.mass, 5), found.center.round(5) + 0.0
    (2.0, array([0. , 0. , 0.1]))
    """
    check_model(model)
    place = find_frame(free_tree(model), frame)
    i, X = place.body, as_real(place.X, "frame: X")
    if i < 0:
        raise ModelError("frame: the base does not move; want a frame on a body")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        tree = free_tree(model)
        weightless = setModelInertialParams(model, np.zeros((tree.NB, 10)))
        ball = _ball(tree) if prior is None else _inertia(prior, len(X))
        before = weightless.replace(I={i: X.T @ ball @ X})
    q, qd, qdd, forces = (
        as_real(x, name) for x, name in ((q, "q"), (qd, "qd"), (qdd, "qdd"), (tau, "tau"))
    )
    alone = ID(model, q, qd, qdd)
    known = alone - ID(weightless, q, qd, qdd)
    if forces.shape != known.shape:
        raise ArrayShapeError(f"tau must have shape {known.shape}, as qd, got {forces.shape}")
    rest = forces - known
    if np.abs(forces - alone).max(initial=0.0) <= _ROUNDING * np.abs(forces).max(initial=0.0):
        # Nothing is in the hand. No mass at all is not positive definite, but the least squares.
        before, options = weightless, {**options, "physical": False, "prior_weight": 0.0}
    result = identify(weightless, q, qd, qdd, rest, prior=before, unknown=[i], **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        own = inertiaVecToMat(result.parameters[i])
        own = own[2:5, 2:5] if model.is_planar else own
        to_body = np.linalg.inv(X)
        I = to_body.T @ own @ to_body
        m, c, _ = mcI(I)
        return Payload(float(m), np.asarray(c), I, _loaded(model, place, I, result.model), result)


def _loaded(model: Model, place: Frame, I: np.ndarray, identified: Model | None) -> Model | None:
    """Return the model with the payload, and with the joint terms that were found."""
    if identified is None:
        return None
    of_joints = free_tree(identified)
    terms = {name: getattr(of_joints, name) for name in ("armature", "damping", "friction")}
    if isinstance(model, CoupledModel):
        loaded = attach(model.tree, place, I)
        return model.replace(I=loaded.I, **terms)
    return attach(model, place, I).replace(**terms)


def _ball(model: Model) -> np.ndarray:
    """Return the inertia of a ball with the mean mass of the bodies of a robot."""
    mass = float(np.mean(model.I[:, -1, -1])) or 1.0
    inertia = mass * (_RADIUS * (length_of_tree(model) or 1.0)) ** 2
    if model.is_planar:
        return np.asarray(mcI(mass, [0, 0], inertia))
    return np.asarray(mcI(mass, [0, 0, 0], inertia * np.eye(3)))


def _inertia(prior: Any, d: int) -> np.ndarray:
    inertia = stack_of_matrices("prior", [prior], 1, d)
    check_inertias("prior", inertia)
    return np.asarray(inertia[0])

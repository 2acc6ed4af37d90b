"""Kinetic and potential energy, momentum and inertia of a tree."""

from __future__ import annotations

from typing import NamedTuple, Unpack

from spatial_v2.accelerated import accelerated
from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.calls.options import Options
from spatial_v2.dynamics.robot_frame import shift
from spatial_v2.dynamics.robot_kinematics import robot_kinematics
from spatial_v2.dynamics.total_mass import check_mass
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import joint_product, spring_energy
from spatial_v2.model.subtrees import ground_inertias
from spatial_v2.spatial import inertia_parts

__all__ = ["EnerMo", "EnergyMomentum"]


@shown_in_notebooks
class EnergyMomentum(NamedTuple):
    """Energy and momentum in base coordinates; for planar models 3 replaces 6 and 2 replaces 3."""

    KE: Array
    """Kinetic energy [J], shape (...)."""
    PE: Array
    """Potential energy [J], zero if the centre of mass is at the base origin, shape (...)."""
    htot: Array
    """Spatial momentum about the base origin, shape (..., 6)."""
    Itot: Array
    """Inertia of all bodies about the base origin, shape (..., 6, 6)."""
    mass: Array
    """Mass of the bodies [kg], shape (...); links fixed to the base are not among them."""
    cm: Array
    """Centre of mass [m], shape (..., 3)."""
    vcm: Array
    """Velocity of the centre of mass [m/s], shape (..., 3)."""


@accelerated("EnerMo", "(q),(v)->(),(),(6),(6,6),(),(3),(3)", joint_terms=True, accepts=check_mass)
def EnerMo(model: Model, q: Array, qd: Array, **options: Unpack[Options]) -> EnergyMomentum:
    """Compute energy, momentum, mass, centre of mass and inertia of the whole tree.

    MATLAB: ``ret = EnerMo(model,q,qd)``.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and planar models too.
    q, qd : array, shapes (..., NQ), (..., NV)
        Joint positions and velocities [rad or m, per second].

    Returns
    -------
    EnergyMomentum
        Named tuple ``KE, PE, htot, Itot, mass, cm, vcm``.

    Raises
    ------
    ArrayShapeError
        An argument of the wrong shape.
    ModelError
        No body has mass.

    Notes
    -----
    The bodies of the tree count, those that move. Links that a robot file fixes to the base are no
    bodies: ``model.left_out`` has their mass, and ``load_urdf(file, floating_base=True)`` reads
    them as a body.

    The results are sums of ``v.I v / 2``, ``I v`` and ``I`` over the bodies, about a point o of the
    robot; momentum and inertia are then shifted to the base origin. Featherstone (2008), Sec.
    2.12-2.13. ``PE = -mass (cm . g) + stiffness . (q - rest)^2 / 2``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> e = EnerMo(autoTree(2), [0, 0], [1, 0])
    >>> float(e.mass), e.cm
    (2.0, array([1., 0., 0.]))
    """
    xp = namespace(q, qd)
    g = robot_kinematics(model, q, qd)
    I = ground_inertias(model, g.X0)
    h = uncolumn(I @ column(g.v))
    KE = xp.sum(g.v * h / 2, axis=(-2, -1))
    if model.armature is not None:
        KE = KE + xp.sum(qd * joint_product(model, "armature", qd) / 2, axis=-1)
    h, I = xp.sum(h, axis=-2), xp.sum(I, axis=-3)
    mass, c, _ = inertia_parts(I)
    cm, vcm = g.o + c, h[..., -c.shape[-1] :] / mass[..., None]
    PE = xp.sum(-mass[..., None] * cm * constant(model.gravity, cm), axis=-1)
    X0 = shift(g.o)
    XF = xp.matrix_transpose(X0)
    PE = PE + spring_energy(model, q)
    return EnergyMomentum(KE, PE, uncolumn(XF @ column(h)), XF @ I @ X0, mass, cm, vcm)

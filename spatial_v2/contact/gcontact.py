"""Forces of a compliant ground on points."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import Array, alike, namespace, real_part
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.arrays.namespaces import settled
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model.state import common_lead

__all__ = ["ContactForces", "gcontact"]


@shown_in_notebooks
class ContactForces(NamedTuple):
    """Forces of the ground on points, and rates of its deformation."""

    f: Array
    """Forces on the points [N], shape (..., n, 3), planar (..., n, 2)."""
    ud: Array
    """Rates of the tangential deformations [m/s], shape (..., n, 2), planar (..., n, 1)."""
    fcone: Array
    """Tangential force that prevents slip, divided by the largest possible friction force, shape
    (..., n). A point with less than 1 sticks, with more than 1 it slips. At most 2; 2 without
    contact.
    """


def gcontact(K: Any, D: Any, mu: Any, p: Any, pd: Any, u: Any) -> ContactForces:
    """Compute the forces of a spring-damper ground with friction, at height zero, on points.

    MATLAB: ``[f,ud,fcone] = gcontact(K,D,mu,p,pd,u)``, with a column per point; if called with one
    output, it stacks all three.

    Parameters
    ----------
    K, D : float or array
        Stiffness [N/m^1.5] and damping [N s/m^1.5] of the ground, positive; one number, or one for
        each point.
    mu : float or array
        Coefficient of friction, 0 or positive.
    p, pd : array, shape (..., n, 3) or planar (..., n, 2)
        Positions [m] and velocities [m/s] of the points; the last coordinate is the height.
    u : array, shape (..., n, 2) or planar (..., n, 1)
        Tangential deformations of the ground under the points [m], a state variable with time
        derivative `ud`.

    Returns
    -------
    f : array, shape as `p`
        Forces on the points.
    ud : array, shape as `u`
        Time derivatives of `u` [m/s].
    fcone : array, shape (..., n)
        Tangential force that prevents slip, divided by the friction limit, at most 2: a point
        with less than 1 sticks, with more than 1 it slips.

    Raises
    ------
    ArrayShapeError
        Arrays whose shapes do not agree.
    SpatialError
        K or D not positive, mu negative.

    Notes
    -----
    With z the height and ``s = sqrt(-z)``, the normal force is ``s (-K z - D zd)``, and there is
    contact if it is positive. The tangential force f_t is ``-s (K u + D pd_t)``, pd_t the
    tangential velocity, with ``ud = pd_t``, if it lies in the friction cone; else it is shortened
    to the cone, and ``ud = -(f_t/s + K u) / D``. Without contact the deformation recovers, ``ud =
    -K/D u``. Azad, Featherstone, "Modeling the contact between a rolling sphere and a compliant
    ground plane" (2010).

    The force is continuous but not smooth at the onset of contact and of slip: there the derivative
    is that of the branch taken, and integrators need short steps. For symbolic arguments the result
    is that of points that stick. For mu = 0 MATLAB fails if more outputs than the forces are
    requested; here every point slips without friction.

    Examples
    --------
    >>> f, ud, fcone = gcontact(1e4, 100, 0.5, [[0, 0, -1e-3]], [[0.1, 0, 0]], [[0, 0]])
    >>> f.round(5), ud.round(12), fcone
    (array([[-0.15811,  0.     ,  0.31623]]), array([[0.05, 0.  ]]), array([2.]))
    """
    K, D, mu, p, pd, u = _checked(K, D, mu, p, pd, u)
    xp = namespace(p)
    z, zd, slide = p[..., -1:], pd[..., -1:], pd[..., :-1]
    below = _less(z, 0)
    s = xp.sqrt(xp.where(below, -z, 0 * z + 1))
    fn = xp.where(below, -s * (K * z + D * zd), 0 * z)
    touches = _less(0, fn)
    fn = xp.where(touches, fn, 0 * z)

    ft = -s * (K * u + D * slide)
    square = xp.sum(ft * ft, axis=-1, keepdims=True)
    pulls = _less(0, square)
    size = xp.where(pulls, xp.sqrt(xp.where(pulls, square, 0 * z + 1)), 0 * z)
    limit = mu * fn
    slips = _less(limit, size, generic=False)
    ft = ft * xp.where(slips, limit / xp.where(slips, size, 0 * z + 1), 0 * z + 1)

    recovery = -K / D * u
    ud = xp.where(touches, recovery - ft / (D * s), recovery)
    firm = _less(0, limit)
    cone = xp.where(firm, size / xp.where(firm, limit, 0 * z + 1), 0 * z + 2)
    cone = xp.where(_less(cone, 2), cone, 0 * z + 2)
    return ContactForces(xp.concat([xp.where(touches, ft, 0 * ft), fn], axis=-1), ud, cone[..., 0])


def _less(a: Any, b: Any, generic: bool = True) -> Array:
    """Test if the real part of a is less than that of b; return `generic` for symbols."""
    a, b = (x if isinstance(x, int) else real_part(x) for x in (a, b))
    return settled(namespace(a, b).less(a, b), generic)


def _checked(K: Any, D: Any, mu: Any, p: Any, pd: Any, u: Any) -> tuple[Array, ...]:
    """Check the arguments and convert them to arrays of one kind; K, D, mu get a last axis."""
    arguments = {"K": K, "D": D, "mu": mu, "p": p, "pd": pd, "u": u}
    K, D, mu, p, pd, u = alike(
        *(as_numbers(x, f"gcontact: {name}") for name, x in arguments.items())
    )
    n = p.shape[-1] if p.ndim > 1 else 0
    wanted = {"pd": (pd, p.shape[-2:]), "u": (u, (*p.shape[-2:-1], n - 1))}
    for name, (x, core) in {"p": (p, p.shape[-2:]), **wanted}.items():
        if n not in (2, 3) or x.ndim < 2 or tuple(x.shape[-2:]) != tuple(core):
            shape = "n, 3) or (..., n, 2" if name == "p" or not n else ", ".join(map(str, core))
            raise ArrayShapeError(
                f"gcontact: {name} must have shape (..., {shape}), a row for each point, got "
                f"{tuple(x.shape)}"
            )
    for name, x in (("K", K), ("D", D), ("mu", mu)):
        if isinstance(x, np.ndarray) and x.dtype != object:
            fits = x.real >= 0 if name == "mu" else x.real > 0
            if not np.all(fits):
                least = "0 or positive" if name == "mu" else "positive"
                raise SpatialError(f"gcontact: {name} must be {least}, got {x}")
    leads = {name: tuple(x.shape[:-1]) for name, x in (("p", p), ("pd", pd), ("u", u))}
    lead = common_lead(leads | {n: tuple(x.shape) for n, x in (("K", K), ("D", D), ("mu", mu))})
    xp = namespace(p)
    p, pd, u = (xp.broadcast_to(x, (*lead, x.shape[-1])) for x in (p, pd, u))
    return K[..., None], D[..., None], mu[..., None], p, pd, u

"""Dynamics traced by JAX in programs whose size does not grow with the robot.

The programs that JAX traces from reference implementations grow with the number of bodies. Here the
loop over bodies is `jax.lax.scan`, whose body is compiled once. This is for accelerators, and for
derivatives of any order with respect to q, inertias, placements and gravity.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from spatial_v2.arrays.namespaces import is_foreign
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.spatial import crf, crm

__all__ = ["Scanned", "scanned"]


class Scanned(NamedTuple):
    """A robot whose dynamics JAX loops over bodies; replace arrays by ``robot._replace(I=I)``."""

    model: Model
    Xtree: Any
    """Placements of the joints, shape (NB, 6, 6)."""
    I: Any
    """Inertias, shape (NB, 6, 6)."""
    gravity: Any
    """Acceleration of gravity, shape (3,)."""
    armature: Any = None
    """Inertia of the drives, shape (NV,), or None."""
    damping: Any = None
    """Viscous friction, shape (NV,), or None."""
    friction: Any = None
    """Dry friction, shape (NV,), or None."""
    stiffness: Any = None
    """Stiffness of the springs of joints, shape (NV,), or None."""
    rest: Any = None
    """Positions at which the springs are at rest, shape (NV,), or None for zeros."""

    def ID(self, q: Any, qd: Any, qdd: Any) -> Any:
        """Compute the joint forces (NV,) at one state; see `spatial_v2.ID`.

        `jax.vmap` maps it over batches.
        """
        q, qd, qdd = self._state(q=q, qd=qd, qdd=qdd)
        n, S, body = self.model.NB, *_freedoms(self.model)
        X = self._transforms(q)
        vJ = jnp.zeros((n, 6)).at[body].add(S * qd[:, None])
        aJ = jnp.zeros((n, 6)).at[body].add(S * qdd[:, None])
        a0 = jnp.concatenate([jnp.zeros(3), -self.gravity])

        def outward(moving: Any, now: Any) -> Any:
            i, p, Xi, Ii, vJi, aJi = now
            v_all, a_all = moving
            v = Xi @ jnp.where(p < 0, 0.0, v_all[p]) + vJi
            a = Xi @ jnp.where(p < 0, a0, a_all[p]) + aJi + crm(v) @ vJi
            f = Ii @ a + crf(v) @ (Ii @ v)
            return (v_all.at[i].set(v), a_all.at[i].set(a)), f

        index, parent = jnp.arange(n), jnp.asarray(self.model.parent)
        start = jnp.zeros((n, 6)), jnp.zeros((n, 6))
        _, f = jax.lax.scan(outward, start, (index, parent, X, self.I, vJ, aJ))

        def inward(forces: Any, now: Any) -> Any:
            i, p, Xi = now
            return forces.at[jnp.where(p < 0, n, p)].add(Xi.T @ forces[i]), None

        padded = jnp.concatenate([f, jnp.zeros((1, 6))])
        forces, _ = jax.lax.scan(inward, padded, (index, parent, X), reverse=True)
        tau = (S * forces[body]).sum(axis=-1)
        if self.armature is not None:
            tau = tau + self.armature * qdd
        if self.damping is not None:
            tau = tau + self.damping * qd
        if self.friction is not None:
            tau = tau + self.friction * jnp.sign(qd)
        return tau if self.stiffness is None else tau + self.stiffness * self._stretch(q)

    def CRBA(self, q: Any) -> Any:
        """Compute the joint-space inertia matrix (NV, NV) at one q; see `spatial_v2.CRBA`."""
        (q,) = self._state(q=q)
        n, S, body = self.model.NB, *_freedoms(self.model)
        own = jnp.zeros((n, 6, self.model.NV)).at[body, :, np.arange(self.model.NV)].set(S)

        def outward(rows: Any, now: Any) -> Any:
            i, p, Xi, Si = now
            J = Xi @ jnp.where(p < 0, 0.0, rows[p]) + Si
            return rows.at[i].set(J), J

        index, parent = jnp.arange(n), jnp.asarray(self.model.parent)
        _, J = jax.lax.scan(outward, 0 * own, (index, parent, self._transforms(q), own))
        H = jnp.einsum("bij,bik,bkl->jl", J, self.I, J)
        return H if self.armature is None else H + jnp.diag(jnp.asarray(self.armature))

    def FD(self, q: Any, qd: Any, tau: Any) -> Any:
        """Compute the joint accelerations (NV,) at one state by factorising the inertia matrix.

        See `spatial_v2.FDcrb`.
        """
        q, qd, tau = self._state(q=q, qd=qd, tau=tau)
        bias = self.ID(q, qd, jnp.zeros(self.model.NV))
        factor = jax.scipy.linalg.cho_factor(self.CRBA(q))
        return jax.scipy.linalg.cho_solve(factor, tau - bias)

    def _stretch(self, q: Any) -> Any:
        """Compute q - rest (NV,) of the joints with one degree of freedom, zero for others."""
        layout = self.model.layout
        joints = zip(layout.nv, layout.vinds, layout.qinds, strict=True)
        pairs = [(v.start, place.start) for n, v, place in joints if n == 1]
        of, source = np.reshape(pairs, (-1, 2)).T.astype(int)
        x = jnp.zeros(self.model.NV).at[of].set(q[source])
        return x if self.rest is None else x - self.rest

    def _state(self, **vectors: Any) -> list[Any]:
        """Convert the vectors of one state to JAX arrays."""
        arrays = []
        for name, x in vectors.items():
            n, y = self.model.NQ if name == "q" else self.model.NV, jnp.asarray(x)
            if y.shape != (n,):
                raise ArrayShapeError(
                    f"{name}: want shape ({n},), one state; batches by jax.vmap; got {y.shape}"
                )
            arrays.append(y)
        return arrays

    def _transforms(self, q: Any) -> Any:
        """Compute the transforms from parents to bodies, joints of one type together."""
        layout = self.model.layout
        codes: dict[str, list[int]] = {}
        for i, jtype in enumerate(self.model.jtype):
            codes.setdefault(str(jtype), []).append(i)
        XJ = jnp.zeros((self.model.NB, 6, 6))
        for bodies in codes.values():
            places = np.array(
                [np.arange(s.start, s.stop) for s in (layout.qinds[i] for i in bodies)]
            )
            X, _ = jcalc(self.model.jtype[bodies[0]], q[places])
            XJ = XJ.at[np.array(bodies)].set(X)
        return XJ @ self.Xtree


def scanned(model: Model) -> Scanned:
    """Prepare a robot's dynamics for JAX, with programs as long for many bodies as for few.

    Parameters
    ----------
    model : Model
        The rigid-body tree, a spatial model without rotors.

    Returns
    -------
    Scanned
        Object with the methods ``ID``, ``CRBA`` and ``FD`` for one state, in JAX's precision.

    Raises
    ------
    ModelError
        If the model is planar or has rotors.

    Notes
    -----
    The result holds the model's arrays at the time of the call: later edits have no effect.
    The loop carries the velocities and forces of all bodies, indexed by parents; the joint
    transforms are computed before the loop, those of one joint type together. JAX differentiates
    with respect to the NQ entries of q.

    Examples
    --------
    >>> import jax
    >>> from spatial_v2 import autoTree
    >>> with jax.enable_x64(True):
    ...     robot = scanned(autoTree(20))
    ...     H = jax.jit(robot.CRBA)(jax.numpy.zeros(20))
    >>> H.shape
    (20, 20)
    """
    if model.is_planar or model.has_rotors:
        raise ModelError(
            "scanned: model: want a spatial one without rotors; for others use "
            "spatial_v2.interop.jax"
        )
    fields = [getattr(model, name) for name in Scanned._fields[1:]]
    arrays = (x if x is None or is_foreign(x) else jnp.asarray(x) for x in fields)
    return Scanned(model, *arrays)


def _freedoms(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns of all motion subspaces S as rows (NV, 6), and the body of each row."""
    S = np.concatenate([joint.S.T for joint in model.layout.joints])
    return S, np.asarray(model.body_of_v)

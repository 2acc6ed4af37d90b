"""Rates of displacements and velocities at points of a motion, with two derivatives."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from spatial_v2.configuration.by_joint import runs
from spatial_v2.control.displacements import add, exponential, logarithm
from spatial_v2.control.shooting import Shooting
from spatial_v2.control.transcribed import pull_hessian
from spatial_v2.joints import tangent
from spatial_v2.joints.groups import LINE

__all__ = ["Rates"]

STEP = 1e-30
T = np.matrix_transpose


class Rates:
    """Rates [x', v'] at P points of each of N intervals: ``x' = K(x) v``, ``v' = a(q, v, S u)``.

    x is the displacement from an origin to the configuration q, K the derivative of the logarithm,
    and a the accelerations under the constraints of the interval.

    Parameters
    ----------
    s : Shooting
        The stages.
    origin : array, shape (NQ,)
        The origin.
    x, v : array, shape (P, N, NV)
        Displacements and velocities.
    u : array, shape (N, m)
        Controls.

    Attributes
    ----------
    q : array, shape (P, N, NQ)
        Configurations.
    pattern : array of bool, shape (2 NV, 2 NV + m)
        Entries of the Jacobian that may be nonzero.
    """

    def __init__(
        self, s: Shooting, origin: np.ndarray, x: np.ndarray, v: np.ndarray, u: np.ndarray
    ) -> None:
        self.s, self.x, self.v, self.S = s, x, v, s.problem.actuation
        self.q, first, self.parts = add(s.model, origin, x), 0, []
        for span in s.spans:
            k = slice(first, first + len(span.h))
            if not span.is_impact:
                tau = u[k] @ self.S.T + 0 * v[:, k]
                self.parts.append((k, span.a.at(self.q[:, k], v[:, k], tau)))
            first = k.stop
        self.a = np.concatenate([a.values() for _, a in self.parts], axis=1)
        self.groups = [vs for group, _, vs in runs(s.model) if group is not LINE]

    @property
    def pattern(self) -> np.ndarray:
        """Entries of the Jacobian that may be nonzero."""
        n = self.s.n
        pattern = np.ones((2 * n, 2 * n + self.s.m), dtype=bool)
        pattern[:n] = np.eye(n, 2 * n + self.s.m, n, dtype=bool)
        for vs in self.groups:
            for first in (0, n):
                pattern[vs, first + vs.start : first + vs.stop] = True
        return pattern

    def values(self) -> np.ndarray:
        """Compute the rates, shape (P, N, 2 NV)."""
        rate = self.v.copy()
        for vs in self.groups:
            K, _ = logarithm(self.x[..., vs], 0 * self.x[..., vs])
            rate[..., vs] = (K @ self.v[..., vs, None])[..., 0]
        return np.concatenate([rate, self.a], axis=-1)

    @cached_property
    def jacobian(self) -> np.ndarray:
        """The derivatives with respect to [x, v, u], shape (P, N, 2 NV, 2 NV + m)."""
        n, m = self.s.n, self.s.m
        D = np.zeros((*self.x.shape[:2], 2 * n, 2 * n + m))
        for k, a in self.parts:
            a_q, a_v, a_tau = a.blocks()
            D[:, k, n:, :n], D[:, k, n:, n : 2 * n], D[:, k, n:, 2 * n :] = a_q, a_v, a_tau @ self.S
        self.a_q = D[..., n:, :n].copy()
        D[..., range(n), range(n, 2 * n)] = 1.0
        for vs in self.groups:
            w, x, v = slice(n + vs.start, n + vs.stop), self.x[..., vs], self.v[..., vs]
            D[..., n:, vs] = D[..., n:, vs] @ exponential(x, 0 * x)[0]
            D[..., vs, w], _ = logarithm(x, 0 * x)
            D[..., vs, vs] = np.einsum("...ijk,...j->...ik", tangent.logarithm_derivatives(x), v)
        return D

    def hessian(self, weight: np.ndarray) -> np.ndarray:
        """Compute the Hessians of ``weight . [x', v']`` with respect to [x, v, u], for weights
        (P, N, 2 NV); shape (P, N, 2 NV + m, 2 NV + m).
        """
        n, z = self.s.n, self.jacobian.shape[-1]
        w = weight[..., n:]
        Q = np.zeros((*self.x.shape[:2], z, z))
        for k, a in self.parts:
            qq, vv, vq, tau_q = a.second(w[:, k])
            by_u = self.S.T @ tau_q
            Q[:, k, :n, :n] = (qq + T(qq)) / 2
            Q[:, k, n : 2 * n, n : 2 * n] = vv
            Q[:, k, n : 2 * n, :n], Q[:, k, :n, n : 2 * n] = vq, T(vq)
            Q[:, k, 2 * n :, :n], Q[:, k, :n, 2 * n :] = by_u, T(by_u)
        g = (w[..., None, :] @ self.a_q)[..., 0, :]
        pull_hessian(self.groups, self.x, g, Q)
        for vs in self.groups:
            x, v, p = (y[..., vs] for y in (self.x, self.v, weight))
            to_v = slice(n + vs.start, n + vs.stop)
            _, bend = logarithm(x, p)
            Q[..., to_v, vs] += bend
            Q[..., vs, to_v] += T(bend)
            for i, e in enumerate(np.eye(vs.stop - vs.start)):
                d = tangent.logarithm_derivatives(x + 1j * STEP * e).imag / STEP
                Q[..., vs, vs.start + i] += np.einsum("...i,...j,...ijk->...k", p, v, d)
        return Q

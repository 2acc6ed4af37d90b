"""Derivatives of steps of semi-implicit Euler, assembled from those of the accelerations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.loading import load_procedure
from spatial_v2.control.displacements import flat

__all__ = [
    "Actuation", "EulerKernels", "actuation", "add_acceleration_hessian", "step_jacobian",
]  # fmt: skip

T = np.matrix_transpose
Two = tuple[np.ndarray, np.ndarray]
NOTHING, NO_CHARTS = np.zeros((0, 0)), np.zeros((0, 0, 6))
NO_STATES = NOTHING, NOTHING


class Actuation(NamedTuple):
    """Joint forces ``S u`` of the controls u."""

    S: np.ndarray
    """The matrix, shape (NV, m)."""
    entries: np.ndarray
    """Rows and columns of its k entries that are not zero, shape (k, 2)."""
    values: np.ndarray
    """These entries, shape (k,)."""


def actuation(S: np.ndarray) -> Actuation:
    """Return the actuation of a matrix S."""
    return Actuation(S, np.argwhere(S), S[S != 0])


class EulerKernels:
    """Derivatives of steps of semi-implicit Euler by kernels, from those of the accelerations.

    Parameters
    ----------
    spaces : array, shape (k, 4)
        The configuration space; see `configuration.by_joint.spaces`.
    u : Actuation
        Joint forces of the controls.
    h : array, shape (s,)
        Lengths of the steps.
    """

    def __init__(self, spaces: np.ndarray, u: Actuation, h: np.ndarray) -> None:
        self.spaces, self.u, self.h = spaces, u, np.ascontiguousarray(h)

    def ends(
        self, q: np.ndarray, v: np.ndarray, a: np.ndarray, after: Two = NO_STATES
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Compute the displacements x (B, s, NV) in steps from q and v with the accelerations a,
        and their ends q' and v'; at last the displacements c (B, s, 2 NV) from the states `after`
        to the ends, if these are given.
        """
        lead, n = v.shape[:-1], v.shape[-1]
        x, end, rate = np.empty(v.shape), np.empty(q.shape), np.empty(v.shape)
        c = np.empty((*lead, 2 * n)) if after is not NO_STATES else NOTHING
        load_procedure("euler_ends")(
            self.h, self.spaces, (flat(q), flat(v), flat(a)), flat(x), (flat(end), flat(rate)),
            (flat(after[0]), flat(after[1])), flat(c),
        )  # fmt: skip
        return x, end, rate, c

    def jacobian(
        self, blocks: Sequence[np.ndarray], x: np.ndarray, F: np.ndarray,
        defects: Sequence[np.ndarray] = (),
    ) -> None:  # fmt: skip
        """Compute the Jacobians F (B, s, 2 NV, 2 NV + m) of the ends of the steps, or those of the
        defects c (B, s, 2 NV) with the charts K (B, s, NV, 6), to be written, if these are given.

        `blocks` are the derivatives (B, s, NV, NV) of the accelerations with respect to q, qd and
        tau, and x (B, s, NV) the displacements in the steps.
        """
        euler_jacobian = load_procedure("euler_jacobian")
        u = self.u
        for a_q, a_v, a_tau, x_part, *turned, part in contiguous(*blocks, x, *defects, F):
            first, (c, K) = (a_q, a_v, a_tau), turned or (NOTHING, NO_CHARTS)
            euler_jacobian(self.h, first, u.entries, u.values, self.spaces, x_part, part, c, K)

    def weights(
        self, x: np.ndarray, p: np.ndarray, K: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Compute the weights w (B, s, 2 NV) of the ends, and those (B, s, NV) of the accelerations
        in the Hessian of ``w . [q', qd']``: w is p, or with K as in `jacobian` follows from the
        weights p of the defects.
        """
        w, mu, K = np.empty(p.shape), np.empty(x.shape), NO_CHARTS if K is None else flat(K, 2)
        load_procedure("euler_weights")(self.h, self.spaces, flat(x), K, flat(p), flat(w), flat(mu))
        return w, mu

    def add_hessian(
        self, blocks: Sequence[np.ndarray], x: np.ndarray, p: np.ndarray, F: np.ndarray,
        Q: np.ndarray,
    ) -> None:  # fmt: skip
        """Add to Q (B, s, 2 NV + m, 2 NV + m) the symmetric Hessian of ``p . [q', qd']``.

        `blocks` are the parts (B, s, NV, NV) of the Hessian of the accelerations with respect to
        (q, q), (qd, qd), (qd, q) and (tau, q), weighted as in `weights`; F are the Jacobians.
        """
        add_euler_hessian = load_procedure("add_euler_hessian")
        u = self.u
        for qq, vv, vq, tau_q, x_part, p_part, F_part, part in contiguous(*blocks, x, p, F, Q):
            add_euler_hessian(
                self.h, (qq, vv, vq, tau_q), u.entries, u.values, self.spaces, x_part, p_part,
                F_part, part,
            )  # fmt: skip


def step_jacobian(
    h: np.ndarray, blocks: Sequence[np.ndarray], u: Actuation, line: np.ndarray, F: np.ndarray
) -> None:
    """Compute the Jacobians F (B, s, 2 NV, 2 NV + m) of the ends of steps of lengths h (s,), as
    `EulerKernels.jacobian` does, without a compiler.

    Rows of q' are right where `line` (NV,) is one; where it is zero, they are the derivatives of
    the displacement ``h v'``.
    """
    h, n, k = h[:, None, None], len(line), np.arange(len(line))
    v_z, q_z = F[..., n:, :], F[..., :n, :]
    v_z[..., :n], v_z[..., n : 2 * n], v_z[..., 2 * n :] = (
        h * x for x in (*blocks[:2], blocks[2] @ u.S)
    )
    v_z[..., k, n + k] += 1
    q_z[:] = h * v_z
    q_z[..., k, k] += line


def add_acceleration_hessian(blocks: Sequence[np.ndarray], u: Actuation, Q: np.ndarray) -> None:
    """Add to Q (B, s, 2 NV + m, 2 NV + m) the symmetric Hessian of weighted accelerations, whose
    blocks are those of `EulerKernels.add_hessian`, without a compiler.
    """
    (qq, vv, vq, tau_q), n = blocks, len(u.S)
    by_u = T(u.S) @ tau_q
    Q[..., :n, :n] += (qq + T(qq)) / 2
    Q[..., :n, n : 2 * n] += T(vq)
    Q[..., n : 2 * n, :n] += vq
    Q[..., n : 2 * n, n : 2 * n] += vv
    Q[..., 2 * n :, :n] += by_u
    Q[..., :n, 2 * n :] += T(by_u)


def contiguous(*x: np.ndarray) -> Iterator[Any]:
    """Iterate over parts (N, ...) of matrices (B, s, ...) that lie side by side in memory: all
    of them, or, if the last array is a view, those of one problem after the other.

    Parts of the last array are views, to be written to.
    """
    *arguments, out = x
    if out.flags.c_contiguous:
        yield [np.ascontiguousarray(y).reshape(-1, *y.shape[2:]) for y in x]
    else:
        for b in range(len(out)):
            yield [*(np.ascontiguousarray(y[b]) for y in arguments), out[b]]

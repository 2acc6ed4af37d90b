"""Inverse dynamics with sparse derivatives, as constraints of a nonlinear program."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np

from derivatives import ID_derivatives, ID_SO_derivatives, SO_pattern, symmetrize
from spatial_v2.dynamics import CRBA, ID
from spatial_v2.exceptions import SpatialError
from spatial_v2.interop.entries import branches, velocity_map
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["StructuredID"]

Structure = tuple[np.ndarray, np.ndarray]


class StructuredID:
    """Inverse dynamics ``ID(q, qd, qdd)`` with sparse exact derivatives, for nonlinear programs.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    along : {"entries", "freedoms"}, optional
        Variables that represent q. ``"entries"``: the NQ entries of q, for solvers that treat them
        as free numbers; every quaternion then needs a constraint on its norm. ``"freedoms"``: steps
        dq along the NV degrees of freedom, ``configurationAddition(model, q, dq)``, with
        derivatives at dq = 0, for solvers that update the configuration after every step. For
        joints with one degree of freedom both are the same.

    Attributes
    ----------
    n : int
        Number of variables [q, qd, qdd].
    jacobian_structure, hessian_structure : tuple of int arrays, shape (nnz,)
        Rows and columns of the nnz nonzero entries of the Jacobian, and of the lower triangle of
        the Hessian.

    Notes
    -----
    The structure follows from the tree; see `SO_pattern`. The Hessian is computed by contracting
    the packed tensors of ``ID_SO_derivatives(..., packed=True)``. All methods accept leading axes,
    so that one call computes all knots of a transcription.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> arm = StructuredID(autoTree(3))
    >>> [len(x) for x in arm.jacobian_structure], [len(x) for x in arm.hessian_structure]
    ([27, 27], [27, 27])
    >>> arm.hessian(np.zeros(3), np.ones(3), np.ones(3), np.ones(3)).shape
    (27,)
    """

    def __init__(self, model: Model, along: Literal["entries", "freedoms"] = "entries") -> None:
        if along not in ("entries", "freedoms"):
            raise SpatialError(f"along: want 'entries' or 'freedoms', got {along!r}")
        check_model(model)
        model.checked()
        self.model, self.entries = model, along == "entries" and model.NQ != model.NV
        self.layout = model.layout
        nq = model.NQ if self.entries else model.NV
        self.n = nq + 2 * model.NV
        if self.entries:
            self.map = np.zeros((model.NV, model.NQ), dtype=bool)
            for v, q in zip(model.vinds, model.qinds, strict=True):
                self.map[v, q] = True

    @cached_property
    def jacobian_structure(self) -> Structure:
        """Rows and columns of the entries that `jacobian` returns."""
        tree = branches(self.model)
        by_q = tree @ self.map if self.entries else tree
        row, column = np.nonzero(np.hstack([by_q, tree, tree]))
        return row, column

    @cached_property
    def hessian_structure(self) -> Structure:
        """Rows and columns of the entries that `hessian` returns, in the lower triangle."""
        n, parts = self.model.NV, []
        for p in SO_pattern(self.model):
            parts.append(np.zeros((n, n), dtype=bool))
            parts[-1][p.j, p.k] = True
        qq, vv, qv, xq = parts
        if self.entries:
            qq, qv, xq = self.map.T @ qq @ self.map, self.map.T @ qv, xq @ self.map
        row, column = np.nonzero(np.tril(_symmetric(qq | qq.T, vv | vv.T, qv, xq)))
        return row, column

    def _tree(self) -> Model:
        """Return the model, or raise an error if its tree or joint types have changed."""
        if self.model.layout is not self.layout:
            raise SpatialError(
                "model: its tree or joint types have changed, and with them the structure; "
                "make a new StructuredID"
            )
        return self.model

    def values(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Compute the joint forces (..., NV)."""
        return np.asarray(ID(self._tree(), q, qd, qdd))

    def jacobian(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Compute the nonzero entries (..., nnz) of the Jacobian of the joint forces."""
        by_q, by_qd = ID_derivatives(self._tree(), q, qd, qdd)
        if self.entries:
            by_q = by_q @ velocity_map(self.model, q)
        row, column = self.jacobian_structure
        full = np.concatenate([by_q, by_qd, CRBA(self.model, q)], axis=-1)
        return np.asarray(full[..., row, column])

    def hessian(
        self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, lambda_: np.ndarray
    ) -> np.ndarray:
        """Compute the entries (..., nnz) of the lower triangle of the Hessian of ``lambda . ID``.

        `lambda_` are the multipliers of the joint forces, shape (..., NV).
        """
        q, qd, qdd, lambda_ = (np.asarray(x, dtype=float) for x in (q, qd, qdd, lambda_))
        model, state = self._tree(), (q, qd, qdd)
        tensors = ID_SO_derivatives(model, *state, packed=True)
        qq, vv, qv, xq = (tensor.contract(lambda_) for tensor in tensors)
        if max(model.nv) > 1:
            slope = (lambda_[..., None, :] @ ID_derivatives(model, *state).dtau_dq)[..., 0, :]
            if self.entries:
                T = velocity_map(model, q)
                TT = np.swapaxes(T, -1, -2)
                qq, qv, xq = TT @ qq @ T + self._bend(q, slope), TT @ qv, xq @ T
            else:
                qq = symmetrize(qq, slope, model)
        row, column = self.hessian_structure
        return np.asarray(_symmetric(qq, vv, qv, xq)[..., row, column])

    def _bend(self, q: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Compute the derivatives (..., NQ, NQ) of ``slope . T(q)`` with respect to q, for constant
        `slope` (..., NV).

        T(q) is the matrix of `velocity_map`, differentiated by complex steps.
        """
        columns = [np.zeros(q.shape)] * self.model.NQ
        for joint, place in zip(self.model.layout.joints, self.model.qinds, strict=True):
            for k in range(place.start, place.stop) if joint.nq > 1 else ():
                step = np.zeros(self.model.NQ, dtype=complex)
                step[k] = 1e-30j
                T = velocity_map(self.model, q + step)
                columns[k] = (slope[..., None, :] @ T.imag)[..., 0, :] * 1e30
        return np.stack(columns, axis=-1)


def _symmetric(qq: np.ndarray, vv: np.ndarray, qv: np.ndarray, xq: np.ndarray) -> np.ndarray:
    """Assemble the Hessian with respect to [q, qd, qdd] from its blocks."""
    zero = np.zeros((*vv.shape[:-2], *vv.shape[-2:]), dtype=vv.dtype)
    T = np.swapaxes
    rows = (qq, qv, T(xq, -1, -2)), (T(qv, -1, -2), vv, zero), (xq, zero, zero)
    return np.concatenate([np.concatenate(row, axis=-1) for row in rows], axis=-2)

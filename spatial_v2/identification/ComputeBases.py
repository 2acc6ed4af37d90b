"""ComputeBases: bases of identifiable and unidentifiable parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.couplings.coupled_model import CoupledModel, CoupledModelError
from spatial_v2.couplings.free import free_tree
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.identification.CleanMat import CleanMat
from spatial_v2.identification.coupled_bases import unseen_parameters
from spatial_v2.identification.natural_units import length_of_tree, parameter_units
from spatial_v2.identification.nullspace import transfers
from spatial_v2.identification.parameter_names import parameter_names
from spatial_v2.identification.RangeBasis import TOLERANCE
from spatial_v2.identification.RPNA import RPNA
from spatial_v2.identification.UnitVectorComplementarySubspace import (
    UnitVectorComplementarySubspace,
)
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["ComputeBases", "ParameterBases", "reduced_bases"]


@shown_in_notebooks
class ParameterBases(NamedTuple):
    """Result of `ComputeBases`: bases of the space of all n parameters, links before rotors.

    Parameters
    ----------
    Null_Basis : array, shape (n, d)
        Columns span the changes of parameters without effect on forces.
    Minimal_Basis : array, shape (n, n - d)
        Unit vectors of the parameters that remain when all others are set to zero.
    Perp_Basis : array, shape (n, n - d)
        Base parameters as linear combinations of all parameters: ``pi_base = Perp_Basis.T @ pi``.
    names : list of str
        Each base parameter, written as a sum of parameters.

    Examples
    --------
    >>> from spatial_v2 import ComputeBases, RPNA, planar
    >>> null = RPNA(planar(1).replace(gravity=[0, -9.81]))
    >>> ComputeBases(planar(1), null.N, null.M).names
    ['mcx0', 'mcy0', 'Izz0']
    """

    Null_Basis: np.ndarray
    Minimal_Basis: np.ndarray
    Perp_Basis: np.ndarray
    names: list[str]


def ComputeBases(
    model: Model,
    N: Sequence[Any] | None = None,
    M: Sequence[Any] | None = None,
    *,
    rotor_constraint: Any = None,
    tol: float = TOLERANCE,
) -> ParameterBases:
    """Compute the base parameters of a robot.

    MATLAB: ``[Null_Basis,Minimal_Basis,Perp_Basis,Perp_Basis_sym] = ComputeBases(model,N,M)``, and
    ``ComputeBases_rotor``. The symbols of its last result are lines of text here.

    Parameters
    ----------
    model : Model
        The rigid-body tree, or a coupled model.
    N, M : sequence of array_like, optional
        Fields N and M of the result of `RPNA` or `RPNA_rotor`; by default of ``RPNA(model)``. Not
        for a coupled model, some of whose parameters are seen only together across its loops.
    rotor_constraint : array_like, optional
        Constraint that was given to `RPNA_rotor`.
    tol : float, optional
        Relative tolerance of `RPNA`, and of the rank of regressors of a coupled model.

    Returns
    -------
    Null_Basis : array, shape (n, d)
        ``Y @ Null_Basis = 0``, where Y has the two results of `RegressorClassical` side by side.
    Minimal_Basis : array, shape (n, n - d)
        Unit vectors; ``Y @ Minimal_Basis`` has independent columns.
    Perp_Basis : array, shape (n, n - d)
        ``Y @ pi = Y @ Minimal_Basis @ (Perp_Basis.T @ pi)`` for all parameters pi.
    names : list of str
        Each base parameter as a sum of parameters: ``m mcx mcy mcz Ixx Iyy Izz Iyz Ixz Ixy`` with
        the number of the body, an r before that of a rotor.

    Raises
    ------
    ModelError, ArrayShapeError
        If `N` and `M` are not those of the model, or are given for a coupled one.

    Notes
    -----
    Of a coupled model the regressor is that along y. Its null space is computed from a few states
    near the configuration at which the model was coupled.

    With a rotor constraint P, Y has its rotor columns multiplied by P. MATLAB's Perp_Basis spans
    the same space, but the equation above holds only after a row reduction. Here
    ``Perp_Basis.T @ Minimal_Basis`` is the unit matrix, so that it holds directly. With a free
    base, Null_Basis has columns for transfers of inertia to the base. They omit the change of the
    base, whose parameters are not among the n.

    Examples
    --------
    >>> from spatial_v2 import puma560
    >>> bases = ComputeBases(puma560())
    >>> bases.Perp_Basis.shape, bases.names[-1]
    ((60, 36), 'Ixy5')
    """
    check_model(model)
    tree = free_tree(model)
    if N is None or M is None:
        if N is not None or M is not None:
            raise ModelError("N, M: want both, of one call of RPNA, or none")
        N, M, _, _ = RPNA(tree, tol=tol)
    elif isinstance(model, CoupledModel):
        raise CoupledModelError(
            "ComputeBases: takes no coupled model with N and M, which are those of a tree; write "
            "ComputeBases(model)"
        )
    null, kept, names = _of_tree(tree, N, M, rotor_constraint)
    if isinstance(model, CoupledModel):
        more = unseen_parameters(model, kept, tol)
        across = np.zeros((len(null), more.shape[1]))
        across[kept] = more
        null = np.hstack([null, across])
        kept = kept[UnitVectorComplementarySubspace(more, tol).any(axis=1)]
    u = parameter_units(length_of_tree(tree) or 1.0, len(null) // 10)
    return reduced_bases(u, null, kept, names)


def _of_tree(
    model: Model, N: Sequence[Any], M: Sequence[Any], rotor_constraint: Any
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return a basis of changes without effect on forces, in units in which `length_of_tree` is 1,
    the numbers of the parameters that are kept, and the names of all.
    """
    moved = transfers(model, N, rotor_constraint)
    rotors = any(len(R) == 20 for R, _ in moved)
    n = 10 * (model.NB + (model.n_rotor if rotors else 0))
    rows = _rows(model, rotors)
    null, minimal = [], []
    for i, (R, lost) in enumerate(moved):
        matrix = as_real(M[i], f"M[{i}]")
        if matrix.shape != (len(R), len(R) - R.shape[1]):
            raise ArrayShapeError(
                f"M[{i}]: want shape {(len(R), len(R) - R.shape[1])}, got {matrix.shape}"
            )
        columns, p = np.zeros((n, R.shape[1])), model.parent[i]
        columns[rows[i]] = R
        if p >= 0:
            columns[10 * p : 10 * p + 10] -= lost
        null.append(columns)
        minimal.append([rows[i][k] for k in np.flatnonzero(matrix.any(axis=1))])
    kept = np.sort(np.concatenate(minimal)).astype(int)
    return np.hstack(null), kept, parameter_names(model, rotors)


def reduced_bases(
    u: np.ndarray, Null: np.ndarray, kept: np.ndarray, names: list[str]
) -> ParameterBases:
    """Return the bases for n parameters with the given names, of which some are kept as base
    parameters.

    Null (n, d) has changes without effect on forces, in the units u (n,).
    """
    n = len(Null)
    rest = np.setdiff1d(np.arange(n), kept)
    Perp = np.zeros((n, len(kept)))
    Perp[kept] = np.eye(len(kept))
    Perp[rest] = -np.linalg.solve(Null[rest].T, Null[kept].T)
    Perp = CleanMat(Perp) * (u[kept] / u[:, None])
    sums = [_sum(names, x) for x in Perp.T]
    return ParameterBases(u[:, None] * Null, np.eye(n)[:, kept], Perp, sums)


def _rows(model: Model, rotors: bool) -> list[np.ndarray]:
    """Return, for each joint, the indices of the parameters of its link and its rotor."""
    rows, end = [], 10 * model.NB
    for i in range(model.NB):
        own = np.arange(10 * i, 10 * i + 10)
        if rotors and model.has_rotor[i]:
            own = np.append(own, np.arange(end, end + 10))
            end += 10
        rows.append(own)
    return rows


def _sum(names: list[str], weights: np.ndarray) -> str:
    """Write a weighted sum of parameters as text."""
    order = np.flatnonzero(weights)
    text = ""
    for k in order:
        size = f"{abs(weights[k]):.6g}"
        sign = " - " if weights[k] < 0 else " + "
        text += sign + (names[k] if size == "1" else f"{size} {names[k]}")
    return text.removeprefix(" + ").replace(" - ", "-", 1) if text[:3] == " - " else text[3:]

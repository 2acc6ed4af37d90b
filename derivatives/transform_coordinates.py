"""Change of coordinates in the equation of motion."""

from __future__ import annotations

from typing import Any, NamedTuple

from spatial_v2.arrays import Array, alike, column, namespace, on_first, uncolumn
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model.state import common_lead

__all__ = ["TransformedTerms", "transform_coordinates"]


@shown_in_notebooks
class TransformedTerms(NamedTuple):
    """Terms of the equation of motion in the new coordinates; None for a term not given."""

    M: Array | None
    """Inertia matrix, shape (..., m, m)."""
    C: Array | None
    """Coriolis matrix, shape (..., m, m)."""
    g: Array | None
    """Gravity force, shape (..., m)."""
    tau: Array | None
    """Generalised force, shape (..., m)."""
    Gamma: Array | None
    """Christoffel symbols in textbook order, shape (..., m, m, m)."""


def transform_coordinates(
    A: Any,
    A_dot: Any = None,
    *,
    M: Any = None,
    C: Any = None,
    g: Any = None,
    tau: Any = None,
    Gamma: Any = None,
    dA: Any = None,
) -> TransformedTerms:
    """Transform the equation of motion to new coordinates or new generalised velocities.

    Parameters
    ----------
    A : array, shape (..., NV, m)
        Derivative ``dq/dq'`` of the old coordinates with respect to the new ones: old velocities
        are A times the new ones. If m < NV, the motion is constrained.
    A_dot : array, shape (..., NV, m), optional
        Rate of A along the motion; needed for C.
    M : array, shape (..., NV, NV), optional
        Inertia matrix; needed for C and Gamma.
    C : array, shape (..., NV, NV), optional
        Coriolis matrix.
    g, tau : array, shape (..., NV), optional
        Gravity and joint forces.
    Gamma : array, shape (..., NV, NV, NV), optional
        Christoffel symbols in textbook order, ``C_ij = sum_k Gamma_ijk qd_k``.
    dA : array, shape (..., NV, m, m), optional
        ``dA[i, j, k] = dA_ij / dq'_k``; needed for Gamma.

    Returns
    -------
    TransformedTerms
        Named tuple ``M, C, g, tau, Gamma``, each with the leading axes of all arguments together.

    Raises
    ------
    ArrayShapeError
        An array whose shape does not fit A.
    SpatialError
        C without M and A_dot, or Gamma without M and dA.

    Notes
    -----
    Echeandia, Wensing, "Numerical Methods to Compute the Coriolis Matrix and Christoffel Symbols"
    (2021), (22)-(27) and Remark 5: ``M' = A^T M A``, ``C' = A^T C A + A^T M dA/dt``,
    ``g' = A^T g``, ``tau' = A^T tau``, and the symbols transform as in the proof of Theorem 1. An
    admissible Coriolis matrix remains admissible, and that of the Christoffel symbols remains that
    of the transformed symbols.

    Examples
    --------
    >>> transform_coordinates([[2.0]], M=[[3.0]]).M
    array([[12.]])
    """
    if C is not None and (M is None or A_dot is None):
        raise SpatialError(
            "transform_coordinates: C is transformed with M and A_dot: give these, too"
        )
    if Gamma is not None and (M is None or dA is None):
        raise SpatialError(
            "transform_coordinates: Gamma is transformed with M and dA: give these, too"
        )
    arrays = {"A": A, "A_dot": A_dot, "M": M, "C": C, "g": g, "tau": tau, "Gamma": Gamma, "dA": dA}
    arrays = {x: as_numbers(y, x) for x, y in arrays.items() if x == "A" or y is not None}
    x = _checked(dict(zip(arrays, alike(*arrays.values()), strict=True)))
    A = x["A"]
    At = namespace(A).matrix_transpose(A)

    def symbols() -> Array:
        """Transform the Christoffel symbols: ``A_ai A_bj A_ck Gamma_abc + A_ai M_ab dA_bjk``."""
        inner = At[..., None, :, :] @ x["Gamma"] @ A[..., None, :, :]
        inner = inner + on_first(x["M"], x["dA"])
        return on_first(At, inner)

    return TransformedTerms(
        M=None if M is None else At @ x["M"] @ A,
        C=None if C is None else At @ (x["C"] @ A + x["M"] @ x["A_dot"]),
        g=None if g is None else uncolumn(At @ column(x["g"])),
        tau=None if tau is None else uncolumn(At @ column(x["tau"])),
        Gamma=None if Gamma is None else symbols(),
    )


def _checked(x: dict[str, Array]) -> dict[str, Array]:
    """Check that all shapes fit A, and broadcast the arrays to common leading axes."""
    if x["A"].ndim < 2:
        raise ArrayShapeError(f"A: want shape (..., NV, m), got {tuple(x['A'].shape)}")
    n, m = x["A"].shape[-2:]
    cores = {
        "A": (n, m), "A_dot": (n, m), "M": (n, n), "C": (n, n), "g": (n,), "tau": (n,),
        "Gamma": (n, n, n), "dA": (n, m, m),
    }  # fmt: skip
    for name, array in x.items():
        core = cores[name]
        if tuple(array.shape[-len(core) :]) != core:
            sizes = ", ".join(map(str, core))
            raise ArrayShapeError(
                f"{name}: want shape (..., {sizes}) for A ({n}, {m}), got {tuple(array.shape)}"
            )
    lead = common_lead({name: tuple(a.shape[: a.ndim - len(cores[name])]) for name, a in x.items()})
    return {name: namespace(a).broadcast_to(a, (*lead, *cores[name])) for name, a in x.items()}

"""entropicDivergence: divergence between the inertial parameters of two bodies."""

from __future__ import annotations

from typing import Any, NamedTuple

from spatial_v2.arrays import Array, alike, constant, namespace
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.arrays.linear import inverse
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.inertia.inertiaVecToPinertia import inertiaVecToPinertia
from spatial_v2.inertia.logdetBregmanDivergence import logdetBregmanDivergence
from spatial_v2.inertia.parameters import PSEUDO_INERTIAS
from spatial_v2.inertia.positive import as_positive
from spatial_v2.inertia.pullbackMetric import pullbackMetric

__all__ = ["EntropicDivergence", "entropicDivergence"]


@shown_in_notebooks
class EntropicDivergence(NamedTuple):
    """Result of `entropicDivergence`: a divergence and its derivatives with respect to a.

    Parameters
    ----------
    f : array, shape (...)
        Divergence [-].
    g : array, shape (..., 10)
        Gradient with respect to a.
    H : array, shape (..., 10, 10)
        Hessian with respect to a.

    Examples
    --------
    >>> from spatial_v2 import entropicDivergence
    >>> a = [2, 0, 0, 0, 2, 2, 2, 0, 0, 0]
    >>> float(entropicDivergence(a, a).f)
    0.0
    """

    f: Array
    g: Array
    H: Array


def entropicDivergence(a: Any, b: Any) -> EntropicDivergence:
    """Compute -log(det P / det Q) + tr(Q^-1 P) - 4 of bodies (MATLAB ``entropicDivergence``).

    P and Q are the pseudo-inertias of the two bodies.

    P belongs to the parameters a, Q to b. The divergence is convex in a, and infinite at the
    boundary of the physically consistent parameters. As a regulariser it keeps identified
    parameters consistent and near a prior b.

    Parameters
    ----------
    a, b : array, shape (..., 10) or (..., 10, 1)
        Inertial parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Returns
    -------
    f : array, shape (...)
        Divergence of a from b [-].
    g : array, shape (..., 10)
        Gradient in a, tr(J_i (Q^-1 - P^-1)).
    H : array, shape (..., 10, 10)
        Hessian in a, `pullbackMetric`.

    Raises
    ------
    ArrayShapeError
        If `a` or `b` does not hold 10-vectors, or parameters that are not physically consistent.

    Notes
    -----
    Lee, Wensing, Park, "Geometric Robot Dynamic Identification: A Convex Programming Approach"
    (2020).

    Examples
    --------
    >>> f, g, H = entropicDivergence([2, 0, 0, 0, 2, 2, 2, 0, 0, 0], [1, 0, 0, 0, 1, 1, 1, 0, 0, 0])
    >>> float(f.round(4)), g[:4]
    (1.2274, array([0.5, 0. , 0. , 0. ]))
    """
    a, b = alike(
        as_vector(a, "entropicDivergence: a", 10), as_vector(b, "entropicDivergence: b", 10)
    )
    check_leads("entropicDivergence", a=a.shape[:-1], b=b.shape[:-1])
    P, Q = (
        as_positive(inertiaVecToPinertia(x), f"entropicDivergence: the pseudo-inertia of {name}", 4)
        for x, name in ((a, "a"), (b, "b"))
    )
    G = inverse(Q) - inverse(P)
    xp, lead = namespace(G), G.shape[:-2]
    J = constant(PSEUDO_INERTIAS.reshape(10, 16).T, G)
    g = (xp.reshape(G, (*lead, 1, 16)) @ J)[..., 0, :] / 2
    return EntropicDivergence(logdetBregmanDivergence(P, Q), g, pullbackMetric(a))

"""Branch-induced sparsity: MATLAB's folder ``sparsity``.

In the joint-space inertia matrix of a tree, entries between variables of different branches are
zero. These functions factor such matrices without filling the zeros, and multiply and solve without
reading them. Their argument ``lambda_`` is the array of parents of the velocity variables, which
`expandLambda` computes.
"""

from spatial_v2.sparsity.expandLambda import expandLambda
from spatial_v2.sparsity.LTDL import LTDL, LTDLFactors
from spatial_v2.sparsity.LTL import LTL
from spatial_v2.sparsity.mpyH import mpyH
from spatial_v2.sparsity.mpyL import mpyL
from spatial_v2.sparsity.mpyLi import mpyLi
from spatial_v2.sparsity.mpyLit import mpyLit
from spatial_v2.sparsity.mpyLt import mpyLt

__all__ = [
    "LTDL",
    "LTL",
    "LTDLFactors",
    "expandLambda",
    "mpyH",
    "mpyL",
    "mpyLi",
    "mpyLit",
    "mpyLt",
]

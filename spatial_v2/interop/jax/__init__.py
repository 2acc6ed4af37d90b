"""Dynamics as operators of JAX: kernels with exact first and second derivatives.

Each function of `OPERATORS` is here by its name, to be called as in `spatial_v2`, model first. What
a gradient with respect to a quaternion is says `spatial_v2.interop.tangent`.
"""

try:
    import jax
except ModuleNotFoundError as error:
    raise ImportError("spatial_v2.interop.jax needs JAX: pip install 'spatial-v2[jax]'") from error

from spatial_v2.interop.jax.functions import function
from spatial_v2.interop.versions import check_version

LEAST = (0, 4, 36)

check_version("jax", jax.__version__, LEAST)

CRBA = function("CRBA")
FDab = function("FDab")
HandC = function("HandC")
ID = function("ID")
Impact_dyn = function("Impact_dyn")
KKT_FD = function("KKT_FD")

__all__ = ["CRBA", "ID", "KKT_FD", "FDab", "HandC", "Impact_dyn"]

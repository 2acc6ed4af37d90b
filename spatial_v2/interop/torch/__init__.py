"""Dynamics as operators of PyTorch: kernels with exact first and second derivatives.

The functions have the names and the arguments that they have in `spatial_v2`, the model first.
`spatial_v2.interop.tangent` defines the gradient with respect to a quaternion.
"""

try:
    import torch
except ModuleNotFoundError as error:
    raise ImportError(
        "spatial_v2.interop.torch needs PyTorch: pip install 'spatial-v2[torch]'"
    ) from error

from spatial_v2.interop.torch.functions import function
from spatial_v2.interop.versions import check_version

LEAST = (2, 4)

check_version("torch", torch.__version__, LEAST)

CRBA = function("CRBA")
FDab = function("FDab")
HandC = function("HandC")
ID = function("ID")
Impact_dyn = function("Impact_dyn")
KKT_FD = function("KKT_FD")

__all__ = ["CRBA", "ID", "KKT_FD", "FDab", "HandC", "Impact_dyn"]

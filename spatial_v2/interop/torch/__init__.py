"""Dynamics as operators of PyTorch: kernels with exact derivatives.

The functions have the names and the arguments that they have in `spatial_v2`, the model first.
`spatial_v2.interop.tangent` defines the gradient with respect to a quaternion.
"""

try:
    import torch
except ModuleNotFoundError as error:
    raise ImportError("spatial_v2.interop.torch needs PyTorch: pip install '.[torch]'") from error

from spatial_v2.interop.torch.functions import function
from spatial_v2.interop.versions import check_version

LEAST = (2, 4)

check_version("torch", torch.__version__, LEAST)

CRBA = function("CRBA")
FDab = function("FDab")
FD_derivatives = function("FD_derivatives")
FrameJacobian = function("FrameJacobian")
HandC = function("HandC")
H_derivatives = function("H_derivatives")
ID = function("ID")
ID_derivatives = function("ID_derivatives")
Impact_FO_derivatives = function("Impact_FO_derivatives")
Impact_dyn = function("Impact_dyn")
KKT_FD = function("KKT_FD")
KKT_FO_derivatives = function("KKT_FO_derivatives")
RegressorClassical = function("RegressorClassical")
frame_derivatives = function("frame_derivatives")
modFD_derivatives = function("modFD_derivatives")
modFD_second_derivatives = function("modFD_second_derivatives")
modID_derivatives = function("modID_derivatives")
modID_second_derivatives = function("modID_second_derivatives")

__all__ = [
    "CRBA",
    "ID",
    "KKT_FD",
    "FD_derivatives",
    "FDab",
    "FrameJacobian",
    "H_derivatives",
    "HandC",
    "ID_derivatives",
    "Impact_FO_derivatives",
    "Impact_dyn",
    "KKT_FO_derivatives",
    "RegressorClassical",
    "frame_derivatives",
    "modFD_derivatives",
    "modFD_second_derivatives",
    "modID_derivatives",
    "modID_second_derivatives",
]

"""First and second derivatives of rigid-body dynamics, on the model struct of spatial_v2."""

from derivatives.AZA import AZA
from derivatives.FD_derivatives import FD_derivatives, FDDerivatives
from derivatives.FD_SO_derivatives import FD_SO_derivatives, FDSODerivatives
from derivatives.ID_derivatives import ID_derivatives, IDDerivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives, IDSODerivatives
from derivatives.IDFOZA import IDFOZA
from derivatives.modFD import modFD
from derivatives.modFD_derivatives import modFD_derivatives, ModFDDerivatives
from derivatives.modFD_second_derivatives import modFD_second_derivatives, ModFDSecondDerivatives
from derivatives.modID import modID
from derivatives.modID_derivatives import modID_derivatives, ModIDDerivatives
from derivatives.modID_derivatives_simple import modID_derivatives_simple
from derivatives.modID_second_derivatives import modID_second_derivatives, ModIDSecondDerivatives

__all__ = [
    "AZA",
    "FDDerivatives",
    "FDSODerivatives",
    "FD_SO_derivatives",
    "FD_derivatives",
    "IDDerivatives",
    "IDFOZA",
    "IDSODerivatives",
    "ID_SO_derivatives",
    "ID_derivatives",
    "ModFDDerivatives",
    "ModFDSecondDerivatives",
    "ModIDDerivatives",
    "ModIDSecondDerivatives",
    "modFD",
    "modFD_derivatives",
    "modFD_second_derivatives",
    "modID",
    "modID_derivatives",
    "modID_derivatives_simple",
    "modID_second_derivatives",
]

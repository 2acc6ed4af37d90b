"""First and second derivatives of rigid-body dynamics, on the model struct of spatial_v2."""

from derivatives.ID_derivatives import ID_derivatives, IDDerivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives, IDSODerivatives

__all__ = ["IDDerivatives", "IDSODerivatives", "ID_SO_derivatives", "ID_derivatives"]

"""First and second derivatives of rigid-body dynamics, on the model struct of spatial_v2."""

from derivatives.AZA import AZA
from derivatives.body_motion_derivatives import BodyMotionDerivatives, body_motion_derivatives
from derivatives.Christoffel import Christoffel
from derivatives.CoriolisMatrix import CoriolisMatrix, CoriolisTerms
from derivatives.dMinv_dq import dMinv_dq
from derivatives.factorizations import (
    is_admissible_factorization,
    is_christoffel_consistent,
    is_valid_factorization,
)
from derivatives.FD_derivatives import FD_derivatives, FDDerivatives
from derivatives.FD_SO_derivatives import FD_SO_derivatives, FDSODerivatives
from derivatives.H_derivatives import H_derivatives
from derivatives.ID_derivatives import ID_derivatives, IDDerivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives, IDSODerivatives
from derivatives.IDFOZA import IDFOZA
from derivatives.modFD import modFD
from derivatives.modFD_derivatives import ModFDDerivatives, modFD_derivatives
from derivatives.modFD_second_derivatives import ModFDSecondDerivatives, modFD_second_derivatives
from derivatives.modID import modID
from derivatives.modID_derivatives import ModIDDerivatives, modID_derivatives
from derivatives.modID_derivatives_simple import modID_derivatives_simple
from derivatives.modID_second_derivatives import ModIDSecondDerivatives, modID_second_derivatives
from derivatives.Regressor_HqdandCTqd_derivatives import (
    Regressor_HqdandCTqd_derivatives,
    RegressorHqdandCTqdDerivatives,
)
from derivatives.RegressorClassical_derivatives import (
    RegressorClassical_derivatives,
    RegressorClassicalDerivatives,
)
from derivatives.RegressorEnergy_derivatives import (
    RegressorEnergy_derivatives,
    RegressorEnergyDerivatives,
)
from derivatives.RegressorHandG_derivatives import (
    RegressorHandG_derivatives,
    RegressorHandGDerivatives,
)
from derivatives.RegressorMomentum_derivatives import (
    RegressorMomentum_derivatives,
    RegressorMomentumDerivatives,
)
from derivatives.RegressorSL_derivatives import RegressorSL_derivatives, RegressorSLDerivatives
from derivatives.SO_pattern import IDSOPattern, SO_pattern
from derivatives.spatial_force_derivatives import SpatialForceDerivatives, spatial_force_derivatives
from derivatives.spatial_force_SO_derivs import SpatialForceSODerivatives, spatial_force_SO_derivs
from derivatives.spherical_zyx import (
    S_ring,
    dSm_dq,
    dSTf_dq,
    s_ring_v_deriv,
    sphericalZYXSubspace,
)
from derivatives.StructureConstants import StructureConstants, StructureConstantsResult
from derivatives.symmetrize import symmetrize
from derivatives.transform_coordinates import TransformedTerms, transform_coordinates

__all__ = [
    "AZA",
    "IDFOZA",
    "BodyMotionDerivatives",
    "Christoffel",
    "CoriolisMatrix",
    "CoriolisTerms",
    "FDDerivatives",
    "FDSODerivatives",
    "FD_SO_derivatives",
    "FD_derivatives",
    "H_derivatives",
    "IDDerivatives",
    "IDSODerivatives",
    "IDSOPattern",
    "ID_SO_derivatives",
    "ID_derivatives",
    "ModFDDerivatives",
    "ModFDSecondDerivatives",
    "ModIDDerivatives",
    "ModIDSecondDerivatives",
    "RegressorClassicalDerivatives",
    "RegressorClassical_derivatives",
    "RegressorEnergyDerivatives",
    "RegressorEnergy_derivatives",
    "RegressorHandGDerivatives",
    "RegressorHandG_derivatives",
    "RegressorHqdandCTqdDerivatives",
    "RegressorMomentumDerivatives",
    "RegressorMomentum_derivatives",
    "RegressorSLDerivatives",
    "RegressorSL_derivatives",
    "Regressor_HqdandCTqd_derivatives",
    "SO_pattern",
    "S_ring",
    "SpatialForceDerivatives",
    "SpatialForceSODerivatives",
    "StructureConstants",
    "StructureConstantsResult",
    "TransformedTerms",
    "body_motion_derivatives",
    "dMinv_dq",
    "dSTf_dq",
    "dSm_dq",
    "is_admissible_factorization",
    "is_christoffel_consistent",
    "is_valid_factorization",
    "modFD",
    "modFD_derivatives",
    "modFD_second_derivatives",
    "modID",
    "modID_derivatives",
    "modID_derivatives_simple",
    "modID_second_derivatives",
    "s_ring_v_deriv",
    "spatial_force_SO_derivs",
    "spatial_force_derivatives",
    "sphericalZYXSubspace",
    "symmetrize",
    "transform_coordinates",
]

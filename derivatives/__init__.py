"""First and second derivatives of rigid-body dynamics, for the models of spatial_v2."""

from derivatives.AZA import AZA
from derivatives.body_motion_derivatives import BodyMotionDerivatives, body_motion_derivatives
from derivatives.Christoffel import Christoffel
from derivatives.CoriolisMatrix import CoriolisMatrix, CoriolisTerms
from derivatives.dMinv_dq import dMinv_dq
from derivatives.EIDAmb_derivatives import EIDAmb_derivatives, EIDAmbDerivatives
from derivatives.factorizations import (
    is_admissible_factorization,
    is_christoffel_consistent,
    is_valid_factorization,
)
from derivatives.FD_derivatives import FD_derivatives, FDDerivatives
from derivatives.FD_SO_derivatives import FD_SO_derivatives, FDSODerivatives
from derivatives.frame_derivatives import FrameDerivatives, frame_derivatives
from derivatives.frame_SO_derivatives import FrameSODerivatives, frame_SO_derivatives
from derivatives.H_derivatives import H_derivatives
from derivatives.ID_derivatives import ID_derivatives, IDDerivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives, IDSODerivatives
from derivatives.IDFOZA import IDFOZA
from derivatives.Impact_FO_derivatives import Impact_FO_derivatives, ImpactDerivatives
from derivatives.Impact_SO_derivatives import Impact_SO_derivatives, ImpactSODerivatives
from derivatives.KKT_FD_directional_derivative import (
    KKT_FD_directional_derivative,
    KKTDirectionalDerivative,
)
from derivatives.KKT_FO_derivatives import KKT_FO_derivatives, KKTDerivatives
from derivatives.KKT_ID_derivatives import KKT_ID_derivatives, KKTIDDerivatives
from derivatives.KKT_ID_SO_derivatives import KKT_ID_SO_derivatives, KKTIDSODerivatives
from derivatives.KKT_SO_derivatives import KKT_SO_derivatives, KKTSODerivatives
from derivatives.linearize import Linearization, linearize
from derivatives.modFD import modFD
from derivatives.modFD_derivatives import ModFDDerivatives, modFD_derivatives
from derivatives.modFD_second_derivatives import ModFDSecondDerivatives, modFD_second_derivatives
from derivatives.modFrame_second_derivatives import (
    ModFrameSecondDerivatives,
    modFrame_second_derivatives,
)
from derivatives.modID import modID
from derivatives.modID_derivatives import ModIDDerivatives, modID_derivatives
from derivatives.modID_derivatives_simple import modID_derivatives_simple
from derivatives.modID_second_derivatives import ModIDSecondDerivatives, modID_second_derivatives
from derivatives.modKKT_second_derivatives import (
    ModKKTSecondDerivatives,
    modKKT_second_derivatives,
)
from derivatives.reduced import ReducedLinearization
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
from derivatives.spatial_force_SO_derivatives import (
    SpatialForceSODerivatives,
    spatial_force_SO_derivatives,
    spatial_force_SO_derivs,
)
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
from derivatives.VelocityRepresentation import VelocityRepresentation

__all__ = [
    "AZA",
    "IDFOZA",
    "BodyMotionDerivatives",
    "Christoffel",
    "CoriolisMatrix",
    "CoriolisTerms",
    "EIDAmbDerivatives",
    "EIDAmb_derivatives",
    "FDDerivatives",
    "FDSODerivatives",
    "FD_SO_derivatives",
    "FD_derivatives",
    "FrameDerivatives",
    "FrameSODerivatives",
    "H_derivatives",
    "IDDerivatives",
    "IDSODerivatives",
    "IDSOPattern",
    "ID_SO_derivatives",
    "ID_derivatives",
    "ImpactDerivatives",
    "ImpactSODerivatives",
    "Impact_FO_derivatives",
    "Impact_SO_derivatives",
    "KKTDerivatives",
    "KKTDirectionalDerivative",
    "KKTIDDerivatives",
    "KKTIDSODerivatives",
    "KKTSODerivatives",
    "KKT_FD_directional_derivative",
    "KKT_FO_derivatives",
    "KKT_ID_SO_derivatives",
    "KKT_ID_derivatives",
    "KKT_SO_derivatives",
    "Linearization",
    "ModFDDerivatives",
    "ModFDSecondDerivatives",
    "ModFrameSecondDerivatives",
    "ModIDDerivatives",
    "ModIDSecondDerivatives",
    "ModKKTSecondDerivatives",
    "ReducedLinearization",
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
    "VelocityRepresentation",
    "body_motion_derivatives",
    "dMinv_dq",
    "dSTf_dq",
    "dSm_dq",
    "frame_SO_derivatives",
    "frame_derivatives",
    "is_admissible_factorization",
    "is_christoffel_consistent",
    "is_valid_factorization",
    "linearize",
    "modFD",
    "modFD_derivatives",
    "modFD_second_derivatives",
    "modFrame_second_derivatives",
    "modID",
    "modID_derivatives",
    "modID_derivatives_simple",
    "modID_second_derivatives",
    "modKKT_second_derivatives",
    "s_ring_v_deriv",
    "spatial_force_SO_derivatives",
    "spatial_force_SO_derivs",
    "spatial_force_derivatives",
    "sphericalZYXSubspace",
    "symmetrize",
    "transform_coordinates",
]

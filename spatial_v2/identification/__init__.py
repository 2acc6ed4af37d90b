"""Identification: identifiable inertial parameters, and their estimation.

MATLAB's folder ``identifiability``, `excitation_trajectory` and `identify`.
"""

from spatial_v2.identification.CleanMat import CleanMat
from spatial_v2.identification.ComputeBases import ComputeBases, ParameterBases
from spatial_v2.identification.ComputeSampledRegressor import ComputeSampledRegressor
from spatial_v2.identification.excitation_trajectory import Excitation, excitation_trajectory
from spatial_v2.identification.identify import Identification, identify
from spatial_v2.identification.identify_payload import Payload, identify_payload
from spatial_v2.identification.IsIdentifiable import IsIdentifiable
from spatial_v2.identification.IsUnidentifiable import IsUnidentifiable
from spatial_v2.identification.nullspace import ParameterNullspace
from spatial_v2.identification.Output_InnerProduct import Output_InnerProduct
from spatial_v2.identification.OutputMatrix import OutputMatrix
from spatial_v2.identification.PrintParameterSummary import PrintParameterSummary
from spatial_v2.identification.RangeBasis import RangeBasis
from spatial_v2.identification.Rate_Parameters import Rate_Parameters
from spatial_v2.identification.RPNA import RPNA
from spatial_v2.identification.RPNA_rotor import RPNA_rotor
from spatial_v2.identification.SwitchedControllabilityMatrix import SwitchedControllabilityMatrix
from spatial_v2.identification.SwitchedObservabilityMatrix import SwitchedObservabilityMatrix
from spatial_v2.identification.symmetric_rotor import symmetric_rotor
from spatial_v2.identification.Transform_Parameters import Transform_Parameters
from spatial_v2.identification.UnitVectorComplementarySubspace import (
    UnitVectorComplementarySubspace,
)

__all__ = [
    "RPNA",
    "CleanMat",
    "ComputeBases",
    "ComputeSampledRegressor",
    "Excitation",
    "Identification",
    "IsIdentifiable",
    "IsUnidentifiable",
    "OutputMatrix",
    "Output_InnerProduct",
    "ParameterBases",
    "ParameterNullspace",
    "Payload",
    "PrintParameterSummary",
    "RPNA_rotor",
    "RangeBasis",
    "Rate_Parameters",
    "SwitchedControllabilityMatrix",
    "SwitchedObservabilityMatrix",
    "Transform_Parameters",
    "UnitVectorComplementarySubspace",
    "excitation_trajectory",
    "identify",
    "identify_payload",
    "symmetric_rotor",
]

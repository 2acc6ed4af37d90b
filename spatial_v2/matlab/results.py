"""Kinds of the results of MATLAB's functions: the letters are those of `spatial_v2.migrate.kinds`.

s is a number, i an integer, b a truth value, c a column, r a row, m a matrix, t an array of three
axes, L, T, C and I cells of matrices, such arrays, columns and rows; o a model, S a struct, x text.
"""

from __future__ import annotations

__all__ = ["BY_SHAPE", "FIELDS", "LIBRARY"]

_LIBRARY = """
rx ry rz rq rotx roty rotz xlt pluho crf icrf cmf_bar AdjointToSE3 SE3toAdjoint: m
factorFunctions vecTose3 inertiaVecToMat inertiaVecToPinertia inertiaMatToPinertia: m
rpyToRot quatToRot angleAxisToRot cayleyToRot mrpToRot Rx Ry Rz quatL quatR: m
quatRateRight quatRateLeft angleAxisRateRight angleAxisRateLeft cayleyRateRight: m
cayleyRateLeft mrpRateRight mrpRateLeft rightJacobianOfExp pullbackMetric: m
randomRotation randomSE3 randomAdSE3 random_se3 randomSkew randomSymmetric: m
randomPositiveDefinite randomPinertia randomInertia BodyJacobian: m
BodyJacobianTimeDerivative CMMTimeDerivative CMM_from_CRBA CRBA Hinverse H_inverse: m
individualRegressor complexStepJacobian finiteDiffJacobian Output_InnerProduct: m
CleanMat quatToSU2: m
rqd inv_skew crmExtract se3toVec XtoV inertiaMatToVec pinertiaToVec get_gravity: c
rotToQuat rotToAngleAxis rotToCayley rotToMRP rotToRpy quatToAngleAxis quatToRpy: c
quatToCayley quatToMRP angleAxisToQuat angleAxisToRpy angleAxisToCayley: c
angleAxisToMRP rpyToQuat rpyToAngleAxis rpyToCayley rpyToMRP cayleyToQuat: c
cayleyToAngleAxis cayleyToRpy cayleyToMRP mrpToQuat mrpToAngleAxis mrpToRpy: c
mrpToCayley quatProduct quatConj SU2toQuat cayleyProduct mrpProduct mrpShadow: c
randomQuat randomInertialParams FDab FDcrb FDgq ID_SlotineLi: c
configurationAddition configurationRates normalizeConfVec: c
modID_derivatives_simple unitVector finiteDiff: c
modID modFD logdetBregmanDivergence affineInvariantDistance: s
isEqual isEqualModSign: b
ID: c S
HandC: m c S
HD: c c
FDfb IDfb: c c
jinfo: i i
jcalc: m m
EnerMo: S
CoriolisMatrix: m m m
Hqd_and_CTqd HamiltonianDynamics: c c
CMM: m c
ID_derivatives: m m
FD_derivatives: m m m
H_derivatives: t
Christoffel: t
StructureConstants: t t
modID_derivatives: c c
modFD_derivatives: c c c
ID_SO_derivatives FD_SO_derivatives modID_second_derivatives: S
modFD_second_derivatives: m m m m m m m
RegressorClassical RegressorSL: m m
RegressorHandG Regressor_HqdandCTqd: m m m m
getModelInertialParams: c c
entropicDivergence: s c m
angleAxisToAngleAndAxis: s c
rotToEulerAngles rotToFixedAngles: c c
autoTree autoTree_rotor planar doubleElbow floatbase singlebody scissor vee: o
rollingdisc gfxExample Puma560_model Panda_model Scara_model TX40_model: o
CheetahLeg_model Test_model URDF_to_spatialv2_model postProcessModel: o
LTL: m
LTDL: m m
expandLambda: r
mpyH mpyL mpyLt mpyLi mpyLit: c
Xpt Fpt Vpt fbanim: m
Rate_Parameters: m
Transform_Parameters: m
apply_external_forces: C
confVecToCell: C C C
tensorRotR tensorRotT: t
rotR complexStepJacobian_MFO: t
tens_norm: s
Bmat sphericalZYXSubspace S_ring dSm_dq dSTf_dq s_ring_v_deriv hess_to_mat: m
hess_to_mat2 Output_InnerProduct_rotor: m
spatial_force_derivatives: m m m m m m m m m
spatial_force_SO_derivs: S
GlobalDynamics: S S
gcontact: m m m
gcPosVel: m
gcFD: c
RangeBasis: m s
OutputMatrix UnitVectorComplementarySubspace SwitchedControllabilityMatrix: m
SwitchedObservabilityMatrix: m
"""
LIBRARY = {
    name: tuple(letters.split())
    for line in _LIBRARY.strip().split("\n")
    for names, letters in [line.split(":")]
    for name in names.split()
}
"""Functions of the MATLAB libraries, with letters for the kinds of their results.
"""
FIELDS = {
    "ID": "Xup:L v:C h:C a:C f:C tau:c f0:c",
    "HandC": "IC:L fvp:C avp:C Xup:L v:C",
    "EnerMo": "KE:s PE:s htot:c Itot:m mass:s cm:c vcm:c",
    "ID_SO_derivatives": "d2tau_dq:t d2tau_dqd:t d2tau_cross:t dM_dq:t d2tau_dv:t d2tau_dqv:t",
    "FD_SO_derivatives": "d2FD_dq:t d2FD_dv:t d2FD_dqv:t d2FD_dtauq:t",
    "GlobalDynamics": "S:L Sd:L psid:L psidd:L vJxS:L OXi:L iXO:L I:L IC:L B:L BC:L v:C vJ:C a:C "
    "f:C fC:C gamma:C xi:C Ia:C Iv:C Im:C If:C",
    "spatial_force_SO_derivs": "d2fc_dq:T d2fc_dv:T d2fc_daq:T d2fc_dqa:T d2fc_dvq:T d2fc_dq_b:T "
    "d2fc_dv_b:T d2fc_daq_b:T d2fc_dvq_b:T",
    "modID_second_derivatives": "dtau_dq:m dtau_dv:m dmod_dq:c dmod_dv:c dmod_dqq:m dmod_dvv:m "
    "dmod_dqv:m",
}
"""Function that returns a struct -> the fields of the struct, each with the letter for its kind."""
BY_SHAPE = ("skew", "rv", "rq", "crm")
"""Functions of a vector or a matrix, whose results are other than each other's."""

"""Tables of the functions of MATLAB and its libraries: their translations, and the kinds of their
results.
"""

from __future__ import annotations

__all__ = [
    "CONJUGATED",
    "ELEMENTWISE",
    "FIELDS",
    "LIBRARY",
    "NOTED",
    "PLAIN",
    "PLOTS",
    "RANDOM",
    "REDUCTIONS",
    "SAME",
    "SKIPPED",
]

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
"""Functions of the MATLAB libraries, with letters for the kinds of their results; see `kinds.kind`.
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
RANDOM = {name for name in LIBRARY if name.startswith("random")}
SAME = {"ID", "HandC", "CMM", "Christoffel"}
"""Functions of `spatial_v2.matlab` that differ from those of `spatial_v2` only in optional
results.
"""

NOTED = {
    "rv": "",
    "rotToRpy": "",
    "quatToRpy": "",
    "angleAxisToRpy": "",
    "cayleyToRpy": "",
    "mrpToRpy": "",
    "Impact_dyn": "",
    "Impact_FO_derivatives": "",
    "spatial_force_SO_derivs": "",
    "bodyFrame_dyn": "",
    "GlobalDynamics": "",
    "TX40_model": "",
    "CheetahLeg_model": "",
    "svd": "the signs of singular vectors are those of LAPACK on this machine",
    "null": "the signs of the basis are those of LAPACK on this machine",
    "orth": "the signs of the basis are those of LAPACK on this machine",
    "eig": "the signs of eigenvectors are those of LAPACK on this machine",
    "RangeBasis": "another basis of the same space; c is the condition number of this call alone",
    "OutputMatrix": "another basis of the same space",
    "UnitVectorComplementarySubspace": "another basis of the same space",
    "SwitchedControllabilityMatrix": "another basis of the same space",
    "SwitchedObservabilityMatrix": "another basis of the same space",
    "rotToQuat": "real where rounding makes MATLAB's complex",
}
"""Function whose values may differ from MATLAB's -> the difference; "" if parity.toml states it."""

_NUMPYS = "sin cos tan exp sinh cosh tanh floor ceil sign isnan isinf"
ELEMENTWISE = {
    **{n: f"np.{n}" for n in _NUMPYS.split()},
    "asin": "asin",
    "acos": "acos",
    "log": "np.emath.log",
    "atan": "np.arctan",
    "asinh": "np.arcsinh",
    "log10": "np.emath.log10",
    "abs": "np.abs",
    "log2": "np.emath.log2",
    "sqrt": "np.emath.sqrt",
    "fix": "np.trunc",
    "real": "np.real",
    "imag": "np.imag",
    "conj": "np.conj",
    "angle": "np.angle",
    "sinc": "np.sinc",
    "expm1": "np.expm1",
    "log1p": "np.log1p",
    "isfinite": "np.isfinite",
    "deg2rad": "np.deg2rad",
    "rad2deg": "np.rad2deg",
    "cosd": "",
    "gamma": "",
}
"""Function that is applied to each entry -> its name in Python; "" for those not translated."""
REDUCTIONS = {
    "sum": "np.sum",
    "prod": "np.prod",
    "mean": "np.mean",
    "any": "np.any",
    "all": "np.all",
    "max": "np.nanmax",
    "min": "np.nanmin",
    "cumsum": "np.cumsum",
    "cumprod": "np.cumprod",
    "median": "np.median",
}
"""Function along the only axis of a vector, or the first axis of a matrix -> its name in
Python.
"""
PLAIN = {
    "inv": ("m", "np.linalg.inv({0})", "m"),
    "det": ("m", "np.linalg.det({0})", "s"),
    "trace": ("m", "np.trace({0})", "s"),
    "pinv": ("m", "np.linalg.pinv({0})", "m"),
    "expm": ("m", "expm({0})", "m"),
    "logm": ("m", "logm({0})", "m"),
    "sqrtm": ("m", "sqrtm({0})", "m"),
    "kron": ("mm", "np.kron({0}, {1})", "m"),
    "rank": ("m", "int(np.linalg.matrix_rank({0}))", "i"),
    "chol": ("m", "np.linalg.cholesky({0}).T", "m"),
    "svd": ("m", "np.linalg.svd({0}, compute_uv=False)", "c"),
    "cond": ("m", "np.linalg.cond({0})", "s"),
    "triu": ("m", "np.triu({0})", "="),
    "tril": ("m", "np.tril({0})", "="),
    "dot": ("vv", "{0:16} @ {1:17}", "s"),
    "fliplr": ("r", "{0:19}[::-1]", "="),
    "flipud": ("c", "{0:19}[::-1]", "="),
    "diff": ("v", "np.diff({0})", "="),
    "sort": ("v", "np.sort({0})", "="),
    "atan2": ("ss", "np.arctan2({0}, {1})", "s"),
    "hypot": ("ss", "np.hypot({0}, {1})", "s"),
    "strcmp": ("xx", "{0:11} == {1:11}", "b"),
    "upper": ("x", "{0:19}.upper()", "x"),
    "lower": ("x", "{0:19}.lower()", "x"),
    "strtrim": ("x", "{0:19}.strip()", "x"),
    "toc": ("", "", ""),
    "linspace": ("sss", "np.linspace({0}, {1}, int({2}))", "r"),
    "numfields": ("", "", ""),
    "polyfit": ("vvs", "np.polyfit({0}, {1}, int({2}))", "r"),
    "polyval": ("va", "np.polyval({0}, {1})", "=1"),
    "trapz": ("vv", "np.trapezoid({1}, {0})", "s"),
    "factorial": ("i", "math.factorial({0})", "i"),
    "fieldnames": ("S", "list(vars({0}))", "X"),
}
"""Other function -> letters for the kinds of its arguments, Python code (``{0}`` is the first
argument), letter for the kind of the result; "=" stands for the kind of the argument.
"""
CONJUGATED = {
    "chol": "np.linalg.cholesky({0}).conj().T",
    "dot": "np.vdot({0}, {1})",
}
"""Functions of `PLAIN` with other Python code where numbers may be complex."""
PLOTS = {
    "figure",
    "plot",
    "xlabel",
    "ylabel",
    "title",
    "legend",
    "grid",
    "subplot",
    "axis",
    "semilogy",
    "semilogx",
    "loglog",
    "xlim",
    "ylim",
    "bar",
    "hist",
    "drawnow",
    "close",
    "colorbar",
    "plot3",
    "hold",
    "clf",
    "box",
    "print",
    "showmotion",
    *("zlabel", "zlim", "sgtitle", "stem", "stairs", "scatter", "line", "text", "gca", "gcf"),
}
SKIPPED = {
    "clc",
    "clear",
    "hold",
    "startup",
    "addpath",
    "more",
    "format",
    "warning",
    "pkg",
    "drawnow",
    "clearvars",
    "genpath",
    "set",
    "rng",
    "box",
    "diary",
    "import",
    "profile",
    "keyboard",
}
"""Commands that Python does not need."""

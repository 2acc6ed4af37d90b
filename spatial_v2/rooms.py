"""Which room has which public name, so that a room is opened when one of its names is asked for.

A room says itself what it offers, in its ``__all__``; a test compares the two.
"""

from __future__ import annotations

__all__ = ["ALIASES", "HOMES", "ROOMS"]

ROOMS = {
    "calls.options": "Options get_workers set_workers",
    "configuration": """
        confVecToCell configurationAddition configurationDifference configurationRates neutral
        normalizeConfVec random_configuration
    """,
    "constraints": """
        ActuationForces ConstrainedAcceleration ConstraintDerivatives ConstraintSecondDerivatives
        ConstraintSet FrameConstraint Impact Impact_dyn KKT_FD KKT_ID PointConstraint
        ProjectedConfiguration actuation_forces ball_loop constraint_bias constraint_derivatives
        constraint_jacobian constraint_second_derivatives constraint_velocity hinge_loop
        point_contact position_error project_configuration project_velocity surface_contact weld
    """,
    "contact": "ContactForces Ground PointMotion gcFD gcPosVel gcontact",
    "dynamics": """
        BodyFrame BodyJacobian BodyJacobianTimeDerivative BodyMotion CMM CMMTimeDerivative
        CMM_from_CRBA CRBA EIDAmb EnerMo EnergyMomentum FDab FDcrb FDfb FDfbResult FDgq
        Factorization FloatingBaseJoints FloatingBaseRates FloatingBaseState GeneralisedMomentum
        GlobalDynamics GlobalDynamicsInfo GroundFrame GroundKinematics HD HDResult
        HamiltonianDynamics HamiltonianRates HandC HandCInfo HandCResult Hinverse Hqd_and_CTqd ID
        IDInfo ID_SlotineLi IDfb IDfbResult IMMAmb apply_external_forces bodyFrame_dyn fbanim fbkin
        floating_base_joints floating_base_state forward_kinematics get_gravity ground_kinematics
        weightless
    """,
    "exceptions": """
        ArrayShapeError ConvergenceWarning ExcitationWarning InertiaWarning JointTypeError
        ModelError ModelFileError SpatialError
    """,
    "frames": """
        FrameJacobian FrameJacobianTimeDerivative InverseKinematics frame_acceleration
        frame_velocity inverse_kinematics
    """,
    "identification": """
        CleanMat ComputeBases ComputeSampledRegressor Identification IsIdentifiable IsUnidentifiable
        OutputMatrix Output_InnerProduct ParameterBases ParameterNullspace PrintParameterSummary
        RPNA RPNA_rotor RangeBasis Rate_Parameters SwitchedControllabilityMatrix
        SwitchedObservabilityMatrix Transform_Parameters UnitVectorComplementarySubspace identify
        symmetric_rotor
    """,
    "inertia": """
        EntropicDivergence INERTIAL_PARAMETERS ModelInertialParams affineInvariantDistance
        entropicDivergence getModelInertialParams inertiaMatToPinertia inertiaMatToVec
        inertiaVecToMat inertiaVecToPinertia inertiaVecToPinocchio inertiaVecToURDF
        logdetBregmanDivergence pinertiaToVec pinocchioToInertiaVec pullbackMetric
        setModelInertialParams urdfToInertiaVec
    """,
    "io": """
        Frame JointLimits Mimic example_robots load_mjcf load_model load_sdf load_urdf model_names
        read_matlab to_urdf write_matlab
    """,
    "joints": "JOINT_TYPES JointType JointTypeLike jcalc jinfo joint_type",
    "model": "Model",
    "models": """
        CheetahLeg_model MiniCheetah Panda_model Puma560_model Scara_model TX40_model Test_model
        autoTree autoTree_rotor build_quadruped_model doubleElbow floatbase free_base
        get_miniCheetah_params gfxExample planar puma560 rollingdisc scissor singlebody vee
    """,
    "orientation": """
        AngleAndAxis EulerAngles Rx Ry Rz SU2toQuat angleAxisRateLeft angleAxisRateRight
        angleAxisToAngleAndAxis angleAxisToCayley angleAxisToMRP angleAxisToQuat angleAxisToRot
        angleAxisToRpy cayleyProduct cayleyRateLeft cayleyRateRight cayleyToAngleAxis cayleyToMRP
        cayleyToQuat cayleyToRot cayleyToRpy isEqualModSign mrpProduct mrpRateLeft mrpRateRight
        mrpShadow mrpToAngleAxis mrpToCayley mrpToQuat mrpToRot mrpToRpy quatConj quatL quatProduct
        quatR quatRateLeft quatRateRight quatToAngleAxis quatToCayley quatToMRP quatToRot quatToRpy
        quatToSU2 rotToAngleAxis rotToCayley rotToEulerAngles rotToFixedAngles rotToMRP rotToQuat
        rotToRpy rpyToAngleAxis rpyToCayley rpyToMRP rpyToQuat rpyToRot
    """,
    "packed": "PackedTensor TensorPattern keep_memory",
    "regressors": """
        EnergyRegressor HandGRegressor HqdandCTqdRegressor MomentumRegressor Regressor
        RegressorClassical RegressorEnergy RegressorHandG RegressorMomentum RegressorSL
        Regressor_HqdandCTqd individualRegressor
    """,
    "show": "Animation show showmotion",
    "simulation": "EnergyReport Simulation simulate",
    "sparsity": "LTDL LTDLFactors LTL expandLambda mpyH mpyL mpyLi mpyLit mpyLt",
    "spatial": """
        AdjointToSE3 Fpt InertiaParts PlanarTransformParts SE3toAdjoint TransformParts Vpt Xpt XtoV
        crf crm crmExtract factorFunctions homogeneous_to_transform icrf inertia_from inertia_parts
        mcI motion_cross_matrix planar_transform_from planar_transform_parts plnr pluho plux rotx
        roty rotz transform_from transform_parts transform_to_homogeneous xlt
    """,
    "three_d": """
        cross_matrix inv_skew quaternion_rate_body quaternion_rate_reference quaternion_to_rotation
        rotation_to_quaternion rotation_to_rotation_vector rotation_vector_to_rotation rq rqd rv rx
        ry rz se3toVec skew vecTose3
    """,
    "utility": """
        randomAdSE3 randomInertia randomInertialParams randomPinertia randomPositiveDefinite
        randomQuat randomRotation randomSE3 randomSkew randomSymmetric random_se3 rightJacobianOfExp
        symbolicCartesian symbolicForce symbolicInertia symbolicInertialParams symbolicStruct
        symbolicVelocity
    """,
}
"""The public names of each room, separated by spaces."""

HOMES = {name: room for room, names in ROOMS.items() for name in names.split()}
"""The room of each public name."""

ALIASES = {"ABA": "FDab", "RNEA": "ID"}
"""Textbook names of functions that are here by their MATLAB names."""

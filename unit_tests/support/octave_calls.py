"""The calls of functions of the MATLAB library that `test_octave_library` compares with this
library.
"""

from collections.abc import Callable, Iterator

import numpy as np
import zoo
from octave_library import Call
from octave_models import (
    ARMS,
    BASES,
    DISC,
    GEARED,
    MODELS,
    MOTORS,
    PLANAR,
    RNG,
    TREES,
    forces,
    vectors,
)
from octave_not_called import RANDOM

import spatial_v2 as sv
from spatial_v2 import Model


def _spatial() -> Iterator[Call]:
    """Yield calls of the functions in MATLAB's folders 3D and spatial."""
    empty = np.eye(6)
    for _ in range(4):
        t, (r, w, _), q = float(RNG.normal()), vectors(3), RNG.normal(size=4)
        E, v, f = sv.rq(q), RNG.normal(size=6), RNG.normal(size=6)
        X, I = zoo.random_transform(RNG), zoo.random_inertia(RNG)
        X2, I2 = zoo.random_transform(RNG, 3), zoo.random_inertia(RNG, 3)
        A, m = RNG.normal(size=(3, 3)), 1.7
        for name in ("rx", "ry", "rz", "rotx", "roty", "rotz", "Rx", "Ry", "Rz"):
            yield Call(name, (t,))
        for name in ("skew", "rv", "xlt"):
            yield Call(name, (w,))
        yield from (Call("skew", (A,)), Call("inv_skew", (A,)), Call("rv", (E,)))
        yield from (Call("rq", (q,)), Call("rq", (E,)), Call("rqd", (w, q)), Call("rqd", (q, w)))
        T = sv.pluho(X)
        yield from (Call("vecTose3", (v,)), Call("se3toVec", (sv.vecTose3(v),)))
        yield from (Call("plux", (E, r)), Call("plux", (X,), 2), Call("plux", (X2,), 2))
        yield from (Call("plux", (sv.plnr(t, [0, 0])[1:, 1:], r[:2])), Call("plnr", (t, r[:2])))
        yield from (Call("plnr", (X2,), 2), Call("pluho", (X,)), Call("pluho", (T,)))
        yield from (Call("crm", (v,)), Call("crm", (w,)), Call("crm", (sv.crm(v),)))
        yield from (Call("crf", (v,)), Call("crf", (w,)), Call("icrf", (f,)))
        yield Call("crmExtract", (RNG.normal(size=(6, 6)),))
        yield from (Call("mcI", (m, r, A @ A.T)), Call("mcI", (m, r[:2], 0.3)))
        yield from (Call("mcI", (I,), 3), Call("mcI", (I2,), 3))
        yield from (Call("XtoV", (X,)), Call("XtoV", (X2,)))
        many, flat = RNG.normal(size=(3, 5)), RNG.normal(size=(2, 5))
        yield from (Call("Xpt", (X, many)), Call("Xpt", (X, r)), Call("Xpt", (X2, flat)))
        yield from (Call("Vpt", (v, many)), Call("Vpt", (RNG.normal(size=(6, 5)), many)))
        yield from (Call("Vpt", (w, flat)), Call("Fpt", (many[::-1], many)), Call("Fpt", (w, r)))
        yield from (Call("Fpt", (flat[::-1], flat)), Call("Xpt", (X, A)), Call("Fpt", (A, A.T)))
        yield from (Call("AdjointToSE3", (X,)), Call("SE3toAdjoint", (T,)))
        yield Call("factorFunctions", (I, v))
        for number in (1, 2, 3):
            yield Call("factorFunctions", (I, v, number))
    yield Call("rv", (np.zeros(3),))
    yield Call("XtoV", (empty,))


def _models() -> Iterator[Call]:
    for n, bf, skew, taper in ((1, 1, 0, 1), (7, 1.5, 0.7, 0.9), (12, 2.5, 1.1, 0.8)):
        yield Call("autoTree", (n, bf, skew, taper), judge="robot")
        yield Call("autoTree_rotor", (n, bf, skew, taper), judge="robot")
    for name, args in (
        ("planar", (4,)),
        ("doubleElbow", ()),
        ("singlebody", ()),
        ("scissor", ()),
        ("TX40_model", ()),
        ("Test_model", ()),
        ("vee", (1,)),
        ("vee", (0.6,)),
        ("rollingdisc", (5,)),
        ("floatbase", ("@tree",)),
        ("postProcessModel", ("@branched",)),
    ):
        yield Call(name, args, judge="robot")


def _joints() -> Iterator[Call]:
    for code in (
        "R",
        "Rx",
        "Ry",
        "Rz",
        "P",
        "Px",
        "Py",
        "Pz",
        "Rx-",
        "Py-",
        "Rz-",
        "r",
        "px",
        "py",
    ):
        yield from (Call("jcalc", (code, 0.7), 2), Call("jinfo", (code,), 2))
    yield Call("FDgq", ("@doubleElbow()", *vectors(3, 4)[:3]))
    yield Call("jcalc", (zoo.SCREW, 0.7), 2)
    for name in ("one_S", "one_SO3", "one_Fb", "one_SE3"):
        model = zoo.build(name)
        yield Call("jcalc", (model.jtype[0], sv.random_configuration(model, RNG)), 2)
        yield Call("jinfo", (model.jtype[0],), 2)


def _dynamics(name: str, model: Model) -> Iterator[Call]:
    """Yield calls of functions of q, qd, qdd and forces, which support any model."""
    m, s, f_ext = f"@{name}", zoo.states(model, RNG), forces(model)
    q, qd, qdd, tau, some = s.q, s.qd, s.qdd, s.tau, RNG.normal(size=model.NV)
    flat = name in PLANAR
    yield Call("ID", (m, q, qd, qdd))
    yield Call("ID", (m, q, qd, qdd, f_ext), 2)
    yield from (Call("HandC", (m, q, qd), 2), Call("HandC", (m, q, qd, f_ext), 2))
    yield from (Call("FDab", (m, q, qd, tau)), Call("FDab", (m, q, qd, tau, f_ext)))
    yield from (Call("FDcrb", (m, q, qd, tau)), Call("FDcrb", (m, q, qd, tau, f_ext)))
    yield from (Call("EnerMo", (m, q, qd)), Call("get_gravity", (m,)))
    yield from (Call("Hqd_and_CTqd", (m, q, qd), 2), Call("confVecToCell", (m, q, qd, qdd), 3))
    yield Call("CoriolisMatrix", (m, q, qd), 3)
    yield Call("HamiltonianDynamics", (m, q, qd, tau), 2)
    yield Call("HamiltonianDynamics", (m, q, qd, tau, f_ext), 2)
    yield Call("modFD", (m, q, qd, tau, some))
    i = max(1, model.NB - 1)
    X = np.eye(3) if flat else zoo.random_transform(RNG)
    yield from (Call("BodyJacobian", (m, q, i, X)), Call("BodyJacobian", (m, q, 1, X[:2])))
    if not flat:  # MATLAB's default of Xend is a spatial transform
        yield Call("BodyJacobianTimeDerivative", (m, q, qd, i))
    yield Call("BodyJacobianTimeDerivative", (m, q, qd, i, X, 0.3 * X))
    if model.has_rotor.sum() == 0 and all(n == 1 for n in model.nv):
        fd = np.arange(model.NB) % 2
        yield Call("HD", (m, fd, q, qd, qdd, tau), 2)
        yield Call("HD", (m, fd, q, qd, qdd, tau, f_ext), 2)
    Xup = [RNG.normal(size=(6, 6)) for _ in range(model.NB)]
    if not flat:
        Xup = [zoo.random_transform(RNG) for _ in range(model.NB)]
        f_in = [RNG.normal(size=6) for _ in range(model.NB)]
        parent = model.parent[None] + 1.0
        yield Call("apply_external_forces", (parent, Xup, f_in, f_ext))
        yield Call("apply_external_forces", (parent, Xup, f_in, []))
    if name not in ("codes",):  # its joint types are structs, for which MATLAB's functions fail
        yield Call("normalizeConfVec", (m, 1.3 * q if not {"SO3", "SE3"} & {*model.jtype} else q))
        yield Call("configurationAddition", (m, q, 0.3 * qd))
        yield Call("configurationRates", (m, q, qd))


def _with_rotors(name: str, model: Model) -> Iterator[Call]:
    """Yield calls of functions that support rotors but not planar models."""
    m, s = f"@{name}", zoo.states(model, RNG)
    q, qd, qdd, some = s.q, s.qd, s.qdd, RNG.normal(size=model.NV)
    yield from (Call("HandC", (m, q, qd), 3), Call("getModelInertialParams", (m,), 2))
    yield Call("ID_SlotineLi", (m, q, qd, some, qdd))
    yield Call("RegressorSL", (m, q, qd, some, qdd), 2)
    yield Call("RegressorClassical", (m, q, qd, qdd), 2)
    yield Call("RegressorHandG", (m, q), 4)
    yield Call("Regressor_HqdandCTqd", (m, q, qd), 4)


def _without_rotors(name: str, model: Model) -> Iterator[Call]:
    """Yield calls of functions, such as derivatives, that support neither rotors nor planar models
    in MATLAB.
    """
    m, s, mu = f"@{name}", zoo.states(model, RNG), RNG.normal(size=model.NV)
    q, qd, qdd, tau = s.q, s.qd, s.qdd, s.tau
    yield from (Call("Christoffel", (m, q)), Call("Hinverse", (m, q)))
    yield from (Call("CMM", (m, q)), Call("CMM", (m, q, qd), 2))
    yield Call("CMMTimeDerivative", (m, q, qd))
    if model.jtype[0] == "Fb" and not (model.Xtree[0] - np.eye(6)).any():
        yield Call("CMM_from_CRBA", (m, q))
    yield from (Call("H_derivatives", (m, q)), Call("StructureConstants", (m, q), 2))
    yield from (Call("ID_derivatives", (m, q, qd, qdd), 2), Call("modID", (m, q, qd, qdd, mu)))
    yield Call("ID_SO_derivatives", (m, q, qd, qdd))
    yield Call("FD_derivatives", (m, q, qd, tau), 3)
    many = RNG.normal(size=(model.NV, 3))
    yield from (Call("modID_derivatives", (m, q, qd, qdd, x), 3) for x in (mu, many))
    yield Call("modID_derivatives_simple", (m, q, qdd, mu))
    yield Call("modID_second_derivatives", (m, q, qd, qdd, mu))
    yield Call("modFD_derivatives", (m, q, qd, tau, mu), 3)
    yield Call("modFD_second_derivatives", (m, q, qd, tau, mu), 7)


def _bases() -> Iterator[Call]:
    """Yield calls of functions of floating bases and of points on the ground."""
    for name in ("onbase", "box"):
        model, n = BASES[name], BASES[name].NB - 6
        q, qd, tau = vectors(n)
        p = np.r_[sv.randomQuat(RNG), RNG.normal(size=3)]
        x, f_ext = np.r_[p, RNG.normal(size=6)], forces(model)
        if n:
            yield Call("FDfb", (f"@{name}", x, q, qd, tau), 2)
            yield Call("IDfb", (f"@{name}", x, q, qd, tau, f_ext), 2)
            yield Call("FDfb", (f"@{name}", x, q, qd, tau, f_ext), 2)
        else:
            none = np.zeros((0, 1))
            yield Call("FDfb", (f"@{name}", x, none, none, none))
        six = vectors(6)
        six[0][4] = 0.4
        yield from (Call("fbkin", (six[0],)), Call("fbkin", tuple(six[:2])))
        yield from (Call("fbkin", tuple(six), 2), Call("fbkin", (p,)), Call("fbkin", (x,), 2))
        yield Call("fbkin", (x, RNG.normal(size=13)), 3)
        turn = np.linspace(0, 3, 9)
        X = np.stack([np.cos(turn), 0 * turn, np.sin(turn), 0 * turn, turn, turn**2, -turn])
        yield from (Call("fbanim", (X,)), Call("fbanim", (X, RNG.normal(size=(2, 9)))))
        yield Call("fbanim", (np.vstack([X, X[:6]])[:, None],))
    points = np.asarray(DISC.gc["point"])  # type: ignore[index]
    x = np.r_[sv.randomQuat(RNG), 0.1, 0.2, 0.02, RNG.normal(size=6)]
    q, qd, tau = vectors(6)
    yield from (Call("gcPosVel", ("@disc", x)), Call("gcPosVel", ("@disc", q, qd)))
    n = len(points)
    F = RNG.normal(size=(n, 6)).ravel()
    for FD in ("@FDab", "@FDcrb"):
        yield Call("gcFD", ("@disc", FD, np.r_[q, qd, tau, F]))
    yield Call("gcFD", ("@disc", "@FDfb", np.r_[x, F]))
    for d in (3, 2):
        p, pd, u = RNG.normal(size=(d, 6)), RNG.normal(size=(d, 6)), RNG.normal(size=(d - 1, 6))
        p[-1] *= 1e-3
        for nargout in (1, 3):
            yield Call("gcontact", (1e4, 100.0, 0.5, p, pd, 1e-3 * u), nargout)


def _sparsity() -> Iterator[Call]:
    for name in ("branched", "floating"):
        model = MODELS[name]
        H = sv.CRBA(model, sv.random_configuration(model, RNG))
        nf = np.asarray(model.nv, dtype=float)[None]
        parent = sv.expandLambda(model.parent, model.nv)[None] + 1.0
        L, x = sv.LTL(H, parent[0].astype(int) - 1), RNG.normal(size=model.NV)
        yield from (Call("LTL", (H, parent)), Call("LTDL", (H, parent), 2))
        yield Call("expandLambda", (model.parent[None] + 1.0, nf))
        yield Call("mpyH", (H, parent, x))
        for product in ("mpyL", "mpyLt", "mpyLi", "mpyLit"):
            yield Call(product, (L, parent, x))


def _inertia() -> Iterator[Call]:
    for _ in range(3):
        v, a, f = RNG.normal(size=6), RNG.normal(size=6), zoo.random_inertia(RNG)
        one, other = (sv.randomInertialParams(RNG) for _ in range(2))
        yield Call("individualRegressor", (a, v))
        yield from (Call("inertiaVecToMat", (one,)), Call("inertiaMatToVec", (f,)))
        yield from (Call("inertiaMatToPinertia", (f,)), Call("inertiaVecToPinertia", (one,)))
        P, Q = sv.inertiaVecToPinertia(one), sv.inertiaVecToPinertia(other)
        yield from (Call("pinertiaToVec", (P,)), Call("entropicDivergence", (one, other), 3))
        yield from (Call("pullbackMetric", (one,)), Call("logdetBregmanDivergence", (P, Q)))
        yield Call("affineInvariantDistance", (P, Q))


def _identifiability() -> Iterator[Call]:
    X, v, A = zoo.random_transform(RNG), RNG.normal(size=6), RNG.normal(size=(6, 2))
    yield from (Call("Transform_Parameters", (X,)), Call("Rate_Parameters", (v,)))
    yield Call("Output_InnerProduct", (v, A[:, 0]))
    twelve = RNG.normal(size=(12, 2))
    yield Call("Output_InnerProduct_rotor", (twelve[:, 0], twelve[:, 1]))
    yield from (
        Call("OutputMatrix", (A, v), judge="rows"),
        Call("OutputMatrix", (A, A), judge="rows"),
    )
    yield Call("OutputMatrix_rotor", (twelve, twelve[:, 0]), judge="rows")
    yield from (Call("RangeBasis", (A,), judge="span"), Call("RangeBasis", (A, 1), judge="span"))
    B = [RNG.normal(size=(6, 6)) * (np.arange(6) < 3) for _ in range(2)]
    yield Call("SwitchedControllabilityMatrix", (B, v), judge="span")
    yield Call("SwitchedObservabilityMatrix", (v[None], B), judge="rows")
    yield Call("UnitVectorComplementarySubspace", (A,))
    yield from (
        Call("unitVector", (2, 5)),
        Call("CleanMat", (np.array([[1 + 1e-12, 0.3, -1e-11]]),)),
    )
    for name, model in (ARMS | MOTORS).items():
        word = "_rotor" if name in MOTORS else ""
        N = (sv.RPNA_rotor if word else sv.RPNA)(model).N
        for free in (0, 1):
            yield Call(f"RPNA{word}", (f"@{name}", free), 1, "rows")
        yield Call("ComputeSampledRegressor", (f"@{name}", 2), judge="there")
        for i in range(model.NB):
            for k in range(10):
                yield Call(f"IsIdentifiable{word}", (f"@{name}", N, i + 1, k + 1))
                yield Call(f"IsUnidentifiable{word}", (f"@{name}", N, i + 1, k + 1))
    for i in range(4):
        yield Call("IsIdentifiable_rotor", ("@scara_motors", N, 4 + i + 1, 7))


REPRESENTATIONS = ("Rot", "Quat", "AngleAxis", "Rpy", "Cayley", "MRP")


def _orientation() -> Iterator[Call]:
    for _ in range(3):
        R = sv.randomRotation(RNG)
        given = {x: R if x == "Rot" else getattr(sv, f"rotTo{x}")(R) for x in REPRESENTATIONS}
        for a in REPRESENTATIONS:
            for b in REPRESENTATIONS:
                small = a.lower() if a == "MRP" else a[0].lower() + a[1:]
                name = f"{small}To{b}"
                if a != b:
                    judge = {"Rpy": "angles", "Quat": "sign"}.get(b, "")
                    yield Call(
                        name,
                        (given[a],),
                        2 if name == "rotToRpy" else 1,
                        "" if name == "rotToRpy" else judge,
                    )
        for n in (1, 2):
            for b in ("Rot", "Quat", "AngleAxis", "Rpy", "MRP"):
                judge = {"Rpy": "angles", "Quat": "sign"}.get(b, "")
                yield Call(f"cayleyTo{b}", (0.4 * given["Cayley"], n), judge=judge)
        yield Call("angleAxisToAngleAndAxis", (given["AngleAxis"],), 2)
        for sequence in ([3, 2, 1], [1, 2, 3], [3, 1, 3], [2, 1, 3]):
            s = np.array([sequence], dtype=float)
            yield Call("rotToEulerAngles", (R, s), 2)
            yield Call("rotToFixedAngles", (R, s), 2)
        q1, q2, (w, c, m) = sv.randomQuat(RNG), sv.randomQuat(RNG), vectors(3)
        yield from (Call("quatProduct", (q1, q2)), Call("quatL", (q1,)), Call("quatR", (q1,)))
        yield from (Call("quatConj", (q1,)), Call("quatToSU2", (q1,)))
        yield Call("SU2toQuat", (sv.quatToSU2(q1),))
        yield from (
            Call("cayleyProduct", (c, m)),
            Call("mrpProduct", (c, m)),
            Call("mrpShadow", (m,)),
        )
        for side in ("Right", "Left"):
            yield from (Call(f"quatRate{side}", (q1, w)), Call(f"mrpRate{side}", (m, w)))
            yield Call(f"angleAxisRate{side}", (given["AngleAxis"], w))
            yield from (Call(f"cayleyRate{side}", (c, w, n)) for n in (1, 2, 3))
        for b in (R, R + 1e-9, R + 1e-8, -R):
            yield from (Call("isEqual", (R, b)), Call("isEqualModSign", (R, b)))
            yield from (Call("isEqual", (R, b, 1e-12)), Call("isEqualModSign", (R, b, 1e-12)))


def _utility() -> Iterator[Call]:
    x = np.array([0.3, -0.7])
    for f in ("@(x) [x(1)*x(2); sin(x(1))]", "@(x) x(1)*x(2)", "@(x) [x(1)*x(2) x(1); 1 x(2)^2]"):
        yield from (Call("complexStepJacobian", (f, x)), Call("complexStepJacobian", (f, x, 1e-15)))
        yield Call("outputSelect", (1, f, x))
    f = "@(x) [x(1)*x(2); sin(x(1))]"
    yield from (Call("finiteDiffJacobian", (f, x), judge="slopes"),)
    yield Call("finiteDiff", (f, x, x), judge="slopes")
    yield Call("rightJacobianOfExp", (sv.crm(RNG.normal(size=6)),))
    T = RNG.normal(size=(3, 4, 2))
    yield from (Call("tensorRotR", (T,)), Call("tensorRotT", (T,)))
    yield from (Call("tensorRotR", (T[..., 0],)), Call("tensorRotT", (T[..., 0],)))
    yield from (Call(name, (), judge="there") for name in RANDOM)
    for name in ("randomSkew", "randomSymmetric", "randomPositiveDefinite"):
        yield Call(name, (3,), judge="there")


def _all() -> Iterator[Call]:
    parts: list[Callable[[], Iterator[Call]]] = [_spatial, _models, _joints, _bases, _sparsity]
    parts += [_inertia, _identifiability, _orientation, _utility]
    for part in parts:
        yield from part()
    for name, model in (TREES | GEARED | PLANAR).items():
        yield from _dynamics(name, model)
    for name, model in (TREES | GEARED).items():
        yield from _with_rotors(name, model)
    for name, model in TREES.items():
        yield from _without_rotors(name, model)


CALLS = list(_all())

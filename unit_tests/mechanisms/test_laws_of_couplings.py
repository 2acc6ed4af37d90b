"""Laws that hold for couplings of every kind: the projected tree, multipliers, bicomplex steps."""

from typing import Any

import numpy as np
import pytest
from exported import coupled_models
from helpers import near, parts
from mechanisms import ZOO, four_bar, polynomial, state

import derivatives
import spatial_v2 as sv
from derivatives.reference import bicomplex_step
from spatial_v2.arrays import namespace

LINEAR = coupled_models()
MODELS = {name: (lambda name=name: LINEAR[name]) for name in LINEAR} | ZOO


def motion(model: Any, seed: int) -> tuple[Any, Any, Any]:
    """Return a motion of a coupled model."""
    rng = np.random.default_rng(seed)
    if not model.is_linear:
        return state(model, rng)
    y = sv.random_configuration(model, rng)
    return y, *rng.normal(size=(2, model.NV))


@pytest.mark.parametrize("name", MODELS)
def test_dynamics_are_those_of_the_projected_tree(name: str) -> None:
    model = MODELS[name]()
    y, yd, ydd = motion(model, 1)
    q, qd, qdd, G = model.moved(y, yd, ydd)
    tree, rest = model.tree, np.zeros(model.NV)
    near(sv.ID(model, y, yd, ydd), G.T @ sv.ID(tree, q, qd, qdd), 1e-12)
    near(sv.CRBA(model, y), G.T @ sv.CRBA(tree, q) @ G, 1e-12)
    H, C = sv.HandC(tree, q, qd)
    bias = model.moved(y, yd, rest)[2]
    near(sv.HandC(model, y, yd)[1], G.T @ (C + H @ bias), 1e-12)
    near(sv.CMM(model, y), sv.CMM(tree, q) @ G, 1e-12)
    for ours, trees in zip(sv.EnerMo(model, y, yd), sv.EnerMo(tree, q, qd), strict=True):
        near(ours, trees, 1e-12)


@pytest.mark.parametrize("kind", ["floating", "spherical", "rotors"])
def test_the_identity_is_the_tree(kind: str) -> None:
    free = LINEAR[kind].tree
    model, rng = sv.couple(free, matrix=np.eye(free.NV)), np.random.default_rng(2)
    q = sv.random_configuration(free, rng)
    v, a, w = rng.normal(size=(3, free.NV))
    functions: dict[Any, tuple[Any, ...]] = {
        sv.ID: (v, a), sv.FDab: (v, a), sv.HandC: (v,), sv.CRBA: (), sv.Hinverse: (),
        sv.EnerMo: (v,), sv.CMM: (), sv.CoriolisMatrix: (v,), sv.Christoffel: (),
        derivatives.ID_derivatives: (v, a), derivatives.FD_derivatives: (v, a),
        derivatives.ID_SO_derivatives: (v, a), derivatives.FD_SO_derivatives: (v, a),
        derivatives.modID_derivatives: (v, a, w), derivatives.modFD_derivatives: (v, a, w),
        derivatives.modID_second_derivatives: (v, a, w),
        derivatives.modFD_second_derivatives: (v, a, w),
    }  # fmt: skip
    for function, given in functions.items():
        for form in (function, function.reference):
            found, wanted = parts(form(model, q, *given)), parts(form(free, q, *given))
            for x, z in zip(found, wanted, strict=True):
                near(x, z, 1e-11)


@pytest.mark.parametrize("name", ["spatial_linkage", "stewart", "stewart_by_legs", "walker"])
def test_first_derivatives_are_those_with_multipliers(name: str) -> None:
    """Along the motion, for rows that are independent beside the closure, too; of a planar leg
    those in its plane, along axes of the body that turns with it.
    """
    model = ZOO[name]()
    y, yd, tau = motion(model, 3)
    c = model.coupling
    ydd = sv.FDab(model, y, yd, tau)
    x = c.jet(c.configuration(y), yd, ydd)
    rows = list(c.constraints.constraints)
    if name == "walker":
        rows = [
            sv.FrameConstraint(
                p.body2, sv.xlt(p.point2), p.body1, sv.xlt(p.point1), [3, 5], "body1"
            )
            for p in rows
        ]
    whole = np.zeros(model.tree.NV)
    whole[c.v_of_y] = tau
    k = derivatives.KKT_FO_derivatives(model.tree, x.q, x.qd, whole, rows)
    d = derivatives.FD_derivatives(model, y, yd, tau)
    near(k.dqdd_dq @ x.G + k.dqdd_dqd @ x.qd_y, x.G @ d.dqdd_dq + x.qdd_y, 1e-10)
    near(k.dqdd_dqd @ x.G, x.G @ d.dqdd_dqd + x.qdd_v, 1e-10)
    near(k.dqdd_dtau[:, c.v_of_y], x.G @ d.dqdd_dtau, 1e-10)


def test_a_parallelogram_has_the_first_derivatives_of_multipliers() -> None:
    X = [np.eye(6), sv.xlt([1, 0, 0]), sv.xlt([0, 0.5, 0])]
    I = [sv.mcI(m, [0.4, 0, 0], np.diag([0.1, 0.2, 0.3])) for m in (1.0, 2.0, 1.5)]
    tree = sv.Model(parent=[-1, 0, -1], jtype=["Rz"] * 3, Xtree=X, I=I, gravity=[0, -9.81, 0])
    pin = sv.PointConstraint(1, [0, 0.5, 0], 2, [1, 0, 0], directions=np.eye(3)[:2])
    model, G = sv.couple(tree, matrix=[[1], [-1], [1]]), np.array([[1.0], [-1.0], [1.0]])
    y, yd, tau = np.array([0.6]), np.array([0.8]), np.array([0.7])
    q, qd = model.coupling.configuration(y), model.coupling.motion(yd)
    k = derivatives.KKT_FO_derivatives(tree, q, qd, [0.7, 0, 0], [pin])
    d = derivatives.FD_derivatives(model, y, yd, tau)
    near(k.dqdd_dq @ G, G @ d.dqdd_dq, 1e-10)
    near(k.dqdd_dqd @ G, G @ d.dqdd_dqd, 1e-10)
    near(k.dqdd_dtau[:, :1], G @ d.dqdd_dtau, 1e-10)


def test_second_derivatives_are_bicomplex_steps_through_a_function() -> None:
    """Of the projected tree, whose function and its derivatives are polynomials."""
    model = polynomial()
    y, yd, ydd = np.array([0.6]), 1.1, -0.4
    second = np.polynomial.Polynomial([0.1, 0.5, -0.2, 0.15, -0.07])
    third = np.polynomial.Polynomial([0.0, -0.4, 0.0, 0.0, 0.25])

    def value(p: Any, x: Any) -> Any:
        result = 0 * x
        for c in p.coef[::-1]:
            result = result * x + c
        return result

    def torque(z: Any) -> Any:
        x = z[..., 0]
        xp = namespace(x)

        def whole(order: int, first: float) -> Any:
            bent = [value(p.deriv(order) if order else p, x) for p in (second, third)]
            return xp.stack([x if order == 0 else 0 * x + first, *bent], axis=-1)

        G, bend = whole(1, 1.0), whole(2, 0.0)
        tau = sv.ID.reference(model.tree, whole(0, 0.0), G * yd, G * ydd + bend * yd**2)
        return xp.sum(G * tau, axis=-1)

    s = derivatives.ID_SO_derivatives(model, y, [yd], [ydd])
    near(s.d2tau_dq, bicomplex_step(torque, y)[None], 1e-10)


def test_pinocchios_constrained_articulated_bodies_move_as_a_four_bar() -> None:
    pin = pytest.importorskip("pinocchio")
    if not hasattr(pin, "lcaba"):
        pytest.skip("needs a Pinocchio with lcaba")
    from benchmarks.peers.pinocchio_twin import twin, twin_states

    model = four_bar()
    tree, c = model.tree, model.coupling
    y, yd, tau = motion(model, 4)
    x = c.jet(c.configuration(y), yd, sv.FDab(model, y, yd, tau))
    whole = np.zeros(tree.NV)
    whole[c.v_of_y] = tau
    peer = twin(tree)
    ends = [
        (peer.getJointId(tree.joint_names[body]), pin.SE3(np.eye(3), np.array(point, float)))
        for p in c.constraints.constraints
        for body, point in ((p.body1, p.point1), (p.body2, p.point2))
    ]
    row = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, peer, *ends[0], *ends[1], pin.LOCAL)
    rows, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    rows.append(row)
    datas.append(row.createData())
    data = peer.createData()
    pin.computeJointMinimalOrdering(peer, data, rows)
    given = [z[0] for z in twin_states(tree, peer, {"q": x.q[None], "v": x.qd[None],
                                                    "x": whole[None]})]  # fmt: skip
    found = pin.lcaba(peer, data, *given, rows, datas, pin.ProximalSettings(1e-14, 1e-4, 2000))
    near(found, x.qdd, 1e-10)

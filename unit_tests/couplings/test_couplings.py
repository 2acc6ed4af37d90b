"""Coupled models: functions pulled back from the tree to independent variables."""

import pickle

import numpy as np
import pytest
from helpers import near
from public_functions import arguments, functions_of_state, suits
from zoo import build

import derivatives
from spatial_v2 import (
    CRBA,
    ID,
    KKT_FD,
    ArrayShapeError,
    FDab,
    FDcrb,
    GlobalDynamics,
    Model,
    ModelError,
    PointConstraint,
    RegressorClassical,
    configurationAddition,
    couple,
    inertiaMatToVec,
    mcI,
    random_configuration,
    xlt,
)
from spatial_v2.model.rotors import _gears, expand

CHAIN = [(1.2, 0.15, 0.02, 0.03), (0.8, 0.12, -0.01, 0.015), (0.5, 0.08, 0.01, 0.006)]
"""Mass, centre of mass and inertia of three planar links."""

OF_ALL_PARAMETERS = "Regressor"
"""Functions with a column for each parameter of a body, of which an expanded tree has more;
`GlobalDynamics` and `ground_kinematics` ignore rotors.
"""

REFUSED = {
    "BodyJacobian", "BodyJacobianTimeDerivative", "CMM_from_CRBA", "EIDAmb_derivatives", "IMMAmb",
    "bodyFrame_dyn", "HamiltonianDynamics", "is_admissible_factorization",
    "is_valid_factorization",
}  # fmt: skip
"""Functions that take no coupled model."""


def parts_of(out):
    """Return the arrays of a result; a list is one for each joint."""
    return out if isinstance(out, tuple | list) else (out,)


def chain() -> Model:
    """Return the planar chain of the golden numbers."""
    X = [xlt([0, 0, 0]), xlt([0.3, 0, 0]), xlt([0.25, 0, 0])]
    I = [mcI(m, [x, y, 0], np.diag([i / 2, i / 2, i])) for m, x, y, i in CHAIN]
    return Model(
        parent=[-1, 0, 1], jtype=["Rz"] * 3, Xtree=X, I=I, gravity=[0, -9.81, 0],
        joint_names=["a", "b", "c"], limits={"a": (-1, 1), "b": (-0.2, 9), "c": (-9, 0.8)},
    )  # fmt: skip


def mimic() -> Model:
    """Return the chain in which the third joint follows the second, and that the first."""
    return couple(chain(), mimic={"c": ("b", -1.5, 0.2), "b": ("a", 0.7, 0.1)})


def test_golden_numbers_of_a_mimic_chain():
    y, yd, ydd = [0.6], [1.1], [-0.4]
    for reference in (False, True):

        def f(g, reference=reference):
            return g.reference if reference else g

        model = mimic()
        near(f(ID)(model, y, yd, ydd), [6.12748716177], 1e-11)
        first = f(derivatives.ID_derivatives)(model, y, yd, ydd)
        near(np.ravel(first), [-9.03579234858, -0.0917229322931], 1e-11)
        near(f(CRBA)(model, y), [[0.580941565332]], 1e-11)
        second = f(derivatives.ID_SO_derivatives)(model, y, yd, ydd)
        near(np.ravel([second.d2tau_dq, second.dM_dq, second.d2tau_cross]),
             [-9.47795253208, -0.0833844839028, -0.133995385186], 1e-11)  # fmt: skip


def test_golden_numbers_of_a_differential():
    model = couple(chain(), matrix=[[1, 0], [0, 1], [0.5, -2]], offset=[0, 0, 0.3])
    y, yd, ydd = [0.6, -0.5], [1.1, 0.9], [-0.4, 0.7]
    near(ID(model, y, yd, ydd), [6.57859379532, 2.17467720124], 1e-11)
    d = derivatives.ID_derivatives(model, y, yd, ydd)
    near(np.ravel(d.dtau_dq), [-4.33788195458, 0.246427916568, 0.442586791375, -0.502124931057],
         1e-11)  # fmt: skip
    s = derivatives.ID_SO_derivatives(model, y, yd, ydd)
    near(s.d2tau_dq[1].ravel()[[0, 1, 3]], [-2.37443988146, -2.06524751211, -2.01637916859], 1e-11)
    near(
        s.d2tau_dqd[0].ravel()[[0, 1, 3]], [-0.0320011786956, 0.16166428999, 0.0549936943378], 1e-11
    )


@pytest.mark.parametrize("kind", ["rotors", "floating_rotors"])
def test_rotors_are_a_coupling_in_every_function(kind):
    """The law: a robot with geared rotors, and its expanded tree with coupled rotors, are equal."""
    model, rng = build(kind), np.random.default_rng(3)
    G = _gears(model, np.zeros(1))
    coupled = couple(expand(model), matrix=G)
    refused, compared = set(), set()
    for name, function, required in functions_of_state():
        name = name.split(".")[1]
        others = name.startswith(OF_ALL_PARAMETERS) or name in (
            "GlobalDynamics",
            "confVecToCell",
            "ground_kinematics",
        )
        if others or not suits(function, model):
            continue
        given = arguments(model, required, rng)
        if name == "modFrame_second_derivatives":
            given["weight"] = rng.normal(size=6)
        try:
            out = function(coupled, *given.values())
        except ModelError as error:
            assert str(error).startswith(f"{function.__name__}: takes no coupled model"), name
            refused.add(function.__name__)
            continue
        wanted = function(model, *given.values())
        if isinstance(out, bool | np.bool_):
            assert out == wanted
            continue
        compared.add(function.__name__)
        for x, y in zip(parts_of(out), parts_of(wanted), strict=True):
            # an axis of bodies has the rotors last
            near(x if np.shape(x) == np.shape(y) else np.asarray(x)[: model.NB], y, 1e-10)
    assert {"ID", "FDab", "FD_SO_derivatives", "modFD_second_derivatives"} <= compared
    assert refused <= REFUSED and not compared & REFUSED


def test_functions_beyond_rotors_are_the_projected_tree():
    model, rng = mimic(), np.random.default_rng(0)
    G = model.coupling.matrix
    y, yd, ydd = rng.normal(size=(3, 5, 1))
    q, qd, qdd = model.coupling.configuration(y), yd @ G.T, ydd @ G.T
    near(q[:, 1:], np.hstack([0.7 * y + 0.1, -1.05 * y + 0.05]))
    Y, _ = RegressorClassical(model, y, yd, ydd)
    near(Y @ inertiaMatToVec(model.tree.I).ravel(), ID(model, y, yd, ydd))
    near(GlobalDynamics(model, y, yd, ydd)[0], GlobalDynamics(model.tree, q, qd, qdd)[0] @ G)
    f = rng.normal(size=(3, 6))
    near(ID(model, y, yd, ydd, f), ID(model.tree, q, qd, qdd, f) @ G)
    tau = ID(model, y, yd, ydd, f)
    near(FDab(model, y, yd, tau, f), ydd)
    near(FDcrb.reference(model, y, yd, tau, f), ydd)


def test_derivatives_agree_with_complex_steps():
    model = mimic()
    y, yd, tau = np.array([0.3]), np.array([0.4]), np.array([0.5])
    step = 1e-30j
    d = derivatives.FD_derivatives(model, y, yd, tau)
    near(d.dqdd_dq[:, 0], FDab(model, y + step, yd, tau).imag / 1e-30)
    near(d.dqdd_dqd[:, 0], FDab(model, y, yd + step, tau).imag / 1e-30)
    s = derivatives.FD_SO_derivatives(model, y, yd, tau)
    more = derivatives.FD_derivatives(model, y + step, yd, tau)
    near(s.d2qdd_dq[..., 0], more.dqdd_dq.imag / 1e-30)


def test_multipliers_of_the_same_mechanism_agree():
    """A parallelogram, closed by a point and by the coupling q = (y, -y, y)."""
    X = [np.eye(6), xlt([1, 0, 0]), xlt([0, 0.5, 0])]
    I = [mcI(m, [0.4, 0, 0], np.diag([0.1, 0.2, 0.3])) for m in (1.0, 2.0, 1.5)]
    tree = Model(parent=[-1, 0, -1], jtype=["Rz"] * 3, Xtree=X, I=I, gravity=[0, -9.81, 0])
    closure = PointConstraint(1, [0, 0.5, 0], 2, [1, 0, 0], directions=[[1, 0, 0], [0, 1, 0]])
    model = couple(tree, matrix=[[1], [-1], [1]])
    y, yd, tau = np.array([0.6]), np.array([0.8]), np.array([0.7])
    q, qd = model.coupling.configuration(y), model.coupling.motion(yd)
    wanted = KKT_FD(tree, q, qd, [0.7, 0, 0], [closure]).qdd
    near(model.coupling.motion(FDab(model, y, yd, tau)), wanted, 1e-10)


def test_variables_limits_and_copies():
    model = mimic()
    assert model.joint_names == ("a",) and (model.NQ, model.NV) == (1, 1)
    near(model.limits["a"][:2], [-0.3 / 0.7, 1])
    near(model.upper, [1.0])
    assert random_configuration(model, np.random.default_rng(0), 3).shape == (3, 1)
    near(configurationAddition(model, [0.1], [0.2]), [0.3])
    again = pickle.loads(pickle.dumps(model))
    near(ID(again, [0.1], [0.2], [0.3]), ID(model, [0.1], [0.2], [0.3]))
    light = model.replace(gravity=[0, 0, 0])
    near(ID(light, [0.1], [0.0], [0.0]), [0.0])
    model.tree.gravity = [0, 0, 0]
    assert abs(ID(model, [0.1], [0.0], [0.0])) > 1
    out = np.empty(1)
    assert ID(model, [0.1], [0.2], [0.3], out=out) is out
    near(out, ID(model, [0.1], [0.2], [0.3]))
    assert ID(model, np.zeros((4, 1, 1)), np.zeros((3, 1)), [0.0], workers=2).shape == (4, 3, 1)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"matrix": np.eye(2)}, r"matrix: want shape \(3, n\)"),
        ({"matrix": [[1, 2], [2, 4], [3, 6]]}, r"variables \[0, 1\]"),
        ({"matrix": [[1], [2], [np.nan]]}, "finite"),
        ({"matrix": np.eye(3), "offset": [1]}, "offset: want shape"),
        ({}, "either matrix=G or mimic"),
        ({"mimic": {"a": ("b", 1, 0), "b": ("a", 1, 0)}}, "circle"),
        ({"mimic": {"b": ("d", 1, 0)}}, "no joint is called 'd'"),
        ({"mimic": {"b": ("a", 1)}}, "joint, multiplier, offset"),
    ],
)
def test_bad_couplings(given, words):
    with pytest.raises(ModelError, match=words):
        couple(chain(), **given)


def test_bad_calls():
    with pytest.raises(ArrayShapeError, match="q: want shape .* size of the tree's q"):
        ID(mimic(), np.zeros(3), [0.0], [0.0])
    with pytest.raises(ModelError, match="does not change"):
        mimic().gravity = [0, 0, 0]
    floating = build("floating")
    with pytest.raises(ModelError, match="can only be independent"):
        couple(floating, matrix=np.eye(floating.NV)[:, 1:])


@pytest.mark.parametrize(
    "G", [[[2, 1], [1, 3], [0.5, -2]], [[1, 0], [0.5, -2], [0, 1]], [[0, 1], [1, 0], [0, 0]]]
)
def test_products_with_any_matrix(G):
    """Without a joint of its own, in another order, and with a joint that stands still."""
    G, rng = np.array(G, dtype=float), np.random.default_rng(6)
    model, c = couple(chain(), matrix=G, offset=[0.0, 0.2, 0.0]), np.array([0.0, 0.2, 0.0])
    y, yd, ydd = rng.normal(size=(3, 5, 2))
    q, qd, qdd = y @ G.T + c, yd @ G.T, ydd @ G.T
    near(model.coupling.configuration(y), q)
    near(ID(model, y, yd, ydd), ID(model.tree, q, qd, qdd) @ G)
    near(CRBA(model, y), G.T @ CRBA(model.tree, q) @ G)
    d2 = derivatives.ID_SO_derivatives(model.tree, q, qd, qdd).d2tau_dq
    wanted = np.einsum("nabc,ai,bj,ck->nijk", d2, G, G, G)
    near(derivatives.ID_SO_derivatives(model, y, yd, ydd).d2tau_dq, wanted)

"""Identification of coupled models: grippers, linkages, and robots with both."""

from typing import Any

import mechanisms
import numpy as np
import pytest
from helpers import near

import spatial_v2 as sv

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")


def gripper() -> sv.Model:
    """Return a wrist with two fingers of different masses that close together."""
    places = [sv.xlt([0, 0, 0.1]), sv.xlt([0.05, 0, 0.1]), sv.xlt([-0.05, 0, 0.1])]
    I = [sv.mcI(m, [0.01, 0.02, 0.05], np.diag([0.01, 0.02, 0.015])) for m in (1.0, 0.4, 0.5)]
    tree = sv.Model(
        parent=[-1, 0, 0], jtype=["Rx", "Px", "Px"], Xtree=places, I=I,
        joint_names=["wrist", "left", "right"], limits={"left": (0, 0.2)},
    )  # fmt: skip
    return sv.couple(tree, mimic={"right": ("left", -1.5, 0.02)})


def geared() -> sv.Model:
    """Return a robot with rotors, springs and damping, whose last joint follows."""
    tree = sv.autoTree_rotor(4).replace(stiffness=[2.0, 3, 4, 5], damping=[0.1, 0, 0.2, 0.3])
    return sv.couple(tree, mimic={3: (2, 2.0, 0.1)})


def stout_bars() -> sv.Model:
    """Return a four-bar linkage of physically consistent bodies."""
    model = mechanisms.four_bar()
    return model.replace(I=model.tree.I + np.diag([0.5, 0.5, 0.5, 0, 0, 0]))


LINEAR = [gripper, geared]
LOOPS = [
    mechanisms.four_bar, mechanisms.four_bar_in_the_plane, mechanisms.four_bar_by_formula,
    mechanisms.geared_five_bar, mechanisms.walker,
]  # fmt: skip


def motion(model: sv.Model, n: int, seed: int = 0) -> list[np.ndarray]:
    """Return a motion within reach of the loops."""
    rng = np.random.default_rng(seed)
    y, yd, ydd = rng.uniform(-1, 1, (3, n, model.NV))
    return [sv.configurationAddition(model, np.tile(model.start, (n, 1)), 0.4 * y), yd, ydd]


def parameters(model: sv.Model) -> np.ndarray:
    return np.asarray(sv.getModelInertialParams(model).a)


@pytest.mark.parametrize("make", LINEAR + LOOPS)
def test_forces_are_the_regressor_times_the_parameters(make: Any) -> None:
    model = make()
    bare = model.replace(stiffness=None, damping=None)
    x = motion(model, 20)
    Y, Y_rot = sv.RegressorClassical(model, *x)
    of_rotors = Y_rot @ sv.getModelInertialParams(model).a_rotor
    near(Y @ parameters(model) + of_rotors, sv.ID(bare, *x), 1e-12)
    a = parameters(model) * np.random.default_rng(1).uniform(0.5, 2, len(parameters(model)))
    near(Y @ a + of_rotors, sv.ID(sv.setModelInertialParams(bare, a), *x), 1e-12)


@pytest.mark.parametrize("make", LINEAR + LOOPS)
def test_base_parameters_are_those_of_sampled_regressors(make: Any) -> None:
    """Their number is the rank at other states, and they alone give all forces."""
    model = make()
    bases = sv.ComputeBases(model)
    n = bases.Minimal_Basis.shape[1]
    Y = sv.RegressorClassical(model, *motion(model, 20 + 400 // model.NV, 5)).Y
    Y = Y.reshape(-1, Y.shape[-1])
    s = np.linalg.svd(Y / np.abs(Y).max(), compute_uv=False)
    assert np.count_nonzero(s > 1e-9 * s[0]) == n == len(bases.names)
    assert n <= sv.ComputeBases(model.tree).Minimal_Basis.shape[1]
    assert np.abs(Y @ bases.Null_Basis).max(initial=0) < 1e-12 * np.abs(Y).max()
    a = np.random.default_rng(1).normal(size=Y.shape[1])
    near(Y @ bases.Minimal_Basis @ (bases.Perp_Basis.T @ a), Y @ a, 1e-11)


def test_numbers_of_base_parameters() -> None:
    """Those of a planar four-bar linkage are 8, one less than of its tree; a gripper's fingers
    share their masses along the fingers' motion.
    """
    bars = mechanisms.four_bar()
    assert [len(sv.ComputeBases(x).names) for x in (bars, bars.tree)] == [8, 9]
    assert len(sv.ComputeBases(gripper()).names) == len(sv.ComputeBases(gripper().tree).names) - 1
    Y = sv.ComputeSampledRegressor(bars, 60, rng=np.random.default_rng(2))
    assert np.linalg.matrix_rank(Y, 1e-9 * np.abs(Y).max()) == 8
    identity = sv.couple(sv.autoTree(4), matrix=np.eye(4))
    assert sv.ComputeBases(identity).names == sv.ComputeBases(sv.autoTree(4)).names


@pytest.mark.parametrize("make", [gripper, mechanisms.four_bar, mechanisms.walker])
def test_base_parameters_do_not_depend_on_units(make: Any) -> None:
    model, k = make(), 1e3
    tree, moved = model.tree, np.diag([1, 1, 1, k, k, k])
    X = [moved @ x @ np.linalg.inv(moved) for x in tree.Xtree]
    if not model.is_linear:
        pins = [
            type(c)(c.body1, np.multiply(k, c.point1), c.body2, np.multiply(k, c.point2))
            for c in model.coupling.constraints.constraints
        ]
        guess = np.array(model.coupling.guess)
        guess[4:7] = k * guess[4:7] if tree.NQ > 6 else guess[4:7]
        scaled = sv.couple(
            tree.replace(Xtree=X, gravity=k * np.asarray(tree.gravity)), constraints=pins,
            independent=model.joint_names, guess=guess,
        )  # fmt: skip
    else:
        scaled = sv.couple(
            tree.replace(Xtree=X, gravity=k * np.asarray(tree.gravity), limits=None),
            mimic={"right": ("left", -1.5, 0.02 * k)},
        )
    bases = sv.ComputeBases(scaled), sv.ComputeBases(model)
    near(bases[0].Minimal_Basis, bases[1].Minimal_Basis, 0)


@pytest.mark.parametrize(
    ("make", "physical"),
    [*((x, False) for x in LINEAR + LOOPS), (gripper, True), (stout_bars, True)],
)
def test_without_errors_forces_of_the_identified_model_are_those_measured(
    make: Any, physical: bool
) -> None:
    model, x = make(), motion(make(), 300)
    tau, a = sv.ID(model, *x), parameters(model).reshape(-1, 10)
    start = sv.setModelInertialParams(model, 1.2 * a)
    found = sv.identify(start, *x, tau, physical=physical)
    near(found.base, sv.ComputeBases(model).Perp_Basis.T @ a.ravel(), 1e-8)
    assert found.rank == len(found.base) and found.residual_rms.shape == (model.NV,)
    assert found.model is not None and found.model.joint_names == model.joint_names
    near(sv.ID(found.model, *x), tau, 1e-7)
    other = motion(model, 50, 9)
    near(sv.ID(found.model, *other), sv.ID(model, *other), 1e-6)


def test_friction_of_joints_that_follow_is_found_in_sums() -> None:
    """Friction of a gripper's two fingers has one force; that of a linkage's joints has several."""
    model = gripper()
    true, x = model.replace(damping=[0.3, 0.2, 0.4], armature=[0, 0.05, 0.1]), motion(model, 300)
    found = sv.identify(model, *x, sv.ID(true, *x), friction="viscous", physical=False)
    assert found.names[-2:] == ["viscous0", "viscous1 + 2.25 viscous2"]
    near(found.base[-2:], [0.3, 0.2 + 2.25 * 0.4], 1e-9)
    found = sv.identify(
        true.replace(damping=None), *x, sv.ID(true, *x), friction="viscous", physical=False
    )
    assert found.model is not None and found.residual_rms.max() < 1e-10
    near(sv.ID(found.model, *x), sv.ID(true, *x), 1e-10)
    bars = mechanisms.four_bar()
    x = motion(bars, 300)
    true = bars.replace(damping=[0.3, 0.2, 0.4], friction=[0.1, 0.5, 0.2])
    found = sv.identify(bars, *x, sv.ID(true, *x), friction=True, offset=True)
    near(found.viscous, [0.3, 0.2, 0.4], 1e-6)
    near(found.coulomb, [0.1, 0.5, 0.2], 1e-6)
    near(found.offset, np.zeros(3), 1e-6)


@pytest.mark.parametrize("make", [mechanisms.four_bar, mechanisms.walker])
def test_measured_configurations_of_the_whole_tree(make: Any) -> None:
    """They are taken as they are, and open ones are refused."""
    model = make()
    x = motion(model, 120)
    tau, q = sv.ID(model, *x), model.coupling.configuration(x[0])
    of_tree, of_y = (sv.identify(model, p, *x[1:], tau, physical=False) for p in (q, x[0]))
    near(of_tree.base, of_y.base, 1e-9)
    q[70] += 0.1
    with (
        pytest.warns(sv.SingularWarning),
        pytest.raises(sv.SpatialError, match="q: in sample 70 loops"),
    ):
        sv.identify(model, q, *x[1:], tau, chunk=50, physical=False)


@pytest.mark.parametrize("make", [gripper, mechanisms.four_bar])
def test_a_payload_in_a_coupled_hand(make: Any) -> None:
    model, x = make(), motion(make(), 200)
    load = sv.mcI(0.7, [0.02, 0.01, 0.0], 0.01 * np.eye(3))
    loaded = model.replace(I=sv.attach(model.tree, 1, load).I)
    found = sv.identify_payload(model, 1, *x, sv.ID(loaded, *x), physical=False)
    assert found.model is not None
    near(sv.ID(found.model, *x), sv.ID(loaded, *x), 1e-9)
    some = sv.identify(model, *x, sv.ID(loaded, *x), unknown=[1], physical=False)
    assert some.model is not None
    near(sv.ID(some.model, *x), sv.ID(loaded, *x), 1e-9)


def test_motions_that_excite_a_gripper() -> None:
    model, rng = gripper(), np.random.default_rng(0)
    found = sv.excitation_trajectory(model, 4.0, friction=True, rng=rng)
    assert found.q.shape[1] == 2 and found.q[:, 1].min() >= 0 and found.q[:, 1].max() <= 0.2
    x = found.q, found.qd, found.qdd
    assert (
        sv.identify(model, *x, sv.ID(model, *x), friction=True).rank
        == len(sv.ComputeBases(model).names) + 4
    )
    others = [motion(model, 500, k) for k in range(3)]
    worse = [sv.identify(model, *o, sv.ID(model, *o), friction=True).condition for o in others]
    assert found.condition < min(worse)


def test_what_is_not_possible_is_said() -> None:
    bars, tree = mechanisms.four_bar(), mechanisms.bars()
    with pytest.raises(sv.ModelError, match=r"^RPNA: .* ComputeBases\(model\) computes"):
        sv.RPNA(bars)
    null = sv.RPNA(tree)
    with pytest.raises(sv.ModelError, match=r"write ComputeBases\(model\)"):
        sv.ComputeBases(bars, null.N, null.M)
    with pytest.raises(sv.ModelError, match="^excitation_trajectory: takes no coupled model"):
        sv.excitation_trajectory(bars, 2.0, rng=np.random.default_rng(0))
    with pytest.raises(sv.SpatialError, match="want both, of one call of RPNA"):
        sv.ComputeBases(tree, null.N)
    assert sv.ComputeBases(tree).names == sv.ComputeBases(tree, null.N, null.M).names

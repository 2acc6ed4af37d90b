"""Generated and named models: MATLAB's arrays, and published facts about the robots."""

from collections.abc import Callable
from inspect import signature

import golden_io
import numpy as np
import pytest
import zoo
from numpy.testing import assert_allclose, assert_array_equal

import spatial_v2 as sv
from spatial_v2 import models
from spatial_v2.model.frame import Frame
from spatial_v2.model.records import JointLimits

DATA, ROBOTS = golden_io.load("c_models"), golden_io.load("h_robots")
MAKERS = {
    "autoTree": sv.autoTree,
    "autoTree_rotor": sv.autoTree_rotor,
    "planar": sv.planar,
    "floatbase": lambda nb, *rest: sv.floatbase(sv.autoTree(nb, *rest)),
    "vee": sv.vee,
    "rollingdisc": sv.rollingdisc,
}


def maker(case: str) -> str:
    return case.rstrip("0123456789")


GOLDEN = [c for c in golden_io.cases("c_models", "in_args") if maker(c) in MAKERS]


def build(case: str) -> sv.Model:
    first, *rest = golden_io.raw(DATA, case, "in_args").ravel().tolist()
    return MAKERS[maker(case)](first if maker(case) == "vee" else int(first), *rest)


def padded(indices: tuple[np.ndarray, ...], width: int) -> np.ndarray:
    """Convert index arrays from 0 to rows of numbers from 1, padded with zeros, as in the golden
    files.
    """
    out = np.zeros((len(indices), width))
    for row, inds in zip(out, indices, strict=True):
        row[: len(inds)] = inds + 1
    return out


@pytest.mark.parametrize("case", GOLDEN)
def test_arrays_of_models_agree_with_matlab(case: str) -> None:
    ours, theirs = build(case), golden_io.model_of(DATA, case)
    assert_array_equal(ours.parent, theirs.parent)
    assert ours.jtype == theirs.jtype
    assert ours.jtype_rotor == theirs.jtype_rotor
    for field in ("Xtree", "I", "gravity", "has_rotor", "Xrotor", "I_rotor", "gr"):
        assert_allclose(getattr(ours, field), getattr(theirs, field), rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("case", [c for c in GOLDEN if maker(c) in ("autoTree", "floatbase")])
def test_derived_data_agree_with_matlab(case: str) -> None:
    model = build(case)
    for field in ("ancestor_vinds", "subtree_vinds", "successor_vinds"):
        theirs = golden_io.raw(DATA, case, f"post_{field}")
        assert_array_equal(padded(getattr(model, field), theirs.shape[1]), theirs)


NAMED = [
    *(("c_models", case, maker) for case, maker in (
        ("doubleElbow", sv.doubleElbow), ("singlebody", sv.singlebody), ("scissor", sv.scissor),
        ("vee_default", sv.vee),
    )),
    *(("h_robots", case, maker) for case, maker in (
        ("Puma560", sv.Puma560_model), ("Scara", sv.Scara_model), ("TX40", sv.TX40_model),
        ("CheetahLeg", sv.CheetahLeg_model), ("Test", sv.Test_model),
        ("Panda", lambda: sv.Panda_model(golden_io.raw(ROBOTS, "Panda", "in_params").ravel())),
    )),
    ("e_kkt_impact", "quad", sv.build_quadruped_model),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
@pytest.mark.parametrize(("file", "case", "make"), NAMED, ids=[case for _, case, _ in NAMED])
def test_robots_agree_with_matlab(file: str, case: str, make: Callable[[], sv.Model]) -> None:
    """All fields agree with MATLAB's; those that MATLAB stores under wrong names have the right
    ones here.
    """
    ours, theirs = make(), golden_io.model_of(golden_io.load(file), case)
    assert ours.jtype == theirs.jtype
    assert ours.jtype_rotor == theirs.jtype_rotor
    for field in ("Xtree", "I", "gravity", "has_rotor", "Xrotor", "I_rotor", "gr", "parent"):
        assert_allclose(getattr(ours, field), getattr(theirs, field), atol=1e-15)


@pytest.mark.parametrize("case", golden_io.cases("h_robots", "FDab_qdd"))
def test_dynamics_of_robots_agrees_with_matlab(case: str) -> None:
    """Dynamics agree with rotors, without them, and with other inertias and gravity."""
    name, _, variant = case.partition("_")
    model = {case: make for _, case, make in NAMED}[name]()
    if variant != "rot":
        model.has_rotor = None
    if variant == "randI":
        model.gravity = golden_io.raw(ROBOTS, case, "in_gravity").ravel()
        model.I = golden_io.get(ROBOTS, case, "in_I")
    q, qd, qdd, tau = (golden_io.get(ROBOTS, case, f"in_{x}") for x in ("q", "qd", "qdd", "tau"))
    found = [sv.ID(model, q, qd, qdd), sv.FDab(model, q, qd, tau), *sv.HandC(model, q, qd)]
    for x, what in zip(found, ("ID_tau", "FDab_qdd", "HandC_H", "HandC_C"), strict=True):
        assert_allclose(x, golden_io.get(ROBOTS, case, what), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("case", ["rollingdisc1", "rollingdisc2"])
def test_contact_points_and_camera_agree_with_matlab(case: str) -> None:
    model = build(case)
    assert model.gc is not None and model.camera is not None
    assert_allclose(model.gc["point"], golden_io.raw(DATA, case, "gc_point").T, atol=1e-15)
    assert_array_equal(model.gc["body"], golden_io.raw(DATA, case, "gc_body").ravel() - 1)
    assert model.camera["body"] == golden_io.raw(DATA, case, "camera_body") - 1
    for field in ("direction", "locus"):
        assert_array_equal(model.camera[field], golden_io.raw(DATA, case, f"camera_{field}")[0])


def test_constraint_function_agrees_with_matlab() -> None:
    qo, qdo = (golden_io.get(DATA, "doubleElbow", f"in_{x}") for x in ("qo", "qdo"))
    model = sv.doubleElbow()
    q, qd, G, g = model.gamma_q(model, qo, qdo)
    for x, what in ((q, "q"), (qd, "qd"), (g, "gs")):
        assert_allclose(x, golden_io.get(DATA, "doubleElbow", f"gamma_q_{what}"), atol=1e-12)
    assert_array_equal(G, golden_io.raw(DATA, "doubleElbow", "gamma_q_G"))


OF_MODELS = {
    "attach", "change_base", "floatbase", "free_base", "get_miniCheetah_params", "lock", "remove",
    "resize",
}  # fmt: skip
"""Functions that make no robot from numbers alone."""


def test_command_line_knows_every_robot() -> None:
    """The command line finds every robot by name; generated trees need a number of bodies, too."""
    for name in models.__all__:
        if name[0] != "M" and name not in OF_MODELS:
            numbers = {"autoTree": ":3", "autoTree_rotor": ":3", "planar": ":3"}
            model = sv.load_model(name + numbers.get(name, ""))
            assert model.NB > 0 and name in sv.model_names()
    assert sv.load_model("gfxExample:1").camera is not None
    assert sv.load_model("vee:0.5").name == "vee(0.5)"


def test_wrong_arguments_of_robots_are_refused() -> None:
    for message, make in {
        "positive length L2": lambda: sv.vee(0),
        "want npt >= 1": lambda: sv.rollingdisc(1.5),  # type: ignore[arg-type]
        "70 numbers": lambda: sv.Panda_model(np.ones(60)),
        "want kind '2D'": lambda: sv.build_quadruped_model("3D"),
    }.items():
        with pytest.raises(sv.ModelError, match=message):
            make()


def test_every_parameter_of_a_generated_model_must_be_a_finite_number() -> None:
    """The error names model and parameter."""
    makers = {sv.autoTree: 3, sv.autoTree_rotor: 3, sv.planar: 3, sv.rollingdisc: 4, sv.vee: 1}
    wrong = ("3", None, np.nan, np.inf, 1 + 0j, [3], np.array([3]))
    for maker, n in makers.items():
        for k, name in enumerate(signature(maker).parameters):
            for bad in wrong:
                arguments = [n, 1, 0, 1][: k + 1]
                arguments[k] = bad
                with pytest.raises(
                    sv.ModelError, match=rf"^\w+: {name}: want a finite number, got "
                ):
                    maker(*arguments)
        for good in (n, float(n), np.int64(n), np.float64(n), np.array(n)):
            maker(good)


@pytest.mark.parametrize(
    ("bf", "parents"),
    [
        (1, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
        (1.5, [0, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8]),
        (2, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]),
        (2.5, [0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5]),
        (3, [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4]),
    ],
)
def test_parents_of_trees_are_those_of_the_reference(bf: float, parents: list[int]) -> None:
    """The parents agree with the listed ones, which are numbered from 1, for each
    branching factor.
    """
    assert (sv.autoTree(12, bf).parent + 1).tolist() == parents


@pytest.mark.parametrize("make", [sv.autoTree, sv.autoTree_rotor, sv.planar])
@pytest.mark.parametrize("nb", [0, -1, 2.5])
def test_wrong_sizes_are_refused(make: object, nb: float) -> None:
    with pytest.raises(sv.ModelError, match=r"want n(b)? >= 1"):
        make(nb)  # type: ignore[operator]
    with pytest.raises(sv.ModelError, match="bf >= 1"):
        sv.autoTree(3, 0.5)


def test_floating_base_moves_as_documented() -> None:
    """The first six joints of `floatbase` move body 5 in base coordinates, and the tree is attached
    to it.

    They are the position, then rotations with ``E = rz(q5) ry(q4) rx(q3)``.
    """
    tree = sv.autoTree(3, 1.5, 0.3, 0.9)
    model, q = sv.floatbase(tree), np.random.default_rng(2).normal(size=8)
    kin = sv.forward_kinematics(model, q)
    E = sv.rz(q[5]) @ sv.ry(q[4]) @ sv.rx(q[3])
    assert_allclose(kin.X0[5], sv.plux(E, q[:3]), atol=1e-15)
    same = sv.forward_kinematics(tree, [0.0, *q[6:]])
    assert_allclose(kin.X0[7], same.X0[2] @ sv.plux(E, q[:3]), atol=1e-14)
    assert not np.any(model.I[:5])


def test_floating_base_equals_a_floating_joint() -> None:
    """At any state, the accelerations of the links are those with a single joint Fb."""
    tree = sv.autoTree(4, 1.5, 0.3, 0.9)
    model, single = sv.floatbase(tree), tree.replace(jtype=["Fb", "R", "R", "R"])
    s = zoo.states(model, np.random.default_rng(4))
    tau = np.concatenate([np.zeros(6), s.tau[6:]])
    qdd = sv.FDab(model, s.q, s.qd, tau)
    kin = sv.forward_kinematics(model, s.q, s.qd)
    half = 0.5 * s.q[3:6]
    turns = [np.array([np.cos(h), *(np.sin(h) * e)]) for h, e in zip(half, np.eye(3), strict=True)]
    quaternion = turns[0]
    for turn in turns[1:]:
        w, v, x, u = quaternion[0], quaternion[1:], turn[0], turn[1:]
        quaternion = np.array([w * x - v @ u, *(w * u + x * v + np.cross(v, u))])
    q = np.concatenate([quaternion, s.q[:3], s.q[6:]])
    theirs = sv.FDab(single, q, np.concatenate([kin.v[5], s.qd[6:]]), tau)
    assert_allclose(qdd[6:], theirs[6:], rtol=1e-11)


def test_floating_base_carries_everything_along() -> None:
    model = sv.autoTree(3, 2).replace(
        camera={"body": 1, "zoom": 2.0}, gc={"point": np.zeros((2, 3)), "body": [0, 2]},
        joint_names=["a", "b", "c"], limits={"a": (0, 1), "b": (0, 2)},
    )  # fmt: skip
    floating = sv.floatbase(model)
    assert floating.camera == {"body": 6, "zoom": 2.0}
    assert floating.gc is not None and floating.gc["body"].tolist() == [5, 7]
    assert floating.joint_names[5:] == ("base_yaw", "b", "c")
    assert floating.limits == {"b": JointLimits(0, 2)}
    assert floating.appearance is not None and len(floating.appearance["body"]) == 8
    rotors = zoo.build("one_rotor").replace(Xtree=np.tile(np.eye(6), (3, 1, 1)))
    floating = sv.floatbase(rotors)
    assert floating.has_rotor.tolist() == [False] * 6 + [True, False]
    assert_array_equal(floating.I_rotor[6], rotors.I_rotor[1])


def test_wrong_floating_bases_are_refused() -> None:
    with pytest.raises(sv.ModelError, match="want a spatial model"):
        sv.floatbase(sv.planar(2))
    with pytest.raises(sv.ModelError, match="one body on the fixed base"):
        sv.floatbase(zoo.build("forest"))
    with pytest.raises(sv.ModelError, match="joint 0 is replaced and must not drive a rotor"):
        sv.floatbase(sv.autoTree_rotor(2))
    with pytest.warns(UserWarning, match=r"Xtree\[0\] is not the identity"):
        sv.floatbase(zoo.build("chain"))
    with pytest.warns(UserWarning, match="gamma_q"):
        sv.floatbase(sv.autoTree(2).replace(gamma_q=len))


def test_puma_has_a_positive_definite_inertia_and_a_wrist() -> None:
    """The mass matrix is positive definite, and the wrist is where the link lengths put it."""
    model = sv.puma560()
    q = zoo.states(model, np.random.default_rng(1), (20,)).q
    assert (np.linalg.eigvalsh(sv.HandC(model, q, 0 * q).H) > 0).all()
    wrist = sv.forward_kinematics(model, np.zeros(6)).p[3]
    assert_allclose(wrist, [0.4318 - 0.0203, 0.2435 - 0.0934, 0.4331], atol=1e-12)


def test_puma_has_names() -> None:
    """Joints have names from the waist to the flange, with and without motors, and body i is moved
    by joint i.
    """
    for model in (sv.puma560(), sv.puma560(motors=True)):
        assert model.joint_names[:3] == ("waist", "shoulder", "elbow")
        assert model.body_names == ("trunk", "upper_arm", "forearm", "wrist", "hand", "flange")


def test_puma_has_the_published_gravity_loads() -> None:
    """Gravity loads agree with the constants of Armstrong, Khatib and Burdick (1986) [N m].

    tau_2 = g1 c2 + g2 s23 + g3 s2 + g4 c23 + g5 s23, tau_3 = g2 s23 + g4 c23 + g5 s23, tau_5 = g5
    s23 with the wrist straight, where c2 = cos q2 and s23 = sin(q2 + q3). Tolerances are those that
    the authors state.
    """
    zero, right = np.zeros(6), np.pi / 2
    q = np.array([[0, 0, 0, 0, 0, 0], [0, right, 0, 0, 0, 0]])
    (_, a2, a3, *_), (_, b2, b3, _, b5, _) = sv.ID(sv.puma560(), q, zero, zero)
    ours = [a2 - a3, b3 - b5, b2 - b3, a3, b5]
    assert np.all(
        np.abs(ours - np.array([-37.2, -8.44, 1.02, 0.249, -0.0282]))
        < [0.5, 0.2, 0.5, 0.025, 0.0056]
    )


def test_puma_drives_add_the_published_inertias() -> None:
    """Motors add the published drive inertias to the diagonal of the mass matrix."""
    zero = np.zeros(6)
    H = [sv.HandC(sv.puma560(motors), zero, zero).H for motors in (True, False)]
    assert_allclose(np.diag(H[0] - H[1]), [1.14, 4.71, 0.827, 0.2, 0.179, 0.193], rtol=0.01)
    assert sv.load_model("puma560").n_rotor == 0
    assert sv.load_model("puma560:1").n_rotor == 6


def test_free_base_undoes_floatbase() -> None:
    """`free_base` replaces the six joints of `floatbase` by one, and everything that belongs to
    bodies moves along.
    """
    tree = sv.autoTree_rotor(3, 2)
    tree.has_rotor = {0: False}
    tree = tree.replace(
        camera={"body": 1, "zoom": 2.0}, gc={"point": np.zeros((2, 3)), "body": [0, 2]},
        joint_names=["a", "b", "c"],
    )  # fmt: skip
    free = sv.free_base(sv.floatbase(tree))
    assert free.jtype == ("Fb", "Rz", "Rz") and free.parent.tolist() == [-1, 0, 0]
    for field in ("Xtree", "I", "has_rotor", "gr", "I_rotor", "Xrotor"):
        assert_array_equal(getattr(free, field), getattr(tree, field))
    assert free.camera == tree.camera and free.appearance == tree.appearance
    assert free.gc is not None and free.gc["body"].tolist() == [0, 2]
    assert free.joint_names[1:] == ("b", "c")
    assert sv.free_base(free).jtype == free.jtype
    for wrong in (sv.autoTree(7), sv.planar(7), zoo.build("two_floating"), zoo.build("SE3")):
        with pytest.raises(sv.ModelError, match="want a floating base"):
            sv.free_base(wrong)
    for body in range(5):
        for field in (
            {"gc": {"point": np.zeros((1, 3)), "body": [body]}},
            {"camera": {"body": body}},
        ):
            with pytest.raises(sv.ModelError, match="which carry the floating base, are removed"):
                sv.free_base(sv.floatbase(tree).replace(**field))


def test_frames_stay_on_their_bodies_with_a_free_base() -> None:
    """`free_base` keeps frames on the base and on the tree, and drops those of massless bodies."""
    frames = {f"on {body}": Frame(body, sv.xlt([body, 1, 2])) for body in (-1, 0, 2)}
    floating = sv.floatbase(sv.autoTree(3, 2).replace(frames=frames))
    massless = {f"massless {body}": Frame(body, np.eye(6)) for body in range(5)}
    free = sv.free_base(floating.replace(frames={**(floating.frames or {}), **massless}))
    assert free.frames is not None and list(free.frames) == list(frames)
    for name, frame in frames.items():
        assert free.frames[name].body == frame.body
        assert_array_equal(free.frames[name].X, frame.X)


def test_trunk_of_the_quadruped_has_the_mass_and_centre_of_its_parts() -> None:
    """The trunk has the mass and the centre of its parts: the body, and an actuator at each hip."""
    p = sv.get_miniCheetah_params()
    whole = sv.mcI(p.body_mass, [0, 0, 0], p.body_inertia)
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        place = np.array([x, y, 1]) * p.abad_location + p.abad_center
        whole = whole + sv.mcI(p.abad_mass, place, p.abad_inertia)
    trunk = sv.build_quadruped_model().I[2]
    assert_allclose(trunk[:, 3:], whole[:, 3:], rtol=1e-12, atol=1e-12)
    h = whole[:3, 3:] / whole[3, 3]
    # MATLAB's parallel-axis term of the trunk includes the mass of the actuators, and so does this
    # library's
    flaw = 4 * p.abad_mass * h @ h.T
    assert_allclose(trunk[:3, :3] - whole[:3, :3], flaw, rtol=1e-12, atol=1e-12)


def test_parameters_of_the_panda_may_be_a_vector_or_a_row_for_each_link() -> None:
    given = golden_io.raw(ROBOTS, "Panda", "in_params").ravel()
    for shape in ((70, 1), (7, 10)):
        np.testing.assert_array_equal(
            sv.Panda_model(given.reshape(shape)).I, sv.Panda_model(given).I
        )
    for shape in ((10, 7), (1, 70), (2, 35)):
        with pytest.raises(sv.ModelError, match="params must be 70 numbers, ten of each link"):
            sv.Panda_model(given.reshape(shape))


def test_data_of_replaced_joints_are_left_out() -> None:
    """Neither limits of a joint that is gone remain, nor joints that mimic it."""
    limits = {"joint0": (0.0, 1.0), "joint1": (0.0, 2.0)}
    mimic = {"joint1": ("joint0", 2.0, 0.0), "joint2": ("joint1", 3.0, 0.0)}
    tree = sv.autoTree(3).replace(limits=limits, mimic=mimic)
    floating = sv.floatbase(tree)
    assert floating.limits == {"joint1": JointLimits(0.0, 2.0)}
    assert floating.mimic == {"joint2": ("joint1", 3.0, 0.0)}
    more = {"base_x": ("joint1", 1.0, 0.0), "joint1": ("base_yaw", 1.0, 0.0)}
    floating.limits = {**floating.limits, "base_x": (0.0, 1.0), "base_yaw": (0.0, 1.0)}
    floating.mimic = {**floating.mimic, **more}
    free = sv.free_base(floating)
    assert free.limits == {"joint1": JointLimits(0.0, 2.0)}
    assert free.mimic == {"joint2": ("joint1", 3.0, 0.0)}


@pytest.mark.parametrize("make", [sv.floatbase, sv.free_base])
def test_models_with_another_base_share_no_data(make: Callable[[sv.Model], sv.Model]) -> None:
    """Edits of the new model leave the old one as it is."""
    old = (sv.autoTree(2) if make is sv.floatbase else sv.floatbase(sv.autoTree(2))).replace(
        limits={"joint1": (0.0, 1.0)}, loops={}, mimic={}, camera={"zoom": 1.0}
    )
    new = make(old)
    assert new.camera is not None and old.camera is not None
    new.camera["new"] = 1  # type: ignore[index]
    assert "new" not in old.camera

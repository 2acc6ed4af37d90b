"""Loops and couplings that robot files define: URDF+, the YAML beside URDF, SDF, MJCF."""

import warnings

import numpy as np
import pytest
from helpers import near

import spatial_v2 as sv

INERTIAL = """<inertial> <origin xyz="0.2 0.03 0.01"/> <mass value="{}"/>
  <inertia ixx="0.02" iyy="0.11" izz="0.12" ixy="0.001" ixz="0" iyz="0"/> </inertial>"""
JOINT = """<joint name="{}" type="{}" {}> <parent link="{}"/> <child link="{}"/>
  <origin xyz="{}" rpy="{}"/> <axis xyz="0 0 1"/> </joint>"""
BARS = [  # a four-bar linkage, closed at zero: a trapezoid
    ("crank", 'independent="true"', "base", "left", "0 0 0", "0 0 1.2"),
    ("rod", 'independent="false"', "left", "top", "0.5 0 0", "0 0 -1.2"),
    ("rocker", 'independent="false"', "base", "right", "1 0 0", "0 0 1.8"),
]


def meeting():
    """Return where the links left, top and right end at zero, in coordinates of top and right."""
    x, y = 0.5 * np.cos(1.2), 0.5 * np.sin(1.2)
    point = np.array([0.9, 0.55])
    at_top = point - [x, y]
    c, s = np.cos(1.8), np.sin(1.8)
    at_right = np.array([[c, s], [-s, c]]) @ (point - [1, 0])
    return at_top, at_right


def text_of(x, z=0.0):
    """Return coordinates as text, exactly."""
    return " ".join(repr(float(v)) for v in (*x, z))


def linkage(kind="revolute", *, marks=True, more=""):
    """Return a four-bar linkage in URDF+."""
    top, right = meeting()
    links = [f'<link name="{n}">{INERTIAL.format(k + 0.5)}</link>'
             for k, n in enumerate(["base", "left", "top", "right"])]  # fmt: skip
    joints = [JOINT.format(n, "continuous", m * marks, *rest) for n, m, *rest in BARS]
    loop = f"""<loop name="pin" type="{kind}">
      <predecessor link="top"> <origin xyz="{text_of(top)}"/> </predecessor>
      <successor link="right"> <origin xyz="{text_of(right)}"/> </successor>
      <axis xyz="0 0 1"/> </loop>"""
    return f'<robot name="bars">{"".join(links)}{"".join(joints)}{loop}{more}</robot>'


def written(folder, text, name="robot.urdf"):
    """Write a file and return its path."""
    path = folder / name
    path.write_text(text)
    return path


def quiet(read, *given, **options):
    """Read a file without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sv.LoaderWarning)
        return read(*given, **options)


def agrees_with_multipliers(model, yd, tau):
    """Check forward dynamics against multipliers on the tree."""
    y = sv.neutral(model)
    q = model.coupling.configuration(y)
    ydd = sv.FDab(model, y, yd, tau)
    force = np.zeros(model.tree.NV)
    own = [model.tree.vinds[model.tree.joint(n)].start for n in model.joint_names]
    force[own] = tau
    rows = sv.loop_constraints(model.tree)
    qdd = sv.KKT_FD(model.tree, q, model.motion(y, yd), force, rows, rank="minimum_norm").qdd
    near(ydd, qdd[own], 1e-9)
    near(sv.ID(model, y, yd, ydd), tau, 1e-9)


@pytest.mark.parametrize("kind", ["revolute", "continuous"])
def test_loops_of_urdf_plus(tmp_path, kind):
    path = written(tmp_path, linkage(kind))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        free = sv.load_urdf(path, couplings="free")
        model = sv.load_urdf(path)
        assert sv.load_model(path, couplings="imposed").NV == sv.load_model(path).NV == 1
    assert free.NV == 3 and [*free.loops] == ["pin"]
    assert free.left_out[0] == "loop (data in model.loops)"
    assert model.joint_names == ("crank",)
    assert not any("loop" in x or "independent" in x for x in model.left_out)
    agrees_with_multipliers(model, [0.7], [1.5])


def test_independent_joints_are_those_of_the_file(tmp_path):
    swapped = linkage().replace('"true"', '"x"').replace('"false"', '"true"', 1)
    with pytest.raises(sv.ModelFileError, match="independent='x': want true or false"):
        sv.load_urdf(written(tmp_path, swapped))
    model = sv.load_urdf(written(tmp_path, swapped.replace('"x"', '"false"')))
    assert model.joint_names == ("rod",)
    unmarked = sv.load_urdf(written(tmp_path, linkage(marks=False)))
    assert "chosen" in repr(unmarked) and unmarked.NV == 1


def test_a_loop_that_is_open_at_zero_says_what_to_write(tmp_path):
    text = linkage().replace('name="rocker" type="continuous"', 'name="rocker" type="fixed"')
    path, words = written(tmp_path, text), r"couple\(model, constraints=loop_constraints\(model"
    with pytest.raises(sv.ModelFileError, match=words):
        sv.load_urdf(path, couplings="imposed")
    with pytest.warns(
        sv.LoaderWarning, match=f"robot.urdf: loop 'pin' stays open: .*{words}"
    ) as said:
        tree = sv.load_urdf(path)
    assert type(tree) is sv.Model and tree.left_out[0] == "loop 'pin'" and len(said) == 1


def test_the_other_couplings_of_a_file_are_imposed(tmp_path):
    """A loop that is open at zero stays open; joints that follow others still do."""
    follow = '<link name="{0}"/>' + JOINT.format(
        "{0}_j", "continuous", "", "base", "{0}", "0 0 0", "0 0 0"
    ).replace("<axis", '<mimic joint="{1}" multiplier="2"/><axis')
    more = follow.format("a", "crank") + follow.format("b", "a_j")
    text = linkage(marks=False, more=more)
    quiet_model = quiet(sv.load_urdf, written(tmp_path, text))
    assert quiet_model.NV == 1 and "mimic" in repr(quiet_model)
    bent = text.replace('name="rocker" type="continuous"', 'name="rocker" type="fixed"')
    with pytest.warns(
        sv.LoaderWarning, match=r"'pin' stays open: .*couple\(model.tree, con"
    ) as said:
        model = sv.load_urdf(written(tmp_path, bent))
    assert len(said) == 1 and "a_j" not in str(said[0].message)
    assert model.joint_names == ("crank", "rod") and model.left_out[0] == "loop 'pin'"
    q = dict(zip(model.tree.joint_names, model.coupling.configuration([0.3, 0.5]), strict=True))
    near([q["a_j"], q["b_j"]], [0.6, 1.2])
    agree = sv.load_urdf(written(tmp_path, bent), couplings="free")
    near(sv.ID(model, [0.3, 0.5], [0, 0], [0, 0]), model.coupling.matrix.T @ sv.ID(
        agree, model.coupling.configuration([0.3, 0.5]), np.zeros(4), np.zeros(4)))  # fmt: skip
    # of two loops the one that closes
    far = text[text.index("<loop") : text.index("</loop>") + 7].replace('"pin"', '"far"')
    far = far.replace(text_of(meeting()[0]), "9 0 0")
    two = text.replace("<loop", f"{far}<loop", 1)
    with pytest.warns(sv.LoaderWarning, match="loop 'far' stays open"):
        model = sv.load_urdf(written(tmp_path, two))
    assert model.NV == 1 and "loop 'pin'" not in model.left_out


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('type="revolute">', 'type="ball">', "type='ball' is not a type of loop"),
        ('predecessor link="top"', 'predecessor link="tip"', "link='tip' is an unknown link"),
        ("</robot>", '<loop name="pin" type="fixed"/></robot>', "duplicate loop 'pin'"),
        ("successor", "success", "<successor> is missing"),
        ('<axis xyz="0 0 1"/> </loop>', '<axis xyz="0 0 0"/> </loop>', "zero vector"),
    ],
)
def test_wrong_loops_are_errors(tmp_path, old, new, words):
    with pytest.raises(sv.ModelFileError, match=words):
        sv.load_urdf(written(tmp_path, linkage().replace(old, new)))


def test_loops_are_written_and_read_again(tmp_path):
    path = written(tmp_path, linkage())
    model = sv.load_urdf(path)
    for given, couplings in ((model, "auto"), (sv.load_urdf(path, couplings="free"), "free")):
        again = sv.load_urdf(written(tmp_path, sv.to_urdf(given), "b.urdf"), couplings=couplings)
        assert again.joint_names == given.joint_names
        x = np.random.default_rng(0).normal(size=(3, given.NV)) * 0.2
        near(sv.ID(again, *x), sv.ID(given, *x))
        (old,), (new,) = (getattr(m, "tree", m).loops.values() for m in (given, again))
        near(np.linalg.pinv(new.rows.T) @ new.rows.T, np.linalg.pinv(old.rows.T) @ old.rows.T)
    at = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    turn, move = np.zeros((2, 3, 6))
    turn[:, :3] = move[:, 3:] = at
    kinds = {"fixed": np.eye(6), "revolute": [*turn[1:], *move], "prismatic": [*turn, *move[1:]],
             "planar": [*turn[1:], move[0]]}  # fmt: skip
    for kind, rows in kinds.items():
        loop = sv.Loop(
            "frame", "body1", sv.xlt([1, 2, 3]), "body2", sv.xlt([0, 1, 0]), np.transpose(rows)
        )
        tree = sv.autoTree(3).replace(loops={"x": loop})
        text = sv.to_urdf(tree)
        assert f'type="{kind}">' in text
        back = sv.load_urdf(written(tmp_path, text), couplings="free").loops["x"]
        span = [np.linalg.pinv(x.rows.T) @ x.rows.T for x in (loop, back)]
        near(*span)
        near(back.X1, loop.X1)
    for rows in (np.eye(6)[:, 2:], np.eye(6)[:, :4], np.eye(6)[:, 3:]):
        with pytest.raises(
            sv.ModelError, match="URDF\\+ has welds, hinges, sliders and planes only"
        ):
            sv.to_urdf(sv.autoTree(3).replace(loops={"x": loop._replace(rows=rows)}))
    floating = sv.autoTree(2, 1).replace(jtype=["Fb", "R"])
    world = sv.Loop("frame", "body1", np.eye(6), "here", np.eye(6), np.eye(6))
    with pytest.raises(sv.ModelError, match="no link that is the world"):
        sv.to_urdf(floating.replace(frames={"here": (-1, np.eye(6))}, loops={"x": world}))


COUPLED = """<coupling name='{}'> <predecessor link='{}'/> <successor link='{}'/>
  <ratio value='{}'/> </coupling>"""


def geared():
    """Return an arm of two links with two rotors on its base, in URDF+: a differential."""
    links = [f'<link name="{n}">{INERTIAL.format(k + 0.5)}</link>'
             for k, n in enumerate(["base", "upper", "lower", "wheel", "disc"])]  # fmt: skip
    joints = [
        ("shoulder", 'independent="true"', "base", "upper", "0 0 0", "0 0 0"),
        ("elbow", 'independent="true"', "upper", "lower", "0.5 0 0", "0 0 0"),
        ("r1", 'independent="false"', "base", "wheel", "0 0 .1", "0 0 0"),
        ("r2", 'independent="false"', "base", "disc", "0 0 .2", "0 0 0"),
    ]
    elements = COUPLED.format("a", "upper", "wheel", 6.0) + COUPLED.format("b", "lower", "disc", 2)
    text = "".join(JOINT.format(n, "continuous", *rest) for n, *rest in joints)
    return f'<robot name="arm">{"".join(links)}{text}{elements}</robot>'


def test_couplings_of_urdf_plus(tmp_path):
    """A ratio times the sum of the joints to one link is the sum of those to the other."""
    path = written(tmp_path, geared())
    free = sv.load_urdf(path, couplings="free")
    assert free.left_out[0] == "coupling (2)"
    model = sv.load_urdf(path)
    assert model.joint_names == ("shoulder", "elbow")
    q = dict(zip(free.joint_names, model.coupling.configuration(np.array([0.3, 0.5])), strict=True))
    near([q["r1"], q["r2"]], [6 * 0.3, 2 * (0.3 + 0.5)])
    one = (
        geared()
        .replace(COUPLED.format("b", "lower", "disc", 2), "")
        .replace('name="r2" type="continuous" independent="false"', 'name="r2" type="continuous"')
    )
    free = sv.load_urdf(written(tmp_path, one), couplings="free")
    assert free.left_out[0] == "coupling (data in model.mimic)"
    assert free.mimic == {"r1": ("shoulder", 6.0, 0.0)}
    assert sv.load_urdf(written(tmp_path, one)).NV == 3
    # joints that are not marked leave it open which of them follow
    unmarked = written(tmp_path, geared().replace('independent="false"', ""))
    with pytest.warns(
        sv.LoaderWarning, match="couplings of several joints are not imposed: .* marked"
    ):
        tree = sv.load_urdf(unmarked)
    assert tree.NV == 4 and tree.left_out[0] == "couplings of several joints"
    with pytest.raises(sv.ModelFileError, match="2 couplings do not determine .* none"):
        sv.load_urdf(unmarked, couplings="imposed")
    with pytest.raises(sv.ModelFileError, match="coupled and floating; want joints with one var"):
        sv.load_urdf(written(tmp_path, geared().replace('"elbow" type="continuous"',
            '"elbow" type="floating"')))  # fmt: skip


def test_mimic_elements_beside_couplings(tmp_path):
    """A mimic element joins the couplings; one that follows a fixed joint stays at its offset."""
    extra = '<link name="{0}"/>' + JOINT.format("{0}_j", "{1}", "", "base", "{0}", "0 0 0", "0 0 0")
    follow = extra.format("a", "continuous").replace(
        "<axis", '<mimic joint="{}" offset="0.5"/><axis'
    )
    fixed = extra.format("b", "fixed")
    for leader, wanted in (("elbow", 0.5 + 0.2), ("b_j", 0.5)):
        text = geared().replace("</robot>", follow.format(leader) + fixed + "</robot>")
        model = sv.load_urdf(written(tmp_path, text))
        assert set(model.joint_names) == {"shoulder", "elbow"}
        y = sv.neutral(model, {"shoulder": 0.3, "elbow": 0.2})
        q = dict(zip(model.tree.joint_names, model.coupling.configuration(y), strict=True))
        near([q["a_j"], q["r1"], q["r2"]], [wanted, 1.8, 1.0])
    planar = geared().replace(
        "</robot>", extra.format("c", "planar") + follow.format("c_j") + "</robot>"
    )
    with pytest.raises(sv.ModelFileError, match="'c_j' is coupled and planar"):
        sv.load_urdf(written(tmp_path, planar))


YAML = """closed_loop: [[end_a, end_b]]
type: ['{kind}']
name_mot: [crank]
joint_name: [{names}]
joint_type: [{types}]
"""


def with_ends():
    """Return the linkage with links at the two points that meet, in place of the loop."""
    top, right = meeting()
    ends = "".join(
        f'<link name="{n}"/>'
        + JOINT.format(f"{n}_fixed", "fixed", "", link, n, text_of(x), "0 0 0")
        for n, link, x in (("end_a", "top", top), ("end_b", "right", right))
    )
    text = linkage(marks=False)
    return text[: text.index("<loop")] + ends + "</robot>"


def test_loops_of_a_yaml_file_beside_urdf(tmp_path):
    pytest.importorskip("yaml")
    path = written(tmp_path, with_ends())
    plain = YAML.format(kind="3d", names="", types="")
    loops = written(tmp_path, plain, "robot.yaml")
    free = sv.load_urdf(path, loops=loops, couplings="free")
    assert free.loops["end_a"].kind == "point"
    assert "robot.yaml (data in model.loops)" in free.left_out[0]
    model = sv.load_urdf(path, loops=loops)
    x = [[0.1], [0.3], [0.2]]
    near(sv.ID(model, *x), sv.ID(sv.load_urdf(written(tmp_path, linkage(), "p.urdf"),
                                     couplings="imposed"), *x), 1e-10)  # fmt: skip
    twice = plain.replace("[[end_a, end_b]]", "[[end_a, end_b], [end_a, right]]")
    loops = written(tmp_path, twice.replace("['3d']", "[3d, 3d]"), "robot.yaml")
    free = sv.load_urdf(path, loops=loops, couplings="free")
    assert [x.frame2 for x in free.loops.values()] == ["end_b", "right"]
    # a rod with a ball at one end and a universal joint at the other
    other = YAML.format(kind="6D", names="rod, rocker", types="SPHERICAL, UJOINT_XZ")
    loops = written(tmp_path, other, "robot.yaml")
    free = sv.load_urdf(path, loops=loops, couplings="free")
    assert free.jtype == ("Rz", "S", "Rx", "Rz")
    assert free.joint_names == ("crank", "rod", "rocker_1", "rocker")
    loops = written(tmp_path, other.replace("UJOINT_XZ", "FIXED"), "robot.yaml")
    assert sv.load_urdf(path, loops=loops, couplings="free").joint_names == ("crank", "rod")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("end_b", "end_c", "closed_loop: the URDF file has no link 'end_c'"),
        ("crank", "knee", "name_mot: the URDF file has no joint 'knee'"),
        ("3d", "4d", "type: want '6d' or '3d', got '4d'"),
        ("['3d']", "[]", "type: want 1 entries"),
        ("['3d']", "3d", "type: want a list"),
        ("[[end_a, end_b]]", "[end_a, end_b]", "type: want 2 entries"),
        ("closed_loop", "loops", "want the key closed_loop"),
        ("name_mot", "motors", r"unknown keys \['motors'\]"),
        ("joint_type: []", "joint_type: [SPHERICAL]", "joint_type: want 0 entries"),
        ("joint_name: []\njoint_type: []", "joint_name: [rod]\njoint_type: [BALL]",
         "joint_type: want one of SPHERICAL"),
        ("[[", "[[[", "cannot be read"),
        (", end_b]]", "]]", "want pairs of links, got"),
        ("[end_a, end_b]", "[[end_a], {end_b: 1}]", r"has no link \['end_a'\]"),
        ("[crank]", "[[crank]]", r"has no joint \['crank'\]"),
        ("joint_name: []\njoint_type: []", "joint_name: [rod]\njoint_type: [[FIXED]]",
         r"want one of SPHERICAL.* got \['FIXED'\]"),
    ],
)  # fmt: skip
def test_wrong_yaml_files_are_errors(tmp_path, old, new, words):
    pytest.importorskip("yaml")
    text = YAML.format(kind="3d", names="", types="")
    loops = written(tmp_path, text.replace(old, new), "robot.yaml")
    with pytest.raises(sv.ModelFileError, match=words):
        sv.load_urdf(written(tmp_path, with_ends()), loops=loops)


def test_pinocchio_moves_a_loop_in_the_same_way(tmp_path):
    pin = pytest.importorskip("pinocchio")
    model = sv.load_urdf(written(tmp_path, linkage()))
    peer = pin.buildModelFromUrdf(str(written(tmp_path, with_ends(), "ends.urdf")))
    data = peer.createData()
    ends = [peer.frames[peer.getFrameId(n)] for n in ("end_a", "end_b")]
    row = pin.RigidConstraintModel(
        pin.ContactType.CONTACT_3D, peer, ends[0].parentJoint, ends[0].placement,
        ends[1].parentJoint, ends[1].placement, pin.ReferenceFrame.LOCAL,
    )  # fmt: skip
    rows, more = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    rows.append(row)
    more.append(row.createData())
    pin.initConstraintDynamics(peer, data, rows, more)
    y, yd, tau = np.array([0.2]), np.array([0.9]), np.array([2.5])
    q, qd = model.coupling.configuration(y), model.motion(y, yd)
    theirs, v, force = pin.neutral(peer), np.zeros(3), np.zeros(3)
    for name, x, xd in zip(model.tree.joint_names, q, qd, strict=True):
        joint = peer.joints[peer.getJointId(name)]
        theirs[joint.idx_q : joint.idx_q + 2] = np.cos(x), np.sin(x)
        v[joint.idx_v] = xd
        force[joint.idx_v] = tau[0] * (name == "crank")
    settings = pin.ProximalSettings(1e-14, 1e-12, 200)
    qdd = pin.constraintDynamics(peer, data, theirs, v, force, rows, more, settings)
    crank = peer.joints[peer.getJointId("crank")].idx_v
    near(sv.FDab(model, y, yd, tau), qdd[crank : crank + 1], 1e-8)


MJCF = """<mujoco><option><flag contact="disable"/></option><compiler angle="radian"/><worldbody>
  <body name="left" euler="0 0 1.2"> <joint name="crank" axis="0 0 1"/> {0}
    <body name="top" pos=".5 0 0" euler="0 0 -1.2"> <joint name="rod" axis="0 0 1"/> {0} </body>
  </body>
  <body name="right" pos="1 0 0" euler="0 0 1.8"> <joint name="rocker" axis="0 0 1"/> {0} </body>
  </worldbody> <equality>{1}</equality></mujoco>"""
MASS = '<inertial pos=".1 .2 .3" mass="2" diaginertia="3 4 5"/>'


def test_loops_of_mjcf_are_closed(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    top = text_of(meeting()[0])
    text = MJCF.format(MASS, f'<connect body1="top" body2="right" anchor="{top}"/>')
    path = written(tmp_path, text, "robot.xml")
    free = sv.load_mjcf(path, couplings="free")
    assert free.NV == 3 and "loop_constraints" in free.left_out[0]
    model = sv.load_mjcf(path)
    assert model.NV == 1
    yd, tau = np.array([0.4]), np.array([1.3])
    agrees_with_multipliers(model, yd, tau)
    # MuJoCo's constraint is soft; its rows vanish along the motion
    peer = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(peer)
    y = sv.neutral(model)
    data.qpos[:] = model.coupling.configuration(y + 0.3)
    data.qvel[:] = model.motion(y + 0.3, yd)
    mujoco.mj_forward(peer, data)
    near(data.efc_pos, np.zeros(3))
    near(data.efc_J.reshape(-1, 3) @ data.qvel, np.zeros(3))


def test_polynomials_of_mjcf(tmp_path):
    """The joint constraint of MuJoCo, up to the fourth degree, and a joint that stays."""
    mujoco = pytest.importorskip("mujoco")
    rows = """<joint name="bend" joint1="rod" joint2="crank" polycoef=".1 2 -.3 .4 .05"/>
      <joint joint1="rocker" polycoef=".2 0 0 0 0"/>"""
    path = written(tmp_path, MJCF.format(MASS, rows), "robot.xml")
    free = sv.load_mjcf(path, couplings="free")
    assert free.NV == 3 and not free.mimic
    assert free.left_out[:2] == ("equality joint 'bend'", "equality joint 'equality1'")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = sv.load_mjcf(path)
    assert model.joint_names == ("crank",)
    peer = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(peer)
    for x in (0.0, 0.7, -1.1):
        q = model.coupling.configuration(np.array([x]))
        near(q, [x, np.polyval([0.05, 0.4, -0.3, 2, 0.1], x), 0.2])
        data.qpos[:], data.qvel[:] = q, model.motion([x], [1.3])
        mujoco.mj_forward(peer, data)
        near(data.efc_pos, np.zeros(2))
        near(data.efc_J.reshape(-1, 3) @ data.qvel, np.zeros(2))
    near(sv.ID(model, [0.3], [1.0], sv.FDab(model, [0.3], [1.0], [0.5])), [0.5], 1e-10)
    chain = rows.replace('joint1="rocker"', 'joint1="rocker" joint2="rod"').replace(
        'polycoef=".2 0', 'polycoef=".2 3'
    )
    model = sv.load_mjcf(written(tmp_path, MJCF.format(MASS, chain), "robot.xml"))
    q = model.coupling.configuration(np.array([0.7]))
    near(q[2], 0.2 + 3 * q[1])
    circle = chain.replace('joint1="rod" joint2="crank"', 'joint1="rod" joint2="rocker"')
    path = written(tmp_path, MJCF.format(MASS, circle), "robot.xml")
    with pytest.raises(sv.ModelFileError, match="follow each other in a circle"):
        sv.load_mjcf(path, couplings="imposed")
    with pytest.warns(sv.LoaderWarning, match="'rod' moves freely: .* in a circle"):
        model = sv.load_mjcf(path)
    assert model.joint_names == ("crank", "rod")
    twice = chain.replace('joint1="rocker" joint2="rod"', 'joint1="rod" joint2="rocker"')
    path = written(tmp_path, MJCF.format(MASS, twice), "robot.xml")
    with pytest.warns(sv.LoaderWarning, match="'equality1', the second of joint 'rod'"):
        assert sv.load_mjcf(path).joint_names == ("crank", "rocker")


def gripper_of_linkages(relation):
    """Return two four-bar linkages, whose cranks are coupled."""
    pair = []
    for k, side in enumerate(["l_", "r_"]):
        bodies = MJCF.split("<worldbody>")[1].split("</worldbody>")[0].format(MASS)
        for name in ("left", "top", "right", "crank", "rod", "rocker"):
            bodies = bodies.replace(f'name="{name}"', f'name="{side}{name}"')
        pair.append(f'<body name="{side}base" pos="0 0 {k}">{bodies}</body>')
    top = text_of(meeting()[0])
    rows = "".join(
        f'<connect body1="{s}top" body2="{s}right" anchor="{top}"/>' for s in ("l_", "r_")
    )
    head = MJCF.split("<worldbody>")[0]
    equality = f"<equality>{rows}{relation}</equality>"
    return f"{head}<worldbody>{''.join(pair)}</worldbody>{equality}</mujoco>"


def test_linkages_of_a_gripper_move_together(tmp_path):
    """Loops, and a joint constraint between their cranks, as in the files of Robotiq's grippers."""
    mujoco = pytest.importorskip("mujoco")
    gear = '<joint joint1="r_crank" joint2="l_crank" polycoef="0 -0.8 0 0 0"/>'
    path = written(tmp_path, gripper_of_linkages(gear), "gripper.xml")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = sv.load_mjcf(path)
    assert model.joint_names == ("l_crank",) and "mimic" in repr(model)
    y, yd, tau = np.array([0.2]), np.array([0.7]), np.array([1.1])
    q = model.coupling.configuration(y)
    peer = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(peer)
    data.qpos[:], data.qvel[:] = q, model.motion(y, yd)
    mujoco.mj_forward(peer, data)
    near(data.efc_pos, np.zeros(7))
    near(data.efc_J.reshape(-1, 6) @ data.qvel, np.zeros(7))
    near(sv.ID(model, y, yd, sv.FDab(model, y, yd, tau)), tau, 1e-10)
    near(sv.ID(model, q, yd, tau), sv.ID(model, y, yd, tau))
    twin = sv.load_urdf(written(tmp_path, sv.to_urdf(model.replace(**hinges(model)))))
    near(sv.ID(twin, y, yd, tau), sv.ID(model, y, yd, tau), 1e-10)
    bent = written(tmp_path, gripper_of_linkages(gear.replace("0 0 0", ".1 0 0")), "bent.xml")
    curved = sv.load_mjcf(bent)
    q = curved.coupling.configuration(y)
    near(q[curved.tree.qinds[curved.tree.joint("r_crank")]], -0.8 * y + 0.1 * y**2)
    data = mujoco.MjData(peer := mujoco.MjModel.from_xml_path(str(bent)))
    data.qpos[:], data.qvel[:] = q, curved.motion(y, yd)
    mujoco.mj_forward(peer, data)
    near(data.efc_pos, np.zeros(7))
    near(data.efc_J.reshape(-1, 6) @ data.qvel, np.zeros(7))
    near(sv.ID(curved, y, yd, sv.FDab(curved, y, yd, tau)), tau, 1e-10)
    again = sv.load_mjcf(written(tmp_path, sv.to_mjcf(curved), "again.xml"))
    near(sv.ID(again, y, yd, tau), sv.ID(curved, y, yd, tau), 1e-10)
    rod = gear.replace("r_crank", "r_rod")
    path, words = written(tmp_path, gripper_of_linkages(rod), "rod.xml"), "'r_rod' is not among"
    with pytest.raises(sv.ModelFileError, match=f"{words} the independent joints"):
        sv.load_mjcf(path, couplings="imposed")
    with pytest.warns(sv.LoaderWarning, match=f"joint 'r_rod' moves freely: .*{words}"):
        assert sv.load_mjcf(path).NV == 2


def hinges(model):
    """Return the loops of a model as hinges, which URDF+ can represent."""
    rows = np.eye(6)[:, [0, 1, 3, 4, 5]]
    loops = {name: x._replace(kind="frame", rows=rows) for name, x in model.tree.loops.items()}
    return {"loops": loops, "armature": None}


def test_a_floating_robot_keeps_the_polynomials_of_its_file(tmp_path):
    pytest.importorskip("mujoco")
    text = f"""<mujoco><worldbody> <body> <joint name="a"/> {MASS} <body> <joint name="b"/> {MASS}
      <body> <joint name="c"/> {MASS} </body> </body> </body> </worldbody> <equality>
      <joint joint1="c" joint2="b" polycoef="0 0 1 0 0"/> </equality></mujoco>"""
    path = written(tmp_path, text, "robot.xml")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = sv.load_model(path, floating_base=True)
    assert model.joint_names == ("a", "b") and model.NV == 7
    q = model.coupling.configuration(np.append(sv.neutral(model)[:7], 3.0))
    near(q[-2:], [3.0, 9.0])


def test_loops_of_sdf_are_closed(tmp_path):
    right = meeting()[1]
    link = "<link name='{}'><pose>{} 0 0 {}</pose>{}</link>"
    mass = "<inertial><pose>.1 .2 0 0 0 0</pose><mass>2</mass></inertial>"
    x, y = float(0.5 * np.cos(1.2)), float(0.5 * np.sin(1.2))
    places = {"left": ("0 0 0", 1.2), "top": (f"{x!r} {y!r} 0", 0), "right": ("1 0 0", 1.8)}
    links = "".join(link.format(n, p, a, mass) for n, (p, a) in places.items())
    joint = """<joint name='{}' type='{}'><pose>{} 0 0 0</pose><parent>{}</parent><child>{}</child>
      <axis><xyz>0 0 1</xyz></axis></joint>"""
    joints = [("crank", "revolute", "0 0 0", "world", "left"),
              ("rod", "revolute", "0 0 0", "left", "top"),
              ("rocker", "revolute", "0 0 0", "world", "right"),
              ("pin", "revolute", text_of(right), "top", "right")]  # fmt: skip
    text = "".join(joint.format(*j) for j in joints)
    path = written(tmp_path, f"<sdf version='1.11'><model name='m'>{links}{text}</model></sdf>",
                   "robot.sdf")  # fmt: skip
    free = sv.load_sdf(path, couplings="free")
    assert free.NV == 3 and "'pin', which closes a loop" in free.left_out[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = sv.load_sdf(path)
    follows = "<mimic joint='crank'><multiplier>2</multiplier></mimic></axis>"
    pin = joint.format(*joints[-1])
    text = path.read_text().replace(pin, pin.replace("</axis>", follows))
    with pytest.warns(sv.LoaderWarning, match="mimic of joint 'pin', which closes a loop"):
        assert sv.load_sdf(written(tmp_path, text, "more.sdf")).NV == 1
    assert model.NV == 1 and isinstance(model.tree, sv.Model)
    agrees_with_multipliers(model, [0.4], [1.3])
    tree = model.tree
    again = sv.couple(tree, constraints=sv.loop_constraints(tree), independent=model.joint_names)
    near(sv.ID(again, [0.1], [1.0], [2.0]), sv.ID(model, [0.1], [1.0], [2.0]))

"""The model: invalid fields are errors, and after edits all derived attributes are up to date."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from numpy.testing import assert_array_equal

import spatial_v2 as sv

LINK = sv.mcI(1.0, [0.5, 0.0, 0.0], np.diag([0.0025, 0.085, 0.085]))
SCREW = {"code": "H", "pars": {"pitch": 0.1}}


def fields(**changes: Any) -> dict[str, Any]:
    """Return the fields of a valid model of three bodies, with changes."""
    good = {
        "parent": [-1, 0, 0],
        "jtype": ["Rz", "Ry", SCREW],
        "Xtree": [sv.xlt([i, 0.0, 0.0]) for i in range(3)],
        "I": [LINK] * 3,
    }
    return {**good, **changes}


def with_entry(name: str, i: int, value: Any) -> dict[str, Any]:
    values = list(fields()[name])
    values[i] = value
    return {name: values}


def rotor(**changes: Any) -> dict[str, Any]:
    return {
        "has_rotor": [0, 1, 0], "jtype_rotor": [None, "Rx", None], "gr": [None, 3.0, None],
        "Xrotor": [None, np.eye(6), None], "I_rotor": [None, LINK, None], **changes,
    }  # fmt: skip


REFLECTION = np.diag([1.0, 1.0, -1.0, 1.0, 1.0, -1.0])
LOPSIDED = LINK + np.eye(6, k=1)
BAD: list[tuple[dict[str, Any], str]] = [
    ({"parent": [0, 1, 1]}, "is in MATLAB's 1-based numbering .* read the model by Model.from_mat"),
    ({"parent": [0, 0, 0]}, "MATLAB's 1-based numbering"),
    ({"parent": [-1, 2, 0]}, r"parent\[1\] = 2: .* so it is one of -1 \(fixed base\) .. 0"),
    ({"parent": [-1, 1, 0]}, r"parent\[1\] = 1"),
    ({"parent": [-2, 0, 0]}, r"parent\[0\] = -2"),
    ({"parent": [-1, 0.5, 0]}, "parent: want integers"),
    ({"parent": [-1, np.nan, 0]}, "parent: want integers"),
    ({"parent": ["base", "a", "a"]}, "parent: want integers"),
    ({"parent": [[-1, 0, 0]]}, "parent: want one integer per body"),
    ({"parent": []}, "parent: want one integer per body"),
    ({"parent": [-1, 0]}, "jtype: 3 joint types for 2 bodies"),
    ({"jtype": ["Rz", "Ry"]}, "jtype: 2 joint types for 3 bodies"),
    ({"jtype": "Rz"}, "jtype: want a list of 3 joint types, got 'Rz'"),
    ({"jtype": ["Rz", "Ry", "H"]}, r"a helical joint needs its pitch .*\(joint 2\)"),
    ({"jtype": ["Rz", "Rq", "Rx"]}, r"unknown joint code 'Rq'.*\(joint 1\)"),
    ({"jtype": ["Rz", "px", "Rx"]}, r"joint 'px' is not allowed in a spatial \(6x6\) model"),
    ({"Xtree": [np.eye(6)] * 2}, r"Xtree: want shape \(3, 6, 6\) or \(3, 3, 3\)"),
    ({"Xtree": np.eye(6)}, "Xtree: want shape"),
    (with_entry("Xtree", 1, np.eye(3)), "Xtree: the matrices differ in shape"),
    (with_entry("Xtree", 1, sv.rotx(0.3) * 1.01), r"Xtree\[1\] is not a Pl"),
    (with_entry("Xtree", 1, sv.xlt([1.0, 2.0, 3.0]).T), r"Xtree\[1\] is not a Pl"),
    (with_entry("Xtree", 2, REFLECTION), r"Xtree\[2\] is not a Pl"),
    (with_entry("Xtree", 2, np.full((6, 6), np.nan)), r"Xtree\[2\] has entries that are not fin"),
    ({"Xtree": "eye"}, "Xtree: want numbers"),
    ({"I": [np.eye(3)] * 3}, r"I: want shape \(3, 6, 6\)"),
    (with_entry("I", 1, LOPSIDED), r"I\[1\] is not a rigid-body inertia"),
    (with_entry("I", 1, -LINK), r"I\[1\]: the mass is negative"),
    (with_entry("I", 0, np.full((6, 6), np.inf)), r"I\[0\] has entries that are not finite"),
    ({"gravity": [0, -9.81]}, "gravity: want 3 components"),
    ({"joint_names": ["a", "b"]}, "joint_names: want 3 names, one for each body, got 2"),
    ({"body_names": ["a"]}, "body_names: want 3 names, one for each body, got 1"),
    ({"joint_names": ["a", 1, "b"]}, "joint_names: want names that are strings, got 1"),
    (rotor(gr=None), r"gr\[1\]: missing, but has_rotor\[1\] is set"),
    (rotor(jtype_rotor=[None] * 3), r"jtype_rotor\[1\]: missing"),
    (rotor(has_rotor=[1, 0]), "has_rotor: want 3 entries, one for each body, got 2"),
    (rotor(jtype_rotor=[None, "S", None]), r"has_rotor\[1\]: the joint of a rotor"),
    (rotor(jtype=["Rz", "S", "Rx"]), r"has_rotor\[1\]: the joint of a rotor"),
    (rotor(Xrotor=[None, np.eye(3), None]), r"Xrotor\[1\]: want shape \(6, 6\), got \(3, 3\)"),
    (rotor(I_rotor=[None, -LINK, None]), r"I_rotor\[1\]: the mass is negative"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "message"), BAD, ids=[m for _, m in BAD])
def test_bad_fields_are_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(sv.SpatialError, match=message) as error:
        sv.Model(**fields(**changes))
    assert isinstance(error.value, sv.ModelError | sv.JointTypeError)


def test_unusual_but_valid_fields_are_accepted() -> None:
    """Massless bodies, integers, tuples, columns and a rotor on a helical joint are accepted."""
    sv.Model(**fields(I=[LINK, np.zeros((6, 6)), LINK], gravity=[[0], [0], [-1]]))
    sv.Model(**fields(parent=np.array([-1.0, 0.0, 0.0]), jtype=("Rz", "Ry", "SE3")))
    assert sv.Model(**fields(**rotor())).n_rotor == 1
    assert sv.Model(parent=-1, jtype=["Fb"], Xtree=[np.eye(6)], I=[np.eye(6)]).NB == 1
    assert sv.planar(2).replace(gravity=[0, -9.81, 5]).gravity.tolist() == [0, -9.81]


@pytest.mark.parametrize("name", ["I", "I_rotor"])
def test_impossible_inertias_are_warned_of_and_kept(name: str) -> None:
    """An inertia of no distribution of mass gives a warning and is kept.

    A principal moment cannot exceed the sum of the other two.
    """
    rod = sv.mcI(1.0, [0.0, 0.0, 0.0], np.diag([1.0, 1.0, 3.0]))
    changes = {"I": [LINK, rod, LINK]} if name == "I" else rotor(I_rotor=[None, rod, None])
    with pytest.warns(sv.InertiaWarning, match=rf"^{name}\[1\] is the inertia of no"):
        model = sv.Model(**fields(**changes))
    assert_array_equal(getattr(model, name)[1], rod)


def motion(model: sv.Model) -> list[np.ndarray]:
    """Compute the dynamics of a model at a fixed state."""
    s = zoo.states(model, np.random.default_rng(3))
    H, C = sv.HandC(model, s.q, s.qd)
    return [sv.ID(model, s.q, s.qd, s.qdd), H, C, sv.FDab(model, s.q, s.qd, s.tau)]


EDITS: dict[str, Callable[[sv.Model], None]] = {
    "jtype": lambda m: setattr(m, "jtype", {1: "Fb"}),
    "jtype list": lambda m: setattr(m, "jtype", ["S", "Px", "SE3"]),
    "pitch": lambda m: setattr(m, "jtype", {2: {"code": "H", "pars": {"pitch": 0.7}}}),
    "parent": lambda m: setattr(m, "parent", {2: 1}),
    "parent list": lambda m: setattr(m, "parent", [-1, -1, 0]),
    "Xtree": lambda m: setattr(m, "Xtree", {1: sv.rotx(0.4) @ sv.xlt([0.1, 0.2, 0.3])}),
    "I": lambda m: setattr(m, "I", {0: 3 * LINK}),
    "I list": lambda m: setattr(m, "I", [2 * LINK, LINK, LINK]),
    "gravity": lambda m: setattr(m, "gravity", {0: 2.0}),
    "gravity list": lambda m: setattr(m, "gravity", [1, 2, 3]),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edits_are_never_stale(edit: Callable[[sv.Model], None]) -> None:
    """After an assignment, before or after use, the model is like one constructed with it."""
    model = sv.Model(**copy.deepcopy(fields()))
    before = motion(model)
    edit(model)
    fresh = sv.Model(**model.fields())
    for field in ("nq", "nv", "NQ", "NV", "qinds", "vinds"):
        assert getattr(model, field) == getattr(fresh, field)
    for field in ("ancestors", "ancestor_vinds", "subtree_vinds", "successor_vinds"):
        for a, b in zip(getattr(model, field), getattr(fresh, field), strict=True):
            assert_array_equal(a, b)
    after = motion(model)
    for a, b in zip(after, motion(fresh), strict=True):
        assert_array_equal(a, b)
    assert any(a.shape != b.shape or (a != b).any() for a, b in zip(after, before, strict=True))


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda m: setattr(m, "parent", {1: 2}), r"parent\[1\] = 2"),
        (lambda m: setattr(m, "parent", {3: 2}), "parent: 3 is no entry; .* numbered from 0 to 2"),
        (lambda m: setattr(m, "jtype", [*m.jtype, "Rx"]), "4 joint types for 3 bodies"),
        (lambda m: setattr(m, "jtype", {1: "Rq"}), "unknown joint code"),
        (lambda m: setattr(m, "jtype", {1: "px"}), "is not allowed in a spatial"),
        (lambda m: setattr(m, "I", {-1: LINK}), "I: -1 is no entry"),
        (lambda m: setattr(m, "I", {1: 2.0}), r"I\[1\]: want shape \(6, 6\), got \(\)"),
        (lambda m: setattr(m, "damping", {1: 2.0}), "damping: want all entries, as there are none"),
        (lambda m: setattr(m, "parent", [-1, 0]), "want 3 entries, one for each body, got 2"),
        (lambda m: setattr(m, "I", [LINK] * 2), "I: want shape"),
        (lambda m: setattr(m, "Xtree", [np.eye(3)] * 3), r"Xtree: want shape \(3, 6, 6\)"),
        (lambda m: setattr(m, "gravity", 9.81), "gravity: want 3 components"),
    ],
)
def test_bad_edits_are_refused(edit: Callable[[sv.Model], None], message: str) -> None:
    model = sv.Model(**fields())
    motion(model)
    with pytest.raises(sv.SpatialError, match=message):
        edit(model)
        motion(model)


def test_misspelt_fields_are_refused() -> None:
    model = sv.autoTree(2)
    with pytest.raises(AttributeError, match="no field 'gravty'"):
        model.gravty  # noqa: B018
    with pytest.raises(AttributeError):
        model.gravty = [0, 0, 0]  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        model.NB = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        model.NV = 3
    assert {"NQ", "vinds", "parent", "replace"} <= set(dir(model))


def test_models_share_no_memory() -> None:
    """A model shares no memory with the arguments of its constructor, nor with copies."""
    given = fields(I=np.stack([LINK] * 3), parent=np.array([-1, 0, 0]))
    model = sv.Model(**given)
    others = [model.replace(), copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
    given["I"][0] *= 2
    given["parent"][2] = 1
    model.I = {1: 3 * model.I[1]}
    model.jtype = {0: "S"}
    for other in others:
        assert_array_equal(other.I, [LINK] * 3)
        assert other.jtype[0] == "Rz" and other.parent[2] == 0
        assert other.NV == 3


def test_repr_shows_the_tree() -> None:
    model = sv.Model(
        **fields(**rotor(), name="arm", body_names=["trunk", "left", "right"], gravity=[0, 1.5, 0])
    )
    assert repr(model).splitlines() == [
        "Model 'arm': 3 bodies, NQ = 3, NV = 3, gravity [0, 1.5, 0]",
        "base",
        "`- 0  Rz  trunk",
        "   |- 1  Ry +rotor  left",
        "   `- 2  H  right",
    ]
    assert "|- 0  Rz  body0" in repr(zoo.build("forest"))


def test_subtree_order_is_depth_first() -> None:
    """A body's own variables come first, then each child's subtree; checked with MATLAB's
    postProcessModel for 7 bodies.
    """
    model = sv.autoTree(7, 2)
    assert model.subtree_vinds[0].tolist() == [0, 1, 3, 4, 2, 5, 6]
    assert model.successor_vinds[2].tolist() == [5, 6]
    assert model.ancestors[6].tolist() == [0, 2, 6]
    floating = model.replace(jtype=["Fb"] + ["R"] * 6)
    assert floating.ancestor_vinds[3].tolist() == [0, 1, 2, 3, 4, 5, 6, 8]
    assert floating.body_of_v.tolist() == [0] * 6 + [1, 2, 3, 4, 5, 6]


def test_notebooks_show_the_tree_and_a_row_for_each_joint():
    model = sv.autoTree(3, 2).replace(body_names=["<a>", "b", "c"])
    page = model._repr_html_()
    assert page.count("<tr>") == 4
    assert "&lt;a&gt;" in page and "<a>" not in page


def test_notebooks_show_the_limits_of_the_joints_that_have_any() -> None:
    """A row ends with the lower and the upper limit of its joint, or with an empty cell."""
    model = sv.load_model("panda", couplings="free")
    some = {model.joint_names[k]: model.limits[model.joint_names[k]] for k in (0, 2)}
    page = model.replace(limits=some)._repr_html_()
    cells = [
        row.rpartition("<td")[2].partition(">")[2].partition("<")[0]
        for row in page.split("<tr>")[2:]
    ]
    wanted = [
        f"{x.lower:g} .. {x.upper:g}" if (x := some.get(name)) else "" for name in model.joint_names
    ]
    assert cells == wanted and len({*wanted}) > 1


def test_copies_of_a_model_have_the_same_joints() -> None:
    """Copies and pickles of a model have the same group objects, which are compared by identity."""
    model = zoo.build("mixed")
    groups = [joint.group for joint in model.layout.joints]
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert all(x.group is y for x, y in zip(other.layout.joints, groups, strict=True))
    for group in {*groups}:
        assert copy.copy(group) is copy.deepcopy(group) is group
        assert pickle.loads(pickle.dumps(group)) is group

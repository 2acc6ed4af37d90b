"""Fields that the dynamics do not use are checked when they are given, and conversions are made."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from zoo import build, random_transform, states

import spatial_v2 as sv
from spatial_v2.exceptions import ModelError, SpatialError
from spatial_v2.io import JointLimits, Mimic
from spatial_v2.model.frame import Frame

POINTS = np.arange(12.0).reshape(4, 3)
BODIES = [0, 1, 2, 2]

BAD = [
    ("gc", {"point": POINTS}, "gc: want .*body missing"),
    ("gc", {"points": POINTS, "body": BODIES}, "gc: want .*point missing"),
    ("gc", {"point": POINTS, "body": [1, 2, 3, 3]}, "gc.'body'. wants .* 0 .. 2, .*count from 1"),
    ("gc", {"point": POINTS, "body": [0.5] * 4}, "gc.'body'. wants numbers of bodies"),
    (
        "gc",
        {"point": POINTS, "body": "bodi1"},
        "gc.'body'.: no frame .*'bodi1'; did you mean .*'body1'",
    ),
    ("gc", {"point": POINTS, "body": [0, "tip", 1, 2]}, "gc.'body'.: no frame .*'tip'"),
    ("gc", {"point": POINTS, "body": Frame(-1, np.eye(6))}, "gc.'body'. wants numbers .* 0 .. 2"),
    ("gc", {"point": POINTS, "body": ["body1"] * 3}, r"gc wants point of shape \(n, 3\)"),
    ("gc", {"point": POINTS[:, :2], "body": BODIES}, r"gc wants point of shape \(n, 3\)"),
    ("gc", {"point": POINTS + 1j, "body": BODIES}, "gc.'point'. must be real"),
    ("gc", {"point": POINTS * np.nan, "body": BODIES}, "gc.'point'. wants finite"),
    ("gc", [1, 2], "gc: want a dict"),
    ("camera", {"body": 3}, "camera.'body'. wants .*count from 1"),
    ("camera", {"zom": 3}, "camera: unknown field 'zom'"),
    ("camera", "near", "camera: want a dict"),
    ("appearance", {"bodies": []}, "appearance: want .*'bodies'"),
    ("appearance", {"body": [[]] * 4}, "appearance.'body'.: want a list of 3 drawings"),
    ("appearance", {"body": {0: []}}, "appearance.'body'.: want a list"),
    ("limits", {"elbow": (0, 1)}, "limits: no joint is called 'elbow'"),
    ("limits", {"joint0": 3}, "limits.'joint0'.: want"),
    ("limits", {"joint0": (2, 1)}, "limits.'joint0'.: want .*lower <= upper"),
    ("limits", {"joint0": (0, np.nan)}, "limits.'joint0'.: want"),
    ("limits", {"joint0": {"upper": 1, "lowr": 0}}, "limits.'joint0'.: want"),
    ("limits", {"joint0": (0, 1, -1)}, "limits.'joint0'.: want .*not negative"),
    ("mimic", {"elbow": ("joint0", 1, 0)}, "mimic: no joint is called 'elbow'"),
    ("mimic", {"joint1": 2.0}, "mimic.'joint1'.: want"),
    ("mimic", {"joint1": (0, 1, 0)}, "mimic.'joint1'.: want"),
    ("mimic", {"joint1": ("joint0", np.inf, 0)}, "mimic.'joint1'.: want .*finite"),
    ("frames", {"tip": (3, np.eye(6))}, "frames.'tip'.: body wants .*-1 .. 2.*count from 1"),
    ("frames", {"tip": np.eye(6)}, "frames.'tip'.: want"),
    ("frames", {"tip": (2, np.eye(4))}, r"frames.'tip'.: want .*\(6, 6\)"),
    ("frames", {"a": (2, np.eye(6)), "tip": (2, 2 * np.eye(6))}, "frames.1. is not a .*'tip'"),
    ("frames", {0: (2, np.eye(6))}, "frames: want names"),
    ("user", {1: 2}, "user: want names"),
    ("user", 3, "user: want a dict"),
]


@pytest.mark.parametrize(("field", "value", "message"), BAD)
def test_wrong_values_are_refused_by_constructor_and_assignment(
    field: str, value: Any, message: str
) -> None:
    model = sv.autoTree(3)
    with pytest.raises(SpatialError, match=message):
        model.replace(**{field: value})
    with pytest.raises(SpatialError, match=message):
        setattr(model, field, value)


@pytest.mark.parametrize("name", ["branched", "floating", "planar_tree"])
def test_contact_points_on_frames_are_where_the_frames_say(name: str) -> None:
    """Points in coordinates of frames and bodies, by name or number, are those of `point_contact`
    and of the frame's motion, and survive an edit of the model.
    """
    rng, model = np.random.default_rng(1), build(name)
    d, n = (2, 3) if model.is_planar else (3, 6)
    X = random_transform(rng, n)
    model.frames = {"sole": Frame(model.NB - 1, X)}
    points = rng.normal(size=(5, d))
    ends = ["sole", model.body_names[0], Frame(1, X), 1, "sole"]
    model.gc = {"point": points, "body": ends}
    assert model.gc is not None and model.gc["body"].tolist() == [
        model.NB - 1,
        0,
        1,
        1,
        model.NB - 1,
    ]
    s = states(model, rng)
    p, pd = sv.gcPosVel(model, s.q, s.qd)
    for k, end in enumerate(ends):
        kin = sv.forward_kinematics(model, s.q, frame=end)
        assert_allclose(p[k], kin.p + kin.R @ points[k], atol=1e-12)
        velocity = sv.constraint_velocity(model, s.q, s.qd, [sv.point_contact(end, points[k])])
        assert_allclose(pd[k], velocity, atol=1e-12)
    for one in ("sole", model.frames["sole"], 1):
        model.gc = {"point": points, "body": one}
        several = model.replace(gc={"point": points, "body": [one] * 5})
        assert_array_equal(model.gc["point"], several.gc["point"])
        assert_array_equal(model.gc["body"], several.gc["body"])
    assert_allclose(
        sv.gcPosVel(model.replace(gravity=None), s.q, s.qd).p, sv.gcPosVel(model, s.q, s.qd).p
    )


def test_matlabs_forms_are_converted() -> None:
    """Structs may be objects with attributes; points may be columns, where that is clear."""
    model = sv.autoTree(3)
    model.gc = SimpleNamespace(point=POINTS.T, body=np.array([[0.0], [1], [2], [2]]))  # type: ignore[assignment]
    assert model.gc is not None
    assert_array_equal(model.gc["point"], POINTS)
    assert model.gc["body"].tolist() == BODIES and model.gc["body"].dtype == np.int64
    assert sv.gcPosVel(model, np.zeros(3), np.zeros(3)).p.shape == (4, 3)
    model.gc = {"point": POINTS[:3], "body": [0, 1, 2]}
    assert_array_equal(model.gc["point"], POINTS[:3])  # three points are rows
    model.gc = {"point": [1.0, 2, 3], "body": 1}
    assert_array_equal(model.gc["point"], [[1, 2, 3]])
    model.camera = SimpleNamespace(body=1.0, direction=[[1], [0], [0.1]], zoom=2)  # type: ignore[assignment]
    assert model.camera is not None and model.camera["body"] == 1
    assert_array_equal(model.camera["direction"], [1, 0, 0.1])
    model.appearance = SimpleNamespace(base=["box", [[0, 0, 0], [1, 1, 1]]], body=[[]] * 3)  # type: ignore[assignment]
    assert model.appearance is not None and len(model.appearance["body"]) == 3
    flat = sv.planar(2)
    flat.gc = {"point": np.ones((2, 3)), "body": [0, 1, 1]}
    assert_array_equal(flat.gc["point"], np.ones((3, 2)))


def test_tuples_become_records() -> None:
    X = sv.xlt([1.0, 2, 3])
    model = sv.autoTree(3).replace(
        limits={"joint0": (-1, 2), "joint1": {"effort": 3}, "joint2": [0, 1, 2, 3]},
        mimic={"joint1": ("joint0",), "joint2": {"joint": "fixed", "multiplier": -2}},
        frames={"tip": (2, X), "ground": [-1, X]},
    )
    inf = np.inf
    assert model.limits == {
        "joint0": JointLimits(-1, 2), "joint1": JointLimits(effort=3),
        "joint2": JointLimits(0, 1, 2, 3),
    }  # fmt: skip
    assert model.limits["joint0"].velocity == inf
    assert model.mimic == {"joint1": Mimic("joint0", 1, 0), "joint2": Mimic("fixed", -2, 0)}
    assert model.frames is not None and all(isinstance(x, Frame) for x in model.frames.values())
    with pytest.raises(ModelError, match="frames..tip.*want"):
        sv.planar(2).frames = {"tip": (1, X)}


COPIES: list[Callable[[sv.Model], sv.Model]] = [
    lambda m: m.replace(gravity=[0, 0, 0]), copy.copy, copy.deepcopy, sv.floatbase,
    lambda m: sv.free_base(sv.floatbase(m)), lambda m: pickle.loads(pickle.dumps(m)),
]  # fmt: skip


@pytest.mark.parametrize("made", COPIES)
def test_fields_of_the_user_survive(made: Callable[[sv.Model], sv.Model], tmp_path: Path) -> None:
    model = sv.autoTree(3)
    assert model.user == {}
    with pytest.raises(AttributeError, match="a Model has no field 'L'; .*model.user.'L'. ="):
        model.L = 0.3  # type: ignore[attr-defined]
    model.user["L"] = 0.3
    model.user["legs"] = {"names": ["left", "right"], "ends": np.eye(2)}
    new = made(model)
    assert new.user["L"] == 0.3 and new.user["legs"]["names"] == ["left", "right"]
    new.to_matlab(tmp_path / "m.mat")
    read = sv.Model.from_matlab(tmp_path / "m.mat").user
    assert read["L"] == 0.3 and read["legs"]["names"] == ["left", "right"]
    assert_array_equal(read["legs"]["ends"], np.eye(2))


def test_values_that_no_file_can_have_are_named(tmp_path: Path) -> None:
    model = sv.autoTree(1).replace(user={"f": len, "NB": 7, "n": 3})
    with pytest.warns(UserWarning, match=r"model.user: not written .*\['NB', 'f'\]"):
        model.to_matlab(tmp_path / "m.mat")
    assert sv.Model.from_matlab(tmp_path / "m.mat").user == {"n": 3}


@pytest.mark.parametrize("name", ["forest", "planar_tree", "two_floating"])
def test_roots_are_on_the_base(name: str) -> None:
    model = build(name)
    roots = [i for i in range(model.NB) if model.is_root(i)]
    assert roots == np.flatnonzero(model.parent == -1).tolist() and len(roots) >= 1


@pytest.mark.parametrize("make", [sv.Model, sv.autoTree(1).replace])
def test_unknown_fields_of_a_new_model_are_named(make: Any) -> None:
    """A field of version 1 says what to write, also where fields that replace it are missing."""
    with pytest.raises(ModelError, match="no field 'pitch'; pitch of version 1 is now jtype: 'Rz'"):
        make(parent=[-1], pitch=[0])
    with pytest.raises(ModelError, match="no field 'jtypes'; a similar name is 'jtype'"):
        make(jtypes=["Rx"])
    with pytest.raises(ModelError, match="no field 'nothing_like_it'$"):
        make(nothing_like_it=1)

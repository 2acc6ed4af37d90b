"""Models as one edits them: joints held, bodies removed, payloads and robots attached.

The laws hold for every model of the zoo: mass, momentum and joint forces are those of the same
tree written by hand.
"""

import itertools
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import refusals
from numpy.testing import assert_allclose

from spatial_v2 import (
    CRBA,
    ID,
    EnerMo,
    Model,
    attach,
    autoTree,
    forward_kinematics,
    gcPosVel,
    lock,
    mcI,
    neutral,
    planar,
    puma560,
    remove,
    xlt,
)
from spatial_v2.exceptions import SpatialError
from spatial_v2.io import JointLimits, Loop, Mimic
from spatial_v2.model.frame import Frame
from spatial_v2.models.drawings import moved_drawing
from spatial_v2.show.instructions import drawings_of
from spatial_v2.show.shapes import Box, Cylinder

TREES = [name for name in zoo.NAMES if zoo.build(name).NB > 1]
over_trees = pytest.mark.parametrize("name", zoo.over(TREES))


def full(name: str) -> Model:
    """Return a model of the zoo with data of every kind on its joints and bodies."""
    model, rng = zoo.build(name), np.random.default_rng(5)
    d = 3 if model.is_planar else 6
    n = 2 if model.is_planar else 3
    frames = {f"tip{i}": Frame(i, zoo.random_transform(rng, d)) for i in range(-1, model.NB)}
    numbers = rng.uniform(1, 2, (2, model.NV))
    return model.replace(
        frames=frames,
        gc={"point": rng.normal(size=(model.NB, n)), "body": np.arange(model.NB)},
        damping=numbers[0], armature=numbers[1],
        limits={x: JointLimits(-i, i) for i, x in enumerate(model.joint_names)},
    )  # fmt: skip


@over_trees
def test_held_joints_leave_the_motion_of_the_others(name: str) -> None:
    """Forces, mass, momentum, poses and points are those of the whole tree in which the joint
    does not move; inertia on the base does not count.
    """
    model, rng = full(name), np.random.default_rng(0)
    for some in [[i] for i in range(model.NB)] + [[0, model.NB - 1], list(range(1, model.NB))]:
        if len(set(some)) == model.NB:
            continue
        s = zoo.states(model, rng)
        q, qd, qdd = s.q, s.qd.copy(), s.qdd.copy()
        qs = np.concatenate([np.r_[model.qinds[i]] for i in some])
        vs = np.concatenate([np.r_[model.vinds[i]] for i in some])
        qd[vs] = qdd[vs] = 0
        free = [np.delete(q, qs), np.delete(qd, vs), np.delete(qdd, vs)]
        held = lock(model, {model.joint_names[i]: q[model.qinds[i]] for i in some})
        assert (model.NB - len(set(some)), len(free[1])) == (held.NB, held.NV)
        wanted = np.delete(ID(model, q, qd, qdd), vs)
        assert_allclose(ID(held, *free), wanted, atol=1e-10)
        assert_allclose(ID.reference(held, *free), wanted, atol=1e-10)
        for i in range(-1, model.NB):
            frames = [f"tip{i}"] + [model.body_names[i]] * (i >= 0)
            for frame in frames:
                a = forward_kinematics(held, *free[:2], frame=frame)
                b = forward_kinematics(model, q, qd, frame=frame)
                for x, y in zip(a, b, strict=True):
                    assert_allclose(x, y, atol=1e-11)
        on_base = any(held.frames[model.body_names[i]].body < 0 for i in set(some))  # type: ignore[index]
        if not on_base and not model.has_rotors:
            for x, y in zip(EnerMo(held, *free[:2]), EnerMo(model, q, qd), strict=True):
                assert_allclose(x, y, atol=1e-10)
        points = gcPosVel(model, q, qd)
        assert held.gc is not None
        moving = [k for k in range(model.NB) if _place(held, model.body_names[k]) >= 0]
        assert held.gc["body"].tolist() == [_place(held, model.body_names[k]) for k in moving]
        for x, y in zip(gcPosVel(held, *free[:2]), points, strict=True):
            assert_allclose(x, y[moving], atol=1e-11)
        names = [x for i, x in enumerate(model.joint_names) if i not in some]
        assert held.limits == {x: model.limits[x] for x in names}  # type: ignore[index]


def _place(model: Model, body: str) -> int:
    names = list(model.body_names)
    return names.index(body) if body in names else int(model.frames[body].body)  # type: ignore[index]


@over_trees
def test_removed_bodies_leave_the_forces_of_massless_ones(name: str) -> None:
    model, rng = full(name).replace(armature=None, damping=None), np.random.default_rng(0)
    for first in range(model.NB):
        gone = [False] * model.NB
        for i, p in enumerate(model.parent):
            gone[i] = i == first or (p >= 0 and gone[p])
        if all(gone):
            with pytest.raises(SpatialError, match="carries all others"):
                remove(model, first)
            continue
        I, rotor = model.I.copy(), model.I_rotor.copy()
        I[gone] = rotor[gone] = 0
        empty = model.replace(I=I, I_rotor=rotor)
        s = zoo.states(model, rng)
        keep = [i for i in range(model.NB) if not gone[i]]
        qs = np.concatenate([np.r_[model.qinds[i]] for i in keep])
        vs = np.concatenate([np.r_[model.vinds[i]] for i in keep])
        rest = remove(model, model.body_names[first])
        assert list(rest.body_names) == [model.body_names[i] for i in keep]
        found = ID(rest, s.q[qs], s.qd[vs], s.qdd[vs])
        assert_allclose(found, ID(empty, s.q, s.qd, s.qdd)[vs], atol=1e-10)
        assert [*rest.frames] == ["tip-1", *[f"tip{i}" for i in keep]]  # type: ignore[misc]
        assert rest.gc is not None and rest.gc["body"].tolist() == list(range(len(keep)))


def branch(model: Model, first: int) -> tuple[Model, list[int]]:
    """Return the subtree of a body as a model whose base is the body's parent, and its bodies."""
    inside = [first]
    for i in range(first + 1, model.NB):
        if model.parent[i] in inside:
            inside.append(i)
    v = np.concatenate([np.r_[model.vinds[i]] for i in inside])
    fields = ("jtype", "Xtree", "I", "has_rotor", "jtype_rotor", "Xrotor", "I_rotor", "gr",
              "joint_names", "body_names")  # fmt: skip
    assert model.gc is not None and model.frames is not None and model.limits is not None
    part = Model(
        parent=[-1, *[inside.index(model.parent[i]) for i in inside[1:]]],
        gc={"point": model.gc["point"][inside], "body": np.arange(len(inside))},
        frames={f"tip{i}": model.frames[f"tip{i}"]._replace(body=k) for k, i in enumerate(inside)},
        limits={x: model.limits[x] for x in (model.joint_names[i] for i in inside)},
        damping=model.damping[v], armature=model.armature[v],
        **{x: [getattr(model, x)[i] for i in inside] for x in fields},
    )  # fmt: skip
    return part, inside


@over_trees
def test_what_was_removed_can_be_attached_again(name: str) -> None:
    """A branch as a model of its own, attached to what is left, is the tree again."""
    model, rng = full(name), np.random.default_rng(0)
    for first in range(model.NB):
        part, inside = branch(model, first)
        if len(inside) == model.NB:
            continue
        rest = remove(model, first)
        p = int(model.parent[first])
        whole = attach(rest, rest.body_names.index(model.body_names[p]) if p >= 0 else -1, part)
        order = [whole.joint_names.index(x) for x in model.joint_names]
        s = zoo.states(model, rng)
        q = np.concatenate([s.q[model.q_of(x)] for x in whole.joint_names])
        back = np.concatenate([np.r_[whole.vinds[i]] for i in order])
        qd, qdd = (np.concatenate([x[model.v_of(y)] for y in whole.joint_names])
                   for x in (s.qd, s.qdd))  # fmt: skip
        assert_allclose(ID(whole, q, qd, qdd)[back], ID(model, s.q, s.qd, s.qdd), atol=1e-10)
        assert whole.frames is not None and whole.frames.keys() == model.frames.keys()  # type: ignore[union-attr]
        for frame in whole.frames:
            a, b = (forward_kinematics(m, *x, frame=frame)
                    for m, x in ((whole, (q, qd)), (model, (s.q, s.qd))))  # fmt: skip
            assert_allclose(a.X0, b.X0, atol=1e-12)
        assert whole.limits == model.limits
        a, b = gcPosVel(whole, q, qd).p, gcPosVel(model, s.q, s.qd).p
        assert whole.gc is not None
        named = [model.body_names.index(whole.body_names[i]) for i in whole.gc["body"]]
        assert_allclose(a, b[named], atol=1e-12)


@over_trees
def test_a_payload_is_a_body_on_a_held_joint(name: str) -> None:
    model, rng = zoo.build(name), np.random.default_rng(1)
    d = 3 if model.is_planar else 6
    I, X, place = (
        zoo.random_inertia(rng, d),
        zoo.random_transform(rng, d),
        zoo.random_transform(rng, d),
    )
    model = model.replace(frames={"hand": Frame(model.NB - 1, place)})
    load = Model(parent=[-1], jtype=["r" if d == 3 else "Rx"], Xtree=[np.eye(d)], I=[I],
                 joint_names=["clamp"], body_names=["load"])  # fmt: skip
    loaded, s = attach(model, "hand", I, X), zoo.states(model, rng)
    other = lock(attach(model, "hand", load, X), {"clamp": 0.0})
    assert_allclose(other.I, loaded.I, atol=1e-12)
    assert_allclose(CRBA(other, s.q), CRBA(loaded, s.q), atol=1e-11)
    before, after = EnerMo(model, s.q, s.qd), EnerMo(loaded, s.q, s.qd)
    assert_allclose(after.mass, before.mass + I[-1, -1], atol=1e-12)
    there, last = X @ place, model.NB - 1
    by_hand = model.replace(I={last: model.I[last] + there.T @ I @ there})
    assert_allclose(ID(loaded, s.q, s.qd, s.qdd), ID(by_hand, s.q, s.qd, s.qdd), atol=1e-10)
    motion = forward_kinematics(model, s.q, s.qd, frame=Frame(model.NB - 1, X @ place))
    h = motion.X0.T @ I @ motion.v
    assert_allclose(after.htot, before.htot + h, atol=1e-11)


def test_two_robots_need_names_of_their_own() -> None:
    arm = puma560()
    with pytest.raises(SpatialError, match="both models have the joint_names elbow, .*prefix="):
        attach(arm, 5, arm)
    tool = autoTree(2).replace(mimic={"joint1": Mimic("joint0", 2.0, 0.0)}, user={"L": 1})
    both = attach(arm, 5, tool, xlt([0, 0, 0.1]), prefix="tool_")
    assert both.mimic == {"tool_joint1": Mimic("tool_joint0", 2.0, 0.0)}
    assert list(both.joint_names[-2:]) == ["tool_joint0", "tool_joint1"] and both.user == {"L": 1}
    assert both.gravity.tolist() == arm.gravity.tolist()
    assert len(both.appearance["body"]) == 8  # type: ignore[index]


def test_a_camera_follows_a_body_that_became_a_part() -> None:
    arm = autoTree(3).replace(camera={"body": 2, "zoom": 2.0})
    held = lock(arm, {2: 0.0})
    assert held.camera is not None and held.camera["body"] == 1
    assert_allclose(held.camera["trackpoint"], forward_kinematics(arm, np.zeros(3), frame=2).p
                    - forward_kinematics(arm, np.zeros(3), frame=1).p)  # fmt: skip
    assert remove(arm, 2).camera == {"body": -1, "zoom": 2.0}


def test_drawings_move_with_their_bodies() -> None:
    """All vertices of all kinds of drawings, in base coordinates, before and after."""
    drawing: list[Any] = [
        "colour", [1, 0, 0], "box", [[0, 0, 0], [1, 2, 3]], ["cyl", [[0, 0, 0], [1, 0, 1]], 0.2],
        "sphere", [0, 1, 0], 0.3, "line", [[0, 0, 0], [1, 1, 1]],
        "vertices", [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles", [[0, 1, 2]], "line", [0, 1],
    ]  # fmt: skip
    X = zoo.random_transform(np.random.default_rng(0))
    E, r = X[:3, :3], -(X[:3, :3].T @ X[3:, :3])
    r = np.array([r[2, 1], r[0, 2], r[1, 0]])
    moved = moved_drawing(drawing, X)
    old, new = (drawings_of({"body": [x]}, 1)[1] for x in (drawing, moved))
    assert len(old) == len(new)
    for a, b in zip(old, new, strict=True):
        assert_allclose(b.colour, a.colour)
        assert_allclose(_sorted(_points(b)), _sorted(_points(a) @ E + r), atol=1e-12)


def _points(shape: Any) -> np.ndarray:
    if isinstance(shape, Box):
        return np.array([[x, y, z] for x, y, z in itertools.product(*zip(*shape[:2], strict=True))])
    if isinstance(shape, Cylinder):
        return np.array([shape.start, shape.end])
    return np.reshape(shape[0], (-1, 3))


def _sorted(points: np.ndarray) -> np.ndarray:
    return points[np.lexsort(points.round(9).T)]


BAD = [
    (lambda: lock(autoTree(2), {"elbw": 1.0}), "no joint is called 'elbw'"),
    (lambda: lock(autoTree(2), {0: 1.0, 1: 1.0}), "lock: all joints are held"),
    (lambda: attach(autoTree(2), 1, 2.0), r"attach: part: want a Model, or an inertia \(6, 6\)"),
    (lambda: attach(autoTree(2), 1, np.eye(3)), r"attach: part: want .* such as mcI"),
    (lambda: lock(autoTree(2), [1.0]), "lock: want a dict .*'finger': 0.02"),  # type: ignore[arg-type]
    (lambda: lock(autoTree(2), {0: [1.0, 2.0]}), r"lock: joints\[0\] must have shape"),
    (lambda: lock(zoo.build("SO3"), {0: 2.0 * np.ones(9)}), "lock: joint0"),
    (lambda: remove(autoTree(2), "hand"), "remove: no body is called 'hand'"),
    (lambda: remove(autoTree(2), 2), "want the number of a joint, 0 to 1"),
    (
        lambda: attach(autoTree(2), -1, mcI(1, [0, 0, 0], np.eye(3))),
        "attach: an inertia on the base",
    ),
    (lambda: attach(autoTree(2), 1, np.eye(4)), "part: want a Model, or an inertia"),
    (lambda: attach(autoTree(2), 1, 2 * np.ones((6, 6))), "part.0. is not a rigid-body inertia"),
    (lambda: attach(autoTree(2), 1, planar(2)), "attach: want both models planar"),
    (lambda: attach(autoTree(2), 1, puma560(), np.eye(4)), "attach: X"),
    (lambda: attach(autoTree(2), "hand", puma560()), "no frame and no body is called 'hand'"),
]
test_wrong_arguments_are_named = refusals(SpatialError, BAD)


def test_loops_of_removed_bodies_are_gone() -> None:
    one = np.eye(6)
    loops = {x: Loop("point", x, one, "d", one, one[:, 3:]) for x in ("b", "c")}
    frames = {x: Frame(i, one) for i, x in enumerate("bcd")}
    tree = Model(parent=[-1, 0, 0], jtype=["Rx"] * 3, Xtree=[one] * 3, I=[one] * 3, frames=frames,
                 loops=loops)  # fmt: skip
    assert list(remove(tree, 1).loops or {}) == ["b"]
    assert lock(tree, {1: 0.3}).loops is not None and neutral(lock(tree, {1: 0.3})).size == 2

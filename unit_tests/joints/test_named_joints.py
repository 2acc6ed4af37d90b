"""Joints by their names: indices, limits as vectors, configurations."""

from typing import Any

import numpy as np
import pytest
import sympy
import zoo
from numpy.testing import assert_array_equal

import spatial_v2 as sv
from spatial_v2.exceptions import ModelError
from spatial_v2.io import JointLimits
from spatial_v2.io.load_urdf import load_urdf


def limited(name: str) -> sv.Model:
    """Return a model of the zoo with limits of every second joint."""
    model = zoo.build(name)
    some = {x: JointLimits(-i, i + 1, i + 2, i + 3) for i, x in enumerate(model.joint_names)}
    return model.replace(limits={x: some[x] for x in list(some)[::2]})


@pytest.mark.parametrize("name", zoo.MODELS)
def test_vectors_of_limits_have_those_of_the_joints(name: str) -> None:
    """Joints with several degrees of freedom have no bounds of positions."""
    model = limited(name)
    assert model.limits is not None
    for i, joint in enumerate(model.joint_names):
        inf = np.inf
        bounds = model.limits.get(joint, JointLimits())
        lower, upper = bounds[:2] if model.nv[i] == 1 else (-inf, inf)
        q, v = model.q_of(joint), model.v_of(i)
        assert (q, v) == (model.qinds[i], model.vinds[i])
        for x, wanted in (
            (model.lower[q], lower), (model.upper[q], upper),
            (model.velocity_limit[v], bounds.velocity), (model.effort_limit[v], bounds.effort),
        ):  # fmt: skip
            assert x.size and set(x.tolist()) == {wanted}
    assert model.lower.shape == (model.NQ,) and model.effort_limit.shape == (model.NV,)
    plain = model.replace(limits=None)
    assert not np.isfinite([*plain.lower, *plain.upper, *plain.velocity_limit]).any()


@pytest.mark.parametrize("name", zoo.MODELS)
def test_random_configurations_keep_limits_on_demand(name: str) -> None:
    """They fill the range of the limits; joints without limits are drawn as before."""
    model, few = limited(name), np.random.default_rng
    free = sv.random_configuration(model, few(0), (50, 8))
    q = sv.random_configuration(model, few(0), (50, 8), limits=True)
    some = np.isfinite(model.lower)
    assert_array_equal(q[..., ~some], free[..., ~some])
    inside = (q[..., some] - model.lower[some]) / (model.upper - model.lower)[some]
    assert inside.min(initial=0.0) >= 0.0 and inside.max(initial=1.0) <= 1.0
    assert (np.ptp(inside, axis=(0, 1)) > 0.9).all()
    assert q.shape == (50, 8, model.NQ)


def test_random_configurations_by_one_limit_are_within_a_turn_of_it() -> None:
    model = limited("chain").replace(limits=None)
    first, last = model.joint_names[0], model.joint_names[-1]
    model = model.replace(limits={first: (1.0, np.inf), last: (-np.inf, -1.0)})
    q = sv.random_configuration(model, np.random.default_rng(0), 2000, limits=True)
    up, down = q[:, 0], q[:, -1]
    assert 1 <= up.min() < 1.2 and 1 + 2 * np.pi >= up.max() > 7
    assert -1 >= down.max() > -1.2 and -1 - 2 * np.pi <= down.min() < -7


@pytest.mark.parametrize("name", zoo.MODELS)
def test_configurations_by_names_of_joints(name: str) -> None:
    model = zoo.build(name)
    q = zoo.states(model, np.random.default_rng(0)).q
    for i, joint in enumerate(model.joint_names):
        for key in (joint, i):
            wanted = sv.neutral(model)
            wanted[model.qinds[i]] = q[model.qinds[i]]
            assert_array_equal(sv.neutral(model, {key: q[model.qinds[i]]}), wanted)
    every = {joint: q[model.q_of(joint)] for joint in model.joint_names}
    assert_array_equal(sv.neutral(model, every), q)


@pytest.mark.parametrize("name", zoo.MODELS)
def test_results_by_names_of_joints(name: str) -> None:
    """Positions and velocities are found under the names of their joints, for states and batches
    of each kind of array, and `neutral` takes positions back.
    """
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(0), (3, 2))
    for x, places in ((s.q, model.qinds), (s.qd, model.vinds), (s.qd + 1j, model.vinds)):
        for values in (x, x[0, 0], x.astype(object)):
            found = model.by_joint(values)
            assert [*found] == [*model.joint_names]
            for place, part in zip(places, found.values(), strict=True):
                wanted = values[..., place]
                assert_array_equal(part, wanted if wanted.shape[-1] > 1 else wanted[..., 0])
    q = np.asarray(s.q[0, 0])
    assert_array_equal(sv.neutral(model, model.by_joint(q)), q)
    shown = repr(model.by_joint(q)).split("\n")
    assert [line.split()[0] for line in shown] == [*model.joint_names]
    counts = zip(shown, model.nq, strict=True)  # the 16 numbers of a pose are shown by their range
    assert all(len(line.split()) - 1 == n for line, n in counts if n < 16)
    assert model.by_joint(q)._repr_html_().count("<tr>") == model.NB
    with pytest.raises(sv.ArrayShapeError, match=rf"x must have shape .*{model.NQ}.*{model.NV}"):
        model.by_joint(np.zeros(model.NQ + 1))


def test_results_of_coupled_models_and_of_other_arrays_have_names() -> None:
    """Names are those of the variables; long values are shown by shape and range, symbols whole."""
    model = sv.couple(zoo.build("chain"), mimic={"joint1": ("joint0", -1.0, 0.0)})
    assert [*model.by_joint([1.0, 2.0, 3.0])] == ["joint0", "joint2", "joint3"]
    chain = zoo.build("chain")
    batch = chain.by_joint(np.arange(40.0).reshape(10, 4))
    assert repr(batch).split("\n")[1] == "joint1  array (10,), 1 .. 37"
    symbols = sympy.symbols("a b c d")
    assert repr(chain.by_joint(np.array(symbols))).startswith("joint0  a\njoint1  b")


@pytest.mark.parametrize("name", ["lower", "upper", "velocity_limit", "effort_limit"])
def test_limits_are_assigned_by_joint(name: str) -> None:
    """Vectors of limits cannot be assigned; the message names the field that can."""
    with pytest.raises(AttributeError, match=f"{name} follows from model.limits; assign those"):
        setattr(zoo.build("chain"), name, np.zeros(4))


@pytest.mark.parametrize(
    ("joints", "message"),
    [
        ({"joint9": 1.0}, "no joint is called 'joint9'; did you mean"),
        ({7: 1.0}, "want the number of a joint, 0 to 4, got 7"),
        ({1.5: 1.0}, "want the name or the number of a joint, got 1.5"),
        ({"joint0": 1.0}, r"joints\['joint0'\] must have shape \(..., 7\)"),
        ({"joint1": [1.0, 2]}, r"joints\['joint1'\] must have shape"),
        ([1.0], "joints: want a dict"),
    ],
)
def test_wrong_joints_are_named(joints: Any, message: str) -> None:
    with pytest.raises(sv.SpatialError, match=message):
        sv.neutral(zoo.build("floating"), joints)


def test_limits_of_a_file_are_vectors(tmp_path: Any) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text("""<robot name="r"><link name="a"/><link name="b"/><joint name="elbow"
        type="revolute"><parent link="a"/><child link="b"/>
        <limit lower="-1" upper="2" velocity="3" effort="4"/></joint></robot>""")
    arm = load_urdf(file)
    vectors = arm.lower, arm.upper, arm.velocity_limit, arm.effort_limit
    assert [x.tolist() for x in vectors] == [[-1], [2], [3], [4]]
    with pytest.raises(ModelError, match="no joint is called 'elbw'; did you mean .'elbow'."):
        arm.q_of("elbw")


def test_the_name_of_a_body_leads_to_its_joint() -> None:
    arm = sv.autoTree(2).replace(body_names=["thigh", "shank"], joint_names=["hip", "knee"])
    with pytest.raises(ModelError, match="no joint is called 'shank'; it is the body of .*'knee'"):
        arm.q_of("shank")

"""Held variables of coupled models, and parts that are attached to them."""

import numpy as np
import pytest
from helpers import for_each

from spatial_v2 import (
    CRBA,
    ID,
    CoupledModel,
    Model,
    attach,
    autoTree,
    couple,
    floatbase,
    lock,
    mcI,
    random_configuration,
    xlt,
)

G = [[1, 0, 0], [0.5, -2, 0], [0, 1, 0], [0, 0, 1], [0, 1.5, 0]]
OFFSET = [0, 0.3, 0, 0, -0.2]


def wrist():
    """Joint 1 follows two variables, joint 4 one of them."""
    return couple(autoTree(5, 2), matrix=G, offset=OFFSET)


@for_each([[0], [1], [2], [0, 1], [1, 2], [0, 2]])
def test_held_variables_do_not_move(held):
    """The inertia matrix is that of the others, also where a joint follows held and free ones."""
    model, q = wrist(), np.array([0.4, -0.7, 0.9])
    some = lock(model, {model.joint_names[k]: q[k] for k in held})
    free = [k for k in range(3) if k not in held]
    assert len(free) == some.NV and some.joint_names == tuple(model.joint_names[k] for k in free)
    assert np.allclose(CRBA(some, q[free]), CRBA(model, q)[np.ix_(free, free)], 1e-12, 1e-12)
    qd = np.where(np.isin(range(3), free), [1.1, 0.3, 0.5], 0.0)
    tau = ID(some, q[free], qd[free], qd[free])
    assert np.allclose(tau, ID(model, q, qd, qd)[free], 1e-12, 1e-12)


def test_a_plain_tree_remains_where_no_joint_follows():
    """With the leader, all joints that follow it are held."""
    gripper = couple(autoTree(4, 1), mimic={3: (2, -1.0, 0.1)})
    held = lock(gripper, {"joint2": 0.5})
    assert type(held) is Model and held.NV == 2
    free = lock(gripper.tree, {"joint2": 0.5, "joint3": -0.4})
    assert np.array_equal(CRBA(held, [0.1, 0.2]), CRBA(free, [0.1, 0.2]))


def test_a_floating_base_is_held_in_place():
    """Its variables are positions; those that follow keep their order."""
    model = couple(floatbase(autoTree(3, 1)), mimic={7: (6, 2.0, 0.1)})
    names = [*model.joint_names]
    held = lock(model, {name: 0.1 * k for k, name in enumerate(names[:6])})
    q = np.array([0.3])
    full = np.concatenate([0.1 * np.arange(6), q])
    assert isinstance(held, CoupledModel)
    assert np.allclose(CRBA(held, q), CRBA(model, full)[6:, 6:], 1e-12, 1e-12)


@for_each(["an inertia", "a tree", "a coupled model", "a coupled model to a tree"])
def test_parts_keep_couplings(kind):
    """Both sides move as they did: G is that of the tree with the part."""
    model, load = wrist(), mcI(2.0, [0.1, 0, 0.2], 0.1 * np.eye(3))
    second = couple(autoTree(3, 1), mimic={2: (1, -1.0, 0.1)})
    X = xlt(np.array([0.5, 0, 0.1]))
    if kind == "an inertia":
        made, tree, G = attach(model, "body3", load, X), attach(model.tree, "body3", load, X), None
    else:
        own = model.tree if kind.endswith("to a tree") else model
        part = second.tree if kind == "a tree" else second
        made = attach(own, "body3", part, X, prefix="tool_")
        tree = attach(model.tree, "body3", second.tree, X, prefix="tool_")
        left = model.coupling.matrix if own is model else np.eye(5)
        right = second.coupling.matrix if part is second else np.eye(3)
        n, m = left.shape[1], right.shape[1]
        G = np.block([[left, np.zeros((5, m))], [np.zeros((3, n)), right]])
    assert isinstance(made, CoupledModel)
    G = model.coupling.matrix if G is None else G
    assert np.array_equal(made.coupling.matrix, G)
    q = random_configuration(made, np.random.default_rng(1))
    H = G.T @ CRBA(tree, made.coupling.configuration(q)) @ G
    assert np.allclose(CRBA(made, q), H, 1e-12, 1e-12)


def test_errors_name_what_can_be_held():
    """Joints that follow, all variables, and loops are refused."""
    model = wrist()
    with pytest.raises(Exception, match=r"lock: joint 'joint1' follows others; hold one of"):
        lock(model, {"joint1": 0.1})
    with pytest.raises(Exception, match="all joints are held"):
        lock(model, dict.fromkeys(model.joint_names, 0.1))
    curve = couple(autoTree(2), function=lambda y: [y[0], y[0] ** 2], independent=["joint0"])
    with pytest.raises(Exception, match=r"lock: takes trees, and models whose joints follow"):
        lock(curve, {"joint0": 0.1})
    with pytest.raises(Exception, match=r"attach: takes trees, and models whose joints follow"):
        attach(curve, "body0", mcI(1.0, [0, 0, 0], np.eye(3)))


def test_a_coupled_model_has_frames_and_bodies_of_its_tree():
    """Fields that only a tree has are refused; a word that no model has is another error."""
    model = wrist()
    assert model.body_names == model.tree.body_names and model.frames == model.tree.frames
    with pytest.raises(Exception, match="takes no coupled model"):
        model.Xtree  # noqa: B018
    with pytest.raises(AttributeError, match="positions_of"):
        model.positions_of  # noqa: B018

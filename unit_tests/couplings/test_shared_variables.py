"""Variables that several joints share, on any bodies of a tree."""

import numpy as np
import pytest
from helpers import near
from zoo import build

import spatial_v2 as sv
from derivatives import ID_derivatives, spatial_force_derivatives
from spatial_v2.engine.shared import shared_of
from spatial_v2.engine.tree import Tree


def _fingers() -> sv.Model:
    """Two fingers of two joints each on one palm, closed by one variable, a thumb by another."""
    tree = sv.autoTree(7, 2).replace(parent=np.array([-1, 0, 1, 0, 3, 0, -1]))
    return sv.couple(tree, mimic={2: (1, 0.7, 0.1), 3: (1, -1.0, 0.0), 4: (3, 0.6, 0.2)})


def _far() -> sv.Model:
    """A floating base, two arms with three joint axes at the shoulder, tips that follow both."""
    tree = sv.autoTree(8, 1).replace(
        parent=np.array([-1, 0, 1, 2, 0, 4, 5, 3]),
        jtype=["Fb", "Rx", "S", "Rz", "Ry", "S", "Rx", "Px"],
    )
    G = np.delete(np.eye(tree.NV), [tree.vinds[6].start, tree.vinds[7].start], axis=1)
    G[tree.vinds[6], [6, 10]] = 0.5, -1.2
    G[tree.vinds[7], [6, 11]] = 0.3, 0.8
    return sv.couple(tree, matrix=G)


def _branches() -> sv.Model:
    """Joints of branches on a fixed base, whose variables part at the base alone."""
    tree = build("forest")
    G = np.zeros((tree.NV, tree.NV - 2))
    G[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4]] = 1.0
    G[5, [0, 1]], G[6, 5], G[7, 1] = (0.4, 2.0), 1.5, -0.3
    return sv.couple(tree, matrix=G)


def _dense() -> sv.Model:
    """Six joints, each of which follows three variables."""
    tree = sv.autoTree(6, 2)
    return sv.couple(tree, matrix=np.random.default_rng(5).normal(size=(6, 3)))


def _rotors() -> sv.Model:
    """Geared rotors of joints that follow each other."""
    return sv.couple(build("rotors"), mimic={3: (2, -0.8, 0.0)})


def _springs() -> sv.Model:
    """Armature, damping and springs of joints that follow."""
    model = _fingers()
    n = model.tree.NV
    terms = {name: np.linspace(0.1, 0.4, n) for name in ("armature", "damping", "stiffness")}
    return sv.couple(model.tree.replace(**terms), matrix=model.coupling.matrix)


MODELS = {
    "fingers": _fingers, "far": _far, "branches": _branches, "dense": _dense, "rotors": _rotors,
    "springs": _springs,
}  # fmt: skip


def _states(model: sv.Model, *lead: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(1)
    return sv.random_configuration(model, rng, *lead), *rng.normal(size=(2, *lead, model.NV))


@pytest.mark.parametrize("name", MODELS)
def test_forward_dynamics_is_that_of_the_reference_implementation(name: str) -> None:
    """Of one state, of batches, and under external forces; with the inertia matrix of y, too."""
    model = MODELS[name]()
    y, yd, tau = _states(model, 7)
    ydd = sv.FDab(model, y, yd, tau)
    near(ydd, sv.FDab.reference(model, y, yd, tau), 1e-11)
    H, C = sv.HandC.reference(model, y, yd)
    near(ydd, np.linalg.solve(H, (tau - C)[..., None])[..., 0], 1e-11)
    near(sv.FDab(model, y[0], yd[0], tau[0]), ydd[0], 1e-11)
    f_ext = np.random.default_rng(2).normal(size=(model.tree.NB, 6))
    pushed = sv.FDab(model, y[0], yd[0], tau[0], f_ext)
    near(sv.ID.reference(model, y[0], yd[0], pushed, f_ext), tau[0], 1e-10)


@pytest.mark.parametrize("name", MODELS)
def test_batches_are_pulled_back_as_single_states(name: str) -> None:
    """The driver of batches multiplies by G what the extension multiplies for one state."""
    model = MODELS[name]()
    y, yd, ydd = _states(model, 11)
    for function, given in (
        (sv.ID, (y, yd, ydd)), (sv.CRBA, (y,)), (sv.HandC, (y, yd)), (ID_derivatives, (y, yd, ydd)),
        (sv.CMM, (y,)), (sv.EnerMo, (y, yd)), (sv.CoriolisMatrix, (y, yd)),
    ):  # fmt: skip
        batch = function(model, *given)
        for k in (0, 5, 10):
            one = function(model, *(x[k] for x in given))
            pairs = zip(batch, one, strict=True) if isinstance(one, tuple) else [(batch, one)]
            for x, x1 in pairs:
                near(np.asarray(x)[k], np.asarray(x1), 1e-12)


def test_batches_have_the_bodies_of_the_tree() -> None:
    """Results that have an axis of bodies leave rotors out, in batches and for one state."""
    model = build("rotors")
    state = _states(model, 5)
    batch, one = (spatial_force_derivatives(model, *x) for x in (state, [x[2] for x in state]))
    for x, x1 in zip(batch, one, strict=True):
        assert x.shape[1] == model.NB
        near(x[2], x1, 1e-12)


def test_a_variable_is_solved_for_where_its_branches_part() -> None:
    """At the palm, for joints of two fingers; at the joint, for a chain that follows."""
    model = _fingers()
    shared = shared_of(_tree(model), model.coupling.matrix)
    assert shared.variable.tolist() == [1]
    ends = shared.ends - shared.ends[:, :1]
    assert ends[0].tolist() == [0, 1, 1, 1]  # before the joint of the palm
    assert [ends[i, 3] for i in (1, 2, 3, 4)] == [1, 1, 1, 1]
    assert ends[5, 3] == ends[6, 3] == ends[-1, 3] == 0
    assert shared.up[shared.ends[2, 0]] == shared.ends[1, 0]


def _tree(model: sv.Model) -> Tree:
    from spatial_v2.calls.prepare import kernel_tree

    return kernel_tree(model._tree)

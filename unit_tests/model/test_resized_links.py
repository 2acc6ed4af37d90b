"""`resize`: mass, places and derivatives of stretched links, for robots of every kind."""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near, refusals

import spatial_v2 as sv

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
SPATIAL = [name for name in zoo.NAMES if not zoo.build(name).is_planar]
S = np.array([1.5, 0.7, 1.2])


def test_points_of_mass_move_with_the_link() -> None:
    rng = np.random.default_rng(0)
    m, p = rng.uniform(0.1, 1, 12), rng.normal(size=(12, 3))
    zero = np.zeros((3, 3))
    model = sv.autoTree(3)
    model.I = {1: sum(sv.mcI(a, b, zero) for a, b in zip(m, p, strict=True))}
    wanted = sum(sv.mcI(2 * np.prod(S) * a, S * b, zero) for a, b in zip(m, p, strict=True))
    near(sv.resize(model, "body1", S, 2.0).I[1], wanted, 1e-12)
    near(sv.resize(model, 1, 2.0).I[1], sv.resize(model, 1, [2.0, 2, 2]).I[1], 0)


@pytest.mark.parametrize("name", zoo.over(SPATIAL))
def test_places_on_a_link_move_along_its_axes(name: str) -> None:
    """Joints of other bodies at their origins are places on the link; orientations remain."""
    model, rng = zoo.build(name), np.random.default_rng(1)
    for i in {0, model.NB // 2}:
        model.frames = {"tip": sv.Frame(i, zoo.random_transform(rng, 6))}
        model.gc = {"point": rng.normal(size=(model.NB, 3)), "body": range(model.NB)}
        new, q = sv.resize(model, i, S), zoo.states(model, rng).q
        for k in np.flatnonzero(model.parent == i):
            neutral = np.array(model.layout.joints[k].group.neutral)
            q[model.qinds[k]] = neutral
        before, after = sv.forward_kinematics(model, q), sv.forward_kinematics(new, q)
        near(after.R, before.R, 1e-13)
        R = before.R[i]
        for k in np.flatnonzero(model.parent == i):
            near(after.p[k] - after.p[i], R @ (S * (R.T @ (before.p[k] - before.p[i]))), 1e-12)
        tip, far = (sv.forward_kinematics(m, q, frame="tip").p for m in (model, new))
        near(far - after.p[i], R @ (S * (R.T @ (tip - before.p[i]))), 1e-12)
        assert new.gc is not None and model.gc is not None
        on = np.arange(model.NB) == i
        near(new.gc["point"], np.where(on[:, None], S, 1.0) * model.gc["point"], 1e-15)


@pytest.mark.parametrize("name", zoo.over(SPATIAL))
def test_joint_forces_are_differentiated_by_dimensions(name: str) -> None:
    """Complex steps of the factors and of the density agree with differences."""
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(2))
    rng, i = np.random.default_rng(3), model.NB // 2
    ds, drho = rng.normal(size=3), 0.7

    def tau(h: Any) -> np.ndarray:
        return np.asarray(sv.ID(sv.resize(model, i, S + h * ds, 1.3 + h * drho), s.q, s.qd, s.qdd))

    h = 1e-5
    wanted = (8 * (tau(h) - tau(-h)) - (tau(2 * h) - tau(-2 * h))) / (12 * h)
    near(tau(1e-30j).imag / 1e-30, wanted, 1e-8)


def test_one_changes_nothing() -> None:
    model = sv.autoTree(4)
    q, qd = np.random.default_rng(0).normal(size=(2, 4))
    near(sv.EnerMo(sv.resize(model, 2, 1.0), q, qd).KE, sv.EnerMo(model, q, qd).KE, 1e-14)
    far = sv.resize(model, 0, [2.0, 1, 1])
    near(far.Xtree[1], model.Xtree[1] @ sv.xlt([1, 0, 0]), 1e-12)


BAD = [
    (lambda: sv.resize(sv.autoTree(2), "hand", 1.0), sv.ModelError, "no body is called 'hand'"),
    (lambda: sv.resize(sv.autoTree(2), 5, 1.0), sv.ModelError, "want the number"),
    (lambda: sv.resize(sv.planar(2), 0, 1.0), sv.ModelError, "want a spatial model"),
    (lambda: sv.resize(sv.autoTree(2), 0, [1.0, 2.0]), "factors of shape"),
    (lambda: sv.resize(sv.autoTree(2), 0, 1.0, [1.0]), "factors of shape"),
    (lambda: sv.resize(sv.autoTree(2), 0, [1.0, 0, 1]), "factors: want positive"),
    (lambda: sv.resize(sv.autoTree(2), 0, 1.0, -1.0), "density: want positive"),
]
test_wrong_arguments_are_named = refusals(sv.ArrayShapeError, BAD)

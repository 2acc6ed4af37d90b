"""Models with geared rotors have the derivatives of equivalent models without rotors."""

import numpy as np
import zoo
from geared import GEARED
from helpers import all_near, near

import derivatives as dv
from spatial_v2 import FDab, HandC, Model, mcI

MODELS = GEARED | {name: lambda name=name: zoo.build(name) for name in zoo.ROTORS}


def draw(name: str, shape: tuple[int, ...] = ()) -> tuple[Model, zoo.State]:
    model = MODELS[name]()
    return model, zoo.states(model, np.random.default_rng(len(name)), shape)


def everything(model: Model, s: zoo.State) -> list[np.ndarray]:
    """Return forward and inverse dynamics and their derivatives to second order."""
    id_state, fd_state = (s.q, s.qd, s.qdd), (s.q, s.qd, s.tau)
    return [
        *HandC(model, s.q, s.qd),
        FDab(model, *fd_state),
        *dv.ID_derivatives(model, *id_state),
        *dv.ID_SO_derivatives(model, *id_state),
        *dv.FD_derivatives(model, *fd_state),
        *dv.FD_SO_derivatives(model, *fd_state),
        *dv.modID_second_derivatives(model, *id_state, s.tau),
    ]


def without_rotors(model: Model, inertia: np.ndarray) -> Model:
    return model.replace(has_rotor=None, I=inertia)


def test_a_rotor_that_does_not_turn_is_part_of_the_parent() -> None:
    model, s = draw("floating tree")
    model = model.replace(gr=np.zeros(model.NB))
    inertia = model.I.copy()
    for i in np.flatnonzero(model.has_rotor):
        Xr = model.Xrotor[i]
        inertia[model.parent[i]] += Xr.T @ model.I_rotor[i] @ Xr
    all_near(everything(model, s), everything(without_rotors(model, inertia), s), 1e-11)


def test_a_rotor_geared_one_to_one_is_part_of_the_body() -> None:
    """A rotor with gear ratio one, and the joint type of its body, is part of the body."""
    model, s = draw("floating tree")
    n = model.NB
    model = model.replace(gr=np.ones(n), jtype_rotor=["Rz", *model.jtype[1:]], Xrotor=model.Xtree)
    inertia = model.I + model.I_rotor * model.has_rotor[:, None, None]
    all_near(everything(model, s), everything(without_rotors(model, inertia), s), 1e-11)


def test_a_ratio_can_be_negative_or_the_axis() -> None:
    model, s = draw("all joints")
    other = model.replace(gr=-model.gr, jtype_rotor=["Rx-", "Ry-", "Rz-", "R-"])
    all_near(everything(other, s), everything(model, s), 1e-12)


def test_a_balanced_rotor_adds_its_inertia_times_the_ratio_squared() -> None:
    """A balanced rotor, parallel to a joint on the fixed base, adds ``gr^2 Iz`` to H and has no
    other effect.
    """
    model, s = draw("one body")
    spin = mcI(0.5, np.zeros(3), np.diag([0.006, 0.006, 0.01]))
    model = model.replace(jtype_rotor=["Rz"], Xrotor=model.Xtree, I_rotor=[spin], gr=[20.0])
    bare = model.replace(has_rotor=None)
    H, C = HandC(model, s.q, s.qd)
    near(H, HandC(bare, s.q, s.qd).H + 400 * 0.01, 1e-13)
    near(C, HandC(bare, s.q, s.qd).C, 1e-13)
    state = s.q, s.qd, s.qdd
    all_near(dv.ID_derivatives(model, *state), dv.ID_derivatives(bare, *state), 1e-13)

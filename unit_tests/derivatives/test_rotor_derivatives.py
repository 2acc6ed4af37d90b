"""Derivatives of models with geared rotors, and models without rotors that are equivalent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import FORMS, all_near, in_form, near

from derivatives import (
    AZA,
    IDFOZA,
    FD_derivatives,
    FD_SO_derivatives,
    ID_derivatives,
    ID_SO_derivatives,
    dMinv_dq,
    modFD,
    modFD_derivatives,
    modFD_second_derivatives,
    modID,
    modID_derivatives,
    modID_second_derivatives,
)
from derivatives.reference import complex_step, complex_step_q
from spatial_v2 import ID, FDab, HandC, Hinverse, Model, mcI

both_forms = pytest.mark.parametrize("form", FORMS)


def geared(
    parent: list[int],
    jtype: list[Any],
    rotors: dict[int, tuple[Any, float]],
    *,
    planar: bool = False,
) -> Model:
    """Make a tree of random bodies, some of which have rotors.

    ``rotors[i]`` is a pair, joint type and gear ratio, for the rotor of joint i.
    """
    rng = np.random.default_rng(len(parent) + 10 * len(rotors))
    n, d = len(parent), 3 if planar else 6
    types, ratios = zip(
        *(rotors.get(i, ("r" if planar else "Rz", 1.0)) for i in range(n)), strict=True
    )
    return Model(
        parent=parent,
        jtype=jtype,
        Xtree=[zoo.random_transform(rng, d) for _ in range(n)],
        I=[zoo.random_inertia(rng, d) for _ in range(n)],
        gravity=[1.0, -9.0] if planar else [2.0, -3.0, -9.0],
        has_rotor=[i in rotors for i in range(n)],
        jtype_rotor=types,
        Xrotor=[zoo.random_transform(rng, d) for _ in range(n)],
        I_rotor=[0.2 * zoo.random_inertia(rng, d) for _ in range(n)],
        gr=ratios,
    )


TREE = [-1, 0, 0, 2, 1, 2]
MODELS: dict[str, Callable[[], Model]] = {
    "one body": lambda: geared([-1], ["Rz"], {0: ("Rx", 9.0)}),
    "one rotor at the root": lambda: geared([-1, 0, 1], ["Rx", "Ry", "Rz"], {0: ("Ry", 7.0)}),
    "one rotor at the tip": lambda: geared([-1, 0, 1], ["Rx", "Py", "Rz"], {2: ("Rz", 50.0)}),
    "all joints": lambda: geared(
        [-1, 0, 1, 1],
        ["Rz", "Ry", "Px", "Rx"],
        {
            i: (t, g)
            for i, (t, g) in enumerate([("Rx", 6.0), ("Ry", 2.5), ("Rz", 30.0), ("R", 1.0)])
        },
    ),
    "negative and zero ratios": lambda: geared(
        [-1, 0, 1, 1],
        ["Rz", "Ry-", "Px", "Rx"],
        {0: ("Rx", -6.0), 1: ("Ry", 0.0), 2: ("Rz-", -3.0), 3: ("Rx", 4.0)},
    ),
    "floating tree": lambda: geared(
        TREE,
        ["Fb", "Rx", "Ry", "Rz", "Px", "Rx-"],
        {1: ("Rx", 5.0), 2: ("Rz", -8.0), 3: ("Ry", 3.0), 5: ("Rx", 12.0)},
    ),
    "SE3 and spherical joints between": lambda: geared(
        TREE,
        ["SE3", "S", "Rx", "Ry", "SO3", "Rz"],
        {2: ("Ry", 5.0), 3: ("Rz", 4.0), 5: ("Rx", 3.0)},
    ),
    "rotors that slide and screw": lambda: geared(
        [-1, 0, 1, 0],
        ["Rx", zoo.SCREW, "Pz", "Ry"],
        {0: ("Px", 0.5), 1: (zoo.LEFT_SCREW, 3.0), 2: (zoo.SCREW, -2.0), 3: ("P-", 0.3)},
    ),
    "planar": lambda: geared(
        [-1, 0, 0], ["r", "px", "r-"], {0: ("r", 4.0), 1: ("r", -3.0), 2: ("py", 2.0)}, planar=True
    ),
} | {name: lambda name=name: zoo.build(name) for name in zoo.ROTORS}  # type: ignore[misc]
every_model = pytest.mark.parametrize("name", MODELS)


def draw(name: str, shape: tuple[int, ...] = ()) -> tuple[Model, zoo.State]:
    model = MODELS[name]()
    return model, zoo.states(model, np.random.default_rng(len(name)), shape)


@both_forms
@every_model
def test_derivatives_of_inverse_dynamics_with_rotors_are_complex_steps(
    name: str, form: str
) -> None:
    """First and second derivatives agree with complex steps of ID, of its first derivatives, and of
    H.
    """
    model, s = draw(name, (2,))
    q, qd, qdd = s.q, s.qd, s.qdd

    def first(q: np.ndarray, qd: np.ndarray, k: int) -> np.ndarray:
        return ID_derivatives.reference(model, q, qd, qdd)[k]

    d = in_form(form, ID_derivatives)(model, q, qd, qdd)
    near(d.dtau_dq, complex_step_q(model, lambda q: ID.reference(model, q, qd, qdd), q), 1e-12)
    near(d.dtau_dqd, complex_step(lambda qd: ID.reference(model, q, qd, qdd), qd), 1e-12)
    so = in_form(form, ID_SO_derivatives)(model, q, qd, qdd)
    near(so.d2tau_dq, complex_step_q(model, lambda q: first(q, qd, 0), q), 1e-12)
    near(so.d2tau_dqd, complex_step(lambda qd: first(q, qd, 1), qd), 1e-12)
    near(so.d2tau_cross, complex_step(lambda qd: first(q, qd, 0), qd), 1e-12)
    near(so.dM_dq, complex_step_q(model, lambda q: HandC.reference(model, q, qd).H, q), 1e-12)


@both_forms
@every_model
def test_derivatives_of_forward_dynamics_with_rotors_are_complex_steps(
    name: str, form: str
) -> None:
    """Forward dynamics, in which rotors are not bodies, agrees with ID and H.

    Its derivatives agree with complex steps.
    """
    model, s = draw(name, (2,))
    q, qd, tau = s.q, s.qd, s.tau
    qdd = in_form(form, FDab)(model, q, qd, tau)
    near(in_form(form, ID)(model, q, qd, qdd), tau, 1e-11)
    Hinv = in_form(form, Hinverse)(model, q)
    H = in_form(form, HandC)(model, q, qd).H
    near(H @ Hinv, np.broadcast_to(np.eye(model.NV), H.shape), 1e-11)
    near(in_form(form, AZA)(model, q, tau), (Hinv @ tau[..., None])[..., 0], 1e-12)

    d = FD_derivatives(model, q, qd, tau)
    near(d.dqdd_dq, complex_step_q(model, lambda q: FDab.reference(model, q, qd, tau), q), 1e-11)
    near(d.dqdd_dqd, complex_step(lambda qd: FDab.reference(model, q, qd, tau), qd), 1e-11)
    near(d.dqdd_dtau, complex_step(lambda t: FDab.reference(model, q, qd, t), tau), 1e-11)
    near(FD_derivatives(model, q, qd, tau, product="AZA").dqdd_dq, d.dqdd_dq, 1e-11)


@every_model
def test_second_derivatives_of_forward_dynamics_with_rotors_are_complex_steps(name: str) -> None:
    model, s = draw(name)
    q, qd, tau = s.q, s.qd, s.tau

    def first(q: np.ndarray, qd: np.ndarray, k: int) -> np.ndarray:
        return FD_derivatives(model, q, qd, tau)[k]

    so = FD_SO_derivatives(model, q, qd, tau)
    near(so.d2qdd_dq, complex_step_q(model, lambda q: first(q, qd, 0), q), 1e-11)
    near(so.d2qdd_dqd, complex_step(lambda qd: first(q, qd, 1), qd), 1e-11)
    near(so.d2qdd_cross, complex_step(lambda qd: first(q, qd, 0), qd), 1e-11)
    near(so.dMinv_dq, complex_step_q(model, lambda q: Hinverse.reference(model, q), q), 1e-11)
    near(dMinv_dq(model, q), so.dMinv_dq, 1e-11)
    all_near(FD_SO_derivatives(model, q, qd, tau, inner="IDFOZA", outer="AZA"), so, 1e-11)


@both_forms
@every_model
def test_contractions_with_rotors_are_weighted_tensors(name: str, form: str) -> None:
    model, s = draw(name, (2,))
    q, qd, qdd, tau, lam = s.q, s.qd, s.qdd, s.tau, s.tau[:, ::-1].copy()
    d, so = ID_derivatives(model, q, qd, qdd), ID_SO_derivatives(model, q, qd, qdd)
    g = in_form(form, modID_derivatives)(model, q, qd, qdd, lam)
    all_near(g, [np.einsum("ni,nij->nj", lam, x) for x in d], 1e-12)
    m = in_form(form, modID_second_derivatives)(model, q, qd, qdd, lam)
    all_near(m[2:5], [np.einsum("ni,nijk->njk", lam, T) for T in so[:3]], 1e-12)
    all_near((*m[:2], *m[5:]), (*g, *d), 1e-12)
    near(g.grad_q, complex_step_q(model, lambda q: modID(model, q, qd, qdd, lam), q), 1e-12)
    f = modFD_derivatives(model, q, qd, tau, lam)
    near(f.grad_q, complex_step_q(model, lambda q: modFD(model, q, qd, tau, lam), q), 1e-11)
    wanted = np.einsum("ni,nijk->njk", lam, FD_SO_derivatives(model, q, qd, tau).d2qdd_dq)
    near(modFD_second_derivatives(model, q, qd, tau, lam).H_qq, wanted, 1e-11)
    dM_lam = np.einsum("nijk,nj->nik", so.dM_dq, lam)
    near(IDFOZA(model, q, lam), dM_lam, 1e-12)


def everything(model: Model, s: zoo.State) -> list[np.ndarray]:
    """Return forward and inverse dynamics and their derivatives to second order."""
    id_state, fd_state = (s.q, s.qd, s.qdd), (s.q, s.qd, s.tau)
    return [
        *HandC(model, s.q, s.qd),
        FDab(model, *fd_state),
        *ID_derivatives(model, *id_state),
        *ID_SO_derivatives(model, *id_state),
        *FD_derivatives(model, *fd_state),
        *FD_SO_derivatives(model, *fd_state),
        *modID_second_derivatives(model, *id_state, s.tau),
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
    all_near(ID_derivatives(model, *state), ID_derivatives(bare, *state), 1e-13)


@every_model
def test_rotors_change_the_results(name: str) -> None:
    """Without the rotors the results differ, so the tests above would notice a missing rotor."""
    model, s = draw(name)
    tau = ID_derivatives(model, s.q, s.qd, s.qdd).dtau_dq
    bare = ID_derivatives(model.replace(has_rotor=None), s.q, s.qd, s.qdd).dtau_dq
    assert np.abs(tau - bare).max() > 1e-3 * np.abs(tau).max()

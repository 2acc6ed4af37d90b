"""Derivatives of body motions and forces: MATLAB's numbers, complex steps, sums over subtrees,
rotors.
"""

from collections.abc import Callable
from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import FORMS, all_near, in_form, near

import derivatives as dv
from derivatives.per_body import force_to_body
from derivatives.reference import complex_step, complex_step_q
from spatial_v2 import GlobalDynamics, jcalc
from spatial_v2.model.rotors import expand, expand_vector

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
FILE = "e_spatial_force"
CASES = golden_io.cases(FILE, "in_q")
PLAIN = [name for name in zoo.NAMES if name not in zoo.ROTORS]
plain_zoo = pytest.mark.parametrize("name", zoo.over(PLAIN))


def compare(case: str, ours: Any, prefix: str) -> None:
    """Check all fields that MATLAB has against its results.

    MATLAB's entries [:, j, i] and [:, j, k, i] are [i, :, j] and [i, :, j, k] here.
    """
    data, found = golden_io.load(FILE), 0
    for field in ours._fields:
        what = f"{prefix}_{field.replace('dfC', 'dfc')}"
        if golden_io.has(data, case, what):
            near(getattr(ours, field), np.moveaxis(golden_io.raw(data, case, what), -1, 0), 1e-12)
            found += 1
    assert found >= 6


@pytest.mark.parametrize("case", CASES)
def test_values_agree_with_matlab(case: str) -> None:
    data = golden_io.load(FILE)
    model = golden_io.model_of(data, case)
    state = [golden_io.raw(data, case, f"in_{x}").ravel() for x in ("q", "qd", "qdd")]
    compare(case, dv.spatial_force_derivatives(model, *state), "spatial_force_derivatives")
    compare(case, dv.spatial_force_SO_derivatives(model, *state), "spatial_force_SO")


def steps(model: Any, s: zoo.State, f: Callable[..., Any]) -> tuple[np.ndarray, ...]:
    """Compute derivatives of f(q, qd, qdd) with respect to each of its arguments, by
    complex steps.
    """
    return (
        complex_step_q(model, lambda q: f(q, s.qd, s.qdd), s.q),
        complex_step(lambda qd: f(s.q, qd, s.qdd), s.qd),
        complex_step(lambda qdd: f(s.q, s.qd, qdd), s.qdd),
    )


def bodies(model: Any, what: str, frame: str) -> Callable[..., Any]:
    """Return a field of `GlobalDynamics` as a function of the state, in base or in body
    coordinates.
    """

    def field(*state: Any) -> Any:
        g = GlobalDynamics(model, *state)
        x = getattr(g, what)
        if frame == "_body":
            x = ((force_to_body(g.X0) if what[0] == "f" else g.X0) @ x[..., None])[..., 0]
        return x

    return field


@pytest.mark.parametrize("frame", ["", "_body"])
@plain_zoo
def test_derivatives_of_forces_are_complex_steps(name: str, frame: str) -> None:
    model, s = draw(name)
    found = [in_form(form, dv.spatial_force_derivatives)(model, *s[:3]) for form in FORMS]
    for what in ("f", "fC"):
        wanted = steps(model, s, bodies(model, what, frame))
        for d in found:
            all_near([getattr(d, f"d{what}_d{x}{frame}") for x in "qva"], wanted, 1e-13)


@pytest.mark.parametrize("frame", ["", "_body"])
@plain_zoo
def test_derivatives_of_motions_are_complex_steps(name: str, frame: str) -> None:
    model, s = draw(name)
    found = [in_form(form, dv.body_motion_derivatives)(model, *s[:3]) for form in FORMS]
    for what in ("v", "a"):
        by_q, by_qd, by_qdd = steps(model, s, bodies(model, what, frame))
        for d in found:
            near(getattr(d, f"d{what}_dq{frame}"), by_q, 1e-13)
            near(getattr(d, f"d{what}_dqd{frame}"), by_qd, 1e-13)
            near(getattr(d, f"da_dqdd{frame}") if what == "a" else 0 * by_qdd, by_qdd, 1e-13)


@pytest.mark.parametrize("frame", ["", "_body"])
@plain_zoo
def test_second_derivatives_are_complex_steps_of_the_first(name: str, frame: str) -> None:
    """Second derivatives agree with complex steps of the first ones, ordered along q.

    Those with respect to acceleration and velocity, and to acceleration twice, vanish.
    """
    model, s = draw(name)
    found = [in_form(form, dv.spatial_force_SO_derivatives)(model, *s[:3]) for form in FORMS]
    b = frame[:2]

    def first(x: str) -> Callable[..., Any]:
        return lambda *state: getattr(
            dv.spatial_force_derivatives.reference(model, *state), f"dfC_d{x}{frame}"
        )

    (qq, qv, qa), (vq, vv, va), (aq, av, aa) = (steps(model, s, first(x)) for x in "qva")
    for d in found:
        near(getattr(d, f"d2fc_dq{b}"), qq, 1e-13)
        near(getattr(d, f"d2fc_dqa{b}"), qa, 1e-13)
        near(getattr(d, f"d2fc_dvq{b}").swapaxes(-1, -2), qv, 1e-13)
        near(getattr(d, f"d2fc_dvq{b}"), vq, 1e-13)
        near(getattr(d, f"d2fc_dv{b}"), vv, 1e-13)
        near(getattr(d, f"d2fc_daq{b}"), aq, 1e-13)
    assert not np.any([va, av, aa])


@plain_zoo
def test_force_on_a_body_is_the_difference_of_subtrees(name: str) -> None:
    """In base coordinates, the force on a body is the force on its subtree minus those on its
    children's subtrees.
    """
    model, s = draw(name)
    d = dv.spatial_force_derivatives(model, *s[:3])
    for x in "qva":
        alone = getattr(d, f"dfC_d{x}").copy()
        for i, p in enumerate(model.parent):
            if p >= 0:
                alone[p] -= getattr(d, f"dfC_d{x}")[i]
        near(getattr(d, f"df_d{x}"), alone, 1e-13)


@plain_zoo
def test_forces_project_to_derivatives_of_inverse_dynamics(name: str) -> None:
    """``S_i^T`` times derivatives of the subtree forces fC_i, in body coordinates, are those of
    inverse dynamics.
    """
    model, s = draw(name)
    S = np.concatenate(
        [jcalc(j, s.q[qs])[1] for j, qs in zip(model.jtype, model.qinds, strict=True)], axis=1
    )
    first, second = (f(model, *s[:3]) for f in (dv.ID_derivatives, dv.ID_SO_derivatives))
    d1, d2 = (
        f(model, *s[:3]) for f in (dv.spatial_force_derivatives, dv.spatial_force_SO_derivatives)
    )

    def torque(x: np.ndarray) -> np.ndarray:
        return np.einsum("ci,ic...->i...", S, x[model.body_of_v])

    near(torque(d1.dfC_dq_body), first.dtau_dq, 1e-13)
    near(torque(d1.dfC_dv_body), first.dtau_dqd, 1e-13)
    near(torque(d2.d2fc_dq_b), second.d2tau_dq, 1e-13)
    near(torque(d2.d2fc_dv_b), second.d2tau_dqd, 1e-13)
    near(torque(d2.d2fc_dvq_b).swapaxes(1, 2), second.d2tau_cross, 1e-13)
    near(torque(d2.d2fc_daq_b), second.dM_dq, 1e-13)


@pytest.mark.parametrize("name", zoo.ROTORS)
def test_rotors_are_bodies_of_the_subtrees(name: str) -> None:
    """Derivatives agree with complex steps of the tree in which rotors are bodies of
    the subtrees.
    """
    model, s = draw(name)

    def forces(q: Any, qd: Any, qdd: Any) -> Any:
        state = (expand_vector(model, x, c) for x, c in ((q, "q"), (qd, "v"), (qdd, "v")))
        return GlobalDynamics(expand(model), *state).fC[..., : model.NB, :]

    d = dv.spatial_force_derivatives(model, *s[:3])
    all_near([d.dfC_dq, d.dfC_dv, d.dfC_da], steps(model, s, forces), 1e-12)

    def first(*state: Any) -> Any:
        return dv.spatial_force_derivatives.reference(model, *state).dfC_dq_body

    so = dv.spatial_force_SO_derivatives(model, *s[:3])
    qq, qv, qa = steps(model, s, first)
    all_near([so.d2fc_dq_b, so.d2fc_dvq_b.swapaxes(-1, -2), so.d2fc_dqa_b], [qq, qv, qa], 1e-12)

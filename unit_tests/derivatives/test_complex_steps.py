"""Derivatives are complex steps of what they differentiate: each function of the table, for every
kind of model, with external forces, with rotors and with joint terms.
"""

import inspect
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import numpy as np
import pytest
import zoo
from geared import GEARED
from helpers import FORMS, in_form, near
from joint_term_samples import with_terms
from parameters import few
from public_functions import arguments, suits

import derivatives as dv
import spatial_v2 as sv
from derivatives.reference import complex_step, complex_step_q

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
TERMS = " with joint terms"
NAMES = [*zoo.NAMES, *GEARED, *(x + TERMS for x in ("floating", "rotors", "planar_tree"))]
FEW = [*sorted(zoo.CHOSEN), "rotors that slide and screw", "floating" + TERMS]
FORCES = (None, "base", "body")
Derivative = tuple[Callable[..., Any], str, str]


def inertia_force(model: sv.Model, q: Any, qdd: Any, lambda_: Any) -> Any:
    """Return ``lambda_ . H qdd``."""
    return np.einsum("...i,...ij,...j", lambda_, sv.CRBA.reference(model, q), qdd)


ID1, FD1, MOD1, MODF1 = (
    dv.ID_derivatives, dv.FD_derivatives, dv.modID_derivatives, dv.modFD_derivatives,
)  # fmt: skip
TABLE: dict[Callable[..., Any], dict[str, Derivative]] = {
    ID1: {"dtau_dq": (sv.ID, "", "q"), "dtau_dqd": (sv.ID, "", "qd")},
    dv.ID_SO_derivatives: {
        "d2tau_dq": (ID1, "dtau_dq", "q"), "d2tau_dqd": (ID1, "dtau_dqd", "qd"),
        "d2tau_cross": (ID1, "dtau_dq", "qd"), "dM_dq": (sv.CRBA, "", "q"),
    },
    FD1: {
        "dqdd_dq": (sv.FDab, "", "q"), "dqdd_dqd": (sv.FDab, "", "qd"),
        "dqdd_dtau": (sv.FDab, "", "tau"),
    },
    dv.FD_SO_derivatives: {
        "d2qdd_dq": (FD1, "dqdd_dq", "q"), "d2qdd_dqd": (FD1, "dqdd_dqd", "qd"),
        "d2qdd_cross": (FD1, "dqdd_dq", "qd"), "dMinv_dq": (sv.Hinverse, "", "q"),
    },
    dv.H_derivatives: {"": (sv.CRBA, "", "q")},
    dv.dMinv_dq: {"": (sv.Hinverse, "", "q")},
    MOD1: {"grad_q": (dv.modID, "", "q"), "grad_qd": (dv.modID, "", "qd")},
    MODF1: {
        "grad_q": (dv.modFD, "", "q"), "grad_qd": (dv.modFD, "", "qd"),
        "grad_tau": (dv.modFD, "", "tau"),
    },
    dv.modID_derivatives_simple: {"": (inertia_force, "", "q")},
    dv.modID_second_derivatives: {
        "dmod_dq": (dv.modID, "", "q"), "dmod_dv": (dv.modID, "", "qd"),
        "dmod_dqq": (MOD1, "grad_q", "q"), "dmod_dvv": (MOD1, "grad_qd", "qd"),
        "dmod_dqv": (MOD1, "grad_q", "qd"),
        "dtau_dq": (sv.ID, "", "q"), "dtau_dv": (sv.ID, "", "qd"),
    },
    dv.modFD_second_derivatives: {
        "FD_q": (sv.FDab, "", "q"), "FD_qd": (sv.FDab, "", "qd"), "FD_tau": (sv.FDab, "", "tau"),
        "H_qq": (MODF1, "grad_q", "q"), "H_qdqd": (MODF1, "grad_qd", "qd"),
        "H_qdq": (MODF1, "grad_qd", "q"), "H_tauq": (MODF1, "grad_tau", "q"),
    },
}  # fmt: skip
"""Function -> field of its result -> function, its field, and the argument by which it is
differentiated. Fields of arrays alone are empty.
"""
REGRESSORS = {
    getattr(dv, f"{f.__name__}_derivatives"): f
    for f in (
        sv.RegressorClassical, sv.RegressorSL, sv.RegressorHandG, sv.Regressor_HqdandCTqd,
        sv.RegressorMomentum, sv.RegressorEnergy,
    )
}  # fmt: skip
for _function, _regressor in REGRESSORS.items():
    _fields = inspect.get_annotations(_function, eval_str=True)["return"]._fields
    TABLE[_function] = {x: (_regressor, *x[1:].rsplit("_d", 1)) for x in _fields}  # type: ignore[misc]


def build(name: str) -> sv.Model:
    if name in GEARED:
        return GEARED[name]()
    model = zoo.build(name.removesuffix(TERMS))
    return with_terms(model) if name.endswith(TERMS) else model


def names_of(function: Callable[..., Any]) -> list[str]:
    """Return the names of the arguments of a function after the model."""
    known = ("q", "qd", "qdd", "tau", "qd_r", "lambda_")
    names = [x for x in inspect.signature(function).parameters if x in known]
    return [x for x in names if x != "qdd" or "tau" not in names]


def cases() -> Iterator[Any]:
    """Yield functions with models, external forces and forms; a default run tries each function
    with all chosen models, and forces and forms in turn.
    """
    for function in TABLE:
        forced = "f_ext" in inspect.signature(function).parameters
        ways = [(x, form) for x in (FORCES if forced else FORCES[:1]) for form in FORMS]
        turns = cycle(ways)
        now = {name: next(turns) for name in FEW}
        for name in NAMES:
            for forces, form in ways:
                marks = () if now.get(name) == (forces, form) else pytest.mark.wide
                label = f"{function.__name__}-{name}-{forces or 'free'}-{form}"
                yield pytest.param(function, name, forces, form, id=label, marks=marks)


def tolerance(model: sv.Model, q: np.ndarray) -> float:
    """Return 1e-12, or the rounding error of the inverse of H if that is larger."""
    H = sv.CRBA.reference(model, q)
    return float(max(1e-12, 10 * np.finfo(float).eps * np.linalg.cond(H).max()))


@pytest.mark.parametrize(("function", "name", "forces", "form"), few(cases()))
def test_derivatives_are_complex_steps(function: Any, name: str, forces: Any, form: str) -> None:
    """At random states, and where formulas for rotations are singular: derivatives along q are
    along the velocity variables, and second ones ordered.
    """
    model = build(name)
    if not suits(function, model):
        pytest.skip("the function does not support the model")
    states = arguments(
        model, ["qd", "qdd", "tau", "qd_r", "lambda_"], np.random.default_rng(7), (5,)
    )
    singular = zoo.near_singular(model)[[0, 11, 26]]
    q = sv.random_configuration(model, np.random.default_rng(3), (2,))
    states["q"] = np.concatenate([q, singular])
    push = arguments(model, ["f_ext"], np.random.default_rng(8), (5,)) | {"frame": forces}

    def run(f: Any, x: dict[str, Any]) -> Any:
        more = push if forces and "f_ext" in inspect.signature(f).parameters else {}
        return f(model, **{k: x[k] for k in names_of(f)}, **more)

    def part(result: Any, field: str) -> Any:
        return getattr(result, field) if field else result

    found = run(in_form(form, function), states)
    inverse = "FD" in function.__name__ or "Minv" in function.__name__
    tol = 10 * tolerance(model, states["q"]) if inverse else 1e-12
    for field, (base, of, by) in TABLE[function].items():
        page = getattr(base, "reference", base)

        def at(x: Any, page: Any = page, of: str = of, by: str = by) -> Any:
            return part(run(page, states | {by: x}), of)

        step = complex_step_q(model, at, states["q"]) if by == "q" else complex_step(at, states[by])
        near(part(found, field), step, tol)

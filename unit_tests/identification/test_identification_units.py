"""Identification in other units: results are the same, times the factors of their dimensions.

Every public function of `spatial_v2.identification` is called for a robot and its motion, and for
the same in other units, which may be read as a robot of another size.
"""

import warnings
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import for_each, near
from test_identification import motion
from units import Units

import spatial_v2 as sv
from spatial_v2 import RPNA as rpna
from spatial_v2 import identification
from spatial_v2.identification.base_parameters import base_parameters
from spatial_v2.identification.excitation import Excitement
from spatial_v2.identification.RangeBasis import TOLERANCE
from spatial_v2.identification.unknowns import Unknowns

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")


TERMS = {"viscous": "E T f2", "coulomb": "E f", "offset": "E f", "armature": "M L2 f2"}
"""Dimensions of what is identified beside the inertial parameters."""


def of_body(units: Units) -> np.ndarray:
    """Return the factors of the ten inertial parameters, per mass."""
    return np.repeat([1.0, units.length, units.length**2], [1, 3, 6])


def of_joints(units: Units, model: sv.Model, dimension: str) -> np.ndarray:
    return np.asarray(units.scaled(model, np.ones(model.NV), dimension))


def motion_in(units: Units, model: sv.Model, x: Iterable[np.ndarray]) -> list[np.ndarray]:
    """Return q, qd, qdd and tau in other units."""
    dimensions = "q", "T-1 v", "T-2 v", "E f"
    return [units.scaled(model, a, d) for a, d in zip(x, dimensions, strict=False)]


MILLIMETRES = Units(1e3, 1e3, 1e3)
UNITS = [
    MILLIMETRES, Units(1e-3), Units(mass=1e-3), Units(1e-3, 1e-3), Units(1e3, 1e3),
    Units(1e-6, 1e-6), Units(1e-3, 1e-9, 1e-3),
]  # fmt: skip
NAMES = [x for x in zoo.NAMES if x not in ("massless", *zoo.PLANAR)]


def null(model: sv.Model) -> Any:
    return sv.RPNA_rotor(model) if model.has_rotors else rpna(model)


def of_rpna(model: sv.Model, units: Units) -> list[Any]:
    """Return what `RPNA` finds, in units of metres: dimensions, choices, spanned spaces."""
    found = null(model)
    u, v = of_body(units), np.repeat([1.0, units.length], 3)
    results: list[Any] = [[x.shape for x in part] for part in found]
    results += [found.M]
    for N, V, C in zip(found.N, found.V, found.C, strict=True):
        results += [span((N * np.tile(u, N.shape[1] // 10)).T), span((C * u).T)]
        results += [span(V / np.tile(v, len(V) // 6)[:, None])]
    return results


def span(A: np.ndarray) -> np.ndarray:
    """Return the projector onto the span of independent columns."""
    Q = np.linalg.qr(A / np.linalg.norm(A, axis=0))[0]
    return np.asarray(Q @ Q.T)


def of_bases(model: sv.Model, units: Units) -> list[Any]:
    found = null(model)
    bases = sv.ComputeBases(model, found.N, found.M)
    kept = bases.Minimal_Basis.argmax(axis=0)
    u = np.tile(of_body(units), len(bases.Minimal_Basis) // 10)
    Perp = bases.Perp_Basis * u[:, None] / u[kept]
    return [bases.Null_Basis.shape, kept, span(bases.Null_Basis / u[:, None]), Perp]


def of_tests(model: sv.Model, units: Units) -> list[Any]:
    N = null(model).N
    bodies = [*range(model.NB), *(model.NB + np.flatnonzero(model.has_rotor))]
    return [
        [f(model, N, i, k) for i in bodies for k in range(10)]
        for f in (sv.IsIdentifiable, sv.IsUnidentifiable)
    ]


def of_summary(model: sv.Model, units: Units) -> list[Any]:
    sv.PrintParameterSummary(model, *null(model))
    return []


OF_MODELS: dict[str, Callable[[sv.Model, Units], list[Any]]] = {
    "RPNA": of_rpna, "RPNA_rotor": of_rpna, "ComputeBases": of_bases, "IsIdentifiable": of_tests,
    "IsUnidentifiable": of_tests, "PrintParameterSummary": of_summary,
}  # fmt: skip
APART = {
    "identify": "below",
    "identify_payload": "below",
    "excitation_trajectory": "below",
    "ComputeSampledRegressor": "at random numbers that have no units",
    **dict.fromkeys(
        ["RangeBasis", "OutputMatrix", "SwitchedControllabilityMatrix",
         "SwitchedObservabilityMatrix", "UnitVectorComplementarySubspace", "CleanMat"],
        "of any matrices, with a tolerance relative to their largest singular value or to 1",
    ),
    **dict.fromkeys(
        ["Output_InnerProduct", "Rate_Parameters", "Transform_Parameters", "symmetric_rotor"],
        "polynomials of their arguments",
    ),
    **dict.fromkeys(
        ["Excitation", "Identification", "ParameterBases", "ParameterNullspace", "Payload"],
        "results",
    ),
}  # fmt: skip
"""Names of the package that are not called here, and the reason."""


def test_every_public_function_is_concerned() -> None:
    assert {*OF_MODELS, *APART} == {*identification.__all__}


def assert_same(found: list[Any], wanted: list[Any], size: float = 1e-10) -> None:
    for x, y in zip(found, wanted, strict=True):
        if isinstance(x, np.ndarray) and x.dtype.kind == "f":
            near(x, y, size)
        else:
            assert np.array_equal(np.ravel(x), np.ravel(y)) if np.ndim(x) else x == y


@pytest.mark.parametrize("units", [MILLIMETRES, Units(1e-3), Units(1e-6)], ids=str)
@pytest.mark.parametrize("name", zoo.MODELS)
def test_what_can_be_identified_does_not_depend_on_units(
    name: str, units: Units, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ranks, chosen base parameters, spanned spaces and printed tables agree for every model."""
    model = zoo.build(name)
    other, printed = units.model(model), []
    for f in {*OF_MODELS.values()}:
        wanted = [np.asarray(x) if isinstance(x, np.ndarray) else x for x in f(model, Units())]
        printed.append(capsys.readouterr().out)
        found = f(other, units)
        printed.append(capsys.readouterr().out)
        for x, y in zip(found, wanted, strict=True):
            if isinstance(x, list) and x and isinstance(x[0], np.ndarray):
                assert_same(x, y)
            else:
                assert_same([x], [y])
    assert printed[0::2] == printed[1::2] and any(printed)


OPTIONS: list[dict[str, Any]] = [
    {}, {"physical": False}, {"method": "normal"}, {"weights": "residuals", "physical": False},
    {"physical": False, "prior_weight": 0.3},
    {"friction": True, "offset": True, "armature": True},
    {"unknown": [0], "friction": "viscous", "physical": False},
]  # fmt: skip


def compared(found: Any, model: sv.Model, bodies: np.ndarray, units: Units) -> dict[str, Any]:
    """Return the results of `identify` in SI units."""
    named = [x for x in TERMS if f"{x}0" in found.names]
    kept = base_parameters(model, bodies, TOLERANCE).Minimal_Basis.argmax(axis=0)
    body, in_term = units.mass * of_body(units), partial(of_joints, units, model)
    base = np.tile(body, len(bodies))[kept]
    base = np.concatenate([base, *(in_term(TERMS[x]) for x in named)])
    determined = np.isfinite(found.standard_deviations)
    return {
        "kept": kept, "rank": found.rank, "samples": found.samples, "determined": determined,
        "condition": found.condition, "parameters": found.parameters / body,
        "base": found.base / base, "covariance": found.covariance / np.outer(base, base),
        "deviations": np.where(determined, found.standard_deviations, 0.0) / base,
        **{x: getattr(found, x) / in_term(TERMS[x]) for x in TERMS},
        "residual_rms": found.residual_rms / in_term("E f"),
    }  # fmt: skip


CASES = [(name, options) for name in NAMES for options in OPTIONS]
CASES += [(name, {"physical": False}) for name in (*zoo.PLANAR, "massless")]


@pytest.mark.parametrize("units", UNITS, ids=str)
@pytest.mark.parametrize(("name", "options"), zoo.over(CASES), ids=str)
def test_identified_robots_do_not_depend_on_units(
    name: str, options: dict[str, Any], units: Units
) -> None:
    """Estimates, accuracies, ranks and warnings agree for every kind of joint and every option."""
    model = zoo.build(name)
    rng = np.random.default_rng(3)
    x = motion(model, 60)
    model = model.replace(damping=0.3) if "friction" not in options else model
    tau = sv.ID(model, *x) + 0.2 * np.sign(x[1]) + 0.05 * rng.normal(size=x[1].shape)
    other = units.model(model)
    bodies = np.array(options.get("unknown", np.arange(model.NB)))
    results = []
    for one, here in ((model, Units()), (other, units)):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = sv.identify(one, *motion_in(here, model, (*x, tau)), **options)
        results.append(compared(found, one, bodies, here))
        ours = [w for w in told if "kept as given" not in str(w.message)]  # by Model, of inertias
        results[-1]["warned"] = sorted({w.category.__name__ for w in ours})
    size = 1e-6 if options.get("method") == "normal" else 1e-7
    for key, wanted in results[0].items():
        if np.asarray(wanted).dtype.kind == "f":
            near(results[1][key], wanted, size)
        else:
            assert np.array_equal(results[1][key], wanted), key


@pytest.mark.optional
@pytest.mark.parametrize("units", UNITS, ids=str)
def test_semidefinite_programs_do_not_depend_on_units(units: Units) -> None:
    """The conditions are active: the solver's tolerance is that of the comparison."""
    pytest.importorskip("cvxpy")
    pytest.importorskip("clarabel")
    model, rng = sv.autoTree(3, 1, 0.7), np.random.default_rng(0)
    x = motion(model, 12)
    tau = sv.ID(model, *x) + 3 * rng.normal(size=x[1].shape)
    found = [
        sv.identify(one.model(model), *motion_in(one, model, (*x, tau)), physical="lmi").parameters
        / (one.mass * of_body(one))
        for one in (Units(), units)
    ]
    near(found[1], found[0], 1e-4)


@pytest.mark.parametrize("units", UNITS, ids=str)
@pytest.mark.parametrize("options", [{}, {"physical": False}, {"method": "normal"}], ids=str)
def test_exact_samples_give_exact_results_in_all_units(
    options: dict[str, Any], units: Units
) -> None:
    """Without noise, forces of other motions and friction are right to ten digits, from a prior
    that is wrong by half, for robots of any size and mass.
    """
    model, x, y = zoo.build("mixed"), *(motion(zoo.build("mixed"), n, n) for n in (500, 50))
    u = 0.3 * np.ones(model.NV)
    true = units.model(model.replace(armature=u, damping=u / 2, friction=u / 5))
    prior = true.replace(
        I=[I * f for I, f in zip(true.I, (1.5, 0.7, 1.2, 0.8, 1.3, 0.9, 1.1), strict=False)],
        armature=None,
        damping=None,
        friction=None,
    )
    (q, qd, qdd), new = motion_in(units, model, x), motion_in(units, model, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sv.ExcitationWarning)
        found = sv.identify(
            prior, q, qd, qdd, sv.ID(true, q, qd, qdd), friction=True, armature=True, **options
        )
    bodies = found.model.replace(armature=None, damping=None, friction=None)
    terms = found.armature * new[2] + found.viscous * new[1] + found.coulomb * np.sign(new[1])
    forces = (
        sv.ID(bodies, *new) + terms
    )  # without the condition `physical` armature may be negative
    force = of_joints(units, model, "E f")
    near(forces / force, sv.ID(true, *new) / force, 1e-10)
    if options.get("physical", True):
        near(sv.ID(found.model, *new), forces, 1e-12)
    near(found.coulomb / force, u / 5, 1e-10)
    near(found.viscous / of_joints(units, model, TERMS["viscous"]), u / 2, 1e-10)


@for_each(UNITS)
def test_payloads_do_not_depend_on_units(units: Units) -> None:
    """Mass, centre and inertia of a load, from exact and from noisy forces, and from none."""
    model, rng = zoo.build("floating_rotors"), np.random.default_rng(4)
    other, x = units.model(model), motion(model, 40)
    box = np.asarray(sv.mcI(2.0, [0, 0.05, 0.1], 0.02 * np.eye(3)))
    loaded = sv.ID(sv.attach(model, model.NB - 1, box), *x)
    for tau in (loaded, loaded + 0.05 * rng.normal(size=loaded.shape), sv.ID(model, *x)):
        one = sv.identify_payload(model, model.NB - 1, *x, tau)
        two = sv.identify_payload(other, other.NB - 1, *motion_in(units, model, (*x, tau)))
        near(two.mass / units.mass, one.mass, 1e-7)
        if one.mass > 1e-6:
            near(two.center / units.length, one.center, 1e-7)
        size = np.array([units.length] * 3 + [1.0] * 3)
        near(two.I / units.mass / np.outer(size, size), one.I, 1e-7)


@pytest.mark.parametrize("units", [MILLIMETRES, Units(1e-6, 1e-6)], ids=str)
def test_excitation_trajectories_do_not_depend_on_units(units: Units) -> None:
    """The minimised function, its slopes and what no motion can tell apart agree up to rounding;
    the iterations amplify it, so that the motions found are equally good, not equal.
    """
    model, rng = sv.autoTree(3, 1, 0.9).replace(jtype=["Rz", "Px", "Rx"]), np.random.default_rng(0)
    bounds = np.array([[-1.0, -0.3, -2.0], [1.5, 0.4, 2.0]])
    x, found, conditions = rng.normal(size=(3, 30, 3)), [], []
    terms = ("viscous", "coulomb", "armature")
    for one in (Units(), units):
        u, other = of_joints(one, model, "v"), one.model(model)
        u = np.array([u, u / one.time, u / one.time**2])
        unknowns = Unknowns(other, terms, np.arange(3))
        judge = Excitement(unknowns, np.zeros(3), u, np.random.default_rng(1))
        cost, slopes = judge.slopes(*(x * u[:, None]))
        found.append([judge.kept * 1.0, np.array(cost), slopes * u[:, None]])
        conditions.append(
            sv.excitation_trajectory(
                other, 4.0 * one.time, limits=bounds * u[0], velocity=u[1], friction=True,
                armature=True, rng=np.random.default_rng(0),
            ).condition
        )  # fmt: skip
    for a, b in zip(*found, strict=True):
        near(b, a, 1e-7)
    assert conditions[1] == pytest.approx(conditions[0], rel=0.02)

"""Identification in other units: results are the same, times the factors of their dimensions.

A robot and its motion are described in units of length, mass and time whose numbers are L, M and T
times as large. The robot may as well be of another size: the numbers are the same. Every public
function of `spatial_v2.identification` is called for both; ranks, chosen base parameters, warnings
and numbers agree up to rounding.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import zoo
from helpers import for_each, near
from test_identification import motion

from spatial_v2 import (
    ID,
    ComputeBases,
    ExcitationWarning,
    IsIdentifiable,
    IsUnidentifiable,
    Model,
    PrintParameterSummary,
    RPNA_rotor,
    attach,
    autoTree,
    excitation_trajectory,
    identification,
    identify,
    identify_payload,
    mcI,
)
from spatial_v2 import RPNA as rpna
from spatial_v2.identification.base_parameters import base_parameters
from spatial_v2.identification.excitation import Excitement
from spatial_v2.identification.natural_units import slides
from spatial_v2.identification.RangeBasis import TOLERANCE
from spatial_v2.identification.unknowns import Unknowns

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")


class Units(NamedTuple):
    """Factors of the numbers of lengths, masses and times."""

    L: float = 1.0
    M: float = 1.0
    T: float = 1.0

    def parameters(self, bodies: int) -> np.ndarray:
        """Return the factors (bodies, 10) of inertial parameters."""
        one = np.repeat([1.0, self.L, self.L**2], [1, 3, 6])
        return self.M * np.tile(one, (bodies, 1))

    def variables(self, model: Model) -> np.ndarray:
        """Return the factors (NV,) of displacements."""
        return np.where(np.concatenate([slides(x) for x in model.jtype]), self.L, 1.0)

    def forces(self, model: Model) -> np.ndarray:
        """Return the factors (NV,) of joint forces."""
        return self.M * self.L**2 / self.T**2 / self.variables(model)

    def term(self, model: Model, name: str) -> np.ndarray:
        """Return the factors (NV,) of friction, offset or armature."""
        rate = {"viscous": self.T, "coulomb": 0, "offset": 0, "armature": self.T**2}[name]
        size = self.forces(model)
        return size * rate / self.variables(model) if rate else size

    def model(self, model: Model) -> Model:
        """Return the model in these units."""
        turn = 1 if model.is_planar else 3

        def transform(X: Any) -> np.ndarray:
            X = np.array(X)
            X[..., turn:, :turn] *= self.L
            return X

        def inertia(I: Any) -> np.ndarray:
            I = self.M * np.array(I)
            I[..., :turn, turn:] *= self.L
            I[..., turn:, :turn] *= self.L
            I[..., :turn, :turn] *= self.L**2
            return I

        def joint(code: Any) -> Any:
            if isinstance(code, str):
                return code
            return {**code, "pars": {"pitch": self.L * code["pars"]["pitch"]}}

        changed: dict[str, Any] = {
            "Xtree": transform(model.Xtree),
            "I": inertia(model.I),
            "jtype": [joint(x) for x in model.jtype],
            "gravity": self.L / self.T**2 * np.array(model.gravity),
        }
        if model.has_rotors:
            changed |= {"Xrotor": transform(model.Xrotor), "I_rotor": inertia(model.I_rotor)}
            size = {False: 1.0, True: self.L}
            changed["gr"] = [  # a rotor may turn where its link slides
                gear * size[bool(slides(rotor)[0])] / size[bool(slides(link)[0])] if rotor else gear
                for gear, rotor, link in zip(model.gr, model.jtype_rotor, model.jtype, strict=True)
            ]
        for field, name in (("damping", "viscous"), ("friction", "coulomb"), ("armature",) * 2):
            if getattr(model, field) is not None:
                changed[field] = getattr(model, field) * self.term(model, name)
        return model.replace(**changed)

    def motion(self, model: Model, x: tuple[np.ndarray, ...]) -> list[np.ndarray]:
        """Return q, qd, qdd and tau in these units."""
        q, qd, qdd, tau = x
        u = self.variables(model)
        factor = np.ones(model.NQ)
        for i, code in enumerate(model.jtype):
            if model.nq[i] == model.nv[i]:
                factor[model.qinds[i]] = u[model.vinds[i]]
            elif code == "Fb":
                factor[np.arange(model.NQ)[model.qinds[i]][4:]] = self.L
        return [q * factor, qd * u / self.T, qdd * u / self.T**2, tau * self.forces(model)]


MILLIMETRES = Units(1e3, 1e3, 1e3)
UNITS = [
    MILLIMETRES, Units(1e-3), Units(M=1e-3), Units(1e-3, 1e-3), Units(1e3, 1e3),
    Units(1e-6, 1e-6), Units(1e-3, 1e-9, 1e-3),
]  # fmt: skip
NAMES = [x for x in zoo.NAMES if x not in ("massless", "SE3", "one_SE3", *zoo.PLANAR)]


def null(model: Model) -> Any:
    return RPNA_rotor(model) if model.has_rotors else rpna(model)


def of_rpna(model: Model, units: Units) -> list[Any]:
    """Return what `RPNA` finds, in units of metres: dimensions, choices, spanned spaces."""
    found = null(model)
    u = units.parameters(1)[0] / units.M
    v = np.repeat([1.0, units.L], 3)
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


def of_bases(model: Model, units: Units) -> list[Any]:
    found = null(model)
    bases = ComputeBases(model, found.N, found.M)
    kept = bases.Minimal_Basis.argmax(axis=0)
    u = units.parameters(len(bases.Minimal_Basis) // 10).ravel() / units.M
    Perp = bases.Perp_Basis * u[:, None] / u[kept]
    return [bases.Null_Basis.shape, kept, span(bases.Null_Basis / u[:, None]), Perp]


def of_tests(model: Model, units: Units) -> list[Any]:
    N = null(model).N
    bodies = [*range(model.NB), *(model.NB + np.flatnonzero(model.has_rotor))]
    return [
        [f(model, N, i, k) for i in bodies for k in range(10)]
        for f in (IsIdentifiable, IsUnidentifiable)
    ]


def of_summary(model: Model, units: Units) -> list[Any]:
    PrintParameterSummary(model, *null(model))
    return []


OF_MODELS: dict[str, Callable[[Model, Units], list[Any]]] = {
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


def compared(found: Any, model: Model, bodies: np.ndarray, units: Units) -> dict[str, Any]:
    """Return the results of `identify` in SI units."""
    terms = ("viscous", "coulomb", "offset", "armature")
    named = [x for x in terms if f"{x}0" in found.names]
    kept = base_parameters(model, bodies, TOLERANCE).Minimal_Basis.argmax(axis=0)
    all_ = units.parameters(model.NB)
    base = np.concatenate([all_[bodies].ravel()[kept], *(units.term(model, x) for x in named)])
    determined = np.isfinite(found.standard_deviations)
    return {
        "kept": kept, "rank": found.rank, "samples": found.samples, "determined": determined,
        "condition": found.condition, "parameters": found.parameters / all_,
        "base": found.base / base, "covariance": found.covariance / np.outer(base, base),
        "deviations": np.where(determined, found.standard_deviations, 0.0) / base,
        **{x: getattr(found, x) / units.term(model, x) for x in terms},
        "residual_rms": found.residual_rms / units.forces(model),
    }  # fmt: skip


def same_results(name: str, units: Units, options: dict[str, Any]) -> None:
    model = zoo.build(name)
    rng = np.random.default_rng(3)
    x = motion(model, 60)
    model = model.replace(damping=0.3) if "friction" not in options else model
    tau = ID(model, *x) + 0.2 * np.sign(x[1]) + 0.05 * rng.normal(size=x[1].shape)
    other = units.model(model)
    bodies = np.array(options.get("unknown", np.arange(model.NB)))
    results = []
    for one, here in ((model, Units()), (other, units)):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = identify(one, *here.motion(model, (*x, tau)), **options)
        results.append(compared(found, one, bodies, here))
        ours = [w for w in told if "kept as given" not in str(w.message)]  # by Model, of inertias
        results[-1]["warned"] = sorted({w.category.__name__ for w in ours})
    size = 1e-6 if options.get("method") == "normal" else 1e-7
    for key, wanted in results[0].items():
        if np.asarray(wanted).dtype.kind == "f":
            near(results[1][key], wanted, size)
        else:
            assert np.array_equal(results[1][key], wanted), key


@pytest.mark.parametrize("units", UNITS, ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", zoo.over(NAMES))
def test_identified_robots_do_not_depend_on_units(
    name: str, options: dict[str, Any], units: Units
) -> None:
    """Estimates, accuracies, ranks and warnings agree for every kind of joint and every option."""
    same_results(name, units, options)


@pytest.mark.parametrize("units", UNITS, ids=str)
@pytest.mark.parametrize("name", ["planar_chain", "planar_tree", "massless"])
def test_robots_without_consistent_inertias_do_not_depend_on_units(name: str, units: Units) -> None:
    same_results(name, units, {"physical": False})


@pytest.mark.optional
@pytest.mark.parametrize("units", UNITS, ids=str)
def test_semidefinite_programmes_do_not_depend_on_units(units: Units) -> None:
    """The conditions are active: the solver's tolerance is that of the comparison."""
    pytest.importorskip("cvxpy")
    pytest.importorskip("clarabel")
    model, rng = autoTree(3, 1, 0.7), np.random.default_rng(0)
    x = motion(model, 12)
    tau = ID(model, *x) + 3 * rng.normal(size=x[1].shape)
    found = [
        identify(one.model(model), *one.motion(model, (*x, tau)), physical="lmi").parameters
        / one.parameters(3)
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
    zero = np.zeros(model.NV)
    q, qd, qdd, _ = units.motion(model, (*x, zero))
    new = units.motion(model, (*y, zero))[:3]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExcitationWarning)
        found = identify(
            prior, q, qd, qdd, ID(true, q, qd, qdd), friction=True, armature=True, **options
        )
    bodies = found.model.replace(armature=None, damping=None, friction=None)
    terms = found.armature * new[2] + found.viscous * new[1] + found.coulomb * np.sign(new[1])
    forces = ID(bodies, *new) + terms  # without the condition `physical` armature may be negative
    near(forces / units.forces(model), ID(true, *new) / units.forces(model), 1e-10)
    if options.get("physical", True):
        near(ID(found.model, *new), forces, 1e-12)
    near(found.coulomb / units.term(model, "coulomb"), u / 5, 1e-10)
    near(found.viscous / units.term(model, "viscous"), u / 2, 1e-10)


@for_each(UNITS)
def test_payloads_do_not_depend_on_units(units: Units) -> None:
    """Mass, centre and inertia of a load, from exact and from noisy forces, and from none."""
    model, rng = zoo.build("floating_rotors"), np.random.default_rng(4)
    other, x = units.model(model), motion(model, 40)
    box = np.asarray(mcI(2.0, [0, 0.05, 0.1], 0.02 * np.eye(3)))
    loaded = ID(attach(model, model.NB - 1, box), *x)
    for tau in (loaded, loaded + 0.05 * rng.normal(size=loaded.shape), ID(model, *x)):
        one = identify_payload(model, model.NB - 1, *x, tau)
        two = identify_payload(other, other.NB - 1, *units.motion(model, (*x, tau)))
        near(two.mass / units.M, one.mass, 1e-7)
        if one.mass > 1e-6:
            near(two.center / units.L, one.center, 1e-7)
        size = np.array([units.L] * 3 + [1.0] * 3)
        near(two.I / units.M / np.outer(size, size), one.I, 1e-7)


@pytest.mark.parametrize("units", [MILLIMETRES, Units(1e-6, 1e-6)], ids=str)
def test_excitation_trajectories_do_not_depend_on_units(units: Units) -> None:
    """The minimised function, its slopes and what no motion can tell apart agree up to rounding;
    the iterations amplify it, so that the motions found are equally good, not equal.
    """
    model, rng = autoTree(3, 1, 0.9).replace(jtype=["Rz", "Px", "Rx"]), np.random.default_rng(0)
    bounds = np.array([[-1.0, -0.3, -2.0], [1.5, 0.4, 2.0]])
    x, found, conditions = rng.normal(size=(3, 30, 3)), [], []
    terms = ("viscous", "coulomb", "armature")
    for one in (Units(), units):
        u, other = one.variables(model), one.model(model)
        u = np.array([u, u / one.T, u / one.T**2])
        unknowns = Unknowns(other, terms, np.arange(3))
        judge = Excitement(unknowns, np.zeros(3), u, np.random.default_rng(1))
        cost, slopes = judge.slopes(*(x * u[:, None]))
        found.append([judge.kept * 1.0, np.array(cost), slopes * u[:, None]])
        conditions.append(
            excitation_trajectory(
                other, 4.0 * one.T, limits=bounds * u[0], velocity=u[1], friction=True,
                armature=True, rng=np.random.default_rng(0),
            ).condition
        )  # fmt: skip
    for a, b in zip(*found, strict=True):
        near(b, a, 1e-7)
    assert conditions[1] == pytest.approx(conditions[0], rel=0.02)

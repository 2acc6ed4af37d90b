"""Constraint kernels: results for dependent rows, and effects of edits of the model."""

from typing import Any

import numpy as np
import pytest
import zoo
from constraint_samples import FOOT, F, P, constraints
from helpers import near

import derivatives as dv
import spatial_v2 as sv
from spatial_v2.calls.prepare import prepared_call
from spatial_v2.constraints import prepared
from spatial_v2.constraints.compiled_rows import CompiledSet
from spatial_v2.constraints.ConstraintSet import constraint_set
from spatial_v2.constraints.forward import fill_forward
from spatial_v2.constraints.kernels import constraint_arrays
from spatial_v2.constraints.options import as_gains
from spatial_v2.constraints.prepared import Options
from spatial_v2.engine.parts.nonzero_columns import nonzero_columns
from spatial_v2.engine.parts.outcomes import DEPENDENT, NOTABLE, SOLVED
from spatial_v2.engine.runner import Runner

MODELS = ["chain", "floating", "mixed", "planar_tree", "rotors", "prismatic"]
RANKS: tuple[Any, ...] = ("minimum_norm", "proximal")


def patches(model: sv.Model) -> list[Any]:
    """Return constraints twice, and three points of one body if the model has enough velocity
    variables.
    """
    held = constraints(model)["slanted"]
    points = [P(model.NB - 1, x) for x in 0.1 * np.eye(3)[:, : len(model.gravity)]]
    return [*held, *held] if model.NV < 7 else [*held, *held, *points]


def says_nothing(model: sv.Model, state: Any, held: sv.ConstraintSet, rank: Any) -> bool:
    """Return True if the kernels have solved a batch without an error or a warning."""
    n = len(state[0])
    out = np.zeros((n, model.NV)), np.zeros((n, held.m))
    given = [*(np.array(x) for x in state), np.zeros((0, 0, 6)), np.zeros((0, 0, 6))]
    return fill_forward(model, given, out, n > 1, held, Options(rank=rank))


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("name", MODELS)
def test_dependent_rows_stay_in_kernels(name: str, rank: Any) -> None:
    """Kernels compute states with dependent rows, one by one and in batches, as the reference
    implementation does.
    """
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(2), (9,))
    held = sv.ConstraintSet(model, patches(model))
    many = sv.KKT_FD(model, s.q, s.qd, s.tau, held, rank=rank)
    exact = sv.KKT_FD.reference(model, s.q, s.qd, s.tau, held, rank=rank)
    for x, y in zip(many, exact, strict=True):
        near(x, y, 1e-9)
    assert says_nothing(model, (s.q, s.qd, s.tau), held, rank)
    for k in range(2):
        state = s.q[k], s.qd[k], s.tau[k]
        for x, y in zip(sv.KKT_FD(model, *state, held, rank=rank), many, strict=True):
            near(x, y[k], 1e-10)
        assert says_nothing(model, [x[None] for x in state], held, rank)


@pytest.mark.parametrize("batched", [False, True], ids=["one by one", "SIMD batches"])
def test_kernels_report_what_the_reference_reports(batched: bool) -> None:
    """Outcomes, ranks and angles of rows are those of the reference implementation, on both sides
    of all thresholds.
    """
    arm, tip = sv.autoTree(3), [P(2, [1.0, 0.0, 0.0], directions=[[0.8, 0.6, 0], [-0.6, 0.8, 0]])]
    bends = 10.0 ** -np.linspace(0.5, 9.5, 37)[:, None] * [0, 1, -1 / 3]
    free, walker = (
        zoo.build("floating"),
        zoo.states(zoo.build("floating"), np.random.default_rng(1)),
    )
    points = [P(4, x) for x in np.eye(3)]
    seen = set()
    for model, q, rows in ((arm, bends, tip), (free, walker.q[None], [*points, F(2, rows=[0, 3])])):
        held, H = sv.ConstraintSet(model, rows), sv.CRBA(model, q)
        exact = held.rows_at_rest(model, q).kkt(H, rank="nan").report
        found = CompiledSet(held, batched).rows_at_rest(model, q).kkt(H, rank="nan").report
        np.testing.assert_array_equal(found.status, exact.status)
        told = exact.status != SOLVED
        seen |= set(exact.status.tolist())
        np.testing.assert_array_equal(found.rank[told], exact.rank[told])
        for name in ("pivots", "sizes", "shares"):
            near(getattr(found, name)[told], getattr(exact, name)[told], 1e-11)
    assert seen == {SOLVED, DEPENDENT, NOTABLE}


@pytest.mark.parametrize("batched", [False, True], ids=["one by one", "SIMD batches"])
@pytest.mark.parametrize("name", MODELS)
def test_kernels_of_rows_have_all_of_the_reference(name: str, batched: bool) -> None:
    """Jacobian, residual, and the relative sizes by which ranks are decided agree with the
    reference implementation, for all kinds of constraints that have kernels.
    """
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(6), (9,))
    for held in constraints(model).values():
        page = sv.ConstraintSet(model, held)
        if not page.is_plain:
            continue
        ours, wanted = (x.rows(model, s.q, s.qd, s.qdd) for x in (CompiledSet(page, batched), page))
        near(ours.G, wanted.G, 1e-12)
        near(ours.residual, wanted.residual, 1e-11)
        near(ours.sizes, wanted.sizes, 1e-13)


def test_lists_are_resolved_once() -> None:
    """A list of constraints is converted once while its numbers and the model stay the same; edits
    are checked.
    """
    model, point = zoo.build("floating"), np.array(FOOT)
    s = zoo.states(model, np.random.default_rng(1))
    name = model.body_names[4]
    held: list[Any] = [P(name, point), F(2, rows=[0, 3])]
    first = constraint_set(model, held)
    assert constraint_set(model, list(held)) is first
    assert constraint_set(model, [P(4, point), held[1]]) is not first
    before = sv.KKT_FD(model, s.q, s.qd, s.tau, held)
    for _ in range(3):
        point += 0.1
        found = sv.KKT_FD(model, s.q, s.qd, s.tau, held)
        near(found.qdd, sv.KKT_FD.reference(model, s.q, s.qd, s.tau, held).qdd, 1e-11)
    assert np.abs(found.qdd - before.qdd).max() > 1e-3
    point[0] = np.nan
    with pytest.raises(sv.ModelError, match=r"constraints\[0\].point2"):
        sv.KKT_FD(model, s.q, s.qd, s.tau, held)
    point[:] = FOOT
    model.I = {4: 2 * model.I[4]}
    found = sv.KKT_FD(model, s.q, s.qd, s.tau, held)
    near(found.qdd, sv.KKT_FD.reference(model, s.q, s.qd, s.tau, held).qdd, 1e-11)
    model.body_names = {4: "another", 3: name}
    assert constraint_set(model, held).relations[0].body2 == 3


@pytest.mark.parametrize("how", ["positional", "keyword", "bound", "bound with out"])
def test_calls_with_the_same_constraints_prepare_their_kernel_once(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Preparing it takes a hundred times as long as the call."""
    made, model = list[str](), zoo.build("floating")

    def counted(kernel: Any, *args: Any) -> Any:
        made.append(kernel.name)
        return Runner(kernel, *args)

    monkeypatch.setattr(prepared, "Runner", counted)
    held = constraint_set(model, [P(model.NB - 1, FOOT)])
    q, qd, tau, *_ = zoo.states(model, np.random.default_rng(1))
    outs = np.empty(model.NV), np.empty(held.m)
    bound = sv.KKT_FD.bind(model, constraints=held)
    calls = {
        "positional": lambda: sv.KKT_FD(model, q, qd, tau, held),
        "keyword": lambda: sv.KKT_FD(model, q, qd, tau, constraints=held),
        "bound": lambda: bound(q, qd, tau),
        "bound with out": lambda: bound(q, qd, tau, out=outs),
    }
    for _ in range(4):
        calls[how]()
    assert made == ["KKT_FD"]


@pytest.mark.parametrize("how", ["", "damping", "gains", "rank", "base"])
@pytest.mark.parametrize("name", ["floating", "helical", "planar_tree"])
def test_single_calls_run_one_kernel(name: str, how: str) -> None:
    """A call with one state runs a single kernel, with any valid options; its results are those of
    the reference implementation.
    """
    model, rng = zoo.build(name), np.random.default_rng(8)
    s = zoo.states(model, rng)
    held = sv.ConstraintSet(model, constraints(model)["point"]).placed(model, s.q)
    kw: dict[str, Any] = {
        "damping": {"damping": 0.2}, "gains": {"baumgarte": (30.0, 4.0)}, "rank": {"rank": "nan"},
    }.get(how, {})  # fmt: skip
    if how == "base":
        if model.is_planar:
            pytest.skip("forces on planar models are converted first")
        kw = {"f_ext": rng.normal(size=(model.NB, 6))}
    q = sv.configurationAddition(model, s.q, 0.1 * rng.normal(size=model.NV))
    directions = tuple(rng.normal(size=(3, model.NV)))
    functions: dict[Any, tuple[np.ndarray, ...]] = {
        sv.KKT_FD: (),
        dv.KKT_FO_derivatives: (),
        dv.KKT_SO_derivatives: (),
        dv.KKT_FD_directional_derivative: directions,
    }
    for f, more in functions.items():
        given = q, s.qd, s.tau, *more
        f(model, *given, held)
        plan, args, options = prepared_call(f.work, model, given, {**kw, "constraints": held})
        found = plan.run_with(args, options)
        assert found is not None, f.__name__
        for x, y in zip(found, f.reference(model, *given, held, **kw), strict=True):
            near(x, y, 1e-11)


def test_forces_of_single_calls_are_in_their_coordinates() -> None:
    """Forces in body coordinates are not taken for forces in base coordinates; a wrong name of
    coordinates, and constraints that are given twice, raise an error once calls are prepared, too.
    """
    model, rng = zoo.build("floating"), np.random.default_rng(8)
    s = zoo.states(model, rng)
    held = sv.ConstraintSet(model, constraints(model)["point"])
    force = rng.normal(size=(model.NB, 6))
    for _ in range(2):
        for frame in ("base", "body"):
            kw: dict[str, Any] = {"f_ext": force, "frame": frame}
            found = sv.KKT_FD(model, s.q, s.qd, s.tau, held, **kw)
            near(found.qdd, sv.KKT_FD.reference(model, s.q, s.qd, s.tau, held, **kw).qdd, 1e-11)
        wrong: Any = "world"
        with pytest.raises(sv.SpatialError, match="frame"):
            sv.KKT_FD(model, s.q, s.qd, s.tau, held, frame=wrong)
        with pytest.raises(TypeError, match="constraints"):
            sv.KKT_FD(model, s.q, s.qd, s.tau, held, constraints=held)


def test_derivatives_are_those_of_the_states_that_have_them() -> None:
    """In a batch, states with dependent rows have NaN, and all others their derivatives."""
    arm, tip = sv.autoTree(3), [P(2, [1.0, 0.0, 0.0], directions=[[0.8, 0.6, 0], [-0.6, 0.8, 0]])]
    s = zoo.states(arm, np.random.default_rng(3), (9,))
    singular = np.arange(9) % 4 == 1
    q = np.where(singular[:, None], 0.0, s.q)
    directions = np.ones((3, 9, 3))
    functions: dict[Any, tuple[np.ndarray, ...]] = {
        dv.KKT_FO_derivatives: (),
        dv.KKT_SO_derivatives: (),
        dv.KKT_FD_directional_derivative: tuple(directions),
    }
    for f, more in functions.items():
        given = q, s.qd, s.tau, *more
        others = tuple(x[~singular] for x in given)
        exact, kernel = f.reference(arm, *others, tip), f(arm, *others, tip)
        for x, y, z in zip(f(arm, *given, tip, rank="nan"), exact, kernel, strict=True):
            assert np.isnan(x[singular]).all()
            near(x[~singular], y, 1e-11)
            np.testing.assert_array_equal(x[~singular], z)  # computed by the same kernel
        with pytest.raises(sv.SpatialError):
            f(arm, *(x[1] for x in given), tip)


def test_columns_of_a_variable_include_those_of_the_variables_it_carries() -> None:
    """An entry that happens to be zero is not left out where elimination fills it."""
    above, Y = np.array([-1, 0, 1, 0]), np.zeros((4, 5))
    Y[2, 1:3] = Y[3, 3] = np.nan
    first, last = np.empty(4, int), np.empty(4, int)
    nonzero_columns(above, 4, Y, first, last)
    assert first.tolist() == [1, 1, 1, 3] and last.tolist() == [4, 3, 3, 4]
    nonzero_columns(above, 4, np.zeros((4, 5)), first, last)
    assert not np.any(first < last)


def test_gains_of_one_row_need_no_other_kernel() -> None:
    """Arrays that are broadcast can only be read; their kernels would be compiled anew."""
    model = zoo.build("mixed")
    held = sv.ConstraintSet(model, [F(1, frame1=np.eye(6), rows=[4])])
    record = constraint_arrays(model, held, as_gains((30.0, 7.0), held.m))
    assert held.m == 1 and record.Kp.flags.writeable and record.Kd.flags.writeable
    kind = pytest.importorskip("numba").typeof
    assert kind(record) == kind(constraint_arrays(model, held, None))

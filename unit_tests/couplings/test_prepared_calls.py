"""Prepared calls of coupled models: the extension spreads variables over the joints of the tree."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from helpers import near, parts
from numpy.testing import assert_array_equal
from public_functions import CONFIGURATIONS, VELOCITIES, functions_of_state, suits
from zoo import build

import spatial_v2 as sv
from derivatives import (
    FD_derivatives,
    FD_SO_derivatives,
    ID_SO_derivatives,
    modFD_derivatives,
    modFD_second_derivatives,
)
from spatial_v2.accelerated import has_compiler
from spatial_v2.calls.coupled import answer
from spatial_v2.calls.prepare import kernel_tree
from spatial_v2.calls.spreads import coupled_record
from spatial_v2.engine.runner import has_extension
from spatial_v2.packed.tensor import PackedTensor


def has_plans(function: Any) -> bool:
    """True if a function has prepared calls for coupled models."""
    work = getattr(function, "work", None)
    return bool(work and work.kernel and (answer(work) == "pulled back" or work.in_y))


FUNCTIONS = {
    function.__name__: (function, required)
    for _, function, required in functions_of_state()
    if has_plans(function)
}
KNOWN = {*CONFIGURATIONS, *VELOCITIES, "frame", "weight"}

needs_plans = pytest.mark.skipif(
    not (has_extension() and has_compiler()), reason="coupled calls are prepared for the extension"
)


def coupled(kind: str) -> sv.CoupledModel:
    """Return a coupled model of a kind."""
    if kind == "no own joints":
        G = [[0.5, 0.5, 0.0], [0.5, -0.5, 0.0], [0.0, 0.0, 2.0], [0.3, 0.1, -1.0]]
        return sv.couple(build("chain"), matrix=G, offset=[0.0, 0.1, -0.2, 0.3])
    if kind == "turned order":
        G = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.5, 0.0, -2.0], [0.0, 1.0, 0.0]]
        return sv.couple(build("chain"), matrix=G)
    if kind == "a locked joint":
        return sv.couple(build("chain"), matrix=np.eye(4)[:, :3], offset=[0.0, 0.0, 0.0, 0.4])
    if kind == "ahead of its leader":  # with offset and multiplier 1
        return sv.couple(build("chain"), mimic={1: (3, 1.0, 0.4)})
    joints = {
        "floating": {2: (1, -0.5, 0.2), 4: (3, 0.1, 0.0)},
        "mixed": {4: (3, -0.7, 0.1)},
        "planar_tree": {2: (0, -1.0, 0.1), 5: (2, 0.5, 0.0)},
        "rotors": {2: (0, 0.3, 0.1), 3: (2, -2.0, 0.0)},
        "floating_rotors": {2: (1, -0.6, 0.2)},
    }
    return sv.couple(build(kind), mimic=joints[kind])


CALLED = FUNCTIONS | {"FD_SO_derivatives": (FD_SO_derivatives, ["q", "qd", "tau"])}
"""Functions, and the names of arguments that they are called with here."""
KINDS = (
    "no own joints", "turned order", "a locked joint", "ahead of its leader", "floating", "mixed",
    "planar_tree", "rotors", "floating_rotors",
)  # fmt: skip


def arguments(model: sv.CoupledModel, names: list[str], lead: tuple[int, ...]) -> list[Any]:
    """Return arguments of a function for the independent variables."""
    rng, made = np.random.default_rng(4), []
    for name in names:
        if name in CONFIGURATIONS:
            made.append(sv.random_configuration(model, rng, lead))
        elif name in VELOCITIES:
            made.append(rng.normal(size=(*lead, model.NV)))
        elif name == "weight":
            made.append(rng.normal(size=(*lead, 3 if model.is_planar else 6)))
        else:
            made.append(model.tree.NB - 1)
    return made


def check_plan(name: str, model: sv.CoupledModel, wants_plan: bool = True) -> None:
    """Compare all ways to call a function with the reference implementation."""
    function, required = CALLED[name]
    for lead in [(), (5,), (2, 3), (0, 2)]:
        given = arguments(model, required, lead)
        wanted = parts(function.reference(model, *given))  # type: ignore[attr-defined]
        first, again = parts(function(model, *given)), parts(function(model, *given))
        outs = tuple(np.full(x.shape, np.nan) for x in wanted)
        function(model, *given, out=outs if len(outs) > 1 else outs[0])
        bound = parts(function.bind(model)(*given))  # type: ignore[attr-defined]
        shared = parts(function(model, *given, workers=2))
        for x in zip(wanted, first, again, outs, bound, shared, strict=True):
            for y in x[1:]:
                near(y, x[0], 1e-11)
        for one, other in zip(first, again, strict=True):
            assert_array_equal(one, other)
        if wants_plan:
            assert model._state.calls.get(function.work), name  # type: ignore[attr-defined]
    if not wants_plan:
        return
    whole = arguments(model, required, (300,))
    batch = parts(function(model, *whole))
    # results do not depend on the place in a batch, also where the batch is computed in pieces
    late = parts(function(model, *[x[7:] if isinstance(x, np.ndarray) else x for x in whole]))
    for x, y in zip(batch, late, strict=True):
        assert_array_equal(x[7:], y)


@needs_plans
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "function",
    [
        sv.ID,
        sv.CRBA,
        sv.EnerMo,
        sv.FrameJacobian,
        ID_SO_derivatives,
        sv.FDab,
        FD_derivatives,
        FD_SO_derivatives,
        modFD_derivatives,
        modFD_second_derivatives,
        sv.Hinverse,
    ],
)
def test_prepared_calls_of_coupled_models(function: Callable[..., Any], kind: str) -> None:
    model = coupled(kind)
    check_plan(function.__name__, model, kind != "mixed")


@needs_plans
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_prepared_call_of_a_coupled_model(name: str, kind: str) -> None:
    model = coupled(kind)
    if not (set(FUNCTIONS[name][1]) <= KNOWN and suits(FUNCTIONS[name][0], model.tree)):
        pytest.skip("takes other arguments, or other models")
    check_plan(name, model, False)


@pytest.mark.parametrize("kind", ["floating", "no own joints", "rotors"])
def test_packed_tensors_of_coupled_models(kind: str) -> None:
    model = coupled(kind)
    for lead in [(), (3,), (2, 2)]:
        given = arguments(model, ["q", "qd", "qdd"], lead)
        dense = ID_SO_derivatives.reference(model, *given)
        for _ in range(2):
            packed = ID_SO_derivatives(model, *given, packed=True)
            for x, y in zip(packed, dense, strict=True):
                assert isinstance(x, PackedTensor)
                near(x.todense(), y, 1e-11)
        again = ID_SO_derivatives(model, *given, packed=True, out=tuple(packed))
        near(again[0].todense(), dense[0], 1e-11)
    assert packed[0].pattern.nnz < model.NV**3 or kind != "floating"


def test_external_forces_and_other_arguments() -> None:
    model, rng = coupled("floating"), np.random.default_rng(1)
    y, yd, ydd = arguments(model, ["q", "qd", "qdd"], (4,))
    force = rng.normal(size=(4, 5, 6))
    for options in [{"f_ext": force}, {"f_ext": {2: force[:, 2]}}, {"f_ext": force[0]}]:
        for function in (sv.ID, sv.FDab):
            wanted = function.reference(model, y, yd, ydd, **options)
            for _ in range(2):
                near(function(model, y, yd, ydd, **options), wanted, 1e-11)
    carried = {"f_ext": force, "frame": "body"}
    near(sv.FDab(model, y, yd, sv.ID(model, y, yd, ydd, **carried), **carried), ydd, 1e-11)
    near(sv.ID(model, y[::-1], yd[::-1], ydd[::-1]), sv.ID(model, y, yd, ydd)[::-1], 0)
    near(sv.ID(model, y[0].tolist(), yd, ydd[:1]), sv.ID.reference(model, y[0], yd, ydd[:1]))
    with pytest.raises(sv.ArrayShapeError, match="independent variables of the coupled model"):
        sv.ID(model, y, yd[:, :-1], ydd)
    bad = y.copy()
    bad[2, 0] = np.nan
    found = sv.ID(model, bad, yd, ydd)
    assert np.isnan(found[2]).any()
    near(np.delete(found, 2, 0), np.delete(sv.ID(model, y, yd, ydd), 2, 0))


def test_results_that_overlap_arguments() -> None:
    model = coupled("rotors")
    y, yd, ydd = arguments(model, ["q", "qd", "qdd"], (3,))
    wanted = sv.ID(model, y, yd, ydd)
    assert sv.ID(model, y, yd, ydd, out=ydd) is ydd
    near(ydd, wanted)


@pytest.mark.parametrize(
    "function",
    [sv.FDab, FD_derivatives, FD_SO_derivatives, modFD_derivatives, modFD_second_derivatives],
)
def test_a_singular_inertia_matrix_is_told(function: Any) -> None:
    tree = build("chain")
    tree.I = np.concatenate([tree.I[:3], np.zeros((1, 6, 6))])
    model = sv.couple(tree, mimic={1: (0, 0.5, 0.0)})
    weighted = function in (modFD_derivatives, modFD_second_derivatives)
    given = arguments(model, ["q", "qd", "tau", "qd"][: 4 if weighted else 3], (3,))
    for form in (function, function.reference):
        with pytest.raises(sv.SpatialError, match="the motion of variable 'joint3' alone"):
            form(model, *given)
    ball = [np.zeros((6, 6)), np.zeros((6, 6)), sv.mcI(1, [0, 0, 0], np.eye(3))]
    tree = sv.Model(parent=[-1, 0, 1], jtype=["Rx", "Ry", "Rz"], Xtree=[np.eye(6)] * 3, I=ball)
    model = sv.couple(tree, matrix=np.eye(3))
    y = np.array([[0.3, 0.2, 0.1], [0.3, np.pi / 2, 0.1]])
    for form in (function, function.reference):
        with pytest.warns(sv.SingularWarning, match=r"singular in 1 of 2 states, \(1,\)") as told:
            results = parts(form(model, y, *[x[:2] for x in given[1:]]))
        assert len(told) == 1
        for x in results:
            assert np.isnan(x[1]).all() and np.isfinite(x[0]).all()


@pytest.mark.parametrize("function", [sv.FDab, FD_derivatives, sv.Hinverse])
def test_a_thin_rod_about_its_axis_is_told(function: Any) -> None:
    """An inertia that is a rounding error of that carried, though not of its own entry of H."""
    rod = sv.mcI(1, [0, 0, 0], np.diag([1e-17, 1.0, 1.0]))
    tree = build("chain").replace(jtype=["Rz", "Ry", "Rx", "Rx"])
    tree.I = np.concatenate([tree.I[:3], rod[None]])
    tree.Xtree = [*tree.Xtree[:3], np.eye(6)]
    for scale in (1.0, 1e-9):
        tree.I = scale * tree.I
        model = sv.couple(tree, mimic={1: (0, 0.5, 0.0)})
        given = arguments(model, ["q"] if function is sv.Hinverse else ["q", "qd", "tau"], ())
        for form in (function, function.reference):
            with pytest.raises(sv.SpatialError, match="the motion of variable 'joint3' alone"):
                form(model, *given)


def test_paths_of_the_factors_cover_the_inertia_matrix() -> None:
    """Variables whose entries of H are zero stay apart: two arms, each with a gripper."""
    tree = sv.autoTree(8).replace(parent=[-1, 0, 1, 1, -1, 4, 5, 5])
    fingers = {3: (2, -1.0, 0.1), 7: (6, -1.0, 0.1)}
    record = coupled_record(sv.couple(tree, mimic=fingers), kernel_tree(tree), False)
    assert record.above.tolist() == [-1, 0, 1, -1, 3, 4]
    G = np.zeros((8, 6))
    G[np.arange(8), [2, 0, 5, 5, 1, 3, 4, 4]] = [1, 1, 1, -1, 1, 1, 1, -1]
    y, yd, tau = np.random.default_rng(2).normal(size=(3, 6))
    near(
        sv.FDab(sv.couple(tree, matrix=G), y, yd, tau),
        sv.FDab.reference(sv.couple(tree, matrix=G), y, yd, tau),
    )


@pytest.mark.parametrize(
    "function", [sv.FDab, sv.Hinverse, FD_derivatives, modFD_derivatives, sv.ID]
)
def test_calls_of_the_tree_before_change_nothing(function: Any) -> None:
    """A prepared call of the tree, whose state the coupled model shares, is not one of y."""
    model = coupled("floating")
    names = {sv.Hinverse: ["q"], modFD_derivatives: ["q", "qd", "tau", "qd"]}.get(
        function, ["q", "qd", "tau"]
    )
    function.bind(model.tree)
    for lead in [(), (4,)]:
        given = arguments(model, names, lead)
        wanted = parts(function.reference(model, *given))
        for _ in range(2):
            for x, y in zip(parts(function(model, *given)), wanted, strict=True):
                near(x, y, 1e-11)

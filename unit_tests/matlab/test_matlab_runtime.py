"""Values, operators and functions of `spatial_v2.matlab.runtime` are MATLAB's."""

from typing import Any

import numpy as np
import pytest
from helpers import for_each

import spatial_v2 as sv
import spatial_v2.matlab.runtime as ml
from spatial_v2.exceptions import SpatialError


def line(*x: float) -> Any:
    return ml.row(*x)


X = ml.matrix([1, 2, 3], [4, 5, 6])
ROWS = ml.row(1, 2, 3)


@for_each(
    [
        (lambda: X(2, ":"), [[4, 5, 6]]),
        (lambda: X(":", 1), [[1], [4]]),
        (lambda: X(":"), [[1], [4], [2], [5], [3], [6]]),
        (lambda: X(5), [[3]]),
        (lambda: X(lambda end: end), [[6]]),
        (lambda: X(lambda end: end, lambda end: ml.colon(2, end)), [[5, 6]]),
        (lambda: ROWS(ROWS > 1), [[2, 3]]),
        (lambda: ROWS(ml.column(1, 3)), [[1, 3]]),
        (lambda: X(X > 2), [[4], [5], [3], [6]]),
        (lambda: X.H @ X, np.array([[17, 22, 27], [22, 29, 36], [27, 36, 45]])),
        (lambda: X + ml.column(1, 2), [[2, 3, 4], [6, 7, 8]]),
        (lambda: ml.mrdivide(ml.row(1, 2), ml.matrix([2, 0], [0, 4])), [[0.5, 0.5]]),
        (lambda: (ROWS > 1) + (ROWS > 2), [[0, 1, 2]]),
        (lambda: ml.value(-8) ** 2, [[64]]),
        (lambda: ml.value(-1) ** 0.5, [[1j]]),
        (lambda: ml.divide(1, 0), [[np.inf]]),
        (lambda: ml.colon(0, 1, 0.5), [[0, 0.5, 1]]),
        (lambda: ml.put(None, 7, (3,)), [[0, 0, 7]]),
        (lambda: ml.put(None, ml.column(1, 2), (":", 2)), [[0, 1], [0, 2]]),
        (lambda: ml.put(ml.copy(X), 0, (3, 4)), [[1, 2, 3, 0], [4, 5, 6, 0], [0, 0, 0, 0]]),
        (lambda: ml.put(ml.copy(X), 9, (":", ml.row(1, 3))), [[9, 2, 9], [9, 5, 9]]),
        (lambda: ml.delete(ml.copy(ROWS), (2,)), [[1, 3]]),
        (lambda: ml.delete(X, (":", 2)), [[1, 3], [4, 6]]),
        (lambda: ml.row(X, ml.column(7, 8)), [[1, 2, 3, 7], [4, 5, 6, 8]]),
        (lambda: ml.row(ml.empty(), 1, ml.empty()), [[1]]),
        (lambda: ml.sum(X), [[5, 7, 9]]),
        (lambda: ml.sum(ROWS), [[6]]),
        (lambda: ml.max(X, nargout=2)[1], [[2, 2, 2]]),
        (lambda: ml.mod(-1, 3), [[2]]),
        (lambda: ml.round(ml.row(0.5, -0.5, 2.5)), [[1, -1, 3]]),
        (lambda: ml.size(X), [[2, 3]]),
        (lambda: ml.find(ml.row(0, 1, 1)), [[2, 3]]),
        (lambda: ml.cellfun("length", ml.cell_of(["ab", "c"])), [[2, 1]]),
        (lambda: ml.interp1(ml.row(0, 1), ml.row(0, 2), 0.25), [[0.5]]),
        (lambda: ml.int32(7) / 2, [[4]]),
    ]
)
def test_values_are_those_of_matlab(made: Any, wanted: Any) -> None:
    found = made().a
    assert found.shape == np.shape(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-15)


def test_assignment_leaves_other_variables_as_they_are() -> None:
    """A variable keeps its value when another that was set from it is changed, at every depth."""
    s = ml.put(None, ml.cell_of([line(1, 2), line(3, 4)]), "c")
    t, c = ml.copy(s), s.c
    t = ml.put(t, 9, "c", [2], (1,))
    c = ml.put(c, 8, [1], (2,))
    assert s.c[2](1).a.item() == 3 and s.c[1](2).a.item() == 2
    assert t.c[2](1).a.item() == 9 and c[1](2).a.item() == 8


def test_a_part_of_nothing_makes_what_holds_it() -> None:
    s = ml.put(None, "Rx", "joint", [2])
    assert s.joint.shape == (1, 2) and str(s.joint[2]) == "Rx" and s.joint[1].a.size == 0
    s = ml.put(None, 1, (2,), "x")
    assert s.shape == (1, 2) and [x.a.size for x in s.x] == [0, 1]


def test_text_is_an_array_of_characters() -> None:
    s = ml.value("abc")
    assert str(s(ml.row(3, 1))) == "ca" and str(ml.row("x", s)) == "xabc"
    assert (s == "abc").a.all() and (s + 1).a.tolist() == [[98, 99, 100]]
    assert str(ml.sprintf("%d, ", ml.row(1, 2))) == "1, 2, "
    assert str(ml.num2str(3.14159)) == "3.1416" and str(ml.mat2str(X)) == "[1 2 3;4 5 6]"


def test_handles_have_as_many_results_as_asked_for() -> None:
    f = ml.handle(lambda x, nargout=1: ml.deal(x, 2 * x, nargout=nargout))
    assert [x.a.item() for x in f(3, nargout=2)] == [3, 6]
    with pytest.raises(SpatialError, match="one result"):
        ml.handle(lambda x: x)(1, nargout=2)


@ml.function
def both(x: Any, y: Any = None) -> Any:
    return x, y


def test_a_result_that_is_not_assigned_is_an_error_where_it_is_asked_for() -> None:
    assert both(1).a.item() == 1
    with pytest.raises(SpatialError, match="not assigned"):
        both(1, nargout=2)


def test_subscripts_that_are_none_are_refused() -> None:
    for s in (0, 1.5, 7, "a"):
        with pytest.raises(IndexError):
            X(s)


class TestModels:
    """Structs that describe robots become models, and models structs."""

    def test_a_struct_is_one_model_until_a_part_is_assigned(self) -> None:
        from spatial_v2.matlab.runtime.library import as_model

        s = ml.autoTree(3, 1, 0.2)
        first = as_model(s)
        assert as_model(s) is first
        t = ml.put(ml.copy(s), 2 * s.I[1], "I", [1])
        assert as_model(s) is first
        np.testing.assert_array_equal(as_model(t).I[0], 2 * first.I[0])

    def test_dynamics_are_those_of_the_library(self) -> None:
        model, rng = sv.autoTree(4, 1.5, 0.3), np.random.default_rng(0)
        q, qd, qdd = rng.normal(size=(3, 4))
        tau = ml.ID(ml.autoTree(4, 1.5, 0.3), *map(ml.value, (q, qd, qdd)))
        assert tau.shape == (4, 1)
        np.testing.assert_array_equal(tau.a[:, 0], sv.ID(model, q, qd, qdd))

    def test_own_fields_survive_functions_that_return_a_model(self) -> None:
        s = ml.put(ml.autoTree(2, 1, 0.2), ml.row(1, 2), "L")
        s = ml.put(s, "Rz", "jtype", [1])
        assert ml.floatbase(s).L(2).a.item() == 2
        assert ml.postProcessModel(s).NV.a.item() == 2

    def test_one_joint_takes_numbers(self) -> None:
        s = ml.autoTree(1, 1, 0.2)
        assert ml.FDab(s, 0.1, 0.2, 1).shape == (1, 1)


@pytest.mark.parametrize("solver", ["ode45", "ode23", "ode15s"])
def test_differential_equations_have_their_solution(solver: str) -> None:
    f = ml.handle(lambda t, x: ml.column(x(2), -x(1)))
    options = ml.odeset("RelTol", 1e-9, "AbsTol", 1e-11)
    t, x = getattr(ml, solver)(f, ml.row(0, 0.4, 1), ml.column(1, 0), options, nargout=2)
    np.testing.assert_allclose(t.a[:, 0], [0, 0.4, 1], rtol=0, atol=0)
    np.testing.assert_allclose(x.a[:, 0], np.cos(t.a[:, 0]), atol=1e-7)


def test_an_event_ends_a_motion() -> None:
    fall = ml.handle(lambda t, x: ml.column(x(2), -9.81))
    hit = ml.handle(lambda t, x, nargout=1: ml.deal(x(1), 1, -1, nargout=nargout))
    options = ml.odeset("Events", hit, "RelTol", 1e-8)
    t, x = ml.ode45(fall, ml.row(0, 5), ml.column(1, 0), options, nargout=2)
    np.testing.assert_allclose(t.a[-1], np.sqrt(2 / 9.81), rtol=1e-9)
    np.testing.assert_allclose(x.a[-1, 0], 0, atol=1e-9)


def test_minima_and_zeros_are_found() -> None:
    well = ml.handle(lambda x: (x(1) - 1) ** 2 + (x(2) + 2) ** 2)
    for name in ("fminsearch", "fminunc", "fmincon"):
        np.testing.assert_allclose(
            getattr(ml, name)(well, ml.column(0, 0)).a[:, 0], [1, -2], atol=1e-3
        )
    assert abs(ml.fzero(ml.handle(lambda x: ml.cos(x)), ml.row(1, 2)).a.item() - np.pi / 2) < 1e-12
    x = ml.quadprog(ml.eye(2), ml.column(-1, -1), ml.row(1, 1), 1)
    np.testing.assert_allclose(x.a[:, 0], [0.5, 0.5], atol=1e-7)


def test_what_has_no_counterpart_raises_only_when_it_is_reached() -> None:
    with pytest.raises(NotImplementedError, match="a.m:3: `sim` is not translated"):
        ml.unknown("sim", "a.m:3")


class TestCounts:
    """Functions that count entries, or count from 1: numbers of GNU Octave's."""

    def test_places_count_from_1(self) -> None:
        assert float(ml.sub2ind(line(3, 4), 2, 2)) == 5
        assert [float(x) for x in ml.ind2sub(line(3, 4), 5, nargout=2)] == [2, 2]

    @pytest.mark.parametrize("x", [line(3, 1, 3, 2), ml.column(3, 1, 3, 2)])
    def test_indices_of_unique_entries_are_columns_of_first_places(self, x: Any) -> None:
        _, first, inverse = ml.unique(x, nargout=3)
        assert first.a.tolist() == [[2], [4], [1]] and inverse.a.tolist() == [[3], [1], [3], [2]]
        a, first, inverse = ml.unique(x, "stable", nargout=3)
        assert a.a.ravel().tolist() == [3, 1, 2] and first.a.ravel().tolist() == [1, 2, 4]
        assert inverse.a.ravel().tolist() == [1, 2, 1, 3]
        assert ml.unique(x, "last", nargout=2)[1].a.ravel().tolist() == [2, 4, 3]

    def test_unique_texts_and_rows(self) -> None:
        a, first, inverse = ml.unique(ml.cell_of(["b", "a", "b"]), nargout=3)
        assert str(a) == "{a, b}" and first.a.tolist() == [[2], [1]]
        assert inverse.a.tolist() == [[2], [1], [2]]
        rows, first = ml.unique(ml.matrix([1, 2], [1, 2], [3, 4]), "rows", nargout=2)
        assert rows.a.tolist() == [[1, 2], [3, 4]] and first.a.tolist() == [[1], [3]]

    def test_bins_of_a_histogram(self) -> None:
        counts, centres = ml.hist(line(1, 2, 2, 3, 5), nargout=2)
        assert counts.a.tolist() == [[1, 0, 2, 0, 1, 0, 0, 0, 0, 1]]
        np.testing.assert_allclose(centres.a, [np.arange(1.2, 5, 0.4)])
        assert ml.hist(line(1, 2, 3, 4), line(1, 3)).a.tolist() == [[2, 2]]

    def test_a_map_of_keys_and_an_array_of_values(self) -> None:
        map_ = getattr(ml, "containers.Map")
        assert float(map_(ml.cell_of(["x", "y"]), line(1, 2))("y")) == 2
        assert map_("x", line(1, 2))("x").a.tolist() == [[1, 2]]
        with pytest.raises(ml.MatlabError, match="2 keys, 3 values"):
            map_(ml.cell_of(["x", "y"]), line(1, 2, 3))


def test_all_places_on_the_left_are_filled() -> None:
    def call(count: int) -> Any:
        return tuple(ml.value(k + 1) for k in range(count))

    c = ml.put_each(ml.cell_of([0, 0]), call, [":"])
    assert str(c) == "{1.0, 2.0}"
    assert ml.put_each(None, call, [ml.colon(1, 3)]).a.shape == (1, 3)
    s = ml.put(ml.put(None, 5, (2,), "a"), 6, (1,), "a")
    assert [float(ml.put_each(s, call, "a")(k).a.item()["a"]) for k in (1, 2)] == [1, 2]
    with pytest.raises(ml.MatlabError, match="2 places, 1 values"):
        ml.put_each(ml.cell_of([0, 0]), lambda _: ml.value(1), [":"])


def test_a_matrix_without_columns_keeps_its_rows_in_the_library() -> None:
    maps = ml.cell_of([ml.eye(3), ml.ones(3)])
    assert ml.SwitchedControllabilityMatrix(maps, ml.zeros(3, 0)).a.shape == (3, 0)
    assert ml.SwitchedObservabilityMatrix(ml.zeros(0, 3), maps).a.shape == (0, 3)


def test_bodies_of_contact_points_count_from_one() -> None:
    """Translated scripts read and write ``gc.body`` as in MATLAB; `Model` counts from zero."""
    disc = ml.copy(ml.rollingdisc(8))
    assert (ml.value(disc.gc.body(1)).a == 6).all()
    model = ml.put(ml.copy(ml.autoTree(3)), ml.matrix([1, 0], [0, 1], [0, 0]), "gc", "point")
    model = ml.put(model, ml.row(1, 3), "gc", "body")
    found = ml.gcPosVel(model, ml.column(0.1, 0.2, 0.3), ml.zeros(3, 1))
    same = sv.autoTree(3).replace(gc={"body": [0, 2], "point": [[1, 0, 0], [0, 1, 0]]})
    points = sv.gcPosVel(same, [0.1, 0.2, 0.3], np.zeros(3))
    np.testing.assert_array_equal(found.a, np.concatenate([points.p.T, points.pd.T]))
    np.testing.assert_array_equal(model.gc.body.a, [[1, 3]])

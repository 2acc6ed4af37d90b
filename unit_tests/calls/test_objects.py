"""Every public function accepts numbers of other libraries, and returns such numbers."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import calls
import mpmath
import numpy as np
import pytest
import sympy
import zoo
from calls import Call
from helpers import all_near
from library_kinds import OBJECTS, MPMath, MPMathComplex, SymPy, flat
from numpy.testing import assert_allclose, assert_array_equal

import spatial_v2 as sv
from derivatives import ID_derivatives
from spatial_v2 import ID, EnerMo, FDab, Model, mcI, rx, xlt
from spatial_v2.exceptions import ArrayShapeError, ModelError

pytestmark = pytest.mark.filterwarnings(
    # CasADi divides by zero when it folds constants of MX, and NumPy warns
    "ignore:(divide by zero|invalid value) encountered:RuntimeWarning"
)
NUMBERS_ALONE = {**calls.REAL_ALONE, "tens_norm": "singular values are those of numbers"}
"""Functions that do not accept object arrays, with the reasons."""


def two_link() -> Model:
    """Make a robot with a revolute and a prismatic joint, all of whose constants are
    whole numbers.
    """
    I = np.diag([1.0, 2.0, 3.0])
    return Model(
        parent=[-1, 0],
        jtype=["Rz", "Px"],
        Xtree=[xlt([0, 0, 1]), xlt([2, 0, 0])],
        I=[mcI(1, [1, 0, 0], I), mcI(2, [0, 1, 0], I)],
        gravity=[0, -10, 0],
    )


ALGEBRA, TREE = calls.without_model(), calls.of_model(two_link())
TERMS = calls.of_model(two_link().replace(armature=[1, 2], damping=[3, 4], friction=[1, 5]))
ALL = [c for c in ALGEBRA + TREE if c.name not in NUMBERS_ALONE]
over_all = pytest.mark.parametrize("call", calls.chosen_calls(ALL))
SWELL = dict.fromkeys(
    [f for f in calls.public() if f[:4] in ("KKT_", "Impa") and "ID" not in f],
    "quotients of quotients of symbols fill minutes and memory",
) | dict.fromkeys(["modKKT_second_derivatives", "project_velocity"], "the same")
"""Functions that solve KKT equations; their results in symbols are too large for SymPy."""
over_kinds = pytest.mark.parametrize("kind", OBJECTS)


@pytest.fixture(autouse=True)
def fifty_digits() -> Iterator[None]:
    with mpmath.workdps(MPMath.digits):
        yield


def test_every_public_function_is_tried() -> None:
    """Each function is called by tests of this file, or listed with a reason as one
    without arrays.
    """
    tried = {c.name.split(" ")[0] for c in [*ALGEBRA, *calls.of_model(calls.FLOATING)]}
    assert tried | set(calls.NO_ARRAYS) == set(calls.public())


def arrays_of(call: Call, result: Any) -> list[Any]:
    """Return the arrays of a result that depend on the arguments."""
    return flat(result.first if call.name == "StructureConstants" else result)


def floats_of(call: Call, *arrays: np.ndarray) -> list[np.ndarray]:
    return [np.asarray(x) for x in arrays_of(call, call.function(*(arrays or call.arrays)))]


@over_kinds
@over_all
def test_values_of_objects_are_those_of_floats(call: Call, kind: str) -> None:
    """Object arrays of a library give object arrays of its numbers, with the values of the function
    of floats.
    """
    if kind == "SymPy" and call.name in SWELL:
        pytest.skip(SWELL[call.name])
    maker = OBJECTS[kind]()
    result = call.function(*maker.make(call.arrays))
    all_near(maker.numbers(tuple(arrays_of(call, result))), floats_of(call))


WITH_TERMS = [c for c in TERMS if c.name not in NUMBERS_ALONE and c.name not in SWELL]


@pytest.mark.parametrize("call", calls.chosen_calls(WITH_TERMS))
def test_joint_terms_of_objects_are_those_of_floats(call: Call) -> None:
    """Armature, damping and friction add the same to numbers of other libraries as to floats."""
    try:
        wanted = floats_of(call)
    except ModelError as refusal:
        assert "armature, damping, friction" in str(refusal)
        return
    kinds = OBJECTS if call.name == "EnerMo" else ("mpmath",)
    for maker in (OBJECTS[kind]() for kind in kinds):
        result = call.function(*maker.make(call.arrays))
        all_near(maker.numbers(tuple(arrays_of(call, result))), wanted)


@over_all
def test_exact_arguments_give_exact_results(call: Call) -> None:
    """Results for symbols and integers contain no floats, such as 1.0 or 0.5."""
    if call.name.split(" ")[0] in calls.WITH_MODEL:
        pytest.skip("the call contains a model of floats")
    if call.name in SWELL:
        pytest.skip(SWELL[call.name])
    for x in arrays_of(call, call.function(*SymPy().make(call.arrays))):
        for entry in x.ravel():
            assert not entry.atoms(sympy.Float), entry


SMALL = "one_Fb", "one_SE3", "helical", "planar_chain", "one_rotor"
TREES = [c for name in SMALL for c in calls.of_model(zoo.build(name))]
DEEP = [c for c in ALGEBRA + TREES if c.name not in NUMBERS_ALONE]


@pytest.mark.parametrize("call", calls.chosen_calls(DEEP))
def test_no_digit_is_lost(call: Call) -> None:
    """Results with fifty digits agree with those of eighty digits, except for the last few."""

    def results() -> list[Any]:
        return arrays_of(call, call.function(*MPMath().make(call.arrays)))

    found = results()
    with mpmath.workdps(MPMath.digits + 30):
        wanted = results()
    for a, b in zip(found, wanted, strict=True):
        size = 1 + max((abs(y) for y in b.ravel()), default=0)
        assert all(
            abs(x - y) < mpmath.mpf("1e-46") * size for x, y in zip(a.flat, b.flat, strict=True)
        )


@pytest.mark.parametrize("angle", ["0", "1e-30", "0.1", "1", "1.99", "2.01", "3", "3.14159"])
def test_exponentials_and_logarithms_have_fifty_digits(angle: str) -> None:
    """Exponentials and logarithms have all fifty digits, and invert each other.

    Series are used near zero, closed forms elsewhere.
    """
    tiny = mpmath.mpf("1e-47")
    axis = MPMath().make((np.array([3.0, -4.0, 12.0]),))[0] / 13
    v = mpmath.mpf(angle) * axis
    E = sv.rv(v)
    assert max(abs(x) for x in (E @ E.T - np.eye(3, dtype=int)).flat) < tiny
    assert abs(E.trace() - 1 - 2 * mpmath.cos(mpmath.mpf(angle))) < tiny
    assert max(abs(x) for x in sv.rv(E) - v) < tiny
    for code in ("S", "SO3", "Fb", "SE3"):
        model = zoo.build(f"one_{code}")
        q, step = sv.neutral(model), np.concatenate([v, [1, 2, 3]])[: model.NV]
        moved = sv.configurationAddition(model, q, step)
        back = sv.configurationDifference(model, q, moved)
        assert max(abs(x) for x in back - step) < tiny


@over_all
def test_complex_steps_have_fifty_digits(call: Call) -> None:
    """Complex steps with complex numbers of mpmath agree with those with NumPy's."""
    maker = MPMathComplex()
    result = call.function(*maker.make(call.arrays))
    stepped = floats_of(call, *(x + 1e-20j * np.sin(3 * x) for x in call.arrays))
    all_near(
        maker.numbers(tuple(arrays_of(call, result))),
        [x.real + 1e20j * x.imag for x in stepped],
        1e-9,
    )


@pytest.mark.parametrize("call", calls.chosen_calls([c for c in ALL if len(c.arrays) > 1]))
def test_one_argument_of_objects_is_enough(call: Call) -> None:
    """If only one argument is an object array, the values are the same."""
    for k in range(len(call.arrays)):
        given = list(call.arrays)
        given[k] = MPMath().make((given[k],))[0]
        found = arrays_of(call, call.function(*given))
        all_near([np.asarray(x, dtype=float) for x in found], floats_of(call))


@over_all
def test_plain_numbers_among_objects_are_accepted(call: Call) -> None:
    """Plain numbers in an object array are converted to the type of the other entries.

    The type may be mpmath's, SymPy's, and so on. An object array of plain numbers only is converted
    to floats.
    """
    maker = MPMath()
    mixed = [
        np.where(np.arange(x.size).reshape(x.shape) % 2, x.astype(object), y)
        for x, y in zip(call.arrays, maker.make(call.arrays), strict=True)
    ]
    all_near(maker.numbers(tuple(arrays_of(call, call.function(*mixed)))), floats_of(call))
    plain = call.function(*(x.astype(object) for x in call.arrays))
    for a, b in zip(arrays_of(call, plain), floats_of(call), strict=True):
        assert np.asarray(a).dtype == b.dtype
        assert_allclose(a, b, rtol=0, atol=1e-13 * max(1.0, np.abs(b).max(initial=0)))


def test_rotations_read_as_in_the_book() -> None:
    """For SymPy symbols the matrices are those of Featherstone's book, with exact
    integers 0 and 1.
    """
    t, (a, b) = sympy.Symbol("t"), sympy.symbols("a b")
    assert str(rx(t).tolist()) == "[[1, 0, 0], [0, cos(t), sin(t)], [0, -sin(t), cos(t)]]"
    assert str(sv.plnr(t, [a, b]).tolist()) == (
        "[[1, 0, 0], [a*sin(t) - b*cos(t), cos(t), sin(t)], [a*cos(t) + b*sin(t), -sin(t), cos(t)]]"
    )
    assert str(sv.rv(sympy.symbols("x y z"))[0, 0]).count(".") == 0


def test_inverse_dynamics_obeys_the_equations_of_lagrange() -> None:
    """ID agrees exactly with ``d/dt dL/dqd - dL/dq`` of the Lagrangian L."""
    model, t = two_link(), sympy.Symbol("t")
    at = sympy.Matrix([sympy.Function(name)(t) for name in ("q0", "q1")])
    q, rate = sympy.Matrix(sympy.symbols("q0:2")), sympy.Matrix(sympy.symbols("v0:2"))
    e = EnerMo(model, list(q), list(rate))
    L = (e.KE - e.PE).item() if isinstance(e.KE - e.PE, np.ndarray) else e.KE - e.PE
    along = dict(zip([*q, *rate], [*at, *at.diff(t)], strict=True))
    tau = [
        L.diff(v).subs(along).diff(t) - L.diff(x).subs(along) for x, v in zip(q, rate, strict=True)
    ]
    found = ID(model, list(at), list(at.diff(t)), list(at.diff(t, 2)))
    difference = [sympy.expand(x - y) for x, y in zip(found, tau, strict=True)]
    assert [sympy.trigsimp(x) for x in difference] == [0, 0]


def test_forward_dynamics_inverts_inverse_dynamics() -> None:
    """Forward dynamics of symbols inverts inverse dynamics, as expressions."""
    q, qd, qdd = (list(sympy.symbols(f"{x}0:2")) for x in "qva")
    model = two_link()
    found = FDab(model, q, qd, ID(model, q, qd, qdd))
    assert [sympy.simplify(x - y) for x, y in zip(found, qdd, strict=True)] == [0, 0]


@pytest.mark.parametrize("kind", ["SX", "MX"])
def test_casadi_matrices_are_vectors(kind: str) -> None:
    """A CasADi column is accepted as a vector, and CasADi's derivatives agree with the
    library's.
    """
    casadi = pytest.importorskip("casadi")
    symbol = getattr(casadi, kind)
    model = zoo.build("chain")
    s = zoo.states(model, np.random.default_rng(1))
    q, qd, qdd = (symbol.sym(name, model.NV) for name in ("q", "qd", "qdd"))
    tau = casadi.vertcat(*ID(model, q, qd, qdd))
    f = casadi.Function(
        "ID", [q, qd, qdd], [tau, casadi.jacobian(tau, q), casadi.jacobian(tau, qd)]
    )
    value, by_q, by_qd = (np.asarray(x) for x in f(*s[:3]))
    all_near([value[:, 0]], [ID(model, *s[:3])])
    all_near([by_q, by_qd], list(ID_derivatives(model, *s[:3])))
    H = casadi.blockcat(sv.HandC(model, q, qd).H.tolist())
    all_near([np.asarray(casadi.Function("H", [q], [H])(s.q))], [sv.HandC(model, *s[:2]).H])
    E, r = symbol.sym("E", 3, 3), symbol.sym("r", 3)
    assert sv.plux(E, r).shape == (6, 6)
    assert sv.Xpt(np.eye(6), r).shape == (3,)
    assert sv.rx(symbol.sym("t")).shape == (3, 3)
    one = zoo.build("one_R")
    assert ID(one, *(symbol.sym(name) for name in "qva")).shape == (1,)


@pytest.mark.parametrize("kind", ["SX", "MX"])
def test_casadi_differentiates_the_exponential_at_the_identity(kind: str) -> None:
    """CasADi differentiates the exponential twice at the identity."""
    casadi = pytest.importorskip("casadi")
    symbol = getattr(casadi, kind)
    model = zoo.build("one_S")
    q, dq = sv.neutral(model), symbol.sym("dq", 3)
    moved = casadi.vertcat(*sv.configurationAddition(model, q, dq))
    H = casadi.Function("H", [dq], [casadi.hessian(moved[0], dq)[0]])
    assert_allclose(np.asarray(H(np.zeros(3))), -np.eye(3) / 4, atol=1e-15)


def test_numeric_casadi_matrices_are_numbers() -> None:
    """Numeric CasADi matrices, of type DM, give NumPy arrays."""
    casadi = pytest.importorskip("casadi")
    model = zoo.build("chain")
    s = zoo.states(model, np.random.default_rng(1))
    assert_array_equal(ID(model, *map(casadi.DM, s[:3])), ID(model, *s[:3]))


def test_symbols_that_depend_on_time_are_symbols() -> None:
    """Functions of time, as in SymPy's mechanics, are treated as symbols."""
    q = sympy.Function("q")(sympy.Symbol("t"))
    assert rx(q)[1, 1] == sympy.cos(q)


def test_exponentials_have_their_limit_at_zero() -> None:
    """The exponential has its limit at the number zero, and its closed form for symbols."""
    zero, x = sympy.Integer(0), sympy.Symbol("x", positive=True)
    assert (sv.rv(np.array([zero] * 3)) == np.eye(3, dtype=int)).all()
    E = sv.rv(np.array([x, zero, zero]))
    assert sympy.simplify(E[1, 1] - sympy.cos(x)) == 0
    assert sympy.simplify(E[1, 2] - sympy.sin(x)) == 0


@pytest.mark.parametrize("bad", [None, {}, b"x"])
def test_objects_that_are_not_numbers_are_refused(bad: Any) -> None:
    entry = np.empty(3, dtype=object)
    entry[:] = [mpmath.mpf(1), 2.0, bad]
    with pytest.raises(ArrayShapeError, match="xlt: r must be one array of numbers; its entries"):
        xlt(entry)
    with pytest.raises(ArrayShapeError, match="qd: want one array of numbers; its entries must"):
        ID(zoo.build("one_S"), [1, 0, 0, 0], entry, [0, 0, 0])


def test_numbers_without_functions_are_refused() -> None:
    """Fractions have no cosine, and the error names it."""
    half = np.array([Fraction(1, 2)] * 3)
    assert sv.skew(half)[2, 1] == Fraction(1, 2)
    with pytest.raises(
        TypeError, match="cos: numbers of type Fraction have no function of this name"
    ):
        rx(half[0])


def test_models_may_have_symbols() -> None:
    """Masses and lengths may be symbols: the inertia of a double pendulum is the book's."""
    m, l, q = sympy.Symbol("m"), sympy.Symbol("l"), sympy.Symbol("q")
    link = mcI(m, [l, 0, 0], np.zeros((3, 3)))
    pendulum = Model(
        parent=[-1, 0], jtype=["Rz", "Rz"], Xtree=[np.eye(6), xlt([l, 0, 0])], I=[link, link]
    )
    c = sympy.cos(q)
    wanted = m * l**2 * sympy.Matrix([[3 + 2 * c, 1 + c], [1 + c, 1]])
    found = sympy.Matrix(sv.CRBA(pendulum, [sympy.Integer(0), q]).tolist())
    assert sympy.simplify(found - wanted) == sympy.zeros(2, 2)

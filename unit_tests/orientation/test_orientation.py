"""Orientation: MATLAB's numbers, SciPy's numbers, and properties of rotations, for all pairs of
conversions.
"""

import inspect
import itertools
from typing import Any

import array_kinds as kinds
import golden_io
import numpy as np
import pytest
from helpers import exact
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from spatial_v2 import orientation, rq, rv, rx, ry, rz, skew
from spatial_v2.orientation import (
    SU2toQuat,
    angleAxisToAngleAndAxis,
    angleAxisToQuat,
    angleAxisToRot,
    cayleyToQuat,
    cayleyToRot,
    isEqualModSign,
    mrpShadow,
    mrpToRot,
    quatConj,
    quatL,
    quatProduct,
    quatR,
    quatToAngleAxis,
    quatToMRP,
    quatToRot,
    quatToRpy,
    quatToSU2,
    rotToEulerAngles,
    rotToFixedAngles,
    rpyToQuat,
    rpyToRot,
)
from spatial_v2.orientation.representations import REPRESENTATIONS

DATA = golden_io.load("g_orientation_inertia")
RNG = np.random.default_rng(12)
WORDS = {"rot": "Rot", "quat": "Quat", "angleAxis": "AngleAxis", "rpy": "Rpy"}
WORDS |= {"cayley": "Cayley", "mrp": "MRP"}
PAIRS = {
    (a, b): getattr(orientation, f"{a}To{WORDS[b]}") for a, b in itertools.permutations(WORDS, 2)
}
TWICE = {"quat"}
"""Representations with two values of opposite sign for each rotation."""
RATES = [n for n in orientation.__all__ if "Rate" in n]
over_pairs = pytest.mark.parametrize("pair", PAIRS, ids="-".join)
SEQUENCES = [s for s in itertools.product((1, 2, 3), repeat=3) if s[0] != s[1] != s[2]]


def same(name: str, actual: Any, desired: Any, atol: float) -> None:
    """Check that values of a representation are equal, quaternions up to sign."""
    if name in TWICE:
        assert np.all(isEqualModSign(actual, desired, atol))
    else:
        exact(actual, desired, atol)


def rotations(*shape: int) -> np.ndarray:
    """Uniform random rotations."""
    return Rotation.random(int(np.prod(shape)), rng=RNG).as_matrix().reshape(*shape, 3, 3)


def of(name: str, R: Any) -> Any:
    """Convert rotation matrices to a representation by SciPy, or from SciPy's quaternions."""
    r, lead = Rotation.from_matrix(R.reshape(-1, 3, 3)), R.shape[:-2]
    quat = r.as_quat(canonical=True, scalar_first=True)
    value = {
        "rot": r.as_matrix,
        "quat": lambda: quat,
        "angleAxis": r.as_rotvec,
        "rpy": lambda: r.as_euler("xyz"),
        "cayley": lambda: quat[:, 1:] / quat[:, :1],
        "mrp": r.as_mrp,
    }[name]()
    return value.reshape(*lead, *value.shape[1:])


def test_all_pairs_of_representations_are_converted() -> None:
    """All 30 conversions exist; each has the argument name of the table of representations."""
    assert len(PAIRS) == 30 and set(WORDS) == set(REPRESENTATIONS)
    for (a, b), f in PAIRS.items():
        assert next(iter(inspect.signature(f).parameters)) == REPRESENTATIONS[a].argument
        assert f.__name__ == f"{a}To{WORDS[b]}" and "Returns" in f.__doc__


CONVERTED = [(a, b) for a, b in PAIRS if golden_io.has(DATA, "ori", f"{a}To{WORDS[b]}")]


@pytest.mark.parametrize("pair", CONVERTED, ids="-".join)
def test_conversions_agree_with_matlab(pair: tuple[str, str]) -> None:
    """Conversions agree with MATLAB; for roll, pitch and yaw, with its usual solution."""
    (a, b), f = pair, PAIRS[pair]
    output = f"{a}To{WORDS[b]}" if b != "rpy" else "rotToRpy_2"
    given = golden_io.get(DATA, "ori", f"in_{a}")
    wanted = golden_io.get(DATA, "ori", output)
    assert np.abs(wanted.imag).max() < 1e-9
    exact(f(given), wanted.real, 1e-9)


def test_the_golden_file_covers_nearly_all_pairs() -> None:
    assert len(CONVERTED) >= 28, set(PAIRS) - set(CONVERTED)


def test_conversions_at_the_identity_agree_with_matlab() -> None:
    for name, f in {f"{a}To{WORDS[b]}": f for (a, b), f in PAIRS.items()}.items():
        if golden_io.has(DATA, "ident", name):
            source = "in_" + name.split("To")[0]
            zero = {"rot": np.eye(3), "quat": np.eye(4)[0]}.get(source[3:], np.zeros(3))
            wanted = golden_io.raw(DATA, "ident", name)
            found = f(zero)
            wanted = wanted.real if wanted.shape == found.shape else wanted.real.ravel()
            if name in ("rotToRpy", "angleAxisToRpy", "cayleyToRpy", "mrpToRpy"):
                wanted = np.zeros(3)
            exact(found, wanted, 1e-12)


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("b", ["rot", "quat", "angleAxis"])
def test_cayley_of_higher_order_agrees_with_matlab(b: str, n: int) -> None:
    c = golden_io.get(DATA, "ori", "in_cayley_hi")
    wanted = golden_io.get(DATA, "ori", f"cayleyTo{WORDS[b]}_n{n}")
    exact(PAIRS["cayley", b](c, n), wanted.real, 1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_cayley_of_order_n_is_the_cayley_transform(n: int) -> None:
    """A Cayley vector c of order n represents ``R = ((1 + skew(c)) (1 - skew(c))^-1)^n``; those of
    order 2 are the modified Rodrigues parameters.
    """
    c = RNG.normal(size=(20, 3))
    one, power = np.eye(3), np.linalg.matrix_power
    wanted = power(one + skew(c[..., None]), n) @ power(np.linalg.inv(one - skew(c[..., None])), n)
    exact(cayleyToRot(c, n), wanted, 1e-12)
    exact(quatToRot(cayleyToQuat(c, 2)), mrpToRot(c))
    for b in ("angleAxis", "rpy", "mrp"):
        exact(PAIRS["cayley", b](c, n), PAIRS["rot", b](wanted), 1e-10)


PRODUCTS = {
    "quatProduct": ["in_quat", "in_quat2"],
    "cayleyProduct": ["in_cayley", "in_cayley2"],
    "mrpProduct": ["in_mrp", "in_mrp2"],
    "mrpShadow": ["in_mrp"],
    "quatConj": ["in_quat"],
    "quatL": ["in_quat"],
    "quatR": ["in_quat"],
    **{name: ["in_" + name.split("Rate")[0], "in_w"] for name in RATES},
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_and_rates_agree_with_matlab(name: str) -> None:
    args = [golden_io.get(DATA, "ori", x) for x in PRODUCTS[name]]
    exact(getattr(orientation, name)(*args), golden_io.get(DATA, "ori", name), 1e-9)


@pytest.mark.parametrize("side", ["Left", "Right"])
@pytest.mark.parametrize("n", [2, 3])
def test_cayley_rates_of_higher_order_agree_with_matlab(side: str, n: int) -> None:
    c, w = (golden_io.get(DATA, "ori", x) for x in ("in_cayley_hi", "in_w"))
    wanted = golden_io.get(DATA, "ori", f"cayleyRate{side}_n{n}")
    exact(getattr(orientation, f"cayleyRate{side}")(c, w, n), wanted, 1e-9)


@pytest.mark.parametrize("function", [rotToEulerAngles, rotToFixedAngles])
def test_angles_agree_with_matlab(function: Any) -> None:
    """Both solutions for the angles agree, in MATLAB's order."""
    R = golden_io.get(DATA, "ori", "in_rot")
    for word in ("121", "123", "231", "312", "313", "321"):
        found = function(R, tuple(map(int, word)))
        for k in (1, 2):
            wanted = golden_io.get(DATA, "ori", f"{function.__name__}_{word}_{k}")
            exact(found[k - 1], wanted, 1e-9)


def test_angle_and_axis_and_su2_agree_with_matlab() -> None:
    phi, q = (golden_io.get(DATA, "ori", x) for x in ("in_angleAxis", "in_quat"))
    angle, axis = angleAxisToAngleAndAxis(phi)
    exact(angle[:, None], golden_io.get(DATA, "ori", "angleAxisToAngleAndAxis_angle"), 1e-12)
    exact(axis, golden_io.get(DATA, "ori", "angleAxisToAngleAndAxis_axis"), 1e-12)
    U = quatToSU2(q)
    exact(U.real, golden_io.get(DATA, "ori", "quatToSU2_re"))
    exact(U.imag, golden_io.get(DATA, "ori", "quatToSU2_im"))
    exact(SU2toQuat(U), q)


@over_pairs
def test_rotations_agree_with_scipy(pair: tuple[str, str]) -> None:
    """Conversions agree with SciPy, whose rotations are active, too, and whose quaternions can be
    scalar first.
    """
    R = rotations(5, 20)
    same(pair[1], PAIRS[pair](of(pair[0], R)), of(pair[1], R), 1e-8)


@over_pairs
def test_conversions_undo_each_other(pair: tuple[str, str]) -> None:
    """Conversion to another representation and back gives the same value, for rotations of all
    angles below pi.
    """
    a, b = pair
    for angle in (1e-12, 1e-6, 1e-3, 0.5, 2.0, 3.0, 3.1, np.pi - 1e-3):
        axes = RNG.normal(size=(10, 3))
        axes /= np.linalg.norm(axes, axis=-1, keepdims=True)
        x = of(a, Rotation.from_rotvec(angle * axes).as_matrix())
        scale = 1 / (np.pi - angle) ** 2
        same(a, PAIRS[b, a](PAIRS[a, b](x)), x, 1e-13 * max(scale, 10))


@pytest.mark.parametrize("angle", [0.0, 1e-160, 1e-12, 1e-8, 1e-4, 0.49, 0.51, 3.0])
def test_small_angles_keep_all_digits(angle: float) -> None:
    """Small angles keep their relative precision in conversions to and from quaternion, MRP and
    Cayley vector.
    """
    for axis in (*np.eye(3), np.array([3, -4, 12]) / 13):
        phi = angle * axis
        exact(quatToAngleAxis(angleAxisToQuat(phi)), phi, 2e-15 * angle)
        exact(PAIRS["mrp", "angleAxis"](PAIRS["angleAxis", "mrp"](phi)), phi, 4e-15 * angle)
        exact(PAIRS["cayley", "angleAxis"](PAIRS["angleAxis", "cayley"](phi)), phi, 2e-14 * angle)


@pytest.mark.parametrize("below", [0, 1e-15, 1e-12, 1e-8, 1e-4])
def test_conversions_hold_near_half_turns(below: float) -> None:
    """Near half-turns, where MATLAB's logarithm fails, all representations but Cayley's are
    accurate.
    """
    for axis in (*np.eye(3), *-np.eye(3), np.array([3, -4, 12]) / 13):
        R = angleAxisToRot((np.pi - below) * axis)
        for b in ("quat", "angleAxis", "mrp", "rpy"):
            exact(PAIRS[b, "rot"](PAIRS["rot", b](R)), R, 3e-15)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_euler_angles_give_the_rotation(sequence: tuple[int, int, int]) -> None:
    """Both solutions represent the rotation, about body axes and fixed axes, also at and near
    gimbal lock.
    """
    turn = dict(zip((1, 2, 3), (orientation.Rx, orientation.Ry, orientation.Rz), strict=True))
    i, j, k = (turn[s] for s in sequence)
    lock = 0.0 if sequence[0] == sequence[2] else np.pi / 2
    middles = np.array([0.3, 1.2, 2.9, *(lock + np.array([0, 1e-9, -1e-9, 1e-5]))])
    R = i(0.4) @ j(np.concatenate([middles, -middles])) @ k(-1.1)
    for a in rotToEulerAngles(R, sequence):
        assert np.isfinite(a).all()
        exact(i(a[:, 0]) @ j(a[:, 1]) @ k(a[:, 2]), R, 3e-15)
    for a in rotToFixedAngles(R, sequence):
        exact(k(a[:, 2]) @ j(a[:, 1]) @ i(a[:, 0]), R, 3e-15)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_solutions_are_in_the_documented_order(sequence: tuple[int, int, int]) -> None:
    """The first and the second solution are distinguished by the middle angle, as the docstring
    says.
    """
    a1, a2 = rotToEulerAngles(rotations(50), sequence)
    if sequence[0] == sequence[2]:
        assert (a2[:, 1] > 0).all() and (a1[:, 1] < 0).all()
        return
    usual, other = (a2, a1) if sequence in ((1, 3, 2), (2, 1, 3), (3, 2, 1)) else (a1, a2)
    assert (abs(usual[:, 1]) <= np.pi / 2).all() and (abs(other[:, 1]) >= np.pi / 2).all()


def test_roll_pitch_and_yaw_are_the_usual_solution() -> None:
    """All conversions to roll, pitch and yaw give the solution that MATLAB's quatToRpy gives."""
    R = rpyToRot([0.1, 0.2, 0.3])
    for a in WORDS:
        if a != "rpy":
            exact(PAIRS[a, "rpy"](of(a, R)), [0.1, 0.2, 0.3], 1e-14)
    exact(quatToRpy(5 * rpyToQuat([0.1, 0.2, 0.3])), [0.1, 0.2, 0.3])
    exact(rotToFixedAngles(R).a1, [-3.0416, 2.9416, -2.8416], 1e-4)


def test_active_rotations_are_transposes_of_passive_ones() -> None:
    """The active matrices are transposes of coordinate rotations: Rx of rx, quatToRot of rq,
    angleAxisToRot of rv.
    """
    q, v, t = RNG.normal(size=4), RNG.normal(size=3), RNG.normal(size=7)
    exact(quatToRot(q), rq(q).T)
    exact(angleAxisToRot(v), rv(v).T)
    exact(angleAxisToRot(v), expm(skew(v)))
    for active, passive in ((orientation.Rx, rx), (orientation.Ry, ry), (orientation.Rz, rz)):
        exact(active(t), np.swapaxes(passive(t), -1, -2))


@pytest.mark.parametrize("name", ["quat", "cayley", "mrp"])
def test_products_compose_rotations(name: str) -> None:
    """The product of two representations a, b represents R(a) R(b).

    The conjugate of a quaternion, and the negative of other representations, represent the inverse.
    """
    R1, R2 = rotations(2, 30)
    product, to_rot = getattr(orientation, f"{name}Product"), PAIRS[name, "rot"]
    a, b = of(name, R1), of(name, R2)
    exact(to_rot(product(a, b)), R1 @ R2, 1e-10)
    inverse = quatConj(a) if name == "quat" else -a
    exact(to_rot(product(a, inverse)), np.broadcast_to(np.eye(3), R1.shape), 1e-9)


def test_quaternion_matrices_are_products() -> None:
    """quatL(p) q = quatR(q) p = p q, and quatToSU2 maps products to products."""
    p, q = RNG.normal(size=(2, 10, 4))
    exact((quatL(p) @ q[..., None])[..., 0], quatProduct(p, q))
    exact((quatR(q) @ p[..., None])[..., 0], quatProduct(p, q))
    exact(quatToSU2(p) @ quatToSU2(q), quatToSU2(quatProduct(p, q)))
    exact(quatProduct(p, quatConj(p)), (p * p).sum(-1, keepdims=True) * np.eye(4)[0])


def test_shadow_parameters_are_the_same_rotation() -> None:
    """A vector of modified Rodrigues parameters and its shadow represent the same rotation.

    A quaternion with negative scalar part is converted to the longer one.
    """
    m = of("mrp", rotations(30))
    exact(mrpToRot(mrpShadow(m)), mrpToRot(m), 1e-12)
    exact(quatToMRP(np.array([-0.98, 0, 0, np.sqrt(1 - 0.98**2)]))[2], np.sqrt(1.98 / 0.02), 1e-9)
    assert np.abs(quatToMRP([-0.995, 0, 0, np.sqrt(1 - 0.995**2)])).max() < 1


@pytest.mark.parametrize("name", RATES)
def test_rates_turn_the_rotation(name: str) -> None:
    """Along the rate for an angular velocity w, the rotation matrix R changes by ``R skew(w)``
    (functions named Right) or ``skew(w) R`` (Left), by a complex step.
    """
    a, side = name.split("Rate")
    orders = (1, 2, 3) if a == "cayley" else (1,)
    for n in orders:
        x, w = 0.4 * RNG.normal(size=(20, 4 if a == "quat" else 3)), RNG.normal(size=(20, 3))
        order = {"n": n} if n > 1 else {}
        rate = getattr(orientation, name)(x, w, **order)
        R = PAIRS[a, "rot"](x + 1e-20j * rate, **order)
        W = skew(w[..., None])
        exact(R.imag * 1e20, R.real @ W if side == "Right" else W @ R.real, 1e-12)


@over_pairs
def test_complex_steps_of_conversions_are_those_of_the_rotation_matrix(
    pair: tuple[str, str],
) -> None:
    """Derivatives of a conversion agree with those of the conversion through the rotation matrix,
    by complex steps.
    """
    a, b = pair
    R = Rotation.from_rotvec(RNG.normal(size=(20, 3))).as_matrix()
    moving = R + 1e-20j * R @ skew(RNG.normal(size=(20, 3, 1)))

    def to(name: str) -> Any:
        return moving if name == "rot" else PAIRS["rot", name](moving)

    found, wanted = PAIRS[pair](to(a)), to(b)
    if b == "quat":
        found = found * np.sign((found.real * wanted.real).sum(-1, keepdims=True))
    exact(found.real, of(b, R), 1e-11)
    exact(found.imag * 1e20, wanted.imag * 1e20, 1e-10 * (1 + np.abs(wanted.imag * 1e20).max()))
    assert np.abs(found.imag).max() > 1e-21


STRICT = [(f"{a}-{b}", f, (of(a, rotations(2, 3)),)) for (a, b), f in PAIRS.items()]
W = RNG.normal(size=(2, 3, 3))
STRICT += [
    (n, getattr(orientation, n), (of(n.split("Rate")[0], rotations(2, 3)), W)) for n in RATES
]


@pytest.mark.parametrize(("name", "function", "args"), STRICT, ids=[s[0] for s in STRICT])
def test_batches_columns_and_strict_arrays_are_accepted(
    name: str, function: Any, args: Any
) -> None:
    """A batch gives the results of a loop, and an empty one an empty result; columns are accepted
    as vectors.

    The functions use only operations of the array API standard.
    """
    batch = function(*args)
    for index in np.ndindex(2, 3):
        exact(batch[index], function(*(x[index] for x in args)), 1e-15)
    assert function(*(x[:0] for x in args)).shape == (0, *batch.shape[1:])
    exact(kinds.from_strict(function(*map(kinds.strict, args))), batch, 1e-14)
    if args[0].shape[-2:] != (3, 3):
        exact(function(*(x[..., None] for x in args)), batch, 0)


def test_equality_is_up_to_sign() -> None:
    q = RNG.normal(size=4)
    assert isEqualModSign(q, -q) and isEqualModSign(q, q + 7e-9)
    assert not isEqualModSign(q, q + 8e-9) and not isEqualModSign(q, -q + 1)
    assert not isEqualModSign([np.nan] * 4, [np.nan] * 4)

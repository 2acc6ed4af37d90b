"""Files for MATLAB that call compiled functions have Python's results and golden numbers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from octave_mex import OCTAVE, in_octave, ready

pytest.importorskip("numba")

from derivatives import modID
from spatial_v2 import BodyJacobian, FDfb, FDgq, IDfb, Model, fbkin
from spatial_v2.export import compiler
from spatial_v2.export.functions import exported
from spatial_v2.export.matlab import matlab_sources
from spatial_v2.models import autoTree, doubleElbow, floatbase, free_base

NEEDS_OCTAVE = pytest.mark.skipif(
    OCTAVE is None or compiler() is None, reason="needs Octave and cc"
)
slow = pytest.mark.slow
FLOATING = "F", "tree", "free", "rotors", "mixed", "body"
FUNCTIONS: dict[str, Any] = {"FDfb": FDfb, "IDfb": IDfb}
OTHERS = "mixed", "planar_tree", "floating_rotors", "negative", "SE3"


def floating(kind: str) -> Model:
    if kind == "rotors":
        return zoo.build("floating_rotors")
    if kind == "mixed":
        return zoo.build("two_floating").replace(parent=[-1, 0, 1, 0])
    tree = {"F": autoTree(3, 1, 0.3), "tree": autoTree(6, 2, 0.4), "body": autoTree(1)}
    return free_base(floatbase(tree["tree"])) if kind == "free" else floatbase(tree[kind])


def state(kind: str) -> list[np.ndarray]:
    """Return xfb, q, qd, the accelerations or forces, and external forces."""
    model, rng = floating(kind), np.random.default_rng(3)
    n = 0 if model.jtype[0] == "Fb" else 5
    q = zoo.states(model, rng, ()).q[6 + (n == 0) :]
    xfb = rng.normal(size=13)
    v, y = rng.normal(size=(2, model.NV - 6))
    return [xfb, q, v, y, rng.normal(size=(model.NB, 6)) * (np.arange(model.NB) >= n)[:, None]]


def printed(*calls: str) -> str:
    return f"printf('%.17g ', {', '.join(calls)});"


def flat(*arrays: Any) -> np.ndarray:
    """Return the numbers of arrays as MATLAB prints them."""
    return np.concatenate([np.ravel(np.asarray(x).T) for x in arrays])


def agree(text: str, wanted: np.ndarray) -> None:
    found = np.array(text.split(), float)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12 * np.abs(wanted).max())


@slow
@NEEDS_OCTAVE
def test_floating_bases(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All kinds of joints and rotors above the base; forces in cells and in arrays, or none."""
    values = {f"{k}_{i}": np.atleast_2d(x).T for k in FLOATING for i, x in enumerate(state(k))}
    place = ready(wheel, tmp_path, monkeypatch, values)
    lines, wanted = [], []
    for k in FLOATING:
        floating(k).to_matlab(place / f"{k}.mat")
        given = f"model, {k}_0, {k}_1, {k}_2, {k}_3"
        lines.append(f"load('{place}/{k}.mat'); f = num2cell({k}_4, 1);")
        for name, function in FUNCTIONS.items():
            lines += [
                f"[a, b] = {name}({x});" + printed("a", "b")
                for x in (given, f"{given}, f", f"{given}, {k}_4", f"{given}, {{}}")
            ]
            *x, force = state(k)
            free, pulled = (function(floating(k), *x, f) for f in (None, force))
            wanted += [*free, *pulled, *pulled, *free]
    ended = in_octave(place, *lines)
    agree(ended.stdout, flat(*wanted))


@slow
@NEEDS_OCTAVE
def test_golden_numbers(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of the original library, to the ten digits in which they are known."""
    place = ready(wheel, tmp_path, monkeypatch, {})
    floating("F").to_matlab(place / "model.mat")
    ended = in_octave(
        place,
        "x = [.5 -.5 .1 .7 .1 .2 .3 .4 .5 .6 .7 .8 .9]'; p = [.1; .2]; v = [.3; .4];",
        "[a, b] = FDfb(model, x, p, v, [.5; .6]); [c, d] = IDfb(model, x, p, v, [.5; .6]);",
        "[e, f] = fbkin(x);",
        printed("a", "b", "d", "e", "f"),
    )
    wanted = """-0.135 0.245 -0.165 0.295 0.73 0.74 0.93 0.7581532726 -1.251473079 -2.20763001
        -1.815696896 1.038547979 -11.60102264 1.952765958 3.607171667 0.1528775773 0.1941096013
        .1 .2 .3 -0.927295218 -0.6435011088 1.570796327 .73 .74 .93 .97 -.18 .95"""
    np.testing.assert_allclose(
        np.array(ended.stdout.split(), float), np.array(wanted.split(), float), rtol=1e-9
    )


@slow
@NEEDS_OCTAVE
def test_joints_of_the_base(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All forms of `fbkin`, all quadrants of angles, quaternions of other norms, complex steps."""
    rng = np.random.default_rng(4)
    Q, V, A = rng.uniform(-3.1, 3.1, size=(3, 8, 6))
    X, XD = rng.normal(size=(2, 8, 13))
    Q[0, 3:], Q[1, 3:], X[0, :4] = [np.pi, 0, 0], 0, [0, 1, 0, 0]
    data = {"Q": Q.T, "V": V.T, "A": A.T, "X": X.T, "XD": XD.T}
    place = ready(wheel, tmp_path, monkeypatch, data)
    ended = in_octave(
        place,
        "for k = 1:8",
        "[a, b] = fbkin(Q(:, k), V(:, k), A(:, k));",
        "[c, d, e] = fbkin(X(:, k), XD(:, k)); [f, g] = fbkin(X(:, k));",
        printed("fbkin(Q(:, k))", "fbkin(Q(:, k), V(:, k))", "a", "b", "c", "d", "e", "f", "g"),
        "h = 1e-30i; y = X(:, k) + h * XD(:, k); z = Q(:, k) + h * V(:, k);",
        printed("fbkin(X(1:7, k))", "imag(fbkin(y)) / 1e-30", "imag(fbkin(z)) / 1e-30"),
        "end",
    )
    wanted: list[Any] = []
    for q, v, a, x, xd in zip(Q, V, A, X, XD, strict=True):
        full, back = fbkin(q, v, a), fbkin(x, xd)
        wanted += [fbkin(q), fbkin(q, v), *full, *back, back[0], back[1], fbkin(x[:7])]
        wanted += [np.imag(fbkin(y)) / 1e-30 for y in (x[:7] + 1e-30j * xd[:7], q + 1e-30j * v)]
    agree(ended.stdout, flat(*wanted))


@slow
@NEEDS_OCTAVE
def test_bodies_and_weighted_forces(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jacobians of all bodies and of some rows; weights of one and of many states."""
    states: dict[str, np.ndarray] = {}
    rng = np.random.default_rng(5)
    for k in OTHERS:
        s = zoo.states(zoo.build(k), rng, (3,))
        d = 3 if zoo.build(k).is_planar else 6
        states |= {f"{k}_q": s.q.T, f"{k}_v": s.qd.T, f"{k}_a": s.qdd.T}
        states[f"{k}_E"] = rng.normal(size=(2, d))
    place = ready(wheel, tmp_path, monkeypatch, states)
    lines, wanted = [], []
    for k in OTHERS:
        model = zoo.build(k)
        model.to_matlab(place / f"{k}.mat")
        lines.append(f"load('{place}/{k}.mat'); q = {k}_q; v = {k}_v; a = {k}_a; E = {k}_E;")
        lines.append("for i = 1:numel(model.parent), x = q(:, 1);")
        lines.append(printed("BodyJacobian(model, x, i)", "BodyJacobian(model, x, i, E)"))
        lines.append("end, m = prepared(model);")
        lines.append(printed("modID(model, q, v, a, v)", "modID(m, q, v, a, v(:, 1))"))
        lines.append(printed("modID(model, q(:, 2), v(:, 2), a(:, 2), v(:, 1)')"))
        q, v, a = (states[f"{k}_{x}"].T for x in "qva")
        for i in range(model.NB):
            E = states[f"{k}_E"]
            wanted += [BodyJacobian(model, q[0], i), BodyJacobian(model, q[0], i, E)]
        wanted += [modID(model, q, v, a, v), modID(model, q, v, a, v[0])]
        wanted += [modID(model, q[1], v[1], a[1], v[0])]
    ended = in_octave(place, *lines)
    agree(ended.stdout, flat(*(np.atleast_1d(x) for x in wanted)))


GAMMA = """model.gamma_q = @(m, q, v) deal([q(1); q(2); q(2)], [v(1); v(2); v(2)],
    [1 0; 0 1; 0 1], 0.3 * [0; 0; v(3) - v(2)]);"""


def gamma(model: Model, q: Any, v: Any) -> tuple[Any, ...]:
    G = np.array([[1.0, 0], [0, 1], [0, 1]])
    return q[[0, 1, 1]], v[[0, 1, 1]], G, 0.3 * np.array([0, 0, v[2] - v[1]])


@slow
@NEEDS_OCTAVE
def test_constraints(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = doubleElbow().replace(gamma_q=gamma)
    q, v, tau = np.random.default_rng(6).normal(size=(3, 3))
    force = np.random.default_rng(7).normal(size=(3, 3 if model.is_planar else 6))
    place = ready(wheel, tmp_path, monkeypatch, {"s": np.stack([q, v, tau], 1), "force": force.T})
    model.replace(gamma_q=None).to_matlab(place / "model.mat")
    ended = in_octave(
        place, GAMMA.replace("\n", " "), "q = s(:, 1); v = s(:, 2); tau = s(:, 3);",
        printed("FDgq(model, q, v, tau)", "FDgq(model, q', v', tau', num2cell(force, 1))"),
    )  # fmt: skip
    agree(ended.stdout, flat(FDgq(model, q, v, tau), FDgq(model, q, v, tau, force)))


WRONG = {
    "FDfb(model, x, [], [], [])": "FDfb: model: want a floating base, as floatbase makes it",
    "FDfb(F, x, 1, [1; 2], [1; 2])": "FDfb: q: want 2x1 numbers, got a double of 1x1",
    "FDfb(F, x(1:7), y, y, y)": "FDfb: xfb: want 13x1 numbers, got a double of 7x1",
    "FDfb(F, x, y, y, {})": "FDfb: tau: want 2x1 numbers, got a cell of 0x0",
    "FDfb(F, [x, x], y, y, y)": "FDfb: xfb: want 13x1 numbers, got a double of 13x2",
    "IDfb(F, x, y, y, 1)": "IDfb: qdd: want 2x1 numbers",
    "IDfb(F, x, y, y)": "IDfb: want [xdfb, tau] = IDfb(model, xfb, q, qd, qdd[, f_ext])",
    "IDfb(3, x, y, y, y)": "IDfb: model: want a struct, got a double",
    "IDfb(prepared(F), x, y, y, y)": "IDfb: want the model's struct, not a prepared model",
    "FDfb(F, 1i * x, y, y, y)": "FDfb: want real numbers, got complex ones",
    "F.I{3} = F.I{6}; FDfb(F, x, y, y, y)": "FDfb: model: want a floating base",
    "F.parent(8) = 2; FDfb(F, x, y, y, y)": "FDfb: model: want a floating base",
    "F.coupling.matrix = 1; FDfb(F, x, y, y, y)": "a field coupling are not supported",
    "F = rmfield(F, 'I'); FDfb(F, x, y, y, y)": "FDfb: model.I is missing",
    "F.I(2) = []; FDfb(F, x, y, y, y)": "FDfb: model.I: want 8 entries",
    "FDgq(model, y, y, y)": "FDgq: model.gamma_q: want a function",
    "BodyJacobian(F, zeros(8, 1), 9)": "BodyJacobian: body: want a number from 1 to 8",
    "BodyJacobian(F, zeros(8, 1), 0)": "BodyJacobian: body: want a number from 1 to 8",
    "BodyJacobian(F, zeros(7, 1), 1)": "BodyJacobian: q: want 8x1 numbers",
    "BodyJacobian(F, zeros(8, 1), 1, eye(3))": "BodyJacobian: Xend: want 6 columns, got 3",
    "modID(F, ones(8, 1), ones(8, 1), ones(8, 1), y)": "modID: lambda: want 8x1",
    "fbkin(y)": "fbkin: q: want 6x1 numbers",
    "[a, b] = fbkin(x(1:7))": "fbkin: velocities want x of 13x1",
    "[a, b, c] = fbkin(x)": "fbkin: accelerations want xd",
    "[a, b] = fbkin(ones(6, 1), ones(6, 1))": "fbkin: want p = fbkin(q)",
}


@slow
@NEEDS_OCTAVE
def test_wrong_arguments_are_errors(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ready(wheel, tmp_path, monkeypatch, {"x": np.ones((13, 1)), "y": np.ones((2, 1))})
    floating("F").to_matlab(place / "F.mat")
    lines = [
        f"s = load('{place}/F.mat'); F = s.model; "
        f"try, {x}; disp('none'), catch e, printf('%s|%s\\n', e.identifier, e.message); end"
        for x in WRONG
    ]
    said = in_octave(place, *lines).stdout.splitlines()
    for message, (call, want) in zip(said, WRONG.items(), strict=True):
        assert want in message and message.startswith("spatial_v2:"), (call, message)


def test_files_are_there_for_what_they_call() -> None:
    from spatial_v2 import ID, FDab, HandC

    names = [set(matlab_sources(exported([f]))) for f in (ID, FDab, HandC)]
    over_ID, over_FDab, over_HandC = names
    assert {"modID.m", "BodyJacobian.m"} <= over_ID and "FDfb.m" not in over_ID
    assert "FDfb.m" in over_FDab and not {"IDfb.m", "modID.m"} & over_FDab
    assert {"IDfb.m", "FDgq.m"} <= over_HandC and all("fbkin.m" in x for x in names)

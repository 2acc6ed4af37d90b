"""Prepared models in Octave: arrays that compiled functions take in place of a struct."""

from pathlib import Path

import numpy as np
import pytest
import zoo
from octave_mex import OCTAVE, in_octave, ready

pytest.importorskip("numba")

from spatial_v2 import ID, FDab, HandC
from spatial_v2.export import compiler

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(OCTAVE is None or compiler() is None, reason="needs GNU Octave and cc"),
]
KINDS = "mixed", "planar_tree", "floating_rotors", "helical", "massless", "one_rotor"


def numbers(text: str) -> np.ndarray:
    return np.array(text.split(), float)


def test_results_have_the_bits_of_a_struct(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Models of all kinds, prepared in one Octave, are used there and in another one."""
    states: dict[str, np.ndarray] = {}
    for kind in KINDS:
        model = zoo.build(kind)
        s = zoo.states(model, np.random.default_rng(1), (4,))
        states |= {f"q_{kind}": s.q.T, f"v_{kind}": s.qd.T, f"a_{kind}": s.qdd.T}
    place = ready(wheel, tmp_path, monkeypatch, states)
    for kind in KINDS:
        zoo.build(kind).to_matlab(place / f"{kind}.mat")
    load = [f"load('{place}/{kind}.mat'); m.{kind} = prepared(model);" for kind in KINDS]
    calls = [
        f"printf('%.17g ', ID({{0}}{k}, q_{k}, v_{k}, a_{k}), FDab({{0}}{k}, q_{k}, v_{k}, a_{k}), "
        f"HandC({{0}}{k}, q_{k}(:, 2), v_{k}(:, 2)));"
        for k in KINDS
    ]
    here = [x.format("m.") for x in calls]
    save = f"save('{place}/prepared.mat', 'm');"
    first = in_octave(
        place, *load, *here, save, "printf('%d ', isequal(prepared(m.mixed), m.mixed))"
    )
    again = in_octave(place, f"load('{place}/prepared.mat');", *here)
    wanted = []
    for kind in KINDS:
        model = zoo.build(kind)
        q, v, a = (states[f"{x}_{kind}"].T for x in "qva")
        wanted += [ID(model, q, v, a), FDab(model, q, v, a), HandC(model, q[1], v[1]).H.T]
    flat = np.concatenate([np.ravel(x) for x in wanted])
    np.testing.assert_array_equal(numbers(first.stdout), [*flat, 1])
    np.testing.assert_array_equal(numbers(again.stdout), flat)


def test_edits_of_the_struct_make_another_model(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More models than are kept, in turn; couplings are among what is prepared."""
    place = ready(wheel, tmp_path, monkeypatch, {"G": np.eye(6)[:, :4]})
    ended = in_octave(
        place,
        "q = [q; q](1:6, :); same = true;",
        "for k = 1:12, model.gravity = [0; k; 1]; s{k} = model; m{k} = prepared(model); end",
        "for n = 1:2, for k = 1:12",
        "  same = same && isequal(ID(m{k}, q, q, q), ID(s{k}, q, q, q));",
        "end, end",
        "x = ID(m{1}, q, q, q); model.gravity = [0; 0; 0];",
        "printf('%d ', same, isequal(ID(m{1}, q, q, q), x), isequal(ID(model, q, q, q), x));",
        "model.coupling.matrix = G; y = q(1:4, :); c = prepared(model); clear ID",
        "printf('%d ', isequal(ID(c, y, y, y), ID(model, y, y, y)), size(ID(c, y, y, y), 1));",
    )
    assert ended.stdout.split() == ["1", "1", "0", "1", "4"], ended.stderr


WRONG = {
    "ID(uint64([]), q, q, q)": "no prepared model, or has been changed",
    "ID(m(1:end - 1), q, q, q)": "no prepared model, or has been changed",
    "ID(m(1:3), q, q, q)": "no prepared model, or has been changed",
    "ID(m, 1i * q, q, q)": "want real numbers, got complex ones; other functions want the model's",
    "ID(m, single(q), q, q)": "got a single; other functions want the model's struct",
    "ID(m, q, q)": "want tau = ID(model",
    "ID(m, 1, 2, 3)": "q: want 6x1",
    "prepared()": "want m = prepared(model)",
    "prepared(model, 1)": "want m = prepared(model)",
    "[a, b] = prepared(model)": "want m = prepared(model)",
    "prepared(3)": "model: want a struct, got a double",
    "model.jtype{1} = 'Xx'; prepared(model)": "model.jtype{1}: unknown joint code 'Xx'",
    "model.Xtree{2}(1) = 3; prepared(model)": "model.Xtree{2} is not a Pluecker transform",
}


def test_wrong_prepared_models_are_an_error(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ready(wheel, tmp_path, monkeypatch, {})
    start = "q = [q; q](1:6, 1); m = prepared(model); ID(m, q, q, q); arm = model;"
    lines = [f"model = arm; try, {x}; catch e, printf('%s\\n', e.message); end" for x in WRONG]
    said = in_octave(place, start, *lines).stdout.splitlines()
    for message, (call, want) in zip(said, WRONG.items(), strict=True):
        name = "prepared: " if "prepared" in call else "ID: "
        assert message.startswith(name) and want in message, message


def test_a_changed_word_is_an_error(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each word with one bit changed is refused, also if the model has not been seen before."""
    place = ready(wheel, tmp_path, monkeypatch, {})
    ended = in_octave(
        place,
        "q = [q; q](1:6, 1); m = prepared(model); n = numel(m); refused = 0;",
        "for bit = [0, 20, 32], for k = 1:n",
        "  x = m; x(k) = bitxor(m(k), bitshift(uint64(1), bit));",
        "  try, ID(x, q, q, q); catch, refused = refused + 1; end",
        "end, end, printf('%d', 3 * n - refused)",
    )
    assert ended.stdout == "0", ended.stderr

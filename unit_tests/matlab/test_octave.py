"""Files of models and results are exchanged between this library and GNU Octave in both directions.

The inverse dynamics in Octave are ``unit_tests/support/octave/ID.m``, or the MATLAB library in the
folders that the environment variable SPATIAL_V2_MATLAB names.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from numpy.testing import assert_allclose, assert_array_equal
from scipy.io import loadmat, savemat
from typer.testing import CliRunner

from derivatives import ID_derivatives, ID_SO_derivatives
from spatial_v2 import ID, HandC, Model, puma560, rollingdisc
from spatial_v2.cli import app

ROOT = Path(__file__).parents[2]
OCTAVE = shutil.which("octave-cli") or shutil.which("octave")
NAMED = os.environ.get("SPATIAL_V2_MATLAB")
SCRIPTS = [
    script
    for page in sorted((ROOT / "docs").glob("matlab*.md"))
    for script in re.findall(r"```matlab\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
]
NOT_IN_MATLAB = {"negative", "helical", "mixed", "planar_chain", "planar_tree", "one_rotor"}
"""Models with joint codes that MATLAB lacks, or for which its ID fails or is wrong."""

pytestmark = [
    pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed"),
]


def run(folder: Path, *lines: str) -> str:
    """Run lines of Octave code in a folder, with `ID` on the path; return what they print."""
    path = NAMED.split(os.pathsep) if NAMED else [str(ROOT / "unit_tests/support/octave")]
    begin = [f"addpath(genpath('{x}'));" for x in path]
    (folder / "run_these_lines.m").write_text("\n".join(["1;", *begin, *lines]) + "\n")
    command = [str(OCTAVE), "--no-init-file", "--quiet", "--eval", "run_these_lines"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def torques(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return, for each model of the zoo, the torques of this library and of Octave, and the struct
    that Octave wrote.
    """
    folder, found = tmp_path_factory.mktemp("octave"), {}
    names = [n for n in zoo.NAMES if not (NAMED and n in NOT_IN_MATLAB)]
    for name in names:
        model = zoo.build(name)
        state = zoo.states(model, np.random.default_rng(8))
        model.to_matlab(folder / f"{name}.mat")
        savemat(folder / f"{name}_state.mat", {x: getattr(state, x) for x in ("q", "qd", "qdd")})
        found[name] = {"ours": ID(model, state.q, state.qd, state.qdd), "state": state}
    words = " ".join(f"'{name}'" for name in names)
    run(
        folder,
        f"for name = {{{words}}}",
        "  load([name{1} '.mat']); x = load([name{1} '_state.mat']);",
        "  tau = ID(model, x.q(:), x.qd(:), x.qdd(:));",
        "  save('-v7', [name{1} '_back.mat'], 'model', 'tau');",
        "end",
    )
    for name in names:
        found[name]["file"] = folder / f"{name}_back.mat"
    return found


@pytest.mark.parametrize("name", zoo.MODELS)
def test_octave_gives_the_same_torque(name: str, torques: dict[str, Any]) -> None:
    if name not in torques:
        pytest.skip("MATLAB's ID does not support this model")
    theirs, ours = loadmat(torques[name]["file"])["tau"].ravel(), torques[name]["ours"]
    assert_allclose(theirs, ours, rtol=0, atol=1e-12 * np.abs(ours).max())


@pytest.mark.parametrize("name", zoo.MODELS)
def test_a_model_saved_by_octave_is_the_same(name: str, torques: dict[str, Any]) -> None:
    if name not in torques:
        pytest.skip("MATLAB's ID does not support this model")
    model, again = zoo.build(name), Model.from_matlab(torques[name]["file"])
    for field in ("parent", "Xtree", "I", "gravity", "has_rotor", "Xrotor", "I_rotor", "gr"):
        assert_array_equal(getattr(again, field), getattr(model, field), field)
    assert again.jtype == model.jtype
    assert again.jtype_rotor == model.jtype_rotor


BY_HAND = """
model.NB = 3;
model.parent = [0 1 1];
model.jtype = {'Rz', struct('code', 'H', 'pars', struct('pitch', 0.1)), 'Px'};
model.gravity = [0 0 -9.81];
for i = 1:3
  c = cos(0.1*i); s = sin(0.1*i);
  E = [1 0 0; 0 c s; 0 -s c];
  model.Xtree{i} = [E zeros(3); -E * [0 -i 0; i 0 -1; 0 1 0] E];
  C = 0.5 * [0 0 0; 0 0 -1; 0 1 0];
  model.I{i} = [eye(3)/12 + C*C', C; C', eye(3)];
end
model.has_rotor = [0 0 0];
model.qinds = {1 2 3}; model.vinds = {1 2 3}; model.nq = [1 1 1]; model.nv = [1 1 1];
model.NV = 3; model.NQ = 3;
model.appearance.base = {'box', [-1 -1 -1; 1 1 0]};
model.appearance.body = {{'cyl', [0 0 0; 1 0 0], 0.1}, {}, {'colour', [1 0 0], {'facets', 8}}};
model.camera.body = 1;
q = [0.3; -0.2; 0.5]; qd = [1; -2; 3]; qdd = [0.4; 0.5; -0.6];
tau = ID(model, q, qd, qdd);
"""


@pytest.mark.parametrize("version", ["-v6", "-v7"])
def test_a_model_made_in_octave_is_read(version: str, tmp_path: Path) -> None:
    run(tmp_path, BY_HAND, f"save('{version}', 'hand.mat');")
    model = Model.from_matlab(tmp_path / "hand.mat")
    x = {k: v.ravel() for k, v in loadmat(tmp_path / "hand.mat").items() if k[0] in "qt"}
    assert model.parent.tolist() == [-1, 0, 0]
    assert model.jtype[1] == {"code": "H", "pars": {"pitch": 0.1}}
    assert model.camera == {"body": 0}
    assert model.appearance is not None
    assert model.appearance["body"][2][2] == ["facets", 8.0]
    assert_allclose(ID(model, x["q"], x["qd"], x["qdd"]), x["tau"], rtol=0, atol=1e-13)


def test_contact_points_and_drawings_arrive(tmp_path: Path) -> None:
    """Contact points, drawings and camera are converted: columns and numbers from one in Octave,
    rows and zero here.
    """
    disc = rollingdisc(4)
    disc.to_matlab(tmp_path / "disc.mat", "disc")
    run(
        tmp_path,
        "load disc.mat",
        "assert(disc.NB == 6)",
        "assert(size(disc.gc.point), [3 8])",
        "assert(all(disc.gc.body == 6))",
        "assert(disc.camera.body == 6)",
        "assert(iscell(disc.appearance.body) && numel(disc.appearance.body) == 6)",
        "assert(ischar(disc.appearance.body{6}{1}))",
        "point = disc.gc.point; save -v7 point.mat point",
    )
    assert disc.gc is not None
    assert_array_equal(loadmat(tmp_path / "point.mat")["point"].T, disc.gc["point"])


def test_saved_results_are_what_octave_computes(tmp_path: Path) -> None:
    """The saved H and derivatives agree with those of Octave's ID, with the same indices."""
    model, out = puma560(), tmp_path / "results.mat"
    model.to_matlab(tmp_path / "robot.mat")
    command = ["derivatives", "puma560", "--samples", "2", "--no-check", "--out", str(out)]
    assert CliRunner().invoke(app, command).exit_code == 0
    run(
        tmp_path,
        "load robot.mat; r = load('results.mat'); n = model.NV; e = eye(n); h = 1e-20;",
        "q = r.q(2,:).'; qd = r.qd(2,:).'; qdd = r.qdd(2,:).';",
        "tau = ID(model, q, qd, qdd); rest = ID(model, q, 0*qd, 0*qdd);",
        "for k = 1:n",
        "  dtau_dq(:,k) = imag(ID(model, q + 1i*h*e(:,k), qd, qdd)) / h;",
        "  dtau_dqd(:,k) = imag(ID(model, q, qd + 1i*h*e(:,k), qdd)) / h;",
        "  H(:,k) = ID(model, q, 0*qd, e(:,k)) - rest;",
        "end",
        "save -v7 theirs.mat tau dtau_dq dtau_dqd H",
        "T = squeeze(r.d2tau_dq(2,:,:,:)); element = T(1,2,3); save -v7 element.mat element",
    )
    theirs, ours = loadmat(tmp_path / "theirs.mat"), loadmat(out)
    q, qd, qdd = (ours[x] for x in ("q", "qd", "qdd"))
    dtau_dq, dtau_dqd = ID_derivatives(model, q, qd, qdd)
    for name, x in (("dtau_dq", dtau_dq), ("dtau_dqd", dtau_dqd), ("tau", ID(model, q, qd, qdd))):
        assert_allclose(theirs[name].reshape(x.shape[1:]), ours[name][1], rtol=0, atol=1e-10)
        assert_array_equal(ours[name], x)
    assert_allclose(theirs["H"], HandC(model, q, qd).H[1], rtol=0, atol=1e-11)
    second = ID_SO_derivatives(model, q, qd, qdd).d2tau_dq[1]
    assert loadmat(tmp_path / "element.mat")["element"].item() == second[0, 1, 2]


def test_scripts_of_the_page_are_matlab(tmp_path: Path) -> None:
    """The MATLAB code of the page "For MATLAB users" can be parsed by Octave."""
    assert len(SCRIPTS) > 10
    run(tmp_path, *(line for script in SCRIPTS for line in ("if false", script, "end")))

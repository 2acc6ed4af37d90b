"""``spatial-v2 identify``: its results, output and files, and the errors for wrong input."""

import io
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from command_line import TREE, refused, run
from typer.testing import CliRunner

import spatial_v2 as sv
from spatial_v2.cli import app
from spatial_v2.cli.inertials import inertial_elements
from spatial_v2.cli.samples import read_measurements

NAMES = ("q", "qd", "qdd", "tau")


def measured(n: int = 300) -> tuple[sv.Model, dict[str, np.ndarray]]:
    model = sv.load_model(TREE)
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, n, model.NV))
    return model, {"q": q, "qd": qd, "qdd": qdd, "tau": sv.ID(model, q, qd, qdd) + 0.5 * qd}


def csv(path: Path, x: dict[str, np.ndarray], header: str = "{}{}") -> Path:
    names = [header.format(name, i) for name in x for i in range(x[name].shape[1])]
    line = ",".join(names) if header else ""
    np.savetxt(path, np.hstack(list(x.values())), delimiter=",", header=line, comments="")
    return path


@pytest.mark.parametrize("suffix", [".npz", ".csv"])
def test_the_command_gives_the_results_of_identify(tmp_path: Path, suffix: str) -> None:
    """The command prints the results of `identify`, and writes them into files that other programs
    read.
    """
    model, x = measured()
    data = tmp_path / f"run{suffix}"
    if suffix == ".npz":
        np.savez_compressed(data, **x)
    else:
        csv(data, x)
    mat, xml = tmp_path / "model.mat", tmp_path / "links.xml"
    words = "identify", TREE, data, "--friction", "viscous", "--out", mat, "--out", xml
    text = run(*words)
    found = sv.identify(model, *x.values(), friction="viscous")
    assert f"300 samples (run{suffix})" in text
    assert f"{found.rank} of {len(found.base)} determined" in text
    printed = [line.split(" ± ") for line in text.splitlines() if " ± " in line]
    np.testing.assert_allclose([float(a) for a, _ in printed], found.base, rtol=1e-4, atol=1e-6)
    assert [b.split(maxsplit=1)[1].strip() for _, b in printed] == found.names
    written = sv.getModelInertialParams(sv.read_matlab(mat)).a.reshape(-1, 10)
    np.testing.assert_allclose(written, found.parameters, atol=1e-9)
    links = ElementTree.parse(xml).getroot().findall("link")
    assert [link.get("name") for link in links] == list(model.body_names)
    for link, wanted in zip(links, found.parameters, strict=True):
        np.testing.assert_allclose(numbers(link), wanted, atol=1e-9)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        [data.name, "model.mat", "links.xml"]
    )


def numbers(link: Any) -> np.ndarray:
    """Return the ten inertial parameters of a link of a URDF file."""
    part = link.find("inertial")
    mass = float(part.find("mass").get("value"))
    c = [float(v) for v in part.find("origin").get("xyz").split()]
    I = [float(part.find("inertia").get(k)) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")]
    return np.asarray(sv.urdfToInertiaVec([mass, *c, *I]))


def test_options_reach_the_function(tmp_path: Path) -> None:
    data = csv(tmp_path / "a.csv", measured()[1])
    text = run("identify", TREE, data, "--friction", "both", "--weigh", "--no-physical")
    assert "coulomb0" in text and "0.5" in text
    assert "armature0" in run("identify", TREE, data, "--armature", "--tol", "1e-6")
    name = sv.load_model(TREE).body_names[-1]
    text = run("identify", TREE, data, "--offset", "--unknown", name)
    lines = [line for line in text.splitlines() if " ± " in line]
    assert len(lines) == 14 and lines[-1].endswith("offset3") and "m3" in lines[0]


@pytest.mark.optional
def test_the_semidefinite_program_gives_bodies_of_a_usable_model(tmp_path: Path) -> None:
    """The written model has the bodies that `identify` finds with cvxpy and Clarabel, and can be
    used.
    """
    pytest.importorskip("cvxpy")
    pytest.importorskip("clarabel")
    model, x = measured()
    x["tau"] += 2 * np.random.default_rng(1).normal(size=x["tau"].shape)
    np.savez(tmp_path / "a.npz", **x)
    text = run("identify", TREE, tmp_path / "a.npz", "--lmi", "--out", tmp_path / "a.mat")
    found = sv.identify(model, *x.values(), physical="lmi")
    printed = [float(line.split(" ± ")[0]) for line in text.splitlines() if " ± " in line]
    np.testing.assert_allclose(printed, found.base, rtol=1e-4, atol=1e-6)
    a = sv.getModelInertialParams(sv.read_matlab(tmp_path / "a.mat")).a.reshape(-1, 10)
    np.testing.assert_allclose(a, found.parameters, atol=1e-9)
    assert np.linalg.eigvalsh(sv.inertiaVecToPinertia(a)).min() > 0


def test_a_missing_solver_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the solver the command prints one line that names the extra to install, and writes no
    file.
    """
    monkeypatch.setitem(sys.modules, "clarabel", None)
    data, out = csv(tmp_path / "a.csv", measured(50)[1]), tmp_path / "a.mat"
    assert "'.[identify]'" in refused("identify", TREE, data, "--lmi", "--out", out)
    assert not out.exists()


@pytest.mark.parametrize("header", ["{}{}", "{}_{}", "{}[{}]", " {}.{}", ""])
def test_columns_may_have_names_in_any_order(tmp_path: Path, header: str) -> None:
    """Columns may have names in several spellings and any order, or no names in the documented
    order.
    """
    model, x = measured(7)
    order = NAMES if not header else NAMES[::-1]
    data = csv(tmp_path / "a.csv", {name: x[name] for name in order}, header)
    with read_measurements(data, model) as (batches, samples):
        parts = [np.concatenate(part) for part in zip(*batches, strict=True)]
    for got, name in zip(parts, NAMES, strict=True):
        np.testing.assert_allclose(got, x[name], rtol=1e-15)
    assert samples is None


def test_arrays_of_other_layouts_give_the_same_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrays in column-major order, in single precision, or read in pieces give the
    same numbers.
    """
    monkeypatch.setattr("spatial_v2.cli.samples.ROWS", 3)
    model, x = measured(10)
    given = {**x, "q": np.asfortranarray(x["q"]), "qd": x["qd"].astype(np.float32)}
    np.savez(tmp_path / "a.npz", **given)
    with read_measurements(tmp_path / "a.npz", model) as (batches, samples):
        parts = [np.concatenate(part) for part in zip(*batches, strict=True)]
    for got, name in zip(parts, NAMES, strict=True):
        np.testing.assert_array_equal(got, given[name])
    assert samples == 10


def test_undetermined_base_parameters_give_a_warning(tmp_path: Path) -> None:
    _, x = measured()
    data = csv(tmp_path / "a.csv", {**x, "qd": 0 * x["qd"]})
    result = CliRunner().invoke(app, ["identify", TREE, str(data), "--friction", "viscous"])
    assert result.exit_code == 0
    assert result.stderr.startswith("warning: the motion determines")


def _npz(**change: Any) -> bytes:
    x = {**measured(5)[1], **change}
    file = io.BytesIO()
    np.savez(file, **{k: v for k, v in x.items() if v is not None})
    return file.getvalue()


BAD: list[tuple[str, bytes, str]] = [
    ("a.txt", b"", "must end in .npz, .csv or .zarr"),
    ("a.npz", b"", "not a readable .npz file"),
    ("a.npz", _npz(tau=None), "array tau is missing; the file holds q, qd, qdd"),
    ("a.npz", _npz(q=np.zeros((5, 3))), "q must have shape (samples, 4), got (5, 3)"),
    ("a.npz", _npz(q=np.zeros((4, 5))), "transpose?"),
    ("a.npz", _npz(q=np.zeros((6, 4))), "hold 6, 5, 5, 5 samples"),
    ("a.npz", _npz(q=np.zeros((5, 4), complex)), "q must be an array of real numbers"),
    ("a.npz", _npz(tau=np.full((5, 4), np.nan)), "tau: sample 0 is not finite"),
    ("a.npz", _npz(**{k: np.zeros((0, 4)) for k in NAMES}), "holds no samples"),
    ("a.csv", b"", "holds no samples"),
    ("a.csv", b"1,2,3\n", "want 16 columns, 4 of q, 4 of qd, 4 of qdd, 4 of tau"),
    ("a.csv", b"q0,q1\n1,2\n", "column q2 is missing; the first line has q0, q1"),
    ("a.csv", b",".join([b"1"] * 16) + b"\n1,2\n", "line 2: want 16 cells or more, got 2"),
    (
        "a.csv",
        b"# t\n" + 2 * (b",".join([b"1"] * 16) + b"\n") + b"1,,3" + 13 * b",1",
        "line 4: q1 is empty, want a number",
    ),
    ("a.csv", b",".join([b"1"] * 16) + b"\n1,x,3" + 13 * b",1", "line 2: q1 is 'x', want a number"),
    (
        "a.csv",
        b"1" + 15 * b",1" + b"\n1" + 16 * b",5",
        "line 2: want 16 cells as in the first line",
    ),
    ("a.csv", b",".join([b"x"] * 15 + [b"1"]), "column q0 is missing"),
    ("a.csv", b"\xff\xfe\x00", "not a readable .csv file"),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD)
def test_wrong_files_are_refused_in_one_line(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    """The command prints one line, and writes no file."""
    (tmp_path / name).write_bytes(content)
    out = tmp_path / "model.mat"
    assert message in refused("identify", TREE, tmp_path / name, "--out", out)
    assert not out.exists() and len(list(tmp_path.iterdir())) == 1


def test_truncated_files_are_refused(tmp_path: Path) -> None:
    """An array shorter than its header says is an error, and so is a damaged archive."""
    _, x = measured(50)
    whole, cut = tmp_path / "whole.npz", tmp_path / "cut.npz"
    np.savez(whole, **x)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(cut, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name)[: -8 if name == "tau.npy" else None])
    assert "tau is cut short" in refused("identify", TREE, cut)
    data = bytearray(whole.read_bytes())
    data[400:410] = bytes(10)
    cut.write_bytes(data)
    assert "not a readable .npz file" in refused("identify", TREE, cut)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--friction", "dry"], "--friction: want one of none, viscous, coulomb, both"),
        (["--out", "a.urdf"], "the name must end in .mat or .xml"),
        (["--out", "none/a.mat"], "cannot write none/a.mat"),
        (["--prior-weight", "0"], "--prior-weight: must be positive"),
        (["--prior-weight", "-1"], "--prior-weight"),
        (["--lmi", "--no-physical"], "--lmi: cannot be combined with --no-physical"),
    ],
)
def test_wrong_options_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    data = csv(tmp_path / "a.csv", measured(20)[1])
    assert message in refused("identify", TREE, data, *words)
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]


def test_an_advice_names_the_option_of_the_command(tmp_path: Path) -> None:
    """Body 0 of the PUMA 560 has no mass in the published data."""
    x = dict(zip(NAMES, np.zeros((4, 1, 6)), strict=True))
    message = refused("identify", "puma560", csv(tmp_path / "run.csv", x))
    assert "--no-physical" in message and "physical=False" not in message


def test_a_negative_mass_is_refused_and_writes_no_file(tmp_path: Path) -> None:
    """A negative mass, which no model may have, is an error, and no file is written.

    With physically consistent parameters a file is written.
    """
    _, x = measured()
    data = csv(tmp_path / "a.csv", {**x, "tau": -100 * x["tau"]})
    out = tmp_path / "a.mat"
    message = refused("identify", TREE, data, "--no-physical", "--out", out)
    assert "a mass came out negative" in message and not out.exists()
    run("identify", TREE, data, "--out", out)
    assert out.exists()


def test_a_body_without_mass_has_no_element() -> None:
    from spatial_v2 import ModelError, floatbase

    with pytest.raises(ModelError, match="has no mass"):
        inertial_elements(floatbase(sv.autoTree(1)))


def test_a_body_may_have_its_centre_of_mass_anywhere() -> None:
    """Of the inertial parameters the mass alone must be positive."""
    model = sv.autoTree(1)
    moved = model.replace(I=[sv.mcI(2.0, [-0.3, 0.0, -0.1], np.eye(3))])
    assert '<origin xyz="-0.3 0.0 -0.1"' in inertial_elements(moved)

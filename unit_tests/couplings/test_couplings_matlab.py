"""Couplings in MATLAB's model structs: written, read, refused."""

import numpy as np
import pytest
from helpers import near
from mechanisms import four_bar

from spatial_v2 import (
    ID,
    LoaderWarning,
    Model,
    ModelError,
    ModelFileError,
    autoTree,
    couple,
    load_model,
    write_matlab,
)

COUPLED = {
    "one variable": {"mimic": {1: (0, -1.0, 0.2), 2: (1, 2.0, 0.0)}},
    "two variables": {"mimic": {2: (1, 2.0, 0.1)}},
    "differential": {"matrix": [[1, 0], [0, 1], [0.5, -2]], "offset": [0, 0, 0.3]},
    "no joint of its own": {"matrix": [[2, 0], [0, 3], [0.5, -2]]},
}


@pytest.mark.parametrize("name", COUPLED)
def test_couplings_are_written_and_read_again(name, tmp_path):
    tree = autoTree(3, 1, 0.4).replace(user={"legs": 4.0})
    model = couple(tree, **COUPLED[name])
    write_matlab(model, tmp_path / "robot.mat", "robot")
    for couplings in ("auto", "imposed"):
        again = load_model(tmp_path / "robot.mat", couplings=couplings)
        assert again.joint_names == model.joint_names and again.tree.user == {"legs": 4.0}
        near(again.coupling.matrix, model.coupling.matrix)
        near(again.coupling.offset, model.coupling.offset)
        x = np.random.default_rng(0).normal(size=(3, model.NV))
        near(ID(again, *x), ID(model, *x))
    free = load_model(tmp_path / "robot.mat", couplings="free")
    assert type(free) is Model and free.NV == 3
    near(np.reshape(free.user["coupling"]["matrix"], (3, -1)), model.coupling.matrix)


def test_a_struct_of_matlab_without_an_offset(tmp_path):
    """MATLAB's users give a matrix alone, or fields of their own with the same name."""
    tree = autoTree(2).replace(user={"coupling": {"matrix": np.array([[1.0], [-2.0]])}})
    tree.to_matlab(tmp_path / "robot.mat")
    model = load_model(tmp_path / "robot.mat")
    near(model.coupling.configuration(np.array([0.3])), [0.3, -0.6])
    tree.replace(user={"coupling": "shaft"}).to_matlab(tmp_path / "robot.mat")
    assert load_model(tmp_path / "robot.mat").user == {"coupling": "shaft"}


def test_what_cannot_be_coupled_is_named(tmp_path):
    path = tmp_path / "robot.mat"
    couple(autoTree(3), matrix=np.eye(3)[:, :2] + np.eye(3)[:, 1:]).to_matlab(path)
    for given in ({"floating_base": True}, {}):
        if not given:
            wrong = {"coupling": {"matrix": np.ones((3, 2)), "offset": np.zeros(3)}}
            autoTree(3).replace(user=wrong).to_matlab(path)
        with pytest.warns(LoaderWarning, match="robot.mat: coupling is not imposed: matrix: "):
            model = load_model(path, **given)
        assert type(model) is Model
        with pytest.raises(ModelFileError, match="robot.mat: coupling: matrix: "):
            load_model(path, couplings="imposed", **given)
    with pytest.raises(ModelError, match="^write_matlab: takes no coupled model"):
        write_matlab(four_bar(), path)

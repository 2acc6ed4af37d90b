"""Robots with loops and rotors of two public collections move as their trees do under the same
constraints.

The environment variable SPATIAL_V2_LINKAGES names a folder with clones of ``generalized_rbda`` and
``example-parallel-robots``. Without it these tests skip.
"""

import os
import warnings
from pathlib import Path

import numpy as np
import pytest
from helpers import near

import spatial_v2 as sv

FOLDER = Path(os.environ.get("SPATIAL_V2_LINKAGES", os.devnull))
FILES = sorted(
    [*FOLDER.glob("generalized_rbda/robot-models/*.urdf"),
     *FOLDER.glob("example-parallel-robots/robots/*/*.urdf")]
)  # fmt: skip
NAMES_APART = {"5bar_linkage", "disney_robot", "robot_delta", "true_talos_2_legs"}
"""Robots whose YAML files name links or joints that their URDF files do not have."""
UNDETERMINED = "mini_cheetah_leg"
"""A robot whose couplings do not determine the joints marked independent; a warning says so."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::spatial_v2.SingularWarning"),  # many are, nearly, at zero
    pytest.mark.skipif(not FILES, reason="SPATIAL_V2_LINKAGES names no folder with collections"),
]
files = pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")


def loaded(file: Path) -> sv.Model:
    """Return a robot with the couplings of its file, and of the YAML file beside it."""
    beside = file.with_name("robot.yaml")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sv.LoaderWarning)
        warnings.simplefilter("ignore", sv.InertiaWarning)
        return sv.load_urdf(file, loops=beside) if beside.exists() else sv.load_urdf(file)


def lifted(model, q, yd, ydd):
    """Return G, qd and qdd of the tree from the rows of its constraints, by least squares."""
    c, tree = model.coupling, model.tree
    if model.is_linear:
        return c.matrix, c.matrix @ yd, c.matrix @ ydd
    ours = np.asarray(c.v_of_y)
    others = np.setdiff1d(np.arange(tree.NV), ours)
    J = sv.constraint_jacobian(tree, q, c.constraints)
    G = np.zeros((tree.NV, len(ours)))
    G[ours] = np.eye(len(ours))
    G[others] = -np.linalg.lstsq(J[:, others], J[:, ours], rcond=1e-9)[0]
    qd, qdd = G @ yd, G @ ydd
    bias = sv.constraint_bias(tree, q, qd, c.constraints)
    qdd[others] -= np.linalg.lstsq(J[:, others], bias, rcond=1e-9)[0]
    return G, qd, qdd


@files
def test_robots_of_collections_move_as_their_trees(file: Path) -> None:
    """Loops are closed, and inverse dynamics is that of the tree, projected on the motions that
    the rows of its constraints leave.
    """
    if file.parent.name in NAMES_APART:
        with pytest.raises(sv.ModelFileError, match="the URDF file has no"):
            loaded(file)
        return
    model = loaded(file)
    if not hasattr(model, "tree"):
        text = file.read_text(encoding="utf-8")
        parts = "<loop" in text or "<coupling" in text or file.with_name("robot.yaml").exists()
        assert not parts or file.stem == UNDETERMINED
        pytest.skip("a plain tree")
    rng = np.random.default_rng(0)
    y = sv.configurationAddition(model, model.start, 1e-3 * rng.normal(size=model.NV))
    yd, ydd = rng.normal(size=(2, model.NV))
    q = model.position(y) if not model.is_linear else model.coupling.configuration(y)
    if not model.is_linear:
        assert np.abs(sv.position_error(model.tree, q, model.coupling.constraints)).max() < 1e-9
    G, qd, qdd = lifted(model, q, yd, ydd)
    near(sv.ID(model, y, yd, ydd), G.T @ sv.ID(model.tree, q, qd, qdd), tolerance=1e-10)
    near(sv.CRBA(model, y), G.T @ sv.CRBA(model.tree, q) @ G, tolerance=1e-10)

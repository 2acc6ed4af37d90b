"""The C++ program that times the exported library beside Pinocchio, and the requests to it."""

from __future__ import annotations

import os
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cpp.build import FLAGS, build
from benchmarks.cpp.robot_file import write_robot
from benchmarks.engine.functions import FUNCTIONS as ROWS
from benchmarks.peers.pinocchio_twin import twin, twin_states
from benchmarks.timing import Round
from spatial_v2 import Model
from spatial_v2.export import build_library, export_library, write_model
from spatial_v2.export.functions import exportable

__all__ = ["FUNCTIONS", "Program", "places", "program"]

_PLAIN = "ID", "FDab", "HandC", "CRBA", "ID_derivatives", "FD_derivatives"
FUNCTIONS = {x: ROWS[x].peer for x in _PLAIN} | {
    "CoriolisMatrix": "computeCoriolisMatrix",
    "Hinverse": "computeMinverse",
    "ID_SO_derivatives": ROWS["ID_SO packed"].peer,
    "forward_kinematics": "forwardKinematics",
    "CMM": "ccrba",
    "frame_motion": "getFrameVelocity",
    "frame_acceleration": "getFrameAcceleration",
    "FrameJacobian": "computeFrameJacobian",
    "FrameJacobianTimeDerivative": "frameJacobianTimeVariation",
    "KKT_FD": "constraintDynamics",
    "KKT_FO_derivatives": "constraintDynamics, its derivatives",
    "Impact_dyn": "impulseDynamics",
}
"""Exported functions and the algorithms of Pinocchio that they are compared with; tensors are
packed.
"""

_CONTACTS = {
    "ur5": (3, 0.1, ["wrist_3_joint"]),
    "hyq": (3, -0.33, ["lf_kfe_joint", "rf_kfe_joint", "lh_kfe_joint", "rh_kfe_joint"]),
    "talos": (6, -0.107, ["leg_left_6_joint", "leg_right_6_joint"]),
}
"""Contacts with the ground: 3 rows for points and 6 for feet, their height in coordinates of the
bodies [m], and the joints of these.
"""


def places(name: str, model: Model) -> str:
    """Return the lines of a file for `benchmarks/cpp/places.hpp`; the first one is the tool."""
    rows, z, joints = _CONTACTS[name]
    other = twin(model)
    bodies = {joint: model.joint_names.index(joint) for joint in joints}
    return "".join(f"{i} {other.getJointId(x)} {rows} 0 0 {z}\n" for x, i in bodies.items())


def program() -> Path:
    """Export the library, and return the C++ program that is linked with it.

    Pinocchio's part takes minutes to compile, and is compiled again only if a source file of the
    program changes.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    root = cache / "spatial_v2" / "c_library"
    known = exportable()
    functions = [known[x] for x in FUNCTIONS]
    export_library(root, functions, level="native")
    shared, _ = build_library(root)
    link = "-Wl,--no-as-needed", str(shared), f"-Wl,-rpath,{shared.parent}"
    source = Path(__file__).with_name("compare.cpp")
    return build(source, (*FLAGS, f"-I{root / 'include'}", *link))


class Program:
    """A run of the program with one robot and its states.

    Parameters
    ----------
    path : Path
        The program.
    name : str
        The name of the robot.
    model : Model
        The robot.
    states : dict of arrays
        States as `benchmarks.robots.states` returns them.
    """

    def __init__(self, path: Path, name: str, model: Model, states: dict[str, np.ndarray]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        root, other = Path(self._folder.name), twin(model)
        theirs = np.concatenate(twin_states(model, other, states), axis=-1)
        write_robot(root / "robot.txt", other, theirs, np.asarray(model.gravity))
        write_model(model, root / "model.sv2")
        (root / "states").write_bytes(b"".join(states[key].tobytes() for key in "qvx"))
        (root / "places").write_text(places(name, model))
        files = (root / file for file in ("robot.txt", "model.sv2", "states", "places"))
        self._process: Any = subprocess.Popen(
            [path, *files], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, request: str) -> float:
        """Send a line to the program, and return the number that it answers."""
        self._process.stdin.write(request + "\n")
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the C++ program ended at the request {request!r}")
        return float(answer)

    def norm(self, kind: str, name: str) -> float:
        """Return the norm of the results at the first state; `kind` is pinocchio, one or batch."""
        return self.ask(f"norm 0 {kind} {name}")

    def round(self, kind: str, name: str) -> Round:
        """Return a function that times a number of calls by the processor time; see
        `benchmarks.timing.least`.
        """
        return partial(self._seconds, kind, name)

    def _seconds(self, kind: str, name: str, count: int) -> float:
        return self.ask(f"time {count} {kind} {name}")

    def close(self) -> None:
        """End the process."""
        self._process.communicate()
        self._folder.cleanup()

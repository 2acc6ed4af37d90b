"""Files of test vectors contain Pinocchio's numbers, in the conventions that they state."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pin = pytest.importorskip("pinocchio")
from benchmarks.cpp.build import missing  # noqa: E402
from benchmarks.vectors.__main__ import build_check, write  # noqa: E402

STEP = 1e-4
WEIGHTS = {1: 8 / 12, -1: -8 / 12, 2: -1 / 12, -2: 1 / 12}
Matrices = list[np.ndarray]


def array(x: dict[str, Any]) -> np.ndarray:
    return np.reshape(x["data"], x["shape"])


def read_model(robot: dict[str, Any]) -> Any:
    """Build the robot of a file in Pinocchio, only from the data in the file."""
    model = pin.Model()
    model.gravity.linear = np.array(robot["gravity"])
    for j in robot["joints"]:
        axis = [np.array(j["axis"])] if "Unaligned" in j["type"] else []
        joint = getattr(pin, j["type"])(*axis)
        place = pin.SE3(np.reshape(j["rotation"], (3, 3)), np.array(j["translation"]))
        number = model.addJoint(j["parent"], joint, place, j["name"])
        rotational = np.reshape(j["inertia"], (3, 3))
        inertia = pin.Inertia(j["mass"], np.array(j["lever"]), rotational)
        model.appendBodyToJoint(number, inertia, pin.SE3.Identity())
    model.armature = np.concatenate([j["armature"] for j in robot["joints"]])
    return model


def contacts(robot: dict[str, Any], model: Any) -> tuple[Any, Any]:
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for c in robot["contacts"]:
        place = pin.SE3(np.eye(3), np.array(c["point"]))
        kind, axes = pin.ContactType.CONTACT_3D, pin.LOCAL_WORLD_ALIGNED
        models.append(pin.RigidConstraintModel(kind, model, c["joint"], place, axes))
        datas.append(models[-1].createData())
    return models, datas


@pytest.fixture(scope="module", params=["ur5", "panda", "hyq"])
def robot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = write(request.param, tmp_path_factory.mktemp("vectors"), count=1)
    return json.loads(file.read_text())


def close(x: np.ndarray, y: np.ndarray, within: float, name: str) -> None:
    assert x.shape == y.shape, name
    assert np.abs(x - y).max() <= within * np.abs(y).max(), name


def symmetric(x: np.ndarray) -> np.ndarray:
    return np.triu(x) + np.triu(x, 1).T


class Peer:
    """The robot and the state of a file in Pinocchio."""

    def __init__(self, robot: dict[str, Any]) -> None:
        self.model = read_model(robot)
        self.data = self.model.createData()
        self.state = {name: array(x) for name, x in robot["states"][0].items()}
        self.q, self.v, self.a, self.tau = (self.state[name] for name in ("q", "v", "a", "tau"))
        self.contacts = contacts(robot, self.model)

    def inverse(self, q: np.ndarray, v: np.ndarray) -> Matrices:
        found = pin.computeRNEADerivatives(self.model, self.data, q, v, self.a)
        return [found[0].copy(), found[1].copy(), symmetric(found[2])]

    def forward(self, q: np.ndarray, v: np.ndarray) -> Matrices:
        found = pin.computeABADerivatives(self.model, self.data, q, v, self.tau)
        return [found[0].copy(), found[1].copy(), symmetric(found[2])]

    def held(self, q: np.ndarray, v: np.ndarray) -> Matrices:
        at = self.model, self.data
        pin.initConstraintDynamics(*at, self.contacts[0], self.contacts[1])
        pin.constraintDynamics(*at, q, v, self.tau, *self.contacts)
        found = pin.computeConstraintDynamicsDerivatives(*at, *self.contacts)
        return [np.array(x) for x in found]

    def second(self, first: Callable[..., Matrices]) -> Iterator[np.ndarray]:
        """Yield second derivatives by central differences of Pinocchio's first derivatives (dq, dv,
        third).

        They are those of dq along q, of dv with respect to v, of dq with respect to v, and of the
        third along q.
        """
        units = STEP * np.eye(self.model.nv)

        def differences(at: Callable[[np.ndarray], Matrices]) -> Matrices:
            pages = [[[w / STEP * x for x in at(k * e)] for k, w in WEIGHTS.items()] for e in units]
            return [np.stack([sum(x) for x in y], -1) for y in zip(*map(zip_, pages), strict=True)]

        along_q = differences(lambda e: first(pin.integrate(self.model, self.q, e), self.v))
        by_v = differences(lambda e: first(self.q, self.v + e))
        for g in range(0, len(along_q), 3):
            yield from (along_q[g], by_v[g + 1], by_v[g], along_q[g + 2])


def zip_(steps: list[Matrices]) -> list[tuple[np.ndarray, ...]]:
    return list(zip(*steps, strict=True))


def names(prefix: str) -> list[str]:
    """Return the names of four second derivatives of a quantity, in the order of `Peer.second`."""
    third = "dadq" if prefix == "d2tau" else "dtaudq"
    return [f"{prefix}_{x}" for x in ("dqdq", "dvdv", "dqdv", third)]


def test_vectors_are_pinocchios_dynamics_and_first_derivatives(robot: dict[str, Any]) -> None:
    p = Peer(robot)
    at = p.model, p.data, p.q
    found = {
        "tau": pin.rnea(*at, p.v, p.a),
        "M": symmetric(pin.crba(*at)),
        "a": pin.aba(*at, p.v, p.tau),
        **dict(zip(("dtau_dq", "dtau_dv", "M"), p.inverse(p.q, p.v), strict=True)),
        **dict(zip(("ddq_dq", "ddq_dv", "ddq_dtau"), p.forward(p.q, p.v), strict=True)),
    }
    for name, theirs in found.items():
        close(p.state[name], theirs, 1e-9, name)
    close(p.state["C"], pin.computeCoriolisMatrix(*at, p.v), 1e-9, "C")


def test_vectors_are_pinocchios_dynamics_under_contacts(robot: dict[str, Any]) -> None:
    p = Peer(robot)
    assert 1 <= len(robot["contacts"]) <= 2
    parts = p.held(p.q, p.v)
    close(p.state["held_ddq"], p.data.ddq, 1e-9, "ddq")
    close(p.state["held_lambda"], p.data.lambda_c, 1e-9, "lambda")
    keys = [f"held_{x}_{y}" for x in ("ddq", "lambda") for y in ("dq", "dv", "dtau")]
    for name, theirs in zip(keys, parts, strict=True):
        close(p.state[name], theirs, 1e-9, name)


@pytest.mark.parametrize("which", ["inverse", "forward", "held"])
def test_second_derivatives_are_differences_of_pinocchios_first(
    robot: dict[str, Any], which: str
) -> None:
    """The second derivatives in the files agree with differences of Pinocchio's first; their last
    index is the direction of the difference.
    """
    p = Peer(robot)
    prefixes = {"inverse": ["d2tau"], "forward": ["d2ddq"], "held": ["held_d2ddq", "held_d2lambda"]}
    keys = [name for prefix in prefixes[which] for name in names(prefix)]
    for name, theirs in zip(keys, p.second(getattr(p, which)), strict=True):
        close(p.state[name], theirs, 1e-6, name)


@pytest.mark.wide
@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=f"needs {missing()}")
def test_cpp_program_agrees_with_a_file_and_finds_a_wrong_number(tmp_path: Path) -> None:
    file = write("ur5", tmp_path, count=1)
    check = str(build_check())
    assert not subprocess.run([check, file], capture_output=True).returncode
    content = json.loads(file.read_text())
    content["states"][0]["d2tau_dqdq"]["data"][7] += 1e-3
    file.write_text(json.dumps(content))
    done = subprocess.run([check, file], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout.count("DIFFERS d2tau_dqdq") == 2

"""Functions of a model and its state have MATLAB's results: one row of the table for each call."""

from collections.abc import Callable
from typing import Any, NamedTuple

import golden_io
import numpy as np
import pytest
from helpers import FORMS, in_form, near, parts
from parameters import chosen

import derivatives as dv
import spatial_v2 as sv

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
CORE = "d_dynamics_core d_rotor d_planar"
MATRICES, WITH_ROTORS = "d_dynamics_matrices", "d_dynamics_matrices d_rotor"
FIRST, SECOND, FORK, ROBOTS = "e_derivatives_first", "e_derivatives_second", "e_fd_so", "h_robots"
CHOSEN = {
    "mixed", "lie", "fb_tree", "rfbS", "rtree", "ptree", "fb", "sph", "Puma560_rot", "TX40_randI",
}  # fmt: skip
"""Cases of a default run: every kind of joint, branches, a floating base, the plane, rotors."""


class Row(NamedTuple):
    """A call: a function, names of its arguments, MATLAB's variables, and the files that have them.

    An argument is an input of the file, a result, or ``name=input`` for a keyword. A variable that
    ends in an underscore begins the names of all fields of the result; "-" is a result without
    numbers.
    """

    function: Callable[..., Any]
    arguments: str
    results: str
    files: str
    tolerance: float = 1e-12
    options: dict[str, Any] = {}  # noqa: RUF012


FORK_TENSORS = " ".join(f"ID_SO_derivatives_{x}" for x in ("d2tau_dq", "d2tau_dv", "d2tau_dqv"))
FORK_FD = " ".join(f"FD_SO_derivatives_d2FD_{x}" for x in ("dq", "dv", "dqv", "dtauq"))
TABLE = [
    Row(sv.ID, "q qd qdd", "ID_tau", f"{CORE} {ROBOTS}", 1e-11),
    Row(sv.ID, "q qd qdd f_ext", "ID_fext_tau", CORE, 1e-11),
    Row(sv.FDab, "q qd tau", "FDab_qdd", CORE, 1e-10),
    Row(sv.FDab, "q qd tau", "FDab_qdd", ROBOTS, 1e-9),
    Row(sv.FDab, "q qd tau f_ext", "FDab_fext_qdd", CORE, 1e-10),
    Row(sv.HandC, "q qd", "HandC_H HandC_C", f"{CORE} {ROBOTS}", 1e-11),
    Row(sv.HandC, "q qd f_ext", "HandC_H HandC_fext_C", CORE, 1e-11),
    Row(sv.CRBA, "q", "CRBA_M", FORK, 1e-11),
    Row(sv.FDcrb, "q qd tau", "FDcrb_qdd", CORE, 1e-9),
    Row(sv.FDcrb, "q qd tau f_ext", "FDcrb_fext_qdd", CORE, 1e-9),
    Row(sv.HD, "fd q qd qdd tau", "HD_qdd HD_tau", CORE, 1e-9),
    Row(sv.HD, "fd q qd qdd tau f_ext", "HD_fext_qdd HD_fext_tau", CORE, 1e-9),
    Row(sv.EnerMo, "q qd", "EnerMo_", CORE),
    Row(sv.CMM, "q", "CMM_A", MATRICES),
    Row(sv.CMMTimeDerivative, "q qd", "CMMTimeDerivative_Adot", MATRICES),
    Row(sv.CMM_from_CRBA, "q", "CMM_from_CRBA_A", MATRICES),
    Row(sv.Hqd_and_CTqd, "q qd", "Hqd_and_CTqd_", f"{MATRICES} d_planar d_rotor"),
    Row(sv.ID_SlotineLi, "q qd qd_r qdd", "ID_SlotineLi_tau", WITH_ROTORS),
    Row(sv.HamiltonianDynamics, "q p tau", "HamiltonianDynamics_", WITH_ROTORS, 1e-11),
    Row(sv.HamiltonianDynamics, "q p tau f_ext", "HamiltonianDynamics_fext_", WITH_ROTORS, 1e-11),
    Row(sv.Hinverse, "q", "Hinverse_Hinv", MATRICES, 1e-11),
    Row(dv.CoriolisMatrix, "q qd", "CoriolisMatrix_", WITH_ROTORS),
    *(
        row
        for k in (1, 2, 3)
        for how in ({"factorization": k},)
        for row in (
            Row(dv.CoriolisMatrix, "q qd", f"CoriolisMatrix_f{k}_", MATRICES, options=how),
            Row(
                sv.ID_SlotineLi, "q qd qd_r qdd", f"ID_SlotineLi_f{k}_tau", MATRICES, options=how
            ),
        )
    ),
    Row(dv.Christoffel, "q", "Christoffel_Gamma", MATRICES),
    Row(dv.H_derivatives, "q", "H_derivatives_dH", SECOND),
    Row(
        dv.StructureConstants, "q", "StructureConstants_first_kind StructureConstants_second_kind",
        SECOND,
    ),
    Row(dv.ID_derivatives, "q qd qdd", "ID_derivatives_", f"{FIRST} {ROBOTS}"),
    Row(dv.ID_SO_derivatives, "q qd qdd", "ID_SO_derivatives_", f"{SECOND} {ROBOTS}"),
    Row(dv.ID_SO_derivatives, "q qd qdd", f"{FORK_TENSORS} ID_SO_derivatives_dM_dq", FORK),
    Row(dv.FD_derivatives, "q qd tau", "FD_derivatives_", FIRST, 1e-11),
    Row(dv.FD_SO_derivatives, "q qd ID_tau", FORK_FD, FORK, 1e-11),
    Row(dv.FD_SO_derivatives, "q qd qdd=qdd", FORK_FD, FORK, 1e-11),
    Row(dv.modID, "q qd qdd lambda", "modID_out", f"{MATRICES} d_planar"),
    Row(dv.modFD, "q qd tau lambda", "modFD_out", f"{MATRICES} d_planar", 1e-11),
    Row(dv.modID_derivatives, "q qd qdd lambda", "modID_derivatives_", FIRST),
    Row(dv.modFD_derivatives, "q qd tau lambda", "modFD_derivatives_", FIRST, 1e-11),
    Row(dv.modID_second_derivatives, "q qd qdd lambda", "modID_second_", SECOND),
    Row(dv.modFD_second_derivatives, "q qd tau lambda", "modFD_second_", SECOND, 1e-11),
]  # fmt: skip


def first_variable(row: Row) -> str:
    """Return a variable that a case with this row has."""
    name = row.results.split()[0]
    return next(x for x in variables(row.files) if x.startswith(name)) if name[-1] == "_" else name


def variables(files: str) -> list[str]:
    """Return the names of all variables of some files, without those of their cases."""
    return sorted({key.split("__")[1] for file in files.split() for key in golden_io.load(file)})


def cases() -> list[Any]:
    """Return each row with each case of its files, for kernels and reference implementations."""
    made = []
    for row in TABLE:
        begin = row.function.__name__ + "".join(f"-{x}" for x in row.options.values())
        begin += "-f_ext" * ("f_ext" in row.arguments) + "-qdd" * ("=" in row.arguments)
        for file in row.files.split():
            for case in golden_io.cases(file, first_variable(row)):
                for form in FORMS if hasattr(row.function, "reference") else FORMS[:1]:
                    made.append(
                        pytest.param(case, row, file, form, id=f"{begin}-{file}-{case}-{form}")
                    )
    return chosen(made, CHOSEN.__contains__)


def model_of(file: str, case: str) -> sv.Model:
    """Return the model of a case; of robots, without rotors or with other inertias as the case
    says.
    """
    data = golden_io.load(file)
    robot, _, variant = case.partition("_") if file == ROBOTS else (case, "", "rot")
    model = golden_io.model_of(data, robot)
    if variant != "rot":
        model = model.replace(has_rotor=None)
    if variant == "randI":
        inertia, gravity = data[f"{case}__in_I"], data[f"{case}__in_gravity"]
        model = model.replace(I=np.moveaxis(inertia, -1, 0), gravity=gravity)
    return model


def given(file: str, case: str, name: str) -> np.ndarray:
    """Return an argument, with samples along the first axis; of forces, bodies are the second."""
    data = golden_io.load(file)
    x = golden_io.get(data, case, f"in_{name}" if golden_io.has(data, case, f"in_{name}") else name)
    return x.swapaxes(-1, -2) if name == "f_ext" else x


@pytest.mark.parametrize(("case", "row", "file", "form"), cases())
def test_results_are_those_of_matlab(row: Row, file: str, case: str, form: str) -> None:
    words = [x.rpartition("=") for x in row.arguments.split()]
    args = [given(file, case, x) for name, _, x in words if not name]
    named = {name: given(file, case, x) for name, _, x in words if name}
    function = row.function if form == FORMS[0] else in_form(form, row.function)
    result = function(model_of(file, case), *args, **named, **row.options)
    names = row.results.split()
    if names[0][-1] == "_":
        names = [names[0] + x for x in result._fields]
    data = golden_io.load(file)
    compared = [
        (x, y) for x, y in zip(parts(result), names, strict=True) if golden_io.has(data, case, y)
    ]
    assert compared
    for x, name in compared:
        wanted = golden_io.get(data, case, name)
        if x.ndim < wanted.ndim:  # scalars, and results that are the same for all samples
            x = x[:, None] if x.ndim == 1 else np.broadcast_to(x, wanted.shape)
        least = 1e-4 if "spatial_v2" in row.function.__module__ else 1.0
        wanted = wanted.reshape(x.shape) if wanted.ndim < x.ndim else wanted
        near(x, wanted, row.tolerance, least=least)

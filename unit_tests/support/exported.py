"""Functions of an exported library, called through ctypes with arrays of NumPy."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from once import made_once

from spatial_v2 import Model, autoTree, couple
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.export import build_library, export_library, model_bytes
from spatial_v2.export.functions import Exported, exportable

DONE, NULL, WORKSPACE, NOT_FINITE, UNREADABLE, NO_MODEL, VERSION, DAMAGED, INVALID = range(9)
UNSUPPORTED, NO_RESULT, OVERLAP, NO_NAME, VALUE = range(11, 16)
DEPENDENT, SINGULAR = 18, 19
POINTS, IN_FRAME1, IN_FRAME2, IN_BASE, ROD = range(5)
KINDS = (
    "ID", "HandC", "FDab", "ID_SlotineLi", "ground_kinematics", "ID_SO_derivatives",
    "FD_SO_derivatives", "modFD_derivatives", "modFD_second_derivatives",
)  # fmt: skip
"""Functions of all kinds: with rotors as further joints, with rotors on joints, without rotors."""
OF_EVERY_KIND = *KINDS, "FrameJacobian", "frame_motion", "frame_acceleration"
"""These, and functions of frames; `test_export_frames` compares all of those."""
EXAMPLES = Path(__file__).parents[2] / "examples" / "cpp"
FUZZ = Path(__file__).with_name("export_fuzz.c")
SANITIZERS = "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"
MARGIN = 16
"""Numbers before and after a result that no function may write."""


def coupled_models() -> dict[str, CoupledModel]:
    """Return models with linear couplings: chains of mimic joints, differentials with and without
    joints of their own for the variables, on all kinds of trees.
    """
    tree = autoTree(4, 1.3)
    made = {
        "mimic": couple(tree, mimic={1: (0, -0.7, 0.1), 3: (1, 2.0, -0.2)}),
        "differential": couple(
            tree, matrix=[[1, 0], [0.5, -2], [0, 1], [0.3, 0.4]], offset=[0, 0.1, 0, 0.2]
        ),
        "no_own": couple(tree, matrix=[[1, 2], [0.5, -2], [3, 1], [0.3, 0.4]], offset=[0.4] * 4),
        "one": couple(tree, matrix=np.eye(4)),
    }
    for name in ("rotors", "one_rotor", "floating", "spherical", "planar_tree", "branched"):
        free = zoo.build(name)
        lines = np.flatnonzero(np.equal(free.nv, 1)).tolist()
        made[name] = couple(free, mimic=dict.fromkeys(lines[2:3], (lines[0], -1.5, 0.2)))
    return made


def library_of_every_kind(factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a library of `OF_EVERY_KIND`, built once for all files of tests."""

    def make(root: Path) -> None:
        export_library(root, [exportable()[name] for name in OF_EVERY_KIND], level="native")
        build_library(root, ["-Wall", "-Wextra", "-Wshadow", "-Werror"])

    return made_once(factory, "library", make)


class Constraint(ctypes.Structure):
    """A constraint as the library reads it; see `sv2_constraint`."""

    _fields_ = [
        ("kind", ctypes.c_int),
        ("body1", ctypes.c_int),
        ("body2", ctypes.c_int),
        ("X1", ctypes.c_void_p),
        ("X2", ctypes.c_void_p),
        ("rows", ctypes.c_size_t),
        ("directions", ctypes.c_void_p),
    ]

    def __init__(
        self,
        kind: int,
        body1: int,
        body2: int,
        X1: np.ndarray | None,
        X2: np.ndarray | None,
        rows: int,
        directions: np.ndarray | None = None,
    ) -> None:
        given = [None if x is None else np.array(x, float, order="C") for x in (X1, X2, directions)]
        one, two, D = (None if x is None else x.ctypes.data for x in given)
        super().__init__(kind, body1, body2, one, two, rows, D)
        self.kept = given


class Library:
    """A shared library of exported functions, which opens model files."""

    def __init__(self, path: Path) -> None:
        self.c = ctypes.CDLL(str(path))
        self.c.sv2_message.restype = ctypes.c_char_p
        sizes = "NB", "NQ", "NV", "rotors", "frames", "rows"
        for name in (*sizes, "model_size", "frame_size", "constraints_size"):
            getattr(self.c, f"sv2_{name}").restype = ctypes.c_size_t
        for name in ("robot", "body", "joint", "frame"):
            getattr(self.c, f"sv2_{name}_name").restype = ctypes.c_char_p

    def open(self, data: bytes) -> tuple[int, ctypes.c_void_p]:
        """Open a model file with the given contents; return the status and a handle of
        the model.
        """
        model = ctypes.c_void_p()
        status = self.c.sv2_model_from_memory(data, ctypes.c_size_t(len(data)), ctypes.byref(model))
        return status, model

    def frame(self, model: ctypes.c_void_p, name: str | int) -> tuple[int, ctypes.c_void_p]:
        """Make a frame by its name or the number of a body; return the status and a handle."""
        frame = ctypes.c_void_p()
        if isinstance(name, str):
            return self.c.sv2_frame_new(model, name.encode(), ctypes.byref(frame)), frame
        return self.c.sv2_frame_at(model, name, None, ctypes.byref(frame)), frame

    def constraints(
        self, model: ctypes.c_void_p, given: Sequence[Constraint]
    ) -> tuple[int, ctypes.c_void_p]:
        """Make constraints on a model; return the status and a handle."""
        made, count = ctypes.c_void_p(), ctypes.c_size_t(len(given))
        listed = (Constraint * len(given))()
        for k, x in enumerate(given):
            listed[k] = x
        return self.c.sv2_constraints_new(model, listed, count, ctypes.byref(made)), made

    def workspace(self, name: str, model: ctypes.c_void_p) -> np.ndarray:
        ask = getattr(self.c, f"sv2_{name}_workspace")
        ask.restype = ctypes.c_size_t
        return np.full(ask(model), 255, dtype=np.uint8)

    def nonzeros(self, name: str, model: ctypes.c_void_p, result: int) -> int:
        count = getattr(self.c, f"sv2_{name}_nonzeros")
        count.restype = ctypes.c_size_t
        return int(count(model, ctypes.c_int(result)))

    def pattern(
        self, name: str, model: ctypes.c_void_p, result: int, *out: np.ndarray | None
    ) -> int:
        """Write the indices of the entries of a result into arrays; return the status."""
        at = [ctypes.c_void_p(None if x is None else x.ctypes.data) for x in out]
        return int(getattr(self.c, f"sv2_{name}_pattern")(model, ctypes.c_int(result), *at))

    def call(
        self,
        f: Exported,
        model: Model,
        args: list[np.ndarray],
        f_ext: Any = None,
        short: int = 0,
        packed: bool = False,
        frame: str | int | None = None,
        options: tuple[int, ...] = (),
        constraints: Sequence[Constraint] | None = None,
        gains: tuple[float, float] = (0.0, 0.0),
        softness: float = 0.0,
        unwanted: Sequence[int] = (),
    ) -> tuple[int, list[np.ndarray]]:
        """Call a function for one state, or for a batch with one leading axis; return status and
        results, which may be packed. A function of a frame takes its name and further integers, one
        of constraints those, with gains of all rows and softness. Results that are not wanted are
        null.
        """
        status, made = self.open(model_bytes(model))
        assert status == DONE, self.c.sv2_message(status)
        subject = made
        if frame is not None:
            status, subject = self.frame(made, frame)
            assert status == DONE, self.c.sv2_message(status)
        rows = 0
        if constraints is not None:
            status, subject = self.constraints(made, constraints)
            assert status == DONE, self.c.sv2_message(status)
            rows = self.c.sv2_rows(subject)
            Kp, Kd = (np.full(rows, x) for x in gains)
            wanted = ctypes.c_void_p(Kp.ctypes.data), ctypes.c_void_p(Kd.ctypes.data)
            assert self.c.sv2_set_baumgarte(subject, *wanted) == DONE
            assert self.c.sv2_set_softness(subject, ctypes.c_double(softness)) == DONE
        batch = args[0].ndim > 1
        lead = args[0].shape[:-1]
        sizes = {"q": model.NQ, "v": model.NV, "b": free_tree(model).NB, "6": 6, "3": 3}
        sizes |= {"m": rows, "z": model.NV + rows}
        ends = [tuple(sizes[x] for x in shape) for shape in f.shapes]
        if packed:
            ends = [(self.nonzeros(f.name, made, k),) for k in range(len(ends))]
        shapes = [(*lead, *end) for end in ends]
        memory = [np.full(math.prod(shape) + 2 * MARGIN, np.nan) for shape in shapes]
        outs = [x[MARGIN:-MARGIN].reshape(y) for x, y in zip(memory, shapes, strict=True)]
        room = self.workspace(f.name + "_batch" * batch, subject)
        name = f.name + "_packed" * packed + "_batch" * batch
        kept = [np.ascontiguousarray(x) for x in [*args, *([] if f_ext is None else [f_ext])]]
        places: list[Any] = [x.ctypes.data for x in kept] + [None] * (f.force and f_ext is None)
        into = [None if k in unwanted else x.ctypes.data for k, x in enumerate(outs)]
        given = [ctypes.c_void_p(x) for x in [*places, *into]]
        counts = [ctypes.c_size_t(n) for n in lead]
        end = ctypes.c_void_p(room.ctypes.data), ctypes.c_size_t(max(len(room) - short, 0))
        status = getattr(self.c, f"sv2_{name}")(subject, *options, *counts, *given, *end)
        if frame is not None:
            self.c.sv2_frame_free(subject)
        if constraints is not None:
            self.c.sv2_constraints_free(subject)
        self.c.sv2_model_free(made)
        assert all(np.isnan([x[:MARGIN], x[-MARGIN:]]).all() for x in memory), "beyond a result"
        return status, outs

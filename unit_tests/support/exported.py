"""Functions of an exported library, called through ctypes with arrays of NumPy."""

from __future__ import annotations

import ctypes
import math
from pathlib import Path
from typing import Any

import numpy as np

from spatial_v2 import Model
from spatial_v2.export import model_bytes
from spatial_v2.export.functions import Exported

DONE, NULL, WORKSPACE, NOT_FINITE, UNREADABLE, NO_MODEL, VERSION, DAMAGED, INVALID = range(9)
UNSUPPORTED, NO_RESULT, OVERLAP, NO_NAME, VALUE = range(11, 16)
MARGIN = 16
"""Numbers before and after a result that no function may write."""


class Library:
    """A shared library of exported functions, which opens model files."""

    def __init__(self, path: Path) -> None:
        self.c = ctypes.CDLL(str(path))
        self.c.sv2_message.restype = ctypes.c_char_p
        for name in ("NB", "NQ", "NV", "rotors", "frames", "model_size", "frame_size"):
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
    ) -> tuple[int, list[np.ndarray]]:
        """Call a function for one state, or for a batch with one leading axis; return status and
        results, which may be packed. A function of a frame takes its name and further integers.
        """
        status, made = self.open(model_bytes(model))
        assert status == DONE, self.c.sv2_message(status)
        subject = made
        if frame is not None:
            status, subject = self.frame(made, frame)
            assert status == DONE, self.c.sv2_message(status)
        batch = args[0].ndim > 1
        lead = args[0].shape[:-1]
        sizes = {"q": model.NQ, "v": model.NV, "b": model.NB, "6": 6, "3": 3}
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
        given = [ctypes.c_void_p(x) for x in [*places, *(x.ctypes.data for x in outs)]]
        counts = [ctypes.c_size_t(n) for n in lead]
        end = ctypes.c_void_p(room.ctypes.data), ctypes.c_size_t(max(len(room) - short, 0))
        status = getattr(self.c, f"sv2_{name}")(subject, *options, *counts, *given, *end)
        if frame is not None:
            self.c.sv2_frame_free(subject)
        self.c.sv2_model_free(made)
        assert all(np.isnan([x[:MARGIN], x[-MARGIN:]]).all() for x in memory), "beyond a result"
        return status, outs

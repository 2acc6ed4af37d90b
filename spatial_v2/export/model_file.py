"""Models as binary files, which the exported library reads."""

from __future__ import annotations

import struct
import zlib
from os import PathLike

import numpy as np

from spatial_v2.calls.prepared import kernel_tree
from spatial_v2.engine.tree import lift_transforms
from spatial_v2.exceptions import SpatialError
from spatial_v2.files.part_file import PartFile
from spatial_v2.model import Model
from spatial_v2.model.frame import find_frame
from spatial_v2.model.rotors import expand
from spatial_v2.model.state import check_model, check_real

__all__ = ["model_bytes", "write_model"]

VERSION, SPRUNG_VERSION = 3, 4
_HEAD = "<8sIIQQQQQ"


def model_bytes(model: Model) -> bytes:
    """Return the contents of a model file.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors too. A planar one becomes a spatial one.

    Returns
    -------
    bytes
        A head of 80 bytes: ``sv2model``, version, byte order, NB, NQ, NV, the number of joint
        terms (NV or 0), the size, a checksum (CRC-32), the numbers of rotors, of frames and of the
        words of all names. Then, in words of 64 bits: parent (NB), joint (NB, 6): kind, axis, first
        position variable, first velocity variable, their number, -1; sign and pitch (NB, 2); Xtree
        and I (NB, 6, 6); gravity (3); armature, damping and friction, and of a model with springs
        stiffness and rest; such a file has version 4, others 3. Rotors are further bodies, after
        the others, on the parents of the bodies whose joints drive them; their joint terms are
        zero. Then those bodies, and the gear ratios; lower and upper bounds (NQ), limits of
        velocities and forces (NV); bodies and transforms (6, 6) of the frames; and in UTF-8, each
        ended by a zero, the names of the robot, its bodies, joints and frames. Least significant
        byte first.

    Raises
    ------
    SpatialError
        A model without bodies, or with numbers that are not real.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model_bytes(autoTree(3))[:8]
    b'sv2model'
    """
    check_model(model)
    if model.NB == 0:
        raise SpatialError("model: want at least one body, got none")
    check_real(model, "a model file")
    driver = np.flatnonzero(model.has_rotor)
    tree = kernel_tree(expand(model) if len(driver) else model)
    parts = [np.asarray(x, dtype="<i8").tobytes() for x in tree[:2]]
    parts += [np.asarray(x, dtype="<f8").tobytes() for x in tree[2:]]
    parts += [driver.astype("<i8").tobytes(), np.asarray(model.gr[driver], "<f8").tobytes()]
    body, rotors = b"".join(parts), len(driver)
    more, frames, words = _names(model)
    counts = model.NB, model.NQ, model.NV, model.NV if len(tree.armature) else 0
    size = 80 + len(body) + len(more)
    version = SPRUNG_VERSION if len(tree.stiffness) else VERSION
    head = struct.pack(_HEAD, b"sv2model", version, 0x01020304, *counts, size)
    body = struct.pack("<QQ", frames, words) + body + more
    seal = zlib.crc32(head + struct.pack("<II", 0, rotors)) ^ zlib.crc32(body)
    return head + struct.pack("<II", seal, rotors) + body


def _names(model: Model) -> tuple[bytes, int, int]:
    """Return limits, frames and names, with the numbers of frames and of the words of names."""
    frames = [(name, find_frame(model, name)) for name in model.frames or {}]
    bounds = model.lower, model.upper, model.velocity_limit, model.effort_limit
    X = np.array([x.X for _, x in frames]).reshape(-1, *2 * (3 if model.is_planar else 6,))
    names = [model.name or "", *model.body_names, *model.joint_names, *(n for n, _ in frames)]
    for name in names:
        if "\0" in name:
            raise SpatialError(f"model: want names without zero characters, got {name!r}")
    text = b"".join(name.encode() + b"\0" for name in names)
    text += bytes(-len(text) % 8)
    parts = [np.asarray(x, "<f8").tobytes() for x in bounds]
    parts.append(np.array([x.body for _, x in frames], "<i8").tobytes())
    parts.append(np.asarray(lift_transforms(X) if model.is_planar else X, "<f8").tobytes())
    return b"".join([*parts, text]), len(frames), len(text) // 8


def write_model(model: Model, path: str | PathLike[str]) -> None:
    """Write a model to a file for the exported library.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors too. A planar one becomes a spatial one.
    path : path-like
        The file, which is replaced.

    Raises
    ------
    SpatialError
        A model without bodies, or with numbers that are not real.

    Examples
    --------
    >>> import tempfile
    >>> from spatial_v2.models import autoTree
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(autoTree(3), f"{folder}/tree.sv2")
    """
    check_model(model)
    data = model_bytes(model)
    with PartFile(path) as part:
        part.file.write(data)
        part.finish()

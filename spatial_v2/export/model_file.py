"""Models as binary files, which the exported library reads."""

from __future__ import annotations

import struct
import zlib
from os import PathLike

import numpy as np

from spatial_v2.calls.prepare import kernel_tree
from spatial_v2.calls.spreads import coupled_record
from spatial_v2.couplings.coupled_model import CoupledModel, refuse
from spatial_v2.couplings.free import free_tree
from spatial_v2.engine.tree import Tree, lift_transforms
from spatial_v2.exceptions import SpatialError
from spatial_v2.files.part_file import PartFile
from spatial_v2.model import Model
from spatial_v2.model.frame import find_frame
from spatial_v2.model.rotors import expand
from spatial_v2.model.state import check_model, check_real

__all__ = ["model_bytes", "write_model"]

VERSION, SPRUNG_VERSION, COUPLED_VERSION = 3, 4, 5
MOST_ENTRIES = 2**18
_HEAD = "<8sIIQQQQQ"


def model_bytes(model: Model) -> bytes:
    """Return the contents of a model file.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and linear couplings too. A planar one becomes a spatial
        one.

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
        zero. Then those bodies, and the gear ratios; of a coupled model its coupling; lower and
        upper bounds (NQ), limits of velocities and forces (NV); bodies and transforms (6, 6) of the
        frames; and in UTF-8, each ended by a zero, the names of the robot, its bodies, joints and
        frames. Least significant byte first.

        A coupled model has version 5 and a head of 112 bytes, which ends with its numbers of joints
        (n), position and velocity variables (nq, nv), and entries of G. NQ and NV are those of the
        tree, stiffness and rest are always there; limits and names of joints are those of the
        independent variables. The coupling is: the joint of the tree that each joint is (n),
        offsets of the tree's joints (NV), for factors of the inertia matrix the variable before
        each on its path and the size of a pivot that is a rounding error (nv each); and rows,
        columns and values of G in order, of joints with one velocity variable.

    Raises
    ------
    SpatialError
        A model without bodies, with numbers that are not real, or with joints that follow loops or
        functions.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model_bytes(autoTree(3))[:8]
    b'sv2model'
    """
    check_model(model)
    coupled = isinstance(model, CoupledModel)
    if isinstance(model, CoupledModel) and not model.is_linear:
        refuse("a constant matrix G")
    own = free_tree(model)
    if own.NB == 0:
        raise SpatialError("model: want at least one body, got none")
    check_real(own, "a model file")
    driver = np.flatnonzero(own.has_rotor)
    tree = kernel_tree(expand(own) if len(driver) else own)
    parts = [np.asarray(x, dtype="<i8").tobytes() for x in tree[:2]]
    parts += [np.asarray(x, dtype="<f8").tobytes() for x in tree[2:]]
    if coupled and not len(tree.stiffness):
        parts.append(bytes(2 * 8 * len(tree.armature)))
    parts += [driver.astype("<i8").tobytes(), np.asarray(own.gr[driver], "<f8").tobytes()]
    rotors, numbers = len(driver), list[int]()
    if isinstance(model, CoupledModel):
        coupling, numbers = _coupling(model, tree, bool(rotors))
        parts.append(coupling)
    more, frames, words = _names(model, own)
    counts = own.NB, own.NQ, own.NV, own.NV if len(tree.armature) else 0
    body = struct.pack(f"<{2 + len(numbers)}Q", frames, words, *numbers) + b"".join(parts) + more
    version = SPRUNG_VERSION if len(tree.stiffness) else VERSION
    version = COUPLED_VERSION if coupled else version
    head = struct.pack(_HEAD, b"sv2model", version, 0x01020304, *counts, 64 + len(body))
    seal = zlib.crc32(head + struct.pack("<II", 0, rotors)) ^ zlib.crc32(body)
    return head + struct.pack("<II", seal, rotors) + body


def _coupling(model: CoupledModel, tree: Tree, geared: bool) -> tuple[bytes, list[int]]:
    """Return the coupling of a model file, and the numbers that its head has of it."""
    own, of, space = free_tree(model), model.coupling, model.coupling.space
    columns = [of.matrix[:, v.start] for v in space.vinds]
    single = np.repeat(np.equal(own.nv, 1), own.nv)
    joints = [
        own.body_of_v[np.flatnonzero(x * (single == (n == 1)))[0]]
        for x, n in zip(columns, space.nv, strict=True)
    ]
    row, column = np.nonzero(of.matrix * single[:, None])
    if len(row) > MOST_ENTRIES:
        raise SpatialError(
            f"model: a model file has at most {MOST_ENTRIES} entries of the matrix G, got "
            f"{len(row)}"
        )
    record = coupled_record(model, tree, geared)
    places = [joints, of.offset, record.above, record.least, row, column, of.matrix[row, column]]
    kinds = "i8", "f8", "i8", "f8", "i8", "i8", "f8"
    parts = [np.asarray(x, f"<{kind}").tobytes() for x, kind in zip(places, kinds, strict=True)]
    return b"".join(parts), [space.NB, space.NQ, space.NV, len(row)]


def _names(model: Model, tree: Model) -> tuple[bytes, int, int]:
    """Return limits, frames and names, with the numbers of frames and of the words of names."""
    frames = [(name, find_frame(tree, name)) for name in tree.frames or {}]
    bounds = model.lower, model.upper, model.velocity_limit, model.effort_limit
    X = np.array([x.X for _, x in frames]).reshape(-1, *2 * (3 if tree.is_planar else 6,))
    names = [tree.name or "", *tree.body_names, *model.joint_names, *(n for n, _ in frames)]
    for name in names:
        if "\0" in name:
            raise SpatialError(f"model: want names without zero characters, got {name!r}")
    text = b"".join(name.encode() + b"\0" for name in names)
    text += bytes(-len(text) % 8)
    parts = [np.asarray(x, "<f8").tobytes() for x in bounds]
    parts.append(np.array([x.body for _, x in frames], "<i8").tobytes())
    parts.append(np.asarray(lift_transforms(X) if tree.is_planar else X, "<f8").tobytes())
    return b"".join([*parts, text]), len(frames), len(text) // 8


def write_model(model: Model, path: str | PathLike[str]) -> None:
    """Write a model to a file for the exported library.

    Parameters
    ----------
    model : Model
        The rigid-body tree; geared rotors and linear couplings too. A planar one becomes a spatial
        one.
    path : path-like
        The file, which is replaced.

    Raises
    ------
    SpatialError
        A model without bodies, with numbers that are not real, or with joints that follow loops or
        functions.

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

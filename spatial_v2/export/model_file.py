"""Models as binary files, which the exported library reads."""

from __future__ import annotations

import struct
import zlib
from os import PathLike

import numpy as np

from spatial_v2.calls.prepared import kernel_tree
from spatial_v2.exceptions import SpatialError
from spatial_v2.files.part_file import PartFile
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["model_bytes", "write_model"]

VERSION = 1
_HEAD = "<8sIIQQQQQ"


def model_bytes(model: Model) -> bytes:
    """Return the contents of a model file.

    Parameters
    ----------
    model : Model
        The rigid-body tree, without geared rotors. A planar one becomes a spatial one.

    Returns
    -------
    bytes
        A head of 64 bytes: ``sv2model``, version, byte order, NB, NQ, NV, the number of joint
        terms (NV or 0), the size, a checksum (CRC-32) and zeros. Then, in words of 64 bits:
        parent (NB), joint (NB, 6): kind, axis, first position variable, first velocity variable,
        their number, -1; sign and pitch (NB, 2); Xtree and I (NB, 6, 6); gravity (3); armature,
        damping and friction. Least significant byte first.

    Raises
    ------
    SpatialError
        A model with geared rotors or without bodies.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> model_bytes(autoTree(3))[:8]
    b'sv2model'
    """
    check_model(model)
    if model.has_rotors:
        raise SpatialError("model: models with geared rotors cannot be exported yet")
    if model.NB == 0:
        raise SpatialError("model: want at least one body, got none")
    tree = kernel_tree(model)
    parts = [np.asarray(x, dtype="<i8").tobytes() for x in tree[:2]]
    parts += [np.asarray(x, dtype="<f8").tobytes() for x in tree[2:]]
    body = b"".join(parts)
    counts = model.NB, model.NQ, model.NV, len(tree.armature)
    head = struct.pack(_HEAD, b"sv2model", VERSION, 0x01020304, *counts, 64 + len(body))
    seal = zlib.crc32(head + bytes(8)) ^ zlib.crc32(body)
    return head + struct.pack("<II", seal, 0) + body


def write_model(model: Model, path: str | PathLike[str]) -> None:
    """Write a model to a file for the exported library.

    Parameters
    ----------
    model : Model
        The rigid-body tree, without geared rotors. A planar one becomes a spatial one.
    path : path-like
        The file, which is replaced.

    Raises
    ------
    SpatialError
        A model with geared rotors or without bodies.

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

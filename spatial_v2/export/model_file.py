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
from spatial_v2.model.rotors import expand
from spatial_v2.model.state import check_model, check_real

__all__ = ["model_bytes", "write_model"]

VERSION, ROTOR_VERSION = 1, 2
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
        A head of 64 bytes: ``sv2model``, version (2 with rotors, else 1), byte order, NB, NQ, NV,
        the number of joint terms (NV or 0), the size, a checksum (CRC-32) and the number of rotors.
        Then, in words of 64 bits: parent (NB), joint (NB, 6): kind, axis, first position variable,
        first velocity variable, their number, -1; sign and pitch (NB, 2); Xtree and I (NB, 6, 6);
        gravity (3); armature, damping and friction. Rotors are further bodies, after the others, on
        the parents of the bodies whose joints drive them; their joint terms are zero. At the end
        are those bodies, and the gear ratios. Least significant byte first.

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
    counts = model.NB, model.NQ, model.NV, model.NV if len(tree.armature) else 0
    version = ROTOR_VERSION if rotors else VERSION
    head = struct.pack(_HEAD, b"sv2model", version, 0x01020304, *counts, 64 + len(body))
    seal = zlib.crc32(head + struct.pack("<II", 0, rotors)) ^ zlib.crc32(body)
    return head + struct.pack("<II", seal, rotors) + body


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

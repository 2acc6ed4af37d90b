"""Writing of inertias as elements of a URDF file."""

from __future__ import annotations

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.inertia import getModelInertialParams, inertiaVecToURDF
from spatial_v2.io.xml_text import quoted
from spatial_v2.model import Model

__all__ = ["inertial_elements"]


def inertial_elements(model: Model) -> str:
    """Write a URDF text with one link per body that contains only an ``inertial`` element.

    Links have the names of the bodies. The inertia of a body includes the links of the original
    file that fixed joints merged into it.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> print(inertial_elements(autoTree(1)))
    <?xml version="1.0"?>
    <robot name=...>
      <link name="body0">
        <inertial>
          <origin xyz="0.5 0.0 0.0" rpy="0 0 0"/>
          <mass value="1.0"/>
          <inertia ixx="0.0025" ixy="0.0" ...
        </inertial>
      </link>
    </robot>
    """
    a = np.asarray(getModelInertialParams(model).a).reshape(-1, 10)
    if not (a[:, 0] > 0).all():
        i = int(np.argmin(a[:, 0]))
        raise ModelError(f"body {i} ({model.body_names[i]}) has no mass; a URDF file needs one")
    lines = ['<?xml version="1.0"?>', f"<robot name={quoted(model.name or 'robot')}>"]
    for name, numbers in zip(model.body_names, np.asarray(inertiaVecToURDF(a)), strict=True):
        mass, x, y, z, *inertia = (repr(float(n) + 0.0) for n in numbers)
        entries = zip(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), inertia, strict=True)
        words = " ".join(f'{entry}="{value}"' for entry, value in entries)
        lines += [
            f"  <link name={quoted(name)}>",
            "    <inertial>",
            f'      <origin xyz="{x} {y} {z}" rpy="0 0 0"/>',
            f'      <mass value="{mass}"/>',
            f"      <inertia {words}/>",
            "    </inertial>",
            "  </link>",
        ]
    return "\n".join([*lines, "</robot>"])

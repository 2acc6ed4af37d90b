"""Short texts of URDF files, for the tests of reading them."""

from pathlib import Path

from spatial_v2 import Model
from spatial_v2.io import load_urdf

BALL = """<inertial><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><mass value="2"/>
<inertia ixx="3" ixy="0.1" ixz="0.2" iyy="4" iyz="0.3" izz="5"/></inertial>"""


def link(name: str, inside: str = "") -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(name: str, kind: str, parent: str, child: str, axis: str = "", inside: str = "") -> str:
    axis = f'<axis xyz="{axis}"/>' if axis else ""
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f"{axis}{inside}</joint>"
    )


def read(folder: Path, *elements: str, floating_base: bool = False) -> Model:
    file = folder / "robot.urdf"
    file.write_text(f'<robot name="r">{"".join(elements)}</robot>')
    return load_urdf(file, floating_base=floating_base, couplings="free")

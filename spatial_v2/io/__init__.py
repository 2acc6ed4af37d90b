"""Loading robots from URDF, SDF, MJCF and MATLAB files, or by name, and writing them to files."""

from spatial_v2.io.example_robots import example_robots
from spatial_v2.io.load_mjcf import load_mjcf
from spatial_v2.io.load_model import load_model, model_names
from spatial_v2.io.load_sdf import load_sdf
from spatial_v2.io.load_urdf import load_urdf
from spatial_v2.io.read_matlab import read_matlab
from spatial_v2.io.robot_data import Frame, JointLimits, Loop, Mimic
from spatial_v2.io.to_mjcf import to_mjcf
from spatial_v2.io.to_urdf import to_urdf
from spatial_v2.io.write_matlab import write_matlab

__all__ = [
    "Frame",
    "JointLimits",
    "Loop",
    "Mimic",
    "example_robots",
    "load_mjcf",
    "load_model",
    "load_sdf",
    "load_urdf",
    "model_names",
    "read_matlab",
    "to_mjcf",
    "to_urdf",
    "write_matlab",
]

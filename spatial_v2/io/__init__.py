"""Robots from URDF files and MATLAB files, and by name."""

from spatial_v2.io.example_robots import example_robots
from spatial_v2.io.load_model import load_model, model_names
from spatial_v2.io.load_urdf import load_urdf
from spatial_v2.io.read_matlab import read_matlab
from spatial_v2.io.robot_data import Frame, JointLimits, Mimic
from spatial_v2.io.write_matlab import write_matlab
from spatial_v2.model import MatlabFiles, Model

__all__ = [
    "Frame",
    "JointLimits",
    "Mimic",
    "example_robots",
    "load_model",
    "load_urdf",
    "model_names",
    "read_matlab",
    "write_matlab",
]

Model.matlab_files = MatlabFiles(read_matlab, write_matlab)

"""Robots from URDF files and MATLAB files, and by name."""

from spatial_v2.io.load_model import load_model, model_names
from spatial_v2.io.load_urdf import load_urdf
from spatial_v2.io.robot_data import Frame, JointLimits, Mimic

__all__ = ["Frame", "JointLimits", "Mimic", "load_model", "load_urdf", "model_names"]

"""Functions and models for programs without Python: libraries for C and C++, MEX files."""

from spatial_v2.export.build import build_library, compiler
from spatial_v2.export.casadi_external import export_casadi
from spatial_v2.export.functions import DEFAULT, FORMS
from spatial_v2.export.library import export_library
from spatial_v2.export.matlab import build_matlab, export_matlab
from spatial_v2.export.model_file import model_bytes, write_model
from spatial_v2.export.shipped import build_kernels, kernel_names

__all__ = [
    "DEFAULT",
    "FORMS",
    "build_kernels",
    "build_library",
    "build_matlab",
    "compiler",
    "export_casadi",
    "export_library",
    "export_matlab",
    "kernel_names",
    "model_bytes",
    "write_model",
]

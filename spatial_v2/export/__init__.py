"""Functions and models for programs without Python: libraries for C and C++."""

from spatial_v2.export.functions import DEFAULT, FORMS
from spatial_v2.export.library import build_library, compiler, export_library
from spatial_v2.export.model_file import model_bytes, write_model

__all__ = [
    "DEFAULT",
    "FORMS",
    "build_library",
    "compiler",
    "export_library",
    "model_bytes",
    "write_model",
]

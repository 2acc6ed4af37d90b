"""The model: its fields, derived data, and checks of arguments."""

from spatial_v2.model.model import Model

__all__ = ["Model"]

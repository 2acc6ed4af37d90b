"""The class `Model`: its fields, quantities derived from them, and checks of arguments."""

from spatial_v2.model.model import Model

__all__ = ["Model"]

"""Models: generated test trees and named robots."""

from spatial_v2.models.autoTree import autoTree
from spatial_v2.models.autoTree_rotor import autoTree_rotor
from spatial_v2.models.floatbase import floatbase
from spatial_v2.models.planar import planar
from spatial_v2.models.puma560 import puma560
from spatial_v2.models.Puma560_model import Puma560_model

__all__ = ["Puma560_model", "autoTree", "autoTree_rotor", "floatbase", "planar", "puma560"]

"""Functions that make models: generated trees for tests, and particular robots."""

from spatial_v2.models.attach import attach
from spatial_v2.models.autoTree import autoTree
from spatial_v2.models.autoTree_rotor import autoTree_rotor
from spatial_v2.models.build_quadruped_model import build_quadruped_model
from spatial_v2.models.change_base import change_base
from spatial_v2.models.CheetahLeg_model import CheetahLeg_model
from spatial_v2.models.doubleElbow import doubleElbow
from spatial_v2.models.floatbase import floatbase
from spatial_v2.models.free_base import free_base
from spatial_v2.models.get_miniCheetah_params import MiniCheetah, get_miniCheetah_params
from spatial_v2.models.gfxExample import gfxExample
from spatial_v2.models.lock import lock
from spatial_v2.models.Panda_model import Panda_model
from spatial_v2.models.planar import planar
from spatial_v2.models.puma560 import puma560
from spatial_v2.models.Puma560_model import Puma560_model
from spatial_v2.models.remove import remove
from spatial_v2.models.resize import resize
from spatial_v2.models.rollingdisc import rollingdisc
from spatial_v2.models.Scara_model import Scara_model
from spatial_v2.models.scissor import scissor
from spatial_v2.models.singlebody import singlebody
from spatial_v2.models.Test_model import Test_model
from spatial_v2.models.TX40_model import TX40_model
from spatial_v2.models.vee import vee

__all__ = [
    "CheetahLeg_model",
    "MiniCheetah",
    "Panda_model",
    "Puma560_model",
    "Scara_model",
    "TX40_model",
    "Test_model",
    "attach",
    "autoTree",
    "autoTree_rotor",
    "build_quadruped_model",
    "change_base",
    "doubleElbow",
    "floatbase",
    "free_base",
    "get_miniCheetah_params",
    "gfxExample",
    "lock",
    "planar",
    "puma560",
    "remove",
    "resize",
    "rollingdisc",
    "scissor",
    "singlebody",
    "vee",
]

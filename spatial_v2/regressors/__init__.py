"""Regressors: matrices that multiply the inertial parameters."""

from spatial_v2.regressors.individualRegressor import individualRegressor
from spatial_v2.regressors.moving import Regressor
from spatial_v2.regressors.Regressor_HqdandCTqd import HqdandCTqdRegressor, Regressor_HqdandCTqd
from spatial_v2.regressors.RegressorClassical import RegressorClassical
from spatial_v2.regressors.RegressorEnergy import EnergyRegressor, RegressorEnergy
from spatial_v2.regressors.RegressorHandG import HandGRegressor, RegressorHandG
from spatial_v2.regressors.RegressorMomentum import MomentumRegressor, RegressorMomentum
from spatial_v2.regressors.RegressorSL import RegressorSL

__all__ = [
    "EnergyRegressor",
    "HandGRegressor",
    "HqdandCTqdRegressor",
    "MomentumRegressor",
    "Regressor",
    "RegressorClassical",
    "RegressorEnergy",
    "RegressorHandG",
    "RegressorMomentum",
    "RegressorSL",
    "Regressor_HqdandCTqd",
    "individualRegressor",
]

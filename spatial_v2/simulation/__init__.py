"""Simulation: numerical integration of forward dynamics."""

from spatial_v2.simulation.results import EnergyReport, Simulation
from spatial_v2.simulation.sampled import Actuators, Sensors
from spatial_v2.simulation.simulate import simulate

__all__ = ["Actuators", "EnergyReport", "Sensors", "Simulation", "simulate"]

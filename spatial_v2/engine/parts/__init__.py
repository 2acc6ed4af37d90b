"""Sweeps over a tree, and parts of them, that several algorithms share.

Quantities are along the ground's axes, about a point of the robot or each body's own origin.
"""

"""Sweeps over a tree and what they are made of: what several algorithms share.

Quantities are along the ground's axes, about a point of the robot or each body's own origin.
"""

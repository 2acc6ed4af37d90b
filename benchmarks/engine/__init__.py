"""Comparison of this library with Pinocchio's C++: targets of the engine, robots, growth
with size.
"""

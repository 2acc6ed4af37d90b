"""This library against Pinocchio's C++: the engine's targets, robots, and growth with size."""

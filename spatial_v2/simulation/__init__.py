"""Simulation."""

__all__: list[str] = []

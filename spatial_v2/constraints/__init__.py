"""Constraint rows, and their derivatives to second order."""

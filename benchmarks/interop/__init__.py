"""Benchmarks of the operators in other tools."""

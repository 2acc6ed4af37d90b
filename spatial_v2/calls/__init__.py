"""Calls of functions that have a compiled kernel, from arguments to results."""

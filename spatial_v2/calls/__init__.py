"""Calls of accelerated functions, from arguments to results."""

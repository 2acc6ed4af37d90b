"""Tensors without their zeros: which runs their values have, how these are computed and written."""

"""The fast path: compiled code reads arguments directly as objects of Python and NumPy."""

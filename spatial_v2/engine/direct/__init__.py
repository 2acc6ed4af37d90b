"""The fast path: calls whose arguments compiled code reads as objects of Python and NumPy."""

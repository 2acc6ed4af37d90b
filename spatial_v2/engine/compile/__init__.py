"""Everything that depends on Numba's internals: compiling, linking, caching, extending it."""

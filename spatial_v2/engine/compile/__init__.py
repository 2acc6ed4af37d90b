"""All that knows the insides of numba: compiling, linking, keeping on disk, extending it."""
